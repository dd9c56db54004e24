"""Strengths of agents as a joint normal distribution, from blocks of any match-ups.

In the model of Bradley-Terry, agent i is placed before agent j with probability 1 / (1 + exp(θⱼ - θᵢ)). The same
holds in Plackett-Luce's model for any pair in a game, independent of the other agents. The strengths θ maximise the
log-likelihood of the share of games in which one was before the other, a tie half for each, summed over blocks and
pairs. The agents are assumed to come from a normal population, whose spread is estimated with them, so that the
luckiest of many is not overrated. Games of a block depend on each other, and so do the pairs of a game. The
covariance is therefore the sandwich H⁻¹ J H⁻¹ with J from the scores of whole blocks.

H takes a block for one game that is won or lost. Several games tell more, and drawn games more about how near two agents
are. The log-likelihood is scaled so that H and J agree on average over all directions: the population then weighs as
much as it should. Without that, eight agents of which the best was to be found in half of all searches with 70 % of games
drawn were decided in 15 of 60 searches, now in 48.

Sources: C. Varin, N. Reid, D. Firth, "An overview of composite likelihood methods", Statistica Sinica 21, 2011 (the
sandwich); F. Pauli, W. Racugno, L. Ventura, "Bayesian composite marginal likelihoods", ibid. (the scale); K.-Y. Liang,
S. Zeger, Biometrika 73, 1986 (clusters); B. Efron, C. Morris, "Data analysis using Stein's estimator", Journal of the
American Statistical Association 70, 1975 (the spread).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np
import numpy.typing as npt
import scipy

from tag.tournaments.statistics.intervals import Floats, Ints

#: The spread of the agents before any game, in logits: 174 Elo. It counts as much as this many agents.
_FIRST_SPREAD: Final = 1.0
_AGENTS_OF_PRIOR: Final = 4
#: Steps of expectation and maximisation for the spread; it need not be exact.
_SPREAD_STEPS: Final = 4
_MAX_ITERATIONS: Final = 50
_TOLERANCE: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Strengths:
    """An estimate of the agents' strengths, in logits (173.7 Elo each); only differences mean something.

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
    """Return how often each player of a block was placed before each other one: 1 for always, 1/2 for a tie.

    >>> pair_shares([[1, 2, 2]])
    array([[0.5, 1. , 1. ],
           [0. , 0.5, 0.5],
           [0. , 0.5, 0.5]])

    Args:
        places: shape (..., games, players), 1 for the first; the players in the same order in all games.

    Returns:
        Shape (..., players, players).
    """
    place = np.asarray(places)
    ahead = np.sign(place[..., None, :] - place[..., :, None])
    shares: Floats = (0.5 + 0.5 * ahead).mean(axis=-3)
    return shares


def fit_strengths(n_agents: int, match_ups: Ints, shares: Floats, weights: Floats | None = None) -> Strengths:
    """Fit the strengths of agents to blocks, in any order.

    >>> import numpy as np
    >>> shares = pair_shares([[[1, 2]]] * 8 + [[[2, 1]]] * 2)
    >>> found = fit_strengths(2, np.tile([0, 1], (10, 1)), shares)
    >>> found.mean.round(2)
    array([ 0.54, -0.54])

    Args:
        n_agents: how many there are, whether or not they have played.
        match_ups: the agents of each block, all different, shape (blocks, players).
        shares: from `pair_shares`, shape (blocks, players, players).
        weights: for each block, the share of those of its match-up that count, as others repeat them; all by default.
    """
    counts = np.ones(len(shares)) if weights is None else weights
    each = np.broadcast_to(counts[:, None, None], shares.shape)
    cells = match_ups[:, :, None] * n_agents + match_ups[:, None, :]
    wins, meetings = _summed(cells, each * shares, n_agents), _summed(cells, each, n_agents)
    spread, scale = _FIRST_SPREAD, 1.0
    found = Strengths(np.zeros(n_agents), np.eye(n_agents) * spread**2)
    for _ in range(_SPREAD_STEPS):
        mean = _maximum(scale * wins, scale * meetings, spread, found.mean)
        prior, information = _prior(n_agents, spread), _information(mean, meetings)
        variability, multiple = _variability(mean, information, prior, match_ups, shares, counts)
        scale = 1.0 / multiple
        inverse = np.linalg.inv(scale * information + prior)
        found = Strengths(mean, inverse @ (scale**2 * variability + prior) @ inverse)
        spread = _spread(found)
    return found


def _summed(cells: Ints, values: Floats, n_agents: int) -> Floats:
    """Return the sums of ``values`` over blocks by pair of agents, zero where an agent meets itself."""
    sums = np.bincount(cells.ravel(), values.ravel(), n_agents * n_agents).reshape(n_agents, n_agents)
    between: Floats = np.where(np.eye(n_agents, dtype=bool), 0.0, sums)
    return between


def _spread(strengths: Strengths) -> float:
    """Return the standard deviation of the population, given the estimates of its members."""
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


def _variability(
    theta: Floats, information: Floats, prior: Floats, match_ups: Ints, shares: Floats, counts: Floats
) -> tuple[Floats, float]:
    """Return J, shrunk towards a multiple of the information while blocks are few, and that multiple.

    The multiple makes both agree on average over all directions; before there is anything to average it is 1, as if a
    pair had met in one game per block.
    """
    n_agents, players, blocks = len(theta), match_ups.shape[1], float(counts.sum())
    scores = np.zeros((len(match_ups), n_agents))
    residuals = shares - scipy.special.expit(theta[match_ups][:, :, None] - theta[match_ups][:, None, :])
    residuals[:, np.arange(players), np.arange(players)] = 0.0
    scores[np.arange(len(match_ups))[:, None], match_ups] = np.sqrt(counts)[:, None] * residuals.sum(axis=2)
    observed = scores.T @ scores * (blocks / max(blocks - n_agents / players, 1.0))  # for the fit's degrees of freedom
    weight = blocks / (blocks + n_agents)
    inverse = np.linalg.inv(information + prior)
    known = float((inverse * information).sum())
    multiple = weight * float((inverse * observed).sum()) / known + 1.0 - weight if known else 1.0
    variability: Floats = weight * observed + (1.0 - weight) * multiple * information
    return variability, multiple


def _ahead(theta: Floats) -> Floats:
    """Return the probability that each agent is placed before each other one."""
    probabilities: Floats = scipy.special.expit(theta[:, None] - theta[None, :])
    return probabilities


def _information(theta: Floats, meetings: Floats) -> Floats:
    """Return the negative second derivative of the log-likelihood."""
    ahead = _ahead(theta)
    weights = meetings * ahead * ahead.T
    information: Floats = np.diag(weights.sum(axis=1)) - weights
    return information


def _prior(n_agents: int, spread: float) -> Floats:
    return np.eye(n_agents) / spread**2
