"""Signals during a long game: the first is answered at once, and the second says how to go on before the command ends."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import pytest

pytestmark = pytest.mark.flow

#: An agent whose decision takes a minute, and says when it begins.
SLOW: Final = """
from pathlib import Path
from time import sleep
from tag import Agent

class Slow(Agent):
    def act(self, observation, actions):
        Path({begun!r}).touch()
        for _moment in range(600):
            sleep(0.1)
        return actions[0]
"""
#: In seconds: for the start, which other programs may delay, and from the signal to the line.
PATIENCE: Final = 120.0
AT_ONCE: Final = 5.0

COMMANDS: Final = {
    "tournament": ["tournament", "tic_tac_toe", "--agent", "{slow}", "--agent", "random", "--blocks", "2"],
    "experiment": ["tournament", "tic_tac_toe", "nim", "--agent", "{slow}", "--agent", "random", "--blocks", "2"],
    "noise": ["noise", "tic_tac_toe", "--agent", "{slow}", "--blocks", "2"],
    "tune": ["tune", "osla", "--game", "tic_tac_toe", "--versus", "{slow}", "--games", "200"],
    "balance": ["balance", "love_letter", "--players", "2", "--search", "guards", "--agent", "{slow}"],
    "train": ["train", "td_ntuple", "--game", "tic_tac_toe", "--episodes", "20", "--evaluate", "{slow}"],
}
UNTRACKED: Final = ("tournament", "experiment", "tune", "balance", "train")


class Command:
    """A command of this program whose standard error is a pipe or a terminal."""

    def __init__(self, words: list[str], is_terminal: bool) -> None:
        self._reading, writing = pty.openpty() if is_terminal else os.pipe()
        paths = os.pathsep.join(os.path.abspath(entry) for entry in sys.path)  # noqa: PTH100  "" is the working directory
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "tag", *words],
            env={**os.environ, "PYTHONPATH": paths, "COLUMNS": "200", "TERM": "xterm"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=writing,
            start_new_session=True,
        )
        os.close(writing)
        self.said = ""

    def heard(self, words: str, seconds: float) -> bool:
        """Wait until it says ``words``, at most so many seconds."""
        end = time.monotonic() + seconds
        while words not in self.said and time.monotonic() < end:
            if select.select([self._reading], [], [], 0.1)[0]:
                try:
                    data = os.read(self._reading, 1 << 16)
                except OSError:  # the terminal is closed
                    data = b""
                if not data:
                    break
                self.said += data.decode(errors="replace")
        return words in self.said

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._reading)


def begun(folder: Path, kind: str, is_terminal: bool) -> Command:
    """Begin a command and wait until its slow agent thinks."""
    mark, agent = folder / "begun", folder / "slow.py"
    agent.write_text(SLOW.format(begun=str(mark)), encoding="utf-8")
    words = [word.format(slow=f"{agent}:Slow") for word in COMMANDS[kind]]
    words += ["--target", "length=60±10", "--games", "200"] if kind == "balance" else []
    words += ["--no-tracking"] if kind in UNTRACKED else []
    command = Command([*words, "--workers", "1", "--out", str(folder / "out")], is_terminal)
    end = time.monotonic() + PATIENCE
    while not mark.exists():
        is_alive = command.process.poll() is None and time.monotonic() < end
        assert is_alive or command.heard("nothing more", 1.0), command.said
        command.heard("nothing more", 0.1)
    return command


@pytest.mark.parametrize(
    ("kind", "is_terminal", "number"),
    [
        *((kind, False, signal.SIGINT) for kind in COMMANDS),
        ("tournament", True, signal.SIGINT),
        ("tournament", False, signal.SIGTERM),
    ],
)
def test_signals_are_answered_at_once(kind: str, is_terminal: bool, number: int, tmp_path: Path) -> None:
    command = begun(tmp_path, kind, is_terminal)
    try:
        command.process.send_signal(number)
        assert command.heard("Ctrl-C once more stops at once", AT_ONCE), command.said
        assert command.process.poll() is None
        command.process.send_signal(number)
        assert command.heard("stopped at once; go on with: ", AT_ONCE), command.said
        assert command.process.wait(PATIENCE) == 130
        assert "Traceback" not in command.said
    finally:
        command.close()
