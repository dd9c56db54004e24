"""Flat Monte Carlo: sees a win in one, spends what it may, and beats random play."""

from pathlib import Path

import pytest

from tag import Budget, Rng, Simulator, make_agent, make_game
from tag.orders import GameOrder, play_order

FILE = Path(__file__).parents[2] / "examples" / "flat_monte_carlo.py"
FLAT = f"{FILE}:FlatMonteCarlo"


def seated(spec, model):
    agent = make_agent(spec)
    agent.sim = Simulator(model, Rng(5), agent.new_budget())
    agent.player = 0
    return agent


def played(*cells):
    model = make_game("tic_tac_toe")
    state = model.setup(2, Rng(1))
    for cell in cells:
        model.next(state, next(a for a in model.available_actions(state) if str(a) == cell), Rng(1))
    return model, state


def test_it_sees_a_win_in_one():
    model, state = played("a1", "a2", "b1", "b2")
    agent = seated(f"{FLAT}:budget=300", model)
    assert str(agent.act(state, model.available_actions(state))) == "c1"


@pytest.mark.parametrize("budget", [1, 2, 50])
def test_it_spends_its_budget_and_no_more(budget):
    model, state = played()
    agent = seated(f"{FLAT}:budget={budget}", model)
    assert agent.act(state, model.available_actions(state)) in model.available_actions(state)
    assert agent.sim.budget.forward_model_calls == budget


def test_iterations_are_counted():
    model, state = played()
    agent = seated(f"{FLAT}:budget=20,budget_type=iterations", model)
    agent.sim.budget = Budget(20, "iterations")
    agent.act(state, model.available_actions(state))
    assert agent.sim.budget.iterations == 20
    assert agent.sim.budget.copies == 20


def test_it_beats_random_play():
    seats = (f"{FLAT}:budget=100", "random")
    wins = [play_order(GameOrder("flat", "tic_tac_toe", seats, seed)).ordinals == (1, 2) for seed in range(40)]
    assert sum(wins) > 32


def test_it_is_a_short_file_that_needs_the_package_only():
    lines = FILE.read_text(encoding="utf-8").splitlines()
    assert len(lines) < 50
    assert [line for line in lines if line.startswith("from tag")] == [
        "from tag import Agent, AnyAction, GameState, SearchParameters, integer, make_heuristic"
    ]
