"""The bot of Sim."""

from __future__ import annotations

from typing import Final, cast

from mypy_extensions import mypyc_attr

from tag import AnyAction, RuleBot
from tag.games.abstract.sim import Draw, SimState, has_both

_TRIANGLE: Final = -100.0
_SHARED: Final = 0.5


@mypyc_attr(allow_interpreted_subclasses=True)
class AvoidTriangles(RuleBot[SimState]):
    """Draws no triangle as long as it can, and keeps as many lines as possible that complete none.

    Among these it prefers lines that others could draw safely, too, and keeps those that only it can.

    Source: our own, after the advice in G. J. Simmons, "The game of Sim", Journal of Recreational Mathematics 2, 1969.
    """

    def worth(self, state: SimState, action: AnyAction) -> float:
        """Count the safe lines after a line, and for how many others the line is safe."""
        draw = cast("Draw", action)
        if has_both(state.drawn[self.player], draw.pairs):
            return _TRIANGLE
        after = state.copy()
        after.drawn[self.player] |= draw.bit
        after.free ^= draw.bit
        shared = 0.0
        for other in range(state.n_players):
            if other != self.player and not has_both(state.drawn[other], draw.pairs):
                shared += _SHARED
        return float(after.safe_lines(self.player)) + shared
