"""The verdict: measures beside their bands.

The first sections of a balancing study's report: the choice with its reasons, and every measure beside its band.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf, nan
from typing import Any, Final

import pandas as pd

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
    sentence,
    table,
)
from tag.tournaments.statistics.intervals import ends_text
from tag.tuning.balancing.definition import BALANCE
from tag.tuning.balancing.report.figures import CHOICE, PRINTED, band_figure, band_text, key
from tag.tuning.balancing.results.measuring import MET, MISSED, OPEN
from tag.tuning.balancing.results.results import BalanceResults
from tag.tuning.balancing.results.text import changed_texts, confidence_text, games_text

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
    """Return the measures of the default rules and of the choice beside their bands; None without a verdict."""
    found = results.verdict
    if found is None:
        return None
    names = [goal.target.name for goal in results.manifest.definition.goals]
    blocks: list[Block] = [key(), Figures(list(_figures(results, found)), "own"), _measured_table(found, names)]
    about = (
        f"The shaded part is the band; lines are {confidence_text(found)} intervals. The default rules and the choice play "
        "the same seeds, and agents held out play seeds of their own."
    )
    return Section("targets", "Targets", blocks, about)


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
    columns = {"printed": Column("default rules"), "choice": Column("choice")}
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
        for side, name, colour in (("printed", "default rules", PRINTED), ("choice", "choice", CHOICE)):
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
    words = {"default rules": found["printed"]["spec"], "choice": found["choice"]["spec"]}
    return ", ".join(word for word, one in words.items() if one == spec) or "passed over"
