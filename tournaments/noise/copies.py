"""One agent against its copies: what each came to, what is noise, and what was checked."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import nan, sqrt
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from tournaments.definition import TournamentDefinition
from tournaments.ledger import read_timings
from tournaments.noise.checks import Check, check_equal, check_groups
from tournaments.noise.differences import CopyBlocks, quantile
from tournaments.noise.floor import FACTORS, NoiseFloor
from tournaments.ratings.bootstrap import BootstrappedRatings, bootstrap_ratings
from tournaments.ratings.games import RankedGames
from tournaments.ratings.within_block import within_blocks
from tournaments.reports.estimates import seat_points
from tournaments.results import TournamentResults, counted_seats
from tournaments.standings import BlockSums
from tournaments.time_limits import timed

#: Sums of shares such as 1/3 miss by less.
_ROUNDING: Final = 1e-9
_UPPER: Final = 0.975

_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CopyStanding:
    """How one copy did.

    Attributes:
        agent: its label.
        points: mean per game, as in the standings.
        difference: its points minus the mean of all other copies'.
        low: the lower end of the 95 % interval of that.
        high: the upper end.
        rating: on Elo's scale; the mean of all copies is 0.
        rating_low: the lower end of its 95 % interval.
        rating_high: the upper end.
        decision_ms: mean wall time of a decision in milliseconds.
        faults: what went wrong with it.
    """

    agent: str
    points: float
    difference: float
    low: float
    high: float
    rating: float
    rating_low: float
    rating_high: float
    decision_ms: float
    faults: int


@dataclass(frozen=True, slots=True)
class Precision:
    """How large a difference has to be with so many blocks, in points per game and in rating points.

    Attributes:
        blocks: how many.
        noise: the largest difference that is still noise.
        detectable: the smallest true difference that is found with a power of 80 %.
        rating_noise: the same as noise, in rating points.
        rating_detectable: the same as detectable, in rating points.
    """

    blocks: int
    noise: float
    detectable: float
    rating_noise: float
    rating_detectable: float


@dataclass(frozen=True, slots=True, eq=False)
class AgentNoise:
    """What the games of an agent with its copies tell.

    Attributes:
        agent: its spec.
        games: those that count.
        blocks: the blocks they are from.
        copies: one entry per copy, in the order of the list.
        points: the noise of a difference of two copies, in points per game.
        ratings: the same in rating points.
        seats: for each seat the points of whoever sits there, with the ends of their interval.
        design_effect: games per effective game, mean of all copies; below 1 where rotating the seats has cancelled luck.
        rho: the correlation of two games of a block, likewise.
        is_exact: whether all copies scored exactly the same in every block, as agents do that draw nothing.
        checks: what was tested.
    """

    agent: str
    games: int
    blocks: int
    copies: list[CopyStanding]
    points: NoiseFloor
    ratings: NoiseFloor
    seats: list[tuple[float, float, float]]
    design_effect: float
    rho: float
    is_exact: bool
    checks: list[Check]

    def precisions(self) -> list[Precision]:
        """Return the noise for several numbers of blocks; nothing where identical games tell nothing about it."""
        if self.blocks < 2 or self.is_exact:
            return []
        return [
            Precision(
                blocks,
                self.points.noise(blocks),
                self.points.detectable(blocks),
                self.ratings.noise(blocks),
                self.ratings.detectable(blocks),
            )
            for blocks in (factor * self.blocks for factor in FACTORS)
        ]

    def to_json(self) -> dict[str, Any]:
        """Return everything as values that are not yet plain."""
        low, high = self.points.noise_interval(self.blocks) if self.precisions() else (nan, nan)
        return {
            "agent": self.agent,
            "games": self.games,
            "blocks": self.blocks,
            "copies": [asdict(copy) for copy in self.copies],
            "noise_low": low,
            "noise_high": high,
            "precisions": [asdict(precision) for precision in self.precisions()],
            "seats": self.seats,
            "design_effect": self.design_effect,
            "rho": self.rho,
            "is_exact": self.is_exact,
            "checks": [{**asdict(check), "is_alarm": check.is_alarm} for check in self.checks],
        }


def read_copies(results: TournamentResults, definition: TournamentDefinition) -> AgentNoise | None:
    """Return what a tournament between copies tells, complete or not; None without a whole match-up.

    Args:
        results: of the tournament.
        definition: likewise.
    """
    counted = counted_seats(results.folder)
    if counted.empty:
        return None
    points = blocks_of(counted, len(definition.agents))
    is_exact = scores_are_equal(points, definition.players)
    fit = None if is_exact else bootstrap_ratings(RankedGames.of(counted))
    alike = [found for found in within_blocks(counted).values() if found.rho == found.rho]
    return AgentNoise(
        agent=definition.agents[0],
        games=counted["game_id"].nunique(),
        blocks=points.n_blocks,
        copies=_standings(results, definition, points, fit),
        points=NoiseFloor.of(points),
        ratings=_rating_noise(fit),
        seats=list(seat_points(counted)[["mean", "low", "high"]].itertuples(index=False, name=None)),
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
    sums = BlockSums(counted, n_copies)
    found = [sums.of(copy) for copy in range(n_copies)]
    return CopyBlocks(np.array([one["points"] for one in found]), np.array([one["games"] for one in found]))


def check_same(folder: Path, definition: TournamentDefinition) -> Check:
    """Test whether identical agents that draw the same numbers score the same; with time limits they need not."""
    counted = counted_seats(folder)
    if counted.empty or timed(definition):
        return Check("same draws", "with time limits no two games are the same" if len(counted) else "no blocks", nan)
    points = blocks_of(counted, len(definition.agents))
    if scores_are_equal(points, definition.players):
        return Check("same draws", f"identical in {points.n_blocks} blocks", 1.0)
    return Check("same draws", f"{definition.agents[0]} does not play the same when it sees and draws the same", 0.0)


def _standings(
    results: TournamentResults, definition: TournamentDefinition, points: CopyBlocks, fit: BootstrappedRatings | None
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
                low=difference.mean - difference.half,
                high=difference.mean + difference.half,
                rating=float(ratings[copy]),
                rating_low=float(lows[copy]),
                rating_high=float(highs[copy]),
                decision_ms=by_label[label].decision_ms,
                faults=by_label[label].faults,
            )
        )
    return found


def _rating_noise(fit: BootstrappedRatings | None) -> NoiseFloor:
    """Return the noise of a difference of two copies' ratings, from the intervals of all pairs."""
    if fit is None or fit.blocks < 2:
        return NoiseFloor(nan, nan, 0)
    low, high = fit.difference_intervals()
    pairs = np.triu_indices(len(low), 1)
    half = sqrt(float(np.mean(((high - low)[pairs] / 2.0) ** 2)))
    return NoiseFloor(half / quantile(_UPPER, fit.blocks) * sqrt(fit.blocks), nan, fit.blocks)


def _checks(folder: Path, definition: TournamentDefinition, points: CopyBlocks, counted: pd.DataFrame) -> list[Check]:
    seating = pd.crosstab(counted["agent_index"], counted["seat"]).to_numpy()
    reason = "" if (seating == seating[:1]).all() else "; they do not sit in each seat equally often"
    checks = [check_equal("copies", points, definition.labels, "{:.3f} points", reason), *check_groups(points)]
    if timed(definition):
        clock = _milliseconds(counted, read_timings(folder), points.n_copies)
        checks.append(check_equal("clock", clock, definition.labels, "{:.3g} ms per decision"))
    return checks


def _milliseconds(counted: pd.DataFrame, timings: pd.DataFrame, n_copies: int) -> CopyBlocks:
    """Return what copies took and how often they were asked, block by block, where that is known."""
    known = counted.merge(timings, on=["game_id", "seat"])
    blocks, block = np.unique(known["block"], return_inverse=True)
    cell = known["agent_index"].to_numpy(dtype=np.int64) * len(blocks) + block
    totals, sizes = (
        np.bincount(cell, values, n_copies * len(blocks)).reshape(n_copies, len(blocks)).astype(np.float64)
        for values in (1000.0 * known["seconds"], known["decisions"])
    )
    return CopyBlocks(totals, sizes)
