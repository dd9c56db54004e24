"""The standings on terminals of all widths."""

from __future__ import annotations

from dataclasses import fields, replace
from math import nan

import pytest

from tag.tournaments.reports.sections.section import Column, TableData
from tag.tournaments.reports.terminal import data_text
from tag.tournaments.reports.text import standings_text
from tag.tournaments.statistics.intervals import Interval
from tag.tournaments.statistics.standings import Standing

AGENTS = ("mcts:budget=400", "mcts:budget=4")


def standing(agent: str) -> Standing:
    kinds = {"float": 0.5, "Interval": Interval(0.4, 0.6), "int": 4_000, "str": agent, "float | None": None}
    values = {field.name: kinds[str(field.type)] for field in fields(Standing)}
    times = {"decision_ms": 1_234.5, "decision_cpu_ms": 1_234.5}
    return Standing(**{**values, **times, "points": 0.6})


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
    assert all("0.400 … 0.600" in row and "1,234.50" in row for row in rows)
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


def test_a_column_is_described_once_for_terminals_and_pages() -> None:
    columns = {
        "rate": Column("rate", "%", ".3f", "ends"),
        "points": Column("points", form=".2f", spread="half"),
        "games": Column("games", form=","),
        "verdict": Column("verdict"),
    }
    rate = {"rate": 0.25, "rate_low": 0.125, "rate_high": 0.375}
    points = {"points": 1.5, "points_low": 1.25, "points_high": 1.75}
    records = [
        {"agent": "osla", **rate, **points, "games": 1_234, "verdict": "differs"},
        dict.fromkeys(["agent", *columns]),
    ]
    head, known, unknown = data_text(TableData(records, "", ("agent",), columns)).splitlines()
    assert head.split() == ["agent", "rate", "95", "%", "interval", "points", "games", "verdict"]
    assert known.split() == ["osla", "0.250", "0.125", "…", "0.375", "1.50", "±", "0.25", "1,234", "differs"]
    assert unknown.split() == ["None", "-", "-", "-", "±", "-", "-", "-"]
    (_agent, ((_names, cells),)), (_none, ((_no_names, no_cells),)) = TableData(records, "", ["agent"], columns).groups
    assert [(cell.text, cell.note) for cell in cells] == [
        ("25.0", "12.5 … 37.5"), ("1.50", "1.25 … 1.75"), ("1,234", ""), ("differs", ""),
    ]  # fmt: skip
    assert [cell.text for cell in no_cells] == ["-"] * 4
