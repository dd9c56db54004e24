"""The part of a report on variants: how the agents do by what is drawn anew for each block."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import pandas as pd

from tournaments.html.figures import AGENT_COLOURS, variable
from tournaments.html.page import Block, Folded, Key
from tournaments.html.tables import Column, table
from tournaments.reports.figures import variants_figure
from tournaments.reports.parts import Part, Subject, estimate, own_size, sentence
from tournaments.results import VariantStandings


def variants_part(subject: Subject) -> Part:
    """Return the points or success rate of each agent by each value of each parameter that is drawn."""
    about = (
        "Parameters of the game that are drawn anew for each block, each value equally often, with 95 % "
        "intervals from the blocks with that value alone; other drawn parameters are averaged over."
    )
    blocks: list[Block] = []
    what, column = (subject.rate, "win_rate") if subject.reading.is_shared else ("points", "points")
    has_colours = len(subject.styles) <= len(AGENT_COLOURS)
    if has_colours:
        blocks.append(Key("agents", [(variable(style.colour), style.name) for style in subject.styles]))
    for parameter, of_it in groupby(subject.reading.results.variants, key=lambda variant: variant.parameter):
        variants = list(of_it)
        rows = _rows(subject, variants, column)
        heading = f"{sentence(what)} by {parameter}"
        if has_colours:
            name, values = subject.figure(f"variants-{parameter}"), [variant.value for variant in variants]
            blocks.append(own_size(variants_figure(name, heading, "", subject.styles, values, rows)))
        columns = {"blocks": Column("blocks"), "games": Column("games"), "estimate": Column(what)}
        listed = table(rows, heading, ("value", "agent"), columns, subject.short)
        blocks.append(Folded(f"{parameter} in numbers", [listed]))
    return subject.part("variants", "Variants", about, blocks)


def _rows(subject: Subject, variants: Sequence[VariantStandings], column: str) -> pd.DataFrame:
    """Return a row per value and agent, agents in the order of the standings."""
    rows = []
    for variant in variants:
        by_agent = {standing.agent: standing.to_json() for standing in variant.standings}
        for row in (by_agent[style.label] for style in subject.styles):
            ends = {"mean": row[column], "low": row[f"{column}_low"], "high": row[f"{column}_high"]}
            rows.append({"value": variant.value, **row, **ends, "estimate": estimate(row, column)})
    return pd.DataFrame(rows)
