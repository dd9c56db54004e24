"""Schedules: balanced, resumable, and the same for everybody."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, islice
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tag.engine.rng import derive_seed
from tag.errors import ParameterError, PlayersError, UnknownNameError
from tag.tournaments.designs.by_name import make_design
from tag.tournaments.designs.matchups import round_robin
from tag.tournaments.designs.schedule import Schedule

SIZES = st.tuples(st.integers(2, 7), st.integers(1, 8))


def rotations(match_up):
    return {match_up[i:] + match_up[:i] for i in range(len(match_up))}


@given(SIZES)
@settings(derandomize=True, deadline=None)
def test_every_agent_sits_in_every_seat_equally_often(sizes):
    schedule = Schedule(*sizes, blocks=1, seed=1)
    sits = Counter((agent, seat) for game in schedule for seat, agent in enumerate(game.agents))
    assert len(sits) == schedule.design.n_agents * schedule.design.n_players
    assert len(set(sits.values())) == 1


@given(SIZES)
@settings(derandomize=True, deadline=None)
def test_every_match_up_is_balanced_and_met_once(sizes):
    n_agents, n_players = sizes
    match_ups = round_robin(n_agents, n_players)
    copies, more = divmod(n_players, n_agents)
    assert len(match_ups) == len({tuple(sorted(match_up)) for match_up in match_ups}) == comb(n_agents, more)
    for match_up in match_ups:
        counts = [match_up.count(agent) for agent in range(n_agents)]
        assert sum(counts) == n_players
        assert set(counts) <= {copies, copies + 1}


@given(SIZES)
@settings(derandomize=True, deadline=None)
def test_pairs_meet_equally_often(sizes):
    n_agents, n_players = sizes
    met = Counter()
    for match_up in round_robin(n_agents, n_players):
        met.update(tuple(sorted(pair)) for pair in combinations(match_up, 2) if pair[0] != pair[1])
    assert len(set(met.values())) <= 1


@given(SIZES)
@settings(derandomize=True, deadline=None)
def test_no_game_is_played_twice(sizes):
    games = [game.agents for game in Schedule(*sizes, blocks=1, seed=1)]
    assert len(set(games)) == len(games)
    for match_up in round_robin(*sizes):
        assert make_design("round_robin", *sizes, 1).n_seatings == len(rotations(match_up))


@pytest.mark.parametrize(
    ("n_agents", "n_players", "expected"),
    [
        (3, 2, [(0, 1), (0, 2), (1, 2)]),
        (3, 4, [(0, 1, 0, 2), (1, 0, 1, 2), (2, 0, 2, 1)]),
        (2, 4, [(0, 1, 0, 1)]),
        (2, 3, [(0, 0, 1), (1, 1, 0)]),
        (4, 6, [(0, 1, 2, 0, 1, 3), (0, 2, 1, 0, 2, 3), (0, 3, 1, 0, 3, 2)]),
    ],
)
def test_copies_sit_far_apart(n_agents, n_players, expected):
    assert round_robin(n_agents, n_players)[:3] == expected


@given(SIZES)
@settings(derandomize=True, deadline=None)
def test_copies_are_neighbours_only_where_they_must_be(sizes):
    for match_up in round_robin(*sizes):
        if max(Counter(match_up).values()) * 2 <= len(match_up):
            assert all(a != b for a, b in zip(match_up, match_up[1:] + match_up[:1], strict=True))


def test_two_players_swap():
    games = list(Schedule(2, 2, blocks=2, seed=3))
    assert [game.agents for game in games] == [(0, 1), (1, 0)] * 2
    assert [game.game_id for game in games] == ["b0-m0-s0", "b0-m0-s1", "b1-m0-s0", "b1-m0-s1"]


def test_all_games_of_a_block_have_its_seed_and_blocks_differ():
    seeds = {}
    for game in Schedule(4, 3, blocks=20, seed=9):
        assert game.seed == derive_seed(9, "block", game.block)
        seeds.setdefault(game.block, game.seed)
    assert len(set(seeds.values())) == 20


@given(SIZES, st.integers(1, 4), st.integers(0, 3), st.integers(-5, 2**70))
@settings(derandomize=True, deadline=None, max_examples=50)
def test_more_blocks_keep_the_games_of_the_earlier_ones(sizes, blocks, more, seed):
    short, longer = Schedule(*sizes, blocks, seed), Schedule(*sizes, blocks + more, seed)
    assert list(islice(longer, len(short))) == list(short)
    assert len(list(longer)) == len(longer) == (blocks + more) * len(short) // blocks


@given(SIZES)
@settings(derandomize=True, deadline=None, max_examples=30)
def test_finds_every_game_by_its_id(sizes):
    schedule = Schedule(*sizes, blocks=2, seed=4)
    games = list(schedule)
    assert len({game.game_id for game in games}) == len(games)
    for game in games:
        schedule.check(game.game_id)


def test_iterates_lazily():
    assert next(iter(Schedule(8, 4, blocks=10**12, seed=1))).game_id == "b0-m0-s0"


@pytest.mark.parametrize(
    "game_id", ["b2-m0-s0", "b0-m3-s0", "b0-m0-s2", "b00-m0-s0", "b0-m0", "b0-m0-s0\n", "b٣-m0-s0", ""]
)
def test_an_unknown_id_is_named(game_id):
    with pytest.raises(UnknownNameError) as raised:
        Schedule(3, 2, blocks=2, seed=1).check(game_id)
    assert str(raised.value) == f"no game named {game_id!r}; there are: b0-m0-s0 to b1-m2-s1"


def test_one_agent_meets_itself_once_per_seed():
    games = list(Schedule(1, 3, blocks=2, seed=1))
    assert [game.agents for game in games] == [(0, 0, 0), (0, 0, 0)]
    assert len({game.seed for game in games}) == 2


def test_refuses_what_is_no_tournament():
    with pytest.raises(PlayersError, match="at least 1 agent"):
        Schedule(0, 2, blocks=1, seed=1)
    with pytest.raises(PlayersError, match="at least 1 player, not 0"):
        Schedule(2, 0, blocks=1, seed=1)
    with pytest.raises(ParameterError, match="blocks cannot be 0; the least is 1"):
        Schedule(2, 2, blocks=0, seed=1)
