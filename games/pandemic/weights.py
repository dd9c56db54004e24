"""The heuristic's weights in the form in which positions are valued millions of times."""

from __future__ import annotations

from typing import Final, final

from games.pandemic.parameters import PandemicHeuristicParameters


@final
class Weights:
    """The weights at hand; see `PandemicHeuristicParameters`."""

    __slots__ = ("cubes", "cures", "deck", "hands", "outbreaks", "reach", "stations", "threat", "way")
    cures: float
    hands: float
    way: float
    cubes: float
    threat: float
    reach: float
    outbreaks: float
    stations: float
    deck: float

    def __init__(self, parameters: PandemicHeuristicParameters) -> None:
        """Take the parameters."""
        self.cures = parameters.cures
        self.hands = parameters.hands
        self.way = parameters.way
        self.cubes = parameters.cubes
        self.threat = parameters.threat
        self.reach = parameters.reach
        self.outbreaks = parameters.outbreaks
        self.stations = parameters.stations
        self.deck = parameters.deck


DEFAULT_WEIGHTS: Final = Weights(PandemicHeuristicParameters())
