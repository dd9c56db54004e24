"""Fifty SIGKILLs at random, and more: of the driver, its workers, and Ray's own processes, until all is played."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Self

import pyarrow.parquet as pq
import pytest
from families import Process, family

from tag.engine.rng import Rng
from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.ledger.folder import read_manifest
from tag.tournaments.ledger.games import content_hash, read_ledger

pytestmark = [
    pytest.mark.slow,
    pytest.mark.system,
    pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc"),
]

AGENTS = (
    *("random", "osla", "rmhc:budget=60", "rhea:budget=60"),
    *("mcts:budget=60", "mcts:budget=60,k=0.5", "mcts:budget=120", "osla"),
)
BLOCKS = 1250
GAMES = 10_000
SEED = 4
#: Each of them so often, in an order drawn at random.
KILLS_OF_A_KIND = 17
#: How the processes of each kind are called; the driver's own is known.
NAMES = {"worker": ("ray::Worker",), "Ray": ("raylet", "gcs_server")}
KINDS = ("driver", *NAMES)
#: Every third kill comes within so many seconds of the one before, also while all starts anew.
SOON = 8.0
#: The last kills come before this share of the games is there.
LATEST = 0.85
#: In seconds: a machine of two cores takes eleven minutes, a busy one much longer.
PATIENCE = 7200.0


def command(out: Path) -> list[str]:
    agents = [word for agent in AGENTS for word in ("--agent", agent)]
    what = ["tournament", "love_letter", "--players", "4", "--design", "balanced", "--blocks", str(BLOCKS), *agents]
    how = ["--seed", str(SEED), "--workers", "2", "--no-tracking", "--quiet", "--out", str(out)]
    return [sys.executable, "-P", "-m", "tag", *what, *how]


#: What is said where the driver is killed while Ray plays, or Ray's native code ends it (code 1).
GOES_ON = "the same command goes on"
LAST_WORDS = f"tag: the process that plays was ended, by Ray or the system; {GOES_ON}"


class Run:
    """A tournament as a user runs it, begun again with the same command whenever it ends before it is complete.

    Attributes:
        ends: how often the driver ended, by exit code.
        sentences: what it said, by how often.
    """

    def __init__(self, out: Path, log: Path) -> None:
        self.out = out
        self.ends: Counter[int] = Counter()
        self.sentences: Counter[str] = Counter()
        self._rows: dict[str, int] = {}
        self._log = log
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
        """The games in the ledger, which is not merged yet."""
        for shard in self.out.glob("ledger/games-*.parquet"):
            if shard.name not in self._rows:
                self._rows[shard.name] = pq.read_metadata(shard).num_rows
        return sum(self._rows.values())

    @property
    def is_complete(self) -> bool:
        """Whether the command has ended well; begins it again if it has ended otherwise."""
        assert time.monotonic() < self._end, (self.ends, self.sentences)
        code = self._driver.poll()
        if code is None:
            self._seen.update(family(self._driver.pid))
            return False
        self._note(code)
        if code:
            self._start()
        return not code

    def kill(self, kind: str, rng: Rng) -> str:
        """Kill one of a kind at random, as soon as there is one, and return its name."""
        while not self.is_complete:
            if kind == "driver":
                self._driver.kill()
                self._driver.wait()
                return kind
            living = sorted(one for one in family(self._driver.pid) if one.name.startswith(NAMES[kind]))
            if living:
                victim = living[rng.below(len(living))]
                with suppress(ProcessLookupError):  # it has just ended by itself
                    os.kill(victim.pid, signal.SIGKILL)
                    return victim.name.partition(".")[0]
            time.sleep(0.02)
        raise AssertionError(f"complete before a {kind} could be killed")

    def finish(self) -> None:
        """Wait until all is played."""
        while not self.is_complete:
            time.sleep(0.5)

    def survivors(self) -> list[Process]:
        """Return the processes of all drivers that do not end within half a minute."""
        end = time.monotonic() + 30.0
        while (left := [process for process in self._seen if process.lives]) and time.monotonic() < end:
            time.sleep(0.5)
        return left

    def _start(self) -> None:
        paths = os.pathsep.join(os.path.abspath(entry) for entry in sys.path)  # noqa: PTH100  "" is the working directory
        with self._log.open("wb") as log:
            self._driver = subprocess.Popen(
                command(self.out), env={**os.environ, "PYTHONPATH": paths}, stdout=subprocess.DEVNULL, stderr=log
            )

    def _note(self, code: int) -> None:
        """Check that the driver has ended well, by force, or with one sentence."""
        self.ends[code] += 1
        end = time.monotonic() + 10.0
        while code == 1 and not self._said() and time.monotonic() < end:  # another process says it
            time.sleep(0.1)
        said = self._said()
        allowed = {0: [0], 1: [1], 2: [1], -signal.SIGKILL: [0, 1]}
        assert len(said) in allowed.get(code, []), (code, self._log.read_text(errors="replace"))
        if code not in (0, 2):
            # One that is killed may have said before that the head is gone.
            assert said in ([], [LAST_WORDS]) or (code == -signal.SIGKILL and said[0].endswith(GOES_ON))
        self.sentences.update(said)

    def _said(self) -> list[str]:
        return [line for line in self._log.read_text(errors="replace").splitlines() if line.startswith("tag: ")]


def say(line: str) -> None:
    """Tell how it comes along, with ``pytest -s``."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def storm(run: Run, rng: Rng) -> Counter[str]:
    """Kill processes of ``run`` and return how many of each name."""
    kinds = list(KINDS * KILLS_OF_A_KIND)
    rng.shuffle(kinds)
    moments = sorted(rng.below(int(LATEST * GAMES)) for _kind in kinds)
    killed: Counter[str] = Counter()
    for kind, moment in zip(kinds, moments, strict=True):
        soon = time.monotonic() + (SOON * rng.uniform() if rng.below(3) == 0 else PATIENCE)
        while run.games < moment and time.monotonic() < soon:
            assert not run.is_complete
            time.sleep(0.2)
        victim = run.kill(kind, rng)
        killed[victim] += 1
        say(f"{sum(killed.values()):3}. {victim} killed after {run.games:,} games")
    return killed


def test_nothing_is_lost_or_counted_twice(tmp_path: Path) -> None:
    begin = time.monotonic()
    with Run(tmp_path / "disturbed", tmp_path / "disturbed.log") as run:
        killed = storm(run, Rng(SEED))
        run.finish()
    say(
        f"killed {dict(killed)} in {time.monotonic() - begin:.0f} s; the driver ended {dict(run.ends)} times by exit code"
    )
    for sentence, times in run.sentences.items():
        say(f"{times} x {sentence}")
    assert sum(killed.values()) == len(KINDS) * KILLS_OF_A_KIND >= 50
    assert killed["driver"] == killed["ray::Worker"] == killed["raylet"] + killed["gcs_server"]
    assert run.survivors() == []

    undisturbed = tmp_path / "undisturbed"
    with Run(undisturbed, tmp_path / "undisturbed.log") as whole:
        whole.finish()
    assert whole.ends == {0: 1}
    games, _seats = read_ledger(run.out)
    definition: TournamentDefinition = read_manifest(run.out).definition
    assert games["game_id"].tolist() == [pairing.game_id for pairing in definition.schedule()]
    assert len(games) == GAMES
    assert content_hash(run.out) == content_hash(undisturbed)
    ledgers = [sorted((folder / "ledger").glob("games-*")) for folder in (run.out, undisturbed)]
    assert [path.name for path in ledgers[0]] == [path.name for path in ledgers[1]]
    assert ledgers[0][0].read_bytes() == ledgers[1][0].read_bytes()
    assert not list(run.out.rglob("*.tmp"))
