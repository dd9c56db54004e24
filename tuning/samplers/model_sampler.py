"""Parts that samplers with a model share: trials read once, and grids of configurations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import isfinite, prod
from threading import RLock
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from optuna.distributions import BaseDistribution, CategoricalDistribution
from optuna.samplers import BaseSampler
from optuna.study import Study, StudyDirection
from optuna.trial import FrozenTrial, TrialState

from tag.engine.parameters import Wanted
from tag.tuning.space.configurations import Configuration, Configurations, draw, levels_of

# --- grid points: configurations whose numbers are cut into levels, many at a time --------------------------------------


Ints = npt.NDArray[np.int64]

#: How often a number that changes moves by little, and by which share of its levels at most.
_LOCAL: Final = 0.6
_NEAR: Final = 0.12


class Levels:
    """The levels of each parameter, by number; the number after the last stands for a parameter without effect.

    Attributes:
        choices: how many values each parameter has, shape (parameters,).
        sizes: how many levels, that without effect included.
        n_points: the points there are.
    """

    def __init__(self, configurations: Configurations, most: int) -> None:
        kinds = configurations.distributions
        self._names = list(kinds)
        self.values = [levels_of(kind, most) for kind in kinds.values()]
        self._is_choice = [isinstance(kind, CategoricalDistribution) for kind in kinds.values()]
        self._is_nominal = np.array(
            [chosen and name not in configurations.ordered for name, chosen in zip(kinds, self._is_choice, strict=True)]
        )
        self.choices = np.array([len(values) for values in self.values])
        self.sizes = [len(values) + 1 for values in self.values]
        self.n_points = prod(len(values) for values in self.values)
        self._conditions = [
            (self._names.index(child), self._names.index(parent), self._levels_in(parent, wanted))
            for child, (parent, wanted) in configurations.conditions.items()
        ]

    def _levels_in(self, name: str, wanted: Wanted) -> list[int]:
        values = self.values[self._names.index(name)]
        return [level for level, value in enumerate(values) if value in wanted]

    def mutated(self, point: Ints, n: int, rng: np.random.Generator) -> Ints:
        """Return ``point`` with other levels for some parameters, shape (n, parameters)."""
        choices = self.choices
        free = choices > 1
        chosen = (rng.random((n, len(point))) < 1.0 / max(int(free.sum()), 1)) & free
        if free.any():
            chosen[np.arange(n), rng.choice(np.flatnonzero(free), n)] |= ~chosen.any(axis=1)
        known = point < choices  # the others have no effect now and may get any level
        others = (rng.random(chosen.shape) * (choices - known * free)).astype(np.int64)
        others += known & (others >= point)
        return np.where(chosen | ~known, others, point)

    def draw(self, n: int, rng: np.random.Generator) -> Ints:
        """Return random points, shape (n, parameters)."""
        return self.settled((rng.random((n, len(self.choices))) * self.choices).astype(np.int64))

    def near(self, points: Ints, n: int, rng: np.random.Generator) -> Ints:
        """Return ``n`` points for each of ``points``, which differ from it in few parameters, numbers often by little."""
        found = np.vstack([self.mutated(point, n, rng) for point in points])
        origin = np.repeat(points, n, axis=0)
        is_near = (rng.random(found.shape) < _LOCAL) & ~self._is_nominal & (found != origin) & (origin < self.choices)
        steps = 1 + (rng.random(found.shape) * np.maximum(np.rint(_NEAR * self.choices), 1)).astype(np.int64)
        steps *= rng.choice((-1, 1), found.shape)
        moved = np.clip(origin + steps, 0, self.choices - 1)
        return self.settled(np.where(is_near, moved, found))

    def point(self, configuration: Mapping[str, Any]) -> Ints:
        """Return the nearest level of each parameter."""
        return np.array([self._level(number, name, configuration) for number, name in enumerate(self._names)])

    def configuration(self, point: Ints) -> Configuration:
        """Return the values of the levels that have an effect."""
        pairs = zip(self._names, self.values, point.tolist(), strict=True)
        return {name: values[level] for name, values, level in pairs if level < len(values)}

    def settled(self, points: Ints) -> Ints:
        """Return ``points`` with the level without effect where another parameter says so."""
        found = points.copy()
        for _depth in self._conditions:  # a parameter may depend on one that depends on a third
            for child, parent, wanted in self._conditions:
                found[~np.isin(found[:, parent], wanted), child] = self.choices[child]
        return found

    def _level(self, number: int, name: str, configuration: Mapping[str, Any]) -> int:
        values = self.values[number]
        if name not in configuration:
            return len(values)
        value = configuration[name]
        if self._is_choice[number]:
            return values.index(value) if value in values else len(values)
        return int(np.argmin(np.abs(np.array(values, dtype=np.float64) - value)))


# --- observations of a sampler: a study's trials with values and games, each read once ----------------------------------


#: The user attribute of a trial with the number of games that its value is the mean of; 1 without it.
GAMES = "games"
#: The user attributes with the number of blocks in which these games were played, and the sample variance between the
#: values of the blocks. They give the noise of the value; without them it is estimated from the values of all trials.
BLOCKS = "blocks"
BLOCK_VARIANCE = "block_variance"


@dataclass(frozen=True)
class Seen:
    """A finished trial with the mean value of its games, and the sample variance between its blocks, 0 where not known."""

    number: int
    configuration: Configuration
    value: float
    games: float
    blocks: int = 0
    variance: float = 0.0


class Reader:
    """Reads the trials of one study, and on each reading returns those that have finished since the last."""

    def __init__(self) -> None:
        self.running: list[FrozenTrial] = []
        self._study: Study | None = None
        self._read: set[int] = set()
        self._all_read_below = 0

    def belongs_to(self, study: Study) -> bool:
        """Say whether this study is the one that has been read so far, if any."""
        return self._study is None or self._study is study

    def read(self, study: Study) -> list[Seen]:
        """Return the trials that have finished since the last reading, and note the running ones."""
        self._study = study
        sign = 1.0 if study.direction == StudyDirection.MAXIMIZE else -1.0
        trials = study.get_trials(deepcopy=False)
        found = []
        self.running = []
        for trial in trials[self._all_read_below :]:
            if trial.state == TrialState.RUNNING:
                self.running.append(trial)
            elif trial.number not in self._read and trial.state.is_finished():
                self._read.add(trial.number)
                if trial.value is not None and isfinite(trial.value):
                    attributes = trial.user_attrs
                    games, blocks = float(attributes.get(GAMES, 1)), int(attributes.get(BLOCKS, 0))
                    variance = float(attributes.get(BLOCK_VARIANCE, 0.0))
                    found.append(Seen(trial.number, trial.params, sign * trial.value, games, blocks, variance))
        while self._all_read_below in self._read:
            self._read.discard(self._all_read_below)
            self._all_read_below += 1
        return found


# --- base of samplers with a model --------------------------------------------------------------------------------------


class ModelSampler(BaseSampler):
    """A sampler that learns a model from a study's trials and asks it for the next configuration.

    It maximises or minimises one value. The user attribute ``games`` of a trial is the number of games that its value
    is the mean of. Running trials count too, so that many can be asked for before any ends. Its whole state follows
    from the study: another sampler of the same seed continues a study that was read back.
    """

    def __init__(self, configurations: Configurations | None = None, seed: int | None = None) -> None:
        """Search ``configurations``; if omitted, the space of the study's trials."""
        self._given = configurations
        self._rng = np.random.default_rng(seed)
        self._lock = RLock()
        self._reader = Reader()
        self._known: Configurations | None = None
        self._has_learnt = False

    def reseed_rng(self) -> None:
        """Draw other numbers than the copies of this sampler in other processes."""
        self._rng = np.random.default_rng()

    def infer_relative_search_space(self, study: Study, trial: FrozenTrial) -> dict[str, BaseDistribution]:
        """Return the parameters given, or those of the study's trials, each as the newest has it."""
        self._raise_error_if_multi_objective(study)
        if self._given is not None:
            return self._given.distributions
        found: dict[str, BaseDistribution] = {}
        for past in reversed(study.get_trials(deepcopy=False, states=(TrialState.COMPLETE, TrialState.PRUNED))):
            for name, kind in past.distributions.items():
                found.setdefault(name, kind)
        return dict(sorted(found.items()))

    def sample_relative(
        self, study: Study, trial: FrozenTrial, search_space: dict[str, BaseDistribution]
    ) -> dict[str, Any]:
        """Return the next configuration; one at random as long as no trial has ended."""
        self._raise_error_if_multi_objective(study)
        if not search_space:
            return {}
        with self._lock:
            configurations = self._update(study, search_space)
            return self._next(configurations, [running for running in self._reader.running if running != trial])

    def sample_independent(
        self, study: Study, trial: FrozenTrial, param_name: str, param_distribution: BaseDistribution
    ) -> Any:
        """Draw a value by itself: of a parameter that no trial had before."""
        self._raise_error_if_multi_objective(study)
        with self._lock:
            return draw(param_distribution, self._rng)

    def recommend(self, study: Study) -> Configuration:
        """Return the configuration of the study that is the best by the model, which is seldom the best observed.

        Raises:
            ValueError: no trial has a value.
        """
        with self._lock:
            trials = study.get_trials(deepcopy=False)
            space = self.infer_relative_search_space(study, trials[-1]) if trials else {}
            configurations = self._update(study, space) if space else None
            if configurations is None or not self._has_learnt:
                raise ValueError("nothing can be recommended before a trial is complete")
            return self._best(configurations)

    def _update(self, study: Study, search_space: Mapping[str, BaseDistribution]) -> Configurations:
        """Learn from new trials; from all again if the study or the space has changed."""
        known = self._known
        if known is None or known.distributions != search_space or not self._reader.belongs_to(study):
            given = self._given
            known = given if given and given.distributions == search_space else Configurations(search_space)
            self._known = known
            self._reader = Reader()
            self._has_learnt = False
            self._begin(known)
        seen = self._reader.read(study)
        self._has_learnt = self._has_learnt or bool(seen)
        self._learn(known, [replace(one, configuration=known.active(one.configuration)) for one in seen])
        return known

    # --- methods of a concrete sampler ----------------------------------------------------------------------------------

    def _begin(self, configurations: Configurations) -> None:
        """Forget everything, for a study of these configurations."""
        raise NotImplementedError

    def _learn(self, configurations: Configurations, seen: list[Seen]) -> None:
        """Learn from finished trials."""
        raise NotImplementedError

    def _next(self, configurations: Configurations, running: list[FrozenTrial]) -> Configuration:
        """Return the next configuration, while some are ``running``."""
        raise NotImplementedError

    def _best(self, configurations: Configurations) -> Configuration:
        """Return the best configuration by the model."""
        raise NotImplementedError
