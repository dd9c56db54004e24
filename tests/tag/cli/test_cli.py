"""The command line: help of every command, mistakes in one sentence, output for people and machines."""

import json
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from commands import run_tag

from tag.catalogue.version import is_compiled
from tag.cli import _COMMANDS
from tag.cli.compile import _reason
from tag.cli.process import interrupted_by

pytestmark = pytest.mark.flow


@pytest.mark.parametrize("name", list(_COMMANDS))
def test_every_command_loads_and_has_help(name):
    result = run_tag(name, "--help")
    assert result.exit_code == 0
    assert f"\n\n  {_COMMANDS[name][1].split()[0]} " in result.output


def test_help_imports_nothing_heavy():
    code = (
        "import sys; sys.argv=['tag','--help']\nfrom tag.cli import main\ntry:\n    main()\nexcept SystemExit: pass\n"
    )
    code += "print([m for m in ('numpy','pandas','pyarrow','ray','mlflow','optuna','rich') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["paly"], "tag: no command named 'paly'; did you mean 'play'?"),
        (["play", "tictactoe"], "tag: no game named 'tictactoe'; did you mean 'tic_tac_toe'?"),
        (["play", "tic_tac_toe", "--agent", "rndom"], "tag: no agent named 'rndom'; did you mean 'random'?"),
        (
            ["play", "tic_tac_toe", "--players", "3"],
            "tag: Tic-tac-toe is for 2 players, not 3; the nearest number is 2",
        ),
        (
            ["play", "tic_tac_toe", "--players", "2", *["--agent", "random"] * 3],
            "tag: 3 agents cannot take the seats of 2 players; give one agent per seat",
        ),
        (["games", "chess"], "tag: no game named 'chess'"),
        (["compile", "a.py:A"], "tag: tag compile takes a Python file, not 'a.py:A'; leave the class out"),
        pytest.param(
            ["compile", "a.py"],
            "tag: tag runs interpreted here, so that 'a.py' cannot be compiled",
            marks=pytest.mark.skipif(is_compiled(), reason="it can"),
        ),
        (["agents", "--jsn"], "tag: No such option"),
    ],
)
def test_mistakes_are_one_sentence_and_exit_code_2(arguments, sentence):
    result = run_tag(*arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith(sentence.rstrip("?"))
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_faults_that_mypy_finds_in_a_file_are_told_with_their_lines():
    faults = ('Incompatible argument type "int" (base class has type "i64")', "X")
    output = "".join(f"tag_user_a_1.py:{7 + 2 * n}: error: {fault}\n" for n, fault in enumerate(faults))
    reason = _reason(subprocess.CompletedProcess([], 1, output, ""), "tag_user_a_1")
    assert reason == f"line 7: {faults[0]}; annotate it with i64 of mypy_extensions, as tag does (2 in all)"


def test_play_prints_the_game_and_is_decided_by_the_seed():
    one, again, other = (run_tag("play", "tic_tac_toe", "--seed", seed) for seed in ("7", "7", "8"))
    assert one.exit_code == 0
    strip = [line for line in one.output.splitlines() if "per decision" not in line]
    assert strip == [line for line in again.output.splitlines() if "per decision" not in line]
    assert one.output != other.output
    assert "place 1" in one.output


def test_play_as_json():
    record = json.loads(run_tag("play", "tic_tac_toe", "--json").output)
    assert sorted(record["ordinals"]) in ([1, 2], [1, 1])
    assert len(record["state_hash"]) == 16


def test_lists_for_machines():
    games = json.loads(run_tag("games", "--json").output)
    assert [game["name"] for game in games if game["name"] == "tic_tac_toe"] == ["tic_tac_toe"]
    found = json.loads(run_tag("games", "--category", "ABSTRACT", "--json").output)
    assert "tic_tac_toe" in [game["name"] for game in found]
    assert json.loads(run_tag("agents", "random", "--json").output)["parameters"] == []
    size = json.loads(run_tag("games", "tic_tac_toe", "--json").output)["parameters"][0]
    assert size["parameter"] == "size"
    assert json.loads(run_tag("version", "--json").output)["version"]


def test_explanations_come_from_the_declarations():
    output = run_tag("games", "tic_tac_toe").output
    assert "cells on a side" in output
    assert "tic_tac_toe:size=3" in output
    assert "bonus" in run_tag("heuristics", "score_win").output
    love_letter = json.loads(run_tag("games", "love_letter", "--json").output)
    assert "affection" in [row["parameter"] for row in love_letter["heuristic"]["parameters"]]
    assert "love_letter" in [row["name"] for row in json.loads(run_tag("heuristics", "--json").output)]
    assert json.loads(run_tag("games", "tic_tac_toe", "--json").output)["heuristic"] is None


def test_a_game_in_a_package_is_explained_by_the_package():
    assert "16-card edition" in run_tag("games", "love_letter").output
    assert "Tokens, and the prospects in the round" in run_tag("heuristics", "love_letter").output
    assert "Kuhn" in run_tag("games", Path(__file__).parents[3] / "examples" / "kuhn_poker.py").output


def test_signals_interrupt_and_are_restored():
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt), interrupted_by(signal.SIGTERM):
        signal.raise_signal(signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) is before


def test_signals_stay_as_they_are_outside_of_the_main_thread():
    seen = []

    def enter():
        with interrupted_by(signal.SIGTERM):
            seen.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert seen == [signal.getsignal(signal.SIGTERM)]
