"""Standings: how the agents or the teams of a tournament did, each number with its interval.

Co-operative games are won or lost together, so their standings are of teams: by score where the game counts points, as
games for one player are, else by success rates.

Only whole match-ups enter: a match-up of a block counts when all its seatings have been played and none is void. So
no agent gains from the seats, or from the games that end first. Those of a paused agent
(`tag.tournaments.designs.stopping`) count up to the block in which it was paused, so that no agent gains from having
met it. An agent in several seats of a game counts once per seat. Intervals are at 95 %, from block means (see
`tag.tournaments.statistics.intervals`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, isnan, nan
from typing import Any, Final, NamedTuple, Self, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from tag.tournaments.statistics.clustered_means import ClusteredMean, ClusteredMeans, intervals
from tag.tournaments.statistics.intervals import Bools, Floats, Interval, Ints
from tag.tournaments.statistics.plain_records import plain_record
from tag.tournaments.statistics.repeats import INDEPENDENT
from tag.tournaments.statistics.within_blocks import WithinBlock, within_block_of_wins


@dataclass(frozen=True, slots=True)
class TeamStanding:
    """A team's success rate and score, over all seatings of its agents.

    Attributes:
        team: its agents, those in several seats with how many.
        agents: their labels, one per seat, in the order of the tournament.
        success_rate_interval: from block means.
        score: mean of the game's own points; the success rate in a game that counts none.
        score_interval: from block means.
    """

    team: str
    agents: tuple[str, ...]
    games: int
    blocks: int
    successes: int
    success_rate: float
    success_rate_interval: Interval
    score: float
    score_interval: Interval

    def to_json(self) -> dict[str, Any]:
        """Return all attributes as plain values."""
        return plain_record(self)


def team_standings(counted: pd.DataFrame, n_players: int) -> list[TeamStanding]:
    """Return one standing per different team of co-operative games, by score, then by success."""
    labels = [str(label) for label in counted["agent"].cat.categories]
    agents = np.sort(counted["agent_index"].to_numpy(dtype=np.int64).reshape(-1, n_players), axis=1)
    has_won = counted["win"].to_numpy(dtype=bool).reshape(-1, n_players).any(axis=1)
    score = counted["score"].to_numpy(dtype=np.float64).reshape(-1, n_players)[:, 0]
    blocks, block = np.unique(counted["block"].to_numpy().reshape(-1, n_players)[:, 0], return_inverse=True)
    teams, team = np.unique(agents, axis=0, return_inverse=True)
    shape = (len(teams), len(blocks))
    cell = team.ravel() * len(blocks) + block
    is_new = counted[INDEPENDENT].to_numpy().reshape(-1, n_players)[:, 0] if INDEPENDENT in counted else None
    games, wins, scores, new = (
        np.bincount(cell, weights, len(teams) * len(blocks)).astype(np.float64).reshape(shape)
        for weights in (None, has_won, score, is_new)
    )
    rows = zip(teams.tolist(), games, wins, scores, new, strict=True)
    found = [_team_standing(tuple(labels[agent] for agent in members), *sums) for members, *sums in rows]
    return sorted(found, key=lambda standing: (-standing.score, -standing.success_rate, standing.team))


def teams_of_one_agent(seats: pd.DataFrame, n_players: int) -> pd.DataFrame:
    """Return the first seats of the games of a co-operative game in which all seats have the same agent."""
    agents = seats["agent_index"].to_numpy().reshape(-1, n_players)
    is_alone = (agents == agents[:, :1]).all(axis=1)
    return pd.DataFrame(seats[::n_players][is_alone])


def _team_standing(
    agents: Sequence[str], games: Floats, wins: Floats, scores: Floats, independent: Floats
) -> TeamStanding:
    rate, score = (ClusteredMean.of(sums, games, independent) for sums in (wins, scores))
    members = Counter(agents)
    name = " + ".join(agent if times == 1 else f"{times} x {agent}" for agent, times in members.items())
    interval = rate.proportion_interval()
    blocks = int(np.count_nonzero(games))
    return TeamStanding(
        name,
        tuple(agents),
        int(games.sum()),
        blocks,
        int(wins.sum()),
        rate.mean,
        interval,
        score.mean,
        score.interval(-inf, inf),
    )


@dataclass(frozen=True, slots=True)
class Standing:
    """The results of one agent; rates and means are nan for one that has no games yet, and each has its interval.

    Attributes:
        games: the games that count, once per seat.
        wins: games won; a draw is not a win.
        points: mean per game: 1 for a win, 1/k for one of k players who share first place or win together.
        effective_games: independent games that would tell as much about the win rate; fewer where games repeat
            (`tag.tournaments.statistics.repeats`), as all intervals then are wider.
        design_effect: games per effective game; below 1 where rotating the seats has cancelled luck.
        correlation: between two games of a block in being won; below 0 where rotating the seats has cancelled luck, nan
            where it cannot be told.
        decisions: how often the agent was asked in these games.
        decision_ms: mean wall time of a decision in milliseconds; nan where no timings are known.
        decision_cpu_ms: mean CPU time of a decision in milliseconds, which other programs on the machine hardly change;
            nan where it is not known.
        peak_mb: the most memory that the agent's process has had resident in a game, in megabytes (2**20 bytes); None where
            agents are not isolated, or it is not known.
        faults: in all games, also those that do not count.
    """

    agent: str
    games: int
    blocks: int
    wins: int
    win_rate: float
    win_rate_interval: Interval
    points: float
    points_interval: Interval
    points_error: float
    mean_ordinal: float
    mean_ordinal_interval: Interval
    score: float
    score_interval: Interval
    effective_games: float
    design_effect: float
    correlation: float
    decisions: int
    decision_ms: float
    decision_cpu_ms: float
    peak_mb: float | None
    faults: int

    def to_json(self) -> dict[str, Any]:
        """Return all attributes as plain values, nan as None."""
        return plain_record(self)


def ranked_standings(
    labels: Sequence[str],
    sums: BlockSums,
    n_players: int,
    faults: Floats | None = None,
    costs: Floats | None = None,
    is_one_team: bool = False,
) -> list[Standing]:
    """Return one standing per agent: by win rate, then points, then label; by score where all are one team.

    Args:
        labels: of the agents by number.
        sums: over the seats that count.
        n_players: of a game.
        faults: of shape (agents,), over all seats; by default none.
        costs: of shape (3, agents): the wall and CPU milliseconds of a decision, and the most memory in megabytes; by
            default unknown.
        is_one_team: whether all players win or lose together; so in games for one player in any case.
    """
    faults = np.zeros(len(labels)) if faults is None else faults
    costs = np.full((3, len(labels)), nan) if costs is None else costs
    parts = [sums.of(agent) for agent in range(len(labels))]
    means = _Means.of_each(sums, n_players)
    errors = _errors(means, sums, n_players - 1)
    found = [
        _standing(label, parts[agent], means[agent], errors[agent], int(faults[agent]), costs[:, agent].tolist())
        for agent, label in enumerate(labels)
    ]
    return sorted(found, key=_rank_of_team if is_one_team or n_players == 1 else _rank)


def whole_match_ups(
    games: pd.DataFrame, seats: pd.DataFrame, n_seatings: int, uncounted: Mapping[int, int] | None = None
) -> pd.DataFrame:
    """Return the seats of whole match-ups that count: ``n_seatings`` games in their block, of which none is void."""
    whole = WholeMatchUps(games, n_seatings)
    whole.leave_out(seats, uncounted or {})
    return whole.of(seats)


#: Seats of games: a data frame, or arrays of shape (seats,) by the names of its columns.
SeatColumns: TypeAlias = "pd.DataFrame | Mapping[str, npt.NDArray[Any]]"


class WholeMatchUps:
    """The match-ups of a tournament that count, of which only the numbers of games are kept."""

    def __init__(self, games: Any, n_seatings: int) -> None:
        """Count ``games``, all of a ledger, as a frame or an Arrow table; a whole match-up has ``n_seatings`` in a block."""
        self._width = int(np.asarray(games["matchup"]).max(initial=0)) + 1
        number = self._number(games)
        n_blocks = int(number.max(initial=0)) // self._width + 1
        played = number[~np.asarray(games["void"], dtype=bool)]
        self._is_whole = np.bincount(played, minlength=n_blocks * self._width) == n_seatings

    def leave_out(self, seats: SeatColumns, uncounted: Mapping[int, int]) -> None:
        """Leave out the match-ups of paused agents, from a block on for each; ``seats`` may be some of all."""
        for agent, block in uncounted.items():
            is_out = (_ints(seats, "agent_index") == agent) & (_ints(seats, "block") >= block)
            self._is_whole[self._number(seats)[is_out]] = False

    def of(self, seats: pd.DataFrame) -> pd.DataFrame:
        """Return the seats that count of all or some."""
        is_counted = self.count(seats)
        return seats if is_counted.all() else pd.DataFrame(seats[is_counted])

    def count(self, rows: Any) -> Bools:
        """Return which games or seats count, by the columns of a frame or an Arrow table."""
        counted: Bools = self._is_whole[self._number(rows)]
        return counted

    def _number(self, rows: Any) -> Ints:
        number = _ints(rows, "block") * self._width
        number += np.asarray(rows["matchup"])
        return number


#: The columns of the standings.
_SUMMED: Final = ("win", "points", "ordinal", "score", "decisions")
#: The columns of seats from which they are made.
STANDINGS_COLUMNS: Final = ("block", "agent_index", *_SUMMED, INDEPENDENT)


@dataclass(frozen=True, eq=False)
class BlockSums:
    """Sums over the seats of each agent in each block with games.

    Attributes:
        blocks: the numbers of these blocks, in order.
        sums: by column, and the numbers of ``games`` and of ``independent`` ones, of shape (agents, blocks).
    """

    blocks: Ints
    sums: dict[str, Floats]

    @classmethod
    def over(cls, seats: SeatColumns, n_agents: int, columns: Sequence[str] = _SUMMED, by: str = "agent_index") -> Self:
        """Add up the ``columns`` of ``seats``, those that count, of so many agents, or numbers in another column."""
        blocks, block = _ranked(_ints(seats, "block"))
        cell, shape = _ints(seats, by) * len(blocks) + block, (n_agents, len(blocks))
        values = {"games": None, **{name: seats[name] for name in (*columns, INDEPENDENT) if name in seats}}
        sums = {name: _sums(cell, column, n_agents * len(blocks)).reshape(shape) for name, column in values.items()}
        return cls(blocks, {INDEPENDENT: sums["games"], **sums})

    @classmethod
    def none(cls, n_agents: int, columns: Sequence[str] = _SUMMED) -> Self:
        """Return the sums over no seats."""
        return cls(np.zeros(0, np.int64), {name: np.zeros((n_agents, 0)) for name in (*columns, "games", INDEPENDENT)})

    @classmethod
    def joined(cls, parts: Sequence[BlockSums]) -> Self:
        """Return the sums over the seats of all parts, one at least, which may share blocks."""
        blocks = np.unique(np.concatenate([part.blocks for part in parts]))
        found = {name: np.zeros((len(sums), len(blocks))) for name, sums in parts[0].sums.items()}
        for part in parts:
            place = np.searchsorted(blocks, part.blocks)
            for name, sums in part.sums.items():
                found[name][:, place] += sums
        return cls(blocks, found)

    def where(self, is_chosen: Bools) -> BlockSums:
        """Return the sums over some of the blocks, by a mask of shape (blocks,)."""
        return BlockSums(self.blocks[is_chosen], {name: sums[:, is_chosen] for name, sums in self.sums.items()})

    def mean(self, row: int, name: str) -> ClusteredMean:
        """Return the mean of a column per game of one agent, with its error from the independent blocks."""
        return ClusteredMean.of(*(self.sums[column][row] for column in (name, "games", INDEPENDENT)))

    def all(self, name: str) -> Floats:
        """Return the sums of a column, or the numbers of ``games``, of shape (agents, blocks)."""
        return self.sums[name]

    def of(self, agent: int) -> dict[str, Floats]:
        """Return the sums of one agent by column, of shape (blocks,), and its games."""
        return {name: sums[agent] for name, sums in self.sums.items()}


def seat_points(counted: pd.DataFrame) -> pd.DataFrame:
    """Return the mean points of each seat, with 95 % intervals from block means.

    Args:
        counted: the seats of whole match-ups, or of one agent in them.

    Returns:
        Columns seat, games, mean, low and high; one row per seat that was taken.
    """
    sums = BlockSums.over(counted, int(counted["seat"].max()) + 1 if len(counted) else 0, ["points"], by="seat")
    return points_by_seat(sums.all("points"), sums.all("games"), sums.all(INDEPENDENT))


def points_by_seat(points: Floats, games: Floats, independent: Floats) -> pd.DataFrame:
    """Return `seat_points` from sums of shape (seats, blocks)."""
    seats = np.flatnonzero(games.sum(axis=1))
    means = [ClusteredMean.of(points[seat], games[seat], independent[seat]) for seat in seats]
    low, high = ClusteredMeans.together(means).proportion_intervals() if means else ((), ())
    columns = {"seat": seats, "games": games[seats].sum(axis=1).astype(np.int64), "mean": [one.mean for one in means]}
    return pd.DataFrame({**columns, "low": low, "high": high})


class _Means(NamedTuple):
    """The means of an agent's games; ``rank`` is the place behind the first as a share of all places behind it."""

    win_rate: ClusteredMean
    points: ClusteredMean
    ordinal: ClusteredMean
    rank: ClusteredMean
    score: ClusteredMean

    @classmethod
    def of_each(cls, sums: BlockSums, n_players: int) -> list[Self]:
        """Return the means of the sums of each agent."""
        by_name, chances = sums.sums, max(n_players - 1, 1)
        sizes, independent = by_name["games"], by_name[INDEPENDENT]
        behind = (by_name["ordinal"] - sizes, sizes * chances, independent * chances)
        win_rate, points, ordinal, score = [
            map(ClusteredMean.of, by_name[name], sizes, independent) for name in ("win", "points", "ordinal", "score")
        ]
        return list(map(cls, win_rate, points, ordinal, map(ClusteredMean.of, *behind), score))


class _Errors(NamedTuple):
    """Intervals and errors of the means of an agent's games."""

    win_rate: Interval
    points: Interval
    ordinal: Interval
    score: Interval
    effective: float
    points_error: float
    within: WithinBlock


def _errors(means: Sequence[_Means], sums: BlockSums, behind: int) -> list[_Errors]:
    """Return the errors of the means of each agent; those of all are computed together."""
    if not means:
        return []
    win_rate, points, _ordinal, rank, score = zip(*means, strict=True)
    shares, n = ClusteredMeans.together(win_rate + points + rank).proportions(), len(means)
    effective, scores = ClusteredMeans.together(win_rate).effective_games().tolist(), intervals(score, -inf, inf)
    errors = list(map(ClusteredMean.error, points, shares[n : 2 * n]))
    within = list(map(within_block_of_wins, sums.sums["win"], sums.sums["games"]))
    ordinals = [Interval(1.0 + behind * low, 1.0 + behind * high) for low, high in shares[2 * n :]]
    return list(map(_Errors, shares[:n], shares[n : 2 * n], ordinals, scores, effective, errors, within))


def _standing(
    label: str,
    sums: dict[str, Floats],
    means: _Means,
    errors: _Errors,
    faults: int,
    costs: Sequence[float],
) -> Standing:
    games = int(sums["games"].sum())
    return Standing(
        agent=label,
        games=games,
        blocks=int(np.count_nonzero(sums["games"])),
        wins=int(sums["win"].sum()),
        win_rate=means.win_rate.mean,
        win_rate_interval=errors.win_rate,
        points=means.points.mean,
        points_interval=errors.points,
        points_error=errors.points_error,
        mean_ordinal=means.ordinal.mean,
        mean_ordinal_interval=errors.ordinal,
        score=means.score.mean,
        score_interval=errors.score,
        effective_games=errors.effective,
        design_effect=games / errors.effective if errors.effective else nan,
        correlation=errors.within.rho,
        decisions=int(sums["decisions"].sum()),
        decision_ms=costs[0],
        decision_cpu_ms=costs[1],
        peak_mb=None if isnan(costs[2]) else costs[2],
        faults=faults,
    )


def _rank(standing: Standing) -> tuple[bool, float, float, str]:
    """Return the key that sorts standings; agents without games are last."""
    return (standing.games == 0, -standing.win_rate, -standing.points, standing.agent)


def _rank_of_team(standing: Standing) -> tuple[bool, float, float, str]:
    """Return the same key where all win or lose together, and the score tells more than the share of games won."""
    return (standing.games == 0, -standing.score, -standing.win_rate, standing.agent)


def mean_milliseconds(seconds: Floats, decisions: Floats) -> Floats:
    """Return the mean milliseconds per decision from sums of the same shape; nan without decisions."""
    found: Floats = np.divide(1000.0 * seconds, decisions, out=np.full(seconds.shape, nan), where=decisions > 0)
    return found


def peak_mb_by_agent(agents: npt.NDArray[np.integer[Any]], peaks: Floats, n_agents: int) -> Floats:
    """Return the largest of the known peaks of every agent, from one per seat; nan where none is known."""
    found = np.zeros(n_agents)
    np.maximum.at(found, agents, np.nan_to_num(peaks))
    return np.where(found > 0.0, found, nan)


def _ints(columns: Any, name: str) -> Ints:
    return np.asarray(columns[name], dtype=np.int64)


def _ranked(numbers: Ints) -> tuple[Ints, Ints]:
    """Return the different numbers in order, and the rank of each; numbers in order, as in ledgers, are not sorted."""
    if (numbers[1:] < numbers[:-1]).any():
        different, ranks = np.unique(numbers, return_inverse=True)
        return different, ranks
    is_new = np.zeros(len(numbers), dtype=bool)
    is_new[1:] = numbers[1:] > numbers[:-1]
    return np.append(numbers[:1], numbers[is_new]), np.cumsum(is_new)


def _sums(index: Ints, values: Any, length: int) -> Floats:
    """Return the sums of ``values`` with equal ``index``, without values the numbers of these."""
    weights = None if values is None else np.asarray(values, dtype=np.float64)
    return np.bincount(index, weights, length).astype(np.float64)
