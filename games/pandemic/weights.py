"""The heuristic's weights in the form in which positions are valued millions of times."""

from __future__ import annotations

from typing import Final, final

from games.pandemic.parameters import PandemicHeuristicParameters


@final
class Weights:
    """The weights at hand; see `PandemicHeuristicParameters`."""

    __slots__ = ("cubes", "cures", "deck", "hands", "outbreaks", "spread", "stations")
    cures: float
    cubes: float
    deck: float
    hands: float
    outbreaks: float
    stations: float
    spread: float

    def __init__(self, parameters: PandemicHeuristicParameters) -> None:
        """Take the parameters."""
        self.cures = parameters.cures
        self.cubes = parameters.cubes
        self.deck = parameters.deck
        self.hands = parameters.hands
        self.outbreaks = parameters.outbreaks
        self.stations = parameters.stations
        self.spread = parameters.spread


DEFAULT_WEIGHTS: Final = Weights(PandemicHeuristicParameters())
