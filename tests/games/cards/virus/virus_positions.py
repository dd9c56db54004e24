"""Positions of Virus!, laid out by hand."""

from play.random_play import positions_of

from tag.engine.rng import Rng
from tag.engine.state import interned
from tag.games.cards.virus import Virus, VirusParameters
from tag.games.cards.virus.data import (
    FREE,
    IMMUNISED,
    INFECTED,
    NAMES,
    NO_CARD,
    VACCINATED,
    cards_in,
    state_of,
    with_state,
)

RED, GREEN, BLUE, YELLOW, WILD = range(5)
VIRUS, MEDICINE = 5, 10
TRANSPLANT, ORGAN_THIEF, SPREADING, LATEX_GLOVE, MEDICAL_ERROR = range(15, 20)

#: States of an organ.
CLEAN = FREE
#: Immunised with two red medicines.
IMMUNE = IMMUNISED


def sick(virus):
    """Return the state of an organ infected by the virus of a colour."""
    return INFECTED + virus


def vaccinated(medicine):
    """Return the state of an organ vaccinated with the medicine of a colour."""
    return VACCINATED + medicine


def body(organs):
    """Return the body of organs given as ``{colour: state}``."""
    packed = 0
    for organ, state in organs.items():
        packed = with_state(packed, organ, state)
    return packed


def position(hand, *bodies, hands=(), **parameters):
    """Return a position in which player 0 plays next.

    Args:
        hand: the cards of player 0.
        bodies: each player's organs, as for `body`.
        hands: the cards of players 1, 2, …; by default each keeps what chance has dealt.
        parameters: of the game.
    """
    model = Virus(VirusParameters(**parameters))
    state = model.setup(len(bodies), Rng(1))
    for player in range(len(bodies)):
        state.discard_hand(player)
    cards = [deck + discards for deck, discards in zip(state.deck, state.discards, strict=True)]
    for player, dealt in enumerate([hand, *hands]):
        for place, card in enumerate(sorted(dealt)):
            state.hands[player * state.hand_size + place] = card
            cards[card] -= 1
    for player, organs in enumerate(bodies):
        state.bodies[player] = body(organs)
        for card in cards_in(state.bodies[player]):
            cards[card] -= 1
    assert min(cards) >= 0, "there are not so many cards"
    set_deck(state, cards, [0] * len(cards))
    for player in range(1 + len(hands), len(bodies)):
        state.draw_up(player, Rng(player))
    return state


def set_deck(state, deck, discards):
    """Lay deck and discard pile, given as numbers of each kind."""
    state.deck, state.discards = deck, discards
    state.count_deck()


def play(state, action, **parameters):
    """Play ``action``, which must be available."""
    model = Virus(VirusParameters(**parameters))
    chosen = interned(action)
    assert chosen in model.available_actions(state), f"{action} is not available"
    model.next(state, chosen, Rng(2))
    return state


def offered(state, kind, **parameters):
    """Return the keys of the available actions of a class."""
    model = Virus(VirusParameters(**parameters))
    return [action.key() for action in model.available_actions(state) if isinstance(action, kind)]


def organ(state, player, colour):
    """Return the state of an organ, 0 where it is absent."""
    return state_of(state.bodies[player], colour)


def discarded(state):
    """Return the names of the cards on the discard pile, sorted."""
    return sorted(NAMES[card] for card, count in enumerate(state.discards) for _copy in range(count))


def all_cards(state):
    """Return how many cards of each kind there are, wherever they lie."""
    counts = [deck + discards for deck, discards in zip(state.deck, state.discards, strict=True)]
    for card in state.hands:
        if card != NO_CARD:
            counts[card] += 1
    for packed in state.bodies:
        for card in cards_in(packed):
            counts[card] += 1
    return counts


def random_positions(n_players, seed, games=1, **parameters):
    """Return all positions of random games, as independent copies, the final ones included."""
    return positions_of(Virus(VirusParameters(**parameters)), n_players, seed, games)
