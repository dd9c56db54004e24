"""Outcomes of games, for designs that learn and for stopping rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from math import fsum, log
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from tag.engine.results import DISQUALIFIED, DRAW, TIMEOUT, WIN, result_name

if TYPE_CHECKING:
    import pandas as pd

    from tag.orders import GameRecord


#: Elo per unit of log odds.
ELO_PER_LOGIT: Final = 400.0 / log(10.0)


#: The number of a ledger's rows that are objects at a time, of which there may be millions.
_CHUNK: Final = 10_000
#: The results of those whose faults ended a game.
FORFEITS: Final = (TIMEOUT, DISQUALIFIED)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a game.

    Attributes:
        agents: the number of the agent in each seat.
        points: of each seat, as in ``docs/ledger.md``: 1/k for each of k winners or, without one, of k who drew.
        places: of each seat, from 1; players who cannot be separated share one.
        void: whether the game is void, and does not count.
        failed: the agents that forfeited the game or, by any fault, had a part in voiding it.
        same: its key (`tag.tournaments.statistics.repeats`), 0 where it repeats no game.
    """

    agents: tuple[int, ...]
    points: tuple[float, ...]
    places: tuple[int, ...]
    void: bool
    failed: frozenset[int] = frozenset()
    same: int = 0

    @classmethod
    def of(cls, agents: tuple[int, ...], record: GameRecord, same: int = 0) -> Outcome:
        """Return the outcome of a game between ``agents``, by seat, whose key is ``same``."""
        faulty = {fault.player for fault in record.faults} if record.void else ()
        failed = [
            agent
            for seat, (agent, result) in enumerate(zip(agents, record.results, strict=True))
            if seat in faulty or result in FORFEITS
        ]
        return cls(agents, points_of(record.results), record.ordinals, record.void, frozenset(failed), same)


def points_of(results: Sequence[int]) -> tuple[float, ...]:
    """Return 1/k for each of the k winners of a game or, without a winner, for each of the k who drew, by seat.

    >>> from tag.engine.results import DRAW, LOSE, WIN
    >>> points_of([WIN, LOSE]), points_of([DRAW, DRAW]), points_of([LOSE, LOSE])
    ((1.0, 0.0), (0.5, 0.5), (0.0, 0.0))
    """
    best = WIN if WIN in results else DRAW
    share = 1.0 / max(results.count(best), 1)
    return tuple(share if result == best else 0.0 for result in results)


def outcomes_of_ledger(games: pd.DataFrame, seats: pd.DataFrame) -> Iterator[tuple[int, int, int, Outcome]]:
    """Yield block, match-up, seating and outcome of each game in a ledger.

    The frames are those of `tournaments.read_ledger`, and may have the keys of games.
    """
    if games.empty:
        return
    n_players = len(seats) // len(games)
    is_void = games["void"].to_numpy(dtype=bool).repeat(n_players)
    is_forfeit = seats["result"].isin([result_name(result) for result in FORFEITS]).to_numpy()
    has_failed = np.where(is_void, seats["faults"].to_numpy() > 0, is_forfeit)
    by_name: list[npt.NDArray[Any]] = [seats[name].to_numpy() for name in ("agent_index", "points", "ordinal")]
    columns = [column.reshape(-1, n_players) for column in (*by_name, has_failed)]
    for begin in range(0, len(games), _CHUNK):
        chunk = games.iloc[begin : begin + _CHUNK]
        places = (chunk[name].tolist() for name in ("block", "matchup", "seating", "void"))
        keys = chunk["same"].tolist() if "same" in chunk else [0] * len(chunk)
        by_seat = (column[begin : begin + _CHUNK].tolist() for column in columns)
        for block, matchup, seating, void, same, *of_seats in zip(*places, keys, *by_seat, strict=True):
            agents, points, ordinals, is_failing = map(tuple, of_seats)
            failed = frozenset(compress(agents, is_failing))
            yield block, matchup, seating, Outcome(agents, points, ordinals, void, failed, same)


def agent_points(games: Sequence[Outcome], n_agents: int) -> tuple[list[float], list[int]]:
    """Return the points of each agent in some games, and how often it sat in them.

    Sums are exact to rounding, so that agents with equal results are equal, in any order of the results.

    >>> games = [Outcome((0, 1), (1.0, 0.0), (1, 2), False), Outcome((1, 0), (0.5, 0.5), (1, 1), False)]
    >>> agent_points(games, 2)
    ([1.5, 0.5], [2, 2])
    """
    points: list[list[float]] = [[] for _agent in range(n_agents)]
    for game in games:
        for agent, won in zip(game.agents, game.points, strict=True):
            points[agent].append(won)
    return [fsum(own) for own in points], [len(own) for own in points]
