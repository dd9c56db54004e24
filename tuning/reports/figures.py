"""The figures of studies' reports, each drawn from a frame."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from tag.tournaments.reports.figures import HIGH, LOW, narrow_frame, rows_frame
from tag.tournaments.reports.html.figures import (
    GRID,
    INK,
    MUTED,
    Figure,
    Frame,
    draw,
    mark_values,
    name_levels,
    row_levels,
    series_colour,
    ticks,
    variable,
)
from tag.tournaments.reports.html.hints import Hint, along, lines_text, of_rows
from tag.tournaments.reports.sections.section import Key, number
from tag.tournaments.statistics.intervals import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes


#: Sizes in points.
_LETTER: Final = 5.6
_CELL: Final = 22.0
CURVE: Final = Frame(440.0, 230.0, left=50.0, right=14.0, bottom=34.0, top=8.0)
_SLICE: Final = Frame(270.0, 160.0, left=44.0, right=24.0, bottom=22.0, top=6.0)
NARROW_CURVE: Final = Frame(300.0, 190.0, left=50.0, right=14.0, bottom=34.0, top=8.0)
_BAND: Final = 0.16
#: Margin beyond the ends of a band, as a share of the axis.
_ROOM: Final = 0.05
#: Number of letters that fit below a slice; up to so many values are all written, of more only some.
_LETTERS: Final = 38
#: Values beside a map are cut to so many letters.
_LONGEST: Final = 12
#: The ends of a parameter's values are cut to so many letters.
_LONGEST_ENDS: Final = 20
_ALL: Final = 6
_SOME: Final = 4
_SHADES: Final = 10
#: So many dots of a figure have hints.
_MOST_DOTS: Final = 300
_MOST_VALUES: Final = 200
#: Colours of the recommendation and the default in every figure.
RECOMMENDED: Final = HIGH
DEFAULT: Final = LOW


@dataclass(frozen=True)
class Curve:
    """A line over games; with the columns low and high beside games and value, its points have a band."""

    label: str
    colour: str
    points: pd.DataFrame


def curves_figure(
    name: str,
    title: str,
    about: str,
    curves: Sequence[Curve],
    from_zero: bool = False,
    band: tuple[float, float] | None = None,
    across: str = "games of the search",
) -> Figure:
    """Return values against the games ``across``, and shade the ``band`` in which they should be, which may be open."""

    def paint(axes: Axes) -> None:
        for curve in curves:
            points = curve.points
            if "low" in points:
                axes.fill_between(
                    points["games"], points["low"], points["high"], color=curve.colour, alpha=_BAND, linewidth=0
                )
            axes.plot(points["games"], points["value"], color=curve.colour, linewidth=1.6)
            axes.plot(points["games"].iloc[-1:], points["value"].iloc[-1:], "o", color=curve.colour, markersize=4.0)
        axes.set_xlim(left=0.0)
        if from_zero:
            axes.set_ylim(bottom=min(0.0, axes.get_ylim()[0]))
        if band is not None:
            _shade(axes, band)
        axes.grid(axis="y")
        axes.set_xlabel(across)
        ticks(axes.xaxis, "")
        ticks(axes.yaxis, "")

    label = "; ".join(f"{curve.label}: {_in_words(curve.points.iloc[-1])}" for curve in curves)
    found: dict[float, dict[str, str]] = {}
    for curve in curves:
        for row in curve.points.to_dict("records"):
            found.setdefault(float(row["games"]), {})[curve.label] = _in_words(row)
    hints = along({at: lines_text(f"{at:,.0f} {across}", values) for at, values in found.items()})
    return draw(name, title, f"At the end: {label}", CURVE, paint, about, NARROW_CURVE, hints=hints)


def values_figure(name: str, title: str, about: str, trials: pd.DataFrame) -> Figure:
    """Return the values of trials over the games of the search, a dot each, and their running mean as a line.

    Trials have the columns games (of the search until it ended), value, mean and label.
    """
    dots = evenly(trials, _MOST_VALUES)

    def paint(axes: Axes) -> None:
        axes.scatter(dots["games"], dots["value"], s=9.0, color=MUTED, alpha=0.5, linewidths=0.0)
        axes.plot(dots["games"], dots["mean"], color=RECOMMENDED, linewidth=1.6)
        axes.set_xlim(left=0.0)
        axes.grid(axis="y")
        axes.set_xlabel("games of the search")
        ticks(axes.xaxis, "")
        ticks(axes.yaxis, "")

    hints = [Hint.at(row["label"], row["games"], row["value"]) for row in dots.to_dict("records")]
    last = trials.iloc[-1]
    label = f"{len(trials):,} trials; the running mean is {number(float(last['mean']))} at the end"
    return draw(name, title, label, CURVE, paint, about, NARROW_CURVE, hints=hints)


def evenly(rows: pd.DataFrame, most: int) -> pd.DataFrame:
    """Return at most so many rows, evenly spread, the first and the last among them."""
    if len(rows) <= most:
        return rows
    return rows.iloc[np.linspace(0, len(rows) - 1, most).round().astype(np.int64)]


def coordinates_figure(
    name: str, title: str, about: str, axes_of: Sequence[tuple[str, str, str]], others: Floats, best: Floats
) -> Figure:
    """Return trials as lines through their values of each parameter, one parameter below the other.

    Args:
        name: as in `tag.tournaments.reports.html.figures.draw`, as are the title and how to read it.
        title: of the figure.
        about: how to read it.
        axes_of: the name of each parameter, its ends, and what the best trials have, in words.
        others: places on the axes, 0 to 1 and nan for none, of shape (trials, parameters).
        best: the same of the best trials, the best first.
    """
    names, levels = [one for one, _ends, _said in axes_of], row_levels(len(axes_of))
    notes = [cut(ends, _LONGEST_ENDS) for _one, ends, _said in axes_of]
    colours = [series_colour(place, len(best)) for place in range(len(best))]

    def paint(axes: Axes) -> None:
        from matplotlib.collections import LineCollection  # noqa: PLC0415  as in tag.tournaments.reports.html.figures

        axes.hlines(levels, 0.0, 1.0, colors=GRID, linewidth=0.8)
        for lines, drawn in ((others, {"colors": MUTED, "alpha": 0.25}), (best[::-1], {"colors": colours[::-1]})):
            segments = [np.column_stack([line, levels]) for line in lines]
            axes.add_collection(LineCollection(segments, linewidths=0.9, **drawn), autolim=False)
        axes.set_xlim(-0.02, 1.02)
        axes.set_ylim(-0.6, len(levels) - 0.4)
        axes.xaxis.set_visible(False)
        axes.spines["bottom"].set_visible(False)
        name_levels(axes, levels, names)
        for level, note in zip(levels, notes, strict=True):
            at = (1.0, level)
            axes.annotate(note, at, (6, 0), ("axes fraction", "data"), "offset points", va="center", color=MUTED)

    texts = [f"{one}, {ends}: {said}" for one, ends, said in axes_of]
    right = 14.0 + _LETTER * max(map(len, notes), default=0)
    frames = rows_frame(names, right), narrow_frame(len(names), right)
    return draw(name, title, "; ".join(texts), frames[0], paint, about, frames[1], hints=of_rows(levels, texts))


def slice_figure(
    name: str, title: str, about: str, points: pd.DataFrame, default: float | None, limits: tuple[float, float]
) -> Figure:
    """Return the value along one parameter, all others as recommended: a line with a band, or a dot for each choice.

    The points, in order of places, have the columns place (0 to 1 along the axis), text, value, low, high, is_ordered
    and is_recommended; ``default`` is the place of the default, and ``limits`` are those of the vertical axis.
    """
    is_line = bool(points["is_ordered"].all())
    here = points[points["is_recommended"]]

    def paint(axes: Axes) -> None:
        if default is not None:
            axes.axvline(default, color=DEFAULT, linewidth=1.0, linestyle=(0, (3, 3)))
        if is_line:
            axes.fill_between(
                points["place"], points["low"], points["high"], color=RECOMMENDED, alpha=_BAND, linewidth=0
            )
            axes.plot(points["place"], points["value"], color=RECOMMENDED, linewidth=1.6)
        else:
            axes.vlines(points["place"], points["low"], points["high"], colors=RECOMMENDED, linewidth=2.0, alpha=0.6)
            axes.scatter(points["place"], points["value"], s=16.0, color=RECOMMENDED, linewidths=0.0)
        axes.scatter(here["place"], here["value"], s=42.0, facecolors="none", edgecolors=INK, linewidths=1.2, zorder=4)
        axes.set_xlim(-0.05, 1.05)
        axes.set_ylim(*limits)
        axes.grid(axis="y")
        shown = _a_few(points)
        axes.set_xticks(shown["place"], shown["text"])
        ticks(axes.yaxis, "")

    label = "; ".join(f"{row['text']}: {_in_words(row)}" for _number, row in _a_few(points).iterrows())
    hints = along({row["place"]: f"{row['text']}: {_in_words(row)}" for row in points.to_dict("records")})
    return draw(name, title, f"With 95 % bands. {label}", _SLICE, paint, about, hints=hints)


def map_figure(
    name: str,
    title: str,
    about: str,
    axes_names: tuple[str, str],
    texts: tuple[Sequence[str], Sequence[str]],
    values: Floats,
    marks: Sequence[tuple[tuple[int, int], str]],
    limits: tuple[float, float],
) -> Figure:
    """Return values over two parameters as coloured cells.

    The names and texts of the vertical axis come first, and ``values`` have the shape (of the vertical one, of the
    other), nan where there is none. Marks are cells by row and column, each with the colour of its ring; ``limits`` are
    the values of the first and the last colour.
    """
    rows, columns = values.shape
    across, up = ([cut(text, _LONGEST) for text in side] for side in reversed(texts))
    every = -(-columns // _ALL)
    cell = max(_CELL, _LETTER * (1 + max(map(len, across))) / every)

    def paint(axes: Axes) -> None:
        _paint_cells(axes, values, limits)
        for (row, column), colour in marks:
            axes.scatter([column], [row], s=60.0, facecolors="none", edgecolors=INK, linewidths=3.2)
            axes.scatter([column], [row], s=60.0, facecolors="none", edgecolors=colour, linewidths=1.8)
        axes.set_xlim(-0.5, columns - 0.5)
        axes.set_ylim(-0.5, rows - 0.5)
        axes.set_xticks(range(0, columns, every), across[::every])
        axes.set_yticks(range(rows), up)
        axes.set_xlabel(axes_names[1])
        axes.spines["bottom"].set_visible(False)

    left = 16.0 + _LETTER * max(map(len, up))
    frame = Frame(left + cell * max(columns, _ALL) + 14.0, _CELL * rows + 46.0, left, 14.0, 38.0, 8.0)
    best, worst = (divmod(int(find(values)), columns) for find in (np.nanargmax, np.nanargmin))
    label = " ".join(
        f"The {word} value, {number(float(values[row, column]))}, is at {axes_names[0]} {texts[0][row]} and "
        f"{axes_names[1]} {texts[1][column]}."
        for word, (row, column) in (("greatest", best), ("least", worst))
    )
    hints = [
        Hint(
            f"{axes_names[0]} {texts[0][row]}, {axes_names[1]} {texts[1][column]}: {number(float(values[row, column]))}",
            *(column - 0.5, column + 0.5, row - 0.5, row + 0.5),
        )
        for row, column in np.argwhere(np.isfinite(values)).tolist()
    ]
    return draw(name, title, label, frame, paint, about, hints=hints)


def shares_figure(name: str, title: str, about: str, rows: pd.DataFrame) -> Figure:
    """Return a bar for the main share of each row, with a paler one for its total behind it."""
    levels, names = row_levels(len(rows)), list(rows["name"])

    def paint(axes: Axes) -> None:
        axes.barh(levels, 100.0 * rows["total"], 0.56, color=RECOMMENDED, alpha=0.25)
        axes.barh(levels, 100.0 * rows["main"], 0.56, color=RECOMMENDED)
        axes.set_ylim(-0.6, len(rows) - 0.4)
        axes.set_xlim(0.0, 105.0 * max(float(rows[["main", "total"]].max().max()), 0.01))
        name_levels(axes, levels, names)
        mark_values(axes, "%")

    texts = [
        f"{row['name']}: {100.0 * row['main']:.1f} % by itself, {100.0 * row['total']:.1f} % in all"
        for row in rows.to_dict("records")
    ]
    return _of_rows(name, title, about, names, texts, paint)


def path_figure(name: str, title: str, about: str, rows: pd.DataFrame) -> Figure:
    """Return changes one below the other, each as a bar from the value before it to the value after it.

    Rows have the columns name, before, after and is_better.
    """
    levels, names = row_levels(len(rows)), list(rows["name"])
    colours = [RECOMMENDED if better else DEFAULT for better in rows["is_better"]]

    def paint(axes: Axes) -> None:
        axes.barh(levels, rows["after"] - rows["before"], 0.5, rows["before"], color=colours)
        joints = [(value, upper, lower) for value, upper, lower in zip(rows["after"], levels, levels[1:], strict=False)]
        for value, upper, lower in joints:
            axes.vlines(value, lower, upper, colors=MUTED, linewidth=0.8)
        axes.margins(x=0.06)
        axes.set_ylim(-0.6, len(rows) - 0.4)
        name_levels(axes, levels, names)
        mark_values(axes, "")

    texts = [f"{row['name']}: {number(row['before'])} to {number(row['after'])}" for row in rows.to_dict("records")]
    return _of_rows(name, title, about, names, texts, paint)


def _of_rows(
    name: str, title: str, about: str, names: list[str], texts: list[str], paint: Callable[[Axes], None]
) -> Figure:
    """Return a figure with a row for each name."""
    narrow, hints = narrow_frame(len(names)), of_rows(row_levels(len(names)), texts)
    return draw(name, title, "; ".join(texts), rows_frame(names), paint, about, narrow, hints=hints)


def pareto_figure(name: str, title: str, about: str, rows: pd.DataFrame, axes_names: tuple[str, str]) -> Figure:
    """Return the values of two objectives: a dot per configuration, and a line through the Pareto front.

    Rows have the columns first, second, label and is_front; the name of the horizontal axis, ``first``, comes first.
    """
    front = rows[rows["is_front"]].sort_values("first")

    def paint(axes: Axes) -> None:
        others = rows[~rows["is_front"]]
        axes.scatter(others["first"], others["second"], s=12.0, color=MUTED, alpha=0.5, linewidths=0.0)
        axes.plot(front["first"], front["second"], color=RECOMMENDED, linewidth=1.0)
        axes.scatter(front["first"], front["second"], s=26.0, color=RECOMMENDED, linewidths=0.0, zorder=3)
        axes.grid()
        axes.set_xlabel(axes_names[0])
        axes.set_ylabel(axes_names[1])
        ticks(axes.xaxis, "")
        ticks(axes.yaxis, "")

    label = "; ".join(
        f"{row['label']}: {number(row['first'])} and {number(row['second'])}" for row in front.to_dict("records")
    )
    shown = pd.concat([rows[~rows["is_front"]].head(_MOST_DOTS), front])
    hints = [
        Hint.at(f"{row['label']}: {number(row['first'])} and {number(row['second'])}", row["first"], row["second"])
        for row in shown.to_dict("records")
    ]
    words = f"{axes_names[0]} and {axes_names[1]}. {label}"
    return draw(name, title, words, CURVE, paint, about, NARROW_CURVE, hints=hints)


def cut(text: str, room: int) -> str:
    """Return a text of at most so many letters."""
    return text if len(text) <= room else f"{text[: room - 1]}…"


def _shade(axes: Axes, band: tuple[float, float]) -> None:
    """Shade values between the ends of a band, and make room for those ends that are finite."""
    low, high = axes.get_ylim()
    ends = [end for end in band if np.isfinite(end)]
    room = _ROOM * (max(high, *ends) - min(low, *ends))
    low, high = min(low, *(end - room for end in ends)), max(high, *(end + room for end in ends))
    axes.axhspan(max(band[0], low), min(band[1], high), color=MUTED, alpha=_BAND, linewidth=0)
    axes.set_ylim(low, high)


def _paint_cells(axes: Axes, values: Floats, limits: tuple[float, float]) -> None:
    from matplotlib.collections import PolyCollection  # noqa: PLC0415  as in tag.tournaments.reports.html.figures

    low, span = limits[0], max(limits[1] - limits[0], 1e-12)
    corners, colours = [], []
    for row, column in np.argwhere(np.isfinite(values)).tolist():
        left, bottom = column - 0.48, row - 0.48
        corners.append([(left, bottom), (left + 0.96, bottom), (left + 0.96, bottom + 0.96), (left, bottom + 0.96)])
        shade = int(np.clip((values[row, column] - low) / span * _SHADES, 0, _SHADES - 1))
        colours.append(series_colour(shade, _SHADES))
    axes.add_collection(PolyCollection(corners, facecolors=colours, edgecolors=GRID, linewidths=0.4), autolim=False)


def _a_few(points: pd.DataFrame) -> pd.DataFrame:
    """Return the points that have room for their texts, the first and the last among them; of choices all, cut."""
    n = len(points)
    if not points["is_ordered"].all():
        room = max(_LETTERS // n - 1, 2)  # with a gap between two
        return points.assign(text=[cut(text, room) for text in points["text"]])
    most = _LETTERS // (max(map(len, points["text"])) + 2)
    places = np.unique(np.linspace(0, n - 1, min(n, most, n if n <= _ALL else _SOME)).round().astype(np.int64))
    return points.iloc[places]


def _in_words(row: Mapping[Any, Any] | pd.Series) -> str:
    value = number(float(row["value"]))
    return f"{value}, {number(float(row['low']))} to {number(float(row['high']))}" if "low" in row else value


def key() -> Key:
    """Return the meaning of the two colours of all figures."""
    return Key("Colours", [(variable(RECOMMENDED), "recommended"), (variable(DEFAULT), "default")])
