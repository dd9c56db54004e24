"""The definition of a tuning study: agents, a game, a search space, opponents and a budget, which decide all its games."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Final, Self

from tag.catalogue.registry import file_sources, make_agent
from tag.catalogue.user_code import is_path, source_of, split_path
from tag.engine.parameters import parse_spec
from tag.playing.agent import BUDGET_TYPES, Budget
from tag.tournaments.definition import sources_of
from tag.tuning.agent.objectives import PANELS
from tag.tuning.space import SearchSpace, agent_space
from tag.tuning.study.definition import FEWEST_SCORES, Study
from tag.tuning.study.folder import Manifest, read_manifest_of

RECOMMENDATION: Final = "recommendation.json"

#: Separate seeds, so that the recommendation plays games that the search has not seen.
SEARCH: Final = "search"
VALIDATION: Final = "validation"
HELD_OUT: Final = "held out"
EQUAL_TIME: Final = "equal time"
#: The stream of the games that measure the time per decision of a budget.
CALIBRATION: Final = "calibration"
#: Number of chance seeds of these games, for either side.
CALIBRATION_BLOCKS: Final = 50
#: The games that show which changes of a recommendation are in vain: which change no game, by so many chance seeds at most,
#: and whose gain is not shown, by parts of at least so many games.
REVERSION: Final = "reversion"
REVERSION_BLOCKS: Final = 5
REVERSION_PART: Final = 200
#: The opponent of self-play: the incumbent.
INCUMBENT: Final = "incumbent"


@dataclass(frozen=True, kw_only=True)
class StudyDefinition(Study):
    """A tuning study, with its specs in canonical form. Make one with `tag.tuning.agent.options.define_study`.

    Attributes beside those of `Study` and `StudyOptions`:
        agents: the specs of the agents whose parameters are searched; the first with its values is the default.
        versus: the opponents, who take turns; none if the agent alone is the team of a co-operative game.
        generations: the number of parts of the budget, each against the recommendation of the part before, the first against
            the default; 0 for opponents that stay.
        objective: as in `tag.tuning.agent.objectives`; of several, joined by commas, the first decides the recommendation.
        sampler: by name, never ``auto``; a class as ``file.py:Class``, and an object by its class, ``Class()``.
        pruner: the class of an object that drops trials instead of the race, ``Class()``; empty for the race.
        games_per_trial: the games of a configuration that is not pruned.
    """

    kind: ClassVar[str] = "tune"
    verdict: ClassVar[str] = RECOMMENDATION

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
        """The spec that the recommendation is compared with."""
        return self.space.base

    @property
    def objectives(self) -> tuple[str, ...]:
        """The names of the objectives."""
        return tuple(self.objective.split(","))

    @property
    def measuring(self) -> tuple[str, ...]:
        """The opponents in the comparison of the recommendation with the default."""
        return self.versus or ((self.default,) if self.generations else ())

    @property
    def round_games(self) -> int:
        """Number of games with one chance seed, against all opponents in all seats."""
        return (self.players if self.measuring else 1) * max(len(self.measuring), 1)

    @property
    def games_at_most(self) -> int:
        """Most games of the study, with those of the recommendation and the default in all validations."""
        validations = 2 * self.validation * (1 + bool(self.held_out)) + self.games_at_equal_time
        return self.games + self.reversion_games + validations

    @property
    def reversion_games(self) -> int:
        """Most games of the checks of changes to the default; 0 without a validation, or where times count."""
        if (
            not self.validation
            or self.decision_ms_limit
            or any(one == "decision_ms" or is_path(one) for one in self.objectives)
        ):
            return 0
        agents = 1 + len(self.space.configurations.distributions)
        alike = agents * REVERSION_BLOCKS * max(len(self.measuring), 1) * self.players
        return alike + 2 * self.games_in_pairs + 3 * self.games_to_compare

    @property
    def budget_text(self) -> str:
        """The games of all stages in a sentence without full stop; empty if there are none beside the search."""
        parts = {
            "to take back changes without a gain": self.reversion_games,
            "for the validation": 2 * self.validation,
            "for opponents held out": 2 * self.validation * bool(self.held_out),
            "at equal time": self.games_at_equal_time,
        }
        more = ", ".join(f"{games:,} {why}" for why, games in parts.items() if games)
        return more and f"beside the {self.games:,} games of the search there are at most {more}"

    @property
    def games_at_equal_time(self) -> int:
        """Most games of both sides of the validation at equal time, with those that scale the budget."""
        games = self.validation_at_equal_time
        return 2 * (games + CALIBRATION_BLOCKS * max(len(self.measuring), 1) * self.players) if games else 0

    @property
    def games_to_compare(self) -> int:
        """Most games of each of the three sides of comparisons without changes; 0 where these could show too little.

        It is a quarter of the search, and half of the games of either side in the validation at most.
        """
        part = min(self.games // 4, self.validation // 2)
        return part if part >= max(REVERSION_PART, FEWEST_SCORES * self.round_games) else 0

    @property
    def games_in_pairs(self) -> int:
        """Most games of either side in pairs with random halves of the changes; none of a panel that is not a mean."""
        return self.games_to_compare if self.panel == PANELS[0] or len(self.measuring) < 2 else 0

    @property
    def validation_at_equal_time(self) -> int:
        """Most games of the validation at equal time; 0 if the default has no budget to scale."""
        if not self.validation or why_not_scaled(self.default):
            return 0
        return self.validation if self.equal_time_games is None else self.equal_time_games

    @property
    def everyone(self) -> tuple[str, ...]:
        """The specs of all agents of the definition."""
        return (*self.agents, *self.versus, *self.held_out, *self.enqueue)

    def sources(self) -> dict[str, str]:
        """Return the text of users' files by name, as `Study.sources`."""
        return {
            **self._played_sources(),
            **dict(source_of(name) for name in self.objectives if is_path(name)),
            **(file_sources(self.sampler) if is_path(self.sampler) else {}),
        }

    def unplayed_sources(self) -> frozenset[str]:
        """Return the files of objectives, which only read games that have been played."""
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
        """Return the options that define the same study again: without objects, and in self-play with ``incumbent``."""
        found = {**super().said(), **({"versus": [INCUMBENT]} if self.generations else {})}
        found.pop("pruner", None)
        return found

    def difference(self, other: Self) -> str:
        """Return the first reason why ``other`` is not this study with more games; empty if it is."""
        found = super().difference(other)
        if not found and self.generations and other.games != self.games:
            return (
                f"games is {self.games:,} there and cannot be {other.games:,}, as opponents in self-play follow from it"
            )
        return found


StudyManifest = Manifest[StudyDefinition]


def read_study_manifest(folder: Path) -> StudyManifest:
    """Return the manifest of the tuning study in ``folder``; `DataError` where there is none, or it is damaged."""
    return read_manifest_of(StudyDefinition, folder)


def why_not_scaled(default: str) -> str:
    """Say why the budget of the default cannot be scaled; empty where it can be."""
    values = make_agent(default).parameters.values()
    if not isinstance(values.get("budget"), int):
        return f"{parse_spec(default).name} has no budget to scale"
    if not Budget(1, str(values.get("budget_type", BUDGET_TYPES[0]))).is_deterministic:
        return "the budget is time already"
    return ""
