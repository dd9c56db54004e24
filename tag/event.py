"""Events: announcements of a game while it is played."""

from __future__ import annotations

from mypy_extensions import i64, mypyc_attr


@mypyc_attr(allow_interpreted_subclasses=True)
class Event:
    """An announcement of a game (`GameState.announce`): a name, the player concerned (-1 for none), and a value."""

    __slots__ = ("name", "player", "value")
    name: str
    player: i64
    value: float

    def __init__(self, name: str, player: i64 = -1, value: float = 0.0) -> None:
        """Name the event."""
        self.name = name
        self.player = player
        self.value = value

    def __repr__(self) -> str:
        """Return the event for people."""
        return f"Event({self.name!r}, {self.player}, {self.value:g})"
