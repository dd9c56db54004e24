"""Parts of the reports of all kinds of studies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tag.tournaments.ledger.storage import write_whole
from tag.tournaments.reports.sections.section import Definitions, Page, Section, begun_text
from tag.tuning.study.folder import REPORT, ResultsSoFar


def page_of(results: ResultsSoFar[Any], title: str, facts: Mapping[str, str], sections: Iterable[Section]) -> Page:
    """Return the page of a study's sections, with ``facts`` of its kind among those of all studies."""
    manifest, definition = results.manifest, results.manifest.definition
    all_facts = {
        "Game": definition.game,
        "Players": str(definition.players),
        **facts,
        "Searched": f"{len(definition.space.ranges)} parameters",
        "Sampler": definition.sampler,
        "Games": f"{definition.games:,}, {definition.games_per_trial:,} per trial",
        "Begun": begun_text(manifest.created),
    }
    state = "Complete." if results.complete else "Not complete: all that follows is of the games so far."
    return Page(title, state, list(all_facts.items()), list(sections))


def cost_of(results: ResultsSoFar[Any], entries: Sequence[tuple[str, str]]) -> Section:
    """Return the section on what a study took: ``entries`` of its kind, the seed and the versions."""
    manifest = results.manifest
    versions = ", ".join(f"{name} {version}" for name, version in manifest.versions.items())
    played = [("Seed", str(manifest.definition.seed)), ("Played with", versions)]
    return Section("cost", "What it took", [Definitions([*entries, *played])])


def write_page(folder: Path, html: str, file: Path | None) -> Path:
    """Write the page of a study to a file, by default `REPORT` in its ``folder``, and return its path."""
    path = file or folder / REPORT
    write_whole(path, html, "name a file with --out")
    return path
