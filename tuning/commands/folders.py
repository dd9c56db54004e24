"""``tag status`` and ``tag report``: the state and the report of every kind of folder."""

from __future__ import annotations

from pathlib import Path

import click

from tag.cli.process import print_json
from tag.tournaments.commands.settings import table_width
from tag.tuning.commands import kinds


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def status(folder: Path, as_json: bool) -> None:
    """Show how the tournament, series, A/A test, analysis, study or training in FOLDER stands, also during play."""
    text, plain = kinds.kind_of(folder).status(folder, table_width())
    if as_json:
        print_json(plain)
    else:
        click.echo(text)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="The file; FOLDER/report.html by default.")
def report(folder: Path, out: Path | None) -> None:
    """Write what is in FOLDER as one HTML file: a tournament, series, A/A test, analysis, study or training.

    The file needs no other. Of a tournament: standings, ratings, pairs, seats, how the rates settled, time per decision,
    length of games, faults, and how to play it again. Also while it is played.
    """
    click.echo(kinds.kind_of(folder).report(folder, out))
