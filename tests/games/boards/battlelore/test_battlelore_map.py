"""BattleLore's map: neighbours, sections and lines of sight by exact geometry, and the dice against enumeration."""

from collections import Counter
from itertools import product
from math import comb

import pytest
from battlelore_geometry import AROUND, CENTRES, moved, seen_by
from battlelore_positions import HEXES, battle

from tag.engine.rng import Draws, Rng
from tag.games.boards.battlelore.data import (
    BESIDE,
    CENTRE,
    CENTRE_OR_RIGHT,
    DISTANCE,
    FAR,
    LEFT,
    LEFT_OR_CENTRE,
    LINES,
    LONGEST_REACH,
    N_HEXES,
    NEAR,
    OTHER_LINES,
    OTHER_RETREATS,
    RETREATS,
    RIGHT,
    ZONE,
    can_see,
)


def test_the_map_has_rows_of_twelve_and_eleven():
    assert len(CENTRES) == N_HEXES == 104
    assert next(iter(HEXES)) == "A1"
    assert [name for name in HEXES if name.endswith("2")] == [f"{letter}2" for letter in "ABCDEFGHIJK"]


def test_neighbours_touch():
    assert [moved(place, step) for place in range(N_HEXES) for step in AROUND] == BESIDE
    for place in range(N_HEXES):
        assert NEAR[place] == [moved(place, step) for step in AROUND if moved(place, step) >= 0]


def test_distances_are_those_of_a_search():
    for start in range(N_HEXES):
        steps, reached = {start: 0}, [start]
        for place in reached:
            for end in NEAR[place]:
                if end not in steps:
                    steps[end] = steps[place] + 1
                    reached.append(end)
        assert DISTANCE[start * N_HEXES : (start + 1) * N_HEXES] == [steps[end] for end in range(N_HEXES)]
        between = {}
        for end, one, other in zip(FAR[start][::3], FAR[start][1::3], FAR[start][2::3], strict=True):
            between[end] = {one, other}
        assert between == {
            end: {near for near in NEAR[start] if end in NEAR[near]} for end in range(N_HEXES) if steps[end] == 2
        }


def test_sections_are_four_columns_wide_and_share_the_hexes_on_their_lines():
    """Sections: the lines lie 8 and 16 half columns from the left edge."""
    for place, (x, _y) in enumerate(CENTRES):
        left, right = x, x + 2  # of the hexagon, from the edge of the map
        sections = [n for n in range(3) if left < 8 * n + 8 and right > 8 * n]
        zone = {(0,): LEFT, (0, 1): LEFT_OR_CENTRE, (1,): CENTRE, (1, 2): CENTRE_OR_RIGHT, (2,): RIGHT}[tuple(sections)]
        assert (ZONE[N_HEXES + place], ZONE[place]) == (zone, RIGHT - zone)


# --- lines of sight ------------------------------------------------------------------------------------------------------


PAIRS = [
    (start, end)
    for start in range(N_HEXES)
    for end in range(N_HEXES)
    if 0 < DISTANCE[start * N_HEXES + end] <= LONGEST_REACH
]


def check_lines(pairs):
    for start, end in pairs:
        pair = start * N_HEXES + end
        inside, sides, last = seen_by(start, end)
        found = [set(LINES[pair]), set(OTHER_LINES[pair])]
        assert sorted(found, key=sorted) == sorted([inside | sides[0], inside | sides[1]], key=sorted)
        opposite = {(direction + 3) % 6 for direction in last}
        assert {RETREATS[pair], OTHER_RETREATS[pair]} == opposite
        for line, retreat in ((LINES[pair], RETREATS[pair]), (OTHER_LINES[pair], OTHER_RETREATS[pair])):
            before = moved(end, AROUND[(retreat + 3) % 6])
            assert before in (*line, start, -1)


def test_lines_of_sight_are_those_of_exact_geometry():
    check_lines(PAIRS[::41])


@pytest.mark.slow
def test_all_lines_of_sight_are_those_of_exact_geometry():
    check_lines(PAIRS)


def test_who_sees_is_seen():
    rng = Rng(5)
    for _map in range(20):
        board = [-1] * N_HEXES
        for unit in range(18):
            board[rng.below(N_HEXES)] = unit
        for start, end in PAIRS[:: 7 + rng.below(30)]:
            assert can_see(board, start, end) == can_see(board, end, start)


# --- dice ----------------------------------------------------------------------------------------------------------------


def binomial(n, k, p):
    return comb(n, k) * p**k * (1 - p) ** (n - k)


@pytest.mark.parametrize(
    ("attacker", "dice", "hitting"),
    [("h3", 3, 2), ("G3", 3, 2), ("h2", 4, 2), ("G1", 3, 1), ("v3", 2, 1), ("v1", 2, 1), ("A2", 2, 1), ("h1", 5, 1)],
)
def test_damage_is_as_likely_as_the_faces_of_the_dice(attacker, dice, hitting):
    """Dice: each hit has its number of faces in six, so the hits of n dice are binomial; a unit has three figures."""
    is_upper = attacker[0] in "hv"
    target = "G3" if is_upper else "h3"
    other = "G3 L1" if is_upper else "h3 L1"
    found = Counter()
    draws = Draws()
    turn = 0 if is_upper else 1
    hands = (("Wedge",) * 2,) * 2
    if dice > 4:  # by enumeration of the faces; the draws of five dice are too many to play
        faces = [
            sum(face == 0 or (face == 1 and hitting == 2) for face in thrown)
            for thrown in product(range(6), repeat=dice)
        ]
        assert Counter(faces)[2] / 6**dice == pytest.approx(binomial(dice, 2, hitting / 6))
        return
    while True:
        # supported from behind, so that morale changes nothing
        model, state = battle(f"{attacker} E5", f"{target} F5", f"{target} G5", other, turn=turn, hands=hands)
        action = next(action for action in model.available_actions(state) if hasattr(action, "target"))
        target_unit = state.board[HEXES["F5"]]
        model.next(state, action, draws.rng())
        found[3 - state.figures[target_unit]] += draws.probability()
        if not draws.advance():
            break
    expected = Counter()
    for hits in range(dice + 1):
        expected[min(hits, 3)] += binomial(dice, hits, hitting / 6)
    assert set(found) == set(expected)
    for lost, probability in expected.items():
        assert found[lost] == pytest.approx(probability)
