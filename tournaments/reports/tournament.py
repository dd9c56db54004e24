"""The report of a tournament as a page: the parts on strength, stopping, variants, machines and games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import groupby
from math import isnan
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd

from tag.catalogue.registry import game_class
from tag.catalogue.user_code import is_path
from tag.engine.parameters import parse_spec
from tag.errors import UnknownNameError
from tag.tournaments.definition import Rules, TournamentDefinition
from tag.tournaments.designs.agents import budgets_of
from tag.tournaments.designs.rounds import RoundsResult
from tag.tournaments.designs.stopping import BestAgentResult, PrecisionResult, StoppingResult
from tag.tournaments.reports.figures import (
    HIGH,
    LOW,
    Style,
    chances_figure,
    course_figure,
    distribution_figure,
    heat_figure,
    ranges_figure,
    times_figure,
    variants_figure,
)
from tag.tournaments.reports.html.figures import AGENT_COLOURS, Figure, variable
from tag.tournaments.reports.html.page import (
    Block,
    Cell,
    Column,
    Definitions,
    Figures,
    Folded,
    Heading,
    Key,
    Page,
    Paragraph,
    Section,
    Table,
    number,
    records_table,
    table,
)
from tag.tournaments.reports.reading import (
    MOST_AGENTS,
    NUMBERS,
    Part,
    Reading,
    Subject,
    again_part,
    courses,
    decision_times,
    own_size,
    read_tournament,
    sentence,
)
from tag.tournaments.reports.text import (
    FAULTS,
    PLACES,
    ROUND,
    SCORES,
    TEAMS,
    begun_text,
    paused_text,
    place_records,
    ratings_columns,
    round_columns,
    round_records,
    scale_text,
    score_records,
    standings_columns,
    telling_columns,
)
from tag.tournaments.results.machines import MachineResults, MemoryResults
from tag.tournaments.results.measures import GameMeasure
from tag.tournaments.results.tournament import RatingSummary, VariantStandings
from tag.tournaments.statistics.intervals import Interval, plain_record
from tag.tournaments.statistics.pairwise import PairwiseTable

# --- strength: standings, ratings, pairs and seats --------------------------------------------------------------------


def standings_part(subject: Subject) -> Part:
    """Return the standings, and the rates with their intervals."""
    standings = subject.reading.results.standings
    pairs = zip(standings, subject.styles, strict=False)
    records = [{**standing.to_json(), "place": style.number} for standing, style in pairs]
    about = (
        "95 % intervals are from block means. Only whole match-ups count: all seatings of a block played, none void. "
        "Effective games are independent games that would tell as much about the rate."
    )
    if not records:
        return subject.part("standings", "Standings", about, [Paragraph("No game has been played yet.")])
    columns = telling_columns(standings, subject.reading.is_shared)
    clock = next(name for name in columns if name.startswith("decision"))
    columns[clock] = replace(columns[clock], form="")  # microseconds have room here
    if not subject.reading.is_shared and any(one.score != one.points for one in standings if one.games):
        columns["score"] = Column("score", "of the game", ".2f", "half")
    caption, games = "Standings", {standing.games for standing in standings}
    if len(games) == 1:
        caption = f"Standings, after {games.pop():,} games of each"
        del columns["games"]
    blocks: list[Block] = [records_table(records, caption, ("place", "agent"), columns, subject.short)]
    repeats = subject.reading.results.repeats
    if repeats is not None and repeats.text:
        blocks.append(Paragraph(f"{sentence(repeats.text)}."))
    if len(subject.reading.counted):
        blocks.append(own_size(_rates(subject)))
    full = [(short, label) for label, short in subject.short.items() if short != label]
    if full:
        blocks.append(Folded("Agents in full", [Definitions(full)]))
    more = {"blocks": Column("blocks"), "effective_games": Column("effective games"), "decisions": Column("decisions")}
    blocks.append(
        Folded("Games behind these numbers", [records_table(records, "Games", ("agent",), more, subject.short)])
    )
    return subject.part("standings", "Standings", about, blocks)


def _rates(subject: Subject) -> Figure:
    """Return the win rates of the agents that have games, or the scores."""
    pairs = [
        (row, style) for row, style in zip(subject.reading.results.standings, subject.styles, strict=True) if row.games
    ]
    if subject.reading.results.by_score:
        scores = [(style.name, style.colour, row.score, *row.score_interval) for row, style in pairs]
        frame = pd.DataFrame(scores, columns=["name", "colour", "mean", "low", "high"])
        return ranges_figure(subject.figure("rates"), "Score", NUMBERS, frame)
    frame = _percent_ranges((style.name, style.colour, row.win_rate, row.win_rate_interval) for row, style in pairs)
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
    drawn = _percent_ranges(
        (team.team, HIGH, team.success_rate, team.success_rate_interval) for team in teams[:MOST_AGENTS]
    )
    figure = ranges_figure(subject.figure("teams"), "Success rate of teams", "", drawn, "%")
    listed = records_table([team.to_json() for team in teams], "Teams", ("team",), TEAMS)
    return subject.part("teams", "Teams", about, [own_size(figure), listed])


def _percent_ranges(rows: Iterable[tuple[str, str, float, Interval]]) -> pd.DataFrame:
    """Return shares with their intervals in percent, by name and colour, for `ranges_figure`."""
    scaled = [(name, colour, *(100.0 * end for end in (value, *interval))) for name, colour, value, interval in rows]
    return pd.DataFrame(scaled, columns=["name", "colour", "mean", "low", "high"])


def ratings_part(subject: Subject, ratings: RatingSummary) -> Part:
    """Return the strengths on one scale."""
    records = [plain_record(agent) for agent in ratings.agents]
    styles = [subject.by_label[agent.agent] for agent in ratings.agents]
    frame = pd.DataFrame(
        {
            "name": [style.name for style in styles],
            "colour": [style.colour for style in styles],
            "mean": [agent.rating for agent in ratings.agents],
            "low": [agent.interval.low for agent in ratings.agents],
            "high": [agent.interval.high for agent in ratings.agents],
            "note": [agent.groups for agent in ratings.agents],
        }
    )
    fit = "One Plackett-Luce fit to all games, with terms for the seats"
    if subject.reading.results.is_alone:
        fit = "One Plackett-Luce fit to all pairs of agents in each block, placed by their scores"
    about = (
        f"{fit}. 400 points are odds of 10 to 1, the mean is 0; intervals are from the differences between blocks. Two "
        "agents share a letter just if games compare them, also through others, and their ratings cannot be told apart "
        "(5 %, Holm)."
    )
    figure = ranges_figure(subject.figure("ratings"), "Ratings and groups", NUMBERS, frame, reference=0.0)
    listed = records_table(records, "Ratings", ("agent",), ratings_columns(ratings), subject.short)
    blocks: list[Block] = [own_size(figure), listed]
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
        [key, own_size(figure), Folded("All pairs", [pair_table(pairs, order, subject.short)])],
    )


def pair_table(pairs: PairwiseTable, order: Sequence[int], short: Mapping[str, str]) -> Table:
    """Return the results of every two agents that have met, the better placed first."""
    records = [
        {
            "agent": pairs.labels[one],
            "other": pairs.labels[other],
            **{
                name: float(getattr(pairs, name)[one, other]) for name in ("games", "score", "low", "high", "corrected")
            },
        }
        for at, one in enumerate(order)
        for other in order[at + 1 :]
        if not isnan(pairs.score[one, other])
    ]
    columns = {"games": Column("games"), "score": Column("score", "%", ".3f", "ends")}
    columns["corrected"] = Column("p", "after Holm", ".3f")
    return records_table(records, "All pairs", ("agent", "other"), columns, short)


def seats_part(subject: Subject) -> Part:
    """Return the effect of the seats."""
    definition, counted = subject.reading.definition, subject.reading.counted
    equal = 1.0 / definition.players
    points = counted.seat_points()
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
        worth = subject.reading.ratings.seats.get(definition.players, [])
        terms = pd.DataFrame([(value, *interval) for value, interval in worth], columns=["mean", "low", "high"])
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
    counted, labels = subject.reading.counted, subject.reading.definition.labels
    columns = {
        f"seat {seat}": Column(f"seat {seat}", "", ".3f", "half") for seat in range(subject.reading.definition.players)
    }
    records = []
    for style in subject.styles:
        record: dict[str, Any] = {"agent": style.label, **dict.fromkeys(columns)}
        for row in counted.seat_points(labels.index(style.label)).itertuples():
            seat = f"seat {row.seat}"
            record |= {seat: row.mean, f"{seat}_low": row.low, f"{seat}_high": row.high}
        records.append(record)
    return records_table(records, "Points by agent and seat", ("agent",), columns, subject.short)


def _of_seats(seats: pd.Series | pd.Index, rows: pd.DataFrame) -> pd.DataFrame:
    """Return ranges with the names of seats."""
    return rows.assign(name=[f"seat {seat}" for seat in seats], colour=HIGH)


# --- rounds -----------------------------------------------------------------------------------------------------------


def rounds_part(subject: Subject, rounds: RoundsResult) -> Part:
    """Return the tables of all rounds, the points of a Swiss tournament, and the winner."""
    about = (
        "The tables of each round with the points of its blocks. A void game is lost by those whose faults voided it. "
        "The standings above are of all games, whoever the opponents were: they do not say who wins."
    )
    blocks: list[Block] = [Paragraph(f"{sentence(rounds.text)}.")]
    if rounds.scores:
        caption = "Points of all rounds, a bye counting as wins"
        blocks.append(records_table(score_records(rounds), caption, ("agent",), SCORES, subject.short))
    blocks.append(records_table(round_records(rounds), "Tables", tuple(ROUND), round_columns(rounds)))
    return subject.part("rounds", "Rounds", about, blocks)


# --- stopping rule ----------------------------------------------------------------------------------------------------


#: The number of agents with a line in a figure of probabilities.
_MOST_LINES: Final = 6


def stopping_part(subject: Subject, stopping: StoppingResult) -> Part:
    """Return the state of the stopping rule, and its data."""
    blocks: list[Block] = [Paragraph(f"{sentence(stopping.text)}.")]
    if isinstance(stopping, PrecisionResult) and stopping.blocks > 1:
        blocks += _precision(subject, stopping)
    if isinstance(stopping, BestAgentResult):
        blocks += _best_agent(subject, stopping)
    return subject.part("stopping", stopping.title, stopping.about, blocks)


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
    columns = {"p_best": Column("P(best)", form=".3f"), "games": Column("games")}
    contenders = [asdict(contender) for contender in stopping.contenders]
    blocks: list[Block] = [records_table(contenders, "Contenders", ("agent",), columns, subject.short)]
    if len(stopping.course) > 1:
        shown = [subject.by_label[contender.agent] for contender in stopping.contenders[:_MOST_LINES]]
        blocks.insert(0, own_size(chances_figure(subject.figure("stopping"), shown, stopping)))
    return blocks


# --- variants: results by the drawn values of parameters --------------------------------------------------------------


def variants_part(subject: Subject) -> Part:
    """Return the points, success rate or score of each agent by each value of each parameter that is drawn."""
    about = (
        "Parameters of the game that are drawn anew for each block, each value equally often, with 95 % "
        "intervals from the blocks with that value alone; other drawn parameters are averaged over."
    )
    blocks: list[Block] = []
    what, column = (subject.rate, "win_rate") if subject.reading.is_shared else ("points", "points")
    if subject.reading.results.by_score:
        what = column = "score"
    has_colours = len(subject.styles) <= len(AGENT_COLOURS)
    if has_colours:
        blocks.append(Key("agents", [(variable(style.colour), style.name) for style in subject.styles]))
    for parameter, of_it in groupby(subject.reading.results.variants, key=lambda variant: variant.parameter):
        variants = list(of_it)
        records = _variant_records(subject, variants, column)
        heading = f"{sentence(what)} by {parameter}"
        if has_colours:
            name, values = subject.figure(f"variants-{parameter}"), [variant.value for variant in variants]
            blocks.append(own_size(variants_figure(name, heading, "", subject.styles, values, pd.DataFrame(records))))
        columns = {"blocks": Column("blocks"), "games": Column("games"), column: Column(what, "", ".3f", "half")}
        listed = records_table(records, heading, ("value", "agent"), columns, subject.short)
        blocks.append(Folded(f"{parameter} in numbers", [listed]))
    return subject.part("variants", "Variants", about, blocks)


def _variant_records(subject: Subject, variants: Sequence[VariantStandings], column: str) -> list[dict[str, Any]]:
    """Return a record per value and agent, agents in the order of the standings."""
    records = []
    for variant in variants:
        by_agent = {standing.agent: standing.to_json() for standing in variant.standings}
        for row in (by_agent[style.label] for style in subject.styles):
            ends = {"mean": row[column], "low": row[f"{column}_low"], "high": row[f"{column}_high"]}
            records.append({"value": variant.value, **row, **ends})
    return records


# --- machines and workers, and agents that remember deals -------------------------------------------------------------


def process_parts(subject: Subject, machines: MachineResults, memory: MemoryResults) -> Iterator[Part]:
    """Yield the parts on machines and workers, and on agents that remember deals, if there are any findings."""
    if machines.tests:
        yield _machines_part(subject, machines)
    if memory.flagged:
        yield _memory_part(subject, memory)


#: The columns of the standings without some machines.
_KEPT: Final = ("games", "win_rate")


def _machines_part(subject: Subject, found: MachineResults) -> Part:
    """Return the machines and workers, and the standings without those that differ."""
    places = [{**one, "verdict": one["verdict"] or "as the others"} for one in place_records(found)]
    columns = {**PLACES, "verdict": Column("verdict")}
    blocks: list[Block] = [records_table(places, "Machines and workers", ("kind", "place"), columns)]
    blocks += [Paragraph(f"{sentence(text)}.") for text in found.sentences()]
    for each in found.without:
        caption = f"Without the match-ups in which {' and '.join(each.places)} played"
        kept = [standing.to_json() for standing in each.standings]
        columns = {name: column for name, column in standings_columns(each.standings).items() if name in _KEPT}
        blocks.append(records_table(kept, caption, ("agent",), columns, subject.short))
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
    is_score = subject.reading.results.by_score
    what, unit = ("score", "") if is_score else (subject.rate, "%")
    about = (
        f"The {what} of each agent with its 95 % interval, while blocks are added in schedule order, from the "
        "second on. An interval is about one number of blocks: do not stop when one looks good."
    )
    course = courses(subject.reading.counted, by_score=is_score)
    course = course.assign(label=[subject.reading.definition.labels[at] for at in course["agent_index"]])
    percent = ["mean", "low", "high"]
    course[percent] *= 1.0 if is_score else 100.0
    title = f"{sentence(what)} over games"
    shown = [style for style in subject.styles if (course["label"] == style.label).any()]
    blocks: list[Block] = []
    if not shown:
        blocks = [Paragraph("There is no interval before the second block.")]
    elif len(subject.styles) <= len(AGENT_COLOURS):
        figure = course_figure(subject.figure("course"), title, NUMBERS, shown, course, unit)
        blocks = [_key(subject), own_size(figure)]
    else:
        figures = [_course_of(subject, style, course, unit) for style in shown[:MOST_AGENTS]]
        more = len(shown) - len(figures)
        blocks = [Figures(figures), *([Paragraph(f"And {more} more agents.")] if more else [])]
    return subject.part("convergence", "Convergence", about, blocks)


def _course_of(subject: Subject, style: Style, course: pd.DataFrame, unit: str) -> Figure:
    return course_figure(subject.figure(f"course-{style.number}"), style.name, "", [style], course, unit)


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
    games = subject.reading.games
    is_played = ~games.column("void")
    values = {name: games.column(name) for name in ("ticks", "turns", "rounds")} | {"decisions": games.decisions()}
    order = np.arange(int(is_played.sum()))
    different: dict[bytes, GameMeasure] = {}  # if each turn is one action, turns would repeat actions
    for name, about in _LENGTHS.items():
        numbers = values[name][is_played].astype(np.float64)
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
    first = {key: rows.iloc[0] for key, rows in reading.faults.groupby(["agent", "kind"], sort=False)}
    games = dict(zip(reading.definition.labels, reading.games.games_of_agents().tolist(), strict=False))
    found = [first[count.agent, count.kind] for count in reading.results.faults]
    records = [
        {**asdict(count), "share": 100.0 * count.games / games[count.agent], "first": fault["game_id"]}
        for count, fault in zip(reading.results.faults, found, strict=True)
    ]
    columns = {**FAULTS, "share": Column("of its games", "%"), "first": Column("first in")}
    messages = [
        (f"{fault['agent']}, {fault['kind']}, in {fault['game_id']}", fault["message"])
        for fault in found
        if fault["message"]
    ]
    blocks: list[Block] = [
        records_table(records, "Faults by agent and kind", ("agent", "kind"), columns, subject.short)
    ]
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


def event_section(name: str, event: TournamentDefinition, reading: Reading | None) -> Section:
    """Return the section of a series on one of its events, with all parts; ``reading`` is None before it begins."""
    title = f"{title_of(event.game)}, {event.players} player{'s' if event.players != 1 else ''}"
    if reading is None:
        return Section(name, title, [Paragraph("Not begun yet.")])
    blocks: list[Block] = []
    for part in tournament_parts(Subject(reading, f"{name}-")):
        blocks += [Heading(part.title), Paragraph(part.about), *part.blocks]
    return Section(name, title, blocks, " · ".join(f"{word.lower()} {value}" for word, value in facts_of(reading)))


def tournament_parts(subject: Subject) -> Iterator[Part]:
    """Yield all parts that are not empty."""
    reading = subject.reading
    yield standings_part(subject)
    if reading.results.teams:
        yield teams_part(subject)
    if reading.results.rounds is not None:
        yield rounds_part(subject, reading.results.rounds)
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
    if not reading.games.column("void").all():
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
        ("Begun", begun_text(reading.manifest.created)),
    ]
    void = int(reading.games.column("void").sum())
    return [*facts, ("Void games", f"{void:,}")] if void else facts


def _blocks(reading: Reading) -> str:
    design, blocks = reading.schedule.design, reading.definition.blocks
    rounds = f" in each of {design.n_rounds} round{'s' if design.n_rounds != 1 else ''}" if design.in_rounds else ""
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
