"""The view of watchers without a seat: what is shown to everyone, and nothing that players have learnt of each other.

A thing is public if all players see it alike, and if it is also shown to a guest who is not in the game. So a hand stays
hidden where each player knows it by other means, such as the two players of a game for two.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from tag.components import Component
from tag.engine.state import Event, GameState
from tag.table.components import component_view
from tag.table.events import event_views
from tag.table.game import EVERYTHING, TableGame, TakenAction
from tag.table.view import position_view, seen_by, team_view

#: The viewer who sees what is public.
PUBLIC: Final = -2


def public_view(game: TableGame) -> dict[str, Any]:
    """Return the position as a watcher sees it, in the form of `tag.table.view.view`; there are never actions.

    A score that depends on something hidden is None, as is any other value that players see differently.
    """
    players = game.state.n_players
    seen = [seen_by(game.state, player) for player in range(players)]
    found: dict[str, Any] = common([position_view(game.state, player) for player in range(players)])
    for player, shown in enumerate(found["players"]):
        shown["team"] = common([shown["team"], *[_guests_team(state, player) for state in seen]])
    found["components"] = common([_guests_components(state) for state in seen])
    found["text"] = _common_lines(seen)
    return {
        "viewer": PUBLIC,
        "ply": len(game.line),
        **found,
        "actions": None,
        "set_up": _public_events(game.set_up, players),
        "log": [public_action(taken, players) for taken in game.taken],
    }


def public_action(taken: TakenAction, players: int) -> dict[str, Any]:
    """Return an action that was played, as an entry of the log in `public_view`."""
    return {
        "player": taken.player,
        "text": taken.public,
        "is_forced": False,
        "events": _public_events(taken.events, players),
    }


def common(values: Sequence[Any]) -> Any:
    """Return the common part of plain values: None where they differ, within dictionaries and lists of one length.

    Examples:
        >>> common([{"hand": ["Guard", "King"], "deck": 3}, {"hand": ["Guard", None], "deck": 3}])
        {'hand': ['Guard', None], 'deck': 3}
        >>> common([{"items": ["Guard"]}, {"items": None}])
        {'items': None}
    """
    first = values[0]
    if all(one == first for one in values):
        return first
    if all(isinstance(one, dict) and one.keys() == first.keys() for one in values):
        return {name: common([one[name] for one in values]) for name in first}
    if all(isinstance(one, list) and len(one) == len(first) for one in values):
        return [common(parts) for parts in zip(*values, strict=True)]
    return None


def _public_events(events: Sequence[Event], players: int) -> list[dict[str, Any]]:
    """Return the events that all players and a guest are told of, with what all of them see."""
    found: list[dict[str, Any]] = []
    for event in events:
        known = [event.known_to(viewer) for viewer in range(players + 1)]
        if None not in known:
            found += event_views(
                [next((one for one in known if one is not None and one is not event), event)], EVERYTHING
            )
    return found


def _guests_team(state: GameState, player: int) -> int | None:
    """Return the team of a player as one knows it who has no seat."""
    team: int | None = _or_else(lambda: team_view(state, player, state.n_players), None)
    return team


def _guests_components(state: GameState) -> list[dict[str, Any]]:
    """Return the components of an observation as one sees them who has no seat."""
    return [_guests_component(component, state.n_players) for component in state.components()]


def _guests_component(component: Component, guest: int) -> dict[str, Any]:
    found: dict[str, Any] = {"kind": "thing", "name": component.name, "owner": int(component.owner), "text": "?"}
    return dict(_or_else(lambda: component_view(component, guest), found))


def _common_lines(seen: Sequence[GameState]) -> str:
    """Return the lines that a guest reads in all observations, ``?`` for others; none where all viewers read the same."""
    if type(seen[0]).text is GameState.text:
        return ""
    texts = [_or_else(lambda state=state: state.text(state.n_players).split("\n"), []) for state in seen]
    return "\n".join(["?" if line is None else line for line in common(texts) or []])


def _or_else(make: Callable[..., Any], otherwise: Any) -> Any:
    """Return the result of ``make``, or ``otherwise`` where a user's game has no answer for a guest."""
    try:
        return make()
    except Exception:  # noqa: BLE001  a game may look the viewer up among its players
        return otherwise
