"""A limit on time that reads clocks seldom: in games, a clock takes longer to read than a step of search."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter, process_time
from typing import Any, Final, final

from mypy_extensions import i64

#: The share of the limit by which work may pass it; the rest of a single step that began before is allowed as well.
TOLERANCE: Final = 0.01

#: The time that is left is cut into so many parts at most, one between two readings, and into so many at least.
_MOST_PARTS: Final = 100.0
_FEWEST_PARTS: Final = 2.0
#: The share of the limit that the readings may take. Each reading of n parts shrinks what is left by one part, so n times
#: the logarithm of 100 of them shrink it to the tolerance.
_SHARE: Final = 0.005
_LOGARITHM: Final = 4.6
#: The longest planned interval between two readings, in seconds.
_LONGEST: Final = 0.001
#: The shortest step, in seconds.
_SHORTEST: Final = 1e-9
_REPEATS: Final = 5


@final
class TimeLimit:
    """A limit on wall or CPU time for work in steps of unknown and changing length.

    After each reading of the clock follows a number of steps without one. By what a step has cost lately, they take
    1/n of the time that is left, with the tolerance of 1 % of the limit; but there is always one. So work that suddenly
    becomes n times as slow passes the limit by 1 % or one step, whichever is more. n is 100; for limits of a few
    milliseconds it is less, so that readings take 0.5 % of the limit. The cost of a step is that of the steps after the
    last reading, or half of the estimate before if this is greater: it rises at once and falls slowly.

    The CPU clock is a system call, at least ten times as slow to read as the wall clock. Wall time tells how much is left at
    least: CPU time passes no faster in one thread, and as fast as lately in several. The CPU clock is read when half of what
    was left can be over, some ten times in all.
    """

    __slots__ = (
        "_begin",
        "_cost",
        "_cpu",
        "_is_cpu",
        "_is_measured",
        "_known_at",
        "_known_left",
        "_limit",
        "_parts",
        "_rate",
        "_read_at",
        "_step",
        "_steps",
        "_wall",
    )
    _is_cpu: bool
    _is_measured: bool
    _wall: Callable[[], float]
    _cpu: Callable[[], float]
    _cost: float
    _limit: float
    _begin: float
    _known_left: float
    _known_at: float
    _read_at: float
    _parts: float
    _rate: float
    _step: float
    _steps: i64

    def __init__(
        self, is_cpu: bool, wall: Callable[[], float] = perf_counter, cpu: Callable[[], float] = process_time
    ) -> None:
        """Measure the cost of a reading.

        Args:
            is_cpu: whether the limit is on the CPU time of the process, else on wall time.
            wall: the clock of wall time, in seconds.
            cpu: the clock of CPU time, in seconds.
        """
        self._is_cpu = is_cpu
        self._wall = wall
        self._cpu = cpu
        self._cost = 0.0
        self._step = 0.0
        self._is_measured = False
        self._rate = 1.0
        self.start(1.0)
        cost = 1.0
        for _repeat in range(_REPEATS):
            begin = wall()
            self.read()
            cost = min(cost, wall() - begin)
        self._cost = cost
        self._is_measured = False

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle as a limit with the time that is left: the clocks of another process show another time."""
        return (_begun, (self._is_cpu, self.left()))

    def start(self, seconds: float) -> None:
        """Begin a limit of so many seconds; `read` comes before the first step."""
        self._limit = seconds
        self._known_left = seconds
        affordable = _SHARE * seconds / (_LOGARITHM * max(self._cost, _SHORTEST))
        self._parts = max(min(affordable, _MOST_PARTS), _FEWEST_PARTS)
        self._steps = 0
        if (
            not self._is_measured
        ):  # the first reading comes after one step; an earlier limit may have had no time for any
            self._step = max(seconds, _SHORTEST)
        self._begin = self._cpu() if self._is_cpu else 0.0
        self._read_at = self._known_at = self._wall()

    def read(self) -> i64:
        """Read the clock, and return how many steps may follow before the next reading; 0 if the time is over."""
        now = self._wall()
        if self._steps > 0:
            taken = (now - self._read_at) / float(self._steps)
            self._step = max(taken, 0.5 * self._step, _SHORTEST)
            self._is_measured = True
        self._read_at = now
        tolerance = TOLERANCE * self._limit
        passed = now - self._known_at
        left = self._known_left - passed * self._rate
        if self._is_cpu and (left <= 0.0 or 2.0 * left <= self._known_left - tolerance):
            left = self._limit - (self._cpu() - self._begin)
            self._rate = max((self._known_left - left) / max(passed, _SHORTEST), 1.0)
            self._known_left = left
            self._known_at = now
        self._steps = 0
        if left > 0.0:
            planned = min((left + tolerance) / self._parts, _LONGEST)
            self._steps = max(int(planned / self._step), 1)
        return self._steps

    def left(self) -> float:
        """Return the seconds that are left, exactly; below 0 if the time is over."""
        if self._is_cpu:
            return self._limit - (self._cpu() - self._begin)
        return self._limit - (self._wall() - self._known_at)


def _begun(is_cpu: bool, seconds: float) -> TimeLimit:
    """Return a limit that begins now."""
    limit = TimeLimit(is_cpu)
    limit.start(seconds)
    return limit
