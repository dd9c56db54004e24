"""Recorded actions: in the ledger whoever plays and however often interrupted, and enough to play a game again."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
from users_code import ERRATIC_AGENTS, FAULTY_AGENTS

from tag.engine.results import DISQUALIFIED
from tag.errors import DataError
from tag.orders import play_order
from tag.tournaments import Ledger, PlayedGame, define, read_actions, read_ledger, run_tournament
from tag.tournaments.ledger.folder import extended, ledger_bytes
from tag.tournaments.ledger.games import content_hash, ledger_files, read_choices
from tag.tournaments.ledger.replay import replay_of, replays_of
from tag.tournaments.ledger.storage import write_shard

pytestmark = pytest.mark.flow

ROOT = Path(__file__).parents[4]
DOCS = ROOT / "docs"
ERRATIC = f"{ERRATIC_AGENTS}:Erratic"
DEFINITION = define("love_letter", ("random", "osla"), 4, players=2, seed=3, record_actions=True)
PAIRINGS = list(DEFINITION.schedule())
RECORDS = [play_order(DEFINITION.order(pairing)) for pairing in PAIRINGS]


def written(folder: Path, order: list[int], cuts: list[int]) -> Ledger:
    ledger = Ledger(folder, DEFINITION)
    for begin, end in zip([0, *cuts], [*cuts, len(order)], strict=True):
        ledger.append([PlayedGame(PAIRINGS[number], RECORDS[number], "") for number in order[begin:end]])
    return ledger


def shards(folder: Path) -> list[Path]:
    return [path for path in ledger_files(folder) if path.name.startswith("actions")]


@pytest.fixture(scope="module")
def erratic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recorded tournament whose games nobody plays again."""
    folder = tmp_path_factory.mktemp("erratic")
    definition = define("love_letter", (ERRATIC, "random"), 3, players=2, seed=1, record_actions=True)
    run_tournament(definition, folder, tracking=False)
    return folder


def test_every_action_is_there_in_schedule_order(tmp_path: Path) -> None:
    written(tmp_path, list(range(len(PAIRINGS))), [3])
    expected = [(r.game_id, tick, choice) for r in RECORDS for tick, choice in enumerate(r.choices)]
    assert list(read_actions(tmp_path).itertuples(index=False, name=None)) == expected
    assert len(expected) == sum(record.ticks for record in RECORDS) > 0
    assert [(game_id, tuple(choices)) for game_id, choices, _forfeits in read_choices(tmp_path)] == [
        (record.game_id, record.choices) for record in RECORDS
    ]


@pytest.mark.parametrize("is_empty", [False, True])
def test_the_frame_is_as_documented(tmp_path: Path, is_empty: bool) -> None:
    written(tmp_path, [] if is_empty else [0, 1], [])
    frame = read_actions(tmp_path)
    assert frame.empty == is_empty
    table = (DOCS / "ledger.md").read_text(encoding="utf-8").partition("`read_actions(path)`")[2].partition("\n\n|")[2]
    documented = re.findall(r"^\|? ?`(\w+)` \| (\w+) \|", table.partition("\n\n")[0], re.MULTILINE)
    assert [(name, str(kind)) for name, kind in frame.dtypes.items()] == documented


def test_order_cuts_and_merging_make_no_difference(tmp_path: Path) -> None:
    n = len(PAIRINGS)
    one = written(tmp_path / "a", list(range(n)), [3])
    other = written(tmp_path / "b", [*reversed(range(n)), 2, 2], [1, 5, 6])
    pd.testing.assert_frame_equal(read_actions(tmp_path / "a"), read_actions(tmp_path / "b"))
    assert one.compact(len(DEFINITION.schedule()))
    assert other.compact(len(DEFINITION.schedule()))
    assert [path.name for path in shards(tmp_path / "a")] == [path.name for path in shards(tmp_path / "b")]
    assert len(shards(tmp_path / "a")) == 1


def test_recording_changes_nothing_else(tmp_path: Path) -> None:
    plain = define("love_letter", ("random", "osla"), 4, players=2, seed=3)
    run_tournament(DEFINITION, tmp_path / "recorded", tracking=False)
    run_tournament(plain, tmp_path / "plain", tracking=False)
    assert content_hash(tmp_path / "recorded") == content_hash(tmp_path / "plain")
    assert shards(tmp_path / "plain") == []
    assert read_actions(tmp_path / "plain").empty
    assert len(shards(tmp_path / "recorded")) == 1


@pytest.mark.system
@pytest.mark.usefixtures("local_ray")
def test_workers_record_the_same(tmp_path: Path) -> None:
    run_tournament(DEFINITION, tmp_path / "here", tracking=False)
    run_tournament(DEFINITION, tmp_path / "ray", workers=2, tracking=False)
    assert [path.name for path in shards(tmp_path / "here")] == [path.name for path in shards(tmp_path / "ray")]


def test_games_that_nobody_plays_again_are_replayed_from_their_actions(erratic: Path) -> None:
    replays = list(replays_of(erratic))
    assert len(replays) == 6
    assert [replay.play_recorded() for replay in replays] == [[]] * 6
    assert any(replay.play() for replay in replays)


def test_games_with_forfeits_and_void_games_are_replayed(tmp_path: Path) -> None:
    agents = (f"{FAULTY_AGENTS}:Raises", f"{FAULTY_AGENTS}:Cheats", f"{FAULTY_AGENTS}:FailsToStart", "random")
    rules = type(DEFINITION.rules)(on_illegal="void", on_exception="forfeit")
    definition = define("uno", agents, 1, players=2, seed=1, rules=rules, record_actions=True)
    run_tournament(definition, tmp_path, tracking=False)
    games, _seats = read_ledger(tmp_path)
    assert games["void"].any()
    forfeits = [found for _id, _choices, found in read_choices(tmp_path)]
    assert [(0, DISQUALIFIED)] in forfeits
    assert [] in forfeits
    assert [replay.play_recorded() for replay in replays_of(tmp_path)] == [[]] * len(games)


def test_damaged_actions_are_set_aside_and_their_games_kept(tmp_path: Path) -> None:
    written(tmp_path, list(range(len(PAIRINGS))), [3])
    first = shards(tmp_path)[0]
    first.write_bytes(first.read_bytes()[:-1] + b"!")
    resumed = Ledger(tmp_path, DEFINITION)
    assert [sentence.split("; ")[1] for sentence in resumed.quarantined] == [
        "the actions of its games are played again, if the agents are deterministic"
    ]
    assert len(resumed.history()[0]) == len(PAIRINGS)
    assert [game_id for game_id, *_rest in read_choices(tmp_path)] == [pairing.game_id for pairing in PAIRINGS[3:]]


def test_games_with_and_without_actions_are_told_apart(tmp_path: Path) -> None:
    run_tournament(DEFINITION, tmp_path, tracking=False)
    [path] = shards(tmp_path)
    table = pq.read_table(path)
    path.unlink()
    write_shard(path.parent, "actions", 0, table.take([1, 2, 5]))
    replays = list(replays_of(tmp_path))
    assert [number for number, replay in enumerate(replays) if replay.recording] == [1, 2, 5]
    assert [replay.order.game_id for replay in replays] == [pairing.game_id for pairing in PAIRINGS]
    assert [replay.play_recorded() for replay in replays] == [[]] * len(PAIRINGS)
    some = [replay.order.game_id for replay in replays_of(tmp_path, ["b3-m0-s0", "b0-m0-s1"])]
    assert some == ["b0-m0-s1", "b3-m0-s0"]


def test_the_actions_of_another_game_are_found_out(erratic: Path, tmp_path: Path) -> None:
    shutil.copytree(erratic, tmp_path / "t")
    [path] = shards(tmp_path / "t")
    table = pq.read_table(path).to_pydict()
    table["choices"][0][1] = 99
    table["choices"][1] = table["choices"][1][:-1]
    table["choices"][2] = table["choices"][3]
    changed = pq.read_table(path).schema.empty_table().from_pydict(table, schema=pq.read_table(path).schema)
    path.unlink()
    write_shard(path.parent, "actions", 0, changed)
    said = [" ".join(replay.play_recorded()) for replay in replays_of(tmp_path / "t")]
    assert re.fullmatch(r"action 2 of the recording of b0-m0-s0 cannot be number 99; there are 0 to \d+", said[0])
    assert "after which the game is not over" in said[1]
    assert said[2]
    assert said[3:] == [""] * 3


def test_without_recorded_actions_the_agents_have_to_play_the_same(erratic: Path, tmp_path: Path) -> None:
    shutil.copytree(erratic, tmp_path / "t")
    [path] = shards(tmp_path / "t")
    path.unlink()
    with pytest.raises(DataError, match="the agents of b.-m0-s. play another game now .*--record-actions"):
        [replay.recorded() for replay in replays_of(tmp_path / "t")]
    run_tournament(define("tic_tac_toe", ("random", "osla"), 1), tmp_path / "s", tracking=False)
    replay = replay_of(tmp_path / "s", "b0-m0-s0")
    assert replay.recording is None
    assert len(replay.recorded().choices) == replay.expected["ticks"]


def test_an_extended_tournament_goes_on_recording() -> None:
    assert extended(DEFINITION, 9, ("random",)).record_actions
    plain = define("love_letter", ("random", "osla"), 4, players=2, seed=3)
    assert "record_actions is True there, not False" in DEFINITION.difference(plain)
    assert ledger_bytes(DEFINITION) > ledger_bytes(plain)
