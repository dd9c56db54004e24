"""`--dry-run` of studies and trainings: as many games as they may take, a time from games that are played, and no trace."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from commands import run_tag

from tag.tuning.commands.settings import BalanceSettings, StudySettings, TrainingSettings
from tag.tuning.study import estimate as estimates
from tag.tuning.study.estimate import Measured, Sample, measure

pytestmark = pytest.mark.flow

TUNED = ("tune", "mcts:budget=8", "--game", "nim", "--versus", "osla", "--games", "600", "--workers", "1")
BALANCED = (
    *("balance", "love_letter", "--search", "guards", "--target", "draws<=0.5", "--agent", "random"),
    *("--games", "300", "--workers", "1"),
)
TRAINED = (
    "train",
    "td_ntuple:tuples=lines",
    "--game",
    "tic_tac_toe",
    "--episodes",
    "400",
    "--seeds",
    "3",
    "--workers",
    "1",
)


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimates, "SECONDS", 0.02)
    monkeypatch.setattr("tag.tuning.training.definition.SECONDS", 0.02)


def games_of(words: tuple[str, ...]) -> int:
    """The most games of a study, from its definition."""
    if words is TUNED:
        values: dict[str, Any] = {"agents": ("mcts:budget=8",), "game": "nim", "versus": ("osla",), "games": 600}
        return StudySettings.from_values(values, "here").definition().games_at_most
    if words is BALANCED:
        values = {
            "game": "love_letter",
            "search": ("guards",),
            "targets": ("draws<=0.5",),
            "agents": ("random",),
            "games": 300,
        }
        return BalanceSettings.from_values(values, "here").definition().games_at_most
    return 400 * 3


@pytest.mark.parametrize("words", [TUNED, BALANCED, TRAINED], ids=lambda words: words[0])
def test_a_dry_run_tells_games_time_and_room_and_leaves_no_trace(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = json.loads(run_tag(*words, "--dry-run", "--json").stdout)
    assert found["games"] == games_of(words) > 0
    assert found["seconds"] > 0
    assert found["bytes"] > 1000
    assert found["played"] > 0
    text = run_tag(*words, "--dry-run").stdout
    assert re.fullmatch(
        rf"at most {found['games']:,} games, about .+ with 1 process, and [\d.]+ MB \(from [\d,]+ games\)\n", text
    )
    assert list(tmp_path.iterdir()) == []


def test_the_time_is_that_of_all_games_shared_by_the_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tag.tuning.study.definition.measure", lambda *_arguments: Measured(0.5, 4))
    values = {"agents": ("mcts:budget=8",), "game": "nim", "games": 600, "validation": 0}
    definition = StudySettings.from_values(values, "here").definition()
    assert definition.estimate(1).seconds == 0.5 * definition.games_at_most
    assert definition.estimate(2).seconds == 0.25 * definition.games_at_most


def test_more_episodes_and_evaluations_take_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tag.tuning.training.definition.measure", lambda *_arguments: Measured(0.5, 4))
    values = {"learner": "td_ntuple:tuples=lines", "game": "tic_tac_toe", "episodes": 400, "evaluate": ("random",)}
    one = TrainingSettings.from_values({**values, "evaluations": 2, "evaluation_games": 10}, "here").definition()
    games = 2 * 2 * 10  # two evaluations in both seats
    assert one.estimate(1).seconds > games * 0.5
    assert replace(one, seeds=2).estimate(1).seconds > 2 * games * 0.5
    assert one.estimate(8).seconds < 2 * games * 0.5  # one learner has no use for more workers, and trains in far less


def test_samples_are_what_the_study_plays() -> None:
    values = {
        "agents": ("mcts:budget=8",),
        "game": ("nim", "love_letter:players=4"),
        "versus": ("osla",),
        "games": 2000,
    }
    samples = StudySettings.from_values(values, "here").definition().samples
    assert [(sample.game, sample.players, sample.agents[1:]) for sample in samples] == [
        ("nim", 2, ("osla",)),
        ("love_letter", 4, ("osla",)),
    ]


@pytest.mark.parametrize(
    "sample",
    [
        Sample("twenty_forty_eight", 1, ("random",)),
        Sample("pandemic", 2, ("random",)),
        Sample("nim", 2, ("random",)),
        Sample("love_letter", 4, ("random", "osla")),
        Sample("love_letter", 2, ("random", "osla", "random")),
    ],
)
def test_any_number_of_agents_is_measured(sample: Sample) -> None:
    found = measure([sample], seed=1)
    assert found.seconds > 0
    assert found.played >= 1


def test_a_mistake_is_refused_as_without_a_dry_run() -> None:
    result = run_tag("tune", "mcts", "--game", "nim", "--dry-run")
    assert (result.exit_code, result.stderr) == (2, "tag: a study needs a budget; say how many games with --games\n")
