"""Studies and trainings from Python and in notebooks: `tune`, `balance` and `train` with the words of the command line."""

from __future__ import annotations

import shlex
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from html import escape
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

import pandas as pd
from optuna.pruners import BasePruner
from optuna.samplers import BaseSampler

from tag.cluster import Workers
from tag.cluster.workers import at_work
from tag.tournaments.commands.python import FolderResults, FolderRun, progress_of
from tag.tournaments.reports.progress import Progress
from tag.tournaments.statistics.intervals import HALF_WIDTH
from tag.tuning.agent.definition import RECOMMENDATION
from tag.tuning.balancing.definition import BALANCE, BalanceDefinition
from tag.tuning.balancing.results.results import BalanceResults
from tag.tuning.balancing.run import Balancing
from tag.tuning.commands.settings import BalanceSettings, StoredSettings, StudySettings, TrainingSettings
from tag.tuning.reports.results import KEEP, StudyResults
from tag.tuning.run import Tuning
from tag.tuning.samplers.users_code import Callback, UsersObjects
from tag.tuning.study.folder import D, study_kind
from tag.tuning.study.problem import Problem
from tag.tuning.training.definition import TrainingDefinition
from tag.tuning.training.results import TrainingResults, over_learners
from tag.tuning.training.run import Training

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tag.tournaments.reports.sections.section import Page

_INCHES = (6.0, 3.5)
R = TypeVar("R", bound=FolderResults)
S = TypeVar("S", StudyResults, BalanceResults)


class ProblemRun(FolderRun[R]):
    """A study of any kind in a folder, as text, plain values and a report."""

    problem: type[Problem[Any, R]]

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Return the study in a folder; `DataError` where there is none, or a file is damaged."""
        return cls(cls.problem.output.read(folder))

    @classmethod
    def run(
        cls,
        problem: Problem[D, R],
        settings: StoredSettings[D],
        workers: Workers | int | None,
        tracking: bool | str,
        progress: Progress | bool,
    ) -> Self:
        """Run the study of some settings.

        Raises:
            TagError: a name or value is wrong, or the folder holds something else; the message names it.
        """
        definition, folder = settings.study_and_folder()
        shown = progress_of(progress)
        with at_work(workers) as processes:
            return cls(problem.run(definition, folder, workers=processes, tracking=tracking, progress=shown))

    @property
    def next_command(self) -> str:
        """The command that goes on with the result; empty as long as there is none."""
        return ""

    @property
    def played(self) -> tuple[int, int]:
        """The games so far, and those of the whole study."""
        raise NotImplementedError

    def text(self, width: int | None = None) -> str:
        """Return the text of the command ``show``, in so many columns at most."""
        return self.problem.output.text(self.results, width)

    def to_json(self) -> dict[str, Any]:
        """Return the same and all that it is made from as plain values."""
        return self.problem.output.to_json(self.results)

    def report(self, file: Path | None = None) -> Path:
        """Write the report as one HTML file, ``report.html`` in the folder if omitted, and return its path."""
        return self.problem.output.report(self.results, file)

    def page(self) -> Page:
        """Return the report as data, from which `tag figure` and `tag export FOLDER latex` take figures and tables."""
        return self.problem.output.page(self.results)

    def __repr__(self) -> str:
        """Return the text."""
        return self.text()

    def _repr_html_(self) -> str:
        """Return the same text for a notebook."""
        return f"<pre>{escape(repr(self))}</pre>"


class _SearchRun(ProblemRun[S]):
    """A study with a search in a folder, as data frames and a figure too."""

    @property
    def trials(self) -> pd.DataFrame:
        """One row per trial that has ended."""
        return self.results.trials

    @property
    def incumbents(self) -> pd.DataFrame:
        """One row per incumbent, in the order of games."""
        return self.results.incumbents

    @property
    def played(self) -> tuple[int, int]:
        """The games of the search so far, and its budget."""
        return int(self.trials["games"].sum()) if len(self.trials) else 0, self.results.manifest.definition.games

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


class StudyRun(_SearchRun[StudyResults]):
    """A study that tunes an agent."""

    problem = Tuning

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

    def _curves(self) -> Iterator[tuple[str, str, str, tuple[float, ...]]]:
        yield self.results.manifest.definition.objectives[0], "value", "deviation", ()


class BalanceRun(_SearchRun[BalanceResults]):
    """A study that balances a game."""

    problem = Balancing

    @property
    def chosen(self) -> str | None:
        """The spec of the game that is chosen; None as long as the study is not complete."""
        return None if self.results.verdict is None else str(self.results.verdict["spec"])

    @property
    def next_command(self) -> str:
        """The command that plays the choice; empty as long as there is none."""
        return f"play it: tag play {shlex.quote(str(self.folder / BALANCE))}" if self.complete else ""

    def _curves(self) -> Iterator[tuple[str, str, str, tuple[float, ...]]]:
        for target in self.results.manifest.definition.bands:
            yield target.name, f"mean.{target.name}", f"deviation.{target.name}", (target.low, target.high)


class TrainingRun(ProblemRun[TrainingResults]):
    """A training in a folder: the agent that plays by what was learned, curves, text, a figure and a report."""

    problem = Training

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

    @property
    def played(self) -> tuple[int, int]:
        """The games that all learners have played, and those that they play at most."""
        definition = self.results.manifest.definition
        return self.results.episodes, definition.seeds * definition.episodes


def tune(
    agents: str | Sequence[str],
    game: str | Sequence[str],
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
        game: the spec of the game; or several, for one agent in all of them.
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
    tuning = Tuning(UsersObjects(given, pruner, callbacks))
    return StudyRun.run(tuning, settings, workers, tracking, progress)


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
    return BalanceRun.run(Balancing(), settings, workers, tracking, progress)


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
    return TrainingRun.run(Training(settings.checkpoint_seconds), settings, workers, tracking, progress)


def open_study(folder: str | Path) -> StudyRun:
    """Return the tuning study in a folder, complete or not; `DataError` where there is none, or a file is damaged."""
    return StudyRun.open(Path(folder))


def open_balance(folder: str | Path) -> BalanceRun:
    """Return the balancing study in a folder, complete or not; `DataError` where there is none, or a file is damaged."""
    return BalanceRun.open(Path(folder))


def open_training(folder: str | Path) -> TrainingRun:
    """Return the training in a folder, complete or not; `DataError` where there is none, or a file is damaged."""
    return TrainingRun.open(Path(folder))


def open_any_study(folder: Path) -> StudyRun | BalanceRun | TrainingRun:
    """Return the study or training in a folder, of the kind that its file names.

    Raises:
        DataError: there is none, or a file is damaged.
    """
    if (folder / TrainingDefinition.manifest).is_file():
        return open_training(folder)
    return open_balance(folder) if study_kind(folder) == BalanceDefinition.kind else open_study(folder)
