"""The host's side of play-tests: links with names, watchers, closing, deleting, restarts, and what people say of games."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsers.served_tables import Guest, TableServer, started, table_server
from commands import run_tag
from copied import NIM

from tag.errors import DataError
from tag.tournaments import read_results
from tag.tournaments.ledger.feedback import FEEDBACK, LONGEST_NOTE, read_feedback
from tag.tournaments.web.tables.host import host_token

pytestmark = pytest.mark.flow

HUMANS = ["human", "human"]
HIDDEN_GAME = {"game": "love_letter", "players": 2, "seats": HUMANS, "seed": 3, "free": False}
#: What nobody may be called, and no link.
NO_NAMES = [None, 3, "", "   ", "x" * 41, "a\x00b", "a\u202eb", ["Ann"], "x" * 100_000]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableServer]:
    with table_server(tmp_path_factory.mktemp("tables")) as found:
        yield found


def host_does(server: TableServer, what: str, table: str = "", **values: object) -> Any:
    answer = server.host.post(f"/lobby/{table or server.table}/{what}", values)
    assert answer.status == 200, answer.text
    return answer.json()


def new_watcher(server: TableServer, label: str) -> Guest:
    return Guest(server.host, host_does(server, "watchers", label=label)["href"])


def play_on(guests: list[Guest]) -> None:
    """Play the first action of each player in turn until the game is over."""
    while (shown := guests[0].position())["view"]["player"] is not None:
        guests[shown["view"]["player"]].done("play", at=shown["present"], number=0)


def names(guest: Guest) -> list[str]:
    return [seat["name"] for seat in guest.position()["seats"]]


# --- names ----------------------------------------------------------------------------------------------------------


def test_a_guest_gives_a_name_once_and_the_game_counts_with_it(tmp_path):
    with table_server(tmp_path) as server:
        first, second = server.create(game="tic_tac_toe", players=2, seats=["human:name=Ann", "human"], seed=1)
        assert [guest.position()["can"]["name"] for guest in (first, second)] == [False, True]
        assert first.post("name", name="Eve").status == 403
        second.done("name", name="  Bo,   Lee ")
        assert names(first) == ["Ann", "Bo, Lee"]
        assert second.post("name", name="Eve").status == 403
        play_on([first, second])
        assert first.position()["note"] == "This game is recorded: tic_tac_toe-2p/b0-m0-s0."
        assert second.post("name", name="Eve").status == 403
    agents = [one.agent for one in read_results(tmp_path / "people" / "tic_tac_toe-2p").standings]
    assert sorted(agents) == ["human:name=(Bo, Lee)", "human:name=Ann"]


def test_texts_that_are_no_names_are_refused(server):
    guests = server.create(game="nim", players=2, seats=["human", "osla"], seed=1)
    before = server.file(server.table)
    for name in [*NO_NAMES, "(a", "a)"]:
        assert guests[0].post("name", name=name).status == 400, name
    assert guests[1].post("name", name="Eve").status == 403  # an agent's seat
    assert guests[2].post("name", name="Eve").status == 403  # who watches
    for label in NO_NAMES:
        assert server.host.post(f"/lobby/{server.table}/watchers", {"label": label}).status == 400
    assert server.file(server.table) == before


# --- watchers -------------------------------------------------------------------------------------------------------


def hands(position: dict[str, Any]) -> list[object]:
    return [one["items"] for one in position["view"]["components"] if one["name"].startswith("hand of")]


def test_a_watcher_sees_no_hand_and_has_no_game_not_count(server):
    guests = server.create(**HIDDEN_GAME)
    watcher = new_watcher(server, "the client")
    assert len(guests) == 2
    guests[0].done("play", at=0, number=0)
    for at in (0, 1):
        assert hands(watcher.position(at)) == [None, None]
        for what, values in {
            "play": {"at": at, "number": 0},
            "ask": {"at": at, "agents": ["osla"]},
            "beliefs": {"at": at, "deals": 3},
            "chances": {"deals": 1},
            "undo": {},
            "redo": {},
            "go": {"at": 0},
            "seat": {"seat": 0, "agent": "osla"},
            "pace": {"seconds": 0},
            "stop": {},
            "rematch": {},
            "name": {"name": "Eve"},
            "feedback": {"rating": 1},
        }.items():
            assert watcher.post(what, **values).status == (409 if what == "play" and at == 0 else 403), what
    for viewer in (-1, 0, 1):
        assert Guest(server.host, watcher.path, f"viewer={viewer}").get("position").status == 403
    assert watcher.get("save").status == 403
    play_on(guests)
    assert watcher.get("save").status == 403
    assert guests[0].get("save").status == 200
    assert guests[0].position()["note"].startswith("This game is recorded")


def test_watchers_are_not_told_the_words_of_an_agents_error(server, tmp_path):
    agent = "from tag import Agent\nclass Tells(Agent):\n    def act(self, observation, actions):\n        "
    (tmp_path / "tells.py").write_text(f"{agent}raise ValueError('I hold a King')\n")
    person, _agent, watcher = server.create(
        game="nim", players=2, seats=["human", f"{tmp_path}/tells.py:Tells"], seed=1
    )
    with person.events() as own, watcher.events() as events:
        person.done("play", at=0, number=0)
        told = [next(data["error"] for name, data in stream if name == "fault") for stream in (own, events)]
    assert "I hold a King" in told[0]
    assert told[1] == "an agent, the rules or the ledger failed; players are told how"


def test_every_seat_may_look_at_what_is_public_and_cannot_act_there(server):
    guests = server.create(**HIDDEN_GAME)
    behind = Guest(server.host, guests[0].path, "viewer=-2")
    assert hands(behind.position()) == [None, None]
    assert behind.position()["view"]["actions"] is None
    assert not any(behind.position()["can"].values())
    assert behind.post("play", at=0, number=0).status == 403


def test_a_revoked_link_leads_nowhere_at_once_and_the_others_do(tmp_path):
    with table_server(tmp_path) as server:
        guests = server.create(game="tic_tac_toe", players=2, seats=HUMANS, seed=1)
        watchers = [new_watcher(server, label) for label in ("Ann", "Bo")]
        with watchers[0].events() as events, watchers[1].events() as others:
            assert next(events)[0] == next(others)[0] == "position"
            host_does(server, "revoke", key=watchers[0].path.removeprefix("/t/"))
            assert next(events) == ("gone", {"error": "the host has taken this link back"})
            assert list(events) == []
            guests[0].done("play", at=0, number=0)
            assert next(others)[1]["present"] == 1
        assert watchers[0].get("position").status == 404
        assert server.host.post(f"/lobby/{server.table}/revoke", {"key": "0" * 32}).status == 404
        assert server.host.post(f"/lobby/{server.table}/revoke", {"key": guests[0].path[3:]}).status == 404
        assert server.host.post(f"/lobby/{server.table}/revoke", {"key": None}).status == 400
        server.kill()
        server.start()
        assert server.again(watchers[0]).get("position").status == 404
        assert [one["label"] for one in server.file(server.table)["links"]] == ["", "", "Bo"]
        assert server.again(watchers[1]).position()["present"] == 1


def test_watchers_are_so_many_at_most_and_follow_to_the_next_game(server):
    guests = server.create(game="tic_tac_toe", players=2, seats=HUMANS, seed=1)
    watchers = [new_watcher(server, f"watcher {number}") for number in range(50)]
    full = server.host.post(f"/lobby/{server.table}/watchers", {"label": "one more"})
    assert (full.status, full.json()["error"]) == (400, "a table has 50 links for watching at most; revoke one")
    play_on(guests)
    guests[0].done("rematch")
    paths = [one.position()["rematch"] for one in (watchers[3], watchers[7])]
    assert len({*paths, ""}) == 3
    again = Guest(server.host, paths[0])
    assert not again.position()["can"]["play"]


def test_links_for_watching_of_earlier_versions_show_what_is_public(tmp_path):
    with table_server(tmp_path) as server:
        server.create(**{**HIDDEN_GAME, "seats": ["human", "random"]})
        server.kill()
        values = server.file(server.table)
        assert [one.pop("label") for one in values["links"]] == ["", "", "watch"]
        values["links"][2]["viewer"] = 1
        (tmp_path / f"{server.table}.json").write_text(json.dumps(values))
        server.start()
        assert hands(Guest(server.host, f"/t/{values['links'][2]['key']}").position()) == [None, None]


# --- several seats on a page ----------------------------------------------------------------------------------------


def test_only_seats_of_one_table_whose_keys_one_has_share_a_page(server):
    guests = server.create(game="love_letter", players=3, seats=["human", "human", "random"], seed=3, free=False)
    keys = [guest.path.removeprefix("/t/") for guest in guests]
    other = server.create(game="nim", players=2, seats=HUMANS)[0].path.removeprefix("/t/")
    page = server.host.get(f"/t/{keys[1]}?with={keys[0]}&viewer=-2", Cookie=None)
    assert page.status == 200
    assert keys[0] in page.text
    for text in (other, keys[3], f"{keys[0]}.{other}"):
        assert server.host.get(f"/t/{keys[1]}?with={text}", Cookie=None).status == 403
    for text in ("0" * 32, f"{keys[0]}.x", "%00"):
        assert server.host.get(f"/t/{keys[1]}?with={text}", Cookie=None).status == 404
    assert server.host.get(f"/t/{keys[3]}?with={keys[0]}", Cookie=None).status == 403


def test_who_shares_a_page_shares_it_in_the_next_game_behind_the_curtain(server):
    guests = server.create(game="tic_tac_toe", players=2, seats=HUMANS, seed=1)
    shared = Guest(server.host, guests[0].path, f"viewer=-2&with={guests[1].path.removeprefix('/t/')}")
    play_on(guests)
    assert [one["seat"] for one in shared.position()["feedback"]] == [0, 1]
    path = shared.done("rematch")["href"]
    assert "viewer=-2&with=" in path
    assert server.host.get(path, Cookie=None).status == 200


# --- the list of tables ---------------------------------------------------------------------------------------------


def test_a_closed_table_is_only_looked_at_until_it_is_opened_again(tmp_path):
    with table_server(tmp_path) as server:
        guests = server.create(game="connect_four", players=2, seats=["human", "random"], seed=1, free=True)
        guests[0].done("pace", seconds=0)
        host_does(server, "close", closed=True)
        before = server.file(server.table)
        for what, values in {
            "play": {"at": 0, "number": 0},
            "go": {"at": 0},
            "seat": {"seat": 1, "agent": "osla"},
            "pace": {"seconds": 1},
            "ask": {"at": 0, "agents": ["osla"]},
            "chances": {"deals": 1},
            "name": {"name": "Ann"},
        }.items():
            answer = guests[0].post(what, **values)
            assert (answer.status, answer.json()["error"]) == (403, "the host has closed this table"), what
        assert guests[0].position()["present"] == 0
        assert server.file(server.table) == before
        server.kill()
        server.start()
        (first, *_others) = [server.again(guest) for guest in guests]
        assert first.post("play", at=0, number=0).status == 403
        assert "closed" in server.host.get("/tables").text
        host_does(server, "close", closed=False)
        first.done("play", at=0, number=0)
        with first.events() as events:
            assert next(data for name, data in events if name == "position" and data["present"] == 2)


def test_an_agent_whose_table_was_closed_while_it_thought_goes_on_once_it_is_open(server):
    first, *_others = server.create(game="connect_four", players=2, seats=["human", "mcts:budget=30000"], seed=1)
    first.done("play", at=0, number=0)
    host_does(server, "close", closed=True)
    host_does(server, "close", closed=False)
    with first.events() as events:
        assert [next(events)[0], first.position()["pace"]["paused"]] == ["position", False]
        assert next(data for name, data in events if name == "position" and data["present"] == 2)


def test_a_deleted_table_is_gone_and_its_recorded_game_stays(tmp_path):
    with table_server(tmp_path) as server:
        former = server.create(game="tic_tac_toe", players=2, seats=HUMANS, seed=1)
        earlier = server.table
        play_on(former)
        href = former[0].done("rematch")["href"]
        (table,) = [path.stem for path in tmp_path.glob("tic*.json") if path.stem != earlier]
        guests = [Guest(server.host, href), Guest(server.host, former[1].position()["rematch"])]
        guests.sort(key=lambda guest: guest.position()["view"]["viewer"])
        play_on(guests)
        with guests[0].events() as events:
            assert next(events)[0] == "position"
            host_does(server, "delete", table, name=table)
            assert ("gone", {"error": "the host has deleted this table"}) in list(events)
        assert guests[0].get("position").status == guests[1].post("rematch").status == 404
        assert former[0].position()["rematch"] == ""
        assert table not in server.host.get("/tables").text
        assert [path.stem for path in tmp_path.glob("*.json")] == [earlier]
        assert read_results(tmp_path / "people" / "tic_tac_toe-2p").games == 2
        server.kill()
        server.start()
        assert server.again(guests[0]).get("position").status == 404
        assert server.host.post(f"/lobby/{table}/delete", {"name": table}).status == 404


def test_a_game_that_is_not_recorded_yet_is_not_deleted(tmp_path):
    with table_server(tmp_path) as server:
        (tmp_path / "people").write_text("no folder")
        guests = server.create(game="tic_tac_toe", players=2, seats=HUMANS, seed=1)
        play_on(guests)
        delete = {"name": server.table}
        refused = server.host.post(f"/lobby/{server.table}/delete", delete)
        assert refused.status == 409
        (tmp_path / "people").unlink()
        assert server.host.post(f"/lobby/{server.table}/delete", delete).status == 200
    assert read_results(tmp_path / "people" / "tic_tac_toe-2p").games == 1


def test_a_table_is_deleted_by_its_own_name_while_its_agent_thinks(server):
    guests = server.create(game="connect_four", players=2, seats=["human", "mcts:budget=1000000"], seed=1)
    guests[0].done("play", at=0, number=3)
    for name in (None, "", "other", [server.table]):
        assert server.host.post(f"/lobby/{server.table}/delete", {"name": name}).status == 400
    with guests[0].events() as events:
        next(events)
        host_does(server, "delete", name=server.table)
        assert "gone" in [name for name, _data in events]
    assert not (server.folder / f"{server.table}.json").exists()


def test_the_lobby_is_the_hosts_also_where_a_game_is_called_as_a_public_page(server, tmp_path):
    game = tmp_path / "forms.py"
    game.write_text(f"{NIM}\nclass Forms(Nim):\n    pass\n")
    for values in ({"game": "nim"}, {"game": f"{game}:Forms"}):
        server.create(players=2, seats=HUMANS, **values)
        for path in (f"/lobby/{server.table}", f"/tables/{server.table}"):
            assert server.host.get(path, Cookie=None).status in (403, 404)
        for what in ("watchers", "revoke", "close", "delete"):
            body = {"label": "x", "key": "x", "closed": True, "name": server.table}
            assert server.host.post(f"/lobby/{server.table}/{what}", body, Cookie=None).status == 403
        assert server.host.get(f"/lobby/{server.table}").status == 200


# --- restarts -------------------------------------------------------------------------------------------------------


def test_the_host_is_the_host_after_a_restart(tmp_path):
    with table_server(tmp_path) as server:
        token = server.host.token
        guests = server.create(game="tic_tac_toe", players=2, seats=HUMANS, seed=1)
        guests[0].done("play", at=0, number=0)
        assert guests[0].post("undo").status == 403
        server.kill()
        server.start()
        assert server.host.token == token
        cookie = f"tag-{server.host.port}={token}"
        assert server.host.post(f"{guests[0].path}/undo", {}, Cookie=cookie).status == 200
        assert server.host.get("/tables", Cookie=cookie).status == 200
    with started(tmp_path) as (host, _path):
        assert host.token == token
        assert host.get("/tables").status == 200


def test_a_token_that_is_damaged_or_seen_by_others_is_replaced(tmp_path):
    file = tmp_path / ".host"
    first = host_token(tmp_path)
    assert host_token(tmp_path) == first
    assert file.stat().st_mode & 0o077 == 0
    for spoil in (lambda: file.write_text("short"), lambda: file.write_bytes(b"\xff" * 22), lambda: file.chmod(0o644)):
        before = host_token(tmp_path)
        spoil()
        assert host_token(tmp_path) not in (before, "short")
        assert file.stat().st_mode & 0o077 == 0
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="cannot be the folder of tables"):
        host_token(tmp_path / "file")


# --- feedback -------------------------------------------------------------------------------------------------------


def test_what_people_say_goes_into_the_ledger_and_is_shown(tmp_path):
    note = "<script>alert(1)</script> [bold]too[/bold] | long"
    with table_server(tmp_path) as server:
        guests = server.create(game="tic_tac_toe", players=2, seats=["human:name=Ann", "human"], seed=1)
        assert guests[0].post("feedback", rating=5).status == 403
        assert guests[0].position()["feedback"] == []
        play_on(guests)
        assert guests[0].position()["feedback"] == [{"seat": 0}]
        guests[0].done("feedback", rating=2, note="x")
        guests[0].done("feedback", rating=4, note=f"  {note}\n")
        guests[1].done("feedback", rating=5)
        assert guests[0].position()["feedback"] == [{"seat": 0, "rating": 4, "note": note}]
        lobby = server.host.get(f"/lobby/{server.table}").text
        assert "&lt;script&gt;alert(1)" in lobby
        assert "<script>alert" not in lobby + server.host.get("/tables").text
        assert server.file(server.table)["untold"] == []
    folder = tmp_path / "people" / "tic_tac_toe-2p"
    assert [(one.game_id, one.seat, one.rating, one.note) for one in read_feedback(folder)] == [
        ("b0-m0-s0", 0, 4, note),
        ("b0-m0-s0", 1, 5, ""),
    ]
    shown = run_tag("results", folder).output
    assert "Mean rating 4.5 of 5, over 2 answers" in shown
    assert "human:name=Ann" in shown
    assert note in " ".join(shown.split())
    assert json.loads(run_tag("results", folder, "--json").output)["feedback"][0]["note"] == note
    done = run_tag("report", folder, "--out", tmp_path / "report.html")
    assert done.exit_code == 0, done.output
    report = (tmp_path / "report.html").read_text()
    assert "&lt;script&gt;alert(1)" in report
    assert "<script>alert" not in report


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"rating": 0},
        {"rating": 6},
        {"rating": 4.5},
        {"rating": True},
        {"rating": "5"},
        {"rating": 5, "note": 7},
        {"rating": 5, "note": "x" * (LONGEST_NOTE + 1)},
        {"rating": 5, "note": "a\x1b[2Jb"},
        {"rating": 5, "note": "a\ud800b"},
    ],
)
def test_answers_that_are_none_are_refused(server, values):
    guests = server.create(game="tic_tac_toe", players=2, seats=["human", "human"], seed=1)
    play_on(guests)
    assert guests[0].post("feedback", **values).status == 400
    assert server.file(server.table)["feedback"] == {}


def test_feedback_that_the_ledger_lacks_is_passed_on_after_a_restart(tmp_path):
    with table_server(tmp_path) as server:
        guests = server.create(game="tic_tac_toe", players=2, seats=HUMANS, seed=1)
        play_on(guests)
        ledger = tmp_path / "people" / "tic_tac_toe-2p"
        (ledger / FEEDBACK).mkdir()  # cannot be written
        with guests[0].events() as events:
            guests[0].done("feedback", rating=3, note="good")
            assert next(data["error"] for name, data in events if name == "fault").startswith(
                "feedback could not be recorded: "
            )
        server.kill()
        (ledger / FEEDBACK).rmdir()
        server.start()
        with server.again(guests[0]).events() as events:
            next(events)
        while server.file(server.table)["untold"]:
            pass
    assert [(one.rating, one.note) for one in read_feedback(ledger)] == [(3, "good")]


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"version": 2, "feedback": []}', '{"version": 1, "feedback": [{"seat": 0}]}']
)
def test_damaged_feedback_is_told_in_a_sentence(tmp_path, text):
    (tmp_path / FEEDBACK).write_text(text)
    with pytest.raises(DataError, match="damaged"):
        read_feedback(tmp_path)


def test_what_people_say_of_a_game_that_does_not_count_stays_with_the_table(tmp_path):
    with table_server(tmp_path) as server:
        guests = server.create(game="tic_tac_toe", players=2, seats=HUMANS, seed=1, free=True)
        guests[0].done("play", at=0, number=0)
        guests[0].done("undo")
        play_on(guests)
        guests[1].done("feedback", rating=1, note="dull")
        assert "dull" in server.host.get(f"/lobby/{server.table}").text
    assert not (tmp_path / "people").exists()


def test_files_of_feedback_are_not_taken_for_tournaments(tmp_path: Path) -> None:
    assert read_feedback(tmp_path) == []
