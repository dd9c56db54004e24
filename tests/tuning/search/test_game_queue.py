"""The player: each game that is asked for comes once, in the order asked, whatever the pool does and whoever played it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from studies.invented import Choice, Invented, first, last, record_of, shuffled

from tag.cluster.batches import PlayedBatch
from tag.errors import ContractError
from tag.tournaments.ledger.games import content_hash, read_ledger, read_records
from tag.tournaments.ledger.rows import PlayedGame
from tag.tournaments.ledger.writing import Ledger
from tag.tournaments.reports.progress import Progress
from tag.tuning.agent.schedule import StudySchedule
from tag.tuning.study.queue import GameQueue, StudyInterruptedError


def schedule_of(*agents: str) -> StudySchedule:
    tables = StudySchedule("tic_tac_toe", 2, ("random",), seed=5)
    for agent in agents:
        tables.enter(agent)
    return tables


def player_of(
    folder: Path, pool: Invented, tables: StudySchedule | None = None, is_stopped: Callable[[], bool] = lambda: False
) -> GameQueue:
    return GameQueue(folder, tables or schedule_of("osla"), pool, Progress(), is_stopped)


def games_in(folder: Path) -> list[str]:
    return [str(game) for game in read_ledger(folder)[0]["game_id"]]


@pytest.mark.parametrize("slots", [1, 3, 4])
@pytest.mark.parametrize("choice", [first, last, shuffled(3)])
def test_games_come_in_the_order_asked_whatever_order_they_are_played_in(
    slots: int, choice: Choice, tmp_path: Path
) -> None:
    tables = schedule_of("osla")
    pool = Invented(slots, choice)
    player = player_of(tmp_path, pool, tables)
    rungs = [tables.games(1, range(block, block + 5)) for block in range(0, 50, 5)]
    for rung in rungs:
        player.ask(rung)
    taken = [player.take(rung) for rung in rungs]
    player.finish(merge=True)
    assert [[game.pairing for game in rung] for rung in taken] == rungs
    assert [game.record for rung in taken for game in rung] == [
        record_of(tables.order(game)) for rung in rungs for game in rung
    ]
    assert set(pool.games.values()) == {1}
    assert player.played == len(pool.games) == 100
    assert sorted(games_in(tmp_path)) == sorted(game.game_id for rung in rungs for game in rung)


def test_what_is_in_the_ledger_is_not_played_again(tmp_path: Path) -> None:
    tables = schedule_of("osla")
    games = tables.games(1, range(10))
    for known in (8, 20, 20):
        pool = Invented()
        player = player_of(tmp_path, pool)
        player.ask(games[:known])
        before = player.take(games[:known])
        player.finish(merge=False)
        assert [game.record for game in before] == [record_of(tables.order(game)) for game in games[:known]]
        assert player.played == len(pool.games)
    assert pool.games == {}
    assert len(games_in(tmp_path)) == len(set(games_in(tmp_path))) == 20


def test_the_ledger_is_the_same_however_it_came_about(tmp_path: Path) -> None:
    for name, slots, cut in (("whole", 1, 0), ("cut", 4, 7)):
        for known in (cut, 20):
            tables = schedule_of()
            player = player_of(tmp_path / name, Invented(slots, shuffled(slots)), tables)
            games = [game for agent in ("osla", "rmhc") for game in tables.games(tables.enter(agent), range(5))][:known]
            player.ask(games)
            player.take(games)
            player.finish(merge=known == 20)
    assert content_hash(tmp_path / "whole") == content_hash(tmp_path / "cut")


def test_an_agent_keeps_its_games_whenever_it_is_entered(tmp_path: Path) -> None:
    """A study with a greater budget may try other configurations, or the same in another order."""
    for agents in (("osla", "rmhc", "mcts"), ("rhea", "mcts", "osla")):
        tables = schedule_of()
        pool = Invented()
        player = player_of(tmp_path, pool, tables)
        games = {agent: tables.games(tables.enter(agent), range(3)) for agent in agents}
        for agent, asked in games.items():
            player.ask(asked)
            assert [game.record for game in player.take(asked)] == [record_of(tables.order(game)) for game in asked]
            assert all(agent in tables.order(game).agents for game in asked)
        player.finish(merge=True)
    assert {agent for _id, agents, _seed in pool.games for agent in agents} == {"random", "rhea"}
    assert tables.labels == ["random", "osla", "rmhc", "mcts", "rhea"]


def test_games_that_nobody_took_are_not_in_a_complete_ledger(tmp_path: Path) -> None:
    for _time in range(2):  # the second finds the games of the first
        tables = schedule_of("osla")
        pool = Invented(slots=4)
        player = player_of(tmp_path, pool, tables)
        games = tables.games(1, range(10))
        player.ask(games)
        player.take(games[:4])
        player.finish(merge=True)
        assert games_in(tmp_path) == [game.game_id for game in games[:4]]
        assert pool.waiting == {}


@pytest.mark.parametrize(("agents", "shards"), [(1, 5), (3_000, 3)])
def test_where_agents_are_many_they_are_not_written_down_every_second(agents: int, shards: int, tmp_path: Path) -> None:
    tables = schedule_of(*(f"osla:samples={number}" for number in range(agents)))
    player = player_of(tmp_path, Invented(slots=1), tables)
    games = tables.games(1, range(300))
    for rung in range(0, len(games), 10):
        player.ask(games[rung : rung + 10])
        player.take(games[rung : rung + 10])
    player.finish(merge=False)
    found = len(list((tmp_path / "ledger").glob("games-*")))
    assert found <= shards if agents > 1 else found >= shards


def test_nothing_is_in_flight_when_the_next_stage_begins(tmp_path: Path) -> None:
    """However long a batch takes: the pool's slots are the next player's."""

    class Slow(Invented):
        def completed(self, timeout: float) -> list[PlayedBatch]:
            self._now += 2.0
            return super().completed(timeout)

    pool = Slow(slots=4)
    tables = schedule_of("osla")
    for name in ("search", "validation"):
        player = player_of(tmp_path / name, pool, tables)
        games = tables.games(1, range(10))
        player.ask(games)
        taken = player.take(games[:1])
        player.finish(merge=True)
        assert pool.waiting == {}
        assert [game.record for game in taken] == [record_of(tables.order(games[0]))]


class TestInterruption:
    def test_what_is_in_flight_is_written_down(self, tmp_path: Path) -> None:
        tables = schedule_of("osla")
        stop = False

        def stop_at(games: int) -> None:
            nonlocal stop
            stop = games >= 12

        pool = Invented(slots=4)
        pool.before_each = stop_at
        player = player_of(tmp_path, pool, tables, lambda: stop)
        games = tables.games(1, range(500))
        player.ask(games)
        with pytest.raises(StudyInterruptedError):
            player.take(games)
        assert len(pool.waiting) == 3
        player.finish(merge=False)
        assert pool.waiting == {}
        assert sorted(games_in(tmp_path)) == sorted(game_id for game_id, _agents, _seed in pool.games)
        assert 12 < len(pool.games) < 1000
        again = Invented()
        player = player_of(tmp_path, again)
        player.ask(games)
        player.take(games)
        assert pool.games.keys() & again.games.keys() == set()
        assert len(pool.games) + len(again.games) == 1000

    def test_what_takes_too_long_is_left(self, tmp_path: Path) -> None:
        stop = False

        class Slow(Invented):
            def completed(self, timeout: float) -> list[PlayedBatch]:
                nonlocal stop
                stop = True
                self._now += 1.0
                return []

        pool = Slow()
        tables = schedule_of("osla")
        player = player_of(tmp_path, pool, tables, lambda: stop)
        games = tables.games(1, range(2))
        player.ask(games)
        with pytest.raises(StudyInterruptedError):
            player.take(games)
        player.finish(merge=False)
        assert pool.now() == 4.0
        assert games_in(tmp_path) == []

    def test_it_stops_also_while_all_games_are_known(self, tmp_path: Path) -> None:
        stop = False
        tables = schedule_of("osla")
        games = tables.games(1, range(2))
        player = player_of(tmp_path, Invented(), tables)
        player.ask(games)
        player.take(games)
        player.finish(merge=False)
        player = player_of(tmp_path, Invented(), tables, lambda: stop)
        player.ask(games)
        stop = True
        with pytest.raises(StudyInterruptedError):
            player.take(games)


@pytest.mark.parametrize("error", [ContractError("game b3-m1-s0 failed"), KeyboardInterrupt()])
def test_what_was_played_before_an_error_is_kept(error: BaseException, tmp_path: Path) -> None:
    def fail(games: int) -> None:
        if games >= 3:
            raise error

    tables = schedule_of("osla")
    pool = Invented(slots=2)
    pool.before_each = fail
    player = player_of(tmp_path, pool, tables)
    games = tables.games(1, range(20))
    player.ask(games)
    with pytest.raises(type(error)):
        player.take(games)
    player.finish(merge=False)
    assert len(games_in(tmp_path)) >= 3


def test_a_second_interruption_loses_nothing_that_has_come(tmp_path: Path) -> None:
    stop = False

    def stop_and_then_fail(games: int) -> None:
        nonlocal stop
        if stop:
            raise KeyboardInterrupt
        stop = games >= 3

    tables = schedule_of("osla")
    pool = Invented(slots=2)
    pool.before_each = stop_and_then_fail
    player = player_of(tmp_path, pool, tables, lambda: stop)
    games = tables.games(1, range(20))
    player.ask(games)
    with pytest.raises(StudyInterruptedError):
        player.take(games)
    assert pool.waiting
    with pytest.raises(KeyboardInterrupt):
        player.finish(merge=False)
    assert len(games_in(tmp_path)) >= 4


def test_damaged_shards_are_played_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tables = schedule_of("osla")
    games = tables.games(1, range(10))
    player = player_of(tmp_path, Invented(), tables)
    player.ask(games)
    player.take(games)
    player.finish(merge=True)
    whole = content_hash(tmp_path)
    (shard,) = (tmp_path / "ledger").glob("games-*.parquet")
    shard.write_bytes(shard.read_bytes()[:-9])
    again = Invented()
    player = player_of(tmp_path, again)
    assert "its games will be played again" in capsys.readouterr().err
    player.ask(games)
    player.take(games)
    player.finish(merge=True)
    assert len(again.games) == 20
    assert content_hash(tmp_path) == whole
    assert len(dict(read_records(tmp_path))) == 20


def test_games_whose_measures_are_lost_are_played_again(tmp_path: Path) -> None:
    """The value of a trial may be a mean of measures: without them it would be another one."""
    tables = StudySchedule("tic_tac_toe", 2, ("random",), seed=5, metrics=("lead",))
    tables.enter("osla")
    games = tables.games(1, range(10))
    ledger = Ledger(tmp_path, tables)
    for begin in (0, 10):
        records = [replace(record_of(tables.order(game)), measures=(("lead", (1.0,)),)) for game in games[begin:][:10]]
        ledger.append(list(map(PlayedGame, games[begin:][:10], records)))
    next((tmp_path / "ledger").glob("measures-000001-*")).unlink()
    pool = Invented()
    player = player_of(tmp_path, pool, tables)
    player.ask(games)
    player.take(games)
    player.finish(merge=False)
    assert sorted(game_id for game_id, *_rest in pool.games) == sorted(game.game_id for game in games[:10])


def test_a_shard_of_another_study_is_set_aside_and_its_games_are_played(tmp_path: Path) -> None:
    sentences: list[str] = []

    class Heard(Progress):
        def say(self, sentence: str) -> None:
            sentences.append(sentence)

    own = schedule_of("osla")
    others = {
        "seed": StudySchedule("tic_tac_toe", 2, ("random",), seed=6),
        "opponents": StudySchedule("tic_tac_toe", 2, ("osla",), seed=5),
        "game": StudySchedule("tic_tac_toe:size=4", 2, ("random",), seed=5),
        "players": StudySchedule("tic_tac_toe", 3, ("random",), seed=5),
        "metrics": StudySchedule("tic_tac_toe", 2, ("random",), seed=5, metrics=("lead",)),
    }
    for name, other in others.items():
        other.enter("osla")
        games = other.games(1, range(3))
        Ledger(tmp_path / name, other).append([PlayedGame(game, record_of(other.order(game))) for game in games])
        pool = Invented()
        with GameQueue(tmp_path / name, own, pool, Heard(), lambda: False) as player:
            player.ask(own.games(1, range(3)))
            player.take(own.games(1, range(3)))
        assert player.played == len(own.games(1, range(3)))
        assert any("is not of this tournament (" in sentence for sentence in sentences), name
        sentences.clear()
