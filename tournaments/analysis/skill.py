"""Skill depth: what half the budget costs an agent."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from pathlib import Path
from typing import Any, Final

from tournaments.results import read_results
from tournaments.standings import Standing

#: The measures, of which an event has one: the first where players are against each other.
ABOUT: Final = {
    "skill": "share of the points of an agent that meets itself with half its budget (half: the budget does not matter)",
    "team_skill": "success rate of a team of an agent, less that of a team with half its budget",
}


def skill_row(folders: Mapping[str, Path], agent: str) -> dict[str, Any]:
    """Return the summary row of skill depth, with its 95 % interval.

    Args:
        folders: of the tournaments that `AnalysisDefinition.skill` names, complete.
        agent: the spec with the full budget.
    """
    standings = {name: read_results(folder).standings for name, folder in folders.items()}
    if "both" in standings:
        full = next(standing for standing in standings["both"] if standing.agent == agent)
        return _share(full, sum(standing.points for standing in standings["both"]))
    return _difference(standings["full"][0], standings["half"][0])


def _share(full: Standing, both: float) -> dict[str, Any]:
    """Return the full budget's share of the points; both budgets sit in equally many seats."""
    if not both:
        return _row("skill", full.games, 0.5, 0.0, 1.0)
    low, high = full.points_low / both, min(1.0, full.points_high / both)
    return _row("skill", full.games, full.points / both, low, high)


def _difference(full: Standing, half: Standing) -> dict[str, Any]:
    """Return the difference of two success rates with Newcombe's hybrid interval (Statistics in Medicine 17, 1998)."""
    difference = full.win_rate - half.win_rate
    down = sqrt((full.win_rate - full.win_rate_low) ** 2 + (half.win_rate_high - half.win_rate) ** 2)
    up = sqrt((full.win_rate_high - full.win_rate) ** 2 + (half.win_rate - half.win_rate_low) ** 2)
    return _row("team_skill", full.games, difference, difference - down, difference + up)


def _row(name: str, games: int, mean: float, low: float, high: float) -> dict[str, Any]:
    return {"measure": name, "games": games, "mean": mean, "low": low, "high": high}
