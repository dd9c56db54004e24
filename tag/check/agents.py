"""Checks of agents."""

from __future__ import annotations

from dataclasses import replace

from tag.agent import Agent
from tag.check.agent_check import AgentCheck, AgentSubject, play, play_watched, with_budget
from tag.check.other_process import traces_elsewhere
from tag.check.parameters import check_declaration, check_sentence
from tag.check.report import Where
from tag.check.traces import check_same, digest
from tag.errors import ContractError, ParameterError
from tag.playing import GameOrder
from tag.registry import make_agent
from tag.rng import Rng, derive_seed
from tag.spec import Spec, parse_spec

#: Budgets in forward-model calls: a small one, one that suffices for a little search, and the least.
_BUDGET = 30
_TIGHT = (1, 2, 7)

#: How many random parameters are played with.
_SAMPLES = 6


class AgentPlays(AgentCheck):
    """An agent is for every game."""

    name = "agent_plays"
    text = "it chooses available actions only, in every game, with the fewest and the most players"

    def run(self, subject: AgentSubject) -> None:
        """Play everywhere."""
        for where in subject.places(subject.with_budget(_BUDGET)):
            self.where = where
            play(where)


class AgentRepeats(AgentCheck):
    """A ledger row can be played again."""

    name = "agent_repeats"
    text = "the same seed gives the same game again, whatever the agent played before"

    def run(self, subject: AgentSubject) -> None:
        """Play a game with new agents, and again with agents that have just played another one."""
        for where in subject.places(subject.with_budget(_BUDGET)):
            self.where = where
            first = play(where)
            check_same(first, play(where), "played twice with one seed (is there randomness not from sim.rng?)")
            used: list[Agent] = [make_agent(agent) for agent in where.agents]
            play(replace(where, seed=where.seed + 1), used)
            check_same(first, play(where, used), "with new agents and with used ones (does something stay?)")


class AgentOtherProcess(AgentCheck):
    """Workers are other processes."""

    name = "agent_other_process"
    text = "another process, with another hash seed, plays the same games"

    def run(self, subject: AgentSubject) -> None:
        """Compare traces."""
        places = subject.places(subject.with_budget(_BUDGET))
        orders = [GameOrder("check", where.game, where.agents, where.seed) for where in places]
        for where, there in zip(places, traces_elsewhere(orders), strict=True):
            self.where = where
            if digest(play(where)) != there:
                raise ContractError("another process plays another game (does an order come from a set, or from id()?)")


class AgentBudget(AgentCheck):
    """Comparisons at equal budgets need equal budgets."""

    name = "agent_budget"
    text = "it looks ahead through sim only, never beyond its budget, and leaves the game's own state alone"

    def run(self, subject: AgentSubject) -> None:
        """Play with tight budgets."""
        for number, table in enumerate(subject.tables):
            for budget in (_TIGHT[number % len(_TIGHT)], _BUDGET):
                self.where = subject.where(table, subject.with_budget(budget), subject.seed)
                play_watched(self.where)


class AgentParametersDeclared(AgentCheck):
    """A tuner searches, JSON keeps and people type what is declared."""

    name = "agent_parameters_declared"
    text = "parameters have valid defaults and a meaning, and survive JSON, specs and pickles"

    def run(self, subject: AgentSubject) -> None:
        """Look at the declaration, the defaults and random values."""
        check_declaration(make_agent(subject.spec).parameters_class, subject.seed)


class AgentParametersPlayable(AgentCheck):
    """Whatever is in range can be played, or is refused with a sentence."""

    name = "agent_parameters_playable"
    text = "agents with random parameters in their ranges can play"

    def run(self, subject: AgentSubject) -> None:
        """Play games with random parameters, at each table in turn."""
        cls = make_agent(subject.spec).parameters_class
        name = parse_spec(subject.spec).name
        for number in range(_SAMPLES if cls.dimensions() else 0):
            seed = derive_seed(subject.seed, "parameters", number)
            spec = str(Spec(name, dict(cls.sample(Rng(seed)).changes())))
            try:
                table = subject.tables[number % len(subject.tables)]
                agent = with_budget(spec, _BUDGET)
                self.where = Where(table[0], (agent,) * table[1], seed)
                play(self.where)
            except ParameterError as error:
                check_sentence(error)
