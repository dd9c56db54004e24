"""Events of play: what the driver publishes, and those who hear of it, such as displays and the writer of MLflow runs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:  # displays are made before anything is loaded that plays
    from tag.cluster.batches import WorkerSpeed
    from tag.tournaments.designs.stopping.rules import StoppingResult
    from tag.tournaments.ledger.rows import PlayedGame
    from tag.tournaments.statistics.standings import Standing


class StatusNote(Protocol):
    """The state of something that is shown beside the games: a stopping rule, a search."""

    @property
    def text(self) -> str:
        """The state, in a line."""

    def to_json(self) -> dict[str, Any]:
        """Return the same and more as plain values."""


class PlayListener:
    """Hears of the course of play; its methods do nothing, and each listener overrides some.

    They are called on the driver's thread, in the order of the events, except `say`, which is also called while the driver
    is busy. A listener never changes what is played.

    >>> class Written(PlayListener):
    ...     games = 0
    ...     def written(self, games):
    ...         self.games += games
    >>> counter = Written()
    >>> events = Listeners(counter)
    >>> events.written(20)
    >>> events.written(5)
    >>> counter.games
    25
    """

    def start(self, total: int, done: int, product: str = "") -> None:
        """Hear that play begins, with ``done`` of ``total`` games in the ledger, and ``product`` as the total's factors."""

    def skip(self, games: int) -> None:
        """Hear that so many more games were played before."""

    def expect(self, games: int) -> None:
        """Hear of so many more games in the total."""

    def played(self, games: Sequence[PlayedGame]) -> None:
        """Hear of games that have arrived and are not yet in the ledger."""

    def advance(self, games: int, faults: int) -> None:
        """Hear of games that are played and not recorded, so many, with so many faults."""

    def written(self, games: int) -> None:
        """Hear that so many games have been written: they survive any crash."""

    def show_stopping(self, stopping: StoppingResult) -> None:
        """Hear of the state of the stopping rule."""

    def show_note(self, name: str, note: StatusNote) -> None:
        """Hear of another state, by its ``name`` in JSON."""

    def measured(self, speeds: Sequence[WorkerSpeed], reference: float) -> None:
        """Hear how fast workers are, and by which speed times are scaled."""

    def say(self, sentence: str) -> None:
        """Hear a sentence for people."""

    def close(self) -> None:
        """Hear that play has ended, for any reason."""

    def end(self, status: str) -> None:
        """Hear that all is read and written; the ``status`` is that of a run of MLflow."""

    def conclude(self, standings: Sequence[Standing]) -> None:
        """Hear of the final standings, whether all has been played or not."""


class Listeners(PlayListener):
    """Passes events on to several listeners, in their order.

    One that raises an exception is named once and hears no more: play goes on. `KeyboardInterrupt` ends play.
    """

    def __init__(self, *listeners: PlayListener, shared: PlayListener | None = None) -> None:
        """Begin with some listeners.

        Args:
            listeners: hear of all.
            shared: hears of several tournaments, and has heard of the start with the games of all: of each, it hears which
                games are found, expected and played, and what is said.
        """
        self._listeners = list(listeners)
        self._shared = shared

    def add(self, listener: PlayListener) -> None:
        """Have another one hear of all from now on."""
        self._listeners.append(listener)

    def start(self, total: int, done: int, product: str = "") -> None:
        """Pass on that play begins; the shared listener hears which games are found."""
        self._tell("start", total, done, product)
        self._tell_shared("skip", done)

    def _tell(self, event: str, *values: Any) -> None:
        """Pass an event on to the listeners of this tournament."""
        for listener in list(self._listeners):
            if listener in self._listeners:
                self._call(listener, event, values)

    def _tell_shared(self, event: str, *values: Any) -> None:
        if self._shared is not None:
            self._call(self._shared, event, values)

    def _call(self, listener: PlayListener, event: str, values: Sequence[Any]) -> None:
        try:
            getattr(listener, event)(*values)
        except Exception as error:  # noqa: BLE001  any listener, also a user's, and play is worth more
            self._drop(listener)
            self._name(
                f"{type(listener).__name__} hears no more of play, which goes on: {type(error).__name__}: {error}"
            )

    def _drop(self, listener: PlayListener) -> None:
        self._listeners = [one for one in self._listeners if one is not listener]
        if listener is self._shared:
            self._shared = None

    def _name(self, sentence: str) -> None:
        """Say that a listener was dropped, where nobody else shows sentences on standard error."""
        rest = [*self._listeners, *([self._shared] if self._shared is not None else [])]
        if any(type(one).say is not PlayListener.say for one in rest):
            self.say(sentence)
            return
        with suppress(OSError, ValueError):  # closed, as may be why the display failed
            print(f"tag: {sentence}", file=sys.stderr)  # noqa: T201  nobody else is left to say it


def _passing_on(event: str) -> Callable[..., None]:
    """Return the method of `Listeners` that passes an event on, to the shared listener if it is of all tournaments."""
    is_of_all = event not in _OF_ONE

    def pass_on(self: Listeners, *values: Any) -> None:
        self._tell(event, *values)
        if is_of_all:
            self._tell_shared(event, *values)

    return pass_on


#: The events of one tournament, of which the listener of several does not hear.
_OF_ONE: Final = ("show_stopping", "show_note", "close", "end", "conclude")
for _event in (*_OF_ONE, "skip", "expect", "played", "advance", "written", "measured", "say"):
    setattr(Listeners, _event, _passing_on(_event))
