"""Simulated tournaments: what is played, when, and what the driver makes of losses; expectations are worked out by hand."""

from __future__ import annotations

import gc
import json
import tracemalloc
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from commands import run_tag

from tag.cluster.batches import pack_orders
from tag.errors import ClusterError
from tag.orders import GameOrder
from tag.tournaments.simulation import (
    Circumstances,
    DriverClock,
    GameSeconds,
    SimulatedActors,
    Simulation,
    definition_of,
    simulate,
)

pytestmark = pytest.mark.flow

#: A driver that takes no time, so that a simulation comes out the same every time.
IDLE = partial(DriverClock, lambda: 0.0)
SECOND = Circumstances(GameSeconds.lognormal(1.0), latency=0.0, start=0.0)


def simulated(games: int, workers: int, circumstances: Circumstances, seed: int = 1) -> Simulation:
    return simulate(definition_of(games, 4, 4), workers, circumstances, seed=seed, clock=IDLE)


class TestMakespan:
    def test_workers_share_games_of_equal_length(self) -> None:
        found = simulated(400, 10, SECOND)
        assert found.games == 400
        assert 40.0 <= found.makespan <= 44.0
        assert found.efficiency == pytest.approx(400.0 / (10 * found.makespan))
        assert found.games_per_second == pytest.approx(400.0 / found.makespan)
        assert (found.lost, found.deaths, found.driver_cpu) == (0, 0, 0.0)

    def test_workers_that_come_late_are_waited_for(self) -> None:
        assert 100.0 + 40.0 <= simulated(400, 10, replace(SECOND, start=100.0)).makespan <= 144.0

    def test_answers_that_travel_long_do_not_keep_workers_waiting(self) -> None:
        """Two batches queue at each worker."""
        assert simulated(400, 10, replace(SECOND, latency=0.5)).makespan <= 45.0

    def test_the_same_seed_gives_the_same(self) -> None:
        circumstances = Circumstances(GameSeconds.lognormal(1.0, 0.5), deaths_per_hour=20.0)
        assert replace(simulated(100, 10, circumstances), **_MEASURED) == replace(
            simulated(100, 10, circumstances), **_MEASURED
        )
        assert simulated(100, 10, circumstances).makespan != simulated(400, 10, circumstances, seed=2).makespan

    def test_a_driver_that_cannot_keep_up_is_what_limits(self) -> None:
        """A tenth of a second for each batch, and games of a hundredth: no worker has anything to do most of the time."""
        slow = Circumstances(GameSeconds.lognormal(0.01), start=0.0, call_cpu=0.1)
        found = simulated(4_000, 20, slow)
        assert found.driver_load > 0.9
        assert found.driver_cpu == pytest.approx(0.1 * found.batches)
        assert found.makespan >= found.driver_cpu


class TestLosses:
    def test_what_dead_workers_had_is_played_again(self) -> None:
        """Ten workers for 40 s, each dying every 20 s; a death costs 2 s of a worker, and what it played."""
        lossy = replace(SECOND, deaths_per_hour=180.0, detection=0.5, restart=1.5)
        found = simulated(400, 10, lossy)
        assert found.games == 400
        assert abs(found.deaths - 20.0) < 4.0 * np.sqrt(20.0)
        assert 0 < found.lost <= 2 * found.deaths
        assert 40.0 + found.deaths * 2.0 / 10 - 4.0 <= found.makespan <= 40.0 + found.deaths * 4.0 / 10 + 10.0

    def test_a_lost_node_takes_all_its_workers(self) -> None:
        lossy = replace(SECOND, node_losses_per_hour=120.0, workers_per_node=5, node_restart=5.0, detection=0.5)
        found = simulated(400, 10, lossy)
        assert found.deaths
        assert found.deaths % 5 == 0
        assert found.makespan > 40.0

    def test_a_batch_that_seems_to_kill_workers_ends_it_as_on_a_cluster(self) -> None:
        with pytest.raises(ClusterError, match="3 workers died one after the other playing the same games"):
            simulated(400, 10, replace(SECOND, game_seconds=GameSeconds.lognormal(60.0), deaths_per_hour=600.0))

    def test_nothing_is_left_behind(self, tmp_path: Path) -> None:
        before = gc.get_threshold()
        simulate(definition_of(96, 4, 4), 4, SECOND, scratch=tmp_path, clock=IDLE)
        assert not list(tmp_path.iterdir())
        assert gc.get_threshold() == before


class TestWorkers:
    def test_the_worker_with_the_fewest_batches_is_next(self) -> None:
        """Of three batches of a second each for two workers the third waits for a worker; two end together."""
        workers = SimulatedActors(2, 2, SECOND, seed=1, clock=IDLE())
        assert not workers.has_room
        assert workers.wait(1.0) == []
        for number in range(3):
            workers.give(number, pack_orders([GameOrder(f"g{number}", "none", ("a", "b"), 1)]))
        assert [outcome.number for outcome in workers.wait(10.0)] == [0, 1]
        assert workers.clock.now == pytest.approx(1.0)
        assert [outcome.number for outcome in workers.wait(10.0)] == [2]
        assert workers.clock.now == pytest.approx(2.0)
        assert workers.wait(5.0) == []
        assert workers.clock.now == pytest.approx(7.0)

    def test_the_time_of_the_driver_passes_while_it_is_at_work(self) -> None:
        times = iter([0.0, 3.0, 10.0, 11.0])
        clock = DriverClock(lambda: next(times))
        clock.stop()
        clock.run()
        clock.stop()
        assert clock.now == clock.cpu == 4.0


class TestGameSeconds:
    @pytest.mark.parametrize("deviation", [0.0, 0.5])
    def test_lengths_have_the_mean(self, deviation: float) -> None:
        seconds = GameSeconds.lognormal(0.05, deviation)
        lengths = seconds.draw(100_000, np.random.default_rng(1))
        assert lengths.mean() == pytest.approx(seconds.mean, rel=0.01)
        assert np.median(lengths) == pytest.approx(0.05, rel=0.01)

    def test_lengths_may_be_measured(self) -> None:
        seconds = GameSeconds(measured=(1.0, 2.0, 6.0))
        assert set(seconds.draw(1_000, np.random.default_rng(1))) == {1.0, 2.0, 6.0}
        assert seconds.mean == 3.0


class TestPlans:
    """What `--dry-run` says of tournaments on workers that there are not."""

    PLAN = ("tournament", "tic_tac_toe", "--agent", "random", "--agent", "osla", "--no-tracking", "--dry-run")

    def test_more_workers_take_less_until_the_driver_limits(self, tmp_path: Path) -> None:
        """Games take some hundred times what a driver needs for one, so that it limits a hundred workers, and not ten."""
        found = {}
        game = ("tournament", "connect_four", "--agent", "random", "--agent", "mcts:budget=3000", *self.PLAN[-2:])
        for workers in (1, 10, 100):
            plan = json.loads(run_tag(*game, "--blocks", 5_000_000, "--workers", workers, "--json").stdout)
            assert plan["games"] == 10_000_000
            found[workers] = plan
        assert found[1]["simulated"] is None
        assert found[1]["seconds"] == pytest.approx(10_000_000 * found[1]["seconds_per_game"])
        assert found[10]["seconds"] < found[1]["seconds"]
        assert found[100]["simulated"]["efficiency"] < found[10]["simulated"]["efficiency"]
        assert set(found[10]["simulated"]) == set(Simulation.__dataclass_fields__)
        assert found[10]["seconds"] == found[10]["simulated"]["makespan"]
        assert found[10]["simulated"]["games_per_second"] == pytest.approx(10_000_000 / found[10]["seconds"])
        used = 10_000_000 * found[10]["seconds_per_game"] / (10 * found[10]["seconds"])
        assert found[10]["simulated"]["efficiency"] == pytest.approx(used, rel=0.05)
        assert found[100]["simulated"]["driver_load"] > found[10]["simulated"]["driver_load"]
        assert not list(tmp_path.iterdir())

    def test_people_read_it_in_words(self) -> None:
        text = run_tag(*self.PLAN, "--blocks", 100, "--workers", 200).stdout
        assert "with 200 processes" in text
        assert "of their time is used" in text
        assert "in a simulation" not in run_tag(*self.PLAN, "--blocks", 100, "--workers", 1).stdout

    @pytest.mark.parametrize("design", ["swiss", "best_agent", "balanced"])
    def test_designs_of_all_kinds_are_simulated(self, design: str) -> None:
        more = [word for _ in range(4) for word in ("--agent", "random")]
        plan = run_tag(*self.PLAN, *more, "--design", design, "--blocks", 40, "--workers", 8, "--json")
        assert plan.exit_code == 0, plan.output
        assert json.loads(plan.stdout)["simulated"]["games"] == json.loads(plan.stdout)["games"]


@pytest.mark.slow
def test_the_memory_of_the_driver_does_not_grow_with_the_games() -> None:
    """Eight times the games take no more than what is in flight, and what is on its way to the ledger."""

    def peak(games: int) -> int:
        gc.collect()
        tracemalloc.start()
        try:
            pool_peak: list[int] = []

            class Clock(DriverClock):
                def stop(self) -> None:
                    super().stop()
                    pool_peak[:] = [tracemalloc.get_traced_memory()[1]]

            simulate(
                definition_of(games, 8, 4),
                50,
                Circumstances(GameSeconds.lognormal(0.05)),
                clock=lambda: Clock(lambda: 0.0),
            )
            return pool_peak[0]
        finally:
            tracemalloc.stop()

    few, many = peak(50_000), peak(400_000)
    assert many < 1.2 * few


_MEASURED = {"driver_memory_mb": 0.0, "merge_cpu": 0.0, "merge_memory_mb": 0.0}
