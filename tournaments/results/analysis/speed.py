"""Speed of a game type: calls of its functions per second of CPU time, on positions of random games."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import Any, Final

import pandas as pd

from tag.catalogue.registry import make_game
from tag.engine.forward_model import ForwardModel
from tag.engine.rng import Rng, derive_seed
from tag.engine.state import AnyAction, GameState
from tag.tournaments.results.analysis.definition import AnalysedGame

#: Games whose positions are used: each gives one figure per function.
_SAMPLES: Final = 15
#: The greatest number of positions of a game, evenly spread.
_POSITIONS: Final = 100
#: The least time for a figure, in seconds of CPU time.
_SECONDS: Final = 0.004

_Step = tuple[GameState, AnyAction]
_Call = Callable[[GameState, AnyAction], object]


def measure_speed(event: AnalysedGame, seed: int) -> pd.DataFrame:
    """Return how many calls of each function this process makes per second of CPU time.

    Args:
        event: the game type and its players.
        seed: determines the positions, not the speed.

    Returns:
        One row per function and sampled game: game, players, function (of `SPEEDS`), sample, per_second.
    """
    rows = []
    for sample in range(_SAMPLES):
        rng = Rng(derive_seed(seed, "speed", sample))
        model = make_game(event.game)
        steps = _random_game(model, event.players, rng)
        for name, call in _functions(model, event.players, rng).items():
            rows.append((event.game, event.players, name, sample, _rate(call, steps)))
    return pd.DataFrame(rows, columns=["game", "players", "function", "sample", "per_second"])


def _functions(model: ForwardModel[Any], players: int, rng: Rng) -> dict[str, _Call]:
    """Return the measured functions by name; each takes a position that may be used up and an action available in it."""
    return {
        "setup": lambda _state, _action: model.setup(players, rng),
        "next": lambda state, action: model.next(state, action, rng),
        "actions": lambda state, _action: model.available_actions(state),
        "copy": lambda state, _action: state.copy(),
        "observation": lambda state, _action: state.observation(state.current_player, rng),
    }


def _rate(call: _Call, steps: list[_Step]) -> float:
    """Return the number of calls in a second of CPU time, without the copies that are used up."""
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
    """Return positions of a random game, each with an available action."""
    steps: list[_Step] = []
    state = model.setup(players, rng)
    while not state.is_terminal:
        action = rng.choice(model.available_actions(state))
        steps.append((state.copy(), action))
        model.next(state, action, rng)
    return steps[:: -(-len(steps) // _POSITIONS)]
