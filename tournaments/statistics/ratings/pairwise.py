"""Scores of agents against each other, and which differ.

Log odds of one agent against another: the antisymmetric table for Nash averaging and intransitivity.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import combinations
from math import nan, sqrt
from typing import Any, Final

import numpy as np
import scipy

from tag.errors import DataError
from tag.tournaments.statistics.clustered_means import ClusteredMeans
from tag.tournaments.statistics.intervals import HALF_WIDTH, Bools, Floats, Ints
from tag.tournaments.statistics.plain_records import plain
from tag.tournaments.statistics.ratings.ranked_games import RankedGames


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
        arrays = {name: getattr(self, name) for name in ("games", "score", "low", "high", "corrected")}
        return dict(plain({"labels": list(self.labels), **arrays}))

    def is_different(self, level: float = 0.05) -> Bools:
        """Return which agents can be told apart: their p value, corrected, is below ``level``."""
        return self.corrected < level

    def ordered(self, labels: Sequence[str]) -> PairwiseTable:
        """Return the table with the agents in the order of ``labels``, which are theirs."""
        order = [self.labels.index(label) for label in labels]
        square = np.ix_(order, order)
        arrays = {one.name: getattr(self, one.name)[square] for one in fields(self) if one.name != "labels"}
        return PairwiseTable(tuple(labels), **arrays)


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


def mean_table(tables: Sequence[PairwiseTable], weights: Sequence[float]) -> PairwiseTable:
    """Return the weighted means of independent tables, one at least, of the same agents in the same order.

    Two who have not met in each of them are as if they had never met. The ends of an interval are as far from the mean as
    the root of the sum of the squared distances in the tables, by weight (MOVER: Zou and Donner, Statistics in Medicine 27,
    2008); the p value follows from the distance of that end which lies towards 1/2.

    >>> import numpy as np
    >>> games = [RankedGames(("a", "b"), np.tile([[0, 1]], (9, 1)), np.tile([[1, 2]], (9, 1)), np.arange(9))] * 2
    >>> one, both = pairwise(games[0]), mean_table([pairwise(each) for each in games], [1.0, 1.0])
    >>> float(both.score[0, 1]), int(both.games[0, 1]), bool(both.low[0, 1] > one.low[0, 1])
    (1.0, 18, True)
    """
    shares = np.array(weights) / np.sum(weights)
    n = len(tables[0].labels)

    def mean(of: str) -> Floats:
        found: Floats = np.tensordot(shares, np.array([getattr(table, of) for table in tables]), 1)
        return found

    def reach(of: str) -> Floats:
        parts = [share * (getattr(one, of) - one.score) for share, one in zip(shares, tables, strict=True)]
        found: Floats = np.sqrt(np.square(parts).sum(axis=0))
        return found

    score, below, above = mean("score"), reach("low"), reach("high")
    games: Floats = np.sum([table.games for table in tables], axis=0)
    lead = np.abs(score - 0.5)
    with np.errstate(divide="ignore", invalid="ignore"):
        errors = HALF_WIDTH * lead / np.where(score > 0.5, below, above)
    p_value = np.where(lead > 0.0, scipy.special.erfc(errors / sqrt(2.0)), np.where(np.isnan(score), nan, 1.0))
    corrected = np.full((n, n), nan)
    first, second = np.nonzero(np.triu(np.isfinite(p_value), 1))
    corrected[first, second] = corrected[second, first] = holm(p_value[first, second])
    return PairwiseTable(
        tables[0].labels, games, mean("above"), score, score - below, score + above, p_value, corrected
    )


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
