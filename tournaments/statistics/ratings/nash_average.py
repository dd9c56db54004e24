"""Nash averages of agents.

Two players choose agents; one wins from the other the log odds A_ij that its agent beats the other's. The game has
value 0. Among its equilibria {p ≥ 0, Σ p = 1, A p ≤ 0} there is one of maximal entropy, and the Nash average of the
agents is A p: 0 for those in its support, negative for others. Copies of an agent share its weight and change nothing
for the others (Balduzzi, Tuyls, Perolat and Graepel, "Re-evaluating Evaluation", NeurIPS 2018, section 3).

A linear program first finds the agents with any weight in some equilibrium: it makes as many as possible at least 1
in a vector p ≥ 0 with A p ≤ 0. Given this support, the entropy is greatest at p_i ∝ exp(-Σ_j λ_j A_ji). Here λ
minimises the convex log Σ_(i in the support) exp(-Σ_j λ_j A_ji), λ_j being free where j is in the support and not
negative elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from tag.errors import DataError
from tag.tournaments.statistics.intervals import Bools, Floats


@dataclass(frozen=True, slots=True, eq=False)
class NashAverage:
    """The equilibrium of maximal entropy, with the ratings that follow from it.

    Attributes:
        weights: of shape (agents,), sum 1: the equilibrium.
        ratings: of shape (agents,): each agent's mean log odds against it, at most 0.
    """

    weights: Floats
    ratings: Floats


def nash_average(log_odds: Floats) -> NashAverage:
    """Return the Nash average of agents.

    Args:
        log_odds: of shape (agents, agents), antisymmetric: for the row against the column, as `log_odds` gives.

    Raises:
        DataError: the table is not antisymmetric.

    >>> nash_average(np.array([[0.0, 1.0, -1.0], [-1.0, 0.0, 1.0], [1.0, -1.0, 0.0]])).weights.round(3).tolist()
    [0.333, 0.333, 0.333]
    """
    if log_odds.ndim != 2 or log_odds.shape[0] != log_odds.shape[1] or not np.allclose(log_odds, -log_odds.T):
        raise DataError("the table of log odds is not antisymmetric; what the row gains, the column loses")
    scale = np.abs(log_odds).max(initial=0.0) or 1.0
    support = _support(log_odds / scale)
    weights = _most_even(log_odds / scale, support)
    return NashAverage(weights, log_odds @ weights)


def _support(payoffs: Floats) -> Bools:
    """Return the agents with weight in some equilibrium: greatest Σ t for 0 ≤ t ≤ 1, t ≤ p, A p ≤ 0."""
    from scipy.optimize import linprog  # noqa: PLC0415  0.2 s, and tables of results do without

    n = len(payoffs)
    nothing, unit = np.zeros((n, n)), np.eye(n)
    found = linprog(
        np.concatenate([np.zeros(n), -np.ones(n)]),
        A_ub=np.block([[payoffs, nothing], [-unit, unit]]),
        b_ub=np.zeros(2 * n),
        bounds=[(0.0, None)] * n + [(0.0, 1.0)] * n,
        method="highs",
    )
    is_supported: Bools = found.x[n:] > 0.5
    return is_supported


def _most_even(payoffs: Floats, support: Bools) -> Floats:
    """Return the equilibrium of greatest entropy on ``support``."""
    from scipy.optimize import minimize  # noqa: PLC0415  as above

    rows = payoffs[:, support]

    def dual(multipliers: Floats) -> tuple[float, Floats]:
        exponents = -multipliers @ rows
        return float(scipy.special.logsumexp(exponents)), -rows @ scipy.special.softmax(exponents)

    bounds = [(None if is_free else 0.0, None) for is_free in support]
    options = {"maxiter": 10_000, "maxfun": 100_000, "ftol": 0.0, "gtol": 1e-12, "maxcor": 50}
    found = minimize(dual, np.zeros(len(payoffs)), jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    weights = np.zeros(len(payoffs))
    weights[support] = scipy.special.softmax(-found.x @ rows)
    return weights
