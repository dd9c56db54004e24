"""An agent against its copies: results, noise and tests."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import nan, sqrt
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd

from tag.tournaments.definition import TournamentDefinition, timed
from tag.tournaments.ledger.games import read_timings
from tag.tournaments.results.copies.bias_tests import CopyTest, check_equal, check_groups
from tag.tournaments.results.copies.differences import CopyBlocks
from tag.tournaments.results.copies.noise_floor import FACTORS, NoiseFloor
from tag.tournaments.results.tournament import TournamentResults, counted_seats
from tag.tournaments.statistics.intervals import UNKNOWN, Interval, IntervalEstimate, student
from tag.tournaments.statistics.plain_records import flat
from tag.tournaments.statistics.ratings.ranked_games import RankedGames
from tag.tournaments.statistics.ratings.rating_errors import RatedAgents, rate_agents
from tag.tournaments.statistics.repeats import INDEPENDENT
from tag.tournaments.statistics.standings import BlockSums, seat_points
from tag.tournaments.statistics.within_blocks import within_blocks

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
