"""Designs: who meets whom, how often, and in which seats."""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tag.errors import PlayersError, TagError, UnknownNameError
from tag.tournaments.designs.by_name import DESIGNS, make_design
from tag.tournaments.designs.matchups import Design, n_rotations
from tag.tournaments.designs.schedule import Schedule

pytestmark = pytest.mark.flow


def games(design: Design, blocks: int = 1) -> list[tuple[int, ...]]:
    return [
        design.agents(block, matchup, seating)
        for block in range(blocks)
        for matchup in range(design.n_matchups)
        for seating in range(design.n_seatings)
    ]


def sits(played: list[tuple[int, ...]]) -> Counter[tuple[int, int]]:
    return Counter((agent, seat) for agents in played for seat, agent in enumerate(agents))


def meetings(played: list[tuple[int, ...]], n_agents: int) -> list[int]:
    met = Counter(pair for agents in played for pair in combinations(sorted(agents), 2))
    return [met[pair] for pair in combinations(range(n_agents), 2)]


SIZES = [(2, 2), (3, 2), (5, 3), (4, 4), (6, 4)]


@pytest.mark.parametrize("name", sorted(set(DESIGNS) - {"fixed", "repeated", "swiss", "knockout"}))
@pytest.mark.parametrize("size", SIZES)
def test_no_game_of_a_block_is_played_twice(name: str, size: tuple[int, int]) -> None:
    played = games(make_design(name, *size, 1))
    if name != "self_play":  # rotations of copies are the same game
        assert len(set(played)) == len(played)


@pytest.mark.parametrize("name", ["round_robin", "exhaustive", "balanced"])
@pytest.mark.parametrize("size", SIZES)
def test_every_agent_sits_in_every_seat_equally_often(name: str, size: tuple[int, int]) -> None:
    counts = sits(games(make_design(name, *size, 1)))
    assert len(counts) == size[0] * size[1]
    assert len(set(counts.values())) == 1


def test_exhaustive_plays_all_orders() -> None:
    assert set(games(make_design("exhaustive", 3, 3, 1))) == set(permutations(range(3)))
    assert set(games(make_design("exhaustive", 2, 4, 1))) == set(permutations((0, 0, 1, 1)))


def test_a_gauntlet_seats_the_first_agent_everywhere_and_always() -> None:
    played = games(make_design("gauntlet", 5, 3, 1))
    assert all(agents.count(0) == 1 for agents in played)
    counts = sits(played)
    assert len({counts[0, seat] for seat in range(3)}) == 1
    assert len({sum(counts[agent, seat] for seat in range(3)) for agent in range(1, 5)}) == 1


def test_a_gauntlet_of_two_at_four_seats_is_one_against_three() -> None:
    assert games(make_design("gauntlet", 2, 4, 1)) == [(0, 1, 1, 1), (1, 1, 1, 0), (1, 1, 0, 1), (1, 0, 1, 1)]


def test_a_ladder_is_climbed_step_by_step() -> None:
    assert [set(agents) for agents in games(make_design("ladder", 4, 2, 1))] == [
        *([{0, 1}] * 2), *([{1, 2}] * 2), *([{2, 3}] * 2)
    ]  # fmt: skip
    assert {tuple(sorted(agents)) for agents in games(make_design("ladder", 3, 4, 1))} == {(0, 0, 1, 1), (1, 1, 2, 2)}


def test_in_a_grid_every_two_meet_alone() -> None:
    assert {frozenset(agents) for agents in games(make_design("grid", 4, 2, 1))} == set(
        map(frozenset, combinations(range(4), 2))
    )
    assert {tuple(sorted(agents)) for agents in games(make_design("grid", 3, 3, 1))} == {
        (0, 0, 1), (0, 1, 1), (0, 0, 2), (0, 2, 2), (1, 1, 2), (1, 2, 2)
    }  # fmt: skip


def test_fixed_seats_stay() -> None:
    assert games(make_design("fixed", 4, 4, 1), blocks=3) == [(0, 1, 2, 3)] * 3


def test_self_play_adds_copies() -> None:
    found = {tuple(sorted(agents)) for agents in games(make_design("self_play", 3, 2, 1))}
    assert found == {(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)}


@given(st.tuples(st.integers(2, 14), st.integers(2, 6)).filter(lambda size: size[0] >= size[1]), st.integers(0, 99))
@settings(derandomize=True, deadline=None, max_examples=30)
def test_balanced_tables_are_balanced(size: tuple[int, int], seed: int) -> None:
    design = make_design("balanced", *size, seed)
    for block in range(4):
        tables = [design.agents(block, matchup, 0) for matchup in range(design.n_matchups)]
        assert all(len(set(table)) == size[1] for table in tables)
        assert len(set(Counter(agent for table in tables for agent in table).values())) == 1


@pytest.mark.parametrize("size", [(6, 4), (7, 3), (8, 2), (8, 5), (9, 4), (10, 4), (16, 2), (16, 4)])
def test_balanced_meetings_differ_by_one_or_nearly_so_after_every_block(size: tuple[int, int]) -> None:
    design = make_design("balanced", *size, 5)
    spreads = [max(met) - min(met) for met in (meetings(games(design, n), size[0]) for n in range(1, 25))]
    assert (
        max(spreads) / size[1] <= 2
    )  # in match-ups; drawn at random, 16 agents at 4 seats differ by 9 after 24 blocks
    assert min(spreads) / size[1] <= 1


def test_two_tables_that_share_everybody_are_balanced_every_seven_blocks() -> None:
    design = make_design("balanced", 8, 4, 5)
    met = meetings(games(design, 7), 8)
    assert (max(met) - min(met)) / 4 <= 1


@pytest.mark.parametrize(
    ("n_agents", "n_players", "blocks", "digest"),
    [
        (5, 4, 12, "1bc839228a38208d"),  # most deals seat the same agents twice, or have to be dealt again
        (31, 5, 4, "f0b5891fa85ec19b"),
        (200, 4, 10, "1bb04a7b8b88cb57"),
    ],
)
def test_balanced_tables_are_those_of_earlier_versions(n_agents: int, n_players: int, blocks: int, digest: str) -> None:
    """Ledgers of them would otherwise not be gone on with; noted when each agent still looked at all tables."""
    seats = [pairing.agents for pairing in Schedule(n_agents, n_players, blocks, 1, "balanced")]
    assert blake2b(repr(seats).encode(), digest_size=8).hexdigest() == digest


def test_balanced_tables_do_not_depend_on_what_is_asked_first() -> None:
    forwards, backwards = make_design("balanced", 7, 3, 2), make_design("balanced", 7, 3, 2)
    later = backwards.agents(40, 0, 0)
    assert games(forwards, 41) == games(backwards, 41)
    assert forwards.agents(40, 0, 0) == later


@pytest.mark.parametrize(("seats", "expected"), [((0,), 1), ((0, 1), 2), ((0, 0), 1), ((0, 1, 2, 0, 1, 2), 3)])
def test_rotations_that_differ(seats: tuple[int, ...], expected: int) -> None:
    assert n_rotations(seats) == expected


@pytest.mark.parametrize(
    ("arguments", "error", "sentence"),
    [
        (("balancd", 4, 2), UnknownNameError, "no design named 'balancd'; did you mean 'balanced'?"),
        (("balanced", 3, 4), PlayersError, "balanced tables need at least as many agents as seats, 4, not 3"),
        (("fixed", 3, 4), PlayersError, "with fixed seats there are as many agents as seats, not 3 for 4"),
        (("ladder", 1, 2), PlayersError, "a ladder needs at least 2 agents, not 1"),
        (("grid", 1, 2), PlayersError, "a grid needs 2 agents and 2 seats, not 1 and 2"),
        (("gauntlet", 1, 2), PlayersError, "a gauntlet needs 2 agents and 2 seats, not 1 and 2"),
        (("exhaustive", 9, 8), PlayersError, "8 seats have 40,320 seatings; use --design round_robin"),
        (("round_robin", 100, 5), PlayersError, "round_robin would have 75,287,520 match-ups per block; "
         "--design balanced has only as many as needed"),
    ],
)  # fmt: skip
def test_what_cannot_be_seated_is_refused(
    arguments: tuple[str, int, int], error: type[TagError], sentence: str
) -> None:
    with pytest.raises(error) as raised:
        make_design(*arguments, 1)
    assert str(raised.value) == sentence


@pytest.mark.parametrize("name", ["round_robin", "self_play", "exhaustive", "gauntlet", "ladder", "grid"])
@pytest.mark.parametrize("n_players", [2, 3])
def test_more_agents_add_games_and_renumber_none(name: str, n_players: int) -> None:
    fewer, more = make_design(name, 4, n_players, 1), make_design(name, 6, n_players, 1)
    assert more.continues(fewer)
    assert games(more)[: len(games(fewer))] == games(fewer)


def test_where_agents_share_seats_more_of_them_are_another_tournament() -> None:
    assert not make_design("round_robin", 4, 4, 1).continues(make_design("round_robin", 3, 4, 1))
    assert not make_design("balanced", 8, 4, 1).continues(make_design("balanced", 4, 4, 1))
