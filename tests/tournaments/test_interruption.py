"""A run that is told to end was killed, whatever its workers do about the same signal."""

import os
import signal
from collections.abc import Mapping
from pathlib import Path

import pytest

from cluster.batches import Played
from tag.errors import ClusterError
from tournaments.definition import define
from tournaments.driver import run_tournament
from tournaments.pool import LocalPool
from tournaments.tracking import tracker


class Gone(LocalPool):
    """Is gone for a reason of its own."""

    def __init__(self, _sources: Mapping[str, str]) -> None:
        super().__init__()

    def completed(self, timeout: float) -> list[Played]:
        raise ClusterError("Ray is gone")


class Terminated(Gone):
    """Gets SIGTERM together with this process, as all processes of a batch job do, and is gone."""

    def completed(self, timeout: float) -> list[Played]:
        os.kill(os.getpid(), signal.SIGTERM)
        return super().completed(timeout)


@pytest.mark.parametrize(
    ("pool", "error", "status"), [(Terminated, KeyboardInterrupt, "KILLED"), (Gone, ClusterError, "FAILED")]
)
def test_a_terminated_run_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pool: type[Gone], error: type[BaseException], status: str
) -> None:
    ended: list[str] = []
    monkeypatch.setattr(tracker.TrackedProgress, "end", lambda _self, status: ended.append(status))
    monkeypatch.setattr(tracker.TrackedProgress, "_tell_news", lambda _self: None)
    with pytest.raises(error):
        run_tournament(define("tic_tac_toe", ("random", "osla"), 2), tmp_path / "t", pool_factory=pool)
    assert ended == [status]
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
