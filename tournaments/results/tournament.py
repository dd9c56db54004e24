"""The results of a tournament, read from its folder alone: standings, ratings, faults and pauses."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import sqrt
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import ndtr

from tag.errors import DataError, ParameterError
from tournaments.definition import TournamentDefinition
from tournaments.designs.matchups import Grid
from tournaments.designs.schedule import Pairing
from tournaments.designs.stopping import Charges, Follower, Pause, StoppingResult
from tournaments.ledger.folder import read_manifest
from tournaments.ledger.games import content_hash, judged_ledger, read_ledger, read_timings
from tournaments.statistics.intervals import ClusteredMean, Floats, Interval, IntervalEstimate, flat, plain, student
from tournaments.statistics.pairwise import (
    Intransitivity,
    PairwiseTable,
    alpha_rank,
    groups,
    intransitivity,
    log_odds,
    nash_average,
    pairwise,
)
from tournaments.statistics.plackett_luce import PRIOR_SD, Posterior, RankedGames, Ratings
from tournaments.statistics.standings import (
    BlockSums,
    Standing,
    TeamStanding,
    is_cooperative,
    standings,
    team_standings,
    whole_match_ups,
)

# --- precision of ratings: the bootstrap over blocks ------------------------------------------------------------------
#
# The games of a block share their luck. So whole blocks are drawn with replacement, as many as there are, and the
# ratings are fitted again (Davison and Hinkley, Bootstrap Methods and their Application, 1997, section 3.8: clusters).
# In each fit the prior moves too, to a centre drawn from itself. Otherwise an agent that has won every game would have
# won every game in every resample, and its interval would be a point. With many informative games this adds nothing
# visible; with none, the interval is the prior's. (Randomised maximum likelihood; Bardsley, Solonen, Haario and Laine,
# SIAM Journal on Scientific Computing 36, 2014. In a linear model it draws from the posterior exactly.)
#
# Intervals are the rating ± t · standard error, with Student's t of b - 1 degrees of freedom for b blocks. The standard
# error is half the width of the middle 68.3 % of resamples, times √(b/(b - 1)), by which resamples are too close
# together. The long tail of resamples without a loss does not stretch that width. Percentiles of the resamples would be
# too far out: with few games ratings exaggerate differences, and those of resamples do so twice. Over eight designs of
# 10 to 200 blocks with strong luck, 95 % percentile intervals held 91 to 95 %, these 95 to 97 %.


#: Numbers held at once in one array of a batch of resamples: they stay in the processor's cache, and below 100 MB in all.
_BATCH: Final = 500_000


@dataclass(frozen=True, slots=True, eq=False)
class BootstrappedRatings:
    """Ratings and their resamples, for intervals. With fewer than two blocks all intervals are nan.

    Attributes:
        ratings: of shape (resamples, agents).
        seats: by number of players, of shape (resamples, players).
    """

    fit: Ratings
    ratings: Floats
    seats: dict[int, Floats]
    blocks: int

    def intervals(self, confidence: float = 0.95) -> tuple[Floats, Floats]:
        """Return the lower and upper ends of the agents' ratings, each of shape (agents,)."""
        return self._interval(self.fit.ratings, self.ratings, confidence)

    def seat_intervals(self, confidence: float = 0.95) -> dict[int, tuple[Floats, Floats]]:
        """Return the lower and upper ends of the seats' terms by number of players, each of shape (players,)."""
        return {
            players: self._interval(self.fit.seats[players], terms, confidence) for players, terms in self.seats.items()
        }

    def difference_intervals(self, confidence: float = 0.95) -> tuple[Floats, Floats]:
        """Return the ends for the row's rating minus the column's, each of shape (agents, agents)."""
        fits, resamples = self.fit.ratings, self.ratings
        rows = [
            self._interval(fit - fits, rating[:, None] - resamples, confidence)
            for fit, rating in zip(fits, resamples.T, strict=True)
        ]
        return np.array([low for low, _high in rows]), np.array([high for _low, high in rows])

    def superiority(self) -> Floats:
        """Return the likelihood that the row's agent is stronger than the column's, of shape (agents, agents).

        It is the share of resamples in which it is rated higher, 1/2 on the diagonal.
        """
        rows = [np.mean(np.sign(rating[:, None] - self.ratings), axis=0) for rating in self.ratings.T]
        return self._known(0.5 + 0.5 * np.array(rows))

    def best(self, among: npt.NDArray[np.bool_] | None = None) -> Floats:
        """Return the probability that each agent is the strongest: its share of resamples with the highest rating.

        Args:
            among: of shape (agents,), which agents to compare; by default all. The others have no entry.
        """
        ratings = self.ratings if among is None else self.ratings[:, among]
        is_best = ratings == ratings.max(axis=1, keepdims=True)
        return self._known(np.mean(is_best / is_best.sum(axis=1, keepdims=True), axis=0))

    def _interval(self, fit: Floats, resamples: Floats, confidence: float) -> tuple[Floats, Floats]:
        below, above = np.quantile(resamples, [ndtr(-1.0), ndtr(1.0)], axis=0)
        b = max(self.blocks, 2)
        half = student(b, confidence) * sqrt(b / (b - 1)) * (above - below) / 2.0
        return self._known(fit - half), self._known(fit + half)

    def _known(self, numbers: Floats) -> Floats:
        return numbers if self.blocks > 1 else np.full_like(numbers, np.nan)


def bootstrap_ratings(
    games: RankedGames,
    resamples: int = 1000,
    seed: int = 0,
    anchors: Mapping[str, float] | None = None,
    prior_sd: float = PRIOR_SD,
) -> BootstrappedRatings:
    """Return the ratings of `plackett_luce` with resamples of blocks.

    Args:
        games: those that count, in any order.
        resamples: how many; the probabilities are in steps of one in so many.
        seed: of the resampling; blocks are drawn by their rank.
        anchors: agents with fixed ratings; without any, the mean is 0.
        prior_sd: of the prior, in rating points.

    Raises:
        UnknownNameError: an anchor is not among the agents.
        ParameterError: the standard deviation is not positive, or there is no resample.
    """
    if resamples < 1:
        raise ParameterError(f"resamples cannot be {resamples}; the least is 1")
    posterior = Posterior(games, anchors or {}, prior_sd)
    blocks = posterior.n_blocks
    fit = posterior.mode(np.ones((blocks, 1)))
    generator = np.random.default_rng(seed)
    batch = max(1, _BATCH // (posterior.work + blocks))
    modes = [fit[:, :0]]
    for begin in range(0, resamples, batch):
        size = min(batch, resamples - begin)
        weights = _resampled(generator, blocks, size)
        modes.append(posterior.mode(weights, generator.standard_normal((len(fit), size)), fit))
    ratings, seats = posterior.ratings(np.hstack(modes))
    return BootstrappedRatings(
        fit=Ratings(games.labels, *posterior.ratings(fit[:, 0])),
        ratings=ratings.T,
        seats={players: terms.T for players, terms in seats.items()},
        blocks=blocks,
    )


def _resampled(generator: np.random.Generator, blocks: int, resamples: int) -> Floats:
    """Return how often each block is drawn in each resample, of shape (blocks, resamples)."""
    if blocks == 0:
        return np.zeros((0, resamples))
    return generator.multinomial(blocks, np.full(blocks, 1.0 / blocks), resamples).T.astype(np.float64)


# --- analyses beyond the standings ------------------------------------------------------------------------------------


_LETTERS: Final = string.ascii_uppercase + string.ascii_lowercase


@dataclass(frozen=True, slots=True)
class AgentRating:
    """One agent's strength.

    Attributes:
        interval: nan with fewer than two blocks.
        p_best: the probability that no other agent is stronger; nan where none of its games counts.
        groups: letters, perhaps numbered; two agents share one just if they cannot be told apart.
        nash: its weight in the equilibrium of greatest entropy; nan unless games have two players and all have met.
    """

    agent: str
    rating: float
    interval: Interval
    p_best: float
    groups: str
    nash: float
    alpha_rank: float


@dataclass(frozen=True, slots=True, eq=False)
class RatingSummary:
    """The strengths of a tournament's agents; only whole match-ups count, as in the standings.

    Attributes:
        seats: by number of players, the advantage of each seat in rating points.
        intransitivity: the deviation from an order on one scale; None if some agents have not met.
    """

    agents: list[AgentRating]
    seats: dict[int, list[IntervalEstimate]]
    pairs: PairwiseTable
    intransitivity: Intransitivity | None
    games: int

    @property
    def frame(self) -> pd.DataFrame:
        """The agents by label, one row each; the ends of a rating's interval are ``low`` and ``high``."""
        return pd.DataFrame([flat(agent) for agent in self.agents]).set_index("agent")

    def to_json(self) -> dict[str, Any]:
        """Return all attributes as plain values, nan and infinity as None."""
        values = {
            "agents": [flat(agent) for agent in self.agents],
            "seats": {
                str(players): [(value, *interval) for value, interval in seats] for players, seats in self.seats.items()
            },
            "pairs": self.pairs.to_json(),
            "intransitivity": flat(self.intransitivity) if self.intransitivity else None,
            "games": self.games,
        }
        return dict(plain(values))


def counted_seats(folder: Path) -> pd.DataFrame:
    """Return the seats of the games that count in the tournament in ``folder``, as `tournaments.read_ledger` has them.

    Raises:
        DataError: there is no tournament, or its ledger is damaged.
    """
    schedule = read_manifest(folder).definition.schedule()
    games, seats = read_ledger(folder)
    return whole_match_ups(
        games, seats, schedule.design.n_seatings, judged_ledger(folder, schedule, games)[0].uncounted()
    )


def rate(folder: Path, anchors: Mapping[str, float] | None = None) -> RatingSummary:
    """Return the strengths of the agents of the tournament in ``folder``.

    Args:
        folder: the tournament's.
        anchors: agents' labels with fixed ratings; without any, the mean is 0.

    Raises:
        TagError: there is no tournament, no whole match-up yet, an anchor is not among the agents, or all win or lose
            together.
    """
    counted = counted_seats(folder)
    if is_cooperative(counted):
        raise DataError(f"{str(folder)!r} has nothing to rate: all players win or lose together; see tag results")
    ranked = RankedGames.of(counted)
    if not len(ranked):
        raise DataError(f"{str(folder)!r} has no whole match-up yet; ratings need one")
    return rate_games(ranked, anchors)


def rate_games(ranked: RankedGames, anchors: Mapping[str, float] | None = None) -> RatingSummary:
    """Return the agents' strengths from one or more games.

    Raises:
        UnknownNameError: an anchor is not among the agents.
    """
    fit = bootstrap_ratings(ranked, anchors=anchors)
    pairs = pairwise(ranked)
    have_met = bool(np.isfinite(pairs.score[~np.eye(len(pairs.labels), dtype=bool)]).all())
    nash = alpha = np.full(len(pairs.labels), np.nan)
    if have_met and ranked.agents.shape[1] == 2:
        nash, alpha = nash_average(log_odds(ranked)).weights, alpha_rank(pairs.score)
    return RatingSummary(
        agents=_agents(fit, pairs, nash, alpha, _best(ranked, fit)),
        seats=_seats(fit),
        pairs=pairs,
        intransitivity=intransitivity(ranked) if have_met and len(pairs.labels) > 2 else None,
        games=len(ranked),
    )


def _best(ranked: RankedGames, fit: BootstrappedRatings) -> Floats:
    """Return the probability that an agent with games is the strongest of these; nan for the others."""
    has_games = np.isin(np.arange(len(ranked.labels)), ranked.agents)
    best = np.full(len(ranked.labels), np.nan)
    best[has_games] = fit.best(has_games)
    return best


def _agents(
    fit: BootstrappedRatings, pairs: PairwiseTable, nash: Floats, alpha: Floats, best: Floats
) -> list[AgentRating]:
    ratings = fit.fit.ratings
    low, high = fit.intervals()
    letters = [""] * len(ratings)
    for number, group in enumerate(groups(pairs.is_different(), ratings)):
        for agent in group:
            letters[agent] += group_name(number)
    found = [
        AgentRating(
            agent=label,
            rating=float(ratings[number]),
            interval=Interval(float(low[number]), float(high[number])),
            p_best=float(best[number]),
            groups=letters[number],
            nash=float(nash[number]),
            alpha_rank=float(alpha[number]),
        )
        for number, label in enumerate(fit.fit.labels)
    ]
    return sorted(found, key=lambda agent: (-agent.rating, agent.agent))


def group_name(number: int) -> str:
    """Return the letter of a group; many agents may need more groups than there are letters.

    >>> group_name(0), group_name(51), group_name(52), group_name(104)
    ('A', 'z', 'A2', 'A3')
    """
    turn, letter = divmod(number, len(_LETTERS))
    return _LETTERS[letter] + (str(turn + 1) if turn else "")


def _seats(fit: BootstrappedRatings) -> dict[int, list[IntervalEstimate]]:
    intervals = fit.seat_intervals()
    return {
        players: [
            IntervalEstimate(value, Interval(low, high))
            for value, low, high in zip(terms.tolist(), *(ends.tolist() for ends in intervals[players]), strict=True)
        ]
        for players, terms in fit.fit.seats.items()
    }


@dataclass(frozen=True)
class FaultCount:
    """The number of an agent's faults of one kind."""

    agent: str
    kind: str
    faults: int
    games: int


@dataclass(frozen=True)
class PausedAgent:
    """An agent that the circuit breaker has paused.

    Attributes:
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
        total: the games of the whole tournament, without those that paused agents do not play. While a stopping rule is
            undecided, it is the most there can be; once it is decided, the games that have been played.
        content_hash: the same for ledgers of the same games with the same results, in any order and division into
            files.
        stopping: the state of its stopping rule, if it has one.
        faults: counts by agent and kind, in the agents' order.
        grid: how often each agent is placed above each other, in their order, if the design is a grid and the game is
            not co-operative.
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
    sums = BlockSums(counted, int(counted["seat"].max()) + 1 if len(counted) else 0, ["points"], by="seat")
    rows = []
    for seat in np.unique(counted["seat"]).tolist():
        games = sums.all("games")[seat]
        mean = ClusteredMean.of(sums.all("points")[seat], games)
        rows.append((seat, int(games.sum()), mean.mean, *mean.proportion_interval()))
    return pd.DataFrame(rows, columns=["seat", "games", "mean", "low", "high"])
