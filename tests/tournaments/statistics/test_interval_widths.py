"""No interval is without width: equal blocks are few, not certain."""

from __future__ import annotations

import re
from math import inf

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_standings import frames, table

from tag.tournaments.reports.text import ratings_text, standings_text, teams_text
from tag.tournaments.results.copies.differences import CopyBlocks
from tag.tournaments.results.copies.noise_floor import NoiseFloor
from tag.tournaments.results.tournament import rate_games
from tag.tournaments.statistics.clustered_means import ClusteredMean
from tag.tournaments.statistics.intervals import ends_text, half_width_text, interval_of_equals
from tag.tournaments.statistics.ratings.intransitivity import intransitivity
from tag.tournaments.statistics.ratings.pairwise import pairwise
from tag.tournaments.statistics.ratings.ranked_games import RankedGames
from tag.tournaments.statistics.ratings.rating_errors import rate_agents
from tag.tournaments.statistics.standings import team_standings

pytestmark = pytest.mark.flow

#: ``± 0``, or an interval between two equal numbers.
WITHOUT_WIDTH = re.compile(r"± ?0(\.0+)?(?![\d.])|(?<![\d.])([-+]?[\d.]+) … \2(?![\d.])")

#: Who wins each block: everybody in turn, or the same in all, or none, so that blocks often do not differ.
LEDGERS = st.tuples(
    st.sampled_from([(2, 2), (3, 3), (3, 2), (4, 2)]),
    st.one_of(
        st.integers(2, 40).flatmap(lambda blocks: st.integers(-1, 3).map(lambda winner: [winner] * blocks)),
        st.lists(st.integers(-1, 3), min_size=2, max_size=8),
    ),
    st.booleans(),
)


def ledger(size: tuple[int, int], winners: list[int], is_agent: bool) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the frames of a tournament in which a seat or an agent wins each block, or nobody does."""

    def winner(pairing):
        wanted = winners[pairing.block]
        if wanted < 0:
            return -1
        return min(pairing.agents.index(min(pairing.agents)) + wanted, size[1] - 1) if is_agent else wanted % size[1]

    return frames(*size, len(winners), winner)


@settings(max_examples=60, deadline=None)
@given(LEDGERS)
def test_no_table_of_any_ledger_has_one(made_up) -> None:
    games, seats = ledger(*made_up)
    found = table(games, seats)
    for standing in found:
        for name in ("win_rate", "points", "mean_ordinal", "score"):
            mean, (low, high) = (getattr(standing, name + end) for end in ("", "_interval"))
            assert low <= mean <= high
            assert low < high, name
        assert standing.points_error > 0.0
    teams = team_standings(seats, made_up[0][1])
    assert all(team.success_rate_interval.low < team.success_rate_interval.high for team in teams)
    assert not WITHOUT_WIDTH.search(standings_text(found) + teams_text(teams))
    ranked = RankedGames.of(seats)
    pairs = pairwise(ranked)
    assert (pairs.low < pairs.high)[~np.isnan(pairs.low)].all()
    if made_up[0][0] > 2:
        cyclic = intransitivity(ranked)
        assert cyclic.interval.low < cyclic.interval.high


@settings(max_examples=10, deadline=None)
@given(LEDGERS)
def test_no_rating_of_any_ledger_has_one(made_up) -> None:
    fit = rate_agents(RankedGames.of(ledger(*made_up)[1]))
    low, high = fit.intervals()
    assert (low < high).all()
    assert all((low < high).all() for low, high in fit.seat_intervals().values())


def test_ratings_that_are_no_estimates_are_shown_as_fixed() -> None:
    summary = rate_games(RankedGames.of(ledger((2, 2), [0, 1, 0, 1], False)[1]), {"agent0": 100.0})
    rows = [line.split() for line in ratings_text(summary).splitlines()[1:3]]
    assert {row[0]: row[2] == "fixed" for row in rows} == {"agent0": True, "agent1": False}


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 30), st.integers(2, 4), st.sampled_from([0.0, 0.5, 1.0]), st.booleans())
def test_no_difference_of_copies_has_one(blocks: int, copies: int, points: float, differs: bool) -> None:
    totals = np.full((copies, blocks), points)
    totals[0, : blocks // 2 * differs] = 0.25
    found = CopyBlocks(totals, np.ones_like(totals))
    assert all(found.against_others(copy).half > 0.0 for copy in range(copies))
    floor = NoiseFloor.of(found)
    low, high = floor.noise_interval(blocks)
    assert 0.0 <= low < floor.noise(blocks) < high


@pytest.mark.parametrize("blocks", [2, 5, 20, 100, 1_000])
@pytest.mark.parametrize("share", [0.5, 0.9, 0.97, 0.997])
@pytest.mark.parametrize("others", [0.0, 1.0])
def test_it_holds_where_blocks_that_differ_may_not_have_come_yet(blocks: int, share: float, others: float) -> None:
    """Where a rare block decides the mean, the few that are equal are not taken for all."""
    truth = share * 0.5 + (1.0 - share) * others
    low, high = interval_of_equals(0.5, blocks, 0.0, 1.0)
    chance_to_see_equals = share**blocks
    assert low <= truth <= high or chance_to_see_equals < 0.025


def test_more_blocks_tell_more_and_the_range_limits_it() -> None:
    widths = [np.ptp(interval_of_equals(0.25, blocks, 0.0, 1.0)) for blocks in (2, 10, 100, 10_000)]
    assert widths == sorted(widths, reverse=True)
    assert interval_of_equals(0.0, 10, 0.0, 1.0)[0] == 0.0
    assert interval_of_equals(36.0, 10, 0.0, inf)[1] < 72.0
    assert ClusteredMean.of(np.full(50, 36.0), np.ones(50)).interval(0.0, inf) == interval_of_equals(36.0, 50, 0.0, inf)


@given(st.floats(-1e3, 1e3), st.floats(1e-9, 10.0))
def test_no_text_hides_a_width(low: float, width: float) -> None:
    high = low + width
    assert float(half_width_text(width, ".2f")) > 0.0
    assert len(set(ends_text(low, high, ".3f").split(" … "))) == 2


@given(LEDGERS)
def test_records_name_the_ends_of_their_intervals_after_what_they_are_of(made_up) -> None:
    for standing in table(*ledger(*made_up)):
        values = standing.to_json()
        assert not any("interval" in name for name in values)
        for name in ("win_rate", "points", "mean_ordinal", "score"):
            assert (values[f"{name}_low"], values[f"{name}_high"]) == getattr(standing, f"{name}_interval")
            at = list(values).index(name)
            assert list(values)[at : at + 3] == [name, f"{name}_low", f"{name}_high"]
