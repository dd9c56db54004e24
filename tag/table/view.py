"""Views: what a player or a spectator sees of a game at a table, as plain values.

A view is made from the viewer's observation, drawn from a fixed stream: it depends on nothing that the viewer cannot know,
even where a component forgets to hide something.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import isfinite
from numbers import Real
from typing import Any, Final

from tag.engine.results import result_name
from tag.engine.rng import Rng, derive_seed
from tag.engine.snapshot import state_hash
from tag.engine.state import AnyAction, GameState
from tag.table.components import component_view
from tag.table.events import event_views
from tag.table.game import EVERYTHING, TableGame, TakenAction

#: The stream of the deals that viewers see the backs of; no game draws from it.
_UNSEEN: Final = derive_seed(0, "view")


def view(game: TableGame, viewer: int, may_act: bool = True) -> dict[str, Any]:
    """Return the position of ``game`` as ``viewer`` sees it, as values that JSON has.

    ``viewer``; ``ply``, the number of actions played; ``turn`` and ``round``; ``player``, who decides, None at the end;
    ``players``, a list with ``score``, ``result``, ``place`` and ``team``, None where the viewer cannot tell the team;
    ``text``; ``components`` (`component_view`);
    ``actions``, a list with ``text`` and ``group`` by number, None at the end and where the viewer may not know them;
    ``log``, a list with ``player``, ``text``, ``is_forced`` and ``events`` (`tag.table.events.event_views`); ``set_up``,
    the events of the set-up; for one who sees everything also ``hash``, the position's.

    Examples:
        >>> from tag.table.game import Start
        >>> seen = view(TableGame(Start("tic_tac_toe", 2)), 0)
        >>> seen["player"], [action["text"] for action in seen["actions"]][:2]
        (0, ['a1', 'b1'])

    Args:
        game: the game at the table.
        viewer: a player, or -1 for one who sees everything.
        may_act: whether the viewer may know the actions of the player to move, if it is the viewer.
    """
    state = game.state
    knows_actions = may_act and not state.is_terminal and viewer in (EVERYTHING, state.current_player)
    found: dict[str, Any] = {
        "viewer": viewer,
        "ply": len(game.line),
        **position_view(state, viewer),
        "actions": _action_views(game, viewer) if knows_actions else None,
        "set_up": event_views(game.set_up, viewer),
        "log": [taken_view(taken, viewer) for taken in game.taken],
    }
    return found if viewer != EVERYTHING else {**found, "hash": state_hash(game.state)}


def taken_view(taken: TakenAction, viewer: int) -> dict[str, Any]:
    """Return an action that was played, as an entry of the log in `view`."""
    return {
        "player": taken.player,
        "text": taken.texts[viewer],
        "is_forced": taken.is_forced and viewer in (EVERYTHING, taken.player),  # others do not know the choice
        "events": event_views(taken.events, viewer),
    }


def position_view(position: GameState, viewer: int) -> dict[str, Any]:
    """Return the part of `view` that follows from the position alone, from ``turn`` to ``components``."""
    state = seen_by(position, viewer)
    return {
        "turn": int(state.turn),
        "round": int(state.round),
        "player": None if state.is_terminal else int(state.current_player),
        "players": [_player_view(state, player, viewer) for player in range(state.n_players)],
        "text": state.text(viewer),
        "components": [component_view(component, viewer) for component in state.components()],
    }


def seen_by(state: GameState, viewer: int) -> GameState:
    """Return a copy of ``state`` in which all that ``viewer`` cannot know is drawn from a fixed stream."""
    return state.copy() if viewer == EVERYTHING else state.observation(viewer, Rng(_UNSEEN))


def team_view(state: GameState, player: int, viewer: int) -> int | None:
    """Return the team of a player as ``viewer`` knows it, None where it is hidden (`GameState.known_team`)."""
    team = int(state.known_team(player, viewer))
    return None if team < 0 else team


def _player_view(state: GameState, player: int, viewer: int) -> dict[str, Any]:
    return {
        "score": state.score(player),
        "result": result_name(state.result(player)),
        "place": int(state.ordinal(player)),
        "team": team_view(state, player, viewer),
    }


def _action_views(game: TableGame, viewer: int) -> list[dict[str, str]]:
    return [{"text": action.text(game.state, viewer), "group": group_of(action)} for action in game.actions]


def group_of(action: AnyAction) -> str:
    """Return the kind of an action in words, by its class: ``put stone`` for ``PutStone``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", type(action).__name__).lower()


def plain_figures(value: object) -> Any:
    """Return figures that an agent tells as JSON has them; others than numbers, texts, lists and dictionaries as text."""
    if isinstance(value, Mapping):
        return {str(name): plain_figures(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain_figures(one) for one in value]
    if value is None or isinstance(value, bool | int | str):
        return value
    return float(value) if isinstance(value, Real) and isfinite(value) else str(value)
