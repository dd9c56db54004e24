"""Ranges: the searched values of one parameter, as users write them and as Optuna stores them.

2..12      all values from one to the other, on the declared scale of the parameter
2..12+2    in steps: 2, 4, … 12
2..32x2    by a factor: 2, 4, 8, 16, 32
1,3,10     these values, in the order of the parameter's range
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution

from tag.engine.parameters import (
    Choice,
    Dimension,
    Flag,
    Integer,
    MoreThan,
    OtherThan,
    Real,
    SpecOf,
    Text,
    Value,
    Wanted,
)
from tag.errors import ParameterError

_ENDS: Final = re.compile(r"(?P<low>.+?)\.\.(?P<high>[^x]+?)(?:(?P<sign>x|(?<![eE])\+)(?P<by>.+))?")
#: Real numbers with many digits.
_LONG: Final = re.compile(r"(?<![\w.])\d+\.\d{4,}(?:e[-+]?\d+)?")
#: Distance within which a number counts as on a step, as a share of the step: sums of floats are not exact.
_ON_STEP: Final = 1e-6
#: Most values of a list; more are a range.
_MOST_VALUES: Final = 1_000


@dataclass(frozen=True)
class NumberRange:
    """Numbers from ``low`` to ``high``, both included.

    Attributes:
        step: between numbers; 0 for all real ones.
        shift: the offset of whole numbers in Optuna, which has no logarithmic ranges from 0.
        is_evened: whether steps replace a declared logarithmic scale by an even one.
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
        """The ends, and the step if it is needed."""
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
        """Shift a value to the range of Optuna's distribution."""
        found: int | float = value + self.shift
        return found

    def decoded(self, drawn: Any) -> int | float:
        """Shift a drawn value back, and round numbers on a step as people write them: 0.3, not 0.30000000000000004."""
        return self.nearest(drawn - self.shift) if self.step else float(drawn)

    def matching(self, wanted: Wanted) -> Wanted:
        """Return the part of ``wanted`` in the range, as stored by Optuna; an empty tuple if there is none."""
        if isinstance(wanted, MoreThan):
            return MoreThan(wanted.low + self.shift) if self.high > wanted.low else ()
        if isinstance(wanted, OtherThan):
            return OtherThan(self.encoded(wanted.excluded)) if self.holds(wanted.excluded) else wanted
        return tuple(self.encoded(value) for value in wanted if self.holds(value))

    def _on_step(self, number: int) -> int | float:
        if self.is_whole:
            return int(self.low) + number * int(self.step)
        return float(Decimal(str(self.low)) + number * Decimal(str(self.step)))


@dataclass(frozen=True)
class Values:
    """At least two values, in the order of the parameter's range, which is a scale or not."""

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
        """Say whether ``value`` is one of the values."""
        return value in self.values

    def nearest(self, value: Any) -> Value:
        """Return the value itself, the nearest number, or the first of values without distances."""
        numbers = [one for one in self.values if isinstance(one, int | float)]
        if value in self.values or len(numbers) < len(self.values) or not isinstance(value, int | float):
            return value if value in self.values else self.values[0]
        return min(numbers, key=lambda one: abs(one - value))

    def encoded(self, value: Any) -> Value:
        """Return the choice that equals ``value``."""
        return self.values[self.values.index(value)]

    def decoded(self, drawn: Any) -> Value:
        """Return the drawn choice."""
        return self.encoded(drawn)

    def matching(self, wanted: Wanted) -> tuple[Value, ...]:
        """Return the values that are ``wanted``."""
        return tuple(value for value in self.values if value in wanted)


#: Values of one parameter that are searched. Read back, the text of a range is the same range; Optuna stores ``encoded``
#: values, and ``decoded`` is the inverse.
Range = NumberRange | Values


def value_text(value: object) -> str:
    """Return a value as people write it where commas separate values.

    >>> value_text(True), value_text("rank"), value_text("score_win:bonus=5")
    ('true', 'rank', '(score_win:bonus=5)')
    """
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return f"({text})" if any(letter in text for letter in ",=:(") else text


def shown(text: str) -> str:
    """Return a spec, or a value, as people read it: real numbers to four digits, with line breaks possible after commas.

    >>> shown("mcts:k=0.1668100537200059,fpu=1000.0")
    'mcts:k=0.1668, fpu=1000.0'
    """
    return _LONG.sub(lambda found: _rounded(float(found[0])), text).replace(",", ", ")


def _rounded(number: float) -> str:
    return f"{number:.4g}" if abs(number) < 1e4 else f"{number:.0f}"


def whole_range(dimension: Dimension) -> Range | None:
    """Return the whole range of a parameter; None if it is not declared, as for specs that depend on the game."""
    if isinstance(dimension, Integer):
        return _interval(dimension, dimension.low, dimension.high)
    if isinstance(dimension, Real):
        return _interval(dimension, float(dimension.low), float(dimension.high))
    if isinstance(dimension, Choice):
        return Values(dimension.options, dimension.ordered)
    return Values((False, True), False) if isinstance(dimension, Flag) else None


def read_range(dimension: Dimension, texts: Sequence[str], read: Callable[[str], Value] | None = None) -> Range:
    """Read the text after ``name=``: one range, or values, each read by ``read`` or else as the parameter does.

    >>> from tag import make_agent
    >>> kinds = {one.name: one for one in type(make_agent("mcts").parameters).dimensions()}
    >>> read_range(kinds["k"], ["0.5..2"]).text
    '0.5..2.0'
    >>> read_range(kinds["rollout_length"], ["1..16x2"]).text
    '1,2,4,8,16'

    Raises:
        ParameterError: it is no range of this parameter, is empty or inverted, or reaches beyond the declared range.
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
    return Values(tuple(values if isinstance(dimension, SpecOf | Text) else sorted(values, key=float)), is_number)


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


def _stepped(dimension: Integer | Real, text: str, ends: re.Match[str]) -> NumberRange:
    """Return the numbers of ``low..high+step``, on an even scale, independently of the declared one."""
    low, high = Decimal(ends["low"]), Decimal(ends["high"])
    step = _by(dimension, text, ends["by"], "step", 0)
    if (high - low) % step:
        raise _unmet(dimension, text, f"steps of {step}", low + max((high - low) // step, Decimal(1)) * step)
    dimension.check(_number(dimension, low + step))  # the declared steps are kept
    first, last, by = (_number(dimension, number) for number in (low, high, step))
    return NumberRange(first, last, by, isinstance(dimension, Integer), is_evened=dimension.log_scale)


def _grown(dimension: Dimension, text: str, ends: re.Match[str]) -> list[Value]:
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


def _interval(dimension: Any, low: Any, high: Any) -> NumberRange:
    """Return all numbers between two ends that a parameter may be, on the scale that it is declared with."""
    if isinstance(dimension, Real):
        return NumberRange(low, high, 0.0, False, dimension.log_scale)
    # Not the narrowed range's own: a number drawn from it must be the same in a wider range.
    shift = max(1 - dimension.low, 0) if dimension.log_scale else 0
    step = 1 if dimension.log_scale else dimension.step
    return NumberRange(low, high, step, True, dimension.log_scale, shift)


def _refused(dimension: Dimension, text: str, why: str) -> ParameterError:
    return ParameterError(f"{dimension.name} cannot be searched in {text!r}, {why}")


def _single(dimension: Dimension, value: object) -> ParameterError:
    fixed = f"{dimension.name}={value_text(value)}"
    return _refused(dimension, value_text(value), f"a single value; name two, or fix it in the spec: {fixed}")


def _unmet(dimension: Dimension, text: str, steps: str, near: Decimal) -> ParameterError:
    return _refused(dimension, text, f"whose end {steps} do not meet; the nearest that they do is {near}")
