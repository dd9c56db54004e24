"""The bot of Dots and Boxes."""

from __future__ import annotations

from typing import Final, cast

from mypy_extensions import mypyc_attr

from tag import AnyAction, Parameters, RuleBot
from tag.games.abstract.dots_and_boxes.actions import DrawLine
from tag.games.abstract.dots_and_boxes.data import by_free_sides, lines_at
from tag.games.abstract.dots_and_boxes.state import DotsAndBoxesState

_KEEP_CONTROL: Final = 200.0
_TAKE: Final = 100.0
_SAFE: Final = 50.0
#: Boxes left of a chain and of a loop to keep control, each pair in one line.
_LEFT_OF_CHAIN: Final = 2
_LEFT_OF_LOOP: Final = 4
#: Boxes that have to follow to make that worth it.
_ENOUGH: Final = 5


@mypyc_attr(allow_interpreted_subclasses=True)
class ChainCounter(RuleBot[DotsAndBoxesState]):
    """Takes boxes, draws safe lines as long as there are any, and then counts chains.

    Of safe lines, those that give no box away, it prefers one that leaves an even number of them: then the other player is
    the first without one. Without safe lines it opens the shortest chain. It leaves the last two boxes of a chain, or four
    of a loop, to the other player, who then has to open the next chain: only with two players, and if enough boxes follow.

    Source: E. Berlekamp, "The Dots and Boxes Game: Sophisticated Child's Play", 2000, on control and double-dealing.
    """

    def __init__(self, parameters: Parameters | None = None) -> None:
        super().__init__(parameters)
        self.takeable = 0
        self.may_leave = False

    def prepare(self, state: DotsAndBoxesState) -> None:
        """Count the boxes to be taken, and those that follow."""
        self.takeable, _rounds, across, down, boxes = state.takings()
        unsafe = by_free_sides(across, down, int(state.width) + 1)[1] & boxes
        near_across, near_down = lines_at(unsafe, int(state.width) + 1)
        has_safe_line = across & ~near_across != 0 or down & ~near_down != 0
        self.may_leave = state.n_players == 2 and not has_safe_line and boxes.bit_count() >= _ENOUGH

    def worth(self, state: DotsAndBoxesState, action: AnyAction) -> float:
        """Weigh the boxes taken, left or given away by a line."""
        line = cast("DrawLine", action)
        after = state.copy()
        line.execute(after, self.sim.rng)
        taken = line.completed(after)
        after.open_boxes &= ~taken
        given, rounds, _across, _down, _boxes = after.takings()
        if taken:
            return _TAKE + float(taken.bit_count())
        if self.may_leave and self.takeable == given and rounds == 1 and given in {_LEFT_OF_CHAIN, _LEFT_OF_LOOP}:
            return _KEEP_CONTROL
        if given > self.takeable:
            return -float(given) + (0.5 if rounds == 1 else 0.0)
        return _SAFE + (1.0 if _n_safe(after) % 2 == 0 else 0.0)


def _n_safe(state: DotsAndBoxesState) -> int:
    """Return the number of lines that are no third side of a box."""
    stride = int(state.width) + 1
    one, two, _three = by_free_sides(state.free_across, state.free_down, stride)
    across, down = lines_at((one | two) & state.open_boxes, stride)
    return (state.free_across & ~across).bit_count() + (state.free_down & ~down).bit_count()
