"""Games that nobody plays: their results are those of simulated workers, as fast as a ledger takes them."""

from __future__ import annotations

from tag.cluster.batches import pack_orders, unpack_records
from tag.tournaments import PlayedGame, TournamentDefinition
from tag.tournaments.designs.games import Pairing
from tag.tournaments.simulation import Circumstances, GameSeconds, SimulatedActors


def made_up(definition: TournamentDefinition, pairings: list[Pairing]) -> list[PlayedGame]:
    workers = SimulatedActors(1, definition.players, Circumstances(GameSeconds.lognormal(1.0), start=0.0), seed=1)
    workers.wait(1.0)
    workers.give(1, pack_orders([definition.order(pairing) for pairing in pairings]))
    (outcome,) = workers.wait(1e9)
    assert outcome.answer is not None
    return [PlayedGame(*row) for row in zip(pairings, unpack_records(outcome.answer), strict=True)]
