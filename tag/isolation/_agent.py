"""Isolated agents as the game loop takes them, and the processes that they share from game to game."""

from __future__ import annotations

import atexit
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from tag.action import Action, AnyAction
from tag.agent import Agent
from tag.faults import AgentGone, RemoteFault
from tag.isolation import _wire
from tag.isolation._process import AgentProcess, Limits
from tag.rng import Rng
from tag.state import GameState

#: How many processes are kept for later games.
_KEPT: Final = 64

#: By the agent's spec, its number among those of that spec in a game, and its limits; the one used last is last.
_processes: dict[tuple[str, int, Limits], AgentProcess] = {}


class _Unavailable(Action[GameState]):
    """What an isolated agent returned instead of an available action, as text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def execute(self, state: GameState, rng: Rng) -> None:
        """Change nothing; it is never executed."""

    def __repr__(self) -> str:
        return self._text


class IsolatedAgent(Agent):
    """Stands for an agent in a process of its own.

    It passes on the position of its stream and what is on its clock, so that chance and time are the same there. A
    fault that nobody could be told of, in making the agent or in its statistics, is raised when it is next asked.
    """

    def __init__(self, process: AgentProcess, game: str) -> None:
        """Play the game type of the spec ``game`` with the agent in ``process``."""
        super().__init__()
        self._process = process
        self._game = game
        self._fault = process.fault

    def start_game(self, observation: GameState) -> None:
        """Have it make ready."""
        budget = self.sim.budget
        clock = budget.clock
        times = None if clock is None else (clock.remaining, clock.per_action, clock.per_turn, clock.per_round)
        stream = self.sim.rng.snapshot()
        self._ask((_wire.START, self._game, self.player, stream, times, budget.time_factor), observation)

    def act(self, observation: GameState, actions: list[AnyAction]) -> AnyAction:
        """Have it choose."""
        clock = self.sim.budget.clock
        choice = self._ask((_wire.ACT, 0.0 if clock is None else clock.remaining), (observation, actions))
        if isinstance(choice, int) and 0 <= choice < len(actions):
            return actions[choice]
        return _Unavailable(str(choice))

    def end_game(self, state: GameState) -> None:
        """Let it learn how the game ended."""
        self._ask((_wire.END,), state)

    def statistics(self) -> Mapping[str, object]:
        """Ask it for its statistics; nothing where there is nobody to ask."""
        try:
            found = self._ask((_wire.STATISTICS,))
        except AgentGone:
            return {}
        except RemoteFault as fault:
            self._fault = fault
            return {}
        return found if isinstance(found, dict) else {}

    def _ask(self, *parts: object) -> Any:
        if self._fault is not None:
            fault, self._fault = self._fault, None
            raise fault
        if not self._process.alive:
            raise AgentGone
        return self._process.ask(*parts)


class EagerIsolatedAgent(IsolatedAgent):
    """Stands for one that wants to be asked for single actions, too."""

    wants_single_actions = True


def isolated_agents(game: str, agents: tuple[str, ...], memory_mb: int, hang_seconds: float) -> list[Agent]:
    """Return an agent per spec, each in a process of its own, which is kept for later games.

    One game is played after the other: the next game with the same agents has the same processes.

    Args:
        game: the spec of the game type.
        agents: the specs of the agents in their seats.
        memory_mb: the memory that each may use, in megabytes; 0 for no limit.
        hang_seconds: how long an answer may take.

    Raises:
        ClusterError: a process does not start.
    """
    limits = Limits(memory_mb, hang_seconds)
    seen: Counter[str] = Counter()
    found: list[Agent] = []
    for spec in agents:
        process = _process((spec, seen[spec], limits))
        seen[spec] += 1
        found.append((EagerIsolatedAgent if process.wants_single_actions else IsolatedAgent)(process, game))
    for key in list(_processes)[: -max(_KEPT, len(agents))]:
        _processes.pop(key).close()
    return found


@atexit.register
def close_processes() -> None:
    """End the processes of all isolated agents; the next game starts new ones."""
    while _processes:
        _processes.popitem()[1].close()


def _process(key: tuple[str, int, Limits]) -> AgentProcess:
    """Return the process of an agent, a new one where there is none or it has ended, and note that it was used last."""
    process = _processes.pop(key, None)
    if process is None or not process.alive:
        spec, _number, limits = key
        process = AgentProcess(spec, limits)
    _processes[key] = process
    return process
