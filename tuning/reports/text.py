"""The results of a study: text for people, JSON for programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rich.table import Table

from tag.tournaments.reports.terminal import data_text, empty_table, table_text
from tag.tournaments.statistics.plain_records import plain
from tag.tuning.agent.comparisons.comparison import SIDES
from tag.tuning.agent.problem import why_none_is_pruned
from tag.tuning.reports.findings.differences import NOTHING
from tag.tuning.reports.findings.findings import Findings
from tag.tuning.reports.results import COMPARISONS, NEVER_PLAYED, StudyResults, comparisons_of, time_text
from tag.tuning.reports.sections.games import games_tables, portfolio_tables
from tag.tuning.search.trials import DROPPED
from tag.tuning.space.ranges import shown
from tag.tuning.study.files import rows_of

#: Length in characters of a bar for all of the variance.
_BAR: Final = 30


def study_text(results: StudyResults, width: int | None = None) -> str:
    """Return the recommendation beside the default, the best configurations, parameter importance, and the verdict."""
    definition = results.definition
    where = definition.where if definition.events else f"{definition.game}, {_many(definition.players, 'player')}"
    objective = results.objective if definition.events else definition.objective
    head = (
        f"{', '.join(definition.agents)} in {where}, "
        f"versus {', '.join(definition.versus) or 'nobody'}: {objective} by {definition.sampler}, "
        f"{_many(definition.games_per_trial, 'game')} per trial"
    )
    findings = results.findings
    if findings is None:
        return f"{head}\nno configuration has been played to its end yet"
    trials = results.trials
    games, dropped = int(trials["games"].sum()), int((trials["state"] == DROPPED).sum())
    configurations = _many(trials["spec"].nunique(), "configuration")
    why_none = why_none_is_pruned(definition) if definition.race else ""
    pruned = f"none pruned ({why_none})" if why_none else f"{dropped:,} of them pruned"
    counts = f"{_many(len(trials), 'trial')} of {configurations}, {pruned}; {_many(games, 'game')}"
    end = "not complete" if results.recommendation is None else str(results.recommendation["sentence"])
    tables = [_differences(findings, objective.partition(",")[0]), _top(findings), _importance(findings)]
    verdicts = _verdicts_table(results.recommendation) if results.recommendation else None
    shown_tables = [*tables, *([verdicts] if verdicts else [])]
    tables_in_games = [*games_tables(results.recommendation), *portfolio_tables(results.recommendation)]
    in_games = [f"{table.caption}:\n{data_text(table, width)}" for table in tables_in_games]
    parts = [
        f"{head}\n{counts}",
        *(table_text(table, width) for table in shown_tables),
        *in_games,
        findings.remark,
        end,
    ]
    return "\n\n".join(filter(None, parts))


def study_json(results: StudyResults) -> dict[str, Any]:
    """Return the same and all trials as plain values."""
    findings = results.findings
    return {
        "folder": str(results.folder),
        "complete": results.complete,
        "definition": results.definition.to_json(),
        "sampler_reason": results.manifest.sampler_reason,
        "recommendation": results.recommendation,
        "findings": plain(findings.to_json()) if findings else None,
        "incumbents": rows_of(results.incumbents),
        "trials": rows_of(results.trials),
    }


def _differences(findings: Findings, objective: str) -> Table:
    table = empty_table("parameter", "default", "recommended")
    for one in findings.differences:
        table.add_row(one.parameter, one.default, one.recommended)
    default = findings.default.text if findings.default else NOTHING
    table.add_row(f"{objective} by the model", default, findings.estimate.text)
    table.add_row("games in the search", "", f"{findings.played:,}" if findings.played else NEVER_PLAYED)
    return table


def _top(findings: Findings) -> Table:
    table = empty_table("tried, best by the model", "value ± 95 %", "games")
    for one in findings.top:
        table.add_row(shown(one.spec), one.estimate.text, f"{one.games:,}")
    return table


def _importance(findings: Findings) -> Table:
    table = empty_table("parameter", "share of the variance", "")
    table.columns[2].justify = "left"
    for one in findings.effects.parameters:
        table.add_row(one.parameter, f"{100.0 * one.main:.0f} %", "█" * min(round(_BAR * one.main), _BAR))
    return table


def _verdicts_table(recommendation: Mapping[str, Any]) -> Table | None:
    """Return the comparisons on unseen seeds, with the CPU time of both sides; None where there is none."""
    comparisons = comparisons_of(recommendation)
    if not comparisons:
        return None
    table = empty_table("on unseen seeds", "decision", "difference, 95 %", "CPU ms/decision", "of the default", "games")
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
