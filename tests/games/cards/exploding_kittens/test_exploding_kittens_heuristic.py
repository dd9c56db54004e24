"""The heuristic of TAG for Exploding Kittens, and its weights."""

import pytest
from exploding_kittens_positions import DEFUSE, KITTEN, MELON, NOPE, SKIP, TACO, play, position, random_positions
from valuing import heuristic_of

from tag.catalogue.registry import make_heuristic
from tag.engine.rng import Rng
from tag.games.cards.exploding_kittens import ExplodingKittensHeuristic, ExplodingKittensHeuristicParameters
from tag.games.cards.exploding_kittens.actions import Draw


def test_cards_count_with_their_values_over_their_number_and_one():
    state = position([[DEFUSE, SKIP, TACO, NOPE], [TACO]])
    assert heuristic_of(state, 0) == pytest.approx((1.0 + 0.2 - 0.01 - 0.5) / 5)
    assert heuristic_of(state, 1) == pytest.approx(-0.01 / 2)
    assert ExplodingKittensHeuristic().value(state, 0) == heuristic_of(state, 0)


def test_kitten_drawn_counts_until_it_is_defused():
    state = play(position([[DEFUSE], [TACO]], [KITTEN, MELON]), Draw())
    assert heuristic_of(state, 0) == pytest.approx((1.0 - 1.0) / 2)


def test_end_counts_for_all_and_an_explosion_at_once():
    state = play(position([[], [], []], [KITTEN, KITTEN]), Draw())
    assert heuristic_of(state, 0) == -1.0
    play(state, Draw())
    assert [heuristic_of(state, player) for player in range(3)] == [-1.0, -1.0, 1.0]


def test_survival_counts_the_rivals_who_have_exploded():
    state = play(position([[], [], []], [KITTEN, KITTEN]), Draw())
    heuristic = ExplodingKittensHeuristic(ExplodingKittensHeuristicParameters(survival=0.5))
    assert heuristic.value(state, 1) == pytest.approx(0.25)


def test_weights_can_be_written_in_a_spec():
    heuristic = make_heuristic("exploding_kittens:defuse=0.5,regular=0.3")
    assert heuristic.value(position([[DEFUSE, TACO], []]), 0) == pytest.approx(0.8 / 3)


def test_heuristic_depends_on_nothing_hidden():
    rng = Rng(1)
    for state in random_positions(4, 7):
        for player in range(4):
            assert heuristic_of(state.observation(player, rng), player) == heuristic_of(state, player)
            assert -1.0 <= heuristic_of(state, player) <= 1.0
