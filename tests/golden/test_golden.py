"""The same commands leave the same games, results, trials and models as ever: on one worker and two, in both builds.

A digest that changes on purpose is written anew by `write_golden.py`, and the commit says why.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from golden import GOLDEN, cases, digest
from kept_workers import KeptWorkers

pytestmark = pytest.mark.flow

#: Those that are played interpreted in every run: a tournament, a study and a training.
INTERPRETED = ("round_robin", "racing", "td")


@pytest.fixture(scope="module")
def kept_workers(local_ray: None) -> Iterator[None]:
    """Have all games that two workers play here played by the same two."""
    kept = KeptWorkers()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("tag.cluster.workers.RayWorkers", lambda count, address: kept)
        yield
    kept.end()


def test_there_is_a_digest_for_each_case_and_no_other() -> None:
    assert set(json.loads(GOLDEN.read_text())) == set(cases())
    assert len(set(json.loads(GOLDEN.read_text()).values())) == len(cases())


@pytest.mark.system
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in INTERPRETED else [pytest.mark.heavy]) for name in cases()]
)
def test_one_worker_leaves_what_it_ever_left(name: str, tmp_path: Path) -> None:
    assert digest(name, tmp_path / "folder", 1) == json.loads(GOLDEN.read_text())[name]


@pytest.mark.system
@pytest.mark.usefixtures("kept_workers")
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.heavy) for name in cases("tournaments", "studies")]
)
def test_two_workers_leave_the_same(name: str, tmp_path: Path) -> None:
    assert digest(name, tmp_path / "folder", 2) == json.loads(GOLDEN.read_text())[name]
