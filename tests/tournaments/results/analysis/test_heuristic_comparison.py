"""Heuristics compared: ranks, fronts and intervals against plain arithmetic, simulations, and played games."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from commands import run_tag

from tag.catalogue.registry import make_agent
from tag.errors import TagError
from tag.tournaments.designs.games import split_name
from tag.tournaments.ledger.games import read_ledger
from tag.tournaments.results.analysis.definition import COMPARED, analysis
from tag.tournaments.results.analysis.heuristics import ComparedEvent, HeuristicComparison, read_comparison

pytestmark = [pytest.mark.usefixtures("undrawn"), pytest.mark.flow]

NAMES = ("a", "b", "c")
SILENT = ("--no-ray", "--no-tracking", "--quiet")


def event(points: list[float], blocks: int = 10) -> ComparedEvent:
    """Return an event in which all blocks are alike."""
    column = np.array(points)[:, None]
    number = len(points)
    shares = np.array([[0.5 + (one - other) / 2 for other in points] for one in points])
    return ComparedEvent(
        np.repeat(4.0 * column, blocks, axis=1),
        np.full((number, blocks), 4.0),
        np.full((number, blocks), 4.0),
        shares,
        np.full((number, number), 0.01),
    )


def test_ranks_are_means_over_the_events_and_equal_points_share_them() -> None:
    frame = HeuristicComparison(NAMES, [event([0.6, 0.3, 0.1]), event([0.2, 0.2, 0.6])]).frame().set_index("heuristic")
    assert frame["mean_rank"].to_dict() == {"a": 1.75, "b": 2.25, "c": 2.0}
    assert frame["best"].to_dict() == {"a": 1, "b": 0, "c": 1}
    assert frame["on_front"].to_dict() == {"a": True, "b": False, "c": True}  # a has as much as b, and once more
    assert (frame["low"] == frame["mean_rank"]).all()
    assert frame["front_share"].to_dict() == {"a": 1.0, "b": 0.0, "c": 1.0}


def test_the_best_is_first_and_alone_on_the_front() -> None:
    frame = HeuristicComparison(NAMES, [event([0.1, 0.5, 0.4]), event([0.2, 0.6, 0.3])]).frame()
    assert frame["heuristic"].tolist() == ["b", "c", "a"]
    assert frame["on_front"].tolist() == [True, False, False]


def test_pairs_are_means_over_the_events() -> None:
    pairs = HeuristicComparison(NAMES, [event([0.6, 0.3, 0.1]), event([0.2, 0.2, 0.6])]).pairs()
    rows = pairs.set_index(["heuristic", "other"])
    assert rows.loc[("a", "b"), "share"] == pytest.approx(0.575)
    assert rows.loc[("a", "b"), "share"] + rows.loc[("b", "a"), "share"] == pytest.approx(1.0)
    assert rows.loc[("a", "b"), "low"] < 0.575 < rows.loc[("a", "b"), "high"]


def test_intervals_of_mean_ranks_hold_the_ranks_of_the_true_points() -> None:
    rng = np.random.default_rng(5)
    truth = [rng.permutation([0.5, 0.42, 0.34, 0.26]) for _event in range(8)]
    expected = np.mean([(-points).argsort().argsort() + 1 for points in truth], axis=0)
    names = tuple("abcd")
    held = []
    for _run in range(60):
        events = []
        for points in truth:
            wins = rng.binomial(8, points[:, None], (4, 60)).astype(np.float64)
            games = np.full((4, 60), 8.0)
            events.append(ComparedEvent(wins, games, games, np.full((4, 4), 0.5), np.zeros((4, 4))))
        frame = HeuristicComparison(names, events).frame().set_index("heuristic").loc[list(names)]
        held.append((frame["low"].to_numpy() <= expected) & (expected <= frame["high"].to_numpy()))
    assert np.mean(held) >= 0.9


def test_the_same_agent_searches_with_each_heuristic() -> None:
    definition = analysis(("diamant",), (3,), heuristic_agent="mcts:budget=32", heuristic_games=50)
    part = definition.comparison(definition.events[0])
    assert part.labels == COMPARED
    assert set(part.agents) >= {"mcts:budget=32,heuristic=score", "mcts:budget=32,preset=none"}
    seats = [agent for pairing in part.schedule() for agent in pairing.agents]
    assert {seats.count(agent) for agent in range(len(COMPARED))} == {len(seats) // len(COMPARED)}
    assert len(seats) // len(COMPARED) >= 50


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"heuristic_agent": "random"}, "no parameter named 'heuristic'"),
        ({"heuristic_agent": "mcts", "heuristics": "score"}, "heuristics cannot be 'score'; a comparison needs two"),
        ({"heuristic_agent": "mcts", "heuristics": "score,laeder"}, "did you mean 'leader'"),
        ({"heuristic_agent": "mcts", "heuristics": "score,plus=(score:win_facto=2)"}, "did you mean 'win_factor'"),
        ({"heuristic_agent": "mcts", "heuristics": "score,plus=(win),plus=(leader)"}, "two have the same name"),
        ({"heuristic_agent": "mcts", "heuristic_games": 0}, "heuristic_games cannot be 0; the least is 1"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, object], sentence: str) -> None:
    with pytest.raises(TagError, match=sentence):
        analysis(("diamant",), (2,), **options)


def test_a_heuristic_with_parameters_has_a_name() -> None:
    options = {"heuristic_agent": "osla", "heuristics": "score,plus=(score:win_factor=2,loss_factor=0)"}
    found = analysis(("diamant",), (2,), **options)
    assert list(found.compared_heuristics) == ["score", "plus"]
    plain, plus = (split_name(agent) for agent in found.comparison(found.events[0]).named_agents)
    assert (plain[0], plus[0]) == ("score", "plus")
    values = make_agent(plus[1]).parameters.values()
    assert (
        values["heuristic"]
        == make_agent("osla:heuristic=(score:win_factor=2,loss_factor=0)").parameters.values()["heuristic"]
    )
    assert values["heuristic"] != make_agent(plain[1]).parameters.values()["heuristic"]


@pytest.mark.system
def test_the_command_compares_heuristics_over_games(tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = ["analyse", "diamant", "dots_and_boxes:width=2,height=2", "pandemic", "--players", "2", "--games", "2"]
    arguments += [
        "--compare-heuristics",
        "mcts:budget=24",
        "--heuristics",
        "win,score,leader",
        "--heuristic-games",
        "12",
    ]
    arguments += [*SILENT, "--out", str(out)]
    done = run_tag(*arguments, "--json")
    assert done.exit_code == 0, done.output
    plain = json.loads(done.stdout)
    assert {row["heuristic"] for row in plain["heuristics"]} == {"win", "score", "leader"}
    assert sum(row["mean_rank"] for row in plain["heuristics"]) == pytest.approx(6.0)
    assert len(plain["heuristic_pairs"]) == 6
    folders = sorted((out / "heuristics").iterdir())
    assert len(folders) == 2  # there are no sides in Pandemic
    games, seats = read_ledger(folders[0])
    points = seats.groupby("agent", observed=True)["points"].mean()
    compared = read_comparison(folders, ("win", "score", "leader")).events[0]
    assert compared.mean_points().tolist() == pytest.approx([points[name] for name in ("win", "score", "leader")])
    assert len(games) == 18
    shown = run_tag(*arguments).stdout
    assert "Heuristics over 2 events" in shown
    assert "Games above each other heuristic" in shown
    assert "Points per game with each heuristic" in shown
    summary = pd.read_parquet(out / "summary.parquet")
    assert {"points_with_win", "points_with_score", "points_with_leader"} <= set(summary["measure"])
    assert "Heuristics over 2 events" in (out / "report.html").read_text(encoding="utf-8")


def test_figures_of_an_earlier_comparison_are_removed(tmp_path: Path) -> None:
    arguments = ["analyse", "tic_tac_toe", "--games", "2", *SILENT, "--out", str(tmp_path)]
    more = ["--compare-heuristics", "osla", "--heuristics", "win,game", "--heuristic-games", "4"]
    assert run_tag(*arguments, *more).exit_code == 0
    assert (tmp_path / "heuristics.parquet").exists()
    assert run_tag(*arguments).exit_code == 0
    assert not (tmp_path / "heuristics.parquet").exists()
