"""``tag tune``: what it prints, and its exit codes."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import Result
from commands import run_tag
from studies.invented import Invented

from tag.catalogue.registry import make_agent
from tag.tuning.commands.cli import run_balancing, run_tune
from tag.tuning.study.definition import SAMPLERS

pytestmark = pytest.mark.flow

STUDY = ("rmhc", "--game", "tic_tac_toe", "--versus", "osla", "--search", "horizon,discount", "--sampler", "ntbea")
BUDGET = ("--games", "400", "--games-per-trial", "20", "--validation", "200")


def tag(*words: object) -> Result:
    return run_tag(*words, "--workers", "1", "--quiet", "--no-tracking")


@pytest.mark.usefixtures("pool")
class TestRun:
    def test_it_says_what_to_play_with(self, tmp_path: Path) -> None:
        out = tmp_path / "a study"
        result = tag("tune", *STUDY, *BUDGET, "--out", out)
        assert result.exit_code == 0
        assert "better than the default by" in result.stdout
        assert f"play with it: --agent '{out}/recommendation.json'" in result.stdout
        agent = make_agent(str(out / "recommendation.json"))
        assert 16 <= agent.parameters.values()["horizon"] <= 24
        shown = run_tag("tune", "show", out)
        assert shown.stdout == result.stdout

    def test_a_default_that_is_kept_needs_no_file(self, tmp_path: Path) -> None:
        nothing = ("rmhc:horizon=20", *STUDY[1:5], "--search", "discount", "--sampler", "random")
        result = tag("tune", *nothing, *BUDGET, "--out", tmp_path)
        assert "keep the default, rmhc:horizon=20" in result.stdout
        assert "play with it" not in result.stdout

    def test_json(self, tmp_path: Path) -> None:
        result = tag("tune", *STUDY, *BUDGET, "--out", tmp_path, "--json")
        found: dict[str, Any] = json.loads(result.stdout)
        assert found["complete"]
        assert found["definition"]["games"] == 400
        assert sum(trial["games"] for trial in found["trials"]) <= 400
        assert found["recommendation"]["verdict"] == "better than the default"
        shown = run_tag("tune", "show", tmp_path, "--json")
        assert json.loads(shown.stdout) == found

    def test_toml_has_the_same_words_and_options_override_it(self, tmp_path: Path) -> None:
        file = tmp_path / "study.toml"
        file.write_text(
            'agents = ["rmhc"]\ngame = "tic_tac_toe"\nversus = ["osla"]\nsearch = ["horizon,discount"]\n'
            'sampler = "ntbea"\ngames = 100\ngames_per_trial = 20\nvalidation = 200\n'
        )
        one = tag("tune", file, "--games", 400, "--out", tmp_path / "toml")
        other = tag("tune", *STUDY, *BUDGET, "--out", tmp_path / "options")
        assert one.exit_code == other.exit_code == 0
        assert one.stdout == other.stdout.replace("/options/", "/toml/")

    def test_the_folder_of_a_study_is_gone_on_with(self, tmp_path: Path) -> None:
        tag("tune", *STUDY, *BUDGET, "--out", tmp_path)
        assert tag("tune", tmp_path).exit_code == 0
        result = tag("tune", tmp_path, "--games", 600, "--json")
        assert 400 < sum(trial["games"] for trial in json.loads(result.stdout)["trials"]) <= 600

    def test_the_folder_of_a_study_in_self_play_too(self, tmp_path: Path) -> None:
        words = ("rmhc", "--game", "tic_tac_toe", "--versus", "incumbent", "--search", "horizon", "--validation", "0")
        played = tag("tune", *words, "--games", "80", "--games-per-trial", "20", "--out", tmp_path)
        again = tag("tune", tmp_path)
        assert (again.exit_code, again.stdout) == (0, played.stdout)


def test_interrupted_it_says_how_far_it_came(pool: Invented, tmp_path: Path) -> None:
    pressed: list[int] = []

    def press(games: int) -> None:
        if games > 250 and not pressed:
            pressed.append(games)
            signal.raise_signal(signal.SIGINT)

    pool.before_each = press
    result = tag("tune", *STUDY, *BUDGET, "--out", tmp_path)
    assert result.exit_code == 130
    assert "not complete" in result.stdout
    assert "best by the model" in result.stdout
    assert "of 400 games" in result.stderr
    assert not (tmp_path / "recommendation.json").exists()
    assert tag("tune", *STUDY, *BUDGET, "--out", tmp_path).exit_code == 0
    assert max(pool.games.values()) <= 2  # stages have games of the same ids


def test_a_folder_of_its_own_for_each_study(pool: Invented, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for more in ((), ("--seed", "2"), ("--games", "440"), ()):
        assert tag("tune", *STUDY, *BUDGET, *more).exit_code in (0, 2)
    names = sorted(path.name for path in (tmp_path / "studies").iterdir())
    assert len(names) == 2  # whatever the budget
    assert all(name.startswith("rmhc_tic_tac_toe-2p-") for name in names)
    assert pool.is_closed


@pytest.mark.parametrize("command", ["tune", "balance"])
class TestMisspelt:
    @pytest.mark.parametrize(("word", "meant"), [("shw", "show"), ("reprot", "report"), ("shows", "show")])
    def test_a_command(self, command: str, word: str, meant: str, tmp_path: Path) -> None:
        result = run_tag(command, word, tmp_path)
        assert result.stderr == f"tag: no command named {word!r}; did you mean {meant!r}?\n"
        assert result.exit_code == 2

    def test_an_agent_or_a_game(self, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """That is what they are nearer to, and what folders are called is nobody's business."""
        monkeypatch.chdir(tmp_path)
        (tmp_path / "shw").mkdir()
        for word in ("rehea", "tictactoe", "shw", "./reports", "show_me.py:Agent", "unheard_of"):
            assert "command" not in run_tag(command, word).stderr


@pytest.mark.parametrize("words", [("tune",), ("tune", "run")])
def test_help_is_of_the_whole_command(words: tuple[str, ...]) -> None:
    text = run_tag(*words, "--help").stdout
    assert text.startswith("Usage: main tune [OPTIONS] AGENT...\n")
    others = text.rpartition("\nCommands:\n")[2]
    assert [line.split()[2] for line in others.splitlines() if line.startswith("  main")] == [
        "show",
        "export",
        "deviations",
        "report",
    ]


def test_help_says_what_is_needed_and_the_defaults() -> None:
    for option in run_tune.params:
        if option.name in ("game", "games"):
            assert option.help.endswith("needed.")
        elif option.name in (
            "players",
            "search",
            "versus",
            "objective",
            "panel",
            "sampler",
            "live",
            "validation",
            "seed",
        ):
            assert "by default" in option.help.lower() or "if omitted" in option.help.lower()


@pytest.mark.parametrize(("command", "names"), [(run_tune, SAMPLERS), (run_balancing, ("bands", *SAMPLERS))])
def test_help_names_all_samplers_of_the_command(command: click.Command, names: tuple[str, ...]) -> None:
    (text,) = (one.help for one in command.params if one.name == "sampler")
    assert set(names) <= set(re.findall(r"\w+", text))
