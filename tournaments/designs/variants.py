"""Variants of a game type, which blocks are drawn from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import prod
from typing import Final, Self

from tag.catalogue.registry import canonical, game_class
from tag.engine.parameters import Choice, Dimension, Integer, Real, Spec, SpecOf, Text, Value, parse_spec
from tag.engine.rng import Rng, derive_seed
from tag.errors import ParameterError, TagError, UnknownNameError

# The variant of a block follows from the tournament's seed and the block's number alone. So all its match-ups and
# seatings play the same, and a resumed or longer tournament draws the same. Draws are stratified: of as many blocks in
# a row as a parameter has values, each value gets one, in an order of their own. After any number of blocks no value
# has been drawn more than once more often than another. Several parameters are drawn independently of one another.

#: Every variant is set up once before the first game.
_MOST_VARIANTS: Final = 1_000


@dataclass(frozen=True, slots=True)
class Draw:
    """A drawn parameter of the game.

    The values are drawn as permutations, one per run of as many blocks, so they are balanced after any number of blocks.

    >>> draw = Draw.parse("width=6,7,8")
    >>> [draw.values[draw.number(1, block)] for block in range(6)]
    ['8', '6', '7', '7', '6', '8']
    """

    parameter: str
    values: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``name=value,value``; a name alone has no values yet."""
        parameter, _equals, values = text.partition("=")
        return cls(parameter.strip(), tuple(value.strip() for value in values.split(",")) if values else ())

    def __str__(self) -> str:
        """Return the form that `parse` reads."""
        return f"{self.parameter}={','.join(self.values)}"

    def number(self, seed: int, block: int) -> int:
        """Return the number of the value that a block of the tournament with this seed plays."""
        run, position = divmod(block, len(self.values))
        return _shuffled(seed, self.parameter, len(self.values), run)[position]


@lru_cache(maxsize=256)
def _shuffled(seed: int, parameter: str, n: int, run: int) -> tuple[int, ...]:
    """Return the order of the values in a run of blocks."""
    order = list(range(n))
    Rng(derive_seed(seed, "draw", parameter, run)).shuffle(order)
    return tuple(order)


class Variants:
    """The game of every block."""

    def __init__(self, game: Spec, draw: Sequence[str], seed: int) -> None:
        """Take the spec of the game, the draws in canonical form, and the tournament's seed."""
        self.draws = [Draw.parse(text) for text in draw]
        self._game = game
        self._seed = seed
        self._specs: dict[tuple[int, ...], str] = {}

    def game(self, block: int) -> str:
        """Return the spec of the game that a block plays, in canonical form."""
        numbers = tuple(draw.number(self._seed, block) for draw in self.draws)
        if numbers not in self._specs:
            parameters = game_class(self._game.name).game_type.parameters
            self._specs[numbers] = canonical(self._spec(numbers), parameters)
        return self._specs[numbers]

    def all(self) -> list[str]:
        """Return the specs of all games that can be drawn, as they are drawn."""
        return [str(self._spec(numbers)) for numbers in product(*(range(len(draw.values)) for draw in self.draws))]

    def _spec(self, numbers: Sequence[int]) -> Spec:
        drawn = {draw.parameter: draw.values[number] for draw, number in zip(self.draws, numbers, strict=True)}
        return Spec(self._game.name, {**self._game.values, **drawn})


def canonical_draw(game: str, draw: Sequence[str], check: Callable[[str], object]) -> tuple[str, ...]:
    """Return the draws with all values named, in the order of their declaration.

    Args:
        game: the spec of the game.
        draw: ``name=value,value`` for each parameter, or its name alone for the whole declared range.
        check: raises if a game with this spec cannot be played; it is called for every variant.

    Raises:
        TagError: there is no such parameter or value, or a variant cannot be played.
    """
    if not draw:
        return ()
    spec = parse_spec(game)
    dimensions = {d.name: d for d in game_class(spec.name).game_type.parameters.dimensions()}
    said: dict[str, Draw] = {}
    for one in map(Draw.parse, draw):
        if one.parameter not in dimensions:
            raise UnknownNameError.of(f"parameter of {spec.name}", one.parameter, dimensions)
        if one.parameter in said or one.parameter in spec.values:
            other = "drawn twice" if one.parameter in said else f"drawn and fixed in {game!r}"
            raise ParameterError(f"{one.parameter} is {other}; say it once")
        said[one.parameter] = Draw(one.parameter, _values(dimensions[one.parameter], one.values))
    number = prod(len(one.values) for one in said.values())
    if number > _MOST_VARIANTS:
        raise ParameterError(f"{number:,} variants could be drawn; the most is {_MOST_VARIANTS:,}: name fewer values")
    found = tuple(str(said[name]) for name in dimensions if name in said)
    for variant in Variants(spec, found, 0).all():
        try:
            check(variant)
        except TagError as error:
            raise ParameterError(f"{variant} could be drawn and cannot be played: {error}") from None
    return found


def _values(dimension: Dimension, said: Sequence[str]) -> tuple[str, ...]:
    """Return the values to draw from as text: those given, or the whole range, in the order of the range."""
    if isinstance(dimension, SpecOf | Text) or (isinstance(dimension, Real) and not said):
        right = "name values of it" if isinstance(dimension, Real) else "it can only be fixed"
        raise ParameterError(f"the whole range of {dimension.name} cannot be drawn, {dimension.range_text()}; {right}")
    values = [dimension.read(text) for text in said] if said else _range(dimension)
    if len(set(values)) < max(len(values), 2):
        raise ParameterError(
            f"{dimension.name} cannot be drawn from {', '.join(said)}; name two different values at least, each once"
        )
    order = dimension.options.index if isinstance(dimension, Choice) else float
    return tuple(str(value).lower() if isinstance(value, bool) else str(value) for value in sorted(values, key=order))


def _range(dimension: Dimension) -> list[Value]:
    """Return all values of a parameter that has finitely many."""
    if isinstance(dimension, Integer):
        return list(range(int(dimension.low), int(dimension.high) + 1, int(dimension.step)))
    return list(dimension.options) if isinstance(dimension, Choice) else [False, True]
