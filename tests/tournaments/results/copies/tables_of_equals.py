"""Made-up tables of copies: rotations on one deal, by Plackett and Luce's model."""

from __future__ import annotations

from math import pi, sqrt

import numpy as np

from tag.tournaments.results.copies.differences import CopyBlocks


def table(rng: np.random.Generator, blocks: int, strengths: list[float], luck: float = 0.5) -> CopyBlocks:
    """Points of agents with these strengths, in logits, in all rotations of their table; seats matter, and so does luck."""
    n = len(strengths)
    deals = sqrt(luck / (1 - luck) * pi**2 / 6) * rng.normal(size=(blocks, 1, n)) + 0.3 * np.arange(n)
    seats = (np.arange(n)[None, :] - np.arange(n)[:, None]) % n  # of agent i in rotation r
    utilities = np.take_along_axis(np.repeat(deals, n, axis=1), np.broadcast_to(seats, (blocks, n, n)), axis=2)
    utilities = utilities + np.array(strengths) + rng.gumbel(size=(blocks, n, n))
    totals = (utilities == utilities.max(axis=2, keepdims=True)).sum(axis=1).astype(np.float64)
    return CopyBlocks(totals.T, np.full((n, blocks), float(n)))
