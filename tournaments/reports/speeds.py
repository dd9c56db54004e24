"""The speeds of workers for people: a table, and what calibration of time limits cannot make up for."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter
from typing import Final

from tag.cluster.batches import WorkerSpeed
from tag.tournaments.driver.calibration import crowded
from tag.tournaments.reports.terminal import rows_text

#: A worker that gets less of a core's time than this during the measurement shares its core.
_SHARE: Final = 0.9
_machine: Final = attrgetter("machine")


def speeds_sentences(speeds: Sequence[WorkerSpeed], reference: float) -> list[str]:
    """Return the findings as sentences for people, a table in the first."""
    sentences = [
        "times are scaled by the speed of each worker, so that they buy the same thinking everywhere; games with time "
        "limits still cannot be repeated to the bit\n" + _table(speeds, reference)
    ]
    for machine, group in groupby(speeds, _machine):
        sentences += _troubles(machine, list(group))
    return sentences


def _table(speeds: Sequence[WorkerSpeed], reference: float) -> str:
    rows = []
    for machine, group in groupby(speeds, _machine):
        found = list(group)
        rates = sorted(worker.calls_per_second for worker in found)
        calls = _range(f"{rates[0]:,.0f}", f"{rates[-1]:,.0f}")
        factor = _range(f"{reference / rates[-1]:.2f}", f"{reference / rates[0]:.2f}")
        rows.append((machine, found[0].processor, str(len(found)), calls, f"x {factor}"))
    return rows_text(("machine", "processor", "workers", "calls/s", "times last"), rows, left=2)


def _range(least: str, most: str) -> str:
    return least if least == most else f"{least} to {most}"


def _troubles(machine: str, workers: Sequence[WorkerSpeed]) -> list[str]:
    """Return the differences on a machine that calibration cannot remove."""
    cores = workers[0].cores
    if len(workers) > cores:
        return [crowded(machine, len(workers), cores)]
    share = min(worker.share for worker in workers)
    if share < _SHARE:
        return [
            f"a worker on {machine} got {share:.0%} of a core's time while it measured its speed; whatever else works "
            "there takes time from agents with time limits, and that is not made up for"
        ]
    return []
