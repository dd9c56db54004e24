"""Users' programs as agents: they play the same games everywhere, learn nothing secret, and harm their own seat only."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar

import pytest
from commands import run_tag
from users_code import FAULTY_PROGRAM

from tag.agents._dialogues import encoded
from tag.agents.process import Process, ProcessParameters
from tag.catalogue.models import Model, rules_of, to_bytes
from tag.catalogue.registry import check_game, game_class, game_names, make_game
from tag.engine.parameters import Spec
from tag.engine.results import DISQUALIFIED
from tag.engine.rng import Rng
from tag.errors import DataError, ParameterError, SpecError
from tag.isolation import close_processes
from tag.orders import Conditions, GameOrder, GameRecord, play_order
from tag.playing.agent import Budget, Simulator
from tag.playing.faults import CRASH, EXCEPTION, HANG, ILLEGAL_ACTION, SUBSTITUTE, FaultPolicy
from tag.table.game import Start
from tag.table.tree import GameTree, SavedGame

pytestmark = pytest.mark.flow

DESCRIPTORS = Path("/proc/self/fd")
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc, which stop there")
AT_HOME = Conditions()
ISOLATED = Conditions(isolate=True, memory_mb=200 if sys.platform == "linux" else 0)
CRASHES = (
    *("exits", "falls", "eats", "floods", "closes_output", "raises", "speaks_first", "protocol"),
    *("rubbish", "nothing", "list", "deep", "no_text", "other_id", "no_id", "id_true", "huge", "two"),
)
HANGS = ("hangs", "leaves_another", "floods_errors", "stops_reading")
INDICES = ("missing", "high", "negative", "true", "float", "text", "list")
FAULTS = [
    *((mode, CRASH) for mode in CRASHES),
    *((mode, HANG) for mode in HANGS),
    *((f"index_{mode}", ILLEGAL_ACTION) for mode in INDICES),
    ("error", EXCEPTION),
]


def process(**parameters: object) -> str:
    return str(Spec("process", parameters))


def program(*arguments: object, **parameters: object) -> str:
    """Return the spec of an agent that runs the program with some arguments."""
    return process(command=shlex.join([sys.executable, "-S", str(FAULTY_PROGRAM), *map(str, arguments)]), **parameters)


def play(*agents: str, game: str = "love_letter", seed: int = 7, conditions: Conditions = AT_HOME) -> GameRecord:
    return play_order(GameOrder("one", game, agents, seed, conditions))


def told(record: GameRecord) -> tuple[object, ...]:
    """Return what does not depend on time."""
    return record.results, record.scores, record.decisions, record.state_hash, list(record.faults)


def is_gone(pid: int) -> bool:
    """Say whether a process ends within some seconds; one that only its parent has to learn of has ended."""
    for _attempt in range(100):
        try:
            state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":
            return True
        time.sleep(0.1)
    return False


def n_descriptors() -> int:
    return len(list(DESCRIPTORS.iterdir()))


@pytest.fixture(scope="module", autouse=True)
def _no_process_is_left() -> Iterator[None]:
    yield
    close_processes()


# --- play -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", game_names())
def test_a_program_plays_every_game(game: str) -> None:
    kind = game_class(game).game_type
    spec = ":".join(filter(None, (game, kind.check_parameters)))
    record = play(program("fair"), *["random"] * (kind.max_players - 1), game=spec)
    assert list(record.faults) == []
    assert record.decisions[0] > 0


def test_a_program_plays_the_same_games_in_a_process_of_its_own_and_after_other_games() -> None:
    seats = (program("fair"), "random", program("fair"))
    first = [told(play(*seats, seed=seed)) for seed in range(4)]
    assert len({game[3] for game in first}) == 4
    assert [told(play(*seats, seed=seed)) for seed in reversed(range(4))] == first[::-1]
    assert [told(play(*seats, seed=seed, conditions=ISOLATED)) for seed in range(4)] == first


def test_a_program_serves_many_games_unless_it_is_isolated(tmp_path: Path) -> None:
    file = tmp_path / "pids"
    for _game in range(5):
        play(program("tells_pid", file), "random")
    assert len(set(file.read_text().split())) == 1
    for _game in range(5):
        play(program("tells_pid", file), "random", conditions=ISOLATED)
    pids = file.read_text().split()
    assert len(set(pids)) == len(pids) == 6
    assert all(is_gone(int(pid)) for pid in pids[1:])


def test_two_seats_of_a_game_have_two_processes(tmp_path: Path) -> None:
    file = tmp_path / "pids"
    play(program("tells_pid", file), program("tells_pid", file))
    assert len(set(file.read_text().split())) == 2


@pytest.mark.skipif(not DESCRIPTORS.exists(), reason="the system does not tell")
def test_no_descriptor_is_left_after_many_games() -> None:
    seats = (program("fair"), "random")
    play(*seats, game="tic_tac_toe")
    play(*seats, game="tic_tac_toe", conditions=ISOLATED)
    before = n_descriptors()
    for seed in range(200):
        play(*seats, game="tic_tac_toe", seed=seed)
    for seed in range(20):
        play(*seats, game="tic_tac_toe", seed=seed, conditions=ISOLATED)
        play(program("exits"), "random", game="tic_tac_toe", seed=seed)
    assert n_descriptors() == before


def test_a_program_may_have_to_know_the_rules() -> None:
    """It is told no actions, and answers with the text of one: always the same here, so at last of an unavailable one."""
    record = play("random", program("fair", "a2", legal=False), game="tic_tac_toe", seed=1)
    assert {(fault.kind, fault.player) for fault in record.faults} == {(ILLEGAL_ACTION, 1)}
    assert len(record.faults) == record.decisions[1] - 1


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({}, "process has no program"),
        ({"command": "no_such_program --fast"}, "process cannot run 'no_such_program'"),
        ({"command": "java 'Bot.java"}, "quotation marks"),
        ({"command": "x" * 9000}, "9000 letters"),
        ({"command": "java Bot.java", "url": "http://127.0.0.1:8000/"}, "give one of them"),
        ({"url": "http://example.org/"}, "a server on this machine"),
        ({"url": "https://127.0.0.1/"}, "a server on this machine"),
        ({"url": "http://127.0.0.1@example.org/"}, "a server on this machine"),
        ({"url": "http://127.0.0.1:port/"}, "a server on this machine"),
        ({"url": "file:///etc/passwd"}, "a server on this machine"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_a_sentence(parameters: dict[str, str], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        check_game(process(**parameters), make_game("nim"), 2)


EVIL = "process:command=touch evil"


def test_no_file_that_others_may_have_sent_runs_a_program(tmp_path: Path) -> None:
    """Neither the JSON file of an agent, nor a model, nor a saved game; also not within another spec."""
    nim = make_game("nim")
    for content in (
        {"name": "process", "parameters": {"command": "touch evil"}},
        {"name": "restricted", "parameters": {"agent": EVIL}},
    ):
        (tmp_path / "agent.json").write_text(json.dumps(content))
        with pytest.raises(SpecError, match="names a program"):
            check_game(str(tmp_path / "agent.json"), nim, 2)
    model = Model(f"regression:agent=({EVIL})", "nim", rules_of(nim), 2, 1, 1, 1, 1, "1")
    (tmp_path / "model.safetensors").write_bytes(to_bytes(model))
    with pytest.raises(DataError, match="names a program"):
        play(f"learned:file={tmp_path / 'model.safetensors'}", "random", game="nim")
    saved = SavedGame(Start("nim", 2, 3), ("human", EVIL), GameTree.of_line(()), 0)
    (tmp_path / "saved.json").write_text(json.dumps(saved.to_json()))
    done = run_tag("play", "--continue", tmp_path / "saved.json")
    assert done.exit_code == 2
    assert "would be started" in done.stderr


# --- what it is told ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", game_names())
def test_messages_depend_only_on_what_the_seat_knows(game: str) -> None:
    """All observations of a player in a position make the same message, however the hidden cards are drawn."""
    kind = game_class(game).game_type
    model = make_game(":".join(filter(None, (game, kind.check_parameters))))
    rng = Rng(5)
    for n_players in {kind.min_players, kind.max_players}:
        state = model.setup(n_players, rng)
        for _ply in range(60):
            if state.is_terminal:
                break
            player = state.current_player
            assert len({message(model, state.observation(player, rng), player) for _drawn in range(4)}) == 1
            model.next(state, rng.choice(model.available_actions(state)), rng)


def message(model: Any, state: Any, player: int) -> bytes:
    asked = Process(ProcessParameters(command="none"))
    asked.player = player
    asked.sim = Simulator(model, Rng(1), Budget(1))
    texts = [action.text(state, player) for action in model.available_actions(state)]
    return encoded({**asked._game(state), **asked._decision(state, texts)})


# --- faults ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("isolate", [False, True])
@pytest.mark.parametrize(("mode", "kind"), FAULTS)
def test_every_way_of_going_wrong_is_a_fault_of_its_seat(mode: str, kind: str, isolate: bool) -> None:
    if mode == "eats" and not (isolate and ISOLATED.memory_mb):
        pytest.skip("nothing limits its memory")
    seconds = 1.0 if kind == HANG else 20.0  # on a busy machine a program takes its time to start, or to fill memory
    conditions = replace(ISOLATED, hang_seconds=seconds) if isolate else AT_HOME
    record = play("random", program(mode, hang_seconds=seconds), "random", conditions=conditions)
    assert {(fault.player, fault.kind) for fault in record.faults} == {(1, kind)}
    assert kind == ILLEGAL_ACTION or len(record.faults) == 1
    assert all(fault.message and "\n" not in fault.message for fault in record.faults)
    assert (record.results[1] == DISQUALIFIED) == (kind in (CRASH, EXCEPTION))
    assert record.results[0] != DISQUALIFIED != record.results[2]


def test_a_program_that_died_is_started_anew_for_the_next_game() -> None:
    conditions = Conditions(FaultPolicy(crash=SUBSTITUTE))
    for seed in range(3):
        (fault,) = play(program("exits"), "random", seed=seed, conditions=conditions).faults
        assert fault.kind == CRASH
        assert "exit code 3" in fault.message


def test_a_fault_tells_the_last_words_of_a_program() -> None:
    (fault,) = play(program("raises"), "random").faults
    assert "ZeroDivisionError" in fault.message


#: An agent that takes its time.
SLEEPS = """
import time
from tag import Agent

class Sleeps(Agent):
    def act(self, observation, actions):
        time.sleep(0.1)
        return actions[0]
"""


@LINUX
@pytest.mark.parametrize("isolate", [False, True])
@pytest.mark.system
def test_a_program_is_stopped_while_others_think(isolate: bool, tmp_path: Path) -> None:
    file, sleeps = tmp_path / "beats", tmp_path / "sleeps.py"
    sleeps.write_text(SLEEPS)
    play(program("beats", file), str(sleeps), game="nim", conditions=ISOLATED if isolate else AT_HOME)
    close_processes()
    beats = [float(line) for line in file.read_text().split("\n")[:-1]]
    assert max(later - earlier for earlier, later in pairwise(beats)) > 0.09


@LINUX
@pytest.mark.parametrize("isolate", [False, True])
def test_a_program_ends_with_all_that_it_has_started(isolate: bool, tmp_path: Path) -> None:
    file = tmp_path / "pids"
    play(program("tells_pids", file), "random", conditions=ISOLATED if isolate else AT_HOME)
    close_processes()
    pids = file.read_text().split()
    assert len(pids) == 2
    assert all(is_gone(int(pid)) for pid in pids)


@LINUX
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_an_ended_command_leaves_no_program(number: signal.Signals, tmp_path: Path) -> None:
    file = tmp_path / "pids"
    words = ["tournament", "connect_four", "--blocks", "100000", "--no-ray", "--quiet", "--no-tracking"]
    seats = [f"--agent={program('tells_pids', file)}", "--agent=random", "--out", str(tmp_path / "run")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    running = subprocess.Popen(
        [sys.executable, "-P", "-m", "tag", *words, *seats], env=environment, stderr=subprocess.DEVNULL
    )
    try:
        end = time.monotonic() + 60.0
        while not (file.exists() and file.read_text().count("\n") >= 2) and time.monotonic() < end:
            time.sleep(0.1)
        pids = file.read_text().split()[:2]
        time.sleep(0.5)
        running.send_signal(number)
        running.wait(60.0)
    finally:
        running.kill()
        running.wait()
    assert len(pids) == 2
    assert all(is_gone(int(pid)) for pid in pids)


def test_no_shell_reads_the_command_and_its_paths_are_from_the_present_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "bot.py").write_text(FAULTY_PROGRAM.read_text(encoding="utf-8"), encoding="utf-8")
    command = f"{shlex.quote(sys.executable)} -S own/bot.py fair ; touch mark $(touch mark) > mark '#'"
    for conditions in (AT_HOME, ISOLATED):
        assert told(play(process(command=command), "random", conditions=conditions)) == told(
            play(program("fair"), "random")
        )
    assert not (tmp_path / "mark").exists()


# --- over HTTP ------------------------------------------------------------------------------------------------------------


class Handler(BaseHTTPRequestHandler):
    """Plays at random; the path names another way."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    sessions: ClassVar[set[str]] = set()

    def do_POST(self) -> None:
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.sessions.add(question["session"])
        answer: dict[str, object] = {"id": question["id"]}
        if question["type"] == "hello":
            answer |= {"protocol": 1, "name": "server"}
        if question["type"] == "act":
            answer |= {"index": question["random"] % len(question["actions"])}
        is_fair = question["type"] != "act" or self.path == "/"
        (self.send if is_fair else getattr(self, self.path.strip("/")))(json.dumps(answer).encode())

    def send(self, content: bytes, status: int = 200, length: int | None = None) -> None:
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "/")
        self.send_header("Content-Length", str(len(content) if length is None else length))
        self.end_headers()
        self.wfile.write(content)

    def moved(self, _content: bytes) -> None:
        self.send(b"", 302)

    def fails(self, content: bytes) -> None:
        self.send(content, 500)

    def rubbish(self, _content: bytes) -> None:
        self.send(b"<html>")

    def huge(self, content: bytes) -> None:
        self.send(b" " * 2_000_000 + content)

    def short(self, content: bytes) -> None:
        self.send(content, length=1000)
        self.close_connection = True

    def hangs(self, _content: bytes) -> None:
        time.sleep(3.0)

    def drips(self, _content: bytes) -> None:
        self.send(b"", length=1000)
        for _byte in range(30):
            self.wfile.write(b" ")
            time.sleep(0.1)

    def closes(self, content: bytes) -> None:
        """Answer, and close the connection without a word about that."""
        self.send(content)
        self.close_connection = True

    def log_message(self, *_arguments: object) -> None:
        pass


class QuietServer(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing about clients that hang up."""


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with QuietServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_a_server_plays_as_a_program_does(url: str) -> None:
    server = process(url=url)
    for seed in range(5):
        found = told(play(server, "random", seed=seed))
        assert found == told(play(program("fair"), "random", seed=seed))
        assert found == told(play(server, "random", seed=seed, conditions=ISOLATED))
    before = len(Handler.sessions)
    play(server, server)
    assert len(Handler.sessions) == before + 1  # one was there


def test_no_proxy_is_asked(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    assert told(play(process(url=url), "random")) == told(play(program("fair"), "random"))


def test_a_server_that_closes_connections_is_asked_once_more(url: str) -> None:
    assert told(play(process(url=f"{url}closes"), "random")) == told(play(program("fair"), "random"))


@pytest.mark.parametrize(
    ("path", "kind", "message"),
    [
        ("moved", CRASH, "status 302"),
        ("fails", CRASH, "status 500"),
        ("rubbish", CRASH, "no JSON object"),
        ("huge", CRASH, "bytes"),
        ("short", CRASH, "IncompleteRead"),
        ("hangs", HANG, "no answer for 0.5 s"),
        ("drips", HANG, "no answer for 0.5 s"),
    ],
)
def test_servers_that_go_wrong_are_faults_of_their_seat(url: str, path: str, kind: str, message: str) -> None:
    record = play(process(url=url + path, hang_seconds=0.5 if kind == HANG else 60.0), "random")
    assert [(fault.player, fault.kind) for fault in record.faults] == [(0, kind)]
    assert message in record.faults[0].message


def test_where_no_server_is_there_is_a_fault() -> None:
    with QuietServer(("127.0.0.1", 0), Handler) as server:
        port = server.server_port
    (fault,) = play(process(url=f"http://localhost:{port}/"), "random").faults
    assert fault.kind == CRASH
    assert "does not answer" in fault.message
