"""The results of a tournament, read from its folder alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from tournaments._frames import Charges
from tournaments.breaker import Breaker, Pause, judged
from tournaments.cooperation import TeamStanding, is_cooperative, team_standings
from tournaments.definition import TournamentDefinition
from tournaments.designs import Grid
from tournaments.folder import read_manifest
from tournaments.following import Follower
from tournaments.ledger import content_hash, read_charges, read_ledger, read_timings
from tournaments.played import PlayedGames
from tournaments.ratings.games import RankedGames
from tournaments.ratings.pairwise import PairwiseTable, pairwise
from tournaments.schedule import Pairing, Schedule
from tournaments.standings import Standing, standings, whole_match_ups
from tournaments.stopping_rule import StoppingResult


@dataclass(frozen=True)
class FaultCount:
    """How often an agent did something wrong.

    Attributes:
        agent: its label.
        kind: the kind of fault.
        faults: how often.
        games: in how many games.
    """

    agent: str
    kind: str
    faults: int
    games: int


@dataclass(frozen=True)
class PausedAgent:
    """An agent that the circuit breaker has paused.

    Attributes:
        agent: its label.
        reason: what it has done.
        after: the id of the last game that was judged.
        from_block: the block from which on its games do not count.
        not_played: how many of its games are not played because of it.
    """

    agent: str
    reason: str
    after: str
    from_block: int
    not_played: int


@dataclass(frozen=True)
class VariantStandings:
    """How the agents did in the blocks in which a parameter of the game had one of the values that are drawn.

    Attributes:
        parameter: its name.
        value: as in a spec.
        standings: of these blocks alone, one per agent, best first, without times.
    """

    parameter: str
    value: str
    standings: list[Standing]

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        agents = [standing.to_json() for standing in self.standings]
        return {"parameter": self.parameter, "value": self.value, "agents": agents}


@dataclass(frozen=True)
class TournamentResults:
    """What a tournament came to so far.

    Attributes:
        folder: where the tournament is.
        standings: one per agent, best first.
        games: the games in the ledger.
        total: the games of the whole tournament, without those that are not played because of paused agents; the most
            there can be while a stopping rule is undecided, and what has been played once it is decided.
        content_hash: the same for ledgers of the same games with the same results, however they came about.
        stopping: how its stopping rule stands, if it has one.
        faults: what went wrong, by agent and kind, in the agents' order.
        paused: the agents that are paused, in their order.
        grid: how often each agent is placed above each other, in their order, where the design is a grid and the game is
            not co-operative.
        is_cooperative: whether all win or lose together.
        teams: if so, how often each team has succeeded, best first.
        variants: the standings by each value of each parameter that is drawn anew for each block.
    """

    folder: Path
    standings: list[Standing]
    games: int
    total: int
    content_hash: str
    stopping: StoppingResult | None = None
    faults: list[FaultCount] = field(default_factory=list)
    paused: list[PausedAgent] = field(default_factory=list)
    grid: PairwiseTable | None = None
    is_cooperative: bool = False
    teams: list[TeamStanding] = field(default_factory=list)
    variants: list[VariantStandings] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether every game has been played that is to be."""
        return self.games == self.total

    @property
    def at_most(self) -> bool:
        """Whether the total is only the most that may be played."""
        return not self.complete and self.stopping is not None and not self.stopping.is_decided

    @property
    def total_text(self) -> str:
        """The total in words."""
        return f"{'at most ' if self.at_most else ''}{self.total:,}"

    def to_json(self) -> dict[str, Any]:
        """Return everything but the folder as plain values."""
        return {
            "agents": [standing.to_json() for standing in self.standings],
            "games": self.games,
            "total": self.total,
            "at_most": self.at_most,
            "complete": self.complete,
            "faults": [asdict(count) for count in self.faults],
            "paused": [asdict(agent) for agent in self.paused],
            "content_hash": self.content_hash,
            "stopping": self.stopping.to_json() if self.stopping else None,
            "grid": self.grid.to_json() if self.grid else None,
            "cooperative": self.is_cooperative,
            "teams": [team.to_json() for team in self.teams],
            "variants": [variant.to_json() for variant in self.variants],
        }


def read_results(folder: Path) -> TournamentResults:
    """Return the results of the tournament in ``folder``.

    Raises:
        DataError: there is no tournament.
    """
    definition = read_manifest(folder).definition
    games, seats = read_ledger(folder)
    schedule = definition.schedule()
    breaker, charges = judged_ledger(folder, schedule, games)
    skipped, uncounted = breaker.skipped(), breaker.uncounted()
    n_games = len(games) - (int(games["game_id"].isin(skipped).sum()) if skipped else 0)
    total = len(schedule) - len(skipped)
    rule = definition.stopping_rule(schedule)
    if rule is not None:
        Follower(schedule, rule).add_ledger(*breaker.before_pauses(games, seats))
        total = n_games if rule.is_decided else total
    n_seatings = schedule.design.n_seatings
    is_shared, is_grid = is_cooperative(seats), isinstance(schedule.design, Grid)
    counted = whole_match_ups(games, seats, n_seatings, uncounted) if is_shared or is_grid else seats[:0]
    return TournamentResults(
        folder=folder,
        standings=standings(games, seats, read_timings(folder), n_seatings=n_seatings, uncounted=uncounted),
        games=n_games,
        total=total,
        content_hash=content_hash(folder),
        stopping=rule.result() if rule else None,
        faults=_fault_counts(charges, definition.labels),
        paused=[_paused(pause, skipped, definition.labels) for _agent, pause in sorted(breaker.pauses.items())],
        grid=pairwise(RankedGames.of(counted)) if is_grid and not is_shared else None,
        is_cooperative=is_shared,
        teams=team_standings(counted, definition.players) if is_shared and definition.players > 1 else [],
        variants=list(_variants(definition, games, seats, n_seatings, uncounted)),
    )


def _variants(
    definition: TournamentDefinition,
    games: pd.DataFrame,
    seats: pd.DataFrame,
    n_seatings: int,
    uncounted: Mapping[int, int],
) -> Iterator[VariantStandings]:
    """Yield the standings by each value of each parameter that is drawn."""
    n_blocks = int(games["block"].max()) + 1 if len(games) else 0
    for draw in definition.variants.draws:
        numbers = np.array([draw.number(definition.seed, block) for block in range(n_blocks)], dtype=np.int64)
        of_game, of_seat = (numbers[frame["block"].to_numpy(dtype=np.int64)] for frame in (games, seats))
        for number, value in enumerate(draw.values):
            played, sat = games[of_game == number], seats[of_seat == number]
            yield VariantStandings(
                draw.parameter, value, standings(played, sat, n_seatings=n_seatings, uncounted=uncounted)
            )


def judged_ledger(folder: Path, schedule: Schedule, games: pd.DataFrame) -> tuple[Breaker, dict[str, Charges]]:
    """Return the circuit breaker after the games of a ledger, and what went wrong in them, by id.

    Args:
        folder: the tournament's.
        schedule: likewise.
        games: from `tournaments.read_ledger`, whole.
    """
    if not games["faults"].any():
        return Breaker(schedule), {}
    charges = read_charges(folder)
    return judged(schedule, charges, PlayedGames([games])), charges


def uncounted_in(folder: Path, schedule: Schedule, games: pd.DataFrame) -> dict[int, int]:
    """Return, for every agent that is paused, by number, the block from which on its games do not count.

    The arguments are those of `judged_ledger`.
    """
    return judged_ledger(folder, schedule, games)[0].uncounted()


def counted_seats(folder: Path) -> pd.DataFrame:
    """Return the seats of the games that count in the tournament in ``folder``, as `tournaments.read_ledger` has them.

    Raises:
        DataError: there is no tournament, or its ledger is damaged.
    """
    schedule = read_manifest(folder).definition.schedule()
    games, seats = read_ledger(folder)
    return whole_match_ups(games, seats, schedule.design.n_seatings, uncounted_in(folder, schedule, games))


def _fault_counts(charges: Mapping[str, Charges], labels: Sequence[str]) -> list[FaultCount]:
    faults = Counter(charge for of_game in charges.values() for charge in of_game)
    games = Counter(charge for of_game in charges.values() for charge in set(of_game))
    return [FaultCount(labels[agent], kind, faults[agent, kind], games[agent, kind]) for agent, kind in sorted(faults)]


def _paused(pause: Pause, skipped: Mapping[str, Pairing], labels: Sequence[str]) -> PausedAgent:
    """Return what became of an agent; a game of two paused agents is missing because of both."""
    not_played = sum(pause.agent in pairing.agents for pairing in skipped.values())
    return PausedAgent(labels[pause.agent], pause.reason, pause.after.game_id, pause.after.block, not_played)
