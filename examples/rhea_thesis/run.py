"""Play the study of the thesis again: python examples/rhea_thesis/run.py small|medium|full --out studies/thesis --workers 2.

What has been played is found in the folder, so the same command goes on after any interruption. The tables are written
to tables.md and tables.json in the folder as far as they have come.
"""

from __future__ import annotations

import argparse
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tournaments import TournamentResults, define, run_tournament
from tournaments.folder import event_name
from tournaments.progress import make_progress
from tournaments.settings import worker_count
from tuning import define_study, tune

HERE = Path(__file__).parent
PANDEMIC = "pandemic:cards_for_cure=3"
#: The agents of the thesis; OSLA has nothing to tune.
AGENTS = ("rhea", "mcts", "osla", "rmhc")


@dataclass
class Rate:
    """A win rate with its 95 % interval, in percent."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, *shares: float) -> Rate:
        """Return the rate of shares of 1."""
        return cls(*(100.0 * share for share in shares))

    def __str__(self) -> str:
        return f"{self.value:.0f} % ({self.low:.0f}-{self.high:.0f})"


@dataclass
class Thesis:
    """The study of one size in a folder.

    Attributes:
        plan: what thesis.toml says, with what the size says instead.
        out: the folder.
        execution: who plays.
        tuned: the spec that is played with, by game and agent.
        verdicts: what tuning came to, likewise.
        rates: win rates by game and agent: table III.
        by_cards: win rates in Pandemic by cards for a cure and agent: table IV.
    """

    plan: Mapping[str, Any]
    out: Path
    execution: Mapping[str, Any]
    tuned: dict[str, dict[str, str]] = field(default_factory=dict)
    verdicts: dict[str, dict[str, str]] = field(default_factory=dict)
    rates: dict[str, dict[str, Rate]] = field(default_factory=dict)
    by_cards: dict[int, dict[str, Rate]] = field(default_factory=dict)

    def run(self) -> bool:
        """Play what is missing, and say whether all has been played."""
        games = {game: players for game, players in self.plan["games"].items() if game in self.chosen}
        for game, players in games.items():
            if not all(self.tune(game, players, agent) for agent in AGENTS) or not self.meet(game, players):
                return False
            self.write()
        for cards in self.plan["cards"]:
            if not self.cure(cards):
                return False
            self.write()
        return True

    @property
    def chosen(self) -> list[str]:
        """The games of this size."""
        return list(self.plan.get("chosen", self.plan["games"]))

    def tune(self, game: str, players: int, agent: str) -> bool:
        """Find good parameters of an agent for a game."""
        spec = f"{agent}:budget={self.plan['budget']}"
        is_team = game == PANDEMIC
        if agent not in self.plan["search"]:
            self.tuned.setdefault(game, {})[agent] = spec
            return True
        size = "team_" if is_team else ""
        definition = define_study(
            spec,
            game,
            players=players,
            games=self.plan[f"{size}search_games"],
            search=tuple(self.plan["search"][agent]),
            versus=() if is_team else (f"osla:budget={self.plan['budget']}",),
            validation=self.plan[f"{size}validation"],
            seed=self.plan["seed"],
        )
        folder = self.out / "studies" / f"{event_name(game, players)}-{agent}"
        print(f"\n{agent} in {game}", flush=True)
        results = tune(definition, folder, tracking=False, progress=make_progress(quiet=False), **self.execution)
        if results.recommendation is None:
            return False
        self.tuned.setdefault(game, {})[agent] = results.recommendation["spec"]
        self.verdicts.setdefault(game, {})[agent] = results.recommendation["sentence"]
        print(results.recommendation["sentence"], flush=True)
        return True

    def meet(self, game: str, players: int) -> bool:
        """Have the tuned agents meet; Pandemic is played by teams instead (`cure`)."""
        if game == PANDEMIC:
            return True
        agents = self.tuned[game]
        results = self.play(game, players, event_name(game, players), self.plan["blocks"], tuple(agents.values()))
        if results.complete:
            rates = {one.agent: Rate.of(one.win_rate, one.win_rate_low, one.win_rate_high) for one in results.standings}
            self.rates[game] = {agent: rates[spec] for agent, spec in agents.items()}
        return results.complete

    def cure(self, cards: int) -> bool:
        """Play Pandemic with teams of one agent each, with the parameters found for three cards where they were searched."""
        game = f"pandemic:cards_for_cure={cards}"
        rates = {}
        for agent in AGENTS:
            spec = self.tuned.get(PANDEMIC, {}).get(agent, f"{agent}:budget={self.plan['budget']}")
            results = self.play(game, 4, f"{event_name(game, 4)}-{agent}", self.plan["team_games"], (spec,))
            if not results.complete:
                return False
            (team,) = results.teams
            rates[agent] = Rate.of(team.success_rate, team.success_rate_low, team.success_rate_high)
        self.by_cards[cards] = rates
        return True

    def play(self, game: str, players: int, name: str, blocks: int, agents: tuple[str, ...]) -> TournamentResults:
        """Play a tournament, or a team of one agent by itself."""
        design = "round_robin" if len(agents) > 1 else "self_play"
        definition = define(game, agents, blocks, players=players, seed=self.plan["seed"] + 1, design=design)
        print(f"\n{game}: {', '.join(definition.labels)}", flush=True)
        return run_tournament(
            definition,
            self.out / "tournaments" / name,
            tracking=False,
            progress=make_progress(quiet=False),
            **self.execution,
        )

    def write(self) -> None:
        """Write the tables as far as they have come."""
        (self.out / "tables.md").write_text(self.text(), encoding="utf-8")
        plain = {
            "plan": self.plan,
            "tuned": self.tuned,
            "verdicts": self.verdicts,
            "table_3": {game: {agent: vars(rate) for agent, rate in row.items()} for game, row in self.rates.items()},
            "table_4": {
                cards: {agent: vars(rate) for agent, rate in row.items()} for cards, row in self.by_cards.items()
            },
        }
        (self.out / "tables.json").write_text(json.dumps(plain, indent=2) + "\n", encoding="utf-8")

    def text(self) -> str:
        """Return the tables in Markdown."""
        pieces = ["## Table II: what the search recommends", ""]
        for game, verdicts in self.verdicts.items():
            pieces += [f"- {game}: {sentence}" for sentence in verdicts.values()]
        pieces += ["", "## Table III: win rates", "", *_table("game", self.rates)]
        pieces += ["", "## Table IV: Pandemic by cards for a cure", "", *_table("cards", self.by_cards)]
        return "\n".join([*pieces, ""])


def main() -> int:
    """Read the plan and play it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("size", choices=("small", "medium", "full"))
    parser.add_argument("--out", type=Path, default=Path("studies/thesis"))
    parser.add_argument("--workers", type=int)
    options = parser.parse_args()
    plan = tomllib.loads((HERE / "thesis.toml").read_text(encoding="utf-8"))
    size = plan.pop("sizes")[options.size]
    chosen = size.pop("games", list(plan["games"]))
    workers = worker_count(options.workers)
    thesis = Thesis({**plan, **size, "chosen": chosen}, options.out, {"workers": workers, "uses_ray": workers > 1})
    options.out.mkdir(parents=True, exist_ok=True)
    complete = thesis.run()
    print(thesis.text())
    return 0 if complete else 130


def _table(head: str, rows: Mapping[Any, Mapping[str, Rate]]) -> list[str]:
    lines = [f"| {head} | {' | '.join(AGENTS)} |", f"|---|{'---|' * len(AGENTS)}"]
    return lines + [f"| {name} | {' | '.join(str(row[agent]) for agent in AGENTS)} |" for name, row in rows.items()]


if __name__ == "__main__":
    raise SystemExit(main())
