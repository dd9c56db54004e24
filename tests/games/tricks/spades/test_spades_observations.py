"""What players of Spades know: deals fit voids and spades led too early, and each deal that fits is as likely."""

from collections import Counter
from itertools import combinations
from math import sqrt

import pytest
from spades_positions import cards, play, position

from tag import Rng, make_game
from tag.engine.rules.tricks import BIT, SPADES, SUIT, cards_in
from tag.games.tricks.spades.data import BLIND, PLAYING

pytestmark = pytest.mark.flow


class Record:
    """What is certain of the hands, kept from the actions alone, apart from the state."""

    def __init__(self):
        self.limits = [(1 << 52) - 1] * 4
        self.suits = []
        self.broken = False

    def follow(self, state, action):
        """Note what an action in ``state``, the position before it, shows."""
        if state.phase != PLAYING:
            return
        seat, suit, at = int(state.current_player), action.card // 13, len(self.suits) % 4
        led = self.suits[-at] if at else suit
        if suit != led:
            self.limits[seat] &= ~SUIT[led]
        elif at == 0 and suit == SPADES and not self.broken:
            self.limits[seat] &= SUIT[SPADES]
        self.broken = self.broken or suit == SPADES
        self.suits.append(suit)


def games(spec, seed):
    """Yield the positions of random games with their records, without end."""
    model, rng = make_game(spec), Rng(seed)
    while True:
        state, record = model.setup(4, rng), Record()
        while not state.is_terminal:
            yield state, record
            number = state.round
            action = model.random_action(state, rng)
            record.follow(state, action)
            model.next(state, action, rng)
            if state.round != number:
                record = Record()


@pytest.mark.parametrize("spec", ["spades", "spades:first_lead=club,blind_nil=true"])
def test_ten_thousand_observations_contradict_nothing_that_is_certain(spec):
    rng = Rng(4)
    for looked, (state, record) in zip(range(5_000), games(spec, 2), strict=False):
        viewer = looked % 4
        seen = state.observation(viewer, rng)
        assert seen.hands[viewer] == state.hands[viewer]
        assert sum(seen.hands) == sum(state.hands)
        for seat in range(4):
            assert seen.hands[seat] & ~record.limits[seat] == 0
            assert seen.hands[seat].bit_count() == state.hands[seat].bit_count()
        assert tuple(record.limits) == state.may_hold
        if state.is_opening():
            assert seen.hands[state.current_player] & 1
        assert (seen.bids, seen.played, seen.won, seen.points) == (state.bids, state.played, state.won, state.points)


def fitting(state, record, viewer):
    """Return all hands that fit what ``viewer`` knows."""
    found = []

    def deal(seat, left, hands):
        if seat == 4:
            found.append(tuple(hands))
        elif seat == viewer:
            deal(seat + 1, left, [*hands, state.hands[seat]])
        else:
            for chosen in combinations(cards_in(left & record.limits[seat]), state.hands[seat].bit_count()):
                hand = sum(BIT[card] for card in chosen)
                deal(seat + 1, left ^ hand, [*hands, hand])

    deal(0, sum(state.hands) - state.hands[viewer], [])
    return found


def test_all_deals_that_fit_are_as_likely():
    rng, compared, narrow = Rng(5), 0, 0
    for looked, (state, record) in zip(range(3_000), games("spades:ranks=4,hands=3", 9), strict=False):
        viewer = looked % 4
        if state.phase != PLAYING or sum(hand.bit_count() for hand in state.hands) > 12 or looked % 3:
            continue
        expected = fitting(state, record, viewer)
        if not 3 <= len(expected) <= 400:
            continue
        found = Counter(tuple(state.observation(viewer, rng).hands) for _look in range(20 * len(expected)))
        assert found.keys() <= set(expected)
        chi_square = sum((found[one] - 20) ** 2 / 20 for one in expected)
        assert (chi_square - len(expected) + 1) / sqrt(2 * (len(expected) - 1)) < 5
        compared += 1
        narrow += any(limit & state.deck != state.deck for limit in record.limits)
        if compared == 10:
            break
    assert (compared, narrow > 5) == (10, True)


def test_a_spade_led_too_early_shows_a_hand_of_spades():
    model, state = position("2s 3s 9s", "4d 5d 6d", "6c 7c Ah", "8c 9c Kh")
    play(model, state, "2s")
    assert state.may_hold[0] == SUIT[SPADES]
    assert all(state.observation(1, Rng(seed)).hands[0] & ~SUIT[SPADES] == 0 for seed in range(40))


def test_who_does_not_follow_suit_has_none():
    model, state = position("2c 3c 9s", "4d 5d 6d", "6c 7c Ah", "8c 9c Kh")
    play(model, state, "2c 4d")
    assert all(not state.observation(2, Rng(seed)).hands[1] & SUIT[0] for seed in range(40))
    assert "without clubs" in state.text(2)


def test_texts_show_the_own_hand_only():
    _model, state = position("2c 3c Qs", "4d 5d 6d", "6c 7c Ah", "8c 9c Kh")
    assert "hand 2c 3c Qs" in state.text(0)
    assert "Qs" not in state.text(1)
    assert sum(state.hands) & cards("Qs")


def test_nobody_has_seen_a_card_when_blind_bids_are_made():
    model, rng = make_game("spades:blind_nil=true"), Rng(2)
    asked = 0
    for state, _record in games("spades:blind_nil=true", 3):
        if state.phase == BLIND:
            assert state.hands == [0] * 4
            assert state.observation(0, rng).hands == [0] * 4
            assert len(model.available_actions(state)) == 2
            asked += 1
        if asked == 20:
            break
