"""Budgets of every type, and clocks."""

import time

import pytest
from play.toys import ADDS, First, Race

from tag import Budget, Clock, Game, Rng, Simulator, make_game
from tag.engine.snapshot import state_hash
from tag.playing.agent import BUDGET_TYPES


def simulator(limit, kind):
    return Simulator(Race(), Rng(1), Budget(limit, kind))


def test_forward_model_calls_are_counted_and_stop_a_rollout():
    sim = simulator(4, "forward_model_calls")
    state = sim.model.setup(2, sim.rng)
    sim.budget.start()
    sim.next(state, ADDS[0])
    sim.rollout(state, 100)
    assert sim.budget.forward_model_calls == 4
    assert state.tick == 4
    assert sim.budget.is_spent()
    sim.budget.start()
    assert not sim.budget.is_spent()


def test_copies_and_iterations():
    sim = simulator(2, "copies")
    state = sim.model.setup(2, sim.rng)
    sim.budget.start()
    sim.copy(state)
    assert not sim.budget.is_spent()
    sim.observation(state, 0)
    assert sim.budget.is_spent()
    budget = Budget(3, "iterations")
    budget.start()
    budget.iterations = 3
    assert budget.is_spent()


@pytest.mark.parametrize("kind", ["wall_ms", "cpu_ms"])
def test_times(kind):
    budget = Budget(5, kind)
    budget.start()
    assert not budget.is_spent()
    end = time.process_time() + 0.01
    while time.process_time() < end:
        pass
    assert budget.is_spent()


@pytest.mark.parametrize("kind", ["wall_ms", "cpu_ms"])
def test_times_last_as_much_longer_as_said(kind):
    now = {"wall_ms": time.perf_counter, "cpu_ms": time.process_time}[kind]
    budget = Budget(5, kind)
    budget.time_factor = 4.0
    budget.start()
    begin = now()
    while not budget.is_spent():
        pass
    assert now() - begin >= 0.0199


def test_only_counts_are_deterministic():
    assert [kind for kind in BUDGET_TYPES if Budget(1, kind).is_deterministic] == [
        "forward_model_calls",
        "iterations",
        "copies",
    ]


def test_a_clock_budget_takes_a_share_of_what_is_left():
    budget = Budget(1, "clock")
    budget.clock = Clock(2.0)
    begin = time.perf_counter()
    budget.start()
    while not budget.is_spent():
        pass
    assert 0.0999 <= time.perf_counter() - begin < 1.9


def test_a_clock_says_when_it_was_not_enough():
    clock = Clock(1.0, per_action=0.25)
    assert clock.spend(0.5)
    assert clock.remaining == 0.75
    assert not clock.spend(0.8)


def test_rollouts_stop_at_depth_and_end():
    sim = simulator(1000, "forward_model_calls")
    state = sim.model.setup(2, sim.rng)
    sim.rollout(state, 2)
    assert state.tick == 2
    sim.rollout(state, 1000)
    assert state.is_terminal
    assert state.tick == 6


def test_the_game_gives_every_agent_its_own_stream_and_clock():
    game = Game(Race(), [First(), First()], 1, clock=Clock(10))
    game.play()
    sims = [agent.sim for agent in game.agents]
    assert sims[0].rng is not sims[1].rng
    assert sims[0].model is not sims[1].model
    assert {sim.model is game.model for sim in sims} == {False}
    assert sims[0].budget.clock is not game.clocks[0]  # nor may an agent change what is on it


@pytest.mark.parametrize("kind", ["wall_ms", "cpu_ms", "clock", "iterations", "copies"])
@pytest.mark.parametrize("game", ["tic_tac_toe", "connect_four", "uno", "dominion", "love_letter"])
def test_a_rollout_draws_the_same_actions_with_every_budget_that_lasts(kind, game):
    ends = []
    for unit in ("forward_model_calls", kind):
        model = make_game(game)
        sim = Simulator(model, Rng(5), Budget(100_000, unit))
        state = model.setup(2, Rng(4))
        sim.budget.start()
        sim.rollout(state, 300)
        ends.append((state_hash(state), sim.calls, sim.budget.forward_model_calls, sim.rng.next32()))
    assert ends[0] == ends[1]
    assert ends[0][1] > 0


@pytest.mark.parametrize("kind", ["wall_ms", "cpu_ms"])
def test_a_rollout_ends_with_the_time(kind):
    sim = simulator(5, kind)
    sim.model.rounds = 10_000_000
    state = sim.model.setup(2, sim.rng)
    sim.budget.start()
    sim.rollout(state, 1_000_000_000)
    assert sim.budget.is_spent()
    assert 0 < sim.calls < 1_000_000


@pytest.mark.parametrize("kind", ["wall_ms", "cpu_ms", "clock"])
def test_a_decision_within_another_has_no_more_time_than_is_left(kind):
    outer, inner = Budget(50, kind), Budget(10_000, kind)
    outer.start()
    inner.start(outer)
    assert inner.seconds_left <= 0.05
    while not inner.is_spent():
        pass
    assert outer.seconds_left <= 0.0
    inner.start(outer)
    assert inner.is_spent()
    inner.start(Budget(3, "copies"))
    assert inner.seconds_left > 9.0
