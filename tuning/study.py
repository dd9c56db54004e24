"""What studies of all kinds are: plain values that decide everything, and more games at most."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, ClassVar, Final, Self

from tag.errors import DataError, ParameterError
from tag.rng import derive_seed
from tournaments.definition import Rules, canonical_agent
from tuning.samplers import AUTO
from tuning.search_space import SearchSpace

#: What can be more when a study is run again.
BUDGETS: Final = ("games", "validation", "equal_time_games")


@dataclass(frozen=True, kw_only=True)
class CommonOptions:
    """What can be said about a study of any kind: attributes of its definition in any form.

    By default everything is searched that can be, the sampler is chosen, and how many games each configuration has.
    """

    games: int = 0
    players: int | None = None
    search: tuple[str, ...] = ()
    held_out: tuple[str, ...] = ()
    sampler: str = AUTO
    games_per_trial: int | None = None
    live: int = 16
    seed: int = 1
    enqueue: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Study:
    """The base of the definitions of studies, with all specs in canonical form.

    Attributes:
        kind: the command that makes such studies, ``tune`` or ``balance``.
        game: the spec of the game type.
        players: the seats of each game.
        search: what is searched, as `tuning.search_space` has it, with all ranges written out.
        games: the budget of the search.
        validation: how many games may be spent on unseen seeds.
        seed: decides everything, with deterministic budgets.
        rules: faults and clocks.
        sampler_reason: why the sampler was chosen, in a sentence; empty where it was asked for. No part of the definition.
    """

    kind: ClassVar[str]

    game: str
    players: int
    search: tuple[str, ...]
    games: int
    validation: int
    seed: int
    rules: Rules = field(default_factory=Rules)
    sampler_reason: str = field(default="", compare=False)

    @property
    def space(self) -> SearchSpace:
        """The search space."""
        raise NotImplementedError

    @property
    def games_at_most(self) -> int:
        """How many games may be played in all."""
        raise NotImplementedError

    def stream(self, name: str) -> int:
        """Return the seed of the games of a stage, such as the search or the validation."""
        return derive_seed(self.seed, "study", name)

    def sources(self) -> dict[str, str]:
        """Return the text of every user's file that the study names, also within specs, by the file's name.

        Raises:
            UserCodeError: a file cannot be read.
        """
        raise NotImplementedError

    def unplayed_sources(self) -> frozenset[str]:
        """Return the users' files that no game depends on: they may be mended while a study is interrupted."""
        return frozenset()

    def to_json(self) -> dict[str, Any]:
        """Return the definition as plain values: one flat object with the words of TOML files."""
        plain = asdict(self)
        rules = plain.pop("rules")
        del plain["sampler_reason"]
        return {**{name: list(one) if isinstance(one, tuple) else one for name, one in plain.items()}, **rules}

    def said(self) -> dict[str, Any]:
        """Return what defines the same study again, as plain values with the words of TOML files."""
        return self.to_json()

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_json` returned.

        Raises:
            DataError: it is no definition.
        """
        rest: dict[str, Any] = {name: tuple(one) if isinstance(one, list) else one for name, one in values.items()}
        try:
            rules = Rules(**{one.name: rest.pop(one.name) for one in fields(Rules) if one.name in rest})
            return cls(rules=rules, **rest)
        except TypeError as error:
            raise DataError(f"this is no definition of a study: {error}") from None

    def difference(self, other: Self) -> str:
        """Say first why ``other`` is not this study with more games; empty if it is."""
        in_space = self.space.difference(other.space)
        if in_space:
            return in_space
        mine, theirs = self.to_json(), other.to_json()
        for name in {**mine, **theirs}:
            value, wanted = (values.get(name, "") for values in (mine, theirs))
            if name not in (*BUDGETS, "search") and value != wanted:
                return f"{name} is {_text(value)} there, not {_text(wanted)}"
        if other.games < self.games:
            return f"games is {self.games:,} there and can only grow, not shrink to {other.games:,}"
        return ""


def distinct_agents(name: str, specs: Iterable[str]) -> tuple[str, ...]:
    """Return the canonical forms of the agents that the option ``name`` lists.

    Raises:
        ParameterError: one is there twice.
    """
    found = tuple(map(canonical_agent, specs))
    twice = next((spec for spec in found if found.count(spec) > 1), None)
    if twice is not None:
        raise ParameterError(f"{name} cannot name {twice!r} twice")
    return found


def _text(value: object) -> str:
    if value in ("", []):
        return "none"
    return ", ".join(map(str, value)) if isinstance(value, list) else json.dumps(value)
