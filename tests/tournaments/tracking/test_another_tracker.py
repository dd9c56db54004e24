"""Another tracker than MLflow: a listener of play that writes the same contents, here in the manner of Weights & Biases."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tag.tournaments import define, run_tournament
from tag.tournaments.driver.events import PlayListener
from tag.tournaments.tracking.contents import RunContents
from tag.tournaments.tracking.tournaments import TournamentContents

pytestmark = pytest.mark.flow


class FakeRun:
    """Takes what `wandb.Run` takes."""

    def __init__(self, **known: Any) -> None:
        self.known = known
        self.logged: list[tuple[int, dict[str, float]]] = []
        self.summary: dict[str, Any] = {}
        self.saved: set[str] = set()
        self.exit_code: int | None = None

    def log(self, values: Mapping[str, float], step: int) -> None:
        assert not self.logged or step > self.logged[-1][0]  # as the real one wants it
        self.logged.append((step, dict(values)))

    def save(self, file: str) -> None:
        assert Path(file).is_file()
        self.saved.add(Path(file).name)

    def finish(self, exit_code: int) -> None:
        self.exit_code = exit_code


class RunListener(PlayListener):
    """Writes a run once games have been written, and its results in the end."""

    def __init__(self, contents: RunContents, scratch: Path) -> None:
        self.contents = contents
        self.run: FakeRun | None = None
        self._scratch = scratch
        self._total = self._done = self._step = 0

    def start(self, total: int, done: int, product: str = "") -> None:
        self._total, self._done = total, done

    def written(self, games: int) -> None:
        self._done += games
        self.contents.read()
        if self.run is None:
            identity, known = self.contents.identity(), {**self.contents.parameters(), **self.contents.tags({})}
            self.run = FakeRun(project=identity.experiment, id=identity.id, resume="allow", config=known)
        if self.contents.has_points({"games": self._done, "total": self._total}, self._step):
            self._log(complete=False)

    def end(self, status: str) -> None:
        if self.run is not None:
            self._log(complete=status == "FINISHED")
            results = self.contents.results(self._scratch)
            self.run.summary.update({**results.tags, **results.metrics})
            for file, _folder in results.files:
                self.run.save(str(file))
            self.run.finish(int(status != "FINISHED"))

    def _log(self, *, complete: bool) -> None:
        assert self.run is not None
        for games, values in self.contents.points(self._step, complete=complete):
            self.run.log(values, step=games)
            self._step = games


def test_another_tracker_is_a_listener_of_the_same_contents(tmp_path: Path) -> None:
    folder, scratch = tmp_path / "t", tmp_path / "scratch"
    scratch.mkdir()
    listener = RunListener(TournamentContents(folder), scratch)
    definition = define("tic_tac_toe", ("osla", "random"), 5, seed=1)
    results = run_tournament(definition, folder, tracking=False, listeners=[listener])
    run = listener.run
    assert run is not None
    assert run.exit_code == 0
    assert run.known["config"]["agent_1"] == "osla"
    assert [games for games, _values in run.logged] == [2, 4, 6, 8, 10]
    best = results.standings[0]
    assert run.logged[-1][1]["win_rate/osla"] == best.win_rate
    assert run.summary["win_rate_low/osla"] == best.win_rate_interval.low
    assert {"report.html", "results.md", "standings.parquet"} <= run.saved
