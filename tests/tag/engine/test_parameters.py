"""Declared parameters: ranges, reading, conditions, constraints, sampling."""

import pickle
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tag.engine.parameters import Parameters, Spec, choice, flag, free_text, integer, parse_spec, real, spec_of
from tag.engine.rng import Rng
from tag.errors import ParameterError, UnknownNameError


@dataclass
class Example(Parameters):
    population: int = integer(10, 6, 20, "individuals")
    even: int = integer(4, 2, 10, "even numbers only", step=2)
    budget: int = integer(100, 1, 10_000, "calls", log=True)
    discount: float = real(0.9, 0.5, 1.0, "per step")
    selection: str = choice("tournament", ("rank", "tournament"), "how parents are chosen")
    tournament: int = integer(5, 1, 20, "its size", active_if=("selection", ("tournament",)))
    shift: bool = flag(False, "keep the plan")
    heuristic: str = spec_of("heuristic", "game", "values positions")

    def check(self) -> None:
        if self.tournament > self.population:
            raise ParameterError(
                f"tournament cannot be {self.tournament}; the nearest value is the population, {self.population}"
            )


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"population": 21}, "population cannot be 21; the range is 6..20, the nearest value 20"),
        ({"population": "abc"}, "population cannot be 'abc'; it is a whole number in 6..20"),
        ({"population": 7.5}, "population cannot be 7.5; it is a whole number in 6..20"),
        ({"population": True}, "population cannot be True; it is a whole number in 6..20"),
        ({"even": 5}, "even cannot be 5; it goes in steps of 2, the nearest value is 4"),
        ({"discount": "1.2"}, "discount cannot be 1.2; the range is 0.5..1, the nearest value 1"),
        ({"discount": "nan"}, "discount cannot be nan; it is a number in 0.5..1"),
        ({"selection": "ranked"}, "selection cannot be 'ranked'; did you mean 'rank'?"),
        ({"selection": "zzz"}, "selection cannot be 'zzz'; it is one of rank | tournament"),
        ({"shift": "maybe"}, "shift cannot be 'maybe'; it is true or false"),
        ({"heuristic": ""}, "heuristic cannot be ''; it is the spec of a heuristic"),
        ({"tournament": 9, "population": 8}, "tournament cannot be 9; the nearest value is the population, 8"),
    ],
)
def test_wrong_values_are_refused_in_one_sentence(values, sentence):
    with pytest.raises(ParameterError) as caught:
        Example.from_values(values)
    assert str(caught.value) == sentence


@pytest.mark.parametrize("words", ["", "Guard", "a, b = c: (d)", "(all of it)"])
def test_free_text_survives_specs_and_is_not_searched(words):
    @dataclass
    class Named(Parameters):
        motto: str = free_text("none", "words")

    spec = str(Spec("name", Named(motto=f" {words} ").changes()))
    assert Named.from_values(parse_spec(spec).values).motto == words
    assert Named.sample(Rng(1)).motto == "none"
    for wrong in (")(", "(", 3):
        with pytest.raises(ParameterError, match="motto cannot be"):
            Named(motto=wrong)


def test_unknown_parameters_name_the_nearest():
    with pytest.raises(UnknownNameError, match="no parameter named 'poplation'; did you mean 'population'"):
        Example.from_values({"poplation": 7})


def test_values_given_as_text_are_read():
    read = Example.from_values({"population": "7", "discount": "1", "shift": "yes", "selection": "rank"})
    assert (read.population, read.discount, read.shift, read.selection) == (7, 1.0, True, "rank")


def test_constructing_directly_checks_as_well():
    with pytest.raises(ParameterError, match="population"):
        Example(population=1)


def test_changes_are_what_differs_from_the_defaults():
    assert Example().changes() == {}
    assert Example(population=8, shift=True).changes() == {"population": 8, "shift": True}


def test_json_form_round_trip():
    example = Example(population=8, discount=0.75, selection="rank", shift=True)
    assert Example.from_values(example.values()) == example


def test_pickles():
    assert pickle.loads(pickle.dumps(Example(population=8))) == Example(population=8)


def test_dimensions_are_the_search_space():
    names = [d.name for d in Example.dimensions()]
    assert names == ["population", "even", "budget", "discount", "selection", "tournament", "shift", "heuristic"]
    tournament = Example.dimensions()[5]
    assert tournament.is_active({"selection": "tournament"})
    assert not tournament.is_active({"selection": "rank"})


def test_dimensions_are_kept_for_each_class():
    @dataclass
    class More(Example):
        extra: int = integer(1, 0, 3, "one more")

    assert Example.dimensions() is Example.dimensions()
    assert [d.name for d in More.dimensions()] == [*(d.name for d in Example.dimensions()), "extra"]


@given(st.integers(0, 2**40))
@settings(derandomize=True, deadline=None, max_examples=200)
def test_samples_keep_ranges_and_constraints(seed):
    drawn = Example.sample(Rng(seed))
    assert Example.from_values(drawn.values()) == drawn
    assert drawn.tournament <= drawn.population


def test_samples_reach_both_ends():
    rng = Rng(1)
    drawn = [Example.sample(rng) for _ in range(2000)]
    assert {d.even for d in drawn} == {2, 4, 6, 8, 10}
    assert {d.population for d in drawn} == set(range(6, 21))
    assert min(d.budget for d in drawn) < 10 < 2000 < max(d.budget for d in drawn)
    assert sum(d.budget <= 100 for d in drawn) == pytest.approx(1000, abs=120)


def test_constraints_that_cannot_be_met_are_reported():
    @dataclass
    class Impossible(Example):
        def check(self) -> None:
            raise ParameterError("never")

    with pytest.raises(ParameterError, match="Impossible has constraints that 10000 random draws did not meet"):
        Impossible.sample(Rng(1))


def test_dotted_names_reach_into_a_spec():
    read = Example.from_values({"heuristic.bonus": "3", "heuristic": "score_win"})
    assert read.heuristic == "score_win:bonus=3"
    with pytest.raises(UnknownNameError, match="no parameter named 'shift.x'"):
        Example.from_values({"shift.x": 1})
