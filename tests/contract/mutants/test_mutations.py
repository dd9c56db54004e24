"""The suite sees what it is for: games and agents, broken on purpose in one way each, are caught by the check named.

The matrix of all mutants with five seeds is slow; one seed is always tested.
"""

from pathlib import Path

import broken_agents
import broken_bids
import broken_boards
import broken_games
import broken_hanabi
import broken_in_play
import broken_roles
import broken_shipped
import broken_tricks
import hostile_games
import pytest

from tag import Agent, ForwardModel, Rng
from tag.catalogue.user_code import load_class
from tag.catalogue.version import is_compiled
from tag.check import AGENT_CHECKS, FAILED, GAME_CHECKS, check_agent, check_game
from tag.check.rules import PickleOtherProcess
from tag.check.subject import GameSubject
from tag.errors import ContractError

pytestmark = pytest.mark.flow

HERE = Path(__file__).parent
AGENTS = HERE / "broken_agents.py"
KUHN = f"{HERE.parents[2] / 'examples' / 'kuhn_poker.py'}:KuhnPoker"
SEEDS = (2, 3, 4, 5, 6)

#: The number of players to check a game with, where it is not 2.
SEATS = {
    "Kuhn poker": 3,
    "Exploding Kittens": 5,
    "Hearts": 4,
    "Spades": 4,
    "The Resistance": 5,
    "7 Wonders": 3,
    "Catan": 4,
}

#: Of the intact games only this one is played in other processes, too: they take most of its time.
IN_OTHER_PROCESSES = "Intact"
#: Mutants that take more than a second.
SLOW = ["NopesOftenStay", "TheNextCityIsOftenTheTrueOne", "TheNextEpidemicIsSeen"]


def broken(module, base):
    own = [name for name, value in vars(module).items() if isinstance(value, type) and "caught_by" in vars(value)]
    return {f"{module.__file__}:{name}": load_class(f"{module.__file__}:{name}", base).caught_by for name in own}


#: Mutants of games of the tests, which play with the engine in either build.
OWN = (broken_games, broken_hanabi)
#: Shipped games can be broken only where they are interpreted: their compiled classes have no interpreted heirs.
SHIPPED = (
    ()
    if is_compiled()
    else (
        broken_bids,
        broken_boards,
        broken_in_play,
        broken_roles,
        broken_shipped,
        broken_tricks,
        hostile_games,
    )
)
GAME_MUTANTS = {}
for file in (*OWN, *SHIPPED):
    GAME_MUTANTS |= broken(file, ForwardModel)
AGENT_MUTANTS = broken(broken_agents, Agent)


def name_of(spec):
    return spec.rpartition(":")[2]


def caught(spec, check, seed):
    """Say whether the check named catches the game; for an intact game, whether any does."""
    players = SEATS.get(load_class(spec, ForwardModel).game_type.title, 2)
    others = [one.name for one in GAME_CHECKS if one.name != "seed_other_process"]
    only = [check] if check else [] if name_of(spec) == IN_OTHER_PROCESSES else others
    report = check_game(spec, players=players, games=6, seed=seed, only=only)
    failed = [*[finding.check for finding in report.failures()], *report.warnings()]
    return (check in failed) if check else bool(failed), report


def marked(spec):
    if name_of(spec) in SLOW:
        return [pytest.mark.slow]
    return [pytest.mark.heavy] if spec.startswith(tuple(file.__file__ for file in OWN)) else []


@pytest.mark.parametrize(
    ("spec", "check"), [pytest.param(*mutant, marks=marked(mutant[0])) for mutant in GAME_MUTANTS.items()], ids=name_of
)
@pytest.mark.system
def test_a_broken_game_is_caught_by_the_check_for_it(spec, check):
    found, report = caught(spec, check, 1)
    assert found == bool(check), str(report)


@pytest.mark.slow
@pytest.mark.skipif(is_compiled(), reason="the mutants of shipped games are left out")
@pytest.mark.parametrize("seed", SEEDS)
def test_broken_games_are_caught_with_any_seed(seed):
    mutants = {spec: check for spec, check in GAME_MUTANTS.items() if check}
    missed = [name_of(spec) for spec, check in mutants.items() if not caught(spec, check, seed)[0]]
    assert len(mutants) >= 40
    assert len(missed) <= 0.05 * len(mutants), missed


@pytest.mark.parametrize(("spec", "check"), list(AGENT_MUTANTS.items()), ids=name_of)
def test_a_broken_agent_is_caught_by_the_check_for_it(spec, check):
    report = check_agent(spec, [KUHN], players=3, games=12, only=[check] if check else [])
    failed = [finding.check for finding in report.failures()]
    assert (check in failed) if check else not failed, str(report)


def test_pickles_that_another_process_reads_differently_are_caught():
    model = broken_games.PickleReadsDifferently()
    check = PickleOtherProcess()
    check.things.append(model.setup(3, Rng(1)))
    with pytest.raises(ContractError, match="another process reads a pickled _HashedState as another one"):
        check.finish(GameSubject("broken", model, [3], 1, 1))


@pytest.mark.skipif(is_compiled(), reason="the mutants of shipped games are left out")
def test_every_check_has_a_mutant():
    # that of pickle_other_process is the one above, because classes by path are never sent as pickles; values come with
    # shipped games only, whose changes are in tests/agents/learners/test_values_of_games.py
    elsewhere = {"pickle_other_process", "learned_values_fit"}
    assert set(GAME_MUTANTS.values()) == {"", *[check.name for check in GAME_CHECKS]} - elsewhere
    assert set(AGENT_MUTANTS.values()) == {"", *[check.name for check in AGENT_CHECKS]}


def test_after_a_set_up_that_fails_nothing_is_ok(tmp_path):
    file = tmp_path / "crashing.py"
    text = Path(KUHN.partition(".py")[0] + ".py").read_text(encoding="utf-8")
    file.write_text(text.replace("rng.shuffle(state.cards)", "raise OSError('no cards')"), encoding="utf-8")
    report = check_game(f"{file}:KuhnPoker", players=2, games=1)
    seen = {finding.check: finding.status for finding in report.findings}
    assert seen["plays"] == FAILED
    assert [name for name, status in seen.items() if status == "ok"] == ["parameters_declared"]
