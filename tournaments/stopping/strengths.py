"""The strengths of agents as a joint normal distribution, from blocks of any match-ups.

In the model of Bradley-Terry, and of Plackett-Luce for any pair at a table, agent i comes before agent j with
probability 1 / (1 + exp(θⱼ - θᵢ)), whoever else sits there. The strengths θ maximise the sum over blocks and pairs of
the log-likelihood of the share of games in which one came before the other, a tie half for each. Agents are taken as
drawn from a normal population, whose spread is estimated with them: so the luckiest of many is not believed to be as
good as it looks. Games of a block depend on each other, and so do the pairs of a game; the covariance is therefore
the sandwich H⁻¹ J H⁻¹ with J from the scores of whole blocks.

Sources: C. Varin, N. Reid, D. Firth, "An overview of composite likelihood methods", Statistica Sinica 21, 2011
(the sandwich); K.-Y. Liang, S. Zeger, Biometrika 73, 1986 (clusters); B. Efron, C. Morris, "Data analysis
using Stein's estimator", Journal of the American Statistical Association 70, 1975 (the spread).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from tournaments.stopping.distribution import Floats

#: The spread of the agents before anything is known, in logits: 174 Elo. It counts as much as this many agents.
_FIRST_SPREAD: Final = 1.0
_AGENTS_OF_PRIOR: Final = 4
#: Steps of expectation and maximisation for the spread; it need not be exact.
_SPREAD_STEPS: Final = 4
_MAX_ITERATIONS: Final = 50
_TOLERANCE: Final = 1e-9

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Strengths:
    """What is known of the agents' strengths, in logits (173.7 Elo each); only differences mean something.

    Attributes:
        mean: shape (agents,).
        covariance: shape (agents, agents).
    """

    mean: Floats
    covariance: Floats

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Return ``n`` draws, shape (n, agents)."""
        values, vectors = np.linalg.eigh(self.covariance)
        root = vectors * np.sqrt(np.maximum(values, 0.0))
        draws: Floats = self.mean + rng.standard_normal((n, len(self.mean))) @ root.T
        return draws


def pair_shares(places: npt.ArrayLike) -> Floats:
    """Return how often each player of a block came before each other one: 1 for always, 1/2 for a tie.

    Args:
        places: shape (..., games, players), 1 for the first; the players in the same order in all games.

    Returns:
        Shape (..., players, players).
    """
    place = np.asarray(places)
    ahead = np.sign(place[..., None, :] - place[..., :, None])
    shares: Floats = (0.5 + 0.5 * ahead).mean(axis=-3)
    return shares


def fit_strengths(n_agents: int, match_ups: Ints, shares: Floats) -> Strengths:
    """Fit the strengths of agents to blocks; the order of the blocks has no part in it.

    Args:
        n_agents: how many there are, whether or not they have played.
        match_ups: the agents of each block, all different, shape (blocks, players).
        shares: from `pair_shares`, shape (blocks, players, players).
    """
    cells = match_ups[:, :, None] * n_agents + match_ups[:, None, :]
    wins, meetings = _summed(cells, shares, n_agents), _summed(cells, np.ones(shares.shape), n_agents)
    spread = _FIRST_SPREAD
    found = Strengths(np.zeros(n_agents), np.eye(n_agents) * spread**2)
    for _ in range(_SPREAD_STEPS):
        mean = _maximum(wins, meetings, spread, found.mean)
        found = Strengths(mean, _covariance(mean, meetings, match_ups, shares, spread))
        spread = _spread(found)
    return found


def _summed(cells: Ints, values: Floats, n_agents: int) -> Floats:
    """Return the sums of ``values`` over blocks by pair of agents, nothing where an agent meets itself."""
    sums = np.bincount(cells.ravel(), values.ravel(), n_agents * n_agents).reshape(n_agents, n_agents)
    between: Floats = np.where(np.eye(n_agents, dtype=bool), 0.0, sums)
    return between


def _spread(strengths: Strengths) -> float:
    """Return the standard deviation of the population, given what is known of its members."""
    squares = strengths.mean**2 + np.diag(strengths.covariance)
    agents = _AGENTS_OF_PRIOR + len(squares)
    return sqrt((_AGENTS_OF_PRIOR * _FIRST_SPREAD**2 + float(squares.sum())) / agents)


def _maximum(wins: Floats, meetings: Floats, spread: float, start: Floats) -> Floats:
    """Return the most probable strengths, by Newton's method; the log posterior is concave."""
    theta = start
    for _ in range(_MAX_ITERATIONS):
        gradient = (wins - meetings * _ahead(theta)).sum(axis=1) - theta / spread**2
        step = np.linalg.solve(_information(theta, meetings) + _prior(len(theta), spread), gradient)
        longest = float(np.abs(step).max())
        theta = theta + step / max(1.0, longest)  # a logit at a time
        if longest < _TOLERANCE:
            break
    return theta


def _covariance(theta: Floats, meetings: Floats, match_ups: Ints, shares: Floats, spread: float) -> Floats:
    """Return the sandwich, J drawn towards a multiple of the information while blocks are few.

    The multiple makes both agree on average over all directions; before there is anything to average it is 1, as if a
    pair had met in one game per block.
    """
    n_agents, (blocks, players) = len(theta), match_ups.shape
    information = _information(theta, meetings)
    inverse = np.linalg.inv(information + _prior(n_agents, spread))
    scores = np.zeros((blocks, n_agents))
    residuals = shares - expit(theta[match_ups][:, :, None] - theta[match_ups][:, None, :])
    residuals[:, np.arange(players), np.arange(players)] = 0.0
    scores[np.arange(blocks)[:, None], match_ups] = residuals.sum(axis=2)
    observed = scores.T @ scores * (blocks / max(blocks - n_agents / players, 1.0))  # for what the fit has taken up
    weight = blocks / (blocks + n_agents)
    known = float((inverse * information).sum())
    multiple = weight * float((inverse * observed).sum()) / known + 1.0 - weight if known else 1.0
    variability = weight * observed + (1.0 - weight) * multiple * information
    covariance: Floats = inverse @ (variability + _prior(n_agents, spread)) @ inverse
    return covariance


def _ahead(theta: Floats) -> Floats:
    """Return the probability of each agent to come before each other one."""
    probabilities: Floats = expit(theta[:, None] - theta[None, :])
    return probabilities


def _information(theta: Floats, meetings: Floats) -> Floats:
    """Return the negative second derivative of the log-likelihood."""
    ahead = _ahead(theta)
    weights = meetings * ahead * ahead.T
    information: Floats = np.diag(weights.sum(axis=1)) - weights
    return information


def _prior(n_agents: int, spread: float) -> Floats:
    return np.eye(n_agents) / spread**2
