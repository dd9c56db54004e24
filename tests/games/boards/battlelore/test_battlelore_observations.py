"""BattleLore: what players know of command cards, how the others are dealt again, and views."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb, sqrt

import pytest
from battlelore_positions import COMMAND, battle, cards, do, offered
from play.valuing import features_of, vector_of

from tag import packed_size
from tag.engine.rng import Draws, Rng
from tag.games.boards.battlelore import Battlelore, BattleloreParameters
from tag.games.boards.battlelore.actions import OrderAnyUnit, PlayCard
from tag.games.boards.battlelore.data import CARD_NAMES, N_CARDS, count, hex_name, listed

SMALL = {"flank_patrols": 1, "centre_patrols": 2, "flank_attacks": 1, "centre_attacks": 1, "wedges": 0, "hand_size": 2}


def observations(state, player, number=40, seed=1):
    rng = Rng(seed)
    return [state.observation(player, rng) for _each in range(number)]


def hands_from(pool, number):
    """Return the probability of each hand of so many cards from ``pool``, by the hypergeometric distribution."""
    ways = Counter(tuple(sorted(hand)) for hand in combinations(pool, number))
    return {hand: Fraction(ways[hand], comb(len(pool), number)) for hand in ways}


# --- deals ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [1, 2, 3])
def test_observations_deal_with_hypergeometric_probabilities(number):
    """By going through all draws of an observation."""
    pool = ["Wedge", "Wedge", "Patrol Left", "Attack Center", "Attack Center", "Attack Center"]
    _model, state = battle(
        "h3 A1", "G3 L9", phase=COMMAND, hands=(("Line Advance",), pool[:number]), deck=pool[number:]
    )
    found = Counter()
    draws = Draws()
    while True:
        seen = state.observation(0, draws.rng())
        hand = tuple(sorted(CARD_NAMES[card] for card in listed(seen.hands[1])))
        found[hand] += Fraction(draws.probability()).limit_denominator(1_000)
        assert seen.hands[0] == state.hands[0]
        assert seen.deck + seen.hands[1] == cards(*pool)
        if not draws.advance():
            break
    assert found == hands_from(pool, number)


def test_set_ups_deal_each_card_as_often_as_they_should():
    model, rng, games = Battlelore(), Rng(3), 3_000
    deck = model.parameters.deck()
    found = Counter()
    for _game in range(games):
        state = model.setup(2, rng)
        found.update((seat, card) for seat in range(2) for card in range(N_CARDS) if count(state.hands[seat], card))
    for card, copies in enumerate(deck):
        chance = 1 - comb(28 - copies, 4) / comb(28, 4)
        for seat in range(2):
            assert abs(found[seat, card] - games * chance) < 4.5 * sqrt(games * chance * (1 - chance))


# --- what is certain -----------------------------------------------------------------------------------------------------


class Witness:
    """Keeps, for one player, all sets of cards that the opponent can hold: an independent record of what is certain.

    It follows each possible hand through what is seen: cards drawn, cards played, and shuffles.
    """

    def __init__(self, deck, own, number):
        unseen = Counter(deck) - Counter(own)
        self.possible = {
            (hand, tuple(sorted((unseen - Counter(hand)).elements())))
            for hand in set(combinations(sorted(unseen.elements()), number))
        }

    def draws(self, discards):
        """The opponent draws an unseen card; the discards are shuffled if there is none."""
        found = set()
        for hand, left in self.possible:
            pile = left or tuple(sorted(discards))
            for card in set(pile):
                rest = list(pile)
                rest.remove(card)
                found.add((tuple(sorted((*hand, card))), tuple(rest)))
        self.possible = found

    def sees_own(self, card, discards):
        """The player draws this card."""
        found = set()
        for hand, left in self.possible:
            pile = list(left or sorted(discards))
            if card in pile:
                pile.remove(card)
                found.add((hand, tuple(pile)))
        self.possible = found

    def plays(self, card):
        found = set()
        for hand, left in self.possible:
            if card in hand:
                rest = list(hand)
                rest.remove(card)
                found.add((tuple(rest), left))
        self.possible = found


def check_against_witness(seed, turns):
    model, rng = Battlelore(BattleloreParameters(**SMALL, goal=9)), Rng(seed)
    deck = [card for card, copies in enumerate(model.parameters.deck()) for _copy in range(copies)]
    state = model.setup(2, rng)
    witnesses = [Witness(deck, listed(state.hands[seat]), 2) for seat in range(2)]
    for _turn in range(turns):
        player = int(state.current_player)
        before = None
        while not state.is_terminal and state.turn_player == player:
            action = model.random_action(state, rng)
            if isinstance(action, (PlayCard, OrderAnyUnit)):
                witnesses[1 - player].plays(int(action.card))
                before = state.hands[player] - cards(CARD_NAMES[action.card])
                discards = [*listed(state.discards), int(action.card)]
            model.next(state, action, rng)
        drawn = listed(state.hands[player] - before)
        if state.is_terminal and not drawn:
            return
        witnesses[1 - player].draws(discards)
        witnesses[player].sees_own(drawn[0], discards)
        for viewer in range(2):
            seen = {
                (tuple(listed(each.hands[1 - viewer])), tuple(listed(each.deck)))
                for each in observations(state, viewer, 150, seed)
            }
            assert (tuple(listed(state.hands[1 - viewer])), tuple(listed(state.deck))) in witnesses[viewer].possible
            assert seen <= witnesses[viewer].possible
            if len(witnesses[viewer].possible) < 12:
                assert seen == witnesses[viewer].possible
        if state.is_terminal:
            return


@pytest.mark.parametrize("seed", range(4))
def test_observations_deal_just_what_is_possible(seed):
    check_against_witness(seed, 14)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 140))
def test_observations_deal_just_what_is_possible_in_long_games(seed):
    check_against_witness(seed, 40)


def test_hands_are_known_when_the_discards_are_shuffled():
    """Ruling: the deck is empty then, so what is not discarded is in hand; what is played is no longer known."""
    hands = (("Wedge", "Patrol Left"), ("Attack Right", "Attack Right", "Wedge"))
    model, state = battle("h3 L1", "G3 L9", phase=COMMAND, hands=hands, deck=())
    state.discards = cards("Line Advance", "Patrol Center")
    do(model, state, "play Patrol Left")
    do(model, state, "end moves")
    assert state.known == (cards("Wedge"), cards(*hands[1]))
    assert {seen.hands[1] for seen in observations(state, 0)} == {state.hands[1]}
    assert len({seen.hands[0] for seen in observations(state, 1)}) == 3
    do(model, state, "play Attack Right")
    do(model, state, "end moves")
    assert state.known == (cards("Wedge"), cards("Attack Right", "Wedge"))
    assert len({seen.hands[1] for seen in observations(state, 0)}) > 1


def test_equal_knowledge_for_other_hidden_cards_only():
    _model, state = battle(
        "h3 A1", "G3 L9", phase=COMMAND, hands=(("Wedge",), ("Attack Left",)), deck=("Line Advance",)
    )
    _model, other = battle(
        "h3 A1", "G3 L9", phase=COMMAND, hands=(("Wedge",), ("Line Advance",)), deck=("Attack Left",)
    )
    assert state.knowledge(0) == other.knowledge(0)
    assert state.knowledge(1) != other.knowledge(1)
    assert state.text(0) == other.text(0)
    assert features_of(state, 0) == features_of(other, 0)
    assert state.text(1) != other.text(1)


# --- views ---------------------------------------------------------------------------------------------------------------


def test_a_player_sees_the_own_cards_and_those_of_the_other_that_are_known():
    _model, state = battle("h3 A1", "G2 L9", phase=COMMAND, hands=(("Wedge",), ("Attack Left", "Patrol Left")))
    state.known = (0, cards("Patrol Left"))
    assert state.text(0).splitlines()[-2:] == [
        "player 0  points 0  hand Wedge",
        "player 1  points 0  hand Patrol Left, ?",
    ]
    assert "Attack Left" in state.text(1)
    assert "Attack Left" in str(state)
    assert state.text(0).splitlines()[9] == "9  .  .  .  .  .  .  .  .  .  .  . G2"


def test_banners_and_orders_are_shown():
    _model, state = battle("h3 A1", "G2 L9", scenario="banners")
    assert state.text(-1).splitlines()[5].count("*") == 2
    (banners,) = [one for one in state.components() if one.name == "banners"]
    assert [hex_name(place) for place, item in enumerate(banners.contents()) if item == "banner"] == ["C5", "J5"]
    assert "Patrol Left, ordered: A1" in state.text(-1)


def test_features_are_those_of_the_own_side():
    model, rng = Battlelore(), Rng(2)
    state = model.setup(2, rng)
    mine, theirs = features_of(state, 0), features_of(state, 1)
    assert len(mine) == len(vector_of(state, 0)) == len(theirs)
    assert mine["row_of_0_0"] == 1.0
    assert sorted(mine[f"row_of_{unit}_0"] for unit in range(9)) == sorted(
        theirs[f"row_of_{unit}_0"] for unit in range(9)
    )
    assert mine["is_turn"] == 1.0
    assert theirs["is_turn"] == 0.0
    assert sum(mine[f"{name.lower().replace(' ', '_')}_0"] for name in CARD_NAMES) == 4
    state.damage(0, 3)
    assert (features_of(state, 0)["figures_of_0_0"], features_of(state, 0)["row_of_0_0"]) == (0.0, -1.0)


def test_features_and_components_agree_with_the_state():
    model, state = battle("h2 B3", "G3 L9", phase=COMMAND, hands=(("Wedge",), ("Attack Left", "Patrol Left")))
    state.known = (0, cards("Patrol Left"))
    parts = {part.name: part for part in state.components()}
    assert [card.name for card in parts["hand of 1"].items] == ["Patrol Left", "Attack Left"]
    assert len(parts["deck"].items) == packed_size(state.deck)
    assert parts["figures of unit 3"].value == 2
    assert offered(model, state) == ["play Wedge", "play Wedge to order any one unit"]


def test_actions_name_units_and_their_places():
    model, state = battle("h2 B3", "G3 L9", phase=COMMAND, hands=(("Wedge",), ()))
    do(model, state, "play Wedge")
    assert "move Blood Harvesters at B3 to B4" in offered(model, state)
    assert str(model.available_actions(state)[0]).startswith("move unit 3 to ")
