"""What cannot work is refused in one sentence, before anything is played or written."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import Result
from commands import run_tag

from tag.cluster import make_workers
from tag.cluster.status import NodeStatus
from tag.errors import ClusterError, DataError, TagError
from tag.tournaments.commands.analysis import run_analysis
from tag.tournaments.definition import Rules, define
from tag.tournaments.ledger.experiment import Experiment
from tag.tournaments.ledger.folder import ledger_bytes
from tag.tournaments.ledger.storage import check_storage
from tag.tournaments.results.analysis.definition import AnalysedGame, AnalysisDefinition
from tag.tournaments.results.tournament import read_results
from tag.tournaments.run import run_experiment, run_tournament

pytestmark = pytest.mark.flow

#: What writes to a folder, by what the folder then holds.
WRITERS: dict[str, Callable[[Path], object]] = {
    "tournament": lambda out: run_tournament(define("tic_tac_toe", ("random", "random"), 1), out, tracking=False),
    "experiment": lambda out: run_experiment(
        Experiment.of([define("tic_tac_toe", ("random", "random"), 1)]), out, tracking=False
    ),
    "analysis": lambda out: run_analysis(AnalysisDefinition(events=(AnalysedGame("tic_tac_toe", 2),), n_games=2), out),
}
LOCAL = ("--agent", "random", "--agent", "random", "--workers", "1", "--no-tracking", "--quiet")


def tag(out: Path, *more: object) -> Result:
    return run_tag("tournament", "tic_tac_toe", *LOCAL, "--out", out, *more)


def command(name: str, out: Path, *more: object) -> Result:
    return run_tag(*COMMANDS[name][0], "--out", out, *more)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def assert_refused(result: Result, sentence: str) -> None:
    assert result.exit_code == 2
    assert result.stderr == f"tag: {sentence}\n"
    assert result.stdout == ""


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 128 kB, where this process may mount one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = shutil.which("mount")
    command = [mount or "mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", str(disk)]
    if sys.platform != "linux" or mount is None or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("needs to mount a disk")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.parametrize("what", WRITERS)
class TestFolder:
    """A folder is new or our own, and the same holds for all that writes to one."""

    def test_one_of_something_else_is_left_alone(self, what: str, tmp_path: Path) -> None:
        (tmp_path / "thesis.tex").write_text("years of work")
        sentence = f"{str(tmp_path)!r} is not empty and holds no {what}; name a new folder with --out"
        with pytest.raises(DataError, match=re.escape(sentence)):
            WRITERS[what](tmp_path)
        assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]

    def test_a_file_is_left_alone(self, what: str, tmp_path: Path) -> None:
        (tmp_path / "thesis.tex").write_text("years of work")
        with pytest.raises(DataError, match=r"thesis\.tex' is a file; name a new folder with --out"):
            WRITERS[what](tmp_path / "thesis.tex")
        assert (tmp_path / "thesis.tex").read_text() == "years of work"

    def test_hidden_files_do_no_harm_and_it_goes_on_with_its_own(self, what: str, tmp_path: Path) -> None:
        (tmp_path / ".DS_Store").write_text("")
        WRITERS[what](tmp_path)
        (tmp_path / "notes.txt").write_text("mine")
        assert WRITERS[what](tmp_path).complete
        assert {".DS_Store", "notes.txt"} < {path.name for path in tmp_path.iterdir()}


class TestStorage:
    def test_a_folder_that_cannot_be_written_to(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "mine").mkdir()
        access = os.access
        monkeypatch.setattr(os, "access", lambda path, mode: path != tmp_path / "mine" and access(path, mode))
        there = str(tmp_path / "mine")
        assert_refused(
            tag(tmp_path / "mine" / "runs" / "t"),
            f"nothing can be written to {there!r}; name another folder with --out",
        )
        assert list((tmp_path / "mine").iterdir()) == []

    def test_a_read_only_disk(self, small_disk: Path) -> None:
        subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
        there = str(small_disk)
        assert_refused(tag(small_disk / "t"), f"nothing can be written to {there!r}; name another folder with --out")

    def test_a_folder_below_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("hello")
        there = str(tmp_path / "file")
        assert_refused(
            tag(tmp_path / "file" / "t"), f"nothing can be written to {there!r}; name another folder with --out"
        )

    def test_no_room(self, small_disk: Path) -> None:
        result = tag(small_disk / "t", "--blocks", 100_000)
        assert result.exit_code == 2
        assert result.stderr.startswith(f"tag: {str(small_disk)!r} has 0.1 MB free, and the ledger may take 25")
        assert result.stderr.count("\n") == 1
        assert list(small_disk.iterdir()) == []

    def test_room_is_asked_for_by_the_number_of_games(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        definition = define("tic_tac_toe", ("random", "random"), 100)
        needed = ledger_bytes(definition)
        monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=needed))
        check_storage(tmp_path / "t", needed)
        with pytest.raises(DataError, match="has 1.0 MB free, and the ledger may take 1.0 MB; make room"):
            check_storage(tmp_path / "t", needed + 1)
        assert ledger_bytes(define("tic_tac_toe", ("random", "random"), 100_000)) > needed

    def test_an_estimate_is_enough(self, tmp_path: Path) -> None:
        definition = define("love_letter", ("random", "osla", "random"), 100, players=3)
        run_tournament(definition, tmp_path / "t", tracking=False)
        written = sum(path.stat().st_size for path in (tmp_path / "t" / "ledger").iterdir())
        assert written <= ledger_bytes(definition) / 2

    def test_a_disk_that_is_full_in_mid_play(
        self, small_disk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It ends in one sentence, and goes on with what it has once there is room."""
        definition = define("tic_tac_toe", ("random", "random"), 200)
        monkeypatch.setattr("tag.tournaments.ledger.folder._LEDGER_BYTES", 0)
        monkeypatch.setattr("tag.tournaments.driver.driver._FLUSH_SECONDS", 0.0)
        monkeypatch.setattr("tag.tournaments.driver.tournament.LARGEST_BATCH", 10)
        with pytest.raises(DataError, match=r"cannot write to .*: No space left on device; what is there is kept"):
            run_tournament(definition, small_disk / "t", tracking=False)
        partial = read_results(small_disk / "t")
        assert 0 < partial.games < partial.total
        assert not list(small_disk.rglob("*.tmp"))
        shutil.copytree(small_disk / "t", tmp_path / "t")
        resumed = run_tournament(definition, tmp_path / "t", tracking=False)
        assert resumed.complete
        assert resumed.content_hash == run_tournament(definition, tmp_path / "whole", tracking=False).content_hash


#: What each command needs to say but for the folder, and the option that makes its ledger large.
#: Commands that play little, and the number of what is played.
COMMANDS = {
    "tournament": (["tournament", "tic_tac_toe", *LOCAL, "--blocks", 2], 2),
    "experiment": (["tournament", "tic_tac_toe", "connect_four", *LOCAL, "--blocks", 2], 2),
    "analyse": (["analyse", "tic_tac_toe", "--workers", "1", "--no-tracking", "--quiet", "--games", 2], 2),
}


@pytest.mark.parametrize("name", COMMANDS)
class TestFolders:
    """What holds for every command that fills a folder: it is refused before anything is there, or is changed."""

    def test_of_a_read_only_disk(self, name: str, small_disk: Path) -> None:
        subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
        refusal = f"nothing can be written to {str(small_disk)!r}; name another folder with --out"
        assert_refused(command(name, small_disk), refusal)
        assert_refused(command(name, small_disk / "runs" / "t"), refusal)

    def test_of_a_disk_without_room(self, name: str, small_disk: Path) -> None:
        words, number = COMMANDS[name]
        assert words[-1] == number
        result = run_tag(*words[:-1], 100_000, "--out", small_disk / "t")
        assert result.exit_code == 2
        assert result.stderr.startswith(f"tag: {str(small_disk)!r} has 0.1 MB free, and the ledger may take ")
        assert list(small_disk.iterdir()) == []

    def test_below_a_file(self, name: str, tmp_path: Path) -> None:
        file = tmp_path / "file"
        file.write_text("mine")
        refusal = f"nothing can be written to {str(file)!r}; name another folder with --out"
        assert_refused(command(name, file / "t"), refusal)
        assert file.read_text() == "mine"

    def test_with_a_name_that_no_disk_takes(self, name: str, tmp_path: Path) -> None:
        long = tmp_path / ("x" * 300)
        refusal = f"{str(long)!r} cannot be used: File name too long; name a new folder with --out"
        assert_refused(command(name, long), refusal)

    @pytest.mark.system
    def test_with_another_of_its_kind_in_it(self, name: str, tmp_path: Path) -> None:
        assert command(name, tmp_path).exit_code == 0
        before = contents(tmp_path)
        result = command(name, tmp_path, "--seed", 5)
        assert result.exit_code == 2
        assert re.search(
            r"holds another tournament: seed is \d+ there, not 5; name a new folder with --out", result.stderr
        )
        assert contents(tmp_path) == before

    def test_on_a_cluster_that_is_not_there(self, name: str, tmp_path: Path) -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            address = f"127.0.0.1:{taken.getsockname()[1]}"
            refusal = f"no Ray cluster answers at {address!r}: Connection refused"
            assert_refused(command(name, tmp_path / "t", "--address", address), refusal)
        assert list(tmp_path.iterdir()) == []


class TestWhoPlays:
    """What designs and tests cannot do is refused on the command line, and leaves no folder."""

    @pytest.mark.parametrize(
        ("options", "sentence"),
        [
            (("--design", "knockout"), "a knockout at tables of 2 seats 2 or 4 agents, not 3"),
            (("--design", "fixed"), "with fixed seats there are as many agents as seats, not 3 for 2"),
            (("--sprt", "0,10"), "an SPRT is between 2 agents in the same match-ups throughout, not 3"),
            (("--players", "3"), "Tic-tac-toe is for 2 players, not 3; the nearest number is 2"),
            (("--blocks", "0"), "blocks cannot be 0; the least is 1"),
        ],
    )
    def test_nobody(self, options: tuple[str, ...], sentence: str, tmp_path: Path) -> None:
        assert_refused(tag(tmp_path / "t", "--agent", "random", *options), sentence)
        assert list(tmp_path.iterdir()) == []


class TestExperiments:
    def test_that_would_leave_an_event_out(self, tmp_path: Path) -> None:
        assert command("experiment", tmp_path).exit_code == 0
        before = contents(tmp_path)
        events = ["tournament", "tic_tac_toe", "nim", *LOCAL, "--blocks", 2, "--out", tmp_path]
        assert_refused(
            run_tag(*events),
            f"{str(tmp_path)!r} holds an experiment with connect_four-2p; name that as well, or a new folder with --out",
        )
        assert contents(tmp_path) == before

    def test_no_event_is_played_before_all_are_found_to_work(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The second event has a time limit, and the machines are not equal."""
        node = NodeStatus("10.0.0.2", "two", False, True, 8, "fast", 8, "2.60.0", {}, "")
        nodes = [node, replace(node, address="10.0.0.3", processor="slow")]
        monkeypatch.setattr("tag.cluster.status.cluster_status", lambda address: nodes)
        monkeypatch.setattr("tag.cluster.workers.check_cluster", lambda address: None)
        plain, timed = (
            define(game, ("random", agent), 2)
            for game, agent in (("tic_tac_toe", "random"), ("connect_four", "mcts:budget=5,budget_type=wall_ms"))
        )
        with pytest.raises(ClusterError, match="is a time limit, and machines are not equal"):
            run_experiment(
                Experiment.of([plain, timed]), tmp_path / "s", workers=make_workers(2, "10.0.0.1:6379"), tracking=False
            )
        assert list(tmp_path.iterdir()) == []


class TestFiles:
    def test_a_report_that_finds_no_room_leaves_the_one_before(self, tmp_path: Path, small_disk: Path) -> None:
        assert tag(tmp_path / "t", "--blocks", 2).exit_code == 0
        file = small_disk / "report.html"
        file.write_text("the one before")
        (small_disk / "fill").write_bytes(bytes(100 << 10))
        refusal = f"cannot write {str(file)!r}: No space left on device; name a file with --out"
        assert_refused(run_tag("report", tmp_path / "t", "--out", file), refusal)
        assert file.read_text() == "the one before"
        assert sorted(path.name for path in small_disk.iterdir()) == ["fill", "report.html"]

    def test_a_tournament_whose_disk_is_full_goes_on_once_there_is_room(
        self, small_disk: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tag.tournaments.ledger.folder._LEDGER_BYTES", 0)
        assert tag(small_disk / "t", "--blocks", 2).exit_code == 0
        before = contents(small_disk)
        fill = small_disk / "fill"
        with pytest.raises(OSError, match="No space left"), fill.open("wb") as file:
            file.write(bytes(1 << 20))
        result = tag(small_disk / "t", "--blocks", 200)
        assert result.exit_code == 2
        assert "No space left on device" in result.stderr or "has 0.0 MB free" in result.stderr
        assert result.stderr.count("\n") == 1
        fill.unlink()
        assert contents(small_disk) == before
        assert tag(small_disk / "t", "--blocks", 200).exit_code == 0

    def test_what_more_blocks_need_is_asked_for_before_they_are_noted(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert tag(tmp_path / "t", "--blocks", 2).exit_code == 0
        before = contents(tmp_path)
        monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=1 << 20))
        result = tag(tmp_path / "t", "--blocks", 5000)
        assert result.exit_code == 2
        assert "has 1.0 MB free, and the ledger may take 1.2 MB; make room" in result.stderr
        assert contents(tmp_path) == before
        assert tag(tmp_path / "t", "--blocks", 2).exit_code == 0

    def test_what_a_resumption_needs_is_asked_for_before_it_plays(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert tag(tmp_path / "t", "--blocks", 2).exit_code == 0
        for shard in (tmp_path / "t" / "ledger").iterdir():
            shard.unlink()
        monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=1 << 20))
        result = tag(tmp_path / "t", "--blocks", 2)
        assert result.exit_code == 2
        assert "has 1.0 MB free, and the ledger may take 1.0 MB; make room" in result.stderr
        assert list((tmp_path / "t" / "ledger").iterdir()) == []

    def test_what_nobody_has_foreseen_is_a_sentence_too(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def broken(folder: Path) -> None:
            raise OSError(5, "Input/output error", str(folder))

        monkeypatch.setattr("tag.tournaments.results.tournament.read_results", broken)
        assert_refused(run_tag("results", tmp_path), f"Input/output error: {str(tmp_path)!r}")


class TestNodes:
    @pytest.mark.parametrize("full", [False, True])
    def test_a_folder_for_ray_that_cannot_be_written_to(
        self, small_disk: Path, tmp_path: Path, full: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("RAY_TMPDIR", str(small_disk))
        monkeypatch.setenv("RAY_AUTH_TOKEN_PATH", str(tmp_path / "token"))
        (small_disk / f"tag-{os.getuid()}").mkdir(mode=0o700)
        if full:
            with pytest.raises(OSError, match="No space left"), (small_disk / "fill").open("wb") as file:
                file.write(bytes(1 << 20))
        else:
            subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        result = run_tag("cluster", "start", "--port", port)
        reason = "No space left on device" if full else "Read-only file system"
        base = str(small_disk / f"tag-{os.getuid()}")
        assert_refused(result, f"Ray cannot write to {base!r}: {reason}; name another folder with RAY_TMPDIR")
        assert list(Path(base).iterdir()) == []

    def test_a_folder_for_ray_below_a_file(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "file").write_text("mine")
        monkeypatch.setenv("RAY_TMPDIR", str(tmp_path / "file"))
        monkeypatch.setenv("RAY_AUTH_TOKEN_PATH", str(tmp_path / "token"))
        base = str(tmp_path / "file" / f"tag-{os.getuid()}")
        refusal = f"Ray cannot write to {base!r}: Not a directory; name another folder with RAY_TMPDIR"
        assert_refused(run_tag("cluster", "start", "--port", 1), refusal)


class TestIsolation:
    @pytest.mark.parametrize(
        ("options", "sentence"),
        [
            (("--memory-mb", 512), "memory_mb is for agents in processes of their own; add --isolate"),
            (("--hang-seconds", 5), "hang_seconds is for agents in processes of their own; add --isolate"),
            (("--on-crash", "void"), "on_crash is for agents in processes of their own; add --isolate"),
            (("--on-hang", "void"), "on_hang is for agents in processes of their own; add --isolate"),
            (("--isolate", "--memory-mb", 10), "memory_mb cannot be 10; the least is 64, or 0 for none"),
            (("--isolate", "--memory-mb", -1), "memory_mb cannot be -1; the least is 64, or 0 for none"),
            (
                ("--isolate", "--hang-seconds", 1, "--decision-seconds", 2),
                "hang_seconds cannot be 1; it has to be more than decision_seconds, 2",
            ),
            (
                ("--isolate", "--hang-seconds", 0),
                "hang_seconds cannot be 0; it has to be more than decision_seconds, 0",
            ),
        ],
    )
    def test_limits_that_make_no_sense(self, tmp_path: Path, options: tuple[object, ...], sentence: str) -> None:
        assert_refused(tag(tmp_path / "t", *options), sentence)
        assert list(tmp_path.iterdir()) == []

    def test_a_platform_without_limits_on_memory(self, monkeypatch: pytest.MonkeyPatch) -> None:
        Rules(isolate=True).check()
        monkeypatch.setattr(sys, "platform", "darwin")
        Rules(isolate=True).check()
        with pytest.raises(TagError, match="memory_mb cannot be 512 on darwin, which has no such limit"):
            Rules(isolate=True, memory_mb=512).check()

    def test_it_is_said_on_the_command_line_and_kept(self, tmp_path: Path) -> None:
        file = tmp_path / "my.toml"
        file.write_text(
            'game = "tic_tac_toe"\nagents = ["random", "random"]\nblocks = 1\nworkers = 1\ntracking = false\n'
            'isolate = true\nhang_seconds = 30\non_crash = "void"\n'
        )
        result = run_tag("tournament", file, "--out", tmp_path / "t", "--quiet")
        assert result.exit_code == 0, result.output
        again = tag(tmp_path / "t", "--blocks", 1)
        assert "isolate is True there, not False" in again.stderr
        assert (
            tag(tmp_path / "t", "--blocks", 1, "--isolate", "--hang-seconds", 30, "--on-crash", "void").exit_code == 0
        )
