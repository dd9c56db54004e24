"""Games and ledgers at tables: people's games are recorded once, with help never; recorded games are found and opened."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pandas as pd
import pytest
from browsers.pages import started_browser
from browsers.served_tables import Guest, TableServer, started, table_server
from commands import run_tag
from users_code import FAULTY_AGENTS, PLAIN_GAME

from tag.catalogue.registry import game_class, game_names
from tag.errors import TagError
from tag.tournaments.ledger.games import read_ledger
from tag.tournaments.web.tables.recorded import ORDERS, PAGE, GameList, Wanted

pytestmark = pytest.mark.flow

PEOPLE = ["human:name=Ann", "human"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableServer]:
    with table_server(tmp_path_factory.mktemp("tables")) as found:
        yield found


def play_on(guests: list[Guest], actions: int = 1000, number: int = 0) -> None:
    """Play the action of a number, of those there are, for each person in turn, until the game is over."""
    for _action in range(actions):
        shown = guests[0].position()
        player = shown["view"]["player"]
        if player is None:
            return
        known = guests[player].position()["view"]["actions"]
        guests[player].done("play", at=shown["present"], number=min(number, len(known) - 1))


def note(guest: Guest) -> str:
    return str(guest.position()["note"])


def recorded_note(guest: Guest) -> str:
    """The note once the game is recorded."""
    with guest.events() as events:
        return next(str(data["note"]) for name, data in events if name == "position" and "recorded:" in data["note"])


def ledgers(folder: Path) -> dict[str, int]:
    people = folder / "people"
    return {path.name: len(read_ledger(path)[0]) for path in people.glob("*/")} if people.exists() else {}


def tag(*words: object) -> str:
    done = run_tag(*words)
    assert done.exit_code == 0, done.output
    return str(done.output)


# --- games of people are recorded ---------------------------------------------------------------------------------------


def test_a_game_of_people_is_recorded_at_its_end_and_counts(tmp_path):
    with table_server(tmp_path) as server:
        guests = server.create(game="tic_tac_toe", players=2, seats=PEOPLE, seed=1)
        assert note(guests[0]) == "This game counts: at its end it is recorded."
        play_on(guests)
        assert note(guests[1]) == "This game is recorded: tic_tac_toe-2p/b0-m0-s0."
        assert server.file(server.table)["counts"] is False
    assert ledgers(tmp_path) == {"tic_tac_toe-2p": 1}
    folder = tmp_path / "people" / "tic_tac_toe-2p"
    assert "human:name=Ann" in tag("results", folder)
    assert "is the same" in tag("replay", folder, "b0-m0-s0", "--quiet")


#: The others are slow.
QUICK = ("tic_tac_toe", "love_letter", "cant_stop")


@pytest.mark.parametrize(
    "game", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in game_names()]
)
def test_a_game_of_every_kind_is_recorded_and_opened_again(server, game):
    kind = game_class(game).game_type
    spec = f"{game}:{kind.check_parameters}" if kind.check_parameters else game
    players = int(max(kind.min_players, min(kind.max_players, 2)))
    guests = server.create(game=spec, players=players, seats=["human", *["random"] * (players - 1)], seed=3)
    guests[0].done("pace", seconds=0)
    for _decision in range(5000):
        shown = guests[0].position()
        if shown["view"]["player"] is None:
            break
        if shown["can"]["play"]:
            guests[0].post("play", at=shown["present"], number=0)
        else:
            with guests[0].events() as events:  # until an agent has moved
                for name, data in events:
                    if name == "position" and (data["can"]["play"] or data["view"]["player"] is None):
                        break
    place = recorded_note(guests[0]).removeprefix("This game is recorded: ").removesuffix(".")
    folder, _, game_id = place.partition("/")
    assert "is the same" in tag("replay", server.folder / "people" / folder, game_id, "--quiet")


def helped(server: TableServer, guests: list[Guest], what: str) -> None:
    first = guests[0]
    if what == "undo":
        first.done("undo")
    elif what == "go":
        first.done("go", at=0)
    elif what == "branch":
        first.done("play", at=0, number=1)
    elif what == "seat":
        first.done("seat", seat=1, agent="human:name=Cy")
    elif what == "ask":
        at = first.position()["present"]
        asker = guests[first.position()["view"]["player"]]
        asker.done("ask", at=at, agents=["random"])
    else:
        first.done(what, **({"at": 0} if what == "beliefs" else {}), deals=3)


@pytest.fixture(scope="module")
def helping_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableServer]:
    """Return a server at whose tables people are helped, so that in the end it has recorded nothing."""
    folder = tmp_path_factory.mktemp("helped")
    with table_server(folder) as found:
        yield found
    assert ledgers(folder) == {}


@pytest.mark.parametrize("what", ["undo", "go", "branch", "seat", "ask", "beliefs", "chances"])
def test_a_game_with_help_does_not_count(helping_server, what):
    guests = helping_server.create(game="tic_tac_toe", players=2, seats=PEOPLE, seed=1, free=True)
    play_on(guests, 2)
    helped(helping_server, guests, what)
    assert note(guests[0]).startswith("This game does not count: ")
    play_on(guests)
    assert note(guests[1]).startswith("This game does not count: ")
    assert helping_server.file(helping_server.table)["counts"] is False


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"cells": "210000000"}, "set up by hand"),
        ({"game": "love_letter", "open": True}, "everyone may see everything"),
    ],
)
def test_a_game_that_is_not_begun_as_others_does_not_count(server, values, reason):
    guests = server.create(**{"game": "tic_tac_toe", "players": 2, "seats": PEOPLE, "seed": 1, **values})
    assert note(guests[0]) == f"This game does not count: {note(guests[0]).partition(': ')[2]}"
    assert reason in note(guests[0])


def test_a_saved_game_does_not_count_and_one_of_agents_has_no_note(server):
    first, *_others = server.create(game="tic_tac_toe", players=2, seats=["human", "human"], seed=1)
    first.done("play", at=0, number=0)
    saved = server.host.get(f"{first.path}/save").json()
    guests = server.create(game="", players=2, seats=PEOPLE, saved=saved)
    assert note(guests[0]) == "This game does not count: it was not begun here."
    guests = server.create(game="tic_tac_toe", players=2, seats=["random", "random"], seed=1)
    assert note(guests[0]) == ""


def test_nothing_is_lost_or_doubled_where_the_server_is_killed(tmp_path):
    with table_server(tmp_path) as server:
        guests = server.create(game="tic_tac_toe", players=2, seats=PEOPLE, seed=1)
        play_on(guests)
        table = server.table
        # Killed between the ledger and the table's file, and before the ledger.
        for left in (1, 0):
            file = tmp_path / f"{table}.json"
            server.kill()
            values = json.loads(file.read_text())
            file.write_text(json.dumps({**values, "counts": True, "note": "This game counts"}))
            if not left:
                for shard in (tmp_path / "people" / "tic_tac_toe-2p" / "ledger").iterdir():
                    shard.unlink()
            server.start()
            assert recorded_note(server.again(guests[0]))
            assert ledgers(tmp_path) == {"tic_tac_toe-2p": 1}


def test_a_ledger_that_cannot_be_written_is_told_of_and_written_later(tmp_path):
    with table_server(tmp_path) as server:
        (tmp_path / "people").write_text("no folder")
        guests = server.create(game="tic_tac_toe", players=2, seats=PEOPLE, seed=1)
        play_on(guests, 6)
        with guests[1].events() as events:
            play_on(guests)
            fault = next(data["error"] for name, data in events if name == "fault")
        assert fault.startswith("the game could not be recorded: ")
        (tmp_path / "people").unlink()
        server.kill()
        server.start()
        assert recorded_note(server.again(guests[0]))
    assert ledgers(tmp_path) == {"tic_tac_toe-2p": 1}


def test_tables_of_earlier_versions_are_there_and_do_not_count(tmp_path):
    with table_server(tmp_path) as server:
        guests = server.create(game="tic_tac_toe", players=2, seats=PEOPLE, seed=1)
        server.kill()
        values = server.file(server.table)
        for name in ("note", "counts", "taken"):
            del values[name]
        (tmp_path / f"{server.table}.json").write_text(json.dumps(values))
        server.start()
        play_on([server.again(guest) for guest in guests])
    assert ledgers(tmp_path) == {}


# --- recorded games are found -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament of which some games have faults, one kind of which ends them."""
    folder = tmp_path_factory.mktemp("runs") / "mine"
    agents = ["random", "osla", f"{FAULTY_AGENTS}:Raises", f"{FAULTY_AGENTS}:Cheats"]
    words = [word for agent in agents for word in ("--agent", agent)]
    rules = ("--on-exception", "forfeit", "--on-illegal", "substitute")
    tag("tournament", "nim", *words, "--blocks", 6, "--out", folder, "--no-ray", "--no-tracking", *rules)
    return folder


@cache
def frames(folder: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Games and seats, read once for the hundreds of wishes."""
    return read_ledger(folder)


def expected(folder: Path, wanted: Wanted) -> list[str]:
    """The ids of the wanted games, by another way."""
    games, seats = frames(folder)
    chosen = seats
    if wanted.agent:
        chosen = chosen[chosen["agent"] == wanted.agent]
    if wanted.result:
        chosen = chosen[chosen["result"] == wanted.result]
    found = games[games["game_id"].isin(chosen["game_id"])]
    found = found[found["ticks"] >= wanted.least]
    if wanted.most:
        found = found[found["ticks"] <= wanted.most]
    if wanted.faults:
        has_fault = found["faults"].astype(bool) | found["void"]
        found = found[has_fault == (wanted.faults == "some")]
    if wanted.order != "schedule":
        name = {"actions": "ticks", "turns": "turns"}[wanted.order.removeprefix("-")]
        key = found[name] if not wanted.order.startswith("-") else -found[name]
        found = found.iloc[np.argsort(key.to_numpy(), kind="stable")]
    return list(found["game_id"])


def test_games_are_found_as_in_the_data_frames(run):
    games = GameList(run)
    many = 0
    for agent in ("", *games.labels):
        for result in ("", "win", "lose", "disqualified"):
            for faults in ("", "some", "none"):
                for order in ORDERS:
                    wanted = Wanted(agent, result, least=3, most=40, faults=faults, order=order)
                    ids = expected(run, wanted)
                    total, found = games.find(wanted)
                    assert total == len(ids)
                    assert [row["id"] for row in found] == ids[:PAGE]
                    many += bool(ids)
    assert many > 100


def test_pages_follow_each_other(run):
    games = GameList(run)
    ids = expected(run, Wanted())
    assert len(ids) > PAGE
    found = [row["id"] for page in (1, 2) for row in games.find(Wanted(page=page))[1]]
    assert found == ids[: 2 * PAGE]
    assert games.find(Wanted(page=1000))[1] == []


@pytest.mark.parametrize(
    "wanted", [Wanted(agent="oslo"), Wanted(result="won"), Wanted(faults="many"), Wanted(order="length")]
)
def test_what_is_not_there_is_refused(run, wanted):
    with pytest.raises(TagError):
        GameList(run).find(wanted)


def test_games_that_are_played_meanwhile_are_found(tmp_path):
    words = ("nim", "--agent", "random", "--agent", "osla", "--out", tmp_path / "run", "--no-ray", "--no-tracking")
    tag("tournament", *words, "--blocks", 2)
    games = GameList(tmp_path / "run")
    before = games.find(Wanted())[0]
    tag("tournament", *words, "--blocks", 5)
    assert (before, games.find(Wanted())[0]) == (4, 10)


# --- recorded games are opened ------------------------------------------------------------------------------------------


def opened_game(host: Any, game_id: object) -> Guest:
    answer = host.post("/games", {"game_id": game_id})
    assert answer.status == 200, answer.text
    return Guest(host, answer.json()["links"][-1]["href"], "viewer=-1")


@pytest.mark.system
def test_recorded_games_are_listed_opened_and_continued_by_hand(tmp_path, run):
    games, seats = read_ledger(run)
    with started(tmp_path / "tables", str(run), "--trust") as (host, path):
        assert path == "/games"
        listed = host.get(f"/games?{urlencode({'agent': 'osla', 'result': 'win', 'order': '-actions'})}")
        wins = expected(run, Wanted(agent="osla", result="win", order="-actions"))
        assert listed.status == 200
        assert f"{len(wins):,} games" in listed.text
        assert [one in listed.text for one in wins[:PAGE]] == [True] * len(wins[:PAGE])
        assert "Games of mine" in host.get("/tables").text
        for game_id in (wins[0], *games.loc[games["faults"].astype(bool), "game_id"].iloc[[0, -1]]):
            guest = opened_game(host, game_id)
            shown = guest.position()
            row = games[games["game_id"] == game_id].iloc[0]
            assert shown["view"]["ply"] == row["ticks"]
            agents = list(seats.loc[seats["game_id"] == game_id, "agent"])
            assert [seat["agent"] for seat in shown["seats"]] == agents
            assert shown["note"].startswith(f"Recorded game {game_id} of mine.")
            is_ended = "disqualified" in set(seats.loc[seats["game_id"] == game_id, "result"])
            assert ("A fault ended it" in shown["note"]) == is_ended
            if is_ended:
                out = list(seats.loc[seats["game_id"] == game_id, "result"]).index("disqualified")
                name = agents[out].rpartition(":")[2]
                assert f"A fault ended it: {name} in seat {out + 1}: disqualified" in shown["note"]
            if not is_ended:
                assert shown["view"]["hash"] == row["state_hash"]
            assert opened_game(host, game_id).path == guest.path  # it is there already
        host_guest = Guest(host, guest.path)
        answer = host.post(f"{host_guest.path}/seat", {"seat": 0, "agent": "human"})
        assert answer.status == 200, answer.text
        assert host.post(f"{host_guest.path}/go", {"at": 0}).status == 200
    with started(tmp_path / "tables") as (host, _path):
        assert host.get("/games").status == 404
        assert Guest(host, guest.path, "viewer=-1").position()["present"] == 0


@pytest.mark.parametrize("is_recorded", [False, True])
@pytest.mark.system
def test_a_game_with_chance_of_its_own_and_a_users_old_file_lead_to_the_same_end(tmp_path, is_recorded):
    file = tmp_path / "mine.py"
    file.write_text(PLAIN_GAME.read_text())
    extra = ["--record-actions"] if is_recorded else []
    rest = ["--agent", "random", "--agent", "osla", "--blocks", 2, "--no-ray", "--no-tracking", *extra]
    tag("tournament", f"{file}:Nim", *rest, "--out", tmp_path / "own")
    tag("tournament", "cant_stop", *rest, "--hold", "dice", "--out", tmp_path / "dice")
    file.write_text("1 / 0")
    for name in ("own", "dice"):
        games, _seats = read_ledger(tmp_path / name)
        with started(tmp_path / "tables", str(tmp_path / name), "--trust") as (host, _path):
            for game_id, state_hash in zip(games["game_id"], games["state_hash"], strict=True):
                assert opened_game(host, game_id).position()["view"]["hash"] == state_hash


def test_requests_for_recorded_games_are_refused_in_a_sentence(tmp_path, run):
    with started(tmp_path / "tables", str(run), "--trust") as (host, _path):
        for query in (
            "agent=nobody",
            "least=-1",
            "most=x",
            "page=0",
            "page=9999999999",
            "order=x",
            "faults=2",
            "result=w",
        ):
            answer = host.get(f"/games?{query}", Accept="application/json")
            assert answer.status == 400, query
            assert answer.json()["error"]
        for value in ("b0-m0-s9", "", None, 3, "x" * 10_000, "../b0"):
            answer = host.post("/games", {"game_id": value})
            assert answer.status == 400, value
            assert len(answer.json()["error"]) < 200
        assert host.get("/games", Cookie=None).status == 403
        assert host.post("/games", {"game_id": "b0-m0-s0"}, Cookie=None).status == 403
        assert host.post("/games", {"game_id": "b0-m0-s0"}, Origin="http://evil").status == 403
        assert not list((tmp_path / "tables").glob("*.json"))


def test_folders_without_a_tournament_are_refused(tmp_path):
    for name, sentence in ((tmp_path, "holds no tournament"), (tmp_path / "none", "does not exist")):
        done = run_tag("table", name, "--no-browser")
        assert done.exit_code == 2
        assert sentence in done.output


@pytest.mark.system
def test_a_recorded_game_is_found_and_stepped_through_in_a_browser(tmp_path, run):
    with started(tmp_path / "tables", str(run), "--trust") as (host, path), started_browser() as browser:
        page = browser.new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{host.origin}{path}?token={host.token}")
        page.select_option("#agent", "osla")
        page.select_option("#order", "-actions")
        page.click("#wanted button")
        page.wait_for_url("**order=-actions**")
        longest = expected(run, Wanted(agent="osla", order="-actions"))[0]
        page.click(f'[data-game="{longest}"]')
        page.wait_for_selector("#ply:text('after 0 of')")
        page.keyboard.press("ArrowRight")
        page.wait_for_selector("#ply:text('after 1 of')")
        assert longest in page.inner_text("#note")
        assert errors == []
