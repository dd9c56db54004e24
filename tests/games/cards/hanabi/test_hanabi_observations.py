"""What players of Hanabi know: deals of the own hand fit all hints, and each deal that fits is as likely."""

from collections import Counter
from itertools import product
from math import sqrt

import pytest
from hanabi_positions import act, cards, discard, marks, play, position, tell

from tag import Rng, make_game
from tag.games.cards.hanabi.actions import Tell
from tag.games.cards.hanabi.data import EMPTY, MOST_COLOURS, ONE, size_of
from tag.games.cards.hanabi.state import count_deals
from tag.table.events import event_text

pytestmark = pytest.mark.flow

SMALL = "hanabi:colours=2,ranks=4,hand_2=4,hints=6"
N_CARDS = 30


def own(state, player):
    return state.hands[player * state.size : player * state.size + state.held(player)]


def deals(state, player):
    """Return all own hands that fit the marks, with the number of ways to deal each if equal cards differ."""
    pool = state.unseen(player)
    left = [pool >> 2 * card & 3 for card in range(N_CARDS)]
    first = player * state.size
    fitting = [
        [card for card in range(N_CARDS) if left[card] and state.marks[first + place] & ONE[card]]
        for place in range(state.held(player))
    ]
    found = {}
    for hand in product(*fitting):
        ways, rest = 1, left[:]
        for card in hand:
            ways *= rest[card]
            rest[card] -= 1
        if ways:
            found[hand] = ways
    return found


def surprise(ways, found):
    """Return by how many standard deviations the chi-square of the deals ``found`` exceeds its mean."""
    draws, total = sum(found.values()), sum(ways.values())
    assert found.keys() <= ways.keys()
    chi_square = sum((found[hand] - draws * n / total) ** 2 * total / (draws * n) for hand, n in ways.items())
    return (chi_square - len(ways) + 1) / sqrt(2 * (len(ways) - 1))


def marked_positions(spec, seed, most):
    """Yield positions of random games in which the player to move has from 3 to ``most`` hands."""
    model, rng = make_game(spec), Rng(seed)
    while True:
        state = model.setup(2, rng)
        while not state.is_terminal:
            player = int(state.current_player)
            if state.touched >> 8 * player & 255:
                ways = deals(state, player)
                if 3 <= len(ways) <= most:
                    yield state, player, ways
            hints = [one for one in model.available_actions(state) if isinstance(one, Tell)]
            action = rng.choice(hints) if hints and rng.below(2) else model.random_action(state, rng)
            model.next(state, action, rng)


@pytest.mark.parametrize("by_counting", [False, True], ids=["by draws", "by counting"])
def test_all_deals_that_fit_are_as_likely(by_counting):
    unequal, rng = 0, Rng(4)
    for compared, (state, player, ways) in enumerate(marked_positions(SMALL, 35, 60), 1):
        found = Counter()
        first = player * state.size
        for _draw in range(50 * len(ways)):
            seen = state.copy()
            if by_counting:
                seen._deal_by_counting(state.unseen(player), first, first + state.held(player), rng)
            else:
                seen.redeterminise(player, rng)
            found[tuple(own(seen, player))] += 1
        assert surprise(ways, found) < 5
        unequal += len(set(ways.values())) > 1
        if compared == 12:
            break
    assert unequal > 5, "deals that need weights"


def test_single_draws_are_as_likely_where_they_succeed():
    """Marks that overlap without one containing the other: red cards beside threes."""
    _model, state = position("r1 r3 y3 r2", "y1 y1 y2 y4", colours=2, ranks=4, hand_2=4)
    state.marks[:4] = [cards("r1 r2 r3 r4") * 3, cards("r3 y3") * 3, cards("r3 y3") * 3, cards("r1 r2 r3 r4") * 3]
    ways, rng, found = deals(state, 0), Rng(2), Counter()
    pool, tries = state.unseen(0), 0
    while sum(found.values()) < 60 * len(ways):
        tries += 1
        if state._deal(pool, 0, 4, rng):
            found[tuple(own(state, 0))] += 1
    assert surprise(ways, found) < 5
    assert tries < 2 * sum(found.values())


@pytest.mark.parametrize("seed", range(5))
def test_deals_are_counted_right(seed):
    for number, (state, player, ways) in enumerate(marked_positions(SMALL, seed, 200)):
        first = player * state.size
        assert count_deals(state.unseen(player), state.marks[first : first + state.held(player)]) == sum(ways.values())
        if number == 20:
            break


class Card:
    """A card in hand, with each hint given while it was there: what was named, and whether it was marked."""

    def __init__(self, number):
        self.number = number
        self.hints = []

    def may_be(self, card):
        return all(is_named(card, what) == marked for what, marked in self.hints)


def is_named(card, what):
    return card // 5 == what if what < MOST_COLOURS else card % 5 == what - MOST_COLOURS


def follow(hands, player, action, after):
    """Have the record of all hands follow an action; new cards are read from the position after it."""
    if isinstance(action, Tell):
        for card in hands[action.player]:
            card.hints.append((action.what, is_named(card.number, action.what)))
        return
    hands[player].pop(action.place)
    hands[player] += [Card(number) for number in own(after, player)[len(hands[player]) :]]


@pytest.mark.parametrize(("n_players", "number"), [(2, 700), (3, 400), (4, 300), (5, 200)])
def test_ten_thousand_observations_contradict_nothing_that_is_certain(n_players, number):
    """Two or three observations for each player in each position; 2,800, 2,400, 3,600 and 3,000."""
    model, rng = make_game("hanabi:third_fuse=points,fuses=8"), Rng(n_players)
    each = 2 if n_players < 4 else 3
    looked = 0
    while looked < number * each * n_players:
        state = model.setup(n_players, rng)
        hands = [[Card(number) for number in own(state, player)] for player in range(n_players)]
        while not state.is_terminal and looked < number * each * n_players:
            for viewer in range(n_players):
                for _look in range(each):
                    check_observation(state, state.observation(viewer, rng), viewer, hands)
                    looked += 1
            player = int(state.current_player)
            action = model.random_action(state, rng)
            model.next(state, action, rng)
            follow(hands, player, action, state)
    assert looked >= 2_400


def check_observation(state, seen, viewer, hands):
    for player, hand in enumerate(hands):
        dealt = own(seen, player)
        assert len(dealt) == len(hand)
        if player == viewer:
            assert all(card.may_be(number) for card, number in zip(hand, dealt, strict=True))
        else:
            assert dealt == [card.number for card in hand]
    held = sum(ONE[card] for card in seen.hands if card != EMPTY)
    assert seen.deck + held + seen.fireworks + seen.discards == state.full
    assert all(seen.deck >> 2 * card & 3 <= state.full >> 2 * card & 3 for card in range(N_CARDS))
    assert size_of(seen.deck) == size_of(state.deck)
    assert (seen.fireworks, seen.discards) == (state.fireworks, state.discards)


def test_a_card_that_must_be_one_is_that_one():
    model, state = position("r5 y1 g1 w1 b1", "r1 r1 r1 r2 r2", "r3 r3 r4 r4 y2")
    act(model, state, play(0))  # discarded in vain: player 0 has seen all red cards
    state.current_player = state.turn_player = 1
    act(model, state, tell(0, 1))
    dealt = {own(state.observation(0, Rng(seed)), 0)[0] for seed in range(100)}
    assert len(dealt) > 3
    assert all(card % 5 == 0 and card != 0 for card in dealt), "a 1, and no red one"


def test_a_hint_that_did_not_mark_a_card_counts():
    model, state = position("r1 y2 g3 w4 b5", "r2 r2 r3 r3 r4")
    state.current_player = state.turn_player = 1
    act(model, state, tell(0, "r"))
    dealt = [own(state.observation(0, Rng(seed)), 0) for seed in range(100)]
    assert all(hand[0] // 5 == 0 for hand in dealt)
    assert not any(card // 5 == 0 for hand in dealt for card in hand[1:])


def test_own_cards_are_hidden_and_shown_at_the_end():
    model, state = position("r1 r2 r3 r4 r5", "y1 y2 g3 g4 w5", fuses=1)
    assert "red" not in state.text(0).split("\n")[2]
    assert "red 5" in state.text(1).split("\n")[2]
    state.recording = True
    act(model, state, play(3))
    told = [event_text(event.known_to(0)) for event in state.announced if event.known_to(0)]
    assert told[0] == "player 0 plays red 4, which does not fit"
    assert told[-2].startswith("player 0 shows red 1, red 2, red 3, red 5")
    assert "red 5" in state.text(0).split("\n")[2]
    assert state.observation(0, Rng(1)).hands == state.hands


def test_events_tell_all_but_who_draws_what_is_drawn_and_what_a_hint_marks():
    model, state = position("r1 r2 r3 r4 r5", "y1 y2 g3 g4 w5", deck="b1 b2", hints=5)
    state.recording = True
    act(model, state, discard(0))
    drawn = [[event_text(event.known_to(viewer)) for event in state.announced][-1] for viewer in (0, 1)]
    assert drawn[0] == "player 0 draws a card"
    assert drawn[1].startswith("player 0 draws ")
    assert drawn[1] != drawn[0]
    act(model, state, tell(0, 3))
    assert event_text(state.announced[-1]) == "of player 0 these cards are 3: 2"
    assert marks(state, 0)[1] == "RYGWB3"
