"""Random mutation hill climbing."""

import pytest
from play.planning_games import CLIMB, REST, Mountain, Raiders, decide, seated, trace, wins_and_draws

from tag import Rng, make_game
from tag.agents.evolution._operators import open_tail
from tag.agents.evolution._plans import ANY, Individual


def test_mutation_opens_everything_from_a_random_gene_on():
    genes = [REST] * 6
    rng = Rng(1)
    starts = []
    for _ in range(4000):
        tail = open_tail(genes, 4, rng)
        starts.append(tail.index(ANY))
        assert tail == [REST] * starts[-1] + [ANY] * (6 - starts[-1])
    assert genes == [REST] * 6
    assert set(starts) == {0, 1, 2, 3}
    assert all(880 < starts.count(start) < 1120 for start in range(4))


def ready(spec="rmhc:heuristic=score,horizon=5,fitness=final", seed=1):
    """Return an agent on the mountain, in the middle of a decision."""
    model = Mountain()
    state = model.setup(1, Rng(1))
    agent = seated(spec, model, state, seed)
    agent.sim.budget.start()
    agent.evaluation.start_decision(state, agent.sim.available_actions(state))
    return agent


def test_keeps_a_plan_that_is_not_worse():
    agent = ready()
    worse, equal = 0, 0
    for _ in range(200):
        parent = Individual([REST, CLIMB, REST, CLIMB, REST])
        agent.evaluation.evaluate(parent)
        (survivor,) = agent.next_generation([parent])
        assert survivor.fitness >= parent.fitness
        worse += survivor is parent
        equal += survivor is not parent and survivor.fitness == parent.fitness
    assert worse > 0
    assert equal > 0


def test_keeps_the_one_plan_when_the_budget_cuts_its_mutant_short():
    agent = ready("rmhc:heuristic=score,horizon=5,budget=7")
    parent = Individual([REST] * 5)
    agent.evaluation.evaluate(parent)
    assert agent.next_generation([parent]) == [parent]
    assert agent.sim.budget.forward_model_calls == 7


def test_climbs_the_mountain():
    model = Mountain()
    heard = trace(model, ["rmhc:heuristic=score,horizon=5,fitness=final,shift_buffer=true"], seed=2)
    assert [str(action) for action in heard.actions] == ["climb"] * 5


def test_a_generation_is_an_evaluation():
    agent = ready("rmhc:heuristic=score,budget=100,budget_type=iterations")
    decide(agent, agent.sim.model.setup(1, Rng(1)))
    assert agent.statistics()["evaluations"] == 100
    assert agent.statistics()["generations"] == 99


@pytest.mark.parametrize("budget", [1, 2, 3, 7, 20, 101])
@pytest.mark.parametrize("determinisation", ["one", "each"])
def test_spends_exactly_its_budget(budget, determinisation):
    spec = f"rmhc:budget={budget},determinisation={determinisation}"
    heard = trace(Raiders(), [spec] * 3, seed=3)
    assert {cost[0] for cost in heard.costs} == {budget}


def test_the_seed_decides():
    traces = [trace(Raiders(), ["rmhc:budget=60"] * 4, seed).actions for seed in (1, 1, 2, 3, 4)]
    assert traces[0] == traces[1]
    assert any(actions != traces[0] for actions in traces[2:])


def test_beats_random_at_tic_tac_toe():
    wins, draws = wins_and_draws(make_game("tic_tac_toe"), "rmhc:budget=200", "random", 60)
    assert wins + draws / 2 > 42
