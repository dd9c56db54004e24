"""Estimates of a candidate: numbers that its games tell, with errors over blocks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf, isfinite, nan
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from tag.engine.parameters import parse_spec
from tag.errors import UnknownNameError
from tag.tournaments.statistics.clustered_means import ClusteredMean
from tag.tournaments.statistics.intervals import HALF_WIDTH, ROUNDING, Floats, Interval, Ints, interval_of_equals
from tag.tournaments.statistics.standings import whole_match_ups


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number estimated from games.

    Attributes:
        value: the number, with the bias of noise removed; nan where the games tell nothing.
        error: its standard error; infinite where nothing is known about it.
        low: the lower end of its interval, at 95 % unless its measurement says otherwise.
        high: the upper end.
        games: how many games it is from.
    """

    value: float
    error: float
    low: float
    high: float
    games: int

    def widened(self, factor: float, least: float, greatest: float) -> Estimate:
        """Return it with an interval so many times as wide to each side, cut at the possible values; the error stays."""
        if not isfinite(self.value):
            return self
        low, high = (self.value + factor * (end - self.value) for end in (self.low, self.high))
        return replace(self, low=max(low, least), high=min(high, greatest))

    @classmethod
    def exactly(cls, value: float) -> Estimate:
        """Return a value that is known without games."""
        return cls(value, 0.0, value, value, 0)

    @classmethod
    def unknown(cls, least: float = -inf, greatest: float = inf, games: int = 0) -> Estimate:
        """Return the estimate from games without the quantity: the whole possible range."""
        return cls(nan, inf, least, greatest, games)


def mean_estimate(mean: ClusteredMean, least: float, greatest: float, games: int) -> Estimate:
    """Return a mean over games with Student's interval, cut at the possible values ``least`` and ``greatest``."""
    if not isfinite(mean.mean):
        return Estimate.unknown(least, greatest, games)
    return _estimate(mean, mean.interval(least, greatest), games)


def share_estimate(mean: ClusteredMean, games: int) -> Estimate:
    """Return a share of games with Wilson's interval, which is honest at 0 and 1 as well."""
    if not isfinite(mean.mean):
        return Estimate.unknown(0.0, 1.0, games)
    return _estimate(mean, mean.proportion_interval(), games)


def by_block(blocks: Ints, values: npt.ArrayLike) -> ClusteredMean:
    """Return the mean of values of games, of shape (games,), that share their luck where their blocks are the same."""
    _numbers, block = np.unique(blocks, return_inverse=True)
    totals = np.bincount(block, np.asarray(values, dtype=np.float64)).astype(np.float64)
    return ClusteredMean.of(totals, np.bincount(block).astype(np.float64))


def _estimate(mean: ClusteredMean, interval: Interval, games: int) -> Estimate:
    error = mean.error(interval) if mean.clusters > 1 else inf
    return Estimate(mean.mean, error, *interval, games)


@dataclass(frozen=True, slots=True, eq=False)
class BlockMeans:
    """Means of k quantities over games in blocks, as ratios of totals to sizes (see `tag.tournaments.statistics.intervals`).

    Attributes:
        means: of shape (k,); nan where all sizes are 0.
        covariance: of the means, of shape (k, k); nan with fewer than two blocks.
    """

    means: Floats
    covariance: Floats
    blocks: int
    games: int

    @classmethod
    def of(cls, totals: Floats, sizes: Floats, games: int) -> BlockMeans:
        """Return the means of quantities that have these totals and sizes in each block, both of shape (blocks, k)."""
        n, k = totals.shape
        whole = sizes.sum(axis=0)
        means = np.divide(totals.sum(axis=0), whole, out=np.full(k, np.nan), where=whole > 0.0)
        if n < 2:
            return cls(means, np.full((k, k), np.nan), n, games)
        residuals = (totals - means * sizes) / whole
        return cls(means, n / (n - 1) * residuals.T @ residuals, n, games)

    @property
    def is_known(self) -> bool:
        """True if there are means, and all of them and their errors are known."""
        return len(self.means) > 0 and bool(np.isfinite(self.means).all() and np.isfinite(self.covariance).all())

    def contrasted(self, contrasts: Floats) -> BlockMeans:
        """Return other means that are sums of these, by ``contrasts`` of shape (others, k)."""
        covariance = contrasts @ self.covariance @ contrasts.T
        return BlockMeans(contrasts @ self.means, covariance, self.blocks, self.games)

    def combined(self, weights: Floats, least: float, greatest: float) -> Estimate:
        """Return the sum of the means by ``weights``, of shape (k,), with Student's interval, cut at the possible values.

        Where the blocks do not differ it is that of `tag.tournaments.statistics.intervals.interval_of_equals`.
        """
        if not self.is_known:
            return Estimate.unknown(least, greatest, self.games)
        variance = float(weights @ self.covariance @ weights)
        mean = ClusteredMean(float(weights @ self.means), variance if variance > ROUNDING else 0.0, self.blocks)
        return mean_estimate(mean, least, greatest, self.games)


# Sizes of vectors that are known with noise: the spread between seats, the distance of a matrix from another.
#
# The greatest difference between means from games is above that between the true ones, as noise spreads them: four fair
# seats differ by 7 points of 100 after 200 games. The same holds for the distance from a target. The size of a vector is
# its length along the direction in which it is longest. The bias arises because the same games find that direction and
# measure along it. Here one half of the games finds the direction, the other half measures (the double estimator of van
# Hasselt, Double Q-learning, 2010). The mean over all ways to halve the games is taken. If x is the estimate from all
# games and e noise with the covariance of x, the halves give x + e and x - e. So the mean is exactly 0 for pure noise, with
# any number of games, and the true size where noise is small. In between it is too small rather than too great, by up to
# the standard error of a difference, and never below 0. A single estimate can be negative, when the games spread less than
# noise does on average. Cut at 0, the mean of such estimates over fair games would again be above 0.
#
# The interval is not around the estimate. It holds the sizes for which the observed one is neither too great nor too
# small, and begins at 0 or above.


#: The noise that is drawn, for halves and intervals: as many vectors, and their opposites.
_DRAWS: Final = 2_000
#: The vectors, and the noise of each, for the standard error.
_REPEATS: Final = 100
_DRAWS_OF_REPEAT: Final = 500
_TAIL: Final = 0.025
#: Halvings of the range in which the end of an interval lies.
_STEPS: Final = 24
#: What rounding leaves of the width of an interval that has none.
_ROUNDING: Final = 1e-9


class Spread:
    """The greatest entry less the least."""

    def of(self, vectors: Floats) -> Floats:
        """Return the difference."""
        size: Floats = vectors.max(axis=0) - vectors.min(axis=0)
        return size

    def along(self, vectors: Floats, others: Floats) -> Floats:
        """Return the difference between the entries that are greatest and least in the others."""
        top, bottom = vectors[0], vectors[0]
        greatest, least = others[0], others[0]
        for entry, other in zip(vectors[1:], others[1:], strict=True):  # quicker than argmax, as entries are few
            top, bottom = np.where(other > greatest, entry, top), np.where(other < least, entry, bottom)
            greatest, least = np.maximum(greatest, other), np.minimum(least, other)
        found: Floats = top - bottom
        return found

    def centred(self, vector: Floats) -> Floats:
        """Take the mean off."""
        found: Floats = vector - vector.mean()
        return found


class RootMeanSquare:
    """The root of the mean square of the entries."""

    def of(self, vectors: Floats) -> Floats:
        """Return the root."""
        return np.asarray(np.sqrt((vectors**2).mean(axis=0)), dtype=np.float64)

    def along(self, vectors: Floats, others: Floats) -> Floats:
        """Return the part of each vector that has the direction of the other."""
        length = self.of(others)
        mean: Floats = (vectors * others).mean(axis=0)
        return np.divide(mean, length, out=np.zeros_like(mean), where=length > 0.0)

    def centred(self, vector: Floats) -> Floats:
        """Leave the estimate as it is."""
        return vector


#: A size of vectors; arrays of them are of shape (k, vectors). ``along`` is how far each vector reaches in the direction in
#: which its other reaches farthest, ``centred`` the part of a vector that its size depends on.
Size = Spread | RootMeanSquare
SPREAD: Final = Spread()
ROOT_MEAN_SQUARE: Final = RootMeanSquare()


def size_estimate(means: BlockMeans, size: Size, greatest: float) -> Estimate:
    """Return the size of the true means, without the bias of noise.

    Args:
        means: the vector, with its covariance.
        size: `SPREAD` or `ROOT_MEAN_SQUARE`.
        greatest: the greatest size that is possible.
    """
    if not means.is_known:
        return Estimate.unknown(0.0, greatest, means.games)
    vector = means.means[:, None]
    noise, tails = _noise(means)
    value = _halved(vector, noise, size)
    fewer = noise[:, _REPEATS : _REPEATS + _DRAWS_OF_REPEAT]
    repeats = [_halved(vector + one[:, None], fewer, size) for one in noise[:, :_REPEATS].T]
    low, high = _interval(means.means, tails, size, greatest)
    error = float(np.std(repeats))
    if high - low < _ROUNDING:  # blocks without a difference; the size is in its range, like the mean of a rate
        low, high = interval_of_equals(value, means.blocks, -greatest, greatest)
        low, error = max(low, 0.0), (high - low) / (2.0 * HALF_WIDTH)
    return Estimate(value, error, low, high, means.games)


def _noise(means: BlockMeans) -> tuple[Floats, Floats]:
    """Return normal noise of the means' covariance, and the same with tails as heavy as the number of blocks makes them.

    Both are of shape (k, vectors). It is drawn from a seed of its own, so that equal games give equal estimates, and
    candidates share what is drawn.
    """
    rng = np.random.default_rng(1)
    normal = rng.standard_normal((len(means.means), _DRAWS))
    degrees = means.blocks - 1
    scale = np.sqrt(degrees / rng.chisquare(degrees, _DRAWS))
    values, vectors = np.linalg.eigh(means.covariance)
    noise = (vectors * np.sqrt(np.maximum(values, 0.0))) @ normal
    return np.concatenate([noise, -noise], axis=1), np.concatenate([noise * scale, -noise * scale], axis=1)


def _halved(vector: Floats, noise: Floats, size: Size) -> float:
    """Return the mean over halvings of how far one half reaches in the direction that the other half finds."""
    return float(size.along(vector - noise, vector + noise).mean())


def _interval(means: Floats, noise: Floats, size: Size, greatest: float) -> tuple[float, float]:
    """Return the interval of sizes with which the observed one is neither too great nor too small for chance.

    It is too small for a true size if it is so along the direction found, as it is never less along another: the upper
    end is Student's. It is too great if noise, which only adds to the size, would seldom make it so great.
    """
    vector = means[:, None]
    seen = float(size.of(means))
    errors = size.along(noise, vector) if seen > 0.0 else size.of(noise)  # no direction is found where nothing differs
    high = seen + float(np.quantile(errors, 1.0 - _TAIL))
    length = float(size.of(size.centred(vector))[0])
    unit = size.centred(vector) / length if length > 0.0 else vector * 0.0

    def share_above(true: float) -> float:
        return float((size.of(true * unit + noise) >= seen).mean())

    return min(_crossing(lambda true: share_above(true) >= _TAIL, high), greatest), min(high, greatest)


def _crossing(holds: Callable[[float], bool], farthest: float) -> float:
    """Return the least size from which on something holds, 0 if it does there."""
    if holds(0.0):
        return 0.0
    low, high = 0.0, farthest
    for _step in range(_STEPS):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


@dataclass(frozen=True, eq=False)
class CandidateGames:
    """The games of one candidate, between any agents.

    Only whole match-ups count: with a game missing or void, the agents with good seats in the others would gain. Games
    and seats are frames of `tournaments.read_ledger`, or of some blocks of it; measures are those of
    `tournaments.read_measures`.
    """

    games: pd.DataFrame
    seats: pd.DataFrame
    measures: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=["game_id", "measure", "value"]))

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The agents, in the order of the tournament."""
        return tuple(str(label) for label in self.seats["agent"].cat.categories)

    @cached_property
    def n_players(self) -> int:
        """Number of seats of a game; 0 without games."""
        return int(self.seats["seat"].max()) + 1 if len(self.seats) else 0

    @cached_property
    def counted(self) -> pd.DataFrame:
        """The seats of whole match-ups, game by game."""
        n_seatings = int(self.games["seating"].max()) + 1 if len(self.games) else 1
        return whole_match_ups(self.games, self.seats, n_seatings)

    def column(self, name: str) -> npt.NDArray[Any]:
        """Return a column of the games that count, of shape (games, seats)."""
        return self.counted[name].to_numpy().reshape(-1, max(self.n_players, 1))

    @cached_property
    def blocks(self) -> Ints:
        """The block of each game that counts."""
        return self.column("block")[:, 0].astype(np.int64)

    @cached_property
    def game_ids(self) -> list[str]:
        """The id of each game that counts."""
        return list(map(str, self.column("game_id")[:, 0]))

    @cached_property
    def is_won(self) -> npt.NDArray[np.bool_]:
        """True for each seat that has won, of shape (games, seats), in the games that count."""
        return self.column("win").astype(np.bool_)

    @cached_property
    def agents(self) -> Ints:
        """The number of the agent in each seat of the games that count, of shape (games, seats)."""
        return self.column("agent_index").astype(np.int64)

    @cached_property
    def points(self) -> Floats:
        """The points of each seat of the games that count, of shape (games, seats)."""
        return self.column("points").astype(np.float64)

    @cached_property
    def block_numbers(self) -> tuple[Ints, int]:
        """The block of each game that counts, from 0 without gaps, and how many there are."""
        numbers, block = np.unique(self.blocks, return_inverse=True)
        return block.astype(np.int64), len(numbers)

    def agent(self, name: str) -> int:
        """Return the number of an agent, by its label or, where only one is of that kind, by the name of its spec.

        Raises:
            UnknownNameError: there is no such agent, or several.
        """
        if name in self.labels:
            return self.labels.index(name)
        alike = [number for number, label in enumerate(self.labels) if parse_spec(label).name == name]
        if len(alike) == 1:
            return alike[0]
        if alike:
            raise UnknownNameError(
                f"several agents are named {name!r}; name one of {', '.join(self.labels[number] for number in alike)}"
            )
        raise UnknownNameError.of("agent in these games", name, self.labels)
