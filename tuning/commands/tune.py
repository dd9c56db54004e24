"""``tag tune``, ``tag tune show`` and ``tag tune report``."""

from __future__ import annotations

import shlex
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click

from tag.catalogue.registry import agent_names, game_names
from tag.cli._output import print_json
from tag.errors import UnknownNameError
from tournaments.commands.settings import (
    GroupedCommand,
    declared_options,
    said_options,
    shown_options,
    stopped,
    table_width,
)
from tournaments.commands.tournament import look_at_run
from tournaments.reports.progress import make_progress
from tournaments.tracking.runs import without_password
from tournaments.tracking.tracker import RunType
from tuning.balancing.results import BalanceResults
from tuning.commands.settings import CommonSettings, StudySettings
from tuning.reports.findings import study_json, study_text
from tuning.reports.recommendation import KEEP, StudyResults, read_study
from tuning.reports.report import write_report
from tuning.reports.tracking import STUDIES
from tuning.search.optuna_study import export_optuna_study
from tuning.study import run_study


class UnnamedCommand(GroupedCommand):
    """The command of a `StudyGroup` that needs no name; its help is that of the group, with the others at the end."""

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the usage without the command's name."""
        formatter.write_usage(_group(ctx).command_path, " ".join(self.collect_usage_pieces(ctx)))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the other commands of the group."""
        group = _group(ctx)
        commands = group.command.commands if isinstance(group.command, click.Group) else {}
        others = [one for one in commands.values() if one is not self]
        with formatter.section("Commands"):
            formatter.write_dl([(f"{group.command_path} {one.name}", one.get_short_help_str(200)) for one in others])


def _group(ctx: click.Context) -> click.Context:
    return ctx.parent or ctx


class StudyGroup(click.Group):
    """A group whose first command, an `UnnamedCommand`, needs no name: ``tag tune rhea …``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert the name of the first command where none is given.

        Raises:
            UnknownNameError: the word looks like a misspelt command.
        """
        if args and self._is_misspelt(args[0]):
            raise UnknownNameError.of("command", args[0], self.commands)
        if not args or args[0] not in self.commands:
            args.insert(0, "run")
        return super().parse_args(ctx, args)

    def _is_misspelt(self, word: str) -> bool:
        """Say whether a word is nearly a command, and neither an agent, a game nor a file, or nearer to these."""
        if word in self.commands or not word.isidentifier() or Path(word).exists():
            return False
        found = get_close_matches(word, [*self.commands, *agent_names(), *game_names()], n=1)
        return bool(found) and found[0] in self.commands


@click.group(cls=StudyGroup)
def main() -> None:
    """Find the parameters that make an agent strong, or show a study that did."""


@main.command(cls=UnnamedCommand)
@click.argument("agents", nargs=-1, metavar="AGENT...")
@declared_options(StudySettings, without=["agents"])
@shown_options
def run(agents: tuple[str, ...], progress: str, quiet: bool, as_json: bool, **options: Any) -> int:
    """Find the parameters that make AGENT strong in a game, or go on with that.

    AGENT is the spec of an agent, with the parameters that are not to be searched; several agents, and which of them to
    take is searched as well. It may also be a TOML file with the same words as the options, which options override, or the
    folder of a study, to go on with that. `tag tune show DIR` shows what a study has come to.

    Example: tag tune rhea --game love_letter --players 4 --versus osla --games 20000 --out studies/rhea
    """
    settings = StudySettings.of(agents[0] if len(agents) == 1 else "", said_options(options), {"agents": agents})
    definition = settings.definition()
    shown = make_progress(quiet, progress)
    for remark in settings.remarks():
        shown.say(f"{remark}; it is left out")
    folder = settings.folder(definition)
    with settings.make_workers() as workers:
        results = run_study(definition, folder, workers=workers, tracking=settings.store, progress=shown)
    _print(results, as_json)
    return end_of_study(results, settings, definition.games, STUDIES, as_json)


def end_of_study(
    results: StudyResults | BalanceResults, settings: CommonSettings, games: int, kind: RunType, as_json: bool
) -> int:
    """Say how to go on with a study that was interrupted, or how to look at its run, and return the exit code.

    Args:
        results: of the study.
        settings: say where its run is tracked.
        games: the budget of its search.
        kind: of its run in MLflow.
        as_json: whether results are printed as JSON, without the address of the run.
    """
    if not results.complete:
        return stopped(int(results.trials["games"].sum()) if len(results.trials) else 0, f"{games:,}")
    if not as_json and (where := look_at_run(settings, results.folder, kind)):
        click.echo("\n  ".join(["look at its run:", *where]))
    return 0


@main.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(folder: Path, as_json: bool) -> None:
    """Show the study in FOLDER: changes to the default, the best configurations, parameter importance, the verdict."""
    _print(read_study(folder), as_json)


@main.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--storage", required=True, metavar="PATH|URL", help="A journal file, sqlite:///FILE or postgresql://….")
@click.option("--name", default="", help="Of the study there; the folder's by default.")
def export(folder: Path, storage: str, name: str) -> None:
    """Write the study in FOLDER as one of Optuna's, for its plots and dashboard.

    A journal file of 10,000 trials takes seconds; a database takes as long for a hundred.

    Example: tag tune export studies/rhea --storage sqlite:///studies/optuna.db
    """
    study = export_optuna_study(folder, storage, name)
    trials = len(study.get_trials(deepcopy=False))
    click.echo(f"{trials:,} trials, as study {study.study_name!r} in {without_password(storage)!r}")


@main.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="The file; FOLDER/report.html by default.")
def report(folder: Path, out: Path | None) -> None:
    """Write what the study in FOLDER has come to as one HTML file, which needs no other; also while it runs.

    A study writes it by itself in the end, and when it is interrupted.
    """
    click.echo(write_report(read_study(folder), out))


def _print(results: StudyResults, as_json: bool) -> None:
    if as_json:
        print_json(study_json(results))
    else:
        click.echo(study_text(results, table_width()))
    if results.recommendation is not None and results.recommendation["verdict"] != KEEP and not as_json:
        click.echo(f"\nplay with it: --agent {shlex.quote(str(results.folder / 'recommendation.json'))}")
