"""The bots of Diamant and Dominion that weigh what the others have: choices in positions, points against simpler bots."""

from __future__ import annotations

import pytest

from tag import Rng, make_agent, make_game
from tag.games.cards.diamant.data import HAZARD, RELIC
from tag.orders import GameOrder, play_order
from tag.playing.agent import Budget, Simulator

pytestmark = pytest.mark.flow

SPIDER = HAZARD[0]


def choice(bot, model, state):
    """Return what a bot does as the current player."""
    player = int(state.current_player)
    agent = make_agent(bot)
    agent.player = player
    agent.sim = Simulator(model, Rng(1), Budget(1000))
    observation = state.observation(player, Rng(2))
    agent.start_game(observation)
    return str(agent.act(observation, model.available_actions(observation)))


def points(bot, rivals, games):
    """Return the share of first places of a bot that sits once in each seat among copies of another, of ``games`` deals."""
    game, players = bot.partition(":")[0], rivals.count("+") + 2
    found = 0.0
    for seed in range(games):
        for seat in range(players):
            agents = [rivals.partition("+")[0]] * players
            agents[seat] = bot
            record = play_order(GameOrder("x", game, tuple(agents), seed))
            assert not record.faults
            first = [player for player in range(players) if record.ordinals[player] == 1]
            found += (seat in first) / len(first)
    return found / (games * players)


def cave(deck, path, carried, lying=0, chests=(0, 0), last=False):
    """Return Diamant with two players in a cave, the cards to come, and what lies on the path."""
    model = make_game("diamant")
    state = model.setup(2, Rng(0))
    state.deck, state.path, state.carried, state.lying = deck, path, carried, lying
    state.left = deck.bit_count()
    state.gone = state.relics = 0
    state.chests = chests
    if last:
        state.round = 4
    return model, state


def test_a_relic_is_worth_leaving_alone_for():
    """Five rubies on the way out for who leaves alone, some two and a half for the other, who goes on by the myopic rule."""
    for path, wanted in ((SPIDER + RELIC[0], "leave"), (SPIDER, "go on")):
        model, state = cave(SPIDER + 0b111, path, carried=0)
        assert choice("diamant:anticipating", model, state) == wanted
        assert choice("diamant:myopic", model, state) == "go on"


@pytest.mark.parametrize(("chests", "wanted"), [((9, 5), "leave"), ((5, 9), "go on")])
def test_in_the_last_cave_only_who_leads_leaves_with_the_others(chests, wanted):
    """Half of the cards are fatal, so that the others leave."""
    model, state = cave(SPIDER + 1, SPIDER, carried=10, chests=chests, last=True)
    assert choice("diamant:myopic", model, state) == "leave"
    assert choice("diamant:anticipating", model, state) == wanted


@pytest.mark.parametrize(("carried", "wanted"), [(3, "go on"), (5, "leave")], ids=["one ruby short", "one ruby ahead"])
def test_alone_in_the_last_cave_who_has_enough_leaves(carried, wanted):
    model, state = cave(SPIDER + 1, 0, carried, chests=(0, 4), last=True)
    state.inside = 1
    assert choice("diamant:anticipating", model, state) == wanted


@pytest.mark.parametrize(
    ("bot", "rivals", "least"),
    [
        ("diamant:anticipating", "diamant:myopic", 0.6),
        ("diamant:anticipating", "diamant:threshold", 0.7),
        ("diamant:anticipating", "diamant:myopic+diamant:myopic+diamant:myopic", 0.8),
        ("dominion:deck_builder", "dominion:big_money", 0.7),
        ("dominion:big_money_plus", "dominion:big_money_smithy", 0.6),
    ],
)
def test_they_beat_bots_that_look_at_their_own_cards_only(bot, rivals, least):
    assert points(bot, rivals, 60) > least
