"""How much alike the games of a block are, and what that does to the number of games.

With b blocks of n games, of variance σ² each and correlation rho between any two of a block, a block's mean has the
variance σ²/n · (1 + (n-1) rho). The design effect 1 + (n-1) rho is what a game costs: below 1 where the seatings of a seed
cancel its luck, above where they repeat it (Kish, Survey Sampling, 1965, section 5.4). Rho lies between -1/(n-1) and 1.

Rho is measured by the analysis of variance: with the mean squares B between and W within blocks, whose expectations are
σ²(1 + (n-1) rho) and σ²(1 - rho),

    rho = (B - W) / (B + (n-1) W),    design effect = n B / (B + (n-1) W),

the second being the variance of block means, times n, over the variance of games. Blocks of unequal sizes n_i count
as of n = (N - Σ n_i²/N) / (b - 1), where N is the number of games (Donner, International Statistical Review 54, 1986).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import nan

import numpy as np
import numpy.typing as npt
import pandas as pd

from tag.results import ONGOING, result_name

_Floats = npt.NDArray[np.float64]
_Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class WithinBlock:
    """How much alike the games of a block are, for one quantity.

    Attributes:
        games: how many there are.
        blocks: how many blocks they are from.
        rho: the correlation of two games of a block; nan unless there are several blocks, one has several games, and
            games differ.
        design_effect: games per effective game; nan likewise.
        effective_games: independent games that would tell as much about the mean. Where blocks do not differ at all
            there are as many as blocks, nan where the design effect is.
    """

    games: int
    blocks: int
    rho: float
    design_effect: float
    effective_games: float


def within_block(values: _Floats, blocks: _Ints) -> WithinBlock:
    """Measure how much alike the games of a block are.

    Args:
        values: what came of each game, of shape (games,), in any unit.
        blocks: the number of each game's block, of shape (games,).
    """
    _, block = np.unique(blocks, return_inverse=True)
    sizes = np.bincount(block).astype(np.float64)
    means = np.bincount(block, values) / sizes
    return _within(means, sizes, float(((values - means[block]) ** 2).sum()))


def within_block_of_wins(wins: _Floats, games: _Floats) -> WithinBlock:
    """Measure how much alike the games of a block are in being won.

    Args:
        wins: of each block, of shape (blocks,).
        games: likewise; blocks without games do not count.
    """
    sizes = games[games > 0]
    means = wins[games > 0] / sizes
    return _within(means, sizes, float(sizes @ (means * (1.0 - means))))


def _within(means: _Floats, sizes: _Floats, squares: float) -> WithinBlock:
    """Return what follows from the mean and the size of each block, and the sum of squares within all blocks."""
    games, b = int(sizes.sum()), len(sizes)
    if b < 2 or games == b:
        return WithinBlock(games, b, nan, nan, nan)
    between = float(sizes @ (means - float(sizes @ means) / games) ** 2) / (b - 1)
    within = squares / (games - b)
    n = (games - float(sizes @ sizes) / games) / (b - 1)
    variance = between + (n - 1.0) * within
    if variance == 0.0:
        return WithinBlock(games, b, nan, nan, nan)
    design_effect = n * between / variance
    effective = games / design_effect if between > 0.0 else float(b)
    return WithinBlock(games, b, (between - within) / variance, design_effect, effective)


def within_blocks(seats: pd.DataFrame, column: str = "points") -> dict[str, WithinBlock]:
    """Measure for each agent how much alike its games of a block are.

    Args:
        seats: from `tournaments.read_ledger`, or some games of it; void games do not count.
        column: what is measured, such as points, win, ordinal or score.
    """
    played = seats[(seats["result"] != result_name(ONGOING)).to_numpy(dtype=bool)]
    found: dict[str, WithinBlock] = {}
    for number, label in enumerate(seats["agent"].cat.categories):
        rows = played[(played["agent_index"] == number).to_numpy(dtype=bool)]
        found[str(label)] = within_block(
            rows[column].to_numpy(dtype=np.float64), rows["block"].to_numpy(dtype=np.int64)
        )
    return found
