"""The ledger: every game once, whatever happens to the files; the same bits in the end; frames as documented."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tag.engine.results import DISQUALIFIED, DRAW, LOSE, ONGOING, WIN
from tag.engine.rng import Rng, derive_seed
from tag.errors import DataError
from tag.orders import GameRecord
from tag.playing.faults import Fault
from tag.tournaments import PlayedGame
from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.ledger import rows as _rows
from tag.tournaments.ledger import storage as _shards
from tag.tournaments.ledger.games import content_hash, ledger_files, read_faults, read_ledger, read_timings
from tag.tournaments.ledger.writing import Ledger

pytestmark = pytest.mark.flow

ROOT = Path(__file__).parents[3]
DEFINITION = TournamentDefinition("love_letter", 3, ("random", "mcts:budget=400", "osla", "random"), 3, seed=11)
SCHEDULE = DEFINITION.schedule()
GAMES = list(SCHEDULE)


def record(pairing, **changes):
    """A made-up record that is a function of the pairing, but for the seconds."""
    rng = Rng(derive_seed(1, pairing.game_id))
    winner = rng.below(3)
    values = {
        "game_id": pairing.game_id,
        "results": tuple(WIN if seat == winner else LOSE for seat in range(3)),
        "ordinals": tuple(1 if seat == winner else 2 for seat in range(3)),
        "teams": (0, 1, 2),
        "scores": tuple(rng.uniform() for _ in range(3)),
        "decisions": tuple(rng.below(20) for _ in range(3)),
        "seconds": tuple(np.random.default_rng().random(3).tolist()),
        "ticks": rng.below(50),
        "turns": rng.below(50),
        "rounds": rng.below(5),
        "state_hash": f"{rng.next32():016x}",
        "faults": [Fault("exception", 1, 7, f"object at {id(rng):x}")] if winner == 0 else [],
    }
    return GameRecord(**{**values, **changes})


def rows(pairings=GAMES):
    return [PlayedGame(pairing, record(pairing), f"10.0.0.{pairing.block}/7") for pairing in pairings]


def open_ledger(folder):
    return Ledger(folder, DEFINITION)


def played(ledger):
    """Return the games of the schedule that are in a ledger, in which there must be no others."""
    found, _faults = ledger.history()
    games = [game for game in GAMES if game in found]
    assert len(games) == len(found)
    return games


def shards(folder, kind="games"):
    return sorted((folder / "ledger").glob(f"{kind}-*.parquet"))


def bits(folder):
    """What is in the ledger's game files, and no other files are there."""
    names = {path.name for path in (folder / "ledger").iterdir() if path.is_file()}
    assert names == {path.name for path in ledger_files(folder)}
    return {path.name: path.read_bytes() for path in shards(folder)}


@pytest.fixture(scope="module")
def complete(tmp_path_factory):
    folder = tmp_path_factory.mktemp("complete")
    ledger = open_ledger(folder)
    ledger.append(rows())
    assert ledger.compact(len(SCHEDULE))
    return folder


# --- once, and the same to the bit ----------------------------------------------------------------------------------


@given(st.data())
@settings(derandomize=True, deadline=None, max_examples=25)
def test_order_sharding_duplicates_and_resumption_leave_the_same_bits(complete, tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("ledger")
    order = data.draw(st.permutations(GAMES))
    order += data.draw(st.lists(st.sampled_from(GAMES), max_size=8))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(order)), max_size=6)))
    ledger = open_ledger(folder)
    for begin, end in zip([0, *cuts], [*cuts, len(order)], strict=True):
        if data.draw(st.booleans()):
            ledger = open_ledger(folder)
        ledger.append(rows(order[begin:end]))
    assert played(ledger) == GAMES
    assert content_hash(folder) == content_hash(complete)
    assert len(read_timings(folder)) == len(GAMES) * 3
    assert ledger.compact(len(SCHEDULE))
    assert bits(folder) == bits(complete)
    assert content_hash(folder) == content_hash(complete)


def test_an_incomplete_ledger_is_not_merged(tmp_path):
    ledger = open_ledger(tmp_path)
    ledger.append(rows(GAMES[:5]))
    ledger.append(rows(GAMES[5:-1]))
    before = bits(tmp_path)
    assert not ledger.compact(len(SCHEDULE))
    assert bits(tmp_path) == before
    assert played(ledger) == GAMES[:-1]


def test_merging_again_changes_nothing(complete):
    before = {path: path.stat().st_mtime_ns for path in ledger_files(complete)}
    assert open_ledger(complete).compact(len(SCHEDULE))
    assert {path: path.stat().st_mtime_ns for path in ledger_files(complete)} == before


@pytest.mark.parametrize("block", [0, 1])
def test_a_merged_ledger_is_cut_where_fewer_blocks_count(tmp_path, block):
    """As where a stopping rule is decided by what has been merged."""
    ledger = open_ledger(tmp_path)
    ledger.append(rows())
    assert ledger.compact(len(SCHEDULE))
    per_block = SCHEDULE.n_games(0)
    assert not ledger.compact(len(SCHEDULE), block + 1)
    assert ledger.compact((block + 1) * per_block, block + 1)
    assert played(ledger) == GAMES[: (block + 1) * per_block]


def test_a_merged_ledger_takes_more_blocks(tmp_path):
    longer = TournamentDefinition(DEFINITION.game, 3, DEFINITION.agents, 5, seed=11)
    games = list(longer.schedule())
    ledger = open_ledger(tmp_path / "grown")
    ledger.append(rows())
    ledger.compact(len(SCHEDULE))
    ledger = Ledger(tmp_path / "grown", longer)
    ledger.append(rows(games[len(GAMES) :]))
    assert ledger.compact(len(longer.schedule()))
    at_once = Ledger(tmp_path / "at_once", longer)
    at_once.append(rows(games))
    assert at_once.compact(len(longer.schedule()))
    assert bits(tmp_path / "grown") == bits(tmp_path / "at_once")
    assert len(bits(tmp_path / "grown")) == 1


@pytest.mark.parametrize("survivors", range(5))
def test_being_killed_while_merging_loses_nothing(complete, tmp_path, survivors, monkeypatch):
    ledger = open_ledger(tmp_path)
    for begin in range(0, len(GAMES), 10):
        ledger.append(rows(GAMES[begin : begin + 10]))
    unlinked = []

    def unlink(path, missing_ok=False):
        if len(unlinked) == survivors:
            raise KeyboardInterrupt
        unlinked.append(path)
        original(path)

    original = Path.unlink
    monkeypatch.setattr(Path, "unlink", unlink)
    with pytest.raises(KeyboardInterrupt):
        ledger.compact(len(SCHEDULE))
    monkeypatch.undo()
    assert content_hash(tmp_path) == content_hash(complete)
    resumed = open_ledger(tmp_path)
    assert played(resumed) == GAMES
    assert resumed.compact(len(SCHEDULE))
    assert bits(tmp_path) == bits(complete)
    assert len(read_timings(tmp_path)) == len(GAMES) * 3


def test_being_killed_before_the_rename_leaves_no_shard(tmp_path, monkeypatch):
    ledger = open_ledger(tmp_path)
    ledger.append(rows(GAMES[:4]))

    def killed(path, target):
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", killed)
    with pytest.raises(KeyboardInterrupt):
        ledger.append(rows(GAMES[4:8]))
    monkeypatch.undo()
    assert len(read_ledger(tmp_path)[0]) == 4
    assert [path.name for path in (tmp_path / "ledger").iterdir() if path.name.startswith(".")]
    assert played(open_ledger(tmp_path)) == GAMES[:4]
    assert len(list((tmp_path / "ledger").iterdir())) == 2


def test_a_shard_is_synced_before_it_is_named(tmp_path, monkeypatch):
    calls = []
    fsync, replace = _shards.os.fsync, Path.replace
    monkeypatch.setattr(_shards.os, "fsync", lambda descriptor: (calls.append("sync"), fsync(descriptor))[1])
    monkeypatch.setattr(Path, "replace", lambda path, target: (calls.append("rename"), replace(path, target))[1])
    open_ledger(tmp_path).append(rows(GAMES[:1]))
    assert calls == ["sync", "rename", "sync"] * 2


def test_timings_are_there_before_their_games(tmp_path, monkeypatch):
    ledger = open_ledger(tmp_path)
    real = _shards.write_shard

    def killed(folder, kind, number, table):
        if kind == "games":
            raise KeyboardInterrupt
        return real(folder, kind, number, table)

    monkeypatch.setattr(_shards, "write_shard", killed)
    with pytest.raises(KeyboardInterrupt):
        ledger.append(rows(GAMES[:3]))
    monkeypatch.undo()
    resumed = open_ledger(tmp_path)
    assert played(resumed) == []
    again = rows(GAMES[:3])
    resumed.append(again)
    timings = read_timings(tmp_path)
    assert timings["seconds"].tolist() == [second for row in again for second in row.record.seconds]


@pytest.mark.parametrize("metrics", [(), ("lead",)])
@pytest.mark.parametrize("record_actions", [False, True])
def test_all_that_belongs_to_games_is_written_before_them(tmp_path, monkeypatch, metrics, record_actions):
    written = []
    real = _shards.write_shard

    def noted(folder, kind, number, table):
        written.append(kind)
        return real(folder, kind, number, table)

    monkeypatch.setattr(_shards, "write_shard", noted)
    definition = replace(DEFINITION, metrics=metrics, record_actions=record_actions)
    Ledger(tmp_path, definition).append(rows(GAMES[:3]))
    assert written == ["timings", *["measures"] * len(metrics), *["actions"] * record_actions, "games"]


def test_the_last_to_arrive_of_many_counts(tmp_path):
    ledger = open_ledger(tmp_path)
    for _ in range(20):
        last = rows(GAMES)
        ledger.append(last)
    assert read_timings(tmp_path)["seconds"].tolist() == [second for row in last for second in row.record.seconds]


def test_nothing_to_append_writes_nothing(tmp_path):
    ledger = open_ledger(tmp_path)
    ledger.append([])
    assert list((tmp_path / "ledger").iterdir()) == []
    assert played(ledger) == []


# --- damage ---------------------------------------------------------------------------------------------------------


def damage(path, how, at=0.5):
    data = bytearray(path.read_bytes())
    position = int(at * (len(data) - 1))
    if how == "flipped":
        data[position] ^= 1
    path.write_bytes(b"" if how == "emptied" else data[:position] if how == "truncated" else data)


@pytest.mark.parametrize("how", ["flipped", "truncated", "emptied"])
def test_a_damaged_shard_is_set_aside_and_its_games_are_missing(tmp_path, how, complete):
    ledger = open_ledger(tmp_path)
    for part in (GAMES[:4], GAMES[4:8], GAMES[8:]):
        ledger.append(rows(part))
    bad = shards(tmp_path)[1]
    damage(bad, how)
    with pytest.raises(DataError, match="is damaged; run the tournament again"):
        read_ledger(tmp_path)
    resumed = open_ledger(tmp_path)
    assert [sentence.split()[0] for sentence in resumed.quarantined] == [bad.name]
    assert (tmp_path / "ledger" / "_quarantine" / bad.name).exists()
    assert played(resumed) == GAMES[:4] + GAMES[8:]
    assert open_ledger(tmp_path).quarantined == []
    resumed.append(rows(GAMES[4:8]))
    assert resumed.compact(len(SCHEDULE))
    assert bits(tmp_path) == bits(complete)


@given(st.floats(0, 1), st.sampled_from(["flipped", "truncated"]))
@settings(derandomize=True, deadline=None, max_examples=40)
def test_damage_anywhere_is_noticed(tmp_path_factory, at, how):
    folder = tmp_path_factory.mktemp("damage")
    open_ledger(folder).append(rows(GAMES[:3]))
    damage(shards(folder)[0], how, at)
    assert len(open_ledger(folder).quarantined) == 1


def test_lost_timings_cost_no_games(tmp_path):
    ledger = open_ledger(tmp_path)
    ledger.append(rows(GAMES[:20]))
    ledger.append(rows(GAMES[20:]))
    damage(shards(tmp_path, "timings")[0], "flipped")
    resumed = open_ledger(tmp_path)
    assert len(resumed.quarantined) == 1
    assert played(resumed) == GAMES
    assert set(read_timings(tmp_path)["game_id"]) == {game.game_id for game in GAMES[20:]}
    faults = read_faults(tmp_path)
    is_lost = faults["game_id"].isin([game.game_id for game in GAMES[:20]])
    assert is_lost.any()
    assert (faults["message"].eq("") == is_lost).all()
    assert resumed.compact(len(SCHEDULE))


def test_other_files_do_no_harm(tmp_path):
    open_ledger(tmp_path).append(rows(GAMES[:3]))
    for name in ("notes.txt", "games-backup.parquet", "games.csv", ".hidden"):
        (tmp_path / "ledger" / name).write_text("x")
    assert len(read_ledger(tmp_path)[0]) == len(played(open_ledger(tmp_path))) == 3


def test_shards_of_two_tournaments_do_not_mix(tmp_path):
    open_ledger(tmp_path / "one").append(rows(GAMES[:3]))
    others = TournamentDefinition("love_letter", 3, ("rhea", "osla", "rmhc", "random"), 3, seed=11)
    chances = TournamentDefinition("love_letter", 3, DEFINITION.agents, 3, seed=12)
    for number, other in enumerate((others, chances)):
        Ledger(tmp_path / str(number), other).append(rows(GAMES[3:6]))
        for shard in shards(tmp_path / "one"):
            shutil.copy(shard, tmp_path / str(number) / "ledger")
        with pytest.raises(DataError, match="shards of several tournaments"):
            read_ledger(tmp_path / str(number))


# --- reading --------------------------------------------------------------------------------------------------------


def documented(number):
    """The columns and types in the table of that number in docs/ledger.md."""
    text = (ROOT / "docs" / "ledger.md").read_text(encoding="utf-8")
    table = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)[number]
    return dict(re.findall(r"^\| `(\w+)` \| (\w+) \|", table, re.MULTILINE))


def columns(frame):
    return {name: str(dtype) for name, dtype in frame.dtypes.items()}


@pytest.mark.parametrize("is_empty", [False, True])
def test_the_frames_are_as_documented(complete, tmp_path, is_empty):
    folder = tmp_path if is_empty else complete
    open_ledger(folder)
    frames = [*read_ledger(folder), read_timings(folder), read_faults(folder)]
    for number, frame in enumerate(frames):
        expected = documented(number)
        assert list(frame.columns) == list(expected)
        assert frame.empty == is_empty
        strings = "str" if columns(pd.DataFrame({"x": ["y"]}))["x"] == "str" else "object"
        assert columns(frame) == {name: strings if kind == "str" else kind for name, kind in expected.items()}


def test_the_files_hold_what_is_documented(complete):
    text = (ROOT / "docs" / "ledger.md").read_text(encoding="utf-8")
    for path in ledger_files(complete):
        schema = pq.read_schema(path)
        assert all(f"`{name}`" in text for name in schema.names)
        assert json.loads(schema.metadata[b"agents"]) == ["random", "mcts:budget=400", "osla", "random#2"]
        assert json.loads(schema.metadata[b"tournament"])["definition"]["seed"] == DEFINITION.seed
        assert schema.metadata[b"schema_version"] == b"6"
        assert "schema_version` (6)" in text


def test_everything_comes_back(tmp_path):
    written = rows()
    ledger = open_ledger(tmp_path)
    ledger.append(written[::-2])
    ledger.append(written[-2::-2])
    games, seats = read_ledger(tmp_path / "ledger")
    timings = read_timings(tmp_path)
    assert games["game_id"].tolist() == [game.game_id for game in GAMES]
    labels = DEFINITION.labels
    for row, (pairing, record, _worker) in zip(games.itertuples(), written, strict=True):
        for name in ("block", "matchup", "seating", "seed"):
            assert getattr(row, name) == getattr(pairing, name)
        for name in ("ticks", "turns", "rounds", "state_hash", "void"):
            assert getattr(row, name) == getattr(record, name)
        assert row.faults == len(record.faults)
        assert row.game == "love_letter"
    flat = [(*played, seat) for played in written for seat in range(3)]
    for row, time, (pairing, record, worker, seat) in zip(seats.itertuples(), timings.itertuples(), flat, strict=True):
        assert (row.game_id, row.block, row.matchup, row.seating, row.seat) == (
            (pairing.game_id, pairing.block, pairing.matchup, pairing.seating, seat)
        )
        assert (row.agent, row.agent_index) == (labels[pairing.agents[seat]], pairing.agents[seat])
        assert row.result == ("win" if record.results[seat] == WIN else "lose")
        assert row.win == row.points == (record.results[seat] == WIN)
        assert (row.ordinal, row.score) == (record.ordinals[seat], record.scores[seat])
        assert row.decisions == record.decisions[seat]
        assert row.faults == len([fault for fault in record.faults if fault.player == seat])
        assert (time.game_id, time.seat, time.seconds) == (pairing.game_id, seat, record.seconds[seat])
        assert time.worker == worker


@pytest.mark.parametrize(
    ("results", "words", "points"),
    [
        ((WIN, LOSE, LOSE), ("win", "lose", "lose"), (1, 0, 0)),
        ((DRAW, LOSE, DRAW), ("draw", "lose", "draw"), (1 / 2, 0, 1 / 2)),
        ((DRAW, DRAW, DRAW), ("draw", "draw", "draw"), (1 / 3, 1 / 3, 1 / 3)),
        ((WIN, WIN, LOSE), ("win", "win", "lose"), (1 / 2, 1 / 2, 0)),  # a team
        ((WIN, WIN, WIN), ("win", "win", "win"), (1 / 3, 1 / 3, 1 / 3)),  # co-operative
        ((LOSE, LOSE, LOSE), ("lose", "lose", "lose"), (0, 0, 0)),
        ((WIN, DISQUALIFIED, DRAW), ("win", "disqualified", "draw"), (1, 0, 0)),
        ((ONGOING, ONGOING, ONGOING), ("ongoing", "ongoing", "ongoing"), (0, 0, 0)),  # void
    ],
)
def test_points_are_shared(tmp_path, results, words, points):
    void = results[0] == ONGOING
    other = PlayedGame(GAMES[1], record(GAMES[1], results=(LOSE, WIN, LOSE)))
    open_ledger(tmp_path).append([PlayedGame(GAMES[0], record(GAMES[0], results=results, void=void)), other])
    games, seats = read_ledger(tmp_path)
    assert games["void"].tolist() == [void, False]
    assert tuple(seats["result"])[:3] == words
    assert tuple(seats["points"]) == (*points, 0, 1, 0)
    assert seats["win"].tolist()[:3] == [word == "win" for word in words]


def test_faults_come_back_in_order(tmp_path):
    first = [Fault("exception", 2, 3, "ValueError: no"), Fault("illegal action", 0, 9, "'x' is not available")]
    second = [Fault("time-out", 1, 1, "too long")]
    ledger = open_ledger(tmp_path)
    ledger.append([PlayedGame(GAMES[5], record(GAMES[5], faults=second))])
    ledger.append([PlayedGame(GAMES[n], record(GAMES[n], faults=faults)) for n, faults in ((2, first), (3, []))])
    assert read_faults(tmp_path).to_dict("records") == [
        {
            "game_id": game.game_id,
            "seat": fault.player,
            "tick": fault.tick,
            "kind": fault.kind,
            "message": fault.message,
        }
        for game, faults in ((GAMES[2], first), (GAMES[5], second))
        for fault in faults
    ]
    assert read_ledger(tmp_path)[1]["faults"].tolist() == [1, 0, 1, 0, 0, 0, 0, 1, 0]


def test_the_hash_sees_every_column(tmp_path):
    changes = {
        "results": (DRAW, DRAW, DRAW),
        "ordinals": (3, 2, 1),
        "scores": (0.5, 0.25, 0.125),
        "decisions": (1, 2, 3),
        "ticks": 99,
        "turns": 99,
        "rounds": 99,
        "state_hash": "0" * 16,
        "void": True,
        "faults": [Fault("time-out", 2, 1, "")],
    }
    hashes = set()
    for name in ["nothing", *changes]:
        changed = record(GAMES[0], **({name: changes[name]} if name in changes else {}))
        open_ledger(tmp_path / name).append([PlayedGame(GAMES[0], changed)])
        hashes.add(content_hash(tmp_path / name))
    assert len(hashes) == len(changes) + 1


def test_the_hash_is_blind_to_times_and_messages(tmp_path):
    for name, message in (("a", "at 0x1"), ("b", "at 0x2")):
        faults = [Fault("exception", 0, 1, message)]
        open_ledger(tmp_path / name).append([PlayedGame(GAMES[0], record(GAMES[0], faults=faults))])
    assert content_hash(tmp_path / "a") == content_hash(tmp_path / "b")
    assert read_timings(tmp_path / "a")["seconds"].tolist() != read_timings(tmp_path / "b")["seconds"].tolist()


def test_can_be_read_while_it_is_merged(tmp_path, monkeypatch):
    ledger = open_ledger(tmp_path)
    ledger.append(rows(GAMES[:9]))
    ledger.append(rows(GAMES[9:]))
    real = _shards.list_shards
    lists = []

    def late(folder):
        found = real(folder)
        lists.append(found)
        if len(lists) == 1:
            monkeypatch.setattr(_shards, "list_shards", real)
            ledger.compact(len(SCHEDULE))
        return found

    monkeypatch.setattr(_shards, "list_shards", late)
    assert len(read_ledger(tmp_path)[0]) == len(GAMES)
    assert len(lists) == 1


def test_no_ledger_is_an_error(tmp_path):
    for path in (tmp_path, tmp_path / "missing", tmp_path / "missing" / "ledger"):
        with pytest.raises(DataError, match="holds no ledger; name the folder of a tournament"):
            read_ledger(path)
    assert list(tmp_path.iterdir()) == []


def test_a_tournament_without_games_has_empty_frames(tmp_path):
    (tmp_path / "tournament.json").write_text("{}")
    assert [len(frame) for frame in read_ledger(str(tmp_path))] == [0, 0]


@pytest.mark.parametrize("kind", _rows.KINDS)
def test_columns_are_as_arrow_converts_them_value_by_value(kind: str) -> None:
    measures = [(), (("lead", (1.5, -2.0)), ("none", ()))]
    games = [
        PlayedGame(one.pairing, record(one.pairing, measures=measures[number % 2], choices=(1, 0) * number), one.worker)
        for number, one in enumerate(rows())
    ]
    for some in (games, games[:1], []):
        columns = _rows.columns_of(some, lambda _pairing: "love_letter")
        values = [columns[of] if isinstance(of, str) else of(columns) for _field, of in _rows._COLUMNS[kind]]
        expected = pa.table([list(map(_plain, column)) for column in values], schema=_rows.SCHEMAS[kind])
        found = _rows.table_of(kind, columns, DEFINITION.agents)
        found.validate(full=True)
        assert found.cast(_rows.SCHEMAS[kind]).to_pydict().__repr__() == expected.to_pydict().__repr__()  # nan is nan


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


@pytest.mark.parametrize(("column", "value"), [("ticks", 2**31), ("results", (0, 300, 0))])
def test_a_number_too_large_for_its_column_is_an_error(column: str, value: object) -> None:
    columns = _rows.columns_of([PlayedGame(GAMES[0], record(GAMES[0], **{column: value}))], lambda _pairing: "g")
    with pytest.raises((OverflowError, pa.ArrowInvalid)):
        _rows.table_of("games", columns, DEFINITION.agents)


def test_only_shards_that_will_be_merged_are_packed_in_haste(tmp_path: Path) -> None:
    ledger = open_ledger(tmp_path)
    ledger.append(rows())
    (shard,) = shards(tmp_path)
    assert pq.read_metadata(shard).row_group(0).column(0).compression == "LZ4"
    ledger.merge()
    (merged,) = shards(tmp_path)
    assert pq.read_metadata(merged).row_group(0).column(0).compression == "ZSTD"
