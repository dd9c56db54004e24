"""The same call with more games continues a study, also where defaults follow from the games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from invented import Invented
from optuna.samplers import RandomSampler

from tag.cli import main
from tag.errors import DataError
from tournaments.ledger.games import read_records
from tuning import balance, open_study, tune

TUNED: dict[str, Any] = {"versus": ["random"], "search": ["horizon"], "validation": 0}
BALANCED: dict[str, Any] = {"targets": ["length=6±1"], "agents": ["random"], "validation": 40, "sampler": "random"}
QUIET: dict[str, Any] = {"tracking": False, "progress": False}


def tuned(games: int, **options: Any) -> Any:
    return tune("rmhc:budget=30", "tic_tac_toe", games=games, workers=Invented(), **TUNED, **QUIET, **options)


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def check_grown(first: Any, played: set[Any], longer: Any) -> None:
    """Check that a study has more games now, and all of those ``played`` before."""
    assert longer.folder == first.folder
    assert longer.trials["games"].sum() > first.trials["games"].sum()
    assert played < set(games_in(longer))


def games_in(run: Any) -> dict[Any, Any]:
    return dict(read_records(run.folder / "search"))


@pytest.mark.parametrize(("out", "sampler"), [("", "auto"), ("s", "random")])
def test_a_study_grows(out: str, sampler: str) -> None:
    first = tuned(60, out=out, sampler=sampler)
    before, played = first.results.manifest.definition, set(games_in(first))
    longer = tuned(500, out=out, sampler=sampler)  # the automatic sampler would be another one now
    after = longer.results.manifest.definition
    assert (after.sampler, after.games_per_trial) == (before.sampler, before.games_per_trial)
    check_grown(first, played, longer)


def test_a_balancing_study_grows() -> None:
    first, longer = (
        balance("tic_tac_toe", games=games, workers=Invented(), **BALANCED, **QUIET) for games in (60, 1_200)
    )
    assert longer.folder == first.folder
    assert longer.results.manifest.definition.games_per_trial == first.results.manifest.definition.games_per_trial
    assert longer.trials["games"].sum() > first.trials["games"].sum()


def test_a_study_with_an_object_grows_in_its_folder() -> None:
    first = tuned(100, out="s", sampler=RandomSampler(seed=1))
    played = set(games_in(first))
    check_grown(first, played, tuned(300, out="s", sampler=RandomSampler(seed=1)))


def test_fewer_games_and_other_names_begin_another_study() -> None:
    first = tuned(200, sampler="random")
    assert tuned(60, sampler="random").folder != first.folder
    assert tuned(400, sampler="random", seed=2).folder != first.folder
    assert tuned(400, sampler="random", games_per_trial=12).folder != first.folder


def test_a_value_that_is_named_is_not_replaced() -> None:
    tuned(200, out="s", sampler="random")
    with pytest.raises(DataError, match="games_per_trial is 10 there, not 30"):
        tuned(200, out="s", sampler="random", games_per_trial=30)
    with pytest.raises(DataError, match='sampler is "random" there, not "tpe"'):
        tuned(200, out="s", sampler="tpe")


def test_a_command_grows_a_study(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.commands.settings.make_workers", lambda *_arguments, **_options: Invented())
    words = "tune rmhc:budget=30 --game tic_tac_toe --versus random --search horizon --sampler random --validation 0"
    for games in (60, 300):
        found = CliRunner().invoke(main, [*words.split(), "--games", str(games), "--no-tracking", "--quiet"])
        assert found.exit_code == 0, found.output
    (folder,) = Path("studies").iterdir()
    assert open_study(folder).trials["games"].sum() > 60
