"""Checks of pickles: states and actions come back as they were, also in another process."""

from __future__ import annotations

import pickle
from typing import Final

from tag.check.evidence.traces import (
    identity,
    pickles_elsewhere,
)
from tag.check.evidence.values import difference
from tag.check.subject import GameCheck, GameSubject, Position
from tag.engine.snapshot import state_hash
from tag.errors import ContractError

#: States and actions sent to another process.
_SENT: Final = 40

#: Modules of users' own files have this prefix (`tag.catalogue.user_code`); workers receive their text, not pickles.
_BY_PATH: Final = "tag_user_"


class PickleState(GameCheck):
    """Positions can be kept and sent."""

    text = "a state comes back from a pickle as the same position, and can be played on"

    def at(self, position: Position) -> None:
        model, state = position.model, position.state
        self.cases += 1
        loaded = pickle.loads(pickle.dumps(state.copy()))  # noqa: S301  written here
        found = difference(state, loaded)
        if found:
            raise ContractError(f"in a state from a pickle {found}")
        if state_hash(loaded) != state_hash(state):
            raise ContractError("a state from a pickle has another hash")
        if model.available_actions(loaded) != model.available_actions(state):
            raise ContractError("in a state from a pickle other actions are available")


class PickleOtherProcess(GameCheck):
    """Pickles are read by other processes as well."""

    text = "another process reads pickled states and actions as the same"

    def __init__(self) -> None:
        super().__init__()
        self.things: list[object] = []

    def at(self, position: Position) -> None:
        if type(position.model).__module__.startswith(_BY_PATH):
            self.untested = "the game is in a file of its own, whose text is sent to other processes instead of pickles"
        elif len(self.things) < _SENT:
            self.things.append(position.state.copy())
            self.things.extend(position.model.available_actions(position.state)[:2])

    def finish(self, subject: GameSubject) -> None:
        if not self.things:
            return
        for thing, there in zip(self.things, pickles_elsewhere(self.things), strict=True):
            self.cases += 1
            if identity(thing) != there:
                raise ContractError(f"another process reads a pickled {type(thing).__name__} as another one")
