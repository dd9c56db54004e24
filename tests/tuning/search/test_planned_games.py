"""What a ledger's rows are compared with is what a tournament or a study plays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tag.errors import TagError
from tag.orders import Conditions
from tag.tournaments.designs.by_name import DESIGNS
from tag.tournaments.designs.games import Pairing, PlannedGames
from tag.tournaments.designs.schedule import Schedule
from tag.tuning.agent.events import StudyEvent
from tag.tuning.agent.schedule import EventsSchedule, StudySchedule
from tag.tuning.balancing.plan import Plan
from tag.tuning.balancing.problem import CandidateSchedule
from tag.tuning.balancing.targets import read_target

#: Games at numbers of players.
SEATS = (("nim", 2), ("love_letter", 3), ("dominion", 2), ("love_letter", 4), ("dominion", 3))
#: The designs that know no games, or none without their parameters.
OTHERS = ("played", "fixed", "repeated")


def places(games: Sequence[Pairing]) -> np.ndarray:
    return np.array([(game.block, game.matchup, game.seating) for game in games], dtype=np.int64).reshape(-1, 3)


def check(plan: PlannedGames, games: Sequence[Pairing]) -> None:
    assert plan.exist.all()
    assert plan.seeds is not None
    assert plan.seeds.tolist() == [game.seed for game in games]
    if plan.agents is not None:
        assert list(map(tuple, plan.agents.tolist())) == [game.agents for game in games]


@given(st.data())
@settings(derandomize=True, deadline=None, max_examples=60)
def test_schedules(data: st.DataObject) -> None:
    design = data.draw(st.sampled_from([name for name in DESIGNS if name not in OTHERS]))
    agents, players, blocks = data.draw(st.integers(1, 6)), data.draw(st.integers(2, 4)), data.draw(st.integers(1, 4))
    try:
        schedule = Schedule(agents, players, blocks, data.draw(st.integers(0, 99)), design)
    except TagError:
        return
    games = list(schedule)
    for thorough in (False, True):
        plan = schedule.planned(places(games), thorough)
        check(plan, games)
        assert (plan.agents is not None) == (schedule.design.is_fixed or (thorough and not schedule.design.learns))
    assert len(games) <= schedule.most_games
    wrong = np.array([(-1, 0, 0), (0, -1, 0), (0, 0, -1), (10**6, 0, 0), (0, 10**6, 0), (0, 0, 10**6)])
    assert not schedule.planned(wrong, thorough=True).exist.any()


@given(st.integers(0, 3), st.integers(1, 4), st.integers(1, 3), st.integers(0, 99))
@settings(derandomize=True, deadline=None, max_examples=30)
def test_studies_of_agents(opponents: int, players: int, agents: int, seed: int) -> None:
    schedule = StudySchedule("love_letter", players, [f"mcts:budget={number + 1}" for number in range(opponents)], seed)
    specs = ["osla", "mcts:budget=1", "random"][:agents]  # the second may be an opponent, too
    games = [game for spec in specs for game in schedule.games(schedule.enter(spec), range(5))]
    plan = schedule.planned(places(games), schedule.entries, thorough=True)
    check(plan, games)
    assert plan.agents is not None
    assert list(plan.games or ()) == ["love_letter"]
    assert not schedule.planned(np.array([(0, 99, 0), (0, 0, 99)]), schedule.entries, thorough=True).exist.any()


@given(st.lists(st.sampled_from(SEATS), min_size=1, max_size=4, unique=True), st.integers(0, 3), st.integers(0, 99))
@settings(derandomize=True, deadline=None, max_examples=30)
def test_studies_over_several_games(chosen: list[tuple[str, int]], others: int, seed: int) -> None:
    events = [StudyEvent(game, players) for game, players in chosen]
    versus = ["osla", *["dominion:big_money", "random", "love_letter:priest_and_baron"][:others]]
    schedule = EventsSchedule(events, versus, seed)
    agents = [schedule.enter(spec) for spec in ("osla", "random")]
    games = [game for agent in agents for game in schedule.games(agent, range(4 * schedule.round_blocks))]
    plan = schedule.planned(places(games), schedule.entries, thorough=True)
    assert plan.exist.all()
    assert plan.seeds is not None
    assert plan.agents is not None
    assert plan.seats is not None
    assert plan.seeds.tolist() == [game.seed for game in games]
    assert plan.seats.tolist() == [len(game.agents) for game in games]
    assert [tuple(row[:n]) for row, n in zip(plan.agents.tolist(), plan.seats.tolist(), strict=True)] == [
        game.agents for game in games
    ]
    assert (plan.agents[np.arange(schedule.players) >= plan.seats[:, None]] == -1).all()
    assert list(plan.games or ()) == [schedule.game_of(game) for game in games]
    wrong = [(-1, 0, 0), (0, 99, 0), (0, 0, 99), *((block, 0, events[0].players + 9) for block in range(9))]
    assert not schedule.planned(np.array(wrong), schedule.entries, thorough=True).exist.any()
    known = {
        (game.block, game.seating) for game in schedule.games(schedule.enter("mcts"), range(4 * schedule.round_blocks))
    }
    every = [(block, seat) for block in range(4 * schedule.round_blocks) for seat in range(schedule.players)]
    rows = np.array([(block, schedule.enter("mcts"), seat) for block, seat in every])
    found = schedule.planned(rows, schedule.entries, thorough=True).exist
    assert {place for place, exists in zip(every, found, strict=True) if exists} == known


@pytest.mark.parametrize("target", ["length=1..100", "seat_spread<=0.1", "win_rate(osla)>=0.5"])
def test_studies_of_games(target: str) -> None:
    plan = Plan("love_letter", 3, ("random", "osla"), [read_target(target, "love_letter", 3)])
    schedule = CandidateSchedule(plan, 7, Conditions())
    games = [game for spec in ("one", "two") for game in schedule.games(schedule.enter(spec), range(3))]
    assert games
    found = schedule.planned(places(games), schedule.entries, thorough=True)
    check(found, games)
    assert found.agents is not None
