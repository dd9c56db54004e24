"""What can be said about a balancing study, on the command line or in a TOML file with the same words."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from tag.errors import ParameterError, SpecError
from tag.options import option
from tuning.balancing.definition import BalanceDefinition, BalanceOptions, define_balance
from tuning.commands.settings import CommonSettings


@dataclass(frozen=True, kw_only=True)
class BalanceSettings(CommonSettings, BalanceOptions):
    """What was said about a study; the module's docstring is the list. Unset ones take their defaults."""

    study: ClassVar = BalanceDefinition

    game: str = option(
        "", "The spec of the game: the printed rules; needed.", "What is balanced", example='"love_letter"'
    )

    def definition(self) -> BalanceDefinition:
        """Return the study, checked.

        Raises:
            TagError: something is wrong or missing; the message says what.
        """
        if not self.game:
            raise SpecError("a balancing study needs a game")
        if not self.games:
            raise ParameterError("a balancing study needs a budget; say how many games with --games")
        known = self._about_the_study()
        return define_balance(known.pop("game"), **known)

    def folder(self, definition: BalanceDefinition) -> Path:
        """Return where to work; by default a folder of its own for each definition, whatever its budgets."""
        return self._folder(f"balance_{definition.game}", definition)
