"""The standings on terminals of all widths."""

from __future__ import annotations

from dataclasses import fields

import pytest

from tournaments.standings import Standing
from tournaments.tables import standings_text

AGENTS = ("mcts:budget=400", "random")


def standing(agent: str) -> Standing:
    values = {field.name: 0.5 if field.type == "float" else 4_000 for field in fields(Standing)}
    return Standing(**{**values, "agent": agent, "decision_ms": 1_234.5})


@pytest.mark.parametrize(
    ("width", "left_out"),
    [
        (None, set()),
        (120, set()),
        (92, {"mean ordinal"}),
        (80, {"mean ordinal", "faults"}),
        (60, {"mean ordinal", "faults", "points"}),
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
    long = "mcts:budget=400,k=0.1,rollout_length=0,heuristic=score"
    text = standings_text([standing(long)], 80)
    assert len(text.splitlines()) == 4
    assert "".join(line.split()[0] for line in text.splitlines()[1:]) == long
