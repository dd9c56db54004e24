"""Tables on a real server: play, roles, watching, going back, questions, kills, and games that hang or crash."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from browsers.served_tables import Guest, TableServer, table_server
from copied import NIM

from tag.catalogue.registry import game_class, game_names
from tag.orders import GameOrder, play_order

pytestmark = pytest.mark.flow

HUMANS = ["human", "human"]
#: Games whose positions can be set up.
BOARDS = ["connect_four", "dots_and_boxes", "hex", "nim", "othello", "sim", "tic_tac_toe", "twenty_forty_eight"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableServer]:
    with table_server(tmp_path_factory.mktemp("tables"), 180.0) as found:  # long searches yield to all other work
        yield found


@pytest.fixture(scope="module")
def hasty_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableServer]:
    """A server with little patience."""
    with table_server(tmp_path_factory.mktemp("hasty"), 2.5) as found:
        yield found


def play_first(guests: list[Guest], actions: int) -> None:
    """Play the first action of whoever is to move."""
    for _action in range(actions):
        shown = guests[0].position()
        player = shown["view"]["player"]
        guests[player].done("play", at=shown["present"], number=0)


def until(guest: Guest, condition) -> dict:
    """The first position among the events with which the condition holds."""
    with guest.events() as events:
        for name, data in events:
            if name == "position" and condition(data):
                return data
    raise AssertionError("no such event")


# --- play and roles -------------------------------------------------------------------------------------------------------


def test_people_play_to_the_end_and_everyone_hears_of_it(server):
    first, second = server.create(game="tic_tac_toe", players=2, seats=HUMANS, seed=1)
    heard = []
    with second.events() as events:
        for name, data in events:
            heard.append(name)
            if name == "over":
                break
            if name == "position" and data["view"]["player"] is not None:
                player = data["view"]["player"]
                (first, second)[player].done("play", at=data["position"], number=0)
    assert heard == ["position"] * 8 + ["over"]
    shown = first.position()
    assert shown["view"]["players"][0]["result"] == "win"
    assert [entry["player"] for entry in shown["log"]] == [0, 1] * 3 + [0]
    assert not any(shown["can"][what] for what in ("play", "undo", "ask"))
    assert shown["can"]["save"]


def test_only_the_seat_in_turn_plays_and_only_in_the_present_position(server):
    first, second = server.create(game="love_letter", players=2, seats=HUMANS, seed=3)
    for guest, at, number, status in (
        (second, 0, 0, 403),
        (first, 1, 0, 400),
        (first, -1, 0, 400),
        (first, 0, 99, 400),
        (first, 0, -1, 400),
        (first, 0, "0", 400),
        (first, True, 0, 400),
    ):
        answer = guest.post("play", at=at, number=number)
        assert answer.status == status, answer.text
        assert answer.json()["error"]
    assert first.done("play", at=0, number=0) == {"present": 1}
    assert first.post("play", at=0, number=0).status == 409
    for what in ("undo", "redo"):
        assert first.post(what).status == 403
    assert first.post("go", at=0).status == 403
    assert first.post("seat", seat=1, agent="random").status == 403
    assert first.get("save").status == 403
    assert first.post("ask", at=1, agents=["osla"]).status == 403
    assert first.position()["present"] == 1


@pytest.mark.parametrize(
    "spec", ["process:command=touch evil", "restricted:agent=(process:command=touch evil)", "a.py:B"]
)
def test_guests_run_no_programs_and_import_no_files_of_the_hosts(server, spec):
    first, *_others = server.create(game="tic_tac_toe", players=2, seats=HUMANS, seed=3, free=True)
    for answer in (first.post("ask", at=0, agents=[spec]), first.post("seat", seat=1, agent=spec)):
        assert answer.status == 403, answer.text
    assert first.post("ask", at=0, agents=["osla"]).status == 200


def test_each_link_shows_its_own_hand_and_an_open_table_everything(server):
    guests = server.create(game="love_letter", players=3, seats=["human", "human", "random"], seed=3, free=False)
    assert len(guests) == 4
    for seat, guest in enumerate(guests):
        parts = {part["name"]: part for part in guest.position()["view"]["components"]}
        shown = [player for player in range(3) if parts[f"hand of {player}"]["items"] is not None]
        assert shown == [seat][: seat < 3]  # who watches sees no hand
        assert Guest(server.host, guest.path, "viewer=-1").get("position").status == 403
        assert Guest(server.host, guest.path, f"viewer={(seat + 1) % 3}").get("position").status == (
            200 if seat == 4 else 403
        )
    open_guests = server.create(game="love_letter", players=2, seats=HUMANS, seed=3, open=True)
    everything = Guest(server.host, open_guests[1].path, "viewer=-1").position()
    assert everything["view"]["hash"]
    assert all(part["items"] for part in everything["view"]["components"] if part["name"].startswith("hand of"))
    watched = open_guests[2].position()
    assert watched["view"]["viewer"] == -1
    assert not watched["can"]["play"]


def test_links_cannot_be_guessed_and_files_of_tables_are_for_their_owner_alone(server):
    keys = [
        guest.path.rpartition("/")[2]
        for seed in range(5)
        for guest in server.create(game="nim", players=2, seats=HUMANS, seed=seed, free=True)
    ]
    assert len(set(keys)) == len(keys) >= 10
    assert {len(bytes.fromhex(key)) for key in keys} == {16}
    files = [path for path in server.folder.iterdir() if path.is_file()]
    assert len(files) >= 5
    assert [path.name for path in files if path.stat().st_mode & 0o077] == []


def test_the_list_of_tables_is_the_hosts(server):
    guest = server.create(game="nim", players=2, seats=HUMANS)[0]
    for path in ("/tables", "/tables/forms?agent=mcts"):
        assert server.host.get(path).status == 200
        assert server.host.get(path, Cookie=None).status in (403, 404)
    key = guest.path.rpartition("/")[2]
    form = server.host.get(f"/tables/forms?agent=mcts&key={key}", Cookie=None).json()
    assert "budget" in [field["name"] for field in form["fields"]]
    assert server.host.get("/tables/forms?game=connect_four").json()["players"] == [2, 2]
    assert server.host.get(guest.path, Cookie=None).status == 200
    assert server.host.post("/tables", {"game": "nim", "seats": HUMANS}, Cookie=None).status == 403


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"game": "nimm", "seats": HUMANS}, "did you mean 'nim'?"),
        ({"game": "nim", "seats": ["human", "mtcs"]}, "did you mean 'mcts'?"),
        ({"game": "nim", "seats": ["human", "mcts:k=-1"]}, "the nearest value"),
        ({"game": "nim", "seats": ["human"]}, "the nearest number is 2"),
        ({"game": "nim", "seats": HUMANS, "players": 3}, "players is a whole number from 2 to 2"),
        ({"game": "nim", "seats": HUMANS, "seed": -1}, "seed is a whole number"),
        ({"game": 3, "seats": HUMANS}, "given by its spec"),
        ({"saved": {"tag_game": 1}}, "players of a saved game"),
    ],
)
def test_tables_that_cannot_be_are_refused_in_a_sentence(server, values, sentence):
    answer = server.host.post("/tables", values)
    assert answer.status == 400
    assert sentence in answer.json()["error"]


# --- positions set up by hand --------------------------------------------------------------------------------------------


def placed(server, **values):
    return server.host.get(f"/tables/placed?{urlencode({'players': 2, 'to_move': 0, **values})}")


@pytest.mark.parametrize("game", game_names())
def test_a_position_is_set_up_by_hand_where_a_game_has_them(server, game):
    players = int(game_class(game).game_type.min_players)
    answer = placed(server, game=game, players=players)
    if game not in BOARDS:
        assert answer.status == 400
        assert "cannot be set up by hand" in answer.json()["error"]
        return
    found = answer.json()
    assert sorted(cell for row in found["rows"] for cell in row) == list(range(len(found["cells"])))
    again = placed(
        server, game=game, players=players, cells=",".join(map(str, found["cells"])), to_move=found["to_move"]
    )
    assert again.json() == found
    assert 'class="board"' in found["board"]


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"cells": "012"}, "has 9 cells here, not 3"),
        ({"cells": "9" * 9}, "cannot be 9; it is 0 to 2"),
        ({"cells": "9" * 6000 + ","}, "a cell cannot be"),
        ({"cells": "1-2"}, "a cell cannot be '-'"),
        ({"cells": "111000000"}, "would be over"),
        ({"to_move": 2}, "to_move is a whole number from 0 to 1"),
        ({"to_move": "-1"}, "to_move is a whole number"),
        ({"players": "9999999"}, "players is a whole number"),
        ({"players": 3}, "the nearest number is 2"),
        ({"game": "tictactoe"}, "did you mean 'tic_tac_toe'?"),
    ],
)
def test_positions_that_cannot_be_are_refused_in_a_sentence(server, values, sentence):
    answer = placed(server, **{"game": "tic_tac_toe", **values})
    assert answer.status == 400
    assert sentence in answer.json()["error"]


def test_only_the_host_sets_positions_up(server):
    assert server.host.get("/tables/placed?game=tic_tac_toe&players=2&to_move=0", Cookie=None).status == 403


# --- agents ---------------------------------------------------------------------------------------------------------------


def test_agents_play_as_in_tag_play_and_somebody_must_watch(server):
    seats = ["mcts:budget=60", "osla", "random"]
    guests = server.create(game="love_letter", players=3, seats=seats, seed=11)
    table = server.table
    watcher = guests[3]
    assert watcher.position()["present"] == 0
    watcher.done("pace", seconds=0)
    last = until(watcher, lambda data: data["view"]["player"] is None)
    assert server.file(table)["saved"]["position"] == last["position"] == last["ends"]
    record = play_order(GameOrder("x", "love_letter", tuple(seats), 11))
    assert last["view"]["hash"] == record.state_hash


def test_agents_wait_while_paused_and_can_be_replaced(server):
    first, *_others = server.create(game="connect_four", players=2, seats=["human", "random"], seed=1)
    first.done("pace", seconds=0, paused=False)
    first.done("play", at=0, number=3)
    until(first, lambda data: data["present"] == 2)
    first.done("seat", seat=1, agent="osla")
    assert [seat["agent"] for seat in first.position()["seats"]] == ["human", "osla"]
    answer = first.post("seat", seat=1, agent="mtcs")
    assert answer.status == 400
    assert "did you mean 'mcts'?" in answer.json()["error"]
    first.done("seat", seat=0, agent="random")
    watched = until(first, lambda data: data["view"]["player"] is None)
    assert watched["can"]["pace"]


def test_guests_cannot_have_the_hosts_files_read(server, tmp_path):
    first, *_others = server.create(game="nim", players=2, seats=["human", "random"])
    (tmp_path / "evil.py").write_text(f"open({str(tmp_path / 'was_here')!r}, 'w')")
    for spec in (f"{tmp_path}/evil.py:A", "evil.py", f"mcts:heuristic={tmp_path}/evil.py:A", "agent.json"):
        for what, values in (("ask", {"at": 0, "agents": [spec]}), ("seat", {"seat": 1, "agent": spec})):
            answer = first.post(what, **values)
            assert answer.status == 403
            assert str(tmp_path) not in answer.json()["error"]
    saved = first.get("save").json()
    assert server.host.post("/tables", {"saved": {**saved, "game": f"{tmp_path}/evil.py:G"}}).status == 400
    assert not (tmp_path / "was_here").exists()


# --- back, on, branches, saved games --------------------------------------------------------------------------------------


def test_going_back_and_on_again_leads_to_the_same_positions(server):
    guests = server.create(game="love_letter", players=2, seats=HUMANS, seed=5, open=True, free=True)
    everything = Guest(server.host, guests[0].path, "viewer=-1")
    play_first(guests, 8)
    hashes = [everything.position(at)["view"]["hash"] for at in range(9)]
    for at in range(7, -1, -1):
        assert guests[0].done("undo") == {"present": at}
        assert everything.position()["view"]["hash"] == hashes[at]
    assert guests[0].post("undo").status == 403
    for at in range(1, 9):
        assert guests[1].done("redo") == {"present": at}
        assert everything.position()["view"]["hash"] == hashes[at]
    guests[0].done("go", at=3)
    shown = guests[0].position(3)
    assert (shown["line"], shown["ends"], shown["can"]["redo"]) == (list(range(9)), 8, True)
    player = shown["view"]["player"]
    assert guests[player].done("play", at=3, number=1) == {"present": 9}
    assert guests[player].position(3)["children"][1]["text"]


def test_undo_takes_back_what_agents_did_since(server):
    first, *_others = server.create(game="connect_four", players=2, seats=["human", "random"], seed=1)
    first.done("pace", seconds=0)
    for at in (0, 2):
        first.done("play", at=at, number=3)
        until(first, lambda data, at=at: data["present"] == at + 2)
    assert first.done("undo") == {"present": 2}
    assert first.done("undo") == {"present": 0}
    assert first.done("redo") == {"present": 2}
    assert first.done("redo") == {"present": 4}
    assert not first.position()["pace"]["paused"]
    first.done("go", at=1)  # the agent's turn: it must not play at once
    assert first.position()["pace"]["paused"]


def test_a_saved_game_goes_on_elsewhere(server):
    guests = server.create(game="connect_four", players=2, seats=HUMANS, seed=1, open=True, free=True)
    play_first(guests, 4)
    guests[0].done("undo")
    saved = guests[0].get("save").json()
    others = server.create(saved=saved, open=True)
    assert others[2].position()["view"]["hash"] == guests[2].position()["view"]["hash"]
    assert others[0].get("save").json() == saved
    saved["choices"][1] = 50
    assert "there are 0 to 6" in server.host.post("/tables", {"saved": saved}).json()["error"]


def test_logs_go_on_where_a_watcher_has_read(server):
    guests = server.create(game="connect_four", players=2, seats=HUMANS, free=True)
    with guests[0].events() as events:
        lengths = []
        for number, (_name, data) in enumerate(events):
            lengths.append((data["log_from"], len(data["log"])))
            if number == 3:
                break
            if number == 2:
                guests[0].done("undo")
            else:
                guests[number].done("play", at=number, number=2)
    assert lengths == [(0, 0), (0, 1), (1, 1), (1, 0)]


# --- questions ------------------------------------------------------------------------------------------------------------


def test_agents_are_asked_where_the_viewer_knows_the_actions(server):
    first, second = server.create(game="love_letter", players=2, seats=HUMANS, seed=3)
    found = first.done("ask", at=0, agents=["mcts:budget=100", "osla", "mtcs"])["agents"]
    actions = first.position()["view"]["actions"]
    assert [row["text"] for row in found[0]["actions"]] == [action["text"] for action in actions]
    assert found[0]["choice"] is not None
    assert sum(row["visits"] for row in found[0]["actions"]) > 5
    tree = found[0]["tree"]
    assert {child["text"] for child in tree["children"]} <= {action["text"] for action in actions}
    assert tree["visits"] > max(child["visits"] for child in tree["children"])
    assert "did you mean 'mcts'?" in found[2]["fault"]
    assert second.post("ask", at=0, agents=["osla"]).status == 403


def test_beliefs_and_chances_are_shares(server):
    first, _second = server.create(game="love_letter", players=2, seats=HUMANS, seed=3)
    first.done("play", at=0, number=0)
    beliefs = first.done("beliefs", at=1, deals=50)
    names = [place["component"] for place in beliefs["places"]]
    assert "hand of 1" in names
    assert "hand of 0" not in names
    for place in beliefs["places"]:
        assert sum(row["share"] for row in place["shares"]) == pytest.approx(1.0)
    chances = first.done("chances", deals=20)
    assert [row["ply"] for row in chances["plies"]] == [0]  # at 1, the other player decides
    for row in chances["plies"]:
        assert sum(row["shares"]) == pytest.approx(1.0)
        assert all(low <= p <= high for low, p, high in zip(row["low"], row["shares"], row["high"], strict=True))


@pytest.mark.parametrize("game", ["tic_tac_toe", "love_letter", "diamant"])
def test_chances_are_those_of_the_agent_that_plays_on(server, game):
    first, *_others = server.create(game=game, players=2, seats=HUMANS, seed=3, free=True, open=True)
    play_first([first, *_others], 2)
    chances = {agent: first.done("chances", deals=10, agent=agent) for agent in ("random", "osla")}
    for found in chances.values():
        assert found["players"] == 2
        assert all(sum(row["shares"]) <= 1.0 + 1e-9 for row in found["plies"])
    assert chances["osla"] == first.done("chances", deals=10, agent="osla")
    assert chances["osla"]["plies"] != chances["random"]["plies"]


def test_who_wins_at_once_has_a_chance_of_one_with_an_agent_that_sees_it(server):
    guests = server.create(game="tic_tac_toe", players=2, seats=HUMANS, seed=3, cells="220110000", to_move=0, free=True)
    assert guests[0].done("chances", deals=20, agent="osla")["plies"][0]["shares"] in ([1.0, 0.0], [0.0, 1.0])
    assert guests[0].done("chances", deals=20)["plies"][0]["shares"] not in ([1.0, 0.0], [0.0, 1.0])
    for agent, status in (
        ("human", 400),
        ("mtcs", 400),
        (3, 400),
        ("a.py:B", 403),
        ("process:command=touch evil", 403),
    ):
        assert guests[0].post("chances", deals=1, agent=agent).status == status, agent


# --- kills and faults -----------------------------------------------------------------------------------------------------


def test_a_killed_server_comes_back_with_all_tables(tmp_path):
    with table_server(tmp_path) as server:
        guests = server.create(game="love_letter", players=2, seats=HUMANS, seed=5, free=True)
        play_first(guests, 5)
        guests[0].done("undo")
        shown = [guest.position() for guest in guests]
        server.kill()
        (tmp_path / "damaged.json").write_text("{")
        server.start()
        back = [server.again(guest) for guest in guests]
        for guest, before in zip(back, shown, strict=True):
            assert {**guest.position(), "children": 0} == {**before, "children": 0}
        play_first(back, 2)
        assert len(back[0].position()["line"]) == 7


def test_a_search_can_be_stopped_and_others_do_not_wait_for_it(server):
    guests = server.create(game="connect_four", players=2, seats=["human", "mcts:budget=1000000"], seed=1)
    guests[0].done("play", at=0, number=3)
    with guests[0].events() as events:
        begin = time.monotonic()
        names = [next(events)[0]]
        play_first(server.create(game="nim", players=2, seats=HUMANS), 2)
        assert time.monotonic() - begin < 20.0
        guests[0].done("stop")
        names += [name for name, _data in (next(events), next(events))]
    assert "fault" in names
    assert guests[0].position()["pace"]["paused"]


ENDLESS = """
import time
from tag import Agent

class Endless(Agent):
    def act(self, observation, actions):
        while True:
            {does}
"""


def hanging_tables(server: TableServer, folder: Path, number: int, does: str) -> list[Guest]:
    """Start so many games in which an agent is to move that does this for ever; return the person at each table."""
    (folder / "endless.py").write_text(ENDLESS.format(does=does))
    seats = ["human", f"{folder}/endless.py:Endless"]
    tables = [server.create(game="nim", players=2, seats=seats, seed=1)[0] for _table in range(number)]
    for guest in tables:
        guest.done("play", at=0, number=0)
    return tables


def test_ten_hanging_tables_hold_up_no_other_and_each_is_stopped_alone(tmp_path):
    with table_server(tmp_path / "tables") as server:
        tables = hanging_tables(server, tmp_path, 10, "pass")
        time.sleep(2.2)  # they are at work, and some for so long that they yield
        (other, *_rest) = server.create(game="tic_tac_toe", players=2, seats=["human", "osla"], seed=1)
        with other.events() as events:
            begin = time.monotonic()
            other.done("play", at=0, number=0)
            while other.position()["present"] < 2:
                next(events)
            assert time.monotonic() - begin < 20.0
        tables[0].done("stop")
        assert until(tables[0], lambda shown: shown["pace"]["paused"])["present"] == 1
        assert not any(guest.position()["pace"]["paused"] for guest in tables[1:])


def test_only_so_many_tables_search_at_once(tmp_path):
    with table_server(tmp_path / "tables") as server:
        tables = hanging_tables(server, tmp_path, 17, "time.sleep(1)")
        refused = until(tables[-1], lambda shown: shown["pace"]["paused"])
        assert refused["present"] == 1
        tables[0].done("stop")
        until(tables[0], lambda shown: shown["pace"]["paused"])
        assert not tables[1].position()["pace"]["paused"]


BAD_GAME = """
import os, sys, time
class BadGame(Nim):
    def _available_actions(self, state):
        print("noise on standard output")
        if state.tick == 2:
            {what}
        return super()._available_actions(state)
"""


@pytest.mark.parametrize(
    ("what", "sentence"),
    [
        ("time.sleep(60)", "did not answer within"),
        ("os._exit(1)", "died"),
        ("raise SystemExit(3)", "failed with SystemExit"),
        ("raise ValueError('at /home/me/x')", "failed with ValueError"),
        ("print(sys.stdin.read())", None),
    ],
)
def test_a_game_that_hangs_or_crashes_costs_a_request(hasty_server, tmp_path, what, sentence):
    (tmp_path / "bad_game.py").write_text(NIM + BAD_GAME.format(what=what))
    game = f"{tmp_path}/bad_game.py:BadGame"
    guests = hasty_server.create(game=game, players=2, seats=HUMANS)
    play_first(guests, 1)
    answer = guests[1].post("play", at=1, number=0)
    assert answer.status == (400 if sentence else 200), answer.text
    if sentence:
        assert sentence in answer.json()["error"]
        assert "/home" not in answer.text
        assert guests[0].position()["present"] == 1
    assert hasty_server.host.post("/tables", {"game": "nim", "seats": HUMANS}).status == 200
