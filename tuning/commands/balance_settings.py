"""Options of a balancing study, on the command line or in a TOML file with the same words."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from tag.catalogue.options import option
from tag.errors import ParameterError, SpecError
from tuning.balancing.definition import BalanceDefinition, BalanceOptions, define_balance
from tuning.commands.settings import CommonSettings


@dataclass(frozen=True, kw_only=True)
class BalanceSettings(CommonSettings, BalanceOptions):
    """Options given for a study; `BalanceOptions` lists them. Unset ones take their defaults."""

    study: ClassVar = BalanceDefinition

    game: str = option(
        "", "The spec of the game: the printed rules; needed.", "What is balanced", example='"love_letter"'
    )

    def definition(self) -> BalanceDefinition:
        """Return the checked definition of the study.

        Raises:
            TagError: an option is wrong or missing; the message names it.
        """
        if not self.game:
            raise SpecError("a balancing study needs a game")
        if not self.games:
            raise ParameterError("a balancing study needs a budget; say how many games with --games")
        known = self._about_the_study()
        return define_balance(known.pop("game"), **known)

    def folder(self, definition: BalanceDefinition) -> Path:
        """Return the study's folder; by default one per definition, the same for all budgets."""
        return self._folder(f"balance_{definition.game}", definition)
