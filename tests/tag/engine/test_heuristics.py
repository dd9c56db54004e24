"""The generic state heuristics."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from play.toys import PigState, Race

from tag import JointHeuristic, best_other, best_two, make_game, make_heuristic
from tag.errors import ContractError, UnknownNameError
from tag.playing.decorators import RestrictedForwardModel


def state_at(totals):
    state = PigState(len(totals))
    state.totals = totals
    return state


def ended(totals):
    state = state_at(totals)
    state.end_by_score()
    return state


@pytest.mark.parametrize(
    ("spec", "totals", "before", "after"),
    [
        ("game", [3, 1, 2], [0, 0, 0], [1, -1, -1]),
        ("game", [3, 3, 2], [0, 0, 0], [0, 0, -1]),
        ("win", [3, 1, 2], [0.5, 0.5, 0.5], [1, 0, 0]),
        ("score", [3, 1, 2], [3, 1, 2], [3, 1, 2]),
        ("score_win:bonus=5", [3, 3, 2], [3, 3, 2], [5.5, 5.5, -3]),
        ("score_win:bonus=5", [4, 3, 2], [4, 3, 2], [9, -2, -3]),
        ("score:win_factor=1.5,loss_factor=0.5", [4, 2, 3], [4, 2, 3], [6, 1, 1.5]),
        ("score:win_factor=1.5,loss_factor=0.5", [4, 4, 3], [4, 4, 3], [4, 4, 1.5]),
        ("leader", [3, 1, 2], [1, -2, -1], [1, -2, -1]),
        ("leader:end_factor=1.5", [5, 1, 3], [2, -4, -2], [3, -6, -3]),
        ("leader:end_factor=1.5", [5, 5, 3], [0, 0, -2], [0, 0, -3]),
        ("ordinal", [3, 1, 3], [1, 0, 1], [1, 0, 1]),
    ],
)
def test_values(spec, totals, before, after):
    heuristic = make_heuristic(spec).of(Race())
    assert [heuristic.value(state_at(totals), p) for p in range(3)] == before
    assert [heuristic.value(ended(totals), p) for p in range(3)] == after


@pytest.mark.parametrize(("spec", "value"), [("ordinal", 1.0), ("leader", 4.0)])
def test_a_single_player_has_no_rivals(spec, value):
    assert make_heuristic(spec).value(state_at([4]), 0) == value


def test_the_last_of_two_teams_is_last():
    class Pairs(PigState):
        def team(self, player):
            return player % 2

        def score(self, player):
            return float(self.totals[player % 2])

    state = Pairs(4)
    state.totals = [1, 2, 0, 0]
    assert [make_heuristic("ordinal").value(state, player) for player in range(4)] == [0.0, 1.0, 0.0, 1.0]


@given(st.lists(st.floats(-5, 5), min_size=2, max_size=6))
def test_the_best_of_the_others(values):
    two = best_two(values)
    assert [best_other(value, two) for value in values] == [
        max(values[:player] + values[player + 1 :]) for player in range(len(values))
    ]


def test_a_joint_heuristic_values_all_players_at_once():
    class Lead(JointHeuristic):
        def _value_players(self, state, values):
            for player, total in enumerate(state.totals):
                values[player] = 0.1 * total

    values = [0.0, 0.0]
    for state, expected in ((state_at([3, 1]), [pytest.approx(0.3), pytest.approx(0.1)]), (ended([3, 1]), [1, -1])):
        Lead().value_all(state, values)
        assert values == expected
        assert [Lead().value(state, player) for player in range(2)] == expected


def test_unknown_names():
    with pytest.raises(UnknownNameError, match="no heuristic named 'scores'; did you mean 'score'?"):
        make_heuristic("scores")


def test_the_games_own_heuristic_is_asked_of_its_rules():
    game = make_heuristic("game")
    with pytest.raises(ContractError, match=r"ask `of\(model\)`"):
        game.value(state_at([1, 2]), 0)
    for model in (make_game("uno"), RestrictedForwardModel(make_game("uno"), [])):
        assert type(game.of(model)) is type(make_heuristic("uno"))
        assert model.features().names(2) == make_game("uno").features().names(2)
