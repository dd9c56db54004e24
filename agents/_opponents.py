"""Opponent models: agents or random play for the other players inside a search."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from tag.catalogue.registry import make_agent
from tag.engine.action import AnyAction
from tag.engine.rng import Rng
from tag.engine.state import GameState
from tag.errors import ParameterError
from tag.playing.agent import Agent, Budget, SearchParameters, Simulator

_RANDOM: Final = "random"


class Opponents:
    """Plays for all but the searching player: at random, or as agents of any spec.

    Each agent has a stream of its own and sees observations of the simulated state, so it knows only what its player can
    know there. Its forward-model calls and copies are added to the budget of the searching agent. In budgets of these kinds
    it gets at most what is left. Its budget must be of the same type. An agent that ignores budgets can spend more than is
    left.
    """

    def __init__(self, spec: str, budget_type: str) -> None:
        """Take the spec of an agent and the type of the searching agent's budget.

        Raises:
            TagError: the spec, its name or a parameter is wrong.
        """
        self._spec = spec
        self._is_random = spec == _RANDOM
        self._agents: dict[int, Agent] = {}
        if not self._is_random:
            _check_budget_type(make_agent(spec), spec, budget_type)

    _sim: Simulator

    def start_game(self, sim: Simulator, player: i64, observation: GameState) -> None:
        """Seat the opponents of ``player``, whose simulator is ``sim``, for a new game."""
        self._sim = sim
        self._agents = {}
        if self._is_random:
            return
        for seat in range(observation.n_players):
            if seat != player:
                agent = make_agent(self._spec)
                agent.player = seat
                agent.sim = Simulator(sim.model, sim.rng.split(), agent.new_budget())
                agent.start_game(observation.observation(seat, sim.rng))
                self._agents[int(seat)] = agent

    def end_game(self, state: GameState) -> None:
        """Let the agents learn how the game ended."""
        for agent in self._agents.values():
            agent.end_game(state)

    def act(self, state: GameState, actions: list[AnyAction]) -> AnyAction:
        """Return the action of the current player of ``state``; ``actions`` are those available."""
        if self._is_random:
            rng: Rng = self._sim.rng
            return actions[rng.below(len(actions))]
        return self._ask(self._agents[int(state.current_player)], state, actions)

    def _ask(self, agent: Agent, state: GameState, actions: list[AnyAction]) -> AnyAction:
        """Let ``agent`` decide; at random when the budget does not pay for a decision and its execution."""
        sim = self._sim
        budget = agent.new_budget()
        kind = sim.budget.kind
        if kind == "forward_model_calls" or kind == "copies":
            # One unit is kept: the call that plays the decision, or the observation it is made from.
            affordable = sim.budget.left - 1
            if affordable <= 0:
                return actions[sim.rng.below(len(actions))]
            budget = Budget(min(affordable, budget.left), kind)
        budget.time_factor = sim.budget.time_factor
        agent.sim.budget = budget
        observation = sim.observation(state, agent.player)
        budget.start()
        action = agent.act(observation, actions[:])
        sim.budget.forward_model_calls += budget.forward_model_calls
        sim.budget.copies += budget.copies
        return action


def _check_budget_type(agent: Agent, spec: str, budget_type: str) -> None:
    parameters = agent.parameters
    if isinstance(parameters, SearchParameters) and parameters.budget_type != budget_type:
        raise ParameterError(
            f"opponent cannot be {spec!r}; its budget is of type {parameters.budget_type} and must be of type"
            f" {budget_type}, like that of the agent it serves"
        )
