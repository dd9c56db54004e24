"""What a study believes in its course: which configuration is the best by the model, and which trials fall behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt
from statistics import fmean
from typing import Final

import numpy as np
import optuna
import pandas as pd
from optuna.study import StudyDirection
from optuna.trial import FrozenTrial

from tag.errors import DataError
from tournaments.intervals import HALF_WIDTH
from tuning.block_deviation import BlockMoments
from tuning.configurations import Configuration
from tuning.models.bounds import within
from tuning.racing import Belief, Race
from tuning.samplers import BLOCK_VARIANCE, BLOCKS, GAMES, BgpSampler, ModelSampler, NtbeaBgpSampler
from tuning.search_space import SearchSpace
from tuning.trials import FinishedTrial

#: The model is asked for a recommendation so often in a study, for the curve and the next reference.
_LOOKS: Final = 50
#: The deviation between blocks counts as known from so many on (`tuning.racing`).
_FEWEST_FREE: Final = 32
#: After fewer games, two configurations with half of them each differ by more than 0.2 of a rate by luck (95 %).
FEWEST_GAMES: Final = 100
#: Fewer configurations have no best.
FEWEST_CONFIGURATIONS: Final = 3


@dataclass(frozen=True)
class Incumbent:
    """What the model recommends at some time.

    Attributes:
        games: how many games the search had played.
        spec: of the configuration.
        value: what the model takes the objective to be, luck aside.
        deviation: the standard deviation of that.
        pessimistic: the greatest lower end of a 95 % interval among the configurations that were tried; the nearer to the
            value, the more the search has converged.
        played: how many games the study knows of the configuration; 0 where it was never played, and the model alone
            speaks for it.
    """

    games: int
    spec: str
    value: float
    deviation: float
    pessimistic: float
    played: int


class Judge:
    """Learns from every trial that ends.

    Attributes:
        incumbents: what was recommended, in the course of the search.
    """

    def __init__(
        self, space: SearchSpace, study: optuna.Study, budget: int, bounds: tuple[float, float] = (-inf, inf)
    ) -> None:
        """Begin with what ``study`` knows; of several objectives, the first decides.

        Args:
            space: what is searched.
            study: what trials are told to; a sampler with a model of its own recommends by that.
            budget: the games of the search.
            bounds: the least and the greatest value that the objective can have.
        """
        self._bounds = bounds
        self.incumbents: list[Incumbent] = []
        direction, sampler = study.directions[0], study.sampler
        self._space = space
        self._sign = 1.0 if direction == StudyDirection.MAXIMIZE else -1.0
        self._is_own = len(study.directions) > 1  # models know a single objective
        self._study = optuna.create_study(direction=direction) if self._is_own else study
        own = sampler.process if isinstance(sampler, NtbeaBgpSampler) else sampler
        self._model = own if isinstance(own, BgpSampler) else BgpSampler(space.configurations)
        self._chooser = sampler if isinstance(sampler, ModelSampler) else self._model
        self._race = Race()
        self._reference: Belief | None = None
        self._blocks = BlockMoments()
        self._games = 0
        self._step = budget / _LOOKS
        self._next_look = 0.0

    def learn(self, trial: FinishedTrial, by_block: Sequence[float]) -> None:
        """Take note of a trial that has ended, and of the values of its blocks."""
        self._games += trial.games
        self._blocks.add(by_block)
        if trial.value is None:
            return
        if self._is_own:
            self._study.add_trial(
                known_trial(
                    self._space, trial.configuration, trial.value, trial.games, trial.blocks, trial.block_variance
                )
            )
        if self._games >= self._next_look:
            self._next_look = self._games + self._step
            self.look()

    def drops(self, by_block: Sequence[float], value: float | None = None) -> bool:
        """Say whether a trial is behind what is recommended, with the race's confidence.

        Args:
            by_block: the values of its blocks, which show how much they differ.
            value: of all its games together, which need not be the mean of the blocks, as with the minimum over opponents.
        """
        if self._reference is None or self._blocks.freedom < _FEWEST_FREE:
            return False
        off = 0.0 if value is None or not by_block else value - fmean(by_block)
        values = [self._sign * (one + off) for one in by_block]
        greatest = max(self._sign * bound for bound in self._bounds)
        blocks = self._blocks
        return self._race.drops(values, self._reference, blocks.deviation, self._sign * blocks.skewness, greatest)

    def look(self) -> Incumbent:
        """Return what is recommended by now, and make it the reference.

        Raises:
            DataError: no trial has a value.
        """
        known = self._known()
        if not known:
            raise DataError("no game of the search counts: all are void; see what went wrong in its ledger")
        tried = [trial.params for trial in known]
        found = self._chooser.recommend(self._study)
        if self._chooser is not self._model:
            self._model.recommend(self._study)
        active = self._space.configurations.active
        means, deviations = self._model.posterior([found, *map(active, tried)])
        self._reference = Belief(float(means[0]), float(deviations[0]))
        lower = float((means[1:] - HALF_WIDTH * deviations[1:]).max())
        spec = self._space.spec(found)
        played = sum(trial.user_attrs[GAMES] for trial in known if trial.user_attrs["spec"] == spec)
        shown, spread = within(self._sign * means[:1], deviations[:1], self._bounds)
        pessimistic = float(np.clip(self._sign * lower, *self._bounds))
        incumbent = Incumbent(self._games, spec, float(shown[0]), float(spread[0]), pessimistic, played)
        if self.incumbents and self.incumbents[-1].games == self._games:
            self.incumbents.pop()
        self.incumbents.append(incumbent)
        return incumbent

    def doubt(self, generations: int = 0) -> str:
        """Return in a sentence why nothing can be recommended after this search; empty where something can.

        Args:
            generations: how many there are in self-play, of which this search is the last; 0 without self-play.
        """
        where = f" in the last of {generations} generations" if generations else ""
        known = self._known()
        games = sum(trial.user_attrs[GAMES] for trial in known)
        configurations = len({trial.user_attrs["spec"] for trial in known})
        if games < FEWEST_GAMES:
            return (
                f"{games:,} games{where} are too few to recommend anything, as two configurations with half of them each "
                f"differ by up to {HALF_WIDTH / sqrt(games):.2f} by luck; it takes {FEWEST_GAMES}"
                + (f" in each (--games {FEWEST_GAMES * generations} or more)" if generations else " (--games)")
            )
        if configurations < FEWEST_CONFIGURATIONS:
            return (
                f"{configurations} configurations were played{where}, too few to recommend anything; it takes "
                f"{FEWEST_CONFIGURATIONS} (--games, --games-per-trial)"
            )
        if len({trial.value for trial in known}) == 1:
            return (
                f"all {configurations} configurations{where} came to the same value, {known[0].value:g}, so that nothing "
                "tells them apart; it takes other opponents (--versus) or another objective"
            )
        return ""

    def _known(self) -> list[FrozenTrial]:
        """Return the trials with a value."""
        return [trial for trial in self._study.get_trials(deepcopy=False) if trial.value is not None]


def known_trial(
    space: SearchSpace,
    configuration: Configuration,
    value: float,
    games: int,
    blocks: int = 0,
    block_variance: float = 0.0,
) -> FrozenTrial:
    """Return what is known of a configuration, the mean value of so many games, as a trial to be added to a study.

    With fewer than two ``blocks`` nothing is known of how much these games differ.
    """
    kinds = space.configurations.distributions
    return optuna.trial.create_trial(
        params=configuration,
        distributions={name: kinds[name] for name in configuration},
        value=value,
        user_attrs={GAMES: games, BLOCKS: blocks, BLOCK_VARIANCE: block_variance, "spec": space.spec(configuration)},
    )


def incumbents_frame(incumbents: Sequence[Incumbent]) -> pd.DataFrame:
    """Return one row per recommendation, in the order of games."""
    return pd.DataFrame([vars(one) for one in incumbents], columns=list(Incumbent.__dataclass_fields__))
