"""Selection, crossover and mutation, against their exact probabilities."""

from collections import Counter
from itertools import combinations
from math import ceil, comb, floor, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play.planning_games import Step

from tag import Rng, interned
from tag.agents.evolution._operators import (
    SELECTIONS,
    NPointCrossover,
    UniformCrossover,
    make_crossover,
    make_selection,
    open_some,
    wheel,
)
from tag.agents.evolution._plans import ANY, Individual

pytestmark = pytest.mark.flow

DRAWS = 20_000
FITNESS = [3.0, 1.5, 1.5, 0.0, -1.0, -2.0]


def population(fitness=FITNESS):
    """Return individuals with these values, which are sorted."""
    made = [Individual([]) for _ in fitness]
    for individual, value in zip(made, fitness, strict=True):
        individual.fitness = value
    return made


def genes(letter, count):
    """Return distinct genes of a parent."""
    return [interned(Step(f"{letter}{index}")) for index in range(count)]


def close(count, draws, probability):
    """Say whether ``count`` of ``draws`` is within four standard errors."""
    return abs(count - draws * probability) <= 4 * sqrt(draws * probability * (1 - probability)) + 1e-9


def rank_probabilities():
    return [(6 - place) / 21 for place in range(6)]


def tournament_probabilities(size):
    return [comb(5 - place, size - 1) / comb(6, size) for place in range(6)]


def wheel_probabilities():
    parts = [value + 2.0 + 5.0 / 6 for value in FITNESS]
    return [part / sum(parts) for part in parts]


@pytest.mark.parametrize(
    ("name", "size", "probabilities"),
    [
        ("rank", 5, rank_probabilities()),
        ("tournament", 1, tournament_probabilities(1)),
        ("tournament", 3, tournament_probabilities(3)),
        ("tournament", 6, tournament_probabilities(6)),
        ("roulette", 5, wheel_probabilities()),
    ],
)
def test_selection_has_its_exact_distribution(name, size, probabilities):
    assert sum(probabilities) == pytest.approx(1.0)
    individuals = population()
    selected = make_selection(name, size).select(individuals, DRAWS, Rng(11))
    counts = Counter(id(individual) for individual in selected)
    assert all(
        close(counts[id(individual)], DRAWS, probability)
        for individual, probability in zip(individuals, probabilities, strict=True)
    )


def test_stochastic_universal_selection_stays_within_one_of_the_expected_count():
    individuals = population()
    rng = Rng(12)
    selection = make_selection("stochastic_universal", 5)
    totals: Counter[int] = Counter()
    for _ in range(2000):
        counts = Counter(id(individual) for individual in selection.select(individuals, 7, rng))
        totals.update(counts)
        for individual, probability in zip(individuals, wheel_probabilities(), strict=True):
            assert floor(7 * probability) <= counts[id(individual)] <= ceil(7 * probability)
    for individual, probability in zip(individuals, wheel_probabilities(), strict=True):
        assert totals[id(individual)] / 14000 == pytest.approx(probability, abs=0.006)


def test_stochastic_universal_selection_shuffles():
    individuals = population()
    rng = Rng(13)
    selection = make_selection("stochastic_universal", 5)
    firsts = Counter(id(selection.select(individuals, 6, rng)[0]) for _ in range(DRAWS))
    for individual, probability in zip(individuals, wheel_probabilities(), strict=True):
        assert close(firsts[id(individual)], DRAWS, probability)


@pytest.mark.parametrize("name", SELECTIONS)
def test_one_individual_is_every_parent(name):
    individuals = population([0.5])
    assert make_selection(name, 5).select(individuals, 4, Rng(1)) == individuals * 4


@pytest.mark.parametrize("value", [-3.0, 0.0, 2.0])
def test_equal_fitness_has_equal_parts_of_the_wheel(value):
    assert wheel(population([value] * 4)) == pytest.approx([0.25, 0.5, 0.75, 1.0])


def test_the_wheel_does_not_depend_on_shift_and_scale():
    assert wheel(population([10 * value - 7 for value in FITNESS])) == pytest.approx(wheel(population()))


def test_ties_are_sorted_by_the_drawn_number():
    first, second, best = Individual([]), Individual([]), Individual([])
    first.tie, second.tie, best.tie, best.fitness = 9, 3, 99, 1.0
    assert sorted([first, second, best]) == [best, second, first]


def test_uniform_crossover_takes_each_gene_from_either_parent():
    first, second = genes("a", 30), genes("b", 30)
    rng = Rng(14)
    children = [UniformCrossover().cross(first, second, 25, rng) for _ in range(4000)]
    for index in range(30):
        from_second = sum(child[index] is second[index] for child in children)
        from_first = sum(child[index] is first[index] for child in children)
        assert from_first + from_second == 4000
        assert close(from_second, 4000, 0.5) if index < 25 else from_second == 0
    both = sum(child[3] is second[3] and child[4] is second[4] for child in children)
    assert close(both, 4000, 0.25)


def cuts(child, second):
    """Return before which genes the parent changes."""
    origins = [False, *[gene is other for gene, other in zip(child, second, strict=True)]]
    return tuple(index for index in range(1, len(child)) if origins[index] != origins[index + 1])


@pytest.mark.parametrize("points", [1, 2, 3])
def test_n_point_crossover_cuts_at_every_set_of_points_alike(points):
    first, second = genes("a", 6), genes("b", 6)
    rng = Rng(15)
    drawn = Counter(cuts(NPointCrossover(points).cross(first, second, 6, rng), second) for _ in range(DRAWS))
    sets = list(combinations(range(1, 6), points))
    assert set(drawn) == set(sets)
    assert all(close(drawn[chosen], DRAWS, 1 / len(sets)) for chosen in sets)


@given(st.integers(1, 6), st.integers(1, 8), st.integers(0, 2**32))
@settings(derandomize=True, deadline=None)
def test_n_point_crossover_makes_as_many_cuts_as_fit(points, used, seed):
    first, second = genes("a", 8), genes("b", 8)
    child = NPointCrossover(points).cross(first, second, used, Rng(seed))
    assert child[0] is first[0]
    assert child[used:] == first[used:]
    assert len(cuts(child[:used], second[:used])) == min(points, used - 1)
    assert first == genes("a", 8)


def test_without_crossover_children_are_copies_of_the_first_parent():
    first, second = genes("a", 6), genes("b", 6)
    child = make_crossover("none", 1).cross(first, second, 6, Rng(16))
    assert child == first
    assert child is not first


@given(st.integers(0, 10), st.integers(1, 8), st.integers(0, 2**32))
@settings(derandomize=True, deadline=None)
def test_mutation_opens_the_number_of_distinct_genes(count, used, seed):
    mutated = genes("a", 8)
    open_some(mutated, used, count, Rng(seed))
    assert [index for index in range(used, 8) if mutated[index] is ANY] == []
    assert mutated.count(ANY) == min(count, used)


def test_mutation_opens_each_gene_alike():
    rng = Rng(16)
    opened: Counter[int] = Counter()
    for _ in range(DRAWS):
        mutated = genes("a", 5)
        open_some(mutated, 4, 1, rng)
        opened[mutated.index(ANY)] += 1
    assert all(close(opened[index], DRAWS, 0.25) for index in range(4))
