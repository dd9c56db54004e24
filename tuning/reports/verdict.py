"""The first sections of a study's report: what is recommended, and how it did on unseen seeds."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any, Final

import pandas as pd

from tournaments.html.figures import Figure
from tournaments.html.page import Block, Code, Figures, Section, Text
from tournaments.html.tables import NOTHING, Cell, Column, number, table
from tournaments.reports.figures import ranges_figure
from tournaments.reports.parts import sentence
from tuning.block_deviation import win_rate_deviation
from tuning.definition import VALIDATION
from tuning.equal_time import Times
from tuning.findings import Estimate
from tuning.objectives import RATES
from tuning.problem import tables_of
from tuning.recommendation import COMPARISONS, RECOMMENDATION, comparisons_of, time_text
from tuning.reports.figures import DEFAULT, RECOMMENDED
from tuning.reports.subject import Subject
from tuning.show import NEVER_PLAYED
from tuning.validation import FEWEST_BLOCKS, ValidationPlan

#: An advantage of that size is worth finding.
_EFFECT: Final = 0.05
_POWER: Final = 0.8


def recommendation_section(subject: Subject) -> Section:
    """Return the verdict, and what is recommended beside the default."""
    recommendation, findings = subject.results.recommendation, subject.findings
    if findings is None:
        return Section("recommendation", "Recommendation", [Text("Nothing has been played yet.")])
    said = "Not complete: what follows is of the games so far."
    blocks: list[Block] = [Text(sentence(str(recommendation["sentence"]) + ".") if recommendation else said)]
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
        blocks.append(Text(sentence(findings.remark + ".")))
    if recommendation:
        blocks.append(Code(_command(subject)))
    about = "What the model of the search takes for the best, never the luckiest trial."
    return Section("recommendation", "Recommendation", blocks, about)


def validation_section(subject: Subject) -> Section | None:
    """Return how the recommendation did beside the default on seeds that the search has not seen; None without that."""
    recommendation = subject.results.recommendation
    if recommendation is None or recommendation["validation"] is None:
        return None
    compared = comparisons_of(recommendation)
    played = {COMPARISONS[name]: one for name, (one, _times) in compared.items()}
    blocks: list[Block] = [Figures([_sides_figure(subject, played)], "own"), _comparisons_table(subject, compared)]
    power = _power(subject)
    if power:
        blocks.append(Text(power))
    about = (
        "Both play the same seeds, which the search has not seen, until a sequential test is decided. The difference and "
        "its interval hold in spite of that; a positive one is better for the recommendation. At equal time the default "
        "has the budget that takes it as much CPU time per decision."
    )
    return Section("validation", "Validation", blocks, about)


def _command(subject: Subject) -> str:
    """Return how to play with what is recommended, from the study's folder; a team beside one at random."""
    definition = subject.definition
    agents = [RECOMMENDATION, *(definition.measuring or ("random",))]
    words = ["tag", "tournament", definition.game, f"--players={definition.players}"]
    design = [] if definition.measuring else ["--design=self_play"]
    return shlex.join([*words, *(f"--agent={agent}" for agent in agents), *design])


def _estimate(estimate: Estimate | None) -> Cell:
    return Cell(NOTHING) if estimate is None else Cell(f"{estimate.value:.3f}", estimate.half_text)


def _sides_figure(subject: Subject, played: Mapping[str, Any]) -> Figure:
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


def _comparisons_table(subject: Subject, compared: Mapping[str, tuple[dict[str, Any], Times]]) -> Block:
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
        "p": Column("p"),
        "ms": Column("CPU ms", "per decision"),
    }
    labels = ("on unseen seeds", "against", "decision")
    return table(pd.DataFrame(rows), f"Recommended and default: {subject.objective}", labels, columns)


def _games(comparison: Mapping[str, Any]) -> int:
    return int(comparison["recommended"]["games"] + comparison["default"]["games"])


def _side(side: Mapping[str, Any]) -> Cell:
    return _between(side, "value", ".3f")


def _between(row: Mapping[str, Any], name: str, form: str) -> Cell:
    """Return a value with its interval below; the ends of some are not known."""
    low, high = (NOTHING if row[end] is None else format(row[end], form) for end in ("low", "high"))
    return Cell(format(row[name], form), f"{low} … {high}")


def _power(subject: Subject) -> str:
    """Return what the validation could show, known before it was played; empty where values are no shares of games."""
    definition, findings = subject.definition, subject.findings
    if definition.objectives[0] not in RATES or findings is None:
        return ""
    tables = tables_of(definition, VALIDATION, definition.measuring)
    games = tables.seatings * max(tables.opponents, 1)
    rate = findings.default.value if findings.default else 0.5
    meets_itself = definition.measuring == (definition.default,)  # and then is what symmetry says, without luck
    deviation = win_rate_deviation(min(max(rate, 0.02), 0.98), games, None if meets_itself else 0.0)
    plan = ValidationPlan(max(definition.validation // games, FEWEST_BLOCKS))
    return (
        f"What it could show was known beforehand: {plan.blocks:,} blocks of {games:,} games at most on either side find "
        f"an advantage of {number(plan.detectable(deviation, _POWER))} in {100 * _POWER:.0f} % of studies, and one of "
        f"{_EFFECT} in {100.0 * plan.power(_EFFECT, deviation):.0f} %."
    )
