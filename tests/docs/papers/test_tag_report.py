"""The analysis of the TAG report plays through, and goes on; its tables stand beside the printed ones."""

from __future__ import annotations

import shutil
import sys
import tomllib
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest

from tag.catalogue.registry import game_names, metrics_for
from tag.tournaments.results.measures import SPEEDS, describe

pytestmark = pytest.mark.flow

ROOT = Path(__file__).parents[3]
EXAMPLE = Path("examples") / "papers" / "tag_report"


@pytest.fixture
def report(tmp_path, monkeypatch):
    """Return the example's script as a module, with tiny sizes and a variant of tic-tac-toe, beside the working folder."""
    folder = shutil.copytree(ROOT / EXAMPLE, tmp_path / EXAMPLE)
    plan = folder / "report.toml"
    text = plan.read_text(encoding="utf-8")
    text = text.replace("games_each = 200\n", "games_each = 5\n").replace("games_each = 20 ", "games_each = 3 ")
    plan.write_text(text.replace("[java]", '[java]\ntic_tac_toe = "size=2"', 1), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    spec = spec_from_file_location("tag_report", folder / "run.py")
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)  # where dataclasses look for it
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def run(report, monkeypatch, capsys):
    """Return a function that runs a size of a game, in this process, and returns what it prints."""

    def run_games(size, game):
        command = ["run.py", size, "--out", "studies/tag", "--workers", "1", "--games", game]
        monkeypatch.setattr(sys, "argv", command)
        assert report.play_paper(report.Report, Path(EXAMPLE / "report.toml"), report.__doc__) == 0
        return capsys.readouterr().out

    return run_games


@pytest.mark.system
@pytest.mark.usefixtures("undrawn")
def test_the_small_size_plays_through_and_grows(run):
    first = run("small", "tic_tac_toe")
    assert first.count("| *report* | 5.69 | 6.79 | 1 | 0 % | 100 k | 1 M | 100 k | 1 M |") == 2
    assert first.count("| *report* | 7.24 | 7.61 | 3.17 | 1 | 0 | 0.103 | 0.02 |") == 2
    assert "copies are as fast as printed" in first
    assert "Pandemic has" not in first, "claims about games that were not played"
    assert first.endswith(Path("studies/tag/tables.md").read_text(encoding="utf-8") + "\n")
    assert lengths(run("small", "tic_tac_toe")) == lengths(first)
    assert lengths(run("medium", "tic_tac_toe")) != lengths(first)
    assert [line.split(" | ")[0] for line in lengths(first)] == ["| tic_tac_toe", "| tic_tac_toe as in Java"]
    manifest = Path("studies/tag/tic_tac_toe_as_in_Java/analysis.json").read_text(encoding="utf-8")
    assert "tic_tac_toe:size=2" in manifest


def test_other_games_are_refused(run, capsys):
    with pytest.raises(SystemExit):
        run("small", "nim")
    assert "no game of the paper named 'nim'" in capsys.readouterr().err


def lengths(text):
    """Return the rows of table 2 that were measured; those of table 1 have speeds, which differ."""
    table = text.partition("## Table 2")[2].partition("## Claims")[0]
    return [line for line in table.splitlines()[4:] if line.startswith("|") and "*report*" not in line]


def test_all_claims_are_about_games_and_measures_of_the_report():
    plan = tomllib.loads((ROOT / EXAMPLE / "report.toml").read_text(encoding="utf-8"))
    assert set(plan["games"]) <= set(game_names())
    assert {(len(rows["table_1"]), len(rows["table_2"])) for rows in plan["games"].values()} == {(8, 7)}
    measures = describe(metrics_for("uno"))
    for claim in plan["claims"]:
        assert {claim.get("first", "uno"), *claim.get("others", [])} <= set(plan["games"])
        assert claim.get("measure", "ticks") in measures
        assert claim.get("function", "setup") in SPEEDS


def test_means_over_numbers_of_players_and_claims(report):
    printed = {"a": {"table_2": [0, 4.0]}, "b": {"table_2": [0, 1.5]}}
    made_up = report.Report({"games": printed}, Path(), None)
    made_up.results = {"a": analysed([3.0, 5.0], [0.3, 0.4]), "b": analysed([1.0], [0.1])}
    value, (low, high) = made_up.measure("a", "ticks")
    assert (value, low, high) == pytest.approx((4.0, 3.75, 4.25))
    assert made_up.measure("a", "ticks", 3).value == 5.0
    statement = {"text": "a is longer", "published": "", "measure": "ticks", "first": "a"}
    assert (made_up.claim(statement).verdict, made_up.claim(statement).games) == ("agrees", 30)
    assert made_up.printed_difference(statement) == 2.5
    assert made_up.printed_difference(statement | {"least": True}) == -2.5
    assert made_up.claim(statement | {"least": True}).verdict == "refuted"
    printed["a"]["table_2"][1] = 40.0
    assert made_up.claim(statement).verdict == "agrees in sign"
    fewer = made_up.claim(statement | {"players": [2, 3]})
    assert (fewer.measured.value, fewer.verdict, fewer.games) == (-2.0, "refuted", 20)


def analysed(means, halves):
    """Return what the report needs of an analysis of ticks with 2, 3 … players."""
    rows = [
        {"measure": "ticks", "players": 2 + number, "mean": mean, "low": mean - half, "high": mean + half}
        for number, (mean, half) in enumerate(zip(means, halves, strict=True))
    ]
    return SimpleNamespace(summary=pd.DataFrame(rows), games=10 * len(means))
