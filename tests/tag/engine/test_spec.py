"""Specs: reading, writing, files, mistakes."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tag.engine.parameters import Spec, parse_spec
from tag.errors import DataError, SpecError

pytestmark = pytest.mark.flow


@pytest.mark.parametrize(
    ("text", "name", "values"),
    [
        ("mcts", "mcts", {}),
        ("mcts:budget=500,k=1.4", "mcts", {"budget": "500", "k": "1.4"}),
        ("rhea:opponent=(mcts:budget=5,k=1),horizon=3", "rhea", {"opponent": "mcts:budget=5,k=1", "horizon": "3"}),
        ("a:b=(c:d=(e:f=1,g=2))", "a", {"b": "c:d=(e:f=1,g=2)"}),
        ("./my.py:Mine:depth=3", "./my.py:Mine", {"depth": "3"}),
        ("dir/my_game.py:Mine", "dir/my_game.py:Mine", {}),
        ("my.py", "my.py", {}),
        ("dominion:big_money", "dominion:big_money", {}),
        ("diamant:threshold:carried=5", "diamant:threshold", {"carried": "5"}),
        ("a:agent=(dominion:big_money),b=1", "a", {"agent": "dominion:big_money", "b": "1"}),
        ("a:agent=diamant:threshold:carried=5", "a", {"agent": "diamant:threshold:carried=5"}),
        ("a:heuristic=./h.py:H", "a", {"heuristic": "./h.py:H"}),
    ],
)
def test_reads(text, name, values):
    assert parse_spec(text) == Spec(name, values)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "the spec '' has no name; write name:key=value,key=value"),
        ("mcts:k=1,budget", "'budget' in the spec 'mcts:k=1,budget' is not key=value"),
        ("mcts:budget=", "'budget=' in the spec 'mcts:budget=' is not key=value"),
        ("mcts:a=(b", "the parentheses in the spec 'mcts:a=(b' do not match"),
        ("mcts:a=b)", "the parentheses in the spec 'mcts:a=b)' do not match"),
        ("nowhere/x.json", "cannot read the agent file 'nowhere/x.json': No such file or directory"),
    ],
)
def test_mistakes_are_one_sentence(text, sentence):
    with pytest.raises((SpecError, DataError)) as caught:
        parse_spec(text)
    assert str(caught.value) == sentence


names = st.from_regex(r"[a-z][a-z_]{0,8}", fullmatch=True)
plain = st.one_of(st.integers(0, 999).map(str), names)
values = st.recursive(
    plain,
    lambda inner: st.builds(lambda n, v: str(Spec(n, v)), names, st.dictionaries(names, inner, min_size=1, max_size=3)),
    max_leaves=5,
)


@given(names, st.dictionaries(names, values, max_size=4))
@settings(derandomize=True, deadline=None)
def test_text_round_trip(name, given_values):
    spec = Spec(name, given_values)
    assert parse_spec(str(spec)) == spec


def test_json_file(tmp_path):
    file = tmp_path / "agent.json"
    file.write_text(json.dumps({"name": "mcts", "parameters": {"budget": 7, "reuse": True}}))
    spec = parse_spec(str(file))
    assert spec == Spec("mcts", {"budget": 7, "reuse": True})
    assert str(spec) == "mcts:budget=7,reuse=true"


@pytest.mark.parametrize("content", ["[]", "{}", '{"name": 3}', '{"name": "x", "parameters": []}', "{"])
def test_wrong_json_files(tmp_path, content):
    file = tmp_path / "agent.json"
    file.write_text(content)
    with pytest.raises((SpecError, DataError), match=r"the agent file|'parameters' in the agent file"):
        parse_spec(str(file))
