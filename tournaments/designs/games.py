"""Games of a tournament as the ledger knows them: places, planned and played ones, faults; and agents as ``NAME=SPEC``.

The ledger imports nothing else of designs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

#: The columns of a ledger that give a game's place in its schedule.
PLACE: Final = ["block", "matchup", "seating"]
#: Faults of a game: the number of the agent, and the kind of the fault.
GameFaults = Sequence[tuple[int, str]]

#: The number of the agent in each seat.
Seats = tuple[int, ...]


class Pairing(NamedTuple):
    """A game of a schedule.

    >>> from tag.tournaments.designs.schedule import Schedule
    >>> schedule = Schedule(2, 2, blocks=1, seed=1)
    >>> [(game.game_id, game.agents) for game in schedule.games(range(1))]
    [('b0-m0-s0', (0, 1)), ('b0-m0-s1', (1, 0))]

    Attributes:
        game_id: names the game within its tournament: ``b{block}-m{matchup}-s{seating}``.
        block: the number of the chance seed, from 0.
        matchup: the number of the match-up, from 0.
        seating: by how many seats the match-up is rotated.
        agents: the number of the agent in each seat.
        seed: determines all chance in the game; the same for all games of a block.
    """

    game_id: str
    block: int
    matchup: int
    seating: int
    agents: tuple[int, ...]
    seed: int


def game_id_of(block: int, matchup: int, seating: int) -> str:
    """Return the name of a game within its tournament or study.

    >>> game_id_of(3, 0, 1)
    'b3-m0-s1'
    """
    return f"b{block}-m{matchup}-s{seating}"


def place(pairing: Pairing) -> tuple[int, int, int]:
    """Return a game's place in schedule order, as a key for sorting."""
    return (pairing.block, pairing.matchup, pairing.seating)


class PlannedGames(NamedTuple):
    """Games as a schedule plans them; arrays of shape (games,).

    Attributes:
        exist: whether the schedule has the game.
        seeds: None where only the ledger has them.
        agents: of shape (games, players), -1 where a game does not exist; None where only the ledger has them.
        games: the spec of each game's type, or one for all; None where only the ledger has them.
        turn: whether the seatings of a match-up are rotations of the same agents, where these are not known.
        seats: the seats of each game; None where all have those of the plan.
    """

    exist: npt.NDArray[np.bool_]
    seeds: npt.NDArray[np.int64] | None
    agents: npt.NDArray[np.int64] | None
    games: Sequence[str] | None = None
    turn: bool = False
    seats: npt.NDArray[np.int64] | None = None


class PlayedGames:
    """The games of a ledger; ``pairing in played`` says whether a game of a schedule is there.

    One byte is stored for each game instead of its id, so that millions are found, counted and skipped.
    """

    def __init__(self, tables: Sequence[Any]) -> None:
        """Read the games from Arrow tables or data frames with the columns `PLACE`; each counts once."""
        at = tuple(_joined(tables, name) for name in PLACE)
        self._is_played = np.zeros([int(numbers.max(initial=-1)) + 1 for numbers in at], dtype=bool)
        self._is_played[at] = True
        self._in_block = np.count_nonzero(self._is_played, axis=(1, 2))

    def __len__(self) -> int:
        return int(self._in_block.sum())

    def __contains__(self, pairing: object) -> bool:
        if not isinstance(pairing, Pairing):
            return False
        at = place(pairing)
        is_inside = all(number < size for number, size in zip(at, self._is_played.shape, strict=True))
        return is_inside and bool(self._is_played[at])

    def in_block(self, block: int) -> int:
        """Return how many games of a block there are."""
        return int(self._in_block[block]) if block < len(self._in_block) else 0


def _joined(tables: Sequence[Any], name: str) -> npt.NDArray[Any]:
    return np.concatenate([np.zeros(0, np.int16), *(table[name].to_numpy() for table in tables)])


#: Characters that end the part of a text in which a name can be.
_NOT_IN_NAMES: Final = re.compile(r"[:(,/\\]")


def split_name(text: str) -> tuple[str, str]:
    """Return the name and the spec of an agent that is written ``NAME=SPEC``; an empty name where it has none.

    A spec has no ``=`` before its parameters, so there is one way to read each text.

    >>> split_name("strong=mcts:budget=400"), split_name("mcts:budget=400")
    (('strong', 'mcts:budget=400'), ('', 'mcts:budget=400'))
    """
    name, equals, spec = text.partition("=")
    return (name.strip(), spec.strip()) if equals and name.strip() and not _NOT_IN_NAMES.search(name) else ("", text)


def with_name(name: str, spec: str) -> str:
    """Return the text that `split_name` reads.

    >>> with_name("strong", "mcts:budget=500"), with_name("", "random")
    ('strong=mcts:budget=500', 'random')
    """
    return f"{name}={spec}" if name else spec
