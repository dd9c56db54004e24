"""``tag balance``, ``tag balance show`` and ``tag balance report``."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click

from tag.cli._output import print_json
from tournaments.commands.settings import (
    declared_options,
    said_options,
    shown_options,
    table_width,
)
from tournaments.reports.progress import make_progress
from tuning.balancing.report import write_report
from tuning.balancing.results import BALANCE, BalanceResults, balance_json, balance_text, read_balance
from tuning.balancing.run import run_balance
from tuning.balancing.tracking import BALANCES
from tuning.commands.balance_settings import BalanceSettings
from tuning.commands.tune import StudyGroup, UnnamedCommand, end_of_study


@click.group(cls=StudyGroup)
def main() -> None:
    """Find the parameters with which a game is as it should be, or show a study that did."""


@main.command(cls=UnnamedCommand)
@click.argument("game")
@declared_options(BalanceSettings, without=["game"])
@shown_options
def run(game: str, progress: str, quiet: bool, as_json: bool, **options: Any) -> int:
    """Find the parameters with which GAME is as it should be, or go on with that.

    GAME is the spec of a game, with the parameters that are not to be changed. It may also be a TOML file with the same
    words as the options, which options override, or the folder of a study, to go on with that. `tag balance show DIR`
    shows what a study has come to.

    Example: tag balance love_letter --players 4 --search guards,princes --target seat_spread=0±0.02 --target length=60±10
    --agent osla --games 5000
    """
    settings = BalanceSettings.of(game, said_options(options), {"game": game})
    definition = settings.definition()
    folder, shown = settings.folder(definition), make_progress(quiet, progress)
    with settings.make_workers() as workers:
        results = run_balance(definition, folder, workers=workers, tracking=settings.store, progress=shown)
    _print(results, as_json)
    return end_of_study(results, settings, definition.games, BALANCES, as_json)


@main.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(folder: Path, as_json: bool) -> None:
    """Show what the study in FOLDER has come to."""
    _print(read_balance(folder), as_json)


@main.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="The file; FOLDER/report.html by default.")
def report(folder: Path, out: Path | None) -> None:
    """Write what the study in FOLDER has come to as one HTML file, which needs no other; also while it runs.

    A study writes it by itself in the end, and when it is interrupted.
    """
    click.echo(write_report(read_balance(folder), out))


def _print(results: BalanceResults, as_json: bool) -> None:
    if as_json:
        print_json(balance_json(results))
    else:
        click.echo(balance_text(results, table_width()))
    if results.complete and not as_json:
        click.echo(f"\nplay it: tag play {shlex.quote(str(results.folder / BALANCE))}")
