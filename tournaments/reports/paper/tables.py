"""The tables that a paper takes from a run: standings, cross-table and strengths by event, and those of any report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tag.tournaments.designs.agents import short_labels
from tag.tournaments.ledger.experiment import EXPERIMENT, begun_events
from tag.tournaments.reports.paper.latex import PaperTable
from tag.tournaments.reports.sections.data import MOST_AGENTS, TournamentData, read_tournament
from tag.tournaments.reports.sections.experiment import overall_table
from tag.tournaments.reports.sections.section import Column, Page, TableData, tables_in
from tag.tournaments.reports.sections.standings import measure_of, standings_table, telling_columns
from tag.tournaments.reports.sections.tournament import title_of
from tag.tournaments.results.experiment import read_experiment_results
from tag.tournaments.results.overall_ratings import combined_ratings

if TYPE_CHECKING:
    from tag.tournaments.results.experiment import ExperimentResults
    from tag.tournaments.statistics.ratings.pairwise import PairwiseTable

_LEVEL: Final = "at 5 %, after Holm's correction for all pairs"
_PLACED: Final = f"Bold: the best agent and all that are not shown to be placed below it {_LEVEL}"
_INTERVALS: Final = "Intervals, in brackets or after the sign, are at 95 %"


def tables_of(page: Page) -> dict[str, PaperTable]:
    """Return the tables of a page by name: that of their section, with a number where it has several."""
    found: dict[str, PaperTable] = {}
    for section in page.sections:
        for at, data in enumerate(tables_in(section.blocks), 1):
            name = section.name if at == 1 else f"{section.name}-{at}"
            found[name] = PaperTable(name, data)
    return found


def read_tournaments(folder: Path) -> dict[str, TournamentData]:
    """Return the data of the tournament in ``folder``, or of the events of an experiment that have begun, by name.

    Raises:
        DataError: there is none, or a ledger is damaged.
    """
    if not (folder / EXPERIMENT).is_file():
        return {"": read_tournament(folder)}
    return {name: read_tournament(event) for name, event in begun_events(folder).items()}


def main_tables(folder: Path, data: Mapping[str, TournamentData]) -> dict[str, PaperTable]:
    """Return the tables on strength of ``folder``, whose `read_tournaments` are ``data``; what is significant is bold."""
    if "" in data:
        return {table.name: table for table in tournament_tables(data[""])}
    found = {"overall": _overall(read_experiment_results(folder), data)}
    rated = {name: one.ratings for name, one in data.items() if one.ratings is not None}
    ratings = combined_ratings(folder, rated, {name: "which has none" for name in data if name not in rated})
    if ratings.pairs is not None and len(ratings.overall) <= MOST_AGENTS:
        agents = [one.agent for one in ratings.overall]
        table = crosstable(ratings.pairs, agents, "Cross-table over all events", short_labels(agents))
        found["overall-crosstable"] = replace(table, name="overall-crosstable")
    for name, one in data.items():
        found |= {
            f"{name}-{table.name}": replace(table, name=f"{name}-{table.name}") for table in tournament_tables(one)
        }
    return found


def tournament_tables(data: TournamentData) -> Iterator[PaperTable]:
    """Yield the standings of a tournament and, if agents are compared, the cross-table."""
    results, pairs = data.results, data.ratings.pairs if data.ratings is not None else None
    columns = telling_columns(results.standings, results.is_cooperative)
    measure = next((name for name in (measure_of(results)[1], "win_rate") if name in columns), "")
    title = f"{title_of(data.definition.game)}, {data.definition.players} players"
    best = [(row, measure) for row in _not_below_the_first([one.agent for one in results.standings], pairs)]
    listed = standings_table(results.standings, columns, f"Standings in {title}")
    yield PaperTable("standings", listed, best, f"{_INTERVALS}. {_PLACED}" if best else _INTERVALS)
    if pairs is not None and len(pairs.labels) <= MOST_AGENTS:
        yield crosstable(pairs, [one.agent for one in results.standings], f"Cross-table in {title}", listed.short)


def crosstable(pairs: PairwiseTable, agents: Sequence[str], caption: str, short: Mapping[str, str]) -> PaperTable:
    """Return how often each of the ``agents``, best first, is placed above each other, in percent."""
    known = [agent for agent in agents if agent in pairs.labels]
    order = [pairs.labels.index(agent) for agent in known]
    different = pairs.is_different()
    records, bold = [], []
    for row, one in enumerate(order):
        record: dict[str, Any] = {"place": f"{row + 1}", "agent": known[row]}
        for at, other in enumerate(order, 1):
            score = pairs.score[one, other]
            record[f"{at}"] = None if one == other or isnan(score) else 100.0 * score
            if different[one, other] and score > 0.5:
                bold.append((row, f"{at}"))
        records.append(record)
    columns = {f"{at}": Column(f"{at}", "%", ".1f") for at in range(1, len(order) + 1)}
    note = (
        "How often the row is placed above the column, in percent, a shared place counting half. "
        f"Bold: more often than chance {_LEVEL}"
    )
    return PaperTable("crosstable", TableData(records, caption, ("place", "agent"), columns, short), bold, note)


def _overall(results: ExperimentResults, data: Mapping[str, TournamentData]) -> PaperTable:
    """Return the strengths over all events and in each."""
    table, bold = overall_table(results), []
    agents = [standing.agent for standing in results.overall]
    for name in results.compared:
        ratings = data[name].ratings
        listed = sorted(range(len(agents)), key=lambda row: -_known(table.records[row][f"event {name}"]))
        if ratings is not None:
            places = _not_below_the_first([agents[row] for row in listed], ratings.pairs)
            bold += [(listed[place], f"event {name}") for place in places]
    first = results.overall[0] if results.overall else None
    if first is not None and not isnan(first.interval.low):
        bold += [
            (row, "strength") for row, one in enumerate(results.overall) if one.interval.high >= first.interval.low
        ]
    titles = {
        f"event {name}": f"{title_of(one.definition.game)}, {one.definition.players}" for name, one in data.items()
    }
    columns = {
        name: replace(column, heading=titles.get(name, column.heading)) for name, column in table.by_name.items()
    }
    weighing = f"; {results.weighing}" if len(set(results.weights.values())) > 1 else ""
    note = (
        "Points per seat in shares of an equal part: 1 is average; the numbers after the games are of players"
        f"{weighing}. "
        f"{_INTERVALS}. {_PLACED}; in the column of strength, all whose intervals reach that of the best"
    )
    return PaperTable("overall", replace(table, by_name=columns), bold, note)


def _known(value: float | None) -> float:
    return float("-inf") if value is None or isnan(value) else value


def _not_below_the_first(agents: Sequence[str], pairs: PairwiseTable | None) -> list[int]:
    """Return the places of the first agent and of those that are not shown to be placed below it, if pairs are known."""
    if pairs is None or not agents or agents[0] not in pairs.labels:
        return []
    first, different = pairs.labels.index(agents[0]), pairs.is_different()
    found = [0]
    for place, agent in enumerate(agents[1:], 1):
        other = pairs.labels.index(agent) if agent in pairs.labels else first
        has_met = other != first and not isnan(pairs.score[first, other])
        if has_met and not (different[first, other] and pairs.score[first, other] > 0.5):
            found.append(place)
    return found
