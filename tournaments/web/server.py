"""A server of pages for the user of this machine alone: access, headers, templates, events and start-up.

`application` wraps routes so that only a browser with the token gets an answer; `serve` runs it until Ctrl-C. A route
answers with `page`, `event_stream` or any response of starlette. It refuses by raising ``HTTPException(status, sentence)``
or an error of `tag.errors`; `application` makes the answer.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import re
import secrets
import socket
import sys
import threading
import webbrowser
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from functools import cache
from http.cookies import CookieError, SimpleCookie
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl, urlencode

import click
import uvicorn
from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tag.errors import ParameterError, TagError, one_line
from tag.tournaments.reports.html.page import script_digest, script_text, style_text

HOST: Final = "127.0.0.1"
#: The names under which a browser of this machine reaches the server; others come from DNS rebinding.
_NAMES: Final = (HOST, "localhost")
#: So many ports after the wanted one are tried if it is busy.
_PORTS: Final = 20
#: The largest body of a request, in bytes.
LARGEST_BODY: Final = 1_000_000
#: Seconds without an event after which a comment is sent, so that the connection of a reader who left is noticed.
HEART_BEAT: Final = 15.0
#: Seconds that open streams of events may delay the end of the server.
_LAST_ANSWERS: Final = 1

_HEADERS: Final = {
    "Content-Security-Policy": f"default-src 'none'; script-src 'self' '{script_digest()}'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
}
#: The folders of an absolute path, which an error must not tell.
_FOLDERS: Final = re.compile(r"(?<![\w.])/(?:[^/'\"\n]+/)+")


class _Guard:
    """Lets requests pass that come from this machine's browser with the token, and adds the headers of safety."""

    def __init__(self, inner: ASGIApp, token: str, keyed: Sequence[str]) -> None:
        self._inner = inner
        self._token = token.encode()
        self._keyed = tuple(keyed)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":  # the start and end of the server; web sockets have no route
            await self._inner(scope, receive, send)
            return
        send = _with_headers(send)
        try:
            entrance = self._entrance(scope)
            if entrance is None:
                await self._inner(scope, _limited(receive), send)
            else:
                await entrance(scope, receive, send)
        except HTTPException as refusal:
            await PlainTextResponse(f"{refusal.detail}\n", refusal.status_code)(scope, receive, send)

    def _entrance(self, scope: Scope) -> Response | None:
        """Check a request; return the redirection of a first visit, whose address has the token."""
        headers = Headers(scope=scope)
        port = scope["server"][1]
        hosts = [f"{name}:{port}" for name in _NAMES]
        if headers.getlist("host") not in [[host] for host in hosts]:
            raise HTTPException(400, f"this server answers at http://{hosts[0]} only")
        words = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        is_reading = scope["method"] in ("GET", "HEAD")
        if is_reading and any(name == "token" for name, _value in words):
            return self._welcome(scope["path"], words, port)
        scope["is_host"] = self._is_right(_cookie(headers, f"tag-{port}"))
        if not scope["is_host"] and not scope["path"].startswith(self._keyed):
            raise HTTPException(403, "this page needs the token; open the address that the command has printed")
        if not is_reading:
            _check_change(headers)
        return None

    def _welcome(self, path: str, words: Sequence[tuple[str, str]], port: int) -> Response:
        if not self._is_right(dict(words)["token"]):
            raise HTTPException(403, "the token is wrong; open the address that the command has printed")
        others = urlencode([(name, value) for name, value in words if name != "token"])
        # One slash at the start: two would lead to another machine.
        answer = RedirectResponse(f"/{path.lstrip('/')}{'?' if others else ''}{others}", 303)
        answer.set_cookie(f"tag-{port}", self._token.decode(), httponly=True, samesite="strict")  # cookies ignore ports
        return answer

    def _is_right(self, token: str) -> bool:
        return secrets.compare_digest(token.encode(), self._token)


def _cookie(headers: Headers, name: str) -> str:
    with contextlib.suppress(CookieError):
        found = SimpleCookie(headers.get("cookie", "")).get(name)
        return found.value if found else ""
    return ""


def _check_change(headers: Headers) -> None:
    """Refuse requests that change something, unless they are JSON from a page of this server and small."""
    if headers.get("origin") != f"http://{headers['host']}":
        raise HTTPException(403, "only the pages of this server may change something")
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise HTTPException(415, "the body of a request is application/json")
    length = headers.get("content-length", "0")
    if not length.isdecimal() or int(length[:20]) > LARGEST_BODY:
        raise _too_large()


def _limited(receive: Receive) -> Receive:
    """Refuse bodies that turn out too large while they arrive."""
    size = 0

    async def counted() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > LARGEST_BODY:
            raise _too_large()
        return message

    return counted


def _too_large() -> HTTPException:
    return HTTPException(413, f"the body of a request has {LARGEST_BODY:,} bytes at most")


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers[name] = value
        await send(message)

    return sending


@cache
def _templates() -> Environment:
    return Environment(
        loader=ChoiceLoader([PackageLoader(__package__), PackageLoader("tag.tournaments.reports.html", "")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def fragment(template: str, **values: Any) -> str:
    """Return a part of a page as HTML; values are escaped."""
    return _templates().get_template(template).render(**values)


def page(template: str, *, status: int = 200, **values: Any) -> Response:
    """Answer with a template of this package's folder ``templates``; most extend ``base.html.jinja``."""
    return HTMLResponse(fragment(template, **values), status)


class PageEvent(NamedTuple):
    """Message to a page: a listener of this name gets the data as JSON."""

    name: str
    data: Any

    def encoded(self) -> bytes:
        """Return the event as it is sent."""
        return f"event: {self.name}\ndata: {json.dumps(self.data, allow_nan=False)}\n\n".encode()


async def read_json(request: Request) -> Any:
    """Return the body of a request as plain values; refuse what is not JSON."""
    try:
        return await request.json()
    except (ValueError, RecursionError) as error:
        raise HTTPException(400, f"the body of the request is not JSON: {one_line(str(error))}") from error


async def json_object(request: Request) -> Mapping[str, Any]:
    """Return the values in the body of a request, by name; refuse what is not a JSON object."""
    found = await read_json(request)
    if not isinstance(found, dict):
        raise HTTPException(400, "the body of the request is not a JSON object")
    return found


def event_stream(events: AsyncIterator[PageEvent]) -> Response:
    """Answer with server-sent events, as they come; ``events`` is closed when the reader leaves or the server ends."""
    return StreamingResponse(_with_heart_beats(events), media_type="text/event-stream")


async def _with_heart_beats(events: AsyncIterator[PageEvent]) -> AsyncIterator[bytes]:
    yield b"retry: 2000\n\n"
    coming = None
    try:
        while True:
            coming = coming or asyncio.ensure_future(anext(events))
            done, _waiting = await asyncio.wait([coming], timeout=HEART_BEAT)
            if not done:
                yield b": still here\n\n"
                continue
            event, coming = coming.result(), None
            yield event.encoded()
    except StopAsyncIteration:
        pass
    finally:
        if coming is not None:
            coming.cancel()
            await asyncio.wait([coming])
        if hasattr(events, "aclose"):
            await events.aclose()


def without_folders(text: str) -> str:
    """Return a text without the folders of absolute paths, which pages do not tell."""
    return _FOLDERS.sub("", text)


def _mistake(request: Request, error: Exception) -> Response:
    """Answer with an error in one sentence: as a page where a browser shows it, otherwise as JSON."""
    if isinstance(error, HTTPException):
        status, sentence = error.status_code, error.detail
    elif isinstance(error, TagError):
        status, sentence = 400, str(error)
    else:
        status, sentence = 500, "this is a fault of tag's own; the terminal of the server shows the traceback"
    sentence = without_folders(one_line(sentence))
    if "text/html" in request.headers.get("accept", ""):
        return page("error.html.jinja", status=status, sentence=sentence)
    return JSONResponse({"error": sentence}, status)


def new_token() -> str:
    """Return a token that cannot be guessed."""
    return secrets.token_urlsafe(16)


def application(
    routes: Sequence[BaseRoute],
    token: str,
    lifespan: Callable[[Starlette], Any] | None = None,
    keyed: Sequence[str] = (),
) -> ASGIApp:
    """Return an application that answers browsers of this machine that have the token.

    The folder ``static`` of this package is at ``/static``, with the style and the script of reports as ``page.css``
    and ``tables.js`` in it.

    Args:
        routes: what there is besides; an ordinary function runs in a thread, an ``async`` one must not compute long.
        token: of `new_token`.
        lifespan: an asynchronous context manager around the time of serving.
        keyed: the beginnings of paths whose routes ask for keys of their own; ``request.scope["is_host"]`` says whether the
            visitor has the token.
    """
    static = Mount("/static", StaticFiles(packages=[(str(__package__), "static")]))
    handlers = {HTTPException: _mistake, TagError: _mistake, Exception: _mistake}
    inner = Starlette(
        routes=[
            Route("/static/page.css", _style_of_reports),
            Route("/static/tables.js", _script_of_reports),
            static,
            *routes,
        ],
        exception_handlers=handlers,
        lifespan=lifespan,
    )
    return _Guard(inner, token, keyed)


def _style_of_reports(_request: Request) -> Response:
    return Response(style_text(), media_type="text/css")


def _script_of_reports(_request: Request) -> Response:
    return Response(script_text(), media_type="text/javascript")


def serve(app: ASGIApp, token: str, port: int = 0, *, path: str = "/", opens: bool = False) -> None:
    """Answer requests on loopback until Ctrl-C; prints the address with the token.

    Args:
        app: an `application`.
        token: the same.
        port: where to listen; a busy one is replaced by the next that is free, 0 by any.
        path: the first page.
        opens: whether to open it in a browser.
    """
    with _listening(port) as listener:
        address = f"http://{HOST}:{listener.getsockname()[1]}{path}?token={token}"
        click.echo(f"{address}\nCtrl-C ends")
        if opens:  # connections wait in the socket until the server has started
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        with contextlib.suppress(KeyboardInterrupt):
            server_of(app).run([listener])


def has_desktop() -> bool:
    """Say whether a browser can show a page to the user: not over ssh, nor where output goes to a file."""
    has_display = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    return sys.stdout.isatty() and (has_display or sys.platform in ("darwin", "win32"))


class _EndOfStreams(logging.Filter):
    """Leaves out messages of uvicorn about streams of events that the end of the server has cut off."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Say whether a record tells of anything else."""
        error = record.exc_info[1] if record.exc_info else None
        return not isinstance(error, asyncio.CancelledError) and not str(record.msg).startswith(
            "Cancel %s running task"
        )


_END_OF_STREAMS: Final = _EndOfStreams()


def server_of(app: ASGIApp) -> uvicorn.Server:
    """Return the server of an application, silent except for errors; ``run([socket])`` starts it."""
    logging.getLogger("uvicorn.error").addFilter(_END_OF_STREAMS)
    return uvicorn.Server(
        uvicorn.Config(
            app,
            log_config=None,
            log_level="error",
            access_log=False,
            server_header=False,
            ws="none",
            timeout_graceful_shutdown=_LAST_ANSWERS,
        )
    )


def _listening(port: int) -> socket.socket:
    """Return a socket that listens on the port or, where it is busy, on one of the next."""
    for wanted in range(port, min(port + _PORTS, 1 << 16)) if port else [0]:
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, wanted))
        except OSError:
            listener.close()
            continue
        listener.listen(128)
        return listener
    raise ParameterError(f"the ports {port} to {port + _PORTS - 1} are all busy; --port 0 takes any that is free")
