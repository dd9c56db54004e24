"""``tag export``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

import click

from tag.errors import DataError, ParameterError, UnknownNameError
from tournaments.action_logs import log_line
from tournaments.exports.crosstable import crosstable_frame, pairs_frame
from tournaments.exports.files import write_pieces
from tournaments.exports.games import csv_of, games_frame, json_of, pgn_of
from tournaments.folder import read_manifest
from tournaments.ledger import read_ledger
from tournaments.replay import replays_of
from tournaments.results import read_results
from tournaments.series import MANIFEST as SERIES
from tournaments.series import read_events
from tournaments.tables import standings_csv

_ACTIONS: Final = "actions"
#: What compares agents.
_OF_TWO: Final = ("crosstable", "pairs", "pgn")
_EXPORTS: Final[dict[str, Callable[[Path], Iterable[str]]]] = {
    "crosstable": lambda folder: csv_of(crosstable_frame(folder)),
    "standings": lambda folder: [standings_csv(read_results(folder).standings)],
    "pairs": lambda folder: csv_of(pairs_frame(folder)),
    "games": lambda folder: csv_of(games_frame(folder)),
    "seats": lambda folder: csv_of(read_ledger(folder)[1]),
    "json": json_of,
    "pgn": pgn_of,
}


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("what")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="The file; standard output by default.")
@click.option(
    "--games", metavar="ID,ID,...", default="", help="With actions: these games; all that have been played by default."
)
def export(folder: Path, what: str, out: Path | None, games: str) -> None:
    """Write WHAT of the tournament in FOLDER for other programs, also while it is played.

    \b
    crosstable  CSV: the points of every agent against every other, best first
    standings   CSV: a row per agent, all that tag results shows
    pairs       CSV: a row per pair of agents: games, wins, draws, losses, score with interval
    games       CSV: a row per game, with the agent and result of each seat
    seats       CSV: a row per seat of each game
    json        all of this, the definition and the ratings as one JSON object
    pgn         PGN without moves of games of two players, for Ordo and BayesElo
    actions     a JSON object per line and game, from which tag replay plays the game again

    Example: tag export runs/mine crosstable --out crosstable.csv
    """  # noqa: D301  click's mark for text that is not wrapped
    if what not in (*_EXPORTS, _ACTIONS):
        raise UnknownNameError.of("export", what, (*_EXPORTS, _ACTIONS))
    if games and what != _ACTIONS:
        raise ParameterError(f"--games is for actions, not for {what}; leave it out")
    if (folder / SERIES).is_file():
        events = ", ".join(str(folder / name) for name in read_events(folder))
        raise DataError(f"{str(folder)!r} is a series; export its events: {events}")
    if what in _OF_TWO and len(read_manifest(folder).definition.agents) < 2:
        raise DataError(f"{str(folder)!r} has no {what}: one agent takes part, with copies of itself; see tag results")
    write_pieces(_action_lines(folder, games) if what == _ACTIONS else _EXPORTS[what](folder), out)


def _action_lines(folder: Path, games: str) -> Iterator[str]:
    """Yield games as lines of an action log, and say once if agents have to play."""
    said = False
    for replay in replays_of(folder, games.split(",") if games else None):
        if replay.recording is None and not said:
            click.echo("tag: agents play the games again whose actions were not recorded (--record-actions)", err=True)
            said = True
        yield log_line(replay)
