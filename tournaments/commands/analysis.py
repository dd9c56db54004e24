"""``tag analyse``: plays the tournaments of an analysis one after the other, then measures them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

import click
import pandas as pd

from tag.catalogue.options import option
from tag.cli.process import print_json
from tag.cluster import Workers
from tag.cluster.workers import at_work
from tag.tournaments import run as running
from tag.tournaments.commands import tournament
from tag.tournaments.commands.settings import (
    GroupedCommand,
    RunSettings,
    declared_options,
    given_options,
    players_of,
    shown_options,
    stopped,
    table_width,
)
from tag.tournaments.driver.events import Listeners
from tag.tournaments.reports import analysis as reports
from tag.tournaments.reports import displays
from tag.tournaments.reports.progress import Progress
from tag.tournaments.results.analysis.definition import (
    AnalysedGame,
    AnalysisDefinition,
    AnalysisManifest,
    AnalysisOptions,
    AnalysisResults,
    analysis,
    begin,
    check_folder,
    comparison_folder,
    event_folder,
    luck_folder,
    parts_of,
    skill_folder,
    trace_folder,
)
from tag.tournaments.results.analysis.heuristics import POINTS_WITH, read_comparison
from tag.tournaments.results.analysis.luck import read_seed_results
from tag.tournaments.results.analysis.skill import GAIN_AT, read_doublings, skill_of
from tag.tournaments.results.analysis.speed import measure_speed
from tag.tournaments.results.measures import read_event
from tag.tournaments.statistics.intervals import IntervalEstimate
from tag.tournaments.tracking import analyses, tracker

#: The measures with a course over a game: they have a value at each action.
COURSES: Final = ("actions", "heuristic")


def run_analysis(
    definition: AnalysisDefinition,
    out: Path,
    *,
    workers: Workers | int = 1,
    tracking: bool | str = False,
    progress: Progress | None = None,
) -> AnalysisResults:
    """Play the missing games of an analysis and return the figures, written to ``out`` as well, with a report.

    Each event is a tournament in a folder of its own, with a ledger like any other. The analysis goes on where it was
    interrupted, and a larger one reuses existing games.

    The arguments are those of `tournaments.run_tournament`.

    Raises:
        TagError: the folder does not fit, or a game breaks its contract.
    """
    check_folder(out)
    parts = {folder: part for event in definition.events for folder, part in parts_of(definition, event, out)}
    total = sum(len(part.schedule()) for part in parts.values())
    with at_work(workers) as processes:
        running.check_all(parts, out, processes)
        manifest = begin(definition, out)
        events = Listeners(progress or Progress())
        with tracker.tracked(events, out, tracking, processes.describe(), analyses.ANALYSES):
            played = running.run_all(parts, processes, progress=events)
            if not played[-1].complete:
                events.end(tracker.KILLED)
                return AnalysisResults(out, manifest, sum(part.games for part in played), total)
            results = _figures(manifest, out, total)
            results.write()
            reports.write_report(results)
            events.end(tracker.FINISHED)
    return results


def _figures(manifest: AnalysisManifest, out: Path, total: int) -> AnalysisResults:
    """Compute all figures from the ledgers, and measure the speed."""
    definition = manifest.definition
    compared, names = definition.compared_events, list(definition.compared_heuristics)
    comparison = read_comparison([comparison_folder(out, event) for event in compared], names)
    by_event = dict(zip(compared, comparison.events, strict=True))
    rows: list[dict[str, Any]] = []
    courses: list[pd.DataFrame] = []
    distributions: list[pd.DataFrame] = []
    for event in definition.events:
        key: dict[str, Any] = {"game": event.game, "players": event.players}
        measures = read_event(event_folder(out, event))
        luck = {source: read_seed_results(luck_folder(out, event, source)) for source, _part in definition.luck(event)}
        if luck:
            points = luck[""].first_seat()
            measures[points.name] = points
        estimates = list(_skill_rows(definition, event, out))
        if event in by_event:
            estimates += [
                _row(f"{POINTS_WITH}{name}", *found)
                for name, found in zip(names, by_event[event].estimates(), strict=True)
            ]
        for source, found in luck.items():
            estimates += [_row(name, int(found.games.sum()), value) for name, value in found.measures(source)]
        rows += [{**key, **row} for row in (*(one.summary() for one in measures.values()), *estimates)]
        courses += [measures[name].course().assign(**key, measure=name) for name in COURSES if name in measures]
        distributions += [one.distribution().assign(**key, measure=name) for name, one in measures.items()]
    return AnalysisResults(
        folder=out,
        manifest=manifest,
        games=total,
        total=total,
        summary=pd.DataFrame(rows),
        courses=pd.concat(courses, ignore_index=True),
        distributions=pd.concat(distributions, ignore_index=True),
        speed=pd.concat([measure_speed(event, definition.seed) for event in definition.events], ignore_index=True),
        heuristics=comparison.frame() if compared else pd.DataFrame(),
        heuristic_pairs=comparison.pairs() if compared else pd.DataFrame(),
    )


def _skill_rows(definition: AnalysisDefinition, event: AnalysedGame, out: Path) -> Iterator[dict[str, Any]]:
    """Yield the summary rows of skill depth and of the skill trace."""
    halves = {name: skill_folder(out, event, name) for name, _part in definition.skill(event)}
    if halves:
        yield _row(*skill_of(halves, definition.skill_agent))
    doublings = {budget: trace_folder(out, event, budget) for budget, _part in definition.trace(event)}
    if doublings:
        trace = read_doublings(doublings)
        for number, (budget, games) in enumerate(zip(trace.budgets, trace.games, strict=True)):
            yield _row(f"{GAIN_AT}{budget}", games, trace.gain(number))
        for name, estimate in trace.measures():
            yield _row(name, sum(trace.games), estimate)


def _row(name: str, games: int, estimate: IntervalEstimate) -> dict[str, Any]:
    low, high = estimate.interval
    return {"measure": name, "games": games, "mean": estimate.value, "low": low, "high": high}


@dataclass(frozen=True, kw_only=True)
class AnalysisSettings(RunSettings, AnalysisOptions):
    """The settings of an analysis from the command line; unset ones take their defaults."""

    players: str = option(
        "", "Numbers of players; if omitted, all that the game seats.", "What is analysed", metavar="N,N,..."
    )
    out: str = option("runs/analysis", "The folder; runs/analysis by default.", "Output", metavar="DIR")


@click.command(cls=GroupedCommand)
@click.argument("games", nargs=-1, required=True, metavar="GAME...")
@declared_options(AnalysisSettings)
@shown_options
def analyse(games: tuple[str, ...], progress: str, quiet: bool, as_json: bool, **options: Any) -> int:
    """Measure game types: choices, hidden information, speed, length, rewards, drama, skill, luck, heuristics.

    GAME is the spec of a game; all stands for every game. The same command goes on with what it finds in the folder.

    Example: tag analyse love_letter --players 2,4 --games 200
    """
    settings = AnalysisSettings.from_values(given_options(options), "the options")
    measured = {one.name: getattr(settings, one.name) for one in fields(AnalysisOptions)}
    definition = analysis(games, players_of(settings.players), **measured)
    folder = Path(settings.out)
    with settings.make_workers() as workers:
        results = run_analysis(
            definition,
            folder,
            workers=workers,
            tracking=settings.store,
            progress=displays.make_progress(quiet, progress),
        )
    if not results.complete:
        return stopped(results.games, f"{results.total:,}")
    if as_json:
        print_json(results.to_json(), indent=None)
        return 0
    click.echo(reports.tables_text(results, table_width()))
    click.echo(
        f"\n{results.games:,} games; figures and ledgers are in {folder}, the report is {folder / reports.REPORT}"
    )
    if where := tournament.look_at_run(settings, folder, analyses.ANALYSES):
        click.echo("\n  ".join(["look at its run:", *where]))
    return 0
