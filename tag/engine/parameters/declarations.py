"""Declarations of the fields of `Parameters`; typed Any so that the field's own annotation holds."""

from __future__ import annotations

from dataclasses import field
from typing import Any, Final

from tag.engine.parameters.conditions import Condition, Value
from tag.engine.parameters.dimensions import Choice, Dimension, FileName, Flag, Integer, Real, SpecOf, Text
from tag.errors import ParameterError

_KEY: Final = "dimension"
#: The largest bound of a range: numbers in compiled code and in ledgers have 64 bits.
_LARGEST: Final = float((1 << 63) - 1)


def integer(
    default: int,
    low: int,
    high: int,
    text: str,
    *,
    log: bool = False,
    step: int = 1,
    active_if: Condition | None = None,
) -> Any:
    """Declare a whole number in [``low``, ``high``].

    Examples:
        >>> from dataclasses import dataclass
        >>> from tag import Parameters
        >>> @dataclass
        ... class Rules(Parameters):
        ...     stones: int = integer(12, 4, 20, "stones in the heap", step=4)
        >>> [dimension.range_text() for dimension in Rules.dimensions()]
        ['4..20 step 4']
        >>> Rules(stones=13)
        Traceback (most recent call last):
            ...
        tag.errors.ParameterError: stones cannot be 13; it goes in steps of 4, the nearest value is 12
    """
    _check_bounds(low, high, text)
    return _declared(Integer(default, low, high, text, log, step, active_if))


def real(
    default: float,
    low: float,
    high: float,
    text: str,
    *,
    log: bool = False,
    active_if: Condition | None = None,
) -> Any:
    """Declare a number in [``low``, ``high``]."""
    _check_bounds(low, high, text)
    return _declared(Real(default, low, high, text, log, active_if))


def choice(
    default: Value,
    options: tuple[Value, ...],
    text: str,
    *,
    ordered: bool = False,
    active_if: Condition | None = None,
) -> Any:
    """Declare one of ``options``.

    Examples:
        >>> from dataclasses import dataclass
        >>> from tag import Parameters
        >>> @dataclass
        ... class Rules(Parameters):
        ...     deck: str = choice("short", ("short", "long"), "the deck")
        >>> Rules(deck="lang")
        Traceback (most recent call last):
            ...
        tag.errors.ParameterError: deck cannot be 'lang'; did you mean 'long'?
    """
    return _declared(Choice(default, options, text, ordered, active_if))


def flag(default: bool, text: str, *, active_if: Condition | None = None) -> Any:
    """Declare true or false."""
    return _declared(Flag(default, text, active_if))


def spec_of(registry: str, default: str, text: str, *, active_if: Condition | None = None) -> Any:
    """Declare a spec of another ``registry`` (``heuristic`` or ``agent``)."""
    return _declared(SpecOf(registry, default, text, active_if))


def free_text(default: str, text: str) -> Any:
    """Declare words, such as a name in a game; tuners leave them alone."""
    return _declared(Text(default, text, None))


def file_name(text: str) -> Any:
    """Declare the name of a file that is needed to play, empty for none; its content is sent to workers."""
    return _declared(FileName("", text, None))


def dimension_of(metadata: Any) -> Dimension | None:
    """Return the dimension in a dataclass field's metadata, if it was declared with one."""
    found: Dimension | None = metadata.get(_KEY)
    return found


def _declared(dimension: Dimension) -> Any:
    return field(default=dimension.default, metadata={_KEY: dimension})


def _check_bounds(low: float, high: float, text: str) -> None:
    """Raise `ParameterError` where nothing can be drawn between two bounds."""
    if not (-_LARGEST <= low <= high <= _LARGEST):
        raise ParameterError(
            f"the range of the parameter {text!r} cannot be {low:g}..{high:g}; its bounds are finite numbers of at most "
            "64 bits, the lower one first"
        )
