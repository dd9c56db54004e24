"""What is said about a study: in TOML, by options, or in a file of TAG's."""

from __future__ import annotations

import json

import pytest

from tag.errors import DataError, ParameterError, UnknownNameError
from tag.tuning.commands.settings import StudySettings

BASE = {"agents": ["rhea:budget=20"], "game": "tic_tac_toe", "games": 400, "versus": ["random"]}


def test_a_file_of_tags_is_agent_and_search(tmp_path):
    path = tmp_path / "space.json"
    path.write_text(json.dumps({"class": "players.rhea.RHEAParams", "horizon": [1, 3, 5], "treePolicy": ["UCB", "X"]}))
    said = {name: value for name, value in BASE.items() if name != "agents"}
    settings = StudySettings.from_values({**said, "tag_space": str(path)}, "a test")
    definition = settings.definition()
    assert list(definition.space.configurations.distributions) == ["horizon"]
    path.unlink()  # it has been read once and for all
    assert "treePolicy" in settings.remarks()[0]
    with pytest.raises(ParameterError, match="leave agents and search out"):
        StudySettings.from_values({**BASE, "tag_space": str(path)}, "a test").definition()


def test_unknown_words_and_wrong_types_are_named():
    with pytest.raises(UnknownNameError, match="no key in a test named 'sarch'; did you mean 'search'"):
        StudySettings.from_values({"sarch": ["horizon"]}, "a test")
    with pytest.raises(DataError, match="games in a test cannot be 'many'; it is a whole number"):
        StudySettings.from_values({"games": "many"}, "a test")


def test_folders_are_named_after_the_study_but_its_budget():
    def folder(**changes):
        settings = StudySettings.from_values({**BASE, **changes}, "a test")
        return settings.folder(settings.definition())

    assert folder() == folder(validation=100)
    assert folder() != folder(seed=2)
    assert str(folder(out="here")) == "here"
