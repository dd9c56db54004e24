"""What a study comes to: ``recommendation.json``, an agent file with the evidence for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from tag.registry import make_agent
from tag.spec import parse_spec
from tournaments.plain import plain
from tuning.comparison import Comparison
from tuning.files import read_json, write_json
from tuning.folder import StudyManifest
from tuning.judge import Incumbent
from tuning.ranges import shown

RECOMMENDATION: Final = "recommendation.json"
KEEP: Final = "keep the default"
BETTER: Final = "better than the default"


def recommendation(
    manifest: StudyManifest,
    incumbent: Incumbent,
    validation: Comparison | None,
    held_out: Comparison | None,
    doubt: str = "",
) -> dict[str, Any]:
    """Return what ``recommendation.json`` is to hold.

    Its ``name`` and ``parameters`` are those of the agent to play with, all parameters written out: of what the search
    recommends, or of the default where it was not shown to be better.

    Args:
        manifest: of the study.
        incumbent: what the search recommends.
        validation: how that did against the default; None where it is the default, or nothing was to be played.
        held_out: the same against opponents held out, if there are any.
        doubt: why the search cannot recommend anything; empty where it can.
    """
    definition = manifest.definition
    is_better = validation is not None and validation.result.decision == "better"
    is_untested = validation is None and incumbent.spec != definition.default and not doubt
    chosen = incumbent.spec if is_better or is_untested else definition.default
    return {
        "name": parse_spec(chosen).name,
        "parameters": make_agent(chosen).parameters.values(),
        "verdict": "not validated" if is_untested else BETTER if is_better else KEEP,
        "sentence": sentence(definition.objectives[0], definition.default, incumbent, validation, doubt),
        "doubt": doubt,
        "spec": chosen,
        "default": definition.default,
        "candidate": plain(asdict(incumbent)),
        "validation": plain(validation.to_json()) if validation else None,
        "held_out": plain(held_out.to_json()) if held_out else None,
        "study": {"id": manifest.id, "definition": definition.to_json(), "versions": manifest.versions},
    }


def sentence(objective: str, default: str, incumbent: Incumbent, validation: Comparison | None, doubt: str = "") -> str:
    """Return the verdict for people."""
    keep = f"keep the default, {shown(default)}"
    if doubt:
        return f"{keep}: {doubt}"
    if validation is None:
        if incumbent.spec == default:
            return f"{keep}: the search found nothing better"
        never = "" if incumbent.played else ", nor ever played: the model alone speaks for it"
        return f"{shown(incumbent.spec)} is what the search recommends; it was not validated{never}"
    result, ours = validation.result, validation.recommended
    difference = f"{result.difference:+.3f} ({result.low:+.3f} to {result.high:+.3f}, p = {result.p_value:.2g})"
    name = objective.replace("_", " ")
    if result.decision == "better":
        return (
            f"{shown(ours.spec)} has {name} {ours.value:.3f} ({ours.low:.3f} to {ours.high:.3f}) on unseen seeds, "
            f"better than the default by {difference}"
        )
    advantage = f"what the search recommends is not shown to be better, with an advantage of {difference}"
    return f"{keep}: {advantage}"


def write_recommendation(folder: Path, content: Mapping[str, Any]) -> None:
    """Write it to the folder of a study, all or nothing."""
    write_json(folder / RECOMMENDATION, content)


def read_recommendation(folder: Path) -> dict[str, Any] | None:
    """Return what is recommended; None as long as the study is not complete.

    Raises:
        DataError: the file is damaged.
    """
    return read_json(folder / RECOMMENDATION)
