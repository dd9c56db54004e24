"""Positions of Colt Express, laid out by hand."""

from play.random_play import positions_of

from tag.engine.rng import Rng
from tag.engine.state import interned
from tag.games.boards.colt_express import ColtExpress, ColtExpressParameters
from tag.games.boards.colt_express.data import (
    DOWN,
    N_ACTIONS,
    NO_EVENT,
    OUTLAW,
    PLAN,
    PLAYER_SHIFT,
    STANDARD,
    STEAL,
    Cards,
    unit,
)

MOVE, FLOOR, SHOOT, ROB, MARSHAL, PUNCH = range(N_ACTIONS)

PLAIN = ColtExpress(ColtExpressParameters(bandits="none"))


def inside(car):
    return 2 * car


def roof(car):
    return 2 * car + 1


def cards(*kinds):
    """Return a set of cards."""
    return sum(unit(kind) for kind in kinds)


def stealing(spots, *pile, characters=None, marshal=None, floor=None, event=NO_EVENT, model=PLAIN):
    """Return a position in which the ``pile`` of (player, kind) is due; the train has no loot but that on ``floor``.

    Purse 0 … n-1 are in the hands of players 0 … n-1; the next ones, worth 300, 400 and 500, are still to be laid out.
    """
    n_players = len(spots)
    state = model.setup(n_players, Rng(1))
    first = len(state.held)
    state.values = (*state.values[:first], 300, 400, 500, *state.values[first + 3 :])
    state.unopened -= 7 << first
    for value in (300, 400, 500):
        index = state.contents.index(value)
        state.contents = state.contents[:index] + state.contents[index + 1 :]
    state.spots = list(spots)
    state.floor = [0] * len(state.floor)
    for spot, loot in (floor or {}).items():
        state.floor[spot] = loot
    state.characters = list(characters or [OUTLAW] * n_players)
    state.marshal = state.cars - 1 if marshal is None else marshal
    state.event = event
    state.phase = STEAL
    state.cards = [Cards(0, cards(*range(N_ACTIONS))) for _player in range(n_players)]
    state.pile = [player << PLAYER_SHIFT | kind for player, kind in pile]
    for player, kind in pile:
        state.cards[player].deck -= unit(kind)
    state.done = 0
    model._go_on_stealing(state, Rng(3))
    return state


def planning(n_players=3, turns=(STANDARD, STANDARD, STANDARD), hands=None, characters=None, slot=0, model=PLAIN):
    """Return a position at the start of a turn of planning; everybody holds all six actions and has six in the deck."""
    state = model.setup(n_players, Rng(1))
    state.turns = bytes(turns)
    state.event = NO_EVENT
    state.title = "test"
    state.slot = slot
    state.phase = PLAN
    state.characters = list(characters or [OUTLAW] * len(state.spots))
    deck = cards(*range(N_ACTIONS))
    state.cards = [Cards(hand, deck) for hand in hands or [deck] * n_players]
    return state


def play(state, action, model=PLAIN):
    """Play ``action``, which must be available."""
    chosen = interned(action)
    assert chosen in model.available_actions(state), f"{action} is not available"
    model.next(state, chosen, Rng(2))
    return state


def available(state, model=PLAIN):
    """Return the available actions as text."""
    return [str(action) for action in model.available_actions(state)]


def facing(state, index):
    """Say whether a card of the pile was put face down."""
    return bool(state.pile[index] & DOWN)


def purse(state, number):
    """Return the mask of one of the three purses on the train."""
    return 1 << (len(state.held) + number)


def bullets_in(state, player):
    """Return the Bullet cards among the cards of a player."""
    return (state.cards[player].deck + state.cards[player].hand) >> 48


def random_positions(n_players, seed, games=1, model=None):
    """Return all positions of random games, as independent copies, the final ones included."""
    return positions_of(model or ColtExpress(), n_players, seed, games)
