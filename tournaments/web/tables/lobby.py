"""The host's pages: the list of tables, and the page of a table with its links, by which people are invited.

All routes are the host's alone.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tag.table.public import PUBLIC
from tag.tournaments.ledger.feedback import BEST_RATING
from tag.tournaments.web.server import json_object, page
from tag.tournaments.web.tables.links import LONGEST_NAME, checked_name, path_to
from tag.tournaments.web.tables.stored import StoredTable, person_name
from tag.tournaments.web.tables.table import LiveTable
from tag.tournaments.web.tables.tables import Tables

_Change = Callable[["LobbyPages", LiveTable, Mapping[str, Any]], Awaitable[Any]]


def links_of(table: StoredTable) -> list[dict[str, str]]:
    """Return the links of a table with labels, in the order of the seats, those for watching last."""
    names = table.shown_names
    return [
        {"label": names[link.seat] if link.seat >= 0 else link.label or "watch", "href": f"/t/{link.key}"}
        for link in table.links
    ]


def lobby_path(table: StoredTable) -> str:
    """Return the path of the page on which the host invites people to a table."""
    return f"/lobby/{table.name}"


def row_of(table: StoredTable) -> dict[str, Any]:
    """Return a table as the list shows it."""
    names = table.shown_names
    turn = "over" if table.is_over else f"{names[table.deciders[table.present]]} is to move"
    return {
        "name": table.name,
        "title": table.title,
        "ply": len(table.saved.line),
        "state": "closed" if table.is_closed else turn,
        "is_closed": table.is_closed,
        "is_recorded": bool(table.place),
        "seats": names,
        "links": links_of(table),
        "lobby": lobby_path(table),
        "ratings": ", ".join([str(said["rating"]) for said in table.feedback.values()]),
    }


class LobbyPages:
    """The routes of the host."""

    def __init__(self, tables: Tables) -> None:
        """Take the tables."""
        self._tables = tables

    def routes(self) -> list[Route]:
        """Return the routes."""
        changes: Mapping[str, _Change] = {
            "watchers": LobbyPages.add_watcher,
            "revoke": LobbyPages.revoke,
            "close": LobbyPages.close,
            "delete": LobbyPages.delete,
        }
        found = [Route(f"/lobby/{{table}}/{name}", self._posted(of), methods=["POST"]) for name, of in changes.items()]
        return [Route("/lobby/{table}", self.show), *found]

    def _live(self, request: Request) -> LiveTable:
        if not request.scope["is_host"]:
            raise HTTPException(403, "only the host may do this")
        return self._tables.by_name(request.path_params["table"])

    def _posted(self, change: _Change) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            live = self._live(request)
            return JSONResponse(await change(self, live, await json_object(request)) or {})

        return endpoint

    async def show(self, request: Request) -> Response:
        """Show a table's links, which the host copies for people and watchers."""
        table = self._live(request).table
        seats = [
            {
                "number": seat + 1,
                "name": name,
                "agent": spec,
                "is_person": seat in table.humans,
                "has_name": seat in table.humans and bool(person_name(spec)),
                "key": table.links[seat].key,
                "href": path_to([table.links[seat]]),
            }
            for seat, (name, spec) in enumerate(zip(table.shown_names, table.saved.seats, strict=True))
        ]
        said = [{"name": table.shown_names[int(seat)], **one} for seat, one in sorted(table.feedback.items())]
        return page(
            "tables/lobby.html.jinja",
            table=row_of(table),
            game=table.saved.start.game,
            note=table.note,
            is_open=table.is_open,
            seats=seats,
            watchers=[
                {"key": one.key, "label": one.label or "watch", "href": f"/t/{one.key}"} for one in table.watchers
            ],
            public=PUBLIC,
            longest=LONGEST_NAME,
            best=BEST_RATING,
            feedback=said,
        )

    async def add_watcher(self, live: LiveTable, values: Mapping[str, Any]) -> Any:
        """Make a link for watching with a label."""
        link = self._tables.add_watcher(live, checked_name(values.get("label"), "the label of a link"))
        return {"key": link.key, "label": link.label, "href": f"/t/{link.key}"}

    async def revoke(self, live: LiveTable, values: Mapping[str, Any]) -> None:
        """Take a link for watching back."""
        key = values.get("key")
        if not isinstance(key, str):
            raise HTTPException(400, "key is that of a link")
        self._tables.revoke(live, key)

    async def close(self, live: LiveTable, values: Mapping[str, Any]) -> None:
        """Close a table, or open it again."""
        is_closed = values.get("closed")
        if type(is_closed) is not bool:
            raise HTTPException(400, "closed is true or false")
        await live.close(is_closed)

    async def delete(self, live: LiveTable, values: Mapping[str, Any]) -> None:
        """Delete a table; ``name`` is its name once more, so that no other one is deleted."""
        if values.get("name") != live.table.name:
            raise HTTPException(400, "name is the name of the table that is to be deleted")
        await self._tables.delete(live)
