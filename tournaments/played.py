"""Which games have been played: a byte for each and not its id, so that millions are found, counted and skipped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tournaments.schedule import Pairing, Schedule

#: The columns of a ledger that say where in its schedule a game is.
PLACE: Final = ["block", "matchup", "seating"]


class PlayedGames:
    """The games of a ledger; ``pairing in played`` says whether one of a schedule is there."""

    def __init__(self, tables: Sequence[Any]) -> None:
        """Take note of the games in Arrow tables or data frames with the columns `PLACE`; each counts once."""
        place = tuple(_joined(tables, name) for name in PLACE)
        self._is_played = np.zeros([int(numbers.max(initial=-1)) + 1 for numbers in place], dtype=bool)
        self._is_played[place] = True
        self._in_block = np.count_nonzero(self._is_played, axis=(1, 2))

    def __len__(self) -> int:
        return int(self._in_block.sum())

    def __contains__(self, pairing: object) -> bool:
        if not isinstance(pairing, Pairing):
            return False
        place = (pairing.block, pairing.matchup, pairing.seating)
        is_inside = all(number < size for number, size in zip(place, self._is_played.shape, strict=True))
        return is_inside and bool(self._is_played[place])

    def missing(self, schedule: Schedule, blocks: range) -> Iterator[Pairing]:
        """Yield the games of some blocks that are not among these, in schedule order; whole blocks cost next to nothing."""
        for block in blocks:
            played = self._in(block)
            if played < schedule.n_games(block):
                games = schedule.games(range(block, block + 1))
                yield from (pairing for pairing in games if pairing not in self) if played else games

    def _in(self, block: int) -> int:
        return int(self._in_block[block]) if block < len(self._in_block) else 0


def _joined(tables: Sequence[Any], name: str) -> npt.NDArray[Any]:
    return np.concatenate([np.zeros(0, np.int16), *(table[name].to_numpy() for table in tables)])
