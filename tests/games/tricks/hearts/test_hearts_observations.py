"""What players of Hearts know: deals fit passed cards, voids and forced plays, and each deal that fits is as likely."""

from collections import Counter
from itertools import combinations
from math import sqrt

import pytest
from hearts_positions import cards, passing, play, position

from tag import Rng, make_game
from tag.engine.rules.tricks import BIT, HEARTS, SUIT, cards_in
from tag.games.tricks.hearts.data import PASSING, PLAYING, POINTS

pytestmark = pytest.mark.flow

SMALL = "hearts:ranks=4,goal=500"


def subsets(held, number):
    return [sum(BIT[card] for card in chosen) for chosen in combinations(cards_in(held), number)]


class Record:
    """What is certain of the hands, kept from the actions alone, apart from the state."""

    def __init__(self, state):
        self.n = state.n_players
        self.hands = state.round
        self.limits = [(1 << 52) - 1] * self.n
        self.played = [0] * self.n
        self.order = []
        self.broken = False

    def follow(self, state, action):
        """Note what an action in ``state``, the position before it, shows."""
        seat, bit = int(state.current_player), BIT[action.card]
        if state.phase != PLAYING:
            return
        first = len(self.order) < self.n
        at = len(self.order) % self.n
        led = self.order[-at][1] if at else action.card // 13
        if action.card // 13 != led:
            self.limits[seat] &= ~SUIT[led]
            if first and bit & POINTS:
                self.limits[seat] &= POINTS
        elif at == 0 and led == HEARTS and not self.broken:
            self.limits[seat] &= SUIT[HEARTS]
        self.broken = self.broken or led == HEARTS or bit & SUIT[HEARTS] != 0
        self.order.append((seat, action.card // 13))
        self.played[seat] |= bit

    def allows(self, state, viewer, hands, passed):
        """Say whether hands and passes fit what ``viewer`` knows in ``state``."""
        for seat in range(self.n):
            held = hands[seat] | self.played[seat]
            if seat == viewer and hands[seat] != state.hands[seat]:
                return False
            if hands[seat] & ~self.limits[seat] or hands[seat].bit_count() != state.hands[seat].bit_count():
                return False
            if state.phase == PASSING:
                if passed[seat] & ~hands[seat]:
                    return False
            elif state.shift:
                source = (seat - state.shift) % self.n
                if passed[source] & ~held or (viewer in (seat, source) and passed[source] != state.passed[source]):
                    return False
        opening = state.deck & SUIT[0] & -(state.deck & SUIT[0])
        return state.phase == PASSING or bool(self.order) or hands[state.current_player] & opening != 0


def games(spec, n_players, seed):
    """Yield the positions of random games with their records, without end."""
    model, rng = make_game(spec), Rng(seed)
    while True:
        state = model.setup(n_players, rng)
        record = Record(state)
        while not state.is_terminal:
            yield state, record
            action = model.random_action(state, rng)
            record.follow(state, action)
            model.next(state, action, rng)
            if state.round != record.hands:
                record = Record(state)


@pytest.mark.parametrize(("n_players", "number"), [(3, 2_500), (4, 3_500), (5, 2_000), (6, 2_000)])
def test_ten_thousand_observations_contradict_nothing_that_is_certain(n_players, number):
    rng = Rng(n_players)
    for looked, (state, record) in enumerate(games("hearts:goal=500", n_players, n_players)):
        viewer = looked % n_players
        seen = state.observation(viewer, rng)
        assert record.allows(state, viewer, seen.hands, seen.passed)
        assert sum(seen.hands) == sum(state.hands)
        assert (seen.played, seen.taken, seen.points) == (state.played, state.taken, state.points)
        assert tuple(record.limits) == state.may_hold
        if looked == number:
            break


def fitting(state, record, viewer):
    """Return all hands and passes that fit what ``viewer`` knows."""
    pool = sum(hand for seat, hand in enumerate(state.hands) if seat != viewer)
    found = []

    def deal(seat, left, hands):
        if seat == state.n_players:
            found.extend((tuple(hands), chosen) for chosen in passes(hands))
        elif seat == viewer:
            deal(seat + 1, left, [*hands, state.hands[seat]])
        else:
            for hand in subsets(left, state.hands[seat].bit_count()):
                deal(seat + 1, left ^ hand, [*hands, hand])

    def passes(hands):
        chosen = [()]
        for seat in range(state.n_players):
            target = seat if state.phase == PASSING else (seat + state.shift) % state.n_players
            number = state.passed[seat].bit_count()
            chosen = [
                (*before, one) for before in chosen for one in subsets(hands[target] | record.played[target], number)
            ]
        own = state.passed[viewer]
        return [one for one in chosen if one[viewer] == own and record.allows(state, viewer, hands, one)]

    deal(0, pool, [])
    return found


def surprise(expected, found):
    """Return by how many standard deviations the chi-square of the observations ``found`` exceeds its mean."""
    each = sum(found.values()) / len(expected)
    assert found.keys() <= set(expected)
    chi_square = sum((found[one] - each) ** 2 / each for one in expected)
    return (chi_square - len(expected) + 1) / sqrt(2 * (len(expected) - 1))


@pytest.mark.parametrize(
    ("n_players", "rules", "phase"),
    [
        (3, "pass_cards=1", PASSING),
        (3, "pass_cards=1", PLAYING),
        (4, "pass_cards=1", PLAYING),
        (4, "passing=none", PLAYING),
        (5, "passing=none", PLAYING),
    ],
)
def test_all_deals_and_passes_that_fit_are_as_likely(n_players, rules, phase):
    """Of hands that have not been played to the end; where all have passed, of the last cards only."""
    rng, compared, narrow = Rng(5), 0, 0
    for looked, (state, record) in zip(
        range(3_000), games(f"{SMALL},{rules}", n_players, 20 + n_players), strict=False
    ):
        viewer = looked % n_players
        size = sum(hand.bit_count() for seat, hand in enumerate(state.hands) if seat != viewer)
        if state.phase != phase or size > (10 if phase == PASSING else 8) or looked % (1 if phase == PASSING else 3):
            continue
        expected = fitting(state, record, viewer)
        if not 3 <= len(expected) <= (1_300 if phase == PASSING else 300):
            continue
        observed = [state.observation(viewer, rng) for _look in range(20 * len(expected))]
        found = Counter((tuple(seen.hands), seen.passed) for seen in observed)
        assert surprise(expected, found) < 5
        compared += 1
        narrow += any(limit & state.deck != state.deck for limit in record.limits) or state.is_unresolved()
        if compared == 4:
            break
    assert compared == 4
    assert narrow > 1


def test_the_passer_knows_where_the_cards_are_until_they_are_played():
    model, state = passing("Qs 2c 5d", "3c 4d 6h", "4c 7d 8h", "5c 9d Th", pass_cards=1)
    play(model, state, "Qs 3c 4c 5c")
    for seed in range(20):
        seen = state.observation(0, Rng(seed))
        assert seen.hands[1] & cards("Qs")
        assert seen.passed[0] == cards("Qs")
    dealt = {state.observation(3, Rng(seed)).hands[1] & cards("Qs") for seed in range(30)}
    assert len(dealt) == 2, "others do not know"


def test_what_two_others_have_passed_to_each_other_is_not_known():
    model, state = passing("Qs 2c 5d", "3c 4d 6h", "4c 7d 8h", "5c 9d Th", pass_cards=1)
    play(model, state, "Qs 3c 4c 5c")
    assert len({state.observation(0, Rng(seed)).passed[1] for seed in range(40)}) > 4
    assert {state.observation(0, Rng(seed)).passed[3] for seed in range(40)} == {cards("5c")}, "player 0 got it"


def test_who_does_not_follow_suit_has_none():
    model, state = position("2c 3c 9s", "4d 5d 6d", "6c 7c Ah", "8c 9c Kh")
    play(model, state, "2c 4d 6c 8c")
    assert all(not state.observation(0, Rng(seed)).hands[1] & SUIT[0] for seed in range(40))


def test_a_heart_led_too_early_shows_a_hand_of_hearts():
    model, state = position("2h 3h 9h", "4d 5d 6d", "6c 7c Ah", "8c 9c Kh")
    play(model, state, "2h")
    assert all(state.observation(1, Rng(seed)).hands[0] & ~SUIT[HEARTS] == 0 for seed in range(40))
    assert state.may_hold[0] == SUIT[HEARTS]


def test_a_point_in_the_first_trick_shows_a_hand_of_points():
    model, state = position("2c 3c 9s", "4h 5h Qs", "6c 7c Ah", "8c 9c Kh", tricks=0)
    play(model, state, "2c 4h")
    assert state.may_hold[1] == POINTS
    assert all(state.observation(2, Rng(seed)).hands[1] & ~POINTS == 0 for seed in range(40))


def test_who_has_the_lead_has_the_two_of_clubs():
    model = make_game("hearts:passing=none")
    state = model.setup(4, Rng(1))
    holder = int(state.current_player)
    viewer = (holder + 1) % 4
    assert all(state.observation(viewer, Rng(seed)).hands[holder] & 1 for seed in range(40))


def test_texts_show_the_own_hand_and_choices_only():
    _model, state = passing("Qs 2c 5d", "3c 4d 6h", "4c 7d 8h", "5c 9d Th", pass_cards=2)
    state.choose(cards("Qs"))
    assert "hand 2c 5d Qs (passes Qs)" in state.text(0)
    assert "Qs" not in state.text(1)
    action = make_game("hearts").passes[50]
    assert [action.text(state, viewer) for viewer in (0, 1)] == [str(action), "pass a card"]
