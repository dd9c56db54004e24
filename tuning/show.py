"""What a study has come to, for people and for machines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import pandas as pd
from rich.table import Table

from tournaments.plain import plain
from tournaments.tables import table_text
from tuning.comparison import SIDES
from tuning.differences import NOTHING
from tuning.findings import Findings, findings_of
from tuning.ranges import shown
from tuning.recommendation import COMPARISONS, comparisons_of, time_text
from tuning.results import StudyResults
from tuning.trials import DROPPED

#: What is said of a recommendation of the model's alone.
NEVER_PLAYED: Final = "0: never played"
#: The characters of a bar for all of the variance.
_BAR: Final = 30


def study_text(results: StudyResults, width: int | None = None) -> str:
    """Return what is recommended beside the default, the best configurations, what matters, and the verdict.

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
    counts = f"{_many(len(trials), 'trial')} of {configurations}, {dropped:,} of them dropped; {_many(games, 'game')}"
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
    """Return the parameters in which what the search recommends differs from the default, side by side."""
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
    """Return the rows of a data frame as plain values, None for what is missing."""
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return [dict(plain({str(name): value for name, value in row.items()})) for row in rows]
