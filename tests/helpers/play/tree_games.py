"""Small games for the tests of tree search, and ways to run one."""

from collections.abc import Mapping
from typing import Any, cast

from mypy_extensions import i64

from tag import (
    Action,
    AnyAction,
    ForwardModel,
    GameState,
    GameType,
    Rng,
    Simulator,
    StateHeuristic,
    interned,
    make_agent,
)
from tag.agents.search.mcts import Mcts
from tag.agents.search.mcts.tree import TreeNode, new_root


class Go(Action[GameState]):
    """An action with a name; what it does is the forward model's business."""

    def __init__(self, name: str) -> None:
        self.name = name

    def key(self) -> tuple[object, ...]:
        return (self.name,)

    def execute(self, state: GameState, rng: Rng) -> None:
        assert isinstance(state, PathState)
        state.path = (*state.path, self.name)

    def __str__(self) -> str:
        return self.name


def go(name: str) -> AnyAction:
    return interned(Go(name))


#: The actions of `tree`.
ACTIONS = [go(name) for name in "abc"]


def tree(*children: tuple[int, float]) -> TreeNode:
    """Return a root of player 0 with children of the given visits and mean values."""
    root = new_root(0)
    before = None
    for action, (visits, mean) in zip(ACTIONS, children, strict=False):
        child = TreeNode(action, 0)
        for _visit in range(visits):
            child.add(mean)
            root.add(0.0)
        root.adopt(child, before)
        before = child
    return root


class PathState(GameState):
    """What has been done, and what it is worth to each player; a card that nobody sees."""

    def __init__(self, n_players: i64) -> None:
        super().__init__(n_players)
        self.path: tuple[str, ...] = ()
        self.card = 0
        self.cards = 1
        self.values = [0.0] * n_players

    def copy(self) -> "PathState":
        other = PathState(self.n_players)
        self.copy_to(other)
        other.path, other.card, other.cards, other.values = self.path, self.card, self.cards, self.values
        return other

    def redeterminise(self, player: i64, rng: Rng) -> None:
        self.card = int(rng.below(self.cards))

    def knowledge(self, player: i64) -> tuple[str, ...]:
        return self.path

    def finish(self, values: tuple[float, ...]) -> None:
        self.values = list(values)
        self.end_with_draw()


class PathHeuristic(StateHeuristic):
    """The values with which a path has ended."""

    def value(self, state: GameState, player: i64) -> float:
        return cast("PathState", state).values[player]


#: A position is a tuple of values, or who decides and what the actions lead to.
Position = tuple[float, ...] | tuple[int, Mapping[str, "Position"]]


class Given(ForwardModel[PathState]):
    """A game of complete information given as a tree, the values multiplied by ``scale``."""

    game_type = GameType("Given", 1, 4, heuristic=PathHeuristic)

    def __init__(self, tree: Position, scale: float = 1.0) -> None:
        super().__init__()
        self.tree = tree
        self.scale = scale

    def _setup(self, n_players: i64, rng: Rng) -> PathState:
        return PathState(n_players)

    def _position(self, state: PathState) -> Position:
        position = self.tree
        for name in state.path:
            position = position[1][name]  # type: ignore[index, assignment]
        return position

    def _available_actions(self, state: PathState) -> list[AnyAction]:
        return [go(name) for name in self._position(state)[1]]  # type: ignore[union-attr]

    def _after_action(self, state: PathState, action: AnyAction, rng: Rng) -> None:
        position = self._position(state)
        if isinstance(position[-1], Mapping):
            self.give_turn(state, position[0])
        else:
            state.finish(tuple(self.scale * value for value in position))


class Open(Given):
    """A tree without hidden information and chance, in which any player may begin."""

    game_type = GameType("Open", 1, 4, hidden_information=False, chance=False, heuristic=PathHeuristic)

    def _setup(self, n_players: i64, rng: Rng) -> PathState:
        state = PathState(n_players)
        state.current_player = cast("int", self.tree[0])
        return state


class Lottery(Open):
    """A tree with chance; where it has led is part of the path."""

    game_type = GameType("Lottery", 1, 4, hidden_information=False, heuristic=PathHeuristic)

    def _position(self, state: PathState) -> Any:
        position: Any = self.tree
        for name in state.path:
            position = position[name] if isinstance(name, int) else position[1][name]
        return position

    def _after_action(self, state: PathState, action: AnyAction, rng: Rng) -> None:
        while isinstance(self._position(state), list):
            state.path = (*state.path, int(rng.below(len(self._position(state)))))
        super()._after_action(state, action, rng)


class HiddenCard(ForwardModel[PathState]):
    """Take a sure small gain, or wait and name one of three cards face down: right is 1, wrong -1.

    Who searches deals one by one, or peeks, finds that waiting always wins.
    """

    game_type = GameType("Hidden card", 1, 1, heuristic=PathHeuristic)
    sure_gain = 0.1

    def _setup(self, n_players: i64, rng: Rng) -> PathState:
        state = PathState(n_players)
        state.cards = 3
        state.card = int(rng.below(3))
        return state

    def _available_actions(self, state: PathState) -> list[AnyAction]:
        return [go("stop"), go("wait")] if not state.path else [go("0"), go("1"), go("2")]

    def _after_action(self, state: PathState, action: AnyAction, rng: Rng) -> None:
        if str(action) == "stop":
            state.finish((self.sure_gain,))
        elif str(action) != "wait":
            state.finish((1.0 if str(action) == str(state.card) else -1.0,))


class Toss(HiddenCard):
    """The hidden card decides whether player 1 or player 2 names it next; player 0 gains what they lose."""

    game_type = GameType("Toss", 3, 3, heuristic=PathHeuristic)

    def _available_actions(self, state: PathState) -> list[AnyAction]:
        return [go("a"), go("b")]

    def _after_action(self, state: PathState, action: AnyAction, rng: Rng) -> None:
        if len(state.path) == 1:
            self.give_turn(state, 1 + state.card % 2)
        else:
            state.finish((0.0, 1.0, -1.0) if str(action) == "a" else (0.0, -1.0, 1.0))


class SecretState(PathState):
    """Player 1 knows how much was done, not what."""

    def copy(self) -> "SecretState":
        other = SecretState(self.n_players)
        self.copy_to(other)
        other.path, other.values = self.path, self.values
        return other

    def knowledge(self, player: i64) -> tuple[str, ...]:
        return self.path if player == 0 else tuple("?" for _action in self.path)


class Secret(ForwardModel[SecretState]):
    """Each of two players takes an action; player 1 wins by the same as player 0, which is hidden."""

    game_type = GameType("Secret", 2, 2, heuristic=PathHeuristic)

    def _setup(self, n_players: i64, rng: Rng) -> SecretState:
        return SecretState(n_players)

    def _available_actions(self, state: SecretState) -> list[AnyAction]:
        return [go("a"), go("b"), go("c")]

    def _after_action(self, state: SecretState, action: AnyAction, rng: Rng) -> None:
        if len(state.path) == 1:
            self.give_turn(state, 1)
        else:
            gain = 1.0 if state.path[0] == state.path[1] else -1.0
            state.finish((-gain, gain))


def searcher(spec: str, model: ForwardModel, state: GameState, seed: int = 1) -> Mcts:
    """Return the agent of ``spec`` ready to decide for the current player of ``state``."""
    agent = make_agent(spec)
    assert isinstance(agent, Mcts)
    agent.sim = Simulator(model, Rng(seed), agent.new_budget())
    agent.player = state.current_player
    agent.start_game(state.observation(agent.player, Rng(seed + 1)))
    return agent


def decide(agent: Mcts, state: GameState, seed: int = 1) -> AnyAction:
    """Let ``agent`` decide in ``state``."""
    observation = state.observation(agent.player, Rng(seed, state.tick))
    agent.sim.budget.start()
    return agent.act(observation, agent.sim.model.available_actions(state))


def figures(agent: Mcts) -> dict[str, tuple[int, float]]:
    """Return visits and value of each action in the last decision."""
    return {row["action"]: (row["visits"], row["value"]) for row in agent.statistics()["actions"]}  # type: ignore[attr-defined]


# --- perfect play -------------------------------------------------------------------------------------------------------


def max_n_values(tree: Any) -> Any:
    """Return the value for each player by max^n; who may choose among equals takes the first."""
    if isinstance(tree, list):
        found = [max_n_values(child) for child in tree]
        return tuple(sum(values) / len(found) for values in zip(*found, strict=True))
    if not isinstance(tree[-1], Mapping):
        return tree
    return max((max_n_values(child) for child in tree[1].values()), key=lambda values: values[tree[0]])


def after(model: ForwardModel, state: GameState, action: AnyAction) -> GameState:
    """Return the position after ``action``, in a game without chance."""
    following = state.copy()
    model.next(following, action, Rng(0))
    return following


def exact_result(model: ForwardModel, state: GameState, known: dict) -> float:
    """Return the result of perfect play for player 0 of two, without chance: 1 for a win, -1 for a loss."""
    if state.is_terminal:
        return state.result_value(0)
    key = state.knowledge(state.current_player)
    if key not in known:
        best = max if state.current_player == 0 else min
        known[key] = best(
            exact_result(model, after(model, state, action), known) for action in model.available_actions(state)
        )
    return known[key]


def exact_results(model: ForwardModel, state: GameState, known: dict) -> dict[AnyAction, float]:
    """Return for each action the result of perfect play for the player to move."""
    sign = 1.0 if state.current_player == 0 else -1.0
    return {
        action: sign * exact_result(model, after(model, state, action), known)
        for action in model.available_actions(state)
    }


def random_positions(model: ForwardModel, moves: int, seeds: range) -> list[GameState]:
    """Return positions after ``moves`` random moves, of games that are not over then."""
    found = []
    for seed in seeds:
        rng = Rng(seed)
        state = model.setup(2, rng)
        for _move in range(moves):
            if not state.is_terminal:
                model.next(state, rng.choice(model.available_actions(state)), rng)
        if not state.is_terminal:
            found.append(state)
    return found
