"""Batches and tasks as sent between driver and worker, and the speed of the machine that does them."""

from __future__ import annotations

import os
import platform
import re
from dataclasses import dataclass, fields
from operator import attrgetter
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Final, NamedTuple

from tag import errors
from tag.catalogue.user_code import failure_of
from tag.errors import ContractError, TagError
from tag.orders import GameOrder, GameRecord, own_speed, play_order

_MODEL: Final = re.compile(r"^model name\s*: *(.+?)\s*$", re.MULTILINE)


@dataclass(frozen=True)
class WorkerSpeed:
    """The speed of one worker.

    Attributes:
        machine: the address of its node, or the host's name.
        processor: its name.
        cores: how many the machine lets the worker choose from.
        calls_per_second: forward-model calls per second of CPU time (`tag.orders`).
        share: the CPU time that it got per second of wall time.
    """

    machine: str
    processor: str
    cores: int
    calls_per_second: float
    share: float


def worker_speed(game: str, players: int, machine: str = "") -> WorkerSpeed:
    """Return how fast this process plays the spec ``game`` with so many players; the first time takes two seconds."""
    speed = own_speed(game, players)
    return WorkerSpeed(machine or platform.node(), processor(), cores(), speed.calls_per_second, speed.share)


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def processor() -> str:
    """Return the name of the processor, as precise as the system tells it."""
    try:
        found = _MODEL.search(Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    except OSError:
        found = None
    return found[1] if found else platform.processor() or platform.machine()


# Sending orders and records as objects would work too, at five times the cost: pickle handles objects one by one in
# Python, but not plain tuples.


#: How many batches queue at a worker, including the one in play, so that it need not wait for the next.
DEPTH: Final = 2

Columns = tuple[tuple[Any, ...], ...]
Row = tuple[Any, ...]

_order_fields: Final = attrgetter(*[field.name for field in fields(GameOrder)])
record_fields: Final = attrgetter(*[field.name for field in fields(GameRecord)])


class Answer(NamedTuple):
    """A worker's answer to a batch or a task.

    Attributes:
        rows: the fields of each record, in the order of the batch; of a task its value alone; none if one failed.
        error: the name of the class of `tag.errors`, and the message; empty if all went well.
    """

    rows: list[Row]
    error: tuple[str, str] | None


class PlayedBatch(NamedTuple):
    """A batch that has been played.

    Attributes:
        number: the batch's.
        records: the records of its games, in order.
        worker: the process that played them: the address of its node, and its number there (``10.0.0.2/1234``).
    """

    number: int
    records: list[GameRecord]
    worker: str


class Task(NamedTuple):
    """A call of a function with plain data: any worker can do it, and does the same.

    Attributes:
        name: what it is, for errors. The worker that did the last task of this name is preferred for the next, as it may
            have kept something for it; the function must not depend on that.
        function: ``package.module:function``, in this distribution.
        arguments: texts, numbers, bytes, and tuples, lists and dictionaries of these, as the function's value.
    """

    name: str
    function: str
    arguments: tuple[Any, ...]


class CompletedTask(NamedTuple):
    """A task that has been done.

    Attributes:
        number: the task's.
        value: what its function returned.
        worker: the process that did it, as in `PlayedBatch`.
    """

    number: int
    value: Any
    worker: str


class Reply(NamedTuple):
    """The fate of a batch or a task that was given to a worker: done or lost.

    Attributes:
        number: the batch's or the task's.
        worker: the one that had it, as in `PlayedBatch`.
        answer: the worker's answer, None if it was lost with the worker.
        suspect: it was being done when its worker died, so it may be the cause.
    """

    number: int
    worker: str
    answer: Answer | None
    suspect: bool = False


def pack_orders(orders: list[GameOrder]) -> Columns:
    """Return the fields of ``orders``, field by field."""
    return tuple(zip(*map(_order_fields, orders), strict=True))


def play_batch(columns: Columns) -> Answer:
    """Play a batch from `pack_orders`; the first game that fails ends the batch."""
    rows: list[Row] = []
    for values in zip(*columns, strict=True):
        order = GameOrder(*values)
        try:
            rows.append(record_fields(play_order(order)))
        except TagError as error:
            return Answer([], (_class_name(error), str(error)))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001  a user's own game may fail in any way
            return Answer([], (ContractError.__name__, f"game {order.game_id} failed: {failure_of(error)}"))
    return Answer(rows, None)


def do_task(task: Task) -> Answer:
    """Call a task's function."""
    try:
        return Answer([(resolve_name(task.function)(*task.arguments),)], None)
    except TagError as error:
        return Answer([], (_class_name(error), str(error)))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001  a user's own game may fail in any way
        return Answer([], (ContractError.__name__, f"{task.name} failed: {failure_of(error)}"))


def unpack_value(answer: Answer) -> Any:
    """Return the value of a task.

    Raises:
        TagError: the error of the task, with the same class and message.
    """
    _raise_error(answer)
    return answer.rows[0][0]


def unpack_records(answer: Answer) -> list[GameRecord]:
    """Return the records of a batch.

    Raises:
        TagError: the error of a game of the batch, with the same class and message.
    """
    _raise_error(answer)
    return [GameRecord(*row) for row in answer.rows]


def _raise_error(answer: Answer) -> None:
    if answer.error is not None:
        name, message = answer.error
        raise getattr(errors, name)(message)


def _class_name(error: TagError) -> str:
    """Return the name of the error's class, or of the nearest base that the driver knows too."""
    return next(cls.__name__ for cls in type(error).__mro__ if cls.__module__ == errors.__name__)
