"""Tracked experiments: one run with the table over all and the files, and a run within it for each event."""

from __future__ import annotations

from pathlib import Path

import pytest
from stores.seen_runs import Runs

from tag.tournaments import define
from tag.tournaments.ledger.experiment import Experiment
from tag.tournaments.run import run_experiment
from tag.tournaments.tracking import tracker
from tag.tournaments.tracking.stores import default_tracking_uri

pytestmark = [
    pytest.mark.flow,
    pytest.mark.filterwarnings("ignore:The ``noload`` loader strategy:DeprecationWarning"),
    pytest.mark.usefixtures("undrawn"),
]


@pytest.mark.system
def test_an_experiment_is_a_run_with_one_for_each_event(
    runs_in: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "two"
    experiment = Experiment.of([define(game, ("random", "osla"), 4, seed=1) for game in ("tic_tac_toe", "nim")])
    found = run_experiment(experiment, out, tracking=True)
    runs = {run.name: run for run in runs_in(default_tracking_uri(out), "experiments")}
    assert set(runs) == {"two", "tic_tac_toe-2p", "nim-2p"}
    assert {run.status for run in runs.values()} == {"FINISHED"}
    files = set(runs["two"].files())
    assert {"report.html", "experiment.json", "nim-2p/results.json", "nim-2p/tables/standings.parquet"} <= files
    assert any(file.startswith("nim-2p/ledger/4_blocks/games-") for file in files)
    for one in found.overall:
        ends = [runs["two"].metrics[f"strength{end}/{one.agent}"] for end in ("", "_low", "_high")]
        assert ends == pytest.approx([one.strength, *one.interval])
    nim = runs["nim-2p"]
    assert [games for games, _value in nim.curve("games")] == [2, 4, 6, 8]
    best = found.events["nim-2p"].standings[0]
    assert nim.metrics[f"win_rate_low/{best.agent}"] == pytest.approx(best.win_rate_interval.low)

    def no_process(_task: object) -> None:
        raise AssertionError

    with monkeypatch.context() as patched:
        patched.setattr(tracker, "_WriterProcess", no_process)
        assert run_experiment(experiment, out, tracking=True).complete  # nobody has to ask the store
    longer = run_experiment(experiment.extended(5, ["rmhc:budget=4"]), out, tracking=True)
    again = {run.name: run for run in runs_in(default_tracking_uri(out), "experiments")}
    assert set(again) == set(runs)
    assert again["two"].metrics["strength/osla"] == pytest.approx(
        next(one.strength for one in longer.overall if one.agent == "osla")
    )
    assert "rmhc:budget=4" in again["nim-2p"].params.values()
