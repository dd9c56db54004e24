"""The roles, the printed table, the parameters, and sets of seats, which are numbers with a bit for each."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Final

from mypy_extensions import i64

from tag import Parameters, flag, integer
from tag.components import Card, shared
from tag.errors import ParameterError

MIN_PLAYERS: Final = 5
MAX_PLAYERS: Final = 10

#: The roles; those from ``SPY`` on are spies.
LOYAL: Final = 0
MERLIN: Final = 1
PERCIVAL: Final = 2
SPY: Final = 3
ASSASSIN: Final = 4
MORGANA: Final = 5
MORDRED: Final = 6
OBERON: Final = 7
ROLE_NAMES: Final = ("resistance", "Merlin", "Percival", "spy", "Assassin", "Morgana", "Mordred", "Oberon")

#: The teams, and that of a player whose side a viewer does not know.
RESISTANCE: Final = 0
SPIES: Final = 1
UNKNOWN: Final = -1
SIDE_NAMES: Final = ("resistance", "spy")

#: Phases: the leader proposes a team, all vote, the team plays mission cards, the Assassin names a player.
PROPOSE: Final = 0
VOTE: Final = 1
MISSION: Final = 2
ASSASSINATE: Final = 3

#: Cards that players choose in secret: the second of each is a bit in `ResistanceState.choices`.
VOTE_NAMES: Final = ("reject", "approve")
MISSION_NAMES: Final = ("success", "fail")
CARDS: Final[dict[str, Card]] = {
    name: shared(Card(name))
    for name in (*ROLE_NAMES, *VOTE_NAMES, *MISSION_NAMES, *[f"player {seat}" for seat in range(MAX_PLAYERS)])
}

#: From five to ten players: the number of spies, and the players of each mission's team.
_SPIES: Final = (2, 2, 3, 3, 3, 4)
_SIZES: Final = (
    (2, 3, 2, 3, 3),
    (2, 3, 4, 3, 4),
    (2, 3, 3, 4, 4),
    (3, 4, 4, 5, 5),
    (3, 4, 4, 5, 5),
    (3, 4, 4, 5, 5),
)
#: The mission that needs two fails with many players, from 0.
HARD_MISSION: Final = 3


def _subsets(n_players: int, size: int) -> list[int]:
    return [sum([1 << seat for seat in seats]) for seats in combinations(range(n_players), size)]


#: By number of players and size: all sets of seats.
SUBSETS: Final[list[list[list[int]]]] = [
    [_subsets(n_players, size) for size in range(n_players + 1)] for n_players in range(MAX_PLAYERS + 1)
]


@dataclass
class ResistanceParameters(Parameters):
    """The roles, and the numbers of the printed table."""

    merlin: bool = flag(
        False, "whether Merlin, who is told of the spies, and the Assassin, who may find him, are dealt"
    )
    percival: bool = flag(False, "whether Percival, who is told who Merlin is, is dealt", active_if=("merlin", (True,)))
    morgana: bool = flag(
        False, "whether Morgana, a spy who looks like Merlin to Percival, is dealt", active_if=("percival", (True,))
    )
    mordred: bool = flag(
        False, "whether Mordred, a spy of whom Merlin is not told, is dealt", active_if=("merlin", (True,))
    )
    oberon: bool = flag(False, "whether Oberon, whom other spies do not know and who does not know them, is dealt")
    spies: int = integer(0, 0, 4, "number of spies; 0 for the printed one")
    size_1: int = integer(0, 0, 5, "players of the first mission's team; 0 for the printed number")
    size_2: int = integer(0, 0, 5, "players of the second mission's team; 0 for the printed number")
    size_3: int = integer(0, 0, 5, "players of the third mission's team; 0 for the printed number")
    size_4: int = integer(0, 0, 5, "players of the fourth mission's team; 0 for the printed number")
    size_5: int = integer(0, 0, 5, "players of the fifth mission's team; 0 for the printed number")
    two_fails: int = integer(7, 5, 11, "number of players from which the fourth mission needs two fails; 11 for never")
    rejections: int = integer(5, 1, 10, "teams rejected in a row with which the spies win")
    goal: int = integer(3, 1, 3, "missions that a side needs to win")

    def check(self) -> None:
        """Reject roles without the role that they are about, and more spies with a name than spies."""
        if self.mordred and not self.merlin:
            raise ParameterError("mordred cannot be true without Merlin, from whom he hides; merlin=true")
        if self.percival and not self.merlin:
            raise ParameterError("percival cannot be true without Merlin, of whom he is told; merlin=true")
        if self.morgana and not self.percival:
            raise ParameterError("morgana cannot be true without Percival, whom she deceives; percival=true")

        evil = self.evil()
        if 0 < self.spies < len(evil):
            names = ", ".join([ROLE_NAMES[role] for role in evil])
            raise ParameterError(f"spies cannot be {self.spies} with {names}; the nearest number is {len(evil)}")

    def evil(self) -> list[int]:
        """Return the spies that have a name."""
        named = ((self.merlin, ASSASSIN), (self.morgana, MORGANA), (self.mordred, MORDRED), (self.oberon, OBERON))
        return [role for is_dealt, role in named if is_dealt]

    def good(self) -> list[int]:
        """Return the members of the resistance that have a name."""
        return [role for is_dealt, role in ((self.merlin, MERLIN), (self.percival, PERCIVAL)) if is_dealt]

    def n_spies(self, n_players: int) -> int:
        """Return the number of spies."""
        return self.spies or _SPIES[n_players - MIN_PLAYERS]

    def sizes(self, n_players: int) -> list[int]:
        """Return the players of each mission's team."""
        printed = _SIZES[n_players - MIN_PLAYERS]
        own = (self.size_1, self.size_2, self.size_3, self.size_4, self.size_5)
        return [size or usual for size, usual in zip(own, printed, strict=True)]

    def roles(self, n_players: int) -> list[int]:
        """Return the roles that are dealt, those of the spies first."""
        evil, good = self.evil(), self.good()
        spies = self.n_spies(n_players)
        return evil + [SPY] * (spies - len(evil)) + good + [LOYAL] * (n_players - spies - len(good))


def seats_in(seats: i64) -> list[int]:
    """Return the seats of a set in ascending order."""
    return [seat for seat in range(MAX_PLAYERS) if seats >> seat & 1]


def seat_names(seats: i64) -> str:
    """Return a set of seats in words.

    Examples:
        >>> seat_names(0b10011), seat_names(0)
        ('player 0, player 1 and player 4', 'none')
    """
    names = [f"player {seat}" for seat in seats_in(seats)]
    return " and ".join([part for part in (", ".join(names[:-1]), names[-1]) if part]) if names else "none"


def bits_of(flags: list[bool]) -> int:
    """Return the set of seats whose flag is set."""
    return sum([1 << seat for seat, is_set in enumerate(flags) if is_set])
