"""Every agent that there is keeps the engine's contract, in every game."""

from pathlib import Path

import pytest

from tag.catalogue.registry import game_class, game_names
from tag.check import check_agent
from tag.check.agents import AGENT_CHECKS, agents_of_any_game, with_budget
from tag.check.evidence.traces import HASH_SEEDS, trace_of_views, traces_elsewhere
from tag.orders import GameOrder

pytestmark = pytest.mark.flow

EXAMPLES = Path(__file__).parents[2] / "examples"
KUHN = f"{EXAMPLES / 'kuhn_poker.py'}:KuhnPoker"
FLAT = f"{EXAMPLES / 'flat_monte_carlo.py'}:FlatMonteCarlo"

#: Short games with and without hidden cards, in which agents are checked interpreted as well.
SHORT = ["connect_four", "love_letter", "tic_tac_toe"]
#: All others, with the parameters that shorten them for checks.
LONG = [
    ":".join(filter(None, (name, game_class(name).game_type.check_parameters)))
    for name in game_names()
    if name not in SHORT
]

#: All agents that need no file.
AGENTS = [*agents_of_any_game(), FLAT]
#: Its processes are started for all agents at once, below: alone, each agent would start three for each list of games.
TOGETHER = "agent_other_process"
BUDGET = 30
HERE = [check.name for check in AGENT_CHECKS if check.name != TOGETHER]
#: Games of every kind that n-tuples can learn.
LEARNABLE = ["hex:size=3", "nim", "sim:nodes=4", "twenty_forty_eight:target=64"]


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("games", [SHORT, pytest.param(LONG, marks=pytest.mark.heavy)], ids=["short", "long"])
@pytest.mark.system
def test_the_agent_keeps_the_contract_in_every_game(agent, games):
    report = check_agent(agent, games, only=HERE)
    assert report.ok, str(report)


def orders_of(games):
    """A game of each agent, with a budget, in each game with the fewest and with the most players."""
    counts = [(game, count) for game in games for count in sorted(seats_of(game))]
    return [
        GameOrder("check", game, (with_budget(agent, BUDGET),) * count, 1) for agent in AGENTS for game, count in counts
    ]


def seats_of(game):
    kind = game_class(game.partition(":")[0] if game in LONG else game).game_type
    return {kind.min_players, kind.max_players}


@pytest.mark.heavy
@pytest.mark.parametrize("number", range(3))
@pytest.mark.system
def test_other_processes_play_the_same_games(number):
    """The short games are played with every hash seed, the others with one of three each."""
    orders = [*orders_of([*SHORT, KUHN]), *orders_of(LONG)[number::3]]
    there = traces_elsewhere(orders, HASH_SEEDS[-3:][number])
    assert len(there) == len(orders) > 150
    here = [trace_of_views(order) for order in orders]
    assert [order for order, one, other in zip(orders, here, there, strict=True) if one != other] == []


@pytest.mark.heavy
@pytest.mark.parametrize("learns", ["afterstates", "states", "sarsa", "q"])
def test_a_learned_agent_keeps_the_contract(learns):
    agent = f"learned:learner=(td_ntuple:n_tuples=4,length=3,n_values=8,learns={learns}),episodes=4"
    report = check_agent(
        agent, LEARNABLE[-1:] if learns == "states" else LEARNABLE
    )  # states differ where chance follows
    assert report.ok, str(report)


@pytest.mark.parametrize("agent", AGENTS)
def test_the_agent_keeps_the_contract_in_a_users_own_game(agent):
    report = check_agent(agent, [KUHN], only=HERE)
    assert report.ok, str(report)
