"""Estimates along one parameter or two, for figures.

The model in the report: values along one parameter and over two, with all others as recommended.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd
from optuna.distributions import CategoricalDistribution

from tag.tournaments.reports.sections.section import number
from tag.tournaments.statistics.intervals import HALF_WIDTH, Floats
from tag.tuning.reports.findings.changes import PathStep
from tag.tuning.reports.findings.effects import grid
from tag.tuning.reports.findings.findings import Findings
from tag.tuning.space import SearchSpace
from tag.tuning.space.configurations import Configuration, to_unit
from tag.tuning.space.ranges import value_text

#: So many values of a parameter there are in a slice and on each side of a map.
_SLICE_POINTS: Final = 33
_SIDE: Final = 12


@dataclass(frozen=True, eq=False)
class ParameterMap:
    """Values over two parameters, all others as recommended.

    Attributes:
        texts: the values of the parameters, as people write them.
        values: shape (of the first, of the second), nan where the two are not valid together or one has no effect.
        recommended: the cell nearest to the recommendation.
        default: that nearest to the default; None where that is not on the map.
    """

    parameters: tuple[str, str]
    texts: tuple[list[str], list[str]]
    values: Floats
    recommended: tuple[int, int]
    default: tuple[int, int] | None


def with_band(points: pd.DataFrame, deviations: Floats | pd.Series, bounds: tuple[float, float]) -> pd.DataFrame:
    """Return points with low and high, the ends of their 95 % bands, cut at the least and the greatest possible value.

    >>> with_band(pd.DataFrame({"value": [0.5, 0.9]}), np.array([0.1, 0.1]), (0.0, 1.0)).round(3).to_numpy().tolist()
    [[0.5, 0.304, 0.696], [0.9, 0.704, 1.0]]
    """
    half = HALF_WIDTH * deviations
    return points.assign(low=(points["value"] - half).clip(*bounds), high=(points["value"] + half).clip(*bounds))


def slices(findings: Findings, bounds: tuple[float, float]) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield the name and the slice of each parameter with an effect in the recommendation, the most important first.

    A slice has the columns place (0 to 1 along the axis), text, value, low and high (the ends of the 95 % band, within
    ``bounds``), is_ordered and is_recommended; only valid configurations are in it.
    """
    base = findings.configuration
    for importance in findings.effects.parameters:
        name = importance.parameter
        if name in base:
            yield name, _slice(findings, name, bounds)


def maps(findings: Findings, most: int, least_share: float) -> Iterator[tuple[float, ParameterMap]]:
    """Yield the shares and the maps of the pairs that interact most, by ``least_share`` of the variance or more."""
    shown = 0
    for pair in findings.effects.interactions:
        if shown == most or pair.share < least_share:
            return
        found = _map(findings, pair.parameters)
        if found is not None:
            shown += 1
            yield pair.share, found


def place_of(space: SearchSpace, name: str, value: Any) -> float:
    """Return where a value stands on the axis of a parameter, 0 to 1."""
    kind = space.configurations.distributions[name]
    if isinstance(kind, CategoricalDistribution):
        return list(kind.choices).index(value) / max(len(kind.choices) - 1, 1)
    return to_unit(kind, value)


def text_of(space: SearchSpace, name: str, value: Any) -> str:
    """Return a value of a trial as people read it, real numbers to three digits or to the whole."""
    decoded = space.ranges[name].decoded(value)
    return number(decoded) if isinstance(decoded, float) else value_text(decoded)


def waterfall(steps: list[PathStep], begin: float, sign: float, space: SearchSpace) -> pd.DataFrame:
    """Return the value before and after each step of a path, in the columns name, before, after and is_better.

    The path begins with the value of the default; ``sign`` is 1 where more is better, otherwise -1.
    """
    after = begin + sign * np.cumsum([step.gain for step in steps])
    before = [begin, *after[:-1]]
    return pd.DataFrame({
        "name": [step_text(step, space) for step in steps],
        "before": before,
        "after": after,
        "is_better": [step.gain >= 0.0 for step in steps],
    })  # fmt: skip


def step_text(step: PathStep, space: SearchSpace) -> str:
    """Return a change as people write it."""
    before, after = (
        "-" if value is None else text_of(space, step.parameter, value) for value in (step.before, step.after)
    )
    return f"{step.parameter} {before} → {after}"


def _slice(findings: Findings, name: str, bounds: tuple[float, float]) -> pd.DataFrame:
    space, base = findings.space, findings.configuration
    kind = space.configurations.distributions[name]
    values = {place_of(space, name, value): value for value in (*grid(kind, _SLICE_POINTS), base[name])}
    points = [(place, value, _with(space, base, {name: value})) for place, value in sorted(values.items())]
    valid = [point for point in points if space.configurations.is_valid(point[2])]
    means, deviations = findings.posterior.values([configuration for _place, _value, configuration in valid])
    is_ordered = not isinstance(kind, CategoricalDistribution) or name in space.configurations.ordered
    found = pd.DataFrame({
        "place": [place for place, _value, _configuration in valid],
        "text": [text_of(space, name, value) for _place, value, _configuration in valid],
        "value": means,
        "is_ordered": is_ordered,
        "is_recommended": [value == base[name] for _place, value, _configuration in valid],
    })  # fmt: skip
    return with_band(found, deviations, bounds)


def _map(findings: Findings, names: tuple[str, str]) -> ParameterMap | None:
    """Return the map of two parameters; None where one of them has no effect on it."""
    space, base = findings.space, findings.configuration
    first, second = (grid(space.configurations.distributions[name], _SIDE) for name in names)
    cells = [_with(space, base, {names[0]: one, names[1]: other}) for one in first for other in second]
    means = findings.posterior.means(cells)
    shown = [all(name in cell for name in names) and space.configurations.is_valid(cell) for cell in cells]
    values = np.where(shown, means, np.nan).reshape(len(first), len(second))
    has_effect = np.isfinite(values)
    recommended = _cell(space, names, (first, second), base)
    if recommended is None or min(has_effect.any(axis=0).sum(), has_effect.any(axis=1).sum()) < 2:
        return None
    texts = tuple(
        [text_of(space, name, value) for value in side] for name, side in zip(names, (first, second), strict=True)
    )
    return ParameterMap(
        names, (texts[0], texts[1]), values, recommended, _cell(space, names, (first, second), space.default)
    )


def _cell(
    space: SearchSpace, names: tuple[str, str], sides: tuple[list[Any], list[Any]], configuration: Configuration
) -> tuple[int, int] | None:
    """Return the cell of a map nearest to a configuration; None where a parameter has no effect in that."""
    if any(name not in configuration for name in names):
        return None
    row, column = (_nearest(space, name, side, configuration[name]) for name, side in zip(names, sides, strict=True))
    return row, column


def _nearest(space: SearchSpace, name: str, side: list[Any], value: Any) -> int:
    places = [place_of(space, name, one) for one in side]
    return int(np.abs(np.array(places) - place_of(space, name, value)).argmin())


def _with(space: SearchSpace, base: Configuration, changed: Configuration) -> Configuration:
    """Return a configuration with some values changed, and the default's for parameters that have an effect only then."""
    return space.configurations.active({**space.nearest, **base, **changed})
