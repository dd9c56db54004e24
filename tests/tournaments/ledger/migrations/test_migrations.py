"""Migrations: what older versions have written is read, gone on with and merged as if the present one had."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
from commands import run_tag

from tag.catalogue.registry import game_class
from tag.catalogue.version import tag_version
from tag.errors import DataError
from tag.playing.game import STREAMS_VERSION
from tag.tournaments import (
    TournamentDefinition,
    TournamentResults,
    content_hash,
    define,
    read_ledger,
    read_measures,
    read_results,
    read_timings,
    run_tournament,
)
from tag.tournaments.ledger import rows
from tag.tournaments.ledger.folder import Folder, read_manifest
from tag.tournaments.ledger.games import ledger_files
from tag.tournaments.reports.text import standings_markdown

pytestmark = pytest.mark.flow

HERE = Path(__file__).parent
#: The games of the ``begun`` tournaments; one of them is in two shards.
BEGUN = ["b0-m0-s0", "b0-m0-s1"]
#: What they print has no times in it.
COMMANDS = ["ratings", "ratings --json", "replay b1-m0-s1"]
TIMED_COMMANDS = ["results", "results --json", "ratings --json", "status --json", "report"]


def definition(blocks: int = 2) -> TournamentDefinition:
    """What was played in the folders ``version_*``, by the last code that wrote that version."""
    return define("tic_tac_toe:size=4", ("random", "osla"), blocks, seed=3, metrics=("lead",))


def run(folder: Path, blocks: int = 2) -> TournamentResults:
    return run_tournament(definition(blocks), folder, tracking=False)


def old(name: str, folder: Path, version: int = 1) -> Path:
    """Return a copy of a tournament of an older version, said to be of the present versions of all that it follows from.

    Those of version 1 hold what agents play with these streams.
    """
    shutil.copytree(HERE / f"version_{version}" / name, folder)
    path = folder / "tournament.json"
    content = json.loads(path.read_text())
    game = str(game_class("tic_tac_toe").game_type.version)
    content["versions"].update(tag=tag_version(), game=game, streams=str(STREAMS_VERSION))
    path.write_text(json.dumps(content))
    return folder


def bits(folder: Path) -> dict[str, bytes]:
    """Return the files of a ledger that are the same for all who play the same, by name; see `measures` for the others."""
    others = ("timings", "measures")
    return {path.name: path.read_bytes() for path in ledger_files(folder) if not path.name.startswith(others)}


def measures(folder: Path) -> pd.DataFrame:
    """Return what was measured in a ledger by what the metric had in version 1."""
    frame = read_measures(folder).astype({"game_id": str, "measure": str})
    return frame[frame["measure"] != "stability"].reset_index(drop=True)


def without_times(results: TournamentResults) -> list[str]:
    """Return the standings in words, in which unknown values are equal."""
    return [repr(replace(standing, decision_ms=0.0, decision_cpu_ms=0.0)) for standing in results.standings]


def versions(folder: Path) -> set[bytes]:
    return {pq.read_schema(path).metadata[b"schema_version"] for path in ledger_files(folder)}


@pytest.fixture(scope="module")
def present(tmp_path_factory: pytest.TempPathFactory) -> TournamentResults:
    """The same tournament as the present version writes it."""
    return run(tmp_path_factory.mktemp("present") / "t")


def test_there_is_a_ledger_of_every_older_version() -> None:
    assert sorted(path.name for path in HERE.glob("version_*")) == [
        f"version_{number}" for number in range(1, rows.SCHEMA_VERSION)
    ]


class TestVersion1:
    def test_it_reads_as_if_the_present_version_had_written_it(
        self, present: TournamentResults, tmp_path: Path
    ) -> None:
        folder = old("complete", tmp_path / "t")
        assert versions(folder) == {b"1"}
        results = read_results(folder)
        assert results.complete
        assert without_times(results) == without_times(present)
        for frame, expected in zip(read_ledger(folder), read_ledger(present.folder), strict=True):
            pd.testing.assert_frame_equal(frame, expected)
        pd.testing.assert_frame_equal(measures(folder), measures(present.folder))
        assert set(read_ledger(folder)[0]["game"]) == {"tic_tac_toe:size=4"}
        assert content_hash(folder) == content_hash(present.folder)

    def test_games_of_other_streams_are_read_and_neither_replayed_nor_gone_on_with(self, tmp_path: Path) -> None:
        folder = old("begun", tmp_path / "t")
        path = folder / "tournament.json"
        content = json.loads(path.read_text())
        del content["versions"]["streams"]
        path.write_text(json.dumps(content))
        assert read_results(folder).games == len(BEGUN)
        replayed = run_tag("replay", folder, BEGUN[0], "--no-step")
        assert replayed.exit_code == 2
        assert "drew from version 1 of the random streams" in replayed.output
        with pytest.raises(
            DataError, match=f"was begun with version 1 of streams and this is {STREAMS_VERSION}; go on"
        ):
            run(folder)

    def test_nobody_knows_who_played(self, tmp_path: Path) -> None:
        timings = read_timings(old("complete", tmp_path / "t"))
        assert (timings["seconds"] > 0).all()
        assert set(timings["worker"]) == {""}

    def test_it_goes_on_and_is_merged_in_the_present_version(self, present: TournamentResults, tmp_path: Path) -> None:
        folder = old("begun", tmp_path / "t")
        games, _seats = read_ledger(folder)
        assert games["game_id"].tolist() == BEGUN
        before = read_timings(folder)
        assert run(folder).complete
        assert bits(folder) == bits(present.folder)
        pd.testing.assert_frame_equal(measures(folder), measures(present.folder))
        assert versions(folder) == {str(rows.SCHEMA_VERSION).encode()}
        timings = read_timings(folder)
        was_there = timings["game_id"].isin(BEGUN)
        assert timings[was_there]["seconds"].tolist() == before["seconds"].tolist()  # not played again
        assert was_there.sum() == len(timings) // 2
        assert (timings["worker"].eq("") == was_there).all()

    def test_a_complete_one_is_rewritten_when_it_is_run_again(self, present: TournamentResults, tmp_path: Path) -> None:
        folder = old("complete", tmp_path / "t")
        seconds = read_timings(folder)["seconds"].tolist()
        assert run(folder).complete
        assert bits(folder) == bits(present.folder)
        pd.testing.assert_frame_equal(measures(folder), measures(present.folder))
        assert read_timings(folder)["seconds"].tolist() == seconds
        assert versions(folder) == {str(rows.SCHEMA_VERSION).encode()}
        assert json.loads((folder / "tournament.json").read_text())["schema_version"] == rows.SCHEMA_VERSION

    @pytest.mark.parametrize("name", ["begun", "complete"])
    def test_it_takes_more_blocks(self, name: str, tmp_path: Path) -> None:
        folder = old(name, tmp_path / "t")
        assert run(folder, blocks=3).complete
        assert bits(folder) == bits(run(tmp_path / "at_once", blocks=3).folder)

    @pytest.mark.parametrize("command", [*COMMANDS, *TIMED_COMMANDS])
    def test_every_command_reads_it(self, command: str, present: TournamentResults, tmp_path: Path) -> None:
        folder = old("complete", tmp_path / "t")
        word, *more = command.split()
        now = run_tag(word, present.folder, *more)
        then = run_tag(word, folder, *more)
        assert then.exit_code == now.exit_code == 0, then.output
        assert command in TIMED_COMMANDS or then.stdout == now.stdout

    def test_a_ledger_alone_does_not_know_the_game(self, tmp_path: Path) -> None:
        folder = old("complete", tmp_path / "t")
        (folder / "tournament.json").unlink()
        assert set(read_ledger(folder / "ledger")[0]["game"]) == {""}

    def test_a_damaged_definition_is_named(self, tmp_path: Path) -> None:
        folder = old("complete", tmp_path / "t")
        (folder / "tournament.json").write_text("{}")
        with pytest.raises(DataError, match=r"tournament\.json' is damaged"):
            read_ledger(folder)


class TestVersion2:
    def test_cpu_time_is_not_known(self, tmp_path: Path) -> None:
        folder = old("complete", tmp_path / "t", version=2)
        timings = read_timings(folder)
        assert (timings["seconds"] > 0).all()
        assert timings["cpu_seconds"].isna().all()
        standings = read_results(folder).standings
        assert [standing.to_json()["decision_cpu_ms"] for standing in standings] == [None, None]
        assert "wall ms/decision" in standings_markdown(standings)

    def test_it_goes_on_with_cpu_time(self, tmp_path: Path) -> None:
        folder = old("complete", tmp_path / "t", version=2)
        seconds = read_timings(folder)["seconds"].tolist()
        assert run(folder, blocks=3).complete
        timings = read_timings(folder)
        assert timings["seconds"].tolist()[: len(seconds)] == seconds  # not played again
        assert timings["cpu_seconds"].isna().tolist() == [True] * len(seconds) + [False] * (len(timings) - len(seconds))
        assert versions(folder) == {str(rows.SCHEMA_VERSION).encode()}


class TestVersion3:
    def test_what_agents_did_is_not_known(self, present: TournamentResults, tmp_path: Path) -> None:
        folder = old("complete", tmp_path / "t", version=3)
        assert versions(folder) == {b"3"}
        assert set(Folder.open(folder).games().actions_digests().tolist()) == {0}
        assert 0 not in Folder.open(present.folder).games().actions_digests()
        assert read_results(folder).repeats is None
        assert without_times(read_results(folder)) == without_times(present)

    def test_it_goes_on_with_digests(self, tmp_path: Path) -> None:
        folder = old("complete", tmp_path / "t", version=3)
        assert run(folder, blocks=3).complete
        digests = Folder.open(folder).games().actions_digests()
        assert (digests == 0).tolist() == [True] * 4 + [False] * 2
        assert bits(folder) == bits(run(tmp_path / "at_once", blocks=3).folder)
        assert versions(folder) == {str(rows.SCHEMA_VERSION).encode()}


class TestVersion4:
    def test_its_shards_name_no_tournament_until_it_is_gone_on_with(
        self, present: TournamentResults, tmp_path: Path
    ) -> None:
        folder = old("complete", tmp_path / "t", version=4)
        assert versions(folder) == {b"4"}
        assert not any(rows.identity_of(pq.read_schema(path)) for path in ledger_files(folder))
        assert content_hash(folder) == content_hash(present.folder)
        timings = read_timings(folder)
        assert run(folder).complete
        assert bits(folder) == bits(present.folder)
        pd.testing.assert_frame_equal(read_timings(folder), timings)
        assert all(rows.identity_of(pq.read_schema(path)) for path in ledger_files(folder))


class TestNewer:
    NEWER = f"has version {rows.SCHEMA_VERSION + 1} of the schema, and this tag knows none after {rows.SCHEMA_VERSION}"

    def test_a_ledger_is_refused(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        with monkeypatch.context() as later:
            later.setattr(rows, "SCHEMA_VERSION", rows.SCHEMA_VERSION + 1)
            run_of_later = run(tmp_path / "t").folder
        with pytest.raises(DataError, match=self.NEWER):
            read_ledger(run_of_later)
        before = bits(run_of_later)
        assert before
        with pytest.raises(DataError, match=self.NEWER):
            run(run_of_later)
        assert bits(run_of_later) == before

    def test_a_folder_is_refused_before_anything_is_written(self, tmp_path: Path) -> None:
        folder = run(tmp_path / "t").folder
        path = folder / "tournament.json"
        content = {**json.loads(path.read_text()), "schema_version": rows.SCHEMA_VERSION + 1, "unheard": "of"}
        path.write_text(json.dumps(content))
        before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
        with pytest.raises(DataError, match=self.NEWER):
            read_manifest(folder)
        done = run_tag("tournament", folder, "--no-ray", "--no-tracking")
        assert done.exit_code == 2
        assert self.NEWER in done.stderr
        assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before
