"""Checks of the available actions."""

from __future__ import annotations

import pickle

from tag.action import Action, AnyAction
from tag.check.game_check import GameCheck, Position
from tag.check.report import shorten
from tag.errors import ContractError
from tag.snapshot import state_hash

_PLAIN = (int, float, str, bytes, type(None))

#: How many of the available actions are tried at a position.
_TRIED = 6


class ActionsWhileItLasts(GameCheck):
    """Nobody waits in a game that goes on, nobody plays in one that is over."""

    name = "actions_while_it_lasts"
    text = "actions are available exactly while the game lasts, to a player who exists"

    def at(self, position: Position) -> None:
        """Count them."""
        state = position.state
        count = len(position.model.available_actions(state))
        if state.is_terminal and count:
            raise ContractError(f"{count} actions are available although the game is over")
        if not state.is_terminal and not count:
            raise ContractError(
                f"no action is available to player {state.current_player} although the game is not over"
            )
        if not 0 <= state.current_player < state.n_players:
            raise ContractError(f"the current player is {state.current_player}, of {state.n_players}")


class ActionsDistinct(GameCheck):
    """Random play and search weigh each offer alike."""

    name = "actions_distinct"
    text = "no action is offered twice"

    def at(self, position: Position) -> None:
        """Compare class and key."""
        seen = set()
        for action in position.model.available_actions(position.state):
            key = (type(action), action.key())
            if key in seen:
                raise ContractError(f"{action!r} is offered twice")
            seen.add(key)


class ActionsInterned(GameCheck):
    """Agents compare actions by identity."""

    name = "actions_interned"
    text = "an action is one object (made with interned), rebuilt from its key as the same, of plain values"

    def at(self, position: Position) -> None:
        """Rebuild each action as pickle does."""
        for action in position.model.available_actions(position.state):
            for part in action.key():
                _check_plain(action, part)
            if pickle.loads(pickle.dumps(action)) is not action:  # noqa: S301  written here
                raise ContractError(f"{action!r} is not the one object with its key; make it with interned(...)")


def _check_plain(action: AnyAction, part: object) -> None:
    if isinstance(part, tuple):
        for inner in part:
            _check_plain(action, inner)
    elif isinstance(part, Action):  # an action about an action, such as a secret choice of one
        _check_plain(action, part.key())
    elif not isinstance(part, _PLAIN):
        raise ContractError(f"the key of {action!r} holds {shorten(part)}; use numbers, text and tuples of them")


class ActionsRepeatable(GameCheck):
    """Available actions are a function of the position."""

    name = "actions_repeatable"
    text = "equal positions offer the same actions in the same order, and computing them changes nothing"

    def at(self, position: Position) -> None:
        """Ask twice, and ask a copy."""
        model, state = position.model, position.state
        before = state_hash(state)
        first = model.available_actions(state)
        second = model.available_actions(state)
        if state_hash(state) != before:
            raise ContractError("computing the available actions changes the state")
        if first is second and first:
            raise ContractError("the list of available actions is the same object each time; return a new one")
        if first != second:
            raise ContractError(f"asked twice, {shorten(first)} become {shorten(second)}")
        copied = model.available_actions(state.copy())
        if first != copied:
            raise ContractError(f"{shorten(first)} are available, but {shorten(copied)} in a copy")


class ActionsPlayable(GameCheck):
    """Whatever is offered can be played."""

    name = "actions_playable"
    text = "every available action can be played, counts one tick and stays as it is"

    def at(self, position: Position) -> None:
        """Play some of the actions, each in a copy of its own."""
        model, state = position.model, position.state
        rng = position.rng("playable")
        actions = model.available_actions(state)
        rng.shuffle(actions)
        for action in actions[:_TRIED]:
            key = action.key()
            copy = state.copy()
            model.next(copy, action, rng)
            if copy.tick != state.tick + 1:
                raise ContractError(f"the tick goes from {state.tick} to {copy.tick} with {action!r}")
            if action.key() != key:
                raise ContractError(f"playing {action!r} changes its key from {shorten(key)}")
            if not copy.is_terminal and not model.available_actions(copy):
                raise ContractError(f"after {action!r} nothing is available although the game is not over")
