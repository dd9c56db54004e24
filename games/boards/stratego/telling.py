"""Events of Stratego: set-ups, moves, runs of scouts, fights, and all pieces at the end. Made only while somebody listens.

Each function returns an event; its places are those of `StrategoState.components`.
"""

from __future__ import annotations

from mypy_extensions import i64

from tag import Event
from tag.games.boards.stratego.data import KIND, NAMES, SQUARE_NAMES


def places_of(squares: list[str]) -> tuple[str, ...]:
    """Return the places of squares on the boards of pieces and of sides."""
    return tuple([f"{board}/{square}" for square in squares for board in ("pieces", "sides")])


def planned(player: i64, plan: str) -> Event:
    """Return that a player has chosen a part of a plan."""
    return Event("played", player, 0.0, (plan,), (f"plan of {player}",), seen_by=1 << player)


def placed(player: i64, square: str) -> Event:
    """Return that a player has set up a piece, as the action says."""
    return Event("placed", player, 0.0, (square,), places_of([square]), seen_by=1 << player)


def set_up(player: i64, pieces: list[str], squares: list[str]) -> Event:
    """Return that the pieces of a player stand, each with its square."""
    items = tuple([f"{piece} on {square}" for piece, square in zip(pieces, squares, strict=True)])
    places = (*places_of(squares), f"plan of {player}")
    words = "{player} has set up {items}"
    return Event("set up", player, float(len(pieces)), items, places, words=words, back="piece", seen_by=1 << player)


def moved(player: i64, source: str, target: str) -> Event:
    """Return that a piece has moved, as the action says."""
    return Event("placed", player, 0.0, (source, target), places_of([source, target]))


def ran(player: i64, square: str) -> Event:
    """Return that a piece which has moved several squares is a scout."""
    return Event("revealed", player, 0.0, ("scout",), places_of([square]), words="{player} shows {items} by its run")


def fought(player: i64, attacker: i64, defender: i64, outcome: i64, squares: list[str]) -> Event:
    """Return a fight: who attacks, the pieces, and which of them are lost."""
    kinds = (NAMES[attacker & KIND], NAMES[defender & KIND])
    lost = "both fall" if outcome == 0 else f"the {kinds[1 if outcome > 0 else 0]} falls"
    left: list[str] = []
    if outcome <= 0:
        left.append(left_name(attacker & KIND, player))
    if outcome >= 0:
        left.append(left_name(defender & KIND, 1 - player))
    words = "{player} attacks: " + f"{kinds[0]} against {kinds[1]}, {lost}"
    return Event("fought", player, float(outcome), kinds, (*places_of(squares), *left), words=words)


def shown(squares: tuple[int, ...], reason: str) -> Event:
    """Return the end of the game, at which all pieces are turned over."""
    words = "all pieces are turned over"
    places = places_of([SQUARE_NAMES[square] for square in squares])
    return Event("shown", -1, 0.0, (), (*places, "plan of 0", "plan of 1"), reason, words)


def left_name(kind: i64, player: i64) -> str:
    """Return the name of the counter of a player's pieces of a kind."""
    return f"{NAMES[kind]} of {player}"
