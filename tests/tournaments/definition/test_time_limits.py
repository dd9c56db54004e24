"""A tournament with time limits is refused where machines are not equal, before it plays, and else nowhere."""

from dataclasses import replace

import pytest

from tag.cluster import make_workers
from tag.cluster.batches import cores, processor
from tag.cluster.status import NodeStatus
from tag.errors import ClusterError, ParameterError
from tag.tournaments.definition import Rules, define, timed
from tag.tournaments.driver.calibration import check_machines
from tag.tournaments.run import run_tournament

pytestmark = pytest.mark.flow

ADDRESS = "10.0.0.1:6379"
TIMED = "mcts:budget=5,budget_type=wall_ms"
NODE = NodeStatus("10.0.0.2", "two", False, True, 8, "fast", 8, "2.60.0", {}, "")


def tournament(*agents, **rules):
    return define("tic_tac_toe", [*agents, "random"], 2, rules=Rules(**rules))


def found(monkeypatch, *nodes):
    monkeypatch.setattr("tag.cluster.status.cluster_status", lambda address: list(nodes))


@pytest.mark.parametrize(
    ("definition", "limits"),
    [
        (tournament("mcts"), []),
        (tournament(TIMED), [TIMED]),
        (tournament("mcts:budget_type=clock"), ["mcts:budget_type=clock"]),
        (tournament("osla", decision_seconds=0.5), ["decision_seconds"]),
        (tournament("osla", clock_seconds=5.0), ["clock_seconds"]),
    ],
)
def test_what_is_limited_by_time(definition, limits):
    assert timed(definition) == limits


def test_unequal_machines_are_refused_before_anything_is_there(monkeypatch, tmp_path):
    found(monkeypatch, NODE, replace(NODE, address="10.0.0.3", processor="slow"))
    monkeypatch.setattr("tag.cluster.workers.check_cluster", lambda address: None)
    with pytest.raises(ClusterError) as caught:
        run_tournament(tournament(TIMED), tmp_path / "run", workers=make_workers(1, ADDRESS))
    assert str(caught.value) == (
        f"{TIMED} is a time limit, and machines are not equal: 10.0.0.2 with fast and 10.0.0.3 with slow;"
        " count forward-model calls or iterations instead, or scale times by speed with --calibrate"
    )
    assert list(tmp_path.iterdir()) == []


def test_equal_machines_and_those_that_play_nothing_are_fine(monkeypatch):
    head = replace(NODE, address="10.0.0.1", processor="slow", cpus=0)
    lost = replace(NODE, address="10.0.0.9", processor="", alive=False)
    found(monkeypatch, head, NODE, replace(NODE, address="10.0.0.3"), lost)
    assert check_machines(tournament(TIMED), make_workers(16, ADDRESS)) == []


def test_without_limits_or_a_cluster_nobody_is_asked(monkeypatch):
    monkeypatch.setattr("tag.cluster.status.cluster_status", lambda address: pytest.fail("asked"))
    assert check_machines(tournament("mcts"), make_workers(99, ADDRESS)) == []
    assert check_machines(tournament(TIMED), make_workers(1)) == []
    assert check_machines(tournament(TIMED, calibrate=True), make_workers(99, ADDRESS)) == []


def test_calibration_of_nothing_is_refused(tmp_path):
    with pytest.raises(
        ParameterError, match="^calibrate is for time limits, and this tournament has none; leave it out$"
    ):
        run_tournament(tournament("mcts", calibrate=True), tmp_path / "run")
    assert list(tmp_path.iterdir()) == []


def test_more_workers_than_cores_are_warned_of_where_time_counts(monkeypatch):
    here = cores()
    assert check_machines(tournament("mcts"), make_workers(here + 1)) == []
    (sentence,) = check_machines(tournament(TIMED), make_workers(here + 1))
    assert sentence.startswith(f"{here + 1} workers on this machine share {here} core")
    found(monkeypatch, NODE, replace(NODE, address="10.0.0.3", cpus=9))
    (sentence,) = check_machines(tournament(TIMED), make_workers(17, ADDRESS))
    assert sentence.startswith("9 workers on 10.0.0.3 share 8 cores: ")


def test_the_processor_has_a_name():
    assert processor().strip()
