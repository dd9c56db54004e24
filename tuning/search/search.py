"""The search: parallel trials, whose games are committed in order. At each commit the next one is asked for.

A fixed number of trials is live. Their steps form a queue. Games are played in any order, but steps are taken from the
queue in order. Each decision (prune a trial, ask the sampler for the next) depends only on the steps before it. So the
study is a function of its definition and of its games: the same for any number of workers, interrupted or not. No worker
waits for another as long as more trials are live than workers.

A study that was given more games had a smaller budget before. Its search first spends that one to the end, as it did
then, and goes on from there. So all trials of the shorter study are the beginning of the longer one's.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from statistics import variance
from typing import Final, Protocol

import numpy as np
import optuna
from optuna.trial import TrialState

from tag.errors import ParameterError
from tag.tournaments.designs.games import Pairing
from tag.tournaments.ledger.rows import PlayedGame
from tag.tuning.samplers.model_sampler import BLOCK_VARIANCE, BLOCKS, GAMES
from tag.tuning.samplers.users_code import Callback
from tag.tuning.search.trials import COMPLETE, DROPPED, VOID, FinishedTrial, Trial, standard_error
from tag.tuning.space.configurations import Configuration, Configurations
from tag.tuning.study.queue import GameQueue

#: Times in a row that a sampler without knowledge of constraints may violate them.
_TRIES: Final = 100


class SearchProblem(Protocol):
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
        problem: SearchProblem,
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
