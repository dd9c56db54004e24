"""Luck is the same for all: seats, seeds and streams keep it out of the comparison."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tag.catalogue.registry import game_class, game_names
from tag.engine.snapshot import state_hash
from tag.engine.state import AnyAction, GameState
from tag.orders import GameOrder, play_order
from tag.playing.listener import Listener
from tag.tournaments import define, read_ledger, run_tournament
from tag.tournaments.designs.by_name import DESIGNS
from tag.tournaments.designs.schedule import Schedule

pytestmark = [pytest.mark.heavy, pytest.mark.flow]  # all games, and again in all rotations

MILLION = 1_000_000
#: An agent that draws a million numbers before its first decision, and some before every other, and decides the same.
FIRST = f"""
from tag import Agent

class First(Agent):
    def act(self, observation, actions):
        return actions[0]

class Wasteful(First):
    to_draw = {MILLION}

    def act(self, observation, actions):
        for _number in range(self.to_draw):
            self.sim.rng.next32()
        self.to_draw = 1000
        return super().act(observation, actions)
"""
#: Every game at its fewest and its most players, of 2 to 5.
TABLES = [
    (game, players)
    for game in game_names()
    for kind in [game_class(game).game_type]
    if kind.max_players > 1
    for players in sorted({max(kind.min_players, 2), min(kind.max_players, 5)})
]
#: Where agents keep their seats, the seats decide.
#: All designs for several agents that do not keep their seats.
BALANCED = sorted(set(DESIGNS) - {"fixed", "repeated"})


def block_points(folder: Path) -> pd.Series[float]:
    """Return the mean points of every agent in every block."""
    return read_ledger(folder)[1].groupby(["block", "agent"], observed=True)["points"].mean()


@pytest.mark.parametrize(("game", "players"), TABLES)
@pytest.mark.parametrize("agent", ["random", "osla"])
def test_identical_agents_score_exactly_the_same_in_every_block(
    game: str, players: int, agent: str, tmp_path: Path
) -> None:
    """Each seat's stream is its own, so that they decide alike in all rotations, also where they draw."""
    run_tournament(define(game, (agent,) * players, 2, players=players), tmp_path, tracking=False)
    points = block_points(tmp_path)
    assert len(points) == 2 * players
    if "cooperative" in game_class(game).game_type.categories:
        expected = points.groupby("block").transform("first")
    else:
        expected = pd.Series(1.0 / players, points.index)
    np.testing.assert_allclose(points, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("game", "players"), [("connect_four", 2), ("love_letter", 3), ("love_letter", 4), ("exploding_kittens", 5)]
)
def test_so_they_do_at_any_number_of_players(game: str, players: int, tmp_path: Path) -> None:
    run_tournament(define(game, ("mcts:budget=10",) * players, 3, players=players), tmp_path, tracking=False)
    np.testing.assert_allclose(block_points(tmp_path), 1.0 / players, rtol=0, atol=1e-12)


@pytest.mark.parametrize(("agents", "players"), [(4, 2), (3, 3), (4, 4)])
@pytest.mark.parametrize("design", BALANCED)
def test_so_they_do_in_every_design_that_rotates_seats(design: str, agents: int, players: int, tmp_path: Path) -> None:
    specs = ("random",) * agents
    run_tournament(define("love_letter", specs, 2, players=players, design=design), tmp_path, tracking=False)
    np.testing.assert_allclose(block_points(tmp_path), 1.0 / players, rtol=0, atol=1e-12)


@pytest.mark.parametrize("design", sorted(set(DESIGNS) - {"best_agent"}))  # it has one table per block
def test_all_match_ups_share_their_seeds(design: str) -> None:
    """In a design with rounds, those of the same round."""
    schedule = Schedule(1 if design == "repeated" else 4, 2 if design != "fixed" else 4, 50, 1, design)
    seeds: dict[int, set[int]] = {}
    for pairing in schedule.games(range(50)):
        seeds.setdefault(pairing.matchup, set()).add(pairing.seed)
    assert len(seeds) == schedule.design.n_matchups
    assert all(found == seeds[0] and len(found) == 50 for found in seeds.values())


class Trace(Listener):
    """Keeps what every position of a game was, all that is hidden in it included."""

    def __init__(self) -> None:
        self.positions: list[str] = []

    def on_start(self, state: GameState) -> None:
        self.positions.append(state_hash(state))

    def on_action_taken(self, state: GameState, player: int, action: AnyAction) -> None:
        self.positions.append(f"{action} {state_hash(state)}")


@pytest.mark.parametrize("game", game_names())
def test_a_million_numbers_that_an_agent_draws_change_no_chance_outcome(game: str, tmp_path: Path) -> None:
    file = tmp_path / "agents.py"
    file.write_text(FIRST)
    others = (f"{file}:First",) * (game_class(game).game_type.min_players - 1)
    traces = []
    for name in ("First", "Wasteful"):
        trace = Trace()
        record = play_order(GameOrder("g", game, (f"{file}:{name}", *others), 11), [trace])
        assert record.decisions[0] > 0
        assert not record.faults
        traces.append(trace.positions)
    assert traces[0] == traces[1]
