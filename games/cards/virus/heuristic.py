"""A heuristic for Virus!: how far the own body is, and how far the rivals' bodies are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from mypy_extensions import i64

from tag import GameState, StateHeuristic
from tag.games.cards.virus.data import ABSENT, BITS, FREE, IMMUNISED, MASK, N_STATES, VACCINATED
from tag.games.cards.virus.parameters import VirusHeuristicParameters

if TYPE_CHECKING:
    from tag.games.cards.virus.state import VirusState


class VirusHeuristic(StateHeuristic):
    """The organs of the own body and of the best rival's, weighed by state; 1 for a win and -1 for a loss.

    TAG's heuristic, a fifth for each healthy organ, is
    ``virus:free=0.8,vaccinated=0.8,immunised=0.8,infected=0,rivals=0`` here.
    """

    parameters_class = VirusHeuristicParameters

    def __init__(self, parameters: VirusHeuristicParameters | None = None) -> None:
        super().__init__(parameters)
        self.weights = cast("VirusHeuristicParameters", self.parameters)
        self.organs = [_organ_value(self.weights, state) for state in range(N_STATES)]

    def value(self, state: GameState, player: i64) -> float:
        table = cast("VirusState", state)
        if table.is_terminal:
            return table.result_value(player)
        weights = self.weights
        value = 0.0
        best = 0.0
        total = 0.0
        any_rival = False
        for seat in range(table.n_players):
            worth = self._of_body(table.bodies[seat])
            if seat == player:
                value = weights.body * worth
            else:
                total += worth
                if not any_rival or worth > best:
                    best = worth
                    any_rival = True
        value += weights.rivals * best + weights.others * total / float(table.n_players - 1)
        return max(-1.0, min(1.0, value / float(table.goal)))

    def _of_body(self, body: i64) -> float:
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


DEFAULT_HEURISTIC: Final = VirusHeuristic()
