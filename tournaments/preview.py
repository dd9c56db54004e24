"""Previews: what a tournament would play, and about how long it would take, before anything is written."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from time import perf_counter
from typing import Any, Final

from tag.errors import UnknownNameError
from tag.playing import GameRecord, play_order
from tag.registry import agent_class
from tag.spec import parse_spec
from tag.user_code import is_path
from tag.version import is_compiled
from tournaments.definition import TournamentDefinition
from tournaments.schedule import Pairing

#: How long games are played for an estimate, in seconds of wall time; at least one is.
_SECONDS: Final = 2.0
_LISTED: Final = 12
#: From so many seconds per decision on, a hint says what makes an interpreted game faster.
_SLOW: Final = 0.05
#: Few decisions say little: the first ones also import what an agent needs.
_FEWEST: Final = 3


@dataclass(frozen=True)
class Preview:
    """What a tournament would play.

    Attributes:
        games: in all blocks.
        at_most: whether a stopping rule may end it before.
        blocks: the chance seeds.
        matchups: per block.
        seatings: of each match-up.
        seconds_per_game: mean wall time of a game on this machine, in one process.
        played: the games that this was measured on, spread over the first block.
        first: the first games, as their ids and the agents in their seats.
        hint: what makes play faster, where an interpreted game is slow; else empty.
    """

    games: int
    at_most: bool
    blocks: int
    matchups: int
    seatings: int
    seconds_per_game: float
    played: int
    first: list[tuple[str, tuple[str, ...]]]
    hint: str = ""

    def seconds(self, workers: int) -> float:
        """Return about how long it takes ``workers`` processes with a core each."""
        return self.games * self.seconds_per_game / workers

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {**self.__dict__, "first": [{"game_id": game_id, "agents": agents} for game_id, agents in self.first]}


def preview(definition: TournamentDefinition, seconds: float = _SECONDS) -> Preview:
    """Return what the tournament would play, and play some of its games for an estimate of the time.

    Raises:
        TagError: a game breaks its contract.
    """
    schedule = definition.schedule()
    labels = definition.labels
    pace = Pace(definition)
    played = 0
    begin = perf_counter()
    games = schedule.design.n_matchups * schedule.design.n_seatings
    for pairing in islice(schedule.games(range(1)), 0, games, _stride(games)):
        pace.add(pairing, play_order(definition.order(pairing)))
        played += 1
        if perf_counter() - begin > seconds:
            break
    took = perf_counter() - begin
    return Preview(
        games=len(schedule),
        at_most=definition.stopping_rule(schedule) is not None,
        blocks=schedule.blocks,
        matchups=schedule.design.n_matchups,
        seatings=schedule.design.n_seatings,
        seconds_per_game=took / played,
        played=played,
        first=[
            (pairing.game_id, tuple(labels[agent] for agent in pairing.agents)) for pairing in islice(schedule, _LISTED)
        ],
        hint=pace.hint(),
    )


class Pace:
    """How long the agents of a tournament take for a decision, and whether that is slow for want of a compiler."""

    def __init__(self, definition: TournamentDefinition) -> None:
        """Begin without games."""
        self._definition = definition
        self._seconds = [0.0] * len(definition.agents)
        self._decisions = [0] * len(definition.agents)
        self._is_interpreted = not is_compiled() or is_path(parse_spec(definition.game).name)

    def add(self, pairing: Pairing, record: GameRecord) -> None:
        """Take the times of a game."""
        for agent, seconds, decisions in zip(pairing.agents, record.seconds, record.decisions, strict=True):
            self._seconds[agent] += seconds
            self._decisions[agent] += decisions

    def hint(self) -> str:
        """Return what makes play faster, in a sentence; empty unless an interpreted game is slow with some budget."""
        if not self._is_interpreted:
            return ""
        means = [
            (seconds / decisions, agent)
            for agent, (seconds, decisions) in enumerate(zip(self._seconds, self._decisions, strict=True))
            if decisions >= _FEWEST and seconds >= _SLOW * decisions and _has_budget(self._definition.agents[agent])
        ]
        if not means:
            return ""
        mean, agent = max(means)
        return (
            f"{self._definition.game} runs interpreted: about {mean:.2g} s per decision of "
            f"{self._definition.labels[agent]}; a smaller budget=… takes less, and --dry-run says how long all takes"
        )


def _has_budget(spec: str) -> bool:
    """Say whether an agent has a budget that can be smaller."""
    try:
        parameters = agent_class(parse_spec(spec).name).parameters_class
    except UnknownNameError:
        return False  # the agents of `tag simulate` are made up
    return any(dimension.name == "budget" for dimension in parameters.dimensions())


def _stride(games: int) -> int:
    """Return a step through the games of a block that visits every match-up and seat before long: odd, near a tenth."""
    return max(1, games // 10) | 1
