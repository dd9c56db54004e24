"""Simulated time, in which the driver is as fast as it really is."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time


class DriverClock:
    """Simulated time, on which the CPU time that the driver really takes passes as well, while the clock runs.

    So a driver that cannot keep up with its workers shows.

    Attributes:
        now: the time in seconds, from 0.
        cpu: the CPU time of the driver so far.
    """

    def __init__(self, timer: Callable[[], float] = process_time) -> None:
        """Begin to run; ``timer`` returns the CPU time of the process."""
        self.now = 0.0
        self.cpu = 0.0
        self._timer = timer
        self._since = timer()

    def stop(self) -> None:
        """What the process does from here on is not the driver's work but the simulation's own."""
        self.charge(self._timer() - self._since)

    def run(self) -> None:
        """The driver goes on."""
        self._since = self._timer()

    def charge(self, seconds: float) -> None:
        """Let so much CPU time of the driver pass."""
        self.cpu += seconds
        self.now += seconds
