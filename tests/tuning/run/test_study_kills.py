"""Whatever is killed at whatever time, a study that is begun again comes to the same as an undisturbed one."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

import pandas as pd
import pyarrow.parquet as pq
import pytest
from families import Process, family

from tag.engine.rng import Rng
from tag.tournaments.ledger.games import content_hash, read_ledger

pytestmark = [pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc"), pytest.mark.flow]

STAGES = ("search", "reversion", "validation", "held_out", "portfolio")
SEED = 5
#: In seconds: a machine of two cores takes minutes, a busy one much longer.
PATIENCE = 3600.0
#: Every third kill comes within so many seconds of the one before, also while all starts anew.
SOON = 8.0
#: How often a machine may be too busy for Ray, which gives up after half a minute; the same command goes on then, too.
TOO_BUSY = 5
NO_RAY = "tag: Ray does not start on this machine: The current node timed out during startup"
#: Of one step ahead, longer horizons are so much better that changes are kept, and validated.
STUDY = [
    "rmhc:budget=40,horizon=1",
    "--game",
    "tic_tac_toe",
    "--versus",
    "osla",
    "--search",
    "horizon,discount",
    "--sampler",
    "ntbea",
]
SMALL = [*STUDY, "--games", "400", "--games-per-trial", "20", "--validation", "200", "--no-tracking"]
#: Half a minute of two workers, and as often as these are killed the time in which they start.
LONG = ["--games", "6000", "--validation", "1500"]
LARGE = [*STUDY, *LONG, "--held-out", "random", "--games-per-trial", "40"]
LARGE[0] = "rmhc:budget=120,horizon=1"
#: One agent for three games, one of which has three players, and one game held out.
OVER_GAMES = [*("--game", "love_letter:players=3", "--game", "nim"), *("--held-out", "connect_four:width=5,height=5")]
SMALL_OVER_GAMES = [*STUDY, *OVER_GAMES, "--games", "400", "--validation", "200", "--portfolio", "2", "--no-tracking"]
LARGE_OVER_GAMES = [*LARGE[: len(STUDY)], *LONG, *OVER_GAMES, "--games-per-trial", "56", "--portfolio", "2"]


class Run:
    """A study as a user runs it, begun again with the same command whenever it ends before it is complete.

    Attributes:
        out: its folder.
        ends: how often the driver ended, by exit code.
    """

    def __init__(self, out: Path, study: list[str], workers: int) -> None:
        self.out = out
        self.ends: Counter[int] = Counter()
        self._command = [*study, "--workers", str(workers), "--quiet", "--out", str(out)]
        self._log = out.with_suffix(".log")
        self._seen: set[Process] = set()
        self._end = time.monotonic() + PATIENCE
        self._start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        """Leave nothing running, also where the test has failed."""
        self._driver.kill()
        self._driver.wait()

    @property
    def games(self) -> int:
        """The games in the ledgers."""
        found = 0
        for shard in self.out.glob("*/ledger/games-*.parquet"):
            with suppress(FileNotFoundError):  # merged into another meanwhile
                found += pq.read_metadata(shard).num_rows
        return found

    @property
    def is_complete(self) -> bool:
        """Whether the command has ended well; begins it again if it has ended otherwise."""
        assert time.monotonic() < self._end, self.ends
        code = self._driver.poll()
        if code is None:
            self._seen.update(family(self._driver.pid))
            return False
        self.ends[code] += 1
        said = self._log.read_text(errors="replace")
        assert code in (0, -signal.SIGKILL) or (said.startswith(NO_RAY) and self.ends[code] <= TOO_BUSY), said
        if code:
            self._start()
        return not code

    def kill(self, kind: str, rng: Rng) -> bool:
        """Kill the driver or one of its workers, as soon as there is one; say whether there was one before the end."""
        while not self.is_complete:
            if kind == "driver":
                self._driver.kill()
                self._driver.wait()
                return True
            workers = sorted(one for one in family(self._driver.pid) if one.name.startswith("ray::Worker"))
            if workers:
                with suppress(ProcessLookupError):  # it has just ended by itself
                    os.kill(workers[rng.below(len(workers))].pid, signal.SIGKILL)
                    return True
            time.sleep(0.05)
        return False

    def finish(self) -> None:
        """Wait until all is played."""
        while not self.is_complete:
            time.sleep(0.1)

    def survivors(self) -> list[Process]:
        """Return the processes of all drivers that do not end within two minutes: a busy machine takes one."""
        end = time.monotonic() + 120.0
        while (left := [process for process in self._seen if process.lives]) and time.monotonic() < end:
            time.sleep(0.5)
        return left

    def _start(self) -> None:
        paths = os.pathsep.join(os.path.abspath(entry) for entry in sys.path)  # noqa: PTH100  "" is the working directory
        with self._log.open("wb") as log:
            self._driver = subprocess.Popen(
                [sys.executable, "-P", "-m", "tag", "tune", *self._command],
                env={**os.environ, "PYTHONPATH": paths, "OPENBLAS_NUM_THREADS": "1"},
                stdout=subprocess.DEVNULL,
                stderr=log,
            )


def outcome(out: Path) -> dict[str, Any]:
    """Return all that a study comes to, but for its id and for what it took of time, which no two runs share."""
    recommended = json.loads((out / "recommendation.json").read_text())
    del recommended["study"]["id"], recommended["decision_cpu_ms"], recommended["equal_time"]
    recommended["sentence"] = recommended["sentence"].partition(". It takes")[0]
    tables = {name: pd.read_parquet(out / f"{name}.parquet").to_json() for name in ("trials", "incumbents")}
    stages = [stage for stage in STAGES if (out / stage).is_dir()]
    return {**recommended, **tables, **{stage: (recommended.get(stage), content_hash(out / stage)) for stage in stages}}


def check(out: Path, undisturbed: Path) -> None:
    """The study in ``out`` has come to the same, with no game lost or twice, and nothing left behind."""
    assert outcome(out) == outcome(undisturbed)
    games, _seats = read_ledger(out / "search")
    trials = pd.read_parquet(out / "trials.parquet")
    assert games["game_id"].is_unique
    assert len(games) == trials["games"].sum()
    assert set(trials["state"]) <= {"complete", "dropped"}
    assert sorted(trials["number"]) == list(range(len(trials)))  # none is left running
    for stage in STAGES:
        ledgers = [sorted((folder / stage / "ledger").glob("games-*")) for folder in (out, undisturbed)]
        assert [path.name for path in ledgers[0]] == [path.name for path in ledgers[1]]
    assert not list(out.rglob("*.tmp"))


def play(out: Path, study: list[str]) -> Path:
    with Run(out, study, workers=1) as run:
        run.finish()
        assert run.ends == {0: 1}
    return out


@pytest.mark.system
@pytest.mark.parametrize("study", [SMALL, SMALL_OVER_GAMES], ids=["one game", "three games"])
def test_a_driver_that_plays_itself_is_killed_twice(study: list[str], tmp_path: Path) -> None:
    undisturbed = play(tmp_path / "undisturbed", study)
    with Run(tmp_path / "killed", study, workers=1) as run:
        for moment in (60, 300):
            while run.games < moment:
                assert not run.is_complete
                time.sleep(0.02)
            assert run.kill("driver", Rng(SEED))
        run.finish()
        assert run.ends == {-signal.SIGKILL: 2, 0: 1}
    check(run.out, undisturbed)


@pytest.fixture(scope="module", params=[LARGE, LARGE_OVER_GAMES], ids=["one game", "three games"])
def large(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], Path]:
    """A study, and the folder in which it was played undisturbed."""
    return request.param, play(tmp_path_factory.mktemp("large") / "undisturbed", request.param)


@pytest.mark.slow
@pytest.mark.system
@pytest.mark.parametrize("workers", [1, 2, 4])
def test_twenty_drivers_and_twenty_workers_are_killed(
    workers: int, large: tuple[list[str], Path], tmp_path: Path
) -> None:
    """One worker alone is the driver itself: without Ray there is no other process, and forty drivers are killed."""
    rng, (study, undisturbed) = Rng(SEED + workers), large
    kinds = ["driver", "driver" if workers == 1 else "worker"] * 20
    rng.shuffle(kinds)
    total = sum(len(read_ledger(undisturbed / stage)[0]) for stage in STAGES if (undisturbed / stage).is_dir())
    moments = sorted(rng.below(int(0.95 * total)) for _kind in kinds)
    begin, killed = time.monotonic(), Counter[str]()
    with Run(tmp_path / "killed", study, workers) as run:
        for kind, moment in zip(kinds, moments, strict=True):
            soon = time.monotonic() + (SOON * rng.uniform() if rng.below(3) == 0 else PATIENCE)
            while run.games < moment and time.monotonic() < soon:
                assert not run.is_complete
                time.sleep(0.1)
            killed[kind] += run.kill(kind, rng)
        run.finish()
        assert run.survivors() == []
    sys.stdout.write(
        f"{workers} workers, killed {dict(killed)} in {time.monotonic() - begin:.0f} s: {dict(run.ends)}\n"
    )
    assert sum(killed.values()) == 40
    check(run.out, undisturbed)
