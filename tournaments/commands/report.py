"""``tag report`` and ``tag ratings``: the results of a folder, as a page or as text."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from tag.cli._output import print_json
from tag.errors import DataError, ParameterError
from tournaments.commands.noise import NOISE_MANIFEST as NOISE
from tournaments.commands.noise import noise_page
from tournaments.commands.series import MANIFEST as SERIES
from tournaments.commands.series import series_page
from tournaments.commands.settings import table_width
from tournaments.ledger.storage import write_whole
from tournaments.reports.html.page import Page, page_html
from tournaments.reports.text import ratings_text
from tournaments.reports.tournament import tournament_page
from tournaments.results.ratings import rate

# --- the report of a folder, as a file ----------------------------------------------------------------------------------


#: Name of the file, by default in the folder of the tournament, series or A/A test.
REPORT: Final = "report.html"


def write_report(folder: Path, file: Path | None = None) -> Path:
    """Write the report of the tournament, series or A/A test in ``folder``, complete or not, and return its path.

    Args:
        folder: the tournament's, series' or A/A test's.
        file: path of the report; by default `REPORT` in the folder.

    Raises:
        DataError: there is no tournament, its ledger is damaged, or the file cannot be written.
    """
    text = report_html(folder)
    path = file or folder / REPORT
    try:
        write_whole(path, text)
    except DataError as error:
        raise DataError(f"{error}; name a file with --out") from None
    return path


def report_html(folder: Path) -> str:
    """Return the report of the tournament, series or A/A test in ``folder``; equal ledgers and times give equal texts.

    Raises:
        DataError: there is no tournament, or its ledger is damaged.
    """
    return page_html(_page(folder))


def _page(folder: Path) -> Page:
    if (folder / SERIES).is_file():
        return series_page(folder)
    return noise_page(folder) if (folder / NOISE).is_file() else tournament_page(folder)


# --- ``tag report`` -----------------------------------------------------------------------------------------------------


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="The file; FOLDER/report.html by default.")
def report(folder: Path, out: Path | None) -> None:
    """Write what the ledger of the tournament, series or A/A test in FOLDER says as one HTML file, which needs no other.

    Standings, ratings, pairs, seats, how the rates settled, time per decision, length of games, faults, and how to play it
    again; also while it is played.
    """
    click.echo(write_report(folder, out))


# --- ``tag ratings`` ----------------------------------------------------------------------------------------------------


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--anchor", "anchors", multiple=True, metavar="AGENT=RATING", help="An agent that keeps this rating.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def ratings(folder: Path, anchors: tuple[str, ...], as_json: bool) -> None:
    """Rate the agents of the tournament in FOLDER on one scale, with intervals, pairs and groups.

    One Plackett-Luce fit to all games, with terms for the seats; 400 points are odds of 10 to 1, and the mean is 0 unless an
    agent is anchored. Intervals are from a bootstrap over blocks.
    """
    summary = rate(folder, dict(_anchor(text) for text in anchors))
    if as_json:
        print_json(summary.to_json())
    else:
        click.echo(ratings_text(summary, table_width()))


def _anchor(text: str) -> tuple[str, float]:
    """Read ``mcts:budget=400=1500``: the rating follows the last equals sign."""
    agent, _equals, rating = text.rpartition("=")
    try:
        return agent, float(rating)
    except ValueError:
        raise ParameterError(f"--anchor cannot be {text!r}; it is an agent of the tournament and a number") from None
