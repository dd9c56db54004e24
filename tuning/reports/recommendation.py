"""The recommendation of a study: ``recommendation.json``, an agent file with its evidence, and a study's results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import floor, log10
from pathlib import Path
from typing import Any, Final

import pandas as pd

from tag.catalogue.registry import make_agent
from tag.engine.parameters import parse_spec
from tournaments.statistics.intervals import plain
from tuning.folder import (
    INCUMBENTS,
    TRIALS,
    StudyManifest,
    of_now,
    read_frame,
    read_json,
    read_study_manifest,
    write_json,
)
from tuning.search.comparison import SIDES, Comparison, Scaling, Times, budget_of, equal_calls
from tuning.search.judge import Incumbent
from tuning.space.ranges import shown
from tuning.validation import ValidationResult

# --- recommendation of a study: ``recommendation.json``, an agent file with its evidence --------------------------------


RECOMMENDATION: Final = "recommendation.json"
KEEP: Final = "keep the default"
BETTER: Final = "better than the default"


#: The comparisons on unseen seeds, in this order, and their names.
COMPARISONS: Final = {
    "validation": "validation",
    "equal_time": "validation at equal time",
    "held_out": "opponents held out",
}


@dataclass(frozen=True)
class EqualTime:
    """Comparison of the recommendation with the default at equal CPU time per decision.

    Attributes:
        scaling: the default with that budget, or why there is none.
        comparison: its games; None if none was played.
    """

    scaling: Scaling
    comparison: Comparison | None = None

    def to_json(self) -> dict[str, Any]:
        """Return all but the times as plain values."""
        return {**asdict(self.scaling), "comparison": self.comparison.to_json() if self.comparison else None}


def recommendation(
    manifest: StudyManifest,
    incumbent: Incumbent,
    validation: Comparison | None,
    held_out: Comparison | None,
    equal_time: EqualTime | None = None,
    doubt: str = "",
) -> dict[str, Any]:
    """Return the content of ``recommendation.json``.

    Its ``name`` and ``parameters`` are those of the agent to play with, all parameters written out: of the recommendation,
    or of the default where the recommendation was not shown to be better.

    Args:
        manifest: of the study.
        incumbent: the recommendation of the search.
        validation: its comparison with the default; None if it is the default, or no games were planned.
        held_out: the same against held-out opponents, if there are any.
        equal_time: the same with the default's budget scaled; None where there is no validation.
        doubt: why the search has no recommendation; empty if it has one.
    """
    definition = manifest.definition
    is_better = validation is not None and validation.result.decision == "better"
    is_untested = validation is None and incumbent.spec != definition.default and not doubt
    played = {
        "validation": validation,
        "equal_time": equal_time.comparison if equal_time else None,
        "held_out": held_out,
    }
    chosen = incumbent.spec if is_better or is_untested else definition.default
    return {
        "name": parse_spec(chosen).name,
        "parameters": make_agent(chosen).parameters.values(),
        "verdict": "not validated" if is_untested else BETTER if is_better else KEEP,
        "sentence": sentence(definition.objectives[0], definition.default, incumbent, validation, equal_time, doubt),
        "doubt": doubt,
        "spec": chosen,
        "default": definition.default,
        "candidate": plain(asdict(incumbent)),
        "validation": plain(validation.to_json()) if validation else None,
        "held_out": plain(held_out.to_json()) if held_out else None,
        "equal_time": plain(equal_time.to_json()) if equal_time else None,
        "decision_cpu_ms": {name: plain(one.times) for name, one in played.items() if one},
        "study": {"id": manifest.id, "definition": definition.to_json(), "versions": manifest.versions},
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


def _difference(result: ValidationResult) -> str:
    return f"{result.difference:+.3f} ({result.low:+.3f} to {result.high:+.3f}, p = {result.p_value:.2g})"


def _times(validation: Comparison, equal_time: EqualTime | None) -> str:
    """Return the time per decision of both sides, and the result of the recommendation at equal time."""
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
    """Return the time of both sides in words."""
    ours, theirs = comparison.times.values()
    if ours is None or theirs is None:
        return "an unknown CPU time per decision"
    return f"{time_text(ours)} ms of CPU per decision, the default {time_text(theirs)}"


def write_recommendation(folder: Path, content: Mapping[str, Any]) -> None:
    """Write it to the folder of a study, all or nothing."""
    write_json(folder / RECOMMENDATION, content)


def read_recommendation(folder: Path) -> dict[str, Any] | None:
    """Return the recommendation; None as long as the study is not complete.

    Raises:
        DataError: the file is damaged.
    """
    return read_json(folder / RECOMMENDATION)


# --- results of a study from its folder: while it runs, after an interruption, and in the end ---------------------------


@dataclass(frozen=True)
class StudyResults:
    """Results of a study so far.

    Attributes:
        folder: the study's.
        manifest: its definition and versions.
        trials: one row per trial that has ended (`tuning.search.trials.trials_frame`).
        incumbents: one row per recommendation in the course of the search.
        recommendation: the content of ``recommendation.json``; None as long as the study is not complete.
    """

    folder: Path
    manifest: StudyManifest
    trials: pd.DataFrame
    incumbents: pd.DataFrame
    recommendation: dict[str, Any] | None

    @property
    def complete(self) -> bool:
        """True if the study is complete."""
        return self.recommendation is not None


def read_study(folder: Path) -> StudyResults:
    """Return the results of the study in ``folder``.

    Raises:
        DataError: there is none, or a file is damaged.
    """
    manifest = read_study_manifest(folder)
    return StudyResults(
        folder,
        manifest,
        read_frame(folder / TRIALS),
        read_frame(folder / INCUMBENTS),
        of_now(manifest, read_recommendation(folder)),
    )
