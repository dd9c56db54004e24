"""Who beats whom by the default rules and by the choice.

The sections of a balancing study's report on agents that meet: scores of match-ups, and the gain from twice the budget.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise as steps_of
from typing import Final

import numpy as np
import pandas as pd

from tag.tournaments.designs.matchups import Ladder, RoundRobin
from tag.tournaments.reports.figures import HIGH, LOW, heat_figure, styles
from tag.tournaments.reports.html.figures import Figure, variable
from tag.tournaments.reports.sections.section import NOTHING, Block, Cell, Column, Figures, Key, Section, table
from tag.tournaments.statistics.ratings.pairwise import PairwiseTable, pairwise
from tag.tournaments.statistics.ratings.ranked_games import RankedGames
from tag.tuning.balancing.estimation import CandidateGames
from tag.tuning.balancing.measures import SkillTrace, read_wanted, skill_trace
from tag.tuning.balancing.plan import Group
from tag.tuning.balancing.report.figures import CHOICE, PRINTED, Trace, key, trace_figure
from tag.tuning.balancing.results.results import BalanceResults
from tag.tuning.balancing.results.validated import validated_games

#: The games of each of the rules, by group.
Views = Mapping[str, list[tuple[Group, CandidateGames]]]

_COLOURS: Final = {"default rules": PRINTED, "choice": CHOICE}


def meetings_sections(results: BalanceResults) -> Iterator[Section]:
    """Yield match-ups and skill, where there is a verdict and the targets made agents meet for these."""
    found, plan = results.verdict, results.manifest.definition.plan
    designs = [group.design for group in plan.groups]
    if found is None or not any(isinstance(design, RoundRobin | Ladder) for design in designs):
        return
    sides = {"default rules": found["printed"], "choice": found["choice"]}
    if found["printed"]["spec"] == found["choice"]["spec"]:
        del sides["choice"]
    views = validated_games(results, sides)
    for position, design in enumerate(designs):
        if isinstance(design, RoundRobin):
            yield _match_ups(results, views, position)
    skill = [position for position, design in enumerate(designs) if isinstance(design, Ladder)]
    if skill:
        yield _skill(views, skill)


def _match_ups(results: BalanceResults, views: Views, group: int) -> Section:
    tables = {rules: pairwise(RankedGames.of(found[group][1].counted)) for rules, found in views.items()}
    about = (
        "How often the row is placed above the column, in percent, a shared place counting half; * where it is no luck."
    )
    figures = [_heat(position, rules, one) for position, (rules, one) in enumerate(tables.items())]
    colours = Key("score", [(variable(HIGH), "above one half"), (variable(LOW), "below")])
    blocks: list[Block] = [colours, Figures(figures, "own"), _pairs_table(tables, _wanted(results))]
    return Section("match-ups", "Match-ups", blocks, about)


def _heat(position: int, rules: str, pairs: PairwiseTable) -> Figure:
    shown = styles(pairs.labels, pairs.labels)
    about = "The numbers behind the names are those of the columns."
    title = f"Rows against columns, {rules}"
    return heat_figure(f"figure-pairs-{position}", title, about, shown, pairs.score, pairs.is_different())


def _wanted(results: BalanceResults) -> dict[tuple[str, str], float]:
    """Return the wanted scores, both ways round; empty if no target is about them."""
    wanted: dict[tuple[str, str], float] = {}
    for target in results.manifest.definition.bands:
        if target.measure == "match_ups":
            wanted |= read_wanted(target.argument)
    return wanted | {(other, one): 1.0 - score for (one, other), score in wanted.items()}


def _pairs_table(tables: Mapping[str, PairwiseTable], wanted: Mapping[tuple[str, str], float]) -> Block:
    labels = next(iter(tables.values())).labels
    rows = pd.DataFrame([
        {
            "agent": labels[one],
            "against": labels[other],
            **{rules: _score(pairs, one, other) for rules, pairs in tables.items()},
            "wanted": Cell(f"{wanted[pair]:.3f}") if (pair := (labels[one], labels[other])) in wanted else Cell(NOTHING),
        }
        for one in range(len(labels))
        for other in range(one + 1, len(labels))
    ])  # fmt: skip
    columns = {rules: Column(rules, "score") for rules in tables} | ({"wanted": Column("wanted")} if wanted else {})
    return table(rows, "Scores between agents", ("agent", "against"), columns)


def _score(pairs: PairwiseTable, one: int, other: int) -> Cell:
    low, high = pairs.low[one, other], pairs.high[one, other]
    return Cell(f"{pairs.score[one, other]:.3f}", f"{low:.3f} … {high:.3f}")


def _skill(views: Views, groups: list[int]) -> Section:
    figures, rows = [], []
    for group in groups:
        traces = {rules: skill_trace(found[group][1]) for rules, found in views.items()}
        first = next(iter(traces.values()))
        title = f"{first.agents[0]} to {first.agents[-1]}"
        shown = [Trace(rules, _COLOURS[rules], _steps(trace)) for rules, trace in traces.items()]
        about = "Each step is an agent against the one before: 0 gains nothing, 1 wins every game."
        figures.append(trace_figure(f"figure-skill-{group}", title, about, shown))
        rows += [
            {
                "step": f"{strong} over {weak}",
                **{
                    rules: Cell(f"{one.value:.3f}", f"{one.low:.3f} … {one.high:.3f}")
                    for rules, one in ((rules, trace.gains[step]) for rules, trace in traces.items())
                },
            }
            for step, (weak, strong) in enumerate(steps_of(first.agents))
        ]
    columns = {rules: Column(rules, "gain") for rules in views}
    blocks: list[Block] = [key(), Figures(figures, "wide"), table(pd.DataFrame(rows), "Gains", ("step",), columns)]
    return Section("skill", "Skill", blocks, "What larger budgets are worth, on the seeds of the validation.")


def _steps(trace: SkillTrace) -> pd.DataFrame:
    return pd.DataFrame(
        np.array([[one.value, one.low, one.high] for one in trace.gains]), columns=["mean", "low", "high"]
    )
