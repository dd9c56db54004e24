"""Agents: programs that decide for a player."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from mypy_extensions import i64, mypyc_attr

from tag.action import AnyAction
from tag.budget import BUDGET_TYPES, Budget
from tag.dimensions import choice, integer, spec_of
from tag.parameters import Parameters
from tag.simulator import Simulator
from tag.state import GameState

_UNLIMITED: Final = 1 << 60


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass
class SearchParameters(Parameters):
    """Parameters of every agent that searches."""

    budget: int = integer(1000, 1, 1_000_000_000, "search budget per decision", log=True)
    budget_type: str = choice(BUDGET_TYPES[0], BUDGET_TYPES, "unit of the budget; times are in milliseconds")
    heuristic: str = spec_of("heuristic", "game", "what values a position")

    def new_budget(self) -> Budget:
        """Return the budget for a decision."""
        return Budget(self.budget, self.budget_type)


@mypyc_attr(allow_interpreted_subclasses=True)
class Agent:
    """Chooses actions for one player of one game.

    The life of an agent: made from its parameters, then for each game `start_game`, any number of `act`, `end_game`.
    An agent sees observations only. All its randomness comes from ``self.sim.rng``, all its look-ahead goes through
    ``self.sim``, which counts it against the budget.

    Attributes:
        parameters_class: the class of the agent's parameters.
        wants_single_actions: whether `act` is also called when only one action is available.
        parameters: the values of this agent's parameters; an agent with parameters re-declares the type.
        sim: rules, random stream and budget; set by the game loop before `start_game`.
        player: the seat; set by the game loop before `start_game`.
    """

    parameters_class: ClassVar[type[Parameters]] = Parameters
    wants_single_actions: ClassVar[bool] = False

    def __init__(self, parameters: Parameters | None = None) -> None:
        """Take the parameters, or the defaults."""
        self.parameters: Parameters = self.parameters_class() if parameters is None else parameters
        self.player: i64 = 0

    sim: Simulator

    def new_budget(self) -> Budget:
        """Return the budget for a decision: that of the parameters, or practically none."""
        parameters = self.parameters
        if isinstance(parameters, SearchParameters):
            return parameters.new_budget()
        return Budget(_UNLIMITED)

    def start_game(self, observation: GameState) -> None:
        """Prepare for a new game; nothing by default."""

    def act(self, observation: GameState, actions: list[AnyAction]) -> AnyAction:
        """Return one of ``actions``, which are those available in ``observation``; both are the agent's to change."""
        raise NotImplementedError

    def end_game(self, state: GameState) -> None:
        """Learn how the game ended, from the final position; nothing by default."""

    def statistics(self) -> Mapping[str, object]:
        """Return figures about the last decision, for listeners; nothing by default."""
        return {}


@mypyc_attr(allow_interpreted_subclasses=True)
class RemoteAgent(Agent):
    """Stands for an agent that decides in another process.

    Attributes:
        cpu_seconds: the CPU time that its decisions have taken there.
    """

    def __init__(self, parameters: Parameters | None = None) -> None:
        """Take the parameters, or the defaults."""
        super().__init__(parameters)
        self.cpu_seconds = 0.0
