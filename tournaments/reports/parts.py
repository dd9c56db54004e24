"""The parts of a tournament's report: what each shows, and in which words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Final

import numpy as np
import pandas as pd

from tournaments.analysis.figures import distribution_figure
from tournaments.analysis.measures import Measure
from tournaments.html.figures import AGENT_COLOURS, Figure, variable
from tournaments.html.page import Block, Code, Definitions, Figures, Folded, Heading, Key, Text
from tournaments.html.tables import NOTHING, Cell, Column, Table, number, table
from tournaments.ratings.pairwise import PairwiseTable
from tournaments.ratings.summary import RatingSummary
from tournaments.ratings.tables import scale_text
from tournaments.reports import recipe
from tournaments.reports.estimates import courses, decision_times, seat_points
from tournaments.reports.figures import (
    HIGH,
    LOW,
    Style,
    course_figure,
    heat_figure,
    ranges_figure,
    styles,
    times_figure,
)
from tournaments.reports.reading import Reading

#: With more agents there is no heat map, no list of pairs, and a course for these many only.
_MOST_AGENTS: Final = 40
#: What is measured of the games themselves.
_LENGTHS: Final = {
    "ticks": "forward-model calls of a game: actions, those without an alternative included",
    "decisions": "how often an agent was asked in a game, with more than one action to choose from",
    "turns": "turns ended in a game",
    "rounds": "rounds ended in a game",
}
_NUMBERS: Final = "The numbers behind the names are places in the standings."


@dataclass(frozen=True)
class Part:
    """A part of a report: a section of its own, or within that of an event.

    Attributes:
        name: identifies it in links.
        title: its heading.
        about: a line below it.
        blocks: the content.
    """

    name: str
    title: str
    about: str
    blocks: Sequence[Block]


class TournamentParts:
    """The parts of the report of one tournament."""

    def __init__(self, reading: Reading, prefix: str = "") -> None:
        """Take what there is to show.

        Args:
            reading: of the tournament.
            prefix: of all names, which are distinct on a page.
        """
        self._reading = reading
        self._prefix = prefix
        labels = reading.definition.labels
        self._styles = styles([standing.agent for standing in reading.standings] or labels, labels)
        self._by_label = {style.label: style for style in self._styles}

    def all(self) -> Iterator[Part]:
        """Yield all parts for which there is anything to say."""
        yield self._standings()
        if self._reading.ratings is not None and len(self._styles) > 1:
            yield self._ratings(self._reading.ratings)
            yield self._pairs(self._reading.ratings.pairs)
        if len(self._reading.counted):
            if not self._reading.is_shared:
                yield self._seats()
            yield self._course()
        yield from self._times()
        if len(self._reading.played_games()):
            yield self._lengths()
        if len(self._reading.faults):
            yield self._faults()
        yield self._again()

    @property
    def _rate(self) -> str:
        """What a share of games won is called."""
        return "success rate" if self._reading.is_shared else "win rate"

    def _figure(self, what: str) -> str:
        return f"{self._prefix}figure-{what}"

    def _part(self, name: str, title: str, about: str, blocks: Sequence[Block]) -> Part:
        return Part(f"{self._prefix}{name}", title, about, blocks)

    # --- strength ---------------------------------------------------------------------------------------------------

    def _standings(self) -> Part:
        columns = {"games": Column("games"), "win_rate": Column(self._rate, "%")}
        if not self._reading.is_shared:
            columns |= {"points": Column("points", "per game"), "mean_ordinal": Column("mean place")}
        columns["score"] = Column("score", "of the game")
        columns |= {"effective_games": Column("effective games"), "decisions": Column("decisions")}
        columns |= {"decision_ms": Column("time", "ms per decision"), "faults": Column("faults")}
        scores = self._reading.counted.groupby("agent", observed=True)["score"].mean().to_dict()
        rows = []
        for standing, style in zip(self._reading.standings, self._styles, strict=False):
            row = standing.to_json()
            row |= {"place": style.number, "score": scores.get(standing.agent)}
            row["win_rate"] = _estimate(row, "win_rate", 100.0, 1)
            row["points"] = _estimate(row, "points", 1.0, 3)
            row["mean_ordinal"] = _estimate(row, "mean_ordinal", 1.0, 2)
            rows.append(row)
        about = (
            "95 % intervals are from block means. Only whole match-ups count: all seatings of a block played, none void. "
            "Effective games are independent games that would tell as much about the rate."
        )
        if not rows:
            return self._part("standings", "Standings", about, [Text("No game has been played yet.")])
        found = table(pd.DataFrame(rows), "Standings", ("place", "agent"), columns)
        return self._part("standings", "Standings", about, [found])

    def _ratings(self, ratings: RatingSummary) -> Part:
        has_met = not any(isnan(agent.nash) for agent in ratings.agents)
        rows = [
            {
                "agent": agent.agent,
                "name": self._by_label[agent.agent].name,
                "colour": self._by_label[agent.agent].colour,
                "mean": agent.rating,
                "low": agent.low,
                "high": agent.high,
                "note": agent.groups,
                "rating": Cell(f"{agent.rating:+.0f}", _signed(agent.low, agent.high)),
                "p_best": agent.p_best,
                "nash": agent.nash,
                "alpha": agent.alpha_rank,
            }
            for agent in ratings.agents
        ]
        columns = {"rating": Column("rating"), "p_best": Column("P(best)"), "note": Column("group")}
        if has_met:
            columns |= {"nash": Column("Nash"), "alpha": Column("alpha-rank")}
        frame = pd.DataFrame(rows)
        about = (
            "One Plackett-Luce fit to all games, with terms for the seats. 400 points are odds of 10 to 1, the mean is 0; "
            "intervals are from a bootstrap over blocks. Two agents share a letter just if they cannot be told apart "
            "(5 %, Holm)."
        )
        figure = ranges_figure(self._figure("ratings"), "Ratings and groups", _NUMBERS, frame, reference=0.0)
        shown = frame.assign(note=_cells(frame["note"]))
        blocks: list[Block] = [_own(figure), table(shown, "Ratings", ("agent",), columns)]
        scale = scale_text(ratings)
        return self._part("ratings", "Ratings", about, [*blocks, *([Text(f"{_sentence(scale)}.")] if scale else [])])

    def _pairs(self, pairs: PairwiseTable) -> Part:
        about = (
            "How often the row is placed above the column, in percent, a shared place counting half; empty where two have "
            "not met. A mark says that it is no chance (5 %, after Holm's correction for all pairs)."
        )
        shown = [style for style in self._styles if style.label in pairs.labels]
        if len(shown) > _MOST_AGENTS:
            text = f"{len(shown)} agents have too many pairs to be shown; tag ratings --json has them all."
            return self._part("pairs", "Pairs", about, [Text(text)])
        order = [pairs.labels.index(style.label) for style in shown]
        square = np.ix_(order, order)
        different = pairs.is_different()[square]
        title = f"Rows against columns; {int(np.triu(different, 1).sum())} pairs are told apart"
        figure = heat_figure(self._figure("pairs"), title, _NUMBERS, shown, pairs.score[square], different)
        key = Key("score", [(variable(HIGH), "above one half"), (variable(LOW), "below")])
        return self._part(
            "pairs", "Pairs", about, [key, _own(figure), Folded("All pairs", [_pair_table(pairs, order)])]
        )

    # --- seats ------------------------------------------------------------------------------------------------------

    def _seats(self) -> Part:
        definition, counted = self._reading.definition, self._reading.counted
        equal = 1.0 / definition.players
        points = seat_points(counted)
        first = _of_seats(points["seat"], points)
        figures = [
            ranges_figure(
                self._figure("seats"),
                "Points per seat",
                f"Mean over all agents; the line is an equal share, {number(equal)}.",
                first,
                reference=equal,
            )
        ]
        if self._reading.ratings is not None:
            terms = pd.DataFrame(
                self._reading.ratings.seats.get(definition.players, []), columns=["mean", "low", "high"]
            )
            text = "From the fit: what sitting there is worth, whoever sits there."
            rows = _of_seats(terms.index, terms)
            figures.append(
                ranges_figure(self._figure("seat-terms"), "Seats in rating points", text, rows, reference=0.0)
            )
        about = "Whether it matters where one sits."
        if definition.design == "fixed":
            about += " Every agent keeps its seat in this design, so seats and agents cannot be told apart."
        blocks: list[Block] = [Figures(figures, "own"), Folded("Points by agent and seat", [self._seats_by_agent()])]
        return self._part("seats", "Seats", about, blocks)

    def _seats_by_agent(self) -> Table:
        counted = self._reading.counted
        rows = []
        for style in self._styles:
            own = counted[(counted["agent"] == style.label).to_numpy(dtype=bool)]
            cells = {
                f"seat {row['seat']}": _estimate({"x": row["mean"], "x_low": row["low"], "x_high": row["high"]}, "x")
                for row in seat_points(own).to_dict("records")
            }
            rows.append({"agent": style.label, **cells})
        seats = [f"seat {seat}" for seat in range(self._reading.definition.players)]
        frame = pd.DataFrame(rows).reindex(columns=["agent", *seats]).astype(object)
        return table(frame, "Points by agent and seat", ("agent",), {seat: Column(seat) for seat in seats})

    # --- time and length --------------------------------------------------------------------------------------------

    def _course(self) -> Part:
        about = (
            f"The {self._rate} of each agent with its 95 % interval, while blocks are added in schedule order, from the "
            "second on. An interval is about one number of blocks: do not stop when one looks good."
        )
        course = courses(self._reading.counted)
        course = course.assign(label=[self._reading.definition.labels[at] for at in course["agent_index"]])
        percent = ["mean", "low", "high"]
        course[percent] = 100.0 * course[percent]
        title = f"{_sentence(self._rate)} over games"
        shown = [style for style in self._styles if (course["label"] == style.label).any()]
        blocks: list[Block] = []
        if not shown:
            blocks = [Text("There is no interval before the second block.")]
        elif len(self._styles) <= len(AGENT_COLOURS):
            blocks = [self._key(), _own(course_figure(self._figure("course"), title, _NUMBERS, shown, course))]
        else:
            figures = [self._course_of(style, course) for style in shown[:_MOST_AGENTS]]
            more = len(shown) - len(figures)
            blocks = [Figures(figures), *([Text(f"And {more} more agents.")] if more else [])]
        return self._part("convergence", "Convergence", about, blocks)

    def _course_of(self, style: Style, course: pd.DataFrame) -> Figure:
        return course_figure(self._figure(f"course-{style.number}"), style.name, "", [style], course)

    def _key(self) -> Key:
        return Key("agents", [(variable(style.colour), style.name) for style in self._styles])

    def _times(self) -> Iterator[Part]:
        found = decision_times(self._reading.timed_seats())
        if found.empty:
            return
        labels = self._reading.definition.labels
        by_label = {labels[row["agent_index"]]: row for row in found.to_dict("records")}
        rows = pd.DataFrame(
            [
                {**by_label[style.label], "name": style.name, "agent": style.label, "colour": style.colour}
                for style in self._styles
                if style.label in by_label
            ]
        )
        about = (
            "Wall time of a decision, averaged over each game, in milliseconds: a dot for the median of the games, a thick "
            "line for the middle half of them, a thin one for nine tenths. It is that of the machines that played."
        )
        figure = times_figure(self._figure("times"), "Milliseconds per decision", _NUMBERS, rows)
        columns = {"games": Column("games"), "p5": Column("5 %", "ms"), "p25": Column("25 %", "ms")}
        columns |= {"median": Column("median", "ms"), "p75": Column("75 %", "ms"), "p95": Column("95 %", "ms")}
        listed = table(rows, "Milliseconds per decision, over games", ("agent",), columns)
        yield self._part("times", "Time per decision", about, [_own(figure), Folded("In numbers", [listed])])

    def _lengths(self) -> Part:
        games = self._reading.played_games()
        decisions = self._reading.seats.groupby("game_id", sort=False)["decisions"].sum()
        values = {name: games[name] for name in ("ticks", "turns", "rounds")}
        values["decisions"] = decisions.loc[games["game_id"]]
        order = np.arange(len(games))
        players, figures, rows = self._reading.definition.players, [], []
        for name, about in _LENGTHS.items():
            measure = Measure(name, about, values[name].to_numpy(np.float64), order, np.zeros_like(order))
            summary = measure.summary()
            rows.append(summary)
            if summary["min"] == summary["max"]:
                continue
            bins, row = measure.distribution().assign(players=players), pd.DataFrame([{**summary, "players": players}])
            title, colours = name.capitalize(), {players: HIGH}
            figures.append(distribution_figure(self._figure(name), title, about, bins, row, "", colours))
        columns = {"mean": Column("mean"), "min": Column("min"), "p5": Column("5 %"), "median": Column("median")}
        columns |= {"p95": Column("95 %"), "max": Column("max")}
        listed = table(pd.DataFrame(rows), "Length of games", ("measure",), columns)
        about = "Over all games that are not void. On the left of each is the number of players."
        return self._part("lengths", "Length of games", about, [*([Figures(figures)] if figures else []), listed])

    # --- what went wrong, and how to do it again --------------------------------------------------------------------

    def _faults(self) -> Part:
        seats = self._reading.seats[["game_id", "seat", "agent"]]
        faults = self._reading.faults.merge(seats, on=["game_id", "seat"]).assign(
            agent=lambda f: f["agent"].astype(str)
        )
        games = seats["agent"].astype(str).value_counts()
        by = faults.groupby(["agent", "kind"], sort=True)
        rows = by.agg(faults=("tick", "size"), games=("game_id", "nunique"), first=("game_id", "first")).reset_index()
        rows["share"] = 100.0 * rows["games"] / rows["agent"].map(games)
        rows["first"] = _cells(rows["first"])
        columns = {"faults": Column("faults"), "games": Column("games"), "share": Column("of its games", "%")}
        columns["first"] = Column("first in")
        policies = self._reading.definition.rules
        about = (
            f"Whatever an agent did wrong, in all games, also those that do not count. An illegal action: "
            f"{policies.on_illegal}; an exception: {policies.on_exception}; a time-out: {policies.on_time_out}."
        )
        messages = [
            (f"{agent}, {kind}, in {rows['game_id'].iloc[0]}", rows["message"].iloc[0])
            for (agent, kind), rows in by
            if rows["message"].iloc[0]
        ]
        blocks: list[Block] = [table(rows, "Faults by agent and kind", ("agent", "kind"), columns)]
        if messages:
            blocks.append(Folded("The first message of each", [Definitions(messages)]))
        return self._part("faults", "Faults", about, blocks)

    def _again(self) -> Part:
        manifest = self._reading.manifest
        blocks: list[Block] = [
            Code(recipe.command(manifest.definition)),
            Heading("The same as a file for tag tournament"),
            Code(recipe.toml(manifest.definition)),
        ]
        if manifest.sources:
            text = f"It uses files of its own, whose text is in tournament.json: {', '.join(sorted(manifest.sources))}."
            blocks.append(Text(text))
        versions = [*manifest.versions.items(), ("tournament", manifest.id), ("ledger", self._reading.content_hash)]
        blocks += [Folded("Versions", [Definitions(versions)])]
        about = (
            "With deterministic budgets the same versions play the same games, and the ledger has the same hash. A single "
            "game: tag replay DIR b0-m0-s0, with the tournament's folder for DIR."
        )
        return self._part("again", "Play it again", about, blocks)


def _estimate(row: dict[str, float | None], name: str, scale: float = 1.0, digits: int = 3) -> Cell:
    """Return a mean with its interval below it."""
    value, low, high = (row[key] for key in (name, f"{name}_low", f"{name}_high"))
    if value is None or low is None or high is None:
        return Cell(NOTHING)
    return Cell(f"{scale * value:.{digits}f}", f"{scale * low:.{digits}f} … {scale * high:.{digits}f}")


def _cells(texts: pd.Series) -> pd.Series:
    return pd.Series([Cell(text) for text in texts], texts.index, dtype=object)


def _signed(low: float, high: float) -> str:
    return "" if isnan(low) else f"{low:+.0f} … {high:+.0f}"


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _own(figure: Figure) -> Figures:
    return Figures([figure], "own")


def _of_seats(seats: pd.Series | pd.Index, rows: pd.DataFrame) -> pd.DataFrame:
    """Return ranges with the names of seats."""
    return rows.assign(name=[f"seat {seat}" for seat in seats], colour=HIGH)


def _pair_table(pairs: PairwiseTable, order: Sequence[int]) -> Table:
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
            "p": pairs.corrected[one, other],
        }
        for at, one in enumerate(order)
        for other in order[at + 1 :]
        if not isnan(pairs.score[one, other])
    ]
    columns = {"games": Column("games"), "score": Column("score", "%"), "p": Column("p", "after Holm")}
    frame = pd.DataFrame(rows, columns=["agent", "other", *columns])
    return table(frame, "All pairs", ("agent", "other"), columns)
