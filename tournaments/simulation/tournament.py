"""Simulated tournaments, larger than this machine: driver, schedule and ledger are real, workers and time are not."""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, Final

from tag.cluster.workers import ReliableWorkers
from tag.errors import DataError
from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.designs.by_name import DEFAULT_DESIGN
from tag.tournaments.designs.schedule import Schedule
from tag.tournaments.driver import tournament
from tag.tournaments.driver.events import PlayListener
from tag.tournaments.driver.preview import Preview
from tag.tournaments.ledger import storage
from tag.tournaments.ledger.folder import Folder, TournamentManifest, ledger_bytes
from tag.tournaments.simulation.workers import Circumstances, DriverClock, GameSeconds, SimulatedActors

_KILOBYTE: Final = 1024 if sys.platform == "linux" else 1
_MEGABYTE: Final = 1 << 20
#: Game type and agents of the definition, which are never played.
_NO_GAME: Final = "simulated"
_NO_AGENT: Final = "simulated"


@dataclass(frozen=True)
class Simulation:
    """The results of a simulated tournament; times are in seconds.

    Attributes:
        makespan: from the start of the driver until it has written the last game.
        efficiency: the share of the workers' time that went into games whose results arrived.
        lost: how many batches were lost with their workers, and played again.
        driver_cpu: the CPU time of the driver until all is written.
        driver_load: the share of the makespan for which the driver was at work; near 1 it cannot keep up.
        driver_memory_mb: the greatest growth of its memory until then, in megabytes.
        merge_cpu: the CPU time of putting the ledger into schedule order in the end.
        merge_memory_mb: the greatest growth of its memory including the merge, in megabytes.
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

    def to_json(self) -> dict[str, Any]:
        """Return all figures as plain values."""
        return asdict(self)


class _Stopwatch(PlayListener):
    """Hears of a simulation, and records the state when the last game is written."""

    def __init__(self, clock: DriverClock) -> None:
        self._clock = clock
        self.makespan = 0.0
        self.driver_cpu = 0.0
        self.closed = 0.0
        self.memory = 0

    def close(self) -> None:
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
    """Play a tournament with simulated workers, and return its times and costs.

    Schedule, batches, judging and the ledger are the real ones; games, workers and time are not. The ledger is written
    and then removed: its contents are made up.

    The ledger is written under ``scratch``, by default the system's folder for temporary files.

    Raises:
        DataError: there is no room for the ledger.
    """
    with TemporaryDirectory(dir=scratch, prefix="tag-simulate-") as name:
        storage.check_storage(Path(name), ledger_bytes(definition))
        before = _peak_memory()
        actors = SimulatedActors(workers, definition.players, circumstances, seed, clock())
        watch = _Stopwatch(actors.clock)
        manifest = TournamentManifest("", "", definition, {}, {})
        with ReliableWorkers(lambda _sources: actors, workers, lambda: actors.clock.now) as simulated:
            is_complete = tournament.play_missing(Folder(Path(name), manifest), simulated, watch, lambda: False)
        if not is_complete:
            raise DataError(f"the simulation ended before all of {len(definition.schedule()):,} games were played")
        merge_cpu = process_time() - watch.closed
    return _simulation(len(definition.schedule()), workers, watch, actors, before, merge_cpu)


def definition_of(games: int, agents: int, players: int, design: str = DEFAULT_DESIGN) -> TournamentDefinition:
    """Return a tournament of at least so many games of a game type that need not be registered."""
    block = Schedule(agents, players, 1, seed=1, design=design)
    return TournamentDefinition(_NO_GAME, players, (_NO_AGENT,) * agents, ceil(games / len(block)), design=design)


def _simulation(
    games: int, workers: int, watch: _Stopwatch, actors: SimulatedActors, before: int, merge_cpu: float
) -> Simulation:
    return Simulation(
        workers=workers,
        games=games,
        makespan=watch.makespan,
        efficiency=actors.busy / (workers * watch.makespan),
        games_per_second=games / watch.makespan,
        batches=actors.batches,
        games_per_batch=games / actors.batches,
        lost=actors.lost,
        deaths=actors.deaths,
        driver_cpu=watch.driver_cpu,
        driver_us_per_game=1e6 * watch.driver_cpu / games,
        driver_load=watch.driver_cpu / watch.makespan,
        driver_memory_mb=(watch.memory - before) / _MEGABYTE,
        merge_cpu=merge_cpu,
        merge_memory_mb=(_peak_memory() - before) / _MEGABYTE,
    )


def _peak_memory() -> int:
    """Return the most memory that the process has used so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _KILOBYTE


#: So many games are simulated for a plan at least, and so many per worker; more would tell the same.
_GAMES: Final = 20_000
_GAMES_PER_WORKER: Final = 200


def simulated_plan(plan: Preview, definition: TournamentDefinition, workers: int) -> Simulation:
    """Return how a planned tournament would go on so many workers, whose games take as long as those of the plan.

    Of a long tournament only the first blocks are simulated, and the rest is taken to go on as they did.

    Raises:
        DataError: there is no room for the ledger.
    """
    circumstances = Circumstances(GameSeconds(measured=plan.lengths))
    games = min(plan.games, max(_GAMES, workers * _GAMES_PER_WORKER))
    short = definition_of(games, len(definition.agents), definition.players, definition.design)
    found = simulate(short, workers, circumstances)
    times = plan.games / found.games
    makespan = circumstances.start + (found.makespan - circumstances.start) * times
    rate = found.makespan * times / makespan
    return replace(
        found,
        games=plan.games,
        makespan=makespan,
        efficiency=found.efficiency * rate,
        games_per_second=plan.games / makespan,
        batches=round(found.batches * times),
        driver_cpu=found.driver_cpu * times,
        driver_load=found.driver_load * rate,
        merge_cpu=found.merge_cpu * times,
        merge_memory_mb=found.merge_memory_mb * times,
    )
