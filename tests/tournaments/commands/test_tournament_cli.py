"""``tag tournament`` and ``tag results``: what scripts rely on."""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from commands import run_tag
from copied import TIC_TAC_TOE

from tag.tournaments.commands.settings import Settings, stopped
from tag.tournaments.commands.tournament import look_at, look_at_run
from tag.tournaments.ledger.folder import read_seed
from tag.tournaments.ledger.games import read_ledger
from tag.tournaments.tracking.marks import mark
from tag.tournaments.tracking.tracker import TOURNAMENTS

pytestmark = pytest.mark.flow

RANDOM = ("--agent", "random", "--agent", "random")
LOCAL = ("--workers", "1", "--no-tracking")
SLOW_GAME = (
    TIC_TAC_TOE
    + """
import time


class Slow(TicTacToe):
    def _available_actions(self, state):
        time.sleep(0.03)
        return super()._available_actions(state)
"""
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "first"
    result = run_tag("tournament", "tic_tac_toe", *RANDOM, "--blocks", 5, "--seed", 1, "--out", folder, *LOCAL)
    assert result.exit_code == 0, result.output
    return folder


class TestTournament:
    def test_it_ends_with_the_table_and_what_to_type_next(self, folder: Path) -> None:
        result = run_tag("tournament", "tic_tac_toe", *RANDOM, "--blocks", 5, "--out", folder, *LOCAL)
        assert result.exit_code == 0
        assert "win rate" in result.stdout
        assert "random#2" in result.stdout
        assert f"tag results {folder}" in result.stdout
        first = read_ledger(folder)[0]["game_id"].iloc[0]
        assert f"tag replay {folder} {first}" in result.stdout
        assert "mlflow" not in result.stdout

    def test_json_is_all_there_is_on_standard_output(self, tmp_path: Path) -> None:
        result = run_tag("tournament", "tic_tac_toe", *RANDOM, "--blocks", 1, "--out", tmp_path / "t", *LOCAL, "--json")
        assert json.loads(result.stdout)["complete"] is True

    def test_toml_and_options_are_the_same_thing(self, folder: Path, tmp_path: Path) -> None:
        file = tmp_path / "my.toml"
        file.write_text(
            'game = "tic_tac_toe"\nagents = ["random", "random"]\nblocks = 9\nworkers = 1\ntracking = false\n'
            f"out = {json.dumps(str(tmp_path / 't'))}\n"
        )
        result = run_tag("tournament", file, "--blocks", 5, "--seed", read_seed(folder), "--json")
        assert result.exit_code == 0, result.output
        assert json.loads(result.stdout)["content_hash"] == results_of(folder)["content_hash"]

    def test_without_a_seed_it_draws_one_and_goes_on_with_it(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        for blocks in (1, 1, 2):
            result = run_tag("tournament", "tic_tac_toe", *RANDOM, "--blocks", blocks, *LOCAL)
            assert result.exit_code == 0, result.output
        (own,) = Path("runs").iterdir()
        run_tag("tournament", "tic_tac_toe", *RANDOM, "--blocks", 1, *LOCAL, "--out", "other")
        seeds = {read_seed(own), read_seed(Path("other"))}
        assert len(seeds) == 2
        assert min(seeds) > 1 << 40

    def test_a_dry_run_says_what_would_be_played_and_writes_nothing(self, tmp_path: Path) -> None:
        many = [option for k in range(5) for option in ("--agent", "random")]
        result = run_tag(
            "tournament", "tic_tac_toe", *many, "--blocks", 7, "--out", tmp_path / "t", *LOCAL, "--dry-run"
        )
        assert result.exit_code == 0, result.output
        assert "7 blocks of 10 match-ups in 2 seatings: 140 games" in result.stdout
        assert "b0-m1-s0  random, random#3" in result.stdout
        plain = json.loads(run_tag("tournament", "tic_tac_toe", *many, *LOCAL, "--dry-run", "--json").stdout)
        assert plain["games"] == 200
        assert plain["seconds"] == pytest.approx(200 * plain["seconds_per_game"])
        assert not (tmp_path / "t").exists()

    @pytest.mark.parametrize("option", ["--dry-run", "--no-tracking"])
    def test_a_slow_interpreted_game_gets_a_hint(self, tmp_path: Path, option: str) -> None:
        game = tmp_path / "slow.py"
        game.write_text(SLOW_GAME)
        agents = ("--agent", "slow one=mcts:budget=3", "--agent", "random")
        result = run_tag("tournament", f"{game}:Slow", *agents, "--blocks", 1, "--out", tmp_path / "t", *LOCAL, option)
        assert result.exit_code == 0, result.output
        (hint,) = [line for line in result.output.splitlines() if "runs interpreted" in line]
        assert "s per decision of slow one; a smaller budget=… takes less" in hint

    @pytest.mark.parametrize("agent", ["random", "mcts:budget=3"])
    def test_a_fast_game_gets_none(self, agent: str) -> None:
        result = run_tag("tournament", "tic_tac_toe", "--agent", agent, "--agent", "random", *LOCAL, "--dry-run")
        assert "runs interpreted" not in result.output

    def test_progress_as_json_lines(self, tmp_path: Path) -> None:
        arguments = ("tournament", "tic_tac_toe", *RANDOM, "--blocks", 9, "--out", tmp_path / "t", *LOCAL)
        result = run_tag(*arguments, "--progress", "json", "--json")
        lines = [json.loads(line) for line in result.stderr.splitlines()]
        assert [lines[0]["games"], lines[-1]["games"], lines[-1]["total"]] == [0, 18, 18]
        assert json.loads(result.stdout)["complete"] is True

    def test_a_gauntlet_from_the_command_line(self, tmp_path: Path) -> None:
        agents = ("--agent", "osla", "--agent", "random", "--agent", "random")
        arguments = ("tournament", "tic_tac_toe", *agents, "--design", "gauntlet", "--blocks", 2, *LOCAL)
        result = run_tag(*arguments, "--out", tmp_path / "t", "--json")
        games = {agent["agent"]: agent["games"] for agent in json.loads(result.stdout)["agents"]}
        assert games == {"osla": 8, "random": 4, "random#2": 4}
        refused = run_tag("tournament", "tic_tac_toe", *agents, "--design", "ladder", "--out", tmp_path / "t", *LOCAL)
        assert "design is gauntlet there, not ladder" in refused.stderr

    @pytest.mark.parametrize(
        ("arguments", "sentence"),
        [
            (("tic_tac_too", *RANDOM), "no game named 'tic_tac_too'; did you mean 'tic_tac_toe'?"),
            (
                ("tic_tac_toe", "--agent", "random", "--agent", "rndom"),
                "no agent named 'rndom'; did you mean 'random'?",
            ),
            (
                ("tic_tac_toe", "--agent", "random"),
                "a tournament needs at least 2 agents, not 1; name each with --agent",
            ),
            (("tic_tac_toe", *RANDOM, "--players", 3), "Tic-tac-toe is for 2 players, not 3; the nearest number is 2"),
            (("tic_tac_toe", *RANDOM, "--blocks", 0), "blocks cannot be 0; the least is 1"),
            (("tic_tac_toe", *RANDOM, "--workers", 0), "workers cannot be 0; the least is 1"),
            (
                ("tic_tac_toe", *RANDOM, "--blocks", "many"),
                "Invalid value for '--blocks': 'many' is not a valid integer.",
            ),
        ],
    )
    def test_a_mistake_is_one_sentence_and_writes_nothing(
        self, arguments: tuple[object, ...], sentence: str, tmp_path: Path
    ) -> None:
        result = run_tag("tournament", *arguments, "--out", tmp_path / "t", "--no-tracking")
        assert result.exit_code == 2
        assert result.stderr == f"tag: {sentence}\n"
        assert result.stdout == ""
        assert list(tmp_path.iterdir()) == []

    def test_an_unknown_key_of_a_toml_file(self, tmp_path: Path) -> None:
        file = tmp_path / "my.toml"
        file.write_text('gaem = "tic_tac_toe"\n')
        result = run_tag("tournament", file)
        assert result.exit_code == 2
        assert result.stderr == f"tag: no key in {str(file)!r} named 'gaem'; did you mean 'game'?\n"

    def test_the_folder_of_another_tournament(self, folder: Path) -> None:
        result = run_tag("tournament", "tic_tac_toe", *RANDOM, "--blocks", 5, "--seed", 2, "--out", folder, *LOCAL)
        assert result.exit_code == 2
        assert "holds another tournament: seed is 1 there, not 2" in result.stderr


@pytest.mark.parametrize("uri", ["postgresql://me:secret@host/runs", "https://me:secret@host"])
def test_no_password_is_printed(uri: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert uri.replace("secret", "***") in look_at(uri)[0]
    assert "secret" not in "".join(look_at(uri))
    monkeypatch.setattr(sys, "argv", ["tag", "tournament", "my.toml", f"--tracking-uri={uri}"])
    assert stopped(3, "10") == 130
    said = capsys.readouterr().err
    assert uri.replace("secret", "***") in said
    assert "secret" not in said


def test_nobody_is_sent_to_a_store_that_was_never_reached(folder: Path, tmp_path: Path) -> None:
    played, uri = shutil.copytree(folder, tmp_path / "t"), "http://127.0.0.1:9"
    settings = Settings(tracking_uri=uri)
    assert look_at_run(settings, played, TOURNAMENTS) == []
    mark(played, uri, TOURNAMENTS.contents, "7")
    assert look_at_run(settings, played, TOURNAMENTS) == [f"{uri}/#/experiments/7?workflowType=machine_learning"]
    assert look_at_run(replace(settings, tracking=False), played, TOURNAMENTS) == []


def results_of(folder: Path) -> dict[str, object]:
    result = run_tag("results", folder, "--json")
    assert result.exit_code == 0, result.output
    read: dict[str, object] = json.loads(result.stdout)
    return read


class TestResults:
    def test_json_has_the_names_of_the_contract(self, folder: Path) -> None:
        read = results_of(folder)
        assert read["complete"] is True
        assert read["games"] == 10
        assert isinstance(read["agents"], list)
        assert {
            *("agent", "games", "wins", "win_rate", "win_rate_low", "win_rate_high", "mean_ordinal", "points"),
            "decision_ms",
        } <= set(read["agents"][0])

    def test_the_table(self, folder: Path) -> None:
        result = run_tag("results", folder)
        assert result.exit_code == 0
        assert result.stdout.count("\n") == 3
        assert "not complete" not in result.stdout

    def test_no_tournament(self, tmp_path: Path) -> None:
        result = run_tag("results", tmp_path)
        assert result.exit_code == 2
        assert result.stderr == f"tag: {str(tmp_path)!r} holds no tournament: it has no tournament.json\n"
