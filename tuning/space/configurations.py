"""Configurations: points of a search space as Optuna's trials hold them, drawn and changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import exp, log
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt
from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution

from tag.engine.parameters import Condition

if TYPE_CHECKING:
    from optuna.trial import Trial

# Configurations: points of a search space as Optuna's trials hold them, drawn, changed a little, and made well-formed.
#
# A configuration is a dictionary from names to values. Parameters without an effect beside the others (the size of a
# tournament without tournaments) are left out. So configurations that play the same are equal.


Configuration = dict[str, Any]
Conditions = Mapping[str, Condition]

#: Draws without a valid configuration after which a space counts as empty.
_TRIES: Final = 10_000
#: Greatest small change of a number, as a share of its range.
_NEAR: Final = 0.12
#: Levels have at most so many digits; the last two digits of floats are rounding errors.
_DIGITS: Final = 14
#: Probability that a changed number moves a little instead of being drawn anew.
_LOCAL: Final = 0.6


def key_of(configuration: Configuration) -> tuple[tuple[str, Any], ...]:
    """Return a key that is the same for equal configurations, whatever the order of their parameters."""
    return tuple(sorted(configuration.items()))


class Configurations:
    """Set of all configurations of a search space.

    Attributes:
        distributions: the parameters by name.
        conditions: by name, another parameter and the values of it with which a parameter has an effect; the
            others always have one.
        ordered: the categorical parameters whose choices are a scale.
    """

    def __init__(
        self,
        distributions: Mapping[str, BaseDistribution],
        conditions: Conditions | None = None,
        ordered: frozenset[str] = frozenset(),
        is_valid: Callable[[Configuration], bool] | None = None,
    ) -> None:
        """Take the parameters, the conditions for their effects, and ``is_valid``, a test of configurations."""
        self.distributions = dict(distributions)
        self.conditions = dict(conditions or {})
        self.ordered = ordered
        self.is_valid = is_valid or _anything

    def active(self, values: Mapping[str, Any]) -> Configuration:
        """Return the ``values`` that have an effect beside the others."""
        return {name: values[name] for name in self.distributions if name in values and self._is_active(name, values)}

    def suggest(self, trial: Trial) -> Configuration:
        """Return the configuration of a trial of Optuna's, which is asked only for parameters with an effect."""
        found: Configuration = {}
        for name in sorted(self.distributions, key=self._depth):
            if self._is_active(name, found):
                found[name] = _suggested(trial, name, self.distributions[name])
        return found

    def among(self, values: Mapping[str, Sequence[Any]]) -> Iterator[Configuration]:
        """Return all valid configurations whose parameters have some of these ``values``, each once."""
        names = sorted(self.distributions, key=self._depth)

        def grown(found: Configuration, depth: int) -> Iterator[Configuration]:
            if depth == len(names):
                yield found
            elif self._is_active(names[depth], found):
                for value in values[names[depth]]:
                    yield from grown({**found, names[depth]: value}, depth + 1)
            else:
                yield from grown(found, depth + 1)

        return filter(self.is_valid, grown({}, 0))

    def draw(self, rng: np.random.Generator) -> Configuration:
        """Draw a valid configuration, each parameter uniformly or log-uniformly; `ValueError` where no draw is valid."""
        for _try in range(_TRIES):
            found = self.active({name: draw(kind, rng) for name, kind in self.distributions.items()})
            if self.is_valid(found):
                return found
        raise ValueError(f"none of {_TRIES:,} random configurations is valid")

    def neighbour(self, values: Mapping[str, Any], rng: np.random.Generator) -> Configuration:
        """Return a valid configuration that differs from ``values`` in few parameters, numbers often by little only."""
        for _try in range(_TRIES):
            found = self.active(self._changed(values, rng))
            if self.is_valid(found):
                return found
        return dict(values)

    def around(
        self, values: Mapping[str, Any], levels: Mapping[str, Sequence[Any]], rest: Mapping[str, Any]
    ) -> Iterator[tuple[str, Any, Configuration]]:
        """Yield the valid configurations that differ from ``values`` in one parameter: its name, its value and all of it.

        Each parameter is given its ``levels``; ``rest`` has values of parameters without an effect that the change
        gives one.
        """
        for name in filter(values.__contains__, self.distributions):
            for level in levels[name]:
                found = self.active({**rest, **values, name: level})
                if level != values[name] and self.is_valid(found):
                    yield name, level, found

    def _changed(self, values: Mapping[str, Any], rng: np.random.Generator) -> Configuration:
        names = list(self.distributions)
        chosen = rng.random(len(names)) < 1.0 / len(names)
        if not chosen.any():
            chosen[rng.integers(len(names))] = True
        found: Configuration = {}
        for name, is_chosen in zip(names, chosen, strict=True):
            kind = self.distributions[name]
            if name not in values:
                found[name] = draw(kind, rng)
            elif not is_chosen:
                found[name] = values[name]
            elif isinstance(kind, CategoricalDistribution) or rng.random() >= _LOCAL:
                found[name] = draw(kind, rng)
            else:
                found[name] = from_unit(kind, to_unit(kind, values[name]) + rng.uniform(-_NEAR, _NEAR))
        return found

    def _depth(self, name: str) -> int:
        """Return the number of parameters that decide whether a parameter has an effect."""
        return 1 + self._depth(self.conditions[name][0]) if name in self.conditions else 0

    def _is_active(self, name: str, values: Mapping[str, Any]) -> bool:
        if name not in self.conditions:
            return True
        parent, wanted = self.conditions[name]
        return values.get(parent) in wanted and self._is_active(parent, values)


def _suggested(trial: Trial, name: str, kind: Any) -> Any:
    if isinstance(kind, CategoricalDistribution):
        return trial.suggest_categorical(name, kind.choices)
    if isinstance(kind, IntDistribution):
        return trial.suggest_int(name, kind.low, kind.high, step=kind.step, log=kind.log)
    return trial.suggest_float(name, kind.low, kind.high, step=kind.step, log=kind.log)


def draw(kind: BaseDistribution, rng: np.random.Generator) -> Any:
    """Draw a value of a distribution as a plain Python value."""
    if isinstance(kind, CategoricalDistribution):
        return kind.choices[int(rng.integers(len(kind.choices)))]
    if isinstance(kind, IntDistribution) and not kind.log:
        return kind.low + kind.step * int(rng.integers((kind.high - kind.low) // kind.step + 1))
    return from_unit(kind, rng.random())


def levels_of(kind: BaseDistribution, most: int) -> list[Any]:
    """Return values that represent the range of a parameter: every choice, or ``most`` numbers, evenly over the scale.

    >>> from optuna.distributions import CategoricalDistribution, FloatDistribution
    >>> levels_of(FloatDistribution(0.0, 1.0), 3), levels_of(CategoricalDistribution(["a", "b"]), 3)
    ([0.0, 0.5, 1.0], ['a', 'b'])
    """
    if isinstance(kind, CategoricalDistribution):
        return list(kind.choices)
    numbers = {from_unit(kind, place) for place in np.linspace(0.0, 1.0, most).tolist()}
    return sorted({_without_noise(kind, number) for number in numbers})


def _without_noise(kind: Any, number: float) -> float:
    """Return a number without rounding error: 0.3, not 0.30000000000000004."""
    if isinstance(kind, IntDistribution):
        return number
    return float(min(max(float(f"{number:.{_DIGITS}g}"), kind.low), kind.high))


def to_unit(kind: Any, value: float) -> float:
    """Return where a number lies in its range, 0 to 1, on a logarithmic scale where the distribution has one.

    >>> from optuna.distributions import FloatDistribution
    >>> to_unit(FloatDistribution(0.0, 10.0), 2.5), round(to_unit(FloatDistribution(0.1, 10.0, log=True), 1.0), 6)
    (0.25, 0.5)
    >>> from_unit(FloatDistribution(0.0, 10.0), 0.25)
    2.5
    """
    low, high = _bounds(kind)
    place = log(max(value, 1e-300)) if _is_log(kind) else value
    return min(max((place - low) / (high - low), 0.0), 1.0) if high > low else 0.0


def to_units(kind: Any, values: Sequence[float | None]) -> npt.NDArray[np.float64]:
    """Return `to_unit` of many numbers, shape (values,); None becomes NaN."""
    if _is_log(kind):  # numpy's logarithms may differ in the last digit
        return np.array([np.nan if value is None else to_unit(kind, value) for value in values], dtype=np.float64)
    low, high = _bounds(kind)
    numbers = np.array(values, dtype=np.float64)
    if high <= low:
        return np.where(np.isnan(numbers), np.nan, 0.0)
    found: npt.NDArray[np.float64] = np.clip((numbers - low) / (high - low), 0.0, 1.0)
    return found


def from_unit(kind: Any, place: float) -> Any:
    """Return the number of a distribution nearest to a place in its range; the inverse of `to_unit`."""
    low, high = _bounds(kind)
    inside = min(max(place, 0.0), 1.0)
    value = low + inside * (high - low)
    value = exp(value) if _is_log(kind) else value
    if isinstance(kind, IntDistribution):
        steps = round((value - kind.low) / kind.step)
        return min(max(kind.low + kind.step * int(steps), kind.low), kind.high)
    if kind.step is not None:
        value = kind.low + kind.step * round((value - kind.low) / kind.step)
    return float(min(max(value, kind.low), kind.high))


def _bounds(kind: Any) -> tuple[float, float]:
    """Return the ends of the scale that a number is drawn from evenly; those of whole numbers reach half a step out."""
    low, high = float(kind.low), float(kind.high)
    if isinstance(kind, IntDistribution) and kind.log:
        low, high = low - 0.5, high + 0.5
    return (log(low), log(high)) if kind.log else (low, high)


def _is_log(kind: Any) -> bool:
    return isinstance(kind, IntDistribution | FloatDistribution) and kind.log


def _anything(_configuration: Configuration) -> bool:
    return True
