"""Candidates whose games all end alike: their intervals have a width, and what is degenerate is said."""

from __future__ import annotations

import html
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from commands import run_tag
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_games import made_up

from tag.engine.results import DRAW, LOSE, WIN
from tag.orders import GameRecord
from tag.tournaments import Pairing, PlayedGame
from tag.tuning.balancing.measures import completion, draws, first_seat, mean_length, seat_spread, win_rate
from tag.tuning.balancing.results.measuring import degenerate_text

pytestmark = pytest.mark.flow

REMEDY = ", so that play decides nothing; add a target such as draws<=0.5"


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 40), st.sampled_from([[0.5, 0.5], [1, 0], [0, 0, 1], [0.25] * 4]), st.integers(0, 2))
def test_no_estimate_of_any_games_is_without_width_or_error(games: int, points: list[float], others: int) -> None:
    shares = np.tile(points, (games, 1)).astype(float)
    shares[:others] = np.roll(shares[:others], 1, axis=1)
    candidate = made_up(shares, ticks=np.full(games, 36))
    lengths = np.full(games, 36.0)
    found = [first_seat(candidate), seat_spread(candidate), draws(candidate), win_rate(candidate, "random")]
    for one in (*found, completion(candidate), mean_length(candidate, lengths)):
        assert one.low < one.high
        assert one.error > 0.0


def test_more_equal_games_tell_more() -> None:
    few, many = (first_seat(made_up([[0.5, 0.5]] * games)) for games in (10, 400))
    assert few.high > 0.1
    assert 0.0 < many.high < 0.01


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the folder of a study that finds boards on which all games are drawn."""
    folder = str(tmp_path_factory.mktemp("studies") / "drawn")
    words = ["tic_tac_toe", "--search", "size=6,7", "--target", "first_seat=0±0.1", "--agent", "osla"]
    words += ["--games", "120", "--games-per-trial", "20", "--validation", "60", "--out", folder]
    done = run_tag("balance", *words, "--no-ray", "--no-tracking", "--quiet")
    assert done.exit_code == 0, done.output
    return folder


def test_a_choice_of_draws_alone_is_said_to_be_degenerate(drawn: str) -> None:
    shown = run_tag("balance", "show", drawn)
    found = json.loads(run_tag("balance", "show", drawn, "--json").stdout)["verdict"]["choice"]
    target = found["targets"]["first_seat"]
    assert target["low"] < 0.0 < target["high"]
    assert found["degenerate"] == f"all {found['games']} games are drawn{REMEDY}"
    assert f"warning: {found['degenerate']}" in shown.stdout
    report = (Path(drawn) / "report.html").read_text(encoding="utf-8")
    assert f"Warning: {html.escape(found['degenerate'])}." in report


@pytest.mark.parametrize(
    ("results", "sentence"),
    [
        ([(DRAW, DRAW)], "all 3 games are drawn, so that play decides nothing; add a target such as draws<=0.5"),
        ([(LOSE, LOSE)], "all 3 games are lost, so that play decides nothing; add a target such as success>=0.1"),
        (
            [(WIN, WIN)],
            "all 3 games are won by the team, so that play decides nothing; add a target such as success<=0.9",
        ),
        ([(LOSE, WIN)], "seat 1 wins all 3 games, so that play decides nothing; add a target such as seat_spread<=0.5"),
        ([(LOSE, WIN), (WIN, LOSE)], ""),
    ],
)
def test_what_all_games_have_in_common_is_told(results: list[tuple[int, ...]], sentence: str) -> None:
    record = GameRecord("g", results[0], (1, 1), (0, 1), (0.0,) * 2, (1,) * 2, (0.0,) * 2, 9, 3, 1, "0" * 16)
    pairing = Pairing("g", 0, 0, 0, (0, 0), 1)
    ends = (results * 3)[:3]
    assert degenerate_text([PlayedGame(pairing, replace(record, results=end)) for end in ends]) == sentence
