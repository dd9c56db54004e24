"""Tree policies: their formulas, priors, wins that each finds, and equilibria in games with hidden choices."""

from math import exp, log, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play.tree_games import (
    Given,
    PathHeuristic,
    PathState,
    decide,
    exact_results,
    figures,
    go,
    random_positions,
    searcher,
)

from tag import ForwardModel, GameState, GameType, Rng, make_game
from tag.agents.search.mcts.parameters import MctsParameters
from tag.agents.search.mcts.tree import Scale, TreeNode, drawn, new_root
from tag.agents.search.mcts.tree_policies import Offer, new_tree_policy

pytestmark = pytest.mark.flow

POLICIES = ("ucb1", "ucb_tuned", "puct", "exp3", "regret_matching")
ACTIONS = [go(name) for name in "abcd"]
#: Values of each child, on the scale from 0 to 1.
CHILDREN = st.lists(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=12), min_size=2, max_size=4)


def made(name, by_availability=False, **options):
    return new_tree_policy(MctsParameters(tree_policy=name, **options), Scale(1, False), Rng(1), by_availability)


def grown(policy, children):
    """Return a node of player 0 with a child for each list of values, which ``policy`` has learned."""
    root = new_root(0)
    before = None
    for action, values in zip(ACTIONS, children, strict=False):
        child = TreeNode(action, 0)
        root.adopt(child, before)
        before = child
        for value in values:
            child.add(value)
            root.visits += 1
            if policy.learns:
                policy.learn([child], [value])
    return root


# --- formulas -----------------------------------------------------------------------------------------------------------


@given(CHILDREN, st.floats(0.01, 3.0))
@settings(derandomize=True, deadline=None, max_examples=100)
def test_ucb_tuned_is_its_formula(children, k):
    policy = made("ucb_tuned", k=k)
    root = grown(policy, children)
    total = sum(map(len, children))

    def bound(values):
        n, mean = len(values), sum(values) / len(values)
        variance = sum(value * value for value in values) / n - mean * mean + sqrt(2.0 * log(total) / n)
        return mean + k * sqrt(log(total) / n * min(0.25, variance))

    best = max(map(bound, children))
    for chosen in (policy.choose(root, ACTIONS[: len(children)]), policy.best_child(root)):
        assert bound(children[ACTIONS.index(chosen.action)]) == pytest.approx(best)


@pytest.mark.parametrize("name", ["ucb1", "ucb_tuned", "puct"])
@given(
    CHILDREN,
    st.floats(0.01, 3.0),
    st.lists(st.floats(0.0, 1.0), min_size=4, max_size=4),
    st.sampled_from([0.0, 0.5, 5.0]),
    st.sampled_from([0.0, 3.0]),
    st.booleans(),
)
@settings(derandomize=True, deadline=None, max_examples=40)
def test_a_bound_is_the_same_where_all_actions_were_tried(name, children, k, values, bias, prior_visits, widening):
    """Closed loops ask `best_child`, others `choose`: both use the same bound with all its options, and the same draws."""
    options = {"k": k, "progressive_bias": bias, "widening": widening, "priors": "game", "prior_visits": prior_visits}
    found = []
    for is_closed in (False, True):
        policy = made(name, **options)
        root = grown(policy, children)
        root.actions = ACTIONS[: len(children)]
        for child, value in zip(root.children(), values, strict=False):
            child.bias = value
        chosen = policy.best_child(root) if is_closed else policy.choose(root, root.actions)
        found.append(chosen.action)
    assert found[0] is found[1]


@given(CHILDREN, st.floats(0.01, 3.0), st.lists(st.floats(0.01, 1.0), min_size=4, max_size=4))
@settings(derandomize=True, deadline=None, max_examples=100)
def test_puct_is_its_formula(children, k, weights):
    policy = made("puct", k=k)
    root = grown(policy, children)
    for child, weight in zip(root.children(), weights, strict=False):
        child.weight = weight
    total = sum(map(len, children))
    priors = [weight / sum(weights[: len(children)]) for weight in weights]

    def bound(index):
        n, mean = len(children[index]), sum(children[index]) / len(children[index])
        return mean + k * priors[index] * sqrt(total) / (n + 1)

    best = max(map(bound, range(len(children))))
    chosen = ACTIONS.index(policy.choose(root, ACTIONS[: len(children)]).action)
    assert bound(chosen) == pytest.approx(best)


@given(
    st.lists(st.lists(st.floats(0.0, 1.0), max_size=6), min_size=2, max_size=4),
    st.lists(st.floats(0.0, 1.0), min_size=4, max_size=4),
    st.floats(0.01, 3.0),
    st.floats(0.1, 8.0),
)
@settings(derandomize=True, deadline=None, max_examples=100)
def test_the_value_of_a_prior_counts_as_visits(children, values, k, visits):
    policy = made("puct", k=k, priors="game", prior_visits=visits)
    root = grown(policy, children)
    for child, value in zip(root.children(), values, strict=False):
        child.bias = value
    total = sum(map(len, children))

    def bound(index):
        n = len(children[index])
        mean = (sum(children[index]) + visits * values[index]) / (n + visits)
        return mean + k / len(children) * sqrt(max(total, 1)) / (n + 1)

    best = max(map(bound, range(len(children))))
    for chosen in (policy.choose(root, ACTIONS[: len(children)]), policy.best_child(root)):
        assert bound(ACTIONS.index(chosen.action)) == pytest.approx(best)


def test_values_of_priors_count_only_where_there_are_priors() -> None:
    policy = made("puct", priors="null", prior_visits=5.0)
    root = grown(policy, [[0.2], [0.3]])
    for child, value in zip(root.children(), (1.0, 0.0), strict=True):
        child.bias = value
    assert policy.choose(root, ACTIONS[:2]).action is ACTIONS[1]


@given(st.lists(st.floats(0.0, 1.0), min_size=2, max_size=4), st.floats(0.05, 1.0), st.integers(1, 40))
@settings(derandomize=True, deadline=None, max_examples=60)
def test_exp3_is_its_formula(values, gamma, rounds):
    policy = made("exp3", exploration=gamma)
    actions = ACTIONS[: len(values)]
    root = new_root(0)
    gains, shares = [0.0] * len(values), [0.0] * len(values)
    for _round in range(rounds):
        powers = [exp(gamma / len(values) * gain) for gain in gains]
        expected = [power / sum(powers) for power in powers]
        child = policy.choose(root, actions)
        index = actions.index(child.action)
        probability = (1 - gamma) * expected[index] + gamma / len(values)
        assert policy._offers[0].probability == pytest.approx(probability)
        gains[index] += values[index] / probability
        shares = [share + one for share, one in zip(shares, expected, strict=True)]
        policy.learn([child], [values[index]])
        child.add(values[index])
    assert [policy.share(child) for child in root.children()] == pytest.approx(shares)


@given(st.lists(st.floats(0.0, 1.0), min_size=2, max_size=4), st.floats(0.05, 1.0), st.integers(0, 30))
@settings(derandomize=True, deadline=None, max_examples=60)
def test_estimated_regrets_are_right_on_average(values, gamma, rounds):
    """The mean over what may be drawn, weighted by its probability, is what each action would have gained."""
    policy = made("regret_matching", exploration=gamma)
    actions = ACTIONS[: len(values)]
    root = new_root(0)
    for _round in range(rounds):
        child = policy.choose(root, actions)
        policy.learn([child], [values[actions.index(child.action)]])
        child.add(values[actions.index(child.action)])
    policy.choose(root, actions)
    offer = policy._offers.pop()
    expected = [value - sum(map(float.__mul__, offer.shares, values)) for value in values]
    before = [child.regret for child in offer.children]
    means = [0.0] * len(values)
    for chosen, share in enumerate(offer.shares):
        probability = (1 - gamma) * share + gamma / len(values)
        policy.regret(Offer(offer.children, offer.shares, chosen, probability), values[chosen])
        for index, child in enumerate(offer.children):
            means[index] += probability * (child.regret - before[index])
            child.regret = before[index]
    assert means == pytest.approx(expected, abs=1e-9)


def test_only_available_actions_are_chosen() -> None:
    for name in POLICIES:
        policy = made(name, by_availability=True)
        root = new_root(0)
        for number in range(60):
            offered = [ACTIONS[number % 3], ACTIONS[(number + 1) % 3]]
            child = policy.choose(root, offered)
            assert child.action in offered
            if policy.learns:
                policy.learn([child], [0.5])
            child.add(0.5)
            root.visits += 1


# --- wins ---------------------------------------------------------------------------------------------------------------


#: The mixed policies learn slowly at a share of 0.1 that is good for many visits.
SPECS = {
    "ucb1": "budget=1000",
    "ucb_tuned": "budget=1000",
    "puct": "budget=1000",
    "exp3": "exploration=0.3,budget=3000",
    "regret_matching": "budget=2000",
}


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("information", ["closed_loop", "information_set", "chance_nodes"])
def test_every_policy_finds_forced_wins(policy: str, information: str) -> None:
    """In positions of tic-tac-toe in which some actions win by force, and others do not."""
    model = make_game("tic_tac_toe")
    known: dict = {}
    tried = 0
    for state in random_positions(model, 5, range(60)):
        results = exact_results(model, state, known)
        if set(results.values()) > {1.0} and tried < 5:
            tried += 1
            spec = f"mcts:tree_policy={policy},information={information},rollout_length=9,{SPECS[policy]}"
            agent = searcher(f"{spec},budget_type=iterations", model, state)
            assert results[decide(agent, state)] == 1.0, (str(state), figures(agent))
    assert tried == 5


# --- priors -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("information", ["closed_loop", "open_loop", "information_set", "chance_nodes"])
def test_priors_are_a_softmax_of_the_heuristic_after_each_action(information: str) -> None:
    """Values of 2, 4 and 10 are 0, 1/4 and 1 on the scale of those seen."""
    model = Given((0, {"a": (2.0,), "b": (10.0,), "c": (4.0,)}))
    state = model.setup(1, Rng(0))
    agent = searcher(
        f"mcts:tree_policy=puct,priors=game,prior_temperature=0.5,information={information},budget=50", model, state
    )
    decide(agent, state)
    weights = {str(child.action): child.weight for child in agent._search.root.children()}
    total = sum(exp(value / 0.5) for value in (0.0, 0.25, 1.0))
    assert {name: weight / sum(weights.values()) for name, weight in weights.items()} == pytest.approx(
        {"a": 1.0 / total, "b": exp(2.0) / total, "c": exp(0.5) / total}
    )


def test_priors_save_visits_of_bad_actions() -> None:
    model = Given((0, {f"{number:02}": (number / 40.0,) for number in range(40)}))
    state = model.setup(1, Rng(0))
    visits = []
    for priors in ("null", "game"):
        agent = searcher(
            f"mcts:tree_policy=puct,priors={priors},k=3,budget=200,budget_type=iterations,rollout_length=0",
            model,
            state,
        )
        decide(agent, state)
        visits.append(sum(count for name, (count, _value) in figures(agent).items() if name < "20"))
    assert visits[1] < visits[0] / 2


# --- final choice -------------------------------------------------------------------------------------------------------


@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=4))
@settings(derandomize=True, deadline=None, max_examples=30)
def test_final_draws_are_in_proportion(shares):
    rng = Rng(1)
    actions = ACTIONS[: len(shares)]
    counts = dict.fromkeys(actions, 0)
    for _draw in range(600):
        counts[drawn(actions, shares, rng)] += 1
    total = sum(shares)
    expected = [share / total if total > 0 else 1 / len(shares) for share in shares]
    assert [count / 600 for count in counts.values()] == pytest.approx(expected, abs=0.1)


@pytest.mark.parametrize("policy", ["ucb1", "ucb_tuned", "puct"])
def test_the_average_policy_of_bounds_is_that_of_the_visits(policy: str) -> None:
    model = Given((0, {"a": (0.1,), "b": (0.9,), "c": (0.5,)}))
    state = model.setup(1, Rng(0))
    agent = searcher(f"mcts:tree_policy={policy},selection=average_policy,budget=60", model, state)
    decide(agent, state)
    assert [agent._share(go(name)) for name in "abc"] == [figures(agent)[name][0] for name in "abc"]


# --- equilibria ---------------------------------------------------------------------------------------------------------


class PenniesState(PathState):
    """Each player knows the own coin, and how many there are."""

    def redeterminise(self, player, rng):
        if player == 1 and self.path:
            self.path = (("heads", "tails")[int(rng.below(2))], *self.path[1:])

    def knowledge(self, player):
        return (player, len(self.path), self.path[player] if len(self.path) > player else "")

    def copy(self):
        other = PenniesState(self.n_players)
        self.copy_to(other)
        other.path, other.values = self.path, self.values
        return other


class Pennies(ForwardModel[PenniesState]):
    """Player 0 hides a coin and player 1 names it. Naming heads rightly wins player 1 four points, tails one.

    Player 0 loses as much. In equilibrium player 0 hides heads with probability 1/5, and loses 4/5.
    """

    game_type = GameType("Pennies", 2, 2, heuristic=PathHeuristic)

    def _setup(self, n_players, rng):
        return PenniesState(n_players)

    def _available_actions(self, state):
        return [go("heads"), go("tails")]

    def _after_action(self, state, action, rng):
        if len(state.path) == 1:
            self.give_turn(state, 1)
        else:
            named, hidden = state.path[1], state.path[0]
            gain = 0.0 if named != hidden else 4.0 if hidden == "heads" else 1.0
            state.finish((-gain, gain))


def share_of_heads(spec: str, seed: int) -> float:
    model = Pennies()
    state: GameState = model.setup(2, Rng(0))
    agent = searcher(spec, model, state, seed)
    decide(agent, state)
    shares = [agent._share(action) for action in model.available_actions(state)]
    return shares[0] / sum(shares)


@pytest.mark.parametrize("policy", ["exp3", "regret_matching"])
def test_mixed_policies_approach_the_equilibrium_with_a_tree_per_player(policy: str) -> None:
    spec = f"mcts:tree_policy={policy},trees=by_player,exploration=0.1,budget=5000,budget_type=iterations"
    shares = [share_of_heads(spec, seed) for seed in range(3)]
    assert 0.9 * sum(shares) / 3 + 0.1 / 2 == pytest.approx(0.2, abs=0.05)  # with the uniform draws that player 1 meets


def test_a_shared_tree_lets_the_other_see_the_hidden_choice() -> None:
    """The counterpart: player 1 always names the coin, so hiding heads never pays."""
    spec = "mcts:tree_policy=regret_matching,trees=shared,exploration=0.1,budget=2000,budget_type=iterations"
    assert share_of_heads(spec, 1) < 0.05


def test_final_draws_are_mixed_as_the_equilibrium() -> None:
    model = Pennies()
    state = model.setup(2, Rng(0))
    spec = "mcts:tree_policy=regret_matching,trees=by_player,selection=average_policy,budget=500,budget_type=iterations"
    heads = sum(str(decide(searcher(spec, model, state, seed), state)) == "heads" for seed in range(30)) / 30
    assert 0.02 < heads < 0.45


# --- search spaces ------------------------------------------------------------------------------------------------------


def test_parameters_are_active_with_their_policy_only() -> None:
    dimensions = {dimension.name: dimension for dimension in MctsParameters.dimensions()}
    active = {
        policy: {
            name
            for name, one in dimensions.items()
            if one.is_active({**MctsParameters().values(), "tree_policy": policy})
        }
        for policy in (*POLICIES, "greedy", "uniform")
    }
    bounds = {"k", "fpu", "widening", "progressive_bias"}
    priors = {"priors", "prior_weight", "prior_temperature", "prior_visits"}
    values = {"backup", "implicit_minimax", "root_policy"}
    assert active["ucb1"] == active["ucb_tuned"] == active["puct"] - priors | bounds
    assert active["puct"] & bounds == {"k"}
    assert active["exp3"] == active["regret_matching"] == active["ucb1"] - bounds - values | {"exploration"}
    assert active["greedy"] == active["exp3"] | values
    assert active["uniform"] == active["greedy"] - {"exploration", "implicit_minimax"}
