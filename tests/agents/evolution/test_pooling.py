"""Pooled estimates of plans: what they are, and that agents value chance by them."""

from hashlib import blake2b

import pytest
from play.planning_games import (
    CLIMB,
    REST,
    SURE,
    Bandit,
    Fusion,
    Mountain,
    Raiders,
    decide,
    seated,
    sure_choices,
    trace,
)

from tag import Rng, make_game
from tag.agents.evolution._plans import Individual, PlanEstimates

GAMES = [Bandit(), Fusion()]
THESIS = "pooling=0,determinisation=one,horizon=10,discount=0.9,first_plans=random"


def plan(first, *values):
    """Return a plan that begins with an action, with its evaluations counted nowhere yet, and their values."""
    return Individual([first, REST]), values


def counted(weight, *plans):
    """Return the estimates of plans, and these, after their evaluations."""
    estimates = PlanEstimates(weight)
    for individual, values in plans:
        for value in values:
            estimates.add(individual, value)
    return estimates, [individual for individual, _values in plans]


# --- estimates ------------------------------------------------------------------------------------------------------


def test_an_estimate_is_shrunk_to_the_mean_of_all_plans_with_the_same_first_action():
    estimates, plans = counted(2.0, plan(REST, 1.0), plan(REST, -0.5, 0.1), plan(CLIMB, 0.4))
    mean_of_all = (1.0 - 0.5 + 0.1 + 0.4) / 4
    mean_of_rest = (1.0 - 0.5 + 0.1 + mean_of_all) / 4
    mean_of_climb = (0.4 + mean_of_all) / 2
    estimates.rank(ranked := plans[:])
    assert plans[0].fitness == pytest.approx((1.0 + 2 * mean_of_rest) / 3)
    assert plans[1].fitness == pytest.approx((-0.4 + 2 * mean_of_rest) / 4)
    assert plans[2].fitness == pytest.approx((0.4 + 2 * mean_of_climb) / 3)
    assert ranked == [plans[0], plans[2], plans[1]]
    assert [estimates.value(first) for first in (REST, CLIMB, SURE)] == [
        pytest.approx(mean_of_rest),
        pytest.approx(mean_of_climb),
        None,
    ]
    assert [estimates.visits(first) for first in (REST, CLIMB, SURE)] == [3, 1, 0]


def test_without_pooling_plans_are_worth_their_own_values():
    estimates, plans = counted(0.0, plan(REST, 1.0), plan(REST, -0.5), plan(CLIMB, 0.4))
    estimates.rank(plans)
    assert [one.fitness for one in plans] == [1.0, 0.4, -0.5]
    assert [estimates.value(first) for first in (REST, CLIMB)] == [1.0, 0.4]


def test_later_evaluations_change_the_estimates_of_earlier_plans():
    estimates, plans = counted(5.0, plan(REST, 0.5), plan(CLIMB, 0.4))
    estimates.rank(plans)
    assert plans[0].genes[0] is REST
    for _ in range(5):
        estimates.add(Individual([REST, REST]), -1.0)
    estimates.rank(plans)
    assert plans[0].genes[0] is CLIMB


def test_a_decision_forgets_the_evaluations_of_the_last():
    estimates, _plans = counted(5.0, plan(REST, 1.0))
    estimates.start_decision()
    fresh = Individual([REST])
    estimates.add(fresh, -1.0)
    estimates.rank([fresh])
    assert fresh.fitness == -1.0


def test_an_evaluation_that_the_budget_cuts_short_counts_only_if_it_is_the_first():
    model = Mountain()
    state = model.setup(1, Rng(1))
    agent = seated("rhea:heuristic=score,horizon=5,first_plans=random,budget=7", model, state)
    decide(agent, state)
    assert agent.statistics()["evaluations"] == 2
    assert sum(row["visits"] for row in agent.statistics()["actions"]) == 1


@pytest.mark.parametrize("agent", ["rhea", "rmhc"])
def test_shifted_plans_begin_without_values(agent):
    model = Mountain()
    state = model.setup(1, Rng(1))
    player = seated(f"{agent}:shift_buffer=true,heuristic=score,horizon=4,budget=60", model, state)
    for _ in range(2):
        decide(player, state)
        assert sum(row["visits"] for row in player.statistics()["actions"]) in (
            player.statistics()["evaluations"],
            player.statistics()["evaluations"] - 1,
        )


# --- agents ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", GAMES, ids=lambda model: model.game_type.title)
@pytest.mark.parametrize("agent", ["rhea", "rmhc"])
def test_what_is_best_on_average_is_chosen(agent, model):
    assert sure_choices(f"{agent}:budget=100", model, 20) >= 19
    assert sure_choices(f"{agent}:budget=100,{THESIS}", model, 20) <= 1


@pytest.mark.heavy
@pytest.mark.parametrize(("budget", "least"), [(100, 95), (1000, 99)])
@pytest.mark.parametrize("model", GAMES, ids=lambda model: model.game_type.title)
@pytest.mark.parametrize("agent", ["rhea", "rmhc"])
def test_what_is_best_on_average_is_chosen_nearly_always(agent, model, budget, least):
    assert sure_choices(f"{agent}:budget={budget}", model, 100) >= least


@pytest.mark.parametrize("agent", ["rhea", "rmhc"])
@pytest.mark.parametrize("game", ["love_letter", "connect_four"])
def test_pooling_changes_play(agent, game):
    games = [
        trace(make_game(game), [f"{agent}:budget=60,horizon=3,pooling={weight}"] * 2, seed=1).actions
        for weight in (0, 5, 5)
    ]
    assert games[0] != games[1]
    assert games[1] == games[2]


@pytest.mark.flow
@pytest.mark.parametrize(
    ("spec", "played"),
    [
        ("rhea:budget=60", "834b642ce8193de2"),
        ("rhea:budget=60,shift_buffer=true,fitness=final,selection=roulette", "2acf41212c07978a"),
        ("rmhc:budget=60", "b1c4cd2b5c5de505"),
        ("rmhc:budget=60,shift_buffer=true,fitness=final", "5b15fe7f8d744ac7"),
    ],
)
def test_without_pooling_and_with_one_deal_the_thesis_algorithm_plays(spec, played):
    """The digests are of games that were played before plans had estimates."""
    games = [
        [
            repr((type(action).__name__, action.key()))
            for action in trace(Raiders(), [f"{spec},{THESIS}"] * 3, seed).actions
        ]
        for seed in range(12)
    ]
    assert blake2b(repr(games).encode(), digest_size=8).hexdigest() == played
