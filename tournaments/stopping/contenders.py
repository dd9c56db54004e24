"""Match-ups that seat the contenders for first place together.

Top-two Thompson sampling: draw all strengths from what is known; the strongest of the draw is the leader. Draw again
until another is the strongest; that is the challenger. An agent is so seated with the frequency with which it may yet
be the best, and the weak get few games.

At a table of n seats the drawing goes on for n different ones: leader, challenger, and further challengers. Games
between near-equals tell the most, and those of one table share seed and opponents, so that their difference has
little noise. Where n different ones do not come up in a hundred draws, because few are left who may be the best, the
strongest of the first draw take the other seats.

Source: D. Russo, "Simple Bayesian algorithms for best-arm identification", Operations Research 68, 2020; the
draws for the tables of a batch are independent.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tournaments.stopping.distribution import Floats
from tournaments.stopping.strengths import Ints, Strengths

#: The draws in which contenders for one table may come up.
_DRAWS: Final = 100


def contenders(strengths: Strengths, n_players: int, blocks: int, rng: np.random.Generator) -> Ints:
    """Return match-ups of different agents by top-two Thompson sampling, shape (blocks, n_players)."""
    draws = strengths.draw(blocks * _DRAWS, rng).reshape(blocks, _DRAWS, -1)
    return np.array([_table(table, n_players) for table in draws], dtype=np.int64)


def newcomers(seated: Ints, n_players: int, blocks: int, rng: np.random.Generator) -> Ints:
    """Return match-ups of those who have sat in the fewest blocks, at random among equals, shape (blocks, n_players).

    Args:
        seated: how many blocks each agent has sat in, shape (agents,).
        n_players: the seats of a table.
        blocks: how many tables to fill.
        rng: decides among equals.
    """
    seated = seated.copy()
    tables = np.empty((blocks, n_players), dtype=np.int64)
    for block in range(blocks):
        tables[block] = np.lexsort((rng.random(len(seated)), seated))[:n_players]
        seated[tables[block]] += 1
    return tables


def _table(draws: Floats, n_players: int) -> list[int]:
    """Return the different winners of the draws in the order they come up, then the strongest of the first draw."""
    winners = draws.argmax(axis=1).tolist()
    return list(dict.fromkeys([*winners, *(-draws[0]).argsort().tolist()]))[:n_players]
