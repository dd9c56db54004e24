"""Counterfactual regret minimisation: the policy it finds, its budget, and positions that it has not met."""

from pathlib import Path

import pytest

from tag import Rng, Simulator, make_agent, make_game
from tag.orders import GameOrder, play_order
from tag.tournaments.statistics.exploitability.game_tree import ExtensiveGame, grow
from tag.tournaments.statistics.exploitability.measure import exploitability
from tag.tournaments.statistics.exploitability.policies import ask

pytestmark = pytest.mark.flow

KUHN = f"{Path(__file__).parents[2] / 'examples' / 'kuhn_poker.py'}:KuhnPoker"


@pytest.fixture(scope="module")
def kuhn() -> ExtensiveGame:
    return grow(make_game(KUHN), 2)


def decided(spec, game, players=2, seed=1, actions=0):
    """Let the agent decide after so many first actions; return its choice, its figures and the budget."""
    model = make_game(game)
    state = model.setup(players, Rng(seed))
    for _action in range(actions):
        model.next(state, model.available_actions(state)[0], Rng(seed))
    agent = make_agent(spec)
    agent.sim = Simulator(model.search_model(), Rng(seed + 1), agent.new_budget())
    agent.player = state.current_player
    observation = state.observation(agent.player, Rng(seed + 2))
    agent.start_game(observation)
    agent.sim.budget.start()
    return agent.act(observation, model.available_actions(state)), agent.statistics(), agent.sim.budget


def test_exploitability_falls_with_the_budget(kuhn):
    found = []
    for budget in (30, 300, 3000):
        spec = f"mccfr:budget={budget},heuristic=score"
        found.append(exploitability(kuhn, spec, ask(kuhn, spec, questions=5, seed=1)).value)
    assert found[0] > 0.25 > found[1] > 0.06 > found[2]


def test_facing_a_bet_the_lowest_card_is_given_up_and_the_highest_played(kuhn):
    asked = ask(kuhn, "mccfr:budget=1000,heuristic=score", questions=2, seed=3)
    facing = {
        "cards ? 0, chips -2 -1": 0,
        "cards 0 ?, chips -1 -2": 0,
        "cards ? 2, chips -2 -1": 1,
        "cards 2 ?, chips -1 -2": 1,
    }
    found = {
        where.text: asked.policy[begin:] for where, begin in zip(kuhn.information_sets, kuhn.form.starts, strict=True)
    }
    assert all(found[text][action] > 0.9 for text, action in facing.items())


@pytest.mark.parametrize("kind", ["forward_model_calls", "copies", "iterations"])
def test_the_budget_is_kept_to_the_call(kind):
    budget = decided(f"mccfr:budget=50,budget_type={kind}", "tic_tac_toe:size=3")[2]
    spent = {
        "forward_model_calls": budget.forward_model_calls,
        "copies": budget.copies,
        "iterations": budget.iterations,
    }
    assert spent[kind] == 50


def test_positions_that_were_not_met_are_decided_at_random():
    _action, figures, _budget = decided("mccfr:budget=1", "love_letter", players=4, actions=3)
    chances = [row["probability"] for row in figures["actions"]]
    assert chances == pytest.approx([1 / len(chances)] * len(chances))


def test_long_games_are_valued_by_the_heuristic():
    figures = decided("mccfr:budget=300,depth=4,heuristic=score", "connect_four")[1]
    assert figures["games"] > 1
    assert figures["information_sets"] < 300
    assert sum(row["probability"] for row in figures["actions"]) == pytest.approx(1)


@pytest.mark.parametrize("game", [KUHN, "tic_tac_toe", "love_letter"])
def test_a_game_repeats(game):
    order = GameOrder("x", game, ("mccfr:budget=40", "random"), 5)
    first, second = play_order(order), play_order(order)
    assert first.state_hash == second.state_hash
