"""The actions of Diamant: going on, and leaving."""

from __future__ import annotations

from mypy_extensions import i64

from tag import Action, Rng
from tag.games.cards.diamant.data import BIT
from tag.games.cards.diamant.state import DiamantState


class _Choice(Action[DiamantState]):
    """A choice that others see when all have chosen."""

    def text(self, state: DiamantState, viewer: i64) -> str:
        return str(self) if viewer < 0 or viewer == state.current_player else "choose in secret"


class GoOn(_Choice):
    """Go on into the cave."""

    def execute(self, state: DiamantState, rng: Rng) -> None:
        """Change nothing until all have chosen."""

    def __str__(self) -> str:
        return "go on"


class LeaveCave(_Choice):
    """Leave the cave."""

    def execute(self, state: DiamantState, rng: Rng) -> None:
        """Note the choice; it is carried out when all have chosen."""
        state.leaving |= BIT[state.current_player]

    def __str__(self) -> str:
        return "leave"
