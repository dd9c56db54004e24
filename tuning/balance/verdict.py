"""What a balancing study comes to: ``balance.json``, a file of the chosen game with the evidence for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any, Final

from tag.registry import make_game
from tag.spec import parse_spec
from tuning.balance.definition import BalanceDefinition
from tuning.balance.measuring import MISSED, OPEN, Measurement
from tuning.files import read_json, write_json
from tuning.folder import Manifest
from tuning.ranges import shown

BALANCE: Final = "balance.json"


@dataclass(frozen=True)
class Check:
    """The printed rules and the choice, with other agents on other seeds.

    Attributes:
        agents: who played.
        printed: what the printed rules are like.
        choice: what the choice is like.
    """

    agents: tuple[str, ...]
    printed: Measurement
    choice: Measurement

    def to_json(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {"agents": list(self.agents), "printed": self.printed.to_json(), "choice": self.choice.to_json()}


def verdict(
    manifest: Manifest[BalanceDefinition],
    printed: Measurement,
    choice: Measurement,
    measured: Sequence[Measurement],
    held_out: Check | None,
    tuned: str,
    retuned: Check | None,
) -> dict[str, Any]:
    """Return what ``balance.json`` is to hold.

    Its ``name`` and ``parameters`` are those of the chosen game, so that the file can be named where a game is wanted.

    Args:
        manifest: of the study.
        printed: what the printed rules are like.
        choice: what the choice is like.
        measured: all candidates that were measured on unseen seeds.
        held_out: the same two with agents held out, if there are any.
        tuned: the agent that was tuned to the choice; empty for none.
        retuned: the same two with that agent; None where tuning did not change it.
    """
    definition = manifest.definition
    return {
        "name": parse_spec(choice.spec).name,
        "parameters": make_game(choice.spec).parameters.values(),
        "spec": choice.spec,
        "feasible": choice.is_feasible,
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


def write_verdict(folder: Path, content: Mapping[str, Any]) -> None:
    """Write it to the folder of a study, all or nothing."""
    write_json(folder / BALANCE, content)


def read_verdict(folder: Path) -> dict[str, Any] | None:
    """Return what was chosen; None as long as the study is not complete.

    Raises:
        DataError: the file is damaged.
    """
    return read_json(folder / BALANCE)


def _rounded(number: float) -> int:
    """Return a number with two digits that say something."""
    return int(float(f"{number:.1e}"))
