"""First positions of games: whether all players are one team, and whether points are counted."""

from __future__ import annotations

from typing import Any

from tag.catalogue.registry import make_game
from tag.catalogue.user_code import failure_of
from tag.engine.forward_model import ForwardModel
from tag.engine.rng import Rng, derive_seed
from tag.engine.state import GameState
from tag.errors import ContractError, TagError


def first_position(model: ForwardModel[Any], players: int, seed: int) -> GameState:
    """Set up a game.

    Raises:
        TagError: that is impossible; a failure of a user's own game is a `ContractError`.
    """
    try:
        state: GameState = model.setup(players, Rng(derive_seed(seed, "check")))
    except (KeyboardInterrupt, TagError):
        raise
    except BaseException as error:  # a user's own game may fail in any way
        raise ContractError(f"the game cannot be set up: {failure_of(error)}") from error
    return state


def is_one_team(state: GameState) -> bool:
    """Say whether all players win or lose together; also true of one player."""
    return all(state.team(player) == state.team(0) for player in range(state.n_players))


def is_cooperative_game(game: str, players: int, seed: int = 1) -> bool:
    """Say whether all players of a game win or lose together; also true of a game for one player.

    Raises:
        TagError: the game cannot be set up.
    """
    return is_one_team(first_position(make_game(game), players, seed))


def has_score(game: str, players: int, seed: int = 1) -> bool:
    """Say whether a game counts points of its own, beside the winners.

    Raises:
        TagError: the game cannot be set up.
    """
    return type(first_position(make_game(game), players, seed)).score is not GameState.score
