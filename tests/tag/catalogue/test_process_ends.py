"""An agent that ends the process is at fault, and the command that plays it does not end as if it had succeeded."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

pytestmark = pytest.mark.flow

#: An agent with a line in one of its functions, or at the top of its file.
AGENT: Final = """
import multiprocessing, os, subprocess, sys
from os import _exit
from tag import Agent
{at_import}

class Ends(Agent):
    def __init__(self, *values):
        super().__init__(*values)
        {at_init}

    def start_game(self, observation):
        {at_start}

    def act(self, observation, actions):
        {at_act}
        return actions[0]

    def end_game(self, observation):
        {at_end}
"""
PLACES: Final = ("at_import", "at_init", "at_start", "at_act", "at_end")
ENDS: Final = (
    "os._exit(0)",
    "_exit(0)",
    "sys.modules[os.name]._exit(0)",
    "os.execv('/bin/true', ['true'])",
    "os.execlp('true', 'true')",
)
#: What an agent may do with processes of its own.
CHILDREN: Final = (
    "child = os.fork(); child or os._exit(0); os.waitpid(child, 0)",
    "subprocess.run(['true'], check=True)",
    "child = multiprocessing.get_context('fork').Process(target=len, args=['']); child.start(); child.join()",
)
BLOCKS: Final = 2


#: What ends the process without Python's knowing.
NATIVE: Final = "import ctypes; ctypes.CDLL(None)._exit(0)"


def played(folder: Path, lines: Sequence[tuple[str, str]], *more: str) -> subprocess.CompletedProcess[str]:
    """Play random against an agent for each line and the place where it stands."""
    words = ["tournament", "tic_tac_toe", "--design", "gauntlet", "--agent", "random", "--blocks", str(BLOCKS)]
    for number, (line, place) in enumerate(lines):
        agent = folder / f"ends_{number}.py"
        agent.write_text(AGENT.format(**{one: line if one == place else "pass" for one in PLACES}), encoding="utf-8")
        words += ["--agent", f"{agent}:Ends"]
    words += ["--no-tracking", "--quiet", "--json", "--out", str(folder / "out")]
    return tag(*words, *(more or ("--workers", "1")))


def tag(*words: str) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join(os.path.abspath(entry) for entry in sys.path)  # noqa: PTH100  "" is the working directory
    return subprocess.run(
        [sys.executable, "-P", "-m", "tag", *words],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def assert_are_charged(done: subprocess.CompletedProcess[str], agents: int = 1) -> None:
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["complete"]
    faults = {agent["agent"]: agent["faults"] for agent in found["agents"] if "ends" in agent["agent"]}
    assert len(faults) == agents
    assert [name for name, count in faults.items() if count < 2 * BLOCKS] == []


def test_a_process_that_agents_end_goes_on_with_faults(tmp_path: Path) -> None:
    lines = [*((line, "at_act") for line in ENDS), (ENDS[0], "at_start"), (ENDS[0], "at_end")]
    assert_are_charged(played(tmp_path, lines), len(lines))


@pytest.mark.parametrize("place", ["at_import", "at_init"])
def test_an_agent_that_ends_the_process_where_it_is_made_is_refused(place: str, tmp_path: Path) -> None:
    done = played(tmp_path, [(ENDS[0], place)])
    assert done.returncode == 2, done.stderr
    assert "SystemExit: os._exit(0)" in done.stderr


@pytest.mark.system
def test_so_it_is_on_workers(tmp_path: Path) -> None:
    assert_are_charged(played(tmp_path, [("os._exit(0)", "at_act")], "--workers", "2"))


def test_native_code_ends_the_process_with_success_and_the_status_says_what_is_missing(tmp_path: Path) -> None:
    done = played(tmp_path, [(NATIVE, "at_act")])
    assert (done.returncode, done.stdout) == (0, "")
    status = tag("status", str(tmp_path / "out"))
    assert status.returncode == 0, status.stderr
    assert status.stdout.startswith(f"0 of {2 * BLOCKS} games, nobody at work\n")


def test_native_code_of_an_isolated_agent_ends_nothing_else(tmp_path: Path) -> None:
    assert_are_charged(played(tmp_path, [(NATIVE, "at_act")], "--workers", "1", "--isolate"))


def test_agents_may_end_their_own_processes(tmp_path: Path) -> None:
    done = played(tmp_path, [(line, "at_act") for line in CHILDREN])
    assert done.returncode == 0, done.stderr
    faults = {agent["agent"]: agent["faults"] for agent in json.loads(done.stdout)["agents"]}
    assert len(faults) == 1 + len(CHILDREN)
    assert not any(faults.values()), faults
