"""The report of an A/A test as a page."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from tournaments.html.page import Block, Figures, Page, Section, Text
from tournaments.html.tables import Cell, Column, number, table
from tournaments.noise.copies import AgentNoise
from tournaments.noise.results import NoiseResults, read_noise
from tournaments.reports.figures import ranges_figure, styles
from tournaments.reports.parts import sentence
from tournaments.reports.tournament import title_of


def noise_page(folder: Path) -> Page:
    """Return the report of the A/A test in ``folder``, complete or not.

    Raises:
        DataError: there is no such test, or a ledger is damaged.
    """
    results = read_noise(folder)
    tournament = results.definition.tournament
    played = f"{results.total:,}, complete" if results.complete else f"{results.games:,} of {results.total:,}"
    facts = [
        ("Game", tournament.game),
        ("Players", str(tournament.players)),
        ("Design", tournament.design.replace("_", " ")),
        ("Copies", str(len(tournament.agents))),
        ("Games", played),
    ]
    agents = [_agent(agent, f"agent-{at}") for at, agent in enumerate(results.agents)]
    return Page(
        f"Noise of {title_of(tournament.game)}", f"{sentence(results.verdict)}.", facts, [_checks(results), *agents]
    )


def _checks(results: NoiseResults) -> Section:
    about = (
        "Agents are played against copies of themselves that draw numbers of their own. An alarm is a p value below 0.01, "
        "corrected for all checks."
    )
    rows = [
        {
            "agent": agent.agent,
            "check": check.name,
            "finding": ("alarm: " if check.is_alarm else "") + check.finding,
            "p": check.p_value,
            "corrected": check.corrected,
        }
        for agent in results.agents
        for check in agent.checks
    ]
    if not rows:
        return Section("checks", "Checks", [Text("Not begun yet.")], about)
    columns = {"p": Column("p value"), "corrected": Column("corrected")}
    checks = table(pd.DataFrame(rows), "What was tested", ("agent", "check", "finding"), columns)
    return Section("checks", "Checks", [checks], about)


def _agent(agent: AgentNoise, name: str) -> Section:
    labels = [copy.agent for copy in agent.copies]
    rows = pd.DataFrame([
        {"name": style.name, "colour": style.colour, "mean": copy.difference, "low": copy.low, "high": copy.high}
        for copy, style in zip(agent.copies, styles(labels, labels), strict=True)
    ])  # fmt: skip
    title = "Points of a copy less the mean of the others"
    blocks: list[Block] = [Figures([ranges_figure(f"{name}-copies", title, "", rows, reference=0.0)], "own")]
    if agent.precisions() and not agent.is_exact:
        blocks.append(_precisions(agent))
    about = f"{agent.games:,} games of {agent.blocks:,} blocks; design effect {number(agent.design_effect)}."
    return Section(name, agent.agent, blocks, about)


def _precisions(agent: AgentNoise) -> Block:
    rows = [
        {
            "blocks": f"{one.blocks:,}",
            "noise": Cell(f"±{one.noise:.3f}", f"±{number(one.rating_noise)} in rating"),
            "detectable": Cell(f"{one.detectable:.3f}", f"{number(one.rating_detectable)} in rating"),
        }
        for one in agent.precisions()
    ]
    columns = {"noise": Column("noise", "points"), "detectable": Column("found in 80 %", "points")}
    return table(pd.DataFrame(rows), "How large a difference has to be", ("blocks",), columns)
