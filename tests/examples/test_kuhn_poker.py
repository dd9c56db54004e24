"""Kuhn poker as in the literature: the size of its tree, who wins which chips, who knows which card."""

from itertools import permutations
from pathlib import Path

import pytest

from tag import DRAW, LOSE, WIN, ForwardModel, Metric, Rng, make_game
from tag.catalogue.registry import metrics_for
from tag.catalogue.user_code import load_class

FILE = Path(__file__).parents[2] / "examples" / "kuhn_poker.py"
MODEL = make_game(f"{FILE}:KuhnPoker")
PASS, BET = load_class(f"{FILE}:KuhnPoker", ForwardModel)()._available_actions(None)
RNG = Rng(1)


def dealt(cards):
    state = MODEL.setup(len(cards) - 1, RNG)
    state.cards = list(cards)
    return state


def played(cards, actions):
    state = dealt(cards)
    for letter in actions:
        MODEL.next(state, {"p": PASS, "b": BET}[letter], RNG)
    return state


def histories(state):
    """Return the decision and the terminal histories below ``state``."""
    if state.is_terminal:
        return 0, 1
    decisions, ends = 1, 0
    for action in MODEL.available_actions(state):
        after = state.copy()
        MODEL.next(after, action, RNG)
        below = histories(after)
        decisions, ends = decisions + below[0], ends + below[1]
    return decisions, ends


@pytest.mark.parametrize(("players", "decisions", "ends"), [(2, 24, 30), (3, 288, 312)])
def test_the_tree_has_the_known_size(players, decisions, ends):
    counts = [histories(dealt(cards)) for cards in permutations(range(players + 1))]
    assert [sum(count) for count in zip(*counts, strict=True)] == [decisions, ends]


@pytest.mark.parametrize(
    ("cards", "actions", "chips"),
    [
        ([2, 1, 0], "pp", [1, -1]),
        ([0, 1, 2], "pp", [-1, 1]),
        ([0, 1, 2], "bp", [1, -1]),
        ([0, 1, 2], "bb", [-2, 2]),
        ([1, 0, 2], "pbp", [-1, 1]),
        ([1, 0, 2], "pbb", [2, -2]),
        ([0, 3, 1, 2], "ppp", [-1, 2, -1]),
        ([2, 3, 1, 0], "bpb", [3, -1, -2]),
        ([0, 1, 2, 3], "pbpp", [-1, 2, -1]),
        ([0, 1, 2, 3], "ppbbb", [-2, -2, 4]),
        ([3, 1, 2, 0], "ppbpb", [-1, -2, 3]),
    ],
)
def test_the_highest_card_still_in_wins_the_chips(cards, actions, chips):
    state = played(cards, actions)
    assert state.is_terminal
    assert [state.score(player) for player in range(state.n_players)] == chips
    winner = chips.index(max(chips))
    assert state.results == tuple(WIN if player == winner else LOSE for player in range(len(chips)))
    assert DRAW not in state.results


@pytest.mark.parametrize("players", range(2, 11))
def test_chips_are_neither_made_nor_lost(players):
    for seed in range(20):
        rng = Rng(seed)
        state = MODEL.setup(players, rng)
        while not state.is_terminal:
            MODEL.next(state, rng.choice(MODEL.available_actions(state)), rng)
        assert sum(state.score(player) for player in range(players)) == 0
        assert players <= state.tick <= 2 * players - 1


def test_a_player_sees_the_own_card_and_every_other_one_as_likely():
    state = played([3, 0, 1, 2], "p")
    assert state.text(1) == "cards ? 0 ?, chips -1 -1 -1"
    assert state.text(-1) == "cards 3 0 1, chips -1 -1 -1"
    seen = [state.observation(1, RNG) for _ in range(3000)]
    assert all(observation.cards[1] == 0 for observation in seen)
    for card in (1, 2, 3):
        assert 900 < sum(observation.cards[0] == card for observation in seen) < 1100


def test_in_the_end_the_cards_are_shown():
    state = played([2, 1, 0], "bb")
    assert state.observation(0, RNG).cards == [2, 1, 0]
    assert state.text(0) == "cards 2 1, chips 2 -2"


@pytest.mark.parametrize(
    ("cards", "actions", "measured"),
    [
        ([2, 1, 0], "pp", {"bets": [0.0], "bluffs": []}),
        ([2, 1, 0], "bp", {"bets": [1.0], "bluffs": [0.0]}),
        ([2, 1, 0], "pbp", {"bets": [1.0], "bluffs": [1.0]}),
        ([0, 1, 2], "pbb", {"bets": [1.0], "bluffs": [0.0]}),  # the 2 was not dealt
        ([0, 1, 2, 3], "ppbbb", {"bets": [1.0], "bluffs": [0.0]}),
    ],
)
def test_its_metric_tells_bluffs_by_the_cards_dealt(cards, actions, measured):
    metric = load_class(f"{FILE}:KuhnPokerMetric", Metric)(MODEL, RNG)
    metric.on_end(played(cards, actions))
    assert metric.values() == measured
    assert measured.keys() == metric.measures.keys()


def test_its_metric_is_found_beside_it():
    assert metrics_for(f"{FILE}:KuhnPoker")[-1] == f"{FILE}:KuhnPokerMetric"


def test_it_is_a_short_file_that_needs_the_package_only():
    lines = FILE.read_text(encoding="utf-8").splitlines()
    assert len(lines) < 130
    assert [line for line in lines if line.startswith(("import", "from"))] == [
        "from __future__ import annotations",
        "from typing import ClassVar, cast",
        "from tag import Action, AnyAction, ForwardModel, GameState, GameType, Metric, Rng, interned",
    ]
