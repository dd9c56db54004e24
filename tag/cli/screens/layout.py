"""Lines of a screen: what fits, and the results of a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import click

from tag.engine.results import result_name
from tag.engine.state import GameState

#: So many of the available actions are always shown.
_FEWEST_LINES: Final = 5


def result_lines(state: GameState, names: Sequence[str]) -> list[str]:
    """Return the result of each player, who is called so in ``names``, in a final position."""
    return [
        f"{name}: {result_name(state.result(player))}, place {state.ordinal(player)}, score {state.score(player):g}"
        for player, name in enumerate(names)
    ]


def rows_around(number: int, rows: Sequence[str], lines: int) -> list[str]:
    """Return the rows around the one of this number, in so many lines, with notes on those left out above and below."""
    shown = lines - 2
    begin = min(max(number - shown // 2, 0), max(len(rows) - shown, 0))
    end = begin + shown
    above = [f"    … {begin} more"] if begin else []
    below = [f"    … {len(rows) - end} more"] if end < len(rows) else []
    return [*above, *rows[begin:end], *below]


def lines_left(lines: int, columns: int, text: Sequence[str]) -> int:
    """Return how many lines of a screen are left beside ``text``; some always are."""
    rows = [click.unstyle(row) for line in text for row in line.split("\n")]
    return max(lines - sum(max(1, -(-len(row) // columns)) for row in rows) - 1, _FEWEST_LINES)


def cut(line: str, columns: int) -> str:
    """Return a line that fits; none that is cut is bold."""
    plain = click.unstyle(line)
    return line if len(plain) <= columns else plain[: columns - 1] + "…"
