"""Agents, their budgets, and the simulator that they search with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from threading import main_thread
from typing import Any, ClassVar, Final, Generic, final

from mypy_extensions import i64, mypyc_attr

from tag.engine.forward_model import ForwardModel
from tag.engine.parameters import Parameters, choice, integer, spec_of
from tag.engine.rng import Rng
from tag.engine.snapshot import Copyable, reduced
from tag.engine.state import AnyAction, GameState, S
from tag.engine.values import StateHeuristic
from tag.errors import ParameterError
from tag.playing.search_tree import SearchNode
from tag.playing.time_limit import TimeLimit

# --- budgets: how much an agent may spend on one decision, and clocks for a whole game ----------------------------------


#: The units of budgets; the first is the default and, like the next two, deterministic.
BUDGET_TYPES: Final = ("forward_model_calls", "iterations", "copies", "wall_ms", "cpu_ms", "clock")

_CALLS: Final = 0
_ITERATIONS: Final = 1
_COPIES: Final = 2
_WALL: Final = 3
_CPU: Final = 4
_CLOCK: Final = 5

#: The share of what is left on its clock that an agent with a budget of type ``clock`` spends on one decision.
_CLOCK_SHARE: Final = 0.05

#: Budgets that are counts let signals in after so many questions.
_QUESTIONS: Final = 100
#: Python handles signals, such as Ctrl-C, when an interpreted function begins, but not in compiled code: this one is quick.
interpreted: Final = main_thread


@final
class Clock:
    """One player's time for the whole game, in seconds of wall time, as in chess.

    Examples:
        >>> clock = Clock(10.0, per_action=1.0)
        >>> clock.spend(4.0), clock.remaining
        (True, 7.0)
        >>> clock.spend(8.0)
        False

    Attributes:
        remaining: the seconds left.
        per_action: the seconds added after each decision.
        per_turn: the seconds added after each turn of the player.
        per_round: the seconds added after each round.
    """

    __slots__ = ("per_action", "per_round", "per_turn", "remaining")
    remaining: float
    per_action: float
    per_turn: float
    per_round: float

    def __init__(self, seconds: float, per_action: float = 0.0, per_turn: float = 0.0, per_round: float = 0.0) -> None:
        """Start with ``seconds`` on the clock."""
        self.remaining = seconds
        self.per_action = per_action
        self.per_turn = per_turn
        self.per_round = per_round

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle by fields."""
        return reduced(self, 0.0)

    def copy(self) -> Clock:
        """Return an independent copy: one per player."""
        return Clock(self.remaining, self.per_action, self.per_turn, self.per_round)

    def spend(self, seconds: float) -> bool:
        """Take ``seconds`` off, add the increment, and say whether there was enough."""
        self.remaining -= seconds
        if self.remaining < 0.0:
            return False
        self.remaining += self.per_action
        return True


@final
class Budget:
    """Limit of one decision, and its cost so far.

    Between two readings of the clock, a budget of time counts questions (`is_spent`) and calls (`calls_until_question`), as
    `TimeLimit` plans. So a search that asks before each of its steps neither pays for the clock nor passes the limit.

    Examples:
        >>> budget = Budget(2)
        >>> budget.kind, budget.limit, budget.is_deterministic
        ('forward_model_calls', 2, True)
        >>> budget.count_calls(2)
        >>> budget.is_spent(), budget.left
        (True, 0)

    Attributes:
        forward_model_calls: calls of ``next`` in this decision.
        iterations: passes of the search in this decision.
        copies: copies and observations made in this decision.
        clock: the clock of which a budget of type ``clock`` is a share.
        time_factor: how many times as long wall and CPU time last as the limit says (`tag.orders`).
    """

    __slots__ = (
        "_ahead",
        "_kind",
        "_limit",
        "_time",
        "clock",
        "copies",
        "forward_model_calls",
        "iterations",
        "time_factor",
    )
    forward_model_calls: i64
    iterations: i64
    copies: i64
    clock: Clock | None
    time_factor: float
    _kind: i64
    _limit: i64
    _time: TimeLimit | None
    _ahead: i64

    def __init__(self, limit: i64, kind: str = BUDGET_TYPES[0]) -> None:
        """Allow ``limit`` units of ``kind`` (one of `BUDGET_TYPES`; times are in milliseconds) per decision."""
        self._kind = BUDGET_TYPES.index(kind)
        self._limit = limit
        self._time = TimeLimit(self._kind == _CPU) if self._kind >= _WALL else None
        self._ahead = 0
        self.clock = None
        self.time_factor = 1.0
        self.forward_model_calls = 0
        self.iterations = 0
        self.copies = 0

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle by fields."""
        return reduced(self, 1)

    @property
    def is_deterministic(self) -> bool:
        """Say whether the same decision always gets the same budget."""
        return self._kind <= _COPIES

    @property
    def kind(self) -> str:
        """Return the unit: one of `BUDGET_TYPES`."""
        return BUDGET_TYPES[self._kind]

    @property
    def limit(self) -> i64:
        """Return how many units of its `kind` a decision may cost."""
        return self._limit

    @property
    def most_calls(self) -> i64:
        """Return the forward-model calls that a decision may cost, -1 if the unit is another."""
        return self._limit if self._kind == _CALLS else -1

    @property
    def most_copies(self) -> i64:
        """Return the copies that a decision may cost, -1 if the unit is another."""
        return self._limit if self._kind == _COPIES else -1

    @property
    def limits_steps(self) -> bool:
        """Say whether the budget can end within an iteration, between forward-model calls; true of calls and of time."""
        return self._kind == _CALLS or self._kind >= _WALL

    @property
    def limits_moves(self) -> bool:
        """Say whether the units are calls or copies, of which each position that is looked at takes one."""
        return self._kind == _CALLS or self._kind == _COPIES

    @property
    def left(self) -> i64:
        """Return how many units are left, 0 at least; of time, which is not counted in units, the limit."""
        spent: i64 = 0
        if self._kind == _CALLS:
            spent = self.forward_model_calls
        elif self._kind == _ITERATIONS:
            spent = self.iterations
        elif self._kind == _COPIES:
            spent = self.copies
        return self._limit - spent if self._limit > spent else 0

    def outlasts(self, outer: Budget) -> bool:
        """Say whether a decision within another with the budget ``outer`` of time has at least as much time."""
        return (
            self._time is not None and self.kind == outer.kind and (self._kind == _CLOCK or self._limit >= outer.limit)
        )

    @property
    def seconds_left(self) -> float:
        """Return how much time is left, in seconds; infinite if the unit is another."""
        return inf if self._time is None else self._time.left()

    def start(self, within: Budget | None = None) -> None:
        """Begin a decision; one ``within`` a decision with a budget of time has no more time than is left of that."""
        self.forward_model_calls = 0
        self.iterations = 0
        self.copies = 0
        self._ahead = 0
        time = self._time
        if time is None:
            return
        seconds = float(self._limit) * self.time_factor / 1000.0
        clock = self.clock
        if self._kind == _CLOCK and clock is not None:
            seconds = min(clock.remaining * _CLOCK_SHARE + clock.per_action, clock.remaining * 0.5)
        time.start(seconds if within is None else min(seconds, within.seconds_left))

    def is_spent(self) -> bool:
        """Say whether nothing is left for this decision."""
        if self._ahead == 0 and self._look():
            return True
        self._ahead -= 1
        kind = self._kind
        if kind == _CALLS:
            return self.forward_model_calls >= self._limit
        if kind == _ITERATIONS:
            return self.iterations >= self._limit
        return kind == _COPIES and self.copies >= self._limit

    def calls_until_question(self, most: i64) -> i64:
        """Return how many calls, ``most`` at most, may be made before the next question; 0 if the budget is spent."""
        kind = self._kind
        if kind == _CALLS:
            return min(most, self.left)
        if kind < _WALL:
            return most
        return 0 if self._ahead == 0 and self._look() else min(most, self._ahead)

    def count_calls(self, calls: i64) -> None:
        """Count calls that were made without questions in between."""
        self.forward_model_calls += calls
        if self._kind >= _WALL:
            self._ahead -= min(calls, self._ahead)

    def _look(self) -> bool:
        """Let signals in, read the clock of a budget of time, and say whether it is over."""
        interpreted()
        time = self._time
        self._ahead = _QUESTIONS if time is None else time.read()
        return self._ahead == 0


#: An action with more outcomes than this has some of them drawn by `Simulator.outcomes`.
MOST_OUTCOMES: Final = 200
DRAWN_OUTCOMES: Final = 20

# --- the forward model as an agent may use it: counted against its budget, with randomness of its own -------------------


@final
class Simulator:
    """Rules, random stream and budget of one agent in one game.

    Examples:
        >>> from tag import make_game
        >>> model = make_game("connect_four")
        >>> sim = Simulator(model, Rng(1), Budget(100))
        >>> state = model.setup(2, Rng(1))
        >>> for action in sim.available_actions(state):
        ...     sim.next(sim.copy(state), action)
        >>> sim.calls, sim.copies, sim.budget.left
        (7, 7, 93)

    Attributes:
        model: the rules: a copy that is the agent's own.
        rng: the agent's own stream; draws from it change no chance outcome of the game.
        budget: the budget of the decision; search until ``budget.is_spent()``.
        calls: forward-model calls since the game began; the game loop compares the calls of a decision with the budget.
        copies: copies and observations since the game began, compared in the same way.
        has_sampled: whether the outcomes told last were drawn, so that they are not all and prove nothing.
    """

    __slots__ = ("budget", "calls", "copies", "has_sampled", "model", "rng")
    calls: i64
    copies: i64
    has_sampled: bool
    model: ForwardModel[Any]
    rng: Rng
    budget: Budget

    def __init__(self, model: ForwardModel[Any], rng: Rng, budget: Budget) -> None:
        """Bind the three together."""
        self.model = model
        self.rng = rng
        self.budget = budget
        self.calls = 0
        self.copies = 0
        self.has_sampled = False

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle by fields."""
        return reduced(self, self.model, self.rng, self.budget)

    def next(self, state: GameState, action: AnyAction) -> None:
        """Apply ``action`` to ``state`` in place: one forward-model call."""
        self.calls += 1
        self.budget.forward_model_calls += 1
        self.model.next(state, action, self.rng)

    def available_actions(self, state: GameState) -> list[AnyAction]:
        """Return the available actions of the current player of ``state``."""
        return self.model.available_actions(state)

    def copy(self, state: GameState) -> GameState:
        """Return an exact copy of ``state``."""
        self.copies += 1
        self.budget.copies += 1
        return state.copy()

    def new_game(self, n_players: i64) -> GameState:
        """Return the beginning of another game of the same rules, dealt by the agent's own stream; it costs a copy."""
        self.copies += 1
        self.budget.copies += 1
        state: GameState = self.model.setup(n_players, self.rng)
        return state

    def observation(self, state: GameState, player: i64) -> GameState:
        """Return a copy of ``state`` with all that ``player`` cannot know dealt again."""
        self.copies += 1
        self.budget.copies += 1
        return state.observation(player, self.rng)

    def afterstate(self, state: GameState, action: AnyAction) -> GameState | None:
        """Return the position after the player's part of ``action``, before chance: one call and one copy.

        None, at no cost, where the game cannot tell it, or a budget of calls or copies is spent.
        """
        if self.budget.limits_moves and self.budget.left == 0:
            return None
        after: GameState | None = self.model.afterstate(state, action)
        if after is not None:
            self._charge(1)
        return after

    def resolve_chance(self, afterstate: GameState) -> None:
        """Apply the chance part of a move to its `afterstate`, in place; the call is counted there."""
        self.model.resolve_chance(afterstate, self.rng)

    def outcomes(self, state: GameState, action: AnyAction) -> list[tuple[float, GameState]]:
        """Return the positions that ``action`` can lead to, with their probabilities; each costs a call and a copy.

        Where the game has more than `MOST_OUTCOMES`, `DRAWN_OUTCOMES` are drawn, each as likely; `has_sampled` says so. A
        budget of calls or copies with fewer left is spent, and gives none.
        """
        budget = self.budget
        limit: i64 = MOST_OUTCOMES
        if budget.limits_moves and budget.left < limit:
            limit = budget.left
        outcomes = self.model.outcomes(state, action, limit)
        found = outcomes.all()
        self._charge(outcomes.calls)
        self.has_sampled = False
        if len(found) == 0 and limit == MOST_OUTCOMES:
            self.has_sampled = True
            n_drawn: i64 = DRAWN_OUTCOMES
            if budget.limits_moves and budget.left < n_drawn:
                n_drawn = budget.left
            for _draw in range(n_drawn):
                other = state.copy()
                self.model.next(other, action, self.rng)
                found.append((1.0 / float(n_drawn), other))
            self._charge(n_drawn)
        elif len(found) == 0:
            self._charge(budget.left)
        return found

    def _charge(self, moves: i64) -> None:
        """Count calls with a copy each."""
        self.calls += moves
        self.copies += moves
        self.budget.forward_model_calls += moves
        self.budget.copies += moves

    def random_action(self, state: GameState) -> AnyAction:
        """Return one of the available actions, each as likely."""
        return self.model.random_action(state, self.rng)

    def rollout(self, state: GameState, depth: i64) -> None:
        """Play ``state`` on at random, in place, for ``depth`` actions at most, while the budget allows calls."""
        budget = self.budget
        while depth > 0 and not state.is_terminal:
            allowed = budget.calls_until_question(depth)
            if allowed == 0:
                return
            played = self.model.rollout(state, allowed, self.rng)
            self.calls += played
            budget.count_calls(played)
            if played < allowed:
                return
            depth -= played

    def resolve(self, state: GameState, rng: Rng, player: i64 = -1) -> None:
        """Play ``state`` on at random, in place, until simultaneous choices have happened (`GameState.is_unresolved`).

        Draws come from ``rng``. It ends as well where ``player`` has a choice to make. It costs nothing, as an observation
        deals the choices of those who were asked before for nothing: else who is asked first would pay more for the same.
        """
        while state.is_unresolved() and not state.is_terminal:
            actions = self.available_actions(state)
            if state.current_player == player and len(actions) > 1:
                return
            self.model.next(state, actions[rng.below(len(actions))], self.rng)

    def take_back_cost(self) -> None:
        """Take back the cost of a call and its copy: of a choice beside which others still make theirs, as in `resolve`."""
        self._charge(-1)


# --- agents: programs that decide for a player --------------------------------------------------------------------------


_UNLIMITED: Final = 1 << 60


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass
class SearchParameters(Parameters):
    """Parameters of every agent that searches."""

    budget: int = integer(1000, 1, 1_000_000_000, "search budget per decision", log=True)
    budget_type: str = choice(BUDGET_TYPES[0], BUDGET_TYPES, "unit of the budget; times are in milliseconds")
    heuristic: str = spec_of("heuristic", "game", "what values a position")

    def new_budget(self) -> Budget:
        """Return the budget for a decision.

        Examples:
            >>> SearchParameters(budget=20, budget_type="wall_ms").new_budget().kind
            'wall_ms'
        """
        return Budget(self.budget, self.budget_type)


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
    """

    parameters_class: ClassVar[type[Parameters]] = Parameters
    wants_single_actions: ClassVar[bool] = False
    looks_ahead: ClassVar[bool] = True

    def __init__(self, parameters: Parameters | None = None) -> None:
        """Take the parameters, or the defaults."""
        self.parameters: Parameters = self.parameters_class() if parameters is None else parameters
        self.player: i64 = 0
        self.watched: list[GameState] = []

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

    def isolate(self, memory_mb: int, hang_seconds: float) -> None:
        """Play the next game in a new process, with limits in megabytes (0 for none) and seconds; for `close` to end."""

    def peak_mb(self) -> float:
        """Return the most memory of an isolated agent's process in this game, in megabytes (2**20 bytes); 0 if unknown."""
        return 0.0

    def close(self) -> None:
        """End the process of an isolated agent; nothing by default."""
