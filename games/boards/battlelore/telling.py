"""Events of BattleLore: cards, dice, losses, retreats, victory points. Made only while somebody listens.

Each function returns an event; its places are those of `BattleloreState.components`.
"""

from __future__ import annotations

from mypy_extensions import i64

from tag import Event
from tag.games.boards.battlelore.data import (
    ARMY,
    CARD_NAMES,
    FACE_NAMES,
    KIND_NAMES,
    KINDS,
    hex_name,
    listed,
    map_place,
)


def dealt(seat: i64, hand: i64) -> Event:
    """Return the cards that a player is dealt."""
    return Event("dealt", seat, 0.0, _cards(hand), ("deck", f"hand of {seat}"), seen_by=1 << seat)


def drawn(seat: i64, cards: i64) -> Event:
    """Return the cards that a player draws."""
    return Event("drawn", seat, 0.0, _cards(cards), ("deck", f"hand of {seat}"), seen_by=1 << seat)


def shuffled() -> Event:
    """Return that the discards are the deck again."""
    words = "the discards are shuffled, so both hands are known by counting"
    return Event("shuffled", places=("deck", "discards", "hand of 0", "hand of 1"), words=words)


def played(seat: i64, card: i64) -> Event:
    """Return that a card has been played, as the action says."""
    return Event("played", seat, 0.0, (CARD_NAMES[card],), (f"hand of {seat}", "discards"))


def ordered(seat: i64, units: tuple[str, ...]) -> Event:
    """Return the units that a card orders without a choice."""
    words = "{player} orders {items}" if units else "{player} can order no unit"
    return Event("ordered", seat, float(len(units)), units, words=words)


def moved(seat: i64, start: i64, end: i64) -> Event:
    """Return that a unit has moved, as the action says."""
    return Event("placed", seat, places=(map_place(start), map_place(end)))


def rolled(unit: i64, faces: tuple[int, ...]) -> Event:
    """Return the dice of a unit."""
    return Event("rolled", unit // ARMY, 0.0, tuple([FACE_NAMES[face] for face in faces]))


def retreat(unit: i64, start: i64, end: i64, steps: i64) -> Event:
    """Return where a unit has retreated to."""
    words = f"{_unit(unit)} retreats from {hex_name(int(start))} to {hex_name(int(end))}"
    return Event("retreat", unit // ARMY, float(steps), places=(map_place(start), map_place(end)), words=words)


def supported(unit: i64) -> Event:
    """Return that a friendly unit stops a retreat."""
    return Event("supported", unit // ARMY, words=f"{_unit(unit)} is supported and retreats no farther")


def losses(name: str, unit: i64, target: i64, hits: i64, removed: i64) -> Event:
    """Return the figures that a target loses to an attack or counter (``name``), by hits and for lack of a retreat."""
    lost = f"{removed} figure{'' if removed == 1 else 's'}" if removed else "no figure"
    reason = f"{removed - hits} for lack of a hex to retreat to" if removed > hits else ""
    words = f"{_unit(target)} loses {lost}"
    places = (f"figures of unit {target}",) if removed else ()
    return Event(name, unit // ARMY, float(removed), (), places, reason, words)


def eliminated(seat: i64, target: i64) -> Event:
    """Return the unit that a player has eliminated."""
    words = f"{{player}} eliminates {_unit(target)} and scores 1"
    return Event("eliminated", seat, 1.0, places=("map", f"points of {seat}"), words=words)


def army_eliminated(seat: i64) -> Event:
    """Return who has lost the last unit."""
    return Event("army eliminated", seat, words="{player} has no unit left")


def advance(seat: i64, unit: i64, start: i64, end: i64) -> Event:
    """Return where the attacker has advanced to."""
    words = f"{_unit(unit)} advances to {hex_name(int(end))}"
    return Event("advance", seat, places=(map_place(start), map_place(end)), words=words)


def banner(seat: i64, place: i64) -> Event:
    """Return the point for a banner."""
    words = f"{{player}} scores 1 for the banner at {hex_name(int(place))}"
    return Event("banners", seat, 1.0, places=(f"points of {seat}",), words=words)


def goal_reached(first: i64, second: i64) -> Event:
    """Return the victory points that end the game."""
    words = f"the battle ends with {first} to {second} victory points"
    return Event("goal reached", -1, float(max(first, second)), words=words)


def _unit(unit: i64) -> str:
    return f"the {KIND_NAMES[KINDS[unit]]} unit"


def _cards(cards: i64) -> tuple[str, ...]:
    return tuple([CARD_NAMES[card] for card in listed(cards)])
