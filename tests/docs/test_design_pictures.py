"""The pictures of the design are those that `draw_design` draws today, and no import goes against their order."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import draw_design
import pytest
from draw_design import (
    PICTURES,
    Box,
    Import,
    Room,
    boxes_of,
    fitted,
    imports_of,
    picture,
    planned,
    reached_from,
    rooms_of,
)
from hypothesis import given
from hypothesis import strategies as st

DOCS = Path(__file__).parents[2] / "docs"
NAMES = [f"room{number}" for number in range(12)]
SVG = "{http://www.w3.org/2000/svg}"


@st.composite
def imports(draw: st.DrawFn) -> set[Import]:
    """Imports between rooms without circles: each room may import those after it in some order."""
    order = draw(st.permutations(NAMES))
    pairs = [(one, other) for place, one in enumerate(order) for other in order[place + 1 :]]
    return set(draw(st.lists(st.sampled_from(pairs), max_size=25)))


def chains(pairs: set[Import]) -> set[Import]:
    """All pairs of rooms of which the first imports the second, directly or through others."""
    below = {room: [imported for importer, imported in pairs if importer == room] for room in NAMES}
    return {(room, other) for room in NAMES for other in reached_from(room, below)}


@pytest.mark.parametrize("file", PICTURES)
@pytest.mark.flow
class TestCommittedPictures:
    def test_they_are_what_is_drawn(self, file):
        committed = (DOCS / file).read_text(encoding="utf-8")
        assert committed == picture(file), "what the picture shows has changed: make design"

    def test_each_import_goes_down_along_arrows(self, file):
        svg = ET.fromstring((DOCS / file).read_text(encoding="utf-8"))  # noqa: S314  a file of ours
        top = {
            group.get("data-room"): float(group[0].get("y")) for group in svg.iter(f"{SVG}g") if group.get("data-room")
        }
        drawn = [
            (arrow.get("data-from"), arrow.get("data-to")) for arrow in svg.iter(f"{SVG}path") if arrow.get("data-from")
        ]
        package, _title = PICTURES[file]
        found = imports_of(package, rooms_of(package))
        assert set(drawn) <= found
        below = {room: [imported for importer, imported in drawn if importer == room] for room in top}
        for importer, imported in found:
            assert top[importer] < top[imported], f"{importer} imports {imported}, which the picture shows above it"
            assert imported in reached_from(importer, below)
        assert 8 <= len(top) <= 15

    def test_they_are_on_the_page_with_words_for_those_who_do_not_see_them(self, file):
        page = (DOCS / "design.md").read_text(encoding="utf-8")
        assert re.search(rf"!\[[^\]]{{30,}}\]\({re.escape(file)}\)", page)


@given(imports())
def test_rooms_are_above_what_they_import_and_arrows_say_no_more_and_no_less(pairs):
    plan = planned(NAMES, pairs)
    height = {place: number for number, row in enumerate(plan.rows) for place in row if isinstance(place, str)}
    assert sorted(height) == sorted(NAMES)
    assert all(height[importer] < height[imported] for importer, imported in pairs)
    assert set(plan.arrows) <= pairs
    assert chains(set(plan.arrows)) == chains(pairs)
    assert all(arrow not in chains(set(plan.arrows) - {arrow}) for arrow in plan.arrows)


@given(imports())
def test_boxes_and_lanes_lie_beside_each_other_within_the_picture(pairs):
    plan = planned(NAMES, pairs)
    boxes = boxes_of(plan, {name: Room(name, "what it is for, and what it is not") for name in NAMES})
    lanes = [place for _row, place in boxes if not isinstance(place, str)]
    assert all(any(lane == arrow for arrow in plan.arrows) for lane in lanes)
    for number in range(len(plan.rows)):
        row: list[Box] = sorted((box for (at, _place), box in boxes.items() if at == number), key=lambda box: box.left)
        assert row[0].left >= 0
        assert row[-1].left + row[-1].width <= draw_design.WIDTH
        assert all(one.left + one.width < other.left for one, other in pairwise(row))


def test_a_circle_is_refused():
    with pytest.raises(ValueError, match=r"in a circle.*: room0, room1, room2"):
        planned(NAMES, {("room0", "room1"), ("room1", "room2"), ("room2", "room0"), ("room3", "room4")})


@given(st.text(alphabet="ab,;: ", max_size=300), st.integers(100, 470))
def test_words_fit_their_box(text, width):
    lines = fitted(text, width)
    assert len(lines) <= 3
    assert all(len(line) * draw_design.TEXT * draw_design.CHARACTER <= width for line in lines)
