"""What a balancing study is: a game, what may be changed in it, what it should become, and who plays it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Final

from tag.errors import DataError
from tag.user_code import is_path, source_of
from tournaments.definition import sources_of
from tuning.balance.goals import Goal, goals_of
from tuning.balance.plan import Plan
from tuning.balance.targets import Target, read_target
from tuning.search_space import SearchSpace, game_space
from tuning.study import Study

#: Seeds of these are apart, so that what is chosen is measured on games that the search has not seen.
SEARCH: Final = "search"
VALIDATION: Final = "validation"
HELD_OUT: Final = "held out"
RETUNED: Final = "retuned"

#: The sampler that knows what a band is.
BANDS: Final = "bands"


@dataclass(frozen=True, kw_only=True)
class BalanceDefinition(Study):
    """A balancing study, with its specs in canonical form. Make one with `tuning.balance.define.define_balance`.

    Attributes:
        targets: what the game should become (`tuning.balance.targets`).
        weights: what misses of some targets cost, ``name=number``; 1 by default.
        agents: the specs of the panel.
        held_out: the specs of agents that only the choice meets, beside the printed rules.
        sampler: by name, never ``auto``.
        games_per_trial: how many games a candidate plays each time that it is asked for.
        live: how many candidates are in play at once.
        near_printed: what it costs to change every parameter from one end of its range to the other.
        pareto: whether targets are searched side by side instead of as one sum.
        finalists: how many of the best candidates are measured again on unseen seeds, each with ``validation`` games at
            most, until one meets all targets.
        retune: the spec of an agent that is tuned to the chosen rules, and measures them again; empty for none.
        retune_games: the budget of that search.
        enqueue: specs of candidates that are tried first.
    """

    kind: ClassVar[str] = "balance"

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
            **dict(source_of(name) for name in (self.sampler,) if is_path(name)),
        }


def _text_of(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise DataError(f"cannot read {path!r}: {error}") from None
