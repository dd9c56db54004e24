"""Parameters: values of a game type, agent or heuristic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, Self

from mypy_extensions import mypyc_attr

from tag.engine.parameters.conditions import Value
from tag.engine.parameters.declarations import dimension_of
from tag.engine.parameters.dimensions import Dimension, SpecOf
from tag.engine.parameters.specs import parse_spec
from tag.engine.rng import Rng
from tag.engine.snapshot import field_values, guard, restored
from tag.errors import ParameterError, UnknownNameError

#: Parameters of agents that buy strength, or decide luck: tuners search them only if they are named.
COSTS: Final = frozenset({"budget", "budget_type", "episodes", "preset", "seed"})

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
        >>> from tag import flag, integer
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
