"""The results of a balancing study as text for people, and as JSON for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, Final

import pandas as pd

from tag.tournaments.reports.terminal import empty_table, table_text
from tag.tournaments.statistics.intervals import CONFIDENCE, HALF_WIDTH, ends_text
from tag.tuning.balancing.definition import BalanceDefinition
from tag.tuning.balancing.results.measuring import FAMILY
from tag.tuning.balancing.results.results import BalanceResults
from tag.tuning.balancing.results.verdict import changes
from tag.tuning.space.ranges import shown, value_text
from tag.tuning.study.definition import FEWEST_BLOCKS
from tag.tuning.study.files import rows_of

_MOST_ROWS: Final = 20
_MARKS: Final = {"met": "✓", "missed": "✗", "open": "?"}


def balance_text(results: BalanceResults, width: int | None = None) -> str:
    """Return the targets beside the default rules and the choice, the checks, and the Pareto front where one was wanted."""
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
    others = passed_over(found)
    if others:
        parts += ["", _others_text(definition, others, width)]
    parts += ["", games_text(definition, found)]
    for name, title in (("held_out", "with agents held out"), ("retuned", "with the agent tuned to the choice")):
        check = found[name]
        if check:
            agents = ", ".join(check["agents"])
            parts += ["", f"{title}: {agents}", _comparison_text(check["printed"], check["choice"], width)]
    if found["retuned_agent"] and not found["retuned"]:
        parts += ["", f"tuning {definition.retune} to the choice found nothing better: nothing to measure again"]
    warning = [f"warning: {found['choice']['degenerate']}"] if found["choice"].get("degenerate") else []
    return "\n".join([*parts, "", *_changes_text(found["changes"]), str(found["sentence"]), *warning])


def passed_over(found: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the measured candidates that are neither the default rules nor the choice, from ``balance.json``."""
    return [one for one in found["measured"] if one["spec"] not in (found["printed"]["spec"], found["choice"]["spec"])]


def confidence_text(found: Mapping[str, Any]) -> str:
    """Return the confidence of the intervals in ``balance.json``; older files have 95 %."""
    return f"{100.0 * found.get('confidence', CONFIDENCE):.4g} %"


def games_text(definition: BalanceDefinition, found: Mapping[str, Any]) -> str:
    """Return how many games were asked for and played on unseen seeds, and why."""
    n = len(found["measured"])
    each = sorted({one["games"] for one in found["measured"]})
    played = " to ".join(f"{games:,}" for games in dict.fromkeys((each[0], each[-1])))
    least = FEWEST_BLOCKS * definition.plan.block_games
    return (
        f"on unseen seeds: {'1 finalist' if n == 1 else f'{n} finalists'} of at most {definition.finalists}, one after "
        f"another until one meets all targets, {played} games each. A finalist has as many games as by the model bring its "
        f"{confidence_text(found)} intervals into the bands nine times of ten, {least:,} at least and "
        f"{definition.validation:,} at most (--validation); the default rules as many as the longest. If neither a finalist "
        f"nor the default rules meet the targets, one of them is called so in at most {100.0 * FAMILY:.0f} % of studies"
    )


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
    """Return the changes of a candidate to the default rules, in a line."""
    changed = [f"{name} {after}" for name, _before, after in changed_texts(changes(printed, spec))]
    return ", ".join(changed) or "none: as printed"


def _head(definition: BalanceDefinition) -> str:
    players = "1 player" if definition.players == 1 else f"{definition.players} players"
    return (
        f"{definition.game}, {players}, by {', '.join(definition.agents)}: "
        f"{', '.join(definition.targets)}; {definition.games_per_trial:,} games per candidate"
    )


def _comparison_text(printed: Mapping[str, Any], choice: Mapping[str, Any], width: int | None) -> str:
    is_same = printed["spec"] == choice["spec"]
    sides = {"default rules": printed} if is_same else {"default rules": printed, "choice": choice}
    table = empty_table("target", *(f"{title}, {one['games']:,} games" for title, one in sides.items()))
    for name, cell in printed["targets"].items():
        table.add_row(cell["target"], *(_cell(one["targets"][name]) for one in sides.values()))
    return table_text(table, width)


def _others_text(definition: BalanceDefinition, others: Sequence[Mapping[str, Any]], width: int | None) -> str:
    names = [goal.target.name for goal in definition.goals]
    table = empty_table("passed over", "games", *(str(goal.target) for goal in definition.goals))
    for one in others:
        cells = (_cell(one["targets"][name]) for name in names)
        table.add_row(changes_words(definition.space.base, one["spec"]), f"{one['games']:,}", *cells)
    return table_text(table, width)


def _cell(measured: Mapping[str, Any]) -> str:
    value, low, high = (measured[name] for name in ("value", "low", "high"))
    if value is None:
        return f"unknown {_MARKS[measured['state']]}"
    ends = (-inf if low is None else low, inf if high is None else high)
    interval = "" if low == high else f" ({ends_text(*ends, '.4g')})"  # an exact value has none
    return f"{value:.4g}{interval} {_MARKS[measured['state']]}"


def _changes_text(changed: Mapping[str, Sequence[Any]]) -> list[str]:
    return [f"{name}: {before} → {after}" for name, before, after in changed_texts(changed)]


def _front_text(definition: BalanceDefinition, front: pd.DataFrame, width: int | None) -> str:
    table = empty_table("changes", "distance", *(str(goal.target) for goal in definition.goals))
    for row in front.head(_MOST_ROWS).to_dict("records"):
        text = changes_words(definition.space.base, str(row["spec"]))
        cells = [
            f"{row[f'mean.{name}']:.4g} ± {HALF_WIDTH * row[f'deviation.{name}']:.2g}"
            for name in (goal.target.name for goal in definition.goals)
        ]
        table.add_row(text, f"{row['distance']:.3f}", *cells)
    more = len(front) - _MOST_ROWS
    return table_text(table, width) + (f"\nand {more:,} more (--json has all)" if more > 0 else "")
