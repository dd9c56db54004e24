"""Bots of BattleLore: one goes for the nearest enemy, one weighs attacks by their dice."""

from __future__ import annotations

from math import comb
from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import AnyAction, Parameters, RuleBot
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
    ARCHERS,
    ARMY,
    DISTANCE,
    HARVESTERS,
    IN_ZONE,
    IS_RANGED,
    KINDS,
    N_FACES,
    N_HEXES,
    OFF_MAP,
    ZONE,
    can_see,
    orders_used,
)
from tag.games.boards.battlelore.state import COMMAND, ORDER, BattleloreState
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


#: The most dice of an attack, and figures of a unit.
_MOST_DICE: Final = 10
_MOST_FIGURES: Final = 4
#: What counts in figures: an elimination, a step nearer to the enemy, and an order to a unit that cannot attack.
_KILL: Final = 2.0
_STEP: Final = 0.67
_IDLE: Final = 0.6
#: The reach of archers, and the steps of a move.
_REACH: Final = 5
_MOVE: Final = 2


def _worth_of_dice(dice: int, faces: int, figures: int) -> float:
    """Return the figures that so many dice remove from a unit in the mean, and `_KILL` if it is eliminated."""
    hit = faces / N_FACES
    least = [
        sum(comb(dice, k) * hit**k * (1 - hit) ** (dice - k) for k in range(n, dice + 1)) for n in range(figures + 1)
    ]
    return sum(least[1:]) + _KILL * least[figures]


#: The worth of an attack by dice, faces that hit (1 or 2) and figures of the target.
_WORTH: Final[list[float]] = [
    _worth_of_dice(dice, faces, figures)
    for dice in range(_MOST_DICE + 1)
    for faces in (1, 2)
    for figures in range(_MOST_FIGURES + 1)
]
#: The probability that none of so many dice makes a target retreat.
_STANDS: Final[list[float]] = [(1 - 1 / N_FACES) ** dice for dice in range(_MOST_DICE + 1)]


@mypyc_attr(allow_interpreted_subclasses=True)
class Calculating(RuleBot[BattleloreState]):
    """Orders, moves and attacks where the dice promise most figures and eliminations, less those of a counter.

    Units that cannot attack go nearer to the enemy. It always counters and advances.

    Source: our own.
    """

    def __init__(self, parameters: Parameters | None = None) -> None:
        super().__init__(parameters)
        #: The units on the map, and what an order to each of the own ones is worth.
        self._own: list[int] = []
        self._enemies: list[int] = []
        self._promises: list[float] = []

    def prepare(self, state: BattleloreState) -> None:
        """Look at all units, and before orders at what they can do."""
        own, other = self.player * ARMY, (1 - self.player) * ARMY
        self._own = [unit for unit in range(own, own + ARMY) if state.places[unit] != OFF_MAP]
        self._enemies = [unit for unit in range(other, other + ARMY) if state.places[unit] != OFF_MAP]
        self._promises = [self._promise(state, unit) for unit in self._own] if state.phase in {COMMAND, ORDER} else []

    def worth(self, state: BattleloreState, action: AnyAction) -> float:
        """Weigh a card, an order, a move or an attack."""
        if isinstance(action, PlayCard):
            return self._card(state, action.card)
        if isinstance(action, OrderAnyUnit):
            return max(self._promises)
        if isinstance(action, OrderUnit):
            return self._promises[self._own.index(action.unit)]
        if isinstance(action, MoveUnit):
            stays = self._place(state, action.unit, state.places[action.unit], 0)
            return self._place(state, action.unit, action.place, 1) - stays
        if isinstance(action, AttackUnit):
            return 0.2 + self._attack(state, action.unit, action.target, state.places[action.unit], 1)
        return 1.0 if isinstance(action, (Counter, Advance)) else 0.0

    def _card(self, state: BattleloreState, card: i64) -> float:
        """Sum the promises of the best units that a card orders."""
        ranked = sorted([(-promise, unit) for promise, unit in zip(self._promises, self._own, strict=True)])
        total = 0.0
        units: i64 = 0
        used: i64 = 0
        for promise, unit in ranked:
            more = units + IN_ZONE[ZONE[self.player * N_HEXES + state.places[unit]]]
            if orders_used(card, more) > used:
                units = more
                used += 1
                total -= promise
        return total

    def _promise(self, state: BattleloreState, unit: i64) -> float:
        """Return the worth of the best attack of a unit after a move, whatever is in the way."""
        place: i64 = state.places[unit]
        reach = _REACH if IS_RANGED[KINDS[unit]] else 1
        best = 0.0
        for enemy in self._enemies:
            there: i64 = state.places[enemy]
            steps: i64 = DISTANCE[place * N_HEXES + there]
            if steps <= reach + _MOVE:
                start = place if reach > 1 else there
                best = max(best, self._attack(state, unit, enemy, start, 1 if steps > reach else 0))
        return best if best > 0.0 else _IDLE

    def _place(self, state: BattleloreState, unit: i64, place: i64, moved: i64) -> float:
        """Return the worth of a hex for a unit: the best attack from it, less the steps to where it can attack."""
        is_ranged = IS_RANGED[KINDS[unit]]
        reach = _REACH if is_ranged else 1
        best = 0.0
        nearest: i64 = N_HEXES
        for enemy in self._enemies:
            there: i64 = state.places[enemy]
            steps: i64 = DISTANCE[place * N_HEXES + there]
            nearest = min(nearest, steps)
            if steps <= reach and (not is_ranged or can_see(state.board, place, there)):
                best = max(best, self._attack(state, unit, enemy, place, moved))
        return best - _STEP * float(max(nearest, reach - 1) if is_ranged else nearest)

    def _attack(self, state: BattleloreState, unit: i64, target: i64, place: i64, moved: i64) -> float:
        """Return the worth of an attack from a hex: archers that have not moved attack twice."""
        dice = _dice(state, unit)
        if KINDS[unit] == ARCHERS and moved == 0:
            dice *= 2
        worth = _WORTH[(dice * 2 + _faces(state, unit)) * (_MOST_FIGURES + 1) + state.figures[target]]
        if DISTANCE[place * N_HEXES + state.places[target]] <= 1:
            back = _dice(state, target) * 2 + _faces(state, target)
            worth -= _STANDS[dice] * _WORTH[back * (_MOST_FIGURES + 1) + state.figures[unit]]
        return worth


def _dice(state: BattleloreState, unit: i64) -> i64:
    """Return the dice of an attack in the learning scenario."""
    if IS_RANGED[KINDS[unit]]:
        return 2
    return 3 + (state.figures_at_start - state.figures[unit] if KINDS[unit] == HARVESTERS else 0)


def _faces(state: BattleloreState, unit: i64) -> i64:
    """Return how many faces of a die hit, less one."""
    return 0 if IS_RANGED[KINDS[unit]] or state.is_weak(unit) else 1
