"""Poker: the strength of hands, against sorting and against the known numbers of hands."""

from collections import Counter
from itertools import combinations, pairwise, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from poker_positions import card_set, cards, worth

from tag.engine.rng import Rng
from tag.games.cards.poker.data import CATEGORIES, CATEGORY_BIT, DECK, NAMES, category, names, strength

pytestmark = pytest.mark.flow

#: Rising hands of all categories, with the pairs of them that are easy to get wrong.
RISING = [
    "7c 5d 4h 3s 2c",
    "8c 5d 4h 3s 2c",
    "Ac Kd Qh Js 9c",
    "2c 2d 3h 4s 5c",
    "2c 2d Ah 4s 5c",
    "Ac Ad 2h 3s 4c",
    "2c 2d 3h 3s 4c",
    "2c 2d Ah As 3c",
    "Ac Ad Kh Ks 2c",
    "Ac Ad Kh Ks Qc",
    "2c 2d 2h 3s 4c",
    "Ac Ad Ah Ks Qc",
    "Ac 2d 3h 4s 5c",
    "2c 3d 4h 5s 6c",
    "Tc Jd Qh Ks Ac",
    "2c 3c 4c 5c 7c",
    "Ac Kc Qc Jc 9c",
    "2c 2d 2h 3s 3c",
    "2c 2d 2h As Ac",
    "3c 3d 3h 2s 2c",
    "2c 2d 2h 2s 3c",
    "Ac Ad Ah As Kc",
    "Ac 2c 3c 4c 5c",
    "2c 3c 4c 5c 6c",
    "Tc Jc Qc Kc Ac",
]
#: Five of 52 cards by category, and the hands of each that differ in strength.
NUMBERS = [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40]
CLASSES = [1277, 2860, 858, 858, 10, 1277, 156, 156, 10]


def random_hands(number, size, seed):
    """Return random hands of so many cards."""
    rng = Rng(seed)
    found = []
    for _hand in range(number):
        deck = DECK[:]
        rng.shuffle(deck)
        found.append(deck[:size])
    return found


def assert_ordered_like_sorting(hands):
    """Compare the order of strengths with that of the values by sorting, for all hands at once."""
    by_strength, by_worth = {}, {}
    for hand in hands:
        strong, sorted_value = strength(card_set(hand)), worth(hand)
        assert strong >> CATEGORY_BIT == sorted_value[0], names(hand)
        assert by_strength.setdefault(strong, sorted_value) == sorted_value, names(hand)
        assert by_worth.setdefault(sorted_value, strong) == strong, names(hand)
    for lower, higher in pairwise(sorted(by_strength)):
        assert by_strength[lower] < by_strength[higher]


def test_categories_and_ties_are_ordered_as_in_the_rule_books():
    """Robert's Rules (ranks of hands): the categories, and an ace below a two in a straight only."""
    found = [strength(card_set(cards(hand))) for hand in RISING]
    assert found == sorted(set(found))
    assert [CATEGORIES[kind] for kind in sorted({value >> CATEGORY_BIT for value in found})] == CATEGORIES


@pytest.mark.parametrize(
    ("hand", "same_as"),
    [
        ("Ac Kc Qc Jc 9c 8c 2d", "Ad Kd Qd Jd 9d"),  # of six of a suit the best five
        ("2c 3c 4c 5c 6c 7d 8d", "2h 3h 4h 5h 6h"),  # a straight flush although there is a higher straight
        ("2c 2d 2h 3s 3c 3d Ac", "3h 3s 3c 2d 2c"),  # of two threes the lower one is the pair
        ("Kc Kd Qh Qs Jc Jd Ac", "Kh Ks Qc Qd Ah"),  # of three pairs two, and the best other card
        ("Kc Kd Qh Qs Jc Jd 2c", "Kh Ks Qc Qd Jh"),  # which can be of the third pair
        ("Qc Kc Ac 2d 3d 4h 6s", "Ad Kd Qd 6c 4c"),  # no straight around the ace
        ("Ac 2d 3h 4s 5c 6d 9c", "2c 3c 4c 5c 6h"),  # not the ace below the two if there is better
        ("5c 5d 5h 5s Kc Kd Ah", "5c 5d 5h 5s Ac"),  # four of a kind and the best other card
    ],
)
def test_the_best_five_of_seven_count(hand, same_as):
    """Robert's Rules, section 5 (hold'em): any combination of the seven cards."""
    assert strength(card_set(cards(hand))) == strength(card_set(cards(same_as)))


def test_suits_have_no_order():
    """Robert's Rules (ties): suits break no tie; cards are compared by rank."""
    for hand in RISING:
        values = set()
        for suits in permutations("cdhs"):
            changed = "".join(suits["cdhs".index(letter)] if letter in "cdhs" else letter for letter in hand)
            values.add(strength(card_set(cards(changed))))
        assert len(values) == 1


def test_a_sample_of_hands_is_ordered_like_sorting():
    assert_ordered_like_sorting(random_hands(2_500, 7, seed=1))
    assert_ordered_like_sorting(random_hands(2_500, 5, seed=2))
    assert_ordered_like_sorting(random_hands(500, 6, seed=3))


def test_a_sample_of_five_cards_has_the_categories_as_often_as_it_should():
    """Each hand of every 40th of all combinations."""
    found = Counter(category(card_set(hand)) for number, hand in enumerate(combinations(DECK, 5)) if number % 40 == 0)
    total = sum(found.values())
    for kind, expected in enumerate(NUMBERS):
        share = expected / sum(NUMBERS)
        assert abs(found[kind] - total * share) < 5 * (total * share) ** 0.5 + 1


@settings(derandomize=True, deadline=None, max_examples=150)
@given(st.permutations(range(52)).map(lambda deck: deck[:7]))
def test_more_cards_never_make_a_hand_weaker(hand):
    values = [strength(card_set(hand[:size])) for size in (5, 6, 7)]
    assert values == sorted(values)
    assert len(NAMES) == 52


@pytest.mark.slow
def test_all_hands_of_five_cards_fall_into_7462_classes_of_the_known_sizes():
    bits = [1 << card for card in DECK]
    found = Counter(strength(sum(five)) for five in combinations(bits, 5))
    sizes, classes = Counter(), Counter()
    for value, number in found.items():
        sizes[value >> CATEGORY_BIT] += number
        classes[value >> CATEGORY_BIT] += 1
    assert [sizes[kind] for kind in range(9)] == NUMBERS
    assert [classes[kind] for kind in range(9)] == CLASSES
    assert len(found) == 7462


@pytest.mark.slow
def test_a_hundred_thousand_hands_are_ordered_like_sorting():
    assert_ordered_like_sorting(random_hands(100_000, 7, seed=4))
