"""Recorded games opened at tables: a server of tables for each folder, started when the first of its games is opened."""

from __future__ import annotations

import json
import secrets
import socket
import threading
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from tag.errors import TagError
from tag.tournaments.web.server import HOST, new_token, server_of
from tag.tournaments.web.tables.pages import table_application
from tag.tournaments.web.tables.pool import ENGINE, EnginePool
from tag.tournaments.web.tables.recorded import GameList
from tag.tournaments.web.tables.tables import Tables

if TYPE_CHECKING:
    import uvicorn

#: Seconds that a game may take to be opened: agents play it again where its actions were not recorded.
_PATIENCE: Final = 120.0


@dataclass(frozen=True)
class _Server:
    server: uvicorn.Server
    thread: threading.Thread
    port: int
    token: str


class OpenedGames:
    """Servers of tables on ports of their own, whose tables are forgotten in the end; nothing is written to the folders."""

    def __init__(self) -> None:
        """Start nothing yet."""
        self._lock = threading.Lock()
        self._servers: dict[Path, _Server] = {}
        self._tables: TemporaryDirectory[str] | None = None

    def open(self, folder: Path, game_id: str) -> str:
        """Open a recorded game, and return the address of its table, with the token of the server there.

        Raises:
            TagError: the ledger has no such game, it is another one now, or files of users are not trusted.
        """
        with self._lock:
            server = self._servers.get(folder) or self._start(folder)
        origin = f"http://{HOST}:{server.port}"
        connection = HTTPConnection(HOST, server.port, timeout=_PATIENCE)
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "Origin": origin,
            "Cookie": f"tag-{server.port}={server.token}",
        }
        try:
            connection.request("POST", "/games", json.dumps({"game_id": game_id}), headers)
            answer = json.loads(connection.getresponse().read())
        except (OSError, ValueError) as error:
            raise TagError(f"the game cannot be opened: {error}") from None
        finally:
            connection.close()
        if "error" in answer:
            raise TagError(answer["error"])
        return f"{origin}{answer['links'][-1]['href']}?token={server.token}"

    def _start(self, folder: Path) -> _Server:
        games = GameList(folder)
        sources = [str(folder.absolute())] if games.has_sources else []
        self._tables = self._tables or TemporaryDirectory(prefix="tag-tables-")
        tables = Tables(Path(self._tables.name) / secrets.token_hex(4), EnginePool((*ENGINE, *sources)), games)
        token, listener = new_token(), socket.create_server((HOST, 0))
        server = server_of(table_application(tables, token))
        thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
        thread.start()
        found = self._servers[folder] = _Server(server, thread, listener.getsockname()[1], token)
        return found

    def close(self) -> None:
        """End all servers, and forget their tables."""
        for one in self._servers.values():
            one.server.should_exit = True
        for one in self._servers.values():
            one.thread.join(5.0)
        self._servers.clear()
        if self._tables is not None:
            self._tables.cleanup()
            self._tables = None
