"""Curves: the same points whoever works them out, whenever, and in how many pieces."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stores.frames import standings

from tag.cluster.batches import PlayedBatch
from tag.cluster.workers import InProcess
from tag.orders import GameOrder, GameRecord
from tag.playing.faults import CRASH, Fault
from tag.tournaments import define, read_ledger, run_tournament
from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.ledger.folder import request_pause
from tag.tournaments.results.curves import StandingsPoint, curve_points, grid, next_in_grid
from tag.tournaments.results.tournament import read_results

pytestmark = pytest.mark.flow

AGENTS = ("random", "osla", "random")


def small(blocks: int = 20, **options: str) -> TournamentDefinition:
    return define("tic_tac_toe", AGENTS, blocks, seed=5, **options)  # type: ignore[arg-type]


def of(folder: Path, definition: TournamentDefinition, after: int = 0, complete: bool = False) -> list[StandingsPoint]:
    return list(curve_points(folder, definition, after, complete=complete))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "t"
    run_tournament(small(), folder, tracking=False)
    return folder


class Backwards(InProcess):
    """Several slots, of which the last comes back first; after some batches somebody pauses the tournament."""

    slots = 5

    def __init__(self, folder: Path, batches: int) -> None:
        super().__init__()
        self.queue: dict[int, list[GameOrder]] = {}
        self.folder, self.batches = folder, batches

    def submit(self, number: int, orders: list[GameOrder]) -> None:
        self.queue[number] = orders

    def completed(self, timeout: float) -> list[PlayedBatch]:
        self.batches -= 1
        if self.batches == 0:
            request_pause(self.folder)
        if self.batches < 0:
            return []  # what is in flight is lost
        number = max(self.queue)
        super().submit(number, self.queue.pop(number))
        return super().completed(60.0)


class TestGrid:
    @given(st.integers(0, 5_000), st.integers(0, 5_000))
    def test_a_longer_tournament_has_the_points_of_a_shorter_one(self, one: int, other: int) -> None:
        shorter, longer = sorted((one, other))
        assert grid(shorter) == [blocks for blocks in grid(longer) if blocks <= shorter]

    @given(st.integers(0, 100_000))
    def test_the_next_is_the_next(self, blocks: int) -> None:
        following = next_in_grid(blocks)
        assert [point for point in grid(following) if point > blocks] == [following]
        assert following - blocks <= max(1, blocks // 8 + 1)

    def test_it_is_about_a_hundred_points(self) -> None:
        assert 45 <= len(grid(300)) <= len(grid(100_000)) <= 120


class TestPoints:
    def test_a_point_is_the_standings_of_the_first_blocks(self, whole: Path) -> None:
        games, seats = read_ledger(whole)
        found = of(whole, small())
        assert [point.blocks for point in found] == grid(20)
        for point in found:
            first = standings(games[games["block"] < point.blocks], seats[seats["block"] < point.blocks], n_seatings=2)
            assert point.games == 6 * point.blocks
            for standing in first:
                figures = point.agents[standing.agent]
                assert figures == {name: value for name, value in standing.to_json().items() if name in figures}
                assert {"win_rate", "win_rate_low", "points_high", "mean_ordinal"} <= figures.keys()

    def test_the_last_of_a_complete_tournament_is_its_result(self, tmp_path: Path) -> None:
        definition = small(19)
        results = run_tournament(definition, tmp_path, tracking=False)
        assert [point.blocks for point in of(tmp_path, definition)][-1] == 18
        last = of(tmp_path, definition, complete=True)[-1]
        assert (last.blocks, last.games) == (19, results.games)
        for standing in results.standings:
            assert last.agents[standing.agent]["points_low"] == standing.points_interval.low

    def test_what_is_known_is_left_out(self, whole: Path) -> None:
        found = of(whole, small())
        assert of(whole, small(), after=found[7].games) == found[8:]
        assert of(whole, small(), after=found[-1].games) == []

    @pytest.mark.parametrize("batches", [2, 9, 15])
    def test_games_that_come_out_of_order_wait_for_those_before(
        self, whole: Path, tmp_path: Path, batches: int
    ) -> None:
        run_tournament(small(), tmp_path, tracking=False, workers=Backwards(tmp_path, batches))
        played = read_results(tmp_path).games
        found, all_of_it = of(tmp_path, small()), of(whole, small())
        assert 0 < played < 120
        assert [point.games for point in found if point.games > played] == []
        assert found == all_of_it[: len(found)]
        run_tournament(small(), tmp_path, tracking=False)
        assert found + of(tmp_path, small(), found[-1].games if found else 0) == all_of_it

    @pytest.mark.parametrize(("design", "blocks"), [("swiss", 2), ("knockout", 1), ("best_agent", 30)])
    def test_designs_that_learn_have_points_too(self, tmp_path: Path, design: str, blocks: int) -> None:
        definition = define("tic_tac_toe", ("random", "osla") * 2, blocks, seed=3, design=design)
        results = run_tournament(definition, tmp_path, tracking=False)
        assert of(tmp_path, definition, complete=True)[-1].games == results.games

    def test_games_of_a_paused_agent_count_up_to_its_pause_as_in_the_results(self, tmp_path: Path) -> None:
        class Breaking(InProcess):
            """The agent ``osla`` crashes in all its games."""

            def completed(self, timeout: float) -> list[PlayedBatch]:
                return [one._replace(records=[self.broken(record) for record in one.records]) for one in self.all()]

            def all(self) -> list[PlayedBatch]:
                self.agents = {order.game_id: order.agents for order in self._orders}
                return super().completed(60.0)

            def broken(self, record: GameRecord) -> GameRecord:
                seats = [seat for seat, agent in enumerate(self.agents[record.game_id]) if agent == "osla"]
                return replace(record, faults=[Fault(CRASH, seat, 0, "the process ended") for seat in seats])

        results = run_tournament(small(), tmp_path, tracking=False, workers=Breaking())
        assert [paused.agent for paused in results.paused] == ["osla"]
        last = of(tmp_path, small(), complete=True)[-1]
        assert (last.blocks, last.games) == (20, results.games)
        for standing in results.standings:
            figures = last.agents[standing.agent]
            assert figures == {name: value for name, value in standing.to_json().items() if name in figures}

    def test_a_test_is_shown_up_to_the_block_that_decides_it(self, tmp_path: Path) -> None:
        definition = define("tic_tac_toe", ("osla", "random"), 400, seed=1, sprt="0,100")
        results = run_tournament(definition, tmp_path, tracking=False)
        assert results.stopping is not None
        found = of(tmp_path, definition)
        assert found[-1].blocks == results.games / 2 < 400
        assert found[-1].rule["llr"] == pytest.approx(results.stopping.llr)
        assert found[0].rule["llr"] < found[-1].rule["llr"]
        assert of(tmp_path, definition, complete=True) == found
