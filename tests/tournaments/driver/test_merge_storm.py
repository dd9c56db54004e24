"""SIGKILLs at random moments: of the processes that play parts, and of those that merge them, until all is whole."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import pytest

from tag.catalogue.version import is_compiled
from tag.engine.rng import Rng
from tag.tournaments.ledger.games import content_hash, read_ledger
from tag.tournaments.results.kept import KEPT

pytestmark = [pytest.mark.slow, pytest.mark.system]

PARTS: Final = 3
#: So often is each part killed, and the merge.
KILLS: Final = 6
MERGE_KILLS: Final = 40
#: It takes so long that it can be killed before its end.
MCTS = f"mcts:budget={8_000 if is_compiled() else 1_000}"
GAME = ("tournament", "connect_four", "--agent", MCTS, "--agent", "osla", "--agent", "random", "--blocks", "20")
OPTIONS = ("--seed", "4", "--opening", "random:2", "--metric", "lead", "--record-actions", "--no-tracking", "--quiet")
#: ``tag`` that plays and writes little at a time.
HASTY = """
from tag.cli import main
from tag.tournaments.driver import batches, driver
batches._AIM = driver._FLUSH_SECONDS = 0.05
main(prog_name="tag")
"""


def tag(*words: object) -> subprocess.Popen[str]:
    paths = os.pathsep.join(os.path.abspath(entry) for entry in sys.path)  # noqa: PTH100  "" is the working directory
    return subprocess.Popen(
        [sys.executable, "-P", "-c", HASTY, *map(str, words)],
        env={**os.environ, "PYTHONPATH": paths},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(process: subprocess.Popen[str]) -> float:
    """Wait until a process has ended well, and return how long it took."""
    begin = time.monotonic()
    _output, errors = process.communicate(timeout=600)
    assert process.returncode == 0, errors
    return time.monotonic() - begin


def contents(folder: Path) -> dict[str, bytes]:
    """Return all files in a folder, without the results that are kept of it, which are made again where they are missing."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != KEPT)
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def killed(process: subprocess.Popen[str], seconds: float) -> bool:
    """Kill a process after so long; return whether it had not ended by itself."""
    time.sleep(seconds)
    process.kill()
    _output, errors = process.communicate()
    assert process.returncode in (0, -signal.SIGKILL), errors
    return process.returncode != 0


@pytest.mark.parametrize("workers", [1, 2])
def test_parts_and_merges_that_are_killed_are_one_run_in_the_end(workers: int, tmp_path: Path) -> None:
    rng = Rng(workers)
    ended(tag(*GAME, *OPTIONS, "--workers", 1, "--out", tmp_path / "one"))
    folders = [tmp_path / f"part{number}" for number in range(1, PARTS + 1)]
    kills = 0
    for number, folder in enumerate(folders, start=1):
        words = (*GAME, *OPTIONS, "--workers", workers, "--part", f"{number}/{PARTS}", "--out", folder)
        for _kill in range(KILLS):
            process = tag(*words)
            end = time.monotonic() + 60.0
            known = len(list(folder.glob("ledger/games-*")))
            while len(list(folder.glob("ledger/games-*"))) == known and process.poll() is None:
                assert time.monotonic() < end
                time.sleep(0.01)
            kills += killed(process, 0.4 * rng.uniform())
        ended(tag(*words))
    before = [contents(folder) for folder in folders]
    merge = ("merge", *folders, "--no-tracking", "--out")
    usual = ended(tag(*merge, tmp_path / "undisturbed"))
    merge_kills, left_behind, out, wholes = 0, 0, tmp_path / "whole", list[Path]()
    for number in range(MERGE_KILLS):
        if out.exists():  # it was killed after its end, or had ended
            wholes.append(out)
            out = tmp_path / f"whole{number}"
        merge_kills += killed(tag(*merge, out), usual * (0.3 + 0.7 * rng.uniform()))
        left_behind += (tmp_path / f".{out.name}.new").exists()
        if out.exists():
            assert content_hash(out) == content_hash(tmp_path / "one")
            assert contents(out).keys() == contents(tmp_path / "undisturbed").keys()
        assert [contents(folder) for folder in folders] == before
    sys.stdout.write(
        f"{kills} kills of parts, {merge_kills} of merges; {left_behind} left a hidden folder, {len(wholes)} a whole\n"
    )
    assert kills >= KILLS
    assert merge_kills >= MERGE_KILLS / 2
    assert left_behind >= 1
    if not out.exists():
        ended(tag(*merge, out))
    for whole in [*wholes, out]:
        assert not (tmp_path / f".{whole.name}.new").exists()
        ledgers = (contents(folder) for folder in (whole, tmp_path / "one"))
        found, expected = ({name: text for name, text in one.items() if "games-" in name} for one in ledgers)
        assert found == expected
        games, _seats = read_ledger(whole)
        assert games["game_id"].is_unique
        assert len(games) == 20 * 3 * 2
