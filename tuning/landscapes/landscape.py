"""A landscape: made-up win rates over a space of configurations, and games played by them."""

from __future__ import annotations

from math import sqrt
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from tuning.configurations import Configuration, Configurations

Floats = npt.NDArray[np.float64]

#: The games of a block, which share its deal.
BLOCK_GAMES: Final = 2
#: The standard deviation of the win rates of random configurations, in logits.
SPREAD: Final = 0.5
#: The correlation between games of one deal.
_SHARED_LUCK: Final = 0.3


class Landscape:
    """The true win rate of every configuration; a game is a coin toss, and the games of a block share luck.

    Attributes:
        configurations: the space.
        default: the configuration that wins half of its games.
        best: the greatest win rate there is.
        games: how many have been played.
    """

    configurations: Configurations
    default: Configuration
    best: float

    def __init__(self, luck: np.random.Generator) -> None:
        """Begin with no games, whose luck comes from a generator."""
        self._luck = luck
        self.games = 0

    def win_rate(self, configuration: Configuration) -> float:
        """Return the true win rate."""
        raise NotImplementedError

    def regret(self, configuration: Configuration) -> float:
        """Return how much more the best configuration wins."""
        return self.best - self.win_rate(configuration)

    def play(self, configuration: Configuration, games: int) -> Floats:
        """Return the share of wins in each block of a trial; the last block has what is left of ``games``."""
        self.games += games
        blocks = -(-games // BLOCK_GAMES)
        deals = np.repeat(self._luck.normal(size=blocks), BLOCK_GAMES)[:games]
        luck = sqrt(_SHARED_LUCK) * deals + sqrt(1.0 - _SHARED_LUCK) * self._luck.normal(size=games)
        won = (luck < ndtri(self.win_rate(configuration))).astype(np.float64)
        starts = np.arange(0, games, BLOCK_GAMES)
        shares: Floats = np.add.reduceat(won, starts) / np.minimum(games - starts, BLOCK_GAMES)
        return shares
