"""Game speed (μ5): calls per second of what agents and the game loop call, on positions of random games."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import Any, Final

import pandas as pd

from tag.action import AnyAction
from tag.forward_model import ForwardModel
from tag.registry import make_game
from tag.rng import Rng, derive_seed
from tag.state import GameState
from tournaments.analysis.definition import Event

#: Games whose positions are tried: as many figures for each function.
_SAMPLES: Final = 15
#: At most so many positions of a game, evenly spread.
_POSITIONS: Final = 100
#: What a figure takes at least, in seconds of CPU time.
_SECONDS: Final = 0.004

_Step = tuple[GameState, AnyAction]
_Call = Callable[[GameState, AnyAction], object]

COLUMNS: Final = ("game", "players", "function", "sample", "per_second")
#: What is measured.
FUNCTIONS: Final = {
    "setup": "set-ups of a game",
    "next": "actions taken, with all that follows from them",
    "actions": "lists of the actions available",
    "copy": "copies of the state",
    "observation": "copies for the player to act, with all dealt again that it cannot know",
}


def measure_speed(event: Event, seed: int) -> pd.DataFrame:
    """Return how many calls of each function this process makes per second of CPU time.

    Args:
        event: the game type and its players.
        seed: decides the positions, not the speed.

    Returns:
        One row per function and sampled game: game, players, function (of `FUNCTIONS`), sample, per_second.
    """
    rows = []
    for sample in range(_SAMPLES):
        rng = Rng(derive_seed(seed, "speed", sample))
        model = make_game(event.game)
        steps = _random_game(model, event.players, rng)
        for name, call in _functions(model, event.players, rng).items():
            rows.append((event.game, event.players, name, sample, _rate(call, steps)))
    return pd.DataFrame(rows, columns=COLUMNS)


def _functions(model: ForwardModel[Any], players: int, rng: Rng) -> dict[str, _Call]:
    """Return what is measured, by name, as functions of a position that may be used up and an action available in it."""
    return {
        "setup": lambda _state, _action: model.setup(players, rng),
        "next": lambda state, action: model.next(state, action, rng),
        "actions": lambda state, _action: model.available_actions(state),
        "copy": lambda state, _action: state.copy(),
        "observation": lambda state, _action: state.observation(state.current_player, rng),
    }


def _rate(call: _Call, steps: list[_Step]) -> float:
    """Return how many calls there are in a second of CPU time, the copies that are used up left out."""
    calls, seconds = 0, 0.0
    while seconds < _SECONDS:
        fresh = [(state.copy(), action) for state, action in steps]
        begin = process_time()
        for state, action in fresh:
            call(state, action)
        seconds += process_time() - begin
        calls += len(fresh)
    return calls / seconds


def _random_game(model: ForwardModel[Any], players: int, rng: Rng) -> list[_Step]:
    """Return positions of a random game, each with an action that is available there."""
    steps: list[_Step] = []
    state = model.setup(players, rng)
    while not state.is_terminal:
        action = rng.choice(model.available_actions(state))
        steps.append((state.copy(), action))
        model.next(state, action, rng)
    return steps[:: -(-len(steps) // _POSITIONS)]
