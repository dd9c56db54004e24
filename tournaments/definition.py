"""The definition of a tournament: a game, agents, blocks and a seed, which together decide every game of it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from typing import Any, Final, Self

import numpy as np

from tag.catalogue.options import check_ranges, option
from tag.catalogue.registry import (
    agent_class,
    agent_names,
    canonical,
    check_agents,
    file_sources,
    game_class,
    make_agent,
    make_game,
    metric_class,
    sources_in,
    spec_of,
)
from tag.catalogue.user_code import is_path
from tag.engine.forward_model import ForwardModel, GameType
from tag.engine.parameters import Spec
from tag.engine.rng import derive_seed
from tag.engine.state import GameState
from tag.errors import DataError, ParameterError, PlayersError, UnknownNameError
from tag.isolation import can_limit_memory
from tag.orders import Conditions, GameOrder, Openings
from tag.orders.opening import is_opening_text
from tag.orders.set_up import first_position, is_one_team
from tag.playing.faults import FAULT_POLICIES, FaultPolicy
from tag.table.openings import canonical_openings
from tag.tournaments.designs.agents import check_names, numbered
from tag.tournaments.designs.best_agent import BestAgentDesign
from tag.tournaments.designs.by_name import DEFAULT_DESIGN, DESIGNS, canonical_design, design_class
from tag.tournaments.designs.games import Pairing, PlannedGames, split_name, with_name
from tag.tournaments.designs.matchups import Played, Repeated
from tag.tournaments.designs.parts import NEEDS_RESULTS, Part
from tag.tournaments.designs.schedule import Schedule
from tag.tournaments.designs.stopping.best_agent import BestAgentRule
from tag.tournaments.designs.stopping.precision import PrecisionRule
from tag.tournaments.designs.stopping.rules import StoppingRule
from tag.tournaments.designs.stopping.sprt import Sprt, SprtBounds
from tag.tournaments.designs.variants import Variants, canonical_draw
from tag.tournaments.statistics.intervals import Ints

# Where a tournament is played, on how many workers, and where it is tracked is not part of its definition (see
# `tag.tournaments.commands.settings`).


#: Less memory than this, in megabytes, is not enough for Python, the engine and a game.
_LEAST_MEMORY_MB: Final = 64

#: The finest precision that a tournament can be asked for, in points per game.
_FINEST: Final = 1e-6

#: Listed openings take so many characters of a sentence at most.
_LONGEST_MOVES: Final = 60

#: How the random streams of agents are keyed.
STREAMS: Final = ("seat", "agent")


#: Headings of the options below in ``--help``.
_FAULTS: Final = "Faults and time limits"
_ISOLATED: Final = "Isolated agents"
_AGENTS: Final = "Who plays what"
_STOPPING: Final = "Stopping rules"
_RECORDED: Final = "What is recorded"
_DESIGNS: Final = "; ".join(f"{name}: {design.about}" for name, design in DESIGNS.items())


def _policy(default: str, fault: str, heading: str) -> Any:
    """Return the option for the policy after a fault."""
    about = f"What happens after {fault}; {default} by default."
    return option(default, about, heading, example=f'"{default}"', choices=FAULT_POLICIES)


@dataclass(frozen=True)
class Rules:
    """The treatment of faults, and limits of time and memory; the same for all games of a tournament.

    >>> from tag.tournaments import define
    >>> rules = Rules(decision_seconds=2.0, on_time_out="forfeit")
    >>> define("nim", ("osla", "random"), 2, rules=rules).rules.decision_seconds
    2.0
    """

    on_illegal: str = _policy(FaultPolicy().illegal_action, "an illegal action", _FAULTS)
    on_exception: str = _policy(FaultPolicy().on_exception, "an agent's exception", _FAULTS)
    on_time_out: str = _policy(FaultPolicy().time_out, "a decision over the limit", _FAULTS)
    decision_seconds: float = option(
        0.0, "Time limit per decision; 0, the default, for none.", _FAULTS, example="0.5", least=0
    )
    clock_seconds: float = option(
        0.0, "Each player's time for a whole game; 0, the default, for none.", _FAULTS, example="60.0", least=0
    )
    increment_seconds: float = option(
        0.0, "Time added to the clock after each decision.", _FAULTS, example="0.1", least=0
    )
    isolate: bool = option(
        False, "Run each agent in a process of its own, which may crash or hang.", _ISOLATED, example="true"
    )
    memory_mb: int = option(
        0,
        "Memory limit of such a process; 0, the default, for none.",
        _ISOLATED,
        example="512",
        least=_LEAST_MEMORY_MB,
        zero="for none",
    )
    hang_seconds: float = option(
        Conditions().hang_seconds,
        "Longest wait for an answer before the process is ended; 60 by default.",
        _ISOLATED,
        example="60.0",
        least=0,
    )
    on_crash: str = _policy(FaultPolicy().crash, "the end of an agent's process", _ISOLATED)
    on_hang: str = _policy(FaultPolicy().hang, "an agent that does not answer", _ISOLATED)
    calibrate: bool = option(
        False, "Scale times by the speed of each machine, for machines that are not equal.", _FAULTS, example="true"
    )

    def check(self) -> None:
        """Raise `TagError` for a value that makes no sense."""
        for name, value in asdict(self).items():
            if isinstance(value, str) and value not in FAULT_POLICIES:
                raise UnknownNameError.of(f"policy for {name}", value, FAULT_POLICIES)
        check_ranges(self)
        self._check_isolation()

    def _check_isolation(self) -> None:
        for name in ("memory_mb", "hang_seconds", "on_crash", "on_hang"):
            if not self.isolate and getattr(self, name) != getattr(Rules, name):
                raise ParameterError(f"{name} is for agents in processes of their own; add --isolate")
        if self.memory_mb and not can_limit_memory():
            raise ParameterError(f"memory_mb cannot be {self.memory_mb} on {sys.platform}, which has no such limit")
        if self.isolate and self.hang_seconds <= self.decision_seconds:
            raise ParameterError(
                f"hang_seconds cannot be {self.hang_seconds:g}; it has to be more than decision_seconds, "
                f"{self.decision_seconds:g}"
            )

    def conditions(self) -> Conditions:
        """Return the rules as the game loop takes them."""
        policy = FaultPolicy(
            self.on_illegal, self.on_exception, self.on_time_out, self.decision_seconds, self.on_crash, self.on_hang
        )
        return Conditions(
            policy, self.clock_seconds, self.increment_seconds, self.isolate, self.memory_mb, self.hang_seconds
        )


@dataclass(frozen=True, kw_only=True)
class TournamentOptions:
    """Options of a tournament beside its game, agents, blocks, seed and rules."""

    metrics: tuple[str, ...] = option(
        (), "What measures each game for the ledger.", _RECORDED, flag="--metric", metavar="NAME", example='["lead"]'
    )
    design: str = option(
        DEFAULT_DESIGN, f"Who meets whom: {_DESIGNS}.", _AGENTS, metavar="SPEC", example='"round_robin"'
    )
    sprt: str = option(
        "",
        "Of two agents: end once it is known which of two Elo differences the first one has.",
        _STOPPING,
        metavar="ELO0,ELO1",
        example='"0,10"',
    )
    precision: float = option(
        0.0,
        "End when the agents' mean points per game are known to within this.",
        _STOPPING,
        example="0.02",
        least=_FINEST,
    )
    compare: tuple[str, ...] = option(
        (),
        "With --precision, know differences instead: of one agent to all others, of several to each other.",
        _STOPPING,
        metavar="AGENT",
        example='["random", "osla"]',
    )
    record_actions: bool = option(
        False, "Keep the actions of each game, for replays without its agents.", _RECORDED, example="true"
    )
    draw: tuple[str, ...] = option(
        (),
        "A parameter of the game to draw anew for each block; from its whole range without VALUES.",
        _AGENTS,
        metavar="NAME[=VALUES]",
        example='["face_up=0,3"]',
    )
    hold: tuple[str, ...] = option(
        (),
        "A source of chance that the games of a block share; by default they share all chance.",
        _AGENTS,
        metavar="SOURCE",
        example='["rounds"]',
    )
    opening: str = option(
        "",
        "Begin the games of each block with the same actions: random:4, or a file of openings.",
        _AGENTS,
        metavar="random:N|FILE",
        example='"random:4"',
    )
    streams: str = option(
        STREAMS[0],
        "Key the random numbers of agents by seat, or by agent as well (tag noise).",
        _AGENTS,
        example='"seat"',
        choices=STREAMS,
    )


@dataclass(frozen=True)
class TournamentDefinition(TournamentOptions):
    """A tournament, with its specs in canonical form. Make one with `define`.

    >>> definition = define("tic_tac_toe", ["osla", "random"], 10)
    >>> definition.design, definition.players, definition.schedule().product
    ('round_robin', 2, '10 blocks x 1 match-up x 2 seatings')
    >>> definition.from_json(definition.to_json()) == definition
    True

    Attributes:
        game: the spec of the game type.
        players: the seats of each game.
        agents: the specs of the agents; the same one may be there twice.
        blocks: how many chance seeds are played in each seating of each match-up.
        seed: of all random numbers; with deterministic budgets, tournaments with the same seed are identical.
        rules: faults and clocks.
        names: the agents' names in tables, empty for those that go by their spec; empty if all do. No game depends on
            them.
        part: the share of the blocks that is played here, such as ``3/8``; empty for all. The games are those of the whole
            tournament, so it is no part of their identity.
    """

    game: str
    players: int
    agents: tuple[str, ...]
    blocks: int
    seed: int = 1
    rules: Rules = field(default_factory=Rules)
    names: tuple[str, ...] = ()
    part: str = ""

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The agents' labels in tables: their names, or else their specs, numbered (``random#2``) if one repeats."""
        specs = numbered(self.agents)
        return tuple(name or spec for name, spec in zip(self.names or specs, specs, strict=True))

    @cached_property
    def entries(self) -> tuple[str, ...]:
        """The agents as the ledger has them: ``SPEC`` or ``NAME=SPEC``, numbered as `labels` are."""
        return self._named(numbered(self.agents))

    @property
    def named_agents(self) -> tuple[str, ...]:
        """The agents as people write them: ``SPEC`` or ``NAME=SPEC``."""
        return self._named(self.agents)

    def _named(self, specs: Sequence[str]) -> tuple[str, ...]:
        """Return the specs of the agents with their names."""
        return tuple(map(with_name, self.names, specs) if self.names else specs)

    @cached_property
    def game_spec(self) -> Spec:
        """The game type's name and parameters."""
        return spec_of(self.game)

    @cached_property
    def agent_specs(self) -> tuple[Spec, ...]:
        """The agents' names and parameters."""
        return tuple(map(spec_of, self.agents))

    @cached_property
    def design_spec(self) -> Spec:
        """The design's name and parameters."""
        return spec_of(self.design)

    @property
    def game_type(self) -> GameType:
        """The description of the game type, which is imported."""
        return game_class(self.game_spec.name).game_type

    @property
    def specs(self) -> tuple[str, ...]:
        """All that may name users' files: the game type, the agents and the metrics."""
        return (self.game, *self.agents, *self.metrics)

    @property
    def options(self) -> dict[str, Any]:
        """The values of all `TournamentOptions`, by name."""
        return {one.name: getattr(self, one.name) for one in fields(TournamentOptions)}

    def schedule(self) -> Schedule:
        """Return the games of the tournament, as a schedule that may learn from results; a new one if its design learns."""
        return self._new_schedule() if self.plan.design.learns else self.plan

    def _new_schedule(self) -> Schedule:
        part = Part.read(self.part) if self.part else None
        return Schedule(len(self.agents), self.players, self.blocks, self.seed, self.design_spec, part)

    def game_of(self, pairing: Pairing) -> str:
        """Return the spec of the game type that is played in a game of the schedule."""
        return self.variants.game(pairing.block) if self.draw else self.game

    @property
    def is_open(self) -> bool:
        """False: the ledger names only agents of the definition."""
        return False

    @property
    def most_games(self) -> int:
        """The most games that the tournament may have, with further blocks for tables that are level."""
        return self.plan.most_games

    @property
    def fixed(self) -> dict[str, Any]:
        """The facts that stay the same when blocks or agents are added, as plain values; options only where they are set.

        So a tournament stays the same if a later version has more options.
        """
        own = {"game": self.game, "players": self.players, "seed": self.seed}
        defaults = {one.name: getattr(TournamentOptions(), one.name) for one in fields(TournamentOptions)}
        said = {name: _plain(value) for name, value in self.options.items() if value != defaults[name]}
        usual = asdict(Rules())
        return {**own, **said, **{name: value for name, value in asdict(self.rules).items() if value != usual[name]}}

    def planned(self, places: Ints, _entries: Sequence[str], thorough: bool) -> PlannedGames:
        """Return the games that the schedule has at some places; see `tag.tournaments.ledger.identity.LedgerPlan`."""
        found = self.plan.planned(places, thorough)
        if not self.draw:
            return found._replace(games=[self.game])
        if is_path(self.game_spec.name):
            return found  # the variants are in the words of a user's file, which reading must not run
        blocks, block = np.unique(places[:, 0], return_inverse=True)
        games = [self.variants.game(number) for number in blocks.tolist()]
        return found._replace(games=[games[number] for number in block.tolist()])

    @cached_property
    def plan(self) -> Schedule:
        """The schedule, which all share and which learns nothing from results; see `schedule`."""
        return self._new_schedule()

    def order(self, pairing: Pairing) -> GameOrder:
        """Return a game of the schedule as an order that any process can play."""
        agents = tuple(map(self.agents.__getitem__, pairing.agents))
        seed = pairing.seed
        salts = pairing.agents if self.streams == "agent" else ()
        if self.hold:
            seed = derive_seed(seed, pairing.matchup, pairing.seating)
        elif self._is_repeated:
            salts = (pairing.matchup,) * self.players
        return GameOrder(
            pairing.game_id,
            self.game_of(pairing),
            agents,
            seed,
            self._conditions,
            self.metrics,
            self.record_actions,
            salts,
            opening=self.openings.of_block(pairing.block, pairing.seed),
            chance_seeds=tuple([(source, pairing.seed) for source in self.hold]),
        )

    def stopping_rule(self, schedule: Schedule) -> StoppingRule | None:
        """Return the rule that may end the tournament before its ``schedule`` is complete; None if there is none.

        Raises:
            TagError: such a rule is impossible.
        """
        named = [name for name in ("sprt", "precision") if getattr(self, name)]
        if isinstance(schedule.design, BestAgentDesign):
            named.append("design best_agent")
        if len(named) > 1:
            raise ParameterError(f"{' and '.join(named)} cannot both end a tournament; leave one out")
        if self.compare and not self.precision:
            raise ParameterError(f"compare cannot be {', '.join(self.compare)} without a precision; add --precision")
        if isinstance(schedule.design, BestAgentDesign):
            return BestAgentRule(schedule.design, schedule.blocks, self.labels)
        if not named:
            return None
        block = [pairing.agents for pairing in schedule.games(range(1))]
        if self.precision:
            return PrecisionRule(self.precision, self.compare, self.labels, schedule.design, block)
        return Sprt(SprtBounds.read(self.sprt), schedule.design, block)

    @cached_property
    def variants(self) -> Variants:
        """The game of every block."""
        return Variants(self.game_spec, self.draw, self.seed)

    @cached_property
    def openings(self) -> Openings:
        """The opening of every block."""
        return Openings.parse(self.opening)

    @cached_property
    def _is_repeated(self) -> bool:
        return design_class(self.design_spec.name) is Repeated

    @cached_property
    def _conditions(self) -> Conditions:
        return self.rules.conditions()

    def to_json(self) -> dict[str, Any]:
        """Return the definition as plain values: one flat object with the keys of `tag.tournaments.commands.settings`."""
        own = {"game": self.game, "players": self.players, "agents": list(self.named_agents)}
        options = {name: _plain(value) for name, value in self.options.items()}
        part = {"part": self.part} if self.part else {}
        return {**own, "blocks": self.blocks, "seed": self.seed, **part, **options, **asdict(self.rules)}

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Self:
        """Read the values that `to_json` returned.

        Raises:
            DataError: it is no definition.
        """
        rest = dict(values)
        try:
            rules = Rules(**{name: rest.pop(name) for name in asdict(Rules()) if name in rest})
            rest |= {name: tuple(value) for name, value in rest.items() if isinstance(value, list)}
            for name in ("players", "blocks", "seed"):
                if type(rest[name]) is not int:
                    raise TypeError(f"{name} is {rest[name]!r}")
            rest["names"], rest["agents"] = _split_names(rest["agents"])
            if "part" in rest:
                Part.read(rest["part"])
            return cls(rules=rules, **rest)
        except (KeyError, TypeError, ParameterError) as error:
            raise DataError(f"this is no definition of a tournament: {error}") from None

    def difference(self, longer: TournamentDefinition) -> str:
        """Return the first reason why ``longer`` is not this tournament with more blocks or agents; empty if it is.

        A part of a tournament takes neither.
        """
        if self.part != longer.part:
            whole = "the whole tournament"
            return f"part is {self.part or whole} there, not {longer.part or whole}"
        mine, theirs = self.to_json(), longer.to_json()
        theirs["agents"], added = theirs["agents"][: len(self.agents)], theirs["agents"][len(self.agents) :]
        for name, value in mine.items():
            if name != "blocks" and value != theirs[name]:
                return f"{name} is {_text(value)} there, not {_text(theirs[name])}"
        if self.part and (added or longer.blocks != self.blocks):
            return f"it is part {Part.read(self.part).text} of one; merge the parts, and extend the whole"
        if longer.blocks < self.blocks:
            return f"blocks is {self.blocks} there and can only grow, not shrink to {longer.blocks}"
        design = self.schedule().design
        if design.in_rounds and longer.blocks != self.blocks:
            return f"blocks is {self.blocks} there, and a {self.design} cannot be made longer"
        if added and not longer.schedule().design.continues(design):
            return f"it has {len(self.agents)} agents, and this {self.design} cannot take more"
        return ""


def define(
    game: str,
    agents: tuple[str, ...],
    blocks: int,
    *,
    players: int | None = None,
    seed: int = 1,
    rules: Rules | None = None,
    part: str = "",
    **options: Any,
) -> TournamentDefinition:
    """Return the tournament that the specs describe, checked down to a set-up of the game.

    An agent may have a name before its spec, ``NAME=SPEC``. One alone sits in all seats.

    >>> definition = define("love_letter", ["osla", "random", "weak=mcts:budget=50"], 10)
    >>> definition.labels, definition.most_games
    (('osla', 'random', 'weak'), 60)

    Args:
        game: the spec of the game type.
        agents: the specs of the agents, in any form that people write.
        blocks: chance seeds, each played in each seating of each match-up.
        players: the seats of each game; the game's fewest if omitted.
        seed: of all random numbers.
        rules: faults and clocks.
        part: the share of the blocks that is played, such as ``3/8``; all if empty.
        options: the fields of `TournamentOptions`; ``draw`` without values draws from a parameter's whole range.

    Raises:
        TagError: a value is wrong; the message names it.
    """
    said, chosen = TournamentOptions(**options), rules or Rules()
    check_ranges(said)
    chosen.check()
    game_spec = spec_of(game)
    model = make_game(game_spec)
    kind = game_class(game_spec.name).game_type
    seats = kind.min_players if players is None else players
    state = first_position(model, seats, seed)
    names, specs = _split_names(agents)
    check_names(names, agent_names())
    _check_names([spec_of(text) for text in specs], said.metrics, model, seats)
    canonical_options = {
        "design": canonical_design(said.design),
        "compare": tuple(label if label in names else _canonical_label(label) for label in said.compare),
        "opening": _canonical_opening(said, canonical(game_spec, kind.parameters), seats),
        "draw": canonical_draw(game, said.draw, lambda variant: first_position(make_game(variant), seats, seed)),
    }
    definition = TournamentDefinition(
        game=canonical(game_spec, kind.parameters),
        players=seats,
        agents=tuple(map(canonical_agent, specs)),
        blocks=blocks,
        seed=seed,
        rules=chosen,
        names=names,
        part=str(Part.read(part)) if part else "",
        **{**vars(said), **canonical_options},
    )
    return _checked(definition, state)


def canonical_agent(text: str | Spec) -> str:
    """Return the spec of an agent with only the parameters that differ from their defaults.

    Raises:
        TagError: there is no such agent, or a value of a parameter is out of range.
    """
    spec = spec_of(text)
    return canonical(spec, agent_class(spec.name).parameters_class)


def _canonical_opening(said: TournamentOptions, game: str, players: int) -> str:
    """Return the openings, where rules are drawn without a look at how long games are."""
    if not said.draw or not said.opening:
        return canonical_openings(said.opening, game, players)
    if not is_opening_text(said.opening) or Openings.parse(said.opening).listed:
        raise ParameterError(
            f"opening cannot be {said.opening!r} where parameters are drawn, as its actions are for one game; take random:4"
        )
    return said.opening


def _split_names(agents: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names and the specs of agents that may be written ``NAME=SPEC``; no names where none has one."""
    pairs = [split_name(text) for text in agents]
    names = tuple(name for name, _spec in pairs)
    return names if any(names) else (), tuple(spec for _name, spec in pairs)


def _canonical_label(text: str) -> str:
    """Return the label of an agent as `TournamentDefinition.labels` has it, from a label or a full spec."""
    spec, mark, number = text.rpartition("#")
    return f"{canonical_agent(spec)}#{number}" if mark and number.isdigit() else canonical_agent(text)


def user_sources(definition: TournamentDefinition) -> dict[str, str]:
    """Return the text of every user's file that the definition names, and the digest of every model, by the file's name.

    Raises:
        TagError: a file cannot be read.
    """
    return sources_of(definition.game_spec, definition.agent_specs, definition.metrics)


def sources_of(game: str | Spec, agents: Iterable[str | Spec], metrics: Iterable[str]) -> dict[str, str]:
    """Return the sources in these specs (`tag.catalogue.registry.sources_in`), and the text of metrics in users' files."""
    found = sources_in("game", game)
    for agent in agents:
        found |= sources_in("agent", agent)
    for name in metrics:
        found |= file_sources(name) if is_path(name) else {}
    return found


def _check_names(agents: Sequence[Spec], metrics: tuple[str, ...], model: ForwardModel[Any], players: int) -> None:
    """Reject unknown agents and metrics, and agents that cannot play the game."""
    if not agents:
        raise PlayersError("a tournament needs agents; name each with --agent")
    check_agents(agents, model, players)
    for metric in metrics:
        metric_class(metric)


def _checked(definition: TournamentDefinition, state: GameState) -> TournamentDefinition:
    """Reject unknown words, impossible schedules, and comparisons of agents in a co-operative game; return the rest."""
    if definition.streams not in STREAMS:
        raise UnknownNameError.of("streams", definition.streams, STREAMS)
    known = definition.game_type.chance_sources
    for source in definition.hold:
        if source not in known:
            raise UnknownNameError.of(f"source of chance in {definition.game}", source, known)
    schedule = definition.schedule()
    if isinstance(schedule.design, Played):
        schedule.design.agents(0, 0, 0)
    about_sides = definition.sprt or schedule.design.in_rounds or isinstance(schedule.design, BestAgentDesign)
    if is_one_team(state) and about_sides:
        needs = "sprt" if definition.sprt else f"design {definition.design}"
        if definition.players == 1:
            raise PlayersError(f"{needs} needs sides, and {definition.game} is for 1 player; see --design round_robin")
        raise PlayersError(
            f"{needs} needs sides, and all players of {definition.game} win or lose together; see --design self_play"
        )
    rule = definition.stopping_rule(schedule)
    if definition.part:
        _check_part(definition, rule)
    return definition


def _check_part(definition: TournamentDefinition, rule: StoppingRule | None) -> None:
    """Reject a part of a tournament whose games depend on other parts: on results, or on the speed of machines."""
    if definition.rules.calibrate:
        raise ParameterError("part cannot be combined with calibrate: each part would have a reference of its own")
    if rule is not None:
        raise ParameterError(
            f"part cannot be combined with {'sprt' if definition.sprt else 'precision'}: {NEEDS_RESULTS}"
        )


def _text(value: object) -> str:
    """Return a value for a sentence; long lists of openings are cut short."""
    text = (", ".join(value) if isinstance(value, list) else str(value)) or "none"
    return f"{text[:_LONGEST_MOVES]}…" if len(text) > _LONGEST_MOVES and text.startswith("moves:") else text


#: The kinds of budgets that are times.
TIMES: Final = ("wall_ms", "cpu_ms", "clock")


def timed(definition: TournamentDefinition) -> list[str]:
    """Return the parts of a tournament that are limited by time: rules by name, agents by spec."""
    rules = [name for name in ("decision_seconds", "clock_seconds") if getattr(definition.rules, name)]
    agents = zip(definition.agents, definition.agent_specs, strict=True)
    return rules + [agent for agent, spec in agents if make_agent(spec).new_budget().kind in TIMES]


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value
