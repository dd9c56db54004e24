"""Whether a machine differs: no false alarms, whatever the luck, and a bad worker is found."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import pytest

from tag.tournaments.designs.schedule import Schedule
from tag.tournaments.results.machines import homogeneity
from tag.tournaments.results.machines.homogeneity import (
    ALPHA,
    LEAST_BLOCKS,
    MACHINE,
    WORKER,
    GameArrays,
    PlaceTest,
    compared,
    n_testable,
    place_tests,
)

#: The share of a game's variance that is luck of the deal.
LUCK = 0.75


class Ledgers(NamedTuple):
    """Tournaments to simulate; with batches of 0 games, of random sizes."""

    design: str
    agents: int
    players: int
    blocks: int
    workers: int
    batch: int


KINDS = (
    Ledgers("round_robin", 4, 4, 300, 2, 1),
    Ledgers("round_robin", 4, 4, 300, 8, 20),
    Ledgers("round_robin", 4, 4, 2000, 64, 8),
    Ledgers("round_robin", 2, 2, 500, 8, 1),
    Ledgers("round_robin", 2, 2, 500, 8, 2),
    Ledgers("round_robin", 6, 4, 60, 16, 7),
    Ledgers("round_robin", 6, 4, 60, 2, 60),
    Ledgers("balanced", 12, 4, 100, 4, 0),
    Ledgers("balanced", 12, 4, 600, 32, 0),
    Ledgers("round_robin", 4, 4, 40, 4, 0),
)


@cache
def scheduled(kind: Ledgers) -> tuple[np.ndarray, np.ndarray]:
    """Return the block and the agents of each game."""
    pairings = list(Schedule(kind.agents, kind.players, kind.blocks, 1, kind.design))
    return np.array([pairing.block for pairing in pairings]), np.array([pairing.agents for pairing in pairings])


def utilities(kind: Ledgers, rng: np.random.Generator, spread: float = 0.6) -> np.ndarray:
    """Return what each seat of each game is worth, by strength, the deal and chance; one agent is hopeless."""
    block, agents = scheduled(kind)
    strength = rng.normal(0.0, spread, kind.agents)
    strength[-1] -= 2.0
    deal = rng.normal(0.0, 1.3 * np.sqrt(LUCK), (block[-1] + 1, kind.players))[block]
    return strength[agents] + deal + rng.normal(0.0, 1.3 * np.sqrt(1.0 - LUCK), agents.shape)


def workers_of(kind: Ledgers, rng: np.random.Generator) -> np.ndarray:
    """Return who plays each game: batches go to whoever is free first, and some are three times as fast as others."""
    n_games = len(scheduled(kind)[0])
    worker = np.empty(n_games, dtype=int)
    free, pace = np.zeros(kind.workers), rng.uniform(0.5, 1.5, kind.workers)
    begin = 0
    while begin < n_games:
        size = kind.batch or int(rng.integers(1, 60))
        first = int(free.argmin())
        worker[begin : begin + size] = first
        free[first] += size * pace[first] * rng.exponential()
        begin += size
    return np.array([f"10.0.0.{number}/1" for number in range(kind.workers)])[worker]


def played(kind: Ledgers, worth: np.ndarray) -> GameArrays:
    block, agents = scheduled(kind)
    return GameArrays(block, agents, (worth == worth.max(axis=1, keepdims=True)).astype(float), kind.agents)


def simulated(kind: Ledgers, rng: np.random.Generator, lossy: float = 0.0) -> list[PlaceTest]:
    """Return the tests of a ledger; the first worker turns a share of the first agent's wins into losses."""
    worth, workers = utilities(kind, rng), workers_of(kind, rng)
    won = (scheduled(kind)[1] == 0) & (worth == worth.max(axis=1, keepdims=True))
    is_hit = (workers == "10.0.0.0/1") & (rng.random(len(worth)) < lossy)
    games = played(kind, np.where(won & is_hit[:, None], -99.0, worth))
    return compared(games, WORKER, workers, n_testable(games, workers, np.unique(workers)))


def false_alarms(kind: Ledgers, runs: int) -> float:
    rng = np.random.default_rng(7)
    return sum(any(test.is_flagged for test in simulated(kind, rng)) for _run in range(runs)) / runs


@pytest.mark.parametrize("kind", [KINDS[number] for number in (1, 3, 5, 9)])
def test_equal_workers_raise_no_alarm(kind: Ledgers) -> None:
    assert false_alarms(kind, 40) <= 0.1


def test_games_that_nobody_wins_raise_no_alarm() -> None:
    """The points of a game add up to 1 in all games but a few, so that their sum hardly varies."""
    rng, kind, alarms = np.random.default_rng(9), KINDS[1], 0
    for _run in range(60):
        games, workers = played(kind, utilities(kind, rng)), workers_of(kind, rng)
        games.points[rng.random(len(workers)) < 0.005] = 0.0
        tests = compared(games, WORKER, workers, n_testable(games, workers, np.unique(workers)))
        alarms += any(test.is_flagged for test in tests)
    assert alarms <= 6


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_equal_workers_raise_no_alarm_in_a_thousand_ledgers(kind: Ledgers) -> None:
    """Two standard errors of 1,000 runs at 5 % are 1.4 %; the bound holds without them."""
    assert false_alarms(kind, 1000) <= ALPHA


@pytest.mark.flow
@pytest.mark.parametrize(
    "kind", [Ledgers("round_robin", 4, 4, 8000, 8, 20), Ledgers("round_robin", 2, 2, 5000, 8, 4)], ids=str
)
def test_a_worker_that_costs_an_agent_15_percent_of_its_wins_is_found(kind: Ledgers) -> None:
    rng = np.random.default_rng(3)
    for _run in range(5):
        tests = simulated(kind, rng, lossy=0.15)
        assert tests[0].is_flagged
        assert tests[0].shifts[0] < 0.0


def test_so_few_blocks_tell_nothing() -> None:
    rng = np.random.default_rng(1)
    tests = simulated(Ledgers("round_robin", 2, 2, LEAST_BLOCKS - 1, 3, 4), rng, lossy=1.0)
    assert all(test.p_value == 1.0 and test.degrees == 0 and not test.is_flagged for test in tests)


def test_of_two_that_differ_both_are_flagged() -> None:
    tests = simulated(Ledgers("round_robin", 2, 2, 800, 2, 4), np.random.default_rng(2), lossy=0.5)
    assert [test.is_flagged for test in tests] == [True, True]
    assert tests[0].chi_square == pytest.approx(tests[1].chi_square)


def test_games_without_luck_cannot_differ() -> None:
    """The first agent wins every game: nothing is left of the points, and of no variance there is no test."""
    kind = Ledgers("round_robin", 2, 2, 100, 4, 2)
    games = played(kind, -scheduled(kind)[1].astype(float))
    tests = compared(games, WORKER, workers_of(kind, np.random.default_rng(1)), 4)
    assert all(test.p_value == 1.0 for test in tests)


def test_with_independent_games_it_is_the_textbooks_chi_square() -> None:
    """Two agents, always in the same seats: one game per block, so Pearson's chi-square of one worker against the rest."""
    rng = np.random.default_rng(4)
    n_games, n_workers = 4000, 4
    won = (rng.random(n_games) < 0.4).astype(float)
    worker = rng.integers(0, n_workers, n_games)
    games = GameArrays(np.arange(n_games), np.tile([0, 1], (n_games, 1)), np.column_stack([won, 1.0 - won]), 2)
    tests = compared(games, WORKER, np.array([f"w/{number}" for number in worker]), n_workers)
    for number, test in enumerate(tests):
        own = worker == number
        share = own.mean()
        pearson = (won[own].sum() - won.mean() * own.sum()) ** 2 / (
            n_games * won.mean() * (1.0 - won.mean()) * share * (1.0 - share)
        )
        assert test.degrees == 1
        assert test.chi_square == pytest.approx(pearson, rel=0.1, abs=0.05)
        assert test.shifts[0] == pytest.approx(won[own].mean() - won.mean())


@pytest.mark.parametrize(("n_games", "n_agents"), [(40, 6), (6, 40), (12, 12)])
def test_directions_are_those_of_the_correlations(n_games: int, n_agents: int) -> None:
    """Also where there are more agents than rows of games, whose products then have the same eigenvalues."""
    left = np.random.default_rng(n_games).normal(size=(n_games, n_agents))
    left[:, 1] = 0.0  # an agent that always has the same points
    products = left.T @ left
    scale = np.sqrt(np.diag(products)) + (np.diag(products) == 0.0)
    correlations = products / np.outer(scale, scale)
    roots, directions = homogeneity._principal_directions(left)
    values = np.linalg.eigvalsh(correlations)
    assert roots == pytest.approx(np.sqrt(values[values > 0.05]))
    assert directions.T @ directions == pytest.approx(np.eye(len(roots)), abs=1e-9)
    assert correlations @ directions == pytest.approx(directions * roots**2, abs=1e-9)


def duels(winner: list[int]) -> GameArrays:
    """Return games between two agents, one block each."""
    n_games = len(winner)
    return GameArrays(np.arange(n_games), np.tile([0, 1], (n_games, 1)), np.eye(2)[winner], 2)


def test_machines_come_before_their_workers() -> None:
    rng = np.random.default_rng(6)
    places = ["10.0.0.1/7", "10.0.0.1/8", "10.0.0.2/7", ""]
    workers = np.array([places[number % 4] for number in range(400)])
    tests = place_tests(duels(rng.integers(0, 2, 400).tolist()), workers)
    assert [(test.kind, test.place, test.games) for test in tests] == [
        (MACHINE, "10.0.0.1", 200),
        (MACHINE, "10.0.0.2", 100),
        (WORKER, "10.0.0.1/7", 100),
        (WORKER, "10.0.0.1/8", 100),
    ]
    assert tests[0].blocks == 200


@pytest.mark.parametrize("worker", ["", "127.0.0.1/5"])
def test_alone_there_is_nobody_to_compare_with(worker: str) -> None:
    workers = np.array([worker] * 50)
    assert place_tests(duels([0] * 50), workers) == []


def test_one_worker_per_machine_is_tested_once() -> None:
    workers = np.array(["10.0.0.1/7", "10.0.0.2/9"] * 50)
    tests = place_tests(duels([0, 1, 1] * 33 + [0]), workers)
    assert [test.kind for test in tests] == [MACHINE, MACHINE]


def test_a_bad_worker_among_good_ones_of_its_machine_is_named() -> None:
    rng = np.random.default_rng(8)
    workers = np.array([f"10.0.0.{number % 3}/{number % 9 // 3}" for number in range(9000)])
    lost = (workers == "10.0.0.1/2") & (rng.random(9000) < 0.3)
    winner = np.where(lost, 1, rng.integers(0, 2, 9000)).tolist()
    tests = place_tests(duels(winner), workers)
    assert len(tests) == 3 + 9
    assert [test.place for test in tests if test.is_flagged and test.kind == WORKER] == ["10.0.0.1/2"]
