"""Dimensions: the range of one declared parameter, and how its values are read, checked and drawn."""

from __future__ import annotations

from copy import copy
from difflib import get_close_matches
from math import exp, isfinite, log
from typing import Any, Final

from mypy_extensions import mypyc_attr

from tag.engine.parameters.conditions import Condition, Value
from tag.engine.rng import Rng
from tag.errors import ParameterError

_TRUE: Final = ("true", "yes", "on", "1")
_FALSE: Final = ("false", "no", "off", "0")


@mypyc_attr(allow_interpreted_subclasses=True)
class Dimension:
    """One tunable parameter: its name, default, range and meaning.

    Attributes:
        name: the field's name; dotted below a parameter that is a spec itself (``heuristic.weight``).
        default: the default value.
        text: one sentence for help, tables and docs.
        active_if: the name of another parameter and the values of it under which this one has an effect, or None.
    """

    kind = "value"

    def __init__(self, default: Value, text: str, active_if: Condition | None) -> None:
        """Declare the default and meaning; the name is the field's and is set by `Parameters`."""
        self.name = ""
        self.default: Value = default
        self.text = text
        self.active_if = active_if

    def read(self, text: str) -> Value:
        """Return the value that ``text`` stands for, or raise `ParameterError`."""
        raise NotImplementedError

    def check(self, value: Any) -> Value:
        """Return ``value`` as the dimension's type, or raise `ParameterError` naming the nearest right one."""
        raise NotImplementedError

    def sample(self, rng: Rng) -> Value:
        """Draw a value, uniformly (or log-uniformly) over the range."""
        raise NotImplementedError

    def range_text(self) -> str:
        """Return the range for people: ``1..30``."""
        raise NotImplementedError

    def is_active(self, values: dict[str, Value]) -> bool:
        """Say whether the parameter has an effect beside the other ``values``."""
        if self.active_if is None:
            return True
        name, when = self.active_if
        return values.get(name) in when

    def named(self, name: str) -> Dimension:
        """Return the same dimension under another name."""
        found = copy(self)
        found.name = name
        return found

    def refuse(self, value: object, right: str) -> ParameterError:
        """Return the error for ``value``; ``right`` describes the right values."""
        return ParameterError(f"{self.name} cannot be {value!r}; {right}")


@mypyc_attr(allow_interpreted_subclasses=True)
class Integer(Dimension):
    """A whole number from ``low`` to ``high``, both included, in steps from ``low``.

    A default outside of the range stands for a value that is found elsewhere, and may be given as well.
    """

    kind = "int"

    def __init__(
        self,
        default: int,
        low: int,
        high: int,
        text: str,
        log_scale: bool,
        step: int,
        active_if: Condition | None,
    ) -> None:
        """Declare the range; ``log_scale`` is how tuners should search it."""
        super().__init__(default, text, active_if)
        self.low = low
        self.high = high
        self.log_scale = log_scale
        self.step = step

    def read(self, text: str) -> Value:
        """Read a whole number."""
        try:
            return self.check(int(text))
        except ValueError:
            raise self.refuse(text, f"it is a whole number in {self.range_text()}") from None

    def check(self, value: Any) -> Value:
        """Check type, range and step."""
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.refuse(value, f"it is a whole number in {self.range_text()}")
        if value == self.default:
            return value
        if not self.low <= value <= self.high:
            near = min(max(value, self.low), self.high)
            raise self.refuse(value, f"the range is {self.range_text()}, the nearest value {near}")
        if (value - self.low) % self.step:
            near = self.low + (value - self.low) // self.step * self.step
            raise self.refuse(value, f"it goes in steps of {self.step}, the nearest value is {near}")
        return value

    def sample(self, rng: Rng) -> Value:
        """Draw uniformly, or log-uniformly."""
        if self.log_scale:
            shift = max(1 - self.low, 0)  # a range from 0 is drawn like one from 1
            low, high = log(self.low + shift - 0.5), log(self.high + shift + 0.5)
            return min(max(round(exp(low + rng.uniform() * (high - low))) - shift, self.low), self.high)
        return self.low + int(rng.below((self.high - self.low) // self.step + 1)) * self.step

    def range_text(self) -> str:
        """Return ``low..high``."""
        return f"{self.low}..{self.high}" + (f" step {self.step}" if self.step != 1 else "")


@mypyc_attr(allow_interpreted_subclasses=True)
class Real(Dimension):
    """A number from ``low`` to ``high``, both included."""

    kind = "float"

    def __init__(
        self,
        default: float,
        low: float,
        high: float,
        text: str,
        log_scale: bool,
        active_if: Condition | None,
    ) -> None:
        """Declare the range; ``log_scale`` is how tuners should search it."""
        super().__init__(default, text, active_if)
        self.low = low
        self.high = high
        self.log_scale = log_scale

    def read(self, text: str) -> Value:
        """Read a number."""
        try:
            return self.check(float(text))
        except ValueError:
            raise self.refuse(text, f"it is a number in {self.range_text()}") from None

    def check(self, value: Any) -> Value:
        """Check type and range."""
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not isfinite(value):
            raise self.refuse(value, f"it is a number in {self.range_text()}")
        if not self.low <= value <= self.high:
            near = min(max(float(value), self.low), self.high)
            raise self.refuse(value, f"the range is {self.range_text()}, the nearest value {near:g}")
        return float(value)

    def sample(self, rng: Rng) -> Value:
        """Draw uniformly, or log-uniformly."""
        if self.log_scale:
            return exp(log(self.low) + rng.uniform() * (log(self.high) - log(self.low)))
        return self.low + rng.uniform() * (self.high - self.low)

    def range_text(self) -> str:
        """Return ``low..high``."""
        return f"{self.low:g}..{self.high:g}"


@mypyc_attr(allow_interpreted_subclasses=True)
class Choice(Dimension):
    """One of a few values; ``ordered`` ones are searched as a scale."""

    kind = "choice"

    def __init__(
        self,
        default: Value,
        options: tuple[Value, ...],
        text: str,
        ordered: bool,
        active_if: Condition | None,
    ) -> None:
        """Declare the options."""
        super().__init__(default, text, active_if)
        self.options = options
        self.ordered = ordered

    def read(self, text: str) -> Value:
        """Find the option that is written like ``text``."""
        for option in self.options:
            if str(option) == text:
                return option
        return self.check(text)

    def check(self, value: Any) -> Value:
        """Check that ``value`` is one of the options."""
        for option in self.options:
            if option == value and isinstance(value, bool) == isinstance(option, bool):
                return option
        close = get_close_matches(str(value), [str(option) for option in self.options], n=1, cutoff=0.4)
        raise self.refuse(value, f"did you mean {close[0]!r}?" if close else f"it is one of {self.range_text()}")

    def sample(self, rng: Rng) -> Value:
        """Draw one of the options."""
        return self.options[rng.below(len(self.options))]

    def range_text(self) -> str:
        """Return the options with bars between."""
        return " | ".join([str(option) for option in self.options])


@mypyc_attr(allow_interpreted_subclasses=True)
class Flag(Dimension):
    """True or false."""

    kind = "bool"

    def read(self, text: str) -> Value:
        """Read true/false, yes/no, on/off, 1/0."""
        if text.lower() in _TRUE:
            return True
        if text.lower() in _FALSE:
            return False
        raise self.refuse(text, "it is true or false")

    def check(self, value: Any) -> Value:
        """Check the type."""
        if not isinstance(value, bool):
            raise self.refuse(value, "it is true or false")
        return value

    def sample(self, rng: Rng) -> Value:
        """Toss a coin."""
        return bool(rng.below(2))

    def range_text(self) -> str:
        """Return both values."""
        return "true | false"


@mypyc_attr(allow_interpreted_subclasses=True)
class SpecOf(Dimension):
    """A spec of another registry, such as a heuristic or an agent, with parameters of its own."""

    kind = "spec"

    def __init__(self, registry: str, default: str, text: str, active_if: Condition | None = None) -> None:
        """Declare which ``registry`` (heuristic, agent) the spec is looked up in."""
        super().__init__(default, text, active_if)
        self.registry = registry

    def read(self, text: str) -> Value:
        """Keep the text; it is resolved where it is used."""
        return self.check(text)

    def check(self, value: Any) -> Value:
        """Check the type."""
        if not isinstance(value, str) or not value:
            raise self.refuse(value, f"it is the spec of {_article(self.registry)}")
        return value

    def sample(self, rng: Rng) -> Value:
        """Return the default: other specs depend on the game."""
        return self.default

    def range_text(self) -> str:
        """Return the kind of spec."""
        return f"spec of {_article(self.registry)}"


@mypyc_attr(allow_interpreted_subclasses=True)
class Text(Dimension):
    """Words, as people write them; parentheses in them match, so that a spec can hold them."""

    kind = "text"

    def read(self, text: str) -> Value:
        """Take the words as they are."""
        return self.check(text)

    def check(self, value: Any) -> Value:
        """Check the type and the parentheses, and drop spaces at either end."""
        if not isinstance(value, str):
            raise self.refuse(value, "it is text")
        depth = 0
        for letter in value:
            depth += (letter == "(") - (letter == ")")
            if depth < 0:
                break
        if depth:
            raise self.refuse(value, "its parentheses do not match")
        return value.strip()

    def sample(self, rng: Rng) -> Value:
        """Return the default: no range lists other texts."""
        return self.default

    def range_text(self) -> str:
        """Return a description of the expected text."""
        return "text"


@mypyc_attr(allow_interpreted_subclasses=True)
class FileName(Text):
    """The name of a file whose content decides games, empty for none; tuners leave it alone."""

    kind = "file"

    def range_text(self) -> str:
        """Return a description of the expected text."""
        return "name of a file"


def _article(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"
