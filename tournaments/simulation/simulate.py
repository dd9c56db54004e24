"""A simulation: a whole tournament, with simulated workers and everything else real."""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, Final

from cluster.machine import WorkerSpeed
from cluster.pool import WorkerPool
from tag.errors import DataError
from tournaments.definition import TournamentDefinition
from tournaments.designs import DEFAULT_DESIGN
from tournaments.folder import Manifest, ledger_bytes
from tournaments.progress import Progress, duration
from tournaments.runner import play_missing
from tournaments.schedule import Schedule
from tournaments.simulation.clock import DriverClock
from tournaments.simulation.workers import Circumstances, SimulatedWorkers
from tournaments.storage import check_storage

_KILOBYTE: Final = 1024 if sys.platform == "linux" else 1
_MEGABYTE: Final = 1 << 20
#: Nobody plays them.
_NO_GAME: Final = "simulated"
_NO_AGENT: Final = "simulated"


@dataclass(frozen=True)
class Simulation:
    """What a simulated tournament came to; times are in seconds.

    Attributes:
        workers: how many there were.
        games: how many games were played, each counted once.
        makespan: from the start of the driver until it has written the last game.
        efficiency: the share of the workers' time that went into games whose results arrived.
        games_per_second: games over makespan.
        batches: how many batches were played.
        games_per_batch: their mean size.
        lost: how many batches were lost with their workers, and played again.
        deaths: how many workers died.
        driver_cpu: the CPU time of the driver until all is written.
        driver_us_per_game: likewise, in microseconds per game.
        driver_load: the share of the makespan for which the driver was at work; near 1 it cannot keep up.
        driver_memory_mb: by how much its memory grew at most until then, in megabytes.
        merge_cpu: the CPU time of putting the ledger into schedule order in the end.
        merge_memory_mb: by how much memory grew at most, with that.
    """

    workers: int
    games: int
    makespan: float
    efficiency: float
    games_per_second: float
    batches: int
    games_per_batch: float
    lost: int
    deaths: int
    driver_cpu: float
    driver_us_per_game: float
    driver_load: float
    driver_memory_mb: float
    merge_cpu: float
    merge_memory_mb: float

    @property
    def text(self) -> str:
        """The result in a few lines."""
        return "\n".join(
            [
                f"{self.games:,} games on {self.workers:,} workers take {duration(self.makespan)} "
                f"({self.games_per_second:,.0f} games/s); {self.efficiency:.1%} of the workers' time is used",
                f"  {self.batches:,} batches of {self.games_per_batch:,.1f} games; {self.deaths:,} workers died, and "
                f"{self.lost:,} batches were played again",
                f"  the driver is at work {self.driver_load:.1%} of the time, {self.driver_us_per_game:.1f} µs of CPU per "
                f"game; its memory grows by {self.driver_memory_mb:,.0f} MB",
                f"  merging the ledger then takes {duration(self.merge_cpu)} of CPU and {self.merge_memory_mb:,.0f} MB",
            ]
        )

    def to_json(self) -> dict[str, Any]:
        """Return all figures as plain values."""
        return asdict(self)


class _SimulatedPool(WorkerPool):
    """The pool of a simulation, which notes how things stand when the last game is written.

    Attributes:
        makespan: when that was, by its clock.
        driver_cpu: the CPU time of the driver until then.
        closed: likewise, by the CPU time of the process.
        memory: the most memory that the process has used until then, in bytes.
    """

    def __init__(self, workers: SimulatedWorkers, number: int) -> None:
        super().__init__(workers, number, lambda: workers.clock.now)
        self._clock = workers.clock
        self.makespan = 0.0
        self.driver_cpu = 0.0
        self.closed = 0.0
        self.memory = 0

    def measure(self, game: str, players: int) -> list[WorkerSpeed]:
        """Return nothing: how long simulated games take is given."""
        return []

    def close(self) -> None:
        super().close()
        self._clock.stop()
        self.makespan, self.driver_cpu, self.closed = self._clock.now, self._clock.cpu, process_time()
        self.memory = _peak_memory()


def simulate(
    definition: TournamentDefinition,
    workers: int,
    circumstances: Circumstances,
    *,
    seed: int = 1,
    scratch: Path | None = None,
    clock: Callable[[], DriverClock] = DriverClock,
) -> Simulation:
    """Play a tournament with simulated workers, and return what it would have taken.

    Schedule, batches, pool, judging and the ledger are the real ones; games, workers and time are not. The ledger is
    written, and gone afterwards: what is in it is made up.

    Args:
        definition: the tournament.
        workers: how many to simulate.
        circumstances: how long games take, and what becomes of workers.
        seed: decides lengths of games and deaths.
        scratch: the folder to write the ledger under; by default the system's folder for temporary files.
        clock: makes the clock.

    Raises:
        DataError: there is no room for the ledger.
    """
    with TemporaryDirectory(dir=scratch, prefix="tag-simulate-") as name:
        check_storage(Path(name), ledger_bytes(definition))
        before = _peak_memory()
        crew = SimulatedWorkers(workers, definition.players, circumstances, seed, clock())
        pool = _SimulatedPool(crew, workers)
        manifest = Manifest("", "", definition, {}, {})
        if not play_missing(Path(name), manifest, lambda _sources: pool, Progress(), lambda: False):
            raise DataError(f"the simulation ended before all of {len(definition.schedule()):,} games were played")
        merge_cpu = process_time() - pool.closed
    return _simulation(len(definition.schedule()), workers, pool, crew, before, merge_cpu)


def definition_of(games: int, agents: int, players: int, design: str = DEFAULT_DESIGN) -> TournamentDefinition:
    """Return a tournament of at least so many games of a game type that nobody has to have.

    Raises:
        PlayersError: the design cannot seat so many.
        ParameterError: there are no games.
    """
    block = Schedule(agents, players, 1, seed=1, design=design)
    return TournamentDefinition(_NO_GAME, players, (_NO_AGENT,) * agents, ceil(games / len(block)), design=design)


def _simulation(
    games: int, workers: int, pool: _SimulatedPool, crew: SimulatedWorkers, before: int, merge_cpu: float
) -> Simulation:
    return Simulation(
        workers=workers,
        games=games,
        makespan=pool.makespan,
        efficiency=crew.busy / (workers * pool.makespan),
        games_per_second=games / pool.makespan,
        batches=crew.batches,
        games_per_batch=games / crew.batches,
        lost=crew.lost,
        deaths=crew.deaths,
        driver_cpu=pool.driver_cpu,
        driver_us_per_game=1e6 * pool.driver_cpu / games,
        driver_load=pool.driver_cpu / pool.makespan,
        driver_memory_mb=(pool.memory - before) / _MEGABYTE,
        merge_cpu=merge_cpu,
        merge_memory_mb=(_peak_memory() - before) / _MEGABYTE,
    )


def _peak_memory() -> int:
    """Return the most memory that the process has used so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _KILOBYTE
