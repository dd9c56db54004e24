"""What every two agents did against each other in every block, whatever the number of seats."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from tag.errors import DataError
from tournaments.ratings.games import RankedGames

_Ints = npt.NDArray[np.int64]
_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Meetings:
    """Sums over the meetings of two agents in a block: pairs of seats of one game that are not of one team.

    Arrays have one entry per pair and block.

    Attributes:
        labels: the agents.
        first: the agent of a pair with the lower number.
        second: the other.
        block: the block, from 0 without gaps.
        games: how often they met.
        above: how often the first was placed above the second.
        below: how often the second was placed above the first.
        n_blocks: how many blocks there are.
    """

    labels: tuple[str, ...]
    first: _Ints
    second: _Ints
    block: _Ints
    games: _Floats
    above: _Floats
    below: _Floats
    n_blocks: int

    @classmethod
    def of(cls, games: RankedGames) -> Meetings:
        """Count the meetings of games; those of an agent with itself are none."""
        n, (block, n_blocks) = len(games.labels), games.block_numbers()
        codes, leads = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
        for left, right in combinations(range(games.agents.shape[1]), 2):
            one, other = games.agents[:, left], games.agents[:, right]
            lead = np.sign(games.places[:, right] - games.places[:, left])
            is_met = games.are_rivals(left, right) & (one != other)
            pair = np.minimum(one, other) * n + np.maximum(one, other)
            codes.append((pair * n_blocks + block)[is_met])
            leads.append(np.where(one < other, lead, -lead)[is_met])
        lead = np.concatenate(leads)
        code, which = np.unique(np.concatenate(codes), return_inverse=True)
        pair, block = np.divmod(code, max(n_blocks, 1))
        first, second = np.divmod(pair, max(n, 1))
        met, above, below = (
            np.bincount(which, what, len(code)).astype(np.float64) for what in (np.ones(len(lead)), lead > 0, lead < 0)
        )
        return cls(games.labels, first, second, block, met, above, below, n_blocks)

    def by_group(self, group_of_block: _Ints, n_groups: int) -> tuple[_Floats, _Floats]:
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


def check_all_met(labels: tuple[str, ...], games: _Floats) -> None:
    """Refuse agents that have not all met.

    Args:
        labels: the agents.
        games: of shape (agents, agents): how often they met.

    Raises:
        DataError: two have not.
    """
    strangers = np.argwhere(np.triu(games == 0.0, 1))
    if len(strangers):
        one, other = (labels[number] for number in strangers[0])
        raise DataError(f"{one!r} and {other!r} have not met; every two agents must have a game in common")
