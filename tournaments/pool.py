"""Pools: what plays batches of games, in the process itself or on workers."""

from __future__ import annotations

import os
from collections.abc import Mapping
from time import perf_counter
from typing import Protocol

from cluster.batches import Played
from cluster.machine import WorkerSpeed, worker_speed
from tag.errors import ContractError, TagError
from tag.playing import GameOrder, GameRecord, play_order
from tag.user_code import failure_of


class Pool(Protocol):
    """Plays batches of games, each exactly once as far as the caller sees.

    Attributes:
        slots: how many batches may be in flight.
    """

    slots: int

    def now(self) -> float:
        """Return the time in seconds, by the clock that the pool plays by."""

    def submit(self, number: int, orders: list[GameOrder]) -> None:
        """Have a batch played under a number of the caller's; there must be a free slot."""

    def completed(self, timeout: float) -> list[Played]:
        """Wait up to about ``timeout`` seconds for batches, and return those that are played.

        Raises:
            TagError: an order is wrong, or a game breaks its contract.
        """

    def measure(self, game: str, players: int) -> list[WorkerSpeed]:
        """Return how fast each worker plays the spec ``game`` with so many players.

        Raises:
            TagError: workers do not start, or cannot play the game.
        """

    def close(self) -> None:
        """Drop what is in flight and let go of all resources."""


class LocalPool:
    """Plays in the process itself, game by game while `completed` waits."""

    slots = 1
    now = staticmethod(perf_counter)

    def __init__(self) -> None:
        """Start with nothing to play."""
        self._worker = f"127.0.0.1/{os.getpid()}"  # no other machine has to reach it
        self._number = -1
        self._orders: list[GameOrder] = []
        self._records: list[GameRecord] = []

    def submit(self, number: int, orders: list[GameOrder]) -> None:
        """Take the batch as the next to play."""
        self._number = number
        self._orders = orders
        self._records = []

    def completed(self, timeout: float) -> list[Played]:
        """Play for ``timeout`` seconds, at least one game, and return the batch if that ends it."""
        end = perf_counter() + timeout
        while len(self._records) < len(self._orders):
            self._records.append(_played(self._orders[len(self._records)]))
            if perf_counter() >= end:
                break
        if not self._orders or len(self._records) < len(self._orders):
            return []
        batch = Played(self._number, self._records, self._worker)
        self._orders, self._records = [], []
        return [batch]

    def measure(self, game: str, players: int) -> list[WorkerSpeed]:
        """Return how fast this process plays."""
        return [worker_speed(game, players)]

    def close(self) -> None:
        """Drop the batch, and end the processes of isolated agents."""
        from tag.isolation import close_processes  # noqa: PLC0415  most games need no processes

        self._orders, self._records = [], []
        close_processes()


def open_pool(workers: int, address: str, uses_ray: bool, sources: Mapping[str, str]) -> Pool:
    """Return Ray workers, or a `LocalPool`.

    Args:
        workers: how many processes play on Ray.
        address: of a Ray cluster; empty for a Ray of its own on this machine.
        uses_ray: whether to use Ray at all.
        sources: the text of users' files by name.
    """
    if not uses_ray:
        return LocalPool()
    from cluster.pool import RayPool  # noqa: PLC0415  Ray takes a second to import and is often not needed

    return RayPool(workers, address or None, dict(sources))


def check_address(address: str) -> None:
    """Raise `ClusterError` where nobody answers at the ``address`` of a cluster; an empty one is none."""
    if address:
        from cluster.address import knock  # noqa: PLC0415  as above

        knock(address)


def _played(order: GameOrder) -> GameRecord:
    """Play one game; whatever goes wrong becomes a `TagError` that names the game."""
    try:
        return play_order(order)
    except (KeyboardInterrupt, TagError):
        raise
    except BaseException as error:  # a user's own game may fail in any way
        raise ContractError(f"game {order.game_id} failed: {failure_of(error)}") from error
