"""What a tuning study is: agents, a game, a search space, opponents and a budget, which together decide all of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Final, Self

from tag.user_code import is_path, source_of, split_path
from tournaments.definition import sources_of
from tuning.equal_time import why_not_scaled
from tuning.search_space import SearchSpace, agent_space
from tuning.study import Study

#: Seeds of these are apart, so that what is recommended is tried on games that the search has not seen.
SEARCH: Final = "search"
VALIDATION: Final = "validation"
HELD_OUT: Final = "held out"
EQUAL_TIME: Final = "equal time"
#: Of the games that show how much time a budget buys.
CALIBRATION: Final = "calibration"
#: So many chance seeds are played for that, by either side.
CALIBRATION_BLOCKS: Final = 50
#: The opponent that is whatever is recommended so far.
INCUMBENT: Final = "incumbent"


@dataclass(frozen=True, kw_only=True)
class StudyDefinition(Study):
    """A tuning study, with its specs in canonical form. Make one with `tuning.define.define_study`.

    Attributes:
        agents: the specs of the agents whose parameters are searched; the first with its values is the default.
        versus: the specs of the opponents, which take turns; none for a team of the agent alone in a co-operative game.
        held_out: the specs of opponents that only what is recommended meets, beside the default.
        generations: in how many parts the budget is spent, each against what the one before recommends, the first against
            the default; 0 for opponents that stay.
        objective: what is made as large, or as small, as it can be (`tuning.objectives`); several are separated by commas,
            and the first decides what is recommended.
        panel: how the values against several opponents become one.
        sampler: by name, never ``auto``; a class as ``file.py:Class``, and an object by its class, ``Class()``.
        pruner: the class of an object that drops trials instead of the race, ``Class()``; empty for the race.
        games_per_trial: how many games a configuration has, if it is not dropped.
        decision_ms_limit: a configuration that takes more CPU time per decision, in milliseconds, counts as one that
            loses; 0 for no limit.
        live: how many configurations are in play at once.
        race: whether configurations are dropped that fall behind.
        equal_time_games: how many games may be spent, by either side, on a validation in which the default has the budget
            that takes it as much CPU time (`tuning.equal_time`); None for as many as in the validation, 0 for none.
        enqueue: specs of configurations that are tried first.
        warm_start: the folders of earlier studies of the same, whose trials are known from the beginning.
        metrics: the names of what measures each game.
    """

    kind: ClassVar[str] = "tune"

    agents: tuple[str, ...]
    versus: tuple[str, ...]
    held_out: tuple[str, ...]
    generations: int
    objective: str
    panel: str
    sampler: str
    games_per_trial: int
    decision_ms_limit: float
    live: int
    race: bool
    equal_time_games: int | None = None
    enqueue: tuple[str, ...] = ()
    warm_start: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    pruner: str = ""

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
        """How many games may be played, with all validations: by what is recommended and the default."""
        at_equal_time = self.validation_at_equal_time
        if at_equal_time:
            at_equal_time += CALIBRATION_BLOCKS * max(len(self.measuring), 1) * self.players
        return self.games + 2 * (self.validation * (1 + bool(self.held_out)) + at_equal_time)

    @property
    def validation_at_equal_time(self) -> int:
        """How many games may be spent on the validation at equal time; none where the default has no budget to scale."""
        if not self.validation or why_not_scaled(self.default):
            return 0
        return self.validation if self.equal_time_games is None else self.equal_time_games

    @property
    def everyone(self) -> tuple[str, ...]:
        """The specs of all agents that are named."""
        return (*self.agents, *self.versus, *self.held_out, *self.enqueue)

    def sources(self) -> dict[str, str]:
        """Return the text of every user's file that the study names, also within specs, by the file's name.

        Raises:
            UserCodeError: a file cannot be read.
        """
        return {
            **self._played_sources(),
            **dict(source_of(name) for name in (*self.objectives, self.sampler) if is_path(name)),
        }

    def unplayed_sources(self) -> frozenset[str]:
        """Return the files of objectives, which look at games that have been played."""
        files = {split_path(name)[0] for name in self.objectives if is_path(name)}
        return frozenset(files.difference(self._played_sources(), split_path(self.sampler)[:1]))

    def _played_sources(self) -> dict[str, str]:
        return sources_of(self.game, self.everyone, self.metrics)

    def to_json(self) -> dict[str, Any]:
        """Return the definition as plain values, pruner and games at equal time only where they are given."""
        found = super().to_json()
        given = {"pruner": bool(self.pruner), "equal_time_games": self.equal_time_games is not None}
        return {name: value for name, value in found.items() if given.get(name, True)}

    def said(self) -> dict[str, Any]:
        """Return what defines the same study again: of self-play the word for it, as nobody else is met; no object."""
        found = {**self.to_json(), **({"versus": [INCUMBENT]} if self.generations else {})}
        found.pop("pruner", None)
        return found

    def difference(self, other: Self) -> str:
        """Say first why ``other`` is not this study with more games; empty if it is."""
        found = super().difference(other)
        if not found and self.generations and other.games != self.games:
            return (
                f"games is {self.games:,} there and cannot be {other.games:,}, as opponents in self-play follow from it"
            )
        return found
