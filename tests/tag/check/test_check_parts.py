"""The parts of the checks: shared containers, values by path, traces."""

from collections import deque

import pytest

from tag import GameState
from tag.check.leaves import difference, leaves
from tag.check.object_graph import shared_mutable
from tag.check.report import Finding, Where, describe, shorten
from tag.check.traces import check_same
from tag.components import Card, Deck, shared
from tag.errors import ContractError


class Box:
    def __init__(self, content):
        self.content = content


class State(GameState):
    """One with any fields."""


def state(**fields):
    made = State(2)
    for name, value in fields.items():
        setattr(made, name, value)
    return made


@pytest.mark.parametrize(
    ("thing", "path"),
    [
        ([1], "thing"),
        ({"a": 1}, "thing"),
        ({1}, "thing"),
        (bytearray(b"x"), "thing"),
        (deque([1]), "thing"),
        (((), ([],)), "thing[1][0]"),
        (Box([1]), "thing.content"),
        (Deck("deck", []), "thing"),
    ],
)
def test_what_must_not_be_shared(thing, path):
    assert shared_mutable(state(thing=thing), state(thing=thing)) == path


@pytest.mark.parametrize("thing", [1, "text", (1, (2, "x")), frozenset([1]), Box(1), shared(Card("ace")), None])
def test_what_may_be_shared(thing):
    assert shared_mutable(state(thing=thing), state(thing=thing)) == ""


def test_equal_containers_are_not_shared():
    assert shared_mutable(state(thing=[[1]]), state(thing=[[1]])) == ""


def test_a_state_that_holds_itself_is_walked_once():
    one = state()
    one.thing = [one]
    assert shared_mutable(one, state()) == ""
    assert shared_mutable(one, one) == "itself"


def test_values_have_paths():
    found = leaves(state(hands=[[1, 2], []], names=("a",)))
    assert (found["hands[0][1]"], found["hands[1]"], found["names[0]"]) == (2, (), "a")


def test_large_numbers_are_taken_apart_into_bytes():
    small, large = leaves(state(cards=2**16 - 1)), leaves(state(cards=2**16 + 3))
    assert small["cards"] == 2**16 - 1
    assert "cards" not in large
    assert [large[f"cards byte {index}"] for index in range(8)] == [3, 0, 1, 0, 0, 0, 0, 0]


def test_the_first_difference_is_named():
    assert difference(state(hands=[1, 2]), state(hands=[1, 2])) == ""
    assert difference(state(hands=[1, 2]), state(hands=[1, 3])) == "hands[1] is 3 instead of 2"
    assert difference(state(hands=[1]), state(hands=[1, 3])) == "hands[1] is 3 instead of 'nothing'"
    assert difference(state(flag=True), state(flag=1)) == "flag is 1 instead of True"


def test_traces_differ_at_a_position():
    check_same(["a", "b"], ["a", "b"], "twice")
    with pytest.raises(ContractError, match="twice: the positions differ after 1 actions"):
        check_same(["a", "b"], ["a", "c"], "twice")
    with pytest.raises(ContractError, match="twice: one game has 1 actions, the other 0"):
        check_same(["a", "b"], ["a"], "twice")


def test_the_first_failure_stays():
    finding = Finding("name", "text")
    finding.fail(ContractError("first"), None)
    finding.fail(ContractError("second"), Where("game", ("a", "b"), 1))
    assert (finding.ok, finding.message, finding.where) == (False, "first", None)


def test_a_game_is_seen_again_by_one_command():
    where = Where("my game.py:Game", ("random", "mcts:budget=5"), 3, 2)
    assert where.again() == "tag play 'my game.py:Game' --players 2 --agent random --agent mcts:budget=5 --seed 3"


def test_text_is_short():
    assert shorten([1, 2]) == "[1, 2]"
    assert len(shorten("x" * 1000)) == 160
    assert describe(ContractError("a sentence")) == "a sentence"
    assert describe(ValueError("raised by nobody")) == "ValueError: raised by nobody"
