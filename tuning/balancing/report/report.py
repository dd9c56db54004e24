"""The report of a balancing study, as a page in its folder, and the contents of its run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from tag.tournaments.reports.html.page import page_html
from tag.tournaments.reports.sections.section import Page, Section
from tag.tournaments.reports.sections.tournament import title_of
from tag.tournaments.tracking.runs import agent_names, metric_name
from tag.tournaments.tracking.tracker import RunType
from tag.tuning.balancing.definition import BALANCE, BalanceDefinition
from tag.tuning.balancing.report.meetings import meetings_sections
from tag.tuning.balancing.report.search import candidates_section, cost_section, course_section, side_by_side_section
from tag.tuning.balancing.report.verdict import targets_section, verdict_section
from tag.tuning.balancing.results.results import FRONT, BalanceResults
from tag.tuning.reports.page import page_of, write_page
from tag.tuning.reports.tracking import StudyContents, contents_with
from tag.tuning.study.files import INCUMBENTS, TRIALS


def write_report(results: BalanceResults, file: Path | None = None) -> Path:
    """Write the report of a study, complete or not, to a file, by default in its folder, and return its path.

    Raises:
        DataError: the file cannot be written, or a ledger is damaged.
    """
    return write_page(results.folder, report_html(results), file)


def report_html(results: BalanceResults) -> str:
    """Return the report of a study; equal results give equal texts."""
    return page_html(report_page(results))


def report_page(results: BalanceResults) -> Page:
    """Return the report of a study."""
    definition = results.manifest.definition
    facts = {
        "Targets": ", ".join(definition.targets),
        "Agents": ", ".join(definition.agents),
        "Held out": ", ".join(definition.held_out) or "none",
    }
    return page_of(results, f"Balancing {title_of(definition.game)}", facts, balance_sections(results))


def balance_sections(results: BalanceResults) -> Iterator[Section]:
    """Yield the sections of the report of a balancing study."""
    yield verdict_section(results)
    targets = targets_section(results)
    if targets is not None:
        yield targets
    yield from meetings_sections(results)
    candidates = candidates_section(results)
    yield from [candidates] if candidates is not None else []
    yield from search_sections(results)
    yield cost_section(results)


def search_sections(results: BalanceResults) -> Iterator[Section]:
    """Yield the sections on the course of the search, which need no model."""
    yield from (one for one in (course_section(results), side_by_side_section(results)) if one is not None)


BALANCES: Final = RunType("tag.tuning.balancing.report.report:BalanceContents", contents_with(BALANCE))


class BalanceContents(StudyContents):
    """The contents of the run of a balancing study."""

    kind = BALANCES
    study = BalanceDefinition
    topic = "balancing"
    tables = (TRIALS, INCUMBENTS, FRONT)

    def verdict(self, found: Mapping[str, Any]) -> dict[str, str]:
        """Return the choice in words."""
        return {f"balance.{name}": str(found[name]) for name in ("feasible", "sentence", "spec")}

    def values(self, found: Mapping[str, Any]) -> dict[str, float | None]:
        """Return the measures of both rules: ``validation/choice/length/value``."""
        values: dict[str, float | None] = {}
        for stage, pair in {"validation": found, "held_out": found["held_out"], "retuned": found["retuned"]}.items():
            for side in ("printed", "choice") if pair is not None else ():
                measured = pair[side]
                values[f"{stage}/{side}/games"] = measured["games"]
                for target, one in measured["targets"].items():
                    name = f"{stage}/{side}/{metric_name(target)}"
                    values |= {f"{name}/{key}": one[key] for key in ("value", "low", "high")}
        return values

    def named(self, values: Mapping[str, float]) -> dict[str, float]:
        """Return the values of a point by the names of metrics: ``measure.win_rate(mcts)`` is ``measure/win_rate_mcts``."""
        names = agent_names([goal.target.name for goal in self.manifest.definition.goals])
        found = {}
        for column, value in values.items():
            kind, dot, target = column.partition(".")
            found[f"{kind}/{names[target]}" if dot else column] = value
        return found
