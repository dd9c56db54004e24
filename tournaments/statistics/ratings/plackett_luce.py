"""Ratings: one joint fit of all agents' strengths to all games.

**Model** (Bradley and Terry 1952; Luce 1959; Plackett 1975). The agent in seat s of a game with n players has the
strength exp(θ_agent + τ_ns). The first place goes to one of all seats with a chance in proportion to its strength, the
second place to one of those who are left, and so on. With two players this is Bradley and Terry's model. The terms τ of
the seats of one number of players add up to 0.

**Teams.** Those who win and lose together are one side with one place, and its log strength is the mean of its
players'. Two who share a place as a team give no information about each other, and a rival never stands between them.
With one place for each player, the differences between agents would be too great.

**Ties.** The order of those who share a place is unknown: the log likelihood is the mean over all their orders. So a
draw of two is half a win and half a loss, as in chess ratings, and 400 points are always an expected score of 10/11
between two. After a single game the ratings are in the order of its places, and equal where a place is shared: a
player in a better place is chosen earlier in every order, from larger sets. Each alternative loses one of these
properties. Davidson's model takes the geometric mean of those who tie as their strength (Davidson 1970; Turner, van
Etten, Firth and Kosmidis, Computational Statistics 35, 2020). There, sharing a place k ways is worth 1/k of a choice.
Under a strong prior a fourth place is rated above a first that three share, and the meaning of a point depends on how
common draws are. Breslow's approximation counts a draw of two twice. The likelihood of any of the orders (exact ties
in survival analysis) learns nothing from a draw.

**Prior.** θ and τ are normal with mean 0 and a standard deviation of 500 points, so that perfect scores stay finite.
The prior tells as much as half an even game between two. The ratings are those of the greatest posterior density,
found by Newton's method. The log posterior is strictly concave: it has one maximum, independent of the order of the
games.

**Scale.** 400/ln 10 points per unit of θ, as Elo's. The mean of all agents is 0, or anchored agents keep their given
ratings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite, log
from typing import Final

import numpy as np

from tag.errors import ParameterError, UnknownNameError
from tag.tournaments.statistics.intervals import Floats, independent_clusters
from tag.tournaments.statistics.numerics import maximise
from tag.tournaments.statistics.ratings.choices import Choices
from tag.tournaments.statistics.ratings.likelihood import Likelihood
from tag.tournaments.statistics.ratings.ranked_games import RankedGames

#: Rating points per unit of log strength: 400 points are odds of ten to one.
POINTS: Final = 400.0 / log(10.0)


class Posterior:
    """The posterior of β: log strengths of the agents, then seat terms.

    The prior of each is normal and independent. The strengths of anchored agents are fixed. The others are normal
    around the mean of all, so that a shift of all anchors is a shift of all ratings.

    Attributes:
        n_blocks: of the games.
        n_independent: the blocks that count as independent.
        components: see `RankedGames.components`.
        seat_terms: see `Choices.seat_terms`.
        prior: minus the Hessian of the log density of the prior, of shape (parameters, parameters).
        floating: the parameters of each group to which a number can be added without changing the likelihood of the
            games: the seats of a number of players, and the agents of a component without an anchor. Their mean is 0.
        free: the parameters that are not anchored.
    """

    def __init__(self, games: RankedGames, anchors: Mapping[str, float], prior_sd: float) -> None:
        """Count the choices of ``games``.

        Args:
            games: the results.
            anchors: agents with the ratings they have by definition.
            prior_sd: the standard deviation of the prior, in rating points.

        Raises:
            UnknownNameError: an anchor is not among the agents.
            ParameterError: the standard deviation is not positive, or an anchor is no rating.
        """
        if not prior_sd > 0.0:
            raise ParameterError(f"the prior's standard deviation cannot be {prior_sd}; it is positive, such as 500")
        _check_anchors(anchors)
        weights = games.weights()
        choices = Choices.of(games, weights)
        self.n_blocks = choices.n_blocks
        self.n_independent = independent_clusters(choices.n_blocks, games.share)
        self.components = games.components()
        self.seat_terms = choices.seat_terms
        self._n_agents = choices.n_agents
        self._likelihood = self._spreading = Likelihood(choices)
        if games.independent is not None:
            self._spreading = Likelihood(Choices.of(games, np.sqrt(weights)))
        self._origin = sum(anchors.values()) / max(len(anchors), 1)
        self._fixed = np.array([_number(label, games.labels) for label in anchors], dtype=np.int64)
        self._values = (np.array(list(anchors.values()), dtype=np.float64) - self._origin) / POINTS
        self.free = np.setdiff1d(np.arange(choices.n_parameters), self._fixed)
        self.floating = [np.arange(terms.start, terms.stop) for terms in choices.seat_terms.values()]
        for number in np.setdiff1d(self.components, self.components[self._fixed]).tolist():
            self.floating.append(np.flatnonzero(self.components == number))
        self.prior = self._prior(choices.n_parameters, prior_sd / POINTS)
        self._precision = self.prior.copy()  # with the means fixed; they are subtracted in the end
        for group in self.floating:
            self._precision[np.ix_(group, group)] += 1.0 / len(group)

    def mode(self) -> Floats:
        """Return the most probable β, of shape (parameters, 1)."""
        statistics = self._likelihood.statistics(np.ones((self.n_blocks, 1)))
        beta = np.zeros((len(self._precision), 1))
        beta[self._fixed] = self._values[:, None]
        return self.centred(self._climb(beta, statistics))

    def curvature(self, beta: Floats) -> tuple[Floats, Floats]:
        """Return minus the Hessians of the log likelihood, and of the log posterior with its means fixed.

        Both are of shape (parameters, parameters); β is of shape (parameters, 1).
        """
        statistics = self._likelihood.statistics(np.ones((self.n_blocks, 1)))
        _gradient, information = self._likelihood.derivatives(beta, statistics)
        return information[0], information[0] + self._precision

    def spread(self, beta: Floats) -> Floats:
        """Return `Likelihood.spread`, as if of equal games only one were there."""
        return self._spreading.spread(beta)

    def _climb(self, beta: Floats, statistics: tuple[Floats, Floats]) -> Floats:
        """Return the modes for each weighting by Newton's method from β."""
        free = self.free

        def value(x: Floats) -> Floats:
            y = self._whole(beta, x)
            value: Floats = self._likelihood.value(y, statistics) - 0.5 * (y * (self._precision @ y)).sum(axis=0)
            return value

        def derivatives(x: Floats) -> tuple[Floats, Floats]:
            y = self._whole(beta, x)
            gradient, information = self._likelihood.derivatives(y, statistics)
            gradient -= self._precision @ y
            return gradient[free], (information + self._precision)[:, free[:, None], free]

        return self._whole(beta, maximise(value, derivatives, beta[free]))

    def _whole(self, beta: Floats, free: Floats) -> Floats:
        """Return β with other values of the parameters that are not anchored."""
        whole = beta.copy()
        whole[self.free] = free
        return whole

    def ratings(self, beta: Floats) -> tuple[Floats, dict[int, Floats]]:
        """Return the agents' ratings, and the seats' terms by number of players, in rating points; parameters are axis 0."""
        agents = beta[: self._n_agents] * POINTS + self._origin
        return agents, {players: beta[terms] * POINTS for players, terms in self.seat_terms.items()}

    def centred(self, values: Floats) -> Floats:
        """Subtract from values of the parameters, along axis 0, the mean of each group that floats; return them."""
        for group in self.floating:
            values[group] -= values[group].mean(axis=0)
        return values

    def _prior(self, n: int, sd: float) -> Floats:
        prior = np.eye(n)
        if len(self._fixed):
            prior[: self._n_agents, : self._n_agents] -= 1.0 / self._n_agents
        return prior / sd**2


#: Anchors are at most so many rating points apart: odds of 10^50 to 1.
_FARTHEST: Final = 20_000.0


def _check_anchors(anchors: Mapping[str, float]) -> None:
    """Reject anchors that are no ratings.

    Raises:
        ParameterError: one is not finite, or two are too far apart.
    """
    for label, rating in anchors.items():
        if not isfinite(rating):
            raise ParameterError(f"the anchor of {label!r} cannot be {rating}; a rating is a finite number, such as 0")
    if anchors and max(anchors.values()) - min(anchors.values()) > _FARTHEST:
        low, high = min(anchors.values()), max(anchors.values())
        raise ParameterError(f"anchors cannot be {low:g} and {high:g}; they are at most {_FARTHEST:,.0f} points apart")


def _number(label: str, labels: tuple[str, ...]) -> int:
    if label not in labels:
        raise UnknownNameError.of("agent", label, labels)
    return labels.index(label)


#: The prior's standard deviation in rating points.
PRIOR_SD: Final = 500.0


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """The strengths of agents and the advantages of seats, in rating points.

    Attributes:
        ratings: of shape (agents,).
        seats: the advantage of each seat, by number of players, of shape (players,), sum 0.
    """

    labels: tuple[str, ...]
    ratings: Floats
    seats: dict[int, Floats]


def plackett_luce(
    games: RankedGames, anchors: Mapping[str, float] | None = None, prior_sd: float = PRIOR_SD
) -> Ratings:
    """Return the ratings of greatest posterior density.

    An agent in several seats of a game counts once per seat. Where k share a place, time and memory grow with 2^k.

    >>> import numpy as np
    >>> agents = np.tile([[0, 1], [1, 0]], (10, 1))
    >>> places = np.array([[1, 2], [2, 1]] * 7 + [[2, 1], [1, 2]] * 3)
    >>> found = plackett_luce(RankedGames(("a", "b"), agents, places, np.repeat(np.arange(10), 2)))
    >>> [round(float(rating)) for rating in found.ratings]
    [73, -73]

    Args:
        games: those that count, in any order.
        anchors: agents with fixed ratings; without any, the mean is 0.
        prior_sd: of the prior, in rating points.

    Raises:
        UnknownNameError: an anchor is not among the agents.
        ParameterError: the standard deviation is not positive.
    """
    posterior = Posterior(games, anchors or {}, prior_sd)
    return Ratings(games.labels, *posterior.ratings(posterior.mode()[:, 0]))
