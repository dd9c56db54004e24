"""What happens at the end of a round, all but pickpocketing, which asks for decisions."""

from __future__ import annotations

from mypy_extensions import i64

from games.colt_express.data import ANGRY_MARSHAL, BRAKING, HOSTAGE, REBELLION, REVENGE, SWIVEL_ARM, TAKE_IT_ALL
from games.colt_express.table import BITS, plus
from games.colt_express.train import ColtExpressTrain


def resolve(state: ColtExpressTrain, ransom: i64) -> None:
    """Let the event of the round card happen."""
    event = state.event
    if event == ANGRY_MARSHAL:
        state.hand_out(_on_marshals_roof(state))
        if state.marshal > 0:
            state.move_marshal(state.marshal - 1)
    elif event == SWIVEL_ARM:
        _sweep(state)
    elif event == BRAKING:
        _brake(state)
    elif event == TAKE_IT_ALL:
        _drop_strongbox(state)
    elif event == REBELLION:
        state.hand_out([bandit for bandit in range(len(state.spots)) if not state.spots[bandit] & 1])
    else:
        _stop_at_station(state, ransom)


def _stop_at_station(state: ColtExpressTrain, ransom: i64) -> None:
    """Let the event of a station happen."""
    if state.event == REVENGE:
        for bandit in _on_marshals_roof(state):
            _drop_purse(state, bandit)
    elif state.event == HOSTAGE:
        for bandit in range(len(state.spots)):
            if state.spots[bandit] >> 1 == state.cars - 1:
                state.money = plus(state.money, bandit // state.per, ransom)


def is_alone(state: ColtExpressTrain, bandit: i64) -> bool:
    """Say whether no other bandit is at the spot of ``bandit``."""
    return state.spots.count(state.spots[bandit]) == 1


def _on_marshals_roof(state: ColtExpressTrain) -> list[int]:
    return [bandit for bandit in range(len(state.spots)) if state.spots[bandit] == 2 * state.marshal + 1]


def _sweep(state: ColtExpressTrain) -> None:
    """Sweep all bandits on roofs to that of the caboose."""
    for bandit in range(len(state.spots)):
        if state.spots[bandit] & 1:
            state.spots[bandit] = 1


def _brake(state: ColtExpressTrain) -> None:
    """Move all bandits on roofs by a car towards the locomotive."""
    for bandit in range(len(state.spots)):
        spot = state.spots[bandit]
        if spot & 1 and spot >> 1 < state.cars - 1:
            state.spots[bandit] = spot + 2


def _drop_strongbox(state: ColtExpressTrain) -> None:
    """Let the Marshal drop the next strongbox, if there is one, where he is."""
    bit = state.boxed & -state.boxed
    state.boxed &= ~bit
    state.floor[2 * state.marshal] |= int(bit)


def _drop_purse(state: ColtExpressTrain, bandit: i64) -> None:
    """Make a bandit drop the least valuable purse."""
    loot = state.held[bandit] & state.purses
    lowest: i64 = -1
    for token in range(len(state.values)):
        if loot & BITS[token] and (lowest < 0 or state.values[token] < state.values[lowest]):
            lowest = token
    if lowest >= 0:
        state.held[bandit] &= ~BITS[lowest]
        state.floor[state.spots[bandit]] |= BITS[lowest]
