"""Folders of other versions: of the schema, which are refused, and of the random streams, which are read only."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from commands import run_tag
from written_shards import write_shard

from tag.errors import DataError
from tag.playing.game import STREAMS_VERSION
from tag.tournaments import define, read_ledger, read_results, run_tournament
from tag.tournaments.ledger.folder import read_manifest
from tag.tournaments.ledger.games import ledger_files
from tag.tournaments.ledger.rows import SCHEMA_VERSION

pytestmark = pytest.mark.flow

OTHER = [SCHEMA_VERSION - 1, SCHEMA_VERSION + 1]
DEFINITION = define("tic_tac_toe:size=4", ("random", "osla"), 2, seed=3)


def refusal(version: int) -> str:
    return f"has version {version} of the schema, this tag knows {SCHEMA_VERSION}; use the one that wrote it"


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return run_tournament(DEFINITION, tmp_path / "t", tracking=False).folder


@pytest.mark.parametrize("version", OTHER)
def test_shards_of_another_version_are_refused_and_stay_where_they_are(folder: Path, version: int) -> None:
    for path in ledger_files(folder):
        table = pq.read_table(path)
        about = {**table.schema.metadata, b"schema_version": str(version).encode()}
        path.unlink()
        write_shard(folder, table.replace_schema_metadata(about), path.name.split("-")[0])
    before = content(folder / "ledger")
    assert before
    with pytest.raises(DataError, match=re.escape(refusal(version))):
        read_ledger(folder)
    with pytest.raises(DataError, match=re.escape(refusal(version))):
        run_tournament(DEFINITION, folder, tracking=False)
    assert content(folder / "ledger") == before


@pytest.mark.parametrize("version", OTHER)
def test_a_folder_of_another_version_is_refused_before_anything_is_written(folder: Path, version: int) -> None:
    path = folder / "tournament.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "schema_version": version, "unheard": "of"}))
    before = content(folder)
    with pytest.raises(DataError, match=re.escape(refusal(version))):
        read_manifest(folder)
    done = run_tag("tournament", folder, "--no-ray", "--no-tracking")
    assert done.exit_code == 2
    assert refusal(version) in done.stderr
    assert content(folder) == before


def test_games_of_other_streams_are_read_and_neither_replayed_nor_gone_on_with(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as before:
        before.setattr("tag.tournaments.ledger.folder.STREAMS_VERSION", 1)
        run_tournament(DEFINITION, tmp_path / "t", tracking=False)
    assert read_results(tmp_path / "t").games == len(DEFINITION.schedule())
    replayed = run_tag("replay", tmp_path / "t", "b0-m0-s0", "--no-step")
    assert replayed.exit_code == 2
    assert "drew from version 1 of the random streams" in replayed.output
    with pytest.raises(DataError, match=f"was begun with version 1 of streams and this is {STREAMS_VERSION}; go on"):
        run_tournament(DEFINITION, tmp_path / "t", tracking=False)
