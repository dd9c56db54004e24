"""Rolling-horizon evolution: the evaluation of plans against opponents, and the frame that RHEA and RMHC share.

At each decision a population of plans is evaluated, and replaced by better plans while the budget lasts. Then the first
action of the best plan is played.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from tag.agents._simultaneous import SimultaneousChoices
from tag.agents.evolution._plans import Individual, PlanEstimates, open_genes, shifted
from tag.agents.search._simulated import SimulatedAgents, check_simulated
from tag.catalogue.presets import PresetParameters
from tag.catalogue.registry import make_heuristic
from tag.engine.parameters import MoreThan, choice, flag, integer, real, spec_of
from tag.engine.results import ONGOING
from tag.engine.rng import Rng, float_sum
from tag.engine.snapshot import Copyable
from tag.engine.state import AnyAction, GameState, is_among
from tag.engine.values import StateHeuristic
from tag.playing.agent import Agent, Simulator
from tag.playing.search_tree import SearchNode, valued_actions

# --- opponents -------------------------------------------------------------------------------------------------------

_RANDOM: Final = "random"


class Opponents(Copyable):
    """Plays for all but the searching player: at random, or as agents of any spec (`SimulatedAgents`)."""

    def __init__(self, spec: str, budget_type: str) -> None:
        """Take the spec of an agent and the type of the searching agent's budget.

        Raises:
            TagError: the spec, its name or a parameter is wrong.
        """
        self._spec = spec
        self._is_random = spec == _RANDOM
        self.agents = SimulatedAgents()
        if not self._is_random:
            check_simulated("opponent", spec, budget_type)

    _sim: Simulator

    def start_game(self, sim: Simulator, player: i64, observation: GameState) -> None:
        """Seat the opponents of ``player``, whose simulator is ``sim``, for a new game."""
        self._sim = sim
        seats = [] if self._is_random else [seat for seat in range(observation.n_players) if seat != player]
        self.agents.start_game(sim, {int(seat): self._spec for seat in seats}, observation)

    def end_game(self, state: GameState) -> None:
        """Let the agents learn how the game ended."""
        self.agents.end_game(state)

    def act(self, state: GameState, actions: list[AnyAction]) -> AnyAction:
        """Return the action of the current player of ``state``; ``actions`` are those available."""
        if self._is_random:
            rng: Rng = self._sim.rng
            return actions[rng.below(len(actions))]
        return self.agents.act(state, actions)


# --- evaluation ------------------------------------------------------------------------------------------------------

_DISCOUNTED: Final = "discounted"
_DIFFERENCES: Final = "differences"
#: Ways to make a value of positions that weigh each by the discount.
WITH_DISCOUNT: Final = (_DISCOUNTED, _DIFFERENCES)
_EACH: Final = "each"
ONE_STEP: Final = "one_step"
FIRST_PLANS: Final = (_RANDOM, ONE_STEP)

#: Forced steps after an action that are followed at most; a longer chain is valued where it stands.
_LONGEST_CHAIN: Final = 100


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass
class HorizonParameters(PresetParameters):
    """Parameters of agents that plan a sequence of their own actions."""

    horizon: int = integer(10, 1, 30, "own decisions to plan ahead")
    fitness: str = choice(
        _DISCOUNTED,
        (_DISCOUNTED, "final", _DIFFERENCES),
        "value of a plan: the discounted mean over the positions after own actions, the last position's, or the discounted "
        "sum of the differences between successive positions",
        active_if=("horizon", MoreThan(1)),
    )
    discount: float = real(
        0.9,
        0.5,
        1.0,
        "weight of each position, or difference, relative to the one before",
        active_if=("fitness", WITH_DISCOUNT),
    )
    pooling: float = real(
        10.0,
        0.0,
        50.0,
        "evaluations that the mean of all plans with the same first action stands for in the estimate of a plan's value; "
        "0 estimates it by the plan alone, as the thesis does",
    )
    determinisation: str = choice(
        _EACH, ("one", _EACH), "deals of hidden information: one for the decision, or one for each evaluation"
    )
    opponent: str = spec_of("agent", "random", "agent that plays for the others; it uses this agent's budget")


@final
class Evaluation(Copyable):
    """Plays individuals from the position of a decision and values them.

    A gene stands for a decision as the game loop asks for it: a step in which the player has a single action is taken
    without a gene. In between the opponents play. A gene that is not available in its position is replaced, for good, by
    a random available action ("repair"; thesis, section III.B.2).

    The positions right after the player's own actions are valued, those after opponents' actions are not (report,
    section 6.4). The exception is the position in which the game is over for the player: its value counts for the rest
    of the horizon. The value of a plan is the sum of these values, discounted (report), or the last one alone (thesis,
    algorithm 1). It is divided by the sum of the weights, so it stays in the heuristic's range for any horizon. The
    framework in Java sums the discounted differences of successive values instead, from 0 on: the last position weighs most.

    Where others choose at the same time as the player, the positions are valued in which all choices have happened. What
    others choose at the same time as the decision itself is dealt: drawn once, as an observation deals earlier choices.
    A heuristic of afterstates values the positions before the chance of own actions.

    Attributes:
        evaluations: how many individuals have been evaluated in this decision.
        heuristic: values the positions.
        repairs: how many genes were replaced or filled in.
        estimates: the values of the evaluations that count: the first one, and all that the budget did not cut.
    """

    __slots__ = (
        "_actions",
        "_can_cut",
        "_each",
        "_heuristic",
        "_is_valued",
        "_last",
        "_of_afterstates",
        "_opponents",
        "_others",
        "_player",
        "_remaining",
        "_root",
        "_sim",
        "_value",
        "_weights",
        "estimates",
        "evaluations",
        "given_heuristic",
        "repairs",
    )
    _sim: Simulator
    _others: SimultaneousChoices
    _root: GameState
    _actions: list[AnyAction]
    _player: i64
    _last: i64
    _each: bool
    _can_cut: bool
    _of_afterstates: bool
    _is_valued: bool
    _value: float
    _heuristic: StateHeuristic
    evaluations: i64
    repairs: i64

    def __init__(self, parameters: HorizonParameters) -> None:
        """Make the heuristic, the opponents and the weights of the positions."""
        self.given_heuristic = make_heuristic(parameters.heuristic)
        self._opponents = Opponents(parameters.opponent, parameters.budget_type)
        self._weights = position_weights(parameters)
        #: The weight of a position and all after it.
        self._remaining = [float_sum(self._weights[index:]) for index in range(parameters.horizon)]
        self._last = parameters.horizon - 1
        self._each = parameters.determinisation == _EACH
        self._can_cut = False
        self._of_afterstates = False
        #: The value before the chance of the player's last action, if it has one.
        self._is_valued = False
        self._value = 0.0
        self._actions = []
        self._player = 0
        self.evaluations = 0
        self.repairs = 0
        self.estimates = PlanEstimates(parameters.pooling)

    def start_game(self, sim: Simulator, player: i64, observation: GameState) -> None:
        """Prepare for a new game of ``player``."""
        self._sim = sim
        self._player = player
        self._others = SimultaneousChoices(sim)
        self._heuristic = self.given_heuristic.of(sim.model)
        self._of_afterstates = self._heuristic.is_of_afterstates() and sim.model.game_type.chance
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
        self.estimates.start_decision()
        self._others.deal_again()
        # The last copy that a budget allows is spent when its evaluation starts. It must not end that evaluation, unless
        # the evaluation needs more copies.
        budget = self._sim.budget
        self._can_cut = budget.limits_steps or (self._of_afterstates and budget.limits_moves)

    def evaluate(self, individual: Individual) -> bool:
        """Play ``individual``, repair it, count the value found, and say whether the budget sufficed.

        Costs one iteration, one copy (of the root or, dealt anew, of its observation) and at least one forward-model
        call, which must be left; with a heuristic of afterstates a copy more for each own action. If the budget ends
        first, the position reached counts for the rest of the horizon.
        """
        sim = self._sim
        state = self._deal()
        actions = self._actions
        value = 0.0
        complete = True
        index: i64 = 0
        while True:
            state = self._after(state, self._gene(individual.genes, index, actions))
            individual.used = index + 1
            if not self._resolve(state, index == 0):
                complete = self._is_over(state)
                break
            if index == self._last or self._is_over(state):
                break
            weight: float = self._weights[index]
            if weight > 0.0:
                value += weight * self._worth(state)
            index += 1
            actions = self._advance(state)
            if len(actions) == 0 or self._is_cut():
                complete = self._is_over(state)
                break
        rest: float = self._remaining[index]
        value += rest * self._worth(state)
        individual.tie = sim.rng.next32()
        sim.budget.iterations += 1
        self.evaluations += 1
        if complete or self.evaluations == 1:
            self.estimates.add(individual, value)
        return complete

    def best_actions(self, count: i64) -> list[Individual]:
        """Return plans that begin with the ``count`` actions after which the position is best, the best first.

        All are valued in the deal of the decision, after the forced steps that follow, up to the next choice, as by `osla`.
        Each costs an iteration, a copy and at least one call, which must be left for the first; if the budget ends before,
        some actions are left out, starting from a random one.
        """
        sim = self._sim
        start = sim.rng.below(len(self._actions))
        found: list[Individual] = []
        for action in self._actions[start:] + self._actions[:start]:
            state = self._after(sim.copy(self._root), action)
            self._take_forced_steps(state)
            plan = Individual([action, *open_genes(self._last)])
            plan.used = 1
            plan.fitness = self._worth(state)
            plan.tie = sim.rng.next32()
            found.append(plan)
            sim.budget.iterations += 1
            if sim.budget.is_spent():
                break
        found.sort()
        return found[:count]

    def _take_forced_steps(self, state: GameState) -> None:
        """Play ``state`` on, in place, to the next real choice, the end, or the end of the budget."""
        sim = self._sim
        for _i in range(_LONGEST_CHAIN):
            self._others.resolve(state, self._player)
            if self._is_valued or self._is_over(state) or self._is_cut():
                return
            actions = sim.available_actions(state)
            if len(actions) != 1:
                return
            sim.next(state, actions[0])

    def figures(self) -> list[dict[str, object]]:
        """Return for each action of the decision its value and visits (`PlanEstimates`)."""
        known = self.estimates
        return [
            {"action": str(action), "value": known.value(action), "visits": known.visits(action)}
            for action in self._actions
        ]

    def tree(self, choice: AnyAction) -> SearchNode:
        """Return the actions of the decision with the same figures, ``choice`` first."""
        values = [self.estimates.value(action) for action in self._actions]
        visits: list[int | None] = [self.estimates.visits(action) for action in self._actions]
        return valued_actions(self._player, choice, self._actions, values, visits)

    def _gene(self, genes: list[AnyAction], index: i64, actions: list[AnyAction]) -> AnyAction:
        """Return the gene, repaired where it is not among ``actions``."""
        gene = genes[index]
        if is_among(gene, actions):
            return gene
        gene = actions[self._sim.rng.below(len(actions))]
        genes[index] = gene
        self.repairs += 1
        return gene

    def _deal(self) -> GameState:
        """Return the position in which a plan begins: a copy of the root, or another deal of its hidden information."""
        if not self._each:
            return self._sim.copy(self._root)
        self._others.deal_again()
        return self._sim.observation(self._root, self._player)

    def _after(self, state: GameState, action: AnyAction) -> GameState:
        """Return the position after an own action; with a heuristic of afterstates, note the value before chance."""
        sim = self._sim
        self._is_valued = False
        after = sim.afterstate(state, action) if self._of_afterstates else None
        if after is None:
            sim.next(state, action)
            return state
        self._value = self._heuristic.value(after, self._player)
        sim.resolve_chance(after)
        self._is_valued = not after.is_unresolved()
        return after

    def _worth(self, state: GameState) -> float:
        """Return the value of the player's last action, by the position ``state`` reached or the one before chance."""
        if self._is_valued and not self._is_over(state):
            return self._value
        return self._heuristic.value(state, self._player)

    def _resolve(self, state: GameState, is_first: bool) -> bool:
        """Play the choices that others make at the same time as the player, and say whether the budget sufficed."""
        if is_first:
            self._others.resolve(state, self._player)
            return True
        return not state.is_unresolved() or len(self._advance(state, True)) > 0 or not state.is_unresolved()

    def _advance(self, state: GameState, only_unresolved: bool = False) -> list[AnyAction]:
        """Play up to the player's next choice and return its actions; none if the game or the budget is over first.

        With ``only_unresolved`` it also ends, with none, once the choices that are made at the same time have happened.
        """
        sim = self._sim
        player = self._player
        while not self._is_over(state) and (state.is_unresolved() or not only_unresolved):
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
    discount = parameters.discount
    powers = [discount**index for index in range(horizon)]
    if parameters.fitness == _DIFFERENCES:
        # A value enters twice: as the end of a difference, and less as the beginning of the next, which is discounted more.
        return [power * (1.0 - discount) for power in powers[:-1]] + powers[-1:]
    if parameters.fitness != _DISCOUNTED:
        return [0.0] * (horizon - 1) + [1.0]
    total = float_sum(powers)
    return [power / total for power in powers]


# --- the frame -------------------------------------------------------------------------------------------------------


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass
class EvolutionParameters(HorizonParameters):
    """Parameters of agents that evolve their plans."""

    first_plans: str = choice(
        _RANDOM,
        FIRST_PLANS,
        "plans with which a decision starts: all at random, as in the thesis, or with the actions that are best one step "
        "ahead (one_step) and the rest at random",
    )
    shift_buffer: bool = flag(
        False,
        "start each decision from the previous plans, without the action played",
        active_if=("horizon", MoreThan(1)),
    )


@mypyc_attr(allow_interpreted_subclasses=True)
class EvolutionAgent(Agent):
    """The frame of evolving plans; an agent defines the size of its population and the next generation.

    The population is sorted, the best first; ties are in random order.
    """

    parameters_class = EvolutionParameters

    def __init__(self, parameters: EvolutionParameters | None = None) -> None:
        """Take the parameters, or the defaults."""
        chosen = EvolutionParameters() if parameters is None else parameters
        super().__init__(chosen)
        self._given = chosen
        self._settings = chosen
        self.evaluation = Evaluation(chosen)
        self.population_size: i64 = 1
        self.horizon: i64 = 1
        self._keeps_plans = False
        self._looks_ahead = False
        self.play_by(chosen)
        self._plans: list[list[AnyAction]] = []
        self._generations: i64 = 0
        self._best_fitness = 0.0
        self._best_plan: list[AnyAction] = []

    # --- for an agent to implement ----------------------------------------------------------------------------------

    def next_generation(self, population: list[Individual]) -> list[Individual]:
        """Return the generation after ``population``, sorted, after at least one evaluation."""
        raise NotImplementedError

    def play_by(self, parameters: EvolutionParameters) -> None:
        """Take the values of ``parameters``: those given, or from `start_game` on those that are tuned for the game."""
        self.horizon = parameters.horizon
        self._keeps_plans = parameters.shift_buffer and parameters.horizon > 1
        self._looks_ahead = parameters.first_plans == ONE_STEP

    # --- the frame --------------------------------------------------------------------------------------------------

    def use_heuristic(self, heuristic: StateHeuristic) -> None:
        """Value positions by ``heuristic`` from the next game on."""
        self.evaluation.given_heuristic = heuristic

    def start_game(self, observation: GameState) -> None:
        """Forget the last game's plans."""
        self._plans = []
        settings = self._given.in_game(self.sim.model)
        if settings != self._settings:
            heuristic = self.evaluation.given_heuristic
            self._settings = settings
            self.evaluation = Evaluation(settings)
            self.evaluation.given_heuristic = heuristic
            self.play_by(settings)
        self.evaluation.start_game(self.sim, self.player, observation)

    def end_game(self, state: GameState) -> None:
        """Pass the final state on to the opponents."""
        self.evaluation.end_game(state)

    def act(self, observation: GameState, actions: list[AnyAction]) -> AnyAction:
        """Evolve plans while the budget lasts and return the first action of the best.

        >>> from tag import Game, make_agent, make_game
        >>> agents = [make_agent("rhea:budget=60,horizon=3"), make_agent("random")]
        >>> game = Game(make_game("tic_tac_toe"), agents, seed=1)
        >>> print(game.play())
        X O .
        . X .
        O . X
        """
        budget = self.sim.budget
        self._generations = 0
        self._best_fitness = 0.0
        self._best_plan = []
        self.evaluation.start_decision(observation, actions)
        if budget.is_spent():
            return self.sim.rng.choice(actions)
        population = self._first_generation()
        while not budget.is_spent():
            population = self.next_generation(population)
            self._generations += 1
        best = population[0]
        if self._keeps_plans:
            self._plans = [shifted(individual.genes) for individual in population]
        self._best_fitness = best.fitness
        self._best_plan = best.genes[: best.used]
        return best.genes[0]

    def _first_generation(self) -> list[Individual]:
        """Return evaluated plans, as many as the budget allows, but at most as many as the population has; one at least.

        A budget that ends with the look ahead leaves the best action, as a plan that has not been evaluated.
        """
        budget = self.sim.budget
        best = self.evaluation.best_actions(self.population_size) if self._looks_ahead else []
        if best and budget.is_spent():
            return best[:1]
        population: list[Individual] = []
        for individual in self._first_plans(best):
            # A plan that the budget cut short cannot be compared with others, but is better than none.
            if self.evaluation.evaluate(individual) or self.evaluation.evaluations == 1:
                population.append(individual)
            if budget.is_spent():
                break
        self.evaluation.estimates.rank(population)
        return population[: self.population_size]

    def _first_plans(self, best: list[Individual]) -> list[Individual]:
        """Return plans to evaluate: the last decision's, those that begin with the best actions, and random ones."""
        found = [Individual(genes) for genes in self._plans] + best
        while len(found) < self.population_size:
            found.append(Individual(open_genes(self.horizon)))
        return found

    def statistics(self) -> Mapping[str, object]:
        """Return figures of the last decision: evaluations, cost, and the best plan with its fitness.

        The value of an action is the mean over the plans that begin with it, shrunk to that over all plans; without pooling
        it is the best plan's. Its visits are the evaluations of these plans.
        """
        budget = self.sim.budget
        return {
            "generations": int(self._generations),
            "evaluations": int(self.evaluation.evaluations),
            "repairs": int(self.evaluation.repairs),
            "forward_model_calls": int(budget.forward_model_calls),
            "copies": int(budget.copies),
            "best_fitness": self._best_fitness,
            "best_plan": [str(action) for action in self._best_plan],
            "actions": self.evaluation.figures(),
        }

    def search_tree(self, least_visits: int = 1, most_nodes: int = 2000) -> SearchNode | None:
        """Return the actions of the last decision, with the best plan below the first.

        The value of an action is the mean over the plans that begin with it, shrunk to that over all plans; without pooling
        it is the best plan's. Its visits are the evaluations of these plans. The nodes below have the fitness of the best
        plan, which has the player's own actions only, without what others do in between.
        """
        plan = self._best_plan
        if not plan:
            return None
        root = self.evaluation.tree(plan[0])
        node = root.children[0]
        for action in plan[1:]:
            following = SearchNode(action, int(self.player), value=self._best_fitness)
            node.children.append(following)
            node = following
        return root
