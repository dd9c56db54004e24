"""Finding the best agent: who sits where, when it stops, and how many games that saves."""

from __future__ import annotations

import logging

import numpy as np
import pytest
from simulated import ELO, World

from tag.errors import ParameterError, PlayersError
from tag.tournaments.statistics.stopping import best_agent
from tag.tournaments.statistics.stopping.best_agent import BestAgent, contenders, least_lead, newcomers
from tag.tournaments.statistics.stopping.strengths import Strengths

pytestmark = pytest.mark.flow

#: Shown by pytest --log-cli-level=INFO.
REPORT = logging.getLogger(__name__).info
SEATS = np.array([0.6, 0.4, 0.2, 0.0])


def search(world, rng, **options):
    """Look for the best agent of a world, one batch always ahead; return the whole search."""
    found, waiting = BestAgent(len(world.strengths), world.n_players, **options), []
    while found.best is None:
        while found.can_allot:
            waiting += [*found.allot()]
        now, waiting = np.array(waiting[: found.batch]), waiting[found.batch :]
        for places in world.blocks(now, rng):
            found.add(places)
    return found


def games(found):
    """The games played by the time the best was known."""
    return found.n_players * sum(map(len, found._match_ups[: len(found._known)]))


# --- tables ---------------------------------------------------------------------------------------------------------


def test_contenders_sit_together():
    strengths = Strengths(np.array([0.0, 3.0, 0.0, 2.9, -1.0, 2.8, 0.1, 0.0]), np.eye(8) * 0.05)
    tables = contenders(strengths, 4, 50, np.random.default_rng(1))
    assert tables.shape == (50, 4)
    assert all(len(set(table)) == 4 for table in tables.tolist())
    assert all({1, 3, 5} < set(table) for table in tables.tolist())
    assert len({table[-1] for table in tables.tolist()}) > 1  # the other seat is nobody's own


def test_who_may_be_the_best_sits_as_often():
    strengths = Strengths(np.zeros(12), np.eye(12))
    tables = contenders(strengths, 4, 1_500, np.random.default_rng(2))
    assert np.bincount(tables.ravel()) / 1_500 == pytest.approx([1 / 3] * 12, abs=0.06)


def test_newcomers_are_seated_evenly():
    tables = newcomers(np.array([0, 0, 0, 5, 0, 0, 0]), 3, 12, np.random.default_rng(3))
    assert all(len(set(table)) == 3 for table in tables.tolist())
    assert sorted(np.bincount(np.append(tables, [3] * 5))) == [5, 6, 6, 6, 6, 6, 6]


# --- states ---------------------------------------------------------------------------------------------------------


def test_one_batch_is_ahead():
    found = BestAgent(6, 3, seed=1, batch=2)
    assert (found.best, found.strengths) == (None, None)
    found.allot()
    found.allot()
    assert not found.can_allot
    with pytest.raises(ParameterError, match="batch 2 cannot be allotted; it waits for batch 0"):
        found.allot()
    places = [[1, 2, 3]] * 3
    found.add(places)
    assert not found.can_allot
    found.add(places)
    assert found.can_allot
    assert found.strengths is not None
    assert found.p_best.sum() == pytest.approx(1)


def test_what_is_allotted_depends_on_released_blocks_alone():
    """Whether batch 2 is taken at once or after batch 1 has come back as well, it is the same; another seed's is not."""
    world, allotted = World(0.2 * np.arange(8), SEATS, 0.5), []
    for seed, late in ((4, False), (4, True), (5, False)):
        found = BestAgent(8, 4, seed=seed, batch=3)
        first, second = found.allot(), found.allot()
        rng = np.random.default_rng(9)
        for places in world.blocks(first, rng):
            found.add(places)
        if not late:
            allotted.append([first, second, found.allot()])
        for places in world.blocks(second, rng):
            found.add(places)
        if late:
            allotted.append([first, second, found.allot()])
    assert np.array_equal(allotted[0], allotted[1])
    assert not np.array_equal(allotted[0], allotted[2])


def test_void_blocks_tell_nothing_but_count_in_the_order():
    world, rng = World(np.array([0.0, 0.0, 3.0, 0.0]), np.zeros(2)), np.random.default_rng(2)
    found = BestAgent(4, 2, seed=1, batch=4)
    for _ in range(2):
        found.allot()
    for _ in range(4):
        found.add(None)
    assert found.p_best == pytest.approx([0.25] * 4, abs=0.03)
    for places in world.blocks(found._match_ups[1], rng):
        found.add(places)
    assert found.p_best.argmax() == 2


def test_the_best_stands():
    found = search(World(np.array([0.0, 4.0, 0.0]), np.zeros(3)), np.random.default_rng(3), seed=2, batch=2)
    assert found.best == 1
    assert found.p_best[1] >= 0.95
    assert not found.can_allot
    before = found.p_best
    in_play = found.batch * (len(found._match_ups) - len(found._known))
    assert [found.add([[1, 2, 3]] * 3) for _ in range(in_play)] == [1] * in_play
    assert np.array_equal(found.p_best, before)
    with pytest.raises(ParameterError, match="has not been allotted"):
        found.add([[1, 2, 3]] * 3)


def test_equals_are_good_enough():
    world = World(np.array([0.5, 0.5, 0.5, -1.0, -1.0]), SEATS, 0.5)
    found = search(world, np.random.default_rng(4), seed=3, indifference=25.0)
    assert found.best in (0, 1, 2)
    assert games(found) < 4_000


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            {"n_agents": 3, "n_players": 4},
            PlayersError,
            "the best of 3 agents cannot be found at 4 seats; it takes 2 seats or more, and as many agents",
        ),
        ({"n_agents": 3, "n_players": 1}, PlayersError, "at 1 seats"),
        ({"batch": 0}, ParameterError, "batch cannot be 0; the least is 1"),
        ({"confidence": 1.0}, ParameterError, "confidence cannot be 1"),
        ({"indifference": -1.0}, ParameterError, "indifference cannot be -1; the least is 0"),
    ],
)
def test_what_cannot_be_sought(arguments, error, message):
    with pytest.raises(error, match=message):
        BestAgent(**{"n_agents": 5, "n_players": 2, "seed": 1, **arguments})


# --- the least lead, and draws ---------------------------------------------------------------------------------------


def search_with_draws(lead, n_agents, n_players, blocks, draws, seed):
    """Look for an agent ``lead`` Elo ahead of equal others, where a share of games is drawn; return who is found."""
    rng, strengths = np.random.default_rng([seed, n_agents]), np.zeros(n_agents)
    strengths[0] = lead / ELO
    world, found, waiting, played = World(strengths, np.zeros(n_players)), BestAgent(n_agents, n_players, seed), [], 0
    while found.best is None and played < blocks:
        while found.can_allot:
            waiting += [*found.allot()]
        now, waiting = np.array(waiting[: found.batch]), waiting[found.batch :]
        places = world.blocks(now, rng)
        places[rng.random(places.shape[:2]) < draws] = 1
        for of_block in places:
            found.add(of_block)
        played += len(now)
    return found.best


@pytest.mark.parametrize(
    ("n_agents", "n_players", "blocks", "draws"),
    [(4, 2, 200, 0.0), (4, 2, 200, 0.7), (8, 4, 100, 0.0), (6, 2, 240, 0.9)],
)
def test_at_least_half_of_all_searches_end_with_the_least_lead(n_agents, n_players, blocks, draws):
    lead = least_lead(n_agents, n_players, blocks, 0.95, draws)
    found = [search_with_draws(lead, n_agents, n_players, blocks, draws, seed) for seed in range(24)]
    assert found.count(0) >= 10
    assert sum(best not in (None, 0) for best in found) <= 3
    less = [search_with_draws(lead / 4.0, n_agents, n_players, blocks, draws, seed) for seed in range(24)]
    assert less.count(0) <= 10


@pytest.mark.slow
@pytest.mark.parametrize("draws", [0.0, 0.7, 0.9])
def test_draws_do_not_make_it_wrong_more_often(draws):
    lead = 2.0 * least_lead(4, 2, 400, 0.95, draws)
    found = [search_with_draws(lead, 4, 2, 400, draws, seed) for seed in range(200)]
    wrong = sum(best not in (None, 0) for best in found) / 200
    REPORT("draws %s: wrong %s, undecided %s", draws, wrong, found.count(None) / 200)
    assert wrong <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 200)


# --- games saved ----------------------------------------------------------------------------------------------------


def ladder(n_agents, gap, rng):
    """Agents ``gap`` logits apart, in random order, with half of the variance in the deal."""
    return World(rng.permutation(-gap * np.arange(n_agents)), SEATS, luck=0.5)


def evenly(strengths, n_players, blocks, rng):
    """Allot without looking: everybody equally often, with random others."""
    return newcomers(np.zeros(len(strengths.mean), dtype=np.int64), n_players, blocks, rng)


def runs(make, n, seed, **options):
    """The games and the shortfall of the winner in Elo of ``n`` searches."""
    found = []
    for run in range(n):
        rng = np.random.default_rng([seed, run])
        world = make(rng)
        result = search(world, rng, seed=run, **options)
        found.append((games(result), (world.strengths.max() - world.strengths[result.best]) * ELO))
    return np.array(found).T


def compare(monkeypatch, n_agents, gap, n, n_uniform, batch=8):
    """Median games, and the share of wrong winners, of the adaptive search; then median games of a uniform one.

    The uniform one looks at every half a round of blocks, which costs it less than 1 % of its games.
    """
    found = runs(lambda rng: ladder(n_agents, gap, rng), n, seed=n_agents, batch=batch)
    with monkeypatch.context() as patch:
        patch.setattr(best_agent, "contenders", evenly)
        found_evenly = runs(lambda rng: ladder(n_agents, gap, rng), n_uniform, n_agents, batch=n_agents)
    summaries = [(np.median(games), games.mean(), (short > 0).mean()) for games, short in (found, found_evenly)]
    REPORT("%d agents: median and mean games, wrong: %s; uniform: %s", n_agents, *summaries)
    (adaptive, _, wrong), (uniform, _, _) = summaries
    return adaptive, wrong, uniform


@pytest.mark.system
def test_contenders_cost_less_than_half(monkeypatch):
    adaptive, wrong, uniform = compare(monkeypatch, 16, 0.15, n=12, n_uniform=8)
    assert adaptive <= uniform / 2
    assert wrong <= 2 / 12


@pytest.mark.slow
@pytest.mark.parametrize(("n_agents", "share", "n_uniform"), [(16, 1 / 2, 200), (32, 1 / 3, 60)])
def test_the_best_is_found_with_few_games(monkeypatch, n_agents, share, n_uniform):
    adaptive, wrong, uniform = compare(monkeypatch, n_agents, 0.1, n=200, n_uniform=n_uniform)
    assert adaptive <= share * uniform
    assert wrong <= 0.05


@pytest.mark.slow
def test_good_enough_agents_are_found_among_those_of_a_population():
    """Strengths normal with a spread of 87 Elo, as of agents of many kinds; within 10 Elo of the best is good enough."""
    played, short = runs(lambda rng: World(rng.normal(0, 0.5, 16), SEATS, 0.5), 200, seed=9, indifference=10.0)
    REPORT("population: median games %s, mean %s, too weak %s", np.median(played), played.mean(), (short > 10).mean())
    assert (short > 10).mean() <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 200)  # it stops as soon as 5 % is reached
