"""Colt Express: what players know, how the rest is dealt again, and what they are shown."""

from collections import Counter
from itertools import pairwise

import pytest
from colt_express_positions import (
    FLOOR,
    MOVE,
    PLAIN,
    PUNCH,
    ROB,
    SHOOT,
    cards,
    inside,
    planning,
    play,
    purse,
    random_positions,
    stealing,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from play.valuing import features_of, heuristic_of

from tag.components import Deck
from tag.engine.rng import Rng
from tag.games.boards.colt_express import (
    ColtExpress,
    ColtExpressHeuristic,
    ColtExpressHeuristicParameters,
    ColtExpressParameters,
)
from tag.games.boards.colt_express.actions import ChangeFloor, Play, Punch, Reserve, Rob
from tag.games.boards.colt_express.data import (
    ACTION_CARDS,
    BELLE,
    GHOST,
    KIND_BITS,
    RESERVE,
    STANDARD,
    TUNNEL,
    count,
    draw,
    draw_set,
    listed,
    size,
)


def observations(state, player, number=60):
    rng = Rng(8)
    return [state.observation(player, rng) for _each in range(number)]


# --- cards -------------------------------------------------------------------------------------------------------------


def test_sets_of_cards_are_counted_and_drawn_from():
    some = cards(MOVE, MOVE, PUNCH + 6, 12, 12, 12)
    assert size(some) == 6
    assert listed(some) == [MOVE, MOVE, PUNCH + 6, 12, 12, 12]
    assert count(some, 12) == 3
    rng = Rng(1)
    drawn = [draw(some, rng) for _each in range(3000)]
    assert drawn.count(12) == pytest.approx(1500, abs=150)
    assert drawn.count(MOVE) == pytest.approx(1000, abs=130)
    for number in range(8):
        part = draw_set(some, number, rng)
        assert size(part) == min(number, 6)
        assert all(count(part, kind) <= count(some, kind) for kind in range(13))


def test_every_hand_of_a_deck_is_as_likely():
    rng = Rng(2)
    hands = [draw_set(cards(MOVE, FLOOR, ROB), 2, rng) for _each in range(3000)]
    for hand in (cards(MOVE, FLOOR), cards(MOVE, ROB), cards(FLOOR, ROB)):
        assert hands.count(hand) == pytest.approx(1000, abs=130)


# --- what is dealt again -----------------------------------------------------------------------------------------------


def test_own_hand_stays_and_other_hands_are_dealt_again():
    state = planning()
    seen = observations(state, 0)
    assert {one.cards[0].hand for one in seen} == {state.cards[0].hand}
    assert {one.cards[0].deck for one in seen} == {state.cards[0].deck}
    assert len({one.cards[1].hand for one in seen}) > 10
    for one in seen:
        assert one.cards[1].hand + one.cards[1].deck == state.cards[1].hand + state.cards[1].deck
        assert size(one.cards[1].hand) == 6


def test_cards_face_down_are_hidden_from_others_and_never_bullets():
    state = planning(turns=(TUNNEL,), hands=[cards(MOVE, SHOOT, 12, 12)] * 3)
    play(state, Play(SHOOT, True))
    assert {tuple(one.pile) for one in observations(state, 0)} == {tuple(state.pile)}
    seen = observations(state, 1, 200)
    assert {one.pile[0] & KIND_BITS for one in seen} == set(range(6))
    for one in seen:
        whole = one.cards[0].hand + one.cards[0].deck + cards(one.pile[0] & KIND_BITS)
        assert whole == state.cards[0].hand + state.cards[0].deck + cards(SHOOT)
        assert all(count(one.cards[0].deck, kind) >= 0 for kind in range(13))
        assert size(one.cards[0].hand) == 3
        assert size(one.cards[0].deck) == 6


def test_face_down_cards_are_open_once_they_are_due():
    state = planning(turns=(TUNNEL,))
    for _player in range(3):
        play(state, Play(FLOOR, True))
    assert {one.pile[0] for one in observations(state, 2)} == {state.pile[0]}
    assert len({one.pile[1] for one in observations(state, 2)}) > 1
    play(state, ChangeFloor())
    assert {one.pile[1] for one in observations(state, 2)} == {state.pile[1]}


def test_ghosts_first_card_is_hidden():
    state = planning(characters=[GHOST, BELLE, BELLE])
    play(state, Play(MOVE, True))
    assert state.knowledge(1) != state.knowledge(0)
    assert len({tuple(one.pile) for one in observations(state, 1)}) > 1


def test_purse_is_known_to_who_has_held_it_and_to_nobody_else():
    base = PLAIN.setup(3, Rng(1))
    state = stealing([inside(1), inside(1), 0], (0, ROB), (1, PUNCH), floor={inside(1): purse(base, 0)})
    assert len({one.values[3] for one in observations(state, 0)}) > 1
    play(state, Rob(3))
    assert {one.values[3] for one in observations(state, 0)} == {300}
    assert len({one.values[3] for one in observations(state, 1)}) > 1
    play(state, Punch(0, 3, 2))  # now it lies in the car, and player 0 still knows
    assert {one.values[3] for one in observations(state, 0)} == {300}
    assert len({one.values[3] for one in observations(state, 1)}) > 1


def test_values_dealt_again_are_those_of_the_box():
    state = planning(4)
    state.open_purses(-1, Rng(3))
    for one in observations(state, 2):
        assert sorted(one.values[:18]) == sorted(state.values[:18])
        assert one.values[:4] == (250,) * 4  # everybody knows the first purses
        assert one.values[18:] == state.values[18:]
    assert len({one.values[17] for one in observations(state, 2)}) > 1  # left in the box


def opened_in_turn(state, both, rng):
    for purse_bit in both:
        state.open_purses(purse_bit, rng)
    return state


def opened_in_the_end(state, both, rng):
    state.open_purses(-1, rng)
    return state


def opened_by_another(state, both, rng):
    """Return what player 0 takes the purses for that player 1 has opened."""
    state.open_purses(sum(both), rng)
    state.known = (state.known[0], state.known[1] | sum(both), state.known[2])
    return state.observation(0, rng)


@pytest.mark.parametrize("values_of", [opened_in_turn, opened_in_the_end, opened_by_another])
def test_values_drawn_late_are_as_likely_as_purses_shuffled_at_the_start(values_of):
    """The reference is exact: all orders of the purses of the box that no bandit starts with are as likely."""
    start = PLAIN.setup(3, Rng(1))
    purses = Counter(start.contents)
    both = [purse(start, 0), purse(start, 2)]
    n, rng = 4000, Rng(9)
    seen = Counter(values_of(start.copy(), both, rng).values[3:6:2] for _each in range(n))
    expected = {
        (one, other): n * purses[one] * (purses[other] - (one == other)) / (15 * 14)
        for one in purses
        for other in purses
    }
    assert sum(expected.values()) == pytest.approx(n)
    assert set(seen) <= set(expected)
    chi_square = sum((seen[pair] - mean) ** 2 / mean for pair, mean in expected.items())
    assert chi_square < 73.9  # 35 degrees of freedom: exceeded by chance once in 7,000


def test_unopened_purses_are_no_players_secret():
    """Nothing is dealt for them, in the game or in observations, until a player looks into one."""
    state = planning(4)
    assert state.values[4:18] == (0,) * 14
    for one in observations(state, 2):
        assert one.values == state.values
        assert one.contents == state.contents


def test_reserved_card_is_hidden_but_an_action_card():
    model = ColtExpress(ColtExpressParameters(bandits="none"))
    state = model.setup(2, Rng(1))
    for action in (model.available_actions(state)[0],) * 2:
        model.next(state, action, Rng(1))
    assert state.phase == RESERVE
    for own in state.cards:
        own.deck = cards(MOVE, SHOOT, *[12] * 20)
    play(state, Reserve(MOVE), model)
    assert {one.cards[0].hand for one in observations(state, 1)} == {cards(MOVE), cards(SHOOT)}
    play(state, Reserve(MOVE), model)
    assert all(one.cards[0].hand & ACTION_CARDS for one in observations(state, 1))


def test_round_cards_to_come_are_in_no_state():
    state = planning()
    assert state.left.bit_count() == 6


@settings(deadline=None, max_examples=12)
@given(st.integers(2, 6), st.integers(0, 10_000))
def test_observations_keep_all_that_is_known(n_players, seed):
    rng = Rng(seed)
    for state in random_positions(n_players, seed)[::9]:
        for player in range(n_players):
            seen = state.observation(player, rng)
            assert seen.knowledge(player) == state.knowledge(player)
            for ours, theirs in zip(seen.cards, state.cards, strict=True):
                assert size(ours.hand) == size(theirs.hand)
                assert size(ours.deck) == size(theirs.deck)


# --- what is shown -----------------------------------------------------------------------------------------------------


def test_text_hides_hands_face_down_cards_and_purses():
    state = planning(turns=(TUNNEL, STANDARD))
    action = Play(SHOOT, True)
    assert action.text(state, 0) == "play Fire face down"
    assert action.text(state, 1) == "play a card face down"
    play(state, action)
    assert "pile: 0 Fire face down" in state.text(0)
    assert "pile: 0 ? face down" in state.text(1)
    assert "hand 5 cards" in state.text(1)
    assert "hand 5 cards" not in state.text(-1)


def test_text_names_values_for_who_knows_them():
    base = PLAIN.setup(3, Rng(1))
    state = stealing([inside(1), 0, 0], (0, ROB), (0, FLOOR), floor={inside(1): purse(base, 0)})
    assert Rob(3).text(state, 0) == "take purse"
    assert Rob(3).text(state, -1) == "take purse $300"
    play(state, Rob(3))
    assert "purse $300" in state.text(0)
    assert "purse $300" not in state.text(1)


def test_components_show_who_sees_what():
    state = planning()
    found = {part.name: part for part in state.components()}
    assert isinstance(found["hand of 0"], Deck)
    assert len(found["hand of 0"].items) == 6
    assert found["marshal"].value == state.marshal


def test_score_counts_unknown_purses_with_their_average():
    state = planning()
    assert state.score(0) == 250
    state.held[0] |= purse(state, 0)
    assert state.score(0) == 250 + state.purse_mean


# --- the heuristic -----------------------------------------------------------------------------------------------------


def test_heuristic_likes_loot_and_dislikes_bullets():
    state = planning()
    before = heuristic_of(state, 0)
    state.held[0] |= state.jewels & -state.jewels
    assert heuristic_of(state, 0) > before
    state.wounds = (3, 0, 0)
    richer = heuristic_of(state, 0)
    state.wounds = (9, 0, 0)
    assert heuristic_of(state, 0) < richer


def test_heuristic_is_the_weighted_sum():
    state = planning()
    state.wounds = (2, 0, 0)
    only_loot = ColtExpressHeuristic(
        ColtExpressHeuristicParameters(loot=1.0, max_loot=1000, bullet_cards=0, bullets_left=0, bullets_enemy=0, lead=0)
    )
    assert only_loot.value(state, 0) == pytest.approx(0.25)
    only_bullets = ColtExpressHeuristic(
        ColtExpressHeuristicParameters(loot=0, bullet_cards=-0.6, bullets_left=0, bullets_enemy=0, lead=0)
    )
    assert only_bullets.value(state, 0) == pytest.approx(-0.1)
    left = ColtExpressHeuristic(
        ColtExpressHeuristicParameters(loot=0, bullet_cards=0, bullets_left=-0.2, bullets_enemy=0.1, lead=0)
    )
    assert left.value(state, 0) == pytest.approx(-0.1)


def test_heuristic_ends_at_one_and_minus_one():
    for n_players in (2, 4):
        state = random_positions(n_players, 5)[-1]
        for player in range(n_players):
            assert heuristic_of(state, player) == state.result_value(player)


def test_features_have_the_same_names_all_the_time():
    positions = random_positions(4, 6)
    for one, other in pairwise(positions):
        assert list(features_of(one, 0)) == list(features_of(other, 0))
