"""Tables: who sits where in the games of a study, with which seed.

The agent in question sits in every seat of a block once, an opponent in all others; the opponents of a panel take turns
from block to block, all of them with the same chance seeds. Where the agent meets itself, or plays a co-operative game
without others, one game stands for all seatings, as they would be the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tag.playing import Conditions, GameOrder
from tag.rng import derive_seed
from tournaments.ledger import read_labels
from tournaments.schedule import Pairing, game_id_of


class Tables:
    """The games of a study, by the agent in question, the block and the seat; also the roster of their ledger.

    Agents have numbers: the opponents, in their order, and then whoever is entered. A spec that is entered has one number
    for ever, so games in the ledger are those of that agent, whatever has led a study to ask for them.

    Attributes:
        game: the spec of the game type.
        players: the seats of each game.
        labels: the specs of the agents by number.
        opponents: how many opponents take turns; 0 where the agent has all seats.
        record_actions: no ledger of a study keeps actions: there are too many, and they can be played again.
    """

    record_actions = False

    def __init__(
        self,
        game: str,
        players: int,
        opponents: Sequence[str],
        seed: int,
        conditions: Conditions | None = None,
        metrics: tuple[str, ...] = (),
    ) -> None:
        """Begin with nobody but the ``opponents``; ``seed`` decides the chance seeds of all blocks."""
        self.game = game
        self.players = players
        self.labels = list(opponents)
        self.opponents = len(opponents)
        self._numbers: dict[str, int] = {}
        self._seed = seed
        self._conditions = conditions or Conditions()
        self._metrics = metrics

    @property
    def entries(self) -> Sequence[str]:
        """The agents by number, as `tournaments.ledger.Roster` asks for them."""
        return self.labels

    def keep(self, folder: Path) -> None:
        """Keep the numbers that agents have in the ledger in ``folder``, which was begun before."""
        for spec in read_labels(folder)[self.opponents :]:
            self.enter(spec)

    def enter(self, spec: str) -> int:
        """Return the number of an agent; a new one for an agent that has none."""
        if spec not in self._numbers:
            self._numbers[spec] = len(self.labels)
            self.labels.append(spec)
        return self._numbers[spec]

    @property
    def seatings(self) -> int:
        """How many games a block has against others."""
        return self.players if self.opponents else 1

    def games(self, agent: int, blocks: range) -> list[Pairing]:
        """Return the games of whole blocks, in order."""
        return [
            self._game(agent, block, seat)
            for block in blocks
            for seat in range(1 if self._is_alone(agent, block) else self.players)
        ]

    def some_games(self, agent: int, places: range) -> list[Pairing]:
        """Return single games, numbered over all seats of all blocks."""
        return [self._game(agent, *divmod(place, self.seatings)) for place in places]

    def order(self, pairing: Pairing) -> GameOrder:
        """Return a game as something that any process can play."""
        agents = tuple(self.labels[agent] for agent in pairing.agents)
        return GameOrder(pairing.game_id, self.game, agents, pairing.seed, self._conditions, self._metrics)

    def game_of(self, _pairing: Pairing) -> str:
        """Return the spec of the game type."""
        return self.game

    def _game(self, agent: int, block: int, seat: int) -> Pairing:
        chance, opponent = divmod(block, max(self.opponents, 1))
        seats = [agent if self._is_alone(agent, block) else opponent] * self.players
        seats[seat] = agent
        seed = derive_seed(self._seed, "block", chance)
        return Pairing(game_id_of(block, agent, seat), block, agent, seat, tuple(seats), seed)

    def _is_alone(self, agent: int, block: int) -> bool:
        """Say whether the agent has all seats of a block."""
        return not self.opponents or self.labels[block % self.opponents] == self.labels[agent]
