"""Regression against numpy and against what was planted, and value functions that are fitted to positions."""

import math
from array import array

import numpy as np
import pytest
from stores.recorded import learn_from_ledger

from tag import ParameterError, Rng, make_game
from tag.agents.learners._regression import FitSettings, Rows, fit
from tag.agents.learners.expert_iteration import ExpertIteration
from tag.catalogue.heuristics import WinHeuristic
from tag.catalogue.models import Model, rules_of, to_bytes
from tag.catalogue.registry import agent_names, check_game, make_agent, make_learner
from tag.catalogue.version import tag_version
from tag.engine.values import StateHeuristic
from tag.errors import DataError
from tag.orders import GameOrder, new_game, play_order
from tag.playing.learning import Knowledge
from tag.tournaments import define, run_tournament

pytestmark = pytest.mark.flow


def rows_of(features, targets, size=1):
    """Return rows in groups of ``size``."""
    rows = Rows(features.shape[1])
    for number, (row, target) in enumerate(zip(features.tolist(), targets.tolist(), strict=True)):
        if number % size == 0:
            rows.start_group()
        rows.add(row, target)
    return rows


def drawn(n, d, seed):
    return np.random.default_rng(seed).normal(size=(n, d)) * (1 + np.arange(d)) + np.arange(d)


def outcomes(logits, seed):
    return (np.random.default_rng(seed).uniform(size=len(logits)) < 1 / (1 + np.exp(-logits))) * 2.0 - 1.0


def newton(features, chances, ridge):
    """Return bias and weights of ridge-regularised logistic regression on standardised features, by numpy."""
    means, scales = features.mean(0), features.std(0)
    columns = np.column_stack([np.ones(len(features)), (features - means) / scales])
    penalty = ridge * len(features) * np.diag([0.0] + [1.0] * features.shape[1])
    weights = np.zeros(columns.shape[1])
    for _step in range(50):
        found = 1 / (1 + np.exp(-columns @ weights))
        curvature = (columns * (found * (1 - found))[:, None]).T @ columns + penalty
        weights += np.linalg.solve(curvature, columns.T @ (chances - found) - penalty @ weights)
    return weights[0] - (weights[1:] * means / scales).sum(), weights[1:] / scales


@pytest.mark.parametrize("ridge", [1e-9, 0.01, 1.0])
@pytest.mark.parametrize("seed", range(3))
def test_logistic_regression_is_that_of_numpy(ridge, seed):
    features = drawn(120, 4, seed)
    targets = outcomes(features @ [0.5, -0.3, 0.0, 0.2] - 0.4, seed)
    model = fit(rows_of(features, targets), -1.0, 1.0, FitSettings("logistic", ridge))
    bias, weights = newton(features, (targets + 1) / 2, ridge)
    assert model.bias == pytest.approx(bias, abs=1e-7)
    assert list(model.weights) == pytest.approx(weights, abs=1e-7)


@pytest.mark.parametrize("seed", range(3))
def test_linear_regression_is_that_of_numpy(seed):
    features = drawn(80, 3, seed)
    targets = features @ [1.0, -2.0, 3.0] + np.random.default_rng(seed).normal(size=80)
    model = fit(rows_of(features, targets), 0.0, 1.0, FitSettings("linear", 1e-9))
    expected = np.linalg.lstsq(np.column_stack([np.ones(80), features]), targets, rcond=None)[0]
    assert [model.bias, *model.weights] == pytest.approx(expected, abs=1e-5)


def test_planted_weights_are_recovered():
    features = np.random.default_rng(1).normal(size=(6000, 3)) * [1, 10, 0.1] + [5, 0, -1]
    model = fit(
        rows_of(features, outcomes(features @ [0.8, -0.05, 0.0] - 3.5, 2)), -1.0, 1.0, FitSettings("logistic", 1e-6)
    )
    assert list(model.weights) == pytest.approx([0.8, -0.05, 0.0], abs=0.3)
    assert model.weights[0] == pytest.approx(0.8, abs=0.1)
    assert model.weights[1] == pytest.approx(-0.05, abs=0.01)


def test_constant_and_collinear_features_get_no_weight():
    one, other = drawn(200, 2, 5).T
    features = np.column_stack([np.full(200, 7.0), one, 3 * one - 2, other, one - other])
    model = fit(rows_of(features, outcomes(one - other, 5)), -1.0, 1.0, FitSettings())
    assert list(model.used) == [1, 3]


def test_perfectly_separated_outcomes_have_finite_weights():
    features = np.linspace(-1, 1, 40)[:, None]
    model = fit(rows_of(features, np.sign(features[:, 0])), -1.0, 1.0, FitSettings("logistic", 1e-4))
    assert 0 < model.weights[0] < math.inf
    assert -1 <= model.value([-1e300]) < model.value([0.5]) <= model.value([1e300]) <= 1


@pytest.mark.parametrize("criterion", ["bic", "ebic"])
@pytest.mark.parametrize("link", ["logistic", "linear"])
def test_products_are_chosen_where_they_were_planted(criterion, link):
    features = drawn(1500, 4, 3)
    centred = (features - features.mean(0)) / features.std(0)
    logits = centred[:, 0] + 0.8 * centred[:, 1] * centred[:, 3]
    targets = outcomes(logits, 4) if link == "logistic" else logits + np.random.default_rng(5).normal(size=1500)
    settings = FitSettings(link, 1e-6, 3, criterion)
    low, high = (-1.0, 1.0) if link == "logistic" else (0.0, 1.0)
    model = fit(rows_of(features, targets), low, high, settings)
    pairs = [tuple(sorted(pair)) for pair in zip(model.firsts, model.seconds, strict=True)]
    assert pairs[0] == (1, 3)
    assert criterion == "bic" or pairs == [(1, 3)]
    assert model.product_weights[0] == pytest.approx(0.8 / features.std(0)[[1, 3]].prod(), rel=0.25)


def test_no_product_is_chosen_among_noise_nor_from_copies_of_it():
    """Rows of a group may be copies: fifty copies of twenty games are no more evidence than twenty games."""
    chosen = 0
    for seed in range(20):
        features, targets = drawn(40, 4, seed), outcomes(np.zeros(40), seed)
        rows = rows_of(np.repeat(features, 20, axis=0), np.repeat(targets, 20), 20)
        chosen += len(fit(rows, -1.0, 1.0, FitSettings("logistic", 0.01, 1, "ebic")).firsts)
    assert chosen == 0


def test_values_of_products_are_those_of_the_standardised_columns():
    """The weights that are written for raw features give the fitted probabilities: residuals are orthogonal to columns."""
    features = drawn(400, 3, 8)
    targets = outcomes((features[:, 0] - 1) * (features[:, 1] - 1), 8)
    model = fit(rows_of(features, targets), -1.0, 1.0, FitSettings("logistic", 1e-9, 2, "aic"))
    assert len(model.firsts) >= 1
    residuals = targets - [model.value(row) for row in features.tolist()]
    products = features[:, model.firsts[0]] * features[:, model.seconds[0]]
    assert abs(residuals.mean()) < 1e-6
    assert abs((residuals * products).mean()) < 1e-5


# --- learners ------------------------------------------------------------------------------------------------------------

REGRESSION = "regression:agent=random,positions=4,products=2"
EXPERT_ITERATION = (
    "expert_iteration:agent=(mcts:budget=8,rollout_length=0),games=3,memory=2,positions=4,mixing=0.3,products=1"
)


def learner_of(spec, game="tic_tac_toe", n_players=2, seed=5, n=20):
    return make_learner(spec, make_game(game), n_players, n, seed)


def trained(spec, episodes, *args, **kwargs):
    learner = learner_of(spec, *args, **kwargs)
    for _episode in range(episodes):
        learner.play_episode()
    return learner


@pytest.mark.parametrize("before", [0, 1, 3, 5, 7])
@pytest.mark.parametrize(
    "spec", [REGRESSION, f"{REGRESSION},target=score,link=linear", EXPERT_ITERATION, f"{EXPERT_ITERATION},target=score"]
)
def test_a_restored_learner_goes_on_bit_for_bit(spec, before):
    whole = trained(spec, 8)
    first = trained(spec, before)
    second = learner_of(spec)
    second.restore(first.knowledge(True))
    for _episode in range(8 - before):
        second.play_episode()
    assert second.knowledge(True) == whole.knowledge(True)
    assert whole.episodes == 8


@pytest.mark.parametrize("spec", [REGRESSION, EXPERT_ITERATION])
def test_values_are_the_same_in_another_process(spec):
    learner = trained(spec, 5)
    other = learner_of(spec)
    other.restore(learner.knowledge(False))
    state = learner.model.setup(2, Rng(1))
    while not state.is_terminal:
        for player in (0, 1):
            value = learner.values().value(state, player)
            assert -1 <= value <= 1
            assert other.values().value(state, player) == value
        learner.model.next(state, learner.model.random_action(state, Rng(2)), Rng(3))
    assert learner.values().value(state, 0) == state.result_value(0)


def test_models_of_other_features_and_damaged_ones_are_refused():
    knowledge = trained(REGRESSION, 3).knowledge(True)
    for name, change in [("features", ["other"]), ("low", "a"), ("bias", math.nan), ("episodes", None)]:
        with pytest.raises(DataError, match="does not fit|other features"):
            learner_of(REGRESSION).restore(Knowledge({**knowledge.facts, name: change}, knowledge.arrays))
    for name, numbers in knowledge.arrays.items():
        wrong = [numbers[:-1]] if numbers and name != "games" else []
        wrong += [array("d" if numbers.typecode == "q" else "q", [0] * len(numbers))]
        wrong += [array("q", [-1]) if numbers.typecode == "q" else array("d", [math.nan]) + numbers[1:]]
        for damaged in wrong:
            with pytest.raises(DataError):
                learner_of(REGRESSION).restore(Knowledge(knowledge.facts, {**knowledge.arrays, name: damaged}))


def test_regression_on_random_play_beats_it_at_nim():
    """Learned values choose better moves than chance: 80 games, a winning share beyond four standard errors of a half."""
    agent = "learned:learner=(regression:agent=random,epsilon=0,positions=5,products=20,criterion=aic),episodes=150"
    won = 0.0
    for seed in range(80):
        agents = (agent, "random") if seed % 2 else ("random", agent)
        won += (new_game(GameOrder("", "nim", agents, seed)).play().result_value(1 - seed % 2) + 1) / 2
    assert won / 80 > 0.5 + 4 * 0.5 / math.sqrt(80)


@pytest.mark.parametrize("agent", agent_names())
def test_agents_with_a_heuristic_use_another_one_instead(agent):
    made = make_agent({"restricted": "restricted:agent=osla", "learned": "learned:episodes=1"}.get(agent, agent))
    if any(dimension.name == "heuristic" for dimension in made.parameters.dimensions()) or agent == "restricted":
        made.use_heuristic(WinHeuristic())
    else:
        with pytest.raises(ParameterError, match="uses no heuristic"):
            made.use_heuristic(WinHeuristic())


class Counting(StateHeuristic):
    """Counts how often it is asked."""

    def __init__(self):
        super().__init__()
        self.asked = 0

    def value(self, state, player):
        self.asked += 1
        return state.result_value(player)


@pytest.mark.parametrize(
    "agent",
    ["mcts:budget=20", "osla", "flat_mc:budget=20", "max_n:budget=20", "rhea:budget=20", "restricted:agent=osla"],
)
def test_the_heuristic_in_use_is_asked(agent):
    game = new_game(GameOrder("", "tic_tac_toe", (agent, "random"), 1))
    heuristic = Counting()
    game.agents[0].use_heuristic(heuristic)
    game.play()
    assert heuristic.asked > 0


def test_expert_iteration_needs_an_agent_with_a_heuristic():
    with pytest.raises(ParameterError, match="uses no heuristic"):
        learner_of("expert_iteration:agent=random")


def test_expert_iteration_plays_with_its_model_and_forgets_old_iterations():
    learner = trained(EXPERT_ITERATION, 12)
    assert isinstance(learner, ExpertIteration)
    assert len(learner.rows.firsts) == 3 * 3  # two iterations that are remembered, and the last one
    fixed = "regression:agent=(mcts:budget=8,rollout_length=0),positions=4,products=1"
    assert trained(EXPERT_ITERATION, 3).rows.targets == trained(fixed, 3).rows.targets
    assert trained(EXPERT_ITERATION, 6).rows.targets != trained(fixed, 6).rows.targets


def test_a_ledger_teaches_what_its_games_taught(tmp_path):
    run_tournament(define("nim", ("random", "osla"), 5, seed=3, record_actions=True), tmp_path, tracking=False)
    learner = learner_of("regression:positions=1000", "nim")
    assert learn_from_ledger(learner, tmp_path) == 10 == learner.episodes
    assert learner.moves * 2 == len(learner.rows.targets)  # each position as both players see it
    assert sum(learner.rows.targets) == 0
    for wrong in (learner_of("regression", "tic_tac_toe"), learner_of("regression", "nim:heaps=4")):
        with pytest.raises(DataError, match="own parameters"):
            learn_from_ledger(wrong, tmp_path)
    with pytest.raises(ParameterError, match="only from games that it plays itself"):
        learn_from_ledger(learner_of("td", "nim"), tmp_path)


def test_a_model_of_a_game_without_cells_is_a_heuristic_of_tournaments(tmp_path):
    """The default learner, of n-tuples, is not asked whether it could learn the game."""
    learner = trained("regression:agent=random,positions=4", 3, "love_letter")
    file = tmp_path / "model.safetensors"
    rules, moves = rules_of(learner.model), int(learner.moves)
    spec = "regression:agent=random,positions=4"
    model = Model(spec, "love_letter", rules, 2, 20, 3, moves, 5, tag_version(), learner.knowledge(False))
    file.write_bytes(to_bytes(model))
    agent = f"mcts:budget=4,heuristic=(learned:file={file})"
    check_game(agent, learner.model, 2)
    assert play_order(GameOrder("", "love_letter", (agent, f"learned:file={file}"), 1)).faults == []
    with pytest.raises(ParameterError, match="declares no cells"):
        check_game("learned:episodes=1", learner.model, 2)
