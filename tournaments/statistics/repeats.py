"""Games that repeat earlier ones, as games without chance between agents with little chance do, and what they count for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

from tag.engine.rng import derive_seed
from tournaments.statistics.intervals import Floats, Ints

# Two games repeat each other if the game type has no chance, the same agents sit in the same seats, the actions are the
# same from the first to the last, and so is the final position. Positions alone do not tell: random games of tic-tac-toe
# end in one of 958, by ever other ways.
#
# Agents that choose at random meet the same game twice by chance, too: in one of 70,000 pairs of random games of
# tic-tac-toe, and then both are draws from all that may happen. So repeats count only among agents of which more pairs of
# games are the same than one in a thousand explains, by Poisson's law at 1 %.
#
# Of games that repeat each other one is left. The share of an agent's games that are left is the share of its blocks that
# count as independent in its intervals. Its mean stays that of all blocks.


#: The share of pairs of games that may be the same by chance.
_BY_CHANCE: Final = 1e-3
_LEVEL: Final = 0.01
Keys = npt.NDArray[np.uint64]
_ODD: Final = np.uint64(0x9E3779B97F4A7C15)
_SHIFT: Final = np.uint64(29)


@dataclass(frozen=True, slots=True)
class RepeatedGames:
    """Number of games of a tournament that repeat others.

    Attributes:
        games: those that can be compared.
        different: how many of them are left if each is counted once.
        shares: for each agent, the share of its games that is left; 1 without repeats.
    """

    games: int
    different: int
    shares: tuple[float, ...]

    @property
    def text(self) -> str:
        """The number of games that repeat others, and what follows from it, in a sentence; empty if none does."""
        if self.different == self.games:
            return ""
        return (
            f"games repeat: of {self.games:,}, {self.different:,} are different, as neither the game nor its agents have "
            "enough chance for more; the standings' intervals count each different game once"
        )


class _Part(NamedTuple):
    """Games: what makes them the same, who plays in any seats, and who sits in each, of shape (games, players)."""

    keys: Keys
    groups: Keys
    agents: Ints


class Repeats:
    """Finds the games that repeat others; games are given in any parts and order."""

    def __init__(self, n_agents: int) -> None:
        """Start without games."""
        self._n_agents = n_agents
        self._parts: list[_Part] = []

    def add(self, agents: Ints, specs: Sequence[str], hashes: Sequence[str], digests: Ints) -> None:
        """Add games that can be compared.

        Args:
            agents: the number of the agent in each seat, of shape (games, players).
            specs: the game type of each.
            hashes: of the final positions, in hexadecimal digits.
            digests: of the actions; games in which they are 0 are not known, and left out.
        """
        is_known = digests != 0
        of_specs = {spec: derive_seed(0, spec) for spec in set(specs)}
        keys = np.fromiter((of_specs[spec] for spec in specs), np.uint64, len(specs))
        keys = _mixed(keys, np.fromiter((int(text, 16) for text in hashes), np.uint64, len(hashes)))
        keys = _mixed(keys, digests.astype(np.uint64))
        groups = np.zeros_like(keys)
        for by_seat, in_order in zip(agents.T, np.sort(agents, axis=1).T, strict=True):
            keys, groups = _mixed(keys, by_seat.astype(np.uint64)), _mixed(groups, in_order.astype(np.uint64))
        self._parts.append(_Part(keys[is_known], groups[is_known], agents[is_known]))

    def result(self) -> RepeatedGames:
        """Return how many games repeat others so far."""
        if not self._parts:
            return RepeatedGames(0, 0, (1.0,) * self._n_agents)
        part = _Part(*(np.concatenate(arrays) for arrays in zip(*self._parts, strict=True)))
        self._parts = [part]
        _different, first, game, copies = np.unique(
            part.keys, return_index=True, return_inverse=True, return_counts=True
        )
        _groups, group = np.unique(part.groups, return_inverse=True)
        is_left = ~self._repeats(part, first, group, copies)[game]
        is_left[first] = True
        seated, left = (
            np.bincount(agents.ravel(), minlength=self._n_agents) for agents in (part.agents, part.agents[is_left])
        )
        shares = np.divide(left, seated, out=np.ones(self._n_agents), where=seated > 0)
        return RepeatedGames(len(is_left), int(is_left.sum()), tuple(shares.tolist()))

    @staticmethod
    def _repeats(part: _Part, first: Ints, group: Ints, copies: Ints) -> npt.NDArray[np.bool_]:
        """Say which of the different games are between agents whose games are the same more often than by chance.

        The pairs that can be the same are those of games with the same agents in the same seats.
        """
        seatings = np.unique(part.agents, axis=0, return_inverse=True)[1].ravel()
        n_of_seating = np.bincount(seatings)
        of_seating = np.zeros(len(n_of_seating), np.int64)
        of_seating[seatings] = group
        n_groups = int(group.max(initial=-1)) + 1
        pairs = np.bincount(of_seating, _pairs(n_of_seating), n_groups)
        same = np.bincount(group[first], _pairs(copies), n_groups)
        is_more: npt.NDArray[np.bool_] = (same > 0) & (
            scipy.special.pdtrc(np.maximum(same - 1, 0), _BY_CHANCE * pairs) < _LEVEL
        )
        return is_more[group[first]]


def _pairs(numbers: Ints) -> Floats:
    """Return the pairs of each number of things."""
    found: Floats = numbers * (numbers - 1.0) / 2.0
    return found


def _mixed(keys: Keys, values: Keys) -> Keys:
    """Return keys that depend on former ones and further values, in order."""
    mixed: Keys = (keys ^ values) * _ODD
    return mixed ^ (mixed >> _SHIFT)
