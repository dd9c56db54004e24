"""The same things in another process, with another hash seed: text and numbers out, hashes back."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from typing import Any

from tag.check.traces import digest, trace
from tag.errors import ContractError
from tag.playing import GameOrder
from tag.snapshot import freeze, state_hash

_HASH_SEED = "20111"
_SECONDS = 300


def traces_elsewhere(orders: list[GameOrder]) -> list[str]:
    """Return the digests of the traces that another process finds for ``orders``."""
    return _ask("traces", [[order.game, list(order.agents), order.seed] for order in orders])


def pickles_elsewhere(things: list[object]) -> list[str]:
    """Return what another process takes pickled states (by hash) and other things (frozen, as text) for."""
    return _ask("pickles", [pickle.dumps(thing).hex() for thing in things])


def identity(thing: object) -> str:
    """Return what stands for ``thing`` in any process: a state's hash, an action's class and key."""
    return state_hash(thing) if hasattr(thing, "snapshot") else repr(freeze(thing))


def _ask(what: str, things: list[Any]) -> list[str]:
    environment = {
        **os.environ,
        "PYTHONHASHSEED": _HASH_SEED,
        "PYTHONPATH": os.pathsep.join([p or "." for p in sys.path]),
    }
    done = subprocess.run(  # noqa: S603  this very module
        [sys.executable, "-P", "-m", "tag.check.other_process", what],
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
        answer = [digest(trace(GameOrder("trace", game, tuple(agents), seed))) for game, agents, seed in things]
    else:
        answer = [identity(pickle.loads(bytes.fromhex(thing))) for thing in things]  # noqa: S301  from the parent
    sys.stdout.write(f"\n{json.dumps(answer)}\n")


if __name__ == "__main__":
    _main()
