"""The heuristic of the TAG report for Exploding Kittens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from mypy_extensions import i64

from tag import GameState, StateHeuristic
from tag.games.cards.exploding_kittens.data import (
    ATTACK,
    DEFUSE,
    FAVOR,
    NOPE,
    SEE_THE_FUTURE,
    SHUFFLE,
    SKIP,
    count,
    n_cats,
    size,
)
from tag.games.cards.exploding_kittens.parameters import ExplodingKittensHeuristicParameters

if TYPE_CHECKING:
    from tag.games.cards.exploding_kittens.state import ExplodingKittensState


class ExplodingKittensHeuristic(StateHeuristic):
    """The worth of the cards in hand, over their number and one; 1 for a win and -1 for an explosion."""

    parameters_class = ExplodingKittensHeuristicParameters

    def __init__(self, parameters: ExplodingKittensHeuristicParameters | None = None) -> None:
        super().__init__(parameters)
        self.weights = cast("ExplodingKittensHeuristicParameters", self.parameters)

    def value(self, state: GameState, player: i64) -> float:
        table = cast("ExplodingKittensState", state)
        if table.is_terminal or not table.alive >> player & 1:
            return table.result_value(player)
        weights = self.weights
        hand = table.hand(player)
        value = weights.exploding if table.exploding == player else 0.0
        value += weights.defuse * float(count(hand, DEFUSE))
        value += weights.attack * float(count(hand, ATTACK))
        value += weights.skip * float(count(hand, SKIP))
        value += weights.favor * float(count(hand, FAVOR))
        value += weights.shuffle * float(count(hand, SHUFFLE))
        value += weights.see_the_future * float(count(hand, SEE_THE_FUTURE))
        value += weights.nope * float(count(hand, NOPE))
        value += weights.regular * float(n_cats(hand))
        value /= float(size(hand) + 1)
        if table.out:
            value += weights.survival * float(len(table.out)) / float(table.n_players - 1)
        return max(-1.0, min(1.0, value))


DEFAULT_HEURISTIC: Final = ExplodingKittensHeuristic()
