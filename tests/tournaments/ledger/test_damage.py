"""Damaged files of a ledger: the next run sets them aside, names them, and plays their games again."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
from click.testing import Result
from commands import run_tag

from tag.orders import play_order
from tag.tournaments import PlayedGame
from tag.tournaments.definition import define
from tag.tournaments.ledger.folder import Folder
from tag.tournaments.ledger.games import content_hash, read_ledger, read_measures, read_timings
from tag.tournaments.ledger.writing import Ledger
from tag.tournaments.results.tournament import read_results

pytestmark = pytest.mark.flow

DEFINITION = define("love_letter", ("random", "osla", "random"), 4, players=3, metrics=("lead",))
SHARDS = 3


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :]


def page_of(path: Path) -> tuple[int, int]:
    """Return where the data pages of the column of final positions begin, and how many bytes they are."""
    group = pq.read_metadata(path).row_group(0)
    columns = [group.column(number) for number in range(group.num_columns)]
    column = next(one for one in columns if one.path_in_schema in ("state_hash", "seconds.list.element", "game_id"))
    return column.data_page_offset, column.total_compressed_size


def in_a_data_page(path: Path) -> bytes:
    begin, length = page_of(path)
    return flipped(path.read_bytes(), begin + length * 3 // 4)


def in_a_page_header(path: Path) -> bytes:
    return flipped(path.read_bytes(), page_of(path)[0] + 2)


def in_the_footer(path: Path) -> bytes:
    data = path.read_bytes()
    length = int.from_bytes(data[-8:-4], "little")
    return flipped(data, len(data) - 8 - length // 2)


def in_the_length_of_the_footer(path: Path) -> bytes:
    return flipped(path.read_bytes(), path.stat().st_size - 7)


DAMAGES: dict[str, Callable[[Path], bytes]] = {
    "a flipped bit in a data page": in_a_data_page,
    "a flipped bit in the header of a page": in_a_page_header,
    "a flipped bit in the footer": in_the_footer,
    "a flipped bit in the footer's length": in_the_length_of_the_footer,
    "a flipped bit at the beginning": lambda path: flipped(path.read_bytes(), 0),
    "a flipped bit at the end": lambda path: flipped(path.read_bytes(), path.stat().st_size - 1),
    "cut by a byte": lambda path: path.read_bytes()[:-1],
    "cut in half": lambda path: path.read_bytes()[: path.stat().st_size // 2],
    "empty": lambda path: b"",
    "zeros, as after a power cut": lambda path: bytes(path.stat().st_size),
    "grown": lambda path: path.read_bytes() + b"\0",
    "another shard's bytes": lambda path: next(path.parent.glob("timings-*")).read_bytes(),
}


def play(folder: Path) -> Result:
    agents = [word for agent in DEFINITION.agents for word in ("--agent", agent)]
    what = ["tournament", "love_letter", "--players", "3", "--blocks", "4", "--seed", "1", "--metric", "lead", *agents]
    how = ["--workers", "1", "--no-tracking", "--quiet", "--out", str(folder)]
    return run_tag(*what, *how)


@pytest.fixture(scope="module")
def complete(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("complete") / "t"
    assert play(folder).exit_code == 0
    return folder


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament of which all but the last games are in several shards."""
    folder = tmp_path_factory.mktemp("begun") / "t"
    with Folder.locked(folder, DEFINITION):
        ledger = Ledger(folder, DEFINITION)
        games = [PlayedGame(pairing, play_order(DEFINITION.order(pairing))) for pairing in DEFINITION.schedule()]
        for number in range(SHARDS):
            ledger.append(games[number:-1:SHARDS])
    return folder


def check_replayed(folder: Path, complete: Path) -> None:
    assert content_hash(folder) == content_hash(complete)
    names = [[path.name for path in sorted((one / "ledger").glob("games-*"))] for one in (folder, complete)]
    assert names[0] == names[1]
    assert len(names[0]) == 1


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("state", ["begun", "complete"])
def test_games_are_played_again(state: str, damage: str, tmp_path: Path, begun: Path, complete: Path) -> None:
    folder = tmp_path / "t"
    shutil.copytree(begun if state == "begun" else complete, folder)
    shards = sorted((folder / "ledger").glob("games-*"))
    bad = shards[len(shards) // 2]
    lost = pq.read_metadata(bad).num_rows
    games = read_results(folder).games
    bad.write_bytes(damaged := DAMAGES[damage](bad))

    refused = run_tag("results", folder)
    assert refused.exit_code == 2
    assert refused.stderr == f"tag: {str(bad)!r} is damaged; run the tournament again to replay what was in it\n"

    again = play(folder)
    assert again.exit_code == 0, again.output
    aside = folder / "ledger" / "_quarantine"
    sentence = f"{bad.name} was damaged and is now in {str(aside)!r}; its games will be played again"
    assert again.stderr == f"tag: {sentence}\n"
    assert (aside / bad.name).read_bytes() == damaged
    assert 0 < lost <= games
    check_replayed(folder, complete)
    assert play(folder).stderr == ""


def test_lost_seconds_are_said_to_be(tmp_path: Path, begun: Path, complete: Path) -> None:
    folder = tmp_path / "t"
    shutil.copytree(begun, folder)
    bad = sorted((folder / "ledger").glob("timings-*"))[1]
    rows = set(pq.read_table(bad)["game_id"].to_pylist())
    bad.write_bytes(flipped(bad.read_bytes(), bad.stat().st_size // 2))
    again = play(folder)
    assert again.exit_code == 0
    assert again.stderr.startswith(f"tag: {bad.name} was damaged and is now in ")
    assert again.stderr.count("\n") == 1
    assert set(read_timings(complete)["game_id"]) - set(read_timings(folder)["game_id"]) == rows
    check_replayed(folder, complete)


@pytest.mark.parametrize("damage", [*DAMAGES, "deleted"])
@pytest.mark.parametrize("state", ["begun", "complete"])
def test_lost_measures_are_measured_again(state: str, damage: str, tmp_path: Path, begun: Path, complete: Path) -> None:
    folder = tmp_path / "t"
    shutil.copytree(begun if state == "begun" else complete, folder)
    bad = sorted((folder / "ledger").glob("measures-*"))[-1]
    lost = pq.read_metadata(bad).num_rows
    if damage == "deleted":
        bad.unlink()
    else:
        bad.write_bytes(DAMAGES[damage](bad))
    again = play(folder)
    assert again.exit_code == 0
    assert f"the agents play {lost} games again whose measures are lost" in again.stderr
    assert f"restored the measures of {lost} games\n" in again.stderr
    pd.testing.assert_frame_equal(read_measures(folder), read_measures(complete))
    check_replayed(folder, complete)
    assert play(folder).stderr == ""


def test_measures_of_other_games_are_not_taken(tmp_path: Path, complete: Path) -> None:
    """A ledger in which the agents played otherwise, as those with time limits do, keeps no measures of a new game."""
    folder = tmp_path / "t"
    with Folder.locked(folder, DEFINITION):
        ledger = Ledger(folder, DEFINITION)
        for pairing in DEFINITION.schedule():
            record = play_order(replace(DEFINITION.order(pairing), seed=pairing.seed + 1))
            ledger.append([PlayedGame(pairing, record)])
    before = content_hash(folder)
    for path in (folder / "ledger").glob("measures-*"):
        path.unlink()
    again = play(folder)
    n_games = len(DEFINITION.schedule())
    assert f"{n_games} are still missing: their agents play otherwise now" in again.stderr
    assert content_hash(folder) == before
    assert read_measures(folder).empty


def test_files_that_were_not_finished_are_removed(tmp_path: Path, begun: Path, complete: Path) -> None:
    folder = tmp_path / "t"
    shutil.copytree(begun, folder)
    shard = sorted((folder / "ledger").glob("games-*"))[0]
    leftover = shard.with_name(f".{shard.name}.tmp")
    leftover.write_bytes(shard.read_bytes()[:100])
    (folder / ".tournament.json.tmp").write_text('{"id": "half')
    assert len(read_ledger(folder)[0]) == len(DEFINITION.schedule()) - 1
    assert play(folder).stderr == ""
    assert not leftover.exists()
    check_replayed(folder, complete)


def test_pages_carry_checksums_for_other_readers(tmp_path: Path, complete: Path) -> None:
    """Whoever reads a shard without us, under another name, sees a flipped bit as well."""
    for path in (complete / "ledger").glob("*.parquet"):
        copy = tmp_path / "copy.parquet"
        copy.write_bytes(path.read_bytes())
        pq.read_table(copy, page_checksum_verification=True)
        copy.write_bytes(in_a_data_page(path))
        with pytest.raises(OSError, match="CRC checksum"):
            pq.read_table(copy, page_checksum_verification=True)
