"""Checks of actions: distinct, numbered, the same each time, and playable."""

from __future__ import annotations

import pickle
from typing import Any, Final

from tag.check.evidence.mutable import held_mutable
from tag.check.evidence.values import difference, value_difference
from tag.check.report import shorten
from tag.check.subject import GameCheck, Position
from tag.engine.encoding import Vocabulary
from tag.engine.forward_model import ForwardModel
from tag.engine.snapshot import state_hash
from tag.engine.state import Action, AnyAction
from tag.errors import ContractError

_PLAIN = (int, float, str, bytes, type(None))

#: Available actions tried at a position, and actions that a copy is played on.
_TRIED: Final = 6
#: Actions of rollouts: short ones, too, as games may be over soon.
_ROLLOUTS: Final = (1, 2, 4, 8, 16, 32, 64)


class ActionsWhileItLasts(GameCheck):
    """A player can act while a game goes on, and cannot once it is over."""

    text = "there are actions until the game ends and none afterwards, and the player to move exists"

    def at(self, position: Position) -> None:
        state = position.state
        self.cases += 1
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
    """No action is offered twice: random play and search weigh each offer alike."""

    text = "no action is offered twice"

    def at(self, position: Position) -> None:
        seen = set()
        for action in position.model.available_actions(position.state):
            self.cases += 1
            key = (type(action), action.key())
            if key in seen:
                raise ContractError(f"{action!r} is offered twice")
            seen.add(key)


class ActionsNumbered(GameCheck):
    """Learned tables, masks and recorded actions name actions by their index in the vocabulary."""

    text = "every action has a number in the vocabulary, declared or grown in play"

    def __init__(self) -> None:
        super().__init__()
        self.vocabularies: dict[tuple[ForwardModel[Any], int], tuple[Vocabulary, Vocabulary]] = {}

    def at(self, position: Position) -> None:
        """Number the actions in one vocabulary and, if it is declared, look the numbers up in another one."""
        key = (position.model, int(position.state.n_players))
        if key not in self.vocabularies:
            made = position.model.vocabulary(key[1])
            self.vocabularies[key] = (made, position.model.vocabulary(key[1]) if made.is_declared else made)
        numbered, decoded = self.vocabularies[key]
        actions = position.model.available_actions(position.state)
        for action in actions:
            self.cases += 1
            if decoded.action(numbered.index(action)) is not action:
                raise ContractError(f"{action!r} is not the action with its number, {numbered.index(action)}")
        if sum(numbered.mask(actions)) != len(actions):
            raise ContractError(f"the mask of {len(actions)} available actions has {sum(numbered.mask(actions))}")


class ActionsRandom(GameCheck):
    """Search plays at random most of the time, by `ForwardModel.random_action`."""

    text = "random_action chooses what rng.choice chooses of the available actions, and draws as many numbers"

    def at(self, position: Position) -> None:
        if position.state.is_terminal:
            return
        self.cases += 1
        rng, other = position.rng("random"), position.rng("random")
        action = position.model.random_action(position.state, rng)
        expected = other.choice(position.model.available_actions(position.state))
        if action is not expected:
            raise ContractError(f"random_action returns {action!r}, rng.choice {expected!r}")
        if rng.snapshot() != other.snapshot():
            raise ContractError("random_action draws more or fewer numbers than rng.choice")


class RolloutsEqual(GameCheck):
    """A game's own rollout is a second way through its rules; only games that have one are cases."""

    text = "rollout plays the same as next and random_action, draws the same numbers, and counts the actions"
    untested = "the game has no rollout of its own"

    def at(self, position: Position) -> None:
        model = position.model
        if type(model).rollout is ForwardModel.rollout:
            return
        self.cases += 1
        rng, other = position.rng("rollout"), position.rng("rollout")
        depth = _ROLLOUTS[self.cases % len(_ROLLOUTS)]
        state, expected = position.state.copy(), position.state.copy()
        played, count = model.rollout(state, depth, rng), ForwardModel.rollout(model, expected, depth, other)
        if played != count:
            raise ContractError(f"rollout says that it played {played} actions; next and random_action play {count}")
        if state.snapshot() != expected.snapshot():
            raise ContractError(f"rollout of {depth} actions ends elsewhere than next and random_action")
        if rng.snapshot() != other.snapshot():
            raise ContractError("rollout draws more or fewer numbers than random_action")


class ActionsInterned(GameCheck):
    """Agents compare actions by identity."""

    text = "equal actions are one object (made with interned), have plain values, and can be rebuilt from their keys"

    def at(self, position: Position) -> None:
        for action in position.model.available_actions(position.state):
            self.cases += 1
            for part in action.key():
                _check_plain(action, part)
            held = held_mutable(action)
            if held:
                raise ContractError(f"{action!r} holds something mutable in {held}; keep ids and plain values only")
            if pickle.loads(pickle.dumps(action)) is not action:  # noqa: S301  written here
                raise ContractError(f"{action!r} is not the one object with its key; make it with interned(...)")


def _check_plain(action: AnyAction, part: object) -> None:
    if isinstance(part, tuple):
        for inner in part:
            _check_plain(action, inner)
    elif isinstance(part, Action):  # an action about an action, such as a secret choice of one
        _check_plain(action, part.key())
    elif not isinstance(part, _PLAIN):
        raise ContractError(
            f"the key of {type(action).__name__} holds {shorten(part, 80)}; use numbers, text and tuples of them"
        )


class ActionsRepeatable(GameCheck):
    """Available actions are a function of the position."""

    text = "equal positions offer the same actions in the same order, and computing them changes nothing"

    def at(self, position: Position) -> None:
        model, state = position.model, position.state
        self.cases += 1
        origin = state.copy()
        before = state_hash(state)
        first = model.available_actions(state)
        second = model.available_actions(state)
        if state_hash(state) != before:
            found = difference(origin, state)
            raise ContractError(f"computing the available actions changes the state: {found or 'it has another hash'}")
        if first is second and first:
            raise ContractError("the list of available actions is the same object each time; return a new one")
        if first != second:
            raise ContractError(f"asked twice, {value_difference('available_actions', tuple(first), tuple(second))}")
        copied = model.available_actions(state.copy())
        if first != copied:
            raise ContractError(f"in a copy, {value_difference('available_actions', tuple(first), tuple(copied))}")


class ActionsPlayable(GameCheck):
    """Every available action can be played."""

    text = "every available action can be played, counts one tick and stays as it is"

    def at(self, position: Position) -> None:
        model, state = position.model, position.state
        rng = position.rng("playable")
        actions = model.available_actions(state)
        rng.shuffle(actions)
        for action in actions[:_TRIED]:
            self.cases += 1
            key = action.key()
            copy = state.copy()
            model.next(copy, action, rng)
            if copy.tick != state.tick + 1:
                raise ContractError(f"the tick goes from {state.tick} to {copy.tick} with {action!r}")
            if action.key() != key:
                raise ContractError(f"playing {action!r} changes its key from {shorten(key)}")
            if not copy.is_terminal and not model.available_actions(copy):
                raise ContractError(f"after {action!r} no action is available although the game is not over")
