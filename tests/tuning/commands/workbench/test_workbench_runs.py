"""Runs of the workbench: their processes and records, what may be done with each, and what received folders cannot do."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from browsers.web_visits import visited
from browsers.workbench_server import WorkbenchServer, workbench_server

from tag.errors import DataError, ParameterError
from tag.tournaments import define, read_results, run_tournament
from tag.tournaments.ledger.experiment import Experiment, read_extended
from tag.tournaments.ledger.folder import LOCK
from tag.tournaments.ledger.storage import locked
from tag.tournaments.run import run_experiment
from tag.tournaments.web.live.pages import live_pages
from tag.tuning.commands.live import KINDS
from tag.tuning.commands.workbench.kinds import KINDS as FORMS
from tag.tuning.commands.workbench.pages import WorkbenchPages
from tag.tuning.commands.workbench.processes import RECORDS, Processes, Record, run_shortly
from tag.tuning.commands.workbench.runs import MOST_RUNS, Runs
from tag.tuning.commands.workbench.wanted import RefusedError, WantedRun, read_values

pytestmark = pytest.mark.flow

SMALL = {"game": ["nim"], "agents": ["osla", "random"], "blocks": 1, "seed": 1, "workers": 1, "tracking": False}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "runs").mkdir()
    return tmp_path / "runs"


@pytest.fixture
def runs(root: Path) -> Runs:
    return Runs([root], KINDS)


def wanted(runs: Runs, name: str, **values: Any) -> tuple[str, WantedRun]:
    kind = FORMS["tournament"]
    whole, out = runs.out_of(name)
    return whole, WantedRun(kind, out, read_values(kind, {**SMALL, **values}))


def until(runs: Runs, name: str, right: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    end = time.monotonic() + 120.0
    while True:
        row = next((one for one in runs.rows() if one["name"] == name), {})
        if row and right(row):
            return row
        assert time.monotonic() < end, row
        time.sleep(0.05)


def test_a_run_is_started_found_by_another_server_and_complete(root: Path, runs: Runs) -> None:
    runs.start(*wanted(runs, "love/first"))
    until(Runs([root], KINDS), "love/first", lambda row: row["state"] == "complete")
    (row,) = runs.rows()
    assert (row["games"], row["may"], row["grows"]) == (2, [], ["blocks", "agents"])
    assert read_results(root / "love" / "first").complete
    assert sorted(path.suffix for path in (root / RECORDS).iterdir()) == [".json", ".lock", ".log"]
    assert runs.extend("love/first", {"blocks": 2, "agents": ["mcts:budget=5"]}) == "love/first goes on with more"
    until(runs, "love/first", lambda row: row["state"] == "complete" and row["games"] == 12)


def test_a_run_that_failed_tells_its_last_sentence_and_can_be_removed(root: Path, runs: Runs) -> None:
    runs.start(*wanted(runs, "bad", design="swis"))
    row = until(runs, "bad", lambda row: row["state"] == "failed")
    assert row["sentence"].startswith("no design named 'swis'")
    assert (row["may"], row["grows"]) == (["forget"], [])
    runs.forget("bad")
    assert runs.rows() == []
    assert list((root / RECORDS).iterdir()) == []
    with pytest.raises(ParameterError, match="there is no such run"):
        runs.forget("bad")


def test_runs_of_the_command_line_are_paused_and_go_on_too(root: Path, runs: Runs) -> None:
    run_tournament(define("nim", ("osla", "random"), 1, seed=1), root / "other", tracking=False)
    with locked(root / "other" / LOCK):
        (row,) = runs.rows()
        assert (row["state"], row["may"], row["grows"]) == ("running", ["pause"], ["blocks", "agents"])
        runs.pause("other")
    assert json.loads((root / "other" / ".request.json").read_text()) == {"pause": True}


def test_events_have_the_buttons_of_their_experiment(root: Path, runs: Runs) -> None:
    events = [define(game, ("osla", "random"), 1, seed=1) for game in ("nim", "tic_tac_toe")]
    run_experiment(Experiment.of(events), root / "both", tracking=False)
    (row,) = runs.rows()
    assert (row["name"], row["kind"], row["grows"]) == ("both", "experiment", ["blocks", "agents"])


def test_the_folder_that_is_served_may_be_a_run_itself_and_is_left_alone(root: Path) -> None:
    run_tournament(define("nim", ("osla", "random"), 1, seed=1), root / "one", tracking=False)
    alone = Runs([root / "one"], KINDS)
    (row,) = alone.rows()
    assert (row["name"], row["may"], row["grows"]) == ("one", [], [])
    with pytest.raises(RefusedError, match="there is a run in the folder above already"):
        alone.out_of("new")


def test_several_folders_are_told_apart_by_names(root: Path) -> None:
    (root.parent / "studies").mkdir()
    both = Runs([root, root.parent / "studies"], KINDS)
    assert both.places == ["runs", "studies"]
    assert both.out_of("studies/new") == ("studies/new", f"{root.parent}/studies/new")
    assert both.free_name(FORMS["study"]) == "runs/study-1"
    with pytest.raises(RefusedError, match="the name of a run begins with one of: runs, studies"):
        both.out_of("elsewhere/new")
    run_tournament(define("nim", ("osla", "random"), 1, seed=1), root.parent / "studies" / "x", tracking=False)
    assert [row["name"] for row in both.rows()] == ["studies/x"]


def test_so_many_runs_are_at_work_at_once_and_no_more(root: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    busy = [sys.executable, "-P", "-c", "import time; time.sleep(60)"]
    monkeypatch.setattr("tag.tuning.commands.workbench.processes.TAG", busy)
    try:
        for number in range(MOST_RUNS):
            runs.start(*wanted(runs, f"run{number}"))
        assert [row["state"] for row in runs.rows()] == ["starting"] * MOST_RUNS
        with pytest.raises(ParameterError, match=f"{MOST_RUNS} runs are at work, and {MOST_RUNS} may be; pause one"):
            runs.start(*wanted(runs, "more"))
        with pytest.raises(RefusedError, match="'run0' is at work already"):
            runs.out_of("run0")
    finally:
        for record in Processes(root).records():
            os.killpg(record.pid, signal.SIGKILL)
    for number in range(MOST_RUNS):
        until(runs, f"run{number}", lambda row: row["state"] == "failed")


def test_a_short_command_that_hangs_is_ended_with_all_that_it_started(monkeypatch: pytest.MonkeyPatch) -> None:
    child = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(60)'])"
    monkeypatch.setattr("tag.tuning.commands.workbench.processes.TAG", [sys.executable, "-P", "-c", child])
    begin = time.monotonic()
    with pytest.raises(DataError, match=r"there is no answer after 0\.5 s"):
        run_shortly([], 0.5)
    assert time.monotonic() - begin < 30.0


def record_of(run: str, **values: Any) -> dict[str, Any]:
    return {**asdict(Record(run, "study", "2026-01-01T00:00:00+00:00", os.getpid(), 1, False)), **values}


def write_record(root: Path, run: str, content: object) -> Path:
    processes = Processes(root)
    file = processes._file(run, "json")
    file.parent.mkdir(exist_ok=True)
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    return file


@pytest.mark.parametrize(
    "content",
    [
        "", "{", "[]", "null", "[" * 100_000, '{"run": 1}',
        record_of("x", pid=1), record_of("x", pid=0), record_of("x", pid=-1), record_of("x", pid="1"),
        record_of("x", workers=0), record_of("x", workers="1 --trust"), record_of("x", tracking="no"), record_of("other"),
        {**record_of("x"), "words": ["--trust"]}, record_of("x", kind=["study"]),
    ],
)  # fmt: skip
def test_records_of_others_are_read_as_far_as_they_are_right(root: Path, content: object) -> None:
    write_record(root, "x", content)
    assert Processes(root).records() == []


def test_links_in_the_place_of_records_are_not_followed(root: Path, runs: Runs) -> None:
    precious = root.parent / "precious"
    precious.write_text("tag: a secret")
    for suffix in ("log", "lock"):
        write_record(root, "x", record_of("x")).with_suffix(f".{suffix}").symlink_to(precious)
    assert Processes(root).last_sentence("x") == ""
    assert not Processes(root).is_alive("x")
    with pytest.raises(DataError):
        runs.start(*wanted(runs, "x"))
    assert precious.read_text() == "tag: a secret"


def test_a_received_folder_that_names_code_is_refused_when_it_goes_on(root: Path, runs: Runs) -> None:
    """As on the command line without --trust; the list shows the sentence."""
    mark = root.parent / "mark"
    agent = root.parent / "agent.py"
    agent.write_text(f"from pathlib import Path\nPath({str(mark)!r}).touch()\n" + _AGENT)
    run_tournament(define("nim", (f"{agent}:Mine", "random"), 1, seed=1), root / "got", tracking=False)
    mark.unlink()
    for shard in (root / "got" / "ledger").iterdir():
        shard.unlink()
    assert runs.rows()[0]["state"] == "stopped"
    runs.resume("got")
    row = until(runs, "got", lambda row: row["state"] == "stopped" and bool(row["sentence"]))
    assert "--trust" in row["sentence"]
    assert not mark.exists()


_AGENT = """
from tag import Agent
class Mine(Agent):
    def decide(self, observation, actions):
        return 0
"""


def test_the_server_leaves_out_the_workbench_where_it_is_asked_to(root: Path) -> None:
    with visited(live_pages([root], KINDS, "token"), "token") as visitor:
        assert "Workbench" not in visitor.get("/").text
        assert visitor.get("/workbench").status == 404
        assert visitor.post("/workbench/start", {}).status in (404, 405)
    routes = WorkbenchPages([root], KINDS).routes()
    with visited(live_pages([root], KINDS, "token", routes), "token") as visitor:
        assert 'href="/workbench"' in visitor.get("/").text
        assert visitor.get("/workbench").status == 200
        assert visitor.get("/workbench", Cookie=None).status == 403
    assert list(root.iterdir()) == []


@pytest.mark.system
def test_an_experiment_is_paused_extended_and_resumed(root: Path, runs: Runs) -> None:
    values = {
        "game": ["tic_tac_toe", "sim"],
        "agents": ["mcts:budget=300", "random"],
        "blocks": 100_000,
    }  # minutes, also compiled
    runs.start(*wanted(runs, "both", **values))
    until(runs, "both", lambda row: row["kind"] == "experiment" and row["state"] == "running" and row["games"] > 0)
    assert "goes on with" in runs.extend("both", {"blocks": 100_001})
    runs.pause("both")
    games = until(runs, "both", lambda row: row["state"] == "stopped")["games"]
    assert {event.blocks for event in read_extended(root / "both").events.values()} == {100_001}
    runs.resume("both")
    until(runs, "both", lambda row: row["state"] == "running" and row["games"] > games)
    runs.pause("both")
    until(runs, "both", lambda row: row["state"] == "stopped")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[WorkbenchServer]:
    with workbench_server(tmp_path) as found:
        yield found


@pytest.mark.system
def test_ctrl_c_of_the_server_is_not_for_its_runs(server: WorkbenchServer) -> None:
    values = {**SMALL, "game": ["tic_tac_toe"], "agents": ["mcts:budget=300", "random"], "blocks": 200_000}
    server.post("start", kind="tournament", name="first", values=values)
    games = server.wait("first", lambda row: row["state"] == "running" and row["games"] > 0)["games"]
    server.interrupt()
    server.start()
    server.wait("first", lambda row: row["state"] == "running" and row["games"] > games)
    server.post("pause", run="first")
    server.in_state("first", "stopped")
    assert read_results(server.runs / "first").games > games
