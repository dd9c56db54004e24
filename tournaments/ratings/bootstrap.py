"""How sure ratings are: the bootstrap over blocks.

The games of a block share their luck, so that whole blocks are drawn with replacement, as many as there are, and the
ratings are fitted again (Davison and Hinkley, Bootstrap Methods and their Application, 1997, section 3.8: clusters).
In each fit the prior moves too, to a centre drawn from itself. Otherwise an agent that has won every game would have won
every game in every resample, and its interval would be a point. Where the games tell much this adds nothing that could be
seen; where they tell nothing, the interval is the prior's. (Randomised maximum likelihood; Bardsley, Solonen, Haario
and Laine, SIAM Journal on Scientific Computing 36, 2014. In a linear model it draws from the posterior exactly.)

Intervals are the rating ± t · standard error, with Student's t of b - 1 degrees of freedom for b blocks. The standard
error is half the width of the middle 68.3 % of resamples, which the long tail of resamples without a loss does not
stretch, times √(b/(b - 1)), by which resamples are too close together. Percentiles of the resamples would be too far out:
with few games ratings exaggerate differences, and those of resamples do so twice. Over eight designs of 10 to 200 blocks
with strong luck, 95 % percentile intervals held 91 to 95 %, these 95 to 97 %.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, stdtrit

from tag.errors import ParameterError
from tournaments.ratings._posterior import Posterior
from tournaments.ratings.games import RankedGames
from tournaments.ratings.plackett_luce import PRIOR_SD, Ratings

#: Numbers held at once in one array of a batch of resamples: they stay in the processor's cache, and below 100 MB in all.
_BATCH: Final = 500_000

_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class BootstrappedRatings:
    """Ratings and the resamples that say how sure they are. With fewer than two blocks all that is said is nan.

    Attributes:
        fit: the ratings from all blocks.
        ratings: of shape (resamples, agents).
        seats: by number of players, of shape (resamples, players).
        blocks: how many there are.
    """

    fit: Ratings
    ratings: _Floats
    seats: dict[int, _Floats]
    blocks: int

    def intervals(self, confidence: float = 0.95) -> tuple[_Floats, _Floats]:
        """Return the lower and upper ends of the agents' ratings, each of shape (agents,)."""
        return self._interval(self.fit.ratings, self.ratings, confidence)

    def seat_intervals(self, confidence: float = 0.95) -> dict[int, tuple[_Floats, _Floats]]:
        """Return the lower and upper ends of the seats' terms by number of players, each of shape (players,)."""
        return {
            players: self._interval(self.fit.seats[players], terms, confidence) for players, terms in self.seats.items()
        }

    def difference_intervals(self, confidence: float = 0.95) -> tuple[_Floats, _Floats]:
        """Return the ends for the row's rating minus the column's, each of shape (agents, agents)."""
        fits, resamples = self.fit.ratings, self.ratings
        rows = [
            self._interval(fit - fits, rating[:, None] - resamples, confidence)
            for fit, rating in zip(fits, resamples.T, strict=True)
        ]
        return np.array([low for low, _high in rows]), np.array([high for _low, high in rows])

    def superiority(self) -> _Floats:
        """Return the likelihood that the row's agent is stronger than the column's, of shape (agents, agents).

        It is the share of resamples in which it is rated higher, 1/2 on the diagonal.
        """
        rows = [np.mean(np.sign(rating[:, None] - self.ratings), axis=0) for rating in self.ratings.T]
        return self._known(0.5 + 0.5 * np.array(rows))

    def best(self, among: npt.NDArray[np.bool_] | None = None) -> _Floats:
        """Return the probability that each agent is the strongest: its share of resamples with the highest rating.

        Args:
            among: of shape (agents,), which agents to compare; by default all. The others have no entry.
        """
        ratings = self.ratings if among is None else self.ratings[:, among]
        is_best = ratings == ratings.max(axis=1, keepdims=True)
        return self._known(np.mean(is_best / is_best.sum(axis=1, keepdims=True), axis=0))

    def _interval(self, fit: _Floats, resamples: _Floats, confidence: float) -> tuple[_Floats, _Floats]:
        below, above = np.quantile(resamples, [ndtr(-1.0), ndtr(1.0)], axis=0)
        b = max(self.blocks, 2)
        half = stdtrit(b - 1, (1.0 + confidence) / 2.0) * sqrt(b / (b - 1)) * (above - below) / 2.0
        return self._known(fit - half), self._known(fit + half)

    def _known(self, numbers: _Floats) -> _Floats:
        return numbers if self.blocks > 1 else np.full_like(numbers, np.nan)


def bootstrap_ratings(
    games: RankedGames,
    resamples: int = 1000,
    seed: int = 0,
    anchors: Mapping[str, float] | None = None,
    prior_sd: float = PRIOR_SD,
) -> BootstrappedRatings:
    """Return the ratings of `plackett_luce` with resamples of blocks.

    Args:
        games: those that count, in any order.
        resamples: how many; the probabilities are in steps of one in so many.
        seed: decides the resamples; blocks are drawn by their rank.
        anchors: agents with the ratings that they keep; without any, the mean is 0.
        prior_sd: of the prior, in rating points.

    Raises:
        UnknownNameError: an anchor is not among the agents.
        ParameterError: the standard deviation is not positive, or there is no resample.
    """
    if resamples < 1:
        raise ParameterError(f"resamples cannot be {resamples}; the least is 1")
    posterior = Posterior(games, anchors or {}, prior_sd)
    blocks = posterior.n_blocks
    fit = posterior.mode(np.ones((blocks, 1)))
    generator = np.random.default_rng(seed)
    batch = max(1, _BATCH // (posterior.work + blocks))
    modes = [fit[:, :0]]
    for begin in range(0, resamples, batch):
        size = min(batch, resamples - begin)
        weights = _resampled(generator, blocks, size)
        modes.append(posterior.mode(weights, generator.standard_normal((len(fit), size)), fit))
    ratings, seats = posterior.ratings(np.hstack(modes))
    return BootstrappedRatings(
        fit=Ratings(games.labels, *posterior.ratings(fit[:, 0])),
        ratings=ratings.T,
        seats={players: terms.T for players, terms in seats.items()},
        blocks=blocks,
    )


def _resampled(generator: np.random.Generator, blocks: int, resamples: int) -> _Floats:
    """Return how often each block is drawn in each resample, of shape (blocks, resamples)."""
    if blocks == 0:
        return np.zeros((0, resamples))
    return generator.multinomial(blocks, np.full(blocks, 1.0 / blocks), resamples).T.astype(np.float64)
