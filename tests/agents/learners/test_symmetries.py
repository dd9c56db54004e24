"""Positions and actions that a symmetry of the rules maps to each other have the same learned values, in every game."""

from functools import cache

import pytest
from play.symmetric_play import some

from tag import Rng, Simulator, make_agent, make_game
from tag.catalogue.models import Model, rules_of, to_bytes
from tag.catalogue.registry import game_names, make_learner
from tag.engine.encoding import Cells
from tag.errors import ContractError

pytestmark = pytest.mark.flow

EPISODES = 2
SEED = 3
#: Sizes with which games are learned fast, or have more symmetries than the defaults.
SMALL = {
    "dots_and_boxes": "dots_and_boxes:width=2,height=2",
    "hex": "hex:size=3",
    "othello": "othello:size=4",
    "sim": "sim:nodes=5",
    "connect_four": "connect_four:width=4,height=3,length=3",
    "cant_stop": "cant_stop:columns=1",
}
OPTIONS = ("learns=afterstates", "learns=states", "learns=sarsa,trace=0.8", "learns=q,rates=tc,replay=20")
#: Positions of these are not set up by hand, so that functions of cells are compared, and no play.
NOT_BY_HAND = ("cant_stop",)


def tables():
    """Return all games that declare symmetries beside the identity, with a number of players."""
    found = []
    for name in game_names():
        n_players = int(make_game(name).game_type.min_players)
        cells = make_game(name).cells(n_players)
        if cells is not None and len(cells.symmetries) > 1:
            found.append((SMALL.get(name, name), n_players))
    return [*found, ("nim:heaps=4,size=3", 3), ("tic_tac_toe:size=4", 2)]


CASES = [
    (game, n_players, options)
    for game, n_players in tables()
    for options in OPTIONS
    if make_game(game).game_type.chance or options != "learns=states"
]


def spec_of(options):
    return f"td_ntuple:tuples=points,n_tuples=4,length=3,epsilon=0.5,{options}"


@cache
def learned(game, n_players, options):
    """Return a learner after some games, and lessons of positions that these may not have met."""
    learner = make_learner(spec_of(options), make_game(game), n_players, EPISODES, SEED)
    while learner.episodes < EPISODES:
        learner.play_episode()
    model, function, rng = learner.model, learner.function, Rng(8)
    for state in positions(model, n_players, 30, rng):
        seen = state.cell_values()
        if learner.values().is_of_actions():
            seen = (seen, model.vocabulary(n_players).index(model.random_action(state, rng)))
        for player in range(n_players):
            function.learn(player, seen, 2 * rng.uniform() - 1, 1.0)
    return learner


def positions(model, n_players, number, rng):
    """Return positions of random games."""
    found = []
    while len(found) < number:
        state = model.setup(n_players, rng)
        for _move in range(rng.below(10)):
            if not state.is_terminal:
                model.next(state, model.random_action(state, rng), rng)
        if not state.is_terminal:
            found.append(state)
    return found


def test_games_have_symmetries_that_are_not_their_own_inverse():
    """Only these tell a map from its inverse."""
    games = {
        game.partition(":")[0]
        for game, n_players in tables()
        for places in make_game(game).cells(n_players).symmetries
        if any(places[places[cell]] != cell for cell in places)
    }
    assert games == {"tic_tac_toe", "othello", "sim", "nim", "twenty_forty_eight", "dots_and_boxes"}


@pytest.mark.parametrize(("game", "n_players", "options"), CASES)
def test_images_have_equal_values(game, n_players, options):
    """So it is for the positions, and for all actions in them, of each player."""
    learner = learned(game, n_players, options)
    model, function, rng, told_apart = learner.model, learner.function, Rng(9), set()
    cells, vocabulary = model.cells(n_players), model.vocabulary(n_players)
    for state in positions(model, n_players, 8, rng):
        values = state.cell_values()
        for number in some(cells.symmetries, rng):
            image, moved = cells.moved(values, number), cells.actions[number]
            pairs = [(values, image)]
            if learner.values().is_of_actions():
                numbers = [vocabulary.index(action) for action in model.available_actions(state)]
                pairs = [((values, action), (image, moved[action])) for action in numbers]
            for player in range(n_players):
                for here, there in pairs:
                    value = function.value(player, here)
                    told_apart.add(round(value, 9))
                    assert function.value(player, there) == pytest.approx(value, abs=1e-12)
    assert len(told_apart) > 1, "nothing was learned, so that all values are equal"


@pytest.mark.parametrize(
    ("game", "n_players", "options"), [case for case in CASES if not case[0].startswith(NOT_BY_HAND)]
)
def test_images_are_played_alike(game, n_players, options, tmp_path):
    """The agent and the heuristic that use learned values give a position and its image, and their actions, equal ones."""
    learner, rng = learned(game, n_players, options), Rng(10)
    model, values = learner.model, learner.values()
    cells, vocabulary = model.cells(n_players), model.vocabulary(n_players)
    file = tmp_path / "it.safetensors"
    about = (spec_of(options), game, rules_of(model), n_players, EPISODES, EPISODES, 1, SEED, "1")
    file.write_bytes(to_bytes(Model(*about, learner.knowledge(False))))
    agent = make_agent(f"learned:file={file}")

    def valued(state):
        agent.player = state.current_player
        agent.sim = Simulator(model, Rng(1), agent.new_budget())
        agent.start_game(state)
        agent.act(state, model.available_actions(state))
        return {one["action"]: one["value"] for one in agent.statistics()["actions"]}

    for state in positions(model, n_players, 2, rng):
        before = valued(state)
        for number in some(cells.symmetries, rng)[:8]:
            image = model.position(n_players, cells.moved(state.cell_values(), number), state.current_player)
            for player in range(n_players):
                assert values.value(image, player) == pytest.approx(values.value(state, player), abs=1e-9)
            found = valued(image)
            assert len(found) == len(before)
            for action in model.available_actions(state):
                moved = vocabulary.action(cells.actions[number][vocabulary.index(action)])
                assert found[str(moved)] == pytest.approx(before[str(action)], abs=1e-9)


@pytest.mark.parametrize(("game", "n_players"), tables())
def test_maps_of_actions_are_permutations_of_the_vocabulary(game, n_players):
    model = make_game(game)
    for places in model.cells(n_players).actions:
        assert sorted(places) == list(range(len(model.vocabulary(n_players))))


def test_a_map_of_actions_that_is_no_permutation_is_refused():
    """It has no inverse."""
    with pytest.raises(ContractError, match="no permutation of 2 actions"):
        Cells(2, 2, [(0, 1), (1, 0)], [(0, 1), (1, 1)])
