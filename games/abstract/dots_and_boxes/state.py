"""The positions of Dots and Boxes."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import GameState
from tag.components import Component, GraphBoard, GridBoard
from tag.games.abstract.dots_and_boxes.data import COLUMNS, boxes_at, by_free_sides, line_graph, lines_at

#: Points are packed in one integer; ten bits hold up to 1,023 boxes.
_POINTS: Final = 10
_MOST_POINTS: Final = 1023


@mypyc_attr(allow_interpreted_subclasses=True)
class DotsAndBoxesState(GameState):
    """The lines and boxes, as boards of bits (see `tag.games.abstract.dots_and_boxes.data`).

    The boards are Python's integers: fast up to 62 bits (7 by 5 boxes take 48), right beyond.

    Attributes:
        width: boxes in a row.
        height: boxes in a column.
        free_across: the lines above boxes, or at the bottom, that are not drawn.
        free_down: the lines left of boxes, or at the right edge, that are not drawn.
        open_boxes: the boxes that are not complete.
        owned: for each player the own boxes.
        points: how many these are, ten bits for each player, the first player lowest.
        left: how many lines are not drawn.
    """

    def __init__(self, n_players: i64, width: i64, height: i64, owned: tuple[int, ...]) -> None:
        super().__init__(n_players)
        self.width = width
        self.height = height
        self.free_across: int = 0
        self.free_down: int = 0
        self.open_boxes: int = 0
        self.owned = owned
        self.points: i64 = 0
        self.left: i64 = 0

    def copy(self) -> DotsAndBoxesState:
        other = DotsAndBoxesState(self.n_players, self.width, self.height, self.owned)
        self.copy_to(other)
        other.free_across = self.free_across
        other.free_down = self.free_down
        other.open_boxes = self.open_boxes
        other.points = self.points
        other.left = self.left
        return other

    def knowledge(self, player: i64) -> Hashable:
        """Return the lines, the owners and who is to move: all is open."""
        return (int(self.current_player), self.free_across, self.free_down, self.owned)

    def take(self, boxes: int, player: i64) -> None:
        """Give one or two ``boxes``, which have just been completed, to ``player``."""
        self.open_boxes &= ~boxes
        owned = list(self.owned)
        owned[player] |= boxes
        self.owned = tuple(owned)
        number: i64 = 2 if boxes & (boxes - 1) else 1
        self.points += number << _POINTS * player

    def takings(self) -> tuple[int, int, int, int, int]:
        """Return the boxes that the player to move can take at once, and the lines and boxes left after it.

        Returns:
            the number of boxes, the rounds in which they are taken if in each all boxes with three sides are, and the free
            lines across and down and the open boxes after that.
        """
        stride = int(self.width) + 1
        across, down, boxes = self.free_across, self.free_down, self.open_boxes
        rounds = 0
        while True:
            one, _two, _three = by_free_sides(across, down, stride)
            one &= boxes
            if one == 0:
                break
            rounds += 1
            taken_across, taken_down = lines_at(one, stride)
            across &= ~taken_across
            down &= ~taken_down
            boxes &= boxes_at(across, down, stride)
        taken = (self.open_boxes & ~boxes).bit_count() if rounds else 0
        return taken, rounds, across, down, boxes

    def score(self, player: i64) -> float:
        """Return the player's boxes."""
        return float(self.points >> _POINTS * player & _MOST_POINTS)

    def owners(self) -> list[int]:
        """Return the owner of each box, row by row, and -1 for a box that is not complete."""
        found: list[int] = []
        for bit in self._box_bits():
            owner = -1
            for player, boxes in enumerate(self.owned):
                if boxes >> bit & 1:
                    owner = player
            found.append(owner)
        return found

    def free_lines(self) -> list[bool]:
        """Return for each line of `lines_of` whether it is not drawn."""
        stride = int(self.width) + 1
        n_across = stride * (int(self.height) + 1)
        across = [self.free_across >> bit & 1 == 1 for bit in range(n_across) if bit % stride < self.width]
        return across + [self.free_down >> bit & 1 == 1 for bit in range(n_across - stride)]

    def _box_bits(self) -> list[int]:
        stride = int(self.width) + 1
        return [row * stride + column for row in range(int(self.height)) for column in range(int(self.width))]

    def cell_values(self) -> bytes:
        """Return for each line 0 if it is drawn, else 1 + the player to move; then for each box 0, or 1 + its owner.

        Who completes a box moves again, so lines and owners do not tell whose turn it is. A cell of its own for the turn
        would be in few n-tuples; this way it is in all that have a free line.
        """
        free = 1 + int(self.current_player)
        lines = [free if is_free else 0 for is_free in self.free_lines()]
        return bytes([*lines, *[1 + owner for owner in self.owners()]])

    def components(self) -> list[Component]:
        """Return the boxes with their owners, and the lines as a graph: those of one box are next to each other."""
        width, height = int(self.width), int(self.height)
        drawn = [0 if is_free else 1 for is_free in self.free_lines()]
        return [GridBoard("boxes", width, height, self.owners()), GraphBoard("lines", line_graph(width, height), drawn)]

    def __str__(self) -> str:
        """Draw the grid, with the number of its owner in each box, and the points."""
        width, height = int(self.width), int(self.height)
        drawn = [not is_free for is_free in self.free_lines()]
        owners = ["   " if owner < 0 else f" {owner} " for owner in self.owners()]
        n_across = width * (height + 1)
        texts = ["     " + "   ".join(COLUMNS[: width + 1])]
        for row in range(height + 1):
            across = ["---" if is_drawn else "   " for is_drawn in drawn[row * width : (row + 1) * width]]
            texts.append(f"{row + 1:3}  +{'+'.join(across)}+")
            if row < height:
                start = n_across + row * (width + 1)
                down = ["|" if is_drawn else " " for is_drawn in drawn[start : start + width + 1]]
                inside = [*owners[row * width : (row + 1) * width], ""]
                cells = [f"{line}{box}" for line, box in zip(down, inside, strict=True)]
                texts.append(f"     {''.join(cells)}".rstrip())
        texts.append(", ".join([f"player {player}: {self.score(player):g}" for player in range(self.n_players)]))
        return "\n".join(texts)
