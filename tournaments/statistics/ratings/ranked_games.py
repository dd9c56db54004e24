"""Games with the place of every seat, as ratings and comparisons of agents read them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import inf
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from tag.engine.results import DISQUALIFIED, ONGOING, TIMEOUT, result_name
from tag.errors import DataError
from tag.tournaments.statistics.intervals import Bools, Floats, Ints
from tag.tournaments.statistics.repeats import INDEPENDENT

#: Marks a seat that a game does not have.
NOBODY: Final = -1


@dataclass(frozen=True, slots=True, eq=False)
class RankedGames:
    """Games with the place of every seat, in any order.

    >>> import numpy as np
    >>> agents = np.array([[0, 1], [1, 0], [0, 1], [1, 0]])
    >>> places = np.array([[1, 2], [2, 1], [1, 2], [1, 2]])
    >>> games = RankedGames(("a", "b"), agents, places, blocks=np.array([0, 0, 1, 1]))
    >>> games.share, games.components()
    (1.0, array([0, 0]))

    Attributes:
        agents: of shape (games, seats): the agent's number in each seat, `NOBODY` past the last seat of a game.
        places: of shape (games, seats): the place, less is better; those who share a place have equal numbers.
        blocks: of shape (games,): games with the same number share their chance seed.
        teams: of shape (games, seats): a number per team, whose members win and lose together; None where all play
            alone.
        has_seats: whether it may matter who sits where.
        independent: of shape (games,): which repeat no earlier one (`tag.tournaments.statistics.repeats`); None if all are.
    """

    labels: tuple[str, ...]
    agents: Ints
    places: Ints
    blocks: Ints
    teams: Ints | None = None
    has_seats: bool = True
    independent: Bools | None = None

    def __post_init__(self) -> None:
        """Reject arrays that do not fit together.

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
        game = pd.factorize(seats["game_id"])[0]
        return cls.of_parts([seats.iloc[np.lexsort((seats["seat"].to_numpy(), game))]])

    @classmethod
    def of_parts(cls, parts: Iterable[pd.DataFrame]) -> RankedGames:
        """Return the games of parts of a ledger that are not void; at least one part, which may be empty.

        The seats of a game stand one after the other, from the first on; ids of games are not needed.
        """
        labels: tuple[str, ...] = ()
        arrays: list[tuple[_Numbers, ...]] = []
        for seats in parts:
            labels = tuple(str(label) for label in seats["agent"].cat.categories)
            arrays.append(_game_arrays(seats[(seats["result"] != result_name(ONGOING)).to_numpy(dtype=bool)]))
        agents, places, teams, blocks, independent = zip(*arrays, strict=True)
        has_teams = any(map(_are_shared, teams))
        most = max(array.shape[1] for array in agents)
        return cls(
            labels,
            _stacked(agents, most, NOBODY),
            _stacked(places, most, 0),
            np.concatenate(blocks).astype(np.int64),
            _stacked(teams, most, NOBODY) if has_teams else None,
            independent=_some(np.concatenate(independent).astype(np.bool_)),
        )

    @classmethod
    def by_score(cls, parts: Iterable[pd.DataFrame]) -> RankedGames:
        """Return games for one player as pairs: in each block, every two agents by their mean score.

        Games of a block share their chance seed. An agent with a game that ended by a fault is below those without.
        """
        columns = ["block", "agent", "agent_index", "result", "score", INDEPENDENT]
        seats = pd.concat([part[[name for name in columns if name in part]] for part in parts])
        labels = tuple(str(label) for label in seats["agent"].cat.categories)
        is_out = seats["result"].isin([result_name(DISQUALIFIED), result_name(TIMEOUT)]).to_numpy(dtype=bool)
        scores = seats.assign(score=seats["score"].mask(is_out, -inf)).groupby(["agent_index", "block"])["score"].mean()
        table = scores.unstack("block").reindex(range(len(labels))).to_numpy(dtype=np.float64)
        one, other = np.triu_indices(len(labels), 1)
        mine, theirs = table[one], table[other]  # of shape (pairs, blocks)
        have_met = ~(np.isnan(mine) | np.isnan(theirs))
        pair, block = np.nonzero(have_met)
        mine, theirs = mine[have_met], theirs[have_met]
        is_new = np.ones(table.shape, dtype=np.bool_)
        if INDEPENDENT in seats:
            any_new = seats.groupby(["agent_index", "block"])[INDEPENDENT].any()
            is_new = any_new.unstack("block", fill_value=False).reindex(range(len(labels)), fill_value=False).to_numpy()
        return cls(
            labels,
            np.stack([one[pair], other[pair]], axis=1).astype(np.int64),
            1 + np.stack([theirs > mine, mine > theirs], axis=1).astype(np.int64),
            np.sort(seats["block"].unique()).astype(np.int64)[block],
            has_seats=False,
            independent=_some((is_new[one] | is_new[other])[have_met]),
        )

    def are_rivals(self, left: int, right: int) -> npt.NDArray[np.bool_]:
        """Return whether both seats exist and are not of one team, of shape (games,)."""
        are_there = self.is_seat[:, left] & self.is_seat[:, right]
        return are_there if self.teams is None else are_there & (self.teams[:, left] != self.teams[:, right])

    @property
    def share(self) -> float:
        """The share of the games that are independent; 1 without games."""
        return 1.0 if self.independent is None or not len(self) else float(self.independent.mean())

    def weights(self) -> Floats:
        """Return for each game the share of independent ones among those of the same agents, of shape (games,)."""
        if self.independent is None:
            return np.ones(len(self))
        match_up = np.unique(np.sort(self.agents, axis=1), axis=0, return_inverse=True)[1].ravel()
        weights: Floats = (np.bincount(match_up, self.independent) / np.bincount(match_up))[match_up]
        return weights

    def components(self) -> Ints:
        """Return the number of each agent's component, from 0 in the agents' order, of shape (agents,).

        Agents are in one component if they have played against each other, or are connected by others who have.
        """
        n = len(self.labels)
        has_met = np.eye(n, dtype=np.bool_)
        for left, right in combinations(range(self.agents.shape[1]), 2):
            is_met = self.are_rivals(left, right)
            has_met[self.agents[is_met, left], self.agents[is_met, right]] = True
        found = np.full(n, -1, dtype=np.int64)
        for agent in range(n):
            if found[agent] < 0:
                members, reached = np.zeros(n, dtype=np.bool_), np.arange(n) == agent
                while (reached != members).any():
                    members = reached
                    reached = members | has_met[members].any(axis=0) | has_met[:, members].any(axis=1)
                found[members] = found.max() + 1
        return found

    @property
    def is_seat(self) -> npt.NDArray[np.bool_]:
        """Mask of shape (games, seats): true if the game has the seat."""
        is_seat: npt.NDArray[np.bool_] = self.agents != NOBODY
        return is_seat

    def __len__(self) -> int:
        return len(self.agents)

    def block_numbers(self) -> tuple[Ints, int]:
        """Return the block of every game counted from 0 without gaps, and how many blocks there are."""
        ids, numbers = np.unique(self.blocks, return_inverse=True)
        return numbers.astype(np.int64), len(ids)


#: Arrays of a ledger's numbers, kept small as there are many games.
_Numbers = npt.NDArray[np.int32]


def _game_arrays(seats: pd.DataFrame) -> tuple[_Numbers, ...]:
    """Return agents, places, teams and blocks as `RankedGames` has them, of seats that stand game by game."""
    seat = seats["seat"].to_numpy(dtype=np.int64)
    is_first = seat == 0
    game, width = np.cumsum(is_first) - 1, int(seat.max(initial=-1)) + 1
    tables = []
    for name, empty in (("agent_index", NOBODY), ("ordinal", 0), ("team", NOBODY)):
        table = np.full((int(is_first.sum()), width), empty, dtype=np.int32)
        table[game, seat] = seats[name]
        tables.append(table)
    is_new = seats[INDEPENDENT] if INDEPENDENT in seats else np.ones(len(seats), dtype=np.bool_)
    return (*tables, seats["block"].to_numpy(dtype=np.int32)[is_first], np.asarray(is_new, dtype=np.int32)[is_first])


def _some(independent: Bools) -> Bools | None:
    """Return which games are independent, None if all are."""
    return None if independent.all() else independent


def _are_shared(teams: _Numbers) -> bool:
    """Say whether a game has two players in one team."""
    ordered = np.sort(teams, axis=1)
    return bool(((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] != NOBODY)).any())


def _stacked(tables: Sequence[_Numbers], width: int, empty: int) -> Ints:
    """Return tables below each other, all with so many columns."""
    found = np.full((sum(map(len, tables)), width), empty, dtype=np.int64)
    begin = 0
    for table in tables:
        found[begin : begin + len(table), : table.shape[1]] = table
        begin += len(table)
    return found
