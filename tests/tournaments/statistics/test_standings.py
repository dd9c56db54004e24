"""Standings: exact where they can be, with intervals that hold what they promise."""

from __future__ import annotations

import json
from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t as student
from stores.frames import ledger_frames, standings

from tag.engine.results import DRAW, LOSE, ONGOING, WIN
from tag.tournaments.designs.by_name import make_design
from tag.tournaments.designs.games import PLACE
from tag.tournaments.designs.schedule import Schedule
from tag.tournaments.statistics.clustered_means import ClusteredMean
from tag.tournaments.statistics.within_blocks import within_block

pytestmark = pytest.mark.flow

KEYS = {
    *("agent", "games", "wins", "win_rate", "win_rate_low", "win_rate_high"),
    *("mean_ordinal", "score", "points", "decision_ms", "effective_games", "design_effect", "correlation"),
}


def frames(n_agents, n_players, blocks, winner, void=()):
    """Data frames of a tournament in which ``winner(pairing)`` is the winning seat, -1 for a draw of all."""
    pairings = list(Schedule(n_agents, n_players, blocks, seed=1))
    agents = np.array([pairing.agents for pairing in pairings])
    first = np.array([winner(pairing) for pairing in pairings])[:, None]
    is_void = np.array([pairing.game_id in void for pairing in pairings])
    has_won = np.arange(n_players) == first
    played = np.where(has_won, WIN, np.where(first < 0, DRAW, LOSE))
    return ledger_frames(
        [f"agent{number}" for number in range(n_agents)],
        agents,
        **{name: [getattr(pairing, name) for pairing in pairings] for name in PLACE},
        void=is_void,
        results=np.where(is_void[:, None], ONGOING, played).tolist(),
        ordinals=np.where(has_won | (first < 0), 1, 2).tolist(),
        scores=(5.0 * has_won + agents).tolist(),
        decisions=(10 + agents).tolist(),
        faults=[[{"kind": "exception", "seat": seat, "tick": 0} for seat in np.flatnonzero(won)] for won in has_won],
    )


def table(games, seats, timings=None):
    """The standings of a round robin."""
    n_players = int(seats["seat"].max()) + 1 if len(seats) else 1
    design = make_design("round_robin", len(seats["agent"].cat.categories), n_players, 1)
    return standings(games, seats, timings, n_seatings=design.n_seatings)


def by_agent(found):
    return {standing.agent: standing for standing in found}


def wins_by_luck(luck):
    """The agent with the most luck in the block wins, wherever it sits."""
    return lambda pairing: int(np.argmax([luck[pairing.block, agent] for agent in pairing.agents]))


# --- what is exact --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n_agents", "n_players"), [(2, 2), (3, 3), (5, 3), (4, 4), (2, 3), (3, 4), (2, 4), (6, 5)])
def test_identical_agents_win_exactly_one_in_n(n_agents, n_players):
    found = table(*frames(n_agents, n_players, 7, lambda pairing: pairing.seed % n_players))
    assert [standing.agent for standing in found] == [f"agent{number}" for number in range(n_agents)]
    for standing in found:
        assert standing.win_rate == standing.wins / standing.games == 1 / n_players
        assert standing.points == 1 / n_players
        assert standing.mean_ordinal == 2 - 1 / n_players
        assert standing.blocks == standing.effective_games == 7
        assert standing.win_rate_interval.low < 1 / n_players < standing.win_rate_interval.high
        assert standing.mean_ordinal_interval.low < standing.mean_ordinal < standing.mean_ordinal_interval.high


def test_the_best_is_first_and_a_draw_is_no_win():
    found = table(*frames(3, 2, 4, lambda pairing: -1 if 0 in pairing.agents else pairing.agents.index(2)))
    assert [(standing.agent, standing.wins, standing.points) for standing in found] == [
        ("agent2", 8, 0.75),
        ("agent0", 0, 0.5),
        ("agent1", 0, 0.25),
    ]
    assert [standing.games for standing in found] == [16, 16, 16]


@pytest.mark.parametrize("n", [2, 3, 6, 7])
def test_rounding_is_no_variance(n):
    for standing in table(*frames(n, n, 9, lambda pairing: -1)):
        same = table(*frames(n, n, 9, lambda pairing: 0))[0]
        assert (standing.points, standing.wins) == (pytest.approx(1 / n), 0)
        assert (standing.points_interval.low, standing.points_interval.high) == pytest.approx(
            (same.win_rate_interval.low, same.win_rate_interval.high)
        )


def test_only_whole_match_ups_count():
    games, seats = frames(3, 3, 6, lambda pairing: 0)
    whole = by_agent(table(games, seats))
    lost = {"b2-m0-s1", "b5-m0-s0", "b5-m0-s2"}
    some = by_agent(table(games[~games["game_id"].isin(lost)], seats[~seats["game_id"].isin(lost)]))
    for agent, standing in some.items():
        assert standing.games == whole[agent].games - 6
        assert standing.blocks == 4
        assert standing.win_rate == 1 / 3


def test_a_game_in_progress_of_two_agents_at_four_seats_waits_for_the_other_seating():
    games, seats = frames(2, 4, 1, lambda pairing: 0)
    assert len(games) == 2
    assert {standing.games for standing in table(games, seats)} == {4}
    assert {standing.games for standing in table(games[:1], seats[:4])} == {0}


def test_a_void_game_takes_its_match_up_with_it_but_not_its_faults():
    whole = by_agent(table(*frames(3, 2, 5, lambda pairing: 0)))
    games, seats = frames(3, 2, 5, lambda pairing: 0, void=["b1-m0-s1"])
    seats.loc[seats["game_id"] == "b1-m0-s1", "faults"] = 100
    found = by_agent(table(games, seats))
    assert [found[agent].games for agent in sorted(found)] == [18, 18, 20]
    assert {standing.win_rate for standing in found.values()} == {0.5}
    assert [found[agent].faults - whole[agent].faults for agent in sorted(found)] == [100, 99, 0]


def test_an_agent_without_games_is_there_and_last():
    games, seats = frames(3, 2, 2, lambda pairing: 0)
    is_there = seats["matchup"] == 0
    found = table(games[games["matchup"] == 0], seats[is_there])
    assert [standing.games for standing in found] == [4, 4, 0]
    plain = found[-1].to_json()
    assert (plain["win_rate"], plain["win_rate_low"], plain["win_rate_high"]) == (None, 0.0, 1.0)
    assert (plain["mean_ordinal"], plain["points"], plain["decision_ms"]) == (None, None, None)
    assert "NaN" not in json.dumps(plain)


def test_no_games_at_all():
    games, seats = frames(3, 2, 1, lambda pairing: 0)
    found = table(games[:0], seats[:0])
    assert [(standing.agent, standing.games) for standing in found] == [("agent0", 0), ("agent1", 0), ("agent2", 0)]


def test_json_has_the_promised_keys():
    plain = table(*frames(2, 2, 3, lambda pairing: 0))[0].to_json()
    assert plain.keys() >= KEYS
    assert json.loads(json.dumps(plain)) == plain


def test_decision_time_is_per_decision_and_over_what_is_known():
    games, seats = frames(2, 2, 3, lambda pairing: 0)
    seconds = 0.002 * seats["decisions"] * (1 + seats["agent_index"])
    timings = seats[["game_id", "seat"]].assign(seconds=seconds, cpu_seconds=seconds / 2, peak_mb=nan)
    assert [standing.decision_cpu_ms for standing in table(games, seats, timings)] == pytest.approx([1.0, 2.0])
    unknown = timings.assign(cpu_seconds=timings["cpu_seconds"].where(timings.index >= 5))
    assert [standing.decision_cpu_ms for standing in table(games, seats, unknown)] == pytest.approx([1.0, 2.0])
    assert [standing.decision_ms for standing in table(games, seats, timings)] == pytest.approx([2.0, 4.0])
    assert [standing.decision_ms for standing in table(games, seats, timings[5:])] == pytest.approx([2.0, 4.0])
    assert all(isnan(standing.decision_ms) for standing in table(games, seats, timings[:0]))
    assert all(isnan(standing.decision_ms) for standing in table(games, seats))
    assert [standing.decisions for standing in table(games, seats)] == [60, 66]


def test_memory_is_the_largest_known_peak_of_an_agent():
    games, seats = frames(2, 2, 3, lambda pairing: 0)
    peaks = 10.0 * seats["agent_index"] + 1.0 * seats.index
    timings = seats[["game_id", "seat"]].assign(seconds=1.0, cpu_seconds=1.0, peak_mb=peaks)
    expected = [peaks[seats["agent_index"] == agent].max() for agent in range(2)]
    assert [standing.peak_mb for standing in sorted(table(games, seats, timings), key=str)] == expected
    some = timings.assign(peak_mb=peaks.where(seats["agent_index"] == 1))
    first, second = sorted(table(games, seats, some), key=str)
    assert first.peak_mb is None
    assert second.peak_mb == expected[1]
    assert all(standing.peak_mb is None for standing in table(games, seats))


# --- intervals ------------------------------------------------------------------------------------------------------


def test_the_variance_is_that_of_block_means():
    luck = np.random.default_rng(3).normal(size=(20, 4))
    games, seats = frames(4, 3, 20, wins_by_luck(luck))
    found = by_agent(table(games, seats))
    for agent, rows in seats.groupby("agent", observed=True):
        means = rows.groupby("block")["win"].mean()
        p, variance = means.mean(), means.var(ddof=1) / 20
        standing = found[agent]
        assert standing.win_rate == pytest.approx(p, rel=1e-12)
        assert standing.effective_games == pytest.approx(p * (1 - p) / variance, rel=1e-12)
        assert standing.design_effect == pytest.approx(len(rows) * variance / (p * (1 - p)), rel=1e-12)
        assert standing.design_effect > 2  # all games of a block have the same luck
        places = rows.groupby("block")["ordinal"]
        behind, games = (places.sum() - places.count()).to_numpy(float), places.count().to_numpy(float)
        share = ClusteredMean.of(behind, 2 * games).proportion_interval()
        assert standing.mean_ordinal_interval == pytest.approx((1 + 2 * share.low, 1 + 2 * share.high), rel=1e-12)
        scores = rows.groupby("block")["score"].mean()
        half = student.ppf(0.975, 19) * scores.std(ddof=1) / np.sqrt(20)
        assert standing.score == pytest.approx(scores.mean(), rel=1e-12)
        assert standing.score_interval.low <= standing.score - half * (1.0 - 1e-12)
        assert standing.score_interval.high >= standing.score + half * (1.0 - 1e-12)
        totals, sizes = (rows.groupby("block")["score"].agg(how).to_numpy(float) for how in ("sum", "count"))
        wide = ClusteredMean.of(totals, sizes).interval(-np.inf, np.inf)
        assert standing.score_interval == pytest.approx((wide.low, wide.high), rel=1e-9)


def test_wilson_ends_solve_its_equation():
    """An end is as far as the greater of two variances allows: Wilson's, and one that grows with the skewness.

    The latter is at most that of blocks in which all games end alike.
    """
    totals, sizes = np.array([3.0, 1, 4, 1, 5, 2]), np.array([6.0, 6, 6, 3, 6, 3])
    found = ClusteredMean.of(totals, sizes)
    n = found.effective_games()
    off = (totals - found.mean * sizes) / sizes.sum()
    assert found.skew == pytest.approx((off**3).sum() / (off**2).sum())
    for end in found.proportion_interval():
        grows, variance = (end - found.mean) * found.skew, end * (1 - end) / n
        if grows > 0.0:
            variance = max(variance, min(found.variance + grows, end * (1 - end) / 6))
        assert abs(found.mean - end) / np.sqrt(variance) == pytest.approx(student.ppf(0.975, 5), rel=1e-9)


@given(st.lists(st.integers(0, 4), min_size=2, max_size=40).filter(lambda totals: len(set(totals)) > 1))
@settings(derandomize=True, deadline=None)
def test_the_interval_leaves_one_half_out_just_where_the_p_value_says_so(totals):
    found = ClusteredMean.of(np.array(totals, dtype=float), np.full(len(totals), 4.0))
    low, high = found.proportion_interval()
    assert 0.0 <= low <= found.mean <= high <= 1.0
    assert (found.proportion_p_value(0.5) < 0.05) == (not low <= 0.5 <= high)


@pytest.mark.parametrize("blocks", [20, 100, 1000])
def test_a_single_result_among_many_others_is_as_uncertain_as_a_poisson_count_of_one(blocks):
    """Of games that are all drawn but one, the score interval of a count of one is 0.18 to 5.67."""
    totals = np.full(blocks, 1.0)
    totals[0] = 1.5
    low, high = ClusteredMean.of(totals, np.full(blocks, 2.0)).proportion_interval()
    unit, t = 0.25 / blocks, student.ppf(0.975, blocks - 1)
    assert high == pytest.approx(0.5 + unit * (1 + t * t / 2 + t * np.sqrt(1 + t * t / 4)), rel=0.05 / np.sqrt(blocks))
    assert low < 0.5


def test_certain_results_are_not_certain():
    for result, ends in ((0.0, "low"), (4.0, "high")):
        low, high = ClusteredMean.of(np.full(10, result), np.full(10, 4.0)).proportion_interval()
        width = student.ppf(0.975, 9) ** 2 / (10 + student.ppf(0.975, 9) ** 2)
        assert (low, high) == pytest.approx((0, width) if ends == "low" else (1 - width, 1), abs=1e-12)


def test_one_block_tells_nothing():
    for standing in table(*frames(3, 3, 1, lambda pairing: 0)):
        assert (standing.win_rate_interval.low, standing.win_rate_interval.high) == (0.0, 1.0)
        assert (standing.points_interval.low, standing.points_interval.high) == (0.0, 1.0)
        assert (standing.mean_ordinal_interval.low, standing.mean_ordinal_interval.high) == (1.0, 3.0)


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=30))
@settings(derandomize=True, deadline=None)
def test_intervals_stay_within_zero_and_one_and_hold_the_mean(blocks):
    sizes = np.array([float(max(pair)) for pair in blocks])
    totals = np.array([float(min(pair)) for pair in blocks])
    found = ClusteredMean.of(totals, sizes)
    low, high = found.proportion_interval()
    assert 0.0 <= low < high <= 1.0
    assert found.clusters == np.count_nonzero(sizes)
    if found.clusters:
        assert low <= found.mean + 1e-12
        assert high >= found.mean - 1e-12


@pytest.mark.parametrize(
    ("p", "blocks", "correlation"), [(0.5, 10, 0.0), (0.25, 30, 0.3), (0.25, 100, 0.1), (0.1, 60, 0.05)]
)
def test_intervals_hold_what_they_promise(p, blocks, correlation):
    """Beta-binomial blocks of 12 games: 95 % of the intervals must hold the true rate, 2000 draws give ± 1 %."""
    rng = np.random.default_rng(7)
    rates = np.full((2000, blocks), p)
    if correlation:
        concentration = (1 - correlation) / correlation
        rates = rng.beta(p * concentration, (1 - p) * concentration, size=rates.shape)
    wins = rng.binomial(12, rates).astype(float)
    sizes = np.full(blocks, 12.0)
    ends = np.array([ClusteredMean.of(row, sizes).proportion_interval() for row in wins])
    assert 0.93 <= ((ends[:, 0] <= p) & (p <= ends[:, 1])).mean() <= 0.97


def test_intervals_of_whole_tournaments_hold_what_they_promise():
    """Four equal agents with luck in blocks and in games, in all seats: each wins 1/4 in truth."""
    rng = np.random.default_rng(11)
    n_blocks, n_tournaments = 25, 1000
    games, seats = frames(4, 4, n_blocks, lambda pairing: 0)
    shape = (n_blocks * 4, 4)
    agents = seats["agent_index"].to_numpy().reshape(shape)
    block = games["block"].to_numpy()[:, None]
    hits = 0
    for _ in range(n_tournaments):
        strength = rng.gumbel(size=shape) + rng.normal(size=(n_blocks, 4))[block, agents]
        wins = (strength == strength.max(axis=1, keepdims=True)).ravel()
        found = table(games, seats.assign(win=wins, points=wins.astype(float)))
        hits += sum(standing.win_rate_interval.low <= 0.25 <= standing.win_rate_interval.high for standing in found)
    assert 0.93 <= hits / n_tournaments / 4 <= 0.97


def test_rotating_the_seats_cancels_the_luck_of_the_deal():
    """One seat's cards are best in each block, so that rotations share the wins and the error is smaller than it looks."""
    rng = np.random.default_rng(5)

    def winner(pairing):
        return pairing.seed % 4 if rng.random() < 0.7 else int(rng.integers(4))

    found = table(*frames(4, 4, 200, winner))
    assert all(standing.design_effect < 0.8 for standing in found)


def test_the_correlation_is_that_between_the_games_of_a_block():
    rng = np.random.default_rng(1)
    games, seats = frames(2, 2, 60, lambda pairing: int(rng.random() < 0.3))
    for standing in table(games, seats):
        own = seats[seats["agent"] == standing.agent]
        expected = within_block(own["win"].to_numpy(float), own["block"].to_numpy())
        assert standing.correlation == pytest.approx(expected.rho, rel=1e-12)
    (same, _other) = table(*frames(2, 2, 9, lambda pairing: pairing.agents.index(0)))
    assert isnan(same.correlation)
    assert all(standing.correlation == pytest.approx(-1.0) for standing in table(*frames(2, 2, 9, lambda _pairing: 0)))
