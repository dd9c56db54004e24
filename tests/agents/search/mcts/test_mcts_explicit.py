"""Chance nodes against expectimax, and proofs against perfect play."""

from itertools import product

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from play.tree_games import (
    Lottery,
    PathHeuristic,
    PathState,
    decide,
    exact_result,
    exact_results,
    figures,
    go,
    max_n_values,
    random_positions,
    searcher,
)

from tag import GameType, Rng, StateHeuristic, make_game

SOLVER = "mcts:solver=true,budget_type=iterations"


def proven(search):
    """Yield the nodes of decisions that are proven, with their positions."""
    stack = [search.root]
    while stack:
        node = stack.pop()
        stack += node.children()
        stack += node.others or []
        if node.end is not None and node.decider >= 0 and node.actions is not None:
            yield node


# --- proofs in games for two --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "moves", "count"),
    [("tic_tac_toe", 3, 6), ("nim:heaps=3,size=4", 1, 4), ("hex:size=3,swap=false", 2, 4), ("othello:size=4", 4, 2)],
)
@pytest.mark.parametrize("opponents", ["max_n", "paranoid"])
def test_proofs_agree_with_perfect_play(game: str, moves: int, count: int, opponents: str) -> None:
    model = make_game(game)
    known: dict = {}
    checked = 0
    for state in random_positions(model, moves, range(count)):
        agent = searcher(f"{SOLVER},opponents={opponents},rollout_length=2,budget=1500", model, state)
        action = decide(agent, state)
        nodes = list(proven(agent._search))
        for node in nodes:
            assert node.end.result_value(0) == exact_result(model, node.state, known)
        checked += len(nodes)
        if agent.statistics()["is_proven"]:
            results = exact_results(model, state, known)
            assert results[action] == max(results.values())
            assert agent.statistics()["iterations"] < 1500
    assert checked > 20 * count


@pytest.mark.parametrize("policy", ["ucb1", "ucb_tuned", "puct", "exp3", "regret_matching"])
def test_every_policy_proves(policy: str) -> None:
    model = make_game("tic_tac_toe")
    known: dict = {}
    for state in random_positions(model, 4, range(4)):
        agent = searcher(f"{SOLVER},tree_policy={policy},exploration=0.5,budget=4000", model, state)
        results = exact_results(model, state, known)
        assert results[decide(agent, state)] == max(results.values())
        assert agent.statistics()["is_proven"]


def test_a_loss_that_is_proven_is_not_chosen() -> None:
    """The proven loss has by far the most visits, as it seemed to win for long."""
    model = make_game("tic_tac_toe")
    state = random_positions(model, 4, range(1))[0]
    agent = searcher(f"{SOLVER},budget=10", model, state)
    decide(agent, state)
    root = agent._search.root
    actions = model.available_actions(state)
    lost = root.child(actions[0])
    lost.visits = 10_000
    lost.end = state.copy()
    lost.end.end_with_winner(1 - state.current_player)
    root.end = None
    assert actions[0] not in agent._search.candidates(actions)


@pytest.mark.parametrize("spec", ["information=information_set", "opponents=self_only", "trees=by_player"])
def test_the_solver_has_no_effect_without_all_positions(spec: str) -> None:
    model = make_game("tic_tac_toe")
    state = model.setup(2, Rng(0))
    seen = []
    for solver in ("true", "false"):
        agent = searcher(f"mcts:{spec},solver={solver},budget=300", model, state)
        decide(agent, state)
        seen.append(agent.statistics())
    assert seen[0] == seen[1]
    assert not seen[0]["is_proven"]


def test_the_solver_has_no_effect_in_games_of_chance_or_with_hidden_cards() -> None:
    for game, spec in (
        ("twenty_forty_eight", "closed_loop"),
        ("twenty_forty_eight", "auto"),
        ("love_letter", "closed_loop"),
        ("love_letter", "chance_nodes"),
    ):
        model = make_game(game)
        state = model.setup(model.game_type.min_players, Rng(0))
        agent = searcher(f"mcts:information={spec},solver=true,budget=200", model, state)
        assert not agent._settings.solves(model.game_type)
        decide(agent, state)
        assert not any(proven(agent._search))


# --- proofs with more sides, teams and chance ---------------------------------------------------------------------------

#: The team that wins, -1 for a draw.
WINNERS = st.integers(-1, 2)


def decisions(below):
    some = st.lists(below, min_size=1, max_size=3)
    return st.tuples(st.integers(0, 2), some.map(lambda found: {str(name): child for name, child in enumerate(found)}))


def solo_decisions(below):
    return decisions(below).map(lambda tree: (0, tree[1]))


RESULT_TREES = decisions(st.recursive(WINNERS, decisions, max_leaves=14))
CHANCE_RESULTS = decisions(
    st.recursive(
        st.integers(-1, 1), lambda below: decisions(below) | st.lists(below, min_size=1, max_size=2), max_leaves=12
    )
)


class ResultState(PathState):
    """Three players: each a team, or the last two against the first."""

    in_teams = False

    def copy(self):
        other = type(self)(self.n_players)
        self.copy_to(other)
        other.path = self.path
        return other

    def team(self, player):
        return min(player, 1) if self.in_teams else player


class TeamState(ResultState):
    in_teams = True


class Results(Lottery):
    """A tree whose leaves name the team that wins."""

    game_type = GameType("Results", 3, 3, hidden_information=False, heuristic=PathHeuristic)
    state_class = ResultState

    def _setup(self, n_players, rng):
        state = self.state_class(n_players)
        state.current_player = self.tree[0]
        return state

    def _after_action(self, state, action, rng):
        while isinstance(self._position(state), list):
            state.path = (*state.path, int(rng.below(len(self._position(state)))))
        position = self._position(state)
        if isinstance(position, tuple):
            self.give_turn(state, position[0])
        elif position < 0:
            state.end_with_draw()
        else:
            state.end_with_winner(position)


class CertainResults(Results):
    game_type = GameType("Results", 3, 3, hidden_information=False, chance=False, heuristic=PathHeuristic)


class TeamResults(CertainResults):
    state_class = TeamState


def values(winner, in_teams):
    """Return the result of each player where ``winner`` wins."""
    teams = [0, 1, 1] if in_teams else [0, 1, 2]
    won = -1 if winner < 0 else teams[winner]
    return tuple(0.0 if winner < 0 else 1.0 if team == won else -1.0 for team in teams)


def possible(tree, in_teams):
    """Return all results that perfect play may have, for any choice among equally good actions."""
    if isinstance(tree, int):
        return {values(tree, in_teams)}
    mover, children = tree[0], [possible(child, in_teams) for child in tree[1].values()]
    found = set()
    for chosen in product(*children):
        best = max(result[mover] for result in chosen)
        found |= {result for result in chosen if result[mover] == best}
    return found


@pytest.mark.parametrize("in_teams", [False, True])
@given(tree=RESULT_TREES)
@settings(derandomize=True, deadline=None, max_examples=60)
def test_proofs_hold_whatever_equally_good_actions_players_take(in_teams, tree):
    model = (TeamResults if in_teams else CertainResults)(tree)
    state = model.setup(3, Rng(0))
    agent = searcher(f"{SOLVER},budget=120,rollout_length=0", model, state)
    decide(agent, state)
    for node in proven(agent._search):
        result = tuple(node.end.result_value(player) for player in range(3))
        assert possible(model._position(node.state), in_teams) == {result}
    if in_teams:
        assert agent.statistics()["is_proven"]


def bounds(tree, best):
    """Return the result for player 0 of the team of 1 and 2 if chance does its ``best`` (max, min) for player 0."""
    if isinstance(tree, int):
        return values(tree, True)[0]
    if isinstance(tree, list):
        return best(bounds(child, best) for child in tree)
    return (max if tree[0] == 0 else min)(bounds(child, best) for child in tree[1].values())


class TeamLottery(Results):
    state_class = TeamState


@given(CHANCE_RESULTS)
@settings(derandomize=True, deadline=None, max_examples=50)
def test_with_chance_only_certain_results_are_proven(tree):
    model = TeamLottery(tree)
    state = model.setup(3, Rng(0))
    agent = searcher(f"{SOLVER},information=chance_nodes,budget=150,rollout_length=0", model, state)
    decide(agent, state)
    for node in proven(agent._search):
        position = model._position(node.state)
        assert bounds(position, max) == bounds(position, min) == node.end.result_value(0)
    if all(not isinstance(child, list) for child in tree[1].values()) and bounds(tree, max) != bounds(tree, min):
        assert not agent.statistics()["is_proven"]


#: How many sides of a die of 300 bring the rare result, and what the usual and the rare results are.
RARE_SIDES = st.tuples(st.integers(1, 60), st.permutations([-1, 0, 1]))


@given(RARE_SIDES, st.integers(0, 3))
@settings(derandomize=True, deadline=None, max_examples=25)
def test_a_sample_of_outcomes_proves_nothing(sides, seed):
    """With 300 outcomes some are drawn, of which the rare ones may be missing."""
    rare, (usual, other, sure) = sides
    die = [usual] * (300 - rare) + [other] * rare
    for actions in ({"roll": die}, {"roll": die, "sure": sure}, {"roll": (1, {"reply": die, "sure": sure})}):
        model = TeamLottery((0, actions))
        state = model.setup(3, Rng(0))
        agent = searcher(f"{SOLVER},information=chance_nodes,budget=150,rollout_length=0", model, state, seed)
        action = decide(agent, state)
        for node in proven(agent._search):
            position = model._position(node.state)
            assert bounds(position, max) == bounds(position, min) == node.end.result_value(0)
        roll = agent._search.root.child(go("roll"))
        assert roll is None or roll.end is None or isinstance(actions["roll"], tuple)
        if sure == 0 and "sure" in actions:
            assert str(action) == "sure"
            assert agent.statistics()["is_proven"]


# --- chance nodes -------------------------------------------------------------------------------------------------------


#: One player decides; a list stands for chance.
SOLO_TREES = solo_decisions(
    st.recursive(
        st.tuples(st.floats(-1.0, 1.0)),
        lambda below: solo_decisions(below) | st.lists(below, min_size=1, max_size=3),
        max_leaves=10,
    )
)


@given(SOLO_TREES, st.integers(0, 3))
@settings(derandomize=True, deadline=None, max_examples=25, phases=[Phase.generate])
def test_choices_approach_those_of_expectimax(tree, seed):
    model = Lottery(tree)
    state = model.setup(1, Rng(0))
    spec = "mcts:information=chance_nodes,rollout_length=0,k=0.5,budget=600,budget_type=iterations"
    chosen = decide(searcher(spec, model, state, seed), state)
    expected = {name: max_n_values(child)[0] for name, child in tree[1].items()}
    assert expected[str(chosen)] >= max(expected.values()) - 0.15


@given(st.lists(st.lists(st.floats(-1.0, 1.0), min_size=2, max_size=6), min_size=1, max_size=4))
@settings(derandomize=True, deadline=None, max_examples=12)
def test_means_after_chance_are_expectations(lotteries):
    model = Lottery((0, {str(name): [(value,) for value in faces] for name, faces in enumerate(lotteries)}))
    state = model.setup(1, Rng(0))
    agent = searcher("mcts:information=chance_nodes,k=3,budget=3000,budget_type=iterations", model, state)
    decide(agent, state)
    for name, faces in enumerate(lotteries):
        visits, mean = figures(agent)[str(name)]
        assert mean == pytest.approx(sum(faces) / len(faces), abs=4.0 / visits**0.5)
        child = agent._search.root.child(go(str(name)))
        assert sum(node.weight for node in child.others) == pytest.approx(1.0)


class Spy(StateHeuristic):
    """Values afterstates by their points, and notes whether positions are afterstates: their turn has not ended."""

    def is_of_afterstates(self) -> bool:
        return True

    def __init__(self):
        super().__init__()
        self.are_afterstates = []

    def value(self, state, player):
        if not state.is_terminal:
            self.are_afterstates.append(state.tick > state.turn)
        return state.score(player)


@pytest.mark.parametrize("options", ["information=chance_nodes", "information=information_set", "trees=by_player"])
@pytest.mark.parametrize("budget", [7, 400])
def test_afterstates_are_valued_where_the_heuristic_is_of_afterstates(options: str, budget: int) -> None:
    model = make_game("twenty_forty_eight")
    state = model.setup(1, Rng(3))
    for length, kind in ((0, "forward_model_calls"), (0, "iterations"), (5, "iterations")):
        agent = searcher(f"mcts:{options},rollout_length={length},budget={budget},budget_type={kind}", model, state)
        agent._heuristic = Spy()
        agent.start_game(state)
        decide(agent, state)
        seen = agent._heuristic.are_afterstates
        assert len(seen) > 0
        if kind == "iterations":
            assert set(seen) == {length == 0}
        else:
            assert sum(seen) >= len(seen) - 1  # the last iteration may end before an action


def test_priors_are_of_afterstates_too() -> None:
    model = make_game("twenty_forty_eight")
    state = model.setup(1, Rng(3))
    agent = searcher("mcts:tree_policy=puct,priors=score,budget=100,rollout_length=0", model, state)
    agent._search.priors = Spy()
    decide(agent, state)
    assert set(agent._search.priors.are_afterstates) == {True}


def test_a_search_without_chance_is_the_same_with_chance_nodes() -> None:
    for state in random_positions(make_game("connect_four"), 6, range(3)):
        seen = []
        for information in ("closed_loop", "chance_nodes"):
            agent = searcher(f"mcts:information={information},budget=800", make_game("connect_four"), state)
            decide(agent, state)
            seen.append(figures(agent))
        assert seen[0] == seen[1]


def test_reuse_goes_on_after_the_outcome_that_came() -> None:
    model = make_game("twenty_forty_eight")
    rng = Rng(2)
    state = model.setup(1, rng)
    agent = searcher("mcts:information=chance_nodes,reuse_tree=true,rollout_length=0,budget=1000", model, state)
    kept = []
    for _move in range(5):
        model.next(state, decide(agent, state), rng)
        kept.append(agent.statistics()["reused_visits"])
        assert agent._search.root.visits == agent.statistics()["iterations"] + kept[-1]
        assert agent.statistics()["nodes"] == agent._search.root.size()
    assert sum(kept[1:]) > 0
