"""Results of a game for a player, as small integers: better results are greater."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

WIN: Final = 2
DRAW: Final = 1
LOSE: Final = -1
TIMEOUT: Final = -2
DISQUALIFIED: Final = -3
#: The game goes on for the player.
ONGOING: Final = 0

_NAMES: Final = {
    WIN: "win",
    DRAW: "draw",
    LOSE: "lose",
    TIMEOUT: "timeout",
    DISQUALIFIED: "disqualified",
    ONGOING: "ongoing",
}


def result_name(result: i64) -> str:
    """Return ``result`` as a word: win, draw, lose, timeout, disqualified or ongoing.

    Examples:
        >>> [result_name(result) for result in (WIN, DRAW, LOSE)]
        ['win', 'draw', 'lose']
    """
    return _NAMES[int(result)]
