"""The heuristic's weights in the form in which positions are valued millions of times."""

from __future__ import annotations

from typing import Final, final

from games.colt_express.parameters import ColtExpressHeuristicParameters


@final
class Weights:
    """The weights at hand, those of money per dollar; see `ColtExpressHeuristicParameters`."""

    def __init__(self, parameters: ColtExpressHeuristicParameters) -> None:
        self.loot: float = parameters.loot / parameters.max_loot
        self.bullet_cards: float = parameters.bullet_cards
        self.bullets_left: float = parameters.bullets_left
        self.bullets_enemy: float = parameters.bullets_enemy
        self.lead: float = parameters.lead / parameters.max_loot


DEFAULT_WEIGHTS: Final = Weights(ColtExpressHeuristicParameters())
