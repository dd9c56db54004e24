"""Liar's Dice: each rule, probabilities, games beside OpenSpiel's, and the game of a die each, solved."""

from collections import Counter
from itertools import product
from math import sqrt

import pytest
from play.measuring import random_game, scripted
from play.telling import told

from tag import Rng, interned, make_agent, make_game, make_heuristic
from tag.engine.results import DRAW, LOSE, ONGOING, WIN
from tag.games.dice.liars_dice import BidDice, Challenge, LiarsDice, LiarsDiceParameters, SpotOn, bid_of
from tag.tournaments.statistics.exploitability.game_tree import POINTS, grow
from tag.tournaments.statistics.exploitability.measure import exploitability
from tag.tournaments.statistics.exploitability.policies import exact_policy
from tag.tournaments.statistics.exploitability.sequence_form import solved

CHALLENGE, SPOT_ON = interned(Challenge()), interned(SpotOn())


def bid(number, face):
    return interned(BidDice(number, face))


def position(*hands, player=0, bids=(), **rules):
    """Return the model and the position with these dice, as lists of faces, in which ``player`` decides."""
    model = LiarsDice(LiarsDiceParameters(**{"dice": max(len(hand) for hand in hands), **rules}))
    state = model.setup(len(hands), Rng(1))
    state.dice = tuple(len(hand) for hand in hands)
    state.hands = tuple(sum(1 << 4 * (face - 1) for face in hand) for hand in hands)
    state.bids = tuple(bid_of(*one) for one in bids)
    state.current_player = state.turn_player = player
    return model, state


def bids_in(actions):
    return [(action.number, action.face) for action in actions if isinstance(action, BidDice)]


# --- bids --------------------------------------------------------------------------------------------------------------

HIGHER = {
    "number": lambda new, old: new > old,
    "face": lambda new, old: new[::-1] > old[::-1],
    "both": lambda new, old: new != old and new[0] >= old[0] and new[1] >= old[1],
}


@pytest.mark.parametrize("order", HIGHER)
def test_bids_are_raised_in_order(order):
    every = list(product(range(1, 6), range(1, 5)))
    for last in every:
        model, state = position([1, 2], [3], [4, 4], bids=[last], order=order, faces=4)
        actions = model.available_actions(state)
        assert bids_in(actions) == [new for new in every if HIGHER[order](new, last)]
        assert actions[-1] is CHALLENGE
        assert sum(isinstance(action, Challenge) for action in actions) == 1


@pytest.mark.parametrize("order", HIGHER)
def test_the_first_player_bids_anything_and_cannot_challenge(order):
    model, state = position([1, 2], [3], order=order, faces=3, spot_on=True)
    assert bids_in(model.available_actions(state)) == list(product(range(1, 4), range(1, 4)))
    assert len(model.available_actions(state)) == 9


@pytest.mark.parametrize("order", HIGHER)
def test_after_the_highest_bid_there_is_only_a_challenge(order):
    model, state = position([1, 2], [3], bids=[(3, 6)], order=order)
    assert model.available_actions(state) == [CHALLENGE]


def test_players_who_are_out_are_not_asked():
    model, state = position([1, 2], [], [3], player=0)
    model.next(state, bid(1, 2), Rng(1))
    assert (state.current_player, state.bidder()) == (2, 0)
    model.next(state, bid(1, 3), Rng(1))
    assert (state.current_player, state.bidder()) == (0, 2)


# --- challenges --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wild", "last", "found"),
    [
        ("ones", (2, 4), 4),
        ("ones", (3, 1), 2),
        ("ones", (3, 6), 3),
        ("ones", (3, 5), 2),
        ("highest", (3, 4), 3),
        ("highest", (2, 1), 3),
        ("highest", (2, 6), 1),
        ("none", (2, 4), 2),
        ("none", (3, 1), 2),
        ("none", (1, 5), 0),
    ],
)
def test_a_challenge_is_right_if_fewer_dice_count_than_bid(wild, last, found):
    """The dice are 1 4 6 and 1 2 4: the bidder keeps all dice if there are as many as bid, or more."""
    model, state = position([1, 4, 6], [1, 2, 4], player=1, bids=[last], wild=wild)
    assert state.in_all(last[1]) == found
    loser = 0 if found < last[0] else 1
    model.next(state, CHALLENGE, Rng(1))
    assert state.dice == ((2, 3), (3, 2))[loser]
    assert (state.current_player, state.first_player, state.round, state.bids) == (loser, loser, 1, ())


@pytest.mark.parametrize(("number", "loser"), [(1, 1), (2, 0), (3, 1)])
def test_spot_on_is_right_for_exactly_as_many_dice_as_bid(number, loser):
    """Two dice count: more or fewer than bid cost the player who said so a die."""
    model, state = position([1, 4, 6], [2, 3, 3], player=1, bids=[(number, 6)], spot_on=True)
    assert state.in_all(6) == 2
    assert model.available_actions(state)[-2:] == [CHALLENGE, SPOT_ON]
    model.next(state, SPOT_ON, Rng(1))
    assert state.dice == ((2, 3), (3, 2))[loser]


def test_only_a_variant_has_spot_on():
    for rules, offered in (("", False), (":spot_on=true", True)):
        model = make_game(f"liars_dice{rules}")
        vocabulary, state = model.vocabulary(2), model.setup(2, Rng(1))
        assert (SPOT_ON in [vocabulary.action(number) for number in range(len(vocabulary))]) is offered
        model.next(state, bid(1, 2), Rng(1))
        assert (SPOT_ON in model.available_actions(state)) is offered


@pytest.mark.parametrize(("loser", "first"), [(0, 2), (2, 3), (3, 3)])
def test_who_loses_begins_or_the_next_player_with_dice(loser, first):
    """Player 1 is out already, player 3 has two dice and begins after a loss."""
    hands = [[2], [], [3], [4, 4]]
    model, state = position(*hands, player=loser, bids=[(1, 4)])
    model.next(state, CHALLENGE, Rng(1))
    assert state.dice[loser] == len(hands[loser]) - 1
    assert (state.current_player, state.first_player) == (first, first)
    assert state.result(loser) == (ONGOING if loser == 3 else LOSE)


def test_all_players_roll_the_dice_they_have_left():
    model, state = position([2, 2], [3, 3, 3], player=1, bids=[(5, 4)])
    model.next(state, CHALLENGE, Rng(3))
    assert [len(state.lying(player)) for player in (0, 1)] == [1, 3] == list(state.dice)


def test_the_last_player_with_dice_wins_and_later_losers_are_placed_better():
    model, state = position([2], [3], [4, 4], player=1, bids=[(3, 2)])
    model.next(state, CHALLENGE, Rng(1))
    assert state.dice == (0, 1, 2)
    state.bids, state.current_player = (bid_of(3, 6),), 1
    state.hands = (0, 1 << 8, 2 << 12)
    model.next(state, CHALLENGE, Rng(1))
    assert state.dice == (0, 1, 1)
    state.bids, state.current_player, state.hands = (bid_of(1, 3),), 2, (0, 1 << 8, 1 << 12)
    model.next(state, CHALLENGE, Rng(1))
    assert state.is_terminal
    assert [state.result(player) for player in range(3)] == [LOSE, WIN, LOSE]
    assert [state.ordinal(player) for player in range(3)] == [3, 1, 2]


@pytest.mark.parametrize(("n_players", "best"), [(2, WIN), (3, DRAW)])
def test_one_round_decides_the_game_in_the_variant(n_players, best):
    model, state = position(*[[2, 3]] * n_players, player=1, bids=[(4, 6)], one_round=True)
    model.next(state, CHALLENGE, Rng(1))
    assert state.is_terminal
    assert [state.result(player) for player in range(n_players)] == [LOSE, *[best] * (n_players - 1)]


@pytest.mark.parametrize("n_players", [2, 4, 6])
def test_each_round_costs_one_die(n_players):
    for seed in range(5):
        state, log, _found = random_game(LiarsDice(), "liars_dice", n_players, seed)
        assert state.round + 1 == 5 * n_players - sum(state.dice)
        assert sorted(state.dice)[:-1] == [0] * (n_players - 1)
        assert sum(text == "challenge" for _player, text in log.actions) == state.round + 1


# --- probabilities and deals -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wild", ["ones", "highest", "none"])
@pytest.mark.parametrize("faces", [2, 3])
def test_the_chance_of_a_bid_is_that_of_all_rolls(wild, faces):
    _model, state = position([1, 2], [1, 1], [1], faces=faces, wild=wild)
    wild_face = {"ones": 1, "highest": faces, "none": 0}[wild]
    rolls = list(product(range(1, faces + 1), repeat=3))
    for number, face in product(range(1, 6), range(1, faces + 1)):
        counts = [sum(one in (face, wild_face) for one in (1, 2, *roll)) for roll in rolls]
        if face == wild_face:
            counts = [sum(one == face for one in (1, 2, *roll)) for roll in rolls]
        at_least = sum(count >= number for count in counts) / len(rolls)
        exactly = sum(count == number for count in counts) / len(rolls)
        assert state.chance(0, bid_of(number, face)) == pytest.approx(at_least)
        assert state.chance(0, bid_of(number, face), True) == pytest.approx(exactly)


def test_observations_roll_the_dice_of_others_as_dice_fall():
    _model, state = position([6, 6], [1, 2], [3], player=1, faces=6)
    rng, draws = Rng(4), 4000
    found = Counter(state.observation(0, rng).hands for _draw in range(draws))
    assert {hands[0] for hands in found} == {2 << 20}
    expected = Counter()
    for one, other, last in product(range(6), repeat=3):
        expected[2 << 20, (1 << 4 * one) + (1 << 4 * other), 1 << 4 * last] += 1
    assert set(found) == set(expected)
    chi_square = sum(
        (found[hands] - draws * ways / 216) ** 2 * 216 / (draws * ways) for hands, ways in expected.items()
    )
    assert abs(chi_square - len(expected) + 1) < 4 * sqrt(2 * (len(expected) - 1))


def test_bids_are_remembered_and_dice_are_secret_until_the_end():
    model, state = position([2], [3], one_round=True)
    _same, other = position([2], [4], one_round=True)
    assert state.knowledge(0) == other.knowledge(0) != state.knowledge(1)
    assert state.text(0) == other.text(0)
    model.next(state, bid(1, 3), Rng(1))
    model.next(state, bid(2, 2), Rng(1))
    _same, later = position([2], [3], bids=[(1, 4), (2, 2)], one_round=True)
    assert state.knowledge(0)[3] != later.knowledge(0)[3]
    model.next(state, CHALLENGE, Rng(1))
    assert state.observation(1, Rng(2)).hands == state.hands
    assert "player 0  dice 2" in state.text(1)


def test_beliefs_follow_the_own_roll():
    """What the player has rolled is taken over, and the dice of others stay as they were rolled in the deal."""
    model, state = position([2, 3], [4, 4], player=1, bids=[(4, 6)])
    seen, deal = state.copy(), state.copy()
    model.next(seen, CHALLENGE, Rng(1))
    model.next(deal, CHALLENGE, Rng(2))
    others = deal.hands[1]
    assert seen.hands[0] != deal.hands[0]
    assert deal.match_chance(seen, 0) == 1.0
    assert deal.knowledge(0) == seen.knowledge(0)
    assert deal.hands == (seen.hands[0], others)


# --- beside OpenSpiel --------------------------------------------------------------------------------------------------

BESIDE = [(1, 6, "face"), (1, 6, "number"), (2, 3, "number"), (3, 4, "face"), (5, 6, "number"), (5, 6, "face")]


def beside_open_spiel(dice, faces, order, games):
    """Play random games of both; return the number of actions."""
    pyspiel = pytest.importorskip("pyspiel")
    rule = {"number": "reset-face", "face": "reset-quantity"}[order]
    other_game = pyspiel.load_game(f"liars_dice(numdice={dice},dice_sides={faces},bidding_rule={rule})")
    model = make_game(f"liars_dice:dice={dice},faces={faces},order={order},wild=highest,one_round=true")
    played = 0
    for seed in range(games):
        rng = Rng(seed)
        state, other = model.setup(2, rng), other_game.new_initial_state()
        for player in range(2):
            for face in state.lying(player):
                other.apply_action(face - 1)
        while not state.is_terminal:
            actions = {
                "Liar" if action is CHALLENGE else f"{action.number}-{action.face}": action
                for action in model.available_actions(state)
            }
            theirs = {other.action_to_string(number): number for number in other.legal_actions()}
            assert actions.keys() == theirs.keys()
            assert state.current_player == other.current_player()
            name = rng.choice(sorted(actions)) if rng.below(4) else min(actions, key=theirs.get)
            model.next(state, actions[name], rng)
            other.apply_action(theirs[name])
            played += 1
        assert other.is_terminal()
        assert other.returns() == [state.result_value(player) for player in range(2)]
    return played


@pytest.mark.parametrize(("dice", "faces", "order"), BESIDE)
def test_games_are_those_of_open_spiel(dice, faces, order):
    assert beside_open_spiel(dice, faces, order, 40) > 120


@pytest.mark.slow
def test_100000_actions_are_those_of_open_spiel():
    assert sum(beside_open_spiel(*rules, 4000) for rules in BESIDE) > 100_000


# --- the game of a die each --------------------------------------------------------------------------------------------


def tree_of(faces, order="number"):
    """Return OpenSpiel's game with a die each: 1 point for a win."""
    return grow(
        make_game(f"liars_dice:dice=1,faces={faces},order={order},wild=highest,one_round=true"), 2, worth=POINTS
    )


@pytest.mark.flow
@pytest.mark.parametrize(("faces", "order"), [(2, "number"), (3, "number"), (3, "face"), (4, "number")])
def test_random_play_is_as_exploitable_as_in_open_spiel(faces, order):
    """Points are 0 and 1 here, returns -1 and 1 there."""
    pyspiel = pytest.importorskip("pyspiel")
    rule = {"number": "reset-face", "face": "reset-quantity"}[order]
    other = pyspiel.load_game(f"liars_dice(dice_sides={faces},bidding_rule={rule})")
    tree = tree_of(faces, order)
    ours = exploitability(tree, "random", exact_policy(tree, tree.form.uniform())).value
    assert 4.0 * ours == pytest.approx(pyspiel.nash_conv(other, pyspiel.UniformRandomPolicy(other)))


@pytest.mark.flow
def test_the_value_with_three_faces_is_that_of_open_spiel():
    """Both sides by CFR+: the values of all equilibria are the same."""
    pyspiel = pytest.importorskip("pyspiel")
    other = pyspiel.load_game("liars_dice(dice_sides=3)")
    solver = pyspiel.CFRPlusSolver(other)
    for _iteration in range(300):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    theirs = pyspiel.expected_returns(other.new_initial_state(), policy, -1, True)[0]
    tree = tree_of(3)
    found = solved(tree.form, 300)
    assert exploitability(tree, "cfr", exact_policy(tree, found)).value < 0.002
    assert 2.0 * tree.form.expected(found)[0] - 1.0 == pytest.approx(theirs, abs=0.004)


@pytest.mark.slow
def test_the_value_with_six_faces_is_the_known_one():
    """OpenSpiel's game has the value -7/258 for the player who begins."""
    tree = tree_of(6)
    found = solved(tree.form, 1000)
    gap = exploitability(tree, "cfr", exact_policy(tree, found)).value
    assert gap < 0.001
    assert 2.0 * tree.form.expected(found)[0] - 1.0 == pytest.approx(-7 / 258, abs=0.002)


# --- bots, heuristic and metric ----------------------------------------------------------------------------------------


def choice_of(bot, model, state):
    return str(make_agent(bot).act(state, model.available_actions(state)))


@pytest.mark.parametrize(
    ("last", "wanted"), [((3, 3), "bid 3 fours"), ((3, 4), "bid 4 fours"), ((3, 6), "challenge"), ((4, 3), "challenge")]
)
def test_safest_does_what_is_most_likely_right(last, wanted):
    """With 4 4 1 against two dice: 3 fours are certain, 4 have 5/9, and 3 sixes 1/9."""
    model, state = position([4, 4, 1], [2, 2], bids=[last])
    chances = [state.chance(0, bid_of(*one)) for one in ((3, 4), (4, 4), (3, 6))]
    assert chances == pytest.approx([1.0, 5 / 9, 1 / 9])
    assert choice_of("liars_dice:safest", model, state) == wanted


def test_safest_says_spot_on_where_that_is_most_likely():
    model, state = position([4, 4, 1], [2], bids=[(3, 4)], spot_on=True, faces=8)
    assert state.chance(0, bid_of(3, 4), True) == pytest.approx(6 / 8)
    assert choice_of("liars_dice:safest", model, state) == "spot on"


def test_expected_bids_as_many_dice_as_it_expects():
    model, state = position([4, 4, 1], [2, 2, 2], bids=[(1, 3)])
    assert choice_of("liars_dice:expected", model, state) == "bid 4 fours"
    model, state = position([4, 4, 1], [2, 2, 2], bids=[(4, 4)])
    assert choice_of("liars_dice:expected", model, state) == "bid 5 fours"
    assert choice_of("liars_dice:expected:doubt=0.5", model, state) == "challenge"
    model, state = position([4, 4, 1], [2, 2, 2], bids=[(5, 3)])
    assert choice_of("liars_dice:expected", model, state) == "challenge"


def test_the_heuristic_counts_dice_and_the_risk_of_the_own_bid():
    _model, state = position([4, 4], [2, 3], [6], player=1, bids=[(3, 4)])
    heuristic = make_heuristic("liars_dice:rivals=0.5,risk=0.8")
    chance = state.chance(0, bid_of(3, 4))
    assert chance == pytest.approx(1 - (2 / 3) ** 3)
    assert heuristic.value(state, 0) == pytest.approx(1 - 0.5 - 0.8 * (1 - chance) / 2)
    assert heuristic.value(state, 1) == pytest.approx(1 - 0.5)
    assert heuristic.value(state, 2) == pytest.approx(0.5 - 0.5)


def test_features_tell_the_bid_and_the_own_dice():
    model, state = position([4, 1], [2, 3], [6], player=2, bids=[(1, 2), (2, 4)])
    named = model.features().named(state, 1)
    expected = {"my_turn": 0.0, "in_play": 5.0, "bids": 2.0, "number": 2.0, "own": 0.0, "mine": 1.0, "face_4": 1.0}
    assert {name: named[name] for name in expected} == expected
    assert [named[f"shows_{face}"] for face in range(1, 7)] == [0.0, 1.0, 1.0, 0.0, 0.0, 0.0]
    assert [named[f"dice_{offset}"] for offset in range(3)] == [2.0, 1.0, 2.0]
    assert named["chance"] == pytest.approx(1 - (2 / 3) ** 3 - 3 * (1 / 3) * (2 / 3) ** 2)


def test_the_metric_counts_bids_and_challenges():
    model, state = position([4], [2], one_round=True, spot_on=True)
    assert scripted(model, "liars_dice", state, "bid 1 four", "bid 2 fours", "challenge") == {
        "bids": [2.0],
        "liars": [1.0],
        "spot_on": [],
    }
    model, state = position([4], [2], one_round=True, spot_on=True)
    found = scripted(model, "liars_dice", state, "bid 1 four", "spot on")
    assert found == {"bids": [1.0], "liars": [], "spot_on": [1.0]}


def test_what_is_told():
    model, state = position([4, 1], [2], player=1, bids=[(3, 4)])
    found = told(model, state, "challenge", 1, Rng(2))
    assert found[:5] == [
        "player 0 shows 1, 4",
        "player 1 shows 2",
        "the bid was 3 fours, and there are 2: the challenge is right",
        "player 0 loses a die",
        "round 2 begins",
    ]
    assert found[5] == "player 0 rolls a hidden number"
    assert found[6].startswith("player 1 rolls ")
    model, state = position([4], [2], player=1, bids=[(1, 4)], one_round=True)
    assert told(model, state, "challenge")[2:5] == [
        "the bid was 1 four, and there is 1: the challenge is wrong",
        "player 1 loses a die",
        "player 1 is out",
    ]
