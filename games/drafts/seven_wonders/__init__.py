"""7 Wonders, by Antoine Bauza: draft of cards for 3-7 cities (Repos Production, 2010, first edition)."""

from tag.games.drafts.seven_wonders.data import SevenWondersParameters
from tag.games.drafts.seven_wonders.rules import SevenWonders
from tag.games.drafts.seven_wonders.state import SevenWondersState
from tag.games.drafts.seven_wonders.values import (
    SevenWondersFeatures,
    SevenWondersHeuristic,
    SevenWondersHeuristicParameters,
    SevenWondersMetric,
)

__all__ = [
    "SevenWonders",
    "SevenWondersFeatures",
    "SevenWondersHeuristic",
    "SevenWondersHeuristicParameters",
    "SevenWondersMetric",
    "SevenWondersParameters",
    "SevenWondersState",
]
