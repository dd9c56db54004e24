"""``tag replay`` and ``tag inspect``: printed, or stepped through in a real terminal; games from ledgers and logs."""

from __future__ import annotations

import codecs
import fcntl
import json
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from commands import run_tag
from users_code import ERRATIC_AGENTS
from written_shards import write_shard

from tag import GameState, Listener
from tag.table.log import LogReader
from tag.table.view import position_view
from tag.tournaments import define, read_ledger, run_tournament
from tag.tournaments.ledger.replay import replay_of

pytestmark = pytest.mark.flow

ROOT = Path(__file__).parents[3]
ERRATIC = f"{ERRATIC_AGENTS}:Erratic"
TAG = (sys.executable, "-m", "tag")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament whose actions were not recorded."""
    folder = tmp_path_factory.mktemp("plain")
    run_tournament(define("tic_tac_toe", ("random", "random"), 3, seed=1), folder, tracking=False)
    return folder


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recorded tournament whose games nobody plays again."""
    folder = tmp_path_factory.mktemp("recorded")
    definition = define("love_letter", (ERRATIC, "random"), 2, players=2, seed=1, record_actions=True)
    run_tournament(definition, folder, tracking=False)
    return folder


@pytest.fixture(scope="module")
def log(recorded: Path) -> Path:
    """Their log."""
    file = recorded.with_name("log.jsonl")
    assert run_tag("export", recorded, "actions", "--out", file).exit_code == 0
    return file


class TestPrinted:
    def test_every_game_is_the_same_again(self, folder: Path) -> None:
        games, _seats = read_ledger(folder)
        for game_id in games["game_id"]:
            result = run_tag("replay", folder, game_id, "--quiet")
            assert result.exit_code == 0, result.output
            assert f"{game_id} is the same" in result.stdout

    def test_it_is_printed_step_by_step(self, folder: Path) -> None:
        result = run_tag("replay", folder, "b0-m0-s0")
        assert "player 0: random" in result.stdout
        assert "X" in result.stdout
        assert result.stdout == run_tag("replay", folder, "b0-m0-s0", "--no-step").stdout

    def test_recorded_actions_need_no_agents(self, recorded: Path) -> None:
        for game_id in read_ledger(recorded)[0]["game_id"]:
            result = run_tag("replay", recorded, game_id, "--quiet")
            assert (result.exit_code, result.stderr) == (0, "")
            assert result.stdout.startswith(f"{game_id} is the same: ")

    def test_agents_play_if_asked_for(self, recorded: Path) -> None:
        codes = [
            run_tag("replay", recorded, f"b{n}-m0-s0", "--quiet", "--with-agents", "--trust").exit_code for n in (0, 1)
        ]
        assert 1 in codes

    def test_a_players_view(self, recorded: Path) -> None:
        everything = run_tag("replay", recorded, "b0-m0-s0").stdout
        mine = run_tag("replay", recorded, "b0-m0-s0", "--view", 1).stdout
        assert "hand ?" not in everything
        assert "hand ?" in mine

    def test_a_program_rebuilds_the_view_of_a_seat_from_the_json_log(self, recorded: Path) -> None:
        result = run_tag("replay", recorded, "b0-m0-s0", "--view", 1, "--json")
        assert result.exit_code == 0
        assert "b0-m0-s0 is the same" in result.stderr
        entries = [json.loads(line) for line in result.stdout.splitlines()]
        reader = LogReader()
        for entry in entries:
            reader.read(entry)
        replay = replay_of(recorded, "b0-m0-s0")
        states: list[GameState] = []

        class Last(Listener):
            def on_end(self, state: GameState) -> None:
                states.append(state.copy())

        replay.play_recorded([Last()])
        view = position_view(states[0], 1)
        assert reader.seen["players"] == view["players"]
        assert list(reader.seen["components"].values()) == view["components"]
        texts = [event["text"] for entry in entries for event in entry["events"]]
        assert any(text.startswith("player 0 draws a card") for text in texts)
        assert not any(re.match("player 0 (draws|is dealt) [A-Z]", text) for text in texts)

    def test_a_log_tells_the_same_as_the_ledger(self, recorded: Path, log: Path) -> None:
        for game_id in read_ledger(recorded)[0]["game_id"]:
            assert run_tag("replay", log, game_id).stdout == run_tag("replay", recorded, game_id).stdout
            assert run_tag("replay", log, game_id).exit_code == 0

    def test_a_difference_is_told(self, folder: Path, tmp_path: Path) -> None:
        shutil.copytree(folder, tmp_path / "t")
        (path,) = (tmp_path / "t" / "ledger").glob("games-*.parquet")
        games = pq.read_table(path)
        hashes = [text[::-1] for text in games["state_hash"].to_pylist()]
        path.unlink()
        column = games.schema.get_field_index("state_hash")
        write_shard(tmp_path / "t", games.set_column(column, games.schema.field(column), pa.array(hashes)))
        result = run_tag("replay", tmp_path / "t", "b0-m0-s0", "--quiet")
        assert result.exit_code == 1
        assert "b0-m0-s0 differs: state_hash is " in result.stdout

    def test_users_files_are_as_they_were_when_it_began(self, tmp_path: Path) -> None:
        file = tmp_path / "first.py"
        file.write_text(
            "from tag.playing.agent import Agent\n\nclass First(Agent):\n"
            "    def act(self, observation, actions):\n        return actions[0]\n"
        )
        run_tournament(define("tic_tac_toe", ("random", f"{file}:First"), 1), tmp_path / "t", tracking=False)
        file.write_text("this is no Python any more")
        command = [*TAG, "replay", tmp_path / "t", "b0-m0-s1", "--trust"]
        again = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
        assert again.returncode == 0, again.stderr
        assert "b0-m0-s1 is the same" in again.stdout

    @pytest.mark.parametrize(
        ("arguments", "sentence"),
        [
            (("nonsense",), "no game named 'nonsense'; there are: b0-m0-s0 to b2-m0-s1"),
            (("b0-m0-s0", "--view", "2"), "--view cannot be 2; the players are 0 to 1, and -1 sees everything"),
            (("b0-m0-s0", "--step"), "--step needs a terminal; leave it out to print the game"),
        ],
    )
    def test_a_mistake_is_one_sentence(self, folder: Path, arguments: tuple[str, ...], sentence: str) -> None:
        result = run_tag("replay", folder, *arguments)
        assert result.exit_code == 2
        assert result.stderr == f"tag: {sentence}\n"
        assert result.stdout == ""

    def test_mistakes_with_logs(self, log: Path) -> None:
        assert "no game in" in run_tag("replay", log, "b7-m0-s0").stderr
        assert "; did you mean 'b0-m0-s0'?" in run_tag("replay", log, "b0-m0-s00").stderr
        assert "needs the folder of a tournament" in run_tag("replay", log, "b0-m0-s0", "--with-agents").stderr


class Terminal:
    """A command in a terminal of 100 columns and 40 lines."""

    def __init__(self, *arguments: object) -> None:
        self.text = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._pid, self._fd = pty.fork()
        if self._pid == 0:  # the command's side
            os.chdir(ROOT)
            os.execv(sys.executable, [*TAG, *map(str, arguments)])  # noqa: S606
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))

    def until(self, pattern: str, seconds: float = 60.0) -> str:
        """Return what is on the screen once it shows ``pattern``."""
        while not re.search(pattern, self.screen):
            assert select.select([self._fd], [], [], seconds)[0], f"{pattern!r} is not in {self.screen!r}"
            self.text += self._decoder.decode(os.read(self._fd, 1 << 16))
        return self.screen

    def press(self, keys: str) -> None:
        os.write(self._fd, keys.encode())

    @property
    def screen(self) -> str:
        """What was shown since the screen was cleared, without colours."""
        return re.sub(r"\x1b\[[0-9;]*m", "", self.text.rpartition("\x1b[2J")[2]).replace("\r\n", "\n")

    def end(self, seconds: float = 60.0) -> int:
        """Return the exit code."""
        while True:
            assert select.select([self._fd], [], [], seconds)[0], f"it goes on with {self.screen!r}"
            try:
                more = os.read(self._fd, 1 << 16)
            except OSError:  # Linux's way to say that the other side is closed
                break
            if not more:
                break
            self.text += self._decoder.decode(more)
        _pid, status = os.waitpid(self._pid, 0)
        self._pid = 0
        return os.waitstatus_to_exitcode(status)

    def close(self) -> None:
        if self._pid:
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
        os.close(self._fd)


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    """Terminals to be closed."""
    opened: list[Terminal] = []
    yield opened
    for terminal in opened:
        terminal.close()


class TestInspected:
    def test_keys_play_actions_and_take_them_back(self, terminals: list[Terminal]) -> None:
        terminal = Terminal("inspect", "tic_tac_toe", "--agent", "osla", "--seed", 2)
        terminals.append(terminal)
        start = terminal.until("q quit")
        assert "\rtic_tac_toe   after 0 actions, player 0 to move" in start
        terminal.press("\r")
        terminal.until("after 1 action, player 1 to move(?s:.)*q quit")
        terminal.press("7\r")
        terminal.until("after 2 actions, player 0 to move(?s:.)*q quit")
        terminal.press("u\x7f")
        again = terminal.until("after 0 actions(?s:.)*q quit")
        assert again.partition("tic_tac_toe")[2] == start.partition("tic_tac_toe")[2]
        terminal.press("q")
        assert terminal.end() == 0

    def test_json_and_no_step_print_also_in_a_terminal(self, terminals: list[Terminal]) -> None:
        for option, text in (("--json", '"agent": "random"'), ("--no-step", "\nrandom: ")):
            terminal = Terminal("inspect", "tic_tac_toe", "--agent", "random", option)
            terminals.append(terminal)
            assert terminal.end() == 0
            assert text in terminal.screen


class TestSteppedThrough:
    def test_forth_and_back_and_to_the_end(self, folder: Path, terminals: list[Terminal]) -> None:
        terminal = Terminal("replay", folder, "b0-m0-s0")
        terminals.append(terminal)
        n = replay_of(folder, "b0-m0-s0").expected["ticks"]
        assert "player 0 chooses 1 of 9:" in terminal.until("q quit")
        terminal.press("\r")
        assert "player 1 chooses 1 of 8:" in terminal.until(f" 1 of {n} actions(?s:.)*q quit")
        terminal.press("\x1b[C")
        terminal.until(f" 2 of {n} actions(?s:.)*q quit")
        terminal.press("\x1b[D")
        terminal.until(f" 1 of {n} actions(?s:.)*q quit")
        terminal.press("3")
        terminal.until("go to action 3")
        terminal.press("\r")
        assert terminal.until(f" 3 of {n} actions(?s:.)*q quit").count("►") == 1
        terminal.press("\x1b[F")
        assert "place 1" in terminal.until(f" {n} of {n} actions(?s:.)*q quit")
        terminal.press("?")
        terminal.until("Home, End +the start, the end(?s:.)*q quit")
        terminal.press("q")
        assert terminal.end() == 0
        assert "b0-m0-s0 is the same: " in terminal.screen
        assert "play it again" in terminal.text

    def test_keys_that_come_at_once(self, recorded: Path, terminals: list[Terminal]) -> None:
        terminal = Terminal("replay", recorded, "b0-m0-s0", "--view", 1)
        terminals.append(terminal)
        assert "(your view)" in terminal.until("q quit")
        terminal.press("\r\r\x1b[Dq")
        assert terminal.end() == 0
        assert " 0 of " in terminal.text
        assert "b0-m0-s0 is the same: " in terminal.screen
        assert "play it again" not in terminal.text

    def test_from_a_log_and_ctrl_c(self, log: Path, terminals: list[Terminal]) -> None:
        terminal = Terminal("replay", log, "b1-m0-s1")
        terminals.append(terminal)
        assert "b1-m0-s1   0 of " in terminal.until("q quit")
        terminal.press("\x03")
        assert terminal.end() == 0

    def test_printed_in_a_terminal_if_asked_for(self, log: Path, terminals: list[Terminal]) -> None:
        terminal = Terminal("replay", log, "b1-m0-s1", "--no-step")
        terminals.append(terminal)
        assert terminal.end() == 0
        assert "b1-m0-s1 is the same: " in terminal.screen

    def test_a_game_that_differs_can_be_looked_at(self, log: Path, tmp_path: Path, terminals: list[Terminal]) -> None:
        file = tmp_path / "changed.jsonl"
        file.write_text(re.sub(r'"choices": \[\d+, \d+, \d+', '"choices": [0, 0, 77', log.read_text()))
        terminal = Terminal("replay", file, "b0-m0-s0")
        terminals.append(terminal)
        terminal.until("q quit")
        terminal.press("\x1b[F")
        assert "the game stops here" in terminal.until(" 2 of 2 actions(?s:.)*q quit")
        terminal.press("q")
        assert terminal.end() == 1
        assert "cannot be number 77" in terminal.screen
