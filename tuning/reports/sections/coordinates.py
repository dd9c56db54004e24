"""Trials side by side: a line for each, through its values of all parameters that vary (parallel coordinates)."""

from __future__ import annotations

from typing import Final

import numpy as np
import pandas as pd

from tag.tournaments.reports.sections.section import Paragraph, Section, number, own_size
from tag.tournaments.statistics.intervals import Floats
from tag.tuning.reports.figures import coordinates_figure, evenly
from tag.tuning.reports.findings.estimates import place_of, text_of
from tag.tuning.space import SearchSpace

#: So many of the best trials are drawn in colours, and of the others, in grey.
_BEST: Final = 40
_OTHERS: Final = 80
_FEWEST: Final = 2


def fixed_parameters(space: SearchSpace, trials: pd.DataFrame) -> list[str]:
    """Return the parameters that are the same in all trials; none as long as there are fewer than two trials."""
    if len(trials) < _FEWEST:
        return []
    columns = {name: f"parameter.{name}" for name in space.ranges}
    return [
        name
        for name, column in columns.items()
        if column not in trials or trials[column].nunique(dropna=False) < _FEWEST
    ]


def coordinates_section(space: SearchSpace, trials: pd.DataFrame, value: str, *, is_maximised: bool) -> Section | None:
    """Return the best trials and some others as lines; None as long as fewer than two trials have a value.

    Args:
        space: that was searched.
        trials: of one search, with the columns value, spec and those of parameters.
        value: the name of the values.
        is_maximised: whether more is better.
    """
    found = trials if trials.empty else trials.dropna(subset=["value"])
    if len(found) < _FEWEST:
        return None
    found = found.sort_values("value", ascending=not is_maximised, kind="stable")
    best = found.head(min(_BEST, len(found) // 2))
    others = evenly(found.iloc[len(best) :], _OTHERS)
    fixed = set(fixed_parameters(space, trials))
    names = [name for name in space.ranges if name not in fixed]
    axes = [
        (value, *_ends_of(found["value"], best["value"])),
        *((name, *_in_words(space, name, best)) for name in names),
    ]
    low, span = float(found["value"].min()), max(float(np.ptp(found["value"])), 1e-12)
    drawn = [
        np.column_stack([(rows["value"].to_numpy() - low) / span, _places(space, names, rows)])
        for rows in (others, best)
    ]
    about = (
        f"A line is a trial. The best {len(best):,} of {len(found):,} have colours, from violet, the very best, to yellow; "
        f"grey are {len(others):,} others."
    )
    figure = coordinates_figure("figure-coordinates", f"{value} and parameters", about, axes, drawn[0], drawn[1])
    said = "Where coloured lines come together, a parameter matters; observed values flatter the best, by luck."
    same = [Paragraph(f"The same in all trials: {', '.join(sorted(fixed))}.")] if fixed else []
    return Section("coordinates", "Trials side by side", [own_size(figure), *same], said)


def _ends_of(values: pd.Series, best: pd.Series) -> tuple[str, str]:
    return (
        f"{number(values.min())} to {number(values.max())}",
        f"{number(best.min())} to {number(best.max())} in the best",
    )


def _in_words(space: SearchSpace, name: str, best: pd.DataFrame) -> tuple[str, str]:
    """Return the ends of a parameter, and which values the best trials have."""
    kind = space.configurations.distributions[name]
    choices = getattr(kind, "choices", None)
    ends = (choices[0], choices[-1]) if choices else (kind.low, kind.high)  # type: ignore[attr-defined]
    values = [values[name] for values in map(space.configuration, best["spec"]) if name in values]
    if not values:
        said = "without effect in the best"
    elif choices:
        counts = pd.Series([text_of(space, name, one) for one in values]).value_counts()
        said = ", ".join(f"{count} have {text}" for text, count in counts.head(3).items())
    else:
        low, high = (text_of(space, name, one) for one in (min(values), max(values)))
        said = f"{low} to {high} in the best"
    return " to ".join(text_of(space, name, end) for end in ends), said


def _places(space: SearchSpace, names: list[str], rows: pd.DataFrame) -> Floats:
    """Return the places of trials on the axes of parameters, 0 to 1, nan where one has no effect."""
    configurations = [space.configuration(spec) for spec in rows["spec"]]
    return np.array([
        [place_of(space, name, values[name]) if name in values else np.nan for name in names] for values in configurations
    ]).reshape(len(rows), len(names))  # fmt: skip
