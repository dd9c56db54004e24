"""Which games have been played: found, counted and skipped without their ids."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from cpu_caps import cpu_time_below
from hypothesis import given
from hypothesis import strategies as st

from tag.tournaments.designs.games import PLACE, Pairing, PlayedGames
from tag.tournaments.designs.schedule import Schedule
from tag.tournaments.statistics.stopping.outcomes import Outcome

SCHEDULE = Schedule(3, 2, 5, seed=1)
GAMES = list(SCHEDULE)
BLOCKS = range(SCHEDULE.blocks)


def played(*shards: Sequence[Pairing]) -> PlayedGames:
    return PlayedGames(
        [
            pd.DataFrame([[getattr(game, name) for name in PLACE] for game in shard], columns=PLACE)
            for shard in shards
            if shard
        ]
    )


@given(st.sets(st.sampled_from(GAMES)), st.sets(st.sampled_from(GAMES)))
def test_what_is_missing_is_the_rest_in_schedule_order(one: set[Pairing], other: set[Pairing]) -> None:
    found = played(sorted(one, key=GAMES.index), sorted(other, key=GAMES.index))
    assert len(found) == len(one | other)
    assert [game for game in GAMES if game in found] == [game for game in GAMES if game in one | other]
    assert list(SCHEDULE.missing(found, BLOCKS)) == [game for game in GAMES if game not in one | other]
    assert list(SCHEDULE.missing(found, range(2, 4))) == [
        game for game in GAMES if game not in one | other and game.block in (2, 3)
    ]


def test_blocks_and_agents_that_came_later_are_missing() -> None:
    longer = Schedule(4, 2, 7, seed=1)
    found = played(GAMES)
    assert len(found) == len(GAMES)
    assert list(longer.missing(found, range(7))) == [game for game in longer if game not in GAMES]


def test_rounds_of_different_sizes_are_told_apart() -> None:
    knockout = Schedule(8, 2, 2, seed=1, design="knockout")
    assert len(knockout) == 8 + 8 + 4 + 4 + 2 + 2
    for block in range(2):
        tables = [game.agents for game in knockout.games(range(block, block + 1))]
        won = [tuple(float(agent == min(table)) for agent in table) for table in tables]
        knockout.learn([Outcome(*one, (1, 1), False) for one in zip(tables, won, strict=True)])
    assert [knockout.n_games(block) for block in range(4)] == [8, 8, 4, 4]
    assert knockout.n_games(4) == 8  # the most it can have: it is not known yet
    first = list(knockout.games(range(2)))
    found = played(first[:-1])
    assert list(knockout.missing(found, range(2))) == first[-1:]


def test_whole_blocks_cost_next_to_nothing() -> None:
    """Of 200,000 games the last is missing."""
    blocks = 100_000
    schedule = Schedule(2, 2, blocks, seed=1)
    block = pd.Series(range(2 * blocks)) // 2
    table = pd.DataFrame({"block": block, "matchup": 0, "seating": [0, 1] * blocks})
    found = PlayedGames([table[:-1]])
    with cpu_time_below(1.0):
        (game,) = schedule.missing(found, range(blocks))
    assert game.game_id == f"b{blocks - 1}-m0-s1"
