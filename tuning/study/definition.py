"""Definitions of studies: what all have, what those with a search share, and the names of samplers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, ClassVar, Final, Self

from tag.engine.rng import derive_seed
from tag.errors import DataError, ParameterError
from tag.tournaments.definition import Rules, canonical_agent
from tag.tuning.space import SearchSpace
from tag.tuning.study.estimate import Sample, StudyEstimate, measure, room_of

#: Values that can grow when a study is run again.
BUDGETS: Final = ("games", "validation", "equal_time_games")
_EARLIER: Final = "earlier"
#: Fewest blocks of a validation.
FEWEST_BLOCKS: Final = 10
#: The same where values have no bound, as scores. Of 100 blocks 99.4 % of studies see an event that 5 % of blocks have.
FEWEST_SCORES: Final = 100

#: The sampler that is chosen by the budget.
AUTO: Final = "auto"
#: The names of samplers; `tag.tuning.samplers` makes them.
SAMPLERS: Final = (AUTO, "ntbea", "bgp", "ntbea_bgp", "tpe", "cmaes", "nsgaii", "grid", "random", "qmc")
#: Those that search several objectives, the default first.
OF_SEVERAL: Final = ("tpe", "nsgaii", "random")


class Definition:
    """Definition of a study, with all specs in canonical form; the base of all kinds.

    Attributes:
        kind: the command that makes such studies: ``tune``, ``balance``, ``train``.
        word: what people call one.
        manifest: the file in the folder by which it is known.
        unwritten: the fields that this file leaves out.
        verdict: the file in the folder with the verdict; empty where there is none.
        packages: the libraries whose versions are noted.
        may_grow: the options that may change when a study is run again.
    """

    kind: ClassVar[str]
    word: ClassVar[str] = "study"
    manifest: ClassVar[str] = "study.json"
    unwritten: ClassVar[tuple[str, ...]] = ()
    verdict: ClassVar[str] = ""
    packages: ClassVar[tuple[str, ...]] = ()
    may_grow: ClassVar[tuple[str, ...]]
    game: str

    @property
    def everywhere(self) -> tuple[str, ...]:
        """The specs of all games of the study."""
        return (self.game,)

    @property
    def ledger_games(self) -> int:
        """Most games in the ledgers of the study."""
        return 0

    @property
    def sampler_reason(self) -> str:
        """Why the sampler was chosen, in a sentence; empty where there was nothing to choose."""
        return ""

    def estimate(self, workers: int) -> StudyEstimate:
        """Return the games, time and room of the study with so many workers, from a few games that are played now.

        Raises:
            TagError: a game breaks its contract, or the time cannot be told.
        """
        raise NotImplementedError

    def check_folder(self, folder: Path) -> None:
        """Raise `DataError` where a study cannot be in ``folder``."""

    def sources(self) -> dict[str, str]:
        """Return the text of every user's file that the study names, also within specs, by the file's name.

        Raises:
            TagError: a file cannot be read.
        """
        raise NotImplementedError

    def unplayed_sources(self) -> frozenset[str]:
        """Return the users' files that no game depends on: they may be mended while a study is interrupted."""
        return frozenset()

    def to_json(self) -> dict[str, Any]:
        """Return the definition as plain values: one flat object with the words of TOML files."""
        raise NotImplementedError

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Read the result of `to_json`; `DataError` where it is no definition."""
        raise NotImplementedError

    def said(self) -> dict[str, Any]:
        """Return the options that define the same study again, as plain values with the words of TOML files."""
        raise NotImplementedError

    def difference(self, other: Self) -> str:
        """Return the first reason why ``other`` is not this study, or this one grown; empty if it is."""
        raise NotImplementedError

    def grown_from(self, old: Self) -> Self:
        """Return this definition as that of the study ``old``, grown."""
        return self


@dataclass(frozen=True, kw_only=True)
class Study(Definition):
    """Definition of a study with a search and a validation: the base of those of tuning and of balancing.

    Attributes:
        search: the searched parameters in the form of `tag.tuning.space.space`, with all ranges written out.
        games: the budget of the search.
        earlier: the budgets that it had before it was given more games, in order. The search spends each of them to its end
            before it goes on, and what follows from the budget follows from the first.
        validation: how many games may be spent on unseen seeds.
        seed: random seed; with deterministic budgets, studies with the same seed are identical.
        opening: the openings of all games (`tag.orders.Openings`); empty for none.
        sampler_reason: why the sampler was chosen, in a sentence; empty where it was asked for. No part of the definition.
    """

    packages: ClassVar[tuple[str, ...]] = ("optuna",)
    may_grow: ClassVar[tuple[str, ...]] = BUDGETS

    game: str
    players: int
    search: tuple[str, ...]
    games: int
    validation: int
    seed: int
    rules: Rules = field(default_factory=Rules)
    earlier: tuple[int, ...] = ()
    opening: str = ""
    sampler_reason: str = field(default="", compare=False)

    @property
    def where(self) -> str:
        """The game and its players, for people."""
        return f"{self.game}, {self.players} players"

    @property
    def budgets(self) -> tuple[int, ...]:
        """The budgets of the search, from the first to the present one."""
        return (*self.earlier, self.games)

    @property
    def space(self) -> SearchSpace:
        """The search space."""
        raise NotImplementedError

    @property
    def games_at_most(self) -> int:
        """Most games of the study."""
        raise NotImplementedError

    @property
    def ledger_games(self) -> int:
        """Most games in the ledgers of the study: all."""
        return self.games_at_most

    @property
    def samples(self) -> tuple[Sample, ...]:
        """Games like those that the study plays, for an estimate of the time: between the default and its opponents."""
        raise NotImplementedError

    def estimate(self, workers: int) -> StudyEstimate:
        """Return games, time and room with so many workers; configurations with other budgets take other times."""
        found = measure(self.samples, self.seed, self.rules)
        games = self.games_at_most
        return StudyEstimate(games, games * found.seconds / workers, room_of(games), workers, found.played)

    def stream(self, name: str) -> int:
        """Return the seed of the games of a stage, such as the search or the validation."""
        return derive_seed(self.seed, "study", name)

    @property
    def growth(self) -> str:
        """The budgets that an extended study goes on from, in a sentence without full stop; empty if never extended."""
        if not self.earlier:
            return ""
        return (
            f"the search goes on after its first {self.earlier[-1]:,} games; its sampler, games per trial and all that "
            f"follows from the budget stay as they were for {self.budgets[0]:,} games"
        )

    def to_json(self) -> dict[str, Any]:
        """Return the definition as plain values: one flat object with the words of TOML files.

        Earlier budgets and openings are there only in studies that have some.
        """
        plain = asdict(self)
        rules = plain.pop("rules")
        del plain["sampler_reason"]
        if not self.earlier:
            del plain[_EARLIER]
        if not self.opening:
            del plain["opening"]
        return {**{name: list(one) if isinstance(one, tuple) else one for name, one in plain.items()}, **rules}

    def said(self) -> dict[str, Any]:
        """Return the options that define the same study again, as plain values with the words of TOML files."""
        return {name: value for name, value in self.to_json().items() if name != _EARLIER}

    def grown_from(self, old: Self) -> Self:
        """Return this definition as that of the study ``old`` with more games, or with as many."""
        more = (old.games,) if self.games > old.games else ()
        return replace(self, earlier=(*old.earlier, *more))

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Read the result of `to_json`; `DataError` where it is no definition."""
        rest: dict[str, Any] = {name: tuple(one) if isinstance(one, list) else one for name, one in values.items()}
        try:
            rules = Rules(**{one.name: rest.pop(one.name) for one in fields(Rules) if one.name in rest})
            return cls(rules=rules, **rest)
        except TypeError as error:
            raise DataError(f"this is no definition of a study: {error}") from None

    def difference(self, other: Self) -> str:
        """Return the first reason why ``other`` is not this study with more games; empty if it is."""
        in_space = self.space.difference(other.space)
        if in_space:
            return in_space
        mine, theirs = self.to_json(), other.to_json()
        for name in {**mine, **theirs}:
            value, wanted = (values.get(name, "") for values in (mine, theirs))
            if name not in (*BUDGETS, _EARLIER, "search") and value != wanted:
                return f"{name} is {_text(value)} there, not {_text(wanted)}"
        if other.games < self.games:
            return f"games is {self.games:,} there and can only grow, not shrink to {other.games:,}"
        return ""


def distinct_agents(name: str, specs: Iterable[str]) -> tuple[str, ...]:
    """Return the canonical forms of the agents that the option ``name`` lists; `ParameterError` where one is there twice."""
    found = tuple(map(canonical_agent, specs))
    twice = next((spec for spec in found if found.count(spec) > 1), None)
    if twice is not None:
        raise ParameterError(f"{name} cannot name {twice!r} twice")
    return found


def _text(value: object) -> str:
    if value in ("", []):
        return "none"
    return ", ".join(map(str, value)) if isinstance(value, list) else json.dumps(value)
