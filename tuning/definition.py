"""What a tuning study is: agents, a game, a search space, opponents and a budget, which together decide all of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from typing import Any, ClassVar, Final, Self

from tag.errors import DataError
from tag.rng import derive_seed
from tag.user_code import is_path, source_of
from tournaments.definition import Rules, sources_of
from tuning.search_space import SearchSpace, agent_space

#: Seeds of these are apart, so that what is recommended is tried on games that the search has not seen.
SEARCH: Final = "search"
VALIDATION: Final = "validation"
HELD_OUT: Final = "held out"

_LISTS: Final = ("agents", "search", "versus", "held_out", "enqueue", "warm_start", "metrics")


@dataclass(frozen=True)
class StudyDefinition:
    """A tuning study, with its specs in canonical form. Make one with `tuning.define.define_study`.

    Attributes:
        agents: the specs of the agents whose parameters are searched; the first with its values is the default.
        game: the spec of the game type.
        players: the seats of each game.
        search: what is searched, as `tuning.search_space.agent_space` has it; all that the specs do not fix by default.
        versus: the specs of the opponents, which take turns; none for a team of the agent alone in a co-operative game.
        held_out: the specs of opponents that only what is recommended meets, beside the default.
        games: the budget of the search.
        generations: in how many parts the budget is spent, each against what the one before recommends, the first against
            the default; 0 for opponents that stay.
        objective: what is made as large, or as small, as it can be (`tuning.objectives`); several are separated by commas,
            and the first decides what is recommended.
        panel: how the values against several opponents become one.
        sampler: by name, never ``auto``.
        games_per_trial: how many games a configuration has, if it is not dropped.
        decision_ms_limit: a configuration that takes longer per decision, in milliseconds, counts as one that loses; 0 for
            no limit.
        live: how many configurations are in play at once.
        race: whether configurations are dropped that fall behind.
        validation: how many games may be spent, by either side, on whether what is recommended is better.
        seed: decides everything, with deterministic budgets.
        enqueue: specs of configurations that are tried first.
        warm_start: the folders of earlier studies of the same, whose trials are known from the beginning.
        rules: faults and clocks.
        metrics: the names of what measures each game.
        sampler_reason: why the sampler was chosen, in a sentence; empty where it was asked for. No part of the definition.
    """

    kind: ClassVar[str] = "tune"

    agents: tuple[str, ...]
    game: str
    players: int
    search: tuple[str, ...]
    versus: tuple[str, ...]
    held_out: tuple[str, ...]
    generations: int
    games: int
    objective: str
    panel: str
    sampler: str
    games_per_trial: int
    decision_ms_limit: float
    live: int
    race: bool
    validation: int
    seed: int
    enqueue: tuple[str, ...] = ()
    warm_start: tuple[str, ...] = ()
    rules: Rules = field(default_factory=Rules)
    metrics: tuple[str, ...] = ()
    sampler_reason: str = field(default="", compare=False)

    @cached_property
    def space(self) -> SearchSpace:
        """The search space."""
        return agent_space(self.agents, self.search)

    @property
    def default(self) -> str:
        """The spec that what is recommended is compared with."""
        return self.space.base

    @property
    def objectives(self) -> tuple[str, ...]:
        """The names of the objectives."""
        return tuple(self.objective.split(","))

    @property
    def measuring(self) -> tuple[str, ...]:
        """The opponents against whom what is recommended is compared with the default."""
        return self.versus or ((self.default,) if self.generations else ())

    @property
    def games_at_most(self) -> int:
        """How many games may be played, with validation and opponents held out: by what is recommended and the default."""
        return self.games + 2 * self.validation * (1 + bool(self.held_out))

    @property
    def everyone(self) -> tuple[str, ...]:
        """The specs of all agents that are named."""
        return (*self.agents, *self.versus, *self.held_out, *self.enqueue)

    def stream(self, name: str) -> int:
        """Return the seed of the search, of the validation, or of the games against opponents held out."""
        return derive_seed(self.seed, "study", name)

    def sources(self) -> dict[str, str]:
        """Return the text of every user's file that the study names, also within specs, by the file's name.

        Raises:
            UserCodeError: a file cannot be read.
        """
        objective = (self.objective,) if is_path(self.objective) else ()
        return {
            **sources_of(self.game, self.everyone, self.metrics),
            **dict(source_of(name) for name in objective),
        }

    def to_json(self) -> dict[str, Any]:
        """Return the definition as plain values: one flat object with the keys of `tuning.settings`."""
        plain = asdict(self)
        rules = plain.pop("rules")
        del plain["sampler_reason"]
        return {**plain, **{name: list(getattr(self, name)) for name in _LISTS}, **rules}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_json` returned.

        Raises:
            DataError: it is no definition.
        """
        rest = dict(values)
        try:
            rules = Rules(**{one.name: rest.pop(one.name) for one in fields(Rules) if one.name in rest})
            rest |= {name: tuple(rest[name]) for name in _LISTS}
            return cls(rules=rules, **rest)
        except (KeyError, TypeError) as error:
            raise DataError(f"this is no definition of a study: {error}") from None

    def difference(self, other: StudyDefinition) -> str:
        """Say first why ``other`` is not this study with more games; empty if it is."""
        in_space = self.space.difference(other.space)
        if in_space:
            return in_space
        mine, theirs = self.to_json(), other.to_json()
        for name, value in mine.items():
            if name not in ("games", "validation", "search") and value != theirs[name]:
                return f"{name} is {_text(value)} there, not {_text(theirs[name])}"
        if self.generations and other.games != self.games:
            return (
                f"games is {self.games:,} there and cannot be {other.games:,}, as opponents in self-play follow from it"
            )
        if other.games < self.games:
            return f"games is {self.games:,} there and can only grow, not shrink to {other.games:,}"
        return ""


def _text(value: object) -> str:
    return (", ".join(map(str, value)) if isinstance(value, list) else json.dumps(value)) or "none"
