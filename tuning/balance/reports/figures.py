"""The figures of a balancing study's report: values beside their band, trials by games, what budgets gain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd

from tournaments.html.axes import mark_values, name_levels, ranges, row_levels, ticks
from tournaments.html.figures import MUTED, Figure, Frame, draw
from tournaments.html.tables import number
from tournaments.reports.figures import HIGH, LOW, narrow_frame, rows_frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: The choice and the printed rules, in every figure.
CHOICE: Final = HIGH
PRINTED: Final = LOW

#: Sizes in points.
_PLOT: Final = Frame(440.0, 230.0, left=50.0, right=14.0, bottom=34.0, top=8.0)
_NARROW_PLOT: Final = Frame(300.0, 190.0, left=50.0, right=14.0, bottom=34.0, top=8.0)
_SHADE: Final = 0.14
#: How far steps of different traces are drawn beside each other, as a part of the room for a step.
_BESIDE: Final = 0.12


def band_figure(name: str, title: str, about: str, rows: pd.DataFrame, band: tuple[float, float]) -> Figure:
    """Return a dot and its interval per row, and the band in which they should lie.

    Args:
        name: distinct on the page.
        title: what it shows.
        about: how to read it.
        rows: name, colour, state, mean, low and high; a mean is nan, and an interval infinite, where little is known.
        band: its ends, one of which may be infinite.
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

    label = "; ".join(
        f"{row['name']}: {number(row['mean'])}, {number(row['low'])} to {number(row['high'])}, {row['state']}"
        for row in rows.to_dict("records")
    )
    return draw(
        name, title, f"Values with 95 % intervals. {label}", rows_frame(names), paint, about, narrow_frame(len(names))
    )


def trials_figure(name: str, title: str, about: str, trials: pd.DataFrame) -> Figure:
    """Return by how much each trial missed all targets together, as a scatter over the games of the search.

    Args:
        name: distinct on the page.
        title: what it shows.
        about: how to read it.
        trials: games (of the search until it ended), miss and colour, which is `CHOICE` or `PRINTED` for those of these.
    """
    is_known = trials["colour"].isin([CHOICE, PRINTED])

    def paint(axes: Axes) -> None:
        for rows, size, alpha in ((trials[~is_known], 12.0, 0.5), (trials[is_known], 26.0, 1.0)):
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
        for word, colour in (("printed rules", PRINTED), ("choice", CHOICE))
        if (trials["colour"] == colour).any()
    )
    return draw(
        name,
        title,
        f"{len(trials):,} trials, the nearest missed by {least}. {label}",
        _PLOT,
        paint,
        about,
        _NARROW_PLOT,
    )


@dataclass(frozen=True)
class Trace:
    """What each step of a ladder of budgets gains with some rules.

    Attributes:
        label: the rules.
        colour: for `tournaments.html.figures.draw`.
        steps: mean, low and high of each step.
    """

    label: str
    colour: str
    steps: pd.DataFrame


def trace_figure(name: str, title: str, about: str, traces: Sequence[Trace]) -> Figure:
    """Return what each step of a ladder gains, with intervals: a line for each of several rules.

    Args:
        name: distinct on the page.
        title: what it shows.
        about: how to read it.
        traces: of the same steps.
    """
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
    return draw(name, title, f"Gains with 95 % intervals. {label}", _PLOT, paint, about, _NARROW_PLOT)


def _limits(rows: pd.DataFrame, band: tuple[float, float]) -> tuple[float, float]:
    """Return the ends of an axis that has all that is finite of values, intervals and the band."""
    known = np.concatenate([rows[["mean", "low", "high"]].to_numpy(np.float64).ravel(), band])
    known = known[np.isfinite(known)]
    room = 0.06 * max(float(np.ptp(known)), 1e-9)
    return float(known.min()) - room, float(known.max()) + room
