"""Studies from Python and in notebooks: `tune` an agent or `balance` a game with the words of the command line."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pandas as pd
from optuna.pruners import BasePruner
from optuna.samplers import BaseSampler

from cluster import Workers
from cluster.workers import at_work
from tournaments.commands.python import Run
from tournaments.reports.progress import Progress, make_progress
from tuning.balancing import report as balance_report
from tuning.balancing.results import BalanceResults, balance_text, read_balance
from tuning.balancing.run import run_balance
from tuning.commands.balance_settings import BalanceSettings
from tuning.commands.settings import StudySettings
from tuning.objectives import Callback
from tuning.reports import report as study_report
from tuning.reports.findings import study_text
from tuning.reports.recommendation import StudyResults, read_study
from tuning.study import run_study

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_INCHES = (6.0, 3.5)


R = TypeVar("R", StudyResults, BalanceResults)


class _StudyRun(Run[R]):
    """A study in a folder, as data frames, text, and a report."""

    @property
    def trials(self) -> pd.DataFrame:
        """One row per trial that has ended."""
        return self.results.trials

    @property
    def incumbents(self) -> pd.DataFrame:
        """One row per incumbent, in the order of games."""
        return self.results.incumbents

    @abstractmethod
    def __repr__(self) -> str: ...

    def _repr_html_(self) -> str:
        """Return the same text for a notebook."""
        return f"<pre>{escape(repr(self))}</pre>"


class StudyRun(_StudyRun[StudyResults]):
    """A study that tunes an agent."""

    @property
    def recommended(self) -> str | None:
        """The spec of the agent that is recommended; None as long as the study is not complete."""
        found = self.results.recommendation
        return None if found is None else str(found["spec"])

    def report(self, file: Path | None = None) -> Path:
        """Write the report as one HTML file, ``report.html`` in the folder if omitted, and return its path."""
        return study_report.write_report(self.results, file)

    def figure(self) -> Figure:
        """Return a matplotlib figure of the incumbents' values by the model in the course of the search."""
        from matplotlib.figure import Figure  # noqa: PLC0415  slow import, only needed to draw

        drawing = Figure(_INCHES, layout="constrained")
        axes = drawing.add_subplot()
        found = self.incumbents
        axes.errorbar(found["games"], found["value"], yerr=1.96 * found["deviation"], fmt="o-", capsize=3)
        axes.set_xlabel("games of the search")
        axes.set_ylabel(f"{self.results.manifest.definition.objectives[0]} of the incumbent, with 95 % intervals")
        return drawing

    def __repr__(self) -> str:
        """Return the text of ``tag tune show``."""
        return study_text(self.results)


class BalanceRun(_StudyRun[BalanceResults]):
    """A study that balances a game."""

    @property
    def chosen(self) -> str | None:
        """The spec of the game that is chosen; None as long as the study is not complete."""
        return None if self.results.verdict is None else str(self.results.verdict["spec"])

    def report(self, file: Path | None = None) -> Path:
        """Write the report as one HTML file, ``report.html`` in the folder if omitted, and return its path."""
        return balance_report.write_report(self.results, file)

    def __repr__(self) -> str:
        """Return the text of ``tag balance show``."""
        return balance_text(self.results)


def tune(
    agents: str | Sequence[str],
    game: str,
    *,
    out: str | Path = "",
    workers: Workers | int | None = None,
    tracking: bool | str = True,
    progress: Progress | None = None,
    sampler: str | BaseSampler = "auto",
    pruner: BasePruner | None = None,
    callbacks: Sequence[Callback] = (),
    **options: Any,
) -> StudyRun:
    """Find the parameters that make an agent strong in a game; the same call again continues the study.

    Args:
        agents: the spec of the agent, with the parameters that are not to be searched; or several, to search among.
        game: the spec of the game.
        out: the folder; if omitted, one in ``studies/`` that is named after the study.
        workers: as in `tournaments.play`, and so are ``tracking`` and ``progress``.
        tracking: where an MLflow run is written.
        progress: shows the progress of the study.
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
    definition = settings.definition()
    with at_work(workers) as processes:
        return StudyRun(
            run_study(
                definition,
                settings.folder(definition),
                workers=processes,
                tracking=tracking,
                progress=progress or make_progress(quiet=False),
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
    progress: Progress | None = None,
    **options: Any,
) -> BalanceRun:
    """Find the parameters with which a game is as it should be; the same call again continues the study.

    Args:
        game: the spec of the game, with the parameters that are not to be changed.
        out: the folder; if omitted, one in ``studies/`` that is named after the study.
        workers: as in `tournaments.play`, and so are ``tracking`` and ``progress``.
        tracking: where an MLflow run is written.
        progress: shows the progress of the study.
        options: those of ``tag balance``, by the names of TOML files: targets, agents and games (needed), players ….

    Raises:
        TagError: a name or value is wrong, or the folder holds something else; the message names it.
    """
    settings = BalanceSettings.from_call("balance()", {"game": game, "out": str(out), **options})
    definition = settings.definition()
    folder = settings.folder(definition)
    shown = progress or make_progress(quiet=False)
    with at_work(workers) as processes:
        return BalanceRun(run_balance(definition, folder, workers=processes, tracking=tracking, progress=shown))


def open_study(folder: str | Path) -> StudyRun:
    """Return the tuning study in a folder, complete or not.

    Raises:
        DataError: there is none, or a file is damaged.
    """
    return StudyRun(read_study(Path(folder)))


def open_balance(folder: str | Path) -> BalanceRun:
    """Return the balancing study in a folder, complete or not.

    Raises:
        DataError: there is none, or a file is damaged.
    """
    return BalanceRun(read_balance(Path(folder)))
