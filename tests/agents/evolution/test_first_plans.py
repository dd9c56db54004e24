"""The plans with which a decision starts: random ones, or those that are best one step ahead."""

import pytest
from play.planning_games import CLIMB, DOORS, REST, WALKS, Corridor, Mountain, Raiders, decide, seated, trace

from tag import Budget, Rng, make_game
from tag.agents.evolution._plans import ANY

AGENTS = ["rhea", "rmhc"]
KINDS = ["forward_model_calls", "iterations", "copies"]


def in_play(game, moves, seed=1):
    """Return a game type and the position after some random moves."""
    model = make_game(game)
    rng = Rng(seed)
    state = model.setup(2, rng)
    for _ in range(moves):
        actions = model.available_actions(state)
        model.next(state, actions[rng.below(len(actions))], rng)
    return model, state


def deciding(spec, model, state, seed=1):
    """Return an agent in the middle of a decision."""
    agent = seated(spec, model, state, seed)
    agent.sim.budget.start()
    agent.evaluation.start_decision(state.copy(), agent.sim.available_actions(state))
    return agent


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize(("game", "moves"), [("connect_four", 6), ("othello", 9), ("dots_and_boxes", 20)])
def test_actions_are_valued_by_the_position_after_them(game, moves, agent):
    model, state = in_play(game, moves)
    player = state.current_player
    values = {}
    for action in model.available_actions(state):
        after = state.copy()
        model.next(after, action, Rng(1))
        assert len(model.available_actions(after)) > 1, "no forced steps here"
        values[action] = model.heuristic().value(after, player)
    found = deciding(f"{agent}:horizon=3,budget=500", model, state).evaluation.best_actions(5)
    assert [plan.fitness for plan in found] == sorted(values.values(), reverse=True)[:5]
    assert all(plan.fitness == values[plan.genes[0]] for plan in found)
    assert len({plan.genes[0] for plan in found}) == len(found) == 5
    assert all((plan.genes[1:], plan.used) == ([ANY, ANY], 1) for plan in found)


def test_forced_steps_are_taken_before_a_value():
    model = Corridor(steps=4)
    state = model.setup(1, Rng(1))
    found = deciding("rhea:heuristic=score,horizon=2", model, state).evaluation.best_actions(2)
    assert found[0].genes[0] is DOORS["stone"]
    assert [plan.fitness for plan in found] == [DOORS[door].gain + 4 * WALKS[door].gain for door in ("stone", "gold")]


def test_the_population_begins_with_the_best_actions():
    model, state = in_play("hex", 4)
    found = []
    for first in ("random", "one_step"):
        agent = deciding(f"rhea:first_plans={first},horizon=2,budget=5000", model, state)
        found.append({plan.genes[0] for plan in agent._first_generation()})
    values = deciding("rhea:budget=5000", model, state).evaluation.best_actions(1000)
    kth = values[9].fitness
    worth = {plan.genes[0]: plan.fitness for plan in values}
    assert len(found[1]) == 10
    assert all(worth[action] >= kth for action in found[1])
    assert not all(worth[action] >= kth for action in found[0])


@pytest.mark.parametrize("agent", AGENTS)
def test_a_budget_for_one_step_plays_what_is_best_after_it(agent):
    """As one-step look-ahead does: two iterations value both actions, and no plan is evaluated."""
    model = Mountain()
    state = model.setup(1, Rng(1))
    spec = f"{agent}:first_plans=one_step,heuristic=score,budget=2,budget_type=iterations,shift_buffer=true,horizon=4"
    players = [seated(spec, model, state, seed) for seed in range(10)]
    assert {decide(player, state) for player in players} == {REST}
    for player in players:
        told = player.statistics()
        assert (told["evaluations"], told["copies"], told["best_plan"], told["best_fitness"]) == (0, 2, ["rest"], 1.0)
        assert player.search_tree().children[0].action is REST
        player.sim.budget = Budget(60)
        assert decide(player, state) in (REST, CLIMB), "the plan that is kept has all its genes"
    one = [seated(spec.replace("budget=2", "budget=1"), model, state, seed) for seed in range(20)]
    assert {decide(player, state) for player in one} == {REST, CLIMB}, "actions are left out at random"


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("budget", [1, 2, 3, 7, 33, 100])
def test_looking_ahead_spends_no_more_than_the_budget(budget, kind, agent):
    spec = f"{agent}:first_plans=one_step,horizon=4,budget={budget},budget_type={kind},shift_buffer=true"
    heard = trace(Raiders(), [spec, spec], seed=3)
    assert {cost[KINDS.index(kind)] for cost in heard.costs} == {budget}


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("game", ["love_letter", "connect_four"])
def test_first_plans_change_play(game, agent):
    games = [
        trace(make_game(game), [f"{agent}:budget=60,horizon=3,first_plans={first}"] * 2, seed=1).actions
        for first in ("random", "one_step", "one_step")
    ]
    assert games[0] != games[1]
    assert games[1] == games[2]


@pytest.mark.parametrize("agent", ["rmhc", "rhea:first_plans=random", "rhea"])
def test_there_is_a_plan_also_where_the_time_ends_before_the_first(agent):
    """A clock may stand between the question whether time is left and the first plan."""
    model, state = in_play("nim", 1)
    ready = deciding(f"{agent}{',' if ':' in agent else ':'}budget=1", model, state)
    ready.sim.next(state.copy(), ready.sim.available_actions(state)[0])
    assert ready.sim.budget.is_spent()
    assert len(ready._first_generation()) == 1
