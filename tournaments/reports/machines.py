"""The parts of a report on the machines and workers that have played, and on agents that remember deals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

import pandas as pd

from tournaments.html.page import Block, Text
from tournaments.html.tables import Column, table
from tournaments.machines import MachineResults, verdict
from tournaments.memory import MemoryResults
from tournaments.reports.parts import Part, Subject, cells, estimate, sentence


def process_parts(subject: Subject, machines: MachineResults, memory: MemoryResults) -> Iterator[Part]:
    """Yield what there is to say on those who have played, and on what agents remember in their processes."""
    if machines.tests:
        yield _machines_part(subject, machines)
    if memory.flagged:
        yield _memory_part(subject, memory)


def _machines_part(subject: Subject, found: MachineResults) -> Part:
    """Return who has played, and the table without those that differ."""
    rows = pd.DataFrame([asdict(test) for test in found.tests])
    untested = rows["degrees"] == 0
    rows.loc[untested, ["chi_square", "p_value"]] = None
    rows["verdict"] = cells(pd.Series([verdict(test) or "as the others" for test in found.tests]))
    columns = {"games": Column("games"), "blocks": Column("blocks"), "chi_square": Column("chi-square")}
    columns |= {"degrees": Column("degrees of freedom"), "p_value": Column("p"), "verdict": Column("verdict")}
    blocks: list[Block] = [table(rows, "Machines and workers", ("kind", "place"), columns)]
    blocks += [Text(f"{sentence(text)}.") for text in found.sentences()]
    for each in found.without:
        standings = [standing.to_json() for standing in each.standings]
        kept = pd.DataFrame([{**row, "win_rate": estimate(row, "win_rate", 100.0, 1)} for row in standings])
        caption = f"Without the match-ups in which {' and '.join(each.places)} played"
        blocks.append(
            table(
                kept,
                caption,
                ("agent",),
                {"games": Column("games"), "win_rate": Column("win rate", "%")},
                subject.short,
            )
        )
    about = (
        "Whether what games came to depends on who played them: chi-square on what is left of the points, by block, given "
        "who sat where. One differs if p is below 0.05 divided by the number of those compared."
    )
    return subject.part("machines", "Machines", about, blocks)


def _memory_part(subject: Subject, found: MemoryResults) -> Part:
    """Return which agents do better on deals that they have met before."""
    columns = {"first": Column("first games"), "later": Column("later games"), "blocks": Column("blocks")}
    columns |= {"shift": Column("more points"), "p_value": Column("p")}
    blocks: list[Block] = [table(pd.DataFrame(found.to_json()), "Games on deals met before", ("agent",), columns)]
    blocks += [Text(f"{text}.") for text in found.sentences()]
    about = (
        "Games of a block have one deal and are played in a random order. Agents that do better in later games on a deal "
        "than in the first one of the same process seem to remember it."
    )
    return subject.part("memory", "Remembered deals", about, blocks)
