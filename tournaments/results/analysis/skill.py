"""Skill: what an agent gains from more budget, when it plays against itself with half of it.

The skill trace is after Stephenson, Soemers, Piette and Browne's metric of that name in Ludii, as Goodman, Perez-Liebana
and Lucas use it in *Skill Depth in Tabletop Board Games* (IEEE Conference on Games, 2024).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import nan, sqrt
from pathlib import Path
from typing import Final

import numpy as np

from tag.tournaments.ledger.folder import Folder
from tag.tournaments.results.analysis.claims import difference
from tag.tournaments.results.analysis.definition import halved
from tag.tournaments.results.tournament import rate, read_results
from tag.tournaments.statistics.intervals import HALF_WIDTH, Floats, Interval, IntervalEstimate
from tag.tournaments.statistics.standings import Standing

#: Measures of skill, of which an event of an analysis has those of its kind: `skill` if players are opponents.
SKILL: Final = {
    "skill": "share of the points, or in games for one player of the blocks with more points, of an agent that meets "
    "itself with half its budget (half: the budget does not matter)",
    "team_skill": "success rate of a team of an agent, less that of a team with half its budget",
    "team_points": "mean score of a team of an agent, less that of a team with half its budget; in games that count points",
    "skill_trace": "skill trace: how much an agent gains from each doubling of its budget and, by the trend of a line, from "
    "the next one; 0 where the budget does not matter, 1 where the greater budget always wins",
    "skill_trace_decay": "the same, with the next doubling by an exponential decay instead of a line",
    "skill_kept": "share of the gain of a doubling that the next doubling gains, by the exponential decay",
}

#: What stands before a budget in the measure of what it gains over half of it.
GAIN_AT: Final = "gain_at_"
_DRAWS: Final = 2000
_DECAYS: Final = np.linspace(0.0, 1.0, 101)


def skill_of(folders: Mapping[str, Path], agent: str) -> tuple[str, int, IntervalEstimate]:
    """Return the measure of skill depth, the games of the agent with its full budget, and the estimate.

    Args:
        folders: of the tournaments of `AnalysisDefinition.skill`.
        agent: the spec with the full budget.
    """
    results = {name: read_results(folder) for name, folder in folders.items()}
    standings = {name: found.standings for name, found in results.items()}
    if "both" not in standings:
        full, half = standings["full"][0], standings["half"][0]
        if any(found.by_score for found in results.values()):
            return "team_points", full.games, difference(_score(full), _score(half))
        return "team_skill", full.games, difference(_success(full), _success(half))
    if results["both"].is_alone:
        pairs = rate(folders["both"]).pairs
        one, other = (pairs.labels.index(label) for label in (agent, halved(agent)))
        value, low, high = (float(table[one, other]) for table in (pairs.score, pairs.low, pairs.high))
        return "skill", int(pairs.games[one, other]), IntervalEstimate(value, Interval(low, high))
    full = next(standing for standing in standings["both"] if standing.agent == agent)
    return "skill", full.games, _share(full, sum(standing.points for standing in standings["both"]))


def _share(full: Standing, both: float) -> IntervalEstimate:
    """Return the full budget's share of the points; both budgets sit in equally many seats."""
    if not both:
        return IntervalEstimate(0.5, Interval(0.0, 1.0))
    low, high = full.points_interval
    return IntervalEstimate(full.points / both, Interval(low / both, min(1.0, high / both)))


def _score(standing: Standing) -> IntervalEstimate:
    """Return the mean score of a team of one agent."""
    return IntervalEstimate(standing.score, standing.score_interval)


def _success(standing: Standing) -> IntervalEstimate:
    """Return the success rate of a team of one agent."""
    return IntervalEstimate(standing.win_rate, standing.win_rate_interval)


@dataclass(frozen=True, eq=False)
class BudgetDoublings:
    """Gains of a player from each doubling of a budget, against others with half of it.

    The gain is 0 at an equal share of the points, 1 if the player with the greater budget always wins, and below 0 if
    the greater budget harms. The trace of gains y is p + (1 - p) a: a is the mean of their squares, and p the gain of
    the next doubling, at least 0, as predicted by a trend.

    Attributes:
        budgets: the greater budget of each doubling, growing.
        games: how many games each has.
        gains: of shape (doublings,).
        errors: their standard errors, of shape (doublings,).
    """

    budgets: Sequence[int]
    games: Sequence[int]
    gains: Floats
    errors: Floats

    def measures(self) -> Iterator[tuple[str, IntervalEstimate]]:
        """Yield the trace, with either trend, and what the exponential one says of further gains."""
        draws = np.random.default_rng(0).normal(self.gains, self.errors, (_DRAWS, len(self.gains)))
        areas = _area(self.gains[None], self.errors), _area(draws, sqrt(2.0) * self.errors)
        trends = {"skill_trace": _next_on_line, "skill_trace_decay": _next_of_decay}
        for name, trend in trends.items():
            found, drawn = (
                _trace(area, trend(gains)) for area, gains in zip(areas, (self.gains[None], draws), strict=True)
            )
            yield name, _estimate(found, drawn)
        yield "skill_kept", _estimate(_decay(self.gains[None])[1], _decay(draws)[1])

    def gain(self, doubling: int) -> IntervalEstimate:
        """Return the gain of one doubling, with its 95 % interval."""
        value, half = float(self.gains[doubling]), HALF_WIDTH * float(self.errors[doubling])
        return IntervalEstimate(value, Interval(value - half, min(1.0, value + half)))


def read_doublings(folders: Mapping[int, Path]) -> BudgetDoublings:
    """Return the skill trace from the tournaments of `AnalysisDefinition.trace`, by the greater budget."""
    games, gains, errors = [], [], []
    for folder in map(Folder.open, folders.values()):
        definition = folder.definition
        stronger = next(one for one in read_results(folder).standings if one.agent == definition.labels[0])
        fair = 1.0 / definition.players
        games.append(stronger.games)
        gains.append((stronger.points - fair) / (1.0 - fair))
        errors.append(stronger.points_error / (1.0 - fair))
    return BudgetDoublings(list(folders), games, np.array(gains), np.array(errors))


def _area(gains: Floats, errors: Floats) -> Floats:
    """Return the means of squared gains, less what chance adds to squares, and with the signs of the gains.

    Otherwise a game in which budgets do not matter would seem to take skill.

    Args:
        gains: of shape (draws, doublings).
        errors: the standard errors of the gains, of shape (doublings,).
    """
    return np.asarray((np.sign(gains) * (gains**2 - errors**2)).mean(axis=1), dtype=np.float64)


def _trace(areas: Floats, following: Floats) -> Floats:
    predicted = np.clip(following, 0.0, 1.0)
    return np.asarray(predicted + (1.0 - predicted) * areas, dtype=np.float64)


def _next_on_line(gains: Floats) -> Floats:
    """Return the gain of the next doubling on the line of least squares through the gains, by draw."""
    number = gains.shape[1]
    place = np.arange(number) - (number - 1) / 2.0
    slope = gains @ place / (place @ place)
    return np.asarray(gains.mean(axis=1) + slope * (number + 1) / 2.0, dtype=np.float64)


def _next_of_decay(gains: Floats) -> Floats:
    """Return the gain of the next doubling by exponential decay, by draw."""
    first, kept = _decay(gains)
    return np.asarray(first * kept ** gains.shape[1], dtype=np.float64)


def _decay(gains: Floats) -> tuple[Floats, Floats]:
    """Return the gain of the first doubling, and the share kept by each next one, of the exponential of least squares.

    Where no share fits better than others, as for gains of 0, it is the greatest.
    """
    powers = _DECAYS[:, None] ** np.arange(gains.shape[1])
    first = gains @ powers.T / (powers**2).sum(axis=1)
    explained = first**2 * (powers**2).sum(axis=1)
    best = _DECAYS.size - 1 - explained[:, ::-1].argmax(axis=1)
    return first[np.arange(len(gains)), best], _DECAYS[best]


def _estimate(found: Floats, drawn: Floats) -> IntervalEstimate:
    """Return a value between 0 and 1 with the interval of its draws."""
    value = float(np.clip(found[0], 0.0, 1.0)) if np.isfinite(found[0]) else nan
    low, high = np.clip(np.quantile(drawn, (0.025, 0.975)), 0.0, 1.0)
    return IntervalEstimate(value, Interval(min(float(low), value), max(float(high), value)))
