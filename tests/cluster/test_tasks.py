"""Tasks: done by any worker, given to another one when theirs is lost, and returned exactly once."""

from __future__ import annotations

from dataclasses import fields

import pytest

from tag.cluster.batches import Answer, Columns, Reply, Task, do_task, pack_orders, play_batch
from tag.cluster.workers import InProcess, ReliableWorkers, Workers
from tag.engine.rng import Rng
from tag.errors import ClusterError, ContractError, ParameterError, TagError
from tag.orders import GameOrder

ORDERS = [GameOrder(f"g{number}", "tic_tac_toe", ("random", "random"), number) for number in range(2)]
SQUARE = "operator:mul"


class Forgetful:
    """Workers that lose every third piece of work at first, answer some twice, and in any order."""

    def __init__(self, seed: int, room: int) -> None:
        self.lost = 0
        self._rng = Rng(seed)
        self._room = room
        self._given: set[int] = set()
        self._coming: list[Reply] = []

    @property
    def has_room(self) -> bool:
        return len(self._coming) < self._room

    def give(self, number: int, columns: Columns) -> None:
        self._come(number, play_batch(columns))

    def give_task(self, number: int, task: Task) -> None:
        self._come(number, do_task(task))

    def provide(self, sources: object) -> None:
        raise AssertionError("there are no sources")

    def wait(self, seconds: float) -> list[Reply]:
        place = self._rng.below(max(len(self._coming), 1))
        return [self._coming.pop(place)] if self._coming else []

    def _come(self, number: int, answer: Answer) -> None:
        if number not in self._given and number % 3 == 0:
            self.lost += 1
            self._coming.append(Reply(number, "10.0.0.2/1", None, suspect=True))
        else:
            self._coming += [Reply(number, "10.0.0.3/1", answer)] * (2 if number % 5 == 0 else 1)
        self._given.add(number)


def done_by(workers: Workers, tasks: dict[int, Task], batches: set[int]) -> tuple[dict[int, int], list[int]]:
    """Return the values of tasks, and the numbers of batches, of which no more are in flight than there are slots."""
    waiting, in_flight = sorted({*tasks, *batches}), set()
    values: dict[int, int] = {}
    played: list[int] = []
    workers.start({})
    while waiting or in_flight:
        while waiting and len(in_flight) < workers.slots:
            number = waiting.pop(0)
            in_flight.add(number)
            if number in tasks:
                workers.submit_task(number, tasks[number])
            else:
                workers.submit(number, ORDERS)
        for batch in workers.completed(0.0):
            in_flight.remove(batch.number)
            played.append(batch.number)
        for task in workers.completed_tasks():
            in_flight.remove(task.number)
            assert task.number not in values
            values[task.number] = task.value
    return values, played


@pytest.mark.parametrize("seed", range(3))
def test_tasks_and_batches_are_done_once_whatever_is_lost(seed: int) -> None:
    tasks = {number: Task(f"product {number}", SQUARE, (number, 7)) for number in range(0, 40, 2)}
    batches = set(range(1, 12, 2))
    actors = Forgetful(seed, 4)
    with ReliableWorkers(lambda _sources: actors, 2) as lossy, InProcess() as alone:
        values, played = done_by(lossy, tasks, batches)
        assert values == done_by(alone, tasks, batches)[0] == {number: 7 * number for number in tasks}
    assert sorted(played) == sorted(batches)
    assert actors.lost >= 5


@pytest.mark.parametrize(
    ("task", "error", "message"),
    [
        (Task("division", "operator:truediv", (1, 0)), ContractError, "division failed: ZeroDivisionError"),
        (Task("a game", "tag.catalogue.registry:make_game", ("tic_tac_toe:size=99",)), ParameterError, "size"),
    ],
)
def test_errors_of_tasks_have_their_class(task: Task, error: type[TagError], message: str) -> None:
    for workers in (InProcess(), ReliableWorkers(lambda _sources: Forgetful(1, 1), 1)):
        with workers, pytest.raises(error, match=message):
            done_by(workers, {1: task}, set())


def test_a_task_that_kills_workers_is_named() -> None:
    class Deadly(Forgetful):
        def _come(self, number: int, answer: Answer) -> None:
            self._coming.append(Reply(number, "10.0.0.2/1", None, suspect=True))

    with (
        ReliableWorkers(lambda _sources: Deadly(1, 1), 1) as workers,
        pytest.raises(ClusterError, match="at the training of learner 3"),
    ):
        done_by(workers, {1: Task("the training of learner 3", SQUARE, (1, 1))}, set())


def test_an_opening_is_the_same_for_all_agents() -> None:
    """The first moves follow from the seed, whoever plays."""
    from tag.orders import Opening, new_game, play_order

    for seed in range(5):
        orders = [
            GameOrder("g", "connect_four", agents, seed, opening=Opening(6, seed))
            for agents in (("random", "osla"), ("osla", "random"), ("random", "random"))
        ]
        texts = set()
        for order in orders:
            game = new_game(order)
            for _move in range(6):
                game.step()
            texts.add(str(game.state))
        assert len(texts) == 1
        assert play_order(orders[0]).state_hash == play_order(orders[0]).state_hash
    packed = dict(zip([field.name for field in fields(GameOrder)], pack_orders(orders), strict=True))
    assert [one.decisions for one in packed["opening"]] == [6, 6, 6]
