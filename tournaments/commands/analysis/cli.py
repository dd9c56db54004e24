"""``tag analyse``: plays the tournaments of an analysis one after the other, then measures them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import click
import pandas as pd

from cluster import Workers, make_workers
from cluster.workers import at_work
from tag.cli._output import print_json
from tournaments.commands.analysis.measures import AnalysisDefinition, analysis, measure_speed, skill_row
from tournaments.commands.analysis.report import (
    REPORT,
    AnalysisManifest,
    AnalysisResults,
    begin,
    check_folder,
    event_folder,
    skill_folder,
    tables_text,
    write_report,
)
from tournaments.commands.settings import RunSettings, declared_options, players_of, shown_options, stopped, table_width
from tournaments.definition import TournamentDefinition
from tournaments.driver import check_all, run_all
from tournaments.reports.progress import Progress, make_progress
from tournaments.results.measures import read_event

# --- running an analysis ----------------------------------------------------------------------------------------------


#: The measures with a course over a game: they have a value at each action.
COURSES: Final = ("actions", "heuristic")


def run_analysis(
    definition: AnalysisDefinition,
    out: Path,
    *,
    workers: Workers | int = 1,
    progress: Progress | None = None,
) -> AnalysisResults:
    """Play the missing games of an analysis and return the figures, written to ``out`` as well, with a report.

    Each event is a tournament in a folder of its own, with a ledger like any other. The analysis goes on where it was
    interrupted, and a larger one reuses existing games.

    Args:
        definition: the analysis.
        out: its folder, new or with an analysis in it.
        workers: the processes that play, or how many of them on this machine, as in `tournaments.run_tournament`.
        progress: shows the progress of the games.

    Raises:
        TagError: the folder does not fit, or a game breaks its contract.
    """
    check_folder(out)
    parts = dict(_parts(definition, out))
    total = sum(len(part.schedule()) for part in parts.values())
    with at_work(workers) as processes:
        check_all(parts, out, processes)
        manifest = begin(definition, out)
        played = run_all(parts, processes, progress=progress or Progress())
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
    """Compute all figures from the ledgers, and measure the speed."""
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


# --- ``tag analyse`` ----------------------------------------------------------------------------------------------------


@click.command()
@click.argument("games", nargs=-1, required=True, metavar="GAME...")
@click.option(
    "--players", metavar="N,N,...", default="", help="Numbers of players; all that the game seats by default."
)
@click.option("--games", "n_games", default=1000, show_default=True, help="Games per number of players.")
@click.option("--agent", default="random", show_default=True, metavar="SPEC", help="Who plays, in all seats.")
@click.option("--skill", "skill_agent", default="", metavar="SPEC", help="Measure skill depth: with this agent.")
@click.option("--skill-games", default=100, show_default=True, help="Games for that, per number of players.")
@click.option("--seed", default=1, show_default=True, help="Decides everything but the speed.")
@click.option("--out", metavar="DIR", default="", help="The folder.  [default: runs/analysis]")
@declared_options(RunSettings, "workers", "ray", "address")
@shown_options
def analyse(
    games: tuple[str, ...],
    players: str,
    n_games: int,
    agent: str,
    skill_agent: str,
    skill_games: int,
    seed: int,
    out: str,
    workers: int | None,
    ray: bool | None,
    address: str | None,
    progress: str,
    quiet: bool,
    as_json: bool,
) -> int:
    """Measure game types: action space, branching, hidden information, speed, length, rewards, drama, skill depth.

    GAME is the spec of a game; all stands for every game. The same command goes on with what it finds in the folder.

    Example: tag analyse love_letter --players 2,4 --games 200
    """
    definition = analysis(
        games,
        players_of(players),
        agent=agent,
        n_games=n_games,
        seed=seed,
        skill_agent=skill_agent,
        skill_games=skill_games,
    )
    folder = Path(out or "runs/analysis")
    with make_workers(workers, address or "", uses_ray=ray is not False) as processes:
        results = run_analysis(definition, folder, workers=processes, progress=make_progress(quiet, progress))
    if not results.complete:
        return stopped(results.games, f"{results.total:,}")
    if as_json:
        print_json(results.to_json(), indent=None)
        return 0
    click.echo(tables_text(results, table_width()))
    click.echo(f"\n{results.games:,} games; figures and ledgers are in {folder}, the report is {folder / REPORT}")
    return 0
