"""The action of Goofspiel: a bid."""

from __future__ import annotations

from mypy_extensions import i64

from tag import Action, Rng
from tag.games.cards.goofspiel.state import GoofspielState


class Bid(Action[GoofspielState]):
    """Choose a card in secret as a bid; it is shown once all have chosen."""

    def __init__(self, card: i64) -> None:
        """Name the card, from 1."""
        self.card = card

    def execute(self, state: GoofspielState, rng: Rng) -> None:
        player = state.current_player
        state.bids = (*state.bids[:player], int(self.card), *state.bids[player + 1 :])

    def text(self, state: GoofspielState, viewer: i64) -> str:
        """Name the card only to the player who chooses it."""
        return str(self) if viewer < 0 or viewer == state.current_player else "bid in secret"

    def __str__(self) -> str:
        return f"bid {self.card}"
