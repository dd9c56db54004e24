"""Exploding Kittens: cards get their place in the pile when a player first sees them, as likely as in a shuffled pile."""

from collections import Counter
from itertools import permutations

import pytest
from exploding_kittens_positions import (
    DEFUSE,
    KITTEN,
    MELON,
    NOPE,
    POTATO,
    SEE,
    SHUFFLE,
    SKIP,
    TACO,
    hand,
    observations,
    pile,
    position,
    random_positions,
    shown,
)
from scipy.stats import chi2_contingency, chisquare

from tag.engine.rng import Rng
from tag.games.cards.exploding_kittens import ExplodingKittens, ExplodingKittensParameters
from tag.games.cards.exploding_kittens.data import packed, size
from tag.games.cards.exploding_kittens.state import UNSEEN

#: The chance that a right game fails a test, were its seed drawn anew.
LEVEL = 1e-4


def assert_alike(one, other):
    """Assert that two counters come from one distribution; what is rare in both counts together."""
    common = [key for key in one | other if one[key] + other[key] >= 20]
    rows = [
        [*[found[key] for key in common], found.total() - sum(found[key] for key in common)] for found in (one, other)
    ]
    columns = [column for column in zip(*rows, strict=True) if sum(column)]
    assert len(columns) > 1
    assert chi2_contingency(columns).pvalue > LEVEL


def eager_deal(n_players, rng, early_defuses):
    """Return hands and pile, the top first, as players deal them: shuffle, deal, add kittens and Defuses, shuffle again."""
    rules = ExplodingKittensParameters()
    deck = rules.deck()
    spare = [DEFUSE] * rules.defuses_left(n_players)
    deck += spare if early_defuses else []
    rng.shuffle(deck)
    hands = [sorted([DEFUSE, *[deck.pop() for _card in range(7)]]) for _player in range(n_players)]
    deck += [KITTEN] * (n_players - 1) + ([] if early_defuses else spare)
    rng.shuffle(deck)
    return hands, deck


@pytest.mark.parametrize("early_defuses", [False, True])
@pytest.mark.parametrize("n_players", [2, 5])
def test_games_start_as_if_all_cards_were_shuffled(n_players, early_defuses):
    model = ExplodingKittens(ExplodingKittensParameters(early_defuses=early_defuses))
    rng = Rng(n_players)
    tops, nopes, pairs = [[Counter(), Counter()] for _statistic in range(3)]
    for _game in range(1500):
        state = model.setup(n_players, rng)
        lazy = [hand(state, player) for player in range(n_players)], shown(state, rng).deck[::-1]
        for which, (hands, cards) in enumerate([lazy, eager_deal(n_players, rng, early_defuses)]):
            tops[which][cards[0], min(cards[1], NOPE)] += 1
            nopes[which][*[cards.count(NOPE) for cards in hands], hands[-1].count(DEFUSE)] += 1
            pairs[which][min(hands[0][2:4]), hands[-1].count(TACO), cards.index(KITTEN) // 8] += 1
    for statistic in (tops, nopes, pairs):
        assert_alike(*statistic)


def test_cards_are_seen_drawn_and_shuffled_as_in_a_pile():
    rng = Rng(1)
    cards = [TACO, TACO, MELON, POTATO, KITTEN, SKIP]
    lazy, eager = Counter(), Counter()
    for _game in range(2000):
        state = position([[], [], []], [])
        state.unseen = packed(cards)
        state.deck = [UNSEEN] * len(cards)
        state.look(0, 2, rng)
        seen = state.deck[-2:]
        state.draw_card(0, rng)
        assert hand(state, 0) == [card for card in seen[1:] if card != KITTEN]
        state.shuffle_deck()
        lazy[*seen, state.reveal(len(state.deck) - 1, rng)] += 1
        deck = cards[:]
        rng.shuffle(deck)
        seen = deck[-2:]
        deck.pop()
        rng.shuffle(deck)
        eager[*seen, deck[-1]] += 1
    assert_alike(lazy, eager)


def test_observations_deal_every_arrangement_as_often_as_it_is_possible():
    """Player 1 has looked at two cards and player 2 has put a kitten back; player 0 knows nothing of either."""
    state = position([[SEE], [TACO, MELON], [SHUFFLE]], [POTATO, KITTEN, TACO])
    state.look(1, 2, Rng(1))
    state.put_back(2, 1)
    expected = Counter()
    for one, two, other, *rest in permutations([TACO, MELON, SHUFFLE, POTATO, KITTEN, TACO]):
        if KITTEN not in (one, two, other):
            for place in range(4):
                cards = (*rest[:place], KITTEN, *rest[place:])
                expected[tuple(sorted((one, two))), other, cards] += 1
    found = Counter()
    for seen in observations(state, 0, 8000):
        found[tuple(hand(seen, 1)), hand(seen, 2)[0], tuple(pile(seen))] += 1
    assert set(found) <= set(expected)
    scale = found.total() / expected.total()
    assert chisquare([found[key] for key in expected], [expected[key] * scale for key in expected]).pvalue > LEVEL


@pytest.mark.parametrize("n_players", [2, 4, 5])
def test_a_state_places_just_the_cards_that_players_know(n_players):
    """A card in the pile that no player has seen has no place that could leak; one that a player has seen has one."""
    rng = Rng(1)
    for state in random_positions(n_players, 3, games=2):
        for position_ in (state, state.observation(rng.below(n_players), rng)):
            players = range(n_players)
            placed = [
                bool(position_.number_at(place)) or any(position_.is_looked_at(place, player) for player in players)
                for place in range(len(position_.deck))
            ]
            assert placed == [card != UNSEEN for card in position_.deck]
            assert placed.count(False) == size(position_.unseen)


def test_shuffling_leaves_no_card_in_its_place():
    state = position([[DEFUSE], [SKIP]], [KITTEN, TACO, MELON, POTATO])
    state.look(0, 2, Rng(1))
    state.put_back(1, 3)
    state.shuffle_deck()
    assert state.deck == [UNSEEN] * 5
    assert state.unseen == packed([KITTEN, KITTEN, TACO, MELON, POTATO])
