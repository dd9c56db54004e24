"""``tag tournament``, ``tag results``, ``tag status``, ``tag pause``, ``tag replay``, ``tag report`` and ``tag ratings``."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from tag.catalogue.user_code import code_in
from tag.cli.process import print_json
from tag.engine.parameters import Spec
from tag.errors import DataError, ParameterError
from tag.tournaments import run as running
from tag.tournaments.commands.settings import (
    GroupedCommand,
    RunSettings,
    Settings,
    declared_options,
    definition_in,
    given_options,
    program_name,
    shown_options,
    stopped,
    table_width,
)
from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.designs.agents import at_budgets, read_budgets
from tag.tournaments.designs.games import game_id_of
from tag.tournaments.driver.counts import duration
from tag.tournaments.driver.preview import preview
from tag.tournaments.ledger import folder as folders
from tag.tournaments.ledger import storage
from tag.tournaments.reports import displays
from tag.tournaments.reports import text as texts
from tag.tournaments.reports.html import page
from tag.tournaments.reports.sections import tournament as reports
from tag.tournaments.results import series
from tag.tournaments.results import tournament as outcomes
from tag.tournaments.results.machines.machines import read_machines
from tag.tournaments.results.machines.memory import read_memory
from tag.tournaments.simulation import simulated_plan
from tag.tournaments.tracking import marks, stores, tracker

if TYPE_CHECKING:
    from tag.tournaments.results.series import SeriesResults
    from tag.tournaments.simulation import Simulation
    from tag.tournaments.tracking.tracker import RunType

#: The share of the time from which on the driver limits the workers.
_BUSY: Final = 0.9

_FOLDER: Final = click.argument("folder", type=click.Path(path_type=Path))


@click.command(cls=GroupedCommand)
@click.argument("game")
@declared_options(Settings, without=["game"])
@click.option("--extend", is_flag=True, help="GAME is a folder: give its tournament these agents as well, and blocks.")
@click.option(
    "--dry-run",
    is_flag=True,
    help="Play only a few games, and say what would be played and how long it takes; for several workers, by simulation.",
)
@shown_options
def tournament(
    game: str, extend: bool, dry_run: bool, progress: str, quiet: bool, as_json: bool, **options: Any
) -> int:
    """Play a round-robin tournament of GAME between agents, or go on with one.

    GAME is the spec of a game, or a TOML file with the same words as the options (agents = [...] for --agent), which
    options override. The same command goes on with what it finds in the folder. GAME may also be the folder of a
    tournament, to go on with that; with --extend, also while another process is at work on it, which takes up what is new.

    Example: tag tournament love_letter --players 4 --agent random --agent osla --blocks 50 --out runs/first
    """
    is_folder = (Path(game) / folders.MANIFEST).is_file()
    settings = _settings_of_folder(game, extend, options) if is_folder else _settings(game, options)
    definition = settings.definition()
    if is_folder and extend and folders.is_at_work(Path(game)):
        folders.request_extension(Path(game), definition)
        click.echo(
            f"the process at work on {game} goes on with {_most(definition)}{len(definition.schedule()):,} games in all"
        )
        return 0
    if dry_run:
        _show_plan(definition, settings.make_workers().count, as_json)
        return 0
    folder = settings.folder(definition)
    definition = settings.seeded(definition, folder)
    with settings.make_workers() as workers:
        results = running.run_tournament(
            definition,
            folder,
            workers=workers,
            tracking=settings.store,
            progress=displays.make_progress(quiet, progress),
        )
    if as_json:
        print_json(results.to_json())
    else:
        click.echo(texts.results_text(results, table_width()))
    if not results.complete:
        return stopped(results.games, results.total_text)
    if not as_json:
        first = game_id_of(0, 0, 0)
        click.echo(_what_next(results, first, settings, _trust_in(definition)))
    return 0


@click.command()
@_FOLDER
@click.option(
    "--by-machine",
    is_flag=True,
    help="Also compare the machines and workers, show the table without odd ones, and name agents that remember deals.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def results(folder: Path, by_machine: bool, as_json: bool) -> None:
    """Show the table of the tournament or series in FOLDER, from its ledgers alone."""
    is_series = (folder / folders.SERIES).is_file()
    if is_series and by_machine:
        raise ParameterError(
            f"--by-machine is for one tournament, and {str(folder)!r} is a series; name an event in it"
        )
    found: SeriesResults | outcomes.TournamentResults
    if is_series:
        found = series.read_series(folder)
        text = texts.series_text(found, table_width())
    else:
        found = outcomes.read_results(folder)
        text = texts.results_text(found, table_width())
    machines = read_machines(folder) if by_machine else None
    memory = read_memory(folder) if by_machine else None
    if as_json:
        compared: dict[str, Any] = {"machines": machines.to_json()} if machines else {}
        compared.update({"memory": memory.to_json()} if memory else {})
        print_json({**found.to_json(), **compared})
        return
    click.echo(text)
    if machines:
        click.echo(f"\n{texts.machines_text(machines, table_width())}")
    for sentence in memory.sentences() if memory else ():
        click.echo(f"\n{sentence}")
    if not found.complete:
        click.echo(f"\nnot complete: {found.games:,} of {found.total_text} games")


@click.command()
@_FOLDER
def pause(folder: Path) -> None:
    """Ask the process at work on the tournament in FOLDER to finish what is being played, and end."""
    folders.request_pause(folder)
    name = shlex.quote(str(folder))
    command = f"{program_name('tag')} tournament {name}{_trust_in(folders.read_manifest(folder).definition)}"
    click.echo(f"the process at work on {name} ends in a moment; go on with: {command}")


def _settings(game: str, options: dict[str, Any]) -> Settings:
    """Return the settings of the TOML file or file of TAG's, if ``game`` is one, and of the options."""
    given = given_options(options)
    found = definition_in(game, given)
    if found is None:
        return Settings.from_values({"game": game, **given}, "the options")
    if "events" in found:
        raise DataError(f"{game!r} has several events; play them with tag series")
    return Settings.from_values({**found, **given}, repr(game))


def _settings_of_folder(folder: str, extend: bool, options: dict[str, Any]) -> Settings:
    """Return the settings of the tournament in ``folder``, with the options of its run and its extension."""
    given = given_options(options)
    new = {name: given.pop(name) for name in ("blocks", "agents", "budgets") if name in given}
    definition = folders.read_manifest(Path(folder)).definition
    fixed = sorted(set(given).intersection(definition.to_json()))
    if fixed or (new and not extend):
        how = f"its {fixed[0]} cannot be changed" if fixed else f"for more {next(iter(new))}, add --extend"
        raise ParameterError(f"{folder!r} holds a tournament already; {how}")
    agents = new.get("agents", ())
    if "budgets" in new:
        agents = at_budgets(agents, read_budgets(new["budgets"]))
    longer = folders.extended(definition, new.get("blocks"), agents)
    return Settings.from_values({**given, "out": folder}, folder, longer.to_json())


def _most(definition: TournamentDefinition) -> str:
    """Return the words before the games of a tournament that a stopping rule may end."""
    return "at most " if definition.stopping_rule(definition.schedule()) else ""


def _show_plan(definition: TournamentDefinition, workers: int, as_json: bool) -> None:
    plan = preview(definition)
    found = simulated_plan(plan, definition, workers) if workers > 1 else None
    seconds = found.makespan if found else plan.seconds
    if as_json:
        simulated = found.to_json() if found else None
        print_json({**plan.to_json(), "draw": definition.draw, "seconds": seconds, "simulated": simulated})
        return
    processes = f"{workers:,} processes" if found else "1 process"
    most = "at most " if plan.at_most else ""
    lines = [
        f"{definition.game}, {definition.players} players, {definition.design} of {len(definition.agents)} agents:",
        f"  {most}{plan.blocks:,} blocks of {plan.matchups:,} match-ups in {plan.seatings} seatings: {plan.games:,} games",
        f"  {most or 'about '}{duration(seconds)} with {processes} "
        f"({1000.0 * plan.seconds_per_game:,.3g} ms per game, from {plan.played} games)",
        *(_simulated_lines(found) if found else ()),
        *(f"  drawn anew for each block: {draw}" for draw in definition.draw),
        *([f"  openings: {definition.openings.title}"] if definition.opening else []),
        *(f"  {game_id}  {', '.join(agents)}" for game_id, agents in plan.first),
    ]
    lines += ["  …"] if plan.games > len(plan.first) else []
    click.echo("\n".join([*lines, *(text for text in (plan.limit, plan.hint) if text)]))


def _simulated_lines(found: Simulation) -> list[str]:
    """Return how the workers and the driver would do, for people."""
    lines = [
        f"  in a simulation {found.efficiency:.0%} of their time is used, in batches of {found.games_per_batch:,.1f} games; "
        f"the driver is at work {found.driver_load:.0%} of the time, and its memory grows by "
        f"{found.driver_memory_mb:,.0f} MB"
    ]
    if found.driver_load > _BUSY:
        lines.append("  the driver cannot keep up: fewer processes would take about as long")
    return lines


def _trust_in(definition: TournamentDefinition) -> str:
    """Return the option without which the folder of a tournament runs nothing of its own, if it names code or programs."""
    specs: list[str | Spec] = [definition.game_spec, *definition.agent_specs, *definition.metrics]
    return " --trust" if any(map(any, map(code_in, specs))) else ""


def _what_next(results: outcomes.TournamentResults, first: str, settings: Settings, trust: str) -> str:
    folder = shlex.quote(str(results.folder))
    lines = [
        f"\n{results.games:,} games in {folder}; again or further:",
        f"  {program_name('tag')} results {folder}",
        f"  {program_name('tag')} replay {folder} {first}{trust}",
    ]
    lines += [f"  {line}" for line in look_at_run(settings, results.folder, tracker.TOURNAMENTS)]
    return "\n".join(lines)


def look_at_run(settings: RunSettings, folder: Path, kind: RunType) -> list[str]:
    """Return how to look at the MLflow run of ``folder``; empty where its store does not have all of it."""
    uri = settings.tracking_uri or stores.default_tracking_uri(folder)
    experiment = marks.experiment_of(folder, uri, kind.contents) if settings.tracking else None
    return [] if experiment is None else look_at(uri, experiment)


def look_at(uri: str, experiment: str = "") -> list[str]:
    """Return how to look at the runs in a store: the command that serves it, if none does, and the address; no password."""
    command = f"{program_name('mlflow')} ui --backend-store-uri {shlex.quote(stores.without_password(uri))}"
    return [*([] if uri.startswith("http") else [command]), stores.experiment_page(uri, experiment)]


#: Name of the file, by default in the folder of the tournament, series or A/A test.
REPORT: Final = "report.html"


def write_report(folder: Path, file: Path | None = None) -> Path:
    """Write the report of the tournament, series or A/A test in ``folder``, complete or not, and return its path.

    Raises:
        DataError: there is no tournament, its ledger is damaged, or the file cannot be written.
    """
    text = report_html(folder)
    path = file or folder / REPORT
    try:
        storage.write_whole(path, text)
    except DataError as error:
        raise DataError(f"{error}; name a file with --out") from None
    return path


def report_html(folder: Path) -> str:
    """Return the report of the tournament, series or A/A test in ``folder``; equal ledgers and times give equal texts."""
    return page.page_html(reports.folder_page(folder))


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--anchor", "anchors", multiple=True, metavar="AGENT=RATING", help="An agent that keeps this rating.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def ratings(folder: Path, anchors: tuple[str, ...], as_json: bool) -> None:
    """Rate the agents of the tournament in FOLDER on one scale, with intervals, pairs and groups.

    One Plackett-Luce fit to all games, with terms for the seats; 400 points are odds of 10 to 1, and the mean is 0 unless an
    agent is anchored. Intervals are from the differences between blocks.
    """
    summary = outcomes.rate(folder, _anchors(anchors))
    if as_json:
        print_json(summary.to_json())
    else:
        click.echo(texts.ratings_text(summary, table_width()))


def _anchors(texts: Sequence[str]) -> dict[str, float]:
    """Read ``mcts:budget=400=1500`` and its like: the rating follows the last equals sign."""
    found: dict[str, float] = {}
    for text in texts:
        agent, _equals, rating = text.rpartition("=")
        try:
            value = float(rating)
        except ValueError:
            raise ParameterError(
                f"--anchor cannot be {text!r}; it is an agent of the tournament and a number"
            ) from None
        if not isfinite(value):
            raise ParameterError(f"--anchor cannot be {text!r}; the rating is a finite number, such as 0")
        if agent in found:
            raise ParameterError(f"--anchor cannot be {text!r} after {f'{agent}={found[agent]:g}'!r}; give it once")
        found[agent] = value
    return found
