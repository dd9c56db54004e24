"""Every agent that there is keeps the engine's contract, in every game."""

from pathlib import Path

import pytest

from tag.check import check_agent
from tag.registry import agent_names

EXAMPLES = Path(__file__).parents[2] / "examples"
KUHN = f"{EXAMPLES / 'kuhn_poker.py'}:KuhnPoker"
FLAT = f"{EXAMPLES / 'flat_monte_carlo.py'}:FlatMonteCarlo"


@pytest.mark.parametrize("agent", [*agent_names(), FLAT])
def test_the_agent_keeps_the_contract_in_every_game(agent):
    report = check_agent(agent)
    assert report.ok, str(report)


@pytest.mark.parametrize("agent", [*agent_names(), FLAT])
def test_the_agent_keeps_the_contract_in_a_users_own_game(agent):
    report = check_agent(agent, [KUHN])
    assert report.ok, str(report)
