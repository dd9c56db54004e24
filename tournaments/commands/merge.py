"""``tag merge``: parts of a tournament, played where machines cannot talk, become the whole."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click

from tag.cli.process import print_json
from tag.tournaments import run as running
from tag.tournaments.commands.settings import RunSettings, declared_options, given_options, program_name, table_width
from tag.tournaments.commands.tournament import look_at_run
from tag.tournaments.driver.events import Listeners
from tag.tournaments.reports import text as texts
from tag.tournaments.reports.progress import Progress
from tag.tournaments.tracking import tracker


@click.command()
@click.argument("folders", nargs=-1, required=True, metavar="DIR...", type=click.Path(path_type=Path))
@click.option(
    "--out",
    required=True,
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="The folder of the whole tournament, new or empty.",
)
@click.option(
    "--incomplete",
    is_flag=True,
    help="Also merge where games are missing; tag tournament then plays them in the folder.",
)
@declared_options(RunSettings, "tracking_uri", "tracking")
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
def merge(folders: tuple[Path, ...], out: Path, incomplete: bool, as_json: bool, **options: Any) -> None:
    """Join the parts of a tournament, played with tag tournament --part, to the whole.

    Each DIR holds a part; their order makes no difference, and they are only read. The ledger is that of one run. Parts that
    are missing, not complete, or of another tournament or version are named, and nothing is written then.

    Example: tag merge runs/part1 runs/part2 runs/part3 --out runs/whole
    """
    settings = RunSettings.from_values({**given_options(options), "out": str(out)}, "the options")
    events = Listeners(Progress())
    results = running.merge_tournament(folders, out, incomplete=incomplete, tracking=settings.store, events=events)
    if as_json:
        print_json(results.to_json())
        return
    click.echo(texts.results_text(results, table_width()))
    folder = shlex.quote(str(out))
    lines = [f"\n{results.games:,} games in {folder}; further:", f"  {program_name('tag')} results {folder}"]
    click.echo("\n".join([*lines, *(f"  {line}" for line in look_at_run(settings, out, tracker.TOURNAMENTS))]))
