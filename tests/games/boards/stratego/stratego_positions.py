"""Positions of Stratego from drawings, for tests.

Rows are drawn from the top. ``+M`` is the marshal of player 0, ``-B`` a bomb of player 1; ``.`` is free and ``~~`` a lake. A
letter more tells what is known: ``m`` for pieces that have moved, ``s`` for those that both players know, ``b`` for both.
"""

from tag import Rng, make_game
from tag.games.boards.stratego.data import LETTERS, MOVED, PLAY, SHOWN, SIDE, SQUARE_NAMES
from tag.games.boards.stratego.state import StrategoState

MARKS = {"": 0, "m": MOVED, "s": SHOWN, "b": MOVED | SHOWN}


def square(name):
    return SQUARE_NAMES.index(name)


def game(spec="stratego:variant=small"):
    return make_game(spec)


def position(drawing, player=0, spec="stratego:variant=small"):
    """Return the model and the position that is drawn, with a player to move."""
    model = game(spec)
    state = StrategoState(model.rules, model.variant, model.army, list(model.field.empty))
    rows = [line.split() for line in drawing.strip().splitlines()][::-1]
    assert (len(rows), len(rows[0])) == (model.field.height, model.field.width)
    for row, tokens in enumerate(rows):
        for column, token in enumerate(tokens):
            if token[0] in "+-":
                kind = LETTERS.index(token[1])
                state.board[10 * row + column] = kind | SIDE * (token[0] == "-") | MARKS[token[2:]]
    state.phase = PLAY
    state.turn_player = state.current_player = player
    return model, state


def moves(model, state):
    """Return the available moves as text."""
    return {str(action) for action in model.available_actions(state)}


def play(model, state, *texts):
    """Play moves by their texts, such as ``a1-a2``."""
    for text in texts:
        wanted = text.replace("-", " to ")
        found = [action for action in model.available_actions(state) if str(action) == wanted]
        assert found, f"{text} is not available"
        model.next(state, found[0], Rng(1))


def at(state, name):
    """Return the piece on a square as it is drawn for one who sees everything, with what is known of it."""
    cell = state.board[square(name)]
    if cell == 0:
        return "."
    marks = {value: mark for mark, value in MARKS.items()}
    return f"{'-' if cell & SIDE else '+'}{LETTERS[cell & 15]}{marks[cell & (MOVED | SHOWN)]}"
