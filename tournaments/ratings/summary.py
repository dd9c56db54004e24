"""All that a tournament says about its agents beyond the standings, from its folder."""

from __future__ import annotations

import string
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tag.errors import DataError
from tournaments.cooperation import is_cooperative
from tournaments.plain import plain
from tournaments.ratings.alpha_rank import alpha_rank
from tournaments.ratings.bootstrap import BootstrappedRatings, bootstrap_ratings
from tournaments.ratings.games import RankedGames
from tournaments.ratings.groups import groups
from tournaments.ratings.intransitivity import Intransitivity, intransitivity
from tournaments.ratings.log_odds import log_odds
from tournaments.ratings.nash_average import nash_average
from tournaments.ratings.pairwise import PairwiseTable, pairwise
from tournaments.results import counted_seats

_LETTERS: Final = string.ascii_uppercase + string.ascii_lowercase

_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class AgentRating:
    """What is known about one agent's strength.

    Attributes:
        agent: its label.
        rating: on Elo's scale.
        low: the lower end of its 95 % interval; nan with fewer than two blocks.
        high: the upper end.
        p_best: the probability that no other agent is stronger; nan where none of its games counts.
        groups: letters, perhaps numbered; two agents share one just if they cannot be told apart.
        nash: its weight in the equilibrium of greatest entropy; nan unless two play and all have met.
        alpha_rank: the share of time that evolution spends with it; nan likewise.
    """

    agent: str
    rating: float
    low: float
    high: float
    p_best: float
    groups: str
    nash: float
    alpha_rank: float


@dataclass(frozen=True, slots=True, eq=False)
class RatingSummary:
    """What a tournament says about its agents' strengths; only whole match-ups count, as in the standings.

    Attributes:
        agents: one entry per agent, strongest first.
        seats: by number of players, what each seat is worth in rating points, with the ends of its interval.
        pairs: every two agents' results.
        intransitivity: whether one scale tells the truth; None if some agents have not met.
        games: the games that count.
    """

    agents: list[AgentRating]
    seats: dict[int, list[tuple[float, float, float]]]
    pairs: PairwiseTable
    intransitivity: Intransitivity | None
    games: int

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain values, what is not a number as None."""
        values = {
            "agents": [asdict(agent) for agent in self.agents],
            "seats": {str(players): seats for players, seats in self.seats.items()},
            "pairs": self.pairs.to_json(),
            "intransitivity": asdict(self.intransitivity) if self.intransitivity else None,
            "games": self.games,
        }
        return dict(plain(values))


def rate(folder: Path, anchors: Mapping[str, float] | None = None) -> RatingSummary:
    """Return what the tournament in ``folder`` says about its agents' strengths.

    Args:
        folder: the tournament's.
        anchors: agents' labels with the ratings that they keep; without any, the mean is 0.

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
    """Return what games, one at least, say about the agents' strengths.

    Args:
        ranked: the games of whole match-ups.
        anchors: as for `rate`.

    Raises:
        UnknownNameError: an anchor is not among the agents.
    """
    fit = bootstrap_ratings(ranked, anchors=anchors)
    pairs = pairwise(ranked)
    have_met = bool(np.isfinite(pairs.score[~np.eye(len(pairs.labels), dtype=bool)]).all())
    nash, alpha = _evolution(ranked, pairs) if have_met and ranked.agents.shape[1] == 2 else _unknown(len(pairs.labels))
    return RatingSummary(
        agents=_agents(fit, pairs, nash, alpha, _best(ranked, fit)),
        seats=_seats(fit),
        pairs=pairs,
        intransitivity=intransitivity(ranked) if have_met and len(pairs.labels) > 2 else None,
        games=len(ranked),
    )


def _best(ranked: RankedGames, fit: BootstrappedRatings) -> _Floats:
    """Return the probability of each agent with games to be the strongest of these; nan for the others."""
    has_games = np.isin(np.arange(len(ranked.labels)), ranked.agents)
    best = np.full(len(ranked.labels), np.nan)
    best[has_games] = fit.best(has_games)
    return best


def _agents(
    fit: BootstrappedRatings, pairs: PairwiseTable, nash: _Floats, alpha: _Floats, best: _Floats
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
            low=float(low[number]),
            high=float(high[number]),
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


def _seats(fit: BootstrappedRatings) -> dict[int, list[tuple[float, float, float]]]:
    intervals = fit.seat_intervals()
    return {
        players: [
            (float(term), float(low), float(high)) for term, low, high in zip(terms, *intervals[players], strict=True)
        ]
        for players, terms in fit.fit.seats.items()
    }


def _evolution(ranked: RankedGames, pairs: PairwiseTable) -> tuple[_Floats, _Floats]:
    """Return the weights of Nash averaging and the masses of alpha-rank."""
    return nash_average(log_odds(ranked)).weights, alpha_rank(pairs.score)


def _unknown(n: int) -> tuple[_Floats, _Floats]:
    return np.full(n, np.nan), np.full(n, np.nan)
