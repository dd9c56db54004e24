"""Limits on time, on clocks that pass as the test says: what the readings cost, and by how much a limit is passed."""

import copy
import math
import pickle
from bisect import bisect
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tag.playing.time_limit import TOLERANCE, TimeLimit

pytestmark = pytest.mark.flow


class Machine:
    """A wall clock and a CPU clock whose readings take time.

    Attributes:
        wall: wall time, in seconds.
        cpu: CPU time of the process.
        threads: how fast CPU time passes: below 1 for a busy machine, above 1 for several busy threads.
        readings: the time that readings took.
    """

    def __init__(self, wall_cost=50e-9, cpu_cost=1e-6, threads=1.0):
        self.wall = self.cpu = self.readings = 0.0
        self.costs = (wall_cost, cpu_cost)
        self.threads = threads

    def read_wall(self):
        self._read(self.costs[0])
        return self.wall

    def read_cpu(self):
        self._read(self.costs[1])
        return self.cpu

    def work(self, seconds):
        self.wall += seconds
        self.cpu += self.threads * seconds

    def _read(self, seconds):
        self.readings += seconds
        self.work(seconds)


class Steps:
    """Steps of given costs in seconds: runs of equal steps, repeated for ever."""

    def __init__(self, runs):
        self.costs = [cost for _number, cost in runs]
        self.ends = [sum(number for number, _cost in runs[: index + 1]) for index in range(len(runs))]
        totals = [number * cost for number, cost in runs]
        self.totals = [sum(totals[: index + 1]) for index in range(len(runs))]
        self.done = 0

    def take(self, number):
        """Return the seconds that the next steps take."""
        before = self._until(self.done)
        self.done += number
        return self._until(self.done) - before

    def _until(self, number):
        rounds, rest = divmod(number, self.ends[-1])
        index = bisect(self.ends, rest)
        since = rest - (self.ends[index - 1] if index else 0)
        return rounds * self.totals[-1] + (self.totals[index - 1] if index else 0.0) + since * self.costs[index]


def spend(seconds, steps, machine, is_cpu, decisions=1):
    """Work until the limit is over, in each of so many decisions; return the CPU or wall time of the last one."""
    limit = TimeLimit(is_cpu, machine.read_wall, machine.read_cpu)
    begin = 0.0
    for _decision in range(decisions):
        machine.readings = 0.0
        begin = machine.cpu if is_cpu else machine.wall
        limit.start(seconds)
        while ahead := limit.read():
            machine.work(steps.take(ahead))
    return (machine.cpu if is_cpu else machine.wall) - begin


def excess(taken, seconds, longest, machine):
    """Return the time beyond the limit, its tolerance or one step, and the readings that belong to the last look."""
    return (
        taken - seconds - max(TOLERANCE * seconds, longest * machine.threads) - 2 * sum(machine.costs) * machine.threads
    )


def log_floats(low, high):
    return st.floats(math.log(low), math.log(high)).map(math.exp)


LIMITS = log_floats(0.002, 30.0)
COSTS = log_floats(10e-9, 0.1)


@settings(max_examples=100, deadline=None)
@given(LIMITS, COSTS, log_floats(20e-9, 200e-9), log_floats(0.2e-6, 2e-6), st.booleans(), st.integers(1, 3))
def test_readings_take_at_most_two_percent_of_the_limit(seconds, cost, wall_cost, cpu_cost, is_cpu, decisions):
    machine = Machine(wall_cost, cpu_cost)
    taken = spend(seconds, Steps([(1, cost)]), machine, is_cpu, decisions)
    assert machine.readings <= 0.02 * max(seconds, cost)
    assert taken >= seconds
    assert excess(taken, seconds, cost, machine) <= 0.0


@settings(max_examples=150, deadline=None)
@given(
    LIMITS.filter(lambda seconds: seconds >= 0.01),
    log_floats(10e-9, 1e-4),
    st.lists(st.tuples(st.integers(1, 10**7), log_floats(1.0, 100.0)), min_size=1, max_size=6),
    st.booleans(),
    st.integers(1, 3),
)
def test_steps_that_become_up_to_100_times_as_slow_pass_the_limit_by_a_hundredth(
    seconds, cost, runs, is_cpu, decisions
):
    machine = Machine(wall_cost=20e-9)
    steps = Steps([(number, cost * factor) for number, factor in runs])
    taken = spend(seconds, steps, machine, is_cpu, decisions)
    assert taken >= seconds
    assert excess(taken, seconds, max(steps.costs), machine) <= 0.0


@settings(max_examples=100, deadline=None)
@given(
    LIMITS.filter(lambda seconds: seconds >= 0.01),
    log_floats(20e-9, 1e-4),
    st.lists(st.tuples(st.integers(1, 2000), log_floats(1.0, 10000.0)), min_size=1, max_size=6),
    st.booleans(),
)
def test_readings_are_few_whatever_the_steps_cost(seconds, cost, runs, is_cpu):
    machine = Machine()
    steps = Steps([(number, cost * factor) for number, factor in runs])
    taken = spend(seconds, steps, machine, is_cpu)
    assert machine.readings <= 0.03 * taken


@pytest.mark.parametrize(("threads", "decisions"), [(1.0, 1), (1.5, 1), (2.0, 2), (8.0, 2), (50.0, 2)])
@settings(max_examples=20, deadline=None)
@given(seconds=log_floats(0.1, 10.0), cost=log_floats(20e-9, 1e-3))
def test_several_busy_threads_pass_no_limit_on_cpu_time_but_in_the_first_decision(threads, decisions, seconds, cost):
    machine = Machine(threads=threads)
    taken = spend(seconds, Steps([(1, cost)]), machine, is_cpu=True, decisions=decisions)
    assert seconds <= taken
    assert excess(taken, seconds, cost, machine) <= 0.0


@settings(max_examples=100, deadline=None)
@given(log_floats(0.005, 10.0), log_floats(20e-9, 1e-3), st.floats(0.05, 1.0))
def test_a_busy_machine_costs_no_cpu_time(seconds, cost, share):
    machine = Machine(threads=share)
    taken = spend(seconds, Steps([(1, cost)]), machine, is_cpu=True)
    assert machine.readings * share <= 0.02 * max(seconds, cost * share)
    assert seconds <= taken
    assert excess(taken, seconds, cost, machine) <= 0.0


def test_a_pause_of_the_machine_is_noticed_after_the_steps_that_were_planned():
    machine = Machine()
    limit = TimeLimit(False, machine.read_wall, machine.read_cpu)
    limit.start(0.1)
    for _reading in range(50):
        machine.work(limit.read() * 1e-6)
    machine.work(0.2)
    assert limit.read() == 0
    assert limit.left() < -0.09
    limit.start(0.1)
    ahead = limit.read()
    assert ahead * 1e-6 <= 0.1 * (1 + TOLERANCE) / 100  # the pause has not made the steps seem cheaper


def test_no_time_is_over_at_once():
    for is_cpu in (False, True):
        machine = Machine()
        limit = TimeLimit(is_cpu, machine.read_wall, machine.read_cpu)
        limit.start(0.0)
        assert limit.read() == 0
        assert limit.read() == 0


@pytest.mark.parametrize("left", [-0.02, 0.0, 1e-12, 1e-6])
@pytest.mark.parametrize("is_cpu", [False, True], ids=["wall", "cpu"])
def test_a_limit_without_time_for_a_step_teaches_the_next_one_nothing(is_cpu: bool, left: float) -> None:
    """The next decision passed its limit by seconds: a step was taken to last as long as had been left."""
    machine = Machine()
    limit = TimeLimit(is_cpu, machine.read_wall, machine.read_cpu)
    limit.start(left)
    limit.read()
    limit.start(0.02)
    assert limit.read() == 1


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda limit: pickle.loads(pickle.dumps(limit))])
@pytest.mark.parametrize("is_cpu", [False, True], ids=["wall", "cpu"])
def test_a_copy_of_a_limit_that_is_over_keeps_the_next_one(
    is_cpu: bool, copied: Callable[[TimeLimit], TimeLimit]
) -> None:
    limit = TimeLimit(is_cpu)
    limit.start(-1e-3)
    limit.read()
    other = copied(limit)
    other.start(0.02)
    assert other.read() == 1
