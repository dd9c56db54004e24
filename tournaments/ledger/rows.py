"""The rows of the ledger: Arrow schemas, and records and data frames of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cache, lru_cache, partial
from hashlib import blake2b
from itertools import accumulate, chain
from math import isnan, nan
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from tag.engine.results import DISQUALIFIED, DRAW, LOSE, ONGOING, TIMEOUT, WIN, result_name
from tag.engine.text_files import printable_values
from tag.errors import printable
from tag.orders import GameRecord
from tag.playing.faults import Fault
from tag.tournaments.designs.games import PLACE, Pairing, game_id_of, split_name
from tag.tournaments.statistics.intervals import Ints
from tag.tournaments.statistics.repeats import INDEPENDENT

if TYPE_CHECKING:
    from tag.tournaments.designs.games import GameFaults

#: Version of ``tournament.json`` and of the ledger's files. It changes when a column or a key changes its name, type or
#: meaning. Folders of another version are refused.
SCHEMA_VERSION: Final = 6


class PlayedGame(NamedTuple):
    """A game on its way to the ledger.

    Attributes:
        worker: the worker that played it, as in `tag.cluster.batches.PlayedBatch`; empty where unknown.
    """

    pairing: Pairing
    record: GameRecord
    worker: str = ""


#: Played games by column: each field of `Pairing`, each field of `GameRecord`, the worker, and the spec of the game type.
PlayedColumns = Mapping[str, Sequence[Any]]


class _Column(NamedTuple):
    """A column of the ledger, with the name of the column of played games that it is, or a function of them all."""

    field: Any
    of: str | Callable[[PlayedColumns], Sequence[Any]]


def _column(name: str, kind: Any, of: str | Callable[[PlayedColumns], Sequence[Any]] = "") -> _Column:
    """Return a column by its name and Arrow type, of the played games' column with the same name unless ``of`` says."""
    return _Column(_field(name, kind), of or name)


def _field(name: str, kind: Any) -> Any:
    return pa.field(name, kind, nullable=False)


def _list(kind: Any) -> Any:
    return pa.list_(_field("element", kind))


def _per_game(name: str, of: Callable[[Any], list[Any]]) -> Callable[[PlayedColumns], Sequence[Any]]:
    """Return the function that makes a list from each value of a column; empty values, which most are, cost nothing."""
    return lambda played: [of(value) if value else () for value in played[name]]


def _known_or_nan(name: str) -> Callable[[PlayedColumns], Sequence[Any]]:
    """Return the function that gives each seat its value of a column, nan in games in which it is not known."""
    return lambda played: [
        known or (nan,) * len(seconds) for known, seconds in zip(played[name], played["seconds"], strict=True)
    ]


#: The kinds of tables, each in files of its own.
GAMES: Final = "games"
TIMINGS: Final = "timings"
MEASURES: Final = "measures"
ACTIONS: Final = "actions"

_FAULT: Final = pa.struct([_field("kind", pa.string()), _field("seat", pa.int16()), _field("tick", pa.int32())])
_FORFEIT: Final = pa.struct([_field("seat", pa.int16()), _field("result", pa.int8())])

_KEY: Final = (
    _column("game_id", pa.string()),
    _column("block", pa.int32()),
    _column("matchup", pa.int32()),
    _column("seating", pa.int16()),
)
_COLUMNS: Final[dict[str, tuple[_Column, ...]]] = {
    # The results of a game; with deterministic budgets the same wherever and whenever it is played.
    GAMES: (
        *_KEY,
        _column("game", pa.string()),
        _column("seed", pa.int64()),
        _column("agents", _list(pa.int16())),
        _column("results", _list(pa.int8())),
        _column("ordinals", _list(pa.int16())),
        _column("teams", _list(pa.int16())),  # players with the same number win and lose together
        _column("scores", _list(pa.float64())),
        _column("decisions", _list(pa.int32())),
        _column("ticks", pa.int32()),
        _column("turns", pa.int32()),
        _column("rounds", pa.int32()),
        _column("state_hash", pa.string()),
        _column("void", pa.bool_()),
        _column(
            "faults",
            _list(_FAULT),
            _per_game(
                "faults",
                lambda faults: [{"kind": fault.kind, "seat": fault.player, "tick": fault.tick} for fault in faults],
            ),
        ),
    ),
    # Values that differ between two plays of the same game. Messages of faults may hold addresses and times. The digest of
    # the actions does not differ, and is no result.
    TIMINGS: (
        *_KEY,
        _column("worker", pa.string()),
        _column("seconds", _list(pa.float64())),
        _column("cpu_seconds", _list(pa.float64()), _known_or_nan("cpu_seconds")),
        _column("peak_mb", _list(pa.float64()), _known_or_nan("peak_mb")),  # of the processes of isolated agents
        _column("actions_digest", pa.int64()),  # of the sequence of all actions, 0 where it is not known
        _column(
            "messages", _list(pa.string()), _per_game("faults", lambda faults: [fault.message for fault in faults])
        ),
    ),
    # Values of metrics: by measure, as many as it has in the game, one measure after the other.
    MEASURES: (
        *_KEY,
        _column(
            "names", _list(pa.string()), _per_game("measures", lambda measures: [name for name, _values in measures])
        ),
        _column(
            "counts",
            _list(pa.int32()),
            _per_game("measures", lambda measures: [len(values) for _name, values in measures]),
        ),
        _column(
            "values",
            _list(pa.float64()),
            _per_game("measures", lambda measures: [one for _name, values in measures for one in values]),
        ),
    ),
    # Actions, by number among those available (`tag.playing.recording`), and the players that ended the game by a fault.
    ACTIONS: (
        *_KEY,
        _column("choices", _list(pa.int32())),
        _column(
            "forfeits",
            _list(_FORFEIT),
            _per_game("forfeits", lambda forfeits: [{"seat": seat, "result": result} for seat, result in forfeits]),
        ),
    ),
}
KINDS: Final = tuple(_COLUMNS)
_RECORD_FIELDS: Final = [one.name for one in fields(GameRecord)]
_record_fields: Final = attrgetter(*_RECORD_FIELDS)
SCHEMAS: Final = {kind: pa.schema([column.field for column in columns]) for kind, columns in _COLUMNS.items()}


def columns_of(games: Sequence[PlayedGame], game_of: Callable[[Pairing], str]) -> PlayedColumns:
    """Return played games by column, for `table_of`."""
    if not games:
        return dict.fromkeys((*Pairing._fields, *_RECORD_FIELDS, "worker", "game"), ())
    pairings, records, workers = zip(*games, strict=True)
    return {
        **dict(zip(_RECORD_FIELDS, zip(*map(_record_fields, records), strict=True), strict=True)),
        **dict(zip(Pairing._fields, zip(*pairings, strict=True), strict=True)),
        "worker": workers,
        "game": list(map(game_of, pairings)),
    }


def table_of(kind: str, played: PlayedColumns, entries: Sequence[str], identity: str = "") -> Any:
    """Return played games as a table of a ``kind``, which names its tournament if its ``identity`` is given."""
    columns = [_array(played[of] if isinstance(of, str) else of(played), field.type) for field, of in _COLUMNS[kind]]
    return pa.Table.from_arrays(columns, schema=described(SCHEMAS[kind], entries, identity))


def _array(values: Sequence[Any], kind: Any) -> Any:
    """Return an Arrow array; numbers go through numpy, which takes a third of the time of Arrow's own conversion."""
    if pa.types.is_list(kind):
        ends = np.fromiter(accumulate(map(len, values), initial=0), np.int32, len(values) + 1)
        if not ends[-1] or _is_number(kind.value_type):
            elements = _array(tuple(chain.from_iterable(values)), kind.value_type)
            return pa.ListArray.from_arrays(pa.array(ends), elements, kind)
    elif _is_number(kind):
        return pa.array(np.fromiter(values, kind.to_pandas_dtype(), len(values)))
    return pa.array(values, kind)


def _is_number(kind: Any) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def described(schema: Any, entries: Sequence[str], identity: str = "") -> Any:
    """Return ``schema`` with metadata that make a file self-contained: the version, the agents by number, the tournament."""
    about = {"schema_version": str(SCHEMA_VERSION), "agents": json.dumps(list(entries)), "tournament": identity}
    return schema.with_metadata(about)


def identity_of(schema: Any) -> str:
    """Return the identity of the tournament that `described` wrote, empty for a bare schema."""
    found: bytes = (schema.metadata or {}).get(b"tournament", b"")
    return found.decode("utf-8", "replace")


def entries_of(schema: Any) -> list[str]:
    """Return the agents that `described` wrote, none for a bare schema: a label each, or ``NAME=LABEL``."""
    return list(_entries_in((schema.metadata or {}).get(b"agents", b"[]")))


@lru_cache(maxsize=64)
def _entries_in(text: bytes) -> tuple[str, ...]:
    """Return the agents in the metadata of a file, which are the same in thousands of files."""
    return tuple(printable_values(json.loads(text)))


def labels_of(schema: Any) -> list[str]:
    """Return the names of the same agents, or else their labels."""
    return [name or label for name, label in map(split_name, entries_of(schema))]


def place(table: Any, row: int) -> tuple[int, ...]:
    """Return the place in the schedule of the game in a row of ``table``: block, match-up and seating."""
    return tuple(table[name][row].as_py() for name in PLACE)


def in_schedule_order(table: Any, in_one_piece: bool) -> Any:
    """Return each game of ``table`` once, the last to arrive, in schedule order.

    Columns are copied one by one, and only if need be: a caller that keeps no other reference to the table never has it
    twice.
    """
    schema, columns = table.schema, list(table.columns)
    key = np.zeros(len(table), dtype=np.int64)
    for name in PLACE:  # one after the other, as all at once are as much as a column of lists
        numbers = table[name].to_numpy()
        key *= int(numbers.max(initial=0)) + 1
        key += numbers
    is_ordered = (key[1:] > key[:-1]).all()
    if is_ordered and not in_one_piece:
        return table
    del table, numbers
    last = None if is_ordered else _last_of_each(key)
    # In a ledger that is extended nearly all rows stay where they are.
    n_stay = len(key) if last is None else int(np.argmin(np.append(last == np.arange(len(last)), False)))
    for number in range(len(columns)):
        column = columns[number]
        if last is not None:
            moved = one_piece(column.slice(n_stay)).take(pa.array(last[n_stay:] - n_stay))
            column = pa.chunked_array([*column.slice(0, n_stay).chunks, moved], column.type) if n_stay else moved
        columns[number] = one_piece(column)
        del column
    return pa.Table.from_arrays(columns, schema=schema)


def _last_of_each(key: Ints) -> Ints:
    """Return where each key is found for the last time, in the order of the keys."""
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    last: Ints = order[np.append(ordered[1:] != ordered[:-1], True)]
    return last


#: The columns of games that records have as they are.
_OF_RECORDS: Final = [
    one.name for one in fields(GameRecord) if one.name in SCHEMAS[GAMES].names and one.name != "faults"
]
#: The number of rows that are looked at at a time, of which there may be millions.
_ROWS: Final = 1_000


def records(games: Any, timings: Any, measures: Any) -> Iterator[tuple[tuple[int, int, int], GameRecord]]:
    """Yield the place of each game in the schedule, and its record."""
    beside = [_Beside(timings), _Beside(measures)]
    for batch in games.to_batches(max_chunksize=_ROWS):
        rows = batch.to_pylist()
        game_ids = [row["game_id"] for row in rows]
        for row, timing, measured in zip(rows, *(table.of(game_ids) for table in beside), strict=True):
            yield (row["block"], row["matchup"], row["seating"]), _record(row, timing, measured)


class _Beside:
    """The rows of another table about the same games, in the same order or in any other."""

    def __init__(self, table: Any) -> None:
        self._table = table
        self._row = {game_id: number for number, game_id in enumerate(table["game_id"].to_pylist())}

    def of(self, game_ids: list[str]) -> list[dict[str, Any] | None]:
        """Return the row of each game, None where it has none; one by one they would cost ten times as much."""
        numbers = [self._row.get(game_id) for game_id in game_ids]
        known = np.array([number for number in numbers if number is not None], dtype=np.int64)
        found = iter(self._table.take(known).to_pylist())
        return [None if number is None else next(found) for number in numbers]


def _record(row: dict[str, Any], timing: dict[str, Any] | None, measured: dict[str, Any] | None) -> GameRecord:
    messages = timing["messages"] if timing else [""] * len(row["faults"])
    faults = [
        Fault(fault["kind"], fault["seat"], fault["tick"], message)
        for fault, message in zip(row["faults"], messages, strict=True)
    ]
    own: dict[str, Any] = {name: tuple(row[name]) if isinstance(row[name], list) else row[name] for name in _OF_RECORDS}
    return GameRecord(
        **own,
        seconds=tuple(timing["seconds"]) if timing else (0.0,) * len(row["results"]),
        faults=faults,
        measures=_measures(measured) if measured else (),
        cpu_seconds=_known(timing["cpu_seconds"]) if timing else (),
        peak_mb=_known(timing["peak_mb"]) if timing else (),
        actions_digest=timing["actions_digest"] if timing else 0,
    )


def _known(values: list[float]) -> tuple[float, ...]:
    """Return a value per seat, none where unknown."""
    return () if any(map(isnan, values)) else tuple(values)


def _measures(row: dict[str, Any]) -> tuple[tuple[str, tuple[float, ...]], ...]:
    found, begin = [], 0
    for name, count in zip(row["names"], row["counts"], strict=True):
        found.append((name, tuple(row["values"][begin : begin + count])))
        begin += count
    return tuple(found)


#: Numbers of 64 bits without a sign.
Words = npt.NDArray[np.uint64]
#: The two hashes of a game begin with these (of pi and e), and are made of so many games at a time.
_SEEDS: Final = np.array([0x243F6A8885A308D3, 0xB7E151628AED2A6A], np.uint64)
_HASHED: Final = 16_384
_FACTOR: Final = np.uint64(0x9E3779B97F4A7C15)
_SHIFT: Final = np.uint64(29)
#: So often they are mixed once more, so that all bits of a sum depend on all of a game.
_LAST_ROUNDS: Final = 3

_RESULTS: Final = (WIN, DRAW, LOSE, TIMEOUT, DISQUALIFIED, ONGOING)
#: A column that tables of games have while they are read (`tag.tournaments.ledger.reading`), as `INDEPENDENT` is: a number
#: that is equal where games are the same, 0 where that is not known.
SAME: Final = "same"
_GAME_COLUMNS: Final = [*(field.name for field in SCHEMAS[GAMES] if not pa.types.is_list(field.type)), SAME]


def one_piece(column: Any) -> Any:
    """Return a column of a table, or an array, as one array."""
    whole = column if isinstance(column, pa.Array) else column.combine_chunks()
    return whole if isinstance(whole, pa.Array) else pa.concat_arrays(whole.chunks)


def flat(column: Any) -> Any:
    """Return the elements of a column of lists one after the other."""
    return one_piece(column).flatten().to_numpy(zero_copy_only=False)


def lengths(column: Any) -> Ints:
    """Return the length of every list in a column or an array of lists."""
    counts: Ints = pc.list_value_length(column).to_numpy().astype(np.int64)
    return counts


def seat_index(column: Any) -> tuple[Ints, Ints, int]:
    """Return the game's number and the position of every element of a column of lists, and the longest list's length."""
    counts = lengths(column)
    game = np.repeat(np.arange(len(counts)), counts)
    position = np.arange(len(game)) - np.repeat(np.cumsum(counts) - counts, counts)
    return game, position, int(counts.max(initial=0))


def is_cooperative(table: Any) -> bool:
    """Say whether all players of every game are one team, as in co-operative games and those for a single player."""
    n_seats = 0
    for begin in range(0, len(table), _ROWS):  # as a rule the first of them tell
        part = table["teams"].slice(begin, _ROWS)
        game, seat, _longest = seat_index(part)
        teams = flat(part)
        if (teams != teams[seat == 0][game]).any():
            return False
        n_seats += len(teams)
    return n_seats > 0


def seat_faults(column: Any, game: Ints, seat: Ints, n_seats: int) -> Ints:
    """Return the number of faults of every seat of every game."""
    if not lengths(column).any():
        return np.zeros(len(game), dtype=np.int64)
    faulty, _number, _longest = seat_index(column)
    whose = _fault_fields(column)["seat"].to_numpy().astype(np.int64)
    faults: Ints = np.bincount(faulty * n_seats + whose, minlength=len(column) * n_seats)[game * n_seats + seat]
    return faults


def games_frame(table: Any) -> pd.DataFrame:
    """Return one row per game, with the number of its faults; columns that ``table`` lacks are left out."""
    columns = [name for name in _GAME_COLUMNS if name in table.column_names]
    frame: pd.DataFrame = table.select(columns).to_pandas(categories=["game"] if "game" in columns else None)
    frame = frame.astype({name: np.int64 for name in frame.select_dtypes("integer").columns})
    frame["faults"] = lengths(table["faults"])
    return frame


def seat_columns(table: Any, names: Collection[str] | None = None) -> dict[str, Any]:
    """Return one value per seat of each game, by column: some columns, or all whose source ``table`` has.

    ``table`` has results and faults. Arrays are flat, and of the ledger's types: there are millions of seats, and new
    memory for them takes longer than arithmetic.
    """
    known = set(table.column_names)
    counts, results = lengths(table["results"]), flat(table["results"])
    seats = cache(partial(seat_index, table["results"]))
    code = np.array([_RESULTS.index(value) for value in range(min(_RESULTS), max(_RESULTS) + 1)])
    columns: dict[str, tuple[str, Callable[[], Any]]] = {
        "game_id": ("game_id", lambda: game_ids(table, seats()[0])),
        **{name: (name, partial(_of_games, table[name], counts)) for name in (*PLACE, INDEPENDENT) if name in known},
        "seat": ("results", lambda: seats()[1]),
        "agent": ("agents", lambda: _labelled(flat(table["agents"]), labels_of(table.schema))),
        "agent_index": ("agents", lambda: flat(table["agents"])),
        "result": (
            "results",
            lambda: pd.Categorical.from_codes(
                code[results - min(_RESULTS)],
                categories=pd.Index([result_name(value) for value in _RESULTS], dtype=str),
            ),
        ),
        "win": ("results", lambda: results == WIN),
        "points": ("results", lambda: _points(results, counts)),
        "ordinal": ("ordinals", lambda: flat(table["ordinals"])),
        "team": ("teams", lambda: flat(table["teams"])),
        "score": ("scores", lambda: flat(table["scores"])),
        "decisions": ("decisions", lambda: flat(table["decisions"])),
        "faults": ("faults", lambda: seat_faults(table["faults"], *seats())),
    }
    wanted = columns.keys() if names is None else names
    return {name: values() for name, (source, values) in columns.items() if source in known and name in wanted}


def seats_frame(table: Any) -> pd.DataFrame:
    """Return one row per seat of each game, without columns whose source ``table`` lacks; results are there."""
    frame = pd.DataFrame(seat_columns(table), copy=False)
    return frame.astype({name: np.int64 for name in frame.select_dtypes("integer").columns})


def _of_games(column: Any, counts: Ints) -> Any:
    """Return the numbers of the games with so many seats, for each of their seats."""
    return np.repeat(column.to_numpy(), counts)


def _labelled(agents: Ints, labels: Sequence[str]) -> pd.Categorical:
    """Return the labels of agents given by number; in studies an opponent and the tuned agent may have the same one."""
    codes, names = pd.factorize(np.array(labels, dtype=object))
    return pd.Categorical.from_codes(codes[agents], categories=pd.Index(names, dtype=str))


def _points(results: npt.NDArray[np.int8], counts: Ints) -> npt.NDArray[np.float64]:
    """Return 1/k for each of the k winners of a game or, without a winner, for each of the k who drew."""
    if not len(counts):
        return np.zeros(0)
    begins = np.cumsum(counts) - counts
    has_won, has_drawn = results == WIN, results == DRAW
    winners, drawers = (np.add.reduceat(are.view(np.int8), begins) for are in (has_won, has_drawn))
    is_sharing = np.where(np.repeat(winners > 0, counts), has_won, has_drawn)
    shares = 1.0 / np.maximum(np.where(winners > 0, winners, drawers), 1)
    points: npt.NDArray[np.float64] = is_sharing * np.repeat(shares, counts)
    return points


def timings_frame(table: Any) -> pd.DataFrame:
    """Return one row per seat of each game, with the worker as a category."""
    game, seat, _longest = seat_index(table["seconds"])
    worker = one_piece(table["worker"]).dictionary_encode()
    return pd.DataFrame(
        {
            "game_id": game_ids(table, game),
            "seat": seat,
            "seconds": flat(table["seconds"]),
            "cpu_seconds": flat(table["cpu_seconds"]),
            "peak_mb": flat(table["peak_mb"]),
            "worker": pd.Categorical.from_codes(
                worker.indices.to_numpy()[game], categories=pd.Index(_names(worker), dtype=str)
            ),
        }
    )


def _names(encoded: Any) -> list[str]:
    """Return the texts of a dictionary-encoded column; those of workers may come from another machine."""
    return list(map(printable, encoded.dictionary.to_pylist()))


class TimedSeats(NamedTuple):
    """The seats of games whose timings are known; arrays of shape (seats,), nan where a value is not known."""

    agents: npt.NDArray[np.int16]
    decisions: npt.NDArray[np.int32]
    seconds: npt.NDArray[np.float64]
    cpu_seconds: npt.NDArray[np.float64]
    peak_mb: npt.NDArray[np.float64]


#: The columns of timings that `timed_seats` needs: those with a value per seat.
TIMED: Final = TimedSeats._fields[2:]


def timed_seats(games: Any, timings: Any, n_games: int) -> Iterator[TimedSeats]:
    """Yield the seats of so many games at a time that are in both tables, each in schedule order."""
    played, timed = games.select(["agents", "decisions"]), timings.select(TIMED)
    chosen = _in_both(games, timings)
    if chosen is not None:
        played, timed = (table.take(pa.array(rows)) for table, rows in zip((played, timed), chosen, strict=True))
    for begin in range(0, len(played), n_games):
        agents, decisions = map(flat, played.slice(begin, n_games).columns)
        yield TimedSeats(agents, decisions, *map(flat, timed.slice(begin, n_games).columns))


def workers(games: Any, timings: Any) -> npt.NDArray[np.str_]:
    """Return the worker that played each game, of shape (games,), empty where it is not known."""
    encoded = one_piece(timings["worker"]).dictionary_encode()
    codes = _of_each(games, timings, encoded.indices.to_numpy() + 1)
    found: npt.NDArray[np.str_] = np.array(["", *_names(encoded)], dtype=np.str_)[codes]
    return found


def actions_digests(games: Any, timings: Any) -> Ints:
    """Return the digest of the actions of each game, of shape (games,), 0 where it is not known."""
    return _of_each(games, timings, timings["actions_digest"].to_numpy())


def of_same_games(games: Any, others: Any) -> Any:
    """Return the rows of another table that are of games."""
    chosen = _in_both(games, others)
    return others if chosen is None else others.take(pa.array(chosen[1]))


def _of_each(games: Any, others: Any, values: Ints) -> Ints:
    """Return the value of each game, given those of the rows of another table; 0 where it has none."""
    chosen = _in_both(games, others)
    if chosen is None:
        return values
    found = np.zeros(len(games), dtype=np.int64)
    found[chosen[0]] = values[chosen[1]]
    return found


def _in_both(games: Any, others: Any) -> tuple[Ints, Ints] | None:
    """Return the rows of games that are in both tables, each in schedule order; None where all are the same."""
    if all(np.array_equal(games[name].to_numpy(), others[name].to_numpy()) for name in PLACE):
        return None
    place, other = (np.stack([table[name].to_numpy().astype(np.int64) for name in PLACE]) for table in (games, others))
    sizes = np.maximum(place.max(axis=1, initial=0), other.max(axis=1, initial=0)) + 1
    codes, other_codes = (np.ravel_multi_index(tuple(places), tuple(sizes)) for places in (place, other))
    _both, rows, other_rows = np.intersect1d(codes, other_codes, assume_unique=True, return_indices=True)
    return rows, other_rows


def faults_frame(games: Any, timings: Any) -> pd.DataFrame:
    """Return one row per fault, with its message from ``timings`` if it is there."""
    game, number, _longest = seat_index(games["faults"])
    fields = _fault_fields(games["faults"])
    frame = pd.DataFrame(
        {
            "game_id": game_ids(games, game),
            "number": number,
            "seat": fields["seat"].to_numpy().astype(np.int64),
            "tick": fields["tick"].to_numpy().astype(np.int64),
            "kind": fields["kind"].to_pandas(),
        }
    )
    game, number, _longest = seat_index(timings["messages"])
    message = one_piece(timings["messages"]).flatten().to_pandas()
    messages = pd.DataFrame({"game_id": game_ids(timings, game), "number": number, "message": message})
    merged = frame.merge(messages, how="left", on=["game_id", "number"]).drop(columns="number")
    merged["message"] = merged["message"].fillna("").map(printable)
    return merged


def has_faults(table: Any) -> bool:
    """Say whether any game of ``table`` has faults."""
    return any(len(part.flatten()) for part in table["faults"].chunks)


def faults_by_game(tables: Iterable[Any]) -> dict[str, GameFaults]:
    """Return the faults of each faulty game of ``tables``, by game; the last table counts."""
    found: dict[str, GameFaults] = {}
    for table in filter(has_faults, tables):
        is_faulty = pc.greater(pc.list_value_length(table["faults"]), 0)
        for row in table.select([*PLACE, "agents", "faults"]).filter(is_faulty).to_pylist():
            game_id = game_id_of(*(row[name] for name in PLACE))
            found[game_id] = [(row["agents"][fault["seat"]], fault["kind"]) for fault in row["faults"]]
    return found


def of_games(table: Any, game_ids: Any) -> Any:
    """Return the rows of ``table`` of games with some ids, given as a column."""
    return table.filter(pc.is_in(table["game_id"], one_piece(game_ids)))


def measures_frame(table: Any) -> pd.DataFrame:
    """Return one row per value, with game and measure as categories: there are thousands of values in a game."""
    game, _position, _longest = seat_index(table["names"])
    counts = flat(table["counts"]).astype(np.int64)
    names, measure = np.unique(flat(table["names"]).astype(str), return_inverse=True)
    ids = pd.Index(table["game_id"].to_numpy(), dtype=str)
    begins = np.cumsum(counts) - counts
    return pd.DataFrame(
        {
            "game_id": pd.Categorical.from_codes(np.repeat(game, counts), categories=ids),
            "measure": pd.Categorical.from_codes(np.repeat(measure, counts), categories=pd.Index(names, dtype=str)),
            "number": np.arange(counts.sum()) - np.repeat(begins, counts),
            "value": flat(table["values"]).astype(np.float64),
        }
    )


def actions_frame(table: Any) -> pd.DataFrame:
    """Return one row per action, with the game as a category: there are hundreds of actions in a game."""
    game, tick, _longest = seat_index(table["choices"])
    ids = pd.Index(table["game_id"].to_numpy(), dtype=str)
    choice = flat(table["choices"]).astype(np.int64)
    return pd.DataFrame({"game_id": pd.Categorical.from_codes(game, categories=ids), "tick": tick, "choice": choice})


def game_ids(table: Any, game: Ints) -> Any:
    """Return the ids of the games in these rows of ``table``, as strings of pandas."""
    return table["game_id"].take(pa.array(game)).to_pandas()


def _fault_fields(column: Any) -> dict[str, Any]:
    """Return the fields of all faults in a column, each as one array."""
    faults = one_piece(column).flatten()
    names = [field.name for field in faults.type]
    return dict(zip(names, faults.flatten(), strict=True))


def digest_of(table: Any) -> str:
    """Return 32 hexadecimal digits for the contents of a table of games, independent of their order and of its chunks."""
    return digest_of_sums(hash_sums(table), entries_of(table.schema))


def digest_of_sums(sums: Words, entries: Sequence[str]) -> str:
    """Return the digest of games with these `hash_sums`, between the agents of a ledger."""
    labels = [split_name(entry)[1] for entry in entries]  # no game depends on names
    return blake2b("\n".join(labels).encode() + sums.astype("<u8").tobytes(), digest_size=16).hexdigest()


def hash_sums(table: Any) -> Words:
    """Return the sums, modulo 2**64, of two hashes of each game of a table, of shape (2,); they add up over tables."""
    sums = np.zeros(2, np.uint64)
    for begin in range(0, len(table), _HASHED):
        part = table.slice(begin, _HASHED)
        hashes = np.repeat(_SEEDS[:, None], len(part), axis=1)
        for name in SCHEMAS[GAMES].names:
            hashes = _with_values(hashes, one_piece(part[name]))
        for _round in range(_LAST_ROUNDS):
            hashes = _mixed(hashes, np.uint64(0))
        sums += hashes.sum(axis=1)
    return sums


def _with_values(hashes: Words, values: Any) -> Words:
    """Return hashes, of shape (2, rows), that depend also on the value of an array in each row."""
    if not pa.types.is_list(values.type):
        for words in _words(values):
            hashes = _mixed(hashes, words)
        return hashes
    counts, elements = lengths(values), list(_words(values.flatten()))
    begins = np.cumsum(counts) - counts
    hashes = _mixed(hashes, counts.astype(np.uint64))
    for place in range(int(counts.max(initial=0))):
        there = np.nonzero(counts > place)[0] if place >= counts.min() else slice(None)
        for words in elements:
            hashes[:, there] = _mixed(hashes[:, there], words[begins[there] + place])
    return hashes


def _mixed(hashes: Words, words: Any) -> Words:
    """Return hashes that depend on former ones and on further words; no other code mixes so, as ledgers' digests stay."""
    found: Words = (hashes ^ words) * _FACTOR
    return found ^ (found >> _SHIFT)


def _words(values: Any) -> Iterator[Words]:
    """Yield the values of an array as 64 bits each; those of a structure field by field."""
    if pa.types.is_struct(values.type):
        for field in values.flatten():
            yield from _words(field)
    elif pa.types.is_string(values.type):
        yield _hashed_texts(values)
    else:
        numbers = values.to_numpy(zero_copy_only=False)
        yield numbers.astype(np.float64 if pa.types.is_floating(values.type) else np.int64).view(np.uint64)


def _hashed_texts(texts: Any) -> Words:
    """Return a hash of each text: of its length, and of eight bytes at a time."""
    _validity, offsets, data = texts.buffers()
    ends = np.frombuffer(offsets or bytes(4), np.int32)[texts.offset : texts.offset + len(texts) + 1]
    counts, characters = np.diff(ends), np.frombuffer(data or b"", np.uint8)
    hashes = counts.astype(np.uint64)
    for length in np.unique(counts).tolist():
        (there,) = np.nonzero(counts == length)
        padded = np.zeros((len(there), -(-length // 8) * 8), np.uint8)
        padded[:, :length] = characters[ends[there, None] + np.arange(length)]
        for words in padded.view("<u8").T:
            hashes[there] = _mixed(hashes[there], words)
    return hashes
