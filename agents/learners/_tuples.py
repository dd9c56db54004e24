"""Sets of n-tuples of cells, drawn at random."""

from __future__ import annotations

from tag.engine.encoding import Cells
from tag.engine.rng import Rng
from tag.errors import ParameterError


def random_points(cells: Cells, number: int, length: int, rng: Rng) -> list[tuple[int, ...]]:
    """Return ``number`` tuples of ``length`` distinct cells, drawn anywhere."""
    found: list[tuple[int, ...]] = []
    for _tuple in range(number):
        places = list(range(cells.number))
        rng.shuffle(places)
        found.append(tuple(sorted(places[:length])))
    return found


def random_walks(cells: Cells, number: int, length: int, rng: Rng) -> list[tuple[int, ...]]:
    """Return ``number`` tuples of ``length`` distinct cells, each the places of a walk from neighbour to neighbour.

    Raises:
        ParameterError: from some cell, a walk cannot reach as many.
    """
    for place in range(cells.number):
        reached = len(_connected(cells, place))
        if reached < length:
            raise ParameterError(
                f"tuples cannot be walks of {length} cells here, as from cell {place} a walk reaches {reached}; "
                "the nearest is 'points'"
            )
    found: list[tuple[int, ...]] = []
    for _tuple in range(number):
        place = int(rng.below(cells.number))
        visited = {place}
        while len(visited) < length:
            place = rng.choice(list(cells.neighbours[place]))
            visited.add(place)
        found.append(tuple(sorted(visited)))
    return found


def _connected(cells: Cells, start: int) -> set[int]:
    """Return the cells that a walk from ``start`` can come to."""
    found = {start}
    new = [start]
    while new:
        place = new.pop()
        for cell in cells.neighbours[place] if cells.neighbours else ():
            if cell not in found:
                found.add(cell)
                new.append(cell)
    return found
