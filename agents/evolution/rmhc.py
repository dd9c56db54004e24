"""Random mutation hill climbing: rolling-horizon evolution with one plan and no crossover.

Source: Gaina, Balla, Dockhorn, Montoliu, Perez-Liebana: TAG: a tabletop games framework (2020), section 6.4, where it
stands under the name RHEA; later work on the framework uses this name.
"""

from __future__ import annotations

from tag.agents.evolution._evolution import EvolutionAgent
from tag.agents.evolution._operators import open_tail
from tag.agents.evolution._plans import Individual


class Rmhc(EvolutionAgent):
    """Changes the best plan from a random decision on to its end, and keeps the new plan if it is not worse.

    Both are compared by pooled estimates, as in `tag.agents.evolution.rhea`; by single values in one deal, as in the source,
    with ``pooling=0,determinisation=one``.
    """

    def next_generation(self, population: list[Individual]) -> list[Individual]:
        """Mutate the one individual and keep the better of the two."""
        parent = population[0]
        child = Individual(open_tail(parent.genes, parent.used, self.sim.rng))
        if not self.evaluation.evaluate(child):
            return population
        self.evaluation.estimates.rank([parent, child])
        return [child] if child.fitness >= parent.fitness else population
