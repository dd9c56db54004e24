"""How games end: who wins how often, whether anybody does, and whether they end at all."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tag.results import DISQUALIFIED, ONGOING, TIMEOUT, result_name
from tournaments.intervals import ClusteredMean
from tuning.balance.candidate import CandidateGames
from tuning.balance.estimate import Estimate, by_block, share_estimate

_Bools = npt.NDArray[np.bool_]

#: The results of a game that was not played to the end of the rules.
_CUT_SHORT = tuple(map(result_name, (ONGOING, TIMEOUT, DISQUALIFIED)))


def draws(candidate: CandidateGames) -> Estimate:
    """Return the share of games that nobody wins."""
    return _share(candidate, ~_any(candidate.is_won))


def success(candidate: CandidateGames, agent: str = "") -> Estimate:
    """Return how often teams succeed in a co-operative game: all, or the one of an agent alone.

    Raises:
        UnknownNameError: there is no such agent.
    """
    is_meant = ~_any(candidate.agents != candidate.agent(agent)) if agent else None
    return _share(candidate, _any(candidate.is_won), is_meant)


def win_rate(candidate: CandidateGames, agent: str) -> Estimate:
    """Return the share of its games that an agent wins, once per seat.

    Raises:
        UnknownNameError: there is no such agent.
    """
    block, n_blocks = candidate.block_numbers
    sits = candidate.agents == candidate.agent(agent)
    wins = (sits & candidate.is_won).sum(axis=1)
    totals, sizes = (np.bincount(block, what, n_blocks).astype(np.float64) for what in (wins, sits.sum(axis=1)))
    return share_estimate(ClusteredMean.of(totals, sizes), int(_any(sits).sum()))


def completion(candidate: CandidateGames, actions: float | None = None) -> Estimate:
    """Return the share of games that end by the rules, none by a fault, within so many actions if that is asked for.

    All games count here, those that are void above all.
    """
    is_cut = np.isin(candidate.seats["result"].to_numpy(dtype=str), _CUT_SHORT)
    is_over = ~_any(is_cut.reshape(-1, max(candidate.n_players, 1)))
    if actions is not None:
        is_over &= candidate.games["ticks"].to_numpy() <= actions
    blocks = candidate.games["block"].to_numpy(dtype=np.int64)
    return share_estimate(by_block(blocks, is_over), len(is_over))


def _share(candidate: CandidateGames, is_so: _Bools, is_meant: _Bools | None = None) -> Estimate:
    """Return in what share of the games that are meant something is so."""
    meant = np.ones(len(is_so), dtype=np.bool_) if is_meant is None else is_meant
    return share_estimate(by_block(candidate.blocks[meant], is_so[meant]), int(meant.sum()))


def _any(rows: _Bools) -> _Bools:
    """Return for each row whether anything in it is so."""
    return np.asarray(rows.any(axis=1), dtype=np.bool_)
