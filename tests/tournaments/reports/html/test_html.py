"""The pieces of reports: pages, tables and figures."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from importlib.resources import files
from itertools import combinations, pairwise
from math import log10

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.axes import Axes

from tag.tournaments.reports.figures import _STRONGEST, ranges_figure
from tag.tournaments.reports.html.figures import (
    _LETTER,
    INK,
    Frame,
    draw,
    series_colour,
    series_variable,
    short,
    with_room,
)
from tag.tournaments.reports.html.hints import Hint, along
from tag.tournaments.reports.html.page import page_html
from tag.tournaments.reports.sections.section import (
    Cell,
    Code,
    Column,
    Definitions,
    Figures,
    Folded,
    Heading,
    Key,
    Page,
    Paragraph,
    Section,
    table,
)


def line(axes: Axes) -> None:
    axes.plot([0.0, 1.0, 2.0], [2.0, 1.0, 2.0], color=series_colour(1, 2))
    axes.fill_between([0.0, 2.0], [0.0, 0.0], [1.0, 1.0], color=series_colour(0, 2))
    axes.annotate("here & there", (1.0, 1.0), color=INK)


class TestTables:
    def test_neighbouring_rows_with_the_same_first_label_are_a_group(self) -> None:
        frame = pd.DataFrame({"game": ["a", "a", "b", "a"], "players": [2, 3, 2, 4], "x": [1.0, 2.5, 1234.5, None]})
        found = table(frame, "T", ("game", "players"), {"x": Column("x", "s")})
        assert [(first, [labels for labels, _cells in rows]) for first, rows in found.groups] == [
            ("a", [["2"], ["3"]]), ("b", [["2"]]), ("a", [["4"]]),
        ]  # fmt: skip
        cells = [cells[0].text for _first, rows in found.groups for _labels, cells in rows]
        assert cells == ["1", "2.5", "1,234", "-"]

    def test_cells_stay_what_they_are(self) -> None:
        frame = pd.DataFrame({"agent": ["a", "b"], "x": [Cell("1", "± 2"), None]})
        found = table(frame, "T", ("agent",), {"x": Column("x")})
        assert [rows[0][1][0] for _first, rows in found.groups] == [Cell("1", "± 2"), Cell("-")]


class TestFigures:
    def test_a_drawing_is_well_formed_and_coloured_by_the_page(self) -> None:
        found = draw("f", "Title", 'a "label" with <marks>', Frame(300.0, 200.0), line)
        svg = ET.fromstring(found.svg)  # noqa: S314  our own
        assert svg.attrib["aria-label"] == 'Title. a "label" with <marks>'
        assert "here & there" in [element.text for element in svg.iter()]
        styles = " ".join(element.get("style", "") for element in svg.iter())
        for variable in ("ink", "muted", "series-0", "series-9"):
            assert f"var(--{variable})" in styles
        assert "font-family" not in styles
        assert "Date" not in found.svg

    def test_drawings_share_no_ids(self) -> None:
        first, second = (draw(name, "T", "l", Frame(300.0, 200.0), line).svg for name in ("a", "b"))
        ids = [{element.get("id") for element in ET.fromstring(svg).iter()} - {None} for svg in (first, second)]  # noqa: S314
        assert all(ids)
        assert not ids[0] & ids[1]

    def test_the_same_drawing_is_the_same_text(self) -> None:
        first = draw("a", "T", "l", Frame(300.0, 200.0), line).svg
        assert draw("b", "T", "l", Frame(310.0, 200.0), lambda axes: axes.set_xscale("log")).svg != first
        assert draw("a", "T", "l", Frame(300.0, 200.0), line).svg == first

    @pytest.mark.parametrize("count", [1, 2, 3, 9, 10, 25])
    def test_colours_go_from_one_end_to_the_other(self, count: int) -> None:
        shades = [int(series_variable(position, count).removeprefix("var(--series-")[:-1]) for position in range(count)]
        assert shades == sorted(shades)
        assert shades[0] == 0
        assert count == 1 or shades[-1] == 9
        assert len(set(shades)) == min(count, 10)


class TestHints:
    """A pointer on a mark is told its value, where the mark is drawn."""

    def test_each_row_has_its_value(self) -> None:
        rows = pd.DataFrame({
            "name": ["<one>", "two"], "colour": [INK, INK], "mean": [0.5, 0.25], "low": [0.4, 0.2], "high": [0.6, 0.3],
        })  # fmt: skip
        figure = ranges_figure("f", "T", "", rows)
        for svg, frame in ((figure.svg, figure.frame), (figure.narrow, figure.narrow_frame)):
            assert frame is not None
            root = ET.fromstring(svg)  # noqa: S314  our own
            marks = [element for element in root.iter() if element.tag.endswith("rect") and len(element)]
            assert ["".join(mark.itertext()) for mark in marks] == ["<one>: 0.5, 0.4 to 0.6", "two: 0.25, 0.2 to 0.3"]
            boxes = [[float(mark.attrib[name]) for name in ("x", "y", "width", "height")] for mark in marks]
            assert boxes[0][1] < boxes[1][1]  # the first is above
            for x, y, width, height in boxes:
                assert x >= frame.left - 0.1
                assert x + width <= frame.width - frame.right + 0.1
                assert -0.1 <= y <= y + height <= frame.height

    def test_hints_of_places_meet_and_are_few(self) -> None:
        hints = along({float(place): str(place) for place in range(100)})
        assert len(hints) <= 40
        assert hints[-1].text == "99"
        assert [one.right for one in hints[:-1]] == [one.left for one in hints[1:]]

    def test_points_are_large_enough_for_a_pointer_and_lie_on_them(self) -> None:
        figure = draw(
            "f", "T", "l", Frame(100.0, 100.0, 10.0, 10.0, 10.0, 10.0), corners, hints=[Hint.at("here", 1.0, 0.0)]
        )
        (mark,) = re.findall(
            r'<rect x="([-\d.]+)" y="([-\d.]+)" width="([\d.]+)" height="([\d.]+)"><title>here', figure.svg
        )
        x, y, width, height = map(float, mark)
        assert (width, height) == (8.0, 8.0)
        assert (x + 4.0, y + 4.0) == (pytest.approx(90.0, abs=0.1), pytest.approx(90.0, abs=0.1))


def corners(axes: Axes) -> None:
    axes.set_xlim(0.0, 1.0)
    axes.set_ylim(0.0, 1.0)


class TestAgentColours:
    """Eight agents are told apart in light and dark, whatever colours one sees."""

    @pytest.fixture(params=[0, 1], ids=["light", "dark"])
    def theme(self, request: pytest.FixtureRequest) -> dict[str, npt.NDArray[np.float64]]:
        """The style sheet's variables as linear RGB."""
        style = (
            files("tag.tournaments.reports.html")
            .joinpath("page.css")
            .read_text("utf-8")
            .split(":root {")[1 + request.param]
        )
        found = re.findall(r"--([a-z0-9-]+): #([0-9a-f]{6});", style.partition("}")[0])
        return {name: linear([int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]) for name, digits in found}

    def test_they_stand_out_from_the_card(self, theme: dict[str, npt.NDArray[np.float64]]) -> None:
        for number in range(8):
            assert contrast(theme[f"agent-{number}"], theme["card"]) >= 3.0  # what WCAG 2.2 asks of graphics

    def test_texts_and_lines_are_read_on_what_is_below_them(self, theme: dict[str, npt.NDArray[np.float64]]) -> None:
        for paper in ("page", "card"):
            assert all(contrast(theme[name], theme[paper]) >= 4.5 for name in ("ink", "muted", "accent"))  # WCAG 2.2
        assert all(contrast(theme[f"series-{shade}"], theme["card"]) >= 3.0 for shade in range(10))
        for name in ("agent-0", "agent-1"):  # the strongest cells of a heat map, mixed as browsers do, in sRGB
            shown = [srgb(theme[colour]) for colour in (name, "card")]
            mixed = linear(list(_STRONGEST * shown[0] + (1.0 - _STRONGEST) * shown[1]))
            assert contrast(theme["ink"], mixed) >= 4.5

    @pytest.mark.parametrize("seen", ["all", "no red", "no green", "no blue"])
    def test_they_are_unlike_each_other(self, theme: dict[str, npt.NDArray[np.float64]], seen: str) -> None:
        seen_as = [lab(np.clip(SEEN[seen] @ theme[f"agent-{number}"], 0.0, 1.0)) for number in range(8)]
        assert min(float(np.linalg.norm(one - other)) for one, other in combinations(seen_as, 2)) > 20.0


#: From linear RGB (IEC 61966-2-1), and how dichromats see it (Machado, Oliveira and Fernandes 2009, severity 1).
XYZ = np.array([[0.4125, 0.3576, 0.1804], [0.2127, 0.7152, 0.0722], [0.0193, 0.1192, 0.9503]])
SEEN = {
    "all": np.eye(3),
    "no red": np.array([[0.1523, 1.0526, -0.2049], [0.1145, 0.7863, 0.0992], [-0.0039, -0.0481, 1.0520]]),
    "no green": np.array([[0.3673, 0.8606, -0.2280], [0.2801, 0.6725, 0.0474], [-0.0118, 0.0429, 0.9689]]),
    "no blue": np.array([[1.2555, -0.0767, -0.1788], [-0.0784, 0.9308, 0.1476], [0.0047, 0.6914, 0.3039]]),
}


def contrast(one: npt.NDArray[np.float64], other: npt.NDArray[np.float64]) -> float:
    pair = float(XYZ[1] @ one) + 0.05, float(XYZ[1] @ other) + 0.05
    return max(pair) / min(pair)


def srgb(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.where(values <= 0.0031308, 12.92 * values, 1.055 * values ** (1.0 / 2.4) - 0.055)


def linear(rgb: list[float]) -> npt.NDArray[np.float64]:
    values = np.array(rgb)
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def lab(rgb: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """CIELAB, in which a distance of 2.3 is just noticed."""
    x, y, z = np.cbrt((XYZ @ rgb) / XYZ.sum(axis=1))
    return np.array([116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)])


def test_a_page_shows_every_kind_of_block() -> None:
    frame = pd.DataFrame({"agent": ["<b>"], "x": [1.0]})
    blocks = [
        Paragraph("a & b"),
        Heading("Heading"),
        Key("players", [("var(--series-0)", "two")]),
        Figures([draw("f", "Figure", "label", Frame(100.0, 100.0), line, about="about it")], "wide"),
        Definitions([("word", "meaning")]),
        Code("a < b \\\n  c"),
        Folded("More", [table(frame, "Caption", ("agent",), {"x": Column("x", "s")})]),
    ]
    text = page_html(Page("Title", "About", [("fact", "value")], [Section("s", "Section", blocks, "about")]))
    for piece in (
        "a &amp; b",
        "&lt;b&gt;",
        "Heading",
        "two",
        "about it",
        "meaning",
        "a &lt; b \\\n  c",
        "More",
        "Caption",
        "value",
        "#s",
    ):
        assert piece in text


@given(st.floats(-6.0, 6.0), st.floats(0.01, 9.0), st.sampled_from([200.0, 300.0, 500.0]))
def test_labels_of_logarithmic_axes_have_room(first: float, span: float, width: float) -> None:
    low, high = 10.0**first, 10.0 ** (first + span)
    values = with_room(low, high, width)
    assert values
    assert all(low <= value <= high for value in values)
    ends = [(width * log10(value / low) / span, 0.5 * _LETTER * len(short(value))) for value in values]
    assert all(at + half < next_at - next_half for (at, half), (next_at, next_half) in pairwise(ends))
    assert len({short(value) for value in values}) == len(values)
