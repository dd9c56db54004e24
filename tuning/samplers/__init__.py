"""Samplers by name: Optuna's, and those made for games.

The names are also in `tag.tuning.study.definition`, which help texts read without importing Optuna.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any, Final
from warnings import catch_warnings, simplefilter

from optuna.distributions import BaseDistribution
from optuna.exceptions import ExperimentalWarning
from optuna.samplers import BaseSampler, CmaEsSampler, QMCSampler, RandomSampler, TPESampler
from optuna.study import Study
from optuna.trial import FrozenTrial

from tag.catalogue.user_code import is_path
from tag.errors import UnknownNameError
from tag.tuning.samplers.bgp import BgpSampler
from tag.tuning.samplers.evolution import EvolutionSampler, population_of
from tag.tuning.samplers.grid import GridSampler
from tag.tuning.samplers.ntbea import NtbeaSampler
from tag.tuning.samplers.users_code import check_no_object, users_sampler
from tag.tuning.space.configurations import Configuration, Configurations
from tag.tuning.study.definition import AUTO, SAMPLERS


class NtbeaBgpSampler(NtbeaSampler):
    """NTBEA that shares its trials with a Gaussian process; the process recommends, and later on proposes every other one.

    NTBEA walks along narrow ridges that the process smooths away, and the process sees hills in fewer games. Where one of
    them is led astray, the other still has half of the games.
    """

    def __init__(self, configurations: Configurations | None = None, seed: int | None = None, k: float = 0.1) -> None:
        super().__init__(configurations, seed, k)
        self.process = BgpSampler(configurations, seed)

    def sample_relative(
        self, study: Study, trial: FrozenTrial, search_space: dict[str, BaseDistribution]
    ) -> dict[str, Any]:
        """Return the next configuration, of NTBEA or of the process."""
        if trial.number < _TRIALS_BEFORE_TURNS or trial.number % 2:
            return super().sample_relative(study, trial, search_space)
        return self.process.sample_relative(study, trial, search_space)

    def recommend(self, study: Study) -> Configuration:
        """Return the best configuration by the process."""
        return self.process.recommend(study)


#: Below so many games NTBEA searches alone, above it a Gaussian process takes turns with it (`make bench-tuning`).
_GAMES_FOR_A_PROCESS: Final = 1_500
#: Below so many games a Gaussian process recommends better from NTBEA's trials than NTBEA's averages do.
_GAMES_FOR_AVERAGES: Final = 500
#: A study with a Gaussian process has so many configurations, or so many times the root of its games if that is more:
#: 400 of 30,000. More cost their cube in time and gain little.
_CONFIGURATIONS: Final = 200
_BY_ROOT: Final = 2.3
#: NTBEA proposes so many configurations before the process takes turns: from fewer games the process draws too widely.
_TRIALS_BEFORE_TURNS: Final = 400
#: A study in which NTBEA and the process take turns has at most so many configurations, as more take their cube in time.
_TRIALS_IN_TURN: Final = 800
#: Optuna's samplers take values as exact: so many games per trial were best for most budgets.
_GAMES_FOR_OPTUNA: Final = 50
#: Fewer games per trial where a study would have fewer trials than this. Evolution needs several generations of them.
_TRIALS_OF_OPTUNA: Final = 20
_TRIALS_OF_EVOLUTION: Final = 60
#: Exploration gains little with a small budget.
_K: Final = 0.3
_K_OF_SMALL_BUDGETS: Final = 0.1

#: Optuna's samplers take seeds of 32 bits.
_SEEDS: Final = 1 << 32

#: Makes a sampler from configurations, the games of the study, the trials of the study, and a seed.
Maker = Callable[[Configurations, int, int, int], BaseSampler]


@dataclass(frozen=True)
class SamplerChoice:
    """A sampler for a study.

    Attributes:
        name: never ``auto``.
        games_per_trial: how many games a trial should have.
        reason: why it was chosen, in a sentence; empty where it was asked for.
    """

    name: str
    sampler: BaseSampler
    games_per_trial: int
    reason: str = ""


def make_sampler(
    name: str, configurations: Configurations, games: int, seed: int, games_per_trial: int | None = None
) -> SamplerChoice:
    """Return the sampler of that name, or of a user's ``file.py:Class``, for a study of so many ``games``.

    Args:
        name: one of `SAMPLERS`, or a user's.
        configurations: those to search.
        games: the budget of the study.
        seed: of the sampler's random numbers.
        games_per_trial: how many games a trial has; None for as many as suit the sampler.

    Raises:
        UnknownNameError: there is none.
        UserCodeError: a user's cannot be made.
        ParameterError: it is a grid of more configurations than games, or was an object.
    """
    if name == AUTO:
        chosen, reason = _automatic(games)
        return replace(make_sampler(chosen, configurations, games, seed, games_per_trial), reason=reason)
    if is_path(name):
        return SamplerChoice(name, users_sampler(name, seed), _games_per_trial(name, games))
    check_no_object("sampler", name)
    if name not in _MAKERS:
        raise UnknownNameError.of("sampler", name, SAMPLERS)
    trials = games // (games_per_trial or _games_per_trial(name, games))
    sampler = _MAKERS[name](configurations, games, trials, seed)
    per_trial = (
        games // len(sampler.configurations) if isinstance(sampler, GridSampler) else _games_per_trial(name, games)
    )
    return SamplerChoice(name, sampler, per_trial)


def _automatic(games: int) -> tuple[str, str]:
    if games < _GAMES_FOR_A_PROCESS:
        chosen = "ntbea" if games >= _GAMES_FOR_AVERAGES else "ntbea_bgp"
        return chosen, f"{chosen}: with {games:,} games, single ones are best spent on many configurations"
    chosen = "ntbea_bgp"
    per_trial = _games_per_trial(chosen, games)
    return (
        chosen,
        f"{chosen}: {games:,} games are enough to play {per_trial} for each of {games // per_trial} configurations",
    )


def _games_per_trial(name: str, games: int) -> int:
    if name == "ntbea":
        return 1
    if name == "ntbea_bgp":
        return max(1, -(-games // _TRIALS_IN_TURN))
    if name == "bgp":
        return max(1, games // max(_CONFIGURATIONS, int(_BY_ROOT * sqrt(games))))
    return max(1, min(_GAMES_FOR_OPTUNA, games // (_TRIALS_OF_EVOLUTION if name == "nsgaii" else _TRIALS_OF_OPTUNA)))


def _optunas(make: Callable[..., BaseSampler], **options: object) -> Maker:
    """Return a function that makes an Optuna sampler, without Optuna's warning that it is experimental."""

    def made(_configurations: Configurations, _games: int, _trials: int, seed: int) -> BaseSampler:
        with catch_warnings():
            simplefilter("ignore", ExperimentalWarning)
            return make(seed=seed % _SEEDS, **options)

    return made


def _exploration(games: int) -> float:
    """Return NTBEA's weight of exploration."""
    return _K if games >= _GAMES_FOR_A_PROCESS else _K_OF_SMALL_BUDGETS


_MAKERS: Final[dict[str, Maker]] = {
    "ntbea": lambda configurations, games, _trials, seed: NtbeaSampler(configurations, seed, _exploration(games)),
    "bgp": lambda configurations, _games, _trials, seed: BgpSampler(configurations, seed),
    "ntbea_bgp": lambda configurations, games, _trials, seed: NtbeaBgpSampler(
        configurations, seed, _exploration(games)
    ),
    "tpe": _optunas(TPESampler),
    # With a margin it fails where a trial ends that had other parameters (Optuna 5.0).
    "cmaes": _optunas(CmaEsSampler, consider_pruned_trials=True),
    "nsgaii": lambda _configurations, _games, trials, seed: EvolutionSampler(
        population_size=population_of(trials), seed=seed % _SEEDS
    ),
    "grid": lambda configurations, games, _trials, seed: GridSampler(configurations, games, seed),
    "random": _optunas(RandomSampler),
    "qmc": _optunas(QMCSampler, scramble=True, warn_independent_sampling=False),
}
