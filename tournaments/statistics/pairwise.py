"""The pairwise table, and analyses of agents that one scale does not order: Nash averaging, alpha-rank, cycles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import nan, sqrt
from typing import Any, Final

import numpy as np
import scipy

from tag.errors import DataError
from tag.tournaments.statistics.intervals import (
    CONFIDENCE,
    ROUNDING,
    Bools,
    ClusteredMeans,
    Floats,
    Interval,
    IntervalEstimate,
    Ints,
    independent_clusters,
    interval_of_equals,
    plain,
    student,
)
from tag.tournaments.statistics.ranked_games import RankedGames


@dataclass(frozen=True, slots=True, eq=False)
class Meetings:
    """Sums over the meetings of two agents in a block: pairs of seats of one game that are not of one team.

    Arrays have one entry per pair and block.

    Attributes:
        first: the agent of a pair with the lower number.
        block: the block, from 0 without gaps.
        above: how often the first was placed above the second.
        below: how often the second was placed above the first.
        independent: how many are of games that repeat no earlier one (`tag.tournaments.statistics.repeats`).
    """

    labels: tuple[str, ...]
    first: Ints
    second: Ints
    block: Ints
    games: Floats
    above: Floats
    below: Floats
    independent: Floats
    n_blocks: int

    @classmethod
    def of(cls, games: RankedGames) -> Meetings:
        """Count the meetings of games; those of an agent with itself are none."""
        n, (block, n_blocks) = len(games.labels), games.block_numbers()
        cell, sums = _counts(_met(games, block, n_blocks), n * n * n_blocks, len(games))
        pair, block = np.divmod(cell, max(n_blocks, 1))
        first, second = np.divmod(pair, max(n, 1))
        met, above, below, independent = sums
        return cls(games.labels, first, second, block, met, above, below, independent, n_blocks)

    @property
    def share(self) -> float:
        """The share of meetings in games that are independent."""
        return float(self.independent.sum() / self.games.sum()) if len(self.games) else 1.0

    def by_group(self, group_of_block: Ints, n_groups: int) -> tuple[Floats, Floats]:
        """Return how often the row was above the column, level counting half, and how often they met.

        Both are of shape (groups, agents, agents).
        """
        n = len(self.labels)
        group = group_of_block[self.block]
        forth = (group * n + self.first) * n + self.second
        back = (group * n + self.second) * n + self.first
        half = 0.5 * (self.games - self.above - self.below)
        where = np.concatenate([forth, back])
        sums = (
            np.bincount(where, what, n_groups * n * n).astype(np.float64).reshape(n_groups, n, n)
            for what in (np.concatenate([self.above + half, self.below + half]), np.tile(self.games, 2))
        )
        scores, games = sums
        return scores, games


def _met(games: RankedGames, block: Ints, n_blocks: int) -> Iterator[tuple[Ints, Ints, Bools]]:
    """Yield the meetings of every two seats.

    They are a number of the agents and the block, the lead of the first, ±1 or 0, and whether the game is independent.
    """
    n = len(games.labels)
    is_new = np.ones(len(games), dtype=np.bool_) if games.independent is None else games.independent
    for left, right in combinations(range(games.agents.shape[1]), 2):
        one, other = games.agents[:, left], games.agents[:, right]
        lead = np.sign(games.places[:, right] - games.places[:, left])
        is_met = games.are_rivals(left, right) & (one != other)
        pair = np.minimum(one, other) * n + np.maximum(one, other)
        yield (pair * n_blocks + block)[is_met], np.where(one < other, lead, -lead)[is_met], is_new[is_met]


def _counts(met: Iterable[tuple[Ints, Ints, Bools]], n_cells: int, n_games: int) -> tuple[Ints, Floats]:
    """Return the numbers with meetings, sorted, and sums for each, of shape (4, numbers).

    The sums are how often it was there, in the lead, behind, and in an independent game.
    Where most of the ``n_cells`` numbers are there, they need no sorting.
    """
    if n_cells <= 4 * n_games:
        sums = np.zeros((4, n_cells))
        for code, lead, is_new in met:
            sums += [np.bincount(code, what, n_cells) for what in (np.ones(len(code)), lead > 0, lead < 0, is_new)]
        cells = np.flatnonzero(sums[0])
        return cells, sums[:, cells]
    codes, leads, news = zip((np.zeros(0, dtype=np.int64),) * 3, *met, strict=True)
    cells, which = np.unique(np.concatenate(codes), return_inverse=True)
    lead = np.concatenate(leads)
    what = (np.ones(len(lead)), lead > 0, lead < 0, np.concatenate(news))
    return cells, np.array([np.bincount(which, weights, len(cells)) for weights in what], dtype=np.float64)


def check_all_met(labels: tuple[str, ...], games: Floats) -> None:
    """Reject agents that have not all met.

    Raises:
        DataError: two have not.
    """
    strangers = np.argwhere(np.triu(games == 0.0, 1))
    if len(strangers):
        one, other = (labels[number] for number in strangers[0])
        raise DataError(f"{one!r} and {other!r} have not met; every two agents must have a game in common")


def holm(p_values: Floats) -> Floats:
    """Return p values, of shape (m,), corrected so that the chance of any wrong rejection is at most the level.

    The i-th smallest, from 0, is multiplied by m - i, and none is less than a smaller one's; this needs no independence
    (Holm, Scandinavian Journal of Statistics 6, 1979).

    >>> holm(np.array([0.01, 0.04, 0.03])).round(2).tolist()
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p_values)
    multiples = p_values[order] * np.arange(len(p_values), 0, -1)
    corrected = np.empty_like(p_values)
    corrected[order] = np.minimum(np.maximum.accumulate(multiples), 1.0)
    return corrected


#: More groups than these are not all listed.
_MOST_GROUPS: Final = 1_000


def groups(is_different: Bools, ratings: Floats) -> list[tuple[int, ...]]:
    """Return the largest groups of agents of which no two differ.

    Two agents share a group just if they cannot be told apart; an agent may be in several. These are all such groups that
    are not within others ("insert and absorb", Piepho, Journal of Computational and Graphical Statistics 13, 2004). There
    may be exponentially many: of more than 1,000 only as many are returned as hold all pairs that cannot be told apart,
    each found by adding agents one by one (Gramm et al., Computational Statistics & Data Analysis 52, 2007).

    Args:
        is_different: of shape (agents, agents), symmetric: which two can be told apart.
        ratings: of shape (agents,), the order of agents and groups, the best first.

    >>> chain = np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], dtype=bool)
    >>> groups(chain, np.array([20.0, 10.0, 0.0]))
    [(0, 1), (1, 2)]
    """
    order = np.argsort(-ratings, kind="stable")
    equals = ~is_different[np.ix_(order, order)]
    np.fill_diagonal(equals, False)
    # Bit k of a number stands for the agent with the k-th best rating.
    alike = [int.from_bytes(np.packbits(row, bitorder="little").tobytes(), "little") for row in equals]
    found = _all_groups(alike)
    if found is None:
        found = _covering_groups(alike)
    return [tuple(int(order[place]) for place in group) for group in sorted(map(_members, found))]


def _all_groups(alike: Sequence[int]) -> list[int] | None:
    """Return all largest groups, as bits, by adding agents one by one; None for too many, whose number never falls.

    ``alike`` has for each agent the bits of those it cannot be told apart from.
    """
    found: list[int] = []
    for agent, others in enumerate(alike):
        bit = 1 << agent
        among, grown, kept = others & (bit - 1), set[int](), list[int]()
        for group in found or [0]:
            inside = group & among
            if inside != group:
                kept.append(group)
            if not _who_fits(inside, among & ~inside, alike):
                grown.add(inside | bit)
        found = [*kept, *grown]
        if len(found) > _MOST_GROUPS:
            return None
    return found


def _who_fits(group: int, candidates: int, alike: Sequence[int]) -> int:
    """Return the candidates that cannot be told apart from anyone in the group."""
    while group and candidates:
        lowest = group & -group
        candidates &= alike[lowest.bit_length() - 1]
        group ^= lowest
    return candidates


def _covering_groups(alike: Sequence[int]) -> list[int]:
    """Return largest groups, as bits, so that every two agents that cannot be told apart share one."""
    found: list[int] = []
    apart = list(alike)  # those with whom an agent shares no group yet, though it could
    for agent, others in enumerate(alike):
        if not others:
            found.append(1 << agent)
        while apart[agent]:
            group, candidates = 1 << agent, others
            while candidates:
                wanted = candidates & apart[agent] or candidates
                lowest = wanted & -wanted
                group |= lowest
                candidates &= alike[lowest.bit_length() - 1]
            found.append(group)
            for member in _members(group):
                apart[member] &= ~group
    return found


def _members(group: int) -> list[int]:
    """Return the agents in a group, by rank."""
    return [place for place, digit in enumerate(reversed(f"{group:b}")) if digit == "1"]


# --- pairwise table ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class PairwiseTable:
    """Every two agents' results in the games that both played; arrays of shape (agents, agents), nan where they never met.

    Attributes:
        games: how often the row met the column: pairs of seats of a game.
        above: the share of them in which the row was placed above the column.
        score: the same, with a half for a shared place.
        low: the lower end of the score's interval at 95 %, from block means (see `tag.tournaments.statistics.intervals`).
        p_value: how likely a score at least this far from 1/2 is between equals; below 0.05 just where the interval
            leaves 1/2 out.
        corrected: the p values after Holm's correction for all pairs that met.
    """

    labels: tuple[str, ...]
    games: Floats
    above: Floats
    score: Floats
    low: Floats
    high: Floats
    p_value: Floats
    corrected: Floats

    def to_json(self) -> dict[str, Any]:
        """Return the columns of the tables as plain values, nan as None."""
        names = ("games", "score", "low", "high", "corrected")
        arrays = {name: getattr(self, name).tolist() for name in names}
        return dict(plain({"labels": list(self.labels), **arrays}))

    def is_different(self, level: float = 0.05) -> Bools:
        """Return which agents can be told apart: their p value, corrected, is below ``level``."""
        return self.corrected < level


def pairwise(games: RankedGames) -> PairwiseTable:
    """Return the pairwise table of games.

    >>> import numpy as np
    >>> agents = np.tile([[0, 1], [1, 0]], (10, 1))
    >>> places = np.array([[1, 2], [2, 1]] * 9 + [[2, 1], [1, 2]])
    >>> table = pairwise(RankedGames(("a", "b"), agents, places, np.repeat(np.arange(10), 2)))
    >>> int(table.games[0, 1]), float(table.score[0, 1]), round(float(table.low[0, 1]), 2)
    (20, 0.9, 0.52)
    """
    meetings = Meetings.of(games)
    n = len(games.labels)
    table = PairwiseTable(games.labels, np.zeros((n, n)), *(np.full((n, n), nan) for _ in range(6)))
    pairs, begins = np.unique(meetings.first * n + meetings.second, return_index=True)
    if not len(pairs):
        return table
    first, second = np.divmod(pairs, n)
    scores = ClusteredMeans.of_runs(0.5 * (meetings.games + meetings.above - meetings.below), meetings.games, begins)
    met, above, below, independent = (
        np.add.reduceat(sums, begins) for sums in (meetings.games, meetings.above, meetings.below, meetings.independent)
    )
    scores = scores.known_from(independent / met)
    low, high = scores.proportion_intervals()
    p_value = scores.proportion_p_values(0.5)
    corrected = holm(p_value)
    for cells, forth, back in (
        (table.games, met, met),
        (table.above, above / met, below / met),
        (table.score, scores.mean, 1.0 - scores.mean),
        (table.low, low, 1.0 - high),
        (table.high, high, 1.0 - low),
        (table.p_value, p_value, p_value),
        (table.corrected, corrected, corrected),
    ):
        cells[first, second], cells[second, first] = forth, back
    return table


# --- log odds ---------------------------------------------------------------------------------------------------------
#
# Log odds of one agent against another: the antisymmetric table for Nash averaging and intransitivity.


def log_odds(games: RankedGames) -> Floats:
    """Return the log odds that the row is placed above the column, of shape (agents, agents), from all their games.

    Raises:
        DataError: two agents have not met.
    """
    meetings = Meetings.of(games)
    scores, met = meetings.by_group(np.zeros(meetings.n_blocks, dtype=np.int64), 1)
    check_all_met(games.labels, met[0])
    return shrunken_log_odds(scores[0], met[0])


def shrunken_log_odds(scores: Floats, games: Floats) -> Floats:
    """Return log((s + 1/2) / (n - s + 1/2)) for scores s in n games: finite, and nearly unbiased (Haldane 1956).

    >>> import numpy as np
    >>> shrunken_log_odds(np.array([9.0, 10.0]), np.array([10.0, 10.0])).round(2)
    array([1.85, 3.04])
    """
    odds: Floats = scipy.special.logit((scores + 0.5) / (games + 1.0))
    return odds


# --- Nash averaging ---------------------------------------------------------------------------------------------------
#
# Two players choose agents; one wins from the other the log odds A_ij that its agent beats the other's. The game has
# value 0. Among its equilibria {p ≥ 0, Σ p = 1, A p ≤ 0} there is one of maximal entropy, and the Nash average of the
# agents is A p: 0 for those in its support, negative for others. Copies of an agent share its weight and change nothing
# for the others (Balduzzi, Tuyls, Perolat and Graepel, "Re-evaluating Evaluation", NeurIPS 2018, section 3).
#
# A linear program first finds the agents with any weight in some equilibrium: it makes as many as possible at least 1
# in a vector p ≥ 0 with A p ≤ 0. Given this support, the entropy is greatest at p_i ∝ exp(-Σ_j λ_j A_ji). Here λ
# minimises the convex log Σ_(i in the support) exp(-Σ_j λ_j A_ji), λ_j being free where j is in the support and not
# negative elsewhere.


@dataclass(frozen=True, slots=True, eq=False)
class NashAverage:
    """The equilibrium of maximal entropy, with the ratings that follow from it.

    Attributes:
        weights: of shape (agents,), sum 1: the equilibrium.
        ratings: of shape (agents,): each agent's mean log odds against it, at most 0.
    """

    weights: Floats
    ratings: Floats


def nash_average(log_odds: Floats) -> NashAverage:
    """Return the Nash average of agents.

    Args:
        log_odds: of shape (agents, agents), antisymmetric: for the row against the column, as `log_odds` gives.

    Raises:
        DataError: the table is not antisymmetric.

    >>> nash_average(np.array([[0.0, 1.0, -1.0], [-1.0, 0.0, 1.0], [1.0, -1.0, 0.0]])).weights.round(3).tolist()
    [0.333, 0.333, 0.333]
    """
    if log_odds.ndim != 2 or log_odds.shape[0] != log_odds.shape[1] or not np.allclose(log_odds, -log_odds.T):
        raise DataError("the table of log odds is not antisymmetric; what the row gains, the column loses")
    scale = np.abs(log_odds).max(initial=0.0) or 1.0
    support = _support(log_odds / scale)
    weights = _most_even(log_odds / scale, support)
    return NashAverage(weights, log_odds @ weights)


def _support(payoffs: Floats) -> Bools:
    """Return the agents with weight in some equilibrium: greatest Σ t for 0 ≤ t ≤ 1, t ≤ p, A p ≤ 0."""
    from scipy.optimize import linprog  # noqa: PLC0415  0.2 s, and tables of results do without

    n = len(payoffs)
    nothing, unit = np.zeros((n, n)), np.eye(n)
    found = linprog(
        np.concatenate([np.zeros(n), -np.ones(n)]),
        A_ub=np.block([[payoffs, nothing], [-unit, unit]]),
        b_ub=np.zeros(2 * n),
        bounds=[(0.0, None)] * n + [(0.0, 1.0)] * n,
        method="highs",
    )
    is_supported: Bools = found.x[n:] > 0.5
    return is_supported


def _most_even(payoffs: Floats, support: Bools) -> Floats:
    """Return the equilibrium of greatest entropy on ``support``."""
    from scipy.optimize import minimize  # noqa: PLC0415  as above

    rows = payoffs[:, support]

    def dual(multipliers: Floats) -> tuple[float, Floats]:
        exponents = -multipliers @ rows
        return float(scipy.special.logsumexp(exponents)), -rows @ scipy.special.softmax(exponents)

    bounds = [(None if is_free else 0.0, None) for is_free in support]
    options = {"maxiter": 10_000, "maxfun": 100_000, "ftol": 0.0, "gtol": 1e-12, "maxcor": 50}
    found = minimize(dual, np.zeros(len(payoffs)), jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    weights = np.zeros(len(payoffs))
    weights[support] = scipy.special.softmax(-found.x @ rows)
    return weights


# --- alpha-rank -------------------------------------------------------------------------------------------------------
#
# In a population in which all play the same strategy, a mutant appears now and then, and dies out or takes over. The
# selection intensity is alpha, and there are m individuals. A mutant that earns f more than the others takes over with
# probability
#
#     (1 - exp(-x)) / (1 - exp(-m x)) where x = alpha f, and 1/m if f = 0.
#
# The masses are the stationary distribution of the Markov chain over strategies, with all mutants equally likely
# (Omidshafiei, Papadimitriou, Piliouras et al., "Multi-Agent Evaluation by Evolution", Scientific Reports 9, 2019). In
# a cycle each has a mass, and agents that evolution leaves behind have none.
#
# The chance that a weaker mutant takes over is soon below the least floating-point number. So logarithms of the
# transition rates are kept, and the chain is solved by eliminating states without subtractions (Grassmann, Taksar and
# Heyman, Operations Research 33, 1985): exact for any alpha. Time grows with the cube of the number of states; 1,000 take
# some seconds.


#: Selection intensity and population of the authors' software, for payoffs that differ by about 1.
ALPHA: Final = 100.0
POPULATION: Final = 50


def alpha_rank(payoffs: Floats, alpha: float = ALPHA, population: int = POPULATION) -> Floats:
    """Return the mass of each agent, of shape (agents,), sum 1, in a symmetric game of two from one population.

    Args:
        payoffs: of shape (agents, agents): the row's earnings against the column, such as `PairwiseTable.score`; the
            diagonal is not read.
        alpha: the selection intensity, per unit of payoff.
        population: how many individuals there are, at least 2.

    Raises:
        DataError: the table is not square, or a payoff is unknown.

    >>> alpha_rank(np.array([[0.5, 1.0, 0.0], [0.0, 0.5, 1.0], [1.0, 0.0, 0.5]])).round(3).tolist()
    [0.333, 0.333, 0.333]
    """
    if payoffs.ndim != 2 or payoffs.shape[0] != payoffs.shape[1]:
        raise DataError(f"a payoff table cannot have the shape {payoffs.shape}; it has a row and a column per agent")
    n = len(payoffs)
    gains = payoffs.T - payoffs
    np.fill_diagonal(gains, 0.0)
    if not np.isfinite(gains).all():
        raise DataError("a payoff is unknown; every two agents must have a game in common")
    rates = _log_fixation(gains, alpha, population) - np.log(max(n - 1, 1))
    return _stationary(rates)


def _log_fixation(gains: Floats, alpha: float, population: int) -> Floats:
    """Return the log probability of taking over; for a loss it is (m-1) |x| less than for a gain as great."""
    x = alpha * np.abs(gains)
    with np.errstate(divide="ignore", invalid="ignore"):
        gain = np.log(np.expm1(-x) / np.expm1(-population * x))
    log_probability = np.where(x > 0.0, gain, -np.log(population))
    return log_probability - np.where(gains < 0.0, (population - 1) * x, 0.0)


def _stationary(log_rates: Floats) -> Floats:
    """Return the stationary distribution of the chain with these log transition rates; the diagonal is not read."""
    rates = log_rates.copy()
    n = len(rates)
    for state in range(n - 1, 0, -1):
        rates[:state, state] -= np.logaddexp.reduce(rates[state, :state])
        detours = rates[:state, state, None] + rates[state, :state]
        rates[:state, :state] = np.logaddexp(rates[:state, :state], detours)
    log_mass = np.zeros(n)
    for state in range(1, n):
        log_mass[state] = np.logaddexp.reduce(log_mass[:state] + rates[:state, state])
    masses: Floats = np.exp(log_mass - np.logaddexp.reduce(log_mass))
    return masses


# --- intransitivity: circles, and the cyclic part of the log odds -----------------------------------------------------
#
# **Circles.** Agents are in one order if, of any three in it, the first is placed above the third at least as often as
# above the second, and as the second is above the third (strong stochastic transitivity; Tversky and Russo, Journal of
# Mathematical Psychology 6, 1969). This holds for strengths on one scale, however often games are drawn. Three agents go
# round in a circle if each is placed above the next more often than below. The test is of Σ (score - 1/2) over the three
# pairs, in triples in which no agent is behind the next by more than a tenth of a standard error: elsewhere an order
# explains the sum. It is Student's over blocks, to which one is added with a variance of 1/4 for each score; p values
# are two-sided and multiplied by the number of triples (Bonferroni). `benchmarks/coverage` measures its errors.
#
# **The cyclic part.** Hodge's decomposition splits an antisymmetric table A of log odds into differences of ratings and a
# cyclic part in which every agent's sum is 0. With r_i the mean of A_ij over j, A_ij = (r_i - r_j) + C_ij. The two are
# orthogonal, so the share of the cyclic part is |C|²/|A|², in sums of squares over all pairs. It is 0 if differences of
# ratings explain everything, and 1 for rock-paper-scissors (Jiang, Lim, Yao and Ye, Mathematical Programming 127, 2011;
# Balduzzi et al., NeurIPS 2018, section 2). It is not 0 for all orders: where draws are common, log odds do not add up.
#
# Chance alone also makes a cyclic part: the fewer games, the more. Its contribution falls with the blocks b as 1/b. The
# jackknife over blocks removes it and gives the standard error too (Efron and Stein, Annals of Statistics 9, 1981). That
# standard error is too small where the share is about 0, so a test of it is made first. Without a cyclic part |C|² is a
# sum of squares of chance alone, about a multiple of F with f and f (b - 1) degrees of freedom. Here S is the jackknife's
# covariance matrix of C, its trace the expectation, and f = (tr S)²/tr S² (Box, Annals of Mathematical Statistics 25,
# 1954; tr S² without its bias, Bai and Saranadasa, Statistica Sinica 6, 1996).


#: Blocks are left out in at most so many groups: enough for Student's quantile to be the normal one.
_GROUPS: Final = 200
#: Only below this p value is the share above 0.
_ONE_SIDED: Final = (1.0 - CONFIDENCE) / 2.0
#: An agent is behind another if its score is below 1/2 by more than so many standard errors.
_LEVEL: Final = 0.1
#: The variance of a score of 0 or 1 by chance.
_BY_CHANCE: Final = 0.25


@dataclass(frozen=True, slots=True)
class Intransitivity:
    """The deviation of agents' results from an order, and from differences of ratings.

    Attributes:
        share: the cyclic part's share in the data, in [0, 1]; nan if no agent leads another.
        corrected: without the contribution of chance; nan with fewer than two blocks, or if none leads without one
            block.
        interval: of the share; the lower end is 0 unless the share is significant, the upper one 1 with fewer than two
            blocks.
        p_value: how likely at least such a circle of three is if the agents are in one order; 1 with fewer than three
            blocks.
        cyclic_triples: sets of three agents, each leading the next.
    """

    share: float
    corrected: float
    interval: Interval
    p_value: float
    cyclic_triples: int
    triples: int


def cyclic_share(log_odds: Floats) -> Floats:
    """Return the cyclic part's share of antisymmetric tables, of shape (..., agents, agents); nan where all are 0."""
    cyclic, whole = np.square(_cyclic_part(log_odds)).sum(axis=(-2, -1)), np.square(log_odds).sum(axis=(-2, -1))
    share: Floats = np.divide(cyclic, whole, out=np.full_like(whole, nan), where=whole > 0.0)
    return share


def cyclic_triples(leads: Bools) -> int:
    """Return how many sets of three agents form a cycle.

    >>> import numpy as np
    >>> scissors = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]], dtype=bool)
    >>> cyclic_triples(scissors)
    1

    Args:
        leads: of shape (agents, agents): whether the row leads the column, such as a positive log odds, or a score that
            is significantly above 1/2.
    """
    steps = leads.astype(np.int64)
    return int(np.trace(steps @ steps @ steps)) // 3


def intransitivity(games: RankedGames) -> Intransitivity:
    """Measure how far from transitive the agents' results against each other are.

    Raises:
        DataError: two agents have not met.
    """
    meetings = Meetings.of(games)
    n, b = len(games.labels), min(meetings.n_blocks, _GROUPS)
    group = np.arange(meetings.n_blocks) * b // max(meetings.n_blocks, 1)
    n_independent = independent_clusters(meetings.n_blocks, meetings.share)
    known = min(n_independent, b)
    # Sums are those of the independent games, and each group counts as the share of these that one of the known groups is.
    scores, met = (meetings.share * sums for sums in meetings.by_group(group, b))
    check_all_met(games.labels, met.sum(axis=0))
    whole = shrunken_log_odds(scores.sum(axis=0), met.sum(axis=0))
    times = b / max(known, 1)
    left_out = shrunken_log_odds(*(np.maximum(sums.sum(axis=0) - times * sums, 0.0) for sums in (scores, met)))
    share = float(cyclic_share(whole))
    corrected, interval = _jackknife(share, cyclic_share(left_out), known)
    is_cyclic = _p_value_of_share(_cyclic_part(whole), _cyclic_part(left_out), known) < _ONE_SIDED
    return Intransitivity(
        share=share,
        corrected=corrected,
        interval=interval if is_cyclic else Interval(0.0, interval.high),
        p_value=_p_value_of_circles(scores, met, known, n_independent),
        cyclic_triples=cyclic_triples(whole > 0.0),
        triples=n * (n - 1) * (n - 2) // 6,
    )


def _cyclic_part(log_odds: Floats) -> Floats:
    """Return antisymmetric tables, of shape (..., agents, agents), without the part that differences of ratings explain."""
    ratings = log_odds.mean(axis=-1)
    cyclic: Floats = log_odds - (ratings[..., :, None] - ratings[..., None, :])
    return cyclic


def _jackknife(share: float, left_out: Floats, b: int) -> IntervalEstimate:
    """Return the share without its bias, and its interval, from the shares with one group left out, of which b count."""
    if b < 2 or np.isnan([share, *left_out]).any():
        return IntervalEstimate(nan, Interval(0.0, 1.0))
    mean = float(left_out.mean())
    corrected = b * share - (b - 1) * mean
    variance = (b - 1) * float(np.square(left_out - mean).mean())
    if variance <= ROUNDING:
        return IntervalEstimate(share, interval_of_equals(share, b, 0.0, 1.0))
    half = student(b) * sqrt(variance)
    low, high, corrected = (min(max(end, 0.0), 1.0) for end in (corrected - half, corrected + half, corrected))
    return IntervalEstimate(
        corrected, Interval(low, high) if low < high else Interval(min(low, share), max(high, share))
    )


def _p_value_of_circles(scores: Floats, met: Floats, b: int, n_blocks: int) -> float:
    """Return the chance of at least such a circle among agents in one order.

    Args:
        scores: of shape (groups, agents, agents): how often the row was above the column in a group of blocks.
        met: how often they met, of the same shape.
        b: the groups that count as independent.
        n_blocks: the blocks that do.
    """
    groups, n = met.shape[:2]
    if b < 3:
        return 1.0
    sizes = met.sum(axis=0)
    np.fill_diagonal(sizes, 1.0)
    leads = scores.sum(axis=0) / sizes - 0.5
    residuals = (scores - (leads + 0.5) * met) / sizes  # of means over all blocks
    added = _BY_CHANCE / (n_blocks * (n_blocks - 1))
    factor = groups / (b - 1)
    errors = np.sqrt(factor * np.square(residuals).sum(axis=0) + added)
    is_level = leads > -_LEVEL * errors
    np.fill_diagonal(is_level, False)
    greatest = 0.0
    for one in range(n - 2):
        rest = slice(one + 1, None)
        after, last = np.nonzero(is_level[one, rest, None] & is_level[rest, rest] & is_level[rest, one])
        after, last = after + one + 1, last + one + 1
        total = leads[one, after] + leads[after, last] + leads[last, one]
        off = residuals[:, one, after] + residuals[:, after, last] + residuals[:, last, one]
        error = np.sqrt(factor * np.square(off).sum(axis=0) + 3.0 * added)
        greatest = max(greatest, float((total / error).max(initial=0.0)))
    triples = n * (n - 1) * (n - 2) // 6
    return min(1.0, triples * 2.0 * float(scipy.special.stdtr(b - 1, -greatest))) if triples else 1.0


def _p_value_of_share(cyclic: Floats, left_out: Floats, b: int) -> float:
    """Return the chance of so great a cyclic part, from those with one group left out, of which b count as independent.

    Arrays are of shape (groups, agents, agents).
    """
    if b < 3:
        return 1.0
    off = (left_out - left_out.mean(axis=0)).reshape(len(left_out), -1)
    products = (b - 1) / len(left_out) * off @ off.T  # has the traces of the covariance matrix, and is smaller
    trace, f = float(np.trace(products)), b - 1
    of_square = (np.square(products).sum() - trace**2 / f) * f**2 / ((f - 1) * (f + 2))
    if trace <= ROUNDING:
        return 1.0
    freedom = max(trace**2 / of_square, 1.0) if of_square > 0.0 else float(f)
    return float(scipy.special.fdtrc(freedom, freedom * f, float(np.square(cyclic).sum()) / trace))
