"""Backgammon: each printed rule, and all turns beside a search man by man."""

from collections import Counter

import pytest
from backgammon_positions import lay, men, men_of, our_turns, play, position, texts, turns
from play.telling import told

from tag import Rng, make_game
from tag.engine.results import LOSE, ONGOING, WIN
from tag.games.boards.backgammon.data import ANSWER, BACKGAMMON, CUBE, PLAY

START = {24: 2, 13: 5, 8: 3, 6: 5}
#: Men of the other player that are out of the way: far on, so that the game goes on.
AWAY = {2: 15}


# --- the opening roll ----------------------------------------------------------------------------------------------------


def test_the_higher_die_begins_and_no_double_is_rolled():
    model = make_game("backgammon")
    found = Counter()
    for seed in range(3000):
        state = model.setup(2, Rng(seed))
        assert (state.left, state.phase, state.first_player) == (2, PLAY, state.turn_player)
        found[state.high, state.low, int(state.turn_player)] += 1
    assert set(found) == {(high, low, player) for high in range(2, 7) for low in range(1, high) for player in (0, 1)}
    assert max(found.values()) < 1.5 * 100 and min(found.values()) > 0.5 * 100  # noqa: PT018


def test_both_have_15_men_and_167_pips():
    state = make_game("backgammon").setup(2, Rng(1))
    assert men(state) == (tuple(men_of(START, BACKGAMMON)),) * 2
    assert [state.pips(player) for player in (0, 1)] == [167, 167]


# --- which plays are allowed ---------------------------------------------------------------------------------------------


def test_both_dice_are_played_if_possible():
    """After 12/6 no 3 can be played, and after 12/9 the man on the 8-point plays the 6."""
    model, state = position({12: 1, 8: 1}, {25 - 3: 2, 25 - 5: 2, 1: 11}, dice=(6, 3))
    assert texts(model, state) == {"12/9, 8/2"}


@pytest.mark.parametrize(("blocked", "wanted"), [((), "14/8"), ((8,), "14/9")])
def test_of_two_dice_that_exclude_each_other_the_higher_is_played(blocked, wanted):
    walls = dict.fromkeys((25 - point for point in (3, *blocked)), 2)
    model, state = position({14: 1, 1: 14}, {**walls, 1: 15 - 2 * len(walls)}, dice=(6, 5))
    assert texts(model, state) == {wanted}


def test_a_double_is_played_four_times_by_two_actions():
    model, state = position({24: 2, 13: 4}, AWAY, dice=(3, 3))
    play(model, state, "24/21, 24/21")
    assert (state.turn_player, state.left, state.phase) == (0, 2, PLAY)
    play(model, state, "13/10, 13/10")
    assert (state.turn_player, state.phase) == (1, PLAY)
    assert {point: number for point, number in enumerate(state.white) if number and point} == {21: 2, 13: 2, 10: 2}


def test_a_double_ends_when_no_man_can_move():
    model, state = position({13: 2}, {25 - 1: 2, 1: 13}, dice=(6, 6))
    play(model, state, "13/7, 13/7")
    assert state.turn_player == 1
    model, state = position({13: 1, 2: 3}, {25 - 1: 2, 1: 13}, dice=(6, 6))
    play(model, state, "13/7")
    assert state.turn_player == 1


def test_men_on_the_bar_enter_first():
    model, state = position({"bar": 1, 13: 2}, AWAY, dice=(6, 4))
    assert texts(model, state) == {"bar/19, 13/9", "bar/19, 19/15", "bar/21, 13/7"}
    model, state = position({"bar": 2, 13: 2}, AWAY, dice=(6, 4))
    assert texts(model, state) == {"bar/19, bar/21"}


def test_who_cannot_enter_does_not_move():
    model, state = position({"bar": 2, 13: 2}, {6: 2, 3: 1, 1: 12}, dice=(6, 3))
    assert texts(model, state) == {"bar/22*"}
    model, state = position({"bar": 1, 13: 2}, {6: 2, 4: 2, 1: 11}, dice=(6, 4))
    assert texts(model, state) == {"no move"}
    play(model, state, "no move")
    assert state.turn_player == 1


def test_a_single_man_is_hit_and_goes_to_the_bar():
    """A run that hits half-way is another play than one that does not."""
    model, state = position({10: 1}, {25 - 4: 1, 1: 14}, dice=(6, 1))
    assert texts(model, state) == {"10/9, 9/3", "10/4*, 4/3"}
    play(model, state, "10/4*, 4/3")
    assert (state.black[25], state.black[21], state.white[3]) == (1, 0, 1)


# --- bearing off ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("men_here", "dice", "wanted"),
    [
        ({6: 1, 4: 1}, (6, 4), {"6/off, 4/off", "6/2, 4/off"}),
        ({5: 1, 2: 1}, (6, 1), {"5/off, 2/1", "5/4, 4/off"}),
        ({7: 1, 1: 2}, (6, 2), {"7/1, 1/off"}),
        ({4: 2, 3: 1}, (6, 5), {"4/off, 4/off"}),
        ({3: 1, 2: 1}, (6, 5), {"3/off, 2/off"}),
        ({6: 1, 3: 2}, (5, 4), {"6/1, 3/off", "6/2, 3/off"}),
        ({8: 1, 6: 2}, (6, 1), {"8/2, 6/5", "8/2, 2/1"}),
    ],
)
def test_men_are_borne_off_by_the_die_or_from_the_highest_point(men_here, dice, wanted):
    model, state = position(men_here, AWAY, dice=dice)
    assert texts(model, state) == wanted


def test_no_man_is_borne_off_while_one_is_on_the_bar():
    model, state = position({"bar": 1, 2: 3}, {6: 2, 5: 2, 1: 11}, dice=(6, 2))
    assert texts(model, state) == {"bar/23, 23/17"}


# --- how games are won ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("others", "points"),
    [
        ({18: 1}, 1),
        ({18: 15}, 2),
        ({18: 14, 19: 1}, 3),
        ({18: 14, "bar": 1}, 3),
        ({19: 14}, 1),
    ],
)
@pytest.mark.parametrize("player", [0, 1])
def test_gammons_count_two_and_backgammons_three(others, points, player):
    """The 19-point of the loser is the 6-point of the winner."""
    places = ({1: 1}, others) if player == 0 else (others, {1: 1})
    model, state = position(*places, dice=(6, 5), player=player)
    play(model, state, "1/off")
    assert state.is_terminal
    assert state.points == ((points, 0), (0, points))[player]
    assert [state.result(player), state.result(1 - player)] == [WIN, LOSE]
    assert state.score(player) == points


# --- the cube ------------------------------------------------------------------------------------------------------------


def test_both_may_double_until_one_owns_the_cube():
    model, state = position(START, START, dice=(6, 5), cube=True)
    play(model, state, "24/18, 18/13")
    assert (state.current_player, state.phase) == (1, CUBE)
    play(model, state, "double")
    assert (state.current_player, state.turn_player, state.phase) == (0, 1, ANSWER)
    play(model, state, "take")
    assert (state.cube, state.owner, state.current_player, state.phase) == (2, 0, 1, PLAY)
    lay(state, 6, 5)
    play(model, state, "24/18, 18/13")
    assert (state.current_player, state.phase) == (0, CUBE)
    play(model, state, "roll")
    lay(state, 2, 1)
    play(model, state, "8/6, 6/5")
    assert (state.current_player, state.phase) == (1, PLAY)  # the owner alone may double


def test_who_drops_loses_the_stakes_of_before():
    model, state = position(START, {**START, 13: 4, "bar": 1}, dice=(6, 5), cube=True)
    state.cube, state.owner = 4, 1
    play(model, state, "24/18, 18/13")
    play(model, state, "double")
    play(model, state, "drop")
    assert state.is_terminal
    assert state.points == (0, 4)


def test_the_cube_multiplies_gammons_and_ends_at_64():
    model, state = position({1: 1}, {18: 15}, cube=True)
    state.cube, state.owner = 8, 0
    play(model, state, "1/off")
    assert state.points == (16, 0)
    model, state = position(START, START, dice=(6, 5), cube=True)
    state.cube, state.owner = 64, 1
    play(model, state, "24/18, 18/13")
    assert state.phase == PLAY


@pytest.mark.parametrize(("jacoby", "owner", "points"), [(True, -1, 1), (True, 1, 4), (False, -1, 2)])
def test_gammons_count_by_jacobys_rule_only_after_a_double(jacoby, owner, points):
    model, state = position({1: 1}, {18: 15}, cube=True, jacoby=jacoby)
    state.cube, state.owner = 1 if owner < 0 else 2, owner
    play(model, state, "1/off")
    assert state.points == (points, 0)


def won(model, state, player, others):
    """Have ``player`` win a game of the match against these men."""
    state.white, state.black = men_of({1: 1}, 0), men_of(others, 0)
    if player == 1:
        state.white, state.black = state.black, state.white
    state.current_player = state.turn_player = player
    lay(state, 6, 5)
    play(model, state, "1/off")


def test_a_match_goes_on_until_the_points_are_won():
    model, state = position({1: 1}, {18: 15}, match=3)
    play(model, state, "1/off")
    assert (state.points, state.round, state.is_terminal) == ((2, 0), 1, False)
    assert men(state) == (tuple(men_of(START, 0)),) * 2
    assert (state.left, state.cube, state.owner) == (2, 1, -1)
    assert state.result(0) == ONGOING
    won(model, state, 1, {18: 14})
    assert (state.points, state.round) == ((2, 1), 2)
    won(model, state, 0, {18: 15})
    assert state.points == (4, 1)
    assert [state.result(player) for player in (0, 1)] == [WIN, LOSE]


@pytest.mark.parametrize("crawford", [True, False])
def test_crawfords_rule_forbids_doubles_in_one_game(crawford):
    model, state = position({1: 1}, {18: 15}, match=3, cube=True, crawford=crawford)
    seen = []
    for _game in range(2):
        won(model, state, 0 if state.points == (0, 0) else 1, {18: 15} if state.points == (0, 0) else {18: 1})
        state.white, state.black = men_of(START, 0), men_of(START, 0)
        lay(state, 2, 1)
        play(model, state, "8/6, 6/5")
        seen.append(state.phase == CUBE)
    assert seen == ([False, True] if crawford else [True, True])


# --- all turns -----------------------------------------------------------------------------------------------------------


@pytest.mark.flow
@pytest.mark.parametrize("variant", ["backgammon", "duodecim_scripta", "pente_grammai"])
def test_turns_are_those_of_a_search_man_by_man(variant):
    """Doubles are compared as whole turns of four men, in all orders."""
    compared = set()
    for seed in range(12 if variant == "backgammon" else 2):
        rng = Rng(seed)
        model = make_game(f"backgammon:variant={variant}")
        state = model.setup(2, rng)
        while not state.is_terminal:
            is_begun = state.left != 4 and state.high == state.low
            if not is_begun and rng.one_in(4 if state.high == state.low else 2) and state.turn < 400:
                ours = our_turns(model, state)
                if state.high != state.low:
                    assert len(set(ours)) == len(ours)
                assert set(ours) == turns(state)
                compared.add((int(state.high), int(state.low)))
            model.next(state, model.random_action(state, rng), rng)
    assert len({high for high, low in compared if high == low or low == 0}) == 6
    assert variant == "pente_grammai" or len(compared) == 21


# --- what is told --------------------------------------------------------------------------------------------------------


def test_what_is_told():
    model, state = position({10: 1}, {25 - 4: 1, 1: 14}, dice=(6, 1))
    found = told(model, state, "play 10 and 4")
    assert found[0] == "player 1 is hit on the 21-point"
    assert found[1].startswith("player 1 rolls ")
    model, state = position({1: 1}, {18: 15}, match=5, cube=True)
    state.cube = 2
    found = told(model, state, model.available_actions(state)[0])
    assert found[:2] == ["player 0 wins a gammon: 4", "the next game begins"]
    model, state = position(START, START, dice=(6, 5), cube=True)
    play(model, state, "24/18, 18/13")
    play(model, state, "double")
    assert told(model, state, "take")[0] == "the cube is at 2"
