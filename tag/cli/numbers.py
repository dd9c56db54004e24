"""Types of numbers on command lines that no dataclass of options declares; each has a range."""

from __future__ import annotations

from typing import Any, Final

import click

from tag.catalogue.options import LARGEST, Range
from tag.errors import ParameterError


class Number(click.ParamType[float]):
    """A number in a range; `ParameterError` names the option for others.

    Attributes:
        range: the numbers that are possible.
    """

    def __init__(self, kind: type[int] | type[float], least: float, most: float = LARGEST) -> None:
        """Take whole numbers only, or all, from ``least`` to ``most``."""
        self.range = Range(least, most)
        self.name = "integer" if kind is int else "float"
        self._read: Any = click.INT if kind is int else click.FLOAT

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number that ``value`` is or stands for."""
        number = self._read.convert(value, param, ctx)
        self.range.check(param.opts[0] if param is not None else "it", number)
        return number


SEED: Final = Number(int, 0)
PLAYERS: Final = Number(int, 1)
#: How many of something that is there.
COUNT: Final = Number(int, 1)
#: A player's number, or -1 for one who sees everything.
VIEWER: Final = Number(int, -1)


def check_viewer(viewer: int, n_players: int) -> None:
    """Raise `ParameterError` where no player has that number, and it is not -1."""
    if not -1 <= viewer < n_players:
        raise ParameterError(f"--view cannot be {viewer}; the players are 0 to {n_players - 1}, and -1 sees everything")
