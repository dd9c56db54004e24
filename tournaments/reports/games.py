"""The parts of a report on the games: how rates settled over them, how long they took, what went wrong in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Final

import numpy as np
import pandas as pd

from tournaments.analysis.figures import distribution_figure
from tournaments.analysis.measures import Measure
from tournaments.definition import Rules
from tournaments.html.figures import AGENT_COLOURS, Figure, variable
from tournaments.html.page import Block, Code, Definitions, Figures, Folded, Heading, Key, Text
from tournaments.html.tables import Column, table
from tournaments.reports import recipe
from tournaments.reports.estimates import courses, decision_times
from tournaments.reports.figures import HIGH, Style, course_figure, times_figure
from tournaments.reports.parts import MOST_AGENTS, NUMBERS, Part, Subject, cells, own_size, sentence
from tournaments.tables import paused_text

#: What is measured of the games themselves.
_LENGTHS: Final = {
    "ticks": "forward-model calls of a game: actions, those without an alternative included",
    "decisions": "how often an agent was asked in a game, with more than one action to choose from",
    "turns": "turns ended in a game",
    "rounds": "rounds ended in a game",
}


def course_part(subject: Subject) -> Part:
    """Return how the rates settled."""
    about = (
        f"The {subject.rate} of each agent with its 95 % interval, while blocks are added in schedule order, from the "
        "second on. An interval is about one number of blocks: do not stop when one looks good."
    )
    course = courses(subject.reading.counted)
    course = course.assign(label=[subject.reading.definition.labels[at] for at in course["agent_index"]])
    percent = ["mean", "low", "high"]
    course[percent] = 100.0 * course[percent]
    title = f"{sentence(subject.rate)} over games"
    shown = [style for style in subject.styles if (course["label"] == style.label).any()]
    blocks: list[Block] = []
    if not shown:
        blocks = [Text("There is no interval before the second block.")]
    elif len(subject.styles) <= len(AGENT_COLOURS):
        blocks = [_key(subject), own_size(course_figure(subject.figure("course"), title, NUMBERS, shown, course))]
    else:
        figures = [_course_of(subject, style, course) for style in shown[:MOST_AGENTS]]
        more = len(shown) - len(figures)
        blocks = [Figures(figures), *([Text(f"And {more} more agents.")] if more else [])]
    return subject.part("convergence", "Convergence", about, blocks)


def _course_of(subject: Subject, style: Style, course: pd.DataFrame) -> Figure:
    return course_figure(subject.figure(f"course-{style.number}"), style.name, "", [style], course)


def _key(subject: Subject) -> Key:
    return Key("agents", [(variable(style.colour), style.name) for style in subject.styles])


def times_part(subject: Subject) -> Iterator[Part]:
    """Yield how long decisions took, if that is known."""
    found = decision_times(subject.reading.timed_seats())
    if found.empty:
        return
    labels = subject.reading.definition.labels
    by_label = {labels[row["agent_index"]]: row for row in found.to_dict("records")}
    rows = pd.DataFrame(
        [
            {**by_label[style.label], "name": style.name, "agent": style.label, "colour": style.colour}
            for style in subject.styles
            if style.label in by_label
        ]
    )
    about = (
        "Wall time of a decision, averaged over each game, in milliseconds: a dot for the median of the games, a thick "
        "line for the middle half of them, a thin one for nine tenths. It is that of the machines that played."
    )
    figure = times_figure(subject.figure("times"), "Milliseconds per decision", NUMBERS, rows)
    columns = {"games": Column("games"), "p5": Column("5 %", "ms"), "p25": Column("25 %", "ms")}
    columns |= {"median": Column("median", "ms"), "p75": Column("75 %", "ms"), "p95": Column("95 %", "ms")}
    listed = table(rows, "Milliseconds per decision, over games", ("agent",), columns, subject.short)
    yield subject.part("times", "Time per decision", about, [own_size(figure), Folded("In numbers", [listed])])


def lengths_part(subject: Subject) -> Part:
    """Return how long games are."""
    games = subject.reading.played_games()
    decisions = subject.reading.seats.groupby("game_id", sort=False)["decisions"].sum()
    values = {name: games[name] for name in ("ticks", "turns", "rounds")}
    values["decisions"] = decisions.loc[games["game_id"]]
    order = np.arange(len(games))
    different: dict[bytes, Measure] = {}  # where each turn is one action, turns would say again what actions do
    for name, about in _LENGTHS.items():
        numbers = values[name].to_numpy(np.float64)
        different.setdefault(numbers.tobytes(), Measure(name, about, numbers, order, np.zeros_like(order)))
    measures = list(different.values())
    about = "Over all games that are not void. On the left of each is the number of players."
    return subject.part("lengths", "Length of games", about, _distributions(subject, measures, "Length of games", {}))


def measures_part(subject: Subject) -> Iterator[Part]:
    """Yield what the tournament's metrics measured, if there are any."""
    if not subject.reading.measures:
        return
    about = (
        "What the metrics of the tournament measured in games that are not void. The mean is that of the games' means, with "
        "its 95 % interval; all else is of single values. On the left of each figure is the number of players."
    )
    title = "Measures of the games"
    interval = {"low": Column("from"), "high": Column("to")}
    yield subject.part("measures", title, about, _distributions(subject, subject.reading.measures, title, interval))


def _distributions(
    subject: Subject, measures: Sequence[Measure], title: str, interval: Mapping[str, Column]
) -> list[Block]:
    """Return a figure of each measure that is not always the same, and a table of all."""
    players, figures, rows = subject.reading.definition.players, [], []
    for measure in measures:
        summary = measure.summary()
        rows.append(summary)
        if summary["min"] == summary["max"]:
            continue
        bins, row = measure.distribution().assign(players=players), pd.DataFrame([{**summary, "players": players}])
        name, words, colours = subject.figure(measure.name), _words(measure.name), {players: HIGH}
        figures.append(distribution_figure(name, words, measure.about, bins, row, "", colours))
    columns = {
        "mean": Column("mean"),
        **interval,
        "min": Column("min"),
        "p5": Column("5 %"),
        "median": Column("median"),
    }
    columns |= {"p95": Column("95 %"), "max": Column("max")}
    listed = table(pd.DataFrame(rows), title, ("measure",), columns)
    return [*([Figures(figures)] if figures else []), listed]


def _words(name: str) -> str:
    return name.replace("_", " ").capitalize()


def faults_part(subject: Subject) -> Part:
    """Return what went wrong."""
    reading = subject.reading
    seats = reading.seats[["game_id", "seat", "agent"]]
    faults = reading.faults.merge(seats, on=["game_id", "seat"]).assign(agent=lambda f: f["agent"].astype(str))
    first = {key: rows.iloc[0] for key, rows in faults.groupby(["agent", "kind"], sort=False)}
    games = seats.drop_duplicates(["game_id", "agent"])["agent"].astype(str).value_counts()
    rows = pd.DataFrame([asdict(count) for count in reading.results.faults])
    rows["share"] = 100.0 * rows["games"] / rows["agent"].map(games)
    found = [first[key] for key in zip(rows["agent"], rows["kind"], strict=True)]
    rows["first"] = cells(pd.Series([fault["game_id"] for fault in found]))
    columns = {"faults": Column("faults"), "games": Column("games"), "share": Column("of its games", "%")}
    columns["first"] = Column("first in")
    messages = [
        (f"{fault['agent']}, {fault['kind']}, in {fault['game_id']}", fault["message"])
        for fault in found
        if fault["message"]
    ]
    blocks: list[Block] = [table(rows, "Faults by agent and kind", ("agent", "kind"), columns, subject.short)]
    blocks += [Text(f"{paused_text(paused)}.") for paused in reading.results.paused]
    if messages:
        blocks.append(Folded("The first message of each", [Definitions(messages)]))
    about = (
        f"Whatever agents did wrong, in all games, also those that do not count. {_policies(reading.definition.rules)}"
    )
    return subject.part("faults", "Faults", about, blocks)


def _policies(rules: Rules) -> str:
    """Return what becomes of each kind of fault, in a sentence."""
    of_kinds = {
        "an illegal action": rules.on_illegal,
        "an exception": rules.on_exception,
        "a time-out": rules.on_time_out,
    }
    if rules.isolate:
        of_kinds |= {"a crash": rules.on_crash, "a hang": rules.on_hang}
    return sentence("; ".join(f"{kind}: {policy}" for kind, policy in of_kinds.items())) + "."


def again_part(subject: Subject) -> Part:
    """Return how to play the same."""
    manifest = subject.reading.manifest
    blocks: list[Block] = [
        Code(recipe.command(manifest.definition)),
        Heading("The same as a file for tag tournament"),
        Code(recipe.toml(manifest.definition)),
    ]
    if manifest.sources:
        text = f"It uses files of its own, whose text is in tournament.json: {', '.join(sorted(manifest.sources))}."
        blocks.append(Text(text))
    versions = [
        *manifest.versions.items(),
        ("tournament", manifest.id),
        ("ledger", subject.reading.results.content_hash),
    ]
    blocks += [Folded("Versions", [Definitions(versions)])]
    about = (
        "With deterministic budgets the same versions play the same games, and the ledger has the same hash. A single "
        "game: tag replay DIR b0-m0-s0, with the tournament's folder for DIR."
    )
    return subject.part("again", "Play it again", about, blocks)
