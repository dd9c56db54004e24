"""Files of TAG's where specs are wanted: in Python, on the command line and in definitions."""

from __future__ import annotations

import json

import pytest
from commands import run_tag

from tag.adapters.java import TranslationWarning
from tag.catalogue.registry import make_agent, make_game
from tag.engine.parameters import parse_spec
from tag.errors import DataError
from tag.tournaments.definition import define

EXACT = {"class": "players.mcts.MCTSParams", "K": 0.5, "treePolicy": "UCB_Tuned", "rolloutLength": 5, "budget": 30}
LOSSY = {**EXACT, "opponentTreePolicy": "MCGS"}
LATER = {**EXACT, "budget": -999}


@pytest.fixture
def file(tmp_path):
    """Return a function that writes an object of TAG's to a file and returns its path."""

    def write(content, name="mine.json"):
        path = tmp_path / name
        path.write_text(json.dumps(content), encoding="utf-8")
        return str(path)

    return write


def test_a_player_is_an_agent(file):
    parameters = make_agent(file(EXACT)).parameters
    assert (parameters.k, parameters.rollout_length, parameters.budget) == (0.5, 5, 30)


def test_parameters_after_the_name_come_before_the_files(file):
    path = file(EXACT)
    assert make_agent(f"{path}:budget=7,k=2").parameters.k == 2.0
    assert make_agent(f"{path}:budget=7").parameters.budget == 7
    own = file({"name": "rhea", "parameters": {"horizon": 3}}, "own.json")
    assert parse_spec(f"{own}:horizon=4,budget=9").values == {"horizon": "4", "budget": "9"}


def test_a_budget_from_outside(file):
    path = file(LATER)
    with pytest.raises(DataError, match="FILE.json:budget=40"):
        make_agent(path)
    assert make_agent(f"{path}:budget=9").parameters.budget == 9


def test_a_game_of_tags_is_a_game(file):
    path = file({"class": "games.connect4.Connect4GameParameters", "winCount": 3})
    assert make_game(path).parameters.values() == {"width": 8, "height": 8, "length": 3}


def test_what_differs_is_a_warning_in_python(file):
    with pytest.warns(TranslationWarning, match="an entry that means something else here"):
        make_agent(file(LOSSY))


def test_a_definition_has_the_agent_written_out(file):
    found = define("connect_four", [file(EXACT), "random"], 1)
    assert found.agents[0] == (
        "mcts:budget=30,tree_policy=ucb_tuned,k=0.5,information=information_set,rollout_length=5,selection=value"
    )


@pytest.mark.flow
def test_the_command_line_tells_once(file):
    path = file(LOSSY)
    result = run_tag("play", "tic_tac_toe", "--agent", path, "--agent", path, "--quiet")
    assert result.exit_code == 0
    assert result.stderr.count("something else here") == 1
    assert f"tag agents {path} tells" in result.stderr


@pytest.mark.flow
def test_the_table_of_a_file(file):
    shown = run_tag("agents", file({**LOSSY, "budget": -999}), "--json")
    assert shown.exit_code == 0
    content = json.loads(shown.output)
    assert content["spec"].startswith("mcts:")
    kinds = {row["entry in TAG"]: row["kind"] for row in content["entries"]}
    assert kinds["K"] == "exact"
    assert kinds["opponentTreePolicy"] == kinds["budget"] == "lost"
    games = run_tag("games", file({"class": "games.uno.UnoGameParameters", "nWinPoints": 200}, "uno.json"))
    assert "goal=200" in games.output
