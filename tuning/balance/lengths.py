"""How long games last: on average, and the long ones."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from tournaments.intervals import HALF_WIDTH, ClusteredMean
from tuning.balance.candidate import CandidateGames
from tuning.balance.estimate import Estimate, by_block, mean_estimate

Floats = npt.NDArray[np.float64]

_LONG: Final = 0.95
_SECONDS: Final = 60.0


def game_lengths(candidate: CandidateGames, unit: str, pace: float = 0.0) -> Floats:
    """Return the length of each game that counts, of shape (games,).

    Args:
        candidate: the games.
        unit: a column of games (``ticks``, ``turns``, ``rounds``), ``decisions`` of all seats together, or ``minutes``.
        pace: for minutes, the seconds that a decision takes.
    """
    if unit in ("decisions", "minutes"):
        decisions: Floats = candidate.column("decisions").astype(np.float64).sum(axis=1)
        return decisions * (pace / _SECONDS) if unit == "minutes" else decisions
    of_game = candidate.games.set_index("game_id")[unit]
    lengths: Floats = of_game.reindex(candidate.game_ids).to_numpy(dtype=np.float64)
    return lengths


def mean_length(candidate: CandidateGames, lengths: Floats) -> Estimate:
    """Return the mean length."""
    return mean_estimate(by_block(candidate.blocks, lengths), 0.0, np.inf, len(lengths))


def long_length(candidate: CandidateGames, lengths: Floats) -> Estimate:
    """Return the length below which 95 % of games stay, with Woodruff's interval.

    It goes between the quantiles at the ends of the interval of the share below (Woodruff, Journal of the American
    Statistical Association 47, 1952), and has no upper end where there are too few games to see one.
    """
    if not len(lengths):
        return Estimate.unknown(0.0)
    value = float(np.quantile(lengths, _LONG, method="higher"))
    below = by_block(candidate.blocks, lengths <= value)
    share = ClusteredMean(_LONG, _LONG * (1.0 - _LONG) / below.effective_games(), below.clusters)
    least, greatest = share.interval(0.0, 1.0)
    low = float(np.quantile(lengths, least, method="lower"))
    is_seen = greatest < 1.0 - 1.0 / (len(lengths) + 1.0)
    high = float(np.quantile(lengths, greatest, method="higher")) if is_seen else np.inf
    return Estimate(value, (high - low) / (2.0 * HALF_WIDTH), low, high, len(lengths))
