"""Compare heuristics as in *Following the Leader*: python examples/papers/following_the_leader/run.py small|medium|full.

MCTS plays each game with each of five heuristics, and ranks them by points. The table of the paper and its claims, with
verdicts, are printed, and written to tables.md in the folder (--out), each row above the paper's. What has been played is
found in the folder, so the same command goes on after an interruption. With --games only some games are played.
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cluster import Workers, make_workers
from tag.catalogue.registry import game_class
from tag.errors import TagError, UnknownNameError
from tournaments.commands.analysis import run_analysis
from tournaments.reports.progress import make_progress
from tournaments.results.analysis import analysis, comparison_folder
from tournaments.results.claims import Claim, claim_of_range, claims_table, least
from tournaments.results.heuristics import HeuristicComparison, read_comparison
from tournaments.statistics.intervals import ends_text

HERE = Path(__file__).parent
TITLES = {"win": "Win", "score": "Score", "score_win": "Score+", "leader": "Leader", "game": "Default"}


@dataclass
class Leader:
    """The comparison of one size in a folder.

    Attributes:
        plan: what leader.toml says, with what the size says.
        out: the folder.
        workers: play the games.
        compared: the comparison in each game, over the numbers of players.
        games: how many were played of each.
    """

    plan: Mapping[str, Any]
    out: Path
    workers: Workers
    compared: dict[str, HeuristicComparison] = field(default_factory=dict)
    games: dict[str, int] = field(default_factory=dict)

    def run(self, games: Iterable[str]) -> bool:
        """Play what is missing, and say whether all has been played."""
        for game in games:
            about = self.plan["games"][game]
            kind = game_class(game).game_type
            players = tuple(n for n in self.plan["players"] if kind.min_players <= n <= kind.max_players)
            definition = analysis(
                (about.get("spec", game),),
                players,
                n_games=1,
                seed=self.plan["seed"],
                heuristic_agent=f"mcts:budget={self.plan['budget']},rollout_length={about['rollout_length']}",
                heuristics=",".join(self.plan["heuristics"]),
                heuristic_games=self.plan["games_each"],
            )
            print(f"\n{game}, {', '.join(map(str, players))} players", flush=True)
            folder = self.out / f"{game}-{self.plan['budget']}"
            results = run_analysis(definition, folder, workers=self.workers, progress=make_progress(quiet=False))
            if not results.complete:
                return False
            folders = [comparison_folder(folder, event) for event in definition.events]
            self.compared[game] = read_comparison(folders, self.plan["heuristics"])
            self.games[game] = results.games
            (self.out / "tables.md").write_text(self.text(), encoding="utf-8")
        return True

    def together(self) -> HeuristicComparison:
        """Return the comparison over all games."""
        events = [event for one in self.compared.values() for event in one.events]
        return HeuristicComparison(tuple(self.plan["heuristics"]), events)

    def claims(self) -> list[Claim]:
        """Return the claims of the paper about all games together, and the heuristic that is best in each."""
        found = []
        for statement in self.plan["claims"]:
            if len(self.compared) == len(self.plan["games"]):
                found.append(self._claim(statement, self.together(), self._printed_means(), sum(self.games.values())))
        for game, compared in self.compared.items():
            printed = dict(zip(self.plan["heuristics"], self.plan["games"][game]["ranks"], strict=True))
            best = min(printed, key=lambda name: printed[name])
            others = [name for name in printed if printed[name] > printed[best]]
            statement = {"text": f"{game}: {TITLES[best]} ranks best", "first": best, "others": others}
            found.append(self._claim(statement, compared, printed, self.games[game]))
        return found

    def _claim(
        self, statement: Mapping[str, Any], compared: HeuristicComparison, printed: Mapping[str, float], games: int
    ) -> Claim:
        """Judge that the first heuristic has a smaller rank than each other, or the last a greater one."""
        pivot = statement.get("first") or statement["last"]
        sign = 1 if "first" in statement else -1
        pairs = [(other, pivot)[::sign] for other in statement["others"]]
        published = min(printed[one] - printed[other] for one, other in pairs)
        measured = least([compared.rank_difference(one, other) for one, other in pairs])
        return claim_of_range(statement["text"], f"{published:+.2f}", measured, games, above=0.0, form="+.2f")

    def _printed_means(self) -> dict[str, float]:
        rows = [about["ranks"] for about in self.plan["games"].values()]
        return {name: sum(row[at] for row in rows) / len(rows) for at, name in enumerate(self.plan["heuristics"])}

    def text(self) -> str:
        """Return the table and the claims in Markdown."""
        names = self.plan["heuristics"]
        lines = [f"| game | {' | '.join(TITLES[name] for name in names)} |", f"|{'---|' * (len(names) + 1)}"]
        rows = {game: (compared, self.plan["games"][game]["ranks"]) for game, compared in self.compared.items()}
        if len(rows) == len(self.plan["games"]):
            rows["all games"] = (self.together(), list(self._printed_means().values()))
        for game, (compared, printed) in rows.items():
            frame = compared.frame().set_index("heuristic")
            found = frame.loc[names, ["mean_rank", "low", "high"]].itertuples(index=False)
            cells = [f"{rank:.1f} ({ends_text(low, high, '.1f')})" for rank, low, high in found]
            lines += [
                f"| {game} | {' | '.join(cells)} |",
                f"| *printed* | {' | '.join(f'*{rank:.1f}*' for rank in printed)} |",
            ]
        return "\n".join(
            [
                f"## Table 5: mean ranks by points, 1 is best, with 95 % intervals; {self.plan['budget']:,} calls",
                "",
                *lines,
                "",
                "## Claims",
                "",
                "A figure is the least rank of the others less that of the heuristic that is claimed to be better.",
                "",
                *claims_table(self.claims()),
                "",
            ]
        )


def main() -> int:
    """Read the plan and play it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("size", choices=("small", "medium", "full"))
    parser.add_argument("--out", type=Path, default=Path("studies/leader"))
    parser.add_argument("--workers", type=int)
    parser.add_argument("--games", help="those that are played, with commas: virus,diamant")
    options = parser.parse_args()
    plan = tomllib.loads((HERE / "leader.toml").read_text(encoding="utf-8"))
    size = plan["sizes"][options.size]
    plan |= {"budget": size["budget"], "games_each": size["games"]}
    chosen = options.games.split(",") if options.games else list(plan["games"])
    try:
        for name in chosen:
            if name not in plan["games"]:
                raise UnknownNameError.of("game of the paper", name, plan["games"])
        with make_workers(options.workers) as workers:
            leader = Leader(plan, options.out, workers)
            complete = leader.run(chosen)
    except TagError as error:
        parser.error(str(error))
    print(leader.text())
    return 0 if complete else 130


if __name__ == "__main__":
    raise SystemExit(main())
