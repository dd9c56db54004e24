"""The ladder: a size made tiny plays through and goes on, its tables say what is in the ledgers, and exact play is exact."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from subprocess import CompletedProcess
from types import ModuleType

import pytest
from commands import run_script

from tag import Rng, make_game
from tag.cluster import make_workers
from tag.tournaments.definition import define
from tag.tournaments.ledger.experiment import Experiment
from tag.tournaments.results.overall_ratings import rate_experiment
from tag.tournaments.run import run_experiment

LADDER = Path("examples") / "ladder"
PLAN = tomllib.loads((Path(__file__).parents[2] / LADDER / "ladder.toml").read_text(encoding="utf-8"))
TINY = {
    "budgets": "[1, 2]",
    "positions": "4",
    "questions": "2",
    "event_seconds": "[0.1, 0.1]",
    "least_blocks": "[2, 2]",
    "most_seconds": "[30, 30]",
    "alone_seconds": "[3, 3]",
}


@pytest.fixture
def beside(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The modules beside the script, which finds them there when it is the main program."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / LADDER))
    yield
    for module in ("run", "rungs", "exact"):
        sys.modules.pop(module, None)


@pytest.fixture
def exact(beside: None) -> ModuleType:
    """The module with exact play."""
    return import_module("exact")


@pytest.fixture
def rungs(beside: None) -> ModuleType:
    """The module with the tables and the picture."""
    return import_module("rungs")


@pytest.mark.system
@pytest.mark.heavy
@pytest.mark.usefixtures("beside", "environment")
def test_it_plays_through_and_goes_on() -> None:
    plan = LADDER / "ladder.toml"
    text = plan.read_text(encoding="utf-8")
    for name, value in TINY.items():
        text = re.sub(rf"^{name} = [^#\n]+", f"{name} = {value}", text, flags=re.MULTILINE)
    plan.write_text(text, encoding="utf-8")
    assert play("tic_tac_toe,smi").returncode == 2
    first = play("tic_tac_toe,sim,pandemic")
    assert first.returncode == 0, first.stderr
    tables = Path("out/tables.md").read_text(encoding="utf-8")
    assert tables in first.stdout
    assert re.findall("^## (.*)$", tables, re.MULTILINE) == ["1 ms per decision", "2 ms per decision"]
    for event in ("tic_tac_toe-2p", "sim-2p", "sim-3p"):
        assert tables.count(f"| {event} |") == 2
    assert tables.count("### pandemic-4p, all seats") == 2
    for ms in (1, 2):
        assert "<svg" in Path(f"out/ladder_{ms}_ms.svg").read_text(encoding="utf-8")
    ledgers = ledger_times()
    assert len(ledgers) >= 6
    again = play("tic_tac_toe,sim,pandemic").stdout
    assert tables in again
    assert "exact play" in first.stdout
    assert "exact play" not in again
    assert ledger_times() == ledgers


def play(games: str) -> CompletedProcess[str]:
    """Play the smallest size."""
    return run_script(LADDER / "run.py", "minutes", "--games", games, "--out", "out", "--workers", "1")


def ledger_times() -> dict[Path, int]:
    """Return when each shard was written."""
    return {file: file.stat().st_mtime_ns for file in Path("out").rglob("games-*.parquet")}


def test_a_solver_knows_known_games(exact: ModuleType) -> None:
    for spec, points in (("tic_tac_toe", 0.5), ("nim:heaps=2,size=2", 0.0), ("nim:heaps=3,size=2", 1.0)):
        model = make_game(spec)
        assert exact.Solver(model).value(model.setup(2, Rng(1))) == points, spec


def test_perfect_play_keeps_all_results_and_random_play_does_not(exact: ModuleType) -> None:
    for game, actions in (("nim", 4), ("tic_tac_toe", 3)):
        found = exact.kept(["max_n:budget=100000", "random"], exact.Endgames(game, actions), 12, seed=3)
        assert found["max_n:budget=100000"] == 12
        assert found["random"] < 12


@pytest.mark.usefixtures("beside")
def test_a_size_has_what_fits_into_its_time(tmp_path: Path) -> None:
    run = import_module("run")
    games = {
        "sim": {"players": [2, 3], "block_seconds": [1.0, 6.0]},
        "pandemic": {"players": [2, 4], "block_seconds": [1.0, 6.0], "alone": True},
    }
    plan = {
        **PLAN,
        "games": games,
        "budgets": [10, 30, 40],
        "event_seconds": [20, 20, 30],
        "least_blocks": [2, 2, 2],
        "most_seconds": [40, 40, 40],
        "alone_seconds": [10, 6, 7],
    }
    with make_workers(1) as workers:
        ladder = run.Ladder(plan, tmp_path, workers)
    assert list(ladder.events(games, 10, alone=False)) == [("sim", 2, 20), ("sim", 3, 3)]
    assert list(ladder.events(games, 30, alone=False)) == [("sim", 2, 7), ("sim", 3, 2)]
    assert list(ladder.events(games, 40, alone=False)) == [("sim", 2, 8)]
    assert list(ladder.events(games, 30, alone=True)) == [("pandemic", 2, 2), ("pandemic", 4, 2)]
    assert list(ladder.events(games, 40, alone=True)) == [("pandemic", 2, 2)]


def test_every_bot_and_agent_of_the_plan_is_there(beside: None, tmp_path: Path) -> None:
    run = import_module("run")
    with make_workers(1) as workers:
        ladder = run.Ladder({**PLAN, **PLAN["sizes"]["night"]}, tmp_path, workers)
    for game, players, _blocks in ladder.events(PLAN["games"], 10, alone=False):
        event = ladder.event(game, (*ladder.agents(10), ladder.bot(game)), players, 1, "balanced")
        assert event.labels[-1] == "bot"
    for game, players, _blocks in ladder.events(PLAN["games"], 10, alone=True):
        for agent in (*ladder.agents(10), ladder.bot(game)):
            assert ladder.event(game, (agent,), players, 1).agents


@pytest.mark.flow
def test_agents_below_cheaper_ones_are_found(rungs: ModuleType, tmp_path: Path) -> None:
    """Perfect play takes next to no time in Nim, and beats searches that see nothing; its own time counts for it."""
    event = define("nim", ("random", "mcts:budget=60,preset=none", "bot=nim:optimal"), 20)
    contests = run_experiment(Experiment.of([event]), tmp_path, tracking=False)
    results = contests.events["nim-2p"]
    assert rungs.stronger_cheaper(results, rate_experiment(tmp_path), "nim-2p") == {
        "random": [],
        "mcts:budget=60,preset=none": ["bot"],
        "bot": [],
    }
