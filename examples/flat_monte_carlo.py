"""Flat Monte Carlo: tries each action in turn, plays on at random, takes the best on average."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from tag import Agent, AnyAction, GameState, SearchParameters, integer, make_heuristic


@dataclass
class FlatMonteCarloParameters(SearchParameters):
    """Parameters besides the budget and the heuristic."""

    rollout: int = integer(50, 0, 1000, "actions at most after the one that is tried")


class FlatMonteCarlo(Agent):
    """Averages the heuristic at the end of random rollouts."""

    parameters_class = FlatMonteCarloParameters
    parameters: FlatMonteCarloParameters

    def act(self, observation: GameState, actions: list[AnyAction]) -> AnyAction:
        """Share the budget between the actions."""
        sim = self.sim
        heuristic = make_heuristic(self.parameters.heuristic).of(sim.model)
        totals = [0.0] * len(actions)
        tries = [0] * len(actions)
        while not sim.budget.is_spent():
            index = sum(tries) % len(actions)
            state = sim.observation(observation, self.player)
            sim.next(state, actions[index])
            sim.rollout(state, self.parameters.rollout)
            totals[index] += heuristic.value(state, self.player)
            tries[index] += 1
            sim.budget.iterations += 1
        means = [totals[i] / tries[i] if tries[i] else -inf for i in range(len(actions))]
        self.figures = [
            {"action": str(actions[i]), "value": means[i] if tries[i] else None, "visits": tries[i]}
            for i in range(len(actions))
        ]
        return actions[means.index(max(means))]

    def statistics(self) -> dict[str, object]:
        """Tell the mean and the number of tries of each action."""
        return {"actions": self.figures}
