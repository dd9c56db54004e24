"""Tournaments between isolated agents, some of which end or block their processes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from users_code import FAULTY_AGENTS

from tag.playing.faults import CRASH, HANG
from tag.tournaments.definition import Rules, TournamentDefinition, define
from tag.tournaments.results.tournament import TournamentResults
from tag.tournaments.run import run_tournament

pytestmark = pytest.mark.flow

FAULTY = (f"{FAULTY_AGENTS}:Exits", f"{FAULTY_AGENTS}:Hangs")


def small(blocks: int = 4) -> TournamentDefinition:
    rules = Rules(isolate=True, hang_seconds=3.0, on_crash="substitute")
    return define("tic_tac_toe", ("random", FAULTY[0], "osla", FAULTY[1]), blocks, seed=3, rules=rules)


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> TournamentResults:
    return run_tournament(small(), tmp_path_factory.mktemp("alone") / "t", tracking=False)


def test_the_faulty_are_paused_and_the_rest_is_played(alone: TournamentResults) -> None:
    assert alone.complete
    assert [(count.agent, count.kind, count.faults) for count in alone.faults] == [
        (FAULTY[0], CRASH, 4),
        (FAULTY[1], HANG, 4),
    ]
    assert [paused.agent for paused in alone.paused] == list(FAULTY)
    games = {standing.agent: standing.games for standing in alone.standings}
    assert games == {"random": 8, "osla": 8, FAULTY[0]: 0, FAULTY[1]: 0}


def test_isolation_changes_no_game(tmp_path: Path) -> None:
    hashes = set()
    for isolate in (False, True):
        definition = define("love_letter", ("random", "osla", "mcts:budget=30"), 2, rules=Rules(isolate=isolate))
        hashes.add(run_tournament(definition, tmp_path / str(isolate), tracking=False).content_hash)
    assert len(hashes) == 1


@pytest.mark.system
@pytest.mark.usefixtures("local_ray")
def test_workers_write_the_same_ledger(alone: TournamentResults, tmp_path: Path) -> None:
    together = run_tournament(small(), tmp_path / "t", workers=2, tracking=False)
    assert replace(together, folder=alone.folder, standings=[]) == replace(alone, standings=[])
    ledgers = [next(found.folder.rglob("games-*.parquet")) for found in (alone, together)]
    assert ledgers[0].read_bytes() == ledgers[1].read_bytes()
