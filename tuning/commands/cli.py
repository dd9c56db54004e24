"""``tag tune``, ``tag balance``, ``tag train``, with ``show`` and ``report``; ``tag tune export`` and ``deviations``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from tag.cli.numbers import Number
from tag.cli.process import print_json
from tag.tournaments.commands import tournament
from tag.tournaments.commands.settings import (
    ResumableCommand,
    RunSettings,
    declared_options,
    given_options,
    shown_options,
    stopped,
    table_width,
)
from tag.tournaments.reports import displays
from tag.tournaments.tracking import stores
from tag.tuning import run as tuning
from tag.tuning.agent.definition import StudyDefinition
from tag.tuning.balancing import run as balancing
from tag.tuning.balancing.definition import BalanceDefinition
from tag.tuning.commands import deviations as steps
from tag.tuning.commands import python
from tag.tuning.commands.groups import StudyGroup, UnnamedCommand
from tag.tuning.commands.settings import BalanceSettings, StoredSettings, StudySettings, TrainingSettings
from tag.tuning.reports import optuna_study
from tag.tuning.study.definition import Definition
from tag.tuning.study.folder import D, read_manifest_of
from tag.tuning.training import run as training
from tag.tuning.training.definition import TrainingDefinition

if TYPE_CHECKING:
    from tag.tuning.study.problem import Problem


_DRY_RUN: Final = click.option(
    "--dry-run", is_flag=True, help="Play only a few games, and say how many there are at most, and the time and room."
)


@click.group(cls=StudyGroup)
def tune() -> None:
    """Find the parameters that make an agent strong, or show a study that did."""


@click.group(cls=StudyGroup)
def balance() -> None:
    """Find the parameters with which a game is as it should be, or show a study that did."""


@click.group(cls=StudyGroup)
def train() -> None:
    """Have learners learn a game by playing against themselves or from recorded games, or show what they have learned."""


@tune.command("run", cls=UnnamedCommand)
@click.argument("agents", nargs=-1, metavar="AGENT...")
@declared_options(StudySettings, without=["agents"])
@_DRY_RUN
@shown_options
def run_tune(agents: tuple[str, ...], dry_run: bool, progress: str, quiet: bool, as_json: bool, **options: Any) -> int:
    """Find the parameters that make AGENT strong in a game, or go on with that.

    AGENT is the spec of an agent, with the parameters that are not to be searched; several agents, and which of them to
    take is searched as well. It may also be a TOML file with the same words as the options, which options override, a
    ParameterSearch file of TAG's, or the folder of a study, to go on with that. `tag tune show DIR` shows what a study
    has come to.

    Example: tag tune rhea --game love_letter --players 4 --versus osla --games 20000 --out studies/rhea
    """
    settings = StudySettings.of(agents[0] if len(agents) == 1 else "", given_options(options), {"agents": agents})
    return _run(settings, lambda: (python.StudyRun, tuning.Tuning()), quiet, progress, as_json, dry_run=dry_run)


@balance.command("run", cls=UnnamedCommand)
@click.argument("game")
@declared_options(BalanceSettings, without=["game"])
@_DRY_RUN
@shown_options
def run_balancing(game: str, dry_run: bool, progress: str, quiet: bool, as_json: bool, **options: Any) -> int:
    """Find the parameters with which GAME is as it should be, or go on with that.

    GAME is the spec of a game, with the parameters that are not to be changed. It may also be a TOML file with the same
    words as the options, which options override, or the folder of a study, to go on with that. `tag balance show DIR`
    shows what a study has come to.

    Example: tag balance love_letter --players 4 --search guards,princes --target seat_spread=0±0.02 --target
    length=60±10 --agent osla --games 5000
    """
    settings = BalanceSettings.of(game, given_options(options), {"game": game})
    return _run(settings, lambda: (python.BalanceRun, balancing.Balancing()), quiet, progress, as_json, dry_run=dry_run)


@train.command("run", cls=UnnamedCommand)
@click.argument("learner")
@declared_options(TrainingSettings, without=["learner"])
@_DRY_RUN
@shown_options
def run_train(learner: str, dry_run: bool, progress: str, quiet: bool, as_json: bool, **options: Any) -> int:
    """Have LEARNER learn a game by playing against itself, or from recorded games (--ledger), or go on with that.

    LEARNER is a spec (`tag learners` lists them). It may also be a TOML file with the same words as the options, which
    options override, or the folder of a training, to go on with that. Each learner becomes a file in the folder, named
    after its seed, with which agents play: `learned:file=DIR/1.safetensors`. `tag train show DIR` shows the results.

    Example: tag train td_ntuple --game connect_four --episodes 750000 --seeds 5 --workers 2 --out models/c4
    """
    settings = TrainingSettings.of(learner, given_options(options), {"learner": learner})
    seconds = settings.checkpoint_seconds
    return _run(
        settings, lambda: (python.TrainingRun, training.Training(seconds)), quiet, progress, as_json, dry_run=dry_run
    )


def _run(
    settings: StoredSettings[D],
    load: Callable[[], tuple[type[python.ProblemRun[Any]], Problem[D, Any]]],
    quiet: bool,
    progress: str,
    as_json: bool,
    *,
    dry_run: bool,
) -> int:
    """Run a study, print it, say how to go on with it or how to look at its run, and return the exit code.

    ``load`` returns what runs it, which is loaded once the settings are found to be right. A dry run prints an estimate.
    """
    definition, folder = settings.study_and_folder()
    if dry_run:
        estimate = definition.estimate(settings.make_workers().count)
        if as_json:
            print_json(estimate.to_json())
        else:
            click.echo(estimate.text)
        return 0
    kind, problem = load()
    shown = displays.make_progress(quiet, progress)
    for remark in settings.remarks():
        shown.say(remark)
    with settings.make_workers() as workers:
        results = problem.run(definition, folder, workers=workers, tracking=settings.store, progress=shown)
    run = kind(results)
    _print(run, as_json)
    if not run.complete:
        games, total = run.played
        return stopped(games, f"{total:,}")
    if not as_json and (where := tournament.look_at_run(settings, run.folder, problem.run_type)):
        click.echo("\n  ".join(["look at its run:", *where]))
    return 0


def _print(run: python.ProblemRun[Any], as_json: bool) -> None:
    if as_json:
        print_json(run.to_json())
        return
    click.echo(run.text(table_width()))
    if run.next_command:
        click.echo(f"\n{run.next_command}")


def _opened(study: type[Definition], folder: Path) -> python.ProblemRun[Any]:
    read_manifest_of(study, folder)  # refused before more is loaded
    return python.open_any_study(folder)


def _add_show(group: click.Group, study: type[Definition], about: str) -> None:
    @group.command(help=about)
    @click.argument("folder", type=click.Path(path_type=Path))
    @click.option("--json", "as_json", is_flag=True, help="Print JSON.")
    def show(folder: Path, as_json: bool) -> None:
        _print(_opened(study, folder), as_json)


def _add_report(group: click.Group, study: type[Definition]) -> None:
    about = f"""Write what the {study.word} in FOLDER has come to as one HTML file, which needs no other; also while it runs.

    A {study.word} writes it by itself in the end, and when it is interrupted.
    """

    @group.command(help=about)
    @click.argument("folder", type=click.Path(path_type=Path))
    @click.option(
        "--out", type=click.Path(path_type=Path), metavar="FILE", help="The file; FOLDER/report.html by default."
    )
    def report(folder: Path, out: Path | None) -> None:
        click.echo(_opened(study, folder).report(out))


_add_show(
    tune,
    StudyDefinition,
    "Show the study in FOLDER: changes to the default, the best configurations, parameter importance, the verdict.",
)
_add_show(balance, BalanceDefinition, "Show what the study in FOLDER has come to.")
_add_show(
    train,
    TrainingDefinition,
    "Show the training in FOLDER: the learners, their files, and the last evaluations; also while it runs.",
)


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


@tune.command(cls=ResumableCommand)
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--of", "spec", metavar="SPEC", default="", help="The agent; what the study recommends by default.")
@click.option(
    "--games",
    type=Number(int, 1),
    default=200,
    show_default=True,
    help="Games of the agent and of each change; more to find smaller differences.",
)
@declared_options(RunSettings, "workers", "ray", "address")
@shown_options
def deviations(folder: Path, spec: str, games: int, progress: str, quiet: bool, as_json: bool, **options: Any) -> None:
    """Play each one-step change of what the study in FOLDER recommends, on common seeds, and compare it with that.

    Changes are every other choice of a searched parameter, and the next levels of a number. The intervals of all hold
    together in 95 % of cases. The games are in the folder; the same command goes on with them.

    Example: tag tune deviations studies/rhea --games 1000
    """
    settings = RunSettings.from_values(given_options(options), "the options")
    read_manifest_of(StudyDefinition, folder)  # refused before more is loaded
    shown = displays.make_progress(quiet, progress)
    with settings.make_workers() as workers:
        found = steps.play_deviations(folder, spec, games, workers=workers, progress=shown)
    if as_json:
        print_json(found.to_json())
    else:
        click.echo(found.text())


_add_report(tune, StudyDefinition)
_add_report(balance, BalanceDefinition)
_add_report(train, TrainingDefinition)
