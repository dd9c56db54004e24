"""How fast a process plays, and times that last the longer the slower it is."""

import pytest
from copied import TIC_TAC_TOE
from cpu_caps import cpu_time_below

from tag.catalogue.user_code import provide_source
from tag.catalogue.version import is_compiled
from tag.isolation import close_processes
from tag.orders import Conditions, GameOrder, Speed, new_game, own_speed, play_order
from tag.orders import speed as calibration
from tag.playing.faults import FaultPolicy

pytestmark = pytest.mark.flow

FILE = "nowhere/calibrated.py"
SOURCE = (
    TIC_TAC_TOE
    + """
import time
from tag import Agent, SearchParameters

class Costly(TicTacToe):
    spins = 500

    def _after_action(self, state, action, rng):
        for _ in range(self.spins):
            pass
        super()._after_action(state, action, rng)

class Costlier(Costly):
    spins = 2000

class Tells(Agent):
    parameters_class = SearchParameters

    def act(self, observation, actions):
        budget = self.sim.budget
        raise ValueError(f"{budget.time_factor:g} {None if budget.clock is None else budget.clock.remaining:g}")
"""
)
CONDITIONS = Conditions(FaultPolicy(decision_seconds=0.5), 100.0, 2.0, hang_seconds=7.0, reference_speed=300.0)


@pytest.fixture(autouse=True)
def own_file(monkeypatch):
    provide_source(FILE, SOURCE)


def order(agent="random", game="tic_tac_toe", conditions=CONDITIONS):
    return GameOrder("g", game, (agent, "random"), 1, conditions)


@pytest.fixture
def slow(monkeypatch):
    """Have this process play half as fast as the reference."""
    asked = []

    def speed(game, players):
        asked.append((game, players))
        return Speed(150.0, 1.0)

    monkeypatch.setattr("tag.orders.playing.own_speed", speed)
    return asked


def test_a_slower_game_is_measured_as_slower():
    with cpu_time_below(4.0):
        quick, costly = own_speed(f"{FILE}:Costly", 2), own_speed(f"{FILE}:Costlier", 2)
    assert 1.5 < quick.calls_per_second / costly.calls_per_second < 8.0  # four times the work, in short runs
    assert 0.0 < quick.share <= 1.0
    assert own_speed(f"{FILE}:Costly", 2) is quick


@pytest.mark.skipif(is_compiled(), reason="compiled methods cannot be replaced")
def test_the_work_is_the_same_each_time(monkeypatch):
    model = calibration.make_game("love_letter")
    hashes = []
    take = type(model).next

    def noted(self, state, action, rng):
        take(self, state, action, rng)
        hashes.append(str(state))

    monkeypatch.setattr(type(model), "next", noted)
    calibration._play_piece(model, 4)
    first, hashes = hashes, []
    calibration._play_piece(model, 4)
    assert hashes == first
    assert len(first) == calibration._STEPS


def test_all_times_last_longer_on_a_slower_machine(slow):
    game = new_game(order("mcts:budget=10,budget_type=wall_ms"))
    game.start()
    assert slow == [("tic_tac_toe", 2)]
    assert game.policy.decision_seconds == 1.0
    assert [(clock.remaining, clock.per_action) for clock in game.clocks] == [(200.0, 4.0), (200.0, 4.0)]
    assert [agent.sim.budget.time_factor for agent in game.agents] == [2.0, 2.0]


def test_without_a_reference_nothing_is_measured(slow):
    game = new_game(order(conditions=Conditions(FaultPolicy(decision_seconds=0.5), 100.0)))
    game.start()
    assert slow == []
    assert game.policy.decision_seconds == 0.5
    assert game.clocks[0].remaining == 100.0
    assert game.agents[0].sim.budget.time_factor == 1.0


def test_isolated_agents_get_the_same_time(slow):
    alone = Conditions(FaultPolicy(), 100.0, 2.0, isolate=True, hang_seconds=7.0, reference_speed=300.0)
    try:
        (fault,) = play_order(order(f"{FILE}:Tells", conditions=alone)).faults
    finally:
        close_processes()
    assert fault.message == "ValueError: 2 200"
