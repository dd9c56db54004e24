"""The actions of Hearts: to choose a card that is passed, and to play a card."""

from __future__ import annotations

from mypy_extensions import i64

from tag import Action, Actions, Event, Rng, Vocabulary
from tag.engine.rules.trick_state import PlayCard
from tag.engine.rules.tricks import BIT, CARD_NAMES, cards_in
from tag.games.tricks.hearts.data import HeartsParameters
from tag.games.tricks.hearts.state import HeartsState


class PassCard(Action[HeartsState]):
    """Choose a card in secret; it is passed once all have chosen."""

    def __init__(self, card: i64) -> None:
        """Name the card by its number."""
        self.card = card
        self.bit: i64 = BIT[card]

    def execute(self, state: HeartsState, rng: Rng) -> None:
        player = state.current_player
        state.choose(self.bit)
        if state.recording:
            places = (f"hand of {player}", f"chosen by {player}")
            words = "{player} lays {items} aside"
            name = CARD_NAMES[self.card]
            state.announce(Event("laid aside", player, 0.0, (name,), places, words=words, seen_by=1 << player))

    def text(self, state: HeartsState, viewer: i64) -> str:
        """Name the card only to the player who chooses it."""
        return str(self) if viewer < 0 or viewer == state.current_player else "pass a card"

    def __str__(self) -> str:
        return f"pass {CARD_NAMES[self.card]}"


def vocabulary(rules: HeartsParameters, n_players: int) -> Vocabulary:
    """Return all actions of a game."""
    cards = cards_in(rules.deck(n_players))
    passes = [Actions(PassCard, card=cards)] if rules.passing != "none" else []
    return Vocabulary(*passes, Actions(PlayCard, card=cards))
