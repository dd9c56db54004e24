"""Values and features of positions, by the classes that the position's game declares."""

from tag import GameState
from tag.catalogue.registry import game_class, module_of
from tag.engine.forward_model import GameType


def _kind(state: GameState) -> GameType:
    """Return the game type of the game of ``state``, which is in a module named after it."""
    return game_class(module_of(type(state)).rpartition(".")[2]).game_type


def heuristic_of(state: GameState, player: int) -> float:
    """Return the value of ``state`` for ``player`` by the game's heuristic."""
    return _kind(state).heuristic().value(state, player)


def features_of(state: GameState, player: int, **parameters: object) -> dict[str, float]:
    """Return the features of ``state`` for ``player`` by name, in a game with these ``parameters``."""
    kind = _kind(state)
    return kind.features(kind.parameters(**parameters)).named(state, player)


def vector_of(state: GameState, player: int, **parameters: object) -> list[float]:
    """Return the same without names."""
    return list(features_of(state, player, **parameters).values())
