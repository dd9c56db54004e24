"""Play the ladder: python examples/ladder/run.py minutes|quarter|hour|night --out studies/ladder.

All agents that search, random play and a rule bot meet in every game, at its usual numbers of players, with equal CPU time
per decision, calibrated by the speed of the machine. Beside that, each plays alone what has no opponents, near the end of
games that can be solved, and in Kuhn's poker, where a best response is known. The tables are printed, and written to
tables.md in the folder with a picture for each time per decision. What has been played is found in the folder, so the same
command goes on after an interruption, and a larger size adds to a smaller one. `minutes` is a look; a `quarter` of an hour,
an `hour` and a `night` are for two idle cores.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from exact import Endgames, kept
from rungs import Rung, draw, plain_name, rung_lines

from tag import make_game
from tag.catalogue.version import version_text
from tag.engine.parameters import parse_spec
from tag.tournaments.commands.papers import Paper, play_paper
from tag.tournaments.definition import Rules, TournamentDefinition, define
from tag.tournaments.ledger.experiment import Experiment
from tag.tournaments.ledger.folder import event_name
from tag.tournaments.reports.displays import make_progress
from tag.tournaments.run import run_experiment, run_tournament
from tag.tournaments.statistics.exploitability.game_tree import grow
from tag.tournaments.statistics.exploitability.measure import exploitability
from tag.tournaments.statistics.exploitability.policies import ask
from tag.tournaments.statistics.standings import Standing

KUHN = str(Path(__file__).parents[1] / "kuhn_poker.py") + ":KuhnPoker"
BOT = "bot"
#: The type of all budgets.
TIMED = "cpu_ms"
#: The milliseconds per decision with which the plan's `block_seconds` are measured.
MEASURED_MS = 10


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
        rivals = [
            self.event(game, (*self.agents(ms), self.bot(game)), players, blocks, "balanced")
            for game, players, blocks in self.events(games, ms, alone=False)
        ]
        players_of = {event_name(event.game, event.players): event.players for event in rivals}
        contests = run_experiment(Experiment.of(rivals), folder / "games", workers=self.workers, **self.how())
        if not contests.complete:
            return False
        alone: dict[str, list[Standing]] = {}
        for game, players, blocks in self.events(games, ms, alone=True):
            name = event_name(game, players)
            alone[name], players_of[name] = [], players
            for agent in (*self.agents(ms), self.bot(game)):
                one = self.event(game, (agent,), players, blocks)
                if not self.play_alone(one, folder / "alone" / name, alone[name]):
                    return False
        known, best = self.measured(ms, games, folder / "exact")
        self.rungs[ms] = Rung(ms, contests, players_of, alone, known, best)
        (self.out / "tables.md").write_text(self.text(), encoding="utf-8")
        draw(contests, self.out / f"ladder_{ms}_ms.svg")
        return True

    def play_alone(self, event: TournamentDefinition, folder: Path, found: list[Standing]) -> bool:
        """Let one agent play in all seats, add its standing to ``found``, and say whether all has been played."""
        agent = plain_name(event.labels[0]).replace(":", "_").replace(",", "_")
        results = run_tournament(event, folder / agent, workers=self.workers, **self.how())
        found.extend(results.standings)
        return results.complete

    @staticmethod
    def how() -> dict[str, Any]:
        """Return how tournaments are shown and tracked."""
        return {"tracking": False, "progress": make_progress(quiet=False)}

    def event(
        self, game: str, agents: tuple[str, ...], players: int, blocks: int, design: str = "round_robin"
    ) -> TournamentDefinition:
        """Return a tournament; times are calibrated where an agent has one."""
        rules = Rules(calibrate=any(TIMED in agent for agent in agents))
        return define(game, agents, blocks, players=players, seed=self.plan["seed"], rules=rules, design=design)

    def agents(self, ms: int) -> list[str]:
        """Return the specs of the agents that play all games."""
        specs = map(parse_spec, self.plan["searchers"])
        return ["random", *(str(s.with_value("budget", ms).with_value("budget_type", TIMED)) for s in specs)]

    def bot(self, game: str) -> str:
        """Return the bot of a game, by the same name in all games."""
        return f"{BOT}={game.partition(':')[0]}:{self.plan['games'][game]['bot']}"

    def events(self, games: Iterable[str], ms: int, *, alone: bool) -> Iterator[tuple[str, int, int]]:
        """Yield games with a number of players and of blocks, those that are played ``alone`` or the others.

        Each event has about ``event_seconds`` or ``alone_seconds``, and at least ``least_blocks``. It is left out where
        these take longer than ``most_seconds``. All are for each time per decision.
        """
        which = self.plan["budgets"].index(ms)
        usual = self.plan["alone_seconds" if alone else "event_seconds"][which]
        most = self.plan["most_seconds"][which]
        least = self.plan["least_blocks"][which]
        for game in games:
            row = self.plan["games"][game]
            if row.get("alone", False) != alone:
                continue
            for players, seconds in zip(row["players"], row["block_seconds"], strict=True):
                one = seconds * ms / MEASURED_MS
                if least * one <= most:
                    yield game, players, max(least, round(usual / one))

    def measured(
        self, ms: int, games: Sequence[str], folder: Path
    ) -> tuple[dict[str, dict[str, int]], dict[str, list[float]]]:
        """Return how well agents play where that is known; each measurement is kept in ``folder`` as it ends."""
        agents, by_game = self.agents(ms), {}
        positions, seed = self.plan["positions"], self.plan["seed"]
        for spec, actions in self.plan["exact"].items():
            game = spec.partition(":")[0]
            if game in {chosen.partition(":")[0] for chosen in games}:
                measure = partial(kept, agents, Endgames(spec, actions), positions, seed)
                by_game[game] = stored(folder / f"{game}-{positions}.json", measure)
        questions = self.plan["questions"]
        measure_best = partial(exploited, agents, questions=questions, seed=seed)
        return by_game, stored(folder / f"kuhn-{questions}.json", measure_best)

    def text(self) -> str:
        """Return all tables in Markdown."""
        lines = [f"Played with {version_text()}.", ""]
        for rung in self.rungs.values():
            lines += rung_lines(rung, self.plan["positions"])
        return "\n".join(lines)


def exploited(agents: Sequence[str], *, questions: int, seed: int) -> dict[str, list[float]]:
    """Return the exploitability of agents in Kuhn's poker, in chips per game, with the ends of its interval."""
    tree = grow(make_game(KUHN), 2)
    found = {}
    for agent in agents:
        one = exploitability(tree, agent, ask(tree, agent, questions=questions, seed=seed))
        found[agent] = [one.value, *one.interval]
    return found


def stored(file: Path, measure: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return what is in a JSON file, which is measured and written where it is missing."""
    if not file.exists():
        print(f"{file.stem}: exact play", flush=True)
        found = measure()
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(found), encoding="utf-8")
    known: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return known


if __name__ == "__main__":
    raise SystemExit(play_paper(Ladder, Path(__file__).parent / "ladder.toml", __doc__))
