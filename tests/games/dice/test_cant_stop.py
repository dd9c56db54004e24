"""Can't Stop: positions for each rule, random games against a naive implementation, and probabilities of the dice."""

from collections import Counter
from itertools import combinations, product

import pytest
from play.measuring import random_game, scripted
from play.valuing import features_of, heuristic_of

from tag import Rng, interned, make_game
from tag.engine.parameters import Spec
from tag.engine.results import DRAW, LOSE, WIN
from tag.games.dice.cant_stop import (
    DECIDE,
    ROLLING,
    SPLIT,
    START,
    Advance,
    CantStop,
    CantStopHeuristic,
    CantStopParameters,
    Stop,
    Throw,
    misses,
)

ROLL, STOP = interned(Throw()), interned(Stop())
LENGTHS = dict(zip(range(2, 13), (3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3), strict=True))
THROWS = list(product(range(1, 7), repeat=4))
MODEL = CantStop()
VARIANTS = [{}, {"columns": 5, "markers": 2}, {"columns": 2, "markers": 6, "column_2": 1, "column_7": 15}]


def board(squares=(), markers=None, dice=None, n_players=2, closed=(), model=MODEL):
    """Return a position of player 0's turn.

    Args:
        squares: for each player a dict from sums to places.
        markers: a dict from sums to places.
        dice: four dice to be split; without them, the decision to roll or stop, or the start of the turn without markers.
        n_players: the number of players.
        closed: sums whose columns are won.
        model: the rules.
    """
    state = model.setup(n_players, Rng(0))
    places = [sum(place << 4 * (column - 2) for column, place in own.items()) for own in squares]
    state.squares = tuple(places + [0] * (n_players - len(places)))
    state.closed = sum(1 << column - 2 for column in closed)
    for column, place in (markers or {}).items():
        state.markers |= place << 4 * (column - 2)
        state.marked |= 1 << column - 2
        state.topped |= (place == state.length(column - 2)) << column - 2
        state.free -= 1
    state.phase = DECIDE if markers else START
    if dice:
        state.phase, state.roll = SPLIT, roll_number(dice)
    return state


def roll_number(dice):
    state = MODEL.setup(2, Rng(0))
    for number in range(126):
        state.roll = number
        if state.dice() == tuple(sorted(dice)):
            return number
    raise AssertionError(dice)


def moves(state, model=MODEL):
    return {(action.first, action.second) for action in model.available_actions(state)}


def markers(state):
    return {column: state.markers >> 4 * (column - 2) & 15 for column in LENGTHS if state.marked >> column - 2 & 1}


def move(state, *sums, model=MODEL):
    model.next(state, interned(Advance(sums[0], sums[1] if len(sums) > 1 else 0)), Rng(0))
    return state


# --- rules -------------------------------------------------------------------------------------------------------------


def test_a_turn_begins_with_a_roll():
    """Playing, 1: to start your turn, roll all four dice."""
    assert MODEL.available_actions(MODEL.setup(4, Rng(0))) == [ROLL]


@pytest.mark.parametrize(
    ("dice", "expected"),
    [
        ((1, 5, 4, 6), {(6, 10), (5, 11), (7, 9)}),
        ((2, 4, 3, 5), {(6, 8), (5, 9), (7, 7)}),
        ((1, 3, 3, 4), {(4, 7), (5, 6)}),
        ((2, 2, 5, 5), {(4, 10), (7, 7)}),
        ((6, 6, 6, 6), {(12, 12)}),
        ((1, 1, 1, 2), {(2, 3)}),
    ],
)
def test_dice_are_split_into_two_pairs(dice, expected):
    """Playing, 1 and 2, with its examples."""
    assert moves(board(dice=dice)) == expected


def test_markers_begin_at_the_bottom_or_above_the_own_square():
    """Placing a marker, a and b."""
    state = move(board([{10: 4}, {6: 3}], dice=(1, 5, 4, 6)), 6, 10)
    assert markers(state) == {6: 1, 10: 5}
    assert state.phase == DECIDE
    assert state.squares[0] == 4 << 4 * 8


def test_a_marker_in_the_column_moves_up_one_space():
    """Playing, 3a."""
    state = move(board([{6: 2}], {6: 4, 10: 1}, (2, 4, 3, 5)), 6, 8)
    assert markers(state) == {6: 5, 10: 1, 8: 1}


def test_two_equal_sums_move_one_marker_twice():
    """Playing, 3: a pair of equal numbers."""
    assert markers(move(board([{7: 3}], dice=(2, 2, 5, 5)), 7, 7)) == {7: 5}
    assert markers(move(board([], {7: 4}, (2, 2, 5, 5)), 7, 7)) == {7: 6}


def test_both_sums_must_be_used_if_possible():
    """Playing, 3b: another marker that is left must be placed."""
    assert moves(board([], {7: 4}, (1, 6, 2, 3))) == {(5, 7), (3, 9), (4, 8)}


def test_the_last_marker_goes_into_either_of_two_new_columns():
    """Playing, 3, examples: 5 and 9 with one marker left; 6 is one that has a marker."""
    state = board([], {6: 1, 10: 1}, (2, 4, 3, 5))
    assert moves(state) == {(6, 8), (5, 0), (9, 0), (7, 7)}
    assert markers(move(state, 9)) == {6: 1, 10: 1, 9: 1}
    assert state.free == 0


def test_without_markers_left_other_columns_are_ignored():
    """Playing, 3: no marker for the other column."""
    state = board([], {6: 1, 10: 1, 12: 1}, (2, 4, 3, 5))
    assert moves(state) == {(6, 0)}
    assert moves(board([], {6: 1, 8: 1, 12: 1}, (2, 4, 3, 5))) == {(6, 8)}


def test_spaces_may_be_shared():
    """Placing a marker, c: onto a space with an opponent's square."""
    assert markers(move(board([{}, {6: 1}], dice=(1, 5, 4, 6)), 6, 10)) == {6: 1, 10: 1}


def test_no_marker_is_placed_in_a_column_that_is_won():
    """Winning a column: no further play in it."""
    state = board([{6: 11}], dice=(1, 5, 4, 6), closed=[6])
    assert moves(state) == {(10, 0), (5, 11), (7, 9)}


def test_a_marker_on_the_top_space_does_not_move():
    """Ruling."""
    assert moves(board([], {6: 11}, (1, 5, 4, 6))) == {(10, 0), (5, 11), (7, 9)}


def test_of_two_equal_sums_one_is_ignored_at_the_top():
    """Ruling: one space is left."""
    assert moves(board([{12: 2}], dice=(6, 6, 6, 6))) == {(12, 0)}
    state = move(board([{12: 1}], dice=(6, 6, 6, 6)), 12, 12)
    assert (markers(state), int(state.topped)) == ({12: 3}, 1 << 10)


def test_who_stops_keeps_the_progress():
    """Playing, 4: replace each marker with a square."""
    state = board([{6: 2, 4: 1}, {6: 5}], {6: 4, 10: 1})
    MODEL.next(state, STOP, Rng(0))
    assert state.squares == (1 << 4 * 2 | 4 << 4 * 4 | 1 << 4 * 8, 5 << 4 * 4)
    assert (int(state.markers), int(state.free), int(state.phase), state.current_player) == (0, 3, START, 1)


def test_a_roll_that_cannot_be_used_ends_the_turn_without_progress():
    """Playing: a roll with no place for a marker."""
    state = board([{6: 2}], {2: 1, 12: 1, 3: 1})
    squares, lost = state.squares, 0
    for seed in range(30):
        after = state.copy()
        MODEL.next(after, ROLL, Rng(seed))
        if after.phase != SPLIT:
            lost += 1
            assert (after.squares, int(after.marked), int(after.phase), after.current_player) == (squares, 0, START, 1)
            assert after.dice() == ()
    assert lost > 5


def test_who_stops_on_the_top_space_wins_the_column_and_the_others_leave_it():
    """Winning a column: remove the opponents' squares."""
    state = board([{7: 2}, {7: 12, 6: 3}], {7: 13, 8: 1})
    MODEL.next(state, STOP, Rng(0))
    assert (state.score(0), state.score(1), int(state.closed)) == (1.0, 0.0, 1 << 5)
    assert (state.square(1, 5), state.square(1, 4), state.square(0, 5)) == (0, 3, 13)


def test_a_column_is_not_won_before_the_player_stops():
    """Winning a column: only who stops; the marker may still be lost."""
    state = move(board([{12: 2}], dice=(6, 6, 1, 1)), 2, 12)
    assert (int(state.closed), state.score(0)) == (0, 0.0)
    assert MODEL.available_actions(state) == [STOP, ROLL]


@pytest.mark.parametrize(("won", "is_over"), [(1, False), (2, True)])
def test_three_columns_win(won, is_over):
    """Object: the first to win three columns."""
    state = board([{2: 3, 3: 5}], {12: 3}, closed=[2, 3][:won])
    state.won = won
    MODEL.next(state, STOP, Rng(0))
    assert state.is_terminal == is_over
    assert state.results == ((WIN, LOSE) if is_over else ())


@pytest.mark.parametrize(
    ("columns", "results"),
    [((5, 4, 1), (WIN, LOSE, LOSE)), ((4, 4, 2), (DRAW, DRAW, LOSE)), ((3, 4, 3), (DRAW, DRAW, LOSE))],
)
def test_the_most_columns_win_when_all_are_won(columns, results):
    """Ruling: with other parameters only; player 0 wins the last column."""
    model = CantStop(CantStopParameters(columns=6))
    state = board([{}], {12: 3}, n_players=3, closed=range(2, 12), model=model)
    state.won = sum(
        number << 4 * player for player, number in enumerate((columns[0] - (columns != (3, 4, 3)), *columns[1:]))
    )
    model.next(state, STOP, Rng(0))
    assert state.is_terminal
    assert state.results == results


# --- the whole game against a naive implementation ---------------------------------------------------------------------


class Naive:
    """The rules with sums and places in dicts, dice in lists, and splits by trying all orders of the dice."""

    def __init__(self, lengths, goal, n_markers, n_players):
        self.lengths, self.goal, self.n_markers, self.n = lengths, goal, n_markers, n_players
        self.squares = [{} for _player in range(n_players)]
        self.owner = {}
        self.player = 0
        self.runners = {}

    def can_move(self, runners, column):
        if column in self.owner or runners.get(column) == self.lengths[column]:
            return False
        return column in runners or len(runners) < self.n_markers

    def moved(self, runners, column):
        start = runners.get(column, self.squares[self.player].get(column, 0))
        return {**runners, column: start + 1}

    def results_of(self, dice):
        """Return all positions of markers that a split can lead to."""
        found = []
        for one, other in ((1, (2, 3)), (2, (1, 3)), (3, (1, 2))):
            sums = (dice[0] + dice[one], dice[other[0]] + dice[other[1]])
            reached = []
            for order in (sums, sums[::-1]):
                runners, used = self.runners, 0
                for column in order:
                    if self.can_move(runners, column):
                        runners, used = self.moved(runners, column), used + 1
                if used and runners not in reached:
                    reached.append(runners)
            found += [runners for runners in reached if runners not in found]
        return found

    def keep(self):
        for column, place in self.runners.items():
            self.squares[self.player][column] = place
            if place == self.lengths[column]:
                self.owner[column] = self.player
                for other in range(self.n):
                    if other != self.player:
                        self.squares[other].pop(column, None)

    def end_turn(self):
        self.runners = {}
        self.player = (self.player + 1) % self.n


def play_beside_naive(rules, n_players, seed):
    parameters = CantStopParameters(**rules)
    model, rng, chooser = CantStop(parameters), Rng(seed), Rng(seed + 1)
    state = model.setup(n_players, rng)
    lengths = dict(zip(range(2, 13), parameters.lengths(), strict=True))
    naive = Naive(lengths, parameters.columns, parameters.markers, n_players)
    while not state.is_terminal:
        actions = model.available_actions(state)
        action = actions[chooser.below(len(actions))]
        if state.phase == SPLIT:
            reached = []
            for one in actions:
                after = state.copy()
                model.next(after, one, rng)
                reached.append(markers(after))
            expected = naive.results_of(state.dice())
            assert len(reached) == len(expected)
            assert all(runners in expected for runners in reached)
            naive.runners = reached[actions.index(action)]
        elif action is STOP:
            naive.keep()
        player = state.current_player
        model.next(state, action, rng)
        if action is STOP:
            winner = [seat for seat in range(n_players) if list(naive.owner.values()).count(seat) >= parameters.columns]
            are_rounds_over = 0 < parameters.max_rounds <= state.round
            assert state.is_terminal == (bool(winner) or len(naive.owner) == 11 or are_rounds_over)
            assert not winner or (winner == [player] and state.result(player) == WIN)
        if not state.is_terminal and state.current_player != player:
            naive.end_turn()
        for seat in range(n_players):
            squares = {column: state.square(seat, column - 2) for column in LENGTHS if state.square(seat, column - 2)}
            assert squares == naive.squares[seat]
            assert state.score(seat) == list(naive.owner.values()).count(seat)
        assert markers(state) == (naive.runners if not state.is_terminal else {})


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
@pytest.mark.parametrize("n_players", [2, 3, 4])
def test_random_games_are_those_of_a_naive_implementation(n_players, rules):
    play_beside_naive(rules, n_players, 5 * n_players)


@pytest.mark.slow
def test_2000_random_games_are_those_of_a_naive_implementation():
    for seed in range(2000):
        play_beside_naive(dict(CantStopParameters.sample(Rng(seed)).changes()) if seed % 2 else {}, 2 + seed % 3, seed)


# --- probabilities -----------------------------------------------------------------------------------------------------


def sums_of(throw):
    return {
        throw[0] + throw[1],
        throw[2] + throw[3],
        throw[0] + throw[2],
        throw[1] + throw[3],
        throw[0] + throw[3],
        throw[1] + throw[2],
    }


SUMS = Counter(frozenset(sums_of(throw)) for throw in THROWS)


def test_the_probability_to_move_in_three_columns_is_that_of_all_throws():
    """For 6, 7 and 8 it is 0.9198 (M. Keller 1986): 104 of 1,296 throws miss."""
    for columns in [*combinations(LENGTHS, 1), *combinations(LENGTHS, 2), *combinations(LENGTHS, 3)]:
        missed = sum(throws for sums, throws in SUMS.items() if not sums.intersection(columns))
        assert misses(sum(1 << column - 2 for column in columns)) == missed
    assert misses(0b111 << 4) == 104
    assert misses(0b111 << 4) / 1296 == pytest.approx(1 - 0.9198, abs=5e-5)


@pytest.mark.parametrize("columns", [(6, 7, 8), (2, 3, 12), (2, 12, 7), (4, 5, 9), (3, 8, 11)])
def test_outcomes_of_a_roll_are_those_of_all_throws(columns):
    state = board([], dict.fromkeys(columns, 1))
    outcomes = MODEL.outcomes(state, ROLL).all()
    assert sum(probability for probability, _ in outcomes) == pytest.approx(1)
    lost = sum(probability for probability, after in outcomes if after.phase == START)
    assert lost == pytest.approx(misses(sum(1 << column - 2 for column in columns)) / 1296)
    assert lost == pytest.approx(state.risk())
    expected = Counter(tuple(sorted(throw)) for throw in THROWS if sums_of(throw).intersection(columns))
    found = {after.dice(): 1296 * probability for probability, after in outcomes if after.phase == SPLIT}
    assert found == pytest.approx(dict(expected))


def test_a_new_turn_always_has_a_move_on_an_open_board():
    assert MODEL.setup(2, Rng(0)).risk() == 0.0
    assert len(MODEL.outcomes(MODEL.setup(2, Rng(0)), ROLL).all()) == 126


def test_dice_of_rolls_are_as_often_as_by_enumeration():
    """With 20,000 rolls, all 126 sets within five standard deviations."""
    state, rng = MODEL.setup(2, Rng(0)), Rng(4)
    after = MODEL.afterstate(state, ROLL)
    assert after.phase == ROLLING
    found = Counter()
    for _roll in range(20_000):
        landed = after.copy()
        MODEL.resolve_chance(landed, rng)
        found[landed.dice()] += 1
    for dice, throws in Counter(tuple(sorted(throw)) for throw in THROWS).items():
        mean = 20_000 * throws / 1296
        assert abs(found[dice] - mean) < 5 * mean**0.5


def test_outcomes_are_given_up_beyond_the_limit_and_certain_without_dice():
    state = board([], {6: 1})
    assert MODEL.outcomes(state, ROLL, 125).all() == []
    [(probability, after)] = MODEL.outcomes(state, STOP).all()
    assert (probability, after.current_player) == (1.0, 1)


# --- symmetry, heuristic, features and metric --------------------------------------------------------------------------


def test_the_board_may_be_turned_round_if_its_lengths_are_symmetric():
    cells = MODEL.cells(2)
    assert len(cells.symmetries) == 2
    assert len(make_game("cant_stop:column_2=4").cells(2).symmetries) == 1
    state = board([{2: 1, 6: 3}, {7: 4}], {3: 2}, (1, 1, 3, 6))
    turned = board([{12: 1, 8: 3}, {7: 4}], {11: 2}, (6, 6, 4, 1))
    assert cells.moved(state.cell_values(), 1) == turned.cell_values()
    vocabulary = MODEL.vocabulary(2)
    numbers = {cells.actions[1][vocabulary.index(action)] for action in MODEL.available_actions(state)}
    assert numbers == {vocabulary.index(action) for action in MODEL.available_actions(turned)}


def test_the_heuristic_weighs_the_way_by_the_length_of_the_column():
    heuristic = CantStopHeuristic()
    state = board([{2: 1, 7: 6}, {12: 2}], {3: 2})
    own = (1 / 3) ** 2 + (6 / 13) ** 2 + (2 / 5) ** 2
    rival = (2 / 3) ** 2
    assert heuristic.value(state, 0) == pytest.approx((own - rival) / 3)
    assert heuristic.value(state, 1) == pytest.approx((rival - own) / 3)


def test_a_player_with_two_columns_is_worth_more_than_one_with_their_places_elsewhere():
    two = board([{2: 3, 12: 3}], closed=[2, 12])
    spread = board([{6: 3, 8: 3}])
    assert heuristic_of(two, 0) > heuristic_of(spread, 0) + 0.5


def test_features_tell_the_risk_and_the_way():
    features = features_of(board([{}, {7: 13}], {6: 1, 8: 11}, n_players=3, closed=[7]), 1)
    assert (features["my_turn"], features["way_7_0"], features["way_8_2"]) == (0.0, 1.0, 1.0)
    assert features["risk"] == misses(0b11111111111 ^ 1 << 5 ^ 1 << 6) / 1296


def test_the_metric_counts_rolls_and_busts():
    state = board([], {2: 1, 12: 1, 3: 1}, model=MODEL)
    found = scripted(MODEL, "cant_stop", state, "stop")
    assert found == {"busts": [0.0], "rolls": [0.0], "columns": [0.0]}


def test_the_metric_agrees_with_the_actions_of_random_games():
    for seed in range(3):
        state, log, found = random_game(MODEL, "cant_stop", 3, seed)
        texts = Counter(text for _player, text in log.actions)
        busts = [event.name for event in log.events].count("bust")
        assert found["busts"] == [busts / (busts + texts["stop"])]
        assert found["rolls"] == [texts["roll"] / (busts + texts["stop"])]
        assert found["columns"] == [sum(state.score(player) for player in range(3))]


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_places_stay_within_columns(rules):
    model, rng = make_game(str(Spec("cant_stop", rules))), Rng(2)
    state = model.setup(4, rng)
    while not state.is_terminal:
        model.next(state, model.random_action(state, rng), rng)
        assert all(
            state.merged(player) >> 4 * column & 15 <= state.length(column)
            for player in range(4)
            for column in range(11)
        )
        assert state.free == model.parameters.markers - int(state.marked).bit_count()
        assert not state.marked & state.closed


def test_players_who_never_stop_can_be_limited():
    model, rng = make_game("cant_stop:max_rounds=4"), Rng(6)
    state = model.setup(3, rng)
    while not state.is_terminal:
        model.next(state, model.available_actions(state)[-1], rng)
    assert (state.round, state.results) == (4, (DRAW,) * 3)
