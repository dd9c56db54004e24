"""The ladder: a size made tiny plays through and goes on, and exact play near the end is exact."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from subprocess import CompletedProcess
from types import ModuleType

import pytest
from commands import run_script

from tag import Rng, make_game

LADDER = Path("examples") / "ladder"
TINY = {"budgets": "[1, 2]", "positions": "4", "questions": "2"}


@pytest.fixture
def exact(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The module beside the script, which finds it there when it is the main program."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / LADDER))
    yield import_module("exact")
    sys.modules.pop("exact")


@pytest.mark.system
@pytest.mark.heavy
@pytest.mark.usefixtures("exact", "environment")
def test_it_plays_through_and_goes_on() -> None:
    plan = LADDER / "ladder.toml"
    text = plan.read_text(encoding="utf-8")
    for name, value in TINY.items():
        text = re.sub(rf"^{name} = [^#\n]+", f"{name} = {value}", text, flags=re.MULTILINE)
    plan.write_text(text, encoding="utf-8")
    assert play("tic_tac_toe,smi").returncode == 2
    first = play("tic_tac_toe,sim")
    assert first.returncode == 0, first.stderr
    tables = Path("out/tables.md").read_text(encoding="utf-8")
    assert tables in first.stdout
    assert re.findall("^## (.*)$", tables, re.MULTILINE) == ["1 ms per decision", "2 ms per decision"]
    for event in ("tic_tac_toe-2p", "sim-2p", "sim-3p"):
        assert tables.count(f"| {event} |") == 2
    assert "<svg" in Path("out/ladder.svg").read_text(encoding="utf-8")
    ledgers = ledger_times()
    assert len(ledgers) >= 6
    assert tables in play("tic_tac_toe,sim").stdout
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
