"""The games of a tournament: which are missing, in what order they are played, and when play ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Final

from tag.cluster import Workers
from tag.orders import GameOrder
from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.designs.games import Pairing, PlayedGames, place
from tag.tournaments.designs.schedule import Schedule, in_playing_order
from tag.tournaments.designs.stopping.in_order import InOrderStopping
from tag.tournaments.designs.stopping.pausing import AgentPauses, pauses_after
from tag.tournaments.driver.batches import LARGEST_BATCH
from tag.tournaments.driver.calibration import calibrated
from tag.tournaments.driver.driver import Driver
from tag.tournaments.driver.events import PlayListener
from tag.tournaments.ledger.folder import Folder, ledger_bytes
from tag.tournaments.ledger.games import compared_frames
from tag.tournaments.ledger.replay import restore
from tag.tournaments.ledger.rows import PlayedGame
from tag.tournaments.ledger.storage import check_storage
from tag.tournaments.ledger.writing import Ledger

#: Games of a batch between isolated agents: each may take as long as it takes to detect that an agent hangs.
_ISOLATED_GAMES: Final = 8
_STOPPING_SECONDS: Final = 1.0


def play_missing(folder: Folder, workers: Workers, events: PlayListener, is_stopped: Callable[[], bool]) -> bool:
    """Play the missing games until stopped, and return whether none is missing any more."""
    definition = folder.definition
    schedule = definition.schedule()
    ledger = Ledger(folder, definition)
    for sentence in ledger.quarantined:
        events.say(sentence)
    restore(folder, ledger, events.say, is_stopped)
    played, faults_by_game = ledger.history()
    pauses = pauses_after(schedule, faults_by_game, played)
    for pause in pauses.by_agent.values():
        events.say(pause.sentence(definition.labels[pause.agent]))
    stopping = InOrderStopping(schedule, definition.stopping_rule(schedule))
    if stopping.is_needed:
        stopping.add_ledger(*pauses.before_pauses(*compared_frames(folder)))
    missing = 0 if stopping.is_decided else _missing(schedule, played, pauses)
    if stopping.rule is not None:
        if stopping.rule.limit and not played:
            events.say(stopping.rule.limit)
        events.show_stopping(stopping.rule.result())
    events.start(len(played) + missing, len(played), schedule.product)
    if missing:
        try:
            check_storage(folder.path, ledger_bytes(definition, len(played)))
            workers.start(folder.manifest.sources)
            order = _orders(definition, workers, folder.path, events)
            largest = _ISOLATED_GAMES if definition.rules.isolate else LARGEST_BATCH
            driver = Driver(ledger, order, workers, events, largest)
            run = _TournamentRun(definition, driver, workers, events, pauses, stopping, is_stopped)
            run.play(_Remaining(schedule, played, pauses, in_order=definition.rules.isolate), missing)
        finally:
            events.close()
        is_as_planned = not (pauses.by_agent or schedule.design.in_rounds)
        missing = missing - driver.written if is_as_planned else _missing(schedule, ledger.history()[0], pauses)
    if stopping.is_decided:
        return ledger.compact(len(schedule) * stopping.blocks // schedule.blocks, stopping.blocks)
    return not missing and _compact(ledger, schedule, pauses)


def finish(folder: Folder, ledger: Ledger) -> int:
    """Merge the shards of a tournament without a stopping rule if all is played; return how many games are missing."""
    schedule = folder.definition.schedule()
    played, faults_by_game = ledger.history()
    pauses = pauses_after(schedule, faults_by_game, played)
    missing = _missing(schedule, played, pauses)
    if not missing:
        _compact(ledger, schedule, pauses)
    return missing


def _compact(ledger: Ledger, schedule: Schedule, pauses: AgentPauses) -> bool:
    """Merge the shards without the games of paused agents, and return whether all others are there."""
    skipped = pauses.skipped()
    return ledger.compact(len(schedule) - len(skipped), schedule.end, skipped)


def _orders(
    definition: TournamentDefinition, workers: Workers, out: Path, events: PlayListener
) -> Callable[[Pairing], GameOrder]:
    """Return the function that makes orders of games, with times scaled by the speed of the workers if requested."""
    if not definition.rules.calibrate:
        return definition.order
    conditions = calibrated(workers, definition, out, events)
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
            games = list(self._schedule.missing(self._played, range(block, block + 1)))
            ordered = games if self._in_order or not games else in_playing_order(games)
            yield from (pairing for pairing in ordered if not (pauses.by_agent and pauses.skips(pairing)))


class _TournamentRun:
    """Plays the games of a tournament, and follows them: paused agents and the stopping rule."""

    def __init__(
        self,
        definition: TournamentDefinition,
        driver: Driver,
        workers: Workers,
        events: PlayListener,
        pauses: AgentPauses,
        stopping: InOrderStopping,
        is_stopped: Callable[[], bool],
    ) -> None:
        self._definition = definition
        self._driver = driver
        self._now = workers.now
        self._events = events
        self._pauses = pauses
        self._stopping = stopping
        self._wants_stop = is_stopped
        self._in_order = definition.rules.isolate
        self._to_come = (0, 0, 0)
        self._to_submit = 0
        self._planned = stopping.n_games
        self._next_stopping = 0.0

    def is_stopped(self) -> bool:
        """Say whether to end in good order: a stop was requested, or the stopping rule is decided."""
        return self._wants_stop() or self._stopping.is_decided

    def play(self, games: _Remaining, missing: int) -> None:
        """Play ``games``, so many as are ``missing``, until all are played or it is stopped."""
        self._to_submit = missing
        try:
            while not self.is_stopped():
                self._driver.fill(self._wanted, partial(self._next, games))
                if not self._driver.in_flight:
                    break
                self._look(self._driver.collect())
                self._show_stopping()
            for played in self._driver.drain():
                self._look(played)
        finally:
            self._driver.flush()
            self._next_stopping = 0.0
            self._show_stopping()

    def _wanted(self) -> int:
        """Return how many games are to be played and can be now."""
        return min(self._to_submit, self._stopping.open_games) if self._to_submit else 0

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
            self._events.expect(more)

    def _judge(self, played: list[PlayedGame]) -> None:
        """Judge the faults, and report the agents that are paused."""
        for pairing, record, _worker in played:
            if record.faults:
                faults = [(pairing.agents[fault.player], fault.kind) for fault in record.faults]
                self._pauses.take(pairing.game_id, faults)
        first = cache(self._first_in_flight)
        for pause in self._pauses.judge(lambda pairing: self._place(pairing) < first()):
            self._events.say(pause.sentence(self._definition.labels[pause.agent]))

    def _first_in_flight(self) -> tuple[int, int, int]:
        """Return the place of the first game in flight, or else of the next."""
        return min([self._place(batch[0]) for batch in self._driver.in_flight], default=self._to_come)

    def _place(self, pairing: Pairing) -> tuple[int, int, int]:
        """Return a game's place in the order of play, as far as games before it are known to be played: its block."""
        return place(pairing) if self._in_order else (pairing.block, 0, 0)

    def _show_stopping(self) -> None:
        """Show the state of the stopping rule, now and then: its estimates take milliseconds."""
        if self._stopping.rule is not None and self._now() >= self._next_stopping:
            self._events.show_stopping(self._stopping.rule.result())
            self._next_stopping = self._now() + _STOPPING_SECONDS
