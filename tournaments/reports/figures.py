"""The figures of reports: of agents, in the given order and colours, and of measures of games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from tag.tournaments.designs.agents import short_labels
from tag.tournaments.designs.stopping.best_agent import BestAgentResult
from tag.tournaments.reports.html.figures import (
    AGENT_COLOURS,
    GRID,
    INK,
    MUTED,
    NARROW_LEFT,
    POINTS_PER_INCH,
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
    write_beside,
)
from tag.tournaments.reports.html.hints import Hint, along, lines_text, of_rows
from tag.tournaments.reports.sections.section import number
from tag.tournaments.statistics.intervals import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes


#: Sizes in points.
_WIDTH: Final = 640.0
_NARROW: Final = 300.0
_ROW: Final = 19.0
_NARROW_ROW: Final = 32.0
_LETTER: Final = 5.8
_CELL: Final = 34.0
_CELL_HEIGHT: Final = 26.0
_SMALL_CELL: Final = 17.0
_NARROW_LEFT: Final = 120.0
_MARGIN: Final = 18.0
_NARROW_MARGIN: Final = 18.0
#: Names in figures are cut to this many characters.
_LONGEST: Final = 28
_LONGEST_NOTE: Final = 12
#: Up to this many agents there is room for numbers in a heat map.
_MOST_NUMBERS: Final = 12
#: Opacity of the colour of a score of 0 or 1; text must be readable on it.
_STRONGEST: Final = 0.48
_BAND: Final = 0.12
#: The least distance between names at the ends of lines, as a probability, and in points.
_CHANCES_APART: Final = 0.06
_APART: Final = 12.0
#: The share of the room between two values of a parameter that the intervals of all agents take.
_BESIDE_EACH_OTHER: Final = 0.6
#: The vertical axis of a course shows the values after this share of the games: early bands are wide.
_SETTLING: Final = 0.15
#: Colours of a heat map above and below one half.
HIGH: Final = AGENT_COLOURS[0]
LOW: Final = AGENT_COLOURS[1]


@dataclass(frozen=True)
class Style:
    """The look of an agent in figures.

    Attributes:
        number: its place in the standings, from 1.
        label: its name or spec.
        colour: for `tag.tournaments.reports.html.figures.draw`; that of muted text if there are more agents than colours.
    """

    number: int
    label: str
    short: str
    colour: str

    @property
    def name(self) -> str:
        """Number and short label, cut in the middle if that is long: parameters differ at the end."""
        text = self.short
        if len(text) > _LONGEST:
            text = f"{text[: _LONGEST // 2]}…{text[1 - _LONGEST // 2 :]}"
        return f"{self.number}. {text}"


def styles(labels: Sequence[str], agents: Sequence[str]) -> list[Style]:
    """Return the style of each of the ``labels``, best first; the order of all ``agents`` gives the colours."""
    enough = len(agents) <= len(AGENT_COLOURS)
    colours = {agent: AGENT_COLOURS[at] if enough else MUTED for at, agent in enumerate(agents)}
    short = short_labels(agents)
    return [Style(number, label, short[label], colours[label]) for number, label in enumerate(labels, 1)]


def ranges_figure(
    name: str,
    title: str,
    about: str,
    rows: pd.DataFrame,
    unit: str = "",
    reference: float | None = None,
) -> Figure:
    """Return a dot and its interval per row.

    The rows have name, colour, mean, low and high (nan without an interval), and perhaps a note, written on the right
    if all are short.
    """
    levels, names, notes = row_levels(len(rows)), list(rows["name"]), _short_notes(rows)
    drawn = rows.assign(low=rows["low"].fillna(rows["mean"]), high=rows["high"].fillna(rows["mean"]))

    def paint(axes: Axes) -> None:
        if reference is not None:
            axes.axvline(reference, color=MUTED, linewidth=1.0, linestyle=(0, (3, 3)))
        ranges(axes, levels, drawn, ("low", "mean", "high"), list(rows["colour"]))
        axes.margins(x=0.05)
        axes.set_ylim(-0.6, len(rows) - 0.4)
        name_levels(axes, levels, names)
        write_beside(axes, levels, notes, 1.0, (6, 0), va="center", color=MUTED)
        mark_values(axes, unit)

    texts = [
        f"{row['name']}: {number(row['mean'])}, {number(row['low'])} to {number(row['high'])}"
        for row in rows.to_dict("records")
    ]
    right = _LETTER * 1.4 * max(map(len, notes), default=0)  # letters of groups are capitals
    frame, narrow = rows_frame(names, _MARGIN + right), narrow_frame(len(names), _NARROW_MARGIN + right)
    label = f"Values with 95 % intervals. {'; '.join(texts)}"
    return draw(name, title, label, frame, paint, about, narrow, (rows, unit), of_rows(levels, texts))


def heat_figure(
    name: str,
    title: str,
    about: str,
    agents: Sequence[Style],
    score: Floats,
    is_different: npt.NDArray[np.bool_],
    columns: Sequence[str] = (),
) -> Figure:
    """Return how often the row is placed above the column, as a heat map.

    ``score`` and ``is_different`` are of shape (agents, agents), the former nan where two have not met. By default the
    headings of the columns are the agents' names if they have room, else their numbers.
    """
    n = len(agents)
    has_numbers = n <= _MOST_NUMBERS
    levels, names = row_levels(n), [agent.name for agent in agents]
    room = (_WIDTH - _left(names) - _MARGIN) / n
    cell = max(_CELL, room) if has_numbers else _SMALL_CELL
    height = _CELL_HEIGHT if has_numbers else _SMALL_CELL
    numbers = [str(agent.number) for agent in agents]
    narrow_names = names if _left(names) < _NARROW_LEFT else numbers
    narrow_headings = list(columns) or numbers
    headings = list(columns) or (names if _LETTER * (1 + max(map(len, names))) < cell else numbers)

    def paint(axes: Axes) -> None:
        _paint_cells(axes, score)
        for row, column in np.argwhere(np.isfinite(score)):
            mark = "*" if is_different[row, column] else ""
            text = f"{100.0 * score[row, column]:.0f}{mark}" if has_numbers else "•" * len(mark)
            if text:
                axes.text(column, n - 1 - row, text, ha="center", va="center", color=INK, fontsize=9)
        axes.set_xlim(-0.5, n - 0.5)
        axes.set_ylim(-0.5, n - 0.5)
        name_levels(axes, levels, narrow_names if _is_narrow(axes) else names)
        axes.xaxis.set_visible(False)
        axes.spines["bottom"].set_visible(False)
        for column, heading in enumerate(narrow_headings if _is_narrow(axes) else headings):
            axes.annotate(heading, (column, 1.0), (0, 4), _ABOVE, "offset points", ha="center", color=INK)

    frame = Frame(_left(names) + cell * n + _MARGIN, height * n + 24.0, _left(names), _MARGIN, 4.0, 20.0)
    label = "; ".join(_row_in_words(agents, score, is_different, row) for row in range(n)) if has_numbers else ""
    words = f"Scores of rows against columns in percent. {label}"
    left = max(_left(narrow_names), NARROW_LEFT + 1.0)
    narrow = Frame(_NARROW, height * n + 24.0, left, _NARROW_MARGIN, 4.0, 20.0)
    hints = list(_cell_hints(agents, score, is_different))
    return draw(name, title, words, frame, paint, about, narrow if has_numbers else None, hints=hints)


def _cell_hints(agents: Sequence[Style], score: Floats, is_different: npt.NDArray[np.bool_]) -> Iterator[Hint]:
    n = len(agents)
    for row, column in np.argwhere(np.isfinite(score)).tolist():
        told = ", no chance" if is_different[row, column] else ""
        text = f"{agents[row].name} against {agents[column].name}: {100.0 * score[row, column]:.1f} %{told}"
        yield Hint(text, column - 0.5, column + 0.5, n - 1.5 - row, n - 0.5 - row)


def course_figure(
    name: str, title: str, about: str, agents: Sequence[Style], course: pd.DataFrame, unit: str = "%"
) -> Figure:
    """Return how the win rates of agents settle: a line with a band each, and the agent's number at its end.

    The course has label, games, mean, low and high, in ``unit``, perhaps of more agents, which have the same axes.
    """
    found = [(agent, course[course["label"] == agent.label]) for agent in agents]
    lines = [(agent, line) for agent, line in found if not line.empty]
    settled = course[course["games"] >= _SETTLING * course["games"].max()]
    top = min(100.0 if unit == "%" else inf, 1.06 * float(settled["high"].max()))
    mark = f" {unit}" if unit else ""

    def paint(axes: Axes) -> None:
        is_narrow = _is_narrow(axes)
        height = axes.get_position().height * axes.get_figure().get_figheight() * POINTS_PER_INCH  # type: ignore[union-attr]
        ends = apart([float(line["mean"].iloc[-1]) for _agent, line in lines], _APART * top / height)
        for (agent, line), end in zip(lines, ends, strict=True):
            colour = agent.colour if agent.colour != MUTED else HIGH
            axes.fill_between(line["games"], line["low"], line["high"], color=colour, alpha=_BAND, linewidth=0)
            axes.plot(line["games"], line["mean"], color=colour, linewidth=1.6)
            _name_line(axes, end, str(agent.number) if is_narrow else agent.name, colour)
        axes.set_xlim(0.0, float(course["games"].max()))
        axes.set_ylim(0.0, top)
        axes.grid(axis="y")
        axes.set_xlabel("games so far")
        ticks(axes.xaxis, "")
        ticks(axes.yaxis, unit)

    label = "; ".join(
        f"{agent.name}: {number(line['mean'].iloc[-1])}{mark}, {number(line['low'].iloc[-1])} to "
        f"{number(line['high'].iloc[-1])}{mark}"
        for agent, line in lines
    )
    words = f"At the end, with 95 % intervals. {label}"
    hints = _course_hints([(agent.name, line) for agent, line in lines], mark)
    narrow = Frame(_NARROW, 190.0, left=44.0, right=34.0, bottom=34.0, top=6.0)
    if len(agents) == 1:
        return draw(name, title, words, replace(narrow, height=130.0), paint, about, hints=hints)
    right = 22.0 + _LETTER * max(len(agent.name) for agent, _line in lines)
    return draw(name, title, words, Frame(_WIDTH, 260.0, 44.0, right, 34.0, 6.0), paint, about, narrow, hints=hints)


def _course_hints(lines: Sequence[tuple[str, pd.DataFrame]], mark: str) -> list[Hint]:
    """Return the values of all lines after so many games."""
    found: dict[float, dict[str, str]] = {}
    for name, line in lines:
        for games, mean, low, high in line[["games", "mean", "low", "high"]].to_numpy().tolist():
            found.setdefault(games, {})[name] = f"{number(mean)}{mark}, {number(low)} to {number(high)}{mark}"
    return along({games: lines_text(f"{games:,.0f} games", values) for games, values in found.items()})


def variants_figure(
    name: str, title: str, about: str, agents: Sequence[Style], values: Sequence[str], rows: pd.DataFrame
) -> Figure:
    """Return the agents' results by the value of a parameter: dots with intervals side by side, joined by a line.

    The rows have value, agent, mean, low and high, missing where an agent has no games.
    """
    by_agent = {agent.label: rows[rows["agent"] == agent.label].dropna(subset=["mean"]) for agent in agents}
    lines = [(agent, by_agent[agent.label]) for agent in agents if len(by_agent[agent.label])]
    step = _BESIDE_EACH_OTHER / max(len(lines), 1)

    def paint(axes: Axes) -> None:
        for place, (agent, line) in enumerate(lines):
            at = [values.index(value) + (place - 0.5 * (len(lines) - 1)) * step for value in line["value"]]
            axes.vlines(at, line["low"], line["high"], colors=agent.colour, linewidth=2.0, alpha=0.6)
            axes.plot(at, line["mean"], color=agent.colour, linewidth=0.8, alpha=0.6)
            axes.scatter(at, line["mean"], s=22.0, color=agent.colour, linewidths=0.0, zorder=3)
        axes.set_xlim(-0.5, len(values) - 0.5)
        axes.set_ylim(0.0, max(1.04 * float(rows["high"].max()), 0.1))
        axes.grid(axis="y")
        axes.set_xticks(range(len(values)), values)
        ticks(axes.yaxis, "")

    label = "; ".join(
        f"{agent.name}: "
        + ", ".join(
            f"{number(row['mean'])} ({number(row['low'])} to {number(row['high'])}) at {row['value']}"
            for row in line.to_dict("records")
        )
        for agent, line in lines
    )
    narrowest = 56.0 + max(10.0 * len(lines), _LETTER * (2 + max(map(len, values)))) * len(values)
    frame = Frame(max(_WIDTH, narrowest), 230.0, left=44.0, right=12.0, bottom=22.0, top=6.0)
    narrow = replace(frame, width=max(_NARROW, narrowest))
    hints = [
        Hint.at(
            f"{agent.name} at {row['value']}: {number(row['mean'])}, {number(row['low'])} to {number(row['high'])}",
            values.index(row["value"]) + (place - 0.5 * (len(lines) - 1)) * step,
            row["mean"],
        )
        for place, (agent, line) in enumerate(lines)
        for row in line.to_dict("records")
    ]
    return draw(name, title, f"With 95 % intervals. {label}", frame, paint, about, narrow, hints=hints)


def times_figure(name: str, title: str, about: str, times: pd.DataFrame) -> Figure:
    """Return decision times: a dot for the median, a thick line for half of the games, a thin one for nine tenths.

    The times have name, colour, p5, p25, median, p75 and p95, in milliseconds above 0.
    """
    levels, names = row_levels(len(times)), list(times["name"])

    def paint(axes: Axes) -> None:
        spreads(axes, levels, times, list(times["colour"]))
        axes.set_ylim(-0.6, len(times) - 0.4)
        name_levels(axes, levels, names)
        axes.margins(x=0.05)
        axes.grid(axis="x", color=GRID)
        logarithmic(axes)

    texts = [
        f"{row['name']}: {number(row['median'])} ms, {number(row['p5'])} to {number(row['p95'])} ms"
        for row in times.to_dict("records")
    ]
    frame, narrow = rows_frame(names), narrow_frame(len(names))
    label = f"Medians, and the range of nine tenths. {'; '.join(texts)}"
    return draw(name, title, label, frame, paint, about, narrow, hints=of_rows(levels, texts))


def chances_figure(name: str, shown: Sequence[Style], stopping: BestAgentResult) -> Figure:
    """Return each agent's probability of being the best, over blocks; the agent's number is at the end of its line."""
    blocks = [at for at, _chances in stopping.course]
    ends = apart([stopping.course[-1][1][rank] for rank in range(len(shown))], _CHANCES_APART)

    def paint(axes: Axes) -> None:
        axes.axhline(stopping.confidence, color=MUTED, linewidth=1.0, linestyle=(0, (3, 3)))
        for rank, (agent, end) in enumerate(zip(shown, ends, strict=True)):
            colour = HIGH if agent.colour == MUTED and rank == 0 else agent.colour
            axes.plot(blocks, [chances[rank] for _at, chances in stopping.course], color=colour, linewidth=1.6)
            _name_line(axes, end, str(agent.number), colour)
        axes.set_xlim(0.0, float(blocks[-1]))
        axes.set_ylim(0.0, 1.0)
        axes.grid(axis="y")
        axes.set_xlabel("blocks so far")
        ticks(axes.xaxis, "")
        ticks(axes.yaxis, "")

    label = "; ".join(
        f"{agent.name}: {number(contender.p_best)}"
        for agent, contender in zip(shown, stopping.contenders, strict=False)
    )
    frame = Frame(640.0, 260.0, left=44.0, right=34.0, bottom=34.0, top=6.0)
    narrow = replace(frame, width=300.0, height=190.0)
    about = "The dashed line is the confidence at which the search ends. Numbers are places in the standings."
    hints = along({
        float(at): lines_text(
            f"{at:,} blocks", {agent.name: number(chance) for agent, chance in zip(shown, chances, strict=False)}
        )
        for at, chances in stopping.course
    })  # fmt: skip
    return draw(name, "P(best) over blocks", f"At the end. {label}", frame, paint, about, narrow, hints=hints)


def _name_line(axes: Axes, end: float, name: str, colour: str) -> None:
    """Write the name of a line at its end, after a dot in its colour, in which text would be too faint."""
    axes.annotate("●", (1.0, end), (4, 0), _BESIDE, "offset points", va="center", color=colour, fontsize=7)
    axes.annotate(name, (1.0, end), (13, 0), _BESIDE, "offset points", va="center", color=INK)


def _is_narrow(axes: Axes) -> bool:
    """Say whether a drawing is for narrow windows."""
    return bool(axes.get_figure().get_figwidth() * POINTS_PER_INCH <= _NARROW)  # type: ignore[union-attr]


_BESIDE: Final = ("axes fraction", "data")
_ABOVE: Final = ("data", "axes fraction")


def _paint_cells(axes: Axes, score: Floats) -> None:
    """Fill the cells of a heat map: the further from one half, the stronger; empty where two have not met."""
    from matplotlib.collections import PolyCollection  # noqa: PLC0415  as in tag.tournaments.reports.html.figures
    from matplotlib.colors import to_rgba  # noqa: PLC0415  as above

    n = len(score)
    corners, colours = [], []
    for row in range(n):
        for column in range(n):
            value = score[row, column]
            left, bottom = column - 0.47, n - 1.47 - row
            if row == column or np.isfinite(value):
                colour = MUTED if row == column else HIGH if value > 0.5 else LOW
                strength = 0.12 if row == column else _STRONGEST * abs(2.0 * value - 1.0)
                corners.append(
                    [(left, bottom), (left + 0.94, bottom), (left + 0.94, bottom + 0.94), (left, bottom + 0.94)]
                )
                colours.append(to_rgba(colour, strength))
    axes.add_collection(PolyCollection(corners, facecolors=colours, edgecolors=GRID, linewidths=0.6), autolim=False)


def _short_notes(rows: pd.DataFrame) -> list[str]:
    notes = [str(note) for note in rows.get("note", [])]
    return notes if max(map(len, notes), default=0) <= _LONGEST_NOTE else []


def _row_in_words(agents: Sequence[Style], score: Floats, is_different: npt.NDArray[np.bool_], row: int) -> str:
    met = np.flatnonzero(np.isfinite(score[row])).tolist()
    cells = [f"{agents[at].number} {100.0 * score[row, at]:.0f}{'*' if is_different[row, at] else ''}" for at in met]
    return f"{agents[row].name} against {', '.join(cells) or 'nobody'}"


def apart(values: Sequence[float], least: float) -> list[float]:
    """Return the values in their order, those that are too close pushed apart upwards."""
    moved = list(values)
    order = sorted(range(len(values)), key=lambda at: (values[at], -at))
    for below, above in pairwise(order):
        moved[above] = max(moved[above], moved[below] + least)
    return moved


def rows_frame(names: Sequence[str], right: float = _MARGIN) -> Frame:
    """Return the room of a figure of a row per name, with names on the left."""
    return Frame(_WIDTH, 24.0 + _ROW * len(names), max(_left(names), NARROW_LEFT + 1.0), right)


def narrow_frame(rows: int, right: float = _NARROW_MARGIN) -> Frame:
    """Return the room of the same in a narrow window, with names above the rows."""
    return Frame(_NARROW, 28.0 + _NARROW_ROW * rows, _NARROW_MARGIN, right, top=8.0)


def _left(names: Sequence[str]) -> float:
    """Return room for names on the left."""
    return 14.0 + _LETTER * max(map(len, names), default=0)


# Figures of measures of games: courses, distributions, estimates with intervals, and speeds; a row or a line per number
# of players.


#: Sizes in points.
_MEASURE_WIDTH: Final = 310.0
_MEASURE_ROW: Final = 24.0
_WIDE: Final = 370.0
_TALL: Final = 240.0
#: Opacity of the bands of a course, all together and each.
_BANDS: Final = 0.45
_MEASURE_BAND: Final = 0.13
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


def measure_course_figure(
    name: str, title: str, about: str, course: pd.DataFrame, unit: str, colours: Colours
) -> Figure:
    """Return the course of a measure over a game: a line for the mean, a band for the middle half of the values.

    The course has players, at, mean, p25 and p75.
    """
    lines = _by_players(course)
    opacity = min(_MEASURE_BAND, _BANDS / len(lines))

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
    found: dict[float, dict[str, str]] = {}
    for players, line in lines:
        for at, mean in line[["at", "mean"]].to_numpy().tolist():
            found.setdefault(at, {})[f"{players} players"] = _value(mean, unit)
    hints = along({at: lines_text(f"after {at:,.0f} actions", values) for at, values in found.items()})
    return draw(name, title, f"Mean over the course of a game. {label}", frame, paint, about, hints=hints)


def distribution_figure(
    name: str, title: str, about: str, bins: pd.DataFrame, summary: pd.DataFrame, unit: str, colours: Colours
) -> Figure:
    """Return the distributions of a measure: a histogram per number of players, over its quantiles.

    The bins have players, low, high and share; the summary has players, p5, p25, median, p75 and p95.
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
    hints = [
        hint
        for (_players, found), level in zip(rows, levels, strict=True)
        for hint in _bin_hints(found, level, sliver, unit)
    ]
    words = f"Medians, and the range of nine tenths. {label}"
    return draw(name, title, words, _rows_frame(len(rows)), paint, about, hints=hints)


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

    The summary has players, mean, low and high.
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
    hints = of_rows(levels, label.split("; "))
    words = f"Means and their 95 % intervals. {label}"
    return draw(name, title, words, _rows_frame(len(summary)), paint, about, hints=hints)


def speed_figure(name: str, title: str, about: str, speed: pd.DataFrame, colours: Colours) -> Figure:
    """Return calls per second: by function, a dot for the median and a line from the slowest to the fastest sample.

    The speeds have players, function and per_second.
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
    hints = of_rows(
        [-at * group - position for at in range(len(functions)) for position in range(len(counts))],
        [
            f"{function}, {players} players: {number(middle)} per second, {number(low)} to {number(high)}"
            for (function, players), (low, middle, high) in zip(
                [(function, players) for function in functions for players in counts],
                found[["min", "median", "max"]].to_numpy(np.float64).tolist(),
                strict=True,
            )
        ],
    )
    return draw(name, title, f"Medians in calls per second. {label}", frame, paint, about, hints=hints)


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


def _bin_hints(bins: pd.DataFrame, level: float, sliver: float, unit: str) -> Iterator[Hint]:
    """Yield the share of each bin of a distribution."""
    for low, high, share in bins[["low", "high", "share"]].to_numpy(np.float64).tolist():
        room = 0.5 * sliver if low == high else 0.0
        text = f"{_value(low, unit)} to {_value(high, unit)}: {100.0 * share:.1f} %"
        yield Hint(text, low - room, high + room, level - 0.3, level + 0.7)


def _rows_frame(rows: int) -> Frame:
    return Frame(_MEASURE_WIDTH, 26.0 + _MEASURE_ROW * rows)


def _value(value: float, unit: str) -> str:
    return f"{number(value)}{unit and f' {unit}'}"


def _in_words(rows: Any) -> str:
    """Return the values of a figure for each number of players, in words."""
    return "; ".join(f"{players} player{'s' if players != 1 else ''}: {text}" for players, text in rows)
