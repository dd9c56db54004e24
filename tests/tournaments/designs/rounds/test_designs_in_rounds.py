"""Swiss and knockout: who meets whom follows from how the rounds before ended, also after an interruption."""

from __future__ import annotations

from collections import Counter
from functools import reduce
from operator import add
from pathlib import Path

import numpy as np
import pytest
from play.made_up_pool import AGENTS, MadeUp, OneByOne

from tag.cluster.batches import PlayedBatch
from tag.cluster.workers import InProcess
from tag.errors import DataError, PlayersError
from tag.tournaments import define, read_ledger, run_tournament
from tag.tournaments.designs.by_name import make_design
from tag.tournaments.designs.design import Design
from tag.tournaments.designs.rounds.design import RoundDesign
from tag.tournaments.ledger.games import content_hash
from tag.tournaments.ledger.replay import replay_of
from tag.tournaments.run import run_tournament as run
from tag.tournaments.statistics.stopping.outcomes import Outcome, agent_points

pytestmark = pytest.mark.flow


def play(design: Design) -> list[list[tuple[int, ...]]]:
    """Return the tables of each round where the agent of the smaller number always wins."""
    rounds = []
    for number in range(design.n_rounds):
        tables = [design.agents(number, matchup, 0) for matchup in range(design.matchups_in(number))]
        rounds.append(tables)
        won = [tuple(float(agent == min(table)) for agent in table) for table in tables]
        design.learn(
            [Outcome(table, points, (1,) * len(table), False) for table, points in zip(tables, won, strict=True)]
        )
    return rounds


@pytest.mark.parametrize(("n_agents", "n_players"), [(2, 2), (8, 2), (16, 2), (9, 3), (16, 4), (4, 4), (64, 4)])
def test_in_a_knockout_the_best_of_each_table_goes_on(n_agents: int, n_players: int) -> None:
    rounds = play(make_design("knockout", n_agents, n_players, 1))
    field = set(range(n_agents))
    for tables in rounds:
        assert sorted(agent for table in tables for agent in table) == sorted(field)
        field = {min(table) for table in tables}
    assert field == {0}
    assert set(rounds[-1][0]) >= set(range(min(n_players, n_agents)))  # the first of the list meet last


@pytest.mark.parametrize(("n_agents", "n_players"), [(8, 2), (9, 2), (16, 4), (13, 4), (3, 3), (5, 3)])
def test_in_a_swiss_everybody_sits_at_one_table_at_most_and_out_about_equally_often(
    n_agents: int, n_players: int
) -> None:
    design = make_design("swiss", n_agents, n_players, 1)
    rounds = play(design)
    out: Counter[int] = Counter(range(n_agents))
    for tables in rounds:
        seated = [agent for table in tables for agent in table]
        assert len(set(seated)) == len(seated) == n_agents // n_players * n_players
        out.update(set(range(n_agents)) - set(seated))
    assert max(out.values()) - min(out.values()) <= 1


def test_a_played_tournament_follows_its_ledger_and_can_be_interrupted(tmp_path: Path) -> None:
    agents = ("random", "osla", "random", "random")
    definition = define("tic_tac_toe", agents, 3, seed=2, design="knockout")
    results = run_tournament(definition, tmp_path / "whole", tracking=False)
    assert results.complete
    games, seats = read_ledger(tmp_path / "whole")
    rounds = results.rounds
    assert rounds is not None
    n_tie_breaks = sum(len(table.tie_breaks) for table in rounds.tables)
    assert len(games) == 3 * (2 + 1) * 2 + 2 * n_tie_breaks
    end = 3 + max(len(table.tie_breaks) for table in rounds.tables if table.round == 1)
    final = set(seats[seats["block"] >= end]["agent"])
    assert final == {agent for table in rounds.tables if table.round == 1 for agent in table.through}
    points = seats[seats["block"] < 3].groupby("agent")["points"].sum()
    for table in rounds.tables[:2]:
        assert table.points == tuple(points[agent] for agent in table.agents)
    assert replay_of(tmp_path / "whole", "b4-m0-s1").play() == []

    class Stopping(InProcess):
        """Plays some batches, then is interrupted."""

        def __init__(self, batches: int) -> None:
            super().__init__()
            self.batches = batches

        def completed(self, timeout: float) -> list[PlayedBatch]:
            if self.batches == 0:
                raise ConnectionError
            self.batches -= 1
            return super().completed(60.0)

    for batches in range(1, 4):
        with pytest.raises(ConnectionError):
            run(definition, tmp_path / "cut", tracking=False, workers=Stopping(batches))
    run(definition, tmp_path / "cut", tracking=False)
    assert content_hash(tmp_path / "cut") == content_hash(tmp_path / "whole")
    with pytest.raises(DataError, match="blocks is 3 there, and a knockout cannot be made longer"):
        run(define("tic_tac_toe", agents, 4, seed=2, design="knockout"), tmp_path / "cut", tracking=False)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("knockout", 5, 2), "a knockout at tables of 2 seats 4 or 8 agents, not 5"),
        (("knockout", 3, 4), "a knockout at tables of 4 seats 4 agents, not 3"),
        (("knockout", 1, 2), "a knockout at tables of 2 seats 2 agents, not 1"),
        (("swiss", 3, 4), "a Swiss tournament needs at least as many agents as seats, 4, not 3"),
        (("swiss", 3, 1), "tables need at least 2 seats for anyone to meet anyone"),
    ],
)
def test_what_cannot_be_seated_is_refused(arguments: tuple[str, int, int], sentence: str) -> None:
    with pytest.raises(PlayersError) as raised:
        make_design(*arguments, 1)
    assert str(raised.value) == sentence


@pytest.mark.parametrize("design", ["swiss", "knockout"])
def test_the_order_in_which_games_come_does_not_matter(design: str, tmp_path: Path) -> None:
    definition = define("love_letter", AGENTS[:4], 7, players=2, design=design)
    for name, pool in {"one": OneByOne, "many": MadeUp}.items():
        assert run_tournament(definition, tmp_path / name, tracking=False, workers=pool()).complete
    assert content_hash(tmp_path / "many") == content_hash(tmp_path / "one")


def test_equal_results_are_equal_points_in_whatever_order() -> None:
    shares = (0.1, 0.2, 0.3, 1 / 3)
    games = [Outcome((0, 1), (one, other), (1, 1), void=False) for one, other in zip(shares, shares[::-1], strict=True)]
    points, seats = agent_points(games, 3)
    assert reduce(add, shares) != reduce(add, shares[::-1])
    assert points[0] == points[1]
    assert (points[2], seats) == (0.0, [4, 4, 0])


def played_stage(design: RoundDesign, rng: np.random.Generator, blocks: int = 3) -> Counter[int]:
    """Play the latest stage, and return the points in sixtieths, of which all shares have whole numbers."""
    stage, n_players, games, won = design.known - 1, design.n_players, [], Counter[int]()
    for matchup in range(design.matchups_in(stage)):
        for seating in [*range(n_players)] * blocks:
            agents = design.agents(stage, matchup, seating)
            first = rng.permutation(n_players)[: rng.integers(1, n_players + 1)].tolist()
            points = tuple(1 / len(first) if seat in first else 0.0 for seat in range(n_players))
            won.update({agents[seat]: 60 // len(first) for seat in first})
            games.append(Outcome(agents, points, (1,) * n_players, void=False))
    won.update(dict.fromkeys(design.rounds[-1].byes, 60 * blocks * n_players))
    design.learn(games)
    return won


@pytest.mark.parametrize("n_players", [3, 5])
def test_equal_points_share_the_first_place_of_a_swiss_tournament(n_players: int) -> None:
    """Sums of thirds are equal whatever the order."""
    rng, n_shared = np.random.default_rng(1), 0
    for _tournament in range(100):
        design = make_design("swiss", 9, n_players, 1)
        assert isinstance(design, RoundDesign)
        total: Counter[int] = Counter()
        while not design.is_over:
            total += played_stage(design, rng)
        found = design.result([str(agent) for agent in range(9)])
        first = [str(agent) for agent in range(9) if total[agent] == max(total.values())]
        assert list(found.winners) == first
        assert [points for _agent, points in found.scores] == sorted(
            (total[agent] / 60 for agent in range(9)), reverse=True
        )
        n_shared += len(first) > 1
        assert len(first) == 1 or " and ".join(first) + " share the first place" in found.text
    assert n_shared


def test_equal_points_are_level_at_a_table_of_a_knockout() -> None:
    rng, n_level = np.random.default_rng(1), 0
    for _table in range(1_000):
        design = make_design("knockout", 5, 5, 1)
        assert isinstance(design, RoundDesign)
        won = played_stage(design, rng, blocks=10)
        level = [agent for agent in sorted(won) if won[agent] == max(won.values())]
        assert design.rounds[0].tables[0].leaders() == level
        n_level += len(level) > 1
    assert n_level
