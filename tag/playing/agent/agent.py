"""Agents: programs that decide for a player."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar, Final, Generic, final

from mypy_extensions import i64, mypyc_attr

from tag.engine.forward_model import ForwardModel
from tag.engine.parameters import Parameters, choice, integer, spec_of
from tag.engine.snapshot import Copyable
from tag.engine.state import AnyAction, Event, GameState, S
from tag.engine.values import StateHeuristic
from tag.errors import ParameterError
from tag.playing.agent.budget import BUDGET_TYPES, Budget
from tag.playing.agent.limits import Limits
from tag.playing.agent.simulator import Simulator
from tag.playing.search_tree import SearchNode

_UNLIMITED: Final = 1 << 60
#: The budget where neither the spec nor the game gives one.
_USUAL: Final = 1000


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass
class SearchParameters(Parameters):
    """Parameters of every agent that searches."""

    budget: int = integer(
        0,
        1,
        1_000_000_000,
        "search budget per decision; 0 for that of the game, forward-model calls for about 10 ms, or else 1,000",
        log=True,
    )
    budget_type: str = choice(BUDGET_TYPES[0], BUDGET_TYPES, "unit of the budget; times are in milliseconds")
    heuristic: str = spec_of("heuristic", "game", "what values a position")

    def new_budget(self) -> Budget:
        """Return the budget for a decision; that of a game is in the spec already (`tag.orders.budgets`).

        Examples:
            >>> SearchParameters(budget=20, budget_type="wall_ms").new_budget().kind
            'wall_ms'
        """
        return Budget(self.budget if self.budget > 0 else _USUAL, self.budget_type)


@mypyc_attr(allow_interpreted_subclasses=True)
class Agent(Copyable):
    """Chooses actions for one player of one game.

    The life of an agent: made from its parameters, then for each game `start_game`, any number of `act`, `end_game`.
    An agent sees observations only. All its randomness comes from ``self.sim.rng``, all its look-ahead goes through
    ``self.sim``, which counts it against the budget.

    Examples:
        >>> from tag import Agent, Game, make_agent, make_game
        >>> class First(Agent):
        ...     def act(self, observation, actions):
        ...         return actions[0]
        >>> game = Game(make_game("tic_tac_toe"), [First(), First()], seed=1)
        >>> print(game.play())
        X O X
        O X O
        X . .

    Attributes:
        parameters_class: the class of the agent's parameters.
        wants_single_actions: whether `act` is also called when only one action is available.
        looks_ahead: whether it applies the rules to its observations, which needs games that `GameType.determinises`.
        parameters: the values of this agent's parameters; an agent with parameters re-declares the type.
        sim: rules, random stream and budget; set by the game loop before `start_game`.
        player: the seat; set by the game loop before `start_game`.
        watched: what the player has seen since the last decision: an observation of each position in which this agent was
            not asked, oldest first; set by the game loop before `act`, empty unless the agent `watches`.
        heard: the events that the player has been told of since the last decision, as `Event.known_to` leaves them, oldest
            first; set by the game loop before `act` and `end_game`, empty unless the agent `listens`.
    """

    parameters_class: ClassVar[type[Parameters]] = Parameters
    wants_single_actions: ClassVar[bool] = False
    looks_ahead: ClassVar[bool] = True

    def __init__(self, parameters: Parameters | None = None) -> None:
        """Take the parameters, or the defaults."""
        self.parameters: Parameters = self.parameters_class() if parameters is None else parameters
        self.player: i64 = 0
        self.watched: list[GameState] = []
        self.heard: list[Event] = []

    sim: Simulator

    def new_budget(self) -> Budget:
        """Return the budget for a decision: that of the parameters, or practically none."""
        parameters = self.parameters
        if isinstance(parameters, SearchParameters):
            return parameters.new_budget()
        return Budget(_UNLIMITED)

    def check_game(self, model: ForwardModel[Any], n_players: int) -> None:
        """Raise `ParameterError` where the agent cannot play this game with so many; by default, if it cannot look ahead."""
        if self.looks_ahead and not model.game_type.determinises:
            raise ParameterError(
                f"{type(self).__name__} looks ahead, and hidden information of {model.game_type.title} cannot be dealt "
                "again; random can play it, and agents that declare looks_ahead = False"
            )

    def watches(self) -> bool:
        """Say whether the agent is to be shown the positions between its decisions (`watched`); by default not.

        It is asked once, after `start_game`.
        """
        return False

    def listens(self) -> bool:
        """Say whether the agent is to be told of the game's events (`heard`); by default not.

        It is asked once, after `start_game`. Games make events only for those who listen.

        Examples:
            >>> from tag import Agent, Game, make_agent, make_game
            >>> class Listens(Agent):
            ...     def listens(self):
            ...         return True
            ...     def act(self, observation, actions):
            ...         print(self.heard)
            ...         return actions[0]
            >>> game = Game(make_game("cant_stop"), [Listens(), make_agent("random")], seed=2)
            >>> game.start()
            >>> game.step()  # to roll is the only action
            >>> game.step()
            [Event('rolled', 0, 0, (2, 4, 5, 6))]
        """
        return False

    def use_heuristic(self, heuristic: StateHeuristic) -> None:
        """Value positions by ``heuristic`` from the next game on, in place of that of the parameters.

        Raises:
            ParameterError: the agent uses no heuristic; so by default.
        """
        raise ParameterError(f"{type(self).__name__} uses no heuristic; mcts is an agent that does")

    def start_game(self, observation: GameState) -> None:
        """Prepare for a new game; nothing by default."""

    def act(self, observation: GameState, actions: list[AnyAction]) -> AnyAction:
        """Return one of ``actions``, which are those available in ``observation``; both are the agent's to change."""
        raise NotImplementedError

    def end_game(self, state: GameState) -> None:
        """Learn how the game ended, from the final position; nothing by default."""

    def statistics(self) -> Mapping[str, object]:
        """Return figures about the last decision, for listeners and `tag inspect`; nothing by default.

        All are numbers, text, or lists and dictionaries of these, which isolated agents send as JSON. ``actions`` is a list
        with a dictionary for each action that `act` was offered, in any order: ``action``, its ``str``; ``value``, greater
        is better for the player, None where the agent has none (0 would look like one); and any more numbers, such as
        ``visits``, ``probability`` or ``depth``. With ``is_bound`` the value is an upper bound.
        """
        return {}

    def search_tree(self, least_visits: int = 1, most_nodes: int = 2000) -> SearchNode | None:
        """Return the tree of the last decision, made on request; None by default.

        The root and all actions that `act` was offered are in it, with the values and visits of `statistics`. Below these,
        nodes with fewer than ``least_visits`` are left out, and the most visited go first if there are more than
        ``most_nodes``. A tree shows no more than the observation of the decision.
        """
        return None


@mypyc_attr(allow_interpreted_subclasses=True)
class RuleBot(Agent, Generic[S]):
    """Plays one game by rules: it takes the action of most worth, of equal ones the first.

    Examples:
        >>> from tag import Game, RuleBot, make_game
        >>> class Greedy(RuleBot):
        ...     def worth(self, state, action):
        ...         return action.number
        >>> print(Game(make_game("nim"), [Greedy(), Greedy()], seed=1).play())
        0 0 0
    """

    looks_ahead = False

    def __init__(self, parameters: Parameters | None = None) -> None:
        """Take the parameters, or the defaults."""
        super().__init__(parameters)
        self._worths: list[tuple[AnyAction, float]] = []

    def prepare(self, state: S) -> None:
        """Look at the position before its actions are valued; nothing by default."""

    def worth(self, state: S, action: AnyAction) -> float:
        """Return how good ``action`` is for the player: a finite number, greater is better."""
        raise NotImplementedError

    @final
    def act(self, observation: GameState, actions: list[AnyAction]) -> AnyAction:
        """Value all actions."""
        state: Any = observation
        self.prepare(state)
        best = actions[0]
        most = -inf
        self._worths = []
        for action in actions:
            worth = self.worth(state, action)
            self._worths.append((action, worth))
            if worth > most:
                best, most = action, worth
        return best

    def statistics(self) -> Mapping[str, object]:
        """Return the worth of each action."""
        return {"actions": [{"action": str(action), "value": worth} for action, worth in self._worths]}


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

    def isolate(self, limits: Limits) -> None:
        """Play the next game in a new process with these limits, which `close` ends."""

    def peak_mb(self) -> float:
        """Return the most memory of an isolated agent's process in this game, in megabytes (2**20 bytes); 0 if unknown."""
        return 0.0

    def close(self) -> None:
        """End the process of an isolated agent; nothing by default."""
