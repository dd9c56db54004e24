"""The search: its course, its candidates and its games.

The sections of a balancing study's report on the search: its course, the front, its trials, and its games and time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import pandas as pd

from tag.tournaments.reports.html.figures import MUTED, Figure
from tag.tournaments.reports.sections.section import (
    NOTHING,
    Block,
    Cell,
    Column,
    Figures,
    Folded,
    Paragraph,
    Section,
    table,
)
from tag.tournaments.statistics.intervals import HALF_WIDTH
from tag.tuning.balancing.definition import BANDS
from tag.tuning.balancing.report.figures import CHOICE, PRINTED, band_text, key, trials_figure
from tag.tuning.balancing.results.results import BalanceResults
from tag.tuning.balancing.results.text import changes_words
from tag.tuning.balancing.targets import Goal, measures_of, misses
from tag.tuning.reports.figures import RECOMMENDED, Curve, curves_figure
from tag.tuning.reports.findings.estimates import with_band
from tag.tuning.reports.page import cost_of
from tag.tuning.reports.sections.coordinates import coordinates_section

#: More rows than these are not listed.
_MOST_TRIALS: Final = 300
_MOST_ON_FRONT: Final = 40
_NOT_ON_FRONT: Final = (
    "The choice is not among them: the front goes by what is believed of candidates of the search on average, the choice "
    "by what can be shown."
)


def course_section(results: BalanceResults) -> Section | None:
    """Return the misses of trials and the incumbents; None as long as there are no trials."""
    trials = results.trials
    if trials.empty:
        return None
    missed = trials.assign(miss=trial_misses(results), games=trials["games"].cumsum()).dropna(subset=["miss"])
    if missed.empty:
        return None
    about = "The root of the sum of the squared distances from all bands, in halves of these; 0 is within all of them."
    shown = missed.assign(colour=[_colour(results, spec) for spec in missed["spec"]])
    scatter = trials_figure("figure-trials", "Distance from the targets, trial by trial", about, shown)
    blocks: list[Block] = [key(), Figures([scatter, *_curves(results)], "wide")]
    said = "Single trials are noisy. Curves are what the model took its best candidate to be like by then, with 95 % bands."
    return Section("course", "Course", blocks, said)


def side_by_side_section(results: BalanceResults) -> Section | None:
    """Return the trials as lines through their parameters; None without trials."""
    if results.trials.empty:
        return None
    missed = results.trials.assign(value=trial_misses(results))
    space = results.manifest.definition.space
    return coordinates_section(space, missed, "Distance from the targets", is_maximised=False)


def candidates_section(results: BalanceResults) -> Section | None:
    """Return the Pareto front and all trials; None as long as there are none."""
    if results.trials.empty:
        return None
    blocks: list[Block] = [_front_table(results)] if len(results.front) else []
    if blocks and results.verdict is not None and results.verdict["spec"] not in set(results.front["spec"]):
        blocks.append(Paragraph(_NOT_ON_FRONT))
    listed = results.trials.head(_MOST_TRIALS)
    title = f"{len(listed):,} of {len(results.trials):,} trials" if len(listed) < len(results.trials) else "All trials"
    blocks.append(Folded(title, [_trials_table(results, listed)]))
    about = (
        "Candidates with games of which no other is as good in everything and better in something: in each target, and in "
        "the distance from the default rules. Values are the model's, which has no lucky winners."
    )
    return Section("candidates", "Candidates", blocks, about)


def cost_section(results: BalanceResults) -> Section:
    """Return the games and time of the study, and its sampler."""
    definition, trials, found = results.manifest.definition, results.trials, results.verdict
    told = " draws what measures may be like from a model of each of them" if definition.sampler == BANDS else ""
    entries = [("Sampler", f"{definition.sampler}{told}.")]
    if len(trials):
        games, candidates = int(trials["games"].sum()), trials["spec"].nunique()
        text = f"{games:,} games of {definition.games:,}, {len(trials):,} trials of {candidates:,} candidates."
        entries.append(("Search", text))
    if found is not None:
        entries += [(title, f"{games:,} games.") for title, games in _measured_games(found).items() if games]
    return cost_of(results, entries)


def trial_misses(results: BalanceResults) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return by how much each trial missed all targets together, nan where its games tell nothing."""
    goals = results.manifest.definition.goals
    columns = [results.trials[f"measure.{goal.target.name}"].to_numpy(np.float64) for goal in goals]
    return misses(goals, np.array(columns))


def _colour(results: BalanceResults, spec: str) -> str:
    found = results.verdict
    if spec == results.manifest.definition.space.base:
        return PRINTED
    return CHOICE if found is not None and spec == found["spec"] else MUTED


def _curves(results: BalanceResults) -> list[Figure]:
    looks = results.incumbents
    if looks.empty:
        return []
    definition, figures = results.manifest.definition, []
    measures = measures_of(definition.game)
    for position, goal in enumerate(definition.goals):
        name, target = goal.target.name, goal.target
        measure = measures[target.measure]
        value = looks[["games"]].assign(value=looks[f"mean.{name}"])
        value = with_band(value, looks[f"deviation.{name}"], (measure.least, measure.greatest))
        title = f"{name} of the best by the model"
        curve = Curve("best by the model", RECOMMENDED, value)
        band = (target.low, target.high)
        figures.append(curves_figure(f"figure-course-{position}", title, band_text(target), [curve], band=band))
    return figures


def _front_table(results: BalanceResults) -> Block:
    definition, found, front = results.manifest.definition, results.verdict, results.front
    rows = pd.DataFrame([
        {
            "changes": changes_words(definition.space.base, row["spec"]),
            "which": "choice" if found is not None and row["spec"] == found["spec"] else "",
            "distance": row["distance"],
            **{goal.target.name: _believed(row, goal) for goal in definition.goals},
        }
        for row in front.head(_MOST_ON_FRONT).to_dict("records")
    ])  # fmt: skip
    columns = {
        "distance": Column("distance", "from the default rules"),
        **{goal.target.name: Column(str(goal.target)) for goal in definition.goals},
    }
    shown = f"{_MOST_ON_FRONT} of {len(front):,}" if len(front) > _MOST_ON_FRONT else f"{len(front):,}"
    return table(rows, f"What candidates change and gain: {shown} on the front", ("changes", "which"), columns)


def _believed(row: Mapping[Any, Any], goal: Goal) -> Cell:
    """Return the posterior of a measure, and its distance from the band in units of half of the band."""
    name = goal.target.name
    excess = float(row[f"excess.{name}"])
    where = f"{excess:.2g} outside" if excess > 0.0 else "in the band"
    return Cell(f"{row[f'mean.{name}']:.4g}", f"± {HALF_WIDTH * row[f'deviation.{name}']:.2g}, {where}")


def _trials_table(results: BalanceResults, trials: pd.DataFrame) -> Block:
    names = [goal.target.name for goal in results.manifest.definition.goals]
    rows = pd.DataFrame([
        {
            "trial": row["number"],
            "candidate": row["spec"],
            "games": Cell(f"{row['games']:,}"),
            **{name: _observed(row, name) for name in names},
            "miss": miss,
        }
        for row, miss in zip(trials.to_dict("records"), trial_misses(results).tolist(), strict=False)
    ])  # fmt: skip
    columns = {
        "games": Column("games"),
        **{name: Column(name, "± standard error") for name in names},
        "miss": Column("distance", "from the targets"),
    }
    return table(rows, "Trials", ("trial", "candidate"), columns)


def _observed(row: Mapping[Any, Any], name: str) -> Cell:
    value, error = row[f"measure.{name}"], row[f"error.{name}"]
    if pd.isna(value):
        return Cell(NOTHING)
    return Cell(f"{value:.4g}", f"± {error:.2g}" if np.isfinite(error) else "")


def _measured_games(found: Mapping[str, Any]) -> dict[str, int]:
    specs = {one["spec"]: one["games"] for one in (found["printed"], *found["measured"])}
    checks = {
        name: sum({check[side]["spec"]: check[side]["games"] for side in ("printed", "choice")}.values())
        for name, check in (("Agents held out", found["held_out"]), ("Agent retuned", found["retuned"]))
        if check
    }
    return {"Validation": sum(specs.values()), **checks}
