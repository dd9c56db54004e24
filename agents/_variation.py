"""Variation: how new plans come from old ones, by crossover and mutation."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from agents._individual import ANY
from tag.engine.action import AnyAction
from tag.engine.rng import Rng


@mypyc_attr(allow_interpreted_subclasses=True)
class Crossover:
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


UNIFORM: Final = "uniform"
N_POINT: Final = "n_point"
CROSSOVERS: Final = (UNIFORM, N_POINT)


def make_crossover(name: str, points: int) -> Crossover:
    """Return the crossover of ``name``, one of `CROSSOVERS`."""
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
