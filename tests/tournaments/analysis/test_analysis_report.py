"""The report of an analysis: complete, the same for the same figures, readable without anything else, in a real browser."""

from __future__ import annotations

import shutil
import subprocess
import xml.etree.ElementTree as ET
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import matplotlib as mpl
import pandas as pd
import pytest
from PIL import Image

from tag.registry import game_class
from tournaments.analysis.definition import analysis
from tournaments.analysis.figures import distribution_figure
from tournaments.analysis.report import report_html
from tournaments.analysis.results import AnalysisResults
from tournaments.analysis.run import run_analysis
from tournaments.html.figures import series_colour

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
#: Elements without an end.
VOID = {"meta", "link", "br"}


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


class Reading(HTMLParser):
    """What a page has, element by element; fails where elements are not closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: dict[str, list[str]] = {}
        self._open: list[str] = []
        self.feed(text)
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)
            self.words.setdefault(tag, []).append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        for tag in set(self._open):
            self.words[tag][-1] += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture(scope="module")
def page(results: AnalysisResults) -> Reading:
    return Reading((results.folder / "report.html").read_text("utf-8"))


def test_the_page_needs_nothing_else(page: Reading) -> None:
    for _tag, attributes in page.elements:
        for name in ("href", "src", "srcset", "xlink:href", "action"):
            assert (attributes.get(name) or "#").startswith(("#", "data:"))
    assert "script" not in page.words
    style = page.words["style"][0]
    assert "@import" not in style
    assert "url(" not in style


def test_links_lead_to_one_place(page: Reading) -> None:
    ids = [attributes["id"] for _tag, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    for _tag, attributes in page.elements:
        if "href" in attributes and attributes["href"] != "data:,":
            assert (attributes["href"] or "").removeprefix("#") in ids
        for value in attributes.values():
            if value and value.startswith("url(#"):
                assert value[5:-1] in ids


def test_every_figure_says_in_words_what_it_shows(page: Reading, results: AnalysisResults) -> None:
    labels = [attributes["aria-label"] or "" for attributes in page.all("svg")]
    assert len(labels) == len(page.all("figure")) == len(page.all("figcaption")) > 30
    assert all(attributes["role"] == "img" for attributes in page.all("svg"))
    assert len(set(labels)) > 0.9 * len(labels)
    ticks = results.summary.set_index(["game", "players", "measure"]).loc[("love_letter", 3, "ticks")]
    (label,) = [
        label for label in labels if label.startswith("Ticks.") and "3 players" in label and "2 players" in label
    ][:1]
    assert f"3 players: median {ticks['median']:g}, {ticks['p5']:.3g} to {ticks['p95']:.3g}" in label


def test_the_tables_have_every_event(page: Reading, results: AnalysisResults) -> None:
    assert page.words["caption"][:3] == [
        "What players choose from, what is on the table, and how fast it is",
        "How long it takes, and what rewards there are on the way",
        "Who wins, and when",
    ]
    events = len(results.manifest.definition.events)
    assert events == 5
    assert page.words["table"][0].split().count("pandemic:cards_for_cure=2") == 1
    assert len(page.all("td")) == 5 * (8 + 6) + 5 * 7 + 10 * len(results.summary)
    assert len(page.all("caption")) == len(page.all("table")) == 3 + 3
    for attributes in page.all("th"):
        assert attributes["scope"] in ("col", "row", "rowgroup")


def test_every_measure_is_explained(page: Reading, results: AnalysisResults) -> None:
    words = set(page.words["dt"])
    assert {name.replace("_", " ").capitalize() for name in results.summary["measure"]} <= words
    assert set(results.speed["function"]) <= words


def test_every_game_has_a_section_in_the_navigation(page: Reading) -> None:
    titles = [game_class(name).game_type.title for name in ("love_letter", "tic_tac_toe")]
    expected = ["Overview", *titles, f"{game_class('pandemic').game_type.title}, cards_for_cure 2", "Measures"]
    assert page.words["h2"] == expected
    assert [text.strip() for text in page.words["li"]] == expected


def test_figures_are_well_formed_and_in_the_colours_of_the_page(results: AnalysisResults) -> None:
    text = (results.folder / "report.html").read_text("utf-8")
    drawings = text.split("<svg")[1:]
    for drawing in drawings:
        svg = ET.fromstring("<svg" + drawing.partition("</svg>")[0] + "</svg>")  # noqa: S314  our own
        assert "#01" not in drawing.partition("</svg>")[0]
        assert any("var(--series-" in element.get("style", "") for element in svg.iter())


def test_equal_figures_give_equal_bytes_whatever_was_drawn_before(results: AnalysisResults) -> None:
    before = (results.folder / "report.html").read_text("utf-8")
    with mpl.rc_context({"font.size": 31.0, "svg.fonttype": "path", "axes.grid": True}):
        assert report_html(results) == before
    assert report_html(replace(results, folder=Path("elsewhere"))) == before


def test_a_number_of_players_has_its_colour_where_others_have_no_values(results: AnalysisResults) -> None:
    def of_three(frame: pd.DataFrame) -> pd.DataFrame:
        return frame[(frame["game"] == "love_letter") & (frame["players"] == 3) & (frame["measure"] == "ticks")]

    colours = {2: series_colour(0, 2), 3: series_colour(1, 2)}
    bins, summary = of_three(results.distributions), of_three(results.summary)
    svg = distribution_figure("f", "Ticks", "", bins, summary, "", colours).svg
    assert "var(--series-9)" in svg
    assert "var(--series-0)" not in svg


def test_what_users_write_is_text(results: AnalysisResults) -> None:
    manifest = replace(results.manifest, version="<script>alert(1)</script>")
    text = report_html(replace(results, manifest=manifest))
    assert "&lt;script&gt;" in text
    assert "<script" not in text


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
@pytest.mark.parametrize(
    ("scheme", "paper", "width"),
    [(1, (246, 246, 248), 1280), (0, (19, 20, 24), 500)],
    ids=["light, wide", "dark, narrow"],
)
def test_a_browser_shows_it(
    results: AnalysisResults, tmp_path: Path, scheme: int, paper: tuple[int, int, int], width: int
) -> None:
    page = results.folder / "report.html"
    picture = tmp_path / "report.png"
    browse(
        tmp_path, page, f"--screenshot={picture}", f"--window-size={width},2000", f"--blink-settings={SCHEME}={scheme}"
    )
    with Image.open(picture) as image:
        assert image.convert("RGB").getpixel((2, 2)) == paper
        assert len(image.convert("RGB").getcolors(image.width * image.height) or []) > 100

    watched = tmp_path / "watched.html"
    watched.write_text(page.read_text("utf-8").replace("<head>", f"<head>{WATCH}").replace("</body>", f"{TELL}</body>"))
    told = browse(tmp_path, watched, "--dump-dom", f"--window-size={width},2000")
    drawings = page.read_text("utf-8").count("<svg")
    assert f"<title>0 errors, {drawings} drawings, {width} of {width} pixels wide</title>" in told


SCHEME = "preferredColorScheme"
#: The browser counts what goes wrong, and tells it in the title: drawings with a size, and no wider than the window.
WATCH = "<script>var errors = 0; addEventListener('error', () => errors++, true)</script>"
TELL = """<script>
    const drawn = [...document.querySelectorAll("svg")].filter(svg => svg.getBBox().width > 100).length
    const width = document.documentElement.scrollWidth
    document.title = `${errors} errors, ${drawn} drawings, ${width} of ${innerWidth} pixels wide`
</script>"""


def browse(folder: Path, page: Path, *options: str) -> str:
    """Return what a browser prints."""
    quiet = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars")
    command = [str(CHROMIUM), *quiet, f"--user-data-dir={folder / 'profile'}", *options, page.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
