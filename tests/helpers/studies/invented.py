"""A pool that plays nothing: what comes of a game depends on who sits where and on its seed, and comes in any order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import exp

from tag.cluster import Workers
from tag.cluster.batches import PlayedBatch
from tag.engine.parameters import parse_spec
from tag.engine.results import LOSE, WIN
from tag.engine.rng import Rng, derive_seed
from tag.orders import GameOrder, GameRecord
from tag.playing.faults import EXCEPTION, Fault

#: Chooses the next of so many batches that are in flight.
Choice = Callable[[int], int]


def first(_n: int) -> int:
    return 0


def last(n: int) -> int:
    return n - 1


def shuffled(seed: int) -> Choice:
    return Rng(seed).below


def strength(spec: str) -> float:
    """Return the worth of an agent: RMHC is best with a horizon of 20, everybody else has none."""
    horizon = parse_spec(spec).values.get("horizon", 10)
    return exp(-abs(int(str(horizon)) - 20) / 5)


def record_of(order: GameOrder) -> GameRecord:
    """Return a game drawn by Plackett and Luce's model."""
    drawn = [derive_seed(order.seed, *order.agents, str(seat)) % 10**9 / 10**9 for seat in range(len(order.agents))]
    times = [(1.0 - draw) ** (1.0 / strength(spec)) for draw, spec in zip(drawn, order.agents, strict=True)]
    places = tuple(1 + sum(other > own for other in times) for own in times)
    n = len(places)
    results = tuple(WIN if place == 1 else LOSE for place in places)
    scores = tuple(float(n - place) for place in places)
    return GameRecord(
        order.game_id, results, places, tuple(range(n)), scores, (1,) * n, (0.001,) * n, 9, 3, 1, "0" * 16
    )


def void_record_of(order: GameOrder) -> GameRecord:
    """Return a game that does not count, as the player in seat 0 has failed."""
    n = len(order.agents)
    return replace(record_of(order), results=(0,) * n, void=True, faults=[Fault(EXCEPTION, 0, 1, "it broke")])


class Invented(Workers):
    """Returns one batch at a time, whichever is chosen; time passes by a hundredth of a second for each game.

    Attributes:
        slots: how many batches may be in flight.
        games: how often each game was to be played, by its id, its agents and its seed.
        waiting: the batches in flight.
        before_each: is called with the number of games played so far before a batch is returned.
    """

    def __init__(
        self, slots: int = 3, choice: Choice = last, record: Callable[[GameOrder], GameRecord] = record_of
    ) -> None:
        self.slots = slots
        self.games: dict[tuple[str, tuple[str, ...], int], int] = {}
        self.waiting: dict[int, list[GameOrder]] = {}
        self.before_each: Callable[[int], None] = lambda games: None
        self.is_closed = False
        self._choice = choice
        self._record = record
        self._numbers: set[int] = set()
        self._played = 0
        self._now = 0.0

    def start(self, sources: Mapping[str, str]) -> None:
        """Need nothing."""

    def now(self) -> float:
        return self._now

    def submit(self, number: int, orders: list[GameOrder]) -> None:
        assert len(self.waiting) < self.slots
        assert number not in self._numbers
        assert orders
        self._numbers.add(number)
        self.waiting[number] = orders
        for order in orders:
            key = (order.game_id, order.agents, order.seed)
            self.games[key] = self.games.get(key, 0) + 1

    def completed(self, timeout: float) -> list[PlayedBatch]:
        assert self.waiting
        self.before_each(self._played)
        number = sorted(self.waiting)[self._choice(len(self.waiting))]
        orders = self.waiting.pop(number)
        self._played += len(orders)
        self._now += 0.01 * len(orders)
        return [PlayedBatch(number, [self._record(order) for order in orders], "nobody")]

    def close(self) -> None:
        self.is_closed = True
