"""The pauses of agents: who is paused, after which game, and what becomes of the rest, in whatever order games arrive."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from commands import run_tag

from tag.cluster.batches import PlayedBatch
from tag.cluster.workers import InProcess
from tag.engine.rng import Rng
from tag.orders import GameOrder, GameRecord
from tag.playing.faults import CLOCK_EXHAUSTED, CRASH, EXCEPTION, HANG, TIME_OUT, Fault
from tag.tournaments.definition import TournamentDefinition, define
from tag.tournaments.designs.schedule import Schedule
from tag.tournaments.designs.stopping.pausing import AgentPauses, pauses_after
from tag.tournaments.ledger.folder import extended
from tag.tournaments.ledger.games import read_ledger, read_timings
from tag.tournaments.results.tournament import TournamentResults, read_results
from tag.tournaments.run import run_tournament

pytestmark = pytest.mark.flow

BAD = 1
#: Of two agents at two seats, both games of a block.
DUEL = Schedule(2, 2, 30, seed=1)
GAMES = [pairing.game_id for pairing in DUEL]


def paused_after(faulty: Mapping[str, str], played: int | None = None, schedule: Schedule = DUEL) -> AgentPauses:
    """The pauses after some games, the first ``played`` of the schedule, with a fault of the bad agent in some."""
    faults = {game_id: [(BAD, kind)] for game_id, kind in faulty.items()}
    return pauses_after(schedule, faults, list(schedule)[:played])


class TestJudgement:
    @pytest.mark.parametrize("kind", [CRASH, HANG])
    def test_the_fourth_crash_or_hang_pauses(self, kind: str) -> None:
        assert not paused_after(dict.fromkeys(GAMES[:3], kind)).by_agent
        pause = paused_after(dict.fromkeys([*GAMES[:3], GAMES[9]], kind)).by_agent[BAD]
        assert (pause.after.game_id, pause.reason) == (GAMES[9], "4 crashes or hangs")

    @pytest.mark.parametrize("kind", [TIME_OUT, CLOCK_EXHAUSTED])
    def test_time_outs_in_more_than_a_tenth_of_twenty_games_pause(self, kind: str) -> None:
        assert not paused_after(dict.fromkeys(GAMES[:2], kind)).by_agent
        assert not paused_after(dict.fromkeys(GAMES[:19], kind), played=19).by_agent
        assert not paused_after(dict.fromkeys([*GAMES[:2], GAMES[29]], kind)).by_agent
        pause = paused_after(dict.fromkeys(GAMES[:3], kind)).by_agent[BAD]
        assert (pause.after.game_id, pause.reason) == (GAMES[19], "time-outs in 3 of 20 games")

    def test_several_time_outs_in_a_game_are_one(self) -> None:
        faults = {game_id: [(BAD, TIME_OUT)] * 9 for game_id in GAMES[:2]}
        assert not pauses_after(DUEL, faults, list(DUEL)).by_agent

    def test_other_faults_pause_nobody(self) -> None:
        assert not paused_after(dict.fromkeys(GAMES, EXCEPTION)).by_agent

    def test_only_games_of_which_all_before_have_been_played_are_judged(self) -> None:
        faulty = dict.fromkeys(GAMES[10:20], CRASH)
        faults = {game_id: [(BAD, CRASH)] for game_id in faulty}
        assert not pauses_after(DUEL, faults, [game for game in DUEL if game.game_id != GAMES[5]]).by_agent
        assert paused_after(faulty).by_agent[BAD].after.game_id == GAMES[13]

    def test_the_order_of_arrival_does_not_matter(self) -> None:
        schedule = Schedule(4, 2, 6, seed=1)
        pairings = list(schedule)
        kinds = {pairing.game_id: CRASH for pairing in pairings[5::3] if BAD in pairing.agents}
        expected = paused_after(kinds, schedule=schedule)
        assert expected.by_agent
        for seed in range(20):
            arriving = pairings[:]
            Rng(seed).shuffle(arriving)
            pauses, played = AgentPauses(schedule), set[str]()
            for pairing in arriving:
                played.add(pairing.game_id)
                if pairing.game_id in kinds:
                    pauses.take(pairing.game_id, [(BAD, CRASH)])
                pauses.judge(lambda asked, played=played: asked.game_id in played)  # type: ignore[misc]
            assert pauses.by_agent == expected.by_agent

    def test_what_is_skipped_are_the_agents_later_games(self) -> None:
        schedule = Schedule(3, 2, 5, seed=1)
        pairings = list(schedule)
        pauses = paused_after(
            {pairing.game_id: CRASH for pairing in pairings if BAD in pairing.agents}, schedule=schedule
        )
        fourth = [pairing for pairing in pairings if BAD in pairing.agents][3]
        assert pauses.by_agent[BAD].after == fourth
        later = pairings[pairings.index(fourth) + 1 :]
        assert list(pauses.skipped().values()) == [pairing for pairing in later if BAD in pairing.agents]
        assert pauses.uncounted() == {BAD: fourth.block}

    def test_designs_in_rounds_pause_nobody(self) -> None:
        schedule = Schedule(4, 2, 5, seed=1, design="swiss")
        pauses = AgentPauses(schedule)
        for pairing in schedule:
            pauses.take(pairing.game_id, [(BAD, CRASH)])
        assert pauses.judge(lambda pairing: True) == []


class Breaking(InProcess):
    """The agent ``osla`` crashes in all its games."""

    def completed(self, timeout: float) -> list[PlayedBatch]:
        orders = {order.game_id: order for order in self._orders}
        return [
            played._replace(records=[with_crash(orders[record.game_id], record) for record in played.records])
            for played in super().completed(60.0)
        ]


def with_crash(order: GameOrder, record: GameRecord) -> GameRecord:
    seats = [seat for seat, agent in enumerate(order.agents) if agent == "osla"]
    return replace(record, faults=[Fault(CRASH, seat, 0, "the process ended") for seat in seats])


class Reversing(Breaking):
    """Many batches in flight, the last is the first to return."""

    slots = 6

    def __init__(self) -> None:
        super().__init__()
        self.queue: dict[int, list[GameOrder]] = {}

    def submit(self, number: int, orders: list[GameOrder]) -> None:
        self.queue[number] = orders

    def completed(self, timeout: float) -> list[PlayedBatch]:
        number = max(self.queue)
        super().submit(number, self.queue.pop(number))
        return super().completed(timeout)


class _FromBlockTen:
    """The agent ``osla`` crashes in all its games from block 10 on."""

    def completed(self, timeout: float) -> list[PlayedBatch]:
        return [
            played._replace(
                records=[r if int(r.game_id[1:].split("-")[0]) >= 10 else replace(r, faults=[]) for r in played.records]
            )
            for played in super().completed(timeout)  # type: ignore[misc]
        ]


class Sometimes(_FromBlockTen, Breaking):
    pass


class SometimesReversing(_FromBlockTen, Reversing):
    pass


class Stopping(Breaking):
    """Fails after some batches."""

    def __init__(self, batches: int) -> None:
        super().__init__()
        self.batches = batches

    def completed(self, timeout: float) -> list[PlayedBatch]:
        self.batches -= 1
        if self.batches < 0:
            raise KeyboardInterrupt
        return super().completed(timeout)


def small(*more: str) -> TournamentDefinition:
    return define("tic_tac_toe", ("random", "osla", "random", *more), 4, seed=5)


def run(folder: Path, pool: InProcess, *more: str) -> TournamentResults:
    return run_tournament(small(*more), folder, tracking=False, workers=pool)


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> TournamentResults:
    return run(tmp_path_factory.mktemp("broken") / "t", Breaking())


class TestTournament:
    def test_the_rest_goes_on_and_the_results_say_what_is_missing(self, broken: TournamentResults) -> None:
        (paused,) = broken.paused
        assert (paused.agent, paused.after, paused.from_block) == ("osla", "b0-m2-s1", 0)
        assert broken.complete
        assert paused.not_played == 3 * 4
        assert broken.games == broken.total == len(small().schedule()) - 12
        by_agent = {standing.agent: standing for standing in broken.standings}
        assert [by_agent[name].games for name in ("random", "osla", "random#2")] == [8, 0, 8]
        assert [(count.agent, count.kind, count.faults, count.games) for count in broken.faults] == [
            ("osla", CRASH, 4, 4)
        ]
        assert by_agent["osla"].faults == 4

    def test_blocks_before_that_of_the_pause_count(self, tmp_path: Path) -> None:
        class Later(Breaking):
            def completed(self, timeout: float) -> list[PlayedBatch]:
                return [
                    played._replace(
                        records=[r if r.game_id[1] != "0" else replace(r, faults=[]) for r in played.records]
                    )
                    for played in super().completed(timeout)
                ]

        results = run(tmp_path / "t", Later())
        assert results.paused[0].from_block == 1
        assert {standing.agent: standing.games for standing in results.standings}["osla"] == 4

    def test_the_ledger_is_the_same_in_whatever_order_games_arrive(
        self, broken: TournamentResults, tmp_path: Path
    ) -> None:
        results = run(tmp_path / "t", Reversing())
        assert replace(results, folder=broken.folder, standings=[]) == replace(broken, standings=[])
        assert [standing.win_rate for standing in results.standings if standing.games] == [
            standing.win_rate for standing in broken.standings if standing.games
        ]
        ledgers = [next(found.folder.rglob("games-*.parquet")) for found in (results, broken)]
        assert ledgers[0].read_bytes() == ledgers[1].read_bytes()
        games, _seats = read_ledger(results.folder)
        assert set(read_timings(results.folder)["game_id"]) == set(games["game_id"])

    @pytest.mark.parametrize("batches", [1, 2, 3])
    def test_a_resumption_knows_who_is_paused(
        self, broken: TournamentResults, tmp_path: Path, batches: int, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with pytest.raises(KeyboardInterrupt):
            run(tmp_path / "t", Stopping(batches))
        assert not read_results(tmp_path / "t").complete
        assert run(tmp_path / "t", Breaking()).content_hash == broken.content_hash
        assert "tag: osla is paused after game b0-m2-s1 (4 crashes or hangs): " in capsys.readouterr().err

    def test_nothing_is_played_again(self, broken: TournamentResults) -> None:
        class Unstarted(InProcess):
            def start(self, sources: Mapping[str, str]) -> None:
                raise AssertionError

        again = run_tournament(small(), broken.folder, tracking=False, workers=Unstarted())
        assert again.content_hash == broken.content_hash
        assert again.complete

    def test_the_mended_agent_is_added(self, broken: TournamentResults, tmp_path: Path) -> None:
        run(tmp_path / "t", Breaking())
        longer = extended(small(), None, ("mcts:budget=20",))
        results = run_tournament(longer, tmp_path / "t", tracking=False, workers=Breaking())
        assert results.complete
        assert [paused.agent for paused in results.paused] == ["osla"]
        games = {standing.agent: standing.games for standing in results.standings}
        assert games["mcts:budget=20"] == 4 * 4
        assert games["osla"] == 0
        at_once = run(tmp_path / "at_once", Reversing(), "mcts:budget=20")
        assert results.content_hash == at_once.content_hash

    def test_a_sequential_test_ends_with_the_pause(self, tmp_path: Path) -> None:
        """Undecided, and after the same blocks in whatever order games arrive."""
        definition = define("tic_tac_toe", ("random", "osla"), 40, seed=5, sprt="-5,5")
        found = []
        for number, pool in enumerate((Sometimes(), SometimesReversing())):
            results = run_tournament(definition, tmp_path / str(number), tracking=False, workers=pool)
            assert results.complete
            assert results.paused[0].from_block == 11
            assert results.stopping is not None
            found.append((results.stopping, results.content_hash))
        assert found[0] == found[1]
        assert found[0][0].blocks == 11
        assert found[0][0].decision == "go on"
        again = run_tournament(definition, tmp_path / "1", tracking=False)
        assert again.stopping == found[0][0]

    def test_the_table_of_faults(self, broken: TournamentResults) -> None:
        shown = run_tag("results", broken.folder)
        assert shown.exit_code == 0
        _standings, faults, paused = shown.stdout.split("\n\n")
        assert [line.split() for line in faults.splitlines()] == [
            ["agent", "fault", "times", "games"],
            ["osla", "crash", "4", "4"],
        ]
        assert paused.strip() == (
            "osla is paused after game b0-m2-s1 (4 crashes or hangs): 12 of its games are not played, and none from block 0 "
            "on counts"
        )
