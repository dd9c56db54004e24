"""Evaluation: the value of a sequence of a player's own actions, by playing it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from agents._individual import Individual
from agents._opponents import Opponents
from tag.catalogue.registry import make_heuristic
from tag.engine.action import AnyAction, is_among
from tag.engine.parameters import choice, integer, real, spec_of
from tag.engine.results import ONGOING
from tag.engine.state import GameState
from tag.playing.agent import SearchParameters, Simulator

_DISCOUNTED: Final = "discounted"
_EACH: Final = "each"


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass
class HorizonParameters(SearchParameters):
    """Parameters of agents that plan a sequence of their own actions."""

    horizon: int = integer(10, 1, 30, "own decisions to plan ahead")
    fitness: str = choice(
        _DISCOUNTED,
        (_DISCOUNTED, "final"),
        "value of a plan: the discounted mean over the positions after own actions, or the last position's",
    )
    discount: float = real(
        0.9, 0.5, 1.0, "weight of each position relative to the one before", active_if=("fitness", (_DISCOUNTED,))
    )
    determinisation: str = choice(
        "one", ("one", _EACH), "deals of hidden information: one for the decision, or one for each evaluation"
    )
    opponent: str = spec_of("agent", "random", "agent that plays for the others; it uses this agent's budget")


@final
class Evaluation:
    """Plays individuals from the position of a decision and sets their fitness.

    A gene stands for a decision as the game loop asks for it: a step in which the player has a single action is taken
    without a gene. In between the opponents play. A gene that is not available in its position is replaced, for good, by
    a random available action ("repair"; thesis, section III.B.2).

    The positions right after the player's own actions are valued, those after opponents' actions are not (report,
    section 6.4). The exception is the position in which the game is over for the player: its value counts for the rest
    of the horizon. The fitness is the sum of these values, discounted (report), or the last one alone (thesis,
    algorithm 1). It is divided by the sum of the weights, so it stays in the heuristic's range for any horizon.

    Attributes:
        evaluations: how many individuals have been evaluated in this decision.
        repairs: how many genes were replaced or filled in.
    """

    __slots__ = (
        "_actions",
        "_can_cut",
        "_each",
        "_heuristic",
        "_last",
        "_opponents",
        "_player",
        "_remaining",
        "_root",
        "_sim",
        "_weights",
        "evaluations",
        "repairs",
    )
    _sim: Simulator
    _root: GameState
    _actions: list[AnyAction]
    _player: i64
    _last: i64
    _each: bool
    _can_cut: bool
    evaluations: i64
    repairs: i64

    def __init__(self, parameters: HorizonParameters) -> None:
        """Make the heuristic, the opponents and the weights of the positions."""
        self._heuristic = make_heuristic(parameters.heuristic)
        self._opponents = Opponents(parameters.opponent, parameters.budget_type)
        self._weights = position_weights(parameters)
        #: The weight of a position and all after it.
        self._remaining = [sum(self._weights[index:]) for index in range(parameters.horizon)]
        self._last = parameters.horizon - 1
        self._each = parameters.determinisation == _EACH
        self._can_cut = False
        self._player = 0
        self.evaluations = 0
        self.repairs = 0

    def start_game(self, sim: Simulator, player: i64, observation: GameState) -> None:
        """Prepare for a new game of ``player``."""
        self._sim = sim
        self._player = player
        self._opponents.start_game(sim, player, observation)

    def end_game(self, state: GameState) -> None:
        """Let the opponents learn how the game ended."""
        self._opponents.end_game(state)

    def start_decision(self, root: GameState, actions: list[AnyAction]) -> None:
        """Evaluate from ``root`` from now on, where ``actions`` are available."""
        self._root = root
        self._actions = actions
        self.evaluations = 0
        self.repairs = 0
        # The last copy that a budget allows is spent when its evaluation starts. It must not end that evaluation.
        self._can_cut = self._sim.budget.limits_steps

    def evaluate(self, individual: Individual) -> bool:
        """Play ``individual``, repair it, set its fitness, and say whether the budget sufficed.

        Costs one iteration, one copy (of the root or, dealt anew, of its observation) and at least one forward-model
        call, which must be left. If the budget ends first, the position reached counts for the rest of the horizon.
        """
        sim = self._sim
        heuristic = self._heuristic
        player = self._player
        state = sim.observation(self._root, player) if self._each else sim.copy(self._root)
        actions = self._actions
        fitness = 0.0
        complete = True
        index: i64 = 0
        while True:
            sim.next(state, self._gene(individual.genes, index, actions))
            individual.used = index + 1
            if index == self._last or self._is_over(state):
                break
            weight: float = self._weights[index]
            if weight > 0.0:
                fitness += weight * heuristic.value(state, player)
            index += 1
            actions = self._advance(state)
            if len(actions) == 0 or self._is_cut():
                complete = self._is_over(state)
                break
        rest: float = self._remaining[index]
        individual.fitness = fitness + rest * heuristic.value(state, player)
        individual.tie = sim.rng.next32()
        sim.budget.iterations += 1
        self.evaluations += 1
        return complete

    def _gene(self, genes: list[AnyAction], index: i64, actions: list[AnyAction]) -> AnyAction:
        """Return the gene, repaired where it is not among ``actions``."""
        gene = genes[index]
        if is_among(gene, actions):
            return gene
        gene = actions[self._sim.rng.below(len(actions))]
        genes[index] = gene
        self.repairs += 1
        return gene

    def _advance(self, state: GameState) -> list[AnyAction]:
        """Play up to the player's next choice and return its actions; none if the game or the budget is over first."""
        sim = self._sim
        player = self._player
        while not self._is_over(state):
            actions = sim.available_actions(state)
            if len(actions) == 1:
                action = actions[0]
            elif state.current_player == player:
                return actions
            else:
                action = self._opponents.act(state, actions)
            if self._is_cut():
                break
            sim.next(state, action)
        return []

    def _is_over(self, state: GameState) -> bool:
        """Say whether the player has no decisions left: the game is over, or the player is out of it."""
        return state.is_terminal or state.result(self._player) != ONGOING

    def _is_cut(self) -> bool:
        """Say whether the budget ends the evaluation here."""
        return self._can_cut and self._sim.budget.is_spent()


def position_weights(parameters: HorizonParameters) -> list[float]:
    """Return the weight of the position after each own action of the horizon; they sum to one."""
    horizon = parameters.horizon
    if parameters.fitness != _DISCOUNTED:
        return [0.0] * (horizon - 1) + [1.0]
    discount = parameters.discount
    powers = [discount**index for index in range(horizon)]
    total = sum(powers)
    return [power / total for power in powers]
