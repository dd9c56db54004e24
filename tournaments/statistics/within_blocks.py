"""The correlation of games within a block, and the design effect.

Let there be b blocks of n games, with variance σ² of a game and correlation rho between any two of a block. Then the
mean of a block has the variance σ²/n · (1 + (n-1) rho). The design effect 1 + (n-1) rho is the cost of a game: below
1 where the seatings of a seed cancel its luck, above where they repeat it (Kish, Survey Sampling, 1965, section 5.4).
Rho lies between -1/(n-1) and 1.

Rho is measured by the analysis of variance: with the mean squares B between and W within blocks, whose expectations are
σ²(1 + (n-1) rho) and σ²(1 - rho),

    rho = (B - W) / (B + (n-1) W),    design effect = n B / (B + (n-1) W),

the second being the variance of block means, times n, over the variance of games. Blocks of unequal sizes n_i count as
of n = (N - Σ n_i²/N) / (b - 1), where N is the number of games (Donner, International Statistical Review 54, 1986).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import nan

import numpy as np
import pandas as pd

from tag.engine.results import ONGOING, result_name
from tag.tournaments.statistics.intervals import Floats, Ints


@dataclass(frozen=True, slots=True)
class WithinBlock:
    """The correlation between the games of a block, for one quantity.

    Attributes:
        rho: the correlation of two games of a block; nan unless there are several blocks, one has several games, and
            games differ.
        design_effect: games per effective game; nan where rho is.
        effective_games: independent games that would tell as much about the mean. If blocks do not differ at all, it is
            the number of blocks. It is nan where the design effect is.
    """

    games: int
    blocks: int
    rho: float
    design_effect: float
    effective_games: float


def within_block(values: Floats, blocks: Ints) -> WithinBlock:
    """Measure the correlation between the games of a block.

    The values and the numbers of the blocks are of shape (games,).
    """
    _, block = np.unique(blocks, return_inverse=True)
    sizes = np.bincount(block).astype(np.float64)
    means = np.bincount(block, values) / sizes
    return _within(means, sizes, float(((values - means[block]) ** 2).sum()))


def within_block_of_wins(wins: Floats, games: Floats) -> WithinBlock:
    """Measure the correlation between the games of a block in being won.

    Both are of shape (blocks,); blocks without games do not count.

    >>> import numpy as np
    >>> together = within_block_of_wins(np.array([2.0, 0.0, 2.0, 0.0]), np.full(4, 2.0))
    >>> apart = within_block_of_wins(np.array([1.0, 1.0, 1.0, 1.0]), np.full(4, 2.0))
    >>> round(together.rho, 2), round(apart.rho, 2)
    (1.0, -1.0)
    """
    sizes = games[games > 0]
    means = wins[games > 0] / sizes
    return _within(means, sizes, float((sizes * means * (1.0 - means)).sum()))


def _within(means: Floats, sizes: Floats, squares: float) -> WithinBlock:
    """Return the result from the mean and the size of each block, and the sum of squares within all blocks."""
    games, b = int(sizes.sum()), len(sizes)
    if b < 2 or games == b:
        return WithinBlock(games, b, nan, nan, nan)
    off = means - float((sizes * means).sum()) / games
    between = float((sizes * off * off).sum()) / (b - 1)
    within = squares / (games - b)
    n = (games - float((sizes * sizes).sum()) / games) / (b - 1)
    variance = between + (n - 1.0) * within
    if variance == 0.0:
        return WithinBlock(games, b, nan, nan, nan)
    design_effect = n * between / variance
    effective = games / design_effect if between > 0.0 else float(b)
    return WithinBlock(games, b, (between - within) / variance, design_effect, effective)


def within_blocks(seats: pd.DataFrame, column: str = "points") -> dict[str, WithinBlock]:
    """Measure for each agent the correlation between its games of a block.

    Void games do not count. The column is the quantity, such as points, win, ordinal or score.
    """
    played = seats[(seats["result"] != result_name(ONGOING)).to_numpy(dtype=bool)]
    found: dict[str, WithinBlock] = {}
    for number, label in enumerate(seats["agent"].cat.categories):
        rows = played[(played["agent_index"] == number).to_numpy(dtype=bool)]
        found[str(label)] = within_block(
            rows[column].to_numpy(dtype=np.float64), rows["block"].to_numpy(dtype=np.int64)
        )
    return found
