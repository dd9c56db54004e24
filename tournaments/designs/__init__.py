"""Designs of tournaments, by name."""

from __future__ import annotations

from typing import Final

from tag.errors import UnknownNameError
from tournaments.designs._balanced import Balanced
from tournaments.designs._design import Design, FixedMatchups, Seats, n_rotations
from tournaments.designs._round_robin import Exhaustive, Fixed, Gauntlet, Ladder, RoundRobin, SelfPlay, round_robin
from tournaments.designs._rounds import Knockout, Swiss

#: All designs, by name.
DESIGNS: Final[dict[str, type[Design]]] = {
    "round_robin": RoundRobin,
    "self_play": SelfPlay,
    "exhaustive": Exhaustive,
    "balanced": Balanced,
    "gauntlet": Gauntlet,
    "ladder": Ladder,
    "fixed": Fixed,
    "swiss": Swiss,
    "knockout": Knockout,
}

DEFAULT_DESIGN: Final = "round_robin"


def make_design(name: str, n_agents: int, n_players: int, seed: int) -> Design:
    """Return the design ``name`` for so many agents and seats.

    Raises:
        UnknownNameError: there is no such design.
        PlayersError: it cannot seat so many.
    """
    if name not in DESIGNS:
        raise UnknownNameError.of("design", name, DESIGNS)
    return DESIGNS[name](n_agents, n_players, seed)


__all__ = [
    "DEFAULT_DESIGN",
    "DESIGNS",
    "Balanced",
    "Design",
    "Exhaustive",
    "Fixed",
    "FixedMatchups",
    "Gauntlet",
    "Knockout",
    "Ladder",
    "RoundRobin",
    "Seats",
    "SelfPlay",
    "Swiss",
    "make_design",
    "n_rotations",
    "round_robin",
]
