"""The report of a study as one HTML file: its sections and the evidence for its recommendation."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd

from tag.tournaments.ledger.storage import write_whole
from tag.tournaments.reports.figures import ranges_figure
from tag.tournaments.reports.html.figures import Figure, series_variable, variable
from tag.tournaments.reports.html.page import page_html
from tag.tournaments.reports.sections.section import (
    NOTHING,
    Block,
    Cell,
    Code,
    Column,
    Definitions,
    Figures,
    Folded,
    Heading,
    Key,
    Page,
    Paragraph,
    Section,
    begun_text,
    number,
    own_size,
    sentence,
    table,
)
from tag.tournaments.reports.sections.tournament import title_of
from tag.tournaments.statistics.intervals import HALF_WIDTH, half_width_text
from tag.tuning.agent.definition import RECOMMENDATION, VALIDATION, StudyDefinition
from tag.tuning.agent.equal_time import Times
from tag.tuning.agent.objectives import MAXIMIZE, RATES, bounds_of, direction_of
from tag.tuning.agent.problem import why_none_is_pruned
from tag.tuning.agent.schedule import schedule_of
from tag.tuning.reports.figures import (
    DEFAULT,
    RECOMMENDED,
    Curve,
    curves_figure,
    map_figure,
    pareto_figure,
    path_figure,
    shares_figure,
    slice_figure,
)
from tag.tuning.reports.findings import (
    LEVEL,
    MOST_CONFIGURATIONS,
    ConfigurationEstimate,
    Findings,
    OneStep,
    ParameterMap,
    Ranked,
    maps,
    one_steps,
    path,
    place_of,
    slices,
    step_text,
    text_of,
    waterfall,
    with_band,
)
from tag.tuning.reports.results import COMPARISONS, NEVER_PLAYED, StudyResults, comparisons_of, time_text
from tag.tuning.search.trials import DROPPED, latest
from tag.tuning.space.ranges import shown
from tag.tuning.study.definition import FEWEST_BLOCKS
from tag.tuning.study.folder import REPORT, ResultsSoFar
from tag.tuning.validation import ValidationPlan, win_rate_deviation

# --- parts of all sections ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class StudySubject:
    """The study that a report is about."""

    results: StudyResults

    @property
    def findings(self) -> Findings | None:
        """The findings of the model in its trials; None as long as no trial has a value."""
        return self.results.findings

    @property
    def definition(self) -> StudyDefinition:
        """The study."""
        return self.results.manifest.definition

    @property
    def objective(self) -> str:
        """The objective; of several, the first."""
        return self.definition.objectives[0].replace("_", " ")

    @property
    def goal(self) -> str:
        """The same with the direction in which it goes."""
        return f"{self.objective}, {'more' if self.is_maximised else 'less'} is better"

    @property
    def is_maximised(self) -> bool:
        """True if more of the objective is better."""
        return direction_of(self.definition.objectives[0]) == MAXIMIZE

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the greatest value that the objective can have."""
        return bounds_of(self.definition.objectives[0])


def key() -> Key:
    """Return the meaning of the two colours of all figures."""
    return Key("Colours", [(variable(RECOMMENDED), "recommended"), (variable(DEFAULT), "default")])


# --- recommendation and validation --------------------------------------------------------------------------------------


#: An advantage of that size is worth finding.
_EFFECT: Final = 0.05
_POWER: Final = 0.8


def recommendation_section(subject: StudySubject) -> Section:
    """Return the verdict, and the recommendation beside the default."""
    recommendation, findings = subject.results.recommendation, subject.findings
    if findings is None:
        return Section("recommendation", "Recommendation", [Paragraph("Nothing has been played yet.")])
    said = "Not complete: what follows is of the games so far."
    blocks: list[Block] = [Paragraph(sentence(str(recommendation["sentence"]) + ".") if recommendation else said)]
    rows = [
        {"parameter": one.parameter, "default": Cell(one.default), "recommended": Cell(one.recommended)}
        for one in findings.differences
    ]
    rows.append({
        "parameter": f"{subject.objective} by the model",
        "default": _estimate(findings.default),
        "recommended": _estimate(findings.estimate),
    })  # fmt: skip
    played = f"{findings.played:,}" if findings.played else NEVER_PLAYED
    rows.append({"parameter": "games in the search", "default": Cell(NOTHING), "recommended": Cell(played)})
    columns = {"default": Column("default"), "recommended": Column("recommended")}
    blocks.append(table(pd.DataFrame(rows), "The parameters that differ", ("parameter",), columns))
    if findings.remark:
        blocks.append(Paragraph(sentence(findings.remark + ".")))
    if recommendation:
        blocks.extend(_taken_back(recommendation.get("taken_back", ())))
        blocks.append(Code(_command(subject)))
    about = "What the model of the search takes for the best, never the luckiest trial."
    return Section("recommendation", "Recommendation", blocks, about)


def _taken_back(names: Sequence[str]) -> list[Block]:
    """Return a sentence on the changes that were taken back; nothing if there are none, as in older studies."""
    if not names:
        return []
    return [Paragraph(f"Taken back to the default, as no gain was shown: {', '.join(names)}.")]


def validation_section(subject: StudySubject) -> Section | None:
    """Return the comparison of the recommendation with the default on unseen seeds; None without one."""
    recommendation = subject.results.recommendation
    if recommendation is None or recommendation["validation"] is None:
        return None
    compared = comparisons_of(recommendation)
    played = {COMPARISONS[name]: one for name, (one, _times) in compared.items()}
    blocks: list[Block] = [Figures([_sides_figure(subject, played)], "own"), _comparisons_table(subject, compared)]
    power = _power(subject)
    if power:
        blocks.append(Paragraph(power))
    about = (
        "Both play the same seeds, which the search has not seen, until a sequential test is decided. The difference and "
        "its interval hold in spite of that; a positive one is better for the recommendation. At equal time the default "
        "has the budget that takes it as much CPU time per decision."
    )
    factor = (recommendation["equal_time"] or {}).get("factor")
    if factor is not None:
        blocks.append(Paragraph(_MEASURED.format(factor=factor)))
    return Section("validation", "Validation", blocks, about)


_MEASURED: Final = (
    "What is at equal time is not a function of the definition: the budget of the default follows from CPU times, which "
    "differ by machine. Here a decision of the recommendation took {factor:.3g} times as long as one of the default with "
    "its own budget. The study keeps this factor and the budget (equal_time.json), and its games follow from them."
)


def _command(subject: StudySubject) -> str:
    """Return a command that plays the recommendation, from the study's folder; a team beside a random agent."""
    definition = subject.definition
    agents = [RECOMMENDATION, *(definition.measuring or ("random",))]
    words = ["tag", "tournament", definition.game, f"--players={definition.players}"]
    design = [] if definition.measuring else ["--design=self_play"]
    return shlex.join([*words, *(f"--agent={agent}" for agent in agents), *design])


def _estimate(estimate: ConfigurationEstimate | None) -> Cell:
    return Cell(NOTHING) if estimate is None else Cell(f"{estimate.value:.3f}", estimate.half_text)


def _sides_figure(subject: StudySubject, played: Mapping[str, Any]) -> Figure:
    rows = pd.DataFrame([
        {
            "name": f"{side}, {name}",
            "colour": colour,
            "mean": comparison[side]["value"],
            "low": comparison[side]["low"],
            "high": comparison[side]["high"],
        }
        for name, comparison in played.items()
        for side, colour in (("recommended", RECOMMENDED), ("default", DEFAULT))
    ])  # fmt: skip
    rows[["mean", "low", "high"]] = rows[["mean", "low", "high"]].astype(float)
    title = f"{sentence(subject.objective)} on unseen seeds"
    return ranges_figure("figure-validation", title, "With 95 % intervals, from blocks.", rows)


def _comparisons_table(subject: StudySubject, compared: Mapping[str, tuple[dict[str, Any], Times]]) -> Block:
    definition = subject.definition
    rows = [
        {
            "on unseen seeds": COMPARISONS[name],
            "against": ", ".join(definition.held_out if name == "held_out" else definition.measuring) or "nobody",
            "decision": comparison["result"]["decision"] or "undecided",
            "recommended": _side(comparison["recommended"]),
            "default": _side(comparison["default"]),
            "difference": _between(comparison["result"], "difference", "+.3f"),
            "p": Cell(number(comparison["result"]["p_value"]), f"{_games(comparison):,} games"),
            "ms": Cell(time_text(times["recommended"]), f"default {time_text(times['default'])}"),
        }
        for name, (comparison, times) in compared.items()
    ]
    columns = {
        "recommended": Column("recommended"),
        "default": Column("default"),
        "difference": Column("difference"),
        "p": Column("p", meaning="the chance of such a difference between equals"),
        "ms": Column("CPU ms", "per decision"),
    }
    labels = ("on unseen seeds", "against", "decision")
    return table(pd.DataFrame(rows), f"Recommended and default: {subject.objective}", labels, columns)


def _games(comparison: Mapping[str, Any]) -> int:
    return int(comparison["recommended"]["games"] + comparison["default"]["games"])


def _side(side: Mapping[str, Any]) -> Cell:
    return _between(side, "value", ".3f")


def _between(row: Mapping[str, Any], name: str, form: str) -> Cell:
    """Return a value with its interval below; some ends are not known."""
    low, high = (NOTHING if row[end] is None else format(row[end], form) for end in ("low", "high"))
    return Cell(format(row[name], form), f"{low} … {high}")


def _power(subject: StudySubject) -> str:
    """Return the power of the validation, known beforehand; empty if values are no shares of games."""
    definition, findings = subject.definition, subject.findings
    if definition.objectives[0] not in RATES or findings is None:
        return ""
    tables = schedule_of(definition, VALIDATION, definition.measuring)
    games = tables.seatings * max(tables.opponents, 1)
    rate = findings.default.value if findings.default else 0.5
    meets_itself = definition.measuring == (definition.default,)  # its value then follows from symmetry, without luck
    deviation = win_rate_deviation(min(max(rate, 0.02), 0.98), games, None if meets_itself else 0.0)
    plan = ValidationPlan(max(definition.validation // games, FEWEST_BLOCKS))
    return (
        f"What it could show was known beforehand: {plan.blocks:,} blocks of {games:,} games at most on either side find "
        f"an advantage of {number(plan.detectable(deviation, _POWER))} in {100 * _POWER:.0f} % of studies, and one of "
        f"{_EFFECT} in {100.0 * plan.power(_EFFECT, deviation):.0f} %."
    )


# --- the search: its course, its trials, its games and time -------------------------------------------------------------


#: More trials than this are not listed.
_MOST_TRIALS: Final = 300
_SECOND: Final = "value_2"


def course_section(subject: StudySubject) -> Section | None:
    """Return the recommendations in the course of the search, and its convergence; None without any."""
    incumbents = latest(subject.results.incumbents)
    if incumbents.empty:
        return None
    value = with_band(incumbents, incumbents["deviation"], subject.bounds)
    pessimistic = incumbents[["games"]].assign(value=incumbents["pessimistic"].clip(*subject.bounds))
    distance = incumbents[["games"]].assign(value=(value["value"] - pessimistic["value"]).abs())
    figures = [
        curves_figure(
            "figure-incumbent",
            f"{sentence(subject.objective)} of what is recommended",
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
    changes = int((incumbents["spec"] != incumbents["spec"].shift()).sum()) - 1
    said = Paragraph(f"The recommendation changed {changes:,} times in {len(incumbents):,} looks.")
    about = "What the model of the search recommended in its course."
    return Section("course", "LearnerHistory", [Figures(figures, "wide"), said], about)


def trials_section(subject: StudySubject) -> Section | None:
    """Return the best configurations by the model, the trials, and both objectives where there are two; None without."""
    trials, findings = subject.results.trials, subject.findings
    if findings is None:
        return None
    blocks: list[Block] = [_top_table(subject, findings.top)]
    if _SECOND in trials.columns:
        blocks.append(_pareto(subject, trials))
    listed = trials.sort_values(["games", "value"], ascending=[False, not subject.is_maximised], kind="stable")
    title = (
        f"All {len(trials):,} trials" if len(trials) <= _MOST_TRIALS else f"{_MOST_TRIALS} of {len(trials):,} trials"
    )
    blocks.append(Folded(f"{title}, those with the most games first", [_trials_table(subject, listed[:_MOST_TRIALS])]))
    about = "Observed values flatter the best of many, by luck; the model's do so much less."
    if len(set(trials["spec"])) > MOST_CONFIGURATIONS:
        about += f" The model of this report knows {MOST_CONFIGURATIONS:,} of them, those with the most games."
    return Section("trials", "Configurations", blocks, about)


def cost_section(subject: StudySubject) -> Section:
    """Return the games and time of the study, and the reason for its sampler."""
    definition, manifest, trials = subject.definition, subject.results.manifest, subject.results.trials
    reason = manifest.sampler_reason or f"{definition.sampler} was asked for"
    entries = [("Sampler", f"{reason}.")]
    if len(trials):
        dropped = trials[trials["state"] == DROPPED]
        share = dropped["spared"].sum() / max(dropped["spared"].sum() + trials["games"].sum(), 1)
        entries += [
            ("Search", f"{trials['games'].sum():,} games of {definition.games:,}, {len(trials):,} trials."),
            ("Racing", _racing(subject, len(dropped), int(dropped["spared"].sum()), share)),
        ]
    entries += [(name, text) for name, text in _validations(subject) if text]
    return cost_of(subject.results, entries)


def _racing(subject: StudySubject, dropped: int, spared: int, share: float) -> str:
    why_none = why_none_is_pruned(subject.definition)
    if why_none:
        return f"No trial could be pruned: {why_none}."
    if not dropped:
        return "No trial was pruned."
    return (
        f"{dropped:,} trials were pruned before they had all {subject.definition.games_per_trial:,} games, which spared "
        f"{spared:,} games for others, {100.0 * share:.0f} % of what all would have taken."
    )


def _validations(subject: StudySubject) -> list[tuple[str, str]]:
    recommendation = subject.results.recommendation or {}
    found = []
    for name, title in (("validation", "Validation"), ("held_out", "Opponents held out")):
        played = recommendation.get(name)
        games = sum(played[side]["games"] for side in ("recommended", "default")) if played else 0
        found.append((title, f"{games:,} games." if played else ""))
    return found


def _top_table(subject: StudySubject, top: list[Ranked]) -> Block:
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
    return table(rows, f"The best by the model: {subject.objective}", ("place", "configuration"), columns)


def _trials_table(subject: StudySubject, trials: pd.DataFrame) -> Block:
    rows = pd.DataFrame({
        "trial": trials["number"],
        "configuration": trials["spec"].map(shown),
        "state": trials["state"],
        "games": [Cell(f"{games:,}") for games in trials["games"]],
        "value": [_observed(row) for row in trials.to_dict("records")],
    })  # fmt: skip
    columns = {"games": Column("games"), "value": Column(subject.objective, "± standard error")}
    return table(rows, "Trials", ("trial", "configuration", "state"), columns)


def _observed(trial: Mapping[Any, Any]) -> Cell:
    if pd.isna(trial["value"]):
        return Cell(NOTHING)
    return Cell(
        f"{trial['value']:.3f}", "" if pd.isna(trial["error"]) else f"± {half_width_text(trial['error'], '.3f')}"
    )


def _pareto(subject: StudySubject, trials: pd.DataFrame) -> Block:
    counted = trials.dropna(subset=["value", _SECOND])
    names = subject.definition.objectives[:2]
    signs = [1.0 if direction_of(name) == MAXIMIZE else -1.0 for name in names]
    rows = pd.DataFrame({
        "first": counted["value"],
        "second": counted[_SECOND],
        "label": counted["spec"],
        "is_front": pareto_front(counted[["value", _SECOND]].to_numpy() * signs),
    })  # fmt: skip
    title, about = "Both objectives", "The line joins the configurations that no other beats in both."
    return Figures([pareto_figure("figure-pareto", title, about, rows, (names[0], names[1]))], "own")


def pareto_front(values: np.ndarray[Any, np.dtype[np.float64]]) -> list[bool]:
    """Return which of the rows of values, more being better, no other beats: is as good as everywhere and better somewhere.

    >>> pareto_front(np.array([[1.0, 2.0], [2.0, 1.0], [1.0, 1.0]]))
    [True, True, False]
    """
    return [not ((values >= row).all(axis=1) & (values > row).any(axis=1)).any() for row in values]


# --- model --------------------------------------------------------------------------------------------------------------
#
# The sections of a study's report on its model: parameter importance, slices, interactions, and changes to the
# recommendation.


#: So many parameters have a slice, the most important ones.
_SLICES: Final = 24
#: So many pairs have a map, if they interact by that share of the variance at least.
_MAPS: Final = 4
_LEAST_SHARE: Final = 0.005
_COLOURS: Final = 10


def model_section(subject: StudySubject, findings: Findings) -> Section:
    """Return parameter importance, slices and interactions, by the model."""
    blocks: list[Block] = [_importance(findings), Heading("One parameter at a time"), key()]
    blocks.append(Figures(_slices(findings, subject.bounds)))
    blocks.append(Heading("Two together"))
    found = list(maps(findings, _MAPS, _LEAST_SHARE))
    blocks += _maps(subject, found) if found else [Paragraph("No two parameters were found to interact.")]
    about = (
        f"A Gaussian process fitted to all trials: {subject.goal}. Slices and maps go through the recommendation, with all "
        "other parameters as they are there."
    )
    return Section("parameters", "Parameters", blocks, about)


def changes_section(subject: StudySubject, findings: Findings) -> Section:
    """Return the single changes of the recommendation with their verdicts, and the path to it from the default."""
    blocks: list[Block] = [
        *_one_steps(findings),
        Heading("From the default to the recommendation"),
        *_path(subject, findings),
    ]
    about = "Gains are by the model, positive where a change is better; errors are those of the difference."
    return Section("changes", "Changes", blocks, about)


def _importance(findings: Findings) -> Block:
    rows = pd.DataFrame([
        {"name": one.parameter, "main": one.main, "total": max(one.total, one.main)} for one in findings.effects.parameters
    ])  # fmt: skip
    about = (
        "The share of the variance over the whole search space that a parameter explains by itself; paler: with all "
        "interactions it takes part in."
    )
    return own_size(shares_figure("figure-importance", "Parameter importance", about, rows))


def _slices(findings: Findings, bounds: tuple[float, float]) -> list[Figure]:
    found = list(islice(slices(findings, bounds), _SLICES))
    low = min(float(points["low"].min()) for _name, points in found)
    high = max(float(points["high"].max()) for _name, points in found)
    room = 0.04 * max(high - low, 1e-9)
    default = findings.space.default
    return [
        slice_figure(
            f"figure-slice-{position}",
            name,
            _slice_about(findings, name),
            points,
            place_of(findings.space, name, default[name]) if name in default else None,
            (low - room, high + room),
        )
        for position, (name, points) in enumerate(found)
    ]


def _slice_about(findings: Findings, name: str) -> str:
    default, space = findings.space.default, findings.space
    said = f"{text_of(space, name, findings.configuration[name])} is recommended"
    return f"{said}, the default is {text_of(space, name, default[name])}." if name in default else f"{said}."


def _maps(subject: StudySubject, found: list[tuple[float, ParameterMap]]) -> list[Block]:
    low = min(float(np.nanmin(one.values)) for _share, one in found)
    high = max(float(np.nanmax(one.values)) for _share, one in found)
    figures = [
        map_figure(
            f"figure-map-{position}",
            f"{one.parameters[0]} and {one.parameters[1]}",
            f"They interact by {100.0 * share:.1f} % of the variance; {one.parameters[0]} goes upwards.",
            one.parameters,
            one.texts,
            one.values,
            [(one.recommended, RECOMMENDED), *([(one.default, DEFAULT)] if one.default else [])],
            (low, high),
        )
        for position, (share, one) in enumerate(found)
    ]
    entries = [
        (series_variable(shade, _COLOURS), number(low + (high - low) * (shade + 0.5) / _COLOURS))
        for shade in range(0, _COLOURS, 3)
    ]
    return [Key(sentence(subject.objective), entries), Figures(figures, "own")]


def _one_steps(findings: Findings) -> list[Block]:
    steps = one_steps(findings.posterior, findings.configuration, findings.space.nearest)
    if not steps:
        return [Paragraph("No single change leads to a valid configuration.")]
    best = [
        max((step for step in steps if step.parameter == name), key=lambda step: step.gain) for name in _names(steps)
    ]
    best.sort(key=lambda step: -step.gain)
    told = {verdict: sum(step.verdict == verdict for step in steps) for verdict in ("better", "worse")}
    said = (
        f"Of {len(steps):,} single changes {told['better']:,} are shown to be better than the recommendation and "
        f"{told['worse']:,} to be worse, with p values corrected by Holm for all of them, at {LEVEL:g}."
    )
    return [Paragraph(said), own_size(_steps_figure(findings, best)), _steps_table(findings, best)]


def _names(steps: list[OneStep]) -> list[str]:
    return list(dict.fromkeys(step.parameter for step in steps))


def _step_name(findings: Findings, step: OneStep) -> str:
    return f"{step.parameter} = {text_of(findings.space, step.parameter, step.value)}"


def _steps_figure(findings: Findings, best: list[OneStep]) -> Figure:
    rows = pd.DataFrame([
        {
            "name": _step_name(findings, step),
            "colour": RECOMMENDED,
            "mean": step.gain,
            "low": step.gain - HALF_WIDTH * step.error,
            "high": step.gain + HALF_WIDTH * step.error,
        }
        for step in best
    ])  # fmt: skip
    about = "The best other value of each parameter, with 95 % intervals: what it gains over the recommendation."
    return ranges_figure("figure-steps", "Single changes", about, rows, reference=0.0)


def _steps_table(findings: Findings, best: list[OneStep]) -> Block:
    rows = pd.DataFrame([
        {
            "change": _step_name(findings, step),
            "verdict": step.verdict,
            "gain": Cell(f"{step.gain:+.3f}", f"± {half_width_text(HALF_WIDTH * step.error, '.3f')}"),
            "better": step.better,
            "p": step.p_value,
        }
        for step in best
    ])  # fmt: skip
    columns = {
        "gain": Column("gain"),
        "better": Column("probability", "that it is better"),
        "p": Column("p value", "two-sided, corrected"),
    }
    return table(rows, "The best other value of each parameter", ("change", "verdict"), columns)


def _path(subject: StudySubject, findings: Findings) -> list[Block]:
    space = findings.space
    steps = path(findings.posterior, space.default, findings.configuration, space.nearest)
    if not steps:
        return [Paragraph("The recommendation is the default.")]
    begin = float(findings.posterior.means([space.default])[0])
    about = (
        "At each step the change that gains most by the model is made next; together they make the whole difference."
    )
    title = f"{sentence(subject.objective)} on the way"
    figure = path_figure("figure-path", title, about, waterfall(steps, begin, findings.posterior.sign, space))
    rows = pd.DataFrame([
        {
            "step": str(position),
            "change": step_text(step, space),
            "gain": Cell(f"{step.gain:+.3f}", f"± {half_width_text(HALF_WIDTH * step.error, '.3f')}"),
        }
        for position, step in enumerate(steps, 1)
    ])  # fmt: skip
    total = sum(step.gain for step in steps)
    caption = f"The changes, which gain {total:+.3f} together"
    return [own_size(figure), table(rows, caption, ("step", "change"), {"gain": Column("gain")})]


def write_report(results: StudyResults, file: Path | None = None) -> Path:
    """Write the report of a study, complete or not, to a file, by default `REPORT` in its folder, and return its path.

    Raises:
        DataError: the file cannot be written.
    """
    return write_page(results, report_html(results), file)


def report_html(results: StudyResults) -> str:
    """Return the report of a study; equal results give equal texts."""
    subject = StudySubject(results)
    definition = subject.definition
    title = f"Tuning {', '.join(definition.agents)} in {title_of(definition.game)}"
    facts = {
        "Agent": ", ".join(definition.agents),
        "Opponents": ", ".join(definition.versus) or "none",
        "Objective": subject.goal,
    }
    return page_of(results, title, facts, study_sections(subject))


def study_sections(subject: StudySubject) -> Iterator[Section]:
    """Yield the sections of the report of a study."""
    yield recommendation_section(subject)
    found = [validation_section(subject), course_section(subject)]
    if subject.findings is not None:
        found += [model_section(subject, subject.findings), changes_section(subject, subject.findings)]
    yield from (section for section in [*found, trials_section(subject)] if section is not None)
    yield cost_section(subject)


# --- parts of the reports of both kinds of studies ----------------------------------------------------------------------


def page_of(results: ResultsSoFar[Any], title: str, facts: Mapping[str, str], sections: Iterable[Section]) -> str:
    """Return the page of a study's sections, with ``facts`` of its kind among those of all studies."""
    manifest, definition = results.manifest, results.manifest.definition
    all_facts = {
        "Game": definition.game,
        "Players": str(definition.players),
        **facts,
        "Searched": f"{len(definition.space.ranges)} parameters",
        "Sampler": definition.sampler,
        "Games": f"{definition.games:,}, {definition.games_per_trial:,} per trial",
        "Begun": begun_text(manifest.created),
    }
    state = "Complete." if results.complete else "Not complete: all that follows is of the games so far."
    return page_html(Page(title, state, list(all_facts.items()), list(sections)))


def cost_of(results: ResultsSoFar[Any], entries: Sequence[tuple[str, str]]) -> Section:
    """Return the section on what a study took: ``entries`` of its kind, the seed and the versions."""
    manifest = results.manifest
    versions = ", ".join(f"{name} {version}" for name, version in manifest.versions.items())
    played = [("Seed", str(manifest.definition.seed)), ("Played with", versions)]
    return Section("cost", "What it took", [Definitions([*entries, *played])])


def write_page(results: ResultsSoFar[Any], html: str, file: Path | None) -> Path:
    """Write the page of a study to a file, by default `REPORT` in its folder, and return its path."""
    path = file or results.folder / REPORT
    write_whole(path, html, "name a file with --out")
    return path
