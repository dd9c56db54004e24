"""Curves: how a tournament stood after its first blocks, worked out from the ledger alone.

The points of a curve are at fixed numbers of blocks, so many for each doubling, and each is made of whole blocks in schedule
order. So it does not matter when a curve is worked out, in how many pieces, or in which order games arrived: the points are
the same, and none is there twice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass
from math import isfinite
from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd

from tournaments.definition import TournamentDefinition
from tournaments.following import Follower
from tournaments.ledger import read_ledger
from tournaments.results import judged_ledger
from tournaments.schedule import Schedule
from tournaments.standings import Standing, standings
from tournaments.stopping_rule import StoppingRule

#: The points of a curve for each doubling of the blocks; up to this many blocks there is one after every block.
_PER_DOUBLING: Final = 8
#: What is shown of an agent as the tournament goes on; a complete tournament has all fields of `Standing`.
_SHOWN: Final = (
    "win_rate",
    "win_rate_low",
    "win_rate_high",
    "points",
    "points_low",
    "points_high",
    "mean_ordinal",
    "mean_ordinal_low",
    "mean_ordinal_high",
    "score",
    "score_low",
    "score_high",
)


@dataclass(frozen=True)
class Point:
    """How a tournament stood after some of its first blocks.

    Attributes:
        games: those played in these blocks.
        blocks: how many.
        agents: what is known of each agent in these games, by label and field of `Standing`.
        rule: what is a number in the state of the stopping rule, by name.
    """

    games: int
    blocks: int
    agents: dict[str, dict[str, float]]
    rule: dict[str, float]


def grid(blocks: int) -> list[int]:
    """Return the numbers of blocks, up to ``blocks``, after which there is a point, whatever comes later.

    >>> grid(20)
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20]
    >>> len(grid(1_000)), len(grid(100_000))
    (63, 116)
    """
    found = list(range(1, min(blocks, _PER_DOUBLING) + 1))
    stride = 1
    while found and found[-1] + stride <= blocks:
        found.append(found[-1] + stride)
        if found[-1] == 2 * stride * _PER_DOUBLING:
            stride *= 2
    return found


def next_in_grid(blocks: int) -> int:
    """Return the first number of blocks after ``blocks`` at which there is a point."""
    return next(point for point in grid(2 * blocks + 2) if point > blocks)


def points(
    folder: Path, definition: TournamentDefinition, after: int = 0, *, complete: bool = False
) -> Iterator[Point]:
    """Yield the points of a tournament's curves that its ledger has, with more than ``after`` games.

    Args:
        folder: the tournament's.
        definition: the tournament.
        after: the games of the last point that is known already.
        complete: whether all has been played; the last point is of all that then.

    Raises:
        DataError: the ledger is damaged.
    """
    games, seats = read_ledger(folder)
    schedule = definition.schedule()
    breaker, _charges = judged_ledger(folder, schedule, games)
    skipped = breaker.skipped().keys()
    games, seats = _without(games, skipped), _without(seats, skipped)
    whole = schedule.blocks if complete else _whole_blocks(games, schedule, skipped)
    follower, begin = Follower(schedule, definition.stopping_rule(schedule)), 0
    for end in sorted({*grid(whole), whole} if complete else grid(whole)):
        if follower.rule is not None:
            follower.add_ledger(*breaker.before_pauses(_within(games, begin, end), _within(seats, begin, end)))
        blocks = follower.blocks if follower.is_decided else end
        played = _within(games, 0, blocks)
        if len(played) > after:
            found = standings(
                played,
                _within(seats, 0, blocks),
                n_seatings=schedule.design.n_seatings,
                uncounted=breaker.uncounted(),
            )
            yield Point(len(played), blocks, {one.agent: _figures(one) for one in found}, _numbers(follower.rule))
        if follower.is_decided:
            return
        begin = end


def _figures(standing: Standing) -> dict[str, float]:
    values = {name: float(getattr(standing, name)) for name in _SHOWN}
    return {name: value for name, value in values.items() if isfinite(value)}


def _without(rows: pd.DataFrame, skipped: Collection[str]) -> pd.DataFrame:
    """Return the rows of games that are to be played."""
    return rows[~rows["game_id"].isin(list(skipped))] if skipped else rows


def _within(rows: pd.DataFrame, begin: int, end: int) -> pd.DataFrame:
    """Return the rows, which are in schedule order, of the blocks from ``begin`` up to ``end``."""
    first, last = np.searchsorted(rows["block"].to_numpy(), [begin, end]).tolist()
    return rows.iloc[first:last]


def _whole_blocks(games: pd.DataFrame, schedule: Schedule, skipped: Collection[str]) -> int:
    """Return how many blocks from the first on have all their games."""
    wanted = np.array([schedule.n_games(block) for block in range(schedule.blocks)])
    blocks = [int(game_id[1 : game_id.index("-")]) for game_id in skipped]
    wanted -= np.bincount(blocks, minlength=schedule.blocks)[: schedule.blocks] if blocks else 0
    there = np.bincount(games["block"].to_numpy(np.int64), minlength=schedule.blocks)
    missing = np.flatnonzero(there < wanted)
    return int(missing[0]) if len(missing) else schedule.blocks


def _numbers(rule: StoppingRule | None) -> dict[str, float]:
    """Return what is a number in the state of a stopping rule."""
    values = asdict(rule.result()) if rule is not None else {}
    return {
        name: float(value)
        for name, value in values.items()
        if isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
    }
