"""Checks of pickling."""

from __future__ import annotations

import pickle

from tag.check.game_check import GameCheck, GameSubject, Position
from tag.check.leaves import difference
from tag.check.other_process import identity, pickles_elsewhere
from tag.errors import ContractError
from tag.snapshot import state_hash

#: Things sent to another process.
_SENT = 40

#: Modules of users' own files have this prefix (`tag.user_code`); what crosses to workers is their text, not pickles.
_BY_PATH = "tag_user_"


class PickleState(GameCheck):
    """Positions can be kept and sent."""

    name = "pickle_state"
    text = "a state comes back from a pickle as the same position, and can be played on"

    def at(self, position: Position) -> None:
        """Pickle, load and compare."""
        model, state = position.model, position.state
        loaded = pickle.loads(pickle.dumps(state.copy()))  # noqa: S301  written here
        found = difference(state, loaded)
        if found:
            raise ContractError(f"in a state from a pickle {found}")
        if state_hash(loaded) != state_hash(state):
            raise ContractError("a state from a pickle has another hash")
        if model.available_actions(loaded) != model.available_actions(state):
            raise ContractError("in a state from a pickle other actions are available")


class PickleOtherProcess(GameCheck):
    """Other processes read them as well."""

    name = "pickle_other_process"
    text = "another process reads pickled states and actions as the same"

    def __init__(self) -> None:
        super().__init__()
        self.things: list[object] = []

    def at(self, position: Position) -> None:
        """Keep some states and actions."""
        if len(self.things) < _SENT and not type(position.model).__module__.startswith(_BY_PATH):
            self.things.append(position.state.copy())
            self.things.extend(position.model.available_actions(position.state)[:2])

    def finish(self, subject: GameSubject) -> None:
        """Compare what the other process takes them for."""
        if not self.things:
            return
        for thing, there in zip(self.things, pickles_elsewhere(self.things), strict=True):
            if identity(thing) != there:
                raise ContractError(f"another process reads a pickled {type(thing).__name__} as another one")
