"""Reading of a ledger: its shards, found by one look at its folder, as one table per kind, and its games.

Each game counts once, in schedule order.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from tag.errors import DataError
from tag.tournaments.designs.games import PLACE
from tag.tournaments.ledger import rows, storage
from tag.tournaments.ledger.identity import Binding, LedgerAgents, are_of_one
from tag.tournaments.ledger.parquet import UnfitFileError
from tag.tournaments.ledger.rows import GAMES, KINDS, MEASURES, TIMINGS, PlayedGame
from tag.tournaments.ledger.storage import MERGED
from tag.tournaments.statistics.intervals import Bools, Ints
from tag.tournaments.statistics.repeats import INDEPENDENT, Keys, keys_of

#: How often to read again when the ledger is merged while it is read.
_ATTEMPTS: Final = 5
#: The number of games that are data frames at the same time: some 10 MB of four-seat games.
GAMES_AT_ONCE: Final = 20_000
#: Tables of fewer games are joined.
_PIECE: Final = 65_536
#: The columns that keys of repeated games are made of.
COMPARED: Final = ("game", "agents", "seating", "state_hash", "void")


class Shards:
    """The shards of a ledger, as the last look at its folder found them.

    The process that writes the ledger notes what it adds and removes, and need not look again. Other processes see new games
    after `refresh`; shards that have been merged in between are found again when they are read.

    Attributes:
        folder: the ledger's.
        checked: the names of shards all of whose rows are known to be of the tournament.
    """

    def __init__(self, folder: Path, bind: Callable[[], Binding | None]) -> None:
        """Look for nothing yet; ``bind`` returns what the games must be of at present, None where that is not known."""
        self.folder = folder
        self._bind = bind
        self._binding: Binding | None = None
        self.checked: set[str] = set()
        self._paths: dict[str, list[Path]] = {}

    @property
    def binding(self) -> Binding | None:
        """The binding of the games, as it was when it was last asked for."""
        if self._binding is None:
            self._binding = self._bind()
        return self._binding

    def refresh(self) -> list[Path]:
        """Look at the folder again, and return the shards that are new, of all kinds."""
        known = {path.name for paths in self._paths.values() for path in paths}
        self._paths = storage.list_shards(self.folder)
        return [path for path in self.all() if path.name not in known]

    def of(self, kind: str) -> list[Path]:
        """Return the shards of ``kind`` in the order of arrival."""
        if not self._paths:
            self.refresh()
        return self._paths[kind]

    def kinds(self) -> list[str]:
        """Return the kinds of which there are shards, games first."""
        return [kind for kind in KINDS if self.of(kind)]

    def all(self) -> list[Path]:
        """Return the shards of all kinds, games first."""
        return [path for kind in KINDS for path in self.of(kind)]

    def add(self, paths: Mapping[str, Path]) -> None:
        """Note which shards this process has written, by kind; each is the last of its kind."""
        self._paths |= {kind: [*self.of(kind), path] for kind, path in paths.items()}

    def replace(self, kind: str, paths: list[Path]) -> None:
        """Note which shards of a ``kind`` this process has left."""
        self._paths[kind] = paths

    def table(
        self,
        kind: str,
        columns: Sequence[str] | None = None,
        *,
        in_one_piece: bool = False,
        numbers: Container[int] | None = None,
        every: int = 1,
    ) -> Any:
        """Return the rows of all shards of ``kind``, each game once, in schedule order; if asked for, only some columns.

        Columns are in several pieces unless asked for ``in_one_piece``, to be written. With ``numbers``, only the shards
        of these numbers are read; with ``every`` only the games of each so many-th block are kept.

        Raises:
            DataError: a shard is damaged, or of another tournament.
        """
        wanted = None if columns is None else list(dict.fromkeys([*PLACE, *columns]))
        tables = self._tables(kind, wanted, numbers, every)
        if not tables:
            empty = rows.SCHEMAS[kind].empty_table()
            return empty if wanted is None else empty.select(wanted)
        schema = _schema_of([table.schema for table in tables], self.folder, is_bound=self._binding is not None)
        whole = [pa.concat_tables([table if table.schema.equals(schema) else table.cast(schema) for table in tables])]
        tables.clear()  # so that a table is not kept twice
        return rows.in_schedule_order(whole.pop().replace_schema_metadata(schema.metadata), in_one_piece)

    def _tables(
        self, kind: str, columns: Sequence[str] | None, numbers: Container[int] | None, every: int
    ) -> list[Any]:
        """Return the tables of shards, read again where the ledger or the tournament changes in between."""
        for _attempt in range(_ATTEMPTS):
            paths = [path for path in self.of(kind) if numbers is None or storage.shard_number(path) in numbers]
            bound = self.binding if paths else None
            try:
                return list(_in_larger_pieces(_read(path, columns, bound, every) for path in paths))
            except FileNotFoundError:
                self.refresh()  # the shard has just been merged into another
            except UnfitFileError:
                self._binding = self._bind()
                if self._binding is bound:
                    raise  # otherwise the tournament has just been extended
        raise DataError(f"the ledger in {str(self.folder)!r} changes all the time; try again later")

    def in_order(self, kind: str, paths: Sequence[Path]) -> tuple[Any, Iterator[Any]]:
        """Return the schema of some shards of ``kind``, and their rows, each game once, in schedule order, in parts.

        Only shards with games of the blocks of a part are in memory.

        Raises:
            UnorderedError: a shard that is not read at once does not have its blocks in order; while parts are read.
            DataError: a shard is damaged, or of another tournament; then or at once.
        """
        schema = _schema_of([storage.schema_of(path) for path in paths], self.folder, is_bound=False)
        return schema, _windows([_Source(path, self.binding, schema) for path in paths])

    def merged_parts(
        self, columns: Sequence[str], of_timings: Sequence[str], n_games: int
    ) -> Iterator[tuple[Any, Any]]:
        """Yield the games of the merged shard, so many at a time, and the timings of these as far as they are known.

        Raises:
            DataError: a shard is damaged.
        """
        timings = self._merged_shard(TIMINGS, of_timings, n_games)
        rest = rows.SCHEMAS[TIMINGS].empty_table().select([*PLACE, *of_timings])
        for part in self._merged_shard(GAMES, columns, n_games):
            last = rows.place(part, len(part) - 1)
            while (not len(rest) or rows.place(rest, len(rest) - 1) < last) and (
                more := next(timings, None)
            ) is not None:
                rest = pa.concat_tables([rest, more]) if len(rest) else more
            known = bisect_right(range(len(rest)), last, key=partial(rows.place, rest))
            yield part, rest.slice(0, known)
            rest = rest.slice(known)

    def _merged_shard(self, kind: str, columns: Sequence[str], n_rows: int) -> Iterator[Any]:
        """Yield some columns of the merged shard of ``kind``, if there is one, so many rows at a time."""
        for path in self.of(kind)[:1]:
            if storage.shard_number(path) == MERGED:
                parts = storage.shard_parts(path, [*PLACE, *columns], n_rows, self.binding)
                yield from (part for part in parts if len(part))


class UnorderedError(DataError):
    """A large shard whose blocks are not in order, and which can be read at once."""


class _Source:
    """A shard that is read as far as blocks are needed.

    Attributes:
        n_rows: in the shard.
        first: the least block of the rows that are left.
        last: the greatest, as far as that is known.
        is_done: whether no rows are left.
    """

    def __init__(self, path: Path, binding: Binding | None, schema: Any) -> None:
        self.n_rows, self.first, self.last = storage.extent(path)
        self.is_done = False
        self._parts = storage.shard_parts(path, None, GAMES_AT_ONCE, binding)
        self._rest = schema.empty_table()
        self._path = path
        self._end = 0

    def before(self, end: int) -> Iterator[Any]:
        """Yield the rows of blocks before ``end``, of which those of earlier calls are left out."""
        while not self.is_done and self.first < end:
            is_before = pc.less(self._rest["block"], end)
            yield self._rest.filter(is_before)
            self._rest = self._rest.filter(pc.invert(is_before))
            if not len(self._rest):
                self._read()
            self.first = pc.min(self._rest["block"]).as_py() if len(self._rest) else end
            self.is_done = not len(self._rest)
        self._end = end

    def _read(self) -> None:
        """Read the next rows."""
        more = next(self._parts, self._rest)
        if len(more) and pc.min(more["block"]).as_py() < self._end:
            raise UnorderedError(f"{str(self._path)!r} does not have its blocks in order")
        self._rest = more.cast(self._rest.schema)


def _read(path: Path, columns: Sequence[str] | None, binding: Binding | None, every: int) -> Any:
    """Return the rows of a shard, of ``every`` so many-th block."""
    if every == 1:
        return storage.read_shard(path, columns, binding)
    parts = storage.shard_parts(path, columns, _PIECE, binding)
    return pa.concat_tables(part.filter(pa.array(part["block"].to_numpy() % every == 0)) for part in parts)


def _windows(sources: Sequence[_Source]) -> Iterator[Any]:
    """Yield the rows of shards in schedule order, those of some blocks at a time."""
    blocks = max(source.last for source in sources) - min(source.first for source in sources)
    end, step = 0, 1 + blocks * GAMES_AT_ONCE // max(sum(source.n_rows for source in sources), 1)
    while left := [source for source in sources if not source.is_done]:
        end = max(end, min(source.first for source in left)) + step
        parts = [part for source in left for part in source.before(end)]
        yield rows.in_schedule_order(pa.concat_tables(parts), in_one_piece=True)


def _in_larger_pieces(tables: Iterable[Any]) -> Iterator[Any]:
    """Yield the rows of tables, of which small ones that name the same are joined.

    Of a million games in a thousand shards, memory that the buffers of one column left was too scattered for the next.
    """
    small: list[Any] = []
    for table in tables:
        if small and (sum(map(len, small)) >= _PIECE or not table.schema.equals(small[0].schema, check_metadata=True)):
            yield _joined(small)
            small = []
        small.append(table)
    if small:
        yield _joined(small)


def _joined(tables: Sequence[Any]) -> Any:
    return tables[0] if len(tables) == 1 else pa.concat_tables(tables).combine_chunks()


def _schema_of(schemas: Sequence[Any], folder: Path, *, is_bound: bool) -> Any:
    """Return the schema of shards of one tournament, that with the most agents.

    Shards that name the same are not compared where ``is_bound``: each was found to be of the tournament.
    """
    different = list({tuple(sorted(schema.metadata.items())): schema for schema in schemas}.values())
    if is_bound and len(different) == 1:
        return different[0]
    longest = max(different, key=lambda schema: len(rows.entries_of(schema)))
    entries = rows.entries_of(longest)
    if not are_of_one(different) or any(entries[: len(fewer)] != fewer for fewer in map(rows.entries_of, different)):
        raise DataError(f"{str(folder)!r} holds shards of several tournaments; keep those of one")
    return longest


class LedgerGames:
    """The games of a ledger in schedule order, as columns; data frames are made of some games at a time.

    What belongs to them, as timings and faults, is of these games also where more have been played since.

    A million games of four seats are 0.2 GB as columns, and were 0.8 GB as frames.

    Attributes:
        table: of Arrow, with the columns that were asked for; see `tag.tournaments.ledger.rows`.
    """

    def __init__(self, shards: Shards, columns: Sequence[str] | None = None, every: int = 1) -> None:
        """Read some columns, all if none are named, of ``every`` so many-th block.

        Raises:
            DataError: a shard is damaged, or of another tournament.
        """
        self._shards = shards
        self._beside: Any = None
        self._every = every
        self._timed: Sequence[str] = (
            rows.TIMED if columns is None else ()
        )  # those with a value per seat, if all is to be read
        self.table = shards.table(GAMES, columns, every=every)

    def __len__(self) -> int:
        return len(self.table)

    def column(self, name: str) -> npt.NDArray[Any]:
        """Return a column that has one value per game, of shape (games,)."""
        values: npt.NDArray[Any] = self.table[name].to_numpy()
        return values

    def decisions(self) -> npt.NDArray[np.int64]:
        """Return the decisions of all agents in each game, of shape (games,)."""
        game, _seat, _n_seats = rows.seat_index(self.table["decisions"])
        return np.bincount(game, rows.flat(self.table["decisions"]), len(self)).astype(np.int64)

    def games_of_agents(self) -> npt.NDArray[np.int64]:
        """Return in how many games each agent has played, of shape (agents,)."""
        game, _seat, _n_seats = rows.seat_index(self.table["agents"])
        n = len(self.labels)
        distinct = np.unique(game * n + rows.flat(self.table["agents"]))
        return np.bincount(distinct % max(n, 1), minlength=n).astype(np.int64)

    def workers(self) -> npt.NDArray[np.str_]:
        """Return the worker that played each game, empty where it is not known, of shape (games,)."""
        return rows.workers(self.table, self._timings())

    def actions_digests(self) -> npt.NDArray[np.int64]:
        """Return the digest of the actions of each game, 0 where it is not known, of shape (games,)."""
        return rows.actions_digests(self.table, self._timings())

    def _timings(self) -> Any:
        """Return the columns of timings that are needed, read once until columns of games are dropped."""
        if self._beside is None:
            columns = ["worker", "actions_digest", *self._timed]
            self._beside = self._shards.table(TIMINGS, columns, every=self._every)
        return self._beside

    @cached_property
    def labels(self) -> list[str]:
        """The names of the agents by number."""
        return rows.labels_of(self.table.schema)

    @property
    def is_cooperative(self) -> bool:
        """Whether all players of every game are one team, as in co-operative games and those for a single player."""
        return rows.is_cooperative(self.table)

    def drop(self, columns: Sequence[str]) -> None:
        """Forget some columns, and give their memory back."""
        self.table, self._beside = self.table.drop_columns(columns), None
        pa.default_memory_pool().release_unused()

    def tables(self) -> list[Any]:
        """Return the table in parts of some thousand games, one at least, which share its memory."""
        return [self.table.slice(begin, GAMES_AT_ONCE) for begin in range(0, max(len(self.table), 1), GAMES_AT_ONCE)]

    def frames(self) -> Iterator[tuple[pd.DataFrame, pd.DataFrame]]:
        """Yield the frames of `read_ledger` for some thousand games at a time, without columns whose source is not there."""
        return map(frames_of_table, self.tables())

    def timed_seats(self, is_chosen: npt.NDArray[np.bool_] | None = None) -> Iterator[rows.TimedSeats]:
        """Return how long agents took, for the seats of some thousand games at a time; lost timings are left out.

        ``is_chosen``, of shape (games,), is for some of the games.
        """
        timings = self._timings() if self._timed else self._shards.table(TIMINGS, rows.TIMED, every=self._every)
        # They are asked for once, as a rule, and take half the memory of the games.
        self._beside, self._timed = None, ()
        games = self.table if is_chosen is None else self.table.filter(pa.array(is_chosen))
        return rows.timed_seats(games, timings, GAMES_AT_ONCE)

    def faults(self) -> pd.DataFrame:
        """Return `read_faults` for these games, with the columns ``game_id`` and ``faults``."""
        return rows.faults_frame(self.table, self._shards.table(TIMINGS, ["game_id", "messages"]))

    def measures(self) -> pd.DataFrame:
        """Return `read_measures` for these games, with the column ``game_id``."""
        return rows.measures_frame(rows.of_games(self._shards.table(MEASURES), self.table["game_id"]))

    def content_hash(self) -> str:
        """Return `content_hash`; all columns must be there."""
        return rows.digest_of(self.table)


def frames_of_table(table: Any) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the data frames of `read_ledger` of some games, without columns whose source ``table`` does not have."""
    return rows.games_frame(table), rows.seats_frame(table)


def frames_of(played: Sequence[PlayedGame], agents: LedgerAgents) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the data frames that `read_ledger` would of a ledger with these games, in the order given."""
    return frames_of_table(rows.table_of(GAMES, rows.columns_of(played, agents.game_of), agents.entries))


def keys_in(games: Any, digests: Ints) -> tuple[Keys, Ints]:
    """Return the key of each game of an Arrow table (`keys_of`), and the agents by seat, of shape (games, players).

    Void games have no key, nor have those whose digest of the actions is 0.
    """
    n_players = int(rows.lengths(games["agents"]).max(initial=1))
    agents = rows.flat(games["agents"]).reshape(-1, n_players)
    keys = np.zeros(len(games), np.uint64)
    (known,) = np.nonzero((digests != 0) & ~games["void"].to_numpy())
    if len(known):
        compared = games.select(["game", "state_hash"]).take(pa.array(known)).to_pydict()
        seatings = games["seating"].to_numpy().astype(np.int64)[known]
        keys[known] = keys_of(compared["game"], compared["state_hash"], digests[known], agents[known], seatings)
    return keys, agents


def with_keys(games: Any, keys: Keys, independent: Bools | None = None) -> Any:
    """Return an Arrow table of games with their keys as a column, and with another that tells which are independent.

    The latter is left out where all are.
    """
    games = games.append_column(rows.SAME, pa.array(keys.view(np.int64)))
    if independent is not None and not independent.all():
        games = games.append_column(INDEPENDENT, pa.array(independent))
    return games
