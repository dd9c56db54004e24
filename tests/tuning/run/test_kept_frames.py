"""Tables of a study that goes on: whole, now and then, and for a small share of the time."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from tag.tuning.agent.defining import define_study
from tag.tuning.run import run_study
from tag.tuning.search.search import Search
from tag.tuning.study import files
from tag.tuning.study.files import INCUMBENTS, TRIALS, KeptFrames, read_frame

pytestmark = pytest.mark.flow


class Clock:
    """Time that passes only when somebody says so."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_they_are_written_every_ten_seconds(clock: Clock, tmp_path: Path) -> None:
    frames = KeptFrames(tmp_path, lambda: {"t.parquet": pd.DataFrame({"at": [clock.now]})}, clock)
    seen = []
    for second in range(35):
        clock.now = float(second)
        frames.keep()
        found = read_frame(tmp_path / "t.parquet")
        seen.append(None if found.empty else found["at"][0])
    assert seen == [None] * 10 + [10.0] * 10 + [20.0] * 10 + [30.0] * 5


def test_what_takes_long_is_written_less_often(clock: Clock, tmp_path: Path) -> None:
    def slow() -> dict[str, pd.DataFrame]:
        clock.now += 1.0
        return {"t.parquet": pd.DataFrame({"at": [clock.now]})}

    frames = KeptFrames(tmp_path, slow, clock)
    written = set()
    for second in range(1_000):
        clock.now = max(clock.now, float(second))
        frames.keep()
        written.update(read_frame(tmp_path / "t.parquet").get("at", []))
    assert len(written) == 10


def test_a_search_writes_them_as_it_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_EVERY_SECONDS", 0.0)
    monkeypatch.setattr(files, "_SHARE", 1e9)
    rows: list[tuple[int, int]] = []
    end = Search._end

    def seen(search: Search, trial: object) -> None:
        rows.append((len(search.trials), len(read_frame(tmp_path / "s" / TRIALS))))
        end(search, trial)

    monkeypatch.setattr(Search, "_end", seen)
    definition = define_study(
        "rhea:budget=10",
        "tic_tac_toe",
        games=64,
        games_per_trial=8,
        search=("horizon",),
        versus=("random",),
        validation=0,
        race=False,
        sampler="random",
    )
    results = run_study(definition, tmp_path / "s", tracking=False)
    assert rows == [(ended, ended) for ended in range(8)]
    assert len(results.trials) == 8
    assert len(read_frame(tmp_path / "s" / INCUMBENTS)) == len(results.incumbents)
