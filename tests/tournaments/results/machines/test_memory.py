"""Whether an agent remembers deals: found where it does, and no false alarms whatever the luck."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from commands import run_tag

from tag.tournaments.commands.tournament import report_html
from tag.tournaments.definition import Rules, define
from tag.tournaments.designs.schedule import Schedule, in_playing_order, playing_key
from tag.tournaments.results.machines.homogeneity import GameArrays
from tag.tournaments.results.machines.memory import MEMORY_ALPHA, MemoryTest, memory_tests, read_memory
from tag.tournaments.run import run_tournament

pytestmark = pytest.mark.flow

COINS = Path(__file__).parents[3] / "attacks" / "hidden_coins.py"
HONEST, REMEMBERS = f"{COINS}:Honest", f"{COINS}:Remembers"


def made_up(
    rng: np.random.Generator,
    *,
    agents: int = 4,
    players: int = 2,
    blocks: int = 60,
    processes: int = 1,
    batch: int = 7,
    strengths: float = 1.0,
    remembers: float = 0.0,
) -> list[MemoryTest]:
    """Return the tests of a tournament whose games share the luck of their block, and in which agent 0 may remember."""
    pairings = sorted(
        Schedule(agents, players, blocks, int(rng.integers(1 << 60))),
        key=lambda one: (one.block, playing_key(one.seed, one.matchup, one.seating)),
    )
    bias = strengths * rng.standard_normal(agents)
    luck = rng.standard_normal((blocks, players))
    worker = np.array([f"w/{rng.integers(processes)}" for _batch in range(len(pairings))])[
        np.arange(len(pairings)) // batch
    ]
    met, winners = set(), []
    for pairing, where in zip(pairings, worker, strict=True):
        value = bias[list(pairing.agents)] + 2.0 * luck[pairing.block] + rng.standard_normal(players)
        for seat, agent in enumerate(pairing.agents):
            value[seat] += remembers * (agent == 0 and (pairing.block, where) in met)
        met |= {(pairing.block, where)} if 0 in pairing.agents else set()
        winners.append(int(value.argmax()))
    keys = np.array([playing_key(one.seed, one.matchup, one.seating) for one in pairings], dtype=np.uint64)
    games = GameArrays(
        np.array([one.block for one in pairings]),
        np.array([one.agents for one in pairings]),
        np.eye(players)[winners],
        agents,
    )
    return memory_tests(games, worker, keys, [f"a{number}" for number in range(agents)])


def flagged(tests: list[MemoryTest]) -> list[str]:
    return [test.agent for test in tests if test.is_flagged]


#: Equal and very unequal agents, few and many, alone or over several processes that share blocks.
NULLS = (
    {},
    {"strengths": 4.0},
    {"agents": 2, "blocks": 100},
    {"agents": 5, "players": 4, "blocks": 25},
    {"agents": 3, "players": 3, "processes": 4, "batch": 4, "blocks": 120},
)


@pytest.mark.parametrize("kind", range(len(NULLS)))
def test_honest_agents_are_hardly_ever_named(kind: int) -> None:
    rng = np.random.default_rng(kind)
    assert sum(bool(flagged(made_up(rng, **NULLS[kind]))) for _tournament in range(8)) <= 2


@pytest.mark.slow
@pytest.mark.parametrize("kind", range(len(NULLS)))
def test_false_alarms_are_below_their_level(kind: int) -> None:
    rng = np.random.default_rng(100 + kind)
    alarms = sum(bool(flagged(made_up(rng, **NULLS[kind]))) for _tournament in range(400))
    assert alarms <= 400 * MEMORY_ALPHA + 2.0 * (400 * MEMORY_ALPHA) ** 0.5


@pytest.mark.parametrize("kind", range(len(NULLS)))
def test_who_remembers_is_named_and_nobody_else(kind: int) -> None:
    assert flagged(made_up(np.random.default_rng(kind), **NULLS[kind], remembers=5.0)) == ["a0"]


def test_the_order_of_play_is_the_same_for_numbers_and_arrays_and_not_tied_to_seats() -> None:
    pairings = list(Schedule(3, 2, 400, 1))
    arrays = [np.array([getattr(one, name) for one in pairings], np.uint64) for name in ("seed", "matchup", "seating")]
    keys = playing_key(*arrays)
    assert [int(key) for key in keys] == [playing_key(one.seed, one.matchup, one.seating) for one in pairings]
    firsts = keys.reshape(400, 6).argmin(axis=1)
    assert np.bincount(firsts, minlength=6).min() > 400 / 6 - 4.0 * (400 / 6) ** 0.5


def test_a_planted_agent_is_named_at_the_end_of_the_run(tmp_path: Path) -> None:
    definition = define(f"{COINS}:HiddenCoins", (HONEST, REMEMBERS), 40, seed=5)
    run_tournament(definition, tmp_path / "t", tracking=False)
    found = read_memory(tmp_path / "t")
    (sentence,) = found.sentences()
    assert sentence.startswith(f"{REMEMBERS} seems to remember deals: in 40 games")
    remembers = found.tests[1]
    assert remembers.shift > 0.2
    assert remembers.p_value < 0.001
    assert sentence in report_html(tmp_path / "t").replace("&#x27;", "'")
    shown = run_tag("results", tmp_path / "t", "--by-machine")
    assert sentence in shown.output


def test_isolated_it_meets_every_deal_for_the_first_time(tmp_path: Path) -> None:
    definition = define(f"{COINS}:HiddenCoins", (HONEST, REMEMBERS), 3, seed=5, rules=Rules(isolate=True))
    alone = run_tournament(definition, tmp_path / "t", tracking=False)
    assert alone.complete
    assert read_memory(tmp_path / "t").tests == []


def test_a_block_is_sorted_for_play_as_game_by_game() -> None:
    schedule = Schedule(5, 3, 4, 2**62 + 1)
    for block in range(4):
        games = list(schedule.games(range(block, block + 1)))
        expected = sorted(games, key=lambda one: int(playing_key(one.seed, one.matchup, one.seating)))
        assert in_playing_order(games) == expected != games
    assert in_playing_order([]) == []
