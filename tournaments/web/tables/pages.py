"""The pages of ``tag table``: new tables, tables by their links, and what visitors may ask of them.

`table_application` is the application; `Tables` has the tables.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, replace
from math import isfinite
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

import click
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from tag.catalogue.trust import vouch
from tag.engine.parameters import names_program, parse_spec
from tag.errors import DataError, TrustError
from tag.table.game import EVERYTHING, HUMAN, Start, cells_of
from tag.table.public import PUBLIC
from tag.table.tree import GameTree, SavedGame
from tag.tournaments.ledger.people import BEST_RATING, LONGEST_NOTE
from tag.tournaments.web.server import application, event_stream, page
from tag.tournaments.web.tables.engine import RANDOM
from tag.tournaments.web.tables.links import LONGEST_NAME, Link, TableClient, checked_name, new_links
from tag.tournaments.web.tables.lobby import LobbyPages, json_object, links_of, lobby_path, row_of
from tag.tournaments.web.tables.pool import EnginePool
from tag.tournaments.web.tables.recorded import FAULTS, ORDERS, PAGE, RESULTS, GameList, Wanted
from tag.tournaments.web.tables.stored import StoredTable, is_human, not_counted, note_of, start_of
from tag.tournaments.web.tables.table import SLOWEST, LiveTable

#: Specs that name files: of rules or agents to import, of parameters, or of models.
_FILES: Final = re.compile(r"[/\\]|\.[A-Za-z]")
_MOST_SEATS: Final = 100
_MOST_AGENTS: Final = 8
_LARGEST_SEED: Final = (1 << 63) - 1
#: The longest spec that is read.
_LONGEST_SPEC: Final = 2_000
_DEALS: Final = 200
#: Who else than a player sees a view.
_SEEN_BY: Final = {EVERYTHING: "all", PUBLIC: "watchers: what is public"}
_ORDER_TEXTS: Final = {
    "schedule": "of the schedule",
    "actions": "fewest actions first",
    "-actions": "most actions first",
    "turns": "fewest turns first",
    "-turns": "most turns first",
}


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


def saved_game(
    game: str, seats: Sequence[str], seed: int | None = None, cells: str = "", to_move: int = 0
) -> SavedGame:
    """Return a new game; without a seed, with a random one.

    Args:
        game: the spec of the game type.
        seats: the spec of the agent in each seat.
        seed: the random seed.
        cells: a position that was set up by hand (`tag.table.game.cells_of`); the game's own set-up if empty.
        to_move: the player who decides first in it.
    """
    chance = secrets.randbelow(1 << 62) if seed is None else seed
    return SavedGame(Start(game, len(seats), chance, cells_of(cells), to_move), tuple(seats))


def check_harmless(saved: SavedGame) -> None:
    """Refuse a saved game that would import or read files or run programs: it may come from others."""
    for spec in (saved.start.game, *saved.seats):
        if _is_for_host(spec):
            raise TrustError(
                f"a saved game names files or programs, as {spec!r} does; only what you type runs unasked, so open it with "
                "tag table FILE --trust if you trust it"
            )


def _is_for_host(spec: str) -> bool:
    """Say whether a spec has files of this machine imported or read, or programs run."""
    return _FILES.search(spec) is not None or names_program(spec)


def _whole(values: Mapping[str, Any], name: str, low: int, high: int, default: int | None = None) -> int:
    found = values.get(name, default)
    if type(found) is not int or not low <= found <= high:
        raise HTTPException(400, f"{name} is a whole number from {low} to {high}")
    return found


def _cells(values: Mapping[str, Any]) -> str:
    found = values.get("cells", "")
    if not isinstance(found, str):
        raise HTTPException(400, "cells are a text, such as 210 010 001")
    return found


def _wanted(query: Mapping[str, str]) -> Wanted:
    """Return the games of a list that an address asks for."""
    return Wanted(
        agent=query.get("agent", ""),
        result=query.get("result", ""),
        least=_number(query, "least", 0),
        most=_number(query, "most", 0),
        faults=query.get("faults", ""),
        order=query.get("order") or ORDERS[0],
        page=_number(query, "page", 1),
    )


def _number(query: Mapping[str, str], name: str, low: int) -> int:
    text = query.get(name) or str(low)
    if not text.isascii() or not text.isdecimal() or len(text) > 9 or int(text) < low:
        raise HTTPException(400, f"{name} is a whole number from {low}")
    return int(text)


def _choices(recorded: GameList) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Return the fields of `Wanted` for which the form has choices, each with its name and the choices' values and texts."""
    agents = [(label, recorded.short[label]) for label in recorded.labels]
    return [
        ("agent", "Agent", [("", "any"), *agents]),
        ("result", "Result", [("", "any"), *((name, name) for name in RESULTS)]),
        ("faults", "Faults", [(value, value or "any") for value in FAULTS]),
        ("order", "Order", [(value, _ORDER_TEXTS[value]) for value in ORDERS]),
    ]


def _neighbours(page: int, last: int) -> dict[str, int]:
    """Return the pages of a list to which there are links, by the link's text."""
    found = {"first": 1, "previous": page - 1, "next": page + 1, "last": last}
    return {name: at for name, at in found.items() if 1 <= at <= last and at != page}


def _query(wanted: Wanted, at: int) -> str:
    """Return the query in the address of a page of a list of games."""
    return urlencode({name: value for name, value in asdict(replace(wanted, page=at)).items() if value})


def _flag(values: Mapping[str, Any], name: str) -> bool | None:
    found = values.get(name)
    if found is not None and type(found) is not bool:
        raise HTTPException(400, f"{name} is true or false")
    return found


def _spec(value: object) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > _LONGEST_SPEC or not value.isprintable():
        raise HTTPException(400, "a game or an agent is given by its spec, such as mcts:budget=500")
    return value


def _specs(values: Mapping[str, Any], name: str, most: int) -> list[str]:
    found = values.get(name)
    if not isinstance(found, list) or not 1 <= len(found) <= most:
        raise HTTPException(400, f"{name} is a list of 1 to {most} specs")
    return [_spec(one) for one in found]


def _check_guest(client: TableClient, live: LiveTable, specs: Sequence[str]) -> None:
    """Refuse specs of visitors by which files of the host's would be imported or read, or programs run."""
    if client.is_host:
        vouch(*specs)
    for spec in specs:
        if not client.is_host and _is_for_host(spec) and spec not in live.table.saved.seats:
            raise HTTPException(403, "only the host may name files or programs in specs")


Answer = Callable[["TablePages", TableClient, LiveTable, Mapping[str, Any]], Awaitable[Any]]


class TablePages:
    """The routes; every answer to a visitor of a table is made for the viewer of the link."""

    def __init__(self, tables: Tables) -> None:
        """Take the tables."""
        self._tables = tables
        self._catalogue: Mapping[str, Any] = {}

    def routes(self) -> list[Route]:
        """Return the routes."""
        found = [
            Route("/", self._home),
            Route("/tables", self.list_tables),
            Route("/tables", self.create, methods=["POST"]),
            Route("/games", self.list_games),
            Route("/games", self.open_game, methods=["POST"]),
            Route("/tables/forms", self.forms),
            Route("/tables/placed", self.placed),
            Route("/t/{key}", self.show),
            Route("/t/{key}/rules", self.rules),
            Route("/t/{key}/events", self.events),
            Route("/t/{key}/position", self.position),
            Route("/t/{key}/save", self.save),
            *LobbyPages(self._tables).routes(),
        ]
        return found + [
            Route(f"/t/{{key}}/{name}", self._posted(answer), methods=["POST"]) for name, answer in _POSTS.items()
        ]

    async def _home(self, _request: Request) -> Response:
        return RedirectResponse("/tables", 303)

    async def list_tables(self, _request: Request) -> Response:
        """Show all tables, and the form for a new one."""
        self._catalogue = self._catalogue or await self._tables.pool.ask(request="catalogue")
        rows = [row_of(live.table) for live in self._tables]
        recorded = self._tables.recorded
        return page(
            "tables/tables.html.jinja",
            tables=rows,
            recorded=recorded and recorded.folder.absolute().name,
            **self._catalogue,
        )

    async def create(self, request: Request) -> Response:
        """Make a table."""
        values = await json_object(request)
        if values.get("saved") is not None:
            saved = SavedGame.from_json(values["saved"])
            check_harmless(saved)
        else:
            seats = _specs(values, "seats", _MOST_SEATS)
            vouch(_spec(values.get("game")), *seats)
            _whole(values, "players", len(seats), len(seats), len(seats))
            seed = _whole(values, "seed", 0, _LARGEST_SEED) if values.get("seed") is not None else None
            to_move = _whole(values, "to_move", 0, len(seats) - 1, 0)
            saved = saved_game(_spec(values.get("game")), seats, seed, _cells(values), to_move)
        table = await self._tables.create(saved, is_open=_flag(values, "open"), is_free=_flag(values, "free"))
        href = lobby_path(table) if len(table.humans) > 1 else first_path(table)
        return JSONResponse({"table": table.name, "links": links_of(table), "href": href})

    def list_games(self, request: Request) -> Response:
        """Show the games of the ledger that are as wanted."""
        recorded = self._recorded()
        wanted = _wanted(request.query_params)
        total, found = recorded.find(wanted)
        last = max(1, -(-total // PAGE))
        return page(
            "tables/games.html.jinja",
            name=recorded.folder.absolute().name,
            game=recorded.game,
            choices=_choices(recorded),
            wanted=wanted,
            total=total,
            last=last,
            pages={name: _query(wanted, at) for name, at in _neighbours(wanted.page, last).items()},
            games=found,
        )

    async def open_game(self, request: Request) -> Response:
        """Open a game of the ledger at a table."""
        games, game_id = self._recorded(), (await json_object(request)).get("game_id")
        if not isinstance(game_id, str):
            raise HTTPException(400, "game_id is the id of a game, such as b0-m0-s0")
        table = await self._tables.open_recorded(games, game_id)
        return JSONResponse({"table": table.name, "links": links_of(table)})

    def _recorded(self) -> GameList:
        if self._tables.recorded is None:
            raise HTTPException(404, "there is no ledger; name the folder of a tournament: tag table FOLDER")
        return self._tables.recorded

    async def placed(self, request: Request) -> Response:
        """Return a position set up by hand, for the form of a new table."""
        values: dict[str, Any] = dict(request.query_params)
        for name in ("players", "to_move"):
            found = values.get(name, "")
            values[name] = int(found) if found.isdecimal() and len(found) < 4 else None  # refused below
        players = _whole(values, "players", 1, _MOST_SEATS)
        to_move = _whole(values, "to_move", 0, players - 1)
        vouch(_spec(values.get("game")))
        saved = saved_game(_spec(values.get("game")), [HUMAN] * players, 0, _cells(values), to_move)
        return JSONResponse(await self._tables.pool.ask(request="placed", start=start_of(saved)))

    async def forms(self, request: Request) -> Response:
        """Return a game or agent with its parameters, for a form; for the host and those with a link to a table."""
        key, names = request.query_params.get("key", ""), dict(request.query_params)
        if not request.scope["is_host"]:
            self._tables.by_key(key)
        kind = "game" if "game" in names else "agent"
        spec = _spec(names.get(kind))
        if not request.scope["is_host"] and _is_for_host(spec):
            raise HTTPException(403, "only the host may name files or programs in specs")
        if request.scope["is_host"]:
            vouch(spec)
        name = parse_spec(spec).name
        return JSONResponse(await self._tables.pool.ask(request="forms", kind=kind, name=name))

    def _client(self, request: Request) -> tuple[TableClient, LiveTable]:
        live, link = self._tables.by_key(request.path_params["key"])
        viewer = request.query_params.get("viewer", str(link.viewer))
        if viewer == str(EVERYTHING) != str(link.viewer) and not live.table.is_open:
            raise HTTPException(403, "only at an open table may everything be seen")
        if viewer not in (str(EVERYTHING), str(PUBLIC), str(link.viewer)):
            raise HTTPException(403, "this link shows the view of another seat")
        return TableClient(link, int(viewer), request.scope["is_host"], self._together(request, live, link)), live

    def _together(self, request: Request, live: LiveTable, link: Link) -> tuple[Link, ...]:
        """Return the links of the seats that share a page, in their order; only who has all their links may have it."""
        keys = [key for key in request.query_params.get("with", "").split(".") if key]
        found = [self._tables.by_key(key) for key in keys[:_MOST_SEATS]]
        links = {one for _live, one in found} | {link}
        if any(other is not live for other, _one in found) or (found and any(one.seat < 0 for one in links)):
            raise HTTPException(403, "only seats of one table share a page")
        return tuple(sorted(links, key=lambda one: one.seat))

    async def show(self, request: Request) -> Response:
        """Show a table; all of the game comes by events."""
        client, live = self._client(request)
        self._catalogue = self._catalogue or await self._tables.pool.ask(request="catalogue")
        table = live.table
        return page(
            "tables/table.html.jinja",
            key=client.link.key,
            title=table.title,
            viewer=client.viewer,
            seen_by=table.shown_names[client.viewer] if client.viewer >= 0 else _SEEN_BY[client.viewer],
            seat=client.link.seat,
            together=[{"seat": one.seat, "key": one.key} for one in client.together]
            if len(client.together) > 1
            else [],
            lobby=lobby_path(table),
            can_name=live.can(client, table.present)["name"],
            longest_name=LONGEST_NAME,
            longest_note=LONGEST_NOTE,
            best=BEST_RATING,
            is_host=client.is_host,
            is_free=table.is_free,
            is_open=table.is_open,
            agents=[*self._catalogue["agents"], *self._bots(table.saved.start.game)],
            spec=table.saved.start.game,
        )

    async def rules(self, request: Request) -> Response:
        """Show the rules of a table's game."""
        _client, live = self._client(request)
        name = parse_spec(live.table.saved.start.game).name
        return page("tables/rules.html.jinja", **await self._tables.pool.ask(request="rules", game=name))

    def _bots(self, game: str) -> list[str]:
        """Return the names of a game's bots."""
        name = parse_spec(game).name
        return next((list(one["bots"]) for one in self._catalogue["games"] if one["name"] == name), [])

    async def events(self, request: Request) -> Response:
        """Send the present position, and then each event."""
        client, live = self._client(request)
        return event_stream(live.events(client))

    async def position(self, request: Request) -> Response:
        """Return any visited position."""
        client, live = self._client(request)
        at = request.query_params.get("at", str(live.table.present))
        if not at.isascii() or not at.isdecimal() or len(at) > 7 or int(at) >= len(live.table.deciders):
            raise HTTPException(404, "this position has not been visited")
        return JSONResponse(await live.position(client, int(at)))

    async def save(self, request: Request) -> Response:
        """Return the game with its positions, to be loaded elsewhere."""
        client, live = self._client(request)
        live.demand(client, "save")
        name = f'attachment; filename="{live.table.name}.json"'
        return JSONResponse(live.table.saved.to_json(), headers={"Content-Disposition": name})

    def _posted(self, answer: Answer) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            client, live = self._client(request)
            found = await answer(self, client, live, await json_object(request))
            return JSONResponse({"present": live.table.present} if found is None else found)

        return endpoint

    async def play(self, client: TableClient, live: LiveTable, values: Mapping[str, Any]) -> None:
        """Play an action."""
        await live.play(client, _position(live, values), _whole(values, "number", 0, 1 << 31))

    async def undo(self, client: TableClient, live: LiveTable, _values: Mapping[str, Any]) -> None:
        """Take actions back."""
        await live.undo(client)

    async def redo(self, client: TableClient, live: LiveTable, _values: Mapping[str, Any]) -> None:
        """Play actions that were taken back again."""
        await live.redo(client)

    async def go(self, client: TableClient, live: LiveTable, values: Mapping[str, Any]) -> None:
        """Go to a position."""
        await live.go(client, _position(live, values))

    async def seat(self, client: TableClient, live: LiveTable, values: Mapping[str, Any]) -> None:
        """Replace a seat's agent."""
        seat, spec = _whole(values, "seat", 0, live.table.saved.start.players - 1), _spec(values.get("agent"))
        _check_guest(client, live, [spec])
        await live.seat(client, seat, spec)

    async def pace(self, client: TableClient, live: LiveTable, values: Mapping[str, Any]) -> None:
        """Set the pace of agents."""
        seconds = values.get("seconds", live.table.seconds)
        if type(seconds) not in (int, float) or not isfinite(seconds) or not 0 <= seconds <= SLOWEST:
            raise HTTPException(400, f"seconds are a number from 0 to {SLOWEST:g}")
        paused = _flag(values, "paused")
        await live.pace(client, float(seconds), live.table.is_paused if paused is None else paused)

    async def rematch(self, client: TableClient, live: LiveTable, _values: Mapping[str, Any]) -> Any:
        """Set up a new game between the players, with seats changed; all who are here are told where."""
        live.demand(client, "rematch")
        await self._tables.rematch(live)
        return {"href": live.next_path(client)}

    async def name(self, client: TableClient, live: LiveTable, values: Mapping[str, Any]) -> None:
        """Give the person in a seat the name."""
        await live.name(client, checked_name(values.get("name"), "a name"))

    async def feedback(self, client: TableClient, live: LiveTable, values: Mapping[str, Any]) -> None:
        """Take a rating and a note of a person."""
        note = values.get("note", "")
        if not isinstance(note, str) or len(note) > LONGEST_NOTE:
            raise HTTPException(400, f"a note has {LONGEST_NOTE} characters at most")
        note = " ".join(note.split())
        if not note.isprintable():
            raise HTTPException(400, "a note has characters that cannot be printed")
        await live.give_feedback(client, _whole(values, "rating", 1, BEST_RATING), note)

    async def stop(self, client: TableClient, live: LiveTable, _values: Mapping[str, Any]) -> None:
        """Cancel searches."""
        await live.stop(client)

    async def ask(self, client: TableClient, live: LiveTable, values: Mapping[str, Any]) -> Any:
        """Ask agents what they think."""
        agents = _specs(values, "agents", _MOST_AGENTS)
        _check_guest(client, live, agents)  # first: to read a spec may be to read a file
        if any(is_human(spec) for spec in agents):
            raise HTTPException(400, "a person cannot be asked; name agents")
        return {"agents": await live.ask(client, _position(live, values), agents)}

    async def beliefs(self, client: TableClient, live: LiveTable, values: Mapping[str, Any]) -> Any:
        """Return the values that hidden places may have."""
        return await live.beliefs(client, _position(live, values), _whole(values, "deals", 1, 1000, _DEALS))

    async def chances(self, client: TableClient, live: LiveTable, values: Mapping[str, Any]) -> Any:
        """Return the chances of all players over the game."""
        agent = _spec(values.get("agent", RANDOM))
        _check_guest(client, live, [agent])
        return await live.chances(client, _whole(values, "deals", 1, 1000, _DEALS), agent)


_POSTS: Final[Mapping[str, Answer]] = {
    "play": TablePages.play,
    "undo": TablePages.undo,
    "redo": TablePages.redo,
    "go": TablePages.go,
    "seat": TablePages.seat,
    "pace": TablePages.pace,
    "rematch": TablePages.rematch,
    "name": TablePages.name,
    "feedback": TablePages.feedback,
    "stop": TablePages.stop,
    "ask": TablePages.ask,
    "beliefs": TablePages.beliefs,
    "chances": TablePages.chances,
}


def _position(live: LiveTable, values: Mapping[str, Any]) -> int:
    return _whole(values, "at", 0, len(live.table.deciders) - 1)


def table_application(tables: Tables, token: str) -> ASGIApp:
    """Return the application of the tables; their links need no token."""

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        await tables.pool.start()
        recording = asyncio.create_task(tables.record())
        try:
            yield
        finally:
            recording.cancel()
            await tables.pool.close()

    return application(TablePages(tables).routes(), token, lifespan, keyed=("/t/", "/static/", "/tables/forms"))
