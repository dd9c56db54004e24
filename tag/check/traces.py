"""Traces: the hash of the position after each action of a game, which must be the same wherever it is played."""

from __future__ import annotations

from hashlib import blake2b

from tag.action import AnyAction
from tag.errors import ContractError
from tag.listener import Listener
from tag.playing import GameOrder, new_game
from tag.snapshot import state_hash
from tag.state import GameState

#: A random game with more actions than this is taken for one that never ends.
LONGEST = 100_000


class Tracer(Listener):
    """Keeps the hash of the first position and of that after each action."""

    def __init__(self) -> None:
        self.hashes: list[str] = []

    def on_start(self, state: GameState) -> None:
        """Hash the set-up."""
        self.hashes.append(state_hash(state))

    def on_action_taken(self, state: GameState, player: int, action: AnyAction) -> None:
        """Hash the position."""
        self.hashes.append(state_hash(state))
        if len(self.hashes) > LONGEST:
            raise ContractError(f"the game is not over after {LONGEST} actions")


def trace(order: GameOrder) -> list[str]:
    """Play the game of ``order`` and return its trace."""
    tracer = Tracer()
    new_game(order, [tracer]).play()
    return tracer.hashes


def digest(hashes: list[str]) -> str:
    """Return one hash of a whole trace."""
    return blake2b("\n".join(hashes).encode(), digest_size=8).hexdigest()


def check_same(one: list[str], other: list[str], what: str) -> None:
    """Raise `ContractError` at the first position in which two traces differ; ``what`` tells them apart."""
    for tick, (here, there) in enumerate(zip(one, other, strict=False)):
        if here != there:
            raise ContractError(f"{what}: the positions differ after {tick} actions")
    if len(one) != len(other):
        raise ContractError(f"{what}: one game has {len(one) - 1} actions, the other {len(other) - 1}")
