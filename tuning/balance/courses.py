"""What metrics measured in the course of games: drama, lead changes, choices and whatever a game's own metric counts."""

from __future__ import annotations

import numpy as np

from tuning.balance.candidate import CandidateGames
from tuning.balance.estimate import Estimate, by_block, mean_estimate, share_estimate


def measured(candidate: CandidateGames, name: str, *, is_share: bool, is_share_of_games: bool) -> Estimate:
    """Return the mean over games of a game's mean of a measure, each game counting once, however long it was.

    Args:
        candidate: the games, with what metrics measured in them.
        name: of the measure.
        is_share: whether its values lie between 0 and 1.
        is_share_of_games: whether it is 0 or 1 in each game.
    """
    rows = candidate.measures[(candidate.measures["measure"] == name).to_numpy(dtype=bool)]
    of_game = rows.astype({"game_id": str}).groupby("game_id")["value"].mean()
    values = of_game.reindex(candidate.game_ids).to_numpy(dtype=np.float64)
    has_value = np.isfinite(values)
    mean = by_block(candidate.blocks[has_value], values[has_value])
    n_games = int(has_value.sum())
    if is_share_of_games:
        return share_estimate(mean, n_games)
    return mean_estimate(mean, *((0.0, 1.0) if is_share else (-np.inf, np.inf)), n_games)
