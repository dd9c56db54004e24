"""The bot of BattleLore."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import AnyAction, RuleBot
from tag.games.boards.battlelore.actions import (
    Advance,
    AttackUnit,
    Counter,
    MoveUnit,
    OrderAnyUnit,
    OrderUnit,
    PlayCard,
)
from tag.games.boards.battlelore.data import (
    ARMY,
    DISTANCE,
    IN_ZONE,
    IS_RANGED,
    KINDS,
    N_HEXES,
    OFF_MAP,
    ZONE,
    orders_used,
)
from tag.games.boards.battlelore.state import BattleloreState
from tag.games.boards.battlelore.values import steps_to_enemy

#: Steps to an enemy from which a unit can attack after a move, and from which archers attack.
_NEAR: Final = 3
_SHOT: Final = 3


@mypyc_attr(allow_interpreted_subclasses=True)
class NearestAttack(RuleBot[BattleloreState]):
    """Orders the units nearest to enemies, moves them up to these, and attacks the weakest target whenever it can.

    Archers stop at three steps, and stay where they can shoot. It always counters and advances.

    Source: our own.
    """

    def worth(self, state: BattleloreState, action: AnyAction) -> float:
        """Weigh a card, an order, a move or an attack."""
        if isinstance(action, PlayCard):
            return self._card(state, action.card)
        if isinstance(action, OrderAnyUnit):
            return 0.9
        if isinstance(action, OrderUnit):
            return -float(steps_to_enemy(state, self.player, state.places[action.unit]))
        if isinstance(action, MoveUnit):
            return self._move(state, action.unit, action.place)
        if isinstance(action, AttackUnit):
            return 10.0 - float(state.figures[action.target])
        return 1.0 if isinstance(action, (Counter, Advance)) else 0.0

    def _card(self, state: BattleloreState, card: i64) -> float:
        """Count the units near enemies that a card orders, and a little the others."""
        near: i64 = 0
        everywhere: i64 = 0
        for unit in range(self.player * ARMY, self.player * ARMY + ARMY):
            place: i64 = state.places[unit]
            if place != OFF_MAP:
                zone = IN_ZONE[ZONE[self.player * N_HEXES + place]]
                everywhere += zone
                if steps_to_enemy(state, self.player, place) <= (_NEAR + 2 if IS_RANGED[KINDS[unit]] else _NEAR):
                    near += zone
        return float(orders_used(card, near)) + 0.3 * float(orders_used(card, everywhere))

    def _move(self, state: BattleloreState, unit: i64, place: i64) -> float:
        """Return how many steps a move brings a unit nearer to where it attacks; more beside weak enemies."""
        here = steps_to_enemy(state, self.player, state.places[unit])
        there = steps_to_enemy(state, self.player, place)
        if IS_RANGED[KINDS[unit]]:
            return float(max(here, _SHOT) - max(there, _SHOT)) if here > _SHOT + 1 else -1.0
        return float(here - there) + (0.1 * float(_weakness(state, self.player, place)) if there == 1 else -0.01)


def _weakness(state: BattleloreState, player: i64, place: i64) -> i64:
    """Return how many figures the weakest enemy beside a hex lacks."""
    most: i64 = 0
    first = (1 - player) * ARMY
    for unit in range(first, first + ARMY):
        other: i64 = state.places[unit]
        if other != OFF_MAP and DISTANCE[place * N_HEXES + other] == 1:
            most = max(most, state.figures_at_start - state.figures[unit])
    return most
