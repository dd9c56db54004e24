"""What observations of 7 Wonders deal again: all that fits what a player has seen, by enumeration of small games."""

from collections import Counter
from itertools import permutations
from math import sqrt

import pytest
from seven_wonders_positions import act, hand, kind, names_in, position, turn

from tag import Rng, make_game
from tag.games.drafts.seven_wonders.data import NAMES, STAGE, WITH_POWER, kinds_in

SMALL = {
    "Age I": (
        0,
        (("Altar", "Baths", "Loom"), ("Press", "Theater", "Clay Pool"), ("Stockade", "Workshop", "Barracks")),
        (),
    ),
    "not all dealt": (
        0,
        (("Altar", "Baths", "Loom"), ("Press", "Theater", "Mine"), ("Tavern", "Pawnshop", "Barracks")),
        ("Stone Pit",),
    ),
    "one guild out": (
        2,
        (("Haven", "Palace", "Spies Guild"), ("Study", "Senate", "Arena"), ("Gardens", "Lodge", "Workers Guild")),
        ("Traders Guild",),
    ),
}


def surprise(found, expected):
    """Return by how many standard deviations a chi-square exceeds its mean, all of ``expected`` being as likely."""
    assert set(found) <= set(expected)
    mean = sum(found.values()) / len(expected)
    chi_square = sum((found[one] - mean) ** 2 / mean for one in expected)
    return (chi_square - len(expected) + 1) / sqrt(2 * max(len(expected) - 1, 1))


class Witness:
    """What has become of the cards of each hand, turn by turn, and what each player has seen of it.

    A hand is the sequence of the cards taken from it, and then the rest.
    """

    def __init__(self, age, state):
        self.age, self.step = age, -1 if age == 1 else 1
        self.taken = {one: [] for one in range(3)}
        self.open = set()
        self.saw = {(viewer, viewer, 0): frozenset(names_in(state, viewer)) for viewer in range(3)}
        self.own = {}

    def holder(self, origin, time):
        return (origin + time * self.step) % 3

    def note(self, time, names, are_open, state):
        """Note the cards that the seats have taken in a turn, and the hands that they hold after it."""
        for origin in range(3):
            seat = self.holder(origin, time)
            self.taken[origin].append(names[seat])
            self.own[seat, origin, time] = names[seat]
            if are_open[seat]:
                self.open.add((origin, time))
            holder = self.holder(origin, time + 1)
            self.saw[holder, origin, time + 1] = frozenset(names_in(state, holder))

    def fits(self, viewer, hands):
        """Say whether hands, each a sequence, can be true for a viewer."""
        for origin, cards in enumerate(hands):
            for time, name in enumerate(self.taken[origin]):
                is_known = (origin, time) in self.open or (viewer, origin, time) in self.own
                if is_known and cards[time] != name:
                    return False
            for time in range(len(self.taken[origin]) + 1):
                seen = self.saw.get((viewer, origin, time))
                if seen is not None and frozenset(cards[time:]) != seen:
                    return False
        return True


def as_key(hands, deck, turns):
    """Return a deal: the cards taken from each hand in order, the rest of each, and the cards that were not dealt."""
    return (*[(tuple(cards[:turns]), frozenset(cards[turns:])) for cards in hands], frozenset(deck))


def possible(witness, viewer, cards, n_deck, turns):
    """Return all deals that fit, by going through all orders of the cards that are not certain."""
    own = witness.saw[viewer, viewer, 0]
    others = [name for name in cards if name not in own]
    found = set()
    for mine in permutations(sorted(own)):
        for order in permutations(others):
            rest = [order[:3], order[3:6]]
            hands = [mine if one == viewer else rest.pop(0) for one in range(3)]
            deck = order[6:]
            is_legal = all("Guild" in name for name in deck) if n_deck and witness.age == 2 else True
            if is_legal and witness.fits(viewer, hands):
                found.add(as_key(hands, deck, turns))
    return found


def seen_in(state, witness, turns):
    """Return the deal of an observation."""
    hands = {origin: list(taken) for origin, taken in witness.taken.items()}
    for entry in state.face_down:
        hands[entry >> 9 & 7][entry >> 12 & 7] = NAMES[entry & 127]
    for seat in range(3):
        hands[int(state.hand_at(seat))] += names_in(state, seat)
    deck = [NAMES[one] for one in kinds_in(witness.age, state.decks[witness.age])]
    return as_key([hands[origin] for origin in range(3)], deck, turns)


def one_turn(model, state, rng):
    """Have all choose at random, and return the cards and whether they lie open, by seat."""
    names, are_open = [""] * 3, [False] * 3
    for _seat in range(3):
        seat = int(state.current_player)
        action = rng.choice(model.available_actions(state))
        names[seat] = NAMES[action.card]
        are_open[seat] = action.number & 7 <= WITH_POWER
        assert action.number & 7 >= STAGE or are_open[seat]
        model.next(state, action, rng)
    return names, are_open


@pytest.mark.parametrize("viewer", range(3))
@pytest.mark.parametrize("set_up", SMALL)
@pytest.mark.flow
def test_deals_are_uniform_over_all_that_fit_what_was_seen(set_up, viewer):
    age, hands, deck = SMALL[set_up]
    compared = 0
    for seed in range(4):
        model, state = position(hands=hands, age=age, hand=3, guilds=6, coins=9)
        state.step = 0
        state.decks = tuple(hand(age, *deck) if one == age else 0 for one in range(3))
        witness, rng = Witness(age, state), Rng(seed)
        cards = sorted(name for names in (*hands, deck) for name in names)
        for turns in range(2):
            expected = possible(witness, viewer, cards, len(deck), turns)
            assert seen_in(state, witness, turns) in expected
            draws = 25 * len(expected)
            if draws <= 4000:
                found = Counter(seen_in(state.observation(viewer, rng), witness, turns) for _draw in range(draws))
                assert surprise(found, expected) < 4.5
                compared += 1
            if turns == 0:
                names, are_open = one_turn(model, state, rng)
                witness.note(turns, names, are_open, state)
    assert compared >= 4


def test_a_hand_passed_on_is_known_but_for_what_was_taken_face_down():
    model, state = position(cards=7)
    mine = names_in(state, 0)
    turn(model, state)
    assert names_in(state, 1) == mine[1:]
    assert state.knows_hand(0, 1)
    assert not state.knows_hand(0, 2)
    turn(model, state)
    assert not state.knows_hand(0, 2), "player 1 has discarded one of its cards"
    seen = set()
    for seed in range(60):
        guess = state.observation(0, Rng(seed))
        taken = [NAMES[entry & 127] for entry in guess.face_down if entry >> 9 & 7 == 0]
        assert sorted([*taken, *names_in(guess, 2)]) == mine
        seen.add(taken[1])
    assert seen == set(mine[1:])


def test_a_hand_that_returns_shows_what_is_missing():
    model, state = position(cards=7)
    state.step = 0
    for _turn in range(3):
        turn(model, state)
    missing = [entry for entry in state.face_down if entry >> 9 & 7 == 0]
    assert len(missing) == 3
    pairs = Counter()
    for seed in range(200):
        guess = state.observation(0, Rng(seed))
        taken = tuple(entry & 127 for entry in guess.face_down if entry >> 9 & 7 == 0)
        assert guess.hands[0] == state.hands[0]
        assert set(taken) == {entry & 127 for entry in missing}
        pairs[taken] += 1
    assert len(pairs) == 2, "either of the two others can have taken either card"
    assert abs(pairs.most_common(1)[0][1] - 100) < 40


def test_who_looks_through_the_discards_knows_them():
    wonders = ("Halicarnassus B", "Giza A", "Rhodes A")
    hands = (("Altar", "Theater", "Loom"), ("Baths", "Clay Pool", "Stone Pit"), ("Stockade", "Marketplace", "Press"))
    model, state = position(("Foundry",), wonders=wonders, hands=hands)
    turn(model, state, "lay Altar under the wonder", "discard Baths", "discard Press")
    for seed in range(20):
        assert state.observation(0, Rng(seed)).discarded() == [kind("Baths"), kind("Press")]
    guesses = {tuple(state.observation(1, Rng(seed)).discarded()) for seed in range(40)}
    assert {guess[0] for guess in guesses} == {kind("Baths")}
    assert len({guess[1] for guess in guesses}) == 3, "its hand has been seen"
    act(model, state, "build Press from the discards")
    assert state.observation(2, Rng(1)).has_built(0, kind("Press"))
    assert len(state.observation(2, Rng(1)).discarded()) == 1


def test_choices_of_others_are_drawn_again_from_what_is_possible():
    model, state = position()
    act(model, state, f"discard {names_in(state, 0)[0]}")
    found = Counter()
    for seed in range(300):
        guess = state.observation(1, Rng(seed))
        assert guess.chosen[0] in guess.options(0)
        found[guess.hands[0]] += 1
    assert len(found) > 50
    assert state.observation(0, Rng(1)).chosen[0] == state.chosen[0]


@pytest.mark.flow
@pytest.mark.parametrize("n_players", range(3, 8))
def test_no_observation_contradicts_what_is_certain(n_players):
    """All cards of an age are somewhere, hands seen keep their cards, and what is public stays."""
    model = make_game("seven_wonders")
    for seed in range(2):
        rng = Rng(seed)
        state = model.setup(n_players, rng)
        while not state.is_terminal:
            for viewer in range(n_players):
                guess = state.observation(viewer, rng)
                assert guess.knowledge(viewer) == state.knowledge(viewer)
                assert _all_cards(guess) == _all_cards(state)
            actions = model.available_actions(state)
            model.next(state, actions[rng.below(len(actions))], rng)


def _all_cards(state):
    found = Counter(entry & 127 for entry in state.face_down)
    for seat in range(state.n_players):
        found.update(kinds_in(state.age, state.hands[seat]))
        found.update(one for one in range(len(NAMES)) if state.has_built(seat, one))
    for age in range(3):
        found.update(kinds_in(age, state.decks[age]))
    return found
