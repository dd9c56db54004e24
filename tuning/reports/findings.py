"""The model of a study's report: values of configurations, parameter importance, and changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations, islice
from math import inf
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import optuna
import pandas as pd
import scipy
from optuna.distributions import BaseDistribution, CategoricalDistribution, IntDistribution

from tag.tournaments.reports.sections.section import number
from tag.tournaments.statistics.intervals import HALF_WIDTH, half_width_text
from tag.tournaments.statistics.ratings.pairwise import holm
from tag.tuning.agent.objectives import MAXIMIZE
from tag.tuning.samplers.bgp import BgpSampler
from tag.tuning.samplers.noise import within
from tag.tuning.search.trials import KnownTrial, known_rows, latest, together
from tag.tuning.space import SearchSpace
from tag.tuning.space.configurations import Configuration, Configurations, from_unit, levels_of, to_unit
from tag.tuning.space.ranges import shown, value_text
from tag.tuning.space.searched import SpecParameters

# --- posterior ----------------------------------------------------------------------------------------------------------
#
# The posterior of every configuration: the model of the search, fitted again from the stored rows alone.


Floats = npt.NDArray[np.float64]

#: Most configurations that the model learns from; so many take seconds.
MOST_CONFIGURATIONS: Final = 1_000
#: Number of configurations per call of the model; intermediate matrices cost memory.
_AT_ONCE: Final = 256


class ConfigurationModel:
    """Posterior of the value of any configuration.

    Attributes:
        space: that was searched.
        sign: 1 where more is better, otherwise -1.
        bounds: the least and the greatest value that is possible.
        tried: the configurations that the model has learnt from.
    """

    def __init__(
        self,
        space: SearchSpace,
        tried: Sequence[KnownTrial],
        sign: float = 1.0,
        bounds: tuple[float, float] = (-inf, inf),
        shared: float = 0.0,
    ) -> None:
        """Learn from the tried configurations, in time that grows with the cube of their number.

        All values have the deviation ``shared`` in common, from the chance seeds of the search; it is no part of gains.

        Raises:
            ValueError: there are none.
        """
        self.space = space
        self.sign = sign
        self.bounds = bounds
        self._shared = shared
        self.tried = list(tried)
        self._model = BgpSampler(space.configurations)
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        study = optuna.create_study(direction=MAXIMIZE, sampler=self._model)
        study.add_trials(replace(one, value=sign * one.value).of_optuna(space) for one in self.tried)
        self._model.recommend(study)

    def means(self, configurations: Sequence[Configuration]) -> Floats:
        """Return the model's mean of the value of each, shape (configurations,)."""
        return self.values(configurations)[0]

    def values(self, configurations: Sequence[Configuration]) -> tuple[Floats, Floats]:
        """Return the value and its standard deviation."""
        parts = [
            self._model.posterior(list(configurations[begin : begin + _AT_ONCE]))
            for begin in range(0, len(configurations), _AT_ONCE)
        ]
        means, deviations = (np.concatenate([part[number] for part in parts]) for number in range(2))
        means, deviations = within(self.sign * means, deviations, self.bounds)
        return means, np.hypot(deviations, self._shared)

    def gains(self, base: Configuration, others: Sequence[Configuration]) -> tuple[Floats, Floats]:
        """Return by how much each of ``others`` is better than ``base``, and the standard deviation of that.

        Positive is better, for both directions of the objective. Uncertainty that both share does not count.
        """
        means, covariance = self._model.joint([base, *others])
        variances = np.diag(covariance)
        of_gain = variances[1:] + variances[0] - 2.0 * covariance[0, 1:]
        return means[1:] - means[0], np.sqrt(np.maximum(of_gain, 0.0))

    def best(self, number: int) -> list[KnownTrial]:
        """Return the configurations that were tried with the best means, best first."""
        means = self.sign * self.means([self.space.configuration(one.spec) for one in self.tried])
        return [self.tried[place] for place in np.argsort(-means, kind="stable")[:number].tolist()]


def tried_in(trials: pd.DataFrame, known: Sequence[KnownTrial] = ()) -> list[KnownTrial]:
    """Return the configurations of a study's last search, each once, in the order of their first trials.

    Those ``known`` from earlier studies come first. Of more than `MOST_CONFIGURATIONS` these are those with the most
    games, of equals the last.
    """
    rows = latest(trials)
    found: dict[str, list[KnownTrial]] = {}
    for one in [*known, *known_rows(rows[rows["value"].notna() & (rows["games"] > 0)])]:
        found.setdefault(one.spec, []).append(one)
    sums = [together(of_spec) for of_spec in found.values()]
    order = np.argsort([one.games for one in sums], kind="stable")[-MOST_CONFIGURATIONS:]
    return [sums[place] for place in np.sort(order).tolist()]


# --- effects ------------------------------------------------------------------------------------------------------------
#
# Importance of each parameter and of pairs of them: the variance of a function of configurations.
#
# Parameters are drawn independently, each as the search draws it, also where a configuration would be refused or a
# parameter has no effect. The function then is a sum of main effects, interactions of two, and so on, whose variances add
# up. Main effects are means over the other parameters. Total effects count all interactions of a parameter, and are means
# of squared changes (M. Jansen, "Analysis of variance designs for model output", Computer Physics Communications 117,
# 1999). So are the interactions of two, with all of higher order (R. Liu and A. Owen, "Estimating mean dimensionality of
# analysis of variance decompositions", Journal of the American Statistical Association 101, 2006).


Function = Callable[[Sequence[Configuration]], Floats]

#: Numbers of drawn configurations, in all and for means over the other parameters: powers of two fill space evenly.
_DRAWS: Final = 512
_OTHERS: Final = 32
#: Of more parameters than these, draws are fewer, down to this part.
_FEW: Final = 16
_MOST_THINNED: Final = 32
#: Most values of a parameter in a main effect; of more whole numbers, each stands for its neighbours.
_EFFECT_VALUES: Final = 32
#: Number of parameters, those with the greatest total effects, among which interactions are computed.
_MOST_INTERACTING: Final = 6


@dataclass(frozen=True)
class Importance:
    """Share of the variance that a parameter explains: by itself, and in total with all interactions it takes part in."""

    parameter: str
    main: float
    total: float


@dataclass(frozen=True)
class Interaction:
    """Share of the variance that two parameters explain together: no sum of functions without one of them does."""

    parameters: tuple[str, str]
    share: float


@dataclass(frozen=True)
class Effects:
    """Importance of all parameters, and the interactions of those with the greatest total effects; the greatest first."""

    parameters: list[Importance]
    interactions: list[Interaction]


def effects_of(function: Function, configurations: Configurations, seed: int = 0) -> Effects:
    """Return the parameter importance of a function of many configurations, from draws that follow from a ``seed``."""
    names = list(configurations.distributions)
    thinned = _thinned(len(names))
    ones, others = _evenly(configurations, seed, _DRAWS // thinned)

    def values(moved: Sequence[str]) -> Floats:
        """Return the values of the ones, with some parameters as in the others."""
        return function([
            configurations.active({**one, **{name: other[name] for name in moved}})
            for one, other in zip(ones, others, strict=True)
        ])  # fmt: skip

    still, single = values([]), {name: values([name]) for name in names}
    variance = max(float(np.var([still, *single.values()])), 1e-12)
    total = {name: 0.5 * float(np.mean((still - single[name]) ** 2)) / variance for name in names}
    rest = ones[: _OTHERS // thinned]
    main = {name: _main_variance(function, configurations, rest, name) / variance for name in names}
    most = sorted(names, key=lambda name: -total[name])[:_MOST_INTERACTING]
    pairs = [
        Interaction(
            (first, second),
            0.25 * float(np.mean((still - single[first] - single[second] + values([first, second])) ** 2)) / variance,
        )
        for first, second in combinations([name for name in names if name in most], 2)
    ]
    return Effects(
        sorted((Importance(name, main[name], total[name]) for name in names), key=lambda one: -one.main),
        sorted(pairs, key=lambda pair: -pair.share),
    )


def _thinned(parameters: int) -> int:
    """Return by what power of two draws are fewer where parameters are many, so that their number stays about the same."""
    return min(1 << ((parameters - 1) // _FEW).bit_length(), _MOST_THINNED)


def grid(kind: BaseDistribution, most: int) -> list[Any]:
    """Return at most so many values of a parameter, all where there are no more, otherwise spread over its range.

    >>> grid(IntDistribution(2, 12), 20), grid(IntDistribution(1, 100, log=True), 5)
    ([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], [1, 2, 7, 27, 100])
    """
    if isinstance(kind, IntDistribution) and (kind.high - kind.low) // kind.step < most:
        return list(range(kind.low, kind.high + 1, kind.step))
    return levels_of(kind, most)


def _main_variance(
    function: Function, configurations: Configurations, others: Sequence[Configuration], name: str
) -> float:
    """Return the variance, over the values of a parameter, of the mean over the other parameters."""
    values = _equally_probable(configurations.distributions[name])
    moved = [configurations.active({**other, name: value}) for value in values for other in others]
    means = function(moved).reshape(len(values), len(others)).mean(axis=1)
    return float(means.var())


def _equally_probable(kind: Any) -> list[Any]:
    """Return values of a parameter that stand for all; where these are not evenly spread, some more than once."""
    if not isinstance(kind, CategoricalDistribution) and (
        kind.log or len(grid(kind, _EFFECT_VALUES + 1)) > _EFFECT_VALUES
    ):
        return [_quantile(kind, (place + 0.5) / _EFFECT_VALUES) for place in range(_EFFECT_VALUES)]
    return grid(kind, _EFFECT_VALUES)


def _evenly(configurations: Configurations, seed: int, draws: int) -> tuple[list[Configuration], list[Configuration]]:
    """Draw configurations twice, with the parameters that have no effect, so that they fill the space of pairs evenly."""
    kinds = configurations.distributions
    points = scipy.stats.qmc.Sobol(2 * len(kinds), seed=np.random.default_rng(seed)).random(draws)
    ones, others = (
        [
            {name: _quantile(kind, share) for (name, kind), share in zip(kinds.items(), row, strict=True)}
            for row in half.tolist()
        ]
        for half in np.split(points, 2, axis=1)
    )
    return ones, others


def _quantile(kind: Any, share: float) -> Any:
    """Return the value of a parameter below which this share of the draws of the search lies."""
    if isinstance(kind, CategoricalDistribution):
        return kind.choices[int(share * len(kind.choices))]
    if isinstance(kind, IntDistribution) and not kind.log:
        return kind.low + kind.step * int(share * ((kind.high - kind.low) // kind.step + 1))
    return from_unit(kind, share)


# --- changes ------------------------------------------------------------------------------------------------------------
#
# Changes between configurations, by the model: each single change of the recommendation, and the path from the default.


#: So many values of a parameter are tried, fewer where all together would be more steps than this.
_VALUES: Final = 12
_FEWEST_VALUES: Final = 2
_STEPS: Final = 600
#: So many changes are left at most where they are made one by one, in the order of gains that each has after those before
#: it. Of twice as many four are made at a time, and so on: each step compares all that are left, so that those of any
#: number of changes are some 1,000 times its logarithm.
_ONE_BY_ONE: Final = 32
#: A change is significant if its corrected p value is below this.
LEVEL: Final = 0.05


@dataclass(frozen=True)
class OneStep:
    """A configuration that differs from the recommendation in one parameter, and in those that then have an effect.

    Attributes:
        gain: how much better it is than the recommendation, for both directions of the objective.
        error: the standard deviation of that.
        better: the probability that it is better.
        p_value: two-sided, corrected by Holm for all steps that are looked at.
    """

    parameter: str
    value: Any
    configuration: Configuration
    gain: float
    error: float
    better: float
    p_value: float

    @property
    def verdict(self) -> str:
        """The verdict: better, worse, or not significant."""
        return "no difference shown" if self.p_value >= LEVEL else "better" if self.gain > 0.0 else "worse"


@dataclass(frozen=True)
class PathStep:
    """A change on the way from the default to the recommendation.

    Attributes:
        before: the old value, None if it had no effect.
        after: the new value, None if it has no effect.
        gain: how much better the change makes the value.
        error: the standard deviation of that.
    """

    parameter: str
    before: Any
    after: Any
    gain: float
    error: float


def one_steps(posterior: ConfigurationModel, base: Configuration, rest: Configuration) -> list[OneStep]:
    """Return all valid steps from ``base`` to some values of each parameter, by parameter and value.

    ``rest`` has values of parameters without an effect in it, used where a step gives them one.
    """
    configurations = posterior.space.configurations
    most = min(_VALUES, max(_FEWEST_VALUES, _STEPS // len(configurations.distributions)))
    levels = {name: grid(kind, most) for name, kind in configurations.distributions.items()}
    steps = list(configurations.around(base, levels, rest))
    if not steps:
        return []
    gains, errors = posterior.gains(base, [configuration for _name, _value, configuration in steps])
    better = scipy.special.ndtr(gains / np.maximum(errors, 1e-12))
    p_values = holm(2.0 * np.minimum(better, 1.0 - better))
    return [
        OneStep(*step, *map(float, numbers))
        for step, numbers in zip(steps, zip(gains, errors, better, p_values, strict=True), strict=True)
    ]


def path(
    posterior: ConfigurationModel, begin: Configuration, end: Configuration, rest: Configuration
) -> list[PathStep]:
    """Return the changes that lead from ``begin`` to ``end``, at each step that with the greatest gain, of many a few.

    The gains add up to the whole difference. As long as there are changes to valid configurations, only these are taken
    (greedy ablation: C. Fawcett and H. H. Hoos, "Analysing differences between algorithm configurations through
    ablation", Journal of Heuristics 22, 2016). ``rest`` has values of parameters without an effect in both.
    """
    configurations = posterior.space.configurations
    state, goal = {**rest, **begin}, {**rest, **begin, **end}
    here, found = configurations.active(state), []
    while here != end:
        names = [
            name
            for name in configurations.distributions
            if state[name] != goal[name] and configurations.active({**state, name: goal[name]}) != here
        ]
        reached = [configurations.active({**state, name: goal[name]}) for name in names]
        by_gain = np.argsort(-posterior.gains(here, reached)[0], kind="stable").tolist()
        many = max(1, (len(names) // _ONE_BY_ONE) ** 2)
        valid = list(islice((at for at in by_gain if configurations.is_valid(reached[at])), many))
        order = [*valid, *(at for at in by_gain if at not in valid)]
        for name in [names[at] for at in order[:many]]:
            state[name] = goal[name]
            after = configurations.active(state)
            if after == here:
                continue
            (gain,), (error,) = posterior.gains(here, [after])
            found.append(PathStep(name, here.get(name), after.get(name), float(gain), float(error)))
            here = after
    return found


# --- differences between the parameters of two agents ---


#: Text where a parameter has no effect, or an agent has none of that name.
NOTHING: Final = "-"


@dataclass(frozen=True)
class ParameterChange:
    """A parameter that differs between two agents, with both values as people read them.

    The name has a dot for parameters of a spec that is a parameter; it is ``agent`` for the agent itself.
    """

    parameter: str
    default: str
    recommended: str

    def to_json(self) -> dict[str, Any]:
        """Return the findings as plain values."""
        return asdict(self)


def differences(default: str, recommended: str) -> list[ParameterChange]:
    """Return the parameters in which the specs of two agents differ, in the order of their declaration.

    >>> differences("rhea", "rhea:crossover=n_point,horizon=3")[1:]  # doctest: +ELLIPSIS
    [...ParameterChange(parameter='crossover_points', default='-', recommended='1')]
    """
    ones, others = (dict(_values(SpecParameters("agent", spec))) for spec in (default, recommended))
    rows = [(name, ones.get(name, NOTHING), others.get(name, NOTHING)) for name in {**ones, **others}]
    return [ParameterChange(name, shown(one), shown(other)) for name, one, other in rows if one != other]


def _values(scope: SpecParameters) -> Iterator[tuple[str, str]]:
    """Yield the agent's name and the values that have an effect, as people write them, with those of specs within."""
    yield scope.prefix[:-1] or scope.registry, scope.name
    for own, value in scope.values.items():
        if scope.is_active(own, scope.values):
            if own in scope.inner:
                yield from _values(scope.inner[own])
            else:
                yield scope.prefix + own, value_text(value)


@dataclass(frozen=True)
class ConfigurationEstimate:
    """The model's estimate of a value, with its standard deviation."""

    value: float
    deviation: float

    @property
    def text(self) -> str:
        """The value and half the length of its 95 % interval."""
        return f"{self.value:.3f} {self.half_text}"

    @property
    def half_text(self) -> str:
        """Half the length of the 95 % interval."""
        return f"± {half_width_text(HALF_WIDTH * self.deviation, '.3f')}"


@dataclass(frozen=True)
class Ranked:
    """A configuration among the best: the model's estimate, its games, and the value observed in these.

    The observed value is too good for the best on average.
    """

    spec: str
    estimate: ConfigurationEstimate
    games: int
    observed: float


@dataclass(frozen=True)
class Findings:
    """Findings of the model about a study's trials.

    Attributes:
        candidate: the spec of the incumbent, with its searched values as ``configuration``.
        estimate: of it.
        played: how many games of it the search has played; 0 if only the model supports it.
        default: the estimate of the default; None if that is outside of the search space.
        differences: of the candidate from the default.
        top: the best configurations that were tried, best first.
        remark: the model of the recommendation, if the values are from another model; otherwise empty.
    """

    posterior: ConfigurationModel
    effects: Effects
    candidate: str
    configuration: Configuration
    estimate: ConfigurationEstimate
    played: int
    default: ConfigurationEstimate | None
    differences: list[ParameterChange]
    top: list[Ranked]
    remark: str

    @property
    def space(self) -> SearchSpace:
        """The search space."""
        return self.posterior.space

    def to_json(self) -> dict[str, Any]:
        """Return the findings as plain values."""
        return {
            "candidate": {"spec": self.candidate, **asdict(self.estimate), "played": self.played},
            "remark": self.remark,
            "default": asdict(self.default) if self.default else None,
            "differences": [one.to_json() for one in self.differences],
            "top": [
                {"spec": one.spec, **asdict(one.estimate), "games": one.games, "observed": one.observed}
                for one in self.top
            ],
            "importance": [asdict(one) for one in self.effects.parameters],
        }


# --- estimates ----------------------------------------------------------------------------------------------------------
#
# The model in the report: values along one parameter and over two, with all others as recommended.


#: So many values of a parameter there are in a slice and on each side of a map.
_SLICE_POINTS: Final = 33
_SIDE: Final = 12


@dataclass(frozen=True, eq=False)
class ParameterMap:
    """Values over two parameters, all others as recommended.

    Attributes:
        texts: the values of the parameters, as people write them.
        values: shape (of the first, of the second), nan where the two are not valid together or one has no effect.
        recommended: the cell nearest to the recommendation.
        default: that nearest to the default; None where that is not on the map.
    """

    parameters: tuple[str, str]
    texts: tuple[list[str], list[str]]
    values: Floats
    recommended: tuple[int, int]
    default: tuple[int, int] | None


def with_band(points: pd.DataFrame, deviations: Floats | pd.Series, bounds: tuple[float, float]) -> pd.DataFrame:
    """Return points with low and high, the ends of their 95 % bands, cut at the least and the greatest possible value.

    >>> with_band(pd.DataFrame({"value": [0.5, 0.9]}), np.array([0.1, 0.1]), (0.0, 1.0)).round(3).to_numpy().tolist()
    [[0.5, 0.304, 0.696], [0.9, 0.704, 1.0]]
    """
    half = HALF_WIDTH * deviations
    return points.assign(low=(points["value"] - half).clip(*bounds), high=(points["value"] + half).clip(*bounds))


def slices(findings: Findings, bounds: tuple[float, float]) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield the name and the slice of each parameter with an effect in the recommendation, the most important first.

    A slice has the columns place (0 to 1 along the axis), text, value, low and high (the ends of the 95 % band, within
    ``bounds``), is_ordered and is_recommended; only valid configurations are in it.
    """
    base = findings.configuration
    for importance in findings.effects.parameters:
        name = importance.parameter
        if name in base:
            yield name, _slice(findings, name, bounds)


def maps(findings: Findings, most: int, least_share: float) -> Iterator[tuple[float, ParameterMap]]:
    """Yield the shares and the maps of the pairs that interact most, by ``least_share`` of the variance or more."""
    shown = 0
    for pair in findings.effects.interactions:
        if shown == most or pair.share < least_share:
            return
        found = _map(findings, pair.parameters)
        if found is not None:
            shown += 1
            yield pair.share, found


def place_of(space: SearchSpace, name: str, value: Any) -> float:
    """Return where a value stands on the axis of a parameter, 0 to 1."""
    kind = space.configurations.distributions[name]
    if isinstance(kind, CategoricalDistribution):
        return list(kind.choices).index(value) / max(len(kind.choices) - 1, 1)
    return to_unit(kind, value)


def text_of(space: SearchSpace, name: str, value: Any) -> str:
    """Return a value of a trial as people read it, real numbers to three digits or to the whole."""
    decoded = space.ranges[name].decoded(value)
    return number(decoded) if isinstance(decoded, float) else value_text(decoded)


def waterfall(steps: list[PathStep], begin: float, sign: float, space: SearchSpace) -> pd.DataFrame:
    """Return the value before and after each step of a path, in the columns name, before, after and is_better.

    The path begins with the value of the default; ``sign`` is 1 where more is better, otherwise -1.
    """
    after = begin + sign * np.cumsum([step.gain for step in steps])
    before = [begin, *after[:-1]]
    return pd.DataFrame({
        "name": [step_text(step, space) for step in steps],
        "before": before,
        "after": after,
        "is_better": [step.gain >= 0.0 for step in steps],
    })  # fmt: skip


def step_text(step: PathStep, space: SearchSpace) -> str:
    """Return a change as people write it."""
    before, after = (
        "-" if value is None else text_of(space, step.parameter, value) for value in (step.before, step.after)
    )
    return f"{step.parameter} {before} → {after}"


def _slice(findings: Findings, name: str, bounds: tuple[float, float]) -> pd.DataFrame:
    space, base = findings.space, findings.configuration
    kind = space.configurations.distributions[name]
    values = {place_of(space, name, value): value for value in (*grid(kind, _SLICE_POINTS), base[name])}
    points = [(place, value, _with(space, base, {name: value})) for place, value in sorted(values.items())]
    valid = [point for point in points if space.configurations.is_valid(point[2])]
    means, deviations = findings.posterior.values([configuration for _place, _value, configuration in valid])
    is_ordered = not isinstance(kind, CategoricalDistribution) or name in space.configurations.ordered
    found = pd.DataFrame({
        "place": [place for place, _value, _configuration in valid],
        "text": [text_of(space, name, value) for _place, value, _configuration in valid],
        "value": means,
        "is_ordered": is_ordered,
        "is_recommended": [value == base[name] for _place, value, _configuration in valid],
    })  # fmt: skip
    return with_band(found, deviations, bounds)


def _map(findings: Findings, names: tuple[str, str]) -> ParameterMap | None:
    """Return the map of two parameters; None where one of them has no effect on it."""
    space, base = findings.space, findings.configuration
    first, second = (grid(space.configurations.distributions[name], _SIDE) for name in names)
    cells = [_with(space, base, {names[0]: one, names[1]: other}) for one in first for other in second]
    means = findings.posterior.means(cells)
    shown = [all(name in cell for name in names) and space.configurations.is_valid(cell) for cell in cells]
    values = np.where(shown, means, np.nan).reshape(len(first), len(second))
    has_effect = np.isfinite(values)
    recommended = _cell(space, names, (first, second), base)
    if recommended is None or min(has_effect.any(axis=0).sum(), has_effect.any(axis=1).sum()) < 2:
        return None
    texts = tuple(
        [text_of(space, name, value) for value in side] for name, side in zip(names, (first, second), strict=True)
    )
    return ParameterMap(
        names, (texts[0], texts[1]), values, recommended, _cell(space, names, (first, second), space.default)
    )


def _cell(
    space: SearchSpace, names: tuple[str, str], sides: tuple[list[Any], list[Any]], configuration: Configuration
) -> tuple[int, int] | None:
    """Return the cell of a map nearest to a configuration; None where a parameter has no effect in that."""
    if any(name not in configuration for name in names):
        return None
    row, column = (_nearest(space, name, side, configuration[name]) for name, side in zip(names, sides, strict=True))
    return row, column


def _nearest(space: SearchSpace, name: str, side: list[Any], value: Any) -> int:
    places = [place_of(space, name, one) for one in side]
    return int(np.abs(np.array(places) - place_of(space, name, value)).argmin())


def _with(space: SearchSpace, base: Configuration, changed: Configuration) -> Configuration:
    """Return a configuration with some values changed, and the default's for parameters that have an effect only then."""
    return space.configurations.active({**space.nearest, **base, **changed})
