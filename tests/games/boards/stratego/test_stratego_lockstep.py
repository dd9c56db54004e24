"""Random games of Stratego beside a second implementation: legal moves, movers and ends."""

import pytest
from printed_stratego import PrintedStratego

from tag import WIN, Rng, make_game
from tag.games.boards.stratego.data import KIND, LAKE, NAMES, PLAY, SIDE

BOARDS = ("classic", "barrage", "small", "tiny")
#: Parameters of the game, and what the second implementation calls them.
RULES = (
    ("", {}),
    (",two_squares=2", {"limit": 2}),
    (",two_squares=5,scout_attacks=false", {"limit": 5, "scout_attacks": False}),
    (",two_squares=0,chase=false", {"limit": 0, "chase": False}),
)


def place(square):
    return square % 10, square // 10


def oracle(model, state, options):
    field = model.field
    lakes = [place(square) for square in field.squares if state.board[square] == LAKE]
    pieces = {
        place(square): (int(state.board[square] & SIDE > 0), NAMES[state.board[square] & KIND])
        for square in field.squares
        if state.board[square] & KIND
    }
    return PrintedStratego((int(field.width), int(field.height)), lakes, pieces, **options)


def is_beside(one, other):
    return abs(one % 10 - other % 10) + abs(one // 10 - other // 10) == 1


def chosen(state, actions, latest, is_hunt, rng):
    """Return a random action, often one of the piece that has moved last; in a hunt player 0 chases and player 1 flees."""
    player = int(state.current_player)
    liked = [action for action in actions if action.source == latest[player]]
    if is_hunt and player == 0:
        enemies = [square for square, cell in enumerate(state.board) if cell & KIND and cell & SIDE]
        steps = [action for action in actions if state.board[action.target] == 0]
        liked = [action for action in steps if any(is_beside(action.target, square) for square in enemies)]
    elif is_hunt:
        liked = [action for action in actions if is_beside(action.source, latest[0]) and not state.board[action.target]]
    return rng.choice(liked if liked and rng.below(20 if is_hunt else 4) else actions)


def side_by_side(spec, options, least, is_hunt=False):
    """Play at least so many actions, and compare; return how games end and the rules that have barred moves."""
    model, played, ends, barred = make_game(spec), 0, set(), set()
    seed = 0
    while played < least:
        seed += 1
        rng = Rng(seed)
        state = model.setup(2, rng)
        while state.phase != PLAY:
            model.next(state, rng.choice(model.available_actions(state)), rng)
        other = oracle(model, state, options)
        latest = [-1, -1]
        while not state.is_terminal:
            actions = model.available_actions(state)
            words = {(place(action.source), place(action.target)) for action in actions}
            assert len(words) == len(actions)
            assert words == other.legal()
            assert state.current_player == other.player
            action = chosen(state, actions, latest, is_hunt, rng)
            latest[other.player] = action.target
            model.next(state, action, rng)
            other.move(place(action.source), place(action.target))
            played += 1
        winners = [seat for seat in range(2) if state.result(seat) == WIN]
        if other.winner is None:
            assert state.turn == model.max_moves
            assert not winners
        else:
            assert winners == ([] if other.winner == "draw" else [other.winner])
        ends.add(other.winner)
        barred |= other.barred
    return ends, barred


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize(("rules", "options"), RULES)
def test_games_are_those_of_the_second_implementation(board, rules, options):
    side_by_side(f"stratego:variant={board},max_moves=200{rules}", options, 200)


@pytest.mark.flow
@pytest.mark.parametrize(("rules", "options"), [("", {}), (",two_squares=0", {"limit": 0})])
def test_hunts_are_those_of_the_second_implementation(rules, options):
    spec = f"stratego:variant=small,scouts=1,miners=0,bombs=0,spies=0,max_moves=300{rules}"
    ends, barred = side_by_side(spec, options, 3000, is_hunt=True)
    assert {0, 1} & ends
    assert "chase" in barred


@pytest.mark.slow
@pytest.mark.parametrize("board", BOARDS)
def test_100000_actions_are_those_of_the_second_implementation(board):
    barred = set()
    for rules, options in RULES:
        barred |= side_by_side(f"stratego:variant={board}{rules}", options, 12_000 if board == "classic" else 30_000)[1]
    assert "two squares" in barred
