"""Isolated agents as the game loop takes them."""

from __future__ import annotations

import atexit
from collections.abc import Mapping
from math import isfinite
from typing import Any, Final

from tag.catalogue.registry import agent_class, built_in, make_agent
from tag.engine.parameters import parse_spec
from tag.engine.state import AnyAction, GameState
from tag.isolation import _wire
from tag.isolation._forking import close_template
from tag.isolation._process import AgentProcess
from tag.isolation._trees import ToldAction, tree_of
from tag.playing.agent import Agent, Budget, Limits, RemoteAgent
from tag.playing.faults import AgentGone, RemoteFault
from tag.playing.search_tree import SearchNode

#: So much CPU time of a process may be that of reading a question and answering it, in seconds. What is beyond is the
#: agent's, whatever its process says.
_EXCHANGE: Final = 0.001
#: The processes of the game that was set up last, and its agents that have one by themselves.
_processes: Final[list[AgentProcess | RemoteAgent]] = []


class IsolatedAgent(RemoteAgent):
    """Stands for an agent in a process of its own.

    It passes on the position of its stream and the time left on its clock, so that chance and time are the same there. A
    fault that could not be reported, in making the agent or in what it tells, is raised when it is next asked.
    """

    def __init__(self, process: AgentProcess, game: str) -> None:
        """Play the game type of the spec ``game`` with the agent in ``process``."""
        super().__init__()
        self._process = process
        self._game = game
        self._fault = process.fault
        self._actions: list[AnyAction] = []
        self._n_players = 0
        self._watches = self._listens = False

    def watches(self) -> bool:
        """Say whether the agent in the process does."""
        return self._watches

    def listens(self) -> bool:
        """Say whether the agent in the process does."""
        return self._listens

    def new_budget(self) -> Budget:
        """Return the budget that the agent has in its process."""
        return Budget(*self._process.budget)

    def start_game(self, observation: GameState) -> None:
        """Have the agent prepare for a game."""
        self._n_players = int(observation.n_players)
        budget = self.sim.budget
        clock = budget.clock
        times = None if clock is None else (clock.remaining, clock.per_action, clock.per_turn, clock.per_round)
        stream = self.sim.rng.snapshot()
        start = (_wire.START, self._game, self.player, stream, times, budget.time_factor)
        wants = str(self._ask(start, observation))
        self._watches, self._listens = _wire.WATCHES in wants, _wire.LISTENS in wants

    def act(self, observation: GameState, actions: list[AnyAction]) -> AnyAction:
        """Have the agent choose."""
        self._actions = actions
        clock = self.sim.budget.clock
        before = self._process.cpu_seconds()
        request = (_wire.ACT, 0.0 if clock is None else clock.remaining)
        answer = self._ask(request, (observation, actions, self.watched, self.heard))
        choice, calls, copies, seconds = _act_answer(answer)
        seconds = max(seconds, self._process.cpu_seconds() - before - _EXCHANGE)
        self.sim.calls += calls
        self.sim.copies += copies
        self.cpu_seconds += seconds
        if isinstance(choice, int) and 0 <= choice < len(actions):
            return actions[choice]
        return ToldAction(str(choice))

    def peak_mb(self) -> float:
        """Return the most memory that its process has had resident, in megabytes."""
        return self._process.peak_mb()

    def end_game(self, state: GameState) -> None:
        """Let the agent learn how the game ended."""
        self._ask((_wire.END,), (state, self.heard))

    def statistics(self) -> Mapping[str, object]:
        """Ask the agent for its statistics; nothing if the process has ended."""
        found = self._told((_wire.STATISTICS,))
        return found if isinstance(found, dict) else {}

    def search_tree(self, least_visits: int = 1, most_nodes: int = 2000) -> SearchNode | None:
        """Ask the agent for the tree of its last decision, with later actions as texts; None if the process has ended."""
        rows = self._told((_wire.TREE, least_visits, most_nodes))
        return tree_of(rows, self._actions, self._n_players)

    def _told(self, request: tuple[object, ...]) -> Any:
        """Return the agent's answer to a request that is no part of the game; None if there is none."""
        try:
            return self._ask(request)
        except AgentGone:
            return None
        except RemoteFault as fault:
            self._fault = fault
            return None

    def _ask(self, *parts: object) -> Any:
        if self._fault is not None:
            fault, self._fault = self._fault, None
            raise fault
        if not self._process.alive:
            raise AgentGone
        return self._process.ask(*parts)


class EagerIsolatedAgent(IsolatedAgent):
    """Stands for an agent that is asked for single actions, too."""

    wants_single_actions = True


def isolated_agents(game: str, agents: tuple[str, ...], limits: Limits) -> list[Agent]:
    """Return an agent per spec, each in a new process of its own, for one game; those of the game before are ended.

    Args:
        game: the spec of the game type.
        agents: the specs of the agents in their seats.
        limits: of each process.

    Raises:
        ClusterError: a process does not start.
    """
    close_agents()
    found: list[Agent] = []
    for spec in agents:
        if _has_own_process(spec):
            agent: Any = make_agent(spec)
            agent.isolate(limits)
            _processes.append(agent)
            found.append(agent)
            continue
        process = AgentProcess(game, spec, limits)
        _processes.append(process)
        found.append((EagerIsolatedAgent if process.wants_single_actions else IsolatedAgent)(process, game))
    return found


def _has_own_process(spec: str) -> bool:
    """Say whether an agent of this distribution decides in another process already."""
    return built_in("agents", spec) and issubclass(agent_class(parse_spec(spec).name), RemoteAgent)


def close_agents() -> None:
    """End the processes of all isolated agents."""
    while _processes:
        _processes.pop().close()


@atexit.register
def close_processes() -> None:
    """End the processes of all isolated agents, and the one that they are forked from; the next game starts another."""
    close_agents()
    close_template()


def _act_answer(answer: Any) -> tuple[object, int, int, float]:
    """Return the choice in an answer, and its cost: calls, copies, CPU seconds; an agent may answer anything."""
    if isinstance(answer, list) and len(answer) == 4 and all(isinstance(spent, int) for spent in answer[1:3]):
        calls, copies = (min(max(spent, 0), 1 << 40) for spent in answer[1:3])
        seconds = answer[3] if isinstance(answer[3], float) and isfinite(answer[3]) else 0.0
        return answer[0], calls, copies, max(seconds, 0.0)
    return answer, 0, 0, 0.0
