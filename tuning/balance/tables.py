"""Tables of a balancing study: candidates by number, and their games as orders for any process."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tag.playing import Conditions, GameOrder
from tournaments import Pairing, read_ledger
from tuning.balance.plan import Plan


class CandidateTables:
    """The games of candidates in one stream of chance seeds; also the roster of their ledger.

    Attributes:
        plan: who meets whom.
        candidates: the specs of the candidates by number.
        labels: the specs of the agents by number.
        record_actions: no ledger of a study keeps actions.
    """

    record_actions = False

    def __init__(self, plan: Plan, seed: int, conditions: Conditions) -> None:
        """Begin without candidates; ``seed`` decides the chance seeds of all blocks."""
        self.plan = plan
        self.candidates: dict[int, str] = {}
        self.labels = plan.agents
        self._numbers: dict[str, int] = {}
        self._seed = seed
        self._conditions = conditions

    @property
    def entries(self) -> Sequence[str]:
        """The agents by number, as `tournaments.ledger.Roster` asks for them."""
        return self.labels

    def enter(self, spec: str) -> int:
        """Return the number of a candidate, a new one where it has none."""
        if spec not in self._numbers:
            number = max(self.candidates, default=-1) + 1
            self._numbers[spec] = number
            self.candidates[number] = spec
        return self._numbers[spec]

    def keep(self, folder: Path) -> None:
        """Keep the numbers that candidates have in the ledger in ``folder``, which was begun before."""
        games, _seats = read_ledger(folder)
        known = games[["matchup", "game"]].drop_duplicates()
        for matchup, game in zip(known["matchup"].tolist(), known["game"].tolist(), strict=True):
            self.candidates[matchup // self.plan.width] = game
            self._numbers[game] = matchup // self.plan.width

    def games(self, candidate: int, blocks: range) -> list[Pairing]:
        """Return the games of whole blocks, in order."""
        return self.plan.games(candidate, blocks, self._seed)

    def order(self, pairing: Pairing) -> GameOrder:
        """Return a game as something that any process can play."""
        agents = tuple(self.labels[agent] for agent in pairing.agents)
        metrics = self.plan.metrics
        return GameOrder(pairing.game_id, self.game_of(pairing), agents, pairing.seed, self._conditions, metrics)

    def game_of(self, pairing: Pairing) -> str:
        """Return the spec of the candidate."""
        return self.candidates[pairing.matchup // self.plan.width]
