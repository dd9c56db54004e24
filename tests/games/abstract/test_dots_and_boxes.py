"""Dots and Boxes: rules one by one, games against a naive implementation and OpenSpiel, exact values, symmetries, chains.

The tests of rules are named by the sentences of the rules in the docstring of the game: turns, box, again, two boxes, leave,
end; and opening, TAG's restriction.
"""

from functools import cache

import numpy as np
import pytest
from play.measuring import scripted
from play.symmetric_play import assert_symmetric
from play.telling import told
from play.valuing import features_of, heuristic_of

from tag import Rng, make_game, make_heuristic
from tag.engine.results import DRAW, LOSE, WIN
from tag.errors import ParameterError
from tag.games.abstract.dots_and_boxes import DotsAndBoxes, DotsAndBoxesParameters
from tag.games.abstract.dots_and_boxes.data import lines_of, sides_of

RNG = Rng(0)
THEORY = make_heuristic("dots_and_boxes")
#: The first player's boxes less the other's, with best play.
VALUES = {(1, 1): -1, (2, 1): 0, (2, 2): 2, (3, 2): -2}
LARGE_VALUES = {(4, 2): 2, (3, 3): -3}


def game(width=2, height=1, n_players=2, third_sides_after=0):
    model = DotsAndBoxes(DotsAndBoxesParameters(width, height, third_sides_after))
    return model, model.setup(n_players, RNG)


def names(model, state):
    return [str(action) for action in model.available_actions(state)]


def draw(model, state, texts):
    """Draw the lines with these names."""
    for text in texts.split():
        model.next(state, next(action for action in model.available_actions(state) if str(action) == text), RNG)


def played(texts, width=2, height=1, n_players=2, third_sides_after=0):
    """Return the position after the lines with these names; two boxes beside each other by default."""
    model, state = game(width, height, n_players, third_sides_after)
    draw(model, state, texts)
    return model, state


def points(state):
    return tuple(int(state.score(player)) for player in range(state.n_players))


# --- rules, one by one --------------------------------------------------------------------------------------------------


def test_turns_seat_0_begins_and_all_lines_are_free():
    model, state = game()
    assert state.current_player == 0
    assert names(model, state) == ["a1-b1", "b1-c1", "a2-b2", "b2-c2", "a1-a2", "b1-b2", "c1-c2"]


def test_turns_grid_of_tag_by_default():
    model = make_game("dots_and_boxes")
    assert len(model.available_actions(model.setup(2, RNG))) == 82


@pytest.mark.parametrize("n_players", range(2, 7))
def test_turns_go_around(n_players):
    model, state = game(3, 3, n_players)
    movers = []
    for text in ["a1-b1", "c1-d1", "a2-b2", "c2-d2", "a3-b3", "c3-d3", "a4-b4"]:
        movers.append(int(state.current_player))
        draw(model, state, text)
    assert movers == [turn % n_players for turn in range(7)]
    assert state.turn == 7


def test_turns_no_line_is_drawn_twice():
    model, state = played("b1-b2 a1-b1")
    assert names(model, state) == ["b1-c1", "a2-b2", "b2-c2", "a1-a2", "c1-c2"]


def test_box_belongs_to_who_draws_its_fourth_side():
    _model, state = played("a1-b1 a2-b2 a1-a2 b1-b2")
    assert state.owners() == [1, -1]
    assert points(state) == (0, 1)


def test_box_with_three_sides_belongs_to_no_player():
    _model, state = played("a1-b1 a2-b2 a1-a2")
    assert state.owners() == [-1, -1]
    assert state.current_player == 1


@pytest.mark.parametrize("last", range(4))
def test_box_can_be_completed_by_any_side(last):
    sides = ["a1-b1", "a1-a2", "b1-b2", "a2-b2"]
    _model, state = played(" ".join([*sides[:last], *sides[last + 1 :], sides[last]]))
    assert state.owners() == [1, -1]


def test_again_the_same_player_draws_another_line_in_the_same_turn():
    _model, state = played("a1-b1 a2-b2 a1-a2 b1-b2")
    assert state.current_player == 1
    assert state.turn == 3


def test_again_after_each_box_and_then_the_next_seat():
    model, state = played("a1-b1 a2-b2 b2-c2 a1-a2 b1-b2", 3, 1, 3)
    assert (state.current_player, points(state)) == (1, (0, 1, 0))
    draw(model, state, "b1-c1")
    assert (state.current_player, points(state)) == (2, (0, 1, 0))
    draw(model, state, "c1-c2")
    assert (state.current_player, points(state)) == (2, (0, 1, 1))
    draw(model, state, "c1-d1")
    assert (state.current_player, points(state)) == (0, (0, 1, 1))


def test_two_boxes_by_one_line_are_both_owned_and_give_one_more_line():
    model, state = played("a1-b1 b1-c1 a2-b2 b2-c2 a1-a2 c1-c2 b1-b2", 3, 1)
    assert state.owners() == [0, 0, -1]
    assert (state.current_player, points(state)) == (0, (2, 0))
    draw(model, state, "c1-d1")
    assert state.current_player == 1


def test_two_boxes_above_each_other_by_one_line():
    _model, state = played("a1-b1 a1-a2 b1-b2 a2-a3 b2-b3 a3-b3 a2-b2", 1, 2)
    assert points(state) == (2, 0)
    assert state.is_terminal


def test_line_that_completes_one_box_and_is_third_side_of_another():
    _model, state = played("a1-b1 a2-b2 a1-a2 b1-c1 b2-c2 b1-b2")
    assert state.owners() == [1, -1]
    assert state.current_player == 1


def test_leave_a_box_that_could_be_taken():
    model, state = played("a1-b1 a2-b2 a1-a2")
    assert len(names(model, state)) == 4
    draw(model, state, "b1-c1")
    assert (state.current_player, points(state)) == (0, (0, 0))
    draw(model, state, "b1-b2")
    assert points(state) == (1, 0)


def test_end_with_the_last_line_and_most_boxes_win():
    model, state = played("a1-b1 a2-b2 a1-a2 b1-c1 b2-c2 b1-b2")
    assert not state.is_terminal
    draw(model, state, "c1-c2")
    assert state.is_terminal
    assert names(model, state) == []
    assert points(state) == (0, 2)
    assert state.results == (LOSE, WIN)


def test_end_with_equal_boxes_is_a_draw():
    _model, state = played("a1-b1 a2-b2 b1-c1 a1-a2 b1-b2 b2-c2 c1-c2")
    assert points(state) == (1, 1)
    assert state.results == (DRAW, DRAW)


def test_end_with_a_shared_first_place_is_a_draw_of_those_who_share_it():
    _model, state = played("a1-b1 a2-b2 b1-c1 a1-a2 b1-b2 b2-c2 c1-c2", n_players=3)
    assert points(state) == (0, 1, 1)
    assert state.results == (LOSE, DRAW, DRAW)


def test_opening_allows_no_third_side_until_so_many_lines_are_drawn():
    model, state = played("a1-b1 a2-b2", 3, 1, third_sides_after=5)
    assert names(model, state) == ["b1-c1", "c1-d1", "b2-c2", "c2-d2", "c1-c2", "d1-d2"]
    draw(model, state, "c1-d1 c2-d2")
    assert names(model, state) == ["b1-c1", "b2-c2"]
    draw(model, state, "b1-c1")
    assert state.left == 5
    assert len(names(model, state)) == 5


def test_opening_allows_a_third_side_that_completes_another_box():
    """The middle line is the fourth side of one box and the third of the other, which has no other line that is allowed."""
    model, state = played("a1-b1 b1-c1 a2-b2 b2-c2", third_sides_after=7)
    assert names(model, state) == ["a1-a2", "b1-b2", "c1-c2"]
    draw(model, state, "a1-a2")
    assert names(model, state) == ["b1-b2"]


def test_opening_allows_all_lines_if_each_is_a_third_side():
    model, state = played("a1-b1 a2-b2", 1, 1, third_sides_after=4)
    assert names(model, state) == ["a1-a2", "b1-b2"]


def test_opening_is_free_by_default():
    model, state = played("a1-b1 a2-b2")
    assert "a1-a2" in names(model, state)


# --- whole games ----------------------------------------------------------------------------------------------------------


class Naive:
    """The rules written as plainly as can be: lines are pairs of dots, and a box is complete if its four are drawn."""

    def __init__(self, width, height, n_players, third_sides_after=0):
        self.lines = lines_of(width, height)
        self.boxes = [
            {((x, y), (x + 1, y)), ((x, y + 1), (x + 1, y + 1)), ((x, y), (x, y + 1)), ((x + 1, y), (x + 1, y + 1))}
            for y in range(height)
            for x in range(width)
        ]
        self.owners = [-1] * len(self.boxes)
        self.drawn = set()
        self.n_players, self.player, self.third_sides_after = n_players, 0, third_sides_after

    def is_third_side(self, line):
        drawn = [len(box & self.drawn) for box in self.boxes if line in box]
        return 2 in drawn and 3 not in drawn

    def moves(self):
        free = [line for line in self.lines if line not in self.drawn]
        allowed = free
        if len(self.drawn) < self.third_sides_after:
            allowed = [line for line in free if not self.is_third_side(line)]
        return [self.lines.index(line) for line in allowed or free]

    def draw(self, number):
        self.drawn.add(self.lines[number])
        complete = [at for at, box in enumerate(self.boxes) if self.owners[at] < 0 and box <= self.drawn]
        for box in complete:
            self.owners[box] = self.player
        if not complete:
            self.player = (self.player + 1) % self.n_players

    def results(self):
        counts = [self.owners.count(player) for player in range(self.n_players)]
        first = WIN if counts.count(max(counts)) == 1 else DRAW
        return tuple(first if count == max(counts) else LOSE for count in counts)


def play_beside_naive(width, height, n_players, third_sides_after, rng):
    model, state = game(width, height, n_players, third_sides_after)
    naive = Naive(width, height, n_players, third_sides_after)
    while not state.is_terminal:
        actions = model.available_actions(state)
        assert [int(action.line) for action in actions] == naive.moves()
        assert state.current_player == naive.player
        assert state.left == len(naive.lines) - len(naive.drawn)
        action = rng.choice(actions)
        model.next(state, action, rng)
        naive.draw(action.line)
        assert state.owners() == naive.owners
        assert points(state) == tuple(naive.owners.count(player) for player in range(n_players))
    assert naive.moves() == []
    assert state.results == naive.results()
    assert sum(points(state)) == width * height


@pytest.mark.parametrize("n_players", range(2, 7))
@pytest.mark.parametrize("size", [(1, 1), (3, 1), (1, 4), (4, 3), (7, 5)])
def test_random_games_are_those_of_a_naive_implementation(size, n_players):
    for third_sides_after in (0, 7, 760):
        play_beside_naive(*size, n_players, third_sides_after, Rng(n_players))


@pytest.mark.slow
def test_thousands_of_random_games_are_those_of_a_naive_implementation():
    rng = Rng(7)
    for _game in range(2000):
        width, height = 1 + rng.below(6), 1 + rng.below(6)
        play_beside_naive(width, height, 2 + rng.below(5), rng.choice([0, 0, 5, 20, 760]), rng)
    for size in [(8, 8), (19, 2), (2, 19), (19, 19)]:
        play_beside_naive(*size, 3, 100, rng)


def test_boards_beyond_a_machine_integer():
    """A game on 9 by 8 boxes takes two words of each board."""
    play_beside_naive(9, 8, 2, 40, Rng(1))


def assert_lockstep_with_openspiel(width, height, games, rng):
    pyspiel = pytest.importorskip("pyspiel")
    model, _state = game(width, height)
    other_game = pyspiel.load_game(f"dots_and_boxes(num_rows={height},num_cols={width},utility_margin=true)")
    for _game in range(games):
        state, other = model.setup(2, rng), other_game.new_initial_state()
        while not state.is_terminal:
            actions = model.available_actions(state)
            assert [int(action.line) for action in actions] == other.legal_actions()
            assert state.current_player == other.current_player()
            action = rng.choice(actions)
            model.next(state, action, rng)
            other.apply_action(int(action.line))
        assert other.is_terminal()
        assert state.score(0) - state.score(1) == other.returns()[0]


@pytest.mark.parametrize("size", [(1, 1), (2, 2), (3, 2), (2, 4), (7, 5)])
def test_lockstep_with_openspiel(size):
    assert_lockstep_with_openspiel(*size, 10, Rng(3))


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1, 1), (2, 2), (3, 2), (2, 4), (3, 3), (5, 5), (7, 5)])
def test_ten_thousand_games_in_lockstep_with_openspiel(size):
    assert_lockstep_with_openspiel(*size, 1500, Rng(5))


# --- exact values -----------------------------------------------------------------------------------------------------


@cache
def margins(width, height):
    """Return for each set of drawn lines the player to move's future boxes less the other's, by backward induction."""
    n_lines = len(lines_of(width, height))
    boxes = [sum(1 << line for line in sides_of(box, width, height)) for box in range(width * height)]
    numbers = np.arange(1 << n_lines, dtype=np.int64)
    counts = sum((numbers >> line & 1) for line in range(n_lines)).astype(np.int8)
    values = np.full(1 << n_lines, -100, np.int8)
    values[-1] = 0
    for n_drawn in range(n_lines - 1, -1, -1):
        before = numbers[counts == n_drawn]
        best = values[before]
        for line in range(n_lines):
            of_line = (before >> line & 1) == 0
            after = before[of_line] | 1 << line
            won = sum(((after & box) == box).astype(np.int8) for box in boxes if box >> line & 1)
            best[of_line] = np.maximum(best[of_line], np.where(won > 0, won + values[after], -values[after]))
        values[before] = best
    return values


def key(state):
    return sum(1 << line for line, is_free in enumerate(state.free_lines()) if not is_free)


def after(model, state, action):
    following = state.copy()
    model.next(following, action, RNG)
    return following


def margin_after(state, following, values):
    """Return what a position is worth to the player who moved, future boxes and those of the move."""
    player = state.current_player
    rest = int(values[key(following)])
    gained = following.score(player) - state.score(player)
    return gained + (rest if following.current_player == player else -rest)


def assert_value(size, value):
    """The table has the value, the rules lead along it, and best play ends with it."""
    values = margins(*size)
    assert values[0] == value
    rng = Rng(2)
    for _game in range(5):
        model, state = game(*size)
        while not state.is_terminal:
            actions = model.available_actions(state)
            assert values[key(state)] == max(
                margin_after(state, after(model, state, action), values) for action in actions
            )
            model.next(state, rng.choice(actions), rng)
    model, state = game(*size)
    while not state.is_terminal:
        best = max(
            model.available_actions(state),
            key=lambda action: margin_after(state, after(model, state, action), values),
        )
        model.next(state, best, rng)
    assert state.score(0) - state.score(1) == value


@pytest.mark.parametrize(("size", "value"), VALUES.items())
def test_value_of_a_small_grid(size, value):
    assert_value(size, value)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "value"), LARGE_VALUES.items())
def test_value_of_a_larger_grid(size, value):
    assert_value(size, value)


# --- symmetries, heuristic, texts -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "order"), [((3, 2), 4), ((1, 3), 4), ((2, 2), 8), ((1, 1), 8)])
@pytest.mark.parametrize("n_players", [2, 3])
def test_symmetries(size, order, n_players):
    model, _state = game(*size)
    assert len(model.cells(n_players).symmetries) == order
    assert_symmetric(model, n_players)


def test_sets_of_tuples_have_one_of_each_class():
    cells = make_game("dots_and_boxes:width=3,height=3").cells(2)
    assert [len(cells.tuples[name]) for name in ("boxes", "pairs")] == [3, 2]
    assert {len(cells) for cells in cells.tuples["pairs"]} == {9}


def test_cells_tell_whose_turn_it_is():
    _model, state = played("a1-b1 a2-b2 a1-a2 b1-b2")
    assert state.cell_values() == bytes([0, 2, 0, 2, 0, 0, 2, 2, 0])


def margin(state, player):
    boxes = THEORY.foreseen(state)
    return boxes[player] - boxes[1 - player]


def test_player_to_move_takes_what_can_be_taken():
    _model, state = played("a1-b1 a2-b2 a1-a2", 4, 1)
    assert margin(state, 1) == 1.0
    assert heuristic_of(state, 1) == 1 / 5
    assert heuristic_of(state, 0) == -1 / 5


@pytest.mark.parametrize("size", [(2, 2), (3, 2)])
def test_chains_are_foreseen_as_they_are_played(size):
    """In positions in which each line is a third side, the heuristic knows the exact margin."""
    values = margins(*size)
    model, rng = make_game(f"dots_and_boxes:width={size[0]},height={size[1]}"), Rng(4)
    positions = 0
    for _game in range(100):
        state = model.setup(2, rng)
        while not state.is_terminal:
            player = state.current_player
            lead = state.score(player) - state.score(1 - player)
            if all(naive_is_unsafe(state, line) for line in np.flatnonzero(state.free_lines())):
                assert margin(state, player) == lead + values[key(state)]
                positions += 1
            model.next(state, model.random_action(state, rng), rng)
    assert positions > 300


def naive_is_unsafe(state, line):
    """Say whether a line is the third or fourth side of a box."""
    free = state.free_lines()
    boxes = [sides_of(box, int(state.width), int(state.height)) for box in range(len(state.owners()))]
    return any(sum(not free[side] for side in sides) >= 2 for sides in boxes if line in sides)


def test_a_long_chain_is_left_with_two_boxes_to_stay_in_control():
    """Two chains of four: who gets the first leaves two boxes of it and gets the second, 6 to 2."""
    lines = "a1-b1 b1-c1 c1-d1 d1-e1 a2-b2 b2-c2 c2-d2 d2-e2 a3-b3 b3-c3 c3-d3 d3-e3"
    _model, state = played(lines, 4, 2)
    assert THEORY.foreseen(state) == [2.0, 6.0]


def test_three_players_get_the_chains_by_turns():
    lines = "a1-b1 b1-c1 a2-b2 b2-c2 a3-b3 b3-c3"
    _model, state = played(lines, 2, 2, 3)
    assert THEORY.foreseen(state) == [0.0, 2.0, 2.0]


def test_weights_of_zero_leave_the_lead():
    plain = make_heuristic("dots_and_boxes:takeable=0,chains=0")
    _model, state = played("a1-b1 a2-b2 a1-a2", 4, 1)
    assert plain.value(state, 1) == 0.0
    assert 0.0 < make_heuristic("dots_and_boxes:takeable=0.5").value(state, 1) < THEORY.value(state, 1)


def test_text_features_and_components():
    _model, state = played("a1-b1 a2-b2 a1-a2 b1-b2 c1-c2")
    assert str(state) == ("     a   b   c\n  1  +---+   +\n     | 1 |   |\n  2  +---+   +\nplayer 0: 0, player 1: 1")
    features = features_of(state, 0, width=2, height=1)
    assert features["lead"] == -0.5
    assert features["to_move"] == 1.0
    assert features["takeable"] == 0.0
    assert (features["box_0"], features["box_1"]) == (-1.0, 0.0)
    assert (features["a1-b1"], features["b1-c1"]) == (1.0, 0.0)
    assert [features[f"sides_{number}"] for number in range(4)] == [0.0, 0.0, 0.5, 0.0]
    boxes, lines = state.components()
    assert boxes.cells == [1, -1]
    assert lines.place_name(0) == "a1-b1"
    assert sorted(lines.neighbours(5)) == [0, 1, 2, 3, 4, 6]


def test_metric_counts_gifts_and_runs():
    model, state = game(3, 1)
    lines = "a1-b1 c1-d1 a2-b2 a1-a2 c2-d2 b1-b2 d1-d2 c1-c2 b1-c1"
    assert scripted(model, "dots_and_boxes", state, *lines.split()) == {
        "given_away": [2 / 7],
        "left_boxes": [1 / 7],
        "double_crosses": [0.0],
        "longest_run": [1.0],
    }


def test_metric_counts_lines_that_complete_two_boxes():
    model, state = game(3, 1)
    lines = "a1-b1 b1-c1 a2-b2 b2-c2 a1-a2 c1-c2 b1-b2 c1-d1 c2-d2 d1-d2"
    measured = scripted(model, "dots_and_boxes", state, *lines.split())
    assert (measured["double_crosses"], measured["longest_run"]) == ([1.0], [2.0])


@pytest.mark.parametrize(
    ("name", "value", "nearest"), [("width", 0, 1), ("height", 20, 19), ("third_sides_after", -1, 0)]
)
def test_parameters_out_of_range_are_refused(name, value, nearest):
    with pytest.raises(ParameterError, match=f"the nearest value {nearest}"):
        DotsAndBoxesParameters(**{name: value})


def test_told_which_boxes_are_completed():
    model, state = played("a1-b1 a2-b2 a1-a2")
    assert told(model, state, "b1-c1") == []
    assert told(model, state, "b1-b2") == ["player 1 completes a box and draws again"]
    draw(model, state, "b1-c1 b2-c2 c1-c2")
    assert told(model, state, "b1-b2") == ["player 0 completes 2 boxes"]
