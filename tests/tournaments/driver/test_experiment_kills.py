"""Experiments that are killed, again and again, also while they are extended, end with the bytes of an undisturbed run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from families import family

from tag.catalogue.version import is_compiled
from tag.engine.rng import Rng
from tag.tournaments.ledger.experiment import read_experiment
from tag.tournaments.results.experiment import read_experiment_results

pytestmark = pytest.mark.system

#: They take so long that each event can be ended before its end; half of it for kills whose moment is known.
STORMY, SLOW = (f"mcts:budget={budget if is_compiled() else budget // 8}" for budget in (2_000, 1_000))
GAMES = ("connect_four", "dots_and_boxes", "--players", "2,3", "--seed", "4", "--blocks", "4")
TWO = ("--agent", SLOW, "--agent", "random")
THIRD = ("--agent", "osla")
#: ``tag`` that plays and writes little at a time: else an idle machine has played all when the first games are written.
HASTY = """
from tag.cli import main
from tag.tournaments.driver import batches, driver
batches._AIM = driver._FLUSH_SECONDS = 0.05
main(prog_name="tag")
"""
#: In seconds; a busy machine takes long.
PATIENCE = 600.0


def started(*words: object, workers: int = 1) -> subprocess.Popen[str]:
    paths = os.pathsep.join(os.path.abspath(entry) for entry in sys.path)  # noqa: PTH100  "" is the working directory
    command = [sys.executable, "-P", "-c", HASTY, "tournament", *map(str, words)]
    return subprocess.Popen(
        [*command, "--workers", str(workers), "--no-tracking", "--quiet"],
        env={**os.environ, "PYTHONPATH": paths},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def finished(process: subprocess.Popen[str]) -> None:
    try:
        _output, errors = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert process.returncode == 0, errors


def shards(out: Path) -> set[str]:
    return {f"{path.parent.parent.name}/{path.name}" for path in out.glob("*/ledger/games-*.parquet")}


def killed_in(event: str, out: Path, *words: object) -> None:
    """Run the command and kill its process once it has written games to an event."""
    before, process, end = shards(out), started(*words), time.monotonic() + PATIENCE
    while not any(name.startswith(event) for name in shards(out) - before):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.01)
    process.kill()
    process.communicate()


def contents(out: Path) -> dict[str, bytes]:
    """Return the ledgers of games."""
    return {name: (out / name.replace("/", "/ledger/", 1)).read_bytes() for name in shards(out)}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("undisturbed") / "run"
    finished(started(*GAMES, *TWO, *THIRD, "--out", out))
    return out


def check_same(out: Path, undisturbed: Path) -> None:
    found, expected = read_experiment_results(out), read_experiment_results(undisturbed)
    assert found.complete
    assert found.overall == expected.overall
    assert contents(out) == contents(undisturbed)
    assert read_experiment(out) == read_experiment(undisturbed)
    assert not list(out.rglob("*.tmp"))


def test_killed_in_each_event_and_while_it_is_extended(tmp_path: Path, undisturbed: Path) -> None:
    out = tmp_path / "run"
    begin = (*GAMES, *TWO, "--out", out)
    killed_in("connect_four-2p", out, *begin)
    killed_in("dots_and_boxes-3p", out, *begin)
    killed_in("connect_four-2p", out, out, "--extend", *THIRD)  # also games of the first two may be missing still
    killed_in("dots_and_boxes-2p", out, out)
    finished(started(out))
    check_same(out, undisturbed)


def is_extended(out: Path) -> bool:
    manifest = out / "experiment.json"
    return manifest.exists() and len(next(iter(read_experiment(out).events.values())).agents) == 3


#: Kills of a storm at least; by workers, the greatest pause before the next, in seconds, and the blocks that fill the time.
KILLS = 12
PAUSES = {1: 3.0, 2: 8.0}
BLOCKS = {1: "8", 2: "60"}


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_a_storm_of_kills_leaves_the_same_bytes(workers: int, tmp_path: Path) -> None:
    """Of the driver, and with two workers also of these, at random moments; once two agents have played, a third comes."""
    out, rng, kills, is_first = tmp_path / "run", Rng(workers), 0, True
    games, two = (*GAMES[:-1], BLOCKS[workers]), ("--agent", STORMY, *TWO[2:])
    while kills < KILLS or not is_extended(out):
        extension = (out,) if is_extended(out) else (out, "--extend", *THIRD)
        process = started(*((*games, *two, "--out", out) if is_first else extension), workers=workers)
        for victim in ("worker", "driver") if workers > 1 and rng.below(2) else ("driver",):
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.5 + rng.uniform() * PAUSES[workers])
            of_ray = [one.pid for one in family(process.pid) if one.name.startswith("ray::Worker")]
            if victim == "worker" and of_ray:
                os.kill(of_ray[rng.below(len(of_ray))], signal.SIGKILL)
                kills += 1
            elif victim == "driver" and process.poll() is None:
                process.kill()
                kills += 1
        process.communicate()
        if process.returncode == 0 and not is_first:
            break
        is_first = is_first and process.returncode != 0 and kills < KILLS // 2
        if not is_first and not is_extended(out):
            finished(started(*games, *two, "--out", out, workers=workers))
    for words in ((out,),) if is_extended(out) else ((out, "--extend", *THIRD),):
        finished(started(*words, workers=workers))
    finished(started(*games, *two, *THIRD, "--out", tmp_path / "whole"))
    check_same(out, tmp_path / "whole")
    assert kills >= KILLS // 2
    sys.stdout.write(f"{kills} kills on {workers} workers\n")
