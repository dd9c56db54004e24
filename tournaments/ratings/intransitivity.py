"""Whether one scale tells the truth: the part of the log odds that goes round in circles.

Hodge's decomposition splits an antisymmetric table A of log odds into differences of ratings and a part in which every
agent's sum is 0: with r_i the mean of A_ij over j, A_ij = (r_i - r_j) + C_ij. The two are orthogonal, so that the share
of the cyclic part is |C|²/|A|², in sums of squares over all pairs (Jiang, Lim, Yao and Ye, Mathematical Programming 127,
2011; Balduzzi et al., NeurIPS 2018, section 2). It is 0 if one scale explains everything, and 1 for
rock-paper-scissors.

Chance alone makes circles, too: the fewer games, the more. Its contribution falls with the number of blocks b as 1/b and
is taken away by the jackknife over blocks, which gives the standard error as well (Efron and Stein, Annals of Statistics 9,
1981). The standard error is too small where the share is about 0, so that a test stands before it: without circles |C|² is
a sum of squares of chance alone, about a multiple of F with f and f (b - 1) degrees of freedom, where S is the jackknife's
covariance matrix of C, its trace the expectation, and f = (tr S)²/tr S² (Box, Annals of Mathematical Statistics 25, 1954;
tr S² without its bias, Bai and Saranadasa, Statistica Sinica 6, 1996).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import nan, sqrt
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.special import fdtrc, stdtrit

from tournaments.intervals import ROUNDING, interval_of_equals
from tournaments.ratings._pairs import Meetings, check_all_met
from tournaments.ratings.games import RankedGames
from tournaments.ratings.log_odds import shrunken_log_odds

#: Blocks are left out in at most so many groups: enough for Student's quantile to be the normal one.
_GROUPS: Final = 200
_CONFIDENCE: Final = 0.95
#: What rounding leaves of a variance of nothing.

_Bools = npt.NDArray[np.bool_]
_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Intransitivity:
    """How far agents are from being ordered by one number.

    Attributes:
        share: the cyclic part's share as it is in the data, in [0, 1]; nan if nobody leads anybody.
        corrected: without what chance contributes; nan with fewer than two blocks, or if without one of them nobody leads.
        low: the lower end of its interval at 95 %; 0 unless the p value is below 0.025.
        high: the upper end; 1 with fewer than two blocks.
        p_value: how likely so great a cyclic part is if one scale explains everything; 1 with fewer than three blocks.
        cyclic_triples: of three agents, each leading the next.
        triples: of any three agents.
    """

    share: float
    corrected: float
    low: float
    high: float
    p_value: float
    cyclic_triples: int
    triples: int


def cyclic_share(log_odds: _Floats) -> _Floats:
    """Return the cyclic part's share of antisymmetric tables, of shape (..., agents, agents); nan where all are 0."""
    cyclic, whole = np.square(_cyclic_part(log_odds)).sum(axis=(-2, -1)), np.square(log_odds).sum(axis=(-2, -1))
    share: _Floats = np.divide(cyclic, whole, out=np.full_like(whole, nan), where=whole > 0.0)
    return share


def cyclic_triples(leads: _Bools) -> int:
    """Return how many sets of three agents go round in a circle.

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
    scores, met = meetings.by_group(group, b)
    check_all_met(games.labels, met.sum(axis=0))
    whole = shrunken_log_odds(scores.sum(axis=0), met.sum(axis=0))
    left_out = shrunken_log_odds(scores.sum(axis=0) - scores, met.sum(axis=0) - met)
    share, p_value = float(cyclic_share(whole)), _p_value(_cyclic_part(whole), _cyclic_part(left_out))
    corrected, low, high = _jackknife(share, cyclic_share(left_out))
    return Intransitivity(
        share=share,
        corrected=corrected,
        low=low if p_value < (1.0 - _CONFIDENCE) / 2.0 else 0.0,
        high=high,
        p_value=p_value,
        cyclic_triples=cyclic_triples(whole > 0.0),
        triples=n * (n - 1) * (n - 2) // 6,
    )


def _cyclic_part(log_odds: _Floats) -> _Floats:
    """Return what differences of ratings leave of antisymmetric tables, of shape (..., agents, agents)."""
    ratings = log_odds.mean(axis=-1)
    cyclic: _Floats = log_odds - (ratings[..., :, None] - ratings[..., None, :])
    return cyclic


def _jackknife(share: float, left_out: _Floats) -> tuple[float, float, float]:
    """Return the share without its bias, and its interval, from the shares with one group left out."""
    b = len(left_out)
    if b < 2 or np.isnan([share, *left_out]).any():
        return nan, 0.0, 1.0
    mean = float(left_out.mean())
    corrected = b * share - (b - 1) * mean
    variance = (b - 1) / b * float(np.square(left_out - mean).sum())
    if variance <= ROUNDING:
        return share, *interval_of_equals(share, b, 0.0, 1.0)
    half = float(stdtrit(b - 1, (1.0 + _CONFIDENCE) / 2.0)) * sqrt(variance)
    low, high, corrected = (min(max(end, 0.0), 1.0) for end in (corrected - half, corrected + half, corrected))
    return (corrected, low, high) if low < high else (corrected, min(low, share), max(high, share))


def _p_value(cyclic: _Floats, left_out: _Floats) -> float:
    """Return the chance of so great a cyclic part, from those with one group left out, of shape (groups, agents, agents)."""
    b = len(left_out)
    if b < 3:
        return 1.0
    off = (left_out - left_out.mean(axis=0)).reshape(b, -1)
    products = (b - 1) / b * off @ off.T  # has the traces of the covariance matrix, and is smaller
    trace, f = float(np.trace(products)), b - 1
    of_square = (np.square(products).sum() - trace**2 / f) * f**2 / ((f - 1) * (f + 2))
    if trace <= ROUNDING:
        return 1.0
    freedom = max(trace**2 / of_square, 1.0) if of_square > 0.0 else float(f)
    return float(fdtrc(freedom, freedom * f, float(np.square(cyclic).sum()) / trace))
