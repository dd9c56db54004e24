"""Results as text: tables for a terminal, Markdown and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from itertools import groupby
from math import isnan
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from tournaments.designs.agents import budgets_of, short_labels
from tournaments.results.machines import MachineResults
from tournaments.results.ratings import AgentRating, RatingSummary
from tournaments.results.tournament import FaultCount, PausedAgent, TournamentResults, VariantStandings
from tournaments.statistics.homogeneity import PlaceTest
from tournaments.statistics.intervals import ends_text, half_width_text
from tournaments.statistics.pairwise import PairwiseTable
from tournaments.statistics.standings import Standing, TeamStanding

# --- standings as tables: for a terminal, Markdown and CSV ------------------------------------------------------------


#: The heading for CPU or wall time, as `clock_of` returns.
_TIME: Final = "ms/decision"
_HEADINGS: Final = ("agent", "games", "win rate", "95 % interval", "mean ordinal", "points", _TIME, "faults")
#: Columns that a narrow terminal omits, in this order; faults have a table of their own if there are any.
_LESS_NEEDED: Final = ("mean ordinal", "faults", "points")
#: Agents with longer labels are folded before a column is omitted.
_AGENT: Final = 20
#: The space between two columns.
_GAP: Final = 2
#: More teams than this are not shown.
_MOST_TEAMS: Final = 20
#: Mask of the columns shown if all win or lose together: there are no places and no shares.
_OF_ALL: Final = tuple(heading not in ("mean ordinal", "points") for heading in _HEADINGS)


def standings_table(standings: Sequence[Standing], is_cooperative: bool = False, width: int | None = None) -> Table:
    """Return the standings for a terminal, without places and points where the game is co-operative.

    Agents have short labels. Points are left out if they equal the win rates, faults if there are none. If ``width``
    columns have no room for all, the least needed are omitted; JSON has them.
    """
    clock = clock_of(standings)
    short = short_labels([standing.agent for standing in standings])
    rows = [_cells({**standing.to_json(), "agent": short[standing.agent]}, clock) for standing in standings]
    headings = _headings(clock)
    shown = _OF_ALL if is_cooperative else (True,) * len(_HEADINGS)
    columns = {heading: [row[place] for row in rows] for place, heading in enumerate(headings) if shown[place]}
    for heading in _that_say_nothing(standings):
        columns.pop(heading, None)
    for heading in _LESS_NEEDED:
        if width is not None and _width_of(columns) > width:
            columns.pop(heading, None)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in columns:
        left = heading == "agent"
        name = "success rate" if is_cooperative and heading == "win rate" else heading
        table.add_column(name, justify="left" if left else "right", overflow="fold", no_wrap=not left)
    for row in zip(*columns.values(), strict=True):
        table.add_row(*row)
    return table


def _headings(clock: str) -> tuple[str, ...]:
    return tuple(f"{clock} {heading}" if heading == _TIME else heading for heading in _HEADINGS)


def _that_say_nothing(standings: Sequence[Standing]) -> list[str]:
    """Return the headings of columns that repeat another, or contain only zeros."""
    has_shares = any(standing.points != standing.win_rate for standing in standings if standing.games)
    has_faults = any(standing.faults for standing in standings)
    return [*([] if has_shares else ["points"]), *([] if has_faults else ["faults"])]


def _width_of(columns: Mapping[str, Sequence[str]]) -> int:
    """Return the width of a table whose agents may be folded."""
    widths = {heading: max(map(len, (heading, *cells))) for heading, cells in columns.items()}
    widths["agent"] = min(widths["agent"], _AGENT)
    return sum(widths.values()) + _GAP * (len(widths) - 1)


def clock_of(standings: Sequence[Standing]) -> str:
    """Return the kind of time per decision: ``CPU`` if that of all agents is known, otherwise ``wall``."""
    return "wall" if any(isnan(one.decision_cpu_ms) and not isnan(one.decision_ms) for one in standings) else "CPU"


def standings_text(standings: Sequence[Standing], width: int | None = None, is_cooperative: bool = False) -> str:
    """Return the standings as plain text without control codes, ``width`` columns at most."""
    return table_text(standings_table(standings, is_cooperative, width), width)


def teams_text(teams: Sequence[TeamStanding], width: int | None = None) -> str:
    """Return the teams' success rates as plain text, ``width`` columns at most."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("team", overflow="fold")
    for heading in ("games", "success rate", "95 % interval"):
        table.add_column(heading, justify="right")
    for team in teams[:_MOST_TEAMS]:
        interval = ends_text(team.success_rate_low, team.success_rate_high, ".3f")
        table.add_row(team.team, f"{team.games:,}", f"{team.success_rate:.3f}", interval)
    more = len(teams) - _MOST_TEAMS
    return table_text(table, width) + (f"\nand {more:,} more teams (--json has all)" if more > 0 else "")


def legend_text(labels: Sequence[str]) -> str:
    """Return the full label of each short label, a line each; empty if none is shortened."""
    return "\n".join(f"{short} is {label}" for label, short in short_labels(labels).items() if short != label)


def faults_text(faults: Sequence[FaultCount], labels: Sequence[str], width: int | None = None) -> str:
    """Return the faults, by agent and kind, as plain text, ``width`` columns at most.

    Args:
        faults: by agent and kind.
        labels: those of all agents, which are shortened.
        width: in columns.
    """
    short = short_labels(labels)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading, justify in (("agent", "left"), ("fault", "left"), ("times", "right"), ("games", "right")):
        table.add_column(heading, justify=justify, overflow="fold")  # type: ignore[arg-type]
    for count in faults:
        table.add_row(short.get(count.agent, count.agent), count.kind, f"{count.faults:,}", f"{count.games:,}")
    return table_text(table, width)


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
    if results.stopping:
        parts.append(results.stopping.text)
    if results.faults:
        parts.append(faults_text(results.faults, labels, width))
    return "\n\n".join(part for part in [*parts, *map(paused_text, results.paused)] if part)


def grid_text(grid: PairwiseTable, width: int | None = None) -> str:
    """Return the score of every agent against every other with half the length of its interval, in the agents' order."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("", overflow="fold")
    short = short_labels(grid.labels)
    for heading in budgets_of(grid.labels) or short.values():
        table.add_column(heading, justify="right", overflow="fold")
    halves = (grid.high - grid.low) / 2.0
    for label, scores, half in zip(grid.labels, grid.score, halves, strict=True):
        cells = [
            "-" if isnan(score) else f"{score:.2f} ± {half_width_text(error, '.2f')}"
            for score, error in zip(scores, half, strict=True)
        ]
        table.add_row(short[label], *cells)
    return f"how often the row is placed above the column, a shared place counting half:\n{table_text(table, width)}"


def variants_text(
    parameter: str, variants: Sequence[VariantStandings], results: TournamentResults, width: int | None = None
) -> str:
    """Return the points or success rate of every agent by the value of a parameter that is drawn."""
    what, column = ("success rate", "win_rate") if results.is_cooperative else ("points", "points")
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("agent", overflow="fold")
    for variant in variants:
        table.add_column(variant.value, justify="right")
    rows = [{standing.agent: standing.to_json() for standing in variant.standings} for variant in variants]
    for agent, short in short_labels([standing.agent for standing in results.standings]).items():
        table.add_row(short, *(_with_interval(row[agent], column, ".3f") for row in rows))
    blocks = ", ".join(str(max(standing.blocks for standing in variant.standings)) for variant in variants)
    return f"{what} by {parameter}, drawn anew for each block ({blocks} blocks):\n{table_text(table, width)}"


def paused_text(paused: PausedAgent) -> str:
    """Return the fate of a paused agent in a line."""
    return (
        f"{paused.agent} is paused after game {paused.after} ({paused.reason}): {paused.not_played:,} of its games are "
        f"not played, and none from block {paused.from_block} on counts"
    )


def table_text(table: Table, width: int | None) -> str:
    """Return a table as plain text without control codes."""
    console = Console(file=io.StringIO(), width=width or 140, highlight=False, color_system=None, force_jupyter=False)
    with console.capture() as capture:
        console.print(table)
    return "\n".join(line.rstrip() for line in capture.get().splitlines())


def standings_markdown(standings: Sequence[Standing]) -> str:
    """Return the standings as a Markdown table."""
    clock = clock_of(standings)
    rows = [_headings(clock), ("---", *["---:"] * (len(_HEADINGS) - 1))]
    rows += [tuple(cell.replace("|", "\\|") for cell in _cells(standing.to_json(), clock)) for standing in standings]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def standings_csv(standings: Sequence[Standing]) -> str:
    """Return all fields of the standings as CSV."""
    rows = [standing.to_json() for standing in standings]
    file = io.StringIO()
    writer = csv.DictWriter(file, fieldnames=list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()


def _cells(row: dict[str, Any], clock: str) -> tuple[str, ...]:
    return (
        str(row["agent"]),
        f"{row['games']:,}",
        number_text(row["win_rate"], ".3f"),
        interval_text(row, ("win_rate_low", "win_rate_high"), ".3f"),
        _with_interval(row, "mean_ordinal", ".2f"),
        _with_interval(row, "points", ".3f"),
        number_text(row["decision_cpu_ms" if clock == "CPU" else "decision_ms"], ",.2f"),
        f"{row['faults']:,}",
    )


def _with_interval(row: dict[str, Any], name: str, form: str) -> str:
    """Return a number with half the length of its interval."""
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    half = "-" if low is None or high is None else half_width_text((high - low) / 2.0, form)
    return f"{number_text(row[name], form)} ± {half}"


def interval_text(row: Mapping[str, Any], ends: tuple[str, str], form: str) -> str:
    """Return the interval between two numbers of a row; dashes where there is none."""
    low, high = (row[end] for end in ends)
    if low is None or high is None:
        return f"{number_text(low, form)} … {number_text(high, form)}"
    return ends_text(low, high, form)


def number_text(value: float | None, form: str) -> str:
    """Return a number in ``form``, or a dash where there is none."""
    return "-" if value is None else format(value, form)


# --- ratings and machines ---------------------------------------------------------------------------------------------


_MACHINE_HEADINGS = ("machine or worker", "games", "blocks", "chi-square", "df", "p", "")
#: Pairs are shown as a matrix up to this many agents.
_MOST_COLUMNS = 12
#: The rounding error of an interval of no width, in rating points.
_ROUNDING = 1e-9


def ratings_text(summary: RatingSummary, width: int | None = None) -> str:
    """Return ratings, seats, pairs and a sentence on transitivity as plain text."""
    parts = [table_text(_ratings(summary), width), legend_text([agent.agent for agent in summary.agents])]
    parts += [_seats_text(players, seats) for players, seats in summary.seats.items()]
    if len(summary.agents) <= _MOST_COLUMNS:
        parts.append(
            "how often the row is placed above the column; * where that is no chance (5 %, Holm):\n"
            + table_text(_pairs(summary), width)
        )
    parts.append(scale_text(summary))
    return "\n\n".join(part for part in parts if part)


def _ratings(summary: RatingSummary) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    evolves = not any(isnan(agent.nash) for agent in summary.agents)
    headings = ["agent", "rating", "95 % interval", "P(best)", "group", *(["Nash", "alpha-rank"] if evolves else [])]
    for heading in headings:
        table.add_column(heading, justify="left" if heading in ("agent", "group") else "right", overflow="fold")
    short = short_labels([agent.agent for agent in summary.agents])
    for agent in summary.agents:
        row = [
            short[agent.agent],
            f"{agent.rating:+z.0f}",
            rating_interval_text(agent),
            "-" if isnan(agent.p_best) else f"{agent.p_best:.3f}",
            agent.groups,
        ]
        table.add_row(*row, *([f"{agent.nash:.3f}", f"{agent.alpha_rank:.3f}"] if evolves else []))
    return table


def _seats_text(players: int, seats: list[tuple[float, float, float]]) -> str:
    """Return the advantages of the seats."""
    worth = ", ".join(
        f"{number}: {term:+z.0f}"
        + ("" if isnan(low) or low == high else f" ± {half_width_text((high - low) / 2, '.0f')}")
        for number, (term, low, high) in enumerate(seats)
    )
    return f"seats of {players} in rating points: {worth}"


def _pairs(summary: RatingSummary) -> Table:
    pairs = summary.pairs
    order = [pairs.labels.index(agent.agent) for agent in summary.agents]
    different = pairs.is_different()
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("")
    short = short_labels(pairs.labels)
    for column in order:
        table.add_column(short[pairs.labels[column]], justify="right", overflow="fold")
    for row in order:
        cells = [
            "-"
            if isnan(pairs.score[row, column])
            else f"{pairs.score[row, column]:.3f}{'*' if different[row, column] else ' '}"
            for column in order
        ]
        table.add_row(short[pairs.labels[row]], *cells)
    return table


def scale_text(summary: RatingSummary) -> str:
    """Say whether one scale describes the agents; empty where unknown."""
    found = summary.intransitivity
    if found is None or isnan(found.share):
        return ""
    verdict = "one scale is not the whole truth" if found.p_value < 0.05 else "nothing speaks against one scale"
    return (
        f"{verdict}: results that go round in circles are {found.share:.1%} of the whole (p = {found.p_value:.3f}), "
        f"as are {found.cyclic_triples} of the {found.triples} triples of agents".replace("%", " %")
    )


def rating_interval_text(agent: AgentRating) -> str:
    """Return the interval of a rating; ``fixed`` for an anchor, and for an agent without others, which is rated 0."""
    if isnan(agent.low):
        return "-"
    return "fixed" if agent.high - agent.low < _ROUNDING else ends_text(agent.low, agent.high, "+z.0f")


def machines_text(found: MachineResults, width: int | None = None) -> str:
    """Return the results by machine for a terminal: all places, and the standings without flagged ones."""
    if not found.tests:
        return "one worker has played all games, or it is not known who has: there is nothing to compare"
    parts = [table_text(_machines_table(found.tests), width), *found.sentences()]
    for each in found.without:
        parts.append(f"without the match-ups in which {' and '.join(each.places)} played:")
        parts.append(standings_text(each.standings, width))
    return "\n\n".join(parts)


def verdict(test: PlaceTest) -> str:
    """Return the result of a test, in a word or two."""
    if not test.degrees:
        return "too few blocks"
    return "differs" if test.is_flagged else ""


def _machines_table(tests: Sequence[PlaceTest]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in _MACHINE_HEADINGS:
        table.add_column(heading, justify="left" if heading in (_MACHINE_HEADINGS[0], "") else "right", overflow="fold")
    for test in tests:
        numbers = (f"{test.chi_square:.1f}", str(test.degrees), f"{test.p_value:.2g}") if test.degrees else ("-",) * 3
        table.add_row(test.place, f"{test.games:,}", f"{test.blocks:,}", *numbers, verdict(test))
    return table
