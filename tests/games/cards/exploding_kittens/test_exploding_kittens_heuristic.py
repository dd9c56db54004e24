"""The heuristic of Exploding Kittens, and its weights."""

from dataclasses import fields

import pytest
from exploding_kittens_positions import (
    ATTACK,
    DEFUSE,
    FAVOR,
    KITTEN,
    MELON,
    NOPE,
    SEE,
    SKIP,
    TACO,
    play,
    position,
    random_positions,
)
from play.valuing import heuristic_of

from tag.catalogue.registry import make_heuristic
from tag.engine.rng import Rng
from tag.engine.state import DO_NOTHING
from tag.games.cards.exploding_kittens import ExplodingKittensHeuristic, ExplodingKittensHeuristicParameters
from tag.games.cards.exploding_kittens.actions import Attack, Draw, Favor, Nope, SeeTheFuture

#: All weights off.
OFF = {field.name: 0.0 for field in fields(ExplodingKittensHeuristicParameters)}


def weighed(state, player, **weights):
    """Return the value with all weights off, but for ``weights``."""
    return ExplodingKittensHeuristic(ExplodingKittensHeuristicParameters(**{**OFF, **weights})).value(state, player)


def test_cards_count_with_their_values():
    state = position([[DEFUSE, DEFUSE, SKIP, TACO, NOPE], [TACO]])
    values = {"defuse": 0.4, "spare_defuse": 0.1, "skip": 0.2, "nope": 0.05, "regular": -0.01}
    assert weighed(state, 0, **values) == pytest.approx(0.4 + 0.1 + 0.2 + 0.05 - 0.01)
    assert weighed(state, 1, **values) == pytest.approx(-0.01)
    assert ExplodingKittensHeuristic().value(state, 0) == heuristic_of(state, 0)


def test_risk_of_the_turns_due_is_a_cost_and_that_of_a_rival_a_gain():
    state = position([[SKIP], [TACO]], [MELON, MELON, KITTEN, MELON])
    assert weighed(state, 0, danger=0.4) == pytest.approx(-0.4 / 4)
    assert weighed(state, 1, rivals_danger=0.4) == pytest.approx(0.4 / 4)
    assert weighed(position([[DEFUSE], [TACO]], [KITTEN, MELON]), 0, danger=1.0, guarded_danger=0.4) == -0.2
    state.due = 2
    assert weighed(state, 0, danger=0.4) == pytest.approx(-0.4 * (1 - (3 / 4) ** 2))


def test_card_that_is_known_to_be_on_top_is_certain():
    state = position([[SEE], [TACO]], [KITTEN, MELON, MELON, MELON])
    play(state, SeeTheFuture(), DO_NOTHING)
    assert weighed(state, 0, danger=0.4) == pytest.approx(-0.4)
    assert weighed(state, 1, rivals_danger=0.4) == pytest.approx(0.1)


def test_attack_that_can_be_noped_counts_as_if_it_had_happened():
    state = play(position([[ATTACK], [NOPE]], [MELON, MELON, KITTEN, MELON]), Attack())
    assert state.play is not None
    assert weighed(state, 0, rivals_danger=0.4) == pytest.approx(0.4 * (1 - (3 / 4) ** 2))
    play(state, DO_NOTHING)
    assert state.play is None
    assert weighed(state, 0, rivals_danger=0.4) == pytest.approx(0.4 * (1 - (3 / 4) ** 2))


def test_card_about_to_be_taken_counts_for_both():
    state = play(position([[FAVOR], [NOPE, TACO], [TACO]]), Favor(1))
    assert [weighed(state, player, taking=0.2) for player in range(3)] == [0.2, -0.2, 0.0]
    play(state, Nope())
    assert [weighed(state, player, taking=0.2) for player in range(3)] == [0.0, 0.0, 0.0]


def test_cards_of_rivals_count_on_average():
    assert weighed(position([[], [TACO, TACO], [TACO]]), 0, rivals_cards=-0.1) == pytest.approx(-0.15)


def test_kitten_drawn_counts_until_it_is_defused():
    state = play(position([[DEFUSE], [TACO]], [KITTEN, MELON]), Draw())
    assert weighed(state, 0, exploding=-0.1, defuse=0.4, danger=1.0) == pytest.approx(-0.1)


def test_end_counts_for_all_and_an_explosion_at_once():
    state = play(position([[], [], []], [KITTEN, KITTEN]), Draw())
    assert heuristic_of(state, 0) == -1.0
    play(state, Draw())
    assert [heuristic_of(state, player) for player in range(3)] == [-1.0, -1.0, 1.0]


def test_survival_counts_the_rivals_who_have_exploded():
    state = play(position([[], [], []], [KITTEN, KITTEN]), Draw())
    assert weighed(state, 1, survival=0.5) == pytest.approx(0.25)


def test_weights_can_be_written_in_a_spec():
    state = position([[SKIP, TACO], []])
    more = make_heuristic("exploding_kittens:skip=0.5,regular=0.3").value(state, 0)
    assert more - make_heuristic("exploding_kittens:skip=0.25,regular=0.2").value(state, 0) == pytest.approx(0.35)


def test_heuristic_depends_on_nothing_hidden():
    rng = Rng(1)
    for state in random_positions(4, 7):
        for player in range(4):
            assert heuristic_of(state.observation(player, rng), player) == heuristic_of(state, player)
            assert -1.0 <= heuristic_of(state, player) <= 1.0
