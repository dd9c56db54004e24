"""Calibration: how fast this process plays a game type, so that a time limit can buy the same thinking on any machine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from time import perf_counter, process_time
from typing import Any, Final

from tag.catalogue.registry import make_game
from tag.engine.forward_model import ForwardModel
from tag.engine.rng import Rng, derive_seed

#: The piece of work is a number of steps of random games, the same on every machine. A run repeats it until it has taken
#: this much CPU time, in seconds; the result is the median of the runs.
_STEPS: Final = 100
_RUN_SECONDS: Final = 0.15
_RUNS: Final = 9
#: No run begins after so much wall time, in seconds, but there are enough for a median.
_SECONDS: Final = 1.6
_LEAST_RUNS: Final = 3


@dataclass(frozen=True)
class Speed:
    """Speed at which a process plays.

    Attributes:
        calls_per_second: forward-model calls per second of CPU time, each with the observation that comes before it.
        share: the CPU time that it got per second of wall time; 1 where it has a core to itself.
    """

    calls_per_second: float
    share: float

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by the arguments of the constructor: fields of a frozen class cannot be set."""
        return (Speed, (self.calls_per_second, self.share))


@lru_cache(maxsize=64)
def own_speed(game: str, players: int) -> Speed:
    """Return how fast this process plays random games of the spec ``game`` with so many players.

    It is measured once, in up to about two seconds, in CPU time. It depends on the processor's speed and on the load of
    other processes on shared cores, but not on a moment in which another process gets the same core.
    """
    model = make_game(game)
    _play_piece(model, players)  # loads and builds what first use needs
    last_begin = perf_counter() + _SECONDS
    rates: list[float] = []
    shares: list[float] = []
    while len(rates) < _LEAST_RUNS or (len(rates) < _RUNS and perf_counter() < last_begin):
        steps, cpu, wall = _run(model, players)
        rates.append(float(steps) / cpu)
        shares.append(cpu / wall)
    return Speed(_median(rates), min(_median(shares), 1.0))


def _run(model: ForwardModel[Any], players: int) -> tuple[int, float, float]:
    """Do the piece of work for a while, and return its steps, and the CPU and wall time in seconds that they took."""
    steps = 0
    wall = perf_counter()
    cpu = process_time()
    took = 0.0
    while took < _RUN_SECONDS:
        _play_piece(model, players)
        steps += _STEPS
        took = process_time() - cpu
    return steps, took, perf_counter() - wall


def _play_piece(model: ForwardModel[Any], players: int) -> None:
    """Take `_STEPS` steps: in each the current player observes, and a random action is applied."""
    number = 0
    rng = Rng(derive_seed(number, "calibration"))
    state = model.setup(players, rng)
    for _step in range(_STEPS):
        if state.is_terminal:
            number += 1
            rng = Rng(derive_seed(number, "calibration"))
            state = model.setup(players, rng)
        state.observation(state.current_player, rng)
        actions = model.available_actions(state)
        model.next(state, actions[rng.below(len(actions))], rng)


def _median(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]
