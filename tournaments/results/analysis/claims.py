"""Claims of papers, judged by the intervals of what was measured.

A claim says that a quantity lies in a range, mostly that a difference is above 0. It *agrees* if the whole 95 % interval
lies in the range, is *refuted* if the whole interval lies outside, and is *undecided* otherwise. Where the paper prints a
figure for the quantity, its size is judged as well: a claim whose interval meets no value within `TOLERANCE` of the figure
only *agrees in sign*. What was played by agents that hardly searched is *not judged*
(`tag.tournaments.results.analysis.effort`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import hypot, inf
from typing import Final

import numpy as np
import pandas as pd

from tag.tournaments.statistics.clustered_means import ClusteredMean
from tag.tournaments.statistics.intervals import Interval, IntervalEstimate
from tag.tournaments.statistics.repeats import INDEPENDENT

#: How far from a printed figure a size still agrees with it, as a share of the figure. Budgets and rules differ from the
#: papers', so that no more than the order of magnitude can be expected.
TOLERANCE: Final = 0.5
#: The least such distance, for figures near 0: in the unit of the figure, 2 points of 100 for a share.
LEAST_TOLERANCE: Final = 0.02


class Verdict(StrEnum):
    """The judgement of a claim."""

    AGREES = "agrees"
    IN_SIGN = "agrees in sign"
    REFUTED = "refuted"
    UNDECIDED = "undecided"
    NOT_JUDGED = "not judged"


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement of a paper beside what was measured.

    Attributes:
        text: the statement.
        published: the paper's figures, for people.
        measured: the quantity that the statement is about.
        games: on how many games it rests.
        form: the format of its figures: ``+.0%`` for differences of rates, ``.2f`` for plain numbers.
    """

    text: str
    published: str
    measured: IntervalEstimate
    games: int
    verdict: Verdict
    form: str = "+.0%"

    def figures(self) -> str:
        """Return what was measured, with its interval."""
        return self.measured.text(self.form)


def claim_of_range(
    text: str,
    published: str,
    measured: IntervalEstimate,
    games: int,
    *,
    above: float = -inf,
    below: float = inf,
    printed: float | None = None,
    form: str = "+.0%",
) -> Claim:
    """Judge the claim that a quantity is greater than ``above`` and less than ``below``.

    Args:
        text: the statement.
        published: the paper's figures, for people.
        measured: the quantity.
        games: on how many games it rests.
        above: the lower end of the range.
        below: the upper end.
        printed: the paper's figure for the same quantity, None where it has none; its size is judged as well.
        form: the format of the figures.
    """
    low, high = measured.interval
    verdict = Verdict.UNDECIDED
    if low > above and high < below:
        verdict = Verdict.AGREES if printed is None or meets(measured.interval, printed) else Verdict.IN_SIGN
    elif high < above or low > below:
        verdict = Verdict.REFUTED
    return Claim(text, published, measured, games, verdict, form)


def meets(interval: Interval, printed: float) -> bool:
    """Say whether an interval has a value whose size agrees with a printed figure.

    >>> meets(Interval(0.12, 0.20), 0.30), meets(Interval(0.046, 0.200), 0.001)
    (True, False)
    """
    tolerance = max(TOLERANCE * abs(printed), LEAST_TOLERANCE)
    return interval.low <= printed + tolerance and interval.high >= printed - tolerance


def claim_of_difference(
    text: str,
    published: str,
    greater: IntervalEstimate,
    less: IntervalEstimate,
    games: int,
    *,
    printed: float | None = None,
    form: str = "+.0%",
) -> Claim:
    """Judge the claim that one of two independent estimates is greater than the other, by ``printed`` if that is given."""
    return claim_of_range(text, published, difference(greater, less), games, above=0.0, printed=printed, form=form)


def difference(one: IntervalEstimate, other: IntervalEstimate) -> IntervalEstimate:
    """Return the difference of two independent estimates, with Newcombe's interval (Statistics in Medicine 17, 1998).

    The interval is too wide for games with the same luck, and too narrow for agents that meet in the same games:
    `points_difference` is for these.
    """
    value = one.value - other.value
    down = hypot(one.value - one.interval.low, other.interval.high - other.value)
    up = hypot(one.interval.high - one.value, other.value - other.interval.low)
    return IntervalEstimate(value, Interval(value - down, value + up))


def points_difference(seats: pd.DataFrame, one: str, other: str) -> IntervalEstimate:
    """Return the difference of two agents' points per game, with its interval over the blocks of a tournament.

    Args:
        seats: block, agent and points of each seat of the games that count, as `counted_seats` returns; where games repeat,
            also which are independent.
        one: the name of an agent with games.
        other: the name of another one.
    """
    blocks = seats["block"].unique()
    values = np.zeros(len(blocks))  # linearised: their mean is the difference, and their spread its error
    of_both = seats[seats["agent"].isin([one, other])]
    share = float(of_both[INDEPENDENT].mean()) if INDEPENDENT in of_both else 1.0
    for agent, sign in ((one, 1.0), (other, -1.0)):
        played = seats[(seats["agent"] == agent).to_numpy(dtype=bool)].groupby("block")["points"].agg(["sum", "size"])
        totals, games = played.reindex(blocks, fill_value=0).to_numpy(dtype=np.float64).T
        mean = totals.sum() / games.sum()
        values += sign * (mean + len(blocks) * (totals - mean * games) / games.sum())
    found = ClusteredMean.of(values, np.ones(len(blocks))).known_from(share)
    return IntervalEstimate(found.mean, found.interval(-1.0, 1.0))


def least(estimates: Sequence[IntervalEstimate]) -> IntervalEstimate:
    """Return the least of several estimates, for claims that all of them are above a bound.

    Its interval ends at the least lower and the least upper end. So a claim about it agrees if it does for each
    estimate, and is refuted if it is for one of them.
    """
    lows, highs = zip(*(estimate.interval for estimate in estimates), strict=True)
    return IntervalEstimate(min(estimate.value for estimate in estimates), Interval(min(lows), min(highs)))


def claims_table(claims: Iterable[Claim]) -> list[str]:
    """Return the lines of a table in Markdown, one row per claim."""
    lines = ["| claim | published | measured, 95 % interval | games | verdict |", f"|{'---|' * 5}"]
    for claim in claims:
        lines.append(
            f"| {claim.text} | {claim.published} | {claim.figures()} | {claim.games:,} | *{claim.verdict.value}* |"
        )
    return lines
