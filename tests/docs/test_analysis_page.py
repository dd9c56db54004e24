"""The page on analysis explains every measure and every column."""

from pathlib import Path

import pandas as pd
import pytest

from tag.playing.metrics import METRICS
from tag.tournaments.commands.analysis import run_analysis
from tag.tournaments.results.analysis.definition import analysis
from tag.tournaments.results.analysis.luck import LUCK
from tag.tournaments.results.analysis.skill import SKILL
from tag.tournaments.results.measures import SPEEDS, describe

pytestmark = pytest.mark.flow

PAGE = (Path(__file__).parents[2] / "docs" / "analysis.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [*describe(METRICS), *SKILL, *LUCK, *SPEEDS])
def test_a_measure_is_explained(name):
    assert f"`{name}`" in PAGE


def test_all_files_and_columns_are_explained(tmp_path):
    run_analysis(analysis(("tic_tac_toe",), n_games=5), tmp_path)
    frames = sorted(tmp_path.glob("*.parquet"))
    assert len(frames) == 4
    for path in frames:
        assert f"`{path.name}`" in PAGE
        section = PAGE.partition("## The files")[2].partition(f"`{path.name}`, one row")[2].partition("`, one row")[0]
        for column in pd.read_parquet(path).columns.drop(["game", "players"]):
            assert f"`{column}`" in section
