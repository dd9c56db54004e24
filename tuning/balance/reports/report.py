"""The report of a balancing study, as a file in its folder."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from tournaments.html.page import Page, Section, page_html
from tournaments.reports.tournament import title_of
from tournaments.storage import write_whole
from tuning.balance.reports.meetings import meetings_sections
from tuning.balance.reports.search import candidates_section, cost_section, course_section
from tuning.balance.reports.verdict import targets_section, verdict_section
from tuning.balance.results import BalanceResults
from tuning.reports.report import REPORT


def write_report(results: BalanceResults, file: Path | None = None) -> Path:
    """Write the report of a study, complete or not, and return its path.

    Args:
        results: of the study.
        file: where to; by default `tuning.reports.report.REPORT` in its folder.

    Raises:
        DataError: the file cannot be written, or a ledger is damaged.
    """
    path = file or results.folder / REPORT
    write_whole(path, report_html(results), "name a file with --out")
    return path


def report_html(results: BalanceResults) -> str:
    """Return the report of a study; equal results give equal texts.

    Raises:
        DataError: a ledger is damaged.
    """
    title = f"Balancing {title_of(results.manifest.definition.game)}"
    state = "Complete." if results.complete else "Not complete: all that follows is of the games so far."
    return page_html(Page(title, state, _facts(results), list(_sections(results))))


def _sections(results: BalanceResults) -> Iterator[Section]:
    """Yield the sections for which there is anything to say."""
    yield verdict_section(results)
    targets = targets_section(results)
    if targets is not None:
        yield targets
    yield from meetings_sections(results)
    yield from (one for one in (candidates_section(results), course_section(results)) if one is not None)
    yield cost_section(results)


def _facts(results: BalanceResults) -> list[tuple[str, str]]:
    """Return what was searched, as pairs of a word and a value."""
    manifest, definition = results.manifest, results.manifest.definition
    return [
        ("Game", definition.game),
        ("Players", str(definition.players)),
        ("Targets", ", ".join(definition.targets)),
        ("Agents", ", ".join(definition.agents)),
        ("Held out", ", ".join(definition.held_out) or "none"),
        ("Searched", f"{len(definition.space.ranges)} parameters"),
        ("Sampler", definition.sampler),
        ("Games", f"{definition.games:,}, {definition.games_per_trial:,} per trial"),
        ("Begun", f"{datetime.fromisoformat(manifest.created):%d %B %Y, %H:%M} UTC"),
    ]
