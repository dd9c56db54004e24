"""``tag play`` with people on a real terminal: completion, interrupted searches, lost connections, whole games."""

from __future__ import annotations

import os
import re
import signal
import sys
import time

import pytest

from tag.catalogue.registry import game_class, game_names
from tag.table.game import Start, TableGame
from tag.table.tree import SavedGame

pexpect = pytest.importorskip("pexpect")

TIMEOUT = 30


@pytest.fixture
def terminal(tmp_path):
    """Return a function that starts ``tag play`` on a terminal of 80 columns, in an empty folder."""
    paths = os.pathsep.join(os.path.abspath(entry) for entry in sys.path)  # noqa: PTH100  "" is the working directory
    started = []

    def start(*arguments):
        child = pexpect.spawn(
            sys.executable,
            ["-P", "-m", "tag", "play", *map(str, arguments)],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": paths, "TERM": "xterm", "INPUTRC": os.devnull},
            dimensions=(24, 80),
            timeout=TIMEOUT,
            encoding="utf-8",
        )
        started.append(child)
        return child

    yield start
    for child in started:
        child.close(force=True)


def ended(child):
    """Wait for the end; return what was printed until then."""
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    return child.before


def test_words_are_completed_and_the_whole_game_fits_80_columns(terminal, tmp_path):
    child = terminal("love_letter", "--agent", "human", "--agent", "mcts:budget=30", "--seed", 3)
    child.expect("> ")
    child.send("Prin\t0\r")  # Tab completes what is common: "Prince on player "
    child.expect("player 0 \\(you\\): Prince on player 0")
    child.expect("> ")
    child.send("sav\t one.json\r")
    child.expect("tag play --continue one.json")
    child.expect("> ")
    child.send("\x1b[A\r")  # the last line is not kept for another person to see
    child.expect("type the number of an action")
    shown = child.before
    while child.expect(["> ", pexpect.EOF]) == 0:
        shown += child.before
        child.send("0\r")
    lines = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown + child.before).splitlines()
    assert all(len(part) <= 80 for line in lines for part in line.split("\r"))
    assert re.match(r"player 1 \(mcts:budget=30\): \w+, place \d", lines[-1])
    assert len(SavedGame.load(tmp_path / "one.json").line) == 2


@pytest.mark.flow
def test_an_interrupted_search_ends_at_once_and_nothing_is_lost(terminal, tmp_path):
    child = terminal("connect_four", "--agent", "human", "--agent", "mcts:budget=900000000", "--seed", 3)
    child.expect("> ")
    child.send("3\r")
    child.expect("is thinking")
    time.sleep(0.2)
    begun = time.monotonic()
    child.sendintr()
    child.expect("was interrupted")
    child.expect("quit saves and ends: ")
    child.send("\r")
    child.expect("is thinking")
    child.sendintr()
    child.expect("quit saves and ends: ")
    assert time.monotonic() - begun < TIMEOUT / 3
    child.send("undo\r")
    child.expect("> ")
    child.send("hint mcts:budget=900000000\r")
    child.expect("is thinking")
    child.sendintr()
    child.expect("was interrupted")
    child.expect("> ")
    child.send("hint osla\r")
    child.expect("osla would play")
    child.expect("> ")
    child.send("4\r")
    child.expect("is thinking")
    child.sendintr()
    child.expect("quit saves and ends: ")
    child.sendintr()
    assert "go on with: tag play --continue connect_four-3.json" in ended(child)
    assert SavedGame.load(tmp_path / "connect_four-3.json").line == (4,)


def test_a_lost_connection_saves_the_game(terminal, tmp_path):
    child = terminal("nim", "--agent", "human", "--agent", "random", "--seed", 3)
    child.expect("> ")
    child.send("0\r")
    child.expect("> ")
    child.kill(signal.SIGHUP)  # what processes get when their terminal is gone
    ended(child)
    assert len(SavedGame.load(tmp_path / "nim-3.json").line) == 2


@pytest.mark.slow
@pytest.mark.parametrize("name", game_names())
def test_every_game_is_played_to_its_end(terminal, name):
    kind = game_class(name).game_type
    spec = ":".join(filter(None, (name, kind.check_parameters)))
    agents = ["--agent", "human", *["--agent", "random"] * (kind.min_players - 1)]
    child = terminal(spec, *agents, "--seed", 5)
    choices = 0
    while child.expect(["> ", pexpect.EOF]) == 0:
        child.send("0\r")
        choices += 1
        assert choices < 3_000
    assert choices
    assert re.search(r"player 0 \(you\): \w+, place \d", child.before)
    assert TableGame(Start(spec, kind.min_players, 5)).actions
