"""Studies against the incumbent, with several objectives, under a time limit, and with what earlier ones found out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tag.errors import DataError, ParameterError
from tag.tournaments import define, read_ledger, run_tournament
from tag.tuning.agent.defining import define_study
from tag.tuning.agent.definition import StudyDefinition
from tag.tuning.reports.results import StudyResults, posterior_of, read_study
from tag.tuning.run import run_study

pytestmark = [pytest.mark.flow, pytest.mark.usefixtures("empty_pages")]

AGENT = "rhea:budget=20"
SEARCH = ("horizon=1..12", "population_size")


def defined(**changes: Any) -> StudyDefinition:
    settings: dict[str, Any] = {
        "games": 64,
        "games_per_trial": 8,
        "search": SEARCH,
        "versus": ("random",),
        "validation": 0,
        "sampler": "random",
        "live": 4,
    }
    return define_study(AGENT, "tic_tac_toe", **{**settings, **changes})


def played(out: Path, **changes: Any) -> StudyResults:
    return run_study(defined(**changes), out, tracking=False)


def is_the_best_by_the_model(results: StudyResults) -> bool:
    """Whether nothing that was tried is better than what is recommended, of all that the study knows."""
    posterior, candidate = posterior_of(results), results.recommendation["candidate"]
    best = posterior.means([posterior.space.configuration(posterior.best(1)[0].spec)])[0]
    return candidate["value"] == pytest.approx(
        posterior.means([posterior.space.configuration(candidate["spec"])])[0]
    ) and (candidate["value"] >= best - 1e-9)


def test_self_play_meets_the_default_first_and_then_what_was_recommended(tmp_path):
    results = played(tmp_path / "s", versus=("incumbent",), generations=2, validation=20, games=208)
    trials = results.trials
    assert sorted(set(trials["generation"])) == [0, 1]
    first = results.incumbents[results.incumbents["generation"] == 0].iloc[-1]
    assert len(trials) == 26 + (first["spec"] == AGENT)  # the default plays half as many games against itself
    second = trials[trials["generation"] == 1]
    assert second["spec"].iloc[0] == AGENT
    assert first["spec"] in set(second["spec"])
    assert results.recommendation is not None
    validation = results.recommendation["validation"]
    assert (validation is None) == (results.recommendation["candidate"]["spec"] == AGENT)


def test_the_folder_of_a_tournament_stands_for_its_agents_each_once(tmp_path):
    agents = ("random", "osla:budget=20", "random")
    run_tournament(define("tic_tac_toe", agents, blocks=1), tmp_path, tracking=False)
    assert defined(versus=(str(tmp_path),)).versus == ("random", "osla:budget=20")
    with pytest.raises(ParameterError, match="versus cannot name 'random' twice"):
        defined(versus=(str(tmp_path), "random"))


def test_an_agent_that_meets_itself_has_its_share(tmp_path):
    trials = played(tmp_path / "s", versus=(AGENT,), objective="points").trials
    assert trials["spec"].iloc[0] == AGENT
    assert trials["value"].iloc[0] == 0.5
    _games, seats = read_ledger(tmp_path / "s" / "search")
    assert set(seats.loc[seats["agent"] == AGENT, "agent_index"]) == {0, 1}  # as the opponent, and as what is tuned


def test_two_objectives_are_told_and_the_first_decides(tmp_path):
    results = played(tmp_path / "s", sampler="auto", objective="win_rate,decision_ms")
    assert results.manifest.definition.sampler == "tpe"
    assert (results.trials["value_2"] > 0.0).all()
    assert results.trials["value"].between(0.0, 1.0).all()
    assert results.recommendation is not None
    assert is_the_best_by_the_model(results)


def test_who_takes_too_long_has_lost(tmp_path):
    assert (played(tmp_path / "s", decision_ms_limit=1e-6).trials["value"] == 0.0).all()
    assert (played(tmp_path / "t", decision_ms_limit=1e6).trials["value"] > 0.0).any()


def test_what_earlier_studies_found_out_is_known(tmp_path):
    earlier = played(tmp_path / "earlier")
    narrow = played(tmp_path / "narrow", search=("horizon=1..3", "population_size"), seed=2)
    folders = (str(tmp_path / "earlier"), str(tmp_path / "narrow"))
    later = played(tmp_path / "later", warm_start=folders, games=8, seed=3)
    assert later.recommendation is not None
    assert later.recommendation["candidate"]["spec"] not in set(later.trials["spec"])
    assert is_the_best_by_the_model(later)
    known = set(earlier.trials["spec"]) | set(narrow.trials["spec"])
    from tag.tuning.agent.warm_start import read_known_trials

    assert {trial.spec for trial in read_known_trials(tmp_path / "later")} == known


def test_the_copy_counts_once_a_study_has_begun(tmp_path):
    played(tmp_path / "earlier")
    settings: dict[str, Any] = {"warm_start": (str(tmp_path / "earlier"),), "seed": 2}
    once = played(tmp_path / "later", **settings)
    (tmp_path / "earlier" / "trials.parquet").unlink()
    again = played(tmp_path / "later", **settings)
    assert again.trials.equals(once.trials)
    assert again.recommendation == once.recommendation


def test_values_that_mean_something_else_do_not_carry_over(tmp_path):
    played(tmp_path / "earlier")
    warm = (str(tmp_path / "earlier"),)
    with pytest.raises(DataError, match=r"its objective is 'win_rate', not 'points'"):
        played(tmp_path / "later", warm_start=warm, objective="points")
    with pytest.raises(DataError, match="holds no study"):
        played(tmp_path / "later", warm_start=(str(tmp_path / "nowhere"),))
    assert not (tmp_path / "later").exists()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"versus": ("incumbent", "osla")}, "versus cannot be 'incumbent' beside other opponents"),
        ({"generations": 3}, "generations cannot be 3; they are for --versus incumbent"),
        ({"versus": ("incumbent",), "generations": 20}, "a generation has 3, and one configuration plays 8"),
        ({"objective": "win_rate,decision_ms", "sampler": "bgp"}, "the sampler 'bgp' knows one objective"),
        ({"objective": "ordinal", "decision_ms_limit": 1.0}, "needs an objective that can be lost"),
        ({"objective": "win_rate,win_rate"}, "cannot name 'win_rate' twice"),
    ],
)
def test_what_makes_no_sense_is_refused(changes, message):
    with pytest.raises(ParameterError, match=message):
        defined(**changes)


def test_a_team_has_no_incumbent():
    with pytest.raises(ParameterError, match="versus cannot be 'incumbent' in a co-operative game"):
        define_study("rhea", "pandemic", games=100, versus=("incumbent",))


def test_results_are_read_back(tmp_path):
    results = played(tmp_path / "s")
    again = read_study(tmp_path / "s")
    assert again.trials.equals(results.trials)
    assert again.recommendation == results.recommendation
