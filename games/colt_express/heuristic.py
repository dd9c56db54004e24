"""The heuristic of the TAG report for Colt Express."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from mypy_extensions import i64

from games.colt_express.parameters import ColtExpressHeuristicParameters
from tag import GameState, StateHeuristic

if TYPE_CHECKING:
    from games.colt_express.state import ColtExpressState


class ColtExpressHeuristic(StateHeuristic):
    """Loot and bullets, weighed as in TAG, and the lead over the richest rival; 1 for a win and -1 for a loss.

    Own purses count what they hold, and those of others their average until their value is known. TAG divides whole
    numbers, so that its shares are mostly 0; here they are shares.
    """

    parameters_class = ColtExpressHeuristicParameters

    def __init__(self, parameters: ColtExpressHeuristicParameters | None = None) -> None:
        super().__init__(parameters)
        self.weights = cast("ColtExpressHeuristicParameters", self.parameters)
        self.loot = self.weights.loot / self.weights.max_loot  # per dollar, as the next one
        self.lead = self.weights.lead / self.weights.max_loot

    def value(self, state: GameState, player: i64) -> float:
        """Weigh loot and bullets of ``player``, in [-1, 1]; what is hidden from the player does not count."""
        table = cast("ColtExpressState", state)
        if table.is_terminal:
            return table.result_value(player)
        weights = self.weights
        known: i64 = table.known[player]
        mine = table.loot_of(player, known)
        wounds = float(table.wounds[player])
        value = self.loot * mine + weights.bullet_cards * wounds / (wounds + 10.0)
        own: i64 = 0
        first = player * table.per
        for bandit in range(first, first + table.per):
            own += table.bullets[bandit]
        total: i64 = 0
        for left in table.bullets:
            total += left
        fired: i64 = 0
        for shots in table.shots:
            fired += shots
        full = float(max(1, total + fired))
        share = float(table.n_players)
        value += weights.bullets_left * float(own) * share / full
        value += weights.bullets_enemy * float(total - own) * share / (full * (share - 1.0))
        if self.lead != 0.0:
            best = 0.0
            for rival in range(table.n_players):
                if rival != player:
                    best = max(best, table.loot_of(rival, known))
            value += self.lead * (mine - best)
        return max(-1.0, min(1.0, value))


DEFAULT_HEURISTIC: Final = ColtExpressHeuristic()
