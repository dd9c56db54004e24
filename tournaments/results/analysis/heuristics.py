"""Heuristics compared: one agent that searches with each of several, over many game types.

After Goodman, Perez-Liebana and Lucas, *Following the Leader in Multiplayer Tabletop Games* (Foundations of Digital Games,
2023): the mean rank over the events.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import nan
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import pandas as pd
import scipy

from tag.tournaments.ledger.folder import Folder
from tag.tournaments.results.tournament import CountedGames
from tag.tournaments.statistics.clustered_means import ClusteredMean
from tag.tournaments.statistics.intervals import (
    HALF_WIDTH,
    Bools,
    Floats,
    Interval,
    IntervalEstimate,
    independent_clusters,
)
from tag.tournaments.statistics.ratings.pairwise import pairwise
from tag.tournaments.statistics.repeats import INDEPENDENT
from tag.tournaments.statistics.standings import BlockSums

#: What stands before the name of a heuristic in the measure of its points.
POINTS_WITH: Final = "points_with_"
_RESAMPLES: Final = 1000


class ComparedEvent(NamedTuple):
    """The results of one event.

    Attributes:
        points: of each heuristic in each block, of shape (heuristics, blocks).
        games: the same for its games, once per seat.
        independent: the same for those that repeat no earlier one.
        shares: how often each is placed above each other where they meet, half for a shared place, of shape (heuristics,
            heuristics).
        errors: the standard errors of these.
    """

    points: Floats
    games: Floats
    independent: Floats
    shares: Floats
    errors: Floats

    def mean_points(self) -> Floats:
        """Return the points per game of each heuristic."""
        return np.asarray(self.points.sum(axis=1) / self.games.sum(axis=1), dtype=np.float64)

    def estimates(self) -> Iterator[tuple[int, IntervalEstimate]]:
        """Yield the games and the points per game of each heuristic, with the 95 % interval from the blocks."""
        for points, games, independent in zip(self.points, self.games, self.independent, strict=True):
            mean = ClusteredMean.of(points, games, independent)
            yield int(games.sum()), IntervalEstimate(mean.mean, mean.proportion_interval())


@dataclass(frozen=True)
class HeuristicComparison:
    """Several heuristics over several events, the same heuristics in all."""

    names: tuple[str, ...]
    events: Sequence[ComparedEvent]

    def frame(self) -> pd.DataFrame:
        """Return one row per heuristic, the best first.

        Returns:
            Columns heuristic; mean_rank, low, high (over the events, 1 is best; equal points share a rank; the interval is
            for these events); best (the events in which it has the most points); on_front (no other has at least as many
            points in all events, and more in one); front_share (the share of resamples of the games in which that is so).
        """
        points = self._points
        means = _ranks(points).mean(axis=0)
        errors = self._resampled_ranks.std(axis=0, ddof=1)
        fronts = np.array([_front(resample) for resample in self._resampled])
        found = pd.DataFrame(
            {
                "heuristic": self.names,
                "mean_rank": means,
                "low": np.maximum(1.0, means - HALF_WIDTH * errors),
                "high": np.minimum(len(self.names), means + HALF_WIDTH * errors),
                "best": (points == points.max(axis=1, keepdims=True)).sum(axis=0),
                "on_front": _front(points),
                "front_share": fronts.mean(axis=0),
            }
        )
        return found.sort_values(["mean_rank", "heuristic"], ignore_index=True)

    def pairs(self) -> pd.DataFrame:
        """Return one row per ordered pair of heuristics.

        Returns:
            Columns heuristic, other; share (how often the heuristic is placed above the other where they meet, half for a
            shared place, the mean over the events), low, high.
        """
        shares = np.array([event.shares for event in self.events]).mean(axis=0)
        errors = np.sqrt((np.array([event.errors for event in self.events]) ** 2).sum(axis=0)) / len(self.events)
        rows = [
            (self.names[one], self.names[other], *_interval(float(shares[one, other]), float(errors[one, other])))
            for one in range(len(self.names))
            for other in range(len(self.names))
            if one != other
        ]
        return pd.DataFrame(rows, columns=["heuristic", "other", "share", "low", "high"])

    def rank_difference(self, one: str, other: str) -> IntervalEstimate:
        """Return the mean rank of one heuristic less that of another, with its 95 % interval for these events."""
        places = self.names.index(one), self.names.index(other)
        ranks = _ranks(self._points).mean(axis=0)
        drawn = self._resampled_ranks
        half = HALF_WIDTH * float((drawn[:, places[0]] - drawn[:, places[1]]).std(ddof=1))
        value = float(ranks[places[0]] - ranks[places[1]])
        return IntervalEstimate(value, Interval(value - half, value + half))

    @cached_property
    def _points(self) -> Floats:
        """The points per game, of shape (events, heuristics)."""
        return np.array([event.mean_points() for event in self.events])

    @cached_property
    def _resampled_ranks(self) -> Floats:
        """The mean ranks in resamples, of shape (resamples, heuristics)."""
        return np.asarray(_ranks(self._resampled).mean(axis=1), dtype=np.float64)

    @cached_property
    def _resampled(self) -> Floats:
        """The points of shape (resamples, events, heuristics), where blocks of each event are drawn with replacement.

        As many are drawn as count as independent.
        """
        generator = np.random.default_rng(0)
        found = np.empty((_RESAMPLES, len(self.events), len(self.names)))
        for number, event in enumerate(self.events):
            blocks = event.games.shape[1]
            draws = independent_clusters(blocks, float(event.independent.sum() / event.games.sum()))
            weights = generator.multinomial(draws, np.full(blocks, 1.0 / blocks), _RESAMPLES).astype(np.float64)
            games = weights @ event.games.T
            found[:, number] = np.divide(weights @ event.points.T, games, out=np.zeros_like(games), where=games > 0.0)
        return found


def read_comparison(folders: Sequence[Path], names: Sequence[str]) -> HeuristicComparison:
    """Return the comparison from the tournaments in ``folders``, whose agents have these names."""
    return HeuristicComparison(tuple(names), [_read_event(folder, names) for folder in folders])


def _read_event(folder: Path, names: Sequence[str]) -> ComparedEvent:
    opened = Folder.open(folder)
    definition = opened.definition
    places = [definition.labels.index(name) for name in names]
    counted = CountedGames(opened)
    sums = BlockSums.over(pd.concat(list(counted.seats())), len(definition.labels), ("points",)).sums
    shares = errors = np.full((len(names), len(names)), nan)
    if (ranked := counted.ranked()) is not None:
        table = pairwise(ranked)
        order = np.ix_(*[[table.labels.index(name) for name in names]] * 2)
        shares, errors = table.score[order], (table.high - table.low)[order] / (2.0 * HALF_WIDTH)
    points, games, independent = (sums[name][places] for name in ("points", "games", INDEPENDENT))
    return ComparedEvent(points, games, independent, shares, errors)


def _ranks(points: Floats) -> Floats:
    """Return the ranks by points along the last axis, 1 for the most; equal ones share the mean of their ranks."""
    return np.asarray(scipy.stats.rankdata(-points, axis=-1), dtype=np.float64)


def _front(points: Floats) -> Bools:
    """Say which columns no other one dominates: at least as much in all rows, and more in one.

    Args:
        points: of shape (events, heuristics).
    """
    at_least = (points[:, :, None] >= points[:, None, :]).all(axis=0)
    more = (points[:, :, None] > points[:, None, :]).any(axis=0)
    return np.asarray(~(at_least & more).any(axis=0), dtype=np.bool_)


def _interval(value: float, error: float) -> tuple[float, float, float]:
    half = HALF_WIDTH * error
    ends = Interval(max(0.0, value - half), min(1.0, value + half))
    return value, *ends
