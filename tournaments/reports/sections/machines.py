"""Findings about who played: machines and workers, and agents that remember deals."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import pandas as pd

from tag.tournaments.reports.sections.data import ReportContext
from tag.tournaments.reports.sections.section import Block, Column, Paragraph, Section, TableData, remark, table
from tag.tournaments.reports.sections.standings import standings_columns, standings_table
from tag.tournaments.results.machines.machines import MachineResults
from tag.tournaments.statistics.plain_records import plain_record

if TYPE_CHECKING:
    from tag.tournaments.results.machines.machines import MachineResults

_PLACES: Final = {
    "games": Column("games", form=","),
    "blocks": Column("blocks", form=","),
    "chi_square": Column("chi-square", form=".1f"),
    "degrees": Column("df", form=","),
    "p_value": Column("p", form=".2g"),
    "verdict": Column(""),
}
#: The columns of the standings without some machines.
_KEPT: Final = ("games", "win_rate")


def machines_section(context: ReportContext) -> Section | None:
    """Return the machines and workers, and the standings without those that differ; None with one of them."""
    found = context.data.machines if context.data else None
    if found is None or not found.tests:
        return None
    places = places_table(found)
    records = [{**one, "verdict": one["verdict"] or "as the others"} for one in places.records]
    columns = {**_PLACES, "verdict": Column("verdict")}
    blocks: list[Block] = [replace(places, records=records, labels=("kind", "place"), by_name=columns)]
    blocks += [remark(text) for text in found.sentences()]
    for each in found.without:
        caption = f"Without the match-ups in which {' and '.join(each.places)} played"
        kept = {name: column for name, column in standings_columns(each.standings).items() if name in _KEPT}
        blocks.append(replace(standings_table(each.standings, kept, caption), short=context.short))
    about = (
        "Whether what games came to depends on who played them: chi-square on what is left of the points, by block, given "
        "who sat where. One differs if p is below 0.05 divided by the number of those compared."
    )
    return context.section("machines", "Machines", about, blocks)


def memory_section(context: ReportContext) -> Section | None:
    """Return the agents that do better on deals that they have met before; None if there are none."""
    found = context.data.memory if context.data else None
    if found is None or not found.flagged:
        return None
    columns = {"first": Column("first games"), "later": Column("later games"), "blocks": Column("blocks")}
    columns |= {"shift": Column("more points"), "p_value": Column("p")}
    blocks: list[Block] = [table(pd.DataFrame(found.to_json()), "Games on deals met before", ("agent",), columns)]
    blocks += [Paragraph(f"{text}.") for text in found.sentences()]
    about = (
        "Games of a block have one deal and are played in a random order. Agents that do better in later games on a deal "
        "than in the first one of the same process seem to remember it."
    )
    return context.section("memory", "Remembered deals", about, blocks)


def places_table(found: MachineResults) -> TableData:
    """Return the places and the result of each test, in a word or two."""
    records = []
    for test in found.tests:
        record = plain_record(test)
        if not test.degrees:
            record |= {"chi_square": None, "degrees": None, "p_value": None}
        verdict = "differs" if test.is_flagged else ""
        records.append({**record, "verdict": verdict if test.degrees else "too few blocks"})
    return TableData(records, "Machines and workers", ("place",), _PLACES)
