"""Outcomes of games, blocks released in order, stopping at narrow intervals, and the search for the best agent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from math import fsum, log, sqrt
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

import numpy as np
import numpy.typing as npt
import scipy

from tag.engine.results import DISQUALIFIED, DRAW, TIMEOUT, WIN, result_name
from tag.engine.rng import derive_seed
from tag.errors import ParameterError, PlayersError
from tag.tournaments.statistics.repeats import IndependentBlocks, keys_of

if TYPE_CHECKING:
    import pandas as pd

    from tag.orders import GameRecord

#: Elo per unit of log odds.
ELO_PER_LOGIT: Final = 400.0 / log(10.0)

Floats = npt.NDArray[np.float64]

# --- outcomes of games, for designs that learn and for stopping rules -------------------------------------------------


#: The number of a ledger's rows that are objects at a time, of which there may be millions.
_CHUNK: Final = 10_000
#: The results of those whose faults ended a game.
FORFEITS: Final = (TIMEOUT, DISQUALIFIED)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a game.

    Attributes:
        agents: the number of the agent in each seat.
        points: of each seat, as in ``docs/ledger.md``: 1/k for each of k winners or, without one, of k who drew.
        places: of each seat, from 1; players who cannot be separated share one.
        void: whether the game is void, and does not count.
        failed: the agents that forfeited the game or, by any fault, had a part in voiding it.
        same: its key (`tag.tournaments.statistics.repeats`), 0 where it repeats no game.
    """

    agents: tuple[int, ...]
    points: tuple[float, ...]
    places: tuple[int, ...]
    void: bool
    failed: frozenset[int] = frozenset()
    same: int = 0

    @classmethod
    def of(cls, agents: tuple[int, ...], record: GameRecord, game: str = "") -> Outcome:
        """Return the outcome of a game between ``agents``, by seat; with the spec of the ``game``, also its key."""
        best = WIN if WIN in record.results else DRAW
        share = 1.0 / max(record.results.count(best), 1)
        points = tuple(share if result == best else 0.0 for result in record.results)
        faulty = {fault.player for fault in record.faults} if record.void else ()
        failed = [
            agent
            for seat, (agent, result) in enumerate(zip(agents, record.results, strict=True))
            if seat in faulty or result in FORFEITS
        ]
        same = 0
        if game and record.actions_digest and not record.void:
            digests = np.array([record.actions_digest])
            (same,) = keys_of([game], [record.state_hash], digests, np.array([agents])).view(np.int64).tolist()
        return cls(agents, points, record.ordinals, record.void, frozenset(failed), same)


def outcomes_of_ledger(games: pd.DataFrame, seats: pd.DataFrame) -> Iterator[tuple[int, int, int, Outcome]]:
    """Yield block, match-up, seating and outcome of each game in a ledger.

    The frames are those of `tournaments.read_ledger`, and may have the keys of games.
    """
    if games.empty:
        return
    n_players = len(seats) // len(games)
    is_void = games["void"].to_numpy(dtype=bool).repeat(n_players)
    is_forfeit = seats["result"].isin([result_name(result) for result in FORFEITS]).to_numpy()
    has_failed = np.where(is_void, seats["faults"].to_numpy() > 0, is_forfeit)
    by_name: list[npt.NDArray[Any]] = [seats[name].to_numpy() for name in ("agent_index", "points", "ordinal")]
    columns = [column.reshape(-1, n_players) for column in (*by_name, has_failed)]
    for begin in range(0, len(games), _CHUNK):
        chunk = games.iloc[begin : begin + _CHUNK]
        places = (chunk[name].tolist() for name in ("block", "matchup", "seating", "void"))
        keys = chunk["same"].tolist() if "same" in chunk else [0] * len(chunk)
        by_seat = (column[begin : begin + _CHUNK].tolist() for column in columns)
        for block, matchup, seating, void, same, *of_seats in zip(*places, keys, *by_seat, strict=True):
            agents, points, ordinals, is_failing = map(tuple, of_seats)
            failed = frozenset(compress(agents, is_failing))
            yield block, matchup, seating, Outcome(agents, points, ordinals, void, failed, same)


def agent_points(games: Sequence[Outcome], n_agents: int) -> tuple[list[float], list[int]]:
    """Return the points of each agent in some games, and how often it sat in them.

    Sums are exact to rounding, so that agents with equal results are equal, in any order of the results.

    >>> games = [Outcome((0, 1), (1.0, 0.0), (1, 2), False), Outcome((1, 0), (0.5, 0.5), (1, 1), False)]
    >>> agent_points(games, 2)
    ([1.5, 0.5], [2, 2])
    """
    points: list[list[float]] = [[] for _agent in range(n_agents)]
    for game in games:
        for agent, won in zip(game.agents, game.points, strict=True):
            points[agent].append(won)
    return [fsum(own) for own in points], [len(own) for own in points]


# --- release in schedule order ----------------------------------------------------------------------------------------
#
# Games that end soon arrive first. If an agent's losses last longer than its wins, the first blocks to arrive show too
# many wins, and a test on them is wrong. A block that is released only after all earlier ones is like a block of a
# tournament on one worker.
#
# Measured on 2,000 tests of elo 0 against 30 (`tests/tournaments/statistics/stopping/test_release.py`): two equal
# players whose losses last twice as long as their wins, games on 256 workers, at most 5 % false alarms asked for. In
# schedule order there are 4.1 %, in the order of arrival 70 %, and 15 % even if the first look is after four games per
# worker.


_Outcome = TypeVar("_Outcome")


class InOrderRelease(Generic[_Outcome]):
    """Collects the games of blocks in any order and gives whole blocks back in schedule order.

    A game counts once however often it arrives. A block with a void game is released without outcomes: it counts
    nowhere, but those that follow need not wait for it.

    >>> release = InOrderRelease[float](games_per_block=2)
    >>> release.add(1, 0, 0.5), release.add(1, 1, 0.5), release.add(0, 1, 1.0)
    ([], [], [])
    >>> release.add(0, 0, 0.0)
    [[0.0, 1.0], [0.5, 0.5]]
    """

    def __init__(self, games_per_block: int | Callable[[int], int]) -> None:
        """Wait for block 0.

        Args:
            games_per_block: how many games make a block whole, of all blocks or by the number of the block.

        Raises:
            ParameterError: there are no games in a block.
        """
        if isinstance(games_per_block, int) and games_per_block < 1:
            raise ParameterError(f"games per block cannot be {games_per_block}; the least is 1")
        self._games_per_block = games_per_block
        self._next = 0
        self._waiting: dict[int, dict[int, _Outcome | None]] = {}

    def add(self, block: int, game: int, outcome: _Outcome | None) -> list[list[_Outcome]]:
        """Take a game, None if it is void, and return the blocks it releases, in schedule order; often none.

        Returns:
            Per released block the outcomes of its games, by number; none at all if one is void.

        Raises:
            ParameterError: no such game is in the schedule.
        """
        if block < 0 or not 0 <= game < self._size(block):
            raise ParameterError(
                f"no game {game} in block {block}; blocks begin at 0 and have {self._size(block)} games"
            )
        if block >= self._next:
            self._waiting.setdefault(block, {}).setdefault(game, outcome)
        released = []
        while (games := self._waiting.get(self._next)) and games.keys() >= set(range(self._size(self._next))):
            outcomes = [found for number in range(self._size(self._next)) if (found := games[number]) is not None]
            released.append(outcomes if len(outcomes) == self._size(self._next) else [])
            del self._waiting[self._next]
            self._next += 1
        return released

    @property
    def blocks(self) -> int:
        """The number of released blocks."""
        return self._next

    @property
    def games_waiting(self) -> int:
        """The games that have arrived but wait for others."""
        return sum(len(games) for games in self._waiting.values())

    def _size(self, block: int) -> int:
        """Return how many games a block has."""
        return self._games_per_block if isinstance(self._games_per_block, int) else self._games_per_block(block)


# --- fixed width ------------------------------------------------------------------------------------------------------
#
# Stopping when intervals are narrow enough, after a number of blocks that is only known on the way.
#
# Stopping an interval when it shows a welcome result makes it dishonest. Stopping when it is *narrow*, wherever it
# lies, does not: with ± h asked for, stop at the first n with
#
#     t(n - 1)² · (s² + 1/n) / n ≤ h²
#
# where s² is the variance of the n block values and t Student's quantile. As h shrinks, the interval covers the truth
# at its nominal rate, and n approaches the number that a known variance would require. The 1/n prevents a stop after a
# few equal blocks.
#
# Source: Y. S. Chow, H. Robbins, "On the asymptotic theory of fixed-width sequential confidence intervals for the
# mean", Annals of Mathematical Statistics 36, 1965. Measured on 1,000 runs each
# (`tests/tournaments/statistics/stopping/test_fixed_width.py`), 95 % asked for. The points of one seat in four to
# ± 0.03 are held in 94.7 % after 197 blocks. Three differences of points together are held to ± 0.08 in 96.8 % after 112
# blocks, and to ± 0.15 in 98.5 % after 40. In a game that is nearly always drawn, the truth is held to ± 0.02 in all
# runs after 125.


#: No interval is trusted before so many blocks.
_FEWEST: Final = 10


class FixedWidth:
    """Means of block values, watched until all their intervals are at most ± ``half_width``.

    A value is the quantity compared, once per block: the mean points of an agent, or the difference between those of
    two. All intervals together hold with the confidence asked for (Bonferroni). Feed it blocks in schedule order only.

    >>> width = FixedWidth(0.1)
    >>> while not width.add([0.6 if width.blocks % 2 else 0.5]):
    ...     pass
    >>> width.blocks, width.means.round(2)
    (22, array([0.55]))
    """

    def __init__(self, half_width: float, comparisons: int = 1, confidence: float = 0.95) -> None:
        """Begin without blocks.

        Raises:
            ParameterError: a precision, a number of comparisons or a confidence that cannot be.
        """
        if not half_width > 0.0:
            raise ParameterError(f"half_width cannot be {half_width:g}; it is greater than 0")
        if comparisons < 1:
            raise ParameterError(f"comparisons cannot be {comparisons}; the least is 1")
        if not 0.0 < confidence < 1.0:
            raise ParameterError(f"confidence cannot be {confidence:g}; it lies between 0 and 1")
        self.half_width = half_width
        self.comparisons = comparisons
        self.blocks = 0
        self.is_done = False
        self._quantile = 1.0 - (1.0 - confidence) / (2.0 * comparisons)
        self._mean = np.zeros(comparisons)
        self._squares = np.zeros(comparisons)
        self._shares = np.ones(comparisons)

    def add(
        self,
        values: Sequence[float] | npt.NDArray[np.float64],
        shares: Sequence[float] = (),
        *,
        decides: bool = True,
    ) -> bool:
        """Count the next block and return whether that is enough.

        Args:
            values: of the comparisons, shape (comparisons,).
            shares: by comparison, of all blocks so far those that count, as others repeat them
                (`tag.tournaments.statistics.repeats`); all if there are none.
            decides: whether it may be enough; not if the block only repeats others.

        Raises:
            ParameterError: there are more or fewer values than comparisons.
        """
        value = np.asarray(values, dtype=np.float64)
        if value.shape != (self.comparisons,):
            raise ParameterError(f"a block cannot have values of shape {value.shape}; it is ({self.comparisons},)")
        if not self.is_done:
            self.blocks += 1
            from_last = value - self._mean
            self._mean = self._mean + from_last / self.blocks
            self._squares = self._squares + from_last * (
                value - self._mean
            )  # Welford's sums, exact where values are equal
            self._shares = np.asarray(shares or [1.0] * self.comparisons)
            enough = bool((self.blocks * self._shares >= _FEWEST).all() and (self.half_widths <= self.half_width).all())
            self.is_done = decides and enough
        return self.is_done

    @property
    def means(self) -> Floats:
        """The means of the values, shape (comparisons,)."""
        return self._mean.copy()

    @property
    def half_widths(self) -> Floats:
        """The half widths of the intervals about the means, shape (comparisons,); infinite below two blocks that count."""
        counted = self.blocks * self._shares
        is_known = counted >= 2.0
        n = np.where(is_known, counted, 2.0)
        t = scipy.special.stdtrit(n - 1.0, self._quantile)
        widths: Floats = t / np.sqrt(n) * np.sqrt(self._shares * self._squares / (n - 1.0) + 1.0 / n)
        return np.where(is_known, widths, np.inf)


# --- strengths of agents as a joint normal distribution, from blocks of any match-ups ---------------------------------
#
# In the model of Bradley-Terry, agent i is placed before agent j with probability 1 / (1 + exp(θⱼ - θᵢ)). The same
# holds in Plackett-Luce's model for any pair in a game, independent of the other agents. The strengths θ maximise the
# log-likelihood of the share of games in which one was before the other, a tie half for each, summed over blocks and
# pairs. The agents are assumed to come from a normal population, whose spread is estimated with them, so that the
# luckiest of many is not overrated. Games of a block depend on each other, and so do the pairs of a game. The
# covariance is therefore the sandwich H⁻¹ J H⁻¹ with J from the scores of whole blocks.
#
# H takes a block for one game that is won or lost. Several games tell more, and drawn games more about how near two agents
# are. The log-likelihood is scaled so that H and J agree on average over all directions: the population then weighs as
# much as it should. Without that, eight agents of which the best was to be found in half of all searches with 70 % of games
# drawn were decided in 15 of 60 searches, now in 48.
#
# Sources: C. Varin, N. Reid, D. Firth, "An overview of composite likelihood methods", Statistica Sinica 21, 2011 (the
# sandwich); F. Pauli, W. Racugno, L. Ventura, "Bayesian composite marginal likelihoods", ibid. (the scale); K.-Y. Liang,
# S. Zeger, Biometrika 73, 1986 (clusters); B. Efron, C. Morris, "Data analysis using Stein's estimator", Journal of the
# American Statistical Association 70, 1975 (the spread).


#: The spread of the agents before any game, in logits: 174 Elo. It counts as much as this many agents.
_FIRST_SPREAD: Final = 1.0
_AGENTS_OF_PRIOR: Final = 4
#: Steps of expectation and maximisation for the spread; it need not be exact.
_SPREAD_STEPS: Final = 4
_MAX_ITERATIONS: Final = 50
_TOLERANCE: Final = 1e-9

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Strengths:
    """An estimate of the agents' strengths, in logits (173.7 Elo each); only differences mean something.

    Attributes:
        mean: shape (agents,).
        covariance: shape (agents, agents).
    """

    mean: Floats
    covariance: Floats

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Return ``n`` draws, shape (n, agents)."""
        values, vectors = np.linalg.eigh(self.covariance)
        root = vectors * np.sqrt(np.maximum(values, 0.0))
        draws: Floats = self.mean + rng.standard_normal((n, len(self.mean))) @ root.T
        return draws


def pair_shares(places: npt.ArrayLike) -> Floats:
    """Return how often each player of a block was placed before each other one: 1 for always, 1/2 for a tie.

    >>> pair_shares([[1, 2, 2]])
    array([[0.5, 1. , 1. ],
           [0. , 0.5, 0.5],
           [0. , 0.5, 0.5]])

    Args:
        places: shape (..., games, players), 1 for the first; the players in the same order in all games.

    Returns:
        Shape (..., players, players).
    """
    place = np.asarray(places)
    ahead = np.sign(place[..., None, :] - place[..., :, None])
    shares: Floats = (0.5 + 0.5 * ahead).mean(axis=-3)
    return shares


def fit_strengths(n_agents: int, match_ups: Ints, shares: Floats, weights: Floats | None = None) -> Strengths:
    """Fit the strengths of agents to blocks, in any order.

    >>> import numpy as np
    >>> shares = pair_shares([[[1, 2]]] * 8 + [[[2, 1]]] * 2)
    >>> found = fit_strengths(2, np.tile([0, 1], (10, 1)), shares)
    >>> found.mean.round(2)
    array([ 0.54, -0.54])

    Args:
        n_agents: how many there are, whether or not they have played.
        match_ups: the agents of each block, all different, shape (blocks, players).
        shares: from `pair_shares`, shape (blocks, players, players).
        weights: for each block, the share of those of its match-up that count, as others repeat them; all by default.
    """
    counts = np.ones(len(shares)) if weights is None else weights
    each = np.broadcast_to(counts[:, None, None], shares.shape)
    cells = match_ups[:, :, None] * n_agents + match_ups[:, None, :]
    wins, meetings = _summed(cells, each * shares, n_agents), _summed(cells, each, n_agents)
    spread, scale = _FIRST_SPREAD, 1.0
    found = Strengths(np.zeros(n_agents), np.eye(n_agents) * spread**2)
    for _ in range(_SPREAD_STEPS):
        mean = _maximum(scale * wins, scale * meetings, spread, found.mean)
        prior, information = _prior(n_agents, spread), _information(mean, meetings)
        variability, multiple = _variability(mean, information, prior, match_ups, shares, counts)
        scale = 1.0 / multiple
        inverse = np.linalg.inv(scale * information + prior)
        found = Strengths(mean, inverse @ (scale**2 * variability + prior) @ inverse)
        spread = _spread(found)
    return found


def _summed(cells: Ints, values: Floats, n_agents: int) -> Floats:
    """Return the sums of ``values`` over blocks by pair of agents, zero where an agent meets itself."""
    sums = np.bincount(cells.ravel(), values.ravel(), n_agents * n_agents).reshape(n_agents, n_agents)
    between: Floats = np.where(np.eye(n_agents, dtype=bool), 0.0, sums)
    return between


def _spread(strengths: Strengths) -> float:
    """Return the standard deviation of the population, given the estimates of its members."""
    squares = strengths.mean**2 + np.diag(strengths.covariance)
    agents = _AGENTS_OF_PRIOR + len(squares)
    return sqrt((_AGENTS_OF_PRIOR * _FIRST_SPREAD**2 + float(squares.sum())) / agents)


def _maximum(wins: Floats, meetings: Floats, spread: float, start: Floats) -> Floats:
    """Return the most probable strengths, by Newton's method; the log posterior is concave."""
    theta = start
    for _ in range(_MAX_ITERATIONS):
        gradient = (wins - meetings * _ahead(theta)).sum(axis=1) - theta / spread**2
        step = np.linalg.solve(_information(theta, meetings) + _prior(len(theta), spread), gradient)
        longest = float(np.abs(step).max())
        theta = theta + step / max(1.0, longest)  # a logit at a time
        if longest < _TOLERANCE:
            break
    return theta


def _variability(
    theta: Floats, information: Floats, prior: Floats, match_ups: Ints, shares: Floats, counts: Floats
) -> tuple[Floats, float]:
    """Return J, shrunk towards a multiple of the information while blocks are few, and that multiple.

    The multiple makes both agree on average over all directions; before there is anything to average it is 1, as if a
    pair had met in one game per block.
    """
    n_agents, players, blocks = len(theta), match_ups.shape[1], float(counts.sum())
    scores = np.zeros((len(match_ups), n_agents))
    residuals = shares - scipy.special.expit(theta[match_ups][:, :, None] - theta[match_ups][:, None, :])
    residuals[:, np.arange(players), np.arange(players)] = 0.0
    scores[np.arange(len(match_ups))[:, None], match_ups] = np.sqrt(counts)[:, None] * residuals.sum(axis=2)
    observed = scores.T @ scores * (blocks / max(blocks - n_agents / players, 1.0))  # for the fit's degrees of freedom
    weight = blocks / (blocks + n_agents)
    inverse = np.linalg.inv(information + prior)
    known = float((inverse * information).sum())
    multiple = weight * float((inverse * observed).sum()) / known + 1.0 - weight if known else 1.0
    variability: Floats = weight * observed + (1.0 - weight) * multiple * information
    return variability, multiple


def _ahead(theta: Floats) -> Floats:
    """Return the probability that each agent is placed before each other one."""
    probabilities: Floats = scipy.special.expit(theta[:, None] - theta[None, :])
    return probabilities


def _information(theta: Floats, meetings: Floats) -> Floats:
    """Return the negative second derivative of the log-likelihood."""
    ahead = _ahead(theta)
    weights = meetings * ahead * ahead.T
    information: Floats = np.diag(weights.sum(axis=1)) - weights
    return information


def _prior(n_agents: int, spread: float) -> Floats:
    return np.eye(n_agents) / spread**2


# --- match-ups that seat the contenders for first place together ------------------------------------------------------
#
# Top-two Thompson sampling: draw all strengths from the estimate; the strongest of the draw is the leader. Draw again
# until another is the strongest; that is the challenger. An agent is thus seated in proportion to its chance of being
# the best, and the weak get few games.
#
# In a game of n seats the drawing continues for n different ones: leader, challenger, and further challengers. Games
# between near-equals tell the most, and those of one match-up share seed and opponents, so that their difference has
# little noise. If n different ones do not appear in a hundred draws, because few can still be the best, the strongest
# of the first draw take the other seats.
#
# Source: D. Russo, "Simple Bayesian algorithms for best-arm identification", Operations Research 68, 2020. The draws
# for the match-ups of a batch are independent.


#: The draws in which contenders for one match-up may appear.
_CONTENDER_DRAWS: Final = 100


def contenders(strengths: Strengths, n_players: int, blocks: int, rng: np.random.Generator) -> Ints:
    """Return match-ups of different agents by top-two Thompson sampling, shape (blocks, n_players)."""
    draws = strengths.draw(blocks * _CONTENDER_DRAWS, rng).reshape(blocks, _CONTENDER_DRAWS, -1)
    return np.array([_table(table, n_players) for table in draws], dtype=np.int64)


def newcomers(seated: Ints, n_players: int, blocks: int, rng: np.random.Generator) -> Ints:
    """Return match-ups of the agents seated in the fewest blocks, random among equals, shape (blocks, n_players)."""
    seated = seated.copy()
    tables = np.empty((blocks, n_players), dtype=np.int64)
    for block in range(blocks):
        tables[block] = np.lexsort((rng.random(len(seated)), seated))[:n_players]
        seated[tables[block]] += 1
    return tables


def _table(draws: Floats, n_players: int) -> list[int]:
    """Return the different winners of the draws in order of appearance, then the strongest of the first draw."""
    winners = draws.argmax(axis=1).tolist()
    return list(dict.fromkeys([*winners, *(-draws[0]).argsort().tolist()]))[:n_players]


# --- finding the best agent with few games ----------------------------------------------------------------------------
#
# Blocks are played in batches. After each batch the estimated strengths decide whether to stop, and which agents play
# next. The search stops when the probability that an agent is the best, or at most ``indifference`` below it, reaches
# the confidence asked for. The best agent is the one that is placed before the others most often: strength is about
# places, not about points.
#
# So that no worker waits, one batch is allotted while the one before it is being played: batch k is decided on after
# batch k - 2. The allotment depends on released blocks and the seed alone, never on the speed of workers; a resumed
# tournament allots the same.
#
# Measured in a world of Plackett and Luce's model (`tests/tournaments/statistics/stopping/test_best_agent.py`): four seats,
# half of the variance in the deal, agents 0.1 logit (17 Elo) apart, 95 % asked for. Of 16 agents the best is found after 912
# games in the median of 40 searches, and of 32 after 864 in that of 20; no winner was wrong.


# The games that a search takes grow with the square of what separates the best from the others. Let the best lead K - 1
# equal agents by d logits at tables of n seats. With N blocks each of the others sits in N(n - 1)/(K - 1) of them, beside
# the best. Places of near-equals have variance 1/(4n) in a block, and change by 1/4 per logit. So the difference of the two
# strengths is known with the variance (K - 1)/(n - 1) · 4/(nN), and K - 1 such differences are positive with probability c
# if d is z standard errors, where z is the normal quantile of 1 - (1 - c)/(K - 1). A drawn game tells which of two is
# stronger no more than a game that has not been played: where a share t of all games is drawn, the lead in the others has
# to be 1/√(1 - t) times as large.
#
# Measured in 60 searches each: with this lead 42 find the best of 4 agents in 400 blocks of two seats, 43 with t = 0.7; 48
# of 8 in 600 blocks with t = 0.7, 45 of 6 in 600 with t = 0.9, 54 of 8 in 200 blocks of four seats.


def least_lead(n_agents: int, n_players: int, blocks: int, confidence: float, draws: float = 0.0) -> float:
    """Return the lead of the best over equal others with which at least half of all searches end in time, in Elo.

    Args:
        n_agents: how many there are.
        n_players: the seats of a game.
        blocks: the most that are played.
        confidence: the probability at which the search ends.
        draws: the share of games that are drawn; the lead is then that in the other games.
    """
    z = float(scipy.special.ndtri(1.0 - (1.0 - confidence) / (n_agents - 1)))
    variance = (n_agents - 1) / (n_players - 1) * 4.0 / (n_players * blocks)
    return ELO_PER_LOGIT * z * sqrt(variance / (1.0 - draws))


#: How many batches are in play when the next is decided on, without their results.
_IN_PLAY: Final = 1
#: Draws from which probabilities are counted; their error is 0.4 % where the probability is 95 %.
_DRAWS: Final = 4_000


class BestAgent:
    """Allots match-ups in batches and says when the best agent is known.

    Take `allot` whenever `can_allot`; give every block back to `add`, in schedule order (`InOrderRelease`).

    Attributes:
        n_players: the seats of a game; each agent takes at most one.
        batch: the blocks of a batch; two batches of games should keep all workers busy.
        confidence: the probability at which the search ends.
        indifference: the greatest acceptable distance from the best, in Elo.
        best: the agent found; None until then. Once found it stands.
    """

    def __init__(
        self,
        n_agents: int,
        n_players: int,
        seed: int,
        batch: int = 8,
        confidence: float = 0.95,
        indifference: float = 0.0,
    ) -> None:
        """Start without results.

        Raises:
            PlayersError: there are fewer agents than seats, or fewer than two of either.
            ParameterError: an impossible batch, confidence or indifference.
        """
        if not 2 <= n_players <= n_agents:
            raise PlayersError(
                f"the best of {n_agents} agents cannot be found at {n_players} seats; it takes 2 seats or more, and as "
                "many agents"
            )
        if batch < 1:
            raise ParameterError(f"batch cannot be {batch}; the least is 1")
        if not 0.0 < confidence < 1.0:
            raise ParameterError(f"confidence cannot be {confidence:g}; it lies between 0 and 1")
        if not indifference >= 0.0:
            raise ParameterError(f"indifference cannot be {indifference:g}; the least is 0")
        self.n_agents = n_agents
        self.n_players = n_players
        self.seed = seed
        self.batch = batch
        self.confidence = confidence
        self.indifference = indifference
        self.best: int | None = None
        self._match_ups: list[Ints] = []
        self._shares: list[Floats | None] = []
        self._repeats = IndependentBlocks()
        self._known: list[Strengths] = []
        self._p_best = np.full(n_agents, 1.0 / n_agents)

    @property
    def can_allot(self) -> bool:
        """True if enough blocks are back for deciding on the next batch."""
        return self.best is None and len(self._match_ups) <= len(self._known) + _IN_PLAY

    @property
    def p_best(self) -> Floats:
        """The probability that each agent is the best, or good enough, after the last whole batch."""
        return self._p_best.copy()

    @property
    def strengths(self) -> Strengths | None:
        """The estimate after the last whole batch."""
        return self._known[-1] if self._known else None

    def allot(self) -> Ints:
        """Return the match-ups of the next batch in schedule order, shape (batch, n_players).

        Each must be played in all rotations of its seats, on a seed of its own.

        Raises:
            ParameterError: it cannot be decided on yet, or the best is known.
        """
        number = len(self._match_ups)
        if not self.can_allot:
            raise ParameterError(f"batch {number} cannot be allotted; it waits for batch {number - _IN_PLAY - 1}")
        rng = np.random.default_rng(derive_seed(self.seed, "allot", number))
        if number <= _IN_PLAY:
            found = newcomers(self._seated(), self.n_players, self.batch, rng)
        else:
            found = contenders(self._known[number - _IN_PLAY - 1], self.n_players, self.batch, rng)
        self._match_ups.append(found)
        return found

    def add(self, places: npt.ArrayLike | None, games: Iterable[tuple[int, tuple[int, ...]]] = ()) -> int | None:
        """Take the next block in schedule order and return the best agent, if it is known.

        Args:
            places: 1 for the first, ties sharing a place, shape (games, n_players) with players in the order of the
                match-up; None if the block is void.
            games: their keys and agents, as `IndependentBlocks.add` takes them.

        Raises:
            ParameterError: more blocks are returned than were allotted.
        """
        if len(self._shares) == self.batch * len(self._match_ups):
            raise ParameterError(f"block {len(self._shares)} has not been allotted")
        self._shares.append(None if places is None else pair_shares(places))
        self._repeats.add(games)
        if len(self._shares) % self.batch == 0:
            self._look()
        return self.best

    def _look(self) -> None:
        """Fit the strengths to all whole batches and decide."""
        match_ups = np.concatenate(self._match_ups)[: len(self._shares)]
        counts = [number for number, shares in enumerate(self._shares) if shares is not None]
        played = [shares for shares in self._shares if shares is not None]
        shape = (-1, self.n_players, self.n_players)
        tables = match_ups[counts]
        weights = np.array([self._repeats.share_between(table) for table in tables.tolist()], dtype=np.float64)
        shares = np.array(played, dtype=np.float64).reshape(shape)
        known = fit_strengths(self.n_agents, tables, shares, weights)
        self._known.append(known)
        if self.best is None:
            rng = np.random.default_rng(derive_seed(self.seed, "look", len(self._known)))
            draws = known.draw(_DRAWS, rng)
            good = draws >= draws.max(axis=1, keepdims=True) - self.indifference / ELO_PER_LOGIT
            self._p_best = good.mean(axis=0)
            leader = int(self._p_best.argmax())
            self.best = leader if self._p_best[leader] >= self.confidence else None

    def _seated(self) -> Ints:
        """Return how many blocks each agent has been seated in."""
        allotted = np.concatenate([np.empty(0, dtype=np.int64), *(table.ravel() for table in self._match_ups)])
        return np.bincount(allotted, minlength=self.n_agents)
