"""What observations of Catan deal again: hands between the bounds that all know, by enumeration, and development cards."""

from collections import Counter
from itertools import product
from math import factorial, sqrt

import pytest
from catan_positions import act, corners, give, held, hold, position

from tag import Rng, make_game
from tag.check import check_game
from tag.games.boards.catan.bounds import deal, tighten
from tag.games.boards.catan.data import CARD_NAMES, MAIN, RESOURCES, counts_of, pack, size_of


def surprise(found, expected):
    """Return by how many standard deviations a chi-square exceeds its mean; ``expected`` are relative weights."""
    assert set(found) <= set(expected)
    total, weights = sum(found.values()), sum(expected.values())
    means = {one: total * weight / weights for one, weight in expected.items()}
    chi_square = sum((found[one] - mean) ** 2 / mean for one, mean in means.items())
    return (chi_square - len(expected) + 1) / sqrt(2 * max(len(expected) - 1, 1))


def deals(least, most, sizes, totals):
    """Return all hands within the bounds, with the number of ways in which their uncertain cards are dealt."""
    ranges = [range(low, high + 1) for low, high in zip(least, most, strict=True)]
    found = {}
    for hands in product(*ranges):
        rows = [hands[first : first + 5] for first in range(0, len(hands), 5)]
        fits = all(sum(row) == size for row, size in zip(rows, sizes, strict=True))
        if fits and all(sum(row[kind] for row in rows) == totals[kind] for kind in range(5)):
            ways = 1.0
            for kind in range(5):
                free = [hands[place] - least[place] for place in range(kind, len(hands), 5)]
                ways *= factorial(sum(free))
                for number in free:
                    ways /= factorial(number)
            found[hands] = ways
    return found


def rows_of(hands):
    return [number for hand in hands for number in counts_of(hand)]


def robbed(*steals, n_players=4, hands=({}, {"wool": 2, "ore": 1}, {"grain": 2}, {"brick": 1, "lumber": 1}), seed=1):
    """Return a position after steals, as pairs of thief and victim."""
    _model, state = position(n_players)
    for seat, cards in enumerate(hands):
        give(state, seat, **cards)
    rng = Rng(seed)
    for thief, victim in steals:
        state.steal(thief, victim, rng)
    return state


# Bounds


def test_what_all_see_is_certain():
    _model, state = position()
    give(state, 1, wool=2, ore=1)
    state.pay(1, pack([0, 0, 1, 0, 0]))
    state.give(1, 2, pack([0, 0, 0, 0, 1]))
    assert state.least == state.most == state.hands


def test_a_stolen_card_is_uncertain_to_others_and_known_to_both():
    state = robbed((0, 1))
    assert [counts_of(cards) for cards in (state.least[1], state.most[1])] == [[0, 0, 1, 0, 0], [0, 0, 2, 0, 1]]
    assert [counts_of(cards) for cards in (state.least[0], state.most[0])] == [[0] * 5, [0, 0, 1, 0, 1]]
    for viewer in range(4):
        seen = {tuple(state.observation(viewer, Rng(seed)).hands) for seed in range(60)}
        assert len(seen) == (1 if viewer in (0, 1) else 2)


def test_a_card_stolen_from_equal_ones_is_certain():
    state = robbed((0, 2))
    assert state.least == state.most == state.hands


def test_costs_trades_and_answers_show_cards():
    for kind, name in ((2, "wool"), (4, "ore")):
        state = next(found for found in (robbed((0, 1), seed=s) for s in range(50)) if name in held(found, 0))
        state.pay(0, pack([int(kind == one) for one in range(5)]))
        assert state.least == state.most == state.hands
    state = robbed((0, 1))
    state.show(0, state.hands[0])
    assert state.least == state.most == state.hands


def test_a_monopoly_shows_who_had_the_kind():
    state = robbed((0, 1))
    state.monopolise(3, 4)
    assert state.least == state.most == state.hands


@pytest.mark.parametrize("n_players", [3, 4])
def test_bounds_hold_in_all_games_and_observations(n_players):
    model = make_game("catan")
    for seed in range(4):
        rng = Rng(seed)
        state = model.setup(n_players, rng)
        while not state.is_terminal:
            model.next(state, model.random_action(state, rng), rng)
            if state.is_terminal or state.tick % 7:
                continue
            viewer = state.tick % n_players
            seen = state.observation(viewer, rng)
            assert seen.hands[viewer] == state.hands[viewer]
            assert seen.cards[viewer] == state.cards[viewer]
            assert [size_of(hand) for hand in seen.hands] == [size_of(hand) for hand in state.hands]
            assert [size_of(cards) for cards in seen.cards] == [size_of(cards) for cards in state.cards]
            assert sum(seen.hands) == sum(state.hands)
            assert seen.deck + sum(seen.cards) == state.deck + sum(state.cards)
            assert seen.knowledge(viewer) == state.knowledge(viewer)
            for one in (state, seen):
                for low, number, high in zip(*map(rows_of, (one.least, one.hands, one.most)), strict=True):
                    assert low <= number <= high
                assert all(one.may_hold(seat, one.cards[seat]) for seat in range(n_players))


# Deals of hands


def test_bounds_follow_from_sizes_and_totals():
    least, most = [0] * 10, [2, 1, 0, 0, 0, 0, 1, 0, 0, 0]
    tighten(least, most, [2, 1], [2, 1, 0, 0, 0])
    assert least == most == [2, 0, 0, 0, 0, 0, 1, 0, 0, 0]


STEALS = (
    ((1, 2), (2, 1)),
    ((2, 1), (3, 2), (1, 3)),
    ((2, 1), (2, 1), (3, 1)),
    ((3, 1), (2, 3)),
)


@pytest.mark.flow
@pytest.mark.parametrize("steals", STEALS)
def test_all_deals_between_the_bounds_are_as_likely(steals):
    state = robbed(*steals)
    least, most = state.least[:], state.most[:]
    least[0] = most[0] = state.hands[0]
    rows, tops = rows_of(least), rows_of(most)
    sizes, totals = [size_of(hand) for hand in state.hands], counts_of(sum(state.hands))
    expected = deals(rows, tops, sizes, totals)
    rng = Rng(5)
    found = Counter(tuple(rows_of(state.observation(0, rng).hands)) for _draw in range(3_000))
    tighten(rows, tops, sizes, totals)
    assert deals(rows, tops, sizes, totals).keys() == expected.keys()  # narrower bounds leave out none
    assert surprise(found, deals(rows, tops, sizes, totals)) < 5
    assert set(Counter(tuple(deal(rows, tops, sizes, totals, rng)) for _draw in range(500))) <= set(expected)


def histories(hands, steals, own=None):
    """Return all hands to which steals can lead; the own hand is known at the end."""
    worlds = {tuple(tuple(hand) for hand in hands)}
    for thief, victim in steals:
        after = set()
        for world in worlds:
            for kind in range(5):
                if world[victim][kind]:
                    table = [list(hand) for hand in world]
                    table[victim][kind] -= 1
                    table[thief][kind] += 1
                    after.add(tuple(map(tuple, table)))
        worlds = after
    return {world for world in worlds if own is None or world[0] == own}


@pytest.mark.parametrize("steals", STEALS)
def test_each_hand_that_steals_can_lead_to_is_dealt(steals):
    start = [[0] * 5, [0, 0, 2, 0, 1], [0, 0, 0, 2, 0], [1, 1, 0, 0, 0]]
    state = robbed(*steals)
    possible = histories(start, steals, tuple(counts_of(state.hands[0])))
    rng = Rng(3)
    seen = {tuple(tuple(counts_of(hand)) for hand in state.observation(0, rng).hands) for _draw in range(2_000)}
    assert possible <= seen


def test_one_steal_is_dealt_exactly_as_it_can_have_been():
    start = [[0] * 5, [0, 0, 2, 0, 1], [0, 0, 0, 2, 0], [1, 1, 0, 0, 0]]
    state = robbed((2, 1))
    rng = Rng(3)
    seen = {tuple(tuple(counts_of(hand)) for hand in state.observation(0, rng).hands) for _draw in range(300)}
    assert seen == histories(start, [(2, 1)])


# Development cards


@pytest.mark.flow
def test_development_cards_are_dealt_from_all_that_were_not_played():
    _model, state = position()
    hold(state, 0, "knight", "monopoly")
    hold(state, 1, "victory point")
    hold(state, 2, "knight")
    rng = Rng(2)
    seen = [state.observation(0, rng) for _draw in range(4_000)]
    left = dict(zip(CARD_NAMES, (13, 2, 2, 1, 5), strict=True))
    pairs = Counter((counts_of(one.cards[1]).index(1), counts_of(one.cards[2]).index(1)) for one in seen)
    names = list(left)
    weights = {
        (a, b): left[names[a]] * (left[names[b]] - (a == b))
        for a in range(5)
        for b in range(5)
        if left[names[a]] * (left[names[b]] - (a == b))
    }
    assert surprise(pairs, weights) < 5
    assert {one.cards[0] for one in seen} == {state.cards[0]}


def test_no_card_is_dealt_with_which_a_player_would_have_won():
    _model, state = position(points=3)
    state.settle(1, corners(5)[0])
    state.settle(1, corners(15)[0])
    state.shown[1] = 2
    hold(state, 1, "knight")
    seen = [state.observation(0, Rng(seed)) for seed in range(200)]
    assert not any(counts_of(one.cards[1])[4] for one in seen)
    state.shown[1] = 1
    seen = [state.observation(0, Rng(seed)) for seed in range(200)]
    assert any(counts_of(one.cards[1])[4] for one in seen)


def test_cards_bought_in_this_turn_stay_so():
    model, state = position()
    hold(state, 0, "knight")
    give(state, 0, wool=1, grain=1, ore=1)
    act(model, state, "buy a development card")
    for seed in range(50):
        seen = state.observation(1, Rng(seed))
        assert size_of(seen.fresh) == 1
        assert all(new <= all_of for new, all_of in zip(counts_of(seen.fresh), counts_of(seen.cards[0]), strict=True))
    own = state.observation(0, Rng(1))
    assert (own.fresh, own.cards[0]) == (state.fresh, state.cards[0])


# Texts and events


def test_texts_tell_sizes_and_what_is_certain():
    state = robbed((0, 1))
    text = state.text(3)
    assert "hand 2, certain: 1 wool" in text
    assert "hand 1, certain: none" in text
    assert "hand 1 brick" not in text.partition("player 3")[0]
    assert RESOURCES[0] in text
    assert state.phase == MAIN


RULES = (
    "points=4,max_rounds=8",
    "points=6,max_rounds=15,trading=bank,hand_limit=3",
    "points=5,bank=12,offers=4",
)


@pytest.mark.heavy
@pytest.mark.parametrize("rules", RULES)
def test_observations_keep_the_contract_in_variants(rules):
    only = ["observation_knowledge", "observation_varies", "observation_blind", "observation_possible", "events_blind"]
    report = check_game(f"catan:{rules}", players=3, games=2, only=only)
    assert report.ok, str(report)


@pytest.mark.slow
@pytest.mark.parametrize("n_players", [3, 4])
def test_10000_observations_contradict_nothing_that_is_certain(n_players):
    model, rng, count = make_game("catan"), Rng(9), 0
    while count < 10_000:
        state = model.setup(n_players, rng)
        while not state.is_terminal:
            model.next(state, model.random_action(state, rng), rng)
            if not state.is_terminal:
                viewer = count % n_players
                assert state.observation(viewer, rng).knowledge(viewer) == state.knowledge(viewer)
                count += 1
