"""Ranges: the values of one parameter that are searched, as people write them and as Optuna holds them.

2..12        all from one to the other, on the scale that the parameter is declared with
2..12+2      in steps: 2, 4, … 12
2..32x2      by a factor: 2, 4, 8, 16, 32
1,3,10       these values, in the order of the parameter's range
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Final, Protocol

from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution

from tag.dimensions import Choice, Dimension, Flag, Integer, Real, SpecOf, Value
from tag.errors import ParameterError

_ENDS: Final = re.compile(r"(?P<low>.+?)\.\.(?P<high>[^x]+?)(?:(?P<sign>x|(?<![eE])\+)(?P<by>.+))?")
#: Real numbers of many digits.
_LONG: Final = re.compile(r"(?<![\w.])\d+\.\d{4,}(?:e[-+]?\d+)?")
#: How far from a step a number counts as on it, as a share of the step: sums of floats are not exact.
_ON_STEP: Final = 1e-6
#: More values than that are a range.
_MOST_VALUES: Final = 1_000


class Range(Protocol):
    """Values of one parameter that are searched."""

    @property
    def text(self) -> str:
        """The range as people write it; read back, it is the same range."""

    @property
    def distribution(self) -> BaseDistribution:
        """The range as Optuna's samplers search it."""

    def holds(self, value: Any) -> bool:
        """Say whether the value is in the range."""

    def nearest(self, value: Any) -> Value:
        """Return the value of the range that is the nearest to a value of the parameter."""

    def encoded(self, value: Any) -> Any:
        """Return a value of the range as it stands in Optuna's trials."""

    def decoded(self, drawn: Any) -> Value:
        """Return the value that one in a trial of Optuna's stands for; the inverse of `encoded`."""


@dataclass(frozen=True)
class Interval:
    """Numbers from ``low`` to ``high``, both included.

    Attributes:
        low: the least.
        high: the greatest, a number of steps above it.
        step: between numbers; 0 for all real ones.
        is_whole: whether they are whole numbers.
        is_log: whether they are searched on a logarithmic scale.
        shift: what is added to whole numbers in Optuna, which has no logarithmic ranges from 0.
        is_evened: whether steps have made even what is declared with a logarithmic scale.
    """

    low: float
    high: float
    step: float
    is_whole: bool
    is_log: bool = False
    shift: int = 0
    is_evened: bool = False

    @property
    def text(self) -> str:
        """The ends, and the step where it says something."""
        is_plain = self.step == (1 if self.is_whole else 0) and not self.is_evened
        return f"{self.low}..{self.high}" + ("" if is_plain else f"+{self.step}")

    @property
    def distribution(self) -> BaseDistribution:
        """Whole numbers or real ones."""
        if not self.is_whole:
            return FloatDistribution(self.low, self.high, log=self.is_log, step=self.step or None)
        low, high = int(self.low) + self.shift, int(self.high) + self.shift
        return IntDistribution(low, high, log=self.is_log, step=1 if self.is_log else int(self.step))

    def holds(self, value: Any) -> bool:
        """Say whether the number is between the ends and on a step."""
        if isinstance(value, bool) or not isinstance(value, int | float) or not self.low <= value <= self.high:
            return False
        return abs(self.nearest(value) - value) <= _ON_STEP * self.step

    def nearest(self, value: Any) -> int | float:
        """Return the nearest number on a step."""
        inside = min(max(value, self.low), self.high)
        if not self.step:
            return float(inside)
        return self._on_step(round((inside - self.low) / self.step))

    def encoded(self, value: Any) -> int | float:
        """Shift it."""
        found: int | float = value + self.shift
        return found

    def decoded(self, drawn: Any) -> int | float:
        """Shift it back, and write what was drawn on a step as people do: 0.3, not 0.30000000000000004."""
        return self.nearest(drawn - self.shift) if self.step else float(drawn)

    def _on_step(self, number: int) -> int | float:
        if self.is_whole:
            return int(self.low) + number * int(self.step)
        return float(Decimal(str(self.low)) + number * Decimal(str(self.step)))


@dataclass(frozen=True)
class Values:
    """Some values, at least two.

    Attributes:
        values: in the order of the parameter's range.
        is_ordered: whether this order is a scale.
    """

    values: tuple[Value, ...]
    is_ordered: bool

    @property
    def text(self) -> str:
        """The values, with commas between."""
        return ",".join(map(value_text, self.values))

    @property
    def distribution(self) -> BaseDistribution:
        """Choices."""
        return CategoricalDistribution(self.values)

    def holds(self, value: Any) -> bool:
        """Say whether it is one of the values."""
        return value in self.values

    def nearest(self, value: Any) -> Value:
        """Return the value itself, the nearest number, or the first of what has no distances."""
        numbers = [one for one in self.values if isinstance(one, int | float)]
        if value in self.values or len(numbers) < len(self.values) or not isinstance(value, int | float):
            return value if value in self.values else self.values[0]
        return min(numbers, key=lambda one: abs(one - value))

    def encoded(self, value: Any) -> Value:
        """Return it as the choice that it equals."""
        return self.values[self.values.index(value)]

    def decoded(self, drawn: Any) -> Value:
        """Return it as it is."""
        return self.encoded(drawn)


def value_text(value: object) -> str:
    """Return a value as people write it where commas separate values.

    >>> value_text(True), value_text("rank"), value_text("score_win:bonus=5")
    ('true', 'rank', '(score_win:bonus=5)')
    """
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return f"({text})" if any(letter in text for letter in ",=:(") else text


def shown(text: str) -> str:
    """Return a spec, or a value, as people read it: real numbers to four digits, and lines break after commas.

    >>> shown("mcts:k=0.1668100537200059,fpu=1000.0")
    'mcts:k=0.1668, fpu=1000.0'
    """
    return _LONG.sub(lambda found: _rounded(float(found[0])), text).replace(",", ", ")


def _rounded(number: float) -> str:
    return f"{number:.4g}" if abs(number) < 1e4 else f"{number:.0f}"


def whole_range(dimension: Dimension) -> Range | None:
    """Return all that a parameter may be; None where that is not declared: what specs there are depends on the game."""
    if isinstance(dimension, Integer):
        return _interval(dimension, dimension.low, dimension.high)
    if isinstance(dimension, Real):
        return _interval(dimension, float(dimension.low), float(dimension.high))
    if isinstance(dimension, Choice):
        return Values(dimension.options, dimension.ordered)
    return Values((False, True), False) if isinstance(dimension, Flag) else None


def read_range(dimension: Dimension, texts: Sequence[str], read: Callable[[str], Value] | None = None) -> Range:
    """Read what follows ``name=``: one range, or values.

    Args:
        dimension: the parameter.
        texts: what commas separate.
        read: reads one value; by default as the parameter does.

    Raises:
        ParameterError: it is no range of this parameter, is empty or inverted, or reaches beyond what is declared.
    """
    if isinstance(dimension, Integer | Real) and len(texts) == 1 and (ends := _ENDS.fullmatch(texts[0])):
        return _read_ends(dimension, texts[0], ends)
    values = [(read or dimension.read)(text) for text in texts]
    twice = next((text for text, value in zip(texts, values, strict=True) if values.count(value) > 1), None)
    if twice is not None:
        raise _refused(dimension, ",".join(texts), f"where {twice} is named twice; name it once")
    if len(values) == 1:
        raise _single(dimension, values[0])
    if isinstance(dimension, Choice):
        return Values(tuple(sorted(values, key=dimension.options.index)), dimension.ordered)
    is_number = isinstance(dimension, Integer | Real)
    return Values(tuple(values if isinstance(dimension, SpecOf) else sorted(values, key=float)), is_number)


def _read_ends(dimension: Integer | Real, text: str, ends: re.Match[str]) -> Range:
    low: Any = dimension.read(ends["low"])
    high: Any = dimension.read(ends["high"])
    if low > high:
        right = f"{ends['high']}..{ends['low']}{ends['sign'] or ''}{ends['by'] or ''}"
        raise _refused(dimension, text, f"which is inverted; did you mean {right!r}?")
    if low == high:
        raise _single(dimension, low)
    if ends["sign"] is None:
        return _interval(dimension, low, high)
    if ends["sign"] == "x":
        return Values(tuple(_grown(dimension, text, ends)), True)
    return _stepped(dimension, text, ends)


def _stepped(dimension: Integer | Real, text: str, ends: re.Match[str]) -> Interval:
    """Return the numbers of ``low..high+step``, on an even scale whatever is declared."""
    low, high = Decimal(ends["low"]), Decimal(ends["high"])
    step = _by(dimension, text, ends["by"], "step", 0)
    if (high - low) % step:
        raise _unmet(dimension, text, f"steps of {step}", low + max((high - low) // step, Decimal(1)) * step)
    dimension.check(_number(dimension, low + step))  # the declared steps are kept
    first, last, by = (_number(dimension, number) for number in (low, high, step))
    return Interval(first, last, by, isinstance(dimension, Integer), is_evened=dimension.log_scale)


def _grown(dimension: Dimension, text: str, ends: re.Match[str]) -> list[Value]:
    """Return the numbers of ``low..highxfactor``."""
    low, high = Decimal(ends["low"]), Decimal(ends["high"])
    factor = _by(dimension, text, ends["by"], "factor", 1)
    if low <= 0:
        raise _refused(dimension, text, "which cannot grow by a factor; start above 0")
    found = [low]
    while found[-1] < high and len(found) <= _MOST_VALUES:
        found.append(found[-1] * factor)
    if len(found) > _MOST_VALUES:
        raise _refused(dimension, text, f"which has more than {_MOST_VALUES} values; did you mean {low}..{high}?")
    if found[-1] != high:
        raise _unmet(dimension, text, f"{factor}-fold steps", found[-2] if len(found) > 2 else found[-1])
    return [dimension.check(_number(dimension, value)) for value in found]


def _by(dimension: Dimension, text: str, by: str, kind: str, least: int) -> Decimal:
    """Read the step or factor of a range, which is above ``least``."""
    try:
        found = Decimal(by)
    except InvalidOperation:
        found = Decimal(0)
    is_whole = isinstance(dimension, Integer)
    if not found.is_finite() or found <= least or (is_whole and found % 1):
        right = f"a {'whole ' if is_whole else ''}number above {least}"
        raise ParameterError(f"{dimension.name} cannot be searched in {text!r}; the {kind} is {right}")
    return found


def _number(dimension: Dimension, value: Decimal) -> int | float:
    return int(value) if isinstance(dimension, Integer) else float(value)


def _interval(dimension: Any, low: Any, high: Any) -> Interval:
    """Return all numbers between two ends that a parameter may be, on the scale that it is declared with."""
    if isinstance(dimension, Real):
        return Interval(low, high, 0.0, False, dimension.log_scale)
    # Not the narrowed range's own: what was drawn from it is to be the same number in a wider one.
    shift = max(1 - dimension.low, 0) if dimension.log_scale else 0
    step = 1 if dimension.log_scale else dimension.step
    return Interval(low, high, step, True, dimension.log_scale, shift)


def _refused(dimension: Dimension, text: str, why: str) -> ParameterError:
    return ParameterError(f"{dimension.name} cannot be searched in {text!r}, {why}")


def _single(dimension: Dimension, value: object) -> ParameterError:
    fixed = f"{dimension.name}={value_text(value)}"
    return _refused(dimension, value_text(value), f"a single value; name two, or fix it in the spec: {fixed}")


def _unmet(dimension: Dimension, text: str, steps: str, near: Decimal) -> ParameterError:
    return _refused(dimension, text, f"whose end {steps} do not meet; the nearest that they do is {near}")
