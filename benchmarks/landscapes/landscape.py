"""A landscape: made-up win rates over a space of configurations, and games played by them."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from tag.tuning.space.configurations import Configuration, Configurations

Floats = npt.NDArray[np.float64]

#: The games of a block, which share its deal.
BLOCK_GAMES: Final = 2
#: The standard deviation of the win rates of random configurations, in logits.
SPREAD: Final = 0.5


class Landscape:
    """The true win rate of every configuration; a game is a coin toss, and the games of a block share luck.

    Attributes:
        configurations: the space.
        default: the configuration that wins half of its games.
        best: the greatest win rate there is.
        games: how many have been played.
        shared_luck: the correlation between the luck of games of one deal.
    """

    shared_luck: float = 0.3

    configurations: Configurations
    default: Configuration
    best: float

    def __init__(self, luck: np.random.Generator) -> None:
        """Begin with no games, whose luck comes from a generator."""
        self._luck = luck
        self._deals = luck.bit_generator.seed_seq.spawn(1)[0].generate_state(1)[0]  # type: ignore[attr-defined]
        self.games = 0

    def win_rate(self, configuration: Configuration) -> float:
        """Return the true win rate."""
        raise NotImplementedError

    def regret(self, configuration: Configuration) -> float:
        """Return how much more the best configuration wins."""
        return self.best - self.win_rate(configuration)

    def play(self, configuration: Configuration, games: int) -> Floats:
        """Return the share of wins in each block of a trial; the last block has the rest of ``games``."""
        self.games += games
        blocks = -(-games // BLOCK_GAMES)
        deals = np.repeat(self._luck.normal(size=blocks), BLOCK_GAMES)[:games]
        luck = sqrt(self.shared_luck) * deals + sqrt(1.0 - self.shared_luck) * self._luck.normal(size=games)
        won = (luck < ndtri(self.win_rate(configuration))).astype(np.float64)
        starts = np.arange(0, games, BLOCK_GAMES)
        shares: Floats = np.add.reduceat(won, starts) / np.minimum(games - starts, BLOCK_GAMES)
        return shares

    def games_at(self, configuration: Configuration, places: Sequence[int]) -> Floats:
        """Return the values of single games, numbered over both seats of all blocks.

        Blocks of a number have the same deal for all configurations, which decides half of the luck that their games share.
        """
        self.games += len(places)
        blocks, block_of = np.unique(np.asarray(places) // BLOCK_GAMES, return_inverse=True)
        common = np.array([np.random.default_rng([self._deals, block]).normal() for block in blocks])
        deals = sqrt(0.5) * common + sqrt(0.5) * self._luck.normal(size=len(blocks))
        luck = sqrt(self.shared_luck) * deals[block_of]
        luck += sqrt(1.0 - self.shared_luck) * self._luck.normal(size=len(places))
        return self.values_of(configuration, luck, blocks[block_of])

    def values_of(self, configuration: Configuration, luck: Floats, blocks: npt.NDArray[np.int64]) -> Floats:
        """Return the values of games with so much luck, a standard normal number, in these blocks."""
        won: Floats = (luck < ndtri(self.win_rate(configuration))).astype(np.float64)
        return won
