"""``tag analyse``: from the command to the figures, interrupted and resumed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest
from click.testing import Result
from commands import run_tag

from tag.errors import DataError
from tag.tournaments import read_ledger
from tag.tournaments.commands.analysis import run_analysis
from tag.tournaments.results.analysis.definition import analysis

pytestmark = [pytest.mark.usefixtures("undrawn"), pytest.mark.flow]

SMALL = ("--games", 20, "--no-ray", "--no-tracking", "--quiet")


def analyse(*arguments: object) -> Result:
    return run_tag("analyse", *(str(argument) for argument in arguments))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "analysis"
    result = analyse(
        "tic_tac_toe", "love_letter", "--players", "2,4", *SMALL, "--out", folder,
        "--skill", "mcts:budget=16", "--skill-games", 4,
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    return folder


def test_the_tables_have_a_row_per_game_and_number_of_players(folder: Path) -> None:
    result = analyse("tic_tac_toe", "love_letter", "--players", "2,4", *SMALL, "--out", folder)
    assert result.exit_code == 0
    rows = [line.split()[:2] for line in result.stdout.splitlines() if line.startswith(("tic", "love"))]
    assert rows == [["tic_tac_toe", "2"], ["love_letter", "2"], ["love_letter", "4"]] * 3
    assert result.stdout.splitlines()[-1].endswith(f"the report is {folder / 'report.html'}")


def test_the_frames_are_on_the_disk(folder: Path) -> None:
    summary = pd.read_parquet(folder / "summary.parquet")
    events = summary[["game", "players"]].drop_duplicates().to_numpy().tolist()
    assert events == [["tic_tac_toe", 2], ["love_letter", 2], ["love_letter", 4]]
    assert not summary.duplicated(["game", "players", "measure"]).any()
    assert set(pd.read_parquet(folder / "courses.parquet")["measure"]) == {"actions", "heuristic"}
    assert len(pd.read_parquet(folder / "speed.parquet")) == 3 * 5 * 15


def test_each_event_is_a_tournament_like_any_other(folder: Path) -> None:
    games, _seats = read_ledger(folder / "games" / "love_letter-4p")
    assert len(games) == 20
    replayed = run_tag("replay", folder / "games" / "love_letter-4p", "b3-m0-s0", "--quiet")
    assert replayed.exit_code == 0, replayed.output


def test_json_is_all_there_is_on_standard_output(tmp_path: Path) -> None:
    result = analyse("tic_tac_toe", *SMALL, "--out", tmp_path, "--json")
    plain = json.loads(result.stdout)
    assert {row["measure"] for row in plain["summary"]} >= {"actions", "ticks", "first_seat"}
    assert {row["function"] for row in plain["speed"]} == {"setup", "next", "actions", "copy", "observation"}


def test_a_larger_analysis_plays_only_what_is_missing(tmp_path: Path) -> None:
    small = analysis(("tic_tac_toe",), n_games=5)
    run_analysis(small, tmp_path)
    before = read_ledger(tmp_path / "games" / "tic_tac_toe-2p")[0]
    larger = run_analysis(analysis(("tic_tac_toe",), n_games=9), tmp_path)
    after = read_ledger(tmp_path / "games" / "tic_tac_toe-2p")[0]
    assert larger.games == len(after) == 9
    pd.testing.assert_frame_equal(after[:5], before)


def test_team_skill_of_a_cooperative_game(tmp_path: Path) -> None:
    definition = analysis(
        ("pandemic:cards_for_cure=2",), (2,), n_games=2, skill_agent="mcts:budget=8,rollout_length=0", skill_games=2
    )
    summary = run_analysis(definition, tmp_path).summary.set_index("measure")
    assert "team_skill" not in summary.index, "the game counts points"
    assert summary.loc["team_points", "low"] <= summary.loc["team_points", "mean"] <= summary.loc["team_points", "high"]
    assert "lead_changes" not in summary.index


def test_another_analysis_is_refused_and_leaves_the_first_one_as_it_is(tmp_path: Path) -> None:
    run_analysis(analysis(("tic_tac_toe",), n_games=5), tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    with pytest.raises(DataError, match="holds another tournament"):
        run_analysis(analysis(("tic_tac_toe",), n_games=5, agent="osla"), tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_it_was_begun_when_it_was_begun(tmp_path: Path) -> None:
    begun = run_analysis(analysis(("tic_tac_toe",), n_games=2), tmp_path).manifest
    file = tmp_path / "analysis.json"
    file.write_text(file.read_text().replace(begun.created, "2021-12-31T23:59:00+00:00"))
    run_analysis(analysis(("tic_tac_toe",), n_games=3), tmp_path)
    assert json.loads(file.read_text())["created"] == "2021-12-31T23:59:00+00:00"
    assert json.loads(file.read_text())["n_games"] == 3
    assert "31 December 2021" in (tmp_path / "report.html").read_text("utf-8")


@pytest.mark.system
@pytest.mark.usefixtures("local_ray")
def test_workers_find_the_same(folder: Path, tmp_path: Path) -> None:
    definition = analysis(("tic_tac_toe", "love_letter"), (2, 4), n_games=20)
    found = run_analysis(definition, tmp_path, workers=2).summary
    expected = pd.read_parquet(folder / "summary.parquet")
    expected = expected[expected["measure"] != "skill"].reset_index(drop=True)
    pd.testing.assert_frame_equal(found, expected[found.columns], check_dtype=False)


def test_an_interruption_loses_nothing_and_says_how_to_go_on(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "tag",
        "analyse",
        "uno",
        "--players",
        "2,3",
        "--games",
        "400",
        "--no-ray",
        "--no-tracking",
    ]
    process = subprocess.Popen([*command, "--out", str(tmp_path)], stderr=subprocess.PIPE, text=True)
    ledger = tmp_path / "games" / "uno-2p" / "ledger"
    deadline = time.monotonic() + 60
    while not list(ledger.glob("games-*.parquet")) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _out, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert "go on with: " in said
    assert f"--out {tmp_path}" in said
    assert 0 < len(read_ledger(tmp_path / "games" / "uno-2p")[0]) < 400
    assert not (tmp_path / "summary.parquet").exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["unno"], "no game named 'unno'; did you mean 'uno'?"),
        (["tic_tac_toe", "--players", "two"], "--players cannot be 'two'; it is a list of numbers such as 2,3,4"),
        (["tic_tac_toe", "--players", "5"], "none of these games is for 5 players"),
        (["tic_tac_toe", "--games", "0"], "games cannot be 0; the least is 1"),
        (["tic_tac_toe", "--workers", "0"], "workers cannot be 0; the least is 1"),
    ],
)
def test_a_mistake_is_one_sentence_and_leaves_nothing(arguments: list[str], sentence: str, tmp_path: Path) -> None:
    result = analyse(*arguments, "--out", tmp_path / "a", "--quiet")
    assert result.exit_code == 2
    assert result.stderr.strip() == f"tag: {sentence}"
    assert not (tmp_path / "a").exists()


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    result = analyse("tic_tac_toe", *SMALL, "--out", tmp_path)
    assert result.exit_code == 2
    assert "is not empty and holds no analysis" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
