"""The pages of `tag serve`: a list of tournaments, studies and trainings, a page of each, and comparisons."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from tag.tournaments.reports.sections.section import tables_in
from tag.tournaments.web.live.feed import Feed, FolderList, LiveSubject, folders_csv, table_csv
from tag.tournaments.web.live.folders import Kinds, LiveFolder, LiveFolders
from tag.tournaments.web.live.opened import OpenedGames
from tag.tournaments.web.live.tournament import LiveTournament, TournamentComparison
from tag.tournaments.web.server import application, event_stream, page

#: Seconds that a first visit waits for numbers before it gets a page without, to which they are sent.
_PATIENCE: Final = 0.8
#: Seconds that a table may take.
_LONG: Final = 120.0
#: So many pages are remembered; those with readers always are.
_MOST_PAGES: Final = 100
_LIST: Final = "/list"
_GAME_ID: Final = re.compile(r"b\d{1,9}-m\d{1,9}-s\d{1,9}")


def live_pages(folders: Sequence[Path], kinds: Kinds, token: str, more: Sequence[Route] = ()) -> ASGIApp:
    """Return the application that shows what is in some folders, and writes nothing itself.

    Args:
        folders: with tournaments, studies and trainings anywhere in them.
        kinds: of such folders.
        token: of `tag.tournaments.web.server.new_token`.
        more: further routes; the pages lead to the first of them, where runs are started.
    """
    pages = _Pages(LiveFolders(folders, kinds), more[0].path if more else "")
    routes = [
        *more,
        Route("/", pages.show),
        Route("/compare", pages.choose),
        Route("/folder/{key}/report", pages.report),
        Route("/folder/{key}/games/{game_id}", pages.game),
        Route("/folder/{key}/games/{game_id}", pages.open_game, methods=["POST"]),
        Route("/{path:path}/events", pages.events),
        Route("/{path:path}/{section}-{number}.csv", pages.table),
        Route("/{path:path}", pages.show),
    ]
    return application(routes, token, pages.lifespan)


class _Pages:
    """Answers requests, each page with a feed that its readers share."""

    def __init__(self, known: LiveFolders, workbench: str = "") -> None:
        self._known = known
        self._workbench = workbench
        self._thread = ThreadPoolExecutor(1, "computing")
        self._feeds: dict[str, Feed] = {}
        self._opened = OpenedGames()

    @asynccontextmanager
    async def lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        """End the thread and the tables with the server."""
        yield
        self._thread.shutdown(wait=False, cancel_futures=True)
        await asyncio.to_thread(self._opened.close)

    async def show(self, request: Request) -> Response:
        """Answer with a page, and its numbers if they are there soon."""
        feed, address = await self._feed(request)
        async with feed.reader():
            with suppress(TimeoutError):
                await asyncio.wait_for(feed.is_computed.wait(), _PATIENCE)
            subject = feed.subject
            state = "" if feed.is_computed.is_set() else "Reading …"
            return page(
                "live.html.jinja",
                title=subject.title,
                address=address,
                state=state,
                sections=feed.html,
                has_report=isinstance(subject, LiveFolder),
                workbench=self._workbench,
            )

    async def events(self, request: Request) -> Response:
        """Answer with the changes of a page."""
        feed, _address = await self._feed(request)
        return event_stream(feed.events())

    async def table(self, request: Request) -> Response:
        """Answer with a table of a page as CSV."""
        feed, _address = await self._feed(request)
        async with feed.reader():
            with suppress(TimeoutError):
                await asyncio.wait_for(feed.is_computed.wait(), _LONG)
        text = _csv(feed, request.path_params["section"], request.path_params["number"])
        name = quote(f"{request.path_params['section']}.csv")
        return PlainTextResponse(
            text, media_type="text/csv", headers={"Content-Disposition": f"attachment; filename={name}"}
        )

    async def choose(self, request: Request) -> Response:
        """Lead to the comparison of the chosen tournaments."""
        keys = dict.fromkeys(request.query_params.getlist("folder"))
        if len(keys) < 2:
            raise HTTPException(400, "a comparison needs two tournaments; choose them in the list")
        return RedirectResponse(f"/compare/{quote('-'.join(keys), safe='')}", 303)

    async def report(self, request: Request) -> Response:
        """Answer with the report of a folder as a file."""
        folder = await self._folder(request.path_params["key"])
        return HTMLResponse(await asyncio.get_running_loop().run_in_executor(self._thread, folder.report))

    async def game(self, request: Request) -> Response:
        """Answer with a page that opens a game at a table, or names the command that does."""
        folder, game_id = await self._tournament(request)
        path = os.path.relpath(folder.folder)
        command = f"tag table {shlex.quote(folder.folder.name if path.startswith('..') else path)}"
        return page(
            "live_game.html.jinja", name=folder.name, address=f"/folder/{folder.key}", game_id=game_id, command=command
        )

    async def open_game(self, request: Request) -> Response:
        """Open a game at a table, and answer with its address."""
        folder, game_id = await self._tournament(request)
        return JSONResponse({"href": await asyncio.to_thread(self._opened.open, folder.folder, game_id)})

    async def _tournament(self, request: Request) -> tuple[LiveTournament, str]:
        """Return the tournament and the id of the game that an address names."""
        folder, game_id = await self._folder(request.path_params["key"]), request.path_params["game_id"]
        if not isinstance(folder, LiveTournament) or not _GAME_ID.fullmatch(game_id):
            raise HTTPException(404, "there is no such game; the pages of tournaments have links to theirs")
        return folder, game_id

    async def _feed(self, request: Request) -> tuple[Feed, str]:
        """Return the feed of a page, and the address of the page."""
        path = request.path_params.get("path", "")
        address = f"/{path}" if path else _LIST
        if address not in self._feeds:
            self._feeds[address] = Feed(await self._subject(address), address, self._thread)
            idle = [name for name, feed in self._feeds.items() if not feed.has_readers and name != address]
            for name in idle[:-_MOST_PAGES]:
                del self._feeds[name]
        return self._feeds[address], address

    async def _subject(self, address: str) -> LiveSubject:
        """Return what a page is about; addresses only name what was found below the folders."""
        if address == _LIST:
            return self._known
        kind, _, key = address[1:].partition("/")
        if kind == "folder":
            return await self._folder(key)
        if kind == "compare":
            chosen = [await self._folder(one) for one in key.split("-")]
            tournaments = [one for one in chosen if isinstance(one, LiveTournament)]
            if 1 < len(tournaments) == len(chosen):
                return TournamentComparison(tournaments)
        raise HTTPException(404, "there is no such page; the list has all")

    async def _folder(self, key: str) -> LiveFolder:
        folder = await asyncio.get_running_loop().run_in_executor(self._thread, self._known.find, key)
        if folder is None:
            raise HTTPException(404, "there is no such tournament, study or training any more; the list has all")
        return folder


def _csv(feed: Feed, section: str, number: str) -> str:
    """Return a table of a section by number; of the list, its rows."""
    found = feed.sections.get(section)
    if found is not None:
        listed = next((block for block in found.blocks if isinstance(block, FolderList)), None)
        if listed is not None and number == "folders":
            return folders_csv(listed)
        tables = dict(enumerate(tables_in(found.blocks)))
        if number.isdecimal() and (table := tables.get(int(number[:6]))):
            return table_csv(table)
    raise HTTPException(404, "there is no such table; the page has links to all of its own")
