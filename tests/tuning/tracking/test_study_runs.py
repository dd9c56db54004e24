"""What the run of a study holds, and the runs within it; written by the writing process's class, in this process."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from stores.seen_runs import Runs
from studies.study_runs import study_and_parts, write_run

from tag.tournaments.tracking.marks import is_marked
from tag.tournaments.tracking.stores import default_tracking_uri
from tag.tournaments.tracking.tracker import FINISHED, KILLED
from tag.tournaments.tracking.writer import RunWriter
from tag.tuning.agent.defining import define_study
from tag.tuning.agent.definition import read_study_manifest
from tag.tuning.reports import curves
from tag.tuning.reports.tracking import STUDIES, TuningContents
from tag.tuning.run import run_study
from tag.tuning.study.files import INCUMBENTS, TRIALS, read_frame, write_frame

#: MLflow's use of SQLAlchemy is not ours to mend.
pytestmark = [
    pytest.mark.filterwarnings("ignore:The ``noload`` loader strategy:DeprecationWarning"),
    pytest.mark.flow,
    pytest.mark.usefixtures("all_looks"),
]

EXPERIMENT = "tic_tac_toe-tuning"


def play(out: Path, games: int = 160) -> Path:
    definition = define_study(
        "rhea:budget=10",
        "tic_tac_toe",
        games=games,
        games_per_trial=8,
        search=("horizon=1..4", "elite_count=1..2"),
        versus=("random",),
        validation=40,
        sampler="random",
        live=16,
        seed=3,
    )
    run_study(definition, out, tracking=False)
    return out


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play(tmp_path_factory.mktemp("played") / "first")


@pytest.fixture
def folder(played: Path, empty_store: Path, tmp_path: Path) -> Path:
    """A complete study beside a store with nothing in it."""
    shutil.copy(empty_store, tmp_path / "mlflow.db")
    shutil.copy(empty_store, tmp_path / "other.db")
    return Path(shutil.copytree(played, tmp_path / "first"))


def half(folder: Path) -> Path:
    """The same study as it may have stood in the middle."""
    found = Path(shutil.copytree(folder, folder.parent / "half" / folder.name))
    (found / "recommendation.json").unlink()
    write_frame(found / TRIALS, read_frame(folder / TRIALS).iloc[:12])
    write_frame(found / INCUMBENTS, read_frame(folder / INCUMBENTS).iloc[:11])
    return found


def test_a_complete_study(runs_in: Runs, folder: Path) -> None:
    uri = default_tracking_uri(folder)
    write_run(TuningContents, folder)
    study, _parts = study_and_parts(runs_in(uri, EXPERIMENT))
    assert (study.status, study.name) == (FINISHED, "first")
    assert {"seed": "3", "agents": "rhea:budget=10", "versus": "random", "sampler": "random"}.items() <= (
        study.params.items()
    )
    assert "games" not in study.params
    manifest = read_study_manifest(folder)
    assert study.tags["study.id"] == manifest.id
    assert study.tags["study.games"] == "160"
    assert study.tags["command.go_on"] == f"tag tune {folder}"
    assert {f"version.{name}": version for name, version in manifest.versions.items()}.items() <= study.tags.items()

    expected = list(curves.points(read_frame(folder / TRIALS), read_frame(folder / INCUMBENTS), complete=True))
    assert len(expected) == 20
    for name in expected[0].values:
        assert study.curve(name) == [(point.games, point.values[name]) for point in expected]

    recommendation = json.loads((folder / "recommendation.json").read_text())
    assert study.tags["recommendation.sentence"] == recommendation["sentence"]
    result = recommendation["validation"]["result"]
    for name in ("difference", "low", "high", "p_value"):
        assert study.curve(f"validation/{name}") == [(160, result[name])]
    assert study.metrics["validation/recommended/value"] == recommendation["validation"]["recommended"]["value"]
    assert study.files() == {
        "recommendation.json",
        "report.html",
        "study.json",
        f"tables/{TRIALS}",
        f"tables/{INCUMBENTS}",
    }
    assert is_marked(folder, uri, STUDIES.contents)


def test_configurations_with_many_games_are_runs_within(runs_in: Runs, folder: Path) -> None:
    write_run(TuningContents, folder)
    _study, parts = study_and_parts(runs_in(default_tracking_uri(folder), EXPERIMENT))
    trials = read_frame(folder / TRIALS)
    games = trials.groupby("spec")["games"].sum()
    assert parts.keys() == set(games[games >= curves.FEWEST_GAMES].index)
    assert len(parts) > 1
    for spec, run in parts.items():
        own = trials[trials["spec"] == spec]
        assert [games for games, _ in run.curve("games")] == own["games"].cumsum().tolist()
        assert run.metrics["value"] == pytest.approx((own["value"] * own["games"]).sum() / own["games"].sum())
        assert run.metrics["error"] >= 0.0
        assert run.status == FINISHED
        values = read_study_manifest(folder).definition.space
        assert run.params == {n: str(v) for n, v in values.values(values.configuration(spec)).items()}


def test_what_goes_on_goes_on_in_its_run(runs_in: Runs, folder: Path, tmp_path: Path) -> None:
    """Killed, gone on with, done; written again; written to another store at once: the same, and no point twice."""
    uri = default_tracking_uri(folder)
    write_run(TuningContents, half(folder), KILLED, uri)
    begun, early = study_and_parts(runs_in(uri, EXPERIMENT))
    assert begun.status == KILLED
    assert [games for games, _ in begun.curve("games")] == [8 * trials for trials in range(1, 11)]
    write_run(TuningContents, folder, FINISHED, uri)
    done, parts = study_and_parts(runs_in(uri, EXPERIMENT))
    assert (done.id, done.status) == (begun.id, FINISHED)
    assert begun.metrics["progress/games"] < begun.metrics["progress/total"]
    assert done.metrics["progress/games"] == done.metrics["progress/total"]  # before, what was last seen stayed
    assert early.keys() <= parts.keys()
    other_uri = f"sqlite:///{tmp_path}/other.db"
    write_run(TuningContents, folder, FINISHED, other_uri)
    other, other_parts = study_and_parts(runs_in(other_uri, EXPERIMENT))
    assert done.curves() == other.curves()
    assert {name: run.curves() for name, run in parts.items()} == {
        name: run.curves() for name, run in other_parts.items()
    }
    before = done.curves()
    write_run(TuningContents, folder, FINISHED, uri)
    assert study_and_parts(runs_in(uri, EXPERIMENT))[0].curves() == before


def test_a_larger_budget_goes_on_in_the_run(runs_in: Runs, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    uri = default_tracking_uri(folder)
    write_run(TuningContents, folder)
    begun, parts = study_and_parts(runs_in(uri, EXPERIMENT))
    before = begun.curve("games")
    monkeypatch.setattr("tag.tuning.reports.curves.MOST_CONFIGURATIONS", len(parts) + 1)
    play(folder, 320)
    assert not is_marked(folder, uri, STUDIES.contents)
    write_run(TuningContents, folder)
    done, more = study_and_parts(runs_in(uri, EXPERIMENT))
    assert done.id == begun.id
    assert done.tags["study.games"] == "320"
    assert done.curve("games")[:20] == before
    assert done.curve("games")[-1] == (320, 320)
    assert parts.keys() < more.keys()
    assert len(more) == len(parts) + 1


def test_nothing_is_written_twice_while_nothing_is_new(
    runs_in: Runs, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = RunWriter(TuningContents(folder), default_tracking_uri(folder), {})
    news = {"games": 160, "total": 240, "faults": 0, "games_per_second": 12.5}
    writer.look(news)

    def no_reading(_path: Path) -> pd.DataFrame:
        raise AssertionError

    monkeypatch.setattr("tag.tuning.reports.tracking.read_frame", no_reading)
    writer.look(news)
    study, _parts = study_and_parts(runs_in(default_tracking_uri(folder), EXPERIMENT))
    assert study.curve("progress/games") == [(160, 160), (160, 160)]


def test_the_report_is_copied_if_there_is_one(runs_in: Runs, folder: Path) -> None:
    (folder / "report.html").write_text("<!DOCTYPE html>")
    write_run(TuningContents, folder)
    assert "report.html" in study_and_parts(runs_in(default_tracking_uri(folder), EXPERIMENT))[0].files()


def test_a_recommendation_from_before_more_games_is_not_written(runs_in: Runs, folder: Path) -> None:
    old = read_study_manifest(folder)
    replace(old, definition=replace(old.definition, games=320)).write(folder)
    write_run(TuningContents, folder)
    study, _parts = study_and_parts(runs_in(default_tracking_uri(folder), EXPERIMENT))
    assert not [name for name in study.tags if name.startswith("recommendation.")]
    assert "validation/difference" not in study.metrics
    assert "recommendation.json" not in study.files()
