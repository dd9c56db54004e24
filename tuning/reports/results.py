"""The results of a study, from its folder: the recommendation, and what the model finds in the trials."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from math import floor, log10
from pathlib import Path
from typing import Any, Final

from tag.catalogue.registry import make_agent
from tag.engine.parameters import parse_spec
from tag.tournaments.statistics.plain_records import plain
from tag.tuning.agent.comparisons.comparison import SIDES, Comparison, EqualTime
from tag.tuning.agent.comparisons.equal_time import Times, budget_of, equal_calls
from tag.tuning.agent.comparisons.games import GamesComparison
from tag.tuning.agent.comparisons.portfolio import Portfolio
from tag.tuning.agent.definition import HELD_OUT, VALIDATION, StudyDefinition, StudyManifest
from tag.tuning.agent.objectives import MAXIMIZE, WORST, direction_of
from tag.tuning.agent.warm_start import read_known_trials
from tag.tuning.reports.findings.differences import differences
from tag.tuning.reports.findings.effects import effects_of
from tag.tuning.reports.findings.findings import ConfigurationEstimate, Findings, Ranked
from tag.tuning.reports.findings.posterior import ConfigurationModel, tried_in
from tag.tuning.search.incumbents import Incumbent
from tag.tuning.search.trials import latest
from tag.tuning.space.ranges import shown
from tag.tuning.study.folder import ResultsSoFar
from tag.tuning.validation import ValidationResult


class StudyResults(ResultsSoFar[StudyDefinition]):
    """Results of a tuning study so far."""

    @property
    def recommendation(self) -> dict[str, Any] | None:
        """The content of ``recommendation.json``; None as long as the study is not complete."""
        return self.verdict

    @property
    def definition(self) -> StudyDefinition:
        """The study."""
        return self.manifest.definition

    @property
    def objective(self) -> str:
        """The objective; of several, the first; in several games, the gain."""
        if self.definition.events:
            return LEAST_GAIN if self.definition.across == WORST else MEAN_GAIN
        return self.definition.objectives[0].replace("_", " ")

    @property
    def goal(self) -> str:
        """The same with the direction in which it goes."""
        return f"{self.objective}, {'more' if self.is_maximised else 'less'} is better"

    @property
    def is_maximised(self) -> bool:
        """True if more of the objective is better."""
        return direction_of(self.definition.objectives[0]) == MAXIMIZE

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the greatest value that the objective can have."""
        return self.definition.bounds

    @cached_property
    def findings(self) -> Findings | None:
        """The findings of the model in the trials, computed once; None as long as no trial has a value."""
        return _findings_of(self)


def read_study(folder: Path) -> StudyResults:
    """Return the results of the study in ``folder``; `DataError` where there is none, or a file is damaged."""
    return StudyResults.read(StudyDefinition, folder)


#: The objectives in several games.
MEAN_GAIN: Final = "mean gain in points"
LEAST_GAIN: Final = "least gain in points"

KEEP: Final = "keep the default"
BETTER: Final = "better than the default"
#: Text for a recommendation that only the model supports.
NEVER_PLAYED: Final = "0: never played"


#: The comparisons on unseen seeds, in this order, and their names.
COMPARISONS: Final = {
    "validation": "validation",
    "equal_time": "validation at equal time",
    "held_out": "opponents held out",
}


def recommendation(
    manifest: StudyManifest,
    incumbent: Incumbent,
    validation: Comparison | None,
    held_out: Comparison | None,
    equal_time: EqualTime | None = None,
    doubt: str = "",
    taken_back: Sequence[str] = (),
    games: Mapping[str, GamesComparison] | None = None,
    portfolios: Sequence[Portfolio] = (),
) -> dict[str, Any]:
    """Return the content of ``recommendation.json``.

    Its ``name`` and ``parameters`` are those of the agent to play with, all parameters written out: of the
    recommendation, or of the default where the recommendation was not shown to be better.

    Args:
        manifest: of the study.
        incumbent: the recommendation of the search.
        validation: its comparison with the default; None if it is the default, or no games were planned.
        held_out: the same against held-out opponents, if there are any.
        equal_time: the same with the default's budget scaled; None where there is no validation.
        doubt: why the search has no recommendation; empty if it has one.
        taken_back: the parameters whose changes to the default were taken back, as they showed no gain.
        games: of a study over several games, its comparisons in those of the search and those held out, by stream.
        portfolios: of one configuration and more, for these games.
    """
    definition = manifest.definition
    is_better = validation is not None and validation.result.decision == "better"
    is_better = is_better or bool(games and games[VALIDATION].is_better)
    is_untested = validation is None and not games and incumbent.spec != definition.default and not doubt
    played: dict[str, Comparison | GamesComparison | None] = {
        "validation": validation,
        "equal_time": equal_time.comparison if equal_time else None,
        "held_out": held_out,
        **{stream.replace(" ", "_"): one for stream, one in (games or {}).items()},
    }
    chosen = incumbent.spec if is_better or is_untested else definition.default
    return {
        "name": parse_spec(chosen).name,
        "parameters": make_agent(chosen).parameters.values(),
        "verdict": "not validated" if is_untested else BETTER if is_better else KEEP,
        "sentence": games_sentence(definition.default, games)
        if games
        else sentence(definition.objectives[0], definition.default, incumbent, validation, equal_time, doubt),
        "doubt": doubt,
        "taken_back": list(taken_back),
        "spec": chosen,
        "default": definition.default,
        "candidate": plain(asdict(incumbent)),
        "validation": plain(validation.to_json()) if validation else None,
        "held_out": plain(held_out.to_json()) if held_out else None,
        "equal_time": plain(equal_time.to_json()) if equal_time else None,
        "decision_cpu_ms": {name: plain(one.times) for name, one in played.items() if one},
        "study": {"id": manifest.id, "definition": definition.to_json(), "versions": manifest.versions},
        **({"games": {name.replace(" ", "_"): plain(one.to_json()) for name, one in games.items()}} if games else {}),
        **({"portfolios": [plain(one.to_json()) for one in portfolios]} if portfolios else {}),
    }


def comparisons_of(found: Mapping[str, Any]) -> dict[str, tuple[dict[str, Any], Times]]:
    """Return the comparisons in ``recommendation.json``, each with the times of its sides, by the names of `COMPARISONS`.

    Older files have no times, and no comparison at equal time.
    """
    equal_time = found.get("equal_time") or {}
    played = {**found, "equal_time": equal_time.get("comparison")}
    unknown = dict.fromkeys(SIDES)
    times = found.get("decision_cpu_ms", {})
    return {name: (played[name], times.get(name, unknown)) for name in COMPARISONS if played[name] is not None}


def time_text(milliseconds: float | None) -> str:
    """Return a time per decision in three digits, or a dash."""
    return "-" if milliseconds is None else f"{milliseconds:.{max(0, 2 - floor(log10(max(milliseconds, 1e-3))))}f}"


def sentence(
    objective: str,
    default: str,
    incumbent: Incumbent,
    validation: Comparison | None,
    equal_time: EqualTime | None = None,
    doubt: str = "",
) -> str:
    """Return the verdict for people in short sentences, without the last full stop: at equal budgets, and at equal time."""
    keep = f"keep the default, {shown(default)}"
    if doubt:
        return f"{keep}: {doubt}"
    if validation is None:
        if incumbent.spec == default:
            return f"{keep}: the search found nothing better"
        never = "" if incumbent.played else ", nor ever played: the model alone speaks for it"
        return f"{shown(incumbent.spec)} is what the search recommends; it was not validated{never}"
    result, ours = validation.result, validation.recommended
    difference, name = _difference(result), objective.replace("_", " ")
    where = equal_calls(ours.spec, default)
    at = f" {where}" if where else ""
    times = _times(validation, equal_time)
    if result.decision == "better":
        return (
            f"the recommendation is better than the default by {difference}{at}: {name} {ours.value:.3f} "
            f"({ours.low:.3f} to {ours.high:.3f}) on unseen seeds. {times}"
        )
    return f"{keep}: the recommendation is not shown to be better{at}, with an advantage of {difference}. {times}"


def games_sentence(default: str, games: Mapping[str, GamesComparison]) -> str:
    """Return the verdict over several games for people, without the last full stop."""
    found, held_out = games[VALIDATION], games.get(HELD_OUT)
    how = (
        "the recommendation is better than the default" if found.is_better else f"keep the default, {shown(default)}: "
    )
    how += "" if found.is_better else "the recommendation is not shown to be better"
    text = f"{how} in {len(found.games)} games on unseen seeds, with a {_gain(found)}"
    if held_out is None:
        return text
    shown_there = "better" if held_out.is_better else "not shown to be better"
    where = "1 game" if len(held_out.games) == 1 else f"{len(held_out.games)} games"
    return f"{text}. In {where} held out it is {shown_there}, with a {_gain(held_out)}"


def _gain(found: GamesComparison) -> str:
    name = LEAST_GAIN if found.across == WORST else MEAN_GAIN
    return f"{name} of {found.gain:+.3f} ({found.low:+.3f} to {found.high:+.3f})"


def _difference(result: ValidationResult) -> str:
    return f"{result.difference:+.3f} ({result.low:+.3f} to {result.high:+.3f}, p = {result.p_value:.2g})"


def _times(validation: Comparison, equal_time: EqualTime | None) -> str:
    text = f"It takes {_per_decision(validation)}"
    if equal_time is None:
        return text
    comparison = equal_time.comparison
    if comparison is None:
        return f"{text}. There was no validation at equal time: {equal_time.scaling.remark}"
    result = comparison.result
    how = "better by" if result.decision == "better" else "not shown to be better, with an advantage of"
    at = f"At equal time, with a budget of {budget_of(equal_time.scaling.default):,} for the default"
    return f"{text}. {at}, it is {how} {_difference(result)}, and takes {_per_decision(comparison)}"


def _per_decision(comparison: Comparison) -> str:
    ours, theirs = comparison.times.values()
    if ours is None or theirs is None:
        return "an unknown CPU time per decision"
    return f"{time_text(ours)} ms of CPU per decision, the default {time_text(theirs)}"


#: Number of the best configurations that are listed.
_TOP: Final = 10
#: Samplers with a model of their own for the recommendation, and its name; the others use the model of the report.
OWN_MODELS: Final = {"ntbea": "its means over pairs of parameters"}


def posterior_of(results: StudyResults) -> ConfigurationModel | None:
    """Return the model of a study, from its own trials and those of earlier studies; None if no trial has a value."""
    definition = results.definition
    if results.trials.empty or results.trials["value"].isna().all():
        return None
    sign = 1.0 if results.is_maximised else -1.0
    tried = tried_in(results.trials, read_known_trials(results.folder))
    looks = latest(results.incumbents)
    shared = float(looks["shared"].iloc[-1]) if "shared" in looks and len(looks) else 0.0  # older studies have none
    return ConfigurationModel(definition.space, tried, sign, results.bounds, shared)


def _findings_of(results: StudyResults) -> Findings | None:
    posterior = posterior_of(results)
    if posterior is None:
        return None
    definition = results.definition
    space = definition.space
    best = posterior.best(_TOP)
    candidate = str(results.incumbents["spec"].iloc[-1]) if len(results.incumbents) else best[0].spec
    configuration = space.configuration(candidate)
    of_candidate, of_default, *of_best = [
        ConfigurationEstimate(float(value), float(deviation))
        for value, deviation in zip(
            *posterior.values([configuration, space.default, *(space.configuration(one.spec) for one in best)]),
            strict=True,
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
    if "played" in results.incumbents and len(results.incumbents):
        return int(results.incumbents["played"].iloc[-1])
    trials = latest(results.trials)
    return int(trials["games"][trials["spec"] == spec].sum())


def _remark(sampler: str) -> str:
    if sampler not in OWN_MODELS:
        return ""
    return (
        f"what is recommended is {sampler}'s choice, by {OWN_MODELS[sampler]}; all values are those of a Gaussian process "
        "of the same games, which may think more of others"
    )
