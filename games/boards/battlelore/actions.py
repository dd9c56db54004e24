"""The actions of BattleLore: command cards, orders, moves, attacks, and what follows on attacks."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from tag import Action, Actions, AnyAction, Rng, Vocabulary, interned
from tag.games.boards.battlelore import telling
from tag.games.boards.battlelore.data import BIT, CARD_NAMES, N_CARDS, N_HEXES, N_UNITS, hex_name
from tag.games.boards.battlelore.state import (
    ADVANCED,
    ATTACK,
    COUNTERED,
    ENDED,
    STRUCK,
    BattleloreState,
)


class PlayCard(Action[BattleloreState]):
    """Play a command card for the units that it orders."""

    def __init__(self, card: i64) -> None:
        self.card = card

    def execute(self, state: BattleloreState, rng: Rng) -> None:
        state.play(self.card)

    def __str__(self) -> str:
        return f"play {CARD_NAMES[self.card]}"


class OrderAnyUnit(Action[BattleloreState]):
    """Play a command card for one unit, anywhere on the map."""

    def __init__(self, card: i64) -> None:
        self.card = card

    def execute(self, state: BattleloreState, rng: Rng) -> None:
        state.play(self.card)
        state.is_single = True

    def __str__(self) -> str:
        return f"play {CARD_NAMES[self.card]} to order any one unit"


class OrderUnit(Action[BattleloreState]):
    """Order a unit.

    Units are ordered by ascending number, always as many as the card can: an ordered unit need not do anything, so fewer
    orders are never better, and three of five units are 10 choices instead of 60.
    """

    def __init__(self, unit: i64) -> None:
        self.unit = unit

    def execute(self, state: BattleloreState, rng: Rng) -> None:
        state.ordered |= BIT[self.unit]

    def text(self, state: BattleloreState, viewer: i64) -> str:
        return f"order {state.unit_name(self.unit)}"

    def __str__(self) -> str:
        return f"order unit {self.unit}"


class MoveUnit(Action[BattleloreState]):
    """Move an ordered unit."""

    def __init__(self, unit: i64, place: i64) -> None:
        self.unit = unit
        self.place = place

    def execute(self, state: BattleloreState, rng: Rng) -> None:
        if state.recording:
            state.announce(telling.moved(state.current_player, state.places[self.unit], self.place))
        state.relocate(self.unit, self.place)
        state.moved |= BIT[self.unit]

    def text(self, state: BattleloreState, viewer: i64) -> str:
        return f"move {state.unit_name(self.unit)} to {hex_name(int(self.place))}"

    def __str__(self) -> str:
        return f"move unit {self.unit} to {hex_name(int(self.place))}"


class EndMoves(Action[BattleloreState]):
    """Leave the other ordered units where they are."""

    def execute(self, state: BattleloreState, rng: Rng) -> None:
        state.phase = ATTACK

    def __str__(self) -> str:
        return "end moves"


class AttackUnit(Action[BattleloreState]):
    """Attack with a unit."""

    def __init__(self, unit: i64, target: i64) -> None:
        self.unit = unit
        self.target = target

    def execute(self, state: BattleloreState, rng: Rng) -> None:
        state.attacker = self.unit
        state.target = self.target
        state.phase = STRUCK

    def text(self, state: BattleloreState, viewer: i64) -> str:
        return f"attack {state.unit_name(self.target)} with {state.unit_name(self.unit)}"

    def __str__(self) -> str:
        return f"attack unit {self.target} with unit {self.unit}"


class EndAttacks(Action[BattleloreState]):
    """Attack with no other unit."""

    def execute(self, state: BattleloreState, rng: Rng) -> None:
        state.phase = ENDED

    def __str__(self) -> str:
        return "end attacks"


class Counter(Action[BattleloreState]):
    """Attack the attacker back."""

    def execute(self, state: BattleloreState, rng: Rng) -> None:
        state.phase = COUNTERED

    def __str__(self) -> str:
        return "counter"


class HoldBack(Action[BattleloreState]):
    """Do not counter."""

    def execute(self, state: BattleloreState, rng: Rng) -> None:
        state.phase = ATTACK

    def __str__(self) -> str:
        return "do not counter"


class Advance(Action[BattleloreState]):
    """Move the attacker to the hex that its target has left; archers do not attack twice then."""

    def execute(self, state: BattleloreState, rng: Rng) -> None:
        if state.recording:
            start = state.places[state.attacker]
            state.announce(telling.advance(state.turn_player, state.attacker, start, state.vacated))
        state.relocate(state.attacker, state.vacated)
        state.attacked |= BIT[state.attacker]
        state.phase = ADVANCED

    def __str__(self) -> str:
        return "advance"


class Stay(Action[BattleloreState]):
    """Leave the attacker where it is, or do not pursue."""

    def execute(self, state: BattleloreState, rng: Rng) -> None:
        state.phase = ATTACK

    def __str__(self) -> str:
        return "stay"


# Tables.
PLAY_CARD: Final[list[AnyAction]] = [interned(PlayCard(card)) for card in range(N_CARDS)]
ORDER_ANY_UNIT: Final[list[AnyAction]] = [interned(OrderAnyUnit(card)) for card in range(N_CARDS)]
ORDER_UNIT: Final[list[AnyAction]] = [interned(OrderUnit(unit)) for unit in range(N_UNITS)]
END_MOVES: Final[AnyAction] = interned(EndMoves())
END_ATTACKS: Final[AnyAction] = interned(EndAttacks())
COUNTER: Final[AnyAction] = interned(Counter())
HOLD_BACK: Final[AnyAction] = interned(HoldBack())
ADVANCE: Final[AnyAction] = interned(Advance())
STAY: Final[AnyAction] = interned(Stay())
#: Moves by ``unit * N_HEXES + place``, and attacks by ``unit * N_UNITS + target``.
MOVES: Final[list[AnyAction]] = [interned(MoveUnit(unit, place)) for unit in range(N_UNITS) for place in range(N_HEXES)]
ATTACKS: Final[list[AnyAction]] = [
    interned(AttackUnit(unit, target)) for unit in range(N_UNITS) for target in range(N_UNITS)
]


def vocabulary() -> Vocabulary:
    """Return all actions of a game; of attacks also those on units of the same army."""
    units, cards = range(N_UNITS), range(N_CARDS)
    return Vocabulary(
        Actions(PlayCard, card=cards),
        Actions(OrderAnyUnit, card=cards),
        Actions(OrderUnit, unit=units),
        Actions(MoveUnit, unit=units, place=range(N_HEXES)),
        Actions(EndMoves),
        Actions(AttackUnit, unit=units, target=units),
        Actions(EndAttacks),
        Actions(Counter),
        Actions(HoldBack),
        Actions(Advance),
        Actions(Stay),
    )
