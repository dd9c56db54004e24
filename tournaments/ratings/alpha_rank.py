"""Alpha-rank: how much of the time evolution spends with each agent.

A population in which all play the same meets a mutant now and then, which then dies out or takes over. With the selection
intensity alpha and m individuals, a mutant that earns f more than those around it takes over with probability

    (1 - exp(-x)) / (1 - exp(-m x)) where x = alpha f, and 1/m if f = 0.

The masses are the stationary distribution of the Markov chain over what is played, in which every possible mutant is as
likely to come (Omidshafiei, Papadimitriou, Piliouras et al., "Multi-Agent Evaluation by Evolution", Scientific Reports 9,
2019). In a cycle each has a mass, and agents that evolution leaves behind have none.

The chance that a weaker mutant takes over is soon below the least floating-point number. So logarithms of the transition
rates are kept, and the chain is solved by eliminating states without subtractions (Grassmann, Taksar and Heyman, Operations
Research 33, 1985): exact for any alpha. Time grows with the cube of the number of states; 1,000 take some seconds.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from tag.errors import DataError

#: Selection intensity and population of the authors' software, for payoffs that differ by about 1.
ALPHA: Final = 100.0
POPULATION: Final = 50

_Floats = npt.NDArray[np.float64]


def alpha_rank(payoffs: _Floats, alpha: float = ALPHA, population: int = POPULATION) -> _Floats:
    """Return the mass of each agent, of shape (agents,), sum 1, in a symmetric game of two from one population.

    Args:
        payoffs: of shape (agents, agents): what the row earns against the column, such as `PairwiseTable.score`; the
            diagonal is not read.
        alpha: the selection intensity, per unit of payoff.
        population: how many individuals there are, at least 2.

    Raises:
        DataError: the table is not square, or a payoff is unknown.

    >>> alpha_rank(np.array([[0.5, 1.0, 0.0], [0.0, 0.5, 1.0], [1.0, 0.0, 0.5]])).round(3).tolist()
    [0.333, 0.333, 0.333]
    """
    if payoffs.ndim != 2 or payoffs.shape[0] != payoffs.shape[1]:
        raise DataError(f"a payoff table cannot have the shape {payoffs.shape}; it has a row and a column per agent")
    n = len(payoffs)
    gains = payoffs.T - payoffs
    np.fill_diagonal(gains, 0.0)
    _check_known(gains)
    rates = _log_fixation(gains, alpha, population) - np.log(max(n - 1, 1))
    return _stationary(rates)


def alpha_rank_profiles(payoffs: _Floats, alpha: float = ALPHA, population: int = POPULATION) -> _Floats:
    """Return the mass of each profile, sum 1, in a game of n with a population for each player.

    The mass of an agent as a player is the sum over the other players' axes.

    Args:
        payoffs: of shape (n, agents of player 0, ..., agents of player n-1): what each player earns in each profile.
        alpha: the selection intensity, per unit of payoff.
        population: how many individuals each population has, at least 2.

    Returns:
        The masses, of shape (agents of player 0, ..., agents of player n-1).

    Raises:
        DataError: the table has another number of players than axes, or a payoff is unknown.
    """
    shape = payoffs.shape[1:]
    if payoffs.ndim < 2 or len(shape) != len(payoffs):
        raise DataError(
            f"a payoff table cannot have the shape {payoffs.shape}; it has an axis per player after the first"
        )
    _check_known(payoffs)
    n_states = int(np.prod(shape))
    profiles = np.indices(shape).reshape(len(shape), n_states)
    rates = np.full((n_states, n_states), -np.inf)
    for player, earned in enumerate(payoffs.reshape(len(shape), n_states)):
        others = np.delete(profiles, player, axis=0)
        is_other_alike = (others[:, :, None] == others[:, None, :]).all(axis=0)
        is_mutant = is_other_alike & (profiles[player][:, None] != profiles[player])
        gains = earned[None, :] - earned[:, None]
        rates[is_mutant] = _log_fixation(gains[is_mutant], alpha, population)
    masses: _Floats = _stationary(rates - np.log(max(sum(shape) - len(shape), 1))).reshape(shape)
    return masses


def _check_known(payoffs: _Floats) -> None:
    if not np.isfinite(payoffs).all():
        raise DataError("a payoff is unknown; every two agents must have a game in common")


def _log_fixation(gains: _Floats, alpha: float, population: int) -> _Floats:
    """Return the log probability of taking over; for a loss it is (m-1) |x| less than for a gain as great."""
    x = alpha * np.abs(gains)
    with np.errstate(divide="ignore", invalid="ignore"):
        gain = np.log(np.expm1(-x) / np.expm1(-population * x))
    log_probability = np.where(x > 0.0, gain, -np.log(population))
    return log_probability - np.where(gains < 0.0, (population - 1) * x, 0.0)


def _stationary(log_rates: _Floats) -> _Floats:
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
    masses: _Floats = np.exp(log_mass - np.logaddexp.reduce(log_mass))
    return masses
