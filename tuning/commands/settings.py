"""Options of a study, on the command line or in a TOML file with the same words.

Every option is declared once: in `tuning.definition` for tuning, in `tuning.balancing.definition` for balancing, and in
`tournaments.commands.settings` for what both share with tournaments.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Final, Self

from tag.catalogue.options import option
from tag.errors import ParameterError, SpecError
from tournaments.commands.settings import RunSettings, read_toml
from tuning.definition import BUDGETS, Study, StudyDefinition, StudyOptions, define_study
from tuning.folder import STUDY, read_manifest_of
from tuning.space.tag_json import TagSearchSpace, read_tag_json

_TUNED: Final = "What is tuned"


@dataclass(frozen=True, kw_only=True)
class CommonSettings(RunSettings):
    """Options of all kinds of studies, apart from the search space; unset ones take their defaults.

    Attributes:
        study: the class of the definitions of such studies.
    """

    study: ClassVar[type[Study]]

    @classmethod
    def of(cls, named: str, said: Mapping[str, Any], new: Mapping[str, Any]) -> Self:
        """Return the settings of a new study, of one in a TOML file, or of one in a folder.

        Args:
            named: the file or folder, if it is one.
            said: the options.
            new: other settings of a new study.

        Raises:
            TagError: an option, the file or the folder does not fit.
        """
        if named and (Path(named) / STUDY).is_file():
            known = read_manifest_of(cls.study, Path(named)).definition.said()
            fixed = sorted(set(said).intersection(known) - set(BUDGETS))
            if fixed:
                raise ParameterError(f"{named!r} holds a study already; its {fixed[0]} cannot be changed")
            return cls.from_values({**known, **said, "out": named}, named)
        if named.endswith(".toml"):
            return cls.from_values({**read_toml(Path(named)), **said}, repr(named))
        return cls.from_values({**new, **said}, "the options")

    def _about_the_study(self) -> dict[str, Any]:
        """Return the options that decide the study, without those of folder and workers, by name; all rules as one."""
        elsewhere = {field.name for field in fields(RunSettings)}
        return {**{name: value for name, value in asdict(self).items() if name not in elsewhere}, "rules": self.rules}

    def _folder(self, name: str, definition: Study) -> Path:
        """Return the study's folder; by default one per definition, the same for all budgets."""
        plain = {name: 0 if name in BUDGETS else value for name, value in definition.to_json().items()}
        return self.folder_of("studies", name, definition.players, plain)


@dataclass(frozen=True, kw_only=True)
class StudySettings(CommonSettings, StudyOptions):
    """Options given for a study; `StudyOptions` lists them. Unset ones take their defaults."""

    study: ClassVar = StudyDefinition

    agents: tuple[str, ...] = option((), "The specs of what is tuned; needed.", _TUNED, example='["rhea"]')
    game: str = option(
        "", "The spec of the game that it is to be strong in; needed.", _TUNED, metavar="SPEC", example='"love_letter"'
    )
    tag_space: str = option(
        "",
        "A search space of TAG's in Java, as JSON, instead of agents and search.",
        _TUNED,
        metavar="FILE",
        example='"rhea.json"',
    )

    def definition(self) -> StudyDefinition:
        """Return the checked definition of the study.

        Raises:
            TagError: an option is wrong or missing; the message names it.
        """
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
        """Return remarks to print before the study begins: the parts of a TAG file without a counterpart here."""
        return self._tag.left_out if self.tag_space else ()

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
