"""``tag status`` and ``tag report``: how that stands which a folder holds, and what it has come to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tag.cli.process import print_json
from tag.errors import DataError
from tournaments.commands.noise import NOISE_MANIFEST, noise_text, read_noise
from tournaments.commands.series import read_series, series_text
from tournaments.commands.settings import table_width
from tournaments.commands.tournament import write_report
from tournaments.ledger.folder import MANIFEST, SERIES, is_at_work
from tournaments.reports.status import read_status, status_of
from tournaments.reports.text import results_text
from tuning.balancing.definition import BalanceDefinition
from tuning.commands.python import BalanceRun, StudyRun, TrainingRun, open_balance, open_study, open_training
from tuning.study import STUDY, study_kind
from tuning.training.definition import TRAINING


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def status(folder: Path, as_json: bool) -> None:
    """Show how the tournament, series, A/A test, study or training in FOLDER stands, also while a process works on it."""
    text, plain = _status(folder)
    if as_json:
        print_json(plain)
    else:
        click.echo(text)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="The file; FOLDER/report.html by default.")
def report(folder: Path, out: Path | None) -> None:
    """Write what is in FOLDER as one HTML file, which needs no other: a tournament, series, A/A test, study or training.

    Of a tournament: standings, ratings, pairs, seats, how the rates settled, time per decision, length of games, faults, and
    how to play it again. Also while it is played.
    """
    run = _run_in(folder)
    click.echo(write_report(folder, out) if run is None else run.report(out))


def _status(folder: Path) -> tuple[str, dict[str, Any]]:
    """Return the state as text and as plain values."""
    run = _run_in(folder)
    if run is not None:
        at_work = is_at_work(folder)
        state = "complete" if run.complete else "at work" if at_work else "not complete, nobody at work"
        return f"{state}\n\n{run.text(table_width())}", {**run.to_json(), "at_work": at_work}
    if (folder / SERIES).is_file():
        series = read_series(folder)
        events = {name: status_of(results) for name, results in series.events.items()}
        lines = [f"{name}: {found.text}" for name, found in events.items()]
        states = {name: found.to_json() for name, found in events.items()}
        return "\n".join([*lines, "", series_text(series, table_width())]), {**series.to_json(), "events": states}
    if (folder / NOISE_MANIFEST).is_file():
        noise = read_noise(folder)
        return noise_text(noise, table_width()), noise.to_json()
    if (folder / MANIFEST).is_file():
        found = read_status(folder)
        return f"{found.text}\n\n{results_text(found.results, table_width())}", found.to_json()
    raise DataError(f"{str(folder)!r} holds no tournament, series, A/A test, study or training; name the folder of one")


def _run_in(folder: Path) -> StudyRun | BalanceRun | TrainingRun | None:
    """Return the study or training in a folder; None if it holds none."""
    if (folder / TRAINING).is_file():
        return open_training(folder)
    if not (folder / STUDY).is_file():
        return None
    return open_balance(folder) if study_kind(folder) == BalanceDefinition.kind else open_study(folder)
