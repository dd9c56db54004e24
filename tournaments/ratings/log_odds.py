"""Log odds of one agent against another: the antisymmetric table that Nash averaging and intransitivity are about."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.special import logit

from tournaments.ratings._pairs import Meetings, check_all_met
from tournaments.ratings.games import RankedGames

_Floats = npt.NDArray[np.float64]


def log_odds(games: RankedGames) -> _Floats:
    """Return the log odds that the row is placed above the column, of shape (agents, agents), from all their games.

    Raises:
        DataError: two agents have not met.
    """
    meetings = Meetings.of(games)
    scores, met = meetings.by_group(np.zeros(meetings.n_blocks, dtype=np.int64), 1)
    check_all_met(games.labels, met[0])
    return shrunken_log_odds(scores[0], met[0])


def shrunken_log_odds(scores: _Floats, games: _Floats) -> _Floats:
    """Return log((s + 1/2) / (n - s + 1/2)) for scores s in n games: finite, and nearly unbiased (Haldane 1956).

    Args:
        scores: of any shape.
        games: likewise.
    """
    odds: _Floats = logit((scores + 0.5) / (games + 1.0))
    return odds
