"""Budgets: how much an agent may spend on one decision, and clocks for a whole game."""

from __future__ import annotations

from time import perf_counter, process_time
from typing import Final, final

from mypy_extensions import i64

#: The units of budgets; the first is the default and, like the next two, deterministic.
BUDGET_TYPES: Final = ("forward_model_calls", "iterations", "copies", "wall_ms", "cpu_ms", "clock")

_CALLS: Final = 0
_ITERATIONS: Final = 1
_COPIES: Final = 2
_WALL: Final = 3
_CPU: Final = 4
_CLOCK: Final = 5

#: The share of what is left on its clock that an agent with a budget of type ``clock`` spends on one decision.
_CLOCK_SHARE: Final = 0.05


@final
class Clock:
    """One player's time for the whole game, in seconds of wall time, as in chess.

    Attributes:
        remaining: the seconds left.
        per_action: the seconds added after each decision.
        per_turn: the seconds added after each turn of the player.
        per_round: the seconds added after each round.
    """

    __slots__ = ("per_action", "per_round", "per_turn", "remaining")
    remaining: float
    per_action: float
    per_turn: float
    per_round: float

    def __init__(self, seconds: float, per_action: float = 0.0, per_turn: float = 0.0, per_round: float = 0.0) -> None:
        """Start with ``seconds`` on the clock."""
        self.remaining = seconds
        self.per_action = per_action
        self.per_turn = per_turn
        self.per_round = per_round

    def copy(self) -> Clock:
        """Return an independent copy: one per player."""
        return Clock(self.remaining, self.per_action, self.per_turn, self.per_round)

    def spend(self, seconds: float) -> bool:
        """Take ``seconds`` off, add the increment, and say whether there was enough."""
        self.remaining -= seconds
        if self.remaining < 0.0:
            return False
        self.remaining += self.per_action
        return True


@final
class Budget:
    """Limit of one decision, and its cost so far.

    Attributes:
        forward_model_calls: calls of ``next`` in this decision.
        iterations: passes of the search in this decision.
        copies: copies and observations made in this decision.
        clock: the clock of which a budget of type ``clock`` is a share.
        time_factor: how many times as long wall and CPU time last as the limit says (`tag.calibration`).
    """

    __slots__ = (
        "_kind",
        "_limit",
        "_start",
        "_time_limit",
        "clock",
        "copies",
        "forward_model_calls",
        "iterations",
        "time_factor",
    )
    forward_model_calls: i64
    iterations: i64
    copies: i64
    clock: Clock | None
    time_factor: float
    _kind: i64
    _limit: i64
    _start: float
    _time_limit: float

    def __init__(self, limit: i64, kind: str = BUDGET_TYPES[0]) -> None:
        """Allow ``limit`` units of ``kind`` (one of `BUDGET_TYPES`; times are in milliseconds) per decision."""
        self._kind = BUDGET_TYPES.index(kind)
        self._limit = limit
        self._time_limit = 0.0
        self.clock = None
        self.time_factor = 1.0
        self._start = 0.0
        self.forward_model_calls = 0
        self.iterations = 0
        self.copies = 0

    @property
    def is_deterministic(self) -> bool:
        """Say whether the same decision always gets the same budget."""
        return self._kind <= _COPIES

    @property
    def kind(self) -> str:
        """Return the unit: one of `BUDGET_TYPES`."""
        return BUDGET_TYPES[self._kind]

    @property
    def limit(self) -> i64:
        """Return how many units of its `kind` a decision may cost."""
        return self._limit

    @property
    def most_calls(self) -> i64:
        """Return the forward-model calls that a decision may cost, -1 if the unit is another."""
        return self._limit if self._kind == _CALLS else -1

    @property
    def most_copies(self) -> i64:
        """Return the copies that a decision may cost, -1 if the unit is another."""
        return self._limit if self._kind == _COPIES else -1

    @property
    def limits_steps(self) -> bool:
        """Say whether it can end within an iteration, between forward-model calls; true of calls and of time."""
        return self._kind == _CALLS or self._kind >= _WALL

    @property
    def left(self) -> i64:
        """Return how many units are left, 0 at least; of time, which is not counted in units, the limit."""
        spent: i64 = 0
        if self._kind == _CALLS:
            spent = self.forward_model_calls
        elif self._kind == _ITERATIONS:
            spent = self.iterations
        elif self._kind == _COPIES:
            spent = self.copies
        return self._limit - spent if self._limit > spent else 0

    def start(self) -> None:
        """Begin a decision."""
        self.forward_model_calls = 0
        self.iterations = 0
        self.copies = 0
        kind = self._kind
        if kind >= _WALL:
            self._start = process_time() if kind == _CPU else perf_counter()
            self._time_limit = float(self._limit) * self.time_factor / 1000.0
            clock = self.clock
            if kind == _CLOCK and clock is not None:
                self._time_limit = min(clock.remaining * _CLOCK_SHARE + clock.per_action, clock.remaining * 0.5)

    def is_spent(self) -> bool:
        """Say whether nothing is left for this decision."""
        kind = self._kind
        if kind == _CALLS:
            return self.forward_model_calls >= self._limit
        if kind == _ITERATIONS:
            return self.iterations >= self._limit
        if kind == _COPIES:
            return self.copies >= self._limit
        if kind == _CPU:
            return process_time() - self._start >= self._time_limit
        return perf_counter() - self._start >= self._time_limit
