"""Counters: a number between two bounds."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag.components._component import Component
from tag.components._visibility import VISIBLE_TO_ALL
from tag.engine.rng import Rng
from tag.errors import ContractError

#: The bound of a counter that has none.
UNBOUNDED: Final = 1_000_000_000


@mypyc_attr(allow_interpreted_subclasses=True)
class Counter(Component):
    """A number on a track: points, resources, a threat level.

    Examples:
        >>> health = Counter("health", value=9, high=10)
        >>> health.change(4), health.value
        (1, 10)
        >>> health.can_change(-10), health.can_change(-11)
        (True, False)

    Attributes:
        value: the number now.
        low: the least it may be.
        high: the most it may be.
        clamps: whether a change beyond a bound stops there; if not, it is refused.
    """

    __slots__ = ("clamps", "high", "low", "value")
    value: i64
    low: i64
    high: i64
    clamps: bool

    def __init__(
        self,
        name: str,
        value: i64 = 0,
        low: i64 = 0,
        high: i64 = UNBOUNDED,
        clamps: bool = True,
        owner: i64 = -1,
        visibility: i64 = VISIBLE_TO_ALL,
    ) -> None:
        """Start at ``value``.

        Raises:
            ContractError: the value lies outside of the bounds.
        """
        super().__init__(name, owner, visibility)
        self.low = low
        self.high = high
        self.clamps = clamps
        self.value = low
        self.set(value)

    def copy(self) -> Counter:
        """Copy the number."""
        return Counter(self.name, self.value, self.low, self.high, self.clamps, self.owner, self.visibility)

    def can_change(self, amount: i64) -> bool:
        """Say whether the counter stays within its bounds when ``amount`` is added."""
        return self.low <= self.value + amount <= self.high

    def change(self, amount: i64) -> i64:
        """Add ``amount`` (negative to take away) and return the actual change of the counter.

        Raises:
            ContractError: the counter does not clamp and would leave its bounds.
        """
        before = self.value
        after = before + amount
        if self.clamps:
            after = min(max(after, self.low), self.high)
        self.set(after)
        return after - before

    def set(self, value: i64) -> None:
        """Set the number.

        Raises:
            ContractError: ``value`` lies outside of the bounds.
        """
        if not self.low <= value <= self.high:
            near = min(max(value, self.low), self.high)
            raise ContractError(f"counter {self.name!r} cannot be {value}; the nearest value is {near}")
        self.value = value

    def redeterminise(self, player: i64, rng: Rng) -> None:
        """Draw a hidden number uniformly between the bounds."""
        if not self.is_visible_to(player):
            self.value = self.low + rng.below(self.high - self.low + 1)

    def text(self, viewer: i64) -> str:
        """Return the number."""
        return str(self.value) if self.is_visible_to(viewer) else "?"
