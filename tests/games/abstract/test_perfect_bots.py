"""Bots that are said to be perfect are so, and others win, block and take what lies there."""

from __future__ import annotations

import pytest

from tag import Budget, Rng, Simulator, make_agent, make_game, make_heuristic
from tag.engine.results import LOSE


def choice_of(bot, model, state):
    """Return what a bot plays in a position, at the seat that is to move."""
    agent = make_agent(bot)
    agent.sim = Simulator(model, Rng(1), Budget(1))
    agent.player = int(state.current_player)
    return agent.act(state.observation(state.current_player, Rng(1)), model.available_actions(state))


def positions_met(bot, model, state, seat, met):
    """Play the bot at ``seat`` against all actions of the other player, and return the final positions."""
    if state.is_terminal:
        return [state]
    key = state.knowledge(0)
    if key in met:
        return []
    met.add(key)
    actions = [choice_of(bot, model, state)] if state.current_player == seat else model.available_actions(state)
    ends = []
    for action in actions:
        after = state.copy()
        model.next(after, action, Rng(1))
        ends += positions_met(bot, model, after, seat, met)
    return ends


@pytest.mark.flow
@pytest.mark.parametrize("seat", [0, 1])
def test_tic_tac_toe_is_never_lost(seat):
    model = make_game("tic_tac_toe")
    ends = positions_met("tic_tac_toe:perfect", model, model.setup(2, Rng(1)), seat, set())
    assert len(ends) > 20
    assert all(int(state.result(seat)) != LOSE for state in ends)


@pytest.mark.flow
@pytest.mark.parametrize("game", ["nim", "nim:misere=true", "nim:heaps=4,size=6,max_minus=3"])
def test_nim_is_won_where_it_can_be(game):
    model = make_game(game)
    solved = make_heuristic("nim")
    won = 0
    for seed in range(20):
        rng = Rng(seed)
        state = model.setup(2, rng)
        model.rollout(state, seed % 5, rng)
        if not state.is_terminal and solved.value(state, state.current_player) > 0.0:
            model.next(state, choice_of("nim:optimal", model, state), rng)
            assert state.is_terminal or solved.value(state, 1 - state.current_player) > 0.0
            won += 1
    assert won > 3


@pytest.mark.parametrize(
    ("bot", "moves", "wanted"),
    [
        ("connect_four:threats", "d a d a d b", "d"),
        ("connect_four:threats", "a d a d b d", "d"),
    ],
)
def test_connect_four_is_won_or_blocked(bot, moves, wanted):
    model = make_game("connect_four")
    state = model.setup(2, Rng(1))
    for name in moves.split():
        model.next(state, next(a for a in model.available_actions(state) if str(a) == name), Rng(1))
    assert str(choice_of(bot, model, state)) == wanted
