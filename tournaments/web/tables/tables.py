"""The tables of a server: made, found by their links and names, deleted, and kept in the files of one folder."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from starlette.exceptions import HTTPException

from tag.engine.parameters import parse_spec
from tag.errors import DataError
from tag.table.game import Start
from tag.table.tree import GameTree, SavedGame
from tag.tournaments.web.tables.links import Link, new_links
from tag.tournaments.web.tables.pool import EnginePool
from tag.tournaments.web.tables.recorded import GameList
from tag.tournaments.web.tables.stored import StoredTable, is_human, not_counted, note_of, start_of
from tag.tournaments.web.tables.table import LiveTable


class Tables:
    """All tables, each in a file of one folder.

    Attributes:
        pool: the processes that compute.
        recorded: the games of a ledger that can be opened at a table, if there is one.
    """

    def __init__(self, folder: Path, pool: EnginePool, recorded: GameList | None = None) -> None:
        """Load the tables of a folder, which is made if needed; those that cannot be read are named and left alone."""
        self.pool = pool
        self.recorded = recorded
        self._folder = folder
        self._tables: list[LiveTable] = []
        self._by_key: dict[str, tuple[LiveTable, Link]] = {}
        self._meeting = asyncio.Lock()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DataError(f"{folder} cannot be the folder of tables: {error.strerror}") from None
        for path in sorted(folder.glob("*.json")):
            try:
                self._add(StoredTable.load(path))
            except DataError as error:
                click.echo(f"tag: {error}", err=True)

    def __iter__(self) -> Any:
        """Iterate over the tables."""
        return iter(self._tables)

    def by_key(self, key: str) -> tuple[LiveTable, Link]:
        """Return the table and the link with this key."""
        if key not in self._by_key:
            raise HTTPException(404, "there is no table with this link")
        return self._by_key[key]

    def by_name(self, name: str) -> LiveTable:
        """Return the table with this name."""
        for live in self._tables:
            if live.table.name == name:
                return live
        raise HTTPException(404, "there is no such table")

    def add_watcher(self, live: LiveTable, label: str) -> Link:
        """Make a link for watching."""
        link = live.add_watcher(label)
        self._by_key[link.key] = (live, link)
        return link

    def revoke(self, live: LiveTable, key: str) -> None:
        """Take a link for watching back."""
        live.revoke(key)
        del self._by_key[key]

    async def delete(self, live: LiveTable) -> None:
        """Delete a table, with its links; its game stays where it is recorded."""
        await live.delete()
        self._tables.remove(live)
        paths = {f"/t/{link.key}" for link in live.table.links}
        for link in live.table.links:
            del self._by_key[link.key]
        for other in self._tables:
            if not paths.isdisjoint(other.table.rematch.values()):
                other.lead_to({})

    async def create(
        self,
        saved: SavedGame,
        *,
        is_open: bool | None = None,
        is_free: bool | None = None,
        watchers: Sequence[str] | None = None,
    ) -> StoredTable:
        """Make a table of a game; by default it is open if no person plays, and free if one does at most.

        There is a link for watching for each label in ``watchers``; by default one where the table is open or agents play.
        """
        start = start_of(saved)
        about = await self.pool.ask(request="check", start=start, seats=saved.seats)
        tree = saved.tree
        deciders = await self.pool.ask(request="tree", start=start, parents=tree.parents[1:], choices=tree.choices[1:])
        humans = sum(is_human(spec) for spec in saved.seats)
        is_open = not humans if is_open is None else is_open
        if watchers is None:
            watchers = ["watch"] if is_open or humans < len(saved.seats) else []
        name = re.sub(r"\W+", "_", Path(parse_spec(saved.start.game).name.partition(".py")[0]).name)
        table = StoredTable(
            f"{name}-{secrets.token_hex(4)}",
            is_open=is_open,
            is_free=humans <= 1 if is_free is None else is_free,
            saved=saved,
            deciders=deciders,
            links=new_links(len(saved.seats), watchers, is_open),
            **about,
        )
        if humans:
            reason = not_counted(saved, is_open and table.is_hidden)
            table.counts, table.note = not reason, note_of(reason)
        table.save(self._folder)
        self._add(table)
        return table

    async def rematch(self, live: LiveTable) -> None:
        """Have the players of a finished game meet again, unless they do, each in the seat after the own one."""
        async with self._meeting:
            table = live.table
            if table.rematch:
                return
            n, saved = table.saved.start.players, table.saved
            start = replace(saved.start, seed=secrets.randbelow(1 << 62), chance_seeds=())
            again = await self.create(
                SavedGame(start, (saved.seats[-1], *saved.seats[:-1])),
                is_open=table.is_open,
                is_free=table.is_free,
                watchers=[link.label for link in table.watchers],
            )
            seats = [again.links[(seat + 1) % n] for seat in range(n)]
            pairs = zip(table.links, [*seats, *again.watchers], strict=True)
            live.lead_to({link.key: f"/t/{other.key}" for link, other in pairs})

    async def open_recorded(self, games: GameList, game_id: str) -> StoredTable:
        """Return a table with a recorded game, one that is there already or a new one.

        Raises:
            TagError: there is no such game, or it is another one now than on record.
        """
        row = await asyncio.to_thread(games.row, game_id)
        folder = games.folder.absolute()
        # One process reads ledgers, as that takes memory.
        found = await self.pool.search("ledger").ask(request="recorded", folder=str(folder), game_id=game_id)
        game, players, seed, _cells, _to_move, chance_seeds = found["start"]
        start = Start(game, players, seed, chance_seeds=tuple([(name, one) for name, one in chance_seeds]))
        tree = GameTree.of_line(found["line"])
        end = f" A fault ended it: {row['end']}." if row["end"] else ""
        note = f"Recorded game {game_id} of {folder.name}.{end}"
        for live in self._tables:
            if live.table.note == note and live.table.saved.start == start:
                return live.table
        saved = SavedGame(start, tuple(found["seats"]), tree, len(tree) - 1)
        table = await self.create(saved, is_open=True, is_free=True)
        table.note, table.counts, table.is_paused = note, False, True
        table.save(self._folder)
        return table

    async def record(self) -> None:
        """Record the games that have ended and count, and are in no ledger: the server was killed, or the disk was full."""
        for live in list(self._tables):
            await live.record()

    def _add(self, table: StoredTable) -> None:
        live = LiveTable(table, self._folder, self.pool)
        self._tables.append(live)
        self._by_key |= {link.key: (live, link) for link in table.links}


def first_path(table: StoredTable) -> str:
    """Return the path of the table's page that its host opens first: the first person's, or the one for watching."""
    seats = table.humans
    link = table.links[seats[0]] if seats else table.links[-1]
    return f"/t/{link.key}"
