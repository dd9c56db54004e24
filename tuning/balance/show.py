"""What a balancing study has come to, for people and for machines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, Final

import pandas as pd
from rich.table import Table

from tournaments.intervals import HALF_WIDTH, ends_text
from tournaments.tables import table_text
from tuning.balance.definition import BalanceDefinition
from tuning.balance.results import BalanceResults
from tuning.balance.verdict import changes
from tuning.ranges import shown, value_text
from tuning.show import rows_of

_MOST_ROWS: Final = 20
_MARKS: Final = {"met": "✓", "missed": "✗", "open": "?"}


def balance_text(results: BalanceResults, width: int | None = None) -> str:
    """Return the targets beside the printed rules and the choice, the checks, and the Pareto front where one was wanted."""
    definition = results.manifest.definition
    parts = [_head(definition)]
    trials = results.trials
    if trials.empty:
        return "\n".join([*parts, "nothing has been played yet"])
    parts.append(f"{trials['spec'].nunique():,} candidates, {int(trials['games'].sum()):,} games")
    if definition.pareto and len(results.front):
        parts += ["", _front_text(definition, results.front, width)]
    found = results.verdict
    if found is None:
        return "\n".join([*parts, "not complete"])
    parts += ["", _comparison_text(found["printed"], found["choice"], width)]
    for name, title in (("held_out", "with agents held out"), ("retuned", "with the agent tuned to the choice")):
        check = found[name]
        if check:
            agents = ", ".join(check["agents"])
            parts += ["", f"{title}: {agents}", _comparison_text(check["printed"], check["choice"], width)]
    if found["retuned_agent"] and not found["retuned"]:
        parts += ["", f"tuning {definition.retune} to the choice found nothing better: nothing to measure again"]
    warning = [f"warning: {found['choice']['degenerate']}"] if found["choice"].get("degenerate") else []
    return "\n".join([*parts, "", *_changes_text(found["changes"]), str(found["sentence"]), *warning])


def balance_json(results: BalanceResults) -> dict[str, Any]:
    """Return the same and all trials as plain values."""
    return {
        "folder": str(results.folder),
        "complete": results.complete,
        "definition": results.manifest.definition.to_json(),
        "verdict": results.verdict,
        "front": rows_of(results.front),
        "trials": rows_of(results.trials),
    }


def changed_texts(changed: Mapping[str, Sequence[Any]]) -> list[tuple[str, str, str]]:
    """Return the parameters that differ, with both values as people read them."""
    return [(name, shown(value_text(before)), shown(value_text(after))) for name, (before, after) in changed.items()]


def changes_words(printed: str, spec: str) -> str:
    """Return what a candidate changes in the printed rules, in a line."""
    changed = [f"{name} {after}" for name, _before, after in changed_texts(changes(printed, spec))]
    return ", ".join(changed) or "none: as printed"


def _head(definition: BalanceDefinition) -> str:
    return (
        f"{definition.game}, {definition.players} players, by {', '.join(definition.agents)}: "
        f"{', '.join(definition.targets)}; {definition.games_per_trial:,} games per candidate"
    )


def _comparison_text(printed: Mapping[str, Any], choice: Mapping[str, Any], width: int | None) -> str:
    """Return a table of the targets: the printed rules beside the choice."""
    is_same = printed["spec"] == choice["spec"]
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("target", overflow="fold")
    for one in (printed,) if is_same else (printed, choice):
        title = "printed rules" if one is printed else "choice"
        table.add_column(f"{title}, {one['games']:,} games", justify="right", overflow="fold")
    for name, cell in printed["targets"].items():
        both = (cell,) if is_same else (cell, choice["targets"][name])
        table.add_row(cell["target"], *map(_cell, both))
    return table_text(table, width)


def _cell(measured: Mapping[str, Any]) -> str:
    """Return an estimate with its interval, and whether it is in the band."""
    value, low, high = (measured[name] for name in ("value", "low", "high"))
    if value is None:
        return f"unknown {_MARKS[measured['state']]}"
    ends = (-inf if low is None else low, inf if high is None else high)
    interval = "" if low == high else f" ({ends_text(*ends, '.4g')})"  # what is known exactly has none
    return f"{value:.4g}{interval} {_MARKS[measured['state']]}"


def _changes_text(changed: Mapping[str, Sequence[Any]]) -> list[str]:
    return [f"{name}: {before} → {after}" for name, before, after in changed_texts(changed)]


def _front_text(definition: BalanceDefinition, front: pd.DataFrame, width: int | None) -> str:
    """Return a table of what each candidate on the front changes and gains, by the model."""
    table = Table(box=None, pad_edge=False, header_style="bold", title=None)
    table.add_column("changes", overflow="fold")
    table.add_column("distance", justify="right")
    for goal in definition.goals:
        table.add_column(str(goal.target), justify="right", overflow="fold")
    for row in front.head(_MOST_ROWS).to_dict("records"):
        text = changes_words(definition.space.base, str(row["spec"]))
        cells = [
            f"{row[f'mean.{name}']:.4g} ± {HALF_WIDTH * row[f'deviation.{name}']:.2g}"
            for name in (goal.target.name for goal in definition.goals)
        ]
        table.add_row(text, f"{row['distance']:.3f}", *cells)
    more = len(front) - _MOST_ROWS
    return table_text(table, width) + (f"\nand {more:,} more (--json has all)" if more > 0 else "")
