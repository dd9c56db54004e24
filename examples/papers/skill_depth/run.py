"""Measure skill traces as in *Skill Depth*: python examples/papers/skill_depth/run.py small|medium|full.

MCTS plays itself with half of its budget, for budgets that double. The table of the paper and its claims, with verdicts, are
printed, and written to tables.md in the folder (--out), each row above the paper's. What has been played is found in the
folder, so the same command goes on after an interruption. With --games only some games are played.
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cluster import Workers, make_workers
from tag.errors import TagError, UnknownNameError
from tournaments.commands.analysis import run_analysis
from tournaments.reports.progress import make_progress
from tournaments.results.analysis import analysis, trace_folder
from tournaments.results.claims import Claim, claim_of_difference, claim_of_range, claims_table, difference, least
from tournaments.results.skill import BudgetDoublings, read_doublings
from tournaments.statistics.intervals import IntervalEstimate

HERE = Path(__file__).parent
PLAYERS = (2, 3)


@dataclass
class SkillDepth:
    """The skill traces of one size in a folder.

    Attributes:
        plan: what skill.toml says, with what the size says.
        out: the folder.
        workers: play the games.
        found: what doublings gain, by game and number of players.
    """

    plan: Mapping[str, Any]
    out: Path
    workers: Workers
    found: dict[tuple[str, int], BudgetDoublings] = field(default_factory=dict)

    def run(self, games: Iterable[str]) -> bool:
        """Play what is missing, and say whether all has been played."""
        return all(self.trace(game) for game in games)

    def trace(self, game: str) -> bool:
        """Play the doublings of a game with all numbers of players of the paper."""
        definition = analysis(
            (game,),
            PLAYERS[: len(self.plan["games"][game])],
            n_games=1,
            seed=self.plan["seed"],
            trace_agent=f"mcts:budget={self.plan['budget']}",
            doublings=self.plan["doublings"],
            skill_games=self.plan["games_each"],
        )
        print(f"\n{game}", flush=True)
        folder = self.out / f"{definition.events[0].name}-{self.plan['budget']}"
        results = run_analysis(definition, folder, workers=self.workers, progress=make_progress(quiet=False))
        if not results.complete:
            return False
        for event in definition.events:
            doublings = {budget: trace_folder(folder, event, budget) for budget, _part in definition.trace(event)}
            self.found[game, event.players] = read_doublings(doublings)
        (self.out / "tables.md").write_text(self.text(), encoding="utf-8")
        return True

    def measure(self, game: str, players: int, name: str = "skill_trace") -> IntervalEstimate:
        """Return a measure of the skill trace of a game."""
        return dict(self.found[game, players].measures())[name]

    def claims(self) -> Iterator[Claim]:
        """Yield the claims about games that have been played."""
        games = [game for game, players in self.found if players == PLAYERS[0]]
        printed = self.plan["games"]
        for statement in self.plan["claims"]:
            first = statement["first"]
            others = [game for game in statement.get("others", games) if game in games and game != first]
            if first in games and others:
                differences = [difference(self.measure(first, 2), self.measure(other, 2)) for other in others]
                published = f"{min(printed[first][0] - printed[other][0] for other in others):+.3f}"
                played = sum(sum(self.found[game, 2].games) for game in (first, *others))
                yield claim_of_range(statement["text"], published, least(differences), played, above=0.0, form="+.3f")
        for game in games:
            if (game, 3) in self.found:
                two, three = self.found[game, 2], self.found[game, 3]
                yield claim_of_difference(
                    f"{game} takes more skill with two players than with three",
                    f"{printed[game][0] - printed[game][1]:+.3f}",
                    self.measure(game, 2),
                    self.measure(game, 3),
                    sum(two.games) + sum(three.games),
                    form="+.3f",
                )

    def text(self) -> str:
        """Return the table and the claims in Markdown."""
        last = self.plan["budget"]
        budgets = [last >> step for step in range(self.plan["doublings"] - 1, -1, -1)]
        return "\n".join(
            [
                f"## Table II: skill traces; budgets up to {last:,} calls, {self.plan['games_each']} games a doubling",
                "",
                *self._table(budgets),
                "",
                "## Claims",
                "",
                *claims_table(self.claims()),
                "",
            ]
        )

    def _table(self, budgets: list[int]) -> Iterator[str]:
        gains = " | ".join(f"gain at {budget:,}" for budget in budgets)
        yield f"| game | players | skill trace | *printed* | with exponential decay | {gains} |"
        yield f"|{'---|' * (5 + len(budgets))}"
        for (game, players), found in self.found.items():
            printed = self.plan["games"][game][PLAYERS.index(players)]
            shown = " | ".join(f"{gain:+.2f}" for gain in found.gains)
            trace, decay = (_shown(self.measure(game, players, name)) for name in ("skill_trace", "skill_trace_decay"))
            yield f"| {game} | {players} | {trace} | *{printed:.3f}* | {decay} | {shown} |"


def _shown(found: IntervalEstimate) -> str:
    return f"{found.value:.3f} ({found.interval.low:.3f} to {found.interval.high:.3f})"


def main() -> int:
    """Read the plan and play it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("size", choices=("small", "medium", "full"))
    parser.add_argument("--out", type=Path, default=Path("studies/skill"))
    parser.add_argument("--workers", type=int)
    parser.add_argument("--games", help="those that are played, with commas: virus,diamant")
    options = parser.parse_args()
    plan = tomllib.loads((HERE / "skill.toml").read_text(encoding="utf-8"))
    size = plan["sizes"][options.size]
    plan |= {"budget": size["budget"], "doublings": size["doublings"], "games_each": size["games"]}
    by_name = {game.partition(":")[0]: game for game in plan["games"]}
    names = options.games.split(",") if options.games else list(by_name)
    try:
        for name in names:
            if name not in by_name:
                raise UnknownNameError.of("game of the paper", name, by_name)
        with make_workers(options.workers) as workers:
            skill = SkillDepth(plan, options.out, workers)
            complete = skill.run([by_name[name] for name in names])
    except TagError as error:
        parser.error(str(error))
    print(skill.text())
    return 0 if complete else 130


if __name__ == "__main__":
    raise SystemExit(main())
