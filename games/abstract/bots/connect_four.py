"""The bot of Connect Four."""

from __future__ import annotations

from typing import Final, cast

from mypy_extensions import i64, mypyc_attr

from tag import AnyAction, RuleBot
from tag.games.abstract.connect_four import ConnectFourState, Drop

_WIN: Final = 1000.0
_BLOCK: Final = 500.0
_GIVES_WIN: Final = -100.0
_GIVES_UP: Final = -20.0
_THREAT: Final = 4.0


@mypyc_attr(allow_interpreted_subclasses=True)
class Threats(RuleBot[ConnectFourState]):
    """Wins or blocks at once, gives no win away, and makes threats near the middle.

    A threat is a free cell that would complete a line. The bot does not play below a threat of the other player, nor below
    one of its own, which would be blocked.

    Source: our own, by the first rules of J. D. Allen, "The Complete Book of Connect 4", 2010.
    """

    def worth(self, state: ConnectFourState, action: AnyAction) -> float:
        """Weigh the cell, and the one above it."""
        drop = cast("Drop", action)
        mine, theirs = (state.first, state.second) if self.player == 0 else (state.second, state.first)
        disc = ((mine | theirs) + drop.bottom) & drop.cells
        if _has_line(state, mine | disc):
            return _WIN
        if _has_line(state, theirs | disc):
            return _BLOCK
        value = -abs(float(drop.column) - 0.5 * float(state.width - 1))
        above = (disc << 1) & drop.cells
        if above and _has_line(state, theirs | above):
            return value + _GIVES_WIN
        if above and _has_line(state, mine | above):
            value += _GIVES_UP
        return value + _THREAT * float(_n_threats(state, mine | disc, theirs))


def _has_line(state: ConnectFourState, discs: int) -> bool:
    """Say whether the discs of a player have a line."""
    stride = int(state.height) + 1
    for shift in (1, stride - 1, stride, stride + 1):
        found = discs
        for step in range(1, int(state.length)):
            found &= discs >> (shift * step)
        if found:
            return True
    return False


def _n_threats(state: ConnectFourState, mine: int, theirs: int) -> i64:
    """Return how many free cells would complete a line of ``mine``."""
    stride = int(state.height) + 1
    threats: i64 = 0
    for column in range(int(state.width)):
        for row in range(int(state.height)):
            cell = 1 << (column * stride + row)
            if not (mine | theirs) & cell and _has_line(state, mine | cell):
                threats += 1
    return threats
