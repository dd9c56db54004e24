"""The heuristic of Virus! and its weights."""

import pytest
from play.valuing import heuristic_of
from virus_positions import (
    BLUE,
    CLEAN,
    GREEN,
    IMMUNE,
    RED,
    YELLOW,
    play,
    position,
    random_positions,
    sick,
    vaccinated,
)

from tag.catalogue.registry import make_heuristic
from tag.engine.rng import Rng
from tag.errors import TagError
from tag.games.cards.virus import VirusHeuristic, VirusHeuristicParameters
from tag.games.cards.virus.actions import PlayOrgan

MINE = {RED: CLEAN, GREEN: sick(GREEN), BLUE: vaccinated(BLUE), YELLOW: IMMUNE}


def weighed(state, player, **weights):
    return VirusHeuristic(VirusHeuristicParameters(**weights)).value(state, player)


def test_organs_count_by_their_state_over_the_organs_that_win():
    state = position([], MINE, {}, {})
    assert heuristic_of(state, 0) == pytest.approx((0.6 + 0.2 + 0.8 + 1.0) / 4)
    assert VirusHeuristic().value(state, 0) == heuristic_of(state, 0)


def test_the_best_rival_counts_against_a_player():
    state = position([], {RED: CLEAN}, {RED: CLEAN, BLUE: CLEAN}, {GREEN: CLEAN})
    assert heuristic_of(state, 0) == pytest.approx((0.6 - 0.5 * 1.2) / 4)
    assert heuristic_of(state, 1) == pytest.approx((1.2 - 0.5 * 0.6) / 4)


@pytest.mark.parametrize(
    ("weight", "state_of_organ"), [("free", CLEAN), ("infected", sick(RED)), ("immunised", IMMUNE)]
)
def test_each_weight_counts(weight, state_of_organ):
    state = position([], {RED: state_of_organ}, {})
    assert weighed(state, 0, **{weight: -0.4}) == pytest.approx(-0.1)
    assert weighed(state, 0, vaccinated=-0.4) == heuristic_of(state, 0)


def test_others_weighs_the_average_rival_and_body_ones_own():
    state = position([], {RED: CLEAN}, {RED: CLEAN, BLUE: CLEAN}, {})
    assert weighed(state, 0, rivals=0.0, others=-1.0, free=1.0) == pytest.approx(0.0)
    assert weighed(state, 0, rivals=0.0, body=0.5, free=1.0) == pytest.approx(0.125)


def test_the_heuristic_of_tag_is_a_setting_of_the_weights():
    state = position([], MINE, {RED: CLEAN}, {})
    tag_like = make_heuristic("virus:free=0.8,vaccinated=0.8,immunised=0.8,infected=0,rivals=0")
    assert [tag_like.value(state, player) for player in range(3)] == pytest.approx([0.6, 0.2, 0.0])


def test_end_of_the_game_counts_for_all():
    state = play(position([YELLOW, RED, RED], {RED: CLEAN, GREEN: CLEAN, BLUE: CLEAN}, MINE, {}), PlayOrgan(YELLOW))
    assert [heuristic_of(state, player) for player in range(3)] == [1.0, -1.0, -1.0]
    assert weighed(state, 1, free=1.0) == -1.0


def test_value_is_in_range_and_depends_on_nothing_hidden():
    rng = Rng(6)
    for n_players in (2, 4, 6):
        heuristic = VirusHeuristic(VirusHeuristicParameters.sample(rng))
        for state in random_positions(n_players, seed=n_players, max_rounds=30)[::4]:
            for player in range(n_players):
                value = heuristic.value(state, player)
                assert -1.0 <= value <= 1.0
                assert heuristic.value(state.observation(player, rng), player) == value


def test_weights_are_given_by_spec_and_out_of_range_refused():
    state = position([], {RED: CLEAN}, {})
    assert make_heuristic("virus:free=1").value(state, 0) == pytest.approx(0.25)
    with pytest.raises(TagError, match="the range is -1..1, the nearest value 1"):
        make_heuristic("virus:immunised=2")
