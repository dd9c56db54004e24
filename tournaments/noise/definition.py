"""What an A/A test plays: for each agent of a tournament, the same tournament between copies of that agent."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Self

from tag.errors import DataError, ParameterError, UnknownNameError
from tag.registry import make_game
from tag.rng import Rng
from tournaments.definition import TournamentDefinition
from tournaments.folder import event_name

MANIFEST: Final = "noise.json"
_SAME_BLOCKS: Final = 5


@dataclass(frozen=True)
class NoiseDefinition:
    """An A/A test. Make one with `noise_of`.

    Attributes:
        tournament: what would be played; its agents are as many as there are copies.
        agents: the specs of the agents that are copied.
    """

    tournament: TournamentDefinition
    agents: tuple[str, ...]

    def own(self, agent: str) -> TournamentDefinition:
        """Return the tournament between copies that draw numbers of their own: what measures the noise."""
        return self._copies(agent, "agent", self.tournament.blocks)

    def same(self, agent: str) -> TournamentDefinition | None:
        """Return one between copies that draw the same numbers in the same seat: identical agents, who play identical games.

        None where the design does not have all rotations of a match-up in a block, so that they need not score the same.
        """
        design = self.tournament.schedule().design
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
        endless = replace(self.tournament, sprt="", precision=0.0, compare=())
        return replace(endless, agents=copies, names=(), streams=streams, blocks=blocks, metrics=())

    def to_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {"tournament": self.tournament.to_json(), "agents": list(self.agents)}

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Self:
        """Read what `to_json` returned."""
        return cls(TournamentDefinition.from_json(values["tournament"]), tuple(values["agents"]))


def noise_of(tournament: TournamentDefinition, agents: Sequence[str] = ()) -> NoiseDefinition:
    """Return the A/A test of a tournament.

    Args:
        tournament: what would be played.
        agents: the specs, in canonical form, of those of its agents that are copied; all by default, each once.

    Raises:
        ParameterError: the design learns, or nobody plays against anybody.
        UnknownNameError: an agent is not of the tournament.
    """
    if tournament.schedule().design.learns:
        raise ParameterError(
            f"design cannot be {tournament.design!r}, where who meets follows from the games before; try 'round_robin'"
        )
    state = make_game(tournament.game).setup(tournament.players, Rng(1))
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
    """Return what the A/A test in ``folder`` is.

    Raises:
        DataError: there is none, or its file is damaged.
    """
    path = folder / MANIFEST
    try:
        return NoiseDefinition.from_json(json.loads(path.read_text(encoding="utf-8")))
    except OSError:
        raise DataError(f"{str(folder)!r} holds no A/A test: it has no {MANIFEST}") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataError(f"{str(path)!r} is damaged: {error}") from None


def own_folder(out: Path, definition: NoiseDefinition, agent: str) -> Path:
    """Return the folder of the tournament between copies of ``agent`` that draw numbers of their own."""
    number = definition.agents.index(agent)
    return out / f"{number}-{event_name(agent, definition.tournament.players)}"


def same_folder(out: Path, definition: NoiseDefinition, agent: str) -> Path:
    """Return the folder of that between copies that draw the same numbers."""
    own = own_folder(out, definition, agent)
    return own.with_name(f"{own.name}-same")
