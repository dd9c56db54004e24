"""The one action of Dots and Boxes."""

from __future__ import annotations

from mypy_extensions import i64

from tag import Action, Event, Rng
from tag.games.abstract.dots_and_boxes.data import boxes_at, line_names
from tag.games.abstract.dots_and_boxes.state import DotsAndBoxesState


class DrawLine(Action[DotsAndBoxesState]):
    """Draw a line between two dots."""

    def __init__(self, line: i64, width: i64, height: i64) -> None:
        """Name the line by its number: lines across row by row, then lines down."""
        self.line = line
        self.width = width
        self.height = height
        n_across = width * (height + 1)
        stride = int(width) + 1
        self.is_across = line < n_across
        bit = int(line + line // width if self.is_across else line - n_across)
        self.bit: int = 1 << bit
        #: The boxes at its sides, up to two.
        self.boxes: int = 0
        row, column = divmod(bit, stride)
        if row < height and column < width:
            self.boxes |= self.bit
        if self.is_across and row > 0:
            self.boxes |= self.bit >> stride
        if not self.is_across and column > 0:
            self.boxes |= self.bit >> 1

    def completed(self, state: DotsAndBoxesState) -> int:
        """Return the boxes beside the line that have no free side."""
        return self.boxes & ~boxes_at(state.free_across, state.free_down, int(state.width) + 1)

    def execute(self, state: DotsAndBoxesState, rng: Rng) -> None:
        if self.is_across:
            state.free_across ^= self.bit
        else:
            state.free_down ^= self.bit
        state.left -= 1
        if state.recording:
            state.announce(Event("placed", state.current_player, places=(f"lines/{self}",)))

    def __str__(self) -> str:
        return line_names(int(self.width), int(self.height))[self.line]
