"""Cells: positions as small numbers, with the symmetries of the rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import final

from tag.engine.snapshot import Copyable
from tag.errors import ContractError


@final
class Cells(Copyable):
    """The cells of a game, which hold the numbers of `GameState.cell_values`, and the symmetries of its rules.

    n-tuples of cells, tables of values and learners of other kinds read positions in this form.

    Examples:
        >>> from tag import make_game
        >>> cells = make_game("tic_tac_toe").cells(2)
        >>> cells.number, len(cells.symmetries), cells.neighbours[0]
        (9, 8, (1, 3, 4))
        >>> list(cells.moved(bytes([1, 0, 0, 0, 0, 0, 0, 0, 2]), 1))
        [0, 0, 1, 0, 0, 0, 2, 0, 0]

    Attributes:
        number: the number of cells.
        n_values: what a cell holds is from 0 to one below this.
        symmetries: ways to move the cells that change nothing for the rules: ``symmetry[cell]`` is the place that the value
            of ``cell`` goes to. They form a group, and the first is the identity.
        actions: for each symmetry, the index in the vocabulary that every action goes to; empty if not declared. The image
            of an action is available in the image of the position.
        neighbours: for each cell, those next to it on the board.
        tuples: sets of n-tuples that are known to be good, by name; each tuple has distinct cells.
        rows: the cells as they lie on the board, row by row from the top; one row if not declared.
    """

    def __init__(
        self,
        number: int,
        n_values: int,
        symmetries: Iterable[Sequence[int]] = (),
        actions: Iterable[Sequence[int]] = (),
        neighbours: Iterable[Iterable[int]] = (),
        tuples: Mapping[str, Iterable[Sequence[int]]] | None = None,
        rows: Iterable[Iterable[int]] = (),
    ) -> None:
        """Declare the cells; without symmetries there is the identity only.

        Raises:
            ContractError: a symmetry is no permutation of cells or of actions, the first one is not the identity, a cell
                does not exist, or rows do not hold each cell once.
        """
        self.number = number
        self.n_values = n_values
        self.symmetries: tuple[tuple[int, ...], ...] = tuple([tuple(one) for one in symmetries]) or (
            tuple(range(number)),
        )
        self.actions: tuple[tuple[int, ...], ...] = tuple([tuple(one) for one in actions])
        self.neighbours: tuple[tuple[int, ...], ...] = tuple([tuple(cells) for cells in neighbours])
        self.tuples: dict[str, tuple[tuple[int, ...], ...]] = {
            name: tuple([tuple(cells) for cells in chosen]) for name, chosen in (tuples or {}).items()
        }
        self.rows: tuple[tuple[int, ...], ...] = tuple([tuple(row) for row in rows]) or (tuple(range(number)),)
        self._check()

    def _check(self) -> None:
        number, places = self.number, list(range(self.number))
        if sorted([cell for row in self.rows for cell in row]) != places:
            raise ContractError(f"the rows {self.rows} do not hold each of the {number} cells once")
        for symmetry in self.symmetries:
            if sorted(symmetry) != places:
                raise ContractError(f"the symmetry {symmetry} is no permutation of the {number} cells")
        if self.symmetries[0] != tuple(places):
            raise ContractError(f"the first symmetry is {self.symmetries[0]}; it must be the identity")
        if self.actions and len(self.actions) != len(self.symmetries):
            raise ContractError(
                f"{len(self.symmetries)} symmetries need as many maps of actions, not {len(self.actions)}"
            )
        for actions in self.actions:
            if sorted(actions) != list(range(len(self.actions[0]))):
                raise ContractError(f"the map of actions {actions} is no permutation of {len(self.actions[0])} actions")
        for cells in (*self.neighbours, *[cells for chosen in self.tuples.values() for cells in chosen]):
            if len(set(cells)) < len(cells) or not all([0 <= cell < number for cell in cells]):
                raise ContractError(f"{cells} are not distinct cells from 0 to {number - 1}")

    def moved(self, values: bytes, symmetry: int) -> bytes:
        """Return ``values`` as they are after the symmetry with this number."""
        places = self.symmetries[symmetry]
        found = [0] * self.number
        for cell, value in enumerate(values):
            found[places[cell]] = value
        return bytes(found)


def square_symmetries(side: int) -> list[tuple[int, ...]]:
    """Return the rotations and reflections of a square grid, whose cells are numbered row by row; the identity first.

    Examples:
        >>> square_symmetries(2)
        [(0, 1, 2, 3), (1, 3, 0, 2), (3, 2, 1, 0), (2, 0, 3, 1), (1, 0, 3, 2), (3, 1, 2, 0), (2, 3, 0, 1), (0, 2, 1, 3)]
    """
    cells = range(side * side)
    turn = tuple([(side - 1 - cell // side) + cell % side * side for cell in cells])
    found: list[tuple[int, ...]] = []
    for start in (tuple(cells), tuple([cell // side * side + side - 1 - cell % side for cell in cells])):
        symmetry = start
        for _quarter in range(4):
            found.append(symmetry)
            symmetry = tuple([turn[cell] for cell in symmetry])
    return found


def grid_rows(width: int, height: int) -> list[range]:
    """Return the rows of a grid whose cells are numbered row by row.

    Examples:
        >>> [list(row) for row in grid_rows(3, 2)]
        [[0, 1, 2], [3, 4, 5]]
    """
    return [range(row * width, (row + 1) * width) for row in range(height)]


def grid_neighbours(width: int, height: int) -> list[list[int]]:
    """Return for each cell of a grid, numbered row by row, the up to eight cells around it.

    Examples:
        >>> grid_neighbours(3, 2)[0]
        [1, 3, 4]
    """
    return [
        [
            row * width + column
            for row in range(max(0, cell // width - 1), min(height, cell // width + 2))
            for column in range(max(0, cell % width - 1), min(width, cell % width + 2))
            if row * width + column != cell
        ]
        for cell in range(width * height)
    ]
