"""Intransitivity: circles, and the cyclic part of the log odds.

**Circles.** Agents are in one order if, of any three in it, the first is placed above the third at least as often as
above the second, and as the second is above the third (strong stochastic transitivity; Tversky and Russo, Journal of
Mathematical Psychology 6, 1969). This holds for strengths on one scale, however often games are drawn. Three agents go
round in a circle if each is placed above the next more often than below. The test is of Σ (score - 1/2) over the three
pairs, in triples in which no agent is behind the next by more than a tenth of a standard error: elsewhere an order
explains the sum. It is Student's over blocks, to which one is added with a variance of 1/4 for each score; p values
are two-sided and multiplied by the number of triples (Bonferroni). `benchmarks/coverage` measures its errors.

**The cyclic part.** Hodge's decomposition splits an antisymmetric table A of log odds into differences of ratings and a
cyclic part in which every agent's sum is 0. With r_i the mean of A_ij over j, A_ij = (r_i - r_j) + C_ij. The two are
orthogonal, so the share of the cyclic part is |C|²/|A|², in sums of squares over all pairs. It is 0 if differences of
ratings explain everything, and 1 for rock-paper-scissors (Jiang, Lim, Yao and Ye, Mathematical Programming 127, 2011;
Balduzzi et al., NeurIPS 2018, section 2). It is not 0 for all orders: where draws are common, log odds do not add up.

Chance alone also makes a cyclic part: the fewer games, the more. Its contribution falls with the blocks b as 1/b. The
jackknife over blocks removes it and gives the standard error too (Efron and Stein, Annals of Statistics 9, 1981). That
standard error is too small where the share is about 0, so a test of it is made first. Without a cyclic part |C|² is a
sum of squares of chance alone, about a multiple of F with f and f (b - 1) degrees of freedom. Here S is the jackknife's
covariance matrix of C, its trace the expectation, and f = (tr S)²/tr S² (Box, Annals of Mathematical Statistics 25,
1954; tr S² without its bias, Bai and Saranadasa, Statistica Sinica 6, 1996).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import nan, sqrt
from typing import Final

import numpy as np
import scipy

from tag.tournaments.statistics.intervals import (
    CONFIDENCE,
    ROUNDING,
    Bools,
    Floats,
    Interval,
    IntervalEstimate,
    independent_clusters,
    interval_of_equals,
    student,
)
from tag.tournaments.statistics.ratings.pairwise import Meetings, check_all_met, shrunken_log_odds
from tag.tournaments.statistics.ratings.ranked_games import RankedGames

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
    # What a group counts for may be more than all results of a pair.
    met_left = np.maximum(met.sum(axis=0) - times * met, 0.0)
    scores_left = np.clip(scores.sum(axis=0) - times * scores, 0.0, met_left)
    left_out = shrunken_log_odds(scores_left, met_left)
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
