"""The pages of ``tag table``: new tables, tables by their links, and what visitors may ask of them.

`table_application` is the application.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, replace
from math import isfinite
from typing import Any, Final
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from tag.catalogue.trust import vouch
from tag.engine.parameters import names_program, parse_spec
from tag.errors import TrustError
from tag.table.game import EVERYTHING, HUMAN, Start, cells_of
from tag.table.public import PUBLIC
from tag.table.tree import SavedGame
from tag.tournaments.ledger.feedback import BEST_RATING, LONGEST_NOTE
from tag.tournaments.web.server import application, event_stream, json_object, page
from tag.tournaments.web.tables.engine import RANDOM
from tag.tournaments.web.tables.links import LONGEST_NAME, Link, TableClient, checked_name
from tag.tournaments.web.tables.lobby import LobbyPages, links_of, lobby_path, row_of
from tag.tournaments.web.tables.recorded import FAULTS, ORDERS, PAGE, RESULTS, GameList, Wanted
from tag.tournaments.web.tables.stored import is_human, start_of
from tag.tournaments.web.tables.table import SLOWEST, LiveTable
from tag.tournaments.web.tables.tables import Tables, first_path

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
