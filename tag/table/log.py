"""The log of a seat: what a player is told of a game, from which a reader rebuilds every position that the player sees.

An event names the places that it concerns. An entry of the log adds what the player sees of these places afterwards, and
of no other. So a reader arrives at the player's next view exactly if the events that the player is told of name all that
has changed: a silent change is a difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tag.engine.state import Event, GameState
from tag.table.events import event_views
from tag.table.game import Start, TableGame, TakenAction
from tag.table.view import position_view, taken_view

#: The parts of a view that all games have, without components; the text for people follows from the position.
_FRAME = ("turn", "round", "player", "players")


def seat_log(start: Start, line: Sequence[int], viewer: int) -> Iterator[dict[str, Any]]:
    """Yield the log of a game for ``viewer`` (-1: sees everything): the set-up, then an entry for each action.

    An entry has ``player``, ``text`` and ``is_forced`` of the action (not the set-up), ``events`` as
    `tag.table.events.event_views` has them, and ``seen``: ``turn``, ``round``, ``player`` and ``players`` as in
    `tag.table.view.view`, and ``components`` by name, each as `tag.table.components.component_view` has it, None for one
    that is no longer there. The entry of the set-up has all components, others those whose places their events name.

    Examples:
        >>> log = list(seat_log(Start("cant_stop", 2), [0, 0], 0))
        >>> [event["text"] for event in log[1]["events"]], sorted(log[1]["seen"]["components"])
        (['player 0 rolls 2, 3, 5, 6'], ['die 1', 'die 2', 'die 3', 'die 4'])
    """
    game = TableGame(start)
    yield {"events": event_views(game.set_up, viewer), "seen": _seen(game.state, viewer)}
    for number in line:
        game.play(number)
        yield log_entry(game.taken[-1], game.state, viewer)


def log_entry(taken: TakenAction, state: GameState, viewer: int) -> dict[str, Any]:
    """Return the entry of an action for ``viewer``, which led to ``state``."""
    shown = taken_view(taken, viewer)
    return {**shown, "seen": _named_of(_seen(state, viewer), named_places(taken.events, viewer))}


def named_places(events: Sequence[Event], viewer: int) -> set[str]:
    """Return the components that the events which ``viewer`` is told of concern."""
    known = [event.known_to(viewer) for event in events]
    return {place.partition("/")[0] for event in known if event is not None for place in event.places}


def _seen(state: GameState, viewer: int) -> dict[str, Any]:
    view = position_view(state, viewer)
    components = {component["name"]: component for component in view["components"]}
    return {**{name: view[name] for name in _FRAME}, "components": components}


def _named_of(seen: dict[str, Any], named: set[str]) -> dict[str, Any]:
    components = seen["components"]
    return {**seen, "components": {name: components.get(name) for name in sorted(named)}}


class LogReader:
    """Rebuilds the view of a player from the log of the player's seat alone.

    Examples:
        >>> reader = LogReader()
        >>> for entry in seat_log(Start("cant_stop", 2), [0], 0):
        ...     reader.read(entry)
        >>> reader.seen["components"]["die 4"]["text"]
        '6'

    Attributes:
        seen: the position, as ``seen`` of the set-up's entry has it.
    """

    def __init__(self) -> None:
        """Start with an empty table."""
        self.seen: dict[str, Any] = {"components": {}}

    def read(self, entry: dict[str, Any]) -> None:
        """Go on by an entry."""
        news = entry["seen"]
        components = {**self.seen["components"], **news["components"]}
        there = {name: component for name, component in components.items() if component is not None}
        self.seen = {**news, "components": there}
