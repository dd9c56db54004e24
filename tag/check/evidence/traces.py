"""Traces: hashes of the positions of a game, which must be the same in every process; and other processes to play it.

Run as a module, this file is such a process: it reads JSON from standard input and writes hashes to standard output.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from hashlib import blake2b
from typing import Any

from tag.catalogue.registry import make_game
from tag.engine.rng import Rng
from tag.engine.snapshot import freeze, state_hash
from tag.engine.state import AnyAction, GameState
from tag.engine.values import Features
from tag.errors import ContractError
from tag.orders import GameOrder, new_game
from tag.playing.listener import Listener

#: A random game with more actions than this counts as one that never ends.
LONGEST = 100_000

#: The hash seeds of other processes. The order of two strings in a set is the same in all of them and in this one by
#: chance only, once in 2**6 runs for a set of two and practically never for larger ones.
HASH_SEEDS = ("0", "1", "2", "20111", "31337", "4711")

#: How long another process may take, in seconds.
_SECONDS = 300

#: A view is hashed at this many positions of a game, beside the positions themselves.
_VIEWED = 40


class Tracer(Listener):
    """Keeps the hash of the first position and of that after each action."""

    def __init__(self) -> None:
        self.hashes: list[str] = []

    def on_start(self, state: GameState) -> None:
        self.hashes.append(state_hash(state))

    def on_action_taken(self, state: GameState, player: int, action: AnyAction) -> None:
        self.hashes.append(state_hash(state))
        if len(self.hashes) > LONGEST:
            raise ContractError(f"the game is not over after {LONGEST} actions")


class _ViewTracer(Tracer):
    """Keeps hashes of observations, texts, knowledge and features of the player to move as well."""

    def __init__(self, features: Features | None) -> None:
        super().__init__()
        self.features = features

    def on_action_taken(self, state: GameState, player: int, action: AnyAction) -> None:
        super().on_action_taken(state, player, action)
        if len(self.hashes) <= _VIEWED:
            viewer = state.current_player
            seen = state.observation(viewer, Rng(len(self.hashes)))
            features = [] if self.features is None else self.features.values(state, viewer)
            views = (freeze(state.knowledge(viewer)), state.text(viewer), features)
            self.hashes.append(digest([state_hash(seen), repr(views)]))


def trace(order: GameOrder) -> list[str]:
    """Play the game of ``order`` and return its trace."""
    tracer = Tracer()
    new_game(order, [tracer]).play()
    return tracer.hashes


def trace_of_views(order: GameOrder) -> str:
    """Play the game of ``order`` and return one hash of its positions and of the players' views."""
    tracer = _ViewTracer(make_game(order.game).features())
    new_game(order, [tracer]).play()
    return digest(tracer.hashes)


def digest(hashes: list[str]) -> str:
    """Return one hash of a whole trace."""
    return blake2b("\n".join(hashes).encode(), digest_size=8).hexdigest()


def check_same(one: list[str], other: list[str], what: str) -> None:
    """Raise `ContractError` at the first position in which two traces differ; ``what`` is their difference in words."""
    for tick, (here, there) in enumerate(zip(one, other, strict=False)):
        if here != there:
            raise ContractError(f"{what}: the positions differ after {tick} actions")
    if len(one) != len(other):
        raise ContractError(f"{what}: one game has {len(one) - 1} actions, the other {len(other) - 1}")


def traces_elsewhere(orders: list[GameOrder], hash_seed: str) -> list[str]:
    """Return `trace_of_views` of each order, from another process with this hash seed."""
    return _ask("traces", [[order.game, list(order.agents), order.seed] for order in orders], hash_seed)


def pickles_elsewhere(things: list[object]) -> list[str]:
    """Return the `identity` of each thing as another process reads it from a pickle."""
    return _ask("pickles", [pickle.dumps(thing).hex() for thing in things], HASH_SEEDS[-1])


def identity(thing: object) -> str:
    """Return a text that identifies ``thing`` in any process: a state's hash, an action's class and key."""
    return state_hash(thing) if hasattr(thing, "snapshot") else repr(freeze(thing))


def _ask(what: str, things: list[Any], hash_seed: str) -> list[str]:
    environment = {
        **os.environ,
        "PYTHONHASHSEED": hash_seed,
        "PYTHONPATH": os.pathsep.join([p or "." for p in sys.path]),
    }
    done = subprocess.run(  # noqa: S603  this very module
        [sys.executable, "-P", "-m", "tag.check.evidence.traces", what],
        input=json.dumps(things),
        capture_output=True,
        text=True,
        env=environment,
        timeout=_SECONDS,
        check=False,
    )
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["nothing"]
        raise ContractError(f"another process fails with {lines[-1]}")
    answer: list[str] = json.loads(done.stdout.splitlines()[-1])
    return answer


def _main() -> None:
    things = json.load(sys.stdin)
    if sys.argv[1] == "traces":
        answer = [trace_of_views(GameOrder("trace", game, tuple(agents), seed)) for game, agents, seed in things]
    else:
        answer = [identity(pickle.loads(bytes.fromhex(thing))) for thing in things]  # noqa: S301  from the parent
    sys.stdout.write(f"\n{json.dumps(answer)}\n")


if __name__ == "__main__":
    _main()
