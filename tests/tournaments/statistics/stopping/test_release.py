"""Release in schedule order: exact by itself, and what it saves a sequential test from."""

from __future__ import annotations

import logging
from math import ceil

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simulated import finish_times

from tag.errors import ParameterError
from tag.tournaments.statistics.stopping.block_scores import PENTANOMIAL
from tag.tournaments.statistics.stopping.elo_scales import LogisticElo
from tag.tournaments.statistics.stopping.gsprt import Decision, Gsprt
from tag.tournaments.statistics.stopping.release import InOrderRelease

pytestmark = pytest.mark.flow


@given(st.permutations([(block, game) for block in range(5) for game in range(3)]), st.sets(st.integers(0, 14)))
@settings(derandomize=True, deadline=None, max_examples=200)
def test_blocks_come_whole_and_in_order_however_games_arrive(arrivals, twice):
    release, released, seen = InOrderRelease[str](3), [], set()
    for number, (block, game) in enumerate(arrivals):
        seen.add((block, game))
        released += release.add(block, game, f"{block}{game}")
        if number in twice:
            assert release.add(block, game, "late") == []
        whole = [all((earlier, g) in seen for g in range(3)) for earlier in range(5)]
        assert len(released) == release.blocks == [*whole, False].index(False)
        assert sum(map(len, release._waiting.values())) == len(seen) - 3 * release.blocks
    assert released == [[f"{block}{game}" for game in range(3)] for block in range(5)]


def test_a_void_block_is_passed_over_but_nobody_waits_for_it():
    release = InOrderRelease[int](2)
    arrivals = [(1, 0, 10), (1, 1, 11), (0, 1, None), (2, 1, 21), (0, 0, 0), (2, 0, 20)]
    assert [release.add(*arrival) for arrival in arrivals] == [[], [], [], [], [[], [10, 11]], [[20, 21]]]
    assert (release.blocks, release._waiting) == (3, {})


@pytest.mark.parametrize(("block", "game"), [(-1, 0), (0, -1), (0, 2)])
def test_games_that_are_not_in_the_schedule(block, game):
    with pytest.raises(ParameterError, match="blocks begin at 0 and have 2 games"):
        InOrderRelease[int](2).add(block, game, 1)


def test_a_block_has_games():
    with pytest.raises(ParameterError, match="games per block cannot be 0; the least is 1"):
        InOrderRelease[int](0)


# --- many workers ---------------------------------------------------------------------------------------------------

#: Shown by pytest --log-cli-level=INFO.
REPORT = logging.getLogger(__name__).info
WORKERS = 256
BLOCKS = 2_500
#: Blocks from one look to the next.
STEP = 4


def ends_in_h1(blocks, first_look=STEP):
    """Whether a test of [0, 30] Elo says H1 on pairs of games in this order; it must say something."""
    test = Gsprt(LogisticElo(), 0, 30, classes=PENTANOMIAL)
    looks = [blocks[:first_look], *(blocks[begin : begin + STEP] for begin in range(first_look, len(blocks), STEP))]
    assert any(test.add(look) is not Decision.GO_ON for look in looks)
    return test.decision is Decision.ACCEPT_H1


def duel(rng):
    """One tournament of equal players whose losses last twice as long as their wins: its games as they arrive."""
    wins = rng.random((BLOCKS, 2)) < 0.5
    order = finish_times(np.where(wins, 1.0, 2.0).ravel(), WORKERS).argsort(kind="stable")
    return [(int(game) // 2, int(game) % 2, float(wins.flat[game])) for game in order]


def in_order(games):
    release = InOrderRelease[float](2)
    return [sum(scores) / 2 for game in games for scores in release.add(*game)]


def on_arrival(games):
    """The mean score of each pair when its second game arrives."""
    first, blocks = {}, []
    for block, _, score in games:
        if block in first:
            blocks.append((first.pop(block) + score) / 2)
        else:
            first[block] = score
    return blocks


def false_alarms(runs, seed):
    """The shares of H1 among equal players: in schedule order, on arrival, on arrival with a late first look."""
    rng, found = np.random.default_rng(seed), []
    late = ceil(4 * WORKERS / 2 / STEP) * STEP  # four games per worker
    for _ in range(runs):
        games = duel(rng)
        arrived = on_arrival(games)
        found.append((ends_in_h1(in_order(games)), ends_in_h1(arrived), ends_in_h1(arrived, late)))
    return np.mean(found, axis=0)


def test_arrival_order_deceives_and_schedule_order_does_not():
    ordered, arrived, _ = false_alarms(40, seed=1)
    assert ordered <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 40)
    assert arrived > 0.3


@pytest.mark.slow
def test_errors_with_256_workers_in_schedule_order_and_on_arrival():
    ordered, arrived, late = false_alarms(2_000, seed=2)
    REPORT("false alarms in schedule order %s, on arrival %s, with a late first look %s", ordered, arrived, late)
    assert ordered <= 0.06
    assert arrived > 0.3
