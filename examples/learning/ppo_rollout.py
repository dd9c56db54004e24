"""The games that PPO learns from: what was seen, chosen and won, and how much better each choice was than expected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass
class Rollout:
    """Steps of many games at once, all by step and game.

    Attributes:
        seen: the features for the player to move.
        mask: the available actions.
        action, chance: the choice, and the logarithm of its probability.
        value: what the network expected for the player.
        player: who moved.
        rewards: of all players, for the step.
        is_over: whether the step ended the game.
        is_start: whether the step only set up the next game.
    """

    seen: NDArray[np.float32]
    mask: NDArray[np.int8]
    action: NDArray[np.int64]
    chance: NDArray[np.float32]
    value: NDArray[np.float32]
    player: NDArray[np.int64]
    rewards: Floats
    is_over: NDArray[np.bool_]
    is_start: NDArray[np.bool_]

    @classmethod
    def empty(cls, steps: int, games: int, features: int, actions: int, players: int) -> Rollout:
        """Return a rollout to be filled."""
        shape = (steps, games)
        return cls(
            np.zeros((*shape, features), np.float32),
            np.zeros((*shape, actions), np.int8),
            np.zeros(shape, np.int64),
            np.zeros(shape, np.float32),
            np.zeros(shape, np.float32),
            np.zeros(shape, np.int64),
            np.zeros((*shape, players)),
            np.zeros(shape, np.bool_),
            np.zeros(shape, np.bool_),
        )

    def advantages(
        self, next_player: NDArray[np.int64], next_value: NDArray[np.float32], discount: float, trace: float
    ) -> tuple[Floats, NDArray[np.bool_]]:
        """Return how much better each choice was than expected, and for which steps that is known.

        What follows a player's choice is what happens until the same player's next one, also by choices of others. After
        the last step, only the player to move has a next position.
        """
        steps, games = self.action.shape
        players = self.rewards.shape[2]
        each = np.arange(games)
        advantages, is_known = np.zeros((steps, games)), np.zeros((steps, games), np.bool_)
        gained, value, later = (np.zeros((games, players)) for _array in range(3))
        has_next = np.zeros((games, players), np.bool_)
        value[each, next_player], has_next[each, next_player] = next_value, True
        for step in reversed(range(steps)):
            over, player = self.is_over[step], self.player[step]
            for kept in (gained, value, later):
                kept[over] = 0.0
            has_next[over] = True
            gained += self.rewards[step]
            played = ~self.is_start[step]
            one, whose = each[played], player[played]
            delta = gained[one, whose] + discount * value[one, whose] - self.value[step, played]
            found = delta + discount * trace * later[one, whose]
            is_known[step, played] = has_next[one, whose]
            advantages[step, played] = np.where(has_next[one, whose], found, 0.0)
            value[one, whose], later[one, whose] = self.value[step, played], advantages[step, played]
            gained[one, whose], has_next[one, whose] = 0.0, True
        return advantages, is_known


class Scale:
    """The mean and the deviation of each feature so far, by which they are scaled."""

    def __init__(self, features: int) -> None:
        """Begin with features as they are."""
        self.count = 1e-4
        self.mean, self.variance = np.zeros(features), np.ones(features)

    def learn(self, seen: NDArray[np.float32]) -> None:
        """Take more positions into account."""
        mean, variance, count = seen.mean(axis=0), seen.var(axis=0), len(seen)
        total = self.count + count
        apart = mean - self.mean
        squares = self.variance * self.count + variance * count + apart**2 * self.count * count / total
        self.mean, self.variance, self.count = self.mean + apart * count / total, squares / total, total

    @property
    def deviation(self) -> Floats:
        """Return the deviations, at least a little more than 0."""
        return np.sqrt(self.variance + 1e-8)

    def scaled(self, seen: NDArray[Any]) -> NDArray[np.float32]:
        """Return the features in deviations from their means, five at most."""
        return np.clip((seen - self.mean) / self.deviation, -5.0, 5.0).astype(np.float32)
