"""The definition of a tuning study: agents, a game, a search space, opponents and a budget, which decide all its games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Final, Self

from tag.catalogue.registry import file_sources, make_agent
from tag.catalogue.user_code import is_path, source_of, split_path
from tag.engine.parameters import parse_spec
from tag.playing.agent import BUDGET_TYPES, Budget
from tag.tournaments.definition import sources_of
from tag.tuning.agent.events import StudyEvent
from tag.tuning.agent.objectives import ACROSS, PANELS, WORST, bounds_of
from tag.tuning.space import SearchSpace, agent_space
from tag.tuning.study.definition import FEWEST_SCORES, Study
from tag.tuning.study.estimate import Sample
from tag.tuning.study.folder import Manifest, read_manifest_of

RECOMMENDATION: Final = "recommendation.json"

#: Separate seeds, so that the recommendation plays games that the search has not seen.
SEARCH: Final = "search"
VALIDATION: Final = "validation"
HELD_OUT: Final = "held out"
EQUAL_TIME: Final = "equal time"
PORTFOLIO: Final = "portfolio"
#: The stream of the games that measure the time per decision of a budget.
CALIBRATION: Final = "calibration"
#: Number of chance seeds of these games, for either side.
CALIBRATION_BLOCKS: Final = 50
#: The games that show which changes of a recommendation are in vain: which change no game, by so many chance seeds at most,
#: and whose gain is not shown, by parts of at least so many games.
REVERSION: Final = "reversion"
REVERSION_BLOCKS: Final = 5
REVERSION_PART: Final = 200
#: Fewest chance seeds of each of several games in a trial.
LEAST_ROUNDS: Final = 2
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
        events: of a study over several games, each as `tag.tuning.agent.events.StudyEvent` writes it; or none. Its
            ``game`` is ``several`` then, its ``players`` are the most seats, and ``held_out`` has
            further events in place of agents.
        across: how the gains in several games become one value, one of `tag.tuning.agent.objectives.ACROSS`.
        portfolio: the configurations of the largest portfolio for these games; 0 for none.
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
    events: tuple[str, ...] = ()
    across: str = ACROSS[0]
    portfolio: int = 0

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

    @cached_property
    def events_in_search(self) -> tuple[StudyEvent, ...]:
        """The events of a study over several games; none of a study of one."""
        return tuple(map(StudyEvent.read, self.events))

    @cached_property
    def held_out_events(self) -> tuple[StudyEvent, ...]:
        """The events that only the recommendation and the default play."""
        return tuple(map(StudyEvent.read, self.held_out)) if self.events else ()

    @property
    def everywhere(self) -> tuple[str, ...]:
        """The specs of all games of the study."""
        events = (*self.events_in_search, *self.held_out_events)
        return tuple(dict.fromkeys(event.game for event in events)) or (self.game,)

    @property
    def where(self) -> str:
        """The game and its players, or the names of several events."""
        return ", ".join(event.name for event in self.events_in_search) or super().where

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the greatest value that the first objective can have."""
        return (-1.0, 1.0) if self.events else bounds_of(self.objectives[0])

    @property
    def samples(self) -> tuple[Sample, ...]:
        """Games of the default against the opponents, of each event."""
        agents = (self.default, *self.measuring)
        found = tuple(Sample(event.game, event.players, agents) for event in self.events_in_search)
        return found or (Sample(self.game, self.players, agents),)

    @property
    def measuring(self) -> tuple[str, ...]:
        """The opponents in the comparison of the recommendation with the default."""
        return self.versus or ((self.default,) if self.generations else ())

    @property
    def round_games(self) -> int:
        """Number of games with one chance seed, of each of several games, against all opponents in all seats."""
        if self.events:
            return self.games_of_round(self.events_in_search)
        return (self.players if self.measuring else 1) * max(len(self.measuring), 1)

    @property
    def round_seeds(self) -> int:
        """Number of chance seeds of these games."""
        return len(self.events) or 1

    @property
    def least_rounds(self) -> int:
        """Fewest rounds after which a trial is judged: in several games the noise shows from two seeds of each on."""
        return LEAST_ROUNDS if self.events else 1

    @property
    def prunes(self) -> bool:
        """Whether trials are judged before their ends: not by the worst game, which few seeds make look too bad."""
        return self.race and self.across != WORST

    def games_of_round(self, events: Sequence[StudyEvent]) -> int:
        """Return the number of games with one chance seed of each event."""
        return sum(event.players * len(event.opponents(self.measuring)) for event in events)

    @property
    def games_at_most(self) -> int:
        """Most games of the study, with those of the recommendation and the default in all validations."""
        validations = 2 * self.validation * (1 + bool(self.held_out)) + self.games_at_equal_time
        return self.games + self.reversion_games + validations + self.games_of_portfolio

    @property
    def reversion_games(self) -> int:
        """Most games of the checks of changes to the default; 0 without a validation, or where times count."""
        if (
            not self.validation
            or self.events
            or self.decision_ms_limit
            or any(one == "decision_ms" or is_path(one) for one in self.objectives)
        ):
            return 0
        agents = 1 + len(self.space.configurations.distributions)
        alike = agents * REVERSION_BLOCKS * max(len(self.measuring), 1) * self.players
        return alike + 2 * self.games_in_pairs + 3 * self.games_to_compare

    @property
    def games_of_portfolio(self) -> int:
        """Most games of the configurations of portfolios, and of the default beside them."""
        return (self.portfolio + 1) * self.validation if self.portfolio else 0

    @property
    def budget_text(self) -> str:
        """The games of all stages in a sentence without full stop; empty if there are none beside the search."""
        parts = {
            "to take back changes without a gain": self.reversion_games,
            "for the validation": 2 * self.validation,
            f"for {'games' if self.events else 'opponents'} held out": 2 * self.validation * bool(self.held_out),
            "at equal time": self.games_at_equal_time,
            "for portfolios": self.games_of_portfolio,
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
        if not self.validation or self.events or why_not_scaled(self.default):
            return 0
        return self.validation if self.equal_time_games is None else self.equal_time_games

    @property
    def everyone(self) -> tuple[str, ...]:
        """The specs of all agents of the definition."""
        return (*self.agents, *self.versus, *(() if self.events else self.held_out), *self.enqueue)

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
        found: dict[str, str] = {}
        for game in self.everywhere:
            found |= sources_of(game, self.everyone, self.metrics)
        return found

    def to_json(self) -> dict[str, Any]:
        """Return the definition as plain values: pruner, games at equal time and events only where they are given."""
        found = super().to_json()
        given = {"pruner": bool(self.pruner), "equal_time_games": self.equal_time_games is not None}
        given |= dict.fromkeys(("events", "across"), bool(self.events)) | {"portfolio": self.portfolio > 0}
        return {name: value for name, value in found.items() if given.get(name, True)}

    def said(self) -> dict[str, Any]:
        """Return the options that define the same study again: without objects, and in self-play with ``incumbent``."""
        found = {**super().said(), **({"versus": [INCUMBENT]} if self.generations else {})}
        found.pop("pruner", None)
        if self.events:
            found["game"] = found.pop("events")
            del found["players"]
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
