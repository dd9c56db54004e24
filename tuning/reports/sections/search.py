"""The search: its course, its trials, its games and time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import pandas as pd

from tag.tournaments.reports.html.figures import Figure
from tag.tournaments.reports.sections.section import (
    NOTHING,
    Block,
    Cell,
    Column,
    Figures,
    Folded,
    Paragraph,
    Section,
    sentence,
    table,
)
from tag.tournaments.statistics.intervals import half_width_text
from tag.tuning.agent.objectives import MAXIMIZE, direction_of
from tag.tuning.agent.problem import why_none_is_pruned
from tag.tuning.reports.figures import DEFAULT, RECOMMENDED, Curve, curves_figure, pareto_figure, values_figure
from tag.tuning.reports.findings.estimates import with_band
from tag.tuning.reports.findings.findings import Ranked
from tag.tuning.reports.findings.posterior import MOST_CONFIGURATIONS
from tag.tuning.reports.page import cost_of
from tag.tuning.reports.results import StudyResults
from tag.tuning.reports.sections.coordinates import coordinates_section
from tag.tuning.search.trials import DROPPED, latest, pareto_front
from tag.tuning.space.ranges import shown

#: More trials than this are not listed.
_MOST_TRIALS: Final = 300
_SECOND: Final = "value_2"
#: The running mean of trials is over this part of them, and over so many at least.
_WINDOWS: Final = 20
_FEWEST_AVERAGED: Final = 20


def course_section(results: StudyResults) -> Section | None:
    """Return the trials and the recommendations in the course of the search; None as long as no trial has a value."""
    if results.trials.empty or results.trials["value"].isna().all():
        return None
    objective, trials = sentence(results.objective), latest(results.trials)
    about = "As observed, with luck; the line is the mean of the trials so far, of the last ones in longer searches."
    figures = [values_figure("figure-values", f"{objective} of trials", about, _with_means(trials))]
    blocks: list[Block] = []
    incumbents = latest(results.incumbents)
    if len(incumbents):
        figures += _curves(results, incumbents)
        changes = int((incumbents["spec"] != incumbents["spec"].shift()).sum()) - 1
        blocks.append(Paragraph(f"The recommendation changed {changes:,} times in {len(incumbents):,} looks."))
    about = "Trials, and what the model of the search recommended in its course."
    return Section("course", "Course", [Figures(figures, "wide"), *blocks], about)


def _with_means(trials: pd.DataFrame) -> pd.DataFrame:
    """Return trials with the games of the search until their ends, the mean of the last ones, and a label."""
    found = trials.assign(games=trials["games"].cumsum()).dropna(subset=["value"])
    window = max(_FEWEST_AVERAGED, len(found) // _WINDOWS)
    labels = [
        f"trial {number:,}: {value:.3f} after {games:,} games of its own"
        for number, value, games in zip(found["number"], found["value"], trials.loc[found.index, "games"], strict=True)
    ]
    return found.assign(mean=found["value"].rolling(window, min_periods=1).mean(), label=labels)


def _curves(results: StudyResults, incumbents: pd.DataFrame) -> list[Figure]:
    """Return the value of the recommendation in the course of the search, and its convergence."""
    value = with_band(incumbents, incumbents["deviation"], results.bounds)
    pessimistic = incumbents[["games"]].assign(value=incumbents["pessimistic"].clip(*results.bounds))
    distance = incumbents[["games"]].assign(value=(value["value"] - pessimistic["value"]).abs())
    return [
        curves_figure(
            "figure-incumbent",
            f"{sentence(results.objective)} of what is recommended",
            "By the model at that time, with 95 % bands; and the best value that some configuration surely has.",
            [Curve("recommended", RECOMMENDED, value), Curve("surely reached", DEFAULT, pessimistic)],
        ),
        curves_figure(
            "figure-convergence",
            "Convergence",
            "The distance between the two lines: between the best mean and the best end of an interval. More games help "
            "as long as it shrinks.",
            [Curve("distance", RECOMMENDED, distance)],
            from_zero=True,
        ),
    ]


def side_by_side_section(results: StudyResults) -> Section | None:
    """Return the trials as lines through their parameters; None without trials."""
    return coordinates_section(
        results.definition.space, latest(results.trials), sentence(results.objective), is_maximised=results.is_maximised
    )


def trials_section(results: StudyResults) -> Section | None:
    """Return the best configurations by the model, the trials, and both objectives where there are two; None without."""
    trials, findings = results.trials, results.findings
    if findings is None:
        return None
    blocks: list[Block] = [_top_table(results, findings.top)]
    if _SECOND in trials.columns:
        blocks.append(_pareto(results, trials))
    listed = trials.sort_values(["games", "value"], ascending=[False, not results.is_maximised], kind="stable")
    title = (
        f"All {len(trials):,} trials" if len(trials) <= _MOST_TRIALS else f"{_MOST_TRIALS} of {len(trials):,} trials"
    )
    blocks.append(Folded(f"{title}, those with the most games first", [_trials_table(results, listed[:_MOST_TRIALS])]))
    about = "Observed values flatter the best of many, by luck; the model's do so much less."
    if len(set(trials["spec"])) > MOST_CONFIGURATIONS:
        about += f" The model of this report knows {MOST_CONFIGURATIONS:,} of them, those with the most games."
    return Section("trials", "Configurations", blocks, about)


def cost_section(results: StudyResults) -> Section:
    """Return the games and time of the study, and the reason for its sampler."""
    definition, manifest, trials = results.definition, results.manifest, results.trials
    reason = manifest.sampler_reason or f"{definition.sampler} was asked for"
    entries = [("Sampler", f"{reason}.")]
    if len(trials):
        dropped = trials[trials["state"] == DROPPED]
        share = dropped["spared"].sum() / max(dropped["spared"].sum() + trials["games"].sum(), 1)
        entries += [
            ("Search", f"{trials['games'].sum():,} games of {definition.games:,}, {len(trials):,} trials."),
            ("Racing", _racing(results, len(dropped), int(dropped["spared"].sum()), share)),
        ]
    entries += [(name, text) for name, text in _validations(results) if text]
    return cost_of(results, entries)


def _racing(results: StudyResults, dropped: int, spared: int, share: float) -> str:
    why_none = why_none_is_pruned(results.definition)
    if why_none:
        return f"No trial could be pruned: {why_none}."
    if not dropped:
        return "No trial was pruned."
    return (
        f"{dropped:,} trials were pruned before they had all {results.definition.games_per_trial:,} games, which spared "
        f"{spared:,} games for others, {100.0 * share:.0f} % of what all would have taken."
    )


def _validations(results: StudyResults) -> list[tuple[str, str]]:
    recommendation = results.recommendation or {}
    found = []
    for name, title in (("validation", "Validation"), ("held_out", "Opponents held out")):
        played = recommendation.get(name)
        games = sum(played[side]["games"] for side in ("recommended", "default")) if played else 0
        found.append((title, f"{games:,} games." if played else ""))
    return found


def _top_table(results: StudyResults, top: list[Ranked]) -> Block:
    rows = pd.DataFrame([
        {
            "place": str(place),
            "configuration": shown(one.spec),
            "model": Cell(f"{one.estimate.value:.3f}", one.estimate.half_text),
            "observed": one.observed,
            "games": float(one.games),
        }
        for place, one in enumerate(top, 1)
    ])  # fmt: skip
    columns = {"model": Column("by the model"), "observed": Column("observed"), "games": Column("games")}
    return table(rows, f"The best by the model: {results.objective}", ("place", "configuration"), columns)


def _trials_table(results: StudyResults, trials: pd.DataFrame) -> Block:
    rows = pd.DataFrame({
        "trial": trials["number"],
        "configuration": trials["spec"].map(shown),
        "state": trials["state"],
        "games": [Cell(f"{games:,}") for games in trials["games"]],
        "value": [_observed(row) for row in trials.to_dict("records")],
    })  # fmt: skip
    columns = {"games": Column("games"), "value": Column(results.objective, "± standard error")}
    return table(rows, "Trials", ("trial", "configuration", "state"), columns)


def _observed(trial: Mapping[Any, Any]) -> Cell:
    if pd.isna(trial["value"]):
        return Cell(NOTHING)
    return Cell(
        f"{trial['value']:.3f}", "" if pd.isna(trial["error"]) else f"± {half_width_text(trial['error'], '.3f')}"
    )


def _pareto(results: StudyResults, trials: pd.DataFrame) -> Block:
    counted = trials.dropna(subset=["value", _SECOND])
    names = results.definition.objectives[:2]
    signs = [1.0 if direction_of(name) == MAXIMIZE else -1.0 for name in names]
    rows = pd.DataFrame({
        "first": counted["value"],
        "second": counted[_SECOND],
        "label": counted["spec"],
        "is_front": pareto_front(counted[["value", _SECOND]].to_numpy() * signs),
    })  # fmt: skip
    title, about = "Both objectives", "The line joins the configurations that no other beats in both."
    return Figures([pareto_figure("figure-pareto", title, about, rows, (names[0], names[1]))], "own")
