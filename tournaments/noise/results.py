"""What the ledgers of an A/A test tell about the set-up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tournaments.folder import MANIFEST
from tournaments.noise.checks import LEAST_BLOCKS, Check, corrected
from tournaments.noise.copies import AgentNoise, check_same, read_copies
from tournaments.noise.definition import NoiseDefinition, own_folder, read_definition, same_folder
from tournaments.noise.floor import round_below
from tournaments.plain import plain
from tournaments.results import PausedAgent, read_results


@dataclass(frozen=True, eq=False)
class NoiseResults:
    """What an A/A test came to so far.

    Attributes:
        folder: where it is.
        definition: what it is.
        agents: one entry per agent that has a whole match-up.
        paused: copies that the circuit breaker has paused.
        games: the games in all ledgers.
        total: those of the whole test.
    """

    folder: Path
    definition: NoiseDefinition
    agents: list[AgentNoise]
    paused: list[PausedAgent]
    games: int
    total: int

    @property
    def complete(self) -> bool:
        """Whether every game has been played that is to be."""
        return self.games == self.total

    @property
    def alarms(self) -> list[str]:
        """What is wrong with the set-up, a sentence each."""
        return [check.finding for agent in self.agents for check in agent.checks if check.is_alarm]

    @property
    def verdict(self) -> str:
        """Whether the set-up favours nobody, and what it can show, in a sentence."""
        if self.alarms:
            return f"something is off with this set-up: {'; '.join(self.alarms)}"
        if self.paused:
            return f"no verdict: {self.paused[0].agent} is paused because of what it has done; mend it first"
        blocks = min((agent.blocks for agent in self.agents), default=0)
        if blocks < LEAST_BLOCKS:
            return f"{blocks} blocks are too few for a verdict; {LEAST_BLOCKS} are the least"
        if all(agent.is_exact for agent in self.agents):
            return "the set-up favours nobody: all copies score the same, to the last point, in every block"
        noisy = [agent for agent in self.agents if not agent.is_exact]
        noisiest = max(noisy, key=lambda agent: agent.points.noise(blocks))
        noise = noisiest.points.noise(blocks)
        wished = round_below(noise)
        return (
            f"the set-up favours nobody: differences of up to ±{noise:.3f} points ({noisiest.ratings.noise(blocks):.0f} in "
            f"rating) are noise at {blocks:,} blocks; to show one of {wished:g} points with a power of 80 % takes about "
            f"{noisiest.points.blocks_to_detect(wished):,}"
        )

    def to_json(self) -> dict[str, Any]:
        """Return everything but the folder as plain values."""
        values = {
            "agents": [agent.to_json() for agent in self.agents],
            "alarms": self.alarms,
            "verdict": self.verdict,
            "games": self.games,
            "total": self.total,
            "complete": self.complete,
        }
        return dict(plain(values))


def read_noise(folder: Path) -> NoiseResults:
    """Return what the A/A test in ``folder`` tells so far.

    Raises:
        DataError: there is none.
    """
    definition = read_definition(folder)
    begun = {path: part for path, part in definition.folders(folder) if (path / MANIFEST).exists()}
    results = {path: read_results(path) for path in begun}
    agents = []
    for agent in definition.agents:
        own, same = own_folder(folder, definition, agent), same_folder(folder, definition, agent)
        found = read_copies(results[own], begun[own]) if own in begun else None
        if found:
            checks = [check_same(same, begun[same])] if same in begun else []
            agents.append(replace(found, checks=found.checks + checks))
    return NoiseResults(
        folder,
        definition,
        _corrected(agents),
        [paused for found in results.values() for paused in found.paused],
        sum(found.games for found in results.values()),
        sum(
            results[path].total if path in results else len(part.schedule())
            for path, part in definition.folders(folder)
        ),
    )


def _corrected(agents: Sequence[AgentNoise]) -> list[AgentNoise]:
    """Return the agents with p values corrected for all checks of all of them."""
    checks: list[Check] = corrected([check for agent in agents for check in agent.checks])
    found = []
    for agent in agents:
        mine, checks = checks[: len(agent.checks)], checks[len(agent.checks) :]
        found.append(replace(agent, checks=mine))
    return found
