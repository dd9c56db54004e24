"""Curves of a tournament: its standings after the first blocks, from the ledger alone.

The points of a curve are at fixed numbers of blocks, so many for each doubling. Each is made of whole blocks in schedule
order. So the points do not depend on when a curve is computed, in how many pieces, or in which order games arrived, and
none is there twice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from math import isfinite
from typing import Final

import numpy as np
import pandas as pd

from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.designs.schedule import Schedule
from tag.tournaments.designs.stopping.in_order import InOrderStopping
from tag.tournaments.designs.stopping.pausing import AgentPauses
from tag.tournaments.designs.stopping.rules import StoppingRule
from tag.tournaments.ledger.folder import Folder, FolderOrPath
from tag.tournaments.ledger.games import compared_frames
from tag.tournaments.results.tournament import judged
from tag.tournaments.statistics.plain_records import flat
from tag.tournaments.statistics.standings import BlockSums, Standing, ranked_standings, whole_match_ups

#: The points of a curve for each doubling of the blocks; up to this many blocks there is one after every block.
_PER_DOUBLING: Final = 8
#: The curves of an agent during the tournament; a complete tournament has all fields of `Standing`.
_SHOWN: Final = [
    f"{name}{end}" for name in ("win_rate", "points", "mean_ordinal", "score") for end in ("", "_low", "_high")
]


@dataclass(frozen=True)
class StandingsPoint:
    """The standings of a tournament after some of its first blocks.

    Attributes:
        agents: the figures of each agent in these games, by label and field of `Standing`.
        rule: the numbers in the state of the stopping rule, by name.
    """

    games: int
    blocks: int
    agents: dict[str, dict[str, float]]
    rule: dict[str, float]


def grid(blocks: int) -> list[int]:
    """Return the numbers of blocks, up to ``blocks``, after which there is a point, independent of later blocks.

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


def curve_points(
    folder: FolderOrPath, definition: TournamentDefinition, after: int = 0, *, complete: bool = False
) -> Iterator[StandingsPoint]:
    """Yield the points of a tournament's curves that its ledger has, with more than ``after`` games.

    If all has been played, ``complete``, the last point is of all that.

    Raises:
        DataError: the ledger is damaged.
    """
    opened = Folder.of(folder)
    games, seats = compared_frames(opened)
    schedule = definition.schedule()
    pauses = AgentPauses(schedule)
    if games["faults"].any():
        pauses, _faults = judged(opened.games(["agents", "faults"]), schedule)
    skipped = pauses.skipped().keys()
    games, seats = _without(games, skipped), _without(seats, skipped)
    if schedule.design.in_rounds:  # the further blocks of its tables are not known before
        InOrderStopping(schedule, None).add_ledger(games, seats)
    whole = schedule.blocks if complete else _whole_blocks(games, schedule, skipped)
    labels = [str(label) for label in seats["agent"].cat.categories]
    counted = whole_match_ups(games, seats, schedule.design.n_seatings, pauses.uncounted())
    sums = BlockSums.over(counted, len(labels))
    stopping, begin = InOrderStopping(schedule, definition.stopping_rule(schedule)), 0
    for count in sorted({*grid(whole), whole} if complete else grid(whole)):
        end = schedule.end_of(count)
        if stopping.rule is not None:
            stopping.add_ledger(*pauses.before_pauses(_within(games, begin, end), _within(seats, begin, end)))
        blocks = stopping.blocks if stopping.is_decided else end
        played = _within(games, 0, blocks)
        if len(played) > after:
            found = ranked_standings(labels, sums.where(sums.blocks < blocks), definition.players)
            yield StandingsPoint(
                len(played),
                schedule.blocks_before(blocks),
                {one.agent: _figures(one) for one in found},
                _numbers(stopping.rule),
            )
        if stopping.is_decided:
            return
        begin = end


def _figures(standing: Standing) -> dict[str, float]:
    values = flat(standing)
    return {name: float(values[name]) for name in _SHOWN if isfinite(values[name])}


def _without(rows: pd.DataFrame, skipped: Collection[str]) -> pd.DataFrame:
    """Return the rows of games that are not skipped."""
    return rows[~rows["game_id"].isin(list(skipped))] if skipped else rows


def _within(rows: pd.DataFrame, begin: int, end: int) -> pd.DataFrame:
    """Return the rows, which are in schedule order, of the blocks from ``begin`` up to ``end``."""
    first, last = np.searchsorted(rows["block"].to_numpy(), [begin, end]).tolist()
    return rows.iloc[first:last]


def _whole_blocks(games: pd.DataFrame, schedule: Schedule, skipped: Collection[str]) -> int:
    """Return how many blocks from the first on have all their games."""
    wanted = np.array([schedule.n_games(block) for block in range(schedule.end)])
    blocks = [int(game_id[1 : game_id.index("-")]) for game_id in skipped]
    wanted -= np.bincount(blocks, minlength=schedule.end)[: schedule.end] if blocks else 0
    there = np.bincount(games["block"].to_numpy(np.int64), minlength=schedule.end)
    missing = np.flatnonzero(there < wanted)
    return schedule.blocks_before(int(missing[0])) if len(missing) else schedule.blocks


def _numbers(rule: StoppingRule | None) -> dict[str, float]:
    """Return the numbers in the state of a stopping rule."""
    values = flat(rule.result()) if rule is not None else {}
    return {
        name: float(value)
        for name, value in values.items()
        if isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
    }
