"""Agents and rules that hang, raise or end their process: no other table changes, and none waits for long."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path

import pytest
from browsers.served_tables import Guest, TableServer, table_server
from copied import NIM

pytestmark = pytest.mark.flow

#: So much longer may a move of another table take while ten hang, in seconds.
DELAY = 2.0
MOVES = 4
BAD_AGENTS = """
import os, sys, time
from tag import Agent

class Hangs(Agent):
    def act(self, observation, actions):
        while True:
            pass

class Sleeps(Agent):
    def act(self, observation, actions):
        time.sleep(3600)

class Raises(Agent):
    def act(self, observation, actions):
        raise ValueError("no idea")

class Exits(Agent):
    def act(self, observation, actions):
        sys.exit(3)

class Dies(Agent):
    def act(self, observation, actions):
        os._exit(3)

class Cheats(Agent):
    def act(self, observation, actions):
        return None
"""
HANGING_GAME = """
class Endless(Nim):
    def _available_actions(self, state):
        while state.tick == 1:
            pass
        return super()._available_actions(state)
"""


def bad_tables(server: TableServer, folder: Path, *agents: str) -> list[Guest]:
    """Start a game for each agent, which is to move; return the person at each table."""
    (folder / "bad.py").write_text(BAD_AGENTS)
    found = []
    for agent in agents:
        seats = ["human", f"{folder}/bad.py:{agent}"]
        found.append(server.create(game="nim", players=2, seats=seats, seed=1)[0])
        found[-1].done("play", at=0, number=0)
    return found


def seconds_of_moves(server: TableServer) -> list[float]:
    """Return how long it takes from a person's move to that of the agent, in a game of a new table."""
    (person, *_rest) = server.create(game="connect_four", players=2, seats=["human", "osla"], seed=1)
    person.done("pace", seconds=0)
    found = []
    with person.events() as events:
        next(events)
        for move in range(MOVES):
            begin = time.monotonic()
            person.done("play", at=2 * move, number=move)
            while not any(name == "position" and data["present"] == 2 * move + 2 for name, data in [next(events)]):
                pass
            found.append(time.monotonic() - begin)
    return found


def test_ten_hanging_tables_delay_another_by_two_seconds_at_most(tmp_path):
    with table_server(tmp_path / "tables") as server:
        alone = max(seconds_of_moves(server)[1:])  # the first one waits for imports
        tables = bad_tables(server, tmp_path, *["Hangs"] * 10)
        time.sleep(3.0)  # until their processes have started, and all are at work
        delays = [seconds - alone for _table in range(2) for seconds in seconds_of_moves(server)]
        assert max(delays) < DELAY, delays
        assert [guest.position()["present"] for guest in tables] == [1] * 10


#: What an agent does, and what its own table says of that.
MISTAKES = {
    "Raises": "ValueError: no idea",
    "Exits": "SystemExit",
    "Dies": "the process of the game or agent died",
    "Cheats": "cannot decide",
}


@pytest.mark.parametrize("agent", MISTAKES)
def test_an_agent_that_fails_changes_no_other_table(tmp_path, agent):
    with table_server(tmp_path / "tables") as server:
        others = bad_tables(server, tmp_path, "Sleeps")
        (other, *_rest) = server.create(game="love_letter", players=2, seats=["human", "human"], seed=1)
        others.append(other)
        files = {path.name: path.read_bytes() for path in server.folder.glob("*.json")}
        seen = [one.get("position").body for one in others]
        with others[0].events() as events:
            assert next(events)[0] == "position"
            (bad,) = bad_tables(server, tmp_path, agent)
            assert MISTAKES[agent] in fault_of(bad)
            assert bad.position()["pace"]["paused"]
            other_files = {path.name: path.read_bytes() for path in server.folder.glob("*.json")}
            assert {name: text for name, text in other_files.items() if name in files} == files
            assert [one.get("position").body for one in others] == seen
            others[0].done("stop")  # its search is still on, and nothing else was told meanwhile
            told = [next(events)[0]]
            assert (told if told != ["thinking"] else [next(events)[0]]) == ["fault"]
        other.done("play", at=0, number=0)


def fault_of(guest: Guest) -> str:
    """Return the fault at a table, which is told to all who are there; play goes on once, as it may have come before."""
    with guest.events() as events:
        next(events)
        guest.done("pace", seconds=0, paused=False)
        return str(next(data["error"] for name, data in events if name == "fault"))


def test_rules_that_hang_hold_up_no_table_of_another_game(tmp_path):
    (tmp_path / "endless.py").write_text(NIM + HANGING_GAME)
    with table_server(tmp_path / "tables") as server:
        game = f"{tmp_path}/endless.py:Endless"
        tables = [server.create(game=game, players=2, seats=["human", "human"], seed=1)[0] for _table in range(10)]
        alone = max(seconds_of_moves(server)[1:])
        moving = [threading.Thread(target=play_for_ever, args=[guest]) for guest in tables]
        for thread in moving:
            thread.start()
        time.sleep(0.5)
        delays = [seconds - alone for seconds in seconds_of_moves(server)]
        assert all(thread.is_alive() for thread in moving)
        server.kill()
        for thread in moving:
            thread.join()
    assert max(delays) < DELAY, delays


def play_for_ever(guest: Guest) -> None:
    with suppress(OSError, HTTPException):
        guest.post("play", at=0, number=0)
