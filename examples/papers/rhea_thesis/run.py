"""Play the study of the thesis again: python examples/papers/rhea_thesis/run.py small|medium|full --out studies/thesis.

What has been played is found in the folder, so the same command goes on after any interruption. The tables are written
to tables.md and tables.json in the folder as far as they have come, each row above what the thesis says, and its claims
with verdicts below. With --games only some games are played; a later run in the same folder goes on with the others. With
--no-search the tables are played with the parameters that earlier searches recommended (``recommended`` in thesis.toml).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import permutations
from math import hypot, inf
from pathlib import Path
from typing import Any

from tag.engine.parameters import Spec, parse_spec
from tag.tournaments import TournamentResults, define, run_tournament
from tag.tournaments.commands.papers import Paper, effort_section, play_paper
from tag.tournaments.definition import canonical_agent
from tag.tournaments.ledger.folder import event_name
from tag.tournaments.reports.displays import make_progress
from tag.tournaments.results.analysis.claims import (
    Claim,
    claim_of_range,
    claims_table,
    difference,
    least,
    points_difference,
)
from tag.tournaments.results.analysis.effort import SearchEffort, judged
from tag.tournaments.results.tournament import counted_seats
from tag.tournaments.statistics.intervals import Interval, IntervalEstimate
from tag.tournaments.statistics.plain_records import plain
from tag.tuning import define_study
from tag.tuning.run import run_study

HERE = Path(__file__).parent
PANDEMIC = "pandemic:cards_for_cure=3"
#: The agents of the thesis; OSLA has nothing to tune.
AGENTS = ("rhea", "mcts", "osla", "rmhc")
#: RHEA with the parameters of the thesis, a team more in Pandemic.
AS_PRINTED = "rhea as in the thesis"
#: MCTS as the page of Pandemic's heuristic asks for, another one.
AS_HINTED = "mcts as hinted"
#: The heuristics of the framework in Java, by game; with them there is another row in the tables.
TAG_HEURISTICS = {"tic_tac_toe": "TicTacToe", PANDEMIC: "Pandemic"}
WITH_TAG_HEURISTIC = "with the heuristic in Java"
#: Rows with what the framework in Java did, as far as it is known: heuristics, rules of Pandemic, and RMHC's budget.
IN_JAVA = "as in Java"
TOTAL = "total"
#: The rows of table IV that are rows of table III as well.
PANDEMIC_ROWS = ("3", f"3 {IN_JAVA}")
#: The thesis has shares of all games of tic-tac-toe, of which each agent plays half; its total is of those.
SHARES_IN_TOTAL = {"tic_tac_toe": 0.5}


@dataclass
class Row:
    """The rates of agents in one row of a table.

    Attributes:
        rates: by agent.
        differences: the rate of one agent less that of another, by both.
        games: by agent.
        efforts: how much each agent searches, by agent; in a mean of rows, of each row.
    """

    rates: dict[str, IntervalEstimate]
    differences: dict[tuple[str, str], IntervalEstimate]
    games: dict[str, int]
    efforts: dict[str, list[SearchEffort]] = field(default_factory=dict)

    @classmethod
    def of_meeting(cls, results: TournamentResults, agents: Mapping[str, str]) -> Row:
        """Return the points per game of agents that met, by their specs; they differ by more than if they had not met."""
        found = {standing.agent: standing for standing in results.standings}
        standings = {agent: found[spec] for agent, spec in agents.items()}
        seats = counted_seats(results.folder)
        return cls(
            {agent: IntervalEstimate(one.points, one.points_interval) for agent, one in standings.items()},
            {
                (one, other): points_difference(seats, agents[one], agents[other])
                for one, other in permutations(agents, 2)
            },
            {agent: standing.games for agent, standing in standings.items()},
        )

    @classmethod
    def of_teams(cls, rates: dict[str, IntervalEstimate], games: dict[str, int]) -> Row:
        """Return the rates of teams that played apart."""
        pairs = permutations(rates, 2)
        return cls(rates, {(one, other): difference(rates[one], rates[other]) for one, other in pairs}, games)

    @classmethod
    def mean(cls, rows: Sequence[Row], weights: Sequence[float]) -> Row:
        """Return the weighted mean of rows, which are independent."""
        return cls(
            {agent: _mean([row.rates[agent] for row in rows], weights) for agent in AGENTS},
            {pair: _mean([row.differences[pair] for row in rows], weights) for pair in permutations(AGENTS, 2)},
            {agent: sum(row.games[agent] for row in rows) for agent in AGENTS},
            {agent: [effort for row in rows for effort in row.efforts[agent]] for agent in AGENTS},
        )

    def to_json(self) -> dict[str, dict[str, float]]:
        """Return the rates in percent."""
        return {
            agent: {"value": 100.0 * value, "low": 100.0 * ends.low, "high": 100.0 * ends.high}
            for agent, (value, ends) in self.rates.items()
        }


def _mean(estimates: Sequence[IntervalEstimate], weights: Sequence[float]) -> IntervalEstimate:
    """Return the weighted mean of independent estimates, whose half-intervals add up as their squares."""
    share = 1.0 / len(estimates)
    pairs = list(zip(estimates, weights, strict=True))
    value = share * sum(weight * estimate.value for estimate, weight in pairs)
    below = share * hypot(*(weight * (estimate.value - estimate.interval.low) for estimate, weight in pairs))
    above = share * hypot(*(weight * (estimate.interval.high - estimate.value) for estimate, weight in pairs))
    return IntervalEstimate(value, Interval(value - below, value + above))


@dataclass
class Thesis(Paper):
    """The study of one size in a folder.

    Attributes:
        recommended: what `tuning` recommends with its evidence, by game and agent: table II.
        meetings: points per game (1 for a win, shared in a draw) by game: table III.
        by_cards: success rates of teams in Pandemic by cards for a cure: table IV.
    """

    recommended: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    meetings: dict[str, Row] = field(default_factory=dict)
    by_cards: dict[str, Row] = field(default_factory=dict)

    def play(self, game: str) -> bool:
        """Tune the agents for a game and have them meet, in Pandemic by teams."""
        players = self.plan["games"][game]
        if not all(self.tune(game, players, agent) for agent in self.plan["search"]):
            return False
        if game == PANDEMIC:
            return all(self.cure(cards) for cards in self.plan["cards"])
        agents = self.tuned(game)
        folder = event_name(game, players)
        tables = {game: (folder, agents)}
        if game in TAG_HEURISTICS:
            valued = {agent: _with_tag_heuristic(spec, game) for agent, spec in agents.items()}
            tables[f"{game} {WITH_TAG_HEURISTIC}"] = (f"{folder}-tag", valued)
        tables[f"{game} {IN_JAVA}"] = (f"{folder}-java", self.in_java(game))
        return all(self.meet(game, players, name, row, specs) for row, (name, specs) in tables.items())

    def tune(self, game: str, players: int, agent: str) -> bool:
        """Find good parameters of an agent for a game; Pandemic may be left untuned."""
        is_team = game == PANDEMIC
        size = "team_" if is_team else ""
        if self.plan["no_search"] or not self.plan[f"{size}search_games"]:
            return True
        definition = define_study(
            self.default(agent),
            game,
            players=players,
            games=self.plan[f"{size}search_games"],
            search=tuple(self.plan["search"][agent]),
            versus=() if is_team else (self.default("osla"),),
            games_per_trial=self.plan["team_games_per_trial"] if is_team else None,
            validation=self.plan[f"{size}validation"],
            seed=self.plan["seed"],
            enqueue=self.first(game, agent),
        )
        folder = self.out / "studies" / f"{event_name(game, players)}-{agent}"
        print(f"\n{agent} in {game}", flush=True)
        results = run_study(
            definition, folder, tracking=False, progress=make_progress(quiet=False), workers=self.workers
        )
        if results.recommendation is None:
            return False
        self.recommended.setdefault(game, {})[agent] = results.recommendation
        print(results.recommendation["sentence"], flush=True)
        self.write()
        return True

    def default(self, agent: str) -> str:
        """Return the spec of an agent with its default parameters, or those of the thesis's algorithm."""
        algorithm = self.plan["algorithm"].get(agent)
        return f"{agent}:budget={self.plan['budget']}" + (f",{algorithm}" if algorithm else "")

    def first(self, game: str, agent: str) -> tuple[str, ...]:
        """Return what the search tries before anything else: RHEA as in the thesis, and hints."""
        if agent == "rhea":
            return (self.as_printed(game),)
        hint = self.plan["hints"].get(agent, {}).get(game)
        return (changed(self.default(agent), hint),) if hint else ()

    def as_printed(self, game: str) -> str:
        """Return the spec of RHEA with the parameters of table II of the thesis."""
        return changed(self.default("rhea"), self.plan["thesis"]["parameters"][game])

    def tuned(self, game: str) -> dict[str, str]:
        """Return the spec to play with, by agent: the default where nothing was shown to be better."""
        found = {agent: one["spec"] for agent, one in self.recommended.get(game, {}).items()}
        given = self.plan["recommended"].get(game, {}) if self.plan["no_search"] else {}
        found |= {agent: canonical_agent(changed(self.default(agent), text)) for agent, text in given.items()}
        return {agent: found.get(agent, self.default(agent)) for agent in AGENTS}

    def meet(self, game: str, players: int, folder: str, row: str, agents: Mapping[str, str]) -> bool:
        """Have the agents with these specs meet, for a row of table III."""
        results = self.tournament(game, players, folder, self.plan["blocks"], tuple(agents.values()))
        if results.complete:
            self.meetings[row] = Row.of_meeting(results, agents)
            self.add_efforts(self.meetings[row], row, game, players, agents)
            self.write()
        return results.complete

    def add_efforts(self, found: Row, row: str, game: str, players: int, agents: Mapping[str, str]) -> None:
        """Find out how much the agents of a row search, by their specs."""
        folder = f"efforts/{row}".translate(str.maketrans(" :", "__"))
        found.efforts = {agent: [self.measure_effort(game, players, spec, folder)] for agent, spec in agents.items()}

    def cure(self, cards: int) -> bool:
        """Play Pandemic with teams of one agent each, with the parameters found for three cards, for rows of table IV."""
        valued = {agent: _with_tag_heuristic(spec, PANDEMIC) for agent, spec in self.printed(PANDEMIC).items()}
        return (
            self.cure_row(cards, str(cards), "", self.teams())
            and self.cure_row(cards, f"{cards} {WITH_TAG_HEURISTIC}", "-tag", valued)
            and self.cure_row(
                cards, f"{cards} {IN_JAVA}", "-java", self.in_java(PANDEMIC), f",{self.plan['java']['pandemic']}"
            )
        )

    def teams(self) -> dict[str, str]:
        """Return the specs that play Pandemic, by the columns of table IV."""
        (hint,) = self.first(PANDEMIC, "mcts")
        return {**self.tuned(PANDEMIC), AS_PRINTED: self.as_printed(PANDEMIC), AS_HINTED: hint}

    def printed(self, game: str) -> dict[str, str]:
        """Return the specs of which the thesis says the most: its RHEA, and the others with their defaults."""
        return {agent: self.as_printed(game) if agent == "rhea" else self.default(agent) for agent in AGENTS}

    def in_java(self, game: str) -> dict[str, str]:
        """Return these specs with the framework's heuristic, and RMHC as far as it came in 40 ms."""
        specs = self.printed(game) | {"rmhc": f"rmhc:{self.plan['java']['rmhc']}"}
        if game in TAG_HEURISTICS:
            specs = {agent: _with_tag_heuristic(spec, game) for agent, spec in specs.items()}
        return {agent: canonical_agent(spec) for agent, spec in specs.items()}

    def cure_row(self, cards: int, row: str, suffix: str, teams: Mapping[str, str], rules: str = "") -> bool:
        """Have each team play by itself, by the printed rules or with others."""
        game = f"pandemic:cards_for_cure={cards}"
        rates, games = {}, {}
        for name, spec in teams.items():
            folder = f"{event_name(game, 4)}-{name.replace(' ', '_')}{suffix}"
            blocks, precision = self.plan["team_games"], 0.0
            if row in PANDEMIC_ROWS and name in AGENTS:
                blocks, precision = self.plan["table_3_team_games"], self.plan["precision"]
            results = self.tournament(f"{game}{rules}", 4, folder, blocks, (spec,), precision)
            if not results.complete:
                return False
            (team,) = results.teams
            rates[name] = IntervalEstimate(team.success_rate, team.success_rate_interval)
            games[name] = team.games
        self.by_cards[row] = Row.of_teams(rates, games)
        self.add_efforts(self.by_cards[row], f"{row} cards", f"{game}{rules}", 4, teams)
        self.write()
        return True

    def tournament(
        self, game: str, players: int, name: str, blocks: int, agents: tuple[str, ...], precision: float = 0.0
    ) -> TournamentResults:
        """Play a tournament, or a team of one agent by itself, which ends at a precision of its points."""
        design = "round_robin" if len(agents) > 1 else "self_play"
        definition = define(
            game, agents, blocks, players=players, seed=self.plan["seed"] + 1, design=design, precision=precision
        )
        print(f"\n{game}: {', '.join(definition.labels)}", flush=True)
        return run_tournament(
            definition,
            self.out / "tournaments" / name,
            tracking=False,
            progress=make_progress(quiet=False),
            workers=self.workers,
        )

    def write(self) -> None:
        """Write the tables as far as they have come."""
        (self.out / "tables.md").write_text(self.text(), encoding="utf-8")
        tables = {
            "plan": self.plan,
            "table_2": self.recommended,
            "table_3": {game: row.to_json() for game, row in self.table_3().items()},
            "table_4": {cards: row.to_json() for cards, row in self.by_cards.items()},
            "claims": [plain(asdict(claim)) for claim in self.claims()],
        }
        (self.out / "tables.json").write_text(json.dumps(tables, indent=2) + "\n", encoding="utf-8")

    def table_3(self) -> dict[str, Row]:
        """Return the rows of table III: those of Pandemic with three cards, the other games, and in the end the totals."""
        rows = {}
        for suffix in ("", f" {IN_JAVA}"):
            if f"3{suffix}" in self.by_cards:
                rows[f"{PANDEMIC}{suffix}"] = self.by_cards[f"3{suffix}"]
        rows |= self.meetings
        for suffix in ("", f" {IN_JAVA}"):
            games = [f"{game}{suffix}" for game in self.plan["games"]]
            if set(games) <= set(rows):
                weights = [SHARES_IN_TOTAL.get(game, 1.0) for game in self.plan["games"]]
                rows[f"{TOTAL}{suffix}"] = Row.mean([rows[game] for game in games], weights)
        return rows

    def claims(self) -> list[Claim]:
        """Return the claims of the thesis about rows that have been played, each also about the row as in Java."""
        rows = self.table_3() | self.by_cards
        found = []
        for suffix, remark in (("", ""), (f" {IN_JAVA}", f", {IN_JAVA}")):
            for statement in self.plan["thesis"]["claims"]:
                names = [f"{statement[name]}{suffix}" for name in ("row", "than") if name in statement]
                if all(name in rows for name in names):
                    found.append(
                        _judged(statement, [rows[name] for name in names], remark, self.printed_size(statement))
                    )
        return found

    def printed_size(self, statement: Mapping[str, Any]) -> float | None:
        """Return the thesis's figure for the difference that a statement is about, None for one that is not of a size."""
        if {"within", "above", "below"} & set(statement):
            return None
        printed = self.plan["thesis"]["table_3"] | self.plan["thesis"]["table_4"]
        row, place = printed[statement["row"]], AGENTS.index(statement["first"])
        if "than" in statement:
            return float(row[place] - printed[statement["than"]][place]) / 100.0
        return float(min(row[place] - row[AGENTS.index(other)] for other in _others(statement))) / 100.0

    def effort_lines(self) -> list[str]:
        """Return the section on search, of all rows that have been played."""
        rows = self.meetings | {f"{PANDEMIC.partition('=')[0]}={row}": found for row, found in self.by_cards.items()}
        named = {
            f"{row}, {agent}": effort
            for row, found in rows.items()
            for agent, efforts in found.efforts.items()
            for effort in efforts
        }
        return effort_section(named)

    def text(self) -> str:
        """Return the tables in Markdown."""
        thesis = self.plan["thesis"]
        return "\n".join(
            [
                "## Table II: parameters and the value of tuning, on unseen seeds",
                "",
                *_parameter_table(self.recommended, thesis["parameters"]),
                "",
                "## Table III: points per game, with 95 % intervals",
                "",
                *_rate_table("game", AGENTS, self.table_3(), thesis["table_3"]),
                "",
                "## Table IV: games of Pandemic won by teams of one agent, by cards for a cure",
                "",
                *_rate_table("cards", tuple(self.teams()), self.by_cards, thesis["table_4"]),
                "",
                *self.effort_lines(),
                "## Claims, as differences or rates",
                "",
                *claims_table(self.claims()),
                "",
            ]
        )


def changed(spec: str, parameters: str) -> str:
    """Return an agent's spec with these parameters in place of its own.

    >>> changed("rhea:budget=50,horizon=10", "horizon=3,discount=0.5")
    'rhea:budget=50,horizon=3,discount=0.5'
    """
    name, values = (parsed := parse_spec(spec)).name, parsed.values
    return str(Spec(name, {**values, **parse_spec(f"{name}:{parameters}").values}))


def _others(statement: Mapping[str, Any]) -> list[str]:
    """Return the agents with which a statement compares its first."""
    return list(statement.get("others", [agent for agent in AGENTS if agent != statement["first"]]))


def _judged(statement: Mapping[str, Any], rows: Sequence[Row], remark: str, printed: float | None) -> Claim:
    """Judge a statement of thesis.toml: of one rate, of one agent's rates in two rows, or of an agent and others."""
    row, first = rows[0], statement["first"]
    about = [first]
    above, below, form = statement.get("above", -inf), statement.get("below", inf), "+.0%"
    if len(rows) == 2:
        measured = difference(row.rates[first], rows[1].rates[first])
        above = 0.0
    elif "above" in statement or "below" in statement:
        measured, form = row.rates[first], ".0%"
    else:
        about += _others(statement)
        measured = least([row.differences[first, other] for other in about[1:]])
        within = statement.get("within")
        above, below = (0.0, inf) if within is None else (-within, within)
    claim = claim_of_range(
        f"{statement['text']}{remark}",
        statement["published"],
        measured,
        sum(one.games[first] for one in rows),
        above=above,
        below=below,
        printed=printed,
        form=form,
    )
    return judged(claim, [effort for one in rows for agent in about for effort in one.efforts[agent]])


def _with_tag_heuristic(spec: str, game: str) -> str:
    return canonical_agent(f"{spec},heuristic=({HERE / 'tag_heuristics.py'}:{TAG_HEURISTICS[game]})")


def _parameter_table(
    recommended: Mapping[str, Mapping[str, Mapping[str, Any]]], printed: Mapping[str, str]
) -> list[str]:
    """Return what the search recommends beside the default, and what the thesis has for RHEA."""
    lines = [
        "| game | agent | what the search recommends | wins | the default's | difference | CPU ms per decision, the "
        "default's | difference at equal time | CPU ms |",
        f"|{'---|' * 9}",
    ]
    for game, agents in recommended.items():
        for agent, found in agents.items():
            lines.append(f"| {game} | {agent} | {_parameters(found['candidate']['spec'])} | {_evidence(found)} |")
        lines.append(f"| {game} | *the thesis's rhea* | {printed[game].replace(',', ', ')} |{' |' * 6}")
    return lines


def _parameters(spec: str) -> str:
    """Return what a spec says beside the budget."""
    said = [f"{name}={_short(str(value))}" for name, value in parse_spec(spec).values.items() if name != "budget"]
    return ", ".join(said) or "the default"


def _short(value: str) -> str:
    """Return three digits of a real number, and anything else as it is."""
    return f"{float(value):.3g}" if "." in value else value


def _evidence(found: Mapping[str, Any]) -> str:
    """Return the cells of both sides of a validation, of their difference at equal calls and at equal time, and of times."""
    validation = found["validation"]
    if validation is None:
        return " | | | | | "
    figures = [validation[side] for side in ("recommended", "default")]
    sides = [_percent(IntervalEstimate(side["value"], Interval(side["low"], side["high"]))) for side in figures]
    equal_time = found["equal_time"]["comparison"]
    remark = f"{found['equal_time']['remark']} | "
    again = f"{_difference(equal_time)} | {_times(found, 'equal_time')}" if equal_time else remark
    return f"{sides[0]} | {sides[1]} | {_difference(validation)} | {_times(found, 'validation')} | {again}"


def _difference(comparison: Mapping[str, Any]) -> str:
    """Return the difference of a comparison in points, and whether it is shown."""
    result = comparison["result"]
    low, middle, high = (100.0 * result[name] for name in ("low", "difference", "high"))
    verdict = "better" if result["decision"] == "better" else "not shown to be better"
    return f"{middle:+.0f} ({low:+.0f} to {high:+.0f}), {verdict}"


def _times(found: Mapping[str, Any], stage: str) -> str:
    """Return the CPU milliseconds per decision of both sides."""
    return ", ".join("?" if time is None else f"{time:.3g}" for time in found["decision_cpu_ms"][stage].values())


def _rate_table(
    head: str, names: Sequence[str], rows: Mapping[str, Row], printed: Mapping[str, Sequence[float]]
) -> list[str]:
    """Return rates by row and agent, each row above that of the thesis, where it has one."""
    lines = [f"| {head} | {' | '.join(names)} |", f"|---|{'---|' * len(names)}"]
    for title, row in rows.items():
        cells = [_percent(row.rates[name]) if name in row.rates else "" for name in names]
        lines.append(f"| {title} | {' | '.join(cells)} |")
        of_thesis = printed.get(title.removesuffix(f" {IN_JAVA}"))
        if of_thesis:
            figures = [f"{figure:g} %" for figure in of_thesis]
            lines.append(f"| *thesis* | {' | '.join(figures + [''] * (len(names) - len(figures)))} |")
    return lines


def _percent(rate: IntervalEstimate) -> str:
    """Return a rate with its interval."""
    value, (low, high) = rate
    return f"{100.0 * value:.0f} % ({100.0 * low:.0f}-{100.0 * high:.0f})"


if __name__ == "__main__":
    flags = {"no_search": "play with what earlier searches recommended"}
    raise SystemExit(play_paper(Thesis, HERE / "thesis.toml", __doc__, flags))
