"""The recommendation of a study and its validation."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any, Final

import pandas as pd

from tag.tournaments.reports.figures import ranges_figure
from tag.tournaments.reports.html.figures import Figure
from tag.tournaments.reports.sections.section import (
    NOTHING,
    Block,
    Cell,
    Code,
    Column,
    Figures,
    Paragraph,
    Section,
    number,
    sentence,
    table,
)
from tag.tuning.agent.comparisons.equal_time import Times
from tag.tuning.agent.definition import RECOMMENDATION, VALIDATION
from tag.tuning.agent.objectives import RATES
from tag.tuning.agent.schedule import schedule_of
from tag.tuning.reports.figures import DEFAULT, RECOMMENDED
from tag.tuning.reports.findings.findings import ConfigurationEstimate
from tag.tuning.reports.results import COMPARISONS, NEVER_PLAYED, StudyResults, comparisons_of, time_text
from tag.tuning.study.definition import FEWEST_BLOCKS
from tag.tuning.validation import ValidationPlan, win_rate_deviation

#: An advantage of that size is worth finding.
_EFFECT: Final = 0.05
_POWER: Final = 0.8


def recommendation_section(results: StudyResults) -> Section:
    """Return the verdict, and the recommendation beside the default."""
    recommendation, findings = results.recommendation, results.findings
    if findings is None:
        return Section("recommendation", "Recommendation", [Paragraph("Nothing has been played yet.")])
    said = "Not complete: what follows is of the games so far."
    blocks: list[Block] = [Paragraph(sentence(str(recommendation["sentence"]) + ".") if recommendation else said)]
    rows = [
        {"parameter": one.parameter, "default": Cell(one.default), "recommended": Cell(one.recommended)}
        for one in findings.differences
    ]
    rows.append({
        "parameter": f"{results.objective} by the model",
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
        blocks.append(Code(_command(results)))
    about = "What the model of the search takes for the best, never the luckiest trial."
    return Section("recommendation", "Recommendation", blocks, about)


def _taken_back(names: Sequence[str]) -> list[Block]:
    """Return a sentence on the changes that were taken back; nothing if there are none, as in older studies."""
    if not names:
        return []
    return [Paragraph(f"Taken back to the default, as no gain was shown: {', '.join(names)}.")]


def validation_section(results: StudyResults) -> Section | None:
    """Return the comparison of the recommendation with the default on unseen seeds; None without one."""
    recommendation = results.recommendation
    if recommendation is None or recommendation["validation"] is None:
        return None
    compared = comparisons_of(recommendation)
    played = {COMPARISONS[name]: one for name, (one, _times) in compared.items()}
    blocks: list[Block] = [Figures([_sides_figure(results, played)], "own"), _comparisons_table(results, compared)]
    power = _power(results)
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


def _command(results: StudyResults) -> str:
    """Return a command that plays the recommendation, from the study's folder; a team beside a random agent."""
    definition = results.definition
    if definition.events:
        return _command_of_several(results)
    agents = [RECOMMENDATION, *(definition.measuring or ("random",))]
    words = ["tag", "tournament", definition.game, f"--players={definition.players}"]
    design = [] if definition.measuring else ["--design=self_play"]
    return shlex.join([*words, *(f"--agent={agent}" for agent in agents), *design])


def _command_of_several(results: StudyResults) -> str:
    """Return the same for several games: beside the opponents that play in all of them."""
    events = results.definition.events_in_search
    versus = results.definition.versus
    everywhere = set(range(len(versus))).intersection(*(event.opponents(versus) for event in events))
    agents = [RECOMMENDATION, *(versus[number] for number in sorted(everywhere))]
    games = dict.fromkeys(event.game for event in events)
    players = ",".join(map(str, sorted({event.players for event in events})))
    return shlex.join(["tag", "tournament", *games, f"--players={players}", *(f"--agent={agent}" for agent in agents)])


def _estimate(estimate: ConfigurationEstimate | None) -> Cell:
    return Cell(NOTHING) if estimate is None else Cell(f"{estimate.value:.3f}", estimate.half_text)


def _sides_figure(results: StudyResults, played: Mapping[str, Any]) -> Figure:
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
    title = f"{sentence(results.objective)} on unseen seeds"
    return ranges_figure("figure-validation", title, "With 95 % intervals, from blocks.", rows)


def _comparisons_table(results: StudyResults, compared: Mapping[str, tuple[dict[str, Any], Times]]) -> Block:
    definition = results.definition
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
    return table(pd.DataFrame(rows), f"Recommended and default: {results.objective}", labels, columns)


def _games(comparison: Mapping[str, Any]) -> int:
    return int(comparison["recommended"]["games"] + comparison["default"]["games"])


def _side(side: Mapping[str, Any]) -> Cell:
    return _between(side, "value", ".3f")


def _between(row: Mapping[str, Any], name: str, form: str) -> Cell:
    """Return a value with its interval below; some ends are not known."""
    low, high = (NOTHING if row[end] is None else format(row[end], form) for end in ("low", "high"))
    return Cell(format(row[name], form), f"{low} … {high}")


def _power(results: StudyResults) -> str:
    """Return the power of the validation, known beforehand; empty if values are no shares of games."""
    definition, findings = results.definition, results.findings
    if definition.objectives[0] not in RATES or findings is None:
        return ""
    tables = schedule_of(definition, VALIDATION, definition.measuring)
    games = tables.seatings * tables.panel
    rate = findings.default.value if findings.default else 0.5
    meets_itself = definition.measuring == (definition.default,)  # its value then follows from symmetry, without luck
    deviation = win_rate_deviation(min(max(rate, 0.02), 0.98), games, None if meets_itself else 0.0)
    plan = ValidationPlan(max(definition.validation // games, FEWEST_BLOCKS))
    return (
        f"What it could show was known beforehand: {plan.blocks:,} blocks of {games:,} games at most on either side find "
        f"an advantage of {number(plan.detectable(deviation, _POWER))} in {100 * _POWER:.0f} % of studies, and one of "
        f"{_EFFECT} in {100.0 * plan.power(_EFFECT, deviation):.0f} %."
    )
