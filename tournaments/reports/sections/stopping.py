"""When a tournament ends: the rounds of Swiss tournaments and knockouts, and stopping rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, replace
from math import isinf
from typing import Final

import pandas as pd

from tag.tournaments.designs.agents import short_labels
from tag.tournaments.designs.rounds.results import RoundsResult
from tag.tournaments.designs.stopping.best_agent import BestAgentResult
from tag.tournaments.designs.stopping.precision import PrecisionResult
from tag.tournaments.designs.stopping.rules import StoppingResult
from tag.tournaments.designs.stopping.sprt import SprtResult
from tag.tournaments.reports.figures import HIGH, chances_figure, ranges_figure
from tag.tournaments.reports.sections import ratings, standings
from tag.tournaments.reports.sections.data import ReportContext
from tag.tournaments.reports.sections.section import (
    Block,
    Cell,
    Column,
    ProgressBar,
    Section,
    TableData,
    own_size,
    remark,
    table,
)

#: The columns of the tables of rounds, by design.
_OF_TABLES: Final = {
    "points": Column("points"),
    "tie_breaks": Column("tie-breaks"),
    "through": Column("goes on"),
    "out": Column("no valid game"),
}
_SCORES: Final = {"points": Column("points", form=",.6g")}


def rounds_table(rounds: RoundsResult) -> TableData:
    """Return a row of texts per table and bye, in the order of the rounds, without empty columns."""
    short = short_labels([label for table in rounds.tables for label in table.agents])
    records = [
        {
            "round": str(table.round),
            "table": _versus(short[label] for label in table.agents),
            "points": _versus(map(_points_text, table.points)),
            "tie_breaks": ", ".join(_versus(map(_points_text, points)) for points in table.tie_breaks),
            "through": _versus(short[label] for label in table.through) + (" (by lot)" if table.by_lot else ""),
            "out": _versus(short[label] for label in table.out),
        }
        for table in rounds.tables
    ]
    for number, label in rounds.byes:
        bye = dict.fromkeys(_OF_TABLES, "") | {"round": str(number), "table": label, "points": "bye"}
        records.append(bye)
    records.sort(key=lambda record: int(record["round"]))
    columns = {
        name: column for name, column in _OF_TABLES.items() if name == "points" or any(one[name] for one in records)
    }
    return TableData(records, "Tables", ("round", "table"), columns)


def scores_table(rounds: RoundsResult) -> TableData:
    """Return the agents of a Swiss tournament with their points, the best first, by their short labels."""
    records = [{"agent": agent, "points": points} for agent, points in rounds.scores]
    caption = "Points of all rounds, byes included"
    return TableData(records, caption, ("agent",), _SCORES, short_labels([agent for agent, _points in rounds.scores]))


def _versus(texts: Iterable[str]) -> str:
    return " - ".join(texts)


def _points_text(points: float) -> str:
    return f"{points:.6g}"


def rounds_section(context: ReportContext) -> Section | None:
    """Return the tables of all rounds, the points of a Swiss tournament, and the winner; None without rounds."""
    rounds = context.results.rounds
    if rounds is None:
        return None
    about = (
        "The tables of each round with the points of its blocks. A void game is lost by those whose faults voided it. "
        "The standings above are of all games, whoever the opponents were: they do not say who wins."
    )
    blocks: list[Block] = [remark(rounds.text)]
    if rounds.scores:
        blocks.append(replace(scores_table(rounds), short=context.short))
    blocks.append(rounds_table(rounds))
    return context.section("rounds", "Rounds", about, blocks)


#: The number of agents with a line in a figure of probabilities.
_MOST_LINES: Final = 6


def stopping_section(context: ReportContext) -> Section | None:
    """Return the state of the stopping rule, and its data; None without one."""
    stopping = context.results.stopping
    if stopping is None:
        return None
    blocks: list[Block] = [remark(stopping.text)]
    if isinstance(stopping, PrecisionResult) and stopping.blocks > 1:
        blocks += _precision(context, stopping)
    if isinstance(stopping, BestAgentResult):
        blocks += _best_agent(context, stopping)
    return context.section("stopping", stopping.title, stopping.about, blocks)


def stopping_progress(stopping: StoppingResult) -> ProgressBar:
    """Return how far a stopping rule is from its decision."""
    state = "decided" if stopping.is_decided else "go on"
    if isinstance(stopping, SprtResult):
        share = (stopping.llr - stopping.lower) / (stopping.upper - stopping.lower)
        ends = (f"H0: {stopping.bounds.elo0:+g} Elo", f"H1: {stopping.bounds.elo1:+g} Elo")
        text = f"{stopping.decision}, LLR {stopping.llr:.2f} between {stopping.lower:.2f} and {stopping.upper:.2f}"
        return ProgressBar("Log-likelihood ratio", min(max(share, 0.0), 1.0), *ends, text)
    if isinstance(stopping, PrecisionResult):
        width = stopping.widest.half_width
        share = 0.0 if isinf(width) else min(1.0, (stopping.precision / width) ** 2)  # of the blocks that are needed
        text = f"{state}, the widest is ± {width:.4f}"
        return ProgressBar("Width of intervals", share, "wide", f"± {stopping.precision:g}", text)
    if isinstance(stopping, BestAgentResult):
        leader = stopping.contenders[0]
        text = f"{state}, {leader.p_best:.3f} for {leader.agent}"
        return ProgressBar(
            "P(best)", min(1.0, leader.p_best / stopping.confidence), "0", f"{stopping.confidence:g}", text
        )
    return ProgressBar(stopping.title, float(stopping.is_decided), "go on", "decided", state)


def _precision(context: ReportContext, stopping: PrecisionResult) -> list[Block]:
    by_label = context.by_label
    rows = pd.DataFrame(
        [
            {
                "what": estimate.name,
                "name": by_label[estimate.name].name if estimate.name in by_label else estimate.name,
                "colour": by_label[estimate.name].colour if estimate.name in by_label else HIGH,
                "mean": estimate.mean,
                "low": estimate.mean - estimate.half_width,
                "high": estimate.mean + estimate.half_width,
                "points": Cell(
                    f"{estimate.mean:.4f}",
                    f"± {estimate.half_width:.4f}",
                    estimate.mean,
                    (estimate.mean - estimate.half_width, estimate.mean + estimate.half_width),
                ),
            }
            for estimate in stopping.estimates
        ]
    )
    figure = ranges_figure(context.figure("stopping"), "Points per game", "", rows)
    return [own_size(figure), table(rows, "Points per game", ("what",), {"points": standings.COLUMNS["points"]})]


def _best_agent(context: ReportContext, stopping: BestAgentResult) -> list[Block]:
    columns = {"p_best": ratings.COLUMNS["p_best"], "games": Column("games")}
    contenders = [asdict(contender) for contender in stopping.contenders]
    blocks: list[Block] = [TableData(contenders, "Contenders", ("agent",), columns, context.short)]
    if len(stopping.course) > 1:
        shown = [context.by_label[contender.agent] for contender in stopping.contenders[:_MOST_LINES]]
        blocks.insert(0, own_size(chances_figure(context.figure("stopping"), shown, stopping)))
    return blocks
