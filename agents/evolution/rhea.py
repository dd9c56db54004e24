"""The rolling-horizon evolutionary algorithm.

Sources: General game playing within modern tabletop games through rolling horizon evolutionary algorithms (thesis),
algorithm 1 and table I; Gaina et al.: Analysis of vanilla rolling horizon evolution parameters in general video game
playing (2017). `Rhea` describes the choices where algorithm 1 is silent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from mypy_extensions import i64

from tag.agents.evolution._evolution import (
    FIRST_PLANS,
    ONE_STEP,
    WITH_DISCOUNT,
    EvolutionAgent,
    EvolutionParameters,
)
from tag.agents.evolution._operators import (
    CROSSOVERS,
    N_POINT,
    SELECTIONS,
    TOURNAMENT,
    UNIFORM,
    Crossover,
    Selection,
    make_crossover,
    make_selection,
    open_some,
)
from tag.agents.evolution._plans import Individual
from tag.engine.parameters import choice, integer, real
from tag.errors import ParameterError


@dataclass
class RheaParameters(EvolutionParameters):
    """Parameters of table I of the thesis, and choices that algorithm 1 leaves open."""

    horizon: int = integer(5, 1, 30, "own decisions to plan ahead; the thesis has 10")
    discount: float = real(
        0.7,
        0.5,
        1.0,
        "weight of each position, or difference, relative to the one before; the thesis has 0.9",
        active_if=("fitness", WITH_DISCOUNT),
    )
    first_plans: str = choice(
        ONE_STEP,
        FIRST_PLANS,
        "plans with which a decision starts: all at random, as in the thesis, or with the actions that are best one step "
        "ahead (one_step) and the rest at random",
    )
    population_size: int = integer(10, 6, 20, "plans that survive a generation")
    offspring_count: int = integer(10, 1, 20, "new plans per generation")
    elite_count: int = integer(
        1, 1, 6, "best plans that always survive, beside their places among all; below population_size"
    )
    crossover: str = choice(UNIFORM, CROSSOVERS, "method of combining the genes of two parents; none copies the first")
    crossover_points: int = integer(1, 1, 6, "changes between the parents", active_if=("crossover", (N_POINT,)))
    selection: str = choice(TOURNAMENT, SELECTIONS, "method of choosing parents")
    tournament_size: int = integer(
        5, 1, 20, "plans that compete to be a parent; at most population_size", active_if=("selection", (TOURNAMENT,))
    )
    mutation_count: int = integer(1, 0, 10, "genes of a new plan that are drawn anew")

    def check(self) -> None:
        """Compare the elite and the tournament with the population."""
        size = self.population_size
        if self.elite_count >= size:
            raise ParameterError(
                f"elite_count cannot be {self.elite_count} with population_size {size}, which would never change;"
                f" the nearest value is {size - 1}"
            )
        if self.selection == TOURNAMENT and self.tournament_size > size:
            raise ParameterError(
                f"tournament_size cannot be {self.tournament_size} with population_size {size};"
                f" the nearest value is {size}"
            )


class Rhea(EvolutionAgent):
    """Evolves a population of plans by selection, crossover and mutation.

    A generation keeps the elite, makes ``offspring_count`` new plans, and fills up with the best of these and of all old
    ones, as in algorithm 1. So the elite may be there twice, and is chosen as parents more often.

    Plans are ranked by pooled estimates of their values, and each is tried in a deal of its own, so that chance and hidden
    information count as they are on average. The first plans begin with the actions that are best one step ahead. Algorithm
    1 itself, which ranks by single values in one deal, from random plans, is
    ``pooling=0,determinisation=one,first_plans=random``, in the thesis with ``horizon=10,discount=0.9``.
    """

    parameters_class = RheaParameters
    _offspring: i64
    _elite: i64
    _mutations: i64
    _selection: Selection
    _crossover: Crossover

    def __init__(self, parameters: RheaParameters | None = None) -> None:
        """Take the parameters, or the defaults."""
        super().__init__(RheaParameters() if parameters is None else parameters)

    def play_by(self, parameters: EvolutionParameters) -> None:
        """Take the sizes and the operators as well."""
        super().play_by(parameters)
        chosen = cast("RheaParameters", parameters)
        self.population_size = chosen.population_size
        self._offspring = chosen.offspring_count
        self._elite = chosen.elite_count
        self._mutations = chosen.mutation_count
        self._selection = make_selection(chosen.selection, chosen.tournament_size)
        self._crossover = make_crossover(chosen.crossover, chosen.crossover_points)

    def next_generation(self, population: list[Individual]) -> list[Individual]:
        """Return the elite with the best of all old plans and of the offspring."""
        pool = population + self._evaluated_offspring(population)
        self.evaluation.estimates.rank(population)
        self.evaluation.estimates.rank(pool)
        elite = population[: self._elite]
        survivors = elite + pool[: self.population_size - len(elite)]
        survivors.sort()
        return survivors

    def _evaluated_offspring(self, population: list[Individual]) -> list[Individual]:
        """Return as many children as the budget allows; one that it cut short is dropped."""
        budget = self.sim.budget
        parents = self._selection.select(population, 2 * self._offspring, self.sim.rng)
        offspring: list[Individual] = []
        for index in range(self._offspring):
            child = self._child(parents[2 * index], parents[2 * index + 1])
            if self.evaluation.evaluate(child):
                offspring.append(child)
            if budget.is_spent():
                break
        return offspring

    def _child(self, first: Individual, second: Individual) -> Individual:
        """Return the mutated child of two parents, varied in the genes that their evaluations reached."""
        used = first.used if first.used > second.used else second.used
        genes = self._crossover.cross(first.genes, second.genes, used, self.sim.rng)
        open_some(genes, used, self._mutations, self.sim.rng)
        return Individual(genes)
