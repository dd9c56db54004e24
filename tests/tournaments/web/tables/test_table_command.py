"""``tag table``: what it starts, and what it refuses."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from browsers.served_tables import Guest, started
from browsers.web_visits import Visitor
from commands import run_tag

from tag.table.game import Start
from tag.table.tree import GameTree, SavedGame

pytestmark = pytest.mark.flow


def saved_file(folder: Path, **changes: Any) -> str:
    saved = SavedGame(Start("tic_tac_toe", 2, 3), ("human", "osla"), GameTree.of_line((4, 0)), 2)
    file = folder / "game.json"
    file.write_text(json.dumps({**saved.to_json(), **changes}))
    return str(file)


def test_a_new_table_is_opened_at_the_persons_seat_and_is_there_again(tmp_path):
    with started(tmp_path, "tic_tac_toe", "--agent", "osla", "--agent", "human", "--seed", "4") as (host, path):
        shown = Guest(host, path).position()
        assert shown["view"]["viewer"] == 1
        assert [seat["agent"] for seat in shown["seats"]] == ["osla", "human"]
        assert host.get(path).status == 200
    with started(tmp_path) as (host, first):
        assert first == "/tables"
        assert path in host.get("/tables").text
        assert Guest(host, path).position()["view"] == shown["view"]


def test_a_saved_game_and_a_position_are_gone_on_with(tmp_path):
    with started(tmp_path / "one", saved_file(tmp_path), "--open") as (host, path):
        assert Guest(host, path, "viewer=-1").position()["position"] == 2
    with started(tmp_path / "two", "tic_tac_toe", "--position", "210 010 000", "--to-move", "1", "--strict") as (
        host,
        path,
    ):
        shown = Guest(host, path).position()
        assert shown["view"]["player"] == 1
        assert len([item for item in shown["view"]["components"][0]["items"] if item != -1]) == 3


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nimm"], "did you mean 'nim'?"),
        (["nim", "--agent", "human", "--agent", "mtcs"], "did you mean 'mcts'?"),
        (["nim", "--players", "9"], "the nearest number is"),
        (["nim", "--players", "3", "--agent", "random", "--agent", "osla"], "there are 2 agents for 3 players"),
        (["nim", "--port", "70000"], "--port"),
        (["SAVED", "--agent", "a", "--agent", "b", "--agent", "c"], "has 2 seats"),
        (["EVIL"], "names files or programs"),
        (["PROGRAM"], "names files or programs"),
    ],
)
def test_mistakes_are_refused_before_anything_is_served(tmp_path, arguments, sentence):
    files = {
        "SAVED": lambda: saved_file(tmp_path),
        "EVIL": lambda: saved_file(tmp_path, game="./mine.py:Mine"),
        "PROGRAM": lambda: saved_file(tmp_path, seats=["human", "restricted:agent=(process:command=touch evil)"]),
    }
    words = [files[word]() if word in files else word for word in arguments]
    done = run_tag("table", *words, "--no-browser", "--out", tmp_path / "tables")
    assert done.exit_code == 2
    assert sentence in done.output
    assert not list((tmp_path / "tables").glob("*.json"))


def test_ctrl_c_ends_the_server_without_a_word_while_pages_listen(tmp_path):
    command = [
        sys.executable,
        "-m",
        "tag",
        "table",
        "tic_tac_toe",
        "--no-browser",
        "--port",
        "0",
        "--out",
        str(tmp_path),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = urlsplit(process.stdout.readline().strip())
        assert address.port is not None
        host = Visitor(address.port, parse_qs(address.query)["token"][0], process.terminate)
        with host.events(f"{address.path}/events") as events:
            assert next(events)[0] == "position"
            process.send_signal(signal.SIGINT)
            said = process.communicate(timeout=20)
    assert (process.returncode, said[1]) == (0, "")
