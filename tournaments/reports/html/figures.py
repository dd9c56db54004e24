"""Figures, drawn by matplotlib: for a page as SVG text whose colours are those of the page's style sheet.

`tag.tournaments.reports.paper.figures` draws the same for papers.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Any, Final
from xml.sax.saxutils import quoteattr

import pandas as pd

from tag.tournaments.reports.html.hints import Hint, placed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.ticker import MaxNLocator

    from tag.tournaments.reports.sections.matrix import Matrix


# Colours have names, to which each medium gives values (`colours_named`). On a page these are placeholders, which become
# the style sheet's variables, so one drawing serves light and dark. Text stays text. Nothing depends on the time, on the
# user's settings of matplotlib or on earlier drawings, so equal data give equal text.


_SHADES: Final = 10
#: The placeholders of colours on pages, by name.
_PLACEHOLDERS: Final = {
    "tag:ink": "#010203",
    "tag:muted": "#010204",
    "tag:grid": "#010205",
    **{f"tag:series-{number}": f"#01030{number}" for number in range(_SHADES)},
    **{f"tag:agent-{number}": f"#01040{number}" for number in range(8)},
}
INK: Final = "tag:ink"
MUTED: Final = "tag:muted"
GRID: Final = "tag:grid"
#: Colours of unordered categories, as different as possible, also to the colour-blind; for `draw`.
AGENT_COLOURS: Final = tuple(name for name in _PLACEHOLDERS if name.startswith("tag:agent-"))
#: Colours of ordered categories, from dark to light.
SERIES_COLOURS: Final = tuple(name for name in _PLACEHOLDERS if name.startswith("tag:series-"))

_SETTINGS: Final[dict[Any, object]] = {
    "svg.fonttype": "none",
    "font.size": 10.0,
    "text.color": INK,
    "text.parse_math": False,  # names of agents may have any signs
    "axes.edgecolor": MUTED,
    "axes.facecolor": "none",
    "axes.labelcolor": MUTED,
    "axes.linewidth": 0.8,
    "axes.spines.left": False,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.axisbelow": True,
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "lines.solid_capstyle": "butt",
    "xtick.color": MUTED,
    "xtick.major.size": 0.0,
    "xtick.minor.size": 0.0,
    "ytick.color": MUTED,
    "ytick.major.size": 0.0,
    "path.simplify_threshold": 0.2,
}
POINTS_PER_INCH: Final = 72.0
#: Frames with at most this left margin, in points, are for narrow windows: names stand above their rows.
NARROW_LEFT: Final = 20.0
#: Makes the text of figures as large as that of tables.
_PIXELS_PER_POINT: Final = 1.3

_IDS: Final = re.compile(r' id="([^"]*)"')
_REFERENCES: Final = re.compile(r'(?:url\(|href=")#([^")]*)')
_DECIMALS: Final = re.compile(r"(\.\d\d)\d+")
_GEOMETRY: Final = re.compile(r' (?:d|x|y|width|height|transform)="[^"]*"')
_FONTS: Final = re.compile(r"font-family: [^;]*; ")
_OWN_STYLE: Final = re.compile(r"<defs>\s*<style.*?</defs>", re.DOTALL)


@dataclass(frozen=True)
class Frame:
    """The room of a figure, in points; a page scales it to the room available.

    Margins are given, not computed: that would take as long as drawing everything again.
    """

    width: float
    height: float
    left: float = 26.0
    right: float = 20.0
    bottom: float = 18.0
    top: float = 4.0

    def axes(self) -> tuple[float, float, float, float]:
        """Return left, bottom, width and height of the axes as parts of the figure."""
        across, up = self.width - self.left - self.right, self.height - self.bottom - self.top
        return self.left / self.width, self.bottom / self.height, across / self.width, up / self.height


@dataclass(frozen=True, eq=False)
class Figure:
    """A figure, which is drawn when a page or a paper asks for it.

    Attributes:
        name: unique on the page.
        title: of the figure.
        label: title, numbers and all in words, for screen readers.
        frame: the room.
        paint: draws on a pair of axes, in the colours of this module.
        about: how to read it.
        narrow_frame: the room in narrow windows and columns, None where the drawing is scaled.
        intervals: where it shows nothing else, rows with name, mean, low and high, and their unit, for media that draw
            them otherwise; None for other figures.
        hints: the values of its marks, for pointers on a page.
        matrix: where it is the picture of a matrix, that, for media that write it out.
    """

    name: str
    title: str
    label: str
    frame: Frame
    paint: Callable[[Axes], None]
    about: str = ""
    narrow_frame: Frame | None = None
    intervals: tuple[pd.DataFrame, str] | None = None
    hints: Sequence[Hint] = ()
    matrix: Matrix | None = None

    @property
    def room(self) -> int:
        """The best width on a page, in pixels."""
        return round(_PIXELS_PER_POINT * self.frame.width)

    @cached_property
    def svg(self) -> str:
        """The drawing, as an element of a page."""
        return _svg(self.name, self.label, self.frame, self.paint, self.hints)

    @cached_property
    def narrow(self) -> str:
        """The same drawn for narrow windows; empty where the first fits them."""
        frame = self.narrow_frame
        return "" if frame is None else _svg(f"{self.name}-narrow", self.label, frame, self.paint, self.hints)


def draw(
    name: str,
    title: str,
    label: str,
    frame: Frame,
    paint: Callable[[Axes], None],
    about: str = "",
    narrow: Frame | None = None,
    intervals: tuple[pd.DataFrame, str] | None = None,
    hints: Sequence[Hint] = (),
) -> Figure:
    """Return the figure that ``paint`` draws on a pair of axes.

    Args:
        name: unique on the page.
        title: of the figure.
        label: the same in words and numbers, for screen readers.
        frame: the room.
        paint: draws on axes, in the colours of this module.
        about: how to read it.
        narrow: the room in narrow windows, for which ``paint`` is called again; by default the drawing is scaled.
        intervals: the attribute of the figure.
        hints: the values of its marks.
    """
    return Figure(name, title, f"{title}. {label}", frame, paint, about, narrow, intervals, hints)


def _svg(name: str, label: str, frame: Frame, paint: Callable[[Axes], None], hints: Sequence[Hint] = ()) -> str:
    """Return one drawing."""
    import matplotlib as mpl  # noqa: PLC0415  takes a while; only who draws waits for it

    found: list[str] = []

    def paint_and_place(axes: Axes) -> None:
        paint(axes)
        if hints:
            found.extend(placed(hints, axes, frame.height, axes.get_figure().dpi / POINTS_PER_INCH))  # type: ignore[union-attr]

    colours_named(_PLACEHOLDERS)
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update({**_SETTINGS, "svg.hashsalt": name})
        text = io.StringIO()
        save(paint_and_place, frame, text, "svg", transparent=True, metadata={"Date": None})
    hints_group = f'<g class="hints">{"".join(found)}</g>\n</svg>' if found else "</svg>"
    return _inline(text.getvalue(), label, name, frame).replace("</svg>", hints_group)


def colours_named(values: Mapping[str, str]) -> None:
    """Give the colours of this module, by their names, values for what is drawn from now on."""
    from matplotlib.colors import get_named_colors_mapping  # noqa: PLC0415  as above

    named = get_named_colors_mapping()
    for name, value in values.items():  # one by one, which also forgets what they were
        named[name] = value


def save(paint: Callable[[Axes], None], frame: Frame, file: Any, kind: str, **options: Any) -> None:
    """Draw on axes within a frame, under the present settings of matplotlib, and write that to a ``kind`` of file."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415  as above
    from matplotlib.figure import Figure as Drawing  # noqa: PLC0415

    drawing = Drawing((frame.width / POINTS_PER_INCH, frame.height / POINTS_PER_INCH))
    FigureCanvasAgg(drawing)
    paint(drawing.add_axes(frame.axes()))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph", UserWarning)  # readers have fonts for what matplotlib's lacks
        drawing.savefig(file, format=kind, **options)


def series_colour(position: int, count: int) -> str:
    """Return the colour of one of ``count`` ordered categories, from dark to light, for `draw`."""
    return SERIES_COLOURS[_shade(position, count)]


def series_variable(position: int, count: int) -> str:
    """Return the same colour for HTML."""
    return variable(series_colour(position, count))


def variable(colour: str) -> str:
    """Return a colour of `draw` for HTML."""
    return f"var(--{colour.removeprefix('tag:')})"


def _shade(position: int, count: int) -> int:
    """Return the number of the shade; few categories use all the range, many share shades."""
    return (_SHADES - 1) * position // max(count - 1, 1)


def _inline(svg: str, label: str, name: str, frame: Frame) -> str:
    """Return a file of matplotlib's as an element within HTML: small, in the page's fonts and colours, with unique ids."""
    body = _OWN_STYLE.sub("", svg[svg.index("<defs>") :])
    referred = set(_REFERENCES.findall(body))
    body = _IDS.sub(lambda match: f' id="{name}-{match[1]}"' if match[1] in referred else "", body)
    body = _REFERENCES.sub(lambda match: match[0].replace("#", f"#{name}-"), body).replace("xlink:href", "href")
    body = _GEOMETRY.sub(lambda match: _DECIMALS.sub(r"\1", match[0]), _FONTS.sub("", body))
    for name_of_colour, placeholder in _PLACEHOLDERS.items():
        body = body.replace(placeholder, variable(name_of_colour))
    return f'<svg role="img" viewBox="0 0 {frame.width:g} {frame.height:g}" aria-label={quoteattr(label)}>\n{body}'


#: Size of the labels of axes, in points and letters.
_LETTER: Final = 5.8
_GAP: Final = 1.5
#: Round numbers within a decade, from few to many.
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
    """Return the vertical positions of rows, from the top."""
    return [float(rows - 1 - position) for position in range(rows)]


def name_levels(axes: Axes, levels: list[float], names: list[str]) -> None:
    """Write names on the left, or above their levels in a frame for narrow windows.

    They replace ticks, which would take longer than all else in a figure.
    """
    axes.yaxis.set_visible(False)
    box = axes.get_position()
    is_narrow = box.x0 * axes.get_figure().get_figwidth() * POINTS_PER_INCH <= NARROW_LEFT  # type: ignore[union-attr]
    offset, left, bottom = ((0, 4), "left", "bottom") if is_narrow else ((-8, 0), "right", "center")
    write_beside(axes, levels, names, 0.0, offset, ha=left, va=bottom, color=INK)


def write_beside(
    axes: Axes, levels: Sequence[float], texts: Sequence[str], share: float, offset: tuple[float, float], **style: Any
) -> None:
    """Write texts at levels, at a ``share`` of the width and from there so many points to the right and up.

    As annotations the texts would take twice as long.
    """
    from matplotlib.transforms import ScaledTranslation  # noqa: PLC0415  as above

    from tag.tournaments.reports.html.texts import TextsAtLevels  # noqa: PLC0415

    right, up = (points / POINTS_PER_INCH for points in offset)
    inches = axes.get_figure().dpi_scale_trans  # type: ignore[union-attr]
    place = axes.get_yaxis_transform() + ScaledTranslation(right, up, inches)
    axes.add_artist(TextsAtLevels(levels, texts, share, transform=place, **style))


def mark_values(axes: Axes, unit: str) -> None:
    """Write a few round numbers below, as text instead of ticks; the limits of the axes must be set."""
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
    """Return a locator of a few round numbers within limits."""
    from matplotlib.ticker import MaxNLocator  # noqa: PLC0415  matplotlib takes a second to import

    return MaxNLocator(5, steps=[1, 2, 5, 10])


def logarithmic(axes: Axes) -> None:
    """Make the values' axis logarithmic, with as many round numbers as have room, in thousands and millions."""
    from matplotlib.ticker import NullLocator  # noqa: PLC0415  as above

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


def short(value: float) -> str:
    """Return a round number: 300, 30 k, 3 M."""
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if value >= size:
            return f"{value / size:g}{letter}"
    return f"{value:.12f}".rstrip("0").rstrip(".") if value else "0"


def plain(value: float, unit: str) -> str:
    """Return a round number in full."""
    return f"{value:,.10g}{unit and f' {unit}'}"
