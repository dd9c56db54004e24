"""Tracking of balancing studies: the parts of `tuning.reports.tracking` for balancing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tournaments.tracking.runs import agent_names, metric_name
from tournaments.tracking.tracker import RunType
from tuning.balancing.definition import BalanceDefinition
from tuning.balancing.results import BALANCE, FRONT
from tuning.folder import INCUMBENTS, TRIALS, Manifest
from tuning.reports.tracking import BaseStudyWriter, contents_with

__all__ = ["BALANCES"]

BALANCES: Final = RunType("tuning.balancing.tracking:BalanceWriter", contents_with(BALANCE))


# --- the writer of balancing studies ------------------------------------------------------------------------------------


class BalanceWriter(BaseStudyWriter):
    """Writes the run of a balancing study."""

    kind = BALANCES
    study = BalanceDefinition
    topic = "balancing"
    verdict = BALANCE
    tables = (TRIALS, INCUMBENTS, FRONT)

    def tags(self, found: Mapping[str, Any]) -> dict[str, str]:
        """Return the choice in words."""
        return {f"balance.{name}": str(found[name]) for name in ("feasible", "sentence", "spec")}

    def results(self, found: Mapping[str, Any]) -> dict[str, float]:
        """Return the results of the games on unseen seeds, by the names of metrics: ``validation/choice/length/value``."""
        values: dict[str, float | None] = {}
        for stage, pair in {"validation": found, "held_out": found["held_out"], "retuned": found["retuned"]}.items():
            for side in ("printed", "choice") if pair is not None else ():
                measured = pair[side]
                values[f"{stage}/{side}/games"] = measured["games"]
                for target, one in measured["targets"].items():
                    name = f"{stage}/{side}/{metric_name(target)}"
                    values |= {f"{name}/{key}": one[key] for key in ("value", "low", "high")}
        return {name: float(value) for name, value in values.items() if value is not None}

    def named(self, values: Mapping[str, float], manifest: Manifest[BalanceDefinition]) -> dict[str, float]:
        """Return the values of a point by the names of metrics: ``measure.win_rate(mcts)`` is ``measure/win_rate_mcts``."""
        names = agent_names([goal.target.name for goal in manifest.definition.goals])
        found = {}
        for column, value in values.items():
            kind, dot, target = column.partition(".")
            found[f"{kind}/{names[target]}" if dot else column] = value
        return found
