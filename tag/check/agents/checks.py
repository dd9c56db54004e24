"""The checks of an agent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from numbers import Real
from typing import Any, Final

from tag.catalogue.registry import make_agent, make_game
from tag.check.agents.subject import AgentCheck, AgentSubject, with_budget
from tag.check.agents.watching import play, play_watched
from tag.check.evidence.traces import HASH_SEEDS, check_same, trace_of_views, traces_elsewhere
from tag.check.report import Where, shorten
from tag.check.variants import check_declaration, check_sentence
from tag.engine.parameters import COSTS, FileName, Spec, SpecOf, parse_spec
from tag.engine.rng import Rng, derive_seed
from tag.engine.state import AnyAction, is_among
from tag.errors import ContractError, ParameterError
from tag.orders import GameOrder
from tag.playing.agent import Agent
from tag.playing.inspection import InspectedGame
from tag.playing.search_tree import SearchNode

#: Budgets in forward-model calls: one that suffices for a little search, and small ones down to the least.
_BUDGET: Final = 30
_TIGHT: Final = (1, 2, 7)

#: Actions of a game after which its statistics are looked at.
_DECISIONS: Final = 20

#: Random parameters played with, and other processes, with hash seeds of their own, that play the games.
_SAMPLES: Final = 6
_OTHERS: Final = 3


class AgentPlays(AgentCheck):
    """An agent is for every game."""

    text = "it chooses only available actions, in every game, with the fewest and the most players"

    def run(self, subject: AgentSubject) -> None:
        for where in subject.places(subject.with_budget(_BUDGET)):
            self.where = where
            play(where)
            self.cases += 1


class AgentRepeats(AgentCheck):
    """A ledger row can be played again."""

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
            self.cases += 1


class AgentOtherProcess(AgentCheck):
    """Workers are other processes."""

    text = "other processes, with other hash seeds, play the same games"

    def run(self, subject: AgentSubject) -> None:
        places = subject.places(subject.with_budget(_BUDGET))
        orders = [GameOrder("check", where.game, where.agents, where.seed) for where in places]
        here = [trace_of_views(order) for order in orders]
        for hash_seed in HASH_SEEDS[-_OTHERS:]:
            for where, mine, theirs in zip(places, here, traces_elsewhere(orders, hash_seed), strict=True):
                self.where = where
                self.cases += 1
                if mine != theirs:
                    raise ContractError(
                        f"a process with PYTHONHASHSEED={hash_seed} plays another game (does an order come from a set, "
                        "or from id()?)"
                    )


class AgentBudget(AgentCheck):
    """Comparisons at equal budgets need equal budgets."""

    text = "it looks ahead through sim only, never beyond its budget, and leaves the game's own state alone"
    untested = "the agent was never asked"

    def run(self, subject: AgentSubject) -> None:
        for number, table in enumerate(subject.tables):
            for budget in (_TIGHT[number % len(_TIGHT)], _BUDGET):
                self.where = subject.where(table, subject.with_budget(budget), subject.seed)
                self.cases += play_watched(self.where)


class AgentStatistics(AgentCheck):
    """Listeners and ``tag inspect`` read them."""

    text = "its statistics, and its search tree if it has one, describe the available actions, with values or None"
    untested = "the agent was never asked"

    def run(self, subject: AgentSubject) -> None:
        for table in subject.tables:
            self.where = subject.where(table, subject.with_budget(_BUDGET), subject.seed)
            agents = [make_agent(text) for text in self.where.agents]
            game = InspectedGame(make_game(table[0]), agents, subject.seed)
            while not game.state.is_terminal and game.state.tick < _DECISIONS:
                actions = game.model.available_actions(game.state)
                self.where.tick = int(game.state.tick)
                decision = game.decide()
                if decision.choice is None:
                    raise ContractError(decision.fault)
                if len(actions) > 1:
                    agent = agents[game.state.current_player]
                    check_statistics(agent.statistics(), actions)
                    check_tree(agent.search_tree(), agent.statistics(), actions)
                    self.cases += 1
                game.take(decision.choice)


def check_statistics(told: object, actions: list[AnyAction]) -> None:
    """Compare the statistics of an agent with the actions that it was offered.

    Raises:
        ContractError: it is no mapping, or its figures of actions are not those of ``actions``.
    """
    if not isinstance(told, Mapping):
        raise ContractError(f"statistics() returns {shorten(told)}, no mapping")
    rows = told.get("actions", [])
    if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
        raise ContractError(f"statistics()['actions'] is {shorten(rows)}, no list of dictionaries")
    for row in rows:
        if not isinstance(row.get("value", ""), Real | None):
            raise ContractError(
                f"the value in {shorten(dict(row))} of statistics()['actions'] is neither number nor None"
            )
    names = [str(row.get("action")) for row in rows]
    offered = [str(action) for action in actions]
    for name in names:
        if names.count(name) > offered.count(name):
            raise ContractError(f"statistics()['actions'] has {shorten(name)} more often than it is available")
    missing = [name for name in offered if name not in names]
    if names and missing:
        raise ContractError(f"statistics()['actions'] leaves {shorten(missing[0])} out, which is available")


def check_tree(root: object, told: Mapping[str, object], actions: list[AnyAction]) -> None:
    """Compare the search tree that an agent tells with the actions that it was offered, and with its statistics.

    Raises:
        ContractError: it is no tree, has other actions or values, or visits what follows an action more often than that.
    """
    if root is None:
        return
    if not isinstance(root, SearchNode):
        raise ContractError(f"search_tree() returns {shorten(root)}, no SearchNode")
    missing = [action for action in actions if not is_among(action, [node.action for node in root.children])]
    if missing or len(root.children) != len(actions):
        raise ContractError(
            f"search_tree() has {len(root.children)} actions, "
            + (f"without {shorten(str(missing[0]))}, which is available" if missing else f"not {len(actions)}")
        )
    rows: Any = told.get("actions", [])
    if rows:
        here = Counter((node.text(), node.value) for node in root.children)
        extra = here - Counter((str(row.get("action")), row.get("value")) for row in rows)
        for name, value in extra:
            raise ContractError(f"search_tree() has the value {value} for {shorten(name)}, statistics() another")
    waiting = [root]
    while waiting:
        node = waiting.pop()
        below = sum(child.visits or 0 for child in node.children)
        if node.visits is not None and below > node.visits:
            raise ContractError(
                f"search_tree() has {node.visits} visits of {shorten(node.text())} and {below} below it"
            )
        waiting += node.children


class AgentParametersDeclared(AgentCheck):
    """Declared parameters can be searched by a tuner, kept in JSON and typed by people."""

    text = "parameters have valid defaults and a meaning, and survive JSON, specs and pickles"

    def run(self, subject: AgentSubject) -> None:
        check_declaration(make_agent(subject.spec).parameters_class, subject.seed)
        self.cases += 1


class AgentParametersPlayable(AgentCheck):
    """Every value in range can be played, or is refused with a sentence."""

    text = "agents with random parameters in their ranges can play"
    untested = "the agent has no parameters"

    def run(self, subject: AgentSubject) -> None:
        cls = make_agent(subject.spec).parameters_class
        said = parse_spec(subject.spec)
        others = {one.name for one in cls.dimensions() if isinstance(one, FileName | SpecOf)}
        kept = {key: value for key, value in said.values.items() if key in COSTS or key in others}
        for number in range(_SAMPLES if cls.dimensions() else 0):
            seed = derive_seed(subject.seed, "parameters", number)
            drawn = {key: value for key, value in cls.sample(Rng(seed)).changes().items() if key not in COSTS}
            spec = str(Spec(said.name, {**drawn, **kept}))
            self.cases += 1
            try:
                table = subject.tables[number % len(subject.tables)]
                agent = with_budget(spec, _BUDGET)
                self.where = Where(table[0], (agent,) * table[1], seed)
                play(self.where)
            except ParameterError as error:
                check_sentence(error)
