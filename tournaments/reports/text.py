"""Results of tournaments on terminals; the standings also as Markdown and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from itertools import groupby
from math import isnan
from typing import TYPE_CHECKING, Final

from tag.tournaments.designs.agents import budgets_of, short_labels
from tag.tournaments.reports.sections.copies import checks_section, copies_blocks
from tag.tournaments.reports.sections.experiment import overall_ratings_table, overall_table
from tag.tournaments.reports.sections.games import feedback_mean, feedback_table
from tag.tournaments.reports.sections.machines import places_table
from tag.tournaments.reports.sections.ratings import ratings_table, scale_text
from tag.tournaments.reports.sections.section import Column, TableData
from tag.tournaments.reports.sections.standings import (
    FAULTS,
    measure_of,
    sides_table,
    standings_columns,
    standings_table,
    teams_table,
    telling_columns,
)
from tag.tournaments.reports.sections.stopping import rounds_table, scores_table
from tag.tournaments.reports.terminal import (
    blocks_text,
    data_text,
    markdown,
    rows_text,
    table_text,
    terminal_table,
)
from tag.tournaments.statistics.intervals import IntervalEstimate, half_width_text
from tag.tournaments.statistics.plain_records import plain_record

if TYPE_CHECKING:
    from tag.tournaments.designs.rounds.results import RoundsResult
    from tag.tournaments.results.copies.noise import NoiseResults
    from tag.tournaments.results.experiment import ExperimentResults
    from tag.tournaments.results.machines.machines import MachineResults
    from tag.tournaments.results.overall_ratings import ExperimentRatings
    from tag.tournaments.results.tournament import FaultCount, RatingSummary, TournamentResults, VariantStandings
    from tag.tournaments.statistics.ratings.pairwise import PairwiseTable
    from tag.tournaments.statistics.standings import Standing, TeamStanding

#: More teams than this are not shown.
_MOST_TEAMS: Final = 20
#: The last answers of people that are shown.
_MOST_ANSWERS: Final = 20
#: Pairs are shown as a matrix up to this many agents.
_MOST_COLUMNS: Final = 12


def standings_text(standings: Sequence[Standing], width: int | None = None, is_cooperative: bool = False) -> str:
    """Return the standings as plain text without control codes, ``width`` columns at most."""
    data = standings_table(standings, telling_columns(standings, is_cooperative))
    return table_text(terminal_table(data, width=width, folds=False), width)


def standings_markdown(standings: Sequence[Standing]) -> str:
    """Return the standings as a Markdown table."""
    return markdown(standings_table(standings, standings_columns(standings)))


def standings_csv(standings: Sequence[Standing]) -> str:
    """Return all fields of the standings as CSV."""
    rows = [standing.to_json() for standing in standings]
    file = io.StringIO()
    writer = csv.DictWriter(file, fieldnames=list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()


def teams_text(teams: Sequence[TeamStanding], width: int | None = None) -> str:
    """Return the teams' success rates as plain text, ``width`` columns at most."""
    more = len(teams) - _MOST_TEAMS
    text = data_text(teams_table(teams[:_MOST_TEAMS]), width)
    return text + (f"\nand {more:,} more teams (--json has all)" if more > 0 else "")


def legend_text(labels: Sequence[str]) -> str:
    """Return the full label of each short label, a line each; empty if none is shortened."""
    return "\n".join(f"{short} is {label}" for label, short in short_labels(labels).items() if short != label)


def faults_text(faults: Sequence[FaultCount], labels: Sequence[str], width: int | None = None) -> str:
    """Return the faults, by agent and kind, as plain text; ``labels`` are those of all agents, which are shortened."""
    records = [plain_record(count) for count in faults]
    data = TableData(records, "", ("agent", "kind"), FAULTS, short_labels(labels))
    return data_text(data, width, {"agent": "agent", "kind": "fault"})


def results_text(results: TournamentResults, width: int | None = None) -> str:
    """Return the standings, and the state of the stopping rule and the faults if there are any."""
    labels = [standing.agent for standing in results.standings]
    parts = [standings_text(results.standings, width, results.is_cooperative), legend_text(labels)]
    if results.part:
        parts.append(f"{results.part_text} of the tournament; tag merge joins the parts")
    if results.teams:
        parts.append(teams_text(results.teams, width))
    if results.grid:
        parts.append(grid_text(results.grid, width))
    parts += [
        variants_text(parameter, list(variants), results, width)
        for parameter, variants in groupby(results.variants, key=lambda variant: variant.parameter)
    ]
    if results.sides:
        parts.append(sides_text(results.sides, width))
    if results.repeats:
        parts.append(results.repeats.text)
    if results.rounds:
        parts.append(rounds_text(results.rounds, width))
    if results.stopping:
        parts.append(results.stopping.text)
    if results.faults:
        parts.append(faults_text(results.faults, labels, width))
    if results.feedback:
        parts += [feedback_mean(results.feedback), data_text(feedback_table(results.feedback[-_MOST_ANSWERS:]), width)]
    return "\n\n".join(part for part in [*parts, *(paused.text for paused in results.paused)] if part)


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
    what, name = measure_of(results)
    column = Column(what, form=".3f", spread="half")
    records = [{standing.agent: standing.to_json() for standing in variant.standings} for variant in variants]
    short = short_labels([standing.agent for standing in results.standings])
    rows = []
    for agent, text in short.items():
        shown = column.texts([one[agent] for one in records], name)
        rows.append([text, *(cells[0] for cells in shown)])
    blocks = ", ".join(str(max(standing.blocks for standing in variant.standings)) for variant in variants)
    text = rows_text(["agent", *(variant.value for variant in variants)], rows, width)
    return f"{what} by {parameter}, drawn anew for each block ({blocks} blocks):\n{text}"


def sides_text(sides: Sequence[VariantStandings], width: int | None = None) -> str:
    """Return how often each agent wins on each side, in the order of the first."""
    return f"share of games won by side, which each game deals:\n{data_text(sides_table(sides), width)}"


def rounds_text(rounds: RoundsResult, width: int | None = None) -> str:
    """Return the tables of all rounds, the points of a Swiss tournament, and the winner as plain text."""
    parts = [data_text(rounds_table(rounds), width)]
    if rounds.scores:
        scores = scores_table(rounds)
        parts.append(f"{scores.caption[0].lower()}{scores.caption[1:]}:\n{data_text(scores, width)}")
    return "\n\n".join([*parts, rounds.text])


def ratings_text(summary: RatingSummary, width: int | None = None) -> str:
    """Return ratings, seats, pairs and a sentence on transitivity as plain text."""
    parts = [data_text(ratings_table(summary), width), legend_text([agent.agent for agent in summary.agents])]
    parts += [_seats_text(players, seats) for players, seats in summary.seats.items()]
    parts.append(_pairs_text(summary.pairs, [agent.agent for agent in summary.agents], width))
    parts += [scale_text(summary), summary.repeats.text if summary.repeats else ""]
    return "\n\n".join(part for part in parts if part)


def experiment_ratings_text(ratings: ExperimentRatings, width: int | None = None) -> str:
    """Return the ratings over all events of an experiment and those of each as plain text."""
    parts = [
        *([data_text(overall_ratings_table(ratings), width)] if ratings.overall else []),
        *([_pairs_text(ratings.pairs, [one.agent for one in ratings.overall], width)] if ratings.pairs else []),
        *([ratings.notice] if ratings.notice else []),
    ]
    parts += [f"{name}\n{ratings_text(found, width)}" for name, found in ratings.events.items()]
    return "\n\n".join(parts)


def _seats_text(players: int, seats: Sequence[IntervalEstimate]) -> str:
    """Return the advantages of the seats."""
    worth = ", ".join(
        f"{number}: {term:+z.0f}" + (f" ± {half_width_text(interval.half, '.0f')}" if interval.half > 0.0 else "")
        for number, (term, interval) in enumerate(seats)
    )
    return f"seats of {players} in rating points: {worth}"


def _pairs_text(pairs: PairwiseTable, agents: Sequence[str], width: int | None) -> str:
    """Return the scores of ``agents``, the best first, against each other; nothing of too many."""
    if len(agents) > _MOST_COLUMNS:
        return ""
    order = [pairs.labels.index(agent) for agent in agents]
    different, short = pairs.is_different(), short_labels(pairs.labels)
    rows = [[short[pairs.labels[row]]] for row in order]
    for texts, row in zip(rows, order, strict=True):
        for column in order:
            score, mark = pairs.score[row, column], "*" if different[row, column] else " "
            texts.append("-" if isnan(score) else f"{score:.3f}{mark}")
    about = "how often the row is placed above the column; * where that is no chance (5 %, Holm):\n"
    return about + rows_text(["", *(short[pairs.labels[column]] for column in order)], rows, width)


def machines_text(found: MachineResults, width: int | None = None) -> str:
    """Return the results by machine for a terminal: all places, and the standings without flagged ones."""
    if not found.tests:
        return "one worker has played all games, or it is not known who has: there is nothing to compare"
    parts = [data_text(places_table(found), width, {"place": "machine or worker"}), *found.sentences()]
    for each in found.without:
        parts.append(f"without the match-ups in which {' and '.join(each.places)} played:")
        parts.append(standings_text(each.standings, width))
    return "\n\n".join(parts)


def noise_text(found: NoiseResults, width: int | None = None) -> str:
    """Return the copies, the noise by blocks, the checks and the verdict of an A/A test."""
    blocks = [*(copies_blocks(agent, "") for agent in found.agents), checks_section(found).blocks]
    parts = [blocks_text(one, width) for one in blocks]
    return "\n\n".join([*parts, *(paused.text for paused in found.paused), found.verdict])


def experiment_text(results: ExperimentResults, width: int | None = None) -> str:
    """Return the overall table of an experiment and the standings of each event as plain text."""
    parts = [
        *([data_text(overall_table(results), width)] if results.overall else []),
        *([results.notice] if results.notice else []),
        *([results.weighing] if len(set(results.weights.values())) > 1 else []),
    ]
    parts += [f"{name}\n{results_text(found, width)}" for name, found in results.events.items()]
    return "\n\n".join(parts)
