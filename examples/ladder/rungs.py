"""What has been played with one time per decision: its tables in Markdown, and its picture."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np
import pandas as pd

from tag.tournaments.results.experiment import ExperimentResults
from tag.tournaments.results.overall_ratings import ExperimentRatings, rate_experiment
from tag.tournaments.results.tournament import TournamentResults
from tag.tournaments.statistics.intervals import Interval, IntervalEstimate
from tag.tournaments.statistics.standings import Standing

#: An agent is cheaper than another one if it takes less than this share of its time.
CHEAPER = 0.5
#: Strengths further than this from 1 have a dark colour in the picture.
DARK = 0.8
#: So many agents of each game are in the table by game.
FIRST = 3


@dataclass
class Rung:
    """What has been played with one time per decision.

    Attributes:
        ms: the time, in milliseconds.
        contests: games against each other.
        players: their number, by event.
        alone: the standings of games that are played alone or together, by event.
        kept: by game, in how many positions each agent keeps the result.
        exploited: the exploitability of each agent in Kuhn's poker, with the ends of its interval.
    """

    ms: int
    contests: ExperimentResults
    players: dict[str, int]
    alone: dict[str, list[Standing]]
    kept: dict[str, dict[str, int]]
    exploited: dict[str, list[float]]


def rung_lines(rung: Rung, positions: int) -> list[str]:
    """Return the tables for one time per decision; exact play was asked for in so many ``positions``."""
    ratings = rate_experiment(rung.contests.folder)
    lines = [f"## {rung.ms} ms per decision", "", *overall(rung, ratings), "", *by_event(rung), ""]
    lines += [*weaker_than_cheaper(rung, ratings), ""]
    for event, standings in rung.alone.items():
        lines += [f"### {event}, all seats", "", *score_table(standings, rung.players[event]), ""]
    return [*lines, *exact_table(rung, positions), ""]


def overall(rung: Rung, ratings: ExperimentRatings) -> list[str]:
    """Return the table over all games, the best agent first."""
    times, elo = decision_times(rung.contests), {one.agent: one for one in ratings.overall}
    games = sum(results.games for results in rung.contests.events.values())
    lines = [f"### All games: {games:,} games of {len(rung.contests.events)} events", ""]
    lines += ["| agent | strength | rating | ms per decision | least and most |", "|---|---|---|---|---|"]
    for one in rung.contests.overall:
        rating = IntervalEstimate(elo[one.agent].rating, elo[one.agent].interval).text(".0f")
        mine = times[one.agent]
        cells = (
            name(one.agent),
            f"{one.strength:.2f}",
            rating,
            f"{median(mine):.2g}",
            f"{min(mine):.2g} to {max(mine):.2g}",
        )
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def by_event(rung: Rung) -> list[str]:
    """Return the table by game: the first agents of each, and the usual half width of an interval."""
    lines = ["### By game", "", "| game | games of each | first | second | third | ± |", "|---|---|---|---|---|---|"]
    for event, results in rung.contests.events.items():
        players, order = rung.players[event], sorted(results.standings, key=lambda one: -one.points)
        first = [f"{name(one.agent)} {players * one.points:.2f}" for one in order[:FIRST]]
        half = players * median(one.points_interval.half for one in order)
        lines.append(f"| {event} | {order[0].games} | {' | '.join(first)} | {half:.2f} |")
    return lines


def weaker_than_cheaper(rung: Rung, ratings: ExperimentRatings) -> list[str]:
    """Return the table of agents that are shown to be weaker than one that takes less than half their time, by game."""
    found: dict[str, list[str]] = {one.agent: [] for one in rung.contests.overall}
    for event, results in rung.contests.events.items():
        for agent, cheaper in stronger_cheaper(results, ratings, event).items():
            if cheaper:
                found[agent].append(f"{event} ({', '.join(map(plain_name, cheaper))})")
    lines = ["### Weaker than a cheaper agent", ""]
    if not any(found.values()):
        return [*lines, "None is shown to be."]
    lines += ["| agent | games | where, and than which |", "|---|---|---|"]
    for agent, where in found.items():
        if where:
            lines.append(f"| {name(agent)} | {len(where)} | {', '.join(where)} |")
    return lines


def stronger_cheaper(results: TournamentResults, ratings: ExperimentRatings, event: str) -> dict[str, list[str]]:
    """Return for each agent the cheaper ones that are shown to be stronger in an event.

    Shown means at a level of 5 % for all pairs of the event together.
    """
    if event not in ratings.events:
        return {}
    differences = ratings.events[event].differences
    shown = differences.is_different() & (differences.low > 0.0)
    ms = {one.agent: one.decision_cpu_ms for one in results.standings}
    labels = differences.labels
    return {
        one: [other for row, other in enumerate(labels) if shown[row, column] and ms[other] < CHEAPER * ms[one]]
        for column, one in enumerate(labels)
    }


def score_table(standings: list[Standing], players: int) -> list[str]:
    """Return the table of a game that is played alone or together, the best first: by wins, then by score."""
    lines = ["| agent | games | score | won | ms per decision |", "|---|---|---|---|---|"]
    for one in sorted(standings, key=lambda one: (-one.win_rate, -one.score)):
        score = IntervalEstimate(one.score, one.score_interval).text(",.1f")
        won = IntervalEstimate(one.win_rate, one.win_rate_interval).text(".2f")
        lines.append(f"| {name(one.agent)} | {one.games // players} | {score} | {won} | {one.decision_cpu_ms:.2g} |")
    return lines


def exact_table(rung: Rung, positions: int) -> list[str]:
    """Return the table of distances to exact play, the agent with the most right decisions first."""
    title = (
        f"### Exact play: decisions of {positions} that keep the result, and exploitability in Kuhn's poker in chips"
    )
    lines = [title, "", f"| agent | {' | '.join(rung.kept)} | Kuhn's poker |", f"|---|{'---|' * (len(rung.kept) + 1)}"]
    for agent in sorted(
        rung.exploited,
        key=lambda agent: (-sum(row[agent] for row in rung.kept.values()), rung.exploited[agent][0]),
    ):
        value, low, high = rung.exploited[agent]
        cells = [str(row[agent]) for row in rung.kept.values()]
        cells.append(IntervalEstimate(value, Interval(low, high)).text(".3f"))
        lines.append(f"| {name(agent)} | {' | '.join(cells)} |")
    return lines


def name(label: str) -> str:
    """Return an agent's name for a table; all have the same budget."""
    return f"`{plain_name(label)}`"


def plain_name(label: str) -> str:
    """Return an agent's spec without its budget, and a bot's name.

    >>> plain_name("mcts:preset=none,budget=10,budget_type=cpu_ms"), plain_name("osla:budget=10,budget_type=cpu_ms")
    ('mcts:preset=none', 'osla')
    """
    return re.sub(r"budget(_type)?=[^,]*,?", "", label).rstrip(",:")


def decision_times(contests: ExperimentResults) -> dict[str, list[float]]:
    """Return the CPU milliseconds per decision of each agent in the events in which it decided."""
    found: dict[str, list[float]] = {}
    for results in contests.events.values():
        for one in results.standings:
            if np.isfinite(one.decision_cpu_ms):
                found.setdefault(one.agent, []).append(one.decision_cpu_ms)
    return found


def draw(contests: ExperimentResults, file: Path) -> None:
    """Draw the strength of all agents in all games."""
    import matplotlib as mpl  # noqa: PLC0415  takes a while
    from matplotlib.figure import Figure  # noqa: PLC0415

    agents = [one.agent for one in contests.overall]
    table = pd.DataFrame(
        {one.agent: dict(zip(contests.compared, one.by_event, strict=True)) for one in contests.overall}
    )
    shares = table.to_numpy(dtype=np.float64)
    figure = Figure(figsize=(2.1 + 0.55 * len(agents), 1.1 + 0.23 * len(table)), layout="constrained")
    axes = figure.subplots()
    axes.imshow(shares, cmap="RdYlBu", vmin=0.0, vmax=2.0, aspect="auto")
    for row, column in np.ndindex(*table.shape):
        is_best = shares[row, column] >= np.nanmax(shares[row])
        weight = "bold" if is_best else "normal"
        colour = "white" if abs(shares[row, column] - 1.0) > DARK else "black"
        text = f"{shares[row, column]:.1f}"
        axes.text(column, row, text, ha="center", va="center", fontsize=8, weight=weight, color=colour)
    axes.set_xticks(range(len(agents)), list(map(plain_name, agents)), rotation=40, ha="left", fontsize=9)
    axes.xaxis.tick_top()
    axes.set_yticks(range(len(table)), list(table.index), fontsize=9)
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_visible(False)
    with mpl.rc_context(
        {"svg.hashsalt": "ladder", "svg.fonttype": "none"}
    ):  # text as text, and the same file for the same tables
        figure.savefig(file, metadata={"Date": None})
