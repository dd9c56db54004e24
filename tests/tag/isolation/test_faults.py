"""Every way of going wrong, under every policy, at every table: classified, charged to its seat, and over in time."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import cycle
from time import perf_counter
from typing import NamedTuple

import pytest
from users_code import FAULTY_AGENTS

from tag.engine.results import DISQUALIFIED, ONGOING, TIMEOUT
from tag.isolation import close_processes
from tag.orders import Conditions, GameOrder, GameRecord, play_order
from tag.playing.faults import (
    CLOCK_EXHAUSTED,
    CRASH,
    EXCEPTION,
    FAULT_POLICIES,
    FORFEIT,
    HANG,
    ILLEGAL_ACTION,
    SUBSTITUTE,
    TIME_OUT,
    VOID,
    FaultPolicy,
)

#: Seats two to five.
GAME = "exploding_kittens"
PLAYERS = (2, 3, 4, 5)
SEAT = 1
HANG_SECONDS = 1.0
#: What a process may take to start on a busy machine.
START_SECONDS = 60.0


class Injector(NamedTuple):
    """An agent that goes wrong, the kind of its faults, and what has to be the case for it."""

    agent: str
    kind: str
    needs_isolation: bool = False
    decision_seconds: float = 0.0
    clock_seconds: float = 0.0
    hang_seconds: float = HANG_SECONDS


INJECTORS = (
    Injector("Raises", EXCEPTION),
    Injector("FailsToStart", EXCEPTION),
    Injector("Cheats", ILLEGAL_ACTION),
    Injector("Slow", TIME_OUT, decision_seconds=0.01),
    Injector("Slow", CLOCK_EXHAUSTED, clock_seconds=0.02),
    Injector("Exits", CRASH, needs_isolation=True),
    # Filling 200 MB takes its time on a busy machine.
    Injector("Eats", CRASH, needs_isolation=True, hang_seconds=20.0),
    Injector("Hangs", HANG, needs_isolation=True),
    Injector("Recurses", CRASH, needs_isolation=True),
    Injector("Segfaults", CRASH, needs_isolation=True),
    Injector("ExitsAtStart", CRASH, needs_isolation=True),
)
AT_HOME = tuple(injector for injector in INJECTORS if not injector.needs_isolation)


@pytest.fixture(scope="module", autouse=True)
def _no_process_is_left() -> Iterator[None]:
    yield
    close_processes()


def played(injector: Injector, policy: str, players: int, *, isolate: bool) -> GameRecord:
    conditions = Conditions(
        FaultPolicy(policy, policy, policy, injector.decision_seconds, policy, policy),
        injector.clock_seconds,
        isolate=isolate,
        memory_mb=200 if isolate and sys.platform == "linux" else 0,
        hang_seconds=injector.hang_seconds,
    )
    others = ["random"] * (players - 1)
    agents = (*others[:SEAT], f"{FAULTY_AGENTS}:{injector.agent}", *others[SEAT:])
    return play_order(GameOrder("faulty", GAME, agents, 7, conditions))


def check(injector: Injector, policy: str, players: int, *, isolate: bool) -> None:
    begin = perf_counter()
    record = played(injector, policy, players, isolate=isolate)
    took = perf_counter() - begin
    charged = [fault for fault in record.faults if fault.player == SEAT]
    # On a busy machine a fair agent may overrun a limit as small as these, too.
    assert {fault.kind for fault in record.faults if fault.player != SEAT} <= {TIME_OUT, CLOCK_EXHAUSTED}
    assert charged
    assert {fault.kind for fault in charged} == {injector.kind}
    assert all(fault.message for fault in charged)
    if injector.kind in (CRASH, HANG) or policy != SUBSTITUTE:
        assert len(charged) == 1
    check_result(record, injector.kind, policy)
    assert record.seconds[SEAT] <= 2.0 * injector.hang_seconds * max(record.decisions[SEAT], 1)
    assert took <= players * START_SECONDS + 2.0 * injector.hang_seconds


def check_result(record: GameRecord, kind: str, policy: str) -> None:
    result = record.results[SEAT]
    is_forfeited = policy == FORFEIT or (kind == CLOCK_EXHAUSTED and policy == SUBSTITUTE)
    assert record.void == (policy == VOID)
    if record.void:
        assert set(record.results) == {ONGOING}
    elif is_forfeited:
        assert result == (TIMEOUT if kind in (TIME_OUT, CLOCK_EXHAUSTED, HANG) else DISQUALIFIED)
        assert record.ordinals[SEAT] == max(record.ordinals)
    else:
        assert result not in (TIMEOUT, DISQUALIFIED, ONGOING)


def some(injectors: tuple[Injector, ...]) -> list[tuple[Injector, str, int]]:
    """Return every injector once and more, so that every policy and every table comes up."""
    policies, tables = cycle(FAULT_POLICIES), cycle(PLAYERS)
    return [(injector, next(policies), next(tables)) for injector in injectors]


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("policy", FAULT_POLICIES)
@pytest.mark.parametrize("injector", AT_HOME)
def test_in_the_process_itself(injector: Injector, policy: str, players: int) -> None:
    check(injector, policy, players, isolate=False)


@pytest.mark.parametrize(("injector", "policy", "players"), some(INJECTORS))
def test_in_processes_of_their_own(injector: Injector, policy: str, players: int) -> None:
    check(injector, policy, players, isolate=True)


@pytest.mark.slow
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("policy", FAULT_POLICIES)
@pytest.mark.parametrize("injector", INJECTORS)
def test_all_in_processes_of_their_own(injector: Injector, policy: str, players: int) -> None:
    check(injector, policy, players, isolate=True)
