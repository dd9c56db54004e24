"""Random mutation hill climbing: rolling-horizon evolution with one plan and no crossover.

Source: Gaina, Balla, Dockhorn, Montoliu, Perez-Liebana: TAG: a tabletop games framework (2020), section 6.4, where it
stands under the name RHEA; later work on the framework uses this name.
"""

from __future__ import annotations

from tag.agents.evolution._evolution import EvolutionAgent, Individual
from tag.agents.evolution._operators import open_tail


class Rmhc(EvolutionAgent):
    """Changes the best plan from a random decision on to its end, and keeps the new plan if it is not worse."""

    def next_generation(self, population: list[Individual]) -> list[Individual]:
        """Mutate the one individual and keep the better of the two."""
        parent = population[0]
        child = Individual(open_tail(parent.genes, parent.used, self.sim.rng))
        if self.evaluation.evaluate(child) and child.fitness >= parent.fitness:
            return [child]
        return population
