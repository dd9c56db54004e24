"""What other processes ask of the one at work on a tournament."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from commands import run_tag

from tag.errors import DataError
from tag.tournaments import define, read_ledger, run_tournament
from tag.tournaments.ledger.experiment import Experiment, read_experiment, request_more
from tag.tournaments.ledger.folder import (
    Folder,
    extended,
    is_at_work,
    locked,
    read_manifest,
    request_extension,
    request_pause,
)
from tag.tournaments.ledger.games import content_hash
from tag.tournaments.reports.progress import Progress
from tag.tournaments.reports.status import read_status
from tag.tournaments.run import run_experiment

pytestmark = pytest.mark.flow

SMALL = define("love_letter", ("random", "osla"), 4, players=2, seed=3)


#: An agent that takes its time while `SLOW` is set, so that a tournament is still at work when something is asked of it.
PATIENT = """
import os, time
from tag import Agent

class Patient(Agent):
    def act(self, observation, actions):
        time.sleep(0.02 if "SLOW" in os.environ else 0.0)
        return actions[0]
"""


class Asking(Progress):
    """Asks for something once the first games have been played."""

    def __init__(self, ask: Callable[[], None]) -> None:
        super().__init__()
        self.ask: Callable[[], None] | None = ask
        self.totals: list[int] = []

    def start(self, total: int, done: int, product: str = "") -> None:
        super().start(total, done, product)
        self.totals.append(total)

    def advance(self, games: int, faults: int) -> None:
        super().advance(games, faults)
        if self.ask:
            self.ask, ask = None, self.ask
            ask()


def test_an_extension_is_taken_up_while_it_runs(tmp_path: Path) -> None:
    longer = extended(SMALL, 6, ["random"])
    progress = Asking(lambda: request_extension(tmp_path / "t", longer))
    results = run_tournament(SMALL, tmp_path / "t", tracking=False, progress=progress)
    assert results.complete
    assert progress.totals == [8, 36]
    run_tournament(longer, tmp_path / "at_once", tracking=False)
    assert content_hash(tmp_path / "t") == content_hash(tmp_path / "at_once")
    assert read_manifest(tmp_path / "t").definition == longer
    assert not Folder.open(tmp_path / "t").has_request


def test_a_file_that_comes_with_an_extension_is_the_one_that_was_asked_with(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from tag import Agent\n\nclass Mine(Agent):\n    def act(self, observation, actions):\n        return actions[-1]\n"
    )

    def ask() -> None:
        request_extension(tmp_path / "t", extended(SMALL, None, [f"{file}:Mine"]))
        file.unlink()

    results = run_tournament(SMALL, tmp_path / "t", tracking=False, progress=Asking(ask))
    assert [standing.games for standing in results.standings] == [16] * 3
    assert "Mine" in next(iter(read_manifest(tmp_path / "t").sources.values()))


def test_a_pause_ends_it_and_the_next_run_goes_on(tmp_path: Path) -> None:
    progress = Asking(lambda: request_pause(tmp_path / "t"))
    results = run_tournament(SMALL, tmp_path / "t", tracking=False, progress=progress)
    assert 0 < results.games < results.total
    assert not Folder.open(tmp_path / "t").has_request
    assert run_tournament(SMALL, tmp_path / "t", tracking=False).complete


def test_a_pause_that_nobody_heard_is_forgotten(tmp_path: Path) -> None:
    with Folder.locked(tmp_path / "t", SMALL):
        request_pause(tmp_path / "t")
    assert run_tournament(SMALL, tmp_path / "t", tracking=False).complete


def test_an_experiment_takes_up_agents_and_events_while_it_runs(tmp_path: Path) -> None:
    events = [SMALL, define("nim", ("random", "osla"), 2, seed=3)]
    longer = Experiment.of(events).extended(5, ["random"])
    longer = longer.with_events({"sim-2p": define("sim", ("random", "osla", "random"), 2, seed=3)})
    progress = Asking(lambda: request_more(tmp_path / "t", longer))
    results = run_experiment(Experiment.of(events), tmp_path / "t", tracking=False, progress=progress)
    expected = run_experiment(longer, tmp_path / "new", tracking=False)
    assert (results.complete, results.overall) == (True, expected.overall)
    for name in longer.events:
        assert content_hash(tmp_path / "t" / name) == content_hash(tmp_path / "new" / name)
    assert progress.done == progress.total == results.total
    assert not list(tmp_path.rglob(".request.json"))


def test_what_nobody_has_taken_up_is_taken_up_by_the_next(tmp_path: Path) -> None:
    short = Experiment.of([define("nim", ("random", "osla"), 2)])
    run_experiment(short, tmp_path, tracking=False)
    request_more(tmp_path, short.extended(3, []))
    assert run_experiment(short, tmp_path, tracking=False).total == 6
    assert read_experiment(tmp_path).events["nim-2p"].blocks == 3
    assert not (tmp_path / ".request.json").exists()
    (tmp_path / ".request.json").write_text("{")
    with pytest.raises(DataError, match="request.json' is damaged"):
        run_experiment(short, tmp_path, tracking=False)


@pytest.mark.system
def test_an_experiment_is_extended_and_paused_from_outside(tmp_path: Path) -> None:
    agent, folder = tmp_path / "patient.py", tmp_path / "t"
    agent.write_text(PATIENT)
    begin = ("tic_tac_toe", "nim", "--agent", str(agent), "--agent", "random", "--blocks", "100", "--seed", "1")
    how = ("--workers", "1", "--no-tracking", "--quiet", "--out", str(folder))
    paths = os.pathsep.join(os.path.abspath(entry) for entry in sys.path)  # noqa: PTH100  "" is the working directory
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "tag", "tournament", *begin, *how],
        env={**os.environ, "PYTHONPATH": paths, "SLOW": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    end = time.monotonic() + 120
    while not list(folder.glob("*/ledger/games-*.parquet")):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.02)
    asked = run_tag("tournament", folder, "--extend", "--agent", "osla", "--trust")
    assert asked.stdout == f"the process at work on {folder} goes on with 1,200 games in all\n"
    assert "at work" in run_tag("status", folder).stdout or "games/s" in run_tag("status", folder).stdout
    paused = run_tag("pause", folder)
    assert paused.exit_code == 0, paused.output
    assert f"tournament {folder} --trust" in paused.stdout
    _output, errors = process.communicate(timeout=120)
    assert process.returncode == 130, errors
    done = run_tag("tournament", folder, "--workers", "1", "--no-tracking", "--quiet", "--trust")
    assert done.exit_code == 0, done.output
    assert {len(event.agents) for event in read_experiment(folder).events.values()} == {3}
    assert run_tag("pause", folder).stderr == f"tag: nobody is at work on {str(folder)!r}\n"


BEGIN = ("--agent", "random", "--agent", "osla", "--blocks", "2", "--no-tracking", "--quiet", "--out")


@pytest.mark.parametrize("kind", ["tournament", "experiment"])
def test_requests_add_up_and_none_is_lost(kind: str, tmp_path: Path) -> None:
    """One is asked for while another waits, is taken, or was made of what has changed since."""
    games = ("nim",) if kind == "tournament" else ("nim", "sim")
    run_tag("tournament", *games, *BEGIN, tmp_path)
    ask = ("tournament", tmp_path, "--extend")
    with locked(tmp_path / ".lock"):  # somebody is at work
        assert run_tag(*ask, "--blocks", 3).exit_code == 0
        assert run_tag(*ask, "--agent", "random").exit_code == 0
        stale = (
            partial(request_extension, tmp_path, extended(read_manifest(tmp_path).definition, 9, []))
            if kind == "tournament"
            else partial(request_more, tmp_path, read_experiment(tmp_path).extended(9, []))
        )
        with pytest.raises(DataError, match=r"more has been asked for by another process: .*; ask again"):
            stale()
        if kind == "tournament":
            request_pause(tmp_path)
            assert not Folder.open(tmp_path).asks_for_more()  # it pauses, and the next process takes the rest
    assert run_tag("tournament", tmp_path, "--no-tracking", "--quiet").exit_code == 0
    events = [read_manifest(one.parent).definition for one in tmp_path.rglob("tournament.json")]
    assert [(event.blocks, len(event.agents)) for event in events] == [(3, 3)] * len(games)
    assert not list(tmp_path.rglob(".request.json"))


@pytest.mark.slow
def test_requests_of_many_processes_at_once(tmp_path: Path) -> None:
    """Twelve ask for an agent each while one process takes what there is; every agent that was granted arrives."""
    run_tournament(define("nim", ("random", "osla"), 1), tmp_path, tracking=False)
    words = [sys.executable, "-m", "tag", "tournament", str(tmp_path), "--extend", "--agent"]
    with Folder.locked(tmp_path, read_manifest(tmp_path).definition) as folder:
        asking = [
            subprocess.Popen([*words, f"mcts:budget={number}"], stderr=subprocess.PIPE) for number in range(10, 22)
        ]
        while any(one.poll() is None for one in asking):
            folder.take_extension()
        for one in asking:
            one.communicate()
        folder.take_extension()
        granted = [f"mcts:budget={number}" for number, one in enumerate(asking, 10) if one.returncode == 0]
        assert granted
        assert set(folder.definition.agents) == {"random", "osla", *granted}


def test_a_pause_needs_somebody_at_work(tmp_path: Path) -> None:
    run_tournament(SMALL, tmp_path / "t", tracking=False)
    with pytest.raises(DataError, match="nobody is at work on"):
        request_pause(tmp_path / "t")
    with pytest.raises(DataError, match="holds no tournament"):
        request_pause(tmp_path)


def test_who_is_at_work_is_seen_from_the_lock(tmp_path: Path) -> None:
    assert not is_at_work(tmp_path)
    with locked(tmp_path / ".lock"):
        assert is_at_work(tmp_path)
    assert not is_at_work(tmp_path)


def test_from_another_terminal(tmp_path: Path) -> None:
    """Status, extension and pause of a real process, and going on by naming the folder."""
    folder = tmp_path / "t"
    file = tmp_path / "patient.py"
    file.write_text(PATIENT)
    agents = ["--agent", "random", "--agent", f"{file}:Patient"]
    command = [sys.executable, "-m", "tag", "tournament", "tic_tac_toe", *agents, "--no-ray", "--no-tracking"]
    command += ["--blocks", "400", "--out", str(folder)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**os.environ, "SLOW": "yes"})
    deadline = time.monotonic() + 60
    while not list(folder.glob("ledger/games-*.parquet")) and time.monotonic() < deadline:
        time.sleep(0.05)
    plain = json.loads(run_tag("status", folder, "--json").stdout)
    assert plain["at_work"] is True
    assert 0 < plain["games"] < plain["total"] == 800
    said = run_tag("tournament", folder, "--extend", "--blocks", 500, "--trust")
    assert "goes on with 1,000 games in all" in said.stdout
    while Folder.open(folder).has_request and time.monotonic() < deadline:
        time.sleep(0.05)
    assert run_tag("pause", folder).exit_code == 0
    _out, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert "of 1,000 games; go on with: " in errors
    assert "nobody at work" in run_tag("status", folder).stdout
    before = len(read_ledger(folder)[0])
    assert run_tag("tournament", folder, "--blocks", 1).exit_code == 2
    run_tournament(extended(read_manifest(folder).definition, None, []), folder, tracking=False, workers=1)
    assert len(read_ledger(folder)[0]) == 1000 > before
    assert read_status(folder).text.startswith("1,000 of 1,000 games")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--blocks", "9"], "{folder!r} holds a tournament already; for more blocks, add --extend"),
        (["--seed", "9"], "{folder!r} holds a tournament already; its seed cannot be changed"),
        (["--extend", "--players", "3"], "{folder!r} holds a tournament already; its players cannot be changed"),
        (["--extend", "--blocks", "1"], "this tournament cannot be extended: blocks is 4 there and can only grow, "
         "not shrink to 1"),
        (["--extend", "--agent", "rendom"], "no agent named 'rendom'; did you mean 'random'?"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_sentence(arguments: list[str], sentence: str, tmp_path: Path) -> None:
    folder = str(tmp_path / "t")
    run_tournament(SMALL, Path(folder), tracking=False)
    result = run_tag("tournament", folder, *arguments)
    assert result.exit_code == 2
    assert result.stderr.strip() == f"tag: {sentence.format(folder=folder)}"
