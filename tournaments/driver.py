"""The driver: plays a tournament, or several, from a schedule over a pool into the ledger."""

from __future__ import annotations

import shlex
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from itertools import islice
from pathlib import Path
from types import FrameType
from typing import Any, Final, Self

from cluster.batches import Played
from cluster.machine import WorkerSpeed
from tag.playing import GameOrder
from tournaments.definition import TournamentDefinition, user_sources
from tournaments.designs.schedule import BatchSizes, Pairing, PlayedGames, Schedule, playing_key
from tournaments.ledger.folder import (
    MANIFEST,
    Manifest,
    asks_for_more,
    check_fits,
    has_request,
    ledger_bytes,
    opened,
    take_extension,
)
from tournaments.ledger.games import Ledger, read_ledger
from tournaments.ledger.replay import restore_actions
from tournaments.ledger.rows import PlayedGame
from tournaments.ledger.storage import check_storage
from tournaments.pool import Pool, PoolFactory, calibrated, check_address, check_machines, open_pool
from tournaments.reports.text import Progress
from tournaments.settings import Pace
from tournaments.statistics.machines import read_machines, read_memory
from tournaments.statistics.results import Breaker, Follower, TournamentResults, judged, place, read_results
from tournaments.tracking.runs import default_tracking_uri
from tournaments.tracking.tracker import FINISHED, KILLED, tracked

# --- Ctrl-C: the first asks a tournament to stop in good order, the second stops it at once -----------------------------


_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class Interruption:
    """A context in which the first SIGINT or SIGTERM sets a flag and the second raises `KeyboardInterrupt`.

    Outside of the main thread, where Python allows no handlers, it changes nothing.

    Attributes:
        requested: whether somebody wants the work to stop.
    """

    def __init__(self) -> None:
        """Start with nothing requested."""
        self.requested = False
        self._former: dict[int, Any] = {}

    def __enter__(self) -> Self:
        """Take the signals over."""
        if threading.current_thread() is threading.main_thread():
            self._former = {number: signal.signal(number, self._handle) for number in _SIGNALS}
        return self

    @contextmanager
    def as_the_reason(self) -> Iterator[None]:
        """Have errors be interruptions once somebody wants the work to stop: workers may have got the same signal."""
        try:
            yield
        except Exception as error:
            if self.requested:
                raise KeyboardInterrupt from error
            raise

    def __exit__(self, *_error: object) -> None:
        """Give the signals back."""
        for number, handler in self._former.items():
            signal.signal(number, handler)
        self._former = {}

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self.requested:
            raise KeyboardInterrupt
        self.requested = True


# --- the runner: drives a tournament from its schedule over a pool of players into the ledger ---------------------------
#
# Whatever happens to it, a resumption finds in the ledger what was played and plays the rest; the compacted ledger is the
# same in the end, whoever played and in whatever order.


#: How long the runner waits for batches before it looks at anything else, in seconds.
_PATIENCE: Final = 0.2
_FLUSH_SECONDS: Final = 1.0
_FLUSH_GAMES: Final = 2_000
#: The games of a batch between isolated agents: each may take as long as it takes to see that an agent hangs.
_ISOLATED_GAMES: Final = 8
#: How long batches in flight may take to end once somebody wants to stop.
_DRAIN_SECONDS: Final = 3.0
_STANDINGS_SECONDS: Final = 3.0
_STOPPING_SECONDS: Final = 1.0
#: Working out live standings may take this share of the time.
_STANDINGS_SHARE: Final = 0.05


def run_tournament(
    definition: TournamentDefinition,
    out: Path,
    *,
    workers: int = 1,
    uses_ray: bool = False,
    address: str = "",
    tracking: bool = True,
    tracking_uri: str = "",
    progress: Progress | None = None,
    pool_factory: PoolFactory | None = None,
) -> TournamentResults:
    """Play what is missing of a tournament and return the results, complete unless somebody interrupted it.

    Args:
        definition: the tournament.
        out: its folder, new or with the same tournament in it.
        workers: how many processes play, on Ray.
        uses_ray: whether to use Ray at all; without it the process plays itself.
        address: of a Ray cluster; empty for a Ray of its own on this machine.
        tracking: whether to write an MLflow run, while it is played and once it is complete.
        tracking_uri: where; by default `tournaments.tracking.default_tracking_uri`.
        progress: what shows how it comes along; by default next to nothing does.
        pool_factory: makes another pool than the above, from the text of users' files by name.

    Raises:
        TagError: the folder or a file of the user's does not fit, or a game breaks its contract, or a time limit meets
            machines that are not equal.
    """
    check_address(address)
    shown = progress or Progress()
    for sentence in check_machines(definition, address, workers if uses_ray else 1):
        shown.say(sentence)
    factory = pool_factory or partial(open_pool, workers, address, uses_ray)
    if definition.rules.calibrate:
        factory = calibrated(factory, definition, out, shown.say)
    uri = tracking_uri or default_tracking_uri(out)
    execution = {"workers": workers, "ray": uses_ray, "address": address} if pool_factory is None else {}
    with opened(out, definition) as manifest:
        if tracking:
            with tracked(shown, out, uri, execution) as tracker:
                complete = _play_and_extend(out, manifest, factory, tracker)
                results = read_results(out)
                tracker.end(FINISHED if complete else KILLED)
        else:
            _play_and_extend(out, manifest, factory, shown)
            results = read_results(out)
    shown.conclude(results.standings)
    return results


def _play_and_extend(out: Path, manifest: Manifest, factory: PoolFactory, progress: Progress) -> bool:
    """Play what is missing, and what others ask for meanwhile; say whether the tournament is complete then."""
    with Interruption() as interruption, interruption.as_the_reason():
        while True:
            manifest = take_extension(out, manifest) or manifest
            complete = play_missing(
                out, manifest, factory, progress, lambda: interruption.requested or has_request(out)
            )
            if interruption.requested or not asks_for_more(out):
                break
    if complete:
        for sentence in read_machines(out).sentences():
            progress.say(f"{sentence}; tag results {shlex.quote(str(out))} --by-machine shows the table without it")
        for sentence in read_memory(out).sentences():
            progress.say(sentence)
    return complete


def play_missing(
    out: Path, manifest: Manifest, factory: PoolFactory, progress: Progress, is_stopped: Callable[[], bool]
) -> bool:
    """Play what is missing until stopped, and say whether nothing is missing any more."""
    definition = manifest.definition
    schedule = definition.schedule()
    ledger = Ledger(out, definition)
    for sentence in ledger.quarantined:
        progress.say(sentence)
    restore_actions(out, ledger, progress.say, is_stopped)
    played, charges = ledger.history()
    breaker = judged(schedule, charges, played)
    for pause in breaker.pauses.values():
        progress.say(pause.sentence(definition.labels[pause.agent]))
    follower = Follower(schedule, definition.stopping_rule(schedule))
    if follower.is_needed:
        follower.add_ledger(*breaker.before_pauses(*read_ledger(out)))
    missing = 0 if follower.is_decided else _missing(schedule, played, breaker)
    if follower.rule is not None:
        progress.show_stopping(follower.rule.result())
    progress.start(len(played) + missing, len(played), schedule.product)
    if missing:
        check_storage(out, ledger_bytes(definition, len(played)))
        pool = factory(manifest.sources)
        driver = _Driver(definition, ledger, pool, progress, missing, breaker, is_stopped, follower)
        try:
            driver.play(_Remaining(schedule, played, breaker, in_order=definition.rules.isolate))
        finally:
            progress.close()
            pool.close()
        missing = _missing(schedule, ledger.history()[0], breaker) if breaker.pauses else missing - driver.written
    if follower.is_decided:
        return ledger.compact(schedule, follower.blocks)
    return not missing and ledger.compact(schedule, without=breaker.skipped())


def _missing(schedule: Schedule, played: PlayedGames, breaker: Breaker) -> int:
    """Return how many games are still to be played."""
    return len(schedule) - len(played) - sum(pairing not in played for pairing in breaker.skipped().values())


class _Remaining:
    """The games that are still to be played, block by block, as far as it is known who plays in them.

    Those of a block come in the order of `tournaments.designs.schedule.playing_key`, or else ``in_order`` of the
    schedule, in which the circuit breaker judges: agents that crash or hang cost least then.
    """

    def __init__(self, schedule: Schedule, played: PlayedGames, breaker: Breaker, in_order: bool) -> None:
        """Begin with the first; leave out those that have been ``played``, and those of agents that are paused."""
        self._in_order = in_order
        self._schedule = schedule
        self._played = played
        self._breaker = breaker
        self._begun = 0
        self._games: Iterator[Pairing] = iter(())

    def take(self, number: int) -> list[Pairing]:
        """Return the next games, ``number`` at most; fewer at the end, or until the design has learnt more."""
        found = list(islice(self._games, number))
        while len(found) < number and self._begun < self._schedule.known:
            blocks = range(self._begun, self._schedule.known)
            self._begun = blocks.stop
            self._games = self._wanted(blocks)
            found += islice(self._games, number - len(found))
        return found

    def _wanted(self, blocks: range) -> Iterator[Pairing]:
        skips = self._breaker.skips
        for block in blocks:
            games = self._played.missing(self._schedule, range(block, block + 1))
            ordered = games if self._in_order else sorted(games, key=_playing_key)
            yield from (pairing for pairing in ordered if not skips(pairing))


def _playing_key(pairing: Pairing) -> int:
    return int(playing_key(pairing.seed, pairing.matchup, pairing.seating))


class _Driver:
    """Moves games from the schedule over the pool to the ledger, never holding more than the pool has slots for.

    Attributes:
        written: how many games went to the ledger.
    """

    def __init__(
        self,
        definition: TournamentDefinition,
        ledger: Ledger,
        pool: Pool,
        progress: Progress,
        missing: int,
        breaker: Breaker,
        is_stopped: Callable[[], bool],
        follower: Follower,
    ) -> None:
        self._definition = definition
        self._ledger = ledger
        self._pool = pool
        self._progress = progress
        self._breaker = breaker
        self._sizes = BatchSizes(pool.slots, _ISOLATED_GAMES) if definition.rules.isolate else BatchSizes(pool.slots)
        self._to_submit = missing
        self._number = 0
        self._to_come = (0, 0, 0)
        self._in_order = definition.rules.isolate
        self._in_flight: dict[int, tuple[list[Pairing], float]] = {}
        self._unwritten: list[PlayedGame] = []
        self.written = 0
        self._wants_stop = is_stopped
        self._follower = follower
        self._pace: Pace | None = Pace(definition)
        self._next_flush = self._pool.now() + _FLUSH_SECONDS
        self._next_standings = self._pool.now() + _STANDINGS_SECONDS
        self._next_stopping = 0.0

    def is_stopped(self) -> bool:
        """Say whether to end in good order, for somebody wants that or the stopping rule is decided."""
        return self._wants_stop() or self._follower.is_decided

    def play(self, games: _Remaining) -> None:
        """Play ``games`` until all are played, or somebody wants it to stop."""
        try:
            while not self.is_stopped():
                self._submit(games)
                if not self._in_flight:
                    break
                self._collect(_PATIENCE)
                self._show_standings()
                self._show_stopping()
            self._drain()
        finally:
            self._flush()
            self._next_stopping = 0.0
            self._show_stopping()

    def _submit(self, games: _Remaining) -> None:
        """Fill the free slots."""
        while self._to_submit and len(self._in_flight) < self._pool.slots:
            batch = games.take(self._sizes.next(min(self._to_submit, self._follower.open_games)))
            if not batch:
                break
            self._to_submit -= len(batch)
            self._number += 1
            block, matchup, seating = self._place(batch[-1])
            self._to_come = (block, matchup, seating + 1)
            self._in_flight[self._number] = (batch, self._pool.now())
            self._pool.submit(self._number, [self._definition.order(pairing) for pairing in batch])

    def _collect(self, timeout: float) -> None:
        """Take what the pool has played, and write it down if enough has come together."""
        for number, records, worker in self._pool.completed(timeout):
            batch, begin = self._in_flight.pop(number)
            self._sizes.learn(len(batch), self._pool.now() - begin)
            played = [PlayedGame(pairing, record, worker) for pairing, record in zip(batch, records, strict=True)]
            self._unwritten += played
            self._progress.advance(len(records), sum(len(record.faults) for record in records))
            self._judge(played)
            self._hint(played)
            if self._follower.is_needed and not self._breaker.pauses:  # as only games before a pause count
                for pairing, record, _worker in played:
                    self._follower.add(pairing, record)
        if len(self._unwritten) >= _FLUSH_GAMES or (self._unwritten and self._pool.now() >= self._next_flush):
            self._flush()

    def _judge(self, played: list[PlayedGame]) -> None:
        """Tell the circuit breaker what went wrong, and say whom it pauses."""
        for pairing, record, _worker in played:
            if record.faults:
                charges = [(pairing.agents[fault.player], fault.kind) for fault in record.faults]
                self._breaker.take(pairing.game_id, charges)
        first = cache(self._first_in_flight)
        for pause in self._breaker.judge(lambda pairing: self._place(pairing) < first()):
            self._progress.say(pause.sentence(self._definition.labels[pause.agent]))

    def _hint(self, played: list[PlayedGame]) -> None:
        """Say once what makes an interpreted game faster, where the first games are slow."""
        if self._pace is not None:
            for pairing, record, _worker in played:
                self._pace.add(pairing, record)
            hint = self._pace.hint()
            if hint:
                self._progress.say(hint)
            self._pace = None if hint or self.written > _FLUSH_GAMES else self._pace

    def _first_in_flight(self) -> tuple[int, int, int]:
        """Return the place of the first game that is being played, or else of the next."""
        return min([self._place(batch[0]) for batch, _begin in self._in_flight.values()], default=self._to_come)

    def _place(self, pairing: Pairing) -> tuple[int, int, int]:
        """Return where a game is in the order of play, as far as games before it are known to be played: its block."""
        return place(pairing) if self._in_order else (pairing.block, 0, 0)

    def _drain(self) -> None:
        """Give batches in flight a moment to end; those that do not are played again next time."""
        if self._in_flight:
            self._progress.say("finishing what is being played; Ctrl-C once more stops at once")
        end = self._pool.now() + _DRAIN_SECONDS
        while self._in_flight and self._pool.now() < end:
            self._collect(_PATIENCE)

    def _flush(self) -> None:
        """Write the records to the ledger; one that is written twice counts once."""
        if self._unwritten:
            self._ledger.append(self._unwritten)
            self.written += len(self._unwritten)
            self._unwritten = []
        self._next_flush = self._pool.now() + _FLUSH_SECONDS

    def _show_standings(self) -> None:
        begin = self._pool.now()
        if self._progress.wants_standings and self.written and begin >= self._next_standings:
            results = read_results(self._ledger.folder)
            self._progress.show_standings(results.standings, results.is_cooperative)
            now = self._pool.now()
            self._next_standings = now + max(_STANDINGS_SECONDS, (now - begin) / _STANDINGS_SHARE)

    def _show_stopping(self) -> None:
        """Show how the stopping rule stands, now and then: its estimates take milliseconds."""
        now = self._pool.now()
        if self._follower.rule is not None and now >= self._next_stopping:
            self._progress.show_stopping(self._follower.rule.result())
            self._next_stopping = now + _STOPPING_SECONDS


# --- several tournaments one after the other, over one pool and under one progress --------------------------------------


def run_all(
    parts: Mapping[Path, TournamentDefinition],
    *,
    workers: int,
    uses_ray: bool,
    address: str,
    tracking: bool,
    tracking_uri: str = "",
    progress: Progress,
) -> list[TournamentResults]:
    """Play what is missing of tournaments, by folder, and return the results up to the first that is not complete.

    The other arguments are those of `tournaments.run_tournament`.
    """
    sources = {file: text for part in parts.values() for file, text in user_sources(part).items()}
    pool = SharedPool(partial(open_pool, workers, address, uses_ray), sources)
    found: list[TournamentResults] = []
    progress.start(sum(len(part.schedule()) for part in parts.values()), 0)
    try:
        for folder, part in parts.items():
            results = run_tournament(
                part,
                folder,
                workers=workers,
                uses_ray=uses_ray,
                address=address,
                tracking=tracking,
                tracking_uri=tracking_uri,
                progress=PartProgress(progress),
                pool_factory=pool.opened,
            )
            found.append(results)
            if not results.complete:
                break
    finally:
        progress.close()
        pool.let_go()
    return found


def check_all(parts: Mapping[Path, TournamentDefinition], out: Path, address: str) -> None:
    """Raise what would keep any of the tournaments from being played, before one is, and before anything is written.

    Args:
        parts: the tournaments by folder.
        out: the folder of them all.
        address: of a Ray cluster; empty for a Ray of its own on this machine.

    Raises:
        TagError: a folder does not fit, or has no room, or there is no cluster or one that will not do.
    """
    check_address(address)
    for folder, part in parts.items():
        check_machines(part, address)
        check_fits(folder, part)
    check_storage(out, sum(ledger_bytes(part) for folder, part in parts.items() if not (folder / MANIFEST).exists()))


class SharedPool:
    """A pool that is opened when it is first needed, and that the tournaments which close it do not lose.

    Attributes:
        slots: as of any pool, once it is open.
    """

    def __init__(self, factory: Callable[[Mapping[str, str]], Pool], sources: Mapping[str, str]) -> None:
        """Share the pool that ``factory`` makes for the users' files of all tournaments, ``sources``."""
        self.slots = 0
        self._factory = factory
        self._sources = sources
        self._pool: Pool | None = None

    def opened(self, _sources: Mapping[str, str]) -> Self:
        """Be the pool of one more tournament: a ``pool_factory`` for `tournaments.run_tournament`."""
        self._shared()
        return self

    def now(self) -> float:
        """Return the time of the pool that is shared."""
        return self._shared().now()

    def submit(self, number: int, orders: list[GameOrder]) -> None:
        """Have a batch played."""
        self._shared().submit(number, orders)

    def completed(self, timeout: float) -> list[Played]:
        """Return batches that are played."""
        return self._shared().completed(timeout)

    def measure(self, game: str, players: int) -> list[WorkerSpeed]:
        """Return how fast the workers play."""
        return self._shared().measure(game, players)

    def close(self) -> None:
        """Stay open for the next tournament."""

    def let_go(self) -> None:
        """Close it for good."""
        if self._pool is not None:
            self._pool.close()

    def _shared(self) -> Pool:
        if self._pool is None:
            self._pool = self._factory(self._sources)
            self.slots = self._pool.slots
        return self._pool


class PartProgress(Progress):
    """The progress of one tournament, told to that of the whole."""

    def __init__(self, whole: Progress) -> None:
        """Tell ``whole``, which has been started with the games of all tournaments."""
        super().__init__()
        self._whole = whole

    def start(self, total: int, done: int, product: str = "") -> None:
        """Count the games of the ledger as done."""
        self._whole.skip(done)

    def advance(self, games: int, faults: int) -> None:
        """Pass it on."""
        self._whole.advance(games, faults)

    def say(self, sentence: str) -> None:
        """Pass it on."""
        self._whole.say(sentence)
