"""A study as one of Optuna's: as many trials, the same values, and its tools work on it."""

from __future__ import annotations

import json
import re
import shutil
import warnings
from collections.abc import Callable, Iterator
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path

import optuna
import pandas as pd
import pytest
from commands import run_tag
from optuna.storages import JournalStorage, RDBStorage
from optuna.storages.journal import JournalFileBackend
from optuna.trial import TrialState

from tag.errors import DataError
from tag.tournaments.ledger.games import read_ledger
from tag.tuning.agent.defining import define_study
from tag.tuning.agent.definition import StudyDefinition
from tag.tuning.reports import optuna_study
from tag.tuning.reports.optuna_study import JOURNAL, MOST_TRIALS, export_optuna_study, load_optuna_study, write_journal
from tag.tuning.run import run_study
from tag.tuning.study.files import RUNGS, TRIALS, read_frame, write_frame

pytestmark = [pytest.mark.flow, pytest.mark.usefixtures("empty_pages")]


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

    monkeypatch.setattr(optuna_study, "RDBStorage", new)
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


@pytest.fixture(scope="module")
def raced(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, datetime, datetime]:
    """A study of which trials were pruned, and when it began and ended."""
    out, begin = tmp_path_factory.mktemp("studies") / "raced", datetime.now()  # noqa: DTZ005  Optuna's are local, too
    run_study(race(400), out, tracking=False)
    return out, begin, datetime.now()  # noqa: DTZ005


def race(games: int, search: str = "budget=1..80", generations: int = 0) -> StudyDefinition:
    return define_study(
        "mcts:budget=60",
        "tic_tac_toe",
        games=games,
        games_per_trial=32,
        live=2,
        search=(search,),
        versus=("incumbent",) if generations else ("osla",),
        generations=generations,
        validation=0,
        sampler="random",
        seed=1,
    )


def test_pruned_trials_have_the_values_of_their_rungs(raced: tuple[Path, datetime, datetime]) -> None:
    folder, *_times = raced
    study = optuna.load_study(study_name="raced", storage=journal(folder / JOURNAL))
    rungs = read_frame(folder / RUNGS)
    pruned = [trial for trial in study.trials if trial.state == TrialState.PRUNED]
    assert pruned
    ended = {8: 1, 16: 2, 32: 3}  # how many rungs there are in so many games
    for trial in study.trials:
        rows = rungs[rungs["number"] == trial.number]
        assert trial.intermediate_values == dict(zip(rows["games"], rows["value"], strict=True))
        assert len(trial.intermediate_values) == ended[trial.user_attrs["games"]]
        assert trial.intermediate_values[trial.user_attrs["games"]] == trial.value
    seats = read_ledger(folder / "search")[1]
    trials = read_frame(folder / TRIALS)
    alone = trials[~trials["agent"].duplicated(keep=False)]
    assert len(alone) > 5
    for number, spec in zip(alone["number"], alone["spec"], strict=True):
        wins = seats[seats["agent"] == spec].sort_values("block")["win"]
        for games, value in study.trials[number].intermediate_values.items():
            assert value == pytest.approx(wins.iloc[:games].mean())


def test_trials_have_the_times_of_the_study(raced: tuple[Path, datetime, datetime], tmp_path: Path) -> None:
    folder, begin, end = raced
    study = load_optuna_study(folder)
    for trial in study.trials:
        assert trial.datetime_start is not None
        assert trial.datetime_complete is not None
        assert begin <= trial.datetime_start < trial.datetime_complete <= end
    in_order = [study.trials[number].datetime_complete for number in read_frame(folder / TRIALS)["number"]]
    assert in_order == sorted(in_order)
    assert len(set(in_order)) > len(in_order) // 2  # none is the time of the export
    stored = optuna.load_study(study_name="raced", storage=journal(folder / JOURNAL))
    assert [one.datetime_complete for one in stored.trials] == [one.datetime_complete for one in study.trials]
    shutil.copytree(folder, tmp_path / "raced")
    run_study(race(600), tmp_path / "raced", tracking=False)  # which reads the trials again from the ledger
    more = load_optuna_study(tmp_path / "raced").trials
    assert len(more) > len(study.trials)
    for known, trial in zip(study.trials, more, strict=False):
        assert (known.datetime_start, known.datetime_complete) == (trial.datetime_start, trial.datetime_complete)
        assert known.intermediate_values == trial.intermediate_values
    assert all(trial.datetime_start is not None and trial.datetime_start > end for trial in more[len(study.trials) :])


def test_generations_have_rungs_and_times_of_their_own(tmp_path: Path) -> None:
    run_study(race(640, "budget=1..40", generations=2), tmp_path, tracking=False)
    rungs, trials = read_frame(tmp_path / RUNGS), read_frame(tmp_path / TRIALS)
    place = ["generation", "number"]
    last = rungs.sort_values([*place, "games"]).groupby(place).last()
    assert set(rungs["generation"]) == {0, 1}
    assert last.equals(trials.set_index(place)[["games", "value"]].sort_index())
    study = load_optuna_study(tmp_path)
    assert [trial.intermediate_values[trial.user_attrs["games"]] for trial in study.trials] == [
        trial.value for trial in study.trials
    ]
    starts = [trial.datetime_start for trial in study.trials if trial.datetime_start is not None]
    assert starts == sorted(starts)


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
        result = run_tag("tune", "export", folder, "--storage", path, "--name", "n")
        assert result.exit_code == 0, result.output
        assert result.output == f"30 trials, as study 'n' in '{path}'\n"
        assert json.loads(path.read_text().splitlines()[0])["study_name"] == "n"
        result = run_tag("tune", "export", tmp_path, "--storage", path)
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
