"""Positions of Pandemic, laid out by hand."""

from tag.engine.rng import Rng
from tag.games.boards.pandemic import Pandemic, PandemicParameters
from tag.games.boards.pandemic.data import BIT, CARD_NAMES, CITY_NAMES, COLOURS, ROLE_NAMES

BLUE, YELLOW, BLACK, RED = range(4)
#: Five cards of a colour.
BLUE_FIVE = ["San Francisco", "Chicago", "Montreal", "London", "Paris"]
#: Player cards that nobody minds, for the deck.
FILLER = ["Lima", "Santiago", "Osaka", "Sydney", "Lagos", "Taipei"]


def card(name):
    """Return the number of a card."""
    return CARD_NAMES.index(name)


def cards(names):
    """Return the numbers of cards, in order."""
    return tuple(sorted(card(name) for name in names))


def place_names(numbers):
    """Return the names of cards or cities."""
    return [CARD_NAMES[number] for number in numbers]


def position(
    roles=("Scientist", "Researcher"),
    pawns=None,
    hands=None,
    cubes=None,
    stations=("Atlanta",),
    cured=(),
    deck=FILLER,
    infection_deck=None,
    infection_discards=(),
    discards=(),
    stored=None,
    **parameters,
):
    """Return the model, and the position in which player 0 has all actions to take; tops of decks are last."""
    numbers = [ROLE_NAMES.index(role) for role in roles]
    chosen = {f"role_{seat}": role.lower().replace(" ", "_") for seat, role in enumerate(roles)}
    model = Pandemic(PandemicParameters(**chosen, **parameters))
    state = model.setup(len(roles), Rng(5))
    assert list(state.roles) == numbers
    state.sequences = ()
    state.phase = model.graph.number("act")
    state.turn_player = state.current_player = state.first_player = 0
    state.pawns = [CITY_NAMES.index(city) for city in (pawns or ["Atlanta"] * len(roles))]
    state.hands = [cards(hand) for hand in (hands or [()] * len(roles))]
    state.supply = [state.rules.cubes] * 4
    state.cubes = [0] * 48
    for city, count in (cubes or {}).items():
        name, colour = city if isinstance(city, tuple) else (city, COLOURS[card(city)])
        state.place(card(name), colour, count)
    state.stations = sum(BIT[card(city)] for city in stations)
    state.stations_left = state.rules.stations - len(stations)
    state.cured = sum(1 << colour for colour in cured)
    state.player_deck = [card(name) for name in deck]
    state.piles = (0,)
    state.discards = tuple(card(name) for name in discards)
    state.infection_discards = tuple(card(name) for name in infection_discards)
    rest = [city for city in range(48) if city not in state.infection_discards]
    top = [card(name) for name in infection_deck or ()]
    state.infection_deck = [city for city in rest if city not in top] + top
    state.layers = (0,)
    if stored:
        state.stored = card(stored)
    return model, state


def options(model, state):
    """Return what is available as text."""
    return [str(action) for action in model.available_actions(state)]


def play(model, state, *texts, seed=2):
    """Play the actions with these texts, one after the other."""
    rng = Rng(seed)
    for text in texts:
        found = [action for action in model.available_actions(state) if str(action) == text]
        assert found, f"{text!r} is not among {options(model, state)}"
        model.next(state, found[0], rng)
    return state


def count(state, city, colour=None):
    """Return the cubes in a city, by default of its own colour."""
    number = card(city)
    return state.count(number, COLOURS[number] if colour is None else colour)


def end_turn(model, state, **kwargs):
    """Give up the actions that are left."""
    return play(model, state, "end the actions", **kwargs)


def random_games(n_players, games, seed=1, **parameters):
    """Yield each position of random games."""
    model = Pandemic(PandemicParameters(**parameters))
    rng = Rng(seed)
    for _game in range(games):
        state = model.setup(n_players, rng)
        yield state
        while not state.is_terminal:
            model.next(state, rng.choice(model.available_actions(state)), rng)
            yield state
