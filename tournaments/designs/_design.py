"""Designs: who meets whom, and who sits where, in each block of a tournament."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from tag.errors import PlayersError
from tag.parameters import Parameters
from tournaments.outcomes import Outcome

Seats = tuple[int, ...]

#: More match-ups per block than this are no plan but a mistake.
_MOST_MATCHUPS: Final = 200_000


class Design:
    """Which games a block has: match-ups, each in a balanced set of seatings.

    A function of the constructor's arguments alone, and in designs that learn of what `learn` is told, so that a
    resumed tournament has the same one. All match-ups have as many seatings.

    Attributes:
        about: what the design is for, in one line.
        parameters_class: what can be said about it in its spec; the constructor takes that by name.
        learns: whether who meets whom depends on what has been played before.
        in_rounds: whether it learns after each of several rounds. All blocks of a round then have the same tables, and
            what is called ``block`` here is the number of the round.
        n_rounds: the rounds.
        n_agents: the agents of the tournament.
        n_players: the seats of each game.
        n_matchups: the match-ups of each block, in designs with rounds those of the latest.
        n_seatings: the games of each match-up in a block.
    """

    about: ClassVar[str] = ""
    parameters_class: ClassVar[type[Parameters]] = Parameters
    learns: ClassVar[bool] = False
    in_rounds: ClassVar[bool] = False

    def __init__(self, n_agents: int, n_players: int, seed: int) -> None:
        """Plan for so many agents and seats; designs that draw do so from ``seed``.

        Raises:
            PlayersError: the design cannot seat so many.
        """
        if n_players < 1:
            raise PlayersError(f"a game needs at least 1 player, not {n_players}")
        self.n_agents = n_agents
        self.n_players = n_players
        self.n_rounds = 1
        self.n_matchups = 0
        self.n_seatings = 0

    def agents(self, block: int, matchup: int, seating: int) -> Seats:
        """Return the number of the agent in each seat."""
        raise NotImplementedError

    def matchups_in(self, block: int) -> int:
        """Return how many match-ups a block has."""
        return self.n_matchups

    def continues(self, shorter: Design) -> bool:
        """Say whether the games of the same design for fewer agents are among its games, under the same numbers."""
        return False

    @property
    def known(self) -> int:
        """How many blocks can be asked for by now; for designs that learn."""
        raise NotImplementedError

    def learn(self, games: Sequence[Outcome]) -> None:
        """Take note of the games of the next block in schedule order, and plan further; for designs that learn."""
        raise NotImplementedError


class FixedMatchups(Design):
    """A design with the same match-ups in all blocks, each played in all its different rotations.

    Attributes:
        matchups: the agents of each match-up, in their first seating.
    """

    def __init__(self, n_agents: int, n_players: int, seed: int) -> None:
        """List the match-ups."""
        super().__init__(n_agents, n_players, seed)
        self.matchups = self._matchups()
        self.n_matchups = len(self.matchups)
        self.n_seatings = max((n_rotations(seats) for seats in self.matchups), default=0)

    def agents(self, block: int, matchup: int, seating: int) -> Seats:
        """Return the match-up rotated by ``seating`` seats."""
        first = self.matchups[matchup]
        return first[seating:] + first[:seating]

    def continues(self, shorter: Design) -> bool:
        """Compare the first match-ups."""
        return (
            isinstance(shorter, FixedMatchups)
            and shorter.n_seatings == self.n_seatings
            and shorter.matchups == self.matchups[: len(shorter.matchups)]
        )

    def _matchups(self) -> list[Seats]:
        """Return the match-ups, those of the first agents first, so that more agents can be added later."""
        raise NotImplementedError


def n_rotations(seats: Seats) -> int:
    """Return how many different rotations there are: with the same seed, the others would be the same games again.

    >>> n_rotations((0, 1, 2)), n_rotations((0, 1, 0, 1)), n_rotations((0, 0, 0))
    (3, 2, 1)
    """
    n = len(seats)
    return next(turn for turn in range(1, n + 1) if seats[turn:] + seats[:turn] == seats)


def check_matchups(name: str, number: int) -> None:
    """Raise `PlayersError` where a design would have too many match-ups per block."""
    if number > _MOST_MATCHUPS:
        raise PlayersError(
            f"{name} would have {number:,} match-ups per block; --design balanced has only as many as needed"
        )
