"""The likelihood of strengths and its derivatives, for many weightings of the same games at once.

Arrays have shape (n, batch): one column per weighting. With strengths e_i = exp(η_i) and D_S = Σ_(i in S) e_i,

    l     = Σ_i c_i η_i - Σ_S w_S log D_S
    l_i   = c_i - e_i Σ_(S with i) w_S / D_S
    -l_ij = [i = j] e_i Σ_(S with i) w_S / D_S - e_i e_j Σ_(S with i and j) w_S / D_S²

in the notation of `tag.tournaments.statistics.ratings.choices`, and η = X β for parameters β.
"""

from __future__ import annotations

from itertools import product
from typing import Any, Final

import numpy as np

from tag.tournaments.statistics.intervals import Floats, Ints
from tag.tournaments.statistics.ratings.choices import Choices, sparse_matrix

#: Numbers held at once in one array for gradients of blocks.
_NUMBERS: Final = 500_000


class Likelihood:
    """The likelihood of ranked games.

    Attributes:
        n_parameters: the length of β.
        work: about how many numbers an evaluation holds per weighting.
    """

    def __init__(self, choices: Choices) -> None:
        self.n_parameters = choices.n_parameters
        self._appearances, self._choices = choices.appearances, choices.choices
        n_cells, n = len(choices.parameters), choices.n_parameters
        cell = np.arange(n_cells)
        width = choices.parameters.shape[1]
        self._design = sparse_matrix(
            choices.weights.ravel(), np.repeat(cell, width), choices.parameters.ravel(), (n_cells, n)
        )
        row, column = np.nonzero(choices.sets >= 0)
        self._members = _indicator(row, choices.sets[row, column], (len(choices.sets), n_cells))
        self._sets_of_cell = self._members.T.tocsr()
        pair, which, self._left, self._right = _pairs(choices.sets, n_cells)
        self._sets_of_pair = _indicator(pair, which, (len(self._left), len(choices.sets)))
        self._blocks_of_cell = _outer(choices, cell, cell)
        self._blocks_of_pair = _outer(choices, self._left, self._right)
        self.work = len(choices.sets) + len(self._left) + n * n

    def statistics(self, block_weights: Floats) -> tuple[Floats, Floats]:
        """Return c of shape (cells, batch) and w of shape (sets, batch) for weights of shape (blocks, batch)."""
        return self._appearances @ block_weights, self._choices @ block_weights

    def value(self, beta: Floats, statistics: tuple[Floats, Floats]) -> Floats:
        """Return l, of shape (batch,), for β of shape (parameters, batch)."""
        c, w = statistics
        eta = self._design @ beta
        value: Floats = (c * eta).sum(axis=0) - (w * np.log(self._members @ np.exp(eta))).sum(axis=0)
        return value

    def gradient(self, beta: Floats, statistics: tuple[Floats, Floats]) -> Floats:
        """Return the gradient, of shape (parameters, batch)."""
        c, w = statistics
        e = np.exp(self._design @ beta)
        gradient: Floats = self._design.T @ (c - e * (self._sets_of_cell @ (w / (self._members @ e))))
        return gradient

    def derivatives(self, beta: Floats, statistics: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
        """Return the gradient, of shape (parameters, batch), and minus the Hessian, (batch, parameters, parameters)."""
        c, w = statistics
        e = np.exp(self._design @ beta)
        d = self._members @ e
        rate = w / d
        expected = e * (self._sets_of_cell @ rate)
        joint = e[self._left] * e[self._right] * (self._sets_of_pair @ (rate / d))
        information = self._blocks_of_cell @ expected - self._blocks_of_pair @ joint
        n = self.n_parameters
        return self._design.T @ (c - expected), information.T.reshape(-1, n, n)

    def spread(self, beta: Floats) -> Floats:
        """Return Σ (g - ḡ)(g - ḡ)ᵀ over the gradients g of single blocks, of shape (parameters, parameters).

        β is of shape (parameters, 1).
        """
        n_blocks = self._appearances.shape[1]
        squares, total = np.zeros((self.n_parameters, self.n_parameters)), np.zeros(self.n_parameters)
        appearances, choices = self._appearances.tocsc(), self._choices.tocsc()
        size = max(1, _NUMBERS // self.work)
        for begin in range(0, n_blocks, size):
            some = slice(begin, begin + size)
            statistics = (appearances[:, some].toarray(), choices[:, some].toarray())
            gradients = self.gradient(beta, statistics)
            squares += gradients @ gradients.T
            total += gradients.sum(axis=1)
        spread: Floats = squares - np.outer(total, total) / max(n_blocks, 1)
        return spread


def _pairs(sets: Ints, n_cells: int) -> tuple[Ints, Ints, Ints, Ints]:
    """Return every pair of cells that is in a set, a cell with itself too.

    Returns:
        The pair's number and the set of every occurrence, and the two cells of every pair.
    """
    codes, wheres = [], []
    for left, right in product(range(sets.shape[1]), repeat=2):
        if left <= right:
            (where,) = np.nonzero((sets[:, left] >= 0) & (sets[:, right] >= 0))
            codes.append(sets[where, left] * n_cells + sets[where, right])
            wheres.append(where)
    empty = np.zeros(0, dtype=np.int64)
    code, which = np.concatenate([empty, *codes]), np.concatenate([empty, *wheres])
    is_pair = np.zeros(n_cells**2, dtype=np.bool_)
    is_pair[code] = True
    left_cell, right_cell = np.divmod(np.flatnonzero(is_pair), max(n_cells, 1))
    return (np.cumsum(is_pair) - 1)[code], which, left_cell, right_cell


def _outer(choices: Choices, left: Ints, right: Ints) -> Any:
    """Return the matrix, of shape (n², pairs), that adds up x_i x_jᵀ + x_j x_iᵀ, or x_i x_iᵀ where i = j.

    Here x_i of length n has their weights at the parameters of cell i.
    """
    parameters, weights, n = choices.parameters, choices.weights, choices.n_parameters
    number = np.arange(len(left))
    is_two = left != right
    rows, columns, values = [], [], []
    for one, other in product(range(parameters.shape[1]), repeat=2):
        p, q, weight = parameters[left, one], parameters[right, other], weights[left, one] * weights[right, other]
        rows += [p * n + q, (q * n + p)[is_two]]
        columns += [number, number[is_two]]
        values += [weight, weight[is_two]]
    return sparse_matrix(np.concatenate(values), np.concatenate(rows), np.concatenate(columns), (n * n, len(left)))


def _indicator(row: Ints, column: Ints, shape: tuple[int, int]) -> Any:
    """Return the sparse matrix that counts how often each row and column occur together."""
    return sparse_matrix(np.ones(len(row)), row, column, shape)
