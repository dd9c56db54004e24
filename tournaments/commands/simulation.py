"""Simulated tournaments, larger than this machine: driver, schedule and ledger are real, workers and time are not."""

from __future__ import annotations

import pickle
import resource
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from heapq import heappop, heappush
from itertools import count
from math import ceil, exp, inf, log
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, Final, Self

import click
import numpy as np

from tag.cli.numbers import SEED, Number
from tag.cli.process import print_json
from tag.cluster.batches import DEPTH, Answer, Columns, Reply, Row, record_fields
from tag.cluster.workers import ReliableWorkers
from tag.engine.results import LOSE, WIN
from tag.errors import DataError, ParameterError
from tag.orders import GameRecord
from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.designs.matchups import DEFAULT_DESIGN, DESIGNS
from tag.tournaments.designs.schedule import Schedule
from tag.tournaments.driver import tournament
from tag.tournaments.driver.events import PlayListener
from tag.tournaments.ledger import games as ledgers
from tag.tournaments.ledger import storage
from tag.tournaments.ledger.folder import Folder, TournamentManifest, ledger_bytes
from tag.tournaments.reports.progress import duration
from tag.tournaments.statistics.intervals import Floats


class DriverClock:
    """Simulated time, to which the real CPU time of the driver is added while the clock runs.

    So a driver that is too slow for its workers is detected.
    """

    def __init__(self, timer: Callable[[], float] = process_time) -> None:
        """Start the clock; ``timer`` returns the CPU time of the process."""
        self.now = 0.0
        self.cpu = 0.0
        self._timer = timer
        self._since = timer()

    def stop(self) -> None:
        """Stop counting CPU time: what follows is the simulation's own work."""
        self.charge(self._timer() - self._since)

    def run(self) -> None:
        """Resume counting the driver's CPU time."""
        self._since = self._timer()

    def charge(self, seconds: float) -> None:
        """Add so much CPU time of the driver."""
        self.cpu += seconds
        self.now += seconds


_LOGNORMAL: Final = "lognormal:"
_MEASURED: Final = "measured:"


@dataclass(frozen=True)
class GameSeconds:
    """A distribution of lengths of games, in seconds of a worker's time.

    Attributes:
        log_mean: the mean of the logarithm; a log-normal distribution, constant where `log_deviation` is 0.
        log_deviation: the standard deviation of the logarithm.
        measured: lengths to draw from instead, all equally likely; empty for the distribution above.
    """

    log_mean: float = 0.0
    log_deviation: float = 0.0
    measured: tuple[float, ...] = ()

    @classmethod
    def read(cls, text: str) -> Self:
        """Read ``0.05`` (constant), ``lognormal:0.05,0.5`` (median, deviation of the logarithm) or ``measured:DIR``.

        The last draws from the games of the tournament in DIR: their agents' total time.

        Raises:
            ParameterError: it is none of these.
            DataError: there is no tournament in DIR, or it has no games.
        """
        if text.startswith(_MEASURED):
            timings = ledgers.read_timings(Path(text.removeprefix(_MEASURED)))
            lengths = timings.groupby("game_id", sort=False)["seconds"].sum()
            if not lengths.sum():
                raise ParameterError(f"game-seconds cannot be {text!r}; no game there has taken any time")
            return cls(measured=tuple(lengths.to_list()))
        parts = text.removeprefix(_LOGNORMAL).split(",")
        if len(parts) != (2 if text.startswith(_LOGNORMAL) else 1):
            raise _refusal(text)
        try:
            median, deviation = float(parts[0]), float(parts[1]) if len(parts) > 1 else 0.0
        except ValueError:
            raise _refusal(text) from None
        if not 0.0 < median < inf or not 0.0 <= deviation < inf:
            raise _refusal(text)
        return cls(log(median), deviation)

    @property
    def mean(self) -> float:
        """The mean length."""
        if self.measured:
            return float(np.mean(self.measured))
        return exp(self.log_mean + self.log_deviation**2 / 2.0)

    def draw(self, games: int, rng: np.random.Generator) -> Floats:
        """Return the lengths of so many games."""
        if self.measured:
            return rng.choice(np.array(self.measured), games)
        if not self.log_deviation:
            return np.full(games, exp(self.log_mean))
        return rng.lognormal(self.log_mean, self.log_deviation, games)


def _refusal(text: str) -> ParameterError:
    return ParameterError(
        f"game-seconds cannot be {text!r}; it is a number of seconds, lognormal:MEDIAN,DEVIATION or measured:DIR"
    )


# --- workers ----------------------------------------------------------------------------------------------------------
#
# Simulated workers play, die and restart in simulated time, while the driver in front of them is the real one.


_HOUR: Final = 3600.0
#: So many made-up results are repeated under the games' ids, as none is ever read.
_MADE_UP: Final = 4096
_NAME: Final = "simulated"


@dataclass(frozen=True)
class Circumstances:
    """Conditions of the workers, and the driver's costs of talking to them; all times are in seconds."""

    game_seconds: GameSeconds
    latency: float = 0.002
    start: float = 5.0
    deaths_per_hour: float = 0.0
    restart: float = 10.0
    node_losses_per_hour: float = 0.0
    node_restart: float = 300.0
    workers_per_node: int = 8
    detection: float = 5.0
    call_cpu: float = 0.0
    wait_cpu: float = 0.0


@dataclass
class _Node:
    """A machine: the time of its loss, and of its replacement."""

    dies: float
    back: float


@dataclass(eq=False)
class _Worker:
    """A worker: its node, time of death, end of its last batch, number of batches, and whether it is given any."""

    node: _Node
    dies: float = inf
    busy_until: float = 0.0
    batches: int = 0
    is_here: bool = False


class SimulatedActors:
    """Replaces `tag.cluster.actors.RayActors` for `tag.cluster.workers.ReliableWorkers`.

    The fate of a batch is decided when it is given: it is played after the worker's earlier batches, unless the worker
    or its node dies before the end.

    Attributes:
        busy: the seconds that workers have spent on games whose results arrived.
        lost: how many were lost, and given again.
    """

    def __init__(
        self, size: int, n_players: int, circumstances: Circumstances, seed: int, clock: DriverClock | None = None
    ) -> None:
        """Start ``size`` workers, for games of so many seats."""
        self.clock = clock or DriverClock()
        self.busy = 0.0
        self.batches = 0
        self.lost = 0
        self.deaths = 0
        self._circumstances = circumstances
        self._rng = np.random.default_rng(seed)
        self._results = _made_up(n_players, self._rng)
        self._free: list[dict[_Worker, None]] = [
            {} for _batches in range(DEPTH)
        ]  # by number of batches, as sets in order
        self._in_flight = 0
        self._serial = count()
        self._events: list[tuple[float, int, Callable[[], Reply | None]]] = []
        self._answers: dict[int, bytes] = {}
        for first in range(0, size, circumstances.workers_per_node):
            node = _Node(0.0, circumstances.start)
            for _worker in range(first, min(size, first + circumstances.workers_per_node)):
                self._plan(circumstances.start, partial(self._arrive, node))

    @property
    def has_room(self) -> bool:
        """True if a worker can take a batch."""
        return any(self._free)

    def provide(self, sources: Mapping[str, str]) -> None:
        """Do nothing: simulated games need no files."""

    def forget(self, names: Sequence[str]) -> None:
        """Do nothing: simulated games need no files."""

    def give(self, number: int, columns: Columns) -> None:
        """Give a batch to the worker that has the fewest; there must be room."""
        pickle.dumps(columns, pickle.HIGHEST_PROTOCOL)  # for its cost in the driver's time
        self.clock.stop()
        self.clock.charge(self._circumstances.call_cpu)
        self._in_flight += 1
        worker = next(iter(next(filter(None, self._free))))
        self._change(worker, batches=worker.batches + 1)
        seconds = float(self._circumstances.game_seconds.draw(len(columns[0]), self._rng).sum())
        begin = max(self.clock.now, worker.busy_until)
        worker.busy_until = begin + seconds
        if worker.busy_until < worker.dies:
            self._answers[number] = pickle.dumps(self._played(columns), pickle.HIGHEST_PROTOCOL)
            self._plan(worker.busy_until + self._circumstances.latency, partial(self._answer, worker, number, seconds))
        else:
            self._plan(
                worker.dies + self._circumstances.detection, partial(self._lose, worker, number, begin < worker.dies)
            )
        self.clock.run()

    def wait(self, seconds: float) -> list[Reply]:
        """Let at most so much time pass until an event, and return the batches that are played or lost."""
        self.clock.stop()
        self.clock.charge(self._circumstances.wait_cpu * self._in_flight)
        end = self.clock.now + seconds
        self.clock.now = max(self.clock.now, min(end, self._events[0][0] if self._events else end))
        replys = []
        while self._events and self._events[0][0] <= self.clock.now:
            _when, _serial, happen = heappop(self._events)
            reply = happen()
            if reply is not None:
                replys.append(reply)
        self.clock.run()
        return [self._received(reply) for reply in replys]

    def _plan(self, when: float, happen: Callable[[], Reply | None]) -> None:
        heappush(self._events, (when, next(self._serial), happen))

    def _arrive(self, node: _Node) -> None:
        """Start a worker, once its node is there."""
        now, circumstances = self.clock.now, self._circumstances
        if node.dies <= now < node.back:
            self._plan(node.back, partial(self._arrive, node))
            return
        if node.back <= now:
            node.dies = now + self._lifetime(circumstances.node_losses_per_hour)
            node.back = node.dies + circumstances.detection + circumstances.node_restart
        worker = _Worker(node, min(node.dies, now + self._lifetime(circumstances.deaths_per_hour)))
        self._change(worker, is_here=True)
        if worker.dies < inf:
            self._plan(worker.dies + circumstances.detection, partial(self._leave, worker))

    def _leave(self, worker: _Worker) -> None:
        """Note the death of a worker, as the driver learns of it, and ask for another."""
        self.deaths += 1
        self._change(worker, is_here=False)
        self._plan(self.clock.now + self._circumstances.restart, partial(self._arrive, worker.node))

    def _answer(self, worker: _Worker, number: int, seconds: float) -> Reply:
        """Return the reply to a played batch."""
        self.batches += 1
        self.busy += seconds
        self._change(worker, batches=worker.batches - 1)
        return Reply(number, _NAME, None)

    def _lose(self, worker: _Worker, number: int, suspect: bool) -> Reply:
        """Return the reply to a batch that is lost with its worker."""
        self.lost += 1
        self._change(worker, batches=worker.batches - 1)
        return Reply(number, _NAME, None, suspect)

    def _change(self, worker: _Worker, batches: int | None = None, is_here: bool | None = None) -> None:
        """Change a worker's number of batches, or whether it is given any, and its place in the index."""
        if worker.batches < DEPTH:
            self._free[worker.batches].pop(worker, None)
        worker.batches = worker.batches if batches is None else batches
        worker.is_here = worker.is_here if is_here is None else is_here
        if worker.is_here and worker.batches < DEPTH:
            self._free[worker.batches][worker] = None

    def _received(self, reply: Reply) -> Reply:
        """Return a reply with its records, which the driver has to read."""
        self._in_flight -= 1
        data = self._answers.pop(reply.number, None)
        return reply if data is None else reply._replace(answer=pickle.loads(data))  # noqa: S301  our own

    def _played(self, columns: Columns) -> Answer:
        """Return made-up records of a batch."""
        picks = self._rng.integers(_MADE_UP, size=len(columns[0])).tolist()
        return Answer([(game_id, *self._results[pick]) for game_id, pick in zip(columns[0], picks, strict=True)], None)

    def _lifetime(self, per_hour: float) -> float:
        return float(self._rng.exponential(_HOUR / per_hour)) if per_hour else inf


def _made_up(n_players: int, rng: np.random.Generator) -> list[Row]:
    """Return rows of `tag.cluster.batches`, without ids, as those of a game of some length with one winner."""
    rows: list[Row] = []
    for winner in rng.integers(n_players, size=_MADE_UP).tolist():
        ticks, turns = rng.integers(30, 90, size=2).tolist()
        record = GameRecord(
            game_id="",
            results=tuple(WIN if seat == winner else LOSE for seat in range(n_players)),
            ordinals=tuple(1 if seat == winner else 2 for seat in range(n_players)),
            scores=tuple(map(float, rng.integers(5, size=n_players))),
            decisions=tuple(rng.integers(5, 30, size=n_players).tolist()),
            seconds=tuple(rng.random(n_players).tolist()),
            ticks=ticks,
            turns=turns,
            rounds=4,
            teams=tuple(range(n_players)),
            state_hash=rng.bytes(8).hex(),
        )
        rows.append(record_fields(record)[1:])
    return rows


# --- simulation of a whole tournament, with simulated workers and everything else real --------------------------------


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


_COUNT: Final = Number(int, 1)
_RATE: Final = Number(float, 0.0, 3600.0)
_SECONDS: Final = Number(float, 0.0, 1e6)


def _circumstance(name: str, kind: Number, text: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the option for a field of `Circumstances`, with its default."""
    default = Circumstances.__dataclass_fields__[name].default
    return click.option(f"--{name.replace('_', '-')}", type=kind, default=default, show_default=True, help=text)


@click.command("simulate")
@click.option("--workers", type=_COUNT, required=True, help="How many workers there are.")
@click.option("--games", type=_COUNT, required=True, help="How many games to play, filled up to whole blocks.")
@click.option(
    "--game-seconds",
    required=True,
    metavar="SECONDS",
    help="How long games take: 0.05, lognormal:MEDIAN,DEVIATION, or measured:DIR to draw from a tournament's.",
)
@click.option("--agents", type=_COUNT, default=8, show_default=True, help="How many agents take part.")
@click.option("--players", type=_COUNT, default=4, show_default=True, help="Seats of each game.")
@click.option("--design", type=click.Choice(list(DESIGNS)), default=DEFAULT_DESIGN, help="Who meets whom.")
@_circumstance("latency", _SECONDS, "From the end of a batch to the driver's hearing of it, in seconds.")
@_circumstance("start", _SECONDS, "How long workers take to come in the beginning.")
@_circumstance("deaths_per_hour", _RATE, "How often a worker dies, per hour of its life.")
@_circumstance("restart", _SECONDS, "How long it takes for another worker to come.")
@_circumstance("node_losses_per_hour", _RATE, "How often a node is lost with its workers, per hour of its life.")
@_circumstance("node_restart", _SECONDS, "How long it takes for another node to come.")
@_circumstance("workers_per_node", _COUNT, "How many workers a node has.")
@_circumstance("detection", _SECONDS, "How long it takes until the driver knows of a loss.")
@_circumstance("call_cpu", _SECONDS, "CPU time that Ray takes in the driver per batch.")
@_circumstance("wait_cpu", _SECONDS, "… per batch in flight, whenever the driver looks for answers.")
@click.option("--seed", type=SEED, default=1, show_default=True, help="Decides lengths and losses.")
@click.option(
    "--scratch", type=click.Path(file_okay=False, path_type=Path), help="Where to write the ledger meanwhile."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def simulate_command(
    workers: int,
    games: int,
    game_seconds: str,
    agents: int,
    players: int,
    design: str,
    seed: int,
    scratch: Path | None,
    as_json: bool,
    **circumstances: Any,
) -> None:
    """Say how long a tournament would take on so many workers, and how the driver would bear it.

    Workers, games and time are simulated. The driver is the real one: schedule, batches, what is played again after a loss,
    and the ledger, which is written and removed again. It takes some 30 µs per game.

    Example: tag simulate --workers 200 --games 100000 --game-seconds lognormal:2,0.5 --deaths-per-hour 0.1
    """
    found = simulate(
        definition_of(games, agents, players, design),
        workers,
        Circumstances(GameSeconds.read(game_seconds), **circumstances),
        seed=seed,
        scratch=scratch,
    )
    if as_json:
        print_json(found.to_json())
    else:
        click.echo(found.text)
