"""Previews: what a tournament would play, and about how long it would take, before anything is written."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from time import perf_counter
from typing import Any, Final

from tag.playing import play_order
from tournaments.definition import TournamentDefinition

#: How long games are played for an estimate, in seconds of wall time; at least one is.
_SECONDS: Final = 2.0
_LISTED: Final = 12


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
    """

    games: int
    at_most: bool
    blocks: int
    matchups: int
    seatings: int
    seconds_per_game: float
    played: int
    first: list[tuple[str, tuple[str, ...]]]

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
    played = 0
    begin = perf_counter()
    games = schedule.design.n_matchups * schedule.design.n_seatings
    for pairing in islice(schedule.games(range(1)), 0, games, _stride(games)):
        play_order(definition.order(pairing))
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
    )


def _stride(games: int) -> int:
    """Return a step through the games of a block that visits every match-up and seat before long: odd, near a tenth."""
    return max(1, games // 10) | 1
