"""Schedules: which games a tournament is made of, in which order, who sits where, and with which seed.

A block is one chance seed, played by every match-up in every seating of a design; all match-ups use the same seeds, so
that luck is the same for all. The unit of statistics is the block.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tag.errors import ParameterError, UnknownNameError
from tag.rng import derive_seed
from tournaments.designs import DEFAULT_DESIGN, Seats, make_design

_GAME_ID: Final = re.compile(r"b(\d+)-m(\d+)-s(\d+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Pairing:
    """A game of a schedule.

    Attributes:
        game_id: names the game within its tournament: ``b{block}-m{matchup}-s{seating}``.
        block: the number of the chance seed, from 0.
        matchup: the number of the match-up, from 0.
        seating: by how many seats the match-up is rotated.
        agents: the number of the agent in each seat.
        seed: decides all chance in the game; the same for all games of a block.
    """

    game_id: str
    block: int
    matchup: int
    seating: int
    agents: tuple[int, ...]
    seed: int


class Schedule:
    """The blocks of a design: a function of its arguments alone, so that a resumed tournament has the same one.

    With more blocks, the games of the earlier blocks keep their ids, agents and seeds.

    Attributes:
        design: says who sits where (see `tournaments.designs`).
        blocks: the chance seeds.
        seed: decides all seeds.
    """

    def __init__(self, n_agents: int, n_players: int, blocks: int, seed: int, design: str = DEFAULT_DESIGN) -> None:
        """Schedule ``blocks`` blocks of a design.

        Raises:
            PlayersError: the design cannot seat so many.
            ParameterError: there is no block.
            UnknownNameError: there is no such design.
        """
        if blocks < 1:
            raise ParameterError(f"blocks cannot be {blocks}; the least is 1")
        self.design = make_design(design, n_agents, n_players, seed)
        self.blocks = blocks
        self.seed = seed

    @property
    def games_per_block(self) -> int:
        """The games that share a seed."""
        return self.design.n_matchups * self.design.n_seatings

    def __len__(self) -> int:
        return self.blocks * self.games_per_block

    def __iter__(self) -> Iterator[Pairing]:
        """Yield all games in schedule order: by block, then match-up, then seating."""
        for block in range(self.blocks):
            seed = self._seed(block)
            for matchup in range(self.design.n_matchups):
                for seating in range(self.design.n_seatings):
                    yield self._pairing(block, matchup, seating, seed)

    def pairing(self, game_id: str) -> Pairing:
        """Return the game of that id.

        Raises:
            UnknownNameError: the schedule has none.
        """
        match = _GAME_ID.fullmatch(game_id)
        if match:
            block, matchup, seating = (int(digits) for digits in match.groups())
            if block < self.blocks and matchup < self.design.n_matchups and seating < self.design.n_seatings:
                found = self._pairing(block, matchup, seating, self._seed(block))
                if found.game_id == game_id:  # not "b01-m0-s0"
                    return found
        last = _game_id(self.blocks - 1, self.design.n_matchups - 1, self.design.n_seatings - 1)
        raise UnknownNameError(f"no game named {game_id!r}; there are: {_game_id(0, 0, 0)} to {last}")

    def _pairing(self, block: int, matchup: int, seating: int, seed: int) -> Pairing:
        agents: Seats = self.design.agents(block, matchup, seating)
        return Pairing(_game_id(block, matchup, seating), block, matchup, seating, agents, seed)

    def _seed(self, block: int) -> int:
        return derive_seed(self.seed, "block", block)


def _game_id(block: int, matchup: int, seating: int) -> str:
    return f"b{block}-m{matchup}-s{seating}"
