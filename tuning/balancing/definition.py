"""The definition of a balancing study: a game, its search space, the targets, and the agents that play."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final

from tag.catalogue.registry import file_sources
from tag.catalogue.user_code import is_path
from tag.engine.text_files import read_text
from tag.tournaments.definition import sources_of
from tag.tuning.balancing.plan import Plan
from tag.tuning.balancing.targets import Goal, Target, goals_of, read_target
from tag.tuning.space import SearchSpace, game_space
from tag.tuning.study.definition import Study
from tag.tuning.study.estimate import Sample

BALANCE: Final = "balance.json"

#: Separate seeds, so that the chosen game is measured on games that the search has not seen.
SEARCH: Final = "search"
VALIDATION: Final = "validation"
HELD_OUT: Final = "held out"
RETUNED: Final = "retuned"

#: The sampler for bands.
BANDS: Final = "bands"


@dataclass(frozen=True, kw_only=True)
class BalanceDefinition(Study):
    """A balancing study, with its specs in canonical form. Make one with `tag.tuning.balancing.options.define_balance`.

    Attributes beside those of `Study` and `BalanceOptions`:
        targets: measures with their bands (`tag.tuning.balancing.targets`).
        weights: costs of misses of some targets, ``name=number``; 1 by default.
        agents: the specs of the panel.
        sampler: by name, never ``auto``.
        games_per_trial: how many games a candidate plays each time that it is asked for.
        near_printed: the cost of changing every parameter from one end of its range to the other.
        finalists: how many of the best candidates are measured again on unseen seeds, each with ``validation`` games at
            most, until one meets all targets.
        retune: the spec of an agent that is tuned to the chosen rules, and measures them again; empty for none.
    """

    kind: ClassVar[str] = "balance"
    verdict: ClassVar[str] = BALANCE

    targets: tuple[str, ...]
    weights: tuple[str, ...]
    agents: tuple[str, ...]
    held_out: tuple[str, ...]
    sampler: str
    games_per_trial: int
    live: int
    near_printed: float
    pareto: bool
    finalists: int
    retune: str
    retune_games: int
    enqueue: tuple[str, ...] = ()

    @cached_property
    def space(self) -> SearchSpace:
        """The search space."""
        return game_space(self.game, self.search)

    @cached_property
    def goals(self) -> tuple[Goal, ...]:
        """The targets with the costs of their misses."""
        bands = [read_target(text, self.game, self.players) for text in self.targets]
        return goals_of(self.game, bands, self.weights)

    @property
    def bands(self) -> tuple[Target, ...]:
        """The targets."""
        return tuple(goal.target for goal in self.goals)

    @cached_property
    def plan(self) -> Plan:
        """The plan of a candidate's games."""
        return Plan(self.game, self.players, self.agents, self.bands)

    @property
    def samples(self) -> tuple[Sample, ...]:
        """Games of the panel by the default rules."""
        return (Sample(self.game, self.players, self.agents),)

    @property
    def games_at_most(self) -> int:
        """Most games of the search and the validation, with those of held-out agents."""
        sides = self.finalists + 1 + 2 * (bool(self.held_out) + bool(self.retune))
        return self.games + self.validation * sides

    def sources(self) -> dict[str, str]:
        """Return the text of users' files by name, also within targets, as `Study.sources`."""
        retuned = (self.retune,) if self.retune else ()
        wanted = [target.argument for target in self.bands if target.measure == "match_ups"]
        return {
            **sources_of(self.game, (*self.plan.agents, *self.held_out, *retuned), self.plan.metrics),
            **{path: read_text(path) for path in wanted},
            **(file_sources(self.sampler) if is_path(self.sampler) else {}),
        }
