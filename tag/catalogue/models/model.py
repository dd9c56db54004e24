"""Learned models, and the rules of the games that they have learned."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tag.engine.forward_model import ForwardModel
from tag.errors import ParameterError
from tag.playing.learning import Knowledge


@dataclass
class Model:
    """The knowledge of a learner, with all that is needed to make the learner again.

    Attributes:
        learner: the spec of the learner.
        game: the spec of the game.
        rules: the game's title, version and all of its parameters, as `rules_of` returns them.
        players: the number of players.
        episodes: the games to be played in all.
        played: the games played so far.
        moves: the moves of these games.
        seed: the seed of the learner.
        version: the version of tag that learned it.
        knowledge: what the learner knows.
    """

    learner: str
    game: str
    rules: dict[str, Any]
    players: int
    episodes: int
    played: int
    moves: int
    seed: int
    version: str
    knowledge: Knowledge = field(default_factory=Knowledge)


def rules_of(model: ForwardModel[Any]) -> dict[str, Any]:
    """Return the facts of a game on which a learned model depends: its title, version and parameters."""
    kind = model.game_type
    return {"title": kind.title, "version": kind.version, "parameters": dict(model.parameters.values())}


def check_fits(file: str, model: Model, rules: ForwardModel[Any], n_players: int) -> None:
    """Raise `ParameterError` if the model from ``file`` was not learned by these rules with as many players."""
    theirs, ours = model.rules, rules_of(rules)
    reason = ""
    if theirs.get("title") != ours["title"]:
        reason = f"it has learned {theirs.get('title')}, not {ours['title']}"
    elif theirs.get("version") != ours["version"]:
        reason = f"it has learned version {theirs.get('version')} of {ours['title']}, and this is {ours['version']}"
    elif theirs.get("parameters") != ours["parameters"]:
        reason = f"it has learned {model.game}, whose parameters differ"
    elif model.players != n_players:
        reason = f"it has learned {ours['title']} for {model.players} players, not {n_players}"
    if reason:
        raise ParameterError(f"file cannot be {file!r} here; {reason}")
