"""An A/A test: for each agent of a tournament, the same tournament between its copies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Self

from tag.catalogue.registry import make_game
from tag.engine.rng import Rng
from tag.errors import ParameterError, UnknownNameError
from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.ledger.folder import MANIFEST, event_name
from tag.tournaments.ledger.storage import read_json
from tag.tournaments.results.copies.agents import AgentNoise, check_same, read_copies
from tag.tournaments.results.copies.bias_tests import LEAST_BLOCKS, CopyTest, corrected
from tag.tournaments.results.copies.noise_floor import round_below
from tag.tournaments.results.tournament import PausedAgent, read_results
from tag.tournaments.statistics.plain_records import plain

NOISE_MANIFEST: Final = "noise.json"
_SAME_BLOCKS: Final = 5


@dataclass(frozen=True)
class NoiseDefinition:
    """An A/A test. Make one with `noise_of`."""

    tournament: TournamentDefinition
    agents: tuple[str, ...]

    def own(self, agent: str) -> TournamentDefinition:
        """Return the tournament that measures the noise: its copies draw different random numbers."""
        return self._copies(agent, "agent", self.tournament.blocks)

    def same(self, agent: str) -> TournamentDefinition | None:
        """Return the tournament of copies that draw the same numbers in the same seat: their games must be identical.

        None if the design does not have all rotations of a match-up in a block, so that copies need not score the same.
        """
        design = self.tournament.plan.design
        if self.tournament.players % design.n_seatings or design.n_seatings == 1:
            return None
        return self._copies(agent, "seat", min(self.tournament.blocks, _SAME_BLOCKS))

    def folders(self, out: Path) -> Iterator[tuple[Path, TournamentDefinition]]:
        """Yield all tournaments by folder."""
        for agent in self.agents:
            yield own_folder(out, self, agent), self.own(agent)
            same = self.same(agent)
            if same is not None:
                yield same_folder(out, self, agent), same

    def _copies(self, agent: str, streams: str, blocks: int) -> TournamentDefinition:
        copies = (agent,) * len(self.tournament.agents)
        endless = replace(self.tournament, sprt="", precision=0.0, compare=(), part="")
        return replace(endless, agents=copies, names=(), streams=streams, blocks=blocks, metrics=())

    def to_json(self) -> dict[str, Any]:
        """Return the definition as plain values."""
        return {"tournament": self.tournament.to_json(), "agents": list(self.agents)}

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Self:
        """Read the values that `to_json` returned."""
        return cls(TournamentDefinition.from_json(values["tournament"]), tuple(values["agents"]))


def noise_of(tournament: TournamentDefinition, agents: Sequence[str] = ()) -> NoiseDefinition:
    """Return the A/A test of a tournament.

    The agents to copy are specs in canonical form; by default all of the tournament, each once.

    Raises:
        ParameterError: the design learns, or there are no opponents.
        UnknownNameError: an agent does not take part in the tournament.
    """
    if tournament.plan.design.learns:
        raise ParameterError(
            f"design cannot be {tournament.design!r}, where who meets follows from the games before; try 'round_robin'"
        )
    state = make_game(tournament.game).setup(tournament.players, Rng(1))
    if tournament.players == 1:
        raise ParameterError(
            f"game cannot be {tournament.game!r} for one player, where copies do not meet; tag results gives the intervals "
            "of mean scores"
        )
    if len({state.team(player) for player in range(tournament.players)}) < 2:
        raise ParameterError(
            f"game cannot be {tournament.game!r}, where all win or lose together: copies cannot differ"
        )
    known = tuple(dict.fromkeys(tournament.agents))
    for agent in agents:
        if agent not in known:
            raise UnknownNameError.of("agent of the tournament", agent, known)
    return NoiseDefinition(tournament, tuple(dict.fromkeys(agents)) or known)


def read_definition(folder: Path) -> NoiseDefinition:
    """Return the definition of the A/A test in ``folder``."""
    return read_json(folder, NOISE_MANIFEST, "A/A test", NoiseDefinition.from_json)


def own_folder(out: Path, definition: NoiseDefinition, agent: str) -> Path:
    """Return the folder of the tournament between copies of ``agent`` that draw different numbers."""
    number = definition.agents.index(agent)
    return out / f"{number}-{event_name(agent, definition.tournament.players)}"


def same_folder(out: Path, definition: NoiseDefinition, agent: str) -> Path:
    """Return the folder of the tournament between copies that draw the same numbers."""
    own = own_folder(out, definition, agent)
    return own.with_name(f"{own.name}-same")


@dataclass(frozen=True, eq=False)
class NoiseResults:
    """The results of an A/A test so far.

    Attributes:
        agents: one entry per agent that has a whole match-up.
        paused: copies that are paused.
    """

    folder: Path
    definition: NoiseDefinition
    agents: list[AgentNoise]
    paused: list[PausedAgent]
    games: int
    total: int

    @property
    def complete(self) -> bool:
        """True if all games of the test have been played."""
        return self.games == self.total

    @property
    def alarms(self) -> list[str]:
        """The alarms of the set-up, a sentence each."""
        return [check.finding for agent in self.agents for check in agent.checks if check.is_alarm]

    @property
    def verdict(self) -> str:
        """The verdict on the set-up's fairness, and the differences that it can show, in a sentence."""
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
        """Return all attributes but the folder as plain values."""
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
    """Return the results of the A/A test in ``folder`` so far."""
    definition = read_definition(folder)
    parts = dict(definition.folders(folder))
    results = {path: read_results(path) for path in parts if (path / MANIFEST).exists()}
    agents = []
    for agent in definition.agents:
        own, same = own_folder(folder, definition, agent), same_folder(folder, definition, agent)
        found = read_copies(results[own], parts[own]) if own in results else None
        if found:
            checks = [check_same(same, parts[same])] if same in results else []
            agents.append(replace(found, checks=found.checks + checks))
    return NoiseResults(
        folder,
        definition,
        _corrected(agents),
        [paused for found in results.values() for paused in found.paused],
        sum(found.games for found in results.values()),
        sum(results[path].total if path in results else len(part.schedule()) for path, part in parts.items()),
    )


def _corrected(agents: Sequence[AgentNoise]) -> list[AgentNoise]:
    """Return the agents with p values corrected for all checks of all agents."""
    checks: list[CopyTest] = corrected([check for agent in agents for check in agent.checks])
    found = []
    for agent in agents:
        mine, checks = checks[: len(agent.checks)], checks[len(agent.checks) :]
        found.append(replace(agent, checks=mine))
    return found
