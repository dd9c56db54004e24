"""The heuristic of the TAG report for Exploding Kittens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from mypy_extensions import i64

from games.exploding_kittens.data import EXPLODING_KITTEN, N_KINDS, TACOCAT, counts, size
from games.exploding_kittens.parameters import ExplodingKittensHeuristicParameters
from tag import GameState, StateHeuristic

if TYPE_CHECKING:
    from games.exploding_kittens.state import ExplodingKittensState


class ExplodingKittensHeuristic(StateHeuristic):
    """The worth of the cards in hand, over their number and one; 1 for a win and -1 for an explosion."""

    parameters_class = ExplodingKittensHeuristicParameters

    def __init__(self, parameters: ExplodingKittensHeuristicParameters | None = None) -> None:
        super().__init__(parameters)
        weights = cast("ExplodingKittensHeuristicParameters", self.parameters)
        self.survival = weights.survival
        # What a card in hand is worth, by kind.
        self.values = [
            weights.exploding,
            weights.defuse,
            weights.attack,
            weights.skip,
            weights.favor,
            weights.shuffle,
            weights.see_the_future,
            weights.nope,
            *[weights.regular] * (N_KINDS - TACOCAT),
        ]

    def value(self, state: GameState, player: i64) -> float:
        table = cast("ExplodingKittensState", state)
        if table.is_terminal or not table.alive >> player & 1:
            return table.result_value(player)
        value = self.values[EXPLODING_KITTEN] if table.exploding == player else 0.0
        hand = table.hand(player)
        left = counts(hand)
        kind: i64 = 0
        while left:
            if left & 15:
                value += self.values[kind] * float(left & 15)
            left >>= 4
            kind += 1
        value /= float(size(hand) + 1)
        value += self.survival * float(len(table.out)) / float(table.n_players - 1)
        return max(-1.0, min(1.0, value))


DEFAULT_HEURISTIC: Final = ExplodingKittensHeuristic()
