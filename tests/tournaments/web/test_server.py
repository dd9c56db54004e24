"""Who gets an answer from the server of pages, and what mistakes and attacks get."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from browsers.web_visits import Visitor, visited
from commands import run_tag
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from tag.errors import ParameterError
from tag.tournaments.web import server
from tag.tournaments.web.server import PageEvent, application, event_stream, new_token, read_json

TOKEN = new_token()
#: What has happened on the server.
changes: list[object] = []
ended = threading.Event()


def hello(request: Request) -> Response:
    return PlainTextResponse(request.url.query or "hello")


async def change(request: Request) -> Response:
    changes.append(await read_json(request))
    return JSONResponse({"changed": True})


def mistake(_request: Request) -> Response:
    raise ParameterError("'/home/somebody/my runs/first' holds no tournament; name a folder that does, as games/s")


def failure(_request: Request) -> Response:
    raise RuntimeError("/home/somebody/secret")


async def numbers() -> AsyncIterator[PageEvent]:
    try:
        for number in range(3):
            yield PageEvent("number", {"number": number, "text": "a\nb"})
        await asyncio.sleep(60)
    finally:
        ended.set()


async def stream(_request: Request) -> Response:
    return event_stream(numbers())


ROUTES = [
    Route("/", hello),
    Route("/change", change, methods=["POST", "PUT", "DELETE"]),
    Route("/mistake", mistake),
    Route("/failure", failure),
    Route("/stream", stream),
]


@pytest.fixture(scope="module")
def visitor() -> Iterator[Visitor]:
    with visited(application(ROUTES, TOKEN), TOKEN) as found:
        yield found


@pytest.fixture(autouse=True)
def nothing_changed() -> None:
    changes.clear()


def test_the_first_visit_exchanges_the_token_for_a_cookie(visitor: Visitor) -> None:
    answer = visitor.get(f"/?a=1&token={TOKEN}&b=%26", Cookie=None, Origin=None)
    assert answer.status == 303
    assert answer.headers["Location"] == "/?a=1&b=%26"
    cookie = answer.headers["Set-Cookie"]
    assert cookie.lower() == f"tag-{visitor.port}={TOKEN}; httponly; path=/; samesite=strict".lower()
    following = visitor.get("/?a=1&b=%26", Cookie=cookie.partition(";")[0], Origin=None)
    assert (following.status, following.text) == (200, "a=1&b=%26")


def test_the_redirection_leads_to_this_server(visitor: Visitor) -> None:
    assert visitor.get(f"//elsewhere.example/?token={TOKEN}").headers["Location"] == "/elsewhere.example/"


@pytest.mark.parametrize("path", ["/", "/static/web.css", "/nowhere", "/?token=", "/?token=wrong", "/?token=%C3%BC"])
def test_without_the_token_nothing_is_told(path: str, visitor: Visitor) -> None:
    for cookie in (None, "", f"tag-{visitor.port}=wrong", f"tag-1={TOKEN}", "\x01;=;;tag"):
        answer = visitor.get(path, Cookie=cookie)
        assert answer.status in (400, 403)
        assert b"hello" not in answer.body
        assert TOKEN not in answer.text


@pytest.mark.parametrize(
    "host", [None, "", "evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "[::1]:{port}"]
)
def test_other_names_of_the_host_are_refused(host: str | None, visitor: Visitor) -> None:
    """A page elsewhere whose name is bound anew to 127.0.0.1 has the cookie's port, but not the name."""
    answer = visitor.get("/", Host=host and host.format(port=visitor.port))
    assert answer.status == 400
    assert b"hello" not in answer.body


def test_localhost_is_a_name_of_this_machine(visitor: Visitor) -> None:
    assert visitor.get("/", Host=f"localhost:{visitor.port}").text == "hello"


@pytest.mark.parametrize(
    "origin", [None, "null", "http://evil.example", "https://127.0.0.1:{port}", "http://127.0.0.1:1"]
)
def test_other_origins_change_nothing(origin: str | None, visitor: Visitor) -> None:
    assert visitor.post("/change", {}, Origin=origin and origin.format(port=visitor.port)).status == 403
    assert changes == []


@pytest.mark.parametrize("kind", [None, "", "text/plain", "multipart/form-data", "application/x-www-form-urlencoded"])
def test_forms_change_nothing(kind: str | None, visitor: Visitor) -> None:
    assert visitor.post("/change", {}, **{"Content-Type": kind}).status == 415
    assert changes == []


def test_a_page_of_the_server_changes_something(visitor: Visitor) -> None:
    assert visitor.post("/change", {"a": [1]}).json() == {"changed": True}
    assert changes == [{"a": [1]}]
    assert visitor.request("PUT", "/change", b"1", {"Content-Type": "application/json; charset=utf-8"}).status == 200
    assert (
        visitor.post(f"/change?token={TOKEN}", {}, Cookie=None).status == 403
    )  # the token of an address is for reading


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"nonsense", b"[" * 100_000])
def test_bodies_that_are_not_json_are_refused(body: bytes, visitor: Visitor) -> None:
    answer = visitor.post("/change", body)
    assert answer.status == 400
    assert answer.json()["error"].startswith("the body of the request is not JSON")
    assert changes == []


def test_huge_bodies_are_refused(visitor: Visitor) -> None:
    assert visitor.post("/change", b" " * 999_999 + b"1").status == 200
    assert visitor.post("/change", b"1", **{"Content-Length": "1000001"}).status == 413
    # Without a body: the server hangs up at once, and what it has not read would reset the connection before its answer.
    headers = {"Content-Type": "application/json", "Content-Length": "9" * 5_000}
    assert visitor.request("POST", "/change", headers=headers).status in (400, 413)
    chunk = b"%x\r\n" % 600_000 + b" " * 600_000 + b"\r\n"
    answer = visitor.request(
        "POST",
        "/change",
        chunk + chunk + b"1\r\n1\r\n0\r\n\r\n",
        {"Content-Length": None, "Transfer-Encoding": "chunked", "Content-Type": "application/json"},
    )
    assert answer.status == 413
    assert changes == [1]


@pytest.mark.parametrize(
    "path",
    [
        "/static/../server.py",
        "/static/%2e%2e/server.py",
        "/static/..%2fserver.py",
        "/static/..%5cserver.py",
        "/static//etc/passwd",
        "/static/%2fetc%2fpasswd",
        "/static/web.css%00.py",
        "/static/",
        "/static/.",
        "/../../etc/passwd",
        "/%00",
        "/nowhere",
    ],
)
def test_tricks_with_paths_find_nothing(path: str, visitor: Visitor) -> None:
    answer = visitor.get(path)
    assert answer.status in (400, 404)
    assert len(answer.body) < 300
    assert b"/work" not in answer.body


def test_every_answer_has_the_headers_of_safety(visitor: Visitor) -> None:
    answers = [
        visitor.get("/"),
        visitor.get("/static/page.css"),
        visitor.get("/nowhere"),
        visitor.get("/", Host="evil.example"),
        visitor.get("/", Cookie=None),
        visitor.request("OPTIONS", "/change"),
    ]
    for answer in answers:
        assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self' 'sha256-")
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["Cache-Control"] == "no-store"
        assert "Access-Control-Allow-Origin" not in answer.headers
        assert "Server" not in answer.headers


def test_errors_are_a_sentence_without_folders_of_the_machine(
    visitor: Visitor, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        logging.getLogger("uvicorn.error"), "disabled", False
    )  # migrations of MLflow's store disable it
    answer = visitor.get("/mistake")
    assert answer.status == 400
    assert answer.json() == {"error": "'first' holds no tournament; name a folder that does, as games/s"}
    shown = visitor.get("/mistake", Accept="text/html,*/*")
    assert '<p role="alert">&#39;first&#39; holds no tournament; name a folder that does, as games/s.</p>' in shown.text
    failed = visitor.get("/failure")
    assert failed.status == 500
    assert failed.json() == {"error": "this is a fault of tag's own; the terminal of the server shows the traceback"}
    until = time.monotonic() + 10.0
    while "RuntimeError" not in caplog.text and time.monotonic() < until:
        time.sleep(0.01)  # the answer is sent before the server's thread logs
    assert "RuntimeError" in caplog.text


def test_events_arrive_and_end_when_the_reader_leaves(visitor: Visitor) -> None:
    ended.clear()
    with visitor.events("/stream") as events:
        found = [next(events) for _event in range(3)]
    assert found == [("number", {"number": number, "text": "a\nb"}) for number in range(3)]
    assert ended.wait(5)


def test_silence_is_filled_with_heart_beats(monkeypatch: pytest.MonkeyPatch, visitor: Visitor) -> None:
    monkeypatch.setattr(server, "HEART_BEAT", 0.01)
    with socket.create_connection(("127.0.0.1", visitor.port), timeout=5) as connection:
        head = f"GET /stream HTTP/1.1\r\nHost: 127.0.0.1:{visitor.port}\r\nCookie: tag-{visitor.port}={TOKEN}\r\n\r\n"
        connection.sendall(head.encode())
        heard = b""
        while heard.count(b": still here") < 3:
            heard += connection.recv(10_000)


def test_open_streams_do_not_keep_the_server_alive() -> None:
    ended.clear()
    with visited(application(ROUTES, TOKEN), TOKEN) as other, other.events("/stream") as events:
        next(events)
        other.stop()
        assert ended.wait(5)


def test_a_busy_port_is_replaced_by_the_next() -> None:
    with server._listening(0) as first:
        port = first.getsockname()[1]
        with server._listening(port) as second:
            assert port < second.getsockname()[1] < port + 20


@pytest.mark.parametrize("words", [["serve", "."], ["table", "--out", "FOLDER"]])
def test_each_start_has_a_token_of_its_own(words: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """But for tables, whose token stays with their folder."""
    monkeypatch.chdir(tmp_path)
    tokens: list[str] = []
    monkeypatch.setattr(server, "serve", lambda _pages, token, *_rest, **_options: tokens.append(token))
    for start in range(3):
        assert run_tag(*(word.replace("FOLDER", f"tables{start}") for word in words), "--no-browser").exit_code == 0
    assert len(set(tokens)) == 3
    assert min(map(len, tokens)) >= 22  # 128 bits, six in a letter


def test_the_server_listens_on_the_loopback_device_only() -> None:
    with server._listening(0) as listening:
        assert listening.getsockname()[0] == "127.0.0.1"
