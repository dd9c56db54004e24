"""The heuristic's weights in the form in which positions are valued millions of times."""

from __future__ import annotations

from typing import Final, final

from games.colt_express.parameters import ColtExpressHeuristicParameters


@final
class Weights:
    """The weights at hand, those of money per dollar; see `ColtExpressHeuristicParameters`."""

    __slots__ = ("bullet_cards", "bullets_enemy", "bullets_left", "lead", "loot")
    loot: float
    bullet_cards: float
    bullets_left: float
    bullets_enemy: float
    lead: float

    def __init__(self, parameters: ColtExpressHeuristicParameters) -> None:
        """Take the parameters."""
        self.loot = parameters.loot / parameters.max_loot
        self.bullet_cards = parameters.bullet_cards
        self.bullets_left = parameters.bullets_left
        self.bullets_enemy = parameters.bullets_enemy
        self.lead = parameters.lead / parameters.max_loot


DEFAULT_WEIGHTS: Final = Weights(ColtExpressHeuristicParameters())
