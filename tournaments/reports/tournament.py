"""The report of a tournament as a page, with the sections on its games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd

from tag.catalogue.registry import game_class
from tag.catalogue.user_code import is_path
from tag.engine.parameters import parse_spec
from tag.errors import UnknownNameError
from tournaments.definition import Rules
from tournaments.reports.figures import HIGH, Style, course_figure, times_figure
from tournaments.reports.html.figures import AGENT_COLOURS, Figure, variable
from tournaments.reports.html.page import (
    Block,
    Code,
    Column,
    Definitions,
    Figures,
    Folded,
    Heading,
    Key,
    Page,
    Paragraph,
    Section,
    table,
)
from tournaments.reports.measure_figures import distribution_figure
from tournaments.reports.reading import (
    MOST_AGENTS,
    NUMBERS,
    Part,
    Reading,
    Subject,
    as_command,
    as_toml,
    cells,
    courses,
    decision_times,
    own_size,
    read_tournament,
    sentence,
)
from tournaments.reports.sections import (
    pairs_part,
    process_parts,
    ratings_part,
    seats_part,
    standings_part,
    stopping_part,
    teams_part,
    variants_part,
)
from tournaments.reports.text import paused_text
from tournaments.results.measures import GameMeasure

# --- parts on the games -----------------------------------------------------------------------------------------------
#
# The courses of rates over the games, their lengths, times and faults.


#: Measures of the games themselves.
_LENGTHS: Final = {
    "ticks": "forward-model calls of a game: actions, those without an alternative included",
    "decisions": "how often an agent was asked in a game, with more than one action to choose from",
    "turns": "turns ended in a game",
    "rounds": "rounds ended in a game",
}


def course_part(subject: Subject) -> Part:
    """Return the courses of the rates."""
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
        blocks = [Paragraph("There is no interval before the second block.")]
    elif len(subject.styles) <= len(AGENT_COLOURS):
        blocks = [_key(subject), own_size(course_figure(subject.figure("course"), title, NUMBERS, shown, course))]
    else:
        figures = [_course_of(subject, style, course) for style in shown[:MOST_AGENTS]]
        more = len(shown) - len(figures)
        blocks = [Figures(figures), *([Paragraph(f"And {more} more agents.")] if more else [])]
    return subject.part("convergence", "Convergence", about, blocks)


def _course_of(subject: Subject, style: Style, course: pd.DataFrame) -> Figure:
    return course_figure(subject.figure(f"course-{style.number}"), style.name, "", [style], course)


def _key(subject: Subject) -> Key:
    return Key("agents", [(variable(style.colour), style.name) for style in subject.styles])


def times_part(subject: Subject) -> Iterator[Part]:
    """Yield the times of decisions, if known."""
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
    """Return the lengths of games."""
    games = subject.reading.played_games()
    decisions = subject.reading.seats.groupby("game_id", sort=False)["decisions"].sum()
    values = {name: games[name] for name in ("ticks", "turns", "rounds")}
    values["decisions"] = decisions.loc[games["game_id"]]
    order = np.arange(len(games))
    different: dict[bytes, GameMeasure] = {}  # if each turn is one action, turns would repeat actions
    for name, about in _LENGTHS.items():
        numbers = values[name].to_numpy(np.float64)
        different.setdefault(numbers.tobytes(), GameMeasure(name, about, numbers, order, np.zeros_like(order)))
    measures = list(different.values())
    about = "Over all games that are not void. On the left of each is the number of players."
    return subject.part("lengths", "Length of games", about, _distributions(subject, measures, "Length of games", {}))


def measures_part(subject: Subject) -> Iterator[Part]:
    """Yield the values of the tournament's metrics, if there are any."""
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
    subject: Subject, measures: Sequence[GameMeasure], title: str, interval: Mapping[str, Column]
) -> list[Block]:
    """Return a figure of each measure that varies, and a table of all."""
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
    """Return the faults."""
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
    blocks += [Paragraph(f"{paused_text(paused)}.") for paused in reading.results.paused]
    if messages:
        blocks.append(Folded("The first message of each", [Definitions(messages)]))
    about = (
        f"Whatever agents did wrong, in all games, also those that do not count. {_policies(reading.definition.rules)}"
    )
    return subject.part("faults", "Faults", about, blocks)


def _policies(rules: Rules) -> str:
    """Return the treatment of each kind of fault, in a sentence."""
    of_kinds = {
        "an illegal action": rules.on_illegal,
        "an exception": rules.on_exception,
        "a time-out": rules.on_time_out,
    }
    if rules.isolate:
        of_kinds |= {"a crash": rules.on_crash, "a hang": rules.on_hang}
    return sentence("; ".join(f"{kind}: {policy}" for kind, policy in of_kinds.items())) + "."


def again_part(subject: Subject) -> Part:
    """Return the command and the TOML file that play the same again."""
    manifest = subject.reading.manifest
    blocks: list[Block] = [
        Code(as_command(manifest.definition)),
        Heading("The same as a file for tag tournament"),
        Code(as_toml(manifest.definition)),
    ]
    if manifest.sources:
        text = f"It uses files of its own, whose text is in tournament.json: {', '.join(sorted(manifest.sources))}."
        blocks.append(Paragraph(text))
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


# --- report of a tournament as a page ---------------------------------------------------------------------------------


def tournament_page(folder: Path) -> Page:
    """Return the report of the tournament in ``folder``, complete or not.

    Raises:
        DataError: there is no tournament, or its ledger is damaged.
    """
    return page_of(read_tournament(folder))


def page_of(reading: Reading) -> Page:
    """Return the report of a tournament that has been read."""
    sections = [Section(part.name, part.title, part.blocks, part.about) for part in tournament_parts(Subject(reading))]
    title = f"Tournament of {title_of(reading.definition.game)}"
    return Page(title, _state(reading), facts_of(reading), sections)


def tournament_parts(subject: Subject) -> Iterator[Part]:
    """Yield all parts that are not empty."""
    reading = subject.reading
    yield standings_part(subject)
    if reading.results.teams:
        yield teams_part(subject)
    if reading.results.stopping is not None:
        yield stopping_part(subject, reading.results.stopping)
    if reading.ratings is not None:
        yield ratings_part(subject, reading.ratings)
        yield pairs_part(subject, reading.ratings.pairs)
    if len(reading.counted):
        if not reading.is_shared:
            yield seats_part(subject)
        yield course_part(subject)
        if reading.results.variants:
            yield variants_part(subject)
    yield from times_part(subject)
    if len(reading.played_games()):
        yield lengths_part(subject)
    yield from measures_part(subject)
    if len(reading.faults):
        yield faults_part(subject)
    yield from process_parts(subject, reading.machines, reading.memory)
    yield again_part(subject)


def facts_of(reading: Reading) -> list[tuple[str, str]]:
    """Return the subject and progress of the tournament, as pairs of a word and a value."""
    definition, versions = reading.definition, reading.manifest.versions
    facts = [
        ("Game", f"{definition.game}, version {versions.get('game', '?')} of the rules"),
        ("Players", str(definition.players)),
        ("Agents", str(len(definition.agents))),
        ("Design", definition.design.replace("_", " ")),
        ("Blocks", _blocks(reading)),
        *(("Drawn for each block", draw) for draw in definition.draw),
        ("Games", _games(reading)),
        ("Seed", str(definition.seed)),
        ("Played with", f"tag {versions.get('tag', '?')}, Python {versions.get('python', '?')}"),
        ("Begun", f"{datetime.fromisoformat(reading.manifest.created):%d %B %Y, %H:%M} UTC"),
    ]
    void = int(reading.games["void"].sum())
    return [*facts, ("Void games", f"{void:,}")] if void else facts


def _blocks(reading: Reading) -> str:
    design, blocks = reading.schedule.design, reading.definition.blocks
    rounds = f" in each of {design.n_rounds} rounds" if design.in_rounds else ""
    most = "at most " if reading.results.stopping else ""
    matchups = design.n_matchups
    of = "" if design.in_rounds or design.learns else f"of {matchups:,} match-up{'s' if matchups != 1 else ''} "
    seatings = f"{design.n_seatings} seating{'s' if design.n_seatings != 1 else ''}"
    return f"{most}{blocks:,}{rounds}, each {of}in {seatings}"


def _games(reading: Reading) -> str:
    results = reading.results
    return f"{results.total:,}, complete" if results.complete else f"{results.games:,} of {results.total_text}"


def _state(reading: Reading) -> str:
    """Return the kind of the tournament, in a sentence or two."""
    about = f"{len(reading.definition.agents)} agents: {reading.schedule.design.about}."
    if reading.results.complete:
        return about
    return f"{about} Not complete: {_games(reading)} games, and all that follows is of these."


def title_of(game: str) -> str:
    """Return the title of a game type; of a user's own or a missing one, also its spec."""
    spec = parse_spec(game)
    if is_path(spec.name):
        return game
    try:
        title = game_class(spec.name).game_type.title
    except UnknownNameError:
        return game
    return ", ".join([title, *(f"{name} {value}" for name, value in spec.values.items())])
