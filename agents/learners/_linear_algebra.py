"""Linear algebra of symmetric matrices, in typed vectors.

They are stored row by row in their lower half; ``width`` is the distance of rows in memory.
"""

from __future__ import annotations

from math import sqrt
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

#: The share of a feature's variance that others must leave unexplained; with less it counts as collinear with them.
LEAST_VARIANCE: Final = 1e-6


def mean_and_deviation(values: vec[float], first: i64, stride: i64, number: i64) -> tuple[float, float]:
    total = 0.0
    for row in range(number):
        total += values[row * stride + first]
    mean = total / float(number)
    squares = 0.0
    for row in range(number):
        difference = values[row * stride + first] - mean
        squares += difference * difference
    return mean, sqrt(squares / float(number))


def add_outer(matrix: vec[float], values: vec[float], start: i64, size: i64, width: i64, weight: float) -> None:
    """Add ``weight`` times the products of all pairs of ``values`` from ``start`` on."""
    for row in range(size):
        value = values[start + row] * weight
        if value != 0.0:
            place = row * width
            for column in range(row + 1):
                matrix[place + column] += value * values[start + column]


def decompose(matrix: vec[float], width: i64, size: i64) -> None:
    """Replace a positive definite matrix by its Cholesky factor."""
    for row in range(size):
        for column in range(row + 1):
            total = matrix[row * width + column]
            for inner in range(column):
                total -= matrix[row * width + inner] * matrix[column * width + inner]
            if column == row:
                matrix[row * width + row] = sqrt(max(total, 1e-300))
            else:
                matrix[row * width + column] = total / matrix[column * width + column]


def decompose_row(matrix: vec[float], width: i64, row: i64, chosen: list[i64]) -> bool:
    """Decompose one row of a correlation matrix by those ``chosen`` before; return False if they explain its variance."""
    for number in range(len(chosen)):
        column = chosen[number]
        total = matrix[row * width + column]
        for earlier in range(number):
            inner = chosen[earlier]
            total -= matrix[row * width + inner] * matrix[column * width + inner]
        matrix[row * width + column] = total / matrix[column * width + column]
    left = matrix[row * width + row]
    for inner in chosen:
        left -= matrix[row * width + inner] * matrix[row * width + inner]
    if left < LEAST_VARIANCE:
        return False
    matrix[row * width + row] = sqrt(left)
    return True


def solve(factor: vec[float], width: i64, size: i64, values: vec[float]) -> None:
    """Solve the equations of a decomposed matrix in place."""
    for row in range(size):
        total = values[row]
        for column in range(row):
            total -= factor[row * width + column] * values[column]
        values[row] = total / factor[row * width + row]
    for behind in range(size):
        row = size - 1 - behind
        total = values[row]
        for below in range(row + 1, size):
            total -= factor[below * width + row] * values[below]
        values[row] = total / factor[row * width + row]
