"""Observations contradict nothing that is certain, and are as likely as all deals that remain possible."""

from collections import Counter
from itertools import permutations
from math import sqrt

import pytest
from play.uno_positions import play, position
from records import LoveLetterRecord, UnoRecord, VirusRecord, contradictions, recorded_positions

from tag.engine.rng import Rng
from tag.games.cards.love_letter import LoveLetter
from tag.games.cards.uno import Uno
from tag.games.cards.virus import Virus

pytestmark = pytest.mark.flow


def surprise(ways, found):
    """Return by how many standard deviations the chi-square of the deals ``found`` exceeds its mean."""
    draws, total = sum(found.values()), sum(ways.values())
    assert found.keys() <= ways.keys()
    chi_square = sum(
        (found[deal] - draws * count / total) ** 2 * total / (draws * count) for deal, count in ways.items()
    )
    return (chi_square - len(ways) + 1) / sqrt(2 * (len(ways) - 1))


@pytest.mark.parametrize(("n_players", "positions"), [(2, 400), (3, 300), (4, 80)])
def test_love_letter_contradicts_nothing(n_players, positions):
    wrong, total = contradictions(LoveLetter(), LoveLetterRecord, n_players, 21, positions)
    assert (wrong, total) == (0, n_players * positions)


@pytest.mark.slow
@pytest.mark.parametrize(("n_players", "positions"), [(2, 20_000), (3, 20_000), (4, 5_000)])
def test_love_letter_forgets_only_a_hand_seen_after_a_tie_was_broken(n_players, positions):
    wrong, total = contradictions(LoveLetter(), LoveLetterRecord, n_players, 77, positions)
    assert wrong <= (n_players > 2) * total / 5_000


@pytest.mark.parametrize("n_players", [2, 3, 4])
def test_love_letter_deals_are_all_as_likely(n_players):
    rng = Rng(4)
    compared = 0
    for state, records in recorded_positions(LoveLetter(), LoveLetterRecord, n_players, 35, 1_000):
        if len(state.deck) > 3 or not (state.barred or state.ties):
            continue
        for record in records:
            ways = record.deals(state)
            if 3 < len(ways) < 40:
                deals = (state.observation(record.viewer, rng) for _draw in range(60 * len(ways)))
                assert surprise(ways, Counter((*seen.hands, int(seen.drawn)) for seen in deals)) < 5
                compared += 1
        if compared > 10:
            return
    raise AssertionError(f"only {compared} positions were compared")


@pytest.mark.parametrize(("model", "record"), [(Uno(), UnoRecord), (Virus(), VirusRecord)], ids=["uno", "virus"])
def test_two_players_who_can_count_contradict_nothing(model, record):
    wrong, total = contradictions(model, record, 2, 8, 1_000)
    assert total > 500
    assert wrong == 0


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


def test_virus_deals_after_the_discards_have_become_the_deck_are_all_as_likely():
    compared = 0
    rng = Rng(5)
    for state, records in recorded_positions(Virus(), VirusRecord, 2, 8, 2_000):
        for record in records:
            holder = 1 - record.viewer
            certain = record.counted - record.laid[holder] if record.counted else Counter()
            if certain:
                pool = Counter(record.pile(state) + state.hand(holder)) - certain
                ways = Counter()
                for drawn in permutations(pool.elements(), len(state.hand(holder)) - certain.total()):
                    ways[tuple(sorted([*certain.elements(), *drawn]))] += 1
                if 3 < len(ways) < 25:
                    deals = (state.observation(record.viewer, rng) for _draw in range(60 * len(ways)))
                    assert surprise(ways, Counter(tuple(seen.hand(holder)) for seen in deals)) < 5
                    compared += 1
        if compared > 10:
            return
    raise AssertionError(f"only {compared} positions were compared")
