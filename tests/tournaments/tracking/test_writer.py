"""The writing process's work, done in this one: what the run of a tournament holds."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from shutil import copy

import pandas as pd
import pytest
from copied import RANDOM
from stores.seen_runs import Runs, SeenRun

from tag.catalogue.version import installation
from tag.tournaments import define, run_tournament
from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.ledger.folder import extended, read_manifest
from tag.tournaments.reports.sections import ratings, standings
from tag.tournaments.results.tournament import rate, read_results
from tag.tournaments.tracking import marks, origin
from tag.tournaments.tracking import tournaments as record
from tag.tournaments.tracking.stores import default_tracking_uri
from tag.tournaments.tracking.tournaments import TournamentContents, curve_points
from tag.tournaments.tracking.tracker import FAILED, FINISHED, KILLED, ledger_names
from tag.tournaments.tracking.writer import RunWriter

#: MLflow's use of SQLAlchemy is not ours to mend.
pytestmark = [pytest.mark.filterwarnings("ignore:The ``noload`` loader strategy:DeprecationWarning"), pytest.mark.flow]

NEWS = {"games": 0, "total": 1, "faults": 0, "games_per_second": 12.5}


def small(blocks: int = 4, agents: Sequence[str] = ("random", "osla")) -> TournamentDefinition:
    return define("tic_tac_toe", tuple(agents), blocks)


def play(folder: Path, definition: TournamentDefinition) -> Path:
    run_tournament(definition, folder, tracking=False)
    return folder


@pytest.fixture(autouse=True)
def _made_store(empty_store: Path, tmp_path: Path) -> None:
    """To make a store takes seconds, so it is there already."""
    copy(empty_store, tmp_path / "mlflow.db")
    copy(empty_store, tmp_path / "other.db")


def write(folder: Path, status: str = FINISHED, uri: str = "") -> None:
    writer = RunWriter(TournamentContents(folder), uri or default_tracking_uri(folder), {"workers": 3})
    if status != FINISHED:
        games = read_results(folder).games
        writer.look({**NEWS, "games": games, "total": games + 1})
    assert all(isinstance(asks, bool) for asks in writer.end(status))


def is_marked(folder: Path, uri: str) -> bool:
    return marks.is_marked(folder, uri, ledger_names)


def the_run(runs_in: Runs, folder: Path) -> SeenRun:
    (run,) = runs_in(default_tracking_uri(folder))
    return run


def expected(folder: Path, field: str, label: str) -> list[tuple[int, float]]:
    definition = read_manifest(folder).definition
    return [
        (point.games, point.agents[label][field])
        for point in curve_points(folder, definition, complete=True)
        if field in point.agents.get(label, {})
    ]


def test_a_complete_tournament(runs_in: Runs, tmp_path: Path) -> None:
    folder = play(tmp_path / "first", small())
    write(folder)
    run = the_run(runs_in, folder)
    assert (run.status, run.name) == ("FINISHED", "first")
    assert {"seed": "1", "agent_2": "osla", "on_illegal": "substitute"}.items() <= run.params.items()
    assert "blocks" not in run.params
    curves = run.curves()
    assert curves["games"] == [(games, games) for games in (2, 4, 6, 8)]
    assert curves["blocks"] == [(2, 1), (4, 2), (6, 3), (8, 4)]
    assert curves["win_rate/osla"] == expected(folder, "win_rate", "osla")
    ratings = {agent.agent: agent for agent in rate(folder).agents}
    assert run.metrics["rating/osla"] == pytest.approx(ratings["osla"].rating)
    assert run.metrics["decision_ms/osla"] == read_results(folder).standings[0].decision_ms
    assert is_marked(folder, default_tracking_uri(folder))


def test_an_experiment_opens_as_a_table_of_runs_with_a_curve_for_each_agent(runs_in: Runs, tmp_path: Path) -> None:
    from mlflow import MlflowClient

    agents = ("strong=osla", "random", "random", "random")
    folder = play(tmp_path / "first", define("tic_tac_toe", agents, 3, players=2))
    write(folder)
    curves = {name for name, points in the_run(runs_in, folder).curves().items() if len(points) > 1}
    assert curves == {"games", "blocks", *(f"win_rate/{name}" for name in ("strong", "random", "random_2", "random_3"))}
    sections = {name.partition("/")[0] for name in the_run(runs_in, folder).metrics if "/" in name}
    columns = {**standings.COLUMNS, **ratings.COLUMNS}
    results = {name for name, column in columns.items() if column.metric == "result"}
    assert sections <= {"win_rate", "win_rate_low", "win_rate_high", "progress", *results}
    assert len(sections) < 8  # the tables have all else
    uri = default_tracking_uri(folder)
    experiment = MlflowClient(tracking_uri=uri, registry_uri=uri).get_experiment_by_name("tic_tac_toe")
    assert experiment.tags["mlflow.experimentKind"] == "custom_model_development"
    assert marks.experiment_of(folder, uri, ledger_names) == experiment.experiment_id


def test_a_run_says_what_was_played_with(runs_in: Runs, tmp_path: Path) -> None:
    file = tmp_path / "my agents.py"
    file.write_text(f"{RANDOM}\n\nclass Mine(Random):\n    pass\n")
    folder = play(tmp_path / "t", small(2, ("random", f"{file}:Mine")))
    write(folder)
    tags = the_run(runs_in, folder).tags
    manifest = read_manifest(folder)
    assert tags["tournament.id"] == manifest.id
    assert tags["folder"] == str(folder)
    assert tags["command.go_on"] == f"tag tournament {folder}"
    assert tags["command.again"].startswith("tag tournament tic_tac_toe")
    assert tags["execution.workers"] == "3"
    assert {f"version.{name}": version for name, version in manifest.versions.items()}.items() <= tags.items()
    assert {"version.numpy", "version.ray", "version.python", "version.mlflow"} <= tags.keys()
    assert tags["code.sources"] == installation()["sources"]
    digest = blake2b(file.read_bytes(), digest_size=16).hexdigest()
    assert [value for name, value in tags.items() if name.endswith("my agents.py")] == [digest]


def test_the_commit_is_that_of_the_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def git(*arguments: str) -> str:
        who = ["-c", "user.name=me", "-c", "user.email=me@here"]
        done = subprocess.run(["git", "-C", tmp_path, *who, *arguments], check=True, capture_output=True, text=True)
        return done.stdout.strip()

    (tmp_path / "tag").mkdir()
    (tmp_path / "tag" / "__init__.py").write_text("")
    monkeypatch.setattr("tag.__file__", str(tmp_path / "tag" / "__init__.py"))
    assert origin._commit() == ""
    git("init", "-q")
    assert origin._commit() == ""  # there is none yet
    git("add", ".")
    git("commit", "-qm", "all")
    assert origin._commit() == git("rev-parse", "HEAD")
    (tmp_path / "tag" / "__init__.py").write_text("edited = True")
    assert origin._commit() == git("rev-parse", "HEAD") + "+changes"


def test_files_and_tables(runs_in: Runs, tmp_path: Path) -> None:
    folder = play(tmp_path / "t", small(6, ("random", "osla", "random")))
    write(folder)
    run = the_run(runs_in, folder)
    files = run.files()
    assert {"report.html", "results.md", "results.csv", "results.json", "tournament.json"} <= files
    ledger = {f"ledger/6_blocks/{path.name}" for path in (folder / "ledger").glob("*.parquet")}
    assert ledger <= files
    assert len(ledger) == 2
    assert (tmp_path / "mlflow").is_dir()
    for path in ledger:
        assert run.download(path, tmp_path).read_bytes() == (folder / "ledger" / Path(path).name).read_bytes()
    tables = {Path(path).stem: pd.read_parquet(run.download(path, tmp_path)) for path in files if "tables/" in path}
    assert tables.keys() == {"standings", "ratings", "pairwise", "seats"}
    results, ratings = read_results(folder), rate(folder)
    assert tables["standings"]["points_low"].tolist() == [
        standing.points_interval.low for standing in results.standings
    ]
    assert tables["ratings"]["rating"].tolist() == [agent.rating for agent in ratings.agents]
    pairs = tables["pairwise"].set_index(["agent", "opponent"])
    assert len(pairs) == 6
    first, second = ratings.pairs.labels[:2]
    assert pairs.loc[(first, second), "score"] == ratings.pairs.score[0, 1]
    seats = tables["seats"]
    assert seats[seats["agent"].isna()]["games"].tolist() == [results.games] * 2
    assert seats.dropna()["games"].sum() == 2 * results.games


def test_a_large_ledger_stays_where_it_is(runs_in: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "LARGEST_LEDGER", 100)
    folder = play(tmp_path / "t", small())
    write(folder)
    run = the_run(runs_in, folder)
    assert not any(path.startswith("ledger/") for path in run.files())
    assert run.tags["ledger"].endswith(f"MB, in {str(folder)!r} only")


def test_a_report_that_fails_costs_a_tag(runs_in: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_reading: object) -> None:
        raise ValueError("no ink")

    monkeypatch.setattr("tag.tournaments.reports.sections.tournament.page_of", broken)
    folder = play(tmp_path / "t", small())
    write(folder)
    run = the_run(runs_in, folder)
    assert run.status == "FINISHED"
    assert run.tags["report.error"] == "ValueError: no ink"
    assert "report.html" not in run.files()
    assert "tables/standings.parquet" in run.files()


def test_what_goes_on_goes_on_in_its_run(runs_in: Runs, tmp_path: Path) -> None:
    """Interrupted, gone on with, done; written again to another store: the same curves, no point twice."""
    folder = play(tmp_path / "t", small(10))
    half = play(tmp_path / "half" / "t", small(5))
    (half / "tournament.json").write_text((folder / "tournament.json").read_text())  # as if it had been interrupted
    uri = default_tracking_uri(folder)
    for status in (FAILED, KILLED):
        write(half, status, uri)
        (begun,) = runs_in(uri)
        assert begun.status == status
    assert [games for games, _ in begun.curve("games")] == [2, 4, 6, 8, 10]
    assert set(begun.curve("progress/games_per_second")) == {(10, 12.5)}
    write(folder, FINISHED, uri)
    (done,) = runs_in(uri)
    assert done.id == begun.id
    assert done.status == "FINISHED"
    assert done.metrics["progress/total"] == done.metrics["progress/games"] >= 10
    at_once = f"sqlite:///{tmp_path}/other.db"
    write(folder, FINISHED, at_once)
    (other,) = runs_in(at_once)
    assert [games for games, _ in other.curve("games")] == [2 * blocks for blocks in range(1, 11)]
    timed = {name for name in other.metrics if name.endswith("decision_ms")}
    assert {n: c for n, c in done.curves().items() if n not in timed} == {
        n: c for n, c in other.curves().items() if n not in timed
    }
    before = done.curves()
    write(folder, FINISHED, uri)
    assert runs_in(uri)[0].curves() == before


def test_more_blocks_and_agents_go_on_in_the_run(runs_in: Runs, tmp_path: Path) -> None:
    folder = play(tmp_path / "t", small(2))
    write(folder)
    assert not is_marked(folder, f"sqlite:///{tmp_path}/other.db")
    play(folder, extended(small(2), 3, ["random"]))
    assert not is_marked(folder, default_tracking_uri(folder))
    write(folder)
    run = the_run(runs_in, folder)
    assert run.params["agent_3"] == "random"
    assert [games for games, _ in run.curve("games")] == [2, 4, 6, 12, 18]
    assert run.curve("win_rate/random_2")[-1] == expected(folder, "win_rate", "random#2")[-1]
    assert {path.split("/")[1] for path in run.files() if path.startswith("ledger/")} == {"2_blocks", "3_blocks"}


@pytest.mark.parametrize("blocks", [1, 3, 9])
def test_results_are_there_also_if_the_last_point_was_written_during_play(
    runs_in: Runs, tmp_path: Path, blocks: int
) -> None:
    folder = play(tmp_path / "t", small(blocks, ("osla", "random")))
    games = read_results(folder).games
    writer = RunWriter(TournamentContents(folder), default_tracking_uri(folder), {})
    writer.look({**NEWS, "games": games, "total": games})
    list(writer.end(FINISHED))
    found = read_results(folder).standings
    metrics = the_run(runs_in, folder).metrics
    assert {one.agent: metrics[f"win_rate_low/{one.agent}"] for one in found} == {
        one.agent: one.win_rate_interval.low for one in found
    }
    assert {"rating/osla", "decision_ms/osla"} <= metrics.keys()


def test_names_that_are_long_or_strange(runs_in: Runs, tmp_path: Path) -> None:
    file = tmp_path / ("a" * 150 + " ü&%.py")
    file.write_text(f"{RANDOM}\n\nclass Mine(Random):\n    pass\n")
    folder = play(tmp_path / "t", small(1, (f"{file}:Mine",) * 2))
    write(folder)
    run = the_run(runs_in, folder)
    assert run.params["agent_1"] == f"{file}:Mine"
    assert len([name for name in run.metrics if name.startswith("win_rate/")]) == 2


def test_a_mark_is_of_a_store_and_a_ledger(tmp_path: Path) -> None:
    folder = play(tmp_path / "t", small(1))
    uri = default_tracking_uri(folder)
    assert not is_marked(folder, uri)
    write(folder)
    assert is_marked(folder, uri)
    assert "mlflow" not in json.loads((folder / ".tracked.json").read_text())["store"]
    (tmp_path / "mlflow.db").unlink()
    assert not is_marked(folder, uri)


def test_the_end_waits_for_no_import_of_what_draws() -> None:
    script = """
import sys
from pathlib import Path
from tag.tournaments.tracking.process import _look
from tag.tournaments.tracking.tournaments import TournamentContents
from tag.tournaments.tracking.writer import RunWriter

class Quick(RunWriter):
    def look(self, news):
        pass

_look(Quick(TournamentContents(Path(".")), "", {}), {})
print({"jinja2", "matplotlib.figure", "tag.tournaments.reports.sections.tournament"} <= sys.modules.keys())
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
