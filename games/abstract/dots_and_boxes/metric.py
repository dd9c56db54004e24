"""The metric of Dots and Boxes."""

from __future__ import annotations

from typing import ClassVar, cast

from mypy_extensions import i64

from tag import Agent, AnyAction, GameState, Metric
from tag.games.abstract.dots_and_boxes.actions import DrawLine
from tag.games.abstract.dots_and_boxes.data import by_free_sides, lines_at
from tag.games.abstract.dots_and_boxes.state import DotsAndBoxesState
from tag.playing.metrics import share


class DotsAndBoxesMetric(Metric):
    """Counts boxes given away, left, and taken in a row."""

    measures: ClassVar[dict[str, str]] = {
        "given_away": "share of turns that end with the third side of a box although another line would not have been one",
        "left_boxes": "share of turns that end although a box could have been taken",
        "double_crosses": "lines that complete two boxes",
        "longest_run": "most boxes that a player took in one turn",
    }

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Look at the line on a copy."""
        before = cast("DotsAndBoxesState", state)
        line = cast("DrawLine", action)
        after = before.copy()
        line.execute(after, self.rng)
        boxes = line.completed(after).bit_count()
        if boxes:
            self.counts["run"] += boxes
            self.counts["longest"] = max(self.counts["longest"], self.counts["run"])
            self.counts["double"] += boxes - 1
            return
        self.counts["run"] = 0
        self.counts["turns"] += 1
        stride = int(before.width) + 1
        one, two, _three = by_free_sides(before.free_across, before.free_down, stride)
        if one & before.open_boxes:
            self.counts["left"] += 1
        across, down = lines_at((one | two) & before.open_boxes, stride)
        has_safe_line = before.free_across & ~across != 0 or before.free_down & ~down != 0
        if line.boxes & two and has_safe_line:
            self.counts["given"] += 1

    def values(self) -> dict[str, list[float]]:
        counts = self.counts
        return {
            "given_away": share(counts["given"], counts["turns"]),
            "left_boxes": share(counts["left"], counts["turns"]),
            "double_crosses": [float(counts["double"])],
            "longest_run": [float(counts["longest"])],
        }
