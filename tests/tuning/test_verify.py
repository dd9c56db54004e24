"""``tag verify``: what is sound passes, and every edit of a ledger is found, by comparing or by playing again."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from commands import run_tag

from tag.errors import DataError
from tag.tournaments import define, run_tournament
from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.ledger import storage
from tag.tournaments.ledger.folder import TournamentManifest
from tag.tournaments.ledger.replay import replays_in
from tag.tournaments.results import verification

pytestmark = pytest.mark.flow

LEAVES_A_MARK = """
from pathlib import Path
from tag.playing.agent import Agent

(Path(__file__).parent / "mark").write_text("was here")

class Bot(Agent):
    def act(self, observation, actions):
        return actions[0]
"""

TOURNAMENTS: dict[str, TournamentDefinition] = {
    "round robin": define("tic_tac_toe", ("random", "osla"), 3, seed=1),
    "recorded": define("love_letter", ("random", "osla", "random"), 1, players=3, seed=2, record_actions=True),
    "balanced": define("tic_tac_toe", ("random",) * 5, 1, seed=7, design="balanced"),
    "swiss": define("tic_tac_toe", ("random", "osla", "random", "random"), 2, seed=4, design="swiss"),
    "isolated": define(
        "tic_tac_toe",
        ("random", "osla"),
        1,
        seed=4,
        rules=replace(define("tic_tac_toe", ("random",), 1).rules, isolate=True),
    ),
}


def verify(folder: Path, *more: str) -> tuple[int, dict[str, Any]]:
    """Return the exit code of the command and its JSON."""
    found = run_tag("verify", folder, "--json", *more)
    assert found.exit_code in (0, 1), found.output
    return found.exit_code, json.loads(found.stdout)


def faults(found: dict[str, Any]) -> list[str]:
    """Return what was found to be wrong: the check and the sentence."""
    return [
        f"{check['of']}: {check['text']}"
        for ledger in found["ledgers"]
        for check in ledger["checks"]
        if check["state"] == "fault"
    ]


def edited(folder: Path, change: Callable[[list[dict[str, Any]]], object]) -> None:
    """Change the rows of the only shard of games, and give it the name of its new content."""
    (path,) = (folder / "ledger").glob("games-*.parquet")
    table = pq.read_table(path)
    rows = table.to_pylist()
    change(rows)
    sink = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_pylist(rows, table.schema), sink)
    data = sink.getvalue().to_pybytes()
    path.unlink()
    path.with_name(f"games-000000-{blake2b(data, digest_size=8).hexdigest()}.parquet").write_bytes(data)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    root = tmp_path_factory.mktemp("sound")
    for name, definition in TOURNAMENTS.items():
        run_tournament(definition, root / name, tracking=False)
    return {name: root / name for name in TOURNAMENTS}


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_what_was_played_is_sound(folders: dict[str, Path], name: str) -> None:
    before = {path: path.read_bytes() for path in folders[name].rglob("*") if path.is_file()}
    code, found = verify(folders[name], "--replay", "1000")
    assert faults(found) == []
    assert code == 0
    (ledger,) = found["ledgers"]
    assert ledger["replayed"] == len(
        pq.read_table(folders[name] / "ledger" / next((folders[name] / "ledger").glob("games-*")).name)
    )
    assert {path: path.read_bytes() for path in folders[name].rglob("*") if path.is_file()} == before


def swap_results(row: dict[str, Any]) -> None:
    row["results"] = (
        row["results"][::-1] if row["results"][0] != row["results"][-1] else [2, *[-1] * (len(row["results"]) - 1)]
    )


EDITS: dict[str, Callable[[list[dict[str, Any]]], object]] = {
    "seed": lambda rows: rows[1].update(seed=rows[1]["seed"] + 1),
    "agents": lambda rows: rows[0].update(agents=rows[0]["agents"][::-1]),
    "results": lambda rows: swap_results(rows[0]),
    "scores": lambda rows: rows[1].update(scores=[value + 1 for value in rows[1]["scores"]]),
    "state": lambda rows: rows[0].update(state_hash="0" * 16),
    "ticks": lambda rows: rows[-1].update(ticks=rows[-1]["ticks"] + 1),
}


@pytest.mark.parametrize("edit", EDITS)
def test_every_edit_is_found(folders: dict[str, Path], edit: str, tmp_path: Path) -> None:
    cases = 0
    for name in TOURNAMENTS:
        folder = tmp_path / name
        shutil.copytree(folders[name], folder)
        edited(folder, EDITS[edit])
        code, found = verify(folder, "--replay", "1000")
        assert faults(found), name
        assert code == 1, name
        cases += 1
    assert cases == len(TOURNAMENTS)


def test_a_sample_is_played_again_or_nothing(folders: dict[str, Path], tmp_path: Path) -> None:
    for size in (0, 2):
        _code, found = verify(folders["round robin"], "--replay", str(size))
        assert [ledger["replayed"] for ledger in found["ledgers"]] == [size]


def test_the_sample_follows_from_what_is_in_the_ledger(
    folders: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever edits a result does not know which games will be played again."""
    played: list[list[str]] = []

    def noted(manifest: TournamentManifest, games: Any, actions: Any) -> Any:
        played.append(games["game_id"].to_pylist())
        return replays_in(manifest, games, actions)

    monkeypatch.setattr(verification, "replays_in", noted)
    for edit in range(12):
        folder = tmp_path / str(edit)
        shutil.copytree(folders["round robin"], folder)
        edited(folder, lambda rows, edit=edit: rows[0].update(ticks=rows[0]["ticks"] + edit))
        for _time in range(2):
            verify(folder, "--replay", "2")
    assert played[::2] == played[1::2]
    assert {len(set(ids)) for ids in played} == {2}
    assert len({tuple(ids) for ids in played}) > 4, "of 15 pairs"


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_each_shard_is_read_once(folders: dict[str, Path], name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    real = storage._content
    monkeypatch.setattr(storage, "_content", lambda path: (read.append(path.name), real(path))[1])
    verify(folders[name], "--replay", "2")
    assert sorted(read) == sorted(path.name for path in (folders[name] / "ledger").iterdir())


@pytest.mark.parametrize("is_recorded", [False, True])
def test_games_that_go_by_the_clock_are_played_again_only_from_their_actions(is_recorded: bool, tmp_path: Path) -> None:
    agents = ("mcts:budget=1,budget_type=wall_ms", "random")
    definition = define("tic_tac_toe", agents, 1, seed=1, record_actions=is_recorded)
    run_tournament(definition, tmp_path / "t", tracking=False)
    code, found = verify(tmp_path / "t")
    assert (code, faults(found)) == (0, [])
    assert found["ledgers"][0]["replayed"] == (2 if is_recorded else 0)
    text = found["ledgers"][0]["checks"][-1]["text"]
    assert text.endswith("; 2 depend on times or people and were not recorded") == (not is_recorded)


def test_only_games_that_were_not_recorded_are_said_not_to_be() -> None:
    def fails() -> list[str]:
        raise DataError("its file is gone")

    replayed, found = verification.replay_checks([("a", fails), ("b", None), ("c", list)])
    assert replayed == 1
    assert found[0].text.endswith("; 1 depend on times or people and were not recorded")
    assert [check.text for check in found[1:]] == ["a cannot be played again: its file is gone"]


@pytest.mark.parametrize("name", ["tag", "game", "streams"])
def test_other_versions_are_told(folders: dict[str, Path], name: str, tmp_path: Path) -> None:
    folder = tmp_path / "t"
    shutil.copytree(folders["recorded"], folder)
    path = folder / "tournament.json"
    content = json.loads(path.read_text())
    content["versions"][name] = "0"
    path.write_text(json.dumps(content))
    _code, found = verify(folder, "--replay", "0")
    (text,) = [check["text"] for check in found["ledgers"][0]["checks"] if check["of"] == "versions"]
    assert f"{name} 0, now " in text


def test_who_meets_whom_is_compared_where_it_depends_on_results(folders: dict[str, Path], tmp_path: Path) -> None:
    folder = tmp_path / "t"
    shutil.copytree(folders["swiss"], folder)
    _code, found = verify(folder, "--replay", "0")
    assert "tables" in [check["of"] for check in found["ledgers"][0]["checks"]]
    edited(folder, EDITS["agents"])
    code, found = verify(folder, "--replay", "0")
    assert code == 1
    (sentence,) = faults(found)
    assert re.match(r"tables: \d+ games have other agents than follow from the results before them: b0-", sentence)


@pytest.mark.parametrize("kind", ["timings", "measures", "actions"])
def test_games_that_lack_what_belongs_to_them_are_counted(kind: str, tmp_path: Path) -> None:
    definition = define("tic_tac_toe", ("random", "osla"), 2, seed=1, metrics=("lead",), record_actions=True)
    run_tournament(definition, tmp_path / "t", tracking=False)
    for path in (tmp_path / "t" / "ledger").glob(f"{kind}-*"):
        path.unlink()
    code, found = verify(tmp_path / "t", "--replay", "0")
    assert code == 0
    assert f"4 games have no {kind}" in [check["text"] for check in found["ledgers"][0]["checks"]]


def test_missing_and_doubled_games_are_named(folders: dict[str, Path], tmp_path: Path) -> None:
    folder = tmp_path / "t"
    shutil.copytree(folders["round robin"], folder)
    edited(folder, lambda rows: rows.append(rows.pop()))
    edited(folder, lambda rows: rows.append({**rows[0], "ticks": 99}))
    edited(folder, lambda rows: rows.pop(1))
    code, found = verify(folder, "--replay", "0")
    texts = " ".join(check["text"] for ledger in found["ledgers"] for check in ledger["checks"])
    assert code == 0
    assert "5 of 6 games are there" in texts
    assert "with different results, of which the last counts: b0-m0-s0" in texts


def test_damaged_shards_and_definitions_are_faults(folders: dict[str, Path], tmp_path: Path) -> None:
    folder = tmp_path / "t"
    shutil.copytree(folders["recorded"], folder)
    for path in sorted((folder / "ledger").glob("*.parquet")):
        content = path.read_bytes()
        path.write_bytes(content[:-1])
        code, found = verify(folder, "--replay", "0")
        assert code == 1
        assert path.name in faults(found)[0]
        path.write_bytes(content)
    (folder / "tournament.json").write_text("{}")
    code, found = verify(folder)
    assert code == 1
    assert "is damaged" in faults(found)[0]


def test_a_definition_that_seats_nobody_is_a_fault(folders: dict[str, Path], tmp_path: Path) -> None:
    folder = tmp_path / "t"
    shutil.copytree(folders["swiss"], folder)
    path = folder / "tournament.json"
    path.write_text(path.read_text().replace('"players": 2', '"players": 1'))
    code, found = verify(folder)
    assert code == 1
    assert faults(found)[0].startswith("definition: ")


def test_nothing_that_a_folder_names_runs_without_trust(tmp_path: Path) -> None:
    bot = tmp_path / "bots" / "bot.py"
    bot.parent.mkdir()
    bot.write_text(LEAVES_A_MARK)
    mark = bot.parent / "mark"
    run_tournament(define("tic_tac_toe", (str(bot), "random"), 1, seed=1), tmp_path / "t", tracking=False)
    mark.unlink()
    code, found = verify(tmp_path / "t")
    assert code == 0
    assert not mark.exists()
    (ledger,) = found["ledgers"]
    assert ledger["replayed"] == 0
    assert "if you trust" in ledger["checks"][-1]["text"]
    _code, found = verify(tmp_path / "t", "--trust")
    assert found["ledgers"][0]["replayed"] == 2


def test_experiments_and_studies_are_verified_ledger_by_ledger(tmp_path: Path) -> None:
    study, experiment = tmp_path / "study", tmp_path / "experiment"
    quiet = ["--no-tracking", "--quiet", "--seed", "1"]
    tune = ["tune", "osla", "--game", "tic_tac_toe", "--versus", "random", "--games", "40", "--validation", "0"]
    both = [
        "tournament",
        "tic_tac_toe",
        "connect_four:width=4,height=4",
        "--agent",
        "random",
        "--agent",
        "osla",
        "--blocks",
        "1",
    ]
    for words, folder in ((tune, study), (both, experiment)):
        done = run_tag(*words, *quiet, "--out", folder)
        assert done.exit_code == 0, done.output
        code, found = verify(folder)
        assert (code, faults(found)) == (0, [])
        assert all(ledger["replayed"] for ledger in found["ledgers"])
    assert len(found["ledgers"]) == 2
    edited(study / "search", lambda rows: rows[3].update(seed=5))
    code, found = verify(study)
    assert code == 1
    assert "has another seed" in faults(found)[0]


@pytest.mark.parametrize(
    "words",
    [
        ("tune", "osla", "--game", "tic_tac_toe", "--versus", "incumbent", "--games", "80", "--validation", "0"),
        ("balance", "nim", "--target", "length=5..9", "--agent", "random", "--games", "40", "--validation", "20"),
    ],
    ids=["tune", "balance"],
)
def test_each_shard_of_a_study_is_read_once_whatever_is_wrong_with_it(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = run_tag(*words, "--no-tracking", "--quiet", "--seed", "1", "--out", tmp_path / "study")
    assert done.exit_code == 0, done.output
    shards = sorted((tmp_path / "study").rglob("ledger/*.parquet"))
    assert len({path.parent for path in shards}) > 1, "several stages"
    read: list[Path] = []
    real = storage._content
    monkeypatch.setattr(storage, "_content", lambda path: (read.append(path), real(path))[1])
    code, found = verify(tmp_path / "study", "--replay", "2")
    assert (code, faults(found)) == (0, [])
    assert sorted(read) == shards
    path = next(one for one in shards if one.name.startswith("games"))
    sound, end = path.read_bytes(), int.from_bytes(path.read_bytes()[-8:-4], "little")
    footer = [*range(-8 - end, -8, max(end // 20, 1)), *range(-8, 0)]  # it says who plays
    for place in footer:
        path.write_bytes(sound[:place] + bytes([sound[place] ^ 1]) + sound[len(sound) + place + 1 :])
        read.clear()
        code, found = verify(tmp_path / "study", "--replay", "0")
        assert code == 1
        assert faults(found)
        assert sorted(read) == shards


def test_other_folders_are_refused(tmp_path: Path) -> None:
    found = run_tag("verify", tmp_path)
    assert found.exit_code == 2
    assert found.stderr == f"tag: {str(tmp_path)!r} holds no tournament, experiment or study; name the folder of one\n"
