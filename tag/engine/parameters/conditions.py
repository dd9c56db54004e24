"""Conditions: the values of another parameter with which a parameter has an effect."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Value = int | float | str | bool


@dataclass(frozen=True)
class MoreThan:
    """All numbers greater than ``low``: the values of another parameter with which one has an effect."""

    low: float

    def __reduce__(self) -> Any:
        """Pickle by the arguments of the constructor: fields of a frozen class cannot be set."""
        return (MoreThan, (self.low,))

    def __contains__(self, value: object) -> bool:
        """Say whether ``value`` is a greater number."""
        return isinstance(value, (int, float)) and value > self.low

    def __str__(self) -> str:
        """Return the condition for people: ``> 0``."""
        return f"> {self.low:g}"


@dataclass(frozen=True)
class OtherThan:
    """All values but one: those of another parameter with which one has an effect."""

    excluded: Value

    def __reduce__(self) -> Any:
        """Pickle by the arguments of the constructor, as `MoreThan`."""
        return (OtherThan, (self.excluded,))

    def __contains__(self, value: object) -> bool:
        """Say whether ``value`` is another one; None, as of a parameter that has no value, is not."""
        return value is not None and value != self.excluded

    def __str__(self) -> str:
        """Return the condition for people: ``other than null``."""
        return f"other than {self.excluded}"


#: Values of another parameter with which a parameter has an effect.
Wanted = tuple[Value, ...] | MoreThan | OtherThan
#: The name of another parameter, and its values with which a parameter has an effect.
Condition = tuple[str, Wanted]
