"""The runner: every game exactly once, whoever plays and whatever happens."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace

import pytest
from copied import RANDOM

from tag.cluster.batches import PlayedBatch
from tag.cluster.workers import InProcess
from tag.errors import ContractError, DataError
from tag.orders import GameOrder
from tag.tournaments.definition import TournamentDefinition, define
from tag.tournaments.driver.batches import BatchSizes
from tag.tournaments.driver.counts import duration
from tag.tournaments.driver.events import PlayListener
from tag.tournaments.driver.interruption import Interruption
from tag.tournaments.ledger.games import read_ledger
from tag.tournaments.reports.displays import LiveProgress
from tag.tournaments.reports.progress import PlainProgress, Progress
from tag.tournaments.results.tournament import TournamentResults, read_results
from tag.tournaments.run import run_tournament

pytestmark = pytest.mark.flow

AGENTS = ("random", "random", "random")
LAST = """
from tag import Agent

class Last(Agent):
    def act(self, observation, actions):
        return actions[-1]
"""


def small(blocks: int = 6) -> TournamentDefinition:
    return define("tic_tac_toe", AGENTS, blocks, seed=5)


def run(out: Path, blocks: int = 6, **options: object) -> TournamentResults:
    return run_tournament(small(blocks), out, tracking=False, **options)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> TournamentResults:
    return run(tmp_path_factory.mktemp("undisturbed") / "t")


class Shuffling(InProcess):
    """Many slots; batches come back in reverse, some of them twice as far as the ledger can see."""

    slots = 4

    def __init__(self) -> None:
        super().__init__()
        self.queue: dict[int, list[GameOrder]] = {}

    def submit(self, number: int, orders: list[GameOrder]) -> None:
        assert len(self.queue) < self.slots
        self.queue[number] = orders

    def completed(self, timeout: float) -> list[PlayedBatch]:
        number = max(self.queue)
        super().submit(number, self.queue.pop(number))
        return super().completed(60.0)


class Dying(InProcess):
    """Plays a number of batches, then fails as `error` says."""

    def __init__(self, batches: int, error: BaseException) -> None:
        super().__init__()
        self.batches = batches
        self.error = error
        self.closed = False

    def completed(self, timeout: float) -> list[PlayedBatch]:
        if self.batches == 0:
            raise self.error
        self.batches -= 1
        return super().completed(60.0)

    def close(self) -> None:
        self.closed = True


class Pressing(InProcess):
    """Somebody presses Ctrl-C while the second batch is played."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    def completed(self, timeout: float) -> list[PlayedBatch]:
        self.calls += 1
        if self.calls == 2:
            os.kill(os.getpid(), signal.SIGINT)
        return super().completed(60.0)


class TestPlay:
    def test_every_game_of_the_schedule_is_in_the_ledger_once(self, undisturbed: TournamentResults) -> None:
        assert undisturbed.complete
        games, seats = read_ledger(undisturbed.folder)
        assert sorted(games["game_id"]) == sorted(pairing.game_id for pairing in small().schedule())
        assert len(seats) == 2 * len(games)
        assert undisturbed.games == len(games) == undisturbed.total

    def test_the_order_of_arrival_does_not_matter(self, undisturbed: TournamentResults, tmp_path: Path) -> None:
        assert run(tmp_path / "t", workers=Shuffling()).content_hash == undisturbed.content_hash

    def test_more_blocks_give_what_they_would_have_given_at_once(
        self, undisturbed: TournamentResults, tmp_path: Path
    ) -> None:
        assert run(tmp_path / "t", blocks=2).content_hash != undisturbed.content_hash
        assert run(tmp_path / "t", blocks=6).content_hash == undisturbed.content_hash

    def test_nothing_is_played_again(self, undisturbed: TournamentResults) -> None:
        class Unstarted(InProcess):
            def start(self, sources: Mapping[str, str]) -> None:
                raise AssertionError

        assert run(undisturbed.folder, workers=Unstarted()).content_hash == undisturbed.content_hash

    def test_results_are_those_of_the_ledger_alone(self, undisturbed: TournamentResults) -> None:
        assert read_results(undisturbed.folder) == undisturbed

    def test_workers_on_users_files_get_the_text(self, tmp_path: Path) -> None:
        file = tmp_path / "last.py"
        file.write_text(LAST)
        got: list[Mapping[str, str]] = []

        class Told(InProcess):
            def start(self, sources: Mapping[str, str]) -> None:
                got.append(sources)

        definition = define("tic_tac_toe", ("random", f"{file}:Last"), 2)
        assert run_tournament(definition, tmp_path / "t", tracking=False, workers=Told()).complete
        assert got == [{str(file): file.read_text()}]


class Heard(PlayListener):
    """Remembers which of the two it has heard."""

    def __init__(self) -> None:
        self.events: list[str] = []

    def start(self, total: int, done: int, product: str = "") -> None:
        self.events.append("start")

    def close(self) -> None:
        self.events.append("close")


def test_displays_are_closed_where_a_resumed_tournament_has_no_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a terminal would stay without its cursor."""
    with pytest.raises(ContractError):
        run(tmp_path, workers=Dying(1, ContractError("it breaks off")))
    heard = Heard()
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=0))
    with pytest.raises(DataError, match="0.0 MB free"):
        run(tmp_path, listeners=[heard])
    assert heard.events == ["start", "close"]


class TestInterruption:
    @pytest.mark.parametrize("error", [KeyboardInterrupt(), ContractError("the game broke")])
    def test_what_was_played_is_kept_when_the_pool_fails(
        self, undisturbed: TournamentResults, tmp_path: Path, error: BaseException
    ) -> None:
        pool = Dying(2, error)
        with pytest.raises(type(error)):
            run(tmp_path / "t", workers=pool)
        assert not pool.closed, "they are the caller's"
        partial = read_results(tmp_path / "t")
        assert 0 < partial.games < partial.total
        assert run(tmp_path / "t").content_hash == undisturbed.content_hash

    def test_the_first_ctrl_c_ends_in_good_order(self, undisturbed: TournamentResults, tmp_path: Path) -> None:
        before = signal.getsignal(signal.SIGINT)
        partial = run(tmp_path / "t", workers=Pressing())
        assert signal.getsignal(signal.SIGINT) is before
        assert not partial.complete
        assert 2 <= partial.games < partial.total
        assert run(tmp_path / "t").content_hash == undisturbed.content_hash

    def test_the_second_ctrl_c_stops_at_once(self) -> None:
        with Interruption(print) as interruption:
            os.kill(os.getpid(), signal.SIGTERM)
            assert interruption.requested
            with pytest.raises(KeyboardInterrupt):
                os.kill(os.getpid(), signal.SIGINT)

    def test_a_killed_driver_loses_nothing_that_matters(self, undisturbed: TournamentResults, tmp_path: Path) -> None:
        """SIGKILL in mid-play, twice, then a run to the end; a slow agent and small batches leave time for the kills."""
        folder, agent = tmp_path / "t", tmp_path / "slow.py"
        agent.write_text(
            f"{RANDOM}\nfrom time import sleep\n\nclass Slow(Random):\n"
            "    def act(self, observation, actions):\n        sleep(0.001)\n"
            "        return super().act(observation, actions)\n"
        )
        definition = define("tic_tac_toe", ("random", f"{agent}:Slow"), 150)
        program = (
            "from pathlib import Path\nfrom tag.tournaments.driver import batches, driver\n"
            "from tag.tournaments.definition import define\nfrom tag.tournaments import run_tournament\n"
            "batches._AIM = 0.05\ndriver._FLUSH_SECONDS = 0.0\n"
            f"run_tournament(define('tic_tac_toe', ('random', {str(agent) + ':Slow'!r}), 150), "
            f"Path({str(folder)!r}), tracking=False)\n"
        )
        counts = [_kill_in_play(program, folder, 1), _kill_in_play(program, folder, 2)]
        assert 0 < counts[0] < counts[1] < len(definition.schedule())
        resumed = run_tournament(definition, folder, tracking=False)
        whole = run_tournament(definition, tmp_path / "whole", tracking=False)
        assert resumed.complete
        assert resumed.content_hash == whole.content_hash


@pytest.mark.system
@pytest.mark.usefixtures("local_ray")
class TestRay:
    def test_workers_write_the_same_ledger(self, tmp_path: Path) -> None:
        """Two workers, a user's file among the agents, against the process itself."""
        file = tmp_path / "last.py"
        file.write_text(LAST)
        definition = define("tic_tac_toe", ("random", f"{file}:Last"), 20)
        alone = run_tournament(definition, tmp_path / "alone", tracking=False)
        together = run_tournament(definition, tmp_path / "together", workers=2, tracking=False)
        assert together.complete
        assert together.content_hash == alone.content_hash
        ledgers = [next((tmp_path / name).rglob("games-*.parquet")) for name in ("alone", "together")]
        assert ledgers[0].read_bytes() == ledgers[1].read_bytes()


def _kill_in_play(program: str, folder: Path, more_files: int) -> int:
    """Run ``program``, kill it once so many more ledger files are there, and return the games in the ledger."""

    def files() -> int:
        return len(list(folder.rglob("games-*.parquet")))

    wanted = files() + more_files
    process = subprocess.Popen([sys.executable, "-c", program])
    try:
        while files() < wanted:
            assert process.poll() is None, "the tournament was over before it could be killed"
            time.sleep(0.01)
    finally:
        process.kill()
        process.wait()
    return read_results(folder).games


class TestBatchSizes:
    def test_sizes_grow_to_the_aim_and_shrink_at_the_end(self) -> None:
        sizes = BatchSizes(slots=4)
        assert sizes.next(1000) == 1
        for _batch in range(10):
            sizes.learn(sizes.size, 0.01 * sizes.size)
        assert 100 <= sizes.next(100_000) <= 200
        assert sizes.next(80) == 10
        assert sizes.next(1) == 1

    def test_no_more_than_two_hundred_batches_end_in_a_second(self) -> None:
        """Two thousand slots: batches that take ten seconds, where few slots get batches of one and a half."""
        few, many = BatchSizes(slots=4), BatchSizes(slots=2_000)
        for _batch in range(10):
            few.learn(few.size, 0.01 * few.size)
            many.learn(many.size, 0.01 * many.size)
        assert few.next(10**7) == 150
        assert many.next(10**7) == 1_000

    def test_long_games_go_one_by_one(self) -> None:
        sizes = BatchSizes(slots=1)
        sizes.learn(1, 20.0)
        assert sizes.next(1000) == 1

    def test_growth_is_bounded(self) -> None:
        sizes = BatchSizes(slots=1)
        sizes.learn(1, 1e-9)
        assert sizes.next(100_000) == 4
        for _batch in range(20):
            sizes.learn(sizes.size, 1e-9)
        assert sizes.next(100_000) == 5_000


class TestProgress:
    def test_plain_lines_have_no_control_codes(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        run(tmp_path / "t", progress=PlainProgress())
        captured = capsys.readouterr()
        assert captured.out == ""
        assert captured.err.startswith("0 of 36 games (6 blocks x 3 match-ups x 2 seatings)\n")
        assert captured.err.splitlines()[-1].startswith("36 of 36 games, ")
        assert captured.err.isascii()
        assert captured.err.replace("\n", "").isprintable()

    def test_quiet_says_nothing(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        run(tmp_path / "t", progress=Progress())
        assert capsys.readouterr() == ("", "")

    def test_the_picture_shows_standings_and_faults(self, undisturbed: TournamentResults) -> None:
        from rich.console import Console

        console = Console(width=120, force_terminal=False)
        progress = LiveProgress(console)
        progress.start(10, 10)
        progress.advance(0, 2)
        progress.show_standings(undisturbed.standings, False)
        with console.capture() as capture:
            console.print(progress._picture())
        assert "random#2" in capture.get()
        assert "10 of 10 games, 2 faults" in capture.get()

    @pytest.mark.parametrize(("is_cooperative", "shown"), [(False, "win rate"), (True, "success rate")])
    def test_the_picture_has_the_columns_of_the_results(
        self, undisturbed: TournamentResults, is_cooperative: bool, shown: str
    ) -> None:
        from rich.console import Console

        console = Console(width=120, force_terminal=False)
        progress = LiveProgress(console)
        progress.show_standings(undisturbed.standings, is_cooperative)
        with console.capture() as capture:
            console.print(progress._picture())
        headings = capture.get().splitlines()[0]
        assert shown in headings
        assert ("mean ordinal" in headings) is not is_cooperative

    def test_the_picture_shows_how_the_stopping_rule_stands(self) -> None:
        from rich.console import Console

        definition = define("tic_tac_toe", ("random", "osla"), 5, sprt="0,10")
        rule = definition.stopping_rule(definition.schedule())
        assert rule is not None
        console = Console(width=120, force_terminal=False)
        progress = LiveProgress(console)
        progress.show_stopping(rule.result())
        progress.start(10, 10)
        with console.capture() as capture:
            console.print(progress._picture())
        assert "10 of at most 10 games" in capture.get()
        assert "SPRT [0, 10] Elo: go on after 0 blocks, LLR 0.00 (-2.94, 2.94)" in capture.get()

    @pytest.mark.parametrize(
        ("seconds", "text"), [(0.4, "0 s"), (59.6, "1 min 0 s"), (200, "3 min 20 s"), (7500, "2 h 5 min")]
    )
    def test_durations_are_for_people(self, seconds: float, text: str) -> None:
        assert duration(seconds) == text
