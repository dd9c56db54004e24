"""The heuristic of Love Letter, and its weights."""

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
from play.valuing import heuristic_of

from tag.catalogue.registry import make_heuristic
from tag.engine.rng import Rng
from tag.errors import TagError
from tag.games.cards.love_letter import LoveLetterHeuristic, LoveLetterHeuristicParameters
from tag.games.cards.love_letter.actions import Handmaid, Priest


def weighed(state, player, **weights):
    """Return what the round weighs for ``player`` with all weights off, but for ``weights``, and equal tokens."""
    off = {"cards": 0.0, "rivals_out": 0.0, "affection": 0.0, "advantage": 1.0}
    heuristic = LoveLetterHeuristic(LoveLetterHeuristicParameters(**{**off, **weights}))
    prospects = heuristic.value(state, player) * state.goal / 0.5
    return prospects / (1.0 - 2.0 * abs(prospects))


def test_tokens_and_the_lead_are_shares_of_the_goal():
    state = position([GUARD, GUARD, GUARD], PRIEST, tokens=[3, 2, 0])
    off = {"cards": 0.0, "rivals_out": 0.0}
    own = LoveLetterHeuristic(LoveLetterHeuristicParameters(affection=1.0, advantage=0.0, **off))
    assert [own.value(state, player) for player in range(3)] == pytest.approx([3 / 5, 2 / 5, 0])
    lead = LoveLetterHeuristic(LoveLetterHeuristicParameters(affection=0.0, advantage=1.0, **off))
    assert [lead.value(state, player) for player in range(3)] == pytest.approx([1 / 5, -1 / 5, -3 / 5])


def test_hand_counts_as_a_share_of_the_highest_cards():
    state = position([PRINCE, GUARD, GUARD], KING)
    assert weighed(state, 0, cards=0.3) == pytest.approx(0.3 * (5 + 6) / (1 + 2 * 8))
    assert weighed(state, 2, cards=0.3) == pytest.approx(0.3 * 1 / (1 + 8))


def test_countess_counts_for_nine_tenths():
    state = position([COUNTESS, GUARD], GUARD)
    assert weighed(state, 0, cards=0.3) == pytest.approx(0.3 * (0.9 * 7 + 1) / 17)
    assert weighed(state, 0, cards=1.0, countess_doubt=0.0) == pytest.approx(8 / 17)


def test_player_out_of_the_round_is_worse_off_than_with_any_hand():
    state = position([PRINCE, 0, GUARD], KING, tokens=[1, 1, 1])
    heuristic = LoveLetterHeuristic()
    others = [heuristic.value(position([PRINCE, card, GUARD], KING, tokens=[1, 1, 1]), 1) for card in range(1, 9)]
    assert heuristic.value(state, 1) < min(others)
    assert heuristic.value(state, 1) == pytest.approx((0.3 - 0.35 / 2) / 5)


def test_drawn_card_counts_for_its_holder_only():
    low, high = position([PRINCE, GUARD], GUARD), position([PRINCE, GUARD], PRINCESS)
    assert heuristic_of(low, 0) < heuristic_of(high, 0)
    assert heuristic_of(low, 1) == heuristic_of(high, 1)


def test_end_of_the_game_counts_for_all():
    state = play(position([KING, GUARD, GUARD], PRIEST, deck=[], tokens=[4, 4, 0]), Priest(1))
    assert [heuristic_of(state, player) for player in range(3)] == [1.0, -1.0, -1.0]


@pytest.mark.parametrize(
    ("weight", "card"), [("guard", GUARD), ("priest", PRIEST), ("handmaid", HANDMAID), ("princess", PRINCESS)]
)
def test_holding_a_card_adds_its_weight(weight, card):
    assert weighed(position([card, KING], KING), 0, **{weight: 0.25}) == pytest.approx(0.25)
    assert weighed(position([KING, KING], card), 0, **{weight: -0.25}) == pytest.approx(-0.25)
    assert weighed(position([KING, KING], KING), 0, **{weight: 0.25}) == 0.0


def test_knowledge_of_hands_is_weighed_for_both():
    state = play(position([GUARD, PRINCESS, GUARD], PRIEST), Priest(1))
    assert [weighed(state, player, hidden=0.5) for player in range(3)] == pytest.approx([0.5, 0.25, 0.5])
    assert [weighed(state, player, known=0.5) for player in range(3)] == pytest.approx([0.25, 0.0, 0.0])


def test_protection_and_rivals_out_of_the_round_are_weighed():
    state = play(position([GUARD, 0, GUARD], HANDMAID), Handmaid())
    assert [weighed(state, player, protected=0.5) for player in (0, 2)] == pytest.approx([0.5, 0.0])
    assert [weighed(state, player, rivals_out=0.5) for player in (0, 2)] == pytest.approx([0.25, 0.25])


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
    assert make_heuristic("love_letter:affection=0.5,advantage=0").value(state, 0) == pytest.approx(0.5 / 7)
    with pytest.raises(TagError, match="the range is -1..1, the nearest value 1"):
        make_heuristic("love_letter:cards=2")
