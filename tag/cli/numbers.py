"""Types of numbers on command lines that no dataclass of options declares; each has a range."""

from __future__ import annotations

from typing import Any, Final

import click

from tag.catalogue.options import LARGEST, Range


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
#: A player's number, or -1 for one who sees everything.
VIEWER: Final = Number(int, -1)
