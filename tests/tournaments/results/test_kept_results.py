"""Results that are kept beside a ledger: shown without reading a game, and only of exactly this ledger."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from commands import run_tag
from users_code import FAULTY_AGENTS
from written_shards import write_shard

from tag.tournaments import TournamentDefinition, define, read_results, run_tournament
from tag.tournaments.ledger import storage
from tag.tournaments.ledger.feedback import Feedback, write_feedback
from tag.tournaments.ledger.folder import Folder
from tag.tournaments.reports.status import read_status
from tag.tournaments.results import kept
from tag.tournaments.results.kept import KEPT, kept_results
from tag.tournaments.results.live import current_results

pytestmark = pytest.mark.flow

DEFINITION = define("love_letter", ("random", "osla", "random"), 3, players=3, seed=2)
TOURNAMENTS: dict[str, TournamentDefinition] = {
    "three players": DEFINITION,
    "one block": define("nim", ("osla", "random"), 1),
    "repeats": define("connect_four", ("osla", "connect_four:threats"), 3),
    "faults": define("tic_tac_toe", ("random", f"{FAULTY_AGENTS}:Raises"), 2),
    "drawn variants": define("tic_tac_toe", ("random", "osla"), 4, draw=("size=3,4",)),
    "alone": define("twenty_forty_eight", ("random", "random"), 2),
}
#: More than tables: these are worked out from the ledger each time.
OTHERS: dict[str, TournamentDefinition] = {
    "a stopping rule": define("nim", ("osla", "random"), 20, sprt="0,200"),
    "a grid": define("nim", ("osla", "random"), 2, design="grid"),
    "rounds": define("nim", ("osla", "random"), 2, design="swiss"),
}


def played(definition: TournamentDefinition, folder: Path) -> Path:
    run_tournament(definition, folder, tracking=False)
    return folder


@pytest.fixture(scope="module")
def complete(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played(DEFINITION, tmp_path_factory.mktemp("complete") / "t")


@pytest.fixture
def folder(tmp_path: Path, complete: Path) -> Path:
    shutil.copytree(complete, tmp_path / "t")
    return tmp_path / "t"


class Unreadable:
    """A Parquet file of which nothing can be decoded."""

    def __init__(self, *_args: Any) -> None:
        raise AssertionError("a shard is decoded")


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_status_decodes_no_shard(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = played(TOURNAMENTS[name], tmp_path / "t")
    expected = repr(read_results(folder))
    texts = [run_tag("status", folder, *options).stdout for options in ((), ("--json",))]
    monkeypatch.setattr(storage, "ParquetFile", Unreadable)
    assert repr(read_status(folder).results) == expected
    assert [run_tag("status", folder, *options).stdout for options in ((), ("--json",))] == texts
    (folder / KEPT).unlink()
    with pytest.raises(AssertionError, match="decoded"):
        read_status(folder)


@pytest.mark.parametrize("name", OTHERS)
def test_results_that_are_more_than_tables_are_not_kept(name: str, tmp_path: Path) -> None:
    assert not (played(OTHERS[name], tmp_path / "t") / KEPT).exists()


def shard(folder: Path, kind: str = "games") -> Path:
    (found,) = (folder / "ledger").glob(f"{kind}-*.parquet")
    return found


def edited(folder: Path) -> None:
    """Let the first player win all games, in a shard with a name of its own."""
    table = pq.read_table(shard(folder))
    rows = [{**row, "results": [2, -1, -1], "ordinals": [1, 2, 2]} for row in table.to_pylist()]
    shard(folder).unlink()
    write_shard(folder, table.from_pylist(rows, table.schema))


def added(folder: Path) -> None:
    write_shard(folder, pq.read_table(shard(folder)).slice(0, 1), number=5)


def extended(folder: Path) -> None:
    with Folder.locked(folder, replace(DEFINITION, blocks=9)):
        pass


def without_timings(folder: Path) -> None:
    shard(folder, "timings").unlink()


def another_version(folder: Path) -> None:
    path = folder / "tournament.json"
    content = json.loads(path.read_text())
    path.write_text(json.dumps({**content, "versions": {**content["versions"], "numpy": "0"}}))


def better(folder: Path) -> None:
    """Count a win more in the kept results."""
    path = folder / KEPT
    before = path.read_bytes()
    path.write_bytes(before.replace(b'"wins": ', b'"wins": 1', 1))
    assert path.read_bytes() != before


CHANGES: dict[str, Callable[[Path], None]] = {
    "an edited shard": edited,
    "a shard more": added,
    "more blocks": extended,
    "lost timings": without_timings,
    "another manifest": another_version,
    "edited results": better,
    "half of the results": lambda folder: (folder / KEPT).write_bytes((folder / KEPT).read_bytes()[:1000]),
    "no text": lambda folder: (folder / KEPT).write_bytes(b"\xff\n\xff"),
    "empty": lambda folder: (folder / KEPT).write_bytes(b""),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_has_changed_is_read_from_the_ledger(change: str, folder: Path) -> None:
    CHANGES[change](folder)
    assert kept_results(Folder.open(folder)) is None
    assert repr(read_status(folder).results) == repr(read_results(folder))


def test_results_of_other_code_are_not_shown(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert kept_results(Folder.open(folder)) is not None
    monkeypatch.setattr(kept, "_code", lambda: "other")
    assert kept_results(Folder.open(folder)) is None


@pytest.mark.parametrize("kind", ["games", "timings"])
def test_a_damaged_shard_is_refused(kind: str, folder: Path) -> None:
    path = shard(folder, kind)
    data = path.read_bytes()
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    refused = run_tag("status", folder)
    assert refused.exit_code == 2
    assert f"{path.name}' is damaged" in refused.stderr


def test_results_of_another_tournament_are_not_shown(folder: Path, tmp_path: Path) -> None:
    other = played(replace(DEFINITION, seed=3), tmp_path / "other")
    for path in (other / KEPT, shard(other)):
        shutil.copy(path, folder / path.relative_to(other))
    refused = run_tag("status", folder)
    assert refused.exit_code == 2
    assert "is not of this tournament" in refused.stderr


def test_feedback_that_comes_later_is_shown(folder: Path) -> None:
    said = [Feedback("b0-m0-s0", 0, "random", 4, "short")]
    write_feedback(folder, said)
    found = kept_results(Folder.open(folder))
    assert found is not None
    assert found.feedback == said


def test_a_folder_that_cannot_be_written_to_keeps_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / KEPT).unlink()
    (folder / f".{KEPT}.tmp").mkdir()
    opened = Folder.open(folder)
    assert current_results(opened).complete
    assert not (folder / KEPT).exists()
