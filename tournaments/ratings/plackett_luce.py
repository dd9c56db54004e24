"""Ratings: one joint fit of all agents' strengths to all games, in whatever order they were played.

**Model** (Bradley and Terry 1952; Luce 1959; Plackett 1975). The agent in seat s of a game with n players has the strength
exp(θ_agent + τ_ns). The first place goes to one of all seats with a chance in proportion to its strength, the second place
to one of those who are left, and so on. With two players this is Bradley and Terry's model. The terms τ of the seats of
one number of players add up to 0.

**Teams.** Those who win and lose together are one side with one place, and its log strength is the mean of its players'.
Two who share a place as a team tell nothing of each other, and an order in which a rival comes between them cannot be: with
one place for each player, the differences between agents would be too great.

**Ties.** Nobody knows the order of those who share a place: the log likelihood is the mean over all their orders. So a
draw of two is half a win and half a loss, as in chess ratings, and 400 points are always an expected score of 10/11
between two. After a single game the ratings are in the order of its places, and equal where a place is shared: whoever
is in a better place is chosen earlier in every order, from larger sets. The alternatives lose one or the other. With the
geometric mean of those who tie as their strength (Davidson 1970; Turner, van Etten, Firth and Kosmidis, Computational
Statistics 35, 2020), sharing a place k ways is worth 1/k of a choice: under a strong prior a fourth place is rated above a
first that three share, and what a point means depends on how common draws are. Breslow's approximation counts a draw of
two twice. The likelihood that any of the orders has come about (exact ties in survival analysis) learns nothing from it.

**Prior.** θ and τ are normal with mean 0 and a standard deviation of 500 points, so that perfect scores stay finite; it
tells as much as half an even game between two. The ratings are those of the greatest posterior density, found by
Newton's method. The log posterior is strictly concave: it has one maximum, whatever the order of the games.

**Scale.** 400/ln 10 points per unit of θ, as Elo's. The mean of all agents is 0, or anchored agents keep the ratings that
they are given.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from tournaments.ratings._posterior import Posterior
from tournaments.ratings.games import RankedGames

#: The prior's standard deviation in rating points.
PRIOR_SD: Final = 500.0

_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """The strengths of agents and the advantages of seats, in rating points.

    Attributes:
        labels: the agents.
        ratings: of shape (agents,).
        seats: by number of players, of shape (players,), sum 0: what sitting there is worth.
    """

    labels: tuple[str, ...]
    ratings: _Floats
    seats: dict[int, _Floats]


def plackett_luce(
    games: RankedGames, anchors: Mapping[str, float] | None = None, prior_sd: float = PRIOR_SD
) -> Ratings:
    """Return the ratings of greatest posterior density.

    An agent in several seats of a game counts once per seat. Where k share a place, time and memory grow with 2^k.

    Args:
        games: those that count, in any order.
        anchors: agents with the ratings that they keep; without any, the mean is 0.
        prior_sd: of the prior, in rating points.

    Raises:
        UnknownNameError: an anchor is not among the agents.
        ParameterError: the standard deviation is not positive.
    """
    posterior = Posterior(games, anchors or {}, prior_sd)
    mode = posterior.mode(np.ones((posterior.n_blocks, 1)))
    return Ratings(games.labels, *posterior.ratings(mode[:, 0]))
