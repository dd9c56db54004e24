"""The standings, the teams and the faults of a tournament. A column of the standings is declared here, for all media."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import groupby
from math import isnan
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from tag.tournaments.designs.agents import short_labels
from tag.tournaments.reports.figures import HIGH, ranges_figure, variants_figure
from tag.tournaments.reports.html.figures import AGENT_COLOURS, Figure
from tag.tournaments.reports.sections.data import MOST_AGENTS, NUMBERS, ReportContext
from tag.tournaments.reports.sections.section import (
    Block,
    Cell,
    Column,
    Definitions,
    Folded,
    Paragraph,
    Section,
    TableData,
    number,
    own_size,
    remark,
    sentence,
)
from tag.tournaments.statistics.plain_records import plain_record

if TYPE_CHECKING:
    from tag.tournaments.definition import Rules
    from tag.tournaments.reports.sections.data import TournamentData
    from tag.tournaments.results.tournament import TournamentResults, VariantStandings
    from tag.tournaments.statistics.intervals import Interval
    from tag.tournaments.statistics.standings import Standing, TeamStanding

#: The columns of standings, by field of `Standing`; a table leaves out those that tell nothing (`standings_columns`).
COLUMNS: Final = {
    "games": Column("games", form=","),
    "win_rate": Column(
        "win rate", "%", ".3f", "ends", meaning="the share of games won; a draw is no win", metric="curve"
    ),
    "score": Column("score", "of the game", ",.2f", "half", meaning="the mean score at the end of a game"),
    "mean_ordinal": Column(
        "mean ordinal", form=".2f", spread="half", meaning="the mean place at the end of a game, from 1", omitted=1
    ),
    "points": Column(
        "points", "per game", ".3f", "half", meaning="1 for a win, shared by those who are first together", omitted=3
    ),
    "decision_cpu_ms": Column(
        "CPU ms/decision", form=",.2f", meaning="the mean CPU time of a decision, in milliseconds"
    ),
    "decision_ms": Column(
        "wall ms/decision",
        form=",.2f",
        meaning="the mean time of a decision by the clock, in milliseconds",
        metric="result",
    ),
    "peak_mb": Column(
        "peak MB", form=",.0f", meaning="the most memory of the agent's process in a game, in megabytes", omitted=4
    ),
    "faults": Column("faults", form=",", omitted=2),
}
#: Those with another meaning where all win or lose together.
_COOPERATIVE: Final = {
    "win_rate": replace(
        COLUMNS["win_rate"], heading="success rate", meaning="the share of games in which all won together"
    )
}
#: Those beside them on pages, which have more room.
_MORE: Final = {
    "blocks": Column("blocks"),
    "effective_games": Column("effective games"),
    "decisions": Column("decisions"),
}
TEAMS: Final = {
    "games": Column("games", form=","),
    "success_rate": replace(_COOPERATIVE["win_rate"], metric=""),
    "score": replace(COLUMNS["score"], metric=""),
}
FAULTS: Final = {"faults": Column("times", form=","), "games": Column("games", form=",")}


def standings_columns(standings: Sequence[Standing], is_cooperative: bool = False) -> dict[str, Column]:
    """Return all columns of standings; places and points mean nothing where all win or lose together.

    There the score tells more than the share of games won, if the game has one.
    """
    has_score = any(standing.score != standing.win_rate for standing in standings if standing.games)
    without = {"decision_ms" if clock_of(standings) == "CPU" else "decision_cpu_ms"}
    without |= {"mean_ordinal", "points"} if is_cooperative else {"score"}
    without |= set() if has_score else {"score"}
    without |= {"peak_mb"} if all(standing.peak_mb is None for standing in standings) else set()
    columns = COLUMNS | (_COOPERATIVE if is_cooperative else {})
    return {name: column for name, column in columns.items() if name not in without}


def telling_columns(standings: Sequence[Standing], is_cooperative: bool = False) -> dict[str, Column]:
    """Return the columns of standings without those that repeat another, or contain only zeros."""
    columns = standings_columns(standings, is_cooperative)
    if all(standing.points == standing.win_rate for standing in standings if standing.games):
        columns.pop("points", None)
    if not any(standing.faults for standing in standings):
        del columns["faults"]
    return columns


def clock_of(standings: Sequence[Standing]) -> str:
    """Return the kind of time per decision: ``CPU`` if that of all agents is known, otherwise ``wall``."""
    return "wall" if any(isnan(one.decision_cpu_ms) and not isnan(one.decision_ms) for one in standings) else "CPU"


def standings_table(standings: Sequence[Standing], columns: Mapping[str, Column], caption: str = "") -> TableData:
    """Return standings with some columns, agents by their short labels."""
    records = [{**record, "place": place} for place, record in enumerate(map(plain_record, standings), 1)]
    return TableData(records, caption, ("agent",), columns, short_labels([one.agent for one in standings]))


def standings_section(context: ReportContext) -> Section:
    """Return the standings, and the rates with their intervals."""
    standings, is_cooperative = context.results.standings, context.results.is_cooperative
    about = (
        "95 % intervals are from block means. Only whole match-ups count: all seatings of a block played, none void. "
        "Effective games are independent games that would tell as much about the rate."
    )
    if not standings:
        return context.section("standings", "Standings", about, [Paragraph("No game has been played yet.")])
    columns = telling_columns(standings, is_cooperative)
    clock = next(name for name in columns if name.startswith("decision"))
    columns[clock] = replace(columns[clock], form="")  # microseconds have room here
    if not is_cooperative and any(one.score != one.points for one in standings if one.games):
        columns["score"] = replace(COLUMNS["score"], form=".2f")
    caption, games = "Standings", {standing.games for standing in standings}
    if len(games) == 1 and context.data is not None:  # during play, columns stay
        caption = f"Standings, after {games.pop():,} games of each"
        del columns["games"]
    listed = replace(standings_table(standings, columns, caption), labels=("place", "agent"), short=context.short)
    blocks: list[Block] = [listed]
    repeats = context.results.repeats
    if repeats is not None and repeats.text:
        blocks.append(remark(repeats.text))
    if any(one.games for one in standings):
        blocks.append(own_size(_rates(context)))
    full = [(short, label) for label, short in context.short.items() if short != label]
    if full:
        blocks.append(Folded("Agents in full", [Definitions(full)]))
    behind = TableData(listed.records, "Games", ("agent",), _MORE, context.short)
    return context.section("standings", "Standings", about, [*blocks, Folded("Games behind these numbers", [behind])])


def _rates(context: ReportContext) -> Figure:
    """Return the win rates of the agents that have games, or the scores."""
    pairs = [(row, style) for row, style in zip(context.results.standings, context.styles, strict=True) if row.games]
    if context.results.by_score:
        scores = [(style.name, style.colour, row.score, *row.score_interval) for row, style in pairs]
        frame = pd.DataFrame(scores, columns=["name", "colour", "mean", "low", "high"])
        return ranges_figure(context.figure("rates"), "Score", NUMBERS, frame)
    frame = _percent_ranges((style.name, style.colour, row.win_rate, row.win_rate_interval) for row, style in pairs)
    mean = context.data.mean_rate if context.data else None
    equal = None if mean is None else 100.0 * mean
    about = NUMBERS if equal is None else f"The dashed line is the mean of all seats, {number(equal)} %. {NUMBERS}"
    return ranges_figure(context.figure("rates"), sentence(context.rate), about, frame, "%", equal)


def _percent_ranges(rows: Iterable[tuple[str, str, float, Interval]]) -> pd.DataFrame:
    """Return shares with their intervals in percent, by name and colour, for `ranges_figure`."""
    scaled = [(name, colour, *(100.0 * end for end in (value, *interval))) for name, colour, value, interval in rows]
    return pd.DataFrame(scaled, columns=["name", "colour", "mean", "low", "high"])


def teams_table(teams: Sequence[TeamStanding]) -> TableData:
    """Return the success rates of teams, and their scores in a game that counts points."""
    has_score = any(team.score != team.success_rate for team in teams)
    columns = {name: column for name, column in TEAMS.items() if has_score or name != "score"}
    return TableData([team.to_json() for team in teams], "Teams", ("team",), columns)


def teams_section(context: ReportContext) -> Section | None:
    """Return the scores or success rates of the teams of a co-operative game; None of other games."""
    teams = context.results.teams
    if not teams:
        return None
    about = (
        "All win or lose together: how each team has done, in whichever seats its agents sat, with 95 % intervals from "
        "block means."
    )
    shown = teams[:MOST_AGENTS]
    if context.results.by_score:
        scores = [(team.team, HIGH, team.score, *team.score_interval) for team in shown]
        drawn = pd.DataFrame(scores, columns=["name", "colour", "mean", "low", "high"])
        figure = ranges_figure(context.figure("teams"), "Score of teams", "", drawn)
    else:
        drawn = _percent_ranges((team.team, HIGH, team.success_rate, team.success_rate_interval) for team in shown)
        figure = ranges_figure(context.figure("teams"), "Success rate of teams", "", drawn, "%")
    return context.section("teams", "Teams", about, [own_size(figure), teams_table(teams)])


def measure_of(results: TournamentResults) -> tuple[str, str]:
    """Return what tells most about an agent in a line, as a heading and as a field of `Standing`."""
    if results.by_score:
        return "score", "score"
    return ("success rate", "win_rate") if results.is_cooperative else ("points", "points")


#: The columns of results by side.
SIDES: Final = {
    "games": Column("games", metric="result"),
    "win_rate": Column("wins", "%", ".3f", "ends", "share of games won, with its 95 % interval", metric="result"),
}


def sides_table(sides: Sequence[VariantStandings]) -> TableData:
    """Return the games and wins of each agent on each side."""
    records = [{"side": side.value, **standing.to_json()} for side in sides for standing in side.standings]
    played = [record for record in records if record["games"]]
    short = short_labels(list(dict.fromkeys(record["agent"] for record in played)))
    return TableData(played, "Wins by side", ("side", "agent"), SIDES, short)


def sides_section(context: ReportContext) -> Section | None:
    """Return how often each agent wins on each side of a game that deals sides; None in other games."""
    sides = context.results.sides
    if not sides or not any(one.games for one in context.results.standings):
        return None
    about = "Each game deals who is on which side. An agent has as many games on a side as it has seats there."
    return context.section("sides", "Sides", about, [sides_table(sides)])


def variants_section(context: ReportContext) -> Section | None:
    """Return the results of each agent by each value of each parameter that is drawn; None without any."""
    if not context.results.variants or not any(one.games for one in context.results.standings):
        return None
    about = (
        "Parameters of the game that are drawn anew for each block, each value equally often, with 95 % "
        "intervals from the blocks with that value alone; other drawn parameters are averaged over."
    )
    blocks: list[Block] = []
    what, column = measure_of(context.results)
    has_colours = len(context.styles) <= len(AGENT_COLOURS)
    if has_colours:
        blocks.append(context.key)
    for parameter, of_it in groupby(context.results.variants, key=lambda variant: variant.parameter):
        variants = list(of_it)
        records = _variant_records(context, variants, column)
        heading = f"{sentence(what)} by {parameter}"
        if has_colours:
            name, values = context.figure(f"variants-{parameter}"), [variant.value for variant in variants]
            blocks.append(own_size(variants_figure(name, heading, "", context.styles, values, pd.DataFrame(records))))
        columns = {"blocks": Column("blocks"), "games": Column("games"), column: Column(what, "", ".3f", "half")}
        listed = TableData(records, heading, ("value", "agent"), columns, context.short)
        blocks.append(Folded(f"{parameter} in numbers", [listed]))
    return context.section("variants", "Variants", about, blocks)


def _variant_records(context: ReportContext, variants: Sequence[VariantStandings], column: str) -> list[dict[str, Any]]:
    """Return a record per value and agent, agents in the order of the standings."""
    records = []
    for variant in variants:
        by_agent = {standing.agent: standing.to_json() for standing in variant.standings}
        for row in (by_agent[style.label] for style in context.styles):
            ends = {"mean": row[column], "low": row[f"{column}_low"], "high": row[f"{column}_high"]}
            records.append({"value": variant.value, **row, **ends})
    return records


def faults_section(context: ReportContext) -> Section | None:
    """Return the faults; None without any."""
    results, data = context.results, context.data
    if not results.faults and not results.paused:
        return None
    columns, first = FAULTS, _first_faults(data) if data else _faults_so_far(context)
    records = [{**asdict(count), **first.get((count.agent, count.kind), {})} for count in results.faults]
    if first and data is None:
        records = [{"first": None, "said": None, **one} for one in records]
        columns = FAULTS | {"first": Column("first in"), "said": Column("message")}
    about = "Whatever agents did wrong, in all games, also those that do not count."
    if data is not None:
        games = dict(zip(context.labels, data.games.games_of_agents().tolist(), strict=False))
        columns = FAULTS | {"share": Column("of its games", "%"), "first": Column("first in")}
        records = [{**one, "share": 100.0 * one["games"] / games[one["agent"]]} for one in records]
        about += f" {_policies(data.definition.rules)}"
    listed = TableData(records, "Faults by agent and kind", ("agent", "kind"), columns, context.short)
    blocks: list[Block] = [listed, *(Paragraph(f"{paused.text}.") for paused in results.paused)]
    messages = [
        (f"{one['agent']}, {one['kind']}, in {one['first']}", one["message"]) for one in records if one.get("message")
    ]
    if messages:
        blocks.append(Folded("The first message of each", [Definitions(messages)]))
    return context.section("faults", "Faults", about, blocks)


def _first_faults(data: TournamentData) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the game and the message of the first fault of each agent and kind."""
    groups = data.faults.groupby(["agent", "kind"], sort=False)
    return {
        (str(agent), str(kind)): {"first": rows["game_id"].iloc[0], "message": rows["message"].iloc[0]}
        for (agent, kind), rows in groups
    }


def _faults_so_far(context: ReportContext) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the game and the message of the first fault of each agent and kind that was read, both leading to the game."""
    return {
        key: {
            "first": Cell(fault.game_id, value=fault.game_id, game=f"{fault.game_id}#{fault.tick}"),
            "said": Cell(fault.message, value=fault.message, game=f"{fault.game_id}#{fault.tick}"),
        }
        for key, fault in context.faults.items()
    }


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
