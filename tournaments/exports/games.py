"""All games of a tournament, as rows of CSV, as JSON, and as PGN for programs that rate players of chess."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final

import pandas as pd

from tag.errors import DataError, PlayersError
from tournaments.exports.crosstable import pairs_frame
from tournaments.folder import read_manifest
from tournaments.ledger import read_ledger
from tournaments.plain import plain
from tournaments.ratings.summary import rate
from tournaments.results import counted_seats, read_results

#: What the row of a game says of each of its seats.
_OF_A_SEAT: Final = ("agent", "result", "points", "ordinal", "score", "decisions")
_ROWS_AT_ONCE: Final = 10_000


def games_frame(folder: Path) -> pd.DataFrame:
    """Return one row per game: the columns of `tournaments.read_ledger`, and those of each seat: agent_0, result_0, ….

    Raises:
        DataError: there is no tournament, or its ledger is damaged.
    """
    games, seats = read_ledger(folder)
    for seat in sorted(seats["seat"].unique()):
        of_seat = seats[seats["seat"] == seat].set_index("game_id")
        for name in _OF_A_SEAT:
            games[f"{name}_{seat}"] = of_seat[name].astype(object).reindex(games["game_id"]).to_numpy()
    return games


def csv_of(frame: pd.DataFrame) -> Iterator[str]:
    """Yield a frame as CSV, piece by piece; its floats are read back as they are."""
    for begin in range(0, max(len(frame), 1), _ROWS_AT_ONCE):
        yield frame[begin : begin + _ROWS_AT_ONCE].to_csv(index=False, header=begin == 0, lineterminator="\n")


def json_of(folder: Path) -> Iterator[str]:
    """Yield all that a tournament is and came to as one JSON object, piece by piece, with a game per line at its end.

    Raises:
        DataError: there is no tournament, or its ledger is damaged.
    """
    manifest = read_manifest(folder)
    pairs = pairs_frame(folder)
    head = {
        "tournament": {
            "id": manifest.id,
            "created": manifest.created,
            "versions": manifest.versions,
            **manifest.definition.to_json(),
            "labels": manifest.definition.labels,
        },
        "results": read_results(folder).to_json(),
        "ratings": _ratings(folder) if len(pairs) else None,
        "pairs": plain(pairs.to_dict("records")),
    }
    yield f'{json.dumps(head, indent=2)[:-2]},\n  "games": [\n'
    separator = ""
    for game in _game_objects(folder):
        yield f"{separator}{json.dumps(plain(game))}"
        separator = ",\n"
    yield "\n  ]\n}\n"


def pgn_of(folder: Path) -> Iterator[str]:
    """Yield the games of a tournament of two players that count, in PGN without moves; who sits first has White.

    Raises:
        DataError: there is no tournament, or its ledger is damaged.
        PlayersError: the games are not of two players.
    """
    manifest = read_manifest(folder)
    definition = manifest.definition
    if definition.players != 2:
        raise PlayersError(
            f"PGN is for games of 2 players, and those in {str(folder)!r} have {definition.players}; export pairs instead"
        )
    seats = counted_seats(folder)
    date = manifest.created[:10].replace("-", ".")
    for white, black in zip(*(_records(seats[seats["seat"] == seat]) for seat in (0, 1)), strict=True):
        lead = black["ordinal"] - white["ordinal"]
        result = "1-0" if lead > 0 else "0-1" if lead < 0 else "1/2-1/2"
        tags = {"Event": definition.game, "Site": "?", "Date": date, "Round": str(white["block"] + 1)}
        tags |= {"White": white["agent"], "Black": black["agent"], "Result": result, "GameId": white["game_id"]}
        lines = [f'[{name} "{_quoted(value)}"]\n' for name, value in tags.items()]
        yield f"{''.join(lines)}\n{result}\n\n"


def _ratings(folder: Path) -> dict[str, Any] | None:
    """Return the ratings, None where some agents have not met."""
    try:
        return rate(folder).to_json()
    except DataError:
        return None


def _game_objects(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield each game with a list of its seats."""
    games, seats = read_ledger(folder)
    n_players = len(seats) // max(len(games), 1)
    of_seats = _records(seats[["seat", *_OF_A_SEAT, "faults"]])
    for game in _records(games):
        yield {**game, "seats": list(islice(of_seats, n_players))}


def _records(frame: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield the rows of a frame as plain values by column."""
    columns = [frame[name].tolist() for name in frame.columns]
    return (dict(zip(frame.columns, row, strict=True)) for row in zip(*columns, strict=True))


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
