"""Alpha-ranks of agents.

In a population in which all play the same strategy, a mutant appears now and then, and dies out or takes over. The
selection intensity is alpha, and there are m individuals. A mutant that earns f more than the others takes over with
probability

    (1 - exp(-x)) / (1 - exp(-m x)) where x = alpha f, and 1/m if f = 0.

The masses are the stationary distribution of the Markov chain over strategies, with all mutants equally likely
(Omidshafiei, Papadimitriou, Piliouras et al., "Multi-Agent Evaluation by Evolution", Scientific Reports 9, 2019). In
a cycle each has a mass, and agents that evolution leaves behind have none.

The chance that a weaker mutant takes over is soon below the least floating-point number. So logarithms of the
transition rates are kept, and the chain is solved by eliminating states without subtractions (Grassmann, Taksar and
Heyman, Operations Research 33, 1985): exact for any alpha. Time grows with the cube of the number of states; 1,000 take
some seconds.
"""

from __future__ import annotations

from math import inf
from typing import Final

import numpy as np

from tag.errors import DataError, ParameterError
from tag.tournaments.statistics.intervals import Floats

#: Selection intensity and population of the authors' software, for payoffs that differ by about 1.
ALPHA: Final = 100.0
POPULATION: Final = 50


def alpha_rank(payoffs: Floats, alpha: float = ALPHA, population: int = POPULATION) -> Floats:
    """Return the mass of each agent, of shape (agents,), sum 1, in a symmetric game of two from one population.

    Args:
        payoffs: of shape (agents, agents): the row's earnings against the column, such as `PairwiseTable.score`; the
            diagonal is not read.
        alpha: the selection intensity, per unit of payoff.
        population: how many individuals there are, at least 2.

    Raises:
        DataError: the table is not square, or a payoff is unknown.
        ParameterError: a negative intensity, or fewer than 2 individuals.

    >>> alpha_rank(np.array([[0.5, 1.0, 0.0], [0.0, 0.5, 1.0], [1.0, 0.0, 0.5]])).round(3).tolist()
    [0.333, 0.333, 0.333]
    """
    if payoffs.ndim != 2 or payoffs.shape[0] != payoffs.shape[1]:
        raise DataError(f"a payoff table cannot have the shape {payoffs.shape}; it has a row and a column per agent")
    if not 0.0 <= alpha < inf:
        raise ParameterError(f"alpha cannot be {alpha:g}; the least is 0, for no selection")
    if population < 2:
        raise ParameterError(f"population cannot be {population}; the least is 2")
    n = len(payoffs)
    gains = payoffs.T - payoffs
    np.fill_diagonal(gains, 0.0)
    if not np.isfinite(gains).all():
        raise DataError("a payoff is unknown; every two agents must have a game in common")
    rates = _log_fixation(gains, alpha, population) - np.log(max(n - 1, 1))
    return _stationary(rates)


def _log_fixation(gains: Floats, alpha: float, population: int) -> Floats:
    """Return the log probability of taking over; for a loss it is (m-1) |x| less than for a gain as great."""
    x = alpha * np.abs(gains)
    with np.errstate(divide="ignore", invalid="ignore"):
        gain = np.log(np.expm1(-x) / np.expm1(-population * x))
    log_probability = np.where(x > 0.0, gain, -np.log(population))
    return log_probability - np.where(gains < 0.0, (population - 1) * x, 0.0)


def _stationary(log_rates: Floats) -> Floats:
    """Return the stationary distribution of the chain with these log transition rates; the diagonal is not read."""
    rates = log_rates.copy()
    n = len(rates)
    for state in range(n - 1, 0, -1):
        rates[:state, state] -= np.logaddexp.reduce(rates[state, :state])
        detours = rates[:state, state, None] + rates[state, :state]
        rates[:state, :state] = np.logaddexp(rates[:state, :state], detours)
    log_mass = np.zeros(n)
    for state in range(1, n):
        log_mass[state] = np.logaddexp.reduce(log_mass[:state] + rates[:state, state])
    masses: Floats = np.exp(log_mass - np.logaddexp.reduce(log_mass))
    return masses
