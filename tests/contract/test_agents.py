"""Every agent that there is keeps the engine's contract, in every game."""

from pathlib import Path

import pytest

from tag.catalogue.registry import game_class, game_names
from tag.check import check_agent
from tag.check.agents import agents_of_any_game

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
#: Games of every kind that n-tuples can learn.
LEARNABLE = ["hex:size=3", "nim", "sim:nodes=4", "twenty_forty_eight:target=64"]


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("games", [SHORT, pytest.param(LONG, marks=pytest.mark.heavy)], ids=["short", "long"])
@pytest.mark.system
def test_the_agent_keeps_the_contract_in_every_game(agent, games):
    report = check_agent(agent, games)
    assert report.ok, str(report)


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
    report = check_agent(agent, [KUHN])
    assert report.ok, str(report)
