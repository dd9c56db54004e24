"""Tracked analyses: one run with the files, and a run within it for each game type at a number of players."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from stores.seen_runs import Runs

from tag.tournaments.commands.analysis import run_analysis
from tag.tournaments.results.analysis.definition import analysis
from tag.tournaments.tracking import tracker
from tag.tournaments.tracking.stores import default_tracking_uri

pytestmark = [
    pytest.mark.flow,
    pytest.mark.filterwarnings("ignore:The ``noload`` loader strategy:DeprecationWarning"),
    pytest.mark.usefixtures("undrawn"),
]


@pytest.mark.system
def test_an_analysis_is_a_run_with_one_for_each_event(
    runs_in: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "luck"
    definition = analysis(("colt_express", "tic_tac_toe"), (2,), n_games=3, seeds=4, games_per_seed=3, by_source=True)
    run_analysis(definition, out, tracking=True)
    runs = {run.name: run for run in runs_in(default_tracking_uri(out), "analyses")}
    assert set(runs) == {"luck", "colt_express-2p", "tic_tac_toe-2p"}
    assert runs["luck"].status == "FINISHED"
    assert {"report.html", "summary.parquet", "analysis.json"} <= set(runs["luck"].files())
    summary = pd.read_parquet(out / "summary.parquet").set_index(["game", "measure"])
    metrics = runs["colt_express-2p"].metrics
    for measure in ("luck", "luck_of_train", "ticks"):
        row = summary.loc[("colt_express", measure)]
        found = [metrics[f"{measure}{end}"] for end in ("", "_low", "_high")]
        assert found == pytest.approx([row["mean"], row["low"], row["high"]])

    def no_process(_task: object) -> None:
        raise AssertionError

    with monkeypatch.context() as patched:  # the figures are there, but the speed is measured again
        patched.setattr(tracker, "_WriterProcess", no_process)
        assert run_analysis(definition, out, tracking=True).complete
    run_analysis(analysis(("tic_tac_toe",), (2,), n_games=5), out, tracking=True)
    assert len(runs_in(default_tracking_uri(out), "analyses")) == 3
