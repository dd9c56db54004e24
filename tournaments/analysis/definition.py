"""What an analysis is: game types at numbers of players, an agent that plays all seats, and how often."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from tag.errors import ParameterError, PlayersError, SpecError
from tag.registry import agent_class, canonical, game_class, game_names, make_agent, make_game, metrics_for
from tag.rng import Rng
from tag.spec import Spec, parse_spec
from tournaments.definition import TournamentDefinition, canonical_agent, define
from tournaments.designs import DEFAULT_DESIGN, make_design
from tournaments.folder import event_name


@dataclass(frozen=True)
class Event:
    """A game type at a number of players: what is measured together.

    Attributes:
        game: the spec of the game type, in canonical form.
        players: the seats.
    """

    game: str
    players: int

    @property
    def name(self) -> str:
        """What the event's folder is called."""
        return event_name(self.game, self.players)

    @cached_property
    def is_contest(self) -> bool:
        """Whether there are sides: not in a co-operative game, nor in one for a single player."""
        state = make_game(self.game).setup(self.players, Rng(1))
        return len({state.team(player) for player in range(self.players)}) > 1

    def __str__(self) -> str:
        """Return the event for people."""
        return f"{self.game}, {self.players} player{'s' if self.players > 1 else ''}"


@dataclass(frozen=True)
class AnalysisDefinition:
    """An analysis. Make one with `analysis`.

    Attributes:
        events: what is measured, in this order.
        agent: the spec of the agent in all seats.
        games: how many games of each event.
        seed: decides everything but the speed.
        skill_agent: the spec of the agent for skill depth; empty to leave that out.
        skill_games: about how many games it plays, per event, against itself with half its budget.
    """

    events: tuple[Event, ...]
    agent: str = "random"
    games: int = 1000
    seed: int = 1
    skill_agent: str = ""
    skill_games: int = 100

    def play(self, event: Event) -> TournamentDefinition:
        """Return the games of ``event`` that are measured."""
        metrics = tuple(metrics_for(parse_spec(event.game).name))
        return define(event.game, (self.agent,), self.games, players=event.players, seed=self.seed, metrics=metrics)

    def skill(self, event: Event) -> Iterator[tuple[str, TournamentDefinition]]:
        """Yield the tournaments of ``event`` that show what half a budget costs, by name: none without a skill agent.

        The agent meets itself in all seatings. Where there are no sides, one team of it plays after the other.
        """
        if not self.skill_agent:
            return
        half = halved(self.skill_agent)
        tables: dict[str, tuple[str, ...]] = {"both": (self.skill_agent, half)}
        if not event.is_contest:
            tables = {"full": (self.skill_agent,), "half": (half,)}
        for name, agents in tables.items():
            blocks = -(-self.skill_games // _games_per_block(len(agents), event.players))
            yield name, define(event.game, agents, blocks, players=event.players, seed=self.seed)


def analysis(
    games: tuple[str, ...],
    players: tuple[int, ...] = (),
    *,
    agent: str = "random",
    n_games: int = 1000,
    seed: int = 1,
    skill_agent: str = "",
    skill_games: int = 100,
) -> AnalysisDefinition:
    """Return an analysis of game types, checked.

    Args:
        games: their specs; ``all`` stands for every game there is.
        players: the numbers of players, each for at least one of the games, which are analysed at those of the numbers
            that they can seat; by default all that a game can seat.
        agent: the spec of the agent in all seats.
        n_games: how many games of each event.
        seed: decides everything but the speed.
        skill_agent: the spec of an agent with a budget; empty to leave skill depth out.
        skill_games: about how many games it plays per event.

    Raises:
        TagError: something is wrong; the message says what.
    """
    if n_games < 1 or skill_games < 1:
        raise ParameterError(f"games cannot be {min(n_games, skill_games)}; the least is 1")
    specs = [spec for game in games for spec in (game_names() if game == "all" else [game])]
    if not specs:
        raise SpecError("an analysis needs a game")
    events = tuple(dict.fromkeys(event for spec in specs for event in _events(spec, players)))
    not_seated = [number for number in players if number not in {event.players for event in events}]
    if not_seated:
        raise PlayersError(f"none of these games is for {', '.join(map(str, not_seated))} players")
    found = AnalysisDefinition(
        events, canonical_agent(agent), n_games, seed, skill_agent and canonical_agent(skill_agent), skill_games
    )
    for event in events:
        found.play(event)
        list(found.skill(event))
    return found


def halved(agent: str) -> str:
    """Return the spec of ``agent`` with half its budget.

    Raises:
        ParameterError: it has no budget, or one that cannot be halved.

    >>> halved("mcts:budget=512,k=2.0")
    'mcts:budget=256,k=2.0'
    """
    spec = parse_spec(agent)
    values = make_agent(spec).parameters.values()
    if "budget" not in values:
        raise ParameterError(f"skill depth needs an agent with a budget, and {spec.name} has none; try mcts")
    half = Spec(spec.name, {**spec.values, "budget": int(values["budget"]) // 2})
    return canonical(half, agent_class(spec.name).parameters_class)


def _events(spec: str, players: tuple[int, ...]) -> list[Event]:
    """Return the events of one game type: at those of the numbers asked for that it can seat."""
    make_game(spec)
    name = parse_spec(spec).name
    kind = game_class(name).game_type
    game = canonical(spec, kind.parameters)
    counts = range(kind.min_players, kind.max_players + 1)
    return [Event(game, n) for n in (players or counts) if n in counts]


def _games_per_block(n_agents: int, n_players: int) -> int:
    design = make_design(DEFAULT_DESIGN, n_agents, n_players, 1)
    return design.n_matchups * design.n_seatings
