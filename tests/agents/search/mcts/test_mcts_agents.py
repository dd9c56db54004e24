"""Agents as policies in MCTS: after the tree, and as models of the others in it."""

from collections import Counter

import pytest
from mypy_extensions import i64
from play.tree_games import Given, PathState, SecretState, decide, figures, go, searcher

from tag import Agent, AnyAction, ForwardModel, GameState, GameType, Rng, Simulator, make_agent, make_game
from tag.agents.search._simulated import SimulatedAgents
from tag.agents.search.mcts.parameters import MctsParameters
from tag.agents.search.mcts.rollouts import AgentPolicy, RolloutLength, RolloutPolicy
from tag.errors import TagError
from tag.playing.agent import Budget

#: Player 0 can take little, or more unless player 1 sees the punishment.
TRAP = Given((0, {"safe": (-0.2, 0.2), "trap": (1, {"blunder": (1.0, -1.0), "punish": (-1.0, 1.0)})}))
PUNISHING = "osla"
BLUNDERING = "(restricted:agent=osla,without=punish)"


def choice(options: str, seed: int = 1, budget: int = 60) -> str:
    state = TRAP.setup(2, Rng(1))
    agent = searcher(f"mcts:budget={budget},{options}", TRAP, state, seed)
    return str(decide(agent, state))


@pytest.mark.parametrize(("agent", "chosen"), [(PUNISHING, "safe"), (BLUNDERING, "trap")])
@pytest.mark.parametrize("trees", ["shared", "by_player"])
def test_the_model_of_the_opponent_turns_the_decision(agent: str, chosen: str, trees: str) -> None:
    assert choice(f"opponents=agent,opponent_agent={agent},trees={trees}") == chosen


@pytest.mark.parametrize(("agent", "chosen"), [(PUNISHING, "safe"), (BLUNDERING, "trap")])
def test_the_agent_after_the_tree_turns_the_decision(agent: str, chosen: str) -> None:
    leaves = "max_tree_depth=1,rollout_length=1"
    assert choice(f"{leaves},rollout_policy=agent,rollout_agent={agent}") == chosen
    assert choice(leaves) == "trap"


def test_the_model_of_the_others_plays_for_them_after_the_tree_too() -> None:
    leaves = f"max_tree_depth=1,rollout_length=1,rollout_policy=agent,rollout_agent={BLUNDERING}"
    assert choice(leaves) == "trap"
    assert choice(f"{leaves},opponents=agent,opponent_agent={PUNISHING}") == "safe"


@pytest.mark.parametrize(("factor", "chosen"), [(1, "safe"), (1000, "trap")])
def test_an_agents_choice_is_replaced_by_one_with_many_more_visits(factor: float, chosen: str) -> None:
    adviser = "selection=agent,selection_agent=(restricted:agent=osla,without=safe)"
    assert choice(f"opponents=agent,opponent_agent={PUNISHING},{adviser},selection_factor={factor}") == chosen


def test_an_agents_choice_stands_where_nothing_was_searched() -> None:
    adviser = "selection=agent,selection_agent=(restricted:agent=osla,without=safe)"
    assert {choice(f"{adviser},selection_factor=4", seed, budget=4) for seed in range(10)} == {"trap"}
    assert {choice("k=1", seed, budget=4) for seed in range(10)} == {"safe", "trap"}


def played(agent: str, player: int = 0) -> Counter[str]:
    """Return how often a policy of one agent takes each of three actions."""
    model = Given((0, {name: (0.0,) for name in "abc"}))
    sim = Simulator(model, Rng(3), Budget(1 << 40))
    length = RolloutLength(MctsParameters(rollout_length=1), player, 1)
    policy = AgentPolicy(sim, length, {0: agent}, RolloutPolicy(sim, length))
    policy.start_game(model.setup(1, Rng(1)))
    found: Counter[str] = Counter()
    for _play in range(900):
        state = model.setup(1, Rng(1))
        assert isinstance(state, PathState)
        policy.play(state, 0)
        found.update(state.path)
    return found


def test_the_random_agent_plays_each_action_as_often() -> None:
    counts = played("random")
    assert sum(counts.values()) == 900
    assert all(abs(counts[name] - 300) < 4 * (900 * 2 / 9) ** 0.5 for name in "abc"), counts


class Watching(Agent):
    """Takes the first action, and notes what it sees."""

    looks_ahead = False

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()

    def act(self, observation: GameState, actions: list[AnyAction]) -> AnyAction:
        assert isinstance(observation, HandState)
        self.seen.add(observation.path[0])
        return actions[0]


class HandState(SecretState):
    """The first action is hidden from player 1, for whom any other may have been taken."""

    def copy(self) -> "HandState":
        other = HandState(self.n_players)
        self.copy_to(other)
        other.path, other.values = self.path, self.values
        return other

    def redeterminise(self, player: i64, rng: Rng) -> None:
        if player == 1 and self.path:
            self.path = (rng.choice(["a", "b", "c"]), *self.path[1:])


class Hidden(ForwardModel[HandState]):
    """Player 0 acts, unseen; then player 1."""

    game_type = GameType("Hidden", 2, 2)

    def _setup(self, n_players: i64, rng: Rng) -> HandState:
        return HandState(n_players)

    def _available_actions(self, state: HandState) -> list[AnyAction]:
        return [go("a"), go("b"), go("c")]

    def _after_action(self, state: HandState, action: AnyAction, rng: Rng) -> None:
        if len(state.path) == 1:
            self.give_turn(state, 1)
        else:
            state.finish((0.0, 0.0))


def test_agents_see_only_what_their_player_knows() -> None:
    model = Hidden()
    sim = Simulator(model, Rng(1), Budget(1 << 40))
    agents, watching = SimulatedAgents(), Watching()
    agents.start_game(sim, {1: "random"}, model.setup(2, Rng(1)))
    watching.player = 1
    watching.sim = Simulator(model, Rng(2), Budget(1 << 40))
    agents._agents[1] = watching
    for _time in range(30):
        state = model.setup(2, Rng(1))
        model.next(state, go("a"), Rng(1))
        agents.act(state, model.available_actions(state))
    assert watching.seen == {"a", "b", "c"}


@pytest.mark.parametrize("kind", ["forward_model_calls", "copies"])
@pytest.mark.parametrize("game", ["love_letter", "diamant", "connect_four"])
def test_what_agents_spend_is_spent_and_no_more(kind: str, game: str) -> None:
    model = make_game(game)
    inner = f"(osla:budget_type={kind})"
    for options in (f"rollout_policy=agent,rollout_agent={inner}", f"opponents=agent,opponent_agent={inner}"):
        state = model.setup(2, Rng(4))
        agent = searcher(f"mcts:budget=90,budget_type={kind},{options}", model, state)
        decide(agent, state)
        budget, without = agent.sim.budget, agent.statistics()["iterations"]
        spent = budget.forward_model_calls if kind == "forward_model_calls" else budget.copies
        assert spent == 90
        assert without < 90


def test_the_same_stream_makes_the_same_decisions() -> None:
    model = make_game("love_letter")
    state = model.setup(2, Rng(4))
    spec = "mcts:budget=300,rollout_policy=agent,rollout_agent=osla"
    found = []
    for _time in range(2):
        agent = searcher(spec, model, state)
        decide(agent, state)
        found.append(figures(agent))
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("opponents=agent,opponent_agent=osl", "no agent named 'osl'"),
        ("opponents=agent,opponent_agent=(osla:budget_type=copies)", "opponent_agent cannot be"),
        ("rollout_policy=agent,rollout_agent=(osla:budget_type=copies)", "rollout_agent cannot be"),
        ("information=closed_loop,opponents=agent", "with opponents 'agent'"),
    ],
)
def test_agents_that_cannot_serve_are_refused(options: str, message: str) -> None:
    with pytest.raises(TagError, match=message):
        make_agent(f"mcts:{options}")
