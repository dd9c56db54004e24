"""Games in which an agent is watched."""

from __future__ import annotations

from typing import Any

from tag.catalogue.registry import make_agent, make_game
from tag.check.evidence.traces import Tracer
from tag.check.report import Where
from tag.engine.forward_model import ForwardModel
from tag.engine.rng import Rng
from tag.engine.snapshot import state_hash
from tag.engine.state import AnyAction, GameState
from tag.errors import ContractError
from tag.playing.agent import Agent, Budget
from tag.playing.game import Game


class CountingModel(ForwardModel[Any]):
    """The rules of another model; counts the calls of ``next``, of players who choose at the same time the last one's.

    A search pays for such a round once, whether its own player is asked first or last (`Simulator.resolve`).
    """

    def __init__(self, model: ForwardModel[Any]) -> None:
        super().__init__(model.parameters)
        self.model = model
        self.calls = 0

    def setup(self, n_players: int, rng: Rng) -> Any:
        return self.model.setup(n_players, rng)

    def available_actions(self, state: Any) -> list[AnyAction]:
        return self.model.available_actions(state)

    def random_action(self, state: Any, rng: Rng) -> AnyAction:
        return self.model.random_action(state, rng)

    def undecorated(self) -> ForwardModel[Any]:
        return self.model.undecorated()

    def copy(self) -> CountingModel:
        """Return the same model: it counts the calls of all seats."""
        return self

    def next(self, state: Any, action: AnyAction, rng: Rng) -> None:
        """Pass on and count."""
        self.model.next(state, action, rng)
        if not state.is_unresolved():
            self.calls += 1


class Watched(Agent):
    """An agent under watch: its cost per decision, and changes to the game's own state.

    Breaches are kept in ``breaches``, because the game loop treats exceptions as faults.
    """

    def __init__(self, agent: Agent, model: CountingModel) -> None:
        super().__init__(agent.parameters)
        self.agent = agent
        self.model = model
        self.truth: GameState | None = None
        self.breaches: list[str] = []

    def new_budget(self) -> Budget:
        return self.agent.new_budget()

    def watches(self) -> bool:
        return self.agent.watches()

    def listens(self) -> bool:
        return self.agent.listens()

    def start_game(self, observation: GameState) -> None:
        self.agent.sim = self.sim
        self.agent.player = self.player
        self.agent.start_game(observation)

    def act(self, observation: GameState, actions: list[AnyAction]) -> AnyAction:
        """Let the agent choose, and compare before and after."""
        truth, budget = self.truth, self.sim.budget
        before, calls = state_hash(truth), self.model.calls
        self.agent.watched = self.watched
        self.agent.heard = self.heard
        action = self.agent.act(observation, actions)
        calls = self.model.calls - calls
        if state_hash(truth) != before:
            self.breaches.append("choosing changes the game's own state")
        if calls > budget.forward_model_calls:  # fewer: a search may charge itself for a pass within its own tree
            self.breaches.append(f"{calls} forward-model calls, of which sim counted {budget.forward_model_calls}")
        limit = getattr(self.agent.parameters, "budget", calls)
        if calls > limit:
            self.breaches.append(f"{calls} forward-model calls with a budget of {limit}")
        return action

    def end_game(self, state: GameState) -> None:
        self.agent.heard = self.heard
        self.agent.end_game(state)


class WatchedAlways(Watched):
    """Watched agent that is asked even when only one action is available."""

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


def play_watched(where: Where) -> int:
    """Play the game of ``where``, raise `ContractError` for breaches by the agents, and return the decisions."""
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
    return sum(game.decisions)


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
