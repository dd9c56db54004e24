"""What the run of a balancing study holds, and those of its candidates; and that the study has it written beside."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from commands import run_tag
from stores.seen_runs import Runs
from studies.komi_studies import KOMI, komi, untracked
from studies.study_runs import study_and_parts, write_run

from tag.tournaments.tracking import tracker
from tag.tournaments.tracking.marks import is_marked
from tag.tournaments.tracking.runs import metric_name
from tag.tournaments.tracking.stores import default_tracking_uri
from tag.tournaments.tracking.tracker import FINISHED, KILLED
from tag.tuning.balancing.report.report import BALANCES, BalanceContents
from tag.tuning.balancing.results.results import FRONT, BalanceResults, read_balance
from tag.tuning.reports.curves import FEWEST_GAMES, MOST_CONFIGURATIONS
from tag.tuning.study.files import INCUMBENTS, TRIALS, read_frame, write_frame

#: MLflow's use of SQLAlchemy is not ours to mend.
pytestmark = [pytest.mark.filterwarnings("ignore:The ``noload`` loader strategy:DeprecationWarning"), pytest.mark.flow]

EXPERIMENT = f"{metric_name(KOMI)}-balancing"


@pytest.fixture
def folder(small: BalanceResults, empty_store: Path, tmp_path: Path) -> Path:
    """A complete study beside a store with nothing in it."""
    shutil.copy(empty_store, tmp_path / "mlflow.db")
    return Path(shutil.copytree(small.folder, tmp_path / "first"))


def test_a_complete_study(runs_in: Runs, folder: Path) -> None:
    results, uri = read_balance(folder), default_tracking_uri(folder)
    write_run(BalanceContents, folder)
    study, _parts = study_and_parts(runs_in(uri, EXPERIMENT))
    assert (study.status, study.name) == (FINISHED, "first")
    said = {"seed": "1", "agents": "random", "targets": "first_seat=-0.15..0.15; length=11..13", "sampler": "bands"}
    assert said.items() <= study.params.items()
    assert "games" not in study.params
    assert study.tags["study.id"] == results.manifest.id
    assert (study.tags["study.games"], study.tags["study.validation"]) == ("800", "400")
    assert study.tags["command.go_on"] == f"tag balance {folder}"

    looks = results.incumbents
    assert len(looks) > 10
    assert study.curve("games") == [(games, games) for games in looks["games"]]
    for column, name in (("miss", "miss"), ("mean.length", "mean/length"), ("deviation.length", "deviation/length")):
        games, values = zip(*study.curve(f"incumbent/{name}"), strict=True)
        assert list(games) == looks["games"].tolist()
        assert list(values) == pytest.approx(looks[column].tolist())
    assert study.curve("trials")[-1] == (800, len(results.trials))

    assert results.verdict is not None
    assert study.tags["balance.sentence"] == results.verdict["sentence"]
    assert study.tags["balance.feasible"] == "True"
    for stage, pair in (("validation", results.verdict), ("held_out", results.verdict["held_out"])):
        for side in ("printed", "choice"):
            assert study.metrics[f"{stage}/{side}/games"] == pair[side]["games"]
            for target, one in pair[side]["targets"].items():
                for key in ("value", "low", "high"):
                    assert study.metrics[f"{stage}/{side}/{target}/{key}"] == one[key]
    assert study.files() == {
        "balance.json",
        "report.html",
        "study.json",
        *(f"tables/{name}" for name in (TRIALS, INCUMBENTS, FRONT)),
    }
    assert is_marked(folder, uri, BALANCES.contents)


def test_candidates_with_many_games_are_runs_within(runs_in: Runs, folder: Path) -> None:
    write_run(BalanceContents, folder)
    _study, parts = study_and_parts(runs_in(default_tracking_uri(folder), EXPERIMENT))
    trials = read_frame(folder / TRIALS)
    games = trials.groupby("spec")["games"].sum()
    assert parts.keys() == set(games[games >= FEWEST_GAMES].index)
    assert 1 < len(parts) <= MOST_CONFIGURATIONS
    for spec, run in parts.items():
        own = trials[trials["spec"] == spec]
        weights = own["games"] / own["games"].sum()
        assert [games for games, _ in run.curve("games")] == own["games"].cumsum().tolist()
        for name in ("first_seat", "length"):
            assert run.metrics[f"measure/{name}"] == pytest.approx((own[f"measure.{name}"] * weights).sum())
            error = np.sqrt(((own[f"error.{name}"] * weights) ** 2).sum())
            assert run.metrics[f"error/{name}"] == pytest.approx(error)
        assert {name: int(value) for name, value in run.params.items()}.keys() == {"komi", "turns"}


def test_what_goes_on_goes_on_in_its_run(runs_in: Runs, folder: Path) -> None:
    """Killed in the middle of the search, gone on with, done: one run, and no point twice."""
    middle = Path(shutil.copytree(folder, folder.parent / "half" / folder.name))
    shutil.copy(folder.parent / "mlflow.db", middle.parent)
    (middle / "balance.json").unlink()
    write_frame(middle / TRIALS, read_frame(folder / TRIALS).iloc[:12])
    write_frame(middle / INCUMBENTS, read_frame(folder / INCUMBENTS).iloc[:11])
    write_run(BalanceContents, middle, KILLED)
    uri = default_tracking_uri(middle)
    begun, _parts = study_and_parts(runs_in(uri, EXPERIMENT))
    assert begun.status == KILLED
    assert [games for games, _ in begun.curve("games")] == [20 * trials for trials in range(1, 11)]
    shutil.copytree(folder, middle, dirs_exist_ok=True)
    write_run(BalanceContents, middle)
    done, parts = study_and_parts(runs_in(uri, EXPERIMENT))
    assert (done.id, done.status) == (begun.id, FINISHED)
    write_run(BalanceContents, folder)
    other, other_parts = study_and_parts(runs_in(default_tracking_uri(folder), EXPERIMENT))
    assert done.curves() == other.curves()
    assert {name: run.curves() for name, run in parts.items()} == {n: run.curves() for n, run in other_parts.items()}


def test_a_verdict_from_before_more_games_is_not_written(runs_in: Runs, folder: Path) -> None:
    old = read_balance(folder)
    replace(old.manifest, definition=replace(old.manifest.definition, games=1_200)).write(folder)
    write_run(BalanceContents, folder)
    study, _parts = study_and_parts(runs_in(default_tracking_uri(folder), EXPERIMENT))
    assert not [name for name in study.tags if name.startswith("balance.")]
    assert not [name for name in study.metrics if name.startswith("validation/")]
    assert "balance.json" not in study.files()


def test_names_of_targets_with_arguments_are_legal_and_distinct(small: BalanceResults) -> None:
    definition = replace(small.manifest.definition, targets=("win_rate(mcts)=0.4..0.6", "win_rate(mcts:budget=9)<=0.5"))
    contents = BalanceContents(Path())
    contents.manifest = replace(small.manifest, definition=definition)
    columns = {"value": 1.0, "measure.win_rate(mcts)": 2.0, "error.win_rate(mcts:budget=9)": 3.0}
    assert contents.named(columns) == {
        "value": 1.0,
        "measure/win_rate_mcts": 2.0,
        "error/win_rate_mcts_budget_9": 3.0,
    }


@pytest.mark.system
def test_the_command_has_a_run_written_beside(
    runs_in: Runs, empty_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(empty_store, tmp_path / "mlflow.db")
    options = [KOMI, "--search", "turns", "--target", "length=12±1", "--agent", "random", "--games", "100"]
    options += ["--no-ray", "--out", str(tmp_path / "study")]
    done = run_tag("balance", *options, "--quiet")
    assert done.exit_code == 0, done.output
    assert "look at its run:\n" in done.stdout
    assert f"mlflow ui --backend-store-uri {default_tracking_uri(tmp_path / 'study')}" in done.stdout
    uri = default_tracking_uri(tmp_path / "study")
    study, _parts = study_and_parts(runs_in(uri, EXPERIMENT))
    assert study.status == FINISHED
    assert study.curve("games")[-1] == (100, 100)

    away = run_tag("balance", *options, "--quiet", "--tracking-uri", "http://127.0.0.1:9")
    assert away.exit_code == 0
    assert "look at its run" not in away.stdout  # as there is none

    def no_process(_task: object) -> None:
        raise AssertionError

    monkeypatch.setattr(tracker, "_WriterProcess", no_process)
    again = run_tag("balance", *options, "--json", "--quiet")  # nobody has to ask the store
    assert json.loads(again.stdout)["complete"]
    untracked(komi(games=100, validation=20), tmp_path / "other")
    assert [run.name for run in runs_in(uri, EXPERIMENT) if "mlflow.parentRunId" not in run.tags] == ["study"]
