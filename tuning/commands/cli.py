"""``tag tune`` and ``tag balance``, each with ``show`` and ``report``; ``tag tune export``."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tag.catalogue.registry import agent_names, game_names
from tag.cli.process import print_json
from tag.errors import UnknownNameError
from tag.tournaments.commands import tournament
from tag.tournaments.commands.settings import (
    GroupedCommand,
    declared_options,
    said_options,
    shown_options,
    stopped,
    table_width,
)
from tag.tournaments.reports import displays
from tag.tournaments.tracking import stores
from tag.tuning import run as running
from tag.tuning.balancing import run as balancing
from tag.tuning.balancing.definition import BalanceDefinition
from tag.tuning.commands import python
from tag.tuning.commands.settings import BalanceSettings, CommonSettings, StudySettings
from tag.tuning.definition import StudyDefinition
from tag.tuning.reports import optuna_study
from tag.tuning.study import read_manifest_of

if TYPE_CHECKING:
    AnyRun = python.StudyRun | python.BalanceRun

# --- groups of commands, the first of which needs no name ---------------------------------------------------------------


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


# --- commands -----------------------------------------------------------------------------------------------------------


@click.group(cls=StudyGroup)
def tune() -> None:
    """Find the parameters that make an agent strong, or show a study that did."""


@click.group(cls=StudyGroup)
def balance() -> None:
    """Find the parameters with which a game is as it should be, or show a study that did."""


@tune.command("run", cls=UnnamedCommand)
@click.argument("agents", nargs=-1, metavar="AGENT...")
@declared_options(StudySettings, without=["agents"])
@shown_options
def run_tune(agents: tuple[str, ...], progress: str, quiet: bool, as_json: bool, **options: Any) -> int:
    """Find the parameters that make AGENT strong in a game, or go on with that.

    AGENT is the spec of an agent, with the parameters that are not to be searched; several agents, and which of them to
    take is searched as well. It may also be a TOML file with the same words as the options, which options override, or
    the folder of a study, to go on with that. `tag tune show DIR` shows what a study has come to.

    Example: tag tune rhea --game love_letter --players 4 --versus osla --games 20000 --out studies/rhea
    """
    settings = StudySettings.of(agents[0] if len(agents) == 1 else "", said_options(options), {"agents": agents})
    definition, folder = settings.study_and_folder()
    shown = displays.make_progress(quiet, progress)
    for remark in settings.remarks():
        shown.say(f"{remark}; it is left out")
    with settings.make_workers() as workers:
        results = running.run_study(definition, folder, workers=workers, tracking=settings.store, progress=shown)
    return _end(python.StudyRun(results), settings, as_json)


@balance.command("run", cls=UnnamedCommand)
@click.argument("game")
@declared_options(BalanceSettings, without=["game"])
@shown_options
def run_balancing(game: str, progress: str, quiet: bool, as_json: bool, **options: Any) -> int:
    """Find the parameters with which GAME is as it should be, or go on with that.

    GAME is the spec of a game, with the parameters that are not to be changed. It may also be a TOML file with the same
    words as the options, which options override, or the folder of a study, to go on with that. `tag balance show DIR`
    shows what a study has come to.

    Example: tag balance love_letter --players 4 --search guards,princes --target seat_spread=0±0.02 --target
    length=60±10 --agent osla --games 5000
    """
    settings = BalanceSettings.of(game, said_options(options), {"game": game})
    definition, folder = settings.study_and_folder()
    shown = displays.make_progress(quiet, progress)
    with settings.make_workers() as workers:
        results = balancing.run_balance(definition, folder, workers=workers, tracking=settings.store, progress=shown)
    return _end(python.BalanceRun(results), settings, as_json)


def _end(run: AnyRun, settings: CommonSettings[Any], as_json: bool) -> int:
    """Print a study, say how to go on with it or how to look at its run, and return the exit code."""
    _print(run, as_json)
    if not run.complete:
        games = int(run.trials["games"].sum()) if len(run.trials) else 0
        return stopped(games, f"{run.results.manifest.definition.games:,}")
    if not as_json and (where := tournament.look_at_run(settings, run.folder, run.tracked_as)):
        click.echo("\n  ".join(["look at its run:", *where]))
    return 0


def _print(run: AnyRun, as_json: bool) -> None:
    if as_json:
        print_json(run.to_json())
        return
    click.echo(run.text(table_width()))
    if run.next_command:
        click.echo(f"\n{run.next_command}")


def _opened(group: click.Group, folder: Path) -> AnyRun:
    read_manifest_of(StudyDefinition if group is tune else BalanceDefinition, folder)  # refused before more is loaded
    return python.open_study(folder) if group is tune else python.open_balance(folder)


def _add_show(group: click.Group, about: str) -> None:
    @group.command(help=about)
    @click.argument("folder", type=click.Path(path_type=Path))
    @click.option("--json", "as_json", is_flag=True, help="Print JSON.")
    def show(folder: Path, as_json: bool) -> None:
        _print(_opened(group, folder), as_json)


def _add_report(group: click.Group) -> None:
    @group.command()
    @click.argument("folder", type=click.Path(path_type=Path))
    @click.option(
        "--out", type=click.Path(path_type=Path), metavar="FILE", help="The file; FOLDER/report.html by default."
    )
    def report(folder: Path, out: Path | None) -> None:
        """Write what the study in FOLDER has come to as one HTML file, which needs no other; also while it runs.

        A study writes it by itself in the end, and when it is interrupted.
        """
        click.echo(_opened(group, folder).report(out))


_add_show(
    tune,
    "Show the study in FOLDER: changes to the default, the best configurations, parameter importance, the verdict.",
)
_add_show(balance, "Show what the study in FOLDER has come to.")


@tune.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--storage", required=True, metavar="PATH|URL", help="A journal file, sqlite:///FILE or postgresql://….")
@click.option("--name", default="", help="Of the study there; the folder's by default.")
def export(folder: Path, storage: str, name: str) -> None:
    """Write the study in FOLDER as one of Optuna's, for its plots and dashboard.

    A journal file of 10,000 trials takes seconds; a database takes as long for a hundred.

    Example: tag tune export studies/rhea --storage sqlite:///studies/optuna.db
    """
    chosen = name or folder.resolve().name
    read_manifest_of(StudyDefinition, folder)  # refused before more is loaded
    study = optuna_study.export_optuna_study(folder, storage, chosen)
    trials = len(study.get_trials(deepcopy=False))
    click.echo(f"{trials:,} trials, as study {study.study_name!r} in {stores.without_password(storage)!r}")


_add_report(tune)
_add_report(balance)
