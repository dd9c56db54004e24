"""Each option of a study changes what it comes to, or is refused where it would change nothing."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from optuna.pruners import MedianPruner
from studies.interruptions import ledgers
from studies.invented import Invented

from tag.errors import ParameterError
from tag.tuning.agent.defining import define_study
from tag.tuning.agent.options import StudyOptions
from tag.tuning.agent.problem import why_none_is_pruned
from tag.tuning.run import run_study, with_objects
from tag.tuning.samplers.users_code import UsersObjects

pytestmark = pytest.mark.flow

BASE: dict[str, Any] = {"games": 100, "versus": ("osla",), "search": ("horizon", "discount"), "validation": 0}
VALIDATED: dict[str, Any] = {"games": 200, "validation": 40}
RACE: dict[str, Any] = {"games": 1_000, "games_per_trial": 40, "sampler": "random"}
TWO: dict[str, Any] = {"versus": ("osla", "random"), "games": 160}

#: A value of each option that changes a study, and other options beside which it does.
EFFECTS: dict[str, tuple[Any, dict[str, Any]]] = {
    "games": (120, {}),
    "players": (3, {"game": "love_letter", "players": 2}),
    "search": (("horizon",), {}),
    "held_out": (("random",), VALIDATED),
    "sampler": ("random", {}),
    "games_per_trial": (4, {}),
    "live": (3, {}),
    "seed": (2, {}),
    "enqueue": (("rmhc:horizon=9",), {}),
    "versus": (("random",), {}),
    "generations": (2, {"versus": ("incumbent",), "generations": 4}),
    "objective": ("ordinal", {"game": "love_letter", "players": 4}),
    "panel": ("minimum", TWO),
    "across": ("worst", {"game": ("tic_tac_toe", "nim"), "games": 200}),
    "portfolio": (2, {"game": ("tic_tac_toe", "nim"), "games": 200, "validation": 40}),
    "decision_ms_limit": (0.5, {}),
    "race": (False, RACE),
    "validation": (0, VALIDATED),
    "warm_start": ((), {}),
}
#: Options whose effect another test shows, as invented games cannot.
ELSEWHERE = {
    "equal_time_games": "tests/tuning/search/test_equal_time.py, as it needs measured times",
    "opening": "tests/tuning/run/test_openings_of_studies.py, as invented games begin nowhere",
    "metrics": "tests/tuning/run/test_tune.py, as only played games are measured",
}


Outcome = tuple[str, str, list[str]]


def outcome(folder: Path, **options: Any) -> Outcome:
    """Return trials, verdict and games of a study with invented games."""
    said = {**BASE, **options}
    game = said.pop("game", "tic_tac_toe")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.modules[run_study.__module__], "write_report", lambda results: None)
        results = run_study(define_study("rmhc", game, **said), folder, tracking=False, workers=Invented())
    assert results.recommendation is not None
    verdict = {name: one for name, one in results.recommendation.items() if name != "study"}
    return str(results.trials.to_json()), json.dumps(verdict), ledgers(folder)


def test_all_options_are_here() -> None:
    assert {*EFFECTS, *ELSEWHERE} == {option.name for option in fields(StudyOptions)}


@pytest.fixture(scope="module")
def without(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Outcome]:
    """What returns the outcome of a study of `BASE` and other options, played once for all tests."""
    known: dict[str, Outcome] = {}

    def of(**options: Any) -> Outcome:
        key = repr(options)
        if key not in known:
            known[key] = outcome(tmp_path_factory.mktemp("without"), **options)
        return known[key]

    return of


@pytest.mark.parametrize("name", EFFECTS)
def test_an_option_changes_a_study(name: str, without: Callable[..., Outcome], tmp_path: Path) -> None:
    value, beside = EFFECTS[name]
    if name == "warm_start":
        outcome(tmp_path / "earlier", seed=5)
        value = (str(tmp_path / "earlier"),)
    assert without(**beside) != outcome(tmp_path / "b", **{**beside, name: value})


@pytest.mark.parametrize("panel", ["minimum", "soft_minimum"])
@pytest.mark.parametrize("games", [60, 400, 1_400, 3_000])
def test_a_panel_gives_every_trial_games_against_all(panel: str, games: int) -> None:
    """Before, single games were played below 1,500, each against one opponent, whose minimum is no other than the mean."""
    definition = define_study(
        "rmhc", "tic_tac_toe", **{**BASE, "games": games, "versus": ("osla", "random"), "panel": panel}
    )
    assert definition.games_per_trial % definition.round_games == 0
    assert games // definition.games_per_trial >= 15
    assert definition.sampler == "bgp"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"panel": "minimum"}, "panel cannot be 'minimum' against fewer than two opponents"),
        ({"panel": "soft_minimum", "versus": ("incumbent",)}, "panel cannot be 'soft_minimum' against fewer than two"),
        (
            {"panel": "minimum", "versus": ("osla", "random"), "games_per_trial": 3},
            "games_per_trial cannot be 3 with panel 'minimum'.*the least is 4",
        ),
        (
            {"equal_time_games": 100, "validation": 100, "agent": "rmhc:budget_type=cpu_ms,budget=5"},
            "equal_time_games cannot be 100: the budget is time already; leave it out",
        ),
    ],
)
def test_an_option_without_effect_is_refused(changes: dict[str, Any], sentence: str) -> None:
    said = {**BASE, **changes}
    agent = said.pop("agent", "rmhc")
    with pytest.raises(ParameterError, match=sentence):
        define_study(agent, "tic_tac_toe", **said)


@pytest.mark.parametrize(
    ("games", "per_trial", "why"), [(100, 2, "trials of 16 games or more"), (1_600, 8, "trials of 16 games or more")]
)
def test_a_race_that_cannot_prune_says_why(games: int, per_trial: int, why: str) -> None:
    definition = define_study("rmhc", "tic_tac_toe", **{**BASE, "games": games, "games_per_trial": per_trial})
    assert why in why_none_is_pruned(definition)
    with pytest.raises(ParameterError, match=why):
        with_objects(definition, UsersObjects(pruner=MedianPruner()))
    least = define_study("rmhc", "tic_tac_toe", **{**BASE, "games": games, "games_per_trial": 16})
    assert not why_none_is_pruned(least)


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("versus", [("osla",), ("osla", "random", "rmhc")])
def test_the_least_trial_that_can_be_pruned_is_named(players: int, versus: tuple[str, ...]) -> None:
    said = {**BASE, "versus": versus, "players": players, "games": 2_000}
    short = define_study("rmhc", "love_letter", **said, games_per_trial=players * len(versus))
    least = int(why_none_is_pruned(short).split("trials of ")[1].split()[0])
    assert least % short.round_games == 0
    assert not why_none_is_pruned(define_study("rmhc", "love_letter", **said, games_per_trial=least))
    assert why_none_is_pruned(define_study("rmhc", "love_letter", **said, games_per_trial=least - 1))
