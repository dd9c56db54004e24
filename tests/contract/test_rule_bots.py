"""Every bot plays its game, with any number of players and other rules."""

from __future__ import annotations

import pytest

from tag.catalogue.registry import bot_names, game_class, game_names, make_game
from tag.check import check_agent
from tag.check.agents import AGENT_CHECKS
from tag.engine.parameters import Spec, parse_spec
from tag.engine.rng import Rng, derive_seed
from tag.errors import ParameterError
from tag.orders import GameOrder, play_order

pytestmark = pytest.mark.flow

BOTS = [bot for game in game_names() for bot in bot_names(game)]
#: Games of a bot with random parameters, and how many parameters are drawn: most draws of all are refused in some games.
VARIANTS = 12
DRAWN = 3
#: Checks that start other processes are made for all agents at once, in the tests of agents.
HERE = [check.name for check in AGENT_CHECKS if check.name != "agent_other_process"]


def kind_of(bot):
    return game_class(bot.partition(":")[0]).game_type


def short(bot):
    """Return the game of a bot with the parameters that shorten it for checks."""
    return ":".join(filter(None, (bot.partition(":")[0], kind_of(bot).check_parameters)))


def test_every_game_has_a_bot():
    assert {bot.partition(":")[0] for bot in BOTS} == set(game_names())


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.system
def test_a_bot_keeps_the_contract(bot):
    report = check_agent(bot, [short(bot)], only=HERE)
    assert report.ok, str(report)


@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_plays_with_any_number_of_players(bot):
    kind = kind_of(bot)
    for players in range(kind.min_players, kind.max_players + 1):
        record = play_order(GameOrder("count", short(bot), (bot,) * players, players))
        assert not record.faults


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.system
def test_a_bot_plays_with_any_parameters(bot):
    """Those that games are checked with are kept short; the others are drawn from their whole ranges."""
    kind = kind_of(bot)
    kept = dict(parse_spec(f"game:{kind.check_parameters}").values) if kind.check_parameters else {}
    played = 0
    for seed in range(VARIANTS):
        rng = Rng(derive_seed(seed, bot))
        drawn = list(kind.parameters.sample(rng).changes().items())
        rng.shuffle(drawn)
        spec = str(Spec(bot.partition(":")[0], {**dict(drawn[:DRAWN]), **kept}))
        players = kind.min_players + seed % (kind.max_players - kind.min_players + 1)
        try:
            make_game(spec).setup(players, Rng(1))
        except ParameterError:
            continue  # the rules refuse what was drawn
        agents = tuple(bot if seat % 2 == seed % 2 or seat > 1 else "random" for seat in range(players))
        assert not play_order(GameOrder("variant", spec, agents, seed)).faults, spec
        played += 1
    assert played or not kind.parameters.dimensions()
