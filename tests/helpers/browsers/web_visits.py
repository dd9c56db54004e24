"""A server of pages in a thread of the test, and a visitor who sends it any request."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from starlette.types import ASGIApp

from tag.tournaments.web.server import HOST, server_of

#: Seconds that a test waits for an answer; machines that run tests may be very busy.
_PATIENCE = 120
#: After so many heart-beats without an event, two minutes, what a test waits for does not come.
_SILENT = 8


class Answer(NamedTuple):
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    def json(self) -> Any:
        return json.loads(self.body)


class Visitor:
    """A browser with the token, as far as headers go; each may be replaced, or left out by None."""

    def __init__(self, port: int, token: str, stop: Callable[[], None]) -> None:
        self.port = port
        self.stop = stop
        self.token = token
        self.origin = f"http://{HOST}:{port}"
        self._own = {"Host": f"{HOST}:{port}", "Cookie": f"tag-{port}={token}", "Origin": self.origin}

    def request(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str | None] | None = None
    ) -> Answer:
        connection = http.client.HTTPConnection(HOST, self.port, timeout=_PATIENCE)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            size = None if body is None else str(len(body))
            for name, value in {**self._own, "Content-Length": size, **(headers or {})}.items():
                if value is not None:
                    connection.putheader(name, value)
            connection.endheaders(body)
            response = connection.getresponse()
            return Answer(response.status, response.headers, response.read())
        finally:
            connection.close()

    def get(self, path: str, **headers: str | None) -> Answer:
        return self.request("GET", path, headers=headers)

    def post(self, path: str, value: object, **headers: str | None) -> Answer:
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        return self.request("POST", path, body, {"Content-Type": "application/json", **headers})

    @contextmanager
    def events(self, path: str) -> Iterator[Iterator[tuple[str, Any]]]:
        """Listen to a stream of events: their names and data, as they come; it ends at the eighth heart-beat in a row."""
        connection = http.client.HTTPConnection(HOST, self.port, timeout=_PATIENCE)
        connection.request("GET", path, headers=self._own)
        response = connection.getresponse()
        try:
            yield _events_in(response)
        finally:
            response.close()
            connection.close()


def _events_in(response: http.client.HTTPResponse) -> Iterator[tuple[str, Any]]:
    name, silent = "", 0
    for line in iter(response.readline, b""):
        field, _, value = line.decode().strip().partition(": ")
        if field == "event":
            name = value
        elif line.startswith(b":"):
            silent += 1
            if silent == _SILENT:
                return
        elif field == "data":
            silent = 0
            yield name, json.loads(value)


@contextmanager
def visited(app: ASGIApp, token: str) -> Iterator[Visitor]:
    """Serve an application on a free port."""
    with socket.create_server((HOST, 0)) as listener:
        server = server_of(app)
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()

        def stop() -> None:
            server.should_exit = True
            thread.join()

        while not server.started:
            assert thread.is_alive()
            time.sleep(0.005)
        try:
            yield Visitor(listener.getsockname()[1], token, stop)
        finally:
            stop()
