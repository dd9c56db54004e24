"""A study as one of Optuna's: as many trials, the same values, and its tools work on it."""

from __future__ import annotations

import json
import re
import shutil
import warnings
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import optuna
import pandas as pd
import pytest
from click.testing import CliRunner
from optuna.storages import JournalStorage, RDBStorage
from optuna.storages.journal import JournalFileBackend
from optuna.trial import TrialState

from tag.cli import main
from tag.errors import DataError
from tuning.definition import define_study
from tuning.reports import tracking
from tuning.reports.tracking import JOURNAL, MOST_TRIALS, export_optuna_study, load_optuna_study, write_journal
from tuning.run import run_study
from tuning.study import TRIALS, read_frame, write_frame


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A complete study, of conditional parameters of all kinds."""
    out = tmp_path_factory.mktemp("studies") / "first"
    search = ("horizon=1..6", "discount", "crossover", "crossover_points", "shift_buffer", "population_size")
    definition = define_study(
        "rhea:budget=10",
        "tic_tac_toe",
        games=240,
        games_per_trial=8,
        search=search,
        versus=("random",),
        validation=0,
        sampler="random",
        seed=3,
    )
    run_study(definition, out, tracking=False)
    return out


def journal(path: Path) -> JournalStorage:
    return JournalStorage(JournalFileBackend(str(path)))


@pytest.fixture
def database(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], RDBStorage]]:
    """What opens databases; their connections are closed at the end, also of those that exports are written to."""
    opened: list[RDBStorage] = []

    def new(url: str) -> RDBStorage:
        opened.append(RDBStorage(url))
        return opened[-1]

    monkeypatch.setattr(tracking, "RDBStorage", new)
    yield new
    for storage in opened:
        storage.remove_session()
        storage.engine.dispose()


def check(study: optuna.Study, folder: Path) -> None:
    rows = read_frame(folder / TRIALS).sort_values("number")
    assert study.study_name == folder.name
    assert study.direction == optuna.study.StudyDirection.MAXIMIZE
    assert len(study.trials) == len(rows)
    assert study.best_value == rows[rows["state"] == "complete"]["value"].max()
    for trial, row in zip(study.trials, rows.to_dict("records"), strict=True):
        assert trial.user_attrs["spec"] == row["spec"]
        assert trial.user_attrs["games"] == row["games"]
        assert trial.user_attrs["error"] == pytest.approx(row["error"])
        assert trial.value == row["value"]
        parameters = {name: row[f"parameter.{name}"] for name in trial.params}
        assert trial.params == parameters
        missing = [name for name in rows if name.startswith("parameter.") and pd.isna(row[name])]
        assert not trial.params.keys() & {name.removeprefix("parameter.") for name in missing}


def test_in_memory(folder: Path) -> None:
    study = load_optuna_study(folder)
    check(study, folder)
    conditional = [trial for trial in study.trials if "crossover_points" in trial.params]
    assert 0 < len(conditional) < len(study.trials)
    assert all(trial.params["crossover"] == "n_point" for trial in conditional)
    assert {type(trial.params["shift_buffer"]) for trial in study.trials if trial.params["horizon"] > 1} == {bool}
    assert {type(trial.params["horizon"]) for trial in study.trials} == {int}


def test_a_journal_is_in_the_folder_of_a_complete_study(folder: Path) -> None:
    study = optuna.load_study(study_name="first", storage=journal(folder / JOURNAL))
    check(study, folder)
    assert not list(folder.glob(".*.tmp*"))


def test_what_became_of_trials(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "first"
    other.mkdir()
    (other / "study.json").write_text((folder / "study.json").read_text())
    rows = read_frame(folder / TRIALS)
    rows.loc[0, "state"] = "dropped"
    rows.loc[1, ["state", "value", "error", "games"]] = ["void", None, None, 0]
    write_frame(other / TRIALS, rows)
    dropped, void, *complete = load_optuna_study(other).trials
    assert (dropped.state, dropped.value) == (TrialState.PRUNED, rows.loc[0, "value"])
    assert dropped.intermediate_values == {8: dropped.value}
    assert (void.state, void.value, void.user_attrs["games"]) == (TrialState.FAIL, None, 0)
    assert {trial.state for trial in complete} <= {TrialState.COMPLETE, TrialState.PRUNED}


def test_several_objectives_and_generations(tmp_path: Path) -> None:
    both = define_study(
        "rhea:budget=10",
        "tic_tac_toe",
        games=32,
        games_per_trial=4,
        search=("horizon",),
        versus=("random",),
        objective="win_rate,ordinal",
        validation=0,
    )
    run_study(both, tmp_path / "both", tracking=False)
    study = load_optuna_study(tmp_path / "both", "mine")
    assert study.study_name == "mine"
    assert [direction.name for direction in study.directions] == ["MAXIMIZE", "MINIMIZE"]
    rows = read_frame(tmp_path / "both" / TRIALS).sort_values("number")
    assert [trial.values for trial in study.trials] == rows[["value", "value_2"]].to_numpy().tolist()
    assert study.best_trials

    itself = define_study(
        "rhea:budget=10",
        "tic_tac_toe",
        games=32,
        games_per_trial=4,
        search=("horizon",),
        versus=("incumbent",),
        generations=2,
        validation=0,
        sampler="random",
    )
    run_study(itself, tmp_path / "self", tracking=False)
    generations = [trial.user_attrs["generation"] for trial in load_optuna_study(tmp_path / "self").trials]
    assert generations == sorted(generations)
    assert set(generations) == {0, 1}


class TestExports:
    def test_to_a_database_again_and_beside_others(
        self, folder: Path, tmp_path: Path, database: Callable[[str], RDBStorage]
    ) -> None:
        url = f"sqlite:///{tmp_path}/all.db"
        optuna.create_study(study_name="other", storage=database(url))
        for _time in range(2):
            check(export_optuna_study(folder, url), folder)
        check(optuna.load_study(study_name="first", storage=database(url)), folder)
        assert sorted(optuna.get_all_study_names(database(url))) == ["first", "other"]
        with pytest.raises(DataError, match="all.db' holds another study named 'other'; name another one with --name$"):
            export_optuna_study(folder, url, "other")

    def test_a_journal_is_written_whole(self, folder: Path, tmp_path: Path) -> None:
        path = tmp_path / "j.log"
        for _time in range(2):
            export_optuna_study(folder, str(path))
        study = optuna.load_study(study_name="first", storage=journal(path))
        check(study, folder)
        optuna.create_study(study_name="mine", storage=journal(tmp_path / "mine.log"))
        before = (tmp_path / "mine.log").read_bytes()
        with pytest.raises(DataError, match="mine.log' is not a journal of this study; name another file$"):
            export_optuna_study(folder, str(tmp_path / "mine.log"))
        assert (tmp_path / "mine.log").read_bytes() == before

    @pytest.mark.parametrize(
        ("storage", "reason"),
        [
            ("/no/such/x.log", "No such file or directory"),
            ("sqlite:////no/such/x.db", "unable to open database file"),
            ("nonsense://me:secret@host/x", "nonsense"),
        ],
    )
    def test_what_cannot_be_written_to_is_said_in_a_sentence(self, folder: Path, storage: str, reason: str) -> None:
        with pytest.raises(DataError) as error:
            export_optuna_study(folder, storage)
        assert str(error.value).startswith(f"nothing can be written to '{storage.replace('secret', '***')}': ")
        assert reason in str(error.value)
        assert "\n" not in str(error.value)

    def test_a_file_that_is_no_journal_stays(self, folder: Path, tmp_path: Path) -> None:
        path = tmp_path / "notes.txt"
        path.write_text("my notes\n")
        with pytest.raises(DataError, match="is not a journal of this study; name another file$"):
            export_optuna_study(folder, str(path))
        assert path.read_text() == "my notes\n"

    def test_a_large_study_has_no_journal_by_itself(self, folder: Path, tmp_path: Path) -> None:
        (tmp_path / "study.json").write_text((folder / "study.json").read_text())
        rows = read_frame(folder / TRIALS)
        write_frame(tmp_path / TRIALS, pd.concat([rows] * (MOST_TRIALS // len(rows) + 1), ignore_index=True))
        write_journal(tmp_path)
        assert not (tmp_path / JOURNAL).exists()

    def test_on_the_command_line(self, folder: Path, tmp_path: Path) -> None:
        path = tmp_path / "x.log"
        result = CliRunner().invoke(main, ["tune", "export", str(folder), "--storage", str(path), "--name", "n"])
        assert result.exit_code == 0, result.output
        assert result.output == f"30 trials, as study 'n' in '{path}'\n"
        assert json.loads(path.read_text().splitlines()[0])["study_name"] == "n"
        result = CliRunner().invoke(main, ["tune", "export", str(tmp_path), "--storage", str(path)])
        assert result.exit_code == 2
        assert "holds no study" in result.output


def test_the_code_of_the_page_runs(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (Path(__file__).parents[3] / "docs" / "reference" / "tuning.md").read_text(encoding="utf-8")
    (code,) = [code for code in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "load_optuna_study" in code]
    (tmp_path / "studies").mkdir()
    shutil.copytree(folder, tmp_path / "studies" / "rhea")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(code, names)  # noqa: S102  our own page
    assert isinstance(names["study"], optuna.Study)
    assert names["study"].study_name == "rhea"


def test_importance_and_plots_work(folder: Path) -> None:
    study = load_optuna_study(folder)
    importances = optuna.importance.get_param_importances(study)
    assert "horizon" in importances
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        from optuna.visualization import matplotlib

        for plot in (matplotlib.plot_optimization_history, matplotlib.plot_slice, matplotlib.plot_param_importances):
            assert plot(study) is not None
        if find_spec("plotly") is not None:
            assert optuna.visualization.plot_slice(study).data
