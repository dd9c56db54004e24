"""The heuristic's weights in the form in which positions are valued millions of times."""

from __future__ import annotations

from typing import Final, final

from games.uno.parameters import UnoHeuristicParameters


@final
class Weights:
    """The weights at hand; see `UnoHeuristicParameters`."""

    __slots__ = (
        "cards",
        "hand_points",
        "looks_in_hand",
        "opponent",
        "playable",
        "player",
        "rivals_cards",
        "wild_cards",
    )
    player: float
    opponent: float
    cards: float
    rivals_cards: float
    hand_points: float
    wild_cards: float
    playable: float
    looks_in_hand: bool

    def __init__(self, parameters: UnoHeuristicParameters) -> None:
        """Take the parameters."""
        self.player = parameters.player
        self.opponent = parameters.opponent
        self.cards = parameters.cards
        self.rivals_cards = parameters.rivals_cards
        self.hand_points = parameters.hand_points
        self.wild_cards = parameters.wild_cards
        self.playable = parameters.playable
        self.looks_in_hand = any([self.hand_points != 0.0, self.wild_cards != 0.0, self.playable != 0.0])


DEFAULT_WEIGHTS: Final = Weights(UnoHeuristicParameters())
