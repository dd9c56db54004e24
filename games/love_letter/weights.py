"""The heuristic's weights in the form in which positions are valued millions of times."""

from __future__ import annotations

from typing import Final, final

from games.love_letter.cards import COUNTESS, N_KINDS
from games.love_letter.parameters import LoveLetterHeuristicParameters


@final
class Weights:
    """The weights at hand.

    Attributes:
        cards: of the value in hand.
        affection: of the tokens.
        hidden: of the rivals who have not seen the hand.
        advantage: of the lead in tokens.
        holding: what each card in hand adds, by value; index 0 is no card.
        values: what each card counts for its value, by value; index 0 is no card.
    """

    def __init__(self, parameters: LoveLetterHeuristicParameters) -> None:
        self.cards: float = parameters.cards
        self.affection: float = parameters.affection
        self.hidden: float = parameters.hidden
        self.advantage: float = parameters.advantage
        self.holding: list[float] = [
            0.0,
            parameters.guard,
            parameters.priest,
            parameters.baron,
            parameters.handmaid,
            parameters.prince,
            parameters.king,
            parameters.countess,
            parameters.princess,
        ]
        self.values: list[float] = [float(value) for value in range(N_KINDS + 1)]
        self.values[COUNTESS] *= 1.0 - parameters.countess_doubt


DEFAULT_WEIGHTS: Final = Weights(LoveLetterHeuristicParameters())
