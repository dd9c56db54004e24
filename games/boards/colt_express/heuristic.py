"""The heuristic of the TAG report for Colt Express."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from mypy_extensions import i64

from tag import GameState, StateHeuristic
from tag.games.boards.colt_express.parameters import ColtExpressHeuristicParameters

if TYPE_CHECKING:
    from tag.games.boards.colt_express.state import ColtExpressState


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
        loot = table.loot(table.known[player])
        return self._weigh(table, player, loot, _total(table.bullets), _total(table.shots))

    def value_all(self, state: GameState, values: list[float]) -> None:
        """Weigh them for each player; players who know the same purses count the loot once."""
        table = cast("ColtExpressState", state)
        if table.is_terminal:
            super().value_all(state, values)
            return
        left, fired = _total(table.bullets), _total(table.shots)
        known: i64 = -1
        loot: list[float] = []
        for player in range(table.n_players):
            if table.known[player] != known:
                known = table.known[player]
                loot = table.loot(known)
            values[player] = self._weigh(table, player, loot, left, fired)

    def _weigh(self, table: ColtExpressState, player: i64, loot: list[float], left: i64, fired: i64) -> float:
        """Weigh the ``loot`` of each player and the bullets, of which all have so many ``left`` and ``fired``."""
        weights = self.weights
        mine = loot[player]
        wounds = float(table.wounds[player])
        value = self.loot * mine + weights.bullet_cards * wounds / (wounds + 10.0)
        own: i64 = 0
        first = player * table.per
        for bandit in range(first, first + table.per):
            own += table.bullets[bandit]
        full = float(max(1, left + fired))
        share = float(table.n_players)
        value += weights.bullets_left * float(own) * share / full
        value += weights.bullets_enemy * float(left - own) * share / (full * (share - 1.0))
        if self.lead != 0.0:
            best = 0.0
            for rival in range(table.n_players):
                if rival != player and loot[rival] > best:
                    best = loot[rival]
            value += self.lead * (mine - best)
        return max(-1.0, min(1.0, value))


def _total(numbers: tuple[int, ...]) -> i64:
    total: i64 = 0
    for number in numbers:
        total += number
    return total


DEFAULT_HEURISTIC: Final = ColtExpressHeuristic()
