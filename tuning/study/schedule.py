"""The games that a study may ask for, by number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tag.orders import Conditions, GameOrder, Openings
from tag.tournaments.designs.games import Pairing, PlannedGames
from tag.tournaments.statistics.intervals import Ints


class GameSchedule:
    """Games that a study may ask for, by number; also the plan of their ledger (`tag.tournaments.ledger.identity`).

    Attributes:
        labels: the specs of the agents by number.
        players: the seats of each game.
        metrics: the names of the metrics that measure each game.
        record_actions: no ledger of a study keeps actions: there are too many, and they can be played again.
        is_open: the search enters more agents or candidates, and their ledger names them.
        most_games: how many they play is not known beforehand.
    """

    labels: Sequence[str]
    record_actions = False
    is_open = True
    most_games = None

    def __init__(
        self, players: int, seed: int, conditions: Conditions | None, metrics: tuple[str, ...], opening: str
    ) -> None:
        """Begin without games, which are played under some conditions, measured by metrics, and begin with openings.

        ``seed`` decides the chance seeds of all blocks.
        """
        self.players = players
        self.metrics = metrics
        self._seed = seed
        self._conditions = conditions or Conditions()
        self._openings = Openings.parse(opening)

    @property
    def entries(self) -> Sequence[str]:
        """The agents by number, as `tag.tournaments.ledger.identity.LedgerAgents` asks for them."""
        return self.labels

    @property
    def fixed(self) -> dict[str, Any]:
        """What decides all games; conditions and openings only where they are set."""
        usual = asdict(Conditions())
        said = {name: value for name, value in asdict(self._conditions).items() if value != usual[name]}
        opening = {"opening": str(self._openings)} if str(self._openings) else {}
        return {"players": self.players, "seed": self._seed, "metrics": list(self.metrics), **said, **opening}

    def planned(self, places: Ints, entries: Sequence[str], thorough: bool) -> PlannedGames:
        """Return what the games at some places must be; agents and candidates are those that the ledger names."""
        raise NotImplementedError

    def keep(self, folder: Path) -> None:
        """Keep the numbers that specs have in the ledger in ``folder``, which was begun before."""
        raise NotImplementedError

    def game_of(self, pairing: Pairing) -> str:
        """Return the spec of the game type."""
        raise NotImplementedError

    def order(self, pairing: Pairing) -> GameOrder:
        """Return a game as an order that any worker can play."""
        agents = tuple(self.labels[agent] for agent in pairing.agents)
        game = self.game_of(pairing)
        opening = self._openings.of_block(self.chance_of(pairing.block), pairing.seed)
        return GameOrder(pairing.game_id, game, agents, pairing.seed, self._conditions, self.metrics, opening=opening)

    def chance_of(self, block: int) -> int:
        """Return the number of a block's chance seed."""
        return block
