"""The generator against an independent sfc32, its derived streams and its uniformity."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tag.engine.rng import Rng, derive_seed, float_sum

MASK = 0xFFFFFFFF


def reference_sfc32(a: int, b: int, c: int, counter: int = 1, warm_up: int = 12):
    """Doty-Humphrey's sfc32 as its documentation states it, with unbounded integers."""
    drawn = 0
    while True:
        out = (a + b + counter) & MASK
        counter = (counter + 1) & MASK
        a = b ^ (b >> 9)
        b = (c + ((c << 3) & MASK)) & MASK
        c = ((((c << 21) & MASK) | (c >> 11)) + out) & MASK
        drawn += 1
        if drawn > warm_up:
            yield out


@given(st.integers(0, 2**63 - 1), st.integers(0, 2**32 - 1))
@settings(derandomize=True, deadline=None, max_examples=50)
def test_equals_the_reference(seed, stream):
    rng = Rng(seed, stream)
    reference = reference_sfc32(stream, seed & MASK, seed >> 32)
    assert [rng.next32() for _ in range(50)] == [next(reference) for _ in range(50)]


def test_the_numbers_are_pinned_for_every_build():
    rng = Rng(2026)
    assert [rng.next32() for _ in range(3)] == [1544625461, 1848362616, 759571729]


def test_select_goes_to_the_start_of_a_stream_whatever_was_drawn():
    rng = Rng(5, 3)
    first = [rng.next32() for _ in range(5)]
    rng.select(9)
    rng.select(3)
    assert [rng.next32() for _ in range(5)] == first


def test_snapshot_and_restore():
    rng = Rng(5)
    rng.next32()
    mark = rng.snapshot()
    drawn = [rng.below(100) for _ in range(10)]
    rng.restore(mark)
    assert [rng.below(100) for _ in range(10)] == drawn


def test_split_streams_differ():
    parent = Rng(1)
    one, two = parent.split(), parent.split()
    assert [one.next32() for _ in range(4)] != [two.next32() for _ in range(4)]


@pytest.mark.parametrize("n", [1, 2, 3, 7, 52])
def test_below_is_uniform(n):
    rng = Rng(n)
    draws = 20_000
    counts = Counter(rng.below(n) for _ in range(draws))
    assert set(counts) <= set(range(n))
    expected = draws / n
    chi_square = sum((counts[k] - expected) ** 2 / expected for k in range(n))
    assert chi_square < 2.5 * n + 15


def test_shuffle_makes_every_permutation_as_likely():
    rng = Rng(11)
    counts = Counter()
    for _ in range(12_000):
        items = [0, 1, 2]
        rng.shuffle(items)
        counts[tuple(items)] += 1
    assert len(counts) == 6
    assert max(counts.values()) - min(counts.values()) < 300


def test_uniform_is_in_the_unit_interval():
    rng = Rng(3)
    drawn = [rng.uniform() for _ in range(10_000)]
    assert 0.0 <= min(drawn) < 0.01
    assert 0.99 < max(drawn) < 1.0


def test_derived_seeds_depend_on_every_part_of_the_key():
    seeds = {derive_seed(1, "block", block) for block in range(1000)}
    seeds |= {derive_seed(2, "block", block) for block in range(1000)}
    seeds |= {derive_seed(1, "other", block) for block in range(1000)}
    assert len(seeds) == 3000
    assert all(0 <= seed < 2**63 for seed in seeds)
    assert derive_seed(1, "1", 2) != derive_seed(1, 12) != derive_seed(11, 2)


def test_floats_are_added_alike_in_every_python():
    assert float_sum([0.1] * 10) == 0.9999999999999999  # 1.0 by Python's `sum` from 3.12 on
    assert float_sum([]) == 0.0
