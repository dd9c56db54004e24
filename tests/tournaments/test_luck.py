"""Luck is the same for all: seats, seeds and streams keep it out of the comparison."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tag.playing import GameOrder, play_order
from tournaments import define, read_ledger, run_tournament

FIRST = """
from tag import Agent

class First(Agent):
    def act(self, observation, actions):
        return actions[0]

class Wasteful(First):
    def act(self, observation, actions):
        for _number in range(20_000):
            self.sim.rng.next32()
        return super().act(observation, actions)
"""


@pytest.mark.parametrize(("game", "players"), [("love_letter", 4), ("uno", 3), ("connect_four", 2)])
@pytest.mark.parametrize("agent", ["osla", "mcts:budget=20"])
def test_identical_agents_score_exactly_the_same_in_every_block(
    game: str, players: int, agent: str, tmp_path: Path
) -> None:
    definition = define(game, (agent,) * players, 3, players=players)
    run_tournament(definition, tmp_path, tracking=False)
    seats = read_ledger(tmp_path)[1]
    points = seats.groupby(["block", "agent"], observed=True)["points"].mean()
    assert np.allclose(points, 1.0 / players, rtol=0, atol=1e-12)


def test_all_match_ups_share_their_seeds() -> None:
    seeds: dict[int, set[int]] = {}
    for pairing in define("love_letter", ("random",) * 6, 50, players=3).schedule():
        seeds.setdefault(pairing.matchup, set()).add(pairing.seed)
    assert len(seeds) == 20
    assert all(found == seeds[0] and len(found) == 50 for found in seeds.values())


@pytest.mark.parametrize(("game", "players"), [("love_letter", 3), ("exploding_kittens", 3), ("colt_express", 2)])
def test_what_an_agent_draws_changes_no_chance_outcome(game: str, players: int, tmp_path: Path) -> None:
    """Hundreds of thousands of numbers, and the same game."""
    file = tmp_path / "agents.py"
    file.write_text(FIRST)
    plain, wasteful = f"{file}:First", f"{file}:Wasteful"
    seats = (plain,) * (players - 1)
    first = play_order(GameOrder("g", game, (plain, *seats), 11))
    other = play_order(GameOrder("g", game, (wasteful, *seats), 11))
    assert first.decisions[0] >= 5
    assert first.state_hash == other.state_hash
    assert first.results == other.results
