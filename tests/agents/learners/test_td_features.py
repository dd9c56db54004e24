"""Temporal-difference learning of functions of features, and what all learners on features hold to."""

import math
from array import array

import pytest

from tag import Features, ForwardModel, GameState, GameType, ParameterError, Parameters, Rng, make_game
from tag.agents.learners.td import Perceptron
from tag.catalogue.registry import game_names, make_learner
from tag.errors import DataError
from tag.orders import GameOrder, new_game
from tag.playing.learning import Knowledge

pytestmark = pytest.mark.flow

NAMES = ["a", "b", "c"]
FEATURES = Features(Parameters())  # never asked: the rows are made up


def function(hidden, squashes=True, n_functions=1):
    found = Perceptron(FEATURES, NAMES, n_functions, hidden, squashes, True, Rng(1))
    rng = Rng(2)
    for _lesson in range(30):
        row = [rng.uniform(), 10 * rng.uniform(), float(rng.below(2))]
        found.learn(rng.below(n_functions), row, row[0] - row[2], 0.5)
    return found


def with_weight(changed, knowledge, number, change):
    arrays = {**knowledge.arrays, "weights": knowledge.arrays["weights"][:]}
    arrays["weights"][number] += change
    changed.restore(Knowledge(knowledge.facts, arrays))
    return changed


@pytest.mark.parametrize("squashes", [True, False])
@pytest.mark.parametrize("hidden", [0, 1, 4])
def test_a_step_follows_the_gradient_of_finite_differences(hidden, squashes):
    learner, other = function(hidden, squashes), Perceptron(FEATURES, NAMES, 1, hidden, squashes, True, Rng(3))
    before, row, small = learner.knowledge(True), [0.3, 7.0, 1.0], 1e-6
    learner.learn(0, row, 0.7, 1e-3)
    after = learner.knowledge(True)  # its standardisation holds for the step
    start = Knowledge(after.facts, {**after.arrays, "weights": before.arrays["weights"]})
    gradient = [
        (
            with_weight(other, start, number, small).value(0, row)
            - with_weight(other, start, number, -small).value(0, row)
        )
        / (2 * small)
        for number in range(len(before.arrays["weights"]))
    ]
    steps = [new - old for new, old in zip(after.arrays["weights"], before.arrays["weights"], strict=True)]
    length = math.hypot(*steps)
    assert length > 0
    assert sum(step * part for step, part in zip(steps, gradient, strict=True)) == pytest.approx(
        length * math.hypot(*gradient), rel=1e-6
    )


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e6])
def test_features_are_standardised(scale):
    """The units of a feature make no difference to what is learned."""
    one, other = (Perceptron(FEATURES, NAMES, 1, 2, True, True, Rng(1)) for _function in range(2))
    rng = Rng(2)
    for _lesson in range(50):
        row = [rng.uniform(), rng.uniform(), float(rng.below(2))]
        scaled = [scale * row[0] + 3 * scale, row[1], row[2]]
        one.learn(0, row, row[0] - row[2], 0.1)
        other.learn(0, scaled, row[0] - row[2], 0.1)
        assert other.value(0, scaled) == pytest.approx(one.value(0, row), abs=1e-6)


# --- learners ------------------------------------------------------------------------------------------------------------

OPTIONS = [
    "",
    "hidden=3,trace=0.9,replay=20",
    "shared=false,random_start=0.5,final_adaptation=false",
    "reward=score,learns_from_random=false,resets=false,gamma=0.9,epsilon=0.5",
]


def learner_of(spec, game, n_players, n=10, seed=4):
    return make_learner(spec, make_game(game), n_players, n, seed)


@pytest.mark.parametrize("game", ["nim", "love_letter"])
@pytest.mark.parametrize("options", OPTIONS)
def test_a_restored_learner_goes_on_bit_for_bit(options, game):
    spec = f"td:{options}" if options else "td"
    whole, first, second = (learner_of(spec, game, 2) for _learner in range(3))
    for _episode in range(6):
        whole.play_episode()
    for _episode in range(2):
        first.play_episode()
    second.restore(first.knowledge(True))
    for _episode in range(4):
        second.play_episode()
    assert second.knowledge(True) == whole.knowledge(True)
    assert whole.knowledge(True) != first.knowledge(True)


def test_a_model_of_other_features_is_refused():
    knowledge = learner_of("td", "nim", 2).knowledge(False)
    with pytest.raises(DataError, match="other features"):
        learner_of("td", "tic_tac_toe", 2).restore(knowledge)
    with pytest.raises(DataError, match="weights"):
        learner_of("td:hidden=2", "nim", 2).restore(knowledge)
    for name in knowledge.arrays:
        damaged = {**knowledge.arrays, name: array("d", [math.nan] * len(knowledge.arrays[name]))}
        with pytest.raises(DataError, match="not finite"):
            learner_of("td", "nim", 2).restore(Knowledge(knowledge.facts, damaged))
    with pytest.raises(DataError, match="cannot have learned"):
        learner_of("td", "nim", 2).restore(Knowledge({**knowledge.facts, "count": "3"}, knowledge.arrays))


TABLES = [
    (name, n_players)
    for name in game_names()
    for n_players in range(make_game(name).game_type.min_players, make_game(name).game_type.max_players + 1)
]


@pytest.mark.parametrize(("game", "n_players"), TABLES)
@pytest.mark.parametrize(
    ("spec", "episodes"),
    [
        ("td:epsilon=0.9", 1),
        ("regression:agent=random,positions=3", 1),
        pytest.param("td", 3, marks=pytest.mark.slow),
    ],
)
def test_every_game_with_features_can_be_learned(spec, episodes, game, n_players):
    """Values are in range, and nothing that is hidden from a player changes them."""
    kind = make_game(game).game_type
    learner = learner_of(spec, f"{game}:{kind.check_parameters}" if kind.check_parameters else game, n_players, 3)
    for _episode in range(episodes):
        learner.play_episode()
    values, rng = learner.values(), Rng(6)
    state = learner.model.setup(n_players, rng)
    for _move in range(12):
        if state.is_terminal:
            break
        for player in range(n_players):
            value = values.value(state, player)
            assert -1 <= value <= 1
            assert values.value(state.observation(player, rng), player) == value
        learner.model.next(state, learner.model.random_action(state, rng), rng)
    assert learner.episodes == episodes


class Bare(GameState):
    """No features."""


class BareGame(ForwardModel):
    game_type = GameType("Bare", 1, 2)

    def _setup(self, n_players, rng):
        return Bare(n_players)


@pytest.mark.parametrize("spec", ["td", "regression", "expert_iteration"])
def test_games_without_features_are_refused_in_one_sentence(spec):
    with pytest.raises(ParameterError, match="Bare has no features") as refusal:
        make_learner(spec, BareGame(), 2, 1)
    assert "\n" not in str(refusal.value)


def test_a_function_learned_at_nim_beats_random_play():
    agent = "learned:learner=(td:hidden=8,alpha=0.1,alpha_final=0.01),episodes=600"
    won = 0.0
    for seed in range(80):
        agents = (agent, "random") if seed % 2 else ("random", agent)
        won += (new_game(GameOrder("", "nim", agents, seed)).play().result_value(1 - seed % 2) + 1) / 2
    assert won / 80 > 0.5 + 4 * 0.5 / math.sqrt(80)
