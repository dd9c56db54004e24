"""Rolling-horizon evolution: the frame that RHEA and RMHC share.

At each decision a population of plans is evaluated, and replaced by better plans while the budget lasts. Then the first
action of the best plan is played.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mypy_extensions import i64, mypyc_attr

from agents._evaluation import Evaluation, HorizonParameters
from agents._individual import Individual, open_genes, shifted
from tag.engine.action import AnyAction
from tag.engine.parameters import flag
from tag.engine.state import GameState
from tag.playing.agent import Agent


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass
class EvolutionParameters(HorizonParameters):
    """Parameters of agents that evolve their plans."""

    shift_buffer: bool = flag(False, "start each decision from the previous plans, without the action played")


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
        self.evaluation = Evaluation(chosen)
        self.population_size: i64 = 1
        self.horizon: i64 = chosen.horizon
        self._keeps_plans: bool = chosen.shift_buffer
        self._plans: list[list[AnyAction]] = []
        self._generations: i64 = 0
        self._best_fitness = 0.0
        self._best_plan: list[AnyAction] = []

    # --- for an agent to implement ----------------------------------------------------------------------------------

    def next_generation(self, population: list[Individual]) -> list[Individual]:
        """Return the generation after ``population``, sorted, after at least one evaluation."""
        raise NotImplementedError

    # --- the frame --------------------------------------------------------------------------------------------------

    def start_game(self, observation: GameState) -> None:
        """Forget the last game's plans."""
        self._plans = []
        self.evaluation.start_game(self.sim, self.player, observation)

    def end_game(self, state: GameState) -> None:
        """Pass the final state on to the opponents."""
        self.evaluation.end_game(state)

    def act(self, observation: GameState, actions: list[AnyAction]) -> AnyAction:
        """Evolve plans while the budget lasts and return the first action of the best."""
        budget = self.sim.budget
        self._generations = 0
        if budget.is_spent():
            return self.sim.rng.choice(actions)
        self.evaluation.start_decision(observation, actions)
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
        """Return evaluated plans, the last decision's or random ones: as many as the budget allows."""
        plans = self._plans
        population: list[Individual] = []
        for index in range(self.population_size):
            genes = plans[index] if index < len(plans) else open_genes(self.horizon)
            individual = Individual(genes)
            # A plan that the budget cut short cannot be compared with others, but is better than none.
            if self.evaluation.evaluate(individual) or index == 0:
                population.append(individual)
            if self.sim.budget.is_spent():
                break
        population.sort()
        return population

    def statistics(self) -> Mapping[str, object]:
        """Return figures of the last decision: evaluations, cost, the best plan and its fitness."""
        budget = self.sim.budget
        return {
            "generations": int(self._generations),
            "evaluations": int(self.evaluation.evaluations),
            "repairs": int(self.evaluation.repairs),
            "forward_model_calls": int(budget.forward_model_calls),
            "copies": int(budget.copies),
            "best_fitness": self._best_fitness,
            "best_plan": [str(action) for action in self._best_plan],
        }
