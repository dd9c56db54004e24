"""Vocabularies: the numbers, masks and paths of actions."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tag import Action, Actions, Rng, Vocabulary, interned, make_game
from tag.errors import ContractError

pytestmark = pytest.mark.flow


class Go(Action):
    def __init__(self, place: int, way: str) -> None:
        self.place = place
        self.way = way


class Drop(Action):
    def __init__(self, *things: int) -> None:
        self.things = things

    def key(self) -> tuple[object, ...]:
        return self.things


class Rest(Action):
    pass


def walks():
    return Vocabulary(
        Actions(Go, place=range(3), way=["by land", "by sea"]), Actions(Drop, things=[(), (1,), (1, 2)]), Actions(Rest)
    )


def test_the_last_part_runs_fastest():
    found = [repr(walks().action(index)) for index in range(len(walks()))]
    assert found == [
        "Go(0, 'by land')", "Go(0, 'by sea')", "Go(1, 'by land')", "Go(1, 'by sea')", "Go(2, 'by land')",
        "Go(2, 'by sea')", "Drop()", "Drop(1)", "Drop(1, 2)", "Rest()",
    ]  # fmt: skip


@given(st.sets(st.integers(0, 9)))
def test_masks_say_what_is_available_and_levels_lead_to_it(numbers):
    vocabulary = walks()
    actions = [vocabulary.action(number) for number in numbers]
    assert {index for index, is_in in enumerate(vocabulary.mask(actions)) if is_in} == numbers
    assert _below(vocabulary, actions, ()) == set(actions)


def _below(vocabulary, actions, path):
    """Return the actions that are reached from ``path`` on open options."""
    if path and len(path) == 1 + len(vocabulary.groups[path[0]].parts):
        return {vocabulary.at(path)}
    options = enumerate(vocabulary.options(actions, path))
    return {action for number, is_open in options if is_open for action in _below(vocabulary, actions, (*path, number))}


def test_an_action_that_was_not_declared_is_named():
    with pytest.raises(ContractError, match=r"^Go\(3, 'by land'\) is not among the 10 declared actions$"):
        walks().index(interned(Go(3, "by land")))


@pytest.mark.parametrize("index", [-1, 10])
def test_there_are_no_actions_beyond(index):
    with pytest.raises(ContractError, match=f"^{index} is not the index of an action; there are 10, from 0$"):
        walks().action(index)


def test_parts_are_the_arguments_of_the_constructor():
    with pytest.raises(ContractError, match="names the parts place; the constructor's arguments are place, way"):
        Actions(Go, place=range(3))
    with pytest.raises(ContractError, match="has a value twice"):
        Actions(Go, place=[1, 1], way=["by sea"])


def test_without_a_declaration_it_grows_with_play():
    vocabulary = Vocabulary(is_declared=False)
    actions = [interned(Go(place, "by sea")) for place in (5, 3, 5)]
    assert [vocabulary.index(action) for action in actions] == [0, 1, 0]
    assert len(vocabulary) == 2
    assert vocabulary.action(1) is actions[1]
    assert not vocabulary.is_declared


def test_numbers_are_the_same_in_other_processes():
    code = (
        "from tag import make_game\nv = make_game('virus').vocabulary(4)\n"
        "print([repr(v.action(i)) for i in range(0, len(v), 97)])"
    )
    texts = [
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert texts[0] == texts[1] != b""


def test_a_game_can_be_played_by_number():
    model, rng = make_game("love_letter"), Rng(1)
    vocabulary, state = model.vocabulary(3), model.setup(3, rng)
    while not state.is_terminal:
        numbers = [vocabulary.index(action) for action in model.available_actions(state)]
        model.next(state, vocabulary.action(rng.choice(numbers)), rng)
    assert state.turn > 5
