"""Files of text and JSON as editors write them: encodings, marks and line ends."""

import codecs
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tag.catalogue.registry import make_agent, make_game
from tag.catalogue.user_code import source_of
from tag.components.data import load_fields
from tag.engine.parameters import Spec, parse_spec
from tag.engine.text_files import read_json, read_text
from tag.errors import DataError, TagError, UnknownNameError
from tag.table.tree import SavedGame
from tag.tournaments.commands.settings import read_toml
from tag.tuning.balancing.measures import read_wanted
from tag.tuning.space.tag_json import read_tag_json

#: How editors store a text: name, bytes before it, encoding.
ENCODINGS = {
    "plain": (b"", "utf-8"),
    "marked": (codecs.BOM_UTF8, "utf-8"),
    "utf-16-le": (codecs.BOM_UTF16_LE, "utf-16-le"),
    "utf-16-be": (codecs.BOM_UTF16_BE, "utf-16-be"),
    "utf-32": (codecs.BOM_UTF32_LE, "utf-32-le"),
}
LINE_ENDS = ("\n", "\r\n", "\r")

AGENT = json.dumps({"name": "mcts", "parameters": {"budget": 7}}, indent=1)
SPACE = json.dumps({"class": "players.rhea.RHEAParams", "horizon": [3, 5], "budget": 40}, indent=1)
SAVED = json.dumps({"no": "game"})
TOML = 'game = "tic_tac_toe" # é\nblocks = 3\n'
WANTED = ",osla,random\nosla,,0.7\n"


def stored(file: Path, text: str, encoding: str, line_end: str) -> Path:
    mark, codec = ENCODINGS[encoding]
    file.write_bytes(mark + text.replace("\n", line_end).encode(codec))
    return file


@pytest.mark.parametrize("line_end", LINE_ENDS, ids=repr)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_all_files_of_people_are_read_in_all_forms(tmp_path, encoding, line_end):
    def file(name: str, text: str) -> Path:
        return stored(tmp_path / name, text, encoding, line_end)

    assert parse_spec(str(file("agent.json", AGENT))) == Spec("mcts", {"budget": 7})
    assert make_agent(str(tmp_path / "agent.json")).new_budget().limit == 7
    assert read_toml(file("run.toml", TOML)) == {"game": "tic_tac_toe", "blocks": 3}
    assert read_wanted(file("wanted.csv", WANTED)) == {("osla", "random"): 0.7}
    assert read_tag_json(file("space.json", SPACE)).search == read_tag_json(file("again.json", SPACE)).search
    assert load_fields(file("data.json", AGENT)).content["name"] == "mcts"
    with pytest.raises(DataError, match="saved game"):  # it is read, and is none
        SavedGame.load(file("saved.json", SAVED))


@given(st.text(st.characters(exclude_characters="\r\0\ufeff", exclude_categories=["Cs"])))
def test_text_is_the_same_in_every_form(tmp_path_factory, text):
    folder = tmp_path_factory.mktemp("texts")
    for encoding in ENCODINGS:
        if encoding == "plain" or not text.startswith("\ufeff"):
            assert read_text(stored(folder / "one.txt", text, encoding, "\r\n")) == text


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b'{"name": "mcts",\n "x": "\xe9"}', "is not UTF-8: byte 0xe9 in line 2; save it as UTF-8"),
        (codecs.BOM_UTF16_LE + b"a", "is not UTF-16: byte 0x61 in line 1; save it as UTF-8"),
        ('{"name": "mcts"}'.encode("utf-16-le"), "has a NUL in line 1; save it as UTF-8"),
        (b'{"name": "mcts", "name": "osla"}', "is not JSON: an object has the key 'name' twice"),
        (b'{"name": "mcts", "parameters": {"k": NaN}}', "is not JSON: NaN is no number of JSON"),
        (b'{"a":' * 100_000, "is nested too deeply; no file needs more than a few levels"),
    ],
)
def test_other_files_are_refused_with_the_cause(tmp_path, content, sentence):
    file = tmp_path / "agent.json"
    file.write_bytes(content)
    with pytest.raises(DataError) as caught:
        parse_spec(str(file))
    assert str(caught.value) == f"the agent file {str(file)!r} {sentence}"
    with pytest.raises(DataError):
        read_json(file)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(DataError, match=r"^cannot read '.*none': No such file or directory$"):
        read_text(tmp_path / "none")
    with pytest.raises(DataError, match=r"^cannot read 'a\\x00b': embedded null byte$"):
        read_text("a\0b")


# --- keys that no file has ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("made", [make_agent, make_game, parse_spec])
@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ({"name": "mcts", "budget": 20}, "named 'budget'; there are: name, parameters"),
        ({"name": "mcts", "paramters": {"budget": 20}}, "named 'paramters'; did you mean 'parameters'?"),
        ({"name": "tic_tac_toe", "size": 4, "parameters": {}}, "named 'size'; there are: name, parameters"),
    ],
)
def test_unknown_keys_in_json_are_refused_with_the_nearest(tmp_path, made, content, sentence):
    file = tmp_path / "one.json"
    file.write_text(json.dumps(content))
    with pytest.raises(UnknownNameError) as caught:
        made(str(file))
    assert str(caught.value) == f"no key in the agent file {str(file)!r} {sentence}"


def test_unknown_parameters_in_json_are_refused(tmp_path):
    file = tmp_path / "one.json"
    file.write_text(json.dumps({"name": "mcts", "parameters": {"bugdet": 20}}))
    with pytest.raises(TagError, match="did you mean 'budget'"):
        make_agent(str(file))


def test_files_of_studies_hold_more(tmp_path):
    file = tmp_path / "recommendation.json"
    file.write_text(
        json.dumps({"name": "mcts", "parameters": {"budget": 20}, "spec": "mcts:budget=20", "verdict": "x"})
    )
    assert str(parse_spec(str(file))) == "mcts:budget=20"


# --- files of Python ----------------------------------------------------------------------------------------------------

CODE = """from tag import Agent


class Mine(Agent):
    name = 'é'

    def act(self, observation, actions):
        return actions[0]
"""


@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=repr)
@pytest.mark.parametrize(
    ("head", "codec", "mark"),
    [("", "utf-8", b""), ("", "utf-8", codecs.BOM_UTF8), ("# coding: latin-1\n", "latin-1", b"")],
)
def test_files_of_python_are_read_as_python_reads_them(tmp_path, head, codec, mark, line_end):
    file = tmp_path / "mine.py"
    file.write_bytes(mark + (head + CODE).replace("\n", line_end).encode(codec))
    assert source_of(str(file))[1] == head + CODE
    assert type(make_agent(f"{file}:Mine")).name == "é"


def test_a_file_of_python_in_another_encoding_is_refused_with_the_cause(tmp_path):
    file = tmp_path / "mine.py"
    file.write_bytes(CODE.encode("latin-1"))
    with pytest.raises(TagError, match="'utf-8' codec can't decode byte 0xe9"):
        make_agent(str(file))
