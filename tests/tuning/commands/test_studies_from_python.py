"""Studies from Python: the same as the command line plays, and what notebooks show of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from optuna.samplers import RandomSampler
from studies.invented import Invented

from tag.errors import UnknownNameError
from tag.tournaments import play
from tag.tournaments.reports.progress import Progress
from tag.tuning import balance, open_balance, open_study, tune

pytestmark = pytest.mark.flow

SEARCH: dict[str, Any] = {
    "versus": ["random"],
    "sampler": "random",
    "games_per_trial": 10,
    "games": 60,
    "validation": 40,
    "equal_time_games": 0,
}


def test_a_study_is_a_call(tmp_path: Path) -> None:
    quiet = {"tracking": False, "progress": Progress(), "out": tmp_path / "s"}
    found = tune("rmhc:budget=30", "tic_tac_toe", workers=Invented(), **SEARCH, **quiet)  # type: ignore[arg-type]
    assert found.complete
    assert found.recommended is not None
    assert found.recommended.startswith("rmhc:budget=30")
    assert repr(found).startswith("rmhc:budget=30 in tic_tac_toe")
    assert "<pre>" in found._repr_html_()
    assert len(found.figure().axes) == 1
    assert found.report().is_file()
    assert repr(open_study(found.folder)) == repr(found)
    longer = tune("rmhc:budget=30", "tic_tac_toe", workers=Invented(), **{**SEARCH, "games": 90}, **quiet)  # type: ignore[arg-type]
    assert longer.trials["games"].sum() > found.trials["games"].sum()


def test_samplers_of_optuna_are_taken(tmp_path: Path) -> None:
    found = tune(
        "rmhc:budget=30",
        "tic_tac_toe",
        workers=Invented(),
        tracking=False,
        progress=Progress(),
        out=tmp_path / "s",
        **{**SEARCH, "sampler": RandomSampler(seed=1)},
    )
    assert found.results.manifest.definition.sampler == "RandomSampler()"


def test_wrong_words_are_named() -> None:
    with pytest.raises(UnknownNameError, match=r"no argument of tune\(\) named 'opponents'"):
        tune("rmhc", "tic_tac_toe", games=100, opponents=["random"])
    with pytest.raises(UnknownNameError, match=r"no argument of balance\(\) named 'target'; did you mean 'targets'\?"):
        balance("tic_tac_toe", games=100, target=["draws<=0.05"])


def test_balancing_is_a_call(tmp_path: Path) -> None:
    found = balance(
        "tic_tac_toe",
        targets=["length=6±1"],
        agents=["random"],
        games=60,
        validation=40,
        sampler="random",
        workers=1,
        tracking=False,
        progress=Progress(),
        out=tmp_path / "b",
    )
    assert found.complete
    assert found.chosen is not None
    assert found.chosen.startswith("tic_tac_toe")
    assert repr(open_balance(found.folder)) == repr(found)
    assert found.report().is_file()
    (axes,) = found.figure().axes
    assert "length" in axes.get_ylabel()
    assert len(axes.lines[0].get_xdata()) == len(found.incumbents)
    assert {5.0, 7.0} <= {float(line.get_ydata()[0]) for line in axes.lines}  # the band


@pytest.mark.parametrize("progress", [False, True])
def test_progress_is_shown_unless_it_is_unwanted(
    progress: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options: dict[str, Any] = {"tracking": False, "progress": progress, "out": tmp_path / "s"}
    tune("rmhc:budget=30", "tic_tac_toe", workers=Invented(), **{**SEARCH, "validation": 0}, **options)
    assert bool(capsys.readouterr().err) == progress
    options["out"] = tmp_path / "b"
    wanted = {"targets": ["length=6±1"], "agents": ["random"], "sampler": "random"}
    balance("tic_tac_toe", games=40, validation=40, workers=1, **wanted, **options)  # type: ignore[arg-type]
    assert bool(capsys.readouterr().err) == progress
    options["out"] = tmp_path / "t"
    play("tic_tac_toe", ["random", "osla"], blocks=2, workers=1, **options)
    assert bool(capsys.readouterr().err) == progress
