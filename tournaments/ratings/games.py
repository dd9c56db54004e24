"""Games as ratings see them: who sat where, who came before whom, and which games share their luck."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from tag.errors import DataError
from tag.results import ONGOING, result_name

#: Stands where a game has no such seat.
NOBODY: Final = -1

_Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class RankedGames:
    """Games with the place of every seat. Their order means nothing.

    Attributes:
        labels: the agents.
        agents: of shape (games, seats): the agent's number in each seat, `NOBODY` past the last seat of a game.
        places: likewise the place, where less is better and those who share a place have equal numbers.
        blocks: of shape (games,): games with the same number share their chance seed.
        teams: of shape (games, seats): the same number for those who win and lose together; None where all play alone.
    """

    labels: tuple[str, ...]
    agents: _Ints
    places: _Ints
    blocks: _Ints
    teams: _Ints | None = None

    def __post_init__(self) -> None:
        """Refuse arrays that do not fit together.

        Raises:
            DataError: shapes differ, an agent is not among the labels, or a seat is empty before the last one.
        """
        if self.teams is not None and self.teams.shape != self.agents.shape:
            raise DataError(f"teams cannot have shape {self.teams.shape}; it is that of agents, {self.agents.shape}")
        if (
            self.agents.ndim != 2
            or self.places.shape != self.agents.shape
            or self.blocks.shape != self.agents.shape[:1]
        ):
            shapes = f"{self.agents.shape}, {self.places.shape} and {self.blocks.shape}"
            raise DataError(
                f"agents, places and blocks cannot have shapes {shapes}; they are of (g, n), (g, n) and (g,)"
            )
        if self.agents.size and not (self.agents.min() >= NOBODY and self.agents.max() < len(self.labels)):
            raise DataError(f"an agent's number is outside of 0 to {len(self.labels) - 1}")
        if np.any(self.is_seat[:, 1:] & ~self.is_seat[:, :-1]):
            raise DataError("a game has an empty seat before its last one; fill the seats from 0")

    @classmethod
    def of(cls, seats: pd.DataFrame) -> RankedGames:
        """Return the games of a ledger that are not void.

        Args:
            seats: from `tournaments.read_ledger`, or some games of it; the rows may be in any order.
        """
        labels = tuple(str(label) for label in seats["agent"].cat.categories)
        played = seats[(seats["result"] != result_name(ONGOING)).to_numpy(dtype=bool)]
        game, names = pd.factorize(played["game_id"])
        seat = played["seat"].to_numpy(dtype=np.int64)
        shape = (len(names), int(seat.max(initial=-1)) + 1)
        agents, places, blocks = np.full(shape, NOBODY), np.zeros(shape, np.int64), np.zeros(len(names), np.int64)
        agents[game, seat] = played["agent_index"]
        places[game, seat] = played["ordinal"]
        blocks[game] = played["block"]
        teams = np.full(shape, NOBODY)
        teams[game, seat] = played["team"]
        ordered = np.sort(teams, axis=1)
        has_teams = bool(((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] != NOBODY)).any())
        return cls(labels, agents, places, blocks, teams if has_teams else None)

    def are_rivals(self, left: int, right: int) -> npt.NDArray[np.bool_]:
        """Return, of shape (games,), whether two seats are there and not of one team."""
        are_there = self.is_seat[:, left] & self.is_seat[:, right]
        return are_there if self.teams is None else are_there & (self.teams[:, left] != self.teams[:, right])

    @property
    def is_seat(self) -> npt.NDArray[np.bool_]:
        """Of shape (games, seats): whether the game has the seat."""
        is_seat: npt.NDArray[np.bool_] = self.agents != NOBODY
        return is_seat

    def __len__(self) -> int:
        return len(self.agents)

    def block_numbers(self) -> tuple[_Ints, int]:
        """Return the block of every game counted from 0 without gaps, and how many blocks there are."""
        ids, numbers = np.unique(self.blocks, return_inverse=True)
        return numbers.astype(np.int64), len(ids)
