"""Checks of copies."""

from __future__ import annotations

from typing import Any

from tag.check.game_check import GameCheck, Position
from tag.check.leaves import difference
from tag.check.object_graph import shared_mutable
from tag.errors import ContractError
from tag.forward_model import ForwardModel
from tag.rng import Rng
from tag.snapshot import state_hash
from tag.state import GameState

#: How far a copy is played on.
_PLAYED_ON = 12


class CopyEqual(GameCheck):
    """A copy is the same position."""

    name = "copy_equal"
    text = "a copy equals its origin in every field"

    def at(self, position: Position) -> None:
        """Compare all fields."""
        state = position.state
        copy = state.copy()
        if type(copy) is not type(state):
            raise ContractError(f"a copy of {type(state).__name__} is a {type(copy).__name__}")
        found = difference(state, copy)
        if found:
            raise ContractError(f"in a copy {found}")


class CopyIndependent(GameCheck):
    """Search plays in copies."""

    name = "copy_independent"
    text = "copies and observations share nothing mutable with their origin"

    def at(self, position: Position) -> None:
        """Walk through both object graphs."""
        state = position.state
        found = shared_mutable(state, state.copy())
        if found:
            raise ContractError(f"a copy shares {found} with its origin")
        for player in range(state.n_players):
            found = shared_mutable(state, state.observation(player, position.rng("share")))
            if found:
                raise ContractError(f"an observation of player {player} shares {found} with its origin")


class CopyPlayable(GameCheck):
    """What happens in a copy stays there, and happens as it would in the game."""

    name = "copy_playable"
    text = "playing on in a copy changes nothing in its origin, and goes as it would there"

    def at(self, position: Position) -> None:
        """Play two copies on with equal streams."""
        model, state = position.model, position.state
        before = state_hash(state)
        one = state.copy()
        other = one.copy()
        if not _same_play(model, one, other, position):
            raise ContractError("a copy and its copy, played on with equal streams, come to different positions")
        if state_hash(state) != before:
            raise ContractError("playing on in a copy changes its origin")


def _same_play(model: ForwardModel[Any], one: GameState, other: GameState, position: Position) -> bool:
    return _play_on(model, one, position.rng("on")) == _play_on(model, other, position.rng("on"))


def _play_on(model: ForwardModel[Any], state: GameState, rng: Rng) -> list[str]:
    """Play ``state`` on at random and return the hashes it goes through."""
    hashes: list[str] = []
    while not state.is_terminal and len(hashes) < _PLAYED_ON:
        model.next(state, rng.choice(model.available_actions(state)), rng)
        hashes.append(state_hash(state))
    return hashes
