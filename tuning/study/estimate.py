"""Estimates of studies and trainings before they begin: the games, the time and the room that they take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple

from tag.tournaments.definition import Rules, define
from tag.tournaments.driver.counts import duration
from tag.tournaments.driver.preview import preview

#: How long games are played for an estimate, in seconds of wall time; of each sample at least one is.
SECONDS: Final = 2.0
#: About the size of a game in the ledger, doubled, as there are two copies during a merge.
_GAME_BYTES: Final = 250
#: The rest of the folder of a small study.
_STUDY_BYTES: Final = 1 << 20


class Sample(NamedTuple):
    """Games like those of a study: the spec of the game, the number of players, and the specs of who meets."""

    game: str
    players: int
    agents: tuple[str, ...]


@dataclass(frozen=True)
class StudyEstimate:
    """Games, time and room of a study or a training.

    Attributes:
        games: of all stages; of a training, those that the learners play against themselves.
        seconds: wall time with these workers, each with a core of its own, about.
        bytes: room in the folder, about.
        workers: the processes that play.
        played: games that were played to measure the time.
        at_most: True, as races and stopping rules end trials and trainings before.
    """

    games: int
    seconds: float
    bytes: int
    workers: int
    played: int
    at_most: bool = True

    def to_json(self) -> dict[str, Any]:
        """Return all as plain values."""
        return asdict(self)

    @property
    def text(self) -> str:
        """The estimate in a sentence."""
        processes = "1 process" if self.workers == 1 else f"{self.workers:,} processes"
        return (
            f"at most {self.games:,} games, about {duration(self.seconds)} with {processes}, and "
            f"{self.bytes / 1e6:,.1f} MB (from {self.played:,} games)"
        )


def room_of(games: int) -> int:
    """Return about how much room, in bytes, the folder of a study takes with so many games in its ledgers."""
    return _STUDY_BYTES + games * _GAME_BYTES


class Measured(NamedTuple):
    """The mean wall time of a game in one process, in seconds, and how many were played for it."""

    seconds: float
    played: int


def measure(samples: Sequence[Sample], seed: int, rules: Rules | None = None) -> Measured:
    """Play a few games of each sample; the mean is that over samples.

    Raises:
        TagError: a game breaks its contract.
    """
    total, played = 0.0, 0
    for sample in samples:
        agents = sample.agents if len(sample.agents) > 1 or sample.players == 1 else sample.agents * 2
        design = {"design": "grid"} if sample.players > len(agents) > 1 else {}
        definition = define(sample.game, agents, 1, players=sample.players, seed=seed, rules=rules, **design)
        found = preview(definition, SECONDS / len(samples))
        total += found.seconds_per_game
        played += found.played
    return Measured(total / max(len(samples), 1), played)
