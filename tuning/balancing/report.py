"""The report of a balancing study as one HTML file: the choice, and the evidence for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise as steps_of
from math import inf, nan
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from tag.tournaments.designs.matchups import Ladder, RoundRobin
from tag.tournaments.reports.figures import HIGH, LOW, heat_figure, narrow_frame, rows_frame, styles
from tag.tournaments.reports.html.figures import (
    MUTED,
    Figure,
    draw,
    mark_values,
    name_levels,
    ranges,
    row_levels,
    ticks,
    variable,
)
from tag.tournaments.reports.sections.section import (
    NOTHING,
    Block,
    Cell,
    Code,
    Column,
    Figures,
    Folded,
    Key,
    Paragraph,
    Section,
    number,
    sentence,
    table,
)
from tag.tournaments.reports.sections.tournament import title_of
from tag.tournaments.statistics.intervals import HALF_WIDTH, ends_text
from tag.tournaments.statistics.ratings.pairwise import PairwiseTable, pairwise
from tag.tournaments.statistics.ratings.ranked_games import RankedGames
from tag.tournaments.tracking.runs import agent_names, metric_name
from tag.tournaments.tracking.tracker import RunType
from tag.tuning.balancing.definition import BALANCE, BANDS, BalanceDefinition
from tag.tuning.balancing.estimation import CandidateGames
from tag.tuning.balancing.measures import SkillTrace, read_wanted, skill_trace
from tag.tuning.balancing.plan import Group
from tag.tuning.balancing.results import (
    FRONT,
    MET,
    MISSED,
    OPEN,
    BalanceResults,
    changed_texts,
    changes_words,
    confidence_text,
    games_text,
    validated_games,
)
from tag.tuning.balancing.targets import Goal, Target, measures_of, misses
from tag.tuning.reports.figures import CURVE, NARROW_CURVE, RECOMMENDED, Curve, curves_figure
from tag.tuning.reports.findings import with_band
from tag.tuning.reports.report import cost_of, page_of, write_page
from tag.tuning.reports.tracking import StudyContents, contents_with
from tag.tuning.study.files import INCUMBENTS, TRIALS

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# --- figures: values beside their band, trials by games, gains of budgets -----------------------------------------------


#: The choice and the printed rules, in every figure.
CHOICE: Final = HIGH
PRINTED: Final = LOW

_SHADE: Final = 0.14
#: Offset between the steps of different traces, as a share of the width of a step.
_BESIDE: Final = 0.12


def band_figure(name: str, title: str, about: str, rows: pd.DataFrame, band: tuple[float, float]) -> Figure:
    """Return a dot and its interval per row, and the band in which they should lie, one of whose ends may be infinite.

    Rows have the columns name, colour, state, mean, low and high; a mean is nan, and an interval infinite, where little
    is known.
    """
    levels, names = row_levels(len(rows)), list(rows["name"])
    left, right = _limits(rows, band)
    drawn = rows.assign(low=rows["low"].clip(lower=left), high=rows["high"].clip(upper=right))

    def paint(axes: Axes) -> None:
        axes.axvspan(max(band[0], left), min(band[1], right), color=MUTED, alpha=_SHADE, linewidth=0)
        ranges(axes, levels, drawn, ("low", "mean", "high"), list(rows["colour"]))
        axes.set_xlim(left, right)
        axes.set_ylim(-0.6, len(rows) - 0.4)
        name_levels(axes, levels, names)
        mark_values(axes, "")

    label = "; ".join(
        f"{row['name']}: {number(row['mean'])}, {number(row['low'])} to {number(row['high'])}, {row['state']}"
        for row in rows.to_dict("records")
    )
    return draw(
        name, title, f"Values with intervals. {label}", rows_frame(names), paint, about, narrow_frame(len(names))
    )


def trials_figure(name: str, title: str, about: str, trials: pd.DataFrame) -> Figure:
    """Return by how much each trial missed all targets together, as a scatter over the games of the search.

    Trials have the columns games (of the search until it ended), miss and colour, which is `CHOICE` or `PRINTED` for
    those.
    """
    is_known = trials["colour"].isin([CHOICE, PRINTED])

    def paint(axes: Axes) -> None:
        for rows, size, alpha in ((trials[~is_known], 12.0, 0.5), (trials[is_known], 26.0, 1.0)):
            axes.scatter(rows["games"], rows["miss"], s=size, c=list(rows["colour"]), alpha=alpha, linewidths=0.0)
        axes.set_xlim(left=0.0)
        axes.set_ylim(bottom=min(0.0, axes.get_ylim()[0]))
        axes.grid()
        axes.set_xlabel("games of the search")
        ticks(axes.xaxis, "")
        ticks(axes.yaxis, "")

    least = number(float(trials["miss"].min()))
    label = "; ".join(
        f"{word} missed by {', '.join(map(number, trials.loc[trials['colour'] == colour, 'miss']))}"
        for word, colour in (("printed rules", PRINTED), ("choice", CHOICE))
        if (trials["colour"] == colour).any()
    )
    return draw(
        name,
        title,
        f"{len(trials):,} trials, the nearest missed by {least}. {label}",
        CURVE,
        paint,
        about,
        NARROW_CURVE,
    )


@dataclass(frozen=True)
class Trace:
    """Gains of each step of a ladder of budgets with some rules: mean, low and high."""

    label: str
    colour: str
    steps: pd.DataFrame


def trace_figure(name: str, title: str, about: str, traces: Sequence[Trace]) -> Figure:
    """Return the gains of each step of a ladder with intervals: a line for each of several rules."""
    shifts = _BESIDE * (np.arange(len(traces)) - (len(traces) - 1) / 2.0)
    places = np.arange(1, 1 + max(len(trace.steps) for trace in traces))

    def paint(axes: Axes) -> None:
        axes.axhline(0.0, color=MUTED, linewidth=1.0, linestyle=(0, (3, 3)))
        for trace, shift in zip(traces, shifts.tolist(), strict=True):
            steps, at = trace.steps, places[: len(trace.steps)] + shift
            axes.vlines(at, steps["low"], steps["high"], colors=trace.colour, linewidth=2.0, alpha=0.6)
            axes.plot(at, steps["mean"], "o-", color=trace.colour, linewidth=1.2, markersize=4.4)
        axes.set_xlim(0.5, len(places) + 0.5)
        axes.set_xticks(places, map(str, places))
        axes.set_xlabel("step of the ladder")
        axes.grid(axis="y")
        ticks(axes.yaxis, "")

    label = "; ".join(
        f"{trace.label}, step {step}: {number(row['mean'])}, {number(row['low'])} to {number(row['high'])}"
        for trace in traces
        for step, row in enumerate(trace.steps.to_dict("records"), 1)
    )
    return draw(name, title, f"Gains with 95 % intervals. {label}", CURVE, paint, about, NARROW_CURVE)


def _limits(rows: pd.DataFrame, band: tuple[float, float]) -> tuple[float, float]:
    """Return the ends of an axis with all finite values, intervals and ends of the band."""
    known = np.concatenate([rows[["mean", "low", "high"]].to_numpy(np.float64).ravel(), band])
    known = known[np.isfinite(known)]
    room = 0.06 * max(float(np.ptp(known)), 1e-9)
    return float(known.min()) - room, float(known.max()) + room


# --- verdict ------------------------------------------------------------------------------------------------------------
#
# The first sections of a balancing study's report: the choice with its reasons, and every measure beside its band.


#: Texts about targets in each state, in this order.
_STATES: Final = {MET: "meets", MISSED: "misses", OPEN: "leaves open"}
#: The checks in ``balance.json``, with the words for rows of them and for sentences about them.
_CHECKS: Final = {
    "held_out": ("held out", "Played by agents held out"),
    "retuned": ("retuned", "Played by the agent that was tuned to it"),
}


def verdict_section(results: BalanceResults) -> Section:
    """Return the choice in words, its changes, and the command to play it."""
    found, definition = results.verdict, results.manifest.definition
    if found is None:
        return Section("verdict", "Verdict", [Paragraph(_state_of_the_search(results))])
    said = f"{found['sentence']}."
    blocks: list[Block] = [
        Paragraph(said if said.startswith(found["spec"]) else sentence(said))
    ]  # specs keep their letters
    if found["choice"].get("degenerate"):
        blocks.append(Paragraph(f"Warning: {found['choice']['degenerate']}."))
    blocks += [Paragraph(_check_text(said, found[name])) for name, (_row, said) in _CHECKS.items() if found[name]]
    if found["retuned_agent"] and not found["retuned"]:
        blocks.append(
            Paragraph(f"Tuning {definition.retune} to the choice found nothing better: nothing to measure again.")
        )
    if found["changes"]:
        blocks += [_changes_table(found["changes"]), Code(f"tag play {BALANCE} --players {definition.players}")]
    blocks.append(Paragraph(sentence(f"{games_text(definition, found)}.")))
    confidence = confidence_text(found)
    about = (
        f"Targets count as met when the whole {confidence} interval lies in the band, on seeds the search has not seen."
    )
    return Section("verdict", "Verdict", blocks, about)


def targets_section(results: BalanceResults) -> Section | None:
    """Return the measures of the printed rules and of the choice beside their bands; None without a verdict."""
    found = results.verdict
    if found is None:
        return None
    names = [goal.target.name for goal in results.manifest.definition.goals]
    blocks: list[Block] = [key(), Figures(list(_figures(results, found)), "own"), _measured_table(found, names)]
    about = (
        f"The shaded part is the band; lines are {confidence_text(found)} intervals. The printed rules and the choice play "
        "the same seeds, and agents held out play seeds of their own."
    )
    return Section("targets", "Targets", blocks, about)


def key() -> Key:
    """Return the meaning of the two colours of all figures."""
    return Key("Colours", [(variable(CHOICE), "choice"), (variable(PRINTED), "printed rules")])


def band_text(target: Target) -> str:
    """Return which values a target wants, in words for below the title of a figure."""
    return f"The band is {str(target).removeprefix(target.name).removeprefix('=')}."


def estimate_cell(measured: Mapping[str, Any]) -> Cell:
    """Return a measurement as it is in ``balance.json``, with its interval and the state of the target."""
    if measured["value"] is None:
        return Cell(NOTHING, str(measured["state"]))
    low, high = (_known(measured["low"], -inf), _known(measured["high"], inf))
    interval = (
        "" if low == high else f"{ends_text(low, high, '.4g')}, ".replace("-inf", NOTHING).replace("inf", NOTHING)
    )
    return Cell(f"{measured['value']:.4g}", f"{interval}{measured['state']}")


def _state_of_the_search(results: BalanceResults) -> str:
    if results.incumbents.empty:
        return "Nothing has been played yet."
    spec = results.incumbents["spec"].iloc[-1]
    return f"Not complete: nothing has been measured on unseen seeds yet. The model takes {spec} for the best so far."


def _check_text(said: str, check: Mapping[str, Any]) -> str:
    """Return the measures of the choice with other agents: ``Played by agents held out (random), it meets length.``."""
    choice = check["choice"]
    by_state = {state: [name for name, one in choice["targets"].items() if one["state"] == state] for state in _STATES}
    parts = [f"{verb} {' and '.join(by_state[state])}" for state, verb in _STATES.items() if by_state[state]]
    text = " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))
    return f"{said} ({', '.join(check['agents'])}), the choice {text}, on {choice['games']:,} games."


def _changes_table(changes: Mapping[str, Sequence[Any]]) -> Block:
    rows = pd.DataFrame([
        {"parameter": name, "printed": Cell(before), "choice": Cell(after)}
        for name, before, after in changed_texts(changes)
    ])  # fmt: skip
    columns = {"printed": Column("printed rules"), "choice": Column("choice")}
    return table(rows, "What is changed", ("parameter",), columns)


def _figures(results: BalanceResults, found: Mapping[str, Any]) -> Iterator[Figure]:
    for position, goal in enumerate(results.manifest.definition.goals):
        target = goal.target
        rows = pd.DataFrame(list(_rows(found, target.name)))
        name = f"figure-target-{position}"
        yield band_figure(name, target.name, band_text(target), rows, (target.low, target.high))


def _rows(found: Mapping[str, Any], target: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a target's figure: both rules, as the panel plays them and as others do."""
    pairs = {"": found, **{f", {word}": found[name] for name, (word, _said) in _CHECKS.items() if found[name]}}
    for suffix, pair in pairs.items():
        is_same = pair["printed"]["spec"] == pair["choice"]["spec"]
        for side, name, colour in (("printed", "printed rules", PRINTED), ("choice", "choice", CHOICE)):
            measured = pair[side]["targets"].get(target)
            if measured is not None and not (is_same and side == "choice"):
                yield {
                    "name": f"{name}{suffix}",
                    "colour": colour,
                    "state": measured["state"],
                    "mean": _known(measured["value"], nan),
                    "low": _known(measured["low"], -inf),
                    "high": _known(measured["high"], inf),
                }


def _known(value: float | None, otherwise: float) -> float:
    return otherwise if value is None else value


def _measured_table(found: Mapping[str, Any], names: Sequence[str]) -> Block:
    others = [one for one in found["measured"] if one["spec"] != found["printed"]["spec"]]
    rows = pd.DataFrame([
        {
            "candidate": one["spec"],
            "which": _which(found, one["spec"]),
            "games": Cell(f"{one['games']:,}"),
            **{name: estimate_cell(one["targets"][name]) for name in names},
        }
        for one in (found["printed"], *others)
    ])  # fmt: skip
    columns = {"games": Column("games"), **{name: Column(name) for name in names}}
    return table(rows, "Measured on unseen seeds", ("candidate", "which"), columns)


def _which(found: Mapping[str, Any], spec: str) -> str:
    words = {"printed rules": found["printed"]["spec"], "choice": found["choice"]["spec"]}
    return ", ".join(word for word, one in words.items() if one == spec) or "passed over"


# --- meetings -----------------------------------------------------------------------------------------------------------
#
# The sections of a balancing study's report on agents that meet: scores of match-ups, and the gain from twice the budget.


#: The games of each of the rules, by group.
Views = Mapping[str, list[tuple[Group, CandidateGames]]]

_COLOURS: Final = {"printed rules": PRINTED, "choice": CHOICE}


def meetings_sections(results: BalanceResults) -> Iterator[Section]:
    """Yield match-ups and skill, where there is a verdict and the targets made agents meet for these."""
    found, plan = results.verdict, results.manifest.definition.plan
    designs = [group.design for group in plan.groups]
    if found is None or not any(isinstance(design, RoundRobin | Ladder) for design in designs):
        return
    sides = {"printed rules": found["printed"], "choice": found["choice"]}
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


# --- search -------------------------------------------------------------------------------------------------------------
#
# The sections of a balancing study's report on the search: its course, the front, its trials, and its games and time.


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
    return Section("course", "LearnerHistory", blocks, said)


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
        "the distance from the printed rules. Values are the model's, which has no lucky winners."
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
        "distance": Column("distance", "from the printed rules"),
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


# --- the report of a balancing study, as a file in its folder -----------------------------------------------------------


def write_report(results: BalanceResults, file: Path | None = None) -> Path:
    """Write the report of a study, complete or not, to a file, by default in its folder, and return its path.

    Raises:
        DataError: the file cannot be written, or a ledger is damaged.
    """
    return write_page(results, report_html(results), file)


def report_html(results: BalanceResults) -> str:
    """Return the report of a study; equal results give equal texts."""
    definition = results.manifest.definition
    facts = {
        "Targets": ", ".join(definition.targets),
        "Agents": ", ".join(definition.agents),
        "Held out": ", ".join(definition.held_out) or "none",
    }
    return page_of(results, f"Balancing {title_of(definition.game)}", facts, balance_sections(results))


def balance_sections(results: BalanceResults) -> Iterator[Section]:
    """Yield the sections of the report of a balancing study."""
    yield verdict_section(results)
    targets = targets_section(results)
    if targets is not None:
        yield targets
    yield from meetings_sections(results)
    yield from (one for one in (candidates_section(results), course_section(results)) if one is not None)
    yield cost_section(results)


BALANCES: Final = RunType("tag.tuning.balancing.report:BalanceContents", contents_with(BALANCE))


class BalanceContents(StudyContents):
    """The contents of the run of a balancing study."""

    kind = BALANCES
    study = BalanceDefinition
    topic = "balancing"
    tables = (TRIALS, INCUMBENTS, FRONT)

    def verdict(self, found: Mapping[str, Any]) -> dict[str, str]:
        """Return the choice in words."""
        return {f"balance.{name}": str(found[name]) for name in ("feasible", "sentence", "spec")}

    def values(self, found: Mapping[str, Any]) -> dict[str, float | None]:
        """Return the measures of both rules: ``validation/choice/length/value``."""
        values: dict[str, float | None] = {}
        for stage, pair in {"validation": found, "held_out": found["held_out"], "retuned": found["retuned"]}.items():
            for side in ("printed", "choice") if pair is not None else ():
                measured = pair[side]
                values[f"{stage}/{side}/games"] = measured["games"]
                for target, one in measured["targets"].items():
                    name = f"{stage}/{side}/{metric_name(target)}"
                    values |= {f"{name}/{key}": one[key] for key in ("value", "low", "high")}
        return values

    def named(self, values: Mapping[str, float]) -> dict[str, float]:
        """Return the values of a point by the names of metrics: ``measure.win_rate(mcts)`` is ``measure/win_rate_mcts``."""
        names = agent_names([goal.target.name for goal in self.manifest.definition.goals])
        found = {}
        for column, value in values.items():
            kind, dot, target = column.partition(".")
            found[f"{kind}/{names[target]}" if dot else column] = value
        return found
