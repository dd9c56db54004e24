"""The results of a tournament, read from its folder alone, and the pausing of agents that keep failing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from tag.orders import GameRecord
from tag.playing.faults import ENDS_PROCESS, TOO_LATE
from tournaments.definition import TournamentDefinition
from tournaments.designs.fixed import Grid, Outcome, outcomes_of_ledger
from tournaments.designs.schedule import Pairing, PlayedGames, Schedule
from tournaments.designs.stopping import StoppingResult, StoppingRule
from tournaments.ledger.folder import read_manifest
from tournaments.ledger.frames import Charges
from tournaments.ledger.games import content_hash, read_charges, read_ledger, read_timings
from tournaments.statistics.intervals import ClusteredMean
from tournaments.statistics.pairwise import PairwiseTable, pairwise
from tournaments.statistics.plackett_luce import RankedGames
from tournaments.statistics.sequential import InOrderRelease
from tournaments.statistics.standings import (
    Standing,
    TeamStanding,
    is_cooperative,
    standings,
    team_standings,
    whole_match_ups,
)

# --- following a tournament in schedule order -------------------------------------------------------------------------
#
# Games may arrive in any order. A block is released once it and all before it are whole: first to the design, if that
# learns, then to the stopping rule. Both therefore do the same with one worker or many, and after an interruption.


class Follower:
    """Passes the blocks of a tournament in order to its design and stopping rule; add games only if it `is_needed`.

    Attributes:
        rule: the rule that may end the tournament; None if there is none.
        is_needed: whether there is a rule, or a design that learns.
        blocks: how many blocks the rule has looked at, void ones included; the tournament ends with these, once
            decided.
    """

    def __init__(self, schedule: Schedule, rule: StoppingRule | None) -> None:
        """Start before the first block."""
        self.rule = rule
        self.is_needed = rule is not None or schedule.design.learns
        self.blocks = 0
        self._schedule = schedule
        self._release = InOrderRelease[Outcome](schedule.n_games)

    @property
    def is_decided(self) -> bool:
        """True if the rule has ended the tournament."""
        return self.rule is not None and self.rule.is_decided

    @property
    def open_games(self) -> int:
        """The games of all known blocks that have not been released."""
        released = self._release.blocks
        return (self._schedule.known - released) * self._schedule.n_games(released)

    def add(self, pairing: Pairing, record: GameRecord) -> None:
        """Take a game, in any order."""
        self._take(pairing.block, pairing.matchup, pairing.seating, Outcome.of(pairing.agents, record))

    def add_ledger(self, games: pd.DataFrame, seats: pd.DataFrame) -> None:
        """Take the games of a ledger, by the frames of `tournaments.read_ledger`."""
        for block, matchup, seating, game in outcomes_of_ledger(games, seats):
            self._take(block, matchup, seating, game)

    def _take(self, block: int, matchup: int, seating: int, game: Outcome) -> None:
        number = matchup * self._schedule.design.n_seatings + seating
        for games in self._release.add(block, number, game):
            was_decided = self.is_decided
            self._schedule.learn(games)
            if self.rule is not None and not was_decided:
                self.blocks += 1
                self.rule.look(games)


# --- circuit breaker --------------------------------------------------------------------------------------------------
#
# An agent that keeps crashing, hanging or running out of time is paused, and the others go on.
#
# Games are judged in schedule order, each once all before it have been played. So the paused agents, and the games
# after which they are paused, follow from the ledger and not from the order of arrival. After that game the agent's
# games are not played; those that already were are left out when the ledger is merged. From the block of that game on
# none of its games counts: the others have then met it equally often.
#
# Designs that learn pause no agent: every match-up must have a result.


#: An agent with more crashes and hangs than this is paused; the figures are fishtest's.
_MOST_ENDS: Final = 3
#: An agent is also paused for time-outs in more than this share of its games, once it has played this many.
_MOST_LATE: Final = 0.1
_LEAST_GAMES: Final = 20


@dataclass(frozen=True)
class Pause:
    """An agent whose games are not played any more.

    Attributes:
        agent: its number.
        after: the last game that was played.
        reason: its faults, for people.
    """

    agent: int
    after: Pairing
    reason: str

    def sentence(self, label: str) -> str:
        """Describe the pause of the agent called ``label``."""
        return (
            f"{label} is paused after game {self.after.game_id} ({self.reason}): its other games are not played, and none "
            f"from block {self.after.block} on counts; add it mended, under another name, with --extend"
        )


class Breaker:
    """Judges the games of a schedule, in its order.

    Attributes:
        pauses: by the number of the agent.
    """

    def __init__(self, schedule: Schedule) -> None:
        """Start with no game played."""
        self.pauses: dict[int, Pause] = {}
        self._schedule = schedule
        self._charges: dict[str, Charges] = {}
        self._known = _Record()  # of all games so far, in any order
        self._judged = _Record()  # of the games up to the next to be judged
        self._walk: Iterator[Pairing] = iter(())
        self._next: Pairing | None = None
        self._walks = False

    def take(self, game_id: str, charges: Charges) -> None:
        """Record the faults of a game."""
        counted = [(agent, kind) for agent, kind in charges if kind in ENDS_PROCESS or kind in TOO_LATE]
        if counted:
            self._charges[game_id] = counted
            self._known.add(counted)

    def judge(self, is_played: Callable[[Pairing], bool]) -> list[Pause]:
        """Judge the games up to the first that has not been played, and return the agents that this pauses.

        As long as no agent has so many faults in all, there is nothing to judge, and the schedule is left alone.
        """
        found: list[Pause] = []
        if self._schedule.design.learns or not self._known.suspects(self.pauses):
            return found
        if not self._walks:
            self._walks = True
            self._walk = iter(self._schedule)
            self._next = next(self._walk, None)
        while self._next is not None and (self.skips(self._next) or is_played(self._next)):
            found += self._judge_game(self._next)
            self._next = next(self._walk, None)
        return found

    def skips(self, pairing: Pairing) -> bool:
        """Say whether a game is skipped because an agent in it has been paused before it."""
        return bool(self.pauses) and any(
            agent in self.pauses and place(pairing) > place(self.pauses[agent].after) for agent in pairing.agents
        )

    def skipped(self) -> dict[str, Pairing]:
        """Return the skipped games of the schedule, by id."""
        if not self.pauses:
            return {}
        return {pairing.game_id: pairing for pairing in self._schedule if self.skips(pairing)}

    def uncounted(self) -> dict[int, int]:
        """Return, for every agent that is paused, the block from which on its games do not count."""
        return {agent: pause.after.block for agent, pause in self.pauses.items()}

    def before_pauses(self, games: pd.DataFrame, seats: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Return the rows of a ledger's games and seats in the blocks before the first pause."""
        if not self.pauses:
            return games, seats
        end = min(self.uncounted().values())
        return games[games["block"] < end], seats[seats["block"] < end]

    def _judge_game(self, pairing: Pairing) -> list[Pause]:
        if self.skips(pairing):
            return []
        judged = self._judged
        judged.add(self._charges.get(pairing.game_id, ()))
        found: list[Pause] = []
        for agent in sorted(set(pairing.agents)):
            judged.games[agent] += 1
            reason = judged.reason(agent)
            if reason:
                found.append(Pause(agent, pairing, reason))
        self.pauses.update((pause.agent, pause) for pause in found)
        return found


class _Record:
    """The games and faults of agents.

    Attributes:
        games: by agent.
        ends: crashes and hangs, by agent.
        late: games with a time-out, by agent.
    """

    def __init__(self) -> None:
        self.games: Counter[int] = Counter()
        self.ends: Counter[int] = Counter()
        self.late: Counter[int] = Counter()

    def add(self, charges: Charges) -> None:
        """Add the faults of one game."""
        self.ends.update(agent for agent, kind in charges if kind in ENDS_PROCESS)
        self.late.update({agent for agent, kind in charges if kind in TOO_LATE})

    def suspects(self, known: Collection[int]) -> bool:
        """Say whether an agent other than those ``known`` may have too many faults, in any order and number of games."""
        least_late = _MOST_LATE * _LEAST_GAMES
        return any(count > _MOST_ENDS for agent, count in self.ends.items() if agent not in known) or any(
            count > least_late for agent, count in self.late.items() if agent not in known
        )

    def reason(self, agent: int) -> str:
        """Return why the agent is paused, empty if it is not."""
        ends, late, games = self.ends[agent], self.late[agent], self.games[agent]
        if ends > _MOST_ENDS:
            return f"{ends} crashes or hangs"
        if games >= _LEAST_GAMES and late > _MOST_LATE * games:
            return f"time-outs in {late} of {games} games"
        return ""


def judged(schedule: Schedule, charges: Mapping[str, Charges], played: Container[Pairing]) -> Breaker:
    """Return the breaker after the games ``played``, with the faults ``charges``."""
    breaker = Breaker(schedule)
    for game_id, of_game in charges.items():
        breaker.take(game_id, of_game)
    breaker.judge(lambda pairing: pairing in played)
    return breaker


def place(pairing: Pairing) -> tuple[int, int, int]:
    """Return a game's place in schedule order, as a key for sorting."""
    return (pairing.block, pairing.matchup, pairing.seating)


# --- the results of a tournament, from its folder alone ---------------------------------------------------------------


@dataclass(frozen=True)
class FaultCount:
    """The number of an agent's faults of one kind.

    Attributes:
        agent: its label.
        kind: the kind of fault.
        faults: their number.
        games: the number of games with such faults.
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
        reason: its faults.
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
    """The standings in the blocks in which a drawn parameter of the game had one value.

    Attributes:
        parameter: its name.
        value: as in a spec.
        standings: of these blocks alone, one per agent, best first, without times.
    """

    parameter: str
    value: str
    standings: list[Standing]

    def to_json(self) -> dict[str, Any]:
        """Return all attributes as plain values."""
        agents = [standing.to_json() for standing in self.standings]
        return {"parameter": self.parameter, "value": self.value, "agents": agents}


@dataclass(frozen=True)
class TournamentResults:
    """The results of a tournament so far.

    Attributes:
        folder: where the tournament is.
        standings: one per agent, best first.
        games: the games in the ledger.
        total: the games of the whole tournament, without those that paused agents do not play. While a stopping rule is
            undecided, it is the most there can be; once it is decided, the games that have been played.
        content_hash: the same for ledgers of the same games with the same results, in any order and division into
            files.
        stopping: the state of its stopping rule, if it has one.
        faults: counts by agent and kind, in the agents' order.
        paused: the agents that are paused, in their order.
        grid: how often each agent is placed above each other, in their order, if the design is a grid and the game is
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
        """True if all games of the tournament have been played."""
        return self.games == self.total

    @property
    def at_most(self) -> bool:
        """True if the total is only the most that may be played."""
        return not self.complete and self.stopping is not None and not self.stopping.is_decided

    @property
    def total_text(self) -> str:
        """The total in words."""
        return f"{'at most ' if self.at_most else ''}{self.total:,}"

    def to_json(self) -> dict[str, Any]:
        """Return all attributes but the folder as plain values."""
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
    """Return the circuit breaker after the games of a ledger, and their faults, by id.

    Args:
        folder: the tournament's.
        schedule: the tournament's.
        games: all games from `tournaments.read_ledger`.
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
    """Return the pause of an agent; a game of two paused agents is missing because of both."""
    not_played = sum(pause.agent in pairing.agents for pairing in skipped.values())
    return PausedAgent(labels[pause.agent], pause.reason, pause.after.game_id, pause.after.block, not_played)


def seat_points(counted: pd.DataFrame) -> pd.DataFrame:
    """Return the mean points of each seat, with 95 % intervals from block means.

    Args:
        counted: the seats of whole match-ups, or of one agent in them.

    Returns:
        Columns seat, games, mean, low and high; one row per seat that was taken.
    """
    seat, points = _ints(counted, "seat"), counted["points"].to_numpy(np.float64)
    blocks, block = np.unique(_ints(counted, "block"), return_inverse=True)
    n_seats = int(seat.max(initial=-1)) + 1
    cell, shape = seat * len(blocks) + block, (n_seats, len(blocks))
    totals = np.bincount(cell, points, n_seats * len(blocks)).reshape(shape)
    sizes = np.bincount(cell, minlength=n_seats * len(blocks)).reshape(shape).astype(np.float64)
    rows = []
    for number in np.unique(seat).tolist():
        mean = ClusteredMean.of(totals[number], sizes[number])
        rows.append((number, int(sizes[number].sum()), mean.mean, *mean.proportion_interval()))
    return pd.DataFrame(rows, columns=["seat", "games", "mean", "low", "high"])


def _ints(frame: pd.DataFrame, name: str) -> npt.NDArray[np.int64]:
    return frame[name].to_numpy(dtype=np.int64)
