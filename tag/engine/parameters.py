"""Parameters of games and agents: their declarations, their ranges, and the text that sets them (specs)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from math import exp, isfinite, log
from pathlib import Path
from typing import Any, Final, Self

from mypy_extensions import mypyc_attr

from tag.engine.rng import Rng
from tag.engine.snapshot import field_values, guard, restored
from tag.engine.text_files import read_json
from tag.errors import ParameterError, SpecError, UnknownNameError

# --- specs: a name with parameters as text, ``mcts:budget=500,k=1.4`` ---------------------------------------------------
#
# A value may be a spec in parentheses, ``rhea:opponent=(mcts:budget=50)``, and ``()`` is the empty one. The name is that
# of a registry, a game's bot, ``diamant:threshold:carried=8``, or a path with a class, ``./my_agent.py:MyAgent:depth=3``.
# Specs are sent to workers, stored in the ledger and typed by people; safe in a shell, a file and a Parquet column alike.


#: The beginning of the names of games of OpenSpiel, ``open_spiel:kuhn_poker(players=3)``.
OPEN_SPIEL: Final = "open_spiel:"

_OPEN_SPIEL_NAME = re.compile(r"^(?P<name>open_spiel:[^:(]+(?:\(.*\))?)(?::(?P<rest>.*))?$", re.DOTALL)
#: The name of the agent that runs a program of the user's, as a word.
_PROGRAM = re.compile(r"(?<!\w)process(?!\w)")
#: The keys of a JSON file that holds a spec. Studies write more beside them, and this one with the spec as text.
_KEYS: Final = ("name", "parameters")
_WRITTEN: Final = "spec"
_NAME_WITH_COLON = re.compile(r"^(?P<name>[^=(]+?\.py(?::[A-Za-z_]\w*)?|\w+:[A-Za-z_][^:=(),\s]*)(?::(?P<rest>.*))?$")


@dataclass(frozen=True)
class Spec:
    """A name in a registry, ``game:bot`` or ``path.py:Class``, with the parameters that were given, as text or plain values.

    Examples:
        >>> spec = parse_spec("mcts:budget=500,k=1.4")
        >>> spec.name, spec.values
        ('mcts', {'budget': '500', 'k': '1.4'})
        >>> str(spec.with_value("budget", 1000))
        'mcts:budget=1000,k=1.4'
    """

    name: str
    values: dict[str, object] = field(default_factory=dict)

    def __reduce__(self) -> Any:
        """Pickle by the arguments of the constructor: fields of a frozen class cannot be set."""
        return (Spec, (self.name, self.values))

    def with_value(self, name: str, value: object) -> Spec:
        """Return this spec with one parameter more, or another value of it."""
        return Spec(self.name, {**self.values, name: value})

    def __str__(self) -> str:
        """Return the text form, which `parse_spec` reads back."""
        if not self.values:
            return self.name
        return f"{self.name}:{','.join(f'{key}={_value_text(value)}' for key, value in self.values.items())}"


def parse_spec(text: str) -> Spec:
    """Read ``name:key=value,…``, or the JSON file of that name with ``{"name": …, "parameters": {…}}``.

    Raises:
        SpecError: the text is no spec.
        DataError: the file cannot be read or is not JSON.
        UnknownNameError: the file has another key.

    Examples:
        >>> parse_spec("rhea:horizon=3,opponent=(mcts:budget=50,k=1)")
        Spec(name='rhea', values={'horizon': '3', 'opponent': 'mcts:budget=50,k=1'})
        >>> print(parse_spec("./my_agent.py:Mine:depth=3").with_value("width", 2))
        ./my_agent.py:Mine:depth=3,width=2
    """
    stripped = text.strip()
    if stripped.endswith(".json"):
        return _spec_from_file(Path(stripped))
    parts = _OPEN_SPIEL_NAME.match(stripped) or _NAME_WITH_COLON.match(stripped)
    name, _, rest = (parts["name"], "", parts["rest"] or "") if parts else stripped.partition(":")
    if not name or name.startswith(("=", ",")):
        raise SpecError(f"the spec {text!r} has no name; write name:key=value,key=value")
    pairs = [_pair(part, text) for part in _split(rest, text)]
    values: dict[str, object] = dict(pairs)
    if len(values) < len(pairs):
        twice = next(key for key in values if sum(key == other for other, _value in pairs) > 1)
        raise SpecError(f"the spec {text!r} sets {twice} more than once; leave all but one out")
    return Spec(name, values)


def names_program(text: str) -> bool:
    """Say whether a spec may have a program run, by the agent ``process``, which may also stand within it.

    It is asked of all that may come from others: saved games, models, agents in JSON files, visitors of pages.
    """
    return _PROGRAM.search(text) is not None


def _split(rest: str, text: str) -> list[str]:
    """Split at the commas that are not inside parentheses."""
    parts: list[str] = []
    depth = 0
    for letter in rest:
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            break
        if letter == "," and depth == 0:
            parts.append("")
        elif parts:
            parts[-1] += letter
        else:
            parts.append(letter)
    if depth:
        raise SpecError(f"the parentheses in the spec {text!r} do not match")
    return parts


def _pair(part: str, text: str) -> tuple[str, str]:
    key, equals, value = (piece.strip() for piece in part.partition("="))
    if not equals or not key or not value:
        raise SpecError(f"{part!r} in the spec {text!r} is not key=value")
    if value.startswith("(") and value.endswith(")"):
        value = value[1:-1].strip()
    return key, value


def _value_text(value: object) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return f"({text})" if not text or any(letter in text for letter in ",=:(") else text


def _spec_from_file(path: Path) -> Spec:
    content = read_json(path, "agent file")
    if not isinstance(content, dict) or not isinstance(content.get("name"), str):
        raise SpecError(f"the agent file {str(path)!r} has no 'name'")
    values = content.get("parameters", {})
    if not isinstance(values, dict):
        raise SpecError(f"'parameters' in the agent file {str(path)!r} is not an object")
    if _WRITTEN not in content:
        for key in content:
            if key not in _KEYS:
                raise UnknownNameError.of(f"key in the agent file {str(path)!r}", key, _KEYS)
    if names_program(json.dumps(content)):
        raise SpecError(
            f"the agent file {str(path)!r} names a program, which it may not do; name it in the spec itself"
        )
    return Spec(content["name"], values)


# --- dimensions: the range of one declared parameter, and how its values are read, checked and drawn --------------------


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

_KEY: Final = "dimension"
#: The largest bound of a range: numbers in compiled code and in ledgers have 64 bits.
_LARGEST: Final = float((1 << 63) - 1)
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
    """A whole number from ``low`` to ``high``, both included, in steps from ``low``."""

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


def _check_bounds(low: float, high: float, text: str) -> None:
    """Raise `ParameterError` where nothing can be drawn between two bounds."""
    if not (-_LARGEST <= low <= high <= _LARGEST):
        raise ParameterError(
            f"the range of the parameter {text!r} cannot be {low:g}..{high:g}; its bounds are finite numbers of at most "
            "64 bits, the lower one first"
        )


def _article(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


# --- declarations of the fields of `Parameters`; typed Any so that the field's own annotation holds ---------------------


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


def _declared(dimension: Dimension) -> Any:
    return field(default=dimension.default, metadata={_KEY: dimension})


def dimension_of(metadata: Any) -> Dimension | None:
    """Return the dimension in a dataclass field's metadata, if it was declared with one."""
    found: Dimension | None = metadata.get(_KEY)
    return found


#: Parameters of agents that buy strength, or decide luck: tuners search them only if they are named.
COSTS: Final = frozenset({"budget", "budget_type", "episodes", "preset", "seed"})

# --- parameters: values of a game type, agent or heuristic --------------------------------------------------------------

_SAMPLE_TRIES: Final = 10_000
#: The dimensions of each class, which check every instance.
_DECLARED: Final[dict[type, tuple[Dimension, ...]]] = {}


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass
class Parameters:
    """The base of all parameters: a dataclass whose fields are declared with `integer`, `real`, `choice`, `flag`.

        @dataclass
        class ConnectFourParameters(Parameters):
            width: int = integer(7, 1, 20, "columns")
            length: int = integer(4, 2, 10, "discs in a row that win")

    The search space of a tuner, the JSON form, the command line's help and the docs all follow from the declaration.

    An instance cannot be changed: games and agents share it. Override `check` for constraints between parameters. Making
    one with a value out of range raises `ParameterError`.

    Examples:
        >>> from dataclasses import dataclass
        >>> @dataclass
        ... class Rules(Parameters):
        ...     cards: int = integer(5, 1, 10, "cards in a hand")
        ...     open: bool = flag(False, "all hands are open")
        >>> Rules(cards=7)
        Rules(cards=7, open=False)
        >>> Rules(cards=11)
        Traceback (most recent call last):
            ...
        tag.errors.ParameterError: cards cannot be 11; the range is 1..10, the nearest value 10
    """

    def __post_init__(self) -> None:
        """Check every value and the constraints between them."""
        for dimension in self.dimensions():
            setattr(self, dimension.name, dimension.check(getattr(self, dimension.name)))
        self.check()
        self._is_checked = True

    def check(self) -> None:
        """Raise `ParameterError` where values do not fit each other; the default has no constraints."""

    @classmethod
    def dimensions(cls) -> tuple[Dimension, ...]:
        """Return the declared parameters in the order of their declaration; they are shared and must not be changed."""
        found = _DECLARED.get(cls)
        if found is None:
            declared = [(one.name, dimension_of(one.metadata)) for one in fields(cls)]
            found = tuple([dimension.named(name) for name, dimension in declared if dimension is not None])
            _DECLARED[cls] = found
        return found

    @classmethod
    def from_values(cls, values: Mapping[str, object]) -> Self:
        """Make the parameters from names and values; values given as text are read, the others are defaults.

        A dotted name, ``heuristic.bonus``, sets a parameter of the spec that the parameter before the dot is.
        """
        return cls._from_values(values)

    @classmethod
    def _from_values(cls, values: Mapping[str, object]) -> Self:
        """Make the parameters for `from_values` of all classes: compiled, ``super`` does not work in a class method."""
        known = {dimension.name: dimension for dimension in cls.dimensions()}
        read: dict[str, Any] = {}
        for name in sorted(values, key=_depth):  # a spec before the parameters set in it
            value = values[name]
            outer, _, inner = name.partition(".")
            dimension = known.get(outer)
            if dimension is None or (inner and not isinstance(dimension, SpecOf)):
                raise UnknownNameError.of("parameter", name, known)
            if inner:
                read[outer] = str(parse_spec(str(read.get(outer, dimension.default))).with_value(inner, value))
            else:
                read[name] = dimension.read(value) if isinstance(value, str) else value
        return cls(**read)

    @classmethod
    def sample(cls, rng: Rng) -> Self:
        """Draw parameters at random from the whole search space, keeping the constraints."""
        for _try in range(_SAMPLE_TRIES):
            drawn: dict[str, Any] = {dimension.name: dimension.sample(rng) for dimension in cls.dimensions()}
            try:
                return cls(**drawn)
            except ParameterError:
                continue
        raise ParameterError(f"{cls.__name__} has constraints that {_SAMPLE_TRIES} random draws did not meet")

    def values(self) -> dict[str, Value]:
        """Return all parameters by name: the JSON form."""
        return {dimension.name: getattr(self, dimension.name) for dimension in self.dimensions()}

    def own_files(self) -> list[str]:
        """Return the files that the described thing consists of, beside its own and those of `file_name` parameters."""
        return []

    def changes(self) -> dict[str, Value]:
        """Return the parameters that differ from their defaults, by name."""
        values = self.values()
        return {d.name: values[d.name] for d in self.dimensions() if values[d.name] != d.default}

    def __reduce__(self) -> Any:
        """Pickle by fields (mypyc's own pickling loses those of interpreted subclasses)."""
        return (_restored, (type(self), field_values(self)))


def _is_checked(thing: Any) -> bool:
    return bool(getattr(thing, "_is_checked", False))


guard(Parameters, _is_checked)


def _restored(cls: Any, values: dict[str, Any]) -> Any:
    """Return parameters with the fields ``values``; the mark that they are checked comes last."""
    last = {name: value for name, value in values.items() if name == "_is_checked"}
    return restored(cls, {name: value for name, value in values.items() if name not in last} | last)


def _depth(name: str) -> int:
    return name.count(".")
