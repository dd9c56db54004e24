"""2048: slides by hand and against a naive implementation, new tiles, chance apart from moves, symmetries, and scores."""

from collections import Counter
from statistics import mean

import pytest
from play.telling import told
from play.valuing import heuristic_of

from tag import Rng, interned, make_game
from tag.engine.results import LOSE, WIN
from tag.games.abstract.twenty_forty_eight import (
    Slide,
    TwentyFortyEight,
    TwentyFortyEightMetric,
    TwentyFortyEightParameters,
)
from tag.orders import GameOrder, new_game

UP, RIGHT, DOWN, LEFT = (interned(Slide(direction)) for direction in range(4))
SLIDES = (UP, RIGHT, DOWN, LEFT)
MODEL = make_game("twenty_forty_eight")


def grid(*rows, model=MODEL):
    """Return the position with these tiles: 2, 4, 8, …, 0 for a free cell."""
    state = model.setup(1, Rng(0))
    exponents = [tile.bit_length() - 1 if tile else 0 for row in rows for tile in row]
    state.top = sum(exponent << 4 * cell for cell, exponent in enumerate(exponents[:8]))
    state.bottom = sum(exponent << 4 * cell for cell, exponent in enumerate(exponents[8:]))
    return state


def tiles(state):
    """Return the rows of tiles."""
    values = [1 << exponent if exponent else 0 for exponent in state.cell_values()]
    return [values[row : row + 4] for row in range(0, 16, 4)]


def naive(rows, direction):
    """Return the rows after a move, and the points, as the rules say it: tile by tile, cell by cell."""
    dy, dx = ((-1, 0), (0, 1), (1, 0), (0, -1))[direction]
    rows = [row[:] for row in rows]
    merged = [[False] * 4 for _row in range(4)]
    points = 0
    order = range(4) if dx + dy < 0 else range(3, -1, -1)
    for y in order if dy else range(4):
        for x in order if dx else range(4):
            at_y, at_x = y, x
            while rows[at_y][at_x] and 0 <= at_y + dy < 4 and 0 <= at_x + dx < 4:
                tile, beyond = rows[at_y][at_x], rows[at_y + dy][at_x + dx]
                if beyond and (beyond != tile or merged[at_y + dy][at_x + dx] or tile == 32768):
                    break
                rows[at_y][at_x] = 0
                at_y, at_x = at_y + dy, at_x + dx
                rows[at_y][at_x] = beyond + tile
                if beyond:
                    merged[at_y][at_x] = True
                    points += beyond + tile
                    break
    return rows, points


@pytest.mark.parametrize(
    ("row", "left", "points"),
    [
        ([0, 0, 0, 2], [2, 0, 0, 0], 0),
        ([2, 0, 0, 2], [4, 0, 0, 0], 4),
        ([2, 2, 2, 2], [4, 4, 0, 0], 8),
        ([2, 2, 4, 0], [4, 4, 0, 0], 4),
        ([4, 2, 2, 0], [4, 4, 0, 0], 4),
        ([2, 2, 2, 0], [4, 2, 0, 0], 4),
        ([8, 0, 8, 16], [16, 16, 0, 0], 16),
        ([2, 4, 2, 4], [2, 4, 2, 4], 0),
        ([16384, 16384, 0, 0], [32768, 0, 0, 0], 32768),
        ([32768, 32768, 2, 2], [32768, 32768, 4, 0], 4),
    ],
)
def test_slides_by_hand(row, left, points):
    empty = [[0] * 4] * 3
    state = grid(row, *empty)
    state.slide(3)
    assert (tiles(state)[0], int(state.points)) == (left, points)
    state = grid(*empty, row[::-1])
    state.slide(1)
    assert (tiles(state)[3], int(state.points)) == (left[::-1], points)


def test_two_of_three_tiles_merge_at_the_end_they_slide_to():
    state = grid([0, 2, 2, 2], [0] * 4, [0] * 4, [0] * 4)
    state.slide(1)
    assert tiles(state)[0] == [0, 0, 2, 4]


def random_rows(rng, most):
    return [
        [rng.choice([0, 0, *[1 << 1 + int(rng.below(most)) for _ in range(3)]]) for _x in range(4)] for _y in range(4)
    ]


@pytest.mark.parametrize("most", [1, 2, 5, 15])
def test_slides_of_random_grids_are_those_of_a_naive_implementation(most):
    rng = Rng(most)
    for _grid in range(150):
        rows = random_rows(rng, most)
        for direction, slide in enumerate(SLIDES):
            state = grid(*rows)
            expected, points = naive(rows, direction)
            assert (slide in MODEL.available_actions(state)) == (expected != rows)
            state.slide(direction)
            assert (tiles(state), int(state.points)) == (expected, points)


def test_a_game_begins_with_two_tiles_anywhere():
    cells, values = Counter(), Counter()
    for seed in range(1000):
        exponents = MODEL.setup(1, Rng(seed)).cell_values()
        assert exponents.count(0) == 14
        cells.update(cell for cell, exponent in enumerate(exponents) if exponent)
        values.update(exponent for exponent in exponents if exponent)
    assert all(80 < cells[cell] < 175 for cell in range(16))  # 125 expected, a standard deviation of 11
    assert 150 < values[2] < 250  # 200 expected, 13
    assert values.keys() == {1, 2}


def test_every_free_cell_can_get_both_tiles():
    state = grid([2, 2, 0, 0], [0, 0, 0, 4], [0] * 4, [8, 16, 32, 64])
    after = MODEL.afterstate(state, LEFT)
    outcomes = MODEL.outcomes(state, LEFT).all()
    free = [cell for cell, exponent in enumerate(after.cell_values()) if not exponent]
    assert len(outcomes) == 2 * len(free) == 20
    found = {}
    for probability, position in outcomes:
        [(cell, exponent)] = [
            (cell, new)
            for cell, (old, new) in enumerate(zip(after.cell_values(), position.cell_values(), strict=True))
            if old != new
        ]
        found[cell, exponent] = probability
        assert position.points == 4
    expected = {(cell, exponent): (0.9, 0.1)[exponent - 1] / len(free) for cell in free for exponent in (1, 2)}
    assert found == pytest.approx(expected)


@pytest.mark.parametrize("spec", ["twenty_forty_eight", "twenty_forty_eight:target=64,play_on=false,fours=2"])
def test_an_afterstate_and_its_chance_are_the_next_position(spec):
    model, rng = make_game(spec), Rng(5)
    state = model.setup(1, rng)
    while not state.is_terminal:
        action = model.random_action(state, rng)
        before = state.snapshot()
        together = model.afterstate(state, action)
        assert state.snapshot() == before
        assert together.cell_values().count(0) >= 1
        assert together.points - state.points == naive(tiles(state), action.direction)[1]
        chance = rng.snapshot()
        model.resolve_chance(together, rng)
        drawn = rng.snapshot()
        rng.restore(chance)
        model.next(state, action, rng)
        assert state.snapshot() == together.snapshot()
        assert rng.snapshot() == drawn


@pytest.mark.parametrize(("largest", "result"), [(16, LOSE), (1024, LOSE), (2048, WIN), (4096, WIN)])
def test_a_full_grid_without_equal_neighbours_ends_the_game(largest, result):
    """The last free cell is beside a 2: a new 2 could merge with it, and a 4 could not."""
    state = grid([8, 4, 8, largest], [4, 8, 4, 8], [8, 4, 8, 4], [2, 32, 64, 0])
    goes_on, ends = sorted(
        (after for _, after in MODEL.outcomes(state, RIGHT).all()), key=lambda after: after.is_terminal
    )
    assert (tiles(goes_on)[3][0], tiles(ends)[3][0]) == (2, 4)
    assert not goes_on.is_terminal
    assert MODEL.available_actions(goes_on) == [RIGHT, LEFT]
    assert ends.is_terminal
    assert ends.result(0) == result


@pytest.mark.parametrize(("play_on", "is_over"), [(True, False), (False, True)])
def test_the_tile_that_wins_may_end_the_game(play_on, is_over):
    model = TwentyFortyEight(TwentyFortyEightParameters(target=64, play_on=play_on))
    state = grid([32, 32, 0, 0], [0] * 4, [0] * 4, [0] * 4, model=model)
    model.next(state, LEFT, Rng(0))
    assert state.is_terminal == is_over
    assert state.result(0) == (WIN if is_over else 0)
    assert state.score(0) == 64


def test_fours_can_be_more_frequent():
    state = make_game("twenty_forty_eight:fours=1").setup(1, Rng(0))
    assert sorted(state.cell_values()) == [0] * 14 + [2, 2]


def test_symmetries_are_the_group_of_the_square():
    cells = MODEL.cells(1)
    found = set(cells.symmetries)
    assert len(found) == 8
    assert all(tuple(one[cell] for cell in other) in found for one in found for other in found)


@pytest.mark.parametrize("number", range(8))
def test_symmetries_commute_with_the_rules(number):
    """Chance is exchanged with the cells: outcomes are the same, cell by cell, with equal probabilities."""
    cells, rng = MODEL.cells(1), Rng(number)
    state = MODEL.setup(1, rng)
    while not state.is_terminal:
        image = state.copy()
        moved = cells.moved(state.cell_values(), number)
        image.top = sum(exponent << 4 * cell for cell, exponent in enumerate(moved[:8]))
        image.bottom = sum(exponent << 4 * cell for cell, exponent in enumerate(moved[8:]))
        slides = [SLIDES[cells.actions[number][slide.direction]] for slide in MODEL.available_actions(state)]
        assert set(slides) == set(MODEL.available_actions(image))
        action = MODEL.random_action(state, rng)
        slide = SLIDES[cells.actions[number][action.direction]]
        here, there = MODEL.afterstate(state, action), MODEL.afterstate(image, slide)
        assert cells.moved(here.cell_values(), number) == there.cell_values()
        assert here.points == there.points
        assert heuristic_of(image, 0) == pytest.approx(heuristic_of(state, 0))
        MODEL.next(state, action, rng)


def test_published_tuples():
    tuples = MODEL.cells(1).tuples
    assert len(tuples["lines_and_squares"]) == len(set(tuples["lines_and_squares"])) == 17
    assert (10, 11, 14, 15) in tuples["lines_and_squares"]
    assert [len(cells) for cells in tuples["four_6_tuples"]] == [6] * 4


def scores(games):
    return [new_game(GameOrder("", "twenty_forty_eight", ("random",), seed)).play().score(0) for seed in range(games)]


def test_random_play_scores_as_in_other_implementations():
    """The mean of 3,000 games of OpenSpiel is 1,095, with a standard deviation of 530: five standard errors."""
    assert abs(mean(scores(60)) - 1095) < 5 * 530 / 60**0.5


@pytest.mark.heavy
def test_the_mean_score_of_random_play():
    assert abs(mean(scores(3000)) - 1095) < 30


def test_the_metric_tells_the_largest_tile():
    metric = TwentyFortyEightMetric(MODEL, Rng(0))
    metric.on_end(grid([2, 512, 0, 0], [0] * 4, [0] * 4, [0, 0, 0, 64]))
    assert metric.values() == {
        "largest_tile": [512.0],
        "reached_512": [1.0],
        "reached_2048": [0.0],
        "reached_8192": [0.0],
    }


def test_lockstep_with_openspiel():
    """Its version 2.0.2 misses moves that only merge tiles of the last move's merges, though it plays them rightly."""
    pyspiel = pytest.importorskip("pyspiel")
    other_game, rng = pyspiel.load_game("2048(max_tile=131072)"), Rng(9)

    def new_tiles(before, after):
        return [(cell, new) for cell, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]

    for _game in range(20):
        state, other = MODEL.setup(1, rng), other_game.new_initial_state()
        for cell, exponent in new_tiles(bytes(16), state.cell_values()):
            other.apply_action(2 * cell + exponent - 1)
        while not state.is_terminal:
            actions = MODEL.available_actions(state)
            theirs = other.legal_actions()
            assert set(theirs) <= {action.direction for action in actions}
            action = rng.choice(actions)
            after = MODEL.afterstate(state, action)
            assert action.direction in theirs or after.points > state.points
            MODEL.next(state, action, rng)
            other.apply_action(action.direction)
            [(cell, exponent)] = new_tiles(after.cell_values(), state.cell_values())
            chance = 2 * cell + exponent - 1
            assert dict(other.chance_outcomes())[chance] == pytest.approx((0.9, 0.1)[exponent - 1] / after.n_free())
            other.apply_action(chance)
            assert other.is_terminal() == state.is_terminal
        assert other.returns() == [state.score(0)]


def test_told_what_merges_and_where_the_new_tile_lies():
    state = grid([2, 2, 2, 2], [8, 8, 4, 0], [2, 0, 0, 0], [0, 0, 0, 0])
    merged, added = told(MODEL, state, RIGHT)
    assert merged == "player 0 scores 24: tiles merge into 4, 4, 16"
    after = state.copy()
    MODEL.next(after, RIGHT, Rng(1))
    slid = MODEL.afterstate(state, RIGHT)
    [new] = [cell for cell in range(16) if after.cell_values()[cell] != slid.cell_values()[cell]]
    assert added == f"a new {1 << after.cell_values()[new]} lies on {'abcd'[new % 4]}{new // 4 + 1}"
    assert told(MODEL, grid([2, 4, 0, 0], *[[0] * 4] * 3), RIGHT)[0].startswith("a new ")


def test_told_that_no_move_is_left():
    state = grid([2, 4, 8, 16], [4, 8, 16, 32], [2, 4, 8, 16], [0, 8, 16, 64])
    assert told(MODEL, state, LEFT)[-1] == "no move is left, and the largest tile is 64"
