"""Figures: values beside their band, trials by games, gains of budgets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd

from tag.tournaments.reports.figures import HIGH, LOW, narrow_frame, rows_frame
from tag.tournaments.reports.html.figures import (
    MUTED,
    Figure,
    draw,
    mark_values,
    name_levels,
    ranges,
    row_levels,
    ticks,
    variable,
)
from tag.tournaments.reports.html.hints import Hint, of_rows
from tag.tournaments.reports.sections.section import Key, number
from tag.tuning.balancing.targets import Target
from tag.tuning.reports.figures import CURVE, NARROW_CURVE, evenly

if TYPE_CHECKING:
    from matplotlib.axes import Axes


#: The choice and the default rules, in every figure.
CHOICE: Final = HIGH
PRINTED: Final = LOW

_SHADE: Final = 0.14
#: Of more trials some are drawn.
_MOST_DOTS: Final = 600
#: Offset between the steps of different traces, as a share of the width of a step.
_BESIDE: Final = 0.12


def key() -> Key:
    """Return the meaning of the two colours of all figures."""
    return Key("Colours", [(variable(CHOICE), "choice"), (variable(PRINTED), "default rules")])


def band_text(target: Target) -> str:
    """Return which values a target wants, in words for below the title of a figure."""
    return f"The band is {str(target).removeprefix(target.name).removeprefix('=')}."


def band_figure(name: str, title: str, about: str, rows: pd.DataFrame, band: tuple[float, float]) -> Figure:
    """Return a dot and its interval per row, and the band in which they should lie, one of whose ends may be infinite.

    Rows have the columns name, colour, state, mean, low and high; a mean is nan, and an interval infinite, where little
    is known.
    """
    levels, names = row_levels(len(rows)), list(rows["name"])
    left, right = _limits(rows, band)
    drawn = rows.assign(low=rows["low"].clip(lower=left), high=rows["high"].clip(upper=right))

    def paint(axes: Axes) -> None:
        axes.axvspan(max(band[0], left), min(band[1], right), color=MUTED, alpha=_SHADE, linewidth=0)
        ranges(axes, levels, drawn, ("low", "mean", "high"), list(rows["colour"]))
        axes.set_xlim(left, right)
        axes.set_ylim(-0.6, len(rows) - 0.4)
        name_levels(axes, levels, names)
        mark_values(axes, "")

    texts = [
        f"{row['name']}: {number(row['mean'])}, {number(row['low'])} to {number(row['high'])}, {row['state']}"
        for row in rows.to_dict("records")
    ]
    label, narrow = f"Values with intervals. {'; '.join(texts)}", narrow_frame(len(names))
    return draw(name, title, label, rows_frame(names), paint, about, narrow, hints=of_rows(levels, texts))


def trials_figure(name: str, title: str, about: str, trials: pd.DataFrame) -> Figure:
    """Return by how much each trial missed all targets together, as a scatter over the games of the search.

    Trials have the columns games (of the search until it ended), miss and colour, which is `CHOICE` or `PRINTED` for
    those.
    """
    is_known = trials["colour"].isin([CHOICE, PRINTED])
    others, known = evenly(trials[~is_known], _MOST_DOTS), trials[is_known]

    def paint(axes: Axes) -> None:
        for rows, size, alpha in ((others, 12.0, 0.5), (known, 26.0, 1.0)):
            axes.scatter(rows["games"], rows["miss"], s=size, c=list(rows["colour"]), alpha=alpha, linewidths=0.0)
        axes.set_xlim(left=0.0)
        axes.set_ylim(bottom=min(0.0, axes.get_ylim()[0]))
        axes.grid()
        axes.set_xlabel("games of the search")
        ticks(axes.xaxis, "")
        ticks(axes.yaxis, "")

    least = number(float(trials["miss"].min()))
    label = "; ".join(
        f"{word} missed by {', '.join(map(number, trials.loc[trials['colour'] == colour, 'miss']))}"
        for word, colour in (("default rules", PRINTED), ("choice", CHOICE))
        if (trials["colour"] == colour).any()
    )
    hints = [
        Hint.at(f"after {games:,} games: missed by {number(miss)}", games, miss)
        for rows in (others, known)
        for games, miss in zip(rows["games"], rows["miss"], strict=True)
    ]
    words = f"{len(trials):,} trials, the nearest missed by {least}. {label}"
    return draw(name, title, words, CURVE, paint, about, NARROW_CURVE, hints=hints)


@dataclass(frozen=True)
class Trace:
    """Gains of each step of a ladder of budgets with some rules: mean, low and high."""

    label: str
    colour: str
    steps: pd.DataFrame


def trace_figure(name: str, title: str, about: str, traces: Sequence[Trace]) -> Figure:
    """Return the gains of each step of a ladder with intervals: a line for each of several rules."""
    shifts = _BESIDE * (np.arange(len(traces)) - (len(traces) - 1) / 2.0)
    places = np.arange(1, 1 + max(len(trace.steps) for trace in traces))

    def paint(axes: Axes) -> None:
        axes.axhline(0.0, color=MUTED, linewidth=1.0, linestyle=(0, (3, 3)))
        for trace, shift in zip(traces, shifts.tolist(), strict=True):
            steps, at = trace.steps, places[: len(trace.steps)] + shift
            axes.vlines(at, steps["low"], steps["high"], colors=trace.colour, linewidth=2.0, alpha=0.6)
            axes.plot(at, steps["mean"], "o-", color=trace.colour, linewidth=1.2, markersize=4.4)
        axes.set_xlim(0.5, len(places) + 0.5)
        axes.set_xticks(places, map(str, places))
        axes.set_xlabel("step of the ladder")
        axes.grid(axis="y")
        ticks(axes.yaxis, "")

    label = "; ".join(
        f"{trace.label}, step {step}: {number(row['mean'])}, {number(row['low'])} to {number(row['high'])}"
        for trace in traces
        for step, row in enumerate(trace.steps.to_dict("records"), 1)
    )
    hints = [
        Hint.at(
            f"{trace.label}, step {step}: {number(row['mean'])}, {number(row['low'])} to {number(row['high'])}",
            step + shift,
            row["mean"],
        )
        for trace, shift in zip(traces, shifts.tolist(), strict=True)
        for step, row in enumerate(trace.steps.to_dict("records"), 1)
    ]
    return draw(name, title, f"Gains with 95 % intervals. {label}", CURVE, paint, about, NARROW_CURVE, hints=hints)


def _limits(rows: pd.DataFrame, band: tuple[float, float]) -> tuple[float, float]:
    """Return the ends of an axis with all finite values, intervals and ends of the band."""
    known = np.concatenate([rows[["mean", "low", "high"]].to_numpy(np.float64).ravel(), band])
    known = known[np.isfinite(known)]
    room = 0.06 * max(float(np.ptp(known)), 1e-9)
    return float(known.min()) - room, float(known.max()) + room
