"""Figures of a page: drawn by matplotlib, as SVG text whose colours are those of the page's style sheet.

Ink, grid and series are drawn in placeholders, which become the style sheet's variables: so one drawing serves light and
dark. Text stays text. Nothing depends on the time, on the user's settings of matplotlib or on what was drawn before, so
that equal data give equal text.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from xml.sax.saxutils import quoteattr

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: What matplotlib draws with, by the variable of the style sheet that takes its place.
_PLACEHOLDERS: Final = {
    "ink": "#010203",
    "muted": "#010204",
    "grid": "#010205",
    **{f"series-{number}": f"#01030{number}" for number in range(10)},
    **{f"agent-{number}": f"#01040{number}" for number in range(8)},
}
INK: Final = _PLACEHOLDERS["ink"]
MUTED: Final = _PLACEHOLDERS["muted"]
GRID: Final = _PLACEHOLDERS["grid"]
#: Colours of things without an order, as unlike each other as can be, also to the colour-blind; for `draw`.
AGENT_COLOURS: Final = tuple(value for name, value in _PLACEHOLDERS.items() if name.startswith("agent-"))

_SETTINGS: Final[dict[Any, object]] = {
    "svg.fonttype": "none",
    "font.size": 10.0,
    "text.color": INK,
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
#: Frames with a margin of so many points at most on the left are for narrow windows: names stand above their rows.
NARROW_LEFT: Final = 20.0
_SHADES: Final = 10
#: Makes the text of figures as large as that of tables.
_PIXELS_PER_POINT: Final = 1.3

_IDS: Final = re.compile(r' id="([^"]*)"')
_REFERENCES: Final = re.compile(r'(?:url\(|href=")#([^")]*)')
_DECIMALS: Final = re.compile(r"(\.\d\d)\d+")
_GEOMETRY: Final = re.compile(r' (?:d|x|y|width|height|transform)="[^"]*"')
_FONTS: Final = re.compile(r"font-family: [^;]*; ")
_OWN_STYLE: Final = re.compile(r"<defs>\s*<style.*?</defs>", re.DOTALL)


@dataclass(frozen=True)
class Figure:
    """A figure.

    Attributes:
        title: what it shows.
        about: how to read it, in a sentence.
        svg: the drawing, as the element ``svg``.
        room: how wide it is best shown, in pixels.
        narrow: the same drawn for narrow windows; empty where the first is fit for them.
    """

    title: str
    about: str
    svg: str
    room: int
    narrow: str = ""


@dataclass(frozen=True)
class Frame:
    """The room of a figure, in points; a page scales it to the room there is.

    Margins are given rather than worked out: that would take as long as drawing everything again.

    Attributes:
        width: of the figure.
        height: of the figure.
        left: margin for what stands left of the axes.
        right: margin on the right.
        bottom: margin for the labels of the horizontal axis.
        top: margin on top.
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


def draw(
    name: str,
    title: str,
    label: str,
    frame: Frame,
    paint: Callable[[Axes], None],
    about: str = "",
    narrow: Frame | None = None,
) -> Figure:
    """Return what ``paint`` draws on a pair of axes.

    Args:
        name: distinct on the page.
        title: what it shows.
        label: the same in words and numbers, for those who cannot see it.
        frame: the room.
        paint: draws on axes, in the colours of this module.
        about: how to read it.
        narrow: the room in narrow windows, for which ``paint`` is asked again; by default the drawing is scaled.
    """
    label = f"{title}. {label}"
    room = round(_PIXELS_PER_POINT * frame.width)
    again = "" if narrow is None else _svg(f"{name}-narrow", label, narrow, paint)
    return Figure(title, about, _svg(name, label, frame, paint), room, again)


def _svg(name: str, label: str, frame: Frame, paint: Callable[[Axes], None]) -> str:
    """Return one drawing."""
    import matplotlib as mpl  # noqa: PLC0415  takes a while; only who draws waits for it
    from matplotlib.backends.backend_svg import FigureCanvasSVG  # noqa: PLC0415
    from matplotlib.figure import Figure as Drawing  # noqa: PLC0415

    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update({**_SETTINGS, "svg.hashsalt": name})
        drawing = Drawing((frame.width / POINTS_PER_INCH, frame.height / POINTS_PER_INCH))
        FigureCanvasSVG(drawing)
        paint(drawing.add_axes(frame.axes()))
        text = io.StringIO()
        drawing.savefig(text, format="svg", transparent=True, metadata={"Date": None})
    return _inline(text.getvalue(), label, name, frame)


def series_colour(position: int, count: int) -> str:
    """Return the colour of one of ``count`` things in an order, from dark to light, for `draw`."""
    return _PLACEHOLDERS[f"series-{_shade(position, count)}"]


def series_variable(position: int, count: int) -> str:
    """Return the same colour for HTML."""
    return variable(series_colour(position, count))


def variable(colour: str) -> str:
    """Return a colour of `draw` for HTML."""
    names = {placeholder: name for name, placeholder in _PLACEHOLDERS.items()}
    return f"var(--{names[colour]})"


def _shade(position: int, count: int) -> int:
    """Return the number of the shade; few things use all the range, many share shades."""
    return (_SHADES - 1) * position // max(count - 1, 1)


def _inline(svg: str, label: str, name: str, frame: Frame) -> str:
    """Return a file of matplotlib's as an element within HTML: small, in the page's fonts and colours, its ids its own."""
    body = _OWN_STYLE.sub("", svg[svg.index("<defs>") :])
    referred = set(_REFERENCES.findall(body))
    body = _IDS.sub(lambda match: f' id="{name}-{match[1]}"' if match[1] in referred else "", body)
    body = _REFERENCES.sub(lambda match: match[0].replace("#", f"#{name}-"), body).replace("xlink:href", "href")
    body = _GEOMETRY.sub(lambda match: _DECIMALS.sub(r"\1", match[0]), _FONTS.sub("", body))
    for variable, placeholder in _PLACEHOLDERS.items():
        body = body.replace(placeholder, f"var(--{variable})")
    return f'<svg role="img" viewBox="0 0 {frame.width:g} {frame.height:g}" aria-label={quoteattr(label)}>\n{body}'
