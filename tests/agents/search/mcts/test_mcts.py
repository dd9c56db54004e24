"""Monte Carlo tree search: budgets, exactness, information, opponents, reuse, statistics."""

import pytest
from play.tree_games import Given, HiddenCard, Secret, Toss, decide, figures, go, searcher

from tag import GameState, Rng, make_agent, make_game
from tag.agents.search.mcts import MctsParameters
from tag.errors import ParameterError

pytestmark = pytest.mark.flow

INFORMATION = ("information_set", "open_loop", "closed_loop", "chance_nodes")

#: Player 1's best reply to A is good for player 0, the worst one for player 0 is not player 1's best.
THREE_PLAYERS = (0, {"A": (1, {"kind": (0.2, 0.5, 0.5), "cruel": (-0.9, 0.4, 0.0)}), "B": (0.0, 0.0, 0.0)})

#: As many actions as wanted; the last is best.
MANY = (0, {f"{index:02}": (index / 100.0,) for index in range(50)})


def position(game: str, moves: str) -> tuple:
    """Return the rules of ``game`` and the position after ``moves``, by the actions' names."""
    model = make_game(game)
    rng = Rng(0)
    state = model.setup(2, rng)
    for move in moves.split():
        model.next(state, {str(action): action for action in model.available_actions(state)}[move], rng)
    return model, state


# --- budgets ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        *[f"information={information}" for information in INFORMATION],
        "opponents=self_only",
        "trees=by_player",
        "tree_policy=puct,priors=game",
        "tree_policy=puct,priors=game,rollout_share=0.5",
        "tree_policy=puct,priors=game,trees=by_player",
        "tree_policy=puct,priors=game,information=chance_nodes",
        "tree_policy=regret_matching,solver=true",
    ],
)
@pytest.mark.parametrize("kind", ["forward_model_calls", "iterations", "copies"])
def test_no_budget_is_ever_exceeded(options: str, kind: str) -> None:
    for game in ("tic_tac_toe", "twenty_forty_eight", "love_letter"):
        model = make_game(game)
        state = model.setup(model.game_type.min_players, Rng(1))
        for length in (0, 3, 1_000_000):
            for budget in (1, 2, 3, 5, 60):
                spec = f"mcts:{options},rollout_length={length},budget={budget},budget_type={kind}"
                agent = searcher(spec, model, state)
                assert decide(agent, state) in model.available_actions(state)
                assert 0 < getattr(agent.sim.budget, kind) <= budget
                assert agent.statistics()["iterations"] > 0


@pytest.mark.parametrize("kind", ["forward_model_calls", "copies"])
def test_a_search_that_needs_no_more_calls_ends(kind: str) -> None:
    """The whole tree is known after a few calls, and no state has to be copied again."""
    model = Given(THREE_PLAYERS)
    state = model.setup(3, Rng(0))
    agent = searcher(f"mcts:information=closed_loop,rollout_length=0,budget=50,budget_type={kind}", model, state)
    decide(agent, state)
    assert getattr(agent.sim.budget, kind) == 50


def test_without_time_the_choice_is_random() -> None:
    model, state = position("tic_tac_toe", "")
    agent = searcher("mcts:budget=1,budget_type=cpu_ms", model, state)
    actions = model.available_actions(state)
    agent.sim.budget = type(agent.sim.budget)(0)
    chosen = {agent.act(state.copy(), actions[:]) for _try in range(50)}
    assert len(chosen) > 4


# --- the same stream gives the same search ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        "",
        "information=closed_loop,",
        "information=chance_nodes,",
        "opponents=self_only,",
        "rollout_policy=mast,",
        "tree_policy=ucb_tuned,",
        "tree_policy=puct,priors=game,",
        "tree_policy=exp3,",
        "tree_policy=regret_matching,selection=average_policy,",
        "trees=by_player,",
        "solver=true,",
    ],
)
def test_the_stream_decides_everything(options: str) -> None:
    model, state = position("connect_four", "d d")
    first, second = (searcher(f"mcts:{options}budget=2000", model, state) for _agent in range(2))
    assert decide(first, state) is decide(second, state)
    assert first.statistics() == second.statistics()
    other = searcher(f"mcts:{options}budget=2000", model, state, seed=99)
    decide(other, state)
    assert other.statistics() != first.statistics()


# --- good play ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("information", INFORMATION)
@pytest.mark.parametrize(
    ("game", "moves", "best"),
    [
        ("tic_tac_toe", "a1 b1 a2 b2", "a3"),  # completes a line rather than block one
        ("tic_tac_toe", "a1 b2 a2", "a3"),  # blocks
        ("tic_tac_toe", "a1 c2 b2", "c3"),  # blocks
        ("connect_four", "d e d e d e", "d"),
        ("connect_four", "d e d e d", "d"),
        ("connect_four", "d a c a", "b e"),  # three in a row with both ends open: either end wins
    ],
)
def test_wins_and_blocks_in_one(information: str, game: str, moves: str, best: str) -> None:
    model, state = position(game, moves)
    agent = searcher(
        f"mcts:information={information},rollout_length=50,budget=1500,budget_type=iterations", model, state
    )
    assert str(decide(agent, state)) in best.split()


def _minimax(state: GameState, model: object, known: dict) -> int:
    """Return the result of perfect play for the current player: 1, 0 or -1."""
    key = state.snapshot()
    if key not in known:
        known[key] = max(_after(state, action, model, known) for action in model.available_actions(state))
    return known[key]


def _after(state: GameState, action: object, model: object, known: dict) -> int:
    player = state.current_player
    after = state.copy()
    model.next(after, action, Rng(0))
    return int(after.result_value(player)) if after.is_terminal else -_minimax(after, model, known)


def _lost_to_perfect_play(seeds: range) -> list[tuple[int, int]]:
    model = make_game("tic_tac_toe")
    known: dict = {}
    lost = []
    for seed in seeds:
        for seat in (0, 1):
            rng = Rng(seed)
            state = model.setup(2, rng)
            agent = searcher("mcts:budget=2000,budget_type=iterations", model, state, seed)
            agent.player = seat
            agent.start_game(state)
            while not state.is_terminal:
                if state.current_player == seat:
                    action = decide(agent, state)
                else:
                    actions = model.available_actions(state)
                    values = [_after(state, action, model, known) for action in actions]
                    action = rng.choice([a for a, value in zip(actions, values, strict=True) if value == max(values)])
                model.next(state, action, rng)
            if state.result_value(seat) < 0:
                lost.append((seed, seat))
    return lost


def test_does_not_lose_tic_tac_toe_to_perfect_play() -> None:
    assert _lost_to_perfect_play(range(2)) == []


@pytest.mark.slow
def test_never_loses_tic_tac_toe_to_perfect_play() -> None:
    assert _lost_to_perfect_play(range(100, 200)) == []


# --- hidden information -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("trees", ["shared", "by_player"])
def test_hidden_cards_are_neither_seen_nor_assumed(trees: str) -> None:
    for seed in range(5):
        model = HiddenCard()
        state = model.setup(1, Rng(seed))
        agent = searcher(f"mcts:trees={trees},rollout_length=0,budget=4000,k=0.5", model, state, seed)
        assert str(decide(agent, state)) == "stop"
        assert figures(agent)["wait"][1] < 0.0


def test_one_deal_for_the_decision_assumes_the_card() -> None:
    """The counterpart: what the search above avoids is really there to be fallen for."""
    model = HiddenCard()
    state = model.setup(1, Rng(0))
    for information in ("open_loop", "closed_loop"):
        agent = searcher(f"mcts:information={information},rollout_length=0,budget=4000", model, state)
        assert str(decide(agent, state)) == "wait"


@pytest.mark.parametrize("trees", ["shared", "by_player"])
def test_the_real_card_changes_nothing(trees: str) -> None:
    seen = []
    for card in range(3):
        model = HiddenCard()
        state = model.setup(1, Rng(0))
        state.card = card
        agent = searcher(f"mcts:trees={trees},budget=1000", model, state)
        decide(agent, state)
        seen.append(agent.statistics())
    assert seen[0] == seen[1] == seen[2]


def test_decisions_of_different_players_after_the_same_actions_are_kept_apart() -> None:
    model = Toss()
    state = model.setup(3, Rng(0))
    agent = searcher("mcts:rollout_length=0,budget=2000", model, state)
    decide(agent, state)
    child = agent._search.root.child(go("a"))
    by_player = {int(node.decider): node.children() for node in child.others}
    assert {player: max(children, key=lambda node: node.visits).action for player, children in by_player.items()} == {
        1: go("a"),
        2: go("b"),
    }


def test_trees_by_player_have_a_node_for_each_knowledge() -> None:
    """Player 1, who does not see the hidden path, has one node after all that player 0 can do."""
    model = Secret()
    state = model.setup(2, Rng(0))
    agent = searcher("mcts:trees=by_player,rollout_length=0,budget=500,budget_type=iterations", model, state)
    decide(agent, state)
    assert [len(tree) for tree in agent._search.trees] == [1, 1]
    (node,) = agent._search.trees[1].values()
    assert {str(child.action) for child in node.children()} == {"a", "b", "c"}
    assert agent.statistics()["nodes"] == 1 + 3 + 1 + 3


def test_trees_by_player_are_kept_for_the_next_decision() -> None:
    model = make_game("love_letter")
    rng = Rng(4)
    state = model.setup(2, rng)
    agent = searcher("mcts:trees=by_player,reuse_tree=true,budget=2000", model, state)
    reused = 0
    while not state.is_terminal and state.tick < 30:
        if state.current_player == agent.player and len(model.available_actions(state)) > 1:
            model.next(state, decide(agent, state), rng)
            figures_now = agent.statistics()
            reused += figures_now["reused_visits"]
            assert figures_now["nodes"] == sum(node.size() for tree in agent._search.trees for node in tree.values())
        else:
            model.next(state, rng.choice(model.available_actions(state)), rng)
    assert reused > 0


# --- opponents ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("information", INFORMATION)
def test_max_n_expects_selfish_and_paranoid_expects_hostile_opponents(information: str) -> None:
    model = Given(THREE_PLAYERS)
    state = model.setup(3, Rng(0))
    chosen = {}
    for opponents in ("max_n", "paranoid"):
        agent = searcher(f"mcts:information={information},opponents={opponents},budget=1000,k=0.5", model, state)
        chosen[opponents] = str(decide(agent, state))
    assert chosen == {"max_n": "A", "paranoid": "B"}


def test_self_only_expects_random_opponents() -> None:
    model = Given(THREE_PLAYERS)
    state = model.setup(3, Rng(0))
    agent = searcher("mcts:opponents=self_only,budget=3000,k=10", model, state)
    assert str(decide(agent, state)) == "B"
    assert figures(agent)["A"][1] == pytest.approx(-0.35, abs=0.05)
    assert agent.statistics()["depth_max"] == 1


@pytest.mark.parametrize("information", ["closed_loop", "chance_nodes"])
@pytest.mark.parametrize("options", ["opponents=self_only", "trees=by_player"])
def test_kept_positions_do_not_go_with_others_that_vary(information: str, options: str) -> None:
    with pytest.raises(ParameterError, match=f"{information}.*{options.split('=')[1]}.*'open_loop' is the nearest"):
        make_agent(f"mcts:information={information},{options}")


# --- shape of the tree --------------------------------------------------------------------------------------------------


def test_the_tree_stays_within_its_depth() -> None:
    model, state = position("connect_four", "")
    for information in INFORMATION:
        agent = searcher(f"mcts:information={information},max_tree_depth=2,budget=5000", model, state)
        decide(agent, state)
        assert agent.statistics()["depth_max"] == 2
        assert agent.statistics()["nodes"] == 1 + 7 + 49


def test_widening_limits_the_actions_tried() -> None:
    model = Given(MANY)
    state = model.setup(1, Rng(0))
    tried = {}
    for widening in ("true", "false"):
        options = f"widening={widening},widening_constant=2,widening_exponent=0.5"
        agent = searcher(f"mcts:{options},budget=100,budget_type=iterations", model, state)
        decide(agent, state)
        tried[widening] = sum(visits > 0 for visits, _value in figures(agent).values())
    assert tried == {"true": 20, "false": 50}


def test_low_urgency_leaves_actions_untried() -> None:
    model = Given(MANY)
    state = model.setup(1, Rng(0))
    agent = searcher("mcts:fpu=0.01,k=0.001,budget=100,budget_type=iterations", model, state)
    decide(agent, state)
    assert sum(visits > 0 for visits, _value in figures(agent).values()) < 10


@pytest.mark.parametrize("information", ["closed_loop", "information_set", "chance_nodes"])
@pytest.mark.parametrize("options", ["", "opponents=paranoid,", "tree_policy=puct,k=100,"])
def test_leaves_and_rollouts_share_a_value(information: str, options: str) -> None:
    """Positions before the end are worth 0; a leaf at the end has no rollout, so all of its value counts."""
    model = Given((0, {"a": (1, {"x": (1.0, -1.0)}), "b": (1, {"y": (0.5, -0.5)}), "c": (0.8, -0.8)}))
    state = model.setup(2, Rng(0))
    spec = f"mcts:{options}information={information},rollout_share=0.25,budget=3,budget_type=iterations"
    agent = searcher(spec, model, state)
    decide(agent, state)
    assert figures(agent) == {"a": (1, 0.25), "b": (1, 0.125), "c": (1, 0.8)}


def test_progressive_bias_is_the_heuristic_just_after_the_action() -> None:
    model = Given(MANY)
    state = model.setup(1, Rng(0))
    biases = []
    for weight in (0.0, 1.0):
        agent = searcher(f"mcts:progressive_bias={weight},budget=100", model, state)
        decide(agent, state)
        biases.append(agent._search.root.child(go("49")).bias)
    assert biases == [0.0, 0.49]


def test_the_bias_of_a_paranoid_searcher_sees_enemies() -> None:
    model = Given((0, {"x": (1, {"y": (0.3, 0.9)})}))
    state = model.setup(2, Rng(0))
    biases = {}
    for opponents in ("max_n", "paranoid"):
        agent = searcher(f"mcts:opponents={opponents},progressive_bias=1,budget=10", model, state)
        decide(agent, state)
        biases[opponents] = agent._search.root.child(go("x")).child(go("y")).bias
    assert biases == {"max_n": 0.9, "paranoid": -0.3}


# --- values -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("information", INFORMATION)
@pytest.mark.parametrize("policy", ["ucb1", "ucb_tuned", "puct,priors=game", "exp3", "regret_matching"])
def test_normalised_values_have_no_unit(information: str, policy: str) -> None:
    found = []
    for scale in (1.0, 1024.0):
        model = Given(THREE_PLAYERS, scale)
        state = model.setup(3, Rng(0))
        agent = searcher(f"mcts:information={information},tree_policy={policy},budget=777", model, state)
        found.append((decide(agent, state), {name: visits for name, (visits, _value) in figures(agent).items()}))
    assert found[0] == found[1]


@pytest.mark.parametrize("options", ["", "reuse_tree=true,", "mast_gamma=1,", "information=open_loop,"])
def test_normalised_action_values_have_no_unit_in_later_decisions(options: str) -> None:
    """Rollouts by action values follow those of earlier decisions on the scale of these."""
    deep = (0, {first: (1, {reply: THREE_PLAYERS for reply in "xy"}) for first in "fgh"})
    later = (0, {"on": (0, {"on": deep})})
    found = []
    for scale in (1.0, 1024.0):
        model = Given(later, scale)
        for seed in range(8):
            state = model.setup(3, Rng(0))
            spec = f"mcts:rollout_policy=mast,mast_temperature=0.3,{options}budget=60"
            agent = searcher(spec, model, state, seed)
            for _decision in range(3):
                action = decide(agent, state)
                found.append({name: visits for name, (visits, _value) in figures(agent).items()})
                state.path = (*state.path, str(action))
    assert found[:24] == found[24:]


def test_without_normalisation_the_unit_matters() -> None:
    visits = []
    for scale in (1.0, 1000.0):
        model = Given(THREE_PLAYERS, scale)
        state = model.setup(3, Rng(0))
        agent = searcher("mcts:normalise=false,budget=777", model, state)
        decide(agent, state)
        visits.append(figures(agent)["B"][0])
    assert visits[1] > visits[0] + 100


# --- reuse --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("information", INFORMATION)
def test_reuse_keeps_the_visits_of_where_the_game_went(information: str) -> None:
    model, state = position("tic_tac_toe", "")
    agent = searcher(f"mcts:information={information},reuse_tree=true,budget=500,budget_type=iterations", model, state)
    mine = decide(agent, state)
    model.next(state, mine, Rng(0))
    reply = model.available_actions(state)[0]
    model.next(state, reply, Rng(0))
    kept = agent._search.root.child(mine).child(reply)
    visits = kept.visits
    assert visits > 0
    second = decide(agent, state)
    assert agent._search.root is kept
    assert agent.statistics()["reused_visits"] == visits
    assert kept.visits == visits + 500
    assert agent.statistics()["nodes"] == kept.size()
    assert kept.following is None
    assert second in model.available_actions(state)


def test_without_reuse_every_decision_starts_anew() -> None:
    model, state = position("tic_tac_toe", "")
    agent = searcher("mcts:budget=500", model, state)
    for _decision in range(2):
        decide(agent, state)
        assert agent.statistics()["reused_visits"] == 0
    assert agent._search.seen == {}


# --- statistics ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("information", INFORMATION)
def test_statistics_add_up(information: str) -> None:
    model, state = position("connect_four", "d")
    agent = searcher(f"mcts:information={information},budget=3000", model, state)
    chosen = decide(agent, state)
    statistics = agent.statistics()
    assert statistics["forward_model_calls"] == 3000
    assert statistics["iterations"] == agent.sim.budget.iterations == agent._search.root.visits
    assert sum(visits for visits, _value in figures(agent).values()) == statistics["iterations"]
    assert statistics["nodes"] == agent._search.root.size() == statistics["iterations"] + 1
    assert 1 <= statistics["depth_mean"] <= statistics["depth_max"]
    assert figures(agent)[str(chosen)][0] == max(visits for visits, _value in figures(agent).values())


@pytest.mark.parametrize("game", ["tic_tac_toe", "twenty_forty_eight", "love_letter"])
def test_every_drawn_parameter_set_can_play(game: str) -> None:
    model = make_game(game)
    rng = Rng(5)
    for seed in range(30):
        state = model.setup(model.game_type.min_players, rng)
        kind = ("forward_model_calls", "iterations", "copies")[seed % 3]
        priors = ("null", "game", "score")[seed % 3]
        drawn = MctsParameters.sample(rng).values()
        short = {"rollout_length": min(int(drawn["rollout_length"]), 20), "priors": priors}
        values = {**drawn, **short, "budget": 30, "budget_type": kind}
        text = ",".join(f"{name}={value}" for name, value in values.items())
        agent = searcher(f"mcts:{text}", model, state, seed)
        for _decision in range(3):
            if not state.is_terminal:
                if state.current_player == agent.player:
                    action = decide(agent, state)
                    assert action in model.available_actions(state)
                    assert getattr(agent.sim.budget, kind) <= 30
                else:
                    action = rng.choice(model.available_actions(state))
                model.next(state, action, rng)
