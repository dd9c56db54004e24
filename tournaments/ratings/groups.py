"""Groups of agents that cannot be told apart: the compact letter display."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

_Bools = npt.NDArray[np.bool_]
_Floats = npt.NDArray[np.float64]


def groups(is_different: _Bools, ratings: _Floats) -> list[tuple[int, ...]]:
    """Return the largest groups of agents of which no two differ.

    Two agents share a group just if they cannot be told apart; an agent may be in several. All agents begin in one
    group; for each two that differ, a group with both is split into one without the one and one without the other, and
    groups within others are dropped (Piepho, Journal of Computational and Graphical Statistics 13, 2004: "insert and
    absorb").

    Args:
        is_different: of shape (agents, agents), symmetric: which two can be told apart.
        ratings: of shape (agents,), what agents and groups are sorted by, the best first.

    >>> chain = np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], dtype=bool)
    >>> groups(chain, np.array([20.0, 10.0, 0.0]))
    [(0, 1), (1, 2)]
    """
    rank = np.empty(len(ratings), dtype=np.int64)
    rank[np.argsort(-ratings, kind="stable")] = np.arange(len(ratings))
    found = [frozenset(range(len(ratings)))]
    for one, other in np.argwhere(np.triu(is_different, 1)).tolist():
        split = [group for group in found if {one, other} <= group]
        halves = {group - {agent} for group in split for agent in (one, other)}
        whole = [group for group in found if group not in split]
        found = whole + [half for half in halves if not any(half < group for group in [*whole, *halves])]
    ordered = [sorted(group, key=rank.__getitem__) for group in found if group]
    return [tuple(group) for group in sorted(ordered, key=lambda group: [int(rank[agent]) for agent in group])]
