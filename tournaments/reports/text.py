"""Results as text: tables for a terminal, Markdown and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from itertools import groupby
from math import isnan
from typing import TYPE_CHECKING, Any, Final

from rich.console import Console
from rich.table import Table

from tag.tournaments.designs.agents import budgets_of, short_labels
from tag.tournaments.reports.html.page import Column, ends_of
from tag.tournaments.statistics.intervals import IntervalEstimate, ends_text, half_width_text, plain_record

if TYPE_CHECKING:
    from tag.tournaments.designs.rounds import RoundsResult
    from tag.tournaments.results.machines import MachineResults
    from tag.tournaments.results.tournament import (
        FaultCount,
        PausedAgent,
        RatingSummary,
        TournamentResults,
        VariantStandings,
    )
    from tag.tournaments.statistics.pairwise import PairwiseTable
    from tag.tournaments.statistics.standings import Standing, TeamStanding

# --- tables of records ------------------------------------------------------------------------------------------------


#: The rounding error of an interval of no width, as that of an anchored rating.
_ROUNDING: Final = 1e-9
_INTERVAL: Final = "95 % interval"


def terminal_table(
    records: Sequence[Mapping[str, Any]], labels: Mapping[str, str], columns: Mapping[str, Column]
) -> Table:
    """Return records as a table for a terminal.

    Args:
        records: values by name, None where there is none.
        labels: the headings of the names that identify a record.
        columns: the other columns, by name.
    """
    headings, rows = _texts(records, labels, columns)
    is_left = [True] * len(labels)
    for column in columns.values():
        is_left += [not column.form, *([False] if column.spread == "ends" else [])]
    return _table(headings, rows, is_left)


def records_text(
    records: Sequence[Mapping[str, Any]],
    labels: Mapping[str, str],
    columns: Mapping[str, Column],
    width: int | None = None,
) -> str:
    """Return `terminal_table` as plain text."""
    return table_text(terminal_table(records, labels, columns), width)


def rows_text(headings: Sequence[str], rows: Iterable[Sequence[str]], width: int | None = None, left: int = 1) -> str:
    """Return texts as a table, the first ``left`` columns flush left and the others flush right."""
    return table_text(_table(headings, rows, [at < left for at in range(len(headings))]), width)


def table_text(table: Table, width: int | None) -> str:
    """Return a table as plain text without control codes."""
    console = Console(file=io.StringIO(), width=width or 140, highlight=False, color_system=None, force_jupyter=False)
    with console.capture() as capture:
        console.print(table)
    return "\n".join(line.rstrip() for line in capture.get().splitlines())


def number_text(value: float | None, form: str) -> str:
    """Return a number in ``form``, or a dash where there is none."""
    return "-" if value is None or isnan(value) else format(value, form)


def interval_text(low: float | None, high: float | None, form: str) -> str:
    """Return an interval; ``fixed`` if it has no width, and a dash where there is none."""
    if low is None or high is None:
        return "-" if low is high else f"{number_text(low, form)} … {number_text(high, form)}"
    return "fixed" if high - low < _ROUNDING else ends_text(low, high, form)


def _texts(
    records: Sequence[Mapping[str, Any]], labels: Mapping[str, str], columns: Mapping[str, Column]
) -> tuple[list[str], list[list[str]]]:
    """Return the headings and the rows of a table."""
    headings = list(labels.values())
    for column in columns.values():
        headings += [column.heading, *([_INTERVAL] if column.spread == "ends" else [])]
    rows = []
    for one in records:
        row = [str(one[name]) for name in labels]
        for name, column in columns.items():
            row += _of_column(one, name, column)
        rows.append(row)
    return headings, rows


def _of_column(record: Mapping[str, Any], name: str, column: Column) -> list[str]:
    value, (low, high) = record[name], ends_of(record, name)
    if not column.form:
        return ["-" if value is None else str(value)]
    text = number_text(value, column.form)
    if column.spread == "ends":
        return [text, interval_text(low, high, column.form)]
    if column.spread == "half":
        half = "-" if low is None or high is None else half_width_text((high - low) / 2.0, column.form)
        return [f"{text} ± {half}"]
    return [text]


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]], is_left: Sequence[bool]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading, left in zip(headings, is_left, strict=True):
        table.add_column(heading, justify="left" if left else "right", overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table


# --- results ----------------------------------------------------------------------------------------------------------


#: Columns that a narrow terminal omits, in this order; faults have a table of their own if there are any.
_LESS_NEEDED: Final = ("mean_ordinal", "faults", "points")
#: Agents with longer labels are folded before a column is omitted.
_AGENT: Final = 20
#: The space between two columns.
_GAP: Final = 2
#: More teams than this are not shown.
_MOST_TEAMS: Final = 20
TEAMS: Final = {
    "games": Column("games", form=","),
    "success_rate": Column("success rate", "%", ".3f", "ends"),
}
FAULTS: Final = {"faults": Column("times", form=","), "games": Column("games", form=",")}


def standings_columns(standings: Sequence[Standing], is_cooperative: bool = False) -> dict[str, Column]:
    """Return all columns of standings; places and points mean nothing where all win or lose together.

    There the score tells more than the share of games won, if the game has one.
    """
    clock = clock_of(standings)
    rate = "success rate" if is_cooperative else "win rate"
    columns = {"games": Column("games", form=","), "win_rate": Column(rate, "%", ".3f", "ends")}
    if is_cooperative and any(standing.score != standing.win_rate for standing in standings if standing.games):
        columns["score"] = Column("score", "of the game", ",.2f", "half")
    elif not is_cooperative:
        columns["mean_ordinal"] = Column("mean ordinal", form=".2f", spread="half")
        columns["points"] = Column("points", "per game", ".3f", "half")
    columns["decision_cpu_ms" if clock == "CPU" else "decision_ms"] = Column(f"{clock} ms/decision", form=",.2f")
    return columns | {"faults": Column("faults", form=",")}


def telling_columns(standings: Sequence[Standing], is_cooperative: bool = False) -> dict[str, Column]:
    """Return the columns of standings without those that repeat another, or contain only zeros."""
    columns = standings_columns(standings, is_cooperative)
    if all(standing.points == standing.win_rate for standing in standings if standing.games):
        columns.pop("points", None)
    if not any(standing.faults for standing in standings):
        del columns["faults"]
    return columns


def standings_table(standings: Sequence[Standing], is_cooperative: bool = False, width: int | None = None) -> Table:
    """Return the standings for a terminal, with short labels.

    If ``width`` columns have no room for all, the least needed are omitted; JSON has them.
    """
    short = short_labels([standing.agent for standing in standings])
    records = [{**standing.to_json(), "agent": short[standing.agent]} for standing in standings]
    columns = telling_columns(standings, is_cooperative)
    for name in _LESS_NEEDED:
        if width is not None and _width_of(records, columns) > width:
            columns.pop(name, None)
    table = terminal_table(records, {"agent": "agent"}, columns)
    for column in table.columns[1:]:
        column.no_wrap = True
    return table


def _width_of(records: Sequence[Mapping[str, Any]], columns: Mapping[str, Column]) -> int:
    """Return the width of a table whose agents may be folded."""
    headings, rows = _texts(records, {"agent": "agent"}, columns)
    agents, *widths = (max(map(len, column)) for column in zip(headings, *rows, strict=True))
    return min(agents, _AGENT) + sum(widths) + _GAP * len(widths)


def clock_of(standings: Sequence[Standing]) -> str:
    """Return the kind of time per decision: ``CPU`` if that of all agents is known, otherwise ``wall``."""
    return "wall" if any(isnan(one.decision_cpu_ms) and not isnan(one.decision_ms) for one in standings) else "CPU"


def standings_text(standings: Sequence[Standing], width: int | None = None, is_cooperative: bool = False) -> str:
    """Return the standings as plain text without control codes, ``width`` columns at most."""
    return table_text(standings_table(standings, is_cooperative, width), width)


def teams_text(teams: Sequence[TeamStanding], width: int | None = None) -> str:
    """Return the teams' success rates as plain text, ``width`` columns at most."""
    text = records_text([team.to_json() for team in teams[:_MOST_TEAMS]], {"team": "team"}, TEAMS, width)
    more = len(teams) - _MOST_TEAMS
    return text + (f"\nand {more:,} more teams (--json has all)" if more > 0 else "")


def legend_text(labels: Sequence[str]) -> str:
    """Return the full label of each short label, a line each; empty if none is shortened."""
    return "\n".join(f"{short} is {label}" for label, short in short_labels(labels).items() if short != label)


def faults_text(faults: Sequence[FaultCount], labels: Sequence[str], width: int | None = None) -> str:
    """Return the faults, by agent and kind, as plain text; ``labels`` are those of all agents, which are shortened."""
    short = short_labels(labels)
    records = [{**asdict(count), "agent": short.get(count.agent, count.agent)} for count in faults]
    return records_text(records, {"agent": "agent", "kind": "fault"}, FAULTS, width)


def begun_text(created: str, form: str = "%d %B %Y, %H:%M UTC") -> str:
    """Return when something was begun, from ISO 8601; any other text is returned as it is."""
    try:
        return f"{datetime.fromisoformat(created):{form}}"
    except (TypeError, ValueError):
        return str(created)


def results_text(results: TournamentResults, width: int | None = None) -> str:
    """Return the standings, and the state of the stopping rule and the faults if there are any."""
    parts = [standings_text(results.standings, width, results.is_cooperative)]
    labels = [standing.agent for standing in results.standings]
    parts.append(legend_text(labels))
    if results.teams:
        parts.append(teams_text(results.teams, width))
    if results.grid:
        parts.append(grid_text(results.grid, width))
    parts += [
        variants_text(parameter, list(variants), results, width)
        for parameter, variants in groupby(results.variants, key=lambda variant: variant.parameter)
    ]
    if results.repeats:
        parts.append(results.repeats.text)
    if results.rounds:
        parts.append(rounds_text(results.rounds, width))
    if results.stopping:
        parts.append(results.stopping.text)
    if results.faults:
        parts.append(faults_text(results.faults, labels, width))
    return "\n\n".join(part for part in [*parts, *map(paused_text, results.paused)] if part)


def grid_text(grid: PairwiseTable, width: int | None = None) -> str:
    """Return the score of every agent against every other with half the length of its interval, in the agents' order."""
    short = short_labels(grid.labels)
    halves = (grid.high - grid.low) / 2.0
    rows = [
        [short[label], *map(_score_text, scores.tolist(), half.tolist())]
        for label, scores, half in zip(grid.labels, grid.score, halves, strict=True)
    ]
    text = rows_text(["", *(budgets_of(grid.labels) or short.values())], rows, width)
    return f"how often the row is placed above the column, a shared place counting half:\n{text}"


def _score_text(score: float, half: float) -> str:
    return "-" if isnan(score) else f"{score:.2f} ± {half_width_text(half, '.2f')}"


def variants_text(
    parameter: str, variants: Sequence[VariantStandings], results: TournamentResults, width: int | None = None
) -> str:
    """Return the points, success rate or score of every agent by the value of a parameter that is drawn."""
    what, name = ("success rate", "win_rate") if results.is_cooperative else ("points", "points")
    if results.by_score:
        what = name = "score"
    column = Column(what, form=".3f", spread="half")
    records = [{standing.agent: standing.to_json() for standing in variant.standings} for variant in variants]
    short = short_labels([standing.agent for standing in results.standings])
    rows = [[text, *(_of_column(one[agent], name, column)[0] for one in records)] for agent, text in short.items()]
    blocks = ", ".join(str(max(standing.blocks for standing in variant.standings)) for variant in variants)
    text = rows_text(["agent", *(variant.value for variant in variants)], rows, width)
    return f"{what} by {parameter}, drawn anew for each block ({blocks} blocks):\n{text}"


def paused_text(paused: PausedAgent) -> str:
    """Return the fate of a paused agent in a line."""
    return (
        f"{paused.agent} is paused after game {paused.after} ({paused.reason}): {paused.not_played:,} of its games are "
        f"not played, and none from block {paused.from_block} on counts"
    )


def standings_markdown(standings: Sequence[Standing]) -> str:
    """Return the standings as a Markdown table."""
    records = [standing.to_json() for standing in standings]
    headings, rows = _texts(records, {"agent": "agent"}, standings_columns(standings))
    lines = [headings, ["---", *["---:"] * (len(headings) - 1)]]
    lines += [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def standings_csv(standings: Sequence[Standing]) -> str:
    """Return all fields of the standings as CSV."""
    rows = [standing.to_json() for standing in standings]
    file = io.StringIO()
    writer = csv.DictWriter(file, fieldnames=list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()


# --- rounds of Swiss tournaments and knockouts ------------------------------------------------------------------------


#: What identifies a row of `round_records`, and its other columns by design.
ROUND: Final = {"round": "round", "table": "table"}
_OF_TABLES: Final = {
    "points": Column("points"),
    "tie_breaks": Column("tie-breaks"),
    "through": Column("goes on"),
    "out": Column("no valid game"),
}
SCORES: Final = {"points": Column("points", form=",.6g")}


def round_records(rounds: RoundsResult) -> list[dict[str, str]]:
    """Return a record of texts per table and bye, in the order of the rounds."""
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
        records.append({name: bye[name] for name in (*ROUND, *_OF_TABLES)})
    return sorted(records, key=lambda record: int(record["round"]))


def round_columns(rounds: RoundsResult) -> dict[str, Column]:
    """Return the columns of `round_records` that are not empty."""
    records = round_records(rounds)
    return {
        name: column for name, column in _OF_TABLES.items() if name == "points" or any(one[name] for one in records)
    }


def score_records(rounds: RoundsResult) -> list[dict[str, Any]]:
    """Return the agents of a Swiss tournament with their points, the best first."""
    return [{"agent": agent, "points": points} for agent, points in rounds.scores]


def rounds_text(rounds: RoundsResult, width: int | None = None) -> str:
    """Return the tables of all rounds, the points of a Swiss tournament, and the winner as plain text."""
    parts = [records_text(round_records(rounds), ROUND, round_columns(rounds), width)]
    if rounds.scores:
        short = short_labels([agent for agent, _points in rounds.scores])
        records = [{**record, "agent": short[record["agent"]]} for record in score_records(rounds)]
        parts.append(
            f"points of all rounds, a bye counting as wins:\n{records_text(records, {'agent': 'agent'}, SCORES, width)}"
        )
    return "\n\n".join([*parts, rounds.text])


def _versus(texts: Iterable[str]) -> str:
    return " - ".join(texts)


def _points_text(points: float) -> str:
    return f"{points:.6g}"


# --- ratings and machines ---------------------------------------------------------------------------------------------


PLACES: Final = {
    "games": Column("games", form=","),
    "blocks": Column("blocks", form=","),
    "chi_square": Column("chi-square", form=".1f"),
    "degrees": Column("df", form=","),
    "p_value": Column("p", form=".2g"),
    "verdict": Column(""),
}
#: Pairs are shown as a matrix up to this many agents.
_MOST_COLUMNS: Final = 12


def ratings_columns(summary: RatingSummary) -> dict[str, Column]:
    """Return the columns of ratings; those on evolution are not known of all games."""
    columns = {
        "rating": Column("rating", "", "+z.0f", "ends"),
        "p_best": Column("P(best)", form=".3f"),
        "groups": Column("group"),
    }
    if len(summary.components) > 1:
        columns["component"] = Column("component", form="d")
    if not any(isnan(agent.nash) for agent in summary.agents):
        columns |= {"nash": Column("Nash", form=".3f"), "alpha_rank": Column("alpha-rank", form=".3f")}
    return columns


def ratings_text(summary: RatingSummary, width: int | None = None) -> str:
    """Return ratings, seats, pairs and a sentence on transitivity as plain text."""
    labels = [agent.agent for agent in summary.agents]
    short = short_labels(labels)
    records = [{**plain_record(agent), "agent": short[agent.agent]} for agent in summary.agents]
    parts = [records_text(records, {"agent": "agent"}, ratings_columns(summary), width), legend_text(labels)]
    parts += [_seats_text(players, seats) for players, seats in summary.seats.items()]
    if len(summary.agents) <= _MOST_COLUMNS:
        parts.append(
            "how often the row is placed above the column; * where that is no chance (5 %, Holm):\n"
            + _pairs_text(summary, width)
        )
    parts += [scale_text(summary), summary.repeats.text if summary.repeats else ""]
    return "\n\n".join(part for part in parts if part)


def _seats_text(players: int, seats: Sequence[IntervalEstimate]) -> str:
    """Return the advantages of the seats."""
    worth = ", ".join(
        f"{number}: {term:+z.0f}" + (f" ± {half_width_text(interval.half, '.0f')}" if interval.half > 0.0 else "")
        for number, (term, interval) in enumerate(seats)
    )
    return f"seats of {players} in rating points: {worth}"


def _pairs_text(summary: RatingSummary, width: int | None) -> str:
    pairs = summary.pairs
    order = [pairs.labels.index(agent.agent) for agent in summary.agents]
    different, short = pairs.is_different(), short_labels(pairs.labels)
    rows = [[short[pairs.labels[row]]] for row in order]
    for texts, row in zip(rows, order, strict=True):
        for column in order:
            score, mark = pairs.score[row, column], "*" if different[row, column] else " "
            texts.append("-" if isnan(score) else f"{score:.3f}{mark}")
    return rows_text(["", *(short[pairs.labels[column]] for column in order)], rows, width)


def scale_text(summary: RatingSummary) -> str:
    """Say which agents have no common scale, or whether one scale orders all; empty where unknown."""
    if len(summary.components) > 1:
        short = short_labels([agent.agent for agent in summary.agents])
        apart = [
            f"{number} ({_listed([short[agent] for agent in agents])})"
            for number, agents in enumerate(summary.components, start=1)
        ]
        return (
            f"no games compare agents of different components, not even through others: {_listed(apart)}; "
            "ratings, groups and P(best) hold within a component, and there is no common order"
        )
    found = summary.intransitivity
    if found is None or isnan(found.share):
        return ""
    verdict = (
        "some agents beat each other in a circle, so no rating can order them"
        if found.p_value < 0.05
        else "no agents are shown to beat each other in a circle"
    )
    return (
        f"{verdict} (p = {found.p_value:.3f}; in {found.cyclic_triples} of {found.triples} groups of three, each is ahead "
        f"of the next); differences of ratings explain {1.0 - found.share:.1%} of the results".replace("%", " %")
    )


#: A sentence lists at most so many components, and agents of one; tables and JSON have all.
_MOST_LISTED: Final = 8


def _listed(texts: Sequence[str]) -> str:
    more = len(texts) - _MOST_LISTED
    return ", ".join([*texts[:_MOST_LISTED], *([f"{more:,} more"] if more > 0 else [])])


def machines_text(found: MachineResults, width: int | None = None) -> str:
    """Return the results by machine for a terminal: all places, and the standings without flagged ones."""
    if not found.tests:
        return "one worker has played all games, or it is not known who has: there is nothing to compare"
    places = records_text(place_records(found), {"place": "machine or worker"}, PLACES, width)
    parts = [places, *found.sentences()]
    for each in found.without:
        parts.append(f"without the match-ups in which {' and '.join(each.places)} played:")
        parts.append(standings_text(each.standings, width))
    return "\n\n".join(parts)


def place_records(found: MachineResults) -> list[dict[str, Any]]:
    """Return the places and the result of each test, in a word or two."""
    records = []
    for test in found.tests:
        record = plain_record(test)
        if not test.degrees:
            record |= {"chi_square": None, "degrees": None, "p_value": None}
        verdict = "differs" if test.is_flagged else ""
        records.append({**record, "verdict": verdict if test.degrees else "too few blocks"})
    return records
