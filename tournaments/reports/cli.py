"""``tag report``."""

from __future__ import annotations

from pathlib import Path

import click

from tournaments.reports.report import write_report


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="The file; FOLDER/report.html by default.")
def report(folder: Path, out: Path | None) -> None:
    """Write what the ledger of the tournament, series or A/A test in FOLDER says as one HTML file, which needs no other.

    Standings, ratings, pairs, seats, how the rates settled, time per decision, length of games, faults, and how to play it
    again; also while it is played.
    """
    click.echo(write_report(folder, out))
