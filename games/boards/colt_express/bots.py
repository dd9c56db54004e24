"""The bot of Colt Express."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import AnyAction, Parameters, RuleBot
from tag.games.boards.colt_express.actions import (
    ChangeFloor,
    Cover,
    DrawCards,
    Fire,
    Move,
    MoveMarshal,
    Play,
    Punch,
    Rob,
)
from tag.games.boards.colt_express.data import FLOOR, KIND_BITS, MOVE, N_ACTIONS, PLAYER_SHIFT, PUNCH, ROB, SHOOT
from tag.games.boards.colt_express.state import ColtExpressState

_NEVER: Final = -9.0
_DRAW: Final = 2.0


@mypyc_attr(allow_interpreted_subclasses=True)
class PlanAndRob(RuleBot[ColtExpressState]):
    """Plans to go where loot lies and to take it, foreseeing its own cards on the pile but not those of others.

    It takes the most valuable loot, fires at and punches the richest bandit, keeps away from the Marshal, and draws cards
    rather than play one that does nothing.

    Source: our own.
    """

    def __init__(self, parameters: Parameters | None = None) -> None:
        super().__init__(parameters)
        #: Where the own bandits are expected to be, and how much loot will be left at each spot.
        self.spots: list[int] = []
        self.loot: list[int] = []

    def prepare(self, state: ColtExpressState) -> None:
        """Follow the own cards on the pile that are still to be carried out."""
        self.spots = state.spots[:]
        self.loot = [int(loot).bit_count() for loot in state.floor]
        for index in range(max(0, state.done), len(state.pile)):
            card = state.pile[index]
            if card >> PLAYER_SHIFT == self.player:
                self._foresee(state, card & KIND_BITS)

    def worth(self, state: ColtExpressState, action: AnyAction) -> float:
        """Weigh a card to be planned, or a way to carry one out."""
        if isinstance(action, Play):
            return self._plan(state, action.kind) - (0.1 if action.is_down else 0.0)
        if isinstance(action, Cover):
            return self._plan(state, action.number) - 3.0
        if isinstance(action, DrawCards):
            return _DRAW
        if isinstance(action, Rob):
            return _value(state, action.number, self.player)
        if isinstance(action, Move):
            floor = state.spots[state.acting] & 1
            return self._place(state, 2 * action.number + floor)
        return self._on_others(state, action)

    def _bandit(self, state: ColtExpressState, kind: i64) -> i64:
        """Return the own bandit that acts by a card."""
        return self.player * state.per + (1 if kind >= N_ACTIONS else 0)

    def _plan(self, state: ColtExpressState, kind: i64) -> float:
        """Return the worth of a card at the foreseen spot."""
        bandit = self._bandit(state, kind)
        spot = self.spots[bandit]
        here = float(self.loot[spot])
        action = kind % N_ACTIONS
        if action == ROB:
            return 10.0 if here > 0.0 else _NEVER
        if action == MOVE:
            best = max([self._place(state, there) for there in _next_spots(state, spot)])
            return 5.0 if here == 0.0 and best > 0.0 else 1.0
        if action == FLOOR:
            return 4.0 if here == 0.0 and self._place(state, spot ^ 1) > 0.0 else 0.5
        if action == SHOOT:
            return 3.0 if state.bullets[bandit] > 0 else _NEVER
        return 2.5 if action == PUNCH else 1.5

    def _foresee(self, state: ColtExpressState, kind: i64) -> None:
        """Carry out an own card as it is planned."""
        bandit = self._bandit(state, kind)
        spot = self.spots[bandit]
        action = kind % N_ACTIONS
        if action == ROB:
            self.loot[spot] = max(0, self.loot[spot] - 1)
        elif action == FLOOR:
            self.spots[bandit] = spot ^ 1
        elif action == MOVE:
            best = spot
            most = _NEVER
            for there in _next_spots(state, spot):
                if self._place(state, there) > most:
                    best, most = there, self._place(state, there)
            self.spots[bandit] = best

    def _place(self, state: ColtExpressState, spot: i64) -> float:
        """Return the worth of a spot: its loot, unless it is inside the Marshal's car."""
        return -5.0 if spot == 2 * state.marshal else float(self.loot[spot])

    def _on_others(self, state: ColtExpressState, action: AnyAction) -> float:
        """Weigh deeds to other bandits; 0 for anything else."""
        if isinstance(action, Fire):
            return self._rich(state, action.number)
        if isinstance(action, Punch):
            taken = _value(state, action.token, self.player) if action.token >= 0 else 0.0
            is_shot = 2 * action.car == 2 * state.marshal and state.spots[state.acting] & 1 == 0
            return self._rich(state, action.victim) + taken + (100.0 if is_shot else 0.0)
        if isinstance(action, MoveMarshal):
            return self._hit(state, action.number)
        return 0.1 if isinstance(action, ChangeFloor) else 0.0

    def _rich(self, state: ColtExpressState, bandit: i64) -> float:
        """Return the money of a bandit's owner, less than nothing for the own partner."""
        owner = bandit // state.per
        return -1000.0 if owner == self.player else state.loot_of(owner, state.known[self.player])

    def _hit(self, state: ColtExpressState, car: i64) -> float:
        """Return how many other bandits are inside a car, less the own ones."""
        found = 0.0
        for bandit in range(len(state.spots)):
            if state.spots[bandit] == 2 * car:
                found += -2.0 if bandit // state.per == self.player else 1.0
        return found


def _next_spots(state: ColtExpressState, spot: i64) -> list[int]:
    """Return the spots in the next cars, on the same floor."""
    return [there for there in (int(spot) - 2, int(spot) + 2) if 0 <= there < 2 * int(state.cars)]


def _value(state: ColtExpressState, token: i64, player: i64) -> float:
    """Return the worth of a piece of loot, as far as a player knows."""
    return float(state.values[token]) if state.known[player] >> token & 1 else state.purse_mean
