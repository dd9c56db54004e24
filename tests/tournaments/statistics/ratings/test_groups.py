"""Groups of agents that cannot be told apart."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest
from made_up import labels, plackett_luce_games

from tag.tournaments.reports.text import ratings_text
from tag.tournaments.results.tournament import rate_games
from tag.tournaments.statistics.ratings.pairwise import groups
from tag.tournaments.statistics.ratings.ranked_games import RankedGames

pytestmark = pytest.mark.flow


def different(n, *pairs):
    table = np.zeros((n, n), dtype=bool)
    for one, other in pairs:
        table[one, other] = table[other, one] = True
    return table


def cliques(is_different):
    """By trying all sets: the largest of which no two differ."""
    n = len(is_different)
    alike = [
        set(some)
        for size in range(1, n + 1)
        for some in combinations(range(n), size)
        if not is_different[np.ix_(some, some)].any()
    ]
    return {frozenset(some) for some in alike if not any(some < other for other in alike)}


def test_nobody_differs():
    assert groups(different(3), np.array([1.0, 3.0, 2.0])) == [(1, 2, 0)]


def test_everybody_differs():
    assert groups(different(3, (0, 1), (0, 2), (1, 2)), np.array([1.0, 3.0, 2.0])) == [(1,), (2,), (0,)]


def test_a_chain_has_overlapping_groups():
    """Piepho's case: neighbours are alike, but not the ends."""
    table = different(4, (0, 2), (0, 3), (1, 3))
    assert groups(table, np.array([40.0, 30.0, 20.0, 10.0])) == [(0, 1), (1, 2), (2, 3)]


def test_no_agents():
    assert groups(different(0), np.zeros(0)) == []


@pytest.mark.parametrize("seed", range(40))
def test_they_are_all_the_largest_there_are(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 9))
    table = np.triu(rng.random((n, n)) < rng.random(), 1)
    table |= table.T
    ratings = rng.normal(size=n)
    found = groups(table, ratings)
    assert {frozenset(group) for group in found} == cliques(table)
    assert len(set(found)) == len(found)
    assert all(list(group) == sorted(group, key=lambda agent: -ratings[agent]) for group in found)
    assert [max(ratings[list(group)]) for group in found] == sorted(
        (max(ratings[list(g)]) for g in found), reverse=True
    )


@pytest.mark.parametrize("noise", [0.05, 0.3])
def test_too_many_groups_are_covered_by_some_of_them(noise):
    """Of 200 agents there may be millions of largest groups."""
    rng = np.random.default_rng(1)
    ratings = rng.normal(size=200)
    off = np.triu(rng.normal(0.0, noise, (200, 200)), 1)
    table = np.abs(ratings[:, None] - ratings) + off + off.T > 0.6
    np.fill_diagonal(table, False)
    found = groups(table, ratings)
    assert len(found) < 1_000
    share = np.zeros_like(table)
    for group in found:
        share[np.ix_(group, group)] = True
        fits = ~table[list(group)].any(axis=0)
        assert set(np.flatnonzero(fits)) == set(group)  # nobody could be added
    assert (share == ~table).all()


def test_agents_share_a_letter_just_if_they_cannot_be_told_apart_also_past_z():
    games = plackett_luce_games(np.random.default_rng(3), np.linspace(2.0, -2.0, 60), n_seats=4, n_games=9000)
    summary = rate_games(games)
    letters = {agent.agent: set(re.findall(r"[A-Za-z]\d*", agent.groups)) for agent in summary.agents}
    assert len(set.union(*letters.values())) > 26
    is_different = summary.differences.is_different()
    for one, other in combinations(range(60), 2):
        share = letters[games.labels[one]] & letters[games.labels[other]]
        assert bool(share) != is_different[one, other]


@pytest.mark.parametrize("seed", range(5))
def test_letters_follow_from_third_agents(seed):
    """A ladder in which neighbours are told apart: its ends never met and are told apart as well."""
    n, rng = 5, np.random.default_rng(seed)
    pairs = np.array([[one, one + 1] for one in range(n - 1)])
    agents = np.tile(np.concatenate([pairs, pairs[:, ::-1]]), (100, 1))
    first = rng.random(len(agents)) < 1 / (1 + np.exp(agents[:, 0] - agents[:, 1]))
    places = np.stack([np.where(first, 1, 2), np.where(first, 2, 1)], axis=1)
    games = RankedGames(labels(n), agents, places, np.repeat(np.arange(100), 2 * len(pairs)))
    letters = {agent.agent: set(agent.groups) for agent in rate_games(games).agents}
    for one, other in combinations(range(n), 2):
        assert other == one + 1 or not letters[f"agent{one}"] & letters[f"agent{other}"]


@pytest.mark.parametrize("sizes", [(2, 2), (3, 1, 2), (1, 1)])
def test_agents_that_no_games_connect_have_no_common_order(sizes):
    """Components have letters of their own, stand one after the other, and are named."""
    rng, rows, ends = np.random.default_rng(1), [], np.cumsum(sizes)
    for end, size in zip(ends.tolist(), sizes, strict=True):
        members = range(end - size, end)
        rows += combinations(members, 2)
    agents = np.array(rows * 20 or np.zeros((0, 2)), dtype=np.int64).reshape(-1, 2)
    places = np.array([rng.permutation([1, 2]) for _ in agents], dtype=np.int64).reshape(-1, 2)
    games = RankedGames(labels(sum(sizes)), agents, places, np.arange(len(agents)) // max(len(rows), 1))
    summary = rate_games(games)
    assert [len(component) for component in summary.components] == list(sizes)
    assert [agent.component for agent in summary.agents] == sorted(agent.component for agent in summary.agents)
    letters = [set("".join(one.groups for one in summary.agents if one.component == k + 1)) for k in range(len(sizes))]
    assert all(not one & other for one, other in combinations(letters, 2))
    text = ratings_text(summary)
    assert "no games compare agents of different components" in text
    assert all(f"{number} (" in text for number in range(1, len(sizes) + 1))
