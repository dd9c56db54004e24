"""Differences between copies of an agent: their noise, and tests of the set-up for bias."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from math import ceil, floor, inf, isnan, log10, nan, sqrt
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy

from tag.tournaments.definition import TournamentDefinition, timed
from tag.tournaments.ledger.games import read_timings
from tag.tournaments.results.tournament import (
    TournamentResults,
    counted_seats,
    seat_points,
)
from tag.tournaments.statistics.clustered_means import independent_clusters
from tag.tournaments.statistics.intervals import (
    CONFIDENCE,
    ROUNDING,
    UNKNOWN,
    Floats,
    Interval,
    IntervalEstimate,
    Ints,
    interval_of_equals,
    student,
)
from tag.tournaments.statistics.plain_records import flat
from tag.tournaments.statistics.ratings.pairwise import holm
from tag.tournaments.statistics.ratings.ranked_games import RankedGames
from tag.tournaments.statistics.ratings.rating_errors import RatedAgents, rate_agents
from tag.tournaments.statistics.standings import INDEPENDENT, BlockSums
from tag.tournaments.statistics.within_blocks import within_blocks

# --- differences between copies of an agent, by block -----------------------------------------------------------------
#
# A copy's points per game are a ratio of sums over blocks. Its *block value* is the linearised ratio (Cochran, Sampling
# Techniques, 3rd edition, section 6.5): its mean is the ratio, and its values are independent from block to block. A
# difference of copies is a difference of block values, so that luck shared in a block cancels; its interval is
# Student's.


#: The rounding error of a zero difference in points.
_DIFFERENCE_ROUNDING: Final = 1e-10


@dataclass(frozen=True, slots=True)
class CopyDifference:
    """A mean difference per block, with its standard error (nan with fewer than two blocks)."""

    mean: float
    error: float
    blocks: int

    @property
    def half(self) -> float:
        """Half the length of the 95 % interval; infinite with fewer than two blocks."""
        if self.blocks < 2:
            return inf
        if self.error <= _DIFFERENCE_ROUNDING:
            reach = 1.0 + abs(self.mean)  # points of two copies differ by at most one, in either direction
            return interval_of_equals(0.0, self.blocks, -reach, reach).high
        return student(self.blocks) * self.error

    @property
    def p_value(self) -> float:
        """The chance of a difference at least this far from 0 if there is none; 1 where that cannot be known.

        If all blocks have the same difference, it is the sign test's.
        """
        if self.blocks < 2 or isnan(self.mean) or abs(self.mean) < _DIFFERENCE_ROUNDING:
            return 1.0
        if self.error <= _DIFFERENCE_ROUNDING:
            return 2.0 * 0.5**self.blocks
        return 2.0 * float(scipy.special.stdtr(self.blocks - 1, -abs(self.mean) / self.error))


@dataclass(frozen=True, slots=True, eq=False)
class CopyBlocks:
    """Results of copies of one agent in each block, as sums over their games.

    Attributes:
        totals: of shape (copies, blocks), in any unit: points, seconds.
        sizes: the divisors of the totals, of shape (copies, blocks): games, decisions.
        share: of the blocks those that count as independent (`tag.tournaments.statistics.repeats`).
    """

    totals: Floats
    sizes: Floats
    share: float = 1.0

    @property
    def n_copies(self) -> int:
        """The number of copies."""
        return int(self.totals.shape[0])

    @property
    def n_blocks(self) -> int:
        """The number of blocks."""
        return int(self.totals.shape[1])

    @property
    def n_independent(self) -> int:
        """The number of blocks that count as independent."""
        return independent_clusters(self.n_blocks, self.share)

    def part(self, blocks: npt.NDArray[np.int64]) -> CopyBlocks:
        """Return some of the blocks, by index."""
        return CopyBlocks(self.totals[:, blocks], self.sizes[:, blocks], self.share)

    def means(self) -> Floats:
        """Return the ratio of each copy, of shape (copies,); nan for one without games."""
        with np.errstate(invalid="ignore"):
            means: Floats = self.totals.sum(axis=1) / self.sizes.sum(axis=1)
        return means

    def values(self) -> Floats:
        """Return the block values, of shape (copies, blocks)."""
        means = self.means()[:, None]
        with np.errstate(invalid="ignore"):
            size = self.sizes.mean(axis=1, keepdims=True)
            values: Floats = means + (self.totals - means * self.sizes) / size
        return values

    def contrast(self, weights: Floats) -> CopyDifference:
        """Return the sum of the copies' means with these weights, of shape (copies,), which add up to 0."""
        values, b = weights @ self.values(), self.n_independent
        error = float(np.std(values)) / sqrt(b - 1) if b > 1 else nan
        return CopyDifference(float(values.mean()) if self.n_blocks else nan, error, b)

    def between(self, one: int, other: int) -> CopyDifference:
        """Return the mean of ``one`` minus that of ``other``."""
        weights = np.zeros(self.n_copies)
        weights[one], weights[other] = 1.0, -1.0
        return self.contrast(weights)

    def against_others(self, copy: int) -> CopyDifference:
        """Return the mean of ``copy`` minus the mean of all others'."""
        weights = np.full(self.n_copies, -1.0 / (self.n_copies - 1))
        weights[copy] = 1.0
        return self.contrast(weights)

    def pair_variances(self) -> Floats:
        """Return each block's contribution to the variance of a difference of two copies, averaged over all pairs.

        Their mean over b blocks, times b / (b - 1), is the variance of a difference of block values; shape (blocks,).
        """
        deviations = self.values() - self.means()[:, None]
        k = self.n_copies
        squares: Floats = k * (deviations**2).sum(axis=0) - deviations.sum(axis=0) ** 2
        return 2.0 * squares / (k * (k - 1))


# --- tests for bias between copies, and for intervals that are too short ----------------------------------------------
#
# The tests of one set-up are corrected together (Holm), so that a sound set-up raises an alarm with a chance of 1 % at
# most. Groups of neighbouring blocks, unlike blocks drawn at random, show whether blocks are independent.


#: An alarm is raised below this p value, corrected for all checks of a set-up.
ALARM: Final = 0.01
#: With fewer blocks nothing is tested.
LEAST_BLOCKS: Final = 20
_GROUP_BLOCKS: Final = 10
_MOST_GROUPS: Final = 50
_LEAST_GROUPS: Final = 5
_CHECK_ROUNDING: Final = 1e-12


@dataclass(frozen=True, slots=True)
class CopyTest:
    """A test for one possible defect of a set-up.

    Attributes:
        finding: the observation in words, shown with an alarm.
        p_value: the chance of such a finding in a sound set-up; nan where it cannot be known.
        corrected: after the correction for all checks of the set-up.
    """

    name: str
    finding: str
    p_value: float
    corrected: float = nan

    @property
    def is_alarm(self) -> bool:
        """True if the finding is too unlikely to be chance."""
        return self.corrected < ALARM


def corrected(checks: list[CopyTest]) -> list[CopyTest]:
    """Return the checks with p values corrected for all of them."""
    known = [number for number, check in enumerate(checks) if not isnan(check.p_value)]
    values = holm(np.array([checks[number].p_value for number in known]))
    by_number = dict(zip(known, values.tolist(), strict=True))
    return [replace(check, corrected=by_number.get(number, nan)) for number, check in enumerate(checks)]


def check_equal(name: str, copies: CopyBlocks, labels: tuple[str, ...], form: str, reason: str = "") -> CopyTest:
    """Test whether a copy differs from the others.

    ``form`` writes a quantity with its unit, ``{:.3f} points``; ``reason`` is a possible explanation, shown with a
    difference.
    """
    if copies.n_independent < LEAST_BLOCKS:
        return CopyTest(name, "too few blocks", nan)
    differences = [copies.against_others(copy) for copy in range(copies.n_copies)]
    copy = int(np.argmin([difference.p_value for difference in differences]))
    most = differences[copy]
    is_more = "more" if most.mean > 0.0 else "less"
    finding = f"{labels[copy]} has {form.format(abs(most.mean))} {is_more} (± {most.half:.2g}) than its copies{reason}"
    independent = 1 if copies.n_copies == 2 else copies.n_copies  # of two copies, each differs as much as the other
    return CopyTest(name, finding, min(1.0, independent * most.p_value))


def check_groups(copies: CopyBlocks) -> list[CopyTest]:
    """Test on groups of neighbouring blocks whether intervals hold at their level, and whether there is drift.

    Only intervals that hold too seldom count, as those that hold too often do no harm. If differences vary more between
    groups than within them (the F test of the analysis of variance), blocks are not independent: a copy is favoured for
    a while, and intervals from all blocks are too short.
    """
    size = max(_GROUP_BLOCKS, ceil(copies.n_blocks / _MOST_GROUPS))
    n_groups = copies.n_blocks // size if copies.n_independent == copies.n_blocks else 0  # groups would share games
    if n_groups < _LEAST_GROUPS:
        return [CopyTest(name, "too few blocks", nan) for name in ("intervals", "drift")]
    groups = np.array_split(np.arange(copies.n_blocks), n_groups)
    pairs = [(copy, copy + 1) for copy in range(0, copies.n_copies - 1, 2)]  # pairs without a common copy
    return [_check_intervals(copies, groups, pairs), _check_drift(copies, groups, pairs)]


def _check_intervals(copies: CopyBlocks, groups: list[Ints], pairs: list[tuple[int, int]]) -> CopyTest:
    found = [copies.part(group).between(*pair) for pair in pairs for group in groups]
    misses = np.array([abs(one.mean) - one.half for one in found])
    held, cases = int(np.sum(misses <= _CHECK_ROUNDING)), int(np.sum(~np.isnan(misses)))
    if not cases:
        return CopyTest("intervals", "too few games", nan)
    low, high = scipy.stats.binomtest(held, cases).proportion_ci()
    return CopyTest(
        "intervals",
        f"95 % intervals from {len(groups[0])} blocks hold 0 in {held} of {cases} cases ({low:.2f} to {high:.2f})",
        float(scipy.stats.binomtest(held, cases, CONFIDENCE, alternative="less").pvalue),
    )


def _check_drift(copies: CopyBlocks, groups: list[Ints], pairs: list[tuple[int, int]]) -> CopyTest:
    values = copies.values()
    tests = [_f_test([values[one, group] - values[other, group] for group in groups]) for one, other in pairs]
    ratio, p_value = min(tests, key=lambda test: test[1])
    finding = f"{len(groups)} groups of neighbouring blocks differ {ratio:.2f} times as much as their blocks let expect"
    return CopyTest("drift", finding, min(1.0, len(pairs) * p_value))


def _f_test(groups: list[npt.NDArray[np.float64]]) -> tuple[float, float]:
    """Return the ratio of the variance between groups to that expected from within them, and its p value."""
    everything = np.concatenate(groups)
    between = sum(len(group) * float(group.mean() - everything.mean()) ** 2 for group in groups) / (len(groups) - 1)
    within = sum(float(((group - group.mean()) ** 2).sum()) for group in groups) / (len(everything) - len(groups))
    if within < _CHECK_ROUNDING**2:
        return (1.0, 1.0) if between < _CHECK_ROUNDING**2 else (inf, 0.0)
    return between / within, float(
        scipy.special.fdtrc(len(groups) - 1, len(everything) - len(groups), between / within)
    )


# --- noise floor: the smallest difference that so many blocks can show ------------------------------------------------
#
# With standard deviation s of a difference of block values, and b blocks:
#
#     noise       t(0.975) · s / √b               larger differences of equal agents come up in 5 % of tournaments
#     detectable  (t(0.975) + t(0.8)) · s / √b    a true difference of this size is significant in 80 % of them
#
# with Student's quantiles of b - 1 degrees of freedom; the second is the minimum detectable effect (Bloom, Evaluation
# Review 19, 1995).


POWER: Final = 0.8
#: Multiples of the blocks for which the floor is given.
FACTORS: Final = (1, 2, 4, 8)
_LEVEL: Final = (1.0 + CONFIDENCE) / 2.0
#: The rounding error of a relative error if all blocks are equal.
_FLOOR_ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True)
class NoiseFloor:
    """The variation of a difference between two equal agents from block to block, in some unit.

    Attributes:
        sd: the standard deviation of a difference of block values; nan with fewer than two blocks.
        relative_error: the standard error of its square, relative to that.
    """

    sd: float
    relative_error: float
    blocks: int

    @classmethod
    def of(cls, copies: CopyBlocks) -> NoiseFloor:
        """Measure the noise between copies, over all pairs of them."""
        b = copies.n_independent
        if b < 2:
            return cls(nan, nan, b)
        squares = copies.pair_variances()
        variance = float(squares.mean()) * b / (b - 1)
        error = float(np.std(squares)) / sqrt(b - 1)
        if variance <= ROUNDING:  # take the largest variance that so many equal blocks do not rule out
            variance = b * (interval_of_equals(0.0, b, -1.0, 1.0).high / student(b)) ** 2
        relative = error / variance
        return cls(
            sqrt(variance), relative if relative > _FLOOR_ROUNDING else sqrt(2.0 / (b - 1)), b
        )  # as of normal values

    def noise(self, blocks: int) -> float:
        """Return the largest difference that is still noise after so many blocks."""
        return student(blocks) * self.sd / sqrt(blocks)

    def detectable(self, blocks: int) -> float:
        """Return the smallest true difference that so many blocks show with a power of 80 %."""
        return (student(blocks) + float(scipy.special.stdtrit(blocks - 1, POWER))) * self.sd / sqrt(blocks)

    def noise_interval(self, blocks: int) -> Interval:
        """Return the interval of `noise`, which is an estimate itself."""
        spread = student(max(self.blocks, 2)) * self.relative_error
        noise = self.noise(blocks)
        return Interval(noise * sqrt(max(0.0, 1.0 - spread)), noise * sqrt(1.0 + spread))

    def blocks_to_detect(self, difference: float) -> int:
        """Return how many blocks show a true ``difference`` with a power of 80 %."""
        normal = float(scipy.special.ndtri(_LEVEL) + scipy.special.ndtri(POWER))
        blocks = max(2, ceil((normal * self.sd / difference) ** 2))
        while self.detectable(blocks) > difference:  # Student's quantiles are larger, by little
            blocks += 1
        return blocks


def round_below(difference: float) -> float:
    """Return the largest of …, 0.1, 0.2, 0.5, 1, … that is less than ``difference``.

    >>> round_below(0.012), round_below(0.01), round_below(0.07)
    (0.01, 0.005, 0.05)
    """
    power = 10.0 ** floor(log10(difference))
    steps = [0.5 * power, power, 2.0 * power, 5.0 * power]
    return max(step for step in steps if step < difference * (1.0 - 1e-12))


# --- an agent against its copies: results, noise and tests ------------------------------------------------------------


#: Sums of shares such as 1/3 have smaller rounding errors.
_ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True)
class CopyStanding:
    """The results of one copy.

    Attributes:
        difference: its points minus the mean of all other copies'.
        rating: on Elo's scale; the mean of all copies is 0.
        decision_ms: mean wall time of a decision in milliseconds.
    """

    agent: str
    points: float
    difference: float
    interval: Interval
    rating: float
    rating_interval: Interval
    decision_ms: float
    faults: int


@dataclass(frozen=True, slots=True)
class NoiseAtBlocks:
    """The noise for so many blocks, in points per game and in rating points.

    Attributes:
        noise: the largest difference that is still noise.
        detectable: the smallest true difference that is found with a power of 80 %.
    """

    blocks: int
    noise: float
    detectable: float
    rating_noise: float
    rating_detectable: float


@dataclass(frozen=True, slots=True, eq=False)
class AgentNoise:
    """The noise measured in the games of an agent with its copies.

    Attributes:
        points: the noise of a difference of two copies, in points per game.
        seats: the points of each seat over all copies.
        design_effect: games per effective game, mean of all copies; below 1 where rotating the seats has cancelled luck.
        rho: the correlation of two games of a block, mean of all copies.
        is_exact: whether all copies scored exactly the same in every block, as agents without random decisions do.
    """

    agent: str
    games: int
    blocks: int
    copies: list[CopyStanding]
    points: NoiseFloor
    ratings: NoiseFloor
    seats: list[IntervalEstimate]
    design_effect: float
    rho: float
    is_exact: bool
    checks: list[CopyTest]

    def precisions(self) -> list[NoiseAtBlocks]:
        """Return the noise for several numbers of blocks; empty where games are identical, which gives no estimate."""
        if self.blocks < 2 or self.is_exact:
            return []
        return [
            NoiseAtBlocks(
                blocks,
                self.points.noise(blocks),
                self.points.detectable(blocks),
                self.ratings.noise(blocks),
                self.ratings.detectable(blocks),
            )
            for blocks in (factor * self.blocks for factor in FACTORS)
        ]

    def to_json(self) -> dict[str, Any]:
        """Return all attributes as values that are not yet plain."""
        low, high = self.points.noise_interval(self.blocks) if self.precisions() else UNKNOWN
        return {
            "agent": self.agent,
            "games": self.games,
            "blocks": self.blocks,
            "copies": [flat(copy) for copy in self.copies],
            "noise_low": low,
            "noise_high": high,
            "precisions": [asdict(precision) for precision in self.precisions()],
            "seats": [(value, *interval) for value, interval in self.seats],
            "design_effect": self.design_effect,
            "rho": self.rho,
            "is_exact": self.is_exact,
            "checks": [{**asdict(check), "is_alarm": check.is_alarm} for check in self.checks],
        }


def read_copies(results: TournamentResults, definition: TournamentDefinition) -> AgentNoise | None:
    """Return the noise from a tournament between copies, complete or not; None without a whole match-up."""
    counted = counted_seats(results.folder)
    if counted.empty:
        return None
    points = blocks_of(counted, len(definition.agents))
    is_exact = scores_are_equal(points, definition.players)
    fit = None if is_exact else rate_agents(RankedGames.of(counted))
    alike = [found for found in within_blocks(counted).values() if found.rho == found.rho]
    return AgentNoise(
        agent=definition.agents[0],
        games=counted["game_id"].nunique(),
        blocks=points.n_blocks,
        copies=_standings(results, definition, points, fit),
        points=NoiseFloor.of(points),
        ratings=_rating_noise(fit),
        seats=[
            IntervalEstimate(mean, Interval(low, high))
            for mean, low, high in seat_points(counted)[["mean", "low", "high"]].to_numpy().tolist()
        ],
        design_effect=float(np.mean([found.design_effect for found in alike])) if alike else nan,
        rho=float(np.mean([found.rho for found in alike])) if alike else nan,
        is_exact=is_exact,
        checks=_checks(results.folder, definition, points, counted),
    )


def scores_are_equal(points: CopyBlocks, players: int) -> bool:
    """Say whether every copy has an equal share of the points in each block."""
    return bool(np.all(np.abs(points.totals - points.sizes / players) < _ROUNDING))


def blocks_of(counted: pd.DataFrame, n_copies: int) -> CopyBlocks:
    """Return the points of copies block by block."""
    sums = BlockSums.over(counted, n_copies, ["points"])
    points, games, independent = (sums.all(name) for name in ("points", "games", INDEPENDENT))
    return CopyBlocks(points, games, float(independent.sum() / games.sum()) if games.any() else 1.0)


def check_same(folder: Path, definition: TournamentDefinition) -> CopyTest:
    """Test whether identical agents with the same random numbers score the same; with time limits they may differ."""
    counted = counted_seats(folder)
    if counted.empty or timed(definition):
        return CopyTest(
            "same draws", "with time limits no two games are the same" if len(counted) else "no blocks", nan
        )
    points = blocks_of(counted, len(definition.agents))
    if scores_are_equal(points, definition.players):
        return CopyTest("same draws", f"identical in {points.n_blocks} blocks", 1.0)
    return CopyTest("same draws", f"{definition.agents[0]} does not play the same when it sees and draws the same", 0.0)


def _standings(
    results: TournamentResults, definition: TournamentDefinition, points: CopyBlocks, fit: RatedAgents | None
) -> list[CopyStanding]:
    by_label = {standing.agent: standing for standing in results.standings}
    nothing = np.full(points.n_copies, nan)
    ratings = nothing if fit is None else fit.fit.ratings
    lows, highs = (nothing, nothing) if fit is None else fit.intervals()
    found = []
    for copy, label in enumerate(definition.labels):
        difference = points.against_others(copy)
        found.append(
            CopyStanding(
                agent=label,
                points=by_label[label].points,
                difference=difference.mean,
                interval=Interval(difference.mean - difference.half, difference.mean + difference.half),
                rating=float(ratings[copy]),
                rating_interval=Interval(float(lows[copy]), float(highs[copy])),
                decision_ms=by_label[label].decision_ms,
                faults=by_label[label].faults,
            )
        )
    return found


def _rating_noise(fit: RatedAgents | None) -> NoiseFloor:
    """Return the noise of a difference of two copies' ratings, from the intervals of all pairs."""
    if fit is None or fit.blocks < 2:
        return NoiseFloor(nan, nan, 0)
    low, high = fit.difference_intervals()
    pairs = np.triu_indices(len(low), 1)
    half = sqrt(float(np.mean(((high - low)[pairs] / 2.0) ** 2)))
    return NoiseFloor(half / student(fit.blocks) * sqrt(fit.blocks), nan, fit.blocks)


def _checks(
    folder: Path, definition: TournamentDefinition, points: CopyBlocks, counted: pd.DataFrame
) -> list[CopyTest]:
    seating = pd.crosstab(counted["agent_index"], counted["seat"]).to_numpy()
    reason = "" if (seating == seating[:1]).all() else "; they do not sit in each seat equally often"
    checks = [check_equal("copies", points, definition.labels, "{:.3f} points", reason), *check_groups(points)]
    if timed(definition):
        clock = _milliseconds(counted, read_timings(folder), points.n_copies)
        checks.append(check_equal("clock", clock, definition.labels, "{:.3g} ms per decision"))
    return checks


def _milliseconds(counted: pd.DataFrame, timings: pd.DataFrame, n_copies: int) -> CopyBlocks:
    """Return the copies' decision times and numbers of decisions, by block, where known."""
    sums = BlockSums.over(counted.merge(timings, on=["game_id", "seat"]), n_copies, ["seconds", "decisions"])
    return CopyBlocks(1000.0 * sums.all("seconds"), sums.all("decisions"))
