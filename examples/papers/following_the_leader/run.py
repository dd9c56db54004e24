"""Compare heuristics as in *Following the Leader*: python examples/papers/following_the_leader/run.py small|medium|full.

MCTS plays each game with each of five heuristics, and ranks them by points. The table of the paper and its claims, with
verdicts, are printed, and written to tables.md in the folder (--out), each row above the paper's. What has been played is
found in the folder, so the same command goes on after an interruption. With --games only some games are played.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tag.catalogue.registry import game_class
from tag.tournaments.commands.papers import Paper, play_paper
from tag.tournaments.results.analysis.claims import Claim, claim_of_range, claims_table, least
from tag.tournaments.results.analysis.definition import analysis, comparison_folder
from tag.tournaments.results.analysis.effort import judged
from tag.tournaments.results.analysis.heuristics import HeuristicComparison, read_comparison
from tag.tournaments.statistics.intervals import ends_text

TITLES = {"win": "Win", "score": "Score", "score_win": "Score+", "leader": "Leader", "game": "Default"}


@dataclass
class Leader(Paper):
    """The comparison of heuristics.

    Attributes:
        compared: the comparison in each game, over the numbers of players.
        games: how many were played of each.
    """

    compared: dict[str, HeuristicComparison] = field(default_factory=dict)
    games: dict[str, int] = field(default_factory=dict)

    def play(self, game: str) -> bool:
        """Let MCTS play a game with each heuristic."""
        about = self.plan["games"][game]
        budget = self.plan["budget"] * about.get("budgets", 1)
        kind = game_class(game).game_type
        players = tuple(n for n in self.plan["players"] if kind.min_players <= n <= kind.max_players)
        definition = analysis(
            (about.get("spec", game),),
            players,
            n_games=1,
            seed=self.plan["seed"],
            heuristic_agent=f"mcts:budget={budget},rollout_length={about['rollout_length']}",
            heuristics=",".join(f"{name}=({spec})" for name, spec in self.plan["heuristics"].items()),
            heuristic_games=self.plan["games_each"],
        )
        folder = f"{game}-{budget}"
        results = self.analyse(definition, folder)
        if results.complete:
            folders = [comparison_folder(self.out / folder, event) for event in definition.events]
            self.compared[game] = read_comparison(folders, list(self.plan["heuristics"]))
            self.games[game] = results.games
            for event in definition.events:
                spec, agent = event.game, definition.heuristic_agent
                self.measure_effort(spec, event.players, agent, folder)
        return results.complete

    def together(self) -> HeuristicComparison:
        """Return the comparison over all games."""
        events = [event for one in self.compared.values() for event in one.events]
        return HeuristicComparison(tuple(self.plan["heuristics"]), events)

    def claims(self) -> list[Claim]:
        """Return the claims of the paper about all games together, and the heuristic that is best in each."""
        found = []
        for statement in self.plan["claims"]:
            if len(self.compared) == len(self.plan["games"]):
                claim = self._claim(statement, self.together(), self._printed_means(), sum(self.games.values()))
                found.append(judged(claim, self.efforts.values()))
        for game, compared in self.compared.items():
            printed = dict(zip(self.plan["heuristics"], self.plan["games"][game]["ranks"], strict=True))
            best = min(printed, key=lambda name: printed[name])
            others = [name for name in printed if printed[name] > printed[best]]
            statement = {"text": f"{game}: {TITLES[best]} ranks best", "first": best, "others": others}
            claim = self._claim(statement, compared, printed, self.games[game])
            found.append(judged(claim, self.efforts_in(game)))
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
        return claim_of_range(
            statement["text"], f"{published:+.2f}", measured, games, above=0.0, printed=published, form="+.2f"
        )

    def _printed_means(self) -> dict[str, float]:
        rows = [about["ranks"] for about in self.plan["games"].values()]
        return {name: sum(row[at] for row in rows) / len(rows) for at, name in enumerate(self.plan["heuristics"])}

    def _budgets(self) -> str:
        """Return the budgets in words."""
        several = [(game, about["budgets"]) for game, about in self.plan["games"].items() if "budgets" in about]
        more = "".join(f", {times} times as many in {game}" for game, times in several)
        return f"{self.plan['budget']:,} calls{more}"

    def text(self) -> str:
        """Return the table and the claims in Markdown."""
        names = list(self.plan["heuristics"])
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
                f"## Table 5: mean ranks by points, 1 is best, with 95 % intervals; {self._budgets()}",
                "",
                *lines,
                "",
                *self.effort_lines(),
                "## Claims",
                "",
                "A figure is the least rank of the others less that of the heuristic that is claimed to be better.",
                "",
                *claims_table(self.claims()),
                "",
            ]
        )


if __name__ == "__main__":
    raise SystemExit(play_paper(Leader, Path(__file__).parent / "leader.toml", __doc__))
