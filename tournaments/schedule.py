"""Schedules: which games a round robin is made of, in which order, who sits where, and with which seed.

A block is one chance seed, played by every match-up in every seating; all match-ups use the same seeds, so that luck
is the same for all. The unit of statistics is the block.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from tag.errors import ParameterError, PlayersError, UnknownNameError
from tag.rng import derive_seed

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
    """A round robin on blocks: a function of its arguments alone, so that a resumed tournament has the same one.

    With more blocks, the games of the earlier blocks keep their ids, agents and seeds.

    Attributes:
        n_agents: the agents of the tournament.
        n_players: the seats of each game.
        blocks: the chance seeds.
        seed: decides all seeds.
        matchups: the agents of each match-up, in their first seating (see `round_robin`).
        seatings: the games of each match-up in a block (see `seatings`).
    """

    def __init__(self, n_agents: int, n_players: int, blocks: int, seed: int) -> None:
        """Schedule ``blocks`` blocks of a round robin.

        Raises:
            PlayersError: there are no agents, or no seats.
            ParameterError: there is no block.
        """
        if blocks < 1:
            raise ParameterError(f"blocks cannot be {blocks}; the least is 1")
        self.matchups = round_robin(n_agents, n_players)
        self.seatings = seatings(n_agents, n_players)
        self.n_agents = n_agents
        self.n_players = n_players
        self.blocks = blocks
        self.seed = seed

    @property
    def games_per_block(self) -> int:
        """The games that share a seed."""
        return len(self.matchups) * self.seatings

    def __len__(self) -> int:
        return self.blocks * self.games_per_block

    def __iter__(self) -> Iterator[Pairing]:
        """Yield all games in schedule order: by block, then match-up, then seating."""
        for block in range(self.blocks):
            seed = self._seed(block)
            for matchup in range(len(self.matchups)):
                for seating in range(self.seatings):
                    yield self._pairing(block, matchup, seating, seed)

    def pairing(self, game_id: str) -> Pairing:
        """Return the game of that id.

        Raises:
            UnknownNameError: the schedule has none.
        """
        match = _GAME_ID.fullmatch(game_id)
        if match:
            block, matchup, seating = (int(digits) for digits in match.groups())
            if block < self.blocks and matchup < len(self.matchups) and seating < self.seatings:
                found = self._pairing(block, matchup, seating, self._seed(block))
                if found.game_id == game_id:  # not "b01-m0-s0"
                    return found
        last = _game_id(self.blocks - 1, len(self.matchups) - 1, self.seatings - 1)
        raise UnknownNameError(f"no game named {game_id!r}; there are: {_game_id(0, 0, 0)} to {last}")

    def _pairing(self, block: int, matchup: int, seating: int, seed: int) -> Pairing:
        first = self.matchups[matchup]
        agents = first[seating:] + first[:seating]
        return Pairing(_game_id(block, matchup, seating), block, matchup, seating, agents, seed)

    def _seed(self, block: int) -> int:
        return derive_seed(self.seed, "block", block)


def round_robin(n_agents: int, n_players: int) -> list[tuple[int, ...]]:
    """Return the match-ups in which everybody meets everybody, as the agents' numbers by seat; one agent meets itself.

    With enough agents these are all combinations. With fewer agents than seats, agents sit in several seats, as evenly as
    can be: the match-ups are all choices of those who get one seat more, and copies sit far apart
    (three agents at four seats: ``0102``, ``1012``, ``2021`` in some rotation; two agents: ``0101``).

    Raises:
        PlayersError: there are no agents, or no seats.

    >>> round_robin(3, 2)
    [(0, 1), (0, 2), (1, 2)]
    """
    if n_agents < 1:
        raise PlayersError("a round robin needs at least 1 agent")
    if n_players < 1:
        raise PlayersError(f"a game needs at least 1 player, not {n_players}")
    if n_agents >= n_players:
        return list(combinations(range(n_agents), n_players))
    copies, more = divmod(n_players, n_agents)
    return [_spread(n_agents, copies, favoured) for favoured in combinations(range(n_agents), more)]


def seatings(n_agents: int, n_players: int) -> int:
    """Return how many seatings a match-up is played in: its different rotations.

    There is one per seat, so that every agent sits in every seat equally often. Only where every agent has the same
    number of seats, two or more, do the rotations repeat after as many as there are agents: with the same seed, the
    others would be the same games again.

    >>> seatings(5, 4), seatings(3, 4), seatings(2, 4)
    (4, 4, 2)
    """
    return n_agents if n_agents < n_players and n_players % n_agents == 0 else n_players


def _spread(n_agents: int, copies: int, favoured: tuple[int, ...]) -> tuple[int, ...]:
    """Seat everybody ``copies`` times and the ``favoured`` once more.

    The favoured sit in ``copies + 1`` rows; what lies between the rows are equal parts of the others' rows.
    """
    others = [agent for agent in range(n_agents) if agent not in favoured] * copies
    seats: list[int] = []
    for row in range(copies + 1):
        begin, end = (len(others) * part // (copies + 1) for part in (row, row + 1))
        seats += [*favoured, *others[begin:end]]
    return tuple(seats)


def _game_id(block: int, matchup: int, seating: int) -> str:
    return f"b{block}-m{matchup}-s{seating}"
