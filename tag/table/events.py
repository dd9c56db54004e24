"""Events of games, as plain values and in words, as a player or a spectator may know them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from tag.engine.results import DRAW, LOSE, WIN, result_name
from tag.engine.state import Event, GameState
from tag.playing.listener import Listener

#: The sentences of common events, by name. Those of an empty one are said by the action itself: they have no text.
SENTENCES: Final = {
    "dealt": "{player} is dealt {items}",
    "discarded": "{player} discards {items}",
    "drawn": "{player} draws {items}",
    "eliminated": "{player} is out",
    "moved": "{player} moves {items} to {places}",
    "paid": "{player} pays {value}",
    "placed": "",
    "played": "",
    "received": "{player} gets {value}",
    "removed": "{player} loses {items}",
    "revealed": "{player} shows {items}",
    "rolled": "{player} rolls {items}",
    "round won": "{player} wins the round",
    "scored": "{player} scores {value}",
}

_PLAYER: Final = re.compile(r"\bplayer ([0-9]{1,2})\b")
_OWNER: Final = re.compile(r"\bof ([0-9]{1,2})$")


def event_text(event: Event, names: Sequence[str] = ()) -> str:
    """Return an event (`Event.known_to`) as a sentence without a full stop; empty if the action says it.

    Examples:
        >>> drawn = Event("drawn", 1, items=("Guard",), seen_by=1 << 1)
        >>> event_text(drawn), event_text(drawn.known_to(0), ["Ada", "Ben"])
        ('player 1 draws Guard', 'Ben draws a card')
        >>> event_text(Event("eliminated", 0, reason="player 1 named the Guard"), ["Ada", "Ben"])
        'Ada is out: Ben named the Guard'
        >>> event_text(Event("bust", 2)), event_text(Event("revealed", items=("Kd", "7c")))
        ('player 2: bust', 'revealed: Kd, 7c')

    Args:
        event: the event.
        names: the players' names; ``player 0`` … without.
    """
    is_known = event.name in SENTENCES and event.player >= 0
    words = event.words or (SENTENCES[event.name] if is_known else _plain_words(event))
    if not words:
        return ""
    text = words if not event.reason else f"{words}: {event.reason}"
    for name, part in (
        ("player", f"player {event.player}"),
        ("items", _items_text(event)),
        ("value", f"{event.value:g}"),
        ("places", ", ".join([place_text(place) for place in event.places])),
    ):
        text = text.replace(f"{{{name}}}", part)
    return with_names(text, names)


def with_names(text: str, names: Sequence[str]) -> str:
    """Return a text with ``player 0`` … replaced by the players' names, where there are names.

    Examples:
        >>> with_names("Guard on player 1 (Priest?)", ["Ada", "Ben"])
        'Guard on Ben (Priest?)'
    """

    def name_of(found: re.Match[str]) -> str:
        seat = int(found[1])
        return names[seat] if seat < len(names) else found[0]

    return _PLAYER.sub(name_of, text)


def place_text(place: str) -> str:
    """Return a place of an event in words: ``hand of player 1`` for the component ``hand of 1``, ``c4`` for ``board/c4``."""
    component, _, cell = place.partition("/")
    return cell or _OWNER.sub(r"of player \1", component)


def _plain_words(event: Event) -> str:
    """Return the sentence of an event without words of its own."""
    who = "{player}: " if event.player >= 0 else ""
    what = ": {items}" if event.items else " {value}" if event.value else ""
    return f"{who}{event.name}{what}"


def _items_text(event: Event) -> str:
    shown = [str(item) for item in event.items if item is not None]
    hidden = len(event.items) - len(shown)
    article = "an" if event.back[:1] in "aeiou" else "a"
    unseen = [] if not hidden else [f"{article} {event.back}" if hidden == 1 else f"{hidden} {event.back}s"]
    return ", ".join([*shown, *unseen])


def known_events(events: Sequence[Event], viewer: int) -> list[Event]:
    """Return the events that ``viewer`` is told of, as `Event.known_to` leaves them."""
    known = [event.known_to(viewer) for event in events]
    return [event for event in known if event is not None]


def event_views(events: Sequence[Event], viewer: int) -> list[dict[str, Any]]:
    """Return events as ``viewer`` may know them, as values that JSON has: the fields of `Event`, and ``text``.

    Items that the viewer does not see are None. An event that the viewer is not told of is left out.
    """
    return [
        {
            "name": known.name,
            "player": int(known.player),
            "value": known.value,
            "items": list(known.items),
            "places": list(known.places),
            "reason": known.reason,
            "text": event_text(known),
        }
        for known in known_events(events, viewer)
    ]


def event_texts(events: Sequence[Event], viewer: int, names: Sequence[str] = ()) -> list[str]:
    """Return events in words, as ``viewer`` is told of them, without those that the action itself says."""
    texts = [event_text(event, names) for event in known_events(events, viewer)]
    return [text for text in texts if text]


class Narrator(Listener):
    """Collects the events of a game: its own, and those that all games have, changes of scores and results."""

    def __init__(self) -> None:
        """Start without events."""
        self._events: list[Event] = []
        self._scores: list[float] = []
        self._results: list[int] = []

    def on_start(self, state: GameState) -> None:
        """Note scores and results."""
        self._scores, self._results = _standing(state)

    def on_game_event(self, state: GameState, event: Event) -> None:
        """Collect the event."""
        self._events.append(event)

    def take(self, state: GameState) -> tuple[Event, ...]:
        """Return the events since the last call, in order, and forget them."""
        events, self._events = self._events, []
        named = {event.player for event in events if event.told_to}
        scores, results = _standing(state)
        if not named:  # else the game says itself what it is about
            events += _score_events(state, self._scores, scores)
        if results != self._results:
            events += [
                event
                for event in _result_events(state, self._results, results)
                if state.is_terminal or event.player not in named
            ]
        self._scores, self._results = scores, results
        return tuple(events)


def _standing(state: GameState) -> tuple[list[float], list[int]]:
    players = range(state.n_players)
    return [state.score(player) for player in players], [int(state.result(player)) for player in players]


def _score_events(state: GameState, before: Sequence[float], after: Sequence[float]) -> list[Event]:
    """Return whose scores have changed, in one event where all are of one team."""
    if state.n_players > 1 and len({int(state.team(player)) for player in range(state.n_players)}) == 1:
        changed = before[0] != after[0]
        return [Event("score", -1, after[0], words="the score of all is {value}")] if changed else []
    return [
        Event("score", player, score, words="the score of {player} is {value}")
        for player, score in enumerate(after)
        if score != before[player]
    ]


def _result_events(state: GameState, before: Sequence[int], after: Sequence[int]) -> list[Event]:
    """Return the new result of each player, in one event if it is the same for all."""
    if len(after) > 1 and len(set(after)) == 1 and state.is_terminal:
        return [
            Event("result", -1, float(after[0]), words=_COMMON.get(after[0], "all players: " + result_name(after[0])))
        ]
    return [
        Event("result", player, float(result), words=_RESULTS.get(result, "{player}: " + result_name(result)))
        for player, result in enumerate(after)
        if result != before[player]
    ]


#: The sentences of a result for all players, and for one.
_COMMON: Final = {WIN: "all players win the game", DRAW: "the game is a draw", LOSE: "all players lose the game"}
_RESULTS: Final = {
    WIN: "{player} wins the game",
    DRAW: "{player} shares the first place",
    LOSE: "{player} loses the game",
}
