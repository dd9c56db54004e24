"""Knockouts: who wins the final wins, ties are broken by further blocks, and who plays no valid game is out."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random  # noqa: TID251  only how games end
from typing import Any

import pytest
from commands import run_tag
from play.made_up_pool import AGENTS, MadeUp, OneByOne, made_up

from tag.cluster.batches import PlayedBatch
from tag.cluster.workers import InProcess
from tag.engine.results import DISQUALIFIED, DRAW, ONGOING, WIN
from tag.engine.rng import derive_seed
from tag.errors import DataError
from tag.orders import GameOrder, GameRecord
from tag.playing.faults import Fault
from tag.tournaments import define, read_ledger, read_results, run_tournament
from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.designs.by_name import make_design
from tag.tournaments.designs.rounds.design import RoundDesign
from tag.tournaments.designs.rounds.results import MOST_TIE_BREAKS, RoundsResult, TableResult
from tag.tournaments.ledger.folder import extended
from tag.tournaments.ledger.games import content_hash
from tag.tournaments.ledger.replay import replay_of
from tag.tournaments.results.live import GrowingResults
from tag.tournaments.statistics.stopping.outcomes import Outcome

pytestmark = pytest.mark.flow


class Pool(InProcess):
    """Games that are made up, the batches in the order of arrival, or the latest first."""

    slots = 3

    def __init__(self, made: Callable[[GameOrder], GameRecord], *, in_order: bool = False, batches: int = -1) -> None:
        super().__init__()
        self.waiting: dict[int, list[GameOrder]] = {}
        self.made, self.in_order, self.batches = made, in_order, batches

    def submit(self, number: int, orders: list[GameOrder]) -> None:
        self.waiting[number] = orders

    def completed(self, timeout: float) -> list[PlayedBatch]:
        if self.batches == 0:
            raise KeyboardInterrupt
        self.batches -= 1
        number = min(self.waiting) if self.in_order else max(self.waiting)
        return [PlayedBatch(number, [self.made(order) for order in self.waiting.pop(number)], "nobody")]


def often_drawn(order: GameOrder) -> GameRecord:
    """Three of four games are drawn."""
    record = made_up(order)
    if derive_seed(order.seed, order.game_id, "drawn") % 4:
        record.results = (DRAW,) * len(record.results)
        record.ordinals = (1,) * len(record.results)
    return record


def faulty(agent: str, *, void: bool) -> Callable[[GameOrder], GameRecord]:
    """An agent fails each of its games, which is then void or lost by it; others win by their budgets."""

    def made(order: GameOrder) -> GameRecord:
        record = made_up(order)
        if agent in order.agents:
            seat = order.agents.index(agent)
            others = tuple(ONGOING if void else WIN for _agent in order.agents)
            record.results = others if void else tuple(DISQUALIFIED if s == seat else WIN for s in range(len(others)))
            record.void = void
            record.faults = [Fault("exception", seat, 0, "oh no")]
        return record

    return made


def knockout(
    agents: Sequence[str] = AGENTS[:4], blocks: int = 2, seed: int = 1, **options: Any
) -> TournamentDefinition:
    return define("love_letter", tuple(agents), blocks, seed=seed, design="knockout", players=2, **options)


def rounds_in(folder: Path) -> RoundsResult:
    found = read_results(folder).rounds
    assert found is not None
    return found


def played(n_agents: int, n_players: int, draws: float, seed: int) -> RoundsResult:
    """Play a knockout of one block per round in which games are drawn at random, or won by anybody."""
    random, design = Random(seed), make_design("knockout", n_agents, n_players, seed)
    assert isinstance(design, RoundDesign)
    while not design.is_over:
        games = []
        for matchup in range(design.matchups_in(design.known - 1)):
            for seating in range(n_players):
                agents = design.agents(design.known - 1, matchup, seating)
                best = range(n_players) if random.random() < draws else [random.randrange(n_players)]
                points = tuple(1.0 / len(best) if seat in best else 0.0 for seat in range(n_players))
                games.append(Outcome(agents, points, (1,) * n_players, void=False))
        design.learn(games)
    return design.result([str(agent) for agent in range(n_agents)])


@pytest.mark.parametrize(("n_agents", "n_players"), [(2, 2), (8, 2), (9, 3), (16, 4)])
@pytest.mark.parametrize("draws", [0.0, 0.5, 0.9, 1.0])
def test_somebody_wins_and_has_won_each_table_on_the_way(n_agents: int, n_players: int, draws: float) -> None:
    for seed in range(20):
        found = played(n_agents, n_players, draws, seed)
        assert found.is_decided
        assert found.winners == found.tables[-1].through
        for table in found.tables:
            check_table(table, is_final=table.round == found.n_rounds)
            assert draws < 1.0 or len(table.tie_breaks) == MOST_TIE_BREAKS
        assert draws < 1.0 or len(found.winners) == n_players


def check_table(table: TableResult, *, is_final: bool) -> None:
    """Who goes on leads by all points that were played; a lot is drawn, or a final shared, only after all tie-breaks."""
    assert len(table.tie_breaks) <= MOST_TIE_BREAKS
    level = set(range(len(table.agents)))
    for points in (table.points, *table.tie_breaks):
        assert len(level) > 1  # or nothing more would have been played
        most = max(points[at] for at in level)
        level = {at for at in level if points[at] == most}
    leaders = {table.agents[at] for at in level}
    assert table.by_lot == (len(leaders) > 1 and not is_final)
    assert set(table.through) <= leaders
    assert len(table.through) == (len(leaders) if is_final else 1)
    assert len(leaders) == 1 or len(table.tie_breaks) == MOST_TIE_BREAKS


def test_a_tie_is_broken_by_a_further_block_of_the_tied_tables_alone() -> None:
    design = make_design("knockout", 4, 2, 1)
    assert isinstance(design, RoundDesign)

    def games(points_of_first: float, tables: list[int]) -> list[Outcome]:
        of_stage = [design.agents(design.known - 1, table, seating) for table in tables for seating in range(2)]
        return [
            Outcome(agents, tuple(points_of_first if a < 2 else 1.0 - points_of_first for a in agents), (1, 1), False)
            for agents in of_stage
        ]

    level, won = games(0.5, [0]), games(1.0, [1])
    design.learn([*level, *won])
    assert design.matchups_in(1) == 1
    assert set(design.agents(1, 0, 0)) == set(design.rounds[0].tables[0].agents)
    design.learn(games(0.0, [0]))
    assert {agent for table in design.rounds[1].tables for agent in table.agents} == {1, 3}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("knockout") / "t"
    pool = Pool(often_drawn, in_order=True)
    assert run_tournament(knockout(blocks=1), folder, tracking=False, workers=pool).complete
    return folder


class TestSameLedger:
    """Tie-breaks are played by any number of workers in the same way, also after interruptions."""

    def test_there_were_tie_breaks(self, folder: Path) -> None:
        found = rounds_in(folder)
        assert any(table.tie_breaks for table in found.tables)
        assert found.is_decided
        games, _seats = read_ledger(folder)
        assert games["block"].max() >= 2
        assert read_results(folder).total == len(games)

    @pytest.mark.parametrize("seed", range(4))
    def test_in_whatever_order_games_come(self, seed: int, tmp_path: Path) -> None:
        for name, in_order in (("one", True), ("many", False)):
            pool = Pool(often_drawn, in_order=in_order)
            definition = knockout(seed=seed, blocks=1)
            assert run_tournament(definition, tmp_path / name, tracking=False, workers=pool).complete
        assert content_hash(tmp_path / "one") == content_hash(tmp_path / "many")
        assert rounds_in(tmp_path / "one") == rounds_in(tmp_path / "many")

    def test_after_interruptions_at_every_batch(self, folder: Path, tmp_path: Path) -> None:
        times = 0
        while times < 200:
            pool = Pool(often_drawn, batches=1)
            try:
                if run_tournament(knockout(blocks=1), tmp_path, tracking=False, workers=pool).complete:
                    break
            except KeyboardInterrupt:
                times += 1
            assert not read_results(tmp_path).complete or rounds_in(tmp_path).is_decided
        assert times > 3
        assert content_hash(tmp_path) == content_hash(folder)
        assert rounds_in(tmp_path) == rounds_in(folder)

    def test_it_is_read_the_same_shard_by_shard(self, folder: Path) -> None:
        growing = GrowingResults(folder)
        while growing.read():
            pass
        assert growing.results().rounds == rounds_in(folder)
        assert growing.results().complete

    def test_a_game_of_a_tie_break_can_be_replayed(self, tmp_path: Path) -> None:
        definition = define("tic_tac_toe", ("random", "osla", "random", "osla"), 1, seed=5, design="knockout")
        run_tournament(definition, tmp_path, tracking=False)
        games, _seats = read_ledger(tmp_path)
        assert len(games) > 6
        assert replay_of(tmp_path, games["game_id"].iloc[-1]).play() == []

    def test_it_cannot_be_made_longer(self, folder: Path) -> None:
        with pytest.raises(DataError, match="blocks is 1 there, and a knockout cannot be made longer"):
            run_tournament(knockout(blocks=2), folder, tracking=False)
        with pytest.raises(DataError, match="this knockout cannot take more"):
            extended(knockout(blocks=1), None, AGENTS[:4])


@pytest.mark.parametrize("void", [True, False])
@pytest.mark.parametrize("place", range(4))
def test_an_agent_without_a_valid_game_is_out(void: bool, place: int, tmp_path: Path) -> None:
    bad = AGENTS[place]
    run_tournament(knockout(), tmp_path, tracking=False, workers=Pool(faulty(bad, void=void)))
    found = rounds_in(tmp_path)
    (table,) = [table for table in found.tables if bad in table.agents]
    assert (table.round, table.out) == (1, (bad,))
    assert bad not in (*table.through, *found.winners)
    assert len(found.winners) == 1


def test_where_no_agent_plays_a_valid_game_there_is_no_winner(tmp_path: Path) -> None:
    def made(order: GameOrder) -> GameRecord:
        record = made_up(order)
        record.results, record.void = (ONGOING,) * 2, True
        record.faults = [Fault("exception", 0, 0, ""), Fault("exception", 1, 0, "")]
        return record

    results = run_tournament(knockout(), tmp_path, tracking=False, workers=Pool(made))
    assert results.complete
    assert rounds_in(tmp_path).winners == ()
    assert "no winner" in rounds_in(tmp_path).text


def test_the_best_loser_takes_the_place_that_nobody_has_earned() -> None:
    design = make_design("knockout", 4, 2, 1)
    assert isinstance(design, RoundDesign)
    games = []
    for matchup in range(2):
        for seating in range(2):
            agents = design.agents(0, matchup, seating)
            if matchup:
                games.append(Outcome(agents, (0.0, 0.0), (1, 1), void=True, failed=frozenset(agents)))
            else:
                points = tuple(float(agent == 0) for agent in agents)
                games.append(Outcome(agents, points, (1, 2), void=False))
    design.learn(games)
    assert set(design.rounds[1].tables[0].agents) == set(design.rounds[0].tables[0].agents)


@pytest.mark.parametrize("seed", range(6))
def test_results_status_report_and_json_name_the_winner(seed: int, tmp_path: Path) -> None:
    run_tournament(knockout(seed=seed), tmp_path, tracking=False, workers=MadeUp())
    found = rounds_in(tmp_path)
    _games, seats = read_ledger(tmp_path)
    final = found.tables[-1]
    assert final.through == found.winners
    assert len(found.winners) == 1
    if not final.tie_breaks:
        points = seats[seats["block"] == seats["block"].max()].groupby("agent")["points"].sum()
        assert final.points[final.agents.index(found.winners[0])] == max(final.points)
        assert points.sum() == 2.0
    for command in ("results", "status"):
        assert f"knockout: {found.winners[0]} wins after 2 rounds" in invoke(command, tmp_path)
        assert json.loads(invoke(command, tmp_path, "--json"))["rounds"]["winners"] == [*found.winners]
    if seed:
        return  # drawing takes seconds
    invoke("report", tmp_path)
    assert f"Knockout: {found.winners[0]} wins after 2 rounds" in (tmp_path / "report.html").read_text()


def test_a_knockout_of_older_rules_is_read_but_not_gone_on_with(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as before:
        before.setattr("tag.tournaments.ledger.folder.TABLES_VERSION", 1)
        run_tournament(knockout(), tmp_path, tracking=False, workers=OneByOne())
    results = read_results(tmp_path)
    assert (results.rounds, results.total) == (None, 2 * 2 * 2 + 2 * 2)
    with pytest.raises(DataError, match="begun with version 1 of tables and this is 2"):
        run_tournament(knockout(), tmp_path, tracking=False, workers=OneByOne())


def invoke(*arguments: object) -> str:
    result = run_tag(*arguments)
    assert result.exit_code == 0, result.output
    return result.output
