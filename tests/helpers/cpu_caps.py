"""Tiers of tests, by their marks, and the CPU time that tests of each may take.

A test fails at three times the cap of its tier, on a processor that is as fast as the reference at that moment; where other
work slows it down, at as much more as a piece of fixed work takes there. What counts is user and system time of the process
and of the children that it waited for, in the test and in fixtures that are made for it alone.
"""

from __future__ import annotations

import resource
import statistics
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any, Final

import pytest
from hypothesis import given, is_hypothesis_test, settings
from hypothesis import strategies as st

#: CPU seconds: of tests without a mark, which use one process, memory and files; of those marked ``flow``, in which a driver
#: plays, MLflow writes, or much is simulated; and of those marked ``system`` (Ray, kills, browsers, other networks,
#: compilers) or ``heavy``.
CAPS: Final = {"unit": 0.3, "flow": 3.0, "system": 60.0}
#: How many times its cap a test takes when it fails.
FACTOR: Final = 3
#: CPU seconds that `fixed_work` takes on the idle processor on which the caps were set.
REFERENCE: Final = 0.015
_SHOWN: Final = 10
_USED: Final = pytest.StashKey[float]()
_most: Final[list[tuple[float, str, str]]] = []


def cpu_seconds() -> float:
    """Return the CPU time of this process, and of its children that have ended."""
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


def fixed_work() -> float:
    """Return the CPU time of a loop of 300,000 rounds."""
    begin, total = time.process_time(), 0
    for number in range(300_000):
        total += number * number % 7
    return time.process_time() - begin


def slowness() -> float:
    """Return how many times as long as on the reference processor work takes at this moment, at least 1."""
    return max(1.0, statistics.median(fixed_work() for _ in range(5)) / REFERENCE)


@contextmanager
def cpu_time_below(seconds: float) -> Iterator[None]:
    """Fail what takes as many CPU seconds, of this process and of its children that end before it does, or more."""
    before = cpu_seconds()
    yield
    used = cpu_seconds() - before
    assert used < seconds or used < seconds * slowness(), f"{used:.2f} s of CPU time, where {seconds:g} are allowed"


def tier_of(item: pytest.Item) -> str:
    """Return the tier of a test; empty for slow ones, which have no cap."""
    if item.get_closest_marker("slow"):
        return ""
    marks = {"system": "system", "heavy": "system", "flow": "flow"}
    return next((tier for mark, tier in marks.items() if item.get_closest_marker(mark)), "unit")


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
) -> Generator[None, Any, Any]:
    """Add the time of a fixture that is made for one test to that of the test."""
    before = cpu_seconds()
    made = yield
    if fixturedef.scope == "function":
        item = request.node
        item.stash[_USED] = item.stash.get(_USED, 0.0) + cpu_seconds() - before
    return made


@settings(max_examples=1, database=None)
@given(st.integers(), st.floats(), st.text())
def _read_constants(_whole: int, _real: float, _text: str) -> None:
    """Have Hypothesis read all modules for their constants: a second of CPU time at first, and nothing after that."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """Fail a test that took too much."""
    if is_hypothesis_test(getattr(item, "obj", None)):
        _read_constants()
    before = cpu_seconds()
    result = yield
    used = item.stash.get(_USED, 0.0) + cpu_seconds() - before
    tier = tier_of(item)
    item.user_properties.append(("cpu", (used, tier)))
    if tier and used > FACTOR * CAPS[tier] and used > FACTOR * CAPS[tier] * slowness():
        pytest.fail(f"{used:.1f} s of CPU time, where {tier} tests may take {CAPS[tier]:g}", pytrace=False)
    return result


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Keep the most expensive tests; with several processes, in the one that hears of all."""
    for used, tier in [value for name, value in report.user_properties if name == "cpu" and report.when == "call"]:
        _most.append((used, tier, report.nodeid))
        _most.sort(reverse=True)
        del _most[_SHOWN:]


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Show them."""
    if sum(used for used, _, _ in _most) > CAPS["flow"]:
        terminalreporter.section("most CPU time")
        for used, tier, name in _most:
            terminalreporter.write_line(f"{used:6.2f} s  {tier:6}  {name}")
