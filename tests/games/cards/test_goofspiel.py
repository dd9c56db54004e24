"""Goofspiel: each rule, bids that are hidden, games beside OpenSpiel's, and small games that are solved."""

from collections import Counter
from functools import cache
from itertools import permutations, product
from math import sqrt

import numpy as np
import pytest
from play.measuring import random_game, scripted
from play.telling import told
from play.valuing import features_of
from scipy.optimize import linprog

from tag import Rng, interned, make_agent, make_game, make_heuristic
from tag.engine.results import DRAW, LOSE, WIN
from tag.games.cards.goofspiel import Goofspiel, GoofspielHeuristicParameters, GoofspielParameters
from tag.games.cards.goofspiel.actions import Bid
from tag.games.cards.goofspiel.data import EQUAL, HIGHER, LOWER, deal_bids
from tag.tournaments.statistics.exploitability.game_tree import grow
from tag.tournaments.statistics.exploitability.measure import exploitability
from tag.tournaments.statistics.exploitability.policies import exact_policy
from tag.tournaments.statistics.exploitability.sequence_form import solved

BIDS = [interned(Bid(card)) for card in range(21)]


def model_of(**rules):
    return Goofspiel(GoofspielParameters(**rules))


def listed(cards):
    return [card for card in range(21) if cards >> card & 1]


def position(model, offer, prizes, hands, points=None):
    """Return the position with these prizes on offer and to come, and these hands."""
    state = model.setup(len(hands), Rng(1))
    state.offer = sum(1 << card for card in offer)
    state.prizes = sum(1 << card for card in prizes)
    state.hands = tuple(sum(1 << card for card in hand) for hand in hands)
    state.points = tuple(points or [0] * len(hands))
    return state


def bid(model, state, *cards, rng=None):
    for player, card in enumerate(cards):
        assert state.current_player == player
        assert BIDS[card] in model.available_actions(state)
        model.next(state, BIDS[card], rng or Rng(1))


# --- the rules ---------------------------------------------------------------------------------------------------------


def test_the_printed_game():
    state = make_game("goofspiel").setup(3, Rng(4))
    assert [listed(hand) for hand in state.hands] == [list(range(1, 14))] * 3
    assert len(listed(state.offer)) == 1
    assert sorted(listed(state.offer | state.prizes)) == list(range(1, 14))


@pytest.mark.parametrize(
    ("cards", "ties", "points", "offer"),
    [
        ((3, 1), "carry", [4, 0], [2]),
        ((1, 3), "carry", [0, 4], [2]),
        ((2, 2), "carry", [0, 0], [2, 4]),
        ((2, 2), "discard", [0, 0], [2]),
        ((1, 2, 3), "carry", [0, 0, 4], [2]),
        ((3, 3, 1), "carry", [0, 0, 0], [2, 4]),
        ((3, 3, 1), "discard", [0, 0, 0], [2]),
        ((1, 1, 3), "discard", [0, 0, 4], [2]),
    ],
)
def test_the_only_highest_bid_wins(cards, ties, points, offer):
    model = model_of(cards=4, ties=ties, prizes="descending")
    state = position(model, [4], [1, 2], [[1, 2, 3]] * len(cards))
    bid(model, state, *cards)
    assert (list(state.points), listed(state.offer)) == (points, offer)
    assert [listed(hand) for hand in state.hands] == [[card for card in (1, 2, 3) if card != mine] for mine in cards]


def test_prizes_that_stay_are_won_together_or_by_none():
    model = model_of(cards=4, prizes="ascending")
    for last, points in (((2, 3), [0, 7]), ((3, 3), [0, 0])):
        state = position(model, [3], [4], [[1, *last[:1]], [1, *last[1:]]])
        state.round = 2
        bid(model, state, 1, 1)
        assert listed(state.offer) == [3, 4]
        bid(model, state, *last)
        assert state.is_terminal
        assert list(state.points) == points
        assert state.result(1) == (WIN if points[1] else DRAW)


def test_the_most_points_win_and_equal_points_draw():
    model = model_of(cards=4)
    state = position(model, [1], [], [[1], [2], [3]], [5, 3, 4])
    state.round = 3
    bid(model, state, 1, 2, 3)
    assert [state.result(player) for player in range(3)] == [DRAW, LOSE, DRAW]
    assert [state.ordinal(player) for player in range(3)] == [1, 3, 1]


@pytest.mark.parametrize(("order", "expected"), [("ascending", [1, 2, 3, 4, 5]), ("descending", [5, 4, 3, 2, 1])])
def test_prizes_in_order(order, expected):
    model = model_of(cards=5, prizes=order, ties="discard")
    state, seen = model.setup(2, Rng(3)), []
    while not state.is_terminal:
        seen += listed(state.offer)
        bid(model, state, *[listed(hand)[0] for hand in state.hands])
    assert seen == expected


def test_each_order_of_prizes_is_as_likely():
    model, found = model_of(cards=3, ties="discard"), Counter()
    for seed in range(1200):
        rng, seen = Rng(seed), ()
        state = model.setup(2, rng)
        while not state.is_terminal:
            seen += tuple(listed(state.offer))
            bid(model, state, *[listed(hand)[0] for hand in state.hands], rng=rng)
        found[seen] += 1
    assert set(found) == set(permutations((1, 2, 3)))
    assert all(abs(number - 200) < 4.5 * sqrt(200 * 5 / 6) for number in found.values())


@pytest.mark.parametrize(("rounds", "played"), [(0, 5), (2, 2), (9, 5)])
def test_a_game_may_have_fewer_rounds(rounds, played):
    state, log, _found = random_game(model_of(cards=5, rounds=rounds), "goofspiel", 2, 1)
    assert (state.round, len(log.actions)) == (played, 2 * played)


# --- hidden bids -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hidden", [False, True])
def test_a_bid_is_secret_until_all_have_chosen(hidden):
    model = model_of(cards=4, hidden=hidden)
    state, other = (position(model, [4], [1, 2, 3], [[1, 2, 3, 4]] * 3) for _copy in range(2))
    assert BIDS[3].text(state, 1) == "bid in secret"
    assert BIDS[3].text(state, 0) == "bid 3"
    bid(model, state, 3)
    bid(model, other, 1)
    for viewer in (1, 2):
        assert state.knowledge(viewer) == other.knowledge(viewer)
        assert state.text(viewer) == other.text(viewer)
        assert features_of(state, viewer, cards=4) == features_of(other, viewer, cards=4)
        found = Counter(state.observation(viewer, Rng(seed)).bids for seed in range(400))
        assert set(found) == {(card, 0, 0) for card in range(1, 5)}
        assert min(found.values()) > 60
    assert state.observation(0, Rng(1)).bids == (3, 0, 0)


@pytest.mark.parametrize("hidden", [False, True])
def test_the_order_of_asking_changes_nothing(hidden):
    """Each person bids by the round and an own number; who sits where makes no difference to what they win."""
    for seed in range(6):
        ends = set()
        for seats in permutations(range(3)):
            model, rng = model_of(cards=6, hidden=hidden), Rng(seed)
            state = model.setup(3, rng)
            while not state.is_terminal:
                rng.select(int(state.round))
                own = [Rng(100 * seed + 10 * int(state.round) + person) for person in seats]
                bid(model, state, *[own[seat].choice(listed(state.hands[seat])) for seat in range(3)], rng=rng)
            ends.add(tuple(sorted((person, state.points[seat]) for seat, person in enumerate(seats))))
        assert len(ends) == 1


def chi_square(found, expected):
    """Return the chi-square of what was found, all of ``expected`` being as likely, and its degrees of freedom."""
    assert set(found) <= set(expected)
    mean = sum(found.values()) / len(expected)
    return np.array([sum((found[one] - mean) ** 2 / mean for one in expected), len(expected) - 1])


def is_usual(total):
    """Say whether a sum of chi-squares is less than four standard deviations from its mean."""
    statistic, freedom = total
    return abs(statistic - freedom) < 4.0 * sqrt(2.0 * freedom)


def fits(bid_, kind, known):
    return (bid_ == known, bid_ < known, bid_ > known)[(EQUAL, LOWER, HIGHER).index(kind)]


@pytest.mark.parametrize(
    ("kinds", "known"),
    [
        ([HIGHER, LOWER, LOWER], [2, 5, 3]),
        ([LOWER, HIGHER, HIGHER, LOWER], [6, 1, 4, 4]),
        ([EQUAL, LOWER, HIGHER], [3, 4, 4]),
        ([LOWER, LOWER, LOWER], [4, 4, 5]),
        ([HIGHER, HIGHER, HIGHER, HIGHER], [2, 1, 3, 4]),
    ],
)
def test_hidden_bids_are_dealt_in_each_way_that_is_possible(kinds, known):
    possible = [
        cards
        for cards in permutations(range(1, 7), len(kinds))
        if all(fits(card, kind, other) for card, kind, other in zip(cards, kinds, known, strict=True))
    ]
    rng = Rng(6)
    found = Counter(tuple(deal_bids(6, kinds, known, rng)) for _deal in range(100 * len(possible)))
    assert is_usual(chi_square(found, possible))


@pytest.mark.flow
@pytest.mark.parametrize("n_players", [2, 3])
def test_observations_deal_all_bids_that_agree_with_what_was_told(n_players):
    model, total = model_of(cards=4, hidden=True), np.zeros(2)
    for seed in range(20):
        rng = Rng(seed)
        state = model.setup(n_players, rng)
        while state.round < 3:
            model.next(state, model.random_action(state, rng), rng)
        for viewer in range(n_players):
            possible = set()
            for columns in product(permutations(range(1, 5), 3), repeat=n_players - 1):
                own = tuple(bids[viewer] for bids in state.past)
                bids = tuple(zip(*columns[:viewer], own, *columns[viewer:], strict=True))
                if [state.shown(one) for one in bids] == [state.shown(one) for one in state.past]:
                    possible.add(bids)
            if 2 < len(possible) < 50:
                found = Counter(state.observation(viewer, rng).past for _deal in range(40 * len(possible)))
                total += chi_square(found, possible)
    assert is_usual(total)
    assert total[1] > 50


@pytest.mark.parametrize("n_players", [2, 3, 10])
def test_hidden_bids_of_long_games_agree_with_what_was_told(n_players):
    model, rng = model_of(hidden=True), Rng(n_players)
    state = model.setup(n_players, rng)
    while not state.is_terminal:
        if state.is_unresolved():
            viewer = rng.below(n_players)
            seen = state.observation(viewer, rng)
            assert seen.knowledge(viewer) == state.knowledge(viewer)
            for seat in range(n_players):
                used = [bids[seat] for bids in seen.past]
                assert sorted(used + listed(seen.hands[seat])) == list(range(1, 14))
                assert not seen.bids[seat] or seen.hands[seat] >> seen.bids[seat] & 1
        model.next(state, model.random_action(state, rng), rng)


@pytest.mark.parametrize("ties", ["carry", "discard"])
def test_beliefs_follow_the_prize_that_was_turned_up(ties):
    model = model_of(cards=6, ties=ties)
    state = position(model, [4], [1, 2, 3, 5, 6], [list(range(1, 7))] * 2)
    bid(model, state, 2)
    after = []
    for seed in range(8):
        other = state.copy()
        model.next(other, BIDS[2], Rng(seed))
        after.append(other)
    assert len({int(other.offer) for other in after}) > 2
    for other in after[1:]:
        assert other.match_chance(after[0], 0) == 1.0
        assert other.knowledge(0) == after[0].knowledge(0)


# --- beside OpenSpiel --------------------------------------------------------------------------------------------------

BESIDE = [
    (2, {}),
    (2, {"hidden": True}),
    (3, {"prizes": "ascending"}),
    (5, {"prizes": "descending", "cards": 7}),
    (10, {"cards": 4}),
    (2, {"rounds": 4, "cards": 9}),
]


def beside_open_spiel(n_players, rules, games):
    """Play random games of both; return the number of bids."""
    pyspiel = pytest.importorskip("pyspiel")
    model = model_of(ties="discard", **rules)
    cards = rules.get("cards", 13)
    other_game = pyspiel.load_game(
        f"goofspiel(players={n_players},num_cards={cards},points_order={rules.get('prizes', 'random')},"
        f"num_turns={rules.get('rounds', -1)},imp_info={rules.get('hidden', False)},returns_type=total_points)"
    )
    played = 0
    for seed in range(games):
        rng = Rng(seed)
        state, other = model.setup(n_players, rng), other_game.new_initial_state()
        while not other.is_terminal():
            if other.is_chance_node():
                assert [card - 1 for card in listed(state.offer | state.prizes)] == other.legal_actions()
                other.apply_action(listed(state.offer)[0] - 1)
            chosen = [rng.choice(listed(hand)) for hand in state.hands]
            for player, card in enumerate(chosen):
                actions = [action.card - 1 for action in model.available_actions(state)]
                assert actions == other.legal_actions(player)
                model.next(state, BIDS[card], rng)
            other.apply_actions([card - 1 for card in chosen])
            played += n_players
        if not state.is_terminal:  # the last bids are no choice, and OpenSpiel makes them itself
            bid(model, state, *[listed(hand)[0] for hand in state.hands])
        assert state.is_terminal
        assert other.returns() == [float(points) for points in state.points]
    return played


@pytest.mark.parametrize(("n_players", "rules"), BESIDE)
def test_games_are_those_of_open_spiel(n_players, rules):
    assert beside_open_spiel(n_players, rules, 15) > 100


@pytest.mark.slow
def test_100000_bids_are_those_of_open_spiel():
    assert sum(beside_open_spiel(players, rules, 700) for players, rules in BESIDE) > 100_000


# --- solved games ------------------------------------------------------------------------------------------------------


def solved_matrix(matrix):
    """Return the value of a matrix game for the row player, and its best mixture of rows."""
    rows, columns = matrix.shape
    found = linprog(
        [*[0.0] * rows, -1.0],
        A_ub=np.hstack([-matrix.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=[[*[1.0] * rows, 0.0]],
        b_eq=[1.0],
        bounds=[*[(0, None)] * rows, (None, None)],
    )
    assert found.success
    return found.x[-1], found.x[:-1]


@cache
def value_of(mine, theirs, prizes, prize):
    """Return the difference of points that is to come with best play, and the bids of the first player.

    Written from the rules alone: hands and prizes are sorted tuples, equal bids throw the prize away, any prize is next.
    """
    matrix = np.zeros((len(mine), len(theirs)))
    for row, own in enumerate(mine):
        for column, other in enumerate(theirs):
            hands = (tuple(card for card in mine if card != own), tuple(card for card in theirs if card != other))
            ahead = [value_of(*hands, tuple(one for one in prizes if one != card), card)[0] for card in prizes]
            now = prize * ((own > other) - (own < other))
            matrix[row, column] = now + (sum(ahead) / len(ahead) if ahead else 0.0)
    value, bids = solved_matrix(matrix)
    return value, tuple(bids)


def equilibrium(tree):
    """Return the policy of both players by linear programs for each position, in the order of the tree's decisions."""
    policy = []
    for decision in tree.information_sets:
        state = decision.state
        hands = tuple(tuple(listed(hand)) for hand in state.hands)
        mine, theirs = hands if decision.player == 0 else hands[::-1]
        policy += value_of(mine, theirs, tuple(listed(state.prizes)), listed(state.offer)[0])[1]
    return np.clip(np.array(policy), 0.0, None)


def lead_tree(cards, **rules):
    """Return the tree of a game of two players in which the ends are worth the lead."""
    tree = grow(model_of(cards=cards, ties="discard", **rules), 2)
    tree.form.values[:] = tree.form.values - tree.form.values[:, ::-1]
    return tree


def test_linear_programs_of_all_positions_leave_best_responses_no_gain():
    tree = lead_tree(3)
    found = exploitability(tree, "programs", exact_policy(tree, equilibrium(tree)))
    assert found.value == pytest.approx(0.0, abs=1e-9)
    assert tree.form.expected(equilibrium(tree)) == pytest.approx([0.0, 0.0], abs=1e-9)


@pytest.mark.slow
def test_so_it_is_with_four_cards():
    tree = lead_tree(4)
    assert exploitability(tree, "programs", exact_policy(tree, equilibrium(tree))).value == pytest.approx(0.0, abs=1e-9)


@pytest.mark.flow
@pytest.mark.parametrize("cards", [3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_the_game_is_fair_and_a_higher_hand_is_worth_points(cards):
    """By linear programs: 0 from the start by symmetry, and more for the player who has spent the lower card."""
    everything = tuple(range(1, cards + 1))
    for prize in everything:
        rest = tuple(one for one in everything if one != prize)
        assert value_of(everything, everything, rest, prize)[0] == pytest.approx(0.0, abs=1e-9)
    low, high = everything[:-1], everything[1:]
    assert value_of(high, low, everything[1:-1], everything[-1])[0] > 1.0


@pytest.mark.parametrize(("cards", "rules"), [(3, {}), (3, {"hidden": True}), (3, {"prizes": "descending"})])
def test_random_play_is_as_exploitable_as_in_open_spiel(cards, rules):
    pyspiel = pytest.importorskip("pyspiel")
    loaded = pyspiel.load_game(
        f"goofspiel(num_cards={cards},points_order={rules.get('prizes', 'random')},"
        f"imp_info={rules.get('hidden', False)},returns_type=point_difference)"
    )
    other = pyspiel.convert_to_turn_based(loaded)
    tree = lead_tree(cards, **rules)
    ours = exploitability(tree, "random", exact_policy(tree, tree.form.uniform())).value
    # There a point is half a point: returns are points less the mean of both players.
    assert ours == pytest.approx(pyspiel.nash_conv(other, pyspiel.UniformRandomPolicy(other)))
    assert ours > 1.0


def test_counterfactual_regrets_solve_hidden_bids():
    tree = lead_tree(3, hidden=True)
    policy = solved(tree.form, 300)
    assert exploitability(tree, "cfr", exact_policy(tree, policy)).value < 0.02
    assert tree.form.expected(policy)[0] == pytest.approx(0.0, abs=0.02)


# --- bots, heuristic and metric ----------------------------------------------------------------------------------------


@cache
def best_against_random(mine, theirs, prizes, prize):
    """Return the greatest expected lead against random bids, and that of matching the prize."""
    best, matched = [], 0.0
    for own in mine:
        totals = [0.0, 0.0]
        for other in theirs:
            hands = (tuple(card for card in mine if card != own), tuple(card for card in theirs if card != other))
            ahead = [best_against_random(*hands, tuple(one for one in prizes if one != card), card) for card in prizes]
            now = prize * ((own > other) - (own < other))
            for kind in range(2):
                later = sum(one[kind] for one in ahead) / len(ahead) if ahead else 0.0
                totals[kind] += (now + later) / len(theirs)
        best.append(totals[0])
        matched = totals[1] if own == prize else matched
    return max(best), matched


def test_no_bids_do_better_against_random_ones_than_matching():
    """Ross's theorem, by all games of four cards."""
    for prize in range(1, 5):
        everything = (1, 2, 3, 4)
        best, matched = best_against_random(everything, everything, tuple({*everything} - {prize}), prize)
        assert matched == pytest.approx(best)
        assert best > 1.0


def played(game, *names, seed=1):
    model = make_game(game)
    rng, agents = Rng(seed), [make_agent(name) for name in names]
    state = model.setup(len(agents), rng)
    while not state.is_terminal:
        actions = model.available_actions(state)
        action = agents[state.current_player].act(state.observation(state.current_player, rng), actions)
        model.next(state, action, rng)
    return state


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("rules", ["", "ties=discard,", "prizes=ascending,"])
def test_one_higher_takes_all_but_the_last_prize_from_match(seed, rules):
    state = played(f"goofspiel:{rules}hidden=true", "goofspiel:match", "goofspiel:one_higher", seed=seed)
    assert state.points == (13, 91 - 13)


def test_match_bids_the_nearest_card_for_prizes_that_have_stayed():
    model, match = model_of(cards=6), make_agent("goofspiel:match")
    for offer, hand, wanted in (([4], [3, 5], 5), ([2], [1, 6], 1), ([1, 2], [1, 3, 5], 3), ([4, 5], [1, 6], 6)):
        state = position(model, offer, [], [hand, hand])
        assert match.act(state, model.available_actions(state)) is BIDS[wanted]


def test_the_heuristic_divides_prizes_by_hands():
    model = model_of(cards=4)
    state = position(model, [2], [4], [[1, 4], [2, 3]], [3, 1])
    even = make_heuristic("goofspiel").value(state, 0)
    assert even == pytest.approx((3 + 6 * 5 / 10 - (1 + 6 * 5 / 10)) / 10)
    state = position(model, [2], [4], [[3, 4], [1, 2]], [3, 1])
    heuristic = make_heuristic("goofspiel:hand=0.5,rivals=0.5")
    assert heuristic.parameters == GoofspielHeuristicParameters(hand=0.5, rivals=0.5)
    mine, theirs = 3 + 0.5 * 6 * 7 / 10, 1 + 0.5 * 6 * 3 / 10
    assert heuristic.value(state, 0) == pytest.approx((mine - 0.5 * theirs) / 10)
    assert heuristic.value(state, 1) == pytest.approx((theirs - 0.5 * mine) / 10)


def test_features_name_cards_and_hide_hands_that_are_hidden():
    for hidden in (False, True):
        model = model_of(cards=4, hidden=hidden)
        state = position(model, [2], [3], [[1, 4], [2, 3]], [5, 1])
        bid(model, state, 4)
        named = model.features().named(state, 1)
        assert [name for name, value in named.items() if name.startswith("card") and value] == (
            ["card_2_0", "card_3_0"] + ([] if hidden else ["card_1_1", "card_4_1"])
        )
        assert (named["stake"], named["bid"], named["lead"], named["to_come_3"]) == (2.0, 0.0, -4.0, 1.0)
        assert model.features().named(state, 0)["bid"] == 4.0


def test_the_metric_counts_ties_and_overbids():
    model = model_of(cards=3, prizes="ascending", ties="discard")
    state = model.setup(2, Rng(1))
    found = scripted(model, "goofspiel", state, "bid 2", "bid 2", "bid 1", "bid 3", "bid 3", "bid 1")
    assert found == {"ties": [1 / 3], "unwon": [1 / 6], "overbids": [3 / 6]}


def test_what_is_told():
    model = model_of(cards=4, prizes="descending")
    state = position(model, [3], [1, 2], [[1, 2, 3]] * 2)
    assert told(model, state, "bid 3") == []
    bid(model, state, 3)
    assert told(model, state, "bid 1") == [
        "player 0 bids 3",
        "player 1 bids 1",
        "player 0 wins prize 3",
        "on offer: prize 2",
    ]
    tied = ["player 0 bids 3", "player 1 bids 3"]
    tied += ["the highest bids are equal, and no player wins the prizes: they stay on offer"]
    assert told(model, state, "bid 3") == [*tied, "on offer: prize 2, prize 3"]


@pytest.mark.parametrize(("n_players", "highest"), [(2, "player 0"), (3, "3 of player 0")])
def test_who_has_made_the_highest_of_hidden_bids_is_told(n_players, highest):
    model = model_of(cards=4, hidden=True, prizes="ascending")
    state = position(model, [3], [4], [[1, 3]] * n_players)
    bid(model, state, 3, *[1] * (n_players - 2))
    found = told(model, state, "bid 1", 1)
    assert found[0] == "player 0 bids a card"
    assert found[1] == "player 1 bids 1"
    assert found[n_players:] == [f"the highest bid: {highest}", "player 0 wins prize 3", "on offer: prize 4"]
