"""The base of all checks of an agent, and games in which an agent is watched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from tag.action import AnyAction
from tag.agent import Agent
from tag.budget import Budget
from tag.check.report import Where, shorten
from tag.check.traces import Tracer
from tag.errors import ContractError
from tag.forward_model import ForwardModel
from tag.game import Game
from tag.registry import make_agent, make_game
from tag.rng import Rng
from tag.snapshot import state_hash
from tag.spec import Spec, parse_spec
from tag.state import GameState


@dataclass
class AgentSubject:
    """The agent that is checked.

    Attributes:
        spec: its spec.
        tables: the games and numbers of players to check it in.
        games: how many games to play at each table.
        seed: the seed of the first game; the next ones follow.
    """

    spec: str
    tables: list[tuple[str, int]]
    games: int
    seed: int

    def with_budget(self, budget: int) -> str:
        """Return the spec with a budget of so many forward-model calls, if the agent has budgets."""
        return with_budget(self.spec, budget)

    def where(self, table: tuple[str, int], agent: str, seed: int) -> Where:
        """Return the game with ``agent`` in every seat."""
        return Where(table[0], (agent,) * table[1], seed)

    def places(self, agent: str) -> list[Where]:
        """Return all games at all tables with ``agent`` in every seat."""
        seeds = range(self.seed, self.seed + self.games)
        return [self.where(table, agent, seed) for table in self.tables for seed in seeds]


def with_budget(spec: str, budget: int) -> str:
    """Return an agent's spec with a deterministic budget, if the agent has budgets."""
    known = [dimension.name for dimension in make_agent(spec).parameters_class.dimensions()]
    values = dict(parse_spec(spec).values)
    if "budget" in known and "budget_type" in known:
        values = {**values, "budget": budget, "budget_type": "forward_model_calls"}
    return str(Spec(parse_spec(spec).name, values))


class AgentCheck:
    """One demand on agents. It shows a breach by raising `ContractError`, or whatever the agent raises.

    Attributes:
        name: the name in reports.
        text: what is asked, in one sentence.
        where: the game a breach is about.
    """

    name: ClassVar[str]
    text: ClassVar[str]

    def __init__(self) -> None:
        self.where: Where | None = None

    def run(self, subject: AgentSubject) -> None:
        """Play what it takes to see."""
        raise NotImplementedError


class CountingModel(ForwardModel[Any]):
    """The rules of another model; counts the calls of ``next``."""

    def __init__(self, model: ForwardModel[Any]) -> None:
        super().__init__(model.parameters)
        self.model = model
        self.calls = 0

    def copy(self) -> ForwardModel[Any]:
        """Return the model itself: it counts for all seats."""
        return self

    def setup(self, n_players: int, rng: Rng) -> Any:
        """Pass on."""
        return self.model.setup(n_players, rng)

    def available_actions(self, state: Any) -> list[AnyAction]:
        """Pass on."""
        return self.model.available_actions(state)

    def next(self, state: Any, action: AnyAction, rng: Rng) -> None:
        """Count and pass on."""
        self.calls += 1
        self.model.next(state, action, rng)


class Watched(Agent):
    """An agent under watch: what it spends on a decision, and whether it touches the game's own state.

    Breaches are kept in ``breaches``, because the game loop takes exceptions for faults.
    """

    def __init__(self, agent: Agent, model: CountingModel) -> None:
        super().__init__(agent.parameters)
        self.agent = agent
        self.model = model
        self.truth: GameState | None = None
        self.breaches: list[str] = []

    def new_budget(self) -> Budget:
        """Ask the agent."""
        return self.agent.new_budget()

    def start_game(self, observation: GameState) -> None:
        """Hand over what the loop has set."""
        self.agent.sim = self.sim
        self.agent.player = self.player
        self.agent.start_game(observation)

    def act(self, observation: GameState, actions: list[AnyAction]) -> AnyAction:
        """Let the agent choose, and compare before and after."""
        truth, budget = self.truth, self.sim.budget
        before, calls = state_hash(truth), self.model.calls
        action = self.agent.act(observation, actions)
        calls = self.model.calls - calls
        if state_hash(truth) != before:
            self.breaches.append("choosing changes the game's own state")
        if calls > budget.forward_model_calls:  # fewer: a search may charge itself for a pass within its own tree
            self.breaches.append(f"{calls} forward-model calls, of which sim counted {budget.forward_model_calls}")
        limit = getattr(self.agent.parameters, "budget", calls)
        if calls > limit:
            self.breaches.append(f"{calls} forward-model calls with a budget of {limit}")
        if not isinstance(self.agent.statistics(), Mapping):
            self.breaches.append(f"statistics() returns {shorten(self.agent.statistics())}, no mapping")
        return action

    def end_game(self, state: GameState) -> None:
        """Pass on."""
        self.agent.end_game(state)


class WatchedAlways(Watched):
    """One that wants to be asked even when only one action is available."""

    wants_single_actions = True


def play(where: Where, agents: list[Agent] | None = None) -> list[str]:
    """Play the game of ``where``, with these ``agents`` or new ones, and return its trace.

    Raises:
        ContractError: an agent was at fault.
    """
    tracer = Tracer()
    seats = [make_agent(text) for text in where.agents] if agents is None else agents
    game = Game(make_game(where.game), seats, where.seed, listeners=[tracer])
    game.play()
    _check_faults(game, where)
    return tracer.hashes


def play_watched(where: Where) -> None:
    """Play the game of ``where`` and raise `ContractError` for what the agents should not have done."""
    model = _counting(make_game(where.game))
    agents = [_watched(make_agent(text), model) for text in where.agents]
    game = Game(model, agents, where.seed, listeners=[Tracer()])
    for agent in agents:
        agent.truth = game.state
    game.play()
    _check_faults(game, where)
    for agent in agents:
        if agent.breaches:
            raise ContractError(agent.breaches[0])


def _counting(model: ForwardModel[Any]) -> CountingModel:
    cls: type[CountingModel] = type("CountingModel", (CountingModel,), {"game_type": model.game_type})
    return cls(model)


def _watched(agent: Agent, model: CountingModel) -> Watched:
    return WatchedAlways(agent, model) if agent.wants_single_actions else Watched(agent, model)


def _check_faults(game: Game, where: Where) -> None:
    if game.faults:
        fault = game.faults[0]
        where.tick = fault.tick
        raise ContractError(f"{fault.kind} of player {fault.player}: {fault.message}")
