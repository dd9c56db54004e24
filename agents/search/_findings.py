"""Findings of a search of all actions: on positions, for its table, and on the actions at its root."""

from __future__ import annotations

from typing import Any, Final, final

from mypy_extensions import i64

from tag.engine.snapshot import reduced
from tag.engine.state import AnyAction

EXACT: Final = 0
AT_LEAST: Final = 1
AT_MOST: Final = 2


@final
class Known:
    """Findings of an earlier search about a position.

    Attributes:
        value: its value for the searcher; in max^n for the player to move, with ``values`` for all.
        bound: whether the value is exact, or a lower or upper bound.
        depth: how far below the position the search looked.
        is_final: whether it saw all ends below, so that no deeper search finds another value.
        is_sample: whether outcomes of chance below were drawn, so that nothing is proven.
        best: the action that was best.
    """

    __slots__ = ("best", "bound", "depth", "is_final", "is_sample", "value", "values")

    def __init__(
        self,
        value: float,
        values: list[float] | None,
        bound: i64,
        depth: i64,
        is_final: bool,
        is_sample: bool,
        best: AnyAction,
    ) -> None:
        """Store the values."""
        self.value = value
        self.values = values
        self.bound: i64 = bound
        self.depth: i64 = depth
        self.is_final = is_final
        self.is_sample = is_sample
        self.best = best

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle by fields."""
        return reduced(self, 0.0, None, 0, 0, False, False, self.best)

    def settles(self, left: i64, alpha: float, beta: float) -> bool:
        """Say whether the value will do for a search that may look ``left`` deep and is interested in (alpha, beta)."""
        if not self.is_final and self.depth < left:
            return False
        if self.bound == EXACT:
            return True
        return self.value >= beta if self.bound == AT_LEAST else self.value <= alpha


def bound_of(value: float, alpha: float, beta: float) -> i64:
    if value <= alpha:
        return AT_MOST
    return AT_LEAST if value >= beta else EXACT


@final
class ValuedAction:
    """An action at the root of a search, and what the search found out about it.

    Attributes:
        action: the action.
        value: its value for the searcher.
        depth: the depth of the search that found it, in units; 0 without a value.
        is_bound: whether the action was cut off, so that its value may be less.
    """

    __slots__ = ("action", "depth", "is_bound", "value")

    def __init__(self, action: AnyAction) -> None:
        """Take the action, without a value."""
        self.action = action
        self.value = 0.0
        self.depth: i64 = 0
        self.is_bound = False

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle by fields."""
        return reduced(self, self.action)

    def figures(self) -> dict[str, object]:
        """Return the row of `Agent.statistics`."""
        if self.depth == 0:
            return {"action": str(self.action), "value": None}
        row: dict[str, object] = {"action": str(self.action), "value": self.value, "depth": int(self.depth)}
        if self.is_bound:
            row["is_bound"] = True
        return row
