"""Studies and trainings from Python and in notebooks: `tune`, `balance` and `train` with the words of the command line."""

from __future__ import annotations

import shlex
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from html import escape
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import pandas as pd
from optuna.pruners import BasePruner
from optuna.samplers import BaseSampler

from tag.cluster import Workers
from tag.cluster.workers import at_work
from tag.tournaments.commands.python import FolderRun, progress_of
from tag.tournaments.reports.progress import Progress
from tag.tournaments.statistics.intervals import HALF_WIDTH
from tag.tournaments.tracking.tracker import RunType
from tag.tuning.agent.definition import RECOMMENDATION
from tag.tuning.balancing.definition import BALANCE
from tag.tuning.balancing.report import BALANCES
from tag.tuning.balancing.report import write_report as write_balance_report
from tag.tuning.balancing.results import BalanceResults, balance_json, balance_text, read_balance
from tag.tuning.balancing.run import run_balance
from tag.tuning.commands.settings import BalanceSettings, StudySettings, TrainingSettings
from tag.tuning.reports.report import write_report
from tag.tuning.reports.results import KEEP, StudyResults, read_study, study_json, study_text
from tag.tuning.reports.tracking import STUDIES
from tag.tuning.run import run_study
from tag.tuning.samplers.users_code import Callback
from tag.tuning.study.folder import study_kind
from tag.tuning.training.report import write_training_report
from tag.tuning.training.results import TrainingResults, over_learners, read_training, training_json, training_text
from tag.tuning.training.run import run_training
from tag.tuning.training.tracking import TRAININGS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

R = TypeVar("R", StudyResults, BalanceResults)
_INCHES = (6.0, 3.5)


class _StudyRun(FolderRun[R]):
    """A study in a folder, as data frames, text, a figure and a report."""

    tracked_as: ClassVar[RunType]

    @property
    def trials(self) -> pd.DataFrame:
        """One row per trial that has ended."""
        return self.results.trials

    @property
    def incumbents(self) -> pd.DataFrame:
        """One row per incumbent, in the order of games."""
        return self.results.incumbents

    @property
    @abstractmethod
    def next_command(self) -> str:
        """The command that plays with the result; empty as long as there is none."""

    @abstractmethod
    def text(self, width: int | None = None) -> str:
        """Return the text of ``tag tune show`` or ``tag balance show``, in so many columns at most."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """Return the same and all trials as plain values."""

    @abstractmethod
    def report(self, file: Path | None = None) -> Path:
        """Write the report as one HTML file, ``report.html`` in the folder if omitted, and return its path."""

    def figure(self) -> Figure:
        """Return a matplotlib figure of the incumbents' values by the model in the course of the search."""
        from matplotlib.figure import Figure  # noqa: PLC0415  slow import, only needed to draw

        curves = list(self._curves())
        drawing = Figure((_INCHES[0], _INCHES[1] * len(curves)), layout="constrained")
        axes = drawing.subplots(len(curves), squeeze=False)[:, 0]
        for one, (label, value, deviation, band) in zip(axes, curves, strict=True):
            found = self.incumbents
            if len(found):
                one.errorbar(found["games"], found[value], yerr=HALF_WIDTH * found[deviation], fmt="o-", capsize=3)
            for end in filter(isfinite, band):
                one.axhline(end, linestyle="--", linewidth=1.0, color="grey")
            one.set_xlabel("games of the search")
            one.set_ylabel(f"{label} of the incumbent, with 95 % intervals", wrap=True)
        return drawing

    @abstractmethod
    def _curves(self) -> Iterator[tuple[str, str, str, tuple[float, ...]]]:
        """Yield what is drawn: its name, its column, that of its deviation, and the ends of its band."""

    def __repr__(self) -> str:
        """Return the text of ``tag tune show`` or ``tag balance show``."""
        return self.text()

    def _repr_html_(self) -> str:
        """Return the same text for a notebook."""
        return f"<pre>{escape(repr(self))}</pre>"


class StudyRun(_StudyRun[StudyResults]):
    """A study that tunes an agent."""

    tracked_as = STUDIES

    @property
    def recommended(self) -> str | None:
        """The spec of the agent that is recommended; None as long as the study is not complete."""
        found = self.results.recommendation
        return None if found is None else str(found["spec"])

    @property
    def next_command(self) -> str:
        """The command that plays with the recommendation; empty where the default is kept."""
        found = self.results.recommendation
        is_new = found is not None and found["verdict"] != KEEP
        return f"play with it: --agent {shlex.quote(str(self.folder / RECOMMENDATION))}" if is_new else ""

    def text(self, width: int | None = None) -> str:
        """Return the text of ``tag tune show``."""
        return study_text(self.results, width)

    def to_json(self) -> dict[str, Any]:
        """Return the same and all trials as plain values."""
        return study_json(self.results)

    def report(self, file: Path | None = None) -> Path:
        """Write the report as one HTML file, ``report.html`` in the folder if omitted, and return its path."""
        return write_report(self.results, file)

    def _curves(self) -> Iterator[tuple[str, str, str, tuple[float, ...]]]:
        yield self.results.manifest.definition.objectives[0], "value", "deviation", ()


class BalanceRun(_StudyRun[BalanceResults]):
    """A study that balances a game."""

    tracked_as = BALANCES

    @property
    def chosen(self) -> str | None:
        """The spec of the game that is chosen; None as long as the study is not complete."""
        return None if self.results.verdict is None else str(self.results.verdict["spec"])

    @property
    def next_command(self) -> str:
        """The command that plays the choice; empty as long as there is none."""
        return f"play it: tag play {shlex.quote(str(self.folder / BALANCE))}" if self.complete else ""

    def text(self, width: int | None = None) -> str:
        """Return the text of ``tag balance show``."""
        return balance_text(self.results, width)

    def to_json(self) -> dict[str, Any]:
        """Return the same and all trials as plain values."""
        return balance_json(self.results)

    def report(self, file: Path | None = None) -> Path:
        """Write the report as one HTML file, ``report.html`` in the folder if omitted, and return its path."""
        return write_balance_report(self.results, file)

    def _curves(self) -> Iterator[tuple[str, str, str, tuple[float, ...]]]:
        for target in self.results.manifest.definition.bands:
            yield target.name, f"mean.{target.name}", f"deviation.{target.name}", (target.low, target.high)


class TrainingRun(FolderRun[TrainingResults]):
    """A training in a folder: the agent that plays by what was learned, curves, text, a figure and a report."""

    tracked_as = TRAININGS

    @property
    def agent(self) -> str:
        """The spec of an agent that plays by the first model; empty as long as there is none."""
        return self.results.spec()

    @property
    def models(self) -> list[Path]:
        """The files of the learners that are finished."""
        return self.results.models

    @property
    def curves(self) -> pd.DataFrame:
        """One row per learner, checkpoint, evaluator and seat (`tag.tuning.training.files.COLUMNS`)."""
        return self.results.curves

    def text(self, width: int | None = None) -> str:
        """Return the text of ``tag train show``, in so many columns at most."""
        return training_text(self.results, width)

    def to_json(self) -> dict[str, Any]:
        """Return the same and the curves as plain values."""
        return training_json(self.results)

    def report(self, file: Path | None = None) -> Path:
        """Write the report as one HTML file, ``report.html`` in the folder if omitted, and return its path."""
        return write_training_report(self.results, file)

    def figure(self) -> Figure:
        """Return a matplotlib figure of the learners' median by games for each evaluator, with the band of the report."""
        from matplotlib.figure import Figure  # noqa: PLC0415  slow import, only needed to draw

        names = self.results.manifest.definition.evaluate
        drawing = Figure((_INCHES[0], _INCHES[1] * max(len(names), 1)), layout="constrained")
        for number, name in enumerate(names):
            axes = drawing.add_subplot(len(names), 1, number + 1)
            found = over_learners(self.curves, name)
            axes.plot(found["games"], found["value"], "o-")
            axes.fill_between(found["games"], found["low"], found["high"], alpha=0.2)
            axes.set_xlabel("games")
            axes.set_ylabel(name, wrap=True)
        return drawing

    def __repr__(self) -> str:
        """Return the text of ``tag train show``."""
        return self.text()

    def _repr_html_(self) -> str:
        """Return the same text for a notebook."""
        return f"<pre>{escape(repr(self))}</pre>"


def tune(
    agents: str | Sequence[str],
    game: str,
    *,
    out: str | Path = "",
    workers: Workers | int | None = None,
    tracking: bool | str = True,
    progress: Progress | bool = True,
    sampler: str | BaseSampler = "auto",
    pruner: BasePruner | None = None,
    callbacks: Sequence[Callback] = (),
    **options: Any,
) -> StudyRun:
    """Find the parameters that make an agent strong in a game; the same call, or with more games, continues the study.

    Args:
        agents: the spec of the agent, with the parameters that are not to be searched; or several, to search among.
        game: the spec of the game.
        out: the folder; if omitted, one in ``studies/`` that is named after the study.
        workers: as in `tournaments.play`, and so are ``tracking`` and ``progress``.
        tracking: where an MLflow run is written.
        progress: whether, or with which object, to show the progress of the study.
        sampler: the name of a sampler, or one of Optuna's.
        pruner: one of Optuna's; if omitted, trials that fall behind are pruned by a race.
        callbacks: are called after each trial with Optuna's study and trial.
        options: those of ``tag tune``, by the names of TOML files: games (needed), players, versus, search, validation ….

    Raises:
        TagError: a name or value is wrong, or the folder holds something else; the message names it.
    """
    tuned = (agents,) if isinstance(agents, str) else tuple(agents)
    said = {"agents": tuned, "game": game, "out": str(out), **options}
    given = None if isinstance(sampler, str) else sampler
    settings = StudySettings.from_call("tune()", said if given else {**said, "sampler": sampler})
    definition, folder = settings.study_and_folder()
    with at_work(workers) as processes:
        return StudyRun(
            run_study(
                definition,
                folder,
                workers=processes,
                tracking=tracking,
                progress=progress_of(progress),
                sampler=given,
                pruner=pruner,
                callbacks=callbacks,
            )
        )


def balance(
    game: str,
    *,
    out: str | Path = "",
    workers: Workers | int | None = None,
    tracking: bool | str = True,
    progress: Progress | bool = True,
    **options: Any,
) -> BalanceRun:
    """Find the parameters with which a game is as it should be; the same call, or with more games, continues it.

    Args:
        game: the spec of the game, with the parameters that are not to be changed.
        out: the folder; if omitted, one in ``studies/`` that is named after the study.
        workers: as in `tournaments.play`, and so are ``tracking`` and ``progress``.
        tracking: where an MLflow run is written.
        progress: whether, or with which object, to show the progress of the study.
        options: those of ``tag balance``, by the names of TOML files: targets, agents and games (needed), players ….

    Raises:
        TagError: a name or value is wrong, or the folder holds something else; the message names it.
    """
    settings = BalanceSettings.from_call("balance()", {"game": game, "out": str(out), **options})
    definition, folder = settings.study_and_folder()
    shown = progress_of(progress)
    with at_work(workers) as processes:
        return BalanceRun(run_balance(definition, folder, workers=processes, tracking=tracking, progress=shown))


def train(
    learner: str,
    game: str = "",
    *,
    out: str | Path = "",
    workers: Workers | int | None = None,
    tracking: bool | str = True,
    progress: Progress | bool = True,
    **options: Any,
) -> TrainingRun:
    """Have learners learn a game; the same call, or with more seeds, goes on with the training.

        run = train("td_ntuple:tuples=lines", "tic_tac_toe", episodes=1000, seeds=2, out="models/first")
        play("tic_tac_toe", [run.agent, "osla"], blocks=10)

    Args:
        learner: the spec of the learner.
        game: the spec of the game; with a ledger, if omitted, that of its games.
        out: the folder; if omitted, one in ``models/`` that is named after the training.
        workers: as in `tournaments.play`, and so are ``tracking`` and ``progress``.
        tracking: where an MLflow run is written.
        progress: whether, or with which object, to show the progress of the training.
        options: those of ``tag train``, by the names of TOML files: episodes (needed, without a ledger), seeds, evaluate ….

    Raises:
        TagError: a name or value is wrong, or the folder holds something else; the message names it.
    """
    settings = TrainingSettings.from_call("train()", {"learner": learner, "game": game, "out": str(out), **options})
    definition = settings.definition()
    with at_work(workers) as processes:
        return TrainingRun(
            run_training(
                definition,
                settings.folder(definition),
                workers=processes,
                tracking=tracking,
                progress=progress_of(progress),
                checkpoint_seconds=settings.checkpoint_seconds,
            )
        )


def open_study(folder: str | Path) -> StudyRun:
    """Return the tuning study in a folder, complete or not; `DataError` where there is none, or a file is damaged."""
    return StudyRun(read_study(Path(folder)))


def open_balance(folder: str | Path) -> BalanceRun:
    """Return the balancing study in a folder, complete or not.

    Raises:
        DataError: there is none, or a file is damaged.
    """
    return BalanceRun(read_balance(Path(folder)))


def open_any_study(folder: str | Path) -> StudyRun | BalanceRun:
    """Return the study in a folder, of the kind that its file names.

    Raises:
        DataError: there is none, or a file is damaged.
    """
    is_balancing = study_kind(Path(folder)) == BalanceSettings.study.kind
    return open_balance(folder) if is_balancing else open_study(folder)


def open_training(folder: str | Path) -> TrainingRun:
    """Return the training in a folder, complete or not; `DataError` where there is none, or a file is damaged."""
    return TrainingRun(read_training(Path(folder)))
