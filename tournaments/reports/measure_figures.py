"""Figures of measures of games: courses, distributions, estimates with intervals, and speeds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from tournaments.reports.html.figures import (
    MUTED,
    Figure,
    Frame,
    draw,
    logarithmic,
    mark_values,
    name_levels,
    ranges,
    row_levels,
    spreads,
    ticks,
)
from tournaments.reports.html.page import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Sizes in points.
_WIDTH: Final = 310.0
_ROW: Final = 24.0
_WIDE: Final = 370.0
_TALL: Final = 240.0
#: Opacity of the bands of a course, all together and each.
_BANDS: Final = 0.45
_BAND: Final = 0.13
#: Shares of a row: the height of the highest bin of a distribution, and the distance of its quantiles below the base
#: line.
_PEAK: Final = 0.62
_QUANTILES: Final = -0.15
#: The width of a bin whose values are all the same, as a part of the axis.
_SLIVER: Final = 0.02
#: The number of lines between two groups in the figure of speeds.
_GAP: Final = 1.0
#: The colours by number of players, the same in all figures of a game type.
Colours = Mapping[int, str]


def course_figure(name: str, title: str, about: str, course: pd.DataFrame, unit: str, colours: Colours) -> Figure:
    """Return the course of a measure over a game: a line for the mean, a band for the middle half of the values.

    Args:
        name: unique on the page.
        title: of the measure.
        about: how to read it.
        course: players, at, mean, p25 and p75.
        unit: of the values.
        colours: by number of players.
    """
    lines = _by_players(course)
    opacity = min(_BAND, _BANDS / len(lines))

    def paint(axes: Axes) -> None:
        for players, line in lines:
            colour = colours[players]
            axes.fill_between(line["at"], line["p25"], line["p75"], color=colour, alpha=opacity, linewidth=0)
            axes.plot(line["at"], line["mean"], color=colour, linewidth=1.6)
            end = (line["at"].iloc[-1], line["mean"].iloc[-1])
            axes.annotate(str(players), end, (4, 0), textcoords="offset points", color=colour, va="center", fontsize=9)
        axes.margins(x=0.0)
        if course["p25"].min() >= 0.0:
            axes.set_ylim(bottom=0.0)
        axes.grid(axis="y")
        axes.set_xlabel("actions so far")
        ticks(axes.xaxis, "")
        ticks(axes.yaxis, unit)

    label = _in_words(
        (players, f"from {_value(line['mean'].iloc[0], unit)} to {_value(line['mean'].iloc[-1], unit)}")
        for players, line in lines
    )
    frame = Frame(_WIDE, _TALL, left=44.0, right=20.0, bottom=34.0, top=6.0)
    return draw(name, title, f"Mean over the course of a game. {label}", frame, paint, about)


def distribution_figure(
    name: str, title: str, about: str, bins: pd.DataFrame, summary: pd.DataFrame, unit: str, colours: Colours
) -> Figure:
    """Return the distributions of a measure: a histogram per number of players, over its quantiles.

    Args:
        name: unique on the page.
        title: of the measure.
        about: how to read it.
        bins: players, low, high and share.
        summary: players, p5, p25, median, p75 and p95.
        unit: of the values.
        colours: by number of players.
    """
    rows = _by_players(bins)
    levels = row_levels(len(rows))
    first, last = float(bins["low"].min()), float(bins["high"].max())
    sliver = _SLIVER * ((last - first) or 1.0)

    def paint(axes: Axes) -> None:
        for (players, found), level in zip(rows, levels, strict=True):
            _histogram(axes, found, level, sliver, colours[players])
        lines = [colours[players] for players, _found in rows]
        below = [level + _QUANTILES for level in levels]
        spreads(axes, below, summary, lines)
        axes.set_xlim(first - sliver, last + sliver)
        axes.set_ylim(-0.35, len(rows) - 0.25)
        name_levels(axes, levels, [str(players) for players, _found in rows])
        mark_values(axes, unit)

    label = _in_words(
        (
            row["players"],
            f"median {_value(row['median'], unit)}, {_value(row['p5'], unit)} to {_value(row['p95'], unit)}",
        )
        for row in summary.to_dict("records")
    )
    return draw(name, title, f"Medians, and the range of nine tenths. {label}", _rows_frame(len(rows)), paint, about)


def estimate_figure(
    name: str,
    title: str,
    about: str,
    summary: pd.DataFrame,
    unit: str,
    colours: Colours,
    reference: float | None = None,
) -> Figure:
    """Return a rate per number of players, with its 95 % interval.

    Args:
        name: unique on the page.
        title: of the measure.
        about: how to read it.
        summary: players, mean, low and high.
        unit: of the values.
        colours: by number of players.
        reference: a value for comparison.
    """
    levels = row_levels(len(summary))

    def paint(axes: Axes) -> None:
        if reference is not None:
            axes.axvline(reference, color=MUTED, linewidth=1.0, linestyle=(0, (3, 3)))
        ranges(axes, levels, summary, ("low", "mean", "high"), [colours[players] for players in summary["players"]])
        axes.margins(x=0.06)
        axes.set_ylim(-0.5, len(summary) - 0.5)
        name_levels(axes, levels, [str(players) for players in summary["players"]])
        mark_values(axes, unit)

    label = _in_words(
        (row["players"], f"{_value(row['mean'], unit)}, {_value(row['low'], unit)} to {_value(row['high'], unit)}")
        for row in summary.to_dict("records")
    )
    return draw(name, title, f"Means and their 95 % intervals. {label}", _rows_frame(len(summary)), paint, about)


def speed_figure(name: str, title: str, about: str, speed: pd.DataFrame, colours: Colours) -> Figure:
    """Return calls per second: by function, a dot for the median and a line from the slowest to the fastest sample.

    Args:
        name: unique on the page.
        title: of the figure.
        about: how to read it.
        speed: players, function and per_second.
        colours: by number of players.
    """
    functions = list(dict.fromkeys(speed["function"]))
    counts = sorted(int(players) for players in speed["players"].unique())
    group = len(counts) + _GAP
    found = speed.groupby(["function", "players"], sort=False)["per_second"].agg(["min", "median", "max"])
    found = found.loc[[(function, players) for function in functions for players in counts]]

    def paint(axes: Axes) -> None:
        levels = [-at * group - position for at in range(len(functions)) for position in range(len(counts))]
        ranges(axes, levels, found, ("min", "median", "max"), [colours[players] for players in counts] * len(functions))
        middles = [-at * group - (len(counts) - 1) / 2.0 for at in range(len(functions))]
        name_levels(axes, middles, functions)
        axes.grid(axis="x")
        axes.set_ylim(_GAP - len(functions) * group, _GAP)
        logarithmic(axes)

    label = _in_words(
        (players, ", ".join(f"{function} {number(found.loc[(function, players), 'median'])}" for function in functions))
        for players in counts
    )
    frame = Frame(_WIDE, _TALL, left=76.0, right=16.0, bottom=20.0)
    return draw(name, title, f"Medians in calls per second. {label}", frame, paint, about)


def _by_players(frame: pd.DataFrame) -> list[tuple[int, pd.DataFrame]]:
    return [(int(str(players)), rows) for players, rows in frame.groupby("players")]


def _histogram(axes: Axes, bins: pd.DataFrame, level: float, sliver: float, colour: str) -> None:
    """Draw a distribution that stands on ``level``; the height of a bin is its density."""
    low, high = bins["low"].to_numpy(), bins["high"].to_numpy()
    if low[0] == high[-1]:
        low, high = low - sliver / 2.0, high + sliver / 2.0
    density = bins["share"].to_numpy() / (high - low)
    heights = level + _PEAK * density / density.max()
    axes.stairs(heights, [*low, high[-1]], baseline=level, fill=True, color=colour, alpha=0.75)


def _rows_frame(rows: int) -> Frame:
    return Frame(_WIDTH, 26.0 + _ROW * rows)


def _value(value: float, unit: str) -> str:
    return f"{number(value)}{unit and f' {unit}'}"


def _in_words(rows: Any) -> str:
    """Return the values of a figure for each number of players, in words."""
    return "; ".join(f"{players} player{'s' if players != 1 else ''}: {text}" for players, text in rows)
