"""``tag train``, with ``show`` and ``report``."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, Final

import click

from tag.catalogue.options import option
from tag.cli._output import print_json
from tag.errors import ParameterError, SpecError
from tournaments.commands.settings import (
    RunSettings,
    declared_options,
    said_options,
    shown_options,
    stopped,
    table_width,
)
from tournaments.commands.tournament import look_at_run
from tournaments.definition import Rules
from tournaments.reports.progress import make_progress
from tuning.commands.cli import StudyGroup, UnnamedCommand
from tuning.training.definition import TrainingDefinition, TrainingOptions, define_training
from tuning.training.report import write_training_report
from tuning.training.results import TrainingResults, read_training, training_json, training_text
from tuning.training.run import CHECKPOINT_SECONDS, run_training
from tuning.training.tracking import TRAININGS

_LONGEST_PAUSE: Final = 86_400.0
#: Options of games between agents, which a training does not have.
_RULES: Final = tuple(one.name for one in fields(Rules))


@dataclass(frozen=True, kw_only=True)
class TrainingSettings(RunSettings, TrainingOptions):
    """Options given for a training; unset ones take their defaults."""

    without: ClassVar = ("learner", *_RULES)

    learner: str = option("", "The spec of the learner; needed.", "What is learned", example='"td_ntuple"')
    game: str = option("", "The spec of the game; needed.", "What is learned", metavar="SPEC", example='"tic_tac_toe"')
    checkpoint_seconds: float = option(
        CHECKPOINT_SECONDS,
        "Training time of a learner between checkpoints; 5 by default. It changes no result.",
        "How much is played",
        example="60.0",
    )

    def definition(self) -> TrainingDefinition:
        """Return the checked definition.

        Raises:
            TagError: an option is wrong or missing; the message names it.
        """
        if not self.game:
            raise SpecError("a training needs a game; name it with --game")
        if not self.episodes:
            raise ParameterError("a training needs a number of games; say how many with --episodes")
        if not 0.0 < self.checkpoint_seconds <= _LONGEST_PAUSE:
            raise ParameterError(
                f"checkpoint_seconds cannot be {self.checkpoint_seconds:g}; it is more than 0 and at most "
                f"{_LONGEST_PAUSE:,.0f}"
            )
        said = {one.name: getattr(self, one.name) for one in fields(TrainingOptions) if one.name != "episodes"}
        return define_training(self.learner, self.game, self.episodes, **said)

    def folder(self, definition: TrainingDefinition) -> Path:
        """Return the folder; by default one per definition, the same for any number of seeds."""
        plain = {**definition.to_json(), "seeds": 0}
        return self.folder_of("models", f"{definition.learner}_{definition.game}", definition.players, plain)


@click.group(cls=StudyGroup)
def train() -> None:
    """Have learners learn a game by playing against themselves, or show what they have learned."""


@train.command("run", cls=UnnamedCommand)
@click.argument("learner")
@declared_options(TrainingSettings, without=TrainingSettings.without)
@shown_options
def run_train(learner: str, progress: str, quiet: bool, as_json: bool, **options: Any) -> int:
    """Have LEARNER learn a game by playing against itself, or go on with that.

    LEARNER is a spec (`tag learners` lists them). Each learner becomes a file in the folder, named after its seed, with
    which agents play: `learned:file=DIR/1.safetensors`. `tag train show DIR` shows what a training has come to.

    Example: tag train td_ntuple --game connect_four --episodes 750000 --seeds 5 --workers 2 --out models/c4
    """
    settings = TrainingSettings.from_values({"learner": learner, **said_options(options)}, "the options")
    definition = settings.definition()
    folder = settings.folder(definition)
    shown = make_progress(quiet, progress)
    with settings.make_workers() as workers:
        results = run_training(
            definition,
            folder,
            workers=workers,
            tracking=settings.store,
            progress=shown,
            checkpoint_seconds=settings.checkpoint_seconds,
        )
    _print(results, as_json)
    if not results.complete:
        return stopped(results.episodes, f"{definition.seeds * definition.episodes:,}")
    if not as_json and (where := look_at_run(settings, folder, TRAININGS)):
        click.echo("\n  ".join(["look at its run:", *where]))
    return 0


@train.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(folder: Path, as_json: bool) -> None:
    """Show the training in FOLDER: the learners, their files, and the last evaluations; also while it runs."""
    _print(read_training(folder), as_json)


@train.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="The file; FOLDER/report.html by default.")
def report(folder: Path, out: Path | None) -> None:
    """Write what the training in FOLDER has come to as one HTML file, which needs no other; also while it runs.

    A training writes it by itself in the end, and when it is interrupted.
    """
    click.echo(write_training_report(read_training(folder), out))


def _print(results: TrainingResults, as_json: bool) -> None:
    if as_json:
        print_json(training_json(results))
    else:
        click.echo(training_text(results, table_width()))
