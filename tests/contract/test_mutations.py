"""The suite sees what it is for: games and agents, broken on purpose in one way each, are caught by the check named."""

from pathlib import Path

import broken_agents
import broken_games
import pytest

from tag import Agent, ForwardModel, Rng
from tag.check import AGENT_CHECKS, GAME_CHECKS, check_agent, check_game
from tag.check.game_check import GameSubject
from tag.check.pickles import PickleOtherProcess
from tag.errors import ContractError
from tag.user_code import load_class

HERE = Path(__file__).parent
GAMES = HERE / "broken_games.py"
AGENTS = HERE / "broken_agents.py"
KUHN = f"{HERE.parents[1] / 'examples' / 'kuhn_poker.py'}:KuhnPoker"


def broken(module, base):
    own = [name for name, value in vars(module).items() if isinstance(value, type) and "caught_by" in vars(value)]
    return {name: load_class(f"{module.__file__}:{name}", base).caught_by for name in own}


GAME_MUTANTS = broken(broken_games, ForwardModel)
AGENT_MUTANTS = broken(broken_agents, Agent)


@pytest.mark.parametrize(("name", "check"), list(GAME_MUTANTS.items()))
def test_a_broken_game_is_caught_by_the_check_for_it(name, check):
    report = check_game(f"{GAMES}:{name}", players=3, games=6, only=[check] if check else [])
    failed = [finding.check for finding in report.failures()]
    assert (check in failed) if check else not failed, str(report)


@pytest.mark.parametrize(("name", "check"), list(AGENT_MUTANTS.items()))
def test_a_broken_agent_is_caught_by_the_check_for_it(name, check):
    report = check_agent(f"{AGENTS}:{name}", [KUHN], players=3, games=12, only=[check] if check else [])
    failed = [finding.check for finding in report.failures()]
    assert (check in failed) if check else not failed, str(report)


def test_pickles_that_another_process_reads_differently_are_caught():
    model = broken_games.PickleReadsDifferently()
    check = PickleOtherProcess()
    check.things.append(model.setup(3, Rng(1)))
    with pytest.raises(ContractError, match="another process reads a pickled _HashedState as another one"):
        check.finish(GameSubject("broken", model, [3], 1, 1))


def test_every_check_has_a_mutant():
    # that of pickle_other_process is the one above, because classes by path are never sent as pickles
    assert set(GAME_MUTANTS.values()) == {"", *[check.name for check in GAME_CHECKS]} - {"pickle_other_process"}
    assert set(AGENT_MUTANTS.values()) == {"", *[check.name for check in AGENT_CHECKS]}
