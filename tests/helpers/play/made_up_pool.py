"""A pool that plays nothing: who is stronger wins more often, by the budget in the agent's spec, at once."""

from __future__ import annotations

from math import exp

from tag.cluster.batches import PlayedBatch
from tag.cluster.workers import InProcess
from tag.engine.parameters import parse_spec
from tag.engine.results import LOSE, WIN
from tag.engine.rng import derive_seed
from tag.orders import GameOrder, GameRecord

AGENTS = tuple(f"mcts:budget={budget}" for budget in (10, 20, 30, 40, 50, 60))


def made_up(order: GameOrder) -> GameRecord:
    """Return a game drawn by Plackett and Luce's model, at 5 logits per hundred of budget."""
    drawn = [derive_seed(order.seed, order.game_id, str(seat)) % 10**9 / 10**9 for seat in range(len(order.agents))]
    worths = [exp(0.05 * int(str(parse_spec(agent).values["budget"]))) for agent in order.agents]
    times = [(1.0 - draw) ** (1.0 / worth) for draw, worth in zip(drawn, worths, strict=True)]
    places = tuple(1 + sum(other > own for other in times) for own in times)
    n = len(places)
    results = tuple(WIN if place == 1 else LOSE for place in places)
    return GameRecord(
        order.game_id, results, places, tuple(range(n)), (0.0,) * n, (1,) * n, (0.001,) * n, 9, 3, 1, "0" * 16
    )


class MadeUp(InProcess):
    """Returns one batch at a time, the latest first.

    Attributes:
        orders: the games of all batches so far, by number.
        waiting: those of the batches that are in flight.
    """

    slots = 3

    def __init__(self) -> None:
        super().__init__()
        self.orders: dict[int, list[GameOrder]] = {}
        self.waiting: dict[int, list[GameOrder]] = {}

    def submit(self, number: int, orders: list[GameOrder]) -> None:
        assert len(self.waiting) < self.slots
        self.orders[number] = self.waiting[number] = orders

    def completed(self, timeout: float) -> list[PlayedBatch]:
        return [self.played(max(self.waiting))]

    def played(self, number: int) -> PlayedBatch:
        """Return a batch, which then is no longer waiting."""
        return PlayedBatch(number, [made_up(order) for order in self.waiting.pop(number)], "nobody")


class OneByOne(MadeUp):
    """One batch at a time."""

    slots = 1
