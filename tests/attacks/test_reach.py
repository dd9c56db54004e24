"""Reach of an agent: into the whole process that plays, and in one of its own into nothing of the game.

Both halves of the table in the reference: what is said to be possible is shown, or the other half would show nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tag.catalogue.registry import make_game
from tag.engine.rng import Rng
from tag.isolation import close_processes
from tag.orders import Conditions, GameOrder, GameRecord, play_order

pytestmark = pytest.mark.flow

COINS = Path(__file__).parent / "hidden_coins.py"
HOSTILE = Path(__file__).parent / "hostile_agents.py"
N_COINS = 5


@pytest.fixture(autouse=True)
def _no_process_is_left() -> Iterator[None]:
    yield
    close_processes()


def play(*names: str, seed: int, isolate: bool) -> GameRecord:
    agents = tuple(f"{COINS}:{name}" for name in names)
    record = play_order(GameOrder("g", f"{COINS}:HiddenCoins", agents, seed, Conditions(isolate=isolate)))
    assert not record.faults
    return replace(record, seconds=(), cpu_seconds=())


def test_the_true_position_is_found_in_the_process_that_plays() -> None:
    assert {play("Peeks", "Honest", seed=seed, isolate=False).scores[0] for seed in range(10)} == {N_COINS}


def test_no_position_but_its_own_is_found_in_the_process_of_an_isolated_agent() -> None:
    """It guesses half of the coins, as everybody does: three quarters of 100 are right once in 2 million times."""
    right = sum(play("Peeks", "Honest", seed=seed, isolate=True).scores[0] for seed in range(20))
    assert right < 0.75 * 20 * N_COINS


@pytest.mark.parametrize("isolate", [False, True])
def test_a_changed_class_changes_this_game_and_later_ones_only_where_it_is_shared(
    isolate: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    state_class = type(make_game(f"{COINS}:HiddenCoins").setup(2, Rng(1)))
    monkeypatch.setattr(state_class, "score", state_class.score)  # as it will be again
    clean = [play("Honest", "Honest", seed=seed, isolate=False) for seed in range(6)]
    assert any(record.scores[0] != record.scores[1] for record in clean)
    changed = [play("Rewrites", "Honest", seed=seed, isolate=isolate) for seed in range(6)]
    later = [play("Honest", "Honest", seed=seed, isolate=False) for seed in range(6)]
    assert (changed == clean) == (later == clean) == isolate


@pytest.mark.parametrize("name", ["ChangesItsAction", "ChangesActionsForLater"])
@pytest.mark.parametrize("game", ["tic_tac_toe", "love_letter"])
def test_a_changed_action_of_an_isolated_agent_changes_nothing(game: str, name: str) -> None:
    """In the process that plays, the game would be void."""

    def play_seed(first: str, seed: int) -> GameRecord:
        agents = (f"{HOSTILE}:{first}", f"{HOSTILE}:Honest")
        record = play_order(GameOrder("g", game, agents, seed, Conditions(isolate=True)))
        return replace(record, seconds=(), cpu_seconds=())

    clean = [play_seed("Honest", seed) for seed in range(3)]
    assert not any(record.faults for record in clean)
    assert [play_seed(name, seed) for seed in range(3)] == clean
    assert [play_seed("Honest", seed) for seed in range(3)] == clean
