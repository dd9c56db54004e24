"""The parts of tree search against computations by hand: bounds, final selection, rollout policies."""

from math import exp, log, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play.tree_games import ACTIONS, Given, tree

from tag import GameType, Rng, Simulator
from tag.agents.search.mcts.parameters import MctsParameters
from tag.agents.search.mcts.rollouts import MastPolicy, RolloutLength
from tag.agents.search.mcts.tree import Scale, TreeNode, most_valued, most_visited
from tag.agents.search.mcts.tree_policies import Ucb1
from tag.playing.agent import Budget


def policy(scale: Scale | None = None, **options: object) -> Ucb1:
    parameters = MctsParameters(**{"information": "open_loop", **options})
    by_availability = parameters.information == "information_set"
    return Ucb1(parameters, Scale(1, False) if scale is None else scale, Rng(1), by_availability)


def ucb(mean: float, visits: int, parent: int, k: float) -> float:
    return mean + k * sqrt(log(parent) / visits)


# --- the bound ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [0.01, 0.1, 0.5, 1.0, 3.0])
def test_the_bound_is_ucb1_with_k(k: float) -> None:
    rows = ((60, 0.70), (30, 0.60), (10, 0.40))
    expected = max(range(3), key=lambda index: ucb(rows[index][1], rows[index][0], 100, k))
    assert policy(k=k).choose(tree(*rows), ACTIONS).action is ACTIONS[expected]


def test_k_decides_between_better_and_rarer() -> None:
    """0.70 + k sqrt(ln 100 / 60) equals 0.40 + k sqrt(ln 100 / 10) at k = 0.3 / (0.67862 - 0.27705) = 0.7471."""
    rows = ((60, 0.70), (40, -9.0), (10, 0.40))
    root = tree(*rows)
    root.visits = 100
    assert policy(k=0.74).choose(root, ACTIONS).action is ACTIONS[0]
    assert policy(k=0.76).choose(root, ACTIONS).action is ACTIONS[2]


def test_availability_takes_the_place_of_the_parents_visits() -> None:
    """A child available 20 times only is due later than one that was passed over 100 times."""
    root = tree((10, 0.5), (10, 0.5))
    for child, available in zip(root.children(), (20, 100), strict=True):
        child.availability = available
    chosen = policy(information="information_set").choose(root, ACTIONS[:2])
    assert chosen.action is ACTIONS[1]
    assert [child.availability for child in root.children()] == [21, 101]


def test_availability_counts_only_what_is_available() -> None:
    root = tree((10, 0.5), (10, 0.5), (10, 0.5))
    policy(information="information_set").choose(root, [ACTIONS[2], ACTIONS[0]])
    assert [child.availability for child in root.children()] == [2, 1, 2]


def test_only_available_actions_are_chosen() -> None:
    root = tree((10, 0.1), (10, 0.9), (10, 0.5))
    for actions in ([ACTIONS[0]], [ACTIONS[2], ACTIONS[0]], [ACTIONS[0], ACTIONS[2]]):
        assert (
            policy(k=0.01).choose(root, actions).action
            is actions[0 if len(actions) == 1 else actions.index(ACTIONS[2])]
        )


def test_normalised_bounds() -> None:
    """Values from -10 to 30: means of 20 and 10 are 0.75 and 0.5 on the scale."""
    scale = Scale(1, True)
    scale.see([-10.0])
    scale.see([30.0])
    assert scale.normal(0, 20.0) == pytest.approx(0.75)
    rows = ((60, 20.0), (40, 10.0))
    even = 0.25 / (sqrt(log(100) / 40) - sqrt(log(100) / 60))
    assert policy(scale, k=even * 0.99).choose(tree(*rows), ACTIONS[:2]).action is ACTIONS[0]
    assert policy(scale, k=even * 1.01).choose(tree(*rows), ACTIONS[:2]).action is ACTIONS[1]


def test_progressive_bias_is_divided_by_visits_and_one() -> None:
    root = tree((9, 0.5), (9, 0.5))
    first, second = root.children()
    first.bias, second.bias = 0.2, 0.1
    assert policy(progressive_bias=1.0).choose(root, ACTIONS[:2]) is first
    second.add(0.5 + 10.0 * 0.05)  # the mean rises by .05, the bound by its spread less
    assert policy(progressive_bias=100.0).choose(root, ACTIONS[:2]) is first
    assert policy(progressive_bias=0.0, k=0.001).choose(root, ACTIONS[:2]) is second


def test_untried_actions_come_first_and_each_is_as_likely() -> None:
    counts = dict.fromkeys(ACTIONS, 0)
    tries = policy()
    for _try in range(600):
        counts[tries.choose(tree((5, 1.0)), ACTIONS).action] += 1
    assert counts[ACTIONS[0]] == 0
    assert 240 < counts[ACTIONS[1]] < 360


def test_an_urgency_below_the_bounds_waits() -> None:
    bound = ucb(0.5, 5, 5, 1.0)
    assert policy(fpu=bound * 0.99).choose(tree((5, 0.5)), ACTIONS).visits == 5
    assert policy(fpu=bound * 1.01).choose(tree((5, 0.5)), ACTIONS).visits == 0


# --- the final choice ---------------------------------------------------------------------------------------------------


def test_final_choice_by_visits_and_by_value() -> None:
    root = tree((10, 0.2), (5, 0.9), (1, 0.5))
    assert most_visited(root, ACTIONS, Rng(1)) is ACTIONS[0]
    assert most_valued(root, ACTIONS, Rng(1)) is ACTIONS[1]
    assert most_valued(root, [ACTIONS[0], ACTIONS[2]], Rng(1)) is ACTIONS[2]


def test_ties_are_settled_by_the_other_figure_then_drawn() -> None:
    assert most_visited(tree((10, 0.2), (10, 0.9)), ACTIONS, Rng(1)) is ACTIONS[1]
    assert most_valued(tree((10, 0.2), (12, 0.2)), ACTIONS, Rng(1)) is ACTIONS[1]
    rng = Rng(1)
    assert {most_visited(tree((5, 0.2), (5, 0.2), (1, 0.9)), ACTIONS, rng) for _try in range(50)} == set(ACTIONS[:2])


# --- rollouts by action values ------------------------------------------------------------------------------------------


def mast(gamma: float = 0.5, temperature: float = 0.5, scale: Scale | None = None) -> tuple[MastPolicy, Given]:
    model = Given((0, {name: (0.0,) for name in "ab"}))
    parameters = MctsParameters(rollout_policy="mast", mast_gamma=gamma, mast_temperature=temperature)
    sim = Simulator(model, Rng(3), Budget(1 << 40))
    return MastPolicy(sim, RolloutLength(parameters, 0, 1), parameters, scale or Scale(1, False), 1), model


def test_action_values_are_means_that_fade() -> None:
    learner, _model = mast(gamma=0.5)
    node = TreeNode(ACTIONS[0], 0)
    assert learner.value(0, ACTIONS[0]) == 1.0
    learner.learn([node], [0.2])
    learner.learn([node], [0.4])
    assert learner.value(0, ACTIONS[0]) == pytest.approx(0.3)
    learner.begin_decision()
    learner.learn([node], [0.9])
    assert learner.value(0, ACTIONS[0]) == pytest.approx((0.5 * 0.6 + 0.9) / (0.5 * 2 + 1))


@given(
    st.lists(
        st.lists(st.tuples(st.integers(0, 1), st.floats(-500.0, 500.0)), min_size=1, max_size=5), min_size=1, max_size=4
    ),
    st.sampled_from([0.2, 0.5, 1.0]),
)
@settings(derandomize=True, deadline=None, max_examples=60)
def test_action_values_stay_on_the_scale_of_their_decision(decisions, gamma):
    """The mean of all values, each on the range of those of its decision and weighted by gamma for each decision since."""
    scale = Scale(1, True)
    learner, _model = mast(gamma, scale=scale)
    totals, counts = [0.0, 0.0], [0.0, 0.0]
    for values in decisions:
        learner.begin_decision()
        scale.forget()
        totals, counts = [gamma * total for total in totals], [gamma * count for count in counts]
        for index, value in values:
            scale.see([value])
            learner.learn([TreeNode(ACTIONS[index], 0)], [value])
        low, high = min(value for _index, value in values), max(value for _index, value in values)
        for index, value in values:
            totals[index] += (value - low) / (high - low) if high > low else 0.0
            counts[index] += 1.0
    for action, total, count in zip(ACTIONS, totals, counts, strict=False):
        assert learner.value(0, action) == pytest.approx(total / count if count > 0.0 else 1.0, abs=1e-6)


def test_nothing_is_kept_with_gamma_0() -> None:
    learner, _model = mast(gamma=0.0)
    learner.learn([TreeNode(ACTIONS[0], 0)], [0.2])
    learner.begin_decision()
    assert learner.value(0, ACTIONS[0]) == 1.0


def test_actions_are_drawn_from_the_boltzmann_distribution() -> None:
    learner, model = mast(temperature=0.5)
    learner.learn([TreeNode(ACTIONS[0], 0)], [0.8])
    learner.learn([TreeNode(ACTIONS[1], 0)], [0.3])
    state = model.setup(1, Rng(0))
    expected = exp(0.8 / 0.5) / (exp(0.8 / 0.5) + exp(0.3 / 0.5))
    drawn = sum(learner.choose(state) is ACTIONS[0] for _draw in range(4000)) / 4000
    assert drawn == pytest.approx(expected, abs=0.03)


def test_rollouts_are_learnt_from() -> None:
    learner, model = mast()
    state = model.setup(1, Rng(0))
    learner.play(state, 10)
    assert state.is_terminal
    learner.learn([], [0.25])
    assert sorted(learner.value(0, action) for action in ACTIONS[:2]) == [0.25, 1.0]


@pytest.mark.parametrize(
    ("hidden", "chance", "opponents", "expected"),
    [
        (False, False, "max_n", "closed_loop"),
        (False, False, "self_only", "information_set"),
        (True, False, "max_n", "information_set"),
        (False, True, "max_n", "information_set"),
    ],
)
def test_the_tree_fits_the_game_by_itself(hidden: bool, chance: bool, opponents: str, expected: str) -> None:
    kind = GameType("", 2, 2, hidden_information=hidden, chance=chance)
    assert MctsParameters(opponents=opponents).information_in(kind) == expected
    assert MctsParameters(information="open_loop").information_in(kind) == "open_loop"
