"""The parts of the checks: shared containers, values by path, traces."""

from collections import deque
from dataclasses import dataclass

import pytest

from tag import GameState, Rng
from tag.check import AGENT_CHECKS, GAME_CHECKS
from tag.check.evidence.mutable import shared_mutable
from tag.check.evidence.places import places, put
from tag.check.evidence.samples import compare
from tag.check.evidence.traces import check_same
from tag.check.evidence.values import difference, leaves, value_difference
from tag.check.report import FAILED, NOT_TESTED, OK, WARNING, Check, Finding, Report, Where, describe, shorten
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
    assert (finding.status, finding.message, finding.where) == (FAILED, "first", None)


def test_a_game_is_seen_again_by_one_command():
    where = Where("my game.py:Game", ("random", "mcts:budget=5"), 3, 2)
    assert where.again() == "tag play 'my game.py:Game' --players 2 --agent random --agent mcts:budget=5 --seed 3"


def test_text_is_short():
    assert shorten([1, 2]) == "[1, 2]"
    assert len(shorten("x" * 1000)) == 160
    assert describe(ContractError("a sentence")) == "a sentence"
    assert describe(ValueError("raised by no one")) == "ValueError: raised by no one"


@dataclass(frozen=True)
class Suit:
    colour: str
    rank: int


def test_places_are_what_can_be_moved():
    card = Suit("red", 1)
    found = places(state(hands=[[1], [(2, "x")]], top=(3, 4), cards={"a": card}))
    assert found == {
        ("hands", 0, 0): 1,
        ("hands", 1, 0): (2, "x"),
        ("top", 0): 3,
        ("top", 1): 4,
        ("cards", "a"): card,
    }


def test_values_are_put_into_lists_tuples_and_fields():
    one = state(hands=[[1], [2]], top=(3, 4), box=Box([5]))
    for path in (("hands", 1, 0), ("top", 0), ("box", ".content", 0)):
        put(one, path, 9)
    assert (one.hands, one.top, one.box.content) == ([[1], [9]], (9, 4), [9])


def test_differences_name_the_place_and_are_short():
    assert value_difference("known", (1, (2, 3)), (1, (2, 4))) == "known[1][1] is 4 instead of 3"
    text = difference(state(deck="x" * 500), state(deck="y" * 500))
    assert text.startswith("deck is 'yyy")
    assert len(text) < 120


def drawn(spread):
    return lambda rng: {"first": rng.below(spread), "second": rng.below(2)}


@pytest.mark.parametrize("seed", range(40))
def test_equal_distributions_are_not_told_apart(seed):
    assert compare(drawn(6), drawn(6), Rng(seed)) is None


def in_order(rng):
    start = rng.below(8)
    return {f"deck[{place}]": (start + place) % 8 for place in range(8)}


def shuffled(rng):
    deck = list(range(8))
    rng.shuffle(deck)
    return {f"deck[{place}]": card for place, card in enumerate(deck)}


@pytest.mark.parametrize("seed", range(5))
def test_a_joint_order_is_seen_where_single_values_are_alike(seed):
    assert compare(in_order, shuffled, Rng(seed)) is not None


def in_quarters(rng):
    marks = [4 * quarter + rng.below(4) for quarter in range(4)]
    return {f"deck[{place}]": int(place in marks) for place in range(16)}


def anywhere(rng):
    marks = [1] * 4 + [0] * 12
    rng.shuffle(marks)
    return {f"deck[{place}]": mark for place, mark in enumerate(marks)}


@pytest.mark.parametrize("seed", range(5))
def test_how_a_list_spreads_a_value_is_seen_where_each_place_holds_it_as_often(seed):
    assert compare(in_quarters, anywhere, Rng(seed)) is not None
    assert compare(anywhere, anywhere, Rng(seed)) is None


@pytest.mark.parametrize("seed", range(5))
def test_a_bias_is_seen(seed):
    def biased(rng):
        return {"first": rng.below(2) if rng.below(2) else 0, "second": rng.below(2)}

    found = compare(drawn(2), biased, Rng(seed), 400)
    assert found is not None
    assert "first" in found.text("one", "other")


def test_a_check_is_named_like_its_class():
    class TwoWordsLong(Check):
        text = "its name has three words"

    assert TwoWordsLong.name == "two_words_long"
    names = [check.name for check in (*GAME_CHECKS, *AGENT_CHECKS)]
    assert len(names) == len(set(names))
    assert all(
        name.replace("_", "") == check.__name__.lower()
        for name, check in zip(names, (*GAME_CHECKS, *AGENT_CHECKS), strict=True)
    )


def test_a_check_without_cases_is_not_tested():
    class Idle(Check):
        text = "it is idle"
        untested = "nothing to do"

    finding = Finding("idle", "it is idle")
    check = Idle()
    finding.attempt(check, int)
    assert (finding.status, finding.message) == (NOT_TESTED, "nothing to do")
    report = Report("game", 1, [finding, Finding("other", "it holds", OK)])
    assert report.ok
    assert str(report).splitlines()[-1] == "game: 1 checks ok, 1 not tested: idle (1 games)"
    check.cases = 1
    finding.attempt(check, int)
    assert str(report).splitlines()[-1] == "game: all checks ok (1 games)"


def test_a_check_that_only_warns_fails_no_report():
    class Worry(Check):
        text = "nothing worries"
        only_warns = True

    def breach():
        raise ContractError("something does")

    def error():
        raise OSError("broken")

    worried, broken = Finding("worry", ""), Finding("worry", "")
    worried.attempt(Worry(), breach)
    broken.attempt(Worry(), error)
    report = Report("game", 1, [Finding("good", "", OK), worried])
    assert (worried.status, broken.status) == (WARNING, FAILED)
    assert report.ok
    assert report.warnings() == ["worry"]
    assert str(report).splitlines()[-1] == "game: 1 checks ok, 1 with a warning: worry (1 games)"
    assert "found:  something does" in str(report)
