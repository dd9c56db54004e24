"""The model in the course of a search: the incumbent, and the trials that fall behind it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import hypot, inf, isfinite, sqrt
from statistics import fmean
from typing import Any, Final

import numpy as np
import optuna
from optuna.study import StudyDirection
from optuna.trial import FrozenTrial

from tag.tournaments.statistics.intervals import HALF_WIDTH, half_width_text
from tag.tuning.samplers import NtbeaBgpSampler
from tag.tuning.samplers.bgp import BgpSampler
from tag.tuning.samplers.model_sampler import GAMES, ModelSampler
from tag.tuning.samplers.noise import within
from tag.tuning.search.gains import Gains, without_idle_changes
from tag.tuning.search.race import BlockMoments, Race, ValuePrior
from tag.tuning.search.trials import FinishedTrial, KnownTrial
from tag.tuning.space import SearchSpace
from tag.tuning.space.configurations import Configuration
from tag.tuning.space.ranges import shown

#: Number of recommendations of the model in a study, for the curve and the next reference.
_LOOKS: Final = 50
#: The deviation between blocks counts as known from so many blocks on (`tag.tuning.search.trials`).
_FEWEST_FREE: Final = 32
#: After fewer games, two configurations with half of them each differ by more than 0.2 of a rate by luck (95 %).
FEWEST_GAMES: Final = 100
#: Least number of configurations for a recommendation.
FEWEST_CONFIGURATIONS: Final = 3


@dataclass(frozen=True)
class Incumbent:
    """Recommendation of the model after so many ``games`` of the search.

    Attributes:
        value: the model's estimate of the objective, without luck, with its standard ``deviation``.
        pessimistic: the greatest lower end of a 95 % interval among the tried configurations; the nearer to the value, the
            more the search has converged.
        played: how many games the study knows of the configuration; 0 if only the model supports it.
        shared: the part of the deviation that all configurations share, as they play the same chance seeds.
    """

    games: int
    spec: str
    value: float
    deviation: float
    pessimistic: float
    played: int
    shared: float = 0.0

    @property
    def text(self) -> str:
        """Its value with half the length of its 95 % interval, and its spec."""
        return f"{self.value:.3f} ± {half_width_text(HALF_WIDTH * self.deviation, '.3f')}: {shown(self.spec)}"

    def row(self) -> dict[str, Any]:
        """Return the incumbent's row of ``incumbents.parquet``."""
        return vars(self)


class SharedLuck:
    """The luck of chance seeds that configurations have in common.

    A seed that suits all configurations raises the values of all, and the model, which compares them, cannot see it. Its
    variance V follows from the residuals of trials, the values of their blocks less their mean: the mean residual of a seed
    over c trials has the variance V + (W - V) / c, where W is that of single blocks.

    >>> luck = SharedLuck()
    >>> for _trial in range(50):
    ...     luck.add(range(4), [0.0, 1.0, 0.0, 1.0])
    >>> round(luck.deviation, 3)  # of a mean over these four seeds
    0.289
    """

    def __init__(self) -> None:
        self._sums: dict[int, float] = {}
        self._trials: dict[int, int] = {}
        self._squares = 0.0
        self._freedom = 0

    def add(self, seeds: Iterable[int], by_block: Sequence[float]) -> None:
        """Count a trial by the values of its blocks and the numbers of their chance seeds."""
        if len(by_block) < 2:
            return
        mean = fmean(by_block)
        self._freedom += len(by_block) - 1
        for seed, value in zip(seeds, by_block, strict=True):
            self._sums[seed] = self._sums.get(seed, 0.0) + value - mean
            self._trials[seed] = self._trials.get(seed, 0) + 1
            self._squares += (value - mean) ** 2

    @property
    def deviation(self) -> float:
        """The standard deviation of what all values share; 0 where seeds do not repeat."""
        trials = np.array([self._trials[seed] for seed in self._sums if self._trials[seed] > 1], dtype=np.float64)
        if len(trials) < 2:
            return 0.0
        sums = np.array([self._sums[seed] for seed in self._sums if self._trials[seed] > 1])
        between = float(((sums / trials) ** 2).sum()) / (len(trials) - 1)
        rest = float((1.0 / trials).mean())
        variance = (between - self._squares / self._freedom * rest) / (1.0 - rest)
        every = np.array(list(self._trials.values()), dtype=np.float64)
        weights = every / every.sum()
        return sqrt(max(variance, 0.0) * float(weights @ weights))


class IncumbentModel:
    """Learns from every trial that ends, and keeps the recommendations in the course of the search as ``incumbents``."""

    def __init__(
        self,
        space: SearchSpace,
        study: optuna.Study,
        budgets: Sequence[int],
        bounds: tuple[float, float] = (-inf, inf),
    ) -> None:
        """Begin with the trials of ``study``; of several objectives, the first decides.

        Args:
            space: the search space.
            study: the Optuna study of the trials; a sampler with a model of its own recommends by that model.
            budgets: the games of the search, one budget after the other.
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
        self._has_fitted = self._model in (self._chooser, own)  # the chooser fits it before it recommends
        self._race = Race()
        self._reference: ValuePrior | None = None
        self._blocks = BlockMoments()
        self._luck = SharedLuck()
        self._games = 0
        self._budgets = tuple(budgets)
        self._next_look = 0.0
        #: The configurations of which no game counts.
        self._void: set[str] = set()

    def learn(self, trial: FinishedTrial, by_block: Sequence[float], seeds: Sequence[int] = ()) -> None:
        """Learn from a trial that has ended, and from the values of its blocks and the numbers of their chance seeds."""
        self._games += trial.games
        self._blocks.add(by_block)
        if len(seeds) == len(by_block):
            self._luck.add(seeds, by_block)
        if trial.value is None:
            self._void.add(trial.spec)
            return
        if self._is_own:
            self._study.add_trial(
                KnownTrial(trial.spec, trial.games, trial.value, trial.blocks, trial.block_variance).of_optuna(
                    self._space
                )
            )
        if self._games >= self._next_look:
            budget = next((one for one in self._budgets if one >= self._games), self._budgets[-1])
            self._next_look = self._games + budget / _LOOKS
            self.look()

    def prunes(self, by_block: Sequence[float]) -> bool:
        """Say whether a trial with blocks of these values is behind the incumbent, with the race's confidence."""
        if self._reference is None or self._blocks.freedom < _FEWEST_FREE:
            return False
        values = [self._sign * one for one in by_block]
        greatest = max(self._sign * bound for bound in self._bounds)
        blocks = self._blocks
        return self._race.prunes(values, self._reference, blocks.deviation, self._sign * blocks.skewness, greatest)

    def look(self) -> None:
        """Note the incumbent, and make it the reference, if any trial has a value."""
        known = self._known()
        if not known:
            return
        found = self._chooser.recommend(self._study)
        if not self._has_fitted:
            self._model.recommend(self._study)
        self._note(found, known)

    def revert(self, lost: float) -> Incumbent:
        """Take back the least certain changes of the last incumbent, which are believed to gain nothing; return the rest.

        It is for the end of a search, after a look; ``lost`` is the share of the believed gain that may be lost.
        """
        space = self._space
        last = space.configuration(self.incumbents[-1].spec)
        return self.replace(without_idle_changes(self._model, space.configurations, last, space.nearest, lost))

    def gains(self) -> Gains:
        """Return what the model believes of each change of the last incumbent."""
        space = self._space
        last = space.configuration(self.incumbents[-1].spec)
        return Gains.by_the_model(self._model, space.configurations, last, space.nearest)

    def replace(self, found: Configuration) -> Incumbent:
        """Make a configuration the last incumbent, unless all of its games were void."""
        spec, last = self._space.spec(found), self.incumbents[-1]
        return last if spec == last.spec or spec in self._void else self._note(found, self._known())

    def _note(self, found: Configuration, known: Sequence[FrozenTrial]) -> Incumbent:
        """Make a configuration the incumbent and the reference, by what the model learnt from the ``known`` trials."""
        active = self._space.configurations.active
        means, deviations = self._model.posterior([found, *(active(trial.params) for trial in known)])
        self._reference = ValuePrior(float(means[0]), float(deviations[0]))
        shared = self._luck.deviation
        lower = float((means[1:] - HALF_WIDTH * np.hypot(deviations[1:], shared)).max())
        spec = self._space.spec(found)
        played = sum(trial.user_attrs[GAMES] for trial in known if trial.user_attrs["spec"] == spec)
        shown, spread = within(self._sign * means[:1], deviations[:1], self._bounds)
        pessimistic = float(np.clip(self._sign * lower, *self._bounds))
        deviation = hypot(float(spread[0]), shared)
        incumbent = Incumbent(self._games, spec, float(shown[0]), deviation, pessimistic, played, shared)
        if self.incumbents and self.incumbents[-1].games == self._games:
            self.incumbents.pop()
        self.incumbents.append(incumbent)
        return incumbent

    def doubt(self, generations: int = 0) -> str:
        """Return a sentence on why this search has no recommendation; empty if it has one.

        Args:
            generations: how many there are in self-play, of which this search is the last; 0 without self-play.
        """
        where = f" in the last of {generations} generations" if generations else ""
        known = self._known()
        games = sum(trial.user_attrs[GAMES] for trial in known)
        configurations = len({trial.user_attrs["spec"] for trial in known})
        if games < FEWEST_GAMES:
            luck = (
                f", as two configurations with half of them each differ by up to {HALF_WIDTH / sqrt(games):.2f} by luck"
            )
            return (
                f"{games:,} games{where} are too few to recommend anything{luck if isfinite(self._bounds[1]) else ''}; "
                f"it takes {FEWEST_GAMES}"
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
        return [trial for trial in self._study.get_trials(deepcopy=False) if trial.value is not None]
