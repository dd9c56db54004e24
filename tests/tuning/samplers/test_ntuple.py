"""The N-tuple model: equal to the papers' formulas, computed by hand."""

from __future__ import annotations

from math import log, sqrt

import numpy as np
import pytest

from tag.tuning.samplers.ntuple import NTuple

GAMES = [((0, 1, 2), 1.0, 3.0), ((0, 1, 0), 0.0, 2.0), ((1, 1, 2), 0.25, 4.0), ((2, 0, 1), 0.5, 1.0)]


def by_hand(point: tuple[int, ...], k: float, epsilon: float, pending: list[tuple[int, ...]]) -> float:
    """Return the upper bound of a point over single parameters and pairs of them."""
    tuples = [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]
    total = sum(games for _point, _value, games in GAMES) + len(pending)
    means, explored = [], []
    for chosen in tuples:

        def matches(other: tuple[int, ...], chosen: tuple[int, ...] = chosen) -> bool:
            return all(other[i] == point[i] for i in chosen)

        n = sum(games for other, _value, games in GAMES if matches(other))
        if n:
            means.append(sum(value * games for other, value, games in GAMES if matches(other)) / n)
        waiting = sum(matches(other) for other in pending)
        explored.append(sqrt(log(1 + total) / (n + waiting + epsilon)))
    return (sum(means) / len(means) if means else 0.0) + k * sum(explored) / len(explored)


@pytest.mark.parametrize("pending", [[], [(0, 1, 2), (2, 2, 2)]])
def test_the_upper_bound_is_that_of_the_papers(pending):
    model = NTuple((3, 3, 3), epsilon=0.5)
    for point, value, games in GAMES:
        model.add(np.array(point), value, games)
    for point in pending:
        model.expect(np.array(point))
    points = [(a, b, c) for a in range(3) for b in range(3) for c in range(3)]
    found = model.upper_bound(np.array(points), 0.3)
    assert found == pytest.approx([by_hand(point, 0.3, 0.5, pending) for point in points], abs=1e-12)


def test_what_is_expected_and_taken_back_leaves_no_trace():
    model = NTuple((4, 5))
    model.add(np.array([1, 2]), 0.5)
    before = model.upper_bound(np.array([[1, 2], [3, 4]]), 1.0)
    model.expect(np.array([1, 2]))
    assert (model.upper_bound(np.array([[1, 2], [3, 4]]), 1.0) != before).all()
    model.expect(np.array([1, 2]), -1.0)
    assert (model.upper_bound(np.array([[1, 2], [3, 4]]), 1.0) == before).all()


def test_nothing_is_known_at_first():
    model = NTuple((2, 2))
    assert model.mean(np.array([[0, 1]])).tolist() == [0.0]
