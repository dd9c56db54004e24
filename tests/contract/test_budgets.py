"""Budgets of every type, for every agent in every game: none is exceeded, time is spent on search, and Ctrl-C ends it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Final

import pytest
from cpu_caps import cpu_time_below

from tag import Budget, Game, Rng, Simulator, make_agent, make_game
from tag.catalogue.registry import game_class, game_names
from tag.catalogue.version import is_compiled
from tag.check.agents import agents_of_any_game
from tag.engine.parameters import parse_spec
from tag.playing.agent import BUDGET_TYPES, SearchParameters

pytestmark = pytest.mark.flow

FLAT = f"{Path(__file__).parents[2] / 'examples' / 'flat_monte_carlo.py'}:FlatMonteCarlo"

#: All agents with budgets, with settings that spend them in other ways.
AGENTS: Final = [
    "mcts:{own}",
    "mcts:{own},tree_policy=puct,priors=game,rollout_share=0.5",
    "mcts:{own},information=chance_nodes,solver=true,reuse_tree=true,rollout_length=0",
    "mcts:{own},trees=by_player,rollout_policy=mast,rollout_length=1000000",
    "mcts:{own},rollout_policy=agent,rollout_agent=(osla:{own}),opponents=agent,opponent_agent=(rmhc:{own})",
    "mcts:{own},selection=agent,selection_agent=(osla:{own},samples=20)",
    "mcts:{own},rollout_policy=boltzmann,information=open_loop,deals=5",
    "mcts:{own},root_policy=halving,common_random_numbers=true,tree_policy=puct,priors=game",
    "expectimax:{own}",
    "expectimax:{own},opponents=max_n,depth=2,determinisations=3",
    "expectimax:{own},unit=turns,table=0",
    "max_n:{own}",
    "max_n:{own},opponents=max_n,table=0",
    "rhea:{own},shift_buffer=true,determinisation=each",
    "rhea:{own},opponent=(osla:{own})",
    "rmhc:{own}",
    "rmhc:{own},opponent=(mcts:{own},preset=none)",
    "flat_mc:{own}",
    "flat_mc:{own},rollout_length=3,allocation=ucb,votes=3",
    "osla:{own},samples=20",
    "mccfr:{own}",
    "restricted:agent=(mcts:{own}),without=*1*",
    FLAT + ":{own}",
]
COUNTS: Final = BUDGET_TYPES[:3]
TIMES: Final = BUDGET_TYPES[3:]

#: Games without chance, with dice and with hidden cards, in which agents are asked interpreted as well.
SHORT: Final = ["connect_four", "cant_stop", "love_letter"]
#: All games, with the parameters that shorten them for checks.
GAMES: Final = [
    pytest.param(
        ":".join(filter(None, (game, game_class(game).game_type.check_parameters))),
        marks=[] if game in SHORT else [pytest.mark.heavy],
        id=game,
    )
    for game in game_names()
]


def spec_of(agent: str, budget: int, kind: str) -> str:
    return agent.format(own=f"budget={budget},budget_type={kind}")


def asked(spec: str, game: str, decisions: int, seed: int = 1) -> Iterator[Budget]:
    """Play so many decisions with the agent in all seats; yield the budget after each."""
    kind = game_class(game.partition(":")[0]).game_type
    players = max(2, kind.min_players) if kind.max_players > 1 else 1
    played = Game(make_game(game), [make_agent(spec) for _seat in range(players)], seed)
    played.start()
    while decisions > 0 and not played.state.is_terminal:
        player, before = played.state.current_player, sum(played.decisions)
        played.step()
        if sum(played.decisions) > before:
            decisions -= 1
            yield played.agents[player].sim.budget
    assert not [fault for fault in played.faults if fault.kind != "over_budget"]


def test_all_agents_with_budgets_are_asked():
    budgeted = [
        name for name in [*agents_of_any_game(), FLAT] if isinstance(make_agent(name).parameters, SearchParameters)
    ]
    assert budgeted
    assert set(budgeted) <= {parse_spec(spec_of(agent, 1, COUNTS[0])).name for agent in AGENTS}


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("game", GAMES)
def test_no_agent_exceeds_its_budget_in_any_unit(agent, game):
    for kind in COUNTS:
        for budget in (1, 30):
            spent = [int(getattr(found, kind)) for found in asked(spec_of(agent, budget, kind), game, 4)]
            assert spent, "the agent was never asked"
            assert max(spent) <= budget, (kind, spent)


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("game", GAMES)
def test_every_search_ends_when_its_time_is_over(agent, game):
    for kind in TIMES:
        with cpu_time_below(5.0):
            assert list(asked(spec_of(agent, 2, kind), game, 2)), "the agent was never asked"


# --- compiled, where the clock would cost most and signals would wait ----------------------------------------------------

#: The limit in milliseconds, and how often a pair of searches is measured. Other programs disturb some: the best counts,
#: which was .53 at most when each call read the clock.
LIMIT: Final = 20
MEASURED: Final = 5


def searched(spec: str, game: str, seed: int) -> tuple[int, float]:
    """Return the calls and the CPU milliseconds of the agent's second search of a position after some random actions."""
    model, rng = make_game(game), Rng(seed)
    kind = model.game_type
    state = before = model.setup(max(2, kind.min_players) if kind.max_players > 1 else 1, rng)
    while not state.is_terminal and state.tick < 6:
        if len(model.available_actions(state)) > 1:
            before = state.copy()
        model.next(state, model.random_action(state, rng), rng)
    agent = make_agent(spec)
    agent.player = before.current_player
    agent.sim = Simulator(model.search_model(), Rng(seed), agent.new_budget())
    agent.start_game(before.copy())
    budget, taken = agent.sim.budget, 0.0
    for _search in range(2):
        observation, actions = before.copy(), model.available_actions(before)
        begin = process_time()
        budget.start()
        agent.act(observation, actions)
        taken = 1000 * (process_time() - begin)
    return int(budget.forward_model_calls), taken


def compared(agent: str, game: str, seed: int) -> tuple[float, float]:
    """Return the calls per CPU time with a budget of time, as a share of those with as many calls, and the excess in ms."""
    calls, taken = searched(spec_of(agent, LIMIT, "cpu_ms"), game, seed)
    same, needed = searched(spec_of(agent, calls, "forward_model_calls"), game, seed)
    return (calls / taken) / (same / needed), taken - LIMIT


#: MCTS in every game, and all other searches in one with quick calls.
COMPARED: Final = [
    *[("mcts:{own}", game) for game in game_names()],
    *[(agent, "uno") for agent in ("rhea:{own}", "rmhc:{own}", "flat_mc:{own}")],
    *[(agent, "connect_four") for agent in ("max_n:{own},depth=400", "expectimax:{own},depth=400")],
    ("restricted:agent=(mcts:{own}),without=nothing", "tic_tac_toe"),
]


@pytest.mark.heavy
@pytest.mark.slow  # it needs a core of its own: beside other tests, single readings of the clock take milliseconds
@pytest.mark.skipif(not is_compiled(), reason="interpreted, the clock costs little")
@pytest.mark.parametrize(("agent", "game"), COMPARED)
def test_time_buys_as_many_calls_as_a_budget_of_calls_does(agent, game):
    found = [compared(agent, game, seed) for seed in range(MEASURED)]
    assert max(share for share, _excess in found) >= 0.97
    assert min(excess for _share, excess in found) <= 0.01 * LIMIT


#: Searches with a budget that would last for hours are interrupted, by Ctrl-C or by the end of the process.
INTERRUPTED = """
import signal, sys
from tag import Game, make_agent, make_game

def end(number, frame):
    raise (SystemExit if number == signal.SIGVTALRM else KeyboardInterrupt)

model = make_game(sys.argv[2])
for number, timer in ((signal.SIGALRM, signal.ITIMER_REAL), (signal.SIGVTALRM, signal.ITIMER_VIRTUAL)):
    for kind in ("forward_model_calls", "iterations", "copies", "cpu_ms", "wall_ms"):
        spec = sys.argv[1].format(own=f"budget=1000000000,budget_type={kind}")
        agents = [make_agent(spec), make_agent(spec)]
        signal.signal(number, end)
        try:
            signal.setitimer(timer, 0.01)
            while True:
                Game(model, agents, 1).play()
        except (KeyboardInterrupt, SystemExit):
            print(kind)
"""


@pytest.mark.heavy
@pytest.mark.skipif(not is_compiled(), reason="interpreted code lets signals in anyway")
@pytest.mark.parametrize("agent", AGENTS)
def test_signals_end_every_search(agent):
    command = [sys.executable, "-P", "-c", INTERRUPTED, agent, "connect_four"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.stdout.split() == 2 * ["forward_model_calls", "iterations", "copies", "cpu_ms", "wall_ms"], done.stderr


#: Calls the rules of a game with an interruption under way, which compiled code may meet only deep in Python's own numbers.
PENDING = """
import sys
from _thread import interrupt_main
from functools import partial
from operator import call
from tag import Rng, make_game

def interrupted(*calls):
    for one in calls:
        try:
            list(map(call, [interrupt_main, one]))  # no bytecode between the two, which would handle the signal
            while True:
                pass
        except KeyboardInterrupt:
            pass

model = make_game(sys.argv[1])
rng = Rng(1)
interrupted(partial(type(model), model.parameters), model.copy)
kind, heuristic, features = model.game_type, model.heuristic(), model.features()
for n_players in (kind.min_players, kind.max_players):
    state = model.setup(n_players, rng)
    interrupted(partial(model.setup, n_players, rng))
    for _action in range(100):
        if state.is_terminal:
            break
        other, action = state.copy(), model.random_action(state, rng)
        interrupted(partial(model.available_actions, other), partial(model.rollout, state.copy(), 5, rng))
        for player in range(n_players):
            interrupted(partial(heuristic.value, other, player), partial(other.knowledge, player))
            interrupted(partial(other.observation, player, rng))
            if features is not None:
                interrupted(partial(features.values, other, player))
        interrupted(other.copy, other.snapshot, partial(model.next, other, action, rng))
        model.next(state, action, rng)
print("survived")
"""


@pytest.mark.heavy
@pytest.mark.parametrize("game", game_names())
def test_an_interruption_never_aborts_the_rules(game):
    command = [sys.executable, "-P", "-c", PENDING, game]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.stdout == "survived\n", done.stderr


#: Interrupts a game of quick agents again and again; without a look at signals, all are handled once, at its end.
QUICK = """
import signal
from tag import Game, make_agent, make_game

heard = []
signal.signal(signal.SIGALRM, lambda *_: heard.append(1))
games = [Game(make_game("uno"), [make_agent("random") for _seat in range(4)], seed) for seed in range(20)]
signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
for game in games:
    game.play()
signal.setitimer(signal.ITIMER_REAL, 0)
print(len(heard))
"""


@pytest.mark.heavy
@pytest.mark.skipif(not is_compiled(), reason="interpreted code lets signals in anyway")
def test_signals_are_handled_within_a_game_of_quick_agents():
    done = subprocess.run([sys.executable, "-P", "-c", QUICK], capture_output=True, text=True, timeout=300, check=True)
    assert int(done.stdout) > 3 * 20
