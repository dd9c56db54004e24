"""Descriptions: docstrings taken apart into sections, and declarations as rows."""

from pathlib import Path

import pytest

from tag.catalogue.describe import Description, describe_agent, describe_game, describe_heuristic, text_table
from tag.catalogue.registry import agent_names, game_names, heuristic_names
from tag.errors import UnknownNameError

pytestmark = pytest.mark.flow

ROOT = Path(__file__).parents[3]

TEXT = """A game of
one card.

It is short.

Rules. Draw it.

* Or not.

Where the rules are silent: it is the ace.

Variants (`OneCardParameters`): ``jokers``.

What a player knows, for observations: the card.

Unlike TAG's Java version, there is one.

Source: Rules of thumb."""


def test_paragraphs_that_begin_with_the_words_open_sections():
    description = Description("one_card", TEXT, "", [])
    assert description.summary == "A game of one card."
    assert list(description.sections().items()) == [
        ("", "It is short."),
        ("Rules", "Draw it.\n\n* Or not."),
        ("Rulings", "Where the rules are silent: it is the ace."),
        ("Variants", "``jokers``."),
        ("What a player knows", "The card."),
        ("Unlike TAG", "Unlike TAG's Java version, there is one."),
        ("Source", "Rules of thumb."),
    ]


def test_a_paragraph_alone_has_no_sections():
    assert Description("one_card", "Rules. Draw it.", "", []).sections() == {}


def test_everything_that_the_package_has_is_described():
    everything = [
        *(describe_game(name) for name in game_names()),
        *(describe_agent(name) for name in agent_names()),
        *(describe_heuristic(name) for name in heuristic_names()),
    ]
    for description in everything:
        assert description.summary.endswith((".", ".)"))
        assert bool(description.parameters_text) == bool(description.parameters)
        assert all(row["meaning"] for row in description.parameter_rows())


def test_an_agent_is_described_by_its_file_and_its_class():
    rhea = describe_agent("rhea")
    assert rhea.summary == "The rolling-horizon evolutionary algorithm."
    assert rhea.sections()[""].startswith("Evolves a population of plans")
    assert "thesis" in rhea.sections()["Source"]


def test_a_users_own_file_is_described_as_well():
    kuhn = describe_game(str(ROOT / "examples" / "kuhn_poker.py"))
    assert kuhn.summary.startswith("Kuhn poker")
    assert list(kuhn.sections()) == ["Rules"]
    assert kuhn.heuristic is None
    assert kuhn.example() == kuhn.name


def test_what_has_no_docstring_has_no_text(tmp_path):
    path = tmp_path / "silent.py"
    path.write_text("from tag import Agent\nclass Silent(Agent):\n    pass\n")
    silent = describe_agent(f"{path}:Silent")
    assert (silent.text, silent.summary, silent.sections(), silent.parameter_rows()) == ("", "", {}, [])


@pytest.mark.parametrize("describe", [describe_game, describe_agent, describe_heuristic])
def test_unknown_names_are_errors(describe):
    with pytest.raises(UnknownNameError, match="'nothing'"):
        describe("nothing")


def test_a_games_own_heuristic_is_found_by_its_name():
    assert describe_game("tic_tac_toe").heuristic is None
    own = describe_game("uno").heuristic
    assert own is not None
    assert own.parameter_rows() == describe_heuristic("uno").parameter_rows() != []
    assert "uno" in heuristic_names()
    assert "tic_tac_toe" not in heuristic_names()


def test_rows_tell_default_range_meaning_and_condition():
    rows = {row["parameter"]: row for row in describe_game("uno").parameter_rows()}
    assert rows["goal"] == {
        "parameter": "goal",
        "default": 500,
        "range": "50..500",
        "meaning": "points that win, end the game or put a player out",
        "only with": "scoring = winner | lowest | elimination",
    }
    assert rows["challenges"]["only with"] == "bluffing = true"


def test_a_table_leaves_out_columns_that_are_empty():
    rows = [{"name": "a", "on": True, "why": "", "tags": []}, {"name": "b", "on": False, "why": "", "tags": ["x", "y"]}]
    assert text_table(rows, ["name", "on", "why", "tags"]) == [
        ["name", "on", "tags"],
        ["a", "true", ""],
        ["b", "false", "x, y"],
    ]
    assert text_table([], ["name"]) == [[]]
