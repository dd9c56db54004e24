"""What one candidate's games left: the frames of its ledger, as estimators look at them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from tag.errors import UnknownNameError
from tag.spec import parse_spec
from tournaments.ledger import read_ledger, read_measures
from tournaments.standings import whole_match_ups

_Floats = npt.NDArray[np.float64]
_Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class CandidateGames:
    """The games of one candidate, between whichever agents.

    Whole match-ups count alone: one of a block with a game missing or void would favour who sat well in the others.

    Attributes:
        games: from `tournaments.read_ledger`, or some blocks of it.
        seats: likewise, of the same games.
        measures: from `tournaments.read_measures`; nothing where there were no metrics.
    """

    games: pd.DataFrame
    seats: pd.DataFrame
    measures: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=["game_id", "measure", "value"]))

    @classmethod
    def read(cls, path: Path | str) -> CandidateGames:
        """Return the games of the tournament in a folder.

        Raises:
            DataError: there is no ledger, or a shard of it is damaged.
        """
        return cls(*read_ledger(path), read_measures(path))

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The agents, in the order of the tournament."""
        return tuple(str(label) for label in self.seats["agent"].cat.categories)

    @cached_property
    def n_players(self) -> int:
        """How many seats a game has; 0 without games."""
        return int(self.seats["seat"].max()) + 1 if len(self.seats) else 0

    @cached_property
    def counted(self) -> pd.DataFrame:
        """The seats of whole match-ups, game by game."""
        n_seatings = int(self.games["seating"].max()) + 1 if len(self.games) else 1
        return whole_match_ups(self.games, self.seats, n_seatings)

    def column(self, name: str) -> npt.NDArray[Any]:
        """Return a column of the games that count, of shape (games, seats)."""
        return self.counted[name].to_numpy().reshape(-1, max(self.n_players, 1))

    @cached_property
    def blocks(self) -> _Ints:
        """The block of each game that counts."""
        return self.column("block")[:, 0].astype(np.int64)

    @cached_property
    def game_ids(self) -> list[str]:
        """The id of each game that counts."""
        return list(map(str, self.column("game_id")[:, 0]))

    @cached_property
    def is_won(self) -> npt.NDArray[np.bool_]:
        """Whether each seat of the games that count has won, of shape (games, seats)."""
        return self.column("win").astype(np.bool_)

    @cached_property
    def agents(self) -> _Ints:
        """The number of the agent in each seat of the games that count, of shape (games, seats)."""
        return self.column("agent_index").astype(np.int64)

    @cached_property
    def points(self) -> _Floats:
        """The points of each seat of the games that count, of shape (games, seats)."""
        return self.column("points").astype(np.float64)

    @cached_property
    def block_numbers(self) -> tuple[_Ints, int]:
        """The block of each game that counts, from 0 without gaps, and how many there are."""
        numbers, block = np.unique(self.blocks, return_inverse=True)
        return block.astype(np.int64), len(numbers)

    def agent(self, name: str) -> int:
        """Return the number of an agent, by its label or, where only one is of that kind, by the name of its spec.

        Raises:
            UnknownNameError: there is no such agent, or several.
        """
        if name in self.labels:
            return self.labels.index(name)
        alike = [number for number, label in enumerate(self.labels) if parse_spec(label).name == name]
        if len(alike) == 1:
            return alike[0]
        if alike:
            raise UnknownNameError(
                f"several agents are named {name!r}; name one of {', '.join(self.labels[number] for number in alike)}"
            )
        raise UnknownNameError.of("agent in these games", name, self.labels)
