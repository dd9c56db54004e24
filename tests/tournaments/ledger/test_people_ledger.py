"""Ledgers of games with people: standings, replays, and each game once, whatever happens on the way."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from commands import run_tag
from users_code import PLAIN_GAME

from tag.catalogue.registry import game_class, game_names
from tag.engine.rng import Rng
from tag.engine.snapshot import state_hash
from tag.errors import DataError
from tag.playing.recording import Recording
from tag.table.game import Start, TableGame
from tag.tournaments import read_results
from tag.tournaments.ledger import storage
from tag.tournaments.ledger.folder import read_manifest
from tag.tournaments.ledger.games import read_ledger
from tag.tournaments.ledger.people import record_game
from tag.tournaments.ledger.replay import replay_of
from tag.tournaments.ledger.writing import Ledger

pytestmark = pytest.mark.flow

PEOPLE = ("human:name=Ann", "human:name=Bo", "osla", "random")


def random_game(game: str, players: int, seed: int) -> TableGame:
    table, rng = TableGame(Start(game, players, seed)), Rng(seed)
    while not table.state.is_terminal:
        table.play(int(rng.below(len(table.actions))))
    return table


def recorded(folder: Path, table: TableGame, agents: tuple[str, ...] = PEOPLE, seconds: float = 1.5) -> str:
    start = table.start
    recording = Recording("", start.game, start.players, start.seed, table.line)
    return record_game(folder, recording, agents[: start.players], [seconds + seat for seat in range(start.players)])


def tag(*words: object) -> str:
    done = run_tag(*words)
    assert done.exit_code == 0, done.output
    return str(done.output)


@pytest.mark.parametrize("game", game_names())
def test_a_recorded_game_replays_to_the_same_position(game: str, tmp_path: Path) -> None:
    kind = game_class(game).game_type
    players = int(max(kind.min_players, min(kind.max_players, 3)))
    spec = f"{game}:{kind.check_parameters}" if kind.check_parameters else game
    table = random_game(spec, players, 5)
    folder, _, game_id = recorded(tmp_path, table, ("human",) * players).rpartition("/")
    replay = replay_of(tmp_path / folder, game_id)
    assert replay.expected["state_hash"] == state_hash(table.state)
    assert replay.play_recorded() == []


def test_games_count_in_standings_and_ratings(tmp_path: Path) -> None:
    for seed in range(12):
        seats = PEOPLE[:2] if seed % 2 else (PEOPLE[2], PEOPLE[0])
        place = recorded(tmp_path, random_game("connect_four", 2, seed), seats)
        assert place == f"connect_four-2p/b{seed}-m0-s0"
    folder = tmp_path / "connect_four-2p"
    results = read_results(folder)
    assert {one.agent: one.games for one in results.standings} == {PEOPLE[0]: 12, PEOPLE[1]: 6, PEOPLE[2]: 6}
    assert results.complete
    _games, seats_frame = read_ledger(folder)
    wins = seats_frame.loc[seats_frame["agent"] == PEOPLE[1], "points"].mean()
    (bo,) = [one for one in results.standings if one.agent == PEOPLE[1]]
    assert bo.win_rate == pytest.approx(wins)
    assert "human:name=Ann" in tag("ratings", folder)
    assert "is the same" in tag("replay", folder, "b3-m0-s0", "--quiet")
    assert json.loads(tag("status", folder, "--json"))["games"] == 12


def test_agents_do_not_play_a_game_of_people_again(tmp_path: Path) -> None:
    for agents in (("human", "osla"), ("human:name=Ann", "human")):
        folder, _, game_id = recorded(tmp_path, random_game("connect_four", 2, len(agents[0])), agents).rpartition("/")
        done = run_tag("replay", tmp_path / folder, game_id, "--with-agents")
        seats = "0 and 1" if agents[1] == "human" else "0"
        assert done.exit_code == 2
        assert done.stdout == ""
        assert done.stderr == (
            f"tag: --with-agents cannot play {game_id}, in which people decided for player {seats}; leave it out to replay "
            "the recorded actions\n"
        )


def test_the_choices_and_seconds_of_each_seat_are_kept(tmp_path: Path) -> None:
    table = random_game("love_letter", 4, 3)
    place = recorded(tmp_path, table)
    _games, seats = read_ledger(tmp_path / place.partition("/")[0])
    chosen = [sum(not one.is_forced for one in table.taken if one.player == seat) for seat in range(4)]
    assert list(seats["decisions"]) == chosen
    results = read_results(tmp_path / place.partition("/")[0])
    assert {one.agent: one.decision_ms for one in results.standings} == pytest.approx(
        {agent: 1000.0 * (1.5 + seat) / chosen[seat] for seat, agent in enumerate(PEOPLE)}
    )


# --- each game once -----------------------------------------------------------------------------------------------------


def test_a_game_that_is_recorded_again_counts_once_and_another_like_it_twice(tmp_path: Path) -> None:
    table = random_game("tic_tac_toe", 2, 1)
    assert [recorded(tmp_path, table) for _time in range(3)] == ["tic_tac_toe-2p/b0-m0-s0"] * 3
    assert recorded(tmp_path, table, seconds=2.5) == "tic_tac_toe-2p/b1-m0-s0"
    assert recorded(tmp_path, table) == "tic_tac_toe-2p/b0-m0-s0"


@pytest.mark.parametrize(("owner", "step", "last"), [(storage, "write_shard", 2), (Ledger, "append", 1)])
def test_a_game_is_recorded_once_where_the_first_attempt_was_cut_off(
    owner: Any, step: str, last: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded(tmp_path, random_game("tic_tac_toe", 2, 1))
    table, former = random_game("tic_tac_toe", 2, 2), getattr(owner, step)
    calls = []

    def cut_off(*given: object) -> object:
        calls.append(given)
        if len(calls) == last:
            raise KeyboardInterrupt
        return former(*given)

    with monkeypatch.context() as patched:
        patched.setattr(owner, step, cut_off)
        with pytest.raises(KeyboardInterrupt):
            recorded(tmp_path, table, ("human:name=Cy", "random"))
    assert recorded(tmp_path, table, ("human:name=Cy", "random")) == "tic_tac_toe-2p/b1-m0-s0"
    results = read_results(tmp_path / "tic_tac_toe-2p")
    assert results.games == results.total == 2


@pytest.mark.system
def test_processes_record_side_by_side(tmp_path: Path) -> None:
    program = """if True:
        import sys
        sys.path[:0] = sys.argv[3:]
        from pathlib import Path
        from tag.tournaments.ledger import people
        from test_people_ledger import random_game, recorded
        people._MOST_SHARDS = 10
        for seed in range(6):
            print(recorded(Path(sys.argv[1]), random_game("nim", 2, seed), seconds=float(sys.argv[2])))
    """

    def run(number: int) -> list[str]:
        command = [sys.executable, "-c", program, str(tmp_path), str(number), str(Path(__file__).parent), *sys.path]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()

    with ThreadPoolExecutor(3) as threads:
        places = [place for found in threads.map(run, range(3)) for place in found]
    assert len(places) == len(set(places)) == 18
    games, _seats = read_ledger(tmp_path / "nim-2p")
    assert list(games["block"]) == list(range(18))
    assert len(list((tmp_path / "nim-2p" / "ledger").glob("games-*"))) <= 11  # merged on the way


def test_a_game_that_is_not_over_or_not_possible_is_not_recorded(tmp_path: Path) -> None:
    table = random_game("tic_tac_toe", 2, 1)
    for line in (table.line[:-1], (*table.line, 0), (70,)):
        with pytest.raises(DataError):
            record_game(tmp_path, Recording("", "tic_tac_toe", 2, 1, line), ("human", "random"), (1.0, 1.0))
    assert not list(tmp_path.iterdir())


# --- changed rules, and tournaments -------------------------------------------------------------------------------------


def test_games_by_other_rules_have_a_ledger_of_their_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(PLAIN_GAME.read_text())
    program = """if True:
        import sys
        sys.path[:0] = sys.argv[3:]
        from pathlib import Path
        from test_people_ledger import random_game, recorded
        print(recorded(Path(sys.argv[1]), random_game(sys.argv[2], 2, 4)))
    """
    people = tmp_path / "people"
    command = [sys.executable, "-c", program, str(people), f"{file}:Nim", str(Path(__file__).parent), *sys.path]
    for changed in ("", "# changed\n", ""):
        file.write_text(file.read_text().replace("# changed\n", "") + changed)
        subprocess.run(command, check=True, capture_output=True)
    games = {path.name: len(read_ledger(path)[0]) for path in people.iterdir() if path.is_dir()}
    assert sorted(games.values()) == [1, 1]
    assert all(name.endswith(("-2p", "-2p-2")) for name in games)


def test_no_tournament_has_people_play(tmp_path: Path) -> None:
    recorded(tmp_path, random_game("tic_tac_toe", 2, 1))
    folder = tmp_path / "tic_tac_toe-2p"
    for words in (
        ("tournament", folder),
        ("tournament", "nim", "--design", "played", "--agent", "random", "--blocks", 2, "--out", tmp_path / "other"),
    ):
        done = run_tag(*words)
        assert done.exit_code == 2, done.output
        assert "tag table" in done.output
    assert not (tmp_path / "other").exists()
    assert read_manifest(folder).definition.blocks == 1
