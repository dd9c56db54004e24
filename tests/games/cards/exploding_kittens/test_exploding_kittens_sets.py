"""Sets of cards of Exploding Kittens as one number, compared with plain lists."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tag.games.cards.exploding_kittens import ExplodingKittensParameters
from tag.games.cards.exploding_kittens.data import (
    N_KINDS,
    card_at,
    count,
    counts,
    different,
    listed,
    packed,
    size,
    unit,
    without_one_of_each,
)

#: Up to fifteen cards of each kind, in order.
CARDS = st.lists(st.integers(0, 15), min_size=N_KINDS, max_size=N_KINDS).map(
    lambda numbers: [kind for kind, number in enumerate(numbers) for _copy in range(number)]
)


@given(CARDS)
def test_sets_say_what_lists_say(cards):
    one = packed(cards)
    assert listed(one) == cards
    assert size(one) == len(cards)
    assert [count(one, kind) for kind in range(N_KINDS)] == [cards.count(kind) for kind in range(N_KINDS)]
    assert different(counts(one)) == len(set(cards))
    assert [card_at(one, place) for place in range(len(cards))] == cards
    assert one < 2**62


@given(CARDS)
def test_a_set_is_the_sum_of_its_cards(cards):
    assert packed(cards) == sum(map(unit, cards))


@given(CARDS)
def test_without_one_of_each_leaves_what_is_certain(cards):
    left = Counter(cards) - Counter(set(cards))
    assert listed(without_one_of_each(packed(cards))) == sorted(left.elements())


def test_no_deck_has_more_cards_of_a_kind_than_a_set_can_hold():
    ranges = {dimension.name: dimension for dimension in ExplodingKittensParameters.dimensions()}
    kinds = ["defuses", "attacks", "skips", "favors", "shuffles", "see_the_futures", "nopes", "cats"]
    assert all(ranges[name].high <= 15 for name in kinds)
