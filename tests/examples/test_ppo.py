"""The example of PPO: advantages follow each player's own choices, and its policies are agents like any other."""

from __future__ import annotations

import sys
from array import array
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tag.catalogue.models import Model, rules_of, to_bytes
from tag.catalogue.registry import check_game, make_agent, make_game
from tag.errors import TagError
from tag.orders import GameOrder, new_game, play_order
from tag.playing.learning import Knowledge

pytestmark = pytest.mark.system

FOLDER = Path(__file__).parents[2] / "examples" / "learning"
POLICY = FOLDER / "ppo_policy.py"


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The modules of the example, as its scripts see them."""
    monkeypatch.syspath_prepend(str(FOLDER))
    import ppo_rollout

    yield ppo_rollout
    for name in ("ppo", "ppo_policy", "ppo_rollout"):
        sys.modules.pop(name, None)


def rollout_of(module: ModuleType, steps: int, games: int, players: int, draws: np.random.Generator) -> Any:
    """Return steps of games with any order of players and any rewards, each followed by a set-up."""
    found = module.Rollout.empty(steps, games, 1, 1, players)
    found.value[:] = draws.normal(size=(steps, games))
    found.player[:] = draws.integers(players, size=(steps, games))
    found.rewards[:] = draws.normal(size=(steps, games, players))
    found.is_over[:] = draws.random((steps, games)) < 0.15
    for step in range(1, steps):
        found.is_start[step] = found.is_over[step - 1]
        found.is_over[step] &= ~found.is_start[step]
        found.rewards[step][found.is_start[step]] = 0.0
    return found


def advantage(
    rollout: Any, game: int, step: int, last: tuple[int, float], discount: float, trace: float
) -> float | None:
    """Return the advantage of one choice from its definition; None if what follows is not known."""
    player = rollout.player[step, game]
    gained = 0.0
    for later in range(step, len(rollout.player)):
        if later > step and rollout.player[later, game] == player and not rollout.is_start[later, game]:
            delta = gained + discount * rollout.value[later, game] - rollout.value[step, game]
            return delta + discount * trace * (advantage(rollout, game, later, last, discount, trace) or 0.0)
        gained += rollout.rewards[later, game, player]
        if rollout.is_over[later, game]:
            return gained - rollout.value[step, game]
    return gained + discount * last[1] - rollout.value[step, game] if last[0] == player else None


@pytest.mark.parametrize("players", [1, 2, 4])
def test_advantages_are_those_of_the_definition(example: ModuleType, players: int) -> None:
    draws = np.random.default_rng(players)
    for _rollout in range(20):
        rollout = rollout_of(example, 30, 5, players, draws)
        next_player, next_value = draws.integers(players, size=5), draws.normal(size=5)
        found, is_known = rollout.advantages(next_player, next_value, 0.9, 0.8)
        for game in range(5):
            for step in range(30):
                if rollout.is_start[step, game]:
                    assert not is_known[step, game]
                    continue
                right = advantage(rollout, game, step, (next_player[game], next_value[game]), 0.9, 0.8)
                assert is_known[step, game] == (right is not None)
                assert found[step, game] == pytest.approx(right or 0.0, abs=1e-5)  # values are of 32 bits


def test_features_are_scaled_by_their_mean_and_deviation(example: ModuleType) -> None:
    draws = np.random.default_rng(1)
    seen = draws.normal([5.0, -3.0], [2.0, 0.1], (1000, 2))
    scale = example.Scale(2)
    for part in np.array_split(seen, [100, 700]):
        scale.learn(part)
    assert scale.mean == pytest.approx(seen.mean(axis=0), abs=1e-3)
    assert scale.deviation == pytest.approx(seen.std(axis=0), rel=1e-2)
    assert np.abs(scale.scaled(seen)).max() <= 5.0


def policy_file(path: Path, game: str, players: int, seed: int = 1) -> Path:
    """Write a policy of random weights."""
    model = make_game(game)
    draws = np.random.default_rng(seed)
    n_features, n_actions = len(model.features().names(players)), len(model.vocabulary(players))
    arrays = {
        "mean": draws.normal(size=n_features),
        "scale": np.ones(n_features),
        "weights_0": draws.normal(size=n_features * 8),
        "biases_0": draws.normal(size=8),
        "weights_1": draws.normal(size=8 * n_actions),
        "biases_1": draws.normal(size=n_actions),
    }
    knowledge = Knowledge({"layers": 2}, {name: array("d", values.tolist()) for name, values in arrays.items()})
    path.write_bytes(to_bytes(Model("ppo", game, rules_of(model), players, 0, 0, 0, 1, "1", knowledge)))
    return path


@pytest.mark.parametrize(("game", "players"), [("tic_tac_toe", 2), ("love_letter", 4), ("sushi_go", 3)])
def test_a_policy_is_an_agent(game: str, players: int, tmp_path: Path) -> None:
    file = policy_file(tmp_path / "policy.safetensors", game, players)
    spec = f"{POLICY}:PpoPolicy:file={file}"
    check_game(spec, make_game(game), players)
    records = [play_order(GameOrder("", game, (spec, *["random"] * (players - 1)), seed)) for seed in (1, 1, 2)]
    assert not any(record.faults for record in records)
    assert records[0].state_hash == records[1].state_hash != records[2].state_hash


def test_it_chooses_by_the_probabilities_of_the_available_actions(tmp_path: Path) -> None:
    file = policy_file(tmp_path / "policy.safetensors", "tic_tac_toe", 2)
    chosen = []
    for seed in range(400):
        game = new_game(GameOrder("", "tic_tac_toe", (f"{POLICY}:PpoPolicy:file={file}", "random"), seed))
        game.start()
        game.step()
        told = game.agents[0].statistics()["actions"]
        assert len(told) == 9
        assert sum(row["probability"] for row in told) == pytest.approx(1.0)
        chosen.append(next(index for index, cell in enumerate(game.state.cell_values()) if cell))
    expected = np.array([row["probability"] for row in told])
    shares = np.bincount(chosen, minlength=9) / len(chosen)
    assert np.abs(shares - expected).max() < 4 * 0.5 / 20
    greedy = [f"{POLICY}:PpoPolicy:greedy=true,file={file}", "random"]
    for seed in range(5):
        game = new_game(GameOrder("", "tic_tac_toe", tuple(greedy), seed))
        game.start()
        game.step()
        assert game.state.cell_values()[int(expected.argmax())]


def test_it_is_refused_where_it_was_not_trained(tmp_path: Path) -> None:
    file = policy_file(tmp_path / "policy.safetensors", "tic_tac_toe", 2)
    spec = f"{POLICY}:PpoPolicy:file={file}"
    for game, players, agent in (
        ("connect_four", 2, spec),
        ("tic_tac_toe:size=4", 2, spec),
        ("nim", 2, f"{POLICY}:PpoPolicy"),
    ):
        with pytest.raises(TagError):
            check_game(agent, make_game(game), players)
    assert make_agent(spec).parameters.values()["greedy"] is False


@pytest.mark.usefixtures("example")
def test_a_training_is_the_same_with_the_same_seed_and_its_policy_plays(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    import ppo

    settings = ppo.Settings(decisions=2_048, games=8, steps=64, hidden=16)
    contents = [ppo.Trainer("love_letter", 3, "win", seed, settings).train() for seed in (1, 1, 2)]
    assert contents[0] == contents[1] != contents[2]
    file = tmp_path / "policy.safetensors"
    file.write_bytes(contents[0])
    record = play_order(GameOrder("", "love_letter", (f"{POLICY}:PpoPolicy:file={file}", "random", "random"), 1))
    assert not record.faults


@pytest.mark.slow
@pytest.mark.usefixtures("example")
def test_a_policy_learns_to_play_tic_tac_toe(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    import ppo

    file = tmp_path / "policy.safetensors"
    file.write_bytes(ppo.Trainer("tic_tac_toe", 2, "win", 1, ppo.Settings(decisions=200_000)).train())
    points = 0.0
    for seed in range(200):
        seats = [f"{POLICY}:PpoPolicy:file={file}", "random"]
        record = play_order(GameOrder("", "tic_tac_toe", tuple(seats if seed % 2 else seats[::-1]), seed))
        points += (record.results[1 - seed % 2] + 2) / 4
    assert points > 160
