"""Every option of a training changes its models or evaluations, or is refused, or is listed with the reason."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from small_trainings import outcome, trained

from tag.errors import ParameterError
from tag.tuning.training.definition import TrainingOptions, define_training

#: For each option the settings beside which it is changed, and the change.
CHANGES: dict[str, tuple[dict[str, Any], Any]] = {
    "players": ({"game": "nim:size=3"}, 3),
    "episodes": ({}, 30),
    "seeds": ({}, 2),
    "seed": ({}, 2),
    "evaluate": ({}, ("osla",)),
    "evaluations": ({}, 2),
    "evaluation_games": ({}, 6),
    "openings": ({}, 4),
    "target": ({}, 0.0),
    "target_by": ({"seeds": 3, "target": 0.6}, "median"),
    "patience": ({}, 1),
}
REASONS = {"ledger": "the games of a tournament in place of those of the learner: in test_training_on_ledgers.py"}


def played(out: Path, game: str = "tic_tac_toe", **said: Any) -> dict[str, Any]:
    """Return what a training of 20 games has come to."""
    options = {"evaluate": ("random",), "evaluations": 5, "evaluation_games": 4} | said
    episodes = options.pop("episodes", 20)
    return outcome(trained(define_training("td_ntuple:n_tuples=4,length=2", game, episodes, **options), out).folder)


@pytest.mark.parametrize("name", CHANGES)
def test_every_option_changes_a_training(name: str, tmp_path: Path) -> None:
    beside, value = CHANGES[name]
    changed = played(tmp_path / "changed", **(beside | {name: value}))
    assert changed != played(tmp_path / "usual", **beside)


def test_every_option_is_changed_or_listed() -> None:
    assert CHANGES.keys() | REASONS.keys() == {one.name for one in fields(TrainingOptions)}


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"evaluations": 0, "evaluate": ("random",)}, "evaluate needs evaluations"),
        ({"evaluations": 0, "target": 0.5}, "target and patience need evaluations"),
        ({"evaluations": 0, "evaluation_games": 50}, "evaluation_games cannot be set where no evaluator plays games"),
        ({"evaluations": 0, "openings": 4}, "openings cannot be set where no evaluator plays games"),
        ({"evaluate": ("agreement", "value_error"), "evaluation_games": 50}, "evaluation_games cannot be set"),
        ({"evaluate": ("agreement",), "openings": 0}, "openings cannot be set"),
        ({"target_by": "median"}, "target_by cannot be 'median' without a target"),
        ({"target_by": "median", "patience": 2}, "target_by cannot be 'median' without a target"),
    ],
)
def test_options_without_effect_beside_others_are_refused(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(ParameterError, match=reason) as refusal:
        define_training("td_ntuple", "tic_tac_toe", 10, **options)
    assert "\n" not in str(refusal.value)
