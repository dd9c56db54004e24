"""The same call with more games continues a study, also where defaults follow from the games."""

from __future__ import annotations

import shutil
from itertools import pairwise
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from commands import run_tag
from optuna.samplers import RandomSampler
from studies.interruptions import interrupt_after, ledgers
from studies.invented import Invented

from tag.errors import DataError
from tag.tournaments.ledger.games import read_records
from tag.tuning import balance, open_study, tune
from tag.tuning.study.definition import OF_SEVERAL, SAMPLERS

pytestmark = [pytest.mark.flow, pytest.mark.usefixtures("empty_pages")]

TUNED: dict[str, Any] = {"versus": ["random"], "search": ["horizon"], "validation": 0}
BALANCED: dict[str, Any] = {"targets": ["length=6±1"], "agents": ["random"], "validation": 40, "sampler": "random"}
QUIET: dict[str, Any] = {"tracking": False, "progress": False}


def tuned(games: int, pool: Invented | None = None, **options: Any) -> Any:
    return tune(
        "rmhc:budget=30", "tic_tac_toe", games=games, workers=pool or Invented(), **{**TUNED, **QUIET, **options}
    )


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
    monkeypatch.setattr("tag.tournaments.commands.settings.make_workers", lambda *_arguments, **_options: Invented())
    words = "tune rmhc:budget=30 --game tic_tac_toe --versus random --search horizon --sampler random --validation 0"
    for games in (60, 300):
        found = run_tag(*words.split(), "--games", games, "--no-tracking", "--quiet")
        assert found.exit_code == 0, found.output
    (folder,) = Path("studies").iterdir()
    assert open_study(folder).trials["games"].sum() > 60


#: Of each sampler what it is told; only those that know several objectives search two.
SEARCHES = [
    *((sampler, "win_rate") for sampler in SAMPLERS if sampler != "auto"),
    ("bgp", "ordinal"),
    *((sampler, "win_rate,ordinal") for sampler in OF_SEVERAL),
]
#: Those of which each sampler of ours, one of Optuna's, and one of several objectives are played in every run.
QUICK = [
    ("ntbea", "win_rate"),
    ("bgp", "win_rate"),
    ("tpe", "win_rate"),
    ("grid", "win_rate"),
    ("nsgaii", "win_rate,ordinal"),
]


def state(folder: Path) -> dict[str, Any]:
    """Return what a study has come to: the bytes of its tables and its verdict, and the games of its ledger."""
    files = ("study.json", "trials.parquet", "incumbents.parquet", "recommendation.json")
    return {**{name: (folder / name).read_bytes() for name in files}, "ledger": ledgers(folder)}


def is_beginning(part: pd.DataFrame, whole: pd.DataFrame) -> bool:
    return len(part) < len(whole) and part.equals(whole.iloc[: len(part)][part.columns].astype(part.dtypes))


@pytest.mark.parametrize(
    ("sampler", "objective"),
    [pytest.param(*search, marks=[] if search in QUICK else [pytest.mark.slow]) for search in SEARCHES],
)
def test_a_longer_study_begins_with_all_of_the_shorter(
    sampler: str, objective: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is its own interrupted and resumed self byte for byte, also across the budget from which NTBEA explores more."""
    monkeypatch.setattr("tag.tuning.samplers._GAMES_FOR_A_PROCESS", 50)
    options = {"sampler": sampler, "objective": objective, "games_per_trial": 2, "live": 3}
    options |= {} if sampler == "grid" else {"search": ["horizon", "discount"]}
    first = tuned(40, out="s", **options)
    shutil.copytree("s", "t")
    longer = tuned(64, out="s", **options)
    assert is_beginning(first.trials, longer.trials)
    assert is_beginning(first.incumbents, longer.incumbents)
    assert longer.results.manifest.definition.earlier == (40,)
    pool = Invented()
    pool.before_each = interrupt_after(12)
    assert not tuned(64, out="t", pool=pool, **options).complete
    tuned(64, out="t", **options)
    assert state(Path("s")) == state(Path("t"))


@pytest.mark.parametrize("sampler", ["tpe", "bgp"])
def test_a_longer_race_begins_with_all_of_the_shorter(sampler: str) -> None:
    """Also twice, and with trials that were in play when the first budget ended."""
    options = {"sampler": sampler, "games_per_trial": 40, "live": 5, "out": "s"}
    runs = [tuned(games, **options) for games in (800, 1_000, 1_400)]
    assert (runs[-1].trials["state"] == "dropped").any()
    for shorter, longer in pairwise(runs):
        assert is_beginning(shorter.trials, longer.trials)
        assert is_beginning(shorter.incumbents, longer.incumbents)
    assert runs[-1].results.manifest.definition.budgets == (800, 1_000, 1_400)


def test_a_longer_balancing_study_begins_with_all_of_the_shorter() -> None:
    for sampler in ("bands", "nsgaii", "tpe"):
        options = {**BALANCED, "sampler": sampler, "out": sampler, "pareto": sampler != "bands", "games_per_trial": 10}
        first, longer = (
            balance("tic_tac_toe", games=games, workers=Invented(), **options, **QUIET) for games in (100, 160)
        )
        assert is_beginning(first.trials, longer.trials)
        assert is_beginning(first.incumbents, longer.incumbents)


def test_a_complete_study_is_only_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before, the whole search was retraced."""
    first = tuned(100, out="s", sampler="bgp", games_per_trial=10)
    before = state(Path("s"))

    def no_search(*_arguments: object) -> None:
        raise AssertionError

    monkeypatch.setattr("tag.tuning.search.search.Search.run", no_search)
    pool = Invented()
    again = tuned(100, out="s", sampler="bgp", games_per_trial=10, pool=pool)
    assert again.complete
    assert not pool.games
    assert again.trials.equals(first.trials)
    assert state(Path("s")) == before
    Path("s/report.html").unlink()  # as if it had been killed before it wrote that
    tuned(100, out="s", sampler="bgp", games_per_trial=10)
    assert Path("s/report.html").is_file()
