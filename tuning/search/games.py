"""The games of a study: their schedule, with seats and seeds, and the queue that plays them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, Self

from cluster import Workers
from tag.engine.rng import derive_seed
from tag.orders import Conditions, GameOrder, GameRecord
from tournaments.designs.schedule import Pairing, game_id_of
from tournaments.designs.stopping import place
from tournaments.driver import Driver, Interruption
from tournaments.ledger.games import Ledger, Roster, read_labels, read_records
from tournaments.ledger.rows import PlayedGame
from tournaments.reports.progress import Progress
from tournaments.tracking.tracker import FINISHED, KILLED, RunType, tracked

# --- schedule: seats and seeds of a study's games -----------------------------------------------------------------------
#
# The agent in question sits in every seat of a block once, an opponent in all others; the opponents of a panel take turns
# from block to block, all of them with the same chance seeds. Where the agent meets itself, or plays a co-operative game
# without others, one game stands for all seatings, as they would be the same.


class StudySchedule:
    """The games of a study, by the agent in question, the block and the seat; also the roster of their ledger.

    Agents have numbers: the opponents, in their order, and then the agents that are entered. A spec keeps its number for
    ever, so games in the ledger are those of that agent, independently of the stage that asked for them.

    Attributes:
        game: the spec of the game type.
        players: the seats of each game.
        labels: the specs of the agents by number.
        opponents: how many opponents take turns; 0 where the agent has all seats.
        record_actions: no ledger of a study keeps actions: there are too many, and they can be played again.
    """

    record_actions = False

    def __init__(
        self,
        game: str,
        players: int,
        opponents: Sequence[str],
        seed: int,
        conditions: Conditions | None = None,
        metrics: tuple[str, ...] = (),
    ) -> None:
        """Begin with the ``opponents`` alone; ``seed`` decides the chance seeds of all blocks."""
        self.game = game
        self.players = players
        self.labels = list(opponents)
        self.opponents = len(opponents)
        self._numbers: dict[str, int] = {}
        self._seed = seed
        self._conditions = conditions or Conditions()
        self._metrics = metrics

    @property
    def entries(self) -> Sequence[str]:
        """The agents by number, as `tournaments.ledger.games.Roster` asks for them."""
        return self.labels

    def keep(self, folder: Path) -> None:
        """Keep the numbers that agents have in the ledger in ``folder``, which was begun before."""
        for spec in read_labels(folder)[self.opponents :]:
            self.enter(spec)

    def enter(self, spec: str) -> int:
        """Return the number of an agent; a new one for an agent that has none."""
        if spec not in self._numbers:
            self._numbers[spec] = len(self.labels)
            self.labels.append(spec)
        return self._numbers[spec]

    @property
    def seatings(self) -> int:
        """Number of games of a block against others."""
        return self.players if self.opponents else 1

    def games(self, agent: int, blocks: range) -> list[Pairing]:
        """Return the games of whole blocks, in order."""
        return [
            self._game(agent, block, seat)
            for block in blocks
            for seat in range(1 if self._is_alone(agent, block) else self.players)
        ]

    def some_games(self, agent: int, places: range) -> list[Pairing]:
        """Return single games, numbered over all seats of all blocks."""
        return [self._game(agent, *divmod(place, self.seatings)) for place in places]

    def order(self, pairing: Pairing) -> GameOrder:
        """Return a game as an order that any worker can play."""
        agents = tuple(self.labels[agent] for agent in pairing.agents)
        return GameOrder(pairing.game_id, self.game, agents, pairing.seed, self._conditions, self._metrics)

    def game_of(self, _pairing: Pairing) -> str:
        """Return the spec of the game type."""
        return self.game

    def _game(self, agent: int, block: int, seat: int) -> Pairing:
        chance, opponent = divmod(block, max(self.opponents, 1))
        seats = [agent if self._is_alone(agent, block) else opponent] * self.players
        seats[seat] = agent
        seed = derive_seed(self._seed, "block", chance)
        return Pairing(game_id_of(block, agent, seat), block, agent, seat, tuple(seats), seed)

    def _is_alone(self, agent: int, block: int) -> bool:
        """Say whether the agent has all seats of a block."""
        return not self.opponents or self.labels[block % self.opponents] == self.labels[agent]


# --- queue: the games that a study asks for, returned in the order of its requests --------------------------------------
#
# So the result is the same on any number of workers. A study that goes on asks for the same games again and finds those
# that have been played in the ledger.


Place = tuple[int, int, int]


class Asked(Roster, Protocol):
    """The games that a study may ask for, such as those of `StudySchedule`; also the roster of their ledger."""

    def keep(self, folder: Path) -> None:
        """Keep the numbers that agents have in the ledger in ``folder``."""

    def order(self, pairing: Pairing) -> GameOrder:
        """Return a game as an order that any worker can play."""


class StudyInterruptedError(Exception):
    """Stop of a study on request; the games played so far are in the ledger."""


class GameQueue:
    """Queue of games in the order of a study's requests; a context manager. It plays those that the ledger lacks.

    Attributes:
        played: the number of games played, without those found in the ledger.
    """

    def __init__(
        self, folder: Path, games: Asked, workers: Workers, progress: Progress, is_stopped: Callable[[], bool]
    ) -> None:
        """Go on with the ledger in ``folder``, or begin it.

        Raises:
            DataError: the ledger has a newer version of the schema.
        """
        self._ledger = Ledger(folder, games)
        for sentence in self._ledger.quarantined:
            progress.say(sentence)
        games.keep(folder)
        self._known: dict[Place, GameRecord] = dict(read_records(folder))
        self._driver = Driver(self._ledger, games.order, workers, progress)
        self._progress = progress
        self._is_stopped = is_stopped
        self._waiting: deque[Pairing] = deque()
        self._arrived: dict[Place, GameRecord] = {}
        self.played = 0

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(self, error: type[BaseException] | None, *_more: object) -> None:
        """Finish, and merge the ledger unless there was an exception."""
        self.finish(merge=error is None)

    def ask(self, games: Sequence[Pairing]) -> None:
        """Have games played, after those that have been asked for before."""
        for game in games:
            known = self._known.pop(place(game), None)
            if known is None:
                self._waiting.append(game)
            else:
                self._arrived[place(game)] = known
                self._progress.skip(1)

    def take(self, games: Sequence[Pairing]) -> list[PlayedGame]:
        """Wait for games that have been asked for, and return them with their results.

        Raises:
            StudyInterruptedError: the study was asked to stop.
            TagError: a game breaks its contract, or the workers are lost.
        """
        if self._is_stopped():
            raise StudyInterruptedError
        while any(place(game) not in self._arrived for game in games):
            self._driver.fill(lambda: len(self._waiting), self._next)
            self._keep(self._driver.collect())
            if self._is_stopped():
                raise StudyInterruptedError
        return [PlayedGame(game, self._arrived.pop(place(game))) for game in games]

    @property
    def unasked(self) -> int:
        """Number of games of the ledger that have not been asked for."""
        return len(self._known)

    def finish(self, merge: bool) -> None:
        """Write the played games to the ledger; merge the ledger if all is done, without games that were not taken.

        If merged, it waits for games in flight, as the next queue needs free slots; otherwise these have a moment to end.
        """
        try:
            for played in self._driver.drain(lambda: merge and not self._is_stopped()):
                self._keep(played)
        finally:
            self._driver.flush()
        if merge:
            self._ledger.merge(without=[game_id_of(*where) for where in self._arrived])

    def _next(self, number: int) -> list[Pairing]:
        """Return the next games to be played."""
        return [self._waiting.popleft() for _ in range(min(number, len(self._waiting)))]

    def _keep(self, games: list[PlayedGame]) -> None:
        for game, record, _worker in games:
            self._arrived[place(game)] = record
        self.played += len(games)


# --- playing a study: parts of tuning and balancing ---------------------------------------------------------------------


@dataclass(frozen=True)
class Stages:
    """Folder, workers and progress for the stages of a study.

    Attributes:
        folder: of the study.
        workers: have been started.
        progress: shows the progress of the study.
        is_stopped: returns True if the study was asked to stop.
    """

    folder: Path
    workers: Workers
    progress: Progress
    is_stopped: Callable[[], bool]

    def queue(self, name: str, games: Asked) -> GameQueue:
        """Return the queue of a stage whose ledger is in the folder ``name`` of the study."""
        return GameQueue(self.folder / name, games, self.workers, self.progress, self.is_stopped)


def play_study(
    folder: Path,
    sources: Mapping[str, str],
    play: Callable[[Stages], None],
    report: Callable[[], object],
    *,
    workers: Workers,
    tracking: bool | str,
    progress: Progress,
    kind: RunType,
) -> None:
    """Play the missing games of a study until it is complete or interrupted, and write its report either way.

    Args:
        folder: of the study, which is open.
        sources: the text of users' files by name.
        play: plays all stages.
        report: writes the report from the folder.
        workers: are started.
        tracking: as in `tournaments.run_tournament`.
        progress: is closed in the end.
        kind: of the study's run in MLflow.
    """
    with tracked(progress, folder, tracking, workers.describe(), kind) as followed:
        status = FINISHED
        with Interruption() as interruption, interruption.as_the_reason():
            try:
                workers.start(sources)
                play(Stages(folder, workers, followed, lambda: interruption.requested))
            except StudyInterruptedError:
                status = KILLED
            finally:
                followed.close()
        report()
        followed.end(status)
