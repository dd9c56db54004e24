"""Schedules: games in order, with their seats and seeds.

A block is one chance seed, played by every match-up in every seating of a design. All match-ups use the same seeds,
so that luck is the same for all. The block is the unit of statistics.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import count
from math import prod
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tag.engine.parameters import Spec
from tag.engine.rng import derive_seed
from tag.errors import ParameterError, UnknownNameError
from tag.tournaments.designs.by_name import DEFAULT_DESIGN, make_design
from tag.tournaments.designs.games import Pairing, PlannedGames, PlayedGames, game_id_of
from tag.tournaments.designs.matchups import Played
from tag.tournaments.designs.parts import NEEDS_RESULTS, Part
from tag.tournaments.designs.rounds.design import RoundDesign
from tag.tournaments.designs.rounds.results import MOST_TIE_BREAKS
from tag.tournaments.statistics.stopping.outcomes import Outcome

_MASK: Final = 0xFFFFFFFFFFFFFFFF
_ODD: Final = 0x9E3779B97F4A7C15
_SCALE: Final = 0xD1B54A32D192ED03
_MIXING: Final = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))
_GAME_ID: Final = re.compile(r"b(\d+)-m(\d+)-s(\d+)", re.ASCII)

#: Numbers are dense where they span no more than so many beyond their count.
_DENSE: Final = 1 << 20

#: More blocks than any machine plays, and few enough for the number of games to fit into 64 bits.
_MOST_BLOCKS: Final = 10**12


class Schedule:
    """The blocks of a design.

    A schedule is a function of its arguments and, if the design learns, of the games given to `learn`. So a resumed
    tournament has the same one. With more blocks, the games of the earlier blocks keep their ids, agents and seeds.

    In a design with rounds, blocks and games are those of all rounds and of the further blocks known by now, which tables
    play that are level: there may be more in the end, or fewer.

    A schedule of a part has the games of its blocks alone, under the numbers that they have in the whole.

    >>> from tag.tournaments.definition import define
    >>> schedule = define("tic_tac_toe", ["osla", "random"], 3).schedule()
    >>> schedule.product, len(list(schedule.games(range(3))))
    ('3 blocks x 1 match-up x 2 seatings', 6)

    Attributes:
        seed: determines all other seeds.
        part: the share of the blocks whose games these are; None for all.
    """

    def __init__(
        self,
        n_agents: int,
        n_players: int,
        blocks: int,
        seed: int,
        design: str | Spec = DEFAULT_DESIGN,
        part: Part | None = None,
    ) -> None:
        """Schedule ``blocks`` blocks of a design, or of each of its rounds, or a ``part`` of them if it learns nothing.

        Raises:
            PlayersError: the design cannot seat so many.
            ParameterError: there are no blocks or too many, the design has an impossible parameter, or a part would need the
                results of others.
            UnknownNameError: there is no such design.
        """
        if not 1 <= blocks <= _MOST_BLOCKS:
            near = min(max(blocks, 1), _MOST_BLOCKS)
            raise ParameterError(f"blocks cannot be {blocks}; the {'least' if near == 1 else 'most'} is {near}")
        self.design = make_design(design, n_agents, n_players, seed)
        if part is not None and self.design.learns:
            name = design.name if isinstance(design, Spec) else design
            raise ParameterError(f"part cannot be combined with design {name}: {NEEDS_RESULTS}")
        self.seed = seed
        self.part = part
        self._blocks_per_round = blocks
        self._learnt = 0
        #: In a design with rounds: the games of the stage that is being played, and the blocks up to the end of each stage.
        self._of_stage: list[Outcome] = []
        self._ends: list[int] = []
        self._add_stages()

    @property
    def blocks(self) -> int:
        """The number of chance seeds, those of all rounds where the design has several."""
        return self.blocks_before(self.end)

    def blocks_before(self, end: int) -> int:
        """Return how many blocks there are with numbers below ``end``: so many, unless this is a part."""
        return end if self.part is None else self.part.count(end)

    def end_of(self, blocks: int) -> int:
        """Return the number after that of the last of the first ``blocks`` blocks."""
        return blocks if self.part is None else self.part.end(blocks)

    @property
    def end(self) -> int:
        """The number after that of the last block of the whole tournament."""
        design = self.design
        if not isinstance(design, RoundDesign):
            return self._blocks_per_round
        return self._ends[-1] + self._blocks_per_round * (design.n_rounds - len(design.rounds))

    def __len__(self) -> int:
        design = self.design
        if not isinstance(design, RoundDesign):
            return self.blocks * design.n_matchups * design.n_seatings
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
        """The number after that of the last block known so far: of all, unless the design still has to learn."""
        if not self.design.learns:
            return self.end
        return self._ends[-1] if self.design.in_rounds else min(self.end, self.design.known)

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
        """Return how many games a block has; in a design with rounds the most it can have, before it is known.

        A block of another part has none.
        """
        if self.part is not None and not self.part.has(block):
            return 0
        return self.design.matchups_in(self._design_block(block)) * self.design.n_seatings

    def games(self, blocks: range) -> Iterator[Pairing]:
        """Yield the games of some blocks in schedule order, of those that belong to the part."""
        for block in blocks if self.part is None else filter(self.part.has, blocks):
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
            is_planned = block < self.end and self.n_games(block) > 0 and seating < self.design.n_seatings
            is_planned = is_planned and matchup < self.design.matchups_in(self._design_block(block))
            if is_planned and game_id == game_id_of(block, matchup, seating):  # not "b01-m0-s0"
                return
        if not self.blocks:
            raise UnknownNameError(f"no game named {game_id!r}; this part of the tournament has none")
        end = self.end_of(self.blocks)
        n_matchups = self.design.matchups_in(self._design_block(end - 1))
        last = game_id_of(end - 1, n_matchups - 1, self.design.n_seatings - 1)
        first = game_id_of(self.end_of(1) - 1, 0, 0)
        raise UnknownNameError(f"no game named {game_id!r}; there are: {first} to {last}")

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
        if self.part is not None:
            exist &= block % self.part.of == self.part.number - 1
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
            return self.end + further, design.n_agents // design.n_players, design.n_seatings
        return self.end, design.n_matchups, design.n_seatings

    def _seats(self, places: npt.NDArray[np.int64], exist: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """Return the agents at ``places``, of shape (3, games), where they ``exist``, else -1; of shape (games, players)."""
        found = np.full((len(exist), self.design.n_players), -1, dtype=np.int64)
        if exist.any():
            there = places[:, exist]
            sizes = tuple(there.max(axis=1) + 1)
            tables, table = _distinct(np.ravel_multi_index(tuple(there), sizes))
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
    numbers, block = _distinct(blocks)
    seeds = np.array([derive_seed(seed, "block", number) for number in numbers.tolist()], dtype=np.int64)
    return seeds[block]


def _distinct(numbers: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the different ones of ``numbers``, in order, and where each is among them; dense ones are not sorted."""
    least, end = int(numbers.min(initial=0)), int(numbers.max(initial=-1)) + 1
    if end - least > len(numbers) + _DENSE:
        return np.unique(numbers, return_inverse=True)
    is_there = np.zeros(end - least, dtype=bool)
    is_there[numbers - least] = True
    return np.flatnonzero(is_there) + least, (np.cumsum(is_there) - 1)[numbers - least]


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
