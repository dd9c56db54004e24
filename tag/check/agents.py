"""Checks of agents: games of every type, with the agent in every seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from numbers import Real
from typing import Any, Final

from tag.catalogue.registry import agent_names, check_game, game_names, game_of_bot, make_agent, make_game
from tag.check.evidence.traces import HASH_SEEDS, Tracer, check_same, trace_of_views, traces_elsewhere
from tag.check.report import Check, Finding, Report, Where, chosen, shorten
from tag.check.variants import check_declaration, check_sentence
from tag.engine.forward_model import ForwardModel
from tag.engine.parameters import COSTS, FileName, Spec, SpecOf, parse_spec
from tag.engine.rng import Rng, derive_seed
from tag.engine.snapshot import state_hash
from tag.engine.state import AnyAction, GameState, is_among
from tag.errors import ContractError, ParameterError, PlayersError
from tag.orders import GameOrder
from tag.playing.agent import Agent, Budget
from tag.playing.game import Game
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


# --- games in which an agent is watched -----------------------------------------------------------------------------------


@dataclass
class AgentSubject:
    """The agent that is checked.

    Attributes:
        spec: its spec.
        tables: the games and numbers of players to check it in.
        games: how many games to play at each table.
        seed: the seed of the first game; the next ones follow.
    """

    spec: str
    tables: list[tuple[str, int]]
    games: int
    seed: int

    def with_budget(self, budget: int) -> str:
        """Return the spec with a budget of so many forward-model calls, if the agent has budgets."""
        return with_budget(self.spec, budget)

    def where(self, table: tuple[str, int], agent: str, seed: int) -> Where:
        """Return the game with ``agent`` in every seat."""
        return Where(table[0], (agent,) * table[1], seed)

    def places(self, agent: str) -> list[Where]:
        """Return all games to check, with ``agent`` in every seat."""
        seeds = range(self.seed, self.seed + self.games)
        return [self.where(table, agent, seed) for table in self.tables for seed in seeds]


def with_budget(spec: str, budget: int) -> str:
    """Return an agent's spec with a deterministic budget, if the agent has budgets."""
    known = [dimension.name for dimension in make_agent(spec).parameters_class.dimensions()]
    values = dict(parse_spec(spec).values)
    if "budget" in known and "budget_type" in known:
        values = {**values, "budget": budget, "budget_type": "forward_model_calls"}
    return str(Spec(parse_spec(spec).name, values))


def agents_of_any_game() -> list[str]:
    """Return the names of the agents that play any game in any command: neither a person nor a learner's file is needed."""
    return [name for name in agent_names() if name not in ("human", "learned", "process")]


class AgentCheck(Check):
    """One demand on agents."""

    untested = "no game was played"

    def run(self, subject: AgentSubject) -> None:
        """Play the games that the check needs."""
        raise NotImplementedError


class CountingModel(ForwardModel[Any]):
    """The rules of another model; counts the calls of ``next``, of players who choose at the same time the last one's.

    A search pays for such a round once, whether its own player is asked first or last (`Simulator.resolve`).
    """

    def __init__(self, model: ForwardModel[Any]) -> None:
        super().__init__(model.parameters)
        self.model = model
        self.calls = 0

    def setup(self, n_players: int, rng: Rng) -> Any:
        return self.model.setup(n_players, rng)

    def available_actions(self, state: Any) -> list[AnyAction]:
        return self.model.available_actions(state)

    def random_action(self, state: Any, rng: Rng) -> AnyAction:
        return self.model.random_action(state, rng)

    def undecorated(self) -> ForwardModel[Any]:
        return self.model.undecorated()

    def copy(self) -> CountingModel:
        """Return the same model: it counts the calls of all seats."""
        return self

    def next(self, state: Any, action: AnyAction, rng: Rng) -> None:
        """Pass on and count."""
        self.model.next(state, action, rng)
        if not state.is_unresolved():
            self.calls += 1


class Watched(Agent):
    """An agent under watch: its cost per decision, and changes to the game's own state.

    Breaches are kept in ``breaches``, because the game loop treats exceptions as faults.
    """

    def __init__(self, agent: Agent, model: CountingModel) -> None:
        super().__init__(agent.parameters)
        self.agent = agent
        self.model = model
        self.truth: GameState | None = None
        self.breaches: list[str] = []

    def new_budget(self) -> Budget:
        return self.agent.new_budget()

    def watches(self) -> bool:
        return self.agent.watches()

    def start_game(self, observation: GameState) -> None:
        self.agent.sim = self.sim
        self.agent.player = self.player
        self.agent.start_game(observation)

    def act(self, observation: GameState, actions: list[AnyAction]) -> AnyAction:
        """Let the agent choose, and compare before and after."""
        truth, budget = self.truth, self.sim.budget
        before, calls = state_hash(truth), self.model.calls
        self.agent.watched = self.watched
        action = self.agent.act(observation, actions)
        calls = self.model.calls - calls
        if state_hash(truth) != before:
            self.breaches.append("choosing changes the game's own state")
        if calls > budget.forward_model_calls:  # fewer: a search may charge itself for a pass within its own tree
            self.breaches.append(f"{calls} forward-model calls, of which sim counted {budget.forward_model_calls}")
        limit = getattr(self.agent.parameters, "budget", calls)
        if calls > limit:
            self.breaches.append(f"{calls} forward-model calls with a budget of {limit}")
        return action

    def end_game(self, state: GameState) -> None:
        self.agent.end_game(state)


class WatchedAlways(Watched):
    """Watched agent that is asked even when only one action is available."""

    wants_single_actions = True


def play(where: Where, agents: list[Agent] | None = None) -> list[str]:
    """Play the game of ``where``, with these ``agents`` or new ones, and return its trace.

    Raises:
        ContractError: an agent was at fault.
    """
    tracer = Tracer()
    seats = [make_agent(text) for text in where.agents] if agents is None else agents
    game = Game(make_game(where.game), seats, where.seed, listeners=[tracer])
    game.play()
    _check_faults(game, where)
    return tracer.hashes


def play_watched(where: Where) -> int:
    """Play the game of ``where``, raise `ContractError` for breaches by the agents, and return the decisions."""
    model = _counting(make_game(where.game))
    agents = [_watched(make_agent(text), model) for text in where.agents]
    game = Game(model, agents, where.seed, listeners=[Tracer()])
    for agent in agents:
        agent.truth = game.state
    game.play()
    _check_faults(game, where)
    for agent in agents:
        if agent.breaches:
            raise ContractError(agent.breaches[0])
    return sum(game.decisions)


def _counting(model: ForwardModel[Any]) -> CountingModel:
    cls: type[CountingModel] = type("CountingModel", (CountingModel,), {"game_type": model.game_type})
    return cls(model)


def _watched(agent: Agent, model: CountingModel) -> Watched:
    return WatchedAlways(agent, model) if agent.wants_single_actions else Watched(agent, model)


def _check_faults(game: Game, where: Where) -> None:
    if game.faults:
        fault = game.faults[0]
        where.tick = fault.tick
        raise ContractError(f"{fault.kind} of player {fault.player}: {fault.message}")


# --- the checks -----------------------------------------------------------------------------------------------------------


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


# --- the suite ------------------------------------------------------------------------------------------------------------

#: All checks of an agent.
AGENT_CHECKS: tuple[type[AgentCheck], ...] = (
    AgentPlays,
    AgentRepeats,
    AgentOtherProcess,
    AgentBudget,
    AgentStatistics,
    AgentParametersDeclared,
    AgentParametersPlayable,
)


def check_agent(
    spec: str,
    game_specs: Sequence[str] = (),
    players: int | None = None,
    games: int = 1,
    seed: int = 1,
    only: Sequence[str] = (),
) -> Report:
    """Check an agent against the engine's contract.

    Args:
        spec: the agent, by name or path, with parameters; budgets are set by the checks.
        game_specs: the games to check it in; none given means every game there is that it can play.
        players: the number of players, or None for the fewest and the most that each game seats.
        games: how many games to play at each table.
        seed: the random seed of the games.
        only: the names of the checks to make; none given means all.

    Returns:
        A finding per check, in the order of `AGENT_CHECKS`.

    Raises:
        TagError: there is no such agent, game or check, or no game for so many players.
    """
    make_agent(spec)
    subject = AgentSubject(spec, _tables(spec, game_specs, players), games, seed)
    names = chosen(only, [cls.name for cls in AGENT_CHECKS])
    findings = []
    for cls in AGENT_CHECKS:
        if cls.name in names:
            check, finding = cls(), Finding(cls.name, cls.text)
            finding.attempt(check, partial(check.run, subject))
            findings.append(finding)
    return Report(spec, games * len(subject.tables), findings)


def _tables(spec: str, game_specs: Sequence[str], players: int | None) -> list[tuple[str, int]]:
    """Return the games with the numbers of players to play them with."""
    tables = []
    own = game_of_bot(parse_spec(spec).name)
    for game in game_specs or ([own] if own else game_names()):
        model = make_game(game)
        kind = model.game_type
        counts = sorted({kind.min_players, kind.max_players}) if players is None else [players]
        tables += [(game, count) for count in counts if kind.min_players <= count <= kind.max_players]
    if not tables:
        raise PlayersError(f"none of the games is for {players} players; give another number, or another game")
    if game_specs:
        for game, count in tables:
            check_game(spec, make_game(game), count)
        return tables
    fitting = [table for table in tables if _fits(spec, table)]
    if not fitting:
        check_game(spec, make_game(tables[0][0]), tables[0][1])
    return fitting


def _fits(spec: str, table: tuple[str, int]) -> bool:
    try:
        check_game(spec, make_game(table[0]), table[1])
    except ParameterError:
        return False
    return True
