"""n-tuple networks against dictionaries, and temporal-difference learning in games that are solved."""

from collections import defaultdict
from math import exp, tanh

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tag import Cells, Knowledge, ParameterError, Rng, make_game
from tag.agents.learners._network import Network
from tag.agents.learners._td import Approximator, TdLearner, TdParameters
from tag.agents.learners._tuples import random_points, random_walks
from tag.agents.learners.td_ntuple import TdNtuple, TdNtupleParameters
from tag.engine.encoding import grid_neighbours, square_symmetries
from tag.errors import DataError

pytestmark = pytest.mark.flow

GRID = Cells(9, 3, square_symmetries(3), neighbours=grid_neighbours(3, 3))
BOARDS = st.lists(st.integers(0, 2), min_size=9, max_size=9).map(bytes)
TUPLES = st.lists(st.lists(st.integers(0, 8), min_size=1, max_size=4, unique=True), min_size=1, max_size=4)


class Reference:
    """A network of dictionaries: a weight for each tuple, player and content of the tuple's cells."""

    def __init__(self, cells, tuples, rates, squashes, n_values):
        self.cells, self.tuples, self.rates, self.squashes = cells, tuples, rates, squashes
        self.largest = (n_values or cells.n_values) - 1
        self.weights, self.steps, self.sizes = (defaultdict(float) for _table in range(3))

    def keys(self, player, board):
        """Return for each tuple what it and its images hold."""
        return [
            [
                (player, number, tuple(min(board[symmetry[cell]], self.largest) for cell in chosen))
                for symmetry in self.cells.symmetries
            ]
            for number, chosen in enumerate(self.tuples)
        ]

    def value(self, player, board):
        total = sum(self.weights[key] for keys in self.keys(player, board) for key in keys)
        return tanh(total) if self.squashes else total

    def learn(self, player, board, error, rate):
        slope = 1 - self.value(player, board) ** 2 if self.squashes else 1.0
        keys = self.keys(player, board)
        step = rate * error * slope / sum(map(len, keys))
        for key in {key for some in keys for key in some}:
            factor = 1.0
            if self.rates != "constant" and self.sizes[key]:
                factor = abs(self.steps[key]) / self.sizes[key]
                factor = exp(2.7 * (factor - 1)) if self.rates == "tc_exp" else factor
            self.weights[key] += factor * step
            self.steps[key] += step
            self.sizes[key] += abs(step)


@given(
    TUPLES,
    st.lists(st.tuples(st.integers(0, 1), BOARDS, st.floats(-2, 2)), max_size=12),
    st.lists(BOARDS, min_size=1, max_size=4),
    st.sampled_from(["constant", "tc", "tc_exp"]),
    st.booleans(),
    st.sampled_from([0, 2, 3]),
)
@settings(derandomize=True, deadline=None, max_examples=150)
def test_learns_what_dictionaries_learn(tuples, lessons, boards, rates, squashes, n_values):
    network = Network(GRID, tuples, 2, rates, squashes, n_values)
    reference = Reference(GRID, tuples, rates, squashes, n_values)
    for player, board, error in lessons:
        network.learn(player, board, error, 0.5)
        reference.learn(player, board, error, 0.5)
    for board in boards:
        for player in (0, 1):
            assert network.value(player, board) == pytest.approx(reference.value(player, board), abs=1e-12)


@given(TUPLES, st.lists(st.tuples(BOARDS, st.floats(-1, 1)), max_size=8), BOARDS, st.integers(0, 7))
@settings(derandomize=True, deadline=None, max_examples=60)
def test_images_of_a_position_have_its_value(tuples, lessons, board, symmetry):
    network = Network(GRID, tuples, 1)
    for lesson, error in lessons:
        network.learn(0, lesson, error, 1.0)
    assert network.value(0, GRID.moved(board, symmetry)) == pytest.approx(network.value(0, board), abs=1e-12)


def test_tuples_have_distinct_cells_of_the_game():
    for wrong in ([0, 0], [9]):
        with pytest.raises(ParameterError, match="distinct ones below 9"):
            Network(GRID, [wrong], 1)


@pytest.mark.parametrize("length", [1, 4, 9])
def test_drawn_tuples_are_distinct_cells_and_walks_are_connected(length):
    for found in (random_walks(GRID, 30, length, Rng(1)), random_points(GRID, 30, length, Rng(1))):
        assert len(found) == 30
        assert all(len(set(cells)) == length for cells in found)
    for cells in random_walks(GRID, 30, length, Rng(2)):
        reached = {cells[0]}
        while more := {cell for cell in cells if cell not in reached and reached & set(GRID.neighbours[cell])}:
            reached |= more
        assert reached == set(cells)


@pytest.mark.parametrize("neighbours", [[[1], [0], [3], [2, 4], [3], []], [[1], [0], [3], [2], [5], [4]], []])
def test_walks_that_cannot_reach_enough_cells_are_refused(neighbours):
    """The cells of Can't Stop are columns, and dice that are next to nothing."""
    with pytest.raises(ParameterError, match="walks of 3 cells here, .* the nearest is 'points'"):
        random_walks(Cells(6, 2, neighbours=neighbours), 1, 3, Rng(1))
    with pytest.raises(ParameterError, match="the nearest is 'points'"):
        TdNtuple(make_game("cant_stop"), 2, TdNtupleParameters(), 10, 1)


def never_loses(learner):
    """Play greedily by what is learned against every line of the other player; say whether none is lost in either seat."""
    return all(no_line_beats(learner.model, learner.values(), player) for player in (0, 1))


def no_line_beats(model, values, player):
    stack, seen = [model.setup(2, Rng(0))], set()
    while stack:
        state = stack.pop()
        if state.is_terminal:
            if state.result_value(player) < 0:
                return False
            continue
        key = state.knowledge(0)
        if key in seen:
            continue
        seen.add(key)
        actions = model.available_actions(state)
        after = [model.afterstate(state, action) for action in actions]
        if state.current_player == player:
            found = [
                values.action_value(state, player, action) if values.is_of_actions() else values.after(one, player)
                for action, one in zip(actions, after, strict=True)
            ]
            after = [after[found.index(max(found))]]
        stack.extend(after)
    return True


def trained(seed, episodes, **changes):
    said = {"tuples": "all", "rates": "constant", "alpha_final": 0.5} | changes
    learner = TdNtuple(make_game("tic_tac_toe"), 2, TdNtupleParameters(**said), episodes, seed)
    while learner.episodes < episodes:
        learner.play_episode()
    return learner


@pytest.mark.heavy
def test_tic_tac_toe_is_learned_so_that_no_line_loses():
    """15,000 games: at least two of three seeds, and none without final adaptation (GBG: -0.66 instead of 0)."""
    for adapts, fewest, most in ((True, 2, 3), (False, 0, 0)):
        good = sum(never_loses(trained(seed, 15_000, final_adaptation=adapts)) for seed in range(3))
        assert fewest <= good <= most


@pytest.mark.heavy
def test_sarsa_learns_tic_tac_toe_so_that_no_line_loses():
    """8,000 games: at least five of six seeds in both seats, as GBG's; two with the maps of actions the wrong way round."""
    assert sum(never_loses(trained(seed, 8000, learns="sarsa")) for seed in range(6)) >= 5


class Recorder(Approximator):
    """Values all positions alike, and keeps what it is to learn."""

    def __init__(self):
        self.lessons = []

    def look(self, state, player):
        return state.cell_values()

    def value(self, player, seen):
        return 0.5

    def learn(self, player, seen, error, rate):
        self.lessons.append((player, seen))

    def is_for_all_states(self):
        return False


class RecordedLearner(TdLearner):
    parameters_class = TdParameters

    def new_function(self, rng):
        return Recorder()


@pytest.mark.parametrize("game", ["tic_tac_toe", "connect_four", "nim", "hex:size=3"])
@pytest.mark.parametrize("trace", [0.0, 0.5, 1.0])
def test_the_end_of_a_game_is_not_passed_on_as_a_value_of_0(game, trace):
    """The position at the end learns that nothing follows; those before it have learned the result."""
    learner = RecordedLearner(make_game(game), 2, TdParameters(trace=trace), 20, 1)
    for _episode in range(20):
        learner.function.lessons.clear()
        learner.play_episode()
        lessons = learner.function.lessons
        cells = {seen for _player, seen in lessons}
        end = max(cells, key=lambda seen: sum(map(bool, seen))) if game != "nim" else bytes(3)
        (player,) = {player for player, seen in lessons if seen == end}
        after = lessons[lessons.index((player, end)) + 1 :]
        assert all(other != player for other, _seen in after)
        assert any(other == player and seen != end for other, seen in lessons)


# --- stored models of earlier versions -----------------------------------------------------------------------------------


def stored(game, learns, to_go_on=False, **facts):
    """Return the learner of a game, and its knowledge with other facts; None leaves one out."""
    spec = {"n_tuples": 3, "length": 2, "learns": learns, "replay": 5}
    learner = TdNtuple(make_game(game), 2, TdNtupleParameters(**spec), 10, 1)
    learner.play_episode()
    found = learner.knowledge(to_go_on)
    changed = {name: value for name, value in (found.facts | facts).items() if value is not None}
    return learner, Knowledge(changed, found.arrays)


def test_a_model_of_actions_that_shared_weights_wrongly_is_refused():
    """Only where a symmetry is not its own inverse were the weights shared wrongly."""
    for game, learns in (("tic_tac_toe", "sarsa"), ("nim", "q"), ("othello:size=4", "sarsa")):
        learner, knowledge = stored(game, learns, format=None)
        with pytest.raises(DataError, match="earlier version of tag.*train it again"):
            learner.restore(knowledge)
    for game, learns in (("connect_four", "sarsa"), ("hex:size=3", "q"), ("tic_tac_toe", "afterstates")):
        learner, knowledge = stored(game, learns, format=None)
        learner.restore(knowledge)


def test_checkpoints_and_models_of_other_versions_are_refused():
    learner, knowledge = stored("connect_four", "q", to_go_on=True, format=None)
    with pytest.raises(DataError, match="earlier version of tag.*begin the training anew"):
        learner.restore(knowledge)
    for learns in ("q", "afterstates"):
        learner, knowledge = stored("connect_four", learns, format=3)
        with pytest.raises(DataError, match="format 3, .* upgrade tag"):
            learner.restore(knowledge)
    learner, knowledge = stored("connect_four", "afterstates", to_go_on=True, format=None)
    learner.restore(knowledge)


# --- learning ------------------------------------------------------------------------------------------------------------


def test_the_same_seed_learns_the_same_and_another_one_something_else():
    boards = [bytes([*[0] * cell, 1, *[0] * (8 - cell)]) for cell in range(9)]
    networks = [trained(seed, 60).function.network for seed in (1, 1, 2)]
    first, again, other = ([network.value(0, board) for board in boards] for network in networks)
    assert first == again != other


def test_a_short_training_beats_none():
    """After 300 games, greedy play of the network as first player loses fewer of the others' lines than an untrained one."""
    learner = trained(3, 300)
    assert learner.moves > 300 * 4
    opening = [learner.function.network.value(0, bytes([*[0] * cell, 1, *[0] * (8 - cell)])) for cell in range(9)]
    assert opening[0] == opening[2] == opening[6] == opening[8]
    assert opening[1] == opening[3] == opening[5] == opening[7]
    assert min(opening) > -0.2


@pytest.mark.parametrize(("said", "images"), [(0, 8), (1, 1), (2, 2), (9, 8)])
def test_as_many_symmetries_are_used_as_said(said, images):
    """Eight images of a position have one value with all symmetries, and different ones without."""
    network = trained(1, 200, symmetries=said, tuples="lines").function.network
    board = bytes([1, 2, 0, 0, 0, 0, 0, 0, 0])
    values = {round(network.value(0, GRID.moved(board, symmetry)), 12) for symmetry in range(8)}
    assert (len(values) == 1) == (images == 8)


@pytest.mark.parametrize(
    ("game", "said", "message"),
    [
        ("uno", {}, "Uno declares no cells"),
        ("tic_tac_toe", {"tuples": "rows"}, "tuples cannot be 'rows'; the game has walk, points, lines, all"),
    ],
)
def test_what_cannot_be_learned_is_refused(game, said, message):
    with pytest.raises(ParameterError, match=message):
        TdNtuple(make_game(game), 2, TdNtupleParameters(**said), 10, 1)
