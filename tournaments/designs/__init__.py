"""Designs of tournaments, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tag.catalogue.registry import canonical
from tag.engine.parameters import parse_spec
from tag.errors import UnknownNameError
from tournaments.designs.fixed import (
    Balanced,
    Design,
    Exhaustive,
    Fixed,
    FixedMatchups,
    Gauntlet,
    Grid,
    Ladder,
    RoundRobin,
    Seats,
    SelfPlay,
    n_rotations,
    round_robin,
)
from tournaments.designs.rounds import BestAgentDesign, Knockout, Swiss

#: All designs, by name.
DESIGNS: Final[dict[str, type[Design]]] = {
    "round_robin": RoundRobin,
    "self_play": SelfPlay,
    "exhaustive": Exhaustive,
    "balanced": Balanced,
    "gauntlet": Gauntlet,
    "ladder": Ladder,
    "grid": Grid,
    "fixed": Fixed,
    "swiss": Swiss,
    "knockout": Knockout,
    "best_agent": BestAgentDesign,
}

DEFAULT_DESIGN: Final = "round_robin"


def make_design(text: str, n_agents: int, n_players: int, seed: int) -> Design:
    """Return the design of the spec ``text`` for so many agents and seats.

    Raises:
        UnknownNameError: there is no such design, or it has no such parameter.
        ParameterError: a value is out of range.
        PlayersError: it cannot seat so many.
    """
    kind: Callable[..., Design] = design_class(text)
    values = parse_spec(canonical_design(text)).values
    return kind(n_agents, n_players, seed, **design_class(text).parameters_class.from_values(values).values())


def canonical_design(text: str) -> str:
    """Return the spec of a design with only the parameters that differ from their defaults.

    Raises:
        UnknownNameError: there is no such design, or it has no such parameter.
        ParameterError: a value is out of range.
    """
    return canonical(text, design_class(text).parameters_class)


def design_class(text: str) -> type[Design]:
    """Return the class of the design of the spec ``text``.

    Raises:
        UnknownNameError: there is no such design.
    """
    name = parse_spec(text).name
    if name not in DESIGNS:
        raise UnknownNameError.of("design", name, DESIGNS)
    return DESIGNS[name]


__all__ = [
    "DEFAULT_DESIGN",
    "DESIGNS",
    "Balanced",
    "BestAgentDesign",
    "Design",
    "Exhaustive",
    "Fixed",
    "FixedMatchups",
    "Gauntlet",
    "Grid",
    "Knockout",
    "Ladder",
    "RoundRobin",
    "Seats",
    "SelfPlay",
    "Swiss",
    "canonical_design",
    "make_design",
    "n_rotations",
    "round_robin",
]
