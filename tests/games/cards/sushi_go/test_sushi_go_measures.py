"""Sushi Go!: its heuristic, and what its metric measures."""

import pytest
from play.measuring import random_game, scripted
from play.valuing import heuristic_of
from sushi_go_positions import play, position

from tag.engine.rng import Rng
from tag.games.cards.sushi_go import SushiGo, SushiGoHeuristic, SushiGoHeuristicParameters

HAND = "tds123enqp"


def value(table, other="", player=0, **weights):
    """Return the value for a player in mid-round, from the tables of two players."""
    _model, state = position(HAND[:5], HAND[5:], tables=(table, other), dealt=10)
    return SushiGoHeuristic(SushiGoHeuristicParameters(**weights)).value(state, player)


# --- the heuristic ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("more", ["t", "ss", "d", "w", "c", "3"])
def test_what_is_begun_counts(more):
    assert value(more) > value("") > value("", more)


def test_unfinished_sets_count_less_towards_the_end_of_a_round():
    values = []
    for dealt in (5, 10):
        _model, state = position(HAND[:5], HAND[5:], tables=("w", ""), dealt=dealt)
        values.append(heuristic_of(state, 0))
    assert values[0] > values[1] > 0


def test_a_complete_set_counts_by_its_points_alone():
    assert value("tt") == value("sss") == value("") == value("", "tt")


@pytest.mark.parametrize(("hand", "table"), [("wqp", "c"), ("tdp", "t"), ("ecp", "w")])
def test_a_choice_counts_as_what_it_will_be_worth_once_shown(hand, table):
    model, state = position(hand, "333", tables=(table, ""), dealt=9)
    alone = SushiGoHeuristic(SushiGoHeuristicParameters(rivals=0.0, maki=0.0))
    for action in model.available_actions(state):
        before = state.copy()
        model.next(before, action, Rng(1))
        after = play(model, before.copy(), "3")
        after.cards = before.cards
        assert alone.value(before, 0) == alone.value(after, 0)


def test_the_best_rival_counts():
    _model, state = position("tds", "123", "enq", scored=(10, 20, 5))
    assert [heuristic_of(state, player) < 0 for player in range(3)] == [True, False, True]
    alone = SushiGoHeuristic(SushiGoHeuristicParameters(rivals=0.0))
    assert [alone.value(state, player) > 0 for player in range(3)] == [True, True, True]


# --- the metric -------------------------------------------------------------------------------------------------------


def test_points_by_source_and_cards_of_no_use():
    model, state = position("3t", "ep", tables=("ttsswQ", "ddd1"), scored=(14, 6), kept=(1, 0), rounds=1, puddings=2)
    found = scripted(model, "sushi_go", state, "choose triple maki", "choose egg nigiri")
    assert found["tempura_points"] == [2.5]
    assert found["dumplings_points"] == [3.0]
    assert found["nigiri_points"] == [5.0]
    assert found["maki_rolls_points"] == [4.5]
    assert found["sashimi_points"] == [0.0]
    assert found["puddings_points"] == [3.0]
    assert found["lone"] == [3 / 5]
    assert found["dipped"] == [0.5]
    assert found["margin"] == [16.0]
    assert found["doubles"] == []


def test_use_of_chopsticks():
    model, state = position("tdss", "ppee", tables=("c", "c"))
    found = scripted(model, "sushi_go", state, "choose tempura", "choose pudding, then pudding, with chopsticks")
    assert found["doubles"] == [1 / 2]


@pytest.mark.parametrize("n_players", [2, 5])
def test_points_by_source_add_up_to_the_score(n_players):
    state, _log, found = random_game(SushiGo(), "sushi_go", n_players, seed=n_players)
    total = sum(sum(values) for name, values in found.items() if name.endswith("_points"))
    assert total * n_players == pytest.approx(sum(state.points))
