"""Positions of BattleLore, from the names of hexes, and dice that fall as wanted."""

from functools import cache

from tag.engine.rng import Rng
from tag.games.boards.battlelore import Battlelore, BattleloreParameters
from tag.games.boards.battlelore.data import ARMY, BIT, CARD_NAMES, COPY, KINDS, N_HEXES, N_UNITS, hex_name
from tag.games.boards.battlelore.state import ATTACK, COMMAND

FACES = ("strike", "cleave", "pierce", "morale", "heroic", "lore")
HEXES = {hex_name(place): place for place in range(N_HEXES)}
LETTERS = "hvGA"


@cache
def seed_of(numbers, sizes):
    """Return a seed whose first draws below ``sizes`` are these numbers."""
    seed = 0
    while True:
        rng = Rng(seed)
        if all(rng.below(size) == number for number, size in zip(numbers, sizes, strict=True)):
            return seed
        seed += 1


def rolling(*faces, lot=None):
    """Return random numbers that let dice fall like this, and then perhaps a lot between two lines."""
    numbers = [FACES.index(face) for face in faces] + ([] if lot is None else [lot])
    sizes = [6] * len(faces) + ([] if lot is None else [2])
    return Rng(seed_of(tuple(numbers), tuple(sizes)))


def battle(*units, turn=0, phase=ATTACK, hands=((), ()), deck=("Patrol Left",) * 9, points=(0, 0), **parameters):
    """Return the model and a position with units such as ``"h3 D5"`` (kind, figures, hex), all of one side ordered.

    Units are numbered as in the scenario: the first of a kind gets the first number of that kind.
    """
    model = Battlelore(BattleloreParameters(**parameters))
    state = model.setup(2, Rng(1))
    for unit in range(N_UNITS):
        state.board[state.places[unit]] = -1
        state.places[unit] = -1
        state.figures[unit] = 0
    for text in units:
        kind, figures, place = LETTERS.index(text[0]), int(text[1]), HEXES[text[3:]]
        unit = next(unit for unit in range(N_UNITS) if KINDS[unit] == kind and state.places[unit] < 0)
        state.places[unit], state.figures[unit], state.board[place] = place, figures, unit
        if unit // ARMY == turn and phase != COMMAND:
            state.ordered |= BIT[unit]
    state.turn_player = state.current_player = turn
    state.phase = phase
    if phase != COMMAND:
        state.card = 0
    if phase == ATTACK:
        state.moved = state.ordered
    state.hands = tuple(cards(*hand) for hand in hands)
    state.deck, state.discards, state.known = cards(*deck), 0, (0, 0)
    state.points = points
    return model, state


def cards(*names):
    """Return cards as a set."""
    return sum(COPY[CARD_NAMES.index(name)] for name in names)


def unit_at(state, place):
    return state.board[HEXES[place]]


def where(state):
    """Return the units as in `battle`."""
    found = {
        f"{LETTERS[KINDS[unit]]}{state.figures[unit]} {hex_name(state.places[unit])}"
        for unit in range(N_UNITS)
        if state.figures[unit]
    }
    assert all((state.places[unit] < 0) == (state.figures[unit] == 0) for unit in range(N_UNITS))
    assert sorted(place for place in state.places if place >= 0) == [
        place for place in range(N_HEXES) if state.board[place] >= 0
    ]
    return found


def offered(model, state):
    """Return the available actions as text."""
    return [action.text(state, -1) for action in model.available_actions(state)]


def do(model, state, text, rng=None):
    """Take the action with this text."""
    by_text = {action.text(state, -1): action for action in model.available_actions(state)}
    assert text in by_text, f"{text!r} is not among {sorted(by_text)}"
    model.next(state, by_text[text], rng or Rng(1))


def attack(model, state, start, end, *faces, lot=None):
    """Attack from one hex to another, with these faces of the dice."""
    units = unit_at(state, start), unit_at(state, end)
    by_units = {
        (action.unit, action.target): action
        for action in model.available_actions(state)
        if type(action).__name__ == "AttackUnit"
    }
    assert units in by_units, f"{start} cannot attack {end}"
    model.next(state, by_units[units], rolling(*faces, lot=lot))
