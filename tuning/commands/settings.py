"""Options of studies and trainings, with the same names on the command line, in TOML files and in Python.

Every option is declared once: in `tag.tuning.agent.options` for tuning, in `tag.tuning.balancing.options` for balancing,
in `tag.tuning.training.definition` for training, and in `tag.tournaments.commands.settings` for what they share with
tournaments.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Final, Generic, Self

from tag.adapters.java import tell_differences
from tag.catalogue.options import option
from tag.errors import DataError, ParameterError, SpecError, TagError
from tag.tournaments.commands.settings import RuledSettings, RunSettings, read_toml
from tag.tuning.agent.defining import define_study
from tag.tuning.agent.definition import StudyDefinition
from tag.tuning.agent.events import events_of_tables
from tag.tuning.agent.options import StudyOptions
from tag.tuning.balancing.definition import BalanceDefinition
from tag.tuning.balancing.options import BalanceOptions, define_balance
from tag.tuning.samplers.users_code import is_object
from tag.tuning.space.tag_json import TagSearchSpace, read_tag_json
from tag.tuning.study.definition import AUTO, BUDGETS, Definition, Study
from tag.tuning.study.folder import STUDY, D, S, read_manifest_of
from tag.tuning.study.parameter_search import read_parameter_search
from tag.tuning.training.definition import (
    CHECKPOINT_SECONDS,
    TrainingDefinition,
    TrainingOptions,
    define_training,
)

_TUNED: Final = "What is tuned"
_LEARNED: Final = "What is learned"
#: The bounds of the time between checkpoints of a training, in seconds.
_SHORTEST_PAUSE: Final = 0.001
_LONGEST_PAUSE: Final = 86_400.0


@dataclass(frozen=True, kw_only=True)
class StoredSettings(RunSettings, Generic[D]):
    """Options of a study of any kind, which may also be in a TOML file, or follow from a folder.

    Attributes:
        study: the class of its definitions.
    """

    study: ClassVar[type[Definition]]

    @classmethod
    def of(cls, named: str, given: Mapping[str, Any], new: Mapping[str, Any]) -> Self:
        """Return the settings of a new run, or of the one in the TOML file or folder that is ``named``.

        Raises:
            TagError: an option, the file or the folder does not fit.
        """
        if named and (Path(named) / cls.study.manifest).is_file():
            known = read_manifest_of(cls.study, Path(named)).definition.said()
            fixed = sorted(set(given).intersection(known) - set(cls.study.may_grow))
            if fixed:
                raise ParameterError(f"{named!r} holds a {cls.study.word} already; its {fixed[0]} cannot be changed")
            return cls.from_values({**given, "out": named}, named, known)
        found = cls.in_file(named)
        if found is not None:
            return cls.from_values({**found, **given}, repr(named))
        return cls.from_values({**new, **given}, "the options")

    @classmethod
    def in_file(cls, named: str) -> dict[str, Any] | None:
        """Return the content of the TOML file that is ``named``; None where it is none.

        Raises:
            TagError: the file cannot be read.
        """
        return read_toml(Path(named)) if named.endswith(".toml") else None

    def definition(self) -> D:
        """Return the checked definition of the study.

        Raises:
            TagError: an option is wrong or missing; the message names it.
        """
        raise NotImplementedError

    def folder(self, definition: D) -> Path:
        """Return the study's folder; by default one per definition, however far it has grown."""
        raise NotImplementedError

    def remarks(self) -> tuple[str, ...]:
        """Return remarks to print before the study begins."""
        return ()

    def study_and_folder(self) -> tuple[D, Path]:
        """Return the checked study and its folder.

        Raises:
            TagError: an option is wrong or missing, or the folder holds something else; the message names it.
        """
        definition = self.definition()
        return definition, self.folder(definition)


@dataclass(frozen=True, kw_only=True)
class CommonSettings(StoredSettings[S], RuledSettings):
    """Options of tuning and balancing; unset ones take their defaults."""

    study: ClassVar[type[Study]]

    def study_and_folder(self) -> tuple[S, Path]:
        """Return the checked study and its folder.

        A study that was begun there with fewer games keeps the sampler, the games of a trial and the trials in play that it
        chose then, unless the user names others.

        Raises:
            TagError: an option is wrong or missing, or the folder holds something else; the message names it.
        """
        definition = self.definition()
        folder = self.folder(definition)
        return self._continued(definition, folder), folder

    def _continued(self, definition: S, folder: Path) -> S:
        """Return the study with what follows from the games as the study in ``folder`` has it, where it was not named."""
        if not (folder / STUDY).is_file():
            return definition
        stored, given = read_manifest_of(self.study, folder).definition.to_json(), asdict(self)
        kept = {name: stored[name] for name in ("games_per_trial", "live") if given[name] is None}
        if given["sampler"] == AUTO and not is_object(stored["sampler"]):
            kept["sampler"] = stored["sampler"]
        return replace(self, **kept).definition() if kept else definition

    def _about_the_study(self) -> dict[str, Any]:
        """Return the options that decide the study, without those of folder and workers, by name; all rules as one."""
        elsewhere = {field.name for field in fields(RuledSettings)}
        return {**{name: value for name, value in asdict(self).items() if name not in elsewhere}, "rules": self.rules}

    def _folder(self, name: str, definition: S) -> Path:
        """Return the study's folder; by default one per definition, the same for all budgets."""
        plain = {name: 0 if name in BUDGETS else value for name, value in definition.to_json().items()}
        folder = self.folder_of("studies", name, definition.players, plain)
        return folder if self.out or (folder / STUDY).is_file() else self._begun(folder, definition) or folder

    def _begun(self, folder: Path, definition: S) -> Path | None:
        """Return the folder beside ``folder`` with most games of the same study, begun with fewer; None without any."""
        found: dict[int, Path] = {}
        for file in folder.parent.glob(f"{folder.name.rpartition('-')[0]}-*/{STUDY}"):
            with suppress(TagError):
                there = read_manifest_of(self.study, file.parent).definition
                if not there.difference(self._continued(definition, file.parent)):
                    found[there.games] = file.parent
        return found[max(found)] if found else None


@dataclass(frozen=True, kw_only=True)
class StudySettings(CommonSettings[StudyDefinition], StudyOptions):
    """Options given for a study; `StudyOptions` lists them. Unset ones take their defaults."""

    study: ClassVar = StudyDefinition

    agents: tuple[str, ...] = option((), "The specs of what is tuned; needed.", _TUNED, example='["rhea"]')
    game: tuple[str, ...] = option(
        (),
        "The spec of the game that it is to be strong in; several for one agent in all of them, each perhaps with players=4 "
        "and weight=2; all for every game; needed.",
        _TUNED,
        metavar="SPEC",
        example='"love_letter"',
    )
    tag_space: str = option(
        "",
        "A search space of TAG's in Java, as JSON, instead of agents and search.",
        _TUNED,
        metavar="FILE",
        example='"rhea.json"',
    )

    @classmethod
    def from_values(cls, values: Mapping[str, object], where: str, known: Mapping[str, object] | None = None) -> Self:
        """Read settings by name, as `RunSettings.from_values`; a game may be a text, and games may be ``[[events]]``.

        Raises:
            TagError: there is no such setting, or a value is wrong.
        """
        return super().from_values(_with_games(values, where), where, _with_games(known or {}, where))

    @classmethod
    def in_file(cls, named: str) -> dict[str, Any] | None:
        """Return the content of a TOML file, or of a ParameterSearch file of TAG's as TOML; None where it is neither.

        Raises:
            TagError: the file cannot be read, or has no counterpart.

        Warns:
            TranslationWarning: entries of TAG's mean something else here.
        """
        if not named.endswith(".json") or not Path(named).is_file():
            return super().in_file(named)
        found = read_parameter_search(Path(named))
        if found is None:
            return None
        tell_differences(Path(named), found)
        return found.values

    def definition(self) -> StudyDefinition:
        """Return the checked definition of the study."""
        if not self.game:
            raise SpecError("a study needs a game; name it with --game")
        if not self.games:
            raise ParameterError("a study needs a budget; say how many games with --games")
        known = self._about_the_study()
        del known["tag_space"]
        if self.tag_space:
            known |= self._of_tag()
        return define_study(known.pop("agents"), known.pop("game"), **known)

    def remarks(self) -> tuple[str, ...]:
        """Return the parts of a TAG file without a counterpart here, which are left out, and those that differ."""
        if not self.tag_space:
            return ()
        return *(f"{one}; it is left out" for one in self._tag.left_out), *self._tag.changed

    @cached_property
    def _tag(self) -> TagSearchSpace:
        """The TAG file, read once."""
        return read_tag_json(Path(self.tag_space))

    def _of_tag(self) -> dict[str, Any]:
        """Return the agent and the search of a TAG file."""
        if self.agents or self.search:
            raise ParameterError("tag_space says what is tuned and searched; leave agents and search out beside it")
        return {"agents": (self._tag.base,), "search": self._tag.search}

    def folder(self, definition: StudyDefinition) -> Path:
        """Return the study's folder; by default one per definition, the same for all budgets."""
        return self._folder(f"{definition.agents[0]}_{definition.game}", replace(definition, equal_time_games=None))


def _with_games(values: Mapping[str, object], where: str) -> dict[str, object]:
    """Return values in which the game is a list, also where it is a text, or where there are events in its place."""
    found = dict(values)
    if "events" in found:
        if "game" in found:
            raise DataError(f"{where} has a game and events; leave one of them out")
        found["game"] = events_of_tables(found.pop("events"), where)
    if isinstance(found.get("game"), str):
        found["game"] = (found["game"],) if found["game"] else ()
    return found


@dataclass(frozen=True, kw_only=True)
class BalanceSettings(CommonSettings[BalanceDefinition], BalanceOptions):
    """Options given for a study; `BalanceOptions` lists them. Unset ones take their defaults."""

    study: ClassVar = BalanceDefinition

    game: str = option(
        "", "The spec of the game: the default rules; needed.", "What is balanced", example='"love_letter"'
    )

    def definition(self) -> BalanceDefinition:
        """Return the checked definition of the study."""
        if not self.game:
            raise SpecError("a balancing study needs a game")
        if not self.games:
            raise ParameterError("a balancing study needs a budget; say how many games with --games")
        known = self._about_the_study()
        return define_balance(known.pop("game"), **known)

    def folder(self, definition: BalanceDefinition) -> Path:
        """Return the study's folder; by default one per definition, the same for all budgets."""
        return self._folder(f"balance_{definition.game}", definition)


@dataclass(frozen=True, kw_only=True)
class TrainingSettings(StoredSettings[TrainingDefinition], TrainingOptions):
    """Options given for a training; `TrainingOptions` lists them. Unset ones take their defaults."""

    study: ClassVar = TrainingDefinition

    learner: str = option("", "The spec of the learner; needed.", _LEARNED, example='"td"')
    game: str = option(
        "",
        "The spec of the game; needed, unless a ledger has its games.",
        _LEARNED,
        metavar="SPEC",
        example='"love_letter"',
    )
    checkpoint_seconds: float = option(
        CHECKPOINT_SECONDS,
        "Training time of a learner between checkpoints; 5 by default. It changes no result.",
        "How much is played",
        example="60.0",
        least=_SHORTEST_PAUSE,
        most=_LONGEST_PAUSE,
    )

    def definition(self) -> TrainingDefinition:
        """Return the checked definition.

        Raises:
            TagError: an option is wrong or missing; the message names it.
        """
        if not self.learner:
            raise SpecError("a training needs a learner; name its spec")
        if not self.game and not self.ledger:
            raise SpecError("a training needs a game; name it with --game")
        if not self.episodes and not self.ledger:
            raise ParameterError("a training needs a number of games; say how many with --episodes")
        given = {one.name: getattr(self, one.name) for one in fields(TrainingOptions) if one.name != "episodes"}
        return define_training(self.learner, self.game, self.episodes, **given)

    def folder(self, definition: TrainingDefinition) -> Path:
        """Return the folder; by default one per definition, the same for any number of seeds."""
        plain = {**definition.to_json(), "seeds": 0}
        return self.folder_of("models", f"{definition.learner}_{definition.game}", definition.players, plain)
