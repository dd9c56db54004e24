"""Random streams: one small generator with the same numbers interpreted and compiled, keyed and never shared.

Every stream of a game follows from its seed and a key (see `derive_seed`), so that an agent which draws a million
numbers changes no card. Python's ``random`` and ``numpy.random`` are not used by the engine.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from struct import Struct
from typing import Any, Final, TypeVar, final

from mypy_extensions import i64

from tag.engine.snapshot import reduced

_WARM_UP: Final = 12

#: The seeds that one hash of 64 bytes gives.
_SEEDS_PER_HASH: Final = 8
_WORDS: Final = Struct("<8q")
_SEED_BITS: Final = 0x7FFFFFFFFFFFFFFF

T = TypeVar("T")


def float_sum(values: list[float]) -> float:
    """Return the sum, added from left to right in every Python: from 3.12 on, ``sum`` rounds otherwise.

    Examples:
        >>> float_sum([0.1] * 10), 0.1 * 10
        (0.9999999999999999, 1.0)
    """
    total = 0.0
    for value in values:
        total += value
    return total


def derive_seed(seed: int, *key: int | str) -> int:
    """Return a seed in [0, 2**63) that depends on ``seed`` and on every part of ``key``.

    Examples:
        >>> derive_seed(1, "game", 5) == derive_seed(1, "game", 5), derive_seed(1, "game", 5) == derive_seed(1, "game", 6)
        (True, False)

    Args:
        seed: any integer.
        key: the purpose of the derived seed, e.g. ``("block", 12)``.
    """
    text = "\x1f".join([str(seed), *[str(part) for part in key]])
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little") >> 1


def derive_seeds(number: int, seed: int, purpose: str) -> list[int]:
    """Return ``number`` seeds like those of `derive_seed`; none of them reveals anything about ``seed`` or the others.

    Eight seeds cost one hash, so that a game can give each of its seats seeds of its own.
    """
    seeds: list[int] = []
    for part in range(0, number, _SEEDS_PER_HASH):
        words: tuple[int, ...] = _WORDS.unpack(blake2b(f"{seed}\x1f{purpose}\x1f{part}".encode()).digest())
        for word in words[: number - part]:
            bits: i64 = word
            seeds.append((bits >> 1) & _SEED_BITS)
    return seeds


@final
class Draws:
    """A script of random draws: an `Rng` that follows it returns the numbers that it says, so that all can be gone through.

        draws = Draws()
        while True:
            outcome = roll(draws.rng())     # draws anything but `Rng.next32`, `Rng.uniform` and `Rng.split`
            ...                             # happens with draws.probability()
            if not draws.advance():
                break

    Examples:
        >>> draws, sums = Draws(), []
        >>> while True:
        ...     rng = draws.rng()
        ...     sums.append(rng.below(2) + rng.below(3))
        ...     if not draws.advance():
        ...         break
        >>> sums
        [0, 1, 2, 1, 2, 3]

    Attributes:
        is_exact: whether all draws so far came from a finite set; not so after one of 32 bits.
    """

    def __init__(self) -> None:
        """Start with the first number of each draw."""
        self.is_exact = True
        self._at: i64 = 0
        self._values: list[int] = []
        self._sizes: list[int] = []
        #: For a draw between yes and no, how many times more likely no is; else 1.
        self._odds: list[int] = []

    def rng(self) -> Rng:
        """Return a stream that follows the script from its beginning."""
        self._at = 0
        rng = Rng(0)
        rng.follow(self)
        return rng

    def draw(self, n: i64, odds: i64 = 1) -> i64:
        """Return the script's number in [0, n) for this draw; 0 where it does not reach so far."""
        at = self._at
        self._at = at + 1
        if at == len(self._values):
            self._values.append(0)
            self._sizes.append(n)
            self._odds.append(odds)
        elif self._sizes[at] != n:
            raise AssertionError("what is drawn depends on something beside the draws before")
        return self._values[at]

    def advance(self) -> bool:
        """Go on to the next sequence of draws; return False after the last one."""
        while self._values:
            if self._values[-1] + 1 < self._sizes[-1]:
                self._values[-1] += 1
                return True
            self._values.pop()
            self._sizes.pop()
            self._odds.pop()
        return False

    def exceed(self, most: i64) -> bool:
        """Say whether there are more than ``most`` sequences, if every one has draws of the same sizes as this one."""
        found: i64 = 1
        for size in self._sizes:
            found *= size
            if found > most:  # before it grows beyond a machine integer
                return True
        return False

    def probability(self) -> float:
        """Return the probability of the draws that were made since `rng`."""
        probability = 1.0
        for value, size, odds in zip(self._values, self._sizes, self._odds, strict=True):
            probability *= (odds if value == 0 else 1) / (size - 1 + odds)
        return probability


@final
class Rng:
    """Chris Doty-Humphrey's sfc32: 128 bits of state, 32-bit operations, period at least 2**32 and 2**127 on average.

    A seed has 2**32 numbered streams that do not overlap in practice; `select` moves to the start of one.

    Examples:
        >>> rng = Rng(7)
        >>> [rng.below(6) + 1 for _die in range(5)]
        [3, 3, 2, 3, 2]
        >>> cards = ["ace", "king", "queen", "jack"]
        >>> rng.shuffle(cards)
        >>> cards
        ['ace', 'jack', 'queen', 'king']
        >>> rng.choice(cards), round(rng.uniform(), 3)
        ('jack', 0.674)
    """

    __slots__ = ("_a", "_b", "_c", "_counter", "_draws", "_high", "_low", "_sources")
    _a: i64
    _b: i64
    _c: i64
    _counter: i64
    _low: i64
    _high: i64
    _draws: Draws | None
    _sources: dict[str, Rng] | None

    def __init__(self, seed: i64, stream: i64 = 0) -> None:
        """Start at the first number of ``stream`` of ``seed`` (both non-negative)."""
        self._low = seed & 0xFFFFFFFF
        self._high = (seed >> 32) & 0xFFFFFFFF
        self._draws = None
        self._sources = None
        self.select(stream)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle by fields."""
        return reduced(self, 0)

    def select(self, stream: i64) -> None:
        """Go to the first number of ``stream``, independently of earlier draws; so do the sources set apart.

        Examples:
            >>> rng = Rng(7)
            >>> rng.select(3)
            >>> rng.below(100) == Rng(7, stream=3).below(100)
            True
        """
        if self._sources is not None:
            for source in self._sources.values():
                source.select(stream)
        a: i64 = stream & 0xFFFFFFFF
        b = self._low
        c = self._high
        for counter in range(1, _WARM_UP + 1):  # as in `next32`, without its calls: games start many streams
            out: i64 = (a + b + counter) & 0xFFFFFFFF
            a = b ^ (b >> 9)
            b = (c + (c << 3)) & 0xFFFFFFFF
            c = (((c << 21) | (c >> 11)) + out) & 0xFFFFFFFF
        self._a = a
        self._b = b
        self._c = c
        self._counter = _WARM_UP + 1

    @property
    def has_drawn(self) -> bool:
        """Say whether a number has been drawn from this stream since its start, or from a source set apart."""
        if self._counter != _WARM_UP + 1:
            return True
        sources = self._sources
        return sources is not None and any([source.has_drawn for source in sources.values()])

    def follow(self, draws: Draws) -> None:
        """Return the numbers of ``draws`` from now on."""
        self._draws = draws

    def set_apart(self, seeds: Mapping[str, int]) -> None:
        """Give sources of chance, by name, streams of their own seeds in place of this one."""
        self._sources = {name: Rng(seed) for name, seed in seeds.items()}

    def source(self, name: str) -> Rng:
        """Return the stream from which a game draws for this source of chance: this one, unless the source is set apart."""
        if self._sources is None:
            return self
        return self._sources.get(name, self)

    def next32(self) -> i64:
        """Return the next 32 random bits."""
        if self._draws is not None:
            self._draws.is_exact = False
        b = self._b
        c = self._c
        counter = self._counter
        out: i64 = (self._a + b + counter) & 0xFFFFFFFF
        self._counter = (counter + 1) & 0xFFFFFFFF
        self._a = b ^ (b >> 9)
        self._b = (c + (c << 3)) & 0xFFFFFFFF
        self._c = (((c << 21) | (c >> 11)) + out) & 0xFFFFFFFF
        return out

    def below(self, n: i64) -> i64:
        """Return an integer in [0, n), n <= 2**31, by Lemire's multiply-shift; its bias is below n / 2**32."""
        if self._draws is not None:
            return self._draws.draw(n)
        b = self._b  # as in `next32`, without its call: all draws of games and rollouts come here
        c = self._c
        counter = self._counter
        out: i64 = (self._a + b + counter) & 0xFFFFFFFF
        self._counter = (counter + 1) & 0xFFFFFFFF
        self._a = b ^ (b >> 9)
        self._b = (c + (c << 3)) & 0xFFFFFFFF
        self._c = (((c << 21) | (c >> 11)) + out) & 0xFFFFFFFF
        return (out * n) >> 32

    def one_in(self, n: i64) -> bool:
        """Return True once in ``n`` times: ``below(n) == 0``, as one draw between yes and no."""
        if self._draws is not None:
            return n == 1 or self._draws.draw(2, n - 1) == 1
        return self.below(n) == 0

    def uniform(self) -> float:
        """Return a float in [0, 1) with 32 random bits."""
        return float(self.next32()) * 2.3283064365386963e-10

    def choice(self, items: list[T]) -> T:
        """Return one of ``items``, each as likely."""
        return items[self.below(len(items))]

    def shuffle(self, items: list[T]) -> None:
        """Permute ``items`` in place (Fisher-Yates)."""
        if self._draws is not None:
            self._shuffle_by(self._draws, items)
            return
        a, b, c, counter = self._a, self._b, self._c, self._counter
        last: i64 = len(items) - 1
        for i in range(last, 0, -1):  # `below` of i + 1 without its calls: most dealing again is shuffling
            out: i64 = (a + b + counter) & 0xFFFFFFFF
            counter = (counter + 1) & 0xFFFFFFFF
            a = b ^ (b >> 9)
            b = (c + (c << 3)) & 0xFFFFFFFF
            c = (((c << 21) | (c >> 11)) + out) & 0xFFFFFFFF
            j = (out * (i + 1)) >> 32
            item = items[i]
            items[i] = items[j]
            items[j] = item
        self._a, self._b, self._c, self._counter = a, b, c, counter

    def _shuffle_by(self, draws: Draws, items: list[T]) -> None:
        for i in range(len(items) - 1, 0, -1):
            j = int(draws.draw(i + 1))
            items[i], items[j] = items[j], items[i]

    def split(self) -> Rng:
        """Return a new generator seeded by the next numbers of this one."""
        high = self.next32() >> 1
        return Rng((high << 32) | self.next32())

    def snapshot(self) -> tuple[int, ...]:
        """Return the whole position, to be given to `restore`.

        Examples:
            >>> rng = Rng(7)
            >>> before = rng.snapshot()
            >>> first = rng.next32()
            >>> rng.restore(before)
            >>> rng.next32() == first
            True
        """
        return (self._a, self._b, self._c, self._counter, self._low, self._high)

    def restore(self, snapshot: tuple[int, ...]) -> None:
        """Go back to the position of a `snapshot`."""
        self._a, self._b, self._c, self._counter, self._low, self._high = snapshot


@final
class Greatest:
    """The greatest of values that come one by one; of several equal ones each is as likely.

        greatest = Greatest(rng)
        for action in actions:
            if greatest.takes(value_of(action)):
                best = action

    Attributes:
        value: the greatest value so far.
    """

    __slots__ = ("_rng", "_ties", "value")
    value: float
    _rng: Rng
    _ties: i64

    def __init__(self, rng: Rng) -> None:
        """Draw from ``rng`` among equal values, as they come."""
        self._rng = rng
        self._ties = 0
        self.value = 0.0

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle by fields."""
        return reduced(self, self._rng)

    def takes(self, value: float) -> bool:
        """Say whether ``value`` is the greatest from now on."""
        if self._ties == 0 or value > self.value:
            self._ties = 1
            self.value = value
            return True
        if value == self.value:
            self._ties += 1
            return self._rng.below(self._ties) == 0
        return False
