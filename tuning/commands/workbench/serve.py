"""``tag serve``: live pages of tournaments, experiments, studies and trainings."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from tag.catalogue.trust import typed
from tag.cli.numbers import Number
from tag.errors import DataError
from tag.tournaments.web import server
from tag.tournaments.web.live import pages
from tag.tuning.commands import live
from tag.tuning.commands.workbench import pages as workbench

_PORT: Final = 8710


@click.command()
@click.argument("folders", nargs=-1, required=True, metavar="RUN_OR_FOLDER...", type=click.Path(path_type=Path))
@click.option("--port", default=_PORT, show_default=True, type=Number(int, 0, 65535), help="0: any that is free.")
@click.option(
    "--browser/--no-browser",
    "opens",
    default=None,
    help="Open the page in a browser; so by default on a desktop.",
)
@click.option("--read-only", is_flag=True, help="Start no runs in the browser, and change nothing.")
def serve(folders: tuple[Path, ...], port: int, opens: bool | None, read_only: bool) -> None:
    """Show tournaments, experiments, studies and trainings in the browser, also while they run, and start new ones.

    RUN_OR_FOLDER is the folder of one of these, or one with several of them anywhere below it. Nothing in it is changed
    unless a button of the workbench is pressed, which starts, pauses, extends or resumes a run. Only this machine is
    served, and only with the token in the printed address. Ctrl-C ends the pages, not the runs. With --trust, forms of the
    workbench may name your files, too.

    Example: tag serve runs studies
    """
    for folder in folders:
        if not folder.is_dir():
            raise DataError(f"{str(folder)!r} is no folder; name one with tournaments, studies or trainings in it")
    token = server.new_token()
    opens = server.has_desktop() if opens is None else opens
    routes = [] if read_only else workbench.WorkbenchPages(folders, live.KINDS, trusts=typed() is None).routes()
    server.serve(pages.live_pages(folders, live.KINDS, token, routes), token, port, opens=opens)
