"""Draw the pictures of ``docs/design.md``: rooms in rows, and arrows for their imports (``make design``).

A room is a folder or module of a package; its words are the first line of its docstring. Each room stands above all that it
imports. An arrow is left out where a chain of other arrows says the same (the transitive reduction). Nothing else decides
what is drawn, so the same sources make the same pictures.
"""

from __future__ import annotations

import ast
import re
import sys
import textwrap
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.util import find_spec
from itertools import combinations, pairwise, product
from pathlib import Path
from typing import Final

import grimp

ROOT: Final = Path(__file__).parents[2]
#: The pictures by file below ``docs/``: a package, and what is told to those who do not see it.
PICTURES: Final = {
    "design.svg": ("tag", "Rooms of the package, each above those that it imports"),
    "design_tournaments.svg": ("tag.tournaments", "Rooms of tournaments, each above those that it imports"),
    "design_tuning.svg": ("tag.tuning", "Rooms of tuning, each above those that it imports"),
}
#: All rooms import the errors, and ``__main__`` only starts the command.
LEFT_OUT: Final = {"tag.errors", "tag.__main__"}
#: An import: who imports, and what.
Import = tuple[str, str]
#: A place in a row: a room, or the lane of an arrow that passes.
Place = str | Import

WIDTH: Final = 720.0
MARGIN: Final = 16.0
WIDEST: Final = 470.0
GAP: Final = 18.0
LANE: Final = 12.0
BETWEEN_ROWS: Final = 34.0
LINE: Final = 18.0
TITLE: Final = 16.0
TEXT: Final = 13.5
#: The mean width of a character, as a part of the size of the font.
CHARACTER: Final = 0.55
MOST_SWEEPS: Final = 30


@dataclass(frozen=True)
class Room:
    """A box: its name, as a folder or file, and what its docstring says."""

    title: str
    about: str


@dataclass(frozen=True)
class Plan:
    """Rows of places from top to bottom, and the arrows between rooms."""

    rows: Sequence[Sequence[Place]]
    arrows: Sequence[Import]


def rooms_of(package: str) -> dict[str, Room]:
    """Return the rooms of a package by the names of their modules."""
    spec = find_spec(package)
    assert spec is not None
    assert spec.submodule_search_locations
    found: dict[str, Room] = {}
    for path in sorted(Path(spec.submodule_search_locations[0]).iterdir()):
        source = path / "__init__.py" if path.is_dir() else path
        if source.suffix == ".py" and source.is_file() and path.stem != "__init__":
            docstring = ast.get_docstring(ast.parse(source.read_text(encoding="utf-8"))) or ""
            found[f"{package}.{path.stem}"] = Room(f"{path.name}/" if path.is_dir() else path.name, words_of(docstring))
    return {name: room for name, room in found.items() if name not in LEFT_OUT}


def words_of(docstring: str) -> str:
    """Return the first sentence of a docstring for a box: without a name before it, brackets and marks of code.

    >>> words_of("The engine: states, actions and `Rng`.")
    'States, actions and Rng'
    """
    sentence = re.sub(r"`|\s*\([^)]*\)", "", docstring.partition("\n")[0]).partition(". ")[0].removesuffix(".")
    words = re.sub(r"^(?:\w+ ){0,2}\w+: ", "", sentence)
    return words[:1].upper() + words[1:]


def imports_of(package: str, rooms: Collection[str]) -> set[Import]:
    """Return who imports whom among the rooms of a package; also imports for types and within functions.

    Imports that ``pyproject.toml`` excuses from the layers are not counted.
    """
    graph = grimp.build_graph("tag", cache_dir=None)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    excused = {
        entry for contract in contracts if contract["type"] == "layers" for entry in contract.get("ignore_imports", ())
    }
    room_of = {module: room for room in rooms for module in (room, *graph.find_descendants(room))}
    return {
        (room, room_of[imported])
        for module, room in room_of.items()
        for imported in graph.find_modules_directly_imported_by(module)
        if room_of.get(imported, room) != room and f"{module} -> {imported}" not in excused
    }


def planned(rooms: Collection[str], imports: Collection[Import]) -> Plan:
    """Put each room in the lowest row above all that it imports, and the places of a row in an order with few crossings.

    Raises:
        ValueError: rooms import each other in a circle.
    """
    below = {room: sorted(imported for importer, imported in imports if importer == room) for room in sorted(rooms)}
    height: dict[str, int] = {}
    while waiting := [room for room in below if room not in height]:
        ready = [room for room in waiting if all(other in height for other in below[room])]
        if not ready:
            raise ValueError(f"these rooms import each other in a circle, or are above one: {', '.join(waiting)}")
        height.update({room: 1 + max((height[other] for other in below[room]), default=-1) for room in ready})
    arrows = reduced(below)
    rows: list[list[Place]] = [[] for _row in range(1 + max(height.values(), default=0))]
    for room in below:
        rows[height[room]].append(room)
    for importer, imported in arrows:
        for passed in range(height[imported] + 1, height[importer]):
            rows[passed].append((importer, imported))
    return Plan(ordered(rows[::-1], arrows), arrows)


def reduced(below: Mapping[str, Sequence[str]]) -> list[Import]:
    """Return the imports that no chain of other imports implies."""
    return [
        (room, other)
        for room, imported in below.items()
        for other in imported
        if not any(other in reached_from(between, below) for between in imported if between != other)
    ]


def reached_from(room: str, below: Mapping[str, Sequence[str]]) -> set[str]:
    """Return all rooms that a room imports, directly or through others."""
    found: set[str] = set()
    waiting = [room]
    while waiting:
        new = [other for other in below[waiting.pop()] if other not in found]
        found.update(new)
        waiting += new
    return found


def ordered(rows: Sequence[Sequence[Place]], arrows: Sequence[Import]) -> list[list[Place]]:
    """Return the rows with their places moved within them, until no move of one place makes the arrows clearer."""
    found = [[], *(list(row) for row in rows), []]
    links = [[step for arrow in arrows for step in steps(arrow, pair)] for pair in pairwise(found)]
    for _sweep in range(MOST_SWEEPS):
        before = list(found)
        for number in range(1, len(found) - 1):
            found[number] = clearest(found[number - 1 : number + 2], links[number - 1 : number + 1])
        if found == before:
            break
    return found[1:-1]


def clearest(rows: Sequence[list[Place]], links: Sequence[Sequence[tuple[Place, Place]]]) -> list[Place]:
    """Return the middle one of three rows with one place moved, or none, for the least tangle of steps on both sides."""
    above, row, below = rows
    return min(moved(row), key=lambda order: tangle(above, order, links[0]) + tangle(order, below, links[1]))


def moved(row: Sequence[Place]) -> Iterator[list[Place]]:
    """Yield a row as it is, and with each of its places moved to each other index."""
    yield list(row)
    for place in row:
        rest = [other for other in row if other != place]
        for index in range(len(row)):
            yield [*rest[:index], place, *rest[index:]]


def steps(arrow: Import, rows: Sequence[Sequence[Place]]) -> Iterator[tuple[Place, Place]]:
    """Yield the step of an arrow from one row to the next, if it goes that way."""
    starts = [place for place in rows[0] if place in (arrow[0], arrow)]
    ends = [place for place in rows[1] if place in (arrow[1], arrow)]
    if starts and ends:
        yield starts[0], ends[0]


def tangle(above: Sequence[Place], below: Sequence[Place], links: Sequence[tuple[Place, Place]]) -> float:
    """Return the crossings of the steps between two rows, and a little for steps to the side."""
    lines = [(centre(above, start), centre(below, end)) for start, end in links]
    crossings = sum((one[0] - two[0]) * (one[1] - two[1]) < 0 for one, two in combinations(lines, 2))
    return crossings + sum((start - end) ** 2 for start, end in lines) / 100


def centre(row: Sequence[Place], place: Place) -> float:
    """Return where a place is in its row, from 0 to 1."""
    return (row.index(place) + 0.5) / len(row)


@dataclass(frozen=True)
class Box:
    """The rectangle of a place; lanes have no text."""

    left: float
    top: float
    width: float
    height: float
    lines: Sequence[str] = ()


def boxes_of(plan: Plan, rooms: Mapping[str, Room]) -> dict[tuple[int, Place], Box]:
    """Return the rectangles of all places by row and place; the rooms of a row are in the middle between its lanes."""
    found: dict[tuple[int, Place], Box] = {}
    top = MARGIN
    for number, row in enumerate(plan.rows):
        names = [place for place in row if isinstance(place, str)]
        free = WIDTH - 2 * MARGIN - GAP * (len(row) - 1) - LANE * (len(row) - len(names))
        width = min(WIDEST, free / len(names))
        spare = (free - width * len(names)) / 2
        lines: dict[Place, list[str]] = {name: fitted(rooms[name].about, width) for name in names}
        height = TITLE + 22 + LINE * max(map(len, lines.values()))
        left = MARGIN
        for place in row:
            left += spare if place == names[0] else 0.0
            across = width if place in lines else LANE
            found[number, place] = Box(left, top, across, height, lines.get(place, ()))
            left += across + GAP + (spare if place == names[-1] else 0.0)
        top += height + BETWEEN_ROWS
    return found


def fitted(text: str, width: float) -> list[str]:
    """Return text in at most three lines of a width; what is too long loses its last clauses, or else words."""
    characters = int((width - 20) / (TEXT * CHARACTER))
    while len(lines := textwrap.wrap(text, characters, break_on_hyphens=False)) > 3:
        clauses = [text.rpartition(mark)[0] for mark in (", ", "; ", ": ", " and ", " that ")]
        text = max(clauses, key=len) or text.rpartition(" ")[0]
    return lines


def drawn(plan: Plan, rooms: Mapping[str, Room], title: str) -> str:
    """Return a plan as SVG."""
    boxes = boxes_of(plan, rooms)
    height = max(box.top + box.height for box in boxes.values()) + MARGIN
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:.0f} {height:.0f}"',
            '  role="img" aria-labelledby="title" font-family="system-ui, sans-serif"',
            f'  font-size="{TEXT}" text-anchor="middle" fill="#1b2b29">',
            f'  <title id="title">{escape(title)}.</title>',
            '  <marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto">',
            '    <path d="M0 0 L10 5 L0 10 z" fill="#00796b"/>',
            "  </marker>",
            f'  <rect width="{WIDTH:.0f}" height="{height:.0f}" rx="10" fill="#f4f8f7"/>',
            *(
                line
                for (_row, place), box in boxes.items()
                if isinstance(place, str)
                for line in box_lines(place, rooms, box)
            ),
            '  <g fill="none" stroke="#00796b" stroke-width="1.5" marker-end="url(#tip)">',
            *(
                f'    <path data-from="{arrow[0]}" data-to="{arrow[1]}" d="{path_of(arrow, plan, boxes)}"/>'
                for arrow in plan.arrows
            ),
            "  </g>",
            "</svg>",
            "",
        ]
    )


def box_lines(name: str, rooms: Mapping[str, Room], box: Box) -> Iterator[str]:
    """Yield the lines of SVG for one room."""
    middle = box.left + box.width / 2
    yield f'  <g data-room="{name}">'
    yield (
        f'    <rect x="{box.left:.1f}" y="{box.top:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="6"'
        ' fill="#fff" stroke="#00796b" stroke-width="1.5"/>'
    )
    yield (
        f'    <text x="{middle:.1f}" y="{box.top + 24:.1f}" font-size="{TITLE:.0f}" font-weight="600">'
        f"{escape(rooms[name].title)}</text>"
    )
    for number, line in enumerate(box.lines):
        yield f'    <text x="{middle:.1f}" y="{box.top + 24 + LINE * (number + 1):.1f}">{escape(line)}</text>'
    yield "  </g>"


def path_of(arrow: Import, plan: Plan, boxes: Mapping[tuple[int, Place], Box]) -> str:
    """Return the path of an arrow: from the foot of a room through its lanes to the top of another."""
    first, *lanes, last = passed(arrow, boxes)
    ends = [*(lane.left + lane.width / 2 for lane in lanes), port(arrow, plan, boxes, last)]
    x, y = port(arrow, plan, boxes, first), first.top + first.height
    path = f"M{x:.1f} {y:.1f}"
    for box, end in zip([*lanes, last], ends, strict=True):
        middle = (y + box.top) / 2
        path += f" C{x:.1f} {middle:.1f} {end:.1f} {middle:.1f} {end:.1f} {box.top:.1f}"
        x, y = end, box.top + box.height
        path += "" if box is last else f" V{y:.1f}"
    return path


def passed(arrow: Import, boxes: Mapping[tuple[int, Place], Box]) -> list[Box]:
    """Return the boxes of an arrow from top to bottom: its two rooms and the lanes between them."""
    return [box for (_row, place), box in boxes.items() if place in (*arrow, arrow)]


def port(arrow: Import, plan: Plan, boxes: Mapping[tuple[int, Place], Box], box: Box) -> float:
    """Return where an arrow meets a box: all that begin or end there are spread evenly, in the order of their other ends."""
    end = 0 if passed(arrow, boxes)[0] is box else 1
    others = {one: passed(one, boxes)[-2 if end else 1] for one in plan.arrows if one[end] == arrow[end]}
    places = sorted(others, key=lambda one: (others[one].left + others[one].width / 2, one))
    return box.left + box.width * (places.index(arrow) + 1) / (len(places) + 1)


def picture(file: str) -> str:
    """Return the SVG of one of the pictures."""
    package, title = PICTURES[file]
    rooms = rooms_of(package)
    return drawn(planned(rooms, imports_of(package, rooms)), rooms, title)


if __name__ == "__main__":
    for name, folder in product(PICTURES, sys.argv[1:]):
        (Path(folder) / name).write_text(picture(name), encoding="utf-8")
