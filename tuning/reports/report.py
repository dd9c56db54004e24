"""The report of a study, as a page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tag.tournaments.reports.html.page import page_html
from tag.tournaments.reports.sections.section import Page, Section
from tag.tournaments.reports.sections.tournament import title_of
from tag.tuning.reports.page import page_of, write_page
from tag.tuning.reports.results import StudyResults
from tag.tuning.reports.sections.games import games_section, portfolio_section
from tag.tuning.reports.sections.model import changes_section, model_section
from tag.tuning.reports.sections.recommendation import recommendation_section, validation_section
from tag.tuning.reports.sections.search import cost_section, course_section, side_by_side_section, trials_section


def write_report(results: StudyResults, file: Path | None = None) -> Path:
    """Write the report of a study, complete or not, to a file, by default `REPORT` in its folder, and return its path.

    Raises:
        DataError: the file cannot be written.
    """
    return write_page(results.folder, report_html(results), file)


def report_html(results: StudyResults) -> str:
    """Return the report of a study; equal results give equal texts."""
    return page_html(report_page(results))


def report_page(results: StudyResults) -> Page:
    """Return the report of a study."""
    definition = results.definition
    where = f"{len(definition.events)} games" if definition.events else title_of(definition.game)
    title = f"Tuning {', '.join(definition.agents)} in {where}"
    facts = {
        **({"Game": definition.where} if definition.events else {}),
        "Agent": ", ".join(definition.agents),
        "Opponents": ", ".join(definition.versus) or "none",
        "Objective": results.goal,
    }
    return page_of(results, title, facts, study_sections(results))


def study_sections(results: StudyResults) -> Iterator[Section]:
    """Yield the sections of the report of a study."""
    yield recommendation_section(results)
    found = [validation_section(results), games_section(results), portfolio_section(results), *search_sections(results)]
    if results.findings is not None:
        found += [model_section(results, results.findings), changes_section(results, results.findings)]
    yield from (section for section in [*found, trials_section(results)] if section is not None)
    yield cost_section(results)


def search_sections(results: StudyResults) -> Iterator[Section]:
    """Yield the sections on the course of the search, which need no model."""
    yield from (one for one in (course_section(results), side_by_side_section(results)) if one is not None)
