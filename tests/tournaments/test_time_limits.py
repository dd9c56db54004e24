"""A tournament with time limits is refused where machines are not equal, before it plays, and else nowhere."""

from dataclasses import replace

import pytest

from cluster.machine import processor
from cluster.status import NodeStatus
from tag.errors import ClusterError
from tournaments.definition import Rules, define
from tournaments.runner import run_tournament
from tournaments.time_limits import check_machines, timed

ADDRESS = "10.0.0.1:6379"
TIMED = "mcts:budget=5,budget_type=wall_ms"
NODE = NodeStatus("10.0.0.2", "two", False, True, 8, "fast", "2.60.0", {}, "")


def tournament(*agents, **rules):
    return define("tic_tac_toe", [*agents, "random"], 2, rules=Rules(**rules))


def found(monkeypatch, *nodes):
    monkeypatch.setattr("cluster.status.cluster_status", lambda address: list(nodes))


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
    monkeypatch.setattr("tournaments.runner.check_address", lambda address: None)
    with pytest.raises(ClusterError) as caught:
        run_tournament(tournament(TIMED), tmp_path / "run", address=ADDRESS, uses_ray=True)
    assert str(caught.value) == (
        f"{TIMED} is a time limit, and machines are not equal: 10.0.0.2 with fast and 10.0.0.3 with slow;"
        " count forward-model calls or iterations instead"
    )
    assert list(tmp_path.iterdir()) == []


def test_equal_machines_and_those_that_play_nothing_are_fine(monkeypatch):
    head = replace(NODE, address="10.0.0.1", processor="slow", cpus=0)
    lost = replace(NODE, address="10.0.0.9", processor="", alive=False)
    found(monkeypatch, head, NODE, replace(NODE, address="10.0.0.3"), lost)
    check_machines(tournament(TIMED), ADDRESS)


def test_without_limits_or_a_cluster_nobody_is_asked(monkeypatch):
    monkeypatch.setattr("cluster.status.cluster_status", lambda address: pytest.fail("asked"))
    check_machines(tournament("mcts"), ADDRESS)
    check_machines(tournament(TIMED), "")


def test_the_processor_has_a_name():
    assert processor().strip()
