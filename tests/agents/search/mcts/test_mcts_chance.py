"""Trees in which dice and hidden cards vary: whose decisions a node holds, what is reused, and priors of siblings."""

from math import exp

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from play.tree_games import Lottery, PathHeuristic, PathState, Toss, decide, figures, go, searcher
from test_mcts_explicit import SOLO_TREES

from tag import GameType, Rng
from tag.agents.search.mcts.tree import TreeNode

TREES = [
    *[f"information={information}" for information in ("information_set", "open_loop", "closed_loop", "chance_nodes")],
    "trees=by_player",
    "opponents=self_only",
]


# --- reuse --------------------------------------------------------------------------------------------------------------


def ends(tree):
    """Return the values of all ends of a game for one player."""
    if isinstance(tree, list):
        return [value for child in tree for value in ends(child)]
    if not isinstance(tree[-1], dict):
        return [tree[0]]
    return [value for child in tree[1].values() for value in ends(child)]


@pytest.mark.parametrize("options", TREES)
@given(tree=SOLO_TREES, seed=st.integers(0, 3))
@example(tree=(0, {"0": (0, {"0": [[(2.2250738585e-313,)], (0.0,)]})}), seed=0)
@settings(derandomize=True, deadline=None, max_examples=30)
def test_reused_values_are_of_what_can_still_happen(options, tree, seed):
    """Every value shown lies between the ends that the action can lead to now."""
    model = Lottery(tree)
    rng = Rng(seed)
    state = model.setup(1, rng)
    agent = searcher(f"mcts:{options},reuse_tree=true,budget=40,budget_type=iterations", model, state, seed)
    while not state.is_terminal:
        action = decide(agent, state)
        below = model._position(state)[1]
        for name, (visits, value) in figures(agent).items():
            if visits > 0:
                assert min(ends(below[name])) - 1e-9 <= value <= max(ends(below[name])) + 1e-9
        model.next(state, action, rng)


#: After nine sides of ten "a" wins; after the tenth it loses.
SEEN_DIE = (0, {"roll": [(0, {"a": (1.0,), "b": (-1.0,)})] * 9 + [(0, {"a": (-1.0,), "b": (1.0,)})]})


@pytest.mark.parametrize("options", TREES)
def test_the_rare_side_of_a_seen_die_is_answered(options: str) -> None:
    model = Lottery(SEEN_DIE)
    for seed in range(20):
        state = model.setup(1, Rng(0))
        agent = searcher(f"mcts:{options},reuse_tree=true,budget=100", model, state, seed)
        decide(agent, state)
        state.path = ("roll", 9)
        assert decide(agent, state) is go("b")
        assert figures(agent)["b"][1] == 1.0


@pytest.mark.parametrize("information", ["information_set", "open_loop"])
def test_what_chance_does_not_change_is_reused(information: str) -> None:
    """The die of the other action makes no difference to what follows "wait"."""
    model = Lottery((0, {"wait": (0, {"a": (0.5,), "b": (-1.0,)}), **SEEN_DIE[1]}))
    state = model.setup(1, Rng(0))
    agent = searcher(f"mcts:information={information},reuse_tree=true,budget=100", model, state)
    decide(agent, state)
    kept = agent._search.root.child(go("wait"))
    state.path = ("wait",)
    decide(agent, state)
    assert agent._search.root is kept
    assert agent.statistics()["reused_visits"] > 0


# --- who decides --------------------------------------------------------------------------------------------------------


class Turns(Toss):
    """The hidden card decides who moves, three times; the last one wins."""

    def _setup(self, n_players, rng):
        state = super()._setup(n_players, rng)
        state.cards = 6
        return state

    def _after_action(self, state, action, rng):
        if len(state.path) < 3:
            self.give_turn(state, (state.card + len(state.path)) % 3)
        else:
            state.finish(tuple(1.0 if player == state.current_player else -1.0 for player in range(3)))


def nodes_of(root: TreeNode) -> list[TreeNode]:
    found = [root]
    for node in found:
        found += node.children() + (node.others or [])
    return found


@pytest.mark.parametrize("information", ["information_set", "open_loop"])
@pytest.mark.parametrize("policy", ["ucb1", "ucb_tuned", "puct", "exp3"])
@pytest.mark.parametrize("reuse", ["true", "false"])
def test_each_decision_counts_once(information: str, policy: str, reuse: str) -> None:
    """Visits of a decision are those of its actions; but a node of an action has one more, in which it was the leaf."""
    model = Turns()
    state = model.setup(3, Rng(0))
    spec = f"mcts:information={information},tree_policy={policy},reuse_tree={reuse}"
    agent = searcher(f"{spec},budget=400,budget_type=iterations", model, state)
    decide(agent, state)
    root = agent._search.root
    several = [node for node in nodes_of(root) if node.others]
    assert len(several) > 0 or information == "open_loop"
    for node in nodes_of(root):
        chosen = sum(child.visits for child in node.children())
        if node.others:
            assert chosen == 0
            assert node.visits == 1 + sum(other.visits for other in node.others)
            assert len({int(other.decider) for other in node.others}) == len(node.others) > 1
        elif node.n_children > 0:
            is_leaf_once = node is not root and not any(node in other.others for other in several)
            assert node.visits == chosen + is_leaf_once
    assert agent.statistics()["nodes"] == root.size()
    state.path = ("a",)
    state.card = 2  # player 0 decides again
    decide(agent, state)
    root = agent._search.root
    assert agent.statistics()["reused_visits"] == root.visits - 400
    assert (agent.statistics()["reused_visits"] > 0) == (reuse == "true")
    assert root.visits - 1 <= sum(visits for visits, _value in figures(agent).values()) <= root.visits


# --- priors of siblings -------------------------------------------------------------------------------------------------


class Deals(Toss):
    """After "go", the card decides which actions player 1 has; each is worth what ``values`` say."""

    game_type = GameType("Deals", 2, 2, heuristic=PathHeuristic)

    def __init__(self, offers, values):
        super().__init__()
        self.offers = offers
        self.values = values

    def _setup(self, n_players, rng):
        state = PathState(n_players)
        state.cards = len(self.offers)
        state.card = int(rng.below(state.cards))
        return state

    def _available_actions(self, state):
        return [go(name) for name in (self.offers[state.card] if state.path else ["go"])]

    def _after_action(self, state, action, rng):
        if len(state.path) == 1:
            self.give_turn(state, 1)
        else:
            value = self.values[str(action)]
            state.finish((-value, value))


OFFERS = st.lists(st.sets(st.sampled_from("abcdef"), min_size=1).map(sorted), min_size=2, max_size=5)
SCORES = st.lists(st.sampled_from([-30.0, 0.0, 0.5, 1.0, 404.0, 405.0, 406.0]), min_size=6, max_size=6)


@pytest.mark.parametrize("normalise", ["true", "false"])
@given(OFFERS, SCORES, st.sampled_from([0.05, 0.1, 1.0, 10.0]))
@settings(derandomize=True, deadline=None, max_examples=30)
def test_priors_of_siblings_are_a_softmax_on_one_scale(normalise, offers, scores, temperature):
    """For each set of available actions, in whatever order the search met them."""
    values = dict(zip("abcdef", scores, strict=True))
    model = Deals(offers, values)
    state = model.setup(2, Rng(0))
    options = f"normalise={normalise},prior_temperature={temperature},information=information_set"
    agent = searcher(f"mcts:tree_policy=puct,priors=game,{options},budget=40,budget_type=iterations", model, state)
    decide(agent, state)
    search = agent._search
    node = search.root.child(go("go"))
    for child in node.children():
        for other in node.children():
            assert child.bias != other.bias or child.weight == other.weight
    assert (node.prior_unit > 0.0) == (len({child.bias for child in node.children()}) > 1)
    assert normalise == "true" or node.prior_unit in (0.0, 1.0)
    state.path = ("go",)
    for card, offer in enumerate(offers):
        state.card = card
        search.set_priors(node, state, model.available_actions(state))
        weights = [node.child(go(name)).weight for name in offer]
        best = max(map(values.get, offer))
        powers = [exp((values[name] - best) * node.prior_unit / temperature) for name in offer]
        shares = [weight / sum(weights) for weight in weights]
        assert shares == pytest.approx([power / sum(powers) for power in powers])


def test_an_equal_sibling_of_another_deal_is_visited() -> None:
    """In a third of the deals "a" and "b" are available, which are alike; "a" has visits from other deals, too."""
    model = Deals([["a", "w"], ["x"], ["a", "b"]], {"a": 0.0, "b": 0.0, "w": -1.0, "x": 0.5})
    state = model.setup(2, Rng(0))
    spec = "mcts:tree_policy=puct,priors=game,prior_temperature=0.05,rollout_length=0,budget=120,budget_type=iterations"
    for seed in range(20):
        agent = searcher(spec, model, state, seed)
        decide(agent, state)
        assert agent._search.root.child(go("go")).child(go("b")).visits > 10
