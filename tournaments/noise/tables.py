"""What an A/A test tells, as tables for a terminal."""

from __future__ import annotations

from math import isnan

from rich.table import Table

from tournaments.intervals import ends_text, half_width_text
from tournaments.noise.copies import AgentNoise
from tournaments.noise.results import NoiseResults
from tournaments.tables import paused_text, table_text


def noise_text(results: NoiseResults, width: int | None = None) -> str:
    """Return the copies, the noise by blocks, the checks and the verdict as plain text."""
    parts = []
    for agent in results.agents:
        parts.append(table_text(_copies(agent), width))
        if agent.is_exact:
            parts.append(
                f"{agent.agent} draws nothing: its copies play identical games, which tells nothing about noise"
            )
        elif agent.blocks > 1:
            parts += [table_text(_precisions(agent), width), _correlation(agent), _seats(agent)]
    parts.append(table_text(_checks(results), width))
    parts += map(paused_text, results.paused)
    return "\n\n".join([*parts, results.verdict])


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings:
        left = heading in ("copy", "agent", "check", "finding")
        table.add_column(heading, justify="left" if left else "right", overflow="fold")
    return table


def _copies(agent: AgentNoise) -> Table:
    table = _table(
        "copy", "points", "to the others", "95 % interval", "rating", "95 % interval", "ms/decision", "faults"
    )
    for copy in agent.copies:
        table.add_row(
            copy.agent,
            _text(copy.points, ".3f"),
            _text(copy.difference, "+.3f"),
            _interval(copy.low, copy.high, "+.3f"),
            _text(copy.rating, "+z.0f"),
            _interval(copy.rating_low, copy.rating_high, "+z.0f"),
            _text(copy.decision_ms, ",.2f"),
            f"{copy.faults:,}",
        )
    return table


def _precisions(agent: AgentNoise) -> Table:
    table = _table("blocks", "noise", "found in 80 %", "noise in rating", "found in 80 %")
    for precision in agent.precisions():
        table.add_row(
            f"{precision.blocks:,}",
            f"±{half_width_text(precision.noise, '.3f')}",
            f"{precision.detectable:.3f}",
            f"±{_text(precision.rating_noise, '.0f')}",
            _text(precision.rating_detectable, ".0f"),
        )
    return table


def _correlation(agent: AgentNoise) -> str:
    return (
        f"{agent.games:,} games of {agent.blocks:,} blocks; correlation within blocks {_text(agent.rho, '+.3f')}, "
        f"design effect {_text(agent.design_effect, '.2f')}"
    )


def _seats(agent: AgentNoise) -> str:
    """Return what comes of each seat, which is the game's and no fault of the set-up."""
    points = ", ".join(
        f"{seat}: {mean:.3f} ± {half_width_text((high - low) / 2, '.3f')}"
        for seat, (mean, low, high) in enumerate(agent.seats)
    )
    return f"points by seat: {points}"


def _checks(results: NoiseResults) -> Table:
    table = _table("agent", "check", "p", "corrected", "finding")
    for agent in results.agents:
        for check in agent.checks:
            mark = "ALARM: " if check.is_alarm else ""
            p_values = (_text(check.p_value, ".3f"), _text(check.corrected, ".3f"))
            table.add_row(agent.agent, check.name, *p_values, mark + check.finding)
    return table


def _interval(low: float, high: float, form: str) -> str:
    return "-" if isnan(low) else ends_text(low, high, form)


def _text(value: float, form: str) -> str:
    return "-" if isnan(value) else format(value, form)
