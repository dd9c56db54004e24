"""The worked study of balancing runs: a small one as it stands, and all of it where there is time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import run_tag

pytestmark = pytest.mark.flow

STUDY = Path(__file__).parents[2] / "examples" / "balancing" / "pandemic.toml"


def verdict(folder: Path, *options: str) -> dict:
    quiet = ["--no-ray", "--no-tracking", "--quiet", "--json"]
    done = run_tag("balance", STUDY, "--out", folder, *quiet, *options)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)["verdict"]


def test_a_small_version_runs(tmp_path):
    options = ["--games", "40", "--games-per-trial", "10", "--validation", "10", "--finalists", "1"]
    found = verdict(tmp_path / "study", *options)
    assert set(found["choice"]["targets"]) == {"success", "length"}
    assert found["held_out"]["agents"] == ["random"]


@pytest.mark.slow
def test_about_every_second_game_is_shown_to_be_won_with_the_choice_and_evenings_to_be_long(tmp_path):
    found = verdict(tmp_path / "study")
    assert found["feasible"], found["sentence"]
    assert {one["state"] for one in found["choice"]["targets"].values()} == {"met"}
    assert found["printed"]["targets"]["success"]["high"] < 0.1
    assert found["held_out"]["choice"]["targets"]["success"]["high"] < 0.1
