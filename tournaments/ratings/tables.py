"""Ratings as tables for a terminal."""

from __future__ import annotations

from math import isnan

from rich.table import Table

from tournaments.agent_names import short_labels
from tournaments.intervals import ends_text, half_width_text
from tournaments.ratings.summary import AgentRating, RatingSummary
from tournaments.tables import legend_text, table_text

#: Pairs are shown as a matrix up to so many agents.
_MOST_COLUMNS = 12
#: What rounding leaves of the width of an interval that has none, in rating points.
_ROUNDING = 1e-9


def ratings_text(summary: RatingSummary, width: int | None = None) -> str:
    """Return ratings, seats, pairs and a word on transitivity as plain text."""
    parts = [table_text(_ratings(summary), width), legend_text([agent.agent for agent in summary.agents])]
    parts += [_seats(players, seats) for players, seats in summary.seats.items()]
    if len(summary.agents) <= _MOST_COLUMNS:
        parts.append(
            "how often the row is placed above the column; * where that is no chance (5 %, Holm):\n"
            + table_text(_pairs(summary), width)
        )
    parts.append(scale_text(summary))
    return "\n\n".join(part for part in parts if part)


def _ratings(summary: RatingSummary) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    evolves = not any(isnan(agent.nash) for agent in summary.agents)
    headings = ["agent", "rating", "95 % interval", "P(best)", "group", *(["Nash", "alpha-rank"] if evolves else [])]
    for heading in headings:
        table.add_column(heading, justify="left" if heading in ("agent", "group") else "right", overflow="fold")
    short = short_labels([agent.agent for agent in summary.agents])
    for agent in summary.agents:
        row = [
            short[agent.agent],
            f"{agent.rating:+z.0f}",
            interval_text(agent),
            "-" if isnan(agent.p_best) else f"{agent.p_best:.3f}",
            agent.groups,
        ]
        table.add_row(*row, *([f"{agent.nash:.3f}", f"{agent.alpha_rank:.3f}"] if evolves else []))
    return table


def interval_text(agent: AgentRating) -> str:
    """Return the interval of a rating; ``fixed`` for an anchor, and for an agent without others, which is rated 0."""
    if isnan(agent.low):
        return "-"
    return "fixed" if agent.high - agent.low < _ROUNDING else ends_text(agent.low, agent.high, "+z.0f")


def _seats(players: int, seats: list[tuple[float, float, float]]) -> str:
    """Return what the seats are worth."""
    worth = ", ".join(
        f"{number}: {term:+z.0f}"
        + ("" if isnan(low) or low == high else f" ± {half_width_text((high - low) / 2, '.0f')}")
        for number, (term, low, high) in enumerate(seats)
    )
    return f"seats of {players} in rating points: {worth}"


def _pairs(summary: RatingSummary) -> Table:
    pairs = summary.pairs
    order = [pairs.labels.index(agent.agent) for agent in summary.agents]
    different = pairs.is_different()
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("")
    short = short_labels(pairs.labels)
    for column in order:
        table.add_column(short[pairs.labels[column]], justify="right", overflow="fold")
    for row in order:
        cells = [
            "-"
            if isnan(pairs.score[row, column])
            else f"{pairs.score[row, column]:.3f}{'*' if different[row, column] else ' '}"
            for column in order
        ]
        table.add_row(short[pairs.labels[row]], *cells)
    return table


def scale_text(summary: RatingSummary) -> str:
    """Say whether one scale tells the truth; empty where that cannot be known."""
    found = summary.intransitivity
    if found is None or isnan(found.share):
        return ""
    verdict = "one scale is not the whole truth" if found.p_value < 0.05 else "nothing speaks against one scale"
    return (
        f"{verdict}: results that go round in circles are {found.share:.1%} of the whole (p = {found.p_value:.3f}), "
        f"as are {found.cyclic_triples} of the {found.triples} triples of agents".replace("%", " %")
    )
