"""Writing of a ledger, the append-only record of a tournament's games, in Parquet.

``docs/ledger.md`` describes the files and the data frames. Only the process that holds the tournament's folder writes
(`Ledger`); any process may read at any time. A game counts once, even if it is in the files several times.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from tag.tournaments.designs.games import PLACE, GameFaults, PlayedGames
from tag.tournaments.ledger import rows, storage
from tag.tournaments.ledger.folder import FOLDER, Folder, FolderOrPath, binding_of, bound_shards
from tag.tournaments.ledger.identity import Binding, LedgerPlan
from tag.tournaments.ledger.parquet import UnfitFileError
from tag.tournaments.ledger.reading import UnorderedError
from tag.tournaments.ledger.rows import ACTIONS, GAMES, MEASURES, TIMINGS, PlayedGame
from tag.tournaments.ledger.storage import EXTENSION, MERGED, DamagedShardError

_LOSSES: Final = {
    GAMES: "its games will be played again",
    TIMINGS: "the seconds in it are lost",
    MEASURES: "its games are measured again, if the agents are deterministic",
    ACTIONS: "the actions of its games are played again, if the agents are deterministic",
}
_FAULTS: Final = ["agents", "faults"]

#: A merged shard of so many rows stays if there are so many times as many as further ones: of 2,000,000 games, to merge
#: 1,000 more into it took 3 s.
_LARGE: Final = 100_000
TIMES: Final = 16


class _OtherNumberError(Exception):
    """Another number of rows is left than was expected."""


class Ledger:
    """The ledger of a tournament or study; one process at a time writes it.

    Attributes:
        folder: the tournament's.
        quarantined: a sentence for each damaged shard that was found and set aside; its games count as not played.
    """

    def __init__(self, folder: FolderOrPath, plan: LedgerPlan, binding: Binding | None = None) -> None:
        """Open the ledger in a tournament's ``folder``, or begin it, and check all its files.

        Args:
            folder: the tournament's; readers with the same `Folder` see what is written.
            plan: of its games.
            binding: the identity that its shards name; by default of the plan and the folder's manifest, if it has one.

        Raises:
            DataError: a shard has a newer version of the schema.
        """
        self.folder = folder.path if isinstance(folder, Folder) else Path(folder)
        self._plan = plan
        path = self.folder / FOLDER
        path.mkdir(parents=True, exist_ok=True)
        self.shards = folder.shards if isinstance(folder, Folder) else bound_shards(path, binding or _bound(plan, path))
        self._binding = self.shards.binding or Binding(plan)
        self._identity = self._binding.text
        storage.remove_leftovers(path)
        self.shards.refresh()
        self.quarantined = [sentence for shard in self.shards.all() for sentence in self._check(shard)]
        self._next = max(map(storage.shard_number, self.shards.all()), default=MERGED) + 1

    @property
    def n_agents(self) -> int:
        """The number of agents known so far."""
        return len(self._plan.entries)

    def history(self) -> tuple[PlayedGames, dict[str, GameFaults]]:
        """Return the games in the ledger, and the faults of faulty games by id."""
        places, faults = [], dict[str, GameFaults]()
        for path in self.shards.of(GAMES):
            table = storage.read_shard(path, [*PLACE, "faults"], self._binding)
            places.append(table.select(PLACE))
            if rows.has_faults(table):
                faults.update(rows.faults_by_game([storage.read_shard(path, [*PLACE, *_FAULTS], self._binding)]))
        return PlayedGames(places), faults

    def append(self, played: Sequence[PlayedGame]) -> None:
        """Write the records of games; when this returns, they survive any crash.

        Timings, measures and actions go first, so that games in the ledger have theirs.
        """
        if not played:
            return
        self._write((TIMINGS, *self._wanted, GAMES), played)

    def append_lost(self, kind: str, played: Sequence[PlayedGame]) -> None:
        """Write the rows of one ``kind`` of games that are in the ledger already."""
        if played:
            self._write([kind], played)

    def lacking(self, kind: str) -> list[str]:
        """Return the ids of games whose actions or measures should be there and are missing, in the order of arrival."""
        if kind not in self._wanted:
            return []
        played, known = (
            [
                game_id
                for path in self.shards.of(one)
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

    def compact(self, expected: int, blocks: int | None = None, without: Collection[str] = ()) -> bool:
        """Merge all shards into one of each kind, in schedule order, if all games are there that are ``expected``.

        The games' shard is then the same to the bit, independent of workers and interruptions. Being killed on the way
        loses nothing: the merged shards are written before the others are removed. A large merged shard stays where a
        tournament is extended by little: the further games are merged into a second one, as deterministic.

        Args:
            expected: the number of games, without those that are dropped.
            blocks: how many of the first blocks stay, all by default; games of later ones, played before a test was decided,
                are dropped.
            without: the ids of further games that are dropped.

        Returns:
            Whether all are there.

        Raises:
            DataError: a shard has been damaged since the ledger was opened.
        """
        self.shards.refresh()
        kinds = self.shards.kinds()
        if expected and GAMES not in kinds:
            return False
        for kind in kinds:
            if not self._merge(kind, blocks, without, expected if kind == GAMES else None):
                return False
        pa.default_memory_pool().release_unused()
        return True

    def merge(self, without: Collection[str] = ()) -> None:
        """Merge all shards into one of each kind, in schedule order, and drop the games of some ids."""
        for kind in self.shards.kinds():
            self._merge(kind, None, without)

    def _write(self, kinds: Sequence[str], played: Sequence[PlayedGame]) -> None:
        """Write a shard of each of some ``kinds``, in their order."""
        columns, entries = rows.columns_of(played, self._plan.game_of), self._plan.entries
        tables = [(kind, rows.table_of(kind, columns, entries, self._identity)) for kind in kinds]
        paths = {kind: storage.write_shard(self.shards.folder, kind, self._next, table) for kind, table in tables}
        self._binding.known.update(path.name for path in paths.values())
        self.shards.add(paths)
        self._next += 1

    def _check(self, path: Path) -> list[str]:
        """Set a shard aside that is damaged or not of this tournament, and report it; compare rows not known to be of it."""
        try:
            if path.name in self.shards.checked:
                storage.check_bytes(path)
                self._binding.known.add(path.name)
            else:
                storage.checked_shard(path, self._binding)
        except (DamagedShardError, UnfitFileError) as error:
            aside = str(storage.set_aside(path).parent)
            kind = storage.kind_of(path)
            self.shards.replace(kind, [one for one in self.shards.of(kind) if one != path])
            if isinstance(error, UnfitFileError):
                return [f"{path.name} {error.reason} and is now in {aside!r}; nothing in it counts"]
            return [f"{path.name} was damaged and is now in {aside!r}; {_LOSSES[kind]}"]
        return []

    def _merge(self, kind: str, blocks: int | None, without: Collection[str], expected: int | None = None) -> bool:
        """Put one merged shard of the present version in the place of all shards of ``kind``, if as many rows are left."""
        first, *others = self.shards.of(kind)
        n_first = storage.n_rows(first)
        # Not by the rows of the others where it can be helped: after a kill some are in two shards.
        n_others = sum(map(storage.n_rows, others)) if expected is None else expected - n_first
        is_current = storage.shard_number(first) == MERGED and storage.is_current(first, self._identity)
        if is_current and not without and (not others or n_first >= max(_LARGE, TIMES * n_others)):
            places = storage.read_shard(first, PLACE, self._binding)
            numbers = {storage.shard_number(path) for path in others}
            table = _left(self.shards.table(kind, in_one_piece=True, numbers=numbers), blocks, without)
            n_games = len(PlayedGames([places, table]))
            is_whole = n_games == n_first + len(table) and len(_left(places, blocks, without)) == n_first
            if is_whole and not others:
                return expected in (None, n_games)
            if is_whole and expected in (None, n_games):
                self._replace(kind, others, EXTENSION, table.schema, [table])
                self.shards.replace(kind, [first, *self.shards.of(kind)])
                return True
        return self._merge_all(kind, blocks, without, expected)

    def _merge_all(self, kind: str, blocks: int | None, without: Collection[str], expected: int | None) -> bool:
        """Put one merged shard in the place of all shards of ``kind``, if as many rows are left."""
        paths, n_left = self.shards.of(kind), 0
        if expected is not None and sum(map(storage.n_rows, paths)) < expected:
            return False

        def left(parts: Iterable[Any]) -> Iterator[Any]:
            nonlocal n_left
            for part in parts:
                kept = _left(part, blocks, without)
                n_left += len(kept)
                yield kept
            if expected not in (None, n_left):
                raise _OtherNumberError

        try:
            schema, parts = self.shards.in_order(kind, paths)
            try:
                self._replace(kind, paths, MERGED, schema, left(parts))
            except UnorderedError:
                n_left = 0
                self._replace(kind, paths, MERGED, schema, left([self.shards.table(kind, in_one_piece=True)]))
        except _OtherNumberError:
            return False
        return True

    def _replace(self, kind: str, paths: Sequence[Path], number: int, schema: Any, parts: Iterable[Any]) -> None:
        """Put one shard in the place of others, whose rows are those of the ``parts``."""
        schema = schema.with_metadata({**(schema.metadata or {}), b"tournament": self._identity})
        merged = storage.write_parts(self.shards.folder, kind, number, schema, parts)
        self._binding.known.add(merged.name)
        for path in paths:
            if path != merged:
                storage.remove_shard(path)
        self.shards.replace(kind, [merged])


def _bound(plan: LedgerPlan, ledger: Path) -> Binding:
    """Return the identity of a plan's games, with the versions and users' files of the manifest above ``ledger``."""
    known = binding_of(ledger)
    return Binding(plan, known.versions, known.sources) if known else Binding(plan)


def _left(table: Any, blocks: int | None, without: Collection[str]) -> Any:
    """Return the rows of ``table`` that stay when it is merged: of the first ``blocks``, and ``without`` some games."""
    if blocks is not None and len(table):
        is_of_blocks = pc.less(table["block"], blocks)
        table = table if pc.all(is_of_blocks).as_py() else table.filter(is_of_blocks).combine_chunks()
    if without:
        is_dropped = pc.is_in(table["game_id"], pa.array(sorted(without), pa.string()))
        table = table.filter(pc.invert(is_dropped)).combine_chunks()
    return table
