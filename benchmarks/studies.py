"""What is measured of large studies: rates per CPU second of the driver, of the ledger and of wide fields."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from tag.cluster.batches import pack_orders, unpack_records
from tag.tournaments import Ledger, PlayedGame, TournamentDefinition
from tag.tournaments.designs.schedule import Schedule
from tag.tournaments.ledger.folder import shards_of
from tag.tournaments.ledger.reading import LedgerGames
from tag.tournaments.results.tournament import StandingSums, rate_games
from tag.tournaments.simulation import Circumstances, GameSeconds, SimulatedActors, definition_of, simulate
from tag.tournaments.statistics.ratings.ranked_games import RankedGames
from tag.tournaments.statistics.standings import WholeMatchUps

#: As many as the driver collects before it writes them down.
_SHARD = 2_000
#: So long are games that batches have about a hundred on ten workers: two of them queue for 1.5 s.
_SECONDS = GameSeconds.lognormal(0.0075)

#: Of the wide fields: each agent meets as many others.
_BLOCKS = 8

Work = Callable[[int, int], int]


def driver(amount: int, seed: int) -> int:
    """Play so many games with simulated workers, in batches of about a hundred; all but the workers is real."""
    return simulate(definition_of(amount, 8, 4), 10, Circumstances(_SECONDS, start=0.0), seed=seed).games


def append(amount: int, seed: int) -> int:
    """Append so many games to a ledger, each of them on the disk before the next two thousand come."""
    rows = _rows(definition_of(_SHARD, 8, 4), seed)[:_SHARD]
    with TemporaryDirectory() as folder:
        ledger = Ledger(Path(folder), definition_of(_SHARD, 8, 4))
        for _shard in range(-(-amount // _SHARD)):
            ledger.append(rows)
    return -(-amount // _SHARD) * _SHARD


def resume(amount: int, _seed: int) -> int:
    """Find out which games of a ledger in shards of two thousand have been played, and which are missing."""
    definition, folder = _kept(definition_of(amount, 8, 4))
    schedule = definition.schedule()
    played, _faults = Ledger(Path(folder.name), definition).history()
    return len(played) + sum(1 for _game in schedule.missing(played, range(schedule.blocks)))


def results(amount: int, _seed: int) -> int:
    """Work out the standings and the content hash of such a ledger."""
    return _read(definition_of(amount, 8, 4))


def wide_tables(agents: int, seed: int) -> int:
    """Deal eight balanced blocks of so many agents, two at a table."""
    list(Schedule(agents, 2, _BLOCKS, seed, "balanced"))
    return agents


def wide_standings(agents: int, _seed: int) -> int:
    """Work out the standings of so many agents with sixteen games each."""
    _read(definition_of(agents * _BLOCKS, agents, 2, "balanced"))
    return agents


def wide_ratings(agents: int, seed: int) -> int:
    """Rate so many agents with sixteen games each, with the intervals of all differences."""
    pairings = list(Schedule(agents, 2, _BLOCKS, seed, "balanced"))
    places = np.random.default_rng(seed).integers(1, 3, (len(pairings), 1))
    blocks = np.array([pairing.block for pairing in pairings])
    labels = tuple(f"agent {number}" for number in range(agents))
    games = RankedGames(labels, np.array([one.agents for one in pairings]), np.hstack([places, 3 - places]), blocks)
    return len(rate_games(games).agents)


def _read(definition: TournamentDefinition) -> int:
    """Work out the standings and the content hash of a ledger with made-up results, and return its games."""
    definition, folder = _kept(definition)
    games = LedgerGames(shards_of(folder.name))
    whole, tally = WholeMatchUps(games.table, definition.players), StandingSums(definition.labels, definition.players)
    for table in games.tables():
        tally.add(table, table, whole.count(table))
    for timed in games.timed_seats():
        tally.add_times(timed)
    tally.standings()
    games.content_hash()
    return len(games)


@cache
def _kept(definition: TournamentDefinition) -> tuple[TournamentDefinition, TemporaryDirectory[str]]:
    """Return the tournament and a folder with its ledger, in shards, in the order in which games are scheduled."""
    folder = TemporaryDirectory()
    rows = _rows(definition, 1)
    ledger = Ledger(Path(folder.name), definition)
    for first in range(0, len(rows), _SHARD):
        ledger.append(rows[first : first + _SHARD])
    return definition, folder


def _rows(definition: TournamentDefinition, seed: int) -> list[PlayedGame]:
    """Return all games of a tournament with made-up records."""
    workers = SimulatedActors(1, definition.players, Circumstances(_SECONDS, latency=0.0, start=0.0), seed)
    workers.wait(1.0)
    pairings = list(definition.schedule())
    workers.give(1, pack_orders([definition.order(pairing) for pairing in pairings]))
    records = [unpack_records(outcome.answer) for outcome in workers.wait(1e9) if outcome.answer is not None]
    return [PlayedGame(pairing, record) for pairing, record in zip(pairings, records[0], strict=True)]
