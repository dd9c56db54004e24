"""The definition of an analysis, and its measures: metrics, figures from the ledger, skill depth, speed of play."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from pathlib import Path
from time import process_time
from typing import Any, Final

import pandas as pd

from tag.catalogue.registry import agent_class, canonical, game_class, game_names, make_agent, make_game, metrics_for
from tag.engine.action import AnyAction
from tag.engine.forward_model import ForwardModel
from tag.engine.parameters import Spec, parse_spec
from tag.engine.rng import Rng, derive_seed
from tag.engine.state import GameState
from tag.errors import ParameterError, PlayersError, SpecError
from tournaments.definition import TournamentDefinition, canonical_agent, define, is_cooperative_game
from tournaments.designs import DEFAULT_DESIGN, make_design
from tournaments.ledger.folder import event_name
from tournaments.results.tournament import read_results
from tournaments.statistics.standings import Standing

# --- definition: game types at numbers of players, an agent for all seats, and the number of games --------------------


@dataclass(frozen=True)
class AnalysedGame:
    """A game type at a number of players: an event of the analysis.

    Attributes:
        game: the spec of the game type, in canonical form.
        players: the seats.
    """

    game: str
    players: int

    @property
    def name(self) -> str:
        """The name of the event's folder."""
        return event_name(self.game, self.players)

    @cached_property
    def is_contest(self) -> bool:
        """True if there are sides, unlike in a co-operative game or one for a single player."""
        return not is_cooperative_game(self.game, self.players)

    def __str__(self) -> str:
        """Return the event for people."""
        return f"{self.game}, {self.players} player{'s' if self.players > 1 else ''}"


@dataclass(frozen=True)
class AnalysisDefinition:
    """An analysis. Make one with `analysis`.

    Attributes:
        events: the events, in order.
        agent: the spec of the agent in all seats.
        games: how many games of each event.
        seed: determines everything but the speed.
        skill_agent: the spec of the agent for skill depth; empty to leave that out.
        skill_games: about how many games it plays, per event, against itself with half its budget.
    """

    events: tuple[AnalysedGame, ...]
    agent: str = "random"
    games: int = 1000
    seed: int = 1
    skill_agent: str = ""
    skill_games: int = 100

    def play(self, event: AnalysedGame) -> TournamentDefinition:
        """Return the games of ``event`` whose measures are taken."""
        metrics = tuple(metrics_for(parse_spec(event.game).name))
        return define(event.game, (self.agent,), self.games, players=event.players, seed=self.seed, metrics=metrics)

    def skill(self, event: AnalysedGame) -> Iterator[tuple[str, TournamentDefinition]]:
        """Yield the tournaments of ``event`` on the cost of half a budget, by name: none without a skill agent.

        The agent meets itself in all seatings. Where there are no sides, its teams play one after the other.
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
        games: their specs; ``all`` stands for every registered game.
        players: the numbers of players, each for at least one of the games. A game is analysed at those that it can
            seat; by default at all that it can seat.
        agent: the spec of the agent in all seats.
        n_games: how many games of each event.
        seed: determines everything but the speed.
        skill_agent: the spec of an agent with a budget; empty to leave skill depth out.
        skill_games: about how many games it plays per event.

    Raises:
        TagError: a value is wrong; the message names it.
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


def _events(spec: str, players: tuple[int, ...]) -> list[AnalysedGame]:
    """Return the events of one game type: at those of the numbers asked for that it can seat."""
    make_game(spec)
    name = parse_spec(spec).name
    kind = game_class(name).game_type
    game = canonical(spec, kind.parameters)
    counts = range(kind.min_players, kind.max_players + 1)
    return [AnalysedGame(game, n) for n in (players or counts) if n in counts]


def _games_per_block(n_agents: int, n_players: int) -> int:
    design = make_design(DEFAULT_DESIGN, n_agents, n_players, 1)
    return design.n_matchups * design.n_seatings


# --- measures ---------------------------------------------------------------------------------------------------------
#
# The measures of an event, by game: values of metrics in its ledger, and figures from the ledger itself.


# --- skill depth: the cost of half the budget -------------------------------------------------------------------------


#: The measures, of which an event has one: the first if players are opponents.
ABOUT: Final = {
    "skill": "share of the points of an agent that meets itself with half its budget (half: the budget does not matter)",
    "team_skill": "success rate of a team of an agent, less that of a team with half its budget",
}


def skill_row(folders: Mapping[str, Path], agent: str) -> dict[str, Any]:
    """Return the summary row of skill depth, with its 95 % interval.

    Args:
        folders: of the tournaments that `AnalysisDefinition.skill` names, complete.
        agent: the spec with the full budget.
    """
    standings = {name: read_results(folder).standings for name, folder in folders.items()}
    if "both" in standings:
        full = next(standing for standing in standings["both"] if standing.agent == agent)
        return _share(full, sum(standing.points for standing in standings["both"]))
    return _difference(standings["full"][0], standings["half"][0])


def _share(full: Standing, both: float) -> dict[str, Any]:
    """Return the full budget's share of the points; both budgets sit in equally many seats."""
    if not both:
        return _row("skill", full.games, 0.5, 0.0, 1.0)
    low, high = full.points_low / both, min(1.0, full.points_high / both)
    return _row("skill", full.games, full.points / both, low, high)


def _difference(full: Standing, half: Standing) -> dict[str, Any]:
    """Return the difference of two success rates with Newcombe's hybrid interval (Statistics in Medicine 17, 1998)."""
    difference = full.win_rate - half.win_rate
    down = sqrt((full.win_rate - full.win_rate_low) ** 2 + (half.win_rate_high - half.win_rate) ** 2)
    up = sqrt((full.win_rate_high - full.win_rate) ** 2 + (half.win_rate - half.win_rate_low) ** 2)
    return _row("team_skill", full.games, difference, difference - down, difference + up)


def _row(name: str, games: int, mean: float, low: float, high: float) -> dict[str, Any]:
    return {"measure": name, "games": games, "mean": mean, "low": low, "high": high}


# --- game speed (μ5): calls per second of the functions that agents and the game loop call, in random games -----------


#: Games whose positions are used: each gives one figure per function.
_SAMPLES: Final = 15
#: The greatest number of positions of a game, evenly spread.
_POSITIONS: Final = 100
#: The least time for a figure, in seconds of CPU time.
_SECONDS: Final = 0.004

_Step = tuple[GameState, AnyAction]
_Call = Callable[[GameState, AnyAction], object]

COLUMNS: Final = ("game", "players", "function", "sample", "per_second")
#: The measured functions.
FUNCTIONS: Final = {
    "setup": "set-ups of a game",
    "next": "actions taken, with all that follows from them",
    "actions": "lists of the actions available",
    "copy": "copies of the state",
    "observation": "copies for the player to act, with all dealt again that it cannot know",
}


def measure_speed(event: AnalysedGame, seed: int) -> pd.DataFrame:
    """Return how many calls of each function this process makes per second of CPU time.

    Args:
        event: the game type and its players.
        seed: determines the positions, not the speed.

    Returns:
        One row per function and sampled game: game, players, function (of `FUNCTIONS`), sample, per_second.
    """
    rows = []
    for sample in range(_SAMPLES):
        rng = Rng(derive_seed(seed, "speed", sample))
        model = make_game(event.game)
        steps = _random_game(model, event.players, rng)
        for name, call in _functions(model, event.players, rng).items():
            rows.append((event.game, event.players, name, sample, _rate(call, steps)))
    return pd.DataFrame(rows, columns=COLUMNS)


def _functions(model: ForwardModel[Any], players: int, rng: Rng) -> dict[str, _Call]:
    """Return the measured functions by name; each takes a position that may be used up and an action available in it."""
    return {
        "setup": lambda _state, _action: model.setup(players, rng),
        "next": lambda state, action: model.next(state, action, rng),
        "actions": lambda state, _action: model.available_actions(state),
        "copy": lambda state, _action: state.copy(),
        "observation": lambda state, _action: state.observation(state.current_player, rng),
    }


def _rate(call: _Call, steps: list[_Step]) -> float:
    """Return the number of calls in a second of CPU time, without the copies that are used up."""
    calls, seconds = 0, 0.0
    while seconds < _SECONDS:
        fresh = [(state.copy(), action) for state, action in steps]
        begin = process_time()
        for state, action in fresh:
            call(state, action)
        seconds += process_time() - begin
        calls += len(fresh)
    return calls / seconds


def _random_game(model: ForwardModel[Any], players: int, rng: Rng) -> list[_Step]:
    """Return positions of a random game, each with an available action."""
    steps: list[_Step] = []
    state = model.setup(players, rng)
    while not state.is_terminal:
        action = rng.choice(model.available_actions(state))
        steps.append((state.copy(), action))
        model.next(state, action, rng)
    return steps[:: -(-len(steps) // _POSITIONS)]
