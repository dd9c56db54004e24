"""The simple choices within sequences: a city, a card, a player. What follows from them is for the sequence to say."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from games.pandemic.board import CARD_NAMES
from games.pandemic.cards import EPIDEMIC
from games.pandemic.state import PandemicState
from tag.action import Action, AnyAction, interned
from tag.rng import Rng

MAX_PLAYERS: Final = 4


@mypyc_attr(allow_interpreted_subclasses=True)
class Choose(Action[PandemicState]):
    """Name a city or a card (they share their numbers).

    Attributes:
        card: the city or card.
    """

    __slots__ = ("card",)
    card: i64

    def __init__(self, card: i64) -> None:
        """Name the city or card."""
        self.card = card

    def key(self) -> tuple[object, ...]:
        """Return the city or card."""
        return (int(self.card),)

    def execute(self, state: PandemicState, rng: Rng) -> None:
        """Change nothing: the sequence takes note."""

    def __str__(self) -> str:
        """Name it: ``choose Delhi``."""
        return f"choose {CARD_NAMES[self.card]}"


@mypyc_attr(allow_interpreted_subclasses=True)
class ChoosePlayer(Action[PandemicState]):
    """Name a player.

    Attributes:
        player: the player.
    """

    __slots__ = ("player",)
    player: i64

    def __init__(self, player: i64) -> None:
        """Name the player."""
        self.player = player

    def key(self) -> tuple[object, ...]:
        """Return the player."""
        return (int(self.player),)

    def execute(self, state: PandemicState, rng: Rng) -> None:
        """Change nothing: the sequence takes note."""

    def __str__(self) -> str:
        """Name the player: ``choose player 2``."""
        return f"choose player {self.player}"


@mypyc_attr(allow_interpreted_subclasses=True)
class Discard(Choose):
    """Discard a card."""

    __slots__ = ()

    def execute(self, state: PandemicState, rng: Rng) -> None:
        """Discard it."""
        state.discard(state.current_player, self.card)

    def __str__(self) -> str:
        """Name it: ``discard Delhi``."""
        return f"discard {CARD_NAMES[self.card]}"


#: The choice of each city, or city or event card.
CHOOSE: Final[list[AnyAction]] = [interned(Choose(card)) for card in range(EPIDEMIC)]
#: The choice of each player.
CHOOSE_PLAYER: Final[list[AnyAction]] = [interned(ChoosePlayer(player)) for player in range(MAX_PLAYERS)]
#: Discarding each card.
DISCARD: Final[list[AnyAction]] = [interned(Discard(card)) for card in range(EPIDEMIC)]
