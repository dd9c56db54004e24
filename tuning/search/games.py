"""The games of a study: their schedule, the queue that plays them, and the search that asks for them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import variance
from typing import Any, Final, Protocol, Self, TypeVar

import numpy as np
import optuna
from optuna.trial import TrialState

from tag.cluster import Workers
from tag.engine.rng import derive_seed
from tag.errors import ParameterError
from tag.orders import Conditions, GameOrder, GameRecord
from tag.tournaments.designs.games import Pairing, PlannedGames, game_id_of, place
from tag.tournaments.designs.schedule import seeds_of
from tag.tournaments.driver.driver import Driver
from tag.tournaments.driver.events import Listeners, PlayListener
from tag.tournaments.driver.interruption import Interruption
from tag.tournaments.ledger.games import read_labels, read_records
from tag.tournaments.ledger.identity import Binding
from tag.tournaments.ledger.rows import MEASURES, PlayedGame
from tag.tournaments.ledger.writing import Ledger
from tag.tournaments.statistics.intervals import Ints
from tag.tournaments.tracking.tracker import FINISHED, KILLED, RunType, tracked
from tag.tuning.objectives import Callback
from tag.tuning.samplers.model_sampler import BLOCK_VARIANCE, BLOCKS, GAMES
from tag.tuning.search.trials import COMPLETE, DROPPED, VOID, FinishedTrial, Trial, standard_error
from tag.tuning.space.configurations import Configuration, Configurations

# --- schedule: seats and seeds of a study's games -----------------------------------------------------------------------
#
# The agent in question sits in every seat of a block once, an opponent in all others; the opponents of a panel take turns
# from block to block, all of them with the same chance seeds. Where the agent meets itself, or plays a co-operative game
# without others, one game stands for all seatings, as they would be the same.


class GameSchedule:
    """Games that a study may ask for, by number; also the plan of their ledger (`tag.tournaments.ledger.identity`).

    Attributes:
        labels: the specs of the agents by number.
        players: the seats of each game.
        metrics: the names of the metrics that measure each game.
        record_actions: no ledger of a study keeps actions: there are too many, and they can be played again.
        is_open: the search enters more agents or candidates, and their ledger names them.
        most_games: how many they play is not known beforehand.
    """

    labels: Sequence[str]
    record_actions = False
    is_open = True
    most_games = None

    def __init__(self, players: int, seed: int, conditions: Conditions | None, metrics: tuple[str, ...]) -> None:
        """Begin without games, which are played under some conditions and measured by metrics.

        ``seed`` decides the chance seeds of all blocks.
        """
        self.players = players
        self.metrics = metrics
        self._seed = seed
        self._conditions = conditions or Conditions()

    @property
    def entries(self) -> Sequence[str]:
        """The agents by number, as `tag.tournaments.ledger.identity.LedgerAgents` asks for them."""
        return self.labels

    @property
    def fixed(self) -> dict[str, Any]:
        """What decides all games; conditions only where they are set."""
        usual = asdict(Conditions())
        said = {name: value for name, value in asdict(self._conditions).items() if value != usual[name]}
        return {"players": self.players, "seed": self._seed, "metrics": list(self.metrics), **said}

    def planned(self, places: Ints, entries: Sequence[str], thorough: bool) -> PlannedGames:
        """Return what the games at some places must be; agents and candidates are those that the ledger names."""
        raise NotImplementedError

    def keep(self, folder: Path) -> None:
        """Keep the numbers that specs have in the ledger in ``folder``, which was begun before."""
        raise NotImplementedError

    def game_of(self, pairing: Pairing) -> str:
        """Return the spec of the game type."""
        raise NotImplementedError

    def order(self, pairing: Pairing) -> GameOrder:
        """Return a game as an order that any worker can play."""
        agents = tuple(self.labels[agent] for agent in pairing.agents)
        game = self.game_of(pairing)
        return GameOrder(pairing.game_id, game, agents, pairing.seed, self._conditions, self.metrics)


class StudySchedule(GameSchedule):
    """The games of a study, by the agent in question, the block and the seat; also the roster of their ledger.

    Agents have numbers: the opponents, in their order, and then the agents that are entered. A spec keeps its number
    for ever, so games in the ledger are those of that agent, independently of the stage that asked for them.

    Attributes:
        opponents: how many opponents take turns; 0 where the agent has all seats.
    """

    labels: list[str]

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
        super().__init__(players, seed, conditions, metrics)
        self.game = game
        self.labels = list(opponents)
        self.opponents = len(opponents)
        self._numbers: dict[str, int] = {}

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

    def game_of(self, _pairing: Pairing) -> str:
        """Return the spec of the game type."""
        return self.game

    @property
    def fixed(self) -> dict[str, Any]:
        """The same with the game and the number of opponents, which are the first agents."""
        return {**super().fixed, "game": self.game, "opponents": self.opponents}

    def planned(self, places: Ints, entries: Sequence[str], thorough: bool) -> PlannedGames:
        """Return what the games at some places must be."""
        block, agent, seat = places.T
        exist = np.all(places >= 0, axis=1) & (agent < len(entries)) & (seat < self.players)
        chance, opponent = np.divmod(block, max(self.opponents, 1))
        labels = np.array([*entries, ""], dtype=object)
        is_alone = labels[opponent % len(labels)] == labels[np.where(exist, agent, -1)] if self.opponents else exist
        agents = np.repeat(np.where(is_alone, agent, opponent)[:, None], self.players, axis=1)
        agents[exist, seat[exist]] = agent[exist]
        return PlannedGames(exist, seeds_of(self._seed, chance), agents, [self.game])

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


@dataclass(frozen=True)
class Origin:
    """What the games of a study follow from, beside its definition.

    Attributes:
        versions: of tag, the game type and others, at the start.
        sources: the text of users' files that games depend on, by name.
    """

    versions: Mapping[str, str] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)


class StudyInterruptedError(Exception):
    """Stop of a study on request; the games played so far are in the ledger."""


class GameQueue:
    """Queue of games in the order of a study's requests; a context manager. It plays those that the ledger lacks.

    Attributes:
        played: the number of games played, without those found in the ledger.
    """

    def __init__(
        self,
        folder: Path,
        games: GameSchedule,
        workers: Workers,
        progress: PlayListener,
        is_stopped: Callable[[], bool],
        origin: Origin = Origin(),
    ) -> None:
        """Go on with the ledger in ``folder``, or begin it; `DataError` where it has a newer version of the schema."""
        binding = Binding(games, origin.versions, origin.sources)
        self._ledger = Ledger(folder, games, binding)
        for sentence in self._ledger.quarantined:
            progress.say(sentence)
        games.keep(folder)
        lost = set(self._ledger.lacking(MEASURES))  # these games are played again: their measures decide the study
        self._known: dict[Place, GameRecord] = {
            at: record for at, record in read_records(folder, binding) if record.game_id not in lost
        }
        self._driver = Driver(self._ledger, games.order, workers, progress)
        self._progress = progress
        self._is_stopped = is_stopped
        self._waiting: deque[Pairing] = deque()
        self._arrived: dict[Place, GameRecord] = {}
        self.played = 0

    def __enter__(self) -> Self:
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
        self.check()
        while any(place(game) not in self._arrived for game in games):
            self._driver.fill(lambda: len(self._waiting), self._next)
            self._keep(self._driver.collect())
            self.check()
        return [PlayedGame(game, self._arrived.pop(place(game))) for game in games]

    def check(self) -> None:
        """Raise `StudyInterruptedError` if the study was asked to stop."""
        if self._is_stopped():
            raise StudyInterruptedError

    @property
    def unasked(self) -> int:
        """Number of games of the ledger that have not been asked for."""
        return len(self._known)

    def finish(self, merge: bool) -> None:
        """Write the played games to the ledger; merge the ledger if all is done, without games that were not taken.

        If merged, it waits for games in flight, as the next queue needs free slots; otherwise these have a moment to
        end.
        """
        try:
            for played in self._driver.drain(lambda: merge and not self._is_stopped()):
                self._keep(played)
        finally:
            self._driver.flush()
        if merge:
            self._ledger.merge(without=[game_id_of(*where) for where in self._arrived])

    def _next(self, number: int) -> list[Pairing]:
        return [self._waiting.popleft() for _ in range(min(number, len(self._waiting)))]

    def _keep(self, games: list[PlayedGame]) -> None:
        for game, record, _worker in games:
            self._arrived[place(game)] = record
        self.played += len(games)


# --- search -------------------------------------------------------------------------------------------------------------
#
# The search: parallel trials, whose games are committed in order. At each commit the next one is asked for.
#
# A fixed number of trials is live. Their steps form a queue. Games are played in any order, but steps are taken from the
# queue in order. Each decision (prune a trial, ask the sampler for the next) depends only on the steps before it. So the
# study is a function of its definition and of its games: the same for any number of workers, interrupted or not. No worker
# waits for another as long as more trials are live than workers.
#
# A study that was given more games had a smaller budget before. Its search first spends that one to the end, as it did
# then, and goes on from there. So all trials of the shorter study are the beginning of the longer one's.


#: Times in a row that a sampler without knowledge of constraints may violate them.
_TRIES: Final = 100


class Problem(Protocol):
    """Problem of a search: the games of a configuration and their value."""

    configurations: Configurations
    games_per_trial: int  # at most
    bounds: tuple[float, float]  # of the values of blocks

    def begin(self, number: int, configuration: Configuration) -> tuple[int, list[list[Pairing]]]:
        """Return the agent's number in the ledger, and the games of trial ``number``, rung by rung."""

    def spec(self, configuration: Configuration) -> str:
        """Return the spec that a configuration stands for."""

    def values(self, agent: int, games: Sequence[PlayedGame]) -> Sequence[float] | None:
        """Return the value of each objective; None where no game counts."""

    def by_block(self, agent: int, games: Sequence[PlayedGame]) -> list[float]:
        """Return the first value in the games of each block; none if its error does not follow from them."""

    def prunes(self, trial: Trial) -> bool:
        """Say whether to prune a trial with rungs left."""

    def finished(self, trial: Trial, found: FinishedTrial, by_block: Sequence[float]) -> None:
        """Learn from a finished trial, from its results and from its values by block."""

    def look(self) -> None:
        """Note the best so far, if anything is known."""


class Search:
    """Spends budgets of games, one after the other, on configurations that a sampler asks for.

    Attributes:
        study: Optuna's, in memory.
        trials: those that have ended, in the order in which they did.
        games: how many games they have played.
        dropped: how many of them were pruned.
        begun: when each trial was asked for, by its number.
        ended: when each ended that did.
    """

    def __init__(
        self,
        problem: Problem,
        study: optuna.Study,
        queue: GameQueue,
        budgets: Sequence[int],
        live: int,
        callbacks: Sequence[Callback] = (),
    ) -> None:
        """Search with the sampler of ``study``, with ``live`` trials at once; ``callbacks`` are told of each that ends.

        Each of the ``budgets`` includes those before it.
        """
        self.study = study
        self.trials: list[FinishedTrial] = []
        self.games = 0
        self.dropped = 0
        self.begun: dict[int, datetime] = {}
        self.ended: dict[int, datetime] = {}
        self._problem = problem
        self._queue = queue
        self._budgets = tuple(budgets)
        self._left = 0
        self._live = live
        self._line: deque[Trial] = deque()
        self._callbacks = callbacks
        self._is_ending = False
        study.stop = self.stop  # type: ignore[method-assign]  # Optuna's own is for its own loop

    @property
    def live(self) -> int:
        """Number of parallel trials."""
        return len(self._line)

    def stop(self) -> None:
        """Ask for no further trials: those in play are the last. Callbacks call it as ``study.stop()``."""
        self._is_ending = True

    def run(self, follow: Callable[[], None] = lambda: None) -> None:
        """Play until the budgets are spent, note the best at the end of each, and call ``follow`` after every step.

        Raises:
            StudyInterruptedError: the study was asked to stop.
        """
        for before, budget in zip((0, *self._budgets), self._budgets, strict=False):
            self._left += budget - before
            self._spend(follow)
            self._problem.look()

    def _spend(self, follow: Callable[[], None]) -> None:
        self._fill()
        while self._line:
            trial = self._line.popleft()
            rung = trial.rungs.pop(0)
            trial.games += self._queue.take(rung)
            self.games += len(rung)
            if trial.rungs:
                self._note(trial)
            if trial.rungs and not self._problem.prunes(trial):
                self._line_up(trial)
            else:
                self._end(trial)
            self._fill()
            follow()

    def _fill(self) -> None:
        """Ask for trials until enough are live or the budget has no room for another."""
        while not self._is_ending and len(self._line) < self._live and self._left >= self._problem.games_per_trial:
            trial = self._ask()
            self._left -= trial.planned
            self._line_up(trial)

    def _line_up(self, trial: Trial) -> None:
        self._queue.ask(trial.rungs[0])
        self._line.append(trial)

    def _note(self, trial: Trial) -> None:
        """Note the value of a trial after a rung, unless there are several objectives or no game counts."""
        values = self._problem.values(trial.agent, trial.games)
        if values is not None and len(values) == 1:
            trial.values.append((_counted(trial.games), values[0]))

    def _ask(self) -> Trial:
        """Return a new trial with a configuration that meets the constraints.

        Where the sampler finds none, this is a neighbour of what it proposes.
        """
        configurations = self._problem.configurations
        for tries in range(_TRIES + 1):
            self._queue.check()
            asked = self.study.ask()
            configuration = configurations.suggest(asked)
            if configurations.is_valid(configuration):
                agent, rungs = self._problem.begin(asked.number, configuration)
                self.begun[asked.number] = datetime.now(UTC)
                return Trial(asked, agent, configuration, rungs)
            self.study.tell(asked, state=TrialState.FAIL)
            if tries == _TRIES - 1:
                self.study.enqueue_trial(configurations.neighbour(configuration, np.random.default_rng(asked.number)))
        raise ParameterError(
            "no configuration near those that the sampler proposes meets the constraints; take another"
        )

    def _end(self, trial: Trial) -> None:
        """Report the trial to the study, and return the unplayed games of a pruned trial to the budget."""
        self._left += trial.planned
        values = self._problem.values(trial.agent, trial.games)
        state = VOID if values is None else DROPPED if trial.rungs else COMPLETE
        played = _counted(trial.games)
        spec = self._problem.spec(trial.configuration)
        by_block = self._problem.by_block(trial.agent, trial.games)
        block_variance = variance(by_block) if len(by_block) > 1 else 0.0
        trial.optunas.set_user_attr(GAMES, played)
        trial.optunas.set_user_attr(BLOCKS, len(by_block))
        trial.optunas.set_user_attr(BLOCK_VARIANCE, block_variance)
        trial.optunas.set_user_attr("spec", spec)
        if values is None:
            told = self.study.tell(trial.optunas, state=TrialState.FAIL)
        elif state == DROPPED:
            if not trial.is_reported:
                trial.optunas.report(values[0], step=played)
            told = self.study.tell(trial.optunas, state=TrialState.PRUNED)
        else:
            told = self.study.tell(trial.optunas, list(values))
        last = [(played, values[0])] if values is not None and trial.values and state == COMPLETE else []
        found = FinishedTrial(
            trial.optunas.number,
            trial.agent,
            spec,
            trial.configuration,
            played,
            () if values is None else tuple(values),
            standard_error(by_block, self._problem.bounds),
            state,
            trial.planned,
            len(by_block),
            block_variance,
            (*trial.values, *last),
        )
        self.ended[found.number] = datetime.now(UTC)
        self.trials.append(found)
        self.dropped += state == DROPPED
        self._problem.finished(trial, found, by_block)
        for callback in self._callbacks:
            callback(self.study, told)


def _counted(games: Sequence[PlayedGame]) -> int:
    """Return how many of the games count."""
    return sum(not game.record.void for game in games)


# --- playing a study: parts of tuning and balancing ---------------------------------------------------------------------


R = TypeVar("R")


@dataclass(frozen=True)
class Stages:
    """Folder, workers and progress for the stages of a study; ``is_stopped`` returns True if it was asked to stop."""

    folder: Path
    workers: Workers
    progress: PlayListener
    is_stopped: Callable[[], bool]
    origin: Origin = Origin()

    def queue(self, name: str, games: GameSchedule) -> GameQueue:
        """Return the queue of a stage whose ledger is in the folder ``name`` of the study."""
        return GameQueue(self.folder / name, games, self.workers, self.progress, self.is_stopped, self.origin)


def play_study(
    folder: Path,
    sources: Mapping[str, str],
    play: Callable[[Stages], None],
    report: Callable[[], R],
    *,
    workers: Workers,
    tracking: bool | str,
    progress: PlayListener,
    kind: RunType,
    is_complete: bool = False,
    origin: Origin = Origin(),
) -> R:
    """Play the missing games of a study until it is complete or interrupted, report it either way, and return the results.

    Args:
        folder: of the study, which is open.
        sources: the text of users' files by name.
        play: plays all stages.
        report: writes the report from the folder, if it is not there, and returns the results that are reported.
        workers: are started.
        tracking: as in `tournaments.run_tournament`.
        progress: is closed in the end.
        kind: of the study's run in MLflow.
        is_complete: whether all has been played, so that only report and run may be missing.
        origin: what its games follow from, which their ledgers name.
    """
    events = Listeners(progress)
    with tracked(events, folder, tracking, workers.describe(), kind):
        status = FINISHED
        with Interruption(events.say) as interruption, interruption.as_the_reason():
            try:
                if not is_complete:
                    workers.start(sources)
                    play(Stages(folder, workers, events, lambda: interruption.requested, origin))
            except StudyInterruptedError:
                status = KILLED
            finally:
                events.close()
        results = report()
        events.end(status)
    return results
