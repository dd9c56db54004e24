"""Several tournaments one after the other, over one pool and under one progress."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Self

from cluster.batches import Played
from cluster.machine import WorkerSpeed
from tag.playing import GameOrder
from tournaments.definition import TournamentDefinition, user_sources
from tournaments.folder import MANIFEST, check_fits, ledger_bytes
from tournaments.pool import Pool, check_address, open_pool
from tournaments.progress import Progress
from tournaments.results import TournamentResults
from tournaments.runner import run_tournament
from tournaments.storage import check_storage
from tournaments.time_limits import check_machines


def run_all(
    parts: Mapping[Path, TournamentDefinition],
    *,
    workers: int,
    uses_ray: bool,
    address: str,
    tracking: bool,
    tracking_uri: str = "",
    progress: Progress,
) -> list[TournamentResults]:
    """Play what is missing of tournaments, by folder, and return the results up to the first that is not complete.

    The other arguments are those of `tournaments.run_tournament`.
    """
    sources = {file: text for part in parts.values() for file, text in user_sources(part).items()}
    pool = SharedPool(partial(open_pool, workers, address, uses_ray), sources)
    found: list[TournamentResults] = []
    progress.start(sum(len(part.schedule()) for part in parts.values()), 0)
    try:
        for folder, part in parts.items():
            results = run_tournament(
                part,
                folder,
                workers=workers,
                uses_ray=uses_ray,
                address=address,
                tracking=tracking,
                tracking_uri=tracking_uri,
                progress=PartProgress(progress),
                pool_factory=pool.opened,
            )
            found.append(results)
            if not results.complete:
                break
    finally:
        progress.close()
        pool.let_go()
    return found


def check_all(parts: Mapping[Path, TournamentDefinition], out: Path, address: str) -> None:
    """Raise what would keep any of the tournaments from being played, before one is, and before anything is written.

    Args:
        parts: the tournaments by folder.
        out: the folder of them all.
        address: of a Ray cluster; empty for a Ray of its own on this machine.

    Raises:
        TagError: a folder does not fit, or has no room, or there is no cluster or one that will not do.
    """
    check_address(address)
    for folder, part in parts.items():
        check_machines(part, address)
        check_fits(folder, part)
    check_storage(out, sum(ledger_bytes(part) for folder, part in parts.items() if not (folder / MANIFEST).exists()))


class SharedPool:
    """A pool that is opened when it is first needed, and that the tournaments which close it do not lose.

    Attributes:
        slots: as of any pool, once it is open.
    """

    def __init__(self, factory: Callable[[Mapping[str, str]], Pool], sources: Mapping[str, str]) -> None:
        """Share the pool that ``factory`` makes for the users' files of all tournaments, ``sources``."""
        self.slots = 0
        self._factory = factory
        self._sources = sources
        self._pool: Pool | None = None

    def opened(self, _sources: Mapping[str, str]) -> Self:
        """Be the pool of one more tournament: a ``pool_factory`` for `tournaments.run_tournament`."""
        self._shared()
        return self

    def now(self) -> float:
        """Return the time of the pool that is shared."""
        return self._shared().now()

    def submit(self, number: int, orders: list[GameOrder]) -> None:
        """Have a batch played."""
        self._shared().submit(number, orders)

    def completed(self, timeout: float) -> list[Played]:
        """Return batches that are played."""
        return self._shared().completed(timeout)

    def measure(self, game: str, players: int) -> list[WorkerSpeed]:
        """Return how fast the workers play."""
        return self._shared().measure(game, players)

    def close(self) -> None:
        """Stay open for the next tournament."""

    def let_go(self) -> None:
        """Close it for good."""
        if self._pool is not None:
            self._pool.close()

    def _shared(self) -> Pool:
        if self._pool is None:
            self._pool = self._factory(self._sources)
            self.slots = self._pool.slots
        return self._pool


class PartProgress(Progress):
    """The progress of one tournament, told to that of the whole."""

    def __init__(self, whole: Progress) -> None:
        """Tell ``whole``, which has been started with the games of all tournaments."""
        super().__init__()
        self._whole = whole

    def start(self, total: int, done: int, product: str = "") -> None:
        """Count the games of the ledger as done."""
        self._whole.skip(done)

    def advance(self, games: int, faults: int) -> None:
        """Pass it on."""
        self._whole.advance(games, faults)

    def say(self, sentence: str) -> None:
        """Pass it on."""
        self._whole.say(sentence)
