"""Max^n and expectimax against brute force on random games, and what they cost."""

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play.planning_games import seated, wins_and_draws
from play.tree_games import HiddenCard, Lottery, Open, PathHeuristic, PathState, go, max_n_values
from scipy.stats import chisquare

from tag import DRAW, LOSE, WIN, ForwardModel, GameType, Rng, make_game
from tag.playing.agent import MOST_OUTCOMES

pytestmark = pytest.mark.flow

BUDGET = "budget=1000000"

VALUES = st.tuples(*[st.sampled_from([-1.0, -0.5, 0.0, 0.25, 1.0])] * 3)


def decisions(children):
    """Return games that begin with a decision of one of three players."""
    some = st.lists(children, min_size=1, max_size=3)
    return st.tuples(st.integers(0, 2), some.map(lambda found: {str(name): child for name, child in enumerate(found)}))


#: Values for three players; or who decides, and what the actions lead to.
OPEN_TREES = decisions(st.recursive(VALUES, decisions, max_leaves=12))
#: A list stands for chance: each of its positions is as likely.
CHANCE_TREES = decisions(
    st.recursive(VALUES, lambda below: decisions(below) | st.lists(below, min_size=1, max_size=3), max_leaves=10)
)


def paranoid_value(tree, player):
    """Return the value for ``player`` if all others are against them."""
    if isinstance(tree, list):
        return sum(paranoid_value(child, player) for child in tree) / len(tree)
    if not isinstance(tree[-1], Mapping):
        return tree[player]
    return (max if tree[0] == player else min)(paranoid_value(child, player) for child in tree[1].values())


def decided(spec, model, n_players=3, seed=1):
    """Return the action and the figures of the first decision."""
    state = model.setup(n_players, Rng(1))
    agent = seated(spec, model, state, seed)
    actions = model.available_actions(state)
    agent.sim.budget.start()
    return agent.act(state.copy(), actions), agent.statistics(), agent


def values_of(figures):
    return {row["action"]: row["value"] for row in figures["actions"]}


@given(OPEN_TREES, st.integers(0, 3))
@settings(derandomize=True, deadline=None, max_examples=150)
def test_alpha_beta_finds_the_value_of_brute_force(tree, seed):
    action, figures, _agent = decided(f"max_n:opponents=paranoid,{BUDGET}", Open(tree), seed=seed)
    values = {name: paranoid_value(child, tree[0]) for name, child in tree[1].items()}
    assert figures["is_proven"]
    assert figures["value"] == values[str(action)] == max(values.values())
    assert all(bound >= values[name] for name, bound in values_of(figures).items())


@given(CHANCE_TREES, st.integers(0, 3))
@settings(derandomize=True, deadline=None, max_examples=150)
def test_expectimax_finds_the_value_of_brute_force(tree, seed):
    action, figures, _agent = decided(f"expectimax:opponents=paranoid,{BUDGET}", Lottery(tree), seed=seed)
    values = {name: paranoid_value(child, tree[0]) for name, child in tree[1].items()}
    assert figures["is_proven"]
    assert figures["value"] == pytest.approx(max(values.values()), abs=1e-12)
    assert values[str(action)] == pytest.approx(max(values.values()), abs=1e-12)


def has_ties(tree):
    """Say whether the player to move anywhere has two actions of the same value."""
    if isinstance(tree, list):
        return any(map(has_ties, tree))
    if not isinstance(tree[-1], Mapping):
        return False
    values = [max_n_values(child)[tree[0]] for child in tree[1].values()]
    return len(set(values)) < len(values) or any(map(has_ties, tree[1].values()))


@given(CHANCE_TREES.filter(lambda tree: not has_ties(tree)), st.integers(0, 3))
@settings(derandomize=True, deadline=None, max_examples=100)
def test_max_n_lets_everybody_look_for_themselves(tree, seed):
    action, figures, _agent = decided(f"expectimax:opponents=max_n,{BUDGET}", Lottery(tree), seed=seed)
    values = {name: max_n_values(child)[tree[0]] for name, child in tree[1].items()}
    assert values_of(figures) == pytest.approx(values, abs=1e-12)
    assert values[str(action)] == pytest.approx(max(values.values()), abs=1e-12)


@given(OPEN_TREES, st.sampled_from(["forward_model_calls", "copies", "iterations"]), st.integers(1, 30))
@settings(derandomize=True, deadline=None, max_examples=60)
def test_no_budget_is_exceeded(tree, kind, limit):
    for spec in ("max_n", "expectimax:opponents=max_n", "flat_mc"):
        joined = "," if ":" in spec else ":"
        _action, _figures, agent = decided(f"{spec}{joined}budget={limit},budget_type={kind}", Open(tree))
        budget = agent.sim.budget
        spent = {
            "forward_model_calls": budget.forward_model_calls,
            "copies": budget.copies,
            "iterations": budget.iterations,
        }[kind]
        assert spent <= limit


def test_chance_that_a_budget_cannot_pay_ends_the_search():
    tree = (0, {"a": [(float(face),) * 3 for face in range(6)], "b": (2.0,) * 3})
    for limit in range(1, 12):
        _action, figures, agent = decided(f"expectimax:budget={limit}", Lottery(tree))
        assert agent.sim.budget.forward_model_calls <= limit
        assert figures["is_proven"] == (limit >= 7)


def proofs(root):
    """Return the values that a search tree shows as proven."""
    below = [value for node in root.children for value in proofs(node)]
    return below if root.proven is None else [root.proven, *below]


@pytest.mark.parametrize("opponents", ["paranoid", "max_n"])
@given(st.lists(st.integers(1, 300), min_size=1, max_size=3), st.integers(1, 2))
@settings(derandomize=True, deadline=None, max_examples=20)
def test_only_outcomes_that_were_all_seen_prove_a_value(opponents, sizes, decisions):
    """Of more than 200 outcomes some are drawn; positions in the table keep that, also for the next decision."""
    lotteries = {str(place): [(float(side), 0.0, 0.0) for side in range(size)] for place, size in enumerate(sizes)}
    model = Lottery((0, {"on": (1, {"x": (0, lotteries)})}))
    state = model.setup(3, Rng(0))
    agent = seated(f"expectimax:opponents={opponents},{BUDGET}", model, state)
    is_whole = max(sizes) <= MOST_OUTCOMES
    for _decision in range(decisions):
        agent.sim.budget.start()
        agent.act(state.copy(), model.available_actions(state))
        assert agent.statistics()["is_proven"] == is_whole
        assert bool(proofs(agent.search_tree())) == is_whole


@pytest.mark.parametrize("agent", ["max_n", "expectimax"])
@pytest.mark.parametrize("deals", [1, 2, 10])
def test_deals_of_hidden_cards_prove_nothing(agent, deals):
    model = HiddenCard()
    _action, figures, chosen = decided(f"{agent}:determinisations={deals},{BUDGET}", model, 1)
    assert not figures["is_proven"]
    assert proofs(chosen.search_tree()) == []


@given(CHANCE_TREES, st.integers(0, 3))
@settings(derandomize=True, deadline=None, max_examples=20)
def test_one_outcome_of_chance_proves_nothing(tree, seed):
    _action, figures, agent = decided(f"max_n:{BUDGET}", Lottery(tree), seed=seed)
    assert not figures["is_proven"]
    assert proofs(agent.search_tree()) == []


def test_the_depth_is_in_actions_turns_or_rounds():
    class Rounds(ForwardModel[PathState]):
        """Each player has two actions in a turn; two turns are a round."""

        game_type = GameType("Rounds", 2, 2, hidden_information=False, chance=False, heuristic=PathHeuristic)

        def _setup(self, n_players, rng):
            return PathState(n_players)

        def _available_actions(self, state):
            return [go("a"), go("b")]

        def _after_action(self, state, action, rng):
            if len(state.path) % 4 == 0:
                self.end_round(state, 0, rng)
            elif len(state.path) % 2 == 0:
                self.end_player_turn(state)

    nodes = {
        unit: decided(f"max_n:table=0,depth=1,unit={unit},opponents=max_n,{BUDGET}", Rounds(), 2)[1]["nodes"]
        for unit in ("actions", "turns", "rounds")
    }
    assert nodes == {"actions": 2, "turns": 2 + 4, "rounds": 2 + 4 + 8 + 16}


def test_a_win_in_sight_is_not_put_off():
    tree = (0, {"late": (0, {"on": (0, {"win": (1.0,) * 3})}), "now": (1.0,) * 3, "lose": (-1.0,) * 3})
    for seed in range(10):
        action, _figures, _agent = decided(f"max_n:{BUDGET}", Open(tree), seed=seed)
        assert str(action) == "now"


#: Three actions of equal value, which is seen at once, one action later and two actions later.
EQUAL = (0, {"a": (0.5,) * 3, "b": (0, {"on": (0.5,) * 3}), "c": (0, {"on": (0, {"on": (0.5,) * 3})})})


@pytest.mark.parametrize("opponents", ["paranoid", "max_n"])
@pytest.mark.parametrize("agent", ["max_n", "expectimax"])
def test_equal_actions_are_drawn_whenever_their_value_is_seen(agent, opponents):
    """Each is as likely (chi-square test, error probability 1e-5)."""
    spec = f"{agent}:opponents={opponents}"
    drawn = [str(decided(spec, Open(EQUAL), seed=seed)[0]) for seed in range(150)]
    assert chisquare([drawn.count(name) for name in "abc"]).pvalue > 1e-5


def test_a_loss_is_not_hastened():
    tree = (
        0,
        {"now": (-1.0,) * 3, "late": (0, {"on": (0, {"lose": (-1.0,) * 3})}), "soon": (0, {"lose": (-1.0,) * 3})},
    )
    for seed in range(10):
        assert str(decided(f"max_n:{BUDGET}", Open(tree), seed=seed)[0]) == "late"


def test_the_hidden_card_is_dealt_again():
    """Each deal names another card, so that one that is told the true one would always be right."""
    model = HiddenCard()
    state = model.setup(1, Rng(1))
    model.next(state, go("wait"), Rng(1))
    named = set()
    for seed in range(20):
        agent = seated("max_n:determinisations=1", model, state, seed)
        agent.sim.budget.start()
        named.add(str(agent.act(state.observation(0, Rng(seed)), model.available_actions(state))))
    assert named == {"0", "1", "2"}


def test_many_deals_value_an_action_by_its_mean():
    model = HiddenCard()
    state = model.setup(1, Rng(1))
    model.next(state, go("wait"), Rng(1))
    agent = seated("max_n:determinisations=900", model, state)
    agent.sim.budget.start()
    agent.act(state.observation(0, Rng(1)), model.available_actions(state))
    for row in agent.statistics()["actions"]:
        assert row["value"] == pytest.approx(-1 / 3, abs=0.15)


def all_lines_end_well(model, state, agents, player):
    """Play every line of the others against the agent of ``player``; return the number of ends, none of them lost."""
    if state.is_terminal:
        assert state.result(player) in (WIN, DRAW)
        return 1
    actions = model.available_actions(state)
    if state.current_player == player:
        agents.sim.budget.start()
        actions = [agents.act(state.copy(), actions)]
    ends = 0
    for action in actions:
        after = state.copy()
        model.next(after, action, Rng(0))
        ends += all_lines_end_well(model, after, agents, player)
    return ends


@pytest.mark.parametrize("player", [0, 1])
def test_never_loses_tic_tac_toe_whatever_the_other_plays(player):
    model = make_game("tic_tac_toe")
    state = model.setup(2, Rng(0))
    agent = seated(f"max_n:{BUDGET}", model, state)
    agent.player = player
    agent.start_game(state)
    assert all_lines_end_well(model, state, agent, player) > 50


@pytest.mark.parametrize("opponents", ["paranoid", "max_n"])
def test_the_value_of_tic_tac_toe_is_a_draw(opponents):
    _action, figures, _agent = decided(f"max_n:opponents={opponents},{BUDGET}", make_game("tic_tac_toe"), 2)
    assert (figures["value"], figures["is_proven"], figures["depth"]) == (0.0, True, 9)


def test_the_table_saves_work_and_changes_no_value():
    with_table, without = (
        decided(f"max_n:table={size},depth=6,{BUDGET}", make_game("tic_tac_toe"), 2)[1] for size in (1_000_000, 0)
    )
    assert with_table["nodes"] < without["nodes"]
    assert with_table["value"] == without["value"]


@pytest.mark.parametrize(
    "spec", ["flat_mc:budget=300", "flat_mc:budget=300,allocation=ucb", "flat_mc:budget=300,votes=5"]
)
def test_flat_monte_carlo_beats_random_play(spec):
    wins, draws = wins_and_draws(make_game("tic_tac_toe"), spec, "random", 40)
    assert wins + draws / 2 >= 34


def test_flat_monte_carlo_divides_rollouts_evenly_or_by_their_values():
    tree = (0, {"good": (1.0,) * 3, "bad": (-1.0,) * 3, "fair": (0.0,) * 3})
    even = decided("flat_mc:budget=300,budget_type=iterations", Open(tree))[1]
    assert {row["visits"] for row in even["actions"]} == {100}
    action, figures, _agent = decided("flat_mc:budget=300,budget_type=iterations,allocation=ucb", Open(tree))
    visits = {row["action"]: row["visits"] for row in figures["actions"]}
    assert str(action) == "good"
    assert visits["good"] > 150 > visits["fair"] > visits["bad"]
    assert sum(visits.values()) == figures["rollouts"] == 300


def test_all_positions_of_tic_tac_toe_have_their_value():
    """There are 5,478 positions; an independent minimax values each."""
    model = make_game("tic_tac_toe")
    values = {}

    def value_for_first(state):
        key = (state.first, state.second)
        if key not in values:
            outcomes = [value_for_first(after) for after in successors(state)]
            choose = max if state.current_player == 0 else min
            values[key] = choose(outcomes) if outcomes else state.result_value(0)
        return values[key]

    def successors(state):
        return [model.afterstate(state, action) for action in model.available_actions(state)]

    start = model.setup(2, Rng(0))
    assert value_for_first(start) == 0.0
    assert len(values) == 5478
    agents = [seated(f"max_n:{BUDGET}", model, start) for _player in range(2)]
    stack, seen = [start], set()
    while stack:
        state = stack.pop()
        if state.is_terminal or (state.first, state.second) in seen:
            continue
        seen.add((state.first, state.second))
        player = int(state.current_player)
        agent = agents[player]
        agent.player = player
        if len(seen) <= 2:
            agent.start_game(state)
        agent.sim.budget.start()
        agent.act(state.copy(), model.available_actions(state))
        sign = 1 if player == 0 else -1
        assert agent.statistics()["value"] == sign * values[state.first, state.second]
        stack.extend(successors(state))
    assert len(seen) == 5478 - 958


@pytest.mark.parametrize(
    ("game", "result"),
    [
        ("sim:nodes=5", DRAW),
        ("hex:size=3", WIN),
        ("nim:heaps=3,size=4", WIN),
        ("othello:size=4", LOSE),
        pytest.param("sim", LOSE, marks=pytest.mark.heavy),
    ],
)
def test_solved_games_have_their_result_for_the_first_player(game, result):
    _action, figures, _agent = decided("max_n:budget=100000000,heuristic=win,table=10000000", make_game(game), 2)
    assert figures["is_proven"]
    assert figures["value"] == {WIN: 1.0, DRAW: 0.5, LOSE: 0.0}[result]
