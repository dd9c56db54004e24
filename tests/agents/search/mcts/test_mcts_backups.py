"""Back-ups, implicit minimax, and the greedy, uniform and unweighted tree policies, against computations of their own."""

from __future__ import annotations

from math import sqrt
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play.tree_games import ACTIONS, Given, Position, decide, figures, searcher, tree

from tag import Rng, make_game
from tag.agents.search.mcts.backups import Backup, PathDecision
from tag.agents.search.mcts.parameters import MctsParameters
from tag.agents.search.mcts.tree import Scale, TreeNode, new_root
from tag.agents.search.mcts.tree_policies import Greedy, Puct, TreePolicy, Uniform, new_tree_policy

VALUES = st.floats(-1.0, 1.0)
#: For each of three nodes on a path: what its three actions were worth to two players in earlier visits.
HISTORIES = st.lists(
    st.lists(st.lists(st.tuples(VALUES, VALUES), max_size=4), min_size=3, max_size=3), min_size=1, max_size=3
)


def mean(rows: list[tuple[float, ...]], player: int) -> float:
    return sum(row[player] for row in rows) / len(rows)


def passed_on(
    rows: list[list[tuple[float, ...]]], taken: int, value: tuple[float, ...], decider: int, **options: float | str
) -> tuple[float, ...]:
    """Return what TAG's ``backUpSingleNode`` returns: ``rows`` are the values of each action, this iteration's included."""
    kind, share = options["backup"], float(options.get("backup_lambda", 0.0))
    best = max((index for index in range(3) if rows[index]), key=lambda index: mean(rows[index], decider))
    visits, threshold = sum(map(len, rows)), int(options.get("backup_threshold", 0))
    if kind == "max_mc":
        if visits <= threshold or best == taken:
            return value
        weight = (visits - threshold) / visits
        return tuple((1 - weight) * value[player] + weight * mean(rows[best], player) for player in range(2))
    other = rows[taken if kind == "lambda" else best]
    return tuple(share * value[player] + (1 - share) * mean(other, player) for player in range(2))


@given(
    HISTORIES,
    st.tuples(VALUES, VALUES),
    st.sampled_from(
        [
            {"backup": "max_mc", "backup_threshold": 0},
            {"backup": "max_mc", "backup_threshold": 4},
            {"backup": "lambda", "backup_lambda": 0.3},
            {"backup": "max_lambda", "backup_lambda": 0.7},
            {"backup": "max_lambda", "backup_lambda": 0.0},
        ]
    ),
)
def test_each_node_passes_on_what_the_formula_says(
    histories: list[list[list[tuple[float, float]]]], value: tuple[float, float], options: dict[str, float | str]
) -> None:
    parameters = MctsParameters(**options)
    backup = Backup(parameters, new_tree_policy(parameters, Scale(2, False), Rng(1), by_availability=False))
    path, decisions, deciders = [], [], []
    for level, history in enumerate(histories):
        decider = level % 2
        node, before = new_root(decider), None
        for action, rows in zip(ACTIONS, history, strict=True):
            child = TreeNode(action, decider)
            child.totals = [sum(row[player] for row in rows) for player in range(2)]
            for row in rows:
                child.add(row[decider])
            node.adopt(child, before)
            before = child
        path.append(node.child(ACTIONS[level % 3]))
        decisions.append(PathDecision(node, list(ACTIONS)))
        deciders.append(decider)
    backup.add(path, decisions, list(value))
    current: tuple[float, ...] = value
    for level in reversed(range(len(histories))):
        rows: list[list[tuple[float, ...]]] = [list(row) for row in histories[level]]
        rows[level % 3].append(current)
        child, total = path[level], sum(row[deciders[level]] for row in rows[level % 3])
        assert child.visits == len(rows[level % 3])
        assert child.total == pytest.approx(total, abs=1e-12)
        current = passed_on(rows, level % 3, current, deciders[level], **options)


@pytest.mark.parametrize("same", ["backup=lambda,backup_lambda=1", "backup=max_lambda,backup_lambda=1"])
@pytest.mark.parametrize("game", ["connect_four", "love_letter", "cant_stop"])
@pytest.mark.parametrize("policy", ["ucb1", "ucb_tuned", "puct", "greedy"])
def test_all_of_an_iteration_and_nothing_of_the_means_is_the_plain_back_up(same: str, game: str, policy: str) -> None:
    model = make_game(game)
    state = model.setup(2, Rng(2))
    found = []
    for options in ("", f",{same}", ",backup=max_mc,backup_threshold=1000000"):
        agent = searcher(f"mcts:tree_policy={policy},budget=300{options}", model, state)
        decide(agent, state)
        found.append({name: (visits, pytest.approx(value)) for name, (visits, value) in figures(agent).items()})
    assert found[0] == found[1] == found[2]


def deep(agent: str, iterations: int, tree: Position) -> dict[str, tuple[int, float]]:
    model = Given(tree)
    state = model.setup(1, Rng(1))
    spec = f"mcts:information=open_loop,rollout_length=0,budget={iterations},budget_type=iterations,{agent}"
    chosen = searcher(spec, model, state)
    decide(chosen, state)
    return figures(chosen)


#: One good line among many bad ones, against a sure middling gain: means find it late, maxima at once.
NEEDLE: Position = (0, {"sure": (0.3,), "search": (0, {str(n): (1.0 if n == 7 else 0.0,) for n in range(12)})})


def test_maxima_find_what_means_hide() -> None:
    values = {
        agent: deep(f"{agent},k=5", 120, NEEDLE)["search"][1]
        for agent in ("backup=mean", "backup=max_mc,backup_threshold=0", "backup=max_lambda,backup_lambda=0.1")
    }
    plain, *others = values.values()
    assert plain < 0.45
    assert all(other > plain + 0.1 for other in others), values


# --- implicit minimax ---------------------------------------------------------------------------------------------------


def worth(position: Position) -> tuple[float, ...]:
    """Return the values of perfect play in a tree, by max^n."""
    if not isinstance(position[-1], dict):
        return cast("tuple[float, ...]", position)
    player, followers = cast("tuple[int, dict[str, Position]]", position)
    return max((worth(follower) for follower in followers.values()), key=lambda values: values[player])


def trees(depth: int) -> st.SearchStrategy[Position]:
    leaves = st.tuples(*[st.integers(-99, 99).map(lambda number: number / 99)] * 3)
    if depth == 0:
        return leaves
    below = st.dictionaries(st.sampled_from("abc"), trees(depth - 1), min_size=2, max_size=3)
    return st.tuples(st.integers(0, 2), below)


@pytest.mark.flow
@settings(max_examples=20)
@given(trees(2))
def test_a_tree_that_is_searched_to_its_ends_has_the_values_of_perfect_play(tree: Position) -> None:
    model = Given(tree)
    state = model.setup(3, Rng(1))
    for policy in ("tree_policy=ucb1", "tree_policy=puct"):
        actor = cast("int", tree[0])
        for information in ("closed_loop", "open_loop"):
            spec = f"mcts:{policy},k=20,information={information},rollout_length=0,implicit_minimax=0.2,budget=200"
            agent = searcher(f"{spec},budget_type=iterations", model, state)
            decide(agent, state)
            followers = cast("dict[str, Position]", tree[1])
            for child in agent._search.root.children():
                wanted = worth(followers[str(child.action)])
                assert child.minimax is not None
                assert child.minimax[actor] == pytest.approx(wanted[actor])


def test_only_minimax_counts_at_a_share_of_one() -> None:
    """One step ahead the trap looks best, and its mean stays so for long, as the reply that refutes it is one of many."""
    trap: Position = (1, {str(n): (0.9, -0.9) for n in range(9)} | {"refuted": (-1.0, 1.0)})
    model = Given((0, {"trap": trap, "safe": (1, {"only": (0.1, -0.1)})}))
    state = model.setup(2, Rng(1))
    chosen = {}
    for share in (0.0, 0.9):
        spec = f"mcts:implicit_minimax={share},k=0.05,rollout_length=0,budget=14,budget_type=iterations"
        names = [str(decide(searcher(spec, model, state, seed), state)) for seed in range(20)]
        chosen[share] = names.count("safe")
    assert chosen[0.9] > chosen[0.0]


# --- tree policies ------------------------------------------------------------------------------------------------------


def counts(policy: TreePolicy, root: TreeNode, draws: int) -> list[int]:
    """Return how often each action is chosen, by both ways to choose."""
    root.actions = ACTIONS
    chosen = [policy.choose(root, ACTIONS).action for _draw in range(draws)]
    chosen += [policy.best_child(root).action for _draw in range(draws)]
    return [sum(action is other for other in chosen) for action in ACTIONS]


def test_uniform_draws_each_action_as_often() -> None:
    found = counts(Uniform(Scale(1, False), Rng(1)), tree((50, 0.1), (1, 0.9), (3, 0.5)), 3_000)
    assert all(abs(count - 2_000) < 5 * sqrt(2_000 * 2 / 3) for count in found)


@pytest.mark.parametrize("exploration", [0.1, 0.5])
def test_greedy_takes_the_best_mean_but_for_its_share(exploration: float) -> None:
    parameters = MctsParameters(tree_policy="greedy", exploration=exploration)
    policy = Greedy(parameters, Scale(1, False), Rng(1), by_availability=False)
    found = counts(policy, tree((50, 0.6), (1, 0.9), (3, 0.5)), 3_000)
    expected = [6_000 * exploration / 3] * 3
    expected[1] += 6_000 * (1 - exploration)
    assert all(abs(count - wanted) < 5 * sqrt(wanted) for count, wanted in zip(found, expected, strict=True))


def test_greedy_tries_all_actions_first() -> None:
    policy = Greedy(
        MctsParameters(tree_policy="greedy", exploration=0.001), Scale(1, False), Rng(1), by_availability=False
    )
    assert policy.choose(tree((9, 1.0), (9, 0.9)), ACTIONS).action is ACTIONS[2]


@given(
    st.lists(st.tuples(st.integers(1, 40), VALUES), min_size=3, max_size=3),
    st.lists(st.floats(0.01, 1.0), min_size=3, max_size=3),
    st.sampled_from(["probability", "one"]),
    st.floats(0.01, 10.0),
)
def test_the_bound_of_puct(rows: list[tuple[int, float]], weights: list[float], weight: str, k: float) -> None:
    """q + k p sqrt(N) / (n + 1), with 1 for p where each action weighs as much; never where two bounds are nearly equal."""
    root = tree(*rows)
    for child, prior in zip(root.children(), weights, strict=True):
        child.weight = prior
    total = sum(visits for visits, _value in rows)
    bounds = [
        value + k * (1.0 if weight == "one" else prior / sum(weights)) * sqrt(total) / (visits + 1)
        for (visits, value), prior in zip(rows, weights, strict=True)
    ]
    first, second, _third = sorted(bounds, reverse=True)
    chosen = Puct(MctsParameters(tree_policy="puct", prior_weight=weight, k=k), Scale(1, False), Rng(1)).choose(
        root, ACTIONS
    )
    if first - second > 1e-9:
        assert chosen.action is ACTIONS[bounds.index(first)]
