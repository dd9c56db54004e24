"""The bots of Hanabi: what they do in positions laid out by hand, and their points."""

import pytest
from hanabi_positions import act, position, rising, tell

from tag import Rng, make_agent
from tag.orders import GameOrder, new_game

pytestmark = pytest.mark.flow

MINE = "r1 r2 r3 r4 r5"


def choice(bot, model, state):
    player = int(state.current_player)
    agent = make_agent(f"hanabi:{bot}")
    agent.player = player
    seen = state.observation(player, Rng(9))
    return str(agent.act(seen, model.available_actions(seen)))


@pytest.mark.parametrize("bot", ["simple", "convention"])
def test_a_card_that_is_certain_to_fit_is_played(bot):
    model, state = position("r3 y2 g3 w4 b5", "y3 y3 g4 g4 w4", player=1, fireworks=rising(r=2, y=2, g=2, w=2, b=2))
    act(model, state, tell(0, 3))
    assert choice(bot, model, state) in ("play card 1", "play card 3")


@pytest.mark.parametrize(("bot", "card"), [("simple", 3), ("convention", 3)])
def test_a_dead_card_is_discarded_before_the_oldest(bot, card):
    fireworks = rising(r=2, y=2, g=2, w=2, b=2)
    model, state = position("r3 y4 g1 w4 b5", "y4 y4 g4 g4 w4", player=1, fireworks=fireworks, hints=1)
    act(model, state, tell(0, 1))
    state.fresh = 0
    assert choice(bot, model, state) == f"discard card {card}"


@pytest.mark.parametrize("bot", ["simple", "convention"])
def test_a_hint_names_the_card_that_fits(bot):
    model, state = position(MINE, "y4 y4 g3 g4 w1", hints=3)
    assert choice(bot, model, state) in ("tell player 1: 1", "tell player 1: white")


def test_a_fresh_hint_is_about_the_newest_card_that_may_fit():
    model, state = position("y4 y3 g3 g4 y1", "r4 r4 r3 r3 g5", player=1, hints=3)
    act(model, state, tell(0, "y"))
    assert choice("convention", model, state) == "play card 5"
    assert choice("simple", model, state) != "play card 5"


def test_no_hint_is_given_that_makes_another_play_in_vain():
    """Yellow would be about the newest one, a 3; the 1 is named by its rank."""
    model, state = position(MINE, "y1 g4 w4 b4 y3", hints=3)
    assert choice("convention", model, state) == "tell player 1: 1"


def test_a_critical_card_that_is_next_to_be_discarded_is_saved_by_its_rank():
    model, state = position("y3 y3 g3 g3 b3", "r5 g4 w4 b4 y4", hints=3)
    assert choice("convention", model, state) == "tell player 1: 5"
    act(model, state, tell(1, 5))
    assert choice("convention", model, state) != "play card 1"


#: The means of 1,000 games each are in docs/bots.md; these are wide bands around them.
@pytest.mark.parametrize(
    ("bot", "n_players", "low", "high"),
    [
        ("simple", 2, 16.5, 19.5),
        ("simple", 4, 15.0, 18.5),
        ("convention", 2, 20.0, 24.0),
        ("convention", 4, 20.0, 23.0),
    ],
)
def test_points_of_the_bots(bot, n_players, low, high):
    scores = []
    for seed in range(20):
        game = new_game(GameOrder("points", "hanabi", (f"hanabi:{bot}",) * n_players, seed))
        game.play()
        scores.append(game.state.score(0))
    assert low < sum(scores) / len(scores) < high


@pytest.mark.slow
@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
def test_random_players_build_as_much_as_those_of_open_spiel(n_players):
    """In 5,000 games of OpenSpiel 1.23 to 1.26 ± 0.02, and 13.0, 17.1, 19.4 and 19.9 actions."""
    points = actions = 0
    for seed in range(5_000):
        game = new_game(GameOrder("random", "hanabi", ("random",) * n_players, seed))
        game.play()
        points += game.state.points()
        actions += game.state.tick
    assert 1.20 < points / 5_000 < 1.29
    assert actions / 5_000 == pytest.approx({2: 13.0, 3: 17.1, 4: 19.4, 5: 19.9}[n_players], abs=0.2)
