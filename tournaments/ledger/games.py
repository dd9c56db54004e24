"""The ledger: the append-only record of a tournament's games, in Parquet."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from hashlib import blake2b
from math import inf
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from tag.errors import DataError
from tag.orders import GameRecord
from tag.tournaments.designs.agents import split_name
from tag.tournaments.designs.schedule import PLACE, Pairing, PlayedGames, Schedule
from tag.tournaments.designs.stopping import Breaker, Charges, judged
from tag.tournaments.ledger import rows, storage
from tag.tournaments.ledger.folder import MANIFEST, read_manifest
from tag.tournaments.ledger.identity import Binding, LedgerPlan, Roster, are_of_one
from tag.tournaments.ledger.parquet import UnfitFileError
from tag.tournaments.ledger.rows import ACTIONS, GAMES, KINDS, MEASURES, TIMINGS, PlayedGame, records
from tag.tournaments.ledger.storage import MERGED, DamagedShardError

# --- shards as one table per kind, with each game once and in schedule order ------------------------------------------


FOLDER: Final = "ledger"
#: How often to read again when the ledger is merged while it is read.
_ATTEMPTS: Final = 5


def ledger_folder(path: Path | str) -> Path:
    """Return the folder of the shards.

    Args:
        path: the folder of a tournament or study, or its ledger's.

    Raises:
        DataError: there is no ledger.
    """
    folder = Path(path)
    if (folder / FOLDER).is_dir() or (folder / MANIFEST).is_file():
        return folder / FOLDER
    if folder.is_dir() and (folder.name == FOLDER or storage.list_shards(folder, GAMES)):
        return folder
    raise DataError(f"{str(path)!r} holds no ledger; name the folder of a tournament")


def merged(
    folder: Path,
    kind: str,
    columns: Sequence[str] | None = None,
    *,
    in_one_piece: bool = False,
    numbers: Container[int] | None = None,
    binding: Binding | None = None,
) -> Any:
    """Return the rows of all shards of ``kind``, each game once, in schedule order; if asked for, only some columns.

    Columns are in several pieces unless asked for ``in_one_piece``, to be written. With ``numbers``, only the shards of
    these numbers are read. The games must be those of ``binding``; by default of the tournament whose ledger it is.

    Raises:
        DataError: a shard is damaged, or of another tournament.
    """
    wanted = None if columns is None else list(dict.fromkeys([*PLACE, *columns]))
    tables = _tables(folder, kind, wanted, numbers, binding)
    if not tables:
        empty = rows.SCHEMAS[kind].empty_table()
        return empty if wanted is None else empty.select(wanted)
    schemas = {table.schema.metadata[b"agents"]: table.schema for table in tables}.values()
    schema = max(schemas, key=lambda schema: len(rows.entries_of(schema)))
    entries = rows.entries_of(schema)
    are_of_one_list = all(entries[: len(fewer)] == fewer for fewer in map(rows.entries_of, schemas))
    if not are_of_one_list or not are_of_one(table.schema for table in tables):
        raise DataError(f"{str(folder)!r} holds shards of several tournaments; keep those of one")
    whole = [pa.concat_tables([table if table.schema.equals(schema) else table.cast(schema) for table in tables])]
    tables.clear()
    return rows.in_schedule_order(whole.pop().replace_schema_metadata(schema.metadata), in_one_piece)


def _tables(
    folder: Path,
    kind: str,
    columns: Sequence[str] | None,
    numbers: Container[int] | None,
    binding: Binding | None,
) -> list[Any]:
    """Return the tables of shards, read again where the ledger or the tournament changes in between."""
    for _attempt in range(_ATTEMPTS):
        paths = storage.list_shards(folder, kind)
        bound = binding or (binding_of(folder) if paths else None)
        try:
            return [
                storage.read_shard(path, columns, bound)
                for path in paths
                if numbers is None or storage.shard_number(path) in numbers
            ]
        except FileNotFoundError:
            continue  # the shard has just been merged into another
        except UnfitFileError:
            if binding is not None or binding_of(folder) is bound:
                raise  # otherwise the tournament has just been extended
    raise DataError(f"the ledger in {str(folder)!r} changes all the time; try again later")


def binding_of(folder: Path) -> Binding | None:
    """Return what the shards in ``folder`` must be of: the tournament in the folder above; None where there is none.

    Raises:
        DataError: its definition is damaged, or of a newer version.
    """
    try:
        about = (folder.parent / MANIFEST).stat()
    except OSError:
        return None
    return _binding(folder.parent, about.st_mtime_ns, about.st_size, about.st_ino)


@lru_cache(maxsize=16)
def _binding(folder: Path, _changed: int, _size: int, _file: int) -> Binding:
    manifest = read_manifest(folder)
    return Binding(manifest.definition, manifest.versions, manifest.sources)


def merged_parts(
    folder: Path, columns: Sequence[str], of_timings: Sequence[str], n_games: int
) -> Iterator[tuple[Any, Any]]:
    """Yield the games of the merged shard, so many at a time, and the timings of these as far as they are known.

    Raises:
        DataError: a shard is damaged.
    """
    timings = _merged_shard(folder, TIMINGS, of_timings, n_games)
    rest = rows.SCHEMAS[TIMINGS].empty_table().select([*PLACE, *of_timings])
    for part in _merged_shard(folder, GAMES, columns, n_games):
        last = rows.place(part, len(part) - 1)
        while (not len(rest) or rows.place(rest, len(rest) - 1) < last) and (more := next(timings, None)) is not None:
            rest = pa.concat_tables([rest, more]) if len(rest) else more
        known = bisect_right(range(len(rest)), last, key=partial(rows.place, rest))
        yield part, rest.slice(0, known)
        rest = rest.slice(known)


def _merged_shard(folder: Path, kind: str, columns: Sequence[str], n_rows: int) -> Iterator[Any]:
    """Yield some columns of the merged shard of ``kind``, if there is one, so many rows at a time."""
    for path in storage.list_shards(folder, kind)[:1]:
        if storage.shard_number(path) == MERGED:
            parts = storage.shard_parts(path, [*PLACE, *columns], n_rows, binding_of(folder))
            yield from (part for part in parts if len(part))


def digest_of(table: Any) -> str:
    """Return 32 hexadecimal digits for the contents of a merged table, independent of its chunks."""
    labels = [split_name(entry)[1] for entry in rows.entries_of(table.schema)]  # no game depends on names
    digest = blake2b("\n".join(labels).encode(), digest_size=16)
    for name in table.column_names:
        digest.update(name.encode())
        _feed(digest, rows.one_piece(table[name]))
    return digest.hexdigest()


def _feed(digest: blake2b, array: Any) -> None:
    """Put the values of an array into ``digest``, independent of its buffers."""
    if pa.types.is_list(array.type):
        digest.update(rows.lengths(array).tobytes())
        _feed(digest, array.flatten())
    elif pa.types.is_struct(array.type):
        for field in array.flatten():
            _feed(digest, field)
    elif pa.types.is_string(array.type):
        digest.update(pc.binary_length(array).to_numpy().tobytes())
        _validity, offsets, data = array.buffers()
        if data is not None:
            begin, end = np.frombuffer(offsets, np.int32)[[array.offset, array.offset + len(array)]]
            digest.update(memoryview(data)[begin:end])
    else:
        digest.update(array.to_numpy(zero_copy_only=False).tobytes())


# --- the ledger: the append-only record of a tournament's games, in Parquet -------------------------------------------
#
# ``docs/ledger.md`` describes the files and the data frames. Only the process that holds the tournament's folder writes
# (`Ledger`); any process may read at any time. A game counts once, even if it is in the files several times.


_LOSSES: Final = {
    GAMES: "its games will be played again",
    TIMINGS: "the seconds in it are lost",
    MEASURES: "its games are measured again, if the agents are deterministic",
    ACTIONS: "the actions of its games are played again, if the agents are deterministic",
}
_CHARGES: Final = ["agents", "faults"]
#: The number of games whose actions are Python lists at the same time.
_ROWS_AT_ONCE: Final = 1_000
#: The number of games that are data frames at the same time: some 10 MB of four-seat games.
GAMES_AT_ONCE: Final = 20_000


class Ledger:
    """The ledger of a tournament or study; one process at a time writes it.

    Attributes:
        folder: the tournament's.
        quarantined: a sentence for each damaged shard that was found and set aside; its games count as not played.
    """

    def __init__(self, folder: Path, plan: LedgerPlan, binding: Binding | None = None) -> None:
        """Open the ledger in a tournament's ``folder``, or begin it, and check all its files.

        Args:
            folder: the tournament's.
            plan: of its games.
            binding: the identity that its shards name; by default of the plan and the folder's manifest, if it has one.

        Raises:
            DataError: a shard has a newer version of the schema.
        """
        self.folder = folder
        self._plan = plan
        self._shards = folder / FOLDER
        self._shards.mkdir(parents=True, exist_ok=True)
        known = binding_of(self._shards)
        self._binding = binding or (Binding(plan, known.versions, known.sources) if known else Binding(plan))
        storage.remove_leftovers(self._shards)
        self.quarantined = [sentence for kind in KINDS for sentence in self._check(kind)]
        self._next = storage.next_number(self._shards)

    @property
    def n_agents(self) -> int:
        """The number of agents known so far."""
        return len(self._plan.entries)

    def history(self) -> tuple[PlayedGames, dict[str, Charges]]:
        """Return the games in the ledger, and the faults of faulty games by id."""
        places, charges = [], dict[str, Charges]()
        for path in storage.list_shards(self._shards, GAMES):
            table = storage.read_shard(path, [*PLACE, *_CHARGES], self._binding)
            places.append(table.select(PLACE))
            charges.update(rows.charges([table]))
        return PlayedGames(places), charges

    def append(self, played: Sequence[PlayedGame]) -> None:
        """Write the records of games; when this returns, they survive any crash.

        Timings, measures and actions go first, so that games in the ledger have theirs.
        """
        if not played:
            return
        columns = rows.columns_of(played, self._plan.game_of)
        for kind in (TIMINGS, *self._wanted, GAMES):
            self._write(kind, columns)
        self._next += 1

    def append_lost(self, kind: str, played: Sequence[PlayedGame]) -> None:
        """Write the rows of one ``kind`` of games that are in the ledger already."""
        if played:
            self._write(kind, rows.columns_of(played, self._plan.game_of))
            self._next += 1

    def lacking(self, kind: str) -> list[str]:
        """Return the ids of games whose actions or measures should be there and are missing, in the order of arrival."""
        if kind not in self._wanted:
            return []
        played, known = (
            [
                game_id
                for path in storage.list_shards(self._shards, one)
                for game_id in storage.read_shard(path, ["game_id"], self._binding)["game_id"].to_pylist()
            ]
            for one in (GAMES, kind)
        )
        there = set(known)
        return [game_id for game_id in dict.fromkeys(played) if game_id not in there]

    @property
    def _wanted(self) -> list[str]:
        """The kinds of rows that each game has, beside its results and timings."""
        return [*([MEASURES] if self._plan.metrics else []), *([ACTIONS] if self._plan.record_actions else [])]

    def compact(
        self, schedule: Schedule, blocks: int | None = None, without: Mapping[str, Pairing] = MappingProxyType({})
    ) -> bool:
        """Merge all shards into one of each kind, in schedule order, if every game of ``schedule`` has been played.

        With ``blocks``, of its first blocks; games of later ones, played before a test was decided, are dropped. Games
        ``without`` which it is merged, by id, are not required, and are dropped too.

        The games' shard is then the same to the bit, independent of workers and interruptions. Being killed on the way
        loses nothing: the merged shards are written before the others are removed.

        Returns:
            Whether every game has been played.

        Raises:
            DataError: a shard has been damaged since the ledger was opened.
        """
        counted = schedule.blocks if blocks is None else blocks
        games = [_left(self._merged(GAMES), counted, without)]
        missing = sum(pairing.block < counted for pairing in without.values())
        if len(games[0]) != len(schedule) * counted // schedule.blocks - missing:
            return False
        self._replace(GAMES, games.pop())  # so that it is gone when the next is read
        for kind in (TIMINGS, MEASURES, ACTIONS):
            self._replace(kind, _left(self._merged(kind), counted, without))
        pa.default_memory_pool().release_unused()
        return True

    def merge(self, without: Collection[str] = ()) -> None:
        """Merge all shards into one of each kind, in schedule order, and drop the games of some ids."""
        for kind in KINDS:
            self._replace(kind, rows.without(self._merged(kind), without))

    def _write(self, kind: str, played: rows.PlayedColumns) -> None:
        found = rows.table_of(kind, played, self._plan.entries, self._binding.text)
        self._binding.note(storage.write_shard(self._shards, kind, self._next, found).name)

    def _merged(self, kind: str) -> Any:
        return merged(self._shards, kind, in_one_piece=True, binding=self._binding)

    def _check(self, kind: str) -> list[str]:
        """Set shards aside that are damaged or not of this tournament, and report them."""
        sentences: list[str] = []
        for path in storage.list_shards(self._shards, kind):
            try:
                storage.check_shard(path, self._binding)
            except (DamagedShardError, UnfitFileError) as error:
                aside = str(storage.set_aside(path).parent)
                if isinstance(error, UnfitFileError):
                    sentences.append(f"{path.name} {error.reason} and is now in {aside!r}; nothing in it counts")
                else:
                    sentences.append(f"{path.name} was damaged and is now in {aside!r}; {_LOSSES[kind]}")
        return sentences

    def _replace(self, kind: str, table: Any) -> None:
        """Put one merged shard of the present version in the place of all shards of ``kind``."""
        paths = storage.list_shards(self._shards, kind)
        identity = self._binding.text
        is_merged = [storage.shard_number(path) for path in paths] == [MERGED] and storage.is_current(
            paths[0], identity
        )
        if not paths or (is_merged and pq.read_metadata(paths[0]).num_rows == len(table)):
            return
        named = table.replace_schema_metadata(
            rows.described(table.schema, rows.entries_of(table.schema), identity).metadata
        )
        merged = storage.write_shard(self._shards, kind, MERGED, named)
        self._binding.note(merged.name)
        for path in paths:
            if path != merged:
                path.unlink()


def read_ledger(path: Path | str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the games, and the seats of the games, of the tournament in ``path``, both in schedule order.

    The columns are listed in ``docs/ledger.md``. The path is a tournament's folder or its ledger's, here and below.

    Raises:
        DataError: there is no ledger, or a shard of it is damaged; so do all functions below.
    """
    return frames_of_table(merged(ledger_folder(path), GAMES))


def frames_of(played: Sequence[PlayedGame], roster: Roster) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the data frames that `read_ledger` would of a ledger with these games, in the order given."""
    return frames_of_table(rows.table_of(GAMES, rows.columns_of(played, roster.game_of), roster.entries))


class LedgerGames:
    """The games of a ledger in schedule order, as columns; data frames are made of some games at a time.

    What belongs to them, as timings and faults, is of these games also where more have been played since.

    A million games of four seats are 0.2 GB as columns, and were 0.8 GB as frames.

    Attributes:
        table: of Arrow, with the columns that were asked for; see `tag.tournaments.ledger.rows`.
    """

    def __init__(self, path: Path | str, columns: Sequence[str] | None = None) -> None:
        """Read some columns, all if none are named.

        Raises:
            DataError: there is no ledger, or a shard of it is damaged.
        """
        self._folder = ledger_folder(path)
        self.table = merged(self._folder, GAMES, columns)

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
        timings = merged(self._folder, TIMINGS, ["worker"])
        return rows.workers(self.table, timings)

    def actions_digests(self) -> npt.NDArray[np.int64]:
        """Return the digest of the actions of each game, 0 where it is not known, of shape (games,)."""
        timings = merged(self._folder, TIMINGS, ["actions_digest"])
        return rows.actions_digests(self.table, timings)

    @property
    def labels(self) -> list[str]:
        """The names of the agents by number."""
        return rows.labels_of(self.table.schema)

    @property
    def is_cooperative(self) -> bool:
        """Whether all players of every game are one team, as in co-operative games and those for a single player."""
        return rows.is_cooperative(self.table)

    def drop(self, columns: Sequence[str]) -> None:
        """Forget some columns, and give their memory back."""
        self.table = self.table.drop_columns(columns)
        pa.default_memory_pool().release_unused()

    def tables(self) -> Iterator[Any]:
        """Yield the table of some thousand games at a time; at least once."""
        for begin in range(0, max(len(self), 1), GAMES_AT_ONCE):
            yield self.table.slice(begin, GAMES_AT_ONCE)

    def frames(self) -> Iterator[tuple[pd.DataFrame, pd.DataFrame]]:
        """Yield the frames of `read_ledger` for some thousand games at a time, without columns whose source is not there."""
        return map(frames_of_table, self.tables())

    def timed_seats(self) -> Iterator[rows.TimedSeats]:
        """Yield how long agents took, for the seats of some thousand games at a time; lost timings are left out."""
        timings = merged(self._folder, TIMINGS, ["seconds", "cpu_seconds"])
        yield from rows.timed_seats(self.table, timings, GAMES_AT_ONCE)

    def timings(self) -> pd.DataFrame:
        """Return `read_timings`."""
        return rows.timings_frame(merged(self._folder, TIMINGS))

    def faults(self) -> pd.DataFrame:
        """Return `read_faults` for these games, with the columns ``game_id`` and ``faults``."""
        return rows.faults_frame(self.table, merged(self._folder, TIMINGS, ["game_id", "messages"]))

    def measures(self) -> pd.DataFrame:
        """Return `read_measures` for these games, with the column ``game_id``."""
        return rows.measures_frame(rows.of_games(merged(self._folder, MEASURES), self.table["game_id"]))

    def content_hash(self) -> str:
        """Return `content_hash`; all columns must be there."""
        return digest_of(self.table)

    def judged(self, schedule: Schedule) -> tuple[Breaker, dict[str, Charges]]:
        """Return the circuit breaker after these games, and their faults, by id."""
        charges = rows.charges([self.table])
        return judged(schedule, charges, PlayedGames([self.table] if charges else [])), charges


def read_labels(path: Path | str) -> list[str]:
    """Return the agents' names by number, as many as were known when the last games were written."""
    folder = ledger_folder(path)
    newest = [paths[-1] for kind in KINDS if (paths := storage.list_shards(folder, kind))]
    return max((rows.labels_of(pq.read_schema(shard)) for shard in newest), key=len, default=[])


def read_timings(path: Path | str) -> pd.DataFrame:
    """Return how long each agent took in each game, in schedule order: game_id, seat, seconds, cpu_seconds, worker.

    Seconds are wall time. CPU time is nan where it is not known: older ledgers do not have it.

    Games whose timings are lost have no rows.
    """
    return rows.timings_frame(merged(ledger_folder(path), TIMINGS))


def read_faults(path: Path | str) -> pd.DataFrame:
    """Return the faults, in schedule order: game_id, seat, tick, kind and message (empty where it is lost)."""
    folder = ledger_folder(path)
    return rows.faults_frame(
        merged(folder, GAMES, ["game_id", "faults"]), merged(folder, TIMINGS, ["game_id", "messages"])
    )


def judged_ledger(folder: Path, schedule: Schedule, games: pd.DataFrame) -> tuple[Breaker, dict[str, Charges]]:
    """Return the circuit breaker after the games of a ledger, and their faults, by id."""
    if not games["faults"].any():
        return Breaker(schedule), {}
    return LedgerGames(folder, _CHARGES).judged(schedule)


def read_measures(path: Path | str) -> pd.DataFrame:
    """Return the values of metrics, in schedule order: game_id, measure, number and value, one row per value."""
    return rows.measures_frame(merged(ledger_folder(path), MEASURES))


def read_actions(path: Path | str) -> pd.DataFrame:
    """Return the recorded actions, in schedule order: game_id, tick and choice, one row per action.

    The choice is the action's number among those that were available. Games that were not recorded have no rows.
    """
    return rows.actions_frame(merged(ledger_folder(path), ACTIONS))


def read_choices(
    path: Path | str, game_ids: Collection[str] | None = None
) -> Iterator[tuple[str, list[int], list[tuple[int, int]]]]:
    """Yield the id, choices and forfeits (`tag.playing.recording`) of each recorded game, in schedule order."""
    table = merged(ledger_folder(path), ACTIONS)
    if game_ids is not None:
        table = table.filter(pc.is_in(table["game_id"], pa.array(sorted(game_ids), pa.string())))
    for batch in table.to_batches(max_chunksize=_ROWS_AT_ONCE):
        for row in batch.select(["game_id", "choices", "forfeits"]).to_pylist():
            yield row["game_id"], row["choices"], [(forfeit["seat"], forfeit["result"]) for forfeit in row["forfeits"]]


def read_records(path: Path | str, binding: Binding | None = None) -> Iterator[tuple[tuple[int, int, int], GameRecord]]:
    """Yield block, match-up and seating of each game in schedule order, and its record, as if it were played now.

    Actions are left out, as are lost seconds and messages. The games must be those of ``binding``, if it is given.
    """
    folder = ledger_folder(path)
    yield from records(*(merged(folder, kind, binding=binding) for kind in (GAMES, TIMINGS, MEASURES)))


def content_hash(path: Path | str) -> str:
    """Return 32 hexadecimal digits for all that is deterministic in a ledger, independent of its shards."""
    return digest_of(merged(ledger_folder(path), GAMES))


def arrivals(path: Path | str, within: float = inf) -> list[tuple[float, int]]:
    """Return when games arrived and how many: the time of each shard, in seconds since 1970, in order.

    Args:
        path: the folder of a tournament or study, or its ledger's.
        within: only in so many seconds before the last.
    """
    times = []
    for shard in storage.list_shards(ledger_folder(path), GAMES):
        with suppress(FileNotFoundError):  # merged into another by now
            times.append((shard.stat().st_mtime, shard))
    since = max((when for when, _shard in times), default=0.0) - within
    found = []
    for when, shard in times:
        if when >= since:
            with suppress(FileNotFoundError):
                found.append((when, int(pq.read_metadata(shard).num_rows)))
    return sorted(found)


def ledger_files(path: Path | str) -> list[Path]:
    """Return the files of a ledger, games first."""
    folder = ledger_folder(path)
    return [shard for kind in KINDS for shard in storage.list_shards(folder, kind)]


def frames_of_table(table: Any) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the data frames of `read_ledger` of some games, without columns whose source ``table`` does not have."""
    return rows.games_frame(table), rows.seats_frame(table)


def _left(table: Any, blocks: int, without: Mapping[str, Pairing]) -> Any:
    """Return the rows of ``table`` that stay when it is merged: of the first ``blocks``, and ``without`` some games."""
    is_of_blocks = pc.less(table["block"], blocks)
    of_blocks = table if pc.all(is_of_blocks).as_py() else table.filter(is_of_blocks).combine_chunks()
    return rows.without(of_blocks, without)
