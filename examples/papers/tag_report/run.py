"""Analyse the games of the TAG report again: python examples/papers/tag_report/run.py small|medium|full --out studies/tag.

Random players play each game at all its numbers of players. The two tables of the report and its claims, with verdicts, are
printed, and written to tables.md in the folder, each row above that of the report. What has been played is found in the
folder, so the same command goes on after an interruption, and a larger size uses the games of a smaller one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot, log10
from pathlib import Path
from typing import Any

import numpy as np

from tag.tournaments.commands.papers import Paper, play_paper
from tag.tournaments.results.analysis.claims import Claim, claim_of_range, claims_table, difference, least
from tag.tournaments.results.analysis.definition import AnalysisResults, analysis
from tag.tournaments.statistics.intervals import Interval, IntervalEstimate, student

#: The measures of table 1 and table 2 that have intervals, in the order of the report.
STATE_MEASURES = ("actions", "branching", "components", "hidden")
LENGTH_MEASURES = ("decisions", "ticks", "rounds", "actions_per_turn")
FUNCTIONS = ("setup", "next", "actions", "copy")
#: Rows with rules of the framework in Java.
IN_JAVA = "as in Java"
_HEADS = (
    ("actions μ1", "branching μ2", "components μ3", "hidden μ4", *(f"{name} μ5" for name in FUNCTIONS)),
    ("decisions μ6", "ticks", "rounds", "actions per turn", "least reward μ7", "greatest", "sd"),
)


@dataclass
class Report(Paper):
    """The analysis of random games.

    Attributes:
        results: the analysis of each row of the tables.
    """

    results: dict[str, AnalysisResults] = field(default_factory=dict)

    def play(self, game: str) -> bool:
        """Analyse a game, for Pandemic also with the framework's rules, each for a row of the tables."""
        specs = {game: game}
        if game in self.plan["java"]:
            specs[f"{game} {IN_JAVA}"] = f"{game}:{self.plan['java'][game]}"
        number = max(2, round(self.plan["games_each"] * self.plan["share"].get(game, 1.0)))
        for row, spec in specs.items():
            definition = analysis((spec,), n_games=number, seed=self.plan["seed"])
            results = self.analyse(definition, row.replace(" ", "_"))
            if not results.complete:
                return False
            self.results[row] = results
        return True

    def measure(self, game: str, name: str, players: int | None = None) -> IntervalEstimate:
        """Return the mean of a measure over the numbers of players, which are independent, or with one number."""
        summary = self.results[game].summary
        rows = summary[(summary["measure"] == name) & (players is None or summary["players"] == players)]
        below, above = (hypot(*(rows["mean"] - rows[end])) / len(rows) for end in ("low", "high"))
        mean = float(rows["mean"].mean())
        return IntervalEstimate(mean, Interval(mean - below, mean + above))

    def speed(self, game: str, function: str) -> IntervalEstimate:
        """Return the logarithm to base 10 of the calls of a function per CPU second: the mean over sampled games."""
        speed = self.results[game].speed
        powers = np.log10(speed[speed["function"] == function]["per_second"].to_numpy(dtype=np.float64))
        half = student(len(powers)) * float(powers.std(ddof=1)) / len(powers) ** 0.5
        mean = float(powers.mean())
        return IntervalEstimate(mean, Interval(mean - half, mean + half))

    def claims(self) -> list[Claim]:
        """Return the claims of the report about games that have been analysed."""
        found = []
        for statement in self.plan["claims"]:
            if "function" in statement:
                found.append(self.speed_claim(statement))
            elif {statement["first"], *self.others(statement)} <= set(self.results):
                found.append(self.claim(statement))
        return found

    def others(self, statement: Mapping[str, Any]) -> list[str]:
        """Return the games with which a statement compares its first, by default all others."""
        if "players" in statement:
            return []
        return list(statement.get("others", [game for game in self.plan["games"] if game != statement["first"]]))

    def claim(self, statement: Mapping[str, Any]) -> Claim:
        """Judge a statement about a game's measure: with fewer players or more, or beside other games."""
        name, first, others = statement["measure"], statement["first"], self.others(statement)
        if "players" in statement:
            fewer, more = (self.measure(first, name, players) for players in statement["players"])
            differences = [difference(fewer, more)]
        else:
            pairs = [(self.measure(first, name), self.measure(other, name)) for other in others]
            is_least = statement.get("least", False)
            differences = [difference(other, one) if is_least else difference(one, other) for one, other in pairs]
        games = sum(self.results[game].games for game in (first, *others))
        form = "+.1%" if name == "hidden" else "+.2f"
        return claim_of_range(
            statement["text"],
            statement["published"],
            least(differences),
            games,
            above=0.0,
            printed=self.printed_difference(statement),
            form=form,
        )

    def printed_difference(self, statement: Mapping[str, Any]) -> float | None:
        """Return the least of the report's differences that a statement is about, None for one by numbers of players."""
        name, others = statement["measure"], self.others(statement)
        if not others:
            return None
        table, column = next(
            (table, names.index(name))
            for table, names in (("table_1", STATE_MEASURES), ("table_2", LENGTH_MEASURES))
            if name in names
        )
        first, *rest = (float(self.plan["games"][game][table][column]) for game in (statement["first"], *others))
        return min(other - first if statement.get("least", False) else first - other for other in rest)

    def speed_claim(self, statement: Mapping[str, Any]) -> Claim:
        """Judge the statement that a function is as fast as printed."""
        column = len(STATE_MEASURES) + FUNCTIONS.index(statement["function"])
        gains, games = [], [game for game in self.results if game in self.plan["games"]]
        for game in games:
            power, (low, high) = self.speed(game, statement["function"])
            printed = self.plan["games"][game]["table_1"][column]
            gains.append(IntervalEstimate(power - printed, Interval(low - printed, high - printed)))
        return claim_of_range(
            statement["text"],
            statement["published"],
            least(gains),
            sum(len(self.results[game].speed[["players", "sample"]].drop_duplicates()) for game in games),
            above=0.0,
            form="+.1f",
        )

    def text(self) -> str:
        """Return the tables in Markdown."""
        return "\n".join(
            [
                "## Table 1: actions, branching, components, hidden information and calls per CPU second",
                "",
                *self.table("table_1", _HEADS[0]),
                "",
                "## Table 2: length and rewards",
                "",
                *self.table("table_2", _HEADS[1]),
                "",
                "## Claims",
                "",
                *claims_table(self.claims()),
                "",
            ]
        )

    def table(self, name: str, heads: Sequence[str]) -> list[str]:
        """Return a table: means with the half of their 95 % intervals, each row above that of the report."""
        lines = [f"| game | {' | '.join(heads)} |", f"|---|{'---|' * len(heads)}"]
        for row in self.results:
            cells = self.state_cells(row) if name == "table_1" else self.length_cells(row)
            printed = self.plan["games"][row.removesuffix(f" {IN_JAVA}")][name]
            lines.append(f"| {row} | {' | '.join(cells)} |")
            lines.append(f"| *report* | {' | '.join(_printed(heads, printed))} |")
        return lines

    def state_cells(self, game: str) -> list[str]:
        """Return the figures of a game in table 1."""
        measures = [_figure(self.measure(game, name), is_share=name == "hidden") for name in STATE_MEASURES]
        return measures + [_rate(10 ** self.speed(game, function).value) for function in FUNCTIONS]

    def length_cells(self, game: str) -> list[str]:
        """Return the figures of a game in table 2; the deviation of rewards is the mean over the numbers of players."""
        rewards = self.results[game].summary.query("measure == 'heuristic'")
        extremes = [rewards["min"].min(), rewards["max"].max(), rewards["sd"].mean()]
        return [_figure(self.measure(game, name)) for name in LENGTH_MEASURES] + [f"{value:.3g}" for value in extremes]


def _figure(estimate: IntervalEstimate, *, is_share: bool = False) -> str:
    """Return a mean and half of its interval."""
    value, half = estimate.value, estimate.interval.half
    if is_share:
        return f"{100 * value:.1f} % ± {100 * half:.1f}"
    return f"{value:.4g} ± {half:.{2 if half < 100 else 3}g}"


def _rate(per_second: float) -> str:
    """Return calls per second with two digits."""
    power = max(0, int(log10(per_second)) // 3)
    return f"{per_second / 1000**power:.3g} {('', 'k', 'M', 'G')[power]}".strip()


def _printed(heads: Sequence[str], figures: Sequence[float]) -> list[str]:
    """Return the figures of the report: speeds as powers of ten, shares in percent."""
    cells = []
    for head, figure in zip(heads, figures, strict=True):
        if head.endswith("μ5"):
            cells.append(_rate(10**figure))
        else:
            cells.append(f"{100 * figure:.3g} %" if head.endswith("μ4") else f"{figure:g}")
    return cells


if __name__ == "__main__":
    raise SystemExit(play_paper(Report, Path(__file__).parent / "report.toml", __doc__))
