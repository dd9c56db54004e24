"""Running an analysis: its tournaments one after the other over one pool, then the figures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pandas as pd

from tournaments.analysis.definition import AnalysisDefinition
from tournaments.analysis.measures import read_event
from tournaments.analysis.report import write_report
from tournaments.analysis.results import (
    AnalysisManifest,
    AnalysisResults,
    begin,
    check_folder,
    event_folder,
    skill_folder,
)
from tournaments.analysis.skill import skill_row
from tournaments.analysis.speed import measure_speed
from tournaments.definition import TournamentDefinition
from tournaments.progress import Progress
from tournaments.sharing import check_all, run_all

#: The measures that are followed over the course of a game: they have a value at each action.
COURSES: Final = ("actions", "heuristic")


def run_analysis(
    definition: AnalysisDefinition,
    out: Path,
    *,
    workers: int = 1,
    uses_ray: bool = False,
    address: str = "",
    progress: Progress | None = None,
) -> AnalysisResults:
    """Play what is missing of an analysis and return the figures, written to ``out`` as well, with a report.

    Each event is a tournament in a folder of its own, with a ledger like any other; the analysis goes on where it was
    interrupted, and a larger one uses what is there.

    Args:
        definition: the analysis.
        out: its folder, new or with an analysis in it.
        workers: how many processes play, on Ray.
        uses_ray: whether to use Ray at all; without it the process plays itself.
        address: of a Ray cluster; empty for a Ray of its own on this machine.
        progress: what shows how it comes along.

    Raises:
        TagError: the folder does not fit, or a game breaks its contract.
    """
    check_folder(out)
    parts = dict(_parts(definition, out))
    check_all(parts, out, address)
    total = sum(len(part.schedule()) for part in parts.values())
    manifest = begin(definition, out)
    played = run_all(
        parts, workers=workers, uses_ray=uses_ray, address=address, tracking=False, progress=progress or Progress()
    )
    if not played[-1].complete:
        nothing = pd.DataFrame()
        games = sum(part.games for part in played)
        return AnalysisResults(out, manifest, nothing, nothing, nothing, nothing, games, total)
    results = _figures(manifest, out, total)
    results.write()
    write_report(results)
    return results


def _parts(definition: AnalysisDefinition, out: Path) -> Iterator[tuple[Path, TournamentDefinition]]:
    """Yield all tournaments of an analysis by folder."""
    for event in definition.events:
        yield event_folder(out, event), definition.play(event)
    for event in definition.events:
        for name, tournament in definition.skill(event):
            yield skill_folder(out, event, name), tournament


def _figures(manifest: AnalysisManifest, out: Path, total: int) -> AnalysisResults:
    """Work out all figures from the ledgers, and measure the speed."""
    definition = manifest.definition
    rows: list[dict[str, Any]] = []
    courses: list[pd.DataFrame] = []
    distributions: list[pd.DataFrame] = []
    for event in definition.events:
        key: dict[str, Any] = {"game": event.game, "players": event.players}
        measures = read_event(event_folder(out, event))
        rows += [{**key, **measure.summary()} for measure in measures.values()]
        courses += [measures[name].course().assign(**key, measure=name) for name in COURSES if name in measures]
        distributions += [found.distribution().assign(**key, measure=name) for name, found in measures.items()]
        skill = {name: skill_folder(out, event, name) for name, _tournament in definition.skill(event)}
        if skill:
            rows.append({**key, **skill_row(skill, definition.skill_agent)})
    speed = [measure_speed(event, definition.seed) for event in definition.events]
    return AnalysisResults(
        folder=out,
        manifest=manifest,
        summary=pd.DataFrame(rows),
        courses=pd.concat(courses, ignore_index=True),
        distributions=pd.concat(distributions, ignore_index=True),
        speed=pd.concat(speed, ignore_index=True),
        games=total,
        total=total,
    )
