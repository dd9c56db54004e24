"""The findings of a study: the model once more, the importance of parameters, and changes between configurations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from math import inf
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import optuna
import pandas as pd
from optuna.distributions import BaseDistribution, CategoricalDistribution, IntDistribution
from rich.table import Table
from scipy.special import ndtr
from scipy.stats import qmc

from tournaments.reports.text import table_text
from tournaments.statistics.intervals import HALF_WIDTH, half_width_text, plain
from tournaments.statistics.pairwise import holm
from tuning.objectives import MAXIMIZE, bounds_of, direction_of
from tuning.reports.recommendation import COMPARISONS, StudyResults, comparisons_of, time_text
from tuning.samplers.bgp import BgpSampler
from tuning.samplers.gaussian_process import within
from tuning.search.comparison import SIDES
from tuning.search.judge import known_trial
from tuning.search.optuna_study import KnownTrial, known_rows, read_known_trials, together
from tuning.search.trials import DROPPED, latest
from tuning.space.ranges import Scope, shown, value_text
from tuning.space.space import Configuration, Configurations, SearchSpace, from_unit, levels_of

# --- posterior ----------------------------------------------------------------------------------------------------------
#
# The posterior of every configuration: the model of the search, fitted again from the stored rows alone.


Floats = npt.NDArray[np.float64]

#: Most configurations that the model learns from; so many take seconds.
MOST_CONFIGURATIONS: Final = 1_000
#: Number of configurations per call of the model; intermediate matrices cost memory.
_AT_ONCE: Final = 256


@dataclass(frozen=True)
class Tried:
    """A configuration and all of its games.

    Attributes:
        spec: of the agent.
        configuration: the searched values, by name.
        games: that count, of all of its trials.
        value: of the objective in them.
        blocks: in which they were played; 0 where that is not known.
        block_variance: the sample variance between the values of blocks.
    """

    spec: str
    configuration: Configuration
    games: int
    value: float
    blocks: int = 0
    block_variance: float = 0.0


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
        tried: Sequence[Tried],
        sign: float = 1.0,
        bounds: tuple[float, float] = (-inf, inf),
    ) -> None:
        """Learn from the tried configurations, in time that grows with the cube of their number.

        Raises:
            ValueError: there are none.
        """
        self.space = space
        self.sign = sign
        self.bounds = bounds
        self.tried = list(tried)
        self._model = BgpSampler(space.configurations)
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        study = optuna.create_study(direction=MAXIMIZE, sampler=self._model)
        study.add_trials(
            known_trial(space, one.configuration, sign * one.value, one.games, one.blocks, one.block_variance)
            for one in self.tried
        )
        self._model.recommend(study)

    def means(self, configurations: Sequence[Configuration]) -> Floats:
        """Return the model's mean of the value of each, shape (configurations,)."""
        return self.values(configurations)[0]

    def values(self, configurations: Sequence[Configuration]) -> tuple[Floats, Floats]:
        """Return the same and its standard deviation."""
        parts = [
            self._model.posterior(list(configurations[begin : begin + _AT_ONCE]))
            for begin in range(0, len(configurations), _AT_ONCE)
        ]
        means, deviations = (np.concatenate([part[number] for part in parts]) for number in range(2))
        return within(self.sign * means, deviations, self.bounds)

    def gains(self, base: Configuration, others: Sequence[Configuration]) -> tuple[Floats, Floats]:
        """Return by how much each of ``others`` is better than ``base``, and the standard deviation of that.

        Positive is better, for both directions of the objective. Uncertainty that both share does not count.
        """
        means, covariance = self._model.joint([base, *others])
        variances = np.diag(covariance)
        of_gain = variances[1:] + variances[0] - 2.0 * covariance[0, 1:]
        return means[1:] - means[0], np.sqrt(np.maximum(of_gain, 0.0))

    def best(self, number: int) -> list[Tried]:
        """Return the configurations that were tried with the best means, best first."""
        means = self.sign * self.means([one.configuration for one in self.tried])
        return [self.tried[place] for place in np.argsort(-means, kind="stable")[:number].tolist()]


def posterior_of(results: StudyResults) -> ConfigurationModel | None:
    """Return the model of a study, from its own trials and those of earlier studies; None if no trial has a value."""
    definition = results.manifest.definition
    if results.trials.empty or results.trials["value"].isna().all():
        return None
    sign = 1.0 if direction_of(definition.objectives[0]) == MAXIMIZE else -1.0
    tried = tried_in(definition.space, results.trials, read_known_trials(results.folder))
    return ConfigurationModel(definition.space, tried, sign, bounds_of(definition.objectives[0]))


def tried_in(space: SearchSpace, trials: pd.DataFrame, known: Sequence[KnownTrial] = ()) -> list[Tried]:
    """Return the configurations of a study's last search, each once, in the order of their first trials.

    Of more than `MOST_CONFIGURATIONS` these are those with the most games, of equals the last.

    Args:
        space: that was searched.
        trials: of the study.
        known: those of earlier studies, which come first.
    """
    rows = latest(trials)
    found: dict[str, list[KnownTrial]] = {}
    for one in [*known, *known_rows(rows[rows["value"].notna() & (rows["games"] > 0)])]:
        found.setdefault(one.spec, []).append(one)
    sums = [together(of_spec) for of_spec in found.values()]
    order = np.argsort([one.games for one in sums], kind="stable")[-MOST_CONFIGURATIONS:]
    return [
        Tried(one.spec, space.configuration(one.spec), one.games, one.value, one.blocks, one.block_variance)
        for one in (sums[place] for place in np.sort(order).tolist())
    ]


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
#: Most values of a parameter in a main effect; of more whole numbers, each stands for its neighbours.
_EFFECT_VALUES: Final = 32
#: Number of parameters, those with the greatest total effects, among which interactions are computed.
_MOST_INTERACTING: Final = 6


@dataclass(frozen=True)
class Importance:
    """Importance of a parameter.

    Attributes:
        parameter: its name.
        main: its share of the variance by itself.
        total: the same with all interactions that it takes part in.
    """

    parameter: str
    main: float
    total: float


@dataclass(frozen=True)
class Interaction:
    """Interaction of two parameters.

    Attributes:
        parameters: their names.
        share: of the variance that no sum of functions without one of the two explains.
    """

    parameters: tuple[str, str]
    share: float


@dataclass(frozen=True)
class Effects:
    """Importance of all parameters and of their interactions.

    Attributes:
        parameters: the greatest main effect first.
        interactions: the greatest first; only of the parameters with the greatest total effects.
    """

    parameters: list[Importance]
    interactions: list[Interaction]


def effects_of(function: Function, configurations: Configurations, seed: int = 0) -> Effects:
    """Return the parameter importance of a function of configurations.

    Args:
        function: the values of many configurations at once, shape (configurations,).
        configurations: the search space.
        seed: of the configurations that are drawn.
    """
    names = list(configurations.distributions)
    ones, others = _evenly(configurations, seed)

    def values(moved: Sequence[str]) -> Floats:
        """Return the values of the ones, with some parameters as in the others."""
        return function([
            configurations.active({**one, **{name: other[name] for name in moved}})
            for one, other in zip(ones, others, strict=True)
        ])  # fmt: skip

    still, single = values([]), {name: values([name]) for name in names}
    variance = max(float(np.var([still, *single.values()])), 1e-12)
    total = {name: 0.5 * float(np.mean((still - single[name]) ** 2)) / variance for name in names}
    main = {name: _main_variance(function, configurations, ones[:_OTHERS], name) / variance for name in names}
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


def _evenly(configurations: Configurations, seed: int) -> tuple[list[Configuration], list[Configuration]]:
    """Draw configurations twice, with the parameters that have no effect, so that they fill the space of pairs evenly."""
    kinds = configurations.distributions
    points = qmc.Sobol(2 * len(kinds), seed=np.random.default_rng(seed)).random(_DRAWS)
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


# --- differences between the parameters of two agents -------------------------------------------------------------------


#: Text where a parameter has no effect, or an agent has none of that name.
NOTHING: Final = "-"


@dataclass(frozen=True)
class ParameterChange:
    """A parameter that differs between two agents.

    Attributes:
        parameter: its name, with a dot for parameters of a spec that is a parameter; ``agent`` for the agent itself.
        default: its value in the default, as people read it.
        recommended: its value in the recommendation, as people read it.
    """

    parameter: str
    default: str
    recommended: str

    def to_json(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return asdict(self)


def differences(default: str, recommended: str) -> list[ParameterChange]:
    """Return the parameters in which two agents differ, in the order of their declaration.

    Args:
        default: a spec.
        recommended: another.

    Raises:
        TagError: a spec is of no agent.

    >>> differences("rhea", "rhea:crossover=n_point,horizon=3")[1:]  # doctest: +ELLIPSIS
    [...ParameterChange(parameter='crossover_points', default='-', recommended='1')]
    """
    ones, others = (dict(_values(Scope("agent", spec))) for spec in (default, recommended))
    rows = [(name, ones.get(name, NOTHING), others.get(name, NOTHING)) for name in {**ones, **others}]
    return [ParameterChange(name, shown(one), shown(other)) for name, one, other in rows if one != other]


def _values(scope: Scope) -> Iterator[tuple[str, str]]:
    """Yield the agent's name and the values that have an effect, as people write them, with those of specs within."""
    yield scope.prefix[:-1] or scope.registry, scope.name
    for own, value in scope.values.items():
        if scope.is_active(own, scope.values):
            if own in scope.inner:
                yield from _values(scope.inner[own])
            else:
                yield scope.prefix + own, value_text(value)


# --- changes ------------------------------------------------------------------------------------------------------------
#
# Changes between configurations, by the model: each single change of the recommendation, and the path from the default.


#: So many values of a parameter are tried.
_VALUES: Final = 12
#: A change is significant if its corrected p value is below this.
LEVEL: Final = 0.05


@dataclass(frozen=True)
class OneStep:
    """A configuration that differs from the recommendation in one parameter, and in those that then have an effect.

    Attributes:
        parameter: its name.
        value: of it.
        configuration: all of it.
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
        parameter: its name.
        before: its old value, None if it had no effect.
        after: its new value, None if it has no effect.
        gain: how much better the change makes the value.
        error: the standard deviation of that.
    """

    parameter: str
    before: Any
    after: Any
    gain: float
    error: float


def one_steps(posterior: ConfigurationModel, base: Configuration, rest: Configuration) -> list[OneStep]:
    """Return all valid steps from ``base``, by parameter and value.

    Args:
        posterior: the model.
        base: the recommendation.
        rest: values of parameters without an effect in it, used where a step gives them one.
    """
    configurations = posterior.space.configurations
    levels = {name: grid(kind, _VALUES) for name, kind in configurations.distributions.items()}
    steps = list(configurations.around(base, levels, rest))
    if not steps:
        return []
    gains, errors = posterior.gains(base, [configuration for _name, _value, configuration in steps])
    better = ndtr(gains / np.maximum(errors, 1e-12))
    p_values = holm(2.0 * np.minimum(better, 1.0 - better))
    return [
        OneStep(*step, *map(float, numbers))
        for step, numbers in zip(steps, zip(gains, errors, better, p_values, strict=True), strict=True)
    ]


def path(
    posterior: ConfigurationModel, begin: Configuration, end: Configuration, rest: Configuration
) -> list[PathStep]:
    """Return the changes that lead from ``begin`` to ``end``, at each step the change with the greatest gain.

    The gains add up to the whole difference. As long as there are changes to valid configurations, only these are taken
    (greedy ablation: C. Fawcett and H. H. Hoos, "Analysing differences between algorithm configurations through
    ablation", Journal of Heuristics 22, 2016).

    Args:
        posterior: the model.
        begin: the default.
        end: the recommendation.
        rest: values of parameters without an effect in them.
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
        gains, errors = posterior.gains(here, reached)
        valid = [configurations.is_valid(one) for one in reached]
        chosen = max(range(len(names)), key=lambda at: (valid[at], gains[at]))
        name = names[chosen]
        found.append(
            PathStep(name, here.get(name), reached[chosen].get(name), float(gains[chosen]), float(errors[chosen]))
        )
        state[name], here = goal[name], reached[chosen]
    return found


# --- findings: the recommendation and how it differs, the best configurations, parameter importance ---------------------


#: Number of the best configurations that are listed.
_TOP: Final = 10
#: Samplers with a model of their own for the recommendation, and its name; the others use the model of the report.
OWN_MODELS: Final = {"ntbea": "its means over pairs of parameters"}


@dataclass(frozen=True)
class ConfigurationEstimate:
    """The model's estimate of a value.

    Attributes:
        value: of the objective.
        deviation: the standard deviation of that.
    """

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
    """A configuration among the best.

    Attributes:
        spec: of the agent.
        estimate: of the model.
        games: that it has played.
        observed: the objective in these alone, which is too good for the best on average.
    """

    spec: str
    estimate: ConfigurationEstimate
    games: int
    observed: float


@dataclass(frozen=True)
class Findings:
    """Findings of the model about a study's trials.

    Attributes:
        posterior: the model of every configuration.
        effects: the parameter importance.
        candidate: the spec of the incumbent.
        configuration: its searched values.
        estimate: of it.
        played: how many games of it the search has played; 0 if only the model supports it.
        default: of the default; None if that is outside of the search space.
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


def findings_of(results: StudyResults) -> Findings | None:
    """Return the findings of a study so far; None as long as no trial has a value."""
    posterior = posterior_of(results)
    if posterior is None:
        return None
    definition = results.manifest.definition
    space = definition.space
    best = posterior.best(_TOP)
    candidate = str(results.incumbents["spec"].iloc[-1]) if len(results.incumbents) else best[0].spec
    configuration = space.configuration(candidate)
    of_candidate, of_default, *of_best = [
        ConfigurationEstimate(float(value), float(deviation))
        for value, deviation in zip(
            *posterior.values([configuration, space.default, *(one.configuration for one in best)]), strict=True
        )
    ]
    return Findings(
        posterior,
        effects_of(posterior.means, space.configurations),
        candidate,
        configuration,
        of_candidate,
        _games_of(results, candidate),
        of_default if space.spec(space.default) == definition.default else None,
        differences(definition.default, candidate),
        [Ranked(one.spec, estimate, one.games, one.value) for one, estimate in zip(best, of_best, strict=True)],
        _remark(definition.sampler),
    )


def _games_of(results: StudyResults, spec: str) -> int:
    """Return the games of a configuration that the study knows: of the last search, or of studies before."""
    if "played" in results.incumbents and len(results.incumbents):
        return int(results.incumbents["played"].iloc[-1])
    trials = latest(results.trials)
    return int(trials["games"][trials["spec"] == spec].sum())


def _remark(sampler: str) -> str:
    """Return the model of the recommendation in a sentence, if the values are from another model."""
    if sampler not in OWN_MODELS:
        return ""
    return (
        f"what is recommended is {sampler}'s choice, by {OWN_MODELS[sampler]}; all values are those of a Gaussian process "
        "of the same games, which may think more of others"
    )


# --- output of a study: text for people, JSON for programs --------------------------------------------------------------


#: Text for a recommendation that only the model supports.
NEVER_PLAYED: Final = "0: never played"
#: Length in characters of a bar for all of the variance.
_BAR: Final = 30


def study_text(results: StudyResults, width: int | None = None) -> str:
    """Return the recommendation beside the default, the best configurations, parameter importance, and the verdict.

    Args:
        results: of the study, complete or not.
        width: of the text in columns.
    """
    definition = results.manifest.definition
    head = (
        f"{', '.join(definition.agents)} in {definition.game}, {definition.players} players, "
        f"versus {', '.join(definition.versus) or 'nobody'}: {definition.objective} by {definition.sampler}, "
        f"{_many(definition.games_per_trial, 'game')} per trial"
    )
    findings = findings_of(results)
    if findings is None:
        return f"{head}\nno configuration has been played to its end yet"
    trials = results.trials
    games, dropped = int(trials["games"].sum()), int((trials["state"] == DROPPED).sum())
    configurations = _many(trials["spec"].nunique(), "configuration")
    counts = f"{_many(len(trials), 'trial')} of {configurations}, {dropped:,} of them pruned; {_many(games, 'game')}"
    end = "not complete" if results.recommendation is None else str(results.recommendation["sentence"])
    tables = [_differences(findings, definition.objectives[0]), _top(findings), _importance(findings)]
    verdicts = verdicts_table(results.recommendation) if results.recommendation else None
    shown_tables = [*tables, *([verdicts] if verdicts else [])]
    parts = [f"{head}\n{counts}", *(table_text(table, width) for table in shown_tables), findings.remark, end]
    return "\n\n".join(filter(None, parts))


def study_json(results: StudyResults) -> dict[str, Any]:
    """Return the same and all trials as plain values."""
    findings = findings_of(results)
    return {
        "folder": str(results.folder),
        "complete": results.complete,
        "definition": results.manifest.definition.to_json(),
        "sampler_reason": results.manifest.sampler_reason,
        "recommendation": results.recommendation,
        "findings": plain(findings.to_json()) if findings else None,
        "incumbents": rows_of(results.incumbents),
        "trials": rows_of(results.trials),
    }


def _differences(findings: Findings, objective: str) -> Table:
    """Return the parameters in which the incumbent differs from the default, side by side."""
    table = _table("parameter", "default", "recommended")
    for one in findings.differences:
        table.add_row(one.parameter, one.default, one.recommended)
    default = findings.default.text if findings.default else NOTHING
    table.add_row(f"{objective} by the model", default, findings.estimate.text)
    table.add_row("games in the search", "", f"{findings.played:,}" if findings.played else NEVER_PLAYED)
    return table


def _top(findings: Findings) -> Table:
    table = _table("tried, best by the model", "value ± 95 %", "games")
    for one in findings.top:
        table.add_row(shown(one.spec), one.estimate.text, f"{one.games:,}")
    return table


def _importance(findings: Findings) -> Table:
    table = _table("parameter", "share of the variance", "")
    table.columns[2].justify = "left"
    for one in findings.effects.parameters:
        table.add_row(one.parameter, f"{100.0 * one.main:.0f} %", "█" * min(round(_BAR * one.main), _BAR))
    return table


def verdicts_table(recommendation: Mapping[str, Any]) -> Table | None:
    """Return the comparisons on unseen seeds, with the CPU time of both sides; None where there is none."""
    comparisons = comparisons_of(recommendation)
    if not comparisons:
        return None
    table = _table("on unseen seeds", "decision", "difference, 95 %", "CPU ms/decision", "of the default", "games")
    for name, (comparison, times) in comparisons.items():
        result, sides = comparison["result"], [comparison[side] for side in SIDES]
        low, high = (NOTHING if result[end] is None else format(result[end], "+.3f") for end in ("low", "high"))
        table.add_row(
            COMPARISONS[name],
            result["decision"] or "undecided",
            f"{result['difference']:+.3f} ({low} to {high})",
            *(time_text(times[side]) for side in SIDES),
            f"{sum(side['games'] for side in sides):,}",
        )
    return table


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _table(first: str, *others: str) -> Table:
    """Return a table without rows: one column of names, others of values."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(first, overflow="fold")
    for heading in others:
        table.add_column(heading, justify="right", overflow="fold")
    return table


def rows_of(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a data frame as plain values, None for missing ones."""
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return [dict(plain({str(name): value for name, value in row.items()})) for row in rows]
