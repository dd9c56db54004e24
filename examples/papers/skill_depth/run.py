"""Measure skill traces as in *Skill Depth*: python examples/papers/skill_depth/run.py small|medium|full.

MCTS plays itself with half of its budget, for budgets that double. The table of the paper and its claims, with verdicts, are
printed, and written to tables.md in the folder (--out), each row above the paper's. What has been played is found in the
folder, so the same command goes on after an interruption. With --games only some games are played.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tag.tournaments.commands.papers import Paper, play_paper
from tag.tournaments.results.analysis.claims import (
    Claim,
    claim_of_difference,
    claim_of_range,
    claims_table,
    difference,
    least,
)
from tag.tournaments.results.analysis.definition import analysis, trace_folder
from tag.tournaments.results.analysis.effort import judged
from tag.tournaments.results.analysis.skill import BudgetDoublings, read_doublings
from tag.tournaments.statistics.intervals import IntervalEstimate

PLAYERS = (2, 3)


@dataclass
class SkillDepth(Paper):
    """The skill traces.

    Attributes:
        found: what doublings gain, by game and number of players.
    """

    found: dict[tuple[str, int], BudgetDoublings] = field(default_factory=dict)

    def play(self, game: str) -> bool:
        """Play the doublings of a game with all numbers of players of the paper."""
        definition = analysis(
            (game,),
            PLAYERS[: len(self.plan["games"][game])],
            n_games=1,
            seed=self.plan["seed"],
            trace_agent=f"mcts:budget={self.plan['budget']},preset=none",
            doublings=self.plan["doublings"],
            skill_games=self.plan["games_each"],
        )
        folder = f"{definition.events[0].name}-{self.plan['budget']}"
        results = self.analyse(definition, folder)
        if results.complete:
            for event in definition.events:
                parts = definition.trace(event)
                doublings = {budget: trace_folder(self.out / folder, event, budget) for budget, _part in parts}
                self.found[game, event.players] = read_doublings(doublings)
                for budget in (max(1, min(doublings) // 2), max(doublings)):
                    self.measure_effort(game, event.players, f"mcts:budget={budget},preset=none", folder)
        return results.complete

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
                by_paper = min(printed[first][0] - printed[other][0] for other in others)
                played = sum(sum(self.found[game, 2].games) for game in (first, *others))
                claim = claim_of_range(
                    statement["text"],
                    f"{by_paper:+.3f}",
                    least(differences),
                    played,
                    above=0.0,
                    printed=by_paper,
                    form="+.3f",
                )
                yield judged(claim, [effort for game in (first, *others) for effort in self.efforts_in(game, 2)])
        for game in games:
            if (game, 3) in self.found:
                two, three = self.found[game, 2], self.found[game, 3]
                by_paper = printed[game][0] - printed[game][1]
                claim = claim_of_difference(
                    f"{game} takes more skill with two players than with three",
                    f"{by_paper:+.3f}",
                    self.measure(game, 2),
                    self.measure(game, 3),
                    sum(two.games) + sum(three.games),
                    printed=by_paper,
                    form="+.3f",
                )
                yield judged(claim, self.efforts_in(game))

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
                *self.effort_lines(),
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
            trace, decay = (
                self.measure(game, players, name).text(".3f") for name in ("skill_trace", "skill_trace_decay")
            )
            yield f"| {game} | {players} | {trace} | *{printed:.3f}* | {decay} | {shown} |"


if __name__ == "__main__":
    raise SystemExit(play_paper(SkillDepth, Path(__file__).parent / "skill.toml", __doc__))
