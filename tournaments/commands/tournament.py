"""``tag tournament``, ``tag results`` and ``tag ratings``."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from tag.catalogue.user_code import code_in
from tag.cli.process import print_json
from tag.engine.parameters import Spec
from tag.errors import DataError, ParameterError
from tag.tournaments import run as running
from tag.tournaments.commands.experiment import Asked, asked
from tag.tournaments.commands.settings import (
    GroupedCommand,
    RunSettings,
    Settings,
    declared_options,
    program_name,
    shown_options,
    stopped,
    table_width,
)
from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.designs.games import game_id_of
from tag.tournaments.designs.parts import Part
from tag.tournaments.driver.counts import duration
from tag.tournaments.driver.preview import Preview, preview
from tag.tournaments.ledger import experiment as experiments
from tag.tournaments.ledger import folder as folders
from tag.tournaments.ledger import storage
from tag.tournaments.reports import displays
from tag.tournaments.reports import text as texts
from tag.tournaments.reports.html import page
from tag.tournaments.reports.sections import tournament as reports
from tag.tournaments.results import experiment, overall_ratings
from tag.tournaments.results import tournament as outcomes
from tag.tournaments.results.machines.machines import read_machines
from tag.tournaments.results.machines.memory import read_memory
from tag.tournaments.simulation import simulated_plan
from tag.tournaments.tracking import marks, stores, tracker

if TYPE_CHECKING:
    from tag.tournaments.simulation import Simulation
    from tag.tournaments.tracking.tracker import RunType

#: The share of the time from which on the driver limits the workers.
_BUSY: Final = 0.9

_FOLDER: Final = click.argument("folder", type=click.Path(path_type=Path))


@click.command(cls=GroupedCommand)
@click.argument("games", nargs=-1, required=True, metavar="GAME...")
@declared_options(Settings, without=["game", "players"])
@click.option(
    "--players",
    metavar="N,N,...",
    help="Seats of each game; the game's fewest by default. Several make several events.",
)
@click.option(
    "--extend", is_flag=True, help="GAME is a folder: give what it holds these agents as well, and blocks, and games."
)
@click.option(
    "--dry-run",
    is_flag=True,
    help="Play only a few games, and say what would be played and how long it takes; for several workers, by simulation.",
)
@shown_options
def tournament(
    games: tuple[str, ...], extend: bool, dry_run: bool, progress: str, quiet: bool, as_json: bool, **options: Any
) -> int:
    """Play a tournament of GAME between agents, or an experiment of several games, or go on with one.

    GAME is the spec of a game, or a TOML file with the same words as the options (agents = [...] for --agent), which
    options override. Several games, numbers of players or [[events]] in the file make an experiment: a tournament for each,
    and a table over all. The same command goes on with what it finds in the folder. GAME may also be that folder, to go on
    with it; with --extend, also while another process is at work on it, which takes up what is new.

    Example: tag tournament love_letter --players 4 --agent random --agent osla --blocks 50 --out runs/first
    """
    wanted = asked(games, options, extend=extend)
    settings = wanted.settings
    if dry_run:
        _show_plans(wanted, settings.make_workers().count, as_json)
        return 0
    if extend and wanted.folder == Path(games[0]) and folders.is_at_work(wanted.folder):
        return _request_extension(wanted)
    how: dict[str, Any] = {"tracking": settings.store, "progress": displays.make_progress(quiet, progress)}
    found: experiment.ExperimentResults | outcomes.TournamentResults
    with settings.make_workers() as workers:
        if wanted.is_one:
            found = running.run_tournament(wanted.only, wanted.folder, workers=workers, **how)
        else:
            found = running.run_experiment(wanted.experiment, wanted.folder, workers=workers, **how)
    if as_json:
        print_json(found.to_json())
    else:
        click.echo(_text_of(found))
    if not found.complete:
        return stopped(found.games, found.total_text)
    if not as_json:
        click.echo(_what_next(wanted, found.games))
    return 0


def _series(**options: Any) -> int:
    """The former name of ``tag tournament`` with several games, which takes the same words."""
    click.echo("tag: tag series is now tag tournament, with the same words", err=True)
    return int(click.get_current_context().invoke(tournament, **options))


series = GroupedCommand("series", callback=_series, params=list(tournament.params), help=_series.__doc__)


def _request_extension(wanted: Asked) -> int:
    """Ask the process at work on a folder to go on with more."""
    events = wanted.experiment.events.values()
    if wanted.is_one:
        folders.request_extension(wanted.folder, wanted.only)
    else:
        experiments.request_more(wanted.folder, wanted.experiment)
    most = next((most for event in events if (most := _most(event))), "")
    more = f"{most}{sum(len(event.schedule()) for event in events):,} games in all"
    click.echo(f"the process at work on {wanted.folder} goes on with {more}")
    return 0


def _text_of(found: experiment.ExperimentResults | outcomes.TournamentResults) -> str:
    if isinstance(found, outcomes.TournamentResults):
        return texts.results_text(found, table_width())
    return texts.experiment_text(found, table_width())


@click.command()
@_FOLDER
@click.option(
    "--by-machine",
    is_flag=True,
    help="Also compare the machines and workers, show the table without odd ones, and name agents that remember deals.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def results(folder: Path, by_machine: bool, as_json: bool) -> None:
    """Show the table of the tournament or experiment in FOLDER, from its ledgers alone."""
    is_experiment = (folder / experiments.EXPERIMENT).is_file()
    if is_experiment and by_machine:
        raise ParameterError(
            f"--by-machine is for one tournament, and {str(folder)!r} is an experiment; name an event in it"
        )
    found = experiment.read_experiment_results(folder) if is_experiment else outcomes.read_results(folder)
    text = _text_of(found)
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


def _most(definition: TournamentDefinition) -> str:
    """Return the words before the games of a tournament that a stopping rule may end."""
    return "at most " if definition.stopping_rule(definition.schedule()) else ""


@dataclass(frozen=True)
class _Plan:
    """The extent of a tournament, and a simulation of its workers, if there are several."""

    definition: TournamentDefinition
    extent: Preview
    simulated: Simulation | None

    @property
    def seconds(self) -> float:
        """About how long it takes."""
        return self.simulated.makespan if self.simulated else self.extent.seconds

    def to_json(self) -> dict[str, Any]:
        """Return all as plain values."""
        simulated = self.simulated.to_json() if self.simulated else None
        return {
            **self.extent.to_json(),
            "draw": self.definition.draw,
            "seconds": self.seconds,
            "bytes": folders.ledger_bytes(self.definition),
            "simulated": simulated,
        }


def _show_plans(wanted: Asked, workers: int, as_json: bool) -> None:
    """Print the extent of a tournament, or of several events with their sum."""
    plans = {}
    for name, definition in wanted.experiment.events.items():
        extent = preview(definition)
        found = simulated_plan(extent, definition, workers) if workers > 1 and extent.games else None
        plans[name] = _Plan(definition, extent, found)
    there = {name: _games_there(wanted.folder / name) for name in plans}
    games, played = sum(one.extent.games for one in plans.values()), sum(there.values())
    seconds = sum(one.seconds * max(0.0, 1.0 - there[name] / max(one.extent.games, 1)) for name, one in plans.items())
    if as_json:
        known = {name: one.to_json() for name, one in plans.items()}
        room = sum(one["bytes"] for one in known.values())
        whole = {"events": known, "games": games, "played": played, "seconds": seconds, "bytes": room}
        print_json(known.popitem()[1] if wanted.is_one else whole)
        return
    lines = [line for one in plans.values() for line in _plan_lines(one)]
    if not wanted.is_one:
        most = "at most " if any(one.extent.at_most for one in plans.values()) else ""
        known_already = f", {played:,} of them played already" if played else ""
        rest = f"{most or 'about '}{duration(seconds)}"
        lines.append(f"in all {most}{games:,} games of {len(plans)} events{known_already}, {rest}")
    click.echo("\n".join(lines))


def _games_there(folder: Path) -> int:
    """Return how many games the ledger of a tournament has; 0 where it is merged just now."""
    with suppress(OSError):
        return sum(map(storage.n_rows, storage.list_shards(folder / folders.FOLDER)["games"]))
    return 0


def _plan_lines(planned: _Plan) -> Iterator[str]:
    """Yield the extent of a tournament and its first games, for people."""
    definition, plan, found = planned.definition, planned.extent, planned.simulated
    processes = f"{found.workers:,} processes" if found else "1 process"
    most = "at most " if plan.at_most else ""
    part = f", part {definition.part}" if definition.part else ""
    yield f"{definition.game}, {definition.players} players, {definition.design} of {len(definition.agents)} agents{part}:"
    yield (
        f"  {most}{plan.blocks:,} blocks of {plan.matchups:,} match-ups in {plan.seatings} seatings: {plan.games:,} games"
    )
    yield (
        f"  {most or 'about '}{duration(planned.seconds)} with {processes} "
        f"({1000.0 * plan.seconds_per_game:,.3g} ms per game, from {plan.played} games)"
    )
    yield from _simulated_lines(found) if found else ()
    yield from (f"  drawn anew for each block: {draw}" for draw in definition.draw)
    yield from [f"  openings: {definition.openings.title}"] if definition.opening else []
    yield from (f"  {game_id}  {', '.join(agents)}" for game_id, agents in plan.first)
    yield from ["  …"] if plan.games > len(plan.first) else []
    yield from (text for text in (plan.limit, plan.hint) if text)


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


def _trust_in(events: Iterable[TournamentDefinition]) -> str:
    """Return the option without which the folder of some events runs nothing of its own, if they name code or programs."""
    specs: list[str | Spec] = []
    for event in events:
        specs += [event.game_spec, *event.agent_specs, *event.metrics]
    return " --trust" if any(map(any, map(code_in, specs))) else ""


def _what_next(wanted: Asked, games: int) -> str:
    """Return the commands that show what was played, again or further."""
    events = wanted.experiment.events
    folder = shlex.quote(str(wanted.folder))
    name, event = next(iter(events.items()))
    first = folder if wanted.is_one else shlex.quote(str(wanted.folder / name))
    block = Part.read(event.part).number - 1 if event.part else 0
    replayed = f"  {program_name('tag')} replay {first} {game_id_of(block, 0, 0)}{_trust_in(events.values())}"
    lines = [
        f"\n{games:,} games in {folder}; again or further:",
        f"  {program_name('tag')} results {folder}",
        *([replayed] if games else []),
    ]
    kind = tracker.TOURNAMENTS if wanted.is_one else tracker.EXPERIMENTS
    lines += [f"  {line}" for line in look_at_run(wanted.settings, wanted.folder, kind)]
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


#: Name of the file, by default in the folder of the tournament, experiment or A/A test.
REPORT: Final = "report.html"


def write_report(folder: Path, file: Path | None = None) -> Path:
    """Write the report of the tournament, experiment or A/A test in ``folder``, complete or not, and return its path.

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
    """Return the report of the tournament, experiment or A/A test in ``folder``; equal ledgers and times give equal text."""
    return page.page_html(reports.folder_page(folder))


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--anchor", "anchors", multiple=True, metavar="AGENT=RATING", help="An agent that keeps this rating.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def ratings(folder: Path, anchors: tuple[str, ...], as_json: bool) -> None:
    """Rate the agents of the tournament or experiment in FOLDER on one scale, with intervals, pairs and groups.

    One Plackett-Luce fit to all games, with terms for the seats; 400 points are odds of 10 to 1, and the mean is 0 unless an
    agent is anchored. Intervals are from the differences between blocks. Of an experiment, each event has a fit, and the
    ratings over all are their mean.
    """
    is_experiment = (folder / experiments.EXPERIMENT).is_file()
    rated = (overall_ratings.rate_experiment if is_experiment else outcomes.rate)(folder, _anchors(anchors))
    if as_json:
        print_json(rated.to_json())
    elif isinstance(rated, outcomes.RatingSummary):
        click.echo(texts.ratings_text(rated, table_width()))
    else:
        click.echo(texts.experiment_ratings_text(rated, table_width()))


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
