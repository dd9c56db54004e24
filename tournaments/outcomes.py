"""What came of a game, as far as a design that learns or a stopping rule wants to know."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final

import pandas as pd

from tag.playing import GameRecord
from tag.results import DRAW, WIN

#: So many rows of a ledger are turned into objects at a time: there may be millions.
_CHUNK: Final = 10_000


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a game.

    Attributes:
        agents: the number of the agent in each seat.
        points: of each seat, as in ``docs/ledger.md``: 1/k for each of k winners or, without one, of k who drew.
        places: of each seat, from 1; players who cannot be separated share one.
        void: whether the game counts for nothing.
    """

    agents: tuple[int, ...]
    points: tuple[float, ...]
    places: tuple[int, ...]
    void: bool

    @classmethod
    def of(cls, agents: tuple[int, ...], record: GameRecord) -> Outcome:
        """Return what came of a game between ``agents``, by seat."""
        best = WIN if WIN in record.results else DRAW
        share = 1.0 / max(record.results.count(best), 1)
        points = tuple(share if result == best else 0.0 for result in record.results)
        return cls(agents, points, record.ordinals, record.void)


def outcomes_of_ledger(games: pd.DataFrame, seats: pd.DataFrame) -> Iterator[tuple[int, int, int, Outcome]]:
    """Yield block, match-up and seating of each game in a ledger, and what came of it.

    Args:
        games: from `tournaments.read_ledger`.
        seats: likewise, of the same games.
    """
    if games.empty:
        return
    n_players = len(seats) // len(games)
    columns = [seats[name].to_numpy().reshape(-1, n_players) for name in ("agent_index", "points", "ordinal")]
    for begin in range(0, len(games), _CHUNK):
        chunk = games.iloc[begin : begin + _CHUNK]
        places = (chunk[name].tolist() for name in ("block", "matchup", "seating", "void"))
        by_seat = (column[begin : begin + _CHUNK].tolist() for column in columns)
        for block, matchup, seating, void, agents, points, ordinals in zip(*places, *by_seat, strict=True):
            yield block, matchup, seating, Outcome(tuple(agents), tuple(points), tuple(ordinals), void)


def agent_points(games: Sequence[Outcome], n_agents: int) -> tuple[list[float], list[int]]:
    """Return the points of each agent in some games, and how often it sat in them.

    Sums are exact to rounding, so that agents with equal results are equal, whatever the order of the results.
    """
    points: list[list[float]] = [[] for _agent in range(n_agents)]
    for game in games:
        for agent, won in zip(game.agents, game.points, strict=True):
            points[agent].append(won)
    return [fsum(own) for own in points], [len(own) for own in points]
