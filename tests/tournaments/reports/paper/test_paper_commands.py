"""From a run to a paper in three commands: ``tag export latex``, ``tag figure``, ``tag export bundle``."""

from __future__ import annotations

import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import run_tag

from tag.tournaments import read_results

pytestmark = pytest.mark.flow

FIRST_BYTES = {"pdf": b"%PDF", "png": b"\x89PNG", "svg": b"<?xml"}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run") / "t"
    options = ["--agent", "random", "--agent", "osla", "--blocks", "4", "--seed", "1", "--no-tracking", "--quiet"]
    assert run_tag("tournament", "tic_tac_toe", *options, "--workers", "1", "--out", folder).exit_code == 0
    return folder


@pytest.fixture(scope="module")
def experiment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("experiment") / "s"
    games = ["tic_tac_toe", "nim", "--agent", "random", "--agent", "osla", "--blocks", "6"]
    assert run_tag("tournament", *games, "--no-tracking", "--quiet", "--workers", "1", "--out", folder).exit_code == 0
    return folder


def done(*arguments: object) -> str:
    result = run_tag(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def refused(*arguments: object) -> str:
    result = run_tag(*arguments)
    assert result.exit_code == 2, result.output
    assert result.stderr.count("\n") == 1
    return result.stderr


def test_three_commands_make_a_paper(run: Path, tmp_path: Path, compiled: Callable[[str], str]) -> None:
    done("export", run, "latex", "--out", tmp_path / "tables.tex")
    done("figure", run, "ratings", tmp_path / "ratings.pdf")
    done("export", run, "bundle", "--out", tmp_path / "appendix.zip")
    log = compiled("\\input{tables.tex}\n\\includegraphics[width=\\textwidth]{ratings.pdf}")
    assert "ratings.pdf" in log


@pytest.mark.parametrize("kind", FIRST_BYTES)
def test_a_figure_is_a_file_of_its_kind_and_the_same_again(kind: str, run: Path, tmp_path: Path) -> None:
    files = [tmp_path / f"{name}.{kind}" for name in ("first", "second", "narrow")]
    assert done("figure", run, "ratings", files[0]).strip() == str(files[0])
    done("report", run, "--out", tmp_path / "page.html")  # what is drawn between them changes nothing
    done("figure", run, "ratings", files[1])
    done("figure", run, "ratings", files[2], "--narrow")
    first, second, narrow = (file.read_bytes() for file in files)
    assert first.startswith(FIRST_BYTES[kind])
    assert first == second != narrow


def test_all_figures_are_listed_and_drawn(run: Path, tmp_path: Path) -> None:
    names = [line.split()[0] for line in done("figure", run).splitlines()]
    assert {"rates", "ratings", "pairs", "seats"} <= set(names)
    for name in names:
        done("figure", run, name, tmp_path / f"{name}.svg")
        drawn = (tmp_path / f"{name}.svg").read_text()
        ET.fromstring(drawn)  # noqa: S314  our own
        assert "#0102" not in drawn, "a colour of pages"
        assert "#0104" not in drawn, "a colour of pages"


def test_a_style_file_changes_what_is_drawn(run: Path, tmp_path: Path) -> None:
    style = tmp_path / "mine.mplstyle"
    style.write_text("text.color: 12ab34\naxes.prop_cycle: cycler('color', ['ab12cd'])\n")
    done("figure", run, "ratings", tmp_path / "ours.svg")
    done("figure", run, "ratings", tmp_path / "mine.svg", "--style", style)
    ours, mine = ((tmp_path / f"{name}.svg").read_text() for name in ("ours", "mine"))
    assert "#12ab34" in mine
    assert "#ab12cd" in mine
    assert "#12ab34" not in ours
    odd = {"text.colour: red": "did you mean 'text.color'", "font.size: huge": "could not convert 'huge'"}
    for line, words in odd.items():
        style.write_text(f"{line}\n")
        assert words in refused("figure", run, "ratings", tmp_path / "x.svg", "--style", style).lower()
    assert "'no'" in refused("figure", run, "ratings", tmp_path / "x.svg", "--style", "no")
    assert not (tmp_path / "x.svg").exists()


def test_a_bundle_plays_the_same_tournament(run: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        done("export", run, "bundle", "--out", tmp_path / f"{name}.zip")
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.zip") as bundle:
        bundle.extractall(tmp_path / "bundle")
    content_hash = read_results(run).content_hash
    assert content_hash in (tmp_path / "bundle" / "README.txt").read_text()
    again = tmp_path / "again"
    definition = tmp_path / "bundle" / "definition.toml"
    done("tournament", definition, "--out", again, "--workers", "1", "--quiet", "--no-tracking")
    assert read_results(again).content_hash == content_hash
    done("tournament", tmp_path / "bundle", "--workers", "1", "--quiet", "--no-tracking")
    assert read_results(tmp_path / "bundle").content_hash == content_hash


def test_the_method_says_test_correction_games_and_times(run: Path) -> None:
    text, results = done("export", run, "method"), read_results(run)
    for words in (f"{results.games} games of Tic-tac-toe", "score test", "Holm's correction for all 1 pair", "seed 1"):
        assert words in text
    for standing in results.standings:
        assert f" ms for {standing.agent}" in text
    assert results.content_hash in text


def test_an_experiment_has_a_table_over_its_games(experiment: Path) -> None:
    text = done("export", experiment, "latex")
    assert "\\label{tab:overall}" in text
    assert "Tic-tac-toe, 2 & Nim, 2 \\\\" in text
    assert "\\label{tab:overall-crosstable}" in text
    assert text.count("\\begin{table}") == 6
    only = done("export", experiment, "latex", "--table", "overall")
    assert only.count("\\begin{table}") == 1


def test_wrong_names_are_refused_in_a_sentence(run: Path, experiment: Path, tmp_path: Path) -> None:
    assert "did you mean 'ratings'" in refused("figure", run, "rating", tmp_path / "x.pdf")
    assert "there are: pdf, png, svg" in refused("figure", run, "ratings", tmp_path / "x.gif")
    assert "add one, such as ratings.pdf" in refused("figure", run, "ratings")
    assert "no table named 'standing'" in refused("export", run, "latex", "--table", "standing")
    assert "--out appendix.zip" in refused("export", run, "bundle")
    assert "--table is for latex" in refused("export", run, "pairs", "--table", "x")
    assert "is an experiment" in refused("export", experiment, "bundle", "--out", tmp_path / "x.zip")
    assert "holds no" in refused("figure", tmp_path, "ratings", tmp_path / "x.pdf")
