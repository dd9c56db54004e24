"""The extent of a tournament and the time that it takes, from a few of its games."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from time import perf_counter
from typing import Any, Final

from tag.orders import play_order
from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.driver.slow_games import SlowGameHint
from tag.tournaments.ledger.rows import PlayedGame

#: How long games are played for an estimate, in seconds of wall time; at least one is.
_SECONDS: Final = 2.0
_LISTED: Final = 12


@dataclass(frozen=True)
class Preview:
    """The extent of a tournament, without playing it.

    Attributes:
        at_most: whether a stopping rule may end it before.
        lengths: the wall time of each game that was played for the estimate, spread over the first block.
        first: the first games, as their ids and the agents in their seats.
        hint: a way to make play faster, if an interpreted game is slow; else empty.
        limit: what a stopping rule cannot decide within these games; else empty.
    """

    games: int
    at_most: bool
    blocks: int
    matchups: int
    seatings: int
    lengths: tuple[float, ...]
    first: list[tuple[str, tuple[str, ...]]]
    hint: str = ""
    limit: str = ""

    @property
    def played(self) -> int:
        """The games that were played for the estimate."""
        return len(self.lengths)

    @property
    def seconds_per_game(self) -> float:
        """The mean wall time of a game on this machine, in one process; 0 for a part without games."""
        return sum(self.lengths) / max(len(self.lengths), 1)

    @property
    def seconds(self) -> float:
        """About how long it takes one process with a core of its own."""
        return self.games * self.seconds_per_game

    def to_json(self) -> dict[str, Any]:
        """Return all attributes as plain values, of the lengths their number and mean."""
        measured = {"seconds_per_game": self.seconds_per_game, "played": self.played}
        first = [{"game_id": game_id, "agents": agents} for game_id, agents in self.first]
        return {
            **{name: value for name, value in self.__dict__.items() if name != "lengths"},
            **measured,
            "first": first,
        }


def preview(definition: TournamentDefinition, seconds: float = _SECONDS) -> Preview:
    """Return the extent of a tournament, and play some of its games for an estimate of the time.

    Raises:
        TagError: a game breaks its contract.
    """
    schedule = definition.schedule()
    rule = definition.stopping_rule(schedule)
    labels = definition.labels
    played: list[PlayedGame] = []
    lengths: list[float] = []
    games = schedule.design.n_matchups * schedule.design.n_seatings
    for pairing in islice(schedule, 0, games, _stride(games)):
        begin = perf_counter()
        played.append(PlayedGame(pairing, play_order(definition.order(pairing))))
        lengths.append(perf_counter() - begin)
        if sum(lengths) > seconds:
            break
    hints: list[str] = []
    SlowGameHint(definition, hints.append).played(played)
    return Preview(
        games=len(schedule),
        at_most=rule is not None,
        blocks=schedule.blocks,
        matchups=schedule.design.n_matchups,
        seatings=schedule.design.n_seatings,
        lengths=tuple(lengths),
        first=[
            (pairing.game_id, tuple(labels[agent] for agent in pairing.agents)) for pairing in islice(schedule, _LISTED)
        ],
        hint="".join(hints),
        limit=rule.limit if rule is not None else "",
    )


def _stride(games: int) -> int:
    """Return a step through the games of a block that soon visits every match-up and seat: odd, near a tenth."""
    return max(1, games // 10) | 1
