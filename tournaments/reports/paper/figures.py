"""Figures of reports as files for papers, all in the style of ``paper.mplstyle``."""

from __future__ import annotations

import io
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Final

from tag.engine.text_files import read_text
from tag.errors import ParameterError, UnknownNameError, one_line
from tag.tournaments.ledger.storage import write_whole
from tag.tournaments.reports.html.figures import (
    AGENT_COLOURS,
    GRID,
    INK,
    MUTED,
    SERIES_COLOURS,
    Figure,
    colours_named,
    save,
)
from tag.tournaments.reports.sections.section import Figures, Page, unfolded

#: The kinds of files, and what keeps the time of drawing out of each: equal figures are equal files.
_TIMELESS: Final[dict[str, dict[str, None]]] = {
    "pdf": {"CreationDate": None},
    "svg": {"Date": None},
    "png": {"Software": None},
}
_STYLE: Final = "paper.mplstyle"
#: The part of the colour map that ordered categories have: its light end is hard to see on paper.
_DARKER: Final = 0.75


def figures_of(page: Page) -> dict[str, Figure]:
    """Return the figures of a page by their names, also folded ones, in the order of the page."""
    blocks = unfolded(block for section in page.sections for block in section.blocks)
    figures = [figure for block in blocks if isinstance(block, Figures) for figure in block.figures]
    return {figure.name.replace("figure-", ""): figure for figure in figures}


def write_figure(figure: Figure, file: Path, style: Path | None = None, *, narrow: bool = False) -> None:
    """Draw a figure into a file whose name ends in pdf, svg or png.

    Args:
        figure: of a report.
        file: to write; it gets the whole figure or stays as it was.
        style: a style file of matplotlib, whose settings win.
        narrow: for one of two columns, where the figure has a drawing of its own for that.

    Raises:
        UnknownNameError: the file's name ends otherwise, or the style has settings that there are not.
        ParameterError: a value of the style is none.
        DataError: the style cannot be read, or the file cannot be written.
    """
    import matplotlib as mpl  # noqa: PLC0415  takes a while; only who draws waits for it

    kind = file.suffix[1:].lower()
    if kind not in _TIMELESS:
        raise UnknownNameError.of("kind of figure", kind or file.name, tuple(_TIMELESS))
    content = io.BytesIO()
    with mpl.rc_context():
        _use_style(mpl, style)
        mpl.rcParams["svg.hashsalt"] = figure.name
        colours_named(_colours(mpl.rcParams))
        frame = figure.narrow_frame if narrow and figure.narrow_frame else figure.frame
        save(figure.paint, frame, content, kind, transparent=kind != "png", metadata=_TIMELESS[kind])
    write_whole(file, content.getvalue(), "name another file")


def _use_style(mpl: Any, style: Path | None) -> None:
    """Set matplotlib to the style of papers, and then to one of the user's."""
    mpl.rcdefaults()
    with as_file(files(__package__).joinpath(_STYLE)) as ours:
        mpl.style.use(ours)
    if style is None:
        return
    for line in read_text(style).splitlines():
        name, colon, _value = line.partition("#")[0].partition(":")
        if colon and name.strip() not in mpl.rcParams:
            raise UnknownNameError.of(f"setting in the style {str(style)!r}", name.strip(), mpl.rcParams)
    try:
        mpl.rcParams.update(mpl.rc_params_from_file(style, fail_on_error=True, use_default_template=False))
    except ValueError as error:
        raise ParameterError(f"{str(style)!r} is no style file of matplotlib: {one_line(str(error))}") from None


def _colours(settings: Any) -> dict[str, str]:
    """Return the values that settings of matplotlib give to the colours of figures."""
    from matplotlib import colormaps  # noqa: PLC0415  as above
    from matplotlib.colors import to_hex  # noqa: PLC0415  as above

    found = {INK: settings["text.color"], MUTED: settings["axes.labelcolor"], GRID: settings["grid.color"]}
    cycle = settings["axes.prop_cycle"].by_key().get("color", [settings["text.color"]])
    found |= {name: cycle[at % len(cycle)] for at, name in enumerate(AGENT_COLOURS)}
    shades = colormaps[settings["image.cmap"]]
    last = len(SERIES_COLOURS) - 1
    found |= {name: shades(_DARKER * at / last) for at, name in enumerate(SERIES_COLOURS)}
    return {name: to_hex(value) for name, value in found.items()}
