"""The bot that plans turns: what it does in positions laid out by hand, and how often a team of it wins."""

from __future__ import annotations

import pytest
from pandemic_positions import BLUE, BLUE_FIVE, RED, position

from tag import Rng
from tag.catalogue.registry import make_agent
from tag.orders import GameOrder, play_order

pytestmark = pytest.mark.flow


def choice(model, state):
    """Return what the bot does, as text."""
    bot = make_agent("pandemic:planner")
    return str(bot.act(state, model.available_actions(state)))


def test_it_cures_before_all_else():
    model, state = position(hands=[(), BLUE_FIVE], cubes={"Atlanta": 3})
    state.turn_player = state.current_player = 1
    assert choice(model, state) == "cure blue"


def test_it_keeps_the_cards_of_a_cure_and_drives_to_the_station():
    model, state = position(["Medic", "Researcher"], ["Paris", "Lima"], [BLUE_FIVE, ()])
    assert choice(model, state).startswith("move pawn 0")


def test_it_flies_for_a_card_that_it_could_not_keep():
    hand = ["Miami", "Lima", "Lagos", "Washington", "London", "Delhi", "Sydney"]
    model, state = position(["Medic", "Dispatcher"], ["Paris", "Lima"], [hand, ()], {("Sydney", RED): 3})
    assert choice(model, state) == "fly pawn 0 directly to Sydney"


def test_it_treats_where_an_outbreak_is_near():
    three = {("Delhi", 2): 3, ("Moscow", 2): 3}
    for near in ("Delhi", "Moscow"):
        model, state = position(["Medic", "Dispatcher"], ["Tehran", "Lima"], cubes=three, infection_deck=[near, "Lima"])
        state.layers = (0, len(state.infection_deck) - 2)
        assert choice(model, state) == f"move pawn 0 to {near}"


def test_it_gives_a_card_to_who_gathers_its_colour():
    model, state = position(["Medic", "Dispatcher"], ["London", "London"], [["London"], BLUE_FIVE[:3]])
    assert choice(model, state) == "give London from player 0 to player 1"


@pytest.mark.parametrize(("cubes", "wanted"), [({}, False), ({("Delhi", 2): 3, ("Moscow", 2): 3}, True)])
def test_a_quiet_night_waits_for_danger(cubes, wanted):
    model, state = position(hands=[["One Quiet Night"], ()], cubes=cubes, infection_deck=["Delhi", "Moscow"])
    state.layers = (0, len(state.infection_deck) - 2)
    assert (choice(model, state) == "play One Quiet Night") == wanted


def test_an_airlift_takes_who_has_the_cards_of_a_cure_to_a_station():
    model, state = position(["Medic", "Dispatcher"], ["Lima", "Sydney"], [["Airlift"], BLUE_FIVE])
    assert choice(model, state) == "play Airlift"
    model.next(state, next(one for one in model.available_actions(state) if str(one) == "play Airlift"), Rng(1))
    assert choice(model, state) == "choose player 1"


def test_a_cured_disease_leaves_its_cards_to_flights():
    model, state = position(
        ["Medic", "Dispatcher"], ["Lima", "Sydney"], [BLUE_FIVE, ()], {("Paris", BLUE): 3}, cured=[BLUE]
    )
    assert choice(model, state) == "fly pawn 0 directly to Paris"


def wins(bot, games):
    """Return how many games of two players a team wins, and the diseases that it cures in all."""
    records = [play_order(GameOrder("wins", "pandemic", (bot, bot), seed)) for seed in range(games)]
    return sum(record.results[0] == 2 for record in records), sum(record.scores[0] for record in records)


def test_a_team_of_it_wins_far_more_than_one_that_cures_first():
    (planned, cured), (first, fewer) = wins("pandemic:planner", 40), wins("pandemic:cure_first", 40)
    assert planned >= first + 8
    assert cured > fewer + 20
