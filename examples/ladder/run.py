"""Play the ladder: python examples/ladder/run.py minutes|hour|night --out studies/ladder.

All agents that search, random play and a rule bot meet in every game, at its usual numbers of players, with equal CPU time
per decision, calibrated by the speed of the machine. Beside that, each plays alone what has no opponents, near the end of
games that can be solved, and in Kuhn's poker, where a best response is known. The tables are printed, and written to
tables.md in the folder with a picture, ladder.svg. What has been played is found in the folder, so the same command goes on
after an interruption. `minutes` is a look, an `hour` and a `night` are for two cores.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from exact import Endgames, kept

from tag import make_game
from tag.catalogue.version import version_text
from tag.engine.parameters import parse_spec
from tag.tournaments.commands.papers import Paper, play_paper
from tag.tournaments.definition import Rules, TournamentDefinition, define
from tag.tournaments.ledger.experiment import Experiment
from tag.tournaments.ledger.folder import event_name
from tag.tournaments.reports.displays import make_progress
from tag.tournaments.results.experiment import ExperimentResults
from tag.tournaments.results.tournament import AgentRating, counted_seats, rate_games
from tag.tournaments.run import run_experiment, run_tournament
from tag.tournaments.statistics.exploitability.game_tree import grow
from tag.tournaments.statistics.exploitability.measure import exploitability
from tag.tournaments.statistics.exploitability.policies import ask
from tag.tournaments.statistics.intervals import Interval, IntervalEstimate
from tag.tournaments.statistics.ratings.ranked_games import RankedGames
from tag.tournaments.statistics.standings import Standing

KUHN = str(Path(__file__).parents[1] / "kuhn_poker.py") + ":KuhnPoker"
BOT = "bot"


@dataclass
class Rung:
    """What has been played with one time per decision.

    Attributes:
        contests: games against each other.
        players: their number, by event.
        alone: the standings of games that are played alone or together, by event.
        kept: by game, in how many positions each agent keeps the result.
        exploited: the exploitability of each agent in Kuhn's poker.
    """

    contests: ExperimentResults
    players: dict[str, int]
    alone: dict[str, list[Standing]] = field(default_factory=dict)
    kept: dict[str, dict[str, int]] = field(default_factory=dict)
    exploited: dict[str, list[float]] = field(default_factory=dict)


@dataclass
class Ladder(Paper):
    """The ladder in one size.

    Attributes:
        rungs: what has been played, by milliseconds per decision.
    """

    rungs: dict[int, Rung] = field(default_factory=dict)

    def run(self, games: Iterable[str]) -> bool:
        """Play what is missing, and say whether all has been played."""
        chosen = list(games)
        return all(self.play_rung(ms, chosen) for ms in self.plan["budgets"])

    def play_rung(self, ms: int, games: Sequence[str]) -> bool:
        """Play all with one time per decision, and write the tables."""
        folder = self.out / f"{ms}_ms"
        rivals = [event for game in games for event in self.events(game, ms, alone=False)]
        players = {event_name(event.game, event.players): event.players for event in rivals}
        found = run_experiment(Experiment.of(rivals), folder / "games", workers=self.workers, **self.how())
        rung = self.rungs[ms] = Rung(found, players)
        if not rung.contests.complete:
            return False
        for event in (event for game in games for event in self.events(game, ms, alone=True)):
            name = event_name(event.game, event.players)
            results = run_tournament(event, folder / "alone" / name, workers=self.workers, **self.how())
            if not results.complete:
                return False
            rung.alone[name] = results.standings
        rung.kept, rung.exploited = self.measured(ms, games, folder / "exact.json")
        (self.out / "tables.md").write_text(self.text(), encoding="utf-8")
        self.draw(self.out / "ladder.svg")
        return True

    @staticmethod
    def how() -> dict[str, Any]:
        """Return how tournaments are shown and tracked."""
        return {"tracking": False, "progress": make_progress(quiet=False)}

    def agents(self, ms: int) -> list[str]:
        """Return the specs of the agents that play all games."""
        specs = map(parse_spec, self.plan["searchers"])
        return ["random", *(str(s.with_value("budget", ms).with_value("budget_type", "cpu_ms")) for s in specs)]

    def events(self, game: str, ms: int, *, alone: bool) -> Iterator[TournamentDefinition]:
        """Yield the tournaments of a game, if it is played ``alone`` or not."""
        row = self.plan["games"][game]
        if row.get("alone", False) != alone:
            return
        for players, seconds in zip(row["players"], row["block_seconds"], strict=True):
            yield define(
                game,
                (*self.agents(ms), f"{BOT}={game}:{row['bot']}"),
                max(2, round(self.plan["event_seconds"] / seconds)),
                players=players,
                seed=self.plan["seed"],
                rules=Rules(calibrate=True),
                design="repeated" if alone else "balanced",
            )

    def measured(
        self, ms: int, games: Sequence[str], file: Path
    ) -> tuple[dict[str, dict[str, int]], dict[str, list[float]]]:
        """Return how well agents play where that is known, which is kept in ``file``."""
        if file.exists():
            found = json.loads(file.read_text(encoding="utf-8"))
            return found["kept"], found["exploited"]
        agents, by_game = self.agents(ms), {}
        for game, actions in self.plan["exact"].items():
            if game.partition(":")[0] in games:
                print(f"{game}: decisions near the end", flush=True)
                by_game[game] = kept(agents, Endgames(game, actions), self.plan["positions"], self.plan["seed"])
        print("Kuhn's poker: best responses", flush=True)
        tree = grow(make_game(KUHN), 2)
        exploited = {}
        for agent in agents:
            one = exploitability(
                tree, agent, ask(tree, agent, questions=self.plan["questions"], seed=self.plan["seed"])
            )
            exploited[agent] = [one.value, *one.interval]
        file.write_text(json.dumps({"kept": by_game, "exploited": exploited}), encoding="utf-8")
        return by_game, exploited

    def ratings(self, rung: Rung) -> list[AgentRating]:
        """Return one rating per agent from all games of a rung, each event's blocks being blocks of their own."""
        parts, first = [], 0
        for name in rung.contests.events:
            seats = counted_seats(rung.contests.folder / name)
            last = int(seats["block"].max())
            parts.append(seats.assign(block=seats["block"] + first))
            first += last + 1
        return rate_games(RankedGames.of_parts(parts)).agents

    def text(self) -> str:
        """Return all tables in Markdown."""
        lines = [f"Played with {version_text()}.", ""]
        for ms, rung in self.rungs.items():
            lines += [f"## {ms} ms per decision", "", *self.overall(rung), "", *self.by_event(rung), ""]
            lines += self.others(rung)
        return "\n".join(lines)

    def overall(self, rung: Rung) -> list[str]:
        """Return the table over all games."""
        times = decision_times(rung.contests)
        ratings = {one.agent: one for one in self.ratings(rung)}
        lines = ["| agent | strength | rating | ms per decision, least, median and most |", "|---|---|---|---|"]
        for one in rung.contests.overall:
            rating = ratings[one.agent]
            elo = IntervalEstimate(rating.rating, rating.interval).text(".0f")
            ms = times[one.agent]
            cells = [IntervalEstimate(one.strength, one.interval).text(".2f"), elo, " / ".join(f"{t:.2g}" for t in ms)]
            lines.append(f"| {name(one.agent)} | {' | '.join(cells)} |")
        return lines

    def by_event(self, rung: Rung) -> list[str]:
        """Return the strength of each agent in each game."""
        order = [one.agent for one in rung.contests.overall]
        lines = [f"| game | games | {' | '.join(map(name, order))} |", f"|---|---|{'---|' * len(order)}"]
        for event, results in rung.contests.events.items():
            players = rung.players[event]
            by_label = {one.agent: one for one in results.standings}
            cells = []
            for label in order:
                one = by_label[label]
                low, high = (players * end for end in one.points_interval)
                mark = (
                    "**" if players * one.points >= max(players * other.points for other in results.standings) else ""
                )
                cells.append(f"{mark}{players * one.points:.2f}{mark} ± {(high - low) / 2:.2f}")
            lines.append(f"| {event} | {results.games} | {' | '.join(cells)} |")
        return lines

    def others(self, rung: Rung) -> list[str]:
        """Return the tables of what is played alone, near the end, and in Kuhn's poker."""
        lines = []
        for event, standings in rung.alone.items():
            lines += [f"### {event}, all seats", "", "| agent | games | score | won |", "|---|---|---|---|"]
            for one in sorted(standings, key=lambda one: -one.score):
                score = IntervalEstimate(one.score, one.score_interval).text(",.1f")
                won = IntervalEstimate(one.win_rate, one.win_rate_interval).text(".2f")
                lines.append(f"| {name(one.agent)} | {one.games} | {score} | {won} |")
            lines.append("")
        if rung.kept:
            agents = list(next(iter(rung.kept.values())))
            lines += [f"### Decisions that keep the result, of {self.plan['positions']}", ""]
            lines += [f"| game | {' | '.join(map(name, agents))} |", f"|---|{'---|' * len(agents)}"]
            lines += [f"| {game} | {' | '.join(map(str, row.values()))} |" for game, row in rung.kept.items()]
            lines.append("")
        lines += ["### Exploitability in Kuhn's poker, in chips", "", "| agent | exploitability |", "|---|---|"]
        for agent, (value, low, high) in sorted(rung.exploited.items(), key=lambda item: item[1][0]):
            lines.append(f"| {name(agent)} | {IntervalEstimate(value, Interval(low, high)).text('.3f')} |")
        return [*lines, ""]

    def draw(self, file: Path) -> None:
        """Draw the strength of all agents in all games of the last rung."""
        import matplotlib as mpl  # noqa: PLC0415  takes a while
        from matplotlib.figure import Figure  # noqa: PLC0415

        contests = self.rungs[max(self.rungs)].contests
        names = [one.agent for one in contests.overall]
        table = pd.DataFrame(
            {one.agent: dict(zip(contests.compared, one.by_event, strict=True)) for one in contests.overall}
        )
        figure = Figure(figsize=(1.5 + 0.62 * len(names), 0.8 + 0.26 * len(table)), layout="constrained")
        axes = figure.subplots()
        shares = table.to_numpy(dtype=np.float64)
        axes.imshow(shares, cmap="RdYlGn", vmin=0.0, vmax=2.0, aspect="auto")
        for row, column in np.ndindex(*table.shape):
            axes.text(column, row, f"{shares[row, column]:.2f}", ha="center", va="center", fontsize=7)
        axes.set_xticks(range(len(names)), list(map(plain_name, names)), rotation=40, ha="left", fontsize=8)
        axes.xaxis.tick_top()
        axes.set_yticks(range(len(table)), list(table.index), fontsize=8)
        axes.tick_params(length=0)
        for side in axes.spines.values():
            side.set_visible(False)
        with mpl.rc_context({"svg.hashsalt": "ladder"}):  # the same file for the same tables
            figure.savefig(file, metadata={"Date": None})


def name(label: str) -> str:
    """Return an agent's name for a table; all have the same budget."""
    return f"`{plain_name(label)}`"


def plain_name(label: str) -> str:
    """Return an agent's spec without its budget."""
    return re.sub(r"budget(_type)?=[^,]*,?", "", label).rstrip(",:")


def decision_times(contests: ExperimentResults) -> dict[str, list[float]]:
    """Return the least, median and greatest CPU milliseconds per decision of each agent over the events."""
    found: dict[str, list[float]] = {}
    for results in contests.events.values():
        for one in results.standings:
            found.setdefault(one.agent, []).append(one.decision_cpu_ms)
    return {agent: [float(f(times)) for f in (np.nanmin, np.nanmedian, np.nanmax)] for agent, times in found.items()}


if __name__ == "__main__":
    raise SystemExit(play_paper(Ladder, Path(__file__).parent / "ladder.toml", __doc__))
