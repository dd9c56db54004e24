"""A world of agents whose strengths are known: games by Plackett and Luce's model, with seats that matter and luck in
the deal.

In a game each agent has a utility, and places are by utility:

    strength (in logits) + effect of the seat + luck of the deal to that seat + Gumbel noise

Without the deal this is Plackett-Luce with a seat term. The deal is normal, the same in all games of a seed, and
makes ``luck`` of the variance of utilities about strength and seat: deal variance = luck / (1 - luck) · π²/6.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heapreplace
from math import pi, sqrt

import numpy as np

#: Elo per logit.
ELO = 400 / np.log(10)


@dataclass(frozen=True)
class World:
    """Agents with ``strengths`` in logits at a table with a term per seat, and the share of ``luck`` in the deal."""

    strengths: np.ndarray
    seat_effects: np.ndarray
    luck: float = 0.0

    @property
    def n_players(self):
        return len(self.seat_effects)

    def blocks(self, match_ups, rng, shares_seed=True):
        """Play a block of all rotations for each of ``match_ups``, shape (blocks, players).

        With ``shares_seed`` the games of a block have one deal; without it each has its own, as independent games have.

        Returns:
            Places from 1, shape (blocks, games, players), the players in the order of the match-up.
        """
        n, shape = self.n_players, (*np.shape(match_ups), self.n_players)
        deals = np.repeat(rng.normal(size=(shape[0], 1, n)), n, axis=1) if shares_seed else rng.normal(size=shape)
        by_seat = sqrt(self.luck / (1 - self.luck) * pi**2 / 6) * deals + self.seat_effects
        seats = (np.arange(n)[None, :] - np.arange(n)[:, None]) % n  # of player i in rotation r
        utilities = np.take_along_axis(by_seat, np.broadcast_to(seats, shape), axis=2) + rng.gumbel(size=shape)
        utilities += self.strengths[np.asarray(match_ups)][:, None, :]
        return (-utilities).argsort(axis=2).argsort(axis=2) + 1


def points(places):
    """Return the share of each player in first place, averaged over the games of each block: shape (blocks, players)."""
    return (places == 1).mean(axis=1)


def duel(strength, n_players=2, luck=0.0):
    """Return a world of one agent with ``strength`` in logits against ``n_players - 1`` equal ones."""
    return World(np.array([strength] + [0.0] * (n_players - 1)), 0.3 * np.arange(n_players)[::-1], luck)


def finish_times(durations, workers):
    """Return when each game ends if ``workers`` take games in schedule order, each when it is free; shape (games,)."""
    free = [0.0] * workers
    ends = np.empty(len(durations))
    for game, duration in enumerate(durations):
        ends[game] = heapreplace(free, free[0] + duration) + duration
    return ends
