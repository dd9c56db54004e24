"""The log of a seat: what a player is told of a game, from which a reader rebuilds every position that the player sees.

An event names the places that it concerns. An entry of the log adds what the player sees of these places afterwards, and
of no other. So a reader arrives at the player's next view exactly if the events that the player is told of name all that
has changed: a silent change is a difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from tag.engine.state import AnyAction, Event, GameState
from tag.playing.agent import Agent
from tag.playing.listener import Listener
from tag.table.events import Narrator, event_views, known_events
from tag.table.game import Start, TableGame, TakenAction, action_texts
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
        (['player 0 rolls 2, 2, 2, 6'], ['die 1', 'die 2', 'die 3', 'die 4'])
    """
    game = TableGame(start)
    yield _first_entry(game.set_up, game.state, viewer)
    for number in line:
        game.play(number)
        yield log_entry(game.taken[-1], game.state, viewer)


def _first_entry(events: Sequence[Event], state: GameState, viewer: int) -> dict[str, Any]:
    return {"events": event_views(events, viewer), "seen": _seen(state, viewer)}


def log_entry(taken: TakenAction, state: GameState, viewer: int) -> dict[str, Any]:
    """Return the entry of an action for ``viewer``, which led to ``state``."""
    shown = taken_view(taken, viewer)
    return {**shown, "seen": _named_of(_seen(state, viewer), named_places(taken.events, viewer))}


class _Log(Listener):
    """Hears of a game, and passes on each action with the events that followed from it, once they are complete."""

    def __init__(self) -> None:
        """Start before the set-up."""
        self._narrator = Narrator()
        self._taken: TakenAction | None = None

    def on_start(self, state: GameState) -> None:
        """Begin with the set-up, whose events follow."""
        self._narrator.on_start(state)

    def on_action_chosen(
        self, state: GameState, player: int, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Pass the entry before on, and begin the next one."""
        self._end_entry(state)
        self._taken = TakenAction(int(player), action_texts(action, state), len(actions) == 1)

    def on_game_event(self, state: GameState, event: Event) -> None:
        """Collect the event."""
        self._narrator.on_game_event(state, event)

    def on_end(self, state: GameState) -> None:
        """Pass the last entry on."""
        self._end_entry(state)

    def _end_entry(self, state: GameState) -> None:
        self._add(self._taken, self._narrator.take(state), state)

    def _add(self, taken: TakenAction | None, events: Sequence[Event], state: GameState) -> None:
        """Take an action, None for the set-up, with its events, in the position after it."""
        raise NotImplementedError


class SeatLog(_Log):
    """Tells the log of a seat during a game, as `seat_log` yields it."""

    def __init__(self, viewer: int, tell: Callable[[dict[str, Any]], None]) -> None:
        """Tell each entry of ``viewer`` (-1: sees everything) by a call."""
        super().__init__()
        self._viewer = viewer
        self._tell = tell

    def _add(self, taken: TakenAction | None, events: Sequence[Event], state: GameState) -> None:
        if taken is None:
            self._tell(_first_entry(events, state, self._viewer))
        else:
            self._tell(log_entry(replace(taken, events=tuple(events)), state, self._viewer))


class EventRows(_Log):
    """Keeps the events of a game as values that JSON has, each with the action from which it followed.

    Examples:
        >>> from tag import Game, make_agent, make_game
        >>> rows = EventRows()
        >>> agents = [make_agent("random"), make_agent("random")]
        >>> _state = Game(make_game("cant_stop"), agents, seed=1, listeners=[rows]).play()
        >>> rows.rows[0]["text"], rows.rows[0]["action"], rows.rows[-1]["text"]
        ('player 0 rolls 2, 2, 2, 6', 'roll', 'player 1 wins the game')

    Attributes:
        rows: the events in order. Each has ``tick`` (how many actions there were), ``turn`` and ``round`` after the action,
            ``mover`` and ``action`` as one who sees everything calls it (-1 and empty in the set-up), the fields of
            `tag.table.events.event_views`, and ``seen_by`` and ``told_to``, lists of players.
    """

    def __init__(self) -> None:
        """Start with none."""
        super().__init__()
        self.rows: list[dict[str, Any]] = []

    def _add(self, taken: TakenAction | None, events: Sequence[Event], state: GameState) -> None:
        place = {"tick": int(state.tick), "turn": int(state.turn), "round": int(state.round)}
        mover, action = (taken.player, taken.texts[-1]) if taken else (-1, "")
        players = range(state.n_players)
        for event, shown in zip(events, event_views(events, -1), strict=True):
            told = [player for player in players if event.told_to >> player & 1]
            seen = [player for player in told if event.seen_by >> player & 1]
            self.rows.append({**place, "mover": mover, "action": action, **shown, "seen_by": seen, "told_to": told})


def named_places(events: Sequence[Event], viewer: int) -> set[str]:
    """Return the components that the events which ``viewer`` is told of concern."""
    return {place.partition("/")[0] for event in known_events(events, viewer) for place in event.places}


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
