"""Measure luck as in *Seeding for Success*: python examples/papers/seeding_for_success/run.py small|medium|full.

MCTS plays itself many times with each of many chance seeds, and so do random players. The tables of the paper and its
claims, with verdicts, are printed, and written to tables.md in the folder (--out), each row above the paper's. What has been
played is found in the folder, so the same command goes on after an interruption. With --games only some games are played.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np

from tag.tournaments.commands.papers import Paper, play_paper
from tag.tournaments.results.analysis.claims import Claim, claim_of_difference, claim_of_range, claims_table
from tag.tournaments.results.analysis.definition import analysis, luck_folder
from tag.tournaments.results.analysis.effort import judged
from tag.tournaments.results.analysis.luck import SeedResults, read_seed_results
from tag.tournaments.statistics.intervals import Interval, IntervalEstimate

RANDOM = "random"
SPREAD = ("seed_span", "seed_span_90", "seed_entropy")
_RESAMPLES = 400


@dataclass
class Seeding(Paper):
    """The analyses of luck.

    Attributes:
        found: the results by seed, by game, agent (`random` or `mcts`) and source of chance (empty for all).
    """

    found: dict[tuple[str, str, str], SeedResults] = field(default_factory=dict)

    def play(self, game: str) -> bool:
        """Let MCTS, and random players, play a game with each seed, and with single sources held where the paper does."""
        search = ["preset=none", *self.plan["games"][game].get("search", [])]
        agent = f"mcts:budget={self.plan['budget']},{','.join(search)}"
        return self._measure(game, agent) and self._measure(game, RANDOM)

    def _measure(self, game: str, agent: str) -> bool:
        name = agent.partition(":")[0]
        definition = analysis(
            (self.plan["games"][game].get("spec", game),),
            (2,),
            agent=agent,
            n_games=1,
            seed=self.plan["seed"],
            seeds=self.plan["seeds"],
            games_per_seed=self.plan["games_per_seed"],
            by_source=agent != RANDOM and game in self.plan["sources"],
        )
        (event,) = definition.events
        folder = f"{game}-{name}-{self.plan['budget']}"
        results = self.analyse(definition, folder)
        if results.complete:
            if agent != RANDOM:
                self.measure_effort(event.game, event.players, agent, folder)
            for source, _part in definition.luck(event):
                self.found[game, name, source] = read_seed_results(luck_folder(self.out / folder, event, source))
        return results.complete

    def games(self) -> list[str]:
        """Return the games that MCTS has played."""
        return [game for game, agent, source in self.found if (agent, source) == ("mcts", "")]

    # --- claims -------------------------------------------------------------------------------------------------------

    def claims(self) -> Iterator[Claim]:
        """Yield the claims about games that have been played."""
        games = self.games()
        for game in [name for name in self.plan["controls"]["games"] if name in games]:
            yield self._is_control(game)
        ranked = sorted(set(games) - set(self.plan["controls"]["games"]), key=lambda name: self._printed(name, -1))
        for less, more in pairwise(ranked):
            figures = f"{self._printed(more, -1):.2f} and {self._printed(less, -1):.2f} outside"
            yield self._more_luck(
                f"the deal decides more in {more} than in {less}", figures, (more, "mcts"), (less, "mcts")
            )
        for game in ranked:
            if (game, RANDOM, "") in self.found:
                text = f"the deal decides more among searching players of {game} than among random ones"
                yield self._more_luck(text, "", (game, "mcts"), (game, RANDOM))
        for game in [name for name in ranked if "variances" in self.plan["games"][name]]:
            yield self._pairs_gain(game)
        for game, printed in self.plan["sources"].items():
            for one, other in pairwise(printed) if game in games else ():
                yield self._source_decides_more(game, one, other)

    def _is_control(self, game: str) -> Claim:
        found = self.found[game, "mcts", ""]
        outside = dict(found.measures())["luck_outside"]
        text = f"nothing is drawn in {game}: fewer than one seed in twenty is outside"
        published = f"{self._printed(game, -1):.2f}"
        claim = claim_of_range(text, published, outside, int(found.games.sum()), below=0.05, form=".3f")
        return judged(claim, self.efforts_in(game))

    def _more_luck(self, text: str, published: str, more: tuple[str, str], less: tuple[str, str]) -> Claim:
        one, other = self.found[(*more, "")], self.found[(*less, "")]
        games = int(one.games.sum() + other.games.sum())
        claim = claim_of_difference(text, published, one.luck(), other.luck(), games, form="+.3f")
        return judged(claim, [*self.efforts_in(more[0]), *self.efforts_in(less[0])])

    def _pairs_gain(self, game: str) -> Claim:
        single, pairs = self.plan["games"][game]["variances"]
        found = self.found[game, "mcts", ""]
        text = f"mirrored pairs vary less than single games of {game}: share of the variance that they save"
        saved, printed = saved_by_pairs(found), 1.0 - pairs / single
        games = int(found.games.sum())
        claim = claim_of_range(text, f"{printed:.3f}", saved, games, above=0.0, printed=printed, form="+.3f")
        return judged(claim, self.efforts_in(game))

    def _source_decides_more(self, game: str, one: str, other: str) -> Claim:
        printed = self.plan["sources"][game]
        more, less = self.found[game, "mcts", one], self.found[game, "mcts", other]
        text = f"{game}: the {one} decide more than the {other}"
        figures = f"{printed[one]:.2f} and {printed[other]:.2f} outside"
        games = int(more.games.sum() + less.games.sum())
        claim = claim_of_difference(text, figures, more.luck(), less.luck(), games, form="+.3f")
        return judged(claim, self.efforts_in(game))

    def _printed(self, game: str, place: int) -> float:
        return float(self.plan["games"][game]["spread"][place])

    # --- tables -------------------------------------------------------------------------------------------------------

    def text(self) -> str:
        """Return the tables and the claims in Markdown."""
        size = f"{self.plan['seeds']} seeds, {self.plan['games_per_seed']:,} games with each"
        return "\n".join(
            [
                f"## Table II: the first seat's points by seed; {size}; MCTS with {self.plan['budget']} calls a decision",
                "",
                *self._spread_table(),
                "",
                "## Table I: variance of a game",
                "",
                *self._variance_table(),
                "",
                "## Table IV: one source of chance held, the others drawn anew",
                "",
                *self._source_table(),
                "",
                *self.effort_lines(),
                "## Claims",
                "",
                "Differences are those of the share of luck, the share of the variance of results that lies between seeds.",
                "",
                *claims_table(self.claims()),
                "",
            ]
        )

    def _spread_table(self) -> Iterator[str]:
        yield "| game | agent | span | 90 % span | entropy | seeds outside | share of luck |"
        yield f"|{'---|' * 7}"
        for game in self.games():
            for agent in ("mcts", RANDOM):
                if (game, agent, "") in self.found:
                    found = dict(self.found[game, agent, ""].measures())
                    cells = [game, agent, *(f"{found[name].value:.2f}" for name in SPREAD)]
                    cells += [found[name].text(".2f") for name in ("luck_outside", "luck")]
                    yield f"| {' | '.join(cells)} |"
            printed = self.plan["games"][game]["spread"]
            yield f"| *printed* | *mcts* | {' | '.join(f'*{value:.2f}*' for value in printed)} | |"

    def _variance_table(self) -> Iterator[str]:
        yield "| game | single games | mirrored pairs | saved by pairs | *printed* |"
        yield f"|{'---|' * 5}"
        for game in self.games():
            found = self.found[game, "mcts", ""]
            single, pairs, _blocks = found.variances()
            printed = self.plan["games"][game].get("variances")
            shown = f"*{printed[0]:.3f}, {printed[1]:.3f}*" if printed else ""
            yield f"| {game} | {single:.3f} | {pairs:.3f} | {saved_by_pairs(found).text('.2f')} | {shown} |"

    def _source_table(self) -> Iterator[str]:
        yield "| game | held | seeds outside | share of luck | *printed outside* |"
        yield f"|{'---|' * 5}"
        for (game, agent, source), results in self.found.items():
            if agent == "mcts" and game in self.plan["sources"]:
                found = dict(results.measures())
                printed = self.plan["sources"][game].get(source, self._printed(game, -1) if not source else None)
                shown = "" if printed is None else f"*{printed:.2f}*"
                yield (
                    f"| {game} | {source or 'all'} | {found['luck_outside'].text('.2f')} | "
                    f"{found['luck'].text('.2f')} | {shown} |"
                )


def saved_by_pairs(found: SeedResults) -> IntervalEstimate:
    """Return the share of the variance of single games that mirrored pairs save, with its interval over the seeds."""

    def saved(results: SeedResults) -> float:
        single, pairs, _blocks = results.variances()
        return 1.0 - pairs / single if single else 0.0  # few games may all end alike

    rng = np.random.default_rng(0)
    number = len(found.games)
    drawn = [saved(found.of_seeds(rng.integers(number, size=number))) for _resample in range(_RESAMPLES)]
    low, high = np.quantile(drawn, (0.025, 0.975))
    value = saved(found)
    return IntervalEstimate(value, Interval(min(float(low), value), max(float(high), value)))


if __name__ == "__main__":
    raise SystemExit(play_paper(Seeding, Path(__file__).parent / "seeding.toml", __doc__))
