"""All designs by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tag.catalogue.registry import canonical, parameters_of, spec_of
from tag.engine.parameters import Spec
from tag.errors import UnknownNameError
from tag.tournaments.designs.balanced import Balanced
from tag.tournaments.designs.best_agent import BestAgentDesign
from tag.tournaments.designs.design import Design
from tag.tournaments.designs.matchups import (
    Exhaustive,
    Fixed,
    Gauntlet,
    Grid,
    Ladder,
    Played,
    Repeated,
    RoundRobin,
    SelfPlay,
)
from tag.tournaments.designs.rounds.knockout import Knockout
from tag.tournaments.designs.rounds.swiss import Swiss

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
    "repeated": Repeated,
    "swiss": Swiss,
    "knockout": Knockout,
    "best_agent": BestAgentDesign,
}

DEFAULT_DESIGN: Final = "round_robin"
#: The design of games that are not planned but recorded; no tournament can be begun with it.
PLAYED: Final = "played"


def make_design(text: str | Spec, n_agents: int, n_players: int, seed: int) -> Design:
    """Return the design of the spec ``text`` for so many agents and seats.

    >>> design = make_design("gauntlet", 3, 2, seed=1)
    >>> [design.agents(0, matchup, seating) for matchup in range(2) for seating in range(2)]
    [(0, 1), (1, 0), (0, 2), (2, 0)]
    >>> make_design("gauntlett", 3, 2, seed=1)
    Traceback (most recent call last):
        ...
    tag.errors.UnknownNameError: no design named 'gauntlett'; did you mean 'gauntlet'?

    Raises:
        UnknownNameError: there is no such design, or it has no such parameter.
        ParameterError: a value is out of range.
        PlayersError: it cannot seat so many.
    """
    spec = spec_of(text)
    kind = design_class(spec.name)
    make: Callable[..., Design] = kind
    return make(n_agents, n_players, seed, **parameters_of(spec, kind.parameters_class).values())


def canonical_design(text: str | Spec) -> str:
    """Return the spec of a design with only the parameters that differ from their defaults.

    >>> canonical_design("round_robin"), canonical_design("repeated:games=50")
    ('round_robin', 'repeated:games=50')
    """
    spec = spec_of(text)
    return canonical(spec, design_class(spec.name).parameters_class)


def design_class(name: str) -> type[Design]:
    """Return the class of a design by its name."""
    if name == PLAYED:
        return Played
    if name not in DESIGNS:
        raise UnknownNameError.of("design", name, DESIGNS)
    return DESIGNS[name]
