"""Plays a tracked study of invented games in this process, and prints as JSON what it takes: FOLDER GAMES STOP.

The games take no time. After STOP games Ctrl-C is pressed, unless that is 0.
Times are in seconds of CPU: those of the clock tell on a busy machine what others do.
"""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from time import process_time, thread_time
from typing import Any

from studies.invented import Invented

from tag.tournaments.tracking.tracker import TrackingListener
from tag.tuning.agent.defining import define_study
from tag.tuning.run import run_study


class Stopwatch:
    """Adds up the CPU time that calls of some methods take.

    Attributes:
        seconds: so far.
    """

    def __init__(self, kind: type, *names: str) -> None:
        self.seconds = 0.0
        for name in names:
            setattr(kind, name, self._timed(getattr(kind, name)))

    def _timed(self, call: Callable[..., None]) -> Callable[..., None]:
        def timed(*arguments: Any) -> None:
            begin = thread_time()
            try:
                call(*arguments)
            finally:
                self.seconds += thread_time() - begin

        return timed


def most_memory() -> float:
    """Return the most megabytes that this process had; `resource` would count what its parent had when it started this."""
    lines = Path("/proc/self/status").read_text().splitlines()
    (kilobytes,) = [line.split()[1] for line in lines if line.startswith("VmHWM")]
    return int(kilobytes) / 1024


def main(folder: str, games: str, stop: str) -> None:
    pressed: list[int] = []

    def press(played: int) -> None:
        if 0 < int(stop) <= played and not pressed:
            pressed.append(played)
            signal.raise_signal(signal.SIGINT)

    pool = Invented(slots=4)
    pool.before_each = press
    definition = define_study("rmhc", "tic_tac_toe", games=int(games), versus=("osla",))
    watch = Stopwatch(TrackingListener, "start", "skip", "advance", "show_note", "end")
    begin = process_time()
    results = run_study(definition, Path(folder), workers=pool)
    writer = getrusage(RUSAGE_CHILDREN)
    figures = {
        "complete": results.complete,
        "played": sum(pool.games.values()),
        "trials": len(results.trials),
        "driver_seconds": process_time() - begin,
        "tracking_seconds": watch.seconds,
        "writer_seconds": writer.ru_utime + writer.ru_stime,
        "memory_mb": most_memory(),
    }
    sys.stdout.write(json.dumps(figures))


if __name__ == "__main__":
    main(*sys.argv[1:])
