"""Agents as models of players: they play seats in the look-ahead of another agent."""

from __future__ import annotations

from mypy_extensions import i64

from tag.catalogue.registry import agent_class, make_agent, spec_of
from tag.engine.snapshot import Copyable
from tag.engine.state import AnyAction, GameState
from tag.errors import ParameterError
from tag.playing.agent import Agent, Budget, SearchParameters, Simulator


class SimulatedAgents(Copyable):
    """Plays seats of simulated games with agents of any spec.

    Each agent has a stream of its own and sees observations of the simulated state, so it knows only what its player can
    know there. Its forward-model calls and copies are added to the budget of the searching agent. In budgets of these kinds
    and of time it gets at most what is left. Its budget is of the same type; a spec without a budget need not say so. An
    agent that ignores budgets can spend more than is left.
    """

    def __init__(self) -> None:
        """Start without agents."""
        self._agents: dict[int, Agent] = {}
        self._budgets: dict[int, Budget] = {}

    _sim: Simulator

    def start_game(self, sim: Simulator, specs: dict[int, str], observation: GameState) -> None:
        """Seat a new agent for each of ``specs``, by player, for a new game of the searcher, whose simulator is ``sim``."""
        self._sim = sim
        self._agents = {}
        for player, spec in specs.items():
            agent = _simulated(spec, sim.budget.kind)
            agent.player = player
            budget = self._budgets[player] = agent.new_budget()
            agent.sim = Simulator(sim.model, sim.rng.split(), budget)
            agent.start_game(observation.observation(player, sim.rng))
            self._agents[player] = agent

    def end_game(self, state: GameState) -> None:
        """Let the agents learn how the game ended."""
        for agent in self._agents.values():
            agent.end_game(state)

    def plays(self, player: i64) -> bool:
        """Say whether an agent is seated for ``player``."""
        return int(player) in self._agents

    def act(self, state: GameState, actions: list[AnyAction]) -> AnyAction:
        """Return the action of the current player of ``state``, for whom an agent is seated, among the available ones.

        It is drawn when the budget does not pay for a decision and its execution.
        """
        agent = self._agents[int(state.current_player)]
        outer = self._sim.budget
        if outer.limits_moves:
            # One unit is kept: the call that plays the decision, or the observation it is made from.
            affordable = outer.left - 1
            if affordable <= 0:
                return actions[self._sim.rng.below(len(actions))]
            return self._decided(agent, Budget(min(affordable, agent.new_budget().limit), outer.kind), state, actions)
        own = self._budgets[int(agent.player)]
        if own.outlasts(outer):
            agent.sim.budget = outer
            return agent.act(self._sim.observation(state, agent.player), actions[:])
        return self._decided(agent, own, state, actions)

    def _decided(self, agent: Agent, budget: Budget, state: GameState, actions: list[AnyAction]) -> AnyAction:
        """Let ``agent`` decide with a budget of its own, and count what it spends."""
        sim = self._sim
        budget.time_factor = sim.budget.time_factor
        agent.sim.budget = budget
        observation = sim.observation(state, agent.player)
        budget.start(sim.budget)
        action = agent.act(observation, actions[:])
        sim.budget.forward_model_calls += budget.forward_model_calls
        sim.budget.copies += budget.copies
        return action


def _simulated(text: str, budget_type: str) -> Agent:
    """Return a new agent; one that says nothing of its budget has the type of the agent that it serves."""
    spec = spec_of(text)
    parameters = agent_class(spec.name).parameters_class
    if issubclass(parameters, SearchParameters) and spec.values.keys().isdisjoint({"budget", "budget_type"}):
        spec = spec.with_value("budget_type", budget_type)
    return make_agent(spec)


def check_simulated(name: str, spec: str, budget_type: str) -> None:
    """Check the agent ``spec``, the parameter ``name`` of one that searches with a budget of type ``budget_type``.

    Raises:
        TagError: the spec, its name or a parameter is wrong, or its budget is of another type.
    """
    parameters = _simulated(spec, budget_type).parameters
    if isinstance(parameters, SearchParameters) and parameters.budget_type != budget_type:
        raise ParameterError(
            f"{name} cannot be {spec!r}; its budget is of type {parameters.budget_type} and must be of type"
            f" {budget_type}, like that of the agent it serves"
        )
