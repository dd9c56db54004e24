"""The model of a study: effects, slices, maps and single steps.

The sections of a study's report on its model: parameter importance, slices, interactions, and changes to the
recommendation.
"""

from __future__ import annotations

from itertools import islice
from typing import Final

import numpy as np
import pandas as pd

from tag.tournaments.reports.figures import ranges_figure
from tag.tournaments.reports.html.figures import Figure, series_variable
from tag.tournaments.reports.sections.section import (
    Block,
    Cell,
    Column,
    Figures,
    Heading,
    Key,
    Paragraph,
    Section,
    number,
    own_size,
    sentence,
    table,
)
from tag.tournaments.statistics.intervals import HALF_WIDTH, half_width_text
from tag.tuning.reports.figures import DEFAULT, RECOMMENDED, key, map_figure, path_figure, shares_figure, slice_figure
from tag.tuning.reports.findings.changes import LEVEL, OneStep, one_steps, path
from tag.tuning.reports.findings.estimates import ParameterMap, maps, place_of, slices, step_text, text_of, waterfall
from tag.tuning.reports.findings.findings import Findings
from tag.tuning.reports.results import StudyResults

#: So many parameters have a slice, the most important ones.
_SLICES: Final = 24
#: So many pairs have a map, if they interact by that share of the variance at least.
_MAPS: Final = 4
_LEAST_SHARE: Final = 0.005
_COLOURS: Final = 10


def model_section(results: StudyResults, findings: Findings) -> Section:
    """Return parameter importance, slices and interactions, by the model."""
    blocks: list[Block] = [_importance(findings), Heading("One parameter at a time"), key()]
    blocks.append(Figures(_slices(findings, results.bounds)))
    blocks.append(Heading("Two together"))
    found = list(maps(findings, _MAPS, _LEAST_SHARE))
    blocks += _maps(results, found) if found else [Paragraph("No two parameters were found to interact.")]
    about = (
        f"A Gaussian process fitted to all trials: {results.goal}. Slices and maps go through the recommendation, with all "
        "other parameters as they are there."
    )
    return Section("parameters", "Parameters", blocks, about)


def changes_section(results: StudyResults, findings: Findings) -> Section:
    """Return the single changes of the recommendation with their verdicts, and the path to it from the default."""
    blocks: list[Block] = [
        *_one_steps(findings),
        Heading("From the default to the recommendation"),
        *_path(results, findings),
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


def _maps(results: StudyResults, found: list[tuple[float, ParameterMap]]) -> list[Block]:
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
    return [Key(sentence(results.objective), entries), Figures(figures, "own")]


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


def _path(results: StudyResults, findings: Findings) -> list[Block]:
    space = findings.space
    steps = path(findings.posterior, space.default, findings.configuration, space.nearest)
    if not steps:
        return [Paragraph("The recommendation is the default.")]
    begin = float(findings.posterior.means([space.default])[0])
    about = (
        "At each step the change that gains most by the model is made next; together they make the whole difference."
    )
    title = f"{sentence(results.objective)} on the way"
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
