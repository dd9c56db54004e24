"""Luck, the share of the outcome that chance decides, from many games of one agent with each of many chance seeds.

After Goodman, Perez-Liebana and Gaina, *Seeding for Success* (IEEE Transactions on Games, 2025), whose measures of the
distribution over seeds are here beside the share of the variance that lies between them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import exp, inf, log, sqrt
from typing import Final

import numpy as np
import pandas as pd
import scipy

from tag.orders.set_up import has_score, is_cooperative_game
from tag.tournaments.ledger.folder import Folder, FolderOrPath
from tag.tournaments.ledger.games import read_ledger
from tag.tournaments.results.measures import GameMeasure
from tag.tournaments.statistics.clustered_means import ClusteredMean
from tag.tournaments.statistics.intervals import (
    ROUNDING,
    Floats,
    Interval,
    IntervalEstimate,
    Ints,
    interval_of_equals,
    student,
)

#: The measure of which there is a distribution over the seeds.
POINTS: Final = "seed_points"
#: Measures of luck, each with its interval, if it has one, in the column of estimates.
LUCK: Final = {
    "luck": "share of the variance of results that lies between chance seeds: what the deal decides",
    "luck_outside": "share of chance seeds on which the first seat does so well or badly that fewer than one in a hundred "
    "would, if all seeds had the same mean",
    "seed_points": "points of the first seat, mean over the games with each chance seed",
    "seed_span": "span between the worst and the best chance seed for the first seat, in points",
    "seed_span_90": "the same span without the extreme twentieths of the seeds",
    "seed_entropy": "bits of the distribution of the first seat's points over the seeds, in twenty equal bins",
    "variance_games": "variance of the points of a game",
    "variance_pairs": "the same per game of a mirrored pair: one seed, with two seats exchanged",
    "variance_blocks": "the same per game of a block: one seed, with all rotations of the seats",
}
#: What stands before the name of a source in the measure of what it decides alone.
OF_SOURCE: Final = "luck_of_"
#: A chance seed is outside if it would be so by chance once in a hundred.
_OUTSIDE: Final = 0.99
#: The jackknife leaves out one seed, and needs two others.
_FEWEST_SEEDS: Final = 3
_BINS: Final = 20


@dataclass(frozen=True)
class SeedResults:
    """Results of the games of each chance seed.

    Attributes:
        seeds: the number of each seed, of shape (seeds,).
        games: how many games were played with each, of shape (seeds,).
        means: the mean result of each seat, of shape (seeds, seats): its points; where all are one team, as in games for
            one player, one column with the score, or the wins in a game that counts no points.
        squares: the sum of the squared deviations from these means, of shape (seeds, seats).
        is_share: whether results are between 0 and 1.
    """

    seeds: Ints
    games: Floats
    means: Floats
    squares: Floats
    is_share: bool

    def measures(self, source: str = "") -> Iterator[tuple[str, IntervalEstimate]]:
        """Yield those of `LUCK` that these results have, by name; of one source of chance only what it decides alone."""
        if len(self.games) < 2 or self.games.min() < 2:
            return
        if source:
            yield f"{OF_SOURCE}{source}", self.luck()
            return
        yield "luck", self.luck()
        first = self.means[:, 0]
        if self.is_share:
            yield "luck_outside", self._outside()
        yield "seed_span", _point(float(np.ptp(first)))
        yield "seed_span_90", _point(float(np.quantile(first, 0.95) - np.quantile(first, 0.05)))
        if self.is_share:
            yield "seed_entropy", _point(_entropy(first))
        if self.means.shape[1] > 1:
            for name, value in zip(("games", "pairs", "blocks"), self.variances(), strict=True):
                yield f"variance_{name}", _point(value)

    def of_seeds(self, places: Ints) -> SeedResults:
        """Return the results of the seeds at these places, which may repeat, as in a resample."""
        return SeedResults(
            self.seeds[places], self.games[places], self.means[places], self.squares[places], self.is_share
        )

    def first_seat(self) -> GameMeasure:
        """Return the mean result of the first seat with each seed."""
        return GameMeasure(POINTS, LUCK[POINTS], self.means[:, 0], self.seeds, np.zeros(len(self.seeds), np.int64))

    def luck(self) -> IntervalEstimate:
        """Return the share of the variance between seeds, all seats together, with its 95 % interval.

        The estimate is that of the analysis of variance, cut off at 0. The interval is the jackknife's over the seeds, for
        the logarithm of the ratio of the mean squares (Miller, *Biometrika* 61, 1974): no assumption on how seeds differ.
        It needs three seeds: of two, without either, there is no variance between them.
        """
        number = len(self.games)
        everything = np.arange(number)
        ratio, size = self._ratio(everything)
        if ratio in (0.0, inf):
            value = float(ratio > 0.0)
            return IntervalEstimate(value, interval_of_equals(value, number, 0.0, 1.0))
        if number < _FEWEST_SEEDS:
            return IntervalEstimate(_share(ratio, size), Interval(0.0, 1.0))
        whole = log(ratio)
        parts = np.array([_log(self._ratio(np.delete(everything, seed))[0]) for seed in everything])
        pseudo = number * whole - (number - 1) * parts
        half = student(number) * sqrt(float(np.var(pseudo, ddof=1)) / number)
        low, value, high = (_share(exp(end), size) for end in (whole - half, whole, whole + half))
        return IntervalEstimate(value, Interval(low, high))

    def _ratio(self, kept: Ints) -> tuple[float, float]:
        """Return the mean square between the seeds at these places over that within, and the size that they count as."""
        games, means, squares = self.games[kept], self.means[kept], self.squares[kept]
        total = float(games.sum())
        between = float((games @ (means - games @ means / total) ** 2).sum()) / (len(games) - 1)
        within = float(squares.sum()) / (total - len(games))
        size = (total - float(games @ games) / total) / (len(games) - 1)
        if within <= ROUNDING:
            return (inf if between > ROUNDING else 0.0), size
        return (between / within if between > ROUNDING else 0.0), size

    def _outside(self) -> IntervalEstimate:
        """Return the share of seeds outside the interval of a common mean, with Wilson's interval."""
        first = self.means[:, 0]
        mean = float(self.games @ first / self.games.sum())
        deviations = self.squares[:, 0] + self.games * (first - mean) ** 2
        error = np.sqrt(float(deviations.sum()) / float(self.games.sum()) / self.games)
        outside = np.abs(first - mean) > float(scipy.stats.norm.ppf((1.0 + _OUTSIDE) / 2.0)) * error
        share = ClusteredMean.of(outside.astype(np.float64), np.ones(len(outside)))
        return IntervalEstimate(share.mean, share.proportion_interval())

    def variances(self) -> tuple[float, float, float]:
        """Return the variance per game: of single games, of pairs with two seats exchanged, and of all rotations.

        Two games of a seed are independent but for its chance, so a pair's mean varies by half the variance within seeds,
        and by what the seed does to the two seats together.
        """
        n_seats = self.means.shape[1]
        within = float(np.mean(self.squares.sum(axis=0) / (self.games.sum() - len(self.games))))
        noise = self.squares / (self.games * (self.games - 1.0))[:, None]  # of each mean

        def between(rotated: Floats, errors: Floats) -> float:
            return max(0.0, float(np.var(rotated, ddof=1)) - float(errors.mean()))

        single = np.mean([between(self.means[:, seat], noise[:, seat]) for seat in range(n_seats)])
        pairs = np.mean(
            [
                between(self.means[:, [one, other]].mean(axis=1), noise[:, [one, other]].sum(axis=1) / 4.0)
                for one in range(n_seats)
                for other in range(one)
            ]
        )
        blocks = between(self.means.mean(axis=1), noise.sum(axis=1) / n_seats**2)
        return within + float(single), within + 2.0 * float(pairs), within + n_seats * blocks


def read_seed_results(folder: FolderOrPath) -> SeedResults:
    """Return the results by seed of the tournament in ``folder``, which is of design `repeated`; without void games.

    Raises:
        DataError: there is no such tournament.
    """
    opened = Folder.of(folder)
    definition = opened.definition
    games, seats = read_ledger(opened)
    is_one_team = is_cooperative_game(definition.game, definition.players)
    by_score = is_one_team and has_score(definition.game, definition.players)
    column = "score" if by_score else "win" if is_one_team else "points"
    values = seats[column].to_numpy(np.float64).reshape(len(games), definition.players)
    played = ~games["void"].to_numpy(dtype=bool)
    seeds = games["block"].to_numpy(np.int64)[played]
    results = pd.DataFrame(values[played, :1] if is_one_team else values[played])
    by_seed = results.groupby(seeds)
    means = by_seed.mean()
    squares = ((results - by_seed.transform("mean")) ** 2).groupby(seeds).sum()
    return SeedResults(
        means.index.to_numpy(np.int64),
        np.asarray(by_seed.size(), dtype=np.float64),
        means.to_numpy(np.float64),
        squares.to_numpy(np.float64),
        not by_score,
    )


def _point(value: float) -> IntervalEstimate:
    return IntervalEstimate(value, Interval(value, value))


def _entropy(shares: Floats) -> float:
    """Return the bits of the distribution of shares over equal bins."""
    counts, _edges = np.histogram(shares, _BINS, (0.0, 1.0))
    parts = counts[counts > 0] / len(shares)
    return float(-(parts @ np.log2(parts)))


def _log(ratio: float) -> float:
    """Return the logarithm, of 0 and infinity that of a number beyond any that is met."""
    return log(min(max(ratio, 1e-12), 1e12))


def _share(ratio: float, size: float) -> float:
    return max(0.0, (ratio - 1.0) / (ratio - 1.0 + size))
