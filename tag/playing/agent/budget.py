"""Budgets: how much an agent may spend on one decision, and clocks for a whole game."""

from __future__ import annotations

from math import inf
from threading import main_thread
from typing import Any, Final, final

from mypy_extensions import i64

from tag.engine.snapshot import reduced
from tag.playing.time_limit import TimeLimit

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

#: Budgets that are counts let signals in after so many questions.
_QUESTIONS: Final = 100
#: Python handles signals, such as Ctrl-C, when an interpreted function begins, but not in compiled code: this one is quick.
interpreted: Final = main_thread


@final
class Clock:
    """One player's time for the whole game, in seconds of wall time, as in chess.

    Examples:
        >>> clock = Clock(10.0, per_action=1.0)
        >>> clock.spend(4.0), clock.remaining
        (True, 7.0)
        >>> clock.spend(8.0)
        False

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

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle by fields."""
        return reduced(self, 0.0)

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

    Between two readings of the clock, a budget of time counts questions (`is_spent`) and calls (`calls_until_question`), as
    `TimeLimit` plans. So a search that asks before each of its steps neither pays for the clock nor passes the limit.

    Examples:
        >>> budget = Budget(2)
        >>> budget.kind, budget.limit, budget.is_deterministic
        ('forward_model_calls', 2, True)
        >>> budget.count_calls(2)
        >>> budget.is_spent(), budget.left
        (True, 0)

    Attributes:
        forward_model_calls: calls of ``next`` in this decision.
        iterations: passes of the search in this decision.
        copies: copies and observations made in this decision.
        clock: the clock of which a budget of type ``clock`` is a share.
        time_factor: how many times as long wall and CPU time last as the limit says (`tag.orders`).
    """

    __slots__ = (
        "_ahead",
        "_kind",
        "_limit",
        "_time",
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
    _time: TimeLimit | None
    _ahead: i64

    def __init__(self, limit: i64, kind: str = BUDGET_TYPES[0]) -> None:
        """Allow ``limit`` units of ``kind`` (one of `BUDGET_TYPES`; times are in milliseconds) per decision."""
        self._kind = BUDGET_TYPES.index(kind)
        self._limit = limit
        self._time = TimeLimit(self._kind == _CPU) if self._kind >= _WALL else None
        self._ahead = 0
        self.clock = None
        self.time_factor = 1.0
        self.forward_model_calls = 0
        self.iterations = 0
        self.copies = 0

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle by fields."""
        return reduced(self, 1)

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
        """Say whether the budget can end within an iteration, between forward-model calls; true of calls and of time."""
        return self._kind == _CALLS or self._kind >= _WALL

    @property
    def limits_moves(self) -> bool:
        """Say whether the units are calls or copies, of which each position that is looked at takes one."""
        return self._kind == _CALLS or self._kind == _COPIES

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

    def outlasts(self, outer: Budget) -> bool:
        """Say whether a decision within another with the budget ``outer`` of time has at least as much time."""
        return (
            self._time is not None and self.kind == outer.kind and (self._kind == _CLOCK or self._limit >= outer.limit)
        )

    @property
    def seconds_left(self) -> float:
        """Return how much time is left, in seconds; infinite if the unit is another."""
        return inf if self._time is None else self._time.left()

    def start(self, within: Budget | None = None) -> None:
        """Begin a decision; one ``within`` a decision with a budget of time has no more time than is left of that."""
        self.forward_model_calls = 0
        self.iterations = 0
        self.copies = 0
        self._ahead = 0
        time = self._time
        if time is None:
            return
        seconds = float(self._limit) * self.time_factor / 1000.0
        clock = self.clock
        if self._kind == _CLOCK and clock is not None:
            seconds = min(clock.remaining * _CLOCK_SHARE + clock.per_action, clock.remaining * 0.5)
        time.start(seconds if within is None else min(seconds, within.seconds_left))

    def is_spent(self) -> bool:
        """Say whether nothing is left for this decision."""
        if self._ahead == 0 and self._look():
            return True
        self._ahead -= 1
        kind = self._kind
        if kind == _CALLS:
            return self.forward_model_calls >= self._limit
        if kind == _ITERATIONS:
            return self.iterations >= self._limit
        return kind == _COPIES and self.copies >= self._limit

    def calls_until_question(self, most: i64) -> i64:
        """Return how many calls, ``most`` at most, may be made before the next question; 0 if the budget is spent."""
        kind = self._kind
        if kind == _CALLS:
            return min(most, self.left)
        if kind < _WALL:
            return most
        return 0 if self._ahead == 0 and self._look() else min(most, self._ahead)

    def count_calls(self, calls: i64) -> None:
        """Count calls that were made without questions in between."""
        self.forward_model_calls += calls
        if self._kind >= _WALL:
            self._ahead -= min(calls, self._ahead)

    def _look(self) -> bool:
        """Let signals in, read the clock of a budget of time, and say whether it is over."""
        interpreted()
        time = self._time
        self._ahead = _QUESTIONS if time is None else time.read()
        return self._ahead == 0
