"""Hostile and malformed requests: all are refused in a sentence, and change nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from browsers.served_tables import Guest, TableServer, table_server
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

CHANGES = ("play", "undo", "redo", "go", "seat", "pace", "rematch", "stop", "name", "feedback")
#: What the host alone may change, with bodies that would be right.
LOBBY = {"watchers": {"label": "x"}, "revoke": {"key": "KEY"}, "close": {"closed": True}, "delete": {"name": "TABLE"}}
#: No value that would be right here.
JUNK = st.one_of(
    st.none(),
    st.floats(allow_nan=True),
    st.text(max_size=20).filter(lambda text: text.strip() not in ("random", "osla", "mcts", "human")),
    st.integers(min_value=1000),
    st.integers(max_value=-1),
    st.lists(st.integers(), max_size=3),
    st.dictionaries(st.text(max_size=5), st.integers(), max_size=2),
)
FIELDS = st.dictionaries(
    st.sampled_from(["at", "number", "seat", "agent", "seconds", "paused", "agents", "deals", "rating"]), JUNK
)
BODIES = st.one_of(
    st.binary(max_size=200),
    JUNK.map(lambda value: json.dumps(value).encode()),
    FIELDS.map(lambda values: json.dumps({"at": -5, **values}).encode()),
    st.just(b'{"at": 0, "number": 0'),
    st.just(b"[" * 100_000),
    st.just(b'{"at": 1' + b"0" * 5000 + b"}"),
    st.just(b" " * 1_000_001),
)
RIGHT_BODY = json.dumps({"at": 0, "number": 0}).encode()


class Attack:
    """A table in the middle of a game of which nothing may change; the first seat is to move, and links are at hand."""

    def __init__(self, server: TableServer) -> None:
        self.server = server
        self.guests = server.create(game="love_letter", players=2, seats=["human", "human"], seed=3, free=False)
        self.table = server.table
        label = server.host.post(f"/lobby/{self.table}/watchers", {"label": "a watcher"}).json()
        self.guests.append(Guest(server.host, label["href"]))
        self.before = self.seen()

    def seen(self) -> tuple[Any, ...]:
        files = {path.name: path.read_bytes() for path in self.server.folder.iterdir()}
        return files, [guest.get("position").body for guest in self.guests]

    def right_body(self, what: str) -> bytes:
        """Return what the host would send to the lobby."""
        text = json.dumps(LOBBY[what])
        return text.replace("KEY", self.guests[-1].path[3:]).replace("TABLE", self.table).encode()

    def send(self, method: str, path: str, body: bytes | None, headers: dict[str, str | None]) -> int:
        answer = self.server.host.request(method, path, body, {"Cookie": None, **headers})
        assert answer.status >= 400, (method, path, body, headers, answer)
        assert answer.status != 500 or answer.body == b"", (method, path, body, answer)
        assert b"/tmp/" not in answer.body
        assert b"Traceback" not in answer.body
        return answer.status


@pytest.fixture(scope="module")
def attack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attack]:
    with table_server(tmp_path_factory.mktemp("attacked")) as server:
        yield Attack(server)


JSON = {"Content-Type": "application/json"}


Sent = tuple[str, str, bytes | None, dict[str, str | None]]


def requests_of_watchers(path: str, seat: str) -> st.SearchStrategy[Sent]:
    """Requests of one who has but the link for watching at ``path``; ``seat`` is that of a seat of the table."""
    bodies = st.fixed_dictionaries(
        {"at": st.just(0), "number": st.integers(0, 3), "seat": st.just(0), "agent": st.just("random")},
        optional={
            "agents": st.just(["osla"]),
            "name": st.just("Eve"),
            "rating": st.integers(1, 5),
            "deals": st.just(1),
        },
    ).map(lambda values: json.dumps(values).encode())
    what = st.sampled_from([*CHANGES, "ask", "beliefs", "chances"])
    query = st.sampled_from(["", "?viewer=-2", f"?viewer=-2&with={seat[3:]}"])
    views = [f"{path}/position?viewer={viewer}" for viewer in (-1, 0, 1, -3)] + [
        f"{path}/save",
        f"{path}/save?viewer=-2",
    ]
    views += [f"{path}?with={seat[3:]}", f"{seat}?with={path[3:]}", f"{seat}/events?viewer=-2&with={'0' * 32}"]
    return st.one_of(
        st.tuples(
            st.just("POST"), st.tuples(what, query).map(lambda one: f"{path}/{one[0]}{one[1]}"), bodies, st.just(JSON)
        ),
        st.tuples(st.just("GET"), st.sampled_from(views), st.none(), st.just({})),
    )


def requests_to_lobby(attack: Attack) -> st.SearchStrategy[Sent]:
    """Requests to the host's pages: right ones of others, and wrong ones with the host's cookie."""
    lobby, cookie = f"/lobby/{attack.table}", f"tag-{attack.server.host.port}={attack.server.host.token}"
    what, origins = st.sampled_from(list(LOBBY)), st.sampled_from(["http://evil.example", "null", "", None])
    junk = st.one_of(
        st.binary(max_size=200), FIELDS.map(lambda values: json.dumps(values).encode()), st.just(b"[" * 99_999)
    )
    labels = st.one_of(JUNK, st.text(min_size=41), st.just("a\u202e")).filter(lambda one: not is_label(one))
    return st.one_of(
        what.map(lambda one: ("POST", f"{lobby}/{one}", attack.right_body(one), JSON)),
        st.tuples(what, origins).map(
            lambda one: (
                "POST",
                f"{lobby}/{one[0]}",
                attack.right_body(one[0]),
                {**JSON, "Cookie": cookie, "Origin": one[1]},
            )
        ),
        st.tuples(what, junk).map(lambda one: ("POST", f"{lobby}/{one[0]}", one[1], {**JSON, "Cookie": cookie})),
        labels.map(
            lambda one: ("POST", f"{lobby}/watchers", json.dumps({"label": one}).encode(), {**JSON, "Cookie": cookie})
        ),
        what.map(lambda one: ("GET", f"{lobby}/{one}", None, {"Cookie": cookie})),
        st.sampled_from([lobby, "/lobby/", "/lobby/x", f"/lobby/../lobby/{attack.table}", f"{lobby}/"]).map(
            lambda path: ("GET", path, None, {})
        ),
        st.sampled_from(["x", "..", "%2e%2e", "a" * 5000]).map(
            lambda name: ("POST", f"/lobby/{name}/delete", b'{"name": "x"}', {**JSON, "Cookie": cookie})
        ),
    )


def is_label(value: object) -> bool:
    return isinstance(value, str) and 0 < len(" ".join(value.split())) <= 40 and " ".join(value.split()).isprintable()


def requests_to(path: str, other: str) -> st.SearchStrategy[Sent]:
    """Requests to a table whose first link is at ``path``, and its second at ``other``, none of which is right."""
    wrong_key = st.text("0123456789abcdef", min_size=32, max_size=32).map(lambda key: f"/t/{key}")
    changes = st.sampled_from(CHANGES)
    return st.one_of(
        # not JSON, not values, far too much
        st.tuples(st.just("POST"), st.sampled_from(["play", "go", "seat"]).map(lambda what: f"{path}/{what}"), BODIES,
                  st.just(JSON)),
        # a key that nobody has, or a part of one
        st.tuples(st.just("POST"), st.tuples(wrong_key, changes).map("/".join), st.just(RIGHT_BODY), st.just(JSON)),
        st.tuples(st.just("POST"), st.integers(0, 31).map(lambda n: f"{path[:3 + n]}/play"), st.just(RIGHT_BODY),
                  st.just(JSON)),
        # the other seat, which is not in turn
        st.tuples(st.just("POST"), st.sampled_from(["play", "undo", "redo", "go", "seat", "ask"]).map(
            lambda what: f"{other}/{what}"), st.integers(0, 3).map(
            lambda n: json.dumps({"at": 0, "number": n, "seat": 0, "agent": "random", "agents": ["osla"]}).encode()),
            st.just(JSON)),
        # from another page, or not as JSON
        st.tuples(st.just("POST"), changes.map(lambda what: f"{path}/{what}"), st.just(RIGHT_BODY),
                  st.sampled_from(["http://evil.example", "null", "", "http://127.0.0.1:1", "https://127.0.0.1"]).map(
                      lambda origin: {**JSON, "Origin": origin})),
        st.tuples(st.just("POST"), changes.map(lambda what: f"{path}/{what}"), st.just(RIGHT_BODY),
                  st.sampled_from(["text/plain", "application/x-www-form-urlencoded", "", "application/jsonx"]).map(
                      lambda kind: {"Content-Type": kind})),
        # under another name
        st.tuples(st.sampled_from(["GET", "POST"]), st.just(f"{path}/position"), st.none(),
                  st.sampled_from(["evil.example", "127.0.0.1", "localhost:1", "", "127.0.0.1.evil.example"]).map(
                      lambda host: {"Host": host})),
        # other methods, paths and views
        st.tuples(st.sampled_from(["PUT", "DELETE", "PATCH", "OPTIONS"]), changes.map(lambda what: f"{path}/{what}"),
                  st.just(RIGHT_BODY), st.just(JSON)),
        st.tuples(st.just("GET"), st.sampled_from([
            "/static/../table.py", "/static/%2e%2e/table.py", "/static/..%2f..%2fserver.py", "/t/../tables", "/tables",
            "/t/%00/play", "/t//play", f"{path}/../../tables", f"{path}/play", f"{path}/%2e%2e", "//evil.example/t/",
            f"{path}/position?viewer=-1", f"{path}/position?viewer=1", f"{path}/events?viewer=-1", f"{path}?viewer=x",
            f"{path}/position?at=1", f"{path}/position?at=-1", f"{path}/position?at=1e3", f"{path}/position?at=%D9%A3",
            f"{path}/position?at={'9' * 400}", f"{path}/save", "/tables/forms?agent=mcts", "/?token=wrong",
            "/games", "/games?agent=x", "/games?page=%00", "/lobby/x",
        ]), st.none(), st.just({})),
        st.tuples(st.just("GET"), st.text("abc/.%20t-", min_size=1, max_size=30).map(lambda text: f"/x{text}"), st.none(),
                  st.just({})),
        # by guests, what is the host's
        st.tuples(st.just("POST"), st.just("/tables"), st.just(b'{"game": "nim", "seats": ["human", "human"]}'),
                  st.just(JSON)),
        st.tuples(st.just("POST"), st.just("/games"), st.just(b'{"game_id": "b0-m0-s0"}'), st.just(JSON)),
    )  # fmt: skip


def send_many(attack: Attack, examples: int) -> None:
    statuses: set[int] = set()

    @settings(max_examples=examples, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(
        st.one_of(
            requests_to(attack.guests[0].path, attack.guests[1].path),
            requests_of_watchers(attack.guests[2].path, attack.guests[0].path),
            requests_to_lobby(attack),
        )
    )
    def send(request: Sent) -> None:
        statuses.add(attack.send(*request))

    send()
    assert attack.seen() == attack.before
    assert {400, 403, 404} <= statuses
    assert 500 not in statuses


@pytest.mark.flow
def test_300_hostile_requests_change_nothing(attack):
    send_many(attack, 300)


@pytest.mark.slow
def test_10000_hostile_requests_change_nothing(attack):
    send_many(attack, 10_000)
