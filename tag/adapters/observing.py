"""Positions as vectors that contain only what a seat knows: the game's features, or its cells."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from tag.catalogue.registry import make_game
from tag.engine.forward_model import ForwardModel
from tag.engine.state import GameState
from tag.engine.values import Features
from tag.errors import ContractError, UnknownNameError

#: The kinds of vectors.
KINDS: Final = ("features", "cells")

#: The bound of features, which declare none: all of them are finite.
_MOST: Final = float(np.finfo(np.float32).max)


class Vector:
    """The form of a game's observations: what each entry means, and its bounds.

    Attributes:
        names: the meaning of each entry.
        space: the bounds and the type of the entries.
    """

    def __init__(self, names: tuple[str, ...], space: spaces.Box) -> None:
        """Declare the entries."""
        self.names = names
        self.space = space

    def values(self, state: GameState, player: int) -> NDArray[Any]:
        """Return the entries as ``player`` knows them."""
        raise NotImplementedError


class FeatureVector(Vector):
    """The features that the game declares (`GameType.features`), which depend on nothing hidden from the player."""

    def __init__(self, features: Features, names: tuple[str, ...]) -> None:
        """Take the features and their names."""
        super().__init__(names, spaces.Box(-_MOST, _MOST, (len(names),), np.float32))
        self._features = features

    def values(self, state: GameState, player: int) -> NDArray[Any]:
        """Return the features in their order."""
        return np.array(self._features.values(state, player), np.float32)


class CellVector(Vector):
    """The seat of the player, and what each cell holds (`GameState.cell_values`), which all players see."""

    def values(self, state: GameState, player: int) -> NDArray[Any]:
        """Return the seat and the cells."""
        return np.frombuffer(bytes((player,)) + state.cell_values(), np.uint8)


def make_vector(model: ForwardModel[Any], n_players: int, kind: str = "features") -> Vector:
    """Return the vector of this kind for a game.

    Raises:
        UnknownNameError: there is no such kind.
        ContractError: the game does not declare it.
    """
    title = model.game_type.title
    model.check_players(n_players)
    if kind == "features":
        features = model.features()
        if features is None:
            raise ContractError(f"{title} declares no features; name a class of them in its game type")
        return FeatureVector(features, features.names(n_players))
    if kind != "cells":
        raise UnknownNameError.of("observation", kind, KINDS)
    cells = model.cells(n_players)
    if cells is None:
        raise ContractError(f"{title} declares no cells; the nearest observation is 'features'")
    high = np.array([n_players, *[cells.n_values - 1] * cells.number], np.uint8)
    named = ("seat", *[f"cell_{number}" for number in range(cells.number)])
    return CellVector(named, spaces.Box(np.zeros_like(high), high, dtype=np.uint8))


@lru_cache(maxsize=64)
def known_game(spec: str) -> ForwardModel[Any]:
    """Return the rules of a game, made once for all environments of this process."""
    return make_game(spec)
