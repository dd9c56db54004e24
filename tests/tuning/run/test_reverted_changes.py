"""Studies of agents with parameters that change no game: the recommendation leaves these at their defaults."""

from __future__ import annotations

from pathlib import Path

import pytest

from tag.engine.parameters import parse_spec
from tournaments.ledger.games import read_ledger
from tuning.definition import define_study
from tuning.run import run_study


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_changes_no_game_stays_at_its_default(seed: int, tmp_path: Path) -> None:
    definition = define_study(
        "mcts:budget=20", "tic_tac_toe", games=300, versus=("random",), search=("k=0.1..9", "max_tree_depth=10..1000"),
        sampler="random", games_per_trial=10, validation=20, seed=seed, equal_time_games=0,
    )  # fmt: skip
    assert definition.reversion_games == 3 * 5 * 2
    results = run_study(definition, tmp_path, tracking=False)
    assert results.recommendation is not None
    candidate = results.recommendation["candidate"]["spec"]
    assert "max_tree_depth" not in parse_spec(candidate).values
    assert results.incumbents["spec"].iloc[-1] == candidate
    games, _seats = read_ledger(tmp_path / "reversion")
    assert games["game_id"].is_unique
    assert len(games) <= definition.reversion_games


@pytest.mark.parametrize(
    "changes", [{"validation": 0}, {"objective": "decision_ms", "validation": 200}, {"decision_ms_limit": 5.0}]
)
def test_where_times_count_or_nothing_is_validated_no_games_are_compared(changes: dict[str, object]) -> None:
    said = {"games": 300, "versus": ("random",), "search": ("k",), **changes}
    assert define_study("mcts:budget=20", "tic_tac_toe", **said).reversion_games == 0
