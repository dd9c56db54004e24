"""A heuristic for Sushi Go!: points, and what unfinished sets are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from mypy_extensions import i64

from tag import GameState, JointHeuristic, best_other, best_two
from tag.games.cards.sushi_go.data import (
    BITS,
    CHOPSTICKS,
    DUMPLING,
    NO_CHOICE,
    PUDDING,
    SASHIMI,
    TEMPURA,
    WASABI,
    count,
    first_of,
    maki_in,
    place_of,
    points_for,
    second_of,
    unit,
    with_card,
)
from tag.games.cards.sushi_go.parameters import SushiGoHeuristicParameters

if TYPE_CHECKING:
    from tag.games.cards.sushi_go.state import SushiGoState

#: Dumplings after which another one adds no more points than the one before.
_TOP_DUMPLING: Final = 4


class SushiGoHeuristic(JointHeuristic):
    """Points of a player and of the best rival, unfinished sets included; 1 for a win and -1 for a loss.

    An unfinished set counts the less, the fewer cards are left to take in the round. What a player has chosen counts as if
    it were shown: agents that look one action ahead would see no difference between their choices otherwise.
    """

    parameters_class = SushiGoHeuristicParameters

    def __init__(self, parameters: SushiGoHeuristicParameters | None = None) -> None:
        super().__init__(parameters)
        weights = cast("SushiGoHeuristicParameters", self.parameters)
        self.weights = weights
        self.tempura = [0.0, weights.tempura]
        self.sashimi = [0.0, weights.sashimi, weights.sashimi_pair]

    def _value_players(self, state: GameState, values: list[float]) -> None:
        table = cast("SushiGoState", state)
        for seat in range(table.n_players):
            values[seat] = self._expected(table, seat)
        two = best_two(values)
        for seat in range(table.n_players):
            lead = (values[seat] - self.weights.rivals * best_other(values[seat], two)) / self.weights.scale
            values[seat] = lead / (1.0 + abs(lead))

    def _expected(self, state: SushiGoState, seat: i64) -> float:
        """Return the points of ``seat`` and of what it has begun, a choice that is not shown yet included."""
        weights = self.weights
        table: i64 = state.tables[seat]
        points: i64 = state.points[seat]
        puddings: i64 = state.puddings[seat]
        choice: i64 = state.chosen[seat]
        if second_of(choice) >= 0:
            table -= unit(CHOPSTICKS)
        while choice != NO_CHOICE:
            card = first_of(choice)
            choice >>= BITS
            if card == PUDDING:
                puddings += 1
            else:
                place = place_of(table, card)
                points += points_for(state.prices, table, place)
                table = with_card(table, place)
        value = float(points) + weights.pudding * float(puddings)
        if table == 0:
            return value
        begun = self.tempura[count(table, TEMPURA) % 2] + self.sashimi[count(table, SASHIMI) % 3]
        begun += weights.dumpling * float(min(count(table, DUMPLING), _TOP_DUMPLING))
        begun += weights.wasabi * float(count(table, WASABI)) + weights.chopsticks * float(count(table, CHOPSTICKS))
        return value + weights.maki * float(maki_in(table)) + begun * float(state.cards) / float(state.dealt)


DEFAULT_HEURISTIC: Final = SushiGoHeuristic()
