"""The search of agents, and claims about agents that hardly search."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tag import make_game
from tag.orders import GameOrder, play_order
from tag.tournaments.results.analysis.claims import Verdict, claim_of_range, claims_table
from tag.tournaments.results.analysis.effort import SearchEffort, effort_table, judged, search_effort
from tag.tournaments.statistics.intervals import Interval, IntervalEstimate

CLAIM = claim_of_range("it pays", "+1", IntervalEstimate(1.0, Interval(0.5, 1.5)), 10, above=0.0)
ENOUGH = SearchEffort(100, 50.0, 0.05)
STARVED = SearchEffort(100, 50.0, 0.051)


@pytest.mark.parametrize("game", ["tic_tac_toe", "love_letter", "dots_and_boxes:width=2,height=2"])
def test_a_budget_of_iterations_is_what_is_found(game: str) -> None:
    """Each decision with a choice has so many iterations, and is starved just if it has more actions."""
    few, many = (
        search_effort(game, 2, f"mcts:budget={budget},budget_type=iterations,solver=false", games=2, seed=4)
        for budget in (3, 40)
    )
    assert (few.iterations, many.iterations) == (3, 40)
    assert many.starved == 0.0
    assert many.is_enough
    assert 0.0 < few.starved <= 1.0
    assert not few.is_enough


def test_only_decisions_with_a_choice_count() -> None:
    record = play_order(GameOrder("g", "tic_tac_toe", ("mcts:budget=50",) * 2, 1))
    assert search_effort("tic_tac_toe", 2, "mcts:budget=50", games=1, seed=1).decisions == sum(record.decisions)
    assert make_game("tic_tac_toe").game_type.min_players == 2


@pytest.mark.parametrize("agent", ["rhea:first_plans=random", "rmhc:first_plans=random"])
def test_evaluations_of_plans_are_iterations(agent: str) -> None:
    few, many = (
        search_effort("tic_tac_toe", 2, f"{agent},budget={budget},budget_type=iterations", games=2, seed=4)
        for budget in (2, 40)
    )
    assert (few.iterations, many.iterations) == (2, 40)
    assert (few.is_enough, many.starved) == (False, 0.0)


def test_one_step_look_ahead_has_an_evaluation_for_each_action() -> None:
    found = search_effort("tic_tac_toe", 2, "osla", games=1, seed=1)
    assert found.decisions > 0
    assert found.starved == 0.0


def test_agents_that_tell_no_iterations_have_no_decisions() -> None:
    assert search_effort("tic_tac_toe", 2, "random", games=1, seed=1) == SearchEffort(0, 0.0, 0.0)


def test_claims_about_agents_that_hardly_searched_are_not_judged() -> None:
    assert judged(CLAIM, [ENOUGH, ENOUGH]) == CLAIM
    assert CLAIM.verdict is Verdict.AGREES
    refused = judged(CLAIM, [ENOUGH, STARVED])
    assert refused == replace(CLAIM, verdict=Verdict.NOT_JUDGED)
    assert claims_table([refused])[-1].endswith("| *not judged* |")
    assert effort_table({"a": ENOUGH, "b": STARVED})[2:] == [
        "| a | 100 | 50 | 5.0% |",
        "| b | 100 | 50 | 5.1%, not judged |",
    ]
