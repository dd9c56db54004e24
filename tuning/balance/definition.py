"""What a balancing study is: a game, what may be changed in it, what it should become, and who plays it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Final, Self

from tag.errors import DataError
from tag.rng import derive_seed
from tournaments.definition import Rules, sources_of
from tuning.balance.goals import Goal, goals_of
from tuning.balance.plan import Plan
from tuning.balance.targets import Target, read_target
from tuning.search_space import SearchSpace, game_space

#: Seeds of these are apart, so that what is chosen is measured on games that the search has not seen.
SEARCH: Final = "search"
VALIDATION: Final = "validation"
HELD_OUT: Final = "held out"
RETUNED: Final = "retuned"

#: The sampler that knows what a band is.
BANDS: Final = "bands"
_LISTS: Final = ("search", "targets", "weights", "agents", "held_out", "enqueue")
#: What can be more when a study is run again.
BUDGETS: Final = ("games", "validation")


@dataclass(frozen=True)
class BalanceDefinition:
    """A balancing study, with its specs in canonical form. Make one with `tuning.balance.define.define_balance`.

    Attributes:
        game: the spec of the game type as it is: the printed rules.
        players: the seats of each game.
        search: what may be changed, as `tuning.search_space.game_space` has it; all that ``game`` does not fix by default.
        targets: what the game should become (`tuning.balance.targets`).
        weights: what misses of some targets cost, ``name=number``; 1 by default.
        agents: the specs of the panel.
        held_out: the specs of agents that only the choice meets, beside the printed rules.
        games: the budget of the search.
        sampler: by name, never ``auto``.
        games_per_trial: how many games a candidate plays each time that it is asked for.
        live: how many candidates are in play at once.
        near_printed: what it costs to change every parameter from one end of its range to the other.
        pareto: whether targets are searched side by side instead of as one sum.
        finalists: how many of the best candidates are measured again on unseen seeds, until one meets all targets.
        validation: how many games that may take at most for each of them.
        retune: the spec of an agent that is tuned to the chosen rules, and measures them again; empty for none.
        retune_games: the budget of that search.
        seed: decides everything, with deterministic budgets.
        enqueue: specs of candidates that are tried first.
        rules: faults and clocks.
    """

    kind: ClassVar[str] = "balance"
    sampler_reason: ClassVar[str] = ""

    game: str
    players: int
    search: tuple[str, ...]
    targets: tuple[str, ...]
    weights: tuple[str, ...]
    agents: tuple[str, ...]
    held_out: tuple[str, ...]
    games: int
    sampler: str
    games_per_trial: int
    live: int
    near_printed: float
    pareto: bool
    finalists: int
    validation: int
    retune: str
    retune_games: int
    seed: int
    enqueue: tuple[str, ...] = ()
    rules: Rules = field(default_factory=Rules)

    @cached_property
    def space(self) -> SearchSpace:
        """The search space."""
        return game_space(self.game, self.search)

    @cached_property
    def goals(self) -> tuple[Goal, ...]:
        """The targets with what misses of them cost."""
        bands = [read_target(text, self.game, self.players) for text in self.targets]
        return goals_of(self.game, bands, self.weights)

    @property
    def bands(self) -> tuple[Target, ...]:
        """The targets."""
        return tuple(goal.target for goal in self.goals)

    @cached_property
    def plan(self) -> Plan:
        """What every candidate plays."""
        return Plan(self.game, self.players, self.agents, self.bands)

    @property
    def games_at_most(self) -> int:
        """How many games may be played in the search and in validation, with agents held out."""
        sides = self.finalists + 1 + 2 * (bool(self.held_out) + bool(self.retune))
        return self.games + self.validation * sides

    def stream(self, name: str) -> int:
        """Return the seed of the search, of the validation, or of the games of other agents."""
        return derive_seed(self.seed, "study", name)

    def sources(self) -> dict[str, str]:
        """Return the text of every user's file that the study names, also within specs and targets, by the file's name.

        Raises:
            TagError: a file cannot be read.
        """
        retuned = (self.retune,) if self.retune else ()
        wanted = [target.argument for target in self.bands if target.measure == "match_ups"]
        return {
            **sources_of(self.game, (*self.plan.agents, *self.held_out, *retuned), self.plan.metrics),
            **{path: _text_of(path) for path in wanted},
        }

    def to_json(self) -> dict[str, Any]:
        """Return the definition as plain values: one flat object with the keys of `tuning.balance.settings`."""
        plain = asdict(self)
        rules = plain.pop("rules")
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

    def difference(self, other: Self) -> str:
        """Say first why ``other`` is not this study with more games; empty if it is."""
        in_space = self.space.difference(other.space)
        if in_space:
            return in_space
        mine, theirs = self.to_json(), other.to_json()
        for name, value in mine.items():
            if name not in (*BUDGETS, "search") and value != theirs[name]:
                return f"{name} is {_text(value)} there, not {_text(theirs[name])}"
        if other.games < self.games:
            return f"games is {self.games:,} there and can only grow, not shrink to {other.games:,}"
        return ""


def _text_of(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise DataError(f"cannot read {path!r}: {error}") from None


def _text(value: object) -> str:
    return (", ".join(map(str, value)) if isinstance(value, list) else json.dumps(value)) or "none"
