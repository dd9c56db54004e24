"""Observations contradict nothing that is certain, and are as likely as all deals that remain possible."""

from collections import Counter
from itertools import permutations
from math import sqrt

import pytest
from records import LoveLetterRecord, UnoRecord, contradictions, recorded_positions
from uno_positions import play, position

from games.love_letter import LoveLetter
from games.uno import Uno, UnoParameters
from tag.rng import Rng


def surprise(ways, found):
    """Return by how many standard deviations the chi-square of the deals ``found`` exceeds its mean."""
    draws, total = sum(found.values()), sum(ways.values())
    assert found.keys() <= ways.keys()
    chi_square = sum(
        (found[deal] - draws * count / total) ** 2 * total / (draws * count) for deal, count in ways.items()
    )
    return (chi_square - len(ways) + 1) / sqrt(2 * (len(ways) - 1))


@pytest.mark.parametrize(("n_players", "games"), [(2, 30), (3, 5), (4, 1)])
def test_love_letter_contradicts_nothing(n_players, games):
    wrong, total = contradictions(LoveLetter(), LoveLetterRecord, n_players, 21, games)
    assert total > 250
    assert wrong == 0


@pytest.mark.slow
@pytest.mark.parametrize(("n_players", "games"), [(2, 1000), (3, 400), (4, 60)])
def test_love_letter_forgets_only_a_hand_seen_after_a_tie_was_broken(n_players, games):
    wrong, total = contradictions(LoveLetter(), LoveLetterRecord, n_players, 77, games)
    assert wrong <= (n_players > 2) * total / 5_000


@pytest.mark.parametrize("n_players", [2, 3, 4])
def test_love_letter_deals_are_all_as_likely(n_players):
    rng = Rng(4)
    compared = 0
    for state, records in recorded_positions(LoveLetter(), LoveLetterRecord, n_players, 35, 30):
        if len(state.deck) > 3 or not (state.barred or state.ties):
            continue
        for record in records:
            ways = record.deals(state)
            if 3 < len(ways) < 40:
                deals = (state.observation(record.viewer, rng) for _draw in range(60 * len(ways)))
                found = Counter((*seen.hands, int(seen.drawn)) for seen in deals)
                assert surprise(ways, found) < 5
                compared += 1
        if compared > 12:
            return
    raise AssertionError(f"only {compared} positions were compared")


def test_uno_of_two_contradicts_nothing():
    model = Uno(UnoParameters(scoring="single"))
    counting = [records[0].counted for _state, records in recorded_positions(model, UnoRecord, 2, 8, 4)]
    assert sum(counted is not None for counted in counting) > 1000
    wrong, total = contradictions(model, UnoRecord, 2, 8, 4)
    assert (wrong, total) == (0, 2 * len(counting))


@pytest.mark.parametrize("player", [0, 1])
def test_uno_deals_after_the_discards_have_become_the_draw_pile_are_all_as_likely(player):
    texts = ["draw", "keep the card drawn", "draw", "keep the card drawn", "draw", "keep the card drawn", "draw"]
    state = play(position(["r1 b1 g3", "g1 g2 b2"], deck="", under="b1 b1 b2 y3 y4 y5"), *texts)
    own, other = Counter(state.hands[player].cards()), 1 - player
    before = Counter(position(["r1 b1 g3", "g1 g2 b2"]).hands[other].cards())
    pile = Counter(state.deck.cards() + state.hands[0].cards() + state.hands[1].cards()) - own - before
    hides_drawn = player == 0
    ways = Counter()
    for drawn in permutations(pile.elements(), 2):  # the last one is the one just drawn
        hand = tuple(sorted((before + Counter(drawn)).elements()))
        ways[hand, drawn[-1] if hides_drawn else int(state.drawn)] += 1
    rng = Rng(5)
    deals = (state.observation(player, rng) for _draw in range(100 * len(ways)))
    assert surprise(ways, Counter((tuple(seen.hands[other].cards()), int(seen.drawn)) for seen in deals)) < 5
