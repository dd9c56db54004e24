"""The strengths of agents: ratings on one scale, pairs, and the effect of seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isnan
from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd

from tag.tournaments.designs.agents import budgets_of, short_labels
from tag.tournaments.reports.figures import HIGH, LOW, heat_figure, ranges_figure
from tag.tournaments.reports.html.figures import variable
from tag.tournaments.reports.sections.data import MOST_AGENTS, NUMBERS, ReportContext
from tag.tournaments.reports.sections.matrix import Matrix
from tag.tournaments.reports.sections.section import (
    Block,
    Column,
    Figures,
    Folded,
    Key,
    Paragraph,
    Section,
    TableData,
    number,
    own_size,
    remark,
)
from tag.tournaments.statistics.plain_records import plain_record

if TYPE_CHECKING:
    from tag.tournaments.reports.figures import Style
    from tag.tournaments.reports.sections.data import TournamentData
    from tag.tournaments.results.tournament import RatingSummary
    from tag.tournaments.statistics.ratings.pairwise import PairwiseTable

#: Of more agents than these there is no matrix of pairs: with so many, a page has ten thousand cells.
_MOST_IN_MATRIX: Final = 100
#: The columns of ratings, by field of `AgentRating`; those on evolution are not known of all games.
COLUMNS: Final = {
    "rating": Column(
        "rating",
        "",
        "+z.0f",
        "ends",
        "strength on the Elo scale; 400 points are odds of 10 to 1, the mean is 0",
        metric="result",
    ),
    "p_best": Column("P(best)", form=".3f", meaning="the probability that no other agent is stronger"),
    "groups": Column("group", meaning="two agents share a letter just if they cannot be told apart"),
    "component": Column("component", form="d"),
    "nash": Column("Nash", form=".3f", meaning="the weight in the equilibrium of greatest entropy"),
    "alpha_rank": Column("alpha-rank", form=".3f", meaning="the share of time of an evolution of agents"),
}
_PAIRS: Final = {
    "games": Column("games"),
    "score": Column(
        "score", "%", ".3f", "ends", "how often the first is placed above the other, a shared place counting half"
    ),
    "corrected": Column("p", "after Holm", ".3f", meaning="the chance of such a difference between equals"),
}


def ratings_table(ratings: RatingSummary) -> TableData:
    """Return the strengths of agents, by their short labels."""
    without = set() if len(ratings.components) > 1 else {"component"}
    if any(isnan(agent.nash) for agent in ratings.agents):
        without |= {"nash", "alpha_rank"}
    columns = {name: column for name, column in COLUMNS.items() if name not in without}
    records = [plain_record(agent) for agent in ratings.agents]
    return TableData(records, "Ratings", ("agent",), columns, short_labels([agent.agent for agent in ratings.agents]))


def ratings_section(context: ReportContext) -> Section | None:
    """Return the strengths on one scale; None where they are not known."""
    ratings = context.ratings
    if ratings is None:
        return None
    styles = [context.by_label[agent.agent] for agent in ratings.agents]
    frame = pd.DataFrame(
        {
            "name": [style.name for style in styles],
            "colour": [style.colour for style in styles],
            "mean": [agent.rating for agent in ratings.agents],
            "low": [agent.interval.low for agent in ratings.agents],
            "high": [agent.interval.high for agent in ratings.agents],
            "note": [agent.groups for agent in ratings.agents],
        }
    )
    fit = "One Plackett-Luce fit to all games, with terms for the seats"
    if context.results.is_alone or context.results.is_cooperative:
        fit = "One Plackett-Luce fit to all pairs of agents in each block, each a team alone, placed by their scores"
    about = (
        f"{fit}. 400 points are odds of 10 to 1, the mean is 0; intervals are from the differences between blocks. Two "
        "agents share a letter just if games compare them, also through others, and their ratings cannot be told apart "
        "(5 %, Holm)."
    )
    figure = ranges_figure(context.figure("ratings"), "Ratings and groups", NUMBERS, frame, reference=0.0)
    blocks: list[Block] = [own_size(figure), replace(ratings_table(ratings), short=context.short)]
    scale = scale_text(ratings)
    return context.section("ratings", "Ratings", about, [*blocks, *([remark(scale)] if scale else [])])


def pairs_section(context: ReportContext) -> Section | None:
    """Return how often each agent is placed above each other; None where that is not known."""
    if context.ratings is None:
        return None
    pairs = context.ratings.pairs
    about = (
        "How often the row is placed above the column, in percent, a shared place counting half; empty where two have "
        "not met. A mark says that it is no chance (5 %, after Holm's correction for all pairs)."
    )
    is_grid = context.results.grid is not None
    shown = [context.by_label[label] for label in pairs.labels] if is_grid else context.styles
    heading = "Skill grid" if is_grid else "Pairs"
    columns = budgets_of(pairs.labels) if is_grid else []
    return context.section("pairs", heading, about, pairs_blocks(context.figure("pairs"), pairs, shown, columns))


def pairs_blocks(
    name: str, pairs: PairwiseTable, shown: Sequence[Style], columns: Sequence[str] = ()
) -> Sequence[Block]:
    """Return a figure and a table of all pairs; of many agents a matrix to scroll in, of more a sentence."""
    if len(shown) > _MOST_IN_MATRIX:
        return [Paragraph(f"{len(shown)} agents have too many pairs to be shown; tag ratings --json has them all.")]
    order = [pairs.labels.index(style.label) for style in shown]
    square = np.ix_(order, order)
    different = pairs.is_different()[square]
    title = f"Rows against columns; {int(np.triu(different, 1).sum())} pairs are told apart"
    read = "Columns are budgets." if columns else NUMBERS
    headings = [(heading, style.name) for heading, style in zip(columns or _numbers(shown), shown, strict=False)]
    scores = [[None if isnan(score) else score for score in row] for row in pairs.score[square].tolist()]
    matrix = Matrix(title, [style.name for style in shown], headings, scores, different.tolist())
    figure = replace(heat_figure(name, title, read, shown, pairs.score[square], different, columns), matrix=matrix)
    key = Key("score", [(variable(HIGH), "above one half"), (variable(LOW), "below")])
    short = {style.label: style.short for style in shown}
    drawn = own_size(figure) if len(shown) <= MOST_AGENTS else matrix
    return [key, drawn, Folded("All pairs", [_pairs_table(pairs, order, short)])]


def _numbers(shown: Sequence[Style]) -> list[str]:
    return [str(style.number) for style in shown]


def _pairs_table(pairs: PairwiseTable, order: Sequence[int], short: Mapping[str, str]) -> TableData:
    """Return the results of every two agents that have met, the better placed first."""
    records = [
        {
            "agent": pairs.labels[one],
            "other": pairs.labels[other],
            **{
                name: float(getattr(pairs, name)[one, other]) for name in ("games", "score", "low", "high", "corrected")
            },
        }
        for at, one in enumerate(order)
        for other in order[at + 1 :]
        if not isnan(pairs.score[one, other])
    ]
    return TableData(records, "All pairs", ("agent", "other"), _PAIRS, short)


def seats_section(context: ReportContext) -> Section | None:
    """Return the effect of the seats; None where all win or lose together, or no game counts."""
    data = context.data
    if data is None or context.results.is_cooperative or not len(data.counted):
        return None
    definition, counted = data.definition, data.counted
    equal = 1.0 / definition.players
    points = counted.seat_points()
    first = _of_seats(points["seat"], points)
    figures = [
        ranges_figure(
            context.figure("seats"),
            "Points per seat",
            f"Mean over all agents; the line is an equal share, {number(equal)}.",
            first,
            reference=equal,
        )
    ]
    if data.ratings is not None:
        worth = data.ratings.seats.get(definition.players, [])
        terms = pd.DataFrame([(value, *interval) for value, interval in worth], columns=["mean", "low", "high"])
        text = "From the fit: what sitting there is worth, whoever sits there."
        rows = _of_seats(terms.index, terms)
        figures.append(ranges_figure(context.figure("seat-terms"), "Seats in rating points", text, rows, reference=0.0))
    about = "Whether it matters where one sits."
    if definition.design == "fixed":
        about += " Every agent keeps its seat in this design, so seats and agents cannot be told apart."
    blocks: list[Block] = [
        Figures(figures, "own"),
        Folded("Points by agent and seat", [_seats_by_agent(context, data)]),
    ]
    return context.section("seats", "Seats", about, blocks)


def _seats_by_agent(context: ReportContext, data: TournamentData) -> TableData:
    """Return the mean points of each agent in each seat."""
    counted, labels = data.counted, data.definition.labels
    columns = {f"seat {seat}": Column(f"seat {seat}", "", ".3f", "half") for seat in range(data.definition.players)}
    records = {style.label: {"agent": style.label, **dict.fromkeys(columns)} for style in context.styles}
    for row in counted.seat_points_by_agent().to_dict("records"):
        seat = f"seat {row['seat']}"
        records[labels[row["agent"]]] |= {seat: row["mean"], f"{seat}_low": row["low"], f"{seat}_high": row["high"]}
    return TableData(list(records.values()), "Points by agent and seat", ("agent",), columns, context.short)


def _of_seats(seats: pd.Series | pd.Index, rows: pd.DataFrame) -> pd.DataFrame:
    """Return ranges with the names of seats."""
    return rows.assign(name=[f"seat {seat}" for seat in seats], colour=HIGH)


def scale_text(summary: RatingSummary) -> str:
    """Say which agents have no common scale, or whether one scale orders all; empty where unknown."""
    if len(summary.components) > 1:
        short = short_labels([agent.agent for agent in summary.agents])
        apart = [
            f"{number} ({_listed([short[agent] for agent in agents])})"
            for number, agents in enumerate(summary.components, start=1)
        ]
        return (
            f"no games compare agents of different components, not even through others: {_listed(apart)}; "
            "ratings, groups and P(best) hold within a component, and there is no common order"
        )
    found = summary.intransitivity
    if found is None or isnan(found.share):
        return ""
    verdict = (
        "some agents beat each other in a circle, so no rating can order them"
        if found.p_value < 0.05
        else "no agents are shown to beat each other in a circle"
    )
    return (
        f"{verdict} (p = {found.p_value:.3f}; in {found.cyclic_triples} of {found.triples} groups of three, each is ahead "
        f"of the next); differences of ratings explain {1.0 - found.share:.1%} of the results".replace("%", " %")
    )


#: A sentence lists at most so many components, and agents of one; tables and JSON have all.
_MOST_LISTED: Final = 8


def _listed(texts: Sequence[str]) -> str:
    more = len(texts) - _MOST_LISTED
    return ", ".join([*texts[:_MOST_LISTED], *([f"{more:,} more"] if more > 0 else [])])
