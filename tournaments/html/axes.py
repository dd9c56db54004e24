"""What figures are put together from: rows with names, values with their ranges, axes of round numbers."""

from __future__ import annotations

from itertools import pairwise
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from tournaments.html.figures import GRID, INK, MUTED, NARROW_LEFT, POINTS_PER_INCH

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.ticker import MaxNLocator

#: Of the labels of axes, in points and letters.
_LETTER: Final = 5.8
_GAP: Final = 1.5
#: Round numbers within a decade: as many as have room.
_FACTORS: Final = ((1.0, 2.0, 5.0), (1.0, 3.0), (1.0,))


def ranges(
    axes: Axes, levels: list[float], frame: pd.DataFrame, names: tuple[str, str, str], colours: list[str]
) -> None:
    """Draw the columns low, middle and high: a line from end to end on each level, with a dot on it."""
    low, middle, high = names
    axes.hlines(levels, frame[low], frame[high], colors=colours, linewidth=2.0, alpha=0.6)
    axes.scatter(frame[middle], levels, s=22.0, c=colours, linewidths=0.0, zorder=3)


def spreads(axes: Axes, levels: list[float], frame: pd.DataFrame, colours: list[str]) -> None:
    """Draw the columns p5 to p95 thin and p25 to p75 thick on each level, with a dot for the median."""
    axes.hlines(levels, frame["p5"], frame["p95"], colors=colours, linewidth=1.0)
    axes.hlines(levels, frame["p25"], frame["p75"], colors=colours, linewidth=3.0)
    axes.plot(frame["median"], levels, "o", color=INK, markersize=3.2)


def row_levels(rows: int) -> list[float]:
    """Return where rows are, from the top."""
    return [float(rows - 1 - position) for position in range(rows)]


def name_levels(axes: Axes, levels: list[float], names: list[str]) -> None:
    """Write names on the left, or above their levels in a frame for narrow windows.

    They stand for the ticks that there would be, which take longer than all else in a figure.
    """
    axes.yaxis.set_visible(False)
    box = axes.get_position()
    is_narrow = box.x0 * axes.get_figure().get_figwidth() * POINTS_PER_INCH <= NARROW_LEFT  # type: ignore[union-attr]
    offset, left, bottom = ((0, 4), "left", "bottom") if is_narrow else ((-8, 0), "right", "center")
    for level, name in zip(levels, names, strict=True):
        at = (0.0, level)
        axes.annotate(name, at, offset, ("axes fraction", "data"), "offset points", ha=left, va=bottom, color=INK)


def mark_values(axes: Axes, unit: str) -> None:
    """Write a few round numbers below, likewise; the axes have their limits."""
    low, high = axes.get_xlim()
    axes.xaxis.set_visible(False)
    values = [value for value in round_numbers().tick_values(low, high) if low <= value <= high]
    room = (
        (high - low) / _width(axes) * _LETTER * (max((len(plain(value, unit)) for value in values), default=0) + _GAP)
    )
    while len(values) > 2 and values[1] - values[0] < room:
        values = [value for value in values if round(value / (values[1] - values[0])) % 2 == 0]
    axes.vlines(values, 0.0, 1.0, GRID, linewidth=0.8, zorder=0.5, transform=axes.get_xaxis_transform())
    for value in values:
        at = (value, 0.0)
        axes.annotate(
            plain(value, unit),
            at,
            (0, -4),
            ("data", "axes fraction"),
            "offset points",
            ha="center",
            va="top",
            color=MUTED,
        )
    axes.set_xlim(low, high)


def ticks(axis: Any, unit: str) -> None:
    """Put a few round numbers on an axis of values."""
    axis.set_major_locator(round_numbers())
    axis.set_major_formatter(lambda value, _position: plain(value, unit))


def round_numbers() -> MaxNLocator:
    """Return what finds a few round numbers within limits."""
    from matplotlib.ticker import MaxNLocator  # noqa: PLC0415  as in tournaments.html.figures

    return MaxNLocator(5, steps=[1, 2, 5, 10])


def logarithmic(axes: Axes) -> None:
    """Make the values' axis logarithmic, with as many round numbers as have room, in thousands and millions."""
    from matplotlib.ticker import NullLocator  # noqa: PLC0415  likewise

    axes.set_xscale("log")
    first, last = axes.get_xlim()
    axes.set_xticks(with_room(first, last, _width(axes)))
    axes.xaxis.set_major_formatter(lambda value, _position: short(value))
    axes.xaxis.set_minor_locator(NullLocator())


def _width(axes: Axes) -> float:
    """Return the width of the axes in points."""
    return float(axes.get_position().width * axes.get_figure().get_figwidth() * POINTS_PER_INCH)  # type: ignore[union-attr]


def with_room(first: float, last: float, width: float) -> list[float]:
    """Return round numbers whose labels do not touch on a logarithmic axis of ``width`` points."""
    decades = range(floor(log10(first)), ceil(log10(last)) + 1)
    series = [[factor * 10.0**at for at in decades for factor in factors] for factors in _FACTORS]
    series += [[10.0**at for at in decades if at % every == 0] for every in (2, 3, 4, 6)]
    linear = [float(value) for value in round_numbers().tick_values(first, last)]
    for values in [*series, linear]:
        found = [value for value in values if first <= value <= last]
        if len(found) > 1 and all(
            log10(high / low) / log10(last / first) * width
            > _LETTER * (0.5 * (len(short(low)) + len(short(high))) + _GAP)
            for low, high in pairwise(found)
        ):
            return found
    return [min(linear, key=lambda value: abs(value - 0.5 * (first + last)))]


# --- words ----------------------------------------------------------------------------------------------------------


def short(value: float) -> str:
    """Return a round number: 300, 30 k, 3 M."""
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if value >= size:
            return f"{value / size:g}{letter}"
    return f"{value:.12f}".rstrip("0").rstrip(".") if value else "0"


def plain(value: float, unit: str) -> str:
    """Return a round number in full."""
    return f"{value:,.10g}{unit and f' {unit}'}"
