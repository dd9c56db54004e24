"""Observations contradict nothing that is certain, and are as likely as all deals that remain possible."""

from collections import Counter
from math import sqrt

import pytest
from records import LoveLetterRecord, contradictions, recorded_positions

from games.love_letter import LoveLetter
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
