"""What large studies need of the ledger and of the driver, per CPU second; bounds that a busy machine keeps, too."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest

from cluster.batches import pack_orders, unpack_records
from tournaments import Ledger, PlayedGame, TournamentDefinition
from tournaments.commands.simulation import Circumstances, GameSeconds, SimulatedActors, definition_of, simulate
from tournaments.designs.schedule import Pairing

GAMES_PER_SHARD = 1_000


def made_up(definition: TournamentDefinition, pairings: list[Pairing]) -> list[PlayedGame]:
    workers = SimulatedActors(1, definition.players, Circumstances(GameSeconds.read("1"), start=0.0), seed=1)
    workers.wait(1.0)
    workers.give(1, pack_orders([definition.order(pairing) for pairing in pairings]))
    (outcome,) = workers.wait(1e9)
    assert outcome.answer is not None
    return [PlayedGame(*row) for row in zip(pairings, unpack_records(outcome.answer), strict=True)]


@pytest.mark.parametrize(
    ("games", "seconds"), [(20_000, 2.0), pytest.param(1_000_000, 5.0, marks=pytest.mark.slow)], ids=["20k", "1M"]
)
def test_a_large_ledger_is_written_and_gone_on_with(games: int, seconds: float, tmp_path: Path) -> None:
    """Shards of a thousand four-seat games, of which the second game of every tenth shard is missing."""
    definition = definition_of(games, 8, 4)
    schedule = definition.schedule()
    ledger, wanted, appending, written = Ledger(tmp_path, definition), [], 0.0, 0
    pairings = iter(schedule)
    for shard in range(games // GAMES_PER_SHARD):
        rows = made_up(definition, [next(pairings) for _game in range(GAMES_PER_SHARD)])
        if shard % 10 == 0:
            wanted.append(rows.pop(1).pairing)
        begin = process_time()
        ledger.append(rows)
        appending += process_time() - begin
        written += len(rows)
    wanted += pairings
    assert written / appending > 5_000

    begin = process_time()
    played, _charges = Ledger(tmp_path, definition).history()
    missing = list(played.missing(schedule, range(schedule.blocks)))
    assert process_time() - begin < seconds
    assert missing == wanted
    assert len(played) == written


def test_the_driver_takes_little_for_a_game() -> None:
    """Batches of about a hundred; the target is 20 µs on a machine that is free, with the ledger written as well."""
    found = simulate(definition_of(10_000, 8, 4), 10, Circumstances(GameSeconds.read("0.0075"), start=0.0))
    assert found.driver_us_per_game < 100.0
