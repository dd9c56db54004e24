"""The parts of a report on strength: standings, ratings, pairs and seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan

import numpy as np
import pandas as pd

from tournaments.budgets import budgets_of
from tournaments.html.figures import Figure, variable
from tournaments.html.page import Block, Definitions, Figures, Folded, Key, Text
from tournaments.html.tables import NOTHING, Cell, Column, Table, number, table
from tournaments.ratings.pairwise import PairwiseTable
from tournaments.ratings.summary import RatingSummary
from tournaments.ratings.tables import scale_text
from tournaments.reports.estimates import seat_points
from tournaments.reports.figures import HIGH, LOW, heat_figure, ranges_figure
from tournaments.reports.parts import MOST_AGENTS, NUMBERS, Part, Subject, cells, estimate, own_size, sentence
from tournaments.tables import clock_of


def standings_part(subject: Subject) -> Part:
    """Return the table, and the rates with their intervals."""
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
        return subject.part("standings", "Standings", about, [Text("No game has been played yet.")])
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
    """Return the columns of the standings, without those whose numbers are the same for all or those of another."""
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
    """Return how often the teams of a co-operative game succeed."""
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
    return subject.part("ratings", "Ratings", about, [*blocks, *([Text(f"{sentence(scale)}.")] if scale else [])])


def pairs_part(subject: Subject, pairs: PairwiseTable) -> Part:
    """Return who is placed above whom."""
    about = (
        "How often the row is placed above the column, in percent, a shared place counting half; empty where two have "
        "not met. A mark says that it is no chance (5 %, after Holm's correction for all pairs)."
    )
    is_grid = subject.reading.results.grid is not None
    shown = [subject.by_label[label] for label in pairs.labels] if is_grid else subject.styles
    heading = "Skill grid" if is_grid else "Pairs"
    if len(shown) > MOST_AGENTS:
        text = f"{len(shown)} agents have too many pairs to be shown; tag ratings --json has them all."
        return subject.part("pairs", heading, about, [Text(text)])
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
    """Return every two agents that have met, the better placed first."""
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
    """Return whether it matters where one sits."""
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
