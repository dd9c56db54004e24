"""``tag status``, ``tag report`` and ``tag pause``: the state, the report and the end of every kind of folder."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click

from tag.catalogue.user_code import code_in
from tag.cli.process import print_json
from tag.errors import DataError
from tag.tournaments.commands import tournament
from tag.tournaments.commands.settings import program_name, table_width
from tag.tournaments.ledger import experiment as experiments
from tag.tournaments.ledger import folder as folders
from tag.tournaments.reports import analysis as analyses
from tag.tournaments.reports import status as statuses
from tag.tournaments.reports import text as texts
from tag.tournaments.reports.sections.section import Page
from tag.tournaments.reports.sections.tournament import folder_page
from tag.tournaments.results import experiment
from tag.tournaments.results.analysis import definition as analysis
from tag.tournaments.results.copies import noise
from tag.tuning.commands import python
from tag.tuning.study.files import read_json
from tag.tuning.study.folder import request_pause, study_kind
from tag.tuning.training.definition import TrainingDefinition

#: The state of a folder: as text, and as plain values.
State = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class FolderKind:
    """A kind of folders.

    Attributes:
        name: what such a folder holds.
        status: returns its state, as text of so many columns and as plain values.
        report: writes its report to a file, by default in the folder, and returns the path.
        page: returns the report as data, from which papers take tables and figures.
        pause: asks the process at work to end; None where there is no such way.
        command: goes on with it; empty where its file says which.
    """

    name: str
    status: Callable[[Path, int | None], State]
    report: Callable[[Path, Path | None], Path]
    page: Callable[[Path], Page]
    pause: Callable[[Path], None] | None = None
    command: str = ""


def kind_of(folder: Path) -> FolderKind:
    """Return the kind of a folder; `DataError` where it is none."""
    return KINDS[_manifest_of(folder)]


def _manifest_of(folder: Path) -> str:
    for file in KINDS:
        if (folder / file).is_file():
            return file
    *names, last = dict.fromkeys(kind.name for kind in KINDS.values())
    raise DataError(f"{str(folder)!r} holds no {', '.join(names)} or {last}; name the folder of one")


def _report(folder: Path, file: Path | None) -> Path:
    return tournament.write_report(folder, file)


def _tournament(folder: Path, width: int | None) -> State:
    found = statuses.read_status(folder)
    return f"{found.text}\n\n{texts.results_text(found.results, width)}", found.to_json()


def _experiment(folder: Path, width: int | None) -> State:
    found = experiment.read_experiment_results(folder)
    events = {name: statuses.status_of(results) for name, results in found.events.items()}
    lines = [f"{name}: {event.text}" for name, event in events.items()]
    states = {name: event.to_json() for name, event in events.items()}
    return "\n".join([*lines, "", texts.experiment_text(found, width)]), {**found.to_json(), "events": states}


def _noise(folder: Path, width: int | None) -> State:
    found = noise.read_noise(folder)
    return texts.noise_text(found, width), found.to_json()


def _analysis(folder: Path, width: int | None) -> State:
    found = analysis.read_analysis(folder)
    counts = {"games": found.games, "total": found.total, "complete": found.complete}
    return analyses.analysis_text(found, width), {**found.to_json(), **counts}


def _study(folder: Path, width: int | None) -> State:
    run, at_work = python.open_any_study(folder), folders.is_at_work(folder)
    state = "complete" if run.complete else "at work" if at_work else "not complete, nobody at work"
    return f"{state}\n\n{run.text(width)}", {**run.to_json(), "at_work": at_work}


def _study_report(folder: Path, file: Path | None) -> Path:
    return python.open_any_study(folder).report(file)


def _study_page(folder: Path) -> Page:
    return python.open_any_study(folder).page()


def _holds_code(values: object) -> bool:
    """Say whether a text in plain values is a spec that names code or a program, which run with ``--trust`` only."""
    if isinstance(values, dict | list):
        return any(map(_holds_code, values.values() if isinstance(values, dict) else values))
    return isinstance(values, str) and any(code_in(values))


#: The kinds of folders by the file that each has. Its name is written out, so that a wrong folder is refused at once.
KINDS: Final = {
    "tournament.json": FolderKind("tournament", _tournament, _report, folder_page, folders.request_pause, "tournament"),
    "experiment.json": FolderKind(
        "experiment", _experiment, _report, folder_page, experiments.pause_experiment, "tournament"
    ),
    "noise.json": FolderKind("A/A test", _noise, _report, folder_page),
    "analysis.json": FolderKind(
        "analysis",
        _analysis,
        lambda folder, file: analyses.write_report(analysis.read_analysis(folder), file),
        lambda folder: analyses.report_page(analysis.read_analysis(folder)),
    ),
    "study.json": FolderKind("study", _study, _study_report, _study_page, request_pause),
    "training.json": FolderKind("training", _study, _study_report, _study_page, request_pause, TrainingDefinition.kind),
}


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def status(folder: Path, as_json: bool) -> None:
    """Show how the tournament, experiment, A/A test, analysis, study or training in FOLDER stands, also during play."""
    text, plain = kind_of(folder).status(folder, table_width())
    if as_json:
        print_json(plain)
    else:
        click.echo(text)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="The file; FOLDER/report.html by default.")
def report(folder: Path, out: Path | None) -> None:
    """Write what is in FOLDER as one HTML file: a tournament, experiment, A/A test, analysis, study or training.

    The file needs no other. Of a tournament: standings, ratings, pairs, seats, how the rates settled, time per decision,
    length of games, faults, and how to play it again. Also while it is played.
    """
    click.echo(kind_of(folder).report(folder, out))


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
def pause(folder: Path) -> None:
    """Ask the process at work on the tournament, experiment, study or training in FOLDER to end.

    It finishes what is being played. Nothing is lost, and the command that is printed goes on.
    """
    file = _manifest_of(folder)
    kind = KINDS[file]
    if kind.pause is None:
        raise DataError(f"{str(folder)!r} holds an {kind.name}, which is ended where it runs, with Ctrl-C")
    kind.pause(folder)
    words = [program_name("tag"), kind.command or study_kind(folder), str(folder)]
    words += ["--trust"] * _holds_code(read_json(folder / file))
    click.echo(f"the process at work on {shlex.quote(str(folder))} ends in a moment; go on with: {shlex.join(words)}")
