"""The schedule of a tournament: its games in order, with their seats, seeds and variants, and the record of those played."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count, product
from math import prod
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt

from tag.catalogue.registry import canonical, game_class
from tag.engine.parameters import Choice, Dimension, Integer, Real, Spec, SpecOf, Text, Value, parse_spec
from tag.engine.rng import Rng, derive_seed
from tag.errors import ParameterError, TagError, UnknownNameError
from tag.tournaments.designs.games import Pairing, PlannedGames, PlayedGames, game_id_of
from tag.tournaments.designs.matchups import DEFAULT_DESIGN, Played, make_design
from tag.tournaments.designs.rounds import MOST_TIE_BREAKS, RoundDesign
from tag.tournaments.statistics.sequential import Outcome

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


# --- schedules: games in order, with their seats and seeds ------------------------------------------------------------
#
# A block is one chance seed, played by every match-up in every seating of a design. All match-ups use the same seeds,
# so that luck is the same for all. The block is the unit of statistics.


_MASK: Final = 0xFFFFFFFFFFFFFFFF
_ODD: Final = 0x9E3779B97F4A7C15
_SCALE: Final = 0xD1B54A32D192ED03
_MIXING: Final = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))
_GAME_ID: Final = re.compile(r"b(\d+)-m(\d+)-s(\d+)", re.ASCII)

#: More blocks than any machine plays, and few enough for the number of games to fit into 64 bits.
_MOST_BLOCKS: Final = 10**12


class Schedule:
    """The blocks of a design.

    A schedule is a function of its arguments and, if the design learns, of the games given to `learn`. So a resumed
    tournament has the same one. With more blocks, the games of the earlier blocks keep their ids, agents and seeds.

    In a design with rounds, blocks and games are those of all rounds and of the further blocks known by now, which tables
    play that are level: there may be more in the end, or fewer.

    >>> from tag.tournaments.definition import define
    >>> schedule = define("tic_tac_toe", ["osla", "random"], 3).schedule()
    >>> schedule.product, len(list(schedule.games(range(3))))
    ('3 blocks x 1 match-up x 2 seatings', 6)

    Attributes:
        seed: determines all other seeds.
    """

    def __init__(
        self, n_agents: int, n_players: int, blocks: int, seed: int, design: str | Spec = DEFAULT_DESIGN
    ) -> None:
        """Schedule ``blocks`` blocks of a design, or of each of its rounds.

        Raises:
            PlayersError: the design cannot seat so many.
            ParameterError: there are no blocks or too many, or the design has an impossible parameter.
            UnknownNameError: there is no such design.
        """
        if not 1 <= blocks <= _MOST_BLOCKS:
            near = min(max(blocks, 1), _MOST_BLOCKS)
            raise ParameterError(f"blocks cannot be {blocks}; the {'least' if near == 1 else 'most'} is {near}")
        self.design = make_design(design, n_agents, n_players, seed)
        self.seed = seed
        self._blocks_per_round = blocks
        self._learnt = 0
        #: In a design with rounds: the games of the stage that is being played, and the blocks up to the end of each stage.
        self._of_stage: list[Outcome] = []
        self._ends: list[int] = []
        self._add_stages()

    @property
    def blocks(self) -> int:
        """The number of chance seeds, those of all rounds where the design has several."""
        design = self.design
        if not isinstance(design, RoundDesign):
            return self._blocks_per_round
        return self._ends[-1] + self._blocks_per_round * (design.n_rounds - len(design.rounds))

    def __len__(self) -> int:
        design = self.design
        if not isinstance(design, RoundDesign):
            return self._blocks_per_round * design.n_matchups * design.n_seatings
        of_stages = zip([0, *self._ends], self._ends, count(), strict=False)
        known = sum((end - begin) * design.matchups_in(stage) for begin, end, stage in of_stages)
        return (known + self._blocks_per_round * design.matchups_to_come) * design.n_seatings

    @property
    def product(self) -> str:
        """The factors of the number of games, ``10 blocks x 3 match-ups x 2 seatings``; empty where rounds differ."""
        if self.design.in_rounds or self.design.learns:
            return ""
        numbers = {"block": self.blocks, "match-up": self.design.n_matchups, "seating": self.design.n_seatings}
        return " x ".join(f"{number:,} {name}{'s' if number != 1 else ''}" for name, number in numbers.items())

    def __iter__(self) -> Iterator[Pairing]:
        """Yield all games that are known by now in schedule order: by block, then match-up, then seating."""
        return self.games(range(self.known))

    @property
    def known(self) -> int:
        """The number of blocks known so far: all, unless the design still has to learn."""
        if not self.design.learns:
            return self.blocks
        return self._ends[-1] if self.design.in_rounds else min(self.blocks, self.design.known)

    def learn(self, games: Sequence[Outcome]) -> None:
        """Give the games of the next block in schedule order to a design that learns."""
        if not self.design.learns:
            return
        self._learnt += 1
        if not self.design.in_rounds:
            self.design.learn(games)
            return
        self._of_stage += games
        if self._learnt == self._ends[-1]:
            self.design.learn(self._of_stage)
            self._of_stage = []
            self._add_stages()

    def n_games(self, block: int) -> int:
        """Return how many games a block has; in a design with rounds the most it can have, before it is known."""
        return self.design.matchups_in(self._design_block(block)) * self.design.n_seatings

    def games(self, blocks: range) -> Iterator[Pairing]:
        """Yield the games of some blocks in schedule order."""
        for block in blocks:
            seed = derive_seed(self.seed, "block", block)
            number = self._design_block(block)
            agents = self.design.agents
            seatings = range(self.design.n_seatings)
            for matchup in range(self.design.matchups_in(number)):
                for seating in seatings:
                    name = f"b{block}-m{matchup}-s{seating}"  # `game_id_of`
                    yield Pairing(name, block, matchup, seating, agents(number, matchup, seating), seed)

    def missing(self, played: PlayedGames, blocks: range) -> Iterator[Pairing]:
        """Yield the games of some blocks that have not been ``played``, in order; whole blocks cost very little."""
        for block in blocks:
            there = played.in_block(block)
            if there < self.n_games(block):
                games = self.games(range(block, block + 1))
                yield from (pairing for pairing in games if pairing not in played) if there else games

    def check(self, game_id: str) -> None:
        """Raise `UnknownNameError` where the schedule has no game of that id."""
        match = _GAME_ID.fullmatch(game_id)
        if match:
            block, matchup, seating = (int(digits) for digits in match.groups())
            is_planned = block < self.blocks and seating < self.design.n_seatings
            is_planned = is_planned and matchup < self.design.matchups_in(self._design_block(block))
            if is_planned and game_id == game_id_of(block, matchup, seating):  # not "b01-m0-s0"
                return
        n_matchups = self.design.matchups_in(self._design_block(self.blocks - 1))
        last = game_id_of(self.blocks - 1, n_matchups - 1, self.design.n_seatings - 1)
        raise UnknownNameError(f"no game named {game_id!r}; there are: {game_id_of(0, 0, 0)} to {last}")

    def planned(self, places: npt.NDArray[np.int64], thorough: bool = False) -> PlannedGames:
        """Return the planned games at some places, without their types.

        Agents are known in designs with the same tables in all blocks, and if ``thorough`` also in others that do not
        depend on results; these take as long as to plan the games.

        Args:
            places: block, match-up and seating of each game, of shape (games, 3).
            thorough: whether to plan tables.
        """
        block, matchup, seating = places.T
        design = self.design
        exist = np.all((places >= 0) & (places < self._most), axis=1)
        if isinstance(design, Played):
            return PlannedGames(exist, None, None)
        is_known = design.is_fixed or (thorough and not design.learns)
        tables = np.stack([block * (not design.is_fixed), matchup, seating])
        agents = self._seats(tables, exist) if is_known else None
        return PlannedGames(exist, seeds_of(self.seed, block), agents, turn=not design.learns)

    @property
    def most_games(self) -> int:
        """The most games that there may be, with further blocks for tables that are level."""
        return prod(self._most)

    @property
    def _most(self) -> tuple[int, int, int]:
        """The number of blocks, of match-ups in a block and of seatings, or the most there may be."""
        design = self.design
        if isinstance(design, RoundDesign):
            further = design.n_rounds * MOST_TIE_BREAKS
            return self.blocks + further, design.n_agents // design.n_players, design.n_seatings
        return self.blocks, design.n_matchups, design.n_seatings

    def _seats(self, places: npt.NDArray[np.int64], exist: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """Return the agents at ``places``, of shape (3, games), where they ``exist``, else -1; of shape (games, players)."""
        found = np.full((len(exist), self.design.n_players), -1, dtype=np.int64)
        if exist.any():
            there = places[:, exist]
            sizes = tuple(there.max(axis=1) + 1)
            tables, table = np.unique(np.ravel_multi_index(tuple(there), sizes), return_inverse=True)
            of_tables = np.stack(np.unravel_index(tables, sizes), axis=1).tolist()
            found[exist] = np.array([self.design.agents(*one) for one in of_tables], dtype=np.int64)[table]
        return found

    def _design_block(self, block: int) -> int:
        """Return the number of a block for the design: in one with rounds, that of its stage."""
        return bisect_right(self._ends, block) if self.design.in_rounds else block

    def _add_stages(self) -> None:
        """Note the ends of the stages that have become known."""
        design = self.design
        while isinstance(design, RoundDesign) and len(self._ends) < design.known:
            blocks = 1 if design.is_tie_break(len(self._ends)) else self._blocks_per_round
            self._ends.append((self._ends or [0])[-1] + blocks)


def seeds_of(seed: int, blocks: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the chance seeds of some blocks of the schedule with this ``seed``, of shape (blocks,).

    >>> import numpy as np
    >>> [int(seed) % 1000 for seed in seeds_of(1, np.arange(3))]
    [469, 755, 343]
    """
    numbers, block = np.unique(blocks, return_inverse=True)
    seeds = np.array([derive_seed(seed, "block", number) for number in numbers.tolist()], dtype=np.int64)
    return seeds[block]


def playing_key(seed: Any, matchup: Any, seating: Any) -> Any:
    """Return the number that sorts the games of a block for play; of integers, or of arrays of ``uint64``.

    Games are thus played in a random order that depends on the arguments only. So the first meeting with a deal is not
    tied to a seat, and an agent that remembers deals is detected (`tag.tournaments.results.machines`). The number is the
    finaliser of splitmix64.
    """
    key = (seed + matchup * _ODD + seating * _SCALE) & _MASK
    for shift, factor in _MIXING:
        key = ((key ^ (key >> shift)) * factor) & _MASK
    return key ^ (key >> 31)


def in_playing_order(games: Sequence[Pairing]) -> list[Pairing]:
    """Return the games of a block in the order of `playing_key`, computed for all at once."""
    places = ((game.seed, game.matchup, game.seating) for game in games)
    seeds, matchups, seatings = np.fromiter(places, np.dtype((np.uint64, 3)), len(games)).T
    return [games[number] for number in np.argsort(playing_key(seeds, matchups, seatings)).tolist()]
