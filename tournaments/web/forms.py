"""Games, agents and learners with their declared parameters as fields of forms, for tables and the workbench."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any, Final

from tag.catalogue.describe import Description, describe_agent, describe_game, describe_learner
from tag.catalogue.registry import agent_names, bot_names, game_class, game_names, module_of
from tag.engine.parameters import Choice, Dimension, Flag, Integer, Real
from tag.errors import TagError, UnknownNameError, one_line

#: The name of this module, which prints a form: ``python -m MODULE agent ./my_agent.py:MyAgent``.
MODULE: Final = "tag.tournaments.web.forms"
#: The kinds of form fields by those of parameters; others are text.
_FIELDS: Final = {"int": "integer", "float": "real", "bool": "flag", "choice": "choice"}
_DESCRIBE: Final[dict[str, Callable[[str], Description]]] = {
    "game": describe_game,
    "agent": describe_agent,
    "learner": describe_learner,
}


def form_of(kind: str, name: str) -> dict[str, Any]:
    """Return the declared parameters of a name as fields; of a game also its numbers of players.

    Args:
        kind: ``game``, ``agent`` or ``learner``.
        name: of it.

    Raises:
        UnknownNameError: there is no such kind or name.
    """
    if kind not in _DESCRIBE:
        raise UnknownNameError.of("kind of forms", kind, _DESCRIBE)
    about = _DESCRIBE[kind](name)
    found: dict[str, Any] = {
        "name": name,
        "text": about.summary,
        "fields": [field_of(one) for one in about.parameters],
    }
    if kind == "game":
        game_type = describe_game(name).game_type
        found["players"] = [int(game_type.min_players), int(game_type.max_players)]
    return found


def field_of(dimension: Dimension) -> dict[str, Any]:
    """Return a parameter as the field of a form, in plain values."""
    found: dict[str, Any] = {
        "name": dimension.name,
        "kind": _FIELDS.get(dimension.kind, "text"),
        "default": dimension.default,
        "text": dimension.text,
    }
    if isinstance(dimension, Integer | Real):
        found |= {"low": dimension.low, "high": dimension.high}
    if isinstance(dimension, Choice):
        found["choices"] = list(dimension.options)
    if isinstance(dimension, Flag):
        found["default"] = bool(dimension.default)
    return found


def catalogue() -> dict[str, Any]:
    """Return the names of the agents of any game, and all games with titles, numbers of players, families and bots."""
    games = []
    for name in game_names():
        cls = game_class(name)
        kind, path = cls.game_type, module_of(cls).split(".")
        family = path[2] if len(path) > 3 else ""
        low, high = int(kind.min_players), int(kind.max_players)
        facts = {"name": name, "title": kind.title, "low": low, "high": high, "family": family}
        games.append({**facts, "bots": bot_names(name)})
    return {"games": games, "agents": agent_names()}


if __name__ == "__main__":  # for servers that import no users' files themselves
    try:
        print(json.dumps(form_of(sys.argv[1], sys.argv[2])))  # noqa: T201
    except TagError as error:
        sys.exit(f"tag: {one_line(str(error))}")
