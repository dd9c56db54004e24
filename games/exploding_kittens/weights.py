"""The heuristic's weights in the form in which positions are valued millions of times."""

from __future__ import annotations

from typing import Final, final

from games.exploding_kittens.cards import N_KINDS, TACOCAT
from games.exploding_kittens.parameters import ExplodingKittensHeuristicParameters


@final
class Weights:
    """The weights at hand.

    Attributes:
        values: what a card in hand is worth, by kind.
        survival: of the share of rivals who have exploded.
    """

    def __init__(self, parameters: ExplodingKittensHeuristicParameters) -> None:
        self.survival: float = parameters.survival
        self.values: list[float] = [
            parameters.exploding,
            parameters.defuse,
            parameters.attack,
            parameters.skip,
            parameters.favor,
            parameters.shuffle,
            parameters.see_the_future,
            parameters.nope,
            *[parameters.regular] * (N_KINDS - TACOCAT),
        ]


DEFAULT_WEIGHTS: Final = Weights(ExplodingKittensHeuristicParameters())
