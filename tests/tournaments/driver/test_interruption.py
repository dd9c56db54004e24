"""A run that is told to end was killed, whatever its workers do about the same signal."""

import os
import signal
from pathlib import Path

import pytest

from tag.cluster.batches import PlayedBatch
from tag.cluster.workers import InProcess
from tag.errors import ClusterError
from tag.tournaments.definition import define
from tag.tournaments.run import run_tournament
from tag.tournaments.tracking import tracker

pytestmark = pytest.mark.flow


class Gone(InProcess):
    """Is gone for a reason of its own."""

    def completed(self, timeout: float) -> list[PlayedBatch]:
        raise ClusterError("Ray is gone")


class Terminated(Gone):
    """Gets SIGTERM together with this process, as all processes of a batch job do, and is gone."""

    def completed(self, timeout: float) -> list[PlayedBatch]:
        os.kill(os.getpid(), signal.SIGTERM)
        return super().completed(timeout)


@pytest.mark.parametrize(
    ("pool", "error", "status"), [(Terminated, KeyboardInterrupt, "KILLED"), (Gone, ClusterError, "FAILED")]
)
def test_a_terminated_run_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pool: type[Gone], error: type[BaseException], status: str
) -> None:
    ended: list[str] = []
    monkeypatch.setattr(tracker.TrackingListener, "end", lambda _self, status: ended.append(status))
    monkeypatch.setattr(tracker.TrackingListener, "_tell_news", lambda _self: None)
    with pytest.raises(error):
        run_tournament(define("tic_tac_toe", ("random", "osla"), 2), tmp_path / "t", workers=pool())
    assert ended == [status]
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
