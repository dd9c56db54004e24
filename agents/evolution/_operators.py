"""Operators of evolution: selection picks parents, crossover and mutation make new plans of them.

Selections take a population that is sorted, the best first; equally fit individuals are there in random order.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag.agents.evolution._plans import ANY, Individual
from tag.engine.rng import Rng
from tag.engine.snapshot import Copyable
from tag.engine.state import AnyAction

# --- selection -------------------------------------------------------------------------------------------------------


@mypyc_attr(allow_interpreted_subclasses=True)
class Selection(Copyable):
    """Draws parents; the better an individual, the likelier."""

    def select(self, population: list[Individual], count: i64, rng: Rng) -> list[Individual]:
        """Return ``count`` parents in random order, with repetitions; by default drawn one by one with `pick`."""
        return [population[self.pick(population, rng)] for _i in range(count)]

    def pick(self, population: list[Individual], rng: Rng) -> i64:
        """Return the place, from 0, of one parent."""
        raise NotImplementedError


class RankSelection(Selection):
    """Weighs by place: the best of n has weight n, the next n - 1, the last 1."""

    def pick(self, population: list[Individual], rng: Rng) -> i64:
        """Spin a wheel with n (n + 1) / 2 equal parts."""
        weight: i64 = len(population)
        ball = rng.below(weight * (weight + 1) // 2)
        place: i64 = 0
        while ball >= weight:
            ball -= weight
            weight -= 1
            place += 1
        return place


class TournamentSelection(Selection):
    """Takes the best of ``size`` distinct individuals, each set of them as likely."""

    def __init__(self, size: i64) -> None:
        """Take the size; a population that is smaller takes part as a whole."""
        self.size: i64 = size

    def pick(self, population: list[Individual], rng: Rng) -> i64:
        """Go down from the best and stop at the first that takes part: k of the n - i not seen yet do."""
        unseen: i64 = len(population)
        place: i64 = 0
        while rng.below(unseen) >= self.size:
            unseen -= 1
            place += 1
        return place


class RouletteSelection(Selection):
    """Weighs by fitness, shifted to be positive (see `wheel`)."""

    def pick(self, population: list[Individual], rng: Rng) -> i64:
        """Spin the wheel once."""
        return place_on(wheel(population), rng.uniform())

    def select(self, population: list[Individual], count: i64, rng: Rng) -> list[Individual]:
        """Spin one wheel ``count`` times."""
        ends = wheel(population)
        return [population[place_on(ends, rng.uniform())] for _i in range(count)]


class StochasticUniversalSelection(RouletteSelection):
    """The wheel of roulette with ``count`` evenly spaced pointers, spun once (Baker 1987).

    An individual that is expected k times is drawn at least floor(k) and at most ceil(k) times.
    """

    def select(self, population: list[Individual], count: i64, rng: Rng) -> list[Individual]:
        """Spin once, then shuffle, since the pointers meet the population in its order."""
        ends = wheel(population)
        offset = rng.uniform()
        parents = [population[place_on(ends, (float(index) + offset) / float(count))] for index in range(count)]
        rng.shuffle(parents)
        return parents


RANK: Final = "rank"
TOURNAMENT: Final = "tournament"
ROULETTE: Final = "roulette"
STOCHASTIC_UNIVERSAL: Final = "stochastic_universal"
SELECTIONS: Final = (TOURNAMENT, RANK, ROULETTE, STOCHASTIC_UNIVERSAL)


def make_selection(name: str, tournament_size: int) -> Selection:
    """Return the selection of ``name``, one of `SELECTIONS`."""
    if name == RANK:
        return RankSelection()
    if name == ROULETTE:
        return RouletteSelection()
    if name == STOCHASTIC_UNIVERSAL:
        return StochasticUniversalSelection()
    return TournamentSelection(tournament_size)


def wheel(population: list[Individual]) -> list[float]:
    """Return where each individual's part of the wheel ends, as a share of the whole circle.

    Fitness may be negative, so the parts are as the lead over the worst plus an n-th of the range, which leaves the
    worst a chance: the best of n has n + 1 times its part. Equally fit individuals have equal parts.
    """
    worst = population[-1].fitness
    spread = population[0].fitness - worst
    base = spread / float(len(population)) if spread > 0.0 else 1.0
    ends: list[float] = []
    total = 0.0
    for individual in population:
        total += individual.fitness - worst + base
        ends.append(total)
    return [end / total for end in ends]


def place_on(ends: list[float], point: float) -> i64:
    """Return the place whose part of the wheel holds ``point``, in [0, 1)."""
    place: i64 = 0
    last = len(ends) - 1
    while place < last and point >= ends[place]:
        place += 1
    return place


# --- crossover and mutation ------------------------------------------------------------------------------------------


@mypyc_attr(allow_interpreted_subclasses=True)
class Crossover(Copyable):
    """Makes the genes of a child from those of two parents, position by position."""

    def cross(self, first: list[AnyAction], second: list[AnyAction], used: i64, rng: Rng) -> list[AnyAction]:
        """Return a child's genes; beyond the first ``used``, which no evaluation reached, all are ``first``'s."""
        raise NotImplementedError


class UniformCrossover(Crossover):
    """Takes each gene from either parent, each as likely."""

    def cross(self, first: list[AnyAction], second: list[AnyAction], used: i64, rng: Rng) -> list[AnyAction]:
        """Toss one coin per gene; a single draw has enough of them for the longest horizon."""
        child = first[:]
        coins = rng.next32()
        for index in range(used):
            if coins & 1:
                child[index] = second[index]
            coins >>= 1
        return child


class NPointCrossover(Crossover):
    """Changes from one parent to the other at distinct random points, each set of them as likely.

    Between ``used`` genes there are ``used`` - 1 points; where that is fewer than asked for, all of them are taken.
    """

    def __init__(self, points: i64) -> None:
        """Take the number of points."""
        self.points: i64 = points

    def cross(self, first: list[AnyAction], second: list[AnyAction], used: i64, rng: Rng) -> list[AnyAction]:
        """Walk over the points and take each with the chance that leaves the right number."""
        child = first[:]
        wanted = min(self.points, used - 1)
        from_second = False
        for index in range(1, used):
            if rng.below(used - index) < wanted:
                from_second = not from_second
                wanted -= 1
            if from_second:
                child[index] = second[index]
        return child


class NoCrossover(Crossover):
    """Copies the first parent."""

    def cross(self, first: list[AnyAction], second: list[AnyAction], used: i64, rng: Rng) -> list[AnyAction]:
        """Copy; the genes of the second parent have no part in it."""
        return first[:]


UNIFORM: Final = "uniform"
N_POINT: Final = "n_point"
NONE: Final = "none"
CROSSOVERS: Final = (UNIFORM, N_POINT, NONE)


def make_crossover(name: str, points: int) -> Crossover:
    """Return the crossover of ``name``, one of `CROSSOVERS`."""
    if name == NONE:
        return NoCrossover()
    return UniformCrossover() if name == UNIFORM else NPointCrossover(points)


def open_some(genes: list[AnyAction], used: i64, count: i64, rng: Rng) -> None:
    """Mutate in place: open ``count`` distinct genes of the first ``used``, or all of these, to be drawn anew."""
    wanted = min(count, used)
    for index in range(used):
        if wanted == 0:
            return
        if rng.below(used - index) < wanted:
            genes[index] = ANY
            wanted -= 1


def open_tail(genes: list[AnyAction], used: i64, rng: Rng) -> list[AnyAction]:
    """Return ``genes`` with all from a random one of the first ``used`` on to the end opened, to be drawn anew."""
    start = rng.below(used)
    tail: list[AnyAction] = [ANY] * (len(genes) - start)
    return genes[:start] + tail
