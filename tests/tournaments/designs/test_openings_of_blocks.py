"""Openings in tournaments: shared by the games of a block, different between blocks, replayed and resumed."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from commands import run_tag

from tag.errors import ParameterError
from tag.tournaments.definition import TournamentDefinition, define
from tag.tournaments.ledger.folder import Folder
from tag.tournaments.ledger.games import read_ledger
from tag.tournaments.ledger.replay import log_line, read_logged, replay_of, replays_of
from tag.tournaments.results.positions import write_positions
from tag.tournaments.results.tournament import keys_in
from tag.tournaments.run import run_tournament
from tag.tournaments.statistics.repeats import RepeatedGames

pytestmark = pytest.mark.flow

SAME = ("osla", "max_n:budget=30")


def beginnings(folder: Path, decisions: int) -> dict[tuple[int, int], tuple[int, ...]]:
    """Return the first actions of each game by block and seating, from its record."""
    return {
        (replay.pairing.block, replay.pairing.seating): tuple(replay.recorded().choices[:decisions])
        for replay in replays_of(folder)
    }


def test_games_of_a_block_share_an_opening_and_blocks_differ(tmp_path: Path) -> None:
    """Both sides play each opening, so each agent plays it equally often in each seat."""
    definition = define("connect_four", SAME, 12, opening="random:4", record_actions=True)
    run_tournament(definition, tmp_path, tracking=False)
    found = beginnings(tmp_path, 4)
    assert all(found[block, 0] == found[block, 1] for block in range(12))
    assert len({found[block, 0] for block in range(12)}) == 12
    seats = Counter(
        (found[one.pairing.block, 0], agents) for one in replays_of(tmp_path) for agents in [one.order.agents]
    )
    assert set(seats.values()) == {1}
    assert len(seats) == 24
    assert all(not one.play_recorded() and not one.play() for one in replays_of(tmp_path))


def test_deterministic_agents_play_different_games(tmp_path: Path) -> None:
    """Two copies of a bot play one game again and again; with openings, at least 95 % of their games are different."""
    copies = ("one=connect_four:threats", "other=connect_four:threats")
    shares = {}
    for opening in ("", "random:4"):
        folder = tmp_path / (opening.replace(":", "") or "none")
        run_tournament(define("connect_four", copies, 30, opening=opening), folder, tracking=False)
        games = Folder.open(folder).games()
        keys, _agents = keys_in(games.table, games.actions_digests())
        shares[opening] = len(set(keys.tolist())) / len(keys)
        assert ("with --opening random:6" in " ".join(run_tag("results", folder).stdout.split())) == (not opening)
    assert shares[""] == 2 / 60
    assert shares["random:4"] >= 0.95


@pytest.mark.parametrize(("games", "decisions"), [(20, 6), (100_000, 8)])
def test_the_notice_names_enough_decisions(games: int, decisions: int) -> None:
    assert f"with --opening random:{decisions} games begin differently" in RepeatedGames(games, 2, (0.1,)).text


def test_listed_openings_are_played_in_turn(tmp_path: Path) -> None:
    definition = define("connect_four", SAME, 5, opening="moves:3,3;0,1;2,2", record_actions=True)
    run_tournament(definition, tmp_path, tracking=False)
    found = beginnings(tmp_path, 2)
    assert [found[block, 1] for block in range(5)] == [(3, 3), (0, 1), (2, 2), (3, 3), (0, 1)]


@pytest.mark.parametrize(
    ("game", "opening"),
    [("connect_four", "random:3"), ("love_letter", "random:3"), ("love_letter", "moves:5@0,1;9@1,0")],
)
def test_a_resumed_tournament_has_the_same_bytes(game: str, opening: str, tmp_path: Path) -> None:
    """Games that were lost are played again from the same openings."""
    definition = define(game, ("osla", "random"), 6, opening=opening, record_actions=True, metrics=("action_space",))
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    run_tournament(definition, whole, tracking=False)
    run_tournament(
        define(game, ("osla", "random"), 3, opening=opening, record_actions=True, metrics=("action_space",)),
        cut,
        tracking=False,
    )
    run_tag("tournament", cut, "--extend", "--blocks", "6", "--no-tracking", "--quiet", "--workers", "1")
    names = [sorted(one.name for one in (folder / "ledger").glob("[gam]*-*")) for folder in (whole, cut)]
    assert names[0] == names[1]
    assert len(names[0]) == 3


def test_without_an_opening_a_definition_is_what_it_was() -> None:
    plain = define("connect_four", SAME, 2)
    assert "opening" not in plain.fixed
    opened = define("connect_four", SAME, 2, opening="random:2")
    assert {name: value for name, value in opened.fixed.items() if name != "opening"} == plain.fixed
    values = plain.to_json()
    del values["opening"]
    assert TournamentDefinition.from_json(values) == plain
    assert "opening is none there, not random:2" in plain.difference(opened)


def test_everything_in_a_folder_knows_of_openings(tmp_path: Path) -> None:
    """Verification, logs, and training data of a game with hidden cards whose openings have deals of their own."""
    folder = tmp_path / "t"
    definition = define("love_letter", ("osla", "random"), 4, opening="moves:5@0,1;9@1,0", record_actions=True)
    run_tournament(definition, folder, tracking=False)
    assert run_tag("verify", folder).exit_code == 0
    replay = replay_of(folder, "b1-m0-s1")
    log = tmp_path / "log.jsonl"
    log.write_text(log_line(replay))
    logged = read_logged(log, "b1-m0-s1")
    assert (logged.recording.opening, logged.recording.opening_seed) == (2, 9)
    assert logged.play_recorded() == []
    rows, games = write_positions(folder, tmp_path / "positions.parquet")
    _games, seats = read_ledger(folder)
    assert games == 8
    assert rows <= int(seats["decisions"].sum())
    assert min(pq.read_table(tmp_path / "positions.parquet").column("tick").to_pylist()) >= 2


def test_the_beginning_of_a_replay_becomes_an_opening(tmp_path: Path) -> None:
    folder, book = tmp_path / "t", tmp_path / "book.jsonl"
    run_tournament(define("love_letter", ("osla", "random"), 2), folder, tracking=False)
    for game_id in ("b0-m0-s0", "b1-m0-s0"):
        done = run_tag("replay", folder, game_id, "--moves", 3, "--opening", book)
        assert done.stdout == f"the first 3 actions of {game_id} are an opening in {book}\n"
    run_tournament(
        define("love_letter", ("random", "osla"), 2, opening=str(book), record_actions=True),
        tmp_path / "u",
        tracking=False,
    )
    before = beginnings(folder, 3)
    after = beginnings(tmp_path / "u", 3)
    assert [after[block, 1] for block in range(2)] == [before[block, 0] for block in range(2)]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--moves", 3), "--opening FILE and --moves N belong together; give both"),
        (("--moves", 9_999, "--opening", "{book}"), "--moves cannot be 9999; b0-m0-s0 has"),
    ],
)
def test_impossible_openings_of_replays_are_refused(words: tuple[Any, ...], sentence: str, tmp_path: Path) -> None:
    run_tournament(define("nim", ("osla", "random"), 1), tmp_path / "t", tracking=False)
    said = [str(word).format(book=tmp_path / "book") for word in words]
    done = run_tag("replay", tmp_path / "t", "b0-m0-s0", *said)
    assert done.exit_code == 2
    assert sentence in str(done.output)
    assert not (tmp_path / "book").exists()


def test_a_wrong_file_ends_the_command_with_one_sentence(tmp_path: Path) -> None:
    book = tmp_path / "book.jsonl"
    book.write_text(json.dumps({"game": "connect_four", "actions": ["d", "z"]}) + "\n")
    done = run_tag("tournament", "connect_four", "--agent", "osla", "--opening", book, "--out", tmp_path / "t")
    assert done.exit_code == 2
    assert done.output.count("\n") == 1
    assert "line 1 of" in done.output
    assert "action 2 cannot be 'z'" in done.output
    assert not (tmp_path / "t").exists()


def test_listed_openings_do_not_fit_drawn_rules() -> None:
    with pytest.raises(ParameterError, match="where parameters are drawn"):
        define("connect_four", SAME, 4, opening="moves:3", draw=("width=6,7",))
    orders = define("connect_four", SAME, 4, opening="random:3", draw=("width=6,7",))
    assert orders.opening == "random:3"


def test_openings_and_held_chance(tmp_path: Path) -> None:
    """Games that share only some chance draw their openings from the seed of the block."""
    definition = define(
        "battlelore:max_rounds=2", ("random", "random"), 3, hold=("cards",), opening="random:3", record_actions=True
    )
    run_tournament(definition, tmp_path, tracking=False)
    assert all(not one.play_recorded() for one in replays_of(tmp_path))
