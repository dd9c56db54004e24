"""The verdict of a balancing study: ``balance.json``, a game file with its evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from tag.catalogue.registry import make_game
from tag.engine.parameters import parse_spec
from tag.tuning.balancing.definition import BalanceDefinition
from tag.tuning.balancing.results.measuring import MISSED, OPEN, Measurement, confidence_of
from tag.tuning.space.ranges import shown
from tag.tuning.study.folder import Manifest


@dataclass(frozen=True)
class PanelCheck:
    """The default rules and the choice, with other agents on other seeds."""

    agents: tuple[str, ...]
    printed: Measurement
    choice: Measurement

    def to_json(self) -> dict[str, Any]:
        """Return the results as plain values."""
        return {"agents": list(self.agents), "printed": self.printed.to_json(), "choice": self.choice.to_json()}


def verdict(
    manifest: Manifest[BalanceDefinition],
    printed: Measurement,
    choice: Measurement,
    measured: Sequence[Measurement],
    held_out: PanelCheck | None,
    tuned: str,
    retuned: PanelCheck | None,
) -> dict[str, Any]:
    """Return the content of ``balance.json``.

    Its ``name`` and ``parameters`` are those of the chosen game, so that commands accept the file as a game.

    Args:
        manifest: of the study.
        printed: the measurement of the default rules.
        choice: the measurement of the choice.
        measured: all candidates that were measured on unseen seeds.
        held_out: the same two with held-out agents, if there are any.
        tuned: the agent that was tuned to the choice; empty for none.
        retuned: the same two with that agent; None where tuning did not change it.
    """
    definition = manifest.definition
    return {
        "name": parse_spec(choice.spec).name,
        "parameters": make_game(choice.spec).parameters.values(),
        "spec": choice.spec,
        "feasible": choice.is_feasible,
        "confidence": confidence_of(definition.finalists),
        "sentence": sentence(printed, choice),
        "changes": changes(printed.spec, choice.spec),
        "printed": printed.to_json(),
        "choice": choice.to_json(),
        "measured": [one.to_json() for one in measured],
        "held_out": held_out.to_json() if held_out else None,
        "retuned_agent": tuned or None,
        "retuned": retuned.to_json() if retuned else None,
        "study": {"id": manifest.id, "definition": definition.to_json(), "versions": manifest.versions},
    }


def changes(printed: str, choice: str) -> dict[str, list[Any]]:
    """Return the parameters in which the choice differs, with both values."""
    before, after = (make_game(spec).parameters.values() for spec in (printed, choice))
    return {name: [value, after[name]] for name, value in before.items() if value != after[name]}


def sentence(printed: Measurement, choice: Measurement) -> str:
    """Return the verdict for people."""
    if choice.is_feasible and choice.spec == printed.spec:
        return f"{shown(choice.spec)} meets all targets as it is, on {choice.games:,} games with unseen seeds"
    if choice.is_feasible:
        return f"{shown(choice.spec)} meets all targets, on {choice.games:,} games with unseen seeds"
    pairs = list(zip(choice.targets, choice.estimates, choice.states, strict=True))
    missed = [f"it misses {one} with {got.value:.3g}" for one, got, state in pairs if state == MISSED]
    open_ = [one.name for one, _got, state in pairs if state == OPEN]
    text = f"no candidate was shown to meet all targets; the nearest is {shown(choice.spec)}"
    text += f", and {' and '.join(missed)}" if missed else ""
    if open_ and not missed:
        text += f", for which {' and '.join(open_)} may be in the band or not after {choice.games:,} games"
        wanted = choice.games_to_know()
        text += f"; about {_rounded(wanted):,} would tell (--validation)" if isfinite(wanted) else ""
    return text


def _rounded(number: float) -> int:
    return int(float(f"{number:.1e}"))
