"""Tables of simulated shares, which the modules of this folder list in ``TABLES``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np

#: The settings of a row, as its first cells show them.
Settings = tuple[Any, ...]
#: The shares found by column.
Shares = dict[str, float]


@dataclass(frozen=True)
class Table:
    """Shares of simulations in which something held, by settings.

    Attributes:
        title: the heading.
        about: a paragraph below it: what is simulated, and what the columns are.
        settings: the headings of the settings.
        rows: the settings of each row, and its number of simulations.
        measure: of settings, the number of simulations and a generator, the shares by column; it is vectorised where it
            can be.
    """

    title: str
    about: str
    settings: tuple[str, ...]
    rows: Sequence[tuple[Settings, int]]
    measure: Callable[[Settings, int, np.random.Generator], Shares]

    def measured(self, settings: Settings, simulations: int) -> dict[str, Any]:
        """Return the record of a row; the random numbers depend on its settings alone."""
        rng = np.random.default_rng(crc32(repr((self.title, settings)).encode()))
        return {
            "settings": [str(value) for value in settings],
            "simulations": simulations,
            "shares": {name: float(share) for name, share in self.measure(settings, simulations, rng).items()},
        }


def markdown(table: Table, records: Sequence[dict[str, Any]]) -> str:
    """Return a table with its heading and paragraph; shares are in percent."""
    columns = list(dict.fromkeys(name for record in records for name in record["shares"]))
    lines = [f"## {table.title}", "", table.about, ""]
    lines += [
        _line([*table.settings, *columns, "simulations"]),
        _line(["---"] * (len(table.settings) + len(columns) + 1)),
    ]
    for record in records:
        shares = [f"{100.0 * record['shares'][name]:.1f}" if name in record["shares"] else "" for name in columns]
        lines.append(_line([*record["settings"], *shares, f"{record['simulations']:,}"]))
    return "\n".join(lines) + "\n"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
