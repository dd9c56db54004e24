"""The report of a folder, as a file."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tag.errors import DataError
from tournaments.html.page import Page, page_html
from tournaments.noise.definition import MANIFEST as NOISE
from tournaments.reports.noise import noise_page
from tournaments.reports.series import series_page
from tournaments.reports.tournament import tournament_page
from tournaments.series import MANIFEST as SERIES
from tournaments.storage import write_whole

#: The file, by default in the folder of what it is about.
REPORT: Final = "report.html"


def write_report(folder: Path, file: Path | None = None) -> Path:
    """Write the report of the tournament, series or A/A test in ``folder``, complete or not, and return its path.

    Args:
        folder: the tournament's, series' or A/A test's.
        file: where to; by default `REPORT` in the folder.

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
