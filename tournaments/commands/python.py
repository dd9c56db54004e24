"""Tournaments from Python and in notebooks: `play` one with the words of the command line, or `open_tournament`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

import pandas as pd

from tag.cluster import Workers
from tag.cluster.workers import at_work
from tag.tournaments.commands.experiment import events_of, several
from tag.tournaments.commands.export import below
from tag.tournaments.commands.settings import Settings
from tag.tournaments.ledger.folder import read_seed
from tag.tournaments.ledger.games import read_ledger
from tag.tournaments.reports.displays import make_progress
from tag.tournaments.reports.progress import Progress
from tag.tournaments.reports.text import experiment_text, results_text
from tag.tournaments.results.experiment import ExperimentResults, read_experiment_results
from tag.tournaments.results.overall_ratings import ExperimentRatings, rate_experiment
from tag.tournaments.results.tournament import RatingSummary, TournamentResults, rate, read_results
from tag.tournaments.run import run_experiment, run_tournament
from tag.tournaments.statistics.plain_records import flat

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: The columns of the standings that a notebook shows.
_SHOWN = ["games", "win_rate", "win_rate_low", "win_rate_high", "points", "decision_cpu_ms", "faults"]
_SHOWN_ALONE = ["games", "score", "score_low", "score_high", "win_rate", "decision_cpu_ms", "faults"]
_INCHES_PER_ROW = 0.35


class FolderResults(Protocol):
    """The results of a folder: those of a tournament, or of a study."""

    @property
    def folder(self) -> Path:
        """The folder."""

    @property
    def complete(self) -> bool:
        """True if nothing is missing."""


R = TypeVar("R", bound=FolderResults)


class FolderRun(Generic[R]):
    """A tournament or a study in a folder."""

    def __init__(self, results: R) -> None:
        """Take the results of a folder."""
        self.results = results

    @property
    def folder(self) -> Path:
        """The folder, which the command line reads, too."""
        return self.results.folder

    @property
    def complete(self) -> bool:
        """True if nothing is missing: it was not interrupted, or a stopping rule has ended it."""
        return self.results.complete


class TournamentRun(FolderRun[TournamentResults]):
    """A tournament in a folder: its results as data frames, ratings, a figure and a report.

    >>> from tempfile import TemporaryDirectory
    >>> from tag.tournaments import define, run_tournament
    >>> with TemporaryDirectory() as folder:
    ...     run = TournamentRun(run_tournament(define("nim", ("osla", "random"), 2), Path(folder), tracking=False))
    ...     run.complete, len(run.standings)
    (True, 2)
    """

    @cached_property
    def standings(self) -> pd.DataFrame:
        """One row per agent, with 95 % intervals from block means; for the columns see `Standing`."""
        return pd.DataFrame([flat(standing) for standing in self.results.standings]).set_index("agent")

    @cached_property
    def ledger(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """One row per game, and one per seat of each game (`tournaments.read_ledger`)."""
        return read_ledger(self.folder)

    def ratings(self) -> RatingSummary:
        """Return the ratings on one Elo scale, with intervals, and the deviation from one scale.

        Raises:
            TagError: agents cannot be compared, as in a co-operative game.
        """
        return rate(self.folder)

    def report(self, file: Path | None = None) -> Path:
        """Write the report as one HTML file, ``report.html`` in the folder if omitted, and return its path."""
        from tag.tournaments.commands.tournament import write_report  # noqa: PLC0415  only who draws waits for it

        return write_report(self.folder, file)

    def figure(self) -> Figure:
        """Return the win rates, or in games for one player the scores, with their intervals, drawn by matplotlib."""
        from matplotlib.figure import Figure  # noqa: PLC0415  takes a while; only who draws waits for it

        shown = self.standings.iloc[::-1]
        drawing = Figure((6.0, 1.0 + _INCHES_PER_ROW * len(shown)), layout="constrained")
        axes = drawing.add_subplot()
        name = "score" if self.results.by_score else "win_rate"
        ends = [shown[name] - shown[f"{name}_low"], shown[f"{name}_high"] - shown[name]]
        axes.errorbar(shown[name], range(len(shown)), xerr=ends, fmt="o", capsize=3)
        axes.set_yticks(range(len(shown)), labels=list(shown.index))
        axes.set_xlabel(f"{name.replace('_', ' ')}, with 95 % intervals")
        return drawing

    def __repr__(self) -> str:
        """Return the table of ``tag results``."""
        return results_text(self.results)

    def _repr_html_(self) -> str:
        """Return the standings for a notebook."""
        shown = _SHOWN_ALONE if self.results.by_score else _SHOWN
        table = self.standings[shown].to_html(float_format="{:.3f}".format, border=0)
        games = f"{self.results.games:,} of {self.results.total_text} games in {escape(str(self.folder))}"
        return f"{table}<p>{games}{'' if self.complete else '; not complete'}</p>"


def play(
    game: str,
    agents: Sequence[str],
    *,
    out: str | Path = "",
    workers: Workers | int | None = None,
    tracking: bool | str = True,
    progress: Progress | bool = True,
    **options: Any,
) -> TournamentRun:
    """Play a tournament, or its missing games, and return it; the same call resumes an existing folder.

    >>> from tempfile import TemporaryDirectory
    >>> quietly = {"workers": 1, "tracking": False, "progress": False}
    >>> with TemporaryDirectory() as folder:
    ...     run = play("nim", ["osla", "random"], blocks=5, seed=1, out=folder, **quietly)
    ...     standings, complete = run.standings, run.complete
    >>> standings["win_rate"].to_dict(), complete
    ({'osla': 0.6, 'random': 0.4}, True)

    Args:
        game: the spec of a game.
        agents: the specs of the agents, each perhaps as ``NAME=SPEC``.
        out: the folder; if omitted, one in ``runs/`` that is named after the tournament.
        workers: the processes that play (`cluster.make_workers`), or how many; if omitted, one per core.
        tracking: the URI of the MLflow store to write a run to; True for `MLFLOW_TRACKING_URI`, or mlflow.db beside the
            folder, False for no run.
        progress: whether to show the progress of the games on standard error, or the object that shows it.
        options: those of ``tag tournament``, by the names of TOML files: players, blocks, seed, design, precision ….

    Raises:
        TagError: a name or value is wrong, or the folder holds something else; the message names it.
    """
    settings = Settings.from_call("play()", {"game": game, "agents": tuple(agents), "out": str(out), **options})
    definition = settings.definition()
    folder = settings.folder(definition)
    definition = replace(definition, seed=settings.seed_or(read_seed(folder)))
    shown = progress_of(progress)
    with at_work(workers) as processes:
        return TournamentRun(run_tournament(definition, folder, workers=processes, tracking=tracking, progress=shown))


class ExperimentRun(FolderRun[ExperimentResults]):
    """An experiment in a folder: its results as data frames, its events, ratings and a report.

    >>> from tempfile import TemporaryDirectory
    >>> from tag.tournaments import Experiment, define, run_experiment
    >>> events = [define(game, ("osla", "random"), 2) for game in ("nim", "tic_tac_toe")]
    >>> with TemporaryDirectory() as folder:
    ...     run = ExperimentRun(run_experiment(Experiment.of(events), Path(folder), tracking=False))
    ...     run.complete, len(run.standings), list(run.overall.columns)
    (True, 4, ['strength', 'low', 'high', 'nim-2p', 'tic_tac_toe-2p'])
    """

    @cached_property
    def events(self) -> dict[str, TournamentRun]:
        """The events that have begun, by name."""
        return {name: TournamentRun(results) for name, results in self.results.events.items()}

    @cached_property
    def overall(self) -> pd.DataFrame:
        """One row per agent: its strength over all events with its 95 % interval, and in each event."""
        rows = []
        for one in self.results.overall:
            low, high = one.interval
            known = {"agent": one.agent, "strength": one.strength, "low": low, "high": high}
            rows.append({**known, **dict(zip(self.results.compared, one.by_event, strict=True))})
        return pd.DataFrame(rows, columns=None if rows else ["agent"]).set_index("agent")

    @cached_property
    def standings(self) -> pd.DataFrame:
        """One row per event and agent: the event, and the columns of `TournamentRun.standings`."""
        return below({name: run.standings.reset_index() for name, run in self.events.items()}).set_index("agent")

    @cached_property
    def ledger(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """One row per game, and one per seat of each game, with the event (`tournaments.read_ledger`)."""
        ledgers = {name: run.ledger for name, run in self.events.items()}
        games, seats = ({name: both[which] for name, both in ledgers.items()} for which in (0, 1))
        return below(games), below(seats)

    def ratings(self) -> ExperimentRatings:
        """Return the ratings over all events and in each.

        Raises:
            TagError: no event has ratings.
        """
        return rate_experiment(self.folder)

    def report(self, file: Path | None = None) -> Path:
        """Write the report as one HTML file, ``report.html`` in the folder if omitted, and return its path."""
        from tag.tournaments.commands.tournament import write_report  # noqa: PLC0415  only who draws waits for it

        return write_report(self.folder, file)

    def __repr__(self) -> str:
        """Return the tables of ``tag results``."""
        return experiment_text(self.results)

    def _repr_html_(self) -> str:
        """Return the table over all events for a notebook."""
        return str(self.overall.to_html(float_format="{:.3f}".format, border=0))


def play_experiment(
    events: Sequence[str | Mapping[str, object]],
    agents: Sequence[str],
    *,
    players: Sequence[int] = (),
    out: str | Path = "",
    workers: Workers | int | None = None,
    tracking: bool | str = True,
    progress: Progress | bool = True,
    **options: Any,
) -> ExperimentRun:
    """Play an experiment, or its missing games, and return it; the same call resumes an existing folder.

    >>> from tempfile import TemporaryDirectory
    >>> quietly = {"workers": 1, "tracking": False, "progress": False}
    >>> with TemporaryDirectory() as folder:
    ...     run = play_experiment(["nim", "sim"], ["osla", "random"], blocks=2, seed=1, out=folder, **quietly)
    ...     run.standings["event"].unique().tolist()
    ['nim-2p', 'sim-2p']

    Args:
        events: specs of games, or events with the keys of ``[[events]]`` in TOML files: game, players, weight ….
        agents: the specs of the agents, each perhaps as ``NAME=SPEC``.
        players: numbers of players of each game that is only a spec; each game's fewest if omitted.
        out: the folder; if omitted, one in ``runs/`` that is named after the experiment.
        workers: as in `play`.
        tracking: as in `play`.
        progress: as in `play`.
        options: those of ``tag tournament``, for all events.

    Raises:
        TagError: a name or value is wrong, or the folder holds something else; the message names it.
    """
    where = "play_experiment()"
    values = {"agents": tuple(agents), "out": str(out), **options}
    Settings.from_call(where, values)
    said: list[Mapping[str, object]] = []
    for event in events:
        said += events_of([event], players) if isinstance(event, str) else [event]
    wanted = several(said, values, {}, where)
    with at_work(workers) as processes:
        shown = progress_of(progress)
        results = run_experiment(wanted.experiment, wanted.folder, workers=processes, tracking=tracking, progress=shown)
    return ExperimentRun(results)


def open_experiment(folder: str | Path) -> ExperimentRun:
    """Return the experiment in a folder, complete or not.

    Raises:
        DataError: there is none, or a ledger is damaged.
    """
    return ExperimentRun(read_experiment_results(Path(folder)))


def progress_of(progress: Progress | bool) -> Progress:
    """Return the object that shows the progress: the given one, or one for standard error that is silent on False."""
    return progress if isinstance(progress, Progress) else make_progress(quiet=progress is False)


def open_tournament(folder: str | Path) -> TournamentRun:
    """Return the tournament in a folder, complete or not.

    >>> from tempfile import TemporaryDirectory
    >>> from tag.tournaments import define, run_tournament
    >>> with TemporaryDirectory() as folder:
    ...     results = run_tournament(define("nim", ("osla", "random"), 2), Path(folder), tracking=False)
    ...     games, seats = open_tournament(folder).ledger
    >>> len(games), len(seats)
    (4, 8)

    Raises:
        DataError: there is none, or its ledger is damaged.
    """
    return TournamentRun(read_results(Path(folder)))
