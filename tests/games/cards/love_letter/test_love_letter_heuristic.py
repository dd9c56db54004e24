"""The heuristic of the TAG report for Love Letter, and its weights."""

import pytest
from love_letter_positions import (
    COUNTESS,
    GUARD,
    HANDMAID,
    KING,
    PRIEST,
    PRINCE,
    PRINCESS,
    play,
    position,
    random_positions,
)
from valuing import heuristic_of

from tag.catalogue.registry import make_heuristic
from tag.engine.rng import Rng
from tag.errors import TagError
from tag.games.cards.love_letter import LoveLetterHeuristic, LoveLetterHeuristicParameters
from tag.games.cards.love_letter.actions import Priest


def weighed(state, player, **weights):
    """Return the value with the report's own weights off, but for ``weights``."""
    chosen = {"cards": 0.0, "affection": 0.0, **weights}
    return LoveLetterHeuristic(LoveLetterHeuristicParameters(**chosen)).value(state, player)


def test_defaults_are_those_of_the_report():
    state = position([PRINCE, GUARD, GUARD], KING, tokens=[2, 0, 1])
    assert heuristic_of(state, 0) == pytest.approx(0.3 * (5 + 6) / (1 + 2 * 8) + 0.7 * 2 / 5)
    assert heuristic_of(state, 2) == pytest.approx(0.3 * 1 / (1 + 8) + 0.7 * 1 / 5)
    assert LoveLetterHeuristic().value(state, 0) == heuristic_of(state, 0)


def test_countess_counts_for_nine_tenths():
    state = position([COUNTESS, GUARD], GUARD)
    assert heuristic_of(state, 0) == pytest.approx(0.3 * (0.9 * 7 + 1) / 17)
    assert weighed(state, 0, cards=1.0, countess_doubt=0.0) == pytest.approx(8 / 17)


def test_player_out_of_the_round_has_the_tokens_only():
    state = position([PRINCE, 0, GUARD], KING, tokens=[0, 4, 0])
    assert heuristic_of(state, 1) == pytest.approx(0.7 * 4 / 5)


def test_drawn_card_counts_for_its_holder_only():
    low, high = position([PRINCE, GUARD], GUARD), position([PRINCE, GUARD], PRINCESS)
    assert heuristic_of(low, 0) < heuristic_of(high, 0)
    assert heuristic_of(low, 1) == heuristic_of(high, 1)


def test_end_of_the_game_counts_for_all():
    state = play(position([KING, GUARD, GUARD], PRIEST, deck=[], tokens=[4, 4, 0]), Priest(1))
    assert [heuristic_of(state, player) for player in range(3)] == [1.0, -1.0, -1.0]
    assert weighed(state, 1, affection=1.0) == -1.0


@pytest.mark.parametrize(
    ("weight", "card"), [("guard", GUARD), ("priest", PRIEST), ("handmaid", HANDMAID), ("princess", PRINCESS)]
)
def test_holding_a_card_adds_its_weight(weight, card):
    assert weighed(position([card, KING], KING), 0, **{weight: 0.25}) == 0.25
    assert weighed(position([KING, KING], card), 0, **{weight: -0.25}) == -0.25
    assert weighed(position([KING, KING], KING), 0, **{weight: 0.25}) == 0.0


def test_hidden_weighs_the_rivals_who_have_not_seen_the_hand():
    state = play(position([GUARD, PRINCESS, GUARD], PRIEST), Priest(1))
    assert weighed(state, 1, hidden=0.5) == 0.25
    assert weighed(state, 2, hidden=0.5) == 0.5


def test_advantage_weighs_the_lead_over_the_best_rival():
    state = position([GUARD, GUARD, GUARD], PRIEST, tokens=[3, 2, 0])
    assert weighed(state, 0, advantage=1.0) == pytest.approx(1 / 5)
    assert weighed(state, 2, advantage=1.0) == pytest.approx(-3 / 5)


def test_value_is_in_range_and_depends_on_nothing_hidden():
    rng = Rng(6)
    for n_players in (2, 3, 4):
        heuristic = LoveLetterHeuristic(LoveLetterHeuristicParameters.sample(rng))
        for state in random_positions(n_players, seed=n_players):
            for player in range(n_players):
                value = heuristic.value(state, player)
                assert -1.0 <= value <= 1.0
                assert heuristic.value(state.observation(player, rng), player) == value


def test_weights_are_given_by_spec_and_out_of_range_refused():
    state = position([PRINCE, GUARD], KING, tokens=[1, 0])
    assert make_heuristic("love_letter:affection=0.5,cards=0").value(state, 0) == pytest.approx(0.5 / 7)
    with pytest.raises(TagError, match="the range is -1..1, the nearest value 1"):
        make_heuristic("love_letter:cards=2")
