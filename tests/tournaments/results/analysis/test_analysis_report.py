"""The report of an analysis: complete, the same for the same figures, readable without anything else, in a real browser."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pandas as pd
import pytest
from browsers.pages import check_shown

from tag.catalogue.registry import game_class
from tag.tournaments.commands.analysis import run_analysis
from tag.tournaments.reports.analysis import report_html
from tag.tournaments.reports.figures import distribution_figure
from tag.tournaments.reports.html.figures import series_colour
from tag.tournaments.results.analysis.definition import AnalysisResults, analysis

pytestmark = pytest.mark.flow


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> AnalysisResults:
    definition = analysis(
        ("love_letter", "tic_tac_toe", "pandemic:cards_for_cure=2"),
        (2, 3),
        n_games=6,
        skill_agent="mcts:budget=4,rollout_length=0",
        skill_games=2,
    )
    return run_analysis(definition, tmp_path_factory.mktemp("runs") / "analysis")


@pytest.fixture(scope="module")
def page(results: AnalysisResults, reading_of: Any) -> Any:
    return reading_of((results.folder / "report.html").read_text("utf-8"))


def test_the_page_is_whole_and_needs_nothing_else(page: Any) -> None:
    page.check()
    assert "var(--series-" in page.text


def test_every_figure_says_in_words_what_it_shows(page: Any, results: AnalysisResults) -> None:
    labels = page.labels
    assert len(labels) > 30
    assert len(set(labels)) > 0.9 * len(labels)
    ticks = results.summary.set_index(["game", "players", "measure"]).loc[("love_letter", 3, "ticks")]
    (label,) = [
        label for label in labels if label.startswith("Ticks.") and "3 players" in label and "2 players" in label
    ][:1]
    assert f"3 players: median {ticks['median']:g}, {ticks['p5']:.3g} to {ticks['p95']:.3g}" in label


def test_the_tables_have_every_event(page: Any, results: AnalysisResults) -> None:
    assert page.words["caption"][:3] == [
        "What players choose from, what is on the table, and how fast it is",
        "How long it takes, and what rewards there are on the way",
        "Who wins, and when",
    ]
    events = len(results.manifest.definition.events)
    assert events == 5
    assert page.words["table"][0].split().count("pandemic:cards_for_cure=2") == 1
    assert len(page.all("td")) == 5 * (8 + 6) + 5 * 8 + 10 * len(results.summary)
    assert len(page.all("caption")) == len(page.all("table")) == 3 + 3


def test_every_measure_is_explained(page: Any, results: AnalysisResults) -> None:
    words = set(page.words["dt"])
    assert {name.replace("_", " ").capitalize() for name in results.summary["measure"]} <= words
    assert set(results.speed["function"]) <= words


def test_every_game_has_a_section_in_the_navigation(page: Any) -> None:
    titles = [game_class(name).game_type.title for name in ("love_letter", "tic_tac_toe")]
    expected = ["Overview", *titles, f"{game_class('pandemic').game_type.title}, cards_for_cure 2", "Measures"]
    assert page.words["h2"] == expected
    assert [text.strip() for text in page.words["li"]] == expected


@pytest.mark.system
def test_equal_figures_give_equal_bytes_whatever_was_drawn_before(results: AnalysisResults) -> None:
    before = (results.folder / "report.html").read_text("utf-8")
    with mpl.rc_context({"font.size": 31.0, "svg.fonttype": "path", "axes.grid": True}):
        assert report_html(replace(results, folder=Path("elsewhere"))) == before


def test_a_number_of_players_has_its_colour_where_others_have_no_values(results: AnalysisResults) -> None:
    def of_three(frame: pd.DataFrame) -> pd.DataFrame:
        return frame[(frame["game"] == "love_letter") & (frame["players"] == 3) & (frame["measure"] == "ticks")]

    colours = {2: series_colour(0, 2), 3: series_colour(1, 2)}
    bins, summary = of_three(results.distributions), of_three(results.summary)
    svg = distribution_figure("f", "Ticks", "", bins, summary, "", colours).svg
    assert "var(--series-9)" in svg
    assert "var(--series-0)" not in svg


@pytest.mark.system
@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 500)], ids=["light, wide", "dark, narrow"])
def test_a_browser_shows_it(results: AnalysisResults, tmp_path: Path, browser: Any, scheme: str, width: int) -> None:
    check_shown(browser, shutil.copy(results.folder / "report.html", tmp_path / "shown.html"), scheme, width)


@pytest.mark.usefixtures("undrawn")
def test_what_users_write_is_text(results: AnalysisResults) -> None:
    manifest = replace(results.manifest, version="<script>alert(1)</script>")
    text = report_html(replace(results, manifest=manifest))
    assert "&lt;script&gt;" in text
    assert "<script>alert" not in text
