"""The sections of a tournament's report on strength, stopping, variants and machines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import groupby
from math import isnan
from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd

from tournaments.designs.agents import budgets_of
from tournaments.designs.stopping import BestAgentResult, PrecisionResult, SprtResult, StoppingResult
from tournaments.reports.figures import HIGH, LOW, Style, apart, heat_figure, ranges_figure, variants_figure
from tournaments.reports.html.figures import AGENT_COLOURS, MUTED, Figure, Frame, draw, ticks, variable
from tournaments.reports.html.page import (
    NOTHING,
    Block,
    Cell,
    Column,
    Definitions,
    Figures,
    Folded,
    Key,
    Paragraph,
    Table,
    number,
    table,
)
from tournaments.reports.reading import MOST_AGENTS, NUMBERS, Part, Subject, cells, estimate, own_size, sentence
from tournaments.reports.text import clock_of, scale_text, verdict
from tournaments.results.machines import MachineResults, MemoryResults
from tournaments.results.ratings import RatingSummary
from tournaments.results.tournament import VariantStandings, seat_points
from tournaments.statistics.pairwise import PairwiseTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# --- strength: standings, ratings, pairs and seats --------------------------------------------------------------------


def standings_part(subject: Subject) -> Part:
    """Return the standings, and the rates with their intervals."""
    standings = subject.reading.results.standings
    more = {"blocks": Column("blocks"), "effective_games": Column("effective games"), "decisions": Column("decisions")}
    rows = []
    for standing, style in zip(standings, subject.styles, strict=False):
        row = standing.to_json()
        row["place"] = style.number
        row["win_rate"] = estimate(row, "win_rate", 100.0, 1)
        row["points"] = estimate(row, "points", 1.0, 3)
        row["mean_ordinal"] = estimate(row, "mean_ordinal", 1.0, 2)
        row["score"] = estimate(row, "score", 1.0, 2)
        rows.append(row)
    about = (
        "95 % intervals are from block means. Only whole match-ups count: all seatings of a block played, none void. "
        "Effective games are independent games that would tell as much about the rate."
    )
    if not rows:
        return subject.part("standings", "Standings", about, [Paragraph("No game has been played yet.")])
    frame, games = pd.DataFrame(rows), {standing.games for standing in standings}
    columns = _columns(subject)
    caption = f"Standings, after {games.pop():,} games of each" if len(games) == 1 else "Standings"
    blocks: list[Block] = [table(frame, caption, ("place", "agent"), columns, subject.short)]
    if len(subject.reading.counted):
        blocks.append(own_size(_rates(subject)))
    full = [(short, label) for label, short in subject.short.items() if short != label]
    if full:
        blocks.append(Folded("Agents in full", [Definitions(full)]))
    blocks.append(Folded("Games behind these numbers", [table(frame, "Games", ("agent",), more, subject.short)]))
    return subject.part("standings", "Standings", about, blocks)


def _columns(subject: Subject) -> dict[str, Column]:
    """Return the columns of the standings, without those that are constant or repeat another."""
    standings, columns = subject.reading.results.standings, {}
    if len({standing.games for standing in standings}) > 1:
        columns["games"] = Column("games")
    columns["win_rate"] = Column(subject.rate, "%")
    if not subject.reading.is_shared:
        if any(standing.points != standing.win_rate for standing in standings if standing.games):
            columns["points"] = Column("points", "per game")
        columns["mean_ordinal"] = Column("mean place")
    if any(standing.score != standing.points for standing in standings if standing.games):
        columns["score"] = Column("score", "of the game")
    clock = clock_of(standings)
    columns["decision_cpu_ms" if clock == "CPU" else "decision_ms"] = Column("time", f"{clock} ms per decision")
    if any(standing.faults for standing in standings):
        columns["faults"] = Column("faults")
    return columns


def _rates(subject: Subject) -> Figure:
    """Return the win rates of the agents that have games."""
    pairs = zip(subject.reading.results.standings, subject.styles, strict=True)
    rows = [
        (
            style.name,
            style.colour,
            *(100.0 * value for value in (row.win_rate, row.win_rate_low, row.win_rate_high)),
        )
        for row, style in pairs
        if row.games
    ]
    frame = pd.DataFrame(rows, columns=["name", "colour", "mean", "low", "high"])
    mean = subject.reading.mean_rate
    equal = None if mean is None else 100.0 * mean
    about = NUMBERS if equal is None else f"The dashed line is the mean of all seats, {number(equal)} %. {NUMBERS}"
    return ranges_figure(subject.figure("rates"), sentence(subject.rate), about, frame, "%", equal)


def teams_part(subject: Subject) -> Part:
    """Return the success rates of the teams of a co-operative game."""
    about = (
        "All win or lose together: how often each team has succeeded, in whichever seats its agents sat, with 95 % "
        "intervals from block means."
    )
    teams = subject.reading.results.teams
    rows = pd.DataFrame(
        [{**row, "rate": estimate(row, "success_rate", 100.0, 1)} for row in (team.to_json() for team in teams)]
    )
    columns = {"games": Column("games"), "rate": Column("success rate", "%")}
    drawn = pd.DataFrame(
        [
            (team.team, HIGH, *(100.0 * v for v in (team.success_rate, team.success_rate_low, team.success_rate_high)))
            for team in teams[:MOST_AGENTS]
        ],
        columns=["name", "colour", "mean", "low", "high"],
    )
    figure = ranges_figure(subject.figure("teams"), "Success rate of teams", "", drawn, "%")
    return subject.part("teams", "Teams", about, [own_size(figure), table(rows, "Teams", ("team",), columns)])


def ratings_part(subject: Subject, ratings: RatingSummary) -> Part:
    """Return the strengths on one scale."""
    evolves = not any(isnan(agent.nash) for agent in ratings.agents)
    rows = [
        {
            "agent": agent.agent,
            "name": subject.by_label[agent.agent].name,
            "colour": subject.by_label[agent.agent].colour,
            "mean": agent.rating,
            "low": agent.low,
            "high": agent.high,
            "note": agent.groups,
            "rating": Cell(f"{agent.rating:+z.0f}", _signed(agent.low, agent.high)),
            "p_best": agent.p_best,
            "nash": agent.nash,
            "alpha": agent.alpha_rank,
        }
        for agent in ratings.agents
    ]
    columns = {"rating": Column("rating"), "p_best": Column("P(best)"), "note": Column("group")}
    if evolves:
        columns |= {"nash": Column("Nash"), "alpha": Column("alpha-rank")}
    frame = pd.DataFrame(rows)
    about = (
        "One Plackett-Luce fit to all games, with terms for the seats. 400 points are odds of 10 to 1, the mean is 0; "
        "intervals are from a bootstrap over blocks. Two agents share a letter just if they cannot be told apart "
        "(5 %, Holm)."
    )
    figure = ranges_figure(subject.figure("ratings"), "Ratings and groups", NUMBERS, frame, reference=0.0)
    fixed = {name: cells(frame[name].map(_probability)) for name in ("p_best", "nash", "alpha")}
    shown = frame.assign(note=cells(frame["note"]), **fixed)
    blocks: list[Block] = [own_size(figure), table(shown, "Ratings", ("agent",), columns, subject.short)]
    scale = scale_text(ratings)
    return subject.part("ratings", "Ratings", about, [*blocks, *([Paragraph(f"{sentence(scale)}.")] if scale else [])])


def pairs_part(subject: Subject, pairs: PairwiseTable) -> Part:
    """Return how often each agent is placed above each other."""
    about = (
        "How often the row is placed above the column, in percent, a shared place counting half; empty where two have "
        "not met. A mark says that it is no chance (5 %, after Holm's correction for all pairs)."
    )
    is_grid = subject.reading.results.grid is not None
    shown = [subject.by_label[label] for label in pairs.labels] if is_grid else subject.styles
    heading = "Skill grid" if is_grid else "Pairs"
    if len(shown) > MOST_AGENTS:
        text = f"{len(shown)} agents have too many pairs to be shown; tag ratings --json has them all."
        return subject.part("pairs", heading, about, [Paragraph(text)])
    order = [pairs.labels.index(style.label) for style in shown]
    square = np.ix_(order, order)
    different = pairs.is_different()[square]
    title = f"Rows against columns; {int(np.triu(different, 1).sum())} pairs are told apart"
    columns = budgets_of(pairs.labels) if is_grid else []
    read = "Columns are budgets." if columns else NUMBERS
    figure = heat_figure(subject.figure("pairs"), title, read, shown, pairs.score[square], different, columns)
    key = Key("score", [(variable(HIGH), "above one half"), (variable(LOW), "below")])
    return subject.part(
        "pairs",
        heading,
        about,
        [key, own_size(figure), Folded("All pairs", [_pair_table(pairs, order, subject.short)])],
    )


def _pair_table(pairs: PairwiseTable, order: Sequence[int], short: Mapping[str, str]) -> Table:
    """Return the results of every two agents that have met, the better placed first."""
    rows = [
        {
            "agent": pairs.labels[one],
            "other": pairs.labels[other],
            "games": pairs.games[one, other],
            "score": Cell(
                f"{100.0 * pairs.score[one, other]:.1f}",
                f"{100.0 * pairs.low[one, other]:.1f} … {100.0 * pairs.high[one, other]:.1f}",
            ),
            "p": Cell(_probability(pairs.corrected[one, other])),
        }
        for at, one in enumerate(order)
        for other in order[at + 1 :]
        if not isnan(pairs.score[one, other])
    ]
    columns = {"games": Column("games"), "score": Column("score", "%"), "p": Column("p", "after Holm")}
    frame = pd.DataFrame(rows, columns=["agent", "other", *columns])
    return table(frame, "All pairs", ("agent", "other"), columns, short)


def seats_part(subject: Subject) -> Part:
    """Return the effect of the seats."""
    definition, counted = subject.reading.definition, subject.reading.counted
    equal = 1.0 / definition.players
    points = seat_points(counted)
    first = _of_seats(points["seat"], points)
    figures = [
        ranges_figure(
            subject.figure("seats"),
            "Points per seat",
            f"Mean over all agents; the line is an equal share, {number(equal)}.",
            first,
            reference=equal,
        )
    ]
    if subject.reading.ratings is not None:
        terms = pd.DataFrame(subject.reading.ratings.seats.get(definition.players, []), columns=["mean", "low", "high"])
        text = "From the fit: what sitting there is worth, whoever sits there."
        rows = _of_seats(terms.index, terms)
        figures.append(ranges_figure(subject.figure("seat-terms"), "Seats in rating points", text, rows, reference=0.0))
    about = "Whether it matters where one sits."
    if definition.design == "fixed":
        about += " Every agent keeps its seat in this design, so seats and agents cannot be told apart."
    blocks: list[Block] = [Figures(figures, "own"), Folded("Points by agent and seat", [_seats_by_agent(subject)])]
    return subject.part("seats", "Seats", about, blocks)


def _seats_by_agent(subject: Subject) -> Table:
    """Return the mean points of each agent in each seat."""
    counted = subject.reading.counted
    rows = []
    for style in subject.styles:
        own = counted[(counted["agent"] == style.label).to_numpy(dtype=bool)]
        points = {
            f"seat {row['seat']}": estimate({"x": row["mean"], "x_low": row["low"], "x_high": row["high"]}, "x")
            for row in seat_points(own).to_dict("records")
        }
        rows.append({"agent": style.label, **points})
    seats = [f"seat {seat}" for seat in range(subject.reading.definition.players)]
    frame = pd.DataFrame(rows).reindex(columns=["agent", *seats]).astype(object)
    return table(frame, "Points by agent and seat", ("agent",), {seat: Column(seat) for seat in seats}, subject.short)


def _of_seats(seats: pd.Series | pd.Index, rows: pd.DataFrame) -> pd.DataFrame:
    """Return ranges with the names of seats."""
    return rows.assign(name=[f"seat {seat}" for seat in seats], colour=HIGH)


def _probability(value: float) -> str:
    return NOTHING if isnan(value) else f"{value:.3f}"


def _signed(low: float, high: float) -> str:
    return "" if isnan(low) else f"{low:+z.0f} … {high:+z.0f}"


# --- stopping rule ----------------------------------------------------------------------------------------------------


#: The number of agents with a line in a figure of probabilities.
_MOST_LINES: Final = 6
#: The least distance between names at the ends of lines.
_APART: Final = 0.06


def stopping_part(subject: Subject, stopping: StoppingResult) -> Part:
    """Return the state of the stopping rule, and its data."""
    title, about = _WORDS[type(stopping)]
    blocks: list[Block] = [Paragraph(f"{sentence(stopping.text)}.")]
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
    """Return each agent's probability of being the best, over blocks; the agent's number is at the end of its line.

    Args:
        name: unique on the page.
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


# --- variants: results by the drawn values of parameters --------------------------------------------------------------


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


# --- machines and workers, and agents that remember deals -------------------------------------------------------------


def process_parts(subject: Subject, machines: MachineResults, memory: MemoryResults) -> Iterator[Part]:
    """Yield the parts on machines and workers, and on agents that remember deals, if there are any findings."""
    if machines.tests:
        yield _machines_part(subject, machines)
    if memory.flagged:
        yield _memory_part(subject, memory)


def _machines_part(subject: Subject, found: MachineResults) -> Part:
    """Return the machines and workers, and the standings without those that differ."""
    rows = pd.DataFrame([asdict(test) for test in found.tests])
    untested = rows["degrees"] == 0
    rows.loc[untested, ["chi_square", "p_value"]] = None
    rows["verdict"] = cells(pd.Series([verdict(test) or "as the others" for test in found.tests]))
    columns = {"games": Column("games"), "blocks": Column("blocks"), "chi_square": Column("chi-square")}
    columns |= {"degrees": Column("degrees of freedom"), "p_value": Column("p"), "verdict": Column("verdict")}
    blocks: list[Block] = [table(rows, "Machines and workers", ("kind", "place"), columns)]
    blocks += [Paragraph(f"{sentence(text)}.") for text in found.sentences()]
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
    """Return the agents that do better on deals that they have met before."""
    columns = {"first": Column("first games"), "later": Column("later games"), "blocks": Column("blocks")}
    columns |= {"shift": Column("more points"), "p_value": Column("p")}
    blocks: list[Block] = [table(pd.DataFrame(found.to_json()), "Games on deals met before", ("agent",), columns)]
    blocks += [Paragraph(f"{text}.") for text in found.sentences()]
    about = (
        "Games of a block have one deal and are played in a random order. Agents that do better in later games on a deal "
        "than in the first one of the same process seem to remember it."
    )
    return subject.part("memory", "Remembered deals", about, blocks)
