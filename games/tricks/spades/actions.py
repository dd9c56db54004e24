"""The actions of Spades: bids, and to play a card."""

from __future__ import annotations

from mypy_extensions import i64

from tag import Action, Actions, Event, Rng, Vocabulary
from tag.engine.rules.trick_state import PlayCard
from tag.engine.rules.tricks import cards_in
from tag.games.tricks.spades.data import SpadesParameters
from tag.games.tricks.spades.state import SpadesState


class BidBlind(Action[SpadesState]):
    """Bid nil before the deal, for twice the points, or decline to."""

    def __init__(self, accepts: bool) -> None:
        self.accepts = accepts

    def execute(self, state: SpadesState, rng: Rng) -> None:
        player = state.current_player
        if self.accepts:
            one: i64 = 1
            state.blind |= one << player
            state.bid(0)
            if state.recording:
                state.announce(Event("bid", player, 0.0, (), (f"bid of {player}",), words="{player} bids nil unseen"))

    def __str__(self) -> str:
        return "bid blind nil" if self.accepts else "look at the cards"


class Bid(Action[SpadesState]):
    """Say how many tricks the own hand will take."""

    def __init__(self, tricks: i64) -> None:
        self.tricks = tricks

    def execute(self, state: SpadesState, rng: Rng) -> None:
        player = state.current_player
        state.bid(self.tricks)
        if state.recording:
            words = "{player} bids {value}" if self.tricks else "{player} bids nil"
            state.announce(Event("bid", player, float(self.tricks), (), (f"bid of {player}",), words=words))

    def __str__(self) -> str:
        return f"bid {self.tricks}" if self.tricks else "bid nil"


def vocabulary(rules: SpadesParameters) -> Vocabulary:
    """Return all actions of a game."""
    blind = [Actions(BidBlind, accepts=(False, True))] if rules.blind_nil else []
    return Vocabulary(
        *blind, Actions(Bid, tricks=range(rules.ranks + 1)), Actions(PlayCard, card=cards_in(rules.deck()))
    )
