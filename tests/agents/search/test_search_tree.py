"""Agents tell their search trees: the actions of the decision with their figures, and what may follow."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tag import DO_NOTHING, Agent, AnyAction, GameState, Rng, SearchNode, Simulator, make_agent, make_game
from tag.catalogue.registry import game_class
from tag.check.agents import check_tree
from tag.cli.inspection.plain_trees import plain_line
from tag.engine.snapshot import state_hash
from tag.errors import ContractError
from tag.isolation._trees import rows_of
from tag.isolation._trees import tree_of as tree_of_rows
from tag.playing.search_tree import CHANCE, principal_variation

pytestmark = pytest.mark.flow

MCTS = [
    "mcts",
    "mcts:solver=true",
    "mcts:selection=value",
    "mcts:opponents=paranoid",
    "mcts:opponents=self_only",
    "mcts:information=open_loop",
    "mcts:information=closed_loop",
    "mcts:information=chance_nodes",
    "mcts:information=chance_nodes,solver=true,rollout_length=0",
    "mcts:trees=by_player",
    "mcts:tree_policy=puct,priors=game",
    "mcts:tree_policy=regret_matching,selection=average_policy",
    "mcts:widening=true,reuse_tree=true",
]
OTHERS = ["flat_mc", "osla", "osla:samples=3", "max_n", "max_n:opponents=max_n", "expectimax", "rhea", "rmhc"]
LEARNED = "learned:learner=(td_ntuple:n_tuples=2,length=2),episodes=3"
GAMES = ["tic_tac_toe", "connect_four", "love_letter", "nim", "twenty_forty_eight:target=64", "cant_stop"]


def seated(spec: str, game: str, players: int, seed: int = 1) -> tuple[Agent, GameState]:
    """Return an agent for the first player, and a game at its start."""
    model = make_game(game)
    state = model.setup(players, Rng(seed))
    agent = make_agent(spec)
    agent.sim = Simulator(model, Rng(seed + 1), agent.new_budget())
    agent.player = state.current_player
    agent.start_game(state.observation(agent.player, Rng(seed + 2)))
    return agent, state


def decide(agent: Agent, observation: GameState) -> tuple[AnyAction, list[AnyAction]]:
    """Return the agent's choice, and the actions that it was offered."""
    agent.sim.budget.start()
    actions = agent.sim.model.available_actions(observation)
    return agent.act(observation, actions[:]), actions


def tree_of(agent: Agent, **limits: int) -> SearchNode:
    root = agent.search_tree(**limits)
    assert root is not None
    return root


def nodes_of(root: SearchNode) -> Iterator[SearchNode]:
    yield root
    for child in root.children:
        yield from nodes_of(child)


def after(game: str, *texts: str) -> tuple[Agent, GameState]:
    """Return a placeholder agent, and the position of a game for two after actions by their text."""
    model = make_game(game)
    state = model.setup(2, Rng(1))
    for text in texts:
        (action,) = [one for one in model.available_actions(state) if str(one) == text]
        model.next(state, action, Rng(1))
    return Agent(), state


# --- all agents -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_the_tree_has_the_figures_of_the_actions(game: str) -> None:
    players = game_class(game.partition(":")[0]).game_type.min_players
    for spec in [*MCTS, *OTHERS, "restricted:agent=mcts,without=Guard"]:
        for budget in (1, 3, 60, 400):
            text = spec if spec.startswith("restricted") else f"{spec}{',' if ':' in spec else ':'}budget={budget}"
            agent, state = seated(text, game, players)
            assert agent.search_tree() is None, "nothing was decided yet"
            choice, actions = decide(agent, state.observation(agent.player, Rng(9)))
            root = agent.search_tree()
            if root is None:
                assert budget <= 3 or "restricted" in spec, text
                continue
            check_tree(root, agent.statistics(), actions)
            assert root.action is DO_NOTHING
            assert root.player == agent.player
            assert root.children[0].action is choice, text
            for row in agent.statistics()["actions"]:  # type: ignore[attr-defined]
                (node,) = [one for one in root.children if str(one.action) == row["action"]]
                assert node.value == row["value"]
                assert node.visits == row.get("visits", node.visits)
                assert node.bound == ("≤" if row.get("is_bound") else "")


def test_a_learned_agent_tells_its_values() -> None:
    agent, state = seated(LEARNED, "tic_tac_toe", 2)
    choice, actions = decide(agent, state)
    root = tree_of(agent)
    check_tree(root, agent.statistics(), actions)
    assert root.children[0].action is choice
    assert root.size() == 10


def test_agents_without_a_search_have_no_tree() -> None:
    agent, state = seated("random", "tic_tac_toe", 2)
    decide(agent, state)
    assert agent.search_tree() is None


@pytest.mark.parametrize("spec", [*MCTS, *OTHERS])
def test_the_seed_decides_the_tree_and_looking_at_it_changes_nothing(spec: str) -> None:
    trees = []
    for looks in (False, True):
        agent, state = seated(spec, "love_letter" if "information=c" not in spec else "connect_four", 2, seed=3)
        for tick in range(4):
            choice, _actions = decide(agent, state.observation(agent.player, Rng(9, tick)))
            if looks:
                tree_of(agent)
            agent.sim.model.next(state, choice, Rng(5, tick))
            while not state.is_terminal and state.current_player != agent.player:
                agent.sim.model.next(state, agent.sim.model.available_actions(state)[0], Rng(6, state.tick))
        trees.append(tree_of(agent))
    assert trees[0] == trees[1]


def test_a_tree_shows_what_its_player_may_know() -> None:
    """Two positions that the player cannot tell apart, and the same observation of both: the trees are the same."""
    model = make_game("love_letter")
    for seed in range(3):
        state = model.setup(2, Rng(seed))
        while len(state.deck) != 2 or len(model.available_actions(state)) < 2:
            model.next(state, model.random_action(state, Rng(seed, state.tick)), Rng(seed, state.tick))
        player = state.current_player
        dealt = [state.observation(player, Rng(deal)) for deal in range(60)]
        twin = next(one for one in dealt if state_hash(one) != state_hash(state))
        assert twin.knowledge(player) == state.knowledge(player)
        seen = {state_hash(one): one for one in dealt}
        alike = next(
            one for one in (twin.observation(player, Rng(900 + deal)) for deal in range(900)) if state_hash(one) in seen
        )
        trees = []
        for observation in (seen[state_hash(alike)], alike):
            agent = make_agent("mcts:budget=300")
            agent.sim = Simulator(model, Rng(4), agent.new_budget())
            agent.player = player
            agent.start_game(observation.copy())
            decide(agent, observation.copy())
            trees.append(tree_of(agent))
        assert trees[0] == trees[1]


# --- limits ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["mcts:budget=3000", "mcts:budget=3000,information=open_loop"])
def test_the_most_visited_nodes_are_shown(spec: str) -> None:
    agent, state = seated(spec, "connect_four", 2)
    decide(agent, state)
    everything = tree_of(agent, most_nodes=1_000_000)
    assert everything.size() == agent.statistics()["nodes"]
    for most in (0, 8, 9, 40, 200):
        few = tree_of(agent, most_nodes=most)
        assert few.size() == max(most, 8)
        deeper = sorted((node.visits for node in nodes_of(everything)), reverse=True)[: few.size()]
        assert sum(deeper) >= sum(node.visits for node in nodes_of(few)) >= sum(deeper) - 20
        for node in nodes_of(few):
            assert len(node.children) <= 7
    seen_often = tree_of(agent, least_visits=10)
    assert all(node.visits >= 10 for child in seen_often.children for node in nodes_of(child) if node is not child)
    assert seen_often.size() == sum(node.visits >= 10 for node in nodes_of(everything))


def test_deep_trees_are_no_danger() -> None:
    root = node = SearchNode(DO_NOTHING, 0)
    for _level in range(3000):
        node.children.append(SearchNode(DO_NOTHING, 0))
        node = node.children[0]
    assert root.size() == 3001
    assert len(principal_variation(root)) == len(plain_line(root, {})) == 3000
    assert tree_of_rows(rows_of(root, []), [DO_NOTHING], 2).size() == 3001


# --- values ---------------------------------------------------------------------------------------------------------------


def test_values_of_a_paranoid_search_are_those_of_two_sides() -> None:
    agent, state = seated("mcts:opponents=paranoid,budget=500", "nim", 3)
    decide(agent, state)
    for node in nodes_of(tree_of(agent)):
        mine, *others = node.values
        assert mine is not None
        assert node.value == mine
        assert others == [-mine, -mine]


def test_values_in_max_n_are_exact_for_the_player_who_acts_and_at_the_end() -> None:
    agent, state = seated("mcts:budget=4000,rollout_length=0", "tic_tac_toe", 2)
    decide(agent, state)
    root = tree_of(agent, most_nodes=100_000)
    assert root.value == pytest.approx(
        sum(node.value * node.visits for node in root.children) / sum(node.visits for node in root.children)
    )
    full = 0
    for node in nodes_of(root):
        assert node.values[0 if node is root else node.player] is not None
        if None not in node.values:
            full += 1
            assert all(-1.0 <= value <= 1.0 for value in node.values)
    assert full > 100


def test_a_proven_result_is_told() -> None:
    """X to move wins on c1 at once; O's threat loses."""
    _agent, state = after("tic_tac_toe", "a1", "a2", "b1", "b2")
    agent, _state = seated("mcts:solver=true,budget=2000", "tic_tac_toe", 2)
    choice, _actions = decide(agent, state)
    root = tree_of(agent)
    assert str(choice) == "c1"
    assert root.proven == root.children[0].proven == 1.0
    assert [node.text() for node in principal_variation(root)] == ["c1"]


def test_outcomes_of_chance_are_nodes() -> None:
    agent, state = seated("mcts:information=chance_nodes,budget=5000,rollout_length=0", "twenty_forty_eight", 1)
    decide(agent, state)
    root = tree_of(agent, most_nodes=1_000_000)
    outcomes = [node for child in root.children for node in child.children]
    assert outcomes
    for outcome in outcomes:
        assert outcome.player == CHANCE
        assert outcome.action is DO_NOTHING
        assert 0.0 < outcome.probability < 1.0
        assert all(node.player == 0 and node.probability is None for node in outcome.children)
    for child in root.children:
        assert sum(outcome.probability for outcome in child.children) <= 1.0 + 1e-9
    line = principal_variation(root)
    assert [node.player for node in line[:2]] == [0, CHANCE]
    assert plain_line(root, {})[1]["action"] == f"chance {line[1].probability:.3g}"


# --- lines of play --------------------------------------------------------------------------------------------------------

#: Positions in which the player to move wins at once, or in three actions.
WON = {
    ("connect_four", ("a", "b", "a", "b", "a", "b")): ["a"],
    ("tic_tac_toe", ("a1", "a2", "b1", "b2")): ["c1"],
    ("connect_four", ("c", "c", "d", "d")): None,
}


@pytest.mark.parametrize("spec", ["mcts:budget=20000,rollout_length=0", "mcts:solver=true,budget=20000", "max_n"])
@pytest.mark.parametrize(("game", "actions"), WON)
def test_the_line_of_a_won_position_wins(spec: str, game: str, actions: tuple[str, ...]) -> None:
    _agent, state = after(game, *actions)
    agent, _state = seated(spec, game, 2)
    decide(agent, state.copy())
    line = principal_variation(tree_of(agent))
    expected = WON[game, actions]
    if expected is not None:
        assert [str(node.action) for node in line] == expected
    model = make_game(game)
    for node in line:
        assert node.player == state.current_player
        model.next(state, node.action, Rng(1))
    assert state.is_terminal
    assert state.result_value(0) == 1.0


@pytest.mark.parametrize("spec", ["max_n", "max_n:opponents=max_n", "expectimax", "mcts:solver=true"])
def test_the_line_of_perfect_play_ends_in_the_result(spec: str) -> None:
    _agent, state = after("tic_tac_toe", "b2", "a1")
    agent, _state = seated(f"{spec}{',' if ':' in spec else ':'}budget=200000", "tic_tac_toe", 2)
    decide(agent, state.copy())
    root = tree_of(agent)
    assert root.proven == 0.0
    model = make_game("tic_tac_toe")
    for node in principal_variation(root):
        assert node.proven == 0.0
        model.next(state, node.action, Rng(1))
    assert state.is_terminal
    assert state.result_value(0) == 0.0


def test_lines_of_look_ahead_are_as_deep_as_the_search() -> None:
    for budget in (100, 1000, 5000):
        agent, state = seated(f"max_n:budget={budget}", "connect_four", 2)
        decide(agent, state.copy())
        root = tree_of(agent)
        depths = {row["action"]: row["depth"] for row in agent.statistics()["actions"]}  # type: ignore[attr-defined]
        model = make_game("connect_four")
        for child in root.children:
            position = state.copy()
            length = 0
            line = [child]
            while line:
                (node,) = line
                assert node.player == position.current_player
                model.next(position, node.action, Rng(1))
                length += 1
                line = node.children
            assert 1 <= length <= depths[str(child.action)]
        assert len(principal_variation(root)) >= 2


def test_bounds_in_lines_hold() -> None:
    """Against the values of a search without bounds, in positions of tic-tac-toe that both see to the end."""
    kinds = set()
    for opening in (("b2", "a1"), ("a1", "a2"), ("a1", "b2", "c3")):
        _agent, state = after("tic_tac_toe", *opening)
        agent, _state = seated("max_n:budget=1000000", "tic_tac_toe", 2)
        agent.player = state.current_player
        agent.start_game(state)
        decide(agent, state.copy())
        for child in tree_of(agent).children:
            position, line = state.copy(), [child]
            while line:
                (node,) = line
                exact, _state = seated("max_n:opponents=max_n,budget=1000000", "tic_tac_toe", 2)
                exact.player = position.current_player
                exact.start_game(position)
                decide(exact, position.copy())
                (reached,) = [one for one in tree_of(exact).children if one.action is node.action]
                value = reached.value if position.current_player == agent.player else -reached.value
                best = tree_of(exact).value if node is not child else reached.value
                best = best if position.current_player == agent.player else -best
                assert (
                    best <= node.value
                    if node.bound == "≤"
                    else best >= node.value
                    if node.bound
                    else best == node.value
                )
                assert node.bound or value == node.value
                kinds.add(node.bound)
                exact.sim.model.next(position, node.action, Rng(1))
                line = node.children
    assert kinds >= {"", "≤"}


@pytest.mark.parametrize("pooling", [0, 10])
@pytest.mark.parametrize("spec", ["rhea:budget=500", "rmhc:budget=500"])
def test_the_line_of_evolution_is_its_best_plan(spec: str, pooling: int) -> None:
    agent, state = seated(f"{spec},pooling={pooling}", "connect_four", 2)
    decide(agent, state)
    figures = agent.statistics()
    line = principal_variation(tree_of(agent))
    assert [str(node.action) for node in line] == figures["best_plan"]
    (shown,) = (row["value"] for row in figures["actions"] if row["action"] == str(line[0].action))
    assert line[0].value == shown
    assert all(node.value == figures["best_fitness"] for node in (line if pooling == 0 else line[1:]))
    assert {node.player for node in line} == {0}


# --- checks of users' agents ----------------------------------------------------------------------------------------------


def test_wrong_trees_are_found() -> None:
    actions = make_game("tic_tac_toe").available_actions(make_game("tic_tac_toe").setup(2, Rng(1)))[:2]
    nodes = [SearchNode(action, 0, 2, 0.5) for action in actions]
    told = {"actions": [{"action": str(action), "value": 0.5} for action in actions]}
    check_tree(SearchNode(DO_NOTHING, 0, 4, children=nodes), told, actions)
    check_tree(None, told, actions)
    for root, message in [
        ("tree", "no SearchNode"),
        (SearchNode(DO_NOTHING, 0, 4, children=nodes[:1]), "which is available"),
        (SearchNode(DO_NOTHING, 0, 4, children=[*nodes, nodes[0]]), "3 actions, not 2"),
        (SearchNode(DO_NOTHING, 0, 3, children=nodes), "3 visits of 'pass' and 4 below it"),
        (SearchNode(DO_NOTHING, 0, 4, children=[nodes[0], SearchNode(actions[1], 0, 2, 0.1)]), "the value 0.1"),
    ]:
        with pytest.raises(ContractError, match=message):
            check_tree(root, told, actions)
