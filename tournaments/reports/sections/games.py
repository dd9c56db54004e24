"""The games of a tournament: the courses of rates over them, their lengths, times and measures, and what people said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd

from tag.tournaments.ledger.feedback import BEST_RATING, Feedback
from tag.tournaments.reports.figures import HIGH, Style, course_figure, distribution_figure, times_figure
from tag.tournaments.reports.html.figures import AGENT_COLOURS, Figure
from tag.tournaments.reports.sections.data import MOST_AGENTS, NUMBERS, ReportContext
from tag.tournaments.reports.sections.section import (
    Block,
    Column,
    Figures,
    Folded,
    Paragraph,
    Section,
    TableData,
    own_size,
    sentence,
    table,
)
from tag.tournaments.results.measures import GameMeasure
from tag.tournaments.statistics.clustered_means import ClusteredMean, ClusteredMeans, intervals

if TYPE_CHECKING:
    from tag.tournaments.reports.sections.data import SeatSums

#: The greatest number of points of a course.
_POINTS: Final = 60
#: The shares of values below which the columns p5 … p95 lie.
_QUANTILES: Final = {"p5": 0.05, "p25": 0.25, "median": 0.5, "p75": 0.75, "p95": 0.95}


def courses(counted: SeatSums, *, by_score: bool = False) -> pd.DataFrame:
    """Return the courses of the agents' win rates, or scores, while blocks are added in schedule order.

    The last point of an agent is its standing; a point of fewer than two blocks with games of the agent has no interval
    and is left out.

    Args:
        counted: over the seats of whole match-ups.
        by_score: whether the means are scores instead of win rates.

    Returns:
        Columns agent_index, games (of all agents so far), mean, low and high (the ends of the 95 % interval).
    """
    n_blocks = len(counted.blocks)
    ends = np.unique(np.linspace(min(2, n_blocks), n_blocks, _POINTS).round().astype(np.int64)).tolist()
    so_far = np.cumsum(counted.games[:, 0].sum(axis=0).astype(np.int64))
    rows, means = [], []
    sums = (counted.scores if by_score else counted.wins).sum(axis=1)
    columns = (sums, counted.games.sum(axis=1), counted.independent.sum(axis=1))
    for agent, of_agent in enumerate(zip(*columns, strict=True)):
        for end in ends:
            mean = ClusteredMean.of(*(values[:end] for values in of_agent))
            if mean.clusters > 1:
                means.append(mean)
                rows.append((agent, int(so_far[end - 1]), mean.mean))
    found = pd.DataFrame(rows, columns=["agent_index", "games", "mean"])
    of_shares = not by_score and means
    both = ClusteredMeans.together(means).proportions() if of_shares else intervals(means, -inf, inf)
    return found.assign(low=[interval.low for interval in both], high=[interval.high for interval in both])


def decision_times(timed: pd.DataFrame) -> pd.DataFrame:
    """Return the distributions of the games' mean times per decision.

    Args:
        timed: columns agent_index and ms.

    Returns:
        Columns agent_index, games, p5, p25, median, p75 and p95, in milliseconds.
    """
    agents = timed["agent_index"].to_numpy()
    order = np.argsort(agents, kind="stable")
    found, begins = np.unique(agents[order], return_index=True)
    of_agents = np.split(timed["ms"].to_numpy()[order], begins[1:]) if len(found) else []
    quantiles = np.array([np.quantile(ms, list(_QUANTILES.values())) for ms in of_agents]).reshape(-1, len(_QUANTILES))
    rows = {name: quantiles[:, column] for column, name in enumerate(_QUANTILES)}
    return pd.DataFrame({"agent_index": found, "games": [len(ms) for ms in of_agents], **rows})


#: Measures of the games themselves.
_LENGTHS: Final = {
    "ticks": "forward-model calls of a game: actions, those without an alternative included",
    "decisions": "how often an agent was asked in a game, with more than one action to choose from",
    "turns": "turns ended in a game",
    "rounds": "rounds ended in a game",
}


def course_section(context: ReportContext) -> Section | None:
    """Return the courses of the rates; None where no game counts."""
    data = context.data
    if data is None or not len(data.counted):
        return None
    is_score = context.results.by_score
    what, unit = ("score", "") if is_score else (context.rate, "%")
    about = (
        f"The {what} of each agent with its 95 % interval, while blocks are added in schedule order, from the "
        "second on. An interval is about one number of blocks: do not stop when one looks good."
    )
    course = courses(data.counted, by_score=is_score)
    course = course.assign(label=[context.labels[at] for at in course["agent_index"]])
    percent = ["mean", "low", "high"]
    course[percent] *= 1.0 if is_score else 100.0
    title = f"{sentence(what)} over games"
    shown = [style for style in context.styles if (course["label"] == style.label).any()]
    blocks: list[Block] = []
    if not shown:
        blocks = [Paragraph("There is no interval before the second block.")]
    elif len(context.styles) <= len(AGENT_COLOURS):
        figure = course_figure(context.figure("course"), title, NUMBERS, shown, course, unit)
        blocks = [context.key, own_size(figure)]
    else:
        figures = [_course_of(context, style, course, unit) for style in shown[:MOST_AGENTS]]
        more = len(shown) - len(figures)
        blocks = [Figures(figures), *([Paragraph(f"And {more} more agents.")] if more else [])]
    return context.section("convergence", "Convergence", about, blocks)


def _course_of(context: ReportContext, style: Style, course: pd.DataFrame, unit: str) -> Figure:
    return course_figure(context.figure(f"course-{style.number}"), style.name, "", [style], course, unit)


def times_section(context: ReportContext) -> Section | None:
    """Return the times of decisions; None if unknown."""
    found = decision_times(context.data.timed_seats()) if context.data else pd.DataFrame()
    if found.empty:
        return None
    by_label = {context.labels[row["agent_index"]]: row for row in found.to_dict("records")}
    rows = pd.DataFrame(
        [
            {**by_label[style.label], "name": style.name, "agent": style.label, "colour": style.colour}
            for style in context.styles
            if style.label in by_label
        ]
    )
    about = (
        "Wall time of a decision, averaged over each game, in milliseconds: a dot for the median of the games, a thick "
        "line for the middle half of them, a thin one for nine tenths. It is that of the machines that played."
    )
    figure = times_figure(context.figure("times"), "Milliseconds per decision", NUMBERS, rows)
    columns = {"games": Column("games"), "p5": Column("5 %", "ms"), "p25": Column("25 %", "ms")}
    columns |= {"median": Column("median", "ms"), "p75": Column("75 %", "ms"), "p95": Column("95 %", "ms")}
    listed = table(rows, "Milliseconds per decision, over games", ("agent",), columns, context.short)
    return context.section("times", "Time per decision", about, [own_size(figure), Folded("In numbers", [listed])])


def lengths_section(context: ReportContext) -> Section | None:
    """Return the lengths of games; None where all are void."""
    data = context.data
    if data is None or data.games.column("void").all():
        return None
    games = data.games
    is_played = ~games.column("void")
    values = {name: games.column(name) for name in ("ticks", "turns", "rounds")} | {"decisions": games.decisions()}
    order = np.arange(int(is_played.sum()))
    different: dict[bytes, GameMeasure] = {}  # if each turn is one action, turns would repeat actions
    for name, about in _LENGTHS.items():
        numbers = values[name][is_played].astype(np.float64)
        different.setdefault(numbers.tobytes(), GameMeasure(name, about, numbers, order, np.zeros_like(order)))
    measures = list(different.values())
    about = "Over all games that are not void. On the left of each is the number of players."
    return context.section(
        "lengths",
        "Length of games",
        about,
        _distributions(context, data.definition.players, measures, "Length of games", {}),
    )


def measures_section(context: ReportContext) -> Section | None:
    """Return the values of the tournament's metrics; None without any."""
    data = context.data
    if data is None or not data.measures:
        return None
    about = (
        "What the metrics of the tournament measured in games that are not void. The mean is that of the games' means, with "
        "its 95 % interval; all else is of single values. On the left of each figure is the number of players."
    )
    title = "Measures of the games"
    interval = {"low": Column("from"), "high": Column("to")}
    return context.section(
        "measures", title, about, _distributions(context, data.definition.players, data.measures, title, interval)
    )


def feedback_section(context: ReportContext) -> Section | None:
    """Return ratings and notes of people on their games; None where there are none."""
    said = context.results.feedback
    return context.section("feedback", "Feedback", feedback_mean(said), [feedback_table(said)]) if said else None


def feedback_mean(said: Sequence[Feedback]) -> str:
    """Return the mean rating in a sentence."""
    mean = sum(one.rating for one in said) / len(said)
    return f"Mean rating {mean:.1f} of {BEST_RATING}, over {len(said):,} answers of people who have played."


def feedback_table(said: Sequence[Feedback]) -> TableData:
    """Return ratings and notes of people as a table, in the order of their arrival."""
    records = [{**one.to_json(), "game": one.game_id} for one in said]
    return TableData(records, "Feedback", ("game", "agent"), {"rating": Column("rating"), "note": Column("note")})


def _distributions(
    context: ReportContext, players: int, measures: Sequence[GameMeasure], title: str, interval: Mapping[str, Column]
) -> list[Block]:
    """Return a figure of each measure that varies, and a table of all."""
    figures, rows = [], []
    for measure in measures:
        summary = measure.summary()
        rows.append(summary)
        if summary["min"] == summary["max"]:
            continue
        bins, row = measure.distribution().assign(players=players), pd.DataFrame([{**summary, "players": players}])
        name, words, colours = context.figure(measure.name), _words(measure.name), {players: HIGH}
        figures.append(distribution_figure(name, words, measure.about, bins, row, "", colours))
    columns = {
        "mean": Column("mean"),
        **interval,
        "min": Column("min"),
        "p5": Column("5 %"),
        "median": Column("median"),
    }
    columns |= {"p95": Column("95 %"), "max": Column("max")}
    listed = table(pd.DataFrame(rows), title, ("measure",), columns)
    return [*([Figures(figures)] if figures else []), listed]


def _words(name: str) -> str:
    return name.replace("_", " ").capitalize()
