"""Agents in processes of their own: they play as they do here, and take nobody with them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from users_code import FAULTY_AGENTS, PLAIN_GAME

from tag.catalogue.registry import agent_class
from tag.check.agents import agents_of_any_game
from tag.cli.inspection.plain_trees import plain_tree
from tag.engine.state import DO_NOTHING, GameState, interned
from tag.errors import ClusterError
from tag.games.abstract.tic_tac_toe import Mark
from tag.isolation import close_processes
from tag.isolation._trees import rows_of, tree_of
from tag.orders import Conditions, GameOrder, GameRecord, play_order
from tag.playing.agent import Agent, SearchParameters
from tag.playing.faults import CRASH, HANG, SUBSTITUTE, Fault, FaultPolicy
from tag.playing.listener import Listener
from tag.playing.search_tree import SearchNode
from tag.tournaments import define, read_ledger, read_timings, run_tournament
from tag.tournaments.definition import Rules
from tag.tournaments.reports.text import standings_text

pytestmark = pytest.mark.flow

ROOT = Path(__file__).parents[3]
GOES_ON = FaultPolicy(on_exception=SUBSTITUTE, crash=SUBSTITUTE, hang=SUBSTITUTE)
OWN = (
    PLAIN_GAME.read_text(encoding="utf-8")
    + """
from tag import Agent

class Mine(Agent):
    def act(self, observation, actions):
        return actions[self.sim.rng.below(len(actions))]
"""
)


@pytest.fixture(autouse=True)
def _no_process_is_left() -> Iterator[None]:
    yield
    close_processes()


def play(
    *agents: str,
    game: str = "tic_tac_toe",
    isolate: bool = True,
    seed: int = 3,
    listener: Listener | None = None,
    **more,
) -> GameRecord:
    conditions = Conditions(**{"policy": GOES_ON, "isolate": isolate, "hang_seconds": 20.0, **more})
    return play_order(GameOrder("g", game, agents, seed, conditions), [listener] if listener else [])


def faulty(name: str) -> str:
    return f"{FAULTY_AGENTS}:{name}"


def only_fault(record: GameRecord) -> Fault:
    (fault,) = record.faults
    return fault


def pids(record: GameRecord, seat: int) -> set[int]:
    return {int(fault.message.split()[1]) for fault in record.faults if fault.player == seat}


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def wait_until(condition) -> bool:
    end = time.monotonic() + 20.0
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()


# --- the same games -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "players"), [("tic_tac_toe", 2), ("love_letter", 4)])
@pytest.mark.parametrize("name", [*agents_of_any_game(), "mcts:beliefs=greedy,budget=300"])
def test_games_are_the_same_to_the_bit(name: str, game: str, players: int) -> None:
    searches = ":" not in name and issubclass(agent_class(name).parameters_class, SearchParameters)
    agent = f"{name}:budget=60" if searches else name
    here, there = (
        play(agent, *["random"] * (players - 2), agent, game=game, seed=1, isolate=isolate) for isolate in (False, True)
    )
    assert replace(there, seconds=here.seconds) == here
    assert all(seconds > 0.0 for seconds in there.seconds)


@pytest.mark.parametrize("name", ["Raises", "FailsToStart", "Cheats"])
def test_what_an_agent_does_wrong_is_told_as_it_is_here(name: str) -> None:
    here, there = (play("random", faulty(name), isolate=isolate) for isolate in (False, True))
    assert here.faults
    assert replace(there, seconds=here.seconds) == here


def test_users_own_games_and_agents_go_there_as_they_were_loaded_here(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text(OWN)
    here = play("random", f"{file}:Mine", game=f"{file}:Nim", isolate=False)
    file.write_text("this is no Python any more")
    there = play("random", f"{file}:Mine", game=f"{file}:Nim")
    assert replace(there, seconds=here.seconds) == here
    assert there.ticks >= 4
    assert not there.faults


def test_the_clock_goes_with_it() -> None:
    record = play("random", faulty("TellsClock"), clock_seconds=5.0)
    first, second, third = (float(seconds) for seconds in re.findall(r"[\d.]+", only_fault(record).message))
    assert first == 5.0 > second > third > 0.0


class _Asks(Listener):
    """Asks the agents for their statistics."""

    def __init__(self) -> None:
        self.found: list[object] = []

    def on_action_chosen(
        self, state: GameState, player: int, action: object, actions: object, agent: Agent | None
    ) -> None:
        if agent is not None:
            self.found.append(dict(agent.statistics()))


def test_statistics_come_back() -> None:
    here, there = _Asks(), _Asks()
    play("mcts:budget=50", "random", isolate=False, listener=here)
    play("mcts:budget=50", "random", listener=there)
    assert there.found == here.found
    assert any(there.found)


class _AsksForTrees(Listener):
    """Asks the agents for their search trees, and keeps them in words."""

    def __init__(self) -> None:
        self.found: list[object] = []

    def on_action_chosen(
        self, state: GameState, player: int, action: object, actions: object, agent: Agent | None
    ) -> None:
        if agent is not None:
            tree = agent.search_tree(2, 60)
            self.found.append(None if tree is None else plain_tree(tree, {}, 20))
            if tree is not None:
                assert tree.children[0].action is action


@pytest.mark.parametrize(
    "agent", ["mcts:budget=50", "mcts:budget=50,solver=true", "max_n:budget=100", "rhea:budget=40"]
)
def test_search_trees_come_back(agent: str) -> None:
    here, there = _AsksForTrees(), _AsksForTrees()
    play(agent, "random", isolate=False, listener=here)
    play(agent, "random", listener=there)
    assert there.found == here.found
    assert any(there.found)
    assert None in there.found


def test_answers_that_are_no_trees_are_none() -> None:
    actions = [interned(Mark(cell, 3)) for cell in range(2)]
    root = SearchNode(DO_NOTHING, 0, 3, 0.5, (0.5, None), children=[SearchNode(one, 1, 1, 0) for one in actions])
    rows = json.loads(json.dumps(rows_of(root, actions)))
    assert tree_of(rows, actions, 2).children == root.children
    assert tree_of(rows_of(None, actions), actions, 2) is None
    for answer in (None, [], "rows", [1], [[]], {}, rows[1:], [rows[0], rows[0]], [rows[0][:-1]]):
        assert tree_of(answer, actions, 2) is None
    for place, wrong in [
        (0, 1), (0, -2), (0, "0"), (0, True), (1, 2), (1, -1), (1, None), (1, 0.0), (2, 2), (2, -2), (3, -1), (3, 0.5),
        (4, "much"), (4, float("nan")), (5, None), (5, ["much"]), (6, True), (6, "<"), (7, []), (8, float("inf")),
    ]:  # fmt: skip
        told = json.loads(json.dumps(rows))
        told[1][place] = wrong
        assert tree_of(told, actions, 2) is None, (place, wrong)


def test_agents_that_want_single_actions_are_asked_for_them() -> None:
    def decisions(agent: str, *, isolate: bool) -> list[tuple[int, ...]]:
        return [play(agent, "random", isolate=isolate, seed=seed).decisions for seed in range(6)]

    here, there = (decisions(faulty("Eager"), isolate=isolate) for isolate in (False, True))
    assert there == here != decisions("random", isolate=False)


# --- processes ------------------------------------------------------------------------------------------------------


def test_every_seat_has_a_process_of_its_own_in_every_game() -> None:
    agent = faulty("TellsPid")
    first = play(agent, agent, seed=1)
    assert not any(is_running(pid) for seat in (0, 1) for pid in pids(first, seat))
    second = play(agent, agent, seed=2)
    assert [len(pids(record, seat)) for record in (first, second) for seat in (0, 1)] == [1] * 4
    assert len({os.getpid()}.union(*[pids(record, seat) for record in (first, second) for seat in (0, 1)])) == 5


@pytest.mark.parametrize(
    ("name", "kind", "message"),
    [
        ("Exits", CRASH, "the process ended with exit code 3"),
        ("ExitsAtStart", CRASH, "the process ended with exit code 0"),
        ("ExitsAtEnd", CRASH, "the process ended with exit code 5"),
        ("ExitsWhenMade", CRASH, "the process ended with exit code 7"),
        ("Segfaults", CRASH, "the process ended by signal SIGSEGV"),
        ("LeavesAnother", CRASH, "the process ended with exit code 4"),
        ("Babbles", CRASH, "what its process sent is no answer"),
        ("Eats", CRASH, "more memory than the limit of 200 MB was asked for"),
        ("Hangs", HANG, "no answer for 1 s"),
    ],
)
def test_an_ended_process_is_one_fault_and_says_why(name: str, kind: str, message: str) -> None:
    """Only who sleeps hangs: beside other work, the others may take their time."""
    record = play("random", faulty(name), hang_seconds=1.0 if kind == HANG else 60.0, memory_mb=200)
    fault = only_fault(record)
    assert (fault.kind, fault.player, fault.message) == (kind, 1, message)
    assert record.decisions[1] <= 1 or name == "ExitsAtEnd"
    assert not record.void


def test_a_crash_while_statistics_are_asked_for_is_charged_too() -> None:
    record = play("random", faulty("ExitsWhenAskedForStatistics"), listener=_Asks())
    assert only_fault(record).message == "the process ended with exit code 6"


def test_the_rest_of_the_game_is_the_same_whatever_ended_the_process() -> None:
    records = [
        play("random", faulty(name), hang_seconds=seconds) for name, seconds in (("Exits", 60.0), ("Hangs", 1.0))
    ]
    assert records[0].state_hash == records[1].state_hash


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_nobody_is_left_of_a_process_that_leaves_another() -> None:
    play("random", faulty("LeavesAnother"))
    close_processes()
    assert wait_until(lambda: not children())


def children() -> list[str]:
    """The processes of isolated agents, wherever they come from."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and is_running(int(entry.name)):
            try:
                command = (entry / "cmdline").read_bytes().split(b"\0")
                environment = (entry / "environ").read_bytes()
            except OSError:
                continue
            if b"tag.isolation._template" in command and f"TAG_TEST={os.getpid()}".encode() in environment:
                found.append(entry.name)
    return found


@pytest.fixture(autouse=True)
def _marked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `children` tell the processes of this test from those of others that run beside it."""
    monkeypatch.setenv("TAG_TEST", str(os.getpid()))


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process in native code outlives its game")
def test_it_dies_with_the_game_even_in_native_code() -> None:
    program = (
        "from tag.orders import *\n"
        f"agents = ('random', {faulty('Hangs')!r})\n"
        "play_order(GameOrder('g', 'tic_tac_toe', agents, 1, Conditions(isolate=True, hang_seconds=900.0)))\n"
    )
    driver = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT)
    try:
        assert wait_until(lambda: len(children()) == 3)
        time.sleep(0.5)  # for the agent to be deep in its sleep
    finally:
        driver.kill()
        driver.wait()
    assert wait_until(lambda: not children())


def test_whoever_ends_everything_does_not_make_agents_crash() -> None:
    record = play(faulty("SignalsItsGroup"), "random")
    assert not record.faults
    assert {*record.results} != {0}


def test_a_process_that_does_not_start_is_not_the_agents_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(ClusterError, match="the process for isolated agents does not start: it ended with exit code 1"):
        play("random", "random")
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(ClusterError, match="no process can be started for isolated agents: No such file"):
        play("random", "random")


LARGE = """
from tag import Agent

class Large(Agent):
    def act(self, observation, actions):
        self.much = b""
        self.much = b"x" * (SIZE << 20)
        return actions[0]
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells how much memory a process has")
def test_a_record_has_the_memory_of_each_isolated_agent(tmp_path):
    """Also of one that has exceeded its limit, and of no agent that plays in this process."""
    for size in (20, 120):
        (tmp_path / f"of_{size}.py").write_text(LARGE.replace("SIZE", str(size)))
    agents = [f"{tmp_path}/of_{size}.py:Large" for size in (20, 120)]
    small, large = play(*agents).peak_mb
    assert 100 <= large - small <= 110
    limited = play(*agents, memory_mb=90)
    assert [fault.kind for fault in limited.faults] == [CRASH]
    assert 20 < limited.peak_mb[1] < large
    assert play(*agents, isolate=False).peak_mb == ()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells how much memory a process has")
def test_standings_show_the_memory_of_isolated_agents_alone(tmp_path):
    agents = ("osla", "random")
    for isolate in (True, False):
        folder = tmp_path / str(isolate)
        definition = define("tic_tac_toe", agents, 2, rules=Rules(isolate=isolate))
        standings = run_tournament(definition, folder, tracking=False).standings
        peaks = (
            read_timings(folder).merge(read_ledger(folder)[1], on=["game_id", "seat"]).groupby("agent", observed=True)
        )
        for standing in standings:
            assert (standing.peak_mb is None) != isolate
            if isolate:
                assert standing.peak_mb == peaks["peak_mb"].max()[standing.agent] > 1.0
        assert ("peak MB" in standings_text(standings)) == isolate
