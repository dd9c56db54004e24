"""Small sets as machine integers."""

import pytest
from hypothesis import given
from hypothesis.strategies import integers, lists

from tag.engine.bits import bit_count, bit_place, packed_size

SETS = integers(0, (1 << 62) - 1)


@given(SETS)
def test_bits_are_counted(members):
    assert bit_count(members) == members.bit_count()


@given(SETS)
def test_each_bit_has_a_place(members):
    places = [place for place in range(62) if members >> place & 1]
    assert [bit_place(members, number, 1) for number in range(len(places))] == places


@pytest.mark.parametrize("step", [2, 4, 6])
@given(places=integers(1, (1 << 10) - 1))
def test_places_may_be_several_bits_apart(step, places):
    members = sum(1 << step * place for place in range(10) if places >> place & 1)
    for number in range(places.bit_count()):
        assert bit_place(members, number, step) == bit_place(places, number, 1)


@given(lists(integers(0, 15), max_size=15))
def test_numbers_of_four_bits_are_added(numbers):
    assert packed_size(sum(number << 4 * place for place, number in enumerate(numbers))) == sum(numbers)
