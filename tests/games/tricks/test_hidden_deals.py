"""Deals of hidden cards are uniform over all deals that fit, which small decks let us list; and the rules of tricks."""

from collections import Counter
from itertools import combinations
from math import sqrt

import pytest

from tag import Rng
from tag.catalogue.version import is_compiled
from tag.engine.rules import hidden_deals
from tag.engine.rules.hidden_deals import count_deals, deal_by_counting, deal_hidden, draw_cards
from tag.engine.rules.tricks import (
    ALL_CARDS,
    BIT,
    CARD_NAMES,
    CLUBS,
    DIAMONDS,
    HEARTS,
    SPADES,
    SUIT,
    card_names,
    card_of,
    cards_in,
    following,
    highest,
    owner,
    taker,
)
from tag.errors import ContractError

pytestmark = pytest.mark.flow


def cards(names):
    """Return a set of cards: ``2c Qs``."""
    return sum(BIT[CARD_NAMES.index(name)] for name in names.split())


def deals(pool, needs, may_hold, seat=0):
    """Return all deals that fit, as tuples of sets."""
    if seat == len(needs):
        return [()] if pool == 0 else []
    found = []
    for chosen in combinations(cards_in(pool & may_hold[seat]), needs[seat]):
        hand = sum(BIT[card] for card in chosen)
        found += [(hand, *rest) for rest in deals(pool ^ hand, needs, may_hold, seat + 1)]
    return found


def without(*suits, also=0):
    """Return the cards that a player may hold who has none of some suits."""
    return ALL_CARDS & ~sum(SUIT[suit] for suit in suits) & ~also


FREE = ALL_CARDS
QUEEN = cards("Qs")
#: Pools, needs, and what may be held.
CASES = {
    "no rules": ("2c 3d 4h 5s 6c 7d", [0, 2, 2, 2], [FREE] * 4),
    "one suit out": ("2c 3c 4h 5s 6c 7d", [2, 0, 2, 2], [without(CLUBS), FREE, FREE, FREE]),
    "two players, two suits": ("2c 3c 4d 5d 6s 7s 8h", [2, 2, 3], [without(CLUBS), without(DIAMONDS), FREE]),
    "a certain card": ("2c 3c 4h 5s Qs 7d", [2, 2, 2], [FREE & ~QUEEN, FREE, FREE & ~QUEEN]),
    "three classes that overlap": (
        "2c 3c 4d 5d 6h 7h 8s",
        [3, 2, 2],
        [without(CLUBS), without(DIAMONDS), without(HEARTS)],
    ),
    "only points": ("2h 3h Qs 5s 6c 7d", [2, 2, 2], [SUIT[HEARTS] | QUEEN, FREE, FREE]),
    "four others": (
        "2c 3c 4d 5h 6s 7s 8s",
        [2, 2, 0, 2, 1],
        [without(SPADES), FREE, FREE, without(CLUBS, HEARTS), FREE],
    ),
    "nearly forced": ("2c 3c 4d 5d 6d 7h", [2, 2, 2], [without(HEARTS), without(CLUBS, HEARTS), FREE]),
}


def surprise(expected, found):
    """Return by how many standard deviations the chi-square of the deals ``found`` exceeds its mean."""
    each = sum(found.values()) / len(expected)
    assert found.keys() <= set(expected)
    chi_square = sum((found[deal] - each) ** 2 / each for deal in expected)
    return (chi_square - len(expected) + 1) / sqrt(2 * (len(expected) - 1))


@pytest.mark.parametrize("dealer", [deal_hidden, deal_by_counting])
@pytest.mark.parametrize("case", CASES)
def test_all_deals_that_fit_are_as_likely(case, dealer):
    names, needs, may_hold = CASES[case]
    pool, rng = cards(names), Rng(7)
    expected = deals(pool, needs, may_hold)
    assert len(expected) > 2
    found = Counter(tuple(dealer(pool, needs, may_hold, rng)) for _deal in range(30 * len(expected)))
    assert surprise(expected, found) < 4.5


@pytest.fixture
def draws_only(monkeypatch):
    """Let nothing be dealt by counting, so that only draws that do not fail are seen."""
    monkeypatch.setattr(hidden_deals, "deal_by_counting", None)


@pytest.mark.parametrize("case", CASES)
def test_draws_alone_are_as_likely(case, draws_only):
    if is_compiled():
        pytest.skip("compiled functions call each other")
    names, needs, may_hold = CASES[case]
    pool, rng = cards(names), Rng(8)
    expected = deals(pool, needs, may_hold)
    found = Counter(tuple(deal_hidden(pool, needs, may_hold, rng)) for _deal in range(40 * len(expected)))
    assert surprise(expected, found) < 4.5


@pytest.mark.parametrize("seed", range(40))
def test_deals_are_counted_right(seed):
    rng = Rng(seed)
    needs = [int(rng.below(4)) for _player in range(2 + rng.below(3))]
    pool = draw_cards(SUIT[CLUBS] >> 7 | SUIT[HEARTS] & SUIT[HEARTS] << 9 | cards("2d 3d 2s"), sum(needs), rng)
    may_hold = [without(*[suit for suit in range(4) if rng.below(3) == 0]) for _player in needs]
    assert count_deals(pool, needs, may_hold) == len(deals(pool, needs, may_hold))


def test_whole_hands_are_counted_without_rounding():
    assert count_deals(ALL_CARDS, [13] * 4, [FREE] * 4) == 53644737765488792839237440000
    assert count_deals(ALL_CARDS ^ cards("2d 2c"), [10] * 5, [FREE] * 5) == 48334775757901219912115629238400
    dealt = deal_by_counting(ALL_CARDS, [13] * 4, [FREE, without(CLUBS), FREE, without(HEARTS)], Rng(1))
    assert [len(cards_in(hand)) for hand in dealt] == [13] * 4
    assert not dealt[1] & SUIT[CLUBS]
    assert not dealt[3] & SUIT[HEARTS]


def test_where_one_suit_is_out_for_one_player_each_card_is_one_draw():
    rng, other = Rng(3), Rng(3)
    deal_hidden(ALL_CARDS ^ cards("2c 3c 4c 5c"), [12] * 4, [without(CLUBS), FREE, FREE, FREE], rng)
    for _card in range(47):  # the last one has one place
        other.below(2)
    assert rng.snapshot() == other.snapshot()


@pytest.mark.parametrize(
    ("needs", "may_hold"),
    [([1, 1], [FREE, FREE]), ([2, 1], [without(CLUBS), without(CLUBS)]), ([0, 3], [FREE, without(CLUBS)])],
)
def test_deals_that_do_not_exist_are_refused(needs, may_hold):
    with pytest.raises(ContractError, match="^no deal fits: "):
        deal_hidden(cards("2c 3d 4h"), needs, may_hold, Rng(1))


def test_some_cards_of_a_set_are_drawn_uniformly():
    rng = Rng(5)
    found = Counter(draw_cards(cards("2c 5d Qs Ah"), 2, rng) for _draw in range(600))
    assert len(found) == 6
    assert surprise(list(found), found) < 4


def test_suit_is_followed_if_there_is_a_card_of_it():
    hand = cards("2c 9c Qs Ah")
    assert card_names(following(hand, CLUBS)) == ("2c", "9c")
    assert following(hand, DIAMONDS) == hand


@pytest.mark.parametrize(
    ("trick", "led", "trump", "card"),
    [
        ("2c 9c Tc 3c", CLUBS, -1, "Tc"),
        ("2c Ad Ah As", CLUBS, -1, "2c"),
        ("Ac 2s 3s Kc", CLUBS, SPADES, "3s"),
        ("Ac Kd 3c Kc", CLUBS, SPADES, "Ac"),
        ("As 2s 3d Kc", SPADES, SPADES, "As"),
    ],
)
def test_the_highest_trump_or_card_of_the_suit_led_takes_the_trick(trick, led, trump, card):
    taken = taker(cards(trick), led, trump)
    assert card_names(taken) == (card,)
    hands = [cards(name) for name in trick.split()]
    assert owner(hands, taken) == trick.split().index(card)


def test_cards_and_bits():
    assert [card_of(BIT[card]) for card in range(52)] == list(range(52))
    assert [highest(BIT[card] | BIT[card // 2] | 1) for card in range(52)] == BIT
    assert (highest(0), owner([0, 0], 1)) == (0, -1)
