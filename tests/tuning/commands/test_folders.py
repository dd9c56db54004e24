"""``tag status`` and ``tag report``: whatever plays games into a folder has both."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from commands import run_tag

from tag.tournaments.ledger.experiment import EXPERIMENT
from tag.tournaments.ledger.folder import MANIFEST
from tag.tournaments.ledger.games import read_ledger
from tag.tournaments.results.analysis.definition import MANIFEST as ANALYSIS
from tag.tournaments.results.copies.noise import NOISE_MANIFEST
from tag.tuning.commands.folders import KINDS
from tag.tuning.study.folder import STUDY
from tag.tuning.training.definition import TRAINING

pytestmark = pytest.mark.flow

QUIET = ["--no-ray", "--quiet", "--seed", "1"]
ALONE = ["--no-tracking", *QUIET]
#: What plays into a folder, as a user types it, with words that its state has.
PLAYED = {
    "tournament": ("tournament tic_tac_toe --agent random --agent osla --blocks 2", ALONE, "4 of 4 games"),
    "experiment": ("tournament nim tic_tac_toe --agent random --agent osla --blocks 2", ALONE, "nim-2p: 4 of 4 games"),
    "A/A test": ("noise tic_tac_toe --agent random --blocks 3", QUIET, "random#2"),
    "analysis": ("analyse tic_tac_toe --games 20", ALONE[:3], "20 of 20 games have been played.\n\n"),
    "study": (
        "tune mcts:budget=10 --game tic_tac_toe --search k --games 20 --validation 0",
        ALONE,
        "complete\n\nmcts:budget=10 in tic_tac_toe",
    ),
    "balancing study": (
        "balance nim --search misere --target first_seat=0±0.5 --agent random --games 100 --validation 100",
        ALONE,
        "complete\n\nnim",
    ),
    "training": ("train td_ntuple --game tic_tac_toe --episodes 50", ALONE, "complete\n\n"),
}


@pytest.mark.parametrize("kind", PLAYED)
def test_whatever_has_a_folder_has_a_state_and_a_report(kind: str, tmp_path: Path) -> None:
    command, alone, words = PLAYED[kind]
    folder = tmp_path / "played"
    assert run_tag(*command.split(), *alone, "--out", folder).exit_code == 0
    state = run_tag("status", folder)
    assert state.exit_code == 0, state.output
    assert words in state.stdout
    assert isinstance(json.loads(run_tag("status", folder, "--json").stdout), dict)
    page = tmp_path / "page.html"
    assert run_tag("report", folder, "--out", page).exit_code == 0
    assert "<html" in page.read_text(encoding="utf-8")


def test_the_kinds_are_those_that_are_played() -> None:
    assert {kind.name for kind in KINDS.values()} == PLAYED.keys() - {"balancing study"}
    assert KINDS.keys() == {MANIFEST, EXPERIMENT, NOISE_MANIFEST, ANALYSIS, STUDY, TRAINING}


@pytest.mark.system
def test_the_report_of_an_analysis_is_the_one_that_it_wrote(tmp_path: Path) -> None:
    assert run_tag("analyse", "nim", "sim", "--games", 10, *ALONE[:3], "--out", tmp_path).exit_code == 0
    written = (tmp_path / "report.html").read_bytes()
    assert run_tag("report", tmp_path).exit_code == 0
    assert (tmp_path / "report.html").read_bytes() == written


def test_an_analysis_that_was_interrupted_says_how_far_it_is(tmp_path: Path) -> None:
    assert run_tag("analyse", "nim", "sim", "--games", 10, *ALONE[:3], "--out", tmp_path).exit_code == 0
    for file in tmp_path.glob("*.parquet"):
        file.unlink()
    all_games = sum(len(read_ledger(part)[0]) for part in (tmp_path / "games").iterdir())
    shutil.rmtree(tmp_path / "games" / "sim-2p")
    rest = sum(len(read_ledger(part)[0]) for part in (tmp_path / "games").iterdir())
    said = f"{rest} of {all_games} games have been played; the figures follow when all have been."
    assert run_tag("status", tmp_path).stdout == f"{said}\n"
    state = json.loads(run_tag("status", tmp_path, "--json").stdout)
    assert (state["games"], state["total"], state["complete"]) == (rest, all_games, False)
    assert run_tag("report", tmp_path).exit_code == 0
    assert said in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_an_interrupted_study_says_that_nobody_is_at_work(tmp_path: Path) -> None:
    command, alone, _words = PLAYED["study"]
    assert run_tag(*command.split(), *alone, "--out", tmp_path).exit_code == 0
    (tmp_path / "recommendation.json").unlink()
    state = run_tag("status", tmp_path)
    assert state.stdout.startswith("not complete, nobody at work\n")
    assert json.loads(run_tag("status", tmp_path, "--json").stdout)["at_work"] is False


def test_an_empty_folder_has_neither(tmp_path: Path) -> None:
    for command in ("status", "report"):
        refused = run_tag(command, tmp_path)
        assert refused.exit_code == 2
        assert "holds no tournament" in refused.stderr
