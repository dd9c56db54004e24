"""What cannot work in a study is refused in one sentence, before anything is played or written."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from commands import run_tag
from studies.invented import Invented

from tag.errors import DataError
from tag.tournaments.ledger.storage import locked
from tag.tuning.agent.defining import define_study
from tag.tuning.run import run_study

pytestmark = pytest.mark.flow

BASE: dict[str, Any] = {"game": "tic_tac_toe", "versus": "osla", "games": 200, "validation": 100}


def command(out: Path, agent: object = "rmhc", **options: object) -> Result:
    words = [
        f"--{name.replace('_', '-')}={one}"
        for name, value in (BASE | options).items()
        for one in (value if isinstance(value, list) else [value])
        if one is not None
    ]
    return run_tag("tune", agent, *words, f"--out={out}", "--workers=1", "--quiet")


def assert_refused(result: Result, sentence: str) -> None:
    assert result.stderr == f"tag: {sentence}\n"
    assert result.exit_code == 2
    assert result.stdout == ""


def played(out: Path, **options: Any) -> Path:
    """Return the folder of a small study with invented games."""
    said = {**BASE, "versus": ("osla",), "search": ("horizon=2..12",), "games": 40, "games_per_trial": 20} | options
    run_study(define_study("rmhc", said.pop("game"), **said), out, tracking=False, workers=Invented())
    return out


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.name != ".lock"}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"search": "horizn"}, "no parameter of rmhc named 'horizn'; did you mean 'horizon'?"),
        ({"search": "horizon=9..2"}, "horizon cannot be searched in '9..2', which is inverted; did you mean '2..9'?"),
        ({"search": "horizon=0..3"}, "horizon cannot be 0; the range is 1..30, the nearest value 1"),
        ({"search": "horizon="}, "horizon= names no values; its range is 1..30"),
        ({"search": "opponent"}, "opponent cannot be searched; there is nothing to tune in 'random'"),
        ({"agent": "random"}, "nothing of random is left to search; it has no parameters"),
        ({"agent": "rmch"}, "no agent named 'rmch'; did you mean 'rmhc'?"),
        ({"agent": "rmhc:hroizon=3"}, "rmhc: no parameter named 'hroizon'; did you mean 'horizon'?"),
        ({"versus": "oslaa"}, "no agent named 'oslaa'; did you mean 'osla'?"),
        ({"versus": "incumbant"}, "no agent named 'incumbant'; did you mean 'incumbent'?"),
        ({"versus": ["osla", "random", "osla"]}, "versus cannot name 'osla' twice"),
        ({"versus": ["osla", "osla:budget=0"]}, "versus cannot name 'osla' twice"),
        ({"held_out": ["random", "random"]}, "held_out cannot name 'random' twice"),
        ({"held_out": "osla"}, "held_out cannot be 'osla', an opponent of the search; name another"),
        ({"held_out": "rmhc", "versus": None}, "held_out cannot be 'rmhc', an opponent of the search; name another"),
        ({"held_out": "randm"}, "no agent named 'randm'; did you mean 'random'?"),
        ({"enqueue": "rmhc:horizon=99"}, "rmhc: horizon cannot be 99; the range is 1..30, the nearest value 30"),
        ({"enqueue": "rhea"}, "no agent in this search space named 'rhea'; did you mean 'rmhc'?"),
        ({"game": None}, "a study needs a game; name it with --game"),
        ({"game": "tictactoe"}, "no game named 'tictactoe'; did you mean 'tic_tac_toe'?"),
        ({"players": 5}, "Tic-tac-toe is for 2 players, not 5; the nearest number is 2"),
        ({"players": 0}, "players cannot be 0; the least is 1"),
        ({"objective": "ordnal"}, "no objective named 'ordnal'; did you mean 'ordinal'?"),
        (
            {"objective": "success"},
            "objective cannot be 'success' in a game that some win and others lose; take 'win_rate'",
        ),
        (
            {"game": "pandemic", "objective": "points"},
            "objective cannot be 'points' in a co-operative game, where all share it; take 'success'",
        ),
        ({"objective": "score"}, "objective cannot be 'score' in a game that counts no points; take 'points'"),
        ({"sampler": "bpg"}, "no sampler named 'bpg'; did you mean 'bgp'?"),
        ({"metric": "leed"}, "no metric named 'leed'; did you mean 'lead'?"),
        ({"games": None}, "a study needs a budget; say how many games with --games"),
        ({"games": -5}, "games cannot be -5; the least is 1"),
        ({"games_per_trial": 0}, "games_per_trial cannot be 0; the least is 1"),
        ({"games_per_trial": -4}, "games_per_trial cannot be -4; the least is 1"),
        ({"games_per_trial": 300}, "games cannot be 200; one configuration plays 300"),
        (
            {"games": 100_000, "games_per_trial": 1},
            "games_per_trial cannot be 1 with so many games; the least is 4, for a ledger has room for 32,000 "
            "configurations",
        ),
        ({"live": 0}, "live cannot be 0; the least is 1"),
        ({"live": -1}, "live cannot be -1; the least is 1"),
        ({"decision_ms_limit": "nan"}, "--decision-ms-limit cannot be nan; it is a finite number"),
        ({"decision_ms_limit": "inf"}, "--decision-ms-limit cannot be inf; it is a finite number"),
        ({"validation": -1}, "validation cannot be -1; the least is 1, or 0 for none"),
        ({"validation": 3}, "validation cannot be 3; the least is 20, or 0 for none"),
        (
            {"validation": 0, "held_out": "random"},
            "validation cannot be 0 with opponents held out, who are met only then; the least is 20",
        ),
        (
            {"validation": 20, "held_out": ["random", "mcts"]},
            "validation cannot be 20 with opponents held out, who are met only then; the least is 40",
        ),
    ],
    ids=str,
)
def test_what_is_wrong_is_said(options: dict[str, Any], sentence: str, tmp_path: Path) -> None:
    assert_refused(command(tmp_path / "s", **options), sentence)
    assert list(tmp_path.iterdir()) == []


def test_files_of_the_users(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def good(games, seats):\n    return 1.0\n")
    missing, nothing = tmp_path / "none.py", tmp_path / "mine.py"
    assert_refused(
        command(tmp_path / "s", objective=f"{missing}:f"), f"cannot read {str(missing)!r}: No such file or directory"
    )
    result = command(tmp_path / "s", objective=f"{nothing}:bad")
    assert result.exit_code == 2
    assert result.stderr.startswith("tag: ")
    assert "'bad'" in result.stderr
    assert result.stderr.count("\n") == 1
    assert not (tmp_path / "s").exists()


class TestFolder:
    """A study goes on in its own folder only, and says what is different there."""

    @pytest.mark.parametrize(
        ("options", "difference"),
        [
            ({"search": "horizon=2..20"}, "horizon"),
            ({"search": "horizon=2..12,discount"}, "discount"),
            ({"agent": "rmhc:discount=0.7"}, "discount"),
            ({"versus": "random"}, "versus is osla there, not random"),
            ({"seed": 2}, "seed is 1 there, not 2"),
            ({"objective": "points"}, 'objective is "win_rate" there, not "points"'),
            ({"games_per_trial": 10}, "games_per_trial is 20 there, not 10"),
            ({"live": 4}, "live is 1 there, not 4"),
            ({"games": 20}, "games is 40 there and can only grow, not shrink to 20"),
        ],
        ids=str,
    )
    def test_another_study(self, options: dict[str, Any], difference: str, tmp_path: Path) -> None:
        out = played(tmp_path / "s")
        before = contents(out)
        same = {"search": "horizon=2..12", "games": 40, "games_per_trial": 20}
        result = command(out, **(same | options))
        assert result.exit_code == 2
        assert result.stderr.startswith(f"tag: {str(out)!r} holds another study: ")
        assert difference in result.stderr
        assert result.stderr.endswith("; name a new folder with --out\n")
        assert result.stderr.count("\n") == 1
        assert contents(out) == before

    def test_self_play_with_another_budget(self, tmp_path: Path) -> None:
        """Who plays in a generation follows from the budget of the one before."""
        played(tmp_path, versus=("incumbent",), games=160)
        options = {"versus": "incumbent", "search": "horizon=2..12", "games": 320, "games_per_trial": 20}
        result = command(tmp_path, **options)
        assert "games is 160 there and cannot be 320, as opponents in self-play follow from it" in result.stderr

    def test_a_tournament(self, tmp_path: Path) -> None:
        (tmp_path / "tournament.json").write_text("{}")
        sentence = f"{str(tmp_path)!r} is not empty and holds no study; name a new folder with --out"
        assert_refused(command(tmp_path), sentence)
        assert list(tmp_path.iterdir()) == [tmp_path / "tournament.json"]

    def test_one_in_use(self, tmp_path: Path) -> None:
        out = played(tmp_path / "s")
        before = contents(out)
        with locked(out / ".lock"):
            result = command(out, search="horizon=2..12", games=60, games_per_trial=20)
        assert_refused(result, f"another process is at work on {str(out)!r}; wait for it, or stop it")
        assert contents(out) == before

    def test_one_that_is_damaged(self, tmp_path: Path) -> None:
        out = played(tmp_path / "s")
        (out / "study.json").write_text("{")
        for result in (command(out), run_tag("tune", "show", out)):
            assert result.exit_code == 2
            assert result.stderr.startswith(f"tag: {str(out / 'study.json')!r} is damaged: ")

    def test_what_cannot_be_changed_in_it(self, tmp_path: Path) -> None:
        out = played(tmp_path / "s")
        result = run_tag("tune", out, "--seed", "2", "--quiet")
        assert_refused(result, f"{str(out)!r} holds a study already; its seed cannot be changed")

    @pytest.mark.parametrize("has_trials", [True, False])
    def test_a_warm_start_that_knows_nothing_of_the_space(self, has_trials: bool, tmp_path: Path) -> None:
        earlier = played(tmp_path / "earlier", search=("horizon=2..5",))
        if not has_trials:
            (earlier / "trials.parquet").unlink()  # as in a study that has just begun
        result = command(tmp_path / "s", search="horizon=20..30", warm_start=earlier)
        assert_refused(result, f"warm_start cannot be {str(earlier)!r}: none of its trials lies in this search space")
        assert not (tmp_path / "s").exists()

    def test_none_at_all(self, tmp_path: Path) -> None:
        result = run_tag("tune", "show", tmp_path)
        assert_refused(result, f"{str(tmp_path)!r} holds no study: it has no study.json")


class TestToml:
    @pytest.mark.parametrize(
        ("text", "sentence"),
        [
            ('agents = ["rmhc"\n', "is not TOML"),
            ('agents = ["rmhc"]\ngmae = "tic_tac_toe"\n', "'gmae'"),
            ('agents = ["rmhc"]\ngame = "tic_tac_toe"\ngames = "many"\n', "games"),
            (
                'agents = ["rmhc"]\ngame = "tic_tac_toe"\ngames = 40\nheld_out = ["osla"]\nvalidation = 0\n',
                "validation cannot be 0 with opponents held out",
            ),
        ],
    )
    def test_what_is_wrong_in_it(self, text: str, sentence: str, tmp_path: Path) -> None:
        file = tmp_path / "study.toml"
        file.write_text(text)
        result = run_tag("tune", file, f"--out={tmp_path / 's'}", "--quiet")
        assert result.exit_code == 2
        assert sentence in result.stderr
        assert result.stderr.startswith("tag: ")
        assert not (tmp_path / "s").exists()

    def test_the_nearest_word(self, tmp_path: Path) -> None:
        file = tmp_path / "study.toml"
        file.write_text('agents = ["rmhc"]\ngmae = "tic_tac_toe"\n')
        result = run_tag("tune", file, "--quiet")
        assert "did you mean 'game'?" in result.stderr


class TestStorage:
    def test_a_folder_that_cannot_be_written_to(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        access = os.access
        monkeypatch.setattr(os, "access", lambda path, mode: path != tmp_path and access(path, mode))
        sentence = f"nothing can be written to {str(tmp_path)!r}; name another folder with --out"
        assert_refused(command(tmp_path / "s"), sentence)
        assert list(tmp_path.iterdir()) == []

    @pytest.fixture
    def small_disk(self, tmp_path: Path) -> Iterator[Path]:
        """A disk of 4 MB, where this process may mount one."""
        disk = tmp_path / "disk"
        disk.mkdir()
        mount = shutil.which("mount")
        words = [mount or "mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(disk)]
        if (
            sys.platform != "linux"
            or mount is None
            or subprocess.run(words, capture_output=True, check=False).returncode
        ):
            pytest.skip("needs to mount a disk")
        yield disk
        subprocess.run(["umount", str(disk)], check=True)

    def test_no_room(self, small_disk: Path) -> None:
        result = command(small_disk / "s", games=1_000_000)
        assert result.exit_code == 2
        assert result.stderr.startswith(f"tag: {str(small_disk)!r} has 4.0 MB free, and the ledger may take ")
        assert list(small_disk.iterdir()) == []

    def test_a_disk_that_fills_up(self, small_disk: Path) -> None:
        """What was written before is kept, and the same command goes on with it."""

        def fill(games: int) -> None:
            if games > 200 and not (small_disk / "more").exists():
                with (small_disk / "more").open("wb") as file:
                    file.write(bytes(shutil.disk_usage(small_disk).free))

        pool = Invented()
        pool.before_each = fill
        definition = define_study("rmhc", "tic_tac_toe", games=600, games_per_trial=20, validation=100)
        with pytest.raises(DataError, match="No space left on device; what is there is kept"):
            run_study(definition, small_disk / "s", tracking=False, workers=pool)
        (small_disk / "more").unlink()
        again = Invented()
        assert run_study(definition, small_disk / "s", tracking=False, workers=again).complete
        assert len(again.games.keys() - pool.games.keys()) < len(again.games)
