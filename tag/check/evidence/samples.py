"""A test that two distributions of positions are alike.

They are compared in single values, in pairs of values and in whole lists, because an order may show only in
pairs and lists.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from math import sqrt
from typing import Any, Final

from tag.check.report import shorten
from tag.engine.rng import Rng

#: Observations of each twin in the first samples, and in the fresh samples for statistics in which these differ.
FIRST_SAMPLE: Final = 64
FRESH_SAMPLES: Final = (128, 512, 1024, 4096)

#: Statistics that get fresh samples, from how many standard deviations on, and from how many on they get more.
_SUSPECTS: Final = 5
_SUSPICIOUS: Final = 2.0
_STILL_SUSPICIOUS: Final = 2.0

#: Two samples differ for certain beyond so many standard deviations: the chance of an error is exp(-6.8² / 2) = 1e-10.
_CERTAIN: Final = 6.8

#: Single values compared; of larger positions a random part, a different one for each twin.
_MOST_VALUES: Final = 150

#: Pairs of values compared beside neighbours.
_RANDOM_PAIRS: Final = 25

#: The shortest lists whose quarters are compared by their contents, and how many values are counted.
_LONG_LIST: Final = 8
_COUNTED: Final = 2

#: Draws one sample: the values of a position by path.
Sampler = Callable[[Rng], dict[str, object]]


@dataclass
class Difference:
    """A statistic in which two distributions differ.

    Attributes:
        what: the value, pair or list, as text.
        value: the value whose shares differ most.
        one: its share in the first distribution.
        other: its share in the second distribution.
    """

    what: str
    value: str
    one: float
    other: float

    def text(self, one: str, other: str) -> str:
        """Return the difference for people, with these names of the distributions."""
        return f"{self.what} is {self.value} in {self.one:.1%} of {one} and in {self.other:.1%} of {other}"


def compare(one: Sampler, other: Sampler, rng: Rng, first_sample: int = FIRST_SAMPLE) -> Difference | None:
    """Return a statistic in which two distributions differ, or None where no difference is certain.

    The first samples suggest statistics, and for each the values that are more frequent in one distribution. Fresh and ever
    larger samples then test this. In fresh samples of equal distributions the score exceeds z with probability below
    exp(-z²/2) (Hoeffding's bound for random signs). So a test errs with probability 1e-10; a run has a few thousand tests at
    most.
    """
    mine = Samples([one(rng) for _draw in range(first_sample)])
    theirs = Samples([other(rng) for _draw in range(first_sample)])
    half = first_sample // 2
    scored = []
    for statistic in _statistics(mine + theirs, rng):
        here, there = statistic.column(mine), statistic.column(theirs)
        score = _score(_signs(here[:half], there[:half]), here[half:], there[half:])
        if score > _SUSPICIOUS:
            scored.append((score, statistic))
    scored.sort(key=lambda pair: -pair[0])
    suspects = [statistic for _, statistic in scored[:_SUSPECTS]]
    for size in FRESH_SAMPLES:
        if not suspects:
            break
        if size <= first_sample:
            continue
        fresh = Samples([one(rng) for _draw in range(size)])
        rival = Samples([other(rng) for _draw in range(size)])
        left = []
        for statistic in suspects:
            signs = _signs(statistic.column(mine), statistic.column(theirs))
            here, there = statistic.column(fresh), statistic.column(rival)
            score = _score(signs, here, there)
            if score > _CERTAIN:
                return _difference(statistic, here, there)
            if score > _STILL_SUSPICIOUS:
                left.append(statistic)
        mine, theirs, suspects = mine + fresh, theirs + rival, left
    return None


class Samples:
    """Positions, as values by path, with the column of each path made once: some hundred statistics share it."""

    def __init__(self, rows: Sequence[Mapping[Any, object]]) -> None:
        self.rows = rows
        self._columns: dict[Hashable, list[Hashable]] = {}

    def __add__(self, other: Samples) -> Samples:
        return Samples([*self.rows, *other.rows])

    def column(self, path: Hashable) -> list[Hashable]:
        """Return the value of each position at ``path``, None where there is none."""
        found = self._columns.get(path)
        if found is None:
            found = self._columns[path] = [row.get(path) for row in self.rows]
        return found


@dataclass
class _Statistic:
    """Statistic of several values of a position, taken together."""

    what: str
    paths: tuple[str, ...]

    def column(self, samples: Samples) -> list[Hashable]:
        """Return the value of each sample."""
        if len(self.paths) == 1:
            return samples.column(self.paths[0])
        return list(zip(*map(samples.column, self.paths), strict=True))


class _CountIn(_Statistic):
    """Number of times that a part of a list holds a value."""

    def __init__(self, value: object, part: list[str]) -> None:
        super().__init__(f"the number of values {shorten(value, 40)} from {part[0]} to {part[-1]}", tuple(part))
        self.value = value

    def column(self, samples: Samples) -> list[Hashable]:
        """Return the count in each sample."""
        return [values.count(self.value) for values in zip(*map(samples.column, self.paths), strict=True)]


def _statistics(samples: Samples, rng: Rng) -> list[_Statistic]:
    """Return the statistics to compare.

    These are single values that vary, pairs of them, and all values of one list. For values that a list holds several
    times, they also include the counts in its parts.
    """
    paths = dict.fromkeys(chain.from_iterable(samples.rows))
    varying = [path for path in paths if len(set(samples.column(path))) > 1]
    lists = {name: held for name, held in _lists(varying).items() if len(held) > 2}
    counts = [count for held in lists.values() for count in _counts(samples.rows[0], held)]
    if len(varying) > _MOST_VALUES:
        rng.shuffle(varying)
        del varying[_MOST_VALUES:]
        varying.sort()
        lists = {name: held for name, held in _lists(varying).items() if len(held) > 2}
    found = [_Statistic(path, (path,)) for path in varying]
    pairs = list(pairwise(varying))
    if len(varying) > 2:
        for _pair in range(min(_RANDOM_PAIRS, len(varying) * len(varying))):
            one, other = rng.below(len(varying)), rng.below(len(varying))
            if one != other:
                pairs.append((varying[min(one, other)], varying[max(one, other)]))
    found += [_Statistic(f"({one}, {other})", (one, other)) for one, other in dict.fromkeys(pairs)]
    found += [
        _Statistic(name, tuple(held)) for name, held in {"the position": varying, **lists}.items() if len(held) > 2
    ]
    return [*found, *counts]


def _lists(paths: list[str]) -> dict[str, list[str]]:
    """Return the paths by the lists that they lie in, of any depth."""
    lists: dict[str, list[str]] = {}
    for path in paths:
        name = path
        while "[" in name:
            name = name.rpartition("[")[0]
            lists.setdefault(name, []).append(path)
    return lists


def _counts(sample: Mapping[Any, object], paths: list[str]) -> list[_Statistic]:
    """Return the counts, in each quarter of a list, of the values that ``sample`` holds there several times."""
    if len(paths) < _LONG_LIST:
        return []
    often = [value for value, count in Counter([sample.get(path) for path in paths]).most_common(_COUNTED) if count > 1]
    ends = [len(paths) * quarter // 4 for quarter in range(5)]
    parts = [paths[start:end] for start, end in pairwise(ends)]
    return [_CountIn(value, part) for value in often for part in parts]


def _signs(mine: list[Hashable], theirs: list[Hashable]) -> dict[Hashable, int]:
    """Return 1 for values that are more frequent in the first sample, -1 for those more frequent in the second."""
    surplus = Counter(mine)
    surplus.subtract(theirs)
    return {value: (count > 0) - (count < 0) for value, count in surplus.items()}


def _score(signs: dict[Hashable, int], mine: list[Hashable], theirs: list[Hashable]) -> float:
    """Return by how many standard deviations two samples differ in the direction of ``signs``."""
    above = squares = 0
    for here, there in zip(mine, theirs, strict=True):
        step = signs.get(here, 0) - signs.get(there, 0)
        above += step
        squares += step * step
    return above / sqrt(squares) if squares else 0.0


def _difference(statistic: _Statistic, mine: list[Hashable], theirs: list[Hashable]) -> Difference:
    here, there = Counter(mine), Counter(theirs)
    value = max([*here, *there], key=lambda value: abs(here[value] - there[value]))
    return Difference(statistic.what, shorten(value, 60), here[value] / len(mine), there[value] / len(theirs))
