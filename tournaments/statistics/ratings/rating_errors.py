"""Errors of ratings: intervals, tests of differences, and the probability of being the best."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from tag.tournaments.statistics.intervals import CONFIDENCE, Bools, Floats, Ints, student
from tag.tournaments.statistics.numerics import one_thread
from tag.tournaments.statistics.ratings.pairwise import Meetings
from tag.tournaments.statistics.ratings.plackett_luce import POINTS, PRIOR_SD, Posterior, Ratings
from tag.tournaments.statistics.ratings.ranked_games import RankedGames

# **Covariance.** The games of a block share their luck. With the gradients g of the log likelihood of single blocks at the
# fit, the Hessian -I of all blocks and -P of the prior, and H = I + P, the covariance of the fit is
#
#     H⁻¹ (M + P) H⁻¹ + (H⁻¹ P β)(H⁻¹ P β)ᵀ    with    M = b/(b - 1) Σ (g - ḡ)(g - ḡ)ᵀ
#
# for b blocks: the sandwich (Liang and Zeger, Biometrika 73, 1986), the uncertainty of the prior, and the square of the
# bias that the prior causes, as far as the fit can tell.
#
# **Floor.** M says nothing about results that have not occurred: after few blocks, for an agent that has won all its
# games, or where nearly all games are drawn. So M is at least φ I in every direction. Here φ is half the trace of M over
# that of I, the terms of agents only: half the dispersion of all agents. Two blocks are added, in which all m games of two
# equal agents end the same way: m²/4 each above and m/4 below. They play the part of Agresti and Coull's two wins and two
# losses (American Statistician 52, 1998). Morel, Bokossa and Neerchal (Biometrical Journal 45, 2003) add φ I to M with a
# weight that falls with the blocks, for the same reason.
#
# **Intervals.** A difference d of log strengths with the standard error s has the interval d ± 2 arsinh(t s / 2), with
# Student's t of b - 1 degrees of freedom. For the results of two agents this is Wilson's interval on the scale of log
# odds, which is symmetric there. It leaves out 0 where 2 sinh(|d| / 2) > t s, which gives the p value of a difference.
#
# **P(best)** is from draws of Student's multivariate t around the fit. So it is no surer than the intervals: two equal
# agents reach 0.995 in one of a hundred tournaments, of two blocks too.
#
# **Components.** Games do not compare agents that are not connected by games, not even through others. Such differences
# are not known, each component has a mean of its own, and P(best) is within the component.
#
# `benchmarks/coverage` measures all this.


#: Blocks that are added for the dispersion.
_ADDED: Final = 2.0
#: The share of the dispersion of all agents below which that of none is taken to be.
_SHARE: Final = 0.5
#: Draws for P(best); its standard error is at most 0.004.
_DRAWS: Final = 20_000
_AT_ONCE: Final = 1_000


@dataclass(frozen=True, slots=True, eq=False)
class RatedAgents:
    """Ratings and errors; the errors are nan with fewer than two blocks.

    Attributes:
        root: of shape (agents, parameters): the covariance of the log strengths is ``root`` · ``root``ᵀ.
        seat_errors: the standard errors of the seats' terms by number of players, in log strengths.
        components: see `RankedGames.components`.
        blocks: those that count as independent (`tag.tournaments.statistics.repeats`).
    """

    fit: Ratings
    root: Floats
    seat_errors: dict[int, Floats]
    components: Ints
    blocks: int

    @property
    def are_connected(self) -> Bools:
        """Which two agents have games that compare them, of shape (agents, agents)."""
        are_connected: Bools = self.components[:, None] == self.components
        return are_connected

    @property
    def is_rated(self) -> Bools:
        """Which agents have played against any other, of shape (agents,)."""
        is_rated: Bools = np.bincount(self.components)[self.components] > 1
        return is_rated

    def intervals(self, confidence: float = CONFIDENCE) -> tuple[Floats, Floats]:
        """Return the lower and upper ends of the agents' ratings, each of shape (agents,); nan for who is not rated."""
        half = self._half_widths(np.sqrt(np.square(self.root).sum(axis=1)), confidence)
        half[~self.is_rated] = np.nan
        return self.fit.ratings - half, self.fit.ratings + half

    def seat_intervals(self, confidence: float = CONFIDENCE) -> dict[int, tuple[Floats, Floats]]:
        """Return the lower and upper ends of the seats' terms by number of players, each of shape (players,)."""
        halves = {players: self._half_widths(errors, confidence) for players, errors in self.seat_errors.items()}
        return {
            players: (terms - halves[players], terms + halves[players]) for players, terms in self.fit.seats.items()
        }

    def difference_intervals(self, confidence: float = CONFIDENCE) -> tuple[Floats, Floats]:
        """Return the ends for the row's rating minus the column's, each of shape (agents, agents).

        They are nan for agents that no games connect.
        """
        half = np.where(self.are_connected, self._half_widths(self._difference_errors(), confidence), np.nan)
        differences = self.fit.ratings[:, None] - self.fit.ratings
        return differences - half, differences + half

    def superiority(self) -> Floats:
        """Return the likelihood that the row's agent is stronger than the column's, of shape (agents, agents).

        It is 1/2 on the diagonal, and nan for agents that no games connect.
        """
        if self.blocks < 2:
            return np.full(self.are_connected.shape, np.nan)
        return np.where(self.are_connected, scipy.special.stdtr(self.blocks - 1, self._t()), np.nan)

    def p_values(self) -> Floats:
        """Return how likely so great a difference of two ratings is between equals, of shape (agents, agents).

        A p value is below 0.05 just where the interval of the difference leaves 0 out. It is nan for agents that no games
        connect, and with fewer than two blocks.
        """
        p_values = np.full(self.are_connected.shape, np.nan)
        if self.blocks > 1:
            is_pair = np.triu(self.are_connected)
            p_values[is_pair] = p_values.T[is_pair] = 2.0 * scipy.special.stdtr(
                self.blocks - 1, -np.abs(self._t()[is_pair])
            )
        return p_values

    def _t(self) -> Floats:
        """Return the row's log strength minus the column's in standard errors, of shape (agents, agents)."""
        log_odds, errors = (self.fit.ratings[:, None] - self.fit.ratings) / POINTS, self._difference_errors()
        is_open = errors > 0.0
        t = 2.0 * np.sinh(log_odds / 2.0) / np.where(is_open, errors, 1.0)
        return np.where(is_open, t, np.where(log_odds == 0.0, 0.0, np.copysign(np.inf, log_odds)))  # of two anchors

    def best(self) -> Floats:
        """Return the probability that each agent is the strongest of its component, of shape (agents,).

        It is nan for who is not rated.
        """
        n, f = len(self.root), self.blocks - 1
        best = np.full(n, np.nan)
        if f < 1:
            return best
        rng, ratings = np.random.default_rng(0), self.fit.ratings / POINTS
        components = [self.components == number for number in np.unique(self.components[self.is_rated])]
        best[self.is_rated] = 0.0
        for _ in range(_DRAWS // _AT_ONCE):
            scale = np.sqrt(f / rng.chisquare(f, (_AT_ONCE, 1)))
            drawn = ratings + scale * (rng.standard_normal((_AT_ONCE, self.root.shape[1])) @ self.root.T)
            for members in components:
                is_best = drawn[:, members] == drawn[:, members].max(axis=1, keepdims=True)  # two anchors may be equal
                best[members] += (is_best / is_best.sum(axis=1, keepdims=True)).sum(axis=0)
        return best / _DRAWS

    def _difference_errors(self) -> Floats:
        """Return the standard errors of differences of log strengths, of shape (agents, agents)."""
        covariance = self.root @ self.root.T
        variance = np.diag(covariance)
        error: Floats = np.sqrt(np.maximum(variance[:, None] + variance - 2.0 * covariance, 0.0))
        return error

    def _half_widths(self, errors: Floats, confidence: float) -> Floats:
        """Return half the widths of intervals in rating points from standard errors of log strengths."""
        if self.blocks < 2:
            return np.full_like(errors, np.nan)
        half: Floats = 2.0 * POINTS * np.arcsinh(student(self.blocks, confidence) * errors / 2.0)
        return half


def rate_agents(
    games: RankedGames, anchors: Mapping[str, float] | None = None, prior_sd: float = PRIOR_SD
) -> RatedAgents:
    """Return the ratings of `plackett_luce` with their errors.

    >>> import numpy as np
    >>> agents = np.tile([[0, 1], [1, 0]], (10, 1))
    >>> places = np.array([[1, 2], [2, 1]] * 7 + [[2, 1], [1, 2]] * 3)
    >>> rated = rate_agents(RankedGames(("a", "b"), agents, places, np.repeat(np.arange(10), 2)))
    >>> low, high = rated.intervals()
    >>> [round(float(end)) for end in low], [round(float(end)) for end in high]
    ([-65, -210], [210, 65])
    >>> round(float(rated.superiority()[0, 1]), 2)
    0.87

    Args:
        games: those that count, in any order.
        anchors: agents with fixed ratings; without any, the mean of each component is 0.
        prior_sd: of the prior, in rating points.

    Raises:
        UnknownNameError: an anchor is not among the agents.
        ParameterError: the standard deviation is not positive, or an anchor is no rating.
    """
    posterior = Posterior(games, anchors or {}, prior_sd)
    met = Meetings.of(games).games
    with one_thread():
        beta = posterior.mode()
        root = _root(posterior, beta, len(games.labels), float(met.mean()) if len(met) else 1.0)
    return RatedAgents(
        Ratings(games.labels, *posterior.ratings(beta[:, 0])),
        root[: len(games.labels)],
        {players: np.sqrt(np.square(root[terms]).sum(axis=1)) for players, terms in posterior.seat_terms.items()},
        posterior.components,
        posterior.n_independent,
    )


def _root(posterior: Posterior, beta: Floats, n_agents: int, games_per_block: float) -> Floats:
    """Return a matrix R, of shape (parameters, any), such that R Rᵀ is the covariance of β."""
    information, curvature = posterior.curvature(beta)
    spread = posterior.spread(beta) * posterior.n_independent / max(posterior.n_independent - 1, 1)
    seen, expected = (0.5 * float(np.trace(part[:n_agents, :n_agents])) for part in (spread, information))
    added = _ADDED * games_per_block / 4.0
    floor = information * (_SHARE * seen + added * games_per_block) / (expected + added)
    free = np.ix_(posterior.free, posterior.free)
    lower = np.linalg.cholesky(curvature[free])

    def whitened(part: Floats) -> Floats:
        """Return L⁻¹ A L⁻ᵀ for a symmetric A and the curvature L Lᵀ; of the upper triangle nothing is known."""
        found, _info = scipy.linalg.lapack.dsygst(part[free], lower, lower=1)
        return np.asarray(found)

    values, vectors = scipy.linalg.eigh(whitened(spread - floor), subset_by_value=(0.0, np.inf))  # of few blocks a few
    middle = whitened(floor + posterior.prior) + (vectors * values) @ vectors.T
    root = np.zeros((len(beta), len(posterior.free) + 1))
    root[posterior.free, :-1] = scipy.linalg.solve_triangular(lower, np.linalg.cholesky(middle), trans=1, lower=True)
    root[posterior.free, -1] = scipy.linalg.cho_solve((lower, True), (posterior.prior @ beta[:, 0])[posterior.free])
    return posterior.centred(root)
