"""The standings on terminals of all widths."""

from __future__ import annotations

from dataclasses import fields, replace
from math import nan

import pytest

from tournaments.reports.text import standings_text
from tournaments.statistics.standings import Standing

AGENTS = ("mcts:budget=400", "mcts:budget=4")


def standing(agent: str) -> Standing:
    values = {field.name: 0.5 if field.type == "float" else 4_000 for field in fields(Standing)}
    times = {"decision_ms": 1_234.5, "decision_cpu_ms": 1_234.5}
    return Standing(**{**values, **times, "agent": agent, "points": 0.6})


@pytest.mark.parametrize(
    ("width", "left_out"),
    [
        (None, set()),
        (120, set()),
        (95, {"mean ordinal"}),
        (80, {"mean ordinal", "faults"}),
        (64, {"mean ordinal", "faults", "points"}),
    ],
)
def test_what_is_needed_least_is_left_out_where_there_is_no_room(width: int | None, left_out: set[str]) -> None:
    head, *rows = standings_text([standing(agent) for agent in AGENTS], width).splitlines()
    assert {
        one for one in ("win rate", "mean ordinal", "points", "ms/decision", "faults") if one not in head
    } == left_out
    assert [row.split()[0] for row in rows] == list(AGENTS)
    assert all("0.500 … 0.500" in row and "1,234.50" in row for row in rows)
    assert all(len(row) <= (width or 140) for row in rows)


def test_only_agents_are_folded() -> None:
    long = "an_agent_with_a_name_of_its_own_and_of_many_letters"
    text = standings_text([standing(long)], 80)
    assert len(text.splitlines()) > 2
    assert "".join(line.split()[0] for line in text.splitlines()[1:]) == long


def test_columns_that_say_nothing_are_left_out_and_agents_are_short() -> None:
    same = [replace(standing(agent), points=0.5, faults=0) for agent in ("mcts:budget=400,k=0.1", "random")]
    head, first, _second = standings_text(same, 120).splitlines()
    assert "points" not in head
    assert "faults" not in head
    assert first.split()[0] == "mcts"


def test_the_heading_says_which_time_it_is() -> None:
    known = standing("osla")
    assert "CPU ms/decision" in standings_text([known])
    assert "wall ms/decision" in standings_text([known, replace(known, agent="random", decision_cpu_ms=nan)])
