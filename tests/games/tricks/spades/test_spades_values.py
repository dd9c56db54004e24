"""Bots, heuristic, features and metric of Spades, on positions laid out by hand and in games."""

import pytest
from play.measuring import random_game, scripted
from play.valuing import features_of
from spades_positions import bid, cards, play, position

from tag import Rng, make_agent, make_game, make_heuristic
from tag.engine.rules.tricks import SUIT
from tag.games.tricks.spades import Spades, SpadesHeuristic, SpadesHeuristicParameters
from tag.games.tricks.spades.data import tricks_in
from tag.orders import GameOrder, new_game

pytestmark = pytest.mark.flow

POINT = 1.5 / 500
NONE = {"contract": 0.0, "slack": 1.5, "bag": 0.0, "nil": 0.0, "risk": 0.0}
FOUR = ("2c 3d", "4c 5d", "6c 7d", "8c 9d")


def points(state, player=0, **weights):
    """Return the value in points by the weights given and no others."""
    return SpadesHeuristic(SpadesHeuristicParameters(**(NONE | weights))).value(state, player) / POINT


def test_the_points_of_sides_count_with_bags_against_them():
    _model, state = position(*FOUR)
    state.points, state.bags, state.tricks = (120, 20), (3, 1), 13
    assert points(state, 2) == pytest.approx(100)
    assert points(state, 1) == pytest.approx(-100)
    assert points(state, 0, bag=10.0) == pytest.approx(100 - 20)


def test_bids_that_are_likely_to_be_made_count():
    _model, state = position(*FOUR, bids=(2, 2, 3, 2), won=(2, 0, 3, 0), tricks=11)
    likely = tricks_in(state.hands[0], state.deck & ~state.hands[0])
    assert likely == 0
    assert points(state, contract=1.0) == pytest.approx(50 + 40, abs=1e-6), "the others cannot make four of two"
    assert points(state, bag=1.0) == pytest.approx(0)


def test_a_nil_counts_while_it_holds():
    _model, state = position(*FOUR, bids=(0, 2, 3, 2))
    assert points(state, nil=0.5) == pytest.approx(50)
    assert points(state, 1, nil=0.5) == pytest.approx(-50)
    state.won = (1, 0, 0, 0)
    assert points(state, nil=0.5) == 0
    _model, state = position("As 2d", *FOUR[1:], bids=(0, 2, 3, 2))
    assert points(state, nil=0.5, risk=0.4) == pytest.approx(50 * (1 - 0.4))


@pytest.mark.parametrize(
    ("hand", "others", "tricks"),
    [
        ("As", "Ks Qs", 1.0),
        ("Ac 2c", "Kc Qc", 0.9),
        ("Kc 2c", "Ac Qc", 0.55),
        ("Kc", "Ac Qc", 0.0),
        ("As Ks Qs 2s", "3s 4s", 3.75),
        ("2d 3d", "4d 5d", 0.0),
    ],
)
def test_likely_tricks(hand, others, tricks):
    assert tricks_in(cards(hand), cards(others)) == pytest.approx(tricks)


def test_the_value_depends_on_no_hands_of_others():
    model, rng = Spades(), Rng(3)
    heuristic = make_heuristic("spades")
    state = model.setup(4, rng)
    for step in range(50):
        values = {heuristic.value(state.observation(step % 4, rng), step % 4) for _look in range(3)}
        assert values == {heuristic.value(state, step % 4)}
        model.next(state, model.random_action(state, rng), rng)


def test_features_tell_the_trick_bids_and_voids():
    model, state = position("2c 3d", "5d 6d", "6c 7s", "8c 9d", bids=(2, 3, 0, 4), won=(1, 0, 0, 2), broken=True)
    state.deck = (1 << 52) - 1
    play(model, state, "2c 5d 6c")
    found = features_of(state, 3)
    wanted = {"bidding": 0, "best_rank": 5, "best_is_trump": 0, "best_is_own": 0, "to_follow": 1, "led_clubs": 1}
    assert {name: found[name] for name in wanted} == wanted
    assert [found[f"bid_{offset}"] for offset in range(4)] == [4, 2, 3, 0]
    assert [found[f"nil_{offset}"] for offset in range(4)] == [0, 0, 0, 1]
    assert [found[f"no_clubs_{offset}"] for offset in range(4)] == [0, 0, 1, 0]
    assert (found["needed_0"], found["needed_1"]) == (7 - 2, 2 - 1)
    assert (found["hand_8c"], found["out_7s"], found["out_8c"], found["out_6c"]) == (1, 1, 0, 0)


def test_the_metric_counts():
    hands = ("Ac 2d", "2c 3d", "3c 4d", "4c 5d")
    model, state = position(*hands, bids=(1, 0, 0, 3), won=(2, 0, 0, 1), hands=1)
    texts = [f"play {name}" for name in ("Ac", "2c", "3c", "4c", "2d", "3d", "4d", "5d")]
    assert scripted(model, "spades", state, *texts) == {
        "hands": [1.0],
        "made": [0.5],
        "nils": [0.5],
        "nils_made": [1.0],
        "beyond": [2.0],
    }


def test_the_metric_agrees_with_random_games():
    state, log, found = random_game(make_game("spades"), "spades", 4, 6)[:3]
    nils = sum(text == "bid nil" for _player, text in log.actions)
    assert found["hands"] == [state.round]
    assert found["nils"] == [nils / (4 * state.round)]


# --- the bot ---------------------------------------------------------------------------------------------------------


def choice(model, state):
    """Return what the bot chooses."""
    player = int(state.current_player)
    agent = make_agent("spades:counting")
    agent.player = player
    seen = state.observation(player, Rng(9))
    return str(agent.act(seen, model.available_actions(seen))).split()[-1]


@pytest.mark.parametrize(
    ("hand", "wanted"),
    [("As Ks Qs 2s Ah Ac 2c 3c 4d 5d 6d 7h 8h", "5"), ("2s 3s 2c 3c 4c 5c 2d 3d 4d 5d 2h 3h 4h", "nil")],
)
def test_it_bids_what_its_cards_are_likely_to_take(hand, wanted):
    model = make_game("spades")
    state = model.setup(4, Rng(1))
    rest = [card for card in range(52) if not cards(hand) >> card & 1]
    state.hands = [cards(hand), *[sum(1 << card for card in rest[seat::3]) for seat in range(3)]]
    assert choice(model, state) == wanted


def test_it_takes_tricks_as_cheaply_as_it_can_when_it_plays_last():
    model, state = position("9c 2d", "Jc 3d", "3c 4d", "2c Ac", bids=(1, 1, 1, 1))
    assert choice(model, play(model, state, "9c Jc 3c")) == "2c", "the partner has the trick"
    model, state = position("Tc 2d", "9c 3d", "3c 4d", "Qc Ac", bids=(1, 1, 1, 1))
    assert choice(model, play(model, state, "Tc 9c 3c")) == "Qc"


def test_it_plays_below_when_its_side_has_its_tricks_or_it_bid_nil():
    model, state = position("Tc 2d", "9c 3d", "3c 4d", "8c Ac", bids=(1, 1, 1, 1), won=(0, 1, 0, 1))
    assert choice(model, play(model, state, "Tc 9c 3c")) == "8c"
    model, state = position("Tc 2d", "9c 3d", "3c 4d", "8c Ac", bids=(1, 1, 1, 0))
    assert choice(model, play(model, state, "Tc 9c 3c")) == "8c"


def test_it_takes_the_trick_from_a_partner_who_bid_nil():
    model, state = position("2c 2d", "Tc 3d", "3c 4d", "8c Ac", bids=(1, 0, 1, 1), won=(0, 0, 0, 1))
    assert choice(model, play(model, state, "2c Tc 3c")) == "Ac"


def test_it_beats_random_sides():
    wins = 0
    for seed in range(15):
        game = new_game(GameOrder("sides", "spades", ("spades:counting", "random") * 2, seed))
        game.play()
        wins += game.state.points[0] > game.state.points[1]
    assert wins == 15


def test_bids_end_in_the_first_trick():
    model = make_game("spades")
    assert bid(model, model.setup(4, Rng(1)), 1, 1, 1, 1).hands[0] & ~SUIT[3]
