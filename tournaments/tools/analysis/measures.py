"""The definition of an analysis, and its measures: from metrics and the ledger, the depth of skill, the speed of play."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from math import ceil, sqrt
from pathlib import Path
from time import process_time
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from tag.action import AnyAction
from tag.errors import ParameterError, PlayersError, SpecError, TagError
from tag.forward_model import ForwardModel
from tag.registry import (
    agent_class,
    canonical,
    game_class,
    game_names,
    make_agent,
    make_game,
    metric_class,
    metrics_for,
)
from tag.rng import Rng, derive_seed
from tag.spec import Spec, parse_spec
from tag.state import GameState
from tournaments.definition import TournamentDefinition, canonical_agent, define
from tournaments.designs import DEFAULT_DESIGN, make_design
from tournaments.ledger.folder import event_name, read_manifest
from tournaments.ledger.games import read_ledger, read_measures
from tournaments.statistics.intervals import ClusteredMean
from tournaments.statistics.results import read_results
from tournaments.statistics.standings import Standing

# --- what an analysis is: game types at numbers of players, an agent that plays all seats, and how often ----------------


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


# --- measures -----------------------------------------------------------------------------------------------------------
#
# The measures of an event: what metrics kept in its ledger, and what the ledger itself says, as values by game.


#: What the ledger knows of each game, whoever measures.
_OF_THE_LEDGER: Final = {
    "decisions": "decisions of a game: how often an agent was asked, with more than one action to choose from",
    "ticks": "actions of a game, those without an alternative included",
    "turns": "turns ended in a game",
    "rounds": "rounds ended in a game",
    "first_seat": "points of the first seat beyond an equal share: above 0 where it is good to begin",
    "decided": "share of games that somebody won",
}
#: The shares of values below which the columns p5 … p95 lie.
_QUANTILES: Final = {"p5": 0.05, "p25": 0.25, "median": 0.5, "p75": 0.75, "p95": 0.95}
#: The courses of a game have about so many points.
_POINTS: Final = 120
#: A point counts at least so many games (or all, of fewer), and this share of them.
_FEWEST_GAMES: Final = 5
_SMALLEST_SHARE: Final = 0.02
#: Distributions have at most so many bins, and leave out this share of the values at either end.
_BINS: Final = 40
_TAIL: Final = 0.005
#: How a measure is described whose values are shares (between 0 and 1), and one that is 0 or 1 in each game.
_SHARE: Final = "share of "
_SHARE_OF_GAMES: Final = "share of games "

_Floats = npt.NDArray[np.float64]
_Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Measure:
    """All values of one measure in the games of an event.

    Attributes:
        name: what it is called.
        about: what it is, in one line, with the unit.
        values: all values, game by game.
        game: the number of the game that each is from.
        number: its number within the game.
    """

    name: str
    about: str
    values: _Floats
    game: _Ints
    number: _Ints

    def summary(self) -> dict[str, float | int | str | None]:
        """Return a row of figures.

        ``mean`` is that of the games' means, each game counting once, with its 95 % interval from ``low`` to ``high``
        (Wilson's for a share of games); the standard deviation ``sd``, the quantiles and the extremes are those of all
        values.
        """
        games, index = np.unique(self.game, return_inverse=True)
        sizes = np.bincount(index, minlength=len(games)).astype(np.float64)
        means = np.bincount(index, self.values, len(games)) / sizes
        mean = ClusteredMean.of(means, np.ones(len(games)))
        low, high = mean.interval(*((0.0, 1.0) if is_share(self.about) else (-np.inf, np.inf)))
        if is_share_of_games(self.about):
            low, high = mean.proportion_interval()
        figures = {"mean": mean.mean, "low": low, "high": high, "sd": float(np.std(self.values))}
        figures |= {"min": float(self.values.min()), "max": float(self.values.max())}
        figures |= {name: float(np.quantile(self.values, share)) for name, share in _QUANTILES.items()}
        return {"measure": self.name, "games": len(games), "values": len(self.values), **figures}

    def course(self) -> pd.DataFrame:
        """Return how the measure goes over a game: one row per stretch of actions that enough games reach.

        Returns:
            Columns at (the first action of the stretch, from 0), games, mean, p5, p25, p75, p95.
        """
        longest = float(np.quantile(self.number, 0.99)) if len(self.number) else 0.0
        width = max(1, -(-int(longest + 1) // _POINTS))
        frame = pd.DataFrame({"at": self.number // width * width, "value": self.values, "game": self.game})
        by = frame.groupby("at")
        course = pd.DataFrame({"games": by["game"].nunique(), "mean": by["value"].mean()})
        for name in ("p5", "p25", "p75", "p95"):
            course[name] = by["value"].quantile(_QUANTILES[name])
        n_games = len(np.unique(self.game))
        enough = min(n_games, max(_FEWEST_GAMES, _SMALLEST_SHARE * n_games))
        return course[course["games"] >= enough].reset_index()

    def distribution(self) -> pd.DataFrame:
        """Return how many of all values lie where, the outermost left out.

        There are twice the cube root of as many bins as values (Rice's rule), 40 at most. Whole numbers have bins around
        them, ``low`` and ``high`` half a number away, one bin for each number where those are few enough.

        Returns:
            Columns low, high (the ends of a bin; both the value where there is but one) and share (of all values).
        """
        most = min(_BINS, ceil(2.0 * len(self.values) ** (1.0 / 3.0)))
        first = float(np.quantile(self.values, _TAIL, method="lower"))
        last = float(np.quantile(self.values, 1.0 - _TAIL, method="higher"))
        if bool((self.values == np.rint(self.values)).all()):
            width = -(-(np.ceil(last) - np.floor(first) + 1.0) // most)
            edges = np.arange(np.floor(first) - 0.5, np.ceil(last) + 0.5 + width, width)
        elif first == last:
            return pd.DataFrame({"low": [first], "high": [last], "share": [float(np.mean(self.values == first))]})
        else:
            edges = np.linspace(first, last, most + 1)
        counts, _edges = np.histogram(self.values, edges)
        return pd.DataFrame({"low": edges[:-1], "high": edges[1:], "share": counts / len(self.values)})


def is_share(about: str) -> bool:
    """Say whether the values of a measure described in this way are shares, between 0 and 1."""
    return about.startswith(_SHARE)


def is_share_of_games(about: str) -> bool:
    """Say whether a measure described in this way is 0 or 1 in each game."""
    return about.startswith(_SHARE_OF_GAMES)


def describe(metrics: Iterable[str]) -> dict[str, str]:
    """Return all measures of games that are played with these metrics, with their descriptions.

    Raises:
        UnknownNameError: there is no such metric.
    """
    about = dict(_OF_THE_LEDGER)
    for name in metrics:
        about |= metric_class(name).measures
    return about


def read_event(folder: Path) -> dict[str, Measure]:
    """Return the measures of the event that was played in ``folder``, by name; those without any value are left out.

    Raises:
        DataError: there is no such tournament.
    """
    definition = read_manifest(folder).definition
    about = describe(definition.metrics)
    found = {**_of_the_ledger(folder, definition), **_of_metrics(folder)}
    return {name: Measure(name, about[name], *found[name]) for name in about if name in found}


def read_metrics(folder: Path, metrics: Iterable[str]) -> list[Measure]:
    """Return what these metrics measured in the tournament in ``folder``, without descriptions where a metric is gone.

    Raises:
        DataError: there is no such tournament, or its ledger is damaged.
    """
    about: dict[str, str] = {}
    for name in metrics:
        with suppress(TagError):  # a file of a user's that is no longer there, or does not import here
            about |= metric_class(name).measures
    return [Measure(name, about.get(name, ""), *found) for name, found in _of_metrics(folder).items()]


def _of_the_ledger(folder: Path, definition: TournamentDefinition) -> dict[str, tuple[_Floats, _Ints, _Ints]]:
    games, seats = read_ledger(folder)
    by_game = seats.groupby("game_id", sort=False)
    found: dict[str, _Floats] = {name: games[name].to_numpy(np.float64) for name in ("ticks", "turns", "rounds")}
    found["decisions"] = by_game["decisions"].sum().to_numpy(np.float64)
    if Event(definition.game, definition.players).is_contest:
        points = seats[seats["seat"] == 0]["points"].to_numpy(np.float64)
        found["first_seat"] = points - by_game["points"].sum().to_numpy(np.float64) / definition.players
    found["decided"] = np.asarray(by_game["win"].any(), dtype=np.float64)
    played = np.flatnonzero(~games["void"])
    zeros = np.zeros(len(played), np.int64)
    return {name: (values[played], played, zeros) for name, values in found.items() if len(played)}


def _of_metrics(folder: Path) -> dict[str, tuple[_Floats, _Ints, _Ints]]:
    frame = read_measures(folder)
    frame["game"] = frame["game_id"].cat.codes
    found = {}
    for name, rows in frame.groupby("measure", observed=True):
        arrays = (rows["game"].to_numpy(np.int64), rows["number"].to_numpy(np.int64))
        found[str(name)] = (rows["value"].to_numpy(np.float64), *arrays)
    return found


# --- skill depth: what half the budget costs an agent -------------------------------------------------------------------


#: The measures, of which an event has one: the first where players are against each other.
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


# --- game speed (μ5): calls per second of what agents and the game loop call, on positions of random games --------------


#: Games whose positions are tried: as many figures for each function.
_SAMPLES: Final = 15
#: At most so many positions of a game, evenly spread.
_POSITIONS: Final = 100
#: What a figure takes at least, in seconds of CPU time.
_SECONDS: Final = 0.004

_Step = tuple[GameState, AnyAction]
_Call = Callable[[GameState, AnyAction], object]

COLUMNS: Final = ("game", "players", "function", "sample", "per_second")
#: What is measured.
FUNCTIONS: Final = {
    "setup": "set-ups of a game",
    "next": "actions taken, with all that follows from them",
    "actions": "lists of the actions available",
    "copy": "copies of the state",
    "observation": "copies for the player to act, with all dealt again that it cannot know",
}


def measure_speed(event: Event, seed: int) -> pd.DataFrame:
    """Return how many calls of each function this process makes per second of CPU time.

    Args:
        event: the game type and its players.
        seed: decides the positions, not the speed.

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
    """Return what is measured, by name, as functions of a position that may be used up and an action available in it."""
    return {
        "setup": lambda _state, _action: model.setup(players, rng),
        "next": lambda state, action: model.next(state, action, rng),
        "actions": lambda state, _action: model.available_actions(state),
        "copy": lambda state, _action: state.copy(),
        "observation": lambda state, _action: state.observation(state.current_player, rng),
    }


def _rate(call: _Call, steps: list[_Step]) -> float:
    """Return how many calls there are in a second of CPU time, the copies that are used up left out."""
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
    """Return positions of a random game, each with an action that is available there."""
    steps: list[_Step] = []
    state = model.setup(players, rng)
    while not state.is_terminal:
        action = rng.choice(model.available_actions(state))
        steps.append((state.copy(), action))
        model.next(state, action, rng)
    return steps[:: -(-len(steps) // _POSITIONS)]
