"""The games of a study: who sits where with which seed, played over a pool unless the ledger has them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Final, Protocol, Self

from tag.playing import Conditions, GameOrder, GameRecord
from tag.rng import derive_seed
from tournaments.designs.schedule import BatchSizes, Pairing, game_id_of
from tournaments.driver import Interruption
from tournaments.ledger.games import Ledger, Roster, read_labels, read_records
from tournaments.ledger.rows import PlayedGame
from tournaments.pool import Pool, PoolFactory
from tournaments.reports.text import Progress

# --- tables: who sits where in the games of a study, with which seed ----------------------------------------------------
#
# The agent in question sits in every seat of a block once, an opponent in all others; the opponents of a panel take turns
# from block to block, all of them with the same chance seeds. Where the agent meets itself, or plays a co-operative game
# without others, one game stands for all seatings, as they would be the same.


class Tables:
    """The games of a study, by the agent in question, the block and the seat; also the roster of their ledger.

    Agents have numbers: the opponents, in their order, and then whoever is entered. A spec that is entered has one number
    for ever, so games in the ledger are those of that agent, whatever has led a study to ask for them.

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
        """Begin with nobody but the ``opponents``; ``seed`` decides the chance seeds of all blocks."""
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
        """How many games a block has against others."""
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
        """Return a game as something that any process can play."""
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


# --- playing the games of a study: over a pool of workers, and only those that its ledger does not have -----------------
#
# A study asks for games in an order of its own and waits for them in that order, whatever order they are played in. So it
# comes to the same on any number of workers; and a study that goes on asks for the same games once more and finds those
# that have been played in the ledger.


_PATIENCE: Final = 0.2
_FLUSH_SECONDS: Final = 1.0
_FLUSH_GAMES: Final = 2_000
#: Every shard names all agents: where there are many, it is written less often.
_AGENTS_PER_SECOND: Final = 1_000
_DRAIN_SECONDS: Final = 3.0

#: No batch has the number of another, also of another player of the study: a pool may give a late answer to that.
_NUMBERS: Final = count(1)

Place = tuple[int, int, int]


class Orders(Roster, Protocol):
    """The games of a study, such as `tuning.search.player.Tables`; also the roster of their ledger."""

    def keep(self, folder: Path) -> None:
        """Keep the numbers that the ledger in ``folder`` knows, whatever has led to them."""

    def order(self, pairing: Pairing) -> GameOrder:
        """Return a game as something that any process can play."""


class StudyInterruptedError(Exception):
    """Somebody wants the study to stop; what has been played is in the ledger."""


class Player:
    """Plays games that are asked for, and writes them to the ledger of a study; a context that finishes in the end.

    Attributes:
        played: how many games have been played, and not found in the ledger.
    """

    def __init__(
        self, folder: Path, tables: Orders, pool: Pool, progress: Progress, is_stopped: Callable[[], bool]
    ) -> None:
        """Go on with the ledger in ``folder``, or begin it.

        Raises:
            DataError: the ledger has a newer version of the schema.
        """
        self._ledger = Ledger(folder, tables)
        for sentence in self._ledger.quarantined:
            progress.say(sentence)
        tables.keep(folder)
        self._known: dict[Place, GameRecord] = dict(read_records(folder))
        self._tables = tables
        self._pool = pool
        self._progress = progress
        self._is_stopped = is_stopped
        self._sizes = BatchSizes(pool.slots)
        self._waiting: deque[Pairing] = deque()
        self._in_flight: dict[int, tuple[list[Pairing], float]] = {}
        self._arrived: dict[Place, GameRecord] = {}
        self._unwritten: list[PlayedGame] = []
        self._next_flush = pool.now() + _FLUSH_SECONDS
        self.played = 0

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(self, error: type[BaseException] | None, *_more: object) -> None:
        """Finish, and merge the ledger unless something came in between."""
        self.finish(merge=error is None)

    def ask(self, games: Sequence[Pairing]) -> None:
        """Have games played, after those that have been asked for before."""
        for game in games:
            known = self._known.pop(_place(game), None)
            if known is None:
                self._waiting.append(game)
            else:
                self._arrived[_place(game)] = known
                self._progress.skip(1)

    def take(self, games: Sequence[Pairing]) -> list[PlayedGame]:
        """Wait for games that have been asked for, and return what came of them.

        Raises:
            StudyInterruptedError: somebody wants the study to stop.
            TagError: a game breaks its contract, or the workers are lost.
        """
        if self._is_stopped():
            raise StudyInterruptedError
        while any(_place(game) not in self._arrived for game in games):
            self._submit()
            self._collect()
            if self._is_stopped():
                raise StudyInterruptedError
        return [PlayedGame(game, self._arrived.pop(_place(game))) for game in games]

    @property
    def unasked(self) -> int:
        """How many games of the ledger have not been asked for."""
        return len(self._known)

    def finish(self, merge: bool) -> None:
        """Write down what has been played; merge the ledger if all is done, without games that nobody took.

        What is in flight then is waited for, as the next player needs free slots; otherwise it has a moment to end.
        """
        end = self._pool.now() + _DRAIN_SECONDS
        try:
            while self._in_flight and (self._pool.now() < end or (merge and not self._is_stopped())):
                self._collect()
        finally:
            self._flush()
        if merge:
            self._ledger.merge(without=[game_id_of(*place) for place in self._arrived])

    def _submit(self) -> None:
        """Fill the free slots."""
        while self._waiting and len(self._in_flight) < self._pool.slots:
            size = self._sizes.next(len(self._waiting))
            batch = [self._waiting.popleft() for _ in range(min(size, len(self._waiting)))]
            number = next(_NUMBERS)
            self._in_flight[number] = (batch, self._pool.now())
            self._pool.submit(number, [self._tables.order(game) for game in batch])

    def _collect(self) -> None:
        """Take what the pool has played, and write it down if enough has come together."""
        try:
            completed = self._pool.completed(_PATIENCE)
        except BaseException:
            self._in_flight.clear()  # the pool is good for nothing but closing then
            raise
        for number, records, worker in completed:
            batch, begin = self._in_flight.pop(number)
            self._sizes.learn(len(batch), self._pool.now() - begin)
            for game, record in zip(batch, records, strict=True):
                self._arrived[_place(game)] = record
                self._unwritten.append(PlayedGame(game, record, worker))
            self.played += len(records)
            self._progress.advance(len(records), sum(len(record.faults) for record in records))
        if len(self._unwritten) >= _FLUSH_GAMES or (self._unwritten and self._pool.now() >= self._next_flush):
            self._flush()

    def _flush(self) -> None:
        if self._unwritten:
            self._ledger.append(self._unwritten)
            self._unwritten = []
        self._next_flush = self._pool.now() + max(_FLUSH_SECONDS, len(self._tables.entries) / _AGENTS_PER_SECOND)


def is_played_to_end(
    run: Callable[[Pool, Callable[[], bool]], None],
    factory: PoolFactory,
    sources: Mapping[str, str],
    progress: Progress,
) -> bool:
    """Open a pool, run a study on it, and say whether that came to its end: whether nobody has interrupted it.

    Args:
        run: the study, called with the pool and with what says whether somebody wants it to stop.
        factory: makes the pool.
        sources: the text of users' files by name.
        progress: is closed in the end.
    """
    with Interruption() as interruption, interruption.as_the_reason():
        pool = factory(sources)
        try:
            run(pool, lambda: interruption.requested)
        except StudyInterruptedError:
            return False
        finally:
            progress.close()
            pool.close()
    return True


def _place(game: Pairing) -> Place:
    return game.block, game.matchup, game.seating
