"""The posterior density of log strengths: the likelihood of ranked games and a weak normal prior."""

from __future__ import annotations

from collections.abc import Mapping
from math import log
from typing import Final

import numpy as np
import numpy.typing as npt

from tag.errors import ParameterError, UnknownNameError
from tournaments.ratings._choices import Choices
from tournaments.ratings._likelihood import Likelihood
from tournaments.ratings._newton import maximise
from tournaments.ratings.games import RankedGames

#: Rating points per unit of log strength: 400 points are odds of ten to one.
POINTS: Final = 400.0 / log(10.0)

_Floats = npt.NDArray[np.float64]


class Posterior:
    """The posterior of β: log strengths of the agents, then seat terms.

    The prior of each is normal and independent. Of agents that are anchored nothing is free; the others are normal around
    the mean of all, so that a shift of all anchors is a shift of all ratings.

    Attributes:
        n_blocks: of the games.
        work: about how many numbers finding one mode takes.
    """

    def __init__(self, games: RankedGames, anchors: Mapping[str, float], prior_sd: float) -> None:
        """Count the choices of ``games``.

        Args:
            games: what is known.
            anchors: agents with the ratings they have by definition.
            prior_sd: the standard deviation of the prior, in rating points.

        Raises:
            UnknownNameError: an anchor is not among the agents.
            ParameterError: the standard deviation is not positive.
        """
        if not prior_sd > 0.0:
            raise ParameterError(f"the prior's standard deviation cannot be {prior_sd}; it is positive, such as 500")
        choices = Choices.of(games)
        self.n_blocks = choices.n_blocks
        self._n_agents = choices.n_agents
        self._seat_terms = choices.seat_terms
        self._likelihood = Likelihood(choices)
        self.work = self._likelihood.work
        self._prior_sd = prior_sd / POINTS
        self._origin = sum(anchors.values()) / max(len(anchors), 1)
        self._fixed = np.array([_number(label, games.labels) for label in anchors], dtype=np.int64)
        self._values = (np.array(list(anchors.values()), dtype=np.float64) - self._origin) / POINTS
        self._free = np.setdiff1d(np.arange(choices.n_parameters), self._fixed)
        #: Parameters to which a number can be added without the games' becoming more or less likely.
        self._floating = [*choices.seat_terms.values(), *([] if anchors else [slice(0, choices.n_agents)])]
        self._precision = self._prior_precision(choices.n_parameters)

    def mode(self, block_weights: _Floats, prior_draws: _Floats | None = None, start: _Floats | None = None) -> _Floats:
        """Return the most probable β, of shape (parameters, batch), mean 0 unless there are anchors.

        Args:
            block_weights: how often each block counts, of shape (blocks, batch).
            prior_draws: standard normal numbers of shape (parameters, batch) that move the prior; none leave it where it is.
            start: a likely β, of shape (parameters, 1).
        """
        statistics = self._likelihood.statistics(block_weights)
        shape = (len(self._precision), block_weights.shape[1])
        beta = np.zeros(shape) if start is None else np.broadcast_to(start, shape).copy()
        beta[self._fixed] = self._values[:, None]
        centre = np.zeros_like(beta) if prior_draws is None else self._prior_sd * prior_draws
        free = self._free

        def whole(x: _Floats) -> _Floats:
            y = beta.copy()
            y[free] = x
            return y

        def value(x: _Floats) -> _Floats:
            y = whole(x)
            off = y - centre
            value: _Floats = self._likelihood.value(y, statistics) - 0.5 * (off * (self._precision @ off)).sum(axis=0)
            return value

        def derivatives(x: _Floats) -> tuple[_Floats, _Floats]:
            y = whole(x)
            gradient, information = self._likelihood.derivatives(y, statistics)
            gradient -= self._precision @ (y - centre)
            return gradient[free], (information + self._precision)[:, free[:, None], free]

        return self._centred(whole(maximise(value, derivatives, beta[free])))

    def ratings(self, beta: _Floats) -> tuple[_Floats, dict[int, _Floats]]:
        """Return the agents' ratings, and the seats' terms by number of players, in rating points; β comes first."""
        agents = beta[: self._n_agents] * POINTS + self._origin
        return agents, {players: beta[terms] * POINTS for players, terms in self._seat_terms.items()}

    def _prior_precision(self, n: int) -> _Floats:
        """Return the prior's precision, with the means held fast: they are taken away in the end."""
        precision = np.eye(n)
        if len(self._fixed):
            precision[: self._n_agents, : self._n_agents] -= 1.0 / self._n_agents
        precision /= self._prior_sd**2
        for group in self._floating:
            precision[group, group] += 1.0 / (group.stop - group.start)
        return precision

    def _centred(self, beta: _Floats) -> _Floats:
        for group in self._floating:
            beta[group] -= beta[group].mean(axis=0)
        return beta


def _number(label: str, labels: tuple[str, ...]) -> int:
    if label not in labels:
        raise UnknownNameError.of("agent", label, labels)
    return labels.index(label)
