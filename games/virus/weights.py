"""The heuristic's weights in the form in which positions are valued millions of times."""

from __future__ import annotations

from typing import Final, final

from mypy_extensions import i64

from games.virus.bodies import ABSENT, BITS, FREE, IMMUNISED, MASK, N_STATES, VACCINATED
from games.virus.parameters import VirusHeuristicParameters


@final
class Weights:
    """The weights at hand.

    Attributes:
        body: of the own body.
        rivals: of the best body among the rivals.
        others: of the rivals' bodies on average.
        organs: what an organ counts, by state.
    """

    def __init__(self, parameters: VirusHeuristicParameters) -> None:
        self.body: float = parameters.body
        self.rivals: float = parameters.rivals
        self.others: float = parameters.others
        self.organs: list[float] = [_organ_value(parameters, state) for state in range(N_STATES)]

    def of_body(self, body: i64) -> float:
        """Return the values of a body's organs, added up."""
        value = 0.0
        while body != 0:
            value += self.organs[body & MASK]
            body >>= BITS
        return value


def _organ_value(parameters: VirusHeuristicParameters, state: int) -> float:
    if state == ABSENT:
        return 0.0
    if state == FREE:
        return parameters.free
    if state < VACCINATED:
        return parameters.infected
    return parameters.vaccinated if state < IMMUNISED else parameters.immunised


DEFAULT_WEIGHTS: Final = Weights(VirusHeuristicParameters())
