"""One step look ahead."""

import pytest
from play.planning_games import (
    DICE,
    DOORS,
    HOLD,
    Bandit,
    Corridor,
    Die,
    Fusion,
    Mountain,
    Raiders,
    decide,
    seated,
    sure_choices,
    trace,
    wins_and_draws,
)

from tag import Rng, TagError, make_agent, make_game


def tic_tac_toe(*cells):
    """Return the game and its position after the moves."""
    model = make_game("tic_tac_toe")
    state = model.setup(2, Rng(1))
    for cell in cells:
        model.next(state, model.marks[cell], Rng(1))
    return model, state


def raiders(n_players=3, numbers=(0, 0, 0)):
    """Return the game and a position in which the first player is not forced."""
    model = Raiders()
    state = model.setup(n_players, Rng(1))
    state.numbers = list(numbers)
    return model, state


@pytest.mark.parametrize("seed", range(5))
def test_takes_a_winning_move(seed):
    model, state = tic_tac_toe(0, 3, 1, 4)
    assert decide(seated("osla", model, state, seed), state) is model.marks[2]


def test_values_the_position_after_forced_steps():
    model = Corridor()
    state = model.setup(1, Rng(1))
    assert decide(seated("osla:heuristic=score", model, state), state) is DOORS["stone"]


def test_forced_steps_of_others_count_too():
    model = Corridor()
    state = model.setup(2, Rng(1))
    assert decide(seated("osla:heuristic=score", model, state), state) is DOORS["stone"]


def test_an_endless_corridor_is_left_after_a_hundred_forced_steps():
    model = Corridor(10_000)
    state = model.setup(1, Rng(1))
    agent = seated("osla:heuristic=score", model, state)
    assert decide(agent, state) is DOORS["stone"]
    assert agent.sim.budget.forward_model_calls == 2 * 101


def test_sees_one_step_only():
    model = Mountain()
    state = model.setup(1, Rng(1))
    assert str(decide(seated("osla:heuristic=score", model, state), state)) == "rest"


def test_ties_are_broken_evenly_by_the_stream():
    model, state = tic_tac_toe()
    agent = seated("osla:heuristic=win", model, state)
    drawn = [model.marks.index(decide(agent, state)) for _ in range(900)]
    assert all(60 <= drawn.count(cell) <= 140 for cell in range(9))


def test_ties_among_some_of_the_actions_are_broken_evenly_too():
    model, state = tic_tac_toe(4, 1, 5, 2)  # the first player wins with 3 only; with 0, the second
    model.next(state, model.marks[8], Rng(1))  # now 0 and 3 win for the first player
    state.current_player = state.turn_player = 0
    agent = seated("osla:heuristic=win", model, state)
    drawn = [model.marks.index(decide(agent, state)) for _ in range(900)]
    assert set(drawn) == {0, 3}
    assert 390 <= drawn.count(0) <= 510


@pytest.mark.parametrize("budget", [1, 7, 40])
def test_forced_steps_stop_with_the_budget(budget):
    model = Corridor(30)
    state = model.setup(1, Rng(1))
    agent = seated(f"osla:heuristic=score,budget={budget}", model, state)
    decide(agent, state)
    assert agent.sim.budget.forward_model_calls == budget


@pytest.mark.parametrize("seed", range(4))
def test_the_last_copy_is_followed_through_its_forced_steps(seed):
    model = Corridor()
    state = model.setup(1, Rng(1))
    agent = seated("osla:heuristic=score,budget=2,budget_type=copies", model, state, seed)
    assert decide(agent, state) is DOORS["stone"]


def test_many_samples_average_over_what_is_hidden():
    model, state = raiders()
    sure_of_its_deal = seated("osla", model, state)
    assert str(decide(sure_of_its_deal, state)).startswith("Raid")
    careful = seated("osla:samples=60,budget=1000000", model, state)
    assert decide(careful, state) is HOLD
    assert careful.statistics()["samples"] == 60
    assert careful.statistics()["best_value"] == 0.0


@pytest.mark.parametrize("model", [Bandit(), Fusion()], ids=lambda model: model.game_type.title)
def test_many_samples_find_what_is_best_on_average(model):
    assert sure_choices("osla:samples=100", model, 100) >= 95
    assert sure_choices("osla", model, 100) <= 80


@pytest.mark.parametrize("samples", [2, 3])
def test_all_actions_have_the_luck_of_a_sample(samples):
    model = Die()
    state = model.setup(1, Rng(1))
    chosen = [decide(seated(f"osla:samples={samples}", model, state, seed), state) for seed in range(50)]
    assert set(chosen) == {DICE[-1]}


def test_samples_differ_in_their_luck():
    model = Die()
    state = model.setup(1, Rng(1))
    values = []
    for seed in range(30):
        agent = seated("osla:samples=300", model, state, seed)
        decide(agent, state)
        values.append(agent.statistics()["best_value"])
    assert sum(values) / len(values) == pytest.approx(0.45, abs=0.01)
    assert max(values) - min(values) < 0.1


def test_there_is_one_sample_where_nothing_is_left_to_chance():
    model, state = tic_tac_toe()
    agent = seated("osla:samples=5", model, state)
    decide(agent, state)
    assert agent.statistics()["samples"] == 1
    assert agent.sim.budget.forward_model_calls == 9


@pytest.mark.parametrize("budget", [1, 2, 3, 5, 9, 10, 11, 25, 300])
@pytest.mark.parametrize("kind", ["forward_model_calls", "iterations", "copies"])
def test_never_exceeds_its_budget(budget, kind):
    place = ["forward_model_calls", "iterations", "copies"].index(kind)
    spec = f"osla:samples=20,budget={budget},budget_type={kind}"
    heard = trace(Raiders(), [spec, "random", spec], seed=3)
    assert heard.costs
    assert max(cost[place] for cost in heard.costs if any(cost)) <= budget


def test_a_deal_that_the_budget_interrupts_is_dropped():
    model, state = raiders()
    agent = seated("osla:samples=5,budget=15", model, state)
    decide(agent, state)
    assert agent.statistics()["samples"] == 1
    assert agent.statistics()["evaluations"] > 10


def test_a_budget_of_one_tries_any_of_the_actions():
    model, state = tic_tac_toe()
    agent = seated("osla:budget=1", model, state)
    assert {model.marks.index(decide(agent, state)) for _ in range(100)} == set(range(9))


def test_the_seed_decides():
    traces = [trace(Raiders(), ["osla"] * 4, seed).actions for seed in (1, 1, 2, 3, 4)]
    assert traces[0] == traces[1]
    assert any(actions != traces[0] for actions in traces[2:])


def test_beats_random_at_tic_tac_toe():
    wins, draws = wins_and_draws(make_game("tic_tac_toe"), "osla", "random", 100)
    assert wins + draws / 2 > 70


def test_unknown_heuristics_are_named_at_once():
    with pytest.raises(TagError, match="no heuristic named 'scor'; did you mean 'score'"):
        make_agent("osla:heuristic=scor")
