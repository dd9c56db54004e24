"""The part of a report on what ended the tournament, or may yet end it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import pandas as pd

from tournaments.best_agent import BestAgentResult
from tournaments.html.axes import ticks
from tournaments.html.figures import MUTED, Figure, Frame, draw
from tournaments.html.page import Block, Text
from tournaments.html.tables import Cell, Column, number, table
from tournaments.precision import PrecisionResult
from tournaments.reports.figures import HIGH, Style, apart, ranges_figure
from tournaments.reports.parts import Part, Subject, own_size, sentence
from tournaments.sprt import SprtResult
from tournaments.stopping_rule import StoppingResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: So many agents have a line in a figure of probabilities.
_MOST_LINES: Final = 6
#: Names at the ends of lines are this far apart at least.
_APART: Final = 0.06


def stopping_part(subject: Subject, stopping: StoppingResult) -> Part:
    """Return how the stopping rule stands, and what it went by."""
    title, about = _WORDS[type(stopping)]
    blocks: list[Block] = [Text(f"{sentence(stopping.text)}.")]
    if isinstance(stopping, PrecisionResult) and stopping.blocks > 1:
        blocks += _precision(subject, stopping)
    if isinstance(stopping, BestAgentResult):
        blocks += _best_agent(subject, stopping)
    return subject.part("stopping", title, about, blocks)


_WORDS: Final[dict[type[StoppingResult], tuple[str, str]]] = {
    SprtResult: (
        "Sequential test",
        "Whether the first agent is stronger, asked after every block. The estimate is median-unbiased although the test "
        "stops where it does.",
    ),
    PrecisionResult: (
        "Precision",
        "Blocks are played until all of these intervals, which hold together at 95 %, are narrow enough.",
    ),
    BestAgentResult: (
        "Best agent",
        "The next blocks go to those who may yet be the best, until it is known who that is. Agents have met different "
        "opponents, so rates in the standings are not comparable; ratings are.",
    ),
}


def _precision(subject: Subject, stopping: PrecisionResult) -> list[Block]:
    by_label = subject.by_label
    rows = pd.DataFrame(
        [
            {
                "what": estimate.name,
                "name": by_label[estimate.name].name if estimate.name in by_label else estimate.name,
                "colour": by_label[estimate.name].colour if estimate.name in by_label else HIGH,
                "mean": estimate.mean,
                "low": estimate.mean - estimate.half_width,
                "high": estimate.mean + estimate.half_width,
                "points": Cell(f"{estimate.mean:.4f}", f"± {estimate.half_width:.4f}"),
            }
            for estimate in stopping.estimates
        ]
    )
    figure = ranges_figure(subject.figure("stopping"), "Points per game", "", rows)
    return [own_size(figure), table(rows, "Points per game", ("what",), {"points": Column("points", "per game")})]


def _best_agent(subject: Subject, stopping: BestAgentResult) -> list[Block]:
    rows = pd.DataFrame(
        [
            {"agent": contender.agent, "p_best": Cell(f"{contender.p_best:.3f}"), "games": contender.games}
            for contender in stopping.contenders
        ]
    )
    columns = {"p_best": Column("P(best)"), "games": Column("games")}
    blocks: list[Block] = [table(rows, "Contenders", ("agent",), columns, subject.short)]
    if len(stopping.course) > 1:
        shown = [subject.by_label[contender.agent] for contender in stopping.contenders[:_MOST_LINES]]
        blocks.insert(0, own_size(_chances_figure(subject.figure("stopping"), shown, stopping)))
    return blocks


def _chances_figure(name: str, shown: Sequence[Style], stopping: BestAgentResult) -> Figure:
    """Return how the probability of each agent to be the best went over blocks; the agent's number is at its end.

    Args:
        name: distinct on the page.
        shown: the agents to draw, most probable first.
        stopping: with at least two looks.
    """
    blocks = [at for at, _chances in stopping.course]
    ends = apart([stopping.course[-1][1][rank] for rank in range(len(shown))], _APART)

    def paint(axes: Axes) -> None:
        axes.axhline(stopping.confidence, color=MUTED, linewidth=1.0, linestyle=(0, (3, 3)))
        for rank, (agent, end) in enumerate(zip(shown, ends, strict=True)):
            colour = HIGH if agent.colour == MUTED and rank == 0 else agent.colour
            axes.plot(blocks, [chances[rank] for _at, chances in stopping.course], color=colour, linewidth=1.6)
            axes.annotate(
                str(agent.number), (1.0, end), (5, 0), ("axes fraction", "data"), "offset points", va="center",
                color=colour,
            )  # fmt: skip
        axes.set_xlim(0.0, float(blocks[-1]))
        axes.set_ylim(0.0, 1.0)
        axes.grid(axis="y")
        axes.set_xlabel("blocks so far")
        ticks(axes.xaxis, "")
        ticks(axes.yaxis, "")

    label = "; ".join(
        f"{agent.name}: {number(contender.p_best)}"
        for agent, contender in zip(shown, stopping.contenders, strict=False)
    )
    frame = Frame(640.0, 260.0, left=44.0, right=26.0, bottom=34.0, top=6.0)
    narrow = replace(frame, width=300.0, height=190.0)
    about = "The dashed line is the confidence at which the search ends. Numbers are places in the standings."
    return draw(name, "P(best) over blocks", f"At the end. {label}", frame, paint, about, narrow)
