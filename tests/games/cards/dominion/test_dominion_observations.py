"""Dominion: what players know of each other's cards, how the rest is dealt again, and views."""

from collections import Counter
from itertools import permutations
from math import sqrt

import pytest
from dominion_by_the_book import COINS, Unseen
from dominion_positions import cards, hand, known, names_of, play, position, top
from play.valuing import features_of, vector_of
from test_dominion_games import View, play_beside_the_book

from tag.components import Deck
from tag.engine.rng import Rng
from tag.games.cards.dominion import Dominion, DominionParameters
from tag.games.cards.dominion.data import BUY, DISCARDS, HAND, KNOWN, OPEN, OWNED, WAY

pytestmark = pytest.mark.flow


def names(state, seat, zone=HAND):
    return tuple(sorted(names_of(cards(state, seat, zone).replace("none", ""))))


def drawn(state, viewer, seat, number):
    """Return how often observations have each hand and top of the deck of ``seat``."""
    rng = Rng(3)
    found = Counter()
    for _draw in range(number):
        seen = state.observation(viewer, rng)
        assert names(seen, seat, OWNED) == names(state, seat, OWNED)
        found[names(seen, seat), tuple(View(seen).entries(seen.tops[seat]))] += 1
    return found


def arrangements(hidden, in_hand, from_hand=0, from_pile=0, certain=""):
    """Return the probability of each hand and top, if each arrangement of the hidden cards is as likely.

    ``certain`` cards are in the hand or among the ``from_hand`` first cards on top; equal cards are told apart meanwhile.
    """
    deck = names_of(hidden)
    wanted = Counter(names_of(certain))
    found = Counter()
    size = in_hand + from_hand + from_pile
    for order in permutations(range(len(deck)), size):
        held = [deck[card] for card in order[:in_hand]]
        tops = [deck[card] for card in order[in_hand:]]
        if not wanted - Counter(held + tops[:from_hand]) and certain_is_first(deck, order, in_hand + from_hand, wanted):
            found[tuple(sorted(held)), tuple(tops)] += 1
    total = sum(found.values())
    return {deal: count / total for deal, count in found.items()}


def certain_is_first(deck, order, group, wanted):
    """Say whether the first cards of each kind that is certain are in the group: these are the ones that all have seen."""
    for name, number in wanted.items():
        places = [place for place, card in enumerate(deck) if card == name][:number]
        if not set(places) <= set(order[:group]):
            return False
    return True


def assert_as_likely(found, expected):
    """Compare numbers of draws with probabilities; a false alarm has less than one chance in 10,000."""
    draws = sum(found.values())
    assert set(found) == set(expected)
    for value, probability in expected.items():
        mean = draws * probability
        assert abs(found[value] - mean) < 5 * sqrt(mean * (1 - probability)) + 1e-9


# --- probabilities, against enumeration ---------------------------------------------------------------------------------


def test_an_unseen_hand_is_dealt_from_all_hidden_cards():
    _model, state = position({"hand": "Village"}, {"hand": "Copper, Estate, Curse", "deck": "2 Copper, Gold, Estate"})
    expected = arrangements("3 Copper, 2 Estate, Curse, Gold", 3)
    assert_as_likely(drawn(state, 0, 1, 6_000), expected)


def test_cards_drawn_before_a_shuffle_are_known():
    """The two cards of the deck are drawn, then the discards are shuffled: they must be in hand."""
    player = {"hand": "Estate", "deck": "Duchy, Curse", "discards": "2 Estate, 2 Curse, Duchy, Estate"}
    model, state = position(player, {"hand": "Village"}, hand_size=4)
    play(model, state, "end the turn")
    assert known(state) == "Duchy, Curse"
    expected = arrangements("2 Duchy, 3 Curse, 4 Estate", 4, certain="Duchy, Curse")
    assert_as_likely(drawn(state, 1, 0, 6_000), expected)


def test_a_card_put_back_by_an_artisan_is_any_of_the_hand():
    player = {"hand": "Festival, Artisan, Village, Estate, Curse", "deck": "Curse, Copper"}
    model, state = position(player, {"hand": "Village"})
    play(model, state, "play Festival", "play Artisan", "gain Duchy", "put Estate on the deck")
    assert (hand(state), top(state), known(state)) == ("Duchy, Curse, Village", "Estate", "Duchy")
    expected = arrangements("Duchy, 2 Curse, Village, Copper, Estate", 3, from_hand=1, certain="Duchy")
    assert_as_likely(drawn(state, 1, 0, 8_000), expected)


def test_cards_put_back_by_a_sentry_are_any_of_the_deck():
    player = {"hand": "Sentry, Village", "deck": "Curse, Copper, 2 Estate", "top": "Gold"}
    model, state = position(player, {"hand": "Village"})
    play(model, state, "play Sentry", "choose no card", "choose no card")
    while len(state.tops[0]) < 2:
        play(model, state, str(model.available_actions(state)[0]))
    assert known(state) == "Gold"
    expected = arrangements("Gold, Village, Curse, Copper, 2 Estate", 2, from_pile=2, certain="Gold")
    assert_as_likely(drawn(state, 1, 0, 8_000), expected)


def test_in_the_buy_phase_no_treasure_is_in_hand():
    _model, state = position({"hand": "2 Copper, 2 Estate", "deck": "5 Silver, Curse, Duchy"}, {"hand": "Village"})
    assert state.phase == BUY
    assert_as_likely(drawn(state, 1, 0, 4_000), arrangements("2 Estate, Curse, Duchy", 2))


def test_the_owner_knows_the_hand_and_what_was_put_back():
    player = {"hand": "Festival, Artisan, Village, Estate, Curse", "deck": "Curse, Copper"}
    model, state = position(player, {"hand": "Village"})
    play(model, state, "play Festival", "play Artisan", "gain Duchy", "put Estate on the deck")
    assert set(drawn(state, 0, 0, 50)) == {(names(state, 0), ("Estate",))}


# --- what is known ------------------------------------------------------------------------------------------------------


def test_a_victory_card_put_back_for_a_bureaucrat_is_known():
    model, state = position({"hand": "Bureaucrat"}, {"hand": "Estate, 3 Copper", "deck": "5 Curse"}, {"hand": "Moat"})
    play(model, state, "play Bureaucrat", "choose no card", "choose no card", "put Estate on the deck")
    assert {tops for _hand, tops in drawn(state, 2, 1, 50)} == {("Estate",)}
    assert len(drawn(state, 2, 1, 50)) > 1


def test_a_hand_shown_to_a_bureaucrat_is_known():
    model, state = position({"hand": "Bureaucrat"}, {"hand": "2 Copper, Curse", "deck": "5 Estate"})
    play(model, state, "play Bureaucrat", "show a hand without victory cards")
    assert known(state, 1) == "2 Copper, Curse"
    assert set(drawn(state, 0, 1, 50)) == {(("Copper", "Copper", "Curse"), ())}


def test_a_moat_revealed_is_known():
    model, state = position({"hand": "Witch"}, {"hand": "2 Moat, Copper", "deck": "5 Estate"})
    play(model, state, "play Witch", "reveal Moat")
    assert known(state, 1) == "Moat"
    assert all("Moat" in held for held, _tops in drawn(state, 0, 1, 50))


def test_a_moat_that_is_not_revealed_is_not_known():
    model, state = position({"hand": "Witch"}, {"hand": "Moat, Copper", "deck": "5 Estate"})
    play(model, state, "play Witch", "choose no card")
    assert known(state, 1) == "none"


def test_an_open_card_on_the_deck_is_known_in_the_hand_that_draws_it():
    model, state = position({"hand": "Estate", "top": "Gold", "deck": "9 Copper"}, {"hand": "Village"})
    play(model, state, "end the turn")
    assert known(state) == "Gold"


def test_a_known_card_that_is_played_is_known_no_longer():
    player = {"hand": "Festival, Artisan, Estate", "deck": "5 Copper"}
    model, state = position(player, {"hand": "Village"}, supply={"Laboratory": 10})
    play(model, state, "play Festival", "play Artisan", "gain Laboratory", "put Estate on the deck", "play Laboratory")
    assert known(state) == "none"


def test_a_card_looked_at_for_a_library_is_not_known():
    model, state = position({"hand": "Library, Estate", "deck": "Moat, Copper, Gold, Curse"}, {"hand": "Village"})
    play(model, state, "play Library")
    rng = Rng(1)
    seen = {View(other).entries(other.looked)[0] for other in (state.observation(1, rng) for _draw in range(200))}
    assert seen == {"Moat", "Copper", "Gold", "Curse", "Estate"}
    assert "looked at: ?" in state.text(1)
    assert "looked at: ?" not in state.text(0)


def test_of_two_cards_put_back_others_forget_which_is_which():
    model, state = position(
        {"hand": "Sentry, Village", "top": "Gold, Estate, Curse", "deck": "Copper"}, {"hand": "Village"}
    )
    play(model, state, "play Sentry", "choose no card", "choose no card", "put Estate on the deck")
    assert all(entry & WAY != OPEN for entry in state.tops[0])
    model, state = position({"hand": "Sentry, Village", "top": "2 Gold, Curse", "deck": "Copper"}, {"hand": "Village"})
    play(model, state, "play Sentry", "choose no card", "choose no card")
    assert all(entry & WAY == OPEN for entry in state.tops[0])


# --- what is certain, by a record of its own ----------------------------------------------------------------------------


def assert_facts_hold(book, seen, viewer):
    """Compare an observation with what lies open and with the cards that must be in hands, by the book."""
    view = View(seen)
    for seat, player in enumerate(book.players):
        entries = seen.tops[seat]
        found = view.entries(entries)
        assert Counter(player.discards) == view.zone(seat, DISCARDS)
        assert len(player.hand) == sum(view.zone(seat, HAND).values())
        looked = view.entries(seen.looked) if seat == book.looker else []
        assert Counter(book.cards_of(player)) == view.zone(seat, OWNED)
        hidden = view.zone(seat, HAND) + view.pile(seat) + Counter(found) + Counter(looked)
        assert hidden == Counter(player.hand + player.deck + player.top + (book.looked if seat == book.looker else []))
        assert len(found) == len(player.top)
        for name, card, entry in zip(found, player.top, entries, strict=True):
            assert (entry & WAY == OPEN) == (not isinstance(card, Unseen))
            if seat == viewer or entry & WAY == OPEN:
                assert name == card
        if seat == viewer:
            assert Counter(player.hand) == view.zone(seat, HAND)
        unseen = Counter(name for name, entry in zip(found, entries, strict=True) if entry & WAY != OPEN)
        assert not Counter(player.sure) - view.zone(seat, HAND) - unseen - Counter(looked)
        if seen.phase == BUY and seat == seen.turn_player:
            assert not view.zone(seat, HAND) & Counter(COINS)


@pytest.mark.parametrize("kingdom", ["deck_top", "silver_and_gold", "random"])
def test_observations_contradict_nothing_that_is_certain(kingdom):
    rng, certain = Rng(8), 0

    def look(book, state):
        nonlocal certain
        for viewer in range(state.n_players):
            assert_facts_hold(book, state.observation(viewer, rng), viewer)
        certain += sum(len(player.sure) for player in book.players)

    for seed in range(4):
        play_beside_the_book(kingdom, 2 + seed % 3, 50 + seed, look)
    assert certain > 300


def test_cards_known_are_those_of_the_record():
    """Each card that must be in a hand is kept there, and no card is taken for known that is not."""
    compared = 0

    def look(book, state):
        nonlocal compared
        for seat, player in enumerate(book.players):
            if not any(isinstance(card, Unseen) for card in player.top + book.looked):
                assert Counter(player.sure) == View(state).zone(seat, KNOWN)
                compared += 1

    for seed in range(8):
        play_beside_the_book("random", 2 + seed % 3, 90 + seed, look)
    assert compared > 1_000


def test_random_games_keep_all_cards_in_components():
    model, rng = Dominion(DominionParameters(kingdom="deck_top")), Rng(2)
    state = model.setup(3, rng)
    total = Counter(card.name for deck in state.components() if isinstance(deck, Deck) for card in deck.items)
    assert total == View(state).names(state.supply_basic, state.supply_kingdom) + Counter(Copper=21, Estate=9)
    while not state.is_terminal:
        model.next(state, model.random_action(state, rng), rng)
        decks = [deck for deck in state.components() if isinstance(deck, Deck)]
        assert total == Counter(card.name for deck in decks for card in deck.items)


# --- views --------------------------------------------------------------------------------------------------------------


def test_what_is_put_back_unseen_is_named_to_its_owner_only():
    model, state = position({"hand": "Artisan, Estate"}, {"hand": "Village"})
    play(model, state, "play Artisan", "gain Duchy")
    action = model.available_actions(state)[0]
    assert [action.text(state, viewer) for viewer in (-1, 0, 1)] == [
        *["put Estate on the deck"] * 2,
        "put a card on the deck",
    ]
    model, state = position({"hand": "Harbinger", "deck": "Curse", "discards": "Gold"}, {"hand": "Village"})
    play(model, state, "play Harbinger")
    assert model.available_actions(state)[0].text(state, 1) == "put Gold on the deck"


def test_text_shows_hands_to_their_owners():
    _model, state = position({"hand": "Village, Gold"}, {"hand": "Duchy, Curse"})
    assert "hand Gold, Village" in state.text(0)
    assert "hand 2 cards" in state.text(0)
    assert "hand Duchy, Curse" in state.text(1)
    assert "hand Duchy, Curse" in state.text(-1)
    assert "hand Duchy, Curse" not in state.text(0)


def test_features_have_the_own_hand_and_all_decks():
    _model, state = position(
        {"hand": "Village, Gold", "deck": "Duchy"}, {"hand": "2 Copper, Curse", "discards": "Province"}
    )
    found = features_of(state, 1)
    assert (found["hand_copper"], found["hand_gold"], found["owned_gold_1"], found["money_1"]) == (2, 0, 1, 3)
    assert (found["points_0"], found["points_1"], found["cards_0"], found["hand_size_1"]) == (5, 3, 4, 2)
    assert found["supply_province"] == 8
    assert list(found.values()) == vector_of(state, 1)
