"""Hostile and malformed requests to the workbench: all are refused in a sentence, start nothing and change nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from browsers.web_visits import Answer, Visitor, visited
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tag.tournaments import define, run_tournament
from tag.tournaments.web.live.pages import live_pages
from tag.tournaments.web.server import new_token
from tag.tuning.commands.live import KINDS
from tag.tuning.commands.workbench import processes
from tag.tuning.commands.workbench.kinds import KINDS as RUN_KINDS
from tag.tuning.commands.workbench.kinds import RunKind
from tag.tuning.commands.workbench.pages import WorkbenchPages
from tag.tuning.commands.workbench.wanted import RefusedError, read_values

pytestmark = pytest.mark.flow

#: The options whose values are specs of games, agents or learners, or may be.
SPECS = {"game", "learner", "agents", "versus", "held_out", "enqueue", "retune", "evaluate"}

TOKEN = new_token()
JSON = {"Content-Type": "application/json"}
CHANGES = ("start", "check", "estimate", "pause", "resume", "extend", "forget")
FORMS = ("start", "check", "estimate")
RIGHT: Mapping[str, Any] = {
    "kind": "tournament",
    "name": "new",
    "values": {"game": ["nim"], "agents": ["osla", "random"], "blocks": 2, "seed": 1},
}
#: Nothing that is right anywhere.
JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.floats(allow_nan=True),
    st.integers(max_value=-1),
    st.integers(min_value=1 << 63),
    st.text(max_size=0),
    st.lists(st.integers(), max_size=3),
    st.dictionaries(st.text(max_size=5), st.integers(), max_size=2),
    st.text(min_size=2_001, max_size=2_010),
)
OPTIONS = st.sampled_from(
    [
        "--trust",
        "--help",
        "--agent=a.py",
        "--address=10.0.0.1:6379",
        "-h",
        "--",
        "-",
        "--out=/etc",
        "--extend",
        "-1e",
        "-,",
    ]
)
FILES = st.one_of(
    st.sampled_from(
        [
            "/etc/passwd", "../secret", "..", "~/x", "a/b", "a\\b", "agent.py", "agent.py:Mine", "game.py:Game:size=3",
            "spec.json", "mcts:heuristic=value.py:Mine", "learned:file=model.safetensors", "process:command=(rm -rf .)",
            "process:url=http://evil.example", "mcts:opponent=(process:command=ls)", "$(touch x).sh", "`touch x`.py",
            "x; touch y.z", "experiment.toml", "file:///etc/hosts",
        ]
    ),
    st.text("abc./\\~", min_size=1, max_size=20).filter(lambda text: "/" in text or "\\" in text),
)  # fmt: skip
UNREADABLE = st.sampled_from(["a\nb", "a\0b", "nim\r", "\x1b[2J", "a\u2028b", "\ud800", "\u202enim"])
NO_NAMES = st.text("bcdfghjk", min_size=3, max_size=12).map(lambda text: f"zz{text}")
TEXTS = st.one_of(OPTIONS, FILES, UNREADABLE, NO_NAMES, JUNK)
#: Names of runs that lead elsewhere, or are there.
NAMES = st.one_of(
    st.sampled_from(
        [
            "..", "../x", "a/../../x", "/etc/x", "a//b", "a/", ".hidden", ".workbench", ".workbench/x", "a/.x", "-x", "a/-x",
            "mlflow", "a/mlflow", "link/x", "link", "there", "there/inside", "full", "a b", "a\nb", "a\0", "a;b", "$x", "~",
            "x" * 61, "a/b/c/d/e", "x" * 3000, "CON\\x", "..\\x", "%2e%2e/x", "\u2024\u2024/x", "ä",
        ]
    ),
    st.text("./-~\\", min_size=1, max_size=10),
    st.integers(1, 9),
    st.lists(st.text(max_size=3), min_size=1, max_size=2),
)  # fmt: skip


def with_value(name: str, value: object) -> dict[str, Any]:
    return {**RIGHT, "values": {**RIGHT["values"], name: value}}


def with_item(name: str, value: object) -> dict[str, Any]:
    return with_value(name, [*RIGHT["values"][name], value])


BODIES = st.one_of(
    st.tuples(st.sampled_from(["agents", "game"]), TEXTS).map(lambda pair: with_item(*pair)),
    st.tuples(st.sampled_from(["agents", "game", "metrics", "draw", "hold"]), JUNK).map(lambda pair: with_value(*pair)),
    st.tuples(st.sampled_from(["design", "opening", "sprt", "budgets", "streams", "part", "players"]),
              st.one_of(OPTIONS, FILES, UNREADABLE)).map(lambda pair: with_value(*pair)),
    st.tuples(st.sampled_from(["metrics", "draw", "hold", "compare"]), st.one_of(OPTIONS, FILES, UNREADABLE)).map(
        lambda pair: with_value(pair[0], [pair[1]])),
    st.tuples(st.sampled_from(["blocks", "seed", "workers", "hang_seconds"]),
              st.one_of(OPTIONS, FILES, st.integers(max_value=-1), st.integers(min_value=1 << 63), st.none(),
                        st.just([]), st.just({}))).map(lambda pair: with_value(*pair)),
    st.sampled_from(["out", "address", "tracking_uri", "ray", "trust", "ledger", "tag_space", "warm_start", "__x__"]).map(
        lambda name: with_value(name, "x")),
    NAMES.map(lambda name: {**RIGHT, "name": name}),
    st.one_of(JUNK, NO_NAMES).map(lambda kind: {**RIGHT, "kind": kind}),
    st.one_of(st.none(), st.text(), st.lists(st.integers()), st.integers()).map(lambda values: {**RIGHT, "values": values}),
    st.just({**RIGHT, "values": {**RIGHT["values"], "agents": ["random"] * 101}}),
    st.sampled_from(["rhea", "show", "report", "zz"]).map(
        lambda game: {"kind": "balancing study", "values": {"game": game, "games": 10}}),
    st.sampled_from(["show", "export", "nim", "zz"]).map(
        lambda agent: {"kind": "study", "values": {"agents": [agent], "game": ["nim"], "games": 10}}),
    st.sampled_from(["show", "osla", "td:file=x.y"]).map(
        lambda learner: {"kind": "training", "values": {"learner": learner, "game": "nim", "episodes": 10}}),
)  # fmt: skip
RUNS = st.one_of(
    JUNK, NAMES.filter(lambda name: name != "there"), NO_NAMES, st.sampled_from(["there/ledger", "link/secret"])
)
ACTIONS = st.one_of(
    st.tuples(st.sampled_from(["pause", "resume", "extend", "forget"]), RUNS.map(lambda run: {"run": run, "values": {}})),
    st.tuples(st.sampled_from(["pause", "resume", "forget"]), st.just({"run": "there"})),
    st.tuples(st.just("extend"), st.one_of(
        JUNK, st.dictionaries(st.sampled_from(["seed", "out", "workers", "trust", "game"]), st.just(1), min_size=1),
        st.tuples(st.just("blocks"), st.one_of(OPTIONS, FILES, st.integers(max_value=0))).map(lambda pair: dict([pair])),
        st.tuples(st.just("agents"), st.one_of(OPTIONS, FILES, NO_NAMES, UNREADABLE)).map(
            lambda pair: {pair[0]: [pair[1]]}),
    ).map(lambda values: {"run": "there", "values": values})),
)  # fmt: skip
RAW = st.one_of(
    st.binary(max_size=200).filter(lambda raw: raw.strip() != b""),
    st.sampled_from(
        [b"", b"[" * 100_000, b'{"a": 1' + b"0" * 5000 + b"}", b" " * 1_000_001, b"null", b"[]", b'"x"', b"1"]
    ),
)
RIGHT_BODY = json.dumps(RIGHT).encode()
Request = tuple[str, str, bytes | None, dict[str, str | None]]


def posted(what: str, body: object) -> Request:
    return "POST", f"/workbench/{what}", json.dumps(body).encode(), {**JSON}


REQUESTS: st.SearchStrategy[Request] = st.one_of(
    st.tuples(st.sampled_from(FORMS), BODIES).map(lambda pair: posted(*pair)),
    ACTIONS.map(lambda pair: posted(*pair)),
    st.tuples(st.sampled_from(CHANGES), RAW).map(lambda pair: ("POST", f"/workbench/{pair[0]}", pair[1], {**JSON})),
    # from another page, another machine's name, without the token, or not as JSON
    st.tuples(
        st.sampled_from(CHANGES),
        st.sampled_from(
            [
                {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": None}, {"Origin": "http://127.0.0.1:1"},
                {"Host": "evil.example"}, {"Host": "127.0.0.1.evil.example"}, {"Host": ""},
                {"Cookie": None}, {"Cookie": "tag-1=x"}, {"Cookie": "a"},
                {"Content-Type": "text/plain"}, {"Content-Type": "multipart/form-data"}, {"Content-Type": None},
            ]
        ),
    ).map(lambda pair: ("POST", f"/workbench/{pair[0]}", RIGHT_BODY, {**JSON, **pair[1]})),
    st.tuples(st.sampled_from(["GET", "PUT", "DELETE", "PATCH", "OPTIONS"]), st.sampled_from(CHANGES)).map(
        lambda pair: (pair[0], f"/workbench/{pair[1]}", RIGHT_BODY, {**JSON})),
    st.tuples(st.sampled_from(["agent", "game", "learner", "x"]), st.one_of(OPTIONS, FILES, NO_NAMES)).map(
        lambda pair: ("GET", f"/workbench/forms?{pair[0]}={pair[1].replace(' ', '+')}", None, {})),
    st.sampled_from(
        [
            "/workbench/", "/workbench/../secret", "/workbench/%2e%2e", "/workbench/runs/x", "/workbench/start?x=1",
            "/static/workbench/../../server.py", "/static/workbench/%2e%2e/%2e%2e/server.py", "/workbench/forms",
            "/workbench/forms?agent=mcts&game=nim", "/workbench?token=wrong",
        ]
    ).map(lambda path: ("GET", path, None, {})),
    st.sampled_from(["/workbench", "/workbench/runs", "/workbench/forms?agent=mcts"]).map(
        lambda path: ("GET", path, None, {"Cookie": None})),
)  # fmt: skip


class Attack:
    """A served folder with a run of which nothing may change, beside a folder that must stay unread."""

    def __init__(self, home: Path, visitor: Visitor) -> None:
        self.home = home
        self.visitor = visitor
        self.before = self.seen()

    def seen(self) -> dict[str, tuple[int, int]]:
        found = {path: path.lstat() for path in [self.home, *self.home.rglob("*")]}
        return {str(path): (stat.st_mtime_ns, stat.st_size) for path, stat in found.items()}

    def send(self, method: str, path: str, body: bytes | None, headers: dict[str, str | None]) -> Answer:
        answer = self.visitor.request(method, path.encode("ascii", "ignore").decode(), body, headers)
        assert answer.status >= 400, (method, path, body, headers, answer)
        assert answer.status != 500, (method, path, body, answer)
        assert str(self.home).encode() not in answer.body
        assert b"Traceback" not in answer.body
        return answer


def no_process(*arguments: object, **_options: object) -> None:
    raise AssertionError(f"a process was started: {arguments}")


@pytest.fixture(scope="module")
def attack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attack]:
    home = tmp_path_factory.mktemp("attacked")
    runs = home / "runs"
    run_tournament(define("nim", ("osla", "random"), 1, seed=1), runs / "there", tracking=False)
    (runs / "full").mkdir()
    (runs / "full" / "file").touch()
    run_tournament(define("nim", ("osla", "random"), 1, seed=1), home / "elsewhere" / "secret", tracking=False)
    (runs / "link").symlink_to(home / "elsewhere")
    routes = WorkbenchPages([runs], KINDS).routes()
    with pytest.MonkeyPatch.context() as patches, visited(live_pages([runs], KINDS, TOKEN, routes), TOKEN) as visitor:
        patches.setattr(processes.subprocess, "Popen", no_process)
        yield Attack(home, visitor)


def send_many(attack: Attack, examples: int) -> None:
    statuses: set[int] = set()

    @settings(max_examples=examples, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(REQUESTS)
    def send(request: Request) -> None:
        statuses.add(attack.send(*request).status)

    send()
    assert attack.seen() == attack.before
    assert {400, 403, 404, 405, 415} <= statuses


def test_300_hostile_requests_to_the_workbench_start_and_change_nothing(attack: Attack) -> None:
    send_many(attack, 300)


@pytest.mark.slow
def test_10000_hostile_requests_to_the_workbench_start_and_change_nothing(attack: Attack) -> None:
    send_many(attack, 10_000)


def test_what_the_attacks_are_made_from_is_right_otherwise(attack: Attack) -> None:
    """Else all would be refused for one reason."""
    assert attack.visitor.post("/workbench/check", RIGHT).status == 200


def test_refusals_name_the_field_and_the_value(attack: Attack) -> None:
    answer = attack.send(*posted("check", with_item("agents", "evil.py:Agent"))).json()
    assert answer == {
        "error": "agents cannot be 'evil.py:Agent', which names a file or a program; "
        "only the command line, or tag serve --trust, takes these",
        "field": "agents",
    }
    answer = attack.send(*posted("start", {**RIGHT, "name": "../x"})).json()
    assert answer["field"] == "name"
    assert "letters, digits" in answer["error"]
    answer = attack.send(*posted("check", {**RIGHT, "name": "there/inside"})).json()
    assert answer == {
        "error": "there is a run in the folder above already (tournament.json); choose another name",
        "field": "name",
    }


@pytest.mark.parametrize(
    ("kind", "values", "field"),
    [
        ("study", {"agents": ["rhea"], "game": ["nim"]}, "games"),
        ("balancing study", {"game": "love_letter", "agents": ["osla"], "games": 10}, "targets"),
        ("training", {"learner": "td", "game": "nim"}, "episodes"),
        ("tournament", {"game": ["nim"], "agents": ["osla"]}, "agents"),
        ("tournament", {"game": ["nim"], "agents": ["osla", "random"], "players": "9"}, "players"),
        ("tournament", {"game": ["love_letter:guards=99"], "agents": ["osla", "random"]}, "game"),
    ],
)
def test_what_is_missing_or_does_not_fit_is_told_at_its_field(
    attack: Attack, kind: str, values: dict[str, Any], field: str
) -> None:
    assert attack.send(*posted("start", {"kind": kind, "name": "new", "values": values})).json()["field"] == field


@pytest.mark.parametrize("kind", list(RUN_KINDS.values()), ids=list(RUN_KINDS))
def test_files_are_named_in_specs_alone_and_only_with_trust(kind: RunKind) -> None:
    for one, _about in kind.options():
        takes_many = "tuple" in str(one.type) or (kind.name, one.name) == ("tournament", "game")
        for text in ("own.py:Mine", "process:command=(ls)"):
            values = {one.name: [text] if takes_many else text}
            with pytest.raises(RefusedError):
                read_values(kind, values)
            if one.name in SPECS:
                assert read_values(kind, values, trusts=True)
            else:
                with pytest.raises(RefusedError):
                    read_values(kind, values, trusts=True)


def test_an_option_is_none_of_a_spec_with_trust() -> None:
    for text in ("--trust", "-h", "--agent=a.py"):
        with pytest.raises(RefusedError):
            read_values(RUN_KINDS["tournament"], {"agents": [text]}, trusts=True)
