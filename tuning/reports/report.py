"""The report of a study, as a file in its folder."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

from tournaments.ledger.storage import write_whole
from tournaments.reports.html.page import Page, Section, page_html
from tournaments.reports.tournament import title_of
from tuning.reports.findings import findings_of
from tuning.reports.recommendation import StudyResults
from tuning.reports.sections import (
    StudySubject,
    changes_section,
    cost_section,
    course_section,
    model_section,
    recommendation_section,
    trials_section,
    validation_section,
)

#: The file, by default in the folder of the study.
REPORT: Final = "report.html"


def write_report(results: StudyResults, file: Path | None = None) -> Path:
    """Write the report of a study, complete or not, and return its path.

    Args:
        results: of the study.
        file: where to; by default `REPORT` in its folder.

    Raises:
        DataError: the file cannot be written.
    """
    path = file or results.folder / REPORT
    write_whole(path, report_html(results), "name a file with --out")
    return path


def report_html(results: StudyResults) -> str:
    """Return the report of a study; equal results give equal texts."""
    subject = StudySubject(results, findings_of(results))
    definition = subject.definition
    title = f"Tuning {', '.join(definition.agents)} in {title_of(definition.game)}"
    state = "Complete." if results.complete else "Not complete: all that follows is of the games so far."
    return page_html(Page(title, state, _facts(subject), list(_sections(subject))))


def _sections(subject: StudySubject) -> Iterator[Section]:
    """Yield the sections that have content."""
    yield recommendation_section(subject)
    found = [validation_section(subject), course_section(subject)]
    if subject.findings is not None:
        found += [model_section(subject, subject.findings), changes_section(subject, subject.findings)]
    yield from (section for section in [*found, trials_section(subject)] if section is not None)
    yield cost_section(subject)


def _facts(subject: StudySubject) -> list[tuple[str, str]]:
    """Return the facts of the search as pairs of a word and a value."""
    definition, manifest = subject.definition, subject.results.manifest
    return [
        ("Game", definition.game),
        ("Players", str(definition.players)),
        ("Agent", ", ".join(definition.agents)),
        ("Opponents", ", ".join(definition.versus) or "none"),
        ("Objective", subject.goal),
        ("Searched", f"{len(definition.space.ranges)} parameters"),
        ("Sampler", definition.sampler),
        ("Games", f"{definition.games:,}, {definition.games_per_trial:,} per trial"),
        ("Begun", f"{datetime.fromisoformat(manifest.created):%d %B %Y, %H:%M} UTC"),
    ]
