"""The rule of trust: what comes out of files runs with ``--trust`` only, in every command and from every kind of file.

Each payload leaves a mark when it runs. Every case is run twice: without ``--trust`` it must not leave the mark, and with it
it must, or the case would show nothing.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from browsers.web_visits import visited
from click.testing import Result
from commands import run_tag
from users_code import plain_game

from tag.agents import learned
from tag.catalogue import trust, user_code
from tag.cli import _COMMANDS
from tag.errors import TagError, TrustError
from tag.orders import forget_user_code
from tag.table.game import Start
from tag.table.tree import SavedGame
from tag.tournaments import (
    content_hash,
    open_tournament,
    read_actions,
    read_faults,
    read_ledger,
    read_measures,
    read_results,
    read_timings,
)
from tag.tournaments.web.live.pages import live_pages
from tag.tournaments.web.tables.pool import EnginePool
from tag.tuning import open_balance, open_study, open_training
from tag.tuning.commands.live import KINDS

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.usefixtures("undrawn"), pytest.mark.flow]
TIC_TAC_TOE = ROOT / "games" / "abstract" / "tic_tac_toe.py"
FUTURE = "from __future__ import annotations\n"
_QUIET = ("--workers", "1", "--no-tracking", "--quiet")
_PLAYS = ("--workers", "1", "--quiet")
_TWO = ("--agent", "random", "--agent", "osla")
#: What runs only with ``--trust``: an id, the command, and what it is given; names in braces are files of `_files`.
ASKING = {
    # agents of JSON, in every command that takes agents
    "play-json": "play tic_tac_toe --agent {json} --agent random --quiet",
    "play-json-in-spec": "play tic_tac_toe --agent rhea:opponent={json},budget=20 --agent random --quiet",
    "inspect-json": "inspect tic_tac_toe --agent {json}",
    "tournament-json": "tournament tic_tac_toe --agent {json} --agent random --blocks 1 --out {new} Q",
    "series-json": "series tic_tac_toe --agent {json} --agent random --blocks 1 --out {new} Q",
    "experiment-json": "tournament tic_tac_toe nim --agent {json} --agent random --blocks 1 --out {new} Q",
    "noise-json": "noise tic_tac_toe --agent {json} --blocks 10 --out {new} P",
    "tune-json": "tune osla --game tic_tac_toe --versus {json} --games 40 --validation 0 --out {new} Q",
    "balance-json": "balance tic_tac_toe --agent {json} --search size --target draws<=0.5 --games 40 "
    "--validation 20 --out {new} Q",
    "analyse-json": "analyse tic_tac_toe --agent {json} --games 2 --out {new} --no-tracking P",
    "exploit-json": "exploit {kuhn} --agent {json} --games 2",
    "check-json": "check {json} --game tic_tac_toe --players 2",
    # definitions in TOML
    "tournament-toml": "tournament {tournament.toml} --out {new} Q",
    "tournament-toml-program": "tournament {program.toml} --out {new} Q",
    "tournament-toml-game": "tournament {game.toml} --out {new} Q",
    "tournament-toml-metric": "tournament {metric.toml} --out {new} Q",
    "experiment-toml": "tournament {experiment.toml} --out {new} Q",
    "noise-toml": "noise {tournament.toml} --blocks 10 --out {new} P",
    "tune-toml": "tune {tune.toml} --out {new} Q",
    "tune-toml-objective": "tune {objective.toml} --out {new} Q",
    "tune-toml-sampler": "tune {sampler.toml} --out {new} Q",
    "balance-toml": "balance {balance.toml} --out {new} Q",
    "train-toml": "train {train.toml} --out {new} Q",
    # folders
    "tournament-folder": "tournament {code} Q",
    "tournament-part": "tournament {part1} Q",
    "tournament-folder-program": "tournament {program} --extend --blocks 3 Q",
    "experiment-folder": "tournament {experiment} Q",
    "experiment-folder-extended": "tournament {experiment} nim --extend --blocks 2 Q",
    "experiment-request": "tournament {experiment-request} Q",
    "experiment-dry-run": "tournament {experiment} --dry-run",
    "tournament-request": "tournament tic_tac_toe --agent random --agent osla --blocks 1 --seed 1 --out {request} Q",
    "noise-tournament": "noise {code} --blocks 10 --out {new} P",
    "noise-folder": "noise {noise} P",
    "report-noise": "report {noise} --out {new}",
    "replay": "replay {code} b0-m0-s0",
    "replay-isolated": "replay {isolated} b0-m0-s0",
    "replay-program": "replay {program} b0-m0-s0",
    "replay-with-agents": "replay {recorded} b0-m0-s0 --with-agents",
    "replay-game": "replay {game} b0-m0-s0",
    "export-actions": "export {code} actions",
    "export-actions-program": "export {program} actions",
    "export-positions": "export {code} positions --out {new}",
    "export-positions-game": "export {game} positions --out {new}",
    "train-ledger": "train regression --ledger {code} --evaluations 1 --evaluation-games 10 --out {new} Q",
    "tune-folder": "tune {tune} Q",
    "tune-folder-objective": "tune {objective} Q",
    "tune-deviations": "tune deviations {tune} --games 40 P",
    "balance-folder": "balance {balance} Q",
    "train-folder": "train {train} --seeds 2 Q",
    # other files
    "replay-log": "replay {log} b0-m0-s0",
    "play-saved-game": "play --continue {saved}",
}
#: Commands that show what is in a folder, and run nothing of it: they have to work without ``--trust``.
READING = {
    **{f"results-{name}": f"results {{{name}}}" for name in ("code", "program", "game", "recorded", "experiment")},
    **{f"status-{name}": f"status {{{name}}}" for name in ("code", "program", "game", "experiment")},
    **{f"ratings-{name}": f"ratings {{{name}}}" for name in ("code", "program", "game", "experiment")},
    **{
        f"report-{name}": f"report {{{name}}} --out {{new}}"
        for name in ("code", "program", "game", "experiment", "train")
    },
    **{
        f"figure-{name}": f"figure {{{name}}}"
        for name in ("code", "program", "game", "experiment", "tune", "balance", "train")
    },
    "figure-drawn": "figure {game} rates {new}.svg",
    **{
        f"latex-{name}": f"export {{{name}}} latex"
        for name in ("code", "program", "game", "experiment", "tune", "balance", "train")
    },
    **{f"method-{name}": f"export {{{name}}} method" for name in ("code", "program", "game", "experiment")},
    **{f"bundle-{name}": f"export {{{name}}} bundle --out {{new}}" for name in ("code", "program", "game")},
    **{
        f"export-{what}": f"export {{game}} {what}"
        for what in ["crosstable", "standings", "pairs", "games", "seats", "json", "pgn"]
    },
    **{
        f"export-{what}-experiment": f"export {{experiment}} {what}"
        for what in ["crosstable", "standings", "pairs", "games", "seats", "json", "pgn"]
    },
    **{f"verify-{name}": f"verify {{{name}}}" for name in ("code", "program", "game", "experiment", "tune", "balance")},
    "merge-parts": "merge {part1} {part2} --out {new} --no-tracking",
    "results-by-machine": "results {code} --by-machine",
    "replay-recorded": "replay {recorded} b0-m0-s0",
    "export-actions-recorded": "export {recorded} actions",
    "tune-show": "tune show {tune}",
    "tune-show-objective": "tune show {objective}",
    "balance-show": "balance show {balance}",
    "train-show": "train show {train}",
}
#: Commands with a test of their own below, and those that no file can have run anything, with the reason.
ELSEWHERE = {
    "serve": "test_pages_of_received_folders_run_nothing",
    "table": "test_tables_ask_in_the_processes_that_compute",
    "pause": "writes a request into a folder at work",
    "cluster": "takes addresses",
    "version": "takes nothing",
    "games": "explains a name that was typed",
    "agents": "explains a name that was typed",
    "heuristics": "explains a name that was typed",
    "learners": "explains a name that was typed",
    "compile": "takes a file that was typed",
}


@pytest.fixture(autouse=True)
def nothing_known() -> Iterator[None]:
    """Have files imported again by the next command, as in a process of its own."""
    _forget()
    yield
    _forget()


def _forget() -> None:
    for known in (user_code._modules, user_code._sources, user_code._imported, learned._FROM_FILES, learned._LEARNED):
        known.clear()
    forget_user_code()


def tag(*arguments: object) -> Result:
    _forget()
    return run_tag(*arguments)


@pytest.fixture
def received(files_of_every_kind: SimpleNamespace) -> SimpleNamespace:
    """The same without a mark."""
    files_of_every_kind.mark.unlink(missing_ok=True)
    return files_of_every_kind


@pytest.fixture(scope="module")
def files_of_every_kind(tmp_path_factory: pytest.TempPathFactory) -> SimpleNamespace:
    """Files of every kind that name a payload, made as users make them, and the mark that the payload leaves."""
    home = tmp_path_factory.mktemp("received")
    mark = home / "mark"
    made = SimpleNamespace(home=home, mark=mark, files=_files(home, mark))
    for name, command in _FOLDERS.items():
        result = tag(*_words(command, made.files), "--out", home / name)
        assert result.exit_code == 0, (name, result.output)
        made.files[name] = str(home / name)
    log = home / "log.jsonl"
    log.write_text(tag("export", home / "game", "actions", "--trust").output)
    made.files["log"] = str(log)
    _write_request(home / "request", home / "agent.py")
    made.files["request"] = str(home / "request")
    _write_request_of_experiment(home / "experiment-request", home / "agent.py")
    return made


#: How folders are made.
_FOLDERS = {
    "code": "tournament tic_tac_toe --agent {agent.py} --agent random --blocks 2 Q",
    "part1": "tournament tic_tac_toe --agent {agent.py} --agent random --blocks 2 --seed 1 --part 1/2 Q",
    "part2": "tournament tic_tac_toe --agent {agent.py} --agent random --blocks 2 --seed 1 --part 2/2 Q",
    "isolated": "tournament tic_tac_toe --agent {agent.py} --agent random --blocks 1 --isolate Q",
    "recorded": "tournament tic_tac_toe --agent {agent.py} --agent random --blocks 1 --record-actions Q",
    "program": "tournament tic_tac_toe --agent {program-spec} --agent random --blocks 1 Q",
    "game": "tournament {game.py} --agent random --agent osla --blocks 1 --record-actions Q",
    "request": "tournament tic_tac_toe --agent random --agent osla --blocks 1 --seed 1 Q",
    "experiment": "tournament tic_tac_toe {game.py} --agent {agent.py} --agent random --blocks 1 Q",
    "experiment-request": "tournament tic_tac_toe nim --agent random --agent osla --blocks 1 Q",
    "noise": "noise tic_tac_toe --agent {agent.py} --blocks 10 P",
    "noise-game": "noise {game.py} --agent random --blocks 10 P",
    "tune": "tune osla --game tic_tac_toe --versus {agent.py} --games 40 --validation 0 --sampler random Q",
    "objective": "tune osla --game tic_tac_toe --versus random --objective {objective.py}:mine --games 40 --validation 0 "
    "--sampler {sampler.py}:Mine Q",
    "balance": "balance tic_tac_toe --agent {agent.py} --search size --target draws<=0.5 --games 40 --validation 20 Q",
    "balance-game": "balance {board.py} --agent osla --search size --target draws<=0.5 --games 40 --validation 20 Q",
    "train": "train td_ntuple --game {board.py} --episodes 4 --evaluations 1 --evaluation-games 10 Q",
}
#: Commands that show what is in a folder of any kind, and the folders of which some of them ask: they have to make the
#: agents of an A/A test, and the game of a balancing study or a training.
SHOWING = ("results", "ratings", "status", "report", "verify", "tune show", "tune report", "balance show")
SHOWING += ("balance report", "train show", "train report")
ASKED_OF = {"noise": {"status", "report"}}
ASKED_OF["balance-game"] = {"status", "report", "balance show", "balance report"}


#: Compiled agents and games cannot be inherited from.
AGENT = """
from tag import Agent

class Mine(Agent):
    def act(self, observation, actions):
        return actions[self.sim.rng.below(len(actions))]
"""


def _files(home: Path, mark: Path) -> dict[str, str]:
    leave = f"import pathlib; pathlib.Path({str(mark)!r}).touch()\n"
    program = f"process:command=sh -c 'touch {mark}',hang_seconds=5"
    texts = {
        "agent.py": f"{leave}{AGENT}",
        "game.py": f"{leave}{Path(plain_game.__file__).read_text()}",
        "board.py": TIC_TAC_TOE.read_text(encoding="utf-8").replace(FUTURE, FUTURE + leave),
        "metric.py": f"{leave}from tag.playing.metrics import Metric\n"
        "class Mine(Metric):\n    def values(self): return {}\n",
        "objective.py": f"{leave}def mine(games, seats): return float(len(games))\n",
        "sampler.py": f"{leave}from optuna.samplers import RandomSampler\n"
        "class Mine(RandomSampler):\n    def __init__(self, seed): super().__init__(seed=seed)\n",
    }
    found = {name: str(home / name) for name in texts}
    for name, text in texts.items():
        (home / name).write_text(text)
    agent = str(home / "agent.py")
    versus = {"agents": ["osla"], "game": "tic_tac_toe", "versus": ["random"], "games": 40, "validation": 0}
    two = {"game": "tic_tac_toe", "agents": [agent, "random"], "blocks": 1}
    tables = {
        "tournament.toml": two,
        "program.toml": {**two, "agents": [program, "random"]},
        "game.toml": {**two, "game": found["game.py"], "agents": ["random", "osla"]},
        "metric.toml": {**two, "agents": ["random", "osla"], "metrics": [f"{found['metric.py']}:Mine"]},
        "experiment.toml": {"agents": [agent, "random"], "blocks": 1},
        "tune.toml": {**versus, "versus": [agent]},
        "objective.toml": {**versus, "objective": f"{found['objective.py']}:mine"},
        "sampler.toml": {**versus, "sampler": f"{found['sampler.py']}:Mine"},
        "balance.toml": {
            "game": "tic_tac_toe",
            "agents": [agent],
            "search": ["size"],
            "targets": ["draws<=0.5"],
            "games": 40,
            "validation": 20,
        },
        "train.toml": {
            "learner": "td_ntuple",
            "game": found["board.py"],
            "episodes": 4,
            "evaluations": 1,
            "evaluation_games": 10,
        },
    }
    for name, table in tables.items():
        (home / name).write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in table.items()))
        found[name] = str(home / name)
    with (home / "experiment.toml").open("a") as file:
        file.write('[[events]]\ngame = "tic_tac_toe"\n')
    (home / "agent.json").write_text(json.dumps({"name": agent}))
    _saved("human", agent).save(home / "saved.json")
    kuhn = str(ROOT / "examples" / "kuhn_poker.py")
    return found | {
        "json": str(home / "agent.json"),
        "saved": str(home / "saved.json"),
        "program-spec": program,
        "kuhn": kuhn,
    }


def _saved(*seats: str) -> SavedGame:
    return SavedGame(Start("tic_tac_toe", len(seats), 1), seats)


def _write_request(folder: Path, agent: Path) -> None:
    """Leave a request for an extension in a folder, as a process would that was asked for more."""
    definition = json.loads((folder / "tournament.json").read_text())["definition"]
    longer = {**definition, "agents": [*definition["agents"], str(agent)]}
    request = {"definition": longer, "sources": {str(agent): agent.read_text()}}
    (folder / ".request.json").write_text(json.dumps(request))


def _words(command: str, files: dict[str, str], new: Path | None = None) -> list[str]:
    """Return the words of a command with the files that it names."""
    shared = {"Q": _QUIET, "P": _PLAYS}
    words = [word for part in command.split() for word in shared.get(part, (part,))]
    known = {f"{{{name}}}": path for name, path in files.items()} | {"{new}": str(new)}
    for name, path in known.items():
        words = [word.replace(name, path) for word in words]
    return words


def _run(received: SimpleNamespace, command: str, new: Path, *more: str) -> tuple[Result, bool]:
    """Run a command, and return its result and whether the payload has run."""
    received.mark.unlink(missing_ok=True)
    result = tag(*_words(command, received.files, new), *more)
    return result, received.mark.exists()


@pytest.mark.parametrize("case", ASKING)
def test_what_files_name_runs_only_with_trust(received, tmp_path, monkeypatch, case):
    monkeypatch.chdir(tmp_path)
    result, has_run = _run(received, ASKING[case], tmp_path / "new")
    assert not has_run
    assert result.exit_code == 2, result.output
    refusal = result.output.splitlines()[-1]
    assert refusal.startswith("tag: ")
    assert "names it; only what you type runs unasked" in refusal
    trusting, runs = _run(received, ASKING[case], tmp_path / "trusted", "--trust")
    assert runs, f"{case} shows nothing: {trusting.output}"


@pytest.mark.parametrize("case", READING)
def test_reading_runs_nothing_and_asks_for_nothing(received, tmp_path, monkeypatch, case):
    monkeypatch.chdir(tmp_path)
    result, has_run = _run(received, READING[case], tmp_path / "new")
    assert not has_run
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("kind", _FOLDERS)
def test_showing_a_folder_runs_nothing_and_asks_only_where_it_has_to_make_what_a_file_defines(
    received, tmp_path, monkeypatch, kind
):
    monkeypatch.chdir(tmp_path)
    asked, shown = set(), 0
    for command in SHOWING:
        result, has_run = _run(received, f"{command} {{{kind}}}", tmp_path / "new")
        assert not has_run, command
        assert result.exit_code in (0, 2), result.output
        asked |= {command} if "--trust" in result.output and result.exit_code else set()
        shown += result.exit_code == 0
    assert asked == ASKED_OF.get(kind, set())
    assert asked or shown >= 2, "of each folder, the state and a report are shown"
    for command in asked:
        result, has_run = _run(received, f"{command} {{{kind}}} --trust", tmp_path / "new")
        assert (result.exit_code, has_run) == (0, True), f"{command} shows nothing: {result.output}"


#: What reads each kind of folder from Python.
READERS = {
    **dict.fromkeys(("code", "program", "game", "recorded", "isolated"), "tournament"),
    "tune": "study",
    "objective": "study",
    "balance": "balance",
    "balance-game": "balance",
    "train": "training",
}
CALLS = {
    "tournament": (
        *(read_ledger, read_timings, read_faults, read_measures, read_actions, read_results, content_hash),
        *(lambda folder: open_tournament(folder).standings, lambda folder: repr(open_tournament(folder))),
    ),
    "study": (lambda folder: open_study(folder).trials, lambda folder: repr(open_study(folder))),
    "balance": (lambda folder: open_balance(folder).trials, lambda folder: repr(open_balance(folder))),
    "training": (lambda folder: open_training(folder).curves, lambda folder: repr(open_training(folder))),
}


@pytest.mark.parametrize("kind", READERS)
def test_reading_a_folder_from_python_runs_nothing_but_the_game_of_a_balancing_study(received, kind):
    for read in CALLS[READERS[kind]]:
        _forget()
        read(Path(received.files[kind]))
    assert received.mark.exists() == (kind == "balance-game")


def test_the_code_of_a_model_is_typed_too(received, tmp_path, monkeypatch):
    """A model names the file of its game; it plays where that game does."""
    monkeypatch.chdir(tmp_path)
    model = Path(received.files["train"], "1.safetensors")
    agents = f"--agent learned:file={model} --agent random --quiet"
    refused, has_run = _run(received, f"play tic_tac_toe {agents}", tmp_path / "new")
    assert (refused.exit_code, has_run) == (2, False)
    assert f"needs the code in {received.files['board.py']!r}" in refused.output
    played, has_run = _run(received, f"play {{board.py}} {agents}", tmp_path / "new")
    assert (played.exit_code, has_run) == (0, True), played.output


def test_every_command_is_in_the_sweep():
    swept = {command.split()[0] for command in (*ASKING.values(), *READING.values())}
    assert swept | ELSEWHERE.keys() == _COMMANDS.keys()
    assert not swept & ELSEWHERE.keys()


def test_what_is_typed_runs_unasked_and_only_with_the_text_of_its_file(received, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    play = "play tic_tac_toe --agent {agent.py} --agent random --quiet"
    result, has_run = _run(received, play, tmp_path / "new")
    assert (result.exit_code, has_run) == (0, True)
    agent = received.files["agent.py"]
    with trust.asking(["play", agent]):
        user_code.provide_source(agent, "raise SystemExit('of a folder')")
        with pytest.raises(TrustError, match="would run"):
            user_code.load_class(agent, object)


@pytest.mark.parametrize(
    "word",
    [
        *(
            "./a.py",
            "./a.py:Mine:depth=3",
            "rhea:opponent=(./a.py:Mine)",
            "--agent=./a.py",
            "mine=./a.py",
            "./b.py,./a.py",
        ),
        *("mcts:heuristic=./a.py", "other:x=1,y=( ./a.py )"),
    ],
)
def test_a_name_is_typed_as_a_whole_anywhere_in_a_spec(word):
    with trust.asking(["play", word]):
        trust.check_file("./a.py")
        for other in ("a.py", "/a.py", "./a.pyc.py", ".py", "./A.py"):
            with pytest.raises(TrustError, match="names it"):
                trust.check_file(other)


@pytest.mark.parametrize("word", ["process:command=sh bot.sh", "x:agent=(process:command=sh bot.sh,legal=no)"])
def test_a_program_is_typed_with_all_of_its_arguments(word):
    with trust.asking(["play", word, "sh", "rm -r"]):
        trust.check_program("sh bot.sh")
        for other in ("sh", "bot.sh", "sh bot.sh -x", "rm -r"):
            with pytest.raises(TrustError, match="would be started"):
                trust.check_program(other)


def test_the_address_of_a_cluster_is_typed_too(tmp_path, monkeypatch):
    """Ray unpickles what the processes of a cluster send."""
    monkeypatch.setattr("tag.tournaments.commands.settings.make_workers", lambda *_arguments, **_options: 1 // 0)
    file = tmp_path / "t.toml"
    file.write_text('game = "tic_tac_toe"\nagents = ["random", "osla"]\nblocks = 1\naddress = "192.0.2.1:6379"\n')
    words = ("tournament", file, "--no-tracking", "--out", tmp_path / "t")
    refused = tag(*words)
    assert refused.exit_code == 2
    assert f"the Ray cluster at '192.0.2.1:6379' would be joined, because {str(file)!r} names it" in refused.output
    for more in (["--trust"], ["--address", "192.0.2.1:6379"]):
        assert "ZeroDivisionError" in tag(*words, *more).output


def test_a_refusal_names_what_would_run_and_the_file_that_names_it(received):
    said = tag("replay", received.files["program"], "b0-m0-s0").output
    assert "touch" in said
    assert str(Path(received.files["program"], "tournament.json")) in said


def test_tables_ask_in_the_processes_that_compute(received, tmp_path):
    """A table can be in the folder of tables, and a recorded game in that of a tournament: neither was typed."""

    async def ask(**request: object) -> str:
        pool = EnginePool()
        try:
            await pool.search("table").ask(**request)
        except TagError as error:
            return str(error)
        finally:
            await pool.close()
        return ""

    agent = received.files["agent.py"]
    start = ("tic_tac_toe", 2, 1, (), 0, ())
    seats = {"request": "check", "start": start, "seats": ["random", agent]}
    recorded = {"request": "recorded", "folder": received.files["code"], "game_id": "b0-m0-s0"}
    for request in (seats, recorded):
        with trust.asking(["table"]):
            assert "would run" in asyncio.run(ask(**request))
        assert not received.mark.exists()
        asyncio.run(ask(**request))
        assert received.mark.exists()
        received.mark.unlink()
    with trust.asking(["table"]):
        trust.vouch(agent)  # as the host types it in the browser
        assert asyncio.run(ask(**seats)) == ""


def test_saved_games_are_refused_before_a_table_is_made(received, tmp_path):
    result, has_run = _run(received, "table {saved} --no-browser --out {new}", tmp_path / "new")
    assert (result.exit_code, has_run) == (2, False)
    assert "--trust" in result.output


def test_pages_of_received_folders_run_nothing(received):
    serving = live_pages([received.home], KINDS, "token")
    with trust.asking(["serve", str(received.home)]), visited(serving, "token") as visitor:
        home = visitor.get("/").text
        pages = sorted(set(re.findall('href="(/[^"#?]+)"', home)))
        answers = {page: visitor.get(page).status for page in pages}
    assert len(pages) >= len(_FOLDERS) - 2
    assert set(answers.values()) == {200}
    assert not received.mark.exists()


@pytest.mark.system
def test_modules_in_the_present_folder_are_not_imported(tmp_path):
    """A received folder is entered with cd: no process of tag may import what lies in it."""
    mark = tmp_path / "mark"
    for name in ("games", "agents", "tag", "tournaments", "json", "numpy", "ray", "readline", "sitecustomize"):
        (tmp_path / f"{name}.py").write_text(
            f"import pathlib; pathlib.Path({str(mark)!r}).touch(); raise ImportError({name!r})"
        )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    words = ("tournament", "tic_tac_toe", *_TWO, "--blocks", "1", "--isolate", "--workers", "2", "--quiet")
    done = subprocess.run(
        [sys.executable, "-P", "-m", "tag", *words],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert not mark.exists()


def _write_request_of_experiment(folder: Path, agent: Path) -> None:
    """Leave a request for a further agent in all events of an experiment."""
    events = json.loads((folder / "experiment.json").read_text())["events"]
    longer = {name: {**one, "agents": [*one["agents"], str(agent)]} for name, one in events.items()}
    (folder / ".request.json").write_text(json.dumps({"events": longer}))
