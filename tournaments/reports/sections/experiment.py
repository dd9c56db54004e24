"""The overall table of an experiment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import pandas as pd

from tag.tournaments.reports.figures import ranges_figure, styles
from tag.tournaments.reports.sections.ratings import COLUMNS, pairs_blocks
from tag.tournaments.reports.sections.section import Block, Column, Paragraph, Section, TableData, own_size, remark

if TYPE_CHECKING:
    from tag.tournaments.definition import TournamentDefinition
    from tag.tournaments.results.experiment import ExperimentResults
    from tag.tournaments.results.overall_ratings import ExperimentRatings


def overall_table(results: ExperimentResults) -> TableData:
    """Return the strength of each agent, over all events and in each."""
    records = []
    for one in (standing.to_json() for standing in results.overall):
        of_events = zip(results.compared, one["by_event"], strict=True)
        records.append({**one, **{f"event {name}": strength for name, strength in of_events}})
    columns = {f"event {name}": Column(name, form=".3f") for name in results.compared}
    overall = {"strength": Column("strength", "", ".3f", "ends"), **columns}
    return TableData(records, "Strength over all events", ("agent",), overall)


def overall_ratings_table(ratings: ExperimentRatings) -> TableData:
    """Return the rating of each agent, over all events and in each."""
    records = []
    for one in ratings.overall:
        of_events = zip(ratings.weights, one.by_event, strict=True)
        records.append({**one.to_json(), **{f"event {name}": rating for name, rating in of_events}})
    columns = {f"event {name}": Column(name, form="+z.0f") for name in ratings.weights}
    overall = {"rating": COLUMNS["rating"], **columns}
    return TableData(records, "Ratings over all events", ("agent",), overall)


def overall_ratings_section(ratings: ExperimentRatings) -> Section | None:
    """Return the ratings over all events; None without any."""
    if not ratings.overall:
        return None
    about = (
        "The mean of an agent's ratings in the events. 400 points are odds of 10 to 1, the mean over agents is 0; intervals "
        "are at 95 %, from the differences between blocks of each event."
    )
    notice = [remark(ratings.notice)] if ratings.notice else []
    return Section("overall-ratings", "Ratings over all", [overall_ratings_table(ratings), *notice], about)


def overall_pairs_section(ratings: ExperimentRatings, labels: Sequence[str]) -> Section | None:
    """Return the pairs over all events, of agents in the order of their ratings; ``labels`` have the colours' order."""
    if ratings.pairs is None:
        return None
    about = (
        "How often the row is placed above the column, in percent, a shared place counting half: the mean over the events, "
        "by weight. A mark says that it is no chance (5 %, after Holm's correction for all pairs)."
    )
    shown = styles([one.agent for one in ratings.overall], labels)
    return Section("overall-pairs", "Pairs over all", pairs_blocks("overall-pairs-figure", ratings.pairs, shown), about)


def overall_section(results: ExperimentResults, events: Mapping[str, TournamentDefinition]) -> Section:
    """Return the overall table, and the strengths with their intervals."""
    about = (
        "An agent's strength is its points per seat in shares of an equal part, averaged over the events: 1 is average, 0 "
        "means that it never wins. Intervals are at 95 %."
    )
    notice = [remark(results.notice)] if results.notice else []
    if not results.overall:
        return Section("overall", "Overall", notice or [Paragraph("No game has been played yet.")], about)
    labels = [standing.agent for standing in results.overall]
    drawn = styles(labels, events[results.compared[0]].labels)
    listed = overall_table(results)
    records = [
        {**one, "place": style.number, "name": style.name, "colour": style.colour, "mean": one["strength"]}
        for one, style in zip(listed.records, drawn, strict=True)
    ]
    frame, short = pd.DataFrame(records), {style.label: style.short for style in drawn}
    blocks: list[Block] = [replace(listed, records=records, labels=("place", "agent"), short=short), *notice]
    measured = frame[frame["mean"].notna()].astype({"mean": float, "low": float, "high": float})
    if not measured.empty:
        figure = ranges_figure("overall-figure", "Strength", "The line is an equal share.", measured, reference=1.0)
        blocks.append(own_size(figure))
    return Section("overall", "Overall", blocks, about)
