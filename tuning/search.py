"""The search: configurations in play at once, their games committed in order, and the next one asked for at each commit.

A fixed number of trials is live. Their steps stand in a line; games are played in any order, but steps are taken from
the line in turn, and what is decided then (drop a trial, ask the sampler for the next) depends on the steps before alone.
So the study is a function of its definition and of its games: the same for any number of workers, interrupted or not,
and no worker waits for another as long as more trials are live than workers.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from statistics import variance
from typing import Final, Protocol

import optuna
from optuna.trial import TrialState

from tag.errors import ParameterError
from tournaments import Pairing, PlayedGame
from tuning.configurations import Configuration, Configurations
from tuning.player import Player
from tuning.samplers import BLOCK_VARIANCE, BLOCKS, GAMES
from tuning.trials import COMPLETE, DROPPED, VOID, FinishedTrial, Trial, standard_error
from tuning.users_code import Callback

#: How often a sampler that knows nothing of constraints may miss them in a row.
_TRIES: Final = 100


class Problem(Protocol):
    """What is searched: who plays what for a configuration, and what its games are worth."""

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
        """Return the first value in the games of each block; none where that is not what tells of its error."""

    def drops(self, trial: Trial) -> bool:
        """Say whether a trial with rungs left is not worth playing on."""

    def finished(self, trial: Trial, found: FinishedTrial, by_block: Sequence[float]) -> None:
        """Take note of a trial that the study has been told of, of what was found, and of its values by block."""


class Search:
    """Spends a budget of games on configurations that a sampler asks for.

    Attributes:
        study: Optuna's, in memory.
        trials: those that have ended, in the order in which they did.
        games: how many games they have played.
        dropped: how many of them were dropped.
    """

    def __init__(
        self,
        problem: Problem,
        study: optuna.Study,
        player: Player,
        budget: int,
        live: int,
        callbacks: Sequence[Callback] = (),
    ) -> None:
        """Search with the sampler of ``study``, with ``live`` trials at once; ``callbacks`` are told of each that ends."""
        self.study = study
        self.trials: list[FinishedTrial] = []
        self.games = 0
        self.dropped = 0
        self._problem = problem
        self._player = player
        self._left = budget
        self._live = live
        self._line: deque[Trial] = deque()
        self._callbacks = callbacks
        self._is_ending = False
        study.stop = self.stop  # type: ignore[method-assign]  # Optuna's own is for its own loop

    @property
    def live(self) -> int:
        """How many trials are in play."""
        return len(self._line)

    def stop(self) -> None:
        """Ask for no further trials: those in play are the last. Callbacks call it as ``study.stop()``."""
        self._is_ending = True

    def run(self, follow: Callable[[], None] = lambda: None) -> None:
        """Play until the budget is spent, and call ``follow`` after every step.

        Raises:
            StudyInterruptedError: somebody wants the study to stop.
        """
        self._fill()
        while self._line:
            trial = self._line.popleft()
            rung = trial.rungs.pop(0)
            trial.games += self._player.take(rung)
            self.games += len(rung)
            if trial.rungs and not self._problem.drops(trial):
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
        self._player.ask(trial.rungs[0])
        self._line.append(trial)

    def _ask(self) -> Trial:
        """Return a new trial with a configuration that meets the constraints."""
        for _try in range(_TRIES):
            asked = self.study.ask()
            configuration = self._problem.configurations.suggest(asked)
            if self._problem.configurations.is_valid(configuration):
                agent, rungs = self._problem.begin(asked.number, configuration)
                return Trial(asked, agent, configuration, rungs)
            self.study.tell(asked, state=TrialState.FAIL)
        raise ParameterError(
            f"the sampler found no configuration in {_TRIES} tries that meets the constraints; take another with --sampler"
        )

    def _end(self, trial: Trial) -> None:
        """Tell the study, and give back the games that a dropped trial has not played."""
        self._left += trial.planned
        values = self._problem.values(trial.agent, trial.games)
        state = VOID if values is None else DROPPED if trial.rungs else COMPLETE
        played = sum(not game.record.void for game in trial.games)
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
        )
        self.trials.append(found)
        self.dropped += state == DROPPED
        self._problem.finished(trial, found, by_block)
        for callback in self._callbacks:
            callback(self.study, told)
