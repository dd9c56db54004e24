"""Copies of one agent that draw numbers of their own: what they came to, the noise between them, and the checks on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pandas as pd

from tag.tournaments.reports.figures import ranges_figure, styles
from tag.tournaments.reports.sections.data import ReportContext
from tag.tournaments.reports.sections.section import Block, Column, Paragraph, Section, TableData, number, own_size
from tag.tournaments.results.copies.agents import AgentNoise, read_copies
from tag.tournaments.statistics.intervals import half_width_text
from tag.tournaments.statistics.plain_records import plain_record

if TYPE_CHECKING:
    from tag.tournaments.results.copies.noise import NoiseResults

_COPIES: Final = {
    "points": Column("points", form=".3f"),
    "difference": Column("to the others", "", "+.3f", "ends"),
    "rating": Column("rating", "", "+z.0f", "ends"),
    "decision_ms": Column("ms/decision", form=",.2f"),
    "faults": Column("faults", form=","),
}
_NOISE: Final = {
    "noise": Column("± noise", "points", ".3f"),
    "detectable": Column("found in 80 %", "points", ".3f"),
    "rating_noise": Column("± noise in rating", form=".0f"),
    "rating_detectable": Column("found in 80 %", form=".0f"),
}
_CHECKS: Final = {
    "p_value": Column("p", form=".3f"),
    "corrected": Column("corrected", form=".3f"),
    "finding": Column("finding"),
}


def copies_section(context: ReportContext) -> Section | None:
    """Return the copies and their noise; None of a tournament that is not between such copies."""
    data, results = context.data, context.results
    if data is None or results.is_cooperative or data.schedule.design.learns:
        return None
    agents = data.definition.agents
    if data.definition.streams != "agent" or len(agents) < 2 or len(set(agents)) > 1:
        return None
    found = read_copies(results, data.definition)
    if found is None:
        return None
    return context.section("copies", "Copies", "", copies_blocks(found, context.figure("copies")))


def checks_section(results: NoiseResults) -> Section:
    """Return the checks of an A/A test."""
    about = (
        "Agents are played against copies of themselves that draw numbers of their own. An alarm is a p value below 0.01, "
        "corrected for all checks."
    )
    records = [
        {
            **plain_record(check),
            "agent": agent.agent,
            "check": check.name,
            "finding": f"{'ALARM: ' if check.is_alarm else ''}{check.finding}",
        }
        for agent in results.agents
        for check in agent.checks
    ]
    checks = TableData(records, "What was tested", ("agent", "check"), _CHECKS)
    return Section("checks", "Checks", [checks if records else Paragraph("Not begun yet.")], about)


def copies_blocks(agent: AgentNoise, figure: str) -> list[Block]:
    """Return the copies of an agent, with a ``figure`` of that name, and the noise between them."""
    labels = [copy.agent for copy in agent.copies]
    records = [{**plain_record(copy), "copy": copy.agent} for copy in agent.copies]
    rows = pd.DataFrame([
        {"name": style.name, "colour": style.colour, "mean": copy.difference, **copy.interval._asdict()}
        for copy, style in zip(agent.copies, styles(labels, labels), strict=True)
    ])  # fmt: skip
    drawn = ranges_figure(figure, "Points of a copy less the mean of the others", "", rows, reference=0.0)
    blocks: list[Block] = [own_size(drawn), TableData(records, "Copies", ("copy",), _COPIES)]
    if agent.is_exact:
        text = f"{agent.agent} draws nothing: its copies play identical games, which tells nothing about noise."
        return [*blocks, Paragraph(text)]
    precisions = [{**plain_record(one), "blocks": f"{one.blocks:,}"} for one in agent.precisions()]
    if not precisions:
        return blocks
    floor = TableData(precisions, "How large a difference has to be", ("blocks",), _NOISE)
    text = (
        f"{agent.games:,} games of {agent.blocks:,} blocks; correlation within blocks {number(agent.rho)}, design effect "
        f"{number(agent.design_effect)}."
    )
    seats = ", ".join(
        f"{seat}: {mean:.3f} ± {half_width_text(interval.half, '.3f')}"
        for seat, (mean, interval) in enumerate(agent.seats)
    )
    return [*blocks, floor, Paragraph(text), Paragraph(f"Points by seat: {seats}.")]
