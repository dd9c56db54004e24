"""Agents, broken in one way each: what the checks of agents are for.

The class attribute ``caught_by`` names the check that must see it.
"""

from __future__ import annotations

import random  # noqa: TID251  the breach of one of the agents
from dataclasses import dataclass

from tag import DO_NOTHING, Agent, Parameters, Rng, SearchParameters, integer


class Intact(Agent):
    """Nothing broken: a search of all that the budget allows."""

    caught_by = ""
    parameters_class = SearchParameters

    def act(self, observation, actions):
        while not self.sim.budget.is_spent():
            state = self.sim.observation(observation, self.player)
            if state.is_terminal:
                break
            self.sim.rollout(state, 10)
        return actions[self.sim.rng.below(len(actions))]


class IllegalAction(Agent):
    caught_by = "agent_plays"

    def act(self, observation, actions):
        return DO_NOTHING


class Crashes(Agent):
    caught_by = "agent_plays"

    def act(self, observation, actions):
        return actions[len(actions)]


class UsesGlobalRandom(Agent):
    caught_by = "agent_repeats"

    def act(self, observation, actions):
        return random.choice(actions)


class KeepsSomething(Agent):
    caught_by = "agent_repeats"
    decisions = 0

    def act(self, observation, actions):
        self.decisions += 1
        return actions[self.decisions % len(actions)]

    def start_game(self, observation):
        """Forget to reset the count."""


class DependsOnHashes(Agent):
    caught_by = "agent_other_process"

    def act(self, observation, actions):
        return actions[hash(f"{observation} {observation.tick} {self.player}") % len(actions)]


class Overspends(Agent):
    caught_by = "agent_budget"
    parameters_class = SearchParameters

    def act(self, observation, actions):
        for action in actions:
            for _try in range(20):
                self.sim.next(self.sim.copy(observation), action)
        return actions[0]


class EvadesTheCount(Agent):
    caught_by = "agent_budget"
    parameters_class = SearchParameters

    def act(self, observation, actions):
        self.sim.model.next(observation.copy(), actions[0], Rng(1))
        return actions[0]


class LeavesAnActionOut(Agent):
    caught_by = "agent_statistics"

    def act(self, observation, actions):
        self.offered = actions
        return actions[0]

    def statistics(self):
        return {"actions": [{"action": str(action), "value": 0.0} for action in self.offered[1:]]}


class NamesOtherActions(LeavesAnActionOut):
    def statistics(self):
        return {"actions": [{"action": repr(action), "value": None} for action in self.offered]}


class HasTextForValues(LeavesAnActionOut):
    def statistics(self):
        return {"actions": [{"action": str(action), "value": "good"} for action in self.offered]}


class TellsNoMapping(LeavesAnActionOut):
    def statistics(self):
        return [str(action) for action in self.offered]


@dataclass
class _MuteParameters(Parameters):
    depth: int = integer(3, 1, 5, "")


class DoesNotSayWhatItMeans(Agent):
    caught_by = "agent_parameters_declared"
    parameters_class = _MuteParameters

    def act(self, observation, actions):
        return actions[0]


@dataclass
class _WideParameters(Parameters):
    choice: int = integer(0, 0, 9, "which action to take")


class CrashesInItsRange(Agent):
    caught_by = "agent_parameters_playable"
    parameters_class = _WideParameters

    def act(self, observation, actions):
        return actions[self.parameters.choice]
