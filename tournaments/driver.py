"""The driver: plays games on workers and appends them to a ledger; and the tournaments that it plays."""

from __future__ import annotations

import shlex
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, partial
from itertools import count, islice
from pathlib import Path
from queue import SimpleQueue
from types import FrameType
from typing import Any, Final, Self

from tag.cluster import Workers
from tag.cluster.workers import at_work
from tag.orders import GameOrder
from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.designs.games import Pairing, PlayedGames, place
from tag.tournaments.designs.pausing import AgentPauses, pauses_after
from tag.tournaments.designs.schedule import LARGEST_BATCH, BatchSizes, Schedule, in_playing_order
from tag.tournaments.designs.stopping import InOrderStopping
from tag.tournaments.ledger.folder import MANIFEST, Folder, check_fits, ledger_bytes
from tag.tournaments.ledger.games import compared_frames
from tag.tournaments.ledger.replay import restore
from tag.tournaments.ledger.rows import PlayedGame
from tag.tournaments.ledger.storage import check_storage
from tag.tournaments.ledger.writing import Ledger
from tag.tournaments.reports.progress import Progress
from tag.tournaments.results.machines import read_machines, read_memory
from tag.tournaments.results.tournament import TournamentResults, read_results
from tag.tournaments.timing import Pace, calibrated, check_machines
from tag.tournaments.tracking.tracker import FINISHED, KILLED, tracked

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


#: The reply to the first signal.
_FINISHING: Final = "finishing what is being played; Ctrl-C once more stops at once"


class Interruption:
    """A context in which the first SIGINT or SIGTERM sets a flag and the second raises `KeyboardInterrupt`.

    The first is answered at once, in the middle of a game, too. A thread says so: a handler may interrupt a write to the
    same stream, which Python does not allow to be entered again. Outside of the main thread, where Python allows no
    handlers, the context has no effect.
    """

    def __init__(self, say: Callable[[str], None]) -> None:
        """Start without a request; ``say`` shows a sentence, from another thread."""
        self.requested = False
        self._say = say
        self._news: SimpleQueue[str] = SimpleQueue()  # which handlers may write to at any time
        self._thread = threading.Thread(target=self._announce, name="interruption", daemon=True)
        self._former: dict[int, Any] = {}

    def __enter__(self) -> Self:
        """Take the signals over."""
        if threading.current_thread() is threading.main_thread():
            self._thread.start()
            self._former = {number: signal.signal(number, self._handle) for number in _SIGNALS}
        return self

    @contextmanager
    def as_the_reason(self) -> Iterator[None]:
        """Turn errors into interruptions once a stop is requested: workers may have got the same signal."""
        try:
            yield
        except Exception as error:
            if self.requested:
                raise KeyboardInterrupt from error
            raise

    def __exit__(self, *_error: object) -> None:
        """Give the signals back, once what is to be said has been said."""
        if not self._former:
            return
        for number, handler in self._former.items():
            signal.signal(number, handler)
        self._former = {}
        self._news.put("")
        self._thread.join()

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self.requested:
            raise KeyboardInterrupt
        self.requested = True
        self._news.put(_FINISHING)

    def _announce(self) -> None:
        for sentence in iter(self._news.get, ""):
            self._say(sentence)


# --- the driver: plays games on workers and appends them to a ledger --------------------------------------------------
#
# The common part of tournaments and studies: batches, games in flight, and the ledger. They differ in the choice and
# order of games, and in the use of the results. Games in the ledger are never played again, so an interrupted run goes
# on. The merged ledger is the same for any workers and any order.


#: How long one wait for batches lasts, in seconds.
_PATIENCE: Final = 0.2
_FLUSH_SECONDS: Final = 1.0
_FLUSH_GAMES: Final = 2_000
#: Every shard names all agents: with many agents, it is written less often.
_AGENTS_PER_SECOND: Final = 1_000
#: How long batches in flight may take to end after a request to stop.
_DRAIN_SECONDS: Final = 3.0

#: Batch numbers are unique, so that a late answer to a batch of an earlier run is recognised.
_NUMBERS: Final = count(1)


class Driver:
    """Plays games on workers, never more at once than they have slots for, and appends the results to a ledger."""

    def __init__(
        self,
        ledger: Ledger,
        order: Callable[[Pairing], GameOrder],
        workers: Workers,
        progress: Progress,
        largest_batch: int = LARGEST_BATCH,
    ) -> None:
        """Start without batches in flight.

        ``order`` returns a game as an order that any process can play; a batch has at most ``largest_batch`` games.
        """
        self._ledger = ledger
        self._order = order
        self._workers = workers
        self._progress = progress
        self._sizes = BatchSizes(workers.slots, largest_batch)
        self._batches: dict[int, tuple[list[Pairing], float]] = {}
        self._unwritten: list[PlayedGame] = []
        self._next_flush = workers.now() + _FLUSH_SECONDS
        self.written = 0

    @property
    def in_flight(self) -> list[list[Pairing]]:
        """The games of each batch that is being played."""
        return [batch for batch, _begin in self._batches.values()]

    def fill(self, wanted: Callable[[], int], take: Callable[[int], list[Pairing]]) -> None:
        """Fill the free slots with games.

        ``wanted`` returns the number of remaining games, as the last batches are smaller. ``take`` returns the next
        games, at most as many as asked for; none if none can be played now.
        """
        while len(self._batches) < self._workers.slots and (left := wanted()):
            batch = take(self._sizes.next(left))
            if not batch:
                break
            number = next(_NUMBERS)
            self._batches[number] = (batch, self._workers.now())
            self._workers.submit(number, [self._order(pairing) for pairing in batch])

    def collect(self) -> list[PlayedGame]:
        """Wait a moment for batches, and return their games; they are written once there are enough.

        Raises:
            TagError: a game breaks its contract, or the workers are lost.
        """
        try:
            completed = self._workers.completed(_PATIENCE)
        except BaseException:
            self._batches.clear()  # the workers can only be closed then
            raise
        for sentence in self._workers.news():
            self._progress.say(sentence)
        found: list[PlayedGame] = []
        for number, records, worker in completed:
            if number not in self._batches:
                continue  # of an earlier run that ended before it
            batch, begin = self._batches.pop(number)
            self._sizes.learn(len(batch), self._workers.now() - begin)
            played = [PlayedGame(pairing, record, worker) for pairing, record in zip(batch, records, strict=True)]
            self._unwritten += played
            self._progress.advance(len(records), sum(len(record.faults) for record in records))
            found += played
        if len(self._unwritten) >= _FLUSH_GAMES or (self._unwritten and self._workers.now() >= self._next_flush):
            self.flush()
        return found

    def drain(self, goes_on: Callable[[], bool] = lambda: False) -> Iterator[list[PlayedGame]]:
        """Yield the games of batches that end within a moment, or while it ``goes_on``; others are played again later."""
        end = self._workers.now() + _DRAIN_SECONDS
        while self._batches and (self._workers.now() < end or goes_on()):
            yield self.collect()

    def flush(self) -> None:
        """Append the played games to the ledger; a game that is written twice counts once."""
        if self._unwritten:
            self._ledger.append(self._unwritten)
            self.written += len(self._unwritten)
            self._unwritten = []
        self._next_flush = self._workers.now() + max(_FLUSH_SECONDS, self._ledger.n_agents / _AGENTS_PER_SECOND)


# --- tournaments ------------------------------------------------------------------------------------------------------


#: Games of a batch between isolated agents: each may take as long as it takes to detect that an agent hangs.
_ISOLATED_GAMES: Final = 8
_STANDINGS_SECONDS: Final = 3.0
_STOPPING_SECONDS: Final = 1.0
#: Computing live standings may take this share of the time.
_STANDINGS_SHARE: Final = 0.05


def run_tournament(
    definition: TournamentDefinition,
    out: Path,
    *,
    workers: Workers | int = 1,
    tracking: bool | str = True,
    progress: Progress | None = None,
) -> TournamentResults:
    """Play the missing games of a tournament and return the results, complete unless it was interrupted.

    Args:
        definition: the tournament.
        out: its folder, new or with the same tournament in it.
        workers: the processes that play (`cluster.make_workers`), or how many of them on this machine.
        tracking: the URI of the MLflow store to write a run to; True for `MLFLOW_TRACKING_URI`, or mlflow.db beside the
            folder, False for no run.
        progress: shows the progress of the games; by default only sentences.

    Raises:
        TagError: the folder or a user's file does not fit, or a game breaks its contract, or a time limit meets
            machines that are not equal.
    """
    shown = progress or Progress()
    with at_work(workers) as processes:
        processes.check()
        for sentence in check_machines(definition, processes):
            shown.say(sentence)
        with (
            Folder.locked(out, definition) as folder,
            tracked(shown, out, tracking, processes.describe()) as followed,
        ):
            complete = _play_and_extend(folder, processes, followed)
            results = read_results(folder)
            followed.end(FINISHED if complete else KILLED)
    shown.conclude(results.standings)
    return results


def _play_and_extend(folder: Folder, workers: Workers, progress: Progress) -> bool:
    """Play the missing games, and extensions requested during play; return whether the tournament is complete then."""
    with Interruption(progress.say) as interruption, interruption.as_the_reason():
        while True:
            folder.take_extension()
            complete = play_missing(folder, workers, progress, lambda: interruption.requested or folder.has_request)
            if interruption.requested or not folder.asks_for_more():
                break
    if complete:
        for sentence in read_machines(folder).sentences():
            progress.say(
                f"{sentence}; tag results {shlex.quote(str(folder.path))} --by-machine shows the table without it"
            )
        for sentence in read_memory(folder).sentences():
            progress.say(sentence)
    return complete


def play_missing(folder: Folder, workers: Workers, progress: Progress, is_stopped: Callable[[], bool]) -> bool:
    """Play the missing games until stopped, and return whether none is missing any more."""
    definition = folder.definition
    schedule = definition.schedule()
    ledger = Ledger(folder, definition)
    for sentence in ledger.quarantined:
        progress.say(sentence)
    restore(folder, ledger, progress.say, is_stopped)
    played, faults_by_game = ledger.history()
    pauses = pauses_after(schedule, faults_by_game, played)
    for pause in pauses.by_agent.values():
        progress.say(pause.sentence(definition.labels[pause.agent]))
    stopping = InOrderStopping(schedule, definition.stopping_rule(schedule))
    if stopping.is_needed:
        stopping.add_ledger(*pauses.before_pauses(*compared_frames(folder)))
    missing = 0 if stopping.is_decided else _missing(schedule, played, pauses)
    if stopping.rule is not None:
        if stopping.rule.limit and not played:
            progress.say(stopping.rule.limit)
        progress.show_stopping(stopping.rule.result())
    progress.start(len(played) + missing, len(played), schedule.product)
    if missing:
        check_storage(folder.path, ledger_bytes(definition, len(played)))
        try:
            workers.start(folder.manifest.sources)
            order = _orders(definition, workers, folder.path, progress)
            largest = _ISOLATED_GAMES if definition.rules.isolate else LARGEST_BATCH
            driver = Driver(ledger, order, workers, progress, largest)
            run = _TournamentRun(definition, driver, workers, progress, pauses, stopping, is_stopped)
            run.play(_Remaining(schedule, played, pauses, in_order=definition.rules.isolate), missing, folder)
        finally:
            progress.close()
        is_as_planned = not (pauses.by_agent or schedule.design.in_rounds)
        missing = missing - driver.written if is_as_planned else _missing(schedule, ledger.history()[0], pauses)
    if stopping.is_decided:
        return ledger.compact(len(schedule) * stopping.blocks // schedule.blocks, stopping.blocks)
    skipped = pauses.skipped()
    return not missing and ledger.compact(len(schedule) - len(skipped), schedule.blocks, skipped)


def _orders(
    definition: TournamentDefinition, workers: Workers, out: Path, progress: Progress
) -> Callable[[Pairing], GameOrder]:
    """Return the function that makes orders of games, with times scaled by the speed of the workers if requested."""
    if not definition.rules.calibrate:
        return definition.order
    conditions = calibrated(workers, definition, out, progress.say)
    return lambda pairing: replace(definition.order(pairing), conditions=conditions)


def _missing(schedule: Schedule, played: PlayedGames, pauses: AgentPauses) -> int:
    """Return the number of remaining games."""
    return len(schedule) - len(played) - sum(pairing not in played for pairing in pauses.skipped().values())


class _Remaining:
    """The remaining games, block by block, as far as their match-ups are known.

    The games of a block are in the order of `tag.tournaments.designs.schedule.in_playing_order`, or else ``in_order`` of
    the schedule. Agents are paused in schedule order: agents that crash or hang cost least then.
    """

    def __init__(self, schedule: Schedule, played: PlayedGames, pauses: AgentPauses, in_order: bool) -> None:
        """Start with the first; leave out those that have been ``played``, and those of paused agents."""
        self._in_order = in_order
        self._schedule = schedule
        self._played = played
        self._pauses = pauses
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
        pauses = self._pauses
        for block in blocks:
            games = self._schedule.missing(self._played, range(block, block + 1))
            ordered = games if self._in_order else in_playing_order(list(games))
            yield from (pairing for pairing in ordered if not (pauses.by_agent and pauses.skips(pairing)))


class _TournamentRun:
    """Plays the games of a tournament, and follows them: paused agents, the stopping rule, and live standings."""

    def __init__(
        self,
        definition: TournamentDefinition,
        driver: Driver,
        workers: Workers,
        progress: Progress,
        pauses: AgentPauses,
        stopping: InOrderStopping,
        is_stopped: Callable[[], bool],
    ) -> None:
        self._definition = definition
        self._driver = driver
        self._now = workers.now
        self._progress = progress
        self._pauses = pauses
        self._stopping = stopping
        self._wants_stop = is_stopped
        self._in_order = definition.rules.isolate
        self._to_come = (0, 0, 0)
        self._to_submit = 0
        self._planned = stopping.n_games
        self._pace: Pace | None = Pace(definition)
        self._next_standings = self._now() + _STANDINGS_SECONDS
        self._next_stopping = 0.0

    def is_stopped(self) -> bool:
        """Say whether to end in good order: a stop was requested, or the stopping rule is decided."""
        return self._wants_stop() or self._stopping.is_decided

    def play(self, games: _Remaining, missing: int, folder: Folder) -> None:
        """Play ``games``, so many as are ``missing``, until all are played or it is stopped."""
        self._to_submit = missing
        try:
            while not self.is_stopped():
                self._driver.fill(lambda: min(self._to_submit, self._stopping.open_games), partial(self._next, games))
                if not self._driver.in_flight:
                    break
                self._look(self._driver.collect())
                self._show_standings(folder)
                self._show_stopping()
            for played in self._driver.drain():
                self._look(played)
        finally:
            self._driver.flush()
            self._next_stopping = 0.0
            self._show_stopping()

    def _next(self, games: _Remaining, number: int) -> list[Pairing]:
        """Return the games of the next batch."""
        batch = games.take(number)
        if batch:
            self._to_submit -= len(batch)
            block, matchup, seating = self._place(batch[-1])
            self._to_come = (block, matchup, seating + 1)
        return batch

    def _look(self, played: list[PlayedGame]) -> None:
        """Process games that have been played."""
        if not played:
            return
        self._judge(played)
        self._hint(played)
        if self._stopping.is_needed and not self._pauses.by_agent:  # as only games before a pause count
            for pairing, record, _worker in played:
                self._stopping.add(pairing, record, self._definition.game_of(pairing))
            self._count_further_games()

    def _count_further_games(self) -> None:
        """Expect the games of further blocks, which tables play that are level; fewer, if there are fewer rounds."""
        more = self._stopping.n_games - self._planned
        if more:
            self._planned += more
            self._to_submit += more
            self._progress.expect(more)

    def _judge(self, played: list[PlayedGame]) -> None:
        """Judge the faults, and report the agents that are paused."""
        for pairing, record, _worker in played:
            if record.faults:
                faults = [(pairing.agents[fault.player], fault.kind) for fault in record.faults]
                self._pauses.take(pairing.game_id, faults)
        first = cache(self._first_in_flight)
        for pause in self._pauses.judge(lambda pairing: self._place(pairing) < first()):
            self._progress.say(pause.sentence(self._definition.labels[pause.agent]))

    def _hint(self, played: list[PlayedGame]) -> None:
        """Report once how to make an interpreted game faster, if the first games are slow."""
        if self._pace is not None:
            for pairing, record, _worker in played:
                self._pace.add(pairing, record)
            hint = self._pace.hint()
            if hint:
                self._progress.say(hint)
            self._pace = None if hint or self._driver.written > _FLUSH_GAMES else self._pace

    def _first_in_flight(self) -> tuple[int, int, int]:
        """Return the place of the first game in flight, or else of the next."""
        return min([self._place(batch[0]) for batch in self._driver.in_flight], default=self._to_come)

    def _place(self, pairing: Pairing) -> tuple[int, int, int]:
        """Return a game's place in the order of play, as far as games before it are known to be played: its block."""
        return place(pairing) if self._in_order else (pairing.block, 0, 0)

    def _show_standings(self, folder: Folder) -> None:
        begin = self._now()
        if self._progress.wants_standings and self._driver.written and begin >= self._next_standings:
            results = read_results(folder)
            self._progress.show_standings(results.standings, results.is_cooperative)
            now = self._now()
            self._next_standings = now + max(_STANDINGS_SECONDS, (now - begin) / _STANDINGS_SHARE)

    def _show_stopping(self) -> None:
        """Show the state of the stopping rule, now and then: its estimates take milliseconds."""
        now = self._now()
        if self._stopping.rule is not None and now >= self._next_stopping:
            self._progress.show_stopping(self._stopping.rule.result())
            self._next_stopping = now + _STOPPING_SECONDS


# --- several tournaments one after the other, on the same workers and under one progress ------------------------------


def run_all(
    parts: Mapping[Path, TournamentDefinition], workers: Workers, *, tracking: bool | str = False, progress: Progress
) -> list[TournamentResults]:
    """Play the missing games of tournaments, by folder, and return the results up to the first that is not complete.

    The other arguments are those of `run_tournament`.
    """
    found: list[TournamentResults] = []
    progress.start(sum(len(part.schedule()) for part in parts.values()), 0)
    try:
        for folder, part in parts.items():
            results = run_tournament(part, folder, workers=workers, tracking=tracking, progress=PartProgress(progress))
            found.append(results)
            if not results.complete:
                break
    finally:
        progress.close()
    return found


def check_all(parts: Mapping[Path, TournamentDefinition], out: Path, workers: Workers) -> None:
    """Raise any error that would stop one of the tournaments, before any is played and before anything is written.

    Raises:
        TagError: a folder does not fit or has no room, or the cluster is missing or unsuitable.
    """
    workers.check()
    for folder, part in parts.items():
        check_machines(part, workers)
        check_fits(folder, part)
    check_storage(out, sum(ledger_bytes(part) for folder, part in parts.items() if not (folder / MANIFEST).exists()))


class PartProgress(Progress):
    """The progress of one tournament, passed on to that of the whole."""

    def __init__(self, whole: Progress) -> None:
        """Report to ``whole``, which has been started with the games of all tournaments."""
        super().__init__()
        self._whole = whole

    def start(self, total: int, done: int, product: str = "") -> None:
        """Count the games of the ledger as done."""
        self._whole.skip(done)

    def expect(self, games: int) -> None:
        """Pass it on."""
        self._whole.expect(games)

    def advance(self, games: int, faults: int) -> None:
        """Pass it on."""
        self._whole.advance(games, faults)

    def say(self, sentence: str) -> None:
        """Pass it on."""
        self._whole.say(sentence)
