"""Exports: a tournament's tables and games in formats of other programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final

import click
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from tag.errors import DataError, PlayersError
from tag.table.log import EventRows
from tag.tournaments.ledger import experiment as experiments
from tag.tournaments.ledger import folder as folders
from tag.tournaments.ledger import games as ledgers
from tag.tournaments.ledger import replay as replays
from tag.tournaments.ledger import rows, storage
from tag.tournaments.ledger.reading import LedgerGames
from tag.tournaments.reports import text as texts
from tag.tournaments.results import experiment
from tag.tournaments.results import tournament as outcomes
from tag.tournaments.statistics.intervals import Ints
from tag.tournaments.statistics.plain_records import plain
from tag.tournaments.statistics.ratings.pairwise import PairwiseTable, pairwise


def write_pieces(pieces: Iterable[str], file: Path | None) -> None:
    """Write ``pieces`` of a text to ``file``, which gets all of them or stays as it was, or print them."""
    if file is None:
        for piece in pieces:
            click.echo(piece, nl=False)
        return
    storage.write_whole(file, pieces, "name a file with --out")


def crosstable_frame(folder: folders.FolderOrPath) -> pd.DataFrame:
    """Return the cross-table of the tournament in ``folder``, the best share of points first.

    The columns are rank, agent, games, points and score (points per game). Then follows one per agent with the points
    that the row took from it, and one per agent, ``games: random``, with how often they met; both are empty if they did
    not. With more than two seats, two agents meet once in each pair of their seats. A point is for the better place,
    half of one for a shared place. In games for one player, two agents meet once in each block, by score.
    """
    table = _pairs(folder)
    met, taken = table.games > 0, table.score * table.games
    games, points = table.games.sum(axis=1), np.nansum(taken, axis=1)
    score = np.divide(points, games, out=np.full(len(games), np.nan), where=games > 0)
    order = sorted(range(len(score)), key=lambda agent: (-np.nan_to_num(score[agent], nan=-1.0), table.labels[agent]))
    labels = [table.labels[agent] for agent in order]
    columns: dict[str, object] = {
        "rank": range(1, len(order) + 1),
        "agent": labels,
        "games": games[order].astype(np.int64),
    }
    columns |= {"points": points[order], "score": score[order]}
    square = np.ix_(order, order)
    columns |= zip(labels, np.where(met, taken, np.nan)[square].T, strict=True)
    counts = zip(table.games[square].T.astype(np.int64), ~met[square].T, strict=True)
    columns |= {f"games: {label}": pd.arrays.IntegerArray(*of) for label, of in zip(labels, counts, strict=True)}
    return pd.DataFrame(columns)


def standings_frame(folder: folders.FolderOrPath) -> pd.DataFrame:
    """Return all fields of the standings of the tournament in ``folder``, a row per agent, best first."""
    return pd.DataFrame([standing.to_json() for standing in outcomes.read_results(folder).standings])


def pairs_frame(folder: folders.FolderOrPath) -> pd.DataFrame:
    """Return one row per ordered pair of agents that have met: the cross-table in long form.

    The columns are agent, opponent, games, wins, draws, losses (better, shared and worse places), score with its interval
    at 95 % (low, high), and the p value after Holm's correction.
    """
    table = _pairs(folder)
    one, other = np.nonzero(table.games)
    labels = np.array(table.labels, dtype=object)
    wins, losses = _times(table, one, other), _times(table, other, one)
    games = table.games[one, other].astype(np.int64)
    columns = {"agent": labels[one], "opponent": labels[other], "games": games, "wins": wins}
    columns |= {"draws": games - wins - losses, "losses": losses}
    columns |= {name: getattr(table, name)[one, other] for name in ("score", "low", "high", "corrected")}
    return pd.DataFrame(columns)


def _pairs(folder: folders.FolderOrPath) -> PairwiseTable:
    """Return the results of every two agents: who was placed above whom, or where all are one team which scored more."""
    return pairwise(outcomes.CountedGames(folders.Folder.of(folder)).compared())


def _times(table: PairwiseTable, one: Ints, other: Ints) -> Ints:
    """Return how often ``one`` was placed above ``other``."""
    times: Ints = np.rint(table.above[one, other] * table.games[one, other]).astype(np.int64)
    return times


#: The columns of a game's row for each of its seats.
_OF_A_SEAT: Final = ("agent", "result", "points", "ordinal", "score", "decisions")
#: Cells that are texts at once, and rows at least: each column of some rows costs 50 µs.
_CELLS_AT_ONCE: Final = 300_000
_FEWEST_ROWS: Final = 1_500
#: Texts with one of these are in quotes.
_QUOTED: Final = '[",\n]'


def games_frames(folder: Path) -> Iterator[pd.DataFrame]:
    """Yield one row per game, of some thousand games at a time; at least once.

    The columns are those of `tournaments.read_ledger`, and those of each seat: agent_0, result_0, ….
    """
    for table in LedgerGames(folders.shards_of(folder)).tables():
        games, seats = rows.games_frame(table), rows.seat_columns(table, _OF_A_SEAT)
        n_seats = len(seats["result"]) // max(len(games), 1)
        of_seats = {f"{name}_{seat}": seats[name][seat::n_seats] for seat in range(n_seats) for name in _OF_A_SEAT}
        yield games.assign(**of_seats)


def seats_frames(folder: Path) -> Iterator[pd.DataFrame]:
    """Yield the seats of `tournaments.read_ledger`, of some thousand games at a time; at least once."""
    return (seats for _games, seats in LedgerGames(folders.shards_of(folder)).frames())


def csv_of(frames: Iterable[pd.DataFrame]) -> Iterator[str]:
    """Yield frames below each other as CSV, piece by piece; its floats are read back unchanged.

    The text is that of pandas, which takes each cell as an object: three times as long for columns of few different values.
    """
    has_header = True
    for frame in frames:
        if has_header:
            yield frame[:0].to_csv(index=False, lineterminator="\n")
            has_header = False
        n_rows = max(_CELLS_AT_ONCE // len(frame.columns), _FEWEST_ROWS)
        for begin in range(0, len(frame), n_rows):
            cells = [_cells(column) for _name, column in frame[begin : begin + n_rows].items()]
            yield "\n".join([*pc.binary_join_element_wise(*cells, ",").to_pylist(), ""])


def _cells(column: pd.Series) -> Any:
    """Return the texts of a column in CSV, as an Arrow array; those of the few different values are made once."""
    values: Any = column.array
    if isinstance(values, pd.Categorical):
        texts = _quoted_cells(pa.array(values.categories, pa.string())).take(
            pa.array(values.codes, mask=values.codes < 0)
        )
    elif column.dtype == np.float64:
        codes, bits = pd.factorize(column.to_numpy().view(np.int64))  # 0.0 and -0.0 are equal as numbers
        different = bits.view(np.float64)
        texts = pa.array(different.astype(str), mask=np.isnan(different)).take(pa.array(codes))
    elif column.dtype == np.bool_:
        texts = pa.array(np.where(column, "True", "False"))
    elif pd.api.types.is_integer_dtype(column.dtype):
        texts = pa.array(values).cast(pa.string())
    else:
        words = column.map(str, na_action="ignore").array if column.dtype == np.object_ else values
        texts = _quoted_cells(pa.array(words, pa.string(), from_pandas=True))
    return texts.fill_null("")


def _quoted_cells(texts: Any) -> Any:
    """Return an array of texts, with quotes around those that need them."""
    is_quoted = pc.match_substring_regex(texts, _QUOTED)
    if not pc.any(is_quoted).as_py():
        return texts
    return pc.if_else(
        is_quoted, pc.binary_join_element_wise('"', pc.replace_substring(texts, '"', '""'), '"', ""), texts
    )


def json_of(folder: Path) -> Iterator[str]:
    """Yield a tournament's definition and results as one JSON object, piece by piece, with a game per line at its end."""
    opened = folders.Folder.open(folder)
    manifest = opened.manifest
    pairs = pairs_frame(opened)
    head = {
        "tournament": {
            "id": manifest.id,
            "created": manifest.created,
            "versions": manifest.versions,
            **manifest.definition.to_json(),
            "labels": manifest.definition.labels,
        },
        "results": outcomes.read_results(opened).to_json(),
        "ratings": _ratings(opened) if len(pairs) else None,
        "pairs": plain(pairs.to_dict("records")),
    }
    yield f'{json.dumps(head, indent=2)[:-2]},\n  "games": [\n'
    separator = ""
    for game in _game_objects(opened):
        yield f"{separator}{json.dumps(plain(game))}"
        separator = ",\n"
    yield "\n  ]\n}\n"


def pgn_of(folder: Path) -> Iterator[str]:
    """Yield the games of a tournament of two players that count, in PGN without moves; the first seat has White.

    Raises:
        DataError: there is no tournament, or its ledger is damaged.
        PlayersError: the games are not of two players.
    """
    opened = folders.Folder.open(folder)
    manifest, definition = opened.manifest, opened.definition
    if definition.players != 2:
        raise PlayersError(
            f"PGN is for games of 2 players, and those in {str(folder)!r} have {definition.players}; export pairs instead"
        )
    seats = outcomes.counted_seats(opened)
    date = manifest.created[:10].replace("-", ".")
    for white, black in zip(*(_records(seats[seats["seat"] == seat]) for seat in (0, 1)), strict=True):
        lead = black["ordinal"] - white["ordinal"]
        result = "1-0" if lead > 0 else "0-1" if lead < 0 else "1/2-1/2"
        tags = {"Event": definition.game, "Site": "?", "Date": date, "Round": str(white["block"] + 1)}
        tags |= {"White": white["agent"], "Black": black["agent"], "Result": result, "GameId": white["game_id"]}
        lines = [f'[{name} "{_quoted(value)}"]\n' for name, value in tags.items()]
        yield f"{''.join(lines)}\n{result}\n\n"


def _ratings(folder: folders.Folder) -> dict[str, Any] | None:
    """Return the ratings, None where some agents have not met."""
    try:
        return outcomes.rate(folder).to_json()
    except DataError:
        return None


def _game_objects(folder: folders.Folder) -> Iterator[dict[str, Any]]:
    """Yield each game with a list of its seats."""
    games, seats = ledgers.read_ledger(folder)
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


#: Exports that compare agents.
OF_TWO: Final = ("crosstable", "pairs", "pgn")
#: The tables of a tournament in parts, by name of their export.
_FRAMES: Final[dict[str, Callable[[Path], Iterable[pd.DataFrame]]]] = {
    "crosstable": lambda folder: [crosstable_frame(folder)],
    "standings": lambda folder: [standings_frame(folder)],
    "pairs": lambda folder: [pairs_frame(folder)],
    "games": games_frames,
    "seats": seats_frames,
}


def _table_csv(name: str, folder: Path) -> Iterator[str]:
    return csv_of(_FRAMES[name](folder))


#: The exports of a tournament that are text, by name.
EXPORTS: Final[dict[str, Callable[[Path], Iterable[str]]]] = {
    **{name: partial(_table_csv, name) for name in _FRAMES},
    "standings": lambda folder: [texts.standings_csv(outcomes.read_results(folder).standings)],
    "json": json_of,
    "pgn": pgn_of,
}


def event_frames(folder: Path, what: str) -> pd.DataFrame:
    """Return a table of each event of an experiment that has begun, one below the other, with a first column event."""
    return below({name: pd.concat(_FRAMES[what](event)) for name, event in experiments.begun_events(folder).items()})


def below(frames: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return frames of events one below the other, with a first column event."""
    if not frames:
        return pd.DataFrame(columns=["event"])
    return pd.concat(frames, names=["event"]).reset_index("event").reset_index(drop=True)


def experiment_export(folder: Path, what: str) -> Iterator[str]:
    """Yield an export of an experiment that is text, piece by piece.

    Raises:
        DataError: there is no experiment, or a ledger is damaged.
        PlayersError: PGN is asked for, and an event is not of two players.
    """
    if what in _FRAMES:
        yield from csv_of([event_frames(folder, what)])
        return
    events = experiments.begun_events(folder)
    if what == "pgn":
        for event in events.values():
            yield from pgn_of(event)
        return
    found = plain(experiment.read_experiment_results(folder).to_json()["overall"])
    yield f'{{"overall": {json.dumps(found, indent=2)}, "events": {{'
    for at, (name, event) in enumerate(events.items()):
        yield f"{',' if at else ''}\n{json.dumps(name)}: "
        yield from json_of(event)
    yield "}}\n"


def action_lines(folder: Path, games: list[str] | None) -> Iterator[str]:
    """Yield games as lines of an action log, and report once if agents have to play."""
    return map(replays.log_line, _replays(folder, games))


def event_lines(folder: Path, games: list[str] | None) -> Iterator[str]:
    """Yield what happened in games, a JSON object per line and event, as `EventRows` has it; reports as `action_lines`."""
    for replay in _replays(folder, games):
        rows = EventRows()
        replay.follow([rows])
        for row in rows.rows:
            yield json.dumps({"game_id": replay.order.game_id, **row}) + "\n"


def _replays(folder: Path, games: list[str] | None) -> Iterator[replays.Replay]:
    """Yield games to be played again, and report once if agents have to."""
    is_told = False
    for replay in replays.replays_of(folder, games):
        if replay.recording is None and not is_told:
            click.echo("tag: agents play the games again whose actions were not recorded (--record-actions)", err=True)
            is_told = True
        yield replay
